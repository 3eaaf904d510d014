//! Faults are planted in the demo dialogs, one at a time: each is found, and the first fix restores the
//! original.

use serde_json::{Value, json};
use turnwise::lint::{Applicability, Diagnostic, Selection, Severity, labels_file};

use super::fixes::{apply, read};
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

/// The problems of a rule in a dialog; of all rules, those that careful people would fix.
fn told(dialog: &Value, rule: Option<&str>) -> Vec<Diagnostic> {
    let mut found = found_in(&dialog.to_string(), &rule.map_or_else(Selection::default, only));
    found.retain(|d| rule.is_some() || d.severity > Severity::Note);
    found
}

/// The most places of each dialog at which to plant a fault.
const PLACES: usize = 20;

/// Faults in every dialog and place for which there is one.
#[derive(Debug, Default)]
struct Planted {
    all: usize,
    found: usize,
    /// The first fix of the first problem gives back the dialog.
    repaired: usize,
    /// Wrong fixes that are marked as safe.
    spoiled: usize,
}

/// Replaces the values to which pointers lead by the results of `fault`, one at a time.
fn plant(
    rule: Option<&str>,
    dialogs: &[Value],
    pointers: impl Fn(&Value) -> Vec<String>,
    fault: impl Fn(&Value) -> Option<Value>,
) -> Planted {
    let mut planted = Planted::default();
    for dialog in dialogs {
        // The demo has problems of its own.
        let known = told(dialog, rule);
        let is_new = |d: &Diagnostic| {
            let same =
                |k: &Diagnostic| k.message == d.message && k.location.turn == d.location.turn;
            !known.iter().any(same)
        };
        for pointer in spread(pointers(dialog), PLACES) {
            let mut changed = dialog.clone();
            let place = changed.pointer_mut(&pointer).unwrap();
            let Some(wrong) = fault(place).filter(|wrong| wrong != place) else {
                continue;
            };
            *place = wrong;
            planted.all += 1;
            let mut found = told(&changed, rule);
            found.retain(is_new);
            planted.found += usize::from(!found.is_empty());
            if let Some(fix) = found.iter().find_map(|d| d.fixes.first()) {
                let mended: Value =
                    serde_json::from_str(&apply(&changed.to_string(), fix)).unwrap();
                let is_right = sorted(&mended) == sorted(dialog);
                planted.repaired += usize::from(is_right);
                let is_safe = fix.applicability == Applicability::Safe;
                planted.spoiled += usize::from(!is_right && is_safe);
            }
        }
    }
    planted
}

/// Slots and states of simulated dialogues have no order that says anything.
fn sorted(dialog: &Value) -> Value {
    let mut dialog = dialog.clone();
    for turn in dialog["turns"].as_array_mut().into_iter().flatten() {
        for list in ["/dialogue_state", "/user_utterance/slots", "/system_utterance/slots"] {
            if let Some(Value::Array(list)) = turn.pointer_mut(list) {
                list.sort_by_key(Value::to_string);
            }
        }
    }
    dialog
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
            let Planted { all, found, repaired, .. } =
                plant(Some("label-unknown"), &dialogs, all(LABEL), |label| text(label, slip));
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
    let names = all("/utterances/*/apis/*/name");
    let planted = plant(Some("api-unknown-name"), &dialogs, names, doubled);
    let Planted { all: count, found, repaired, .. } = planted;
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
        let Planted { all: count, found, .. } = plant(Some(rule), &dialogs, all(path), renamed);
        assert!(count > 6 && found >= count - 2, "{rule}: {found} of {count}");
    }
    let moved = |index: &Value| Some(json!(index.as_u64()? + 1));
    let Planted { all: count, found, .. } =
        plant(Some("api-turn-index"), &dialogs, all("/utterances/*/apis/*/index"), moved);
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
        let Planted { all, found, repaired, .. } = plant(Some(rule), &dialogs, spans, fault);
        assert!(all > 0 && found * 100 >= all * 95, "{number}: {found} of {all} found");
        assert!(repaired * 100 >= found * 80, "{number}: {repaired} of {found} restored");
    }
}

#[test]
fn labels_of_another_log() {
    let of =
        |name: &str| read(&std::fs::read_to_string(own("assets/demo/dbdc").join(name)).unwrap());
    let selection = only("labels-file-mismatch");
    let (log, labels) = (of("demo_001.log.json"), of("demo_001.labels.json"));
    assert!(labels_file(&log, &labels, &selection).is_empty());
    assert!(labels_file(&log, &of("demo_003.labels.json"), &selection).len() == 1);
    let mut cut = log.clone();
    cut.turns.pop();
    let found = labels_file(&cut, &labels, &selection);
    assert_eq!(found[0].message, "the log has no turn 19");
    let mut fewer = labels.clone();
    fewer.turns.pop();
    let found = labels_file(&log, &fewer, &selection);
    assert_eq!(found[0].message, "turn 19 was judged, but has no label");
}

