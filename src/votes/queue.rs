//! Which turns of a dialog a queue of turns to be judged takes.

use super::Tally;
use crate::dialog::{Role, Turn};

/// True if several labels have the most votes.
pub fn is_tied(turn: &Turn) -> bool {
    Tally::of(&turn.votes).tie().is_some()
}

/// True if there are votes and no label has more than half of them.
pub fn is_undecided(turn: &Turn) -> bool {
    let tally = Tally::of(&turn.votes);
    tally.total() > 0 && tally.lacks_absolute_majority()
}

/// True if a detector has another label than the majority.
pub fn is_disputed(turn: &Turn) -> bool {
    let majority = Tally::of(&turn.votes).majority();
    let other = |d: &crate::dialog::Detection| d.breakdown.is_some() && d.breakdown != majority;
    majority.is_some() && turn.detections.iter().any(other)
}

/// True if it can be judged.
pub fn is_judgeable(turn: &Turn) -> bool {
    turn.speaker.role != Role::User
}

/// A number for the turn `turn` of the dialog `id` by which turns are drawn: the same for the same
/// seed, whatever else there is.
pub fn lot(seed: u32, id: &str, turn: usize) -> u64 {
    // FNV-1a, and a finish that spreads its high bits.
    let bytes = seed.to_le_bytes().into_iter().chain(id.bytes());
    let bytes = bytes.chain((turn as u64).to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}
