//! Faults planted in corpora with acts and states, one a dialog: nearly each is found, and the first fix
//! nearly always restores the dialog.

use serde_json::{Value, json};

use super::planted::{Planted, demo, plant};
use crate::support::files::{neighbours, own, say};
use crate::support::random::Random;

/// The dialogs of the files whose path contains `part`.
fn real(part: &str, test: &str) -> Vec<Value> {
    let files = neighbours(test).unwrap_or_default().into_iter();
    let files = files.filter(|path| path.to_string_lossy().contains(part));
    let dialogs = files.flat_map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        match serde_json::from_str(&text).unwrap() {
            Value::Array(dialogs) => dialogs,
            Value::Object(dialogs) => dialogs.into_iter().map(|(_, dialog)| dialog).collect(),
            _ => Vec::new(),
        }
    });
    dialogs.collect()
}

/// Pointers to the objects at `member` of all frames.
fn in_frames(dialog: &Value, member: &str) -> Vec<String> {
    let turns = dialog["turns"].as_array().unwrap().iter().enumerate();
    let frames = turns.flat_map(|(turn, of)| {
        let frames = of["frames"].as_array().unwrap().iter().enumerate();
        frames.map(move |(frame, of)| (format!("/turns/{turn}/frames/{frame}{member}"), of))
    });
    let own = frames.filter(|(_, frame)| frame.pointer(member).is_some_and(Value::is_object));
    own.map(|(pointer, _)| pointer).collect()
}

/// One pointer of several, by a seed that follows from the dialog.
fn one_of(pointers: Vec<String>, dialog: &Value) -> Vec<String> {
    one_by_seed(pointers, dialog, 0)
}

fn one_by_seed(mut pointers: Vec<String>, dialog: &Value, seed: u64) -> Vec<String> {
    let mut random = Random(dialog.to_string().len() as u64 + seed);
    if pointers.len() > 1 {
        let chosen = random.position(pointers.len());
        pointers = vec![pointers.swap_remove(chosen)];
    }
    pointers
}

/// The least shares, in percent: of the planted faults found, and of these restored.
#[derive(Clone, Copy)]
struct Least {
    found: usize,
    repaired: usize,
}

const MOST: Least = Least { found: 95, repaired: 90 };

fn enough(fault: &str, planted: &Planted, least: Least) {
    let Planted { all, found, repaired: right } = planted;
    say(&format!("{fault}: {all} planted, {found} found, {right} restored"));
    assert!(found * 100 >= all * least.found, "{fault}: {found} of {all} found");
    assert!(right * 100 >= found * least.repaired, "{fault}: {right} of {found} restored");
}

/// Values that nobody has, one for each place.
const MADE_UP: [&str; 4] = ["Zanzibar", "03:33", "2031-12-24", "Quixote Palace"];

fn arguments_of(dialogs: &[Value], least: usize, repaired: usize) {
    let parameters = |dialog: &Value| {
        let mut all = Vec::new();
        for call in in_frames(dialog, "/service_call/parameters") {
            let names = dialog.pointer(&call).unwrap().as_object().unwrap().keys();
            all.extend(names.map(|name| format!("{call}/{name}")));
        }
        one_of(all, dialog)
    };
    let made_up = |value: &Value| Some(json!(MADE_UP[value.to_string().len() % MADE_UP.len()]));
    let planted = plant("api-argument-unsupported", dialogs, parameters, made_up);
    assert!(planted.all >= least);
    enough("arguments", &planted, Least { repaired, ..MOST });
}

#[test]
fn arguments_that_nothing_supports() {
    // One value of the demo is not that of the state.
    arguments_of(&demo("sgd/dialogues_001.json"), 3, 60);
}

#[test]
fn arguments_that_nothing_supports_in_real_corpora() {
    let dialogs = real("sgd/dev/dialogues", "planting arguments");
    if !dialogs.is_empty() {
        arguments_of(&dialogs, 200, 90);
    }
}

