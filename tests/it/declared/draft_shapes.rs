//! Files in the forms of public corpora and of agents' logs: what an untouched draft reads in them, or why there is none.

use std::fmt::Write as _;

use turnwise::dialog::{Dialog, Payload, Role, Turn};
use turnwise::format::Family;
use turnwise::format::Formats;
use turnwise::format::declared::{Draft, draft};

use super::sessions::all;
use crate::support::{run_in, scratch};

/// Files, each below a name, and what its draft reads: the id of each dialog, and its turns as role, speaker, text, spans
/// and calls, with ` / ` between turns and ` // ` between dialogs; or why there is no draft, after `refused: `.
const CASES: &str = include_str!("../../formats/drafts.txt");

/// Returns the names of the cases, their files, and what is read in them.
fn cases() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    CASES.split("\n\n").map(|case| {
        let (name, rest) = case.trim_start_matches("# ").split_once('\n').unwrap();
        let (file, reads) = rest.split_once("\n=> ").unwrap();
        (name, file, reads.trim_end_matches('\n'))
    })
}

/// Returns the turns that a draft reads in a file, in the form of the cases.
fn outcome(text: &str, drafted: Result<Draft, String>) -> String {
    let toml = match drafted {
        Ok(drafted) => drafted.toml,
        Err(why) => return format!("refused: {why}"),
    };
    let format = match Family::read_from(&toml, None) {
        Ok(declared) => declared.keep(),
        Err(error) => return format!("not a description: {error}"),
    };
    let dialogs = all(text, &Formats::with(vec![format])).into_iter();
    let told = dialogs.map(|(dialog, issues)| reads(&dialog) + if issues == 0 { "" } else { " !" });
    told.collect::<Vec<_>>().join(" // ")
}

fn reads(dialog: &Dialog) -> String {
    let id = if dialog.id.is_empty() { String::new() } else { format!("[{}] ", dialog.id) };
    id + &dialog.turns.iter().map(one).collect::<Vec<_>>().join(" / ")
}

fn one(turn: &Turn) -> String {
    let role = match turn.speaker.role {
        Role::User => "U",
        Role::System => "S",
        Role::Context => "C",
        Role::Other => "?",
    };
    let mut text = format!("{role} {}: {}", turn.speaker.name, turn.text);
    for segment in &turn.segments {
        let span = segment.span.map(|span| (span.start as usize, span.end as usize));
        let covered = span.and_then(|(start, end)| turn.text.get(start..end));
        let labels: Vec<_> = segment.labels.iter().map(|label| label.name.as_str()).collect();
        let _ = write!(text, " <{} {}>", covered.unwrap_or("?"), labels.join(","));
    }
    for field in turn.fields.iter().filter(|field| field.known) {
        let _ = write!(text, " ({})", field.content.as_str());
    }
    for call in &turn.calls {
        let response = match &call.response {
            None => "-".to_owned(),
            Some(Payload::Fields(fields)) => fields[0].content.as_str().to_owned(),
            Some(other) => other.text().map(ToString::to_string).unwrap_or_default(),
        };
        let _ = write!(text, " {{{} → {response}}}", call.name);
    }
    text
}

#[test]
fn drafts_read_the_forms_of_corpora_and_logs_or_refuse_them() {
    let mut wrong = Vec::new();
    for (name, file, reads) in cases() {
        let read = outcome(file, draft(file, "own.json"));
        let is_right = match reads.strip_prefix("refused: ") {
            Some(why) => read.starts_with("refused: ") && read.contains(why),
            None => read == reads,
        };
        if !is_right {
            wrong.push(format!("{name}:\n  {read}\n  {reads}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Drafts describe nothing that their files do not have.
#[test]
fn drafts_of_these_forms_pass_their_own_checks() {
    for (name, file, _) in cases().filter(|(.., reads)| !reads.starts_with("refused")) {
        let folder = scratch();
        std::fs::create_dir(folder.path().join("formats")).unwrap();
        std::fs::write(folder.path().join("c.json"), file).unwrap();
        for arguments in [
            ["formats", "new", "-o", "formats/c.toml", "c.json"].as_slice(),
            &["formats", "check", "formats/c.toml", "c.json"],
        ] {
            let ran = run_in(folder.path(), arguments, "");
            let is_quiet = ran.err.is_empty() || arguments[1] == "new";
            assert!(ran.code == 0 && is_quiet, "{name}: {ran:?}");
        }
    }
}
