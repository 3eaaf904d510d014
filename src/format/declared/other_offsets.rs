//! Tries other units and ends for the spans of a description whose quotes are not the texts of their spans.
//!
//! Quotes that need not be the text of their span count, too, without regard to case and white space: most of
//! them still are the text.

use super::description::{Description, Ends, Quoted, Unit};
use super::read::read;
use super::shape::Shape;
use crate::dialog::{Dialog, Segment, Turn};
use crate::format::Family;
use crate::json::Parser;

/// True if the spans of a format count one of several units, which differ from file to file.
pub fn has_several_units(format: &'static Family) -> bool {
    format.description().span.0.iter().any(|rule| rule.units.0.len() > 1)
}

/// The most dialogs with quotes that decide on the unit of spans, and the most dialogs among which to find them.
const QUOTING: usize = 16;
const SEARCHED: usize = 512;

/// Returns the format of those that differ only in the units of spans which fits the most quotes in the first
/// dialogs that have any; the one with the first units of the description if none fits more.
pub fn fitting_unit(
    format: &'static Family,
    texts: impl Iterator<Item = String>,
) -> &'static Family {
    let units = [format].into_iter().chain(format.other_units().iter().copied());
    let mut units: Vec<_> = units.map(|format| (format, OtherOffsets::own(format))).collect();
    units.sort_by_key(|(format, _)| !has_first_units(format));
    let mut deciding = 0;
    for text in texts.take(SEARCHED) {
        let before = units[0].1.quotes;
        for (_, offsets) in &mut units {
            offsets.add(&text);
        }
        deciding += usize::from(units[0].1.quotes > before);
        if deciding == QUOTING {
            break;
        }
    }
    // Of several that fit as many, the last one counts.
    let best = units.iter().rev().max_by_key(|(_, offsets)| offsets.fitting);
    best.map_or(format, |(format, _)| *format)
}

/// True if the spans of a format count the first of the units that its description names.
fn has_first_units(format: &'static Family) -> bool {
    let mut rules = format.description().span.0.iter();
    rules.all(|rule| rule.units.0.first().is_none_or(|first| *first == rule.unit))
}

/// Returns the number of segments with a quote, and of those whose quote is the text of their span.
pub fn fitting_quotes(dialog: &Dialog) -> (usize, usize) {
    let (mut quotes, mut fitting) = (0, 0);
    for turn in &dialog.turns {
        let spans = turn.spans(dialog.units);
        for segment in turn.segments.iter().filter(|s| s.exact_quote().is_some()) {
            let fits = segment.span.is_some() && !spans.is_misquoted(segment);
            quotes += 1;
            fitting += usize::from(fits);
        }
    }
    (quotes, fitting)
}

/// Returns the number of quotes in a dialog that are the text of their span but for case and white space.
fn nearly_fitting_quotes(dialog: &Dialog) -> usize {
    let bare = |text: &str| -> String {
        let chars = text.chars().filter(|c| !c.is_whitespace());
        chars.flat_map(char::to_lowercase).collect()
    };
    let of_turn = |turn: &Turn| {
        let spans = turn.spans(dialog.units);
        let fits = |segment: &&Segment| {
            let covered = segment.span.and_then(|span| spans.covered(span));
            let pair = covered.zip(segment.exact_quote());
            pair.is_some_and(|(covered, quote)| bare(&covered) == bare(quote))
        };
        turn.segments.iter().filter(fits).count()
    };
    dialog.turns.iter().map(of_turn).sum()
}

/// A description by which all quotes are read, also those that need not be the text.
pub struct QuotedDescription {
    description: Description,
    shape: Shape,
    /// True if the quotes of all spans are their text.
    is_exact: bool,
}

impl QuotedDescription {
    pub fn of(mut description: Description) -> Self {
        let mut is_exact = true;
        for rule in &mut description.span.0 {
            is_exact &= rule.quoted == Quoted::Exact;
            rule.quoted = Quoted::Exact;
        }
        Self { shape: Shape::of(&description), description, is_exact }
    }
}

/// A unit and ends for the spans of a description, and how many quotes they fit.
pub struct OtherOffsets {
    quoted: &'static QuotedDescription,
    /// The keys to change, as TOML.
    keys: Vec<String>,
    /// The segments with a quote.
    pub quotes: usize,
    /// The quotes that are the text of their span.
    pub fitting: usize,
}

impl OtherOffsets {
    /// Returns the unit and the ends of a format itself.
    pub fn own(format: &'static Family) -> Self {
        Self::with(format.with_quotes(), Vec::new())
    }

    fn with(quoted: &'static QuotedDescription, keys: Vec<String>) -> Self {
        Self { quoted, keys, quotes: 0, fitting: 0 }
    }

    /// True if the quotes of all spans are their text.
    pub fn is_exact(&self) -> bool {
        self.quoted.is_exact
    }

    /// Returns all other units and ends of the same kind, tokens or characters. They last for the rest of the run, as
    /// descriptions do.
    pub fn of(format: &'static Family) -> Vec<Self> {
        let own = format.description();
        let is_tokens = |unit: Unit| unit.splitting().is_some();
        let mut all = Vec::new();
        for unit in [
            Unit::CodePoints,
            Unit::Utf16,
            Unit::Bytes,
            Unit::Tokens,
            Unit::Words,
            Unit::WordsAndPunctuation,
        ] {
            for ends in [Ends::Exclusive, Ends::Inclusive, Ends::Length] {
                let mut other = own.clone();
                let mut keys = Vec::new();
                for rule in &mut other.span.0 {
                    if is_tokens(rule.unit) != is_tokens(unit) {
                        continue;
                    }
                    if rule.unit != unit {
                        keys.push(format!("unit = \"{}\"", unit.name()));
                    }
                    if rule.ends != ends {
                        keys.push(format!("ends = \"{}\"", ends.name()));
                    }
                    (rule.unit, rule.ends) = (unit, ends);
                }
                keys.dedup();
                if !keys.is_empty() {
                    let quoted = Box::leak(Box::new(QuotedDescription::of(other)));
                    all.push(Self::with(quoted, keys));
                }
            }
        }
        all
    }

    /// Returns the keys to change, as TOML in one line.
    pub fn shown(&self) -> String {
        self.keys.join(", ")
    }

    /// Returns the ones that fit the most quotes; of several, those with the fewest changes.
    pub fn best(all: &[Self]) -> Option<&Self> {
        all.iter().max_by_key(|other| (other.fitting, std::cmp::Reverse(other.keys.len())))
    }

    /// Counts the quotes of a dialog that these offsets fit.
    pub fn add(&mut self, text: &str) {
        let mut parser = Parser::new();
        if let Ok(tree) = parser.parse_piece_str(text) {
            let (dialog, _) = read(&self.quoted.description, &self.quoted.shape, tree);
            let (quotes, fitting) = fitting_quotes(&dialog);
            self.quotes += quotes;
            self.fitting += if self.is_exact() { fitting } else { nearly_fitting_quotes(&dialog) };
        }
    }
}
