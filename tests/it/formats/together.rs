//! Batches of edits: each edit has the same effect as alone, and all of them can be undone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use turnwise::dialog::{Breakdown, Edit, EditError, EditValue, SlotValue};
use turnwise::format::EditGroup;
use turnwise::json::Parser;

use crate::support::check::{family, read};
use crate::support::files::{open, open_path, original, own_files, real_files, saved, spread};
use crate::support::plan;
use crate::support::{amount, project};

/// Some of the edits, in an order of their own.
fn shuffled(mut edits: Vec<Edit>, seed: usize, count: usize) -> Vec<Edit> {
    let mut next = seed * 7919 + 13;
    let mut chosen = Vec::new();
    while chosen.len() < count && !edits.is_empty() {
        next = (next * 31 + 17) % 100_003;
        chosen.push(edits.swap_remove(next % edits.len()));
    }
    chosen
}

/// True if a batch makes the edits that are made one by one. It may also make one that alone is refused: it is written once,
/// so a later edit may mend what that one would break.
fn are_alike(
    batch: &[Result<bool, EditError>],
    one_by_one: &[Result<bool, EditError>],
    told: &dyn Fn() -> String,
) -> bool {
    assert_eq!(batch.len(), one_by_one.len(), "{}", told());
    let differs = |(made, alone): &(_, &Result<bool, EditError>)| *made != alone.as_ref().ok();
    let mut pairs = batch.iter().map(|made| made.as_ref().ok()).zip(one_by_one);
    let Some((made, alone)) = pairs.find(differs) else {
        return true;
    };
    assert!(made.is_some() && alone.is_err(), "{made:?}, alone {alone:?}: {}", told());
    false
}

/// The edits in groups of one.
fn each(edits: &[Edit]) -> Vec<EditGroup<'_>> {
    edits.chunks(1).map(|edits| EditGroup { edits, on: None }).collect()
}

/// The edits in groups of up to four.
fn grouped(edits: &[Edit], seed: usize) -> Vec<EditGroup<'_>> {
    let mut groups = Vec::new();
    let mut left = edits;
    while !left.is_empty() {
        let count = 1 + (seed + 3 * left.len()) % 4;
        let (edits, rest) = left.split_at(count.min(left.len()));
        groups.push(EditGroup { edits, on: None });
        left = rest;
    }
    groups
}

/// Makes groups of edits one by one, and as a batch; a group is made as a whole or not at all. Returns how many edits were
/// made, and whether the bytes are the same.
fn tried(bytes: &[u8], position: usize, groups: &[EditGroup<'_>]) -> (usize, bool) {
    let (mut alone, mut together) = (open(bytes.to_vec()), open(bytes.to_vec()));
    let mut one_by_one = |group: &EditGroup<'_>| {
        let mut changes = 0;
        for edit in group.edits {
            match alone.edit(position, edit) {
                Ok(changed) => changes += usize::from(changed),
                Err(refused) => {
                    alone.undo_last(changes);
                    return Err(refused);
                }
            }
        }
        Ok(changes > 0)
    };
    let one_by_one: Vec<_> = groups.iter().map(&mut one_by_one).collect();
    let made = together.edit_all(position, groups);
    let told = || format!("{groups:#?}\n{}", open(bytes.to_vec()).text(position).unwrap());
    if are_alike(&made.results, &one_by_one, &told) {
        assert_eq!(read(&alone, position), read(&together, position), "{}", told());
    }
    let (meant, edited) = (saved(&alone), saved(&together));
    // The text can be read after each undo.
    let steps = made.changes.len();
    for step in (0..steps).rev() {
        let text = together.text(position).unwrap();
        let parsed = Parser::new().parse_piece_str(&text).map(|_| ());
        assert!(parsed.is_ok(), "{step}: {:?}\n{text}\n{}", made.changes[step].1, told());
        assert_eq!(together.undo(), Some(position), "{}", told());
    }
    assert!(saved(&together) == bytes, "undoing leaves a trace: {}", told());
    assert_eq!(together.redo_next(steps + 1), steps);
    assert!(saved(&together) == edited, "redoing differs: {}", told());
    assert_eq!(together.undo_last(steps), steps);
    assert!(saved(&together) == bytes && !together.is_modified(), "{}", told());
    (steps, meant == edited)
}

