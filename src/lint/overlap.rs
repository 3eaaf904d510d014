//! Segments of one turn that stand on the same text, or on parts of it.

use super::Mention;

/// Partners that are looked at for one segment, at the most; real turns have a few.
const PARTNERS: usize = 16;

/// Pairs of segments, as positions in `mentions`, that share text: turn by turn in the order of where
/// they begin; where both begin at the same place, the longer one first, and of equal ones the one
/// that the corpus names first. Only sound segments are looked at: where the others stand is not
/// known.
pub(super) fn overlapping(mentions: &[Mention<'_>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut first = 0;
    for turn in mentions.chunk_by(|a, b| a.turn == b.turn) {
        if !are_apart(turn) {
            pairs_of(turn, first, &mut pairs);
        }
        first += turn.len();
    }
    pairs
}

/// True if each segment begins behind the end of the one before, as nearly everywhere.
fn are_apart(turn: &[Mention<'_>]) -> bool {
    let mut end = 0;
    let mut begins_behind = |mention: &Mention<'_>| {
        let bytes = mention.bytes.as_ref().filter(|_| mention.sound);
        bytes.is_some_and(|bytes| bytes.start >= std::mem::replace(&mut end, bytes.end))
    };
    turn.iter().all(&mut begins_behind)
}

/// The pairs of one turn, whose first segment has the position `first`.
fn pairs_of(turn: &[Mention<'_>], first: usize, pairs: &mut Vec<(usize, usize)>) {
    let sound = (first..).zip(turn).filter(|(_, mention)| mention.sound);
    let mut sorted: Vec<_> = sound
        .filter_map(|(position, mention)| Some((mention.bytes.as_ref()?, position)))
        .collect();
    sorted.sort_by_key(|(bytes, _)| (bytes.start, std::cmp::Reverse(bytes.end)));
    for (place, (bytes, first)) in sorted.iter().enumerate() {
        let behind = sorted[place + 1..].iter().take(PARTNERS);
        let shared = behind.take_while(|(other, _)| other.start < bytes.end);
        pairs.extend(shared.map(|(_, second)| (*first, *second)));
    }
}

/// True if two segments are the work of two annotators whom the corpus names.
pub fn by_two_annotators(a: &Mention<'_>, b: &Mention<'_>) -> bool {
    matches!((&a.of.annotator, &b.of.annotator), (Some(a), Some(b)) if a != b)
}
