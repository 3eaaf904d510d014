//! Merges lists, whose elements are known by their classes, or else by what they say.

use std::collections::HashMap;

use super::numbers::TurnElement;
use super::{Key, Merging, Open, Place, Taken, TurnPlace, Values};
use crate::compare::canonical::{canonical, is_same};
use crate::compare::classes::Kind;
use crate::compare::list::Side;
use crate::compare::pairs::Pairs;
use crate::compare::three::Three;
use crate::dialog::{ApiCall, Extent};
use crate::json::{Patch, Splice, Value};
use crate::text::diff;

/// The most pairs of elements of a list that are compared to find what has become of them.
const MOST: usize = 1 << 20;

/// The share of the members of an object, or of the elements of a list, in percent, that another has that it has become.
const SHARED: usize = 50;

/// The elements of a list in one copy, and the number of each: the same in each copy that has it.
#[derive(Default)]
struct Numbered<'a> {
    values: Vec<Value<'a>>,
    numbers: Vec<usize>,
}

impl Numbered<'_> {
    fn place(&self, number: usize) -> Option<usize> {
        self.numbers.iter().position(|own| *own == number)
    }

    /// Returns the numbers that two other copies have, too.
    fn common(&self, others: [&Self; 2]) -> Vec<usize> {
        let is_common = |number: &&usize| others.iter().all(|of| of.numbers.contains(number));
        self.numbers.iter().filter(is_common).copied().collect()
    }
}

impl Three<Numbered<'_>> {
    /// Returns where elements of ours come in our list, by their numbers, in the order of theirs. What we have added
    /// follows the element that it is behind; what theirs has removed stays where it is.
    fn order_of_theirs(&self) -> HashMap<usize, usize> {
        let Self { base, ours, theirs } = self;
        let is_removed =
            |number: usize| theirs.place(number).is_none() && base.place(number).is_some();
        let stays = || ours.numbers.iter().enumerate().filter(|(_, number)| !is_removed(**number));
        let common = theirs.common([base, ours]);
        let mut follows: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        let mut last = None;
        for (_, &number) in stays() {
            if common.contains(&number) {
                last = Some(number);
            } else {
                follows.entry(last).or_default().push(number);
            }
        }
        let behind = |number: Option<usize>| follows.get(&number).cloned().unwrap_or_default();
        let mut ordered = behind(None);
        for number in common {
            ordered.push(number);
            ordered.extend(behind(Some(number)));
        }
        ordered.into_iter().zip(stays().map(|(at, _)| at)).collect()
    }
}

/// The order of our list.
enum Order {
    /// These elements come elsewhere, by their numbers; others stay.
    Of(HashMap<usize, usize>),
    /// Each side has an order of its own.
    Rivals,
}

/// Elements of a list that stay or go together, by their numbers, with the class of the turn.
struct Group {
    numbers: Vec<usize>,
    class: usize,
}

