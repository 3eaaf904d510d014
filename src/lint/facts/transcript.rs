//! The texts of all turns of a dialog as one text in lower case.
//!
//! Several rules ask whether a value was mentioned before; searching one text answers them quickly.

use std::cell::Cell;

use memchr::memmem;

use super::value::{Time, alike, counted, telling, words};
use crate::dialog::{Dialog, Short};

/// The bytes that may still be read to find the values of calls in a dialog. Once they are spent, as in dialogs of
/// thousands of turns and calls, all other values count as mentioned.
#[derive(Debug)]
pub struct Effort(Cell<usize>);

impl Default for Effort {
    fn default() -> Self {
        Self(Cell::new(1 << 24))
    }
}

impl Effort {
    /// How many times faster a text is searched than read word by word.
    const SEARCH: usize = 256;

    /// Spends these bytes. True if none is left.
    pub fn is_spent(&self, bytes: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(bytes));
        self.0.get() == 0
    }

    /// True if `text` contains `part`; in doubt, it does.
    pub fn finds(&self, text: &str, part: &str) -> bool {
        memmem::find(text.as_bytes(), part.as_bytes()).is_some()
            || self.is_spent(text.len() / Self::SEARCH)
    }
}

/// The texts of a dialog in lower case, one line per turn.
#[derive(Debug, Default)]
pub struct LowercaseTranscript {
    text: String,
    /// The end of each turn in `text`, in bytes.
    ends: Vec<u32>,
    pub effort: Effort,
}

impl LowercaseTranscript {
    pub fn new(dialog: &Dialog) -> Self {
        let length = dialog.turns.iter().map(|turn| turn.text.len() + 1).sum();
        let mut text = String::with_capacity(length);
        let mut ends = Vec::with_capacity(dialog.turns.len());
        for turn in &dialog.turns {
            push_lower(&mut text, &turn.text);
            ends.push(text.len() as u32);
            text.push('\n');
        }
        Self { text, ends, effort: Effort::default() }
    }

    /// Returns the text up to the end of `turn`.
    pub fn until(&self, turn: usize) -> &str {
        let end = self.ends.get(turn).map(|end| *end as usize);
        &self.text[..end.unwrap_or(self.text.len())]
    }

    /// Returns the text of `turn`.
    pub fn in_turn(&self, turn: usize) -> &str {
        let start = turn.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        &self.text[start as usize..self.ends[turn] as usize]
    }
}

/// Words that mean several people.
const GROUPS: [&str; 5] = ["family", "couple", "group", "kids", "children"];

/// Questions on what was said up to and including a turn. In doubt, it was said.
impl LowercaseTranscript {
    /// True if a text occurs, given in the form of `lower`.
    pub fn has_text(&self, text: &str, until: usize) -> bool {
        self.effort.finds(self.until(until), text)
    }

    /// True if a word occurs that `is_it`.
    fn has(&self, until: usize, is_it: impl FnMut(&str) -> bool) -> bool {
        let text = self.until(until);
        self.effort.is_spent(text.len()) || words(text).any(is_it)
    }

    /// True if at least half of the distinctive words of a name occur, typos allowed.
    pub fn has_half(&self, name: &str, until: usize) -> bool {
        let telling = telling(name);
        let has = |word: &&&str| self.has(until, |other| alike(word, other));
        telling.iter().filter(has).count() * 2 >= telling.len()
    }

    /// True if a word occurs, ignoring case.
    pub fn has_word(&self, word: &str, until: usize) -> bool {
        self.has(until, |other| other.eq_ignore_ascii_case(word))
    }

    /// True if the hour of a time occurs, or the next hour ("quarter to …"): in digits or, unless only these are
    /// asked for, as a word. "One" has many meanings.
    pub fn has_hour(&self, time: Time, only_digits: bool, until: usize) -> bool {
        let (hour, next) = (time.hour(), time.hour() % 12 + 1);
        // 7 for `7pm`.
        let digits = |word: &str| word.trim_end_matches(char::is_alphabetic).parse().ok();
        let number = |word: &str| digits(word).or_else(|| counted(word).filter(|_| !only_digits));
        let is_it = |said: u32| [hour, hour + 12, next].contains(&said) || said / 100 == hour;
        let is_noon = |word: &str| time.minutes == 0 && matches!(word, "noon" | "midnight");
        self.has(until, |word| number(word).is_some_and(is_it) || is_noon(word))
    }

    /// True if a number occurs that may be a summand of `number`.
    pub fn has_part(&self, number: u32, until: usize) -> bool {
        let read = |word: &str| word.parse().ok().or_else(|| counted(word));
        self.has(until, |word| read(word).is_some_and(|part: u32| (2..=number).contains(&part)))
            || GROUPS.iter().any(|group| self.has_text(group, until))
    }
}

/// Appends `more` in the form of [`lower`]. Nearly all text is ASCII, which is lowercased in place.
fn push_lower(text: &mut String, more: &str) {
    let start = text.len();
    let mut rest = more;
    while !rest.is_ascii() {
        let ascii = rest.bytes().take_while(u8::is_ascii).count();
        text.push_str(&rest[..ascii]);
        let mut chars = rest[ascii..].chars();
        text.extend(chars.next().map(plain).into_iter().flat_map(char::to_lowercase));
        rest = chars.as_str();
    }
    text.push_str(rest);
    text[start..].make_ascii_lowercase();
}

/// `text` in the form that searches compare: in lower case, with plain quotation marks.
pub fn lower(text: &str) -> Short {
    let mut lower = Short::from(text);
    if lower.is_ascii() {
        lower.make_ascii_lowercase();
        return lower;
    }
    lower.chars().map(plain).flat_map(char::to_lowercase).collect()
}

/// Replaces typographic quotation marks and apostrophes by those of a keyboard.
fn plain(char: char) -> char {
    match char {
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        _ => char,
    }
}
