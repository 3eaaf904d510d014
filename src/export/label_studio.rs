//! `label-studio`: one task per dialog with its segments as predictions, and the labelling configuration.
//!
//! Offsets count UTF-16 code units, as JavaScript does; paragraphs are turns. A task has the segments of all
//! its paragraphs, whatever a query finds: where it had none, an annotator would seem to have deleted them. For the
//! same reason, the prediction of each annotator who has judged the dialog has these segments, too.

mod answers;
mod region;

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::Serialize;

use super::export_format::{
    ExportFiles, ExportFormat, ExportOptions, ExportSubject, ExportedDialog, Exporter, Output,
    in_part,
};
use super::left_out::{LeftOut, TurnPart};
use super::place::DialogPlace;
use super::spans::{LabelledSpan, spans};
use crate::json::output;
use answers::{Controls, judged};
use region::{PARAGRAPHS, Region, RegionPart, RegionValue, escaped, units};

pub use region::{JUDGED, is_xml};

pub const FORMAT: ExportFormat = ExportFormat {
    name: "label-studio",
    writes: "the labelling configuration for Label Studio, and tasks with segments and judgements as their predictions",
    needs_problems: false,
    of: ExportSubject::Dialogs,
    output: Output::Folder(start),
};

#[derive(Serialize)]
struct Task<'a> {
    data: Data<'a>,
    predictions: Vec<Prediction<'a>>,
}

#[derive(Serialize)]
struct Data<'a> {
    dialogue: Vec<Paragraph<'a>>,
    #[serde(flatten)]
    place: DialogPlace<'a>,
}

#[derive(Serialize)]
struct Paragraph<'a> {
    author: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct Prediction<'a> {
    model_version: &'a str,
    result: Vec<Region<'a>>,
}

/// The labels and the controls of judgements so far, and the parts that have a task.
#[derive(Default)]
struct Tasks {
    labels: BTreeSet<String>,
    controls: Controls,
    parts: Vec<String>,
    begun: BTreeSet<String>,
}

const TASKS: &str = "tasks.json";

fn start(
    parts: &[&str],
    _: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> io::Result<Box<dyn Exporter>> {
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
        left_out.outdated(dialog.dialog);
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
        let paragraphs = dialog
            .dialog
            .turns
            .iter()
            .map(|turn| Paragraph { author: &turn.speaker.name, text: &turn.text });
        let mut by_annotator: BTreeMap<&str, Vec<Region<'_>>> = BTreeMap::new();
        for (number, judgement) in dialog.dialog.judgements.iter().enumerate() {
            if let Some(said) = judged(dialog.dialog, number, &mut self.controls, left_out) {
                let of_one = by_annotator.entry(&judgement.by);
                of_one.or_insert_with(|| result.clone()).extend(said);
            }
        }
        let corpus = Prediction { model_version: "corpus", result };
        let judged =
            by_annotator.into_iter().map(|(by, result)| Prediction { model_version: by, result });
        let task = Task {
            data: Data { dialogue: paragraphs.collect(), place: DialogPlace::of(dialog) },
            predictions: [corpus].into_iter().chain(judged).collect(),
        };
        let out = files.file(&in_part(dialog.part, TASKS))?;
        let is_first = self.begun.insert(dialog.part.to_owned());
        writeln!(out, "{}", if is_first { "" } else { "," })?;
        output::to_writer(out, &task)?;
        Ok(())
    }

    fn finish(&mut self, files: &mut dyn ExportFiles) -> io::Result<()> {
        for part in &self.parts {
            let end = if self.begun.contains(part) { "\n]" } else { "]" };
            writeln!(files.file(&in_part(part, TASKS))?, "{end}")?;
        }
        let out = files.file("config.xml")?;
        writeln!(out, "<View>\n  <ParagraphLabels name=\"label\" toName=\"{PARAGRAPHS}\">")?;
        for label in &self.labels {
            writeln!(out, "    <Label value=\"{}\"/>", escaped(label))?;
        }
        writeln!(
            out,
            "  </ParagraphLabels>\n  <Paragraphs name=\"{PARAGRAPHS}\" value=\"$dialogue\" layout=\"dialogue\" \
            nameKey=\"author\" textKey=\"text\"/>"
        )?;
        self.controls.write(out)?;
        writeln!(out, "</View>")
    }
}

/// Returns the regions of a turn, one for each segment.
fn regions<'t>(turn: usize, text: &'t str, spans: &[LabelledSpan<'t>]) -> Vec<Region<'t>> {
    // Spans are in the order of their starts, so that each part of the text is counted once.
    let (mut byte, mut before) = (0, 0);
    let mut regions = Vec::new();
    for labels in spans.chunk_by(|one, other| one.segment == other.segment) {
        let span = &labels[0];
        before += units(&text[byte..span.bytes.start]);
        byte = span.bytes.start;
        regions.push(Region {
            id: format!("{turn}-{}", span.segment),
            from_name: "label".to_owned(),
            to_name: PARAGRAPHS,
            kind: "paragraphlabels",
            value: RegionValue {
                part: Some(RegionPart::new(turn, before, &text[span.bytes.clone()])),
                paragraphlabels: labels.iter().map(|span| span.label).collect(),
                ..RegionValue::default()
            },
        });
    }
    regions
}
