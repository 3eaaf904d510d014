//! Taskmaster-4: calls as annotations of the utterance, with JSON inside strings.
//!
//! An utterance's `annotations` are `api_call` and `request`, `api_response` and `response`; the two
//! of a pair share a `context` such as `api_call_0`, and the response to `api_call_0` is in
//! `api_response_0`. The texts of requests and responses should be JSON, and some are not. Segment
//! offsets are strings of digits.

use std::collections::HashMap;

use crate::dialog::{
    ApiCall, CallPart, Content, Dialog, Edit, EditError, EditKind, Extent, Field, Issue, Payload,
    Segment, Short, Span, Turn,
};
use crate::format::engine::edit::{
    append_all, follow_segments, insert, not_editable, object_of, set_index, set_text, value_of,
};
use crate::format::engine::read::{Reader, extent, members};
use crate::format::engine::shape::{any_has, is_empty};
use crate::format::engine::turns::{self, NewPlace};
use crate::format::engine::values::embed;
use crate::format::families::taskmaster::{self, Variant};
use crate::format::{EditedDialog, Format, Sign};
use crate::json::{Editor, NewValue, NodeKind, Splice, Tree, Value};

pub struct Taskmaster4;

static VARIANT: Variant = Variant {
    string_offsets: true,
    known: &["vertical", "scenario", "instructions"],
    calls: Some("annotations"),
    read_calls: annotations,
};

impl Format for Taskmaster4 {
    fn name(&self) -> &'static str {
        "taskmaster-4"
    }

    fn title(&self) -> &'static str {
        "Taskmaster-4"
    }

    fn holds(&self) -> &'static str {
        "utterances with API calls and responses as annotations, JSON in strings, segments"
    }

    fn id_key(&self) -> &'static str {
        taskmaster::ID
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../assets/schemas/taskmaster-4.schema.json")
    }

    fn signs(&self, root: Value<'_>) -> Vec<Sign> {
        taskmaster::signs(root)
    }

    fn has_turns(&self, root: Value<'_>) -> bool {
        !is_empty(root, taskmaster::TURNS)
    }

    fn own_signs(&self, root: Value<'_>) -> Vec<Sign> {
        let is_array = |v: Value<'_>| v.kind() == NodeKind::Array;
        let annotated = any_has(root, taskmaster::TURNS, "annotations", is_array);
        vec![Sign::new("`annotations`, an array, in an utterance", annotated)]
    }

    fn read_form(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        taskmaster::read(&VARIANT, tree)
    }

    fn has(&self) -> &'static [EditKind] {
        &[
            EditKind::Text,
            EditKind::Speaker,
            EditKind::Turns,
            EditKind::Fields,
            EditKind::Segments,
            EditKind::Calls,
        ]
    }

    fn complete(&self, edit: &Edit, after: &mut Dialog) {
        turns::number_first(edit, after);
        let Edit::AddCall { turn, .. } = edit else {
            return;
        };
        embed(after, *turn, CallPart::Arguments);
        embed(after, *turn, CallPart::Response);
        let call = after.turns.get_mut(*turn).and_then(|turn| turn.calls.last_mut());
        if let Some(call) = call.filter(|call| call.response.is_some()) {
            call.answered_as = Some(call.name.clone());
        }
    }

    fn write(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        write(editor, edited)
    }

    fn write_turns(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        write_turns(editor, edited)
    }
}

/// One annotation of an utterance.
struct Annotation {
    name: Short,
    value: Short,
    /// The number at the end of its context: `3` of `api_call_3`.
    number: Option<u32>,
    at: Extent,
}

fn annotations(reader: &mut Reader, value: Value<'_>, turn: &mut Turn) {
    let elements = reader.elements(value, "annotations");
    // The last call for the number of its context.
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    for value in elements {
        let annotation = annotation(reader, value, &mut turn.fields);
        add(annotation, &mut turn.calls, &mut numbers, &mut turn.fields);
    }
}

fn annotation(reader: &mut Reader, value: Value<'_>, fields: &mut Vec<Field>) -> Annotation {
    let at = extent(value);
    if !reader.is_object_in(value, "annotations") {
        return Annotation { name: Short::default(), value: Short::default(), number: None, at };
    }
    let [name, text, context] = members(value, ["name", "value", "context"], fields);
    let name = reader.required(name, value, "the annotation", "name");
    let text = reader.required(text, value, "the annotation", "value");
    let context: Short = reader.text(context, "context");
    Annotation {
        name: reader.text(name, "name"),
        value: reader.text(text, "value"),
        number: context.rsplit('_').next().and_then(|number| number.parse().ok()),
        at: text.map_or(at, extent),
    }
}

