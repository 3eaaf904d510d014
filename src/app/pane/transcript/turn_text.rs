//! The text of a turn in rows, with the marks of its segments under each row.

use std::ops::Range;

use compact_str::format_compact;

use crate::app::pane::line::TextAnchor;
use crate::app::pane::transcript::Transcript;
use crate::app::pane::transcript::fold::with_note;
use crate::app::pane::transcript::marks::{MarkName, PlacedMark, mark_line, mark_lines};
use crate::app::pane::transcript::ranges::Ranges;
use crate::app::pane::transcript::row::{MarkedSpan, MarkedText};
use crate::app::pane::{Ink, Line, TextRun, problem_ink, truncated};
use crate::dialog::{Places, Role, Segment};
use crate::format::answered_call;
use crate::lint::Severity;
use crate::text::{FOLDED, WrappedRow, fold_note, lanes, visible, width, wrap};

/// A part of a turn: a row of its text with the marks under it, or, after the last row, all lines below the
/// text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowPart {
    pub turn: usize,
    pub row: usize,
}

/// Columns of a turn's number, at least.
const NUMBER: usize = 4;
/// Columns of a speaker's name, at most; in a wide pane, a seventh of it.
const NAME: usize = 10;
/// A pane with fewer columns shows only the first letter of a speaker's name.
const WIDE: usize = 56;

/// The layout of a turn that stays the same while its dialog is read: its text in rows, its segments, and
/// its worst severity.
#[derive(Debug)]
pub struct TurnText {
    pub rows: Vec<WrappedRow>,
    pub places: Places,
    segments: Ranges,
    /// Segments overlap, so that they need marks in lanes.
    pub overlap: bool,
    worst: Option<Severity>,
    /// The note at the end of the last row, if the rest of the text is folded or shown elsewhere.
    note: Option<String>,
}

/// The matches of a search in a turn.
#[derive(Debug)]
pub struct TurnHits {
    ranges: Ranges,
    /// The turn as a whole matches.
    whole: bool,
}

/// The marks under a row.
#[derive(Debug)]
pub struct RowMarks {
    /// The segments that touch the row: their positions in the turn.
    positions: Vec<usize>,
    names: Vec<MarkName>,
    pub lines: Vec<Vec<PlacedMark>>,
}

/// The style of a turn's rows, which depends on the selection.
#[derive(Debug, Default)]
pub struct TurnStyle {
    pub current: bool,
    /// True if bars below the text mark its segments.
    pub marked: bool,
    /// The selected segment.
    pub segment: Option<usize>,
    /// The byte after the caret, and the selected bytes.
    pub caret: Option<usize>,
    pub selection: Option<Range<usize>>,
}

/// Returns the columns before a turn's text, and those for it.
pub fn margin_and_room(transcript: &Transcript, columns: usize) -> (usize, usize) {
    let margin = number_columns(transcript) + 3 + name_columns(transcript, columns);
    (margin, columns.saturating_sub(margin + 1).max(8))
}

/// Fills a line up to the text of a turn, with a mark in a side branch.
pub fn fill_margin(line: &mut Line, transcript: &Transcript, number: usize, margin: usize) {
    if transcript.dialog.branches.of_turn(number).is_some() {
        line.fill(margin - 1);
        line.push(Ink::Dim, "┆");
    } else {
        line.fill(margin);
    }
}

/// Returns the columns of the turns' numbers. The sign of the current turn precedes them; one space
/// follows them, and one follows the names.
fn number_columns(transcript: &Transcript) -> usize {
    let last = transcript.len().saturating_sub(1);
    (last.checked_ilog10().unwrap_or(0) as usize + 1).max(NUMBER)
}

/// Returns the columns of the speakers' names.
fn name_columns(transcript: &Transcript, columns: usize) -> usize {
    if columns < WIDE {
        return 1;
    }
    let names = transcript.dialog.turns.iter().take(4);
    names.map(|turn| width(&turn.speaker.name)).max().unwrap_or(0).clamp(4, NAME.max(columns / 7))
}

/// True if the name of a turn's speaker fits in its columns.
pub fn is_named_whole(transcript: &Transcript, turn: usize, columns: usize) -> bool {
    let name = &transcript.dialog.turns[turn].speaker.name;
    width(&visible(name)) <= name_columns(transcript, columns)
}

