//! The JSON of copies of a dialog: what one says beyond the members that a family reads.
//!
//! A dialog does not tell everything: neither members that its family does not know, nor whether a list is empty or
//! missing. [`Copies::missing`] finds what the other side has changed of the JSON and the merged text does not have.

use std::borrow::Cow;
use std::collections::BTreeMap;

use similar::DiffTag;

use crate::dialog::{Dialog, Extent, Short, Turn};
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Tree, Value};
use crate::text::{Units, diff};

/// True if two texts are the same JSON, however it is written. The order of members makes no difference.
pub fn is_same_json(one: &str, other: &str) -> bool {
    let (mut own, mut others) = (Parser::new(), Parser::new());
    let trees = (own.parse_piece_str(one), others.parse_piece_str(other));
    let (Ok(one), Ok(other)) = trees else {
        return one == other;
    };
    let key = |tree: &Tree<'_>| tree.key().map(|key| key.raw().to_owned());
    key(&one) == key(&other) && is_same(Some(one.root()), Some(other.root()))
}

/// Returns our text with the changes of theirs; None if both have changed the same.
pub fn merged_json(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let copies = Copies {
        base,
        ours,
        theirs,
        written: ours,
    };
    let mut parsers: [Parser; 3] = Default::default();
    let mut texts = parsers.iter_mut().zip([base, ours, theirs]);
    if texts.any(|(parser, text)| parser.parse_str(text).is_err()) {
        return None;
    }
    let missing = copies.missing(&Dialog::new(Units::CodePoints), &[]);
    let is_free = missing.iter().all(|one| one.is_free);
    let splices = missing.into_iter().map(|one| one.splice).collect();
    let patch = is_free.then(|| Patch::new(splices).ok());
    Some(patch??.apply(ours))
}

fn is_same(one: Option<Value<'_>>, other: Option<Value<'_>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            one.raw() == other.raw() || canonical(one, None) == canonical(other, None)
        }
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Returns a value as text that does not depend on how it is written. Members that are the number of their turn have
/// none in it.
fn canonical(value: Value<'_>, number: Option<&Numbers>) -> String {
    let mut text = String::new();
    write_canonical(value, number, &mut text);
    text
}

fn write_canonical(value: Value<'_>, number: Option<&Numbers>, text: &mut String) {
    match value.kind() {
        NodeKind::Object => {
            let members = value.members().map(|(key, member)| {
                let key = key.as_str().unwrap_or_default().into_owned();
                let is_number = number.is_some_and(|number| number.is_number(&key, member));
                let member = if is_number {
                    "#".to_owned()
                } else {
                    canonical(member, number)
                };
                (key, member)
            });
            let members: BTreeMap<String, String> = members.collect();
            text.push('{');
            for (key, member) in members {
                let key = format!("{key:?}:");
                text.extend([&key, &member, ","]);
            }
            text.push('}');
        }
        NodeKind::Array => {
            text.push('[');
            for element in value.elements() {
                write_canonical(element, number, text);
                text.push(',');
            }
            text.push(']');
        }
        NodeKind::String => {
            let string = format!("{:?}", value.as_str().unwrap_or_default());
            text.push_str(&string);
        }
        NodeKind::Number => match value.as_integer() {
            Some(integer) => text.push_str(&integer.to_string()),
            None => text.push_str(value.raw()),
        },
        _ => text.push_str(value.raw()),
    }
}

/// The numbers of a turn: members of its element, by their keys. Those of its calls are the same.
#[derive(Default)]
struct Numbers(Vec<(String, i64)>);

impl Numbers {
    fn of(element: Value<'_>, keys: &[String]) -> Self {
        let number = |key: &String| Some((key.clone(), integer(element.get(key)?)?));
        Self(keys.iter().filter_map(number).collect())
    }

    fn is_number(&self, key: &str, value: Value<'_>) -> bool {
        let same =
            |(other, number): &(String, i64)| key == other && integer(value) == Some(*number);
        self.0.iter().any(same)
    }

