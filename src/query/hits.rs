//! What a query finds in a dialog, and what a list of dialogs shows of each.

use std::ops::Range;

use super::{Pattern, Query};
use crate::dialog::{Dialog, Short, Turn};
use crate::lint::{Diagnostic, Severity};
use crate::text::Units;

/// A place that a query found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Position of the turn.
    pub turn: usize,
    /// Position of the segment, if it is one that was found.
    pub segment: Option<usize>,
    /// Bytes of the turn's text to be marked; empty if nothing in it is.
    pub bytes: Range<usize>,
}

impl Query {
    /// Everything the query finds in a dialog, in order.
    pub fn hits(&self, dialog: &Dialog, problems: &[Diagnostic]) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (position, turn) in dialog.turns.iter().enumerate() {
            let hit = |bytes| Hit {
                turn: position,
                segment: None,
                bytes,
            };
            match self {
                Self::Text(pattern) => {
                    hits.extend(pattern.find_all(&turn.text).into_iter().map(hit));
                }
                Self::Label(pattern) => labelled(position, turn, dialog.units, pattern, &mut hits),
                Self::Api(pattern) => {
                    let calls = turn.calls.iter().filter(|call| pattern.is_in(&call.name));
                    hits.extend(calls.map(|_| hit(0..0)));
                }
                Self::Speaker(pattern) => {
                    hits.extend(pattern.is_in(&turn.speaker.name).then(|| hit(0..0)));
                }
                Self::Problem(rule) => {
                    let wanted = |d: &&Diagnostic| {
                        d.spot.turn == Some(position)
                            && d.severity > Severity::Info
                            && d.rule.name.contains(rule.as_str())
                    };
                    hits.extend(problems.iter().filter(wanted).map(|d| Hit {
                        segment: d.spot.segment,
                        ..hit(0..0)
                    }));
                }
            }
        }
        hits
    }
}

fn labelled(position: usize, turn: &Turn, units: Units, pattern: &Pattern, hits: &mut Vec<Hit>) {
    for (number, segment) in turn.segments.iter().enumerate() {
        if segment
            .labels
            .iter()
            .any(|label| pattern.is_in(&label.name))
        {
            let bytes = segment.span.map_or(0..0, |span| turn.bytes_of(span, units));
            hits.push(Hit {
                turn: position,
                segment: Some(number),
                bytes,
            });
        }
    }
    let act = turn.acts.iter().any(|act| pattern.is_in(&act.name));
    if act && turn.segments.is_empty() {
        hits.push(Hit {
            turn: position,
            segment: None,
            bytes: 0..0,
        });
    }
}

/// What a list shows of a dialog without reading it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub id: Short,
    pub turns: u32,
    /// Errors and warnings.
    pub problems: u32,
    /// The dialog cannot be read.
    pub broken: bool,
}

impl Outline {
    /// The outline of a dialog in which the rules find so many problems.
    pub fn of(dialog: &Dialog, problems: usize) -> Self {
        Self {
            id: dialog.id.as_str().into(),
            turns: dialog.turns.len() as u32,
            problems: problems as u32,
            broken: false,
        }
    }
}
