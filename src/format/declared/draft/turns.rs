//! Guesses which list of dialogs has their turns: the one whose columns are the likeliest texts and speakers.
//!
//! Every list is a candidate, the rows of a file too. A list may have one turn in each element, or those of a user and of
//! a system, which may also be in two lists beside each other.

use super::super::place::{Step, last_name};
use super::calls::{Acts, Condition, condition, names_of};
use super::columns::{Table, is_nested, speaker_before};
use super::leaves::{Leaf, is_tool, role_of_member};
use super::parts::Parts;
use super::speakers::{Names, Speakers, name_of, speakers_of};
use super::texts::{Text, best, texts_of};
use super::toml::{Lines, below, place, quoted, table};
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// The words of a text that is a sentence, at least.
const WORDS: usize = 4;

/// The parts that dialogs seem to have.
pub struct Guess<'a> {
    /// The way to the turns.
    pub at: Vec<Step>,
    /// One turn in each element, or those of two speakers.
    pub sides: Vec<Side>,
    /// The condition that only turns fulfil, if not all elements are turns, and values of others without sentences.
    pub is: Option<Condition>,
    pub others: Vec<String>,
    /// Lists in the turns, and the turns.
    pub tables: Vec<Table<'a>>,
    pub acts: Acts,
    /// How likely the list is one of turns, for comparisons: by the length of the texts, and by what else there is.
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
    pub parts: Option<String>,
}

/// The speaker of a turn.
pub enum Speaker {
    Named(Speakers),
    /// The speakers alternate.
    Unknown,
    /// Always the same one, of two in an element.
    Role(Role),
}

/// Returns the parts that most of `dialogs` seem to have; None if nothing looks like a list of turns.
pub fn guess<'a>(dialogs: &[Value<'a>]) -> Option<Guess<'a>> {
    let mut lists = Table::of_dialogs(dialogs).lists();
    for at in 0..lists.len() {
        let (before, rest) = lists.split_at_mut(at);
        if let Some((list, after)) = rest.split_first_mut() {
            list.add_beside(before.iter().chain(&*after));
        }
    }
    let mut all: Vec<_> = lists.into_iter().filter_map(turns_of).collect();
    // One list of a pair is half of the dialog, however much text it holds.
    let pairs = all.iter().filter(|found| found.is_pair_of_lists());
    let pairs: Vec<_> = pairs.map(|found| found.table().of.clone()).collect();
    all.retain(|found| {
        found.is_pair_of_lists() || !has_role(&found.at) || !pairs.contains(&found.table().of)
    });
    // Lists in turns are about them, unless only these have speakers.
    let around = all.iter().filter(|found| !is_nested(&found.at));
    let around: Vec<_> = around.map(|found| (found.at.clone(), found.certainty() > 0)).collect();
    all.retain(|found| {
        let mut outer = around.iter();
        let is_own = |(at, is_known): &(Vec<Step>, bool)| {
            !found.at.starts_with(at) || !is_known && found.certainty() > 0
        };
        !is_nested(&found.at) || outer.all(is_own)
    });
    // Of equals, the first one.
    let best = all.into_iter().reduce(|one, next| if next.score > one.score { next } else { one });
    best.map(Guess::with_turns)
}

