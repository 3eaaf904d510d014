//! The reasons why edits are refused.

use std::fmt;

use super::edit::Edit;
use super::model::Span;
use crate::text::counted;

/// The reason why an edit was refused. Nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    #[error("the dialog has {}; there is no turn {turn}", counted(count, "turn"))]
    NoTurn { turn: usize, count: usize },
    #[error("the edit was made when {what} was `{was}`, but it is now `{is}`")]
    MadeOnOther {
        /// The turn or the field.
        what: String,
        was: String,
        is: String,
    },
    #[error("turn {turn} has {}; there is no segment {segment}", counted(count, "segment"))]
    NoSegment { turn: usize, segment: usize, count: usize },
    #[error("{start}..{end} is empty or ends before it starts")]
    EmptySpan { start: u32, end: u32 },
    #[error("{start}..{end} extends past the turn, which has {length} {units}")]
    OutOfRange { start: u32, end: u32, length: usize, units: &'static str },
    #[error("{0}; add {how}", how = .0.how())]
    CutsSegments(LostSegments),
    #[error("a label cannot be empty")]
    EmptyLabel,
    #[error("a token cannot be empty")]
    EmptyToken,
    #[error("an annotator needs an id")]
    NoAnnotator,
    #[error("turn {turn} is a user turn; only system turns are judged")]
    UserTurn { turn: usize },
    #[error("{annotator:?} has no vote on turn {turn}")]
    NoVote { turn: usize, annotator: String },
    #[error("turn {turn} has no gold label")]
    NoGold { turn: usize },
    #[error("{annotator:?} has {count} votes on turn {turn}; it is unclear which one is meant")]
    SeveralVotes { turn: usize, annotator: String, count: usize },
    #[error("turn {turn} has {}; there is no call {call}", counted(count, "API call"))]
    NoCall { turn: usize, call: usize, count: usize },
    #[error("turn {turn} has {}; there is no act {act}", counted(count, "act"))]
    NoAct { turn: usize, act: usize, count: usize },
    #[error("the state of turn {turn} has no slot {slot:?}")]
    NoSlot { turn: usize, slot: String },
    #[error("there is no {name:?} in the {part}")]
    NoValue { part: &'static str, name: String },
    #[error("{name:?} is already in the {part}")]
    ValueExists { part: &'static str, name: String },
    #[error("there are {count} values called {name:?}; it is unclear which one is meant")]
    SeveralValues { name: String, count: usize },
    #[error("{name:?} is a list or an object, not one value")]
    SeveralIn { name: String },
    #[error("the name of an {what} cannot be empty")]
    EmptyName { what: &'static str },
    #[error("an act has at most one slot in {family}")]
    OneSlot { family: &'static str },
    #[error("{family} has no {what}")]
    NotInFamily { family: &'static str, what: &'static str },
    #[error("a segment has exactly one label in {family}")]
    OneLabel { family: &'static str },
    #[error("{what} cannot be edited: {reason}")]
    NotEditable { what: &'static str, reason: String },
    #[error("the turn cannot be removed: {0}")]
    TurnStays(String),
    #[error("no turn can be added there: {0}")]
    NoPlaceForTurn(String),
    /// Nothing was written for a part that an edit changes.
    #[error("{part} cannot be edited like this: {why}")]
    NoPlace { part: String, why: String },
    #[error("the edit would also change {0}")]
    ChangesMore(String),
    #[error("turnwise would not read the changed text as intended: {0}")]
    ReadsBackDifferently(String),
    #[error("the edit would make the dialog invalid: {0}")]
    BreaksForm(String),
}

impl EditError {
    /// Returns the refusal of an edit of whole turns.
    pub fn of_turns(edit: &Edit, reason: String) -> Self {
        match edit {
            Edit::AddTurn { .. } => Self::NoPlaceForTurn(reason),
            _ => Self::TurnStays(reason),
        }
    }

    /// Returns the refusal of an edit of whole turns because the log of this name has votes on them.
    pub fn turns_are_voted_on(edit: &Edit, log: &str) -> Self {
        let reason = format!(
            "{log} has votes on turns of this dialog; withdraw the votes or move the file away first"
        );
        Self::of_turns(edit, reason)
    }

    /// Returns the refusal of an edit of whole turns because the file of this name has gold labels of them.
    pub fn turns_have_gold(edit: &Edit, labels: &str) -> Self {
        let reason = format!(
            "{labels} lists gold labels of this or later turns by turn number; remove those labels first"
        );
        Self::of_turns(edit, reason)
    }

    /// True if the dialog itself is the reason, so that it would refuse every other edit too.
    pub fn is_for_all_edits(&self) -> bool {
        matches!(self, Self::NotEditable { what, .. } if *what == "the dialog")
    }
}

/// Segments, by position, that have no place in a new text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LostSegments {
    pub cut: Vec<usize>,
    /// Segments without readable offsets, for which no new place can be computed.
    pub unplaced: Vec<usize>,
    /// The spans in the new text of cut segments of which something is left.
    pub left: Vec<(usize, Span)>,
}

impl LostSegments {
    /// Returns all of them, in order.
    pub fn all(&self) -> Vec<usize> {
        let mut all = [self.cut.as_slice(), &self.unplaced].concat();
        all.sort_unstable();
        all
    }

    /// Returns the fields with which the record of the edit would be accepted.
    fn how(&self) -> String {
        let them = match self.all().len() {
            1 => "it",
            _ => "them",
        };
        let left: Vec<_> = self.left.iter().map(|(segment, _)| *segment).collect();
        let remove = format!("\"drop\": true to remove {them}");
        match left.len() {
            0 => remove,
            _ => format!(
                "\"shrink\": true to keep what is left of segment {}, or {remove}",
                list(&left)
            ),
        }
    }
}

fn list(segments: &[usize]) -> String {
    let numbers: Vec<_> = segments.iter().map(usize::to_string).collect();
    numbers.join(", ")
}

impl fmt::Display for LostSegments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.cut.is_empty() {
            write!(f, "the new text cuts segment {}", list(&self.cut))?;
        }
        if !self.cut.is_empty() && !self.unplaced.is_empty() {
            f.write_str(", and ")?;
        }
        if !self.unplaced.is_empty() {
            let unplaced = list(&self.unplaced);
            write!(f, "the offsets of segment {unplaced} cannot be read")?;
        }
        Ok(())
    }
}
