//! Brings the changes of two copies of a dialog together, given the dialog from which both come.
//!
//! Spans are compared in the merged text: if one side changes a text and the other adds a segment, the segment moves
//! with its words, as it does when a text is edited. A segment that the other side's text cuts is a conflict.
//!
//! The result is a dialog; [`differences`](super::differences) says which edits make our copy say the same.

mod text;
mod turn_list;

use std::collections::BTreeSet;

pub(super) use self::text::carried;
use self::turn_list::{distinguished, said};
use super::differences::Unsaid;
use super::elements::call_id;
use super::list::{Disputed, Element, Side, chosen_list, merged_list};
use crate::dialog::{
    ApiCall, Breakdown, Content, Detection, Dialog, Extent, Segment, Short, Speaker, Turn,
};
use crate::text::Units;

/// Two copies in one.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    pub dialog: Dialog,
    pub conflicts: Vec<Conflict>,
    /// The copies of each turn of the dialog.
    pub turns: Vec<TurnCopies>,
    /// The turns that are as ours has them in something that both have changed and no dialog tells, with their copies.
    pub kept: Vec<(TurnCopies, Turn)>,
    /// The turns of the base of which one side was taken as a whole, although both may be merged.
    pub clashing: BTreeSet<usize>,
}

impl Merged {
    /// Gives a turn what ours has of it.
    pub(super) fn keep(&mut self, at: usize, turn: Turn) {
        if let (Some(copies), Some(merged)) = (self.turns.get(at), self.dialog.turns.get_mut(at)) {
            merged.clone_from(&turn);
            self.kept.push((*copies, turn));
        }
    }

    /// Gives the turns that were kept in another merge of the same copies what they have there.
    pub(super) fn keep_all(&mut self, kept: &[(TurnCopies, Turn)]) {
        for (copies, turn) in kept {
            if let Some(at) = self.turns.iter().position(|of| of == copies) {
                self.dialog.turns[at].clone_from(turn);
            }
        }
    }

    /// Gives the turns the numbers that those of a dialog have, which was written as this one.
    pub(super) fn take_numbers(&mut self, of: &Dialog) {
        let counting = of.counting_fields();
        let turns = self.dialog.turns.iter_mut().zip(&of.turns);
        for ((turn, like), copies) in turns.zip(&self.turns) {
            if !copies.is_renumbered() {
                *turn = numbered(turn, like, &counting);
            }
        }
    }
}

/// Something that both sides have changed, and not in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The position of the turn in the merged dialog; None if it is about the whole dialog.
    pub turn: Option<usize>,
    /// The kind of thing: "segment", "text", "vote".
    pub part: &'static str,
    /// As the base has it, in short; None if it has none.
    pub base: Option<String>,
    pub ours: Option<String>,
    pub theirs: Option<String>,
}

impl Conflict {
    /// Adds what else is decided with it.
    fn also(&mut self, parts: [Option<String>; 3]) {
        let sides = [&mut self.base, &mut self.ours, &mut self.theirs];
        for (side, part) in sides.into_iter().zip(parts) {
            if let (Some(side), Some(part)) = (side, part)
                && !side.contains(&part)
            {
                side.push_str(", ");
                side.push_str(&part);
            }
        }
    }
}

/// The kind of a conflict about what cannot be written.
pub const UNWRITTEN: &str = "other";

/// Returns the conflict that a change of theirs is if it cannot be written beside ours.
pub fn unwritten(Unsaid { turn, part }: Unsaid) -> Conflict {
    Conflict {
        turn,
        part: UNWRITTEN,
        base: None,
        ours: Some("as it was".to_owned()),
        theirs: Some(format!("{part} changed, which cannot be written into ours")),
    }
}

/// Returns our copy with the changes that their copy makes to `base`. `decide` returns the side to take in a
/// conflict, given its number from 0.
pub fn merge(
    base: &Dialog,
    ours: &Dialog,
    theirs: &Dialog,
    decide: &dyn Fn(usize) -> Side,
) -> Merged {
    merge_touched([base, ours, theirs], &Touched::default(), decide)
}

/// The turns of the base that the sides have changed in something that no dialog tells, by their positions there.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    pub ours: BTreeSet<usize>,
    pub theirs: BTreeSet<usize>,
    /// Those in which something would be lost if they were merged part by part: one side is taken.
    pub clashing: BTreeSet<usize>,
}

/// As [`merge`] of the base, ours and theirs.
pub fn merge_touched(
    copies @ [_, ours, _]: [&Dialog; 3],
    touched: &Touched,
    decide: &dyn Fn(usize) -> Side,
) -> Merged {
    let mut merging = Merging::new(ours, decide);
    merging.touched = touched.clone();
    merging.all(copies)
}

