//! Guesses which list of dialogs has their turns: the one whose columns are the likeliest texts and speakers.
//!
//! Every list is a candidate, the rows of a file too. A list may have one turn in each element, or those of a user and of
//! a system, which may also be in two lists beside each other.

use std::collections::HashMap;

use super::super::place::Step;
use super::calls::{Acts, Condition, condition, kind, names_of};
use super::columns::{Cell, Column, Table, items, last_name, place, speaker_before};
use super::leaves::{Leaf, role_of_member};
use super::speakers::{Names, Speakers, likeliest, name_of, role_of, sure};
use super::texts::{Text, best, texts_of};
use super::toml::quoted;
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// How deep lists are in dialogs, in members.
const DEPTH: usize = 3;
/// The elements of each list, and of all lists at a place, to look at.
const ELEMENTS: usize = 500;
const ALL_ELEMENTS: usize = 10_000;
/// The most places that are compared.
const PLACES: usize = 500;

/// The parts that dialogs seem to have.
pub struct Guess<'a> {
    /// The way to the list of turns, and the step to each of them.
    pub at: Vec<Step>,
    pub each: Step,
    /// The turns, each with the number of its list.
    pub turns: Vec<Cell<'a>>,
    /// One turn in each element, or those of two speakers.
    pub sides: Vec<Side>,
    /// Members beside the list of turns whose elements belong to the turns.
    pub beside: Vec<String>,
    /// Lists in the turns, and the turns.
    pub tables: Vec<Table<'a>>,
    pub acts: Acts,
    /// How likely the list is one of turns, for comparisons.
    score: usize,
}

/// A turn in an element of the list of turns.
pub struct Side {
    /// The place of the text, from the turn.
    pub text: String,
    /// The text between the sentences or tokens that it is joined from.
    pub separator: Option<&'static str>,
    /// The place of the text, from the dialog.
    pub has: String,
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

/// A list in the same place of several dialogs.
struct List<'a> {
    at: Vec<Step>,
    each: Step,
    /// The list of each dialog that has it, or several of one dialog.
    lists: Vec<Value<'a>>,
}

impl<'a> List<'a> {
    fn turns(&self) -> Vec<Cell<'a>> {
        let lists = self.lists.iter().enumerate();
        let all = lists.flat_map(|(object, list)| {
            items(*list, &self.each).take(ELEMENTS).map(move |value| Cell { object, value })
        });
        all.take(ALL_ELEMENTS).collect()
    }

    fn lengths(&self) -> impl Iterator<Item = usize> {
        self.lists.iter().map(|list| items(*list, &self.each).count())
    }

    /// True for two members of one object whose lists are of the same length in every dialog.
    fn is_parallel(&self, other: &Self) -> bool {
        let (Some((Step::Member(own), before)), Some((Step::Member(name), parent))) =
            (self.at.split_last(), other.at.split_last())
        else {
            return false;
        };
        own != name && parent == before && self.lengths().eq(other.lengths())
    }

    /// True for a list in elements that are in a list themselves.
    fn is_nested(&self) -> bool {
        is_nested(&self.at)
    }

    /// True if a name on the way to it is that of a user's or of a system's turns, such as `more_answers.first`.
    fn has_role(&self) -> bool {
        let is_role =
            |step: &Step| matches!(step, Step::Member(name) if role_of_member(name).is_some());
        self.at.iter().any(is_role)
    }

    /// Returns the place of a value from the dialog.
    fn has(&self, way: &[Step]) -> String {
        place(&[self.at.as_slice(), std::slice::from_ref(&self.each), way].concat())
    }

    /// How likely texts are those of turns: by their length, and by what else there is.
    fn score(&self, length: usize, has_speaker: bool, is_named: bool) -> usize {
        let usual = [
            "dial",
            "turn",
            "utter",
            "log",
            "conv",
            "message",
            "chat",
            "transcript",
            "talk",
            "event",
        ];
        let name = last_name(&self.at).to_lowercase();
        let is_usual = usual.iter().any(|usual| name.contains(usual));
        length
            * (2 + 2 * usize::from(has_speaker) + 2 * usize::from(is_named) + usize::from(is_usual))
    }
}

/// True for a way to a member of the elements of a list.
pub fn is_nested(at: &[Step]) -> bool {
    at.windows(2).any(|pair| matches!(pair, [Step::Elements, Step::Member(_)]))
}

