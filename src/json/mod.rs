//! Reads JSON text and changes it in place, without reformatting it.
//!
//! A [`Finder`] cuts a corpus file into [`Piece`]s without parsing it; a [`Parser`] turns a piece into a
//! [`Tree`] of byte ranges; an [`Editor`] makes a [`Patch`] in the style of the neighbouring text. All
//! unchanged bytes stay as they are.
//!
//! # Why not a crate
//! The maintained lossless JSON editor for Rust is many times slower than this layer has to be, needs a
//! multiple of the file in memory and rejects a byte order mark. The fast parsers respell numbers, drop
//! repeated keys or reject lone surrogates. Ranges into the original text have none of these problems.
//!
//! This layer does not know dialogs, files or screens.

mod bad_text;
mod block;
mod canonical;
mod compose;
mod edit;
mod error;
mod layout;
mod lines;
mod lookup;
pub mod output;
mod parse;
mod patch;
mod pieces;
mod render;
mod repeated;
mod scan_result;
mod string;
mod string_edit;
mod tree;

pub use bad_text::BadText;
pub use canonical::{canonical, is_same};
pub use edit::Editor;
pub use error::{Position, SyntaxError, SyntaxKind, excerpt};
pub use parse::{BOM, Parser, hides_lines, is_number};
pub use patch::{Overlap, Patch, Splice};
pub use pieces::Finder;
pub use render::NewValue;
pub use repeated::repeated_members;
pub use scan_result::{FileLayout, MemberList, Piece, ScanResult};
pub use string::{Escapes, decode};
pub use tree::{Elements, Members, NodeKind, Range, Tree, Value};
