//! Tests of the bytes written for a frame over another, and of what an emulated terminal then shows.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell, CellWidth as _};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use turnwise::shell::{FrameBackend, hold_columns};
use vt100::Parser;

/// The bytes that a terminal gets.
#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const SIZE: Size = Size::new(26, 4);

/// A piece of text at a cell, in a style.
type Piece = (u16, u16, String, Style);

fn frame(pieces: &[Piece]) -> Buffer {
    let mut buffer = Buffer::empty(Rect::from((Position::ORIGIN, SIZE)));
    for (x, y, text, style) in pieces {
        buffer.set_string(*x, *y, text, *style);
    }
    hide(&mut buffer);
    buffer
}

/// Empties the cells behind wide characters. The program never leaves text there, and the library does not
/// write it again once the wide character is gone.
fn hide(buffer: &mut Buffer) {
    for row in buffer.content.chunks_mut(usize::from(SIZE.width)) {
        let mut x = 0;
        while x < row.len() {
            let width = usize::from(row[x].cell_width().max(1));
            let behind = row.iter_mut().skip(x).take(width);
            behind.skip(1).for_each(Cell::reset);
            x += width;
        }
    }
}

fn rows(rows: &[&str]) -> Buffer {
    let rows = (0..).zip(rows);
    let pieces = rows.map(|(y, row)| (0, y, (*row).to_owned(), Style::new()));
    frame(&pieces.collect::<Vec<_>>())
}

/// Returns what is written for each of some frames.
fn written(frames: &[&Buffer]) -> Vec<Vec<u8>> {
    let sink = Sink::default();
    let mut terminal = Terminal::new(FrameBackend::new(sink.clone())).unwrap();
    let mut rows = Vec::new();
    let mut draw = |next: &Buffer| {
        terminal.backend_mut().size = SIZE;
        let drawn = terminal.draw(|frame| {
            frame.buffer_mut().clone_from(next);
            hold_columns(frame.buffer_mut(), &mut rows);
        });
        drawn.unwrap();
        sink.0.take()
    };
    frames.iter().map(|next| draw(next)).collect()
}

/// Returns what is written to turn one frame into another, without the marks around each write.
fn change(shown: &Buffer, next: &Buffer) -> String {
    let bytes = written(&[shown, next]).pop().unwrap();
    let text = String::from_utf8(bytes).unwrap().replace('\x1b', "^");
    let inner = text.strip_prefix("^[?2026h");
    inner.map_or(text.clone(), |text| text.replace("^[?2026l", ""))
}

#[test]
fn only_changes_are_written_in_one_synchronized_write() {
    let (shown, next) = (rows(&["from 12"]), rows(&["from 13"]));
    let bytes = String::from_utf8(written(&[&shown, &next]).pop().unwrap()).unwrap();
    assert!(bytes.starts_with("\x1b[?2026h") && bytes.ends_with("\x1b[?2026l"), "{bytes:?}");
    assert!(bytes.contains("\x1b[1;7H3") && !bytes.contains("from"), "{bytes:?}");
    assert_eq!(change(&shown, &shown), "");
}

#[test]
fn the_place_is_set_after_graphemes_of_disputed_width() {
    let (shown, next) = (rows(&["e\u{301} one!"]), rows(&["e\u{301} two!"]));
    let painted = change(&shown, &next);
    assert!(painted.starts_with("^[1;1H ^[1Ge\u{301}^[2G two!"), "{painted}");
    assert_eq!(change(&shown, &shown), "");
    // Newer than many terminals, and not assigned.
    let next = rows(&["\u{1fae8}a\u{378}b"]);
    let painted = change(&rows(&["zz zz"]), &next);
    let start = "^[1;1H  ^[1G\u{1fae8}^[2G^[1;3Ha ^[4G\u{378}^[5Gb";
    assert!(painted.starts_with(start), "{painted}");
}

#[test]
fn a_screen_that_may_have_changed_is_drawn_in_full() {
    let sink = Sink::default();
    let mut terminal = Terminal::new(FrameBackend::new(sink.clone())).unwrap();
    let mut draw = |size: Size, forget: bool| {
        if forget {
            terminal.clear().unwrap();
        }
        terminal.backend_mut().size = size;
        let drawn = terminal.draw(|frame| {
            frame.render_widget("映 some text", frame.area());
            frame.set_cursor_position((1, 0));
        });
        drawn.unwrap();
        let bytes = sink.0.take();
        String::from_utf8(bytes).unwrap()
    };
    assert!(draw(SIZE, false).contains("some"));
    assert!(!draw(SIZE, false).contains("text"));
    assert!(draw(SIZE, true).contains("\x1b[2J"));
    assert!(draw(SIZE, true).contains("some"));
    for size in [Size::new(8, 2), Size::new(30, 9)] {
        assert!(draw(size, false).contains("some"));
    }
}