    fn get(&self, key: &str) -> Option<i64> {
        let found = self.0.iter().find(|(other, _)| other == key);
        found.map(|(_, number)| *number)
    }
}

/// Returns the integer that a value is, or that its text is.
fn integer(value: Value<'_>) -> Option<i64> {
    match value.as_str() {
        Some(text) => text.parse().ok(),
        None => value.as_integer(),
    }
}

/// Returns an element as it is written, with other numbers.
fn renumbered(element: Value<'_>, was: &Numbers, is: &Numbers) -> String {
    let range = element.range().bytes();
    let editor = Editor::new(element.tree(), Escapes::default());
    let mut splices = Vec::new();
    for object in element.tree().objects() {
        let at = object.range().bytes();
        if at.start < range.start || range.end < at.end {
            continue;
        }
        for (key, value) in object.members() {
            let key = key.as_str().unwrap_or_default();
            if was.is_number(&key, value)
                && let Some(number) = is.get(&key).filter(|is| was.get(&key) != Some(*is))
            {
                let Splice {
                    range: at, text, ..
                } = editor.set_integer(value, number);
                splices.push(Splice::new(
                    at.start - range.start..at.end - range.start,
                    text,
                ));
            }
        }
    }
    let patch = Patch::new(splices).unwrap_or_default();
    patch.apply(element.raw())
}

/// The places of one turn, or of the turns of one exchange, in four copies.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    /// The positions of its turns in the written dialog.
    pub turns: Vec<usize>,
    /// In the base, ours and theirs.
    pub copies: [Option<Extent>; 3],
    pub written: Extent,
}

/// Copies of a dialog as text: the base, ours, theirs, and what has been written of all three.
pub struct Copies<'t> {
    pub base: &'t str,
    pub ours: &'t str,
    pub theirs: &'t str,
    pub written: &'t str,
}

/// Something that theirs has changed and the written text does not have.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The position of its turn in the written dialog; None if it is in no turn.
    pub turn: Option<usize>,
    /// Its keys and positions from the dialog or the turn on, with dots; empty for a whole turn.
    pub path: String,
    /// True if ours has what the base has.
    pub is_free: bool,
    /// The change of the written text that takes it.
    pub splice: Splice,
}

/// The same value in four copies.
#[derive(Clone, Copy)]
struct Four<'a> {
    base: Option<Value<'a>>,
    ours: Option<Value<'a>>,
    theirs: Option<Value<'a>>,
    written: Option<Value<'a>>,
}

/// The place of a value in the written text, or the one it would have.
enum Place<'a> {
    Root,
    /// The object, and the key.
    Member(Value<'a>, String),
    /// The array, and the position in it.
    Element(Value<'a>, usize),
}

impl Copies<'_> {
    /// Returns what theirs has changed and the written text, whose dialog this is, does not have. First whole turns,
    /// whose elements ours has not touched.
    pub fn missing(&self, dialog: &Dialog, elements: &[Elements]) -> Vec<Missing> {
        let mut parsers: [Parser; 4] = Default::default();
        let [base, ours, theirs, written] = &mut parsers;
        let trees = (
            base.parse_piece_str(self.base),
            ours.parse_piece_str(self.ours),
            theirs.parse_piece_str(self.theirs),
            written.parse_piece_str(self.written),
        );
        let (Ok(base), Ok(ours), Ok(theirs), Ok(written)) = trees else {
            return Vec::new();
        };
        let mut search = Search {
            editor: Editor::new(&written, Escapes::default()),
            numbers: number_keys(&written, dialog),
            turns: [Vec::new(), Vec::new()],
            turn: None,
            found: Vec::new(),
        };
        for of in elements {
            search.turns[0].extend(of.copies[0].map(|at| at.start));
            search.turns[1].extend(of.copies[2].map(|at| at.start));
        }
        let trees = [&base, &ours, &theirs];
        for of in elements {
            search.element(trees, &written, of, true);
        }
        search.keys([base.key(), ours.key(), theirs.key(), written.key()]);
        let root = |tree| Some(Tree::root(tree));
        let roots = Four {
            base: root(&base),
            ours: root(&ours),
            theirs: root(&theirs),
            written: root(&written),
        };
        search.value("", roots, Place::Root);
        for of in elements {
            search.element(trees, &written, of, false);
        }
        search.found
    }
}

