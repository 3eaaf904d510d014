//! The terminal as a screen: taken over, painted on, and given back.

use std::io::{self, Write};

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture,
};
use crossterm::terminal::{
    Clear, ClearType, DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen,
};
use crossterm::{cursor, execute, queue, terminal};
use ratatui::layout::Position;
use ratatui::style::Style;

use super::frame_diff::FrameDiff;
use crate::app::layout::Size;
use crate::view::Canvas;

/// The terminal while the program has it.
///
/// What was painted last is remembered, so that a frame costs the cells that differ. The terminal is
/// never asked anything: another thread reads what it sends.
pub struct Screen {
    terminal: Terminal,
    /// What is to be written.
    out: Vec<u8>,
    shown: Canvas,
    next: Canvas,
    difference: FrameDiff,
    cursor: Option<Position>,
    mouse: bool,
}

impl Screen {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// If there is none, or it cannot be written to.
    pub fn take(mouse: bool) -> io::Result<Self> {
        let mut screen = Self {
            terminal: terminal_itself()?,
            out: Vec::new(),
            shown: Canvas::default(),
            next: Canvas::default(),
            difference: FrameDiff::default(),
            cursor: None,
            mouse,
        };
        screen.enter()?;
        Ok(screen)
    }

    /// Takes the terminal over again after it was given back, or after others have used it.
    ///
    /// # Errors
    /// If it cannot be written to.
    pub fn enter(&mut self) -> io::Result<()> {
        terminal::enable_raw_mode()?;
        // That does nothing where it was done before, whatever others have done to the terminal since.
        make_raw()?;
        queue!(
            self.out,
            EnterAlternateScreen,
            // What a terminal makes wider than it is stays in its row.
            DisableLineWrap,
            EnableBracketedPaste,
            EnableFocusChange,
            cursor::Hide
        )?;
        if self.mouse {
            queue!(self.out, EnableMouseCapture)?;
        }
        self.cursor = None;
        self.forget()
    }

    /// Gives the terminal back as it was, until it is entered again or for good.
    pub fn leave(&mut self) {
        // What is still to be written would otherwise come after this, on somebody else's screen.
        let _ = self.flush();
        Self::restore();
    }

    /// Gives the terminal back from wherever the program is.
    pub fn restore() {
        // Whoever leaves does so whether or not the terminal is still there.
        let _ = execute!(
            io::stdout(),
            DisableMouseCapture,
            DisableBracketedPaste,
            DisableFocusChange,
            EnableLineWrap,
            LeaveAlternateScreen,
            cursor::Show
        );
        let _ = terminal::disable_raw_mode();
    }

    /// The terminal's size.
    ///
    /// # Errors
    /// If it cannot be told.
    pub fn size() -> io::Result<Size> {
        let (columns, rows) = terminal::size()?;
        Ok(Size { columns, rows })
    }

    /// Clears the screen; all of it is painted the next time.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn forget(&mut self) -> io::Result<()> {
        queue!(self.out, Clear(ClearType::All))?;
        self.shown.clear(Style::reset());
        Ok(())
    }

    /// Paints a frame of `size`.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn paint(
        &mut self,
        size: Size,
        draw: impl FnOnce(&mut Canvas) -> Option<Position>,
    ) -> io::Result<()> {
        if self.shown.size() != size {
            self.shown = Canvas::new(size);
            self.next = Canvas::new(size);
            queue!(self.out, Clear(ClearType::All))?;
        }
        // Else what is drawn has numbers of its own, each of which is changed before it is compared.
        self.next.share(&self.shown);
        let cursor = draw(&mut self.next);
        self.difference.find(&self.shown, &mut self.next);
        self.difference.write(&self.next, &mut self.out);
        std::mem::swap(&mut self.shown, &mut self.next);
        match cursor {
            Some(at) => {
                queue!(self.out, cursor::MoveTo(at.x, at.y))?;
                if self.cursor.is_none() {
                    queue!(self.out, cursor::Show)?;
                }
            }
            None if self.cursor.is_some() => queue!(self.out, cursor::Hide)?,
            None => {}
        }
        self.cursor = cursor;
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.terminal.write_all(&self.out);
        let written = written.and_then(|()| self.terminal.flush());
        self.out.clear();
        written
    }

    /// Puts a text on the clipboard of the machine the terminal is on.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        queue!(self.out, CopyToClipboard::to_clipboard_from(text))?;
        self.flush()
    }
}

/// Where frames are written to. The library's standard output would cut each in two behind its last line
/// feed, and a terminal paint the two one after the other.
#[cfg(unix)]
type Terminal = std::fs::File;

#[cfg(not(unix))]
type Terminal = io::Stdout;

#[cfg(unix)]
fn terminal_itself() -> io::Result<Terminal> {
    use std::os::fd::AsFd as _;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as above")]
fn terminal_itself() -> io::Result<Terminal> {
    Ok(io::stdout())
}

/// Lets keys come as they are typed, without a moment in which they do not.
#[cfg(unix)]
fn make_raw() -> io::Result<()> {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    let mut modes = tcgetattr(io::stdout())?;
    modes.make_raw();
    Ok(tcsetattr(io::stdout(), OptionalActions::Now, &modes)?)
}

#[cfg(not(unix))]
fn make_raw() -> io::Result<()> {
    terminal::disable_raw_mode()?;
    terminal::enable_raw_mode()
}
