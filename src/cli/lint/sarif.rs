//! Prints problems as SARIF 2.1.0 (OASIS), which code scanning services read.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::MAIN_SEPARATOR;

use serde_json::{Value, json};

use super::{LintReport, LocatedProblem};
use crate::cli::printer::Printer;
use crate::lint::{RULES, Severity};

pub fn print(files: &[LintReport], out: &mut Printer) -> io::Result<()> {
    let results = files.iter().flat_map(|file| {
        let problems = file.problems.iter();
        problems.map(|problem| result(&file.file, problem))
    });
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
                        "level": level(rule.severity),
                    },
                })).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    });
    out.json_pretty(&log)?;
    writeln!(out)
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result(file: &str, problem: &LocatedProblem) -> Value {
    let rule = problem.found.rule;
    json!({
        "ruleId": rule.name,
        "ruleIndex": RULES.iter().position(|other| std::ptr::eq(*other, rule)),
        "level": level(problem.found.severity),
        "message": {"text": problem.found.message},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(file)},
            "region": {
                "startLine": problem.position.line,
                "startColumn": problem.position.column,
            },
        }}],
        "properties": {
            "dialog": problem.dialog,
            "dialog_id": problem.known_id(),
            "turn": problem.found.location.turn,
        },
    })
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
