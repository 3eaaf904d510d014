//! Chat logs in the form of chat APIs: messages with roles and tool calls.
//!
//! The list of messages is under `messages`, or under another of the names in [`LISTS`]; in preference
//! data, a `prompt` is followed by what was `chosen` or by the `completion`, and what was `rejected` is the other
//! side of the dialog; so is `conversation_b` beside `conversation_a`. `content` is a string, null,
//! missing, or a list of parts. A call of a tool is answered by a later message with the role `tool`, see
//! [`crate::format::families::chat`]. Its arguments are JSON in a string, or an object. In Anthropic's API, calls
//! and answers are parts of messages, and answers are in messages of the user; Inspect writes the name of a call as
//! its `function`.

use std::borrow::Cow;

use crate::dialog::{ApiCall, Content, Dialog, Field, Payload, Role, Short, Turn};
use crate::format::Sign;
use crate::format::answers::{Answer, Answers, Said};
use crate::format::declared::Hooks;
use crate::format::engine::read::{Reader, dialog_of, extent, field, known_field, members};
use crate::format::families::chat::{
    self, ChatForm, ChatRole, MessageList, in_dialog, note_unread_sides,
};
use crate::format::families::homes::{ARGUMENTS, CONTENTS, NAME};
use crate::format::families::message_parts::{
    ERROR, Parts, arguments_in, content_in, content_of, optional_text, texts_in,
};
use crate::format::families::new_message;
use crate::format::families::taskmaster::all_fields;
use crate::format::family::{Code, Family, ReadDialog};
use crate::format::texts::tags::{self, id_text};
use crate::format::texts::{self, reasoning};
use crate::json::{NodeKind, Tree, Value};
use crate::text::Units;

static FORM: ChatForm = ChatForm {
    roles: &[
        ("system", ChatRole::Instructions),
        ("developer", ChatRole::Instructions),
        ("user", ChatRole::User),
        ("assistant", ChatRole::Assistant),
        ("tool", ChatRole::Tool),
        // The name before there were tools.
        ("function", ChatRole::Tool),
    ],
    role_key: "role",
    tools_key: "tools",
    call_role: None,
    is_prompt: |root| {
        let lists = lists(root);
        matches!(lists[..], [("prompt", _)])
    },
};

/// The members with the messages of a whole dialog. The first of them that a dialog has is its list.
const LISTS: [&str; 4] = ["messages", "conversation", "conversations", "traj"];

/// The member with the id of a task that agents try.
const TASK_ID: &str = "task_id";

/// The members with the id of a dialog. The first that is a string or an integer counts.
const IDS: [&str; 5] = ["id", TASK_ID, "conversation_id", "conversation_hash", "uuid"];

/// The members with the two sides of a pair.
const SIDES: [[&str; 2]; 2] = [chat::PREFERRED, ["conversation_a", "conversation_b"]];

/// The member with the answers of a service.
const CHOICES: &str = "choices";

/// The member with the answers of a message that has several, in τ²-bench.
const TOOL_MESSAGES: &str = "tool_messages";

/// The member of a call, and of its answer, with the side that asked, in τ²-bench.
const REQUESTOR: &str = "requestor";

/// The member of a call with the tool that takes a text.
const CUSTOM: &str = "custom";

/// Other members of a dialog in the description of the format.
const KNOWN: [&str; 7] = [
    "tools",
    "parallel_tool_calls",
    "functions",
    "rejected",
    "chosen",
    "completion",
    "conversation_b",
];

/// The members whose numbers tell dialogs apart beside an id: the trial of a task, and, in logs of Inspect, the epoch of
/// a sample. Only they and the id of a side branch are joined to an id, in any format.
pub const JOINED_TO_ID: [&str; 2] = ["trial", "epoch"];

/// Its description.
pub const TOML: &str = include_str!("messages.toml");

