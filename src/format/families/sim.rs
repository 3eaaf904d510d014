//! Google's simulated dialogues sim-M and sim-R: tokens, slots, dialogue acts, dialogue state.
//!
//! A turn of the file contains a system and a user utterance (the first one only a user's); in the model,
//! each is a separate turn. Slots are segments counted in tokens, half-open, without quoted text. The
//! state is the one after the user's utterance.

use crate::dialog::{
    Act, ActSlot, Dialog, Edit, EditError, EditKind, Issue, Label, Segment, Short, Span, StateSlot,
    Turn,
};
use crate::format::engine::edit::{
    EditedDialog, append_all, follow_segments, insert, object_of, set_index, set_text,
};
use crate::format::engine::read::{Reader, content, each, extent, members};
use crate::format::families::exchange::{self, Sides};
use crate::format::families::exchange_write::{self, Style};
use crate::format::{Format, Sign};
use crate::json::{Editor, NewValue, Splice, Tree, Value};
use crate::text::{Splitting, Units};

pub struct Sim;

const TITLE: &str = "Simulated dialogues (sim-M, sim-R)";

const SIDES: Sides = Sides {
    units: Units::Tokens(Splitting::Spaces),
    user_answers: true,
    utterance,
    act,
    state: states,
    own: "user_intents",
    read_own: |reader, value, turn| turn.intents = texts(reader, value, "user_intents"),
};

impl Format for Sim {
    fn name(&self) -> &'static str {
        "sim"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["sim-m", "sim-r", "sim-M", "sim-R"]
    }

    fn title(&self) -> &'static str {
        TITLE
    }

    fn holds(&self) -> &'static str {
        "slots (tokens), dialogue acts, user intents, dialogue state"
    }

    fn id_key(&self) -> &'static str {
        exchange::ID
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../assets/schemas/sim.schema.json")
    }

    fn signs(&self, root: Value<'_>) -> Vec<Sign> {
        exchange::signs(root, "`user_utterance`, an object with `text`, in its turns", |v| {
            v.get("text").is_some()
        })
    }

    fn read_form(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        exchange::read(&SIDES, tree)
    }

    fn has(&self) -> &'static [EditKind] {
        &[
            EditKind::Text,
            EditKind::Tokens,
            EditKind::Segments,
            EditKind::Acts,
            EditKind::Intents,
            EditKind::State,
            EditKind::Turns,
            EditKind::Fields,
        ]
    }

    fn complete(&self, edit: &Edit, after: &mut Dialog) {
        exchange::complete(edit, after);
    }

    fn write_turns(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        exchange_write::write_turns(&Style::Listed, editor, edited, |turn| {
            let texts = |texts: &[Short]| {
                let text = |text: &Short| NewValue::String(text.to_string());
                NewValue::Array(texts.iter().map(text).collect())
            };
            NewValue::Object(vec![
                ("text".to_owned(), NewValue::String(turn.text.clone())),
                ("tokens".to_owned(), texts(&turn.tokens)),
                ("slots".to_owned(), NewValue::Array(Vec::new())),
            ])
        })
    }

    fn write(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        let (before, after) = edited.turns();
        let object = object_of(editor, before.at, "the utterance")?;
        let slots = object.get("slots");
        let span = |before: &Segment, after: &Segment| write_span(editor, before, after);
        Ok(match edited.edit {
            Edit::SetSpan { segment, .. } => {
                span(&before.segments[*segment], &after.segments[*segment])?
            }
            Edit::AddSegment { labels, .. } => {
                let (place, new) = edited.new_segment().unwrap_or((0, &after.segments[0]));
                vec![insert(editor, object, "slots", place, vec![new_slot(only(labels)?, new)])?]
            }
            Edit::RemoveSegment { segment, .. } => slots
                .and_then(|array| editor.remove_at(array, before.segments[*segment].at.start))
                .into_iter()
                .collect(),
            Edit::SetLabels { segment, labels, .. } => {
                let slot = object_of(editor, before.segments[*segment].at, "the slot")?;
                vec![set_text(editor, slot, "slot", only(labels)?)]
            }
            Edit::SetText { text, shrink, .. } => {
                let mut splices = vec![set_text(editor, object, "text", text)];
                splices.extend(write_tokens(editor, object, after)?);
                let moved = before.moved_by(text, *shrink, edited.before.units);
                splices.extend(follow_segments(editor, slots, before, after, &moved, span)?);
                splices
            }
            Edit::SetTokens { .. } => write_tokens(editor, object, after)?,
            _ => exchange_write::write(&Style::Listed, TITLE, editor, edited)?,
        })
    }
}