/// Adds an annotation to the call it belongs to, and returns the position of that call.
fn add(
    annotation: Annotation,
    calls: &mut Vec<ApiCall>,
    numbers: &mut HashMap<u32, usize>,
    fields: &mut Vec<Field>,
) -> Option<usize> {
    let Annotation { name, value, number, at } = annotation;
    let same = number.and_then(|number| numbers.get(&number).copied());
    let mut add_call = |call: ApiCall| {
        numbers.extend(number.map(|number| (number, calls.len())));
        calls.push(call);
        calls.len() - 1
    };
    match name.as_str() {
        "api_call" => Some(add_call(ApiCall { name: value, at, ..ApiCall::default() })),
        "request" | "response" => {
            let call = same.unwrap_or_else(|| add_call(ApiCall { at, ..ApiCall::default() }));
            let payload = Some(Payload::Embedded { text: value, at });
            if name == "request" {
                calls[call].arguments = payload;
            } else {
                calls[call].response = payload;
            }
            Some(call)
        }
        // A second one is shown only if it differs from the first.
        "api_response" if same.is_some_and(|call| says_again(&mut calls[call], &value)) => same,
        _ => {
            fields.push(Field { name, content: Content::Text(value), known: true, at });
            None
        }
    }
}

/// Sets the name that a response gives its call; false if there is already another one.
fn says_again(call: &mut ApiCall, name: &Short) -> bool {
    call.answered_as.get_or_insert_with(|| name.clone()) == name
}

/// Writes an edit into the utterance of its turn.
fn write(editor: &Editor<'_>, edited: &EditedDialog<'_>) -> Result<Vec<Splice>, EditError> {
    let (before, after) = edited.turns();
    let turn = object_of(editor, before.at, "the utterance")?;
    let array = turn.get("segments");
    Ok(match edited.edit {
        Edit::SetSpan { segment, .. } | Edit::SetQuote { segment, .. } => {
            write_span(editor, turn, &before.segments[*segment], &after.segments[*segment])?
        }
        Edit::AddSegment { .. } => {
            let (place, new) = edited.new_segment().unwrap_or((0, &after.segments[0]));
            let new = vec![new_segment(editor, turn, new)];
            vec![insert(editor, turn, "segments", place, new)?]
        }
        Edit::RemoveSegment { segment, .. } => array
            .and_then(|array| editor.remove_at(array, before.segments[*segment].at.start))
            .into_iter()
            .collect(),
        Edit::SetLabels { segment, labels, .. } => {
            let object = object_of(editor, before.segments[*segment].at, "the segment")?;
            let names: Vec<_> = labels.iter().map(String::as_str).collect();
            match object.get("annotations").filter(|v| v.elements().next().is_some()) {
                Some(array) => editor.set_list(array, &names, |v| v.get("name"), new_label),
                None => {
                    let new = names.iter().map(|name| new_label(name)).collect();
                    vec![append_all(editor, object, "annotations", new)?]
                }
            }
        }
        Edit::SetText { text, shrink, .. } => {
            let mut splices = vec![set_text(editor, turn, "text", text)];
            let span = |before: &Segment, after: &Segment| write_span(editor, turn, before, after);
            let moved = before.moved_by(text, *shrink, edited.before.units);
            splices.extend(follow_segments(editor, array, before, after, &moved, span)?);
            splices
        }
        Edit::SetSpeaker { speaker, .. } => vec![set_text(editor, turn, "speaker", speaker)],
        _ => write_calls(editor, edited)?,
    })
}

/// Writes a new turn, or removes one.
///
/// # Errors
/// If the turns have no numbers.
fn write_turns(editor: &Editor<'_>, edited: &EditedDialog<'_>) -> Result<Vec<Splice>, EditError> {
    if let Edit::RemoveTurn { .. } = edited.edit {
        return turns::remove_turn(editor, edited, Some(taskmaster::INDEX));
    }
    let place = NewPlace::under(editor, taskmaster::TURNS, edited.edit)?;
    let members = turns::new_members(edited, &place, ["speaker", "text"]);
    turns::add_turn(editor, edited, &place, members, Some(taskmaster::INDEX))
}

fn write_span<'a>(
    editor: &Editor<'a>,
    turn: Value<'a>,
    before: &Segment,
    after: &Segment,
) -> Result<Vec<Splice>, EditError> {
    let object = object_of(editor, before.at, "the segment")?;
    let mut splices = Vec::new();
    if let Some(span) = after.span {
        let old = before.span;
        for (key, old, new) in [
            ("start_index", old.map(|old| old.start), span.start),
            ("end_index", old.map(|old| old.end), span.end),
        ] {
            if old != Some(new) {
                splices.push(set_index(editor, object, key, new));
            }
        }
    }
    if before.quote != after.quote
        && let Some(value) = object.get("text")
    {
        splices.push(editor.replace(value, &quote(editor, turn, after)));
    }
    Ok(splices)
}

