//! Which element of one copy of a dialog is which of another, as the models tell: one number for each, its class.

use std::collections::HashMap;

use super::elements::call_id;
use super::list::{Element, Side};
use super::pairs::{Pairs, pairs};
use super::three::Three;
use crate::dialog::{ApiCall, Dialog, Payload, Turn};
use crate::json::Value;

/// A turn in three copies, by its positions there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnRow {
    pub at: Three<Option<usize>>,
    /// One copy has another turn in its place, or both sides have added it: then it is one value, and is not merged in
    /// parts.
    pub is_whole: bool,
}

/// Pairs the turns of three copies, of two each by `pair`. Without a base the turns of both sides are paired with each
/// other.
pub fn turn_rows(
    base: Option<&Dialog>,
    ours: &Dialog,
    theirs: &Dialog,
    pair: fn(&[Turn], &[Turn]) -> Pairs,
) -> Vec<TurnRow> {
    let Some(base) = base else {
        let found = pair(&ours.turns, &theirs.turns);
        let row = |own, new| TurnRow { at: Three::new(None, own, new), is_whole: false };
        let both = found.both.iter().map(|(own, new)| row(Some(*own), Some(*new)));
        let own = found.removed.iter().map(|own| row(Some(*own), None));
        let new = found.added.iter().map(|new| row(None, Some(*new)));
        return both.chain(own).chain(new).collect();
    };
    let mine = pair(&base.turns, &ours.turns);
    let other = pair(&base.turns, &theirs.turns);
    let (mut own_added, mut new_added) = (mine.added.clone(), other.added.clone());
    let mut rows = Vec::new();
    for was in 0..base.turns.len() {
        let (mut own, mut new) = (mine.new_of(was), other.new_of(was));
        let instead = [mine.instead_of(was), other.instead_of(was)];
        // What is in place of a turn that the other side still has, or has replaced, too.
        let is_whole = match (own, new, instead) {
            (None, Some(_), [Some(instead), _]) => {
                own = Some(instead);
                true
            }
            (Some(_), None, [_, Some(instead)]) => {
                new = Some(instead);
                true
            }
            (None, None, [Some(one), Some(another)]) => {
                (own, new) = (Some(one), Some(another));
                true
            }
            _ => false,
        };
        if is_whole {
            own_added.retain(|at| Some(*at) != own);
            new_added.retain(|at| Some(*at) != new);
        }
        rows.push(TurnRow { at: Three::new(Some(was), own, new), is_whole });
    }
    // Those that both have added at one place, and that say the same or have one call.
    for own in own_added {
        let same = new_added.iter().position(|new| {
            let (one, another) = (&ours.turns[own], &theirs.turns[*new]);
            let is_at_one_place = || gap(&mine, own) == gap(&other, *new);
            has_call_of(one, another)
                || !one.text.is_empty() && one.text == another.text && is_at_one_place()
        });
        let new = same.map(|same| new_added.remove(same));
        let at = Three::new(None, Some(own), new);
        rows.push(TurnRow { at, is_whole: new.is_some() });
    }
    let added = new_added.into_iter().map(|new| Three::new(None, None, Some(new)));
    rows.extend(added.map(|at| TurnRow { at, is_whole: false }));
    let dialogs = Three::new(base, ours, theirs);
    for row in &mut rows {
        let turns = row.at.zip(dialogs).map(|(at, dialog)| Some(&dialog.turns[at?]));
        row.is_whole |= turns.all().is_some_and(meet_in_calls);
    }
    rows
}

/// True if both sides have added calls of which each is several elements, as in Taskmaster-4: those of two calls would
/// become one call.
fn meet_in_calls(turns: Three<&Turn>) -> bool {
    let added = |side: &'_ Turn| -> Vec<ApiCall> {
        let added = pairs(&turns.base.calls, &side.calls).added.into_iter();
        added.map(|at| side.calls[at].clone()).collect()
    };
    let is_scattered = |call: &ApiCall| match call.arguments {
        Some(Payload::Embedded { at, .. }) => at.is_placed() && !call.at.holds(at),
        _ => false,
    };
    let (own, new) = (added(turns.ours), added(turns.theirs));
    !own.is_empty() && !new.is_empty() && own != new && own.iter().chain(&new).any(is_scattered)
}

