//! Guesses which columns name the speakers of turns, and which of them are users and which are systems.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::calls::names_of;
use super::columns::{Table, is_utterance};
use super::leaves::{Leaf, is_instruction, is_tool, role_of_member, role_of_speaker};
use super::toml::{Lines, list};
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// The most names whose meaning decides who is a user.
const FEW: usize = 8;
/// The most names in a comment.
const NAMED: usize = 8;
/// The longest name, in bytes.
const LONGEST: usize = 200;
/// The longest name that need not be repeated, in bytes.
const SHORT: usize = 40;

/// Speakers by the names in a column, or before the texts.
#[derive(Clone, Debug)]
pub struct Speakers {
    /// The place, from the turn.
    pub place: String,
    /// The text behind the names, if the texts begin with them.
    pub prefix: Option<&'static str>,
    /// All names, in the order in which they appear.
    pub names: Vec<String>,
    pub user: Vec<String>,
    pub system: Vec<String>,
    /// Tools, and those who give instructions.
    pub hidden: Vec<String>,
    /// True if nothing shows who is the user.
    pub is_guess: bool,
    /// True if the names show who is the user and who the system.
    pub is_sure: bool,
    /// Lower ranks are better: whether the names show who is who, how many do, and how usual their place is.
    rank: (usize, usize, usize),
}

/// Names of the speakers of turns.
pub struct Names<'n> {
    pub place: &'n str,
    /// The dialog of each turn, and the name in it.
    pub of: &'n [usize],
    pub all: Vec<Option<String>>,
    /// True if they say what each element is, so that some elements may have none.
    pub are_kinds: bool,
    /// Those who make calls.
    pub callers: Vec<String>,
}

/// Returns the speakers of turns by each column that may name them, the likeliest first; `calling` are turns with calls.
pub fn speakers_of(turns: &Table<'_>, calling: &[usize], are_dialogs: bool) -> Vec<Speakers> {
    let all = turns.all().filter(|column| column.is_single()).filter_map(|column| {
        let is_beside = column.place.starts_with('^');
        let name = |turn: usize| column.of(turn).and_then(name_of);
        let names = Names {
            place: &column.place,
            of: &turns.of,
            all: (0..turns.objects.len()).map(name).collect(),
            are_kinds: column.kinds().is_some(),
            callers: names_of(column, calling),
        };
        let mut found = names.speakers()?;
        found.rank.0 += usize::from(is_beside);
        // What is the same in each whole dialog is about the dialog.
        (found.is_sure || is_beside || !are_dialogs || names.differ()).then_some(found)
    });
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|found| found.rank);
    all
}

impl Names<'_> {
    /// Returns the speakers, if the names are those of speakers.
    pub fn speakers(&self) -> Option<Speakers> {
        let present = self.all.iter().flatten().count();
        let names = distinct(self.all.iter().flatten());
        let is_whole = present * 10 >= self.all.len() * 9;
        if !is_whole && !self.are_kinds || names.len() < 2 {
            return None;
        }
        let is_repeated = names.len() * 2 <= present;
        let are_names = is_repeated || !names.iter().any(|name| is_utterance(name));
        let are_few = are_names && (names.len() <= FEW || self.are_kinds);
        let are_flags = names.iter().all(|name| ["true", "false"].contains(&name.as_str()));
        let flag = role_of_member(self.place).filter(|_| are_flags);
        let show = |callers: &[String]| {
            let is = |role| names.iter().any(|name| role_of(name, callers) == Some(role));
            are_few && is(Role::User) && is(Role::System)
        };
        let shown = (show(&[]) || flag.is_some()).then_some(0);
        let class = shown.or_else(|| show(&self.callers).then_some(1));
        let usual = Leaf::Speaker.rank(&self.named());
        let is_it = || is_whole && !are_flags && self.are_speakers(&names, present);
        let rank = match class {
            Some(class) => {
                let callers = if class == 0 { [].as_slice() } else { &self.callers };
                let known = |name: &&String| role_of(name, callers).is_some();
                let known = self.all.iter().flatten().filter(known).count();
                (class, usize::MAX - known, usual.unwrap_or(usize::MAX))
            }
            None => (2, usual.filter(|_| is_it())?, 0),
        };
        let mut found = Speakers {
            place: self.place.to_owned(),
            prefix: None,
            user: Vec::new(),
            system: Vec::new(),
            hidden: Vec::new(),
            names,
            is_guess: false,
            is_sure: class.is_some(),
            rank,
        };
        let callers = if found.is_sure { self.callers.as_slice() } else { &[] };
        found.find_roles(callers, flag, &|name| self.opens(name));
        Some(found)
    }

    /// Returns what their place is called.
    fn named(&self) -> String {
        self.place.to_lowercase().replace("[@index]", "")
    }

    /// True if names that do not show who is who look like those of speakers.
    fn are_speakers(&self, names: &[String], present: usize) -> bool {
        let place = self.named();
        let is_named = place.contains("speaker");
        let is_repeated = names.len() * 2 <= present;
        let are_numbers = names.iter().all(|name| name.parse::<i64>().is_ok());
        // Long names are texts, unless they are repeated or their place says that they are names.
        let is_long = names.iter().any(|name| name.len() > SHORT) && !is_repeated && !is_named;
        if is_long || Leaf::Dialog.rank(&place).is_some() && !is_named {
            return false;
        }
        let mut pairs: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (dialog, name) in self.of.iter().zip(&self.all) {
            pairs.entry(dialog).or_default().extend(name);
        }
        let do_recur = pairs.values().map(BTreeSet::len).sum::<usize>() * 2 <= present;
        if !Leaf::Speaker.is_weak(&place) {
            return do_recur || names.len() <= FEW && !are_numbers;
        }
        // Pairs of names at a place that only numbers turns or positions.
        let is_pair = pairs.values().all(|names| names.len() <= 2);
        is_pair && (do_recur || place.starts_with('[') && is_repeated)
    }

    /// Returns the names of the turns of one dialog, two after each other.
    fn pairs(&self) -> impl Iterator<Item = &[Option<String>]> {
        let pairs = self.of.windows(2).zip(self.all.windows(2));
        pairs.filter(|(of, _)| of[0] == of[1]).map(|(_, names)| names)
    }

    /// True if somebody says nothing but the first turns of dialogs, as instructions do.
    fn opens(&self, name: &str) -> bool {
        self.pairs().all(|pair| pair[1].as_deref() != Some(name))
    }

    /// True if the names of some dialog differ, or if no dialog has several.
    fn differ(&self) -> bool {
        self.pairs().any(|pair| pair[0] != pair[1]) || self.pairs().next().is_none()
    }
}

