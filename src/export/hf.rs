//! `hf`: a dataset folder for Hugging Face: JSON Lines whose columns have one type each, and a card that
//! declares the types and the splits.
//!
//! The column `raw` holds the dialog as its file has it, so nothing is lost.

use std::borrow::Cow;
use std::io;

use serde::Serialize;

use super::cells::{CallCell, VoteCell};
use super::export_format::{
    ExportFiles, ExportFormat, ExportOptions, ExportSubject, ExportedDialog, Exporter, Output,
};
use super::left_out::LeftOut;
use super::payload;
use super::place::DialogPlace;
use super::spans::SpanPlaces;
use crate::dialog::{Breakdown, Content, Short, Turn};
use crate::json::output;
use crate::text::{Units, counted};

pub const FORMAT: ExportFormat = ExportFormat {
    name: "hf",
    writes: "a Hugging Face dataset: JSON Lines and the card README.md with types and splits",
    needs_problems: false,
    of: ExportSubject::Dialogs,
    output: Output::Folder(start),
};

/// The types of the columns, in the YAML of dataset cards.
const FEATURES: &str = "dataset_info:
  features:
  - name: file
    dtype: string
  - name: dialog
    dtype: int64
  - name: dialog_id
    dtype: string
  - name: family
    dtype: string
  - name: turns
    list:
    - name: turn
      dtype: int64
    - name: index
      dtype: int64
    - name: speaker
      dtype: string
    - name: role
      dtype: string
    - name: text
      dtype: string
    - name: segments
      list:
      - name: start
        dtype: int64
      - name: end
        dtype: int64
      - name: text
        dtype: string
      - name: labels
        sequence: string
    - name: calls
      list:
      - name: name
        dtype: string
      - name: arguments
        dtype: string
      - name: response
        dtype: string
    - name: acts
      list:
      - name: act
        dtype: string
      - name: slots
        list:
        - name: slot
          dtype: string
        - name: value
          dtype: string
    - name: intents
      sequence: string
    - name: state
      list:
      - name: slot
        dtype: string
      - name: value
        dtype: string
    - name: votes
      list:
      - name: annotator
        dtype: string
      - name: label
        dtype: string
      - name: comment
        dtype: string
    - name: gold
      dtype: string
  - name: raw
    dtype: string
";

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    place: DialogPlace<'a>,
    family: &'a str,
    turns: Vec<TurnCell<'a>>,
    raw: Cow<'a, str>,
}

#[derive(Serialize)]
struct TurnCell<'a> {
    turn: usize,
    index: Option<u32>,
    speaker: &'a str,
    role: &'a str,
    text: &'a str,
    segments: Vec<SegmentCell<'a>>,
    calls: Vec<CallCell<'a>>,
    acts: Vec<ActCell<'a>>,
    intents: Vec<&'a str>,
    state: Vec<SlotCell<'a>>,
    votes: Vec<VoteCell<'a>>,
    gold: Option<&'static str>,
}

#[derive(Serialize)]
struct SegmentCell<'a> {
    start: Option<usize>,
    end: Option<usize>,
    text: Option<&'a str>,
    labels: Vec<&'a str>,
}

#[derive(Serialize)]
struct ActCell<'a> {
    act: &'a str,
    slots: Vec<SlotCell<'a>>,
}

#[derive(Serialize)]
struct SlotCell<'a> {
    slot: &'a str,
    value: Option<String>,
}

/// The number of dialogs and turns in each part.
struct Dataset {
    parts: Vec<(String, usize, usize)>,
}

/// The name of the only split.
const TRAIN: &str = "train";

fn name_of(part: &str) -> &str {
    if part.is_empty() { TRAIN } else { part }
}

fn path_of(part: &str) -> String {
    format!("data/{}.jsonl", name_of(part))
}

