//! Faults are planted in the demo dialogs, one at a time: each is found, and the first fix restores the
//! original.

use serde_json::{Value, json};
use turnwise::lint::{Applicability, Diagnostic, labels_file};

use super::{found_in, only};
use crate::support::files::{own, spread};

/// The dialogs of a demo file.
fn demo(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(own("assets/demo").join(name)).unwrap();
    match serde_json::from_str(&text).unwrap() {
        Value::Array(dialogs) => dialogs,
        dialog => vec![dialog],
    }
}

/// The problems of `rule` that are not in `known`.
fn new(rule: &str, known: &[Diagnostic], dialog: &Value) -> Vec<Diagnostic> {
    let mut found = found_in(&dialog.to_string(), &only(rule));
    let is_known = |d: &Diagnostic| {
        let same = |k: &Diagnostic| k.message == d.message && k.location.turn == d.location.turn;
        known.iter().any(same)
    };
    found.retain(|d| !is_known(d));
    found
}

/// The most places of each dialog at which to plant a fault.
const PLACES: usize = 20;

/// Plants a fault in every dialog and place for which `plant` finds one; counts the faults that are
/// found, and the first fixes that restore the original, as compared by `same`.
struct Planted {
    all: usize,
    found: usize,
    repaired: usize,
}

/// Replaces the value at the pointer `at` by the result of `fault`.
fn plant(
    rule: &str,
    dialogs: &[Value],
    pointers: impl Fn(&Value) -> Vec<String>,
    fault: impl Fn(&Value) -> Option<Value>,
) -> Planted {
    let mut planted = Planted { all: 0, found: 0, repaired: 0 };
    for dialog in dialogs {
        let known = found_in(&dialog.to_string(), &only(rule));
        for pointer in spread(pointers(dialog), PLACES) {
            let mut changed = dialog.clone();
            let place = changed.pointer_mut(&pointer).unwrap();
            let Some(wrong) = fault(place) else {
                continue;
            };
            *place = wrong;
            planted.all += 1;
            let found = new(rule, &known, &changed);
            planted.found += usize::from(!found.is_empty());
            let repaired = found.first().is_some_and(|d| repairs(dialog, &changed, d));
            planted.repaired += usize::from(repaired);
        }
    }
    planted
}

/// True if the first fix gives back the dialog as it was.
fn repairs(before: &Value, after: &Value, diagnostic: &Diagnostic) -> bool {
    let Some(fix) = diagnostic.fixes.first() else {
        return false;
    };
    assert!(fix.applicability >= Applicability::Display);
    let mut parser = turnwise::json::Parser::new();
    let text = after.to_string();
    let format = turnwise::format::detect(parser.parse_str(&text).unwrap().root()).unwrap();
    let escapes = turnwise::json::Escapes::seen_in(&text);
    let mended = fix.edits.iter().fold(text, |text, edit| {
        turnwise::format::edit(format, &text, escapes, edit).unwrap().text
    });
    let mended: Value = serde_json::from_str(&mended).unwrap();
    mended == *before
}

/// Pointers to everything that `path` matches, where `*` matches any element of a list.
fn all(path: &'static str) -> impl Fn(&Value) -> Vec<String> {
    move |dialog| {
        let mut found = vec![String::new()];
        for part in path.split('/').skip(1) {
            let next = |at: &String| -> Vec<String> {
                let value = dialog.pointer(at).unwrap();
                match (part, value) {
                    ("*", Value::Array(list)) => {
                        (0..list.len()).map(|i| format!("{at}/{i}")).collect()
                    }
                    (_, Value::Object(object)) if object.contains_key(part) => {
                        vec![format!("{at}/{part}")]
                    }
                    _ => Vec::new(),
                }
            };
            found = found.iter().flat_map(next).collect();
        }
        found
    }
}

fn text(value: &Value, change: impl Fn(&str) -> String) -> Option<Value> {
    value.as_str().map(|text| change(text).into())
}

const LABEL: &str = "/utterances/*/segments/*/annotations/*/name";

#[test]
fn misspelled_labels() {
    for file in ["taskmaster-1.json", "taskmaster-2.json", "taskmaster-3.json"] {
        let dialogs = demo(file);
        let slips: [fn(&str) -> String; 4] = [
            // Two letters change places.
            |label| {
                let mut letters: Vec<char> = label.chars().collect();
                let middle = letters.len() / 2;
                letters.swap(middle, middle - 1);
                letters.into_iter().collect()
            },
            |label| label.to_uppercase(),
            |label| format!("{label}s"),
            |label| label.replace('.', "_"),
        ];
        for slip in slips {
            let fault = |label: &Value| {
                let wrong = text(label, slip)?;
                (wrong != *label).then_some(wrong)
            };
            let Planted { all, found, repaired } =
                plant("label-unknown", &dialogs, all(LABEL), fault);
            assert!(all > 20, "{file}");
            assert!(found * 100 >= all * 98, "{file}: {found} of {all} found");
            assert!(repaired * 100 >= all * 90, "{file}: {repaired} of {all} repaired");
        }
    }
}