/// Returns the parts that most of `dialogs` seem to have; None if nothing looks like a list of turns.
pub fn guess<'a>(dialogs: &[Value<'a>]) -> Option<Guess<'a>> {
    let mut all: Vec<List<'a>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for dialog in dialogs {
        lists(*dialog, &mut Vec::new(), &mut |at, each, list| {
            let place = place(&[at, std::slice::from_ref(&each)].concat());
            match known.get(&place) {
                Some(number) => all[*number].lists.push(list),
                None if all.len() == PLACES => {}
                None => {
                    known.insert(place, all.len());
                    all.push(List { at: at.to_vec(), each, lists: vec![list] });
                }
            }
        });
    }
    let pairs: Vec<_> =
        all.iter().filter_map(|list| two_lists(list, &all).map(|own| (list, own))).collect();
    // One list of a pair is half of the dialog, however much text it holds.
    let is_half = |list: &List<'_>| {
        list.has_role() && pairs.iter().any(|(own, _)| list.lengths().eq(own.lengths()))
    };
    let singles = all.iter().filter(|list| !is_half(list));
    let mut singles: Vec<_> =
        singles.filter_map(|list| one_list(list, &all).map(|found| (list, found))).collect();
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
    all.reduce(|best, other| if other.score > best.score { other } else { best })
}

/// Returns the turns that are the elements of `rows`.
pub fn guess_rows<'a>(rows: Value<'a>) -> Option<Guess<'a>> {
    let list = List { at: Vec::new(), each: Step::Elements, lists: vec![rows] };
    one_list(&list, &[])
}

/// Calls `visit` with every list in `value`, down to some depth.
fn lists<'a>(
    value: Value<'a>,
    at: &mut Vec<Step>,
    visit: &mut dyn FnMut(&[Step], Step, Value<'a>),
) {
    let kind = |value: &Value<'_>| value.kind();
    let depth = at.iter().filter(|step| matches!(step, Step::Member(_))).count();
    if value.kind() == NodeKind::Array {
        visit(at, Step::Elements, value);
        let is_deep = at.iter().filter(|step| **step == Step::Elements).count() > 1;
        if is_deep || is_nested(at) {
            return;
        }
        // Turns in parts of a dialog.
        for (key, list) in value.elements().flat_map(Value::members) {
            if list.kind() == NodeKind::Array {
                let name = Step::Member(key.as_str().unwrap_or_default().into_owned());
                visit(&[at.as_slice(), &[Step::Elements, name]].concat(), Step::Elements, list);
            }
        }
        let inner: Vec<_> =
            value.elements().filter(|inner| kind(inner) == NodeKind::Array).collect();
        // The parts of a pair, such as the turns and what is said about them.
        let firsts: Vec<_> =
            inner.iter().map(|list| list.elements().next().map(Value::kind)).collect();
        let is_pair = (2..=4).contains(&inner.len()) && inner.len() == value.elements().count();
        if is_pair && firsts[1..].iter().all(|first| *first != firsts[0]) {
            for (position, list) in inner.into_iter().enumerate() {
                at.push(Step::Position(position));
                visit(at, Step::Elements, list);
                at.pop();
            }
            return;
        }
        at.push(Step::Elements);
        for list in inner {
            lists(list, at, visit);
        }
        at.pop();
        return;
    }
    let members: Vec<_> = value.members().take(2).collect();
    if members.len() > 1 && value.members().all(|(_, member)| kind(&member) == NodeKind::Object) {
        visit(at, Step::Members, value);
    }
    for (key, member) in value.members() {
        let is_near = depth + 1 < DEPTH && !at.contains(&Step::Elements);
        if kind(&member) == NodeKind::Array || kind(&member) == NodeKind::Object && is_near {
            at.push(Step::Member(key.as_str().unwrap_or_default().into_owned()));
            lists(member, at, visit);
            at.pop();
        }
    }
}

