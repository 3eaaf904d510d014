//! Guesses which column names the speakers of turns, and which of them are users and which are systems.

use std::collections::HashSet;

use super::columns::{Cell, Column, Table, is_utterance};
use super::leaves::{Leaf, is_instruction, is_tool, role_of_member, role_of_speaker};
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// The most names whose meaning decides who is a user.
const FEW: usize = 8;
/// The longest name, in bytes.
const LONGEST: usize = 200;
/// The longest name that need not be repeated, in bytes.
const SHORT: usize = 40;

/// A column that seems to name the speakers.
#[derive(Clone, Debug)]
pub struct Speakers {
    /// The place, from the turn.
    pub place: String,
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
    /// Lower ranks are better.
    pub rank: usize,
}

/// The names of the speakers of some turns, each with the number of its list of turns.
pub struct Names {
    all: Vec<(usize, Option<String>)>,
    /// True if they are true and false.
    are_flags: bool,
    /// True if they say what each element is, so that some elements may have none.
    are_kinds: bool,
    /// True if their place says nothing of what they are.
    are_weak: bool,
}

impl Names {
    fn of_column(column: &Column<'_>, turns: &Table<'_>) -> Self {
        let names = (0..turns.objects.len()).map(|turn| column.of(turn).and_then(name_of));
        Self {
            all: turns.of.iter().copied().zip(names).collect(),
            are_flags: column.has(NodeKind::True) || column.has(NodeKind::False),
            are_kinds: column.kinds().is_some(),
            are_weak: column.place.starts_with('['),
        }
    }

    /// Returns names that are in no column of the turns; `of` is the name of each turn.
    pub fn beside(turns: &Table<'_>, names: impl Iterator<Item = Option<String>>) -> Self {
        let all = turns.of.iter().copied().zip(names).collect();
        Self { all, are_flags: false, are_kinds: false, are_weak: false }
    }

    /// Returns the speakers at a place, if the names are those of speakers. `callers` are names of those who make calls.
    pub fn speakers(&self, place: &str, name: &str, callers: &[String]) -> Option<Speakers> {
        let present = self.all.iter().filter_map(|(_, name)| name.as_ref());
        let names = distinct(present.clone());
        let present = present.count();
        let is_whole = present * 10 >= self.all.len() * 9;
        if !is_whole && !self.are_kinds || names.len() < 2 {
            return None;
        }
        let is = |role| names.iter().any(|name| role_of(name, callers) == Some(role));
        let is_repeated = names.len() * 2 <= present;
        let are_names = is_repeated || !names.iter().any(|name| is_utterance(name));
        let are_few = names.len() <= FEW || self.are_kinds;
        let flag = role_of_member(name).filter(|_| self.are_flags);
        let is_sure = are_names && are_few && is(Role::User) && is(Role::System) || flag.is_some();
        let rank = match self.rank(name, &names, present) {
            _ if is_sure => 0,
            rank => rank.filter(|_| is_whole && !self.are_flags)?,
        };
        let mut found = Speakers {
            place: place.to_owned(),
            user: Vec::new(),
            system: Vec::new(),
            hidden: Vec::new(),
            names,
            is_guess: false,
            is_sure,
            rank,
        };
        found.find_roles(callers, flag, &|name| self.opens(name));
        Some(found)
    }

    /// Returns the rank of names that do not show who is who; None if they do not look like names.
    fn rank(&self, place: &str, names: &[String], present: usize) -> Option<usize> {
        let place = place.to_lowercase();
        let is_named = place.contains("speaker");
        let is_repeated = names.len() * 2 <= present;
        let are_numbers = names.iter().all(|name| name.parse::<i64>().is_ok());
        // Long names are texts, unless they are repeated or their place says that they are names.
        let is_long = names.iter().any(|name| name.len() > SHORT) && !is_repeated && !is_named;
        if is_long || Leaf::Dialog.rank(&place).is_some() && !is_named {
            return None;
        }
        let pairs: HashSet<_> = self.all.iter().filter(|(_, name)| name.is_some()).collect();
        let do_recur = pairs.len() * 2 <= present;
        if let Some(rank) = Leaf::Speaker.rank(&place) {
            return (do_recur || names.len() <= FEW && !are_numbers).then_some(1 + rank);
        }
        // Pairs of names at a place that only numbers turns or positions.
        let is_weak = self.are_weak || ["id", "turn"].iter().any(|part| place.contains(part));
        let of_list =
            |list: usize| pairs.iter().filter(|(other, _)| *other == list).take(3).count();
        let is_pair = pairs.iter().all(|(list, _)| of_list(*list) <= 2);
        let do_recur = do_recur || self.are_weak && is_repeated;
        (is_weak && is_pair && do_recur).then_some(usize::MAX)
    }

    /// True if somebody says nothing but the first turns of lists, as instructions do.
    fn opens(&self, name: &str) -> bool {
        self.all.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[1].1.as_deref() != Some(name))
    }

    /// True if the names of some list differ, or if no list has several.
    fn differ(&self) -> bool {
        let pairs = || self.all.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        pairs().any(|pair| pair[0].1 != pair[1].1) || pairs().next().is_none()
    }
}

/// Returns the speakers whose names show who is who, in the column with the most of such names.
pub fn sure(table: &Table<'_>, callers: &dyn Fn(&Column<'_>) -> Vec<String>) -> Option<Speakers> {
    let find = |callers: &dyn Fn(&Column<'_>) -> Vec<String>| {
        let columns = table.columns.iter().filter(|column| column.is_single());
        let all = columns.filter_map(|column| {
            let callers = callers(column);
            let found =
                Names::of_column(column, table).speakers(&column.place, &column.place, &callers)?;
            let is_known = |cell: &&Cell<'_>| {
                name_of(cell.value).is_some_and(|name| role_of(&name, &callers).is_some())
            };
            let count = column.cells.iter().filter(is_known).count();
            let rank = Leaf::Speaker.rank(&column.place).unwrap_or(usize::MAX);
            found.is_sure.then_some((count, std::cmp::Reverse(rank), found))
        });
        // Of equals, the first one.
        let best = all.reduce(
            |best, other| {
                if (other.0, other.1) > (best.0, best.1) { other } else { best }
            },
        );
        best.map(|(_, _, found)| found)
    };
    let with_callers = |mut found: Speakers| {
        let callers = table.column(&found.place).map(callers).unwrap_or_default();
        found.system.extend(callers.into_iter().filter(|name| !found.user.contains(name)));
        found.system = distinct(found.system.iter());
        found.hidden.retain(|name| !found.system.contains(name));
        found
    };
    find(&|_| Vec::new()).or_else(|| find(callers)).map(with_callers)
}

/// Returns the likeliest speakers in other columns than that of the texts.
pub fn likeliest(table: &Table<'_>, text: &str, are_dialogs: bool) -> Option<Speakers> {
    let find = |columns: &[Column<'_>], are_beside: bool| {
        let columns = columns.iter().filter(|column| column.is_single() && column.place != text);
        let all = columns.filter_map(|column| {
            let names = Names::of_column(column, table);
            let name = if are_beside { &column.name } else { &column.place };
            // What is the same in each whole dialog is about the dialog.
            let is_one = |_: &Speakers| are_beside || !are_dialogs || names.differ();
            names.speakers(&column.place, name, &[]).filter(is_one)
        });
        all.min_by_key(|found| found.rank)
    };
    find(&table.columns, false).or_else(|| find(&table.beside, true))
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
        self.rank < 2
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
