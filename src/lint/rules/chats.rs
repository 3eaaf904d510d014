//! Rules on chats: roles, calls of tools and their answers, arguments.

use std::collections::HashSet;

use foldhash::{HashMap, HashMapExt as _};

use super::names;
use crate::dialog::{ApiCall, CallPart, Extent, Field, Issue, LOST_ANSWER, Payload, Role, Turn};
use crate::format::ChatRole;
use crate::json::{NodeKind, Parser, Value};
use crate::lint::engine::{Applicability, Diagnostic, Findings, Selection, Severity, rules};
use crate::lint::facts::alike::is_blank;
use crate::lint::facts::chat::CallFaultKind;
use crate::lint::facts::schema_check::SchemaFault;
use crate::lint::facts::{Call, Chat, Location, Subject};
use crate::lint::repair::mended_objects;
use crate::ontology::near;
use crate::text::quoted;

rules! {
    /// A message of a chat has a role that the format does not know.
    ///
    /// Chat templates stop at an unknown role or drop the message. Most often the name is misspelled. Roles
    /// are `system`, `developer`, `user`, `assistant`, `tool` and `function`; in the `ShareGPT` form `system`,
    /// `human` and `user`, `gpt`, `assistant` and others, `function_call`, `observation` and `tool`.
    ///
    /// There is no fix, because turnwise has no edit that changes a role.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "is the harbour café open?"},
    ///   {"role": "asistant", "content": "Until six."}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "is the harbour café open?"},
    ///   {"role": "assistant", "content": "Until six."}]}
    /// ```
    "chat-role-unknown": Error => chat_role_unknown;

    /// Instructions to the assistant come after other messages of a chat.
    ///
    /// Many chat templates accept a system message only at the beginning; others move it there or drop it.
    /// If several messages with instructions begin the chat, they are not reported.
    ///
    /// There is no fix, because turnwise has no edit that moves a turn.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "is the harbour café open?"},
    ///   {"role": "system", "content": "Be brief."},
    ///   {"role": "assistant", "content": "Until six."}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "system", "content": "Be brief."},
    ///   {"role": "user", "content": "is the harbour café open?"},
    ///   {"role": "assistant", "content": "Until six."}]}
    /// ```
    "chat-system-not-first": Warning => chat_system_not_first;

    /// Two messages of the user, or two of the assistant, follow each other.
    ///
    /// Many chat templates require that user and assistant alternate, and stop or join the two messages.
    /// Instructions between the two do not count. Messages of the assistant may follow each other if the
    /// first one calls a tool.
    ///
    /// There is no fix, because only a person can tell whether a message is missing or both belong together.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "is the harbour café open?"},
    ///   {"role": "user", "content": "hello?"},
    ///   {"role": "assistant", "content": "Until six."}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "is the harbour café open?"},
    ///   {"role": "assistant", "content": "Until six."}]}
    /// ```
    "chat-roles-not-alternating": Warning => chat_roles_not_alternating;

    /// A chat does not end with a message of the assistant.
    ///
    /// There is nothing to learn after the last message of the assistant, and fine-tuning services reject
    /// such a chat. Logs of agents often end with the user, so this is a note; the profiles of trainers
    /// make it more. A last message that calls a tool is fine, and so is a dialog that is only a `prompt`.
    ///
    /// There is no fix, because the missing message is unknown.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "is the harbour café open?"},
    ///   {"role": "assistant", "content": "Until six."},
    ///   {"role": "user", "content": "thanks"}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "is the harbour café open?"},
    ///   {"role": "assistant", "content": "Until six."}]}
    /// ```
    "chat-ends-without-assistant": Note => chat_ends_without_assistant;

    /// A message of the assistant has neither a text nor a call.
    ///
    /// Trained on such a chat, a model learns to say nothing. Either the text was lost, or a conversion
    /// dropped what the message held.
    ///
    /// There is no fix, because the missing text is unknown.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "is the harbour café open?"},
    ///   {"role": "assistant", "content": ""}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "is the harbour café open?"},
    ///   {"role": "assistant", "content": "Until six."}]}
    /// ```
    "chat-empty-assistant": Warning => chat_empty_assistant;

    /// A call of a tool has no result before the user or the assistant speaks.
    ///
    /// Services reject such a chat, and a model learns to go on without the result. A call in the last
    /// message of a chat is not reported. If a result that names another call follows, chat-answer-orphan
    /// reports that instead.
    ///
    /// In a session of an agent, whose results may come at any time, a call is reported if a later turn has a text,
    /// unless the session went back to before the call.
    /// In forms in which calls have no ids, another call of the tool must have a result, too: some tools never return one.
    ///
    /// There is no fix, because the missing result is unknown.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "assistant", "content": "At 14:10."}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}]}
    /// ```
    "chat-call-unanswered": Error => chat_call_unanswered;

    /// A result of a tool belongs to no call of the chat.
    ///
    /// Its `tool_call_id` is that of no earlier call, or the call already has a result. Services reject
    /// such a chat. Most often the id was changed or cut; then an earlier call has no result.
    ///
    /// A result after a message of the assistant with parts that are not read is skipped, because its call may be
    /// one of them. So is a chat without any message of the assistant, because its calls are elsewhere.
    ///
    /// There is no fix, because turnwise has no edit that changes the id of a result.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_l", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}]}
    /// ```
    "chat-answer-orphan": Error => chat_answer_orphan;

    /// Two calls of a chat have the same id.
    ///
    /// Programs that look up the call of a result by its id take the wrong one. If every call has its own
    /// result, the order still tells which belongs to which, so this is only a note.
    ///
    /// There is no fix, because turnwise has no edit that changes the id of a call.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto and Faro?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}, {"id": "call_1",
    ///      "type": "function", "function": {"name": "get_tide",
    ///      "arguments": "{\"port\": \"Faro\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}]}
    /// ```
    "chat-call-id-repeated": Warning => chat_call_id_repeated;

    /// The arguments of a call are not a JSON object.
    ///
    /// Programs that parse them fail or call the tool without arguments, and a model learns to write broken
    /// JSON. Common mistakes are a missing bracket, colon or quotation mark, a comma before the closing bracket,
    /// quotation marks of Python, and line breaks inside strings.
    ///
    /// The fix changes as few characters as possible. It is safe if there is only one way to read the text,
    /// and unsafe if a bracket is missing, or a mark at an end of a text: then more may have been lost. A
    /// whole message that should be a call, in the `ShareGPT` form, has no fix.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{'port': 'Porto',}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}]}
    /// ```
    "chat-arguments-broken": Error => chat_arguments_broken;

    /// The arguments of a call are encoded as JSON twice.
    ///
    /// They are a string with JSON inside a string, so programs that decode them once get a text instead of
    /// an object. The usual cause is a conversion that encodes what is already encoded.
    ///
    /// The fix, which is safe, decodes the arguments once. It is unsafe if the JSON inside has to be
    /// repaired too.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "\"{\\\"port\\\": \\\"Porto\\\"}\""}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}]}
    /// ```
    "chat-arguments-twice": Error => chat_arguments_twice;

    /// A call names a tool that the chat does not declare.
    ///
    /// A model cannot know a tool that is not among the `tools` of its chat, and learns to invent tools.
    /// Chats without declarations are not checked.
    ///
    /// The fix is a declared name that resembles the one in the call: safe if only capitalization or
    /// separators differ, unsafe if letters differ, manual if several are equally close.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tides", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}],
    ///  "tools": [{"type": "function", "function": {"name": "get_tide",
    ///      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
    ///      "days": {"type": "integer"}}, "required": ["port"]}}}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}],
    ///  "tools": [{"type": "function", "function": {"name": "get_tide",
    ///      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
    ///      "days": {"type": "integer"}}, "required": ["port"]}}}]}
    /// ```
    "chat-tool-undeclared": Warning => chat_tool_undeclared;

    /// A call has an argument that its tool does not declare.
    ///
    /// The declaration of a tool lists the `properties` of its arguments. Either the name of the argument
    /// is misspelled, or it was made up. If the declaration allows `additionalProperties`, nothing is
    /// reported.
    ///
    /// The fix is a declared name that the call lacks and that resembles the one in the call: safe if only
    /// capitalization or separators differ, unsafe if letters differ, manual if several are equally close.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"ports\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}],
    ///  "tools": [{"type": "function", "function": {"name": "get_tide",
    ///      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
    ///      "days": {"type": "integer"}}, "required": ["port"]}}}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}],
    ///  "tools": [{"type": "function", "function": {"name": "get_tide",
    ///      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
    ///      "days": {"type": "integer"}}, "required": ["port"]}}}]}
    /// ```
    "chat-argument-unknown": Warning => chat_argument_unknown;

    /// A call lacks an argument that its tool requires.
    ///
    /// The declaration of a tool lists the arguments that are `required`. A call without one of them fails,
    /// and a model learns to leave it out. An argument with a misspelled name is not missing;
    /// chat-argument-unknown reports it.
    ///
    /// There is no fix, because only a person can tell the value.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"days\": 2}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}],
    ///  "tools": [{"type": "function", "function": {"name": "get_tide",
    ///      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
    ///      "days": {"type": "integer"}}, "required": ["port"]}}}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "when is high tide in Porto?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
    ///   {"role": "assistant", "content": "At 14:10."}],
    ///  "tools": [{"type": "function", "function": {"name": "get_tide",
    ///      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
    ///      "days": {"type": "integer"}}, "required": ["port"]}}}]}
    /// ```
    "chat-argument-missing": Warning => chat_argument_missing;

    /// An argument has a type or a value that its tool does not declare.
    ///
    /// The declaration of a tool gives the `type` of each argument, and may list its values in `enum`: a
    /// number in quotation marks is not an integer. Values inside lists and objects are checked too.
    /// Declarations with `anyOf` and the like are not.
    ///
    /// The fix writes the same value in the declared type, which is safe, or the listed value that
    /// resembles it, which is unsafe.
    ///
    /// ```json bad
    /// {"messages": [
    ///   {"role": "user", "content": "tides in Porto for two days?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\", \"days\": \"2\"}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10, 14:55"},
    ///   {"role": "assistant", "content": "At 14:10 and 14:55."}],
    ///  "tools": [{"type": "function", "function": {"name": "get_tide",
    ///      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
    ///      "days": {"type": "integer"}}, "required": ["port"]}}}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [
    ///   {"role": "user", "content": "tides in Porto for two days?"},
    ///   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
    ///      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\", \"days\": 2}"}}]},
    ///   {"role": "tool", "tool_call_id": "call_1", "content": "14:10, 14:55"},
    ///   {"role": "assistant", "content": "At 14:10 and 14:55."}],
    ///  "tools": [{"type": "function", "function": {"name": "get_tide",
    ///      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
    ///      "days": {"type": "integer"}}, "required": ["port"]}}}]}
    /// ```
    "chat-argument-type": Warning => chat_argument_type;

    /// A member has different JSON types in the dialogs of a file.
    ///
    /// Programs that load a file of chats as a table give every column one type: they stop at a `content`
    /// that is a string in one line and a list in another, or at arguments that are now a string and now
    /// an object. A value that is null or missing fits every type. Only files with one dialog a line are
    /// checked, because these are loaded as tables.
    ///
    /// There is no fix, because only a person can tell which type the file should have.
    ///
    /// ```json bad
    /// {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]}
    /// {"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}, {"role": "assistant", "content": "hello"}]}
    /// ```
    ///
    /// ```json good
    /// {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]}
    /// {"messages": [{"role": "user", "content": "ho"}, {"role": "assistant", "content": "hello"}]}
    /// ```
    "chat-mixed-types": Warning;
}

