//! A terminal for tests: a pseudo-terminal, the program in it, and the picture that it paints.
//!
//! Nothing here sleeps for luck. Each wait names its condition; each byte of output is checked when
//! it comes, and a wait that fails ends in a panic that shows the screen.
//!
//! The program is started by `setsid --ctty`, which makes the pseudo-terminal its controlling
//! terminal and becomes the program: what a shell does, without unsafe code here.

use std::fs::File;
use std::io::{self, Write as _};
use std::num::NonZeroU16;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use vt100::Screen;

use super::output::{Seen, Shared, picture, read};
use super::repair::wait_for_lines;
use super::setup::Setup;
use crate::support::{DEADLINE, scratch};

/// A terminal with the program in it.
pub struct Terminal {
    setup: Setup,
    /// The terminal's side. None once it was hung up.
    master: Option<File>,
    /// The reading thread lives as long as the other end of this is there.
    alive: Option<io::PipeWriter>,
    reader: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
    child: Child,
    ended: Option<ExitStatus>,
}

impl Terminal {
    /// Starts the program.
    pub fn start(setup: Setup) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        ioctl_fionbio(&master, true).unwrap();
        tcsetwinsize(&master, window(setup.columns, setup.rows)).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = rustix::fs::open(
            &*name,
            rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::CLOEXEC,
            rustix::fs::Mode::empty(),
        )
        .unwrap();
        let slave = File::from(slave);
        // Tests of what is not saved yet take as long as they take.
        let settings = setup.path(".config/turnwise/settings.toml");
        let setup = if settings.exists() {
            setup
        } else {
            setup.configured("settings.toml", "autosave = \"off\"\n")
        };
        let mut command = Command::new("setsid");
        if setup.controlling {
            command.arg("--ctty");
        }
        if let Some(script) = &setup.script {
            command.args(["sh", "-c", script]);
        }
        let child = command
            .arg(env!("CARGO_BIN_EXE_turnwise"))
            .args(&setup.arguments)
            .current_dir(setup.folder.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", setup.folder.path())
            .env("XDG_CONFIG_HOME", setup.path(".config"))
            .env("XDG_STATE_HOME", setup.path(".state"))
            .envs(setup.variables.iter().copied())
            .stdin(slave.try_clone().unwrap())
            .stdout(slave.try_clone().unwrap())
            .stderr(slave)
            .spawn()
            .unwrap();
        // The command holds the other side open until it is dropped, which it is here.
        drop(command);
        let shared = Arc::new(Shared::new(cells(setup.columns), cells(setup.rows)));
        let master = File::from(master);
        let (until, alive) = io::pipe().unwrap();
        let reader = {
            let (shared, master) = (Arc::clone(&shared), master.try_clone().unwrap());
            let colours = setup.colours;
            thread::spawn(move || read(&master, &until, &shared, colours))
        };
        Self {
            setup,
            master: Some(master),
            alive: Some(alive),
            reader: Some(reader),
            shared,
            child,
            ended: None,
        }
    }

    /// The folder the program was started in.
    pub fn folder(&self) -> &Path {
        self.setup.folder.path()
    }

    /// Ends this session and starts another in the same folder, with the same arguments.
    pub fn again(mut self) -> Self {
        if self.ended.is_none() {
            self.keys("q").ends();
        }
        let folder = std::mem::replace(&mut self.setup.folder, scratch());
        let setup = Setup {
            folder,
            arguments: self.setup.arguments.clone(),
            variables: self.setup.variables.clone(),
            script: self.setup.script.clone(),
            ..self.setup
        };
        setup.start()
    }

    /// The same once the journals have `lines` lines and it was killed.
    pub fn killed_after(mut self, lines: usize) -> Self {
        wait_for_lines(&self, lines);
        self.signal(Signal::KILL).ends();
        self
    }

