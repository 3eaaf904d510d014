//! `tables`: the table of segments, as `export tables` writes it.

use std::collections::{HashMap, HashSet};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use super::annotated::{AnnotatedSpan, AnnotatedTurn, ImportError};
use super::import_format::{ImportFormat, ImportTexts};
use super::json_lines::{MOST, json_lines};
use super::place::PlaceFields;
use crate::corpus::Origin;

pub const FORMAT: ImportFormat = ImportFormat {
    name: "tables",
    reads: "the folder from `export tables`, or only the table of segments in it, as CSV or JSON Lines",
    read,
    holds: |_| true,
    has_all: true,
    unread: |_| None,
};

/// A row of the table of turns.
#[derive(Deserialize)]
#[serde(expecting = "a row, which is an object")]
struct TurnRow {
    file: Option<String>,
    #[serde(default, deserialize_with = "whole")]
    dialog: Option<usize>,
    dialog_id: Option<String>,
    #[serde(deserialize_with = "whole")]
    turn: Option<usize>,
    text: String,
}

/// A row of the table of segments: a label of a segment. Without the column of labels, or of offsets, all
/// segments would seem to be removed.
#[derive(Deserialize)]
#[serde(expecting = "a row, which is an object")]
struct SegmentRow {
    file: Option<String>,
    #[serde(default, deserialize_with = "whole")]
    dialog: Option<usize>,
    dialog_id: Option<String>,
    #[serde(deserialize_with = "whole")]
    turn: Option<usize>,
    #[serde(default, deserialize_with = "whole")]
    segment: Option<usize>,
    #[serde(deserialize_with = "whole")]
    start: Option<usize>,
    #[serde(deserialize_with = "whole")]
    end: Option<usize>,
    text: Option<String>,
    #[serde(deserialize_with = "nullable")]
    label: Option<String>,
}

impl SegmentRow {
    /// Returns its file, dialog and turn, as they are written.
    fn place(&self) -> (Option<String>, Option<usize>, Option<String>, Option<usize>) {
        (self.file.clone(), self.dialog, self.dialog_id.clone(), self.turn)
    }
}

/// Returns a column that must be there, but may be empty.
fn nullable<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(from)
}

/// Returns a whole number in any spelling: tables with empty cells have `3.0` in many programs.
fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(from)? else {
        return Ok(None);
    };
    if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) {
        Ok(Some(number as usize))
    } else {
        let what = format!("{number} is not a whole number of 0 or more");
        Err(serde::de::Error::custom(what))
    }
}

/// Reads the table of segments. A segment has a row for each label; a row without a number is a new
/// segment. In complete tables, turns without rows have no segments; else they are unknown, and the table of turns
/// only has the texts of the others.
fn read(texts: &ImportTexts, _: Option<&str>) -> Result<Vec<AnnotatedTurn>, Vec<ImportError>> {
    let rows: Vec<(usize, SegmentRow)> = rows(&texts.annotations, texts.is_csv)?;
    let mut turns = Vec::new();
    let mut known = HashMap::new();
    let mut add = |turns: &mut Vec<AnnotatedTurn>, place, line, text| {
        let place: super::place::TurnPlace = place;
        let key = (place.dialog(), place.turn);
        *known.entry(key).or_insert_with(|| {
            turns.push(AnnotatedTurn {
                line,
                place,
                text,
                spans: Vec::new(),
                origin: Origin::default(),
            });
            turns.len() - 1
        })
    };
    let with_rows: HashSet<_> = rows.iter().map(|(_, row)| row.place()).collect();
    if let Some((text, is_csv)) = &texts.turns {
        for (line, row) in self::rows::<TurnRow>(text, *is_csv)? {
            let place = (row.file.clone(), row.dialog, row.dialog_id.clone(), row.turn);
            if !texts.is_complete && !with_rows.contains(&place) {
                continue;
            }
            let fields = PlaceFields::new(row.file, row.dialog, row.dialog_id);
            let place = fields.place(row.turn, line).map_err(|e| vec![e])?;
            add(&mut turns, place, line, Some(row.text));
        }
    }
    // The span of each segment, by its turn and number.
    let mut spans_of = HashMap::new();
    for (line, row) in rows {
        let fields = PlaceFields::new(row.file, row.dialog, row.dialog_id);
        let place = fields.place(row.turn, line).map_err(|e| vec![e])?;
        let turn = add(&mut turns, place, line, None);
        let label = row.label.filter(|label| !label.is_empty());
        let (start, end) = match (row.start, row.end) {
            (Some(start), Some(end)) => (start, end),
            // An export has such segments too, and leaves them as they are.
            (None, None) => {
                turns[turn].spans.extend(row.segment.map(without_place));
                continue;
            }
            (start, _) => {
                let empty = if start.is_some() { "end" } else { "start" };
                let why = format!("column `{empty}` is empty");
                return Err(vec![ImportError::new(line, why)]);
            }
        };
        if label.is_none() && row.segment.is_none() {
            return Err(vec![ImportError::new(line, "column `label` is empty")]);
        }
        let spans = &mut turns[turn].spans;
        let same = row.segment.and_then(|segment| {
            let next = spans.len();
            let known = *spans_of.entry((turn, segment)).or_insert(next);
            spans.get_mut(known)
        });
        match same {
            Some(span) if (span.start, span.end) == (start, end) => span.labels.extend(label),
            Some(span) => {
                let why = format!(
                    "the rows of a segment differ: {}..{} and {start}..{end}",
                    span.start, span.end
                );
                return Err(vec![ImportError::new(line, why)]);
            }
            None => spans.push(AnnotatedSpan {
                start,
                end,
                utf16: false,
                labels: Vec::from_iter(label),
                segment: row.segment,
                text: row.text.filter(|text| !text.is_empty()),
            }),
        }
    }
    Ok(turns)
}

