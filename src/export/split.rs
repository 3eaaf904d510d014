//! Divides dialogs among the parts of a split, such as training and test data.
//!
//! The part of a dialog depends on its id and the seed alone: it stays the same when dialogs are added,
//! removed or edited, and copies of a dialog never get into two parts. Dialogs without an id are divided
//! by their text.

use std::str::FromStr;

use twox_hash::XxHash3_64;

/// Named parts with their shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// Each name with the sum of its share and those before it.
    parts: Vec<(String, f64)>,
}

/// Why a text is not a split.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    #[error("`{0}` is not a part; write NAME=SHARE, such as train=0.8")]
    NotPart(String),
    #[error("`{0}` cannot name a part; use ASCII letters, digits and _")]
    Name(String),
    #[error("the part `{0}` is there twice")]
    Twice(String),
    #[error("the shares add up to {0}, not to 1")]
    Sum(String),
}

/// How far from 1 the sum of the shares may be.
const TOLERANCE: f64 = 1e-6;

impl FromStr for Split {
    type Err = SplitError;

    /// Reads `train=0.8,dev=0.1,test=0.1`.
    fn from_str(text: &str) -> Result<Self, SplitError> {
        let mut parts: Vec<(String, f64)> = Vec::new();
        let mut sum = 0.0;
        for part in text.split(',') {
            let bad = || SplitError::NotPart(part.to_owned());
            let (name, share) = part.split_once('=').ok_or_else(bad)?;
            let share: f64 = share.trim().parse().map_err(|_| bad())?;
            if !(0.0..=1.0).contains(&share) {
                return Err(bad());
            }
            let name = name.trim();
            let is_plain = |char: char| char.is_ascii_alphanumeric() || char == '_';
            if name.is_empty() || !name.chars().all(is_plain) {
                return Err(SplitError::Name(name.to_owned()));
            }
            // Some file systems take names for equal that differ in case alone.
            if parts.iter().any(|(n, _)| n.eq_ignore_ascii_case(name)) {
                return Err(SplitError::Twice(name.to_owned()));
            }
            sum += share;
            parts.push((name.to_owned(), sum));
        }
        if (sum - 1.0).abs() > TOLERANCE {
            return Err(SplitError::Sum(format!("{sum:.3}")));
        }
        Ok(Self { parts })
    }
}

impl Split {
    /// Returns the names of the parts.
    pub fn names(&self) -> Vec<&str> {
        self.parts.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the part of the dialog with this `id`, or with this text if the id is empty.
    pub fn part_of(&self, id: &str, json: &str, seed: u64) -> &str {
        let key = if id.is_empty() { json } else { id };
        let hash = XxHash3_64::oneshot_with_seed(seed, key.as_bytes());
        // The 53 bits that a double holds exactly: from 0 to just below 1.
        let place = (hash >> 11) as f64 / (1_u64 << 53) as f64;
        let found = self.parts.iter().find(|(_, until)| place < *until);
        // Rounding may leave the last sum below 1.
        let found = found.or(self.parts.last());
        found.map_or("", |(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_kept_and_parts_never_change() {
        let split: Split = "train=0.8,dev=0.1,test=0.1".parse().unwrap();
        assert_eq!(split.names(), ["train", "dev", "test"]);
        let part = |seed, number: u32| split.part_of(&format!("dlg-{number}"), "", seed);
        let train = (0..10_000).filter(|n| part(1, *n) == "train").count();
        assert!((7_800..8_200).contains(&train), "{train}");
        assert!((0..100).any(|n| part(1, n) != part(2, n)));
        // These must stay as they are: people compare results on the same parts.
        let first: Vec<_> = (0..12).map(|n| part(0, n)).collect();
        let parts = "train train train train train train train train train train test train";
        assert_eq!(first.join(" "), parts);
        assert_eq!(split.part_of("", "{}", 0), split.part_of("", "{}", 0));
    }

    #[test]
    fn a_share_of_nothing_gets_nothing() {
        let split: Split = "none=0,all=1".parse().unwrap();
        assert!((0..1000).all(|n| split.part_of(&n.to_string(), "", 7) == "all"));
    }

    #[test]
    fn mistakes_have_their_reason() {
        let why = |text: &str| text.parse::<Split>().unwrap_err().to_string();
        assert_eq!(why("train"), "`train` is not a part; write NAME=SHARE, such as train=0.8");
        assert!(why("train=x").starts_with("`train=x` is not a part"));
        assert!(why("train=-0.5,b=1.5").starts_with("`train=-0.5`"));
        assert!(why("a=NaN").starts_with("`a=NaN`"));
        assert!(why("../x=1").contains("cannot name a part"));
        assert_eq!(why("a=0.5,A=0.5"), "the part `A` is there twice");
        assert_eq!(why("a=0.5,b=0.4"), "the shares add up to 0.900, not to 1");
    }
}
