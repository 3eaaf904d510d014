//! Guesses how a file arranges its dialogs, where their ids are, and which forms cannot be described.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::super::place::Step;
use super::columns::{Column, distinct, is_nested, word};
use super::leaves::{Leaf, PART};
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
    fn new(arrangement: &'static str, all: impl Iterator<Item = Value<'a>>) -> Self {
        Self { arrangement, all: all.map(|value| Keyed { key: None, value }).collect() }
    }

    /// Returns the file as one dialog.
    pub fn whole(root: Value<'a>) -> Self {
        Self::new(".", std::iter::once(root))
    }

    /// Returns the values of a file that may be dialogs.
    ///
    /// # Errors
    /// If they are arranged in a way that cannot be described.
    pub fn of(root: Value<'a>, are_lines: bool) -> Result<Self, String> {
        if root.kind() == NodeKind::Array {
            return Ok(Self::new(if are_lines { "lines" } else { "[*]" }, root.elements()));
        }
        let keyed = |kind: NodeKind| {
            let members = root.members().filter(|(_, value)| value.kind() == kind);
            let all = members.map(|(key, value)| Keyed { key: Some(key), value }).collect();
            Self { arrangement: "{*}", all }
        };
        // The file may be one dialog, whose lists look like dialogs.
        let whole = guess(&[root]).filter(|found| !is_nested(&found.at));
        let is_one = whole.is_some_and(|found| found.certainty() == 2);
        let may_be = |found: &Guess<'_>| !is_one || found.certainty() == 2;
        let objects = keyed(NodeKind::Object);
        let found = guess(&objects.first()).filter(|found| !is_nested(&found.at));
        if found.is_some_and(|found| objects.have_turns(&found) && may_be(&found)) {
            return Ok(objects);
        }
        // The list whose elements look most like dialogs.
        let lists = root.members().map(|(_, list)| Self::new("*[*]", list.elements()));
        let scored = lists.filter_map(|list| {
            let found = guess(&list.first()).filter(may_be)?;
            // Some dialogs may be short.
            let is_known = found.certainty() == 2 || found.at.len() == 1 && found.certainty() == 1;
            (is_known || list.have_turns(&found)).then_some((found.score, list))
        });
        if let Some((_, list)) = scored.max_by_key(|(score, _)| *score) {
            return Ok(list);
        }
        let arrays = keyed(NodeKind::Array);
        let is_dialog =
            |dialog: &Keyed<'a>| guess(&[dialog.value]).is_some_and(|found| found.certainty() > 0);
        let is_all = arrays.all.len() > 1 && arrays.all.len() == root.members().count();
        if is_all && arrays.all.iter().all(is_dialog) {
            let reason = "its fields look like dialogs that are arrays of turns; turnwise reads such dialogs only in an array, such as `[[…], […]]`";
            return Err(reason.to_owned());
        }
        Ok(Self::whole(root))
    }

    /// Returns the first of the values.
    pub fn first(&self) -> Vec<Value<'a>> {
        self.all.iter().take(DIALOGS).map(|dialog| dialog.value).collect()
    }

    /// True if most of the first values have several turns.
    fn have_turns(&self, found: &Guess<'_>) -> bool {
        let pairs = found.table().of.windows(2).filter(|pair| pair[0] == pair[1]);
        let with_turns: BTreeSet<_> = pairs.map(|pair| pair[0]).collect();
        with_turns.len() * 2 > self.all.len().min(DIALOGS)
    }

    /// Returns why dialogs deeper in the file are not read, if the turns are those of several.
    pub fn too_deep(&self, found: &Guess<'_>) -> Option<String> {
        let is_object = self.all[0].value.kind() == NodeKind::Object;
        let end = found.at.iter().position(|step| *step == Step::Elements)?;
        (self.arrangement == "." && is_object && is_nested(&found.at)).then(|| {
            format!(
                "`{}` seems to hold dialogs, but is too deep in the file; a dialog must be a line, an element or field of the file itself, or an element or field of one of the file's fields",
                place(&found.at[..=end])
            )
        })
    }

    /// Returns the member of dialogs that looks like an id: a text or a number that differs between all of them.
    pub fn id(&self) -> Option<String> {
        let first = self.all.first()?.value;
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
            Some(if is_dialog { 0 } else { 1 + rank / PART })
        };
        let names = || first.members().filter_map(|(key, _)| key.as_str());
        let best = names().filter(|name| is_id(name)).filter_map(|name| Some((rank(&name)?, name)));
        let best = best.min().map(|(_, name)| name);
        // Whatever its name is, as long as there are enough dialogs to differ.
        let is_first = |name: &_| self.all.len() >= LEAST_DIALOGS && is_id(name);
        let id = best.or_else(|| names().next().filter(|name| is_first(name)));
        Some(place(&[Step::Member(id?.into_owned())]))
    }
}

