//! The contents of the corpus: files, families, dialogs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ROWS, Ranked, ShapeSums};
use crate::dialog::{Counts, UnreadParts};
use crate::page::{Cell, Column, Part, Section, figures, heads, number, short, table, texts};
use crate::report::bounded::Bounded;
use crate::report::sums::{FileFacts, SeenDialog};

/// Counts of the contents of each file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FileSums {
    files: BTreeMap<String, FileCounts>,
    /// Parts of messages that are not read, by their kind.
    unread: Bounded<u64>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct FileCounts {
    family: String,
    bytes: u64,
    /// The hash of its bytes, as hexadecimal digits.
    hash: Option<String>,
    contents: Counts,
    issues: u64,
    excluded: u64,
}

impl FileCounts {
    /// Adds the counts of another file, or of another part of this one.
    fn join(&mut self, other: Self) {
        if self.family.is_empty() {
            self.family = other.family;
        }
        // The hash of one part is not that of the whole.
        let is_part = self.bytes > 0 && other.bytes > 0;
        self.hash = self.hash.take().or(other.hash).filter(|_| !is_part);
        self.bytes += other.bytes;
        self.contents += other.contents;
        self.issues += other.issues;
        self.excluded += other.excluded;
    }

    /// Returns what tables have of it, with names.
    fn counted(&self) -> impl Iterator<Item = (&'static str, Cell)> {
        let counts = self.contents.named().into_iter().chain([("format issues", self.issues)]);
        counts.map(|(name, count)| (name, Cell::Count(count)))
    }
}

impl FileSums {
    /// Adds a dialog.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        self.add_counts(seen.file, &seen.dialog.counts());
        let mut unread = UnreadParts::default();
        unread.add_dialog(seen.dialog);
        for (kind, count) in unread.kinds() {
            if let Some(sum) = self.unread.of(kind) {
                *sum += count;
            }
        }
    }

    /// Adds counts to those of a file.
    pub fn add_counts(&mut self, file: &str, counts: &Counts) {
        if !self.files.contains_key(file) {
            self.files.insert(file.to_owned(), FileCounts::default());
        }
        if let Some(sums) = self.files.get_mut(file) {
            sums.contents += *counts;
        }
    }

    /// Adds the facts of a file.
    pub fn add_file(&mut self, facts: &FileFacts<'_>) {
        let sums = self.files.entry(facts.file.to_owned()).or_default();
        facts.family.clone_into(&mut sums.family);
        sums.bytes = facts.bytes;
        sums.hash = facts.hash.map(|hash| format!("{hash:032x}"));
        sums.issues = facts.issues;
        sums.excluded = facts.excluded;
    }

    /// Adds the files of another part.
    pub fn join(&mut self, other: Self) {
        for (file, counts) in other.files {
            self.files.entry(file).or_default().join(counts);
        }
        self.unread.join(other.unread);
    }

    /// Returns a file that both have, with the same bytes; None if there is none.
    pub fn file_of_both(&self, other: &Self) -> Option<&str> {
        let is_same = |(file, counts): &(&String, &FileCounts)| {
            let twin = other.files.get(*file);
            twin.is_some_and(|twin| twin.bytes == counts.bytes && twin.hash == counts.hash)
        };
        self.files.iter().find(is_same).map(|(file, _)| file.as_str())
    }

    /// Returns what the corpus is; `problems` says in a line what is wrong with it.
    pub fn section(&self, paths: &str, shape: &ShapeSums, problems: Part) -> Section {
        let mut families = BTreeMap::<&str, (u64, FileCounts)>::new();
        for counts in self.files.values() {
            let family =
                if counts.family.is_empty() { "(unknown)" } else { counts.family.as_str() };
            let (files, sums) = families.entry(family).or_default();
            *files += 1;
            sums.join(counts.clone());
        }
        let total = self.total();
        let named = [
            ("files", Cell::Count(self.files.len() as u64)),
            ("bytes", Cell::Count(total.bytes)),
            ("dialogs", Cell::Count(total.contents.dialogs)),
            ("turns", Cell::Count(total.contents.turns)),
            ("words", Cell::Count(shape.words())),
            ("segments", Cell::Count(total.contents.segments)),
            ("calls", Cell::Count(total.contents.calls)),
            ("votes", Cell::Count(total.contents.votes)),
            ("acts", Cell::Count(total.contents.acts)),
            ("format issues", Cell::Count(total.issues)),
            ("excluded dialogs", Cell::Count(total.excluded)),
        ];
        let named = named.into_iter().filter(has_any);
        let mut parts = vec![figures(named), problems];
        let columns = Columns::of(&total);
        let family = |(family, (files, sums)): (&str, (u64, FileCounts))| {
            let names = [Cell::text(short(family)), Cell::Count(files)];
            names.into_iter().chain(columns.cells(&sums)).collect()
        };
        parts.push(table(
            "Families",
            columns.heads(["family", "files"]),
            families.into_iter().map(family),
            0,
        ));
        let unread = Ranked {
            caption: "Parts that are not read, by their kind",
            heads: heads(["kind", "parts"]),
        };
        parts.extend(unread.of(&self.unread, |n| *n, |n| vec![Cell::Count(*n)]));
        Section {
            name: "corpus",
            title: "The corpus",
            commands: vec![format!("turnwise check {paths}")],
            parts,
        }
    }

    /// Returns the files one by one, those with the most format issues first.
    pub fn list(&self, paths: &str) -> Section {
        let columns = Columns::of(&self.total());
        let file = |(file, sums): &(&String, &FileCounts)| {
            let names = [Cell::text(short(file)), Cell::Count(sums.bytes)];
            let hash = Cell::text(sums.hash.as_deref().unwrap_or("-"));
            let counts = columns.cells(sums).chain([hash]);
            names.into_iter().chain(counts).collect()
        };
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_by_key(|(_, sums)| std::cmp::Reverse(sums.issues));
        let mut heads = columns.heads(["file", "bytes"]);
        heads.extend(texts(["hash"]));
        Section {
            name: "files",
            title: "Files",
            commands: vec![format!("turnwise check {paths}")],
            parts: vec![table(
                "Files, with the XXH3 hash of their bytes",
                heads,
                files.iter().take(ROWS).map(file),
                self.files.len().saturating_sub(ROWS) as u64,
            )],
        }
    }

    fn total(&self) -> FileCounts {
        let mut total = FileCounts::default();
        for counts in self.files.values() {
            total.join(counts.clone());
        }
        total
    }
}

/// True for counts that are shown: those of what the corpus has none of would only take room.
fn has_any((name, value): &(&'static str, Cell)) -> bool {
    matches!(*name, "files" | "dialogs" | "turns") || *value != Cell::Count(0)
}

/// The names of those of [`FileCounts::counted`] that are shown.
struct Columns(Vec<&'static str>);

impl Columns {
    fn of(total: &FileCounts) -> Self {
        Self(total.counted().filter(has_any).map(|(name, _)| name).collect())
    }

    fn cells(&self, counts: &FileCounts) -> impl Iterator<Item = Cell> {
        let counted = counts.counted().filter(|(name, _)| self.0.contains(name));
        counted.map(|(_, cell)| cell)
    }

    fn heads(&self, first: [&'static str; 2]) -> Vec<Column> {
        heads(first).into_iter().chain(self.0.iter().copied().map(number)).collect()
    }
}