fn chat_role_unknown(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    for (position, turn) in subject.turns() {
        let name = &turn.speaker.name;
        // If the role is missing or is not a string, schema reports it.
        let reported = || {
            let mut issues = subject.issues.iter();
            name.is_empty() && issues.any(|issue| issue.turn == Some(position))
        };
        if chat.roles[position] == ChatRole::Unknown && !reported() {
            let message = format!("unknown role {}", quoted(name));
            found.add(subject.location_of(position), message);
        }
    }
}

fn chat_system_not_first(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    let is_system = |role: &ChatRole| *role == ChatRole::Instructions;
    let first = chat.roles.iter().position(|role| !is_system(role));
    for (position, turn) in subject.turns().skip(first.unwrap_or(chat.roles.len())) {
        if is_system(&chat.roles[position]) {
            let name = &turn.speaker.name;
            let message = format!("the {name} message comes after other messages");
            found.add(subject.location_of(position), message);
        }
    }
}

fn chat_roles_not_alternating(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    let mut before = None;
    for (position, turn) in subject.turns() {
        let role = chat.roles[position];
        let side = match role {
            ChatRole::Instructions => continue,
            // A call expects an answer, even if there is none.
            ChatRole::Assistant if turn.calls.is_empty() => Some("assistant"),
            ChatRole::User => Some("user"),
            ChatRole::Assistant | ChatRole::Tool | ChatRole::Unknown => None,
        };
        let again = match role {
            ChatRole::Assistant => before == Some("assistant"),
            _ => side.is_some() && before == side,
        };
        if again {
            let side = before.unwrap_or_default();
            let message = format!("two consecutive messages of the {side}");
            found.add(subject.location_of(position), message);
        }
        before = side;
    }
}

