//! Frames on a terminal, compressed files, journals, and files that are open.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell, CellWidth as _};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use turnwise::corpus::{Change, Source as _};
use turnwise::dialog::Edit;
use turnwise::format::Formats;
use turnwise::json::{Patch, Splice};
use turnwise::shell::{
    DEMO, DiskFile, FrameBackend, Journal, OpenFiles, RealFs, WriteRequest, Writer, beginning,
    hold_columns, open, read_journal,
};
use turnwise::workspace::{Grouping, JournalEntry, JournalOp, MadeEdit, NewFile};
use vt100::Parser;
use walkdir::WalkDir;

use crate::support::scratch;

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

/// Returns the text of a file with its damage.
fn unpacked(name: &str, bytes: &[u8]) -> Result<String, String> {
    let folder = scratch();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let opened = open(&path, &Formats::default(), false).map_err(|error| error.to_string())?;
    let source = opened.file.source();
    let mut text = vec![0; usize::try_from(source.len()).unwrap()];
    source.read_at(0, &mut text).unwrap();
    Ok(String::from_utf8(text).unwrap() + &source.damage().join("\n"))
}

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, text) in members {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(*name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn texts_are_unpacked_up_to_a_limit() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"{}\n").unwrap();
    let gzip = gzip.finish().unwrap();
    let twice = [gzip.clone(), gzip.clone()].concat();
    assert_eq!(unpacked("a.json.gz", &twice).unwrap(), "{}\n{}\n");
    let cut = unpacked("a.json.gz", &twice[..twice.len() - 5]).unwrap();
    assert!(cut.starts_with("{}\n{}\nthe file is damaged: "), "{cut}");
    let cut = unpacked("a.json.gz", &gzip[..gzip.len() - 5]).unwrap();
    assert!(cut.starts_with("{}\nthe file is damaged: "), "{cut}");
    assert!(unpacked("a.json.gz", &gzip[..11]).is_err());
    assert_eq!(unpacked("a.json.gz", b"{}").unwrap(), "{}");
    let level = ruzstd::encoding::CompressionLevel::Uncompressed;
    let zst = ruzstd::encoding::compress_to_vec(&b"{}\n"[..], level);
    // With a frame of three bytes to skip.
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let all = [&zst[..], &skipped, &zst].concat();
    assert_eq!(unpacked("a.zst", &all).unwrap(), "{}\n{}\n");
    assert!(unpacked("a.zst", &zst[..zst.len() - 5]).is_err());
    let cut = [&zst[..], &zst, &zst[..zst.len() - 5]].concat();
    let cut = unpacked("a.zst", &cut).unwrap();
    assert!(cut.starts_with("{}\n{}\nthe file is damaged: "), "{cut}");
    // The checksum of a frame is behind its last block.
    let whole = ruzstd::encoding::compress_to_vec(&b"{}\n"[..], level);
    let sum = whole.len() - 1;
    let mut wrong = whole.clone();
    wrong[sum] ^= 1;
    let text = unpacked("a.zst", &wrong).unwrap();
    assert_eq!(text, "{}\nthe file is damaged: its checksum does not match");
    let text = unpacked("a.zst", &[wrong, whole].concat()).unwrap();
    assert!(text.contains("its checksum does not match"), "{text}");
    // Its window is larger than its text.
    let lines = (0..60_000).map(|line| format!("{{\"line\": {line}}}\n"));
    let long = lines.collect::<Vec<_>>().concat();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let zst = ruzstd::encoding::compress_to_vec(long.as_bytes(), level);
    let cut = unpacked("a.zst", &zst[..zst.len() / 2]).unwrap();
    let (before, why) = cut.split_once("the file is damaged: ").unwrap();
    assert!(long.starts_with(before) && before.len() > long.len() / 4, "{} {why}", before.len());
}

