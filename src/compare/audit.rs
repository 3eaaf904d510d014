//! Checks a merged dialog against its copies, leaf by leaf: nothing that one side has put in is missing, nothing that
//! both have left alone is gone, and nothing is there twice.
//!
//! It takes the copies as they are, and decides nothing.
//!
//! Merging compares elements by what a family reads of them; members inside of one that the other side removes, or whose
//! place another element takes, would go without a word. Each turn is a bag of leaves here: its texts, numbers and the
//! like, each with the keys that lead to it, without positions in lists.

use std::collections::{BTreeMap, BTreeSet};

use super::canonical::{Numbers, canonical, number_keys};
use super::json::Elements;
use super::merge::numbered;
use crate::dialog::{Dialog, Extent};
use crate::json::{NodeKind, Parser, Tree, Value};

/// Returns the turns of a dialog, by their positions, that another copy has otherwise in what no dialog tells. `pairs` has
/// the turns that both have. Of an exchange it is the last one, if no dialog tells a change of the others.
pub fn touched(
    texts: [&str; 2],
    [was, is]: [&Dialog; 2],
    pairs: &[(usize, usize)],
) -> BTreeSet<usize> {
    let (mut own, mut others) = (Parser::new(), Parser::new());
    let trees = (own.parse_piece_str(texts[0]), others.parse_piece_str(texts[1]));
    let (Ok(one), Ok(other)) = trees else {
        return BTreeSet::new();
    };
    let (keys, other_keys) = (number_keys(&one, was), number_keys(&other, is));
    let said = |tree: &Tree<'_>, at: Extent, keys: &[String]| {
        let element = tree.value_at(at.start)?;
        Some(canonical(element, Some(&Numbers::of(element, keys))))
    };
    let is_touched = |(old, new): &&(usize, usize)| {
        let before = said(&one, was.turns[*old].whole(), &keys);
        before != said(&other, is.turns[*new].whole(), &other_keys)
    };
    let counting = was.counting_fields();
    let has_words = |(old, new): &(usize, usize)| {
        let (before, after) = (&was.turns[*old], &is.turns[*new]);
        numbered(before, after, &counting) != *after
    };
    let is_alone = |one: &&(usize, usize)| {
        let at = was.turns[one.0].whole().start;
        let mut element = pairs.iter().filter(|of| was.turns[of.0].whole().start == at);
        element.all(|of| of.0 <= one.0 && !has_words(of))
    };
    let touched = pairs.iter().filter(is_touched).filter(is_alone);
    touched.map(|(old, _)| *old).collect()
}

/// The copies that are checked: the base, ours, theirs, and what is written, with its dialog.
pub struct Checked<'c> {
    pub texts: [&'c str; 4],
    pub dialog: &'c Dialog,
    pub elements: &'c [Elements],
    /// The turns about which there is a conflict: theirs need not be there.
    pub in_conflict: &'c BTreeSet<usize>,
    /// The texts of those turns of which the copies have several, and what their segments tell: these may have moved.
    pub texts_of: &'c BTreeMap<usize, Vec<String>>,
}

/// Returns the elements of turns that are not as the sides have made them.
pub fn failing<'c>(checked: &Checked<'c>) -> Vec<&'c Elements> {
    let mut parsers: [Parser; 4] = Default::default();
    let mut trees = Vec::new();
    for (parser, text) in parsers.iter_mut().zip(checked.texts) {
        let Ok(tree) = parser.parse_piece_str(text) else {
            return Vec::new();
        };
        trees.push(tree);
    }
    let keys = number_keys(&trees[3], checked.dialog);
    let bags_of = |of: &Elements| {
        let [base, ours, theirs] = of.copies;
        let places = [base?, ours?, theirs?, of.written];
        let mut bags = places.iter().zip(&trees);
        let bags = std::array::from_fn(|_| {
            let found = bags.next();
            let found = found.and_then(|(at, tree)| bag(tree, at.start, &keys));
            found.unwrap_or_default()
        });
        let mut turns = of.turns.iter();
        let texts = of.turns.iter().filter_map(|turn| checked.texts_of.get(turn));
        Some(Bags {
            bags,
            is_in_conflict: turns.any(|turn| checked.in_conflict.contains(turn)),
            texts: texts.flatten().map(String::as_str).collect(),
        })
    };
    let elements = checked.elements.iter();
    let failing = elements.filter(|of| bags_of(of).is_some_and(|bags| !bags.are_right()));
    failing.collect()
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

impl Bags<'_> {
    /// True if there are as many of each leaf as there should be, and as many under the same keys. Where there is a value
    /// that no copy has, such as two texts in one, others may be missing.
    fn are_right(&self) -> bool {
        let paths: BTreeSet<&String> = self.bags.iter().flat_map(Bag::keys).collect();
        paths.into_iter().all(|path| {
            let leaves = self.bags.each_ref().map(|bag| bag.get(path));
            let values = leaves.iter().flatten().flat_map(|of| of.keys());
            let values: BTreeSet<&String> = values.collect();
            let counts = |value: &String| {
                leaves.map(|of| of.and_then(|of| of.get(value)).copied().unwrap_or(0))
            };
            let all = leaves.map(|of| of.map_or(0, |of| of.values().sum()));
            let is_new = |value: &&String| counts(value)[..3] == [0; 3];
            let is_made = values.iter().any(is_new);
            let is_right = |value: &String| {
                self.is_moved(value)
                    || is_made && is_made_of(value)
                    || self.is_right(value, counts(value))
            };
            (self.is_in_conflict || self.is_right("", all)) && values.into_iter().all(is_right)
        })
    }

    /// True if a leaf may be an edge, the words or a label of a segment of another text.
    fn is_moved(&self, value: &str) -> bool {
        let words = value.trim_matches('"');
        let mut texts = self.texts.iter();
        texts.any(|text| is_number(value) || text.contains(words))
    }

    /// True if a leaf is there as often as the sides have made it, given how often it is in the copies.
    fn is_right(&self, value: &str, [was, own, new, is]: [i64; 4]) -> bool {
        let (mine, others) = (own - was, new - was);
        if self.is_in_conflict {
            return is >= own.min(own + others);
        }
        // Both have made the same change, or two.
        let two = (was + mine + others).max(0);
        let one = match (mine.signum(), others.signum()) {
            (1, 1) => was + mine.max(others),
            (-1, -1) => was + mine.min(others),
            _ => two,
        };
        // A side may have removed one and added another that is equal: edges of segments often are.
        let most = if is_number(value) { own.max(new) } else { 0 };
        (one.min(two)..=most.max(one).max(two)).contains(&is)
    }
}

/// True if a leaf is JSON in a text, of which another may be made.
fn is_made_of(leaf: &str) -> bool {
    leaf.starts_with("\"{") || leaf.starts_with("\"[")
}

fn is_number(leaf: &str) -> bool {
    leaf.parse::<i64>().is_ok()
}
