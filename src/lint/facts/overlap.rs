//! Finds segments of one turn that overlap.

use super::mention::Mention;

/// The most overlaps to check for one segment; real turns have a few.
const PARTNERS: usize = 16;

/// Pairs of valid segments, as positions in `mentions`, that share text, ordered by turn and start; if
/// two start at the same place, the longer one comes first; of equal ones, the first in the corpus. The
/// true places of other segments are unknown.
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

/// True if each segment starts after the end of the previous one, the usual case.
fn are_apart(turn: &[Mention<'_>]) -> bool {
    let mut end = 0;
    let mut begins_behind = |mention: &Mention<'_>| {
        let bytes = mention.bytes.as_ref().filter(|_| mention.is_valid);
        bytes.is_some_and(|bytes| bytes.start >= std::mem::replace(&mut end, bytes.end))
    };
    turn.iter().all(&mut begins_behind)
}

/// The pairs of one turn; `first` is the position of its first segment.
fn pairs_of(turn: &[Mention<'_>], first: usize, pairs: &mut Vec<(usize, usize)>) {
    let valid = (first..).zip(turn).filter(|(_, mention)| mention.is_valid);
    let mut sorted: Vec<_> =
        valid.filter_map(|(position, mention)| Some((mention.bytes.as_ref()?, position))).collect();
    sorted.sort_by_key(|(bytes, _)| (bytes.start, std::cmp::Reverse(bytes.end)));
    for (place, (bytes, first)) in sorted.iter().enumerate() {
        let behind = sorted[place + 1..].iter().take(PARTNERS);
        let shared = behind.take_while(|(other, _)| other.start < bytes.end);
        pairs.extend(shared.map(|(_, second)| (*first, *second)));
    }
}

/// True if two different, named annotators made the two segments.
pub fn by_two_annotators(a: &Mention<'_>, b: &Mention<'_>) -> bool {
    matches!((&a.of.annotator, &b.of.annotator), (Some(a), Some(b)) if a != b)
}