/// Returns our copy with those differences of theirs that `decide` takes, given the number of each from 0. All
/// differences are among the conflicts.
pub fn choose(ours: &Dialog, theirs: &Dialog, decide: &dyn Fn(usize) -> Side) -> Merged {
    let mut choosing = Merging::new(ours, decide);
    choosing.asks_all = true;
    choosing.all([ours, ours, theirs])
}

/// The positions of a turn of the merged dialog in the copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnCopies {
    pub base: Option<usize>,
    pub ours: Option<usize>,
    pub theirs: Option<usize>,
    /// True for ours and for theirs if it has another number there, and not because of the turns before it.
    pub renumbered: [bool; 2],
}

impl TurnCopies {
    pub fn is_renumbered(&self) -> bool {
        self.renumbered.contains(&true)
    }
}

struct Merging<'d> {
    units: Units,
    /// The fields that count the turns.
    counting: Vec<Short>,
    conflicts: Vec<Conflict>,
    decide: &'d dyn Fn(usize) -> Side,
    /// Every difference between ours and theirs is decided, and the base is ours.
    asks_all: bool,
    touched: Touched,
    /// The turn that is merged.
    turn: Option<usize>,
    /// The elements of that turn that are in conflict, by their places in our copy or in theirs, with the side taken.
    /// In some families an element is both a segment and an act: it is decided once.
    decided: Vec<(SidePlaces, Side)>,
    /// The conflict about the text of that turn, with the side taken. It decides the segments, too: another text has
    /// others.
    of_text: Option<(usize, Side)>,
}

/// The places of an element in our copy and in theirs; empty where it has none.
type SidePlaces = [Extent; 2];

/// True if both are the same element in one of the copies.
fn is_same_place(one: SidePlaces, other: SidePlaces) -> bool {
    let overlaps = |one: Extent, other: Extent| one.start < other.end && other.start < one.end;
    overlaps(one[0], other[0]) || overlaps(one[1], other[1])
}

impl<'d> Merging<'d> {
    fn new(ours: &Dialog, decide: &'d dyn Fn(usize) -> Side) -> Self {
        Self {
            units: ours.units,
            counting: ours.counting_fields(),
            conflicts: Vec::new(),
            decide,
            asks_all: false,
            touched: Touched::default(),
            turn: None,
            decided: Vec::new(),
            of_text: None,
        }
    }

    fn all(mut self, [base, ours, theirs]: [&Dialog; 3]) -> Merged {
        let mut dialog = ours.clone();
        // A side may have changed one of them.
        let counting = base.counting_fields();
        if !counting.is_empty() {
            self.counting = counting;
        }
        if !self.asks_all {
            dialog.id = self.pick("id", [&base.id, &ours.id, &theirs.id], Clone::clone);
        }
        dialog.fields = self.list(&base.fields, &ours.fields, &theirs.fields);
        let of = self.turns(&mut dialog, base, ours, theirs);
        for (position, of) in of.iter().enumerate() {
            self.turn = Some(position);
            self.decided.clear();
            self.of_text = None;
            match of {
                TurnCopies { base: Some(was), ours: Some(own), theirs: Some(new), renumbered } => {
                    let turns = [&base.turns[*was], &ours.turns[*own], &theirs.turns[*new]];
                    let merged = &mut dialog.turns[position];
                    let like = self.number(turns, merged, *renumbered);
                    *merged = self.numbered(merged, &like);
                    if self.touched.clashing.contains(was) {
                        *merged = self.whole_turn(*was, turns, merged);
                    } else {
                        self.turn(turns, merged);
                    }
                }
                TurnCopies { base: None, ours: Some(own), theirs: Some(new), .. } => {
                    // Both have added it, and perhaps not with the same speaker.
                    let (one, other) = (&ours.turns[*own], &theirs.turns[*new]);
                    let base = Turn { speaker: Speaker::default(), ..one.clone() };
                    self.turn([&base, one, other], &mut dialog.turns[position]);
                }
                TurnCopies { base: Some(was), ours: None, .. } => {
                    self.fill(&base.turns[*was], &mut dialog.turns[position])
                }
                TurnCopies { ours: None, theirs: Some(new), .. } => {
                    self.fill(&theirs.turns[*new], &mut dialog.turns[position])
                }
                TurnCopies { ours: Some(own), .. } => {
                    let turn = &mut dialog.turns[position];
                    *turn = self.numbered(&ours.turns[*own], turn);
                }
                _ => {}
            }
        }
        if !self.asks_all {
            self.ids(&mut dialog, &of, [base, ours, theirs]);
        }
        Merged {
            dialog,
            conflicts: self.conflicts,
            turns: of,
            kept: Vec::new(),
            clashing: self.touched.clashing,
        }
    }

