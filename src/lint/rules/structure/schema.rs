//! A dialog does not match the schema of its format.
//!
//! A field is missing or has the wrong type, such as a number in place of a string or an object in
//! place of a list. Programs that read the corpus fail there or silently skip the value.
//! `turnwise schema` prints the schema.
//!
//! span-string-index reports offsets that are strings of digits, and vote-unknown-label reports
//! votes with an unknown label.
//!
//! A field that is empty in each turn, as the ratings of a dialog that nobody has rated, is one problem.
//!
//! Usually there is no fix, because the right value is unknown. If the offsets of a segment are not
//! numbers, the fix moves the segment to the text it quotes. This is safe if the quoted text occurs
//! once, or if only one occurrence agrees with an offset that is a number; otherwise it is manual.
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

use foldhash::{HashMap, HashMapExt as _, HashSet};

use crate::dialog::{Issue, IssueKind};
use crate::lint::engine::{Applicability, Check, Diagnostic, Findings, Rule, Severity};
use crate::lint::facts::issues::{is_vote_label, mention_with_string_index};
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::{cuts_word, offer_span};
use crate::text::count;

pub static RULE: Rule = Rule {
    name: "schema",
    severity: Severity::Error,
    on: true,
    source: include_str!("schema.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut unfilled = Unfilled::of(subject);
    for issue in subject.issues {
        if mention_with_string_index(subject, issue).is_some() || is_vote_label(subject, issue) {
            continue;
        }
        let field = empty_field(issue).filter(|field| unfilled.fields.contains_key(field));
        if let Some(field) = field {
            let turns = subject.dialog.turns.len();
            if unfilled.is_first(field) {
                let message = format!("`{field}` is empty in all {turns} turns");
                found.add(subject.location(), message);
            }
            continue;
        }
        let mut location = subject.location_in(issue.at);
        location.turn = location.turn.or(issue.turn);
        let diagnostic = found.add(location, issue.problem.to_string());
        if let (IssueKind::Wrong { field, .. }, Some(turn), Some(segment)) =
            (&issue.problem, location.turn, location.segment)
            && matches!(*field, "start_index" | "end_index")
            && let Some(mention) = subject.mentions_of(turn).get(segment)
        {
            offer_places(diagnostic, subject, mention);
        }
    }
}

/// The fields that are empty in each turn, as the ratings of a dialog that nobody has rated: one problem.
struct Unfilled {
    /// Each with true if it has been reported.
    fields: HashMap<&'static str, bool>,
}

impl Unfilled {
    fn of(subject: &Subject<'_>) -> Self {
        let mut turns: HashMap<&'static str, HashSet<usize>> = HashMap::new();
        for issue in subject.issues {
            if let (Some(field), Some(turn)) = (empty_field(issue), issue.turn) {
                turns.entry(field).or_default().insert(turn);
            }
        }
        let all = subject.dialog.turns.len();
        turns.retain(|_, turns| all > 1 && turns.len() == all);
        let fields = turns.into_keys().map(|field| (field, false)).collect();
        Self { fields }
    }

    /// True if the field has not been reported yet; from then on it has.
    fn is_first(&mut self, field: &'static str) -> bool {
        self.fields.insert(field, true) == Some(false)
    }
}

/// Returns the field of a turn that an issue finds empty.
fn empty_field(issue: &Issue) -> Option<&'static str> {
    match issue.problem {
        IssueKind::Wrong { field, ref found, .. } if found == "\"\"" => Some(field),
        _ => None,
    }
}

/// The largest number of places of a quoted text to offer.
const PLACES: usize = 4;

/// The longest turn, in bytes, in which the quoted text is searched for.
const LONGEST: usize = 1 << 15;

/// Offers to move a segment without a valid span to its quoted text.
fn offer_places(diagnostic: &mut Diagnostic, subject: &Subject<'_>, mention: &Mention<'_>) {
    let quote = mention.of.exact_quote().unwrap_or_default();
    // An unlimited number of places would not show which one is meant.
    if mention.of.span.is_some() || quote.trim().is_empty() || mention.said.len() > LONGEST {
        return;
    }
    let length = count(quote) as u64;
    let offset = |key: &str| {
        let segment = subject.tree.value_at(mention.of.at.start)?;
        segment.get(key)?.as_integer()
    };
    let (start, end) = (offset("start_index"), offset("end_index"));
    let said = mention.said;
    let places = said.match_indices(quote).map(|(at, _)| at..at + quote.len());
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
        let applicability =
            if sure && rank == 0 { Applicability::Safe } else { Applicability::Display };
        offer_span(diagnostic, mention, place, applicability);
    }
}
