//! A chat as its rules see it: roles of turns, calls with their ids and the turns that answer them, and the faults in calls
//! and their arguments, by their JSON and by the tools that the chat declares.

use std::borrow::Cow;
use std::ops::Range;

use foldhash::HashSet;

use crate::dialog::{ApiCall, Dialog, LOST_ANSWER, Payload, Role};
use crate::format::{ChatForm, ChatRole, call_id, tools_in_text};
use crate::json::{NodeKind, Parser, Position, Tree, Value};
use crate::lint::facts::schema_check::{self, SchemaFault};
use crate::ontology::near;

/// The turns and calls of a chat.
#[derive(Debug)]
pub struct Chat<'a> {
    pub form: &'static ChatForm,
    /// The role of every turn.
    pub roles: Vec<ChatRole>,
    /// Every call, in the order of the turns.
    pub calls: Vec<ChatCall<'a>>,
    /// For every turn, the position in `calls` of the first call that it answers.
    pub answers: Vec<Option<usize>>,
    /// For every turn, whether it holds an answer to no call.
    lost: Vec<bool>,
}

/// A call of a tool.
#[derive(Debug)]
pub struct ChatCall<'a> {
    pub turn: usize,
    /// Position in the turn.
    pub call: usize,
    pub of: &'a ApiCall,
    pub id: Option<&'a str>,
    /// The turn with its answer.
    pub answer: Option<usize>,
}

/// Returns every call of a dialog, in the order of the turns, without the turns that answer them.
pub(super) fn calls(dialog: &Dialog) -> Vec<ChatCall<'_>> {
    let mut all = Vec::new();
    for (turn, of) in dialog.turns.iter().enumerate() {
        all.extend(of.calls.iter().enumerate().map(|(call, of)| ChatCall {
            turn,
            call,
            of,
            id: call_id(of),
            answer: None,
        }));
    }
    all
}

impl<'a> Chat<'a> {
    pub(super) fn new(form: &'static ChatForm, dialog: &'a Dialog) -> Self {
        let turns = || dialog.turns.iter().enumerate();
        let roles = turns().map(|(_, turn)| form.role_of(turn));
        let mut chat = Self {
            form,
            roles: roles.collect(),
            calls: calls(dialog),
            answers: vec![None; dialog.turns.len()],
            lost: dialog.turns.iter().map(|turn| turn.unread.has(LOST_ANSWER)).collect(),
        };
        let mut places = Vec::new();
        for (number, call) in chat.calls.iter().enumerate() {
            let answer = call.of.response_place();
            places.extend(answer.map(|at| (at.start, number)));
        }
        places.sort_unstable();
        for (turn, of) in turns() {
            let place = places.partition_point(|(start, _)| *start < of.at.start);
            let here = places[place..].iter();
            for (_, call) in here.take_while(|(start, _)| *start < of.at.end) {
                chat.answers[turn].get_or_insert(*call);
                chat.calls[*call].answer = Some(turn);
            }
        }
        chat
    }

    /// True if a turn is the answer of a tool, but of no call.
    pub fn is_orphan(&self, turn: usize) -> bool {
        self.roles[turn] == ChatRole::Tool && self.lost[turn]
    }

    /// Returns the first user or assistant turn after `turn`; the number of turns if there is none.
    pub fn next_side(&self, turn: usize) -> usize {
        let after = self.roles.iter().enumerate().skip(turn + 1);
        let mut sides =
            after.filter(|(_, role)| matches!(role, ChatRole::User | ChatRole::Assistant));
        sides.next().map_or(self.roles.len(), |(next, _)| next)
    }
}

/// A fault of a call, given by its position among the calls of the chat.
#[derive(Debug)]
pub struct CallFault {
    pub call: usize,
    pub what: CallFaultKind,
}

