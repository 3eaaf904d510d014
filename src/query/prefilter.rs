//! Excludes dialogs from a search by their bytes, which is much faster than parsing them.

use regex::bytes::{Regex, RegexBuilder};

use super::expression::Wanted;
use super::value::NamePattern;
use super::{Condition, Pattern, Query};

/// The most bytes of a pattern to search for.
const NEEDLE: usize = 64;

/// A text that occurs in the bytes of every dialog with a hit, and whether its case must be the same.
type Needle = (String, bool);

/// Finds the dialogs that cannot have a hit.
#[derive(Clone, Debug)]
pub struct Prefilter {
    /// Of each of these lists, at least one text must occur in the dialog.
    needles: Vec<Vec<Regex>>,
}

impl Prefilter {
    pub fn new(query: &Query) -> Self {
        let build = |(text, exact): &Needle| {
            let mut builder = RegexBuilder::new(&regex::escape(text));
            // All texts are ASCII.
            builder.unicode(false).case_insensitive(!exact).build().ok()
        };
        let any_of = |needles: Vec<Needle>| needles.iter().map(build).collect::<Option<Vec<_>>>();
        let needles = needed(query).into_iter().filter_map(any_of).collect();
        Self { needles }
    }

    /// As [`Prefilter::new`], for any of the texts that a query searches for.
    pub fn of_texts(query: &Query) -> Self {
        let every = query.every().into_iter();
        let texts = every.filter(|of| matches!(of, Condition::Text(_) | Condition::Regex(_)));
        Self::new(&Query::Any(texts.cloned().map(Query::Is).collect()))
    }

    /// False only if the dialog with these bytes cannot have a hit.
    pub fn may_hit(&self, bytes: &[u8]) -> bool {
        let is_there = |any_of: &Vec<Regex>| any_of.iter().any(|one| one.is_match(bytes));
        self.needles.iter().all(is_there) || has_escaped_ascii(bytes)
    }
}

/// True if a character that texts to search for consist of is written as an escape, which files hardly ever do.
fn has_escaped_ascii(bytes: &[u8]) -> bool {
    let mut escapes = memchr::memmem::find_iter(bytes, b"\\u00");
    escapes.any(|at| matches!(bytes.get(at + 4), Some(b'2'..=b'7')))
}

/// Returns lists of texts; a dialog with a hit contains at least one text of each list.
fn needed(query: &Query) -> Vec<Vec<Needle>> {
    match query {
        Query::Is(condition) => condition.needle().map(|one| vec![one]).into_iter().collect(),
        Query::All(parts) => parts.iter().flat_map(needed).collect(),
        Query::Any(parts) => {
            // One list of each part is enough: a hit of the part contains one of its texts.
            let lists = parts.iter().map(|part| needed(part).into_iter().next());
            let joined = lists.collect::<Option<Vec<_>>>();
            joined.map(|lists| lists.concat()).into_iter().collect()
        }
        Query::Not(_) => Vec::new(),
        Query::InDialog(part) => needed(part),
        Query::Then { first, later, .. } => [needed(first), needed(later)].concat(),
        Query::NotBefore { turn, .. } => needed(turn),
    }
}

impl Condition {
    /// Returns a text in every dialog that meets the condition, if one is known.
    fn needle(&self) -> Option<Needle> {
        match self {
            Self::Text(pattern) => needle_of_text(pattern),
            Self::Has(Wanted { key, name: Some(name), .. }) if key.is_in_bytes => {
                needle_of_name(name)
            }
            // Formats have names of their own for speakers, votes may be in other files, and numbers may be
            // written in many ways.
            _ => None,
        }
    }
}

/// Returns the longest part of a text that a file must write literally, or with `\u00`.
fn needle_of_text(pattern: &Pattern) -> Option<Needle> {
    let plain = |c: char| c.is_ascii_alphanumeric() || " .,:;-_!?".contains(c);
    longest_part(pattern.as_str(), plain, pattern.is_exact())
}

/// Returns the longest word in a name. Formats may join names of several words, and may change their case.
fn needle_of_name(name: &NamePattern) -> Option<Needle> {
    longest_part(name.literal(), |c| c.is_ascii_alphanumeric(), false)
}

fn longest_part(text: &str, plain: impl Fn(char) -> bool, exact: bool) -> Option<Needle> {
    let longest = text.split(|c| !plain(c)).max_by_key(|part| part.len())?;
    // Some characters beyond ASCII have an ASCII letter as lower case: the Kelvin sign's is k.
    let folds = !exact && longest.contains(['k', 'K']);
    if longest.len() < 2 || folds && longest.len() < 3 {
        return None;
    }
    let longest =
        if folds { longest.split(['k', 'K']).max_by_key(|part| part.len())? } else { longest };
    // All of it is ASCII. A longer needle excludes hardly more dialogs and takes long to prepare.
    let longest = &longest[..longest.len().min(NEEDLE)];
    (!longest.is_empty()).then(|| (longest.to_owned(), exact))
}
