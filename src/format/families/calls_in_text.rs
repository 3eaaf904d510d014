//! Calls and answers inside the text of chat messages, in the forms that open models write:
//! `<tool_call>{"name": …, "arguments": …}</tool_call>` and `<tool_response>…</tool_response>`, as Hermes and Qwen
//! do, and a whole message `[get_tide(port="Porto"), …]`, as in `ToolACE`. The former declare their tools in the
//! instructions, between `<tools>` and `</tools>`.
//!
//! The text stays as it is and is the truth: the calls are shown with it, and an edit of a call between tags is an
//! edit of the text.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem};

use crate::dialog::{
    ApiCall, Content, EditError, Extent, Field, LOST_ANSWER, Payload, Short, Turn,
};
use crate::format::engine::edit::{not_editable, object_of, set_text};
use crate::format::engine::read::{extent, members};
use crate::format::engine::values::{written_content, written_payload};
use crate::format::families::chat::{ARGUMENTS, Answer, Answers, ChatForm, ChatRole, NAME, Said};
use crate::format::families::code_calls::{are_broken_calls, code_calls, dictionary};
use crate::format::families::reasoning_in_text::said_in;
use crate::format::families::taskmaster::all_fields;
use crate::json::{Editor, Escapes, NodeKind, Parser, Patch, Splice, Value};

/// The members of calls and answers with the id of the call.
const IDS: [&str; 2] = ["tool_call_id", "id"];

const CALL: [&str; 2] = ["<tool_call>", "</tool_call>"];
const ANSWER: [&str; 2] = ["<tool_response>", "</tool_response>"];
const TOOLS: [&str; 2] = ["<tools>", "</tools>"];
/// The form of `OpenHands` and SWE-agent for models without calls, which is not read.
const FUNCTION: [&str; 2] = ["<function=", "</function>"];

/// Returns the places between the opening and the closing tag. One that is not closed ends with the text. Tags in
/// backticks are words of a sentence about them.
fn blocks(text: &str, [open, close]: [&str; 2]) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(at) = memmem::find(&text.as_bytes()[from..], open.as_bytes()) {
        let start = from + at + open.len();
        if is_in_backticks(text, from + at) {
            from = start;
            continue;
        }
        let end = text[start..].find(close).map_or(text.len(), |at| start + at);
        all.push(start..end);
        from = end;
    }
    all
}

/// True if backticks are around a place of a text, in its line. Three are around lines of code.
fn is_in_backticks(text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at(at);
    let before = before.rsplit('\n').next().unwrap_or_default();
    let behind = behind.split('\n').next().unwrap_or_default();
    let count = before.replace("```", "").matches('`').count();
    count % 2 == 1 && behind.contains('`')
}

/// Reads the calls in the text of an assistant's turn, which is at `at` in the file. What looks like a call and is
/// none is noted as unread, and so are calls that the message also has beside its text.
pub fn read_calls(turn: &mut Turn, role: ChatRole, at: Extent, has_others: bool) {
    let text = turn.text.as_bytes();
    // Few texts have a tag at all.
    let may_have = text.starts_with(b"[") || memchr(b'<', text).is_some();
    if role != ChatRole::Assistant || !may_have {
        return;
    }
    let InText { calls, unread } = InText::of(&turn.text, at);
    if calls.is_empty() && unread == 0 {
        let functions = blocks(&turn.text, FUNCTION).into_iter();
        let closed = functions.filter(|block| block.end < turn.text.len());
        turn.unread.add("call as XML".into(), closed.count() as u64);
    }
    if has_others {
        turn.unread.add(CALL[0].into(), unread + calls.len() as u64);
    } else {
        let broken = calls.is_empty() && are_broken_calls(&turn.text);
        turn.unread.add("calls as code".into(), u64::from(broken));
        turn.unread.add(CALL[0].into(), unread);
        turn.calls = calls;
    }
}

/// The calls in a text.
struct InText {
    calls: Vec<ApiCall>,
    /// The number of blocks between tags that are not calls.
    unread: u64,
}

impl InText {
    fn of(text: &str, at: Extent) -> Self {
        let mut own = Self { calls: code_calls(text, at), unread: 0 };
        if own.calls.is_empty() {
            for block in blocks(text, CALL) {
                let calls = calls_between(&text[block], Some(at));
                own.unread += u64::from(calls.is_empty());
                own.calls.extend(calls);
            }
        }
        for call in &mut own.calls {
            call.in_text = true;
        }
        own
    }
}

