//! The terminal as ratatui draws on it: each frame is one synchronized write, of the size it was laid out for.
//!
//! # Graphemes of several characters, and new ones
//! Terminals disagree on the width of letters of Indic scripts and Thai with their vowels, halfwidth
//! kana with their marks, flags, and everything newer than the terminal, such as emoji. A changed row that
//! has or had characters that do not fill exactly one cell is redrawn as a whole, those of disputed width over spaces
//! and with a cursor position behind: a terminal that disagrees shows a gap, and never remains of the last frame.

use std::io::{self, Write};
use std::num::NonZeroU16;

use crossterm::terminal::{BeginSynchronizedUpdate, Clear, EndSynchronizedUpdate};
use crossterm::{Command, QueueableCommand as _, cursor};
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth as _};
use ratatui::layout::{Position, Size};

use crate::text::is_agreed;

/// A terminal that is written to by one write for each frame, and never asked anything: another thread
/// reads its input.
pub struct FrameBackend<W> {
    terminal: W,
    /// Size of the next frame. The caller sets it, because the frame is laid out for a certain size, and the
    /// terminal may have another by now.
    pub size: Size,
    /// The next write.
    out: Vec<u8>,
    cursor_is_visible: bool,
}

impl<W: Write> FrameBackend<W> {
    pub fn new(terminal: W) -> Self {
        Self { terminal, size: Size::ZERO, out: Vec::new(), cursor_is_visible: true }
    }

    /// Adds a command to the next write.
    ///
    /// # Errors
    /// If the command cannot be written as an escape sequence.
    pub fn queue(&mut self, command: impl Command) -> io::Result<()> {
        self.out.queue(command)?;
        Ok(())
    }
}

/// True for a cell on whose width terminals may disagree.
fn is_disputed(cell: &Cell) -> bool {
    let mut chars = cell.symbol().chars();
    !matches!((chars.next(), chars.next()), (Some(char), None) if is_agreed(char))
}

/// True for a cell whose symbol fills exactly one cell on every terminal.
fn is_even(cell: &Cell) -> bool {
    cell.symbol().len() == 1 || !is_disputed(cell) && cell.cell_width() == 1
}

/// A row of the last frame.
#[derive(Clone, Default)]
pub struct HeldRow {
    /// Its cells, if some do not fill exactly one; otherwise empty.
    uneven: Vec<Cell>,
    /// Its cells were marked, which makes each differ from the same one without a mark.
    is_marked: bool,
}

/// Has the changed rows of a frame redrawn as a whole that have or had symbols that do not fill exactly one cell; `rows`
/// are those of the last frame.
pub fn hold_columns(buffer: &mut Buffer, rows: &mut Vec<HeldRow>) {
    rows.resize(buffer.area.height.into(), HeldRow::default());
    let width = usize::from(buffer.area.width).max(1);
    for (row, held) in buffer.content.chunks_mut(width).zip(rows) {
        let uneven = if row.iter().all(is_even) { Vec::new() } else { row.to_vec() };
        if uneven != held.uneven {
            *held = HeldRow { uneven, is_marked: !held.is_marked };
        }
        if held.is_marked {
            for cell in row {
                let width = NonZeroU16::new(cell.cell_width()).unwrap_or(NonZeroU16::MIN);
                cell.set_diff_option(CellDiffOption::ForcedWidth(width));
            }
        }
    }
}

/// Returns a cell of disputed width as it is written at column `x`: over spaces, and with the cursor's next position,
/// which the library takes to be `x` + 1.
fn held(x: u16, mut cell: Cell) -> Cell {
    let (symbol, spaces) = (cell.symbol(), " ".repeat(cell.cell_width().into()));
    let held =
        format!("{spaces}{}{symbol}{}", cursor::MoveToColumn(x), cursor::MoveToColumn(x + 1));
    cell.set_symbol(&held);
    cell
}

impl<W: Write> Backend for FrameBackend<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut cells = Vec::new();
        // Behind the last wide character.
        let mut free = Position::ORIGIN;
        for (x, y, cell) in content {
            // The library also writes what some wide characters hide, which would cut them.
            if y == free.y && x < free.x {
                continue;
            }
            free = Position::new(x.saturating_add(cell.cell_width()), y);
            let cell = if is_disputed(cell) { held(x, cell.clone()) } else { cell.clone() };
            cells.push((x, y, cell));
        }
        if cells.is_empty() {
            return Ok(());
        }
        let cells = cells.iter().map(|(x, y, cell)| (*x, *y, cell));
        CrosstermBackend::new(&mut self.out).draw(cells)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.cursor_is_visible, false) {
            self.queue(cursor::Hide)?;
        }
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.cursor_is_visible, true) {
            self.queue(cursor::Show)?;
        }
        Ok(())
    }

    /// Returns a position that is as good as any: the next frame sets it.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        self.queue(cursor::MoveTo(x, y))
    }

    fn clear(&mut self) -> io::Result<()> {
        self.queue(Clear(crossterm::terminal::ClearType::All))
    }

    /// Clears the whole screen, which is the only region that the program clears.
    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        self.clear()
    }

    fn size(&self) -> io::Result<Size> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size, pixels: Size::ZERO })
    }

    /// Writes the frame so that the terminal shows it at once.
    fn flush(&mut self) -> io::Result<()> {
        if self.out.is_empty() {
            return Ok(());
        }
        let mut frame = Vec::with_capacity(self.out.len() + 16);
        frame.queue(BeginSynchronizedUpdate)?;
        frame.append(&mut self.out);
        frame.queue(EndSynchronizedUpdate)?;
        self.terminal.write_all(&frame)?;
        self.terminal.flush()
    }
}
