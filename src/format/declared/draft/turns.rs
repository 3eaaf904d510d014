//! Guesses which list of dialogs has their turns: the one whose columns are the likeliest texts and speakers.
//!
//! Every list is a candidate, the rows of a file too. A list may have one turn in each element, or those of a user and of
//! a system, which may also be in two lists beside each other.

use std::borrow::Cow;

use super::super::place::Step;
use super::calls::{Acts, Condition, condition, names_of};
use super::columns::{Table, is_nested, last_name, speaker_before};
use super::leaves::{Leaf, is_tool, role_of_member};
use super::parts::Parts;
use super::speakers::{Names, Speakers, name_of, speakers_of};
use super::texts::{Text, best, texts_of};
use super::toml::{Lines, below, place, quoted, table};
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// Names of lists of turns.
const USUAL: [&str; 10] =
    ["dial", "turn", "utter", "log", "conv", "message", "chat", "transcript", "talk", "event"];

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
    pub parts: Option<String>,
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
    let mut lists = Table::of_dialogs(dialogs).lists();
    for at in 0..lists.len() {
        let (before, rest) = lists.split_at_mut(at);
        if let Some((list, after)) = rest.split_first_mut() {
            list.add_beside(before.iter().chain(&*after));
        }
    }
    let mut all: Vec<_> = lists.into_iter().filter_map(turns_of).collect();
    // One list of a pair is half of the dialog, however much text it holds.
    let pairs: Vec<_> = all
        .iter()
        .filter(|found| found.is_pair_of_lists())
        .map(|found| found.table().of.clone())
        .collect();
    all.retain(|found| {
        found.is_pair_of_lists() || !has_role(&found.at) || !pairs.contains(&found.table().of)
    });
    // Lists in turns are about them, unless only these have speakers.
    let around: Vec<_> = all
        .iter()
        .filter(|found| !is_nested(&found.at))
        .map(|found| (found.at.clone(), found.has_speaker()))
        .collect();
    all.retain(|found| {
        let mut outer =
            around.iter().filter(|(at, _)| is_nested(&found.at) && found.at.starts_with(at));
        outer.all(|(_, is_known)| !is_known && found.has_speaker())
    });
    // Of equals, the first one.
    let mut best = all
        .into_iter()
        .reduce(|best, other| if other.score > best.score { other } else { best })?;
    best.tell_turns();
    Some(best)
}