/// Notes the calls of a turn that comes after `turns`. Their ids are in the text.
pub fn expect_answers(turn: &Turn, turns: &mut [Turn], waiting: &mut Answers<'_>) {
    for (number, call) in turn.calls.iter().enumerate() {
        let id = Told::id_of(call).map(|id| Cow::Owned(id.to_owned()));
        waiting.on_call(turns, number, id);
    }
}

/// Notes the answers between tags in a turn that holds nothing else, which is at position `number`; a tool may say
/// something beside several answers to several calls. Returns false if it is not such a turn, or no call waits for them.
pub fn take_answers(
    turn: &mut Turn,
    role: ChatRole,
    at: Extent,
    number: usize,
    waiting: &mut Answers<'_>,
) -> bool {
    let text = &turn.text;
    let may_be = match role {
        ChatRole::Tool => memmem::find(text.as_bytes(), ANSWER[0].as_bytes()).is_some(),
        ChatRole::User => text.starts_with(ANSWER[0]),
        _ => false,
    };
    if !may_be {
        return false;
    }
    let mut all = only_answers(text);
    if all.is_empty() && role == ChatRole::Tool && waiting.are_several() {
        all = answers(text);
        all.truncate(if all.len() > 1 { all.len() } else { 0 });
    }
    if !waiting.are_awaited() {
        turn.unread.add(LOST_ANSWER.into(), all.len() as u64);
        return false;
    }
    for block in &all {
        waiting.on_answer(Answer {
            turn: number,
            at,
            said: Said::Block(block.clone()),
            tells: true,
            ..Answer::default()
        });
    }
    !all.is_empty()
}

/// Gives a turn whose text or speaker has changed the calls in its text, and a turn whose calls have changed the text.
pub fn follow(form: &ChatForm, before: &Turn, after: &mut Turn) {
    if before.text != after.text || before.speaker != after.speaker {
        if after.calls.iter().all(|call| call.in_text) {
            let new = match form.role(&after.speaker.name) {
                ChatRole::Assistant => InText::of(&after.text, after.at).calls,
                _ => Vec::new(),
            };
            let old = std::mem::replace(&mut after.calls, new);
            for (new, old) in after.calls.iter_mut().zip(old) {
                new.response = old.response;
            }
        }
    } else if let Some(text) = with_calls(before, after) {
        after.text = text;
    }
}

/// Returns the text of a turn with the calls in it as they are in `after`; None if they are written as code.
fn with_calls(before: &Turn, after: &Turn) -> Option<String> {
    let [old, new] = [before, after].map(|turn| {
        let calls = turn.calls.iter().filter(|call| call.in_text);
        calls.cloned().collect::<Vec<_>>()
    });
    let is_same = |(old, new): (&ApiCall, &ApiCall)| {
        (&old.name, &old.arguments) == (&new.name, &new.arguments)
    };
    if old.len() != new.len() || old.iter().zip(&new).all(is_same) {
        return None;
    }
    let mut text = before.text.clone();
    let mut at = 0;
    let mut blocks: Vec<_> = blocks(&text, CALL)
        .into_iter()
        .map(|block| {
            let count = calls_between(&text[block.clone()], None).len();
            at += count;
            (block, at - count..at)
        })
        .collect();
    blocks.retain(|(_, calls)| calls.end <= old.len());
    for (block, calls) in blocks.into_iter().rev() {
        let inner = &text[block.clone()];
        if old[calls.clone()] != new[calls.clone()] {
            let new = put(inner, &old[calls.clone()], &new[calls]).ok()?;
            text.replace_range(block, &new);
        }
    }
    (text != before.text).then_some(text)
}

/// Returns the answers in a text.
fn answers(text: &str) -> Vec<Range<usize>> {
    let all = blocks(text, ANSWER).into_iter();
    all.map(|block| trimmed(text, block)).collect()
}

/// Returns the answers in a text that consists of nothing else.
fn only_answers(text: &str) -> Vec<Range<usize>> {
    if is_only_answers(text) { answers(text) } else { Vec::new() }
}

/// True if a text consists of nothing but answers.
pub fn is_only_answers(text: &str) -> bool {
    let mut outside = 0;
    for block in blocks(text, ANSWER) {
        let before = &text[outside..block.start - ANSWER[0].len()];
        if !before.trim().is_empty() {
            return false;
        }
        outside = (block.end + ANSWER[1].len()).min(text.len());
    }
    text[outside..].trim().is_empty()
}

