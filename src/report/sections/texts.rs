//! Dialogs whose utterances are the same, in a file, in several files, in several splits.

use serde::{Deserialize, Serialize};

use super::sampled;
use crate::dialog::Short;
use crate::lint::text_hash;
use crate::page::{Cell, Section, heads, short, table, texts};
use crate::report::bounded::{Bounded, Joined};
use crate::report::sums::SeenDialog;

/// Dialogs by the hash of their utterances.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TextSums {
    texts: Bounded<SameText>,
}

/// The dialogs with the same utterances.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SameText {
    dialogs: u64,
    /// An id of one of them, the first in the order of texts.
    id: Short,
    /// The first files in the order of their names, at most [`FILES`].
    files: Vec<Short>,
    /// The splits, as bits in the order of [`SPLITS`].
    splits: u8,
}

/// The most files that are named for a text.
const FILES: usize = 3;

/// Names of splits, as parts of a path: the name, and other words for it.
const SPLITS: [(&str, &[&str]); 3] = [
    ("train", &["train", "training"]),
    ("dev", &["dev", "valid", "validation", "val"]),
    ("test", &["test", "testing"]),
];

impl Joined for SameText {
    fn join(&mut self, other: Self) {
        if self.dialogs == 0 || (other.dialogs > 0 && other.id < self.id) {
            self.id = other.id;
        }
        self.dialogs += other.dialogs;
        self.splits |= other.splits;
        for file in other.files {
            self.add_file(file);
        }
    }
}

impl SameText {
    fn add_file(&mut self, file: Short) {
        if let Err(place) = self.files.binary_search(&file) {
            self.files.insert(place, file);
            self.files.truncate(FILES);
        }
    }
}

impl TextSums {
    /// Adds a dialog, unless it has no text.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        if seen.dialog.turns.iter().all(|turn| turn.text.is_empty()) {
            return;
        }
        let hash = format!("{:016x}", text_hash(seen.dialog));
        if let Some(same) = self.texts.of(&hash) {
            let this = SameText {
                dialogs: 1,
                id: seen.dialog.id.as_str().into(),
                files: vec![seen.file.into()],
                splits: splits_of(seen.file),
            };
            same.join(this);
        }
    }

    /// Adds the sums of another part.
    pub fn join(&mut self, other: Self) {
        self.texts.join(other.texts);
    }

    pub fn settle(&mut self) {
        self.texts.settle();
    }

    /// Returns the dialogs that occur more than once; None if there are none.
    pub fn section(&self) -> Option<Section> {
        let repeated = || self.texts.iter().filter(|(_, same)| same.dialogs > 1);
        let count = |which: &dyn Fn(&SameText) -> bool| {
            let texts: Vec<_> = repeated().filter(|(_, same)| which(same)).collect();
            let dialogs: u64 = texts.iter().map(|(_, same)| same.dialogs).sum();
            [Cell::Count(texts.len() as u64), Cell::Count(dialogs)]
        };
        repeated().next()?;
        let row = |name: &str, which: &dyn Fn(&SameText) -> bool| {
            let [texts, dialogs] = count(which);
            vec![Cell::text(name), texts, dialogs]
        };
        let mut rows = vec![
            row("in one file", &|same| same.files.len() == 1),
            row("in several files", &|same| same.files.len() > 1),
        ];
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            let both = 1 << one | 1 << other;
            let name = format!("in {} and {}", SPLITS[one].0, SPLITS[other].0);
            if repeated().any(|(_, same)| same.splits & both == both) {
                rows.push(row(&name, &|same| same.splits & both == both));
            }
        }
        let mut most: Vec<_> = repeated().map(|(_, same)| same).collect();
        most.sort_by(|one, other| {
            other.dialogs.cmp(&one.dialogs).then_with(|| one.id.cmp(&other.id))
        });
        let left_out = most.len().saturating_sub(SHOWN) as u64;
        most.truncate(SHOWN);
        let of_text = |same: &&SameText| {
            let files: Vec<_> = same.files.iter().map(|file| short(file)).collect();
            vec![
                Cell::text(short(&same.id)),
                Cell::Count(same.dialogs),
                Cell::text(files.join(", ")),
            ]
        };
        let mut parts = vec![
            table("Texts in several dialogs", heads(["", "texts", "dialogs"]), rows, 0),
            table(
                "The most frequent ones",
                [&heads(["first id", "dialogs"])[..], &texts(["files"])].concat(),
                most.iter().map(of_text),
                left_out,
            ),
        ];
        parts.extend(sampled(&self.texts, "texts"));
        Some(Section { name: "duplicates", title: "Duplicates", commands: Vec::new(), parts })
    }
}

/// The number of texts that are listed.
const SHOWN: usize = 20;

/// Returns the splits that a path names, as bits.
fn splits_of(file: &str) -> u8 {
    let words = file.split(|c: char| !c.is_alphanumeric());
    let split = words.rev().find_map(|word| {
        let is = |(_, names): &(&str, &[&str])| names.iter().any(|n| word.eq_ignore_ascii_case(n));
        SPLITS.iter().position(is)
    });
    split.map_or(0, |split| 1 << split)
}
