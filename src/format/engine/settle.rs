//! Compares a changed dialog of a declared format with the one that was meant, where the format decides the
//! form of new elements.
//!
//! The model puts a new element after all others of its turn, with a quote. A declared format puts it where
//! its places say, which may be before others, and may have no quote. Fields of the turn that were inside a
//! removed element are gone with it, and those inside a renamed slot may be called after it.

use crate::dialog::{Act, ApiCall, Dialog, Extent, Field, Segment, StateSlot, Turn};

/// Gives `meant` the order, quotes and fields of `found`, where that is all that differs. `before` is
/// the dialog before the edits.
pub fn settle(meant: &mut Dialog, found: &Dialog, before: &Dialog) {
    // An element of a list beside the turns that is not read has another position once one before it is gone.
    let mut fields = meant.fields.iter().zip(&found.fields);
    let is_same = |(one, other): (&Field, &Field)| {
        one.content == other.content && same_name(&one.name, &other.name)
    };
    if meant.fields.len() == found.fields.len() && fields.all(is_same) {
        meant.fields.clone_from(&found.fields);
    }
    let turns = meant.turns.iter_mut().zip(&found.turns).zip(&before.turns);
    for ((meant, found), before) in turns {
        if meant != found {
            settle_turn(meant, found, before);
        }
    }
}

fn settle_turn(meant: &mut Turn, found: &Turn, before: &Turn) {
    if meant.at.end == 0 {
        // The format decides which other members a new turn has.
        meant.fields.clone_from(&found.fields);
    }
    let has_new = meant.element_places().any(|at| at.end == 0);
    let stays = |at: &Extent| meant.element_places().any(|other| other.start == at.start);
    let removed: Vec<Extent> = before.element_places().filter(|at| !stays(at)).collect();
    let is_gone = |field: &&Field| {
        let inside = |at: &Extent| at.start <= field.at.start && field.at.end <= at.end;
        removed.iter().any(inside)
    };
    let renamed = renamed_slots(meant, before);
    let is_renamed = |field: &Field| {
        let inside = |at: &Extent| at.start <= field.at.start && field.at.end <= at.end;
        renamed.iter().any(inside)
    };
    let [changed_before, changed_now] = changed_acts(meant, found, before);
    let in_one = |field: &Field, acts: &[Extent]| {
        let inside = |at: &Extent| at.start <= field.at.start && field.at.end <= at.end;
        acts.iter().any(inside)
    };
    let others = found.fields.iter();
    let others = others.filter(|field| !in_one(field, &changed_now));
    let mut left: Vec<&Field> = others.collect();
    let mut kept =
        meant.fields.iter().filter(|field| !is_gone(field) && !in_one(field, &changed_before));
    let all_kept = kept.all(|field| {
        let same = |other: &&Field| {
            let has_name = same_name(&other.name, &field.name) || is_renamed(field);
            other.content == field.content && has_name
        };
        let place = left.iter().position(same);
        place.map(|place| left.remove(place)).is_some()
    });
    if all_kept && (left.is_empty() || has_new) {
        meant.fields.clone_from(&found.fields);
    }
    let same = |one: &Segment, other: &Segment| {
        let mut one = one.clone();
        if one.at.end == 0 && (other.quote.is_none() || other.is_normalised) {
            one.quote.clone_from(&other.quote);
            one.is_normalised = other.is_normalised;
        }
        if one.at.end == 0 {
            one.fields.clone_from(&other.fields);
        }
        one == *other
    };
    adopt(&mut meant.segments, &found.segments, same);
    adopt(&mut meant.acts, &found.acts, |one, other| one == other);
    adopt(&mut meant.calls, &found.calls, |one, other| {
        // The response to a new call may name it again.
        let answered_as = if one.at.is_placed() { &one.answered_as } else { &other.answered_as };
        *answered_as == other.answered_as
            && *other == ApiCall { answered_as: answered_as.clone(), ..one.clone() }
    });
    // A segment and an act may be read from one element, so that a change of one changes the other.
    if has_twins(before) || has_twins(found) {
        let acts: Vec<u32> = found.acts.iter().map(|act| act.at.start).collect();
        let segments: Vec<u32> = found.segments.iter().map(|s| s.at.start).collect();
        if meant.segments == found.segments {
            let is_twin = |act: &&Act| segments.contains(&act.at.start);
            let mut single = found.acts.iter().filter(|act| !is_twin(act));
            if single.all(|act| meant.acts.contains(act)) {
                meant.acts.clone_from(&found.acts);
            }
        } else if meant.acts == found.acts {
            let is_twin = |s: &&Segment| acts.contains(&s.at.start);
            let single = found.segments.iter().filter(|s| !is_twin(s));
            if single.clone().all(|segment| meant.segments.contains(segment)) {
                meant.segments.clone_from(&found.segments);
            }
        }
    }
    if let (Some(meant), Some(found)) = (&mut meant.state, &found.state) {
        adopt(meant, found, |one, other| one == other);
    }
}

/// Returns the places of the slots of a state whose names have changed.
fn renamed_slots(meant: &Turn, before: &Turn) -> Vec<Extent> {
    let old = || before.state.iter().flatten();
    let slots = meant.state.iter().flatten();
    let is_renamed = |slot: &&StateSlot| {
        let mut old = old();
        old.any(|old| old.at.start == slot.at.start && old.slot != slot.slot)
    };
    slots.filter(|slot| slot.at.end > 0).filter(is_renamed).map(|slot| slot.at).collect()
}

/// Returns the places of acts whose values have changed, in the old text and in the new one. Their canonical values
/// follow, which are fields of the turn.
fn changed_acts(meant: &Turn, found: &Turn, before: &Turn) -> [Vec<Extent>; 2] {
    let is_changed = |act: &Act| {
        let mut old = before.acts.iter();
        let old = old.find(|old| old.at.start == act.at.start);
        act.at.end > 0 && old.is_some_and(|old| old.slots != act.slots)
    };
    let pairs = meant.acts.iter().zip(&found.acts);
    let changed = pairs.filter(|(meant, found)| is_changed(meant) && meant == found);
    changed.map(|(meant, found)| (meant.at, found.at)).unzip().into()
}

/// True if a segment and an act of the turn were read from one element.
fn has_twins(turn: &Turn) -> bool {
    let acts: Vec<u32> = turn.acts.iter().map(|act| act.at.start).collect();
    turn.segments.iter().any(|s| acts.contains(&s.at.start))
}

/// Replaces `meant` by `found` if both have the same elements in some order.
fn adopt<T: Clone>(meant: &mut Vec<T>, found: &[T], same: impl Fn(&T, &T) -> bool) {
    if meant.len() != found.len() {
        return;
    }
    let mut left: Vec<&T> = found.iter().collect();
    let all = meant.iter().all(|one| {
        let place = left.iter().position(|other| same(one, other));
        place.map(|place| left.remove(place)).is_some()
    });
    if all {
        *meant = found.to_vec();
    }
}

/// True if two names differ at most in the positions of elements: `actions[1].x` and `actions[0].x`.
fn same_name(one: &str, other: &str) -> bool {
    let names = |name: &str| {
        let is_digit = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let parts = name.split(['[', ']']).filter(|part| !is_digit(part));
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    one == other || names(one) == names(other)
}
