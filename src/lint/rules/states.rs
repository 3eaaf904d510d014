//! Rules on simulated dialogues: slots, acts, intents and states.

use std::cell::LazyCell;
use std::cmp::Ordering;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::names;
use crate::dialog::{
    Act, ActSlot, Content, Edit, EditValue, Short, SlotValue, Span, StateSlot, Turn,
};
use crate::lint::engine::{Applicability, Diagnostic, Findings, Severity, rules};
use crate::lint::facts::slots::{
    StateSlots, covered, distance, first_difference, free_places, has_value, is_covered,
    is_mentioned, is_open, is_stray, places, segment_confirms, times_said, tokens, tokens_differ,
    words,
};
use crate::lint::facts::spans::QuotesElsewhere;
use crate::lint::facts::transcript::lower;
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::{offer_slot_places, shown};
use crate::ontology::near;
use crate::text::{MappedSpan, Units};

rules! {
    /// The tokens of an utterance differ from its text split at whitespace.
    ///
    /// Slots count tokens. If the tokens differ from the text, a slot covers something other than what
    /// people read.
    ///
    /// The fixes set the tokens from the text, change the text to match the tokens, or set the tokens
    /// from the text and move the slots with their words. Their order depends on the slots: the text or
    /// the tokens win, whichever gives the slots values that acts and states have. If that does not
    /// decide, the words that occur elsewhere in the dialog do, and otherwise the text wins. The first
    /// fix is unsafe, the others are manual. If the text has more words than there are tokens, cutting
    /// the text down is never the first fix.
    ///
    /// The rule applies to families whose segments count words, and only the simulated dialogues have tokens of
    /// their own.
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "four", "ouija"], "slots": []}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"], "slots": []}}]}
    /// ```
    "tokens-text-mismatch": Error => tokens_text_mismatch;

    /// A slot extends past the last token of its utterance.
    ///
    /// Its offsets refer to tokens that do not exist, so programs that read the corpus take the wrong
    /// text or fail. Offsets count tokens, and the end is exclusive.
    ///
    /// The fixes move the slot to where the turn mentions a value that an act or the state has for it,
    /// or end the slot at the end of the utterance (unsafe). If the slot lies within the text, the
    /// tokens are incomplete, and the fix sets them from the text instead (unsafe).
    ///
    /// The rule applies to families whose segments count words: the simulated dialogues and `MultiWOZ`. For others,
    /// span-out-of-range does the same.
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 4}]}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    "slot-out-of-range": Error => slot_out_of_range;

    /// An act or dialogue state has a slot that is not in the ontology of its corpus.
    ///
    /// The list of slots is short and fixed, so another name is a typo. Programs that follow a slot
    /// through the states of a dialog lose it there, and models learn one slot too many. label-unknown
    /// checks the slots of utterances.
    ///
    /// The fix changes the name to the intended slot, in this state and those after it, up to the first
    /// without the typo. It is safe if only capitalization or separators differ, unsafe if letters
    /// differ, manual if several slots are equally close. If the state has the intended slot as well,
    /// with the same value, the fix removes the unknown one (unsafe).
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
    ///   "dialogue_state": [{"slot": "moive", "value": "ouija"}],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
    ///   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    "slot-unknown": Warning => slot_unknown;

    /// A dialogue act is not in the ontology of its corpus.
    ///
    /// The list of acts is short and fixed, so another name is a typo, and models learn one act too
    /// many.
    ///
    /// If the ontology was collected from only part of its corpus, an act that resembles no known one
    /// is reported as a note.
    ///
    /// The fix is the intended act: safe if only capitalization or separators differ, unsafe if letters
    /// differ, manual if several are equally close.
    ///
    /// The rule does not apply to dialogs without an ontology that lists acts.
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [{"user_acts": [{"type": "INFROM"}], "user_intents": [],
    ///   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [{"user_acts": [{"type": "INFORM"}], "user_intents": [],
    ///   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    "act-unknown": Warning => act_unknown;

    /// An act has a value that no slot of its utterance covers.
    ///
    /// In the simulated dialogues, every value of an act is, to the letter, the text of a slot in its
    /// utterance. The only exception is `dontcare`, which nobody says. If a slot covers something else,
    /// its edges are wrong, or the utterance or the act was changed without the other. An act with a
    /// value but no slot name is reported too.
    ///
    /// The fixes move a slot that covers no value to the text of the act's value, rename the slot on
    /// that text, or add one. If the rest of the dialog has the value under the name of that slot, the
    /// fix renames the slot of the act instead. If the utterance does not contain the value, the fix
    /// sets the value to the text that the slot covers. All are unsafe, or manual if two choices are
    /// equally likely.
    ///
    /// The rule applies only to families whose segments count words and whose values are words of the dialog. In
    /// `MultiWOZ`, SGD and ConvLab-3, acts may have other words.
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
    ///   "system_acts": [{"type": "OFFER", "slot": "movie", "value": "doctor who"}],
    ///   "system_utterance": {"text": "how about doctor who", "tokens": ["how", "about", "doctor", "who"],
    ///     "slots": [{"slot": "movie", "start": 1, "exclusive_end": 3}]},
    ///   "user_utterance": {"text": "no", "tokens": ["no"], "slots": []}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
    ///   "system_acts": [{"type": "OFFER", "slot": "movie", "value": "doctor who"}],
    ///   "system_utterance": {"text": "how about doctor who", "tokens": ["how", "about", "doctor", "who"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 4}]},
    ///   "user_utterance": {"text": "no", "tokens": ["no"], "slots": []}}]}
    /// ```
    "act-value-without-slot": Warning => act_value_without_slot;

    /// A user intent is not in the ontology of its corpus.
    ///
    /// The list of intents is short and fixed, so another name is a typo or an intent of another
    /// corpus.
    ///
    /// The fix is the intended intent: safe if only capitalization or separators differ, unsafe if
    /// letters differ, manual if several are equally close.
    ///
    /// The rule does not apply to dialogs without an ontology that lists intents.
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": ["BUY_MOVIE_TICKET"],
    ///   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": ["BUY_MOVIE_TICKETS"],
    ///   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    "intent-unknown": Warning => intent_unknown;

    /// A slot of the dialogue state has a value that the ontology does not list.
    ///
    /// Some slots have few values: a meal is breakfast, brunch, lunch or dinner. Trackers choose among
    /// these, so that any other value counts as an error of the tracker. SGD and ConvLab-3 call such slots
    /// categorical; the ontology of `MultiWOZ` lists the values of every slot.
    ///
    /// Only slots whose values are listed are checked. Capitals, spaces and punctuation are ignored, and
    /// `dontcare`, `not mentioned` and `none` are allowed everywhere, and so is a value that three or more
    /// slots of a state have: a translation of these. A value is reported where it first appears.
    ///
    /// The fix changes the value to a listed one that differs by a letter or two, in this and the following
    /// states (unsafe). Numbers have no such fix.
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
    ///   "dialogue_state": [{"slot": "meal", "value": "lunhc"}],
    ///   "user_utterance": {"text": "a table for lunhc", "tokens": ["a", "table", "for", "lunhc"],
    ///     "slots": [{"slot": "meal", "start": 3, "exclusive_end": 4}]}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
    ///   "dialogue_state": [{"slot": "meal", "value": "lunch"}],
    ///   "user_utterance": {"text": "a table for lunch", "tokens": ["a", "table", "for", "lunch"],
    ///     "slots": [{"slot": "meal", "start": 3, "exclusive_end": 4}]}}]}
    /// ```
    "state-value-unknown": Warning => state_value_unknown;

    /// The dialogue state has a value that is not mentioned earlier in the dialog.
    ///
    /// A state holds what the user wants so far. In sim-M and sim-R, every value of a state is, to the
    /// letter, the text of a slot or a value of an act up to that turn; in sim-GEN, which has no slots,
    /// some utterance contains it. Any other value was made up, or the slot that should cover it is
    /// misplaced.
    ///
    /// A value is reported where it first appears, but not again in the following states that repeat
    /// it. `dontcare` can be said in many ways and is never reported.
    ///
    /// The rule also reports a slot of the user's utterance if it covers part of the value and something
    /// else; if it covers text at or next to the value, and no act or state has that text as a value; or
    /// if it covers the value, but has another name, under which the value occurs nowhere else in the
    /// dialog.
    ///
    /// If the user's utterance has the value, the fixes move, rename or add the slot there. If the rest of
    /// the dialog has the value under another slot's name, they rename the slot of the state. Otherwise
    /// they change the value, in every state that repeats it, to the one mentioned last for the slot, or
    /// else to that of the state before. They are unsafe, or manual if two choices are equally likely.
    ///
    /// The rule does not apply to `MultiWOZ`, SGD, ConvLab-3 and other corpora whose states have normalised values. A
    /// format of your own needs `literal = true` in its `[state]`.
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
    ///   "dialogue_state": [{"slot": "movie", "value": "avatar"}],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
    ///   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    "state-value-unsupported": Warning => state_value_unsupported;

    /// A slot of the dialogue state is missing from the next state.
    ///
    /// A state grows: what the user said holds until another value, or `dontcare`, replaces it. In the
    /// simulated dialogues, no slot ever disappears. In `MultiWOZ` and ConvLab-3, which list every slot in every
    /// state, a slot that had a value is empty instead; this is a note, as users change their minds. In SGD and
    /// corpora of your own, a user who turns to something else, such as a second payment after the first, starts
    /// with an empty state: if the intent changes, and more slots of the service are gone than stay as they were,
    /// nothing is reported.
    ///
    /// The rule does not apply to a format of your own whose `[state]` does not say `cumulative = true`, nor to
    /// families whose states are not read; `turnwise formats` lists what is.
    ///
    /// The fix is unsafe. If the next state has the value under another name, it renames one of the two
    /// slots, so that both have the name under which the value was mentioned more often. Otherwise it
    /// adds the slot with its old value to every state that lacks it; in corpora that list every way in which a
    /// value was said, with the list of the next state that has the slot, if what is new in it was said by then. If it renames, adding is a second
    /// fix, which is manual.
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [
    ///   {"user_acts": [], "user_intents": [], "dialogue_state": [{"slot": "movie", "value": "ouija"}],
    ///    "user_utterance": {"text": "ouija", "tokens": ["ouija"],
    ///      "slots": [{"slot": "movie", "start": 0, "exclusive_end": 1}]}},
    ///   {"system_acts": [{"type": "OTHER"}],
    ///    "system_utterance": {"text": "for two ?", "tokens": ["for", "two", "?"], "slots": []},
    ///    "user_acts": [], "user_intents": [], "dialogue_state": [],
    ///    "user_utterance": {"text": "yes", "tokens": ["yes"], "slots": []}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [
    ///   {"user_acts": [], "user_intents": [], "dialogue_state": [{"slot": "movie", "value": "ouija"}],
    ///    "user_utterance": {"text": "ouija", "tokens": ["ouija"],
    ///      "slots": [{"slot": "movie", "start": 0, "exclusive_end": 1}]}},
    ///   {"system_acts": [{"type": "OTHER"}],
    ///    "system_utterance": {"text": "for two ?", "tokens": ["for", "two", "?"], "slots": []},
    ///    "user_acts": [], "user_intents": [],
    ///    "dialogue_state": [{"slot": "movie", "value": "ouija"}],
    ///    "user_utterance": {"text": "yes", "tokens": ["yes"], "slots": []}}]}
    /// ```
    "state-lost-slot": Warning => state_lost_slot;

    /// A dialogue state contains the same slot twice.
    ///
    /// A state has one value for each slot. If a slot occurs twice, some readers take the first value
    /// and some the last, and statistics count one slot too many. Usually an element was copied, or a
    /// new value was added instead of changing the old one.
    ///
    /// The fix removes a repetition with the same value (safe), or the value that nobody mentioned
    /// (unsafe). If both values were mentioned, the fixes are manual: choose which one to remove.
    ///
    /// The rule applies to the simulated dialogues, whose states are lists. In other families, the state is an
    /// object, and duplicate-key reports a name that it has twice.
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
    ///   "dialogue_state": [{"slot": "movie", "value": "ouija"}, {"slot": "movie", "value": "ouija"}],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
    ///   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
    ///   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
    ///     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
    /// ```
    "state-repeated-slot": Error => state_repeated_slot;
}

fn tokens_text_mismatch(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.dialog.units.is_tokens() {
        return;
    }
    for (number, turn) in subject.turns() {
        let Some(place) = first_difference(turn) else {
            continue;
        };
        let message = match turn.tokens.get(place) {
            Some(token) => {
                format!("token {place} is \"{token}\", but the text differs there")
            }
            None => format!("the text continues after its {place} tokens"),
        };
        let diagnostic = found.add(subject.location_of(number), message);
        let mut applicability = Applicability::Unsafe;
        for (title, edit) in repairs(subject, number, turn) {
            diagnostic.fix(title, applicability, vec![edit]);
            applicability = Applicability::Display;
        }
    }
}

/// Returns the edit that sets the tokens of a turn from its text. Slots keep their offsets.
fn tokens_from_text(number: usize, turn: &Turn) -> (String, Edit) {
    let tokens = words(turn).into_iter().map(str::to_owned).collect();
    let edit = Edit::SetTokens { turn: number, tokens };
    ("set the tokens from the text".to_owned(), edit)
}

/// Returns every edit that makes the text and the tokens agree, the most likely first.
fn repairs(subject: &Subject<'_>, number: usize, turn: &Turn) -> Vec<(String, Edit)> {
    let (old, new) = (tokens(turn), words(turn));
    let spans: Vec<Option<Span>> = turn.segments.iter().map(|s| s.span).collect();
    let moved = moved(turn, subject.dialog.units);
    let set_text = |text: String| Edit::SetText { turn: number, text, drop: false, shrink: false };
    let joined = turn.tokens.join(" ");
    let title = format!("change the text to \"{joined}\"");
    let text = (title, set_text(joined));
    let keep_slots = Some(tokens_from_text(number, turn)).filter(|_| fits(&spans, &old, &new));
    let move_slots = moved.as_ref().filter(|moved| **moved != spans).map(|_| {
        let title = "set the tokens from the text and move the slots with their words";
        (title.to_owned(), set_text(turn.text.clone()))
    });
    let values = |spans: &[Option<Span>], tokens: &[&str]| {
        let labels = turn.segments.iter().map(|s| s.labels.first());
        let spans = spans.iter().zip(labels);
        let known = spans.filter(|(span, label)| {
            let text = span.and_then(|span| covered(tokens, span));
            let label = label.map_or("", |label| &label.name);
            text.is_some_and(|text| times_said(subject, label, &text) > 0)
        });
        known.count()
    };
    let by_slots = values(&spans, &new).cmp(&values(&spans, &old));
    let preference = by_slots.then_with(|| by_words(subject, number, &old, &new));
    let order = match (preference, new.len() > old.len()) {
        (Ordering::Less, true) => [move_slots, keep_slots, Some(text)],
        (Ordering::Less, false) => [Some(text), move_slots, keep_slots],
        (Ordering::Equal | Ordering::Greater, _) => [keep_slots, move_slots, Some(text)],
    };
    order.into_iter().flatten().collect()
}

/// True if every span that fits the old tokens also fits the new ones.
fn fits(spans: &[Option<Span>], old: &[&str], new: &[&str]) -> bool {
    let holds = |tokens: &[&str], span: &Span| span.end as usize <= tokens.len();
    let mut spans = spans.iter().flatten();
    spans.all(|span| holds(new, span) || !holds(old, span))
}

/// Returns the spans of the slots after moving with their words to the tokens of the text; None if that would
/// cut a slot.
fn moved(turn: &Turn, units: Units) -> Option<Vec<Option<Span>>> {
    let moved = turn.moved_by(&turn.text, false, units);
    let spans = moved.into_iter().zip(&turn.segments).map(|(moved, segment)| match moved {
        None => Some(segment.span),
        Some(MappedSpan::To(range)) => Some(Some(Span {
            start: u32::try_from(range.start).ok()?,
            end: u32::try_from(range.end).ok()?,
        })),
        Some(MappedSpan::Cut) => None,
    });
    spans.collect()
}

/// Compares the words in which two equally long lists of tokens differ: greater if only the new words all
/// occur elsewhere in the dialog, less if only the old words all do.
fn by_words(subject: &Subject<'_>, number: usize, old: &[&str], new: &[&str]) -> Ordering {
    if old.len() != new.len() {
        return Ordering::Equal;
    }
    let occurs = |word: &str| {
        let others = subject.turns().filter(|(other, _)| *other != number);
        let mut words = others.flat_map(|(_, turn)| &turn.tokens);
        words.any(|token| token == word)
    };
    let differ = || old.iter().zip(new).filter(|(old, new)| old != new);
    let of_old = differ().all(|(old, _)| occurs(old));
    let of_new = differ().all(|(_, new)| occurs(new));
    of_new.cmp(&of_old)
}

fn slot_out_of_range(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.dialog.units.is_tokens() {
        return;
    }
    for mention in subject.mentions() {
        let Some(span) = mention.of.span.filter(|span| span.start < span.end) else {
            continue;
        };
        let Span { start, end } = span;
        let turn = &subject.dialog.turns[mention.turn];
        let length = turn.tokens.len() as u32;
        if end <= length {
            continue;
        }
        // span-quoted-elsewhere reports the turn as a whole.
        if QuotesElsewhere::of(subject, mention.turn).is_some_and(|quotes| quotes.are_most()) {
            continue;
        }
        let message =
            format!("span {span} extends past the end of the utterance ({length} tokens)");
        let diagnostic = found.add(mention.location(), message);
        if end as usize <= words(turn).len() {
            let (title, edit) = tokens_from_text(mention.turn, turn);
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
            continue;
        }
        let end = length;
        offer_slot_places(diagnostic, subject, mention, Some(Span { start, end }));
    }
}

fn slot_unknown(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.ontology.labels.is_empty() && subject.ontology.state.is_empty() {
        return;
    }
    let mut before: &[StateSlot] = &[];
    for (number, turn) in subject.turns() {
        for (place, act) in turn.acts.iter().enumerate() {
            for (slot, said) in act.slots.iter().enumerate() {
                // act-value-without-slot reports an act without a slot name.
                if said.slot.is_empty() || subject.ontology.knows_label(&said.slot) {
                    continue;
                }
                let location = subject.location_at(number, act.at);
                let message = names::message("slot", &said.slot, subject.ontology);
                let near = subject.ontology.labels_near(&said.slot);
                names::unknown(subject.ontology, location, message, &near, found, |right| {
                    set_act_slot((number, place), act, slot, |slot| {
                        right.clone_into(&mut slot.slot);
                    })
                });
            }
        }
        let Some(state) = &turn.state else {
            continue;
        };
        let earlier = StateSlots(before);
        for of in state {
            // A slot that was never filled says nothing.
            let known = of.value.as_str().is_empty() || subject.ontology.knows_slot(&of.slot);
            // Reported where it first appears, not again while it stays.
            if !known && earlier.first(&of.slot).is_none() {
                unknown_in_state(subject, number, state, of, found);
            }
        }
        before = state;
    }
}

fn unknown_in_state(
    subject: &Subject<'_>,
    number: usize,
    state: &[StateSlot],
    of: &StateSlot,
    found: &mut Findings<'_>,
) {
    let message = names::message("slot", &of.slot, subject.ontology);
    let location = subject.location_at(number, of.at);
    let near = subject.ontology.slots_near(&of.slot);
    let nearest = near.first().map(|near| near.name);
    let correct = state.iter().find(|s| Some(s.slot.as_str()) == nearest);
    let diagnostic = names::unknown(subject.ontology, location, message, &near, found, |right| {
        let is_free = correct.is_none();
        is_free.then(|| renamed(subject, number, &of.slot, right)).into_iter().flatten()
    });
    if let Some(correct) = correct {
        let applicability =
            if correct.value == of.value { Applicability::Unsafe } else { Applicability::Display };
        let title = format!("remove the slot, because {} is already there", correct.slot);
        let edit = Edit::RemoveState { turn: number, slot: of.slot.to_string(), value: None };
        let edits = if StateSlots(state).has_several(&of.slot) { Vec::new() } else { vec![edit] };
        diagnostic.fix(title, applicability, edits);
    }
}

/// Edits that rename a slot in the state of turn `from` and in the following states, up to the first
/// that lacks the slot or also has the right one.
fn renamed(subject: &Subject<'_>, from: usize, slot: &str, to: &str) -> Vec<Edit> {
    let states = subject.turns().skip(from);
    let states = states.filter_map(|(turn, of)| Some((turn, of.state.as_ref()?)));
    let have = states.take_while(|(_, state)| {
        let mut own = state.iter().filter(|s| s.slot == slot);
        own.next().is_some() && own.next().is_none() && !state.iter().any(|s| s.slot == to)
    });
    have.map(|(turn, _)| Edit::RenameState { turn, slot: slot.to_owned(), to: to.to_owned() })
        .collect()
}

fn act_unknown(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let (ontology, known) = (subject.ontology, &subject.ontology.acts);
    if known.is_empty() {
        return;
    }
    for (number, turn) in subject.turns() {
        let acts = turn.acts.iter().enumerate();
        for (place, act) in acts.filter(|(_, act)| !ontology.knows_act(&act.name)) {
            let location = subject.location_at(number, act.at);
            let message = names::message("act", &act.name, subject.ontology);
            let near = near(&act.name, known.iter().map(String::as_str));
            names::unknown(subject.ontology, location, message, &near, found, |right| {
                Some(Edit::SetAct {
                    turn: number,
                    act: place,
                    name: right.to_owned(),
                    slots: slots_of(act)?,
                })
            });
        }
    }
}

fn act_value_without_slot(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.dialog.units.is_tokens() || !subject.format.has_literal_values() {
        return;
    }
    for (number, turn) in subject.turns() {
        for (place, act) in turn.acts.iter().enumerate() {
            let at = (number, place);
            for (place, said) in act.slots.iter().enumerate() {
                let Some(value) = &said.value else {
                    continue;
                };
                let (value, name, slot) = (value.as_str(), &act.name, said.slot.as_str());
                let location = subject.location_at(number, act.at);
                if slot.is_empty() {
                    let message = format!("{name} has the value \"{value}\", but no slot");
                    offer_slot_name(subject, at, (act, place), value, found.add(location, message));
                    continue;
                }
                if is_open(value)
                    || is_covered(subject, number, slot, value)
                    || segment_confirms(subject, number, slot, value)
                    // slot-unknown reports its name.
                    || !subject.ontology.knows_label(slot)
                {
                    continue;
                }
                let message =
                    format!("{name} has {slot} \"{value}\", which no slot of the utterance covers");
                let diagnostic = found.add(location, message);
                offer_slot(subject, at, (act, place), (slot, value), diagnostic);
            }
        }
    }
}

/// Offers fixes for the slot at `place` of an act, whose value no slot of the utterance covers.
fn offer_slot(
    subject: &Subject<'_>,
    at: (usize, usize),
    (act, place): (&Act, usize),
    (slot, value): (&str, &str),
    diagnostic: &mut Diagnostic,
) {
    let other = misnamed(subject, at.0, slot, value);
    let rename = |diagnostic: &mut Diagnostic, applicability| {
        let Some((mention, _)) = other else {
            return;
        };
        let label = mention.label();
        let edit = set_act_slot(at, act, place, |slot| label.clone_into(&mut slot.slot));
        let title = format!("change to {label} \"{value}\"");
        diagnostic.fix(title, applicability, edit.into_iter().collect());
    };
    let by_dialog = other.map(|(_, which)| which);
    if by_dialog == Some(Ordering::Greater) {
        rename(diagnostic, Applicability::Unsafe);
    }
    cover(subject, at.0, slot, value, diagnostic);
    if by_dialog == Some(Ordering::Equal) {
        rename(diagnostic, Applicability::Display);
    }
    let own = subject.mentions_of(at.0).iter();
    let mut strays = own.filter(|m| m.label() == slot && is_stray(subject, m));
    let is_unsaid = has_sound_tokens(subject, at.0) && places(subject, at.0, value).is_empty();
    if let (true, Some(stray), None) = (is_unsaid, strays.next(), strays.next()) {
        let text = stray.text();
        let edit = set_act_slot(at, act, place, |slot| {
            slot.value = Some(EditValue::Text(text.to_owned()));
        });
        let title = format!("change to \"{text}\"");
        diagnostic.fix(title, Applicability::Unsafe, edit.into_iter().collect());
    }
}

/// Offers to give an act without a slot name the name of the only slot of the turn that covers its
/// value.
fn offer_slot_name(
    subject: &Subject<'_>,
    at: (usize, usize),
    (act, place): (&Act, usize),
    value: &str,
    diagnostic: &mut Diagnostic,
) {
    let own = subject.mentions_of(at.0).iter();
    let mut names: Vec<_> = own.filter(|m| m.text() == value).map(Mention::label).collect();
    names.dedup();
    if let [name] = names[..] {
        let edit = set_act_slot(at, act, place, |slot| name.clone_into(&mut slot.slot));
        let title = format!("set the slot to {name}");
        diagnostic.fix(title, Applicability::Unsafe, edit.into_iter().collect());
    }
}

fn intent_unknown(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let known = &subject.ontology.intents;
    if known.is_empty() {
        return;
    }
    for (number, turn) in subject.turns() {
        let intents = turn.intents.iter().enumerate();
        for (place, intent) in intents.filter(|(_, intent)| !known.contains(&***intent)) {
            let location = subject.location_of(number);
            let message = names::message("intent", intent, subject.ontology);
            let near = near(intent, known.iter().map(String::as_str));
            names::unknown(subject.ontology, location, message, &near, found, |right| {
                let mut intents: Vec<_> = turn.intents.iter().map(Short::to_string).collect();
                right.clone_into(&mut intents[place]);
                Some(Edit::SetIntents { turn: number, intents })
            });
        }
    }
}

fn state_value_unknown(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let known = &subject.ontology.state;
    if known.is_empty() {
        return;
    }
    let mut before: &[StateSlot] = &[];
    for (number, turn) in subject.turns() {
        let Some(state) = &turn.state else {
            continue;
        };
        let earlier = StateSlots(before);
        for StateSlot { slot, value, at } in state {
            if earlier.has(slot, value.as_str()) {
                continue;
            }
            let unknown = values(value)
                .into_iter()
                .find(|value| !known.allows(slot, value) && !is_placeholder(state, value));
            if let Some(unknown) = unknown {
                let title = &subject.ontology.title;
                let message =
                    format!("\"{unknown}\" is not a value of {slot} in the {title} ontology");
                let diagnostic = found.add(subject.location_at(number, *at), message);
                // A value among others cannot be changed alone.
                if unknown != value.as_str() {
                    continue;
                }
                let right = listed_value(known.values(slot).into_iter().flatten(), &unknown);
                if let Some(right) = right {
                    let edits = set_state(subject, number, slot, |held| {
                        held.is_some_and(|held| held == value)
                            .then(|| EditValue::Text(right.to_owned()))
                    });
                    let title = format!("change to \"{right}\"");
                    diagnostic.fix(title, Applicability::Unsafe, edits);
                }
            }
        }
        before = state;
    }
}

/// The number of slots of a state with the same value from which on it says that they have none.
const SLOTS_WITHOUT_VALUE: usize = 3;

/// True for a value that many slots of a state have, whatever they are about.
fn is_placeholder(state: &[StateSlot], value: &str) -> bool {
    let same = state.iter().filter(|other| other.value.as_str() == value);
    same.take(SLOTS_WITHOUT_VALUE).count() == SLOTS_WITHOUT_VALUE
}

/// Returns the values of a slot: one, or the texts of a list.
fn values(value: &Content) -> Vec<String> {
    let list = match value {
        Content::Text(_) => None,
        Content::Raw(raw) => serde_json::from_str::<Vec<String>>(raw).ok(),
    };
    list.unwrap_or_else(|| vec![value.as_str().to_owned()])
}

/// Returns the only listed value that differs from an unknown one by a letter or two.
fn listed_value<'l>(listed: impl Iterator<Item = &'l String>, unknown: &str) -> Option<&'l str> {
    if unknown.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let sound = listed.filter(|value| !value.contains(char::is_control));
    match near(unknown, sound.map(String::as_str)).as_slice() {
        [only] => Some(only.name),
        _ => None,
    }
}

