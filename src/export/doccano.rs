//! `doccano`: JSON Lines for a sequence labelling project, with the place of each turn as metadata.

use std::io::{self, Write};

use serde::Serialize;

use super::export_format::{ExportFormat, ExportSubject, ExportedDialog, Output};
use super::left_out::LeftOut;
use super::place::TurnPlace;
use super::spans::labelled_turns;
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
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    for (number, turn, spans) in labelled_turns(dialog, str::is_empty, left_out) {
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
