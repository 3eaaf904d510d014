//! `dpo`: each corrected answer with the messages before it, the new text as chosen and the old one as
//! rejected.

use std::io::{self, Write};

use serde::Serialize;

use super::chat_messages::Message;
use super::corrections::corrections;
use super::export_format::{ExportFormat, ExportOptions, ExportedDialog, Output};
use super::left_out::LeftOut;
use crate::json::output;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "dpo",
    writes: "answers before and after their correction since a Git revision, for preference training",
    needs_problems: false,
    output: Output::Lines("dpo.jsonl", write),
};

#[derive(Serialize)]
struct Line {
    prompt: Vec<Message>,
    chosen: Vec<Message>,
    rejected: Vec<Message>,
}

fn write(
    dialog: &ExportedDialog<'_>,
    _: &ExportOptions,
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    for found in corrections(dialog, left_out) {
        let line = Line {
            prompt: found.prompt,
            chosen: found.after,
            rejected: found.before,
        };
        output::to_writer(out, &line)?;
        writeln!(out)?;
    }
    Ok(())
}
