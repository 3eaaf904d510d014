//! Looks up the code points of one text, each lookup in constant time, for texts with many lookups.

use super::offsets::{byte_of, byte_of_utf16, count};

/// The distance between checkpoints, in code points.
const STEP: usize = 64;

/// The places of the code points of a text.
#[derive(Clone, Debug)]
pub struct CodePoints<'t> {
    text: &'t str,
    /// Every [`STEP`]th code point; empty if each is one byte.
    kept: Vec<Checkpoint>,
}

/// A stored code point.
#[derive(Clone, Copy, Debug)]
struct Checkpoint {
    byte: u32,
    /// The number of code points before it that take two UTF-16 code units.
    wide: u32,
}

impl<'t> CodePoints<'t> {
    pub fn new(text: &'t str) -> Self {
        let mut kept = Vec::new();
        if !text.is_ascii() {
            let mut wide = 0;
            for (place, (byte, char)) in text.char_indices().enumerate() {
                if place % STEP == 0 {
                    let byte = byte as u32;
                    kept.push(Checkpoint { byte, wide });
                }
                wide += char.len_utf16() as u32 - 1;
            }
        }
        Self { text, kept }
    }

    /// Like [`byte_of`].
    pub fn byte_of(&self, offset: usize) -> Option<usize> {
        let Some(last) = self.kept.len().checked_sub(1) else {
            return (offset <= self.text.len()).then_some(offset);
        };
        let place = (offset / STEP).min(last);
        let from = self.kept[place].byte as usize;
        Some(from + byte_of(&self.text[from..], offset - place * STEP)?)
    }

    /// Like [`byte_of_utf16`].
    pub fn byte_of_utf16(&self, units: usize) -> Option<usize> {
        if self.kept.is_empty() {
            return (units <= self.text.len()).then_some(units);
        }
        let before = |place: usize| place * STEP + self.kept[place].wide as usize;
        let mut places = 0..self.kept.len();
        while places.len() > 1 {
            let middle = places.start + places.len() / 2;
            if before(middle) <= units {
                places.start = middle;
            } else {
                places.end = middle;
            }
        }
        let from = self.kept[places.start].byte as usize;
        Some(from + byte_of_utf16(&self.text[from..], units - before(places.start))?)
    }

    /// Returns the number of code points before `byte`, which is at the start of one or at the end of the text.
    pub fn before(&self, byte: usize) -> usize {
        let place = self.kept.partition_point(|kept| kept.byte as usize <= byte);
        let Some(place) = place.checked_sub(1) else {
            return byte;
        };
        place * STEP + count(&self.text[self.kept[place].byte as usize..byte])
    }

    /// Returns the bytes from code point `start` to `end`; None unless `start <= end <= count(text)`.
    pub fn range(&self, start: usize, end: usize) -> Option<std::ops::Range<usize>> {
        let range = self.byte_of(start)?..self.byte_of(end)?;
        (start <= end).then_some(range)
    }
}
