//! Nothing is invisible: every text of a file is in what `show` prints of it, or `check` names it as not read.

use std::collections::BTreeSet;
use std::path::Path;

use turnwise::corpus::Contents;
use turnwise::json::{NodeKind, Parser, Value, decode};

use crate::support::files::{json_files, open, own, real_folders, skipped};
use crate::support::run;

/// Members whose texts need not be shown, and why.
const EXEMPT: [(&str, &str); 22] = [
    ("type", "the kind of a part or a line, by which it is read"),
    ("kind", "the same"),
    ("message_type", "the same"),
    ("id", "ties a call to its answer"),
    ("uuid", "the same"),
    ("call_id", "the same"),
    ("callId", "the same"),
    ("tool_call_id", "the same"),
    ("tool_use_id", "the same"),
    ("tool_call_ids", "the same"),
    ("sessionId", "the id of the dialog, which `show` prints once"),
    ("session_id", "the same"),
    ("status", "a mark of calls, shown where they failed"),
    ("context", "the kind of an annotation"),
    ("parentUuid", "which line a line follows"),
    ("signature", "a seal on the model's reasoning"),
    ("annotator-id", "who voted, of which `show` prints the sums"),
    ("annotator_id", "the same"),
    ("service", "the first half of labels and slots"),
    ("slot", "a half of an act or a label"),
    ("act", "the name of an act"),
    ("name", "the name of a tool or a label, beside others of its kind"),
];

/// Adds the texts in a value that have to be shown, as they are written, without those in members that `check` names.
fn texts(value: Value<'_>, named: &BTreeSet<String>, found: &mut Vec<String>) {
    let text = value.as_str().unwrap_or_default();
    let mut parser = Parser::new();
    if text.starts_with(['{', '['])
        && let Ok(inner) = parser.parse_str(&text)
    {
        return texts(inner.root(), named, found);
    }
    found.extend((value.kind() == NodeKind::String).then(|| value.quoted().to_owned()));
    for element in value.elements() {
        texts(element, named, found);
    }
    for (key, value) in value.members() {
        let key = key.as_str().unwrap_or_default();
        if !named.contains(&*key) && EXEMPT.iter().all(|exempt| exempt.0 != key) {
            texts(value, named, found);
        }
    }
}

fn squeezed(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The texts of a file that nothing shows.
fn invisible(path: &Path) -> Vec<String> {
    let file = open(std::fs::read(path).unwrap());
    if !matches!(file.index().contents, Contents::Dialogs(format) if !format.is_companion()) {
        return Vec::new();
    }
    let name = path.to_str().unwrap();
    let report = run(&["check", "--format", "json", name]).out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let named = report[0]["not_read"].as_object().into_iter().flatten();
    let named: BTreeSet<_> = named.map(|(kind, _)| kind.clone()).collect();
    let shown = squeezed(&run(&["show", "--full", "--width", "65535", name]).out);
    let mut missing = Vec::new();
    let mut parser = Parser::new();
    for position in 0..file.index().pieces.len() {
        let piece = file.text(position).unwrap();
        let mut all = Vec::new();
        texts(parser.parse_piece_str(&piece).unwrap().root(), &named, &mut all);
        // Values that are shown as JSON are shown as they are written.
        let is_shown = |text: &str| shown.contains(&squeezed(text));
        let is_missing = |text: &String| !is_shown(text) && !decode(text).lines().all(is_shown);
        let texts = all.into_iter().filter(is_missing);
        missing.extend(texts.map(|text| format!("{name}: dialog {position}: {text}")));
    }
    missing
}

#[test]
fn all_texts_of_the_demo_are_shown_or_named() {
    let files = json_files(&own("assets/demo"));
    assert!(files.len() > 10);
    let missing: Vec<_> = files.iter().flat_map(|path| invisible(path)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn all_texts_of_real_corpora_are_shown_or_named() {
    let folders = real_folders();
    if folders.is_empty() {
        skipped("invisible texts", "no folders of corpora are named");
    }
    let files = folders.iter().flat_map(|folder| json_files(folder));
    let missing: Vec<_> = files.flat_map(|path| invisible(&path)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