fn chat_ends_without_assistant(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    let last = chat.roles.iter().rposition(|role| *role != ChatRole::Instructions);
    if (chat.form.is_prompt)(subject.tree.root()) {
        return;
    }
    if let Some(last) = last
        && matches!(chat.roles[last], ChatRole::User | ChatRole::Tool)
    {
        let name = &subject.dialog.turns[last].speaker.name;
        let message = format!("the last message of the chat has the role {name}");
        found.add(subject.location_of(last), message);
    }
}

fn chat_empty_assistant(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    // What was said in another form: a part that is not text, a refusal, a sound.
    let holds = |field: &Field| {
        let name = field.name.as_str();
        matches!(name, "content" | "refusal" | "audio" | "reasoning")
            && field.content.as_str() != "null"
    };
    for (position, turn) in subject.turns() {
        let is_here = |issue: &Issue| issue.turn == Some(position);
        if chat.roles[position] == ChatRole::Assistant
            && turn.calls.is_empty()
            && turn.text.chars().all(is_blank)
            && !turn.fields.iter().any(holds)
            && !subject.issues.iter().any(is_here)
        {
            let message = "the message of the assistant is empty";
            found.add(subject.location_of(position), message);
        }
    }
}

fn chat_call_unanswered(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return unanswered_in_session(subject, found);
    };
    let calls: Vec<_> = subject.calls().iter().zip(chat.answers.iter().copied()).collect();
    for calls in calls.chunk_by(|(one, _), (other, _)| one.turn == other.turn) {
        unanswered_in_turn(subject, chat, calls, found);
    }
}