fn start(
    parts: &[&str],
    _: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> io::Result<Box<dyn Exporter>> {
    for part in parts {
        files.file(&path_of(part))?;
    }
    let parts = parts.iter().map(|part| ((*part).to_owned(), 0, 0));
    Ok(Box::new(Dataset { parts: parts.collect() }))
}

impl Exporter for Dataset {
    fn dialog(
        &mut self,
        dialog: &ExportedDialog<'_>,
        files: &mut dyn ExportFiles,
        left_out: &mut LeftOut,
    ) -> io::Result<()> {
        left_out.judgements(dialog.dialog);
        let units = dialog.dialog.units;
        let turns = dialog.dialog.turns.iter().enumerate();
        let row = Row {
            place: DialogPlace::of(dialog),
            family: dialog.format.name(),
            turns: turns.map(|(number, turn)| cell(number, turn, units)).collect(),
            raw: dialog.value(),
        };
        let mut parts = self.parts.iter_mut();
        if let Some((_, dialogs, turns)) = parts.find(|(part, ..)| part == dialog.part) {
            *dialogs += 1;
            *turns += row.turns.len();
        }
        let out = files.file(&path_of(dialog.part))?;
        output::to_writer(out, &row)?;
        writeln!(out)
    }

    fn finish(&mut self, files: &mut dyn ExportFiles) -> io::Result<()> {
        let card = files.file("README.md")?;
        writeln!(card, "---")?;
        // A dataset with a split without rows cannot be loaded.
        let filled = self.parts.iter().filter(|(_, dialogs, _)| *dialogs > 0);
        for (number, (part, ..)) in filled.enumerate() {
            if number == 0 {
                writeln!(card, "configs:\n- config_name: default\n  data_files:")?;
            }
            let (name, path) = (name_of(part), path_of(part));
            writeln!(card, "  - split: {name}\n    path: {path}")?;
        }
        write!(card, "{FEATURES}---\n\n# Dialogs\n\n")?;
        for (part, dialogs, turns) in &self.parts {
            let name = name_of(part);
            if *dialogs == 0 {
                writeln!(card, "- `{name}`: no dialogs, so it is not declared as a split")?;
            } else {
                let (dialogs, turns) = (counted(dialogs, "dialog"), counted(turns, "turn"));
                writeln!(card, "- `{name}`: {dialogs}, {turns}")?;
            }
        }
        writeln!(
            card,
            "\nEach row is a dialog. `raw` is the JSON of the dialog in the corpus, with a key if the dialog has one; `turns` holds what all corpora share.\nOffsets of segments count code points; the end is exclusive. Arguments and responses of calls are\nJSON. Votes are O (not a breakdown), T (possibly one) and X (a breakdown)."
        )
    }
}

fn cell(number: usize, turn: &Turn, units: Units) -> TurnCell<'_> {
    let places = SpanPlaces::new(turn, units);
    let segments = turn.segments.iter().enumerate().map(|(place, segment)| {
        let found = places.of(place);
        SegmentCell {
            start: found.as_ref().map(|found| found.start),
            end: found.as_ref().map(|found| found.end),
            text: found.map(|found| &turn.text[found.bytes]),
            labels: segment.labels.iter().map(|l| l.name.as_str()).collect(),
        }
    });
    let acts = turn.acts.iter().map(|act| {
        let slots = act.slots.iter();
        let slots = slots.map(|slot| slot_cell(&slot.slot, slot.value.as_ref()));
        ActCell { act: &act.name, slots: slots.collect() }
    });
    let state = turn.state.iter().flatten();
    let gold = turn.gold.as_ref().and_then(|gold| gold.breakdown);
    TurnCell {
        turn: number,
        index: turn.index,
        speaker: &turn.speaker.name,
        role: turn.speaker.role.name(),
        text: &turn.text,
        segments: segments.collect(),
        calls: turn.calls.iter().map(CallCell::of).collect(),
        acts: acts.collect(),
        intents: turn.intents.iter().map(Short::as_str).collect(),
        state: state.map(|slot| slot_cell(&slot.slot, Some(&slot.value))).collect(),
        votes: turn.votes.iter().map(VoteCell::of).collect(),
        gold: gold.map(Breakdown::letter),
    }
}

fn slot_cell<'a>(slot: &'a str, value: Option<&Content>) -> SlotCell<'a> {
    let value = value.map(|value| match value {
        Content::Text(text) => text.to_string(),
        Content::Raw(_) => payload::json(value),
    });
    SlotCell { slot, value }
}
