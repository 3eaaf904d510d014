//! Calls that failed, as a mark beside the answer says, or the answer itself.

use serde_json::{Map, Value};

use super::model::{ApiCall, Content, Dialog, Field, Payload};

impl ApiCall {
    /// True if a mark beside its answer says that it failed, or else the answer: a member `error`, an exit code, or a text
    /// that begins so. A mark that says otherwise is believed.
    pub fn has_failed(&self) -> bool {
        let is_fine = |field: &Field| match field.content.as_str() {
            "true" => field.name == "success",
            "false" => is_error(&field.name),
            "0" => is_code(&field.name),
            _ => false,
        };
        self.failures().next().is_some()
            || !self.marks().any(is_fine) && self.response.as_ref().is_some_and(says_failure)
    }

    /// Returns the marks beside its answer that say that it failed, and why.
    pub fn failures(&self) -> impl Iterator<Item = &Field> {
        let is_silent = || match &self.response {
            Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => is_blank(text),
            Some(Payload::Fields(_)) | None => false,
        };
        let is_fine = move |field: &Field| match field.content.as_str() {
            "true" | "false" if field.name == "success" => field.content.as_str() == "true",
            "1" if is_code(&field.name) => is_silent(),
            value => FINE.contains(&value),
        };
        self.marks().filter(move |field| !is_fine(field))
    }
}

/// The values of marks of calls that did not fail.
const FINE: [&str; 6] = ["", "null", "false", "0", "success", "completed"];

/// True for the exit code of a program that failed. With 1 and not a word, as of `grep` without a match, it says no.
fn is_failing(code: i64, is_silent: bool) -> bool {
    code != 0 && !(code == 1 && is_silent)
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

impl Dialog {
    /// Returns the turn of each call that failed, and its position there.
    pub fn failed_calls(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        let turns = self.turns.iter().enumerate();
        turns.flat_map(|(turn, of)| {
            let calls = of.calls.iter().enumerate();
            let failed = calls.filter(|(_, call)| call.has_failed());
            failed.map(move |(call, _)| (turn, call))
        })
    }
}

/// True for an answer that says that the call failed.
fn says_failure(answer: &Payload) -> bool {
    match answer {
        Payload::Fields(fields) => {
            let value = |field: &Field| match &field.content {
                Content::Text(text) => Value::from(text.as_str()),
                Content::Raw(raw) => serde_json::from_str(raw).unwrap_or_default(),
            };
            let members = fields.iter().map(|field| (field.name.as_str(), value(field)));
            let members: Vec<_> = members.collect();
            members_say_failure(&members.iter().map(|(name, value)| (*name, value)))
        }
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => text_says_failure(text),
    }
}

/// As [`says_failure`], of an answer that is an object. The text of its output says it, too, unless an exit code of 0 is
/// beside it.
fn members_say_failure<'m>(members: &(impl Iterator<Item = (&'m str, &'m Value)> + Clone)) -> bool {
    let is_only = members.clone().nth(1).is_none();
    let is_fine = || members.clone().any(|(name, value)| is_success(name, value));
    let is_output = |name: &str, value: &Value| match last_of(name) {
        "output" => true,
        "content" | "result" | "results" => is_only || value.is_object(),
        _ => is_only,
    };
    let mut outputs = members.clone().filter(|(name, value)| is_output(name, value));
    let is_printed = |name| matches!(name, "output" | "stdout" | "stderr" | "content" | "result");
    let mut printed = members.clone().filter(|(name, _)| is_printed(last_of(name))).peekable();
    let is_silent =
        printed.peek().is_some() && printed.all(|(_, value)| value.as_str().is_some_and(is_blank));
    members.clone().any(|(name, value)| is_failure(name, value, is_silent))
        || !is_fine() && outputs.any(|(_, value)| value_says_failure(value))
}

fn value_says_failure(value: &Value) -> bool {
    match value {
        Value::String(text) => text_says_failure(text),
        Value::Object(members) => members_say_failure(&named(members)),
        // The parts of an answer by the Model Context Protocol.
        Value::Array(parts) => {
            let first = parts.first().and_then(|part| part.get("text")?.as_str());
            first.is_some_and(begins_with_failure)
        }
        _ => false,
    }
}

/// As [`says_failure`], of an answer that is a text, which may be JSON.
fn text_says_failure(text: &str) -> bool {
    let text = text.trim_start();
    if (text.starts_with('{') || text.starts_with("[{"))
        && let Ok(value) = serde_json::from_str(text)
    {
        return value_says_failure(&value);
    }
    begins_with_failure(text)
}

