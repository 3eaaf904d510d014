//! Rules on chats: roles, calls of tools and their answers, arguments.

use std::collections::HashSet;
use std::ops::Range;

use foldhash::{HashMap, HashMapExt as _};

use super::names::{applicability, title};
use crate::dialog::{
    ApiCall, CallPart, Edit, EditValue, Extent, Field, Issue, LOST_ANSWER, Payload, Role, Turn,
};
use crate::format::ChatRole;
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Tree, Value};
use crate::lint::engine::{Applicability, Diagnostic, Findings, Selection, Severity, rules};
use crate::lint::facts::alike::is_blank;
use crate::lint::facts::chat::{CallFault, CallFaultKind, arguments};
use crate::lint::facts::{Chat, ChatCall, Location, Subject};
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

    /// A call of a tool has no answer before the user or the assistant speaks.
    ///
    /// Services reject such a chat, and a model learns to go on without the result. A call in the last
    /// message of a chat is not reported. If an answer that names another call follows, chat-answer-orphan
    /// reports that instead.
    ///
    /// In a session of an agent, whose calls may be answered at any time, a call is reported if a later turn has a text,
    /// unless the session went back to before the call.
    /// In forms in which calls have no ids, another call of the tool must be answered, too: some tools never answer.
    ///
    /// There is no fix, because the missing answer is unknown.
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

    /// An answer of a tool belongs to no call of the chat.
    ///
    /// Its `tool_call_id` is that of no earlier call, or the call already has an answer. Services reject
    /// such a chat. Most often the id was changed or cut; then one call before it has no answer.
    ///
    /// An answer behind a message of the assistant with parts that are not read is passed over, because its call may be
    /// one of them. So is a chat without any message of the assistant, because its calls are elsewhere.
    ///
    /// There is no fix, because turnwise has no edit that changes the id of an answer.
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
    /// Programs that look up the call of an answer by its id take the wrong one. If every call has its own
    /// answer, the order still tells which belongs to which, so this is only a note.
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
            let message = format!("two messages of the {side} follow each other");
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
    for calls in chat.calls.chunk_by(|one, other| one.turn == other.turn) {
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
            let message = format!("{} has no answer", call.name);
            found.add(subject.location_at(turn, call.at), message);
        }
    }
}

