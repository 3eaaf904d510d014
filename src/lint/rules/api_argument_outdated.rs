//! A call uses an outdated value: a later one was mentioned and confirmed.
//!
//! For example, the user chose 9:10pm and the assistant read it back, but the tickets were booked
//! for 4:30pm. A model trained on this learns to book the wrong show.
//!
//! The rule checks times, numbers, and names of movies and theaters. It reports a value if all of
//! this is true:
//!
//! * The value was mentioned or returned before.
//! * The last turn that mentions a value with the same label mentions exactly one, and it certainly
//!   means something else.
//! * That later value is confirmed: both speakers mentioned it, or the user said yes to it.
//! * Nothing said since then brings the old value back.
//!
//! If the edges of a segment are off, the rule uses the value that the segment has after its
//! repair. A segment whose quoted text differs from the text at its offsets does not count.
//!
//! The fix sets the argument to the value that was mentioned last (unsafe).
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "assistant", "text": "4:30pm or 9:10pm?", "segments": [
//!     {"start_index": 0, "end_index": 6, "text": "4:30pm", "annotations": [{"name": "time.showing"}]},
//!     {"start_index": 10, "end_index": 16, "text": "9:10pm", "annotations": [{"name": "time.showing"}]}]},
//!   {"index": 1, "speaker": "user", "text": "the later one"},
//!   {"index": 2, "speaker": "assistant", "text": "So two for Dune at the Roxie at 9:10pm?", "segments": [
//!     {"start_index": 32, "end_index": 38, "text": "9:10pm", "annotations": [{"name": "time.showing"}]}]},
//!   {"index": 3, "speaker": "user", "text": "Yes, please", "apis": [{"name": "book_tickets", "index": 3,
//!     "args": {"name.movie": "Dune", "name.theater": "the Roxie", "time.showing": "4:30pm"}}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "assistant", "text": "4:30pm or 9:10pm?", "segments": [
//!     {"start_index": 0, "end_index": 6, "text": "4:30pm", "annotations": [{"name": "time.showing"}]},
//!     {"start_index": 10, "end_index": 16, "text": "9:10pm", "annotations": [{"name": "time.showing"}]}]},
//!   {"index": 1, "speaker": "user", "text": "the later one"},
//!   {"index": 2, "speaker": "assistant", "text": "So two for Dune at the Roxie at 9:10pm?", "segments": [
//!     {"start_index": 32, "end_index": 38, "text": "9:10pm", "annotations": [{"name": "time.showing"}]}]},
//!   {"index": 3, "speaker": "user", "text": "No, the other one", "apis": [{"name": "book_tickets", "index": 3,
//!     "args": {"name.movie": "Dune", "name.theater": "the Roxie", "time.showing": "4:30pm"}}]}]}
//! ```

use crate::dialog::{Content, Field, Part, Role};
use crate::lint::repair::meant;
use crate::lint::said::lower;
use crate::lint::value::{Sort, agree, differ, words};
use crate::lint::{Applicability, Call, Findings, Look, Mention, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "api-argument-outdated",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_argument_outdated.rs"),
    check: Look::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for call in subject.calls() {
        for field in call.arguments.fields() {
            let sort = Sort::of(&field.name);
            let is_checked = matches!(sort, Sort::Time | Sort::Number | Sort::Name);
            if let Content::Text(value) = &field.content
                && is_checked
                && let Some((last, now)) = replaced(subject, call, (field, sort, value))
            {
                let now = now.trim_end_matches([':', ',', ';', '!', '?']);
                let message = format!(
                    "{} of {} is {value}, but turn {} says {now}",
                    field.name, call.of.name, last.turn
                );
                let spot = subject.spot_at(call.turn, field.at);
                let diagnostic = found.add(spot, message);
                if let Some(edit) = call.set(Part::Arguments, &field.name, now) {
                    let title = format!("change to {now}");
                    diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
                }
            }
        }
    }
}

/// The last mention with the label of an argument, and its value, if that value has replaced the one
/// in the argument.
fn replaced<'s>(
    subject: &'s Subject<'_>,
    call: &Call<'_>,
    (field, sort, value): (&Field, Sort, &str),
) -> Option<(&'s Mention<'s>, &'s str)> {
    let all = subject.mentions();
    let before = &all[..all.partition_point(|m| m.turn <= call.turn)];
    let is = |m: &&Mention<'_>| m.label() == field.name;
    let mut latest = before.iter().rev().filter(is);
    let last = latest.next()?;
    // Fast path: nearly always the argument is the value mentioned last.
    if last.text() == value {
        return None;
    }
    let now = meant(subject, last)?;
    if !differ(sort, value, now) {
        return None;
    }
    let mut earlier = latest.skip_while(|m| m.turn == last.turn && agree(sort, m.text(), now));
    let next = earlier.next();
    if next.is_some_and(|m| m.turn == last.turn) {
        return None;
    }
    let returned = || {
        let calls = subject.calls().iter().filter(|c| c.turn <= last.turn);
        let mut fields = calls.flat_map(|c| c.response.fields());
        fields.any(|f| agree(sort, f.content.as_str(), value))
    };
    let was_said = next
        .into_iter()
        .chain(earlier)
        .any(|m| agree(sort, m.text(), value));
    let replaced = (was_said || returned())
        && is_confirmed(
            subject,
            (last, now),
            call.turn,
            before.iter().filter(is),
            sort,
        )
        && !is_back(subject, last.turn, call.turn, value)
        && !is_called_too(subject, call, (field, sort), now);
    replaced.then_some((last, now))
}

