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
    members.clone().any(|(name, value)| is_failure(name, value))
        || !is_fine() && outputs.any(|(_, value)| value_says_failure(value))
}

fn value_says_failure(value: &Value) -> bool {
    match value {
        Value::String(text) => text_says_failure(text),
        Value::Object(members) => members_say_failure(&named(members)),
        _ => false,
    }
}

/// As [`says_failure`], of an answer that is a text, which may be JSON.
fn text_says_failure(text: &str) -> bool {
    let text = text.trim_start();
    if !text.starts_with('{') {
        return begins_with_failure(text);
    }
    let members = serde_json::from_str::<Map<String, Value>>(text);
    members.is_ok_and(|members| members_say_failure(&named(&members)))
}

fn named(members: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> + Clone {
    members.iter().map(|(name, value)| (name.as_str(), value))
}

/// True for a text that begins with "Error:", or with the exit code of a program other than 0 in one of its first lines.
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
        |line: &str| EXIT_CODES.iter().find_map(|words| after(line, words)).map(is_code_text);
    // Some tell the exit code behind all that a command has printed.
    let mut reports = ["command:", "output:"].into_iter();
    let told = if reports.any(|word| after(first, word).is_some()) {
        text.lines().rev().take(LINES).find_map(code)
    } else {
        text.lines().take(LINES).find_map(code)
    };
    let is_marked = [TRACEBACK, TOOL_ERROR].iter().any(|begins| first.starts_with(begins));
    is_error || is_marked || begins_with_exception(first) || told == Some(true)
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

/// How Python begins to tell an error.
const TRACEBACK: &str = "Traceback (most recent call last):";

/// The mark of Claude Code around what a tool says went wrong.
const TOOL_ERROR: &str = "<tool_use_error>";

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

/// True for a text that begins with a number other than 0, and no words after it.
fn is_code_text(text: &str) -> bool {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let (digits, rest) = digits.split_at(end.unwrap_or(digits.len()));
    let has_words = rest.trim_start().starts_with(char::is_alphanumeric);
    !has_words && digits.bytes().any(|digit| digit != b'0')
}

/// True for a member of an answer that says that the call failed: by its name, or the last of its names.
fn is_failure(name: &str, value: &Value) -> bool {
    match last_of(name) {
        "error" | "errors" => is_something(value),
        "success" | "ok" => *value == Value::Bool(false),
        "status" => value.as_str() == Some("error"),
        last if is_error(last) => is_something(value),
        last if is_code(last) => match value {
            Value::String(code) => is_code_text(code),
            value => value.as_i64().is_some_and(|code| code != 0),
        },
        "metadata" => value
            .as_object()
            .is_some_and(|members| named(members).any(|(name, value)| is_failure(name, value))),
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