#[test]
fn slips_in_calls() {
    let dialogs = demo("taskmaster-3.json");
    let doubled = |name: &Value| text(name, |name| format!("{name}s"));
    let Planted { all: count, found, repaired } =
        plant("api-unknown-name", &dialogs, all("/utterances/*/apis/*/name"), doubled);
    assert!(count > 8 && found == count && repaired == count);
    let renamed = |arguments: &Value| {
        let mut object = arguments.as_object()?.clone();
        let (name, value) = object.iter().next().map(|(n, v)| (n.clone(), v.clone()))?;
        object.remove(&name);
        object.insert(name.replace('.', "_"), value);
        Some(object.into())
    };
    for (rule, path) in [
        ("api-unknown-argument", "/utterances/*/apis/*/args"),
        ("api-unknown-response", "/utterances/*/apis/*/response"),
    ] {
        // "location" has no full stop to slip.
        let differs = |value: &Value| renamed(value).filter(|new| new != value);
        let Planted { all: count, found, .. } = plant(rule, &dialogs, all(path), differs);
        assert!(count > 6 && found >= count - 2, "{rule}: {found} of {count}");
    }
    let moved = |index: &Value| Some(json!(index.as_u64()? + 1));
    let Planted { all: count, found, .. } =
        plant("api-turn-index", &dialogs, all("/utterances/*/apis/*/index"), moved);
    assert_eq!(found, count);
}

/// A rule, and what it finds in a changed segment.
type Fault<'f> = (&'f str, &'f dyn Fn(&Value) -> Option<Value>);

/// Segments in the form of `MultiWOZ` are lists such as `["Hotel-Inform", "Day", "friday", 4, 4]`, and count words.
#[test]
fn segments_that_left_their_quotes() {
    let text = std::fs::read_to_string(own("assets/demo/multiwoz/gardens.json")).unwrap();
    let dialogs: Value = serde_json::from_str(&text).unwrap();
    let dialogs: Vec<Value> = dialogs.as_object().unwrap().values().cloned().collect();
    let number = |span: &Value, place: usize, more: i64| {
        let mut span = span.clone();
        let moved = span[place].as_i64()? + more;
        span[place] = json!(moved);
        (moved >= 0).then_some(span)
    };
    let set = |span: &Value, place: usize, change: &dyn Fn(&str) -> String| {
        let mut span = span.clone();
        span[place] = json!(change(span[place].as_str()?));
        Some(span)
    };
    let shorter = |name: &str| {
        let mut name = name.to_owned();
        name.remove(name.len() / 2);
        name
    };
    // The segments that cover their quotes, before the last word of their turn.
    let spans = |dialog: &Value| {
        let plain = |pointer: &String| {
            let (turn, _) = pointer.split_once("/span_info").unwrap();
            let said = dialog.pointer(turn).unwrap()["text"].as_str().unwrap();
            let words: Vec<_> = said.split_whitespace().collect();
            let span = dialog.pointer(pointer).unwrap();
            let [start, end] = [3, 4].map(|place| span[place].as_u64().unwrap() as usize);
            let covered = words.get(start..=end.max(start)).map(|words| words.join(" "));
            let quote = span[2].as_str().unwrap().to_lowercase();
            end + 1 < words.len() && covered.is_some_and(|words| words.to_lowercase() == quote)
        };
        let mut found = all("/log/*/span_info/*")(dialog);
        found.retain(plain);
        found
    };
    let (quoted, label) = ("span-quoted-elsewhere", "label-unknown");
    let faults: [Fault<'_>; 9] = [
        (quoted, &|span| number(span, 3, -1)),
        (quoted, &|span| number(span, 4, 1)),
        (quoted, &|span| number(&number(span, 3, 1)?, 4, 1)),
        (quoted, &|span| number(&number(span, 3, -1)?, 4, -1)),
        (label, &|span| set(span, 0, &shorter)),
        (label, &|span| set(span, 1, &shorter)),
        (quoted, &|span| set(span, 2, &shorter)),
        (quoted, &|span| set(span, 2, &|quote| format!("{quote} indeed"))),
        (quoted, &|span| set(span, 2, &|_| "zanzibar".to_owned())),
    ];
    for (number, (rule, fault)) in faults.into_iter().enumerate() {
        let Planted { all, found, repaired } = plant(rule, &dialogs, spans, fault);
        assert!(all > 0 && found * 100 >= all * 95, "{number}: {found} of {all} found");
        assert!(repaired * 100 >= found * 80, "{number}: {repaired} of {found} restored");
    }
}

#[test]
fn labels_of_another_log() {
    let read = |name: &str| {
        let text = std::fs::read_to_string(own("assets/demo/dbdc").join(name)).unwrap();
        let mut parser = turnwise::json::Parser::new();
        let tree = parser.parse_str(&text).unwrap();
        let format = turnwise::format::detect(tree.root()).unwrap();
        format.read(tree).0
    };
    let selection = only("labels-file-mismatch");
    let (log, labels) = (read("demo_001.log.json"), read("demo_001.labels.json"));
    assert!(labels_file(&log, &labels, &selection).is_empty());
    assert!(labels_file(&log, &read("demo_003.labels.json"), &selection).len() == 1);
    let mut cut = log.clone();
    cut.turns.pop();
    let found = labels_file(&cut, &labels, &selection);
    assert_eq!(found[0].message, "the log has no turn 19");
    let mut fewer = labels.clone();
    fewer.turns.pop();
    let found = labels_file(&log, &fewer, &selection);
    assert_eq!(found[0].message, "turn 19 was judged, but has no label");
}