    /// Runs a command in the folder, with the state that the program keeps; its code and its errors.
    pub fn ran(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(arguments)
            .current_dir(self.folder())
            .env("XDG_STATE_HOME", self.setup.path(".state"))
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    /// Sends bytes as a keyboard would.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        let master = self.master.as_mut().expect("a terminal that is there");
        let mut left = keys.as_bytes();
        while !left.is_empty() {
            match master.write(left) {
                Ok(written) => left = &left[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let mut wanted = [PollFd::new(&*master, PollFlags::OUT)];
                    let limit = Timespec::try_from(DEADLINE).unwrap();
                    let ready = poll(&mut wanted, Some(&limit)).unwrap();
                    assert!(ready > 0, "nobody reads the keys");
                }
                Err(error) => panic!("keys cannot be sent: {error}"),
            }
        }
        self
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    pub fn wait_for(&mut self, wanted: impl Fn(&Screen) -> bool) -> &mut Self {
        self.wait("the screen", |seen| wanted(seen.parser.screen()));
        self
    }

    /// Waits until the screen shows a text in one of its rows.
    #[track_caller]
    pub fn shows(&mut self, text: &str) -> &mut Self {
        self.wait(text, |seen| seen.parser.screen().contents().contains(text));
        self
    }

    /// Waits until the screen no longer shows a text.
    #[track_caller]
    pub fn shows_not(&mut self, text: &str) -> &mut Self {
        self.wait(&format!("no {text}"), |seen| !seen.parser.screen().contents().contains(text));
        self
    }

    #[track_caller]
    fn wait(&self, what: &str, wanted: impl Fn(&Seen) -> bool) {
        let start = Instant::now();
        let mut seen = self.shared.lock();
        while !wanted(&seen) {
            let left = DEADLINE.saturating_sub(start.elapsed());
            assert!(
                !left.is_zero() && !seen.closed,
                "{what} was waited for in vain{}; the screen:\n{}",
                if seen.closed { ", the program ended" } else { "" },
                seen.parser.screen().contents()
            );
            (seen, _) = self.shared.changed.wait_timeout(seen, left).unwrap();
        }
    }

    /// The text on the screen.
    pub fn picture(&self) -> String {
        self.look(picture)
    }

    /// Opens the line for a dialog's id; the picture with it.
    ///
    /// Output comes in pieces, and a text is on the screen before the rest of its frame. The cursor
    /// is shown, or hidden, when a frame is complete.
    #[track_caller]
    pub fn asked(&mut self) -> String {
        self.keys("#").shows("go to dialog");
        self.wait_for(|screen| !screen.hide_cursor()).picture()
    }

    /// The picture once all keys before were handled and all of it was painted.
    #[track_caller]
    pub fn settled(&mut self) -> String {
        self.asked();
        self.keys("\x1b").wait_for(Screen::hide_cursor).picture()
    }

    /// Waits until this is the text on the screen.
    #[track_caller]
    pub fn shows_all_of(&mut self, wanted: &str) -> &mut Self {
        let what = format!("all of this:\n{wanted}");
        self.wait(&what, |seen| picture(seen.parser.screen()) == wanted);
        self
    }

    /// Something about the screen as it is now.
    pub fn look<T>(&self, at: impl FnOnce(&Screen) -> T) -> T {
        at(self.shared.lock().parser.screen())
    }

    /// All that was sent to the terminal so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.shared.lock().bytes.clone()
    }

