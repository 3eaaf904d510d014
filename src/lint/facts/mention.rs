//! A segment as rules see it: with its turn, the text it covers, and its location.

use std::ops::Range;
use std::rc::Rc;

use crate::dialog::{Extent, Places, Segment, Span};
use crate::text::CodePoints;

/// The place of a problem in a dialog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Position of the turn; None if the problem concerns the whole dialog.
    pub turn: Option<usize>,
    /// Position of the segment in the turn, if the problem concerns one.
    pub segment: Option<usize>,
    /// Byte range in the text of the dialog. Extents always compare as equal, see [`Extent`].
    pub at: Extent,
}

/// A segment with the text it covers.
#[derive(Clone, Debug)]
pub struct Mention<'a> {
    pub turn: usize,
    pub segment: usize,
    pub of: &'a Segment,
    /// The text of the turn.
    pub said: &'a str,
    /// Converts between code points and bytes of the turn.
    pub points: Rc<CodePoints<'a>>,
    /// The tokens of the turn, if spans count tokens.
    pub tokens: Option<Rc<Places>>,
    /// The byte range that it covers in the turn; None if it is empty or lies outside the text.
    pub bytes: Option<Range<usize>>,
    /// True if it covers more than whitespace, and exactly the text it quotes, if any.
    pub is_valid: bool,
}

impl<'a> Mention<'a> {
    /// Returns the text that it covers; empty if `bytes` is None.
    pub fn text(&self) -> &'a str {
        self.bytes.clone().and_then(|bytes| self.said.get(bytes)).unwrap_or_default()
    }

    pub fn location(&self) -> Location {
        Location { turn: Some(self.turn), segment: Some(self.segment), at: self.of.at }
    }

    /// Returns a range of bytes of the turn's text in the units of the dialog; None if it cuts a token.
    pub fn span_of(&self, range: &Range<usize>) -> Option<Span> {
        match &self.tokens {
            Some(tokens) => tokens.span_of(range),
            None => {
                let unit = |at: usize| self.points.before(at) as u32;
                Some(Span { start: unit(range.start), end: unit(range.end) })
            }
        }
    }

    /// Returns the first label; empty if there is none.
    pub fn label(&self) -> &'a str {
        self.of.labels.first().map_or("", |label| &label.name)
    }
}
