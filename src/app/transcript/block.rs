//! One turn as lines: what is said, its segments, calls, acts, state and votes.

use compact_str::format_compact;

use super::Transcript;
use super::ballot::{detector_line, judged_as, vote_line};
use super::row::{Hits, Stretch, Text};
use crate::app::Caret;
use crate::app::details::problem_ink;
use crate::app::line::{Ink, Line, Run, Said, cut, elided, label_ink, wrapped};
use crate::dialog::{ActSlot, ApiCall, Payload, Span, StateSlot};
use crate::format::embedded;
use crate::lint::{Diagnostic, Severity};
use crate::text::{Placed, Row, lanes, visible, width, wrap};

/// How a turn is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    pub columns: usize,
    pub standing: Standing,
    /// The segment that is chosen.
    pub segment: Option<usize>,
    /// Marks of segments stand under every turn.
    pub all_marks: bool,
    pub folded: bool,
}

/// Whether a turn is the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Current,
    /// It was until the mouse was pressed on another one, and keeps its rows until it lets go.
    Left,
    Other,
}

impl Look {
    pub fn is_current(&self) -> bool {
        self.standing == Standing::Current
    }

    /// True if it has the rows that only the current turn has.
    pub fn is_open(&self) -> bool {
        self.standing != Standing::Other
    }
}

/// Columns of a turn's number, at the least.
const NUMBER: usize = 4;
/// Columns of a speaker's name, at the most.
const NAME: usize = 10;
/// Rows of a call's arguments or response, at the most; all of it is in the details.
const CALL: usize = 4;
/// A pane with fewer columns has only the first letter of a speaker's name.
const WIDE: usize = 56;

/// Columns before what is said, and columns for it.
fn margin_and_room(transcript: &Transcript, columns: usize) -> (usize, usize) {
    let margin = number_columns(transcript) + 3 + name_columns(transcript, columns);
    (margin, columns.saturating_sub(margin + 1).max(8))
}

/// The rows of what is said in turn `number`.
pub(super) fn text_rows(transcript: &Transcript, number: usize, columns: usize) -> Vec<Row> {
    let (_, room) = margin_and_room(transcript, columns);
    wrap(&transcript.dialog.turns[number].text, room)
}

/// The lines of turn `number`, whose text has these `rows`.
pub(super) fn block(
    transcript: &Transcript,
    number: usize,
    rows: &[Row],
    look: &Look,
) -> Vec<Line> {
    let turn = &transcript.dialog.turns[number];
    let (margin, room) = margin_and_room(transcript, look.columns);
    let mut lines = said(transcript, number, rows, look, margin);
    let indent = |ink: Ink, sign: &str| {
        let mut line = Line::new();
        line.fill(margin);
        line.with(ink, sign)
    };
    for call in &turn.calls {
        lines.extend(call_lines(call, look, &indent));
    }
    if !turn.acts.is_empty() {
        let acts: Vec<_> = turn
            .acts
            .iter()
            .map(|act| act_text(&act.name, &act.slots))
            .collect();
        lines.extend(wrapped(
            indent(Ink::Dim, "acts  "),
            Ink::Call,
            &acts.join(", "),
            look.columns.saturating_sub(1),
        ));
    }
    if let Some(state) = &turn.state {
        let before = state_before(transcript, number);
        if let Some(changes) = changes(state, before) {
            lines.extend(wrapped(
                indent(Ink::Dim, "state "),
                Ink::Changed,
                &changes,
                look.columns.saturating_sub(1),
            ));
        }
    }
    if transcript.judge.hides(turn) {
        if !turn.votes.is_empty() || !turn.detections.is_empty() {
            lines.push(indent(Ink::Dim, "votes are hidden until you have judged"));
        }
    } else {
        if !turn.votes.is_empty() {
            let own = transcript.judge.own(turn);
            lines.push(vote_line(&turn.votes, own, indent(Ink::Plain, ""), room));
        }
        if let Some(note) = judged_as(turn, room) {
            lines.push(indent(Ink::Warning, &note));
        }
        for detection in &turn.detections {
            lines.push(detector_line(detection, indent(Ink::Dim, "detector ")));
        }
    }
    let here = || {
        transcript
            .problems
            .iter()
            .filter(|d| d.spot.turn == Some(number))
    };
    for problem in here().filter(|d| look.is_open() && d.spot.segment.is_none()) {
        let ink = problem_ink(problem.severity);
        let head = indent(ink, "▲ ");
        let columns = look.columns.saturating_sub(1);
        lines.extend(wrapped(head, ink, &problem.message, columns));
    }
    // Marked where it is, before the turn's number.
    if let (Some(worst), Some(first)) = (here().map(|d| d.severity).max(), lines.first_mut())
        && worst > Severity::Info
        && let Some(run) = first.runs.get_mut(1)
    {
        let digits = run.text.clone();
        let mark = Run {
            text: "▲".into(),
            ink: problem_ink(worst),
            ..Run::default()
        };
        if let Some(rest) = digits.strip_prefix(' ') {
            run.text = rest.into();
            first.runs.insert(1, mark);
        }
    }
    for line in &mut lines {
        line.selected = look.is_current();
    }
    lines
}