/// Returns how many turns of the base are before a new one.
fn gap(pairs: &Pairs, new: usize) -> usize {
    let before = pairs.both.iter().rev().find(|(_, is)| *is < new);
    before.map_or(0, |(was, _)| was + 1)
}

/// True if two turns have a call with one id: answers name it.
fn has_call_of(one: &Turn, other: &Turn) -> bool {
    let mut ids = one.calls.iter().filter_map(call_id);
    ids.any(|id| other.calls.iter().any(|call| call_id(call) == Some(id)))
}

/// The kind of an element that models tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Turn,
    Segment,
    Label,
    Act,
    Call,
    Vote,
    State,
    Value,
}

/// The element of a class in one copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Member {
    start: u32,
    turn: usize,
    /// Its position in the list of its kind.
    at: usize,
}

/// An element in the copies that have it.
#[derive(Clone, Copy, Debug)]
struct Class {
    kind: Kind,
    members: Three<Option<Member>>,
    is_whole: bool,
}

/// The classes of the elements of three copies of a dialog.
#[derive(Default)]
pub struct Classes {
    all: Vec<Class>,
    /// The class of the element that begins at a byte of a copy.
    by_start: Three<HashMap<u32, usize>>,
    /// The class of each row of turns.
    pub of_rows: Vec<usize>,
    /// The calls that the sides have added with one id, each at its own place, or the answers of one: they name the id.
    pub rivals: Vec<Rivals>,
}

/// Two calls with one id, or two answers of one call, by where they begin in ours and in theirs.
#[derive(Clone, Debug)]
pub struct Rivals {
    pub starts: [u32; 2],
    pub said: [String; 2],
    /// The turn of the call whose answers they are.
    pub turn: Option<usize>,
}

impl Classes {
    pub fn of(dialogs: Three<&Dialog>, rows: &[TurnRow]) -> Self {
        let mut classes = Self::default();
        for row in rows {
            let turns = row.at.zip(dialogs).map(|(at, dialog)| Some((at?, dialog.turns.get(at?)?)));
            let members = turns.map(|of| {
                let (at, turn) = of?;
                Some(Member { start: turn.whole().start, turn: at, at })
            });
            let placed = turns.map(|of| of.is_some_and(|(_, turn)| turn.whole().is_placed()));
            let members = members.zip(placed).map(|(of, is_placed)| of.filter(|_| is_placed));
            let class = classes.add(Class { kind: Kind::Turn, members, is_whole: row.is_whole });
            classes.of_rows.push(class);
            if !row.is_whole {
                classes.elements(turns);
            }
        }
        classes.rivals = classes.calls_of_one_id(dialogs);
        classes
    }

