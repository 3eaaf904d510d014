//! Changes that no dialog tells: the JSON of what ours has not touched is taken as theirs has it, or is a conflict.

use std::fs;

use serde_json::{Value, json};

use super::{diff, merge};
use crate::support::{Ran, project};

/// A file, of which copies are made.
pub struct Copies {
    pub base: Value,
}

pub type Change<'c> = &'c dyn Fn(&mut Value);

impl Copies {
    /// A demo file.
    pub fn of(demo: &str) -> Self {
        let text = fs::read_to_string(project("assets/demo").join(demo)).unwrap();
        Self::of_value(serde_json::from_str(&text).unwrap())
    }

    pub fn of_value(base: Value) -> Self {
        Self { base }
    }

    pub fn with(&self, change: Change<'_>) -> Value {
        let mut copy = self.base.clone();
        change(&mut copy);
        copy
    }

    /// Merges these changes; returns the exit code, the merged file and the list of conflicts.
    pub fn merged(&self, ours: Change<'_>, theirs: Change<'_>) -> (i32, Value, String) {
        self.merged_with(&[], ours, theirs)
    }

    /// As [`Self::merged`], with options.
    pub fn merged_with(
        &self,
        options: &[&str],
        ours: Change<'_>,
        theirs: Change<'_>,
    ) -> (i32, Value, String) {
        let copies = [self.base.clone(), self.with(ours), self.with(theirs)];
        let [base, ours, theirs] = copies.map(|copy| format!("{copy:#}"));
        let (ran, text, conflicts) = merge([&base, &ours, &theirs], options);
        (ran.code, serde_json::from_str(&text).unwrap(), conflicts)
    }

    /// Merges two changes with each of them as ours.
    pub fn merged_both_ways(
        &self,
        one: Change<'_>,
        other: Change<'_>,
    ) -> [(i32, Value, String); 2] {
        [(one, other), (other, one)].map(|(ours, theirs)| self.merged(ours, theirs))
    }

    /// Asserts that two changes are both there, whichever is ours.
    pub fn are_joined(&self, one: Change<'_>, other: Change<'_>, both: &Value) {
        for merged in self.merged_both_ways(one, other) {
            assert_eq!(merged, (0, both.clone(), String::new()));
        }
    }

    /// Asserts that two changes are in conflict, in which ours stays as it is; returns the lists of conflicts.
    pub fn are_in_conflict(&self, one: Change<'_>, other: Change<'_>) -> [String; 2] {
        [(one, other), (other, one)].map(|(ours, theirs)| {
            let (code, out, conflicts) = self.merged(ours, theirs);
            assert_eq!((code, out), (1, self.with(ours)), "{conflicts}");
            conflicts
        })
    }

    /// Compares the file with a changed copy.
    fn diff(&self, change: Change<'_>) -> Ran {
        let [old, new] = [&self.base, &self.with(change)].map(|copy| format!("{copy:#}"));
        diff(&old, &new, &[])
    }
}

/// Returns a change that sets the value at a pointer, or takes it away.
pub fn set(pointer: &str, to: Value) -> impl Fn(&mut Value) {
    move |file| {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = file.pointer_mut(parent).unwrap();
        match parent {
            Value::Object(members) if to.is_null() => drop(members.remove(key).unwrap()),
            Value::Object(members) => drop(members.insert(key.to_owned(), to.clone())),
            Value::Array(elements) if to.is_null() => drop(elements.remove(key.parse().unwrap())),
            Value::Array(elements) => elements[key.parse::<usize>().unwrap()] = to.clone(),
            _ => panic!("{pointer}"),
        }
    }
}

/// Gives turns, and the calls in them, the numbers of their places.
pub fn number(turns: &mut [Value]) {
    for (index, turn) in turns.iter_mut().enumerate() {
        turn["index"] = json!(index);
        let calls = turn.get_mut("apis").into_iter();
        for call in calls.flat_map(|of| of.as_array_mut().unwrap()) {
            call["index"] = json!(index);
        }
    }
}