fn state_value_unsupported(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.format.has_literal_values() {
        return;
    }
    let mut before: &[StateSlot] = &[];
    for (number, turn) in subject.turns() {
        let Some(state) = &turn.state else {
            continue;
        };
        let (slots, earlier) = (StateSlots(state), StateSlots(before));
        for StateSlot { slot, value, at } in state {
            let (shown_value, value) = (shown(value), value.as_str());
            // Other rules report repeated and unknown slots.
            if is_open(value) || slots.has_several(slot) || !subject.ontology.knows_label(slot) {
                continue;
            }
            let location = subject.location_at(number, *at);
            if let Some(slipped) = slipped(subject, number, slot, value) {
                let (label, covered) = (slipped.label(), slipped.text());
                let message = if label == slot {
                    format!("{slot} is {shown_value}, but the slot here covers \"{covered}\"")
                } else {
                    format!(
                        "{slot} is {shown_value}, but the value in this turn is marked as {label}"
                    )
                };
                let diagnostic = found.add(location, message);
                cover(subject, number, slot, value, diagnostic);
                continue;
            }
            if earlier.has(slot, value)
                || is_mentioned(subject, number, slot, value)
                || segment_confirms(subject, number, slot, value)
            {
                continue;
            }
            let message =
                format!("{slot} is {shown_value}, which is not mentioned earlier in the dialog");
            let diagnostic = found.add(location, message);
            offer_names(subject, number, before, slots, slot, value, diagnostic);
            let last = earlier.first(slot);
            let meant = value_said_last(subject, number, turn, slot, value);
            let meant = meant.map(|meant| Content::Text(meant.into()));
            let meant = meant.or_else(|| last.map(|last| last.value.clone()));
            if let Some(meant) = meant
                && let Some(said) = EditValue::of(&meant)
            {
                let title = format!("change to {}", shown(&meant));
                let edits = set_state(subject, number, slot, |held| {
                    held.is_some_and(|h| h.as_str() == value).then(|| said.clone())
                });
                diagnostic.fix(title, Applicability::Unsafe, edits);
            }
        }
        before = state;
    }
}

