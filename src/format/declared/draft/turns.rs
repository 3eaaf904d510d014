//! Guesses which list of dialogs has their turns: the one whose columns are the likeliest texts and speakers.
//!
//! Every list is a candidate, the rows of a file too. A list may have one turn in each element, or those of a user and of
//! a system, which may also be in two lists beside each other.

use std::borrow::Cow;

use super::super::place::Step;
use super::calls::{Acts, Condition, names_of};
use super::columns::{Cell, Column, Table, last_name, speaker_before};
use super::leaves::{Leaf, is_tool, role_of_member};
use super::lists::{List, all_lists};
use super::parts::Parts;
use super::speakers::{Names, Speakers, likeliest, name_of, sure};
use super::spelling::{below, place, quoted};
use super::texts::{Text, best, texts_of};
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// The parts that dialogs seem to have.
pub struct Guess<'a> {
    /// The way to the list of turns, and the step to each of them.
    pub at: Vec<Step>,
    pub each: Step,
    /// The turns, each with the number of its list.
    pub turns: Vec<Cell<'a>>,
    /// One turn in each element, or those of two speakers.
    pub sides: Vec<Side>,
    /// The condition that only turns fulfil, if not all elements are turns, and values of others without sentences.
    pub is: Option<Condition>,
    pub others: Vec<String>,
    /// Lists in the turns, and the turns.
    pub tables: Vec<Table<'a>>,
    pub acts: Acts,
    /// How likely the list is one of turns, for comparisons.
    pub score: usize,
}

/// A turn in an element of the list of turns.
pub struct Side {
    /// The place of the text, from the turn.
    pub text: String,
    /// The text between the sentences or tokens that it is joined from.
    pub separator: Option<&'static str>,
    pub speaker: Speaker,
    pub reasoning: Option<String>,
    /// The list of the parts of a turn, and the place of their kinds.
    pub parts: Option<[String; 2]>,
}

/// The speaker of a turn.
pub enum Speaker {
    Known(Speakers),
    /// The texts begin with the names, and this behind them.
    Before(Speakers, &'static str),
    /// The speakers alternate.
    Unknown,
    /// Always the same one, of two in an element.
    Role(Role),
}

/// Returns the parts that most of `dialogs` seem to have; None if nothing looks like a list of turns.
pub fn guess<'a>(dialogs: &[Value<'a>]) -> Option<Guess<'a>> {
    let all = all_lists(dialogs);
    let pairs: Vec<_> =
        all.iter().filter_map(|list| Some((list, two_lists(list, &all)?))).collect();
    // One list of a pair is half of the dialog, however much text it holds.
    let is_half = |list: &List<'_>| {
        list.has_role() && pairs.iter().any(|(own, _)| list.lengths().eq(own.lengths()))
    };
    let singles = all.iter().filter(|list| !is_half(list));
    let mut singles: Vec<_> =
        singles.filter_map(|list| Some((list, one_list(list, &all)?))).collect();
    // Lists in turns are about them, unless only these have speakers.
    let around: Vec<_> = (singles.iter().filter(|(list, _)| !list.is_nested()))
        .map(|(list, found)| (list.at.clone(), found.has_speaker()))
        .collect();
    singles.retain(|(list, found)| {
        let mut outer = around.iter().filter(|(at, _)| list.is_nested() && list.at.starts_with(at));
        outer.all(|(_, is_known)| !is_known && found.has_speaker())
    });
    // Of equals, the first one.
    let all = singles.into_iter().chain(pairs).map(|(_, found)| found);
    let mut best = all.reduce(|best, other| if other.score > best.score { other } else { best })?;
    best.tell_turns();
    Some(best)
}

