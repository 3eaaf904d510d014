//! `prodigy`: JSON Lines of texts with spans, as spaCy's tools and Prodigy's `db-out` write them.

use std::cell::Cell;

use serde::Deserialize;

use super::annotated::{AnnotatedSpan, AnnotatedTurn, ImportError};
use super::import_format::{ImportFormat, ImportTexts};
use super::json_lines::json_lines;
use super::place::PlaceFields;
use crate::corpus::Origin;

pub const FORMAT: ImportFormat = ImportFormat {
    name: "prodigy",
    reads: "JSON Lines of texts and spans, from Prodigy or in the form of `export spacy`",
    read,
    holds: |_| true,
    has_all: false,
    unread: |_| None,
};

#[derive(Deserialize)]
#[serde(expecting = "an object with a text and its labels")]
struct Line {
    text: String,
    spans: Option<Vec<Span>>,
    #[serde(default)]
    meta: PlaceFields,
    /// `accept`, `reject` or `ignore`.
    answer: Option<String>,
    #[serde(rename = "_annotator_id")]
    annotator: Option<String>,
    /// Older versions have only this one; newer ones have both.
    #[serde(rename = "_session_id")]
    session: Option<String>,
}

#[derive(Deserialize)]
struct Span {
    start: usize,
    end: usize,
    label: String,
    segment: Option<usize>,
}

fn read(texts: &ImportTexts, _: Option<&str>) -> Result<Vec<AnnotatedTurn>, Vec<ImportError>> {
    let has_spans = Cell::new(false);
    let turns = json_lines(&texts.annotations, |number, line: Line| {
        has_spans.set(has_spans.get() || line.spans.is_some());
        if line.answer.is_some_and(|answer| answer != "accept") {
            return Ok(None);
        }
        let by = line.annotator.or(line.session);
        let spans = line.spans.into_iter().flatten();
        let spans = spans.map(|span| AnnotatedSpan {
            start: span.start,
            end: span.end,
            utf16: false,
            labels: vec![span.label],
            segment: span.segment,
            text: None,
        });
        Ok(Some(AnnotatedTurn {
            line: number,
            place: line.meta.place(None, number)?,
            text: Some(line.text),
            spans: spans.collect(),
            origin: Origin::of(by.as_deref()),
        }))
    })?;
    // A text in which nothing is marked may lack them, but a file without any is of another kind.
    if !turns.is_empty() && !has_spans.get() {
        return Err(vec![ImportError::new(1, "no line has `spans`")]);
    }
    Ok(turns)
}