/// Offers to unify the names under which utterances and states have the value: the slot that covers it
/// here is misnamed, or the state has a value of the previous state under another name.
fn offer_names(
    subject: &Subject<'_>,
    number: usize,
    before: &[StateSlot],
    now: StateSlots<'_>,
    slot: &str,
    value: &str,
    diagnostic: &mut Diagnostic,
) {
    let rename = |diagnostic: &mut Diagnostic, to: &str, applicability| {
        let held = now.first(slot).map(|held| &held.value);
        let edits = held.map(|held| rename_state(subject, slot, held, to));
        let edits = edits.unwrap_or_default();
        diagnostic.fix(format!("rename the slot to {to}"), applicability, edits);
    };
    let mut same = before.iter().filter(|b| b.value.as_str() == value);
    let lost = same.find(|b| now.first(&b.slot).is_none());
    let other = misnamed(subject, number, slot, value);
    let by_dialog = other.as_ref().map(|(_, which)| *which);
    if let Some(lost) = lost {
        rename(diagnostic, &lost.slot, Applicability::Unsafe);
    }
    if let Some((mention, Ordering::Greater)) = other {
        rename(diagnostic, mention.label(), Applicability::Unsafe);
    }
    cover(subject, number, slot, value, diagnostic);
    if let (Some((mention, _)), Some(Ordering::Equal)) = (other, by_dialog) {
        rename(diagnostic, mention.label(), Applicability::Display);
    }
}

