//! Merges the list of turns: which ones the merged dialog has, of those that the sides have added, removed and replaced.

use super::{Merging, TurnCopies};
use crate::compare::list::{Element, Side};
use crate::compare::pairs::Pairs;
use crate::compare::turns::aligned;
use crate::dialog::{ApiCall, Content, Dialog, Edit, Short, Turn};
use crate::text::quoted;

/// The turns that the other side changes.
struct TurnChanges {
    /// The positions in ours of those that it removes.
    removed: Vec<usize>,
    /// The positions in theirs of those that it adds.
    added: Vec<usize>,
    /// Those of them that are to be as the base has them.
    restored: Vec<usize>,
}

impl Merging<'_> {
    /// Removes and adds the turns that the other side has removed and added; returns the copies of each turn.
    pub(super) fn turns(
        &mut self,
        dialog: &mut Dialog,
        base: &Dialog,
        ours: &Dialog,
        theirs: &Dialog,
    ) -> Vec<TurnCopies> {
        let mine = aligned(&base.turns, &ours.turns);
        let other = aligned(&base.turns, &theirs.turns);
        let [renumbered, others] = [(&mine, ours), (&other, theirs)]
            .map(|(pairs, side)| self.renumbered(pairs, &base.turns, &side.turns));
        let of_ours = |own: usize| {
            let base = mine.old_of(own);
            let theirs = base.and_then(|base| other.new_of(base));
            TurnCopies {
                base,
                ours: Some(own),
                theirs,
                renumbered: [
                    renumbered.contains(&own),
                    theirs.is_some_and(|theirs| others.contains(&theirs)),
                ],
            }
        };
        let mut of: Vec<TurnCopies> = (0..ours.turns.len()).map(of_ours).collect();
        let dialogs = [base, ours, theirs];
        let TurnChanges { mut removed, mut added, restored } =
            self.changes(dialogs, [&mine, &other], &of, &others);
        added.sort_unstable();
        // Behind the nearest turn before it that is still there.
        let place = |of: &[TurnCopies], new: usize| {
            let is_before = |of: &TurnCopies| of.theirs.is_some_and(|theirs| theirs < new);
            of.iter().rposition(is_before).map_or(0, |before| before + 1)
        };
        // First those that both have added, so that in either order of the sides they are the same.
        added.retain(|&new| {
            let at = place(&of, new);
            let mut behind = of[at..].iter_mut().take_while(|of| of.theirs.is_none());
            let same = behind.find(|of| {
                let own = of.ours.filter(|own| mine.added.contains(own));
                own.is_some_and(|own| self.is_added(&ours.turns[own], &theirs.turns[new]))
            });
            let Some(same) = same else {
                return true;
            };
            same.theirs = Some(new);
            false
        });
        added.retain(|&new| {
            let at = place(&of, new);
            let mut behind = of[at..].iter().take_while(|of| of.theirs.is_none());
            let is_like = |own: &usize| is_like_added(&ours.turns[*own], &theirs.turns[new]);
            let like = behind
                .find_map(|of| of.ours.filter(|own| mine.added.contains(own) && is_like(own)));
            let Some(own) = like.filter(|_| !self.asks_all) else {
                return true;
            };
            self.turn = Some(own);
            let [one, other] = distinguished(&ours.turns[own], &theirs.turns[new]);
            match self.conflict("turn", [None, Some(one), Some(other)]) {
                Side::Ours | Side::Base => false,
                Side::Theirs => {
                    removed.push(own);
                    true
                }
                Side::Both => true,
            }
        });
        for new in added {
            let at = place(&of, new);
            let was = other.old_of(new).filter(|_| restored.contains(&new));
            let turn = was.map_or(&theirs.turns[new], |was| &base.turns[was]);
            if self.asks_all {
                self.turn = Some(at.saturating_sub(1));
                if self.conflict("turn", [None, None, Some(said(turn))]) != Side::Theirs {
                    continue;
                }
            }
            // What we have added there comes first.
            let is_own = |of: &&TurnCopies| of.base.is_none() && of.theirs.is_none();
            let at = at + of[at..].iter().take_while(is_own).count();
            // It gets all of theirs below, also that it has no speaker.
            let speaker = match turn.speaker.name.as_str() {
                "" => "?".to_owned(),
                name => name.to_owned(),
            };
            let edit = Edit::AddTurn { turn: at, speaker, text: turn.text.clone() };
            if edit.apply_to(dialog).is_ok() {
                of.insert(at, TurnCopies { base: was, theirs: Some(new), ..TurnCopies::default() });
            }
        }
        self.remove_turns(dialog, &mut of, ours, &removed);
        of
    }

    /// Returns the turns that the other side removes and adds, as decided where the sides have changed and removed one.
    /// `others` are those of theirs that have another number.
    fn changes(
        &mut self,
        [base, ours, theirs]: [&Dialog; 3],
        [mine, other]: [&Pairs; 2],
        of: &[TurnCopies],
        others: &[usize],
    ) -> TurnChanges {
        let (mut removed, mut added) = (Vec::new(), other.added.clone());
        let (mut restored, mut answered) = (Vec::new(), Vec::new());
        let mut kept: Option<(&Turn, Side)> = None;
        let asks_all = self.asks_all;
        let instead = |pairs: &Pairs, was| pairs.instead_of(was).filter(|_| !asks_all);
        for (own, copies) in of.iter().enumerate() {
            let Some(was) = copies.base.filter(|was| other.removed.contains(was)) else {
                continue;
            };
            let new = instead(other, was);
            let (one, was) = (&ours.turns[own], &base.turns[was]);
            // It is the answer of a call that stays.
            if !asks_all && answered.iter().any(|at| one.at.holds(*at)) {
                continue;
            }
            // The turns of an exchange are one element: it goes as a whole or stays.
            let is_changed = |(at, copies): (usize, &TurnCopies)| {
                let turn = &ours.turns[at];
                let is_it = at == own || one.is_in_exchange_of(turn);
                let was = copies.base.filter(|was| other.removed.contains(was));
                is_it
                    && was.is_some_and(|was| {
                        copies.renumbered[0]
                            || self.touched.ours.contains(&was)
                            || !self.says_same(turn, &base.turns[was])
                    })
            };
            if !asks_all && !of.iter().enumerate().any(is_changed) {
                removed.push(own);
                continue;
            }
            self.turn = Some(own);
            let new_turn = new.map(|new| said(&theirs.turns[new]));
            let of_exchange = kept.filter(|(kept, _)| !asks_all && one.is_in_exchange_of(kept));
            let side = match of_exchange {
                Some((_, side)) => side,
                None => {
                    let [was, one] = distinguished(was, one);
                    self.conflict("turn", [Some(was), Some(one), new_turn])
                }
            };
            kept = Some((one, side));
            match side {
                Side::Theirs => removed.push(own),
                Side::Ours | Side::Base => added.retain(|at| Some(*at) != new),
                Side::Both => {}
            }
            if side != Side::Theirs {
                answered.extend(one.calls.iter().filter_map(ApiCall::response_place));
            }
        }
        // With a call that stays its answer stays.
        removed.retain(|own| !answered.iter().any(|at| ours.turns[*own].at.holds(*at)));
        // Turns that we have removed, but they have changed.
        for (was, new) in &other.both {
            let (was_turn, new_turn) = (&base.turns[*was], &theirs.turns[*new]);
            let is_same = self.says_same(was_turn, new_turn)
                && !others.contains(new)
                && !self.touched.theirs.contains(was);
            if !mine.removed.contains(was) || is_same {
                continue;
            }
            let own = instead(mine, *was);
            self.turn = own;
            let one = own.map(|own| said(&ours.turns[own]));
            let [was_said, new_said] = distinguished(was_turn, new_turn);
            let side = self.conflict("turn", [Some(was_said), one, Some(new_said)]);
            if side != Side::Ours {
                added.push(*new);
            }
            if side == Side::Base {
                restored.push(*new);
            }
            removed.extend(own.filter(|_| side == Side::Theirs));
        }
        // Turns in place of which both have another one.
        for was in mine.removed.iter().filter(|was| other.removed.contains(was)) {
            let (Some(own), Some(new)) = (instead(mine, *was), instead(other, *was)) else {
                continue;
            };
            let (one, new_turn) = (&ours.turns[own], &theirs.turns[new]);
            if self.is_added(one, new_turn) {
                continue;
            }
            self.turn = Some(own);
            let copies = [&base.turns[*was], one, new_turn];
            match self.conflict("turn", copies.map(|turn| Some(said(turn)))) {
                Side::Theirs => removed.push(own),
                Side::Ours | Side::Base => added.retain(|at| *at != new),
                Side::Both => {}
            }
        }
        TurnChanges { removed, added, restored }
    }

    /// Removes the turns of ours that the other side has removed.
    fn remove_turns(
        &mut self,
        dialog: &mut Dialog,
        of: &mut Vec<TurnCopies>,
        ours: &Dialog,
        removed: &[usize],
    ) {
        // Last, because a dialog never is without turns.
        for turn in (0..of.len()).rev() {
            let own = of[turn].ours.filter(|own| removed.contains(own));
            let Some(own) = own else {
                continue;
            };
            if (Edit::RemoveTurn { turn }).apply_to(dialog).is_ok() {
                of.remove(turn);
            } else if !self.asks_all {
                // The other side has removed all that we have left.
                let turn = Some(said(&ours.turns[own]));
                self.turn = Some(own);
                self.conflict("turn", [turn.clone(), turn, None]);
            }
        }
    }

    /// Returns the positions of the turns of a side that have another number, and not because of the turns before them.
    fn renumbered(&self, pairs: &Pairs, base: &[Turn], side: &[Turn]) -> Vec<usize> {
        let count = |all: &[usize], before: usize| {
            let before = all.iter().filter(|at| **at < before).count();
            i64::try_from(before).unwrap_or(i64::MAX)
        };
        let is_renumbered = |(was, is): &(usize, usize)| {
            let (one, other) = (&base[*was], &side[*is]);
            let by = count(&pairs.added, *is) - count(&pairs.removed, *was);
            let is_moved = |was: Option<i64>, is: Option<i64>| {
                was.zip(is).is_some_and(|(was, is)| was.saturating_add(by) == is)
            };
            let index = |turn: &Turn| turn.index.map(i64::from);
            let field = |turn: &Turn, name: &Short| {
                let mut fields = turn.fields.iter();
                let field = fields.find(|field| field.name == *name);
                field.map(|field| field.content.clone())
            };
            let number = |content: &Option<Content>| content.as_ref()?.as_str().parse().ok();
            let mut fields =
                self.counting.iter().map(|name| [field(one, name), field(other, name)]);
            // The turns of an exchange have one number.
            let is_known = by == 0 || one.exchange.end == 0;
            let is_other_index = one.index != other.index && !is_moved(index(one), index(other));
            is_known
                && (is_other_index
                    || fields.any(|[one, other]| {
                        one != other && !is_moved(number(&one), number(&other))
                    }))
        };
        let both = pairs.both.iter().filter(|pair| is_renumbered(pair));
        both.map(|(_, is)| *is).collect()
    }

    /// True if two turns that both sides have added are one, although another may speak.
    fn is_added(&self, one: &Turn, other: &Turn) -> bool {
        let mut alike = one.clone();
        if !self.asks_all && !one.text.is_empty() {
            alike.speaker.clone_from(&other.speaker);
        }
        self.says_same(&alike, other)
    }
}

