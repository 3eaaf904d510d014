//! Guesses which lists in turns are spans of their texts.

use super::columns::{Column, Table};
use super::leaves::{Leaf, is_text};
use super::spelling::place;
use super::turns::{Guess, Side, Speaker};
use crate::json::Value;

/// A list in turns whose objects look like spans.
pub struct Spans {
    pub at: String,
    pub start: String,
    pub end: String,
    pub ends: &'static str,
    /// True if a quote shows what the end means.
    pub is_known: bool,
    pub label: Option<String>,
    pub quote: Option<String>,
    /// True if some objects of the list have no end.
    pub is_partial: bool,
}

impl Guess<'_> {
    /// Returns the lists of spans in the turns.
    pub fn spans(&self) -> Vec<Spans> {
        let [Side { separator: None, speaker, parts, .. }] = self.sides.as_slice() else {
            return Vec::new();
        };
        let is_other = |number: usize, table: &Table<'_>| {
            let is_act = (0..table.objects.len()).any(|object| self.acts.has(number, object));
            let are_parts = parts.as_ref().is_some_and(|[at, _]| *at == place(&table.at));
            is_act || are_parts || table.at.is_empty() || matches!(speaker, Speaker::Before(..))
        };
        let tables = self.tables.iter().enumerate();
        let tables = tables.filter(|(number, table)| !is_other(*number, table));
        let all = tables.filter_map(|(_, table)| spans_of(table, &|turn| self.text_of(turn)));
        let mut all: Vec<_> = all.collect();
        all.sort_by(|one, other| one.at.cmp(&other.at));
        all
    }
}

fn spans_of(table: &Table<'_>, text: &dyn Fn(usize) -> Option<String>) -> Option<Spans> {
    let own = |leaf: Leaf| leaf.columns(&table.columns).into_iter().filter(|c| c.way.len() == 1);
    let start = own(Leaf::Start).next()?;
    let end = own(Leaf::End).find(|column| column.place != start.place)?;
    let texts: Vec<Vec<char>> =
        (table.of.iter()).map(|turn| text(*turn).unwrap_or_default().chars().collect()).collect();
    // A column whose text is that of its span, as one of the ends has it.
    let quote = |column: &&Column<'_>, ends: &str| {
        column.cells.iter().any(|cell| {
            let offset = |of: &Column<'_>| of.of(cell.object).and_then(Value::as_integer);
            let covered = offset(start).zip(offset(end)).and_then(|(from, to)| {
                let to = match ends {
                    "inclusive" => to + 1,
                    "length" => from + to,
                    _ => to,
                };
                let range = usize::try_from(from).ok()?..usize::try_from(to).ok()?;
                Some(texts[cell.object].get(range)?.iter().collect::<String>())
            });
            let covered = covered.filter(|covered| !covered.is_empty());
            covered.is_some() && cell.value.as_str().as_deref() == covered.as_deref()
        })
    };
    let columns = || table.columns.iter().filter(|column| column.is_single());
    let quoted = ["exclusive", "inclusive", "length"]
        .into_iter()
        .find_map(|ends| columns().find(|column| quote(column, ends)).map(|column| (ends, column)));
    let is_length = end.name.contains("length");
    let ends = if is_length { "length" } else { "exclusive" };
    let others = || {
        table.columns.iter().filter(|column| {
            let has_texts = column.cells.iter().any(|cell| is_text(cell.value));
            has_texts && quoted.is_none_or(|(_, quote)| quote.place != column.place)
        })
    };
    let usual = others().filter(|column| column.is_single() && column.way.len() == 1);
    let usual = usual.filter_map(|column| Some((Leaf::Label.rank(&column.name)?, column)));
    let label = usual.min_by_key(|(rank, _)| *rank).map(|(_, column)| column);
    let label = label.or_else(|| others().next());
    Some(Spans {
        at: place(&table.at),
        start: start.place.clone(),
        end: end.place.clone(),
        ends: quoted.map_or(ends, |(ends, _)| ends),
        is_known: quoted.is_some(),
        label: label.map(|column| column.place.clone()),
        quote: quoted.map(|(_, column)| column.place.clone()),
        is_partial: end.cells.len() < table.objects.len(),
    })
}
