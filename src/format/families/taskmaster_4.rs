//! The calls of Taskmaster-4: annotations of the utterance, with JSON inside strings.
//!
//! An utterance's `annotations` are `api_call` and `request`, `api_response` and `response`; the two
//! of a pair share a `context` such as `api_call_0`, and the response to `api_call_0` is in
//! `api_response_0`. The texts of requests and responses should be JSON, and some are not. All else is in its
//! description.

use std::collections::HashMap;

use crate::dialog::{ApiCall, Content, Extent, Field, Payload, Short, Turn};
use crate::format::declared::Hooks;
use crate::format::engine::compare::{Change, Changes};
use crate::format::engine::read::{Reader, extent, members};
use crate::format::engine::values::append;
use crate::format::families::taskmaster::{self, Variant};
use crate::format::family::{Code, Family, ReadDialog};
use crate::json::{Editor, NewValue, NodeKind, Splice, Tree, Value};

static VARIANT: Variant = Variant {
    string_offsets: true,
    known: &["vertical", "scenario", "instructions"],
    calls: Some(ANNOTATIONS),
    read_calls: annotations,
};

const ANNOTATIONS: &str = "annotations";

/// Its description.
pub const TOML: &str = include_str!("taskmaster_4.toml");

/// Its functions beside the description.
pub fn code() -> Code {
    Code {
        read: Some(read),
        schema: Some(include_str!("../../../assets/schemas/taskmaster-4.schema.json")),
        hooks: Hooks { calls: Some(write_calls), ..Hooks::default() },
        ..Code::default()
    }
}

/// Returns a dialog, and what is wrong with its form.
fn read(_: &'static Family, tree: Tree<'_>) -> ReadDialog {
    taskmaster::read(&VARIANT, tree)
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
        number: number(&context),
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
            fields.push(Field::known(name, Content::Text(value), at));
            None
        }
    }
}

/// Sets the name that a response gives its call; false if there is already another one.
fn says_again(call: &mut ApiCall, name: &Short) -> bool {
    call.answered_as.get_or_insert_with(|| name.clone()) == name
}

/// Returns the number at the end of a context.
fn number(context: &str) -> Option<u32> {
    context.rsplit('_').next()?.parse().ok()
}

/// Returns the splices that write the calls of a turn, which is read from `utterance` before they change. An annotation with
/// more than a part of a call stays.
fn write_calls<'a>(
    editor: &Editor<'a>,
    utterance: Value<'a>,
    Change { old, new }: Change<'_, Turn>,
) -> Vec<Splice> {
    let array = utterance.get(ANNOTATIONS);
    let owned = owned(array);
    let mut splices = Vec::new();
    let changes = Changes::of(&old.calls, &new.calls, |call| call.at);
    let own = |call: &ApiCall| {
        let number = old.calls.iter().position(|other| std::ptr::eq(other, call));
        owned.iter().filter(move |annotation| annotation.call == number && number.is_some())
    };
    for change in changes.stay.into_iter().filter(|call| call.old != call.new) {
        let own: Vec<_> = own(change.old).collect();
        write_call(editor, array, &own, change, &mut splices);
    }
    for call in changes.gone {
        for annotation in own(call).filter(|annotation| !annotation.has_more) {
            let start = annotation.value.range().start;
            splices.extend(array.and_then(|array| editor.remove_at(array, start)));
        }
    }
    let new: Vec<_> = changes.new.into_iter().map(|(_, call)| call).collect();
    if !new.is_empty() {
        splices.extend(new_calls(editor, utterance, &new));
    }
    splices
}

/// An annotation of an utterance.
struct Owned<'a> {
    value: Value<'a>,
    /// The call that it belongs to.
    call: Option<usize>,
    /// It has members that are not read.
    has_more: bool,
}

