//! Changes of a text, as byte ranges and their replacements.

use std::ops::Range;

/// A byte range and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Half-open byte range; empty for an insertion.
    pub range: Range<usize>,
    pub text: String,
}

impl Splice {
    pub fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self {
            range,
            text: text.into(),
        }
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

impl From<Splice> for Patch {
    fn from(splice: Splice) -> Self {
        Self {
            splices: vec![splice],
        }
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
        if splices
            .windows(2)
            .any(|pair| pair[1].range.start < pair[0].range.end)
        {
            return Err(Overlap);
        }
        Ok(Self { splices })
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

    /// True if the patch is for `text`: `text` has at its places what `inverse`, the patch that undoes
    /// it, would restore.
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

    /// The patch that turns `self.apply(text)` back into `text`.
    ///
    /// # Panics
    /// Like [`Patch::apply`].
    #[must_use]
    pub fn invert(&self, text: &str) -> Self {
        let mut splices = Vec::with_capacity(self.splices.len());
        let (mut kept, mut at) = (0, 0);
        for splice in &self.splices {
            at += splice.range.start - kept;
            splices.push(Splice::new(
                at..at + splice.text.len(),
                &text[splice.range.clone()],
            ));
            at += splice.text.len();
            kept = splice.range.end;
        }
        Self { splices }
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
    fn refuses_overlaps() {
        let overlapping = vec![Splice::new(0..3, "a"), Splice::new(2..4, "b")];
        assert_eq!(Patch::new(overlapping), Err(Overlap));
    }
}
