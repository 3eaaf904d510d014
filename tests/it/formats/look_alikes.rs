//! Dialogs that only look like a family: those of every other family with members emptied and renamed.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise::format::{Family, bundled, detect};
use turnwise::json::Parser;

use super::detection::family;
use crate::lint::spoiled::pointers;
use crate::support::files::{dialogs_of, neighbours, open, own_files, say, traces};

/// The lists in which families keep their turns.
#[rustfmt::skip]
const LISTS: [&str; 10] = [
    "messages", "conversation", "conversations", "traj", "prompt", "chosen", "completion", "conversation_a",
    "utterances", "turns",
];

/// The most elements of a list that are changed, each by itself.
const ELEMENTS: usize = 2;

/// The dialog with a value emptied; None if it is empty.
fn emptied(dialog: &Value, pointer: &str) -> Option<Value> {
    let mut dialog = dialog.clone();
    let value = dialog.pointer_mut(pointer)?;
    let empty = match value {
        Value::Array(_) => json!([]),
        Value::Object(_) => json!({}),
        Value::String(_) => json!(""),
        _ => Value::Null,
    };
    if *value == empty {
        return None;
    }
    *value = empty;
    Some(dialog)
}

/// The dialog in which every member with the name of one has another name.
fn renamed(dialog: &Value, pointer: &str) -> Option<Value> {
    let (above, name) = pointer.rsplit_once('/')?;
    let name = name.replace("~1", "/").replace("~0", "~");
    dialog.pointer(above)?.is_object().then(|| rename(dialog, &name))
}

fn rename(value: &Value, name: &str) -> Value {
    match value {
        Value::Object(members) => {
            let key = |key: &String| {
                if key == name { format!("{key}_x") } else { key.clone() }
            };
            let members = members.iter().map(|(k, v)| (key(k), rename(v, name)));
            Value::Object(members.collect())
        }
        Value::Array(elements) => elements.iter().map(|v| rename(v, name)).collect(),
        other => other.clone(),
    }
}

/// The dialog with empty lists under the names that it does not have.
fn with_empty_lists(dialog: &Value) -> Option<Value> {
    let mut members = dialog.as_object()?.clone();
    for list in LISTS {
        members.entry(list).or_insert_with(|| Value::Array(Vec::new()));
    }
    Some(Value::Object(members))
}

/// The family of a dialog, and the number of turns that are read as this family.
fn recognized(dialog: &Value) -> Option<(&'static Family, usize)> {
    let text = dialog.to_string();
    let mut parser = Parser::new();
    let tree = parser.parse_str(&text).unwrap();
    let format = detect(tree.root()).ok()?;
    Some((format, format.read(tree).0.turns.len()))
}

/// A dialog of each file that is recognized.
fn dialogs() -> Vec<Value> {
    let samples = bundled().iter().filter_map(|f| f.description().sample.clone());
    let real = neighbours("look-alikes").into_iter().flatten();
    let real = real.chain(traces("look-alikes").into_iter().flatten());
    let files = own_files().into_iter().chain(real);
    let texts = files.map(|path| std::fs::read(path).unwrap());
    let mut all: BTreeMap<(&str, usize), Value> = BTreeMap::new();
    for bytes in texts.chain(samples.map(String::into_bytes)) {
        let Some(format) = open(bytes.clone()).format() else {
            continue;
        };
        // The shortest is enough: its ways are those of the others.
        for dialog in dialogs_of(&bytes) {
            let keyed = dialog.as_object().and_then(|members| members.values().next());
            for dialog in [Some(&dialog), keyed].into_iter().flatten() {
                let length = dialog.to_string().len();
                if length < 20_000
                    && recognized(dialog).is_some_and(|(f, n)| f.name() == format.name() && n > 0)
                {
                    all.insert((format.name(), length), dialog.clone());
                }
            }
        }
    }
    let mut kept: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for ((family, _), dialog) in all {
        let own = kept.entry(family).or_default();
        if own.len() < 3 {
            own.push(dialog);
        }
    }
    let of_dialogs = bundled().iter().filter(|format| !format.lines_are_turns());
    assert!(kept.len() > of_dialogs.count(), "{:?}", kept.keys());
    kept.into_values().flatten().collect()
}