/// Returns the quoted text of a segment. Half of a surrogate pair reads as U+FFFD, so the text is copied.
fn quote<'a>(editor: &Editor<'a>, turn: Value<'a>, segment: &Segment) -> NewValue {
    let quote = segment.quote.as_deref().unwrap_or_default();
    match (turn.get("text"), segment.span) {
        (Some(old), Some(span)) if quote.contains(char::REPLACEMENT_CHARACTER) => {
            editor.quote(old, span.range())
        }
        _ => NewValue::String(quote.to_owned()),
    }
}

fn new_label(name: &str) -> NewValue {
    NewValue::Object(vec![("name".to_owned(), NewValue::String(name.to_owned()))])
}

fn new_segment<'a>(editor: &Editor<'a>, turn: Value<'a>, segment: &Segment) -> NewValue {
    let seen = editor.holder("start_index", turn).and_then(|v| v.get("start_index"));
    // Offsets are strings, unless their neighbours are numbers.
    let as_string = seen.is_none_or(|v| v.kind() == NodeKind::String);
    let offset = |offset: u32| {
        if as_string {
            NewValue::String(offset.to_string())
        } else {
            NewValue::Integer(i64::from(offset))
        }
    };
    let span = segment.span.unwrap_or(Span { start: 0, end: 0 });
    let labels = segment.labels.iter().map(|label| new_label(&label.name)).collect();
    NewValue::Object(vec![
        ("start_index".to_owned(), offset(span.start)),
        ("end_index".to_owned(), offset(span.end)),
        ("text".to_owned(), quote(editor, turn, segment)),
        ("annotations".to_owned(), NewValue::Array(labels)),
    ])
}

/// Writes an edit of a call into its annotations.
fn write_calls(editor: &Editor<'_>, edited: &EditedDialog<'_>) -> Result<Vec<Splice>, EditError> {
    let (before, _) = edited.turns();
    match edited.edit {
        Edit::SetApi { call, name, .. } => rename(editor, before, &before.calls[*call], name),
        Edit::SetJson { call, part, text, .. } => {
            let call = &before.calls[*call];
            let payload = match part {
                CallPart::Arguments => &call.arguments,
                CallPart::Response => &call.response,
            };
            let Some(Payload::Embedded { at, .. }) = payload else {
                return Ok(vec![add_request(editor, before, call, text)?]);
            };
            let value = string_of(editor, *at, part.name())?;
            Ok(vec![editor.replace(value, &NewValue::String(text.clone()))])
        }
        Edit::AddCall { .. } => add_call(editor, edited),
        Edit::RemoveCall { call, .. } => remove_call(editor, before, *call),
        _ => Err(not_editable(
            "the call",
            &"the missing part would have to be an annotation of its own",
        )),
    }
}

/// Adds the annotations of a new call, with a number that no other call of the dialog has.
fn add_call(editor: &Editor<'_>, edited: &EditedDialog<'_>) -> Result<Vec<Splice>, EditError> {
    let (before, after) = edited.turns();
    let Some(call) = after.calls.last() else {
        return Ok(Vec::new());
    };
    let utterances = editor.tree().root().get(taskmaster::TURNS);
    let utterances = utterances.into_iter().flat_map(Value::elements);
    let all = utterances.filter_map(|utterance| utterance.get("annotations"));
    let numbers = all.flat_map(Value::elements).filter_map(|annotation| {
        let context = annotation.get("context")?.as_str()?.into_owned();
        context.rsplit('_').next()?.parse::<u32>().ok()
    });
    let number = numbers.max().map_or(0, |last| last.saturating_add(1));
    let annotation = |name: &str, value: &str, context: &str| {
        let member = |key: &str, text: &str| (key.to_owned(), NewValue::String(text.to_owned()));
        NewValue::Object(vec![
            member("name", name),
            member("value", value),
            member("context", &format!("{context}_{number}")),
        ])
    };
    let text = |payload: &Option<Payload>| payload.as_ref().and_then(Payload::text).cloned();
    let mut new = vec![annotation("api_call", &call.name, "api_call")];
    let request = text(&call.arguments);
    new.extend(request.map(|text| annotation("request", &text, "api_call")));
    if let Some(response) = text(&call.response) {
        new.push(annotation("api_response", &call.name, "api_response"));
        new.push(annotation("response", &response, "api_response"));
    }
    let utterance = object_of(editor, before.at, "the utterance")?;
    Ok(vec![append_all(editor, utterance, "annotations", new)?])
}

