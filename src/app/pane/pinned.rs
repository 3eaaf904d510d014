//! A second dialog on the screen, to compare with the one that has the focus. It is read-only: all commands
//! are about the other one, until the two change places.

use crate::app::pane::transcript::Transcript;
use crate::compare::Side;
use crate::text::Direction;
use crate::workspace::DialogId;

/// The place that the pinned dialog has followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Followed {
    at: Option<DialogId>,
    turn: usize,
    /// The row on which the turn begins.
    row: usize,
}

/// The content of the pinned dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinnedContent {
    /// A dialog that the user pinned.
    Dialog,
    /// The other side of the open dialog, this one, which is a pair that is asked about.
    OtherSide(DialogId),
    /// The open dialog, as a side of the conflict with this number in the list has it.
    OfConflict { number: usize, side: Side },
}

/// The pinned dialog.
pub struct Pinned {
    pub transcript: Transcript,
    /// On the left, or at the top.
    pub first: bool,
    /// It moves along by turns, at the same distance.
    pub together: bool,
    pub content: PinnedContent,
    /// Its text, its votes or its problems may have changed since it was read.
    pub stale: bool,
    /// The number of turns that it is ahead of the other dialog; None if that counts from where the two are next.
    ahead: Option<isize>,
    followed: Option<Followed>,
}

impl Pinned {
    /// Pins a dialog beside another.
    pub fn new(mut transcript: Transcript, first: bool) -> Self {
        transcript.set_caret(None);
        Self {
            transcript,
            first,
            together: true,
            content: PinnedContent::Dialog,
            stale: false,
            ahead: Some(0),
            followed: None,
        }
    }

    /// True if the user has pinned it.
    pub fn is_dialog(&self) -> bool {
        self.content == PinnedContent::Dialog
    }

    /// True if it is the open dialog as a side of a conflict has it.
    pub fn is_of_conflict(&self) -> bool {
        matches!(self.content, PinnedContent::OfConflict { .. })
    }

    /// True if it is the other side of the open dialog.
    pub fn is_side(&self) -> bool {
        matches!(self.content, PinnedContent::OtherSide(_))
    }

    /// Changes places with the other dialog.
    pub fn swap(&mut self, other: &mut Transcript) {
        other.set_caret(None);
        std::mem::swap(&mut self.transcript, other);
        (self.first, self.ahead) = (!self.first, None);
    }

    /// Lets the two dialogs move together from where they are now, or apart.
    pub fn toggle_together(&mut self) {
        (self.together, self.ahead) = (!self.together, None);
    }

    /// Scrolls it alone; the two move on together from there.
    pub fn scroll(&mut self, by: isize, other: &Transcript) {
        self.transcript.scroll(by);
        self.keep_distance(other);
    }

    /// Scrolls it as far as the other dialog, which is not laid out yet.
    pub fn scroll_along(&mut self, by: isize) {
        self.transcript.scroll(by);
        self.ahead = None;
    }

    /// Scrolls within its turn, as the other dialog does.
    pub fn scroll_along_within(&mut self, direction: Direction) -> bool {
        self.ahead = None;
        self.transcript.scroll_within(direction)
    }

    /// Goes to a turn, or to the last one; the other dialog, which may be shorter, has done so.
    pub fn go_along(&mut self, turn: usize, other: &Transcript) {
        self.transcript.go(turn);
        self.keep_distance(other);
    }

    fn keep_distance(&mut self, other: &Transcript) {
        let ahead = self.transcript.turn as isize - other.turn as isize;
        // A side of a pair that is shorter waits at its end.
        self.ahead = Some(if self.is_side() { ahead.max(0) } else { ahead });
    }

    /// Goes as many turns on or back as the other dialog, which is laid out; the two turns begin on the same
    /// row, where that is possible.
    pub fn follow(&mut self, other: &Transcript) {
        let now = Followed { at: other.at, turn: other.turn, row: other.rows_of_turn().start };
        let before = self.followed.replace(now);
        let Some(mut ahead) = self.ahead else {
            return self.keep_distance(other);
        };
        if !self.together || before == Some(now) {
            return;
        }
        if before.is_some_and(|before| before.at != now.at) {
            // Dialogs that are the same have their turns in common.
            if self.transcript.dialog.id == other.dialog.id {
                ahead = 0;
                self.ahead = Some(ahead);
            } else {
                return self.keep_distance(other);
            }
        }
        let turn = other.turn.saturating_add_signed(ahead);
        self.transcript.go(turn);
        self.transcript.begin_turn_on(now.row);
    }
}
