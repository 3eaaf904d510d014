//! A dialog is not of the form that its family has.
//!
//! A field is missing, or holds something else than it should: a number where a text belongs, an
//! object where a list does. Programs that read the corpus stop there, or silently take nothing for
//! it. What the form is, `turnwise schema` prints.
//!
//! Offsets that are strings of digits are found by span-string-index, labels of votes that are none by
//! vote-unknown-label.
//!
//! What is missing is not known, so mostly there is no fix. Where the numbers of a segment are none, it
//! is put where what it quotes stands: safe if that is one place, or the only one with the number that
//! is right; else for display.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [
//!   {"index": 0, "speaker": "USER", "text": 12}]}
//! ```
//!
//! ```text good
//! user: two for Dune
//! ```

use std::ops::Range;

use super::span_string_index::is_string_index;
use super::vote_unknown_label::is_vote_label;
use crate::dialog::Problem;
use crate::lint::repair::{cuts_word, offer_span};
use crate::lint::{Applicability, Diagnostic, Findings, Look, Mention, Rule, Severity, Subject};
use crate::text::count;

pub static RULE: Rule = Rule {
    name: "schema",
    severity: Severity::Error,
    on: true,
    source: include_str!("schema.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for issue in subject.issues {
        if is_string_index(subject, issue) || is_vote_label(subject, issue) {
            continue;
        }
        let mut spot = subject.spot_in(issue.at);
        spot.turn = spot.turn.or(issue.turn);
        let diagnostic = found.add(spot, issue.problem.to_string());
        if let (Problem::Wrong { field, .. }, Some(turn), Some(segment)) =
            (&issue.problem, spot.turn, spot.segment)
            && matches!(*field, "start_index" | "end_index")
            && let Some(mention) = subject.mentions_of(turn).get(segment)
        {
            offer_places(diagnostic, subject, mention);
        }
    }
}

/// Places of what a segment quotes that are offered, at the most.
const PLACES: usize = 4;

/// Bytes of a turn in which they are looked for, at the most.
const LONGEST: usize = 1 << 15;

/// Offers to put a segment without numbers where it says what it quotes.
fn offer_places(diagnostic: &mut Diagnostic, subject: &Subject<'_>, mention: &Mention<'_>) {
    let quote = mention.of.quote.as_deref().unwrap_or_default();
    // Nothing tells where in a text without end it would be.
    if mention.of.span.is_some() || quote.trim().is_empty() || mention.said.len() > LONGEST {
        return;
    }
    let length = count(quote) as u64;
    let right = |key: &str| {
        let segment = subject.tree.value_at(mention.of.at.start)?;
        segment.get(key)?.as_integer()
    };
    let (start, end) = (right("start_index"), right("end_index"));
    let said = mention.said;
    let places = said
        .match_indices(quote)
        .map(|(at, _)| at..at + quote.len());
    let mut places: Vec<_> = places.filter(|place| !cuts_word(said, place)).collect();
    let fits = |place: &Range<usize>| {
        let from = count(&said[..place.start]) as u64;
        let is = |number: Option<i64>, at: u64| number == i64::try_from(at).ok();
        is(start, from) || is(end, from + length)
    };
    let fitting = places.iter().filter(|place| fits(place)).count();
    let sure = places.len() == 1 || fitting == 1;
    places.sort_by_key(|place| !fits(place));
    for (rank, place) in places.into_iter().take(PLACES).enumerate() {
        let applicability = if sure && rank == 0 {
            Applicability::Safe
        } else {
            Applicability::Display
        };
        offer_span(diagnostic, mention, place, applicability);
    }
}
