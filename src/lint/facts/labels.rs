//! Interprets the names of labels: which text a label may cover, which labels conflict, and whether two workers
//! labelled a dialog, as those of Taskmaster-1: the labels of both are in one list.
//!
//! Labels are paths with dots, `restaurant_reservation.name.restaurant.accept`. The ontology, not this
//! module, knows which labels exist.

use std::ops::Range;

use crate::dialog::Label;
use crate::lint::facts::subject::{Mention, Subject};
use crate::lint::facts::transcript::lower;

/// Returns a label without `.accept` or `.reject`, which only say whether the value was accepted.
pub fn slot(label: &str) -> &str {
    let label = label.trim();
    let taken = [".accept", ".reject"];
    let slot = taken.iter().find_map(|end| label.strip_suffix(end));
    slot.unwrap_or(label)
}

/// Returns the first part of a label: the task if the corpus has several tasks, else the kind of value.
fn task(label: &str) -> &str {
    label.trim().split('.').next().unwrap_or_default()
}

/// True if the label marks descriptions or confirmations. Such a label may cover long stretches, including
/// text with other labels.
pub fn is_free_text(label: &str) -> bool {
    let words =
        ["descri", "detail", "other", "request", "review", "comment", "note", "booked", "booking"];
    // In `flight1_detail.from.time`, only the task is about details; the value is a time.
    let rest = after_task(label).unwrap_or(label);
    parts(rest).any(|part| words.iter().any(|word| part.starts_with(word)))
}

/// Returns the words of a label without its task.
pub fn value_words(label: &str) -> impl Iterator<Item = &str> {
    parts(after_task(label).unwrap_or(label))
}

fn parts(label: &str) -> impl Iterator<Item = &str> {
    label.split(['.', '_', '-', ' '])
}

fn after_task(label: &str) -> Option<&str> {
    slot(label).split_once('.').map(|(_, rest)| rest)
}

/// True if the label is for names: of movies, songs, places, people.
pub fn is_name(label: &str) -> bool {
    let words = [
        "name", "title", "movie", "track", "album", "artist", "song", "show", "team", "person",
        "player",
    ];
    let rest = after_task(label).unwrap_or_default();
    parts(rest).any(|part| words.contains(&part)) || task(label) == "name"
}

/// True if two labels of the same text cannot both be right: they differ within one task. The same text
/// may be the airline of two flights.
pub fn conflict(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim(), b.trim());
    a != b && task(a) == task(b) && !is_free_text(a) && !is_free_text(b)
}

/// The most labels of a segment that are compared; real segments have a few.
const COMPARED: usize = 256;

/// Returns the first label that conflicts with a later one, and the first label it conflicts with.
pub fn first_conflict<'l>(labels: &[&'l str]) -> Option<(&'l str, &'l str)> {
    let labels = &labels[..labels.len().min(COMPARED)];
    labels.iter().enumerate().find_map(|(place, label)| {
        let other = labels[place..].iter().find(|other| conflict(label, other))?;
        Some((*label, *other))
    })
}

/// Returns the labels that conflict with another one.
pub fn in_conflict<'l>(labels: &[&'l str]) -> Vec<&'l str> {
    let all = labels.iter().take(COMPARED);
    let clashes = |label: &&&str| all.clone().any(|other| conflict(label, other));
    all.clone().filter(clashes).copied().collect()
}

/// True if the labels of a segment come from several workers.
pub fn has_two_workers(subject: &Subject<'_>) -> bool {
    let mentions = subject.mentions();
    let mut labels = mentions.iter().flat_map(|m| &m.of.labels);
    let repeats = mentions.iter().filter(|m| repeated(&m.of.labels).is_some());
    let many = repeats.count();
    labels.any(|label| slot(&label.name) != label.name.trim())
        || (many > 2 && many * 4 >= mentions.len())
}

/// Returns the first label that occurs twice.
pub fn repeated(labels: &[Label]) -> Option<&str> {
    let labels = labels.iter().take(COMPARED).map(|label| label.name.as_str());
    let is_again =
        |(place, label): &(usize, &str)| labels.clone().skip(place + 1).any(|l| l == *label);
    labels.clone().enumerate().find(is_again).map(|(_, label)| label)
}

/// The evidence for a label of a text; more is greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelSupport {
    /// How close the nearest word is that belongs to the label: "arriving" to `Arrive`; 0 if there is none.
    near: usize,
    /// How many other segments on this text have the label.
    elsewhere: usize,
}

/// How many words before a text count. In `MultiWOZ`, the nearest of five decides nineteen of twenty times between
/// `Arrive` and `Leave` rightly; with more, other times of the sentence win.
const NEAR: usize = 5;

/// How many words behind a text count; of these, only a noun that counts it may be the second.
const BEHIND: usize = 2;