#[test]
fn a_batch_of_many_edits_does_what_its_edits_do_one_by_one() {
    let (mut made, mut scripts, mut same) = (0, 0, 0);
    for path in own_files() {
        let Some(file) = open_path(&path) else {
            continue;
        };
        if file.index().pieces.is_empty() || family(&file) == "dbdc-labels" {
            continue;
        }
        let positions = spread((0..file.index().pieces.len()).collect(), 4);
        for position in positions {
            let edits = plan::edits(family(&file), &read(&file, position));
            for seed in 0..amount(1, 3) {
                let edits = shuffled(edits.clone(), seed, 4 + 5 * seed);
                let (steps, is_same) = tried(&original(&file), position, &each(&edits));
                tried(&original(&file), position, &grouped(&edits, seed));
                made += steps;
                scripts += 1;
                same += usize::from(is_same);
            }
        }
    }
    assert!(made > amount(60, 500), "{made} edits");
    // The second edit may take its layout from the first, so a batch may be laid out differently.
    assert!(same * 10 >= scripts * 9, "{same} of {scripts} are the same to the byte");
}

/// A reader may give a new act another number than the last.
#[test]
fn acts_that_are_added_and_removed_together_are_the_same_ones() {
    let path = project("assets/demo/multiwoz/gardens.json");
    let bytes = std::fs::read(path).unwrap();
    let turns = read(&open(bytes.clone()), 0).turns;
    let mut made = 0;
    for (turn, own) in turns.iter().enumerate() {
        for act in 0..=own.acts.len() {
            let name = own.acts.first().map_or("Garden-Inform", |act| act.name.as_str());
            let slot =
                SlotValue { slot: "Area".into(), value: Some(EditValue::Text("east".into())) };
            let add = Edit::AddAct { turn, name: name.to_owned(), slots: vec![slot] };
            made += tried(&bytes, 0, &each(&[add, Edit::RemoveAct { turn, act }])).0;
        }
    }
    assert!(made > 10, "{made} edits");
}

/// Dialogs of each real file to edit, and files of each folder.
const DIALOGS: usize = 3;
const FILES: usize = 3;

#[test]
fn a_batch_of_edits_of_real_dialogs_does_what_its_edits_do_one_by_one() {
    let mut files_of: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let Some(files) = real_files("batches of edits of real dialogs") else {
        return;
    };
    for path in files {
        let folder = path.parent().unwrap().to_owned();
        files_of.entry(folder).or_default().push(path);
    }
    let mut made = 0;
    for path in files_of.into_values().flat_map(|all| spread(all, FILES)) {
        let Some(file) = open_path(&path) else {
            continue;
        };
        let format = file.format().map(turnwise::format::Family::name);
        if file.index().pieces.is_empty() || format.is_none_or(|name| name == "dbdc-labels") {
            continue;
        }
        for position in spread((0..file.index().pieces.len()).collect(), DIALOGS) {
            // The dialog by itself: a batch changes nothing outside.
            let text = file.text(position).unwrap();
            let alone = open(text.clone().into_bytes());
            let edits = plan::edits(family(&file), &read(&alone, 0));
            for seed in 0..4 {
                let edits = shuffled(edits.clone(), seed + position, 4 + 8 * seed);
                made += tried(text.as_bytes(), 0, &each(&edits)).0;
                tried(text.as_bytes(), 0, &grouped(&edits, seed));
            }
        }
    }
    assert!(made > 500, "{made} edits");
}

