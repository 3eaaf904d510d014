//! Guesses how a file arranges its dialogs, where their ids are, and which forms cannot be described.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::super::place::Step;
use super::columns::{distinct, is_nested, word};
use super::leaves::Leaf;
use super::speakers::name_of;
use super::toml::place;
use super::turns::{Guess, guess};
use crate::json::{NodeKind, Value};

/// Dialogs to look at.
pub const DIALOGS: usize = 20;
/// The least number of dialogs whose first member is taken for an id if it differs between all of them.
const LEAST_DIALOGS: usize = 4;
/// Names of members that tell rows of one dialog from each other, or days and models.
const NOT_DIALOGS: [&str; 12] = [
    "step", "turn", "round", "index", "idx", "pos", "time", "date", "day", "lang", "model",
    "version",
];

/// A value that may be a dialog, with its key if it is a member.
#[derive(Clone, Copy)]
pub struct Keyed<'a> {
    pub key: Option<Value<'a>>,
    pub value: Value<'a>,
}

/// The dialogs of a file, and how they are arranged.
pub struct Dialogs<'a> {
    pub arrangement: &'static str,
    pub all: Vec<Keyed<'a>>,
}

impl<'a> Dialogs<'a> {
    /// Returns the file as one dialog.
    pub fn whole(root: Value<'a>) -> Self {
        Self { arrangement: ".", all: vec![Keyed { key: None, value: root }] }
    }

    /// Returns the values of a file that may be dialogs.
    ///
    /// # Errors
    /// If they are arranged in a way that cannot be described.
    pub fn of(root: Value<'a>, are_lines: bool) -> Result<Self, String> {
        if root.kind() == NodeKind::Array {
            let arrangement = if are_lines { "lines" } else { "[*]" };
            return Ok(Self { arrangement, all: without_keys(root) });
        }
        let keyed = |kind: NodeKind| -> Vec<Keyed<'a>> {
            let members = root.members().filter(|(_, value)| value.kind() == kind);
            members.map(|(key, value)| Keyed { key: Some(key), value }).collect()
        };
        let objects = Self { arrangement: "{*}", all: keyed(NodeKind::Object) };
        let with_turns = objects.with_turns(true);
        if with_turns > 0 && with_turns * 2 > objects.all.len().min(DIALOGS) {
            return Ok(objects);
        }
        // The list whose elements look most like dialogs.
        let lists =
            root.members().map(|(_, list)| Self { arrangement: "*[*]", all: without_keys(list) });
        let scored = lists.filter_map(|list| {
            let with_turns = list.with_turns(false);
            // Some dialogs may be short.
            let found = guess(&list.first())?;
            let is_known = found.is_sure() || found.at.len() == 1 && found.has_speaker();
            let is_most = is_known || with_turns * 2 > list.all.len().min(DIALOGS);
            (with_turns > 0 && is_most).then_some((found.score, list))
        });
        if let Some((_, list)) = scored.max_by_key(|(score, _)| *score) {
            return Ok(list);
        }
        // Each member may be a dialog that is an array.
        let arrays = keyed(NodeKind::Array);
        let is_dialog =
            |dialog: &Keyed<'a>| guess(&[dialog.value]).is_some_and(|found| found.has_speaker());
        if arrays.len() > 1
            && arrays.len() == root.members().count()
            && arrays.iter().all(is_dialog)
        {
            let reason = "its members look like dialogs that are arrays of turns; turnwise reads such dialogs in an array, \
                          such as `[[…], […]]`";
            return Err(reason.to_owned());
        }
        Ok(Self::whole(root))
    }

    /// Returns the first of the values.
    pub fn first(&self) -> Vec<Value<'a>> {
        self.all.iter().take(DIALOGS).map(|dialog| dialog.value).collect()
    }

    /// Returns how many of the first values have turns, which may have to be near.
    fn with_turns(&self, is_near: bool) -> usize {
        let has_turns = |value: &Value<'a>| {
            guess(&[*value]).is_some_and(|found| !is_near || !is_nested(&found.at))
        };
        self.first().iter().filter(|value| has_turns(value)).count()
    }

    /// Returns why dialogs deeper in the file are not read, if the turns are those of several.
    pub fn too_deep(&self, found: &Guess<'_>) -> Option<String> {
        if self.arrangement != "."
            || self.all[0].value.kind() != NodeKind::Object
            || !is_nested(&found.at)
        {
            return None;
        }
        let end = found.at.iter().position(|step| *step == Step::Elements)?;
        let mut way = found.at[..end].to_vec();
        // Lists beside it may hold dialogs, too.
        let around =
            way[..end - 1].iter().try_fold(self.all[0].value, |value, step| match step {
                Step::Member(name) => value.get(name),
                _ => None,
            })?;
        let lists = around.members().filter(|(_, value)| value.kind() == NodeKind::Array).count();
        if lists > 1 && lists == around.members().count() {
            way[end - 1] = Step::Members;
        }
        way.push(Step::Elements);
        Some(format!(
            "`{}` looks like dialogs, and they are too deep in the file; turnwise reads dialogs that are lines, or elements or \
             members of the file or of one of its members",
            place(&way)
        ))
    }

    /// Returns the member of dialogs that looks like an id: a text or a number that differs between all of them.
    pub fn id(&self) -> Option<String> {
        let first = self.all.first()?.value;
        let names: BTreeSet<_> = first.members().filter_map(|(key, _)| key.as_str()).collect();
        let is_id = |name: &str| {
            let values = self.all.iter().map_while(|dialog| {
                let value = dialog.value.get(name)?;
                Leaf::Id.fits(value).then(|| value.raw())
            });
            values.collect::<BTreeSet<_>>().len() == self.all.len()
        };
        // Names of dialogs come before names of other things that a dialog may be about.
        let rank = |name: &str| {
            let name: String = name.to_lowercase().replace(['_', '-', ' '], "");
            let is_dialog = ["dialog", "conv", "chat"].iter().any(|part| name.contains(part));
            let rank = Leaf::Id.rank(&name)?;
            Some(if is_dialog { 0 } else { 1 + usize::from(!Leaf::Id.is_named(&name) && rank > 0) })
        };
        let all = names.iter().filter_map(|name| Some((rank(name)?, name)));
        let best = all.filter(|(_, name)| is_id(name)).min().map(|(_, name)| name.clone());
        // Whatever its name is, as long as there are enough dialogs to differ.
        let first = || first.members().next()?.0.as_str();
        let first = || first().filter(|name| self.all.len() >= LEAST_DIALOGS && is_id(name));
        Some(place(&[Step::Member(best.or_else(first)?.into_owned())]))
    }
}

