//! Runs a command on one dialog: its output is limited, and so is its time.

use std::collections::BTreeSet;
use std::io::{self, Read, Write as _};
#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
#[cfg(unix)]
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

/// The most bytes that a command may print on a dialog.
const MOST: u64 = 1 << 20;
/// The most bytes of its errors that are kept.
const ERRORS: u64 = 4096;
/// The shortest and the longest pause between looking whether it has ended, where nothing else tells.
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

#[cfg(not(unix))]
fn answer(_: &mut Child, _: Vec<u8>, _: Duration) -> Result<String, CommandError> {
    Err(CommandError::Start(io::ErrorKind::Unsupported.into()))
}

#[cfg(unix)]
fn answer(child: &mut Child, input: Vec<u8>, limit: Duration) -> Result<String, CommandError> {
    let mut streams = Streams::of(child, input).map_err(CommandError::Start)?;
    let end = Instant::now() + limit;
    let mut pause = PAUSES[0];
    let status = loop {
        let is_printing = streams.output.is_some();
        let ended =
            if is_printing { None } else { child.try_wait().map_err(CommandError::Start)? };
        if let Some(status) = ended {
            break status;
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(CommandError::Slow(limit.as_secs()));
        }
        // Without a descriptor of the process, nothing but a look at it tells that it has ended.
        let wait = match &streams.process {
            None if !is_printing => left.min(pause),
            _ => left,
        };
        streams.exchange(wait).map_err(CommandError::Start)?;
        if streams.printed.len() as u64 > MOST {
            return Err(CommandError::Flood);
        }
        pause = (2 * pause).min(PAUSES[1]);
    };
    if !status.success() {
        streams.exchange(Duration::ZERO).map_err(CommandError::Start)?;
        let said = String::from_utf8_lossy(&streams.said).into_owned();
        let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
        let said = last.map_or_else(String::new, |last| format!(": {last}"));
        return Err(CommandError::Failed { status, said });
    }
    String::from_utf8(streams.printed).map_err(|_| CommandError::NotUtf8)
}

/// The streams of a command, none of which keeps the others waiting.
#[cfg(unix)]
struct Streams {
    /// The rest of its input; it may not want to read all, or anything.
    input: Option<ChildStdin>,
    to_write: Vec<u8>,
    written: usize,
    output: Option<ChildStdout>,
    printed: Vec<u8>,
    errors: Option<ChildStderr>,
    /// The beginning of its errors.
    said: Vec<u8>,
    /// A descriptor that can be read once the process has ended; None where there are none.
    process: Option<OwnedFd>,
}

#[cfg(unix)]
impl Streams {
    fn of(child: &mut Child, input: Vec<u8>) -> io::Result<Self> {
        let streams = Self {
            process: descriptor(child),
            input: child.stdin.take(),
            to_write: input,
            written: 0,
            output: child.stdout.take(),
            printed: Vec::new(),
            errors: child.stderr.take(),
            said: Vec::new(),
        };
        never_wait(streams.input.as_ref())?;
        never_wait(streams.output.as_ref())?;
        never_wait(streams.errors.as_ref())?;
        Ok(streams)
    }

    /// Waits until there is something to write or to read, or the process has ended, but not longer than `wait`; then
    /// writes and reads what it can without waiting.
    fn exchange(&mut self, wait: Duration) -> io::Result<()> {
        let mut wanted = Vec::with_capacity(4);
        wanted.extend(self.input.as_ref().map(|fd| PollFd::new(fd, PollFlags::OUT)));
        wanted.extend(self.output.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)));
        wanted.extend(self.errors.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)));
        // As long as it prints, its output tells more.
        let process = self.process.as_ref().filter(|_| self.output.is_none());
        wanted.extend(process.map(|fd| PollFd::new(fd, PollFlags::IN)));
        let wait = Timespec::try_from(wait).map_err(io::Error::other)?;
        match poll(&mut wanted, Some(&wait)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        self.write();
        read_on(&mut self.output, &mut self.printed, MOST);
        read_on(&mut self.errors, &mut self.said, ERRORS);
        Ok(())
    }

    /// Writes as much of the input as the command takes now; closes it after its end.
    fn write(&mut self) {
        let Some(input) = &mut self.input else {
            return;
        };
        loop {
            match input.write(&self.to_write[self.written..]) {
                Ok(0) => break,
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // It has closed it.
                Err(_) => break,
            }
        }
        self.input = None;
    }
}

/// Reads as much of a stream as there is now, at most one byte more than `most` in all; the rest of errors is dropped,
/// because what nobody reads must not stop the command. Forgets a stream that has ended.
#[cfg(unix)]
fn read_on(from: &mut Option<impl Read>, bytes: &mut Vec<u8>, most: u64) {
    let Some(stream) = from else {
        return;
    };
    let mut part = [0; 1 << 14];
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(count) => {
                let room = (most as usize + 1).saturating_sub(bytes.len());
                bytes.extend_from_slice(&part[..count.min(room)]);
                // A flood has no end that could be waited for.
                if room <= count {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    *from = None;
}

/// Lets writing to a pipe, or reading from it, never wait.
#[cfg(unix)]
fn never_wait(pipe: Option<&impl AsFd>) -> io::Result<()> {
    let Some(pipe) = pipe else {
        return Ok(());
    };
    let flags = fcntl_getfl(pipe)?;
    Ok(fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?)
}

#[cfg(target_os = "linux")]
fn descriptor(child: &Child) -> Option<OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    let process = Pid::from_raw(child.id().cast_signed())?;
    pidfd_open(process, PidfdFlags::empty()).ok()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn descriptor(_: &Child) -> Option<OwnedFd> {
    None
}
