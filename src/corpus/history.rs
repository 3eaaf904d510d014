//! What was done to a file: a tree of revisions.
//!
//! Undoing and then doing something else grows a branch; nothing that was done is forgotten. A file
//! is modified if the current revision is not the saved one.
//!
//! # Why
//! The shape is that of helix's undo tree. Each revision keeps its patch and the inverse, both
//! against the text of one dialog, so that undoing needs neither the file nor its format.

use std::collections::{HashMap, HashSet};

use crate::dialog::{Edit, EditContext};
use crate::json::Patch;

/// One edit that was made.
#[derive(Clone, Debug)]
pub struct Revision {
    /// The revision it was made on; None for the text as it was opened.
    pub parent: Option<usize>,
    /// Position of the dialog in its file.
    pub dialog: usize,
    /// What was meant.
    pub edit: Edit,
    /// What it was made on, where that is known.
    pub on: Option<EditContext>,
    pub patch: Patch,
    pub inverse: Patch,
}

/// The revisions of one file.
#[derive(Clone, Debug, Default)]
pub struct History {
    revisions: Vec<Revision>,
    /// The newest revision made on each, or on the text as it was opened.
    newest: HashMap<Option<usize>, usize>,
    current: Option<usize>,
    saved: Option<usize>,
}

/// What is in force and not saved, and what is saved and not in force.
#[derive(Debug)]
pub struct UnsavedRevisions<'h> {
    pub made: Vec<&'h Revision>,
    /// Undone since it was saved.
    pub undone: Vec<&'h Revision>,
}

/// Leaves what was undone and made again as it was out of both.
fn without_made_again<'h>(
    made: Vec<&'h Revision>,
    undone: &[&'h Revision],
) -> UnsavedRevisions<'h> {
    let key = |revision: &&'h Revision| (revision.dialog, &revision.edit);
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for (place, revision) in undone.iter().enumerate() {
        places.entry(key(revision)).or_default().push(place);
    }
    // What is made again is made in the same order.
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
    /// What an earlier run has done: revisions in a row, of which the first `done` are in what is
    /// saved, and the others were undone. Their parents are set here.
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

    /// Goes back one revision and returns the one that is undone.
    pub fn undo(&mut self) -> Option<&Revision> {
        let revision = &self.revisions[self.current?];
        self.current = revision.parent;
        Some(revision)
    }

    /// Goes forward to the newest revision made on the current one, and returns it.
    pub fn redo(&mut self) -> Option<&Revision> {
        self.current = Some(self.newest()?);
        self.current()
    }

    /// What [`History::redo`] would go to.
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

    /// For each of [`History::applied`], whether it is in what is saved.
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

    /// The current revision; None for the text as it was opened.
    pub fn current(&self) -> Option<&Revision> {
        self.revisions.get(self.current?)
    }

    /// What lies between the saved text and the current one, in the order in which it was made. An edit
    /// that was undone since saving and made again as it was lies not between them.
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

    /// True if what was done last is in what is saved, or nothing was done.
    pub fn ends_saved(&self) -> bool {
        self.shared() == self.current
    }

    /// The last revision that both the current text and the saved one are made on.
    fn shared(&self) -> Option<usize> {
        let (mut one, mut other) = (self.current, self.saved);
        // What a revision is made on was there before it.
        while one != other {
            let later = if one > other { &mut one } else { &mut other };
            *later = later.and_then(|i| self.revisions[i].parent);
        }
        one
    }

    /// A revision and all that it was made on, the newest first.
    fn chain(&self, from: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(from, |i| self.revisions[*i].parent)
    }

    pub fn mark_saved(&mut self) {
        self.saved = self.current;
    }
}