/// Finds those of a session behind which somebody says something.
fn unanswered_in_session(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.is_chat() {
        return;
    }
    let turns = &subject.dialog.turns;
    let calls = turns.iter().flat_map(|turn| &turn.calls);
    let answered = calls.filter(|call| call.response.is_some());
    let answered: HashSet<&str> = answered.map(|call| call.name.as_str()).collect();
    let speaks = |turn: &Turn| {
        matches!(turn.speaker.role, Role::User | Role::System) && !turn.text.is_empty()
    };
    let last = turns.iter().rposition(speaks).unwrap_or_default();
    let taken_back = subject.dialog.branches.turns(|branch| branch.taken_back);
    let all = turns[..last].iter().enumerate();
    for (turn, of) in all.filter(|(turn, _)| !taken_back.contains(turn)) {
        let is_lost = |call: &&ApiCall| {
            call.response.is_none() && (call.is_awaited || answered.contains(&*call.name))
        };
        for call in of.calls.iter().filter(is_lost) {
            let message = format!("{} has no result", call.name);
            found.add(subject.location_at(turn, call.at), message);
        }
    }
}

fn unanswered_in_turn(
    subject: &Subject<'_>,
    chat: &Chat,
    calls: &[(&Call<'_>, Option<usize>)],
    found: &mut Findings<'_>,
) {
    let turn = calls[0].0.turn;
    let until = chat.next_side(turn);
    if turn + 1 == chat.roles.len() {
        return;
    }
    // The user's next message may hold the answer, too.
    let is_late = |answer: Option<usize>| answer.is_none_or(|answer| answer > until);
    // Without ids, one message may answer all calls.
    if calls.iter().all(|(call, _)| call.id().is_none())
        && !calls.iter().all(|(_, answer)| is_late(*answer))
    {
        return;
    }
    let orphans = (turn + 1..until).filter(|turn| chat.is_orphan(*turn));
    let late = calls.iter().filter(|(_, answer)| is_late(*answer));
    for (call, answer) in late.skip(orphans.count()) {
        let name = &call.of.name;
        let message = match answer {
            Some(answer) => {
                format!("the result of {name} comes too late: in turn {answer}, after turn {until}")
            }
            None => format!("{name} has no result"),
        };
        found.add(subject.location_at(call.turn, call.of.at), message);
    }
}

fn chat_answer_orphan(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return orphans_of_session(subject, found);
    };
    let turns = &subject.dialog.turns;
    if !turns.iter().any(|turn| turn.speaker.role == Role::System) {
        return;
    }
    let is_orphan = |turn: &usize| chat.is_orphan(*turn) || lost_answers(&turns[*turn]) > 0;
    for turn in (0..chat.roles.len()).filter(is_orphan) {
        // If the message is not an object, or its id is not a string, schema reports it.
        if subject.issues.iter().any(|issue| issue.turn == Some(turn)) {
            continue;
        }
        if may_be_unread(&turns[..turn]) {
            continue;
        }
        if chat.is_orphan(turn) && lost_answers(&turns[turn]) < 2 {
            found.add(subject.location_of(turn), orphan_message(subject, chat, turn));
        } else {
            add_parts(subject, turn, found);
        }
    }
}

/// Finds those of a session, in which answers are parts of turns.
fn orphans_of_session(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for turn in 0..subject.dialog.turns.len() {
        if subject.is_chat() {
            add_parts(subject, turn, found);
        }
    }
}

/// Adds a problem for each answer in a turn that is not read, because it belongs to no call.
fn add_parts(subject: &Subject<'_>, turn: usize, found: &mut Findings<'_>) {
    for _ in 0..lost_answers(&subject.dialog.turns[turn]) {
        let message = "a result in this turn belongs to no waiting call: no earlier call has the same id, or that call already has a result";
        found.add(subject.location_of(turn), message.to_owned());
    }
}

fn lost_answers(turn: &Turn) -> u64 {
    turn.unread.count(LOST_ANSWER)
}

/// True if the message of the assistant before has parts that are not read.
fn may_be_unread(before: &[Turn]) -> bool {
    let mut calling = before.iter().rev();
    let calling = calling.find(|turn| turn.speaker.role == Role::System);
    calling.is_some_and(|turn| !turn.unread.is_empty())
}

fn orphan_message(subject: &Subject<'_>, chat: &Chat, turn: usize) -> String {
    let mut fields = subject.dialog.turns[turn].fields.iter();
    let id = fields.find(|field| field.name == "tool_call_id" && field.content.as_str() != "null");
    let Some(id) = id.map(|field| field.content.as_str()) else {
        return "no call waits for this result".to_owned();
    };
    let calls = subject.calls().iter().zip(&chat.answers);
    let before = calls.take_while(|(call, _)| call.turn < turn);
    if before.clone().any(|(call, _)| call.id() == Some(id)) {
        return format!("the call {} already has a result", quoted(id));
    }
    let waiting =
        before.filter(|(call, answer)| answer.is_none() && chat.next_side(call.turn) > turn).last();
    let hint = waiting
        .and_then(|(call, _)| call.id())
        .map_or_else(String::new, |id| format!("; the call {} has no result", quoted(id)));
    format!("no earlier call has the id {}{hint}", quoted(id))
}

fn chat_call_id_repeated(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    let all = subject.calls();
    let mut by_id: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, call) in all.iter().enumerate() {
        if let Some(id) = call.id() {
            by_id.entry(id).or_default().push(number);
        }
    }
    for (id, calls) in by_id.into_iter().filter(|(_, calls)| calls.len() > 1) {
        let answered = calls.iter().all(|call| chat.answers[*call].is_some());
        let most = if answered { Severity::Note } else { Severity::Error };
        let first = all[calls[0]].turn;
        for call in calls.into_iter().skip(1).map(|call| &all[call]) {
            let location = subject.location_at(call.turn, call.of.at);
            let message = format!("a call in turn {first} also has the id {}", quoted(id));
            found.add_at_most(most, location, message);
        }
    }
}

