//! Finds the hits of a query in a dialog: the turns that match, and the places to highlight there.

use std::collections::HashMap;
use std::ops::Range;

use super::expression::{Condition, Query};
use super::keys::{Found, NO_PLACE, OF_CALLS, Takes};
use super::places::{TextKind, TextPlace, places};
use super::solve::{Solution, Solutions, VariableValues};
use super::sought::Sought;
use super::target::Target;
use crate::dialog::Judgement;

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
    /// The values that the variables of the query have here; empty without variables.
    pub values: Box<[VariableValues]>,
}

/// The hits in a dialog.
#[derive(Debug, Default)]
pub struct FoundHits {
    pub hits: Vec<Hit>,
    /// False if variables may have so many values that not all were tried; there may be more hits.
    pub is_complete: bool,
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
            values: Box::default(),
        }
    }

    /// Returns the values of the variables in one line, as in `$m=Dune, Alien`; empty without variables.
    pub fn values_shown(&self) -> String {
        let shown = self.values.iter().map(|variable| {
            let values = variable.values.join(", ").replace(['\n', '\r'], " ");
            format!("${}={values}", variable.name)
        });
        shown.collect::<Vec<_>>().join("  ")
    }

    /// Returns its place in the order of the hits of a turn.
    fn order(&self) -> (u8, usize, u8, Option<usize>, usize) {
        let (rank, number, part) = match self.place {
            TextPlace::Turn => (0, 0, 0),
            TextPlace::Arguments(call) => (1, call, 0),
            TextPlace::Result(call) => (1, call, 1),
            TextPlace::TurnField(field) => (2, field, 0),
            TextPlace::Comment(vote) => (3, vote, 0),
            TextPlace::Note(judgement) => (4, judgement, 0),
            TextPlace::Field(field) => (5, field, 0),
        };
        (rank, number, part, self.segment, self.bytes.start)
    }

    /// Returns a hit in a text other than the turn's own.
    fn at_place(turn: usize, place: TextPlace) -> Self {
        Self { call: place.call(), place, ..Self::of_turn(turn) }
    }
}

impl Query {
    /// Returns all hits in a dialog, in order. Of a sequence of turns, the last one is the hit; of a condition on
    /// the whole dialog, the first turn that an answer points to, or else its first turn. A text counts once in arguments, in an answer, a comment or a field.
    pub fn hits(&self, target: &Target<'_>) -> FoundHits {
        if self.has_variables() {
            return self.hits_with_values(target);
        }
        let turns = self.matches(target).turns;
        let mut turns = turns.iter().enumerate().filter(|(_, matches)| **matches);
        let mut hits = Vec::new();
        if self.is_about_this(target) {
            hits.extend(turns.next().map(|(turn, _)| Hit::of_turn(self.pointed_at(target, turn))));
        } else {
            for (turn, _) in turns {
                let mut places = self.places(target, turn);
                if places.is_empty() {
                    places.push(Hit::of_turn(turn));
                }
                hits.append(&mut places);
            }
        }
        FoundHits { hits, is_complete: true }
    }

    /// As [`Query::hits`]: the places where the values of the variables are met, with these values.
    fn hits_with_values(&self, target: &Target<'_>) -> FoundHits {
        let solutions = Solutions::all(self, target);
        let is_about = self.is_about_this(target);
        let shown = self.shown_first();
        let only: Vec<_> = shown.iter().map(|(condition, _)| *condition).collect();
        let mut hits = Vec::new();
        for turn in 0..target.dialog.turns.len() {
            let all: Vec<_> = solutions.of_turn(turn).collect();
            if all.is_empty() {
                continue;
            }
            let mut places: Vec<(Hit, Vec<&Solution>)> = Vec::new();
            // The places of a condition depend on its own variable only.
            let mut known: HashMap<(usize, Option<usize>), Vec<Hit>> = HashMap::new();
            for same in solutions.grouped(all.clone(), &only) {
                let found = best_places(&only, &mut |number| {
                    let (condition, within) = shown[number];
                    let value = solutions.value_in(same[0], condition);
                    let places = || {
                        let bound = solutions.with_value(condition, same[0]);
                        bound.places(target, turn, within)
                    };
                    known.entry((number, value)).or_insert_with(places).clone()
                });
                for hit in found {
                    match places.iter_mut().find(|(other, _)| *other == hit) {
                        Some((_, solutions)) => solutions.extend(&same),
                        None => places.push((hit, same.clone())),
                    }
                }
            }
            places.sort_by_key(|(hit, _)| hit.order());
            if places.is_empty() || is_about {
                let turn = if is_about { self.pointed_at(target, turn) } else { turn };
                places = vec![(Hit::of_turn(turn), all)];
            }
            hits.extend(
                places
                    .into_iter()
                    .map(|(hit, of_hit)| Hit { values: solutions.values(&of_hit), ..hit }),
            );
            if is_about {
                break;
            }
        }
        FoundHits { hits, is_complete: solutions.matches.is_complete }
    }