    fn calls_of_one_id(&self, dialogs: Three<&Dialog>) -> Vec<Rivals> {
        let calls = |dialog: &'_ Dialog| -> Vec<ApiCall> {
            let calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
            calls.filter(|call| call_id(call).is_some() && call.at.is_placed()).cloned().collect()
        };
        let Three { base, ours, theirs } = dialogs.map(calls);
        let has = |all: &[ApiCall], one: &ApiCall| all.iter().any(|of| call_id(of) == call_id(one));
        let added = ours.iter().filter(|call| has(&theirs, call) && !has(&base, call));
        let rivals = added.filter_map(|one| {
            let other = theirs.iter().find(|other| call_id(other) == call_id(one))?;
            let starts = [one.at.start, other.at.start];
            let classes =
                [self.by_start.ours.get(&starts[0]), self.by_start.theirs.get(&starts[1])];
            let said = [one.said(), other.said()];
            let turn = |copy: Side, call: &ApiCall| {
                let mut turns = dialogs.of(copy).turns.iter();
                let turn = turns.find(|turn| turn.whole().holds(call.at))?;
                self.class_at(copy, turn.whole().start)
            };
            let turns = [turn(Side::Ours, one), turn(Side::Theirs, other)];
            if classes[0] != classes[1] || classes[0].is_none() && turns[0] != turns[1] {
                return Some(Rivals { starts, said, turn: None });
            }
            let starts = [one.response_place()?.start, other.response_place()?.start];
            Some(Rivals { starts, said, turn: turns[0] })
        });
        rivals.collect()
    }

    /// Adds an element, and returns its class. Elements that begin where a known one does are that one.
    fn add(&mut self, new: Class) -> usize {
        let known = |copy: Side, member: Member| self.by_start.of(copy).get(&member.start).copied();
        let mut members = Three::<()>::COPIES.into_iter();
        let known = members.find_map(|copy| known(copy, (*new.members.of(copy))?));
        let number = known.unwrap_or_else(|| {
            self.all.push(Class { members: Three::default(), ..new });
            self.all.len() - 1
        });
        for copy in Three::<()>::COPIES {
            let Some(member) = *new.members.of(copy) else {
                continue;
            };
            let class = &mut self.all[number];
            if self.by_start.of(copy).contains_key(&member.start) {
                continue;
            }
            let own = class.members.of_mut(copy);
            if own.is_none() {
                *own = Some(member);
                class.is_whole &= new.is_whole;
                self.by_start.of_mut(copy).insert(member.start, number);
            }
        }
        number
    }

    fn elements(&mut self, turns: Three<Option<(usize, &Turn)>>) {
        self.list(Kind::Segment, turns, |turn| &turn.segments);
        self.list(Kind::Act, turns, |turn| &turn.acts);
        self.list(Kind::Vote, turns, |turn| &turn.votes);
        self.list(Kind::State, turns, |turn| turn.state.as_deref().unwrap_or_default());
        let found = self.list(Kind::Call, turns, |turn| &turn.calls);
        for at in found {
            let calls = turns.zip(at).map(|(of, at)| {
                let (number, turn) = of?;
                Some((number, turn.calls.get(at?)?))
            });
            for of in
                [|call: &ApiCall| call.arguments.clone(), |call: &ApiCall| call.response.clone()]
            {
                let fields = calls.map(|of_turn| {
                    let (number, call) = of_turn?;
                    match of(call) {
                        Some(Payload::Fields(fields)) => Some((number, fields)),
                        _ => None,
                    }
                });
                let fields = fields.as_ref().map(|of| of.as_ref().map(|(at, all)| (*at, &all[..])));
                self.matched(Kind::Value, fields);
            }
        }
        for copy in Three::<()>::COPIES {
            let segments = turns.of(copy).iter().flat_map(|(_, turn)| &turn.segments);
            let labels: Vec<_> = segments.flat_map(|of| &of.labels).map(|of| of.at).collect();
            for at in labels.into_iter().filter(|at| at.is_placed()) {
                let mut members = Three::default();
                *members.of_mut(copy) = Some(Member { start: at.start, turn: 0, at: 0 });
                self.add(Class { kind: Kind::Label, members, is_whole: false });
            }
        }
    }

    fn list<E: Element>(
        &mut self,
        kind: Kind,
        turns: Three<Option<(usize, &Turn)>>,
        of: impl Fn(&Turn) -> &[E],
    ) -> Vec<Three<Option<usize>>> {
        self.matched(kind, turns.map(|turn| turn.map(|(number, turn)| (number, of(turn)))))
    }

    /// Adds the elements of a list of a turn; returns the positions of each in the copies.
    fn matched<E: Element>(
        &mut self,
        kind: Kind,
        lists: Three<Option<(usize, &[E])>>,
    ) -> Vec<Three<Option<usize>>> {
        let all = lists.map(|of| of.map_or(&[][..], |(_, list)| list));
        let found = matches(all);
        for Match { at, is_rival } in &found {
            let members = at.zip(lists).map(|(at, of)| {
                let ((turn, list), at) = of.zip(at)?;
                let place = list[at].place();
                place.is_placed().then_some(Member { start: place.start, turn, at })
            });
            // A comment is about the label that its vote gives.
            let is_whole = *is_rival || kind == Kind::Vote;
            self.add(Class { kind, members, is_whole });
        }
        found.into_iter().map(|of| of.at).collect()
    }

    /// Returns the class of a value, if it is an element that a model tells.
    pub fn class_of(&self, copy: Side, value: Value<'_>) -> Option<usize> {
        self.by_start.of(copy).get(&value.range().start).copied()
    }

    /// Returns the class of the element that begins at a byte of a copy.
    pub fn class_at(&self, copy: Side, start: u32) -> Option<usize> {
        self.by_start.of(copy).get(&start).copied()
    }

    pub fn kind(&self, class: usize) -> Kind {
        self.all[class].kind
    }

    /// True if an element is one value, which is not merged in parts.
    pub fn is_whole(&self, class: usize) -> bool {
        self.all[class].is_whole
    }

    /// True if an element is in more than one copy.
    pub fn is_shared(&self, class: usize) -> bool {
        let members = self.all[class].members.into_array();
        members.into_iter().flatten().count() > 1
    }

    /// Returns the first byte of an element in the copies.
    pub fn starts(&self, class: usize) -> Three<Option<u32>> {
        self.all[class].members.map(|of| of.map(|of| of.start))
    }

    /// Returns the positions of the turn of an element in the copies.
    pub fn turns(&self, class: usize) -> Three<Option<usize>> {
        self.all[class].members.map(|of| of.map(|of| of.turn))
    }

    /// Returns an element of the copies in the dialogs.
    pub fn in_dialogs<'d, E>(
        &self,
        class: usize,
        dialogs: Three<&'d Dialog>,
        of: impl Fn(&'d Turn) -> &'d [E],
    ) -> Three<Option<&'d E>> {
        self.all[class].members.zip(dialogs).map(|(member, dialog)| {
            let member = member?;
            of(dialog.turns.get(member.turn)?).get(member.at)
        })
    }
}