/// A dialog whose turn has five segments.
fn five_segments() -> String {
    let segment = |n: usize| {
        format!(r#"{{"start_index": {n}, "end_index": {}, "text": "x", "annotations": []}}"#, n + 1)
    };
    let all: Vec<_> = (0..5).map(segment).collect();
    format!(
        "[{{\"conversation_id\": \"d\", \"instruction_id\": \"i\", \"utterances\": [{{\"index\": 0, \"speaker\": \
         \"USER\", \"text\": \"xxxxx\", \"segments\": [\n  {}\n]}}]}}]",
        all.join(",\n  ")
    )
}

#[test]
fn a_group_may_have_edits_that_depend_on_each_other() {
    let remove = |segment| Edit::RemoveSegment { turn: 0, segment };
    let set_text =
        |text: &str| Edit::SetText { turn: 0, text: text.to_owned(), drop: true, shrink: false };
    let edits = [remove(3), remove(3), set_text("xxxxxx"), remove(0), set_text("xx"), remove(1)];
    for count in 2..=edits.len() {
        for seed in 0..4 {
            tried(five_segments().as_bytes(), 0, &grouped(&edits[..count], seed));
        }
    }
}

#[test]
fn removing_any_segments_leaves_the_right_commas() {
    let text = five_segments();
    // Each subset of the segments, in three orders.
    for chosen in 1..32_u32 {
        let places: Vec<usize> = (0..5).filter(|place| chosen & 1 << place != 0).collect();
        for seed in 0..3 {
            let mut order = places.clone();
            match seed {
                0 => order.reverse(),
                1 => order.rotate_left(places.len() / 2),
                _ => {}
            }
            let mut left: Vec<usize> = (0..5).collect();
            let edit = |place: usize| {
                let segment = left.iter().position(|p| *p == place).unwrap();
                left.remove(segment);
                Edit::RemoveSegment { turn: 0, segment }
            };
            let edits: Vec<_> = order.iter().copied().map(edit).collect();
            let (steps, same) = tried(text.as_bytes(), 0, &each(&edits));
            assert_eq!((steps, same), (places.len(), true), "{order:?}");
        }
    }
}

#[test]
fn the_last_of_many_edits_of_one_turn_stays() {
    let turn = |index: usize| {
        format!(r#"{{"index": {index}, "speaker": "USER", "text": "one two", "segments": []}}"#)
    };
    let text = format!(
        r#"[{{"conversation_id": "d", "instruction_id": "i", "utterances": [{}, {}]}}]"#,
        turn(0),
        turn(1)
    );
    let set_text = |number: usize| Edit::SetText {
        turn: usize::from(number.is_multiple_of(8)),
        text: format!("one two {number}"),
        drop: false,
        shrink: false,
    };
    let edits: Vec<_> = (0..200).map(set_text).collect();
    let mut file = open(text.into_bytes());
    let made = file.edit_all(0, &each(&edits));
    assert!(made.results.iter().all(|result| *result == Ok(true)));
    let texts = read(&file, 0).turns.into_iter().map(|turn| turn.text);
    assert_eq!(texts.collect::<Vec<_>>(), ["one two 199", "one two 192"]);
}

#[test]
fn votes_on_a_turn_of_many_are_cast_as_on_a_turn_of_few() {
    let vote = |annotator: &str| {
        format!(
            r#"{{"breakdown": "O", "comment": "", "annotator-id": "{annotator}", "ungrammatical-sentence": "O"}}"#
        )
    };
    let mut votes: Vec<_> = (0..40).map(|number| vote(&format!("a{number}"))).collect();
    votes.insert(7, vote("twice"));
    votes.push(vote("twice"));
    let text = format!(
        r#"{{"dialogue-id": "d", "group-id": "g", "speaker-id": "s", "turns": [{{"turn-index": 0, "speaker": "S",
        "time": "t", "annotation-id": "x", "utterance": "hi", "annotations": [{}]}}]}}"#,
        votes.join(", ")
    );
    let cast = |annotator: &str, breakdown| Edit::CastVote {
        turn: 0,
        annotator: annotator.to_owned(),
        breakdown,
        comment: None,
        ungrammatical: None,
    };
    let withdraw =
        |annotator: &str| Edit::WithdrawVote { turn: 0, annotator: annotator.to_owned() };
    let edits = [
        cast("a5", Breakdown::X),
        cast("new", Breakdown::T),
        cast("new", Breakdown::X),
        cast("twice", Breakdown::X),
        cast("", Breakdown::X),
        withdraw("a3"),
        cast("a39", Breakdown::T),
        cast("newer", Breakdown::T),
        withdraw("new"),
        cast("a4", Breakdown::X),
        cast("new", Breakdown::O),
        cast("a0", Breakdown::X),
    ];
    for count in 1..=edits.len() {
        tried(text.as_bytes(), 0, &each(&edits[..count]));
    }
    let made = open(text.into_bytes()).edit_all(0, &each(&edits));
    let refused = made.results.iter().filter(|result| result.is_err());
    assert_eq!(refused.count(), 2);
}