pub(super) fn said(turn: &Turn) -> String {
    let speaker = &turn.speaker.name;
    let calls: Vec<_> = turn.calls.iter().map(ApiCall::said).collect();
    if calls.is_empty() || !turn.text.is_empty() {
        format!("{speaker}: {}", quoted(&turn.text))
    } else {
        format!("{speaker}: {}", calls.join(", "))
    }
}

/// Returns two copies of a turn in short, with what only one of them has if that is not in their texts.
pub(super) fn distinguished(one: &Turn, other: &Turn) -> [String; 2] {
    let parts = |turn: &Turn| -> Vec<String> {
        let segments = turn.segments.iter().map(Element::said);
        let acts = turn.acts.iter().map(Element::said);
        let votes = turn.votes.iter().map(Element::said);
        let fields = turn.fields.iter().map(Element::said);
        segments.chain(acts).chain(votes).chain(fields).collect()
    };
    let said = [said(one), said(other)];
    if said[0] != said[1] {
        return said;
    }
    let parts = [parts(one), parts(other)];
    let own = |of: usize| -> Vec<&str> {
        let own = parts[of].iter().filter(|part| !parts[1 - of].contains(part));
        own.map(String::as_str).collect()
    };
    let [mut own, mut others] = [own(0), own(1)];
    if own.is_empty() && others.is_empty() {
        others.push("changed");
    }
    let [one, other] = said;
    own.insert(0, &one);
    others.insert(0, &other);
    [own.join(", "), others.join(", ")]
}

/// True if two turns that both sides have added say the same, whatever they have besides.
fn is_like_added(one: &Turn, other: &Turn) -> bool {
    !one.text.is_empty() && one.text == other.text && one.speaker == other.speaker
}
