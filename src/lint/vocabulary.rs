//! An index of words and their places, so that a rule can search for values in other words, or with a
//! typo, without reading the text again.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::value::{alike, counted};

/// Words, lowercased as ASCII, each with its places in order.
#[derive(Debug, Default)]
pub struct Vocabulary {
    places: HashMap<Rc<str>, Vec<usize>>,
    /// All words, by their number of characters.
    by_length: BTreeMap<usize, Vec<Rc<str>>>,
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
            self.digits
                .entry(number)
                .or_default()
                .push(Rc::clone(&word));
        }
        if let Some(number) = counted(&word) {
            self.letters
                .entry(number)
                .or_default()
                .push(Rc::clone(&word));
        }
        let length = self.by_length.entry(word.chars().count()).or_default();
        length.push(Rc::clone(&word));
        self.places.insert(word, vec![place]);
    }

    /// The places of a word, ignoring case.
    pub fn places(&self, word: &str) -> &[usize] {
        let places = self.places.get(word.to_ascii_lowercase().as_str());
        places.map_or(&[], Vec::as_slice)
    }

    /// Every word with its places.
    pub fn words(&self) -> impl Iterator<Item = (&str, &[usize])> {
        let words = self.places.iter();
        words.map(|(word, places)| (&**word, places.as_slice()))
    }

    /// The places of all words that are [`alike`] to a word, ordered within each word.
    pub fn places_alike(&self, word: &str) -> impl Iterator<Item = &[usize]> {
        let words = self.alike_to(&word.to_ascii_lowercase());
        (0..words.len()).filter_map(move |i| self.places.get(&words[i]).map(Vec::as_slice))
    }

    fn alike_to(&self, word: &str) -> Rc<[Rc<str>]> {
        if let Some(known) = self.known.borrow().get(word) {
            return Rc::clone(known);
        }
        let length = word.chars().count();
        // The shorter word may differ in up to one of five letters.
        let near = self.by_length.range(length * 4 / 5..=length + length / 4);
        let near = near.flat_map(|(_, words)| words);
        let number = word
            .parse()
            .ok()
            .and_then(|number| self.letters.get(&number));
        let spelled = counted(word).and_then(|number| self.digits.get(&number));
        let numbers = number.into_iter().chain(spelled).flatten();
        let mut found: Vec<_> = near
            .chain(numbers)
            .filter(|other| alike(word, other))
            .cloned()
            .collect();
        found.sort_unstable();
        found.dedup();
        let found: Rc<[_]> = found.into();
        let mut known = self.known.borrow_mut();
        known.insert(word.to_owned(), Rc::clone(&found));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::value::words;

    #[test]
    fn words_are_found_as_if_all_were_looked_at() {
        let text =
            "Two for Thursday kitchen, 2 or 17; seventeen Thurday the théâtre theatre seven7 02";
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
        ] {
            let mut found: Vec<_> = vocabulary.places_alike(asked).flatten().copied().collect();
            found.sort_unstable();
            let all = words(text).enumerate();
            let meant: Vec<_> = all
                .filter(|(_, w)| alike(asked, w))
                .map(|(i, _)| i)
                .collect();
            assert_eq!(found, meant, "{asked}");
        }
    }
}