impl TurnText {
    /// Lays out a turn; with `folds`, only its first rows if it is long.
    pub fn new(transcript: &Transcript, number: usize, columns: usize, folds: bool) -> Self {
        let turn = &transcript.dialog.turns[number];
        let (_, room) = margin_and_room(transcript, columns);
        let places = turn.places(transcript.dialog.units);
        let bytes = |segment: &Segment| segment.span.map_or(0..0, |span| places.bytes_of(span));
        let segments = Ranges::new(turn.segments.iter().map(bytes));
        let problems = transcript.problems_of(Some(number)).iter();
        let mut rows = wrap(&turn.text, room);
        // The first call, or the reasoning, is beside the name of the speaker.
        if turn.text.is_empty() && (!turn.calls.is_empty() || turn.reasoning().is_some()) {
            rows.clear();
        }
        let note = folds.then(|| fold_note(rows.len(), FOLDED, turn.text.len()));
        let mut note = note.flatten();
        if note.is_some() {
            rows.truncate(FOLDED);
        }
        if turn.text.is_empty() && turn.speaker.role == Role::Context {
            note = answered(transcript, number).map(|name| {
                let name = truncated(&format!("result of {name}"), room.saturating_sub(2));
                ["→ ", &name].concat()
            });
        }
        Self {
            note,
            worst: problems.map(|problem| problem.severity).max(),
            rows,
            overlap: segments.overlap(),
            segments,
            places,
        }
    }

    /// Returns the row that contains byte `at` of the text.
    pub fn row_of(&self, at: usize) -> usize {
        let after = self.rows.partition_point(|row| row.start <= at);
        after.saturating_sub(1)
    }
}

/// Returns the name of the call that a turn answers; the answer is shown below that call. None if it answers none.
fn answered(transcript: &Transcript, number: usize) -> Option<&str> {
    let turns = &transcript.dialog.turns;
    let (asked, call) = answered_call(turns, number)?;
    Some(&turns[asked].calls[call].name)
}

impl TurnHits {
    pub fn new(transcript: &Transcript, number: usize) -> Self {
        // The matches are in the order of their turns.
        let hits = &transcript.hits;
        let first = hits.partition_point(|hit| hit.turn < number);
        let end = hits.partition_point(|hit| hit.turn <= number);
        let here = || hits[first..end].iter();
        Self {
            ranges: Ranges::new(here().map(|hit| hit.bytes.clone())),
            whole: here().any(|hit| hit.bytes.is_empty()),
        }
    }
}

impl RowMarks {
    /// Lays out the marks under a row.
    pub fn new(transcript: &Transcript, part: RowPart, text: &TurnText, columns: usize) -> Self {
        let turn = &transcript.dialog.turns[part.turn];
        let row = &text.rows[part.row];
        let here = text.segments.touching(row);
        let (bytes, positions): (Vec<_>, Vec<_>) = here.into_iter().unzip();
        let name = |position: &usize| {
            let problems = transcript.problems_of_segment(part.turn, *position);
            let problems = problems.filter(|(_, problem)| problem.is_worth_changing());
            let name = mark_name(transcript, &turn.segments[*position]);
            let marks = transcript.marks_of(part.turn);
            let differs = marks.is_some_and(|marks| marks.segments.contains(position));
            MarkName {
                text: if differs { [&name, " ≠"].concat() } else { name },
                worst: problems.map(|(_, problem)| problem.severity).max(),
            }
        };
        let names: Vec<_> = positions.iter().map(name).collect();
        let (_, room) = margin_and_room(transcript, columns);
        let lanes = lanes(&turn.text, row, &bytes, |_| 0);
        Self { lines: mark_lines(&lanes, &names, room), positions, names }
    }

    /// Returns line `line` of the marks under turn `number`.
    pub fn line(
        &self,
        transcript: &Transcript,
        number: usize,
        line: usize,
        look: &TurnStyle,
        columns: usize,
    ) -> Line {
        let turn = &transcript.dialog.turns[number];
        let (margin, _) = margin_and_room(transcript, columns);
        let look = |item: usize| {
            let position = self.positions[item];
            let ink = transcript.segment_ink(&turn.segments[position]).barred();
            (ink, &self.names[item], look.segment == Some(position))
        };
        mark_line(&self.lines[line], look, margin)
    }
}

/// Returns the number of a turn and its speaker, with marks before them.
fn head(
    transcript: &Transcript,
    number: usize,
    text: &TurnText,
    hits: &TurnHits,
    look: &TurnStyle,
    margin: usize,
) -> Line {
    let speaker = &transcript.dialog.turns[number].speaker;
    let sign = match transcript.bookmarks.contains(&number) {
        _ if look.current => "▸",
        true => "◆",
        false => " ",
    };
    let mut line = Line::of(Ink::Strong, sign);
    let digits = number_columns(transcript);
    let ink = if hits.whole { Ink::Title } else { Ink::Dim };
    line.push(ink, &format_compact!("{number:>digits$} "));
    mark_worst(&mut line, text.worst);
    let name = speaker_name(&speaker.name, margin - digits - 3);
    line.with(Ink::Speaker(speaker.role), &name)
}

