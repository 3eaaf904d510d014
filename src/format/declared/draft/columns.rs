//! The columns of a list: the values at each way from its elements, which a guess compares.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::place::Step;
use super::spelling::place;
use crate::json::{NodeKind, Value};

/// How deep columns are, in members.
const DEPTH: usize = 3;
/// The most columns of a table.
const COLUMNS: usize = 2_000;
/// The most elements of a list that is a pair, or a few values, of each turn.
const TUPLE: usize = 4;
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
    /// The way from a turn to the objects; empty for the turns themselves.
    pub at: Vec<Step>,
    pub objects: Vec<Value<'a>>,
    /// The turn of each object.
    pub turns: Vec<usize>,
    /// In the order in which they are first seen.
    pub columns: Vec<Column<'a>>,
}

impl<'a> Table<'a> {
    pub fn of_turns(objects: Vec<Value<'a>>) -> Self {
        let turns = (0..objects.len()).collect();
        Self::new(Vec::new(), objects, turns)
    }

    fn new(at: Vec<Step>, objects: Vec<Value<'a>>, turns: Vec<usize>) -> Self {
        let (mut columns, mut known) = (Vec::new(), HashMap::new());
        for (object, value) in objects.iter().enumerate() {
            add(Cell { object, value: *value }, &mut Vec::new(), &mut columns, &mut known);
        }
        Self { at, objects, turns, columns }
    }

    /// Returns its lists of objects as tables, those with the most objects first, and itself last.
    pub fn with_lists(self) -> Vec<Self> {
        let mut all = Vec::new();
        for column in self.columns.iter().filter(|column| column.is_single()) {
            let (mut lists, mut depth) = (column.cells.clone(), 0);
            while depth < 2 && !lists.is_empty() {
                let inner = lists.iter().flat_map(|cell| {
                    cell.value.elements().map(|value| Cell { object: cell.object, value })
                });
                lists = inner.collect();
                depth += 1;
                let objects = lists.iter().filter(|cell| cell.value.kind() == NodeKind::Object);
                let (turns, objects): (Vec<_>, Vec<_>) =
                    objects.map(|cell| (cell.object, cell.value)).unzip();
                if !objects.is_empty() {
                    let at = [column.way.as_slice(), &vec![Step::Elements; depth]].concat();
                    all.push(Self::new(at, objects, turns));
                }
            }
        }
        all.sort_by_key(|table| std::cmp::Reverse(table.objects.len()));
        all.push(self);
        all
    }

    pub fn column(&self, place: &str) -> Option<&Column<'a>> {
        self.columns.iter().find(|column| column.place == place)
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
    let is_scalar = |value: &Value<'_>| !matches!(value.kind(), NodeKind::Object | NodeKind::Array);
    let count = cell.value.elements().count();
    let most = if is_whole { TUPLE } else { 1 };
    if count > 0 && (!is_whole || (2..=TUPLE).contains(&count)) {
        let first = cell.value.elements().take(most).enumerate();
        for (at, value) in first.filter(|(_, value)| is_scalar(value)) {
            way.push(Step::Position(at));
            note(way, Cell { value, ..cell });
            way.pop();
        }
    }
    if depth == DEPTH {
        return;
    }
    for (key, value) in cell.value.members() {
        let name = key.as_str().unwrap_or_default();
        if name.is_empty() || name.contains('"') {
            continue;
        }
        way.push(Step::Member(name.into_owned()));
        add(Cell { value, ..cell }, way, columns, known);
        way.pop();
    }
    if !is_whole && !way.contains(&Step::Elements) {
        way.push(Step::Elements);
        for value in cell.value.elements().filter(|value| value.kind() == NodeKind::Object) {
            add(Cell { value, ..cell }, way, columns, known);
        }
        way.pop();
    }
}

/// Returns the last name on a way; empty if there is none.
pub fn last_name(way: &[Step]) -> &str {
    let name = way.iter().rev().find_map(|step| match step {
        Step::Member(name) => Some(name.as_str()),
        _ => None,
    });
    name.unwrap_or_default()
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