/// Returns the turns in the elements of one list, maybe with their speakers in another one.
fn one_list<'a>(list: &List<'a>, all: &[List<'a>]) -> Option<Guess<'a>> {
    if list.lengths().all(|length| length < 2) {
        return None;
    }
    let turns = list.turns();
    if turns.iter().all(|turn| {
        !matches!(turn.value.kind(), NodeKind::Object | NodeKind::Array | NodeKind::String)
    }) {
        return None;
    }
    let tables = Table::of_turns(turns.iter().map(|turn| turn.value).collect()).with_lists();
    let (own, acts) = (tables.last()?, Acts::of(&tables));
    let calling = acts.calling(&tables);
    let callers = |column: &Column<'_>| names_of(column, &calling);
    let sure = sure(own, &turns, &callers);
    let speaks = |turn: usize| {
        sure.as_ref().is_none_or(|found| {
            let name =
                own.column(&found.place).and_then(|column| column.of(turn)).and_then(name_of);
            name.is_some_and(|name| found.has_role(&name))
        })
    };
    let is_own = |turn: usize| !acts.has(tables.len() - 1, turn) && speaks(turn);
    let texts = texts_of(own, &is_own);
    let (sides, beside, score) = if let Some(sides) =
        pair(&texts, list, own).filter(|_| sure.is_none() && acts.calls.is_none())
    {
        let length = sides.iter().map(|(_, text)| text.length).sum();
        let sides = sides.map(|(role, text)| Side::of(text, list, Speaker::Role(role)));
        (sides.into(), Vec::new(), list.score(length, true, true))
    } else {
        let direct = best(
            texts.iter().filter(|text| sure.as_ref().is_none_or(|found| found.place != text.place)),
        );
        let is_known = sure.is_some() || acts.calls.is_some();
        let parts = Parts::of(&tables, &acts, &speaks, direct.is_some() || !is_known);
        let direct = direct.filter(|_| parts.as_ref().is_none_or(|parts| !parts.is_text_too));
        let way = direct.map(|text| &text.way).or(parts.as_ref().map(|parts| &parts.list))?;
        let text_place = place(way);
        let are_dialogs = !list.at.contains(&Step::Elements);
        let mut speaker = sure.or_else(|| likeliest(own, &turns, &text_place, are_dialogs));
        if let Some(found) = &mut speaker {
            found.has =
                list.has(&own.column(&found.place).map_or(Vec::new(), |column| column.way.clone()));
        }
        let mut beside = Vec::new();
        let mut speaker = speaker.map(Speaker::Known);
        if speaker.is_none() {
            let found = all.iter().filter_map(|other| speakers_beside(list, other, &turns));
            if let Some((name, found)) = found.min_by_key(|(_, found)| found.rank) {
                speaker = Some(Speaker::Known(found));
                beside.push(name);
            }
        }
        let speaker = speaker.or_else(|| before(direct?, own, &turns)).unwrap_or(Speaker::Unknown);
        // A list of names or of facts for each turn looks like one of texts.
        let is_named = way.is_empty() || Leaf::Text.rank(&last_name(way).to_lowercase()).is_some();
        let is_named = is_named && last_name(way) != "";
        let length =
            direct.map_or(0, |text| text.length) + parts.as_ref().map_or(0, |parts| parts.length);
        // Members that are objects may be anything.
        if list.each == Step::Members && matches!(speaker, Speaker::Unknown) {
            return None;
        }
        let score = list.score(length, !matches!(speaker, Speaker::Unknown), is_named);
        let mut side = match direct {
            Some(text) => Side::of(text, list, speaker),
            None => Side {
                text: text_place,
                separator: None,
                has: list.has(way),
                speaker,
                reasoning: None,
                parts: None,
            },
        };
        let thoughts = Leaf::Reasoning.columns(&own.columns).into_iter();
        let mut thoughts =
            thoughts.filter(|column| column.way.len() <= 2 && column.place != side.text);
        side.reasoning = thoughts.next().map(|column| quoted(&column.place));
        if let Some(parts) = parts {
            parts.add_to(&mut side, direct.is_some());
        }
        (vec![side], beside, score)
    };
    Some(Guess {
        at: list.at.clone(),
        each: list.each.clone(),
        turns,
        sides,
        beside,
        tables,
        acts,
        score,
    })
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
    let role = |list: &List<'_>| role_of_member(last_name(&list.at));
    if role(list) != Some(Role::User) || list.is_nested() || list.each != Step::Elements {
        return None;
    }
    let other = all.iter().find(|other| {
        other.each == Step::Elements && role(other) == Some(Role::System) && list.is_parallel(other)
    })?;
    let table = |list: &List<'a>| {
        Table::of_turns(list.turns().into_iter().map(|turn| turn.value).collect())
    };
    let (own, others) = (table(list), table(other));
    let (texts, system) = (texts_of(&own, &|_| true), texts_of(&others, &|_| true));
    let user = best(texts.iter())?;
    let same = system.iter().find(|text| text.way == user.way);
    let system = same.or_else(|| best(system.iter()))?;
    let name = last_name(&other.at).to_owned();
    let inside =
        [&[Step::Member(name.clone()), Step::SamePosition], system.way.as_slice()].concat();
    let second = Side {
        text: format!("^.{}", place(&inside)),
        has: other.has(&system.way),
        ..Side::of(system, other, Speaker::Role(Role::System))
    };
    Some(Guess {
        at: list.at.clone(),
        each: Step::Elements,
        turns: list.turns(),
        sides: vec![Side::of(user, list, Speaker::Role(Role::User)), second],
        beside: vec![name],
        tables: vec![own],
        acts: Acts::default(),
        score: list.score(user.length + system.length, true, true),
    })
}

