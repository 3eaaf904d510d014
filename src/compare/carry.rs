//! Carries edits over to another version of their dialog: to the turn, segment or call that the one they were made
//! for has become there.

use super::pairs::{Paired, Pairs, pairs};
use super::turns::aligned;
use crate::dialog::{Dialog, Edit, Segment, Span, Turn};
use crate::text::{MappedSpan, Units};

/// Returns edits of `from`, to be made one after the other, as edits of `to`, another version of the dialog.
///
/// # Errors
/// The number of the first one that changes something that is no longer there.
pub fn carried_edits(edits: &[Edit], from: &Dialog, to: &Dialog) -> Result<Vec<Edit>, usize> {
    if from == to {
        return Ok(edits.to_vec());
    }
    let (mut from, mut to) = (from.clone(), to.clone());
    let mut turns = aligned(&from.turns, &to.turns);
    let mut all = Vec::with_capacity(edits.len());
    for (number, edit) in edits.iter().enumerate() {
        let now = carried_edit(edit, &from, &to, &turns).ok_or(number)?;
        // What a part is, its text alone tells.
        if !matches!(edit, Edit::Put { .. }) {
            edit.apply_to(&mut from).map_err(|_| number)?;
            now.apply_to(&mut to).map_err(|_| number)?;
        }
        // A new turn may say what another one says: which one it is, is known from the edit alone.
        if edit.turn_before(edit.turn()).is_none() {
            turns.add(edit.turn(), now.turn());
        } else if edit.turn_after(edit.turn()).is_none() {
            turns.remove(edit.turn(), now.turn());
        }
        all.push(now);
    }
    Ok(all)
}

fn carried_edit(edit: &Edit, from: &Dialog, to: &Dialog, turns: &Pairs) -> Option<Edit> {
    let turn = edit.turn();
    let at = match edit {
        Edit::SetField { .. } | Edit::Judge { .. } | Edit::Put { turn: None, .. } => {
            return Some(edit.clone());
        }
        // Behind the turn before it, and behind those that were added there since.
        _ if edit.turn_before(turn).is_none() => {
            let before = match turn.checked_sub(1) {
                None => 0,
                Some(before) => turns.new_of(before)? + 1,
            };
            let here = before..to.turns.len();
            before + here.take_while(|at| turns.old_of(*at).is_none()).count()
        }
        _ => turns.new_of(turn)?,
    };
    let mut edit = edit.clone().at_turn(at);
    let (Some(was), Some(is)) = (from.turns.get(turn), to.turns.get(at)) else {
        return Some(edit);
    };
    let removes = matches!(
        edit,
        Edit::RemoveSegment { .. } | Edit::RemoveCall { .. } | Edit::RemoveAct { .. }
    );
    match &mut edit {
        Edit::SetSpan { segment, .. }
        | Edit::RemoveSegment { segment, .. }
        | Edit::SetLabels { segment, .. }
        | Edit::SetQuote { segment, .. } => {
            let moved = carried(was, &is.text, from.units);
            let place = moved.iter().position(|of| of.origin == *segment)?;
            let moved: Vec<_> = moved.into_iter().map(|of| of.segment).collect();
            *segment = place_of(&moved, &is.segments, place, removes)?;
        }
        Edit::SetApi { call, .. }
        | Edit::SetValue { call, .. }
        | Edit::RenameValue { call, .. }
        | Edit::RemoveValue { call, .. }
        | Edit::SetJson { call, .. }
        | Edit::RemoveCall { call, .. } => *call = place_of(&was.calls, &is.calls, *call, removes)?,
        Edit::SetAct { act, .. } | Edit::RemoveAct { act, .. } => {
            *act = place_of(&was.acts, &is.acts, *act, removes)?;
        }
        _ => {}
    }
    if let Edit::SetSpan { start, end, .. } | Edit::AddSegment { start, end, .. } = &mut edit {
        let span = Span { start: *start, end: *end };
        Span { start: *start, end: *end } = moved_span(span, was, is, from.units)?;
    }
    Some(edit)
}

/// Returns the place of an element in another version of its list. If it is to be removed, one that is equal will do:
/// of those, any was removed before.
fn place_of<E: Paired>(was: &[E], is: &[E], at: usize, removes: bool) -> Option<usize> {
    let place = pairs(was, is).new_of(at);
    let removed = was.get(at).filter(|_| removes);
    place.or_else(|| is.iter().rposition(|other| Some(other) == removed))
}

/// Returns a span of a turn in the text of another version of it.
fn moved_span(span: Span, was: &Turn, is: &Turn, units: Units) -> Option<Span> {
    let marked =
        Turn { segments: vec![Segment { span: Some(span), ..Segment::default() }], ..was.clone() };
    carried(&marked, &is.text, units).first()?.segment.span
}

/// A segment in another text of its turn.
pub struct Carried {
    pub segment: Segment,
    /// Its position in its copy of the turn.
    pub origin: usize,
}

/// Returns the segments of a turn as they would be if it had this text. Segments of which nothing is left are
/// not among them.
pub fn carried(turn: &Turn, text: &str, units: Units) -> Vec<Carried> {
    let now = with_text(turn, text, units);
    let left = if turn.text != text && now.text == text {
        turn.moved_by(text, true, units)
    } else {
        vec![None; turn.segments.len()]
    };
    let left = left.iter().enumerate();
    let left = left.filter(|(_, moved)| **moved != Some(MappedSpan::Cut));
    let carried = left.zip(now.segments).map(|((origin, _), segment)| Carried { segment, origin });
    carried.collect()
}

/// Returns a turn as it is once its text is set to this one; as it is now if that cannot be.
fn with_text(turn: &Turn, text: &str, units: Units) -> Turn {
    let mut dialog = Dialog::new(units);
    dialog.turns = vec![turn.clone()];
    let edit = Edit::SetText { turn: 0, text: text.to_owned(), drop: true, shrink: true };
    let is_set = turn.text != text && edit.apply_to(&mut dialog).is_ok();
    let set = dialog.turns.pop().filter(|_| is_set);
    set.unwrap_or_else(|| turn.clone())
}