/// Returns the turns that are the elements of `rows`.
pub fn guess_rows(rows: Value<'_>) -> Option<Guess<'_>> {
    let list = List { at: Vec::new(), each: Step::Elements, lists: vec![rows] };
    let mut found = one_list(&list, &[])?;
    found.tell_turns();
    Some(found)
}

/// Returns the turns in the elements of one list, maybe with their speakers in another one.
fn one_list<'a>(list: &List<'a>, all: &[List<'a>]) -> Option<Guess<'a>> {
    let turns = list.turns();
    let may_speak = |turn: &Cell<'_>| {
        matches!(turn.value.kind(), NodeKind::Object | NodeKind::Array | NodeKind::String)
    };
    if list.lengths().all(|length| length < 2) || !turns.iter().any(may_speak) {
        return None;
    }
    let tables = Table::of_turns(turns.iter().map(|turn| turn.value).collect()).with_lists();
    let (own, acts) = (tables.last()?, Acts::of(&tables));
    let calling = acts.calling(&tables);
    let sure = sure(own, &turns, &|column| names_of(column, &calling));
    let names = sure.as_ref().and_then(|found| Some((found, own.column(&found.place)?)));
    let speaks = |turn: usize| {
        names.is_none_or(|(found, column)| {
            column.of(turn).and_then(name_of).is_some_and(|name| found.has_role(&name))
        })
    };
    let mut texts = texts_of(own, &|turn| !acts.has(tables.len() - 1, turn) && speaks(turn));
    texts.retain(|text| names.is_none_or(|(found, _)| found.place != text.place));
    let is_known = sure.is_some() || acts.calls.is_some();
    let (sides, score) = if let Some(sides) = pair(&texts, list, own).filter(|_| !is_known) {
        let length = sides.iter().map(|(_, text)| text.length).sum();
        let sides = sides.map(|(role, text)| Side::of(text, Speaker::Role(role)));
        (sides.into(), list.score(length, true, true))
    } else {
        let direct = best(texts.iter());
        let parts = Parts::of(&tables, &acts, &speaks, direct.is_some() || !is_known);
        let direct = direct.filter(|_| parts.as_ref().is_none_or(|parts| !parts.is_text_too));
        let text = direct.map_or("", |text| &text.place);
        let are_dialogs = !list.at.contains(&Step::Elements);
        let speaker = sure.or_else(|| likeliest(own, &turns, text, are_dialogs));
        let beside = || {
            let found = all.iter().filter_map(|other| speakers_beside(list, other, &turns));
            found.min_by_key(|found| found.rank)
        };
        let speaker = speaker.or_else(beside).map(Speaker::Known);
        let speaker = speaker.or_else(|| before(direct?, own, &turns)).unwrap_or(Speaker::Unknown);
        let is_unknown = matches!(speaker, Speaker::Unknown);
        // Members that are objects may be anything.
        if list.each == Step::Members && is_unknown || direct.is_none() && parts.is_none() {
            return None;
        }
        // A list of names or of facts for each turn looks like one of texts.
        let is_named = direct.is_none_or(|text| Leaf::Text.rank(last_name(&text.way)).is_some());
        let lengths = [direct.map(|text| text.length), parts.as_ref().map(|parts| parts.length)];
        let score = list.score(lengths.into_iter().flatten().sum(), !is_unknown, is_named);
        let mut side = match direct {
            Some(text) => Side::of(text, speaker),
            None => Side::at("", speaker),
        };
        let mut thoughts = Leaf::Reasoning.columns(&own.columns).into_iter();
        let thought = thoughts.find(|column| column.way.len() <= 2 && column.place != side.text);
        side.reasoning = thought.map(|column| quoted(&column.place));
        if let Some(parts) = parts {
            parts.add_to(&mut side);
        }
        (vec![side], score)
    };
    if sides[0].text.is_empty() {
        return None;
    }
    Some(Guess::new(list, turns, sides, tables, acts, score))
}

/// Returns the texts of a user and of a system in the same elements, in their order there.
fn pair<'t>(
    texts: &'t [Text],
    list: &List<'_>,
    table: &Table<'_>,
) -> Option<[(Role, &'t Text); 2]> {
    if let [first, second] = texts
        && matches!(list.at.last(), Some(Step::Member(_)))
        && [first, second].iter().all(|text| matches!(text.way.as_slice(), [Step::Position(_)]))
    {
        return Some([(Role::User, first), (Role::System, second)]);
    }
    let of = |role: Role| {
        best(texts.iter().filter(move |text| role_of_member(&text.name) == Some(role)))
    };
    let system = of(Role::System)?;
    // `transcript` beside `system_transcript` is the user's.
    let rest = || {
        let other = texts.iter().filter(|text| role_of_member(&text.name).is_none());
        other
            .filter(|text| !text.name.is_empty() && system.name.ends_with(&text.name))
            .max_by_key(|text| text.weight)
    };
    let user = of(Role::User).or_else(rest)?;
    let both = [(Role::User, user), (Role::System, system)];
    let at = |text: &Text, object: usize| {
        Some(table.column(&text.place)?.of(object)?.range().bytes().start)
    };
    let is_first =
        (0..table.objects.len()).find_map(|object| Some(at(user, object)? < at(system, object)?));
    let [first, second] = both;
    Some(if is_first == Some(false) { [second, first] } else { both })
}

/// Returns the turns of a user in one list, and those of a system beside it.
fn two_lists<'a>(list: &List<'a>, all: &[List<'a>]) -> Option<Guess<'a>> {
    let is_of = |list: &List<'_>, role: Role| {
        list.each == Step::Elements && role_of_member(last_name(&list.at)) == Some(role)
    };
    if !is_of(list, Role::User) || list.is_nested() {
        return None;
    }
    let mut others = all.iter().filter(|other| is_of(other, Role::System));
    let other = others.find(|other| list.is_parallel(other))?;
    let table = |list: &List<'a>| {
        Table::of_turns(list.turns().into_iter().map(|turn| turn.value).collect())
    };
    let own = table(list);
    let (texts, others) = (texts_of(&own, &|_| true), texts_of(&table(other), &|_| true));
    let user = best(texts.iter())?;
    let same = others.iter().find(|text| text.way == user.way);
    let system = same.or_else(|| best(others.iter()))?;
    let sides = vec![
        Side::of(user, Speaker::Role(Role::User)),
        Side::at(&below(&beside(other), &system.place), Speaker::Role(Role::System)),
    ];
    let score = list.score(user.length + system.length, true, true);
    Some(Guess::new(list, list.turns(), sides, vec![own], Acts::default(), score))
}

