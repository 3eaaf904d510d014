//! Prints one turn: speaker, text, and all annotations.

mod lanes;

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::ops::Range;

use crate::cli::printer::Printer;
use crate::cli::style;
use crate::dialog::{
    ApiCall, Breakdown, Content, Detection, Dialog, Judgement, Payload, Place, Role, Segment,
    StateSlot, Turn, TurnSpans, Vote,
};
use crate::format::embedded::ShownPayload;
use crate::format::{embedded, media_lines};
use crate::lint::{Diagnostic, Severity};
use crate::text::{FOLDED, IntervalIndex, Units, fold_note, percent, visible, width, wrap};
use lanes::drawn;

/// Columns before the text: number and speaker.
const MARGIN: usize = 15;
/// Columns of a full vote bar.
const BAR: usize = 20;

/// How wide texts are printed, and whether long instructions, calls, answers and fields are folded to their first rows.
#[derive(Clone, Copy)]
pub struct Page {
    pub columns: usize,
    pub folds: bool,
}

impl Page {
    /// Returns the rows of a text that are printed, and a note about the others.
    pub fn rows(
        self,
        rows: Vec<Range<usize>>,
        bytes: usize,
    ) -> (Vec<Range<usize>>, Option<String>) {
        let note = fold_note(rows.len(), FOLDED, bytes).filter(|_| self.folds);
        let kept = if note.is_some() { FOLDED } else { rows.len() };
        (rows.into_iter().take(kept).collect(), note)
    }
}

/// Prints what is left out of a text, at this column.
pub fn show_note(note: Option<String>, margin: usize, out: &mut Printer) -> io::Result<()> {
    let dim = out.style(style::DIM);
    match note {
        Some(note) => writeln!(out, "{:margin$}{dim}{}{dim:#}", "", note.trim_start()),
        None => Ok(()),
    }
}

/// Prints a turn with carets under `marks`, which are byte ranges of its text in order; `before` is the
/// dialogue state before it.
pub fn show(
    turn: &Turn,
    number: usize,
    marks: &[Range<usize>],
    before: Option<&[StateSlot]>,
    units: Units,
    page: Page,
    out: &mut Printer,
) -> io::Result<()> {
    let (spans, columns) = (turn.spans(units), page.columns);
    text(turn, number, &spans, marks, page, out)?;
    for (number, segment) in turn.segments.iter().enumerate() {
        show_segment(&spans, number, segment, columns, out)?;
        for field in &segment.fields {
            line(&field.name, &embedded::shown(&field.content), columns, out)?;
        }
    }
    for call in &turn.calls {
        show_call(call, page, out)?;
    }
    for medium in media_lines(turn) {
        line("part", &medium, columns, out)?;
    }
    if !turn.unread.is_empty() {
        line("not read", &turn.unread.names(), columns, out)?;
    }
    if !turn.acts.is_empty() {
        line("acts", &embedded::shown_acts(&turn.acts), columns, out)?;
    }
    if !turn.intents.is_empty() {
        line("intents", &turn.intents.join(", "), columns, out)?;
    }
    if let Some(state) = &turn.state {
        line("state", &state_changes(state, before.unwrap_or_default()), columns, out)?;
    }
    show_votes(&turn.votes, columns, out)?;
    for detection in &turn.detections {
        line("detector", &detected(detection), columns, out)?;
    }
    for field in turn.fields.iter().filter(|field| !field.content.as_str().is_empty()) {
        named(&field.name, &embedded::shown(&field.content), page, out)?;
    }
    Ok(())
}

/// Prints the events at the turn above, and its side branches: the one that it is in, and those that its calls started.
pub fn show_asides(dialog: &Dialog, turn: usize, page: Page, out: &mut Printer) -> io::Result<()> {
    for event in dialog.events.at(turn) {
        named("event", event, page, out)?;
    }
    if let Some(branch) = dialog.branches.of_turn(turn) {
        named("in", &branch.title(), page, out)?;
    }
    let started = dialog
        .branches
        .0
        .iter()
        .filter(|branch| branch.asked.is_some_and(|(asked, _)| asked == turn));
    for branch in started {
        named("started", &branch.title(), page, out)?;
    }
    Ok(())
}

