//! Plain loops that decide which turns a query should find, independently of the queries' own code.

use turnwise::dialog::{Breakdown, Content, Dialog, Payload, Role, Turn};

/// True if the turn at a position should be found.
pub type Expected = fn(&Dialog, usize) -> bool;

pub fn has(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(part)
}

pub fn by_user(turn: &Turn) -> bool {
    turn.speaker.role == Role::User || has(&turn.speaker.name, "user")
}

pub fn by_system(turn: &Turn) -> bool {
    turn.speaker.role == Role::System || has(&turn.speaker.name, "system")
}

pub fn by_assistant(turn: &Turn) -> bool {
    has(&turn.speaker.name, "assistant")
}

pub fn labelled(turn: &Turn, part: &str) -> bool {
    for segment in &turn.segments {
        for label in &segment.labels {
            if has(&label.name, part) {
                return true;
            }
        }
    }
    turn.segments.is_empty() && acts(turn, part)
}

pub fn acts(turn: &Turn, part: &str) -> bool {
    turn.acts.iter().any(|act| has(&act.name, part))
}

pub fn calls(turn: &Turn, beginning: &str) -> bool {
    let mut calls = turn.calls.iter();
    calls.any(|call| call.name.to_lowercase().starts_with(beginning))
}

pub fn has_slot(turn: &Turn, part: &str) -> bool {
    let mut slots = turn.acts.iter().flat_map(|act| &act.slots);
    slots.any(|slot| has(&slot.slot, part))
}

pub fn state(turn: &Turn, part: &str) -> bool {
    let mut slots = turn.state.iter().flatten();
    slots.any(|slot| has(&slot.slot, part))
}

/// The values of a slot, which may be a list.
pub fn values(content: &Content) -> Vec<String> {
    match content {
        Content::Raw(raw) if raw.starts_with('[') => {
            let list: Vec<serde_json::Value> = serde_json::from_str(raw).unwrap();
            let text = |value: &serde_json::Value| match value.as_str() {
                Some(text) => text.to_owned(),
                None => value.to_string(),
            };
            list.iter().map(text).collect()
        }
        other => vec![other.as_str().to_owned()],
    }
}

/// The names and values in arguments or responses, nested ones with their paths.
pub fn members(payload: Option<&Payload>) -> Vec<(String, String)> {
    let mut all = Vec::new();
    match payload {
        None => {}
        Some(Payload::Fields(fields)) => {
            for field in fields {
                let text = field.content.as_str();
                all.push((field.name.to_string(), text.to_owned()));
                if let Content::Raw(raw) = &field.content
                    && let Ok(value) = serde_json::from_str::<serde_json::Value>(raw)
                    && (value.is_object() || value.is_array())
                {
                    leaves(&field.name, &value, &mut all);
                }
            }
        }
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
            if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
                leaves("", &value, &mut all);
            }
        }
    }
    all
}

fn leaves(path: &str, value: &serde_json::Value, all: &mut Vec<(String, String)>) {
    match value {
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                let inside = [path, name.as_str()].join(if path.is_empty() { "" } else { "." });
                leaves(&inside, value, all);
            }
        }
        serde_json::Value::Array(list) => {
            for value in list {
                leaves(path, value, all);
            }
        }
        serde_json::Value::String(text) if !path.is_empty() => {
            all.push((path.to_owned(), text.clone()));
        }
        other if !path.is_empty() => all.push((path.to_owned(), other.to_string())),
        _ => {}
    }
}

pub fn arguments(turn: &Turn) -> Vec<(String, String)> {
    let payloads = turn.calls.iter().map(|call| call.arguments.as_ref());
    payloads.flat_map(members).collect()
}

pub fn responses(turn: &Turn) -> Vec<(String, String)> {
    let payloads = turn.calls.iter().map(|call| call.response.as_ref());
    payloads.flat_map(members).collect()
}

/// The votes for O, T and X.
pub fn votes(turn: &Turn) -> [usize; 3] {
    let of = |wanted| {
        let votes = turn.votes.iter();
        votes.filter(|vote| vote.breakdown == Some(wanted)).count()
    };
    [of(Breakdown::O), of(Breakdown::T), of(Breakdown::X)]
}

/// The label with the most votes; of labels with equally many, the better one.
pub fn majority(turn: &Turn) -> Option<usize> {
    let votes = votes(turn);
    let most = votes.into_iter().max().filter(|most| *most > 0)?;
    votes.iter().position(|count| *count == most)
}

pub fn is_tie(turn: &Turn) -> bool {
    let votes = votes(turn);
    let most = votes.into_iter().max().unwrap();
    most > 0 && votes.iter().filter(|count| **count == most).count() > 1
}

/// The entropy of the votes, in bits.
pub fn entropy(turn: &Turn) -> Option<f64> {
    let votes = votes(turn);
    let total: usize = votes.iter().sum();
    if total == 0 {
        return None;
    }
    let shares = votes.map(|count| count as f64 / total as f64);
    let shares = shares.into_iter().filter(|share| *share > 0.0);
    Some(shares.map(|share| -share * share.log2()).sum())
}

pub fn words(turn: &Turn) -> usize {
    turn.text.split_whitespace().count()
}

/// True if an earlier turn, at most `most` turns before, meets a condition.
pub fn after(
    dialog: &Dialog,
    turn: usize,
    most: usize,
    is_met: impl Fn(&Dialog, usize) -> bool,
) -> bool {
    (turn.saturating_sub(most)..turn).any(|earlier| is_met(dialog, earlier))
}

/// A time of day such as 9:10, found without regular expressions.
pub fn has_time(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let is_word = |at: usize| {
        chars
            .get(at)
            .is_some_and(|c| c.is_alphanumeric() || *c == '_')
    };
    let is_digit = |at: usize| chars.get(at).is_some_and(|c| c.is_numeric());
    (0..chars.len()).any(|start| {
        (start == 0 || !is_word(start - 1))
            && [1, 2].into_iter().any(|digits| {
                let colon = start + digits;
                (start..colon).all(is_digit)
                    && chars.get(colon) == Some(&':')
                    && is_digit(colon + 1)
                    && is_digit(colon + 2)
                    && !is_word(colon + 3)
            })
    })
}
