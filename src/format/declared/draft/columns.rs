//! The columns of a list: the values at each way from its elements, which a guess compares.
//!
//! Dialogs are such a list, their turns are the elements of a list in them, and what is in turns is in lists again.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::place::{Step, last_name};
use super::toml::{below, place};
use crate::json::{NodeKind, Value};

/// How deep columns are, in members.
const DEPTH: usize = 3;
/// The most columns of a table, lists in it, and lists beside each of these.
const COLUMNS: usize = 2_000;
const LISTS: usize = 500;
const BESIDE: usize = 20;
/// The most objects of a table.
const OBJECTS: usize = 2_000;
/// The most elements of a list that is a pair, or a few values, of each turn.
pub const TUPLE: usize = 4;
/// The longest word, in bytes.
const LONGEST: usize = 48;
/// The most different words that say what elements are.
const KINDS: usize = 24;

/// A value in a column.
#[derive(Clone, Copy)]
pub struct Cell<'a> {
    /// The number of its object.
    pub object: usize,
    pub value: Value<'a>,
}

/// The values at one way from the objects of a table.
pub struct Column<'a> {
    pub way: Vec<Step>,
    pub place: String,
    /// The last name on the way, in lower case.
    pub name: String,
    /// In the order of the objects; several of one object below a list.
    pub cells: Vec<Cell<'a>>,
}

impl<'a> Column<'a> {
    /// True if an object has one value of it.
    pub fn is_single(&self) -> bool {
        !self.way.contains(&Step::Elements)
    }

    /// Returns the first value of an object.
    pub fn of(&self, object: usize) -> Option<Value<'a>> {
        let at = self.cells.partition_point(|cell| cell.object < object);
        self.cells.get(at).filter(|cell| cell.object == object).map(|cell| cell.value)
    }

    pub fn word(&self, object: usize) -> Option<String> {
        self.of(object).and_then(word)
    }

    /// True if an object has a value of the kind.
    pub fn has(&self, kind: NodeKind) -> bool {
        self.cells.iter().any(|cell| cell.value.kind() == kind)
    }

    /// Returns its different values, sorted; None if one of them is not a word.
    pub fn words(&self) -> Option<Vec<String>> {
        let all: Option<_> = self.cells.iter().map(|cell| word(cell.value)).collect();
        Some(distinct(all?))
    }

    /// Returns its few different words, if they may say what objects are.
    pub fn kinds(&self) -> Option<Vec<String>> {
        let names = self.words().filter(|_| self.is_single())?;
        let count = self.cells.len();
        let is_named = ["type", "kind"].contains(&self.name.as_str());
        let are_few = names.len() <= KINDS && (names.len() < count || count < 3 || is_named);
        are_few.then_some(names)
    }
}

/// Objects of one list, by their columns.
pub struct Table<'a> {
    /// The way to the objects, from the object around.
    pub at: Vec<Step>,
    pub objects: Vec<Value<'a>>,
    /// The object around each: the dialog of a turn, or the turn of a part.
    pub of: Vec<usize>,
    /// In the order in which they are first seen.
    pub columns: Vec<Column<'a>>,
    /// The columns of lists beside this one, which have as many objects.
    pub beside: Vec<Column<'a>>,
}