/// Its functions beside the description.
pub fn code() -> Code {
    Code {
        read: Some(read),
        read_other_side: Some(read_other_side),
        schema: Some(include_str!("../../../assets/schemas/messages.schema.json")),
        signs: Some(signs),
        own_signs: Some(own_signs),
        has_turns: Some(|root| {
            let mut lists = lists(root).into_iter();
            lists.any(|(_, list)| list.elements().next().is_some())
        }),
        has_text: Some(|message| {
            content_in(message).is_some_and(|said| said.kind() != NodeKind::Null)
        }),
        chat: Some(&FORM),
        follow: Some(|_, before, after, turn| {
            texts::follow(&FORM, before, &mut after.turns[turn]);
            new_message::complete_call(before, after, turn);
        }),
        hooks: Hooks {
            turns: Some(|_, root| {
                let lists = lists(root).into_iter();
                lists.map(|(key, list)| chat::place(key, list)).collect()
            }),
            texts: Some(texts_in),
            new_text: Some(new_message::new_text),
            new_call: Some(new_message::add_call),
            has_calls_in_texts: true,
            ..Hooks::default()
        },
        ..Code::default()
    }
}

fn signs(_: &'static Family, root: Value<'_>) -> Vec<Sign> {
    let lists = lists(root);
    let mut all = lists.iter().flat_map(|(_, list)| list.elements());
    let is_list = |list: &Value<'_>| list.kind() == NodeKind::Array;
    let empty = lists.iter().any(|(_, list)| is_list(list)) && all.clone().next().is_none();
    let known = |message: Value<'_>| {
        let role = message.get(FORM.role_key).and_then(Value::as_str);
        role.is_some_and(|role| FORM.role(&role) != ChatRole::Unknown)
    };
    vec![
        Sign::new(
            "`messages`, an array of objects",
            empty || all.clone().any(|v| v.kind() == NodeKind::Object),
        ),
        Sign::new("`role`, such as \"user\", in its messages", empty || all.any(known)),
    ]
}

/// A request with its answer is of the family of requests, which reads both; calls in the form of goose are of its family.
fn own_signs(root: Value<'_>) -> Vec<Sign> {
    let mut signs = Vec::new();
    if let Some(messages) = root.get(LISTS[0]) {
        let is_sent = messages.kind() == NodeKind::Array && came_back(root).next().is_some();
        signs.push(Sign::new("messages alone", !is_sent));
    }
    if let Some(messages) = root.get(LISTS[1]) {
        let said = messages.elements().filter_map(|message| message.get("content"));
        let mut parts = said.flat_map(Value::elements);
        let is_of_goose = parts
            .any(|part| ["toolCall", "toolResult"].iter().any(|member| part.get(member).is_some()));
        signs.push(Sign::new("no `toolCall` or `toolResult` in its parts", !is_of_goose));
    }
    signs
}

fn read(_: &'static Family, tree: Tree<'_>) -> ReadDialog {
    let root = tree.root();
    dialog_of(root, Units::CodePoints, |reader, dialog| read_dialog(reader, root, dialog))
}

fn read_other_side(_: &'static Family, tree: Tree<'_>) -> Option<ReadDialog> {
    let root = tree.root();
    let [first, other] = sides(root)?;
    let mut all = lists(root);
    let side = all.last_mut()?;
    *side = (other, root.get(other)?);
    Some(dialog_of(root, Units::CodePoints, |reader, dialog| {
        dialog.sides = Some(in_dialog([other, first]));
        read_turns(reader, &all, dialog);
    }))
}

/// True for a log of Inspect or of τ²-bench of a run that ended before its first dialog.
pub fn is_empty_run(root: Value<'_>) -> bool {
    let has_none = |key: &str| match root.get(key) {
        Some(list) if list.kind() == NodeKind::Array => list.elements().all(|dialog| {
            let messages = dialog.get(LISTS[0]);
            messages.is_some_and(|list| list.raw().trim() == "[]")
        }),
        other => other.is_none_or(|other| other.kind() == NodeKind::Null),
    };
    let has = |keys: &[&str]| keys.iter().all(|key| root.get(key).is_some());
    let is_log = has(&["eval", "status"]) && (has(&["version"]) || has(&["samples"]));
    is_log && has_none("samples") || has(&["info", "simulations"]) && has_none("simulations")
}

