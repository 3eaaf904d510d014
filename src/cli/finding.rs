//! One record for all that `check` and `lint` report, in the forms for programs: JSON, JSON Lines, annotations for GitHub, SARIF.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::MAIN_SEPARATOR;

use serde::Serialize;
use serde_json::{Value, json};

use super::CommandOutcome;
use super::page::Format;
use super::printer::Printer;
use super::scan::LocatedIssue;
use crate::corpus::Record;
use crate::json::Position;
use crate::lint::{RULES, Severity};

/// Something that is wrong in a file. Positions count from 0, lines and columns from 1.
#[derive(Serialize)]
pub struct Finding<'a> {
    pub file: &'a str,
    /// None if the file as a whole cannot be read.
    pub line: Option<u64>,
    pub column: Option<u64>,
    /// The name of the rule, or of the kind of issue.
    pub rule: &'a str,
    pub severity: Severity,
    pub dialog: Option<usize>,
    /// None if the dialog has no id.
    pub dialog_id: Option<&'a str>,
    pub turn: Option<usize>,
    pub segment: Option<usize>,
    /// The text that it is about.
    pub quote: Option<&'a str>,
    pub message: Cow<'a, str>,
    pub fixes: Vec<FoundFix<'a>>,
}

/// A way to mend it.
#[derive(Serialize)]
pub struct FoundFix<'a> {
    pub title: &'a str,
    pub applicability: &'static str,
    /// In the form that `turnwise apply` reads.
    pub edits: Vec<Record>,
}

impl<'a> Finding<'a> {
    /// Returns an issue of a file.
    pub fn of_issue(file: &'a str, issue: &'a LocatedIssue) -> Self {
        let position = issue.position();
        let severity = match issue.outcome() {
            CommandOutcome::Unusable => Severity::Error,
            _ => Severity::Warning,
        };
        Self {
            dialog: issue.dialog,
            dialog_id: issue.dialog_id.as_deref(),
            turn: issue.turn,
            ..Self::of_file(file, position, issue.code, severity, issue.message.as_str())
        }
    }

    /// Returns a finding about a file, at a position of it if there is one.
    pub fn of_file(
        file: &'a str,
        position: Option<Position>,
        rule: &'a str,
        severity: Severity,
        message: impl Into<Cow<'a, str>>,
    ) -> Self {
        Self {
            file,
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            rule,
            severity,
            dialog: None,
            dialog_id: None,
            turn: None,
            segment: None,
            quote: None,
            message: message.into(),
            fixes: Vec::new(),
        }
    }
}

/// The forms in which findings are printed.
pub const FORMATS: &[(Format, &str)] = &[
    (Format::Text, "Lines for people"),
    (Format::Json, "An array of problems, or of files with their issues"),
    (Format::Jsonl, "One problem, issue or note per line"),
    (Format::Github, "Annotations for GitHub Actions"),
    (Format::Sarif, "SARIF 2.1.0, for code scanning"),
    (Format::Csv, "One row per file, or with --statistics one row per rule"),
    (Format::Md, "The table for a pull request or a dataset card"),
    (Format::Latex, "The table for a paper, in the style of booktabs"),
    (Format::Html, "The table as a page for a browser"),
];

/// Prints one value a line.
///
/// # Errors
/// If the output cannot be written.
pub fn jsonl<T: Serialize>(all: impl Iterator<Item = T>, out: &mut Printer) -> io::Result<()> {
    for found in all {
        out.json(&found)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Prints workflow commands, in which some characters are percent-encoded.
///
/// # Errors
/// If the output cannot be written.
pub fn github<'a>(all: impl Iterator<Item = Finding<'a>>, out: &mut Printer) -> io::Result<()> {
    let text = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let value = |value: &str| text(value).replace(':', "%3A").replace(',', "%2C");
    for found in all {
        let command = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        write!(out, "::{command} file={},", value(found.file))?;
        if let (Some(line), Some(column)) = (found.line, found.column) {
            write!(out, "line={line},col={column},")?;
        }
        writeln!(out, "title={}::{}", value(found.rule), text(&found.message))?;
    }
    Ok(())
}

/// Prints SARIF 2.1.0 (OASIS), which code scanning services read.
///
/// # Errors
/// If the output cannot be written.
pub fn sarif<'a>(all: impl Iterator<Item = Finding<'a>>, out: &mut Printer) -> io::Result<()> {
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "turnwise",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": RULES.iter().map(|rule| json!({
                    "id": rule.name,
                    "shortDescription": {"text": rule.summary()},
                    "help": {"text": rule.page(), "markdown": rule.page()},
                    "defaultConfiguration": {
                        "enabled": rule.on,
                        "level": rule.severity.name(),
                    },
                })).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": all.map(|found| result(&found)).collect::<Vec<_>>(),
        }],
    });
    out.json_pretty(&log)?;
    writeln!(out)
}

fn result(found: &Finding<'_>) -> Value {
    let mut place = json!({"artifactLocation": {"uri": uri(found.file)}});
    if let (Some(line), Some(column)) = (found.line, found.column) {
        place["region"] = json!({"startLine": line, "startColumn": column});
    }
    let mut result = json!({
        "ruleId": found.rule,
        "level": found.severity.name(),
        "message": {"text": found.message},
        "locations": [{"physicalLocation": place}],
        "properties": {
            "dialog": found.dialog,
            "dialog_id": found.dialog_id,
            "turn": found.turn,
        },
    });
    // An issue of the format is of no rule.
    if let Some(rule) = RULES.iter().position(|rule| rule.name == found.rule) {
        result["ruleIndex"] = json!(rule);
    }
    result
}

/// Returns a path as a URI reference, percent-encoding the characters that need it.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace(MAIN_SEPARATOR, "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
