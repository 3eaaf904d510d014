//! Compares values by meaning: times of day, numbers, names. Different spellings may mean the same
//! ("9.10pm" and "9:10", "three" and "3").
//!
//! In doubt, two values are the same: a value that cannot be read contradicts nothing.

use crate::dialog::Short;

/// The kind of value of an argument or a label, according to its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A time of day: `time.showing`.
    Time,
    /// How many: `num.tickets`.
    Number,
    /// A name that people use: `name.theater`.
    Name,
    /// An identifier that a program assigned: `menu_item_id`.
    Id,
    /// Anything else.
    Other,
}

impl ValueKind {
    pub fn of(name: &str) -> Self {
        match name {
            "name.movie" | "name.theater" | "name.restaurant" | "name.hotel" => Self::Name,
            _ if name.starts_with("time.") => Self::Time,
            _ if name.starts_with("num.") => Self::Number,
            _ if name.ends_with("_id") => Self::Id,
            _ => Self::Other,
        }
    }
}

/// True if both values definitely mean different things.
pub fn differ(kind: ValueKind, one: &str, other: &str) -> bool {
    match kind {
        ValueKind::Time => match (Time::read(one), Time::read(other)) {
            (Some(one), Some(other)) => !one.may_be(other),
            _ => false,
        },
        ValueKind::Number => match (number(one), number(other)) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        },
        ValueKind::Name => lacks_word(one, other) && lacks_word(other, one),
        ValueKind::Id | ValueKind::Other => false,
    }
}

/// True if both values definitely mean the same.
pub fn agree(kind: ValueKind, one: &str, other: &str) -> bool {
    match kind {
        ValueKind::Time => match (Time::read(one), Time::read(other)) {
            (Some(one), Some(other)) => one.may_be(other),
            _ => false,
        },
        ValueKind::Number => number(one).is_some_and(|one| Some(one) == number(other)),
        _ => one == other || plain(one) == plain(other),
    }
}

/// Returns a text in lower case without surrounding punctuation.
fn plain(text: &str) -> String {
    let trimmed = text.trim_matches(|c: char| !c.is_alphanumeric());
    trimmed.to_lowercase()
}

/// A time of day on a twelve-hour clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// Since noon or midnight, below 720.
    pub minutes: u32,
    /// True for pm, false for am, None if the text does not say.
    pub afternoon: Option<bool>,
}

impl Time {
    /// Reads a text that is a time and nothing else: "9:10pm", "9.10 p.m.", "7", "half past nine",
    /// "noon".
    pub fn read(text: &str) -> Option<Self> {
        let mut lower = Short::from(text);
        lower.make_ascii_lowercase();
        let mut rest = lower.trim_matches(|c: char| c.is_whitespace() || ".,:;!?".contains(c));
        for before in ["at ", "the "] {
            rest = rest.strip_prefix(before).unwrap_or(rest).trim_start();
        }
        let digit = rest.starts_with(|c: char| c.is_ascii_digit());
        for after in [" showing", " show", " one", " o'clock", " o’clock"] {
            // "one" is also a number, unless it means the show: "the 9:10 one".
            let kept = rest.strip_suffix(after).filter(|_| after != " one" || digit);
            rest = kept.unwrap_or(rest).trim_end();
        }
        match rest {
            "noon" => return Self::new(12, 0, Some(true)),
            "midnight" => return Self::new(12, 0, Some(false)),
            _ => {}
        }
        let (rest, afternoon) = half_of_day(rest);
        Self::digits(rest, afternoon).or_else(|| Self::words(rest, afternoon))
    }

    fn digits(text: &str, afternoon: Option<bool>) -> Option<Self> {
        let (hour, minute) = text.split_once([':', '.']).unwrap_or((text, "00"));
        let short = hour.len() <= 2 && minute.len() == 2;
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if !short || !digits(hour) || !digits(minute) {
            return None;
        }
        match hour.parse().ok()? {
            hour @ 13..=23 => Self::new(hour - 12, minute.parse().ok()?, Some(true)),
            hour => Self::new(hour, minute.parse().ok()?, afternoon),
        }
    }

    fn words(text: &str, afternoon: Option<bool>) -> Option<Self> {
        let mut words = text.split([' ', '-']);
        let (first, second, third) = (words.next()?, words.next(), words.next());
        if words.next().is_some() {
            return None;
        }
        let hour = |word: &str| word.parse().ok().or_else(|| counted(word));
        match (first, second, third) {
            (hours, None, None) => Self::new(hour(hours)?, 0, afternoon),
            (hours, Some(minutes), None) => Self::new(hour(hours)?, counted(minutes)?, afternoon),
            ("half", Some("past"), Some(hours)) => Self::new(hour(hours)?, 30, afternoon),
            ("quarter", Some("past"), Some(hours)) => Self::new(hour(hours)?, 15, afternoon),
            ("quarter", Some("to"), Some(hours)) => {
                let hour = hour(hours)?.checked_sub(1)?;
                Self::new(if hour == 0 { 12 } else { hour }, 45, afternoon)
            }
            _ => None,
        }
    }

