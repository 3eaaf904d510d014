//! Guesses which columns of a table are texts: what turns say.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::place::{Step, last_name};
use super::columns::{Column, TUPLE, is_dialog, is_utterance, texts_in};
use super::leaves::{Leaf, PART};
use crate::json::NodeKind;

/// How deep texts are in turns, in members.
const DEPTH: usize = 2;

/// A column that may have the texts of turns.
pub struct Text {
    /// The way from the turn, to each sentence or token if they are joined.
    pub way: Vec<Step>,
    pub place: String,
    /// The names on the way, in lower case and joined by dots.
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

/// Returns the columns that are long enough, often enough, to be the utterances of the objects that `is_own` names, of `count`.
pub fn texts_of(columns: &[Column<'_>], count: usize, is_own: &dyn Fn(usize) -> bool) -> Vec<Text> {
    let count = (0..count).filter(|object| is_own(*object)).count();
    let is_near = |column: &&Column<'_>| {
        let members = column.way.iter().filter(|step| matches!(step, Step::Member(_))).count();
        // The first of the sentences of a list is not its text.
        members <= DEPTH && !matches!(column.way.as_slice(), [.., _, Step::Position(_)])
    };
    let columns = columns.iter().filter(is_near);
    columns.filter_map(|column| text_in(column, is_own, count)).collect()
}

/// Returns the texts of a column in some of the objects, which are `count`, if they are utterances.
fn text_in(column: &Column<'_>, is_own: &dyn Fn(usize) -> bool, count: usize) -> Option<Text> {
    let (is_joined, mut all) = said(column)?;
    all.retain(|(object, _)| is_own(*object));
    let length: usize = all.iter().map(|(_, text)| text.len()).sum();
    let number = |fits: &dyn Fn(&str) -> bool| {
        let uttered = all.iter().filter(|(_, text)| is_utterance(text));
        uttered.filter(|(_, text)| fits(text)).count()
    };
    let repeated = all.windows(2).filter(|pair| pair[0].1 == pair[1].1 && is_utterance(&pair[1].1));
    let different: HashSet<_> = all.iter().map(|(_, text)| text).collect();
    let (said, is_usual) = (number(&|_| true), Leaf::Text.rank(&column.name).is_some());
    // Many turns are short, such as "yes", and in a member that is called so, most may be.
    let is_enough = said * 3 > count || is_usual && said * 8 > count;
    // A text that is repeated for every turn is not an utterance.
    let is_new = !column.way.is_empty() || different.len() * 2 > count;
    let is_new = is_new && repeated.count() * 2 <= said && number(&is_dialog) * 2 <= said;
    if length == 0 || !is_enough || !is_new {
        return None;
    }
    let has_names = number(&has_replaced_values) * 50 > said;
    // A text that few turns have is about something else.
    let usual = match Leaf::Text.rank(&column.name) {
        Some(rank) if rank < PART => 6,
        Some(_) => 4,
        None => 1,
    };
    let mut weight = 12 * length * said * usual / count.max(1);
    if Leaf::Reasoning.rank(&column.name).is_some() {
        weight /= 100;
    }
    let (mut way, mut place) = (column.way.clone(), column.place.clone());
    if is_joined && column.is_single() {
        way.push(Step::Elements);
        place = if place == "." { "[*]".to_owned() } else { place + "[*]" };
    }
    let names = way.iter().filter_map(|step| match step {
        Step::Member(name) => Some(name.as_str()),
        _ => None,
    });
    Some(Text {
        name: names.collect::<Vec<_>>().join(".").to_lowercase(),
        place,
        // Somewhere there are the values, too.
        length: length / (1 + usize::from(has_names)),
        weight: weight / (1 + usize::from(is_joined) + 3 * usize::from(has_names)),
        is_joined,
        is_mixed: column.has(NodeKind::Object),
        way,
    })
}

/// Texts, each with the number of its object.
type Texts<'a> = Vec<(usize, Cow<'a, str>)>;

/// Returns the texts of the objects of a column, and true if some are joined from sentences or tokens; None if it has
/// none.
fn said<'a>(column: &Column<'a>) -> Option<(bool, Texts<'a>)> {
    let is_usual = Leaf::Text.rank(&column.name).is_some();
    let mut all: Texts<'a> = Vec::new();
    let mut is_joined = false;
    if let [list @ .., Step::Elements, Step::Member(_)] = column.way.as_slice() {
        // Tokens that are objects.
        let list = last_name(list).to_lowercase();
        let are_tokens = ["token", "word"].iter().any(|usual| list.contains(usual));
        for cell in column.cells.iter().filter(|_| are_tokens && is_usual) {
            let text = cell.value.as_str()?;
            match all.last_mut().filter(|(object, _)| *object == cell.object) {
                Some((_, last)) => *last = format!("{last} {text}").into(),
                None => all.push((cell.object, text)),
            }
        }
        return (!all.is_empty()).then_some((true, all));
    }
    for cell in &column.cells {
        let parts = || {
            let parts = texts_in(cell.value)?;
            let number =
                |fits: &dyn Fn(&str) -> bool| parts.iter().filter(|part| fits(part)).count();
            let are_tokens = number(&is_utterance) * 4 < parts.len();
            let are_letters = number(&|part| part.len() < 2) * 2 > parts.len();
            // A pair or a few values are not the tokens of a turn.
            let is_turn = column.way.is_empty() && are_tokens && parts.len() > TUPLE;
            let is_text = (is_turn || is_usual) && !are_letters;
            // The lines of several speakers are turns themselves.
            let separator = if is_dialog(&parts.join("\n")) { "\n" } else { " " };
            is_text.then(|| parts.join(separator))
        };
        if let Some(text) = cell.value.as_str() {
            all.push((cell.object, text));
        } else if let Some(text) = parts() {
            is_joined = true;
            all.push((cell.object, text.into()));
        }
    }
    Some((is_joined, all))
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
