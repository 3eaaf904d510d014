//! Standard output and standard error, with styles for the program's own text only.
//!
//! Data passes unchanged to files and other programs. On a terminal, all control and invisible characters other
//! than the program's own styles are made visible here: in JSON as escapes, elsewhere as marks.
//!
//! If styles are off, they are never written, rather than removed from the output: data may contain text
//! that looks like a style.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufWriter, Write};

use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use serde::Serialize;

use crate::json::output;
use crate::text::{visible_json, visible_lines};

thread_local! {
    /// True while the program's own styles are written.
    static OWN: Cell<bool> = const { Cell::new(false) };
}

/// Runs `write`, whose output the printer of this thread does not change.
fn as_own<T>(write: impl FnOnce() -> T) -> T {
    OWN.set(true);
    let written = write();
    OWN.set(false);
    written
}

/// A style for one printer: `{style}` begins it, `{style:#}` ends it. It has to be written to the printer itself; in
/// a text that is formatted before, it counts as data.
#[derive(Clone, Copy)]
pub struct OwnStyle(Style);

impl fmt::Display for OwnStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        as_own(|| self.0.fmt(f))
    }
}

/// A stream that a command prints to.
pub struct Printer {
    out: Goal,
    manner: Manner,
    /// The beginning of a character whose other bytes are not written yet.
    partial: Vec<u8>,
}

/// How a printer writes.
#[derive(Clone, Copy)]
pub struct Manner {
    styled: bool,
    on_terminal: bool,
    is_json: bool,
}

/// The goal of printed output.
enum Goal {
    Stream(Box<dyn Write + Send>),
    Memory(Vec<u8>),
}

/// Output in memory, as [`Printer::print`] writes it to the printer that it was made for.
#[derive(Default)]
pub struct Printed(Vec<u8>);

impl Printed {
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Printer {
    /// Standard output. It is not locked, because a thread that panics while the screen is active
    /// restores the terminal and must not wait for this one.
    pub fn stdout() -> Self {
        Self::new(io::stdout())
    }

    pub fn stderr() -> Self {
        Self::new(io::stderr())
    }

    fn new<S: RawStream + AsLockedWrite + Send + 'static>(stream: S) -> Self {
        let on_terminal = stream.is_terminal();
        let choice = AutoStream::choice(&stream);
        let styled = choice != ColorChoice::Never;
        let out: Box<dyn Write + Send> = if styled {
            // Passes everything through, and translates for old Windows consoles.
            Box::new(BufWriter::new(AutoStream::new(stream, choice)))
        } else {
            Box::new(BufWriter::new(stream))
        };
        Self {
            out: Goal::Stream(out),
            manner: Manner { styled, on_terminal, is_json: false },
            partial: Vec::new(),
        }
    }

    /// Returns the way in which it writes, for [`Printer::printed`].
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// Returns the output of `print`, for a printer that writes in the same manner.
    ///
    /// # Errors
    /// If `print` fails.
    pub fn printed(
        manner: Manner,
        print: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<Printed> {
        let mut memory = Self { out: Goal::Memory(Vec::new()), manner, partial: Vec::new() };
        print(&mut memory)?;
        memory.flush()?;
        Ok(match memory.out {
            Goal::Memory(text) => Printed(text),
            Goal::Stream(_) => Printed::default(),
        })
    }

    /// Writes output that was printed in memory.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn print(&mut self, printed: &Printed) -> io::Result<()> {
        as_own(|| self.write_all(&printed.0))
    }

    /// Returns `style` if styles are on, and no style otherwise.
    pub fn style(&self, style: Style) -> OwnStyle {
        OwnStyle(if self.manner.styled { style } else { Style::new() })
    }

    /// Returns true if styles are off.
    pub fn is_plain(&self) -> bool {
        !self.manner.styled
    }

    /// Writes the program's own text, with or without its styles. It must not contain data.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn print_own(&mut self, text: &str) -> io::Result<()> {
        as_own(|| {
            if self.manner.styled {
                self.write_all(text.as_bytes())
            } else {
                write!(self, "{}", anstream::adapter::strip_str(text))
            }
        })
    }

    /// Writes `value` as JSON on one line, without a line end.
    ///
    /// # Errors
    /// If the value cannot be serialized or written.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.as_json(|out| output::to_writer(out, value))
    }

    /// Writes `value` as JSON on several lines, without a line end after the last.
    ///
    /// # Errors
    /// If the value cannot be serialized or written.
    pub fn json_pretty(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.as_json(|out| output::to_writer_pretty(out, value))
    }

    /// Calls `print`, whose output is JSON and stays JSON on a terminal.
    ///
    /// # Errors
    /// Those of `print`.
    pub fn as_json(&mut self, print: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        let before = self.manner.is_json;
        self.set_json(true);
        let printed = print(self);
        self.set_json(before);
        printed
    }

    /// From now on, the output is JSON, or is not.
    pub fn set_json(&mut self, is_json: bool) {
        self.manner.is_json = is_json;
    }

    /// Returns what is shown of `bytes` on a terminal, together with the partial character before; keeps a partial
    /// character at the end.
    fn shown(&mut self, bytes: &[u8]) -> String {
        let mut all = std::mem::take(&mut self.partial);
        all.extend_from_slice(bytes);
        let tail = all.utf8_chunks().last().map_or(&[][..], |c| c.invalid());
        let is_partial = std::str::from_utf8(tail).is_err_and(|error| error.error_len().is_none());
        if is_partial {
            self.partial = all.split_off(all.len() - tail.len());
        }
        let text = String::from_utf8_lossy(&all);
        let shown = if self.manner.is_json { visible_json(&text) } else { visible_lines(&text) };
        shown.into_owned()
    }

    fn goal(&mut self) -> &mut dyn Write {
        match &mut self.out {
            Goal::Stream(stream) => stream,
            Goal::Memory(text) => text,
        }
    }

    /// Writes a partial character whose rest does not come.
    fn end_partial(&mut self) -> io::Result<()> {
        if self.partial.is_empty() {
            return Ok(());
        }
        self.partial.clear();
        let mark = char::REPLACEMENT_CHARACTER;
        write!(self.goal(), "{mark}")
    }
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.manner.on_terminal && !OWN.get() {
            let shown = self.shown(bytes);
            self.goal().write_all(shown.as_bytes())?;
            return Ok(bytes.len());
        }
        self.end_partial()?;
        match &mut self.out {
            Goal::Stream(stream) => stream.write(bytes),
            Goal::Memory(text) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end_partial()?;
        self.goal().flush()
    }
}
