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
//! The rule compares arguments with segments of the same name. It does not apply to chats, nor to families
//! whose arguments are not called like labels, such as SGD.
//!
//! If the edges of a segment are off, the rule uses the value that the segment has after its fix. A
//! segment whose quoted text differs from the text at its offsets does not count.
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

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use foldhash::{HashMap, HashSet, HashSetExt as _};

use crate::dialog::{CallPart, Content, Field, Role};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::meaning::{FirstByRole, Meaning, Meanings, role_of};
use crate::lint::facts::transcript::lower;
use crate::lint::facts::value::{ValueKind, agree, differ, words};
use crate::lint::facts::{Call, Mention, Subject};
use crate::lint::repair::meant;

pub static RULE: Rule = Rule {
    name: "api-argument-outdated",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_argument_outdated.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // In chats, values come from instructions too, and names of arguments say less.
    if subject.is_chat() {
        return;
    }
    let search = Search::new(subject);
    for call in subject.calls() {
        for field in call.arguments.fields() {
            if let Content::Text(value) = &field.content
                && let Some(kind) = checked_kind(&field.name)
                && let Some((last, now)) = search.replaced(call, field, kind, value)
            {
                let now = now.trim_end_matches([':', ',', ';', '!', '?']);
                let message = format!(
                    "{} of {} is {value}, but turn {} says {now}",
                    field.name, call.of.name, last.turn
                );
                let location = subject.location_at(call.turn, field.at);
                let diagnostic = found.add(location, message);
                if let Some(edit) = call.set(CallPart::Arguments, &field.name, now) {
                    let title = format!("change to {now}");
                    diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
                }
            }
        }
    }
}

/// Returns the kind of value of the arguments and labels with this name; None if they are not checked.
fn checked_kind(name: &str) -> Option<ValueKind> {
    let kind = ValueKind::of(name);
    matches!(kind, ValueKind::Time | ValueKind::Number | ValueKind::Name).then_some(kind)
}

/// Returns the first segments of each meaning with a label whose values are of this kind.
fn said_with(subject: &Subject<'_>, label: &str, kind: ValueKind) -> Meanings<(), FirstByRole> {
    let mut said = Meanings::default();
    for (place, mention) in subject.labelled(label, usize::MAX) {
        if let Some(meaning) = Meaning::of(kind, mention.text()) {
            let first: &mut FirstByRole = said.entry((), meaning);
            first[role_of(subject, mention) as usize].get_or_insert(place);
        }
    }
    said
}

/// For each kind of value, the turn of the first call that returned it.
type Returned = [OnceCell<Meanings<(), Option<usize>>>; ValueKind::COUNT];

/// The positions of the first two calls, by API and argument.
type FirstCalls<'s> = Meanings<(&'s str, &'s str), [Option<usize>; 2]>;

/// Searches for a value from a turn on, by the value and that turn: the first turn not searched yet, and
/// the first turn that contains the value.
type SearchedTurns = HashMap<(String, usize), (usize, Option<usize>)>;