/// Returns the turns that are the elements of `rows`.
pub fn guess_rows(rows: Value<'_>) -> Option<Guess<'_>> {
    turns_of(Table::of_rows(rows)).map(Guess::with_turns)
}

/// True if a name on a way is that of a user's or of a system's turns, such as `more_answers.first`.
fn has_role(at: &[Step]) -> bool {
    let is_role =
        |step: &Step| matches!(step, Step::Member(name) if role_of_member(name).is_some());
    at.iter().any(is_role)
}

/// Returns the turns in the elements of a list.
fn turns_of(mut list: Table<'_>) -> Option<Guess<'_>> {
    let may_speak = |turn: &Value<'_>| {
        matches!(turn.kind(), NodeKind::Object | NodeKind::Array | NodeKind::String)
    };
    let are_single = list.of.windows(2).all(|pair| pair[0] != pair[1]);
    if are_single || !list.objects.iter().any(may_speak) {
        return None;
    }
    let at = std::mem::take(&mut list.at);
    let (each, around) = at.split_last()?;
    let tables = list.with_lists();
    let (own, acts) = (tables.last()?, Acts::of(&tables));
    let speakers = speakers_of(own, &acts.calling, !around.contains(&Step::Elements));
    let sure = speakers.first().filter(|found| found.is_sure);
    let names = sure.and_then(|found| Some((found, own.column(&found.place)?)));
    let speaks = |turn: usize| {
        names.is_none_or(|(found, column)| {
            column.of(turn).and_then(name_of).is_some_and(|name| found.has_role(&name))
        })
    };
    let utters = |turn: usize| !acts.has(tables.len() - 1, turn) && speaks(turn);
    let texts = texts_of(&own.columns, own.objects.len(), &utters);
    let beside = texts_of(&own.beside, own.objects.len(), &utters);
    let is_known = sure.is_some() || !acts.calling.is_empty();
    let pair = pair(&texts, &beside, &at, own).filter(|_| !is_known);
    let (sides, score) = if let Some(pair) = pair {
        let length = pair.iter().map(|(_, text)| text.length).sum::<usize>();
        (pair.map(|(role, text)| Side::new(Some(text), Speaker::Role(role))).into(), 4 * length)
    } else {
        let direct = best(texts.iter());
        let parts = Parts::of(&tables, &acts, &speaks, direct.is_some() || !is_known);
        let direct = direct.filter(|_| parts.as_ref().is_none_or(|parts| !parts.is_text_too));
        let is_other = |found: &&Speakers| direct.is_none_or(|text| text.place != found.place);
        let named = speakers.iter().find(is_other).cloned();
        let named = named.or_else(|| before(direct?, own));
        let certainty = named.as_ref().map_or(0, |found| 1 + usize::from(found.is_sure));
        // Members that are objects may be anything.
        if *each == Step::Members && certainty == 0 || direct.is_none() && parts.is_none() {
            return None;
        }
        // A list of names or of facts for each turn looks like one of texts.
        let is_usual = direct.is_none_or(|text| Leaf::Text.rank(last_name(&text.way)).is_some());
        let length = direct.map_or(0, |text| text.length);
        let length = length + parts.as_ref().map_or(0, |parts| parts.length);
        let mut side = Side::new(direct, named.map_or(Speaker::Unknown, Speaker::Named));
        let mut thoughts = Leaf::Reasoning.columns(&own.columns).into_iter();
        let thought = thoughts.find(|column| column.way.len() <= 2 && column.place != side.text);
        side.reasoning = thought.map(|column| quoted(&column.place));
        if let Some(parts) = parts {
            parts.add_to(&mut side);
        }
        (vec![side], length * (1 + certainty + usize::from(is_usual)))
    };
    if sides[0].text.is_empty() {
        return None;
    }
    Some(Guess { at, sides, is: None, others: Vec::new(), tables, acts, score })
}

/// Returns the texts of a user and of a system in the same elements, in their order there, or in two lists.
fn pair<'t>(
    texts: &'t [Text],
    beside: &'t [Text],
    at: &[Step],
    table: &Table<'_>,
) -> Option<[(Role, &'t Text); 2]> {
    let of = |role: Role| {
        best(texts.iter().filter(move |text| role_of_member(&text.name) == Some(role)))
    };
    if role_of_member(last_name(at)) == Some(Role::User) && !is_nested(at) {
        let user = best(texts.iter())?;
        let is_answer = |text: &&Text| {
            role_of_member(text.name.split('.').next().unwrap_or_default()) == Some(Role::System)
        };
        let answers = || beside.iter().filter(is_answer);
        let same = answers().find(|text| text.way[2..] == user.way);
        if let Some(system) = same.or_else(|| best(answers())) {
            return Some([(Role::User, user), (Role::System, system)]);
        }
    }
    if let [first, second] = texts
        && matches!(at, [.., Step::Member(_), Step::Elements])
        && [first, second].map(|text| text.way.as_slice())
            == [[Step::Position(0)].as_slice(), &[Step::Position(1)]]
    {
        return Some([(Role::User, first), (Role::System, second)]);
    }
    let system = of(Role::System)?;
    // `transcript` beside `system_transcript` is the user's.
    let rest = texts.iter().filter(|text| role_of_member(&text.name).is_none());
    let rest = rest.filter(|text| !text.name.is_empty() && system.name.ends_with(&text.name));
    let user = of(Role::User).or_else(|| rest.max_by_key(|text| text.weight))?;
    let at = |text: &Text, turn: usize| Some(table.column(&text.place)?.of(turn)?.range().start);
    let mut turns = 0..table.objects.len();
    let is_first = turns.find_map(|turn| Some(at(user, turn)? < at(system, turn)?));
    let mut both = [(Role::User, user), (Role::System, system)];
    if is_first == Some(false) {
        both.reverse();
    }
    Some(both)
}

/// Returns the speakers whose names the texts begin with.
fn before(text: &Text, table: &Table<'_>) -> Option<Speakers> {
    let column = table.column(&text.place).filter(|_| !text.is_joined && !text.is_mixed)?;
    let turns = 0..table.objects.len();
    let name = |turn: usize| Some(speaker_before(&column.of(turn)?.as_str()?)?.to_owned());
    let mut all: Vec<_> = turns.clone().map(name).collect();
    let is_spaced = all.iter().flatten().all(|name| name.ends_with(' '));
    for name in all.iter_mut().flatten() {
        name.truncate(name.trim_end().len());
    }
    let (place, of, are_kinds, callers) = ("speaker", &table.of, false, Vec::new());
    let names = Names { place, of, all, are_kinds, callers };
    let mut found = names.speakers().filter(|found| found.names.len() * 2 <= turns.len())?;
    found.prefix = Some(if is_spaced { " : " } else { ": " });
    Some(found)
}

impl Side {
    fn new(text: Option<&Text>, speaker: Speaker) -> Self {
        let mut place = text.map_or_else(String::new, |text| text.place.clone());
        if text.is_some_and(|text| text.is_mixed) {
            place = format!("{place} | {}", below(&place, "text"));
        }
        let separator = text.and_then(|text| text.is_joined.then_some(" "));
        Self { text: place, separator, speaker, reasoning: None, parts: None }
    }
}

impl<'a> Guess<'a> {
    /// True if a user's turns are in one list, and a system's in another one.
    fn is_pair_of_lists(&self) -> bool {
        self.sides.iter().any(|side| side.text.starts_with('^'))
    }

    /// Returns the columns of the turns.
    pub fn table(&self) -> &Table<'a> {
        &self.tables[self.tables.len() - 1]
    }

    /// Returns a place in a turn, or in a list beside the turns, as a place from the dialog.
    pub fn in_dialog(&self, inside: &str) -> String {
        let first = inside.split(" | ").next().unwrap_or_default();
        match (first.strip_prefix("^."), self.at.as_slice()) {
            (Some(beside), [around @ .., _, _]) => {
                below(&place(around), &beside.replace("[@index]", "[*]"))
            }
            _ => below(&place(&self.at), first),
        }
    }

    /// Returns the speakers, if something names them.
    pub fn speakers(&self) -> Option<&Speakers> {
        match &self.sides[0].speaker {
            Speaker::Named(found) => Some(found),
            _ => None,
        }
    }

    /// Returns 2 if something shows who is the user and who is the system, 1 if there are names, and 0 otherwise.
    pub fn certainty(&self) -> usize {
        match &self.sides[0].speaker {
            Speaker::Named(found) => 1 + usize::from(found.is_sure),
            Speaker::Unknown => 0,
            // Two texts in a list may be anything.
            Speaker::Role(_) => 2 - usize::from(self.sides[0].text.starts_with('[')),
        }
    }

    /// Returns what is at the first place of the texts that a turn has.
    pub fn said(&self, turn: usize) -> Option<Value<'a>> {
        let column = |place: &str| self.table().column(place.split("[*]").next()?)?.of(turn);
        self.sides[0].text.split(" | ").find_map(column)
    }

    /// Finds out which elements of the list are turns, and who of those who speak in them is hidden.
    fn with_turns(mut self) -> Self {
        let sure = self.speakers().filter(|found| found.is_sure).cloned();
        let column = sure.as_ref().and_then(|found| self.table().column(&found.place));
        let (Some(mut found), Some(column)) = (sure.clone(), column) else {
            return self;
        };
        let table = self.table();
        let name = |turn: usize| column.of(turn).and_then(name_of);
        let is_silent = |turn: usize| {
            let said = self.said(turn).map_or("null", Value::raw);
            self.acts.turns.contains(&turn) || matches!(said, "\"\"" | "null" | "[]" | "{}")
        };
        // Who is in a column of speakers is one, and what is in another may be any event.
        let is_named = Leaf::Speaker.rank(&column.name).is_some();
        let speaks = |turn: usize| {
            name(turn).is_some_and(|name| is_named || found.has_role(&name) || !is_silent(turn))
        };
        let all = 0..table.objects.len();
        let is_turn = |turn: &usize| self.acts.turns.contains(turn) || speaks(*turn);
        let (mut own, others): (Vec<_>, Vec<_>) = all.clone().partition(is_turn);
        let is = condition(table, &own, Some(&found.place));
        if is.is_none() {
            own = all.collect();
        }
        let spoken: Vec<_> = own.iter().filter_map(|turn| Some((*turn, name(*turn)?))).collect();
        found.names.retain(|name| spoken.iter().any(|(_, own)| own == name));
        // Who says nothing of his own answers calls.
        let is_answering = |name: &&String| {
            let mut all = spoken.iter().filter(|(_, own)| own == *name);
            let do_call = !self.acts.calling.is_empty() && !found.has_role(name);
            do_call && all.all(|(turn, _)| is_silent(*turn))
        };
        let answering = found.names.iter().filter(is_answering).cloned().collect();
        found.hide(answering);
        let mut silent = Vec::new();
        if let Some(telling) = is.as_ref().and_then(|is| table.column(&is.place)) {
            // Rows without the member may be anything, and those that say something are named as not read.
            let has_words = |name: &String| {
                let is_it = |row: &&usize| telling.word(**row).as_ref() == Some(name);
                others.iter().filter(is_it).any(|row| holds_words(table.objects[*row]))
            };
            silent = names_of(telling, &others);
            silent.retain(|name| !has_words(name));
            // Nobody is named: calls are the system's.
            own.retain(|turn| name(*turn).is_none());
            if telling.place != found.place && !own.is_empty() {
                found.place = format!("{} | {}", found.place, telling.place);
                let callers = names_of(telling, &self.acts.calling);
                let kinds = names_of(telling, &own).into_iter();
                let (system, hidden): (Vec<_>, _) = kinds.partition(|name| callers.contains(name));
                found.hide(hidden);
                found.system.extend(system);
            }
        }
        (self.is, self.others) = (is, silent);
        self.sides[0].speaker = Speaker::Named(found);
        self
    }

    fn write_turn(&self, side: &Side, lines: &mut Lines) {
        lines.add(if self.sides.len() > 1 { "\n[[turn]]" } else { "\n[turn]" });
        lines.text("at", &place(&self.at));
        if let Some(is) = &self.is {
            lines.key("is", &is.table());
        }
        lines.list("others", &self.others);
        match &side.speaker {
            Speaker::Named(speakers) => {
                match speakers.prefix {
                    Some(prefix) => lines.text("prefix", prefix),
                    None => lines.text("speaker", &speakers.place),
                }
                speakers.write(lines);
            }
            Speaker::Role(Role::User) => lines.add("alternate = [\"user\"]"),
            Speaker::Role(_) => lines.add("alternate = [\"system\"]"),
            Speaker::Unknown => {
                let why = "nothing looks like a speaker, so `user` and `system` alternate";
                lines.warn(why.to_owned());
                lines.add("alternate = [\"user\", \"system\"]");
            }
        }
        if side.text.contains(" | ") {
            lines.add("# Some of these values are objects or lists, not texts.");
        }
        match side.separator {
            Some(separator) => {
                let separator = format!("\"{}\"", separator.escape_debug());
                lines.key("text", &table(&[("at", quoted(&side.text)), ("separator", separator)]));
            }
            None => lines.text("text", &side.text),
        }
        if let Some(reasoning) = &side.reasoning {
            lines.key("reasoning", reasoning);
        }
        if let Some(parts) = &side.parts {
            lines.key("parts", parts);
        }
    }

    /// Adds the tables of the turns and of what is in them.
    pub fn write(&self, lines: &mut Lines) {
        for side in &self.sides {
            self.write_turn(side, lines);
        }
        for span in self.spans() {
            lines.append(&span);
        }
        lines.append(&self.acts.lines);
        // If one speaker alone is a tool, its turns answer calls that have no ids.
        let hidden = self.speakers().map_or([].as_slice(), |found| &found.hidden);
        let tools: Vec<_> = hidden.iter().filter(|name| is_tool(name)).collect();
        if let [of] = tools.as_slice()
            && self.acts.is_unanswered()
        {
            let text = self.sides[0].text.split(" | ").next().unwrap_or_default();
            lines.key("response", &table(&[("of", quoted(of)), ("at", quoted(text))]));
        }
    }
}

/// True if a value has a sentence in it, however deep.
fn holds_words(value: Value<'_>) -> bool {
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    let is_sentence = |text: &str| text.split_whitespace().filter(is_word).nth(WORDS - 1).is_some();
    value.raw().split('"').any(is_sentence)
}
