//! Output of the program: read as it comes, turned into a picture, and answered where it asks.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::num::NonZeroU16;
use std::sync::{Condvar, Mutex, MutexGuard};

use rustix::event::{PollFd, PollFlags, poll};
use vt100::{Parser, Screen};

/// The output so far, and the screen that it makes.
pub struct Seen {
    pub parser: Parser,
    pub bytes: Vec<u8>,
    /// The end of the part of `bytes` that was searched for questions.
    asked: usize,
    /// Nobody can write to the terminal any longer.
    pub closed: bool,
}

pub struct Shared {
    seen: Mutex<Seen>,
    pub changed: Condvar,
}

impl Shared {
    /// The empty screen of a terminal of `columns` and `rows`.
    pub fn new(columns: NonZeroU16, rows: NonZeroU16) -> Self {
        Self {
            seen: Mutex::new(Seen {
                parser: Parser::new(rows, columns, 0),
                bytes: Vec::new(),
                asked: 0,
                closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Reads the program's output until nobody wants it, or nobody can write any longer.
pub fn read(master: &File, until: &io::PipeReader, shared: &Shared, colours: Option<[&str; 2]>) {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let mut wanted = [PollFd::new(master, PollFlags::IN), PollFd::new(until, PollFlags::IN)];
        if poll(&mut wanted, None).is_err() {
            continue;
        }
        if !wanted[1].revents().is_empty() {
            return;
        }
        let mut file = master;
        match file.read(&mut buffer) {
            Ok(count) if count > 0 => {
                let mut seen = shared.lock();
                seen.parser.process(&buffer[..count]);
                seen.bytes.extend_from_slice(&buffer[..count]);
                if let Some(colours) = colours {
                    for answer in answers(&mut seen, colours) {
                        // The few bytes of an answer fit.
                        let _ = file.write_all(answer.as_bytes());
                    }
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
            // The other side is closed, which Linux says by an error.
            _ => shared.lock().closed = true,
        }
        shared.changed.notify_all();
        if shared.lock().closed {
            return;
        }
    }
}

/// Answers to the questions that came since the last time.
fn answers(seen: &mut Seen, [foreground, background]: [&str; 2]) -> Vec<String> {
    let questions = [
        ("\x1b]10;?", format!("\x1b]10;rgb:{foreground}\x1b\\")),
        ("\x1b]11;?", format!("\x1b]11;rgb:{background}\x1b\\")),
        ("\x1b[c", "\x1b[?62;22c".to_owned()),
    ];
    let mut found = Vec::new();
    let new = &seen.bytes[seen.asked..];
    for (question, answer) in questions {
        let places = new.windows(question.len()).enumerate();
        let places = places.filter(|(_, bytes)| *bytes == question.as_bytes());
        found.extend(places.map(|(at, _)| (at + question.len(), answer.clone())));
    }
    found.sort();
    seen.asked += found.last().map_or(0, |(end, _)| *end);
    found.into_iter().map(|(_, answer)| answer).collect()
}

/// The rows of a screen, without the spaces at their ends: nobody can see whether those were ever
/// painted.
pub fn picture(screen: &Screen) -> String {
    let (_, columns) = screen.size();
    let rows = screen.rows(0, columns.get());
    rows.fold(String::new(), |all, row| all + row.trim_end() + "\n")
}