#[test]
fn the_cursor_is_shown_and_hidden_once() {
    let sink = Sink::default();
    let mut terminal = Terminal::new(FrameBackend::new(sink.clone())).unwrap();
    let mut draw = |cursor: Option<Position>| {
        let drawn = terminal.draw(|frame| {
            if let Some(cursor) = cursor {
                frame.set_cursor_position(cursor);
            }
        });
        drawn.unwrap();
        let bytes = sink.0.take();
        String::from_utf8(bytes).unwrap().replace('\x1b', "^")
    };
    let at = Some(Position::new(4, 1));
    assert!(draw(None).contains("^[?25l"));
    assert_eq!(draw(None), "");
    assert!(draw(at).contains("^[?25h^[2;5H"));
    assert_eq!(draw(at), "^[?2026h^[2;5H^[?2026l");
    assert!(draw(None).contains("^[?25l"));
}

/// Returns a cell as the user sees it; the foreground and weight of a space do not count.
fn seen(terminal: &Parser, x: u16, y: u16) -> String {
    let cell = terminal.screen().cell(y, x).unwrap();
    let (text, empty) = (cell.contents(), cell.contents().trim().is_empty());
    let ground = (cell.bgcolor(), cell.inverse(), cell.underline());
    let front = (cell.fgcolor(), cell.bold(), cell.dim(), cell.italic());
    if empty && !cell.inverse() && !cell.underline() {
        format!("{ground:?}")
    } else {
        format!("{text:?} {ground:?} {front:?}")
    }
}

fn style() -> impl Strategy<Value = Style> {
    let color = || {
        prop_oneof![
            3 => Just(Color::Reset),
            1 => Just(Color::LightRed),
            1 => Just(Color::Indexed(240)),
            1 => Just(Color::Rgb(1, 2, 3)),
        ]
    };
    // The emulator has no cell that is both bold and dim.
    let weight = prop::sample::select(vec![Modifier::empty(), Modifier::BOLD, Modifier::DIM]);
    let marks = [Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];
    let others = prop::sample::subsequence(marks.to_vec(), 0..=3);
    let marks = (weight, others)
        .prop_map(|(weight, others)| others.into_iter().fold(weight, Modifier::union));
    let marks = prop_oneof![2 => Just(Modifier::empty()), 1 => marks];
    (color(), color(), marks)
        .prop_map(|(fg, bg, marks)| Style::reset().fg(fg).bg(bg).add_modifier(marks))
}

fn any_frame() -> impl Strategy<Value = Buffer> {
    let text = prop_oneof![3 => "[ a-c映éжé\u{1f600}]{0,9}", 1 => " {6,26}"];
    let piece = (0..SIZE.width, 0..SIZE.height, text, style());
    prop::collection::vec(piece, 0..9).prop_map(|pieces| frame(&pieces))
}

/// Returns what the library writes for a frame on an empty screen.
fn by_library(next: &Buffer) -> Vec<u8> {
    let (empty, mut out) = (Buffer::empty(next.area), Vec::new());
    let drawn = CrosstermBackend::new(&mut out).draw(empty.diff_iter(next));
    drawn.unwrap();
    out
}

fn terminal(written: &[Vec<u8>]) -> Parser {
    let [rows, columns] = [SIZE.height, SIZE.width].map(|n| n.try_into().unwrap());
    let mut terminal = Parser::new(rows, columns, 0);
    for bytes in written {
        terminal.process(bytes);
    }
    terminal
}

proptest! {
    #[test]
    fn a_frame_over_others_is_seen_as_the_library_paints_it(
        frames in prop::collection::vec(any_frame(), 1..4)
    ) {
        let frames: Vec<_> = frames.iter().collect();
        let ours = terminal(&written(&frames));
        let theirs = terminal(&[by_library(frames[frames.len() - 1])]);
        for (x, y) in (0..SIZE.height).flat_map(|y| (0..SIZE.width).map(move |x| (x, y))) {
            prop_assert_eq!(seen(&ours, x, y), seen(&theirs, x, y), "{} {}", x, y);
        }
    }
}
