//! Turns without rows in the transcript: those that say nothing, and side branches, which are folded to their first turn.
//! The call that started a branch says so.

use crate::app::pane::transcript::{Folding, Transcript};
use crate::dialog::{ApiCall, Branch, EditKind, Extent, Role, Turn};
use crate::text::counted;

impl Transcript {
    /// True if a turn has no rows: it is in a folded branch and not the first one of it, it says nothing, or prompts alone
    /// are shown. The current turn always has some.
    pub fn is_hidden(&self, turn: usize) -> bool {
        turn != self.turn && self.hidden.get(turn) == Some(&true)
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
        self.hide_turns();
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
            self.hide_turns();
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
    pub(super) fn hide_turns(&mut self) {
        self.hidden.clear();
        if self.folds.all == Folding::Nothing {
            return;
        }
        let mut hidden: Vec<usize> = Vec::new();
        for branch in &self.dialog.branches.0 {
            let mut turns = branch.turns.iter().copied();
            if turns.next().is_some_and(|first| !self.folds.shows_branch(first)) {
                hidden.extend(turns);
            }
        }
        let all = self.dialog.turns.iter().enumerate();
        if self.folds.all == Folding::Prompts {
            hidden.extend(all.filter(|(_, turn)| !is_prompt(turn)).map(|(number, _)| number));
        } else if self.has(EditKind::Calls) {
            let calls = self.dialog.turns.iter().flat_map(|turn| &turn.calls);
            let mut answers: Vec<_> = calls.filter_map(ApiCall::response_place).collect();
            answers.sort_unstable_by_key(|place| place.start);
            let silent = all.filter(|(number, turn)| self.is_silent(*number, turn, &answers));
            hidden.extend(silent.map(|(number, _)| number));
        }
        self.hidden.resize(hidden.iter().max().map_or(0, |last| last + 1), false);
        for turn in hidden {
            self.hidden[turn] = true;
        }
    }

    /// True for a turn that shows nothing of its own: the result of a call, which is below that call, or one of a model
    /// with neither words nor calls. `answers` are the places of all results, sorted.
    fn is_silent(&self, number: usize, turn: &Turn, answers: &[Extent]) -> bool {
        let is_empty = turn.text.is_empty()
            && turn.calls.is_empty()
            && turn.segments.is_empty()
            && turn.acts.is_empty()
            && turn.state.is_none()
            && turn.votes.is_empty()
            && turn.detections.is_empty()
            && turn.unread.is_empty();
        let is_answer = || {
            let first = answers.partition_point(|place| place.start < turn.at.start);
            answers.get(first).is_some_and(|place| place.end <= turn.at.end)
        };
        let is_filler = || match turn.speaker.role {
            Role::Context => is_answer(),
            Role::System => self.folds.all == Folding::Calls || turn.reasoning().is_none(),
            _ => false,
        };
        let branch = self.dialog.branches.of_turn(number);
        is_empty
            && is_filler()
            && self.problems_of(Some(number)).is_empty()
            && self.dialog.events.at(number).next().is_none()
            && branch.is_none_or(|branch| branch.turns.first() != Some(&number))
            && !self.dialog.judgements.iter().any(|said| said.place.turn == Some(number))
            && !self.bookmarks.contains(&number)
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
            None => format!("{}, in a dialog of its own", self.about(branch)),
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

/// True for what a user has said.
fn is_prompt(turn: &Turn) -> bool {
    turn.speaker.role == Role::User && !turn.text.is_empty()
}
