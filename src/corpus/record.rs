//! Edit records: one JSON object per line, as `turnwise apply` reads them and the journal stores them.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::suggestion::{Proposal, Suggestion};
use crate::dialog::{Edit, EditContext, EditFields};
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
    /// The id of the dialog beside its position: a dialog at another position that has the id is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialog_id: Option<String>,
    #[serde(flatten)]
    pub edit: Edit,
    /// The context in which it was made; the edit is refused if that has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<EditContext>,
    #[serde(flatten)]
    pub origin: Origin,
}

/// The origin of a suggested edit; all empty for other edits.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Origin {
    /// The person or program that suggests it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// How sure they are, in units of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Their reason, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Origin {
    /// Returns the origin of an edit of which only the author is known, if that.
    pub fn of(by: Option<&str>) -> Self {
        Self { by: by.map(str::to_owned), ..Self::default() }
    }
}

/// The reason why a line is not a record.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    #[error("not JSON at column {column}: {why}")]
    NotJson { column: u64, why: String },
    #[error("a JSON object was expected, found {0}")]
    NotAnObject(&'static str),
    #[error("`{0}` appears more than once; keep one of them")]
    RepeatedField(String),
    #[error("`edit` is missing; it should be one of {}", Edit::KINDS.join(", "))]
    NoEdit,
    #[error("unknown edit {kind:?}{}; the edits are {}", meant(*nearest), Edit::KINDS.join(", "))]
    UnknownEdit { kind: String, nearest: Option<&'static str> },
    #[error("`{name}` is missing; {kind} needs it, {expected}")]
    NoField { name: &'static str, expected: &'static str, kind: &'static str },
    #[error(
        "unknown field {name:?}{}; {} has {}",
        meant(*nearest),
        kind.kind,
        kind.names().collect::<Vec<_>>().join(", ")
    )]
    UnknownField { name: String, kind: &'static EditFields, nearest: Option<&'static str> },
    #[error("`dialog` is missing; it should be an id, or a number from 0 on")]
    NoDialog,
    #[error("`{0}` is neither an id nor a number from 0 on")]
    BadDialog(Value),
    #[error("`dialog_id` should be the id of the dialog, a string")]
    BadDialogId,
    #[error("`file` should be the end of a file's path")]
    BadFile,
    #[error("`on` should be the context of the edit, a string")]
    BadBasis,
    #[error("`{field}` should be {expected}, found {found}")]
    BadField { field: &'static str, expected: &'static str, found: Value },
    #[error("`nth` needs a `quote`")]
    NthWithoutQuote,
    #[error("give a `quote` or `start` and `end`, not both")]
    QuoteAndOffsets,
    #[error("{0} takes no `quote`; set_span and add_segment do")]
    NoSpanToQuote(&'static str),
    #[error("offsets are needed here, not a `quote`")]
    Quoted,
    #[error("{0}")]
    BadEdit(serde_json::Error),
}

/// Offers a name for an unknown one.
fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

impl std::str::FromStr for Record {
    type Err = BadRecord;

    /// Reads a record with offsets; [`Suggestion`] reads those with a quotation too.
    fn from_str(line: &str) -> Result<Self, BadRecord> {
        let suggestion: Suggestion = line.parse()?;
        match suggestion.proposal.clone() {
            Proposal::Edit(edit) => Ok(suggestion.with(edit)),
            Proposal::Quoted(_) => Err(BadRecord::Quoted),
        }
    }
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
            r#"{"dialog":0,"dialog_id":"dlg-1","edit":"remove_act","turn":0,"act":0}"#,
            r#"{"dialog":0,"edit":"add_segment","turn":0,"start":1,"end":2,"labels":["a"]}"#,
            r#"{"file":"x.json","dialog":0,"edit":"set_text","turn":0,"text":"t","drop":true,"by":"m","score":0.5,"why":"w"}"#,
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

    /// Returns an example value for each field.
    fn sample(field: &str) -> &str {
        match field {
            "turn" | "segment" | "call" | "act" | "start" | "end" => "1",
            "labels" | "tokens" | "intents" => "[\"a\"]",
            "shrink" | "drop" | "ungrammatical" => "true",
            "breakdown" => "\"O\"",
            "path" => "\"/a\"",
            "json" | "was" => "\"1\"",
            "part" => "\"response\"",
            "arguments" | "response" => r#"[{"name":"date","value":3}]"#,
            "judgement" => r#"{"dialog":"d","by":"mk","note":"why"}"#,
            "slots" => r#"[{"slot":"date","value":3}]"#,
            _ => "\"a\"",
        }
    }

    #[test]
    fn the_fields_of_all_kinds_are_known() {
        for kind in Edit::FIELDS {
            let record = |fields: &[&str]| {
                let fields = fields.iter().map(|f| format!(",\"{f}\":{}", sample(f)));
                let fields: String = fields.collect();
                format!(r#"{{"dialog":0,"edit":"{}"{fields}}}"#, kind.kind)
            };
            let all: Vec<_> = kind.names().collect();
            record(&all).parse::<Record>().expect(kind.kind);
            let (required, _) = all.split_at(kind.all_required().count());
            record(required).parse::<Record>().expect(kind.kind);
            for without in required {
                let others: Vec<_> = all.iter().copied().filter(|f| f != without).collect();
                let error = record(&others).parse::<Record>().expect_err(without);
                let why = format!("`{without}` is missing; {} needs it, ", kind.kind);
                assert!(error.to_string().starts_with(&why), "{error}");
                // The check is as strict as the reader.
                let edit = record(&others).replace("\"dialog\":0,", "");
                assert!(serde_json::from_str::<Edit>(&edit).is_err(), "{edit}");
            }
            for field in &all {
                for wrong in ["null", "{}", "-1", "1.5", "[1]", "\"a\"", "true", "9e99"] {
                    let members = record(&all).replacen(
                        &format!("\"{field}\":{}", sample(field)),
                        &format!("\"{field}\":{wrong}"),
                        1,
                    );
                    let edit = members.replace("\"dialog\":0,", "");
                    let read = serde_json::from_str::<Edit>(&edit).is_ok();
                    match members.parse::<Record>() {
                        Ok(_) => assert!(read, "{members}"),
                        Err(BadRecord::BadField { .. }) => assert!(!read, "{members}"),
                        Err(other) => panic!("{members}: {other}"),
                    }
                }
            }
        }
    }

    #[test]
    fn bad_records_say_why() {
        let why = |line: &str| line.parse::<Record>().expect_err(line).to_string();
        let kinds = Edit::KINDS.join(", ");
        let cases = [
            ("[]", "a JSON object was expected, found a list".to_owned()),
            ("\"x\"", "a JSON object was expected, found a string".to_owned()),
            (r#"{"dialog""#, "not JSON at column 1: `{` is never closed".to_owned()),
            (
                r#"{"dialog":"\ud83d"}"#,
                "not JSON at column 18: unexpected end of hex escape".to_owned(),
            ),
            (
                r#"{"dialog":0,"edit":"remove_segment","turn":0,"segment":0,"t\u0075rn":1}"#,
                "`turn` appears more than once; keep one of them".to_owned(),
            ),
            (
                r#"{"dialog":0,"edit":"set_state","turn":0,"slot":"a","value":{"json":"1","json":"2"}}"#,
                "`json` appears more than once; keep one of them".to_owned(),
            ),
            (
                r#"{"edit":"set_span"}"#,
                "`dialog` is missing; it should be an id, or a number from 0 on".to_owned(),
            ),
            (
                r#"{"dialog":-1,"edit":"set_span"}"#,
                "`-1` is neither an id nor a number from 0 on".to_owned(),
            ),
            (
                r#"{"edit":"remov_segment"}"#,
                format!(
                    "unknown edit \"remov_segment\" (did you mean remove_segment?); the edits are {kinds}"
                ),
            ),
            (
                r#"{"dialog":0,"edit":"shrink","turn":0}"#,
                format!("unknown edit \"shrink\"; the edits are {kinds}"),
            ),
            (
                r#"{"dialog":0,"turn":0}"#,
                format!("`edit` is missing; it should be one of {kinds}"),
            ),
            (
                r#"{"dialog":0,"edit":5}"#,
                "`edit` should be the name of an edit, found 5".to_owned(),
            ),
            (
                r#"{"dialog":0,"edit":"remove_segment","turn":0}"#,
                "`segment` is missing; remove_segment needs it, a number from 0 on".to_owned(),
            ),
            (
                r#"{"dialog":0,"edit":"remove_segment","turn":"3","segment":0}"#,
                "`turn` should be a number from 0 on, found \"3\"".to_owned(),
            ),
            (
                r#"{"dialog":0,"edit":"remove_segment","turn":0,"segment":0,"sgement":1}"#,
                "unknown field \"sgement\" (did you mean segment?); remove_segment has turn, segment"
                    .to_owned(),
            ),
            (
                r#"{"dialog":0,"edit":"cast_vote","turn":0,"annotator":"a","breakdown":"Q"}"#,
                "`breakdown` should be \"O\", \"T\" or \"X\", found \"Q\"".to_owned(),
            ),
            (
                r#"{"dialog":0,"edit":"set_state","turn":0,"slot":"a","value":null}"#,
                "`value` should be a string, a number, true, false, or an object such as {\"json\":\"null\"}, found null"
                    .to_owned(),
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(why(line), expected);
        }
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert_eq!(why(&deep), "not JSON at column 128: nested too deeply");
    }
}