/// The element of a turn in a list that is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The place in ours; None if it is in theirs alone.
    pub ours: Option<u32>,
    /// The place in theirs; None if it is in ours alone.
    pub theirs: Option<u32>,
    /// The place in the base, if it is there.
    pub base: Option<u32>,
    /// Its number, if the turns have numbers.
    pub index: Option<u32>,
}

impl Copies<'_> {
    /// Returns the text of ours, whose dialog this is, with these elements as its turns, each as theirs has it if ours
    /// has not touched it. None if the turns are not in one list that has nothing else.
    pub fn with_elements(&self, dialog: &Dialog, sources: &[Source]) -> Option<String> {
        let mut parsers: [Parser; 3] = Default::default();
        let [base, ours, theirs] = &mut parsers;
        let base = base.parse_piece_str(self.base).ok()?;
        let ours = ours.parse_piece_str(self.ours).ok()?;
        let theirs = theirs.parse_piece_str(self.theirs).ok()?;
        let keys = number_keys(&ours, dialog);
        let editor = Editor::new(&ours, Escapes::default());
        let first = dialog.turns.first()?.whole().start;
        let list = editor.parent(ours.value_at(first)?)?;
        let own: Vec<u32> = list
            .elements()
            .map(|element| element.range().start)
            .collect();
        let is_turn = |at: &u32| dialog.turns.iter().any(|turn| turn.whole().start == *at);
        if list.kind() != NodeKind::Array || list.is_lines() || !own.iter().all(is_turn) {
            return None;
        }
        let unnumbered = |value: Value<'_>| canonical(value, Some(&Numbers::of(value, &keys)));
        let numbers = Numbers::of(ours.value_at(first)?, &keys);
        let mut splices = Vec::new();
        let mut place = 0;
        for (at, source) in (0..).zip(sources) {
            let first_index = dialog.turns[0].index.map(i64::from);
            let number = |(key, from): &(String, i64)| {
                let index = source.index.filter(|_| first_index == Some(*from));
                (key.clone(), index.map_or(from + at, i64::from))
            };
            let is = Numbers(numbers.0.iter().map(number).collect());
            let mine = source.ours.and_then(|at| ours.value_at(at));
            let other = source.theirs.and_then(|at| theirs.value_at(at));
            let was = source.base.and_then(|at| base.value_at(at));
            let taken = match (mine, other) {
                (Some(mine), Some(other))
                    if was.is_some_and(|was| unnumbered(was) == unnumbered(mine)) =>
                {
                    if unnumbered(other) == unnumbered(mine) {
                        mine
                    } else {
                        other
                    }
                }
                (Some(mine), _) => mine,
                (None, other) => other?,
            };
            let text = renumbered(taken, &Numbers::of(taken, &keys), &is);
            match mine {
                Some(mine) => {
                    let at = own.iter().position(|at| *at == mine.range().start)?;
                    // Elements do not change places.
                    if at < place {
                        return None;
                    }
                    splices.extend((place..at).map(|gone| editor.remove(list, gone..gone + 1)));
                    place = at + 1;
                    if text != mine.raw() {
                        splices.push(Splice::new(mine.range().bytes(), text));
                    }
                }
                None => splices.push(editor.insert(list, place, &[NewValue::Raw(text)], None)),
            }
        }
        splices.extend((place..own.len()).map(|gone| editor.remove(list, gone..gone + 1)));
        let splices = editor.joined(splices.into_iter().enumerate().collect());
        let splices = splices.into_iter().map(|(_, splice)| splice);
        let patch = Patch::new(splices.collect()).ok()?;
        Some(patch.apply(self.ours))
    }
}

