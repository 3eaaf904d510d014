//! New breakdown logs: a dialog of any family in the challenge's form, to be judged.
//!
//! A log is a separate file next to the corpus, named after its dialog as the challenge requires:
//! `<dialogue-id>.log.json`. If the id is not a valid file name on every system, the invalid characters
//! are replaced, and a hash makes the name unique.

use serde::Serialize;
use twox_hash::XxHash3_64;

use crate::dialog::{Dialog, Turn};
use crate::format::families::gold::LABELS_END;

/// The ending of a log's file name.
pub const LOG_END: &str = ".log.json";
/// The ending of the name of a file of judgements.
pub const JUDGEMENTS_END: &str = ".jsonl";
/// The most bytes of an id in a file name; file systems allow 255 for the whole name.
const LONGEST: usize = 80;
/// Names of devices on some systems, whatever follows the first dot.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Log<'d> {
    dialogue_id: &'d str,
    group_id: &'d str,
    speaker_id: &'d str,
    turns: Vec<LogTurn<'d>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct LogTurn<'d> {
    turn_index: usize,
    speaker: &'static str,
    time: &'static str,
    annotations: [(); 0],
    utterance: &'d str,
    /// A digest of the calls and their answers, which tells apart dialogs with the same texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls_digest: Option<String>,
}

/// The member of a turn with the digest of its calls.
pub const CALLS_DIGEST: &str = "calls-digest";

/// Returns the text of a log of `dialog` without votes, under the id `id`. `group` is the origin of the dialog;
/// the published logs leave this field empty.
pub fn log_text(dialog: &Dialog, id: &str, group: &str) -> String {
    let log = Log {
        dialogue_id: id,
        group_id: group,
        speaker_id: "",
        turns: dialog.turns.iter().enumerate().map(log_turn).collect(),
    };
    let mut text = Vec::new();
    let indent = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, indent);
    // Cannot fail: strings and numbers are written to memory.
    let _ = log.serialize(&mut serializer);
    text.push(b'\n');
    String::from_utf8(text).unwrap_or_default()
}

/// Returns the speaker of a turn in a log, which has two; every turn that is not a user's can be judged.
pub fn log_speaker(turn: &Turn) -> &'static str {
    if turn.is_judgeable() { "S" } else { "U" }
}

fn log_turn((turn_index, turn): (usize, &Turn)) -> LogTurn<'_> {
    LogTurn {
        turn_index,
        speaker: log_speaker(turn),
        time: "",
        annotations: [],
        utterance: &turn.text,
        calls_digest: turn.digest_of_calls(),
    }
}

/// Returns the file name of the log of dialog `id`.
pub fn log_name(id: &str) -> String {
    name(id, LOG_END)
}

/// Returns the name of the file with the gold labels of dialog `id`.
pub fn gold_name(id: &str) -> String {
    name(id, LABELS_END)
}

/// Returns the name of the file with the judgements of an annotator. Those whose ids differ only in case share it, because
/// some file systems ignore case.
pub fn judgements_name(annotator: &str) -> String {
    name(&annotator.to_lowercase(), JUDGEMENTS_END)
}

fn name(id: &str, end: &str) -> String {
    if clean(id) == id && !is_device(id) { format!("{id}{end}") } else { name_apart(id, "", end) }
}

/// Another file name for the log of dialog `id` if [`log_name`] is taken; it depends on `from`.
pub fn log_name_apart(id: &str, from: &str) -> String {
    name_apart(id, from, LOG_END)
}

fn name_apart(id: &str, from: &str, end: &str) -> String {
    let hash = XxHash3_64::oneshot(format!("{id}\n{from}").as_bytes());
    format!("{}-{hash:016x}{end}", clean(id))
}

/// True if a log of dialog `id` may be named `stem`, without the ending of log names.
pub fn is_log_stem(stem: &str, id: &str) -> bool {
    let apart = || {
        let hash = stem.strip_prefix(clean(id).as_str())?.strip_prefix('-')?;
        Some(hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    stem == id || apart() == Some(true)
}

fn clean(id: &str) -> String {
    let good = |(i, char): (usize, char)| {
        let fits =
            char.is_ascii_alphanumeric() || matches!(char, '-' | '_') || char == '.' && i > 0;
        if fits { char } else { '_' }
    };
    let clean: String = id.chars().take(LONGEST).enumerate().map(good).collect();
    if clean.is_empty() { "_".to_owned() } else { clean }
}

fn is_device(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default().to_lowercase();
    let port = |kind: &str| {
        first
            .strip_prefix(kind)
            .is_some_and(|number| number.len() == 1 && number.bytes().all(|b| b.is_ascii_digit()))
    };
    DEVICES.contains(&first.as_str()) || port("com") || port("lpt")
}
