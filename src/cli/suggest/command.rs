//! Runs a command on one dialog: its output is limited, and so is its time.

use std::collections::BTreeSet;
use std::io::{self, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes that a command may print on a dialog.
const MOST: u64 = 1 << 20;
/// The most bytes of its errors that are kept.
const ERRORS: u64 = 4096;
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
    #[error("the command printed what is not UTF-8")]
    NotUtf8,
    #[error("the command failed ({status}){said}")]
    Failed { status: ExitStatus, said: String },
}

/// The commands that are running, by the numbers of their process groups.
#[derive(Debug, Default)]
pub struct Running(Mutex<BTreeSet<u32>>);

impl Running {
    fn add(&self, child: &Child) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(child.id());
    }

    fn remove(&self, child: &Child) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(&child.id());
    }

    /// Ends all of them, with the commands that they have started.
    pub fn end(&self) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().copied().for_each(end_group);
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

/// Reads at most one byte more than `most`, in a thread of its own.
fn reader(from: impl Read + Send + 'static, most: u64) -> Receiver<Vec<u8>> {
    let (to, read) = channel();
    thread::spawn(move || {
        let (mut from, mut bytes) = (from.take(most + 1), Vec::new());
        let _ = from.read_to_end(&mut bytes);
        let full = bytes.len() as u64 > most;
        let _ = to.send(bytes);
        // Errors that nobody reads must not stop the command.
        if full && most == ERRORS {
            let _ = io::copy(&mut from.into_inner(), &mut io::sink());
        }
    });
    read
}

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
    let mut child = process.spawn().map_err(CommandError::Start)?;
    running.add(&child);
    let answer = answer(&mut child, input, limit);
    if !matches!(answer, Ok(_) | Err(CommandError::Failed { .. })) {
        end_group(child.id());
        let _ = child.kill();
        let _ = child.wait();
    }
    running.remove(&child);
    answer
}

fn answer(child: &mut Child, input: Vec<u8>, limit: Duration) -> Result<String, CommandError> {
    let end = Instant::now() + limit;
    let slow = || CommandError::Slow(limit.as_secs());
    if let Some(mut to) = child.stdin.take() {
        // It may not want to read all, or anything.
        thread::spawn(move || to.write_all(&input));
    }
    let errors = child.stderr.take().map(|from| reader(from, ERRORS));
    let Some(printed) = child.stdout.take().map(|from| reader(from, MOST)) else {
        return Err(slow());
    };
    let left = end.saturating_duration_since(Instant::now());
    let bytes = printed.recv_timeout(left).map_err(|error| match error {
        RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected => slow(),
    })?;
    if bytes.len() as u64 > MOST {
        return Err(CommandError::Flood);
    }
    let mut pause = PAUSES[0];
    let status = loop {
        match child.try_wait().map_err(CommandError::Start)? {
            Some(status) => break status,
            None if Instant::now() >= end => return Err(slow()),
            None => thread::sleep(pause),
        }
        pause = (2 * pause).min(PAUSES[1]);
    };
    if !status.success() {
        let said = errors.and_then(|errors| errors.recv_timeout(PAUSES[1]).ok());
        let said = String::from_utf8_lossy(&said.unwrap_or_default()).into_owned();
        let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
        let said = last.map_or_else(String::new, |last| format!(": {last}"));
        return Err(CommandError::Failed { status, said });
    }
    String::from_utf8(bytes).map_err(|_| CommandError::NotUtf8)
}
