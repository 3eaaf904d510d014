//! The way back: places that the user left by going elsewhere than to the next turn, such as for a hit, a
//! problem or another dialog.

use crate::text::Direction;
use crate::workspace::DialogId;

/// The most places to remember in each direction.
const REMEMBERED: usize = 100;

/// A turn, and the segment in it that is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnPlace {
    pub at: DialogId,
    pub turn: usize,
    pub segment: Option<usize>,
}

impl TurnPlace {
    /// True if both are in the same turn.
    pub fn is_same_turn(&self, other: &Self) -> bool {
        (self.at, self.turn) == (other.at, other.turn)
    }
}

/// The places to go back to, and those to go forward to after that.
#[derive(Clone, Debug, Default)]
pub struct Jumps {
    behind: Vec<TurnPlace>,
    ahead: Vec<TurnPlace>,
    /// True while the user goes through a list: only the place before that is worth going back to.
    passing: bool,
}

impl Jumps {
    /// Notes that the user has left a place.
    pub fn leave(&mut self, place: TurnPlace, passing: bool) {
        if !(passing && std::mem::replace(&mut self.passing, passing)) {
            self.ahead.clear();
            push(&mut self.behind, place);
        }
        self.passing = passing;
    }

    /// Notes that the user has done something at a place: it is worth going back to.
    pub fn stay(&mut self) {
        self.passing = false;
    }

    /// Returns the last place in a direction that `exists`, elsewhere than `here`, where the other direction then leads.
    pub fn step(
        &mut self,
        direction: Direction,
        here: TurnPlace,
        exists: impl Fn(&TurnPlace) -> bool,
    ) -> Option<TurnPlace> {
        let Self { behind, ahead, .. } = self;
        let (from, to) = if direction.is_forward() { (ahead, behind) } else { (behind, ahead) };
        while let Some(place) = from.pop() {
            if exists(&place) && !place.is_same_turn(&here) {
                push(to, here);
                return Some(place);
            }
        }
        None
    }

    /// Moves the places in a dialog to where their turns are now; None if a turn is gone.
    pub fn follow(&mut self, at: DialogId, moved: impl Fn(usize) -> Option<usize>) {
        for places in [&mut self.behind, &mut self.ahead] {
            places.retain_mut(|place| {
                if place.at != at {
                    return true;
                }
                let turn = moved(place.turn);
                place.turn = turn.unwrap_or(place.turn);
                turn.is_some()
            });
        }
    }

    /// Forgets the places in a file whose dialogs have changed.
    pub fn forget_file(&mut self, file: u32) {
        for places in [&mut self.behind, &mut self.ahead] {
            places.retain(|place| place.at.file != file);
        }
    }
}

fn push(places: &mut Vec<TurnPlace>, place: TurnPlace) {
    // Several places in one turn are one.
    if places.last().is_some_and(|last| last.is_same_turn(&place)) {
        places.pop();
    }
    places.push(place);
    let forgotten = places.len().saturating_sub(REMEMBERED);
    places.drain(..forgotten);
}