/// Returns the speakers of the turns in `list`, and the name of the member, if `other` is a list of them.
fn speakers_beside(
    list: &List<'_>,
    other: &List<'_>,
    turns: &[Cell<'_>],
) -> Option<(String, Speakers)> {
    if !list.is_parallel(other) {
        return None;
    }
    let name = last_name(&other.at).to_owned();
    let mut found = Names::beside(turns, other.turns().into_iter().map(|cell| name_of(cell.value)))
        .speakers(&name, &[])?;
    found.place = format!("^.{}", place(&[Step::Member(name.clone()), Step::SamePosition]));
    found.has = other.has(&[]);
    Some((name, found))
}

/// Returns the speakers whose names the texts begin with.
fn before(text: &Text, table: &Table<'_>, turns: &[Cell<'_>]) -> Option<Speaker> {
    let column = table.column(&text.place).filter(|_| !text.is_joined && !text.is_mixed)?;
    let name = |turn: usize| Some(speaker_before(&column.of(turn)?.as_str()?)?.to_owned());
    let names: Vec<_> = (0..turns.len()).map(name).collect();
    let is_spaced = names.iter().flatten().all(|name| name.ends_with(' '));
    let names = names
        .into_iter()
        .map(|name| name.map(|name| if is_spaced { name.trim_end().to_owned() } else { name }));
    let found = Names::beside(turns, names).speakers("speaker", &[])?;
    let prefix = if is_spaced { " : " } else { ": " };
    (found.names.len() * 2 <= turns.len()).then_some(Speaker::Before(found, prefix))
}

impl Side {
    fn of(text: &Text, list: &List<'_>, speaker: Speaker) -> Self {
        Self {
            text: match (text.is_mixed, text.place.as_str()) {
                (true, ".") => ". | text".to_owned(),
                (true, at) => format!("{at} | {at}.text"),
                (false, at) => at.to_owned(),
            },
            separator: text.is_joined.then_some(" "),
            has: list.has(&text.way),
            speaker,
            reasoning: None,
            parts: None,
        }
    }
}

/// A list in the turns whose objects are parts of them, such as texts, thoughts and calls.
struct Parts {
    /// The way to the list, from the turn.
    list: Vec<Step>,
    at: String,
    /// The place of the texts, from the turn.
    text: Option<String>,
    length: usize,
    reasoning: Option<String>,
    kind: Option<String>,
    /// True if the member is a text in some turns.
    is_text_too: bool,
}