    /// True if it matches all turns of this dialog or none: members of a dialog may also be members of its turns.
    fn is_about_this(&self, target: &Target<'_>) -> bool {
        self.is_about(&|condition| match condition {
            Condition::Has(wanted) if wanted.key.name == "field" => {
                wanted.asked().is_about_dialog(target)
            }
            _ => condition.is_about_dialog(),
        })
    }

    /// Returns the first turn that an answer about the whole dialog, to a question that it asks for, points to;
    /// `or_else` without one.
    fn pointed_at(&self, target: &Target<'_>, or_else: usize) -> usize {
        let is_asked = |judgement: &&Judgement| {
            let mut names = self.every().into_iter().filter_map(Condition::question);
            judgement.value.is_some() && names.any(|name| name.matches(&judgement.question))
        };
        let answers = target.judgements().filter(is_asked);
        answers.filter_map(|answer| answer.at).min().unwrap_or(or_else)
    }

    /// Returns the places in a turn that matches.
    fn places(&self, target: &Target<'_>, turn: usize) -> Vec<Hit> {
        let shown = self.shown_first();
        let conditions: Vec<_> = shown.iter().map(|(condition, _)| *condition).collect();
        best_places(&conditions, &mut |number| {
            let (condition, within) = shown[number];
            condition.places(target, turn, within)
        })
    }

    /// Returns the conditions whose places show why a turn matches, the most precise first, and the kind of text that
    /// each is restricted to.
    fn shown_first(&self) -> Vec<(&Condition, Option<TextKind>)> {
        let mut conditions = Vec::new();
        self.shown(None, &mut conditions);
        conditions.sort_by_key(|(condition, _)| condition.vagueness());
        conditions
    }
}

/// Returns the places of the most precise of these conditions that has any, by what `places` returns for its position;
/// the others only have to match.
fn best_places(conditions: &[&Condition], places: &mut dyn FnMut(usize) -> Vec<Hit>) -> Vec<Hit> {
    let mut rest = 0..conditions.len();
    let first = rest.find_map(|number| {
        let places = places(number);
        (!places.is_empty()).then_some((conditions[number], places))
    });
    let Some((first, mut found)) = first else {
        return Vec::new();
    };
    if first.vagueness() == OF_CALLS {
        for number in rest.take_while(|number| conditions[*number].vagueness() == OF_CALLS) {
            // The calls that meet several conditions show best why the turn matches.
            let places = places(number);
            let is_in_both = |hit: &Hit| places.iter().any(|other| other.call == hit.call);
            if found.iter().any(is_in_both) {
                found.retain(is_in_both);
            }
        }
    }
    found
}

impl Condition {
    /// Rank of a condition: the lower, the more precise are the places of its hits.
    fn vagueness(&self) -> u8 {
        match self {
            Self::Text(_) | Self::Regex(_) => 0,
            Self::In(_) => NO_PLACE,
            Self::Has(wanted) => wanted.key.rank,
        }
    }

    /// Returns the places in a turn that meet it.
    fn places(&self, target: &Target<'_>, position: usize, within: Option<TextKind>) -> Vec<Hit> {
        if let Some(sought) = Sought::of(self, within).filter(|_| self.wanted().is_none()) {
            return occurrences(&sought, target, position, within);
        }
        let Some(wanted) = self.wanted().filter(|_| self.vagueness() < NO_PLACE) else {
            return Vec::new();
        };
        let turn = &target.dialog.turns[position];
        let places = std::cell::OnceCell::new();
        let bytes = |segment: usize| {
            let places = places.get_or_init(|| turn.places(target.dialog.units));
            let span = turn.segments.get(segment).and_then(|segment| segment.span);
            span.map_or(0..0, |span| places.bytes_of(span))
        };
        let hit = &mut |found: &Found<'_>| {
            // The words of a label are what matches; a problem may be anywhere in them.
            let bytes = found.segment.filter(|_| wanted.key.takes == Takes::Pair).map(bytes);
            let Found { segment, place, .. } = *found;
            let hit = Hit { segment, ..Hit::at_place(position, place) };
            let is_met = wanted.is_met(found, None);
            is_met.then(|| Hit { bytes: bytes.unwrap_or(0..0), ..hit })
        };
        let mut hits = wanted.asked().kept(target, position..position + 1, hit).concat();
        hits.dedup();
        hits
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
            hits.extend(found.map(|bytes| Hit { bytes, ..Hit::of_turn(position) }));
        } else if sought.is_at(target.dialog, position, place) {
            hits.push(Hit::at_place(position, place));
        }
    }
    hits
}