/// Returns the lists that hold the messages of a dialog, in their order; empty if there are none.
fn lists(root: Value<'_>) -> Vec<MessageList<'_>> {
    let whole = |key: &&'static str| Some((*key, root.get(key)?));
    if let Some(list) = LISTS.iter().find_map(whole) {
        let sides = chat::continuations(root, list.1, FORM.role_key);
        return std::iter::once(list).chain(sides.map(|[better, _]| better)).collect();
    }
    let part = |key: &'static str| {
        let list = root.get(key).filter(|v| v.kind() == NodeKind::Array);
        list.map(|list| (key, list))
    };
    let answer = part("chosen").or_else(|| part("completion"));
    let lists: Vec<_> = part("prompt").into_iter().chain(answer).collect();
    if lists.is_empty() && root.get("conversation_b").is_some() {
        return part("conversation_a").into_iter().collect();
    }
    lists
}

/// Returns the members with the two sides of a pair, that of the turns first.
fn sides(root: Value<'_>) -> Option<[&'static str; 2]> {
    let list = |key: &str| root.get(key).filter(|value| value.is_container());
    let mut all = SIDES.into_iter();
    let sides = all.find(|sides| sides.iter().all(|side| list(side).is_some()))?;
    let (name, turns) = *lists(root).last()?;
    let is_first = name == sides[0] || list(sides[0])?.raw() == turns.raw();
    is_first.then_some(sides)
}

/// Returns the id of a dialog: the member that has it, and the id. Corpora without ids use the position.
pub fn id<'a>(root: Value<'a>, keys: &[&'static str]) -> Option<(&'static str, Cow<'a, str>)> {
    keys.iter().find_map(|key| {
        let value = root.get(key)?;
        let id = match value.kind() {
            NodeKind::Number => value.as_integer().map(|_| Cow::Borrowed(value.raw())),
            _ => value.as_str(),
        };
        Some((*key, id.filter(|id| !id.is_empty())?))
    })
}

fn read_dialog(reader: &mut Reader, root: Value<'_>, dialog: &mut Dialog) {
    let lists = lists(root);
    // Where agents try the same task several times, that is the id, whatever else has one.
    let has_trial = root.get(JOINED_TO_ID[0]).and_then(Value::as_integer).is_some();
    let task = id(root, &[TASK_ID]).filter(|_| has_trial);
    let id = task.or_else(|| id(root, &IDS));
    let is_read = |key: Value<'_>| {
        let is_id = id.as_ref().is_some_and(|(name, _)| key.is_text(name));
        is_id || lists.iter().any(|(name, _)| key.is_text(name))
    };
    for (key, value) in root.members().filter(|(key, _)| !is_read(*key)) {
        let known = KNOWN.iter().any(|name| key.is_text(name));
        dialog.fields.push(field(key, value, known));
    }
    if let Some((name, id)) = id {
        let trial = match name {
            TASK_ID => root.get(JOINED_TO_ID[0]),
            "id" => root.get(JOINED_TO_ID[1]),
            _ => None,
        };
        dialog.id = match trial.and_then(Value::as_integer) {
            Some(trial) => format!("{id}-{trial}"),
            None => id.into_owned(),
        };
    }
    if lists.is_empty() {
        reader.missing(root, "the dialog", LISTS[0]);
    }
    let came_back = came_back(root).count();
    dialog.unread.add(CHOICES.into(), came_back as u64);
    dialog.sides = sides(root).map(in_dialog);
    let is_prompt = matches!(lists[..], [("prompt", _)]);
    if is_prompt || LISTS.contains(&lists.first().map_or("", |(name, _)| name)) {
        note_unread_sides(root, dialog);
    }
    read_turns(reader, &lists, dialog);
    if root.get("attachments").is_some() {
        note_attached(&mut dialog.turns);
    }
}

