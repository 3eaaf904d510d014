//! Guesses which list in the turns has their parts: texts, thoughts, calls and responses.

use super::calls::{Acts, condition, kind};
use super::columns::{Column, Table};
use super::leaves::Leaf;
use super::texts::{best, texts_of};
use super::toml::{below, place, quoted, table as table_of};
use super::turns::Side;
use crate::json::NodeKind;

/// A list in the turns whose objects are parts of them, such as texts, thoughts and calls.
pub struct Parts {
    /// The member with the list, from the turn.
    list: String,
    /// The place of the texts, from the turn.
    text: Option<String>,
    /// The bytes of the texts.
    pub length: usize,
    reasoning: Option<String>,
    parts: Option<String>,
    /// True if the member is a text in some turns.
    pub is_text_too: bool,
}

impl Parts {
    /// Returns the first list that is a text in other turns, or has calls or responses among other parts; or, if
    /// nothing else is a text, any with texts.
    pub fn of(
        tables: &[Table<'_>],
        acts: &Acts,
        speaks: &dyn Fn(usize) -> bool,
        has_text: bool,
    ) -> Option<Self> {
        let (own, lists) = tables.split_last()?;
        let one = |(number, table): (usize, &Table<'_>)| {
            let (_, list) = table.at.split_last()?;
            let column = own.column(&place(list))?;
            let is_usual = Leaf::Text.rank(&column.name).is_some();
            let is_text_too = column.has(NodeKind::String) && is_usual;
            let kind = kind(table);
            let is_mixed = kind.and_then(Column::words).is_some_and(|names| names.len() > 1);
            let has_acts = (0..table.objects.len()).any(|object| acts.has(number, object));
            let is_thought = |object: usize| {
                let kind = kind.and_then(|kind| kind.word(object)).unwrap_or_default();
                Leaf::Thought.rank(&kind).is_some()
            };
            let texts = |are_thoughts: bool| {
                texts_of(&table.columns, table.objects.len(), &|object| {
                    let is_own = !acts.has(number, object) && speaks(table.of[object]);
                    is_own && is_thought(object) == are_thoughts
                })
            };
            let (texts, thoughts) = (texts(false), texts(true));
            let text = best(texts.iter().filter(|text| !text.is_joined));
            let thought = best(thoughts.iter().filter(|text| !text.is_joined));
            let is_it = text.is_some() && (is_text_too || !has_text);
            let at = place(&table.at);
            let marked = || {
                let own: Vec<_> = (0..table.objects.len()).filter(|at| is_thought(*at)).collect();
                condition(table, &own, None)
            };
            let reasoning = thought.map(|thought| {
                let is_same = text.is_some_and(|text| text.way == thought.way);
                match is_same.then(marked).flatten() {
                    Some(is) => table_of(&[
                        ("in", quoted(&at)),
                        ("is", is.table()),
                        ("at", quoted(&thought.place)),
                    ]),
                    None => quoted(&below(&at, &thought.place)),
                }
            });
            let parts = kind.map(|kind| match kind.place.as_str() {
                "type" => quoted(&at),
                kind => table_of(&[("at", quoted(&at)), ("kind", quoted(kind))]),
            });
            let (length, text) = (text.map_or(0, |text| text.length), text.map(|text| &text.place));
            let text = text.map(|text| below(&at, text));
            let found = Self { list: place(list), text, length, reasoning, parts, is_text_too };
            (is_it || has_acts && is_mixed).then_some(found)
        };
        lists.iter().enumerate().find_map(one)
    }

    /// Adds what it has to a turn, which may have a text beside the parts.
    pub fn add_to(self, side: &mut Side) {
        match self.text {
            Some(text) if self.is_text_too => side.text = format!("{} | {text}", self.list),
            Some(text) if side.text.is_empty() => (side.text, side.separator) = (text, Some("\n")),
            Some(text) => side.text = format!("{} | {text}", side.text),
            None => {}
        }
        side.reasoning = self.reasoning.or(side.reasoning.take());
        side.parts = self.parts;
    }
}
