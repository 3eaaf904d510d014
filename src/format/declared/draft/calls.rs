//! Guesses the calls, their responses and the parts in a list of turns, or beside it.

use std::collections::HashSet;

use super::super::place::Step;
use super::columns::{Column, Table, distinct, word};
use super::leaves::{Leaf, is_text};
use crate::json::{NodeKind, Value};

/// Values of a column that only some objects have.
pub struct Condition {
    pub place: String,
    pub names: Vec<String>,
}

/// Calls in one of the tables.
pub struct Calls {
    pub table: usize,
    pub own: Vec<usize>,
    pub name: String,
    pub arguments: String,
    /// True if the arguments are JSON in a text.
    pub are_texts: bool,
    pub id: Option<String>,
    pub is: Option<Condition>,
    /// The place of the response in the call itself.
    pub response: Option<String>,
}

/// Responses in one of the tables.
pub struct Responses {
    pub table: usize,
    pub own: Vec<usize>,
    /// Which part of its call a response names, `id` or `name`, and where.
    pub key: &'static str,
    pub by: String,
    pub at: String,
    pub is: Option<Condition>,
    pub failed: Option<String>,
}

/// Calls and responses in the tables of a list.
#[derive(Default)]
pub struct Acts {
    pub calls: Option<Calls>,
    pub responses: Option<Responses>,
}

