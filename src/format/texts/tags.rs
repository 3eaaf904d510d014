//! Calls and answers between tags, as Hermes and Qwen write them:
//! `<tool_call>{"name": …, "arguments": …}</tool_call>` and `<tool_response>…</tool_response>`. They declare their tools
//! in the instructions, between `<tools>` and `</tools>`.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem};

use super::Parts;
use super::code::{code_calls, dictionary};
use super::json::{calls_in, with_calls};
use crate::dialog::{ApiCall, Extent, Field, LOST_ANSWER, Payload, Short, Turn};
use crate::format::answers::{Answer, Answers, Said};
use crate::format::families::chat::ChatRole;
use crate::format::families::homes::NAME;
use crate::json::{NodeKind, Parser, Value};

/// The members of calls and answers with the id of the call.
const IDS: [&str; 2] = ["tool_call_id", "id"];

pub const CALL: [&str; 2] = ["<tool_call>", "</tool_call>"];
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

/// Returns the calls between tags of a text; None if it has none.
pub fn read(text: &str, at: Extent) -> Option<Parts> {
    // Few texts have a tag at all.
    memchr(b'<', text.as_bytes())?;
    let mut parts = Parts::default();
    let blocks = blocks(text, CALL);
    for block in &blocks {
        let calls = calls_between(&text[block.clone()], Some(at));
        parts.unread.add(CALL[0].into(), u64::from(calls.is_empty()));
        parts.calls.extend(calls.into_iter().map(|call| ApiCall { in_text: true, ..call }));
    }
    if blocks.is_empty() {
        let functions = self::blocks(text, FUNCTION).into_iter();
        let closed = functions.filter(|block| block.end < text.len());
        parts.unread.add("call as XML".into(), closed.count() as u64);
    }
    (!parts.calls.is_empty() || !parts.unread.is_empty()).then_some(parts)
}

/// Returns a text with calls between tags as they are in `new`; None if one that changes is not JSON, but a dictionary in
/// Python's spelling.
pub fn with_changed(text: &str, old: &[ApiCall], new: &[ApiCall]) -> Option<String> {
    let mut changed = String::new();
    let (mut from, mut first) = (0, 0);
    for block in blocks(text, CALL) {
        let inner = &text[block.clone()];
        let own = first..first + calls_between(inner, None).len();
        first = own.end;
        let (was, wanted) = old.get(own.clone()).zip(new.get(own))?;
        if was != wanted {
            changed.push_str(&text[from..block.start]);
            changed.push_str(&with_calls(inner, was, wanted)?);
            from = block.end;
        }
    }
    Some(changed + &text[from..])
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

/// Returns the calls between tags, which are JSON or a dictionary in Python's spelling.
fn calls_between(text: &str, at: Option<Extent>) -> Vec<ApiCall> {
    let calls = calls_in(text, at);
    if !calls.is_empty() {
        return calls;
    }
    let json = dictionary(text).unwrap_or_default();
    calls_in(&json, at)
}