/// Columns of the turns' numbers. Before them stands the sign of the current turn, behind them a blank,
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

fn said(
    transcript: &Transcript,
    number: usize,
    rows: &[Row],
    look: &Look,
    margin: usize,
) -> Vec<Line> {
    let turn = &transcript.dialog.turns[number];
    let units = transcript.dialog.units;
    let stretches: Vec<_> = turn
        .segments
        .iter()
        .enumerate()
        .map(|(i, segment)| Stretch {
            bytes: segment.span.map_or(0..0, |span| turn.bytes_of(span, units)),
            ink: segment
                .labels
                .first()
                .map_or(Ink::Label(0), |label| label_ink(&label.name)),
            selected: look.segment == Some(i),
        })
        .collect();
    let caret = transcript.caret.filter(|_| look.is_current());
    let selection = caret.and_then(Caret::selection);
    let at = |offset: u32| {
        turn.bytes_of(
            Span {
                start: offset,
                end: offset,
            },
            units,
        )
        .start
    };
    let caret = caret.map(|caret| at(caret.at));
    let selection = selection.map(|span| turn.bytes_of(span, units));
    // They stand in the order of their turns.
    let first = transcript.hits.partition_point(|hit| hit.turn < number);
    let here = transcript.hits[first..].iter();
    let here = here.take_while(|hit| hit.turn == number);
    let whole = here.clone().any(|hit| hit.bytes.is_empty());
    let hits = Hits::new(here.map(|hit| hit.bytes.clone()).collect());
    let bytes: Vec<_> = stretches
        .iter()
        .map(|stretch| stretch.bytes.clone())
        .collect();
    let marked = look.is_open() || look.all_marks || overlap(&bytes);
    let named = |(i, segment)| {
        let wrong = |d: &Diagnostic| {
            (d.spot.turn, d.spot.segment) == (Some(number), Some(i)) && d.is_worth_changing()
        };
        lane_name(segment, transcript.problems.iter().any(wrong))
    };
    let segments = turn.segments.iter().enumerate().filter(|_| marked);
    let names: Vec<_> = segments.map(named).collect();
    let digits = number_columns(transcript);
    let mut lines = Vec::new();
    for (i, row) in rows.iter().cloned().enumerate() {
        let mut line = Line::new();
        if i == 0 {
            let sign = if look.is_current() { "▸" } else { " " };
            line.push(Ink::Strong, sign);
            line.push(
                if whole { Ink::Title } else { Ink::Dim },
                &format_compact!("{number:>digits$} "),
            );
            let name = speaker_name(&turn.speaker.name, margin - digits - 3);
            line.push(Ink::Speaker(turn.speaker.role), &name);
        }
        line.fill(margin);
        let text = Text {
            text: &turn.text,
            stretches: &stretches,
            hits: hits.near(&row),
            selection: selection.clone(),
            caret,
        };
        let next = rows.get(i + 1).map_or(usize::MAX, |next| next.start);
        line.said = Some(Said {
            column: margin,
            byte: row.start,
        });
        line.runs.extend(text.row(&row, next));
        lines.push(line);
        if marked {
            let tail = |item: usize| 1 + width(&names[item]);
            for lane in lanes(&turn.text, &row, &bytes, tail) {
                lines.push(lane_line(&lane, &stretches, &names, margin, look.columns));
            }
        }
    }
    lines
}

/// A speaker's name; where there is no room, its first letter.
fn speaker_name(name: &str, columns: usize) -> String {
    match name.chars().next() {
        None => "?".to_owned(),
        Some(first) if columns < 2 => first.to_uppercase().to_string(),
        Some(_) => cut(name, columns),
    }
}

fn overlap(bytes: &[std::ops::Range<usize>]) -> bool {
    let crosses =
        |a: &std::ops::Range<usize>, b: &std::ops::Range<usize>| a.start < b.end && b.start < a.end;
    bytes
        .iter()
        .enumerate()
        .any(|(i, a)| bytes[..i].iter().any(|b| crosses(a, b)))
}

/// The labels of a segment, each once, with a sign if something is wrong with it.
fn lane_name(segment: &crate::dialog::Segment, wrong: bool) -> String {
    let mut names: Vec<&str> = Vec::new();
    for label in &segment.labels {
        if !names.contains(&label.name.as_str()) {
            names.push(&label.name);
        }
    }
    let sign = if wrong { " ▲" } else { "" };
    visible(&names.join(" + ")).into_owned() + sign
}

