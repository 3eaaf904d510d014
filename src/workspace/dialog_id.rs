//! The address of a dialog among the open files.

/// A dialog, by the number of its open file and its position there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DialogId {
    pub file: u32,
    pub dialog: u32,
}

impl DialogId {
    /// Returns the address of the dialog at this position in this file.
    pub fn new(file: usize, dialog: usize) -> Self {
        Self { file: file as u32, dialog: dialog as u32 }
    }

    /// Returns the address of the first dialog of a file; a vote log has only that one.
    pub fn first_of(file: usize) -> Self {
        Self::new(file, 0)
    }
}