/// Returns the slot of the turn that should cover `value`. It covers part of the value and something else; or text
/// at or next to the value, which no act or state has as a value; or the value, but under another name, for
/// which nothing in the dialog has it.
fn slipped<'s>(
    subject: &'s Subject<'_>,
    number: usize,
    slot: &str,
    value: &str,
) -> Option<&'s Mention<'s>> {
    let own = subject.mentions_of(number);
    if own.is_empty()
        || is_covered(subject, number, slot, value)
        || segment_confirms(subject, number, slot, value)
    {
        return None;
    }
    let of_slot = subject.labelled(slot, number).rev();
    let of_slot: Vec<_> = of_slot.take_while(|m| m.turn == number).collect();
    let misplaced = of_slot.into_iter().rev().find(|m| {
        let Some(s) = m.of.span else {
            return false;
        };
        places(subject, number, value).into_iter().any(|place| {
            let shares = s.start < place.end && place.start < s.end;
            let touches = s.start <= place.end && place.start <= s.end;
            let more = s.start < place.start || place.end < s.end;
            shares && more || touches && is_stray(subject, m)
        })
    });
    misplaced.or_else(|| {
        let free: HashSet<Span> = free_places(subject, number, slot, value).into_iter().collect();
        if free.is_empty() {
            return None;
        }
        let is_free = |m: &&Mention<'_>| m.of.span.is_some_and(|span| free.contains(&span));
        let mut others = own.iter().filter(is_free);
        others.find(|m| {
            let label = m.label();
            // Other messages report a misspelled name and a value that is not mentioned earlier.
            subject.ontology.knows_label(label)
                && !has_value(subject, number, label, value)
                && is_stray(subject, m)
                && is_mentioned(subject, number, slot, value)
        })
    })
}