/// Returns a segment that has no place in its text.
fn without_place(segment: usize) -> AnnotatedSpan {
    AnnotatedSpan {
        start: 0,
        end: 0,
        utf16: false,
        labels: Vec::new(),
        segment: Some(segment),
        text: None,
    }
}

/// Returns the fault of a row, with its column.
fn wrong_row(error: &csv::Error, heads: &csv::StringRecord) -> String {
    match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            let column = err.field().and_then(|field| heads.get(field as usize));
            match column {
                Some(column) => format!("column `{column}`: {}", err.kind()),
                None => err.kind().to_string(),
            }
        }
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the row has {len} cells, but the table has {expected_len} columns")
        }
        _ => error.to_string(),
    }
}

/// Counts the lines of a table. The reader's own count is one too low where lines end in CR and LF.
struct LineCount<'t> {
    text: &'t str,
    at: usize,
    /// The line at byte `at`, counted from 1.
    line: usize,
}

impl LineCount<'_> {
    /// Returns the line of the row that begins at byte `start` or, after a line break there, behind it.
    fn at(&mut self, start: usize) -> usize {
        let rest = self.text[start..].bytes();
        let breaks = rest.take_while(|byte| b"\r\n".contains(byte)).count();
        if start + breaks > self.at {
            self.line += self.text[self.at..start + breaks].matches('\n').count();
            self.at = start + breaks;
        }
        self.line
    }
}

/// Reads the rows of a table with their lines.
fn rows<T: DeserializeOwned>(
    text: &str,
    is_csv: bool,
) -> Result<Vec<(usize, T)>, Vec<ImportError>> {
    if !is_csv {
        return json_lines(text, |line, row| Ok(Some((line, row))));
    }
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads =
        reader.headers().cloned().map_err(|error| vec![ImportError::new(1, error.to_string())])?;
    let mut record = csv::StringRecord::new();
    let mut lines = LineCount { text, at: 0, line: 1 };
    while errors.len() < MOST {
        let read = reader.read_record(&mut record);
        let at = match &read {
            Ok(false) => break,
            Ok(true) => record.position(),
            Err(error) => error.position(),
        };
        let line = lines.at(at.map_or(0, |at| at.byte() as usize));
        match read.and_then(|_| record.deserialize(Some(&heads))) {
            Ok(row) => rows.push((line, row)),
            Err(error) => errors.push(ImportError::new(line, wrong_row(&error, &heads))),
        }
    }
    if errors.is_empty() { Ok(rows) } else { Err(errors) }
}
