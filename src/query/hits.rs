//! Finds the hits of a query in a dialog.

use std::ops::Range;

use super::{Pattern, Query};
use crate::dialog::{Dialog, Speaker, Turn};
use crate::lint::Diagnostic;
use crate::text::Units;

/// A place that matches a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Position of the turn.
    pub turn: usize,
    /// Position of the segment, if the match is a segment.
    pub segment: Option<usize>,
    /// The range of the turn's text to highlight, in bytes; may be empty.
    pub bytes: Range<usize>,
}

impl Query {
    /// All hits in a dialog, in order. `problems` must be ordered by turn.
    pub fn hits(&self, dialog: &Dialog, problems: &[Diagnostic]) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut left = problems;
        for (position, turn) in dialog.turns.iter().enumerate() {
            // A problem of the whole dialog counts as one of its first turn.
            let is_here = |d: &Diagnostic| d.spot.turn.unwrap_or_default() <= position;
            let (here, behind) = left.split_at(left.partition_point(is_here));
            left = behind;
            self.hits_in((position, turn), dialog.units, here, &mut hits);
        }
        hits
    }

    /// All hits in a turn, given with its position and its problems.
    fn hits_in(
        &self,
        (position, turn): (usize, &Turn),
        units: Units,
        problems: &[Diagnostic],
        hits: &mut Vec<Hit>,
    ) {
        let hit = |bytes| Hit {
            turn: position,
            segment: None,
            bytes,
        };
        match self {
            Self::Text(pattern) => {
                hits.extend(pattern.find_all(&turn.text).into_iter().map(hit));
            }
            Self::Label(pattern) => labelled(position, turn, units, pattern, hits),
            Self::Api(pattern) => {
                let calls = turn.calls.iter().filter(|call| pattern.is_in(&call.name));
                hits.extend(calls.map(|_| hit(0..0)));
            }
            Self::Speaker(pattern) => {
                let Speaker { name, role } = &turn.speaker;
                let is_it = pattern.is_in(name) || pattern.is_in(role.name());
                hits.extend(is_it.then(|| hit(0..0)));
            }
            Self::Problem(rule) => {
                let wanted = |d: &&Diagnostic| {
                    (d.is_worth_changing() || !rule.is_empty())
                        && d.rule.name.contains(rule.as_str())
                };
                hits.extend(problems.iter().filter(wanted).map(|d| Hit {
                    segment: d.spot.segment,
                    ..hit(0..0)
                }));
            }
            Self::All(all) => {
                // Show the hits of the most specific condition; the other conditions only have to match.
                let before = hits.len();
                let mut telling: Vec<_> = all.iter().collect();
                telling.sort_by_key(|query| query.vagueness());
                for (number, query) in telling.into_iter().enumerate() {
                    let found = hits.len();
                    query.hits_in((position, turn), units, problems, hits);
                    if hits.len() == found {
                        hits.truncate(before);
                        return;
                    }
                    if number > 0 {
                        hits.truncate(found);
                    }
                }
            }
        }
    }

    /// Rank of a condition: the lower, the more precise are the places of its hits.
    fn vagueness(&self) -> u8 {
        match self {
            Self::Text(_) => 0,
            Self::Label(_) => 1,
            Self::Problem(_) => 2,
            Self::Api(_) => 3,
            Self::Speaker(_) | Self::All(_) => 4,
        }
    }
}

fn labelled(position: usize, turn: &Turn, units: Units, pattern: &Pattern, hits: &mut Vec<Hit>) {
    let mut places = None;
    for (number, segment) in turn.segments.iter().enumerate() {
        if segment
            .labels
            .iter()
            .any(|label| pattern.is_in(&label.name))
        {
            let places = places.get_or_insert_with(|| turn.places(units));
            let bytes = segment.span.map_or(0..0, |span| places.bytes_of(span));
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
