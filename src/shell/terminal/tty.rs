//! Reads terminal input.

use std::io;
#[cfg(unix)]
use std::time::{Duration, Instant};

use super::decoder::Input;

/// The terminal as an input source.
#[cfg(unix)]
pub struct Tty {
    file: std::fs::File,
    decoder: super::decoder::Decoder,
    buffer: Vec<u8>,
    opened: Instant,
}

#[cfg(unix)]
impl Tty {
    /// Opens standard input, or the controlling terminal if standard input is something else. `is_answer_due`
    /// says whether it was asked something and has not answered yet.
    ///
    /// # Errors
    /// If there is none.
    pub fn open(is_answer_due: bool) -> io::Result<Self> {
        use std::io::IsTerminal as _;
        use std::os::fd::AsFd as _;
        let input = io::stdin();
        let file = if input.is_terminal() {
            input.as_fd().try_clone_to_owned()?.into()
        } else {
            std::fs::File::options().read(true).open("/dev/tty")?
        };
        Ok(Self {
            file,
            decoder: super::decoder::Decoder::new(is_answer_due),
            buffer: vec![0; 1 << 16],
            opened: Instant::now(),
        })
    }

    /// Returns the next input.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn next(&mut self) -> io::Result<Input> {
        use std::io::Read as _;
        loop {
            if let Some(input) = self.decoder.next() {
                return Ok(input);
            }
            if !self.is_ready(self.decoder.patience())? {
                self.decoder.give_up();
                continue;
            }
            match self.file.read(&mut self.buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    let more = self.is_ready(Some(Duration::ZERO))?;
                    let at = self.opened.elapsed();
                    self.decoder.feed(&self.buffer[..count], more, at);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns true as soon as input is available, false if none arrives `within` a time.
    fn is_ready(&self, within: Option<Duration>) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let within = within.map(Timespec::try_from).transpose();
        let within = within.map_err(io::Error::other)?;
        loop {
            let mut wanted = [PollFd::new(&self.file, PollFlags::IN)];
            match poll(&mut wanted, within.as_ref()) {
                Err(rustix::io::Errno::INTR) => {}
                ready => return Ok(ready? > 0),
            }
        }
    }
}

/// The terminal as an input source.
#[cfg(not(unix))]
pub struct Tty;

#[cfg(not(unix))]
impl Tty {
    /// # Errors
    /// Never.
    #[expect(clippy::unnecessary_wraps, reason = "as above")]
    pub fn open(_: bool) -> io::Result<Self> {
        Ok(Self)
    }

    /// Returns the next input.
    ///
    /// # Errors
    /// If the terminal is gone.
    #[expect(clippy::unused_self, reason = "as above")]
    pub fn next(&mut self) -> io::Result<Input> {
        crossterm::event::read().map(Input::Event)
    }
}
