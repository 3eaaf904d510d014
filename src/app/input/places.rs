//! Offers of commands in each pane, mode and window: in the last row of the screen, and in the first lines of the help.
//! They are read once from `places.txt` beside this file.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::app::input::Command;

/// A command and a word or two for it.
pub type CommandHint = (Command, &'static str);

/// The word for the command that goes to the next problem while there is no search.
pub const NEXT_PROBLEM: &str = "problem";

/// The offers of a pane, a mode or a window.
#[derive(Default)]
pub struct Place {
    /// Its title in the help.
    pub title: &'static str,
    pub rows: Vec<HelpRow>,
    /// The commands of its rows, each with its words.
    offers: Vec<CommandHint>,
}

/// A row of the help: a task, and its commands.
#[derive(Clone, Default)]
pub struct HelpRow {
    pub task: &'static str,
    /// Commands with a word or two for each group.
    pub offers: Vec<(Vec<Command>, &'static str)>,
}

pub const TEXT: &str = include_str!("places.txt");

/// The place with rows of several others, which name them by their tasks.
const COMMON: &str = "common";

static PLACES: LazyLock<HashMap<&str, Place>> = LazyLock::new(|| {
    let mut places: HashMap<_, _> = TEXT.split("\n\n").filter_map(read).collect();
    let common = places.remove(COMMON).unwrap_or_default().rows;
    for row in places.values_mut().flat_map(|place| &mut place.rows) {
        let shared = common.iter().find(|shared| shared.task == row.task);
        if let Some(shared) = shared.filter(|_| row.offers.is_empty()) {
            row.offers.clone_from(&shared.offers);
        }
    }
    places
});

/// Returns the place of this name.
pub fn place(name: &str) -> Option<&'static Place> {
    let found = PLACES.get(name);
    debug_assert!(found.is_some(), "{name} is not in places.txt");
    found
}

/// Returns the commands that the place of this name offers, the most useful first.
pub fn offers_of(name: &str) -> &'static [CommandHint] {
    place(name).map_or(&[], |place| &place.offers)
}

/// Reads a paragraph: the name of a place, and a row in each line; one that is further to the right goes on with the
/// row before.
fn read(paragraph: &'static str) -> Option<(&'static str, Place)> {
    let mut lines = paragraph.lines().filter(|line| !line.starts_with('#'));
    let name = lines.next()?;
    let (name, title) = name.split_once(": ").unwrap_or((name, ""));
    let mut rows: Vec<HelpRow> = Vec::new();
    for line in lines {
        let (task, offers) = line.split_once(':').unwrap_or(("", line));
        let goes_on = line.starts_with("    ");
        if !goes_on || rows.is_empty() {
            rows.push(HelpRow { task: task.trim(), offers: Vec::new() });
        }
        if let Some(row) = rows.last_mut() {
            let offers = if goes_on { line } else { offers };
            row.offers.extend(offers.split(';').filter_map(read_offer));
        }
    }
    let all = rows.iter().flat_map(|row| &row.offers);
    let hint = |(commands, words): &(Vec<Command>, _)| Some((*commands.first()?, *words));
    let offers = all.filter_map(hint).collect();
    Some((name, Place { title, rows, offers }))
}

/// Reads the names of commands and the words for them; a test reads all names.
fn read_offer(text: &'static str) -> Option<(Vec<Command>, &'static str)> {
    let (names, words) = text.split_once('=').unwrap_or((text, ""));
    let commands: Vec<_> = names.split_whitespace().filter_map(Command::named).collect();
    (!commands.is_empty()).then(|| (commands, words.trim()))
}