/// Lookups for the arguments of all calls, built when the first argument differs from the value mentioned
/// last.
struct Search<'s, 'a> {
    subject: &'s Subject<'a>,
    /// By label, the first segments of each meaning.
    said: RefCell<HashMap<&'a str, Rc<Meanings<(), FirstByRole>>>>,
    returned: Returned,
    /// The first two calls of an API with an argument.
    called: OnceCell<FirstCalls<'s>>,
    /// For each turn, how it answers.
    answers: Vec<OnceCell<Answer>>,
    /// The result of [`Search::next`], by the label and position of a mention.
    next: RefCell<HashMap<(&'a str, usize), Option<usize>>>,
    /// The searches of [`Search::is_back`].
    back: RefCell<SearchedTurns>,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(subject: &'s Subject<'a>) -> Self {
        Self {
            subject,
            said: RefCell::default(),
            returned: Returned::default(),
            called: OnceCell::new(),
            answers: vec![OnceCell::new(); subject.dialog.turns.len()],
            next: RefCell::default(),
            back: RefCell::default(),
        }
    }

    /// Returns the last mention with the label of an argument, and its value, if that value has replaced the one
    /// in the argument.
    fn replaced(
        &self,
        call: &Call<'_>,
        field: &Field,
        kind: ValueKind,
        value: &str,
    ) -> Option<(&'s Mention<'a>, &'s str)> {
        let subject = self.subject;
        let (place, last) = subject.labelled(&field.name, call.turn).next_back()?;
        // Fast path: nearly always the argument is the value mentioned last.
        if last.text() == value {
            return None;
        }
        let now = meant(subject, last)?;
        if !differ(kind, value, now) {
            return None;
        }
        let next = self.next(place, kind, now);
        if next.is_some_and(|place| subject.mentions()[place].turn == last.turn) {
            return None;
        }
        let replaced = (self.was_said(last.label(), next, kind, value)
            || self.was_returned(last.turn, kind, value))
            && self.is_confirmed(last, now, call.turn, kind)
            && !self.is_back(last.turn, call.turn, value)
            && !self.is_called_too(call, field, kind, now);
        replaced.then_some((last, now))
    }

    /// Returns the last mention before the one at `place` that has its label and a different value, or is in an
    /// earlier turn.
    fn next(&self, place: usize, kind: ValueKind, now: &str) -> Option<usize> {
        let last = &self.subject.mentions()[place];
        let label = last.label();
        if let Some(known) = self.next.borrow().get(&(label, place)) {
            return *known;
        }
        let same = |m: &Mention<'_>| m.turn == last.turn && agree(kind, m.text(), now);
        let before = self.subject.labelled(label, last.turn).rev().skip(1);
        let mut before = before.skip_while(|(_, m)| same(m));
        let next = before.next().map(|(place, _)| place);
        self.next.borrow_mut().insert((label, place), next);
        next
    }

    /// Returns the first segments of each meaning with a label whose values are of this kind.
    fn said(&self, label: &'a str, kind: ValueKind) -> Rc<Meanings<(), FirstByRole>> {
        let mut said = self.said.borrow_mut();
        let with = || Rc::new(said_with(self.subject, label, kind));
        Rc::clone(said.entry(label).or_insert_with(with))
    }

    /// True if a mention with the label has the value, up to the mention at `until`.
    fn was_said(&self, label: &'a str, until: Option<usize>, kind: ValueKind, value: &str) -> bool {
        let said = self.said(label, kind);
        let mut first = said.agreeing(&(), kind, value).flatten().flatten();
        until.is_some_and(|until| first.any(|place| *place <= until))
    }

    /// True if a call up to this turn returned the value.
    fn was_returned(&self, until: usize, kind: ValueKind, value: &str) -> bool {
        let returned = self.returned[kind as usize].get_or_init(|| {
            let mut returned = Meanings::default();
            for call in self.subject.calls() {
                for field in call.response.fields() {
                    if let Some(meaning) = Meaning::of(kind, field.content.as_str()) {
                        let first: &mut Option<usize> = returned.entry((), meaning);
                        first.get_or_insert(call.turn);
                    }
                }
            }
            returned
        });
        let mut turns = returned.agreeing(&(), kind, value).flatten();
        turns.any(|turn| *turn <= until)
    }

    /// True if both speakers mentioned the value of `last`, or the user says yes to it before the call.
    fn is_confirmed(&self, last: &Mention<'a>, now: &str, until: usize, kind: ValueKind) -> bool {
        let subject = self.subject;
        let role = role_of(subject, last);
        let others = || (0..Role::COUNT).filter(|other| *other != role as usize);
        let mut yes = false;
        for turn in last.turn..=until {
            if subject.dialog.turns[turn].speaker.role != role {
                let said = || Answer::of(subject.said().in_turn(turn));
                match self.answers[turn].get_or_init(said) {
                    Answer::No => return false,
                    Answer::Yes => yes = true,
                    Answer::Other => {}
                }
            }
        }
        let said = self.said(last.label(), kind);
        let by_both = said.agreeing(&(), kind, now).any(|first| {
            let mut places = others().filter_map(|other| first[other]);
            places.any(|place| subject.mentions()[place].turn <= until)
        });
        by_both || role == Role::System && yes
    }

    /// True if the value is mentioned again, with or without a label.
    fn is_back(&self, since: usize, until: usize, value: &str) -> bool {
        let value = lower(value);
        let mut back = self.back.borrow_mut();
        let (looked, found) = back.entry((value.to_string(), since)).or_insert((since, None));
        while found.is_none() && *looked <= until {
            if self.subject.said().in_turn(*looked).contains(&*value) {
                *found = Some(*looked);
            }
            *looked += 1;
        }
        found.is_some_and(|turn| turn <= until)
    }

    /// True if another call of the same API uses the other value: the user asked for both.
    fn is_called_too(&self, call: &Call<'_>, field: &Field, kind: ValueKind, other: &str) -> bool {
        let called = self.called.get_or_init(|| {
            let mut called = Meanings::default();
            for (place, call) in self.subject.calls().iter().enumerate() {
                let mut known = HashSet::new();
                for field in call.arguments.fields() {
                    let kind = checked_kind(&field.name);
                    let meaning = kind.and_then(|kind| Meaning::of(kind, field.content.as_str()));
                    let key = (call.of.name.as_str(), field.name.as_str());
                    if let Some(meaning) = meaning.filter(|_| known.insert(&field.name)) {
                        let first: &mut [Option<usize>; 2] = called.entry(key, meaning);
                        if let Some(free) = first.iter_mut().find(|place| place.is_none()) {
                            *free = Some(place);
                        }
                    }
                }
            }
            called
        });
        let own = self.subject.place_of(call);
        let key = (call.of.name.as_str(), field.name.as_str());
        let mut calls = called.agreeing(&key, kind, other).flatten().flatten();
        calls.any(|place| *place != own)
    }
}

#[derive(Clone)]
enum Answer {
    Yes,
    No,
    Other,
}

/// True for words that a confirming answer begins with.
fn is_assent(word: &str) -> bool {
    matches!(
        word,
        "absolutely"
            | "alright"
            | "correct"
            | "definitely"
            | "exactly"
            | "fine"
            | "good"
            | "great"
            | "ok"
            | "okay"
            | "perfect"
            | "please"
            | "right"
            | "sounds"
            | "sure"
            | "yea"
            | "yeah"
            | "yep"
            | "yes"
            | "yup"
    )
}

/// True for words that make an answer doubtful, anywhere in it.
fn is_doubt(word: &str) -> bool {
    matches!(
        word,
        "actually"
            | "another"
            | "but"
            | "change"
            | "different"
            | "don't"
            | "earlier"
            | "else"
            | "full"
            | "however"
            | "instead"
            | "later"
            | "no"
            | "nope"
            | "not"
            | "other"
            | "rather"
            | "sold"
            | "sorry"
            | "switch"
            | "unavailable"
            | "unfortunately"
            | "wait"
            | "wrong"
    )
}

impl Answer {
    /// Reads the text of a turn, given in lower case.
    fn of(said: &str) -> Self {
        if words(said).any(is_doubt) {
            Self::No
        } else if words(said).take(3).any(is_assent) {
            Self::Yes
        } else {
            Self::Other
        }
    }
}
