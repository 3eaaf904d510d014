//! Standard output and standard error: styles are ours alone, and data passes as it is.
//!
//! Styles are left out where they are not wanted, instead of being taken out of what was printed: what
//! looks like a style may be data.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use anstyle::Style;

use crate::text::visible;

/// Where a command prints.
pub struct Printer {
    out: Box<dyn Write>,
    styled: bool,
    on_terminal: bool,
}

impl Printer {
    /// Standard output. It is not locked: a thread that panics while the screen is up gives the
    /// terminal back, and must not wait for this one.
    pub fn stdout() -> Self {
        Self::new(io::stdout())
    }

    pub fn stderr() -> Self {
        Self::new(io::stderr())
    }

    fn new<S: RawStream + AsLockedWrite + 'static>(stream: S) -> Self {
        let on_terminal = stream.is_terminal();
        let choice = AutoStream::choice(&stream);
        let styled = choice != ColorChoice::Never;
        let out: Box<dyn Write> = if styled {
            // Passes everything on, and makes old consoles of Windows understand it.
            Box::new(BufWriter::new(AutoStream::new(stream, choice)))
        } else {
            Box::new(BufWriter::new(stream))
        };
        Self {
            out,
            styled,
            on_terminal,
        }
    }

    /// `style` if styles are wanted here, and none otherwise.
    pub fn style(&self, style: Style) -> Style {
        if self.styled { style } else { Style::new() }
    }

    /// True if no styles are wanted here.
    pub fn is_plain(&self) -> bool {
        !self.styled
    }

    /// A text without any data, with its styles or without, as they are wanted here.
    pub fn of_ours(&self, text: &str) -> String {
        if self.styled {
            text.to_owned()
        } else {
            anstream::adapter::strip_str(text).to_string()
        }
    }

    /// Data of a format that has no escapes: as it is for programs, and with marks for what a terminal
    /// would obey on one.
    pub fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.on_terminal {
            visible(text)
        } else {
            Cow::Borrowed(text)
        }
    }

    /// As [`Printer::shown`], of bytes that need not be UTF-8.
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
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