/// Returns a value that may be a name: a short text, an integer, true or false.
pub fn name_of(value: Value<'_>) -> Option<String> {
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

/// Returns the role of a speaker; who makes calls is the system, by any name.
pub fn role_of(name: &str, callers: &[String]) -> Option<Role> {
    let is_caller = callers.iter().any(|caller| caller == name);
    let known = role_of_speaker(name).filter(|_| !is_tool(name));
    known.or(is_caller.then_some(Role::System))
}

impl Speakers {
    /// True for the name of a user or a system.
    pub fn has_role(&self, name: &String) -> bool {
        self.user.contains(name) || self.system.contains(name)
    }

    /// Adds who is a user and who a system.
    pub fn write(&self, lines: &mut Lines) {
        let Self { names, user, system, hidden, .. } = self;
        if self.is_guess {
            let (user, system) = (list(user), list(system));
            lines.warn(format!("the user is {user}, who speaks first, and the system is {system}"));
        }
        if user.is_empty() && system.is_empty() {
            let more = names.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let names = list(&names[..names.len().min(NAMED)]) + &more;
            lines.add(&format!(
                "# Nothing shows whether these speakers are users or systems: {names}"
            ));
            lines.add("# user = [\"…\"]\n# system = [\"…\"]");
            let why = "nothing shows whether these speakers are users or systems";
            lines.warnings.push(format!("{why}: {names}"));
        } else {
            lines.add(&format!("user = [{}]\nsystem = [{}]", list(user), list(system)));
            lines.list("hidden", hidden);
        }
    }

    /// Hides some who speak, and forgets the roles of those who do not.
    pub fn hide(&mut self, names: Vec<String>) {
        let is_kept = |name: &String| self.names.contains(name);
        for all in [&mut self.user, &mut self.system, &mut self.hidden] {
            all.retain(is_kept);
        }
        self.names.extend(names.clone());
        self.hidden.extend(names);
        self.hidden = distinct(self.hidden.iter());
    }

    /// True if the names show who is who, or their place says that they are speakers.
    pub fn is_likely(&self) -> bool {
        self.is_sure || self.place.to_lowercase().contains("speaker")
    }

    /// Divides the names into users and systems; `flag` is the role of those whose name is `true`.
    fn find_roles(&mut self, callers: &[String], flag: Option<Role>, opens: &dyn Fn(&str) -> bool) {
        let role = |name: &str| match flag {
            Some(flag) if name == "true" => Some(flag),
            Some(Role::User) => Some(Role::System),
            Some(_) => Some(Role::User),
            None => role_of(name, callers),
        };
        let is_agent = |name: &String| role(name) == Some(Role::System) && !is_instruction(name);
        let has_agent = self.names.iter().any(is_agent);
        for name in &self.names {
            let is_hidden = is_instruction(name) && (has_agent || opens(name));
            match role(name) {
                _ if is_hidden => self.hidden.push(name.clone()),
                Some(Role::User) => self.user.push(name.clone()),
                Some(_) => self.system.push(name.clone()),
                None if is_tool(name) => self.hidden.push(name.clone()),
                None => {}
            }
        }
        if self.names.len() > FEW && !self.is_sure {
            (self.user, self.system) = (Vec::new(), Vec::new());
        }
        let [first, second] = self.names.as_slice() else {
            return;
        };
        if !self.hidden.is_empty() {
            return;
        }
        // Of two speakers, one is the other's partner.
        let other = |one: &String| vec![if one == first { second } else { first }.clone()];
        match (self.user.as_slice(), self.system.as_slice()) {
            ([one], []) => self.system = other(one),
            ([], [one]) => self.user = other(one),
            ([_], [_]) => {}
            _ => {
                (self.user, self.system) = (vec![first.clone()], vec![second.clone()]);
                self.is_guess = true;
            }
        }
    }
}