impl Acts {
    pub fn of(tables: &[Table<'_>]) -> Self {
        let found = tables.iter().enumerate().find_map(|(number, table)| find_calls(number, table));
        let Some(mut calls) = found else {
            return Self::default();
        };
        let mut responses = find_responses(tables, &calls);
        if calls.id.is_none() && calls.own.len() > 1 {
            // An id that is not named like one: other objects have its values, too.
            let table = &tables[calls.table];
            let columns = table.columns.iter().filter(|column| column.way.len() == 1);
            for column in columns.filter(|column| are_different(column, &calls.own)) {
                calls.id = Some(column.place.clone());
                responses = find_responses(tables, &calls);
                if responses.is_some() {
                    break;
                }
                calls.id = None;
            }
        }
        if responses.is_none() && calls.response.is_none() {
            responses = find_named(tables, &calls);
        }
        if responses.is_some() {
            calls.response = None;
        }
        Self { calls: Some(calls), responses }
    }

    /// True if the object of a table is a call or a response.
    pub fn has(&self, table: usize, object: usize) -> bool {
        let is_call =
            |calls: &Calls| calls.table == table && calls.own.binary_search(&object).is_ok();
        let is_response =
            |all: &Responses| all.table == table && all.own.binary_search(&object).is_ok();
        self.calls.as_ref().is_some_and(is_call) || self.responses.as_ref().is_some_and(is_response)
    }

    /// Returns the turns with calls or responses.
    pub fn turns(&self, tables: &[Table<'_>]) -> HashSet<usize> {
        let all = tables.iter().enumerate().flat_map(|(number, table)| {
            let own = (0..table.objects.len()).filter(move |object| self.has(number, *object));
            own.map(|object| table.turn(object))
        });
        all.collect()
    }

    /// Returns the turns with calls.
    pub fn calling(&self, tables: &[Table<'_>]) -> Vec<usize> {
        let calls = self.calls.iter();
        calls.flat_map(|calls| calls.own.iter().map(|own| tables[calls.table].turn(*own))).collect()
    }
}

/// Returns the way to the object around the value at a way.
fn around(way: &[Step]) -> &[Step] {
    way.split_last().map_or(&[], |(_, before)| before)
}

fn is_argument(column: &Column<'_>) -> bool {
    around(&column.way).iter().any(|step| match step {
        Step::Member(name) => Leaf::Arguments.rank(name).is_some(),
        _ => false,
    })
}

/// True if the objects have words in a column, each another one.
fn are_different(column: &Column<'_>, own: &[usize]) -> bool {
    let ids: Option<Vec<_>> = own.iter().map(|object| column.word(*object)).collect();
    ids.is_some_and(|ids| distinct(ids).len() == own.len())
}

fn find_calls(number: usize, table: &Table<'_>) -> Option<Calls> {
    let mut all = Leaf::Arguments.columns(&table.columns);
    all.retain(|column| !is_argument(column));
    all.sort_by_key(|column| column.way.len());
    let arguments = *all.first()?;
    let fits = |value: &Value<'_>| Leaf::Arguments.fits(*value);
    let with_arguments: Vec<_> = (0..table.objects.len())
        .filter(|object| arguments.of(*object).as_ref().is_some_and(fits))
        .collect();
    let mut names = Leaf::CallName.columns(&table.columns);
    names.retain(|column| !is_argument(column));
    names.sort_by_key(|column| (around(&column.way) != around(&arguments.way), column.way.len()));
    let name = names
        .into_iter()
        .find(|column| with_arguments.iter().all(|object| column.word(*object).is_some()))?;
    let ids = Leaf::CallId.columns(&table.columns).into_iter();
    let id =
        ids.filter(|column| !is_argument(column)).find(|id| are_different(id, &with_arguments));
    let response = beside(table, &with_arguments, arguments);
    let response =
        response.filter(|column| Leaf::Response.rank(&column.name).is_some_and(|rank| rank < 5));
    let mut in_text = with_arguments.iter().filter_map(|object| arguments.of(*object));
    Some(Calls {
        table: number,
        name: name.place.clone(),
        arguments: arguments.place.clone(),
        are_texts: in_text.any(is_text),
        id: id.map(|column| column.place.clone()),
        is: condition(table, &with_arguments),
        response: response.map(|column| column.place.clone()),
        own: with_arguments,
    })
}

/// Finds the objects with the id of a call that are not calls.
fn find_responses(tables: &[Table<'_>], calls: &Calls) -> Option<Responses> {
    let id = tables[calls.table].column(calls.id.as_ref()?)?;
    let ids = names_of(id, &calls.own);
    let are_numbers = ids.iter().all(|id| id.parse::<i64>().is_ok());
    let all = tables.iter().enumerate().flat_map(|(number, table)| {
        let columns = table.columns.iter().filter(move |column| {
            let is_named =
                Leaf::CallId.rank(&column.name).is_some() || column.name.contains("call");
            column.is_single() && (is_named || !are_numbers)
        });
        columns.map(move |column| (number, column))
    });
    let counted = all.filter_map(|(number, column)| {
        let own = column.cells.iter().filter(|cell| {
            let is_call = number == calls.table && calls.own.binary_search(&cell.object).is_ok();
            !is_call && word(cell.value).is_some_and(|id| ids.binary_search(&id).is_ok())
        });
        let own: Vec<_> = own.map(|cell| cell.object).collect();
        (!own.is_empty()).then_some((own, number, column))
    });
    // Of equals, the first one.
    let best =
        counted.reduce(|best, other| if other.0.len() > best.0.len() { other } else { best });
    let (own, number, id) = best?;
    let at = beside(&tables[number], &own, id).or_else(|| longest(&tables[number], &own, id))?;
    Some(responses(tables, number, own, "id", id, at))
}

/// Finds the objects with the name of a call beside a response.
fn find_named(tables: &[Table<'_>], calls: &Calls) -> Option<Responses> {
    let table = &tables[calls.table];
    let called = names_of(table.column(&calls.name)?, &calls.own);
    let mut all = Leaf::CallName.columns(&table.columns).into_iter();
    all.find_map(|name| {
        let own: Vec<_> = name.cells.iter().map(|cell| cell.object).collect();
        let is_call = own.iter().any(|object| calls.own.binary_search(object).is_ok());
        let is_of_calls = name.words()?.iter().all(|name| called.contains(name));
        let at = beside(table, &own, name).filter(|_| !is_call && is_of_calls)?;
        Some(responses(tables, calls.table, own, "name", name, at))
    })
}

/// Returns the column of responses beside another one, also where that is deeper in a turn.
fn beside<'c, 'a>(table: &'c Table<'a>, own: &[usize], by: &Column<'_>) -> Option<&'c Column<'a>> {
    let mut all = Leaf::Response.columns(&table.columns).into_iter();
    all.find(|column| {
        let is_one = around(&column.way) == around(&by.way) && column.place != by.place;
        is_one && own.iter().any(|object| column.of(*object).is_some())
    })
}

fn responses(
    tables: &[Table<'_>],
    number: usize,
    own: Vec<usize>,
    key: &'static str,
    by: &Column<'_>,
    at: &Column<'_>,
) -> Responses {
    let table = &tables[number];
    let mut values = own.iter().filter_map(|object| at.of(*object));
    let is_list = values.any(|value| value.kind() == NodeKind::Array);
    let mut failed = Leaf::Failed.columns(&table.columns).into_iter();
    let failed = failed.find(|column| own.iter().any(|object| column.of(*object).is_some()));
    Responses {
        table: number,
        key,
        by: by.place.clone(),
        at: if is_list { format!("{0} | {0}[*].text", at.place) } else { at.place.clone() },
        is: condition(table, &own),
        failed: failed.map(|column| column.place.clone()),
        own,
    }
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

/// Returns the columns that may say what an object is; an argument of a call does not.
fn kinds<'c, 'a>(table: &'c Table<'a>) -> impl Iterator<Item = &'c Column<'a>> {
    table.columns.iter().filter(|column| column.kinds().is_some() && !is_argument(column))
}

/// Returns the column that says what the objects are.
pub fn kind<'c, 'a>(table: &'c Table<'a>) -> Option<&'c Column<'a>> {
    let rank = |column: &Column<'_>| Leaf::Kind.rank(&column.name).unwrap_or(3);
    let whole = kinds(table).filter(|column| {
        let names = column.kinds().unwrap_or_default();
        let is_kind = names.len() > 1 || rank(column) < 2;
        column.cells.len() == table.objects.len() && is_kind && !column.place.contains("id")
    });
    whole.min_by_key(|column| (rank(column), column.kinds().map_or(0, |names| names.len())))
}

/// Returns what tells some objects from the others; None if no column does, or if nothing has to.
pub fn condition(table: &Table<'_>, own: &[usize]) -> Option<Condition> {
    let kind = kind(table);
    if own.len() == table.objects.len() && kind.is_none() {
        return None;
    }
    let is_own = |object: usize| own.binary_search(&object).is_ok();
    let tells = |column: &&Column<'_>| {
        let names = names_of(column, own);
        let mut others = column.cells.iter().filter(|cell| !is_own(cell.object));
        !names.is_empty()
            && own.iter().all(|object| column.word(*object).is_some())
            && !others.any(|cell| word(cell.value).is_some_and(|name| names.contains(&name)))
    };
    let rank = |column: &&Column<'_>| {
        (Some(&column.place) != kind.map(|kind| &kind.place), !column.place.ends_with("type"))
    };
    let is_kind = |column: &&Column<'_>| {
        column.cells.len() == table.objects.len() || Leaf::Kind.rank(&column.name).is_some()
    };
    let column = kinds(table).filter(is_kind).filter(tells).min_by_key(rank)?;
    Some(Condition { place: column.place.clone(), names: names_of(column, own) })
}

/// Returns the different words of some objects in a column.
pub fn names_of(column: &Column<'_>, own: &[usize]) -> Vec<String> {
    distinct(own.iter().filter_map(|object| column.word(*object)).collect())
}
