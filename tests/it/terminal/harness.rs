//! A pseudo-terminal with the program in it, and a screen that shows what it writes.
//!
//! Nothing here waits for a time: a test waits until the screen shows what it should, and fails with
//! the screen if it never does.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::pipe::pipe;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// Long enough for the slowest machine; no test gets there unless it fails.
const DEADLINE: Duration = Duration::from_mins(1);

/// What the program has written so far.
struct Written {
    screen: vt100::Parser,
    bytes: Vec<u8>,
    closed: bool,
}

struct Shared {
    written: Mutex<Written>,
    more: Condvar,
}

impl Shared {
    /// What is written so far, even if a test has failed while it looked at it.
    fn lock(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the terminal and the environment are.
pub struct Setup<'s> {
    pub columns: u16,
    pub rows: u16,
    /// The terminal answers what it is asked.
    pub answers: bool,
    pub environment: &'s [(&'s str, &'s str)],
}

impl Default for Setup<'_> {
    fn default() -> Self {
        Self {
            columns: 120,
            rows: 40,
            answers: true,
            environment: &[],
        }
    }
}

/// The program in its terminal.
pub struct Terminal {
    master: Option<Arc<File>>,
    /// Kept open, so that the state it is left in can be seen.
    slave: File,
    child: Child,
    shared: Arc<Shared>,
    reader: Option<(JoinHandle<()>, File)>,
}

impl Terminal {
    /// Starts `turnwise` with `arguments`; what it keeps for its user goes to `home`.
    pub fn start(home: &Path, arguments: &[&str], setup: &Setup<'_>) -> Self {
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let slave = OpenOptions::new()
            .read(true)
            .write(true)
            .open(name)
            .unwrap();
        let master = Arc::new(File::from(master));
        resize(&master, setup.columns, setup.rows);
        let stdio = || Stdio::from(slave.try_clone().unwrap());
        // A session of its own, of which this is the terminal.
        let mut command = Command::new("setsid");
        command
            .arg("--ctty")
            .arg(env!("CARGO_BIN_EXE_turnwise"))
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_STATE_HOME", home.join("state"))
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8")
            .envs(setup.environment.iter().copied())
            .current_dir(home)
            .stdin(stdio())
            .stdout(stdio())
            .stderr(stdio());
        let child = command.spawn().expect("setsid, of util-linux");
        let shared = Arc::new(Shared {
            written: Mutex::new(Written {
                screen: parser(setup.columns, setup.rows),
                bytes: Vec::new(),
                closed: false,
            }),
            more: Condvar::new(),
        });
        let reader = Some(read(&master, &shared, setup.answers));
        Self {
            master: Some(master),
            slave,
            child,
            shared,
            reader,
        }
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.shared.lock()
    }

    /// Waits until what is written is as wanted.
    fn wait(&self, what: &str, is: impl Fn(&Written) -> bool) {
        let end = Instant::now() + DEADLINE;
        let mut written = self.written();
        while !is(&written) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero() && !written.closed,
                "waited for {what}; the screen is\n{}",
                written.screen.screen().contents()
            );
            written = self.shared.more.wait_timeout(written, left).unwrap().0;
        }
    }

    /// Waits until the screen shows `text`.
    pub fn shows(&self, text: &str) -> &Self {
        self.wait(text, |w| w.screen.screen().contents().contains(text));
        self
    }

    /// Waits until the screen does not show `text` any more.
    pub fn shows_no(&self, text: &str) -> &Self {
        self.wait(&format!("no {text}"), |w| {
            !w.screen.screen().contents().contains(text)
        });
        self
    }

    /// Waits until `bytes` were written.
    pub fn wrote(&self, bytes: &str) -> &Self {
        let find = |w: &Written| memchr::memmem::find(&w.bytes, bytes.as_bytes()).is_some();
        self.wait(bytes, find);
        self
    }

    pub fn screen(&self) -> String {
        self.written().screen.screen().contents()
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.written().bytes.clone()
    }

    /// Types; what `\x1b` begins is what keys send.
    pub fn keys(&self, keys: &str) -> &Self {
        let mut master: &File = self.master.as_ref().unwrap();
        master.write_all(keys.as_bytes()).unwrap();
        self
    }

    pub fn resize(&self, columns: u16, rows: u16) {
        // The screen first: what is written from now on may be for the new size.
        self.written()
            .screen
            .screen_mut()
            .set_size(cells(rows), cells(columns));
        resize(self.master.as_ref().unwrap(), columns, rows);
    }

    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Closes the terminal, as a lost connection does.
    pub fn hang_up(&mut self) {
        self.stop_reading();
        self.master = None;
    }

    /// Waits until the program has ended.
    pub fn end(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// True if what is typed is shown again, and lines are waited for: as a shell wants it.
    pub fn is_cooked(&self) -> bool {
        let modes = tcgetattr(&self.slave).unwrap().local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }

    /// Waits until the screen of the program is away, and the one before is back.
    pub fn gives_back(&self) -> &Self {
        self.wait("the screen before", |written| {
            let screen = written.screen.screen();
            !screen.alternate_screen() && !screen.hide_cursor()
        });
        self
    }

    fn stop_reading(&mut self) {
        if let Some((reader, mut stop)) = self.reader.take() {
            let _ = stop.write_all(b"x");
            let _ = reader.join();
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.stop_reading();
    }
}

fn cells(number: u16) -> std::num::NonZero<u16> {
    number.try_into().expect("a terminal has cells")
}

fn parser(columns: u16, rows: u16) -> vt100::Parser {
    vt100::Parser::new(cells(rows), cells(columns), 0)
}

fn resize(master: &File, columns: u16, rows: u16) {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(master, size).unwrap();
}

/// Reads what the program writes, until the other end of the pipe is written to.
fn read(master: &Arc<File>, shared: &Arc<Shared>, answers: bool) -> (JoinHandle<()>, File) {
    let (master, shared) = (Arc::clone(master), Arc::clone(shared));
    let (stopped, stop) = pipe().unwrap();
    let reader = std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let mut wanted = [
                PollFd::new(&*master, PollFlags::IN),
                PollFd::new(&stopped, PollFlags::IN),
            ];
            if poll(&mut wanted, None).is_err() || !wanted[1].revents().is_empty() {
                break;
            }
            let Ok(len @ 1..) = (&*master).read(&mut buffer) else {
                break;
            };
            let bytes = &buffer[..len];
            let mut written = shared.lock();
            written.screen.process(bytes);
            written.bytes.extend(bytes);
            if answers {
                answer(&master, bytes);
            }
            drop(written);
            shared.more.notify_all();
        }
        shared.lock().closed = true;
        shared.more.notify_all();
    });
    (reader, File::from(stop))
}

/// Answers questions as a terminal with a dark background does.
fn answer(master: &File, asked: &[u8]) {
    let mut master = master;
    let asks = |question: &[u8]| memchr::memmem::find(asked, question).is_some();
    if asks(b"\x1b]11;?") {
        master.write_all(b"\x1b]11;rgb:1010/1010/1010\x07").unwrap();
    }
    if asks(b"\x1b]10;?") {
        master.write_all(b"\x1b]10;rgb:d0d0/d0d0/d0d0\x07").unwrap();
    }
    if asks(b"\x1b[c") {
        master.write_all(b"\x1b[?62;22c").unwrap();
    }
}