/// Prints the judgements of the turn above, and those of the whole dialog that point to it.
pub fn show_judgements(
    dialog: &Dialog,
    turn: usize,
    columns: usize,
    out: &mut Printer,
) -> io::Result<()> {
    let here = |judgement: &&Judgement| judgement.found_at() == turn;
    for judgement in dialog.judgements.iter().filter(here) {
        let question = match judgement.question.as_str() {
            "" => "",
            question => &format!("{question} "),
        };
        let of = match judgement.place {
            Place::DIALOG => " · of the dialog".to_owned(),
            Place { span: None, call: None, .. } => String::new(),
            _ if judgement.quote.is_empty() => " · of a part".to_owned(),
            _ => format!(" · of {:?}", judgement.quote),
        };
        let note = match judgement.note.as_str() {
            "" => String::new(),
            note => format!(": {note}"),
        };
        let says = judgement.says();
        line(&judgement.by, &format!("{question}{says}{of}{note}"), columns, out)?;
    }
    Ok(())
}

/// Prints a problem of the turn above.
pub fn show_problem(problem: &Diagnostic, columns: usize, out: &mut Printer) -> io::Result<()> {
    let text = format!("{} [{}]", problem.message, problem.rule.name);
    line(&mark(problem), &text, columns, out)
}

fn text(
    turn: &Turn,
    number: usize,
    spans: &TurnSpans<'_>,
    marks: &[Range<usize>],
    page: Page,
    out: &mut Printer,
) -> io::Result<()> {
    let style = out.style(match turn.speaker.role {
        Role::User => style::USER,
        Role::System => style::SYSTEM,
        Role::Context | Role::Other => style::PLACE,
    });
    let dim = out.style(style::DIM);
    let name = visible(&turn.speaker.name);
    // A name that is too long for its column has a row of its own.
    let (indent, used) = match width(&name) {
        long if 5 + long >= MARGIN => ("\n", 0),
        short => ("", 5 + short),
    };
    let pad = format!("{indent}{}", " ".repeat(MARGIN - used));
    let segments: Vec<_> =
        turn.segments.iter().map(|s| s.span.map_or(0..0, |span| spans.bytes_of(span))).collect();
    let stretches = IntervalIndex::new(&segments);
    // Leaves room for the number after a segment's mark at the end of a row.
    let room = page.columns - MARGIN - if segments.is_empty() { 0 } else { 2 };
    // What was said is whole.
    let folds = page.folds && turn.speaker.role == Role::Context && marks.is_empty();
    let (rows, note) = Page { folds, ..page }.rows(wrap(&turn.text, room), turn.text.len());
    for (i, row) in rows.into_iter().enumerate() {
        let shown = visible(&turn.text[row.clone()]);
        if i == 0 {
            let pad = if shown.is_empty() { "" } else { pad.as_str() };
            if name.is_empty() && shown.is_empty() {
                writeln!(out, "{dim}{number:>3}{dim:#}")?;
                continue;
            }
            writeln!(out, "{dim}{number:>3}{dim:#}  {style}{name}{style:#}{pad}{shown}")?;
        } else {
            writeln!(out, "{:MARGIN$}{shown}", "")?;
        }
        let marked = carets(&turn.text, &row, marks);
        if !marked.is_empty() {
            let place = out.style(style::PLACE);
            writeln!(out, "{:MARGIN$}{place}{marked}{place:#}", "")?;
        }
        let label = out.style(style::LABEL);
        for lane in drawn(&turn.text, &row, &stretches) {
            writeln!(out, "{:MARGIN$}{label}{lane}{label:#}", "")?;
        }
    }
    show_note(note, MARGIN, out)
}

/// Prints a text about a turn that was found, with carets under the hit: behind `head`, the text around a hit in
/// another text than the turn's own, or the values of variables.
pub fn show_excerpt(
    head: &str,
    excerpt: &str,
    hit: &Range<usize>,
    columns: usize,
    out: &mut Printer,
) -> io::Result<()> {
    let (dim, place) = (out.style(style::DIM), out.style(style::PLACE));
    let head = format!("{head}  ");
    let margin = MARGIN + width(&head);
    let room = columns.saturating_sub(margin).max(20);
    let marks = std::slice::from_ref(hit);
    for (i, row) in wrap(excerpt, room).into_iter().enumerate() {
        let shown = visible(&excerpt[row.clone()]);
        let marked = carets(excerpt, &row, marks);
        match i {
            0 => writeln!(out, "{:MARGIN$}{dim}{head}{dim:#}{shown}", "")?,
            _ => writeln!(out, "{:margin$}{shown}", "")?,
        }
        if !marked.is_empty() {
            writeln!(out, "{:margin$}{place}{marked}{place:#}", "")?;
        }
    }
    Ok(())
}

