//! Questions about one turn: is it judged at all, undecided, disputed? The queue of turns is built from them.

use super::{Counted, Tally};
use crate::dialog::{Detection, Turn};

/// True if there are votes and no label has more than half of them.
pub fn is_undecided(votes: &impl Counted) -> bool {
    votes.total() > 0 && votes.lacks_absolute_majority()
}

/// True if a detector gave the turn another label than the majority of the votes, without those of `annotator`.
pub fn is_disputed(turn: &Turn, annotator: &str) -> bool {
    let others =
        turn.votes.iter().filter(|vote| annotator.is_empty() || vote.annotator != annotator);
    let majority = Tally::of(others).majority();
    let other = |d: &Detection| d.breakdown.is_some() && d.breakdown != majority;
    majority.is_some() && turn.detections.iter().any(other)
}

/// Returns a pseudo-random number for sampling turns. It depends only on the seed, the dialog id and the turn,
/// not on the other turns of the corpus.
pub fn lot(seed: u32, id: &str, turn: usize) -> u64 {
    // FNV-1a, with a final mix that spreads its high bits.
    let bytes = seed.to_le_bytes().into_iter().chain(id.bytes());
    let bytes = bytes.chain((turn as u64).to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}
