//! `label-studio`: one task per dialog with its segments as predictions, and the labelling configuration.
//!
//! Offsets count UTF-16 code units, as JavaScript does; paragraphs are turns. A task has the segments of all
//! its paragraphs, whatever a query finds: where it had none, an annotator would seem to have deleted them.

use std::collections::BTreeSet;
use std::io;

use serde::Serialize;

use super::export_format::{ExportFiles, ExportFormat, ExportedDialog, Exporter, Output, in_part};
use super::left_out::{LeftOut, TurnPart};
use super::spans::{LabelledSpan, spans};
use crate::json::output;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "label-studio",
    writes: "tasks with segments as predictions, and the labelling configuration, for Label Studio",
    needs_problems: false,
    output: Output::Folder(start),
};

#[derive(Serialize)]
struct Task<'a> {
    data: Data<'a>,
    predictions: [Prediction<'a>; 1],
}

#[derive(Serialize)]
struct Data<'a> {
    dialogue: Vec<Paragraph<'a>>,
    file: &'a str,
    dialog: usize,
    dialog_id: Option<&'a str>,
}

#[derive(Serialize)]
struct Paragraph<'a> {
    author: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct Prediction<'a> {
    model_version: &'static str,
    result: Vec<Region<'a>>,
}

#[derive(Serialize)]
struct Region<'a> {
    id: String,
    from_name: &'static str,
    to_name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    value: RegionValue<'a>,
}

#[derive(Serialize)]
struct RegionValue<'a> {
    /// The paragraph, as text.
    start: String,
    end: String,
    #[serde(rename = "startOffset")]
    start_offset: usize,
    #[serde(rename = "endOffset")]
    end_offset: usize,
    text: &'a str,
    paragraphlabels: Vec<&'a str>,
}

/// The labels so far, and the parts that have a task.
#[derive(Default)]
struct Tasks {
    labels: BTreeSet<String>,
    parts: Vec<String>,
    begun: BTreeSet<String>,
}

const TASKS: &str = "tasks.json";

fn start(parts: &[&str], files: &mut dyn ExportFiles) -> io::Result<Box<dyn Exporter>> {
    for part in parts {
        write!(files.file(&in_part(part, TASKS))?, "[")?;
    }
    Ok(Box::new(Tasks {
        parts: parts.iter().map(|part| (*part).to_owned()).collect(),
        ..Tasks::default()
    }))
}

impl Exporter for Tasks {
    fn dialog(
        &mut self,
        dialog: &ExportedDialog<'_>,
        files: &mut dyn ExportFiles,
        left_out: &mut LeftOut,
    ) -> io::Result<()> {
        left_out.dialog_fields(dialog.dialog);
        let mut result = Vec::new();
        for (number, turn) in dialog.dialog.turns.iter().enumerate() {
            left_out.parts(turn, &TurnPart::BESIDE_SEGMENTS);
            let mut spans = spans(turn, dialog.dialog.units, left_out);
            spans.retain(|span| {
                let fits = is_xml(span.label);
                if !fits {
                    left_out.one(["label that XML cannot hold", "labels that XML cannot hold"]);
                }
                fits
            });
            for span in &spans {
                if !self.labels.contains(span.label) {
                    self.labels.insert(span.label.to_owned());
                }
            }
            result.extend(regions(number, &turn.text, &spans));
        }
        let paragraphs = dialog.dialog.turns.iter().map(|turn| Paragraph {
            author: &turn.speaker.name,
            text: &turn.text,
        });
        let task = Task {
            data: Data {
                dialogue: paragraphs.collect(),
                file: dialog.file,
                dialog: dialog.position,
                dialog_id: dialog.id(),
            },
            predictions: [Prediction {
                model_version: "corpus",
                result,
            }],
        };
        let out = files.file(&in_part(dialog.part, TASKS))?;
        let is_first = self.begun.insert(dialog.part.to_owned());
        writeln!(out, "{}", if is_first { "" } else { "," })?;
        output::to_writer(out, &task)?;
        Ok(())
    }

    fn finish(&mut self, files: &mut dyn ExportFiles) -> io::Result<()> {
        for part in &self.parts {
            let end = if self.begun.contains(part) {
                "\n]"
            } else {
                "]"
            };
            writeln!(files.file(&in_part(part, TASKS))?, "{end}")?;
        }
        let out = files.file("config.xml")?;
        writeln!(
            out,
            "<View>\n  <ParagraphLabels name=\"label\" toName=\"dialogue\">"
        )?;
        for label in &self.labels {
            writeln!(out, "    <Label value=\"{}\"/>", escaped(label))?;
        }
        writeln!(
            out,
            "  </ParagraphLabels>\n  <Paragraphs name=\"dialogue\" value=\"$dialogue\" layout=\"dialogue\" \
            nameKey=\"author\" textKey=\"text\"/>\n</View>"
        )
    }
}

/// Returns the regions of a turn, one for each segment.
fn regions<'t>(turn: usize, text: &'t str, spans: &[LabelledSpan<'t>]) -> Vec<Region<'t>> {
    let length = |text: &str| text.encode_utf16().count();
    // Spans are in the order of their starts, so that each part of the text is counted once.
    let (mut byte, mut units) = (0, 0);
    let mut regions = Vec::new();
    for labels in spans.chunk_by(|one, other| one.segment == other.segment) {
        let span = &labels[0];
        units += length(&text[byte..span.bytes.start]);
        byte = span.bytes.start;
        let covered = &text[span.bytes.clone()];
        regions.push(Region {
            id: format!("{turn}-{}", span.segment),
            from_name: "label",
            to_name: "dialogue",
            kind: "paragraphlabels",
            value: RegionValue {
                start: turn.to_string(),
                end: turn.to_string(),
                start_offset: units,
                end_offset: units + length(covered),
                text: covered,
                paragraphlabels: labels.iter().map(|span| span.label).collect(),
            },
        });
    }
    regions
}

/// True for a text that XML can hold, as the labels of a configuration must be.
pub fn is_xml(text: &str) -> bool {
    text.chars().all(|char| {
        matches!(char, '\t' | '\n' | '\r' | ' '..) && !matches!(char, '\u{fffe}' | '\u{ffff}')
    })
}

/// Returns a text as the value of an XML attribute.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            char => escaped.push(char),
        }
    }
    escaped
}
