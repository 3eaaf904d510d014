//! Guesses the calls and their responses in the lists of turns, or in the turns, and what tells them from other objects.

use std::collections::BTreeSet;

use super::super::place::Step;
use super::columns::{Column, Table, distinct, word};
use super::leaves::{Leaf, is_text};
use super::toml::{Lines, list, place, quoted, table as table_of};
use crate::json::{NodeKind, Value};

/// Names of a response that is in the call itself, at most.
const OWN_RESPONSES: usize = 5;

/// Values of a column that only some objects have.
pub struct Condition {
    pub place: String,
    pub names: Vec<String>,
}

impl Condition {
    /// Returns it as a table in a line.
    pub fn table(&self) -> String {
        let is_odd = |c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c);
        let key =
            if self.place.contains(is_odd) { quoted(&self.place) } else { self.place.clone() };
        let names = list(&self.names);
        table_of(&[(&key, if self.names.len() == 1 { names } else { format!("[{names}]") })])
    }
}

/// Calls and responses in the tables of a list.
#[derive(Default)]
pub struct Acts {
    /// The objects that are calls or responses, each with the number of its table.
    all: BTreeSet<(usize, usize)>,
    /// The turns with them, and with calls.
    pub turns: BTreeSet<usize>,
    pub calling: Vec<usize>,
    /// The table of the description.
    pub lines: Lines,
    /// True if responses are in the calls, or name them.
    are_answered: bool,
}

/// Some objects of a table, by its number.
type Objects = (usize, Vec<usize>);

