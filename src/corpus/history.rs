//! The edit history of a file: a tree of revisions.
//!
//! Undoing and then making another edit starts a branch; no revision is lost. A file is modified if the
//! current revision is not the saved one.
//!
//! # Why
//! The shape is that of helix's undo tree. Each revision keeps its patch and the inverse, both
//! against the text of one dialog, so that undoing needs neither the file nor its format.

use std::collections::{HashMap, HashSet};

use crate::dialog::{Edit, EditContext};
use crate::json::Patch;

/// An edit in the history.
#[derive(Clone, Debug)]
pub struct Revision {
    /// The revision that it changed; None for the text as opened.
    pub parent: Option<usize>,
    /// Position of the dialog in its file.
    pub dialog: usize,
    /// The edit itself.
    pub edit: Edit,
    /// The context in which it was made, if known.
    pub on: Option<EditContext>,
    pub patch: Patch,
    pub inverse: Patch,
}

/// The revisions of one file.
#[derive(Clone, Debug, Default)]
pub struct History {
    revisions: Vec<Revision>,
    /// For each revision, the newest of those that follow it; for None, of those that follow the opened
    /// text.
    newest: HashMap<Option<usize>, usize>,
    current: Option<usize>,
    saved: Option<usize>,
}

/// Revisions applied but not saved, and saved but since undone.
#[derive(Debug)]
pub struct UnsavedRevisions<'h> {
    pub made: Vec<&'h Revision>,
    /// Undone since the last save.
    pub undone: Vec<&'h Revision>,
}

/// Removes from both lists the revisions that were undone and then made again identically.
fn without_made_again<'h>(
    made: Vec<&'h Revision>,
    undone: &[&'h Revision],
) -> UnsavedRevisions<'h> {
    let key = |revision: &&'h Revision| (revision.dialog, &revision.edit);
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for (place, revision) in undone.iter().enumerate() {
        places.entry(key(revision)).or_default().push(place);
    }
    // Edits are made again in the same order.
    let (mut from, mut again) = (0, HashSet::new());
    let is_new = |revision: &&'h Revision| {
        let places = places.get(&key(revision)).map_or(&[][..], Vec::as_slice);
        let next = places.get(places.partition_point(|place| *place < from));
        if let Some(place) = next {
            again.insert(*place);
            from = place + 1;
        }
        next.is_none()
    };
    let made = made.into_iter().filter(is_new).collect();
    let undone = undone.iter().enumerate();
    let undone = undone.filter(|(place, _)| !again.contains(place));
    let undone = undone.map(|(_, revision)| *revision).collect();
    UnsavedRevisions { made, undone }
}

impl History {
    /// A history from an earlier run: revisions in a row, of which the first `done` are saved and the others
    /// undone. Sets their parents.
    pub fn restored(mut revisions: Vec<Revision>, done: usize) -> Self {
        for (number, revision) in revisions.iter_mut().enumerate() {
            revision.parent = number.checked_sub(1);
        }
        let current = done.min(revisions.len()).checked_sub(1);
        let newest = revisions.iter().zip(0..);
        Self {
            newest: newest.map(|(r, number)| (r.parent, number)).collect(),
            revisions,
            current,
            saved: current,
        }
    }

    /// Adds a revision on top of the current one, which becomes its parent.
    pub fn commit(&mut self, revision: Revision) {
        let parent = self.current;
        self.newest.insert(parent, self.revisions.len());
        self.revisions.push(Revision { parent, ..revision });
        self.current = Some(self.revisions.len() - 1);
    }

    /// The number of revisions, undone ones included.
    pub fn count(&self) -> usize {
        self.revisions.len()
    }

    /// Forgets the revisions added since there were `len`, which must be undone: an attempt that failed. Redo
    /// then leads where it led before.
    pub fn forget_since(&mut self, len: usize) {
        if self.current.is_some_and(|current| current >= len) {
            return;
        }
        self.revisions.truncate(len);
        self.newest.retain(|_, newest| *newest < len);
        let mut before = self.revisions.iter();
        let before = before.rposition(|revision| revision.parent == self.current);
        if let Some(newest) = before {
            self.newest.insert(self.current, newest);
        }
    }

    /// Goes back one revision and returns the one that is undone.
    pub fn undo(&mut self) -> Option<&Revision> {
        let revision = &self.revisions[self.current?];
        self.current = revision.parent;
        Some(revision)
    }

