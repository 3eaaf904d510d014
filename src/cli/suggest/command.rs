//! Runs a command on one dialog: its output is limited, and so is its time.

use std::collections::BTreeSet;
use std::io::{self, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes that a command may print on a dialog.
const MOST: u64 = 1 << 20;
/// The most bytes of its errors that are kept.
const ERRORS: u64 = 4096;
/// How long its errors are waited for once it has ended; what it has started may hold them open.
const PATIENCE: Duration = Duration::from_millis(100);
/// The shortest and the longest pause between looking whether it has ended.
const PAUSES: [Duration; 2] = [Duration::from_micros(100), Duration::from_millis(10)];

/// Why a command gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    #[error("the command cannot be started: {0}")]
    Start(io::Error),
    #[error("the command took longer than {0} s")]
    Slow(u64),
    #[error("the command printed more than 1 MiB")]
    Flood,
    #[error("the command printed text that is not UTF-8")]
    NotUtf8,
    #[error("the command failed ({status}){said}")]
    Failed { status: ExitStatus, said: String },
}

/// The commands that are running, by the numbers of their process groups; None once they have been ended.
#[derive(Debug)]
pub struct Running(Mutex<Option<BTreeSet<u32>>>);

impl Running {
    /// Returns none yet.
    pub fn new() -> Self {
        Self(Mutex::new(Some(BTreeSet::new())))
    }

    /// Starts a command, unless all have been ended.
    fn start(&self, process: &mut Command) -> io::Result<Child> {
        match &mut *self.all() {
            None => Err(io::ErrorKind::Interrupted.into()),
            Some(all) => {
                let child = process.spawn()?;
                all.insert(child.id());
                Ok(child)
            }
        }
    }

    fn remove(&self, child: &Child) {
        if let Some(all) = &mut *self.all() {
            all.remove(&child.id());
        }
    }

    /// Ends all of them, with the commands that they have started. No others start.
    pub fn end(&self) {
        let all = self.all().take();
        all.into_iter().flatten().for_each(end_group);
    }

    fn all(&self) -> MutexGuard<'_, Option<BTreeSet<u32>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
fn end_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = Pid::from_raw(leader.cast_signed()) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: u32) {}

/// Returns what a command prints about `input`, which it reads on its standard input.
///
/// # Errors
/// If it cannot be started, takes more than `limit`, prints too much, or fails.
pub fn ask(
    command: &str,
    input: Vec<u8>,
    limit: Duration,
    running: &Running,
) -> Result<String, CommandError> {
    let mut process = Command::new("sh");
    process.arg("-c").arg(command);
    process.stdin(Stdio::piped());
    process.stdout(Stdio::piped()).stderr(Stdio::piped());
    // So that what it starts can be ended with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    let mut child = running.start(&mut process).map_err(CommandError::Start)?;
    let answer = answer(&mut child, input, limit);
    if !matches!(answer, Ok(_) | Err(CommandError::Failed { .. })) {
        end_group(child.id());
        let _ = child.kill();
        let _ = child.wait();
    }
    running.remove(&child);
    answer
}

/// Passes the input to a command, and waits for its output and then its end.
fn answer(child: &mut Child, input: Vec<u8>, limit: Duration) -> Result<String, CommandError> {
    let end = Instant::now() + limit;
    let slow = || CommandError::Slow(limit.as_secs());
    let left = || end.saturating_duration_since(Instant::now());
    if let Some(mut pipe) = child.stdin.take() {
        // It may not want to read all, or anything.
        thread::spawn(move || pipe.write_all(&input));
    }
    let errors = read_at_most(child.stderr.take(), ERRORS);
    let printed = read_at_most(child.stdout.take(), MOST + 1).recv_timeout(left());
    let printed = printed.map_err(|_| slow())?;
    if printed.len() as u64 > MOST {
        return Err(CommandError::Flood);
    }
    let mut pause = PAUSES[0];
    let status = loop {
        if let Some(status) = child.try_wait().map_err(CommandError::Start)? {
            break status;
        }
        if left().is_zero() {
            return Err(slow());
        }
        thread::sleep(pause.min(left()));
        pause = (2 * pause).min(PAUSES[1]);
    };
    if !status.success() {
        let said = errors.recv_timeout(PATIENCE).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
        let said = last.map_or_else(String::new, |last| format!(": {last}"));
        return Err(CommandError::Failed { status, said });
    }
    String::from_utf8(printed).map_err(|_| CommandError::NotUtf8)
}

/// Reads a stream in a thread of its own, and sends its first bytes when it has ended or has so many; the rest is dropped,
/// because what nobody reads must not stop the command.
fn read_at_most(stream: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Vec<u8>> {
    let (to, from) = channel();
    if let Some(mut stream) = stream {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stream.by_ref().take(most).read_to_end(&mut bytes);
            let _ = to.send(bytes);
            let _ = io::copy(&mut stream, &mut io::sink());
        });
    }
    from
}
