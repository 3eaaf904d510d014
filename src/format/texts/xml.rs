//! Calls that an agent writes as XML into its text, as Cline and Roo Code do: `<read_file><path>…</path></read_file>`.
//!
//! The next message of the user begins the answer to each with `[read_file for '…'] Result:`. Both texts stay as they are;
//! calls and answers are shown beside them, and edited as text. Only names of tools that these programs have are calls. Where
//! the call is a part of its message, its answer may be such a text, too. A message that begins with one is not the user's
//! words, unless the tool asks the user.

use memchr::{memchr, memmem};

use super::Parts;
use crate::dialog::{ApiCall, Content, Extent, Field, Payload, Role, Turn};

const TOOLS: [&str; 28] = [
    "access_mcp_resource",
    "apply_diff",
    "ask_followup_question",
    "attempt_completion",
    "browser_action",
    "codebase_search",
    "condense",
    "edit_file",
    "execute_command",
    "fetch_instructions",
    "generate_image",
    "insert_content",
    "list_code_definition_names",
    "list_files",
    "new_rule",
    "new_task",
    "plan_mode_respond",
    "read_file",
    "replace_in_file",
    "report_bug",
    "run_slash_command",
    "search_and_replace",
    "search_files",
    "switch_mode",
    "update_todo_list",
    "use_mcp_tool",
    "web_fetch",
    "write_to_file",
];

/// Those that the user answers.
const ASKING: [&str; 4] =
    ["ask_followup_question", "attempt_completion", "new_task", "plan_mode_respond"];

/// The arguments that may hold anything, also tags of their own name.
const WHOLE: [&str; 2] = ["content", "diff"];

/// The tags that these programs put around the words of the user.
const TASK: &str = "<task>";
const ENVIRONMENT: &str = "<environment_details>";

/// The end of the first line of an answer.
const RESULT: &str = "] Result:";

/// Gives the turns of a dialog the calls in their texts, in place of those that they have, and the answers to these. A
/// dialog that does not begin as those of such a program do has none.
pub fn read(turns: &mut [Turn]) {
    let first = turns.iter().find(|turn| turn.speaker.role == Role::User);
    let is_one = |turn: &&Turn| {
        let has = memmem::find(turn.text.as_bytes(), ENVIRONMENT.as_bytes()).is_some();
        has || turn.text.starts_with(TASK)
    };
    let Some(first) = first.filter(is_one) else {
        return;
    };
    let user = first.speaker.name.clone();
    let mut rest = turns;
    while let [turn, later @ ..] = rest {
        if turn.speaker.role == Role::System {
            turn.calls.retain(|call| !call.in_text);
            let Parts { mut calls, unread } = calls(&turn.text, turn.at);
            let next = later.first_mut().filter(|next| next.speaker.name == user);
            if let Some(next) = next {
                let open = turn.calls.iter_mut();
                let open = open.filter(|call| call.response_place().is_none());
                let asked: Vec<_> = open.chain(&mut calls).collect();
                let is_answer = |call: &&mut ApiCall| {
                    let asks = ASKING.contains(&call.name.as_str());
                    !asks && start(&next.text, &call.name) == Some(0)
                };
                if asked.iter().any(is_answer) {
                    next.set_aside();
                    answer(asked, &next.text);
                } else if next.speaker.role == Role::User {
                    answer(asked, &next.text);
                }
            }
            turn.calls.extend(calls);
            turn.unread.join(&unread);
        }
        rest = later;
    }
}

/// The kind of those that break off.
const BROKEN: &str = "call as XML";

/// Returns the calls of a text: elements named like tools.
fn calls(text: &str, at: Extent) -> Parts {
    let mut parts = Parts::default();
    let mut rest = text;
    while let Some(start) = memchr(b'<', rest.as_bytes()) {
        rest = &rest[start..];
        let tool = tag(rest).filter(|(name, _)| TOOLS.contains(name));
        let Some((name, inner)) = tool else {
            rest = &rest[1..];
            continue;
        };
        let end = inner.find(&format!("</{name}>")).unwrap_or(inner.len());
        let Some(arguments) = arguments(&inner[..end], at).filter(|_| end < inner.len()) else {
            // In prose, a name is followed by other words; a call may come behind them.
            let is_broken = tag(inner.trim_start()).is_some();
            parts.unread.add(BROKEN.into(), u64::from(is_broken));
            rest = inner;
            continue;
        };
        parts.calls.push(ApiCall {
            name: name.into(),
            arguments: Some(Payload::Fields(arguments)),
            in_text: true,
            at,
            ..ApiCall::default()
        });
        rest = &inner[end..];
    }
    parts
}

/// Returns the name of the element that a text begins with, and what is behind its opening tag.
fn tag(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix('<')?.split_once('>')?;
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    (!name.is_empty() && name.bytes().all(is_name)).then_some((name, rest))
}

/// Returns the arguments of a call that consists of nothing else; None for any other text.
fn arguments(text: &str, at: Extent) -> Option<Vec<Field>> {
    let mut all = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, inner) = tag(rest)?;
        let close = format!("</{name}>");
        let end = if WHOLE.contains(&name) { inner.rfind(&close)? } else { inner.find(&close)? };
        let value = Content::Text(inner[..end].trim_matches('\n').into());
        all.push(Field::known(name, value, at));
        rest = inner[end + close.len()..].trim_start();
    }
    (!all.is_empty()).then_some(all)
}

/// Gives calls their answers in the text of the next turn, which has them in the same order.
fn answer(calls: Vec<&mut ApiCall>, text: &str) {
    let mut rest = Some(text);
    let mut calls = calls.into_iter().peekable();
    while let Some(call) = calls.next() {
        let Some(said) = rest.and_then(|rest| behind(rest, &call.name)) else {
            continue;
        };
        let next = calls.peek().and_then(|next| start(said, &next.name));
        let end = next.unwrap_or(said.len());
        let end = said[..end].find(ENVIRONMENT).unwrap_or(end);
        call.response = Some(Payload::Text {
            text: said[..end].trim().into(),
            // It is edited in its own turn.
            at: Extent::default(),
        });
        rest = Some(&said[end..]);
    }
}

/// Returns the place of the line that begins the answer to a call of a tool.
fn start(text: &str, tool: &str) -> Option<usize> {
    let open = format!("[{tool}");
    let mut all = memmem::find_iter(text.as_bytes(), open.as_bytes());
    all.find(|at| {
        let begins = *at == 0 || text[..*at].ends_with('\n');
        begins && text[at + open.len()..].starts_with([' ', ']'])
    })
}

/// Returns what is behind that line.
fn behind<'t>(text: &'t str, tool: &str) -> Option<&'t str> {
    let line = &text[start(text, tool)?..];
    Some(&line[line.find(RESULT)? + RESULT.len()..])
}
