//! Guesses which columns of a table are texts: what turns say.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::place::Step;
use super::columns::{Column, Table, is_dialog, is_utterance, place, texts_in};
use super::leaves::Leaf;
use crate::json::{NodeKind, Value};

/// How deep texts are in turns, in members.
const DEPTH: usize = 2;

/// A column that may have the texts of turns.
pub struct Text {
    /// The way from the turn, to each sentence or token if they are joined.
    pub way: Vec<Step>,
    pub place: String,
    /// The names on the way, joined by dots.
    pub name: String,
    /// The number of bytes of the texts.
    pub length: usize,
    /// The length, more of it for names that are usual for texts.
    pub weight: usize,
    /// True for lists of sentences or tokens.
    pub is_joined: bool,
    /// True if some values are objects.
    pub is_mixed: bool,
}

/// Returns the likeliest of some texts. Of two that are similar, such as `said` and `said_complete`, the one
/// whose name the other one's begins with.
pub fn best<'t>(texts: impl Iterator<Item = &'t Text> + Clone) -> Option<&'t Text> {
    let most = texts.clone().max_by_key(|text| text.weight)?;
    let is_shorter = |text: &&Text| {
        let is_start = !text.name.is_empty() && most.name.starts_with(&text.name);
        is_start && text.name.len() < most.name.len() && text.weight * 3 > most.weight
    };
    texts.filter(is_shorter).last().or(Some(most))
}

/// Returns the columns that are long enough, often enough, to be what is said in the objects that `is_own` names.
pub fn texts_of(table: &Table<'_>, is_own: &dyn Fn(usize) -> bool) -> Vec<Text> {
    let count = (0..table.objects.len()).filter(|object| is_own(*object)).count();
    let all = table.columns.iter().filter(|column| {
        let members = column.way.iter().filter(|step| matches!(step, Step::Member(_))).count();
        let ends_in_position = matches!(column.way.as_slice(), [.., _, Step::Position(_)]);
        members <= DEPTH && !ends_in_position
    });
    let counted: Vec<_> = all.filter_map(|column| Count::of(column, is_own)).collect();
    // Of tuples, one part is the text and another one the speaker; or the parts are two turns.
    let tuple: Vec<_> = counted.iter().filter(|other| other.is_in_tuple()).collect();
    let has_speakers = tuple.iter().any(|other| other.said * 4 < count);
    let is_tuple_of_texts = has_speakers || tuple.len() == 2;
    let fits = |other: &&Count<'_>| {
        other.is_of_turns(count) && (!other.is_in_tuple() || is_tuple_of_texts)
    };
    counted.iter().filter(fits).map(|other| other.text(count)).collect()
}

/// Texts of a column, counted.
struct Count<'c> {
    column: &'c Column<'c>,
    is_joined: bool,
    length: usize,
    /// The texts that are utterances.
    said: usize,
    /// Utterances in which values are replaced by their names.
    replaced: usize,
    /// Utterances that are whole dialogs.
    dialogs: usize,
    /// Utterances that are those of the object before.
    repeated: usize,
    /// The different texts of elements that are texts themselves.
    different: usize,
}

impl<'c> Count<'c> {
    fn of(column: &'c Column<'c>, is_own: &dyn Fn(usize) -> bool) -> Option<Self> {
        let texts = said(column)?;
        let mut count = Self {
            column,
            is_joined: texts.iter().any(|text| text.is_joined),
            length: 0,
            said: 0,
            replaced: 0,
            dialogs: 0,
            repeated: 0,
            different: 0,
        };
        let (mut last, mut seen) = (None, HashSet::new());
        for Said { text, .. } in texts.iter().filter(|text| is_own(text.object)) {
            count.length += text.len();
            if is_utterance(text) {
                count.said += 1;
                count.replaced += usize::from(has_replaced_values(text));
                count.dialogs += usize::from(is_dialog(text));
                count.repeated += usize::from(last == Some(text));
            }
            seen.insert(text);
            last = Some(text);
        }
        count.different = seen.len();
        (count.length > 0).then_some(count)
    }

    fn is_in_tuple(&self) -> bool {
        matches!(self.column.way.as_slice(), [Step::Position(_)])
    }

