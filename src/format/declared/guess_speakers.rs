//! Guesses where the speakers of turns are, and which of them are users and which are systems.

use std::collections::HashSet;

use super::guess::{List, of_element, place};
use super::place::Step;
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// A place that seems to name the speakers.
#[derive(Clone, Debug)]
pub struct SpeakerGuess {
    /// The place, from the turn.
    pub place: String,
    /// The place, from the dialog.
    pub has: String,
    /// All names, in the order in which they appear.
    pub names: Vec<String>,
    pub user: Vec<String>,
    pub system: Vec<String>,
    /// Tools, and what begins with instructions.
    pub hidden: Vec<String>,
    /// True if nothing shows who is the user.
    pub is_guess: bool,
    /// True if the names show who is the user and who the system.
    pub is_sure: bool,
    /// Lower ranks are better.
    pub rank: usize,
}

/// The most names whose meaning decides who is a user.
const FEW: usize = 8;
/// The longest name, in bytes.
const LONGEST: usize = 200;
/// The longest name that need not be repeated, in bytes.
const SHORT: usize = 40;

fn has_part(name: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| name.contains(part))
}

/// True for the name of a user.
fn is_user(name: &str) -> bool {
    let name = name.to_lowercase();
    let parts =
        ["user", "usr", "customer", "human", "apprentice", "client", "driver", "caller", "seeker"];
    has_part(&name, &parts) && !has_part(&name, &["guide"]) || name == "u"
}

/// True for the name of a system.
fn is_system(name: &str) -> bool {
    let name = name.to_lowercase();
    let parts = [
        "sys",
        "assistant",
        "agent",
        "wizard",
        "bot",
        "gpt",
        "operator",
        "recommender",
        "gemini",
        "claude",
    ];
    has_part(&name, &parts) || ["s", "ai", "model", "machine"].contains(&name.as_str())
}

/// The names of those who instruct a model.
const INSTRUCTIONS: [&str; 2] = ["system", "developer"];

/// True for the name of a tool, which is nobody's partner.
fn is_tool(name: &str) -> bool {
    has_part(&name.to_lowercase(), &["tool", "function", "observation"])
}

/// Returns the role that the name of a member or of a speaker has; None if it has none, or both.
pub fn role_of(name: &str) -> Option<Role> {
    match (is_user(name), is_system(name)) {
        (true, false) => Some(Role::User),
        (false, true) => Some(Role::System),
        (true, true) => None,
        (false, false) => {
            let lower = name.to_lowercase();
            if has_part(&lower, &["question", "query", "request"]) || lower == "q" {
                Some(Role::User)
            } else if has_part(&lower, &["answer", "response", "reply"]) || lower == "a" {
                Some(Role::System)
            } else {
                None
            }
        }
    }
}

/// Returns the place in the elements of a list that seems to name the speakers, other than their text.
pub fn speaker_in(list: &List<'_>, text: &[Step]) -> Option<SpeakerGuess> {
    let mut places: Vec<Vec<Step>> = Vec::new();
    let elements = list.elements();
    for element in elements.iter().take(20) {
        scalars(*element, &mut Vec::new(), &mut places);
    }
    places.retain(|steps| steps != text);
    let guesses = places.into_iter().filter_map(|steps| {
        let value = |element: Value<'_>| name_at(element, &steps);
        let all: Vec<Vec<Option<String>>> =
            (list.lists.iter()).map(|list| list.elements().map(value).collect()).collect();
        let is_flag = elements.iter().any(|element| {
            let found = get(*element, &steps).map(Value::kind);
            matches!(found, Some(NodeKind::True | NodeKind::False))
        });
        let mut guess = names(&place(&steps), &all, is_flag)?;
        guess.has = of_element(&list.at, &steps);
        // What is the same in each whole dialog is about the dialog.
        let are_dialogs = !list.at.contains(&Step::Elements);
        (!are_dialogs || differs_in(&all)).then_some(guess)
    });
    guesses.min_by_key(|guess| guess.rank)
}

