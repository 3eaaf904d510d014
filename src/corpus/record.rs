//! Edit records: one JSON object per line, as `turnwise apply` reads them and the journal stores them.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::dialog::{Edit, EditContext};
use crate::json::output;

/// The dialog that a record is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DialogRef {
    /// Its position in its file, from 0.
    Number(usize),
    /// Its id in the corpus.
    Id(String),
}

impl fmt::Display for DialogRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "dialog number {number}"),
            Self::Id(id) => write!(f, "dialog {id:?}"),
        }
    }
}

/// An edit and the dialog it is for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// The end of the path of the file, if ids alone are ambiguous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub dialog: DialogRef,
    #[serde(flatten)]
    pub edit: Edit,
    /// The context in which it was made; the edit is refused if that has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<EditContext>,
}

/// The reason why a line is not a record.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    #[error("not a JSON object: {0}")]
    NotAnObject(serde_json::Error),
    #[error("`edit` is missing; it should be one of {}", Edit::KINDS.join(", "))]
    NoEdit,
    #[error("`edit` is {0:?} and should be one of {kinds}", kinds = Edit::KINDS.join(", "))]
    UnknownEdit(String),
    #[error("`dialog` is missing; it should be an id, or a number from 0 on")]
    NoDialog,
    #[error("`{0}` is neither an id nor a number from 0 on")]
    BadDialog(Value),
    #[error("`file` should be the end of a file's path")]
    BadFile,
    #[error("`on` should be the context of the edit, a string")]
    BadBasis,
    #[error("`{field}` should be {expected}, found {found}")]
    BadField {
        field: &'static str,
        expected: &'static str,
        found: Value,
    },
    #[error("{0}")]
    BadEdit(serde_json::Error),
}

impl std::str::FromStr for Record {
    type Err = BadRecord;

    fn from_str(line: &str) -> Result<Self, BadRecord> {
        let mut members: Map<String, Value> =
            serde_json::from_str(line).map_err(BadRecord::NotAnObject)?;
        let dialog = members.remove("dialog").ok_or(BadRecord::NoDialog)?;
        let file = match members.remove("file") {
            None | Some(Value::Null) => None,
            Some(Value::String(file)) if !file.is_empty() => Some(file),
            Some(_) => return Err(BadRecord::BadFile),
        };
        let on = match members.remove("on") {
            None | Some(Value::Null) => None,
            Some(on) => Some(serde_json::from_value(on).map_err(|_| BadRecord::BadBasis)?),
        };
        let reference = serde_json::from_value(dialog.clone());
        let dialog = reference.map_err(|_| BadRecord::BadDialog(dialog))?;
        match members.get("edit") {
            None => return Err(BadRecord::NoEdit),
            Some(Value::String(kind)) if !Edit::KINDS.contains(&kind.as_str()) => {
                return Err(BadRecord::UnknownEdit(kind.clone()));
            }
            Some(_) => check_fields(&members)?,
        }
        let edit = serde_json::from_value(Value::Object(members)).map_err(BadRecord::BadEdit)?;
        Ok(Self {
            file,
            dialog,
            edit,
            on,
        })
    }
}

/// Checks the types of the fields of edits, for messages that name the field.
fn check_fields(members: &Map<String, Value>) -> Result<(), BadRecord> {
    let strings = |value: &Value| {
        let all = |items: &Vec<Value>| items.iter().all(Value::is_string);
        value.as_array().is_some_and(all)
    };
    for (name, value) in members {
        let (field, expected, good) = match name.as_str() {
            "edit" => ("edit", "the name of an edit", value.is_string()),
            "turn" => ("turn", "a number from 0 on", value.is_u64()),
            "segment" => ("segment", "a number from 0 on", value.is_u64()),
            "start" => ("start", OFFSET, is_offset(value)),
            "end" => ("end", OFFSET, is_offset(value)),
            "labels" => ("labels", "a list of strings", strings(value)),
            "tokens" => ("tokens", "a list of strings", strings(value)),
            "text" => ("text", "a string", value.is_string()),
            "annotator" => ("annotator", "a string", value.is_string()),
            "ungrammatical" => {
                let good = value.is_boolean() || value.is_string();
                ("ungrammatical", "true, false or a string", good)
            }
            _ => continue,
        };
        if !good {
            let found = value.clone();
            return Err(BadRecord::BadField {
                field,
                expected,
                found,
            });
        }
    }
    Ok(())
}