/// Returns the turns that are the elements of `rows`.
pub fn guess_rows(rows: Value<'_>) -> Option<Guess<'_>> {
    let list = Table::of_dialogs(&[rows]).lists().into_iter().next();
    let mut found = turns_of(list.filter(|list| list.at == [Step::Elements])?)?;
    found.tell_turns();
    Some(found)
}

/// True if a name on a way is that of a user's or of a system's turns, such as `more_answers.first`.
fn has_role(at: &[Step]) -> bool {
    let is_role =
        |step: &Step| matches!(step, Step::Member(name) if role_of_member(name).is_some());
    at.iter().any(is_role)
}

/// How likely texts are those of the turns in a list: by their length, and by what else there is.
fn score(at: &[Step], length: usize, has_speaker: bool, is_named: bool) -> usize {
    let name = last_name(at).to_lowercase();
    let is_usual = USUAL.iter().any(|usual| name.contains(usual));
    length * (2 + 2 * usize::from(has_speaker) + 2 * usize::from(is_named) + usize::from(is_usual))
}

/// Returns the turns in the elements of a list.
fn turns_of(mut list: Table<'_>) -> Option<Guess<'_>> {
    let may_speak = |turn: &Value<'_>| {
        matches!(turn.kind(), NodeKind::Object | NodeKind::Array | NodeKind::String)
    };
    if !list.of.is_sorted_by(|one, next| one == next)
        && list.of.is_sorted_by(|one, next| one < next)
        || list.of.len() < 2
        || !list.objects.iter().any(may_speak)
    {
        return None;
    }
    let at = std::mem::take(&mut list.at);
    let (each, around) = at.split_last()?;
    let tables = list.with_lists();
    let (own, acts) = (tables.last()?, Acts::of(&tables));
    let are_dialogs = !around.contains(&Step::Elements);
    let speakers = speakers_of(own, &acts.calling, are_dialogs);
    let sure = speakers.first().filter(|found| found.is_sure);
    let names = sure.and_then(|found| Some((found, own.column(&found.place)?)));
    let speaks = |turn: usize| {
        names.is_none_or(|(found, column)| {
            column.of(turn).and_then(name_of).is_some_and(|name| found.has_role(&name))
        })
    };
    let is_own = |turn: usize| !acts.has(tables.len() - 1, turn) && speaks(turn);
    let mut texts = texts_of(&own.columns, own.objects.len(), &is_own);
    texts.retain(|text| names.is_none_or(|(found, _)| found.place != text.place));
    let is_known = sure.is_some() || !acts.calling.is_empty();
    let beside = texts_of(&own.beside, own.objects.len(), &is_own);
    let (sides, score) = if let Some(sides) = pair(&texts, &beside, &at, own).filter(|_| !is_known)
    {
        let length = sides.iter().map(|(_, text)| text.length).sum();
        let sides = sides.map(|(role, text)| Side::of(text, Speaker::Role(role)));
        (sides.into(), score(&at, length, true, true))
    } else {
        let direct = best(texts.iter());
        let parts = Parts::of(&tables, &acts, &speaks, direct.is_some() || !is_known);
        let direct = direct.filter(|_| parts.as_ref().is_none_or(|parts| !parts.is_text_too));
        let text = direct.map_or("", |text| &text.place);
        let speaker = speakers.iter().find(|found| found.place != *text);
        let speaker = speaker.cloned().map(Speaker::Known);
        let speaker = speaker.or_else(|| before(direct?, own)).unwrap_or(Speaker::Unknown);
        let is_unknown = matches!(speaker, Speaker::Unknown);
        // Members that are objects may be anything.
        if *each == Step::Members && is_unknown || direct.is_none() && parts.is_none() {
            return None;
        }
        // A list of names or of facts for each turn looks like one of texts.
        let is_named = direct.is_none_or(|text| Leaf::Text.rank(last_name(&text.way)).is_some());
        let lengths = [direct.map(|text| text.length), parts.as_ref().map(|parts| parts.length)];
        let score = score(&at, lengths.into_iter().flatten().sum(), !is_unknown, is_named);
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
    Some(Guess { at, sides, is: None, others: Vec::new(), tables, acts, score })
}

/// Returns the texts of a user and of a system in the same elements, in their order there, or in two lists.
fn pair<'t>(
    texts: &'t [Text],
    beside: &'t [Text],
    at: &[Step],
    table: &Table<'_>,
) -> Option<[(Role, &'t Text); 2]> {
    if role_of_member(last_name(at)) == Some(Role::User) && !is_nested(at) {
        let user = best(texts.iter())?;
        let answers =
            || beside.iter().filter(|text| role_of_member(text.list()) == Some(Role::System));
        let same = answers().find(|text| text.way[2..] == user.way);
        if let Some(system) = same.or_else(|| best(answers())) {
            return Some([(Role::User, user), (Role::System, system)]);
        }
    }
    if let [first, second] = texts
        && matches!(at, [.., Step::Member(_), Step::Elements])
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

/// Returns the speakers whose names the texts begin with.
fn before(text: &Text, table: &Table<'_>) -> Option<Speaker> {
    let column = table.column(&text.place).filter(|_| !text.is_joined && !text.is_mixed)?;
    let turns = 0..table.objects.len();
    let name = |turn: usize| Some(speaker_before(&column.of(turn)?.as_str()?)?.to_owned());
    let names: Vec<_> = turns.clone().map(name).collect();
    let is_spaced = names.iter().flatten().all(|name| name.ends_with(' '));
    let names = names.into_iter().map(|name| Some(name?.trim_end().to_owned()));
    let names = Names {
        place: "speaker",
        name: "speaker",
        of: &table.of,
        all: names.collect(),
        are_flags: false,
        are_kinds: false,
        callers: Vec::new(),
    };
    let found = names.speakers()?;
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

    /// Returns 2 if names show who is the user and who is the system, 1 if there are names, and 0 otherwise.
    pub fn certainty(&self) -> usize {
        usize::from(self.has_speaker()) + usize::from(self.is_sure())
    }

    /// True if names or their place show that they are those of speakers.
    pub fn have_names(&self) -> bool {
        let is_it =
            |own: &Speakers| own.is_likely() || own.names.len() < self.table().objects.len();
        self.speakers().is_some_and(is_it)
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
        let acting = &self.acts.turns;
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
        let all = 0..self.table().objects.len();
        let (mut own, others): (Vec<_>, Vec<_>) = all.clone().partition(is_turn);
        let is = condition(self.table(), &own, Some(&found.place));
        if is.is_none() {
            own = all.collect();
        }
        let mut found = found.clone();
        let spoken: Vec<_> = own.iter().filter_map(|turn| Some((*turn, name(*turn)?))).collect();
        found.names.retain(|name| spoken.iter().any(|(_, own)| own == name));
        // Who says nothing of his own answers calls.
        let is_answering = |name: &String| {
            let mut all = spoken.iter().filter(|(_, own)| own == name);
            !self.acts.calling.is_empty() && all.all(|(turn, _)| is_silent(*turn))
        };
        let answering = found.names.iter().filter(|name| !found.has_role(name));
        let answering: Vec<_> = answering.filter(|name| is_answering(name)).cloned().collect();
        found.hide(answering);
        if let Some(telling) = is.as_ref().and_then(|is| self.table().column(&is.place)) {
            // Rows without the member may be anything, and those that say something are named as not read.
            let has_words = |name: &String| {
                let mut rows =
                    others.iter().filter(|row| telling.word(**row).as_ref() == Some(name));
                rows.any(|row| holds_words(self.table().objects[*row]))
            };
            let mut silent = names_of(telling, &others);
            silent.retain(|name| !has_words(name));
            // Nobody is named: calls are the system's.
            let unnamed: Vec<_> = own.into_iter().filter(|turn| name(*turn).is_none()).collect();
            if telling.place != found.place && !unnamed.is_empty() {
                found.place = format!("{} | {}", found.place, telling.place);
                let callers = names_of(telling, &self.acts.calling);
                let kinds = names_of(telling, &unnamed).into_iter();
                let (system, hidden): (Vec<_>, _) = kinds.partition(|name| callers.contains(name));
                found.hide(hidden);
                found.system.extend(system);
            }
            self.others = silent;
        }
        self.is = is;
        self.sides[0].speaker = Speaker::Known(found);
    }

    /// Adds the tables of the turns and of what is in them.
    pub fn write(&self, lines: &mut Lines) {
        for side in &self.sides {
            lines.turn(self, side);
        }
        for span in self.spans() {
            lines.append(&span);
        }
        lines.append(&self.acts.lines);
        if !self.acts.calling.is_empty()
            && !self.acts.are_answered
            && let Some(of) = self.answering()
        {
            let text = self.sides[0].text.split(" | ").next().unwrap_or_default();
            lines.key("response", &table(&[("of", quoted(of)), ("at", quoted(text))]));
        }
    }

    /// Returns the speaker whose turns answer calls that have no ids, if there is one.
    fn answering(&self) -> Option<&String> {
        let mut tools = self.speakers()?.hidden.iter().filter(|name| is_tool(name));
        tools.next().filter(|_| tools.next().is_none())
    }
}