/// Returns the speakers of the turns in `list`, and the name of the member, if `other` is a list of them.
pub fn beside(list: &List<'_>, other: &List<'_>) -> Option<(String, SpeakerGuess)> {
    let Some(Step::Member(name)) = other.at.last() else {
        return None;
    };
    if !list.is_parallel(other) {
        return None;
    }
    let all: Vec<Vec<Option<String>>> = (other.lists.iter())
        .map(|list| list.elements().map(|value| name_at(value, &[])).collect())
        .collect();
    let mut guess = names(name, &all, false)?;
    let member = Step::Member(name.clone());
    guess.place = format!("^.{}", place(&[member, Step::SamePosition]));
    guess.has = of_element(&other.at, &[]);
    Some((name.clone(), guess))
}

/// Adds the ways to the texts, numbers and flags in an element.
fn scalars(value: Value<'_>, at: &mut Vec<Step>, places: &mut Vec<Vec<Step>>) {
    match value.kind() {
        NodeKind::Object if at.len() < 2 => {
            for (key, member) in value.members() {
                at.push(Step::Member(key.as_str().unwrap_or_default().into_owned()));
                scalars(member, at, places);
                at.pop();
            }
        }
        NodeKind::Array => {
            let count = value.elements().count();
            let most = if at.is_empty() { 4 } else { 1 };
            for number in 0..count.min(most) {
                at.push(Step::Position(number));
                if !places.contains(at) {
                    places.push(at.clone());
                }
                at.pop();
            }
        }
        NodeKind::String | NodeKind::Number | NodeKind::True | NodeKind::False
            if !at.is_empty() && !places.contains(at) =>
        {
            places.push(at.clone());
        }
        _ => {}
    }
}

/// Returns the value at the end of a way of members and positions.
pub fn get<'a>(value: Value<'a>, steps: &[Step]) -> Option<Value<'a>> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get(name),
        Step::Position(at) => value.elements().nth(*at),
        _ => None,
    })
}

/// Returns a value that may be a name: a short text, an integer, true or false.
fn name_at(element: Value<'_>, steps: &[Step]) -> Option<String> {
    let value = get(element, steps)?;
    match value.kind() {
        NodeKind::String => {
            let text = value.as_str()?;
            (!text.is_empty() && text.len() <= LONGEST).then(|| text.into_owned())
        }
        NodeKind::True | NodeKind::False => Some(value.raw().to_owned()),
        _ => value.as_integer().map(|number| number.to_string()),
    }
}

fn distinct<'n>(all: impl Iterator<Item = &'n String>) -> Vec<String> {
    let mut seen = HashSet::new();
    all.filter(|name| seen.insert(*name)).cloned().collect()
}

/// True if the values of some list differ, or if no list has several of them.
fn differs_in(lists: &[Vec<Option<String>>]) -> bool {
    let differs = |list: &Vec<Option<String>>| list.windows(2).any(|pair| pair[0] != pair[1]);
    lists.iter().any(differs) || lists.iter().all(|list| list.len() < 2)
}

