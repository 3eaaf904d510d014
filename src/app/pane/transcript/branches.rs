//! Side branches in the transcript: their turns are folded to the first one, and the call that started one says so.

use crate::app::pane::transcript::{Folding, Transcript};
use crate::dialog::Branch;
use crate::format::BEFORE_BRANCH;
use crate::text::counted;

/// The effect of the key that opens a side branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BranchAction {
    /// Shows all turns of a branch in this dialog, or the first one alone.
    Fold(usize),
    /// Goes to the first turn of a branch.
    GoTo(usize),
    /// Goes to the dialog with this id.
    Open(String),
}

impl Transcript {
    /// Returns what can be done about a side branch at the current turn.
    pub fn branch_action(&self) -> Option<BranchAction> {
        let branches = &self.dialog.branches;
        if let Some(branch) = branches.from_turn(self.turn) {
            return Some(match branch.turns.first() {
                Some(first) => BranchAction::GoTo(*first),
                None => {
                    BranchAction::Open(format!("{}{BEFORE_BRANCH}{}", self.dialog.id, branch.id))
                }
            });
        }
        let branch = branches.of_turn(self.turn)?;
        branch.turns.first().copied().map(BranchAction::Fold)
    }

    /// True if a turn is in a folded branch and not the first one of it.
    pub fn is_hidden(&self, turn: usize) -> bool {
        self.hidden.get(turn) == Some(&true)
    }

    /// Returns the nearest turn from `turn` on, forward or back, that is not hidden; `turn` itself if there is none.
    pub fn shown_from(&self, turn: usize, is_forward: bool) -> usize {
        let hidden = |at: &usize| !self.is_hidden(*at);
        let found = if is_forward {
            (turn..self.len()).find(hidden)
        } else {
            (0..=turn.min(self.len().saturating_sub(1))).rev().find(hidden)
        };
        found.unwrap_or(turn)
    }

    /// Folds the branch that begins with turn `first`, or shows all of it.
    pub fn toggle_branch(&mut self, first: usize) {
        let is_open = self.folds.toggle_branch(first);
        if !is_open {
            self.go(first);
        }
        self.hide_branches();
        self.forget();
    }

    /// Unfolds the branch of a hidden turn.
    pub(super) fn show_branch_of(&mut self, turn: usize) {
        let branch = self.dialog.branches.of_turn(turn);
        if let Some(first) = branch.and_then(|branch| branch.turns.first().copied()) {
            self.unfold_branch(first);
        }
    }

    /// Shows all of the branch that begins with turn `first`.
    pub fn unfold_branch(&mut self, first: usize) {
        if !self.folds.shows_branch(first) {
            self.folds.toggle_branch(first);
            self.hide_branches();
            self.forget();
        }
    }

    /// Returns the turn that is so many turns before or after `here`, or the first or last one, of those that are not
    /// hidden.
    pub fn turns_away(&self, here: usize, by: usize, is_forward: bool) -> usize {
        if self.hidden.is_empty() {
            return if is_forward { here.saturating_add(by) } else { here.saturating_sub(by) };
        }
        let shown = |turn: &usize| !self.is_hidden(*turn);
        let found = if is_forward {
            (here + 1..self.len()).filter(shown).take(by).last()
        } else {
            (0..here).rev().filter(shown).take(by).last()
        };
        found.unwrap_or(here)
    }

    /// Finds the turns that are hidden.
    pub(super) fn hide_branches(&mut self) {
        self.hidden.clear();
        if self.folds.all == Folding::Nothing {
            return;
        }
        for branch in &self.dialog.branches.0 {
            let mut turns = branch.turns.iter().copied();
            if turns.next().is_none_or(|first| self.folds.shows_branch(first)) {
                continue;
            }
            for turn in turns {
                if self.hidden.len() <= turn {
                    self.hidden.resize(turn + 1, false);
                }
                self.hidden[turn] = true;
            }
        }
    }

    /// Returns the line about the branch that begins with a turn.
    pub(super) fn head_of_branch(&self, turn: usize) -> Option<String> {
        let branch = self.dialog.branches.of_turn(turn)?;
        let is_first = branch.turns.first() == Some(&turn);
        let is_folded = branch.turns.get(1).is_some_and(|next| self.is_hidden(*next));
        let folded = if is_folded { ", folded" } else { "" };
        is_first.then(|| format!("{}{folded}", self.about(branch)))
    }

    /// Returns the line about the branch that a call started.
    pub(super) fn branch_of_call(&self, turn: usize, call: usize) -> Option<String> {
        let branch = self.dialog.branches.of_call(turn, call)?;
        Some(match branch.turns.first() {
            Some(first) => format!("{}, from turn {first}", self.about(branch)),
            None => format!("{}, a dialog of its own", self.about(branch)),
        })
    }

    fn about(&self, branch: &Branch) -> String {
        let turns = match branch.turns.len() {
            0 => String::new(),
            count => format!(": {}", counted(count, "turn")),
        };
        let calls = branch.turns.iter().map(|turn| self.dialog.turns[*turn].calls.len());
        let calls = match calls.sum() {
            0 => String::new(),
            count => format!(", {}", counted(count, "call")),
        };
        format!("{}{turns}{calls}", branch.title())
    }
}
