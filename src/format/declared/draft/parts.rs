//! Guesses which list in the turns has their parts: texts, thoughts, calls and responses.

use super::calls::{Acts, condition, kind};
use super::columns::Table;
use super::leaves::Leaf;
use super::texts::{best, texts_of};
use super::toml::{self, below, place, quoted};
use super::turns::Side;
use crate::json::NodeKind;

/// A list in the turns whose objects are parts of them, such as texts, thoughts and calls.
pub struct Parts {
    /// The list, from the turn.
    at: String,
    /// The place of the texts, from the turn.
    text: Option<String>,
    /// The bytes of the texts.
    pub length: usize,
    reasoning: Option<String>,
    kind: Option<String>,
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
        let own = tables.last()?;
        let one = |(number, table): (usize, &Table<'_>)| {
            let (_, list) = table.at.split_last().filter(|_| table.at.len() > 1)?;
            let column = own.column(&place(list))?;
            let is_text_too =
                column.has(NodeKind::String) && Leaf::Text.rank(&column.name).is_some();
            let kind = kind(table);
            let is_act = |object: usize| acts.has(number, object);
            let has_acts = (0..table.objects.len()).any(is_act);
            let is_mixed =
                kind.is_some_and(|kind| kind.kinds().is_some_and(|names| names.len() > 1));
            let is_thought = |object: &usize| {
                let kind =
                    kind.and_then(|kind| kind.word(*object)).unwrap_or_default().to_lowercase();
                ["think", "thought", "reason"].iter().any(|part| kind.contains(part))
            };
            let is_part = |object: &usize| !is_act(*object) && speaks(table.of[*object]);
            let inside = texts_of(&table.columns, table.objects.len(), &|object| {
                is_part(&object) && !is_thought(&object)
            });
            let thoughts = texts_of(&table.columns, table.objects.len(), &|object| {
                is_part(&object) && is_thought(&object)
            });
            let inside = best(inside.iter().filter(|text| !text.is_joined));
            let is_it = is_text_too && inside.is_some()
                || has_acts && is_mixed
                || !has_text && inside.is_some();
            if !is_it {
                return None;
            }
            let at = place(&table.at);
            let reasoning = best(thoughts.iter().filter(|text| !text.is_joined)).map(|thought| {
                if inside.is_some_and(|text| text.way == thought.way) {
                    let own: Vec<_> = (0..table.objects.len()).filter(is_thought).collect();
                    let is = condition(table, &own, None)
                        .as_ref()
                        .map_or_else(String::new, toml::condition);
                    let thought = quoted(&thought.place);
                    toml::table(&[("in", quoted(&at)), ("is", is), ("at", thought)])
                } else {
                    quoted(&below(&at, &thought.place))
                }
            });
            Some(Self {
                text: inside.map(|text| below(&at, &text.place)),
                length: inside.map_or(0, |text| text.length),
                reasoning,
                kind: kind.map(|kind| kind.place.clone()),
                is_text_too,
                at,
            })
        };
        tables[..tables.len() - 1].iter().enumerate().find_map(one)
    }

    /// Adds what it has to a turn, which may have a text beside the parts.
    pub fn add_to(self, side: &mut Side) {
        let list = self.at.trim_end_matches("[*]");
        match self.text {
            Some(text) if self.is_text_too => side.text = format!("{list} | {text}"),
            Some(text) if side.text.is_empty() => (side.text, side.separator) = (text, Some("\n")),
            Some(text) => side.text = format!("{} | {text}", side.text),
            None => {}
        }
        side.reasoning = self.reasoning.or(side.reasoning.take());
        let at = quoted(&self.at);
        side.parts = self.kind.map(|kind| match kind.as_str() {
            "type" => at,
            kind => toml::table(&[("at", at), ("kind", quoted(kind))]),
        });
    }
}