/// Returns a line below the text with the number and the speaker of its turn before it, as the first one of a turn that
/// has no text.
pub fn headed_line(
    transcript: &Transcript,
    number: usize,
    below: &Line,
    text: &TurnText,
    hits: &TurnHits,
    look: &TurnStyle,
    columns: usize,
) -> Line {
    let (margin, _) = margin_and_room(transcript, columns);
    let mut line =
        Line { runs: head(transcript, number, text, hits, look, margin).runs, ..below.clone() };
    fill_margin(&mut line, transcript, number, margin);
    // Its own margin is spaces, and the mark of a side branch.
    let mut used = 0;
    for run in &below.runs {
        let of_margin = margin.saturating_sub(used);
        let kept = run.text.char_indices().nth(of_margin).map_or("", |(at, _)| &run.text[at..]);
        used += run.text.chars().count();
        if !kept.is_empty() {
            line.runs.push(TextRun { text: kept.into(), ..run.clone() });
        }
    }
    line
}

/// Returns the line of a row.
pub fn text_line(
    transcript: &Transcript,
    part: RowPart,
    text: &TurnText,
    hits: &TurnHits,
    look: &TurnStyle,
    columns: usize,
) -> Line {
    let RowPart { turn: number, row } = part;
    let turn = &transcript.dialog.turns[number];
    let (margin, _) = margin_and_room(transcript, columns);
    let mut line =
        if row == 0 { head(transcript, number, text, hits, look, margin) } else { Line::new() };
    fill_margin(&mut line, transcript, number, margin);
    let bytes = &text.rows[row];
    let stretch = |(bytes, position): (Range<usize>, usize)| {
        let ink = transcript.segment_ink(&turn.segments[position]);
        MarkedSpan {
            bytes,
            ink: if look.marked { ink.barred() } else { ink },
            selected: look.segment == Some(position),
        }
    };
    let stretches = text.segments.touching(bytes);
    let stretches: Vec<_> = stretches.into_iter().map(stretch).collect();
    let found = hits.ranges.touching(bytes);
    let found: Vec<_> = found.into_iter().map(|(bytes, _)| bytes).collect();
    let next = text.rows.get(row + 1);
    let marked = MarkedText {
        text: &turn.text,
        stretches: &stretches,
        hits: &found,
        differing: transcript.marks_of(number).map_or(&[][..], |marks| &marks.text),
        selection: look.selection.clone(),
        caret: look.caret,
    };
    line.anchor = Some(TextAnchor { column: margin, byte: bytes.start });
    // The end of a row shows a line feed, except where its very place matters.
    let is_exact = bytes.end == turn.text.len()
        || look.caret.is_some()
        || look.selection.is_some()
        || !(stretches.is_empty() && found.is_empty());
    let mut shown = bytes.clone();
    if !is_exact && turn.text[bytes.clone()].ends_with('\n') {
        shown.end -= 1;
    }
    line.runs.extend(marked.row(&shown, next.map_or(usize::MAX, |next| next.start)));
    match text.note.as_ref().filter(|_| next.is_none()) {
        Some(note) => with_note(&line, note, columns),
        None => line,
    }
}

/// Inserts a sign for the worst of a turn's problems before the turn's number, which ends the line so far.
fn mark_worst(line: &mut Line, worst: Option<Severity>) {
    if let Some(worst) = worst.filter(|worst| *worst > Severity::Note)
        && let Some(run) = line.runs.last_mut()
        && let Some(rest) = run.text.strip_prefix(' ')
    {
        run.text = rest.into();
        let sign = TextRun { text: "▲".into(), ink: problem_ink(worst), ..TextRun::default() };
        line.runs.insert(line.runs.len() - 1, sign);
    }
}

/// Returns a speaker's name, or its first letter where there is no room.
fn speaker_name(name: &str, columns: usize) -> String {
    match name.chars().next() {
        None => "?".to_owned(),
        Some(first) if columns < 2 => first.to_uppercase().to_string(),
        Some(_) => truncated(name, columns),
    }
}

/// Returns the labels of a segment, each once, without the beginning that the labels of the dialog share.
pub fn mark_name(transcript: &Transcript, segment: &Segment) -> String {
    let mut names: Vec<&str> = Vec::new();
    for label in &segment.labels {
        if !names.contains(&label.name.as_str()) {
            names.push(&label.name);
        }
    }
    let names: Vec<_> = names.into_iter().map(|name| transcript.short_label(name)).collect();
    visible(&names.join(" + ")).into_owned()
}