fn chat_arguments_broken(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let call_role = subject.format.chat().and_then(|form| form.call_role);
    for (position, turn) in subject.turns() {
        if call_role == Some(&turn.speaker.name) && turn.calls.is_empty() && !turn.text.is_empty() {
            let message = "the message is not a call (JSON with a `name` and `arguments`)";
            found.add(subject.location_of(position), message);
        }
    }
    for (call, fault) in subject.call_faults() {
        let why = match fault {
            CallFaultKind::Broken(why) => format!("not valid JSON: {why}"),
            CallFaultKind::NoObject(kind) => format!("{kind}, not an object"),
            _ => continue,
        };
        let message = format!("the arguments of {} are {why}", call.of.name);
        let diagnostic = found.add(location(subject, call), message);
        let text = call.json().unwrap_or_default();
        for mended in mended_objects(&text) {
            let applicability =
                if mended.is_sure { Applicability::Safe } else { Applicability::Unsafe };
            let title = format!("repair the JSON: {}", mended.what);
            diagnostic.fix(
                title,
                applicability,
                vec![call.set_json(CallPart::Arguments, mended.text)],
            );
        }
    }
}

fn chat_arguments_twice(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in subject.call_faults() {
        let CallFaultKind::Twice(inside) = fault else {
            continue;
        };
        let message = format!("the arguments of {} are encoded twice", call.of.name);
        let diagnostic = found.add(location(subject, call), message);
        let mut parser = Parser::new();
        let is_object = |text: &str| {
            let tree = parser.parse_str(text);
            tree.is_ok_and(|tree| tree.root().kind() == NodeKind::Object)
        };
        let title = "decode the arguments once";
        if { is_object }(inside) {
            let edit = call.set_json(CallPart::Arguments, inside.clone());
            diagnostic.fix(title, Applicability::Safe, vec![edit]);
        } else if let Some(mended) = mended_objects(inside).into_iter().next() {
            let title = format!("{title} and repair the JSON: {}", mended.what);
            let edit = call.set_json(CallPart::Arguments, mended.text);
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
        }
    }
}