    /// Lets one of two calls stay that the sides have added with the same id: answers name it.
    fn ids(&mut self, dialog: &mut Dialog, of: &[TurnCopies], [base, ours, theirs]: [&Dialog; 3]) {
        for (own, mine) in calls(ours) {
            let Some(id) = call_id(mine) else {
                continue;
            };
            let is_it = |(_, call): &(usize, &ApiCall)| call_id(call) == Some(id);
            let Some((new, other)) = calls(theirs).find(is_it) else {
                continue;
            };
            if calls(base).any(|call| is_it(&call)) || calls(dialog).filter(is_it).count() < 2 {
                continue;
            }
            let own = of.iter().position(|of| of.ours == Some(own));
            let new = of.iter().position(|of| of.theirs == Some(new));
            self.turn = new;
            let said = [None, Some(mine.said()), Some(other.said())];
            let (turn, gone) = match self.conflict(ApiCall::NAME, said) {
                Side::Ours => (new, Some(other)),
                Side::Theirs => (own, Some(mine)),
                Side::Both | Side::Base => (None, None),
            };
            if let Some(turn) = turn {
                let calls = &mut dialog.turns[turn].calls;
                let at = calls.iter().rposition(|call| Some(call) == gone);
                at.map(|at| calls.remove(at));
            }
        }
    }

    fn conflict(&mut self, part: &'static str, said: [Option<String>; 3]) -> Side {
        let is_marked = matches!(part, "text" | "tokens" | Segment::NAME);
        if let Some((number, side)) = self.of_text.filter(|_| is_marked) {
            self.conflicts[number].also(said);
            return side;
        }
        let number = self.conflicts.len();
        let side = (self.decide)(number);
        if part == "text" {
            self.of_text = Some((number, side));
        }
        let [base, ours, theirs] = said;
        let base = base.filter(|_| !self.asks_all);
        self.conflicts.push(Conflict { turn: self.turn, part, base, ours, theirs });
        side
    }

    fn pick<T: PartialEq + Clone>(
        &mut self,
        part: &'static str,
        [base, ours, theirs]: [&T; 3],
        say: impl Fn(&T) -> String,
    ) -> T {
        let side = if ours == theirs || theirs == base {
            Side::Ours
        } else if ours == base && !self.asks_all {
            Side::Theirs
        } else {
            let said = [base, ours, theirs].map(|copy| Some(say(copy)));
            self.conflict(part, said)
        };
        let taken = match side {
            Side::Ours | Side::Both => ours,
            Side::Theirs => theirs,
            Side::Base => base,
        };
        taken.clone()
    }

