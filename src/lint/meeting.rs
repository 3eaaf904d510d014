//! Segments of one turn that stand on the same text, or on parts of it.

use super::{Mention, Subject};

/// Partners that are looked at for one segment, at the most; real turns have a few.
const PARTNERS: usize = 16;

/// Pairs of segments of `turn` that share text, in the order of where they begin; where both begin
/// at the same place, the longer one first, and of equal ones the one that the corpus names first.
/// Only sound segments are looked at: where the others stand is not known.
pub fn meeting<'s, 'a>(
    subject: &'s Subject<'a>,
    turn: usize,
) -> Vec<(&'s Mention<'a>, &'s Mention<'a>)> {
    let mentions = subject.mentions_of(turn);
    let mut end = 0;
    let apart = |mention: &Mention<'_>| {
        let bytes = mention.bytes.as_ref().filter(|_| mention.sound);
        bytes.is_some_and(|bytes| bytes.start >= std::mem::replace(&mut end, bytes.end))
    };
    // Nearly all turns have their segments in order and apart.
    if mentions.iter().all(apart) {
        return Vec::new();
    }
    let sound = mentions.iter().filter(|mention| mention.sound);
    let mut sorted: Vec<_> = sound
        .filter_map(|mention| Some((mention.bytes.as_ref()?, mention)))
        .collect();
    sorted.sort_by_key(|(bytes, _)| (bytes.start, std::cmp::Reverse(bytes.end)));
    let mut pairs = Vec::new();
    for (place, (bytes, first)) in sorted.iter().enumerate() {
        let behind = sorted[place + 1..].iter().take(PARTNERS);
        let shared = behind.take_while(|(other, _)| other.start < bytes.end);
        pairs.extend(shared.map(|(_, second)| (*first, *second)));
    }
    pairs
}

/// True if two segments are the work of two annotators whom the corpus names.
pub fn by_two_annotators(a: &Mention<'_>, b: &Mention<'_>) -> bool {
    matches!((&a.of.annotator, &b.of.annotator), (Some(a), Some(b)) if a != b)
}
