//! Tests of `src/app/input/command.rs`.

use turnwise::app::input::command::*;

#[test]
fn names_are_unique_and_everything_is_explained() {
    let mut names: Vec<_> = Command::ALL.iter().map(|c| c.name()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for command in Command::ALL {
        let (name, doc) = (command.name(), command.doc());
        assert!(doc.len() > 1 && !doc.ends_with('.'), "{command:?}");
        let is_plain = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        assert!(is_plain, "{command:?}");
    }
}
