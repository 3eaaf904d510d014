//! Text: code points, graphemes, words, line breaks, display columns; and numbers as text.
//!
//! Offsets are code points unless a name says otherwise; ranges are half-open. This layer does not know
//! JSON or screens; display width is a property of characters.

mod boundary;
mod clipped;
mod codepoints;
mod display;
mod lanes;
mod numbers;
mod offsets;
mod shift;
mod wrap;

pub use boundary::{Step, boundary};
pub use clipped::clipped;
pub use codepoints::CodePoints;
pub use display::{is_agreed, is_one_cell, is_plain, quoted, visible, width};
pub use lanes::{Placed, Stretches, lanes};
pub use numbers::{counted, grouped, percent};
pub use offsets::{Units, byte_of, byte_of_utf16, count, slice};
pub use shift::{Changes, Shifted};
pub use wrap::{Row, wrap};