/// The bytes that a word with another ending has in common with a part of a label at least.
const COMMON: usize = 4;

/// The endings of words whose stem is that of a part of a label: "arriving" of `Arrive`.
const ENDINGS: [&str; 8] = ["", "al", "e", "ed", "er", "es", "ing", "s"];

/// How much farther away a preposition counts than a word that names the label.
const FAINT: usize = 2;

/// Parts of labels, and prepositions before their values.
const BEFORE: [(&str, &str); 4] =
    [("arrive", "by"), ("depart", "from"), ("dest", "to"), ("origin", "from")];

/// Parts of labels, and nouns that their values count.
const COUNTED: [(&str, &str); 5] = [
    ("people", "adults"),
    ("people", "guests"),
    ("people", "persons"),
    ("people", "us"),
    ("stay", "nights"),
];

/// The most segments with a label that are looked at.
const SEGMENTS: usize = 256;

impl LabelSupport {
    /// Returns the evidence for a label of the text at `bytes` of the turn of `mention`.
    pub fn of(
        subject: &Subject<'_>,
        mention: &Mention<'_>,
        label: &str,
        bytes: &Range<usize>,
    ) -> Self {
        let text = lower(&mention.said[bytes.clone()]);
        let own = (mention.turn, mention.segment);
        let is_other = |other: &Mention<'_>| {
            (other.turn, other.segment) != own
                && other.of.labels.iter().all(|own| own.name == label)
                && lower(other.text()) == text
        };
        let labelled = subject.labelled(label, usize::MAX).take(SEGMENTS);
        Self {
            near: closeness(mention.said, label, bytes),
            elsewhere: labelled.filter(|other| is_other(other)).count(),
        }
    }

    /// Returns the evidence for two labels together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { near: self.near + other.near, elsewhere: self.elsewhere + other.elsewhere }
    }
}

/// Returns how close to `bytes` of a text the nearest word is that belongs to a label: more is closer, 0 is none.
fn closeness(text: &str, label: &str, bytes: &Range<usize>) -> usize {
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    let (before, behind) = (&text[..bytes.start], &text[bytes.end..]);
    let before = before.split_whitespace().rev().filter(is_word).take(NEAR);
    let behind = behind.split_whitespace().filter(is_word).take(BEHIND);
    let belongs = |word: &str| {
        let word = lower(word.trim_matches(|c: char| !c.is_alphanumeric()));
        let mut ties = value_words(label).filter_map(|part| tie(&word, &lower(part)));
        ties.next()
    };
    // "The address of my home" names what is asked for; "a star of 4" does not.
    let mut nearer = ["", ""];
    let before = before.map(|word| {
        let is_asked_for = nearer[0] == "of" && !nearer[1].is_empty();
        nearer = [word, nearer[0]];
        belongs(word).filter(|_| !is_asked_for)
    });
    let before = before.enumerate().filter_map(|(distance, tie)| match tie? {
        Tie::Name | Tie::Count => Some(distance),
        Tie::Before => Some(distance + FAINT),
    });
    let behind = behind.map(belongs).enumerate();
    let behind = behind.filter_map(|(distance, tie)| match tie? {
        Tie::Count => Some(distance),
        Tie::Name => (distance == 0).then_some(1),
        Tie::Before => None,
    });
    let nearest = before.chain(behind).min();
    nearest.map_or(0, |distance| NEAR + FAINT - distance)
}

/// True if a text begins by naming what is asked for: "address of my house" for the label `address`.
pub fn asks_for(text: &str, label: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = lower(words.next().unwrap_or_default());
    words.next() == Some("of")
        && value_words(label).any(|part| tie(&first, &lower(part)) == Some(Tie::Name))
}

/// The ways in which a word may belong to a label.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// It names a part of the label: "arriving" of `Arrive`.
    Name,
    /// Values of the label count it: "nights" for `Stay`.
    Count,
    /// It often comes before values of the label: "by" for `Arrive`.
    Before,
}

/// Returns how a word belongs to a part of a label, both in lower case.
fn tie(word: &str, part: &str) -> Option<Tie> {
    let letters = word.chars().zip(part.chars());
    let common: usize = letters.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let is_inflected = || common >= COMMON && ENDINGS.contains(&&word[common..]);
    if word == part || part.len() > 2 && word.starts_with(part) || is_inflected() {
        return Some(Tie::Name);
    }
    let is_counted = |noun: &str| word == noun || noun.strip_suffix('s') == Some(word);
    let mut counted = COUNTED.iter().filter(|(own, _)| *own == part);
    if counted.any(|(_, noun)| is_counted(noun)) {
        return Some(Tie::Count);
    }
    BEFORE.contains(&(part, word)).then_some(Tie::Before)
}