/// Returns what came back to a request, beside the messages that it sent.
fn came_back(root: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let all = root.get(CHOICES);
    let all = all.or_else(|| root.get("response")?.get(CHOICES));
    let choices = all.into_iter().flat_map(Value::elements);
    choices.filter_map(|choice| choice.get("message"))
}

/// Notes the long texts that a log of Inspect has elsewhere, of which turns and answers have the name.
fn note_attached(turns: &mut [Turn]) {
    for turn in turns {
        let answers = turn.calls.iter().filter_map(|call| call.response.as_ref()?.text());
        let texts = answers.map(Short::as_str).chain([turn.text.as_str()]);
        let attached = texts.filter(|text| text.starts_with("attachment://"));
        let count = attached.count() as u64;
        turn.unread.add("attachment".into(), count);
    }
}

fn read_turns(reader: &mut Reader, lists: &[MessageList<'_>], dialog: &mut Dialog) {
    let mut answers = Answers::default();
    for &(name, list) in lists {
        // A side may be one message.
        let is_one = chat::PREFERRED.contains(&name) && list.kind() == NodeKind::Object;
        let several = if is_one { list.elements() } else { reader.elements(list, name) };
        dialog.turns.reserve_exact(several.size_hint().0);
        let only = Some(list).filter(|_| is_one);
        for element in only.into_iter().chain(several) {
            reader.turn = Some(dialog.turns.len());
            // Filled in place, because a turn is large to move.
            dialog.turns.push(Turn::default());
            if let [earlier @ .., turn] = dialog.turns.as_mut_slice() {
                message(reader, name, element, &mut answers, earlier, turn);
            }
        }
    }
    answers.end(&mut dialog.turns);
}

fn message<'a>(
    reader: &mut Reader,
    list: &'static str,
    value: Value<'a>,
    answers: &mut Answers<'a>,
    turns: &mut [Turn],
    turn: &mut Turn,
) {
    turn.at = extent(value);
    if !reader.is_object_in(value, list) {
        return;
    }
    let keys =
        ["role", "content", "tool_calls", "tool_call_id", "name", "function_call", TOOL_MESSAGES];
    let [role, own, calls, answered, name, call, inside] = members(value, keys, &mut turn.fields);
    let said = own.filter(|own| is_text(*own)).or_else(|| content_in(value));
    if let Some(said) = said.filter(|_| own.is_none_or(|own| !is_text(own))) {
        let at = extent(said).start;
        turn.fields.retain(|field| field.at.start != at);
    }
    CONTENTS.unread(&turn.fields, &mut turn.unread);
    know(reader, value, &mut turn.fields);
    let role = reader.required(role, value, "the message", "role");
    let (speaker, role) = FORM.speaker(reader.text(role, "role"));
    turn.speaker = speaker;
    let at = said.map_or(turn.at, extent);
    let mut parts = Parts::default();
    match said.map(|said| (said.kind(), said)) {
        None | Some((NodeKind::Null, _)) => {}
        Some((NodeKind::String, said)) => {
            turn.text = said.as_str().unwrap_or_default().into_owned();
            if answered.is_none() && tags::take_answers(turn, role, at, turns.len(), answers) {
                turn.fields.extend(name.map(|name| known_field(NAME, name)));
                return;
            }
        }
        Some((NodeKind::Array, said)) => parts = Parts::read(reader, said, turn, answers, turns),
        Some((_, said)) => reader.report(said, "content", "a string, an array or null"),
    }
    if parts.are_answers(turn) {
        turn.speaker.role = Role::Context;
    } else {
        answers.on_message(role, turns);
    }
    let is_there = |value: &Value<'_>| value.kind() != NodeKind::Null;
    reasoning::take(turn, at);
    let has_others = [calls, call].iter().flatten().any(is_there) || !turn.calls.is_empty();
    texts::read_calls(turn, role, at, has_others);
    tags::expect_answers(turn, turns, answers);
    for (call, id) in parts.calls {
        answers.on_call(turns, turn.calls.len(), id);
        turn.calls.push(call);
    }
    if let Some(calls) = calls.filter(is_there) {
        for value in reader.elements(calls, "tool_calls") {
            let (call, id) = tool_call(reader, value);
            answers.on_call(turns, turn.calls.len(), id);
            turn.calls.push(call);
        }
    }
    if let Some(call) = call.filter(is_there)
        && reader.is_object(call, "function_call")
    {
        answers.on_call(turns, turn.calls.len(), None);
        let mut made = ApiCall { at: extent(call), ..ApiCall::default() };
        function(reader, call, "name", &mut made);
        turn.calls.push(made);
    }
    for call in &turn.calls {
        ARGUMENTS.unread(&call.fields, &mut turn.unread);
    }
    let id = optional_id(reader, answered, "tool_call_id");
    let own_name = optional_text(reader, name, NAME);
    let known = |name, value: Option<Value<'_>>| value.map(|value| known_field(name, value));
    turn.fields.extend(known("tool_call_id", answered));
    turn.fields.extend(known(NAME, name));
    let has_some = |list: &Value<'_>| list.elements().next().is_some();
    let several = inside.filter(|list| role == ChatRole::Tool && has_some(list));
    let other = inside.filter(|_| several.is_none());
    turn.fields.extend(known(TOOL_MESSAGES, other));
    if role == ChatRole::Tool && several.is_none() {
        let other = content_of(value, turn.at);
        let own = answer(turns.len(), value);
        answers.on_answer(Answer {
            said: other.map_or(Said::Text, Said::Payload),
            needs_id: id.is_some() || own.needs_id,
            id: id.map(|id| id_of(value, id)).or(own.id),
            name: own_name.map(Into::into),
            ..own
        });
    }
    for message in several.into_iter().flat_map(Value::elements) {
        answers.on_answer(Answer { said: Said::Inside(message), ..answer(turns.len(), message) });
    }
}

