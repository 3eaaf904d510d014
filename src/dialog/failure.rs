//! Calls that failed, as a mark beside the answer says, or the answer itself.

use serde::Deserialize;
use serde_json::Value;

use super::model::{ApiCall, Field, Payload};

impl ApiCall {
    /// True if a mark beside its answer says that it failed, or else the answer: a member `error`, an exit code, or a text
    /// that begins so.
    pub fn has_failed(&self) -> bool {
        self.failures().next().is_some() || self.response.as_ref().is_some_and(says_failure)
    }
}

/// True for an answer that says that the call failed.
fn says_failure(answer: &Payload) -> bool {
    match answer {
        Payload::Fields(fields) => fields.iter().any(is_failure),
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => {
            let text = text.trim_start();
            if !text.starts_with('{') {
                return begins_with_failure(text);
            }
            let Ok(members) = serde_json::from_str::<Members>(text) else {
                return false;
            };
            let errors = [members.error, members.is_error, members.is_error_too];
            let inner = members
                .metadata
                .and_then(|inner| inner.get("exit_code").cloned());
            let codes = [members.exit_code, inner];
            errors
                .into_iter()
                .flatten()
                .any(|value| is_something(&value))
                || codes.into_iter().flatten().any(|code| is_code(&code))
        }
    }
}

/// True for a text that begins with "Error", or with an exit code other than 0.
fn begins_with_failure(text: &str) -> bool {
    let begins = |with: &str| {
        let start = text.get(..with.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    let code = begins(EXIT_CODE).then(|| text[EXIT_CODE.len()..].trim_start());
    begins("error") || code.is_some_and(|code| code.starts_with(|c: char| ('1'..='9').contains(&c)))
}

/// The words before an exit code in a text.
const EXIT_CODE: &str = "exit code:";

/// True for a member of an answer that says that the call failed.
fn is_failure(field: &Field) -> bool {
    let said = field.content.as_str();
    match field.name.as_str() {
        "error" | "is_error" | "isError" => !matches!(said, "" | "null" | "false" | "{}" | "[]"),
        "exit_code" => said.parse().is_ok_and(|code: i64| code != 0),
        _ => false,
    }
}

fn is_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

fn is_code(value: &Value) -> bool {
    value.as_i64().is_some_and(|code| code != 0)
}

/// The members of an answer that say that the call failed.
#[derive(Deserialize)]
struct Members {
    #[serde(default)]
    error: Option<Value>,
    #[serde(default)]
    is_error: Option<Value>,
    #[serde(default, rename = "isError")]
    is_error_too: Option<Value>,
    #[serde(default)]
    exit_code: Option<Value>,
    #[serde(default)]
    metadata: Option<Value>,
}