/// Returns the place of a list beside the turns, from a turn.
fn beside(other: &List<'_>) -> String {
    format!("^.{}[@index]", place(&[Step::Member(last_name(&other.at).to_owned())]))
}

/// Returns the speakers of the turns in `list`, if `other` is a list of them.
fn speakers_beside(list: &List<'_>, other: &List<'_>, turns: &[Cell<'_>]) -> Option<Speakers> {
    let names = other.turns().into_iter().map(|cell| name_of(cell.value));
    let names = list.is_parallel(other).then(|| Names::beside(turns, names))?;
    let found = names.speakers(last_name(&other.at), &[])?;
    Some(Speakers { place: beside(other), ..found })
}

/// Returns the speakers whose names the texts begin with.
fn before(text: &Text, table: &Table<'_>, turns: &[Cell<'_>]) -> Option<Speaker> {
    let column = table.column(&text.place).filter(|_| !text.is_joined && !text.is_mixed)?;
    let name = |turn: usize| Some(speaker_before(&column.of(turn)?.as_str()?)?.to_owned());
    let names: Vec<_> = (0..turns.len()).map(name).collect();
    let is_spaced = names.iter().flatten().all(|name| name.ends_with(' '));
    let names = names.into_iter().map(|name| Some(name?.trim_end().to_owned()));
    let found = Names::beside(turns, names).speakers("speaker", &[])?;
    let prefix = if is_spaced { " : " } else { ": " };
    (found.names.len() * 2 <= turns.len()).then_some(Speaker::Before(found, prefix))
}

