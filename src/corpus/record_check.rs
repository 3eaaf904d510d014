//! Checks the members of an edit record before it is read, for messages that name the member and say what
//! was expected.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::record::{BadRecord, Origin};
use crate::dialog::{
    Breakdown, CallPart, Edit, EditFields, EditValue, Judgement, NamedValue, SlotValue,
};
use crate::json::{Parser, Position, repeated_members};
use crate::text::nearest;

const NUMBER: &str = "a non-negative integer";
const OFFSET: &str = "an integer from 0 to 4,294,967,295";
const STRING: &str = "a string";
const STRINGS: &str = "a list of strings";
const FLAG: &str = "true or false";

/// Reads a line as a JSON object.
///
/// # Errors
/// If it is not an object, or an object in it has a member twice: nobody can say which of the two values
/// was meant.
pub fn object(line: &str) -> Result<Map<String, Value>, BadRecord> {
    let value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(error) => return Err(not_json(line, &error)),
    };
    match value {
        Value::Object(members) => match repeated_member(line) {
            Some(name) => Err(BadRecord::RepeatedField(name)),
            None => Ok(members),
        },
        other => Err(BadRecord::NotAnObject(name_of(&other))),
    }
}

/// Returns the name of a member that its object has already. A `Value` has only the last one.
fn repeated_member(line: &str) -> Option<String> {
    let mut parser = Parser::new();
    let tree = parser.parse_str(line).ok()?;
    repeated_members(&tree).into_iter().next()
}

fn not_json(line: &str, error: &serde_json::Error) -> BadRecord {
    let mut parser = Parser::new();
    match parser.parse_str(line) {
        Err(error) => BadRecord::NotJson {
            column: Position::of(line.as_bytes(), error.at).column,
            why: error.kind.to_string(),
        },
        // For example half of a surrogate pair, which the corpora may have.
        Ok(_) => {
            let why = error.to_string();
            let why = match why.split_once(" at line ") {
                Some((why, _)) if why.contains("recursion") => "nested too deeply",
                Some((why, _)) => why,
                None => &why,
            };
            BadRecord::NotJson { column: error.column() as u64, why: why.to_owned() }
        }
    }
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => STRING,
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Returns the kind of edit that the members name.
///
/// # Errors
/// If it is missing or unknown.
pub fn kind_of(members: &Map<String, Value>) -> Result<&'static EditFields, BadRecord> {
    let kind = match members.get("edit") {
        None => return Err(BadRecord::NoEdit),
        Some(Value::String(kind)) => kind,
        Some(other) => return Err(bad("edit", "the name of an edit", other)),
    };
    let found = Edit::FIELDS.iter().find(|fields| fields.kind == kind);
    found.ok_or_else(|| BadRecord::UnknownEdit {
        kind: kind.clone(),
        nearest: nearest(kind, Edit::kinds()),
    })
}

/// Checks the members of an edit: that all are known, that none is missing, and their types.
///
/// # Errors
/// The first that is wrong.
pub fn check(kind: &'static EditFields, members: &Map<String, Value>) -> Result<(), BadRecord> {
    for (name, value) in members.iter().filter(|(name, _)| *name != "edit") {
        let Some(name) = kind.names().find(|known| known == name) else {
            let (name, nearest) = (name.clone(), nearest(name, kind.names()));
            return Err(BadRecord::UnknownField { name, kind, nearest });
        };
        // An optional member that is null counts as missing.
        let is_default = value.is_null() && kind.optional.contains(&name) && has_none(name);
        let (expected, good) = type_of(name, value);
        // A slot of the dialogue state may have several values, and an argument may be a list.
        let may_be_list = matches!(kind.kind, "set_state" | "set_value") && name == "value";
        let is_list = may_be_list && is::<Vec<EditValue>>(value);
        if !good && !is_default && !is_list {
            return Err(bad(name, expected, value));
        }
    }
    match kind.all_required().find(|name| !members.contains_key(*name)) {
        Some(name) => Err(BadRecord::NoField {
            name,
            expected: type_of(name, &Value::Null).0,
            kind: kind.kind,
        }),
        None => Ok(()),
    }
}

/// Takes `by`, `score` and `why` out of the members.
///
/// # Errors
/// If one has another type; null counts as missing.
pub fn origin(members: &mut Map<String, Value>) -> Result<Origin, BadRecord> {
    let mut text = |name| match members.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text).filter(|text| !text.is_empty())),
        Some(other) => Err(bad(name, STRING, &other)),
    };
    let (by, why) = (text("by")?, text("why")?);
    let score = match members.remove("score") {
        None | Some(Value::Null) => None,
        Some(score) => match score.as_f64() {
            Some(score) => Some(score),
            None => return Err(bad("score", "a number", &score)),
        },
    };
    Ok(Origin { by, score, why })
}

/// Returns the error of a field whose value has the wrong type.
pub fn bad(field: &'static str, expected: &'static str, found: &Value) -> BadRecord {
    let found = found.clone();
    BadRecord::BadField { field, expected, found }
}

/// True if the field may be null.
fn has_none(field: &str) -> bool {
    let optional = ["comment", "ungrammatical", "value", "response", "text", "turn", "was", "json"];
    optional.contains(&field)
}

/// Returns the type of a field, and whether `value` has it.
fn type_of(field: &str, value: &Value) -> (&'static str, bool) {
    match field {
        "turn" | "segment" | "call" | "act" => (NUMBER, value.is_u64()),
        "start" | "end" => {
            let fits = value.as_u64().is_some_and(|at| u32::try_from(at).is_ok());
            (OFFSET, fits)
        }
        "labels" | "tokens" | "intents" => (STRINGS, is::<Vec<String>>(value)),
        "shrink" | "drop" => (FLAG, value.is_boolean()),
        "ungrammatical" => {
            let good = value.is_boolean() || value.is_string();
            ("true, false or a string", good)
        }
        "breakdown" => ("\"O\", \"T\" or \"X\"", is::<Breakdown>(value)),
        "part" => ("\"arguments\" or \"response\"", is::<CallPart>(value)),
        "value" => (
            "a string, a number, true, false, or an object such as {\"json\":\"null\"}",
            is::<EditValue>(value),
        ),
        "arguments" | "response" => (
            "a list of values such as {\"name\":\"date\",\"value\":\"Friday\"}",
            is::<Vec<NamedValue>>(value),
        ),
        "judgement" => ("a judgement", is::<Judgement>(value)),
        "slots" => (
            "a list of slots such as {\"slot\":\"date\",\"value\":\"Friday\"}",
            is::<Vec<SlotValue>>(value),
        ),
        _ => (STRING, value.is_string()),
    }
}

fn is<T: DeserializeOwned>(value: &Value) -> bool {
    serde_json::from_value::<T>(value.clone()).is_ok()
}