impl<'a> Merging<'a, '_, '_> {
    /// Merges a list: element by element, or as one value.
    pub(super) fn list(&mut self, copies: Values<'a>, ours: Value<'a>, place: Place<'a>) -> Taken {
        if self.is_one_list(copies) {
            return self.whole(copies, place);
        }
        let lists = self.numbered(copies);
        let places = match self.places(copies, &lists) {
            Order::Of(places) => places,
            Order::Rivals if self.of.asks_all => return self.whole(copies, place),
            Order::Rivals => self.places_of_one(copies, &lists, place),
        };
        let groups = self.groups(&lists);
        // Elements in the merged list, by where they come in ours.
        let mut order: Vec<(usize, usize, TurnElement)> = Vec::new();
        let mut note = |class: Option<usize>, taken: Taken, to: (usize, usize)| {
            let Some(class) = class else {
                return;
            };
            let of = |of: Side| TurnElement { class, of };
            match taken {
                Taken::Nothing => {}
                Taken::Of(side) => order.push((to.0, to.1, of(side))),
                Taken::Both => {
                    order.push((to.0, to.1, of(Side::Ours)));
                    order.push((to.0, to.1, of(Side::Theirs)));
                }
            }
        };
        let mut moved = Vec::new();
        let of_lines = ours.is_lines();
        let mut left = lists.ours.values.len();
        for (at, number) in lists.ours.numbers.iter().enumerate() {
            let element = Three {
                base: lists.base.place(*number).map(|at| lists.base.values[at]),
                ours: Some(lists.ours.values[at]),
                theirs: lists.theirs.place(*number).map(|at| lists.theirs.values[at]),
            };
            let class = self.turn_class(element);
            if let Some(side) = self.side_of_group(&groups, *number) {
                let place = Place::Element { list: ours, at };
                let taken = self.take(side, element, place);
                left -= usize::from(taken == Taken::Nothing);
                note(class, taken, (at, 1));
                continue;
            }
            // The only line of a file is the dialog.
            if of_lines && left == 1 && element.theirs.is_none() && lists.theirs.values.is_empty() {
                continue;
            }
            let changes = self.splices.len();
            let taken = self.element(at, element, Place::Element { list: ours, at });
            left -= usize::from(taken == Taken::Nothing);
            let to = places.get(number).copied().unwrap_or(at);
            note(class, taken, (to, 1));
            if to != at {
                moved.push((to, self.changes_in(lists.ours.values[at], changes)));
            }
        }
        let is_own = |at: usize| {
            lists.ours.numbers.get(at).is_some_and(|own| {
                lists.base.place(*own).is_none() && lists.theirs.place(*own).is_none()
            })
        };
        for (at, number) in lists.theirs.numbers.iter().enumerate() {
            if lists.ours.place(*number).is_some() {
                continue;
            }
            let mut before = lists.theirs.numbers[..at].iter().rev();
            let before = before.find_map(|before| {
                let at = lists.ours.place(*before)?;
                Some(places.get(before).copied().unwrap_or(at))
            });
            let mut to = before.map_or(0, |before| before + 1);
            // Behind what ours has added there.
            while is_own(to) {
                to += 1;
            }
            let element = Three {
                base: lists.base.place(*number).map(|at| lists.base.values[at]),
                ours: None,
                theirs: Some(lists.theirs.values[at]),
            };
            let class = self.turn_class(element);
            if let Some(sorted) = self.place_by_span(&lists.ours, element)
                && places.is_empty()
            {
                to = sorted;
            }
            let place = Place::Element { list: ours, at: to };
            let taken = match self.side_of_group(&groups, *number) {
                Some(side) => self.take(side, element, place),
                None => self.element(at, element, place),
            };
            note(class, taken, (to, 0));
        }
        for (to, text) in moved {
            self.splices.push(Splice::new(lists.ours.values[to].range().bytes(), text));
        }
        order.sort_by_key(|(at, last, _)| (*at, *last));
        self.elements.extend(order.into_iter().map(|(.., element)| element));
        Taken::Of(Side::Ours)
    }

    fn element(&mut self, at: usize, element: Values<'a>, place: Place<'a>) -> Taken {
        self.around.path.push(at.to_string());
        let taken = self.value(element, place);
        self.around.path.pop();
        taken
    }