    fn is_of_turns(&self, count: usize) -> bool {
        let is_named = Leaf::Text.rank(&self.column.name).is_some();
        // Many turns are short, such as "yes", and in a member that is called so, most may be.
        let is_enough = self.said * 3 > count || is_named && self.said * 8 > count;
        // A text that is repeated for every turn is not what is said.
        let is_new = !self.column.way.is_empty() || self.different * 2 > count;
        is_enough && is_new && self.repeated * 2 <= self.said && self.dialogs * 2 <= self.said
    }

    /// It as a text of `count` turns.
    fn text(&self, count: usize) -> Text {
        // A text that few turns have is about something else.
        let mut weight = 12 * self.length * self.said / count.max(1);
        let has_names = self.replaced * 50 > self.said;
        if Leaf::Text.is_named(&self.column.name) {
            weight *= 6;
        } else if Leaf::Text.rank(&self.column.name).is_some() {
            weight *= 4;
        }
        if self.is_joined {
            weight /= 2;
        }
        if has_names {
            weight /= 4;
        }
        if Leaf::Reasoning.rank(&self.column.name).is_some() {
            weight /= 100;
        }
        let mut way = self.column.way.clone();
        if self.is_joined && !way.contains(&Step::Elements) {
            way.push(Step::Elements);
        }
        let names = way.iter().filter_map(|step| match step {
            Step::Member(name) => Some(name.as_str()),
            _ => None,
        });
        Text {
            name: names.collect::<Vec<_>>().join("."),
            place: place(&way),
            // Somewhere there are the values, too.
            length: self.length / (1 + usize::from(has_names)),
            weight,
            is_joined: self.is_joined,
            is_mixed: self.column.has(NodeKind::Object),
            way,
        }
    }
}

/// A text of an object.
struct Said<'a> {
    object: usize,
    text: Cow<'a, str>,
    is_joined: bool,
}

/// Returns the texts of a column; None if it has none.
fn said<'a>(column: &Column<'a>) -> Option<Vec<Said<'a>>> {
    if !column.is_single() {
        // Tokens that are objects.
        let list = column.way.iter().position(|step| *step == Step::Elements)?;
        let of_tokens = super::columns::last_name(&column.way[..list]).to_lowercase();
        if !is_of_tokens(&of_tokens)
            || !Leaf::Text.is_named(&column.name)
            || list + 2 != column.way.len()
        {
            return None;
        }
        let mut all: Vec<Said<'a>> = Vec::new();
        for cell in &column.cells {
            let text = cell.value.as_str()?;
            match all.last_mut().filter(|last| last.object == cell.object) {
                Some(last) => last.text = format!("{} {text}", last.text).into(),
                None => all.push(Said { object: cell.object, text, is_joined: true }),
            }
        }
        return Some(all);
    }
    let all = column.cells.iter().filter_map(|cell| {
        let text = cell.value.as_str().map(|text| (text, false));
        let (text, is_joined) =
            text.or_else(|| Some((joined(column, cell.value)?.into(), true)))?;
        Some(Said { object: cell.object, text, is_joined })
    });
    Some(all.collect())
}

/// Returns the text whose sentences or tokens are in a list.
fn joined(column: &Column<'_>, list: Value<'_>) -> Option<String> {
    let parts = texts_in(list)?;
    let are_letters = parts.iter().filter(|part| part.len() < 2).count() * 2 > parts.len();
    let are_tokens = parts.iter().filter(|part| is_utterance(part)).count() * 4 < parts.len();
    let is_tuple = (2..=4).contains(&parts.len());
    let is_text = match column.way.is_empty() {
        true => are_tokens && !is_tuple,
        false => Leaf::Text.rank(&column.name).is_some(),
    };
    // The lines of several speakers are turns themselves.
    let separator = if is_dialog(&parts.join("\n")) { "\n" } else { " " };
    (is_text && !are_letters).then(|| parts.join(separator))
}

fn is_of_tokens(name: &str) -> bool {
    ["token", "word"].iter().any(|usual| name.contains(usual))
}

/// True for a text in which values are replaced by their names, such as `[hotel_name]` or `<name>`.
fn has_replaced_values(text: &str) -> bool {
    [('[', ']'), ('<', '>')].iter().any(|(open, close)| {
        let inside = text.split_once(*open).and_then(|(_, rest)| rest.split_once(*close));
        inside.is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        })
    })
}
