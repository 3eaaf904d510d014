//! Guesses which values of turns are their texts.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use super::guess::place;
use super::place::Step;
use crate::json::{NodeKind, Value};

/// Values that may be the texts of turns.
pub struct Text {
    /// The way from the turn.
    pub steps: Vec<Step>,
    /// The names on it, joined by dots.
    pub name: String,
    /// The number of bytes of the texts.
    pub length: usize,
    /// The length, more of it for names that are usual for texts.
    pub weight: usize,
    /// True for lists of sentences or tokens.
    pub is_joined: bool,
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

/// Returns the positions of the members on a way, which tell what comes first in an element.
pub fn position(element: Value<'_>, steps: &[Step]) -> Option<Vec<usize>> {
    let mut here = element;
    let mut positions = Vec::new();
    for step in steps {
        if let Step::Member(name) = step {
            positions.push(here.members().position(|(key, _)| key.is_text(name))?);
            here = here.get(name)?;
        }
    }
    Some(positions)
}

/// Texts at one place of the elements, while they are counted.
#[derive(Default)]
struct Count {
    steps: Vec<Step>,
    is_joined: bool,
    length: usize,
    /// Utterances.
    said: usize,
    /// Utterances in which values are replaced by their names.
    replaced: usize,
    /// Texts that are whole dialogs.
    dialogs: usize,
    /// Utterances that are those of the element before, and the last text.
    repeated: usize,
    last: String,
}

/// How deep texts are in turns, in members.
const DEPTH: usize = 2;

/// True for an utterance, not a name.
pub fn is_utterance(text: &str) -> bool {
    text.chars().count() >= 8 && (text.contains(' ') || !text.is_ascii())
}

/// True for a text of several turns, each on a line with its speaker.
pub fn is_dialog(text: &str) -> bool {
    let is_turn = |line: &&str| {
        let speaker = line.split_once(": ").map(|(speaker, _)| speaker.trim());
        speaker.is_some_and(|s| (1..=24).contains(&s.len()) && s.split(' ').count() <= 3)
    };
    text.lines().filter(is_turn).count() >= 2
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

/// Returns the last name on a way, in lower case.
fn last_name(steps: &[Step]) -> String {
    let mut names = steps.iter().rev();
    let name = names.find_map(|step| match step {
        Step::Member(name) => Some(name.to_lowercase()),
        _ => None,
    });
    name.unwrap_or_default()
}

/// Names that are usual for what was said.
const NAMES: [&str; 13] = [
    "utt",
    "text",
    "transcript",
    "message",
    "content",
    "value",
    "turn",
    "sentence",
    "said",
    "says",
    "token",
    "word",
    "line",
];

/// True for the way to a member whose name is usual for what was said.
pub fn is_text(steps: &[Step]) -> bool {
    let last = last_name(steps);
    !last.contains("context") && NAMES.iter().any(|name| last.contains(name))
}

/// Returns the values of `elements` that are long enough, often enough, to be what was said.
pub fn texts_of(elements: &[Value<'_>]) -> Vec<Text> {
    let mut counts = BTreeMap::new();
    let mut different = HashSet::new();
    for element in elements {
        if let Some(text) = element.as_str() {
            different.insert(text);
        }
        add(*element, &mut Vec::new(), &mut counts);
    }
    let count = elements.len();
    let is_text_of_turns = |texts: &Count| {
        // Many turns are short, such as "yes", and in a member that is called so, most may be.
        let is_enough = texts.said * 3 > count || is_text(&texts.steps) && texts.said * 8 > count;
        // A text that is repeated for every turn is not what was said.
        let is_new = !texts.steps.is_empty() || different.len() * 2 > count;
        let is_new = is_new && texts.repeated * 2 <= texts.said;
        is_enough && is_new && texts.dialogs * 2 <= texts.said
    };
    // Of tuples, one part is the text and another one the speaker.
    let is_tuple = |texts: &Count| matches!(texts.steps.as_slice(), [Step::Position(_)]);
    let has_speakers = (counts.values()).any(|other| is_tuple(other) && other.said * 4 < count);
    let all = counts.values();
    let all = all.filter(|texts| is_text_of_turns(texts) && (!is_tuple(texts) || has_speakers));
    all.map(|texts| texts.text(count)).collect()
}

impl Count {
    /// It as a text of `count` turns.
    fn text(&self, count: usize) -> Text {
        let last = last_name(&self.steps);
        // A text that few turns have is about something else.
        let mut weight = 12 * self.length * self.said / count.max(1);
        let has_names = self.replaced * 50 > self.said;
        if NAMES[1..].contains(&last.as_str()) || last == "utterance" {
            weight *= 6;
        } else if is_text(&self.steps) {
            weight *= 4;
        }
        if self.is_joined {
            weight /= 2;
        }
        if has_names {
            weight /= 4;
        }
        let names = self.steps.iter().filter_map(|step| match step {
            Step::Member(name) => Some(name.as_str()),
            _ => None,
        });
        Text {
            name: names.collect::<Vec<_>>().join("."),
            steps: self.steps.clone(),
            // Somewhere there are the values, too.
            length: self.length / (1 + usize::from(has_names)),
            weight,
            is_joined: self.is_joined,
        }
    }

    fn add(&mut self, text: &str) {
        self.length += text.len();
        if is_utterance(text) {
            self.said += 1;
            self.replaced += usize::from(has_replaced_values(text));
            self.dialogs += usize::from(is_dialog(text));
            self.repeated += usize::from(self.last == text);
        }
        text.clone_into(&mut self.last);
    }
}

/// True for a name that is usual for the tokens of a text.
pub fn is_of_tokens(name: &str) -> bool {
    let name = name.to_lowercase();
    ["token", "word"].iter().any(|usual| name.contains(usual))
}

/// Returns the texts in a list and, if it is one of objects for tokens, the name of the members that they are.
fn parts_of<'a>(list: Value<'a>, at: &[Step]) -> (Option<String>, Vec<Cow<'a, str>>) {
    let parts = list.elements().map_while(Value::as_str).collect();
    let first = list.elements().next().filter(|_| is_of_tokens(&last_name(at)));
    let names = first.into_iter().flat_map(Value::members);
    for (key, _) in names {
        let name = key.as_str().unwrap_or_default().into_owned();
        let texts: Option<Vec<_>> =
            (list.elements()).map(|token| token.get(&name)?.as_str()).collect();
        if let Some(texts) = texts.filter(|_| NAMES.contains(&name.to_lowercase().as_str())) {
            return (Some(name), texts);
        }
    }
    (None, parts)
}

/// True for the letters of a text.
fn are_letters(parts: &[Cow<'_, str>]) -> bool {
    parts.iter().filter(|part| part.len() < 2).count() * 2 > parts.len()
}

/// Counts the texts in an element.
fn add(value: Value<'_>, at: &mut Vec<Step>, counts: &mut BTreeMap<String, Count>) {
    let mut note = |at: &[Step], is_joined: bool, text: &str| {
        let known = counts.entry(place(at)).or_insert_with(|| Count {
            steps: at.to_vec(),
            is_joined,
            ..Count::default()
        });
        known.add(text);
    };
    match value.kind() {
        NodeKind::String => note(at, false, &value.as_str().unwrap_or_default()),
        NodeKind::Array => {
            let (tokens, parts) = parts_of(value, at);
            if let Some(text) = tokens {
                at.extend([Step::Elements, Step::Member(text)]);
                note(at, true, &parts.join(" "));
                at.truncate(at.len() - 2);
                return;
            }
            if parts.is_empty() || parts.len() < value.elements().count() || are_letters(&parts) {
                return;
            }
            let are_tokens =
                parts.iter().filter(|part| is_utterance(part)).count() * 4 < parts.len();
            if at.is_empty() && (2..=4).contains(&parts.len()) {
                for (number, part) in parts.iter().enumerate() {
                    note(&[Step::Position(number)], false, part);
                }
            } else if at.is_empty() && are_tokens || is_text(at) {
                // The lines of several speakers are turns themselves.
                let separator = if is_dialog(&parts.join("\n")) { "\n" } else { " " };
                at.push(Step::Elements);
                note(at, true, &parts.join(separator));
                at.pop();
            }
        }
        NodeKind::Object if at.len() < DEPTH => {
            for (key, member) in value.members() {
                at.push(Step::Member(key.as_str().unwrap_or_default().into_owned()));
                add(member, at, counts);
                at.pop();
            }
        }
        _ => {}
    }
}
