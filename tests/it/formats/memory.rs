//! How much memory a dialog takes: a dialog of 200,000 turns is read more than once at a time.

use turnwise::dialog::{Act, Label, Segment, Turn};

use crate::support::files::{open_path, own_files};

/// The length and the capacity of each list of a turn that is read from an array.
fn lists(turn: &Turn) -> Vec<(&'static str, usize, usize)> {
    let mut lists = vec![
        ("tokens", turn.tokens.len(), turn.tokens.capacity()),
        ("segments", turn.segments.len(), turn.segments.capacity()),
        ("votes", turn.votes.len(), turn.votes.capacity()),
        ("detections", turn.detections.len(), turn.detections.capacity()),
    ];
    let labels = turn.segments.iter().map(|segment| &segment.labels);
    lists.extend(labels.map(|labels| ("labels", labels.len(), labels.capacity())));
    lists.extend(turn.state.iter().map(|state| ("state", state.len(), state.capacity())));
    lists
}

#[test]
fn the_lists_of_a_turn_have_no_spare_room() {
    let mut seen = std::collections::BTreeSet::new();
    for file in own_files().iter().filter_map(|path| open_path(path)) {
        let dialogs = (0..file.index().pieces.len()).filter_map(|at| file.dialog(at).ok()?);
        for turn in dialogs.flat_map(|(dialog, _)| dialog.turns) {
            for (name, length, capacity) in lists(&turn) {
                assert_eq!(length, capacity, "{name} of {turn:?}");
                seen.extend((length > 0).then_some(name));
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