/// The call to which an answer belongs, as the text of the answer or a part of it tells.
#[derive(Default)]
pub struct Told {
    pub id: Option<Short>,
    pub name: Option<Short>,
    /// The id says that it is that of a call.
    pub is_of_call: bool,
}

impl Told {
    /// Returns what a text tells, if it is an object.
    pub fn by(answer: &str) -> Self {
        let mut parser = Parser::new();
        let is_object = answer.trim_start().starts_with('{');
        let json = if parser.parse_str(answer).is_ok() {
            Some(answer.to_owned())
        } else {
            dictionary(answer)
        };
        let json = json.filter(|_| is_object).unwrap_or_default();
        let tree = parser.parse_str(&json).ok();
        tree.map(|tree| Self::in_object(tree.root())).unwrap_or_default()
    }

    /// Returns the id of the call that a text gives; an `id` may be that of what was found.
    pub fn call_id(answer: &str) -> Option<Short> {
        let has_id = memmem::find(answer.as_bytes(), IDS[0].as_bytes()).is_some();
        let told = has_id.then(|| Self::by(answer))?;
        told.id.filter(|_| told.is_of_call)
    }

    /// Returns the id of a call, in its text or elsewhere.
    pub fn id_of(call: &ApiCall) -> Option<&str> {
        let is_id = |field: &&Field| IDS.contains(&&*field.name);
        let id = call.fields.iter().find(is_id)?.content.as_str();
        Some(id).filter(|id| !matches!(*id, "" | "null"))
    }

    fn in_object(object: Value<'_>) -> Self {
        let id = IDS.iter().find_map(|key| id_text(object.get(key)?));
        Self {
            id: id.map(Into::into),
            is_of_call: object.get(IDS[0]).is_some(),
            name: object.get(NAME).and_then(Value::as_str).map(Into::into),
        }
    }

    /// True if a call has this id, in its text or elsewhere.
    pub fn has_id_of(&self, call: &ApiCall) -> bool {
        let mut fields = call.fields.iter();
        self.id.as_ref().is_some_and(|id| {
            fields.any(|field| IDS.contains(&&*field.name) && field.content.as_str() == id)
        })
    }

    /// True if a call has this name.
    pub fn has_name_of(&self, call: &ApiCall) -> bool {
        self.name.as_ref() == Some(&call.name)
    }
}