fn named(members: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> + Clone {
    members.iter().map(|(name, value)| (name.as_str(), value))
}

/// True for a text that begins with "Error:" or other words of a failure, or with the exit code of a program that failed
/// in one of its first lines.
fn begins_with_failure(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let error = after(first, "error");
    let is_error = error.is_some_and(|rest| {
        let rest = rest.trim_end();
        let told = rest.strip_prefix(':');
        rest.is_empty()
            || told.is_some_and(|told| told.trim().is_empty() || !is_nothing(told.trim()))
    });
    let code =
        |line: &str| EXIT_CODES.iter().find_map(|words| after(line, words)).and_then(code_in);
    // Some tell the exit code behind all that a command has printed.
    let mut reports = ["command:", "output:"].into_iter();
    let told = if reports.any(|word| after(first, word).is_some()) {
        text.lines().rev().take(LINES).find_map(code)
    } else {
        text.lines().take(LINES).find_map(code)
    };
    let is_silent = text.trim_end().ends_with("Output:");
    is_error
        || FAILED.iter().any(|words| after(first, words).is_some())
        || begins_with_exception(first)
        || is_of_shell(first)
        || told.is_some_and(|code| is_failing(code, is_silent))
}

/// True for a line in which a shell or a program says that it did not find or may not open something, such as
/// `sh: xxd: command not found`.
fn is_of_shell(line: &str) -> bool {
    let line = line.trim_end().trim_end_matches([')', '.']);
    let begins = line.split_once(": ").is_some_and(|(name, _)| !name.contains(char::is_whitespace));
    let says = |words: &str| {
        let start = line.len().checked_sub(words.len());
        let end = start.and_then(|start| line.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(words))
    };
    begins && REFUSED.into_iter().any(says)
}

/// True for a line that begins with the name of an exception of Python, such as `ValueError: bad`.
fn begins_with_exception(line: &str) -> bool {
    let Some((name, rest)) = line.split_once(':') else {
        return false;
    };
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || "_.".contains(c));
    let mut ends = ["Error", "Exception"].into_iter();
    let is_exception = ends.any(|end| name.len() > end.len() && name.ends_with(end));
    is_name && is_exception && rest.chars().next().is_none_or(char::is_whitespace)
}

/// How Python, Claude Code, Codex and SWE-agent begin to tell what went wrong.
const FAILED: [&str; 7] = [
    "Traceback (most recent call last):",
    "<tool_use_error>",
    "tool call error:",
    "apply_patch verification failed",
    "failed in sandbox",
    "EXECUTION TIMED OUT",
    "Your proposed edit has introduced new syntax error",
];

/// How a line ends in which a program says why it could not begin.
const REFUSED: [&str; 4] =
    ["command not found", "No such file or directory", "No such file", "Permission denied"];

/// The lines of an answer in which an exit code may be.
const LINES: usize = 8;

/// The words before an exit code in a text.
const EXIT_CODES: [&str; 4] =
    ["exit code:", "exit code", "process exited with code", "<returncode>"];

/// Returns the rest of a text that begins with these words, in capitals or not.
fn after<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(words.len())?;
    start.eq_ignore_ascii_case(words).then_some(rest)
}

/// Returns the number that a text begins with, unless words follow it.
fn code_in(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with('-'));
    let end = text[sign..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |end| sign + end);
    let (number, rest) = text.split_at(end);
    let has_words = rest.trim_start().starts_with(char::is_alphanumeric);
    number.parse().ok().filter(|_| !has_words)
}

/// True for a member of an answer that says that the call failed: by its name, or the last of its names. With an answer
/// that `is_silent`, a program may have said no.
fn is_failure(name: &str, value: &Value, is_silent: bool) -> bool {
    match last_of(name) {
        "error" | "errors" => is_something(value),
        "success" | "ok" => *value == Value::Bool(false),
        "status" => value.as_str() == Some("error"),
        last if is_error(last) => is_something(value),
        last if is_code(last) => {
            let code = value.as_i64().or_else(|| code_in(value.as_str()?));
            code.is_some_and(|code| is_failing(code, is_silent))
        }
        "metadata" => value.as_object().is_some_and(|members| {
            named(members).any(|(name, value)| is_failure(name, value, is_silent))
        }),
        _ => false,
    }
}

/// True for an exit code of 0, or a mark that there is no error, beside the output or in `metadata`.
fn is_success(name: &str, value: &Value) -> bool {
    match last_of(name) {
        last if is_code(last) => value.as_i64() == Some(0),
        last if is_error(last) => *value == Value::Bool(false),
        "metadata" => value
            .as_object()
            .is_some_and(|members| named(members).any(|(name, value)| is_success(name, value))),
        _ => false,
    }
}

fn last_of(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// True for the name of the exit code of a program.
fn is_code(name: &str) -> bool {
    matches!(name, "exit_code" | "exitCode" | "returncode" | "return_code")
}

/// True for the name of a mark that says whether a call failed.
fn is_error(name: &str) -> bool {
    matches!(name, "is_error" | "isError")
}

fn is_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !is_nothing(text),
        Value::Array(list) => !list.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Bool(true) => true,
    }
}

/// True for the words with which programs say that there is no error.
fn is_nothing(text: &str) -> bool {
    let words = ["", "none", "(none)", "null", "false", "0", "{}", "[]"];
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}
