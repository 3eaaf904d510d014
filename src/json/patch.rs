//! Changes of a text, as byte ranges and their replacements.

use std::ops::Range;

/// A byte range and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Half-open byte range; empty for an insertion.
    pub range: Range<usize>,
    pub text: String,
    /// The children it removes, until the commas are divided among it and neighbouring removals.
    pub(super) removed: Option<RemovedChildren>,
}

/// Children removed from a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RemovedChildren {
    /// The container, by its place in the tree: lines begin where the first of them does.
    pub container: usize,
    /// Positions of the children; not empty.
    pub children: Range<usize>,
}

impl Splice {
    pub fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into(), removed: None }
    }

    pub(super) fn removal(range: Range<usize>, removed: RemovedChildren) -> Self {
        Self { removed: Some(removed), ..Self::new(range, "") }
    }
}

/// Splices of one text, sorted and disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    splices: Vec<Splice>,
}

/// Two splices overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two changes touch the same bytes")]
pub struct Overlap;

/// One of several changes that are applied at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchedPatch {
    /// The change to the text before all changes.
    pub alone: Patch,
    /// The change to the text after the earlier changes.
    pub patch: Patch,
    /// The inverse of `patch`.
    pub inverse: Patch,
}

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
            splice.removed = None;
        }
        Ok(Self { splices })
    }

    /// Combines `count` changes into one patch, and also returns each change by itself. All `splices` apply
    /// to `text`, each with the number of its change; if two insert at one place, the earlier change comes
    /// first.
    ///
    /// # Errors
    /// If two splices overlap.
    pub fn several(
        text: &str,
        splices: Vec<(usize, Splice)>,
        count: usize,
    ) -> Result<(Self, Vec<BatchedPatch>), Overlap> {
        let mut splices = splices;
        splices.retain(|(_, s)| !(s.range.is_empty() && s.text.is_empty()));
        splices.sort_by_key(|(number, s)| (s.range.start, s.range.end, *number));
        let mut places_of: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (place, (number, _)) in splices.iter().enumerate() {
            places_of[*number].push(place);
        }
        let all = Self::new(splices.into_iter().map(|(_, splice)| splice).collect())?;
        let mut shifts = Shifts::new(all.splices.len());
        let mut each = Vec::with_capacity(count);
        for places in places_of {
            // Each replacement in the text after the changes before it, with the text that it replaces.
            let mut pieces: Vec<(Splice, String)> = Vec::with_capacity(places.len());
            for &place in &places {
                let Splice { range, text: new, .. } = &all.splices[place];
                let start = range.start.saturating_add_signed(shifts.before(place));
                let (end, old) = (start + range.len(), &text[range.clone()]);
                match pieces.last_mut() {
                    // An earlier change removed the text between them.
                    Some((last, before)) if last.range.end == start && start < end => {
                        last.range.end = end;
                        last.text.push_str(new);
                        before.push_str(old);
                    }
                    _ => pieces.push((Splice::new(start..end, new), old.to_owned())),
                }
            }
            let alone =
                Self { splices: places.iter().map(|&at| all.splices[at].clone()).collect() };
            for place in places {
                shifts.add(place, grown_by(&all.splices[place]));
            }
            let patch = Self { splices: pieces.iter().map(|(splice, _)| splice.clone()).collect() };
            let mut grown = 0;
            let back = |(splice, old): (Splice, String)| {
                let start = splice.range.start.saturating_add_signed(grown);
                grown += grown_by(&splice);
                Splice::new(start..start + splice.text.len(), old)
            };
            let inverse = Self { splices: pieces.into_iter().map(back).collect() };
            each.push(BatchedPatch { alone, patch, inverse });
        }
        Ok((all, each))
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

/// The shift of many places by the changes before them, as a Fenwick tree (Fenwick, A new data structure
/// for cumulative frequency tables, 1994).
struct Shifts(Vec<isize>);

impl Shifts {
    fn new(places: usize) -> Self {
        Self(vec![0; places + 1])
    }

    /// Records that the text grows by `grown` bytes at a place.
    fn add(&mut self, place: usize, grown: isize) {
        let mut at = place + 1;
        while let Some(sum) = self.0.get_mut(at) {
            *sum += grown;
            at += at & at.wrapping_neg();
        }
    }

    /// Returns the number of bytes by which the text has grown before a place.
    fn before(&self, place: usize) -> isize {
        let (mut at, mut sum) = (place, 0);
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applies_and_inverts() {
        let text = "one two three";
        let patch = Patch::new(vec![
            Splice::new(8..13, "3"),
            Splice::new(0..0, "zero "),
            Splice::new(3..4, ""),
            Splice::new(0..0, "half "),
        ]);
        let patch = patch.expect("disjoint");
        let changed = patch.apply(text);
        assert_eq!(changed, "zero half onetwo 3");
        assert_eq!(patch.invert(text).apply(&changed), text);
    }

    #[test]
    fn fits_its_own_text_only() {
        let text = "one two";
        let patch = Patch::from(Splice::new(0..3, "1"));
        let inverse = patch.invert(text);
        assert!(patch.fits(text, &inverse) && inverse.fits("1 two", &patch));
        assert!(!patch.fits("two", &inverse) && !patch.fits("o", &inverse));
        assert!(!patch.fits(text, &Patch::default()));
    }

    #[test]
    fn several_changes_are_one_patch_and_one_after_the_other() {
        let text = "[1, 2, 3]";
        let splices = vec![
            (0, Splice::new(4..7, "")),
            (1, Splice::new(8..8, ", 4")),
            (2, Splice::new(1..4, "")),
            (2, Splice::new(7..8, "33")),
            (3, Splice::new(8..8, ", 5")),
        ];
        let (all, each) = Patch::several(text, splices, 4).expect("disjoint");
        let mut after = text.to_owned();
        let mut texts = Vec::new();
        for BatchedPatch { patch, inverse, .. } in &each {
            assert!(patch.fits(&after, inverse));
            let changed = patch.apply(&after);
            assert!(inverse.fits(&changed, patch));
            assert_eq!(inverse.apply(&changed), after);
            texts.push(changed.clone());
            after = changed;
        }
        assert_eq!(texts, ["[1, 3]", "[1, 3, 4]", "[33, 4]", "[33, 4, 5]"]);
        assert_eq!(all.apply(text), after);
        // The first change removed the text between them, so the third is one splice.
        assert_eq!(each[2].patch.splices().len(), 1);
        assert_eq!(each[2].alone.apply(text), "[2, 33]");
    }

    #[test]
    fn refuses_overlaps() {
        let overlapping = vec![Splice::new(0..3, "a"), Splice::new(2..4, "b")];
        assert_eq!(Patch::new(overlapping), Err(Overlap));
    }
}
