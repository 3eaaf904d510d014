//! `doccano`: JSON Lines of a sequence labelling project, one turn a line.

use serde::Deserialize;

use super::annotated::{AnnotatedSpan, AnnotatedTurn, ImportError};
use super::import_format::{ImportFormat, ImportTexts};
use super::json_lines::json_lines;
use super::place::PlaceFields;
use crate::corpus::Origin;

pub const FORMAT: ImportFormat = ImportFormat {
    name: "doccano",
    reads: "JSON Lines from doccano, with labels as lists or as entities",
    read,
    holds: |_| true,
    has_all: false,
    unread: |_| None,
};

#[derive(Deserialize)]
#[serde(expecting = "an object with a text and its labels")]
struct Line {
    #[serde(alias = "data")]
    text: String,
    #[serde(default, alias = "labels")]
    label: Option<Vec<(usize, usize, String)>>,
    #[serde(default)]
    entities: Option<Vec<Entity>>,
    #[serde(flatten)]
    place: PlaceFields,
    /// Older versions keep other columns here.
    #[serde(default, alias = "metadata")]
    meta: Option<PlaceFields>,
    /// Names of the annotator in files that several annotators share.
    #[serde(default, alias = "username", alias = "user")]
    annotator: Option<String>,
}

#[derive(Deserialize)]
struct Entity {
    label: String,
    start_offset: usize,
    end_offset: usize,
}

fn read(texts: &ImportTexts, _: Option<&str>) -> Result<Vec<AnnotatedTurn>, Vec<ImportError>> {
    json_lines(&texts.annotations, |number, line: Line| {
        // Without this, a file of another kind would be one in which nothing is annotated.
        if line.label.is_none() && line.entities.is_none() {
            let why = "it has neither `label` nor `entities`; doccano writes an empty list where nothing is marked";
            return Err(ImportError::new(number, why));
        }
        let entities = line.entities.into_iter().flatten();
        let entities =
            entities.map(|entity| (entity.start_offset, entity.end_offset, entity.label));
        let spans = line.label.into_iter().flatten().chain(entities);
        let spans = spans.map(|(start, end, label)| AnnotatedSpan {
            start,
            end,
            utf16: false,
            labels: vec![label],
            segment: None,
            text: None,
        });
        Ok(Some(AnnotatedTurn {
            line: number,
            place: line.place.or(line.meta).place(None, number)?,
            text: Some(line.text),
            spans: spans.collect(),
            origin: Origin::of(line.annotator.as_deref()),
        }))
    })
}