/// Returns the speakers at a place, if its values are names of speakers; each list has those of one dialog.
fn names(place: &str, lists: &[Vec<Option<String>>], is_flag: bool) -> Option<SpeakerGuess> {
    let total: usize = lists.iter().map(Vec::len).sum();
    let known: Vec<Vec<&String>> =
        (lists.iter()).map(|list| list.iter().flatten().collect()).collect();
    let present: usize = known.iter().map(Vec::len).sum();
    let names = distinct(known.iter().flatten().copied());
    if present * 10 < total * 9 || names.len() < 2 {
        return None;
    }
    let of_each: Vec<usize> =
        (known.iter()).map(|list| distinct(list.iter().copied()).len()).collect();
    let recur = of_each.iter().sum::<usize>() * 2 <= present;
    let are_few = names.len() <= FEW;
    let lower = place.to_lowercase();
    // Long names are texts, unless they are repeated or their place says that they are names.
    let is_long = names.iter().any(|name| name.len() > SHORT);
    let is_repeated = names.len() * 2 <= present;
    if is_long && !is_repeated && !lower.contains("speaker") {
        return None;
    }
    let is = |role| names.iter().any(|name| role_of_speaker(name) == Some(role));
    let is_sure =
        are_few && is(Role::User) && is(Role::System) || is_flag && role_of(&lower).is_some();
    let are_numbers = names.iter().all(|name| name.parse::<i64>().is_ok());
    let strong = [
        "speaker", "role", "from", "agent", "sender", "author", "who", "user", "name", "side", "by",
    ];
    let rank = strong.iter().position(|part| lower.contains(part));
    let is_pair = of_each.iter().all(|count| *count <= 2);
    let is_weak = place.starts_with('[') || has_part(&lower, &["id", "turn"]);
    let rank = match rank {
        _ if is_sure => 0,
        _ if is_flag || has_part(&lower, &["filename", "file_name"]) => return None,
        Some(rank) if recur || are_few && !are_numbers => 1 + rank,
        _ if is_weak && recur && is_pair => 1 + strong.len(),
        _ => return None,
    };
    let mut guess = SpeakerGuess {
        place: place.to_owned(),
        has: String::new(),
        user: Vec::new(),
        system: Vec::new(),
        hidden: Vec::new(),
        names,
        is_guess: false,
        is_sure,
        rank,
    };
    guess.find_roles(is_flag.then(|| role_of(&lower)).flatten());
    guess.hide(lists);
    Some(guess)
}

/// Returns the speakers whose names are at the beginning of texts, if they are; each list has those of one dialog.
pub fn in_texts(lists: &[Vec<Option<String>>]) -> Option<SpeakerGuess> {
    let count: usize = lists.iter().map(Vec::len).sum();
    names("speaker", lists, false).filter(|found| found.names.len() * 2 <= count)
}

fn role_of_speaker(name: &str) -> Option<Role> {
    match (is_user(name), is_system(name)) {
        (true, _) => Some(Role::User),
        (_, true) => Some(Role::System),
        _ => None,
    }
}

impl SpeakerGuess {
    /// True if the names show who is who, or their place says that they are speakers.
    pub fn is_likely(&self) -> bool {
        self.rank < 2
    }

    /// Hides tools, and who says nothing but the first turn as instructions do.
    fn hide(&mut self, lists: &[Vec<Option<String>>]) {
        let is_prompt = |name: &String| {
            let is_name = INSTRUCTIONS.contains(&name.to_lowercase().as_str());
            let mut later = lists.iter().flat_map(|list| list.iter().skip(1).flatten());
            is_name && later.all(|other| other != name)
        };
        let hidden = self.names.iter().filter(|name| is_tool(name) || is_prompt(name));
        self.hidden = hidden.cloned().collect();
        let hidden = &self.hidden;
        self.user.retain(|name| !hidden.contains(name));
        self.system.retain(|name| !hidden.contains(name));
    }

    /// Divides the names into users and systems; `flag` is the role of those whose name is `true`.
    fn find_roles(&mut self, flag: Option<Role>) {
        let own = |role: Role| {
            let is_it = |name: &&String| match flag {
                Some(flag) => (*name == "true") == (flag == role),
                None => role_of_speaker(name) == Some(role),
            };
            let own = self.names.iter().filter(is_it);
            own.cloned().collect::<Vec<_>>()
        };
        if self.names.len() > FEW {
            return;
        }
        let (user, system) = (own(Role::User), own(Role::System));
        (self.user, self.system) = (user, system);
        let [first, second] = self.names.as_slice() else {
            return;
        };
        if [first, second].iter().any(|name| is_tool(name)) {
            return;
        }
        // Of two speakers, one is the other's partner.
        match (self.user.as_slice(), self.system.as_slice()) {
            ([one], []) => self.system = vec![if one == first { second } else { first }.clone()],
            ([], [one]) => self.user = vec![if one == first { second } else { first }.clone()],
            ([_], [_]) => {}
            _ => {
                (self.user, self.system) = (vec![first.clone()], vec![second.clone()]);
                self.is_guess = true;
            }
        }
    }
}