/// Returns the answer that a message in this turn gives. In τ²-bench, the id of an answer is that of its call, and a message
/// may have several answers.
fn answer(turn: usize, message: Value<'_>) -> Answer<'_> {
    let id = message.get("id").and_then(id_text);
    let id = id.filter(|id| !id.is_empty());
    Answer {
        turn,
        at: content_in(message).map_or_else(|| extent(message), extent),
        needs_id: id.is_some() && message.get(REQUESTOR).is_some(),
        id: id.map(|id| id_of(message, id)),
        ..Answer::default()
    }
}

/// Returns the id of a call, or of its answer, as that of the side which asked: in τ²-bench, the user has tools, too, and
/// ids of its calls may be those of the agent's. Where nothing names the side, it is the agent.
fn id_of<'a>(value: Value<'a>, id: Cow<'a, str>) -> Cow<'a, str> {
    match value.get(REQUESTOR).and_then(Value::as_str) {
        Some(side) if side != "assistant" => format!("{side}\n{id}").into(),
        _ => id,
    }
}

/// Returns an id; None if it is missing, null or empty. One that is a number is reported.
fn optional_id<'a>(
    reader: &mut Reader,
    value: Option<Value<'a>>,
    field: &'static str,
) -> Option<Cow<'a, str>> {
    let id = optional_text(reader, value, field).or_else(|| id_text(value?));
    id.filter(|id| !id.is_empty())
}

/// Marks the fields of a message that are in the description of the format.
fn know(reader: &mut Reader, message: Value<'_>, fields: &mut [Field]) {
    for field in fields {
        field.known = matches!(field.name.as_str(), "weight" | "refusal" | ERROR);
        if field.name == "weight"
            && let Some(value) = message.get("weight")
            && !matches!(value.kind(), NodeKind::Number | NodeKind::Null)
        {
            reader.report(value, "weight", "a number");
        }
    }
}