/// Returns a row with carets under the `marks` in a row of the text; empty if there are none.
fn carets(text: &str, row: &Range<usize>, marks: &[Range<usize>]) -> String {
    let mut carets = String::new();
    let columns = |range: Range<usize>| width(&visible(&text[range]));
    for mark in marks {
        let mark = mark.start.max(row.start)..mark.end.min(row.end);
        if mark.start >= mark.end {
            continue;
        }
        let start = columns(row.start..mark.start);
        // Marks may overlap.
        let from = carets.len().max(start);
        let end = (start + columns(mark)).max(start + 1);
        carets.push_str(&" ".repeat(from - carets.len()));
        carets.push_str(&"^".repeat(end.saturating_sub(from)));
    }
    carets
}

fn show_segment(
    spans: &TurnSpans<'_>,
    number: usize,
    segment: &Segment,
    columns: usize,
    out: &mut Printer,
) -> io::Result<()> {
    let (label, error) = (out.style(style::LABEL), out.style(style::ERROR));
    let plain = out.style(style::PLAIN);
    let span = segment.span.map_or_else(|| "no span".to_owned(), |span| span.to_string());
    let covered = segment.span.and_then(|span| spans.covered(span));
    let quote = segment.exact_quote().or(covered.as_deref());
    let mut parts = vec![(plain, format!("\"{}\"", visible(quote.unwrap_or_default())))];
    let names: Vec<_> = segment.labels.iter().map(|l| visible(&l.name)).collect();
    if !names.is_empty() {
        parts.push((label, names.join(" + ")));
    }
    match (segment.exact_quote(), &covered) {
        (Some(quote), Some(covered)) if quote != covered => {
            parts.push((error, format!("the span covers \"{}\"", visible(covered))));
        }
        (_, None) if segment.span.is_some() => {
            parts.push((error, "reaches beyond the text".to_owned()));
        }
        _ => {}
    }
    let dim = out.style(style::DIM);
    write!(out, "{:MARGIN$}{dim}{number:>2} {span:>9}{dim:#}", "")?;
    let mut used = MARGIN + 3 + span.len().max(9);
    let margin = MARGIN + 5;
    for (i, (style, text)) in parts.into_iter().enumerate() {
        if i > 0 && used + 2 + width(&text) > columns {
            write!(out, "\n{:1$}", "", margin - 2)?;
            used = margin - 2;
        }
        let mut room = columns.saturating_sub(used + 2);
        for (i, row) in wrap(&text, room).into_iter().enumerate() {
            if i > 0 {
                write!(out, "\n{:1$}", "", margin - 2)?;
                room = columns - margin;
            }
            let row = &text[row];
            write!(out, "  {style}{row}{style:#}")?;
            used = columns - room + width(row);
        }
    }
    writeln!(out)
}

fn show_call(call: &ApiCall, page: Page, out: &mut Printer) -> io::Result<()> {
    let arguments = call.arguments.as_ref().map(payload).unwrap_or_default();
    let name = visible(&call.name);
    hanging("↳ ", &format!("{name}({arguments})"), page, out)?;
    if let Some(response) = &call.response {
        let other = call.answered_as.as_ref().filter(|name| **name != call.name);
        let other = other.map_or(String::new(), |name| format!("{}: ", visible(name)));
        hanging("  → ", &format!("{other}{}", payload(response)), page, out)?;
    }
    for mark in call.failures() {
        hanging("  ! ", &visible(&embedded::shown_field(mark)), page, out)?;
    }
    for field in call.unknown() {
        hanging("    ", &visible(&embedded::shown_field(field)), page, out)?;
    }
    Ok(())
}

