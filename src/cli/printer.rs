//! Standard output and standard error, with styles for the program's own text only; data passes
//! unchanged.
//!
//! If styles are off, they are never written, rather than removed from the output: data may contain text
//! that looks like a style.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use anstyle::Style;

use crate::text::visible;

/// A stream that a command prints to.
pub struct Printer {
    out: Goal,
    styled: bool,
    on_terminal: bool,
}

/// The goal of printed output.
enum Goal {
    Stream(Box<dyn Write + Send>),
    Memory(Vec<u8>),
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
            styled,
            on_terminal,
        }
    }

    /// Returns the text that `print` prints, with styles if `styled`.
    ///
    /// # Errors
    /// If `print` fails.
    pub fn printed(
        styled: bool,
        print: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        let mut memory = Self {
            out: Goal::Memory(Vec::new()),
            styled,
            // The text is printed to some stream later.
            on_terminal: false,
        };
        print(&mut memory)?;
        Ok(match memory.out {
            Goal::Memory(text) => text,
            Goal::Stream(_) => Vec::new(),
        })
    }

    /// Returns `style` if styles are on, and no style otherwise.
    pub fn style(&self, style: Style) -> Style {
        if self.styled { style } else { Style::new() }
    }

    /// Returns true if styles are off.
    pub fn is_plain(&self) -> bool {
        !self.styled
    }

    /// Returns the program's own text, with or without its styles. It must not contain data.
    pub fn of_ours(&self, text: &str) -> String {
        if self.styled {
            text.to_owned()
        } else {
            anstream::adapter::strip_str(text).to_string()
        }
    }

    /// Returns data of a format without escapes: unchanged for programs, with control characters made
    /// visible on a terminal.
    pub fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.on_terminal {
            visible(text)
        } else {
            Cow::Borrowed(text)
        }
    }

    /// Returns [`Printer::shown`] of bytes that need not be UTF-8.
    pub fn shown_bytes<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        if self.on_terminal {
            let text = String::from_utf8_lossy(bytes);
            Cow::Owned(visible(&text).into_owned().into_bytes())
        } else {
            Cow::Borrowed(bytes)
        }
    }
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Goal::Stream(stream) => stream.write(bytes),
            Goal::Memory(text) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Goal::Stream(stream) => stream.flush(),
            Goal::Memory(_) => Ok(()),
        }
    }
}