#[test]
fn a_log_of_inspect_is_its_samples() {
    let members = [
        ("header.json", "{}"),
        ("notes.txt", "tide"),
        ("samples/1_epoch_1.json", "{\"id\": 1}"),
        ("samples/2_epoch_1.json", "{\"id\": 2}"),
        ("samples/3_epoch_1.json", "{\"id\": "),
    ];
    let text = unpacked("log.eval", &zip(&members[..4])).unwrap();
    assert_eq!(
        text,
        "{\"samples\":[\n{\"id\": 1},\n{\"id\": 2}\n],\n\"notes.txt\":\"not read\"}\n"
    );
    let header = ("header.json", " {\"version\": 2}\n");
    let text = unpacked("log.eval", &zip(&[members[2], header])).unwrap();
    assert_eq!(text, "{\"version\": 2,\n\"samples\":[\n{\"id\": 1}\n]}\n");
    for (damaged, why) in [
        (zip(&members), "samples/3_epoch_1.json is damaged: `{` is never closed"),
        (zip(&[members[2], ("header.json", "[]")]), "header.json is damaged: it is not an object"),
        (zip(&members[1..2]), "it has no samples, so it is not a log of Inspect"),
    ] {
        let error = unpacked("log.eval", &damaged).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
    assert!(unpacked("log.eval", &zip(&members[2..])[..20]).is_err());
}

#[test]
fn every_demo_file_is_in_the_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo");
    let files = WalkDir::new(&folder).into_iter().filter_map(Result::ok);
    let files = files.filter(|entry| entry.file_type().is_file());
    let mut names: Vec<_> = files
        .map(|entry| {
            let path = entry.path().strip_prefix(&folder).unwrap();
            path.to_string_lossy().replace('\\', "/")
        })
        .collect();
    names.sort();
    let mut known: Vec<_> = DEMO.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(names, known);
}

/// The most bytes of the past that are remembered.
const BYTES: usize = 4 << 20;

fn made(title: &str) -> JournalEntry {
    let patch = Patch::from(Splice::new(2..4, title));
    JournalEntry::Edit(Arc::new(MadeEdit {
        change: Change {
            dialog: 3,
            edit: Edit::RemoveSegment { turn: 1, segment: 2 },
            on: None,
            inverse: patch.invert("[\"é\"]"),
            patch,
        },
        id: None,
        turn: 1,
        segment: None,
        title: title.to_owned(),
        by: None,
        grouping: Grouping::Alone,
        when: 5,
    }))
}

struct TestJournal {
    folder: tempfile::TempDir,
    writer: Writer<'static>,
}

impl TestJournal {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let writer = Writer::new(&RealFs);
        Self { folder, writer }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("j/x.jsonl")
    }

    fn takes(&mut self, hash: u128, what: JournalOp) {
        let journal = self.path();
        let order = WriteRequest { journal, hash, what };
        self.writer.carry_out(order, 1).unwrap();
    }

    fn log(&self) -> Journal {
        read_journal(&self.path()).unwrap()
    }

    /// Saved edits, undone edits, and unsaved entries, as another run reads them.
    fn says(&mut self, hash: u128) -> Option<String> {
        self.writer = Writer::new(&RealFs);
        let found = self.log().found(hash).filter(|found| !found.is_of_other_bytes)?;
        let titles = |made: &[Arc<MadeEdit>]| {
            let titles: Vec<_> = made.iter().map(|made| made.title.as_str()).collect();
            titles.concat()
        };
        let unsaved = found.unsaved.iter().map(|entry| match entry {
            JournalEntry::Edit(made) => made.title.clone(),
            JournalEntry::Undo => "-".to_owned(),
            JournalEntry::Redo => "+".to_owned(),
            JournalEntry::QuitUnsaved => "L".to_owned(),
        });
        let (saved, undone) = found.past.made.split_at(found.past.applied_count);
        let unsaved = unsaved.collect::<Vec<_>>().concat();
        Some(format!("{}|{}|{unsaved}", titles(saved), titles(undone)))
    }
}

#[test]
fn saved_edits_are_history_and_the_rest_is_unsaved() {
    let mut journal = TestJournal::new();
    journal.takes(7, JournalOp::Did(made("a")));
    assert_eq!(journal.says(7).unwrap(), "||a");
    assert_eq!(journal.says(8), None);
    journal.takes(7, JournalOp::Did(made("b")));
    journal.takes(7, JournalOp::Saves(8));
    // After a crash here, the file has one hash or the other.
    assert_eq!(journal.says(7).unwrap(), "||ab");
    assert_eq!(journal.says(8).unwrap(), "ab||");
    journal.takes(8, JournalOp::Saved);
    journal.takes(8, JournalOp::Did(JournalEntry::Undo));
    journal.takes(8, JournalOp::Did(made("c")));
    assert_eq!(journal.says(8).unwrap(), "ab||-c");
    let of_other_bytes = |journal: &TestJournal, hash| {
        let found = journal.log().found(hash).filter(|found| found.is_of_other_bytes);
        found.map_or(0, |found| found.unsaved.len())
    };
    assert_eq!([8, 9].map(|hash| of_other_bytes(&journal, hash)), [0, 1]);
    journal.takes(8, JournalOp::Did(JournalEntry::QuitUnsaved));
    assert_eq!(journal.says(8).unwrap(), "ab||");
    assert_eq!(of_other_bytes(&journal, 9), 0);
}

