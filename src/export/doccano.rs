//! `doccano`: JSON Lines for a sequence labelling project, with the place of each turn as metadata.

use std::io::{self, Write};

use serde::Serialize;

use super::export_format::{ExportFormat, ExportOptions, ExportSubject, ExportedDialog, Output};
use super::left_out::{LeftOut, TurnPart};
use super::place::{EMPTY, TurnPlace};
use super::spans::spans;
use crate::json::output;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "doccano",
    writes: "texts with labels and offsets, one turn per line, for doccano's sequence labelling",
    needs_problems: false,
    of: ExportSubject::Dialogs,
    output: Output::Lines("doccano.jsonl", write),
};

#[derive(Serialize)]
struct Line<'a> {
    text: &'a str,
    label: Vec<(usize, usize, &'a str)>,
    #[serde(flatten)]
    place: TurnPlace<'a>,
}

fn write(
    dialog: &ExportedDialog<'_>,
    _: &ExportOptions,
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    left_out.dialog_fields(dialog.dialog);
    left_out.judgements(dialog.dialog);
    for (number, turn) in dialog.turns() {
        left_out.parts(turn, &TurnPart::BESIDE_SEGMENTS);
        let spans = spans(turn, dialog.dialog.units, left_out);
        if turn.text.is_empty() {
            left_out.one(EMPTY);
            continue;
        }
        let line = Line {
            text: &turn.text,
            label: spans.iter().map(|span| (span.start, span.end, span.label)).collect(),
            place: TurnPlace::new(dialog, number),
        };
        output::to_writer(out, &line)?;
        writeln!(out)?;
    }
    Ok(())
}
