//! Hits as records for programs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Hit, HitExcerpt, Query, TextPlace};
use crate::dialog::Dialog;

/// A hit in machine-readable output. Positions count from 0.
#[derive(Serialize)]
pub struct HitRecord<'d> {
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

impl<'d> HitRecord<'d> {
    /// Returns the record of a hit of `query` in a dialog, which is at a position of `file`.
    pub fn of(
        query: &Query,
        file: &'d str,
        dialog: &'d Dialog,
        position: usize,
        hit: &'d Hit,
    ) -> Self {
        let turn = &dialog.turns[hit.turn];
        let at = |byte: usize| turn.text[..byte].chars().count();
        let elsewhere = hit.place != TextPlace::Turn && !query.sought().is_empty();
        let range = Some(&hit.bytes).filter(|range| !range.is_empty());
        let variables = hit.values.iter();
        Self {
            file,
            dialog: position,
            dialog_id: Some(dialog.id.as_str()).filter(|id| !id.is_empty()),
            turn: hit.turn,
            speaker: &turn.speaker.name,
            segment: hit.segment,
            call: hit.call,
            kind: elsewhere.then(|| hit.place.kind(turn).name()),
            excerpt: elsewhere.then(|| HitExcerpt::of(query, dialog, hit).text),
            text: &turn.text,
            start: range.map(|range| at(range.start)),
            end: range.map(|range| at(range.end)),
            variables: variables
                .map(|variable| (variable.name.as_str(), variable.values.as_slice()))
                .collect(),
        }
    }
}