impl Acts {
    pub fn of(tables: &[Table<'_>]) -> Self {
        let mut all = tables.iter().enumerate();
        let found = all.find_map(|(number, table)| Self::of_calls(tables, number, table));
        found.unwrap_or_default()
    }

    /// Returns the calls in one of the tables, with their responses in any of them.
    fn of_calls(tables: &[Table<'_>], number: usize, table: &Table<'_>) -> Option<Self> {
        let mut arguments = Leaf::Arguments.columns(&table.columns);
        arguments.sort_by_key(|column| column.way.len());
        let arguments = arguments.into_iter().find(|column| !is_argument(column))?;
        let fits = |value: Value<'_>| Leaf::Arguments.fits(value);
        let has = |object: &usize| arguments.of(*object).is_some_and(fits);
        let calls: Objects = (number, (0..table.objects.len()).filter(has).collect());
        let own = &calls.1;
        let near = |leaf: Leaf| {
            let mut all = leaf.columns(&table.columns);
            all.retain(|column| !is_argument(column));
            let is_far = |column: &Column<'_>| around(&column.way) != around(&arguments.way);
            all.sort_by_key(|column| (is_far(column), column.way.len()));
            all
        };
        let have_names = |column: &&Column<'_>| own.iter().all(|call| column.word(*call).is_some());
        let name = near(Leaf::CallName).into_iter().find(have_names)?;
        let inside = beside(table, own, arguments).filter(|column| {
            Leaf::Response.rank(&column.name).is_some_and(|rank| rank < OWN_RESPONSES)
        });
        // An id that is not named like one: other objects have its values, too.
        let mut ids = near(Leaf::CallId);
        let others = table.columns.iter().filter(|column| own.len() > 1 && column.way.len() == 1);
        let others = others.filter(|column| Leaf::CallId.rank(&column.name).is_none());
        let differ = |column: &&Column<'_>| names_of(column, own).len() == own.len();
        ids.retain(differ);
        let mut all = ids.iter().copied().chain(others.filter(differ));
        let answered = all.find_map(|id| Some((id, find_responses(tables, &calls, "id", id)?)));
        let (id, responses) = answered.unzip();
        let by_name = || find_responses(tables, &calls, "name", name);
        let responses = responses.or_else(|| if inside.is_none() { by_name() } else { None });
        let mut lines = Lines::default();
        lines.add("\n[call]");
        lines.text("at", &place(&table.at));
        match condition(table, own, None) {
            Some(is) => lines.key("is", &is.table()),
            None if own.len() < table.objects.len() => lines.text("when", &arguments.place),
            None => {}
        }
        if let Some(id) = id.or(ids.first().copied()) {
            lines.text("id", &id.place);
        }
        lines.text("name", &name.place);
        let are_texts = own.iter().filter_map(|call| arguments.of(*call)).any(is_text);
        let arguments = quoted(&arguments.place);
        let json = || table_of(&[("at", arguments.clone()), ("json", quoted("string"))]);
        lines.key("arguments", if are_texts { json() } else { arguments.clone() }.as_str());
        let inside = inside.map(|column| quoted(&column.place));
        let response = responses.as_ref().map(|(_, response)| response).or(inside.as_ref());
        if let Some(response) = response {
            lines.key("response", response);
        }
        let turn = |(table, object): &(usize, usize)| tables[*table].turn(*object);
        let are_answered = response.is_some();
        let all = responses.map_or((0, Vec::new()), |(all, _)| all);
        let calling = own.iter().map(|object| table.turn(*object)).collect();
        let all = [calls, all]
            .into_iter()
            .flat_map(|(table, own)| own.into_iter().map(move |own| (table, own)));
        let all: BTreeSet<_> = all.collect();
        Some(Self { turns: all.iter().map(turn).collect(), all, calling, lines, are_answered })
    }

    /// True if nothing shows where the responses of calls are.
    pub fn is_unanswered(&self) -> bool {
        !self.calling.is_empty() && !self.are_answered
    }

    /// True if the object of a table is a call or a response.
    pub fn has(&self, table: usize, object: usize) -> bool {
        self.all.contains(&(table, object))
    }
}

/// Returns the way to the object around the value at a way.
fn around(way: &[Step]) -> &[Step] {
    way.split_last().map_or(&[], |(_, before)| before)
}

/// True for what is in the arguments of a call.
fn is_argument(column: &Column<'_>) -> bool {
    around(&column.way).iter().any(|step| match step {
        Step::Member(name) => Leaf::Arguments.rank(name).is_some(),
        _ => false,
    })
}

/// Finds the objects other than calls that have the id or, as `key` says, the name of a call, which is in `by`.
fn find_responses(
    tables: &[Table<'_>],
    (of, calls): &Objects,
    key: &str,
    by: &Column<'_>,
) -> Option<(Objects, String)> {
    let words = names_of(by, calls);
    let are_numbers = words.iter().all(|word| word.parse::<i64>().is_ok());
    let may_name = |number: usize, column: &Column<'_>| {
        let is_id = Leaf::CallId.rank(&column.name).is_some() || column.name.contains("call");
        let is_name = number == *of && Leaf::CallName.rank(&column.name).is_some();
        column.is_single() && if key == "id" { is_id || !are_numbers } else { is_name }
    };
    let all = tables
        .iter()
        .enumerate()
        .flat_map(|(number, table)| table.columns.iter().map(move |column| (number, column)));
    let counted = all.filter(|(number, column)| may_name(*number, column));
    let counted = counted.filter_map(|(number, column)| {
        let own = column.cells.iter().filter(|cell| {
            let is_call = number == *of && calls.binary_search(&cell.object).is_ok();
            !is_call && word(cell.value).is_some_and(|word| words.binary_search(&word).is_ok())
        });
        let own: Vec<_> = own.map(|cell| cell.object).collect();
        (!own.is_empty()).then_some((own, number, column))
    });
    // Of equals, the first one.
    let best = counted.reduce(|one, next| if next.0.len() > one.0.len() { next } else { one });
    let (own, number, by) = best?;
    let longest = || longest(&tables[number], &own, by).filter(|_| key == "id");
    let at = beside(&tables[number], &own, by).or_else(longest)?;
    let response = response(&tables[number], &own, (key, by), at);
    Some(((number, own), response))
}

/// Returns the column of responses beside another one, also where that is deeper in a turn.
fn beside<'c, 'a>(table: &'c Table<'a>, own: &[usize], by: &Column<'_>) -> Option<&'c Column<'a>> {
    let mut all = Leaf::Response.columns(&table.columns).into_iter();
    all.find(|column| {
        let is_one = around(&column.way) == around(&by.way) && column.place != by.place;
        is_one && own.iter().any(|object| column.of(*object).is_some())
    })
}

/// Returns the column with the longest values of the objects, other than their id and kind.
fn longest<'c, 'a>(table: &'c Table<'a>, own: &[usize], id: &Column<'_>) -> Option<&'c Column<'a>> {
    let length = |column: &Column<'_>| -> usize {
        let values = own.iter().filter_map(|object| column.of(*object));
        let values = values.filter(|value| is_text(*value) || value.kind() == NodeKind::Object);
        values.map(|value| value.raw().len()).sum()
    };
    let kind = kind(table).map(|column| &column.place);
    let others = table.columns.iter().filter(|column| {
        column.way.len() == 1 && column.place != id.place && Some(&column.place) != kind
    });
    others.filter(|column| length(column) > 0).max_by_key(|column| length(column))
}

/// Returns the value for responses at a place, which name their calls by a part of them.
fn response(
    table: &Table<'_>,
    own: &[usize],
    (key, by): (&str, &Column<'_>),
    at: &Column<'_>,
) -> String {
    let has = |column: &Column<'_>, kind: Option<NodeKind>| {
        let mut values = own.iter().filter_map(|object| column.of(*object));
        values.any(|value| kind.is_none_or(|kind| value.kind() == kind))
    };
    let is = condition(table, own, None);
    let by = quoted(&by.place);
    let is_list = has(at, Some(NodeKind::Array));
    let parts = format!("{0} | {0}[*].text", at.place);
    let mut response = vec![
        ("in", quoted(&place(&table.at))),
        is.map_or(("when", by.clone()), |is| ("is", is.table())),
        (key, by),
        ("at", quoted(if is_list { &parts } else { &at.place })),
    ];
    let mut failed = Leaf::Failed.columns(&table.columns).into_iter();
    let failed = failed.find(|column| has(column, None));
    response.extend(failed.map(|column| ("error", quoted(&column.place))));
    table_of(&response)
}

/// Returns the column that says what the objects are; an argument of a call does not.
pub fn kind<'c, 'a>(table: &'c Table<'a>) -> Option<&'c Column<'a>> {
    let rank = |column: &Column<'_>| Leaf::Kind.rank(&column.name).unwrap_or(3);
    let whole = table.columns.iter().filter_map(|column| {
        let names = column.kinds().filter(|_| !is_argument(column))?;
        let is_kind = names.len() > 1 || rank(column) < 2;
        let is_whole = column.cells.len() == table.objects.len();
        (is_whole && is_kind && !column.place.contains("id")).then_some((names.len(), column))
    });
    whole.min_by_key(|(names, column)| (rank(column), *names)).map(|(_, column)| column)
}

/// Returns what tells some objects from the others, in a column of speakers first; None if no column does, or if nothing
/// has to.
pub fn condition(table: &Table<'_>, own: &[usize], speakers: Option<&str>) -> Option<Condition> {
    let kind = kind(table);
    let is_all = own.len() == table.objects.len();
    if is_all && (kind.is_none() || speakers.is_some()) {
        return None;
    }
    let others: Vec<_> =
        (0..table.objects.len()).filter(|at| own.binary_search(at).is_err()).collect();
    let tells = table.columns.iter().filter_map(|column| {
        let is_kind = column.cells.len() == table.objects.len()
            || Leaf::Kind.rank(&column.name).is_some()
            || speakers.is_some();
        column.kinds().filter(|_| is_kind && !is_argument(column))?;
        let (words, not) = (words_of(column, own), words_of(column, &others));
        let is_it = !words.is_empty()
            && words.len() == own.len()
            && !words.iter().any(|word| not.contains(word));
        is_it.then(|| (distinct(words), column))
    });
    let rank = |(names, column): &(Vec<String>, &Column<'_>)| match speakers {
        Some(speakers) => (column.place != speakers, false, names.len(), column.way.len()),
        None => {
            let is_kind = kind.is_some_and(|kind| kind.place == column.place);
            (!is_kind, !column.place.ends_with("type"), 0, 0)
        }
    };
    let (names, column) = tells.min_by_key(rank)?;
    Some(Condition { place: column.place.clone(), names })
}

/// Returns the words of some objects in a column.
pub fn words_of(column: &Column<'_>, own: &[usize]) -> Vec<String> {
    own.iter().filter_map(|object| column.word(*object)).collect()
}

/// Returns the different words of some objects in a column.
pub fn names_of(column: &Column<'_>, own: &[usize]) -> Vec<String> {
    distinct(words_of(column, own))
}