fn chat_tool_undeclared(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in subject.call_faults() {
        let CallFaultKind::Undeclared(resembling) = fault else {
            continue;
        };
        let message = format!("the tool {} is not declared", call.of.name);
        let diagnostic = found.add(subject.location_at(call.turn, call.of.at), message);
        let near = near(&call.of.name, resembling.iter().map(String::as_str));
        names::offer(&near, diagnostic, |right| Some(call.set_api(right)));
    }
}

fn chat_argument_unknown(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in subject.call_faults() {
        let CallFaultKind::Argument(SchemaFault::Unknown { name, near: known }) = fault else {
            continue;
        };
        let message = format!("{} does not accept \"{name}\"", call.of.name);
        let diagnostic = found.add(location_of(subject, call, name), message);
        let near = near(name, known.iter().map(String::as_str));
        names::offer(&near, diagnostic, |right| call.rename(CallPart::Arguments, name, right));
    }
}

fn chat_argument_missing(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in subject.call_faults() {
        if let CallFaultKind::Argument(SchemaFault::Missing(name)) = fault {
            let message = format!("{} lacks {name}", call.of.name);
            found.add(location(subject, call), message);
        }
    }
}

fn chat_argument_type(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in subject.call_faults() {
        let CallFaultKind::Argument(SchemaFault::Type { name, expected, found: value, better }) =
            fault
        else {
            continue;
        };
        let message = format!("{name} of {} should be {expected}, found {value}", call.of.name);
        let diagnostic = found.add(location_of(subject, call, name), message);
        if let Some((place, new)) = better
            && let Some(edit) = call.replace_at(name, place, new)
        {
            let applicability = if expected.starts_with("one of") {
                Applicability::Unsafe
            } else {
                Applicability::Safe
            };
            diagnostic.fix(format!("change to {new}"), applicability, vec![edit]);
        }
    }
}

/// The types of the members of many dialogs.
#[derive(Debug, Default)]
pub struct MemberTypes {
    dialog: Member,
}

/// A member of all dialogs, or the elements of an array, with what is inside.
#[derive(Debug, Default)]
struct Member {
    /// Empty for elements.
    key: Box<str>,
    members: Vec<Member>,
    elements: Option<Box<Member>>,
    /// By [`KINDS`].
    seen: [Option<Seen>; KINDS.len()],
    /// The last text of a large member of a dialog, and how often it has changed. Tools are usually the same in all
    /// dialogs of a file, and are read once.
    last: Option<(Box<str>, usize)>,
}

/// The dialogs in which a member has one type.
#[derive(Clone, Copy, Debug)]
struct Seen {
    count: u32,
    /// Position of the first dialog.
    dialog: usize,
    /// The byte offset of the value in the file.
    offset: u64,
}

