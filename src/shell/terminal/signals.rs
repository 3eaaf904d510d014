//! Handles the signals by which the system suspends or ends the program or reports a closed terminal.

use std::sync::mpsc::Sender;
use std::time::Duration;
use std::{io, thread};

use super::event::RuntimeEvent;
use super::screen::Screen;
use crate::app::Msg;
use crate::shell::storage::journal::Journals;

/// Time for the main loop to end by itself, and then for the journals to be written: together less than
/// a second.
const GRACE: Duration = Duration::from_millis(600);
const FLUSH: Duration = Duration::from_millis(300);

/// Ends the program, whatever it is doing.
#[derive(Clone)]
pub struct Shutdown {
    to: Sender<RuntimeEvent>,
    journals: Journals,
}

impl Shutdown {
    /// `to` reaches the main loop; `journals` are flushed before the process ends.
    pub fn new(to: Sender<RuntimeEvent>, journals: Journals) -> Self {
        Self { to, journals }
    }

    /// Asks the main loop to end. If it is busy for too long, ends the process here.
    fn end(&self) -> ! {
        let _ = self.to.send(RuntimeEvent::End);
        // The main loop ends the process meanwhile, unless it is stuck.
        thread::sleep(GRACE);
        self.journals.flush(FLUSH);
        if !is_hung_up() {
            Screen::restore();
        }
        std::process::exit(0);
    }
}

/// Suspends the program until it is resumed.
#[cfg(unix)]
pub fn stop() {
    use rustix::process::{Signal, getpgrp, getpid, kill_current_process_group, kill_process};
    // A job led by another process, such as a script, is suspended as a whole, and its shell waits for
    // that; without such a shell the system ignores the signal and the program goes on. A group leader
    // without a shell, which the system would not suspend by this signal either, is suspended all the
    // same.
    let _ = if getpgrp() == getpid() {
        kill_process(getpid(), Signal::STOP)
    } else {
        kill_current_process_group(Signal::TSTP)
    };
}

#[cfg(not(unix))]
pub fn stop() {}

/// Ends the program on request of the system, reports a new terminal size, and takes over the terminal
/// after the program was suspended.
#[cfg(unix)]
pub fn listen_to_signals(ending: Shutdown) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH};
    let all = [SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH];
    let mut signals = signal_hook::iterator::Signals::new(all)?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let incoming = match signal {
                SIGCONT => RuntimeEvent::Resumed,
                SIGWINCH => match Screen::size() {
                    Ok(size) => RuntimeEvent::Msg(Msg::Resize(size)),
                    Err(_) => continue,
                },
                _ => ending.end(),
            };
            let _ = ending.to.send(incoming);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
pub fn listen_to_signals(_: Shutdown) -> io::Result<()> {
    Ok(())
}

/// Turns exceeding the file size limit into an ordinary error that is reported, instead of a signal that
/// ends the program during a write.
#[cfg(unix)]
pub fn outlive_file_limits() {
    let nobody_asks = std::sync::Arc::default();
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, nobody_asks);
}

#[cfg(not(unix))]
pub fn outlive_file_limits() {}

/// Returns true if the terminal was closed.
#[cfg(unix)]
pub fn is_hung_up() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let terminal = io::stdout();
    let mut wanted = [PollFd::new(&terminal, PollFlags::empty())];
    poll(&mut wanted, Some(&Timespec::default())).is_ok() && !wanted[0].revents().is_empty()
}

#[cfg(not(unix))]
pub fn is_hung_up() -> bool {
    false
}

/// Ends the program when the terminal is closed; neither reading nor a signal reports that reliably.
#[cfg(unix)]
pub fn end_on_hang_up(ending: Shutdown) {
    use rustix::event::{PollFd, PollFlags, poll};
    thread::spawn(move || {
        let terminal = io::stdout();
        // Polling reports a hang-up even if no events are requested.
        let mut wanted = [PollFd::new(&terminal, PollFlags::empty())];
        while poll(&mut wanted, None).is_err() || wanted[0].revents().is_empty() {}
        ending.end();
    });
}

#[cfg(not(unix))]
pub fn end_on_hang_up(_: Shutdown) {}