fn without_keys(list: Value<'_>) -> Vec<Keyed<'_>> {
    list.elements().map(|value| Keyed { key: None, value }).collect()
}

/// The column with the id of a row's dialog, and the number of dialogs, one after the other.
pub struct Division {
    pub place: String,
    pub dialogs: usize,
    /// True if its name shows it, and not only that its values repeat.
    pub is_named: bool,
}

/// Returns the column whose values divide rows into dialogs: one that is named as their ids are or, without that, one
/// whose values repeat in rows one after the other, in which several speak, as in lines of cases.
pub fn division(found: &Guess<'_>) -> Option<Division> {
    let table = found.table();
    let speaker = found.speakers().and_then(|speakers| table.column(&speakers.place));
    let columns = table.columns.iter().filter(|column| column.is_single() && column.way.len() <= 2);
    let all = columns.filter_map(|column| {
        let ids: Option<Vec<_>> = column.cells.iter().map(|cell| word(cell.value)).collect();
        let ids = ids.filter(|_| !column.way.is_empty())?;
        let runs: Vec<_> = ids.chunk_by(|one, other| one == other).collect();
        if distinct(ids.clone()).len() != runs.len() {
            return None;
        }
        let rank = (ids.len(), Reverse(column.place.len()));
        if Leaf::Dialog.rank(&column.name).is_some() {
            return (runs.len() < ids.len() || ids.len() == 1).then_some((
                true,
                true,
                rank,
                column,
                runs.len(),
            ));
        }
        let is_other = NOT_DIALOGS.iter().any(|name| column.name.contains(name));
        // The rows may be the first of a file, so that the last run is cut short.
        let (_, whole) = runs.split_last().filter(|(_, whole)| !is_other && !whole.is_empty())?;
        let names = |rows: std::ops::Range<usize>| {
            distinct(rows.filter_map(|row| name_of(speaker?.of(row)?)).collect()).len()
        };
        let mut row = 0;
        let do_talk = whole.iter().all(|run| {
            row += run.len();
            names(row - run.len()..row) > 1
        });
        // Numbers of exchanges.
        let are_pairs = whole.iter().all(|run| run.len() == 2 && run[0].parse::<i64>().is_ok());
        let is_id =
            ["id", "no", "nr", "number", "key"].iter().any(|end| column.name.ends_with(end));
        let is_whole = ids.len() == table.objects.len();
        let rank = (runs.len(), Reverse(column.place.len()));
        (is_whole && do_talk && !are_pairs).then_some((false, is_id, rank, column, runs.len()))
    });
    let best = all.max_by_key(|(is_named, is_id, rank, ..)| (*is_named, *is_id, *rank));
    best.map(|(is_named, _, _, column, dialogs)| Division {
        place: column.place.clone(),
        dialogs,
        is_named,
    })
}

/// Returns the place of a tree of messages in a dialog: by the ids of parents and children, or of replies in replies.
pub fn tree(value: Value<'_>, way: &mut Vec<Step>) -> Option<String> {
    let has = |value: Value<'_>, names: &[&str]| {
        let mut keys = value.members().filter_map(|(key, _)| key.as_str());
        keys.any(|key| names.iter().any(|name| key.to_lowercase().starts_with(name)))
    };
    let is_node = |value: Value<'_>| has(value, &["parent"]) && has(value, &["child", "replies"]);
    let replies = |key: &str, list: Value<'_>| {
        let is_usual = ["replies", "children", "responses"].contains(&key);
        is_usual
            && list
                .elements()
                .any(|element| element.get(key).is_some_and(|v| v.kind() == NodeKind::Array))
    };
    for (key, member) in value.members() {
        let name = key.as_str()?;
        way.push(Step::Member(name.clone().into_owned()));
        let members = || member.members().map(|(_, value)| value).chain(member.elements());
        let is_tree = members().take(2).count() == 2 && members().take(DIALOGS).all(is_node);
        if is_tree || replies(&name, member) {
            return Some(place(way));
        }
        if member.kind() == NodeKind::Object
            && way.len() < 3
            && let Some(found) = tree(member, way)
        {
            return Some(found);
        }
        way.pop();
    }
    None
}
