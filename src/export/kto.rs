//! `kto`: each judged answer with the messages before it, and whether it is good.
//!
//! O is good, X is not; T says neither. The gold label decides, or else the majority of the votes. With
//! corrections, the old text is not good and the new one is.

use std::io::{self, Write};

use serde::Serialize;

use super::chat::NOT_IN_MESSAGES;
use super::chat_messages::{ASSISTANT, Message, messages};
use super::corrections::corrections;
use super::export_format::{ExportFormat, ExportOptions, ExportedDialog, Output};
use super::left_out::{LeftOut, TurnPart};
use crate::dialog::{Breakdown, Turn};
use crate::json::output;
use crate::votes::{Tally, judgeable::is_judgeable};

pub const FORMAT: ExportFormat = ExportFormat {
    name: "kto",
    writes: "judged or corrected answers with the messages before them, for preference training",
    needs_problems: false,
    output: Output::Lines("kto.jsonl", write),
};

#[derive(Serialize)]
struct Line<'m> {
    prompt: Vec<&'m Message>,
    completion: Vec<&'m Message>,
    label: bool,
}

fn write(
    dialog: &ExportedDialog<'_>,
    options: &ExportOptions,
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    if options.corrections {
        for found in corrections(dialog, left_out) {
            for (answer, label) in [(&found.before, false), (&found.after, true)] {
                let line = Line {
                    prompt: found.prompt.iter().collect(),
                    completion: answer.iter().collect(),
                    label,
                };
                output::to_writer(out, &line)?;
                writeln!(out)?;
            }
        }
        return Ok(());
    }
    let labels: Vec<_> = dialog
        .turns()
        .filter_map(|(number, turn)| Some((number, label(turn, options.threshold, left_out)?)))
        .collect();
    if labels.is_empty() {
        return Ok(());
    }
    for turn in &dialog.dialog.turns {
        // The votes are what is written.
        let unused = NOT_IN_MESSAGES
            .iter()
            .filter(|part| !matches!(part, TurnPart::Votes | TurnPart::Gold));
        left_out.parts(turn, &unused.copied().collect::<Vec<_>>());
    }
    let messages = messages(dialog.dialog, dialog.format, left_out);
    for (number, label) in labels {
        let prompt: Vec<_> = messages[..number].iter().flatten().collect();
        let answer = messages[number].iter();
        let completion: Vec<_> = answer.filter(|message| message.role == ASSISTANT).collect();
        if completion.is_empty() {
            left_out.one([
                "judged turn without an answer",
                "judged turns without an answer",
            ]);
        } else if prompt.is_empty() {
            left_out.one([
                "judged turn that opens a dialog",
                "judged turns that open dialogs",
            ]);
        } else {
            let line = Line {
                prompt,
                completion,
                label,
            };
            output::to_writer(out, &line)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// True for a good answer; None if the turn was not judged, or not clearly.
fn label(turn: &Turn, threshold: f64, left_out: &mut LeftOut) -> Option<bool> {
    if !is_judgeable(turn) {
        return None;
    }
    let gold = turn.gold.as_ref().and_then(|gold| gold.breakdown);
    let label = if gold.is_some() {
        gold
    } else {
        let tally = Tally::of(&turn.votes);
        let majority = tally.majority()?;
        let is_clear = tally.tie().is_none()
            && tally
                .share(majority)
                .is_some_and(|share| share >= threshold);
        if !is_clear {
            left_out.one(["turn without a majority", "turns without a majority"]);
        }
        is_clear.then_some(majority)
    };
    match label? {
        Breakdown::O => Some(true),
        Breakdown::X => Some(false),
        Breakdown::T => {
            left_out.one(["turn labelled T", "turns labelled T"]);
            None
        }
    }
}