/// Returns the value of a slot that was mentioned last, if there is exactly one; in sim-GEN, which has no slots
/// in utterances, the word of the utterance that resembles the value.
fn value_said_last<'s>(
    subject: &'s Subject<'_>,
    number: usize,
    turn: &'s Turn,
    slot: &str,
    value: &str,
) -> Option<&'s str> {
    if !subject.dialog.units.is_tokens() {
        let mut near = near(value, turn.text.split_whitespace()).into_iter();
        return near.next().filter(|_| near.len() == 0).map(|near| near.name);
    }
    let mut of_slot = subject.labelled(slot, number).rev();
    let last = of_slot.next()?;
    let text = Some(last.text()).filter(|text| !text.is_empty());
    let is_alone = of_slot.next().is_none_or(|m| m.turn != last.turn);
    text.filter(|_| is_alone)
}

fn state_lost_slot(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.format.keeps_state() {
        return;
    }
    let ontology = subject.ontology;
    let mut before: &[StateSlot] = &[];
    let mut intents: &[Short] = &[];
    let mut since = 0;
    for (number, turn) in subject.turns() {
        let Some(state) = &turn.state else {
            continue;
        };
        // In SGD, "NONE" means that the user wants nothing else.
        let is_new = |intent: &Short| intent != "NONE" && !intents.contains(intent);
        let has_other_intents = subject.format.is_described() && turn.intents.iter().any(is_new);
        let emptied = LazyCell::new(|| has_other_intents.then(|| emptied(before, turn, state)));
        let (known, now) = (StateSlots(before), StateSlots(state));
        // The slots that unknown names are most likely meant to be.
        let meant: LazyCell<HashSet<&str>, _> = LazyCell::new(|| {
            let unknown = state.iter().filter(|s| !ontology.knows_slot(&s.slot));
            let near = unknown.filter_map(|s| Some(ontology.slots_near(&s.slot).first()?.name));
            near.collect()
        });
        // A state without any slot may be about another service, unless one slot is all that it had.
        let is_gone = state.is_empty()
            && subject.format.is_described()
            && (before.len() > 1 || (turn.intents.len(), intents.len()) != (1, 1));
        for lost in before {
            let value = lost.value.as_str();
            // In some corpora every slot is always there, and empty until it has a value.
            let held = now.first(&lost.slot);
            let is_empty = held.is_some_and(|held| held.value.as_str().is_empty());
            // A slot with an unknown name should not be there, and slot-unknown reports a slot whose name
            // is now misspelled.
            if says_nothing(value)
                || held.is_some() && !is_empty
                || is_empty && !matches!(lost.value, Content::Text(_))
                || !ontology.knows_slot(&lost.slot)
                || meant.contains(lost.slot.as_str())
                || is_of_other_service(subject, state, &lost.slot)
                || is_gone && lost.slot.contains('.')
                || emptied.as_ref().is_some_and(|all| all.contains(service_of(&lost.slot)))
            {
                continue;
            }
            let (missing, most) =
                if is_empty { ("empty", Severity::Note) } else { ("missing", Severity::Error) };
            let shown = shown(&lost.value);
            let message = format!("{} was {shown}, but is {missing} here", lost.slot);
            let diagnostic = found.add_at_most(most, subject.location_of(number), message);
            if !is_empty {
                offer_one_name(subject, known, state, lost, diagnostic);
            }
            let right =
                if is_empty { &lost.value } else { restored(subject, since + 1, number, lost) };
            let shown = self::shown(right);
            let Some(said) = EditValue::of(right) else {
                continue;
            };
            let mut edits = set_state(subject, number, &lost.slot, |held| {
                let is_lost = held.is_none_or(|held| held.as_str().is_empty());
                is_lost.then(|| said.clone())
            });
            // Where no slot of the service is, there is no place for it.
            let is_here = |edit: &Edit| {
                let Edit::SetState { turn, .. } = edit else {
                    return true;
                };
                let state = subject.dialog.turns[*turn].state.as_deref();
                let is_declared = subject.format.is_described();
                state.is_some_and(|state| {
                    let is_elsewhere = is_declared && state.is_empty()
                        || is_of_other_service(subject, state, &lost.slot);
                    *turn == number || !is_elsewhere
                })
            };
            let here = edits.iter().take_while(|edit| is_here(edit)).count();
            edits.truncate(here);
            let title = format!("restore {} {shown}", lost.slot);
            let applicability = if diagnostic.fixes.is_empty() {
                Applicability::Unsafe
            } else {
                Applicability::Display
            };
            diagnostic.fix(title, applicability, edits);
        }
        (before, since) = (state, number);
        intents = &turn.intents;
    }
}

