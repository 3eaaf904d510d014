//! Prints a turn that was found: as `show` does, as JSON Lines, or as the id of its dialog.

use std::io::Write as _;

use crate::cli::printer::{Manner, Printed, Printer};
use crate::cli::scan::ScannedDialog;
use crate::cli::style;
use crate::cli::turn_lines::PrintedDialog;
use crate::dialog::Dialog;
use crate::query::{Hit, HitExcerpt, HitRecord, Query, TextPlace};
use crate::text::visible;

/// Returns the records of the hits in one turn, a line each.
pub fn records(
    query: &Query,
    file: &str,
    read: &ScannedDialog<'_, '_>,
    hits: &[Hit],
    manner: Manner,
) -> Printed {
    let record = |hit: &Hit, out: &mut Printer| {
        let record = HitRecord::of(query, file, &read.dialog, read.position, hit);
        let mut line = serde_json::to_vec(&record)?;
        line.push(b'\n');
        out.write_all(&line)
    };
    printed(manner, |out| out.as_json(|out| hits.iter().try_for_each(|hit| record(hit, out))))
}

/// Returns the line with the id of a dialog; empty if it has none.
pub fn id(dialog: &Dialog, manner: Manner) -> Printed {
    if dialog.id.is_empty() {
        return Printed::default();
    }
    printed(manner, |out| writeln!(out, "{}", visible(&dialog.id)))
}

/// Returns the heading above the turns of a dialog.
pub fn heading(file: &str, dialog: &Dialog, position: usize, manner: Manner) -> Printed {
    printed(manner, |out| {
        let (bold, dim) = (out.style(style::PLACE), out.style(style::DIM));
        let (id, file) = (visible(&dialog.id), visible(file));
        writeln!(out, "{bold}{id}{bold:#}  {dim}dialog {position} · {file}{dim:#}")
    })
}

/// Returns a turn as `show` prints it, with carets under its hits, and the text around those in other texts.
pub fn turn(query: &Query, printed: &mut PrintedDialog, hits: &[Hit], manner: Manner) -> Printed {
    let number = hits[0].turn;
    printed.mark(query, hits);
    self::printed(manner, |out| {
        printed.turn(number, number, out)?;
        let mut values: Vec<_> = hits.iter().map(Hit::values_shown).collect();
        values.dedup();
        for values in values.iter().filter(|values| !values.is_empty()) {
            printed.excerpt("with", values, 0..0, out)?;
        }
        let elsewhere = hits.iter().filter(|hit| hit.place != TextPlace::Turn);
        if query.sought().is_empty() {
            return Ok(());
        }
        let dialog = printed.dialog();
        for hit in elsewhere {
            let excerpt = HitExcerpt::of(query, dialog, hit);
            let head = format!("in {}", hit.place.kind(&dialog.turns[number]).name());
            printed.excerpt(&head, &excerpt.text, excerpt.hit, out)?;
        }
        Ok(())
    })
}

fn printed(manner: Manner, print: impl FnOnce(&mut Printer) -> std::io::Result<()>) -> Printed {
    // Printing to memory does not fail.
    Printer::printed(manner, print).unwrap_or_default()
}
