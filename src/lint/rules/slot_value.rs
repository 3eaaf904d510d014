//! What rules on slots and their values share.

use crate::dialog::{Content, Edit, Said, Turn};
use crate::lint::{Applicability, Diagnostic, Mention, Subject};
use crate::text::Units;

/// True if a value means that the user leaves the slot open. Nobody says it in this form.
pub fn is_open(value: &str) -> bool {
    value.eq_ignore_ascii_case("dontcare")
}

/// True if a segment is of `slot` and covers exactly `value`.
pub fn says(mention: &Mention<'_>, slot: &str, value: &str) -> bool {
    mention.label() == slot && mention.text() == value
}

/// Offers to let a slot of the turn cover `value`, if the turn says it exactly once: the slot of this
/// name that overlaps it, or a new one.
pub fn cover(
    subject: &Subject<'_>,
    (number, turn): (usize, &Turn),
    (slot, value): (&str, &str),
    diagnostic: &mut Diagnostic,
) {
    if subject.dialog.units != Units::Tokens {
        return;
    }
    let mut places = places(turn, value);
    let (Some((start, end)), None) = (places.next(), places.next()) else {
        return;
    };
    let overlaps = |m: &&Mention<'_>| {
        let span = m.of.span;
        m.label() == slot && span.is_some_and(|s| s.start < end && start < s.end)
    };
    let mut own = subject.mentions_of(number).iter().filter(overlaps);
    let (title, edit) = match own.next() {
        Some(mention) => {
            let segment = mention.segment;
            let edit = Edit::SetSpan {
                turn: number,
                segment,
                start,
                end,
            };
            (format!("move {slot} to {start}..{end}"), edit)
        }
        None => {
            let edit = Edit::AddSegment {
                turn: number,
                start,
                end,
                labels: vec![slot.to_owned()],
            };
            (format!("add {slot} at {start}..{end}"), edit)
        }
    };
    diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
}

/// Edits of a slot in the state of turn `from` and in those that follow, as long as `change` gives a
/// new value for what the slot holds there.
pub fn set_state(
    subject: &Subject<'_>,
    from: usize,
    slot: &str,
    change: impl Fn(Option<&Content>) -> Option<Said>,
) -> Vec<Edit> {
    let states = subject.turns().skip(from);
    let states = states.filter_map(|(turn, of)| Some((turn, of.state.as_ref()?)));
    let changed = states.map_while(|(turn, state)| {
        let held = state.iter().find(|s| s.slot == slot).map(|s| &s.value);
        Some(Edit::SetState {
            turn,
            slot: slot.to_owned(),
            value: change(held)?,
        })
    });
    changed.collect()
}

/// Where the tokens of a turn say `value`.
pub fn places<'t>(turn: &'t Turn, value: &'t str) -> impl Iterator<Item = (u32, u32)> + use<'t> {
    let words = || value.split_whitespace();
    let length = words().count();
    let windows = turn.tokens.windows(length.max(1)).enumerate();
    let same = windows.filter(move |(_, tokens)| tokens.iter().eq(words()));
    same.map(move |(start, _)| (start as u32, (start + length) as u32))
}
