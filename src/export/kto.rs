//! `kto`: each judged answer with the messages before it, and whether it is good.
//!
//! Opinions decide; without any, of a corrected answer the old text is not good and the new one is.

use std::io::{self, Write};

use serde::Serialize;

use super::chat::NOT_IN_MESSAGES;
use super::chat_messages::{ASSISTANT, Message, messages};
use super::corrections::corrections;
use super::export_format::{ExportFormat, ExportSubject, ExportedDialog, Output};
use super::left_out::LeftOut;
use super::opinion::Opinion;
use super::sides::Sides;
use crate::dialog::Role;
use crate::json::output;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "kto",
    writes: "judged or corrected answers with the messages before them, for preference training",
    needs_problems: false,
    of: ExportSubject::JudgedAnswers,
    output: Output::Lines("kto.jsonl", write),
};

#[derive(Serialize)]
struct Line<'m> {
    prompt: Vec<&'m Message>,
    completion: Vec<&'m Message>,
    label: bool,
}

impl Line<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        output::to_writer(&mut *out, self)?;
        writeln!(out)
    }
}

/// A turn with an answer, and whether that is good.
struct LabelledTurn {
    turn: usize,
    is_good: bool,
}

fn write(
    dialog: &ExportedDialog<'_>,
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    let Some(opinions) = dialog.opinions else {
        for found in corrections(dialog, left_out) {
            for (answer, label) in [(&found.before, false), (&found.after, true)] {
                let line = Line {
                    prompt: found.prompt.iter().collect(),
                    completion: answer.iter().collect(),
                    label,
                };
                line.write(out)?;
            }
        }
        return Ok(());
    };
    write_sides(dialog, opinions, out, left_out)?;
    let labelled = by_opinions(dialog, opinions);
    if labelled.is_empty() {
        return Ok(());
    }
    for turn in &dialog.dialog.turns {
        left_out.parts(turn, &NOT_IN_MESSAGES);
    }
    let messages = messages(dialog.dialog, dialog.format, left_out);
    for LabelledTurn { turn, is_good } in labelled {
        let prompt: Vec<_> = messages[..turn].iter().flatten().collect();
        let answer = messages[turn].iter();
        let completion: Vec<_> = answer.filter(|message| message.role == ASSISTANT).collect();
        if completion.is_empty() {
            left_out.one(["judged turn without an answer", "judged turns without an answer"]);
        } else if prompt.is_empty() {
            left_out.one(["judged turn that opens a dialog", "judged turns that open dialogs"]);
        } else {
            let line = Line { prompt, completion, label: is_good };
            line.write(out)?;
        }
    }
    Ok(())
}

/// Returns the turns that opinions are about, among those to write.
fn by_opinions(dialog: &ExportedDialog<'_>, opinions: &[Opinion]) -> Vec<LabelledTurn> {
    let mut labelled = Vec::new();
    for opinion in opinions {
        let (wanted, is_good) = match opinion {
            Opinion::Turn { turn, is_good } => (Some(*turn), *is_good),
            Opinion::Dialog { is_good } => (None, *is_good),
            Opinion::Better(_) | Opinion::BothBad => continue,
        };
        let turns = dialog.turns().filter(|(number, turn)| match wanted {
            Some(wanted) => wanted == *number,
            None => turn.speaker.role == Role::System,
        });
        labelled.extend(turns.map(|(turn, _)| LabelledTurn { turn, is_good }));
    }
    labelled
}

/// Writes both sides of a pair if one of them is better, or both are bad.
fn write_sides(
    dialog: &ExportedDialog<'_>,
    opinions: &[Opinion],
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    for opinion in opinions {
        if matches!(opinion, Opinion::Turn { .. } | Opinion::Dialog { .. }) {
            continue;
        }
        let Some(sides) = Sides::of(dialog, left_out) else {
            continue;
        };
        let ordered = match opinion {
            Opinion::Better(side) => sides.ordered(side, left_out),
            _ => Some(sides.both()),
        };
        let is_first_good = matches!(opinion, Opinion::Better(_));
        for (answer, label) in ordered.into_iter().flatten().zip([is_first_good, false]) {
            let line = Line {
                prompt: sides.prompt.iter().collect(),
                completion: answer.iter().collect(),
                label,
            };
            line.write(out)?;
        }
    }
    Ok(())
}
