//! Finds what two copies of a dialog have in common that come from no third one, such as logs that two people began.

use crate::dialog::Dialog;

/// Returns what both copies say, to be merged as if both came from it; None if their turns are not the same.
pub fn common(ours: &Dialog, theirs: &Dialog) -> Option<Dialog> {
    let mut common = ours.clone();
    if ours.turns.len() != theirs.turns.len() {
        return None;
    }
    keep(&mut common.fields, &theirs.fields);
    for (turn, other) in common.turns.iter_mut().zip(&theirs.turns) {
        if turn.speaker != other.speaker || turn.text != other.text {
            return None;
        }
        keep(&mut turn.segments, &other.segments);
        keep(&mut turn.calls, &other.calls);
        keep(&mut turn.acts, &other.acts);
        keep(&mut turn.intents, &other.intents);
        keep(&mut turn.votes, &other.votes);
        keep(&mut turn.fields, &other.fields);
        match (&mut turn.state, &other.state) {
            (Some(own), Some(others)) => keep(own, others),
            (state, _) => *state = None,
        }
        if turn.tokens != other.tokens {
            turn.tokens.clear();
        }
        if turn.detections != other.detections {
            turn.detections.clear();
        }
    }
    Some(common)
}

/// Keeps the elements that the other list has, too, as often as it has them.
fn keep<E: PartialEq>(own: &mut Vec<E>, others: &[E]) {
    let mut others: Vec<&E> = others.iter().collect();
    own.retain(|one| {
        let same = others.iter().position(|other| *other == one);
        same.map(|at| others.swap_remove(at)).is_some()
    });
}
