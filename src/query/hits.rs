//! Finds the hits of a query in a dialog: the turns that match, and the places to highlight there.

use std::ops::Range;

use super::expression::{Condition, Query};
use super::matching::{Target, is_in_payload, is_wanted};
use super::value::NamePattern;
use crate::dialog::{ApiCall, Turn};
use crate::text::Units;

/// A place that matches a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Position of the turn.
    pub turn: usize,
    /// Position of the segment, if the match is a segment.
    pub segment: Option<usize>,
    /// Position of the call, if the match is a call.
    pub call: Option<usize>,
    /// The range of the turn's text to highlight, in bytes; may be empty.
    pub bytes: Range<usize>,
}

impl Hit {
    /// A hit without a place in the text.
    fn of_turn(turn: usize) -> Self {
        Self {
            turn,
            segment: None,
            call: None,
            bytes: 0..0,
        }
    }
}

impl Query {
    /// All hits in a dialog, in order. Of a sequence of turns, the last one is the hit; of a condition on
    /// the whole dialog, its first turn.
    pub fn hits(&self, target: &Target<'_>) -> Vec<Hit> {
        let matches = self.matches(target);
        let mut turns = matches.iter().enumerate().filter(|(_, matches)| **matches);
        if self.is_about_dialog() {
            return turns
                .next()
                .map(|(turn, _)| Hit::of_turn(turn))
                .into_iter()
                .collect();
        }
        let mut hits = Vec::new();
        for (turn, _) in turns {
            let mut places = self.places(target, turn);
            if places.is_empty() {
                places.push(Hit::of_turn(turn));
            }
            hits.append(&mut places);
        }
        hits
    }

    /// The places in a turn that matches: those of the most precise condition; the others only have to
    /// match.
    fn places(&self, target: &Target<'_>, turn: usize) -> Vec<Hit> {
        let mut conditions = Vec::new();
        self.shown(&mut conditions);
        conditions.sort_by_key(|condition| condition.vagueness());
        let places = |condition: &&Condition| condition.places(target, turn);
        let mut found = conditions.iter().map(places);
        found.find(|places| !places.is_empty()).unwrap_or_default()
    }

    /// Collects the conditions whose places show why a turn matches.
    fn shown<'q>(&'q self, conditions: &mut Vec<&'q Condition>) {
        match self {
            Self::Is(condition) => conditions.push(condition),
            Self::All(parts) | Self::Any(parts) => {
                for part in parts {
                    part.shown(conditions);
                }
            }
            Self::Then { later: turn, .. } | Self::NotBefore { turn, .. } => turn.shown(conditions),
            Self::Not(_) | Self::InDialog(_) => {}
        }
    }
}

impl Condition {
    /// Rank of a condition: the lower, the more precise are the places of its hits.
    fn vagueness(&self) -> u8 {
        match self {
            Self::Text(_) | Self::Regex(_) => 0,
            Self::Label(_) => 1,
            Self::Problem(_) => 2,
            Self::Api(_) | Self::Argument(_) | Self::Response(_) => 3,
            _ => 4,
        }
    }

    /// The places in a turn that meet it.
    fn places(&self, target: &Target<'_>, position: usize) -> Vec<Hit> {
        let turn = &target.dialog.turns[position];
        let hit = |bytes| Hit {
            bytes,
            ..Hit::of_turn(position)
        };
        match self {
            Self::Text(pattern) => pattern.find_all(&turn.text).into_iter().map(hit).collect(),
            Self::Regex(regex) => {
                let found = regex.regex.find_iter(&turn.text);
                found.map(|found| hit(found.range())).collect()
            }
            Self::Label(name) => labelled((position, turn), target.dialog.units, name),
            Self::Api(name) => calls(turn, position, |call| name.matches(&call.name)),
            Self::Argument(wanted) => calls(turn, position, |call| {
                is_in_payload(wanted, call.arguments.as_ref())
            }),
            Self::Response(wanted) => calls(turn, position, |call| {
                is_in_payload(wanted, call.response.as_ref())
            }),
            Self::Problem(rule) => {
                let problems = target.problems_of(position).iter();
                let wanted = problems.filter(|problem| is_wanted(problem, rule));
                let hit = |segment| Hit {
                    segment,
                    ..Hit::of_turn(position)
                };
                wanted.map(|problem| hit(problem.spot.segment)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A hit for each call that meets `is_wanted`.
fn calls(turn: &Turn, position: usize, is_wanted: impl Fn(&ApiCall) -> bool) -> Vec<Hit> {
    let calls = turn.calls.iter().enumerate();
    let wanted = calls.filter(|(_, call)| is_wanted(call));
    let hit = |(number, _)| Hit {
        call: Some(number),
        ..Hit::of_turn(position)
    };
    wanted.map(hit).collect()
}

fn labelled((position, turn): (usize, &Turn), units: Units, name: &NamePattern) -> Vec<Hit> {
    let places = std::cell::OnceCell::new();
    let segments = turn.segments.iter().enumerate();
    let wanted = segments.filter(|(_, segment)| {
        let mut labels = segment.labels.iter();
        labels.any(|label| name.matches(&label.name))
    });
    let hit = |(number, segment): (usize, &crate::dialog::Segment)| {
        let places = places.get_or_init(|| turn.places(units));
        Hit {
            turn: position,
            segment: Some(number),
            call: None,
            bytes: segment.span.map_or(0..0, |span| places.bytes_of(span)),
        }
    };
    wanted.map(hit).collect()
}
