//! The edits that make one copy of a dialog say what another says.
//!
//! Each edit is applied before the next is made, so that a list of them is right for the dialog as a whole: what an
//! edit moves along, such as the spans of a turn whose text changes, is not said again. What then still differs in
//! the JSON of both is listed.

use std::fmt;

use super::canonical::{canonical, is_same_json};
use super::dialogs::{read, read_comparable};
use super::list::Side;
use super::pairs::{Pairs, pairs};
use super::tree::Trees;
use super::turns::aligned;
use crate::corpus::{CorpusFile, ReadError};
use crate::dialog::{
    ApiCall, CallPart, Content, Dialog, Edit, EditValue, Field, Mark, NamedValue, Payload, Segment,
    Short, SlotValue, StateSlot, Turn, Vote,
};
use crate::json::{NodeKind, Parser};

/// How to make one dialog say what another says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Differences {
    /// To be made in this order.
    pub edits: Vec<Edit>,
    /// Differences that stay after these edits.
    pub unsaid: Vec<Unsaid>,
}

impl Differences {
    /// True if the dialogs say the same.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.unsaid.is_empty()
    }
}

/// A difference that no edit can make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsaid {
    /// The position of the turn; None if it is about the whole dialog.
    pub turn: Option<usize>,
    /// The part that differs, such as "the speaker" or "segments.2.fields".
    pub part: String,
}

impl fmt::Display for Unsaid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn {
            Some(turn) => write!(f, "turn {turn}: {}", self.part),
            None => f.write_str(&self.part),
        }
    }
}

/// Makes the dialog at `position` of a file say what that at `other` of a file read like it says, as far as edits can,
/// and returns how. The order of segments, acts, slots and votes within a turn is not a difference.
///
/// # Errors
/// If one of the dialogs cannot be read.
pub fn differences(
    file: &mut CorpusFile,
    position: usize,
    new: &CorpusFile,
    other: usize,
) -> Result<Differences, ReadError> {
    let dialog = read(file, position)?;
    let (text, new) = (new.text(other)?, read(new, other)?);
    let turns = aligned(&dialog.turns, &new.turns);
    let mut making = Making { file, position, dialog, edits: Vec::new() };
    making.fields(&new.fields);
    let places = making.turns(&new.turns, turns);
    for (new, at) in new.turns.iter().zip(places) {
        if let Some(at) = at {
            making.turn(at, new);
        }
    }
    let edits = making.edits;
    let unsaid = unsaid(file, position, &text, edits.is_empty());
    Ok(Differences { edits, unsaid })
}

/// Returns the differences of a dialog from another copy of it. Another order of lines is one if there are no others:
/// `is_all` then.
fn unsaid(file: &CorpusFile, position: usize, other: &str, is_all: bool) -> Vec<Unsaid> {
    // What is not UTF-8 could not be put back.
    let Ok(written) = file.whole_text(position) else {
        return Vec::new();
    };
    if is_same_json(&written, other) {
        return Vec::new();
    }
    if has_same_elements(&written, other) {
        let part = "the order of the lines".to_owned();
        return is_all.then_some(Unsaid { turn: None, part }).into_iter().collect();
    }
    let trees = Trees { asks_all: true, ..Trees::of_file(file, Some(&written), &written, other) };
    let conflicts = trees.merged(&|_| Side::Ours).unwrap_or_default().conflicts;
    let told = conflicts.into_iter().map(|of| {
        let is_element = of.path.starts_with(|first: char| first.is_ascii_digit());
        let part = match of.path.as_str() {
            "" => format!("the {}", of.part),
            path if is_element => format!("element {path}"),
            path => path.to_owned(),
        };
        Unsaid { turn: of.turn, part }
    });
    told.collect()
}

/// True if two texts are lists, or lines, of the same elements.
fn has_same_elements(one: &str, other: &str) -> bool {
    let elements = |text: &str| -> Vec<String> {
        let mut parser = Parser::new();
        let Ok(tree) = parser.parse_piece_str(text) else {
            return Vec::new();
        };
        let mut elements: Vec<_> = tree.root().elements().map(|of| canonical(of, None)).collect();
        elements.sort_unstable();
        elements
    };
    let (one, other) = (elements(one), elements(other));
    !one.is_empty() && one == other
}

