//! What is done about a dialog while nothing else is to be done: what will be seen first of it is laid out
//! before anybody asks for it, and what was seen of another one is let go of.

use std::collections::HashMap;
use std::sync::Arc;

use super::block::{Look, Standing};
use super::{Judge, Marks, Shown, Transcript};
use crate::app::Found;
use crate::app::line::Line;
use crate::dialog::{Dialog, Turn};
use crate::query::{Hit, Query};
use crate::text::{Row, Units};

/// Turns as they are laid out.
#[derive(Debug, Default)]
pub(super) struct Laid {
    /// Where the texts of turns are broken into rows.
    pub wrapped: HashMap<usize, Arc<Vec<Row>>>,
    /// Turns as they are when they are not current.
    pub blocks: HashMap<usize, Arc<Vec<Line>>>,
    /// The current turn, and how it is laid out.
    pub current: Option<(Look, Arc<Vec<Line>>)>,
    /// Turns that may be the current one next, as they would be laid out.
    pub next: Vec<(usize, Look, Arc<Vec<Line>>)>,
}

/// Bytes of the longest text that is laid out before it is asked for. A longer one would hold up the next
/// key.
const SHORT: usize = 16 << 10;

/// Laid out turns above and below the current one that are kept when there is time to let go of others.
const KEPT: usize = 128;

/// Turns of a dialog that is not open yet, and what they are laid out for.
#[derive(Debug)]
pub struct LaidOut {
    columns: usize,
    marks: Marks,
    folded: bool,
    judge: Judge,
    hits: Vec<Hit>,
    laid: Laid,
}

/// What was shown of a dialog. To let go of so many small things takes as long as to paint others.
pub(super) struct Gone {
    _dialog: Dialog,
    _found: Found,
    _page: Vec<Shown>,
    _laid: Laid,
}

impl Transcript {
    /// Takes all that is shown away.
    pub(super) fn take_all(&mut self) -> Gone {
        Gone {
            _dialog: std::mem::replace(&mut self.dialog, Dialog::new(Units::CodePoints)),
            _found: Found {
                problems: std::mem::take(&mut self.problems),
                ignored: std::mem::take(&mut self.ignored),
            },
            _page: std::mem::take(&mut self.page),
            _laid: std::mem::take(&mut self.laid),
        }
    }

    /// Lets go of what was shown before.
    pub fn let_gone_go(&mut self) {
        self.gone = None;
    }

    /// Lays out what is seen if the reader goes on in this dialog: a page more, and as the current ones the
    /// next turn and the one that is current a page below. What is done already is not done again.
    pub fn lay_out_next(&mut self) {
        if self.laid.blocks.len() > 4 * KEPT {
            let near = self.turn.saturating_sub(KEPT)..=self.turn + KEPT;
            self.laid.blocks.retain(|turn, _| near.contains(turn));
            self.laid.wrapped.retain(|turn, _| near.contains(turn));
        }
        let (next, rows) = (self.turn + 1, self.room.1);
        let is_short = |turn: &Turn| turn.text.len() <= SHORT;
        if self.held || self.caret.is_some() || !self.dialog.turns.get(next).is_some_and(is_short) {
            return;
        }
        let mut left = rows;
        let mut turn = self.page.last().map_or(next, |shown| shown.turn + 1);
        while left > 0 && self.dialog.turns.get(turn).is_some_and(is_short) {
            left = left.saturating_sub(self.block(turn).len());
            turn += 1;
        }
        // What is looked at on the way there: each turn has a row.
        let mut way = self.dialog.turns[self.top.turn..].iter().take(3 * rows);
        let page = rows.saturating_sub(2).max(1) as isize;
        let below = if way.all(is_short) {
            self.scrolled(page).1
        } else {
            next
        };
        self.laid
            .next
            .retain(|(turn, ..)| [next, below].contains(turn));
        for turn in [next, below] {
            if turn != self.turn && !self.laid.next.iter().any(|(of, ..)| *of == turn) {
                let look = self.look(Standing::Current, None);
                let lines = self.laid_out(turn, &look);
                self.laid.next.push((turn, look, lines));
            }
        }
    }

    /// Lays out what would be seen of a dialog if it was opened now. It comes back as it was.
    pub fn lay_out_ahead(
        &self,
        (dialog, found): (Dialog, Found),
        query: Option<&Query>,
    ) -> (Dialog, Found, LaidOut) {
        let mut next = Self {
            marks: self.marks,
            folded: self.folded,
            judge: self.judge.clone(),
            ..Self::default()
        };
        next.show((dialog, found), query);
        let (columns, rows) = self.room;
        next.lay_out(columns, rows);
        let found = Found {
            problems: next.problems,
            ignored: next.ignored,
        };
        let laid_out = LaidOut {
            columns,
            marks: next.marks,
            folded: next.folded,
            judge: next.judge,
            hits: next.hits,
            laid: next.laid,
        };
        (next.dialog, found, laid_out)
    }

    /// Takes over what was laid out of the dialog that was just opened, where it would be laid out the
    /// same.
    pub fn take_laid_out(&mut self, ahead: LaidOut) {
        let same = (ahead.columns, ahead.marks, ahead.folded)
            == (self.room.0, self.marks, self.folded)
            && ahead.judge == self.judge
            && ahead.hits == self.hits;
        if same {
            self.laid = ahead.laid;
        }
    }
}
