//! Finds the turn that first mentions a value, literally or in other words. An index is built once per
//! dialog, so that checking many arguments of many calls does not read the dialog again.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;
use foldhash::{HashMap, HashMapExt as _};

use super::transcript::LowercaseTranscript;
use super::value::{Time, counted, telling, words};
use super::vocabulary::Vocabulary;

/// Index of first mentions. "Until" a turn includes that turn.
#[derive(Debug)]
pub struct FirstOccurrences<'s> {
    said: &'s LowercaseTranscript,
    /// For each text, the end of its first occurrence, in bytes.
    texts: HashMap<String, usize>,
    // Built when a value is first not found literally.
    words: OnceCell<Vocabulary>,
    hours: OnceCell<BTreeMap<u32, usize>>,
    hours_in_digits: OnceCell<BTreeMap<u32, usize>>,
    numbers: OnceCell<Vec<(u32, usize)>>,
    groups: OnceCell<Option<usize>>,
}

/// The largest number of bytes to search for each text separately.
const SEARCHED: usize = 1 << 20;

/// Words that mean several people.
const GROUPS: [&str; 5] = ["family", "couple", "group", "kids", "children"];

impl<'s> FirstOccurrences<'s> {
    /// Indexes `texts`, which are in lower case and not empty.
    pub fn new(said: &'s LowercaseTranscript, texts: Vec<String>) -> Self {
        Self {
            said,
            texts: first_ends(said.text(), texts),
            words: OnceCell::new(),
            hours: OnceCell::new(),
            hours_in_digits: OnceCell::new(),
            numbers: OnceCell::new(),
            groups: OnceCell::new(),
        }
    }

    /// True if one of the indexed texts occurs up to and including turn `until`.
    pub fn has_text(&self, text: &str, until: usize) -> bool {
        let end = self.texts.get(text);
        end.is_some_and(|end| *end <= self.said.until(until).len())
    }

    fn is_before(&self, place: Option<usize>, until: usize) -> bool {
        place.is_some_and(|place| place < self.said.until(until).len())
    }

    fn words(&self) -> &Vocabulary {
        self.words.get_or_init(|| {
            let text = self.said.text();
            let mut vocabulary = Vocabulary::default();
            for word in words(text) {
                vocabulary.add(word, word.as_ptr() as usize - text.as_ptr() as usize);
            }
            vocabulary
        })
    }

    /// True if at least half of the distinctive words of a name occur, typos allowed.
    pub fn has_half(&self, name: &str, until: usize) -> bool {
        let telling = telling(name);
        let first = |word: &str| self.words().places_alike(word).map(|places| places[0]).min();
        let has = |word: &&&str| self.is_before(first(word), until);
        telling.iter().filter(has).count() * 2 >= telling.len()
    }

    /// True if a word occurs, ignoring case.
    pub fn has_word(&self, word: &str, until: usize) -> bool {
        self.is_before(self.words().places(word).first().copied(), until)
    }

    /// True if the hour of a time occurs, or the next hour ("quarter to …"), in digits or as a word.
    pub fn has_hour(&self, time: Time, until: usize) -> bool {
        let hours = self.hours.get_or_init(|| {
            let number = |word: &str| in_digits(word).or_else(|| counted(word));
            first_places(self.words(), number)
        });
        self.is_hour_in(hours, time, until)
    }

    /// Like [`Self::has_hour`], in digits: "one" has many meanings.
    pub fn has_hour_in_digits(&self, time: Time, until: usize) -> bool {
        let hours = self.hours_in_digits.get_or_init(|| first_places(self.words(), in_digits));
        self.is_hour_in(hours, time, until)
    }

    fn is_hour_in(&self, hours: &BTreeMap<u32, usize>, time: Time, until: usize) -> bool {
        let (hour, next) = (time.hour(), time.hour() % 12 + 1);
        let ranges =
            [hour..=hour, hour + 12..=hour + 12, next..=next, hour * 100..=hour * 100 + 99];
        let said = ranges.into_iter().flat_map(|range| hours.range(range));
        let first = said.map(|(_, place)| *place).min();
        let noon = ["noon", "midnight"].map(|word| self.has_word(word, until));
        self.is_before(first, until) || time.minutes == 0 && noon.contains(&true)
    }

    /// True if a number occurs that may be a summand of `number`.
    pub fn has_part(&self, number: u32, until: usize) -> bool {
        let numbers = self.numbers.get_or_init(|| {
            let read = |word: &str| word.parse().ok().or_else(|| counted(word));
            let mut earliest = usize::MAX;
            let all = first_places(self.words(), read);
            let from_two = all.range(2..).map(|(number, place)| {
                earliest = earliest.min(*place);
                (*number, earliest)
            });
            from_two.collect()
        });
        let behind = numbers.partition_point(|(other, _)| *other <= number);
        let first = numbers[..behind].last().map(|(_, place)| *place);
        let groups = self.groups.get_or_init(|| {
            let ends = GROUPS.iter().filter_map(|g| Some(self.said.text().find(g)? + g.len() - 1));
            ends.min()
        });
        self.is_before(first, until) || self.is_before(*groups, until)
    }
}

/// Returns the end of the first occurrence in `all`, in bytes, of each of `texts` that occurs.
pub fn first_ends(all: &str, mut texts: Vec<String>) -> HashMap<String, usize> {
    texts.sort_unstable();
    texts.dedup();
    let mut first = HashMap::new();
    if texts.len() * all.len() <= SEARCHED {
        for text in texts {
            if let Some(start) = memchr::memmem::find(all.as_bytes(), text.as_bytes()) {
                let end = start + text.len();
                first.insert(text, end);
            }
        }
    } else if let Ok(automaton) = AhoCorasick::new(&texts) {
        let mut ends = vec![None; texts.len()];
        for hit in automaton.find_overlapping_iter(all) {
            ends[hit.pattern().as_usize()].get_or_insert(hit.end());
        }
        let found = texts.into_iter().zip(ends);
        first.extend(found.filter_map(|(text, end)| Some((text, end?))));
    }
    first
}

/// Returns the number that a word begins with: 7 for `7pm`.
fn in_digits(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
    digits.parse().ok()
}

/// Returns the first place of each number that `read` reads from a word.
fn first_places(words: &Vocabulary, read: impl Fn(&str) -> Option<u32>) -> BTreeMap<u32, usize> {
    let mut first: BTreeMap<u32, usize> = BTreeMap::new();
    for (word, places) in words.words() {
        if let (Some(number), Some(place)) = (read(word), places.first()) {
            let known = first.entry(number).or_insert(*place);
            *known = (*known).min(*place);
        }
    }
    first
}
