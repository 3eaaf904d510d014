//! `prodigy`: JSON Lines of texts with spans, as spaCy's tools and Prodigy's `db-out` write them.

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
};

#[derive(Deserialize)]
#[serde(expecting = "an object with a text and its labels")]
struct Line {
    text: String,
    #[serde(default)]
    spans: Vec<Span>,
    #[serde(default)]
    meta: PlaceFields,
    /// `accept`, `reject` or `ignore`.
    answer: Option<String>,
    #[serde(rename = "_annotator_id", alias = "_session_id")]
    annotator: Option<String>,
}

#[derive(Deserialize)]
struct Span {
    start: usize,
    end: usize,
    label: String,
    segment: Option<usize>,
}

fn read(texts: &ImportTexts, _: Option<&str>) -> Result<Vec<AnnotatedTurn>, Vec<ImportError>> {
    json_lines(&texts.annotations, |number, line: Line| {
        if line.answer.is_some_and(|answer| answer != "accept") {
            return Ok(None);
        }
        let spans = line.spans.into_iter().map(|span| AnnotatedSpan {
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
            origin: Origin::of(line.annotator.as_deref()),
        }))
    })
}
