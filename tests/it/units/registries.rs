//! Tables of commands, tabs, formats and exports: names are those of one thing, and each is explained.

use std::collections::BTreeSet;

use turnwise::app::input::command::{Command, FORMER_NAMES};
use turnwise::app::input::places::TEXT;
use turnwise::app::tabs::TABS;
use turnwise::export::FORMATS;
use turnwise::format::{self, Family};
use turnwise::lint::{PROFILES, RULES};

fn are_distinct<'n>(names: impl IntoIterator<Item = &'n str>) {
    let mut seen = BTreeSet::new();
    for name in names {
        assert!(seen.insert(name), "{name} is there twice");
    }
}

#[test]
fn names_are_unique_and_everything_is_explained() {
    are_distinct(Command::ALL.iter().map(|command| command.name()));
    are_distinct(TABS.iter().map(|tab| tab.name));
    are_distinct(FORMATS.iter().map(|format| format.name));
    let aliases = format::all().flat_map(|family| &family.description().aliases);
    are_distinct(format::all().map(Family::name).chain(aliases.map(String::as_str)));
    for command in Command::ALL {
        let (name, doc) = (command.name(), command.doc());
        assert!(doc.len() > 1 && !doc.ends_with('.'), "{command:?}");
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{command:?}");
    }
    assert!(TABS.iter().all(|tab| tab.doc.len() > 15 && !tab.title.is_empty()));
    assert!(FORMATS.iter().all(|format| format.writes.len() > 10));
    assert!(format::all().all(|family| family.title().len() > 3 && family.holds().len() > 10));
}

#[test]
fn names_that_tables_use_are_those_of_something() {
    for (old, _) in FORMER_NAMES {
        assert!(Command::named(old).is_none(), "{old}");
    }
    for line in TEXT.lines().filter(|line| line.starts_with("  ")) {
        let line = line.trim_start();
        let task = line.split_once(':').filter(|(task, _)| !task.contains('='));
        for offer in task.map_or(line, |(_, offers)| offers).split(';') {
            for name in offer.split('=').next().unwrap_or_default().split_whitespace() {
                assert!(Command::named(name).is_some(), "{name} in {line}");
            }
        }
    }
    for (name, _) in PROFILES.iter().flat_map(|profile| profile.rules) {
        assert!(RULES.iter().any(|rule| rule.name == *name), "{name}");
    }
}