/// Returns the service of a slot that is called `service.slot`; empty for other slots.
fn service_of(slot: &str) -> &str {
    slot.split_once('.').map_or("", |(service, _)| service)
}

/// Returns the services of which a state has lost more slots than it keeps as they were. Slots that an act of
/// the turn mentions do not count as kept.
fn emptied<'s>(before: &'s [StateSlot], turn: &Turn, state: &[StateSlot]) -> HashSet<&'s str> {
    let now = StateSlots(state);
    let acts = turn.acts.iter().flat_map(|act| &act.slots);
    let said: HashSet<&str> = acts.map(|said| said.slot.as_str()).collect();
    // The slots kept of each service, less those lost.
    let mut kept: HashMap<&str, isize> = HashMap::new();
    for old in before {
        let service = service_of(&old.slot);
        let own = old.slot.strip_prefix(service).unwrap_or_default();
        let is_mentioned = said.contains(own.trim_start_matches('.'));
        let more = match now.first(&old.slot) {
            None => -1,
            Some(held) => isize::from(held.value == old.value && !is_mentioned),
        };
        *kept.entry(service).or_default() += more;
    }
    let emptied = kept.into_iter().filter(|(_, kept)| *kept < 0);
    emptied.map(|(service, _)| service).collect()
}

/// True for a value of a slot that was never filled.
fn says_nothing(value: &str) -> bool {
    value.is_empty() || value.eq_ignore_ascii_case("not mentioned")
}