/// Returns names in the order of the alphabet.
fn in_order(names: &[Short]) -> Vec<&Short> {
    let mut names: Vec<_> = names.iter().collect();
    names.sort_unstable();
    names
}

/// A dialog, and the edits made so far.
struct Making<'f> {
    file: &'f mut CorpusFile,
    position: usize,
    /// As the file has it after these edits.
    dialog: Dialog,
    edits: Vec<Edit>,
}

impl Making<'_> {
    /// Makes an edit. False if it does not fit the dialog, or the family of its file.
    fn make(&mut self, edit: Edit) -> bool {
        if self.file.edit(self.position, &edit).is_err() {
            return false;
        }
        if let Ok(Some(dialog)) = read_comparable(self.file, self.position) {
            self.dialog = dialog;
        }
        self.edits.push(edit);
        true
    }

    fn fields(&mut self, new: &[Field]) {
        for (own, other) in pairs(&self.dialog.fields, new).both {
            let new = &new[other];
            if self.dialog.fields[own].content != new.content
                && let Content::Text(text) = &new.content
            {
                self.make(Edit::SetField { name: new.name.to_string(), text: text.to_string() });
            }
        }
    }

    /// Adds and removes turns, given the pairs of those that stay; returns the position that each turn of `new` has now.
    fn turns(&mut self, new: &[Turn], pairs: Pairs) -> Vec<Option<usize>> {
        // What each turn of the dialog becomes.
        let mut becomes: Vec<Option<usize>> = vec![None; self.dialog.turns.len()];
        for (old, at) in pairs.both {
            becomes[old] = Some(at);
        }
        // First, because a dialog never is without turns.
        for at in pairs.added {
            let is_before = |becomes: &Option<usize>| becomes.is_some_and(|other| other < at);
            let turn = becomes.iter().rposition(is_before).map_or(0, |before| before + 1);
            let speaker = new[at].speaker.name.to_string();
            let text = new[at].text.clone();
            let edit = Edit::AddTurn { turn, speaker, text };
            if self.make(edit) {
                becomes.insert(turn, Some(at));
            }
        }
        for turn in (0..becomes.len()).rev() {
            if becomes[turn].is_some() {
                continue;
            }
            if self.make(Edit::RemoveTurn { turn }) {
                becomes.remove(turn);
            }
        }
        let place = |at: usize| becomes.iter().position(|becomes| *becomes == Some(at));
        (0..new.len()).map(place).collect()
    }

    /// Makes the turn at `at` say what `new` says.
    fn turn(&mut self, at: usize, new: &Turn) {
        let old = &self.dialog.turns[at];
        if old == new {
            return;
        }
        if old.speaker.name != new.speaker.name {
            self.make(Edit::SetSpeaker { turn: at, speaker: new.speaker.name.to_string() });
        }
        if self.dialog.turns[at].text != new.text {
            self.text(at, new);
        }
        let all = |list: &[Short]| list.iter().map(Short::to_string).collect();
        if self.dialog.turns[at].tokens != new.tokens {
            self.make(Edit::SetTokens { turn: at, tokens: all(&new.tokens) });
        }
        self.segments(at, &new.segments);
        self.calls(at, &new.calls);
        self.acts(at, new);
        if in_order(&self.dialog.turns[at].intents) != in_order(&new.intents) {
            self.make(Edit::SetIntents { turn: at, intents: all(&new.intents) });
        }
        if let Some(state) = &new.state {
            self.state(at, state);
        }
        self.votes(at, &new.votes);
        if self.dialog.turns[at].detections != new.detections {
            self.gold(at, new);
        }
    }

    /// Sets the text of a turn so that as many segments as possible are then those of `new`.
    fn text(&mut self, at: usize, new: &Turn) {
        let mut best: Option<(usize, Edit)> = None;
        for (drop, shrink) in [(false, false), (false, true), (true, false), (true, true)] {
            let edit = Edit::SetText { turn: at, text: new.text.clone(), drop, shrink };
            let Ok(after) = edit.apply(&self.dialog) else {
                continue;
            };
            let after = pairs(&after.turns[at].segments, &new.segments);
            let apart = after.removed.len() + after.added.len();
            if best.as_ref().is_none_or(|(least, _)| apart < *least) {
                best = Some((apart, edit));
            }
        }
        if let Some((_, edit)) = best {
            self.make(edit);
        }
    }

    fn segments(&mut self, at: usize, new: &[Segment]) {
        let found = pairs(&self.dialog.turns[at].segments, new);
        let own = found.both.iter().map(|(own, _)| own);
        let mut places: Vec<usize> = own.chain(&found.removed).copied().collect();
        for (pair, (_, other)) in found.both.iter().enumerate() {
            let other = &new[*other];
            let old = &self.dialog.turns[at].segments[places[pair]];
            if old == other {
                continue;
            }
            let (old_span, old_labels) = (old.span, old.label_names());
            if old_span != other.span
                && let Some(span) = other.span
            {
                let edit = Edit::SetSpan {
                    turn: at,
                    segment: places[pair],
                    start: span.start,
                    end: span.end,
                };
                self.make_of_segment(edit, &mut places);
            }
            let labels = other.label_names();
            if old_labels != labels {
                let edit = Edit::SetLabels { turn: at, segment: places[pair], labels };
                self.make_of_segment(edit, &mut places);
            }
            let segment = places[pair];
            let quote = &self.dialog.turns[at].segments[segment].quote;
            if *quote != other.quote {
                self.make(Edit::SetQuote {
                    turn: at,
                    segment,
                    text: other.quote.as_ref().map(Short::to_string),
                });
            }
        }
        let mut removed = places.split_off(found.both.len());
        removed.sort_unstable();
        for segment in removed.into_iter().rev() {
            self.make(Edit::RemoveSegment { turn: at, segment });
        }
        for added in found.added {
            let other = &new[added];
            let before = self.dialog.turns[at].segments.clone();
            let is_made = other.span.is_some_and(|span| {
                self.make(Edit::AddSegment {
                    turn: at,
                    start: span.start,
                    end: span.end,
                    labels: other.label_names(),
                })
            });
            if !is_made {
                continue;
            }
            // A family that keeps segments in several lists may have put it before others.
            let after = &self.dialog.turns[at].segments;
            let same = before.iter().zip(after).take_while(|(one, other)| one == other);
            let segment = same.count();
            let mine = after.get(segment);
            // A family decides whether a new segment has a quote.
            if mine.is_some_and(|mine| {
                mine.quote.is_some() && other.quote.is_some() && mine.quote != other.quote
            }) {
                self.make(Edit::SetQuote {
                    turn: at,
                    segment,
                    text: other.quote.as_ref().map(Short::to_string),
                });
            }
        }
    }

    /// Makes an edit of a segment, and follows the `places` of segments of its turn, which may be others then: in
    /// families that keep the segments of a turn in several lists.
    fn make_of_segment(&mut self, edit: Edit, places: &mut [usize]) {
        let at = edit.turn();
        let before = self.dialog.turns[at].segments.clone();
        if self.make(edit) {
            let moved = pairs(&before, &self.dialog.turns[at].segments);
            for place in places {
                *place = moved.new_of(*place).unwrap_or(*place);
            }
        }
    }

    fn calls(&mut self, at: usize, new: &[ApiCall]) {
        let found = pairs(&self.dialog.turns[at].calls, new);
        for (call, other) in found.both {
            let other = &new[other];
            if self.dialog.turns[at].calls[call] == *other {
                continue;
            }
            let in_text = other.in_text && self.dialog.turns[at].calls[call].in_text;
            if !in_text && self.dialog.turns[at].calls[call].name != other.name {
                let name = other.name.to_string();
                self.make(Edit::SetApi { turn: at, call, name });
            }
            let of = &self.dialog.turns[at].calls[call];
            let parts = [
                (CallPart::Arguments, of.arguments.clone(), &other.arguments),
                (CallPart::Response, of.response.clone(), &other.response),
            ];
            for (part, old, new) in parts {
                // The text says what is in it.
                if !in_text || part == CallPart::Response {
                    self.payload(at, call, part, old, new.as_ref());
                }
            }
        }
        let own = &self.dialog.turns[at].calls;
        let removed: Vec<_> =
            found.removed.into_iter().filter(|call| !own[*call].in_text).collect();
        for call in removed.into_iter().rev() {
            self.make(Edit::RemoveCall { turn: at, call });
        }
        for added in found.added.into_iter().filter(|call| !new[*call].in_text) {
            let other = &new[added];
            let call = self.dialog.turns[at].calls.len();
            let edit = new_call(at, other);
            if edit.is_some_and(|edit| self.make(edit)) {
                let of = self.dialog.turns[at].calls.get(call).cloned();
                let arguments = of.and_then(|of| of.arguments);
                let new = other.arguments.as_ref();
                self.payload(at, call, CallPart::Arguments, arguments, new);
            }
        }
    }

    fn payload(
        &mut self,
        at: usize,
        call: usize,
        part: CallPart,
        old: Option<Payload>,
        new: Option<&Payload>,
    ) {
        let turn = at;
        let Some(new) = new else {
            return;
        };
        let new = match new {
            Payload::Fields(fields) => fields,
            Payload::Embedded { text, .. } | Payload::Text { text, .. } => {
                if old.as_ref().and_then(Payload::text) != Some(text) {
                    let text = text.to_string();
                    self.make(Edit::SetJson { turn, call, part, text });
                }
                return;
            }
        };
        let old = match old {
            Some(Payload::Fields(fields)) => fields,
            _ => Vec::new(),
        };
        let mut found = pairs(&old, new);
        for (one, other) in renamed(&found, |one, other| old[one].content == new[other].content) {
            let edit = Edit::RenameValue {
                turn,
                call,
                part,
                name: old[one].name.to_string(),
                to: new[other].name.to_string(),
            };
            if self.make(edit) {
                found.removed.retain(|at| *at != one);
                found.added.retain(|at| *at != other);
            }
        }
        for one in found.removed {
            self.make(Edit::RemoveValue { turn, call, part, name: old[one].name.to_string() });
        }
        let changed = found.both.iter().filter(|(one, other)| old[*one] != new[*other]);
        let changed = changed.map(|(_, other)| *other);
        for other in changed.chain(found.added) {
            if let Some(value) = EditValue::of(&new[other].content) {
                self.make(Edit::SetValue {
                    turn,
                    call,
                    part,
                    name: new[other].name.to_string(),
                    value,
                });
            }
        }
    }

    fn acts(&mut self, at: usize, new: &Turn) {
        let found = pairs(&self.dialog.turns[at].acts, &new.acts);
        let slots = |act: usize| -> Option<Vec<SlotValue>> {
            let slots = new.acts[act].slots.iter().map(|slot| {
                let value = slot.value.as_ref();
                Some(SlotValue {
                    slot: slot.slot.to_string(),
                    value: match value {
                        Some(value) => Some(EditValue::of(value)?),
                        None => None,
                    },
                })
            });
            slots.collect()
        };
        let name = |act: usize| new.acts[act].name.to_string();
        for (act, other) in found.both {
            if self.dialog.turns[at].acts[act] == new.acts[other] {
                continue;
            }
            if let Some(slots) = slots(other) {
                self.make(Edit::SetAct { turn: at, act, name: name(other), slots });
            }
        }
        let mut added = found.added;
        for act in found.removed.into_iter().rev() {
            if self.make(Edit::RemoveAct { turn: at, act }) {
                continue;
            }
            // An act that is always there becomes another one.
            let becomes = added.iter().copied().find_map(|other| {
                let edit = Edit::SetAct { turn: at, act, name: name(other), slots: slots(other)? };
                self.make(edit).then_some(other)
            });
            added.retain(|added| Some(*added) != becomes);
        }
        for added in added {
            if let Some(slots) = slots(added) {
                self.make(Edit::AddAct { turn: at, name: name(added), slots });
            }
        }
    }

    fn state(&mut self, at: usize, new: &[StateSlot]) {
        let old = self.dialog.turns[at].state.clone().unwrap_or_default();
        let mut found = pairs(&old, new);
        for (one, other) in renamed(&found, |one, other| old[one].value == new[other].value) {
            let edit = Edit::RenameState {
                turn: at,
                slot: old[one].slot.to_string(),
                to: new[other].slot.to_string(),
            };
            if self.make(edit) {
                found.removed.retain(|at| *at != one);
                found.added.retain(|at| *at != other);
            }
        }
        for one in found.removed.into_iter().rev() {
            let slot = old[one].slot.to_string();
            let value = EditValue::of(&old[one].value);
            let is_only = old.iter().filter(|other| other.slot == old[one].slot).count() == 1;
            let value = value.filter(|_| !is_only);
            self.make(Edit::RemoveState { turn: at, slot, value });
        }
        let changed = found.both.iter().filter(|(one, other)| old[*one] != new[*other]);
        let changed = changed.map(|(_, other)| *other);
        for other in changed.chain(found.added) {
            if let Some(value) = EditValue::of(&new[other].value) {
                self.make(Edit::SetState { turn: at, slot: new[other].slot.to_string(), value });
            }
        }
    }

    fn votes(&mut self, at: usize, new: &[Vote]) {
        let old = self.dialog.turns[at].votes.clone();
        let found = pairs(&old, new);
        for one in found.removed {
            let annotator = old[one].annotator.to_string();
            self.make(Edit::WithdrawVote { turn: at, annotator });
        }
        let changed = found.both.iter().filter(|(one, other)| old[*one] != new[*other]);
        let changed = changed.map(|(one, other)| (Some(&old[*one]), *other));
        let added = found.added.iter().map(|other| (None, *other));
        for (was, other) in changed.chain(added) {
            let vote = &new[other];
            let text = |of: fn(&Vote) -> &Short| {
                let is_same = match was {
                    Some(was) => of(was) == of(vote),
                    None => of(vote).is_empty(),
                };
                (!is_same).then(|| of(vote).to_string())
            };
            if let Some(breakdown) = vote.breakdown {
                self.make(Edit::CastVote {
                    turn: at,
                    annotator: vote.annotator.to_string(),
                    breakdown,
                    comment: text(|vote| &vote.comment),
                    ungrammatical: text(|vote| &vote.ungrammatical).map(Mark::Text),
                });
            }
        }
    }

    /// Sets the gold label in a file of labels.
    fn gold(&mut self, at: usize, new: &Turn) {
        let old = self.dialog.turns[at].detections.first().cloned();
        let edit = new.detections.first().and_then(|label| {
            let is_same = old.is_some_and(|old| old.comment == label.comment);
            let comment = (!is_same).then(|| label.comment.to_string());
            Some(Edit::SetGold {
                turn: new.index? as usize,
                breakdown: label.breakdown?,
                comment: comment.filter(|comment| !comment.is_empty()),
            })
        });
        if let Some(edit) = edit {
            self.make(edit);
        }
    }
}

