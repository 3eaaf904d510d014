//! The result of scanning a file: the byte ranges of its pieces, and how they are arranged.

use super::error::SyntaxKind;

/// The bytes of one value in a file, half-open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Piece {
    pub start: u64,
    pub end: u64,
}

/// An array that is a member of the outermost object of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberList {
    /// The key with its quotes.
    pub key: Piece,
    /// The elements of the array.
    pub pieces: Vec<Piece>,
}

/// How a file arranges its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileLayout {
    /// No value, only whitespace.
    Empty,
    /// An array of pieces.
    Array(Vec<Piece>),
    /// One value per line.
    Lines(Vec<Piece>),
    /// An object, which is either one piece or holds lists of pieces. `others` are its keys and its
    /// values that are not lists; a caller that parses all pieces has to check these too. `members` are
    /// those members whose values are objects, each from its key to the end of its value.
    Object { whole: Piece, lists: Vec<MemberList>, others: Vec<Piece>, members: Vec<Piece> },
    /// One string, number or literal.
    Scalar(Piece),
}

/// The result of [`super::Finder::finish`]. For a broken file, it has the pieces before the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanResult {
    pub layout: FileLayout,
    /// The byte offset of the first error, and its kind.
    pub error: Option<(u64, SyntaxKind)>,
}