    /// Goes forward to the newest of the revisions that follow the current one, and returns it.
    pub fn redo(&mut self) -> Option<&Revision> {
        self.current = Some(self.newest()?);
        self.current()
    }

    /// The revision that [`History::redo`] would return.
    pub fn next(&self) -> Option<&Revision> {
        self.revisions.get(self.newest()?)
    }

    fn newest(&self) -> Option<usize> {
        self.newest.get(&self.current).copied()
    }

    /// The last revisions up to the current one, `count` at most, in the order in which they were made.
    pub fn last(&self, count: usize) -> Vec<&Revision> {
        let chain = self.chain(self.current).take(count);
        let mut last: Vec<_> = chain.map(|i| &self.revisions[i]).collect();
        last.reverse();
        last
    }

    /// The revisions that [`History::redo`] would go to one after the other, `count` at most.
    pub fn ahead(&self, count: usize) -> Vec<&Revision> {
        let next = |number: &usize| self.newest.get(&Some(*number)).copied();
        let ahead = std::iter::successors(self.newest(), next).take(count);
        ahead.map(|i| &self.revisions[i]).collect()
    }

    /// The revisions from the text as opened to the current one.
    pub fn applied(&self) -> Vec<&Revision> {
        let chain = self.chain(self.current);
        let mut applied: Vec<_> = chain.map(|i| &self.revisions[i]).collect();
        applied.reverse();
        applied
    }

    /// For each of [`History::applied`], whether it is saved.
    pub fn saved(&self) -> Vec<bool> {
        let mut unsaved = self.unsaved().made.into_iter().peekable();
        let is_saved = |revision: &Revision| {
            let next = unsaved.next_if(|next| std::ptr::eq(*next, revision));
            next.is_none()
        };
        self.applied().into_iter().map(is_saved).collect()
    }

    pub fn is_modified(&self) -> bool {
        self.current != self.saved
    }

    /// The current revision; None for the text as opened.
    pub fn current(&self) -> Option<&Revision> {
        self.revisions.get(self.current?)
    }

    /// The revisions between the saved text and the current one, in the order in which they were made,
    /// without edits that were undone since saving and then made again identically.
    pub fn unsaved(&self) -> UnsavedRevisions<'_> {
        let shared = self.shared();
        let beyond = |from: Option<usize>| {
            let chain = self.chain(from).take_while(|i| Some(*i) != shared);
            let mut beyond: Vec<_> = chain.map(|i| &self.revisions[i]).collect();
            beyond.reverse();
            beyond
        };
        let (made, undone) = (beyond(self.current), beyond(self.saved));
        if made.is_empty() || undone.is_empty() {
            return UnsavedRevisions { made, undone };
        }
        without_made_again(made, &undone)
    }

    /// True if the last edit is saved, or there are no edits.
    pub fn ends_saved(&self) -> bool {
        self.shared() == self.current
    }

    /// The last common ancestor of the current and the saved revision.
    fn shared(&self) -> Option<usize> {
        let (mut one, mut other) = (self.current, self.saved);
        // A revision comes after its ancestors, so the later of the two steps back.
        while one != other {
            let later = if one > other { &mut one } else { &mut other };
            *later = later.and_then(|i| self.revisions[i].parent);
        }
        one
    }

    /// A revision and its ancestors, the newest first.
    fn chain(&self, from: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(from, |i| self.revisions[*i].parent)
    }

    pub fn mark_saved(&mut self) {
        self.saved = self.current;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revision(turn: usize) -> Revision {
        Revision {
            parent: None,
            dialog: 0,
            edit: Edit::RemoveSegment { turn, segment: 0 },
            on: None,
            patch: Patch::default(),
            inverse: Patch::default(),
        }
    }

    #[test]
    fn redo_leads_where_it_led_before_a_failed_attempt() {
        let mut history = History::default();
        for turn in 0..3 {
            history.commit(revision(turn));
        }
        history.undo();
        history.undo();
        let len = history.count();
        history.commit(revision(8));
        history.commit(revision(9));
        history.forget_since(len);
        assert_eq!(history.count(), len + 2, "it is not undone yet");
        history.undo();
        history.undo();
        history.forget_since(len);
        let ahead = history.ahead(9);
        let turns: Vec<usize> = ahead.iter().map(|revision| revision.edit.turn()).collect();
        assert_eq!(turns, [1, 2]);
    }
}