/// True if a slot is called `service.slot` and the state is about other services only: the states of
/// several services take turns.
fn is_of_other_service(subject: &Subject<'_>, state: &[StateSlot], slot: &str) -> bool {
    let Some((service, _)) = slot.split_once('.') else {
        return false;
    };
    let is_same = |other: &StateSlot| other.slot.split_once('.').is_some_and(|(s, _)| s == service);
    subject.format.is_described() && !state.is_empty() && !state.iter().any(is_same)
}

/// Returns the value to restore: that of the next state with the slot if its other values were mentioned since
/// the state before, otherwise the old one. Some corpora list every way in which a value was said.
fn restored<'s>(
    subject: &'s Subject<'_>,
    since: usize,
    number: usize,
    lost: &'s StateSlot,
) -> &'s Content {
    let later = subject.dialog.turns.get(number..).unwrap_or_default().iter();
    let mut states = later.filter_map(|turn| turn.state.as_ref());
    let next = states.find_map(|state| state.iter().find(|slot| slot.slot == lost.slot));
    let Some(next) = next.map(|next| &next.value).filter(|next| **next != lost.value) else {
        return &lost.value;
    };
    let values = |content: &Content| match EditValue::of(content) {
        Some(EditValue::Several(values)) => values.iter().map(EditValue::content).collect(),
        _ => vec![content.clone()],
    };
    let old = values(&lost.value);
    let mut new = values(next).into_iter().filter(|value| !old.contains(value));
    let was_mentioned = |value: Content| {
        let value = lower(value.as_str());
        (since..=number).any(|turn| subject.said().in_turn(turn).contains(&*value))
    };
    if new.all(was_mentioned) { next } else { &lost.value }
}

/// Offers to use one name for a slot whose value the new state has under another name.
fn offer_one_name(
    subject: &Subject<'_>,
    known: StateSlots<'_>,
    state: &[StateSlot],
    lost: &StateSlot,
    diagnostic: &mut Diagnostic,
) {
    // A state keeps each service apart, so that a slot cannot go from one to another.
    let service = service_of(&lost.slot);
    let own = state.iter().filter(|s| service_of(&s.slot) == service);
    let mut same = own.filter(|s| s.value == lost.value);
    let Some(new) = same.find(|s| known.first(&s.slot).is_none()) else {
        return;
    };
    let value = lost.value.as_str();
    let times = |slot: &StateSlot| times_said(subject, &slot.slot, value);
    let (wrong, right) = if times(new) > times(lost) { (lost, new) } else { (new, lost) };
    let edits = rename_state(subject, &wrong.slot, &lost.value, &right.slot);
    let title = format!("rename {} to {}", wrong.slot, right.slot);
    diagnostic.fix(title, Applicability::Unsafe, edits);
}

fn state_repeated_slot(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // If the state is an object, duplicate-key reports it.
    if !subject.dialog.units.is_tokens() {
        return;
    }
    for (number, turn) in subject.turns() {
        let state = turn.state.as_deref().unwrap_or_default();
        let slots = StateSlots(state);
        for again in state {
            let first = slots.first(&again.slot);
            if let Some(first) = first.filter(|first| !std::ptr::eq(*first, again)) {
                repeated_slot(subject, number, first, again, found);
            }
        }
    }
}

fn repeated_slot(
    subject: &Subject<'_>,
    number: usize,
    first: &StateSlot,
    again: &StateSlot,
    found: &mut Findings<'_>,
) {
    let slot = &again.slot;
    let (one, other) = (first.value.as_str(), again.value.as_str());
    let location = subject.location_at(number, again.at);
    let remove = |value: &StateSlot| {
        // Edits that remove a slot cannot refer to values that are lists or objects.
        let said = EditValue::of(&value.value);
        let said = said.filter(|said| !matches!(said, EditValue::Several(_)));
        let edit = said.map(|said| Edit::RemoveState {
            turn: number,
            slot: slot.to_string(),
            value: Some(said),
        });
        edit.into_iter().collect::<Vec<_>>()
    };
    if first.value == again.value {
        let message = format!("{slot} {} is repeated", shown(&first.value));
        let title = "remove the repetition";
        found.add(location, message).fix(title, Applicability::Safe, remove(again));
        return;
    }
    let (shown_one, shown_other) = (shown(&first.value), shown(&again.value));
    let message = format!("{slot} is both {shown_one} and {shown_other}");
    let diagnostic = found.add(location, message);
    let is_known = |value: &str| is_open(value) || is_mentioned(subject, number, slot, value);
    let (of_one, of_other) = (is_known(one), is_known(other));
    let mut choices = [(first, of_one, of_other), (again, of_other, of_one)];
    choices.sort_by_key(|(_, is_known, _)| *is_known);
    for (value, is_known, instead) in choices {
        let applicability =
            if instead && !is_known { Applicability::Unsafe } else { Applicability::Display };
        let title = format!("remove {}", shown(&value.value));
        diagnostic.fix(title, applicability, remove(value));
    }
}