/// The dialogs as they are, after one side has changed the first turn of their beginnings and the other has added the
/// rest.
#[test]
fn turns_are_added_as_they_are() {
    let files = [
        ("sgd/dialogues_001.json", "turns", "utterance"),
        ("taskmaster-3.json", "utterances", "text"),
        ("taskmaster-4.json", "utterances", "text"),
        ("library/dialogues.json", "turns", "utterance"),
        ("sim-m.json", "turns", "user_acts"),
    ];
    for (file, turns, member) in files {
        let whole = Copies::of(file).base;
        let mut beginning = whole.clone();
        for dialog in beginning.as_array_mut().unwrap() {
            let list = dialog[turns].as_array_mut().unwrap();
            list.truncate((list.len() / 2).max(1));
        }
        let ours = |copy: &mut Value| {
            for dialog in copy.as_array_mut().unwrap() {
                dialog[turns][0][member] = match member {
                    "user_acts" => json!([]),
                    _ => json!("Hm."),
                };
                if let Some(segments) = dialog[turns][0].get_mut("segments") {
                    *segments = json!([]);
                }
            }
        };
        let mut expected = whole.clone();
        ours(&mut expected);
        let copies = Copies::of_value(beginning);
        let (code, out, conflicts) = copies.merged(&ours, &|copy| copy.clone_from(&whole));
        assert_eq!(code, 0, "{file}: {conflicts}");
        assert!(out == expected, "{file}");
    }
}

/// A number that says something else than where its turn is does not move with it.
#[test]
fn a_member_of_a_call_that_is_equal_to_the_number_of_its_turn_stays() {
    let mut copies = Copies::of("taskmaster-3.json");
    let turns = copies.base[0]["utterances"].as_array().unwrap();
    let call = turns.iter().position(|turn| turn.get("apis").is_some());
    let call = call.unwrap();
    copies.base[0]["utterances"][call]["apis"][0]["menu_index"] = json!(call);
    let added = |copy: &mut Value| {
        let turns = copy[0]["utterances"].as_array_mut().unwrap();
        turns.insert(1, json!({"index": 1, "speaker": "user", "text": "Hello?"}));
        number(turns);
    };
    let at = format!("/0/utterances/{call}/apis/0/name");
    let named = |copy: &mut Value| *copy.pointer_mut(&at).unwrap() = json!("other");
    let mut expected = copies.with(&named);
    added(&mut expected);
    copies.are_joined(&added, &named, &expected);
}

/// The order of segments says nothing; that of a list that the family does not know may.
#[test]
fn another_order_of_segments_makes_no_difference() {
    let copies = Copies::of("taskmaster-1.json");
    let turns = copies.base[0]["utterances"].as_array().unwrap();
    let has_two = |turn: &Value| turn["segments"].as_array().is_some_and(|of| of.len() > 1);
    let turn = turns.iter().position(has_two).unwrap();
    let reversed = |copy: &mut Value| {
        let segments = &mut copy[0]["utterances"][turn]["segments"];
        segments.as_array_mut().unwrap().reverse();
    };
    let text = set("/0/utterances/0/text", json!("Other."));
    let mut expected = copies.with(&text);
    reversed(&mut expected);
    assert_eq!(copies.merged(&text, &reversed), (0, expected, String::new()));
    let ran = copies.diff(&reversed);
    assert_eq!((ran.code, ran.out), (0, String::new()));
    let noted = |copy: &mut Value| {
        reversed(copy);
        copy[0]["utterances"][turn]["note"] = json!(1);
    };
    let ran = copies.diff(&noted);
    assert_eq!(ran.out.matches("that no edit can express").count(), 1, "{}", ran.out);
}

/// A file of one dialog has it, however little of it is left.
#[test]
fn the_only_dialog_of_a_file_is_the_same_one() {
    let mut copies = Copies::of("taskmaster-3.json");
    let mut dialog = copies.base[0].take();
    dialog["utterances"].as_array_mut().unwrap().truncate(3);
    copies.base = dialog;
    let other = |file: &mut Value| {
        file["conversation_id"] = json!("dlg-other");
        for (at, turn) in file["utterances"].as_array_mut().unwrap().iter_mut().enumerate() {
            turn["text"] = json!(format!("Other words {at}."));
            turn.as_object_mut().unwrap().remove("segments");
        }
    };
    let mut expected = copies.base.clone();
    other(&mut expected);
    copies.are_joined(&other, &|_| {}, &expected);
}

#[test]
fn a_dialog_that_is_only_written_otherwise_is_removed() {
    let text = fs::read_to_string(project("assets/demo/taskmaster-1.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let mut fewer = file.clone();
    fewer.as_array_mut().unwrap().remove(1);
    let (minified, removed) = (file.to_string(), format!("{fewer:#}"));
    for [ours, theirs] in [[&minified, &removed], [&removed, &minified]] {
        let (ran, merged, _) = merge([&text, ours, theirs], &[]);
        let out: Value = serde_json::from_str(&merged).unwrap();
        assert_eq!((ran.code, out), (0, fewer.clone()));
    }
}