/// Returns the keys under which the elements of all turns have their numbers.
fn number_keys(tree: &Tree<'_>, dialog: &Dialog) -> Vec<String> {
    let counting = dialog.counting_fields();
    let mut keys: Vec<String> = counting.iter().map(Short::to_string).collect();
    let numbered = dialog.turns.iter().filter_map(|turn| {
        let index = turn.index.map(i64::from)?;
        Some((tree.value_at(turn.at.start)?, index))
    });
    let numbered: Vec<_> = numbered.collect();
    if let Some((first, _)) = numbered.first() {
        let has = |key: &str, (element, index): &(Value<'_>, i64)| {
            element.get(key).and_then(integer) == Some(*index)
        };
        let own = first.members().filter_map(|(key, _)| key.as_str());
        let own = own.filter(|key| numbered.iter().all(|one| has(key, one)));
        keys.extend(own.map(Cow::into_owned));
    }
    keys
}

struct Search<'a> {
    editor: Editor<'a>,
    numbers: Vec<String>,
    /// The starts of the elements of turns in the base and in theirs.
    turns: [Vec<u32>; 2],
    /// The turn in which values are compared.
    turn: Option<usize>,
    found: Vec<Missing>,
}

impl<'a> Search<'a> {
    /// Finds that theirs has changed the element of a turn, as a whole or in its parts.
    fn element(
        &mut self,
        [base, ours, theirs]: [&'a Tree<'a>; 3],
        written: &'a Tree<'a>,
        of: &Elements,
        is_whole: bool,
    ) {
        let at = |tree: &'a Tree<'a>, at: Option<Extent>| tree.value_at(at?.start);
        let four = Four {
            base: at(base, of.copies[0]),
            ours: at(ours, of.copies[1]),
            theirs: at(theirs, of.copies[2]),
            written: at(written, Some(of.written)),
        };
        let (Some(new), Some(now)) = (four.theirs, four.written) else {
            return;
        };
        let numbers = |value: Value<'_>| Numbers::of(value, &self.numbers);
        let unnumbered =
            |value: Option<Value<'_>>| value.map(|value| canonical(value, Some(&numbers(value))));
        let [was, own, others] = [four.base, four.ours, four.theirs].map(unnumbered);
        if others == was || others == unnumbered(four.written) {
            return;
        }
        self.turn = of.turns.first().copied();
        if is_whole && was == own {
            let text = renumbered(new, &numbers(new), &numbers(now));
            self.found.push(Missing {
                turn: self.turn,
                path: String::new(),
                is_free: true,
                splice: Splice::new(now.range().bytes(), text),
            });
        } else if !is_whole && four.base.is_some() {
            // The elements of turns are compared one by one, but here are the parts of one.
            let turns = std::mem::take(&mut self.turns);
            self.value("", four, Place::Root);
            self.turns = turns;
        }
        self.turn = None;
    }

