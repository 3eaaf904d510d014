//! Guesses which columns of a table are texts: what turns say.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::place::Step;
use super::columns::{Column, is_dialog, is_utterance, texts_in};
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
    /// The number of utterances, and true if they are enough and new in most turns.
    said: usize,
    is_uttered: bool,
}

impl Text {
    /// Returns the first name on its way.
    pub fn list(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }
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

/// Returns the columns that are long enough, often enough, to be the utterances of the objects that `is_own` names, of `count`.
pub fn texts_of(columns: &[Column<'_>], count: usize, is_own: &dyn Fn(usize) -> bool) -> Vec<Text> {
    let count = (0..count).filter(|object| is_own(*object)).count();
    let columns = columns.iter().filter(|column| {
        let members = column.way.iter().filter(|step| matches!(step, Step::Member(_))).count();
        let ends_in_position = matches!(column.way.as_slice(), [.., _, Step::Position(_)]);
        members <= DEPTH && !ends_in_position
    });
    let counted: Vec<_> = columns.filter_map(|column| text_in(column, is_own, count)).collect();
    // Of tuples, one part is the text and another one the speaker; or the parts are two turns.
    let is_in_tuple = |text: &Text| matches!(text.way.as_slice(), [Step::Position(_)]);
    let has_speakers = counted.iter().any(|text| is_in_tuple(text) && text.said * 4 < count);
    let is_pair = counted.iter().filter(|text| is_in_tuple(text)).count() == 2;
    let fits = |text: &Text| text.is_uttered && (!is_in_tuple(text) || has_speakers || is_pair);
    counted.into_iter().filter(fits).collect()
}

/// Counts the texts of a column in some of the objects, which are `count`.
fn text_in(column: &Column<'_>, is_own: &dyn Fn(usize) -> bool, count: usize) -> Option<Text> {
    let all = said(column)?;
    let own: Vec<_> = all.iter().filter(|said| is_own(said.object)).collect();
    let length: usize = own.iter().map(|said| said.text.len()).sum();
    let uttered: Vec<_> = own.iter().filter(|said| is_utterance(&said.text)).collect();
    let number =
        |fits: &dyn Fn(&str) -> bool| uttered.iter().filter(|said| fits(&said.text)).count();
    let repeated =
        own.windows(2).filter(|pair| pair[0].text == pair[1].text && is_utterance(&pair[1].text));
    let different: HashSet<_> = own.iter().map(|said| &said.text).collect();
    let (said, is_usual) = (uttered.len(), Leaf::Text.rank(&column.name).is_some());
    // Many turns are short, such as "yes", and in a member that is called so, most may be.
    let is_enough = said * 3 > count || is_usual && said * 8 > count;
    // A text that is repeated for every turn is not an utterance.
    let is_new = !column.way.is_empty() || different.len() * 2 > count;
    let is_new = is_new && repeated.count() * 2 <= said && number(&is_dialog) * 2 <= said;
    let has_names = number(&has_replaced_values) * 50 > said;
    let is_joined = all.iter().any(|said| said.is_joined);
    // A text that few turns have is about something else.
    let mut weight = 12 * length * said / count.max(1);
    weight *= match is_usual {
        _ if Leaf::Text.is_named(&column.name) => 6,
        true => 4,
        false => 1,
    };
    weight /= 1 + usize::from(is_joined) + 3 * usize::from(has_names);
    if Leaf::Reasoning.rank(&column.name).is_some() {
        weight /= 100;
    }
    let mut way = column.way.clone();
    if is_joined && !way.contains(&Step::Elements) {
        way.push(Step::Elements);
    }
    let names = way.iter().filter_map(|step| match step {
        Step::Member(name) => Some(name.as_str()),
        _ => None,
    });
    let name = names.collect::<Vec<_>>().join(".");
    (length > 0).then(|| Text {
        name,
        place: if is_joined && way.last() == Some(&Step::Elements) {
            format!("{}[*]", column.place)
        } else {
            column.place.clone()
        },
        // Somewhere there are the values, too.
        length: length / (1 + usize::from(has_names)),
        weight,
        is_joined,
        is_mixed: column.has(NodeKind::Object),
        said,
        is_uttered: is_enough && is_new,
        way,
    })
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
    let is_usual = Leaf::Text.rank(&column.name).is_some();
    let is_text = if column.way.is_empty() { are_tokens && !is_tuple } else { is_usual };
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