#[test]
fn lost_slots_in_real_corpora() {
    let dialogs = real("sgd/dev/dialogues", "planting lost slots");
    // A slot of a state that the state before it has, too.
    let kept = |dialog: &Value| {
        let mut all = Vec::new();
        let states = in_frames(dialog, "/state/slot_values");
        let slots = |pointer: &str| dialog.pointer(pointer).unwrap().as_object().unwrap();
        let service = |pointer: &str| {
            let frame = pointer.trim_end_matches("/state/slot_values");
            dialog.pointer(frame).unwrap()["service"].clone()
        };
        for pair in states.windows(2) {
            if service(&pair[0]) == service(&pair[1]) {
                let both = slots(&pair[1]).keys();
                let both = both.filter(|slot| slots(&pair[0]).contains_key(*slot));
                all.extend(both.map(|slot| format!("{} {slot}", pair[1])));
            }
        }
        one_of(all, dialog)
    };
    let (mut all, mut found, mut repaired) = (0, 0, 0);
    for dialog in &dialogs {
        for place in kept(dialog) {
            let (state, slot) = place.split_once(' ').unwrap();
            let lost = |state: &Value| {
                let mut state = state.as_object()?.clone();
                state.remove(slot);
                Some(state.into())
            };
            let one = plant(
                "state-lost-slot",
                std::slice::from_ref(dialog),
                |_| vec![state.to_owned()],
                lost,
            );
            all += one.all;
            found += one.found;
            repaired += one.repaired;
        }
    }
    let planted = Planted { all, found, repaired };
    if planted.all > 0 {
        enough("lost slots", &planted, MOST);
    }
}

/// A fault: its name, the rule that finds it, how many of a hundred are restored, and the change.
type Fault<'f> = (&'f str, &'f str, Least, &'f dyn Fn(&Value) -> Option<Value>);

/// Faults of segments in the form of `MultiWOZ`, which are lists such as `["Hotel-Inform", "Day", "friday", 4, 4]`.
fn spans_of(dialogs: &[Value], seed: u64, planted_least: usize) {
    let spans = |dialog: &Value| {
        let turns = dialog["log"].as_array().unwrap().iter().enumerate();
        let spans = turns.flat_map(|(turn, of)| {
            let spans = of["span_info"].as_array().map_or(0, Vec::len);
            let words: Vec<_> = of["text"].as_str().unwrap().split_whitespace().collect();
            let is_plain = move |span: &usize| {
                let at = |place: usize| of["span_info"][span][place].as_u64().unwrap() as usize;
                let covered = words.get(at(3)..=at(4).max(at(3)));
                let covered = covered.map(|words| words.join(" ").to_lowercase());
                let quote = of["span_info"][span][2].as_str().unwrap().to_lowercase();
                at(4) + 1 < words.len() && covered == Some(quote)
            };
            let plain = (0..spans).filter(is_plain);
            plain.map(move |span| format!("/log/{turn}/span_info/{span}"))
        });
        one_by_seed(spans.collect(), dialog, seed)
    };
    let number = |span: &Value, place: usize, more: i64| {
        let mut span = span.clone();
        let moved = span[place].as_i64()? + more;
        span[place] = json!(moved);
        (moved >= 0).then_some(span)
    };
    let letter = |span: &Value, place: usize| {
        let mut span = span.clone();
        let mut name = span[place].as_str()?.to_owned();
        name.remove(name.len() / 2);
        span[place] = json!(name);
        Some(span)
    };
    let rule = "span-quoted-elsewhere";
    let faults: [Fault<'_>; 9] = [
        ("an earlier start", rule, MOST, &|span| number(span, 3, -1)),
        ("a later end", rule, MOST, &|span| number(span, 4, 1)),
        ("a segment further on", rule, MOST, &|span| number(&number(span, 3, 1)?, 4, 1)),
        ("a segment further ahead", rule, MOST, &|span| number(&number(span, 3, -1)?, 4, -1)),
        ("a letter less in the act", "label-unknown", MOST, &|span| letter(span, 0)),
        ("a letter less in the slot", "label-unknown", MOST, &|span| letter(span, 1)),
        ("a letter less in the quote", rule, MOST, &|span| letter(span, 2)),
        ("a quote of more words", rule, MOST, &|span| {
            let mut span = span.clone();
            span[2] = json!(format!("{} indeed", span[2].as_str()?));
            Some(span)
        }),
        ("another quote", rule, MOST, &|span| {
            let mut span = span.clone();
            span[2] = json!("zanzibar");
            Some(span)
        }),
    ];
    for (fault, rule, least, change) in faults {
        let planted = plant(rule, dialogs, spans, change);
        assert!(planted.all >= planted_least, "{fault}");
        enough(fault, &planted, least);
    }
}

#[test]
fn segments_that_left_their_quotes() {
    let text = std::fs::read_to_string(own("assets/demo/multiwoz/gardens.json")).unwrap();
    let dialogs: Value = serde_json::from_str(&text).unwrap();
    let dialogs: Vec<Value> = dialogs.as_object().unwrap().values().cloned().collect();
    spans_of(&dialogs, 0, 1);
}

#[test]
fn segments_that_left_their_quotes_in_real_corpora() {
    let dialogs = real("multiwoz-2.1", "planting spans");
    if !dialogs.is_empty() {
        (0..3).for_each(|seed| spans_of(&dialogs, seed, 40));
    }
}
