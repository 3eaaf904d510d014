//! What a file turns out to be when its pieces are found: byte ranges, and how they are arranged.

use super::error::SyntaxKind;

/// The bytes of one value in a file, half-open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Piece {
    pub start: u64,
    pub end: u64,
}

/// An array that is a member of the file's outermost object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The key with its quotes.
    pub key: Piece,
    /// The elements of the array.
    pub pieces: Vec<Piece>,
}

/// How a file holds its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Nothing but blanks.
    Empty,
    /// An array of pieces.
    Array(Vec<Piece>),
    /// A value a line.
    Lines(Vec<Piece>),
    /// An object: either a piece itself or the holder of lists of pieces. `others` are its keys and
    /// the values that are no lists, so that whoever parses all pieces has seen all of the file.
    Object {
        whole: Piece,
        lists: Vec<List>,
        others: Vec<Piece>,
    },
    /// One string, number or literal.
    Scalar(Piece),
}

/// What [`super::Finder::finish`] found. A broken file has the pieces before the break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub layout: Layout,
    /// What is wrong, and the offset where.
    pub error: Option<(u64, SyntaxKind)>,
}