    /// Finds that theirs has another key of the dialog.
    fn keys(&mut self, [base, ours, theirs, written]: [Option<Value<'a>>; 4]) {
        let raw = |key: Option<Value<'a>>| key.map(Value::raw);
        if let (Some(new), Some(now)) = (theirs, written)
            && raw(theirs) != raw(base)
            && new.raw() != now.raw()
        {
            self.found.push(Missing {
                turn: None,
                path: "the key of the dialog".to_owned(),
                is_free: raw(ours) == raw(base),
                splice: Splice::new(now.range().bytes(), new.raw()),
            });
        }
    }

    fn value(&mut self, path: &str, four: Four<'a>, place: Place<'a>) {
        let Four {
            base,
            ours,
            theirs,
            written,
        } = four;
        let is_turn = |value: Option<Value<'a>>, turns: &[u32]| {
            value.is_some_and(|value| turns.contains(&value.range().start))
        };
        if is_turn(base, &self.turns[0])
            || is_turn(theirs, &self.turns[1])
            || is_same(theirs, base)
            || is_same(theirs, written)
        {
            return;
        }
        if let (Some(was), Some(new), Some(now)) = (base, theirs, written) {
            let kinds = [was, new, now].map(Value::kind);
            match kinds {
                [NodeKind::Object, NodeKind::Object, NodeKind::Object] => {
                    return self.members(path, [was, new, now], ours);
                }
                [NodeKind::Array, NodeKind::Array, NodeKind::Array] => {
                    return self.elements(path, [was, new, now], ours);
                }
                _ => {}
            }
        }
        let raw = |value: Value<'_>| NewValue::Raw(value.raw().to_owned());
        let splice = match (theirs, written, place) {
            (Some(new), Some(now), _) => Splice::new(now.range().bytes(), new.raw()),
            (Some(new), None, Place::Member(object, key)) => {
                self.editor.add_member(object, &key, &raw(new), None)
            }
            (Some(new), None, Place::Element(array, at)) if array.is_lines() => {
                with_line(array, at, new)
            }
            (Some(new), None, Place::Element(array, at)) => {
                self.editor.insert(array, at, &[raw(new)], None)
            }
            (None, Some(_), Place::Member(object, key)) => {
                let mut keys = object.members().map(|(key, _)| key);
                let at = keys
                    .position(|other| other.is_text(&key))
                    .unwrap_or_default();
                self.editor.remove(object, at..at + 1)
            }
            // The only line of a file is the dialog.
            (None, Some(_), Place::Element(array, _))
                if array.is_lines() && array.elements().count() < 2 =>
            {
                return;
            }
            (None, Some(_), Place::Element(array, at)) => self.editor.remove(array, at..at + 1),
            _ => return,
        };
        self.found.push(Missing {
            turn: self.turn,
            path: path.to_owned(),
            is_free: is_same(ours, base),
            splice,
        });
    }

