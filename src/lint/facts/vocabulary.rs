//! An index of words and their places, so that a rule can find a reworded or misspelled value without
//! reading the text again.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::iter::once;
use std::rc::Rc;

use foldhash::HashMap;

use super::value::{alike, counted, may_have_typos, typos};

/// Words, lowercased as ASCII, each with its places in order.
#[derive(Debug, Default)]
pub struct Vocabulary {
    places: HashMap<Rc<str>, Vec<usize>>,
    /// The words that are found despite a typo.
    typos: OnceCell<Typos>,
    /// The words that are numbers, in digits or spelled out.
    digits: HashMap<u32, Vec<Rc<str>>>,
    letters: HashMap<u32, Vec<Rc<str>>>,
    /// A cache of results.
    known: RefCell<HashMap<String, Rc<[Rc<str>]>>>,
}

impl Vocabulary {
    /// Adds a word at a place that is not before the last one added.
    pub fn add(&mut self, word: &str, place: usize) {
        let small = word.to_ascii_lowercase();
        if let Some(places) = self.places.get_mut(small.as_str()) {
            if places.last() != Some(&place) {
                places.push(place);
            }
            return;
        }
        let word: Rc<str> = small.into();
        if let Ok(number) = word.parse() {
            self.digits.entry(number).or_default().push(Rc::clone(&word));
        }
        if let Some(number) = counted(&word) {
            self.letters.entry(number).or_default().push(Rc::clone(&word));
        }
        // Cached results do not include the new word.
        self.typos.take();
        self.known.get_mut().clear();
        self.places.insert(word, vec![place]);
    }

    /// Returns the places of a word, ignoring case.
    pub fn places(&self, word: &str) -> &[usize] {
        let places = self.places.get(word.to_ascii_lowercase().as_str());
        places.map_or(&[], Vec::as_slice)
    }

    /// Returns every word with its places.
    pub fn words(&self) -> impl Iterator<Item = (&str, &[usize])> {
        let words = self.places.iter();
        words.map(|(word, places)| (&**word, places.as_slice()))
    }

    /// Returns the places of all words that are [`alike`] to a word, ordered within each word.
    pub fn places_alike(&self, word: &str) -> impl Iterator<Item = &[usize]> {
        let words = self.alike_to(&word.to_ascii_lowercase());
        (0..words.len()).filter_map(move |i| self.places.get(&words[i]).map(Vec::as_slice))
    }

    fn alike_to(&self, word: &str) -> Rc<[Rc<str>]> {
        if let Some(known) = self.known.borrow().get(word) {
            return Rc::clone(known);
        }
        let typos = self.typos.get_or_init(|| Typos::new(self.places.keys()));
        let same = self.places.get_key_value(word).map(|(word, _)| word);
        let near = same.into_iter().chain(typos.near(word));
        let number = word.parse().ok().and_then(|number| self.letters.get(&number));
        let spelled = counted(word).and_then(|number| self.digits.get(&number));
        let numbers = number.into_iter().chain(spelled).flatten();
        let mut found: Vec<_> =
            near.chain(numbers).filter(|other| alike(word, other)).cloned().collect();
        found.sort_unstable();
        found.dedup();
        let found: Rc<[_]> = found.into();
        let mut known = self.known.borrow_mut();
        known.insert(word.to_owned(), Rc::clone(&found));
        found
    }
}

/// Finds words despite typos without comparing each pair. Two words that differ by one letter left out,
/// added, replaced or swapped with the next become equal when a letter of one or both is removed.
#[derive(Debug, Default)]
struct Typos {
    /// Words by each text that remains after removing a letter.
    left: HashMap<String, Vec<Rc<str>>>,
    /// Those in which there may be several typos, by their number of characters. Such long words are few.
    by_length: BTreeMap<usize, Vec<Rc<str>>>,
}

impl Typos {
    fn new<'w>(words: impl Iterator<Item = &'w Rc<str>>) -> Self {
        let mut all = Self::default();
        for word in words.filter(|word| may_have_typos(word)) {
            for left in with_a_letter_less(word) {
                all.left.entry(left).or_default().push(Rc::clone(word));
            }
            if typos(word.len()) > 1 {
                let length = all.by_length.entry(word.chars().count()).or_default();
                length.push(Rc::clone(word));
            }
        }
        all
    }

    /// Returns all words that are [`alike`] to a word, and some others.
    fn near(&self, word: &str) -> Vec<&Rc<str>> {
        if !may_have_typos(word) {
            return Vec::new();
        }
        let left = with_a_letter_less(word);
        let one = left.filter_map(|left| self.left.get(&left)).flatten();
        let length = word.chars().count();
        let most = if typos(word.len()) > 1 { length / 4 } else { 0 };
        let several = self.by_length.range(length - most..=length + most);
        let several = several.filter(|_| most > 0).flat_map(|(_, words)| words);
        one.chain(several).collect()
    }
}

/// Returns a word in lower case, and what is left of it without each of its letters.
fn with_a_letter_less(word: &str) -> impl Iterator<Item = String> {
    let word = word.to_lowercase();
    let letters: Vec<_> = word.char_indices().map(|(at, c)| (at, c.len_utf8())).collect();
    let whole = word.clone();
    let less =
        letters.into_iter().map(move |(at, size)| format!("{}{}", &word[..at], &word[at + size..]));
    once(whole).chain(less)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::facts::value::words;

    #[test]
    fn words_are_found_as_if_all_were_looked_at() {
        let text = "Two for Thursday kitchen, 2 or 17; seventeen Thurday the théâtre theatre seven7 02 \
             reservation reservations";
        let mut vocabulary = Vocabulary::default();
        for (place, word) in words(text).enumerate() {
            vocabulary.add(word, place);
        }
        for asked in [
            "two",
            "2",
            "17",
            "Seventeen",
            "thursday",
            "Thursdays",
            "kitchn",
            "THE",
            "théatre",
            "theater",
            "seven7",
            "x",
            "",
            "02",
            "kit",
            "thrusday",
            "kitchens",
            "kitschen",
            "sevemteen",
            "reservatoin",
            "rezervations",
            "reservtio",
        ] {
            let mut found: Vec<_> = vocabulary.places_alike(asked).flatten().copied().collect();
            found.sort_unstable();
            let all = words(text).enumerate();
            let meant: Vec<_> = all.filter(|(_, w)| alike(asked, w)).map(|(i, _)| i).collect();
            assert_eq!(found, meant, "{asked}");
        }
    }
}