const OFFSET: &str = "a number from 0 to 4,294,967,295";

fn is_offset(value: &Value) -> bool {
    value.as_u64().is_some_and(|at| u32::try_from(at).is_ok())
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = output::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_round_trip() {
        for line in [
            r#"{"dialog":"dlg-1","edit":"set_span","turn":7,"segment":1,"start":39,"end":54}"#,
            r#"{"dialog":0,"edit":"add_segment","turn":0,"start":1,"end":2,"labels":["a"]}"#,
            r#"{"file":"x.json","dialog":0,"edit":"set_text","turn":0,"text":"t","drop":true}"#,
            r#"{"dialog":"1","edit":"cast_vote","turn":1,"annotator":"me","breakdown":"X","ungrammatical":true}"#,
            r#"{"dialog":"1","edit":"withdraw_vote","turn":1,"annotator":"me"}"#,
            r#"{"dialog":"1","edit":"set_intents","turn":1,"intents":[],"on":"USER: hi"}"#,
        ] {
            let record: Record = line.parse().expect(line);
            assert_eq!(record.to_string(), line);
        }
    }

    /// A terminal may show stored records.
    #[test]
    fn control_characters_are_escaped() {
        let line = r#"{"dialog":"\u202e","edit":"set_text","turn":0,"text":"\u001b\u007f\u009bé"}"#;
        let record: Record = line.parse().expect(line);
        assert_eq!(record.dialog, DialogRef::Id("\u{202e}".to_owned()));
        assert_eq!(record.to_string(), line);
    }

    #[test]
    fn all_kinds_are_named() {
        let error = serde_json::from_str::<Edit>(r#"{"edit":"?"}"#).expect_err("no kind");
        let error = error.to_string();
        let (_, kinds) = error.split_once("expected one of ").expect("a list");
        let kinds: Vec<_> = kinds.split('`').skip(1).step_by(2).collect();
        assert_eq!(kinds, Edit::KINDS);
    }

    #[test]
    fn bad_records_say_why() {
        let why = |line: &str| line.parse::<Record>().expect_err(line).to_string();
        assert!(why("[]").contains("not a JSON object"));
        assert!(why(r#"{"edit":"set_span"}"#).contains("`dialog` is missing"));
        assert!(why(r#"{"dialog":-1,"edit":"x"}"#).contains("neither an id nor a number"));
        let kinds = format!("one of {}", Edit::KINDS.join(", "));
        assert_eq!(
            why(r#"{"dialog":0,"edit":"shrink","turn":0}"#),
            format!("`edit` is \"shrink\" and should be {kinds}")
        );
        assert_eq!(
            why(r#"{"dialog":0,"turn":0}"#),
            format!("`edit` is missing; it should be {kinds}")
        );
        assert!(why(r#"{"dialog":0,"edit":"remove_segment","turn":0}"#).contains("segment"));
        let text = r#"{"dialog":0,"edit":"remove_segment","turn":"3","segment":0}"#;
        assert_eq!(
            why(text),
            "`turn` should be a number from 0 on, found \"3\""
        );
        let extra = r#"{"dialog":0,"edit":"remove_segment","turn":0,"segment":0,"sgement":1}"#;
        assert!(why(extra).contains("sgement"));
        let vote = r#"{"dialog":0,"edit":"cast_vote","turn":0,"annotator":"a","breakdown":"Q"}"#;
        assert!(why(vote).contains('Q'));
    }
}
