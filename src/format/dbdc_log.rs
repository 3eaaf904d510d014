//! New breakdown logs: a dialog of any family in the challenge's form, to be voted on.
//!
//! A log is a file of its own beside the corpus, called after its dialog as the challenge wants it,
//! `<dialogue-id>.log.json`. An id that is no good name of a file, on whatever system, is cleaned and
//! told apart from others by a hash.

use serde::Serialize;
use twox_hash::XxHash3_64;

use crate::dialog::{Dialog, Role, Turn};

/// What the name of a log ends with.
pub const LOG_END: &str = ".log.json";
/// Bytes of an id that a name keeps, at the most; file systems allow 255 for all of it.
const LONGEST: usize = 80;
/// Names that mean devices on some systems, whatever follows the first dot.
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
}

/// The text of a log of `dialog` without any votes, under the id `id`. `group` says where the dialog
/// is from; the published logs leave its field empty.
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
    // Strings and numbers in memory: there is nothing that could fail.
    let _ = log.serialize(&mut serializer);
    text.push(b'\n');
    String::from_utf8(text).unwrap_or_default()
}

fn log_turn((turn_index, turn): (usize, &Turn)) -> LogTurn<'_> {
    // The form knows two speakers; what is not a user's is judged.
    let is_user = turn.speaker.role == Role::User;
    LogTurn {
        turn_index,
        speaker: if is_user { "U" } else { "S" },
        time: "",
        annotations: [],
        utterance: &turn.text,
    }
}

/// The name of the log of dialog `id`.
pub fn log_name(id: &str) -> String {
    let clean = clean(id);
    if clean == id && !is_device(id) {
        format!("{id}{LOG_END}")
    } else {
        log_name_apart(id, "")
    }
}

/// Another name for the log of dialog `id`, where [`log_name`] is taken: it differs by `from`.
pub fn log_name_apart(id: &str, from: &str) -> String {
    let hash = XxHash3_64::oneshot(format!("{id}\n{from}").as_bytes());
    format!("{}-{hash:016x}{LOG_END}", clean(id))
}

/// True if a log of dialog `id` may be called `stem`, without what names of logs end with.
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
    if clean.is_empty() {
        "_".to_owned()
    } else {
        clean
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_good_on_every_system() {
        assert_eq!(log_name("dlg-1.a_B"), "dlg-1.a_B.log.json");
        let long = "x".repeat(300);
        for id in [
            "a/b", "..", ".hidden", "a\\b", "", "CON", "nul.x", "COM1", "対話", "a b", "é", &long,
        ] {
            let name = log_name(id);
            assert!(name.len() < 120 && name.is_ascii(), "{name}");
            assert!(
                !name.starts_with('.') && !name.contains(['/', '\\', ' ']),
                "{name}"
            );
            assert_ne!(name, format!("{id}{LOG_END}"));
            let stem = name.strip_suffix(LOG_END).expect("an end");
            assert!(is_log_stem(stem, id), "{name} is that of {id}");
        }
        assert_ne!(log_name("a/b"), log_name("a:b"));
        assert_ne!(log_name_apart("a", "1"), log_name_apart("a", "2"));
        assert!(!is_log_stem("b", "a") && !is_log_stem("a-1", "a"));
    }
}
