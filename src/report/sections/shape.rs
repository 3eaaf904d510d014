//! The shape of dialogs: how many turns they have, how long these are, who speaks, in which scripts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unicode_script::{Script, UnicodeScript as _};

use super::{ROWS, Ranked};
use crate::dialog::Dialog;
use crate::page::{Bar, Cell, Part, Plot, Section, heads, table};
use crate::report::bounded::{Bounded, Joined};
use crate::report::histogram::Histogram;
use crate::text::count;

/// Turns, words and scripts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ShapeSums {
    turns: Histogram,
    speakers: Bounded<SpokenTurns>,
    /// Letters by the short name of their script in Unicode.
    scripts: BTreeMap<String, u64>,
}

/// The turns of a speaker.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SpokenTurns {
    /// Words of a turn.
    words: Histogram,
    characters: u64,
    without_text: u64,
}

impl Joined for SpokenTurns {
    fn join(&mut self, other: Self) {
        self.words.join(&other.words);
        self.characters += other.characters;
        self.without_text += other.without_text;
    }
}

impl ShapeSums {
    /// Adds a dialog.
    pub fn add(&mut self, dialog: &Dialog) {
        self.turns.add(dialog.turns.len() as u64);
        for turn in &dialog.turns {
            let Some(spoken) = self.speakers.of(&turn.speaker.name) else {
                continue;
            };
            let text = &turn.text;
            spoken.words.add(text.split_whitespace().count() as u64);
            spoken.characters += count(text) as u64;
            spoken.without_text += u64::from(text.is_empty());
            self.add_scripts(text);
        }
    }

    fn add_scripts(&mut self, text: &str) {
        let mut latin = 0;
        if text.is_ascii() {
            latin = text.bytes().filter(u8::is_ascii_alphabetic).count() as u64;
        } else {
            for letter in text.chars().filter(|c| c.is_alphabetic()) {
                if letter.is_ascii() {
                    latin += 1;
                    continue;
                }
                let name = letter.script().full_name();
                match self.scripts.get_mut(name) {
                    Some(count) => *count += 1,
                    None => {
                        self.scripts.insert(name.to_owned(), 1);
                    }
                }
            }
        }
        if latin > 0 {
            let name = Script::Latin.full_name();
            *self.scripts.entry(name.to_owned()).or_default() += latin;
        }
    }

    /// Adds the sums of another part.
    pub fn join(&mut self, other: Self) {
        self.turns.join(&other.turns);
        self.speakers.join(other.speakers);
        for (script, letters) in other.scripts {
            *self.scripts.entry(script).or_default() += letters;
        }
    }

    /// Returns the number of words, as white space parts them.
    pub fn words(&self) -> u64 {
        self.speakers.iter().map(|(_, spoken)| spoken.words.sum()).sum()
    }

    /// Returns how long dialogs and turns are; None without dialogs.
    pub fn section(&self, paths: &str) -> Option<Section> {
        let mut parts = Vec::from_iter(
            self.turns.plot("Dialogs by their number of turns", "dialogs").map(Part::Plot),
        );
        if parts.is_empty() {
            return None;
        }
        let of = |name: &'static str, all: &Histogram| {
            vec![
                Cell::text(name),
                Cell::mean(all.mean()),
                Cell::count(all.percentile(50)),
                Cell::count(all.percentile(90)),
                Cell::count(all.greatest()),
            ]
        };
        let mut words = Histogram::default();
        for (_, spoken) in self.speakers.iter() {
            words.join(&spoken.words);
        }
        parts.push(table(
            "Lengths",
            heads(["", "mean", "median", "90th percentile", "most"]),
            vec![of("turns a dialog", &self.turns), of("words a turn", &words)],
            0,
        ));
        parts.extend(words.plot("Turns by their number of words", "turns").map(Part::Plot));
        let speakers = Ranked {
            caption: "Speakers",
            heads: heads([
                "speaker",
                "turns",
                "without text",
                "words",
                "words a turn",
                "median",
                "90th percentile",
                "most",
                "characters",
            ]),
        };
        let cells = |spoken: &SpokenTurns| {
            let words = &spoken.words;
            vec![
                Cell::Count(words.count()),
                Cell::Count(spoken.without_text),
                Cell::Count(words.sum()),
                Cell::mean(words.mean()),
                Cell::count(words.percentile(50)),
                Cell::count(words.percentile(90)),
                Cell::count(words.greatest()),
                Cell::Count(spoken.characters),
            ]
        };
        parts.extend(speakers.of(&self.speakers, |spoken| spoken.words.count(), cells));
        if self.scripts.len() > 1 {
            let mut scripts: Vec<_> = self.scripts.iter().collect();
            scripts.sort_by_key(|(_, letters)| std::cmp::Reverse(**letters));
            scripts.truncate(ROWS);
            let bar =
                |(script, letters): (&String, &u64)| Bar::new(script.replace('_', " "), *letters);
            let bars = scripts.into_iter().map(bar);
            parts.push(Part::Plot(Plot::bars("Letters by script", "letters", bars)));
        }
        parts.push(Part::Text(
            "Words are separated by whitespace; characters are code points.".to_owned(),
        ));
        Some(Section {
            name: "shape",
            title: "Shape",
            commands: vec![format!("turnwise export tables {paths} -o tables/")],
            parts,
        })
    }
}
