//! Merges the text of a turn with what goes with it: its tokens, and the segments that mark it.

use super::Merging;
use crate::compare::list::{Element as _, Side};
use crate::compare::pairs::pairs;
use crate::dialog::{Dialog, Edit, Extent, Segment, Short, Turn};
use crate::text::{MappedSpan, Units, quoted};

impl Merging<'_> {
    /// Merges the text, the tokens and the segments of a turn.
    pub(super) fn text(&mut self, copies: [&Turn; 3], merged: &mut Turn) {
        let [base, ours, theirs] = copies;
        let texts = copies.map(|turn| &turn.text);
        let mut text = self.pick("text", texts, |text| quoted(text));
        let has_other_words = ours.text != theirs.text || ours.tokens != theirs.tokens;
        if self.asks_all && has_other_words {
            // One difference, together with what is marked in the text.
            let side = if ours.text == theirs.text {
                self.conflict("tokens", copies.map(|turn| Some(turn.tokens.join(" "))))
            } else if text == ours.text {
                Side::Ours
            } else {
                Side::Theirs
            };
            if side == Side::Theirs {
                merged.tokens.clone_from(&theirs.tokens);
                merged.segments.clone_from(&theirs.segments);
                merged.text = text;
            }
            let own = ours.segments.iter().map(|of| [of.at, Extent::default()]);
            let others = theirs.segments.iter().map(|of| [Extent::default(), of.at]);
            self.decided.extend(own.chain(others).map(|at| (at, side)));
            return;
        }
        if text != ours.text {
            let cut = cut_changes(base, ours, &text, self.units);
            if let Some((segment, _)) = cut.first() {
                let said = [
                    Some(quoted(&base.text)),
                    Some(ours.segments[*segment].said()),
                    Some(quoted(&theirs.text)),
                ];
                if self.conflict("text", said) != Side::Theirs {
                    text.clone_from(&ours.text);
                }
            }
        }
        merged.tokens = self.tokens(copies, &mut text);
        let [mut was, mut own, mut new] = copies.map(|turn| carried(turn, &text, self.units));
        let turns = [base, ours, theirs];
        leave(&mut was, turns, [&mut own, &mut new], &text, self.units);
        let turns = [base, theirs, ours];
        leave(&mut was, turns, [&mut new, &mut own], &text, self.units);
        restore(&was, base, ours, &mut own, self.units);
        for (at, old) in cut_changes(base, theirs, &text, self.units) {
            let mut left = new.iter().filter(|of| of.origin == at);
            if left.any(|of| own.iter().any(|own| is_same(&own.segment, &of.segment))) {
                // Ours has what is left of it.
                continue;
            }
            let now = Some(quoted(&text));
            let segment = Some(theirs.segments[at].said());
            let side = self.conflict("segment", [None, now, segment]);
            let places = [Extent::default(), theirs.segments[at].at];
            self.decided.push((places, side));
            if matches!(side, Side::Theirs | Side::Both) {
                continue;
            }
            // As if they had not touched it.
            new.retain(|of| of.origin != at);
            let old = was.iter().find(|of| Some(of.origin) == old);
            new.extend(old.map(Carried::of_base));
        }
        restore(&was, base, theirs, &mut new, self.units);
        let segments = |carried: Vec<Carried>| -> Vec<Segment> {
            carried.into_iter().map(|of| of.segment).collect()
        };
        merged.text = text;
        merged.segments = self.list(&segments(was), &segments(own), &segments(new));
    }

    /// Returns the tokens of a turn that is to have a text. Where one side has changed the text and the other the tokens,
    /// one of them has both.
    fn tokens(&mut self, copies: [&Turn; 3], text: &mut String) -> Vec<Short> {
        let [base, ours, theirs] = copies;
        if ours.text == theirs.text {
            let base = with_text(base, text, self.units);
            let tokens = [&base.tokens, &ours.tokens, &theirs.tokens];
            return self.pick("tokens", tokens, |tokens| tokens.join(" "));
        }
        let (kept, other) = if *text == ours.text { (ours, theirs) } else { (theirs, ours) };
        let is_changed = other.tokens != kept.tokens
            && other.tokens != with_text(base, &other.text, self.units).tokens;
        let side = if is_changed {
            self.conflict("tokens", copies.map(|turn| Some(turn.tokens.join(" "))))
        } else if *text == ours.text {
            Side::Ours
        } else if *text == theirs.text {
            Side::Theirs
        } else {
            Side::Base
        };
        let taken = match side {
            Side::Ours | Side::Both => ours,
            Side::Theirs => theirs,
            Side::Base => base,
        };
        text.clone_from(&taken.text);
        taken.tokens.clone()
    }
}

/// A segment in another text of its turn.
#[derive(Clone)]
pub struct Carried {
    pub segment: Segment,
    /// Its position in its copy of the turn.
    pub origin: usize,
}

