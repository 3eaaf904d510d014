//! JSON text that is never re-formatted: found, read and changed in place.
//!
//! A corpus file is cut into [`Piece`]s without being parsed; a piece is parsed to a [`Tree`] of
//! byte ranges; a change is a [`Patch`] written in the style of what stands beside it. Whatever is
//! not changed stays as it was, to the byte.
//!
//! # Why our own
//! The maintained lossless editor for Rust is many times slower than this layer must be, takes a
//! multiple of the file in memory and refuses a byte order mark; the fast parsers re-spell numbers,
//! drop repeated keys or refuse lone surrogates. Ranges into the real text cannot do any of that.
//!
//! This layer knows nothing of dialogs, files or screens.

mod block;
mod edit;
mod error;
mod found;
mod layout;
mod lines;
mod lookup;
mod parse;
mod patch;
mod pieces;
mod render;
mod respell;
mod string;
mod tree;

pub use edit::Editor;
pub use error::{Position, SyntaxError, SyntaxKind, excerpt};
pub use found::{Found, Layout, List, Piece};
pub use parse::{BOM, Parser};
pub use patch::{OneOfSeveral, Overlap, Patch, Splice};
pub use pieces::Finder;
pub use render::New;
pub use string::{Escapes, decode};
pub use tree::{Elements, Kind, Members, Range, Tree, Value};