/// Returns an id, which is a string or a number.
pub fn id_text(value: Value<'_>) -> Option<Cow<'_, str>> {
    match value.kind() {
        NodeKind::Number => Some(Cow::Borrowed(value.raw())),
        _ => value.as_str(),
    }
}

/// Returns the tools that a text declares as a JSON list; they are one, or objects in lines. None if there are none:
/// what is between tags is often an example of them.
pub fn tools_in_text(text: &str) -> Option<String> {
    let mut parser = Parser::new();
    let mut is_list = |text: &String| {
        parser.parse_str(text).is_ok_and(|tree| {
            let first = tree.root().elements().next();
            first.is_some_and(|first| first.kind() == NodeKind::Object)
        })
    };
    blocks(text, TOOLS).into_iter().find_map(|block| {
        let inner = text[block].trim();
        let objects = inner.lines().filter(|line| !line.trim().is_empty());
        let lines = objects.collect::<Vec<_>>().join(",");
        let mut all = [inner.to_owned(), format!("[{inner}]"), format!("[{lines}]")].into_iter();
        all.find(&mut is_list)
    })
}

/// Returns a text without the calls in it.
pub fn without_calls(text: &str) -> String {
    if text.starts_with('[') && !code_calls(text, Extent::default()).is_empty() {
        return String::new();
    }
    let mut rest = String::new();
    let mut from = 0;
    for block in blocks(text, CALL) {
        if !calls_between(&text[block.clone()], None).is_empty() {
            rest.push_str(&text[from..block.start - CALL[0].len()]);
            from = (block.end + CALL[1].len()).min(text.len());
        }
    }
    match from {
        0 => text.to_owned(),
        _ => (rest + &text[from..]).trim().to_owned(),
    }
}

/// Returns the text of a message with the answer to a call of `turn` replaced.
pub fn with_answer(text: &str, turn: &Turn, call: usize, new: &str) -> String {
    let place = |call: &ApiCall| call.response_place().map(|at| at.start);
    let own = place(&turn.calls[call]);
    let is_here = |(_, other): &(usize, &ApiCall)| place(other) == own;
    let here = turn.calls.iter().enumerate().filter(is_here);
    let (numbers, calls): (Vec<_>, Vec<_>) = here.unzip();
    let blocks = match only_answers(text) {
        only if only.is_empty() && calls.len() > 1 => answers(text),
        only => only,
    };
    let places = if blocks.len() < calls.len() {
        shared_answers(text, &calls).unwrap_or_default()
    } else {
        blocks.into_iter().map(Some).collect()
    };
    let said = turn.calls[call].response.as_ref().and_then(Payload::text);
    let is_it = |place: &Option<Range<usize>>| {
        let text = place.clone().map(|place| &text[place]);
        text.is_some() && text == said.map(Short::as_str)
    };
    let position = match places.iter().filter(|place| is_it(place)).count() {
        // Answers may be in another order than the calls.
        1 => places.iter().position(is_it),
        _ => numbers.iter().position(|number| *number == call),
    };
    match position.and_then(|position| places.into_iter().nth(position).flatten()) {
        Some(block) => format!("{}{new}{}", &text[..block.start], &text[block.end..]),
        None => new.to_owned(),
    }
}

/// Gives each of several calls its answer, if that of the first is a list with those of all.
pub fn share_answer(calls: &mut [ApiCall]) {
    let [first, others @ ..] = &*calls else {
        return;
    };
    let is_only = others.iter().all(|call| call.response.is_none());
    let Some(Payload::Text { text, at }) = first.response.clone() else {
        return;
    };
    let all: Vec<_> = calls.iter().collect();
    let places = shared_answers(&text, &all).filter(|_| is_only);
    for (call, place) in calls.iter_mut().zip(places.unwrap_or_default()) {
        let text = place.map(|place| text[place].into());
        call.response = text.map(|text| Payload::Text { text, at });
    }
}

/// Returns the place of the answer to each of several calls in a text that is a list of answers, also between tags: by
/// the ids or the names in them, or else one for each call in order. None if it is something else.
fn shared_answers(text: &str, calls: &[&ApiCall]) -> Option<Vec<Option<Range<usize>>>> {
    let block = match only_answers(text).as_slice() {
        [] => trimmed(text, 0..text.len()),
        [only] => only.clone(),
        _ => return None,
    };
    if calls.len() < 2 || !text[block.clone()].starts_with('[') {
        return None;
    }
    let mut parser = Parser::new();
    let tree = parser.parse_str(&text[block.clone()]).ok()?;
    let elements: Vec<_> = tree.root().elements().collect();
    let place = |value: Value<'_>| {
        let Range { start, end } = value.range().bytes();
        block.start + start..block.start + end
    };
    let mut places = vec![None; calls.len()];
    for element in &elements {
        let told = Told::in_object(*element);
        let position = |is_it: &dyn Fn(&ApiCall) -> bool| {
            let mut all = calls.iter().zip(&places);
            all.position(|(call, place)| place.is_none() && is_it(call))
        };
        let with_id = position(&|call| told.has_id_of(call));
        let Some(call) = with_id.or_else(|| position(&|call| told.has_name_of(call))) else {
            let all = elements.into_iter().map(|element| Some(place(element)));
            let all: Vec<_> = all.collect();
            return (all.len() == calls.len()).then_some(all);
        };
        places[call] = Some(place(*element));
    }
    (!elements.is_empty()).then_some(places)
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..(start + inner.trim().len())
}

/// Returns a text of calls in JSON, perhaps behind reasoning, with them as they are in `new`.
///
/// # Errors
/// If there are more or fewer of them, or they are no JSON.
pub fn put(text: &str, old: &[ApiCall], new: &[ApiCall]) -> Result<String, EditError> {
    let json = said_in(text);
    let placed = calls_in(json, None);
    let mut parser = Parser::new();
    let tree = parser.parse_str(json).map_err(|error| not_editable("the call", &error))?;
    let editor = Editor::new(&tree, Escapes::seen_in(json));
    if placed.len() != old.len() || old.len() != new.len() {
        return Err(not_editable("the call", &"it is written in the text; edit the text"));
    }
    let mut splices = Vec::new();
    for (own, (old, new)) in placed.iter().zip(old.iter().zip(new)) {
        let object = object_of(&editor, own.at, "the call")?;
        if old.name != new.name {
            splices.push(set_text(&editor, object, NAME, &new.name));
        }
        if let Some(payload) = new.arguments.as_ref().filter(|_| old.arguments != new.arguments) {
            let key = arguments_key(object);
            match (&old.arguments, payload, object.get(key)) {
                (Some(Payload::Fields(old)), Payload::Fields(new), Some(members)) => {
                    splices.extend(changed_members(&editor, members, old, new));
                }
                (_, payload, Some(value)) => {
                    splices.push(editor.replace(value, &written_payload(payload)));
                }
                (_, payload, None) => {
                    let like = editor.holder(key, object);
                    splices.push(editor.add_member(object, key, &written_payload(payload), like));
                }
            }
        }
    }
    let patch = Patch::new(splices).map_err(|error| not_editable("the call", &error))?;
    Ok(format!("{}{}", &text[..text.len() - json.len()], patch.apply(json)))
}

