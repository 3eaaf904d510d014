//! How much memory a dialog takes: a dialog of 200,000 turns is read more than once at a time.

use turnwise::dialog::{Act, Dialog, Label, Segment, Turn};

use crate::support::files::{open_path, own_files};

/// The lists of a dialog's turns that are read from arrays, each with its name: its length and its capacity.
fn lists(dialog: &Dialog) -> Vec<(&'static str, usize, usize)> {
    let mut lists = Vec::new();
    for turn in &dialog.turns {
        lists.extend([
            ("tokens", turn.tokens.len(), turn.tokens.capacity()),
            ("segments", turn.segments.len(), turn.segments.capacity()),
            ("votes", turn.votes.len(), turn.votes.capacity()),
            ("detections", turn.detections.len(), turn.detections.capacity()),
        ]);
        for Segment { labels, .. } in &turn.segments {
            lists.push(("labels", labels.len(), labels.capacity()));
        }
        if let Some(state) = &turn.state {
            lists.push(("state", state.len(), state.capacity()));
        }
    }
    lists
}

#[test]
fn the_lists_of_a_turn_have_no_spare_room() {
    let mut seen = std::collections::BTreeSet::new();
    for path in own_files() {
        let Some(file) = open_path(&path) else {
            continue;
        };
        for position in 0..file.index().pieces.len() {
            let Ok(Some((dialog, _))) = file.dialog(position) else {
                continue;
            };
            for (name, length, capacity) in lists(&dialog) {
                assert_eq!(length, capacity, "{name} of {}", path.display());
                if length > 0 {
                    seen.insert(name);
                }
            }
        }
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}

/// A corpus of short turns takes 200 bytes of text for each turn, and at most 12 times that are allowed for
/// everything the program holds. Put what few turns have into a box.
#[test]
fn a_turn_and_its_parts_are_small() {
    assert!(size_of::<Turn>() <= 320, "{}", size_of::<Turn>());
    assert!(size_of::<Segment>() <= 120, "{}", size_of::<Segment>());
    assert!(size_of::<Label>() <= 32, "{}", size_of::<Label>());
    assert!(size_of::<Act>() <= 56, "{}", size_of::<Act>());
}