/// Returns the object with the name and the arguments of a call: `function`, or the call itself.
fn tool_call<'a>(reader: &mut Reader, value: Value<'a>) -> (ApiCall, Option<Cow<'a, str>>) {
    let mut call = ApiCall { at: extent(value), ..ApiCall::default() };
    if !reader.is_object_in(value, "tool_calls") {
        return (call, None);
    }
    let id = optional_id(reader, value.get("id"), "id").map(|id| id_of(value, id));
    let is_object = |value: &Value<'_>| value.kind() == NodeKind::Object;
    let inner = value.get("function");
    let Some(inner) = inner.filter(is_object) else {
        if let Some(inner) = value.get(CUSTOM).filter(is_object) {
            custom(reader, value, inner, &mut call);
            return (call, id);
        }
        let name = match inner.map(Value::kind) {
            Some(NodeKind::String) => "function",
            _ => "name",
        };
        function(reader, value, name, &mut call);
        return (call, id);
    };
    for (key, value) in value.members().filter(|(key, _)| !key.is_text("function")) {
        call.fields.push(field(key, value, is_known(key)));
    }
    function(reader, inner, "name", &mut call);
    (call, id)
}

/// Reads a call of a custom tool, which takes a text.
fn custom(reader: &mut Reader, value: Value<'_>, inner: Value<'_>, call: &mut ApiCall) {
    for (key, value) in value.members().filter(|(key, _)| !key.is_text(CUSTOM)) {
        call.fields.push(field(key, value, is_known(key)));
    }
    let mut others = Vec::new();
    let [name] = members(inner, ["name"], &mut others);
    for field in &mut others {
        field.known = true;
    }
    let name = reader.required(name, inner, "the call", "name");
    call.name = reader.text(name, "name");
    call.arguments = Some(Payload::Fields(others));
}

fn is_known(key: Value<'_>) -> bool {
    ["id", "type", "index"].iter().any(|name| key.is_text(name))
}

/// True for the member in which Inspect says why the arguments that a model wrote were none.
fn is_parse_error(key: Value<'_>, value: Value<'_>) -> bool {
    key.is_text("parse_error") && value.kind() != NodeKind::Null
}

/// Reads the name of a call, which is in the member `name_key`, and its arguments.
fn function(reader: &mut Reader, value: Value<'_>, name_key: &'static str, call: &mut ApiCall) {
    let mut name = None;
    let arguments = arguments_in(value);
    for (key, value) in value.members() {
        if key.is_text(name_key) {
            name = Some(value);
        } else if arguments.is_none_or(|(_, own)| extent(own).start != extent(value).start) {
            let known = is_known(key) || is_parse_error(key, value);
            call.fields.push(field(key, value, known));
        }
    }
    let name = reader.required(name, value, "the call", "name");
    call.name = reader.text(name, "name");
    call.arguments = arguments.and_then(|(_, value)| match value.kind() {
        NodeKind::Null => None,
        NodeKind::String => Some(Payload::Embedded {
            text: value.as_str().unwrap_or_default().into(),
            at: extent(value),
        }),
        NodeKind::Object => Some(Payload::Fields(all_fields(value))),
        _ => {
            reader.report(value, "arguments", "a string or an object");
            None
        }
    });
}

/// True for a text that is not empty, as most contents are.
fn is_text(value: Value<'_>) -> bool {
    value.kind() == NodeKind::String && !value.quoted().is_empty()
}

/// Returns the id of a call; None if it has none.
pub fn call_id(call: &ApiCall) -> Option<&str> {
    let id = call.fields.iter().rfind(|field| field.name == "id")?;
    match &id.content {
        Content::Text(id) => Some(id),
        Content::Raw(_) => None,
    }
}