    /// Returns where a segment of theirs comes in our list, if that is in the order of the text.
    fn place_by_span(&self, ours: &Numbered<'a>, element: Values<'a>) -> Option<usize> {
        let start = |copy: Side, value: Value<'a>| {
            let class = self.classes.class_of(copy, value)?;
            let is_segment = self.classes.kind(class) == Kind::Segment;
            let of = self.classes.in_dialogs(class, self.dialogs, |turn| &turn.segments);
            is_segment.then_some(())?;
            (*of.of(copy))?.span.map(|span| span.start)
        };
        let new = start(Side::Theirs, element.theirs?)?;
        let own = ours.values.iter().map(|value| start(Side::Ours, *value));
        let own: Vec<u32> = own.collect::<Option<_>>()?;
        own.is_sorted().then(|| own.partition_point(|start| *start <= new))
    }

    /// Returns the groups of turns that one side has removed with the answers of their calls, in elements of their own, where the
    /// other side has changed one of these: they stay together.
    fn groups(&self, lists: &Three<Numbered<'a>>) -> Vec<Group> {
        let mut groups = Vec::new();
        if self.around.turn.is_some() {
            return groups;
        }
        for (side, gone) in [(Side::Ours, Side::Theirs), (Side::Theirs, Side::Ours)] {
            let (here, there) = (lists.of(side), lists.of(gone));
            let element_at = |start: u32| {
                let mut values = here.values.iter();
                let at = values
                    .position(|value| value.range().start <= start && start < value.range().end)?;
                Some(here.numbers[at])
            };
            for turn in &self.dialogs.of(side).turns {
                let answers = turn.calls.iter().filter_map(ApiCall::response_place);
                let all = std::iter::once(turn.whole()).chain(answers);
                let mut numbers: Vec<usize> = all.filter_map(|at| element_at(at.start)).collect();
                numbers.dedup();
                let is_gone = |number: &usize| {
                    there.place(*number).is_none() && lists.base.place(*number).is_some()
                };
                let is_changed = |number: &usize| {
                    let was = lists.base.place(*number).map(|at| lists.base.values[at]);
                    let is = here.place(*number).map(|at| here.values[at]);
                    let said = |value: Option<Value<'a>>| {
                        let hidden = self.numbering.hidden(Three::new(None, value, None));
                        value.map(|value| canonical(value, Some(&hidden.ours)))
                    };
                    said(was) != said(is)
                };
                if numbers.len() > 1
                    && numbers.iter().all(is_gone)
                    && numbers.iter().any(is_changed)
                    && let Some(class) = self.classes.class_at(side, turn.whole().start)
                {
                    groups.push(Group { numbers, class });
                }
            }
        }
        groups
    }

    /// Returns the side that is taken of an element that is in a group.
    fn side_of_group(&mut self, groups: &[Group], number: usize) -> Option<Side> {
        let group = groups.iter().find(|group| group.numbers.contains(&number))?;
        let turn = self.classes.starts(group.class).ours;
        let turn = turn.map(|_| TurnPlace { class: group.class, inside: 0 });
        let said = self.said(group.class);
        let open = Open { turn, ..Open::of(Key::Element(group.class), "turn", said) };
        Some(self.conflicts.ask(open))
    }

    /// Returns the class of an element if it is that of a turn.
    fn turn_class(&self, element: Values<'a>) -> Option<usize> {
        let mut copies = Three::<()>::COPIES.into_iter();
        let class = copies.find_map(|copy| self.classes.class_of(copy, (*element.of(copy))?));
        class.filter(|class| self.classes.kind(*class) == Kind::Turn)
    }

    /// True if a list is one value, such as tokens, the labels of a segment, or a list of texts in an element.
    fn is_one_list(&self, copies: Values<'a>) -> bool {
        let lists = copies.zip(Three::new(Side::Base, Side::Ours, Side::Theirs)).into_array();
        let mut elements = lists.iter().flat_map(|(list, copy)| {
            let elements = list.iter().flat_map(|list| list.elements());
            elements.map(move |element| (element, *copy))
        });
        if self.of.has_whole_lists {
            return true;
        }
        // Also one that both sides have begun.
        let may_be_value = self.around.element.is_some() || copies.base.is_none();
        self.is_tokens(copies)
            || may_be_value
                && elements.all(|(element, copy)| {
                    let class = self.classes.class_of(copy, element);
                    class.is_some_and(|class| self.classes.kind(class) == Kind::Label)
                        || !element.is_container()
                })
    }

    /// Returns where elements of ours come in our list if theirs alone has what all copies have in another order.
    fn places(&self, copies: Values<'a>, lists: &Three<Numbered<'a>>) -> Order {
        let Three { base, ours, theirs } = lists;
        let was = base.common([ours, theirs]);
        let (is, other) = (ours.common([base, theirs]), theirs.common([base, ours]));
        // Nobody decides about the order of what models tell.
        let has_class = |value: &Value<'a>| self.classes.class_of(Side::Ours, *value).is_some();
        let is_left = self.of.asks_all && ours.values.iter().all(has_class);
        if copies.base.is_none() || is_left || other == was || other == is {
            return Order::Of(HashMap::new());
        }
        if is == was && !self.of.asks_all {
            Order::Of(lists.order_of_theirs())
        } else {
            Order::Rivals
        }
    }

    /// Returns the places for the order of one of two sides that each have their own. The conflict is about the order alone.
    fn places_of_one(
        &mut self,
        copies: Values<'a>,
        lists: &Three<Numbered<'a>>,
        place: Place<'a>,
    ) -> HashMap<usize, usize> {
        let Three { base, ours, theirs } = lists;
        let orders =
            [base.common([ours, theirs]), ours.common([base, theirs]), theirs.common([base, ours])];
        let differs = |at: &usize| orders.iter().any(|order| order[*at] != orders[0][*at]);
        let first = (0..orders[0].len()).find(differs).unwrap_or_default();
        let last = (0..orders[0].len()).rfind(differs).map_or(first, |last| last + 1);
        let [was, is, other] = orders.each_ref().map(|order| {
            let places = order[first..last].iter().filter_map(|number| base.place(*number));
            let places: Vec<_> = places.map(|place| place.to_string()).collect();
            Some(places.join(" "))
        });
        let path = format!("{} order", self.path(false));
        let turn = self.turn_near(copies, place);
        let open = Open::of(Key::Path(path), "order", Three::new(was, is, other));
        match self.conflicts.ask(Open { turn, ..open }) {
            Side::Theirs => lists.order_of_theirs(),
            _ => HashMap::new(),
        }
    }

    /// Takes the changes of an element, which are behind the first `before` ones, and returns it with them.
    fn changes_in(&mut self, element: Value<'a>, before: usize) -> String {
        let at = element.range().bytes();
        let is_inside = |of: &Splice| at.start <= of.range.start && of.range.start < at.end;
        let (inside, beside) = self.splices.drain(before..).partition(is_inside);
        let (inside, beside): (Vec<_>, Vec<_>) = (inside, beside);
        self.splices.extend(beside);
        let patch = self.editor.patch(inside).unwrap_or_default();
        let moved = patch.splices().iter();
        let moved = moved.map(|of| {
            let range = of.range.start - at.start..of.range.end - at.start;
            Splice::new(range, of.text.as_str())
        });
        let moved = Patch::new(moved.collect()).unwrap_or_default();
        moved.apply(element.raw())
    }

    /// Numbers the elements of three lists.
    fn numbered(&self, copies: Values<'a>) -> Three<Numbered<'a>> {
        let values = copies.map(|list| list.into_iter().flat_map(Value::elements).collect());
        let values: Three<Vec<Value<'a>>> = values;
        let classes = values.as_ref().zip(Three::new(Side::Base, Side::Ours, Side::Theirs));
        let classes = classes.map(|(values, copy)| -> Vec<Option<usize>> {
            let class = |value: &Value<'a>| self.classes.class_of(copy, *value);
            values.iter().map(class).collect()
        });
        let known = |copy: Side, at: usize| -> Option<usize> {
            let class = classes.of(copy)[at]?;
            self.classes.is_shared(class).then_some(class)
        };
        let mine = becomes(&values, &classes, [Side::Base, Side::Ours], &known);
        let other = becomes(&values, &classes, [Side::Base, Side::Theirs], &known);
        let mut numbers = values.as_ref().map(|values| vec![None; values.len()]);
        let mut count = 0;
        let mut next = || {
            count += 1;
            count
        };
        for at in 0..values.base.len() {
            let number = next();
            numbers.base[at] = Some(number);
            for (pairs, of) in [(&mine, &mut numbers.ours), (&other, &mut numbers.theirs)] {
                if let Some(new) = pairs[at] {
                    of[new] = Some(number);
                }
            }
        }
        // Without a base, what no model tells may be one thing that differs.
        let is_unknown = |own: usize, new: usize| {
            let (one, another) = (classes.of(Side::Ours)[own], classes.of(Side::Theirs)[new]);
            self.of.base.is_none() && one.is_none() && another.is_none()
        };
        // What both have added.
        for is_known in [true, false] {
            for own in 0..values.ours.len() {
                if numbers.ours[own].is_some() {
                    continue;
                }
                let class = known(Side::Ours, own);
                let mut others = 0..values.theirs.len();
                let same = others.find(|new| {
                    let is_same = || {
                        let (one, another) = (values.ours[own], values.theirs[*new]);
                        is_same(Some(one), Some(another))
                            || (self.around.element.is_some() || is_unknown(own, *new))
                                && is_like(one, another)
                    };
                    let there = known(Side::Theirs, *new);
                    numbers.theirs[*new].is_none()
                        && if is_known {
                            class.is_some() && class == there
                        } else {
                            class.is_none() && there.is_none() && is_same()
                        }
                });
                if let Some(new) = same {
                    let number = next();
                    (numbers.ours[own], numbers.theirs[new]) = (Some(number), Some(number));
                }
            }
        }
        let numbers = numbers.map(|all| -> Vec<usize> {
            all.into_iter().map(|number| number.unwrap_or_else(&mut next)).collect()
        });
        values.zip(numbers).map(|(values, numbers)| Numbered { values, numbers })
    }

    /// Returns the turn that a value of ours is in, or in whose place one is.
    pub(super) fn turn_near(&self, copies: Values<'a>, place: Place<'a>) -> Option<TurnPlace> {
        let (value, beside) = match (copies.ours, place) {
            (Some(ours), _) => (ours, None),
            (None, Place::Member { object, .. }) => (object, None),
            (None, Place::Element { list, at }) => {
                let beside = list.elements().nth(at).or_else(|| list.elements().last());
                (list, beside)
            }
            (None, Place::Root) => return None,
        };
        let class = self.around.turn.filter(|class| self.classes.starts(*class).ours.is_some());
        let class = class.or_else(|| {
            let class = self.classes.class_of(Side::Ours, beside?)?;
            (self.classes.kind(class) == Kind::Turn).then_some(class)
        })?;
        let start = self.classes.starts(class).ours?;
        let place = value.range().start;
        let turns = self.dialogs.ours.turns.iter();
        let mut turns = turns.filter(|turn| turn.whole().start == start);
        let count = turns.clone().count();
        let holds = |at: Extent| at.start <= place && place < at.end;
        let inside =
            turns.position(|turn| holds(turn.at) || turn.acts.iter().any(|act| holds(act.at)));
        let is_exchange = count > 1 && place != start;
        let inside = inside.unwrap_or(if is_exchange { count - 1 } else { 0 });
        Some(TurnPlace { class, inside })
    }
}