/// The names of types in messages.
const KINDS: [&str; 5] = ["a string", "a number", "true or false", "an array", "an object"];

/// Places in [`KINDS`].
const ARRAY: usize = 3;
const OBJECT: usize = 4;

/// Objects with more members than this in all dialogs are maps with any keys, and not columns.
const MOST: usize = 48;

/// The deepest values that are compared.
const DEEPEST: usize = 16;

/// Members of a dialog with at least so many bytes are compared with those of the dialog before.
const LARGE: usize = 256;

/// After so many changes, a text is no longer compared with the next one.
const CHANGES: usize = 64;

impl MemberTypes {
    /// Adds the types in the dialog `root`, at position `dialog` and byte `start` of its file.
    pub fn add(&mut self, root: Value<'_>, dialog: usize, start: u64) {
        let mut hint = 0;
        for (key, value) in root.members() {
            let Some(member) = self.dialog.next_member(key, &mut hint) else {
                return;
            };
            if value.raw().len() < LARGE || !member.is_known(value.raw()) {
                member.visit(value, (dialog, start), 0);
            }
        }
    }

    /// Adds the types of dialogs that follow those of `self`.
    pub fn join(&mut self, later: Self) {
        self.dialog.join(later.dialog);
    }

    /// Returns the problems, each with the position of its dialog and its byte offset in the file.
    pub fn problems(&self, selection: &Selection) -> Vec<(usize, u64, Diagnostic)> {
        let mut all = Vec::new();
        if let Some(rule) = selection.selected("chat-mixed-types") {
            self.dialog.problems(None, &mut |seen, message| {
                let problem = rule.problem(Location::default(), message);
                all.push((seen.dialog, seen.offset, problem));
            });
        }
        all
    }
}

impl Member {
    fn named(key: &str) -> Self {
        Self { key: key.into(), ..Self::default() }
    }

    /// True if the member has the same text in the dialog before.
    fn is_known(&mut self, text: &str) -> bool {
        let Some((last, changes)) = &mut self.last else {
            self.last = Some((text.into(), 0));
            return false;
        };
        let is_known = **last == *text;
        // A member that changes all the time is not worth a copy.
        if !is_known && *changes < CHANGES {
            *changes += 1;
            *last = text.into();
        }
        is_known
    }

    fn visit(&mut self, value: Value<'_>, at: (usize, u64), depth: usize) {
        let kind = match value.kind() {
            NodeKind::String => 0,
            NodeKind::Number => 1,
            NodeKind::True | NodeKind::False => 2,
            NodeKind::Array => ARRAY,
            NodeKind::Object => OBJECT,
            _ => return,
        };
        let (dialog, start) = at;
        let offset = start + u64::from(value.range().start);
        let seen = self.seen[kind].get_or_insert(Seen { count: 0, dialog, offset });
        seen.count += 1;
        if depth > DEEPEST {
            return;
        }
        if kind == ARRAY {
            let inside = self.elements.get_or_insert_default();
            value.elements().for_each(|element| inside.visit(element, at, depth + 1));
        } else if kind == OBJECT {
            let mut hint = 0;
            for (key, member) in value.members() {
                if let Some(inside) = self.next_member(key, &mut hint) {
                    inside.visit(member, at, depth + 1);
                }
            }
        }
    }

    /// Returns the member `key`; None if there are too many. Members usually come in one order: `hint` is the position
    /// of the next one.
    fn next_member(&mut self, key: Value<'_>, hint: &mut usize) -> Option<&mut Self> {
        let is_it = |member: &Self| key.is_text(&member.key);
        if !self.members.get(*hint).is_some_and(is_it) {
            *hint = match self.members.iter().position(is_it) {
                Some(place) => place,
                None => self.place_of(&key.as_str().unwrap_or_default())?,
            };
        }
        *hint += 1;
        self.members.get_mut(*hint - 1)
    }

    /// Returns the position of the member `key`; None if there are too many.
    fn place_of(&mut self, key: &str) -> Option<usize> {
        let known = self.members.iter().position(|member| *member.key == *key);
        if known.is_none() && self.members.len() <= MOST {
            self.members.push(Self::named(key));
            return Some(self.members.len() - 1);
        }
        known
    }

