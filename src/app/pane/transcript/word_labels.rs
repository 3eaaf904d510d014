//! Labels over the words of the current turn that are on the screen: who types one goes to its word.

use std::ops::Range;

use compact_str::CompactString;

use crate::app::pane::transcript::Transcript;
use crate::app::pane::{Ink, Line};
use crate::dialog::{Span, Turn};
use crate::text::{Units, byte_of, visible, width, word_starts};

/// The letters of labels, those that are easy to reach first.
const LETTERS: &str = "fjdksalghrueiwotyqpvncmxzb";

/// A word and its label.
#[derive(Clone, Debug)]
struct LabelledWord {
    /// The offset of its start, in the dialog's units.
    at: u32,
    /// The byte of its start.
    byte: usize,
    label: CompactString,
}

#[derive(Clone, Debug)]
pub struct WordLabels {
    words: Vec<LabelledWord>,
    /// The letters typed so far.
    typed: String,
}

/// The answer to a letter of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelAnswer {
    /// Its word begins at this offset, in the dialog's units.
    Word(u32),
    /// Another letter is needed.
    More,
    /// No label has these letters.
    Nothing,
}

impl Transcript {
    /// Labels the words of the current turn that are on the screen. False if there are none.
    pub fn label_words(&mut self) -> bool {
        let shown = self.shown_bytes();
        let words = self.current().map(|turn| starts(turn, self.dialog.units));
        let words: Vec<_> = words.into_iter().flatten().collect();
        let words = words.into_iter().filter(|(_, byte)| shown.contains(byte));
        let words: Vec<_> = words.take(LETTERS.len() * LETTERS.len()).collect();
        let labels = labels(words.len());
        let labelled = words.into_iter().zip(labels);
        let labelled = labelled.map(|((at, byte), label)| LabelledWord { at, byte, label });
        let words: Vec<_> = labelled.collect();
        let any = !words.is_empty();
        let typed = String::new();
        self.word_labels = any.then_some(WordLabels { words, typed });
        any
    }
}

impl WordLabels {
    /// Takes the next letter of a label.
    pub fn take(&mut self, letter: char) -> LabelAnswer {
        self.typed.push(letter);
        self.words.retain(|word| word.label.starts_with(&self.typed));
        match self.words.as_slice() {
            [] => LabelAnswer::Nothing,
            [word] if word.label == self.typed => LabelAnswer::Word(word.at),
            _ => LabelAnswer::More,
        }
    }

    /// Returns the line of a row of the turn with the labels over the starts of their words.
    pub fn over(&self, line: Line, text: &str, row: &Range<usize>) -> Line {
        let Some(margin) = line.anchor.map(|anchor| anchor.column) else {
            return line;
        };
        let here = self.words.iter().filter(|word| row.contains(&word.byte));
        here.fold(line, |line, word| {
            let before = width(&visible(&text[row.start..word.byte]));
            let rest = &word.label[self.typed.len()..];
            line.covered(margin + before, Ink::Label(0), rest)
        })
    }
}

/// Returns the start of each word: its offset in the units, and its byte.
fn starts(turn: &Turn, units: Units) -> Vec<(u32, usize)> {
    match units {
        Units::CodePoints => {
            let starts = word_starts(&turn.text);
            let place = |at: usize| (at as u32, byte_of(&turn.text, at).unwrap_or_default());
            starts.map(place).collect()
        }
        Units::Tokens(_) => {
            let places = turn.places(units);
            let start = |start: u32| {
                let end = start + 1;
                (start, places.bytes_of(Span { start, end }).start)
            };
            (0..places.count() as u32).map(start).collect()
        }
    }
}

/// Returns `count` labels, none of which begins another: as many of one letter as that allows.
fn labels(count: usize) -> Vec<CompactString> {
    let letters: Vec<char> = LETTERS.chars().collect();
    let all = letters.len();
    let prefixes = count.saturating_sub(all).div_ceil(all - 1).min(all);
    let (single, first) = letters.split_at(all - prefixes);
    let single = single.iter().map(|letter| letter.to_string().into());
    let double = first.iter().flat_map(|first| {
        let second = letters.iter();
        second.map(move |second| CompactString::from_iter([*first, *second]))
    });
    single.chain(double).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_begins_another() {
        for count in [0, 1, 26, 27, 51, 52, 100, 676] {
            let labels = labels(count);
            assert_eq!(labels.len(), count);
            let clash = |(number, one): (usize, &CompactString)| {
                let mut others = labels.iter().enumerate();
                others.any(|(other, label)| other != number && label.starts_with(one.as_str()))
            };
            assert!(!labels.iter().enumerate().any(clash), "{count}");
        }
        assert_eq!(labels(27).iter().filter(|label| label.len() == 1).count(), 25);
    }
}