    fn members(&mut self, path: &str, [was, new, now]: [Value<'a>; 3], ours: Option<Value<'a>>) {
        let key = |(key, _): (Value<'a>, Value<'a>)| key.as_str().unwrap_or_default();
        let mut keys: Vec<_> = new.members().map(key).collect();
        for key in was.members().map(key) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        for key in keys {
            let is_number = self.turn.is_some() && self.numbers.iter().any(|of| *of == key);
            if is_number {
                continue;
            }
            let four = Four {
                base: was.get(&key),
                ours: ours.and_then(|ours| ours.get(&key)),
                theirs: new.get(&key),
                written: now.get(&key),
            };
            let path = joined(path, &key);
            self.value(&path, four, Place::Member(now, key.into_owned()));
        }
    }

    fn elements(&mut self, path: &str, [was, new, now]: [Value<'a>; 3], ours: Option<Value<'a>>) {
        let list = |value: Value<'a>| value.elements().collect::<Vec<_>>();
        let (was, new, here) = (list(was), list(new), list(now));
        let own = ours.map(list).unwrap_or_default();
        let (in_new, in_own, in_now) = (
            becomes(&was, &new),
            becomes(&was, &own),
            becomes(&was, &here),
        );
        let mut behind = here.len();
        // Backwards, so that what is put before an element does not move those that are still to come.
        for at in (0..was.len()).rev() {
            let four = Four {
                base: Some(was[at]),
                ours: in_own[at].map(|at| own[at]),
                theirs: in_new[at].map(|at| new[at]),
                written: in_now[at].map(|at| here[at]),
            };
            let place = in_now[at].unwrap_or(behind);
            behind = place;
            self.value(
                &joined(path, &at.to_string()),
                four,
                Place::Element(now, place),
            );
        }
        let mut free: Vec<_> = (0..here.len())
            .filter(|at| !in_now.contains(&Some(*at)))
            .collect();
        for (at, &added) in new.iter().enumerate() {
            if in_new.contains(&Some(at)) {
                continue;
            }
            let same = free
                .iter()
                .position(|at| is_same(Some(here[*at]), Some(added)));
            if let Some(same) = same {
                free.remove(same);
                continue;
            }
            let before = new[..at].iter().rev().enumerate();
            let before = before.filter_map(|(back, _)| {
                let was = in_new.iter().position(|of| *of == Some(at - 1 - back))?;
                in_now[was]
            });
            let place = before.map(|before| before + 1).next().unwrap_or(0);
            let four = Four {
                base: None,
                ours: None,
                theirs: Some(added),
                written: None,
            };
            self.value(
                &joined(path, &at.to_string()),
                four,
                Place::Element(now, place),
            );
        }
    }
}

/// Returns the change that makes a value a line of its own before line `at`, or after the last one.
fn with_line(lines: Value<'_>, at: usize, new: Value<'_>) -> Splice {
    let text = lines.tree().text();
    let all: Vec<_> = lines.elements().map(|line| line.range().bytes()).collect();
    let between = all
        .get(..2)
        .map_or("\n", |two| &text[two[0].end..two[1].start]);
    let new = new.raw();
    match (all.get(at), all.last()) {
        (Some(line), _) => Splice::new(line.start..line.start, format!("{new}{between}")),
        (None, last) => {
            let end = last.map_or(0, |last| last.end);
            Splice::new(end..end, format!("{between}{new}"))
        }
    }
}

fn joined(path: &str, part: &str) -> String {
    if path.is_empty() {
        part.to_owned()
    } else {
        format!("{path}.{part}")
    }
}

/// Returns what each element of a list has become in another copy of it: equal ones are the same, and between them
/// those that have most in common.
fn becomes(old: &[Value<'_>], new: &[Value<'_>]) -> Vec<Option<usize>> {
    let text = |value: &Value<'_>| canonical(*value, None);
    let (old_texts, new_texts): (Vec<_>, Vec<_>) = (
        old.iter().map(text).collect(),
        new.iter().map(text).collect(),
    );
    let mut becomes = vec![None; old.len()];
    for change in diff(&old_texts, &new_texts) {
        let (tag, before, mut after) = change.as_tag_tuple();
        if tag == DiffTag::Equal {
            before
                .zip(after)
                .for_each(|(at, now)| becomes[at] = Some(now));
        } else if before.len() == after.len() {
            let alike = before
                .zip(after)
                .filter(|(at, now)| old[*at].kind() == new[*now].kind());
            alike.for_each(|(at, now)| becomes[at] = Some(now));
        } else {
            for at in before {
                let alike = after.clone().map(|now| (common(old[at], new[now]), now));
                let best = alike.max_by_key(|(share, now)| (*share, std::cmp::Reverse(*now)));
                if let Some((_, now)) = best.filter(|(share, _)| *share > 0) {
                    becomes[at] = Some(now);
                    after.start = now + 1;
                }
            }
        }
    }
    becomes
}

/// Returns how many members two objects have in common.
fn common(one: Value<'_>, other: Value<'_>) -> usize {
    let same = one.members().filter(|(key, value)| {
        let key = key.as_str().unwrap_or_default();
        is_same(other.get(&key), Some(*value))
    });
    same.count()
}

/// True if two dialogs have the same of everything, in whatever order.
pub fn says_same_turn(one: &Turn, other: &Turn) -> bool {
    let is_same_state = match (&one.state, &other.state) {
        (Some(one), Some(other)) => has_same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    one.speaker == other.speaker
        && one.index == other.index
        && one.text == other.text
        && one.tokens == other.tokens
        && has_same(&one.segments, &other.segments)
        && has_same(&one.calls, &other.calls)
        && has_same(&one.acts, &other.acts)
        && has_same(&one.intents, &other.intents)
        && is_same_state
        && has_same(&one.votes, &other.votes)
        && one.detections == other.detections
        && has_same(&one.fields, &other.fields)
}

/// True if two lists have the same elements, each as often, in whatever order.
pub fn has_same<E: PartialEq>(one: &[E], other: &[E]) -> bool {
    let mut rest: Vec<&E> = other.iter().collect();
    one.len() == other.len()
        && one.iter().all(|element| {
            let same = rest.iter().position(|other| *other == element);
            same.map(|at| rest.swap_remove(at)).is_some()
        })
}
