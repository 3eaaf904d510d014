//! A chat as its rules see it: roles of turns and the turns that answer calls, and the faults in calls and their arguments,
//! by their JSON and by the tools that the chat declares.

use std::borrow::Cow;

use foldhash::HashSet;

use crate::dialog::{Dialog, LOST_ANSWER, Payload, Role};
use crate::format::{ChatForm, ChatRole, tools_in_text};
use crate::json::{NodeKind, Parser, Position, Tree, Value};
use crate::lint::facts::call::Call;
use crate::lint::facts::schema_check::{self, SchemaFault};
use crate::ontology::near;

/// The turns of a chat, and the answers to its calls.
#[derive(Debug)]
pub struct Chat {
    pub form: &'static ChatForm,
    /// The role of every turn.
    pub roles: Vec<ChatRole>,
    /// For every call of the dialog, the turn with its answer.
    pub answers: Vec<Option<usize>>,
    /// For every turn, whether it holds an answer to no call.
    lost: Vec<bool>,
}

impl Chat {
    pub(super) fn new(form: &'static ChatForm, dialog: &Dialog, calls: &[Call<'_>]) -> Self {
        let turns = &dialog.turns;
        let answer = |call: &Call<'_>| {
            let start = call.of.response_place()?.start;
            turns.iter().rposition(|turn| (turn.at.start..turn.at.end).contains(&start))
        };
        Self {
            form,
            roles: turns.iter().map(|turn| form.role_of(turn)).collect(),
            answers: calls.iter().map(answer).collect(),
            lost: turns.iter().map(|turn| turn.unread.has(LOST_ANSWER)).collect(),
        }
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

/// A fault of a call, given by its position among the calls of the dialog.
#[derive(Debug)]
pub struct CallFault {
    pub call: usize,
    pub what: CallFaultKind,
}

#[derive(Debug)]
pub enum CallFaultKind {
    /// The arguments are not JSON; the reason, with line and column.
    Broken(String),
    /// They are JSON, but not an object; the kind of value.
    NoObject(&'static str),
    /// They are a string with JSON; this is the JSON.
    Twice(String),
    /// No declared tool has the name of the call; those that do resemble it.
    Undeclared(Vec<String>),
    /// An argument is not as the tool declares it.
    Argument(SchemaFault),
}

/// The most faults to find in one call.
const MOST: usize = 50;

/// How often a text is decoded to see whether it is JSON inside JSON.
const DEEPEST: usize = 4;

/// Returns the faults of all calls of a chat.
pub(super) fn faults(
    root: Value<'_>,
    form: &ChatForm,
    dialog: &Dialog,
    calls: &[Call<'_>],
) -> Vec<CallFault> {
    let declared = root.get(form.tools_key);
    let mut own = Parser::new();
    let in_text = || declared_in_text(dialog).map(Cow::Owned);
    let text = declared.map_or_else(in_text, Value::as_str);
    match text {
        // The tools may be JSON in a string.
        Some(text) => match own.parse_str(&text) {
            Ok(tree) => faults_by(&tools(tree.root()), calls),
            Err(_) => faults_by(&[], calls),
        },
        None => faults_by(&declared.map_or_else(Vec::new, tools), calls),
    }
}

/// Returns the faults of calls by the APIs that a dialog of another form declares. Whether their arguments are
/// JSON is the business of the rules on calls, except in a session of an agent.
pub(super) fn faults_by_declarations(
    declarations: &[Value<'_>],
    calls: &[Call<'_>],
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
        CallFaultKind::Argument(_) => true,
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

fn faults_by(tools: &[Tool<'_>], calls: &[Call<'_>]) -> Vec<CallFault> {
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
    call: &Call<'_>,
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
    let Some(text) = call.json() else {
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
    // An argument with a misspelled name is not missing.
    let meant: HashSet<String> = faults.iter().filter_map(SchemaFault::meant).cloned().collect();
    let is_other =
        |fault: &SchemaFault| !matches!(fault, SchemaFault::Missing(name) if meant.contains(name));
    found.extend(faults.into_iter().filter(is_other).map(CallFaultKind::Argument));
}