fn lane_line(
    lane: &[Placed],
    stretches: &[Stretch],
    names: &[String],
    margin: usize,
    columns: usize,
) -> Line {
    let mut line = Line::new();
    line.fill(margin);
    for placed in lane {
        let stretch = &stretches[placed.item];
        let name = &names[placed.item];
        let start = margin + placed.start;
        let right = columns.saturating_sub(start + placed.width + 2);
        let left = start.saturating_sub(line.width() + 2);
        // At the edge of the pane, the name stands before its mark.
        let before = placed.ends && width(name) > right && left > right;
        if before {
            let name = elided(name, left);
            line.fill(start - 1 - width(&name));
            line.push(stretch.ink, &name);
        }
        line.fill(start);
        let mark = if stretch.selected { "━" } else { "▔" };
        line.push(stretch.ink, &mark.repeat(placed.width));
        if placed.ends && !before && right > 3 {
            line.push(Ink::Plain, " ");
            line.push(stretch.ink, &elided(name, right));
        }
    }
    line
}

fn call_lines(call: &ApiCall, look: &Look, indent: &impl Fn(Ink, &str) -> Line) -> Vec<Line> {
    let name = visible(&call.name).into_owned();
    let arguments = call.arguments.as_ref().map(payload).unwrap_or_default();
    let asked = format!("{name}({arguments})");
    let columns = look.columns.saturating_sub(1);
    if look.folded {
        let mut line = indent(Ink::Call, "↳ ");
        let room = columns.saturating_sub(line.width());
        line.push(Ink::Call, &cut(&asked, room));
        return vec![line];
    }
    let mut lines = wrapped(indent(Ink::Call, "↳ "), Ink::Call, &asked, columns);
    shorten(&mut lines, columns);
    if let Some(response) = &call.response {
        let head = indent(Ink::Dim, "  → ");
        let mut answer = wrapped(head, Ink::Plain, &payload(response), columns);
        shorten(&mut answer, columns);
        lines.extend(answer);
    }
    lines
}

/// Leaves the first rows, and says how many more there are.
fn shorten(lines: &mut Vec<Line>, columns: usize) {
    let more = lines.len().saturating_sub(CALL);
    if more < 2 {
        return;
    }
    lines.truncate(CALL);
    if let Some(last) = lines.last_mut() {
        let note = format!(" … {more} more rows");
        let room = columns.saturating_sub(width(&note));
        let text = cut(&last.text(), room);
        let ink = last.runs.last().map_or(Ink::Plain, |run| run.ink);
        *last = Line::of(ink, &text).with(Ink::Dim, &note);
    }
}

/// Names and values in one line.
pub fn payload(payload: &Payload) -> String {
    let pair = |name: &str, value: &str| match name {
        "" => value.to_owned(),
        _ => format!("{name}={value}"),
    };
    match payload {
        Payload::Fields(fields) => {
            let fields = fields
                .iter()
                .map(|f| pair(&f.name, &embedded::shown(&f.content)));
            fields.collect::<Vec<_>>().join(", ")
        }
        Payload::Embedded { text, .. } => match embedded::arguments(text) {
            Ok(pairs) => pairs
                .iter()
                .map(|(n, v)| pair(n, v))
                .collect::<Vec<_>>()
                .join(", "),
            Err(error) => format!("{text}  ▲ broken JSON: {error}"),
        },
    }
}

/// An act as a call is written: `INFORM(date=tomorrow)`.
pub fn act_text(name: &str, slots: &[ActSlot]) -> String {
    let slot = |slot: &ActSlot| match &slot.value {
        Some(value) => format!("{}={}", slot.slot, embedded::shown(value)),
        None => slot.slot.to_string(),
    };
    match slots {
        [] => name.to_owned(),
        _ => format!(
            "{name}({})",
            slots.iter().map(slot).collect::<Vec<_>>().join(", ")
        ),
    }
}

/// The dialogue state that turn `number` found.
pub fn state_before(transcript: &Transcript, number: usize) -> &[StateSlot] {
    let mut before = transcript.dialog.turns[..number].iter().rev();
    before
        .find_map(|turn| turn.state.as_deref())
        .unwrap_or_default()
}

/// What a turn changed in the state: `+` new, `~` another value, `-` gone; None if nothing.
fn changes(state: &[StateSlot], before: &[StateSlot]) -> Option<String> {
    let find = |slots: &[StateSlot], name: &str| slots.iter().position(|s| s.slot == name);
    let changed = state.iter().filter_map(|slot| {
        let sign = match find(before, &slot.slot) {
            None => '+',
            Some(i) if before[i].value != slot.value => '~',
            Some(_) => return None,
        };
        Some(format!(
            "{sign}{}={}",
            slot.slot,
            embedded::shown(&slot.value)
        ))
    });
    let gone = before.iter().filter(|old| find(state, &old.slot).is_none());
    let all: Vec<_> = changed
        .chain(gone.map(|old| format!("-{}", old.slot)))
        .collect();
    (!all.is_empty()).then(|| all.join(", "))
}
