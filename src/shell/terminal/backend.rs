//! The terminal as ratatui draws on it: each frame is one short write.
//!
//! # Why not the library's backend
//! It emits the position, both colours and a reset for every run of cells, and writes spaces where the
//! terminal can erase: a frame with another dialog takes several times as many bytes, which shows over a
//! slow connection. And it trusts that terminals agree with it on the width of every grapheme.
//!
//! # Graphemes of several characters, and new ones
//! Terminals disagree on the width of letters of Indic scripts and Thai with their vowels, halfwidth
//! kana with their marks, flags, and everything newer than the terminal, such as emoji. A row that has or
//! had characters that do not fill exactly one cell is cleared and redrawn as a whole, with a cursor
//! position after each grapheme whose width is disputed: a terminal that disagrees shows a gap, and never
//! remains of the last frame.

use std::io::{self, Write};
use std::ops::Range;

use crossterm::style::Colored;
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, EndSynchronizedUpdate};
use crossterm::{Command, QueueableCommand as _, cursor};
use ratatui::backend::{Backend, ClearType, IntoCrossterm as _, WindowSize};
use ratatui::buffer::{Buffer, Cell, CellWidth as _};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier};

use crate::text::is_agreed;

/// Minimum number of adjacent spaces to erase instead of writing them.
const ERASED: usize = 8;

/// The longest step from one changed cell to the next for which the cells in between are written again:
/// moving the cursor takes as many bytes.
const BRIDGED: u16 = 4;

/// The modifiers that are visible on a space.
const VISIBLE_ON_SPACES: Modifier =
    Modifier::BOLD.union(Modifier::DIM).union(Modifier::ITALIC).complement();

/// A terminal that is written to by one write for each frame, and never asked anything: another thread
/// reads its input.
pub struct AnsiBackend<W> {
    terminal: W,
    /// Size of the next frame. The caller sets it, because the frame is laid out for a certain size, and the
    /// terminal may have another by now.
    pub size: Size,
    encoder: Encoder,
    /// The cells that the terminal shows.
    shown: Buffer,
    /// For each row, true if every symbol in it fills exactly one cell.
    even: Vec<bool>,
    cursor_is_visible: bool,
}

/// The bytes to write, and the state in which they leave the terminal.
#[derive(Default)]
struct Encoder {
    out: Vec<u8>,
    /// The next cell that the terminal writes to, if that is known.
    at: Option<Position>,
    style: CellStyle,
}

/// The colours and modifiers of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CellStyle {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl CellStyle {
    fn of(cell: &Cell) -> Self {
        Self { fg: cell.fg, bg: cell.bg, modifier: cell.modifier }
    }

    /// True if a space in this style shows only its background.
    fn shows_only_background(self) -> bool {
        !self.modifier.intersects(VISIBLE_ON_SPACES)
    }

    /// True if a space in this style looks like an erased cell.
    fn looks_erased(self) -> bool {
        self.bg == Color::Reset && self.shows_only_background()
    }
}

/// True for a cell on whose width all terminals agree.
fn is_cell_agreed(cell: &Cell) -> bool {
    let mut chars = cell.symbol().chars();
    matches!((chars.next(), chars.next()), (Some(char), None) if is_agreed(char))
}

/// True for a cell whose symbol fills exactly one cell on every terminal.
fn is_even(cell: &Cell) -> bool {
    cell.symbol().len() == 1 || is_cell_agreed(cell) && cell.cell_width() == 1
}

fn is_erased(cell: &Cell) -> bool {
    cell.symbol() == " " && CellStyle::of(cell).looks_erased()
}

impl<W: Write> AnsiBackend<W> {
    pub fn new(terminal: W) -> Self {
        Self {
            terminal,
            size: Size::ZERO,
            encoder: Encoder::default(),
            shown: Buffer::default(),
            even: Vec::new(),
            cursor_is_visible: true,
        }
    }

    /// Adds a command to the next write.
    ///
    /// # Errors
    /// If the command cannot be written as an escape sequence.
    pub fn queue(&mut self, command: impl Command) -> io::Result<()> {
        self.encoder.queue(command)
    }

    /// Draws the changed cells of a row.
    fn draw_row(&mut self, y: u16, changed: &[(u16, &Cell)]) -> io::Result<()> {
        let width = usize::from(self.shown.area.width);
        let row = &mut self.shown.content[usize::from(y) * width..][..width];
        let even = &mut self.even[usize::from(y)];
        let was_even = *even;
        for (x, cell) in changed {
            let x = usize::from(*x);
            row[x].clone_from(cell);
            if !is_even(cell) {
                *even = false;
                // A wide character hides what is behind it.
                let behind = row[x..].iter_mut().take(cell.cell_width().into());
                behind.skip(1).for_each(Cell::reset);
            }
        }
        if was_even && *even {
            for near in changed.chunk_by(|(one, _), (next, _)| next - one <= BRIDGED) {
                let (first, last) = (near[0].0, near[near.len() - 1].0);
                self.encoder.write_cells(y, first..last + 1, row, false)?;
            }
            return Ok(());
        }
        *even = row.iter().all(is_even);
        self.encoder.clear_row(y)?;
        self.encoder.write_cells(y, 0..width as u16, row, true)
    }
}

impl Encoder {
    fn queue(&mut self, command: impl Command) -> io::Result<()> {
        self.out.queue(command)?;
        Ok(())
    }

