//! What the system tells a program in a terminal: that it is to stop or to end, and that nobody is there
//! any more. Knows nothing of what the program is.

use std::io;
use std::sync::mpsc::Sender;
use std::thread;

use super::browse::Incoming;
use super::screen::Screen;
use crate::app::Msg;

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
pub fn listen_to_signals(to: &Sender<Incoming>) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH};
    let all = [SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH];
    let mut signals = signal_hook::iterator::Signals::new(all)?;
    let to = to.clone();
    thread::spawn(move || {
        for signal in signals.forever() {
            let _ = to.send(match signal {
                SIGCONT => Incoming::Resumed,
                SIGWINCH => match Screen::size() {
                    Ok(size) => Incoming::Msg(Msg::Resize(size)),
                    Err(_) => continue,
                },
                _ => Incoming::End,
            });
        }
    });
    Ok(())
}

#[cfg(not(unix))]
pub fn listen_to_signals(_: &Sender<Incoming>) -> io::Result<()> {
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
pub fn end_on_hang_up(to: &Sender<Incoming>) {
    use rustix::event::{PollFd, PollFlags, poll};
    let to = to.clone();
    thread::spawn(move || {
        let terminal = io::stdout();
        // A hang-up is told even to those who ask for nothing else.
        let mut wanted = [PollFd::new(&terminal, PollFlags::empty())];
        while poll(&mut wanted, None).is_err() || wanted[0].revents().is_empty() {}
        let _ = to.send(Incoming::End);
    });
}

#[cfg(not(unix))]
pub fn end_on_hang_up(_: &Sender<Incoming>) {}
