//! Tests of `src/app/input/places.rs`.

use turnwise::app::input::places::*;
use turnwise::app::input::*;

#[test]
fn all_names_are_those_of_commands() {
    let lines = TEXT.lines().filter(|line| line.starts_with("  "));
    for line in lines {
        let line = line.trim_start();
        let task = line.split_once(':').filter(|(task, _)| !task.contains('='));
        for offer in task.map_or(line, |(_, offers)| offers).split(';') {
            let names = offer.split('=').next().unwrap_or_default();
            for name in names.split_whitespace() {
                assert!(Command::named(name).is_some(), "{name} in {line}");
            }
        }
    }
}
