//! Tests of `src/votes/group_by.rs`.

use turnwise::dialog::Dialog;
use turnwise::text::Units;
use turnwise::votes::group_by::*;

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