/// An element of a list in three copies, by its positions there.
struct Match {
    at: Three<Option<usize>>,
    /// Both sides have added it, and not alike, but only one of both can be right; or a side has another in its place.
    is_rival: bool,
}

/// Pairs the elements of a list in three copies. What one side has added is new on the other side, too, and not what an
/// element of the base has become.
fn matches<E: Element>(lists: Three<&[E]>) -> Vec<Match> {
    let Three { base, ours, theirs } = lists;
    let (mut mine, mut other) = (pairs(base, ours), pairs(base, theirs));
    let added = |found: &Pairs, list: &[E]| {
        let added = found.added.iter().map(|at| list[*at].clone());
        added.filter(|of| !of.is_unread()).collect::<Vec<_>>()
    };
    let (of_ours, of_theirs) = (added(&mine, ours), added(&other, theirs));
    mine.part(|was, own| base[was] != ours[own] && of_theirs.contains(&ours[own]));
    other.part(|was, new| base[was] != theirs[new] && of_ours.contains(&theirs[new]));
    let mut found: Vec<Match> = Vec::new();
    for was in 0..base.len() {
        let (mut own, mut new) = (mine.new_of(was), other.new_of(was));
        // What is there instead, such as one with another name.
        let mut is_rival = false;
        let sides = [
            (&mut own, &mut mine.added, ours, &of_theirs),
            (&mut new, &mut other.added, theirs, &of_ours),
        ];
        for (side, added, list, others) in sides {
            let is_other = |at: &usize| *at == was && !others.contains(&list[*at]);
            if side.is_none() && added.iter().any(is_other) {
                *side = Some(was);
                added.retain(|at| *at != was);
                is_rival = true;
            }
        }
        found.push(Match { at: Three::new(Some(was), own, new), is_rival });
    }
    let mut rest = other.added.clone();
    // Equal ones first, so that in either order of the sides the same are paired.
    let mut of_own = vec![None; ours.len()];
    for is_same in
        [|one: &E, another: &E| one == another, |one: &E, another: &E| one.is_rival(another)]
    {
        for own in &mine.added {
            let one = &ours[*own];
            let same = rest.iter().position(|new| is_same(one, &theirs[*new]));
            if of_own[*own].is_none() && !one.is_unread() {
                of_own[*own] = same.map(|same| rest.remove(same));
            }
        }
    }
    for own in mine.added {
        let new = of_own[own];
        let is_rival = new.is_some_and(|new| ours[own] != theirs[new]);
        found.push(Match { at: Three::new(None, Some(own), new), is_rival });
    }
    let added = rest.into_iter().map(|new| Three::new(None, None, Some(new)));
    found.extend(added.map(|at| Match { at, is_rival: false }));
    found
}