/// Returns what each element of a list has become in another copy: that of the same class, or what says the same or
/// nearly so at the same place.
fn becomes<'a>(
    values: &Three<Vec<Value<'a>>>,
    classes: &Three<Vec<Option<usize>>>,
    [from, to]: [Side; 2],
    known: &dyn Fn(Side, usize) -> Option<usize>,
) -> Vec<Option<usize>> {
    let (old, new) = (values.of(from), values.of(to));
    let mut becomes = vec![None; old.len()];
    let mut taken = vec![false; new.len()];
    for (at, becomes) in becomes.iter_mut().enumerate() {
        if let Some(class) = known(from, at) {
            let mut all = 0..new.len();
            *becomes = all.find(|to_at| known(to, *to_at) == Some(class));
            if let Some(at) = *becomes {
                taken[at] = true;
            }
        }
    }
    // What is an element in one copy alone may have been something else before.
    let free = |copy: Side, at: usize| known(copy, at).is_none();
    let rest: Vec<usize> = (0..old.len()).filter(|at| free(from, *at)).collect();
    let others: Vec<usize> = (0..new.len()).filter(|at| free(to, *at) && !taken[*at]).collect();
    let said = |value: Value<'a>| canonical(value, None);
    let one: Vec<_> = rest.iter().map(|at| said(old[*at])).collect();
    let another: Vec<_> = others.iter().map(|at| said(new[*at])).collect();
    let mut pair = |was: usize, is: usize, is_equal: bool| {
        let (was, is) = (rest[was], others[is]);
        let are_elements = classes.of(from)[was].is_some() && classes.of(to)[is].is_some();
        if is_equal || !are_elements {
            becomes[was] = Some(is);
        }
    };
    for change in diff(&one, &another) {
        let (tag, before, after) = change.as_tag_tuple();
        if tag == similar::DiffTag::Equal {
            before.zip(after).for_each(|(was, is)| pair(was, is, true));
        } else if before.len() == after.len() {
            before.zip(after).for_each(|(was, is)| pair(was, is, false));
        } else if before.len().saturating_mul(after.len()) <= MOST {
            let alike = |was: usize, is: usize| {
                common(old[rest[before.start + was]], new[others[after.start + is]])
            };
            let found = Pairs::likely_in_order(before.len(), after.len(), alike);
            let both = found.both.into_iter();
            both.for_each(|(was, is)| pair(before.start + was, after.start + is, false));
        }
    }
    becomes
}

/// Returns how many members two objects have in common, or elements at the same places two lists.
fn common(one: Value<'_>, other: Value<'_>) -> u32 {
    let members = one.members().filter(|(key, value)| {
        let key = key.as_str().unwrap_or_default();
        is_same(other.get(&key), Some(*value))
    });
    let elements = one.elements().zip(other.elements());
    let elements = elements.filter(|(one, other)| is_same(Some(*one), Some(*other)));
    u32::try_from(members.count() + elements.count()).unwrap_or(u32::MAX)
}

/// True if two objects, or lists, have half of what they have in common.
fn is_like(one: Value<'_>, other: Value<'_>) -> bool {
    let count = |value: Value<'_>| value.members().count() + value.elements().count();
    let most = count(one).max(count(other));
    one.kind() == other.kind() && most > 0 && common(one, other) as usize * 100 >= most * SHARED
}
