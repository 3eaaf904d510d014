//! Parts of dialogs are traced to the versions that made them, in histories whose every change is known.

use std::collections::BTreeMap;

use turnwise::compare::Blame;
use turnwise::dialog::{Breakdown, Dialog, Edit, Role};

use super::{Original, originals};
use crate::support::amount;
use crate::support::check::read;
use crate::support::plan;
use crate::support::random::Random;

/// A history: the dialog after each edit, and the versions that made the texts, the segments by their labels and the
/// votes by their annotators, as the edits say.
struct History {
    versions: Vec<Dialog>,
    made: BTreeMap<(usize, &'static str, String), usize>,
}

fn history(original: &Original, random: &mut Random, count: usize) -> History {
    let mut file = original.open();
    let mut history = History {
        versions: vec![read(&file, 0)],
        made: BTreeMap::new(),
    };
    for version in 1..=count {
        let dialog = read(&file, 0);
        let turn = random.position(dialog.turns.len());
        let Some((edit, part, name)) = change(&dialog, turn, version, random) else {
            continue;
        };
        if file.edit(0, &edit) == Ok(true) {
            history.versions.push(read(&file, 0));
            let version = history.versions.len() - 1;
            history.made.insert((turn, part, name), version);
        }
    }
    history
}

/// A change with a name that no other has.
fn change(
    dialog: &Dialog,
    turn: usize,
    version: usize,
    random: &mut Random,
) -> Option<(Edit, &'static str, String)> {
    let of = dialog.turns.get(turn)?;
    let name = format!("made.in_{version}");
    let length = of.length(dialog.units) as u32;
    match random.position(3) {
        0 => {
            let mark = char::from_u32(0x2460 + version as u32)?;
            let mut texts = plan::texts(dialog, turn, mark);
            texts.retain(|edit| matches!(edit, Edit::SetText { drop: false, .. }));
            (!texts.is_empty()).then(|| (texts.swap_remove(0), "text", String::new()))
        }
        1 if length > 0 => {
            let start = random.position(length as usize) as u32;
            let end = length.min(start + 3);
            let labels = vec![name.clone()];
            let edit = Edit::AddSegment {
                turn,
                start,
                end,
                labels,
            };
            Some((edit, "segment", name))
        }
        _ if of.speaker.role != Role::User => {
            let edit = Edit::CastVote {
                turn,
                annotator: name.clone(),
                breakdown: Breakdown::T,
                comment: None,
                ungrammatical: None,
            };
            Some((edit, "vote", name))
        }
        _ => None,
    }
}

#[test]
fn many_histories_name_the_version_of_every_part_of_real_dialogs() {
    let originals = originals("tracing parts", amount(2, 4));
    let mut traced = 0;
    for number in 0..amount(60, 1000) {
        let mut random = Random(number as u64);
        let original = &originals[number * 7 % originals.len()];
        let history = history(original, &mut random, 20);
        let latest = history.versions.len() - 1;
        let mut versions = history.versions.into_iter().rev();
        let mut blame = Blame::new(versions.next().unwrap());
        versions.for_each(|older| blame.back(Some(older)));
        for part in blame.parts() {
            // In some families a segment is an act.
            if !["text", "segment", "vote"].contains(&part.part) {
                continue;
            }
            let version = latest - part.version;
            let is_named = |(turn, kind, name): &(usize, &str, String)| {
                *turn == part.turn && *kind == part.part && part.said.contains(name.as_str())
            };
            // "made.in_1" is in "made.in_12" too: the longest name is meant.
            let named = history.made.iter().filter(|(key, _)| is_named(key));
            let made = named.max_by_key(|((.., name), _)| name.len());
            let expected = made.map_or(0, |(_, version)| *version);
            assert_eq!(version, expected, "{}: {part:?}", original.name);
            traced += usize::from(expected > 0);
        }
    }
    assert!(traced > 50, "{traced}");
}