/// The column with the id of a row's dialog.
pub struct Division {
    way: Vec<Step>,
    pub place: String,
    /// True if several dialogs have an id there.
    pub is_several: bool,
    /// True if its name shows it, and not only that its values repeat.
    pub is_named: bool,
}

impl Division {
    /// Returns the number of dialogs in rows, one after the other.
    pub fn dialogs<'r>(&self, rows: Value<'r>) -> usize {
        let name = |value: Value<'r>| {
            let mut way = self.way.iter();
            let id = way.try_fold(value, |value, step| match step {
                Step::Member(name) => value.get(name),
                _ => None,
            });
            id.map(Value::raw)
        };
        rows.elements()
            .filter_map(name)
            .collect::<Vec<_>>()
            .chunk_by(|one, next| one == next)
            .count()
    }
}

/// Returns the column whose values divide rows into dialogs: one that is named as their ids are or, without that, one
/// whose values repeat in rows one after the other, in which several speak, as in lines of cases.
pub fn division(found: &Guess<'_>) -> Option<Division> {
    let table = found.table();
    let speaker = found.speakers().and_then(|speakers| table.column(&speakers.place));
    let columns = table.columns.iter().filter(|column| column.is_single());
    let all = columns.filter(|column| (1..=2).contains(&column.way.len())).filter_map(|column| {
        let ids: Option<Vec<_>> = column.cells.iter().map(|cell| word(cell.value)).collect();
        let ids = ids?;
        let runs: Vec<_> = ids.chunk_by(|one, other| one == other).collect();
        let is_named = Leaf::Dialog.rank(&column.name).is_some();
        let do_repeat = runs.len() < ids.len() || ids.len() == 1;
        let is_whole = ids.len() == table.objects.len();
        let is_it =
            is_named && do_repeat || !is_named && is_whole && are_talks(column, &runs, speaker);
        let values = if is_named { ids.len() } else { runs.len() };
        let rank = (is_named, values, Reverse(column.place.len()));
        let is_divided = distinct(ids.clone()).len() == runs.len();
        let (way, place) = (column.way.clone(), column.place.clone());
        let division = Division { way, place, is_several: runs.len() > 1, is_named };
        (is_it && is_divided).then_some((rank, division))
    });
    all.max_by_key(|(rank, _)| *rank).map(|(_, division)| division)
}

/// True if several speak in each of the runs of rows that have the same value in a column.
fn are_talks(column: &Column<'_>, runs: &[&[String]], speaker: Option<&Column<'_>>) -> bool {
    let is_other = NOT_DIALOGS.iter().any(|name| column.name.contains(name));
    // The rows may be the first of a file, so that the last run is cut short.
    let Some((_, whole)) = runs.split_last().filter(|(_, whole)| !is_other && !whole.is_empty())
    else {
        return false;
    };
    let mut row = 0;
    let do_talk = whole.iter().all(|run| {
        row += run.len();
        let rows = row - run.len()..row;
        distinct(rows.filter_map(|row| name_of(speaker?.of(row)?)).collect()).len() > 1
    });
    // Numbers of exchanges.
    let are_pairs = whole.iter().all(|run| run.len() == 2 && run[0].parse::<i64>().is_ok());
    do_talk && !are_pairs
}

/// Returns the place of a tree of messages in a dialog: by the ids of parents and children, or of replies in replies.
pub fn tree(value: Value<'_>, way: &mut Vec<Step>) -> Option<String> {
    let has = |value: Value<'_>, names: &[&str]| {
        let mut keys = value.members().filter_map(|(key, _)| key.as_str());
        keys.any(|key| names.iter().any(|name| key.to_lowercase().starts_with(name)))
    };
    let is_node = |value: Value<'_>| has(value, &["parent"]) && has(value, &["child", "replies"]);
    for (key, member) in value.members() {
        let name = key.as_str()?.into_owned();
        let is_usual = ["replies", "children", "responses"].contains(&name.as_str());
        let is_list = |value: Value<'_>| value.kind() == NodeKind::Array;
        let do_recur = |element: Value<'_>| element.get(&name).is_some_and(is_list);
        let members = || member.members().map(|(_, value)| value).chain(member.elements());
        let is_tree = members().nth(1).is_some() && members().take(DIALOGS).all(is_node)
            || is_usual && member.elements().any(do_recur);
        way.push(Step::Member(name));
        if is_tree {
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
