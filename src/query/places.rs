//! The texts of a dialog that people read, and that a search looks into.

use super::members::each_inside;
use super::target::{HiddenAnswers, Target};
use super::value::Value;
use crate::dialog::{Content, Dialog, Field, LOST_ANSWER, Payload, Role, Turn};
use crate::format::{LOST_FIELD, REASONING_FIELD};

/// A kind of text that people read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    Utterance,
    Argument,
    Result,
    Reasoning,
    Instructions,
    Comment,
}

impl TextKind {
    /// All kinds, with their names in queries.
    pub const ALL: [(&str, Self); 6] = [
        ("utterance", Self::Utterance),
        ("argument", Self::Argument),
        ("result", Self::Result),
        ("reasoning", Self::Reasoning),
        ("instructions", Self::Instructions),
        ("comment", Self::Comment),
    ];

    /// Returns the kind with this name, in any case; results had another one once.
    pub fn named(name: &str) -> Option<Self> {
        let name = if name.eq_ignore_ascii_case("answer") { "result" } else { name };
        let mut all = Self::ALL.into_iter();
        Some(all.find(|(known, _)| known.eq_ignore_ascii_case(name))?.1)
    }

    pub fn name(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// The place of a text in a turn. Numbers are positions in the turn; those of fields, in the dialog, whose fields
/// belong to its first turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextPlace {
    /// The text of the turn itself.
    #[default]
    Turn,
    /// The arguments of a call.
    Arguments(usize),
    /// The result of a call.
    Result(usize),
    /// The comment of a vote.
    Comment(usize),
    /// The note of a judgement, by its position in the dialog.
    Note(usize),
    /// A field of the turn that people read: the model's reasoning, or a result that belongs to no call.
    TurnField(usize),
    /// A field of the dialog.
    Field(usize),
}

impl TextPlace {
    /// Returns the call whose arguments or result it is.
    pub fn call(self) -> Option<usize> {
        match self {
            Self::Arguments(call) | Self::Result(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the kind of the texts there.
    pub fn kind(self, turn: &Turn) -> TextKind {
        match self {
            Self::Turn => kind_of_turn(turn),
            Self::Arguments(_) => TextKind::Argument,
            Self::Result(_) => TextKind::Result,
            Self::Comment(_) | Self::Note(_) => TextKind::Comment,
            Self::TurnField(field) => match turn.fields.get(field) {
                Some(field) if field.name == REASONING_FIELD => TextKind::Reasoning,
                _ => TextKind::Result,
            },
            Self::Field(_) => TextKind::Instructions,
        }
    }
}

/// Returns the kind of the text of a turn itself: instructions and the results of tools have kinds of their own.
fn kind_of_turn(turn: &Turn) -> TextKind {
    const TOOLS: [&str; 4] = ["tool", "function", "observation", "function_response"];
    let name = turn.speaker.name.as_str();
    match turn.speaker.role {
        Role::Context if TOOLS.contains(&name) => TextKind::Result,
        Role::Context => TextKind::Instructions,
        Role::User | Role::System | Role::Other => TextKind::Utterance,
    }
}

/// True if people read a field of a turn like its text.
fn is_read(turn: &Turn, field: &Field) -> bool {
    let is_lost = || match field.content {
        Content::Text(_) => field.name == LOST_FIELD,
        Content::Raw(_) => turn.unread.has(LOST_ANSWER),
    };
    field.name == REASONING_FIELD || field.known && is_lost()
}

/// Returns the places of texts of a turn, of one kind or of all. A blind annotator reads no comments and no notes of
/// others.
pub(super) fn places(
    target: &Target<'_>,
    position: usize,
    within: Option<TextKind>,
) -> impl Iterator<Item = TextPlace> {
    let Target { dialog, source, .. } = *target;
    let turn = &dialog.turns[position];
    let calls = (0..turn.calls.len())
        .flat_map(|call| [TextPlace::Arguments(call), TextPlace::Result(call)]);
    let is_blind = source.hidden == HiddenAnswers::Others;
    let may_read = move |vote: &usize| !is_blind || source.is_own(&turn.votes[*vote].annotator);
    let votes = (0..turn.votes.len()).filter(may_read);
    let fields = if position == 0 { dialog.fields.len() } else { 0 };
    let notes = dialog.judgements.iter().enumerate();
    let notes = notes.filter(move |(_, judgement)| {
        !judgement.note.is_empty() && judgement.found_at() == position && !source.hides(judgement)
    });
    let read = turn.fields.iter().enumerate();
    let read = read.filter(|(_, field)| is_read(turn, field));
    std::iter::once(TextPlace::Turn)
        .chain(calls)
        .chain(read.map(|(field, _)| TextPlace::TurnField(field)))
        .chain(votes.map(TextPlace::Comment))
        .chain(notes.map(|(note, _)| TextPlace::Note(note)))
        .chain((0..fields).map(TextPlace::Field))
        .filter(move |place| within.is_none_or(|within| within == place.kind(turn)))
}

/// The part of a JSON text that is searched besides the text as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InJson {
    /// Its values, if some are written with escapes; without, the text as it is contains them.
    Escaped,
    /// Its values: regular expressions may ask for their beginnings and ends.
    Values,
}

/// True if a text at this place of a turn meets `is_found`: the text as it is, the values of fields, which formats
/// may have given other names than the file, and values in JSON.
pub(super) fn any_text(
    dialog: &Dialog,
    position: usize,
    place: TextPlace,
    json: InJson,
    is_found: &mut dyn FnMut(&str) -> bool,
) -> bool {
    let turn = &dialog.turns[position];
    match place {
        TextPlace::Turn => is_found(&turn.text),
        TextPlace::Arguments(call) => {
            let call = turn.calls.get(call);
            call.is_some_and(|call| in_payload(call.arguments.as_ref(), json, is_found))
        }
        TextPlace::Result(call) => turn.calls.get(call).is_some_and(|call| {
            in_payload(call.response.as_ref(), json, is_found)
                || call.failures().any(|mark| in_content(&mark.content, json, is_found))
                || call.unknown().any(|other| in_content(&other.content, json, is_found))
        }),
        TextPlace::Comment(vote) => {
            let vote = turn.votes.get(vote);
            vote.is_some_and(|vote| is_found(&vote.comment))
        }
        TextPlace::Note(judgement) => {
            let judgement = dialog.judgements.get(judgement);
            judgement.is_some_and(|judgement| is_found(&judgement.note))
        }
        TextPlace::TurnField(field) => {
            let field = turn.fields.get(field);
            field.is_some_and(|field| in_content(&field.content, json, is_found))
        }
        TextPlace::Field(field) => {
            let field = dialog.fields.get(field);
            field.is_some_and(|field| in_content(&field.content, json, is_found))
        }
    }
}

fn in_payload(
    payload: Option<&Payload>,
    json: InJson,
    is_found: &mut dyn FnMut(&str) -> bool,
) -> bool {
    match payload {
        None => false,
        Some(Payload::Fields(fields)) => {
            fields.iter().any(|field| in_content(&field.content, json, is_found))
        }
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
            is_found(text) || in_values(text, json, is_found)
        }
    }
}

fn in_content(content: &Content, json: InJson, is_found: &mut dyn FnMut(&str) -> bool) -> bool {
    match content {
        Content::Text(text) => is_found(text),
        Content::Raw(raw) => is_found(raw) || in_values(raw, json, is_found),
    }
}

fn in_values(text: &str, json: InJson, is_found: &mut dyn FnMut(&str) -> bool) -> bool {
    let mut found = false;
    if json == InJson::Values || text.contains('\\') {
        each_inside("", text, &mut |_, value| {
            found = found || matches!(value, Value::Text(text) if is_found(text));
        });
    }
    found
}