/// Removes all annotations of a call.
fn remove_call(editor: &Editor<'_>, turn: &Turn, call: usize) -> Result<Vec<Splice>, EditError> {
    let utterance = object_of(editor, turn.at, "the utterance")?;
    let Some(array) = utterance.get("annotations") else {
        return Ok(Vec::new());
    };
    let (mut reader, mut fields) = (Reader::default(), Vec::new());
    let (mut calls, mut numbers) = (Vec::new(), HashMap::new());
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for (place, value) in array.elements().enumerate() {
        fields.clear();
        let annotation = annotation(&mut reader, value, &mut fields);
        let unknown = fields.first().map(|field: &Field| field.name.clone());
        if add(annotation, &mut calls, &mut numbers, &mut fields) != Some(call) {
            continue;
        }
        if let Some(unknown) = unknown {
            let reason =
                format!("it would take along \"{unknown}\", which is not read as a part of it");
            return Err(not_editable("the call", &reason));
        }
        match ranges.last_mut() {
            // Neighbours share a comma.
            Some(last) if last.end == place => last.end += 1,
            _ => ranges.push(place..place + 1),
        }
    }
    let removed = ranges.into_iter();
    Ok(removed.map(|range| editor.remove(array, range)).collect())
}

/// Returns the string that an element was read from.
fn string_of<'a>(
    editor: &Editor<'a>,
    at: Extent,
    what: &'static str,
) -> Result<Value<'a>, EditError> {
    let value = value_of(editor, at, what)?;
    match value.kind() {
        NodeKind::String => Ok(value),
        other => Err(not_editable(what, &format!("it is {}", other.name()))),
    }
}

/// Adds the request of a call after the annotation that makes the call.
fn add_request(
    editor: &Editor<'_>,
    turn: &Turn,
    call: &ApiCall,
    text: &str,
) -> Result<Splice, EditError> {
    let utterance = value_of(editor, turn.at, "the utterance")?;
    let made = value_of(editor, call.at, "the API call")?.range();
    let holds = |annotation: Value<'_>| {
        let range = annotation.range();
        range.start <= made.start && made.end <= range.end
    };
    let annotations = utterance.get("annotations");
    let all = annotations.into_iter().flat_map(Value::elements);
    let found = all.enumerate().find(|(_, annotation)| holds(*annotation));
    let context = found.and_then(|(place, annotation)| {
        let context = annotation.get("context")?.as_str()?.into_owned();
        Some((place, context))
    });
    let (Some(array), Some((place, context))) = (annotations, context) else {
        return Err(not_editable("the call", &"it has no `context`"));
    };
    let member = |key: &str, text: &str| (key.to_owned(), NewValue::String(text.to_owned()));
    let request = NewValue::Object(vec![
        member("name", "request"),
        member("value", text),
        member("context", &context),
    ]);
    Ok(editor.insert(array, place + 1, &[request], None))
}

/// Renames a call, in the annotation that makes it and in its response.
fn rename(
    editor: &Editor<'_>,
    turn: &Turn,
    call: &ApiCall,
    name: &str,
) -> Result<Vec<Splice>, EditError> {
    if call.name.is_empty() {
        return Err(not_editable("the API", &"the turn has no `api_call` for it"));
    }
    let made = string_of(editor, call.at, "the API call")?;
    let number = |annotation: Value<'_>| {
        let context = annotation.get("context")?.as_str()?.into_owned();
        context.rsplit('_').next()?.parse::<u32>().ok()
    };
    let wanted = editor.parent(made).and_then(number);
    let is = |value: Option<Value<'_>>, text: &str| value.is_some_and(|v| v.is_text(text));
    let again = |annotation: &Value<'_>| {
        is(annotation.get("name"), "api_response")
            && wanted.is_some()
            && number(*annotation) == wanted
    };
    let utterance = value_of(editor, turn.at, "the utterance")?;
    let annotations = utterance.get("annotations");
    let mut named = vec![made];
    for annotation in annotations.into_iter().flat_map(Value::elements) {
        if !again(&annotation) {
            continue;
        }
        let value = annotation.get("value").filter(|v| v.kind() == NodeKind::String);
        let Some(value) = value else {
            return Err(not_editable("the API", &"its response has no name"));
        };
        let name = call.answered_as.as_deref();
        named.extend(name.filter(|name| value.is_text(name)).map(|_| value));
    }
    Ok(named
        .into_iter()
        .map(|value| editor.replace(value, &NewValue::String(name.to_owned())))
        .collect())
}