impl Parts {
    /// Returns the first list that is a text in other turns, or has calls or responses among other parts; or, if
    /// nothing else is a text, any with texts.
    fn of(
        tables: &[Table<'_>],
        acts: &Acts,
        speaks: &dyn Fn(usize) -> bool,
        has_text: bool,
    ) -> Option<Self> {
        let own = tables.last()?;
        let one = |(number, table): (usize, &Table<'_>)| {
            let (_, list) = table.at.split_last().filter(|_| table.at.len() > 1)?;
            let column = own.column(&place(list))?;
            let is_text_too =
                column.has(NodeKind::String) && Leaf::Text.rank(&column.name).is_some();
            let kind = kind(table);
            let is_act = |object: usize| acts.has(number, object);
            let has_acts = (0..table.objects.len()).any(is_act);
            let is_mixed =
                kind.is_some_and(|kind| kind.kinds().is_some_and(|names| names.len() > 1));
            let is_thought = |object: &usize| {
                let kind =
                    kind.and_then(|kind| kind.word(*object)).unwrap_or_default().to_lowercase();
                ["think", "thought", "reason"].iter().any(|part| kind.contains(part))
            };
            let is_part = |object: &usize| !is_act(*object) && speaks(table.turns[*object]);
            let inside = texts_of(table, &|object| is_part(&object) && !is_thought(&object));
            let thoughts = texts_of(table, &|object| is_part(&object) && is_thought(&object));
            let inside = best(inside.iter().filter(|text| !text.is_joined));
            let is_it = is_text_too && inside.is_some()
                || has_acts && is_mixed
                || !has_text && inside.is_some();
            if !is_it {
                return None;
            }
            let at = place(&table.at);
            let reasoning = best(thoughts.iter().filter(|text| !text.is_joined)).map(|thought| {
                if inside.is_some_and(|text| text.way == thought.way) {
                    let own: Vec<_> = (0..table.objects.len()).filter(is_thought).collect();
                    let is = condition(table, &own).map_or_else(String::new, |is| is.toml());
                    format!(
                        "{{ in = {}, is = {is}, at = {} }}",
                        quoted(&at),
                        quoted(&thought.place)
                    )
                } else {
                    quoted(&format!("{at}.{}", thought.place))
                }
            });
            Some(Self {
                list: list.to_vec(),
                text: inside.map(|text| format!("{at}.{}", text.place)),
                length: inside.map_or(0, |text| text.length),
                reasoning,
                kind: kind.map(|kind| kind.place.clone()),
                is_text_too,
                at,
            })
        };
        tables[..tables.len() - 1].iter().enumerate().find_map(one)
    }

    /// Adds what it has to a turn, which may have a text beside the parts.
    fn add_to(self, side: &mut Side, has_text: bool) {
        let list = self.at.trim_end_matches("[*]");
        match self.text {
            Some(text) if self.is_text_too => side.text = format!("{list} | {text}"),
            Some(text) if has_text => side.text = format!("{} | {text}", side.text),
            Some(text) => (side.text, side.separator) = (text, Some("\\n")),
            None => {}
        }
        if self.is_text_too {
            side.separator = None;
        }
        side.reasoning = self.reasoning.or(side.reasoning.take());
        side.parts = self.kind.map(|kind| [self.at, kind]);
    }
}

/// The words of a text that is a sentence, at least.
const WORDS: usize = 4;

/// True if a value has a sentence in it.
fn holds_words(value: Value<'_>) -> bool {
    let is_sentence = |text: &str| text.split_whitespace().nth(WORDS - 1).is_some();
    value.as_str().is_some_and(|text| is_sentence(&text))
        || value.members().any(|(_, member)| holds_words(member))
        || value.elements().any(holds_words)
}

/// Which elements of the list are turns, if not all are, and the names of those who speak in them.
pub struct Told {
    pub is: Option<Condition>,
    /// Values that other elements have, which hold no sentences.
    pub others: Vec<String>,
    /// The place of the speakers.
    pub speaker: String,
    pub speakers: Speakers,
}

impl<'a> Guess<'a> {
    pub fn table(&self) -> &Table<'a> {
        &self.tables[self.tables.len() - 1]
    }

