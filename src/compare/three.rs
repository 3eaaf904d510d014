//! Three copies of something, and what of them to take.

use super::list::Side;

/// Three copies of something: that from which both others come, and these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Three<T> {
    pub base: T,
    pub ours: T,
    pub theirs: T,
}

impl<T> Three<T> {
    /// The copies, in the order in which they are always named.
    pub const COPIES: [Side; 3] = [Side::Base, Side::Ours, Side::Theirs];

    pub fn new(base: T, ours: T, theirs: T) -> Self {
        Self { base, ours, theirs }
    }

    /// Returns the copy of a side.
    pub fn of(&self, side: Side) -> &T {
        match side {
            Side::Base => &self.base,
            Side::Ours | Side::Both => &self.ours,
            Side::Theirs => &self.theirs,
        }
    }

    pub fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Base => &mut self.base,
            Side::Ours | Side::Both => &mut self.ours,
            Side::Theirs => &mut self.theirs,
        }
    }

    pub fn as_ref(&self) -> Three<&T> {
        Three { base: &self.base, ours: &self.ours, theirs: &self.theirs }
    }

    pub fn map<U>(self, mut to: impl FnMut(T) -> U) -> Three<U> {
        Three { base: to(self.base), ours: to(self.ours), theirs: to(self.theirs) }
    }

    pub fn zip<U>(self, other: Three<U>) -> Three<(T, U)> {
        Three {
            base: (self.base, other.base),
            ours: (self.ours, other.ours),
            theirs: (self.theirs, other.theirs),
        }
    }

    pub fn into_array(self) -> [T; 3] {
        [self.base, self.ours, self.theirs]
    }
}

impl<T> Three<Option<T>> {
    /// Returns all of them; None if one is missing.
    pub fn all(self) -> Option<Three<T>> {
        Some(Three { base: self.base?, ours: self.ours?, theirs: self.theirs? })
    }
}

impl<T: PartialEq> Three<T> {
    /// Returns the side that has changed it: ours if both have done so alike, or none has. None if they have changed it
    /// differently.
    pub fn side(&self) -> Option<Side> {
        if self.theirs == self.base || self.theirs == self.ours {
            Some(Side::Ours)
        } else {
            (self.ours == self.base).then_some(Side::Theirs)
        }
    }
}
