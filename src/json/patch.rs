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

    /// Returns the patch that turns one text into another: one splice, between what they begin and end with.
    pub fn of_texts(one: &str, other: &str) -> Self {
        let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
        let start: usize = same.map(|(char, _)| char.len_utf8()).sum();
        let (old, new) = (&one[start..], &other[start..]);
        let same = old.chars().rev().zip(new.chars().rev()).take_while(|(one, other)| one == other);
        let end: usize = same.map(|(char, _)| char.len_utf8()).sum();
        let range = start..one.len() - end;
        Self::from(Splice::new(range, &new[..new.len() - end]))
    }

    /// Returns the patch that turns `one.apply(text)` into `other.apply(text)`, and its inverse.
    pub fn between(text: &str, one: &Self, other: &Self) -> [Self; 2] {
        let (mut old, mut new) = (one.splices.iter().peekable(), other.splices.iter().peekable());
        let [mut patch, mut inverse] = [Self::default(), Self::default()];
        // The bytes by which the splices so far have lengthened the text.
        let (mut old_grown, mut new_grown) = (0, 0);
        while old.peek().is_some() || new.peek().is_some() {
            if let Some(same) = old.next_if(|splice| new.peek() == Some(splice)) {
                new.next();
                old_grown += grown_by(same);
                new_grown += grown_by(same);
                continue;
            }
            // A part of the text in which the two differ.
            let start = |splice: Option<&&Splice>| splice.map_or(text.len(), |s| s.range.start);
            let start = start(old.peek()).min(start(new.peek()));
            let mut range = start..start;
            let (mut was, mut is) = (Vec::new(), Vec::new());
            loop {
                let touches = |splice: &&Splice| splice.range.start <= range.end;
                let next = old.next_if(touches).inspect(|splice| was.push(*splice));
                let next = next.or_else(|| new.next_if(touches).inspect(|splice| is.push(*splice)));
                let Some(next) = next else {
                    break;
                };
                range.end = range.end.max(next.range.end);
            }
            let change = |patch: &mut Self, [from, to]: [&[&Splice]; 2], grown: &mut isize| {
                let start = start.saturating_add_signed(*grown);
                *grown += from.iter().map(|splice| grown_by(splice)).sum::<isize>();
                let end = range.end.saturating_add_signed(*grown);
                patch.splices.push(Splice::new(start..end, part(text, range.clone(), to)));
            };
            change(&mut patch, [&was, &is], &mut old_grown);
            change(&mut inverse, [&is, &was], &mut new_grown);
        }
        [patch, inverse]
    }

    /// Combines two patches of the same text.
    ///
    /// # Errors
    /// If they overlap.
    pub fn merge(mut self, other: Self) -> Result<Self, Overlap> {
        self.splices.extend(other.splices);
        Self::new(self.splices)
    }

    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// True if the patch changes nothing: `inverse`, the patch that undoes it, writes the same text.
    pub fn is_idle(&self, inverse: &Self) -> bool {
        let mut pairs = self.splices.iter().zip(&inverse.splices);
        pairs.all(|(splice, old)| splice.text == old.text)
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

    /// True if the patch fits `text`: the parts that it would change are those that `inverse`, the patch
    /// that undoes it, would put back.
    pub fn fits(&self, text: &str, inverse: &Self) -> bool {
        let mut end = 0;
        let mut fits = |(splice, old): (&Splice, &Splice)| {
            let behind = end <= splice.range.start;
            end = splice.range.end;
            behind && text.get(splice.range.clone()) == Some(&old.text)
        };
        let pairs = self.splices.iter().zip(&inverse.splices);
        self.splices.len() == inverse.splices.len() && pairs.into_iter().all(&mut fits)
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

/// Returns the number of bytes by which a splice lengthens its text.
fn grown_by(splice: &Splice) -> isize {
    splice.text.len() as isize - splice.range.len() as isize
}

/// Returns a part of a text, half-open, with the splices in it.
fn part(text: &str, range: Range<usize>, splices: &[&Splice]) -> String {
    let mut changed = String::new();
    let mut kept = range.start;
    for splice in splices {
        changed.push_str(&text[kept..splice.range.start]);
        changed.push_str(&splice.text);
        kept = splice.range.end;
    }
    changed.push_str(&text[kept..range.end]);
    changed
}
