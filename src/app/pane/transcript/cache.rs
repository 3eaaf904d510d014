//! The laid-out rows of a dialog: those on the screen, and those that were.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::app::pane::transcript::turn_text::{RowMarks, RowPart, TurnHits, TurnText};
use crate::app::pane::{Line, scrolling};

/// The position of a line in a dialog.
pub type RowPosition = scrolling::LinePosition<RowPart>;

/// A line on the screen.
#[derive(Clone, Debug)]
pub struct ScreenRow {
    pub place: RowPosition,
    pub line: Line,
}

impl ScreenRow {
    /// Returns the turn it belongs to.
    pub fn turn(&self) -> usize {
        self.place.block.turn
    }

    pub fn line(&self) -> &Line {
        &self.line
    }
}

/// The bytes of the caret, the current match and the selected segment in the text of the current turn.
pub type Follow = [Option<Range<usize>>; 3];

/// The lines of a turn below its text.
#[derive(Debug, Default)]
pub struct BelowText {
    pub lines: Vec<Line>,
    /// The first line of the current match, if that is in a call.
    pub hit: Option<usize>,
}

/// The cached layout of turns that were on the screen.
#[derive(Clone, Debug, Default)]
pub struct LayoutCache {
    /// The texts, by turn and whether long ones are folded.
    pub texts: HashMap<(usize, bool), Arc<TurnText>>,
    pub hits: HashMap<usize, Arc<TurnHits>>,
    pub marks: HashMap<RowPart, Arc<RowMarks>>,
    /// The lines below the text, by turn and whether they include those that only the current turn shows.
    pub below: HashMap<(usize, bool), Arc<BelowText>>,
}

impl LayoutCache {
    /// Drops the cached matches after the search changed, or goes to another match.
    pub fn forget_hits(&mut self) {
        self.hits.clear();
        self.below.clear();
    }
}