/// Returns the annotations of an utterance.
fn owned(array: Option<Value<'_>>) -> Vec<Owned<'_>> {
    let (mut calls, mut numbers) = (Vec::new(), HashMap::new());
    let elements = array.into_iter().flat_map(Value::elements);
    let annotation = |value| {
        let mut fields = Vec::new();
        let annotation = annotation(&mut Reader::default(), value, &mut fields);
        let has_more = !fields.is_empty();
        Owned { value, call: add(annotation, &mut calls, &mut numbers, &mut fields), has_more }
    };
    elements.map(annotation).collect()
}

/// Writes what differs of a call that has these annotations.
fn write_call<'a>(
    editor: &Editor<'a>,
    array: Option<Value<'a>>,
    own: &[&Owned<'a>],
    Change { old, new }: Change<'_, ApiCall>,
    splices: &mut Vec<Splice>,
) {
    let is = |value: Option<Value<'_>>, text: &str| value.is_some_and(|own| own.is_text(text));
    let named = |name: &str| own.iter().find(|annotation| is(annotation.value.get("name"), name));
    let mut set = |value: Value<'a>, text: &str| {
        splices.push(editor.replace(value, &NewValue::String(text.to_owned())));
    };
    if old.name != new.name {
        let made = named("api_call").and_then(|call| call.value.get("value"));
        if let Some(made) = made {
            set(made, &new.name);
        }
    }
    if let (Some(was), Some(name)) = (&old.answered_as, &new.answered_as)
        && was != name
    {
        for again in own.iter().filter(|one| is(one.value.get("name"), "api_response")) {
            if let Some(value) = again.value.get("value").filter(|value| value.is_text(was)) {
                set(value, name);
            }
        }
    }
    let mut missing = None;
    for (was, is) in [(&old.arguments, &new.arguments), (&old.response, &new.response)] {
        let Some(text) = is.as_ref().filter(|is| was.as_ref() != Some(is)).and_then(Payload::text)
        else {
            continue;
        };
        match was {
            Some(Payload::Embedded { at, .. }) => {
                let value = editor.tree().value_at(at.start);
                let value = value.filter(|value| value.kind() == NodeKind::String);
                if let Some(value) = value {
                    set(value, text);
                }
            }
            _ => missing = Some(text),
        }
    }
    // A missing request would be an annotation of its own, behind the call.
    let call = named("api_call").filter(|_| old.arguments.is_none() && new.arguments.is_some());
    let context = call.and_then(|call| call.value.get("context")?.as_str());
    if let (Some(text), Some(array), Some(call), Some(context)) = (missing, array, call, context) {
        let place = array.elements().position(|other| other.range() == call.value.range());
        let request = new_annotation("request", text, &context);
        splices.push(editor.insert(array, place.map_or(0, |place| place + 1), &[request], None));
    }
}

fn new_annotation(name: &str, value: &str, context: &str) -> NewValue {
    let member = |key: &str, text: &str| (key.to_owned(), NewValue::String(text.to_owned()));
    NewValue::Object(vec![member("name", name), member("value", value), member("context", context)])
}

/// Adds the annotations of new calls, each with a number that no other call of the dialog has.
fn new_calls<'a>(editor: &Editor<'a>, utterance: Value<'a>, calls: &[&ApiCall]) -> Option<Splice> {
    let utterances = editor.tree().root().get(taskmaster::TURNS);
    let utterances = utterances.into_iter().flat_map(Value::elements);
    let all = utterances.filter_map(|utterance| utterance.get(ANNOTATIONS));
    let numbers = all
        .flat_map(Value::elements)
        .filter_map(|annotation| number(&annotation.get("context")?.as_str()?));
    let first = numbers.max().map_or(0, |last| last.saturating_add(1));
    let text = |payload: &Option<Payload>| payload.as_ref().and_then(Payload::text).cloned();
    let mut new = Vec::new();
    for (number, call) in (first..).zip(calls) {
        let [called, answered] = ["api_call", "api_response"].map(|of| format!("{of}_{number}"));
        new.push(new_annotation("api_call", &call.name, &called));
        let request = text(&call.arguments);
        new.extend(request.map(|text| new_annotation("request", &text, &called)));
        if let Some(response) = text(&call.response) {
            new.push(new_annotation("api_response", &call.name, &answered));
            new.push(new_annotation("response", &response, &answered));
        }
    }
    append(editor, utterance, ANNOTATIONS, new)
}
