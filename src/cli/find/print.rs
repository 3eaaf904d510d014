//! Prints a turn that was found: as `show` does, as JSON Lines, or as the id of its dialog.

use std::collections::BTreeMap;
use std::io::Write as _;

use serde::Serialize;

use crate::cli::printer::{Manner, Printed, Printer};
use crate::cli::scan::ScannedDialog;
use crate::cli::style;
use crate::cli::turn_text;
use crate::dialog::Dialog;
use crate::query::{Hit, HitExcerpt, Query, TextPlace};
use crate::text::visible;

/// A hit in machine-readable output. Positions count from 0.
#[derive(Serialize)]
struct HitRecord<'d> {
    file: &'d str,
    dialog: usize,
    /// None if the dialog has no id.
    dialog_id: Option<&'d str>,
    turn: usize,
    speaker: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    segment: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<usize>,
    /// The kind of text that the hit is in, as `in:` names it; None for the turn's own text and for calls.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// The text around a hit in such a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<Box<str>>,
    /// The utterance.
    text: &'d str,
    /// The range of the hit in it, in code points; None if the hit is the whole turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<usize>,
    /// The values of each variable of the query.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    variables: BTreeMap<&'d str, &'d [String]>,
}

/// Returns the records of the hits in one turn, a line each.
pub fn records(
    (query, file): (&Query, &str),
    read: &ScannedDialog<'_, '_>,
    hits: &[Hit],
    manner: Manner,
) -> Printed {
    let dialog = &read.dialog;
    let finds_texts = !query.sought().is_empty();
    let record = |hit: &Hit, out: &mut Printer| {
        let turn = &dialog.turns[hit.turn];
        let at = |byte: usize| turn.text[..byte].chars().count();
        let elsewhere = finds_texts && hit.place != TextPlace::Turn;
        let range = Some(hit.bytes.clone()).filter(|range| !range.is_empty());
        let record = HitRecord {
            file,
            dialog: read.position,
            dialog_id: Some(dialog.id.as_str()).filter(|id| !id.is_empty()),
            turn: hit.turn,
            speaker: &turn.speaker.name,
            segment: hit.segment,
            call: hit.call,
            kind: elsewhere.then(|| hit.place.kind(turn).name()),
            excerpt: elsewhere.then(|| HitExcerpt::of(query, dialog, hit).text),
            text: &turn.text,
            start: range.as_ref().map(|range| at(range.start)),
            end: range.as_ref().map(|range| at(range.end)),
            variables: hit
                .values
                .iter()
                .map(|variable| (variable.name.as_str(), variable.values.as_slice()))
                .collect(),
        };
        let mut line = serde_json::to_vec(&record)?;
        line.push(b'\n');
        out.write_all(&line)
    };
    printed(manner, |out| {
        out.as_json(|out| hits.iter().try_for_each(|hit| record(hit, out)))
    })
}

/// Returns the line with the id of a dialog; empty if it has none.
pub fn id(dialog: &Dialog, manner: Manner) -> Printed {
    if dialog.id.is_empty() {
        return Printed::default();
    }
    printed(manner, |out| writeln!(out, "{}", visible(&dialog.id)))
}

/// Returns the heading above the turns of a dialog.
pub fn heading(file: &str, read: &ScannedDialog<'_, '_>, manner: Manner) -> Printed {
    printed(manner, |out| {
        let (bold, dim) = (out.style(style::PLACE), out.style(style::DIM));
        let (id, file) = (visible(&read.dialog.id), visible(file));
        let position = read.position;
        writeln!(
            out,
            "{bold}{id}{bold:#}  {dim}dialog {position} · {file}{dim:#}"
        )
    })
}

/// Returns a turn as `show` prints it, with carets under its hits, and the text around those in other texts.
pub fn turn(
    query: &Query,
    dialog: &Dialog,
    hits: &[Hit],
    columns: usize,
    manner: Manner,
) -> Printed {
    let number = hits[0].turn;
    let mut states = dialog.turns[..number].iter().rev();
    let before = states.find_map(|turn| turn.state.as_deref());
    let marks: Vec<_> = hits.iter().map(|hit| hit.bytes.clone()).collect();
    printed(manner, |out| {
        let turn = (&dialog.turns[number], number);
        turn_text::show(turn, &marks, before, dialog.units, columns, out)?;
        let mut values: Vec<_> = hits.iter().map(Hit::values_shown).collect();
        values.dedup();
        for values in values.iter().filter(|values| !values.is_empty()) {
            turn_text::show_excerpt("with", (values, &(0..0)), columns, out)?;
        }
        let elsewhere = hits.iter().filter(|hit| hit.place != TextPlace::Turn);
        if query.sought().is_empty() {
            return Ok(());
        }
        for hit in elsewhere {
            let excerpt = HitExcerpt::of(query, dialog, hit);
            let head = format!("in {}", hit.place.kind(turn.0).name());
            turn_text::show_excerpt(&head, (&excerpt.text, &excerpt.hit), columns, out)?;
        }
        Ok(())
    })
}

fn printed(manner: Manner, print: impl FnOnce(&mut Printer) -> std::io::Result<()>) -> Printed {
    // Printing to memory does not fail.
    Printer::printed(manner, print).unwrap_or_default()
}