#[test]
fn a_file_that_was_begun_is_known_until_it_is_saved_or_dropped() {
    let mut journal = TestJournal::new();
    let (name, text) = ("x".to_owned(), "{}\n".to_owned());
    let begun = NewFile { name, text };
    let hash = begun.hash();
    journal.takes(hash, JournalOp::Begins(begun.clone()));
    assert_eq!(beginning(&journal.path()), None);
    journal.takes(hash, JournalOp::Did(made("a")));
    journal.takes(hash, JournalOp::Begins(begun.clone()));
    assert_eq!(journal.says(hash).unwrap(), "||a");
    assert_eq!(beginning(&journal.path()), Some(begun.clone()));
    // Another run begins where this one ended.
    journal.takes(hash, JournalOp::Begins(begun.clone()));
    journal.takes(hash, JournalOp::Rewrite(vec![made("b")]));
    assert_eq!(journal.says(hash).unwrap(), "||b");
    assert_eq!(beginning(&journal.path()), Some(begun.clone()));
    journal.takes(hash, JournalOp::Rewrite(Vec::new()));
    assert_eq!(beginning(&journal.path()), None);
    journal.takes(hash, JournalOp::Did(made("c")));
    assert_eq!(beginning(&journal.path()), Some(begun.clone()));
    // What was left can be made again.
    journal.takes(hash, JournalOp::Did(JournalEntry::QuitUnsaved));
    assert_eq!(beginning(&journal.path()), Some(begun.clone()));
    journal.takes(hash, JournalOp::Did(made("d")));
    journal.takes(hash, JournalOp::Saves(8));
    // After a crash here, the file does not exist.
    assert_eq!(beginning(&journal.path()), Some(begun));
    journal.takes(8, JournalOp::Saved);
    assert_eq!(beginning(&journal.path()), None);
    assert_eq!(journal.says(8).unwrap(), "d||");
}

#[test]
fn a_file_that_is_brought_back_has_its_past_and_nothing_unsaved() {
    let mut journal = TestJournal::new();
    journal.takes(7, JournalOp::Did(made("a")));
    journal.takes(8, JournalOp::Saved);
    journal.takes(8, JournalOp::Did(made("b")));
    journal.takes(9, JournalOp::Saved);
    assert_eq!(journal.says(8).unwrap(), "a||");
    assert_eq!(journal.says(7).unwrap(), "||");
}

#[test]
fn a_journal_that_vanishes_or_is_cut_is_written_as_a_whole() {
    let mut journal = TestJournal::new();
    journal.takes(7, JournalOp::Did(made("a")));
    std::fs::remove_dir_all(journal.path().parent().unwrap()).unwrap();
    journal.takes(7, JournalOp::Did(made("b")));
    std::fs::write(journal.path(), "").unwrap();
    journal.takes(7, JournalOp::Did(made("c")));
    // The beginning of a line that was cut short.
    let mut text = std::fs::read_to_string(journal.path()).unwrap();
    text += "0123";
    std::fs::write(journal.path(), text).unwrap();
    journal.takes(7, JournalOp::Did(made("d")));
    assert_eq!(journal.says(7).unwrap(), "||abcd");
}

#[test]
fn only_so_much_of_the_past_is_remembered() {
    let mut journal = TestJournal::new();
    for number in 0..1100 {
        journal.takes(7, JournalOp::Did(made(&format!("{number};"))));
    }
    journal.takes(8, JournalOp::Saved);
    let says = journal.says(8).unwrap();
    assert!(says.starts_with("100;101;"), "{}", &says[..20]);
    journal.takes(8, JournalOp::Did(made("x")));
    assert!(journal.says(8).unwrap().ends_with("1099;||x"));
    let long = "é".repeat(BYTES / 2);
    journal.takes(8, JournalOp::Did(made(&long)));
    journal.takes(9, JournalOp::Saved);
    assert_eq!(journal.says(9).unwrap(), "||");
}

const MANY: usize = 200;

#[test]
fn past_the_limit_the_oldest_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let files = OpenFiles::default();
    let path = |number: usize| folder.path().join(format!("{number}.json.gz"));
    let held: Vec<_> = (0..MANY)
        .map(|number| {
            let file = File::create(path(number)).unwrap();
            let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
            write!(gzip, "{number:05}").unwrap();
            gzip.finish().unwrap();
            files.hold(&path(number), Arc::new(DiskFile::open(&path(number)).unwrap()))
        })
        .collect();
    let mut text = [0; 5];
    for number in [0, MANY - 1] {
        held[number].read_at(0, &mut text).unwrap();
        assert_eq!(text, *format!("{number:05}").as_bytes());
    }
    // A file that has changed is not what was read.
    fs::write(path(1), "changed").unwrap();
    let error = held[1].read_at(0, &mut text).unwrap_err().to_string();
    assert_eq!(error, "the file was changed by another program");
}