/// Simulated dialogues, whose spans count tokens: a name, the places, the fault, and the shares of it that are found and
/// repaired, in per cent.
type SimulatedFault = (&'static str, &'static str, fn(&Value) -> Option<Value>, usize, usize);

const SLOT: &str = "/turns/*/user_utterance/slots/*";
const NAME: &str = "/turns/*/user_utterance/slots/*/slot";
const TOKENS: &str = "/turns/*/user_utterance/tokens";
const ACT: &str = "/turns/*/system_acts/*";
const ACT_NAME: &str = "/turns/*/system_acts/*/slot";
const STATE: &str = "/turns/*/dialogue_state";
const STATE_NAME: &str = "/turns/*/dialogue_state/*/slot";

/// A slot with other numbers.
fn renumbered(slot: &Value, new: fn(u64, u64) -> (u64, u64)) -> Option<Value> {
    let (start, end) = new(slot["start"].as_u64()?, slot["exclusive_end"].as_u64()?);
    Some(json!({"slot": slot["slot"], "start": start, "exclusive_end": end}))
}

/// An act that has a value, changed.
fn said(act: &Value, change: fn(&mut Value)) -> Option<Value> {
    let has_value = act["value"].is_string() && act["value"] != "dontcare";
    has_value.then(|| {
        let mut act = act.clone();
        change(&mut act);
        act
    })
}

/// A list with another element in its middle, or without it.
fn other_middle(list: &Value, change: fn(&str) -> Option<String>) -> Option<Value> {
    let mut list = list.as_array()?.clone();
    let middle = list.len() / 2;
    match change(list.get(middle)?.as_str()?) {
        Some(token) => list[middle] = token.into(),
        None => drop(list.remove(middle)),
    }
    Some(list.into())
}

/// A state with its first slot once more.
fn twice(state: &Value, change: fn(&mut Value)) -> Option<Value> {
    let mut state = state.as_array()?.clone();
    let mut first = state.first()?.clone();
    change(&mut first);
    state.push(first);
    Some(state.into())
}

#[rustfmt::skip]
const SIMULATED: [SimulatedFault; 14] = [
    ("reversed", SLOT, |slot| renumbered(slot, |start, end| (end, start)), 97, 95),
    ("empty", SLOT, |slot| renumbered(slot, |start, _| (start, start)), 97, 95),
    ("too far", SLOT, |slot| renumbered(slot, |start, _| (start, 99)), 97, 95),
    ("later start", SLOT, |slot| renumbered(slot, |start, end| (start + 1, end)), 97, 95),
    ("shifted", SLOT, |slot| renumbered(slot, |start, end| (start + 1, end + 1)), 97, 90),
    // Misspelt short names have no fix if their value was mentioned before.
    ("name cut", NAME, |name| text(name, |name| name[..name.len() - 1].to_owned()), 100, 85),
    ("another value", ACT, |act| said(act, |act| act["value"] = json!(format!("{} x", act["value"].as_str().unwrap()))), 100, 90),
    ("a value of no slot", ACT, |act| said(act, |act| drop(act.as_object_mut().unwrap().remove("slot"))), 100, 90),
    ("a token lost", TOKENS, |tokens| other_middle(tokens, |_| None), 100, 95),
    ("another token", TOKENS, |tokens| other_middle(tokens, |token| Some(format!("{token}x"))), 100, 95),
    ("misspelt in one state", STATE_NAME, |name| text(name, |name| format!("{name}s")), 100, 100),
    ("misspelt in an act", ACT_NAME, |name| text(name, |name| format!("{name}s")), 100, 100),
    ("a slot twice", STATE, |state| twice(state, |_| ()), 100, 100),
    ("with another value", STATE, |state| twice(state, |slot| slot["value"] = "x".into()), 100, 100),
];

/// No fix adds a second value next to the broken one.
#[test]
fn slips_in_simulated_dialogues() {
    let dialogs = ["sim-m.json", "sim-r.json"].map(demo).concat();
    for (name, path, fault, found, repaired) in SIMULATED {
        let planted = plant(None, &dialogs, all(path), fault);
        let share = |of: usize, least: usize| of * 100 >= planted.all * least;
        let is_right = planted.all > 8
            && share(planted.found, found)
            && share(planted.repaired, repaired)
            && planted.spoiled == 0;
        assert!(is_right, "{name}: {planted:?}");
    }
}