    /// Returns the place of the turns, from the dialog.
    pub fn turns_at(&self) -> String {
        place(&[self.at.as_slice(), std::slice::from_ref(&self.each)].concat())
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

    pub fn score(&self) -> usize {
        self.score
    }

    /// Returns the text of a turn, if it is one value.
    pub fn text_of(&self, turn: usize) -> Option<String> {
        let mut places = self.sides[0].text.split(" | ");
        let found = places.find_map(|place| self.table().column(place)?.of(turn)?.as_str());
        found.map(|text| text.into_owned()).filter(|text| !text.is_empty())
    }

    /// True if something is said in an element of the list of turns.
    fn says_something(&self, turn: usize) -> bool {
        let holds = |place: &str| {
            let list = place.split("[*]").next().unwrap_or_default();
            let value = self.table().column(list).and_then(|column| column.of(turn));
            value.is_some_and(|value| !matches!(value.raw(), "\"\"" | "null" | "[]" | "{}"))
        };
        self.sides[0].text.split(" | ").any(holds)
    }

    /// Returns who speaks in which elements of the list.
    pub fn told(&self) -> Option<Told> {
        let Speaker::Known(found) = &self.sides[0].speaker else {
            return None;
        };
        let table = self.table();
        let mut told = Told {
            is: None,
            others: Vec::new(),
            speaker: found.place.clone(),
            speakers: found.clone(),
        };
        let Some(column) = table.column(&found.place).filter(|_| found.is_sure) else {
            return Some(told);
        };
        let calling = self.acts.calling(&self.tables);
        let callers = names_of(column, &calling);
        // Who is in a column of speakers is one, and what is in another may be any event.
        let is_named = Leaf::Speaker.rank(&column.name).is_some();
        let speaks = |turn: usize, name: &String| {
            is_named || found.has_role(name) || self.says_something(turn)
        };
        let name = |turn: usize| column.of(turn).and_then(name_of);
        let mut is_turn: Vec<bool> = (0..self.turns.len())
            .map(|turn| name(turn).is_some_and(|name| speaks(turn, &name)))
            .collect();
        for (number, table) in self.tables.iter().enumerate() {
            for (object, turn) in table.turns.iter().enumerate() {
                is_turn[*turn] |= self.acts.has(number, object);
            }
        }
        let (own, others): (Vec<_>, Vec<_>) = (0..is_turn.len()).partition(|turn| is_turn[*turn]);
        let tells = |other: &&Column<'_>| {
            let (own_names, names) = (names_of(other, &own), names_of(other, &others));
            let is_everywhere = own.iter().all(|turn| other.word(*turn).is_some());
            other.kinds().is_some()
                && is_everywhere
                && own_names.iter().all(|name| !names.contains(name))
        };
        let rank = |other: &&Column<'_>| {
            (other.place != found.place, names_of(other, &own).len(), other.way.len())
        };
        let telling =
            table.columns.iter().filter(tells).min_by_key(rank).filter(|_| !others.is_empty());
        if let Some(telling) = telling {
            // Rows without the member may be anything, and those that say something are named as not read.
            let is_silent = |name: &String| {
                let mut own =
                    others.iter().filter(|turn| telling.word(**turn).as_ref() == Some(name));
                own.all(|turn| !holds_words(self.turns[*turn].value))
            };
            told.others = names_of(telling, &others);
            told.others.retain(is_silent);
            told.is =
                Some(Condition { place: telling.place.clone(), names: names_of(telling, &own) });
        }
        let own = if telling.is_some() { own } else { (0..self.turns.len()).collect() };
        let spoken: Vec<_> = own
            .iter()
            .filter_map(|turn| Some((*turn, column.of(*turn).and_then(name_of)?)))
            .collect();
        let has_name = |name: &String| spoken.iter().any(|(_, own)| own == name);
        let Speakers { names, user, system, hidden, .. } = &mut told.speakers;
        // Who says nothing of his own answers calls.
        let is_silent = |name: &String| {
            let mut own = spoken.iter().filter(|(_, own)| own == name);
            own.all(|(turn, _)| {
                self.acts.has(self.tables.len() - 1, *turn)
                    || !self.says_something(*turn)
                    || self.answers(*turn)
            })
        };
        let known = [user.clone(), system.clone(), hidden.clone()].concat();
        for name in names.iter().filter(|name| !known.contains(name)) {
            match role_of(name, &callers) {
                Some(_) => system.push(name.clone()),
                None if self.acts.calls.is_some() && is_silent(name) => hidden.push(name.clone()),
                None => {}
            }
        }
        for all in [user, system, hidden] {
            all.retain(has_name);
        }
        // Nobody is named: calls are the system's.
        let unnamed: Vec<_> =
            own.iter().copied().filter(|turn| column.of(*turn).is_none()).collect();
        if let Some(kind) = telling.filter(|kind| kind.place != found.place && !unnamed.is_empty())
        {
            told.speaker = format!("{} | {}", found.place, kind.place);
            let is_caller =
                |name: &String| calling.iter().any(|turn| kind.word(*turn).as_ref() == Some(name));
            let (callers, others): (Vec<_>, Vec<_>) =
                names_of(kind, &unnamed).into_iter().partition(is_caller);
            told.speakers.system.extend(callers);
            told.speakers.hidden.extend(others);
        }
        Some(told)
    }

    /// True if a turn has a response in one of its lists.
    fn answers(&self, turn: usize) -> bool {
        let responses = self.acts.responses.as_ref();
        responses.is_some_and(|all| {
            let table = &self.tables[all.table];
            all.own.iter().any(|object| table.turns[*object] == turn)
        })
    }

    /// Returns the speaker whose turns answer calls that have no ids, if there is one.
    pub fn answering(&self) -> Option<&String> {
        let mut tools = self.speakers()?.hidden.iter().filter(|name| super::leaves::is_tool(name));
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