    fn new(hour: u32, minute: u32, afternoon: Option<bool>) -> Option<Self> {
        ((1..=12).contains(&hour) && minute < 60)
            .then_some(Self { minutes: hour % 12 * 60 + minute, afternoon })
    }

    /// True if both can be the same time.
    pub fn may_be(self, other: Self) -> bool {
        let same_half = match (self.afternoon, other.afternoon) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        self.minutes == other.minutes && same_half
    }

    /// Returns the hour on the clock, from 1 to 12.
    pub fn hour(self) -> u32 {
        match self.minutes / 60 {
            0 => 12,
            hour => hour,
        }
    }
}

/// Splits "pm" and the like off the end; true for pm.
fn half_of_day(text: &str) -> (&str, Option<bool>) {
    for (ends, afternoon) in [(["pm", "p.m", "p.m."], true), (["am", "a.m", "a.m."], false)] {
        for end in ends {
            if let Some(rest) = text.strip_suffix(end) {
                return (rest.trim_end(), Some(afternoon));
            }
        }
    }
    (text, None)
}

/// Words that may surround a number without changing it.
const AROUND_NUMBERS: &str = "adult adults all for in just of only people person persons please \
                              seat seats the ticket tickets total us";

/// Returns the number that a text means; None if it contains another number or other words.
pub fn number(text: &str) -> Option<u32> {
    let mut found = None;
    for word in words(text) {
        let number = word.parse().ok().or_else(|| counted(word));
        match number {
            Some(_) if found.is_some() => return None,
            Some(number) => found = Some(number),
            None if is_in(AROUND_NUMBERS, word) => {}
            None => return None,
        }
    }
    found
}

/// Returns the value of a number word: zero to twenty, as in counts of tickets, or thirty, forty or fifty, as in
/// minutes.
pub fn counted(word: &str) -> Option<u32> {
    const WORDS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen \
                         fourteen fifteen sixteen seventeen eighteen nineteen twenty";
    const TENS: [(&str, u32); 3] = [("thirty", 30), ("forty", 40), ("fifty", 50)];
    let small = WORDS.split(' ').position(|w| w.eq_ignore_ascii_case(word));
    let tens = || TENS.iter().find(|(w, _)| w.eq_ignore_ascii_case(word));
    small.map(|n| n as u32).or_else(|| Some(tens()?.1))
}

/// True if a list of words, separated by spaces, contains `word`, ignoring case.
pub fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|w| w.eq_ignore_ascii_case(word))
}

/// Words that occur in many names, so that they distinguish none.
const COMMON: &str = "a an and at cinema cinemas film hotel in movie movies of on restaurant theater \
                      theaters theatre theatres the";

/// Returns the words and numbers of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let split = text.split(|c: char| !c.is_alphanumeric() && !"'’".contains(c));
    split.filter(|word| !word.is_empty())
}

/// Returns the distinctive words of a name; all its words if none is distinctive.
pub fn telling(name: &str) -> Vec<&str> {
    let mut telling: Vec<_> = words(name).filter(|w| !is_in(COMMON, w)).collect();
    if telling.is_empty() {
        telling = words(name).collect();
    }
    telling
}

/// True if `name` has a distinctive word that `other` lacks, even misspelled.
fn lacks_word(name: &str, other: &str) -> bool {
    let has = |word: &str| words(other).any(|o| alike(word, o));
    telling(name).into_iter().any(|word| !has(word))
}

/// True if two words are the same, apart from a typo.
pub fn alike(one: &str, other: &str) -> bool {
    if one.eq_ignore_ascii_case(other) {
        return true;
    }
    if !may_have_typos(one) || !may_have_typos(other) {
        return counted(one).is_some_and(|n| other.parse() == Ok(n))
            || counted(other).is_some_and(|n| one.parse() == Ok(n));
    }
    let shorter = one.len().min(other.len());
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    strsim::osa_distance(&one, &other) <= typos(shorter)
}

/// In words of fewer bytes, one edit makes another word.
const LONG: usize = 5;

/// True if a word is long enough to be known despite a typo, and is not a number.
fn may_have_typos(word: &str) -> bool {
    word.len() >= LONG && !word.bytes().any(|b| b.is_ascii_digit())
}

/// Returns the most typos by which a word of this many bytes may differ from one at least as long.
fn typos(bytes: usize) -> usize {
    bytes / LONG
}