impl<'a> Table<'a> {
    /// Returns the columns of dialogs.
    pub fn of_dialogs(dialogs: &[Value<'a>]) -> Self {
        let cells = dialogs.iter().map(|value| Cell { object: 0, value: *value });
        Self::new(Vec::new(), cells)
    }

    /// Returns the columns of rows, which are in one dialog.
    pub fn of_rows(rows: Value<'a>) -> Self {
        Self::new(vec![Step::Elements], rows.elements().map(|value| Cell { object: 0, value }))
    }

    fn new(at: Vec<Step>, cells: impl Iterator<Item = Cell<'a>>) -> Self {
        let (of, objects): (Vec<_>, Vec<_>) =
            cells.take(OBJECTS).map(|cell| (cell.object, cell.value)).unzip();
        let (mut columns, mut known) = (Vec::new(), HashMap::new());
        for (object, value) in objects.iter().enumerate() {
            add(Cell { object, value: *value }, &mut Vec::new(), &mut columns, &mut known);
        }
        Self { at, objects, of, columns, beside: Vec::new() }
    }

    /// Returns the lists in its objects: arrays, those in arrays, and objects that have only objects.
    pub fn lists(&self) -> Vec<Self> {
        let objects = self.objects.iter().enumerate();
        let whole = objects.map(|(object, value)| Cell { object, value: *value }).collect();
        let ways = self.columns.iter().map(|column| (column.way.as_slice(), &column.cells));
        let mut all = Vec::new();
        for (way, cells) in std::iter::once(([].as_slice(), &whole)).chain(ways) {
            let mut add = |steps: &[Step], cells: &[Cell<'a>]| {
                let inner = cells.iter().flat_map(|cell| {
                    let last = steps.last().unwrap_or(&Step::Elements);
                    items(cell.value, last).map(|value| Cell { object: cell.object, value })
                });
                let inner: Vec<_> = inner.take(OBJECTS).collect();
                if !inner.is_empty() {
                    all.push(Self::new([way, steps].concat(), inner.iter().copied()));
                }
                inner
            };
            let inner = add(&[Step::Elements], cells);
            add(&[Step::Elements, Step::Elements], &inner);
            let have_objects = |cell: &Cell<'_>| {
                let mut members = cell.value.members().map(|(_, member)| member.kind());
                members.by_ref().take(2).filter(|kind| *kind == NodeKind::Object).count() == 2
                    && members.all(|kind| kind == NodeKind::Object)
            };
            if !way.contains(&Step::Elements) && cells.iter().all(have_objects) {
                add(&[Step::Members], cells);
            }
            if all.len() > LISTS {
                break;
            }
        }
        all
    }

    /// Returns its lists of objects as tables, those with the most objects first, and itself last.
    pub fn with_lists(self) -> Vec<Self> {
        let is_object = |value: &Value<'_>| value.kind() == NodeKind::Object;
        let mut all = self.lists();
        all.retain(|list| {
            let list_at = list.at.iter().position(|step| *step == Step::Elements);
            let is_own = list_at.is_some_and(|at| {
                at > 0 && list.at[at..].iter().all(|step| *step == Step::Elements)
            });
            is_own && list.objects.iter().any(is_object)
        });
        all.sort_by_key(|table| std::cmp::Reverse(table.objects.len()));
        all.push(self);
        all
    }

    /// Adds the columns of the lists of `all` that are members beside this one and have as many objects in each dialog.
    pub fn add_beside<'t>(&mut self, all: impl Iterator<Item = &'t Self>)
    where
        'a: 't,
    {
        let [around @ .., Step::Member(own), Step::Elements] = self.at.as_slice() else {
            return;
        };
        let others = all.filter_map(|other| match other.at.as_slice() {
            [parent @ .., Step::Member(name), Step::Elements]
                if parent == around && name != own && other.of == self.of =>
            {
                Some((name, other))
            }
            _ => None,
        });
        let columns = others.take(BESIDE).flat_map(|(name, other)| {
            let list = format!("^.{}[@index]", place(&[Step::Member(name.clone())]));
            other.columns.iter().map(move |column| {
                let way =
                    [&[Step::Member(name.clone()), Step::SamePosition], &*column.way].concat();
                Column {
                    place: below(&list, &column.place),
                    name: last_name(&way).to_lowercase(),
                    cells: column.cells.clone(),
                    way,
                }
            })
        });
        self.beside = columns.collect();
    }

    /// Returns the turn of an object, which may be one itself.
    pub fn turn(&self, object: usize) -> usize {
        if self.at.is_empty() { object } else { self.of[object] }
    }

    /// Returns the columns of the objects and of what is beside them.
    pub fn all(&self) -> impl Iterator<Item = &Column<'a>> + Clone {
        self.columns.iter().chain(&self.beside)
    }

    pub fn column(&self, place: &str) -> Option<&Column<'a>> {
        self.all().find(|column| column.place == place)
    }
}

