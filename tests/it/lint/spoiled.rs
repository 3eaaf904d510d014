//! Dialogs that somebody has spoiled: slips of the hand in all segments, in any value, and elements that are there twice.

use serde_json::{Value, json};

use super::slips::{SLIPS, plant};

/// The dialog spoiled in each of these ways.
pub fn all(dialog: &Value, seed: usize) -> [Value; 4] {
    let [one, other] = [seed, seed + 11].map(|mut seed| doubled(dialog, &mut seed));
    [spoiled(dialog, seed), spoiled(&other, seed), one, with_slips(dialog, seed)]
}

/// A dialog with something wrong in every segment in which it can go wrong.
fn spoiled(dialog: &Value, seed: usize) -> Value {
    let mut spoiled = dialog.clone();
    let mut next = seed;
    for utterance in spoiled["utterances"].as_array_mut().into_iter().flatten() {
        let count = utterance["segments"].as_array().map_or(0, Vec::len);
        for segment in 0..count {
            // Slips come in an order that is the same each time and differs from dialog to dialog.
            next = next * 13 + 7;
            let mut changed = utterance.clone();
            if plant(SLIPS[next % SLIPS.len()], &mut changed, segment).is_some() {
                *utterance = changed;
            }
            // Where segments overlap, one that occurs twice overlaps the rest of itself.
            if next.is_multiple_of(5)
                && count == 1
                && let Some(segments) = utterance["segments"].as_array_mut()
            {
                segments.push(segments[segment].clone());
            }
            next %= 1009;
        }
        if next.is_multiple_of(3) {
            let text = utterance["text"].as_str().unwrap_or_default();
            utterance["text"] = format!("{text} ").into();
        }
    }
    spoiled
}

/// The dialog with the elements of its lists doubled here and there, some of the copies changed a little.
fn doubled(value: &Value, next: &mut usize) -> Value {
    *next = *next * 31 + 7;
    *next %= 100_003;
    match value {
        Value::Array(all) => {
            let mut new = Vec::new();
            for one in all {
                let one = doubled(one, next);
                let times = if next.is_multiple_of(4) { 2 } else { 1 };
                for time in 0..times {
                    let mut copy = one.clone();
                    if let (1, true, Some(object)) =
                        (time, next.is_multiple_of(3), copy.as_object_mut())
                    {
                        object.insert("note".to_owned(), "mine".into());
                    }
                    new.push(copy);
                }
            }
            Value::Array(new)
        }
        Value::Object(members) => {
            let members = members.iter();
            // Turns and tokens stay as they are, so that spans fit.
            let stays =
                |key: &str| ["utterances", "turns", "log", "tokens", "messages"].contains(&key);
            let double = |(key, value): (&String, &Value)| {
                let value = match value {
                    Value::Array(all) if stays(key) => {
                        all.iter().map(|one| doubled(one, next)).collect()
                    }
                    value => doubled(value, next),
                };
                (key.clone(), value)
            };
            Value::Object(members.map(double).collect())
        }
        other => other.clone(),
    }
}

/// A value of a dialog with a slip in it.
fn slipped(value: &Value, seed: usize) -> Option<Value> {
    Some(match value {
        Value::String(text) if text.is_empty() => return None,
        Value::String(text) => {
            let middle = text.char_indices().nth(text.chars().count() / 2)?.0;
            let (before, behind) = text.split_at(middle);
            json!(match seed % 6 {
                0 => format!("{text} "),
                1 => text.to_uppercase(),
                2 => format!("{before}{}", behind.chars().skip(1).collect::<String>()),
                3 => format!("{before} {behind}"),
                4 => text.replace('.', ". "),
                _ => format!("{text}s"),
            })
        }
        Value::Number(number) => json!(number.as_u64()? + 1 + seed as u64 % 3),
        Value::Array(list) if !list.is_empty() => {
            let mut list = list.clone();
            let place = seed % list.len();
            if seed.is_multiple_of(2) {
                list.insert(place, list[place].clone());
            } else {
                list.remove(place);
            }
            json!(list)
        }
        _ => return None,
    })
}

/// Pointers to the values of a dialog, in as many elements of each list.
pub fn pointers(value: &Value, at: &str, elements: usize, all: &mut Vec<String>) {
    let mut each = |key: &str, value: &Value| {
        let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        all.push(at.clone());
        pointers(value, &at, elements, all);
    };
    match value {
        Value::Array(list) => {
            let list = list.iter().take(elements).enumerate();
            list.for_each(|(i, value)| each(&i.to_string(), value));
        }
        Value::Object(object) => object.iter().for_each(|(key, value)| each(key, value)),
        _ => {}
    }
}

/// The dialog with several slips anywhere in it, which meet where `seed` wants it.
pub fn with_slips(dialog: &Value, seed: usize) -> Value {
    let mut changed = dialog.clone();
    let mut all = Vec::new();
    pointers(dialog, "", usize::MAX, &mut all);
    let mut next = seed * 7919 + 13;
    for _ in 0..4 {
        let place = &all[next % all.len()];
        next = next.wrapping_mul(31).wrapping_add(17) % 100_003;
        // A list that was made shorter may have lost it.
        if let Some(value) = changed.pointer_mut(place)
            && let Some(wrong) = slipped(value, next)
        {
            *value = wrong;
        }
    }
    changed
}