impl Carried {
    /// A segment of the base in place of one of a side, in whose copy it has no place.
    fn of_base(&self) -> Self {
        let mut of = self.clone();
        of.segment.at = Extent::default();
        of
    }
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

/// Returns the segments that a side has added or changed and that `text`, the other side's, cuts: each position in
/// the side's turn, with that of the segment in the base.
fn cut_changes(base: &Turn, side: &Turn, text: &str, units: Units) -> Vec<(usize, Option<usize>)> {
    if side.text == text {
        return Vec::new();
    }
    let was = carried(base, &side.text, units);
    let segments: Vec<Segment> = was.iter().map(|of| of.segment.clone()).collect();
    let found = pairs(&segments, &side.segments);
    let moved = side.moved_by(text, false, units).into_iter().enumerate();
    let cut = moved.filter(|(_, moved)| *moved == Some(MappedSpan::Cut));
    let unmoved = unmoved(base, side, units);
    let changed = cut.filter_map(|(at, _)| match found.old_of(at) {
        _ if unmoved.iter().any(|of| of.side == at) => None,
        Some(old) if is_same(&segments[old], &side.segments[at]) => None,
        old => Some((at, old.map(|old| was[old].origin))),
    });
    changed.collect()
}

/// A segment that is where it was, although another text should have moved it: the side that changed the text has not
/// touched it.
struct Unmoved {
    /// Its position in the base.
    base: usize,
    /// Its position in the copy of the side.
    side: usize,
}

/// Returns the segments that a side left where they were when it changed the text.
fn unmoved(base: &Turn, side: &Turn, units: Units) -> Vec<Unmoved> {
    if base.text == side.text {
        return Vec::new();
    }
    let moved = carried(base, &side.text, units);
    let mut left: Vec<usize> = (0..side.segments.len()).collect();
    let mut take = |segment: &Segment| {
        let same = left.iter().position(|at| side.segments[*at] == *segment);
        same.map(|same| left.remove(same))
    };
    let moved: Vec<_> =
        moved.iter().filter(|of| take(&of.segment).is_some()).map(|of| of.origin).collect();
    let others = base.segments.iter().enumerate();
    let others = others.filter(|(at, _)| !moved.contains(at));
    let unmoved = others.filter_map(|(base, segment)| {
        let side = take(segment)?;
        Some(Unmoved { base, side })
    });
    unmoved.collect()
}

/// Lets the segments that a side has left where they were be those of the base: in its own text where they are, in
/// another one where their words are. The turns are those of the base, the side and the other side, the lists those of
/// both sides.
fn leave(
    was: &mut Vec<Carried>,
    [base, side, others]: [&Turn; 3],
    [own, other]: [&mut Vec<Carried>; 2],
    text: &str,
    units: Units,
) {
    for of in unmoved(base, side, units) {
        let old = was.iter_mut().find(|was| was.origin == of.base);
        if side.text != text {
            match (own.iter().position(|own| own.origin == of.side), old) {
                (Some(at), Some(old)) => own[at].segment = old.segment.clone(),
                (Some(at), None) => drop(own.remove(at)),
                _ => {}
            }
        } else if let Some(old) = old {
            let here = &side.segments[of.side];
            let mut others = other.iter_mut();
            if let Some(same) = others.find(|other| other.segment == old.segment) {
                same.segment = here.clone();
            }
            old.segment = here.clone();
        } else {
            // Another text would have taken it away from both.
            let here = Carried { segment: side.segments[of.side].clone(), origin: of.base };
            let mut there = others.segments.iter();
            let origin = there.position(|there| *there == base.segments[of.base]);
            other.extend(origin.map(|origin| Carried { origin, ..here.clone() }));
            was.push(here);
        }
    }
}

/// True if a segment covers the same with the same labels.
fn is_same(old: &Segment, new: &Segment) -> bool {
    let names = |of: &Segment| of.labels.iter().map(|label| label.name.clone()).collect::<Vec<_>>();
    old.span == new.span && names(old) == names(new)
}

/// Adds the segments `was` of the base to those of a side of which its own text left nothing: it took them away with the
/// text, which is not the one that stays.
fn restore(was: &[Carried], base: &Turn, side: &Turn, segments: &mut Vec<Carried>, units: Units) {
    let left = carried(base, &side.text, units);
    let is_gone = |of: &&Carried| left.iter().all(|other| other.origin != of.origin);
    let is_there =
        |of: &&Carried| segments.iter().any(|other| is_same(&other.segment, &of.segment));
    let gone = was.iter().filter(is_gone).filter(|of| !is_there(of));
    let gone: Vec<_> = gone.map(Carried::of_base).collect();
    segments.extend(gone);
}