fn unanswered_in_turn(
    subject: &Subject<'_>,
    chat: &Chat<'_>,
    calls: &[ChatCall<'_>],
    found: &mut Findings<'_>,
) {
    let turn = calls[0].turn;
    let until = chat.next_side(turn);
    if turn + 1 == chat.roles.len() {
        return;
    }
    // The user's next message may hold the answer, too.
    let is_late = |call: &&ChatCall<'_>| call.answer.is_none_or(|answer| answer > until);
    // Without ids, one message may answer all calls.
    if calls.iter().all(|call| call.id.is_none()) && calls.iter().any(|call| !is_late(&call)) {
        return;
    }
    let orphans = (turn + 1..until).filter(|turn| chat.is_orphan(*turn));
    for call in calls.iter().filter(is_late).skip(orphans.count()) {
        let name = &call.of.name;
        let message = match call.answer {
            Some(answer) => format!("{name} is answered only in turn {answer}, after turn {until}"),
            None => format!("{name} has no answer"),
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
        let message = "no call before waits for an answer in this turn: none has its id, or it has been answered already";
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

fn orphan_message(subject: &Subject<'_>, chat: &Chat<'_>, turn: usize) -> String {
    let mut fields = subject.dialog.turns[turn].fields.iter();
    let id = fields.find(|field| field.name == "tool_call_id" && field.content.as_str() != "null");
    let Some(id) = id.map(|field| field.content.as_str()) else {
        return "no call waits for this answer".to_owned();
    };
    let is_before = |call: &&ChatCall<'_>| call.turn < turn;
    let mut before = chat.calls.iter().filter(is_before);
    if before.any(|call| call.id == Some(id)) {
        return format!("another answer to the call {}", quoted(id));
    }
    let waits = |call: &&ChatCall<'_>| call.answer.is_none() && chat.next_side(call.turn) > turn;
    let waiting = chat.calls.iter().filter(is_before).rfind(waits);
    let hint = waiting
        .and_then(|call| call.id)
        .map_or_else(String::new, |id| format!("; the call {} has no answer", quoted(id)));
    format!("no call before has the id {}{hint}", quoted(id))
}

fn chat_call_id_repeated(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    if chat.calls.len() < 2 {
        return;
    }
    let mut by_id: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, call) in chat.calls.iter().enumerate() {
        if let Some(id) = call.id {
            by_id.entry(id).or_default().push(number);
        }
    }
    for (id, calls) in by_id.into_iter().filter(|(_, calls)| calls.len() > 1) {
        let answered = calls.iter().all(|call| chat.calls[*call].answer.is_some());
        let most = if answered { Severity::Note } else { Severity::Error };
        let first = chat.calls[calls[0]].turn;
        for call in calls.into_iter().skip(1).map(|call| &chat.calls[call]) {
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
            let message = "the message is not a call: JSON with a `name` and `arguments`";
            found.add(subject.location_of(position), message);
        }
    }
    for (call, fault) in faults(subject) {
        let why = match fault {
            CallFaultKind::Broken(why) => format!("not valid JSON: {why}"),
            CallFaultKind::NoObject(kind) => format!("{kind}, not an object"),
            _ => continue,
        };
        let message = format!("the arguments of {} are {why}", call.of.name);
        let diagnostic = found.add(location(subject, call), message);
        let text = arguments(call).unwrap_or_default();
        for mended in mended_objects(&text) {
            let applicability =
                if mended.is_sure { Applicability::Safe } else { Applicability::Unsafe };
            let title = format!("repair the JSON: {}", mended.what);
            diagnostic.fix(title, applicability, vec![set_json(call, mended.text)]);
        }
    }
}

fn chat_arguments_twice(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in faults(subject) {
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
            let edit = set_json(call, inside.clone());
            diagnostic.fix(title, Applicability::Safe, vec![edit]);
        } else if let Some(mended) = mended_objects(inside).into_iter().next() {
            let title = format!("{title} and repair the JSON: {}", mended.what);
            let edit = set_json(call, mended.text);
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
        }
    }
}

fn chat_tool_undeclared(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in faults(subject) {
        let CallFaultKind::Undeclared(resembling) = fault else {
            continue;
        };
        let message = format!("the tool {} is not declared", call.of.name);
        let diagnostic = found.add(subject.location_at(call.turn, call.of.at), message);
        let near = near(&call.of.name, resembling.iter().map(String::as_str));
        for this in &near {
            let edit =
                Edit::SetApi { turn: call.turn, call: call.call, name: this.name.to_owned() };
            diagnostic.fix(title(this), applicability(&near, this), vec![edit]);
        }
    }
}

fn chat_argument_unknown(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in faults(subject) {
        let CallFaultKind::Unknown { name, near: known } = fault else {
            continue;
        };
        let message = format!("{} does not accept \"{name}\"", call.of.name);
        let diagnostic = found.add(location_of(subject, call, name), message);
        let near = near(name, known.iter().map(String::as_str));
        for this in &near {
            if let Some(edit) = rename(call, name, this.name) {
                diagnostic.fix(title(this), applicability(&near, this), vec![edit]);
            }
        }
    }
}

fn chat_argument_missing(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in faults(subject) {
        if let CallFaultKind::Missing(name) = fault {
            let message = format!("{} lacks {name}", call.of.name);
            found.add(location(subject, call), message);
        }
    }
}

fn chat_argument_type(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in faults(subject) {
        let CallFaultKind::Type { name, expected, found: value, better } = fault else {
            continue;
        };
        let message = format!("{name} of {} should be {expected}, found {value}", call.of.name);
        let diagnostic = found.add(location_of(subject, call, name), message);
        if let Some((place, new)) = better
            && let Some(edit) = replace(call, name, place, new)
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

/// The types of the members of many dialogs, by the way to each member.
#[derive(Debug, Default)]
pub struct MemberTypes {
    /// The first one is the dialog itself.
    places: Vec<Place>,
    /// Large members of the last dialog.
    last: Vec<LastText>,
}

/// The last text of a member of a dialog. Tools are usually the same in all dialogs of a file, and are read
/// once.
#[derive(Debug)]
struct LastText {
    place: u32,
    text: Box<str>,
    /// How often the text has changed.
    changes: usize,
}

/// A member, or the elements of an array.
#[derive(Debug)]
struct Place {
    /// Empty for elements.
    key: Box<str>,
    is_element: bool,
    parent: u32,
    children: Vec<u32>,
    /// The place of all elements; 0 if there is none yet.
    elements: u32,
    /// By [`KINDS`].
    seen: [Option<Seen>; KINDS.len()],
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
        if self.places.is_empty() {
            self.places.push(Place::new("", 0));
        }
        let mut hint = 0;
        for (key, value) in root.members() {
            let Some(place) = self.member(0, key, &mut hint) else {
                return;
            };
            if value.raw().len() >= LARGE && self.is_known(place, value.raw()) {
                continue;
            }
            self.visit(place, value, (dialog, start), 0);
        }
    }

    /// True if a member of the dialog before has the same text.
    fn is_known(&mut self, place: u32, text: &str) -> bool {
        let Some(last) = self.last.iter_mut().find(|last| last.place == place) else {
            self.last.push(LastText { place, text: text.into(), changes: 0 });
            return false;
        };
        let is_known = *last.text == *text;
        // A member that changes all the time is not worth a copy.
        if !is_known && last.changes < CHANGES {
            last.changes += 1;
            last.text = text.into();
        }
        is_known
    }

    fn visit(&mut self, place: u32, value: Value<'_>, at: (usize, u64), depth: usize) {
        let kind = match value.kind() {
            NodeKind::String => 0,
            NodeKind::Number => 1,
            NodeKind::True | NodeKind::False => 2,
            NodeKind::Array => ARRAY,
            NodeKind::Object => OBJECT,
            _ => return,
        };
        let (dialog, start) = at;
        let seen = &mut self.places[place as usize].seen[kind];
        match seen {
            Some(seen) => seen.count += 1,
            None => {
                *seen =
                    Some(Seen { count: 1, dialog, offset: start + u64::from(value.range().start) });
            }
        }
        if depth > DEEPEST {
            return;
        }
        if kind == ARRAY {
            let child = self.elements(place);
            for element in value.elements() {
                self.visit(child, element, at, depth + 1);
            }
        } else if kind == OBJECT {
            let mut hint = 0;
            for (key, member) in value.members() {
                if let Some(child) = self.member(place, key, &mut hint) {
                    self.visit(child, member, at, depth + 1);
                }
            }
        }
    }

    /// Returns the place of the elements of `parent`.
    fn elements(&mut self, parent: u32) -> u32 {
        let known = self.places[parent as usize].elements;
        if known > 0 {
            return known;
        }
        let place = self.places.len() as u32;
        self.places.push(Place { is_element: true, ..Place::new("", parent) });
        self.places[parent as usize].elements = place;
        place
    }

    /// Returns the place of the member `key` of `parent`. Members usually come in one order: `hint` is the position
    /// of the next one.
    fn member(&mut self, parent: u32, key: Value<'_>, hint: &mut usize) -> Option<u32> {
        let children = &self.places[parent as usize].children;
        let is_it = |child: &u32| key.is_text(&self.places[*child as usize].key);
        let next = children.get(*hint).filter(|child| is_it(child));
        let place = match next {
            Some(_) => Some(*hint),
            None => children.iter().position(is_it),
        };
        match place {
            Some(place) => {
                *hint = place + 1;
                Some(children[place])
            }
            None => self.child(parent, &key.as_str().unwrap_or_default()),
        }
    }

    /// Returns the place of `key` in `parent`; None if that has too many keys.
    fn child(&mut self, parent: u32, key: &str) -> Option<u32> {
        let children = &self.places[parent as usize].children;
        let known = children.iter().copied();
        let found = known.clone().find(|child| *self.places[*child as usize].key == *key);
        if found.is_some() || children.len() > MOST {
            return found;
        }
        let child = self.places.len() as u32;
        self.places.push(Place::new(key, parent));
        self.places[parent as usize].children.push(child);
        Some(child)
    }

    /// Adds the types of dialogs that follow those of `self`.
    pub fn join(&mut self, later: Self) {
        if self.places.is_empty() {
            *self = later;
            return;
        }
        // A parent comes before its children.
        let mut own: Vec<Option<u32>> = Vec::with_capacity(later.places.len());
        for (number, place) in later.places.into_iter().enumerate() {
            let here = match number {
                0 => Some(0),
                _ => own[place.parent as usize].and_then(|parent| {
                    if place.is_element {
                        Some(self.elements(parent))
                    } else {
                        self.child(parent, &place.key)
                    }
                }),
            };
            own.push(here);
            let Some(here) = here else {
                continue;
            };
            let seen = &mut self.places[here as usize].seen;
            for (seen, more) in seen.iter_mut().zip(place.seen) {
                *seen = match (*seen, more) {
                    (Some(first), Some(more)) => {
                        Some(Seen { count: first.count + more.count, ..first })
                    }
                    (first, more) => first.or(more),
                };
            }
        }
    }

    /// Returns the problems, each with the position of its dialog and its byte offset in the file.
    pub fn problems(&self, selection: &Selection) -> Vec<(usize, u64, Diagnostic)> {
        let Some(rule) = selection.selected("chat-mixed-types") else {
            return Vec::new();
        };
        let mut all = Vec::new();
        let open = |place: &Place| place.children.len() <= MOST;
        for (number, place) in self.places.iter().enumerate().skip(1) {
            let is_column = open(&self.places[place.parent as usize]);
            let seen = || place.seen.iter().zip(KINDS).filter_map(|(s, kind)| Some(((*s)?, kind)));
            let usual = seen().max_by_key(|(seen, _)| (seen.count, std::cmp::Reverse(seen.dialog)));
            let Some((usual, kind)) = usual.filter(|_| is_column) else {
                continue;
            };
            for (other, odd) in seen().filter(|(_, other)| *other != kind) {
                let name = self.name(number);
                let message =
                    format!("`{name}` is {odd} here, but {kind} in dialog {}", usual.dialog);
                let problem = rule.problem(Location::default(), message);
                all.push((other.dialog, other.offset, problem));
            }
        }
        all
    }

    /// Returns the way to a place: `messages[].content`.
    fn name(&self, number: usize) -> String {
        let place = &self.places[number];
        let before = match place.parent {
            0 => return place.key.to_string(),
            parent => self.name(parent as usize),
        };
        if place.is_element { format!("{before}[]") } else { format!("{before}.{}", place.key) }
    }
}

impl Place {
    fn new(key: &str, parent: u32) -> Self {
        Self {
            key: key.into(),
            is_element: false,
            parent,
            children: Vec::new(),
            elements: 0,
            seen: [None; KINDS.len()],
        }
    }
}

/// Returns the faults of calls, each with its call.
pub fn faults<'s, 'a>(
    subject: &'s Subject<'a>,
) -> impl Iterator<Item = (&'s ChatCall<'a>, &'s CallFaultKind)> {
    let calls = subject.tool_calls();
    let faults = subject.call_faults().iter();
    faults.filter_map(move |CallFault { call, what }| Some((calls.get(*call)?, what)))
}

/// Returns the place of the arguments of a call, or of the call.
pub fn location(subject: &Subject<'_>, call: &ChatCall<'_>) -> Location {
    let at = match &call.of.arguments {
        Some(Payload::Embedded { at, .. } | Payload::Text { at, .. }) => *at,
        _ => call.of.at,
    };
    subject.location_at(call.turn, at)
}

/// Returns the place of the argument `name` of a call.
pub fn location_of(subject: &Subject<'_>, call: &ChatCall<'_>, name: &str) -> Location {
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

/// Returns the edit that replaces the JSON text of a call's arguments.
pub fn set_json(call: &ChatCall<'_>, text: String) -> Edit {
    Edit::SetJson { turn: call.turn, call: call.call, part: CallPart::Arguments, text }
}

/// Returns the edit that renames the argument `name`; None if it is inside another one.
pub fn rename(call: &ChatCall<'_>, name: &str, to: &str) -> Option<Edit> {
    if let Some(Payload::Fields(fields)) = &call.of.arguments {
        let is_there = fields.iter().any(|field| field.name == name);
        return is_there.then(|| Edit::RenameValue {
            turn: call.turn,
            call: call.call,
            part: CallPart::Arguments,
            name: name.to_owned(),
            to: to.to_owned(),
        });
    }
    patched(call, |tree, editor| {
        let (key, _) = tree.root().member(name)?;
        Some(editor.set_string(key, to))
    })
}

/// Returns the edit that writes `new`, a JSON value, at the bytes `place` of the arguments, which hold the argument
/// `name`; None if that is not possible.
pub fn replace(call: &ChatCall<'_>, name: &str, place: &Range<usize>, new: &str) -> Option<Edit> {
    if let Some(Payload::Fields(fields)) = &call.of.arguments {
        fields.iter().find(|field| field.name == name)?;
        let mut parser = Parser::new();
        let tree = parser.parse_str(new).ok()?;
        let value = tree.root();
        let value = match value.kind() {
            NodeKind::String => EditValue::Text(value.as_str()?.into_owned()),
            _ => EditValue::Spelled { json: new.to_owned() },
        };
        return Some(Edit::SetValue {
            turn: call.turn,
            call: call.call,
            part: CallPart::Arguments,
            name: name.to_owned(),
            value,
        });
    }
    patched(call, |tree, editor| {
        let value = tree.value_at(u32::try_from(place.start).ok()?)?;
        Some(editor.replace(value, &NewValue::Raw(new.to_owned())))
    })
}

/// Returns the edit that changes one value of arguments that are JSON in a string.
fn patched(
    call: &ChatCall<'_>,
    change: impl for<'t> FnOnce(&'t Tree<'t>, &Editor<'t>) -> Option<Splice>,
) -> Option<Edit> {
    let text = arguments(call)?;
    let mut parser = Parser::new();
    let tree = parser.parse_str(&text).ok()?;
    let editor = Editor::new(&tree, Escapes::seen_in(&text));
    let patch = Patch::new(vec![change(&tree, &editor)?]).ok()?;
    Some(set_json(call, patch.apply(&text)))
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
