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
    #[error("`{0}` is not a valid part; write NAME=SHARE, such as train=0.8")]
    NotPart(String),
    #[error("`{0}` cannot be the name of a part; use ASCII letters, digits and _")]
    Name(String),
    #[error("the part `{0}` is named twice")]
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
