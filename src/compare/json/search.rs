//! The search for what a written text does not have as its side has it, value by value.

use std::collections::BTreeMap;

use super::{Absence, Elements, Four, Missing, WRITTEN, copy_of, in_form_of, side_of};
use crate::compare::canonical::{Numbers, canonical, is_same, renumbered};
use crate::compare::form::{in_form_beside, to_write};
use crate::compare::list::Side;
use crate::compare::pairs::Pairs;
use crate::dialog::{Dialog, Extent, Turn};
use crate::json::{Editor, NodeKind, Splice, Tree, Value};
use crate::text::diff;

/// The place of a value in the written text, or the one it would have.
pub(super) enum Place<'a> {
    Root,
    /// The object, and the key.
    Member(Value<'a>, String),
    /// The array, and the position in it.
    Element(Value<'a>, usize),
}

/// A search in four copies.
pub(super) struct Search<'a> {
    pub(super) editor: Editor<'a>,
    pub(super) prefer: Side,
    /// The keys of the numbers of turns.
    pub(super) keys: Vec<String>,
    pub(super) has_whole_lists: bool,
    /// True if theirs has the form of what is written.
    pub(super) has_form: bool,
    /// The starts of the elements of each turn in the copies. They are compared one by one.
    pub(super) turns: Vec<[Option<u32>; 4]>,
    /// The turn in which values are compared.
    pub(super) turn: Option<usize>,
    /// Its numbers in each copy, which make no difference.
    pub(super) numbers: [Numbers; 4],
    pub(super) found: Vec<Missing>,
}

