//! What the system tells a program in a terminal: that it is to stop or to end, and that nobody is there
//! any more. Knows nothing of what the program is.

use std::io;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use super::browse::RuntimeEvent;
use super::journal::Journals;
use super::screen::Screen;
use crate::app::Msg;

/// How long the main loop has to end by itself, and then the journals to be written: together less than
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
    /// `to` asks the main loop; `journals` are what must not be lost.
    pub fn new(to: Sender<RuntimeEvent>, journals: Journals) -> Self {
        Self { to, journals }
    }

    /// Asks the main loop to end. If it does not, as it is in the middle of something long, the process
    /// ends here.
    fn end(&self) -> ! {
        let _ = self.to.send(RuntimeEvent::End);
        thread::sleep(GRACE);
        self.journals.flush(FLUSH);
        if !is_hung_up() {
            Screen::restore();
        }
        std::process::exit(0);
    }
}

/// Stops the program until it is brought back.
#[cfg(unix)]
pub fn stop() {
    use rustix::process::{Signal, getpgrp, getpid, kill_current_process_group, kill_process};
    // A job that others lead, scripts for one, stops as a whole, for which its shell waits; where there is
    // no such shell, the system discards this signal, and the program goes on. One that leads its group,
    // which the system would not stop by it without a shell either, is stopped all the same.
    let _ = if getpgrp() == getpid() {
        kill_process(getpid(), Signal::STOP)
    } else {
        kill_current_process_group(Signal::TSTP)
    };
}

#[cfg(not(unix))]
pub fn stop() {}

/// Ends the program when the system asks for it, says when the terminal has another size, and takes it
/// again after others may have used it.
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

/// Lets writing more than a file may hold be an error like any other, which is told, and not the end of
/// the program in the middle of it.
#[cfg(unix)]
pub fn outlive_file_limits() {
    let nobody_asks = std::sync::Arc::default();
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, nobody_asks);
}

#[cfg(not(unix))]
pub fn outlive_file_limits() {}

/// True if the terminal was closed.
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

/// Ends the program when the terminal is closed: neither reading nor a signal tells it for sure.
#[cfg(unix)]
pub fn end_on_hang_up(ending: Shutdown) {
    use rustix::event::{PollFd, PollFlags, poll};
    thread::spawn(move || {
        let terminal = io::stdout();
        // A hang-up is told even to those who ask for nothing else.
        let mut wanted = [PollFd::new(&terminal, PollFlags::empty())];
        while poll(&mut wanted, None).is_err() || wanted[0].revents().is_empty() {}
        ending.end();
    });
}

#[cfg(not(unix))]
pub fn end_on_hang_up(_: Shutdown) {}