/// Returns the splices that make the members of an object, which were read as `old`, those of `new`. Fields of both have
/// a place in the file; those of `new` without one are added.
fn changed_members<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    old: &[Field],
    new: &[Field],
) -> Vec<Splice> {
    let kept: Vec<_> = new.iter().filter(|field| field.at.is_placed()).collect();
    let is_all = kept.len() == old.len();
    let mut kept = kept.into_iter().peekable();
    let mut splices = Vec::new();
    for (place, ((key, value), own)) in object.members().zip(old).enumerate() {
        let Some(field) = kept.next_if(|field| is_all || field.name == own.name) else {
            splices.push(editor.remove(object, place..place + 1));
            continue;
        };
        if field.name != own.name {
            splices.push(editor.set_string(key, &field.name));
        }
        if field.content != own.content {
            splices.push(editor.replace(value, &written_content(&field.content)));
        }
    }
    for field in new.iter().filter(|field| !field.at.is_placed()) {
        let value = written_content(&field.content);
        splices.push(editor.add_member(object, &field.name, &value, None));
    }
    splices
}

/// Returns the calls between tags, which are JSON or a dictionary in Python's spelling.
fn calls_between(text: &str, at: Option<Extent>) -> Vec<ApiCall> {
    let calls = calls_in(text, at);
    if !calls.is_empty() {
        return calls;
    }
    let json = dictionary(text).unwrap_or_default();
    calls_in(&json, at)
}

/// Returns the calls in a text, which is an object with a name or a list of such objects; empty if it is anything
/// else. Each call is at `at` if given, otherwise at its place in the text.
pub fn calls_in(text: &str, at: Option<Extent>) -> Vec<ApiCall> {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(text) else {
        return Vec::new();
    };
    let root = tree.root();
    let objects: Vec<_> = match root.kind() {
        NodeKind::Object => vec![root],
        _ => root.elements().collect(),
    };
    let calls: Option<Vec<ApiCall>> = objects.into_iter().map(|object| call(object, at)).collect();
    calls.unwrap_or_default()
}

/// Returns the member of a call with its arguments, which models write in several ways.
fn arguments_key(object: Value<'_>) -> &'static str {
    let fits = |value: Value<'_>| matches!(value.kind(), NodeKind::Object | NodeKind::String);
    ARGUMENTS.of(object, fits).map_or("arguments", |(key, _)| key)
}

fn call(object: Value<'_>, at: Option<Extent>) -> Option<ApiCall> {
    let name = object.get(NAME)?.as_str()?;
    let placed = |value: Value<'_>| at.unwrap_or_else(|| extent(value));
    let mut call = ApiCall { name: name.into(), at: placed(object), ..ApiCall::default() };
    let mut others = Vec::new();
    let [_, arguments] = members(object, [NAME, arguments_key(object)], &mut others);
    call.arguments = match arguments.map(|value| (value.kind(), value)) {
        None | Some((NodeKind::Null, _)) => None,
        Some((NodeKind::String, value)) => {
            Some(Payload::Embedded { text: value.as_str()?.into(), at: placed(value) })
        }
        Some((NodeKind::Object, value)) => {
            let mut fields = all_fields(value);
            for field in &mut fields {
                field.at = at.unwrap_or(field.at);
            }
            Some(Payload::Fields(fields))
        }
        Some(_) => return None,
    };
    for field in &mut others {
        field.at = at.unwrap_or(field.at);
    }
    call.fields = others;
    Some(call)
}

/// Returns an argument that is a value of its own.
pub(super) fn argument(name: &str, content: Content, at: Extent) -> Field {
    Field { name: name.into(), content, known: true, at }
}