/// Returns the elements that have only got another name: what was removed and what was added at one position, and
/// `is_same` but for the name.
fn renamed(found: &Pairs, is_same: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let removed = found.removed.iter().copied();
    let kept = removed.filter(|at| found.added.contains(at) && is_same(*at, *at));
    kept.map(|at| (at, at)).collect()
}

/// Returns the edit that adds a call; None if no edit can say it.
fn new_call(turn: usize, call: &ApiCall) -> Option<Edit> {
    let response = match &call.response {
        Some(payload) => Some(values(payload)?),
        None => None,
    };
    let arguments = match &call.arguments {
        Some(payload) => values(payload)?,
        None => Vec::new(),
    };
    Some(Edit::AddCall { turn, name: call.name.to_string(), arguments, response })
}

/// Returns the values of a new call, also those that are JSON in a string; None if an edit cannot hold them.
fn values(payload: &Payload) -> Option<Vec<NamedValue>> {
    let value = |(name, content): (String, Content)| {
        let value = EditValue::of(&content)?;
        Some(NamedValue { name, value })
    };
    let text = match payload {
        Payload::Fields(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|field| (field.name.to_string(), field.content.clone()));
            return fields.map(value).collect();
        }
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => text,
    };
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).ok()?;
    let object = tree.root();
    let members = object
        .members()
        .map(|(key, member)| value((key.as_str()?.into_owned(), Content::of(member))));
    (object.kind() == NodeKind::Object).then(|| members.collect())?
}