/// Adds a value and what is in it to the columns.
fn add<'a>(
    cell: Cell<'a>,
    way: &mut Vec<Step>,
    columns: &mut Vec<Column<'a>>,
    known: &mut HashMap<String, usize>,
) {
    let mut note = |way: &[Step], cell: Cell<'a>| {
        let place = place(way);
        let is_full = columns.len() == COLUMNS;
        let at = match known.get(&place) {
            Some(at) => *at,
            None if is_full => return,
            None => {
                let name = last_name(way).to_lowercase();
                known.insert(place.clone(), columns.len());
                columns.push(Column { way: way.to_vec(), place, name, cells: Vec::new() });
                columns.len() - 1
            }
        };
        // Of repeated names, the first counts.
        let column = &mut columns[at];
        let is_new = column.cells.last().is_none_or(|last| last.object < cell.object);
        if is_new || !column.is_single() {
            column.cells.push(cell);
        }
    };
    if !way.is_empty() || cell.value.kind() != NodeKind::Object {
        note(way, cell);
    }
    let is_whole = way.is_empty();
    let depth = way.iter().filter(|step| matches!(step, Step::Member(_))).count();
    let is_scalar = |value: &Value<'_>| !value.is_container();
    let count = cell.value.elements().count();
    let most = if is_whole { TUPLE } else { 1 };
    if count > 0 && (!is_whole || (2..=TUPLE).contains(&count)) {
        let first = cell.value.elements().take(most).enumerate();
        // The lists of a pair, such as the turns and notes about them.
        let is_list = |value: &Value<'_>| is_whole && value.kind() == NodeKind::Array;
        for (at, value) in first.filter(|(_, value)| is_scalar(value) || is_list(value)) {
            way.push(Step::Position(at));
            note(way, Cell { value, ..cell });
            way.pop();
        }
    }
    let is_near = depth < DEPTH + usize::from(way.contains(&Step::Elements));
    for (key, value) in cell.value.members().filter(|_| is_near) {
        let name = key.as_str().unwrap_or_default();
        if name.is_empty() || name.contains('"') {
            continue;
        }
        way.push(Step::Member(name.into_owned()));
        add(Cell { value, ..cell }, way, columns, known);
        way.pop();
    }
    if !way.contains(&Step::Elements) {
        way.push(Step::Elements);
        let objects = cell.value.elements().filter(|value| value.kind() == NodeKind::Object);
        for value in objects.take(OBJECTS) {
            add(Cell { value, ..cell }, way, columns, known);
        }
        way.pop();
    }
}

/// True for a way through the elements of a list to those of a list in them.
pub fn is_nested(way: &[Step]) -> bool {
    way.windows(2).any(|pair| matches!(pair, [Step::Elements, Step::Member(_)]))
}

/// Returns the values of an array, or of the members of an object if `each` is of members.
pub fn items<'a>(list: Value<'a>, each: &Step) -> Box<dyn Iterator<Item = Value<'a>> + 'a> {
    match each {
        Step::Members => Box::new(list.members().map(|(_, value)| value)),
        _ => Box::new(list.elements()),
    }
}

/// Returns a short text without spaces, or a whole number.
pub fn word(value: Value<'_>) -> Option<String> {
    match value.as_str() {
        Some(text) => {
            let is_word = !text.is_empty() && text.len() <= LONGEST;
            (is_word && !text.contains(char::is_whitespace)).then(|| text.into_owned())
        }
        None => value.as_integer().map(|number| number.to_string()),
    }
}

/// Sorts names, and leaves each once.
pub fn distinct(mut all: Vec<String>) -> Vec<String> {
    all.sort_unstable();
    all.dedup();
    all
}

/// True for an utterance, not a name.
pub fn is_utterance(text: &str) -> bool {
    text.chars().count() >= 8 && (text.contains(' ') || !text.is_ascii())
}

/// Returns the name of the speaker that a text begins with, before a colon.
pub fn speaker_before(text: &str) -> Option<&str> {
    let name = text.split_once(": ")?.0;
    let is_short = name.len() <= 24 && name.trim().split(' ').count() <= 3;
    let is_name = !name.trim().is_empty() && !name.contains(['"', '{', '[', '<']);
    (is_short && is_name).then_some(name)
}

/// True for a text of several turns, each on a line with its speaker.
pub fn is_dialog(text: &str) -> bool {
    text.lines().filter(|line| speaker_before(line).is_some()).count() >= 2
}

/// Returns the texts in a list, if it has nothing else.
pub fn texts_in(list: Value<'_>) -> Option<Vec<Cow<'_, str>>> {
    let all: Option<Vec<_>> = list.elements().map(Value::as_str).collect();
    all.filter(|texts| !texts.is_empty())
}
