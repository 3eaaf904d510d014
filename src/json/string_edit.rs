//! Changes the text of a JSON string, keeping the spelling of every character that stays.
//!
//! Programs that write corpora escape `'` or `<`, mix `\u2019` with `’`, or leave half of a surrogate
//! pair. An edit must not change any of that.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::string::{Escapes, StringChar, StringChars, decode};

/// The largest number of characters to compare one by one. For texts that have nothing in common, the
/// time grows with the square of their length.
const COMPARED: usize = 4096;

/// Returns the byte range of `quoted` to replace so that it decodes to `text`, and the replacement.
pub(super) fn respelled(quoted: &str, text: &str, escapes: Escapes) -> (Range<usize>, String) {
    let units: Vec<_> = StringChars::new(quoted).collect();
    let old: Vec<_> = units.iter().map(|unit| unit.char).collect();
    let new: Vec<_> = text.chars().collect();
    let (head, tail) = common_ends(&old, &new);
    let changed = head..old.len() - tail;
    let wanted = &new[head..new.len() - tail];
    let start = |unit: usize| units.get(unit).map_or(quoted.len(), |unit| unit.start);
    let range = start(changed.start)..start(changed.end);
    let written = rewrite(quoted, &units[changed.clone()], &old[changed], wanted, escapes);
    let whole = [&quoted[..range.start], &written, &quoted[range.end..]].concat();
    if decode(&whole) == text {
        return (range, written);
    }
    // Halves of two surrogate pairs now form one character, so replace the whole text.
    let mut written = String::new();
    escapes.encode(text, &mut written);
    (0..quoted.len(), written)
}

/// Returns the number of characters that `old` and `new` share at the start, and at the end of the rest.
fn common_ends(old: &[char], new: &[char]) -> (usize, usize) {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let ends = old[head..].iter().rev().zip(new[head..].iter().rev());
    (head, ends.take_while(|(a, b)| a == b).count())
}

/// `new`, in which the characters shared with `old` keep their spelling in `old`.
fn rewrite(
    quoted: &str,
    units: &[StringChar],
    old: &[char],
    new: &[char],
    escapes: Escapes,
) -> String {
    let mut written = String::new();
    if old.len().max(new.len()) > COMPARED {
        let text: String = new.iter().collect();
        escapes.encode(&text, &mut written);
        return written;
    }
    // Numbers, for which the algorithm is compiled anyway.
    let [from, to] =
        [old, new].map(|text| text.iter().map(|char| *char as usize).collect::<Vec<_>>());
    for op in capture_diff_slices(Algorithm::Myers, &from, &to) {
        if let DiffOp::Equal { .. } = op {
            for unit in &units[op.old_range()] {
                written.push_str(&quoted[unit.start..unit.end]);
            }
        } else {
            let text: String = new[op.new_range()].iter().collect();
            escapes.encode(&text, &mut written);
        }
    }
    written
}
