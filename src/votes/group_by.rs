//! Groups votes by the system in the dialog, or by the position of a turn in its dialog.

use std::collections::BTreeMap;

use super::judgeable::is_judgeable;
use super::tally::Tally;
use crate::dialog::{Content, Dialog, Short};

/// Numbers of votes for O, T and X, by group.
pub type Shares<K> = BTreeMap<K, [u64; 3]>;

/// Adds the votes of a dialog to those of its system, and to those of the positions of its turns. `folder` is the name
/// of the folder of its file.
pub fn add(
    systems: &mut Shares<Short>,
    positions: &mut Shares<u32>,
    dialog: &Dialog,
    folder: &str,
) {
    for (position, turn) in dialog.turns.iter().enumerate() {
        let counts = Tally::of(&turn.votes).counts.map(u64::from);
        if is_judgeable(turn) && counts != [0; 3] {
            let of_system = systems.entry(system_of(dialog, folder).into()).or_default();
            let of_position = positions.entry(position as u32).or_default();
            for sums in [of_system, of_position] {
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
    }
}

/// Returns the `group-id` of a log; empty if it is missing or not a string.
pub fn group_of(log: &Dialog) -> &str {
    let group = log.fields.iter().find(|field| field.name == "group-id");
    match group.map(|field| &field.content) {
        Some(Content::Text(group)) => group,
        _ => "",
    }
}

/// Returns the system of a dialog: its `group-id` if that is not empty, else the part of the id before its last
/// number (`iris_00014`, `CIC0003`, `gpt4_0001`) if that has a letter, else the name of the folder.
pub fn system_of<'d>(dialog: &'d Dialog, folder: &'d str) -> &'d str {
    let group = group_of(dialog);
    if !group.is_empty() {
        return group;
    }
    // A suffix after the number, as in `iris_00014-b`, is not part of the name either.
    let end = dialog.id.rfind(|c: char| c.is_ascii_digit());
    let name = &dialog.id[..end.map_or(0, |end| end + 1)];
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let name = name.trim_end_matches(['_', '-', '.', ' ']);
    if name.chars().any(char::is_alphabetic) { name } else { folder }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Units;

    #[test]
    fn systems_are_named_by_ids_and_folders() {
        for (id, system) in [
            ("iris_00014", "iris"),
            ("ticktock_00003", "ticktock"),
            ("CIC0003", "CIC"),
            ("gpt3_0000", "gpt3"),
            ("v2-bot_0000", "v2-bot"),
            ("iris_00014-b", "iris"),
            ("1502867549", "DCM"),
            ("12-0", "DCM"),
            ("demo", "DCM"),
            ("", "DCM"),
        ] {
            let mut dialog = Dialog::new(Units::CodePoints);
            id.clone_into(&mut dialog.id);
            assert_eq!(system_of(&dialog, "DCM"), system, "{id}");
        }
    }
}