    /// Something else writes to the terminal.
    pub fn scribble(&mut self, text: &str) -> &mut Self {
        self.shared.lock().parser.process(text.as_bytes());
        self
    }

    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        {
            // No output is looked at between the two, as in a terminal.
            let mut seen = self.shared.lock();
            let screen = seen.parser.screen_mut();
            screen.set_size(cells(rows), cells(columns));
            let master = self.master.as_ref().expect("a terminal that is there");
            tcsetwinsize(master, window(columns, rows)).unwrap();
        }
        self
    }

    pub fn signal(&mut self, signal: Signal) -> &mut Self {
        kill_process(self.pid(), signal).unwrap();
        self
    }

    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Closes the terminal under the program.
    pub fn hang_up(&mut self) -> &mut Self {
        self.alive = None;
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        self.master = None;
        self
    }

    /// Waits until the program has ended and all it wrote was seen.
    #[track_caller]
    pub fn ends(&mut self) -> ExitStatus {
        if let Some(status) = self.ended {
            return status;
        }
        if self.master.is_some() {
            let start = Instant::now();
            let mut seen = self.shared.lock();
            while !seen.closed {
                let left = DEADLINE.saturating_sub(start.elapsed());
                let screen = seen.parser.screen().contents();
                assert!(!left.is_zero(), "it does not end; the screen:\n{screen}");
                (seen, _) = self.shared.changed.wait_timeout(seen, left).unwrap();
            }
        }
        let status = self.wait_for_end();
        self.ended = Some(status);
        status
    }

    /// Waits for the process, which is about to end. It polls, because `wait` has no time limit.
    fn wait_for_end(&mut self) -> ExitStatus {
        polled("the process lives on", || self.child.try_wait().unwrap())
    }

    /// Waits until the process is in a state, as `/proc` names them: `T` is stopped. It polls, because the
    /// system sends no event when a state changes.
    #[track_caller]
    pub fn is_in_state(&mut self, wanted: char) -> &mut Self {
        let path = format!("/proc/{}/stat", self.child.id());
        let is_there = || fields(&path).starts_with(wanted).then_some(());
        polled("it is in another state", is_there);
        self
    }

    /// Waits until the main thread has used half a second of processor time more. It polls, because the
    /// system sends no event for that.
    #[track_caller]
    pub fn is_busy(&mut self) -> &mut Self {
        let id = self.child.id();
        let ticks = || {
            let fields = fields(&format!("/proc/{id}/task/{id}/stat"));
            let times = fields.split(' ').skip(11).take(2);
            times.map(|ticks| ticks.parse::<u64>().unwrap()).sum::<u64>()
        };
        let before = ticks();
        polled("it has nothing to do", || (ticks() >= before + 50).then_some(()));
        self
    }

    /// How often threads of the program went to sleep so far, by thread.
    pub fn wake_ups(&self) -> Vec<(PathBuf, String)> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let times = |path: PathBuf| {
            let status = std::fs::read_to_string(path.join("status")).ok()?;
            let line = status.lines().find(|line| line.starts_with("voluntary_ctxt"))?;
            Some((path, line.to_owned()))
        };
        let mut found: Vec<_> = tasks.filter_map(|task| times(task.unwrap().path())).collect();
        found.sort();
        found
    }

    /// True if the terminal edits lines and echoes them, as shells expect it to.
    pub fn is_cooked(&self) -> bool {
        let master = self.master.as_ref().expect("a terminal that is there");
        let modes = tcgetattr(master).unwrap().local_modes;
        let wanted = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        modes.contains(wanted)
    }

    /// Panics unless the terminal is as it was before the program.
    #[track_caller]
    pub fn is_restored(&mut self) -> &mut Self {
        self.look(|screen| {
            assert!(!screen.alternate_screen(), "the alternate screen is left");
            assert!(!screen.hide_cursor(), "the cursor is shown");
            assert!(!screen.bracketed_paste(), "pastes are plain again");
            let mouse = screen.mouse_protocol_mode();
            assert_eq!(mouse, vt100::MouseProtocolMode::None, "the mouse is free");
        });
        assert!(self.is_cooked(), "raw mode is off");
        self
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if self.ended.is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        self.alive = None;
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

/// Asks again and again until there is an answer.
#[track_caller]
fn polled<T>(why: &str, mut asks: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = asks() {
            return answer;
        }
        assert!(start.elapsed() < DEADLINE, "{why}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Returns what the system says of a process from its state on, behind the name of the program in brackets.
fn fields(path: &str) -> String {
    let stat = std::fs::read_to_string(path).unwrap();
    stat.rsplit_once(") ").unwrap().1.to_owned()
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a terminal has cells")
}

fn window(columns: u16, rows: u16) -> Winsize {
    Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 }
}

/// The signal that ended a process, or its exit code.
pub fn outcome(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (_, Some(signal)) => format!("signal {signal}"),
        _ => "unknown".to_owned(),
    }
}