#[derive(Debug, PartialEq)]
pub enum CallFaultKind {
    /// The arguments are not JSON; the reason, with line and column.
    Broken(String),
    /// They are JSON, but not an object; the kind of value.
    NoObject(&'static str),
    /// They are a string with JSON; this is the JSON.
    Twice(String),
    /// No declared tool has the name of the call; those that do resemble it.
    Undeclared(Vec<String>),
    /// The tool does not have this argument; its arguments with similar names that the call lacks.
    Unknown { name: String, near: Vec<String> },
    /// A required argument is missing.
    Missing(String),
    /// A value of the wrong type.
    Type {
        /// The name of the argument, and the way to the value inside it.
        name: String,
        expected: String,
        found: String,
        /// A new text for bytes of the arguments, if it is clear how the value is meant.
        better: Option<(Range<usize>, String)>,
    },
}

/// The most faults to find in one call.
const MOST: usize = 50;

/// How often a text is decoded to see whether it is JSON inside JSON.
const DEEPEST: usize = 4;

/// Returns the faults of all calls of a chat.
pub(super) fn faults(root: Value<'_>, chat: &Chat<'_>, dialog: &Dialog) -> Vec<CallFault> {
    if chat.calls.is_empty() {
        return Vec::new();
    }
    let declared = root.get(chat.form.tools_key);
    let mut own = Parser::new();
    let in_text = || declared_in_text(dialog).map(Cow::Owned);
    let text = declared.map_or_else(in_text, Value::as_str);
    match text {
        // The tools may be JSON in a string.
        Some(text) => match own.parse_str(&text) {
            Ok(tree) => faults_by(&tools(tree.root()), &chat.calls),
            Err(_) => faults_by(&[], &chat.calls),
        },
        None => faults_by(&declared.map_or_else(Vec::new, tools), &chat.calls),
    }
}

/// Returns the faults of calls by the APIs that a dialog of another form declares. Whether their arguments are
/// JSON is the business of the rules on calls, except in a session of an agent.
pub(super) fn faults_by_declarations(
    declarations: &[Value<'_>],
    calls: &[ChatCall<'_>],
    is_session: bool,
) -> Vec<CallFault> {
    let tools: Vec<_> = declarations.iter().copied().filter_map(tool).collect();
    // Tools of the service itself have no name.
    let all_are_named = tools.len() == declarations.len();
    let is_json = |call: usize| matches!(calls[call].of.arguments, Some(Payload::Embedded { .. }));
    let by_name = |fault: &CallFault| match fault.what {
        CallFaultKind::Broken(_) | CallFaultKind::NoObject(_) | CallFaultKind::Twice(_) => {
            is_session && is_json(fault.call)
        }
        CallFaultKind::Undeclared(_) => all_are_named,
        _ => true,
    };
    let all = faults_by(&tools, calls);
    all.into_iter().filter(by_name).collect()
}

/// True if a chat declares its tools, so that no other ontology is asked.
pub(super) fn declares_tools(root: Value<'_>, form: &ChatForm, dialog: &Dialog) -> bool {
    match root.get(form.tools_key).map(|tools| (tools, tools.as_str())) {
        Some((_, Some(text))) => text.trim_start().starts_with('[') && text.contains('{'),
        Some((tools, None)) => tools.elements().next().is_some(),
        None => declared_in_text(dialog).is_some(),
    }
}

/// Returns the tools that the instructions before a chat declare, as a JSON list.
fn declared_in_text(dialog: &Dialog) -> Option<String> {
    let turns = dialog.turns.iter();
    let mut before = turns.take_while(|turn| turn.speaker.role == Role::Context);
    before.find_map(|turn| tools_in_text(&turn.text))
}

/// A declared tool.
struct Tool<'t> {
    name: Cow<'t, str>,
    parameters: Option<Value<'t>>,
}

/// Returns the tools in a list of declarations: `{"type": "function", "function": {...}}`, or only the inside. The
/// arguments are described by its `parameters`, in Anthropic's API by its `input_schema`.
fn tools(list: Value<'_>) -> Vec<Tool<'_>> {
    list.elements().filter_map(tool).collect()
}

fn tool(declaration: Value<'_>) -> Option<Tool<'_>> {
    let inner = declaration.get("function").unwrap_or(declaration);
    Some(Tool {
        name: inner.get("name")?.as_str()?,
        parameters: (inner.get("parameters")).or_else(|| inner.get("input_schema")),
    })
}

fn faults_by(tools: &[Tool<'_>], calls: &[ChatCall<'_>]) -> Vec<CallFault> {
    let mut parser = Parser::new();
    let mut all = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        let mut found = Vec::new();
        of_call(call, tools, &mut parser, &mut found);
        found.truncate(MOST);
        all.extend(found.into_iter().map(|what| CallFault { call: number, what }));
    }
    all
}

fn of_call(
    call: &ChatCall<'_>,
    tools: &[Tool<'_>],
    parser: &mut Parser,
    found: &mut Vec<CallFaultKind>,
) {
    let tool = tools.iter().find(|tool| tool.name == call.of.name.as_str());
    if tool.is_none() && !tools.is_empty() && !call.of.name.is_empty() {
        let near = near(&call.of.name, tools.iter().map(|tool| &*tool.name));
        let near = near.iter().map(|near| near.name.to_owned()).collect();
        found.push(CallFaultKind::Undeclared(near));
    }
    let Some(text) = arguments(call) else {
        return by_schema(None, tool, found);
    };
    match parser.parse_str(&text) {
        Ok(tree) if tree.root().kind() == NodeKind::Object => {
            by_schema(Some(tree), tool, found);
        }
        Ok(tree) => found.push(match decoded(tree.root()) {
            Some(inside) => CallFaultKind::Twice(inside),
            None => CallFaultKind::NoObject(tree.root().kind().name()),
        }),
        Err(error) => {
            let place = Position::of(text.as_bytes(), error.at);
            found.push(CallFaultKind::Broken(format!("{error}, at {place}")));
        }
    }
}

/// Returns the arguments of a call as JSON; None if it has none.
pub fn arguments<'a>(call: &ChatCall<'a>) -> Option<Cow<'a, str>> {
    match call.of.arguments.as_ref()? {
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => Some(Cow::Borrowed(text)),
        Payload::Fields(fields) => {
            let quoted = |text: &str| serde_json::Value::from(text).to_string();
            let member = |field: &crate::dialog::Field| {
                let value = match &field.content {
                    crate::dialog::Content::Text(text) => quoted(text),
                    crate::dialog::Content::Raw(raw) => raw.to_string(),
                };
                format!("{}: {value}", quoted(&field.name))
            };
            let members: Vec<_> = fields.iter().map(member).collect();
            Some(Cow::Owned(format!("{{{}}}", members.join(", "))))
        }
    }
}

/// Returns the JSON object inside a string, however often it is encoded; also one that is broken.
fn decoded(value: Value<'_>) -> Option<String> {
    let mut text = value.as_str()?.into_owned();
    for _ in 0..DEEPEST {
        if text.trim_start().starts_with('{') {
            return Some(text);
        }
        let mut parser = Parser::new();
        text = parser.parse_str(&text).ok()?.root().as_str()?.into_owned();
    }
    None
}

/// Checks arguments against the declaration of their tool. Missing arguments are an empty object.
fn by_schema(tree: Option<Tree<'_>>, tool: Option<&Tool<'_>>, found: &mut Vec<CallFaultKind>) {
    let Some(schema) = tool.and_then(|tool| tool.parameters) else {
        return;
    };
    let faults = match &tree {
        Some(tree) => schema_check::check(schema, tree.root(), MOST),
        None => {
            let mut parser = Parser::new();
            let Ok(none) = parser.parse_str("{}") else {
                return;
            };
            schema_check::check(schema, none.root(), MOST)
        }
    };
    if faults.is_empty() {
        return;
    }
    let meant: HashSet<&String> = faults.iter().filter_map(SchemaFault::meant).collect();
    for fault in &faults {
        found.push(match fault {
            SchemaFault::Missing(name) if meant.contains(name) => continue,
            SchemaFault::Missing(name) => CallFaultKind::Missing(name.clone()),
            SchemaFault::Unknown { name, near } => {
                CallFaultKind::Unknown { name: name.clone(), near: near.clone() }
            }
            SchemaFault::Type { name, expected, found, better } => CallFaultKind::Type {
                name: name.clone(),
                expected: expected.clone(),
                found: found.clone(),
                better: better.clone(),
            },
        });
    }
}
