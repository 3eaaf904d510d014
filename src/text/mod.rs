//! Text: code points, graphemes, words, line breaks, display columns; and numbers as text.
//!
//! Offsets are code points unless a name says otherwise; ranges are half-open. This layer does not know
//! JSON or screens; display width is a property of characters.

mod boundary;
mod codepoints;
mod compare;
mod diff;
mod display;
mod fold;
mod lanes;
mod moments;
mod numbers;
mod offsets;
mod rows_around;
mod span_map;
mod tokens;
mod words;
mod wrap;

pub use boundary::{Direction, Motion, boundary, word_edges, words};
pub use codepoints::CodePoints;
pub use compare::{clipped, nearest};
pub use diff::{diff, diff_by_rare};
pub use display::{is_agreed, is_plain, quoted, visible, visible_json, visible_lines, width};
pub use fold::{FOLDED, fold_note};
pub use lanes::{IntervalIndex, LaneMark, lanes};
pub use moments::{counted_seconds, moment, seconds};
pub use numbers::{counted, grouped, percent, size};
pub use offsets::{Units, byte_of, byte_of_utf16, count, cut, slice};
pub use rows_around::{RowsAround, rows_around};
pub use span_map::{Change, MappedSpan, TextChanges};
pub use tokens::Splitting;
pub use words::{
    SpanEdge, inside_word, is_apostrophe, is_beside_unit, is_dotted, is_joint, outside_word,
    word_at,
};
pub use wrap::{WrappedRow, wrap};
