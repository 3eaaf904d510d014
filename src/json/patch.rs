//! Changes of a text, as byte ranges and their replacements.

use std::ops::Range;

use super::render::NewValue;

/// A byte range and its replacement.
#[derive(Clone, Debug, PartialEq)]
pub struct Splice {
    /// Half-open byte range; empty for an insertion.
    pub range: Range<usize>,
    pub text: String,
    /// The children it adds or removes, until it is known which of their neighbours stay.
    pub(super) children: Option<ChangedChildren>,
}

/// Children of a container that others replace.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChangedChildren {
    /// The container, by its place in the tree: lines begin where the first of them does.
    pub container: usize,
    /// The positions of those that are removed; empty where others are inserted before one.
    pub removed: Range<usize>,
    pub new: Vec<NewChild>,
    /// The container that shows their layout, by its place.
    pub like: Option<usize>,
}

/// A new element, or a new member with its key.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NewChild {
    pub key: Option<String>,
    pub value: NewValue,
}

impl Splice {
    pub fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into(), children: None }
    }

    /// Returns the splice that turns one text into another, between what they begin and end with.
    pub fn between(one: &str, other: &str) -> Self {
        let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
        let start: usize = same.map(|(char, _)| char.len_utf8()).sum();
        let (old, new) = (&one[start..], &other[start..]);
        let same = old.chars().rev().zip(new.chars().rev()).take_while(|(one, other)| one == other);
        let end: usize = same.map(|(char, _)| char.len_utf8()).sum();
        Self::new(start..one.len() - end, &new[..new.len() - end])
    }
}

/// Splices of one text, sorted and disjoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    splices: Vec<Splice>,
}

/// Two splices overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two changes touch the same bytes")]
pub struct Overlap;

impl From<Splice> for Patch {
    fn from(splice: Splice) -> Self {
        Self { splices: vec![Splice::new(splice.range, splice.text)] }
    }
}

impl Patch {
    /// Sorts `splices`. Insertions at the same place keep their order; empty splices are dropped.
    ///
    /// # Errors
    /// If two of them overlap.
    pub fn new(mut splices: Vec<Splice>) -> Result<Self, Overlap> {
        splices.retain(|s| !(s.range.is_empty() && s.text.is_empty()));
        splices.sort_by_key(|s| (s.range.start, s.range.end));
        if splices.windows(2).any(|pair| pair[1].range.start < pair[0].range.end) {
            return Err(Overlap);
        }
        for splice in &mut splices {
            splice.children = None;
        }
        Ok(Self { splices })
    }

    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// Applies the patch to `text`.
    ///
    /// # Panics
    /// If a splice lies outside `text` or cuts a character, because the patch is for another text.
    pub fn apply(&self, text: &str) -> String {
        let grown: usize = self.splices.iter().map(|s| s.text.len()).sum();
        let mut changed = String::with_capacity(text.len() + grown);
        let mut kept = 0;
        for splice in &self.splices {
            changed.push_str(&text[kept..splice.range.start]);
            changed.push_str(&splice.text);
            kept = splice.range.end;
        }
        changed.push_str(&text[kept..]);
        changed
    }

    /// Returns the last splice, if it ends at byte `at` of the old text; otherwise a new, empty one at that byte.
    pub(super) fn splice_ending(&mut self, at: usize) -> &mut Splice {
        let ends_here = self.splices.last().is_some_and(|last| last.range.end == at);
        if !ends_here {
            self.splices.push(Splice::new(at..at, ""));
        }
        let last = self.splices.len() - 1;
        &mut self.splices[last]
    }

    /// Returns the changed text; None if the patch is for another text, in which a splice would lie outside or cut a
    /// character.
    pub fn try_apply(&self, text: &str) -> Option<String> {
        let fits = |s: &Splice| text.get(s.range.clone()).is_some();
        self.splices.iter().all(fits).then(|| self.apply(text))
    }

    /// Returns the patch that turns `self.apply(text)` back into `text`.
    ///
    /// # Panics
    /// Like [`Patch::apply`].
    #[must_use]
    pub fn invert(&self, text: &str) -> Self {
        let mut splices = Vec::with_capacity(self.splices.len());
        let (mut kept, mut at) = (0, 0);
        for splice in &self.splices {
            at += splice.range.start - kept;
            splices.push(Splice::new(at..at + splice.text.len(), &text[splice.range.clone()]));
            at += splice.text.len();
            kept = splice.range.end;
        }
        Self { splices }
    }
}
