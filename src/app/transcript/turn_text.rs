//! What a turn says, row by row, with the marks of its segments under each row.

use std::ops::Range;

use compact_str::format_compact;

use super::Transcript;
use super::ranges::Ranges;
use super::row::{MarkedSpan, MarkedText};
use crate::app::details::problem_ink;
use crate::app::line::{Ink, Line, TextAnchor, TextRun, elided, label_ink, truncated};
use crate::dialog::{Places, Segment};
use crate::lint::Severity;
use crate::text::{LaneMark, WrappedRow, lanes, visible, width, wrap};

/// Columns of a turn's number, at the least.
const NUMBER: usize = 4;
/// Columns of a speaker's name, at the most.
const NAME: usize = 10;
/// A pane with fewer columns has only the first letter of a speaker's name.
const WIDE: usize = 56;

/// What does not change while a dialog is read: how the text of a turn is broken into rows, where its
/// segments are in it, and how bad its problems are.
#[derive(Debug)]
pub struct TurnText {
    pub rows: Vec<WrappedRow>,
    pub places: Places,
    segments: Ranges,
    /// Marks are needed to tell segments apart.
    pub overlap: bool,
    worst: Option<Severity>,
}

/// What a search found in a turn.
#[derive(Debug)]
pub struct TurnHits {
    ranges: Ranges,
    /// The turn as a whole was found.
    whole: bool,
}

/// The marks under a row.
#[derive(Debug)]
pub struct RowMarks {
    /// The segments in the row: their positions in the turn, and their names.
    segments: Vec<(usize, String)>,
    pub lanes: Vec<Vec<LaneMark>>,
}

/// How the rows of a turn look now.
#[derive(Debug, Default)]
pub struct TurnStyle {
    pub current: bool,
    /// The segment that is chosen.
    pub segment: Option<usize>,
    /// The byte that the caret is before, and the bytes that are selected.
    pub caret: Option<usize>,
    pub selection: Option<Range<usize>>,
}

/// Columns before what is said, and columns for it.
pub(super) fn margin_and_room(transcript: &Transcript, columns: usize) -> (usize, usize) {
    let margin = number_columns(transcript) + 3 + name_columns(transcript, columns);
    (margin, columns.saturating_sub(margin + 1).max(8))
}

/// Columns of the turns' numbers. Before them is the sign of the current turn, behind them a space,
/// and one behind the names.
fn number_columns(transcript: &Transcript) -> usize {
    let last = transcript.len().saturating_sub(1);
    (last.checked_ilog10().unwrap_or(0) as usize + 1).max(NUMBER)
}

/// Columns of the speakers' names.
fn name_columns(transcript: &Transcript, columns: usize) -> usize {
    if columns < WIDE {
        return 1;
    }
    let names = transcript.dialog.turns.iter().take(4);
    names
        .map(|turn| width(&turn.speaker.name))
        .max()
        .unwrap_or(0)
        .clamp(4, NAME)
}

impl TurnText {
    pub fn new(transcript: &Transcript, number: usize, columns: usize) -> Self {
        let turn = &transcript.dialog.turns[number];
        let (_, room) = margin_and_room(transcript, columns);
        let places = turn.places(transcript.dialog.units);
        let bytes = |segment: &Segment| segment.span.map_or(0..0, |span| places.bytes_of(span));
        let segments = Ranges::new(turn.segments.iter().map(bytes));
        let problems = transcript.problems_of(Some(number)).iter();
        Self {
            worst: problems.map(|problem| problem.severity).max(),
            rows: wrap(&turn.text, room),
            overlap: segments.overlap(),
            segments,
            places,
        }
    }

    /// The row that byte `at` of the text is in.
    pub fn row_of(&self, at: usize) -> usize {
        let behind = self.rows.partition_point(|row| row.start <= at);
        behind.saturating_sub(1)
    }
}

