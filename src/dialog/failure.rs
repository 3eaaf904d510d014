//! Calls that failed, as a mark beside the answer says, or the answer itself.

use serde_json::{Map, Value};

use super::model::{ApiCall, Content, Field, Payload};

impl ApiCall {
    /// True if a mark beside its answer says that it failed, or else the answer: a member `error`, an exit code, or a text
    /// that begins so. A mark that says otherwise is believed.
    pub fn has_failed(&self) -> bool {
        let is_fine = |field: &Field| match field.content.as_str() {
            "false" => is_error(&field.name),
            "0" => is_code(&field.name),
            _ => false,
        };
        self.failures().next().is_some()
            || !self.marks().any(is_fine) && self.response.as_ref().is_some_and(says_failure)
    }
}

/// True for an answer that says that the call failed.
fn says_failure(answer: &Payload) -> bool {
    match answer {
        Payload::Fields(fields) => fields.iter().any(|field| {
            let is_all = fields.len() == 1;
            let value = match &field.content {
                Content::Text(text) => Value::from(text.as_str()),
                Content::Raw(raw) => serde_json::from_str(raw).unwrap_or_default(),
            };
            is_failure(&field.name, &value) || is_all && is_failure_text(&value)
        }),
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => text_says_failure(text),
    }
}

/// As [`says_failure`], of an answer that is a text, which may be JSON.
fn text_says_failure(text: &str) -> bool {
    let text = text.trim_start();
    if !text.starts_with('{') {
        return begins_with_failure(text);
    }
    let members = serde_json::from_str::<Map<String, Value>>(text);
    members.is_ok_and(|members| {
        let is_all = members.len() == 1;
        let mut members = members.iter();
        members.any(|(name, value)| is_failure(name, value) || is_all && is_failure_text(value))
    })
}

fn is_failure_text(value: &Value) -> bool {
    value.as_str().is_some_and(text_says_failure)
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
    let code = |line: &str| {
        EXIT_CODES
            .iter()
            .find_map(|words| after(line, words))
            .map(is_code_text)
    };
    is_error || text.lines().take(LINES).find_map(code) == Some(true)
}

/// The lines of an answer in which an exit code may be.
const LINES: usize = 8;

/// The words before an exit code in a text.
const EXIT_CODES: [&str; 3] = ["exit code:", "exit code", "process exited with code"];

/// Returns the rest of a text that begins with these words, in capitals or not.
fn after<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(words.len())?;
    start.eq_ignore_ascii_case(words).then_some(rest)
}

/// True for a text that begins with a number other than 0.
fn is_code_text(text: &str) -> bool {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let digits = &digits[..end.unwrap_or(digits.len())];
    digits.bytes().any(|digit| digit != b'0')
}

/// True for a member of an answer that says that the call failed: by its name, or the last of its names.
fn is_failure(name: &str, value: &Value) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    match last {
        "error" => is_something(value),
        _ if is_error(last) => is_something(value),
        _ if is_code(last) => match value {
            Value::String(code) => is_code_text(code),
            value => value.as_i64().is_some_and(|code| code != 0),
        },
        "metadata" => value.as_object().is_some_and(|members| {
            let mut members = members.iter();
            members.any(|(name, value)| is_failure(name, value))
        }),
        "output" => is_failure_text(value),
        _ => false,
    }
}

/// True for the name of the exit code of a program.
fn is_code(name: &str) -> bool {
    matches!(
        name,
        "exit_code" | "exitCode" | "returncode" | "return_code"
    )
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
    let words = ["", "none", "null", "false", "0", "{}", "[]"];
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}