impl Side {
    fn of(text: &Text, speaker: Speaker) -> Self {
        let mut place = text.place.clone();
        if text.is_mixed {
            place = format!("{place} | {}", below(&place, "text"));
        }
        Self { separator: text.is_joined.then_some(" "), ..Self::at(&place, speaker) }
    }

    fn at(text: &str, speaker: Speaker) -> Self {
        Self { text: text.to_owned(), separator: None, speaker, reasoning: None, parts: None }
    }
}

/// The words of a text that is a sentence, at least.
const WORDS: usize = 4;

/// True if a value has a sentence in it, however deep.
fn holds_words(value: Value<'_>) -> bool {
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    let is_sentence = |text: &str| text.split_whitespace().filter(is_word).nth(WORDS - 1).is_some();
    value.raw().split('"').any(is_sentence)
}

impl<'a> Guess<'a> {
    fn new(
        list: &List<'a>,
        turns: Vec<Cell<'a>>,
        sides: Vec<Side>,
        tables: Vec<Table<'a>>,
        acts: Acts,
        score: usize,
    ) -> Self {
        let (at, each) = (list.at.clone(), list.each.clone());
        Self { at, each, turns, sides, is: None, others: Vec::new(), tables, acts, score }
    }

    /// Returns the columns of the turns.
    pub fn table(&self) -> &Table<'a> {
        &self.tables[self.tables.len() - 1]
    }

    /// Returns the place of the turns, from the dialog.
    pub fn turns_at(&self) -> String {
        place(&[self.at.as_slice(), std::slice::from_ref(&self.each)].concat())
    }

    /// Returns a place in a turn, or in a list beside the turns, as a place from the dialog.
    pub fn in_dialog(&self, inside: &str) -> String {
        let first = inside.split(" | ").next().unwrap_or_default();
        match (first.strip_prefix("^."), self.at.split_last()) {
            (Some(beside), Some((_, around))) => {
                let beside = beside.replace("[@index]", "[*]");
                if around.is_empty() { beside } else { below(&place(around), &beside) }
            }
            _ => below(&self.turns_at(), first),
        }
    }

    /// Returns the speakers, if something names them.
    pub fn speakers(&self) -> Option<&Speakers> {
        match &self.sides[0].speaker {
            Speaker::Known(found) | Speaker::Before(found, _) => Some(found),
            _ => None,
        }
    }

    pub fn has_speaker(&self) -> bool {
        self.speakers().is_some()
    }

    /// True if names show who is the user and who is the system.
    pub fn is_sure(&self) -> bool {
        let is_role = matches!(self.sides[0].speaker, Speaker::Role(_));
        is_role || self.speakers().is_some_and(|found| found.is_sure)
    }

    /// Returns what is at the first place of the texts that a turn has.
    fn said(&self, turn: usize) -> Option<Value<'a>> {
        let column = |place: &str| self.table().column(place.split("[*]").next()?)?.of(turn);
        self.sides[0].text.split(" | ").find_map(column)
    }

    /// Returns the text of a turn, if it is one value.
    pub fn text_of(&self, turn: usize) -> Option<String> {
        self.said(turn)?.as_str().map(Cow::into_owned)
    }

    /// Finds out which elements of the list are turns, and who of those who speak in them is hidden.
    fn tell_turns(&mut self) {
        let Speaker::Known(found) = &self.sides[0].speaker else {
            return;
        };
        let Some(column) = self.table().column(&found.place).filter(|_| found.is_sure) else {
            return;
        };
        let acting = self.acts.turns(&self.tables);
        let name = |turn: usize| column.of(turn).and_then(name_of);
        let is_silent = |turn: usize| {
            let said = self.said(turn).map_or("null", Value::raw);
            acting.contains(&turn) || matches!(said, "\"\"" | "null" | "[]" | "{}")
        };
        // Who is in a column of speakers is one, and what is in another may be any event.
        let is_named = Leaf::Speaker.rank(&column.name).is_some();
        let speaks =
            |turn: usize, name: &String| is_named || found.has_role(name) || !is_silent(turn);
        let is_turn = |turn: &usize| {
            acting.contains(turn) || name(*turn).is_some_and(|name| speaks(*turn, &name))
        };
        let (mut own, others): (Vec<_>, Vec<_>) = (0..self.turns.len()).partition(is_turn);
        let tells = |other: &&Column<'_>| {
            let (names, not) = (names_of(other, &own), names_of(other, &others));
            let is_everywhere = own.iter().all(|turn| other.word(*turn).is_some());
            other.kinds().is_some() && is_everywhere && !names.iter().any(|name| not.contains(name))
        };
        let rank = |other: &&Column<'_>| {
            (other.place != found.place, names_of(other, &own).len(), other.way.len())
        };
        let columns = self.table().columns.iter().filter(|_| !others.is_empty());
        let telling = columns.filter(tells).min_by_key(rank);
        let mut found = found.clone();
        if telling.is_none() {
            own = (0..self.turns.len()).collect();
        }
        let spoken: Vec<_> = own.iter().filter_map(|turn| Some((*turn, name(*turn)?))).collect();
        found.names.retain(|name| spoken.iter().any(|(_, own)| own == name));
        // Who says nothing of his own answers calls.
        let is_answering = |name: &String| {
            let mut all = spoken.iter().filter(|(_, own)| own == name);
            self.acts.calls.is_some() && all.all(|(turn, _)| is_silent(*turn))
        };
        let answering = found.names.iter().filter(|name| !found.has_role(name));
        let answering: Vec<_> = answering.filter(|name| is_answering(name)).cloned().collect();
        found.hide(answering);
        let told = telling.map(|telling| {
            // Rows without the member may be anything, and those that say something are named as not read.
            let has_words = |name: &String| {
                let mut rows =
                    others.iter().filter(|turn| telling.word(**turn).as_ref() == Some(name));
                rows.any(|turn| holds_words(self.turns[*turn].value))
            };
            let mut silent = names_of(telling, &others);
            silent.retain(|name| !has_words(name));
            // Nobody is named: calls are the system's.
            let unnamed: Vec<_> =
                own.iter().copied().filter(|turn| name(*turn).is_none()).collect();
            if telling.place != found.place && !unnamed.is_empty() {
                found.place = format!("{} | {}", found.place, telling.place);
                let callers = names_of(telling, &self.acts.calling(&self.tables));
                let kinds = names_of(telling, &unnamed).into_iter();
                let (system, hidden): (Vec<_>, _) = kinds.partition(|name| callers.contains(name));
                found.hide(hidden);
                found.system.extend(system);
            }
            (Condition { place: telling.place.clone(), names: names_of(telling, &own) }, silent)
        });
        if let Some((is, others)) = told {
            (self.is, self.others) = (Some(is), others);
        }
        self.sides[0].speaker = Speaker::Known(found);
    }

    /// Returns the speaker whose turns answer calls that have no ids, if there is one.
    pub fn answering(&self) -> Option<&String> {
        let mut tools = self.speakers()?.hidden.iter().filter(|name| is_tool(name));
        tools.next().filter(|_| tools.next().is_none())
    }

    /// Returns the members of turns that a description does not name, each with an example.
    pub fn others(&self, tables: &str) -> Vec<(String, String)> {
        let is_name = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
        let used: Vec<_> = tables.split(|c| !is_name(c)).collect();
        let columns = self.table().columns.iter().filter(|column| column.way.len() == 1);
        let others = columns.filter_map(|column| {
            let Step::Member(name) = &column.way[0] else {
                return None;
            };
            let mut values = column.cells.iter().map(|cell| cell.value.raw());
            let value = values.find(|raw| !matches!(*raw, "[]" | "{}" | "\"\"" | "null"))?;
            let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
            (!used.contains(&name.as_str()))
                .then(|| (name.clone(), line.chars().take(90).collect()))
        });
        others.collect()
    }
}
