//! Finds possible places for a slot of a simulated dialogue whose span is empty or reversed, or extends past
//! the tokens. Most slots quote no text, so the search relies on acts and states.

use std::collections::BTreeSet;

use super::offer::{offer_removal, quoted, set_span};
use crate::dialog::{Span, Turn};
use crate::lint::engine::{Applicability, Diagnostic};
use crate::lint::facts::slots::{distance, free_places, is_open, values_of};
use crate::lint::facts::{Mention, Subject};

/// Offers every place where the turn mentions the quote of the slot, if the corpus has quotes, else a value that its
/// acts or its state have for the slot, the nearest first; if there is none, a value that any act or state of the
/// dialog has for the slot. Then offers `span`, if it lies in the utterance, and last, as a manual fix, to delete the slot.
pub fn offer_slot_places(
    diagnostic: &mut Diagnostic,
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    span: Option<Span>,
) {
    let turn = &subject.dialog.turns[mention.turn];
    let Some(old) = mention.of.span else {
        return;
    };
    let quote = mention.of.quote.as_deref().filter(|quote| !is_open(quote));
    let quoted = quote.map(|quote| free_places(subject, mention.turn, mention.label(), quote));
    let mut places: Vec<Span> = quoted.into_iter().flatten().collect();
    if places.is_empty() {
        places = places_of(subject, mention, std::iter::once(turn));
    }
    if places.is_empty() {
        places = places_of(subject, mention, subject.dialog.turns.iter());
    }
    places.sort_by_key(|place| (distance(old, *place), *place));
    places.dedup();
    let far = |at: usize| places.get(at).map(|place| distance(old, *place));
    let sure = far(0) != far(1);
    for place in &places {
        // The same offsets, swapped, and acts or states confirm the text they cover.
        let swapped = Some(*place) == span && old.start > old.end;
        let applicability = match (sure, swapped) {
            (true, true) => Applicability::Safe,
            (true, false) => Applicability::Unsafe,
            (false, _) => Applicability::Display,
        };
        offer_slot_span(diagnostic, mention, turn, *place, applicability);
    }
    let length = turn.tokens.len() as u32;
    let inside = span.filter(|span| span.start < span.end && span.end <= length);
    if let Some(span) = inside {
        let applicability =
            if places.is_empty() { Applicability::Unsafe } else { Applicability::Display };
        offer_slot_span(diagnostic, mention, turn, span, applicability);
    }
    offer_removal(diagnostic, mention, Applicability::Display);
}

/// Returns the places where the turn mentions a value that one of `turns` has for the slot.
fn places_of<'s>(
    subject: &'s Subject<'_>,
    mention: &Mention<'_>,
    turns: impl Iterator<Item = &'s Turn>,
) -> Vec<Span> {
    let slot = mention.label();
    let values: BTreeSet<&str> = turns.flat_map(|turn| values_of(turn, slot)).collect();
    let values = values.into_iter().filter(|value| !is_open(value));
    values.flat_map(|value| free_places(subject, mention.turn, slot, value)).collect()
}

fn offer_slot_span(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    turn: &Turn,
    span: Span,
    applicability: Applicability,
) {
    let text = quoted(&turn.tokens[span.range()].join(" "));
    set_span(diagnostic, mention, span, &text, applicability);
}