impl<'a> Search<'a> {
    /// Finds that the element of a turn is not as its side has it, as a whole or in its parts.
    pub(super) fn element(&mut self, trees: [&'a Tree<'a>; 4], of: &Elements, is_whole: bool) {
        let [base, ours, theirs] = of.copies;
        let four = [base, ours, theirs, Some(of.written)];
        let mut four = four.into_iter().zip(trees);
        let four: Four<'a> = std::array::from_fn(|_| {
            let (at, tree) = four.next()?;
            tree.value_at(at?.start)
        });
        let keys: &[String] = if of.is_renumbered { &[] } else { &self.keys };
        let numbers = |value: Option<Value<'_>>| {
            value.map_or_else(Numbers::default, |value| Numbers::of(value, keys))
        };
        let numbers = four.map(numbers);
        let mut said = four.into_iter().zip(&numbers);
        let said: [Option<String>; 4] = std::array::from_fn(|_| {
            let (value, numbers) = said.next()?;
            Some(canonical(value?, Some(numbers)))
        });
        let Some(side) = side_of(&said) else {
            if !is_whole {
                self.parts(four, of, numbers);
            }
            return;
        };
        if said[copy_of(side)] == said[WRITTEN] {
            return;
        }
        if is_whole && let (Some(new), Some(now)) = (four[copy_of(side)], four[WRITTEN]) {
            let text = renumbered(new, &numbers[copy_of(side)], &numbers[WRITTEN]);
            let as_it_was = four[1].map(|mine| renumbered(mine, &numbers[1], &numbers[0]));
            let is_as_it_was = as_it_was.as_deref() == four[0].map(Value::raw);
            let has_form = side == Side::Ours || self.has_form && is_as_it_was;
            let splice = match in_form_of(now.raw(), &text).filter(|_| !has_form) {
                Some(text) => Splice::new(now.range().bytes(), text),
                None => self.replaced(now, text, has_form),
            };
            self.found.push(Missing {
                turn: of.turns.first().copied(),
                path: String::new(),
                side,
                is_free: true,
                absence: Absence::Partly,
                splice,
            });
        } else if !is_whole {
            self.parts(four, of, numbers);
        }
    }

    /// Compares the parts of the element of a turn.
    fn parts(&mut self, four: Four<'a>, of: &Elements, numbers: [Numbers; 4]) {
        let turns = std::mem::take(&mut self.turns);
        self.turn = of.turns.first().copied();
        self.numbers = numbers;
        self.value("", four, Place::Root);
        self.turns = turns;
        self.turn = None;
        self.numbers = Default::default();
    }

    /// Finds that the key of the dialog is not as its side has it.
    pub(super) fn keys(&mut self, keys: Four<'a>) {
        let said = keys.map(|key| key.map(|key| key.raw().to_owned()));
        let side = side_of(&said);
        let wanted = side.unwrap_or(Side::Theirs);
        if let (Some(new), Some(now)) = (keys[copy_of(wanted)], keys[WRITTEN])
            && new.raw() != now.raw()
        {
            self.found.push(Missing {
                turn: None,
                path: "the key of the dialog".to_owned(),
                side: wanted,
                is_free: side.is_some(),
                absence: Absence::Wholly,
                splice: Splice::new(now.range().bytes(), new.raw()),
            });
        }
    }

    /// Puts before all else of each turn several members that only one side has changed.
    pub(super) fn together(&mut self) {
        let mut turns: BTreeMap<Option<usize>, Vec<Splice>> = BTreeMap::new();
        for one in self.found.iter().filter(|one| one.is_free && !one.path.is_empty()) {
            turns.entry(one.turn).or_default().push(one.splice.clone());
        }
        let written = self.editor.tree().text();
        let several = turns.into_iter().filter_map(|(turn, changes)| {
            if changes.len() < 2 {
                return None;
            }
            let patch = self.editor.patch(changes).ok()?;
            let start = patch.splices().first()?.range.start;
            let end = patch.splices().last()?.range.end;
            let after = patch.apply(written);
            let text = &after[start..after.len() - (written.len() - end)];
            Some(Missing {
                turn,
                path: String::new(),
                side: Side::Theirs,
                is_free: true,
                absence: Absence::Partly,
                splice: Splice::new(start..end, text),
            })
        });
        let several: Vec<_> = several.collect();
        let whole = self.found.iter().take_while(|one| one.path.is_empty());
        let first = whole.count();
        self.found.splice(first..first, several);
    }

    pub(super) fn value(&mut self, path: &str, four: Four<'a>, place: Place<'a>) {
        if (0..4).any(|copy| four[copy].is_some_and(|value| self.is_turn(copy, value))) {
            return;
        }
        let [_, ours, theirs, written] = four;
        let are_same = |one: usize, other: usize| self.are_same(&four, one, other);
        let side = if are_same(2, 0) || are_same(2, 1) {
            Some(Side::Ours)
        } else {
            are_same(1, 0).then_some(Side::Theirs)
        };
        if side.is_some_and(|side| are_same(copy_of(side), WRITTEN)) {
            return;
        }
        if self.turn.is_none() && self.is_numbered_alike(four) {
            return;
        }
        let are = |kind: NodeKind| four.iter().flatten().all(|value| value.kind() == kind);
        let of_side = side.and_then(|side| four[copy_of(side)]);
        match four {
            [Some(was), Some(own), Some(new), Some(now)]
                if are(NodeKind::Object) && !of_side.is_some_and(|of| is_other(now, of)) =>
            {
                return self.members(path, [was, own, new, now]);
            }
            // A list that both sides have begun was empty before.
            [_, Some(_), Some(_), Some(now)]
                if are(NodeKind::Array)
                    && !self.has_whole_lists
                    && !of_side.is_some_and(|of| self.is_reordered(now, of)) =>
            {
                return self.elements(path, four, now);
            }
            _ => {}
        }
        // Where both have changed it, the preferred side is there before the other is missed.
        let is_free = side.is_some();
        let side = side.unwrap_or({
            if self.prefer == Side::Theirs || are_same(WRITTEN, 1) {
                Side::Theirs
            } else {
                Side::Ours
            }
        });
        let wanted = four[copy_of(side)];
        let other = match side {
            _ if is_free => 0,
            Side::Theirs => 1,
            _ => 2,
        };
        // What both make of it may be a third: a span that has moved with its words, JSON in a text.
        let is_scalar = |value: Option<Value<'a>>| {
            let kind = value.map(Value::kind);
            kind.filter(|kind| !matches!(kind, NodeKind::Object | NodeKind::Array))
        };
        let kinds = [ours, theirs, written].map(is_scalar);
        let is_third = kinds[0].is_some() && kinds.iter().all(|kind| *kind == kinds[0]);
        let is_lost = are_same(WRITTEN, other)
            || if is_free { wanted.is_some() != written.is_some() } else { !is_third };
        let mut there = four.iter().flatten().map(|value| value.kind());
        let kind = there.next();
        // A whole list that is gone is another thing than some of its elements.
        let is_member = matches!(place, Place::Member(..));
        let is_whole_list =
            is_member && kind == Some(NodeKind::Array) && four.iter().any(Option::is_none);
        let is_of_another_kind = is_whole_list || there.any(|other| Some(other) != kind);
        let is_removed = four[0].is_some() && ours.is_some() != theirs.is_some();
        let absence = match (is_lost, is_of_another_kind) {
            (false, _) => Absence::Partly,
            (true, true) => Absence::OfAnotherKind,
            (true, false) if is_removed && !is_free => Absence::Removed,
            (true, false) => Absence::Wholly,
        };
        let Some(splice) = self.splice(wanted, side, written, place) else {
            return;
        };
        self.found.push(Missing {
            turn: self.turn,
            path: path.to_owned(),
            side,
            is_free,
            absence,
            splice,
        });
    }

    /// True if two copies of a value are the same, but for the numbers of the turn.
    fn are_same(&self, four: &Four<'a>, one: usize, other: usize) -> bool {
        let said = |copy: usize| Some(canonical(four[copy]?, Some(&self.numbers[copy])));
        let raw = |copy: usize| four[copy].map(Value::raw);
        raw(one) == raw(other) || said(one) == said(other)
    }

    /// True if a value outside of all turns is as its side has it but for numbers, as a turn is that one side has removed
    /// and to which the other has given another number because of turns before it.
    fn is_numbered_alike(&self, four: Four<'a>) -> bool {
        let said = four.map(|value| {
            value.map(|value| canonical(value, Some(&Numbers::of(value, &self.keys))))
        });
        side_of(&said).is_some_and(|side| said[copy_of(side)] == said[WRITTEN])
    }

    /// True if a list has the elements of the written one in another order, and none of them is a turn.
    fn is_reordered(&self, now: Value<'a>, list: Value<'a>) -> bool {
        let texts = |list: Value<'a>| {
            let texts = list.elements().map(|element| canonical(element, None));
            let mut texts: Vec<_> = texts.collect();
            texts.sort_unstable();
            texts
        };
        let mut elements = now.elements();
        !now.is_lines()
            && !elements.any(|element| self.is_turn(WRITTEN, element))
            && texts(now) == texts(list)
    }

    fn is_turn(&self, copy: usize, value: Value<'a>) -> bool {
        let start = Some(value.range().start);
        self.turns.iter().any(|turn| turn[copy] == start)
    }

    /// Returns what each element of a list of the base has become in another copy.
    fn becomes(&self, lists: &[Vec<Value<'a>>; 4], copy: usize) -> Vec<Option<usize>> {
        let free = |of: usize| -> Vec<usize> {
            let all = lists[of].iter().enumerate();
            let free = all.filter(|(_, value)| !self.is_turn(of, **value));
            free.map(|(at, _)| at).collect()
        };
        let (old, new) = (free(0), free(copy));
        let values = |of: usize, places: &[usize]| -> Vec<Value<'a>> {
            places.iter().map(|at| lists[of][*at]).collect()
        };
        let mut all = vec![None; lists[0].len()];
        // Turns that one side has removed have other numbers in the other's copy.
        let keys: &[String] = if self.turn.is_none() { &self.keys } else { &[] };
        let found = becomes(&values(0, &old), &values(copy, &new), keys);
        for (at, now) in old.into_iter().zip(found) {
            all[at] = now.map(|now| new[now]);
        }
        let place = |of: usize, start: Option<u32>| {
            lists[of].binary_search_by_key(&start?, |value| value.range().start).ok()
        };
        for turn in &self.turns {
            if let Some(at) = place(0, turn[0]) {
                all[at] = place(copy, turn[copy]);
            }
        }
        all
    }

    /// Returns what each element of a list of the base is in what is written, which has it as a side does, if possible.
    fn written_places(
        &self,
        lists: &[Vec<Value<'a>>; 4],
        becomes: &[Vec<Option<usize>>; 4],
    ) -> Vec<Option<usize>> {
        let mut all = vec![None; lists[0].len()];
        let mut free: Vec<usize> = (0..lists[WRITTEN].len()).collect();
        let mut take = |value: Value<'a>| {
            let here = |at: &usize| lists[WRITTEN][*at];
            let is_it =
                |at| !self.is_turn(WRITTEN, here(at)) && is_same(Some(here(at)), Some(value));
            let same = free.iter().position(is_it)?;
            Some(free.remove(same))
        };
        let sides = [Side::Ours, Side::Theirs].map(copy_of);
        let of = |copy: usize, at: usize| Some(lists[copy][becomes[copy][at]?]);
        for at in 0..all.len() {
            let changed =
                sides.into_iter().filter(|copy| !is_same(of(*copy, at), Some(lists[0][at])));
            let copies = changed.chain(sides);
            all[at] = copies.filter_map(|copy| of(copy, at)).find_map(&mut take);
        }
        // What the sides have added was nothing before.
        for copy in sides {
            let added = (0..lists[copy].len()).filter(|at| !becomes[copy].contains(&Some(*at)));
            for at in added {
                take(lists[copy][at]);
            }
        }
        let left: Vec<usize> = (0..all.len()).filter(|at| all[*at].is_none()).collect();
        let mut rest = lists.clone();
        rest[0] = left.iter().map(|at| lists[0][*at]).collect();
        rest[WRITTEN] = free.iter().map(|at| lists[WRITTEN][*at]).collect();
        for (at, now) in left.into_iter().zip(self.becomes(&rest, WRITTEN)) {
            all[at] = now.map(|now| free[now]);
        }
        all
    }

    /// Returns the change that puts a text in place of a value, in its form unless it `has_form`.
    fn replaced(&self, now: Value<'a>, text: String, has_form: bool) -> Splice {
        let new = to_write(text, has_form);
        self.editor.replace_like(now, &new, Some(now))
    }

    /// Returns the change that makes what is written at a place the value of a side; None if it cannot be.
    fn splice(
        &self,
        wanted: Option<Value<'a>>,
        side: Side,
        written: Option<Value<'a>>,
        place: Place<'a>,
    ) -> Option<Splice> {
        let numbers = [&self.numbers[copy_of(side)], &self.numbers[WRITTEN]];
        let text = wanted.map(|value| renumbered(value, numbers[0], numbers[1]));
        let has_form = side == Side::Ours || self.has_form;
        Some(match (text, written, place) {
            (Some(new), Some(now), _) => self.replaced(now, new, has_form),
            (Some(new), None, Place::Member(object, key)) => {
                let new = to_write(new, has_form);
                self.editor.add_member(object, &key, &new, None)
            }
            (Some(new), None, Place::Element(array, at)) if array.is_lines() => {
                with_line(array, at, &new)
            }
            (Some(new), None, Place::Element(array, at)) => {
                let new = to_write(new, has_form);
                self.editor.insert(array, at, &[new], None)
            }
            (None, Some(_), Place::Member(object, key)) => {
                let mut keys = object.members().map(|(key, _)| key);
                let at = keys.position(|other| other.is_text(&key))?;
                self.editor.remove(object, at..at + 1)
            }
            // The only line of a file is the dialog.
            (None, Some(_), Place::Element(array, _))
                if array.is_lines() && array.elements().count() < 2 =>
            {
                return None;
            }
            (None, Some(_), Place::Element(array, at)) => self.editor.remove(array, at..at + 1),
            _ => return None,
        })
    }

    fn members(&mut self, path: &str, all: [Value<'a>; 4]) {
        let key = |(key, _): (Value<'a>, Value<'a>)| key.as_str().unwrap_or_default();
        let mut keys: Vec<_> = Vec::new();
        for key in [2, 0, 1, 3].into_iter().flat_map(|copy: usize| all[copy].members().map(key)) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        for key in keys {
            let four = all.map(|value| value.get(&key));
            let mut numbers = four.iter().zip(&self.numbers);
            let is_number = |(value, numbers): (&Option<Value<'_>>, &Numbers)| {
                value.is_none_or(|value| numbers.is_number(&key, value))
            };
            if self.turn.is_some() && numbers.all(is_number) {
                continue;
            }
            let path = joined(path, &key);
            self.value(&path, four, Place::Member(all[WRITTEN], key.into_owned()));
        }
    }

    fn elements(&mut self, path: &str, all: Four<'a>, now: Value<'a>) {
        let lists = all.map(|list| list.into_iter().flat_map(Value::elements).collect::<Vec<_>>());
        let [was, _, _, here] = &lists;
        let mut becomes: [_; 4] = std::array::from_fn(|copy| match copy {
            WRITTEN => Vec::new(),
            _ => self.becomes(&lists, copy),
        });
        becomes[WRITTEN] = self.written_places(&lists, &becomes);
        let in_now = &becomes[WRITTEN];
        let mut behind = here.len();
        // Backwards, so that what is put before an element does not move those that are still to come.
        for at in (0..was.len()).rev() {
            let four = std::array::from_fn(|copy| Some(lists[copy][becomes[copy][at]?]));
            let place = in_now[at].unwrap_or(behind);
            behind = place;
            self.value(&joined(path, &at.to_string()), four, Place::Element(now, place));
        }
        let added = |copy: usize| {
            let all = 0..lists[copy].len();
            all.filter(|at| !becomes[copy].contains(&Some(*at))).collect::<Vec<_>>()
        };
        let (mut free, mut twice) = (added(WRITTEN), added(copy_of(Side::Ours)));
        let take = |from: &mut Vec<usize>, list: &[Value<'a>], value: Value<'a>| {
            let mut all = from.iter();
            let same = all.position(|at| is_same(Some(list[*at]), Some(value)));
            same.map(|same| from.remove(same))
        };
        for side in [Side::Ours, Side::Theirs] {
            let copy = copy_of(side);
            // Where those that it has added are already.
            let mut placed = BTreeMap::new();
            for at in added(copy) {
                let value = lists[copy][at];
                // What both have added is there once.
                let is_both = side == Side::Theirs && take(&mut twice, &lists[1], value).is_some();
                if is_both {
                    continue;
                }
                if let Some(there) = take(&mut free, here, value) {
                    placed.insert(at, there);
                    continue;
                }
                let mut four = [None; 4];
                four[copy] = Some(value);
                let path = joined(path, &at.to_string());
                // It may have been changed when it was written, as a span that has moved.
                if !free.is_empty() {
                    let like = free.remove(0);
                    four[WRITTEN] = Some(here[like]);
                    self.value(&path, four, Place::Element(now, like));
                    continue;
                }
                let before = (0..at).rev().find_map(|before| {
                    if let Some(there) = placed.get(&before) {
                        return Some(*there);
                    }
                    let was = becomes[copy].iter().position(|of| *of == Some(before))?;
                    in_now[was]
                });
                let place = before.map_or(0, |before| before + 1);
                self.value(&path, four, Place::Element(now, place));
            }
        }
        for at in free {
            let four = [None, None, None, Some(here[at])];
            self.value(&joined(path, &at.to_string()), four, Place::Element(now, at));
        }
    }
}

/// Returns the turn to which a place in the element of a turn belongs: in an exchange the one that has it, or else the
/// last.
pub(super) fn turn_at(dialog: &Dialog, first: usize, place: &std::ops::Range<usize>) -> usize {
    let exchange = dialog.turns[first].exchange;
    let turns = dialog.turns.iter().enumerate().skip(first);
    let turns =
        turns.take_while(|(_, turn)| exchange.end > 0 && turn.exchange.start == exchange.start);
    let is_in = |at: &Extent| at.start as usize <= place.start && place.end <= at.end as usize;
    let has = |turn: &Turn| is_in(&turn.at) || turn.acts.iter().any(|act| is_in(&act.at));
    let found = turns.clone().find(|(_, turn)| has(turn)).or(turns.last());
    found.map_or(first, |(at, _)| at)
}

/// True if two objects have no member in common: one is in place of the other.
fn is_other(one: Value<'_>, other: Value<'_>) -> bool {
    let key = |(key, _): (Value<'_>, Value<'_>)| key.as_str().map(std::borrow::Cow::into_owned);
    let mut keys = one.members().filter_map(key);
    !keys.any(|key| other.get(&key).is_some()) && other.members().next().is_some()
}

/// Returns the change that makes a value a line of its own before line `at`, or after the last one.
fn with_line(lines: Value<'_>, at: usize, line: &str) -> Splice {
    let text = lines.tree().text();
    let like = lines.elements().next();
    let new = like.and_then(|like| in_form_beside(line, like.raw()));
    let new = new.as_deref().unwrap_or(line);
    let all: Vec<_> = lines.elements().map(|line| line.range().bytes()).collect();
    let between = all.get(..2).map_or("\n", |two| &text[two[0].end..two[1].start]);
    match (all.get(at), all.last()) {
        (Some(line), _) => Splice::new(line.start..line.start, format!("{new}{between}")),
        (None, last) => {
            let end = last.map_or(0, |last| last.end);
            Splice::new(end..end, format!("{between}{new}"))
        }
    }
}

fn joined(path: &str, key: &str) -> String {
    let part = part_of_path(key);
    if path.is_empty() { part.to_owned() } else { format!("{path}.{part}") }
}

/// Returns a key as a part of a path, which is never empty.
pub fn part_of_path(key: &str) -> &str {
    if key.is_empty() { "\"\"" } else { key }
}

/// The most pairs of elements of a list that are compared to find what has become of them.
const MOST: usize = 1 << 20;

/// Returns what each element of a list has become in another copy of it: those that are equal but for numbers with these
/// keys are the same, and between them those that have most in common. Where that is too much, they are others.
fn becomes(old: &[Value<'_>], new: &[Value<'_>], keys: &[String]) -> Vec<Option<usize>> {
    let text = |value: &Value<'_>| canonical(*value, Some(&Numbers::of(*value, keys)));
    let (old_texts, new_texts): (Vec<_>, Vec<_>) =
        (old.iter().map(text).collect(), new.iter().map(text).collect());
    let mut becomes = vec![None; old.len()];
    for change in diff(&old_texts, &new_texts) {
        let (_, before, after) = change.as_tag_tuple();
        if before.len() == after.len() {
            before.zip(after).for_each(|(at, now)| becomes[at] = Some(now));
        } else if before.len().saturating_mul(after.len()) <= MOST {
            let alike =
                |at: usize, now: usize| common(old[before.start + at], new[after.start + now]);
            let pairs = Pairs::likely_in_order(before.len(), after.len(), alike);
            for (at, now) in pairs.both {
                becomes[before.start + at] = Some(after.start + now);
            }
        }
    }
    becomes
}

/// Returns how many members two objects have in common.
fn common(one: Value<'_>, other: Value<'_>) -> u32 {
    let same = one.members().filter(|(key, value)| {
        let key = key.as_str().unwrap_or_default();
        is_same(other.get(&key), Some(*value))
    });
    u32::try_from(same.count()).unwrap_or(u32::MAX)
}