    fn join(&mut self, later: Self) {
        for (seen, more) in self.seen.iter_mut().zip(later.seen) {
            match (seen, more) {
                (Some(seen), Some(more)) => seen.count += more.count,
                (seen, more) => *seen = seen.or(more),
            }
        }
        for member in later.members {
            if let Some(place) = self.place_of(&member.key) {
                self.members[place].join(member);
            }
        }
        if let Some(elements) = later.elements {
            self.elements.get_or_insert_default().join(*elements);
        }
    }

    /// Passes the first value of each unusual type of what is inside to `add`, with a message. `name` is the way to the
    /// member, such as `messages[].content`; None for the dialog itself.
    fn problems(&self, name: Option<&str>, add: &mut dyn FnMut(Seen, String)) {
        let members = self.members.iter().map(|member| match name {
            None => (member.key.to_string(), member),
            Some(name) => (format!("{name}.{}", member.key), member),
        });
        let name = name.unwrap_or_default();
        let elements = self.elements.iter().map(|inside| (format!("{name}[]"), &**inside));
        for (name, inside) in members.chain(elements) {
            let seen = || inside.seen.iter().zip(KINDS).filter_map(|(s, kind)| Some(((*s)?, kind)));
            let usual = seen().max_by_key(|(seen, _)| (seen.count, std::cmp::Reverse(seen.dialog)));
            let is_column = self.members.len() <= MOST;
            if let Some((usual, kind)) = usual.filter(|_| is_column) {
                for (other, odd) in seen().filter(|(_, other)| *other != kind) {
                    let dialog = usual.dialog;
                    add(other, format!("`{name}` is {odd} here, but {kind} in dialog {dialog}"));
                }
            }
            inside.problems(Some(&name), add);
        }
    }
}

/// Returns the place of the arguments of a call, or of the call.
fn location(subject: &Subject<'_>, call: &Call<'_>) -> Location {
    let at = match &call.of.arguments {
        Some(Payload::Embedded { at, .. } | Payload::Text { at, .. }) => *at,
        _ => call.of.at,
    };
    subject.location_at(call.turn, at)
}

/// Returns the place of the argument `name` of a call.
fn location_of(subject: &Subject<'_>, call: &Call<'_>, name: &str) -> Location {
    let fields = match &call.of.arguments {
        Some(Payload::Fields(fields)) => &fields[..],
        _ => &[],
    };
    let field = fields.iter().find(|field| field.name == name);
    match field.map(|field| field.at) {
        Some(at) if at != Extent::default() || at.end > 0 => subject.location_at(call.turn, at),
        _ => location(subject, call),
    }
}

/// The severities of some rules for one trainer.
pub struct Profile {
    pub name: &'static str,
    /// Rules with their severities; None turns a rule off.
    pub rules: &'static [(&'static str, Option<Severity>)],
}

/// Every profile.
pub static PROFILES: &[Profile] = &[
    // The service validates files: the last message is the assistant's and not empty. Roles need not
    // alternate, and there is no table to load.
    Profile {
        name: "openai",
        rules: &[
            ("chat-ends-without-assistant", Some(Severity::Error)),
            ("chat-empty-assistant", Some(Severity::Error)),
            ("chat-system-not-first", Some(Severity::Note)),
            ("chat-roles-not-alternating", None),
            ("chat-mixed-types", None),
        ],
    },
    // Files become Arrow tables, and chat templates stop at what they do not expect.
    Profile {
        name: "trl",
        rules: &[
            ("chat-ends-without-assistant", Some(Severity::Warning)),
            ("chat-system-not-first", Some(Severity::Error)),
            ("chat-roles-not-alternating", Some(Severity::Error)),
            ("chat-mixed-types", Some(Severity::Error)),
        ],
    },
    // The same tables, but messages of the same side may be joined, and turns before the end count.
    Profile {
        name: "axolotl",
        rules: &[
            ("chat-ends-without-assistant", None),
            ("chat-system-not-first", Some(Severity::Warning)),
            ("chat-roles-not-alternating", Some(Severity::Note)),
            ("chat-mixed-types", Some(Severity::Error)),
        ],
    },
];

/// Returns the profile called `name`.
pub fn profile(name: &str) -> Option<&'static Profile> {
    PROFILES.iter().find(|profile| profile.name == name)
}

impl Profile {
    /// Sets the severities of the rules of `selection`.
    pub fn apply(&self, selection: &mut Selection) {
        for (name, severity) in self.rules {
            selection.set_default(name, *severity);
        }
    }
}
