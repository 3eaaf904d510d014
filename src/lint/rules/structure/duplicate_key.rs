//! An object contains the same key twice.
//!
//! Most readers keep the last value, some keep the first, and some reject the file, so what the
//! corpus says depends on the reader.
//!
//! There is no fix, because only a person can tell which value is meant.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [
//!   {"index": 0, "speaker": "USER", "text": "for two", "text": "for three"}]}
//! ```
//!
//! ```text good
//! user: for two
//! ```

use foldhash::{HashMap, HashMapExt as _};

use crate::dialog::Extent;
use crate::json::Value;
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "duplicate-key",
    severity: Severity::Error,
    on: true,
    source: include_str!("duplicate_key.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for object in subject.tree.objects() {
        if !may_repeat(object) {
            continue;
        }
        for (key, first) in repeated(object) {
            let at = key.range();
            let at = Extent { start: at.start, end: at.end };
            let name = key.as_str().unwrap_or_default();
            let message = if first {
                format!("duplicate key {}; most readers keep only its last value", quoted(&name))
            } else {
                format!("another duplicate of key {}", quoted(&name))
            };
            found.add(subject.location_in(at), message);
        }
    }
}

/// Objects with more members than this are always compared in full. Only API responses have so many.
const FEW: usize = 16;

/// False if an object certainly has no duplicate key. Fast, because it compares only signatures.
fn may_repeat(object: Value<'_>) -> bool {
    let mut seen = [0_u64; FEW];
    for (place, (key, _)) in object.members().enumerate() {
        // A key with escapes may be equal to a key without.
        if place == FEW || key.escaped_str().is_some() {
            return true;
        }
        let signature = signature(key.quoted().as_bytes());
        if seen[..place].contains(&signature) {
            return true;
        }
        seen[place] = signature;
    }
    false
}

/// Returns the length of a key combined with its last eight bytes, or with all bytes of a shorter key.
fn signature(key: &[u8]) -> u64 {
    let tail = match (key.last_chunk::<8>(), key.first_chunk::<4>()) {
        (Some(tail), _) => u64::from_le_bytes(*tail),
        (None, Some(head)) => {
            let tail = key.last_chunk::<4>().unwrap_or(head);
            u64::from(u32::from_le_bytes(*head)) << 32 | u64::from(u32::from_le_bytes(*tail))
        }
        (None, None) => key.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)),
    };
    tail ^ (key.len() as u64).rotate_right(8)
}

/// Returns the repeated keys of an object, each with whether it is the first repetition.
fn repeated<'a>(object: Value<'a>) -> Vec<(Value<'a>, bool)> {
    let mut times = HashMap::new();
    let again = |(key, _): (Value<'a>, Value<'a>)| {
        let times = times.entry(key.as_str().unwrap_or_default()).or_insert(0);
        *times += 1;
        (*times > 1).then_some((key, *times == 2))
    };
    object.members().filter_map(again).collect()
}