/// Offers to make a slot of the turn cover `value`. A slot of this name that covers no value of its own
/// moves there (the nearest one), or a slot there with another name is renamed. If there is neither, and
/// the turn has the value once, an overlapping slot moves there, or a new slot is added.
fn cover(
    subject: &Subject<'_>,
    number: usize,
    slot: &str,
    value: &str,
    diagnostic: &mut Diagnostic,
) {
    // If the tokens differ from the text, their positions mean nothing.
    if !has_sound_tokens(subject, number) {
        return;
    }
    let free = free_places(subject, number, slot, value);
    let own = || subject.mentions_of(number).iter();
    let strays = own().filter(|m| m.label() == slot && is_stray(subject, m));
    if let Some((mention, place, applicability)) = nearest(strays, &free) {
        move_to(diagnostic, mention, place, applicability);
    } else if let Some((mention, which)) = misnamed(subject, number, slot, value) {
        let applicability = match which {
            Ordering::Less => Applicability::Unsafe,
            _ => Applicability::Display,
        };
        let edit = mention.set_labels(vec![slot.to_owned()]);
        let title = format!("rename the slot here from {} to {slot}", mention.label());
        diagnostic.fix(title, applicability, vec![edit]);
    } else if let [place] = free[..] {
        let mut overlapping = own().filter(|m| {
            let span = m.of.span;
            m.label() == slot && span.is_some_and(|s| s.start < place.end && place.start < s.end)
        });
        match overlapping.next() {
            Some(mention) => move_to(diagnostic, mention, place, Applicability::Unsafe),
            None => {
                let Span { start, end } = place;
                let labels = vec![slot.to_owned()];
                let edit = Edit::AddSegment { turn: number, start, end, labels };
                let title = format!("add slot {slot} at {place}");
                diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
            }
        }
    }
}

/// True if the dialog counts tokens, and those of the turn agree with its text.
fn has_sound_tokens(subject: &Subject<'_>, number: usize) -> bool {
    let turn = &subject.dialog.turns[number];
    subject.dialog.units.is_tokens() && !tokens_differ(turn)
}

/// Returns the segment nearest to one of `places`, with that place. The fix is unsafe, or manual if another
/// place is equally near.
fn nearest<'m, 'a: 'm>(
    mentions: impl Iterator<Item = &'m Mention<'a>>,
    places: &[Span],
) -> Option<(&'m Mention<'a>, Span, Applicability)> {
    let spans = mentions.filter_map(|m| Some((m, m.of.span?)));
    let mut pairs: Vec<_> = spans
        .flat_map(|(m, span)| {
            let place = move |place: &Span| (distance(span, *place), m, *place);
            places.iter().map(place)
        })
        .collect();
    pairs.sort_by_key(|(distance, ..)| *distance);
    let (distance, mention, place) = *pairs.first()?;
    let sure = pairs.get(1).is_none_or(|(other, _, at)| *other > distance || *at == place);
    let applicability = if sure { Applicability::Unsafe } else { Applicability::Display };
    Some((mention, place, applicability))
}

fn move_to(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    place: Span,
    applicability: Applicability,
) {
    let title = format!("move slot {} to {place}", mention.label());
    diagnostic.fix(title, applicability, vec![mention.set_span(place)]);
}

/// Returns the segment that covers exactly the value that an act or the state of the turn has for `slot`, but has
/// the name of another slot, for which neither of them has this value. Also returns which name is right
/// according to the rest of the dialog: the segment's (greater), `slot` (less), or undecided (equal).
fn misnamed<'s>(
    subject: &'s Subject<'_>,
    number: usize,
    slot: &str,
    value: &str,
) -> Option<(&'s Mention<'s>, Ordering)> {
    let free: HashSet<Span> = places(subject, number, value).into_iter().collect();
    if free.is_empty() {
        return None;
    }
    let mut own = subject.mentions_of(number).iter();
    let mention = own.find(|m| {
        let label = m.label();
        let is_free = m.of.span.is_some_and(|span| free.contains(&span));
        label != slot && is_free && !has_value(subject, number, label, value)
    })?;
    if !subject.ontology.knows_label(mention.label()) {
        return Some((mention, Ordering::Less));
    }
    // The act or state in question does not count.
    let here = times_said(subject, slot, value).saturating_sub(1);
    let there = times_said(subject, mention.label(), value);
    Some((mention, there.cmp(&here)))
}

/// Edits of a slot in the state of turn `from` and in the following states, up to the first for whose
/// value `change` returns None, or which has the slot twice.
fn set_state(
    subject: &Subject<'_>,
    from: usize,
    slot: &str,
    change: impl Fn(Option<&Content>) -> Option<EditValue>,
) -> Vec<Edit> {
    let states = subject.turns().skip(from);
    let states = states.filter_map(|(turn, of)| Some((turn, of.state.as_ref()?)));
    let changed = states.map_while(|(turn, state)| {
        let mut held = state.iter().filter(|s| s.slot == slot).map(|s| &s.value);
        let value = change(held.next())?;
        held.next().is_none().then(|| Edit::SetState { turn, slot: slot.to_owned(), value })
    });
    changed.collect()
}

/// Edits that rename a slot to `to` in every state that has it once, with this value, and has no slot
/// `to`.
fn rename_state(subject: &Subject<'_>, slot: &str, value: &Content, to: &str) -> Vec<Edit> {
    let states = subject.turns();
    let states = states.filter_map(|(turn, of)| Some((turn, of.state.as_ref()?)));
    let meant = states.filter(|(_, state)| {
        let mut own = state.iter().filter(|s| s.slot == slot);
        let has = own.next().is_some_and(|s| s.value == *value);
        has && own.next().is_none() && !state.iter().any(|s| s.slot == to)
    });
    meant
        .map(|(turn, _)| Edit::RenameState { turn, slot: slot.to_owned(), to: to.to_owned() })
        .collect()
}

/// Returns the slots of an act as an edit writes them; None if a value is a list or an object.
fn slots_of(act: &Act) -> Option<Vec<SlotValue>> {
    let slot = |said: &ActSlot| {
        let value = match &said.value {
            None => None,
            Some(value) => match EditValue::of(value)? {
                EditValue::Several(_) => return None,
                one => Some(one),
            },
        };
        let slot = said.slot.to_string();
        Some(SlotValue { slot, value })
    };
    act.slots.iter().map(slot).collect()
}

/// Returns the edit that changes one slot of an act.
fn set_act_slot(
    (turn, act): (usize, usize),
    of: &Act,
    slot: usize,
    change: impl FnOnce(&mut SlotValue),
) -> Option<Edit> {
    let mut slots = slots_of(of)?;
    change(slots.get_mut(slot)?);
    Some(Edit::SetAct { turn, act, name: of.name.to_string(), slots })
}