/// True if both speakers mentioned the value of `last`, or the user says yes to it before the call.
fn is_confirmed<'s>(
    subject: &Subject<'_>,
    (last, now): (&Mention<'_>, &str),
    until: usize,
    mut mentions: impl Iterator<Item = &'s Mention<'s>>,
    sort: Sort,
) -> bool {
    let role = |turn: usize| subject.dialog.turns[turn].speaker.role;
    let answers = (last.turn..=until).filter(|turn| role(*turn) != role(last.turn));
    let (mut yes, mut no) = (false, false);
    for answer in answers.map(|turn| Answer::of(subject.said().in_turn(turn))) {
        yes |= answer == Answer::Yes;
        no |= answer == Answer::No;
    }
    if no {
        return false;
    }
    let by_both = mentions.any(|m| role(m.turn) != role(last.turn) && agree(sort, m.text(), now));
    by_both || role(last.turn) == Role::System && yes
}

#[derive(PartialEq)]
enum Answer {
    Yes,
    No,
    Other,
}

/// Words that a confirming answer begins with, sorted.
const YES: &[&str] = &[
    "absolutely",
    "alright",
    "correct",
    "definitely",
    "exactly",
    "fine",
    "good",
    "great",
    "ok",
    "okay",
    "perfect",
    "please",
    "right",
    "sounds",
    "sure",
    "yea",
    "yeah",
    "yep",
    "yes",
    "yup",
];

/// Words that make an answer doubtful, anywhere in it, sorted.
const NO: &[&str] = &[
    "actually",
    "another",
    "but",
    "change",
    "different",
    "don't",
    "earlier",
    "else",
    "full",
    "however",
    "instead",
    "later",
    "no",
    "nope",
    "not",
    "other",
    "rather",
    "sold",
    "sorry",
    "switch",
    "unavailable",
    "unfortunately",
    "wait",
    "wrong",
];

impl Answer {
    /// Reads the text of a turn, given in lower case.
    fn of(said: &str) -> Self {
        let is_in = |list: &[&str], word: &str| list.binary_search(&word).is_ok();
        if words(said).any(|word| is_in(NO, word)) {
            Self::No
        } else if words(said).take(3).any(|word| is_in(YES, word)) {
            Self::Yes
        } else {
            Self::Other
        }
    }
}

/// True if the value is mentioned again, with or without a label.
fn is_back(subject: &Subject<'_>, since: usize, until: usize, value: &str) -> bool {
    let value = lower(value);
    (since..=until).any(|turn| subject.said().in_turn(turn).contains(&*value))
}

/// True if another call of the same API uses the other value: the user asked for both.
fn is_called_too(
    subject: &Subject<'_>,
    call: &Call<'_>,
    (field, sort): (&Field, Sort),
    other: &str,
) -> bool {
    let mut same = subject
        .calls()
        .iter()
        .filter(|c| c.of.name == call.of.name && (c.turn, c.call) != (call.turn, call.call));
    same.any(|c| {
        let value = c.argument(&field.name);
        value.is_some_and(|f| agree(sort, f.content.as_str(), other))
    })
}
