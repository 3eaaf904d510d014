//! `labels`: votes or gold labels as a detector's output, in the format of submissions to the challenge.
//!
//! The challenge's evaluation script reads the labels of all judged turns, in order, from `ID.labels.json`: a
//! dialog that lacks some of them is refused.

use std::collections::HashMap;
use std::io;

use serde::Serialize;

use super::export_format::{
    ExportFiles, ExportFormat, ExportOptions, ExportSubject, ExportedDialog, Exporter, Output,
    in_part,
};
use super::left_out::LeftOut;
use crate::dialog::{Breakdown, GOLD};
use crate::json::output;
use crate::text::visible;
use crate::votes::{Verdict, VerdictError, VoteSource, judged, verdicts};

pub const FORMAT: ExportFormat = ExportFormat {
    name: "labels",
    writes: "votes or gold labels in the form of detector output, one file per dialog, for the DBDC evaluation script",
    needs_problems: false,
    of: ExportSubject::Votes,
    output: Output::Folder(start),
};

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "dialogue-id")]
    id: &'a str,
    turns: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    #[serde(rename = "turn-index")]
    index: u32,
    labels: [Label; 1],
}

#[derive(Serialize)]
struct Label {
    breakdown: Breakdown,
    #[serde(rename = "prob-O")]
    o: f64,
    #[serde(rename = "prob-T")]
    t: f64,
    #[serde(rename = "prob-X")]
    x: f64,
}

impl From<&Verdict> for Entry {
    fn from(verdict: &Verdict) -> Self {
        let [o, t, x] = verdict.shares;
        Self { index: verdict.index, labels: [Label { breakdown: verdict.label, o, t, x }] }
    }
}

/// Returns the text of the file for the dialog `id`.
///
/// # Errors
/// If a share is not a finite number.
pub fn text(id: &str, verdicts: &[Verdict]) -> io::Result<String> {
    let file = File { id, turns: verdicts.iter().map(Entry::from).collect() };
    Ok(output::to_string_pretty(&file)? + "\n")
}

struct Labels {
    options: ExportOptions,
    /// The files of the dialogs that were written, by their ids.
    taken: HashMap<String, String>,
}

#[expect(clippy::unnecessary_wraps, reason = "other formats begin files here")]
fn start(
    _: &[&str],
    options: &ExportOptions,
    _: &mut dyn ExportFiles,
) -> io::Result<Box<dyn Exporter>> {
    Ok(Box::new(Labels { options: options.clone(), taken: HashMap::new() }))
}

impl Exporter for Labels {
    fn dialog(
        &mut self,
        dialog: &ExportedDialog<'_>,
        files: &mut dyn ExportFiles,
        left_out: &mut LeftOut,
    ) -> io::Result<()> {
        let ExportOptions { whose, threshold } = &self.options;
        let id = &dialog.dialog.id;
        let verdicts = match verdicts(dialog.dialog, whose, *threshold) {
            Ok(verdicts) => verdicts,
            Err(VerdictError::NotJudged | VerdictError::Absent { .. }) => {
                left_out.one(without_labels(whose));
                return Ok(());
            }
            Err(why) => {
                left_out.refuse(dialog.file, format!("dialog {id:?}: {why}"));
                return Ok(());
            }
        };
        if *whose == VoteSource::Crowd {
            let votes = judged(dialog.dialog).flat_map(|(_, turn)| &turn.votes);
            let odd = votes.filter(|vote| vote.breakdown.is_none()).count();
            left_out.several(["vote that is not O, T or X", "votes that are not O, T or X"], odd);
        }
        let why = if names_a_file(id) {
            let other = self.taken.get(id);
            other.map(|other| format!("{} also has a dialog with this id", visible(other)))
        } else {
            Some("its id cannot be a file name".to_owned())
        };
        if let Some(why) = why {
            // The files of the other dialogs would look like all of them.
            let file = visible(dialog.file);
            return Err(io::Error::other(format!("{file}: dialog {id:?}: {why}")));
        }
        self.taken.insert(id.clone(), dialog.file.to_owned());
        let file = files.file(&in_part(dialog.part, &format!("{id}.labels.json")))?;
        file.write_all(text(id, &verdicts)?.as_bytes())
    }
}

/// Returns the words for a dialog without the labels that are asked for, and for several.
fn without_labels(whose: &VoteSource) -> [&'static str; 2] {
    match whose {
        VoteSource::Crowd => ["dialog without votes", "dialogs without votes"],
        VoteSource::Annotator(id) if id == GOLD => {
            ["dialog without gold labels", "dialogs without gold labels"]
        }
        VoteSource::Annotator(_) => {
            ["dialog without votes by the annotator", "dialogs without votes by the annotator"]
        }
    }
}

/// Returns true if `id` is a valid name for a file in any folder.
fn names_a_file(id: &str) -> bool {
    let odd = |char: char| char.is_control() || matches!(char, '/' | '\\');
    !id.is_empty() && !id.starts_with('.') && !id.contains(odd)
}