    fn list<E: Element>(&mut self, base: &[E], ours: &[E], theirs: &[E]) -> Vec<E> {
        let asks_all = self.asks_all;
        let mut decide = |disputed: Disputed<'_, E>| {
            let [_, ours, theirs] =
                disputed.copies.map(|copy| copy.map(E::place).unwrap_or_default());
            let places = [ours, theirs];
            let mut decided = self.decided.iter();
            if let Some((_, side)) = decided.find(|(known, _)| is_same_place(*known, places)) {
                return *side;
            }
            let side = self.conflict(E::NAME, disputed.said());
            self.decided.push((places, side));
            side
        };
        if asks_all {
            chosen_list(ours, theirs, &mut decide)
        } else {
            merged_list(base, ours, theirs, &mut decide)
        }
    }

    /// Returns a turn with the number that the merged one, which has that of ours, is to have.
    fn number(&mut self, copies: [&Turn; 3], merged: &Turn, renumbered: [bool; 2]) -> Turn {
        let [_, ours, theirs] = copies;
        if !renumbered[1] || self.asks_all {
            return merged.clone();
        }
        let say = |turn: &Turn| {
            let fields = turn.fields.iter();
            let fields = fields.filter(|field| self.counting.contains(&field.name));
            let index = turn.index.map(|index| index.to_string());
            let said = index.into_iter().chain(fields.map(Element::said));
            said.collect::<Vec<_>>().join(", ")
        };
        let said = copies.map(say);
        if !renumbered[0] || said[1] == said[2] {
            return theirs.clone();
        }
        let side = self.conflict("number", said.map(Some));
        match side {
            Side::Theirs => theirs,
            Side::Ours | Side::Both | Side::Base => ours,
        }
        .clone()
    }

    /// True if two copies of a turn are alike but for their numbers.
    fn says_same(&self, one: &Turn, other: &Turn) -> bool {
        self.numbered(one, other) == *other
    }

    /// Returns a copy of a turn with the numbers of another one: there may be other turns before it.
    fn numbered(&self, turn: &Turn, like: &Turn) -> Turn {
        numbered(turn, like, &self.counting)
    }

    /// Fills a turn with what their copy of it has. Its numbers stay.
    fn fill(&self, theirs: &Turn, merged: &mut Turn) {
        *merged = self.numbered(theirs, merged);
    }

    /// Returns a turn as one side has it, with the number of the merged one.
    fn whole_turn(&mut self, was: usize, copies: [&Turn; 3], merged: &Turn) -> Turn {
        let [base, ours, theirs] = copies;
        let [mut one, mut other] = distinguished(ours, theirs);
        let touched = [(&self.touched.ours, &mut one), (&self.touched.theirs, &mut other)];
        for (touched, said) in touched {
            if touched.contains(&was) {
                said.push_str(", with members that no edit can write");
            }
        }
        let side = self.conflict("turn", [Some(said(base)), Some(one), Some(other)]);
        let taken = match side {
            Side::Ours | Side::Both => copies[1],
            Side::Theirs => copies[2],
            Side::Base => copies[0],
        };
        self.numbered(taken, merged)
    }

    fn turn(&mut self, copies: [&Turn; 3], merged: &mut Turn) {
        // Other turns before it may give it another number, which it then has in all copies.
        let copies = copies.map(|copy| self.numbered(copy, merged));
        let copies @ [base, ours, theirs] = [&copies[0], &copies[1], &copies[2]];
        merged.clone_from(ours);
        if theirs == base || ours == theirs {
            return;
        }
        if ours == base && !self.asks_all {
            merged.clone_from(theirs);
            return;
        }
        let speakers = copies.map(|turn| &turn.speaker);
        merged.speaker = self.pick("speaker", speakers, |speaker| speaker.name.to_string());
        self.text(copies, merged);
        merged.calls = self.list(&base.calls, &ours.calls, &theirs.calls);
        merged.acts = self.list(&base.acts, &ours.acts, &theirs.acts);
        // They are written together.
        let intents = copies.map(|turn| &turn.intents);
        merged.intents = self.pick("intent", intents, |intents| intents.join(", "));
        merged.votes = self.list(&base.votes, &ours.votes, &theirs.votes);
        merged.fields = self.list(&base.fields, &ours.fields, &theirs.fields);
        let [was, own, new] = copies.map(|turn| turn.state.as_deref().unwrap_or_default());
        let state = self.list(was, own, new);
        let [was, own, new] = copies.map(|turn| turn.state.is_some());
        // A state without slots is there as the side has it that changed this.
        let is_there = if own == was && !self.asks_all { new } else { own };
        merged.state = (is_there || !state.is_empty()).then_some(state);
        let labels = copies.map(|turn| &turn.detections);
        merged.detections = self.pick("label", labels, |labels| {
            let letter = |label: &Detection| label.breakdown.map(Breakdown::letter);
            labels.first().and_then(letter).unwrap_or("?").to_owned()
        });
    }
}

/// Returns the calls of a dialog, each with the position of its turn.
fn calls(dialog: &Dialog) -> impl Iterator<Item = (usize, &ApiCall)> {
    let turns = dialog.turns.iter().enumerate();
    turns.flat_map(|(at, turn)| turn.calls.iter().map(move |call| (at, call)))
}

/// The field of a call that is the number of its turn, where a family knows it.
const NUMBER: &str = "index";

/// Returns a copy of a turn with the numbers of another one, also in the fields `counting` and in its calls.
pub(super) fn numbered(turn: &Turn, like: &Turn, counting: &[Short]) -> Turn {
    let mut numbered = turn.clone();
    for field in &mut numbered.fields {
        let number = like.fields.iter().find(|number| number.name == field.name);
        if let Some(number) = number.filter(|_| counting.contains(&field.name)) {
            field.content.clone_from(&number.content);
        }
    }
    if let (Some(was), Some(is)) = (turn.index, like.index) {
        let was = was.to_string();
        let fields = numbered.calls.iter_mut().flat_map(|call| &mut call.fields);
        for field in fields.filter(|field| field.known && field.name == NUMBER) {
            if let Content::Raw(number) = &mut field.content
                && *number == was
            {
                *number = is.to_string().into();
            }
        }
    }
    numbered.index = like.index;
    numbered
}
