//! Checks a merged dialog against its copies, leaf by leaf: nothing that one side has put in is missing, nothing that
//! both have left alone is gone, and nothing is there twice.
//!
//! Merging compares elements by what a family reads of them; members inside of one that the other side removes, or whose
//! place another element takes, would go without a word. Each turn is a bag of leaves here: its texts, numbers and the
//! like, each with the keys that lead to it, without positions in lists.

use std::collections::{BTreeMap, BTreeSet};

use super::canonical::{Numbers, canonical, number_keys};
use super::json::Elements;
use crate::dialog::Dialog;
use crate::json::{NodeKind, Parser, Tree, Value};

/// A turn in which a merge is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The positions of the turns of its element in the merged dialog.
    pub turns: Vec<usize>,
    /// The keys that lead to something that is wrong, with dots.
    pub path: String,
    /// True if all that ours has is there, and only a change of theirs is not.
    pub has_ours: bool,
}

/// The copies that are checked: the base, ours, theirs, and what is written, with its dialog.
pub struct Checked<'c> {
    pub texts: [&'c str; 4],
    pub dialog: &'c Dialog,
    pub elements: &'c [Elements],
    /// The turns about which there is a conflict: theirs need not be there.
    pub in_conflict: &'c BTreeSet<usize>,
    /// The texts of those turns of which the copies have several: spans may have moved, with what they quote.
    pub texts_of: &'c BTreeMap<usize, Vec<String>>,
}

/// Returns the turns that are not as the sides have made them.
pub fn failing(checked: &Checked<'_>) -> Vec<Failing> {
    let mut parsers: [Parser; 4] = Default::default();
    let mut trees = Vec::new();
    for (parser, text) in parsers.iter_mut().zip(checked.texts) {
        let Ok(tree) = parser.parse_piece_str(text) else {
            return Vec::new();
        };
        trees.push(tree);
    }
    let keys = number_keys(&trees[3], checked.dialog);
    let fails = |of: &Elements| {
        let [base, ours, theirs] = of.copies;
        let places = [base?, ours?, theirs?, of.written];
        let mut bags = places.iter().zip(&trees);
        let bags = std::array::from_fn(|_| {
            let found = bags
                .next()
                .and_then(|(at, tree)| bag(tree, at.start, &keys));
            found.unwrap_or_default()
        });
        let mut turns = of.turns.iter();
        let texts = of
            .turns
            .iter()
            .filter_map(|turn| checked.texts_of.get(turn));
        let bags = Bags {
            bags,
            is_in_conflict: turns.any(|turn| checked.in_conflict.contains(turn)),
            texts: texts.flatten().map(String::as_str).collect(),
        };
        let (path, has_ours) = bags.wrong()?;
        Some(Failing {
            turns: of.turns.clone(),
            path,
            has_ours,
        })
    };
    checked.elements.iter().filter_map(fails).collect()
}

/// How often each leaf is in a turn, by the keys that lead to it and then by its value.
type Bag = BTreeMap<String, BTreeMap<String, i64>>;

/// Returns the leaves of the element at a place; None if there is none.
fn bag(tree: &Tree<'_>, start: u32, keys: &[String]) -> Option<Bag> {
    let element = tree.value_at(start)?;
    let numbers = Numbers::of(element, keys);
    let mut bag = Bag::new();
    add(element, String::new(), &numbers, &mut bag);
    Some(bag)
}

fn add(value: Value<'_>, path: String, numbers: &Numbers, bag: &mut Bag) {
    match value.kind() {
        NodeKind::Object => {
            for (key, value) in value.members() {
                let key = key.as_str().unwrap_or_default();
                if !numbers.is_number(&key, value) {
                    add(value, format!("{path}.{key}"), numbers, bag);
                }
            }
        }
        NodeKind::Array => {
            for element in value.elements() {
                add(element, format!("{path}[]"), numbers, bag);
            }
        }
        _ => {
            let leaves = bag.entry(path).or_default();
            *leaves.entry(canonical(value, None)).or_default() += 1;
        }
    }
}

/// The leaves of a turn in the base, ours, theirs and what is written.
struct Bags<'t> {
    bags: [Bag; 4],
    is_in_conflict: bool,
    /// The texts of the copies, if there are several.
    texts: Vec<&'t str>,
}

/// The side whose leaf is not as it should be.
enum Wrong {
    /// Ours has it otherwise, or both.
    Ours,
    /// Only a change of theirs is missing.
    Theirs,
}

impl Bags<'_> {
    /// Returns the keys that lead to a leaf of which there are not as many as there should be, and whether all of ours is
    /// there. Where there is a value that no copy has, such as two texts in one, others may be missing.
    fn wrong(&self) -> Option<(String, bool)> {
        let mut of_theirs = None;
        let paths: BTreeSet<&String> = self.bags.iter().flat_map(Bag::keys).collect();
        for path in paths {
            let leaves = self.bags.each_ref().map(|bag| bag.get(path));
            let values: BTreeSet<&String> =
                leaves.iter().flatten().flat_map(|of| of.keys()).collect();
            let counts = |value: &String| {
                leaves.map(|of| of.and_then(|of| of.get(value)).copied().unwrap_or(0))
            };
            let is_new = |value: &&String| counts(value)[..3] == [0; 3];
            if values.iter().any(is_new) {
                continue;
            }
            for value in values {
                if self.is_moved(value) {
                    continue;
                }
                match self.wrong_of(counts(value)) {
                    Some(Wrong::Ours) => return Some((path.clone(), false)),
                    Some(Wrong::Theirs) => drop(of_theirs.get_or_insert_with(|| path.clone())),
                    None => {}
                }
            }
        }
        of_theirs.map(|path| (path, true))
    }

    /// True if a leaf may be an edge or the words of a span of another text.
    fn is_moved(&self, value: &str) -> bool {
        let words = value.trim_matches('"');
        let is_number = value.parse::<i64>().is_ok();
        self.texts
            .iter()
            .any(|text| is_number || text.contains(words))
    }

    /// Judges how often a leaf is in the copies.
    fn wrong_of(&self, [was, own, new, is]: [i64; 4]) -> Option<Wrong> {
        let (mine, others) = (own - was, new - was);
        if self.is_in_conflict {
            return (is < own.min(own + others)).then_some(Wrong::Ours);
        }
        // Both have made the same change, or two.
        let two = (was + mine + others).max(0);
        let one = match (mine.signum(), others.signum()) {
            (1, 1) => was + mine.max(others),
            (-1, -1) => was + mine.min(others),
            _ => two,
        };
        if is > one.max(two) {
            Some(Wrong::Ours)
        } else if is >= one.min(two) {
            None
        } else if others > 0 && is >= own.min(own + others) {
            Some(Wrong::Theirs)
        } else {
            Some(Wrong::Ours)
        }
    }
}