impl TurnHits {
    pub fn new(transcript: &Transcript, number: usize) -> Self {
        // They are in the order of their turns.
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
    /// The marks under row `row` of turn `number`.
    pub fn new(transcript: &Transcript, number: usize, text: &TurnText, row: usize) -> Self {
        let turn = &transcript.dialog.turns[number];
        let row = &text.rows[row];
        let here = text.segments.touching(row);
        let (bytes, positions): (Vec<_>, Vec<_>) = here.into_iter().unzip();
        let named = |position: usize| {
            let mut problems = transcript.problems_of_segment(number, position);
            let wrong = problems.any(|(_, problem)| problem.is_worth_changing());
            (position, lane_name(&turn.segments[position], wrong))
        };
        let segments: Vec<_> = positions.into_iter().map(named).collect();
        let tail = |item: usize| 1 + width(&segments[item].1);
        Self {
            lanes: lanes(&turn.text, row, &bytes, tail),
            segments,
        }
    }

    /// The line of lane `lane` under turn `number`.
    pub fn line(
        &self,
        transcript: &Transcript,
        (number, lane): (usize, usize),
        look: &TurnStyle,
        columns: usize,
    ) -> Line {
        let turn = &transcript.dialog.turns[number];
        let (margin, _) = margin_and_room(transcript, columns);
        let mut line = Line::new();
        line.fill(margin);
        for placed in &self.lanes[lane] {
            let (position, name) = &self.segments[placed.item];
            let ink = segment_ink(&turn.segments[*position]);
            let start = margin + placed.start;
            let right = columns.saturating_sub(start + placed.width + 2);
            let left = start.saturating_sub(line.width() + 2);
            // At the edge of the pane, the name is before its mark.
            let before = placed.ends && width(name) > right && left > right;
            if before {
                let name = elided(name, left);
                line.fill(start - 1 - width(&name));
                line.push(ink, &name);
            }
            line.fill(start);
            let chosen = look.segment == Some(*position);
            let mark = if chosen { "━" } else { "▔" };
            line.push(ink, &mark.repeat(placed.width));
            if placed.ends && !before && right > 3 {
                line.push(Ink::Plain, " ");
                line.push(ink, &elided(name, right));
            }
        }
        line
    }
}

/// The line of row `row` of what turn `number` says.
pub(super) fn text_line(
    transcript: &Transcript,
    (number, row): (usize, usize),
    (text, hits): (&TurnText, &TurnHits),
    look: &TurnStyle,
    columns: usize,
) -> Line {
    let turn = &transcript.dialog.turns[number];
    let (margin, _) = margin_and_room(transcript, columns);
    let mut line = Line::new();
    if row == 0 {
        let sign = if look.current { "▸" } else { " " };
        line.push(Ink::Strong, sign);
        let digits = number_columns(transcript);
        let ink = if hits.whole { Ink::Title } else { Ink::Dim };
        line.push(ink, &format_compact!("{number:>digits$} "));
        mark_worst(&mut line, text.worst);
        let name = speaker_name(&turn.speaker.name, margin - digits - 3);
        line.push(Ink::Speaker(turn.speaker.role), &name);
    }
    line.fill(margin);
    let bytes = &text.rows[row];
    let stretch = |(bytes, position): (Range<usize>, usize)| MarkedSpan {
        bytes,
        ink: segment_ink(&turn.segments[position]),
        selected: look.segment == Some(position),
    };
    let stretches = text.segments.touching(bytes);
    let stretches: Vec<_> = stretches.into_iter().map(stretch).collect();
    let found = hits.ranges.touching(bytes);
    let found: Vec<_> = found.into_iter().map(|(bytes, _)| bytes).collect();
    let next = text.rows.get(row + 1);
    let said = MarkedText {
        text: &turn.text,
        stretches: &stretches,
        hits: &found,
        selection: look.selection.clone(),
        caret: look.caret,
    };
    line.said = Some(TextAnchor {
        column: margin,
        byte: bytes.start,
    });
    line.runs
        .extend(said.row(bytes, next.map_or(usize::MAX, |next| next.start)));
    line
}

/// Puts a sign for the worst of a turn's problems before its number, which is last in the line.
fn mark_worst(line: &mut Line, worst: Option<Severity>) {
    if let Some(worst) = worst.filter(|worst| *worst > Severity::Info)
        && let Some(run) = line.runs.last_mut()
        && let Some(rest) = run.text.strip_prefix(' ')
    {
        run.text = rest.into();
        let sign = TextRun {
            text: "▲".into(),
            ink: problem_ink(worst),
            ..TextRun::default()
        };
        line.runs.insert(line.runs.len() - 1, sign);
    }
}

/// A speaker's name; where there is no room, its first letter.
fn speaker_name(name: &str, columns: usize) -> String {
    match name.chars().next() {
        None => "?".to_owned(),
        Some(first) if columns < 2 => first.to_uppercase().to_string(),
        Some(_) => truncated(name, columns),
    }
}

fn segment_ink(segment: &Segment) -> Ink {
    let label = segment.labels.first();
    label.map_or(Ink::Label(0), |label| label_ink(&label.name))
}

/// The labels of a segment, each once, with a sign if something is wrong with it.
fn lane_name(segment: &Segment, wrong: bool) -> String {
    let mut names: Vec<&str> = Vec::new();
    for label in &segment.labels {
        if !names.contains(&label.name.as_str()) {
            names.push(&label.name);
        }
    }
    let sign = if wrong { " ▲" } else { "" };
    visible(&names.join(" + ")).into_owned() + sign
}
