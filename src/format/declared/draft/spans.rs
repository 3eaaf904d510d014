//! Guesses which lists in turns are spans of their texts.

use super::columns::{Column, Table};
use super::leaves::{Leaf, is_text};
use super::toml::{Lines, place, quoted};
use super::turns::{Guess, Side, Speaker};
use crate::json::Value;

impl Guess<'_> {
    /// Returns the tables of the lists of spans in the turns.
    pub fn spans(&self) -> Vec<Lines> {
        let [Side { separator: None, speaker, parts, .. }] = self.sides.as_slice() else {
            return Vec::new();
        };
        let is_other = |number: usize, table: &Table<'_>| {
            let is_act = (0..table.objects.len()).any(|object| self.acts.has(number, object));
            let are_parts =
                parts.as_ref().is_some_and(|parts| parts.contains(&quoted(&place(&table.at))));
            is_act
                || are_parts
                || table.at.is_empty()
                || matches!(speaker, Speaker::Named(found) if found.prefix.is_some())
        };
        let tables = self.tables.iter().enumerate();
        let tables = tables.filter(|(number, table)| !is_other(*number, table));
        let all = tables.filter_map(|(_, table)| {
            spans_of(table, &|turn| Some(self.said(turn)?.as_str()?.into_owned()))
        });
        let mut all: Vec<_> = all.collect();
        all.sort_by(|one, other| one.toml.cmp(&other.toml));
        all
    }
}

fn spans_of(table: &Table<'_>, text: &dyn Fn(usize) -> Option<String>) -> Option<Lines> {
    let own = |leaf: Leaf| leaf.columns(&table.columns).into_iter().filter(|c| c.way.len() == 1);
    let start = own(Leaf::Start).next()?;
    let end = own(Leaf::End).find(|column| column.place != start.place)?;
    // What the end of a span is, if a column has the text at its start.
    let ends = |column: &Column<'_>| {
        column.cells.iter().find_map(|cell| {
            let offset = |of: &Column<'_>| of.of(cell.object).and_then(Value::as_integer);
            let (from, to) = offset(start).zip(offset(end))?;
            let quote = cell.value.as_str().filter(|quote| !quote.is_empty())?;
            let length = quote.chars().count();
            let text = text(table.of[cell.object])?;
            let covered = text.chars().skip(usize::try_from(from).ok()?).take(length);
            let ends = [("exclusive", from), ("inclusive", from - 1), ("length", 0)];
            let mut ends = ends.into_iter().filter(|(_, base)| to - base == length as i64);
            ends.next().map(|(ends, _)| ends).filter(|_| covered.eq(quote.chars()))
        })
    };
    let columns = || table.columns.iter().filter(|column| column.is_single());
    let quoted_by = columns().find_map(|column| Some((ends(column)?, column)));
    let others = || {
        table.columns.iter().filter(|column| {
            let has_texts = column.cells.iter().any(|cell| is_text(cell.value));
            has_texts && quoted_by.is_none_or(|(_, quote)| quote.place != column.place)
        })
    };
    let usual = others().filter(|column| column.is_single() && column.way.len() == 1);
    let usual = usual.filter_map(|column| Some((Leaf::Label.rank(&column.name)?, column)));
    let label = usual.min_by_key(|(rank, _)| *rank).map(|(_, column)| column);
    let label = label.or_else(|| others().next());
    let likely = if end.name.contains("len") { "length" } else { "exclusive" };
    let mut lines = Lines::default();
    lines.add("\n[[span]]");
    lines.text("at", &place(&table.at));
    lines.text("start", &start.place);
    lines.text("end", &end.place);
    if end.cells.len() < table.objects.len() {
        lines.text("when", &end.place);
    }
    if quoted_by.is_none() {
        let (end, at) = (&end.place, place(&table.at));
        lines.warn(format!("`{end}` of `{at}` is probably `{likely}`; no quote confirms this"));
    }
    lines.text("ends", quoted_by.map_or(likely, |(ends, _)| ends));
    lines.text("unit", "code-points");
    lines.text("label", label.map_or("label", |column| &column.place));
    if let Some((_, quote)) = quoted_by {
        lines.text("quote", &quote.place);
    }
    Some(lines)
}