fn utterance(reader: &mut Reader, value: Value<'_>, member: &'static str, turn: &mut Turn) {
    if !reader.is_object(value, member) {
        return;
    }
    let [text, tokens, slots] = members(value, ["text", "tokens", "slots"], &mut turn.fields);
    let text = reader.required(text, value, "the utterance", "text");
    turn.text = reader.text(text, "text");
    if let Some(tokens) = reader.required(tokens, value, "the utterance", "tokens") {
        turn.tokens = texts(reader, tokens, "tokens");
    }
    if let Some(slots) = reader.required(slots, value, "the utterance", "slots") {
        let elements = reader.elements(slots, "slots");
        turn.segments = each(elements, |value| slot(reader, value));
    }
}

fn slot(reader: &mut Reader, value: Value<'_>) -> Segment {
    let mut segment = Segment { at: extent(value), ..Segment::default() };
    if !reader.is_object_in(value, "slots") {
        return segment;
    }
    let [name, start, end] =
        members(value, ["slot", "start", "exclusive_end"], &mut segment.fields);
    let name = reader.required(name, value, "the slot", "slot");
    let label = Label { name: reader.text(name, "slot"), at: name.map(extent).unwrap_or_default() };
    segment.labels = vec![label];
    let start = reader.required(start, value, "the slot", "start");
    let start = reader.index(start, "start");
    let end = reader.required(end, value, "the slot", "exclusive_end");
    let end = reader.index(end, "exclusive_end");
    segment.span = start.zip(end).map(|(start, end)| Span { start, end });
    segment
}

fn act(reader: &mut Reader, value: Value<'_>) -> Act {
    let mut act = Act { at: extent(value), ..Act::default() };
    let name = reader.required(value.get("type"), value, "the act", "type");
    act.name = reader.text(name, "type");
    let slot = value.get("slot").map(|v| reader.text(Some(v), "slot"));
    let written = value.get("value");
    reader.text::<Short>(written, "value");
    if slot.is_some() || written.is_some() {
        let slot = slot.unwrap_or_default();
        let value = written.map(content);
        act.slots = vec![ActSlot { slot, value }];
    }
    act
}

fn texts(reader: &mut Reader, value: Value<'_>, member: &'static str) -> Vec<Short> {
    let elements = reader.elements(value, member);
    let text = |value: Value<'_>| {
        let text = value.as_str();
        if text.is_none() {
            reader.report_item(value, member, "a string");
        }
        text.unwrap_or_default().as_ref().into()
    };
    each(elements, text)
}

fn states(reader: &mut Reader, value: Value<'_>) -> Vec<StateSlot> {
    let elements = reader.elements(value, "dialogue_state");
    each(elements, |value| state(reader, value))
}

fn state(reader: &mut Reader, value: Value<'_>) -> StateSlot {
    let at = extent(value);
    if !reader.is_object_in(value, "dialogue_state") {
        return StateSlot { slot: Short::default(), value: content(value), at };
    }
    let slot = reader.required(value.get("slot"), value, "the state", "slot");
    let slot = reader.text(slot, "slot");
    let written = reader.required(value.get("value"), value, "the state", "value");
    reader.text::<Short>(written, "value");
    let empty = || crate::dialog::Content::Text(Short::default());
    StateSlot { slot, value: written.map_or_else(empty, content), at }
}

fn only(labels: &[String]) -> Result<&str, EditError> {
    match labels {
        [label] => Ok(label),
        _ => Err(EditError::OneLabel { family: TITLE }),
    }
}

fn new_slot(label: &str, segment: &Segment) -> NewValue {
    let span = segment.span.unwrap_or(Span { start: 0, end: 0 });
    NewValue::Object(vec![
        ("slot".to_owned(), NewValue::String(label.to_owned())),
        ("start".to_owned(), NewValue::Integer(i64::from(span.start))),
        ("exclusive_end".to_owned(), NewValue::Integer(i64::from(span.end))),
    ])
}

fn write_span(
    editor: &Editor<'_>,
    before: &Segment,
    after: &Segment,
) -> Result<Vec<Splice>, EditError> {
    let object = object_of(editor, before.at, "the slot")?;
    let Some(span) = after.span else {
        return Ok(Vec::new());
    };
    let mut splices = Vec::new();
    if before.span.is_none_or(|old| old.start != span.start) {
        splices.push(set_index(editor, object, "start", span.start));
    }
    if before.span.is_none_or(|old| old.end != span.end) {
        splices.push(set_index(editor, object, "exclusive_end", span.end));
    }
    Ok(splices)
}

fn write_tokens<'a>(
    editor: &Editor<'a>,
    utterance: Value<'a>,
    after: &Turn,
) -> Result<Vec<Splice>, EditError> {
    let tokens: Vec<_> = after.tokens.iter().map(Short::as_str).collect();
    let filled = |array: &Value<'a>| array.elements().next().is_some();
    if let Some(array) = utterance.get("tokens").filter(filled) {
        return Ok(editor.set_strings(array, &tokens));
    }
    let new = |token: &Short| NewValue::String(token.to_string());
    let new = after.tokens.iter().map(new).collect();
    Ok(vec![append_all(editor, utterance, "tokens", new)?])
}
