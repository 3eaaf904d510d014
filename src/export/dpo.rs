//! `dpo`: each corrected answer with the messages before it, the new text as chosen and the old one as
//! rejected; or each judged pair, the better side as chosen.

use std::io::{self, Write};

use serde::Serialize;

use super::chat_messages::Message;
use super::corrections::corrections;
use super::export_format::{ExportFormat, ExportSubject, ExportedDialog, Output};
use super::left_out::LeftOut;
use super::opinion::Opinion;
use super::sides::Sides;
use crate::json::output;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "dpo",
    writes: "answers before and after correction, or judged pairs, for preference training",
    needs_problems: false,
    of: ExportSubject::JudgedPairs,
    output: Output::Lines("dpo.jsonl", write),
};

#[derive(Serialize)]
struct Line<'m> {
    prompt: &'m [Message],
    chosen: &'m [Message],
    rejected: &'m [Message],
}

fn write(
    dialog: &ExportedDialog<'_>,
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    let mut line = |prompt: &[Message], [chosen, rejected]: [&[Message]; 2]| {
        let line = Line { prompt, chosen, rejected };
        output::to_writer(&mut *out, &line)?;
        writeln!(out)
    };
    let Some(opinions) = dialog.opinions else {
        for found in corrections(dialog, left_out) {
            line(&found.prompt, [&found.after, &found.before])?;
        }
        return Ok(());
    };
    for opinion in opinions {
        let Opinion::Better(side) = opinion else {
            left_out.one(["pair with two bad answers", "pairs with two bad answers"]);
            continue;
        };
        if let Some(sides) = Sides::of(dialog, left_out)
            && let Some(ordered) = sides.ordered(side, left_out)
        {
            line(&sides.prompt, ordered)?;
        }
    }
    Ok(())
}
