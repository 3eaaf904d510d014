//! `tables`: one table for each kind of element, as CSV and as JSON Lines, to be joined by `file`,
//! `dialog` and `turn`.
//!
//! Offsets count code points. In CSV, an empty cell is an empty text or no value; JSON Lines
//! distinguish them.

use std::borrow::Cow;
use std::io;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::export_format::{
    ExportFiles, ExportFormat, ExportOptions, ExportSubject, ExportedDialog, Exporter, Output,
    in_part,
};
use super::left_out::LeftOut;
use super::payload;
use super::spans::SpanPlaces;
use crate::dialog::{Answer, ApiCall, Breakdown, Content, Field, Judgement, Payload, Span, Turn};
use crate::json::output;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "tables",
    writes: "tables of turns, segments, calls, votes, judgements and more, as CSV and JSON Lines",
    needs_problems: true,
    of: ExportSubject::Dialogs,
    output: Output::Folder(start),
};

/// The first columns of every table.
const KEY: [&str; 4] = ["file", "dialog", "dialog_id", "turn"];

/// A table: its name, and its columns after those of [`KEY`].
type Table = (&'static str, &'static [&'static str]);

const TURNS: Table = ("turns", &["index", "speaker", "role", "text", "gold"]);
const SEGMENTS: Table =
    ("segments", &["segment", "start", "end", "text", "quote", "label", "annotator"]);
const CALLS: Table = ("calls", &["call", "name", "arguments", "response", "answered_as", "failed"]);
const ARGUMENTS: Table = ("arguments", &["call", "part", "name", "value"]);
const ACTS: Table = ("acts", &["act", "name", "slot", "value"]);
const INTENTS: Table = ("intents", &["intent"]);
const STATE: Table = ("state", &["slot", "value"]);
const VOTES: Table = ("votes", &["annotator", "label", "comment", "ungrammatical"]);
/// The judgements of a dialog, which have no turn, and of its parts.
const JUDGEMENTS: Table = (
    "judgements",
    &[
        "start",
        "end",
        "call",
        "scheme",
        "question",
        "value",
        "at",
        "note",
        "tags",
        "annotator",
        "run",
        "when",
        "seconds",
        "quote",
        "fits",
    ],
);
const PROBLEMS: Table = ("problems", &["segment", "rule", "severity", "message"]);
/// Fields that turnwise only shows: of a dialog, a turn, or an element of a turn.
const FIELDS: Table = ("fields", &["element", "number", "name", "value"]);

const ALL: [Table; 11] =
    [TURNS, SEGMENTS, CALLS, ARGUMENTS, ACTS, INTENTS, STATE, VOTES, JUDGEMENTS, PROBLEMS, FIELDS];

/// A cell of a table.
#[derive(Serialize)]
#[serde(untagged)]
enum Cell<'a> {
    Nothing,
    Number(u64),
    Text(Cow<'a, str>),
}

impl<'a> Cell<'a> {
    fn text(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    fn owned(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }

    fn number(number: usize) -> Self {
        Self::Number(number as u64)
    }

    fn optional(text: Option<&'a (impl AsRef<str> + ?Sized)>) -> Self {
        text.map_or(Self::Nothing, |text| Self::text(text.as_ref()))
    }
}

/// A line of a table.
struct Row<'a> {
    table: Table,
    cells: Vec<Cell<'a>>,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.cells.len()))?;
        for (name, cell) in KEY.iter().chain(self.table.1).zip(&self.cells) {
            map.serialize_entry(name, cell)?;
        }
        map.end()
    }
}

struct Tables {
    csv: csv::WriterBuilder,
}

fn start(
    parts: &[&str],
    _: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> io::Result<Box<dyn Exporter>> {
    let tables = Tables { csv: csv::WriterBuilder::new() };
    for part in parts {
        for (name, columns) in ALL {
            files.file(&in_part(part, &format!("{name}.jsonl")))?;
            let out = files.file(&in_part(part, &format!("{name}.csv")))?;
            let heads = KEY.iter().chain(columns);
            tables.csv.from_writer(out).write_record(heads)?;
        }
    }
    Ok(Box::new(tables))
}

impl Exporter for Tables {
    fn dialog(
        &mut self,
        dialog: &ExportedDialog<'_>,
        files: &mut dyn ExportFiles,
        _: &mut LeftOut,
    ) -> io::Result<()> {
        let mut rows = Rows { csv: &self.csv, dialog, files };
        rows.fields(None, "dialog", None, &dialog.dialog.fields)?;
        for (number, turn) in dialog.turns() {
            rows.turn(number, turn)?;
            rows.segments(number, turn)?;
            for (place, call) in turn.calls.iter().enumerate() {
                rows.call(number, place, call)?;
            }
            rows.acts(number, turn)?;
            rows.votes(number, turn)?;
            rows.fields(Some(number), "turn", None, &turn.fields)?;
            for (place, segment) in turn.segments.iter().enumerate() {
                rows.fields(Some(number), "segment", Some(place), &segment.fields)?;
            }
            for (place, call) in turn.calls.iter().enumerate() {
                rows.fields(Some(number), "call", Some(place), &call.fields)?;
            }
            for (place, vote) in turn.votes.iter().enumerate() {
                rows.fields(Some(number), "vote", Some(place), &vote.fields)?;
            }
        }
        rows.judgements()?;
        rows.problems()
    }
}

/// Writes the rows of one dialog.
struct Rows<'a, 'd> {
    csv: &'a csv::WriterBuilder,
    dialog: &'a ExportedDialog<'d>,
    files: &'a mut dyn ExportFiles,
}

impl Rows<'_, '_> {
    fn add(&mut self, table: Table, turn: Option<usize>, cells: Vec<Cell<'_>>) -> io::Result<()> {
        let dialog = self.dialog;
        let mut all = vec![
            Cell::text(dialog.file),
            Cell::number(dialog.position),
            Cell::optional(dialog.id()),
            turn.map_or(Cell::Nothing, Cell::number),
        ];
        all.extend(cells);
        let row = Row { table, cells: all };
        let out = self.files.file(&in_part(dialog.part, &format!("{}.jsonl", table.0)))?;
        output::to_writer(out, &row)?;
        writeln!(out)?;
        let out = self.files.file(&in_part(dialog.part, &format!("{}.csv", table.0)))?;
        let record = row.cells.iter().map(|cell| match cell {
            Cell::Nothing => Cow::Borrowed(""),
            Cell::Number(number) => Cow::Owned(number.to_string()),
            Cell::Text(text) => Cow::Borrowed(text.as_ref()),
        });
        let mut line = self.csv.from_writer(Vec::new());
        line.write_record(record.map(Cow::into_owned))?;
        let line = line.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        out.write_all(&line)
    }

    fn turn(&mut self, number: usize, turn: &Turn) -> io::Result<()> {
        let gold = turn.gold.as_ref().and_then(|gold| gold.breakdown);
        let cells = vec![
            turn.index.map_or(Cell::Nothing, |index| Cell::Number(index.into())),
            Cell::text(&turn.speaker.name),
            Cell::text(turn.speaker.role.name()),
            Cell::text(&turn.text),
            Cell::optional(gold.map(Breakdown::letter)),
        ];
        self.add(TURNS, Some(number), cells)
    }

    fn segments(&mut self, number: usize, turn: &Turn) -> io::Result<()> {
        if turn.segments.is_empty() {
            return Ok(());
        }
        let places = SpanPlaces::new(turn, self.dialog.dialog.units);
        for (place, segment) in turn.segments.iter().enumerate() {
            let ends = places.written(place);
            let covered = places.of(place).map(|found| &turn.text[found.bytes]);
            let mut labels: Vec<_> = segment.labels.iter().map(|l| Some(l.name.as_str())).collect();
            if labels.is_empty() {
                labels.push(None);
            }
            for label in labels {
                let cells = vec![
                    Cell::number(place),
                    ends.map_or(Cell::Nothing, |(start, _)| Cell::number(start)),
                    ends.map_or(Cell::Nothing, |(_, end)| Cell::number(end)),
                    Cell::optional(covered),
                    Cell::optional(segment.exact_quote()),
                    Cell::optional(label),
                    Cell::optional(segment.annotator.as_ref()),
                ];
                self.add(SEGMENTS, Some(number), cells)?;
            }
        }
        Ok(())
    }

    fn call(&mut self, number: usize, place: usize, call: &ApiCall) -> io::Result<()> {
        let text = |payload: &Option<Payload>| {
            let text = payload.as_ref().and_then(payload::text);
            text.map_or(Cell::Nothing, Cell::owned)
        };
        let cells = vec![
            Cell::number(place),
            Cell::text(&call.name),
            text(&call.arguments),
            text(&call.response),
            Cell::optional(call.answered_as.as_ref()),
            Cell::text(if call.has_failed() { "true" } else { "false" }),
        ];
        self.add(CALLS, Some(number), cells)?;
        for (part, payload) in [("argument", &call.arguments), ("response", &call.response)] {
            for (name, value) in payload.iter().flat_map(payload::fields) {
                let cells = vec![
                    Cell::number(place),
                    Cell::text(part),
                    Cell::owned(name),
                    Cell::owned(value),
                ];
                self.add(ARGUMENTS, Some(number), cells)?;
            }
        }
        Ok(())
    }

    fn acts(&mut self, number: usize, turn: &Turn) -> io::Result<()> {
        for (place, act) in turn.acts.iter().enumerate() {
            let mut slots: Vec<_> = act
                .slots
                .iter()
                .map(|slot| (Cell::text(&slot.slot), value(slot.value.as_ref())))
                .collect();
            if slots.is_empty() {
                slots.push((Cell::Nothing, Cell::Nothing));
            }
            for (slot, value) in slots {
                let cells = vec![Cell::number(place), Cell::text(&act.name), slot, value];
                self.add(ACTS, Some(number), cells)?;
            }
        }
        for intent in &turn.intents {
            self.add(INTENTS, Some(number), vec![Cell::text(intent)])?;
        }
        for slot in turn.state.iter().flatten() {
            let cells = vec![Cell::text(&slot.slot), value(Some(&slot.value))];
            self.add(STATE, Some(number), cells)?;
        }
        Ok(())
    }

    fn votes(&mut self, number: usize, turn: &Turn) -> io::Result<()> {
        for vote in &turn.votes {
            let cells = vec![
                Cell::text(&vote.annotator),
                Cell::optional(vote.breakdown.map(Breakdown::letter)),
                Cell::text(&vote.comment),
                Cell::text(&vote.ungrammatical),
            ];
            self.add(VOTES, Some(number), cells)?;
        }
        Ok(())
    }

    /// Writes the fields of an element, which has a number if there may be several.
    fn fields(
        &mut self,
        turn: Option<usize>,
        element: &'static str,
        number: Option<usize>,
        fields: &[Field],
    ) -> io::Result<()> {
        for field in fields {
            let cells = vec![
                Cell::text(element),
                number.map_or(Cell::Nothing, Cell::number),
                Cell::text(&field.name),
                value(Some(&field.content)),
            ];
            self.add(FIELDS, turn, cells)?;
        }
        Ok(())
    }

    /// Returns the ends of a span in code points; as they are if they are outside the text.
    fn code_points(&self, turn: Option<usize>, [start, end]: [u32; 2]) -> [usize; 2] {
        let dialog = self.dialog.dialog;
        let turn = turn.and_then(|turn| dialog.turns.get(turn));
        let place =
            turn.and_then(|turn| SpanPlaces::new(turn, dialog.units).of_span(Span { start, end }));
        place.map_or([start, end].map(|end| end as usize), |place| [place.start, place.end])
    }

    /// Returns whether a row about a turn, or about the whole dialog, is wanted.
    fn is_kept(&self, turn: Option<usize>) -> bool {
        let is_kept = |turn: usize| self.dialog.kept.get(turn).is_none_or(|kept| *kept);
        turn.is_none_or(is_kept)
    }

    fn judgements(&mut self) -> io::Result<()> {
        let dialog = self.dialog.dialog;
        let fitting = dialog.judgements.iter().map(|judgement| (judgement, "yes"));
        let changed = dialog.outdated.iter().map(|judgement| (judgement, "no"));
        for (judgement, fits) in fitting.chain(changed) {
            let Judgement { place, value, tags, .. } = judgement;
            if !self.is_kept(place.turn) {
                continue;
            }
            let number = |number: Option<usize>| number.map_or(Cell::Nothing, Cell::number);
            let span = place.span.map(|span| self.code_points(place.turn, span));
            let end = |end: usize| span.map(|span| span[end]);
            let text = |text: &str| {
                let some = Some(text).filter(|text| !text.is_empty());
                some.map_or(Cell::Nothing, |text| Cell::owned(text.to_owned()))
            };
            let value = match value {
                None => Cell::Nothing,
                Some(Answer::Several(tags)) => Cell::owned(list(tags)?),
                Some(answer) => Cell::owned(answer.to_string()),
            };
            let tags = match tags.as_slice() {
                [] => Cell::Nothing,
                tags => Cell::owned(list(tags)?),
            };
            let cells = vec![
                number(end(0)),
                number(end(1)),
                number(place.call),
                text(&judgement.scheme),
                text(&judgement.question),
                value,
                number(judgement.at),
                text(&judgement.note),
                tags,
                Cell::text(&judgement.by),
                Cell::optional(judgement.run.as_ref()),
                text(&judgement.when),
                number(judgement.seconds.map(|seconds| seconds as usize)),
                text(&judgement.quote),
                Cell::text(fits),
            ];
            self.add(JUDGEMENTS, place.turn, cells)?;
        }
        Ok(())
    }

    fn problems(&mut self) -> io::Result<()> {
        for problem in self.dialog.problems {
            if !self.is_kept(problem.location.turn) {
                continue;
            }
            let cells = vec![
                problem.location.segment.map_or(Cell::Nothing, Cell::number),
                Cell::text(problem.rule.name),
                Cell::text(problem.severity.machine_name()),
                Cell::text(&problem.message),
            ];
            self.add(PROBLEMS, problem.location.turn, cells)?;
        }
        Ok(())
    }
}

/// Returns a list of texts as JSON.
fn list(texts: &[String]) -> io::Result<String> {
    output::to_string(&texts).map_err(io::Error::other)
}

/// Returns a value: a text as it is, everything else as JSON.
fn value(content: Option<&Content>) -> Cell<'_> {
    match content {
        None => Cell::Nothing,
        Some(Content::Text(text)) => Cell::text(text),
        Some(raw @ Content::Raw(_)) => Cell::owned(payload::json(raw)),
    }
}
