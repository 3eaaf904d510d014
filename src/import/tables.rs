//! `tables`: the table of segments, as `export tables` writes it.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::annotated::{AnnotatedSpan, AnnotatedTurn, ImportError};
use super::import_format::{ImportFormat, ImportTexts};
use super::place::PlaceFields;
use crate::corpus::Origin;

pub const FORMAT: ImportFormat = ImportFormat {
    name: "tables",
    reads: "the folder of `export tables`, or its table of segments as CSV or JSON Lines",
    read,
};

/// A row of the table of turns.
#[derive(Deserialize)]
struct TurnRow {
    file: Option<String>,
    dialog: Option<usize>,
    dialog_id: Option<String>,
    turn: usize,
    text: String,
}

/// A row of the table of segments: a label of a segment.
#[derive(Deserialize)]
struct SegmentRow {
    file: Option<String>,
    dialog: Option<usize>,
    dialog_id: Option<String>,
    turn: usize,
    segment: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
    text: Option<String>,
    label: Option<String>,
}

/// Reads the table of segments. A segment has a row for each label; a row without a number is a new
/// segment. With the table of turns, turns without rows have no segments; without it, they are unknown.
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
    if let Some((text, is_csv)) = &texts.turns {
        for (line, row) in self::rows::<TurnRow>(text, *is_csv)? {
            let fields = PlaceFields::new(row.file, row.dialog, row.dialog_id);
            let place = fields.place(Some(row.turn), line).map_err(|e| vec![e])?;
            add(&mut turns, place, line, Some(row.text));
        }
    }
    for (line, row) in rows {
        let fields = PlaceFields::new(row.file, row.dialog, row.dialog_id);
        let place = fields.place(Some(row.turn), line).map_err(|e| vec![e])?;
        let turn = add(&mut turns, place, line, None);
        let label = row.label.filter(|label| !label.is_empty());
        // An export leaves such segments as they are.
        let (Some(start), Some(end), Some(label)) = (row.start, row.end, label) else {
            continue;
        };
        let spans = &mut turns[turn].spans;
        let same = spans
            .iter_mut()
            .find(|span| row.segment.is_some() && span.segment == row.segment);
        match same {
            Some(span) if (span.start, span.end) == (start, end) => span.labels.push(label),
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
                labels: vec![label],
                segment: row.segment,
                text: row.text,
            }),
        }
    }
    Ok(turns)
}

/// Reads the rows of a table with their lines.
fn rows<T: DeserializeOwned>(
    text: &str,
    is_csv: bool,
) -> Result<Vec<(usize, T)>, Vec<ImportError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    if is_csv {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let heads = reader
            .headers()
            .cloned()
            .map_err(|error| vec![ImportError::new(1, error.to_string())])?;
        for record in reader.into_records() {
            let line = |error: &csv::Error| error.position().map_or(1, |at| at.line() as usize);
            let row = record.and_then(|record| {
                let at = record.position().map_or(1, |at| at.line() as usize);
                Ok((at, record.deserialize(Some(&heads))?))
            });
            match row {
                Ok(row) => rows.push(row),
                Err(error) => errors.push(ImportError::new(line(&error), error.to_string())),
            }
        }
    } else {
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str(line) {
                Ok(row) => rows.push((number, row)),
                Err(error) => errors.push(ImportError::new(number, error.to_string())),
            }
        }
    }
    if errors.is_empty() {
        Ok(rows)
    } else {
        Err(errors)
    }
}