/// Families of one corpus, of which the more general one remains when a member is gone; answers of preference rows are
/// messages or texts, and sessions of goose are messages but for their calls.
fn is_relative(one: &str, other: &str) -> bool {
    let both = [one, other];
    let prefix = |prefix: &str| both.iter().all(|name| name.starts_with(prefix));
    ["taskmaster", "multiwoz", "sim", "dbdc"].iter().any(|p| prefix(p))
        || both.contains(&"messages") && (both.contains(&"preference") || both.contains(&"goose"))
}

#[test]
fn emptied_and_renamed_dialogs_of_real_corpora_are_of_no_other_family() {
    let (mut tried, mut unknown) = (0, 0);
    for dialog in dialogs() {
        let (own, _) = recognized(&dialog).unwrap();
        let mut changed = Vec::new();
        let mut all = Vec::new();
        pointers(&dialog, "", ELEMENTS, &mut all);
        for pointer in &all {
            changed.extend(emptied(&dialog, pointer));
            if let Some(renamed) = renamed(&dialog, pointer) {
                changed.extend(with_empty_lists(&renamed));
                changed.push(renamed);
            }
        }
        changed.extend(with_empty_lists(&dialog));
        changed.sort_by_cached_key(Value::to_string);
        changed.dedup();
        for changed in changed {
            tried += 1;
            let Some((format, turns)) = recognized(&changed) else {
                unknown += 1;
                continue;
            };
            let (name, own) = (format.name(), own.name());
            assert!(name == own || is_relative(name, own), "{own} is taken for {name}: {changed}");
            // Only a dialog whose own list is empty, and that has no other list of objects, has no turns.
            let is_emptied = LISTS.iter().any(|list| {
                let member = changed.get(list).and_then(Value::as_array);
                member.is_some_and(Vec::is_empty) && dialog.get(list).is_some()
            });
            let mut members = changed.as_object().into_iter().flat_map(serde_json::Map::values);
            let has_objects = members.any(|member| {
                let mut elements = member.as_array().into_iter().flatten();
                elements.any(Value::is_object)
            });
            let is_emptied = is_emptied && !has_objects;
            assert!(turns > 0 || is_emptied, "{name}: {changed}");
        }
    }
    say(&format!("{unknown} of {tried} emptied and renamed dialogs are unknown"));
    assert!(tried > 1000 && unknown > 100, "{tried} {unknown}");
}

#[test]
fn an_empty_list_is_not_a_sign() {
    for list in LISTS {
        for text in [
            format!(r#"{{"{list}":[]}}"#),
            format!(r#"{{"id":"x","{list}":[]}}"#),
            format!(r#"{{"conversation_id":"x","{list}":[],"talk":[{{"who":"a","says":"hi"}}]}}"#),
            format!(r#"{{"dialogue-id":"x","{list}":[],"talk":[{{"who":"a","says":"hi"}}]}}"#),
        ] {
            let dialog: Value = serde_json::from_str(&text).unwrap();
            assert!(recognized(&dialog).is_none() && family(&text).is_err(), "{text}");
        }
    }
    // The id of a family is a sign.
    for (text, name) in [
        (r#"{"conversation_id":"x","utterances":[]}"#, "taskmaster-1-2"),
        (r#"{"dialogue-id":"x","turns":[]}"#, "dbdc"),
    ] {
        let dialog: Value = serde_json::from_str(text).unwrap();
        assert_eq!(recognized(&dialog).map(|(f, n)| (f.name(), n)), Some((name, 0)));
        assert_eq!(family(text), Ok(name));
    }
}
