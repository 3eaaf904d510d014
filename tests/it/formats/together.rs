//! Batches of edits: each edit has the same effect as alone, and all of them can be undone.

use turnwise::dialog::Edit;
use turnwise::format::EditGroup;
use turnwise::json::Parser;

use crate::support::check::{family, read};
use crate::support::files::{open, open_path, own_files, saved, spread};
use crate::support::plan;

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

/// Makes edits one by one, and as a batch. Returns how many were made, and whether the bytes are the same.
fn tried(bytes: &[u8], position: usize, edits: &[Edit]) -> (usize, bool) {
    let (mut alone, mut together) = (open(bytes.to_vec()), open(bytes.to_vec()));
    let one_by_one: Vec<_> = edits
        .iter()
        .map(|edit| alone.edit(position, edit))
        .collect();
    let groups = edits.iter().map(|edit| EditGroup {
        edits: std::slice::from_ref(edit),
        on: None,
    });
    let groups: Vec<_> = groups.collect();
    let made = together.edit_all(position, &groups);
    let told = || {
        format!(
            "{edits:#?}\n{}",
            open(bytes.to_vec()).text(position).unwrap()
        )
    };
    assert_eq!(made.results, one_by_one, "{}", told());
    assert_eq!(
        read(&alone, position),
        read(&together, position),
        "{}",
        told()
    );
    let (meant, edited) = (saved(&alone), saved(&together));
    // The text can be read after each undo.
    let steps = made.revisions.len();
    for _ in 0..steps {
        let text = together.text(position).unwrap();
        Parser::new().parse_str(&text).unwrap();
        assert_eq!(together.undo(), Some(position), "{}", told());
    }
    assert!(
        saved(&together) == bytes,
        "undoing leaves a trace: {}",
        told()
    );
    assert_eq!(together.redo_next(steps + 1), steps);
    assert!(saved(&together) == edited, "redoing differs: {}", told());
    assert_eq!(together.undo_last(steps), steps);
    assert!(
        saved(&together) == bytes && !together.is_modified(),
        "{}",
        told()
    );
    (steps, meant == edited)
}

#[test]
fn a_batch_of_edits_does_what_its_edits_do_one_by_one() {
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
            for seed in 0..3 {
                let edits = shuffled(edits.clone(), seed, 4 + 5 * seed);
                let (steps, is_same) = tried(file.source(), position, &edits);
                made += steps;
                scripts += 1;
                same += usize::from(is_same);
            }
        }
    }
    assert!(made > 500, "{made} edits");
    // The second edit may take its layout from the first, so a batch may be laid out differently.
    assert!(
        same * 10 >= scripts * 9,
        "{same} of {scripts} are the same to the byte"
    );
}

#[test]
fn removing_any_segments_leaves_the_right_commas() {
    let segment = |n: usize| {
        format!(
            r#"{{"start_index": {n}, "end_index": {}, "text": "x", "annotations": []}}"#,
            n + 1
        )
    };
    let all: Vec<_> = (0..5).map(segment).collect();
    let text = format!(
        "[{{\"conversation_id\": \"d\", \"instruction_id\": \"i\", \"utterances\": [{{\"index\": 0, \"speaker\": \
         \"USER\", \"text\": \"xxxxx\", \"segments\": [\n  {}\n]}}]}}]",
        all.join(",\n  ")
    );
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
            let (steps, same) = tried(text.as_bytes(), 0, &edits);
            assert_eq!((steps, same), (places.len(), true), "{order:?}");
        }
    }
}