/// Prints a line of a call, wrapped and indented after `sign`.
fn hanging(sign: &str, text: &str, page: Page, out: &mut Printer) -> io::Result<()> {
    let style = out.style(style::CALL);
    let margin = MARGIN + width(sign);
    let rows = wrap(text, page.columns.saturating_sub(margin));
    let (rows, note) = page.rows(rows, text.len());
    for (i, row) in rows.into_iter().enumerate() {
        let sign = if i == 0 { sign.to_owned() } else { " ".repeat(width(sign)) };
        writeln!(out, "{:MARGIN$}{style}{sign}{}{style:#}", "", &text[row])?;
    }
    show_note(note, margin, out)
}

fn payload(payload: &Payload) -> String {
    let ShownPayload { line, broken } = embedded::shown_payload(payload);
    let broken = broken.map_or(String::new(), |why| format!("  [broken JSON: {why}]"));
    format!("{}{broken}", visible(&line))
}

/// Formats the state: `+` before a new slot, `~` before a changed value, `-` before a removed slot.
fn state_changes(state: &[StateSlot], before: &[StateSlot]) -> String {
    let (old, new) = (by_name(before), by_name(state));
    let mut shown: Vec<_> = state
        .iter()
        .map(|slot| {
            let mark = match old.get(slot.slot.as_str()) {
                None => "+",
                Some(old) if **old != slot.value => "~",
                Some(_) => "",
            };
            format!("{mark}{}={}", slot.slot, embedded::shown(&slot.value))
        })
        .collect();
    let gone = before.iter().filter(|old| !new.contains_key(old.slot.as_str()));
    shown.extend(gone.map(|old| format!("-{}", old.slot)));
    if shown.is_empty() { "(empty)".to_owned() } else { shown.join(", ") }
}

/// Returns the values of slots by name; of a repeated slot, the first value.
fn by_name(slots: &[StateSlot]) -> HashMap<&str, &Content> {
    let slots = slots.iter().rev();
    slots.map(|s| (s.slot.as_str(), &s.value)).collect()
}

fn show_votes(votes: &[Vote], columns: usize, out: &mut Printer) -> io::Result<()> {
    if votes.is_empty() {
        return Ok(());
    }
    let total = votes.len();
    for breakdown in Breakdown::ALL {
        let count = votes.iter().filter(|vote| vote.breakdown == Some(breakdown)).count();
        let full = (count * BAR + total / 2) / total;
        let bar = "█".repeat(full) + &"░".repeat(BAR - full);
        let percent = percent(count as u64, total as u64);
        writeln!(out, "{:MARGIN$}{} {bar} {count:>3} {percent:>3} %", "", breakdown.letter())?;
    }
    for vote in votes.iter().filter(|vote| !vote.comment.is_empty()) {
        let breakdown = vote.breakdown.map_or("?", Breakdown::letter);
        line(&format!("{} {breakdown}", vote.annotator), &vote.comment, columns, out)?;
    }
    Ok(())
}

fn detected(detection: &Detection) -> String {
    let label = detection.breakdown.map_or("?", Breakdown::letter);
    let [o, t, x] =
        detection.probabilities.map(|p| p.map_or("?".to_owned(), |p| format!("{p:.2}")));
    format!("{label}  O {o}  T {t}  X {x}")
}

/// Prints a named line, wrapped.
fn line(name: &str, text: &str, columns: usize, out: &mut Printer) -> io::Result<()> {
    named(name, text, Page { columns, folds: false }, out)
}

/// Prints a named line, wrapped, that may be folded.
fn named(name: &str, text: &str, page: Page, out: &mut Printer) -> io::Result<()> {
    let dim = out.style(style::DIM);
    let name = visible(name);
    let margin = MARGIN + width(&name) + 2;
    let rows = wrap(text, page.columns.saturating_sub(margin).max(20));
    let (rows, note) = page.rows(rows, text.len());
    for (i, row) in rows.into_iter().enumerate() {
        let row = visible(&text[row]);
        if i == 0 {
            writeln!(out, "{:MARGIN$}{dim}{name}{dim:#}  {row}", "")?;
        } else {
            writeln!(out, "{:margin$}{row}", "")?;
        }
    }
    show_note(note, margin, out)
}

/// Returns the mark of a problem: the sign of errors and warnings, and the severity.
pub fn mark(problem: &Diagnostic) -> String {
    let sign = match problem.severity {
        Severity::Error | Severity::Warning => "▲ ",
        Severity::Note => "",
    };
    format!("{sign}{}", problem.severity)
}