    fn clear_row(&mut self, y: u16) -> io::Result<()> {
        self.go(0, y)?;
        self.set_erasing_style()?;
        self.queue(Clear(crossterm::terminal::ClearType::CurrentLine))
    }

    /// Writes adjacent cells of a row, which may have been `cleared`.
    fn write_cells(
        &mut self,
        y: u16,
        columns: Range<u16>,
        row: &[Cell],
        cleared: bool,
    ) -> io::Result<()> {
        let Range { start: mut x, end } = columns;
        while x < end {
            let rest = &row[usize::from(x)..usize::from(end)];
            let spaces = rest.iter().take_while(|cell| is_erased(cell)).count();
            if spaces >= ERASED {
                if !cleared {
                    self.go(x, y)?;
                    self.set_erasing_style()?;
                    write!(self.out, "\x1b[{spaces}X")?;
                }
                x += spaces as u16;
                continue;
            }
            self.go(x, y)?;
            self.write_cell(&rest[0])?;
            x += rest[0].cell_width().max(1);
            // After writing the last column, some terminals wrap the cursor and some do not.
            let is_known = usize::from(x) < row.len() && is_cell_agreed(&rest[0]);
            self.at = is_known.then_some(Position::new(x, y));
        }
        Ok(())
    }

    fn write_cell(&mut self, cell: &Cell) -> io::Result<()> {
        let style = CellStyle::of(cell);
        let same_on_spaces = style.bg == self.style.bg
            && style.shows_only_background()
            && self.style.shows_only_background();
        if cell.symbol() != " " || !same_on_spaces {
            self.set_style(style)?;
        }
        self.out.extend_from_slice(cell.symbol().as_bytes());
        Ok(())
    }

    fn go(&mut self, x: u16, y: u16) -> io::Result<()> {
        let to = Position::new(x, y);
        match self.at.replace(to) {
            Some(at) if at == to => Ok(()),
            Some(at) if at.y == y && at.x < x => self.queue(cursor::MoveRight(x - at.x)),
            _ => self.queue(cursor::MoveTo(x, y)),
        }
    }

    /// Sets a style in which erased cells look like spaces. Terminals disagree on the background that
    /// erasing leaves in others.
    fn set_erasing_style(&mut self) -> io::Result<()> {
        if self.style.looks_erased() {
            return Ok(());
        }
        self.set_style(CellStyle::default())
    }

    fn set_style(&mut self, style: CellStyle) -> io::Result<()> {
        if style == self.style {
            return Ok(());
        }
        if style == CellStyle::default() {
            self.style = style;
            return self.out.write_all(b"\x1b[m");
        }
        let mut separator = "\x1b[";
        if !style.modifier.contains(self.style.modifier) {
            // Ending all costs less than ending each.
            self.style = CellStyle::default();
            write!(self.out, "{separator}0")?;
            separator = ";";
        }
        for modifier in style.modifier - self.style.modifier {
            // The order of the bits is that of the parameters that begin them.
            write!(self.out, "{separator}{}", modifier.bits().ilog2() + 1)?;
            separator = ";";
        }
        if style.fg != self.style.fg {
            let color = Colored::ForegroundColor(shortest(style.fg).into_crossterm());
            write!(self.out, "{separator}{color}")?;
            separator = ";";
        }
        if style.bg != self.style.bg {
            let color = Colored::BackgroundColor(shortest(style.bg).into_crossterm());
            write!(self.out, "{separator}{color}")?;
        }
        self.style = style;
        self.out.write_all(b"m")
    }
}

/// Returns a colour by its number in the palette of 256, if it has one there: in the 6×6×6 cube from 16 on,
/// or the greys from 232 on. The colours below 16 differ between users.
fn shortest(color: Color) -> Color {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let Color::Rgb(red, green, blue) = color else {
        return color;
    };
    let level = |value| LEVELS.iter().position(|level| *level == value);
    if let (Some(r), Some(g), Some(b)) = (level(red), level(green), level(blue)) {
        return Color::Indexed((16 + 36 * r + 6 * g + b) as u8);
    }
    if red == green && green == blue && red % 10 == 8 && red < 240 {
        return Color::Indexed(232 + (red - 8) / 10);
    }
    color
}

impl<W: Write> Backend for AnsiBackend<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        // Other programs may have written something meanwhile.
        self.encoder.at = None;
        let mut content = content.peekable();
        let mut cells = Vec::new();
        while let Some(&(_, row, _)) = content.peek() {
            cells.clear();
            while let Some((x, _, cell)) = content.next_if(|(_, y, _)| *y == row) {
                cells.push((x, cell));
            }
            self.draw_row(row, &cells)?;
        }
        self.encoder.set_style(CellStyle::default())
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
        self.shown = Buffer::empty(Rect::from((Position::ORIGIN, self.size)));
        self.even = vec![true; self.size.height.into()];
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
        let out = &mut self.encoder.out;
        if out.is_empty() {
            return Ok(());
        }
        let mut frame = Vec::with_capacity(out.len() + 16);
        frame.queue(BeginSynchronizedUpdate)?;
        frame.append(out);
        frame.queue(EndSynchronizedUpdate)?;
        self.terminal.write_all(&frame)?;
        self.terminal.flush()
    }
}

#[cfg(test)]
mod tests;
