//! The inside of a string that is to say something else.
//!
//! Every character that stays keeps its spelling: files are written by programs that escape `'` or
//! `<`, mix `\u2019` with `’`, or hold half of a surrogate pair, and none of that is ours to change.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::string::{Escapes, Unit, Units, decode};

/// Characters that are compared one by one, at the most: the time for texts that have nothing in
/// common grows with the square of their length.
const COMPARED: usize = 4096;

/// The bytes of `quoted` that change so that it says `text`, and what to put there.
pub(super) fn respell(quoted: &str, text: &str, escapes: Escapes) -> (Range<usize>, String) {
    let units: Vec<_> = Units::new(quoted).collect();
    let old: Vec<_> = units.iter().map(|unit| unit.char).collect();
    let new: Vec<_> = text.chars().collect();
    let (head, tail) = common_ends(&old, &new);
    let changed = head..old.len() - tail;
    let wanted = &new[head..new.len() - tail];
    let start = |unit: usize| units.get(unit).map_or(quoted.len(), |unit| unit.start);
    let range = start(changed.start)..start(changed.end);
    let written = rewrite(
        quoted,
        &units[changed.clone()],
        &old[changed],
        wanted,
        escapes,
    );
    let whole = [&quoted[..range.start], &written, &quoted[range.end..]].concat();
    if decode(&whole) == text {
        return (range, written);
    }
    // Halves of two pairs have met and would be one character.
    let mut written = String::new();
    escapes.encode(text, &mut written);
    (0..quoted.len(), written)
}

/// How many characters `old` and `new` have in common at the beginning, and at the end of the rest.
fn common_ends(old: &[char], new: &[char]) -> (usize, usize) {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let ends = old[head..].iter().rev().zip(new[head..].iter().rev());
    (head, ends.take_while(|(a, b)| a == b).count())
}

/// `new`, in which what `old` has too is spelled as it is there.
fn rewrite(quoted: &str, units: &[Unit], old: &[char], new: &[char], escapes: Escapes) -> String {
    let mut written = String::new();
    if old.len().max(new.len()) > COMPARED {
        let text: String = new.iter().collect();
        escapes.encode(&text, &mut written);
        return written;
    }
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
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
