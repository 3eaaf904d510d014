//! Takes over the terminal, draws on it, and restores it.

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

/// The terminal while the program controls it.
///
/// Remembers the last frame, so that drawing costs only the cells that differ. Never queries the
/// terminal: another thread reads its input.
pub struct Screen {
    terminal: Terminal,
    /// Bytes to write.
    out: Vec<u8>,
    shown: Canvas,
    next: Canvas,
    difference: FrameDiff,
    cursor: Option<Position>,
    mouse: bool,
}

impl Screen {
    /// Takes over the terminal.
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

    /// Takes over the terminal again after it was restored, or after other programs used it.
    ///
    /// # Errors
    /// If it cannot be written to.
    pub fn enter(&mut self) -> io::Result<()> {
        terminal::enable_raw_mode()?;
        // Has no effect if raw mode is already set, whatever other programs did since.
        make_raw()?;
        queue!(
            self.out,
            EnterAlternateScreen,
            // Characters that a terminal draws wider than expected stay in their row.
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

    /// Restores the terminal, until [`Screen::enter`] or for good.
    pub fn leave(&mut self) {
        // Unwritten output would otherwise end up on another program's screen.
        let _ = self.flush();
        Self::restore();
    }

    /// Restores the terminal from any state of the program.
    pub fn restore() {
        // The program ends whether or not the terminal still exists.
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

    /// Returns the terminal's size.
    ///
    /// # Errors
    /// If it is unknown.
    pub fn size() -> io::Result<Size> {
        let (columns, rows) = terminal::size()?;
        Ok(Size { columns, rows })
    }

    /// Clears the screen; the next frame is drawn in full.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn forget(&mut self) -> io::Result<()> {
        queue!(self.out, Clear(ClearType::All))?;
        self.shown.clear(Style::reset());
        Ok(())
    }

    /// Draws a frame of `size`.
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
        // Sharing the style table makes style numbers comparable; otherwise each one has to be
        // translated.
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

    /// Puts a text on the clipboard of the terminal's machine.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        queue!(self.out, CopyToClipboard::to_clipboard_from(text))?;
        self.flush()
    }
}

/// Output for frames. Rust's standard output would split each frame after its last line feed, and a
/// terminal would draw the halves one after the other.
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

/// Sets raw mode in one step, so that there is no moment without it.
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
