//! Takes over the terminal, draws on it, and restores it.

use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture,
};
use crossterm::terminal::{
    DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen,
};
use crossterm::{cursor, execute, terminal};
use ratatui::backend::Backend as _;
use ratatui::layout::Size;
use ratatui::{Frame, Terminal};

use super::backend::{FrameBackend, HeldRow, hold_columns};
use crate::app::CopiedBy;

/// The terminal while the program controls it.
pub struct Screen {
    terminal: Terminal<FrameBackend<Output>>,
    mouse: bool,
    /// The rows of the last frame.
    rows: Vec<HeldRow>,
}

impl Screen {
    /// Takes over the terminal.
    ///
    /// # Errors
    /// If there is none, or it cannot be written to.
    pub fn take(mouse: bool) -> io::Result<Self> {
        let terminal = Terminal::new(FrameBackend::new(output()?))?;
        let mut screen = Self { terminal, mouse, rows: Vec::new() };
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
        let backend = self.terminal.backend_mut();
        backend.queue(EnterAlternateScreen)?;
        // Characters that a terminal draws wider than expected stay in their row.
        backend.queue(DisableLineWrap)?;
        backend.queue(EnableBracketedPaste)?;
        backend.queue(EnableFocusChange)?;
        if self.mouse {
            backend.queue(EnableMouseCapture)?;
        }
        self.terminal.hide_cursor()?;
        self.forget()
    }

    /// Restores the terminal, until [`Screen::enter`] or for good.
    pub fn leave(&mut self) {
        // Unwritten output would otherwise end up on another program's screen.
        let _ = self.terminal.show_cursor();
        let _ = self.terminal.backend_mut().flush();
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
        Ok(terminal::size()?.into())
    }

    /// Clears the screen; the next frame is drawn in full.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn forget(&mut self) -> io::Result<()> {
        self.terminal.clear()
    }

    /// Draws a frame of `size`.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn draw(&mut self, size: Size, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.backend_mut().size = size;
        let rows = &mut self.rows;
        self.terminal.draw(|frame| {
            draw(frame);
            hold_columns(frame.buffer_mut(), rows);
        })?;
        Ok(())
    }

    /// Puts a text on the clipboard of the terminal's machine: through tmux, which by default ignores what
    /// programs ask of the terminal, or else by asking the terminal. Returns which of them it was.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn copy(&mut self, text: &str) -> io::Result<CopiedBy> {
        if std::env::var_os("TMUX").is_some_and(|tmux| !tmux.is_empty()) && load_buffer(text) {
            return Ok(CopiedBy::Tmux);
        }
        let backend = self.terminal.backend_mut();
        backend.queue(CopyToClipboard::to_clipboard_from(text))?;
        backend.flush()?;
        Ok(CopiedBy::Terminal)
    }
}

/// Gives a text to tmux as its newest buffer, for the clipboard too; false if that fails, as before tmux 3.2.
fn load_buffer(text: &str) -> bool {
    let mut tmux = Command::new("tmux");
    tmux.args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let Ok(mut tmux) = tmux.spawn() else {
        return false;
    };
    // Dropping the pipe ends the text.
    let input = tmux.stdin.take();
    let written = input.is_some_and(|mut input| input.write_all(text.as_bytes()).is_ok());
    tmux.wait().is_ok_and(|status| status.success()) && written
}

/// Output for frames. Rust's standard output would split each frame after its last line feed, and a
/// terminal would draw the halves one after the other.
#[cfg(unix)]
type Output = std::fs::File;

#[cfg(not(unix))]
type Output = io::Stdout;

#[cfg(unix)]
fn output() -> io::Result<Output> {
    use std::os::fd::AsFd as _;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as above")]
fn output() -> io::Result<Output> {
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
