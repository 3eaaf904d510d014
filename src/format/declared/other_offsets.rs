//! Tries other units and ends for the spans of a description whose quotes are not the texts of their spans.

use super::description::{Description, Ends, Unit};
use super::read::read;
use super::shape::Shape;
use crate::dialog::Dialog;
use crate::format::Format;
use crate::json::Parser;

/// The number of segments with a quote, and of those whose quote is the text of their span.
pub fn fitting_quotes(dialog: &Dialog) -> (usize, usize) {
    let (mut quotes, mut fitting) = (0, 0);
    for turn in &dialog.turns {
        let spans = turn.spans(dialog.units);
        for segment in turn.segments.iter().filter(|s| s.quote.is_some()) {
            let fits = segment.span.is_some() && !spans.is_misquoted(segment);
            quotes += 1;
            fitting += usize::from(fits);
        }
    }
    (quotes, fitting)
}

/// Another unit or other ends for the spans of a description, and how many quotes they fit.
pub struct OtherOffsets {
    description: &'static Description,
    shape: &'static Shape,
    /// The keys to change, as TOML.
    keys: Vec<String>,
    /// The quotes that are the text of their span.
    pub fitting: usize,
}

impl OtherOffsets {
    /// All other units and ends of the same kind, tokens or characters. They last for the rest of the run, as
    /// descriptions do.
    pub fn of(format: &'static dyn Format) -> Vec<Self> {
        let Some(declared) = format.declared() else {
            return Vec::new();
        };
        let own = declared.description();
        let is_tokens = |unit: Unit| matches!(unit, Unit::Tokens | Unit::Words);
        let mut all = Vec::new();
        for unit in [
            Unit::CodePoints,
            Unit::Utf16,
            Unit::Bytes,
            Unit::Tokens,
            Unit::Words,
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
                    let description = Box::leak(Box::new(other));
                    all.push(Self {
                        shape: Box::leak(Box::new(Shape::of(description))),
                        description,
                        keys,
                        fitting: 0,
                    });
                }
            }
        }
        all
    }

    /// The keys to change, as TOML in one line.
    pub fn shown(&self) -> String {
        self.keys.join(", ")
    }

    /// The ones that fit the most quotes; of several, those with the fewest changes.
    pub fn best(all: &[Self]) -> Option<&Self> {
        all.iter()
            .max_by_key(|other| (other.fitting, std::cmp::Reverse(other.keys.len())))
    }

    /// Counts the quotes of a dialog that these offsets fit.
    pub fn add(&mut self, text: &str) {
        let mut parser = Parser::new();
        if let Ok(tree) = parser.parse_piece_str(text) {
            let (dialog, _) = read(self.description, self.shape, tree);
            self.fitting += fitting_quotes(&dialog).1;
        }
    }
}
