//! Finds the hits of a query in a dialog: the turns that match, and the places to highlight there.

use std::ops::Range;

use super::expression::{Condition, Query};
use super::matching::{FieldLookup, Target, is_wanted};
use super::members::{is_in_answer, is_in_arguments};
use super::places::{Sought, TextKind, TextPlace, places};
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
    /// Position of the call, if the match is a call or in one.
    pub call: Option<usize>,
    /// The place of the text that matches.
    pub place: TextPlace,
    /// The range of the turn's text to highlight, in bytes; empty for other places.
    pub bytes: Range<usize>,
}

impl Hit {
    /// Returns a hit without a place in the text.
    fn of_turn(turn: usize) -> Self {
        Self {
            turn,
            segment: None,
            call: None,
            place: TextPlace::Turn,
            bytes: 0..0,
        }
    }

    /// Returns a hit in a text other than the turn's own.
    fn at_place(turn: usize, place: TextPlace) -> Self {
        Self {
            call: place.call(),
            place,
            ..Self::of_turn(turn)
        }
    }
}

impl Query {
    /// Returns all hits in a dialog, in order. Of a sequence of turns, the last one is the hit; of a condition on
    /// the whole dialog, its first turn. A text counts once in arguments, in an answer, a comment or a field.
    pub fn hits(&self, target: &Target<'_>) -> Vec<Hit> {
        let matches = self.matches(target);
        let mut turns = matches.iter().enumerate().filter(|(_, matches)| **matches);
        if self.is_about(target) {
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

    /// True if it matches all turns of this dialog or none: members of a dialog may also be members of its turns.
    fn is_about(&self, target: &Target<'_>) -> bool {
        match self {
            Self::Is(Condition::Field(wanted)) => {
                FieldLookup::of(wanted, target.dialog).is_about_dialog
            }
            Self::All(parts) | Self::Any(parts) => parts.iter().all(|part| part.is_about(target)),
            Self::Not(part) => part.is_about(target),
            _ => self.is_about_dialog(),
        }
    }

    /// Returns the places in a turn that matches: those of the most precise condition; the others only have to
    /// match.
    fn places(&self, target: &Target<'_>, turn: usize) -> Vec<Hit> {
        let mut conditions = Vec::new();
        self.shown(None, &mut conditions);
        conditions.sort_by_key(|(condition, _)| condition.vagueness());
        let mut found = conditions
            .iter()
            .map(|(condition, within)| condition.places(target, turn, *within));
        found.find(|places| !places.is_empty()).unwrap_or_default()
    }

    /// Collects the conditions whose places show why a turn matches, and the kind of text that each is restricted
    /// to.
    pub(super) fn shown<'q>(
        &'q self,
        within: Option<TextKind>,
        conditions: &mut Vec<(&'q Condition, Option<TextKind>)>,
    ) {
        match self {
            Self::Is(condition) => conditions.push((condition, within)),
            Self::All(parts) | Self::Any(parts) => {
                let within = match self {
                    Self::All(parts) => Self::restricted(parts, within),
                    _ => within,
                };
                for part in parts {
                    part.shown(within, conditions);
                }
            }
            Self::Then { later: turn, .. } | Self::NotBefore { turn, .. } => {
                turn.shown(within, conditions);
            }
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

    /// Returns the places in a turn that meet it.
    fn places(&self, target: &Target<'_>, position: usize, within: Option<TextKind>) -> Vec<Hit> {
        let turn = &target.dialog.turns[position];
        match self {
            Self::Text(_) | Self::Regex(_) => Sought::of(self, within)
                .map(|sought| occurrences(&sought, target, position, within))
                .unwrap_or_default(),
            Self::Label(name) => labelled((position, turn), target.dialog.units, name),
            Self::Api(name) => calls(turn, position, TextPlace::Arguments, |call| {
                name.matches(&call.name)
            }),
            Self::Argument(wanted) => calls(turn, position, TextPlace::Arguments, |call| {
                is_in_arguments(wanted, call.arguments.as_ref())
            }),
            Self::Response(wanted) => calls(turn, position, TextPlace::Answer, |call| {
                is_in_answer(wanted, call.response.as_ref())
            }),
            Self::Problem(rule) => {
                let problems = target.problems_of(position).iter();
                let wanted = problems.filter(|problem| is_wanted(problem, rule));
                let hit = |segment| Hit {
                    segment,
                    ..Hit::of_turn(position)
                };
                wanted
                    .map(|problem| hit(problem.location.segment))
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Returns the occurrences of a text in a turn: each one in the utterance, then one for each other text that has any.
fn occurrences(
    sought: &Sought,
    target: &Target<'_>,
    position: usize,
    within: Option<TextKind>,
) -> Vec<Hit> {
    let turn = &target.dialog.turns[position];
    let mut hits = Vec::new();
    for place in places(target, position, within) {
        if place == TextPlace::Turn {
            let found = sought.find_all(&turn.text).into_iter();
            hits.extend(found.map(|bytes| Hit {
                bytes,
                ..Hit::of_turn(position)
            }));
        } else if sought.is_at((target.dialog, position), place) {
            hits.push(Hit::at_place(position, place));
        }
    }
    hits
}

/// Returns a hit for each call that meets `is_wanted`, at this place of it.
fn calls(
    turn: &Turn,
    position: usize,
    place: fn(usize) -> TextPlace,
    is_wanted: impl Fn(&ApiCall) -> bool,
) -> Vec<Hit> {
    let calls = turn.calls.iter().enumerate();
    let wanted = calls.filter(|(_, call)| is_wanted(call));
    let hit = |(number, _)| Hit::at_place(position, place(number));
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
            segment: Some(number),
            bytes: segment.span.map_or(0..0, |span| places.bytes_of(span)),
            ..Hit::of_turn(position)
        }
    };
    wanted.map(hit).collect()
}
