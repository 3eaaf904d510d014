//! Compares the labels that a text may have by the words around it and the other segments of the dialog.

use std::ops::Range;

use super::labels::value_words;
use super::mention::Mention;
use super::subject::Subject;
use super::transcript::lower;

/// The evidence for a label of a text; more is greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelSupport {
    /// How many words around the text belong to the label: "arriving" to `Arrive`.
    near: usize,
    /// How many other segments on this text have the label.
    elsewhere: usize,
}

/// How many words before a text count, and how many behind it.
const NEAR: (usize, usize) = (3, 2);

/// The number of letters that a word has in common with a part of a label that it belongs to; all of a shorter part.
const COMMON: usize = 4;

/// Parts of labels, and other words that belong to them.
const ALSO: [(&str, &str); 9] = [
    ("arrive", "by"),
    ("depart", "from"),
    ("dest", "to"),
    ("origin", "from"),
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
            near: words_for(mention.said, label, bytes),
            elsewhere: labelled.filter(|(_, other)| is_other(other)).count(),
        }
    }

    /// Returns the evidence for two labels together.
    pub fn and(self, other: Self) -> Self {
        Self {
            near: self.near + other.near,
            elsewhere: self.elsewhere + other.elsewhere,
        }
    }
}

/// Returns how many words around `bytes` of a text belong to a label.
fn words_for(text: &str, label: &str, bytes: &Range<usize>) -> usize {
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    let (before, behind) = (&text[..bytes.start], &text[bytes.end..]);
    let before = before.split_whitespace().rev().filter(is_word).take(NEAR.0);
    let behind = behind.split_whitespace().filter(is_word).take(NEAR.1);
    let belongs = |word: &&str| {
        let word = lower(word.trim_matches(|c: char| !c.is_alphanumeric()));
        value_words(label).any(|part| is_of(&word, &lower(part)))
    };
    before.chain(behind).filter(belongs).count()
}

/// True if a word belongs to a part of a label, both in lower case.
fn is_of(word: &str, part: &str) -> bool {
    let common = word.chars().zip(part.chars()).take_while(|(a, b)| a == b);
    let most = part.chars().count().min(COMMON);
    let is_short = most < 3;
    (word == part || !is_short && common.count() >= most)
        || ALSO.iter().any(|(own, other)| {
            part == *own && (word == *other || other.strip_suffix('s') == Some(word))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_around_a_text_belong_to_labels() {
        let support = |text: &str, label: &str| {
            let start = text.find('4').expect("a number");
            words_for(text, label, &(start..start + 1))
        };
        assert_eq!(support("friday for 4 nights", "Hotel-Inform.Stay"), 1);
        assert_eq!(support("friday for 4 nights", "Hotel-Inform.People"), 0);
        assert_eq!(support("there will be 4 of us", "Hotel-Inform.People"), 1);
        assert_eq!(support("Arriving after 4, leaving", "Train.Arrive"), 1);
        assert_eq!(support("arriving after 4, leaving", "Train.Leave"), 1);
        assert_eq!(support("from 4 to 5", "flight.from.time"), 1);
        assert_eq!(support("top 4, times", "flight.to"), 0);
    }
}
