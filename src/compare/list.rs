//! The sides of a merge, and the elements of lists that it pairs.

use super::pairs::Paired;
use crate::dialog::Extent;

/// The side to take where both changed the same thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    #[default]
    Ours,
    Theirs,
    /// Ours, and theirs beside it where both have added something.
    Both,
    /// Neither: as it was before both.
    Base,
}

/// An element of a list that is merged.
pub trait Element: Paired + Clone {
    /// True if only one of this and `other`, which two sides have added, can be right.
    fn is_rival(&self, other: &Self) -> bool;

    /// True if the dialog does not tell what it is.
    fn is_unread(&self) -> bool {
        false
    }

    /// Returns it in short, for a list of conflicts.
    fn said(&self) -> String;

    /// Returns its place in the text of its copy; empty if it has none of its own.
    fn place(&self) -> Extent;
}
