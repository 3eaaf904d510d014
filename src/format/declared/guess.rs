//! Guesses where a dialog of an unknown format has its turns, texts, speakers and spans.
//!
//! Every list of the dialogs is a candidate. Of those whose elements look like turns, the one with the most text
//! wins; a speaker, and names that are usual for turns and texts, count as well.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::guess_spans::{SpanGuess, find_spans};
use super::guess_speakers::{SpeakerGuess, beside, get, role_of, speaker_in};
use super::guess_texts::{Text, best, is_dialog, is_text, is_utterance, position, texts_of};
use super::place::{Place, Step};
use crate::dialog::Role;
use crate::json::{NodeKind, Value};

/// The parts that dialogs seem to have.
pub struct Guess {
    /// The way to the list of turns.
    pub at: Vec<Step>,
    /// The turns in one element of that list: one, or those of two speakers.
    pub sides: Vec<Side>,
    /// Members beside the list of turns whose elements belong to the turns.
    pub beside: Vec<String>,
    pub spans: Vec<SpanGuess>,
    /// Other members of turns, each with an example.
    pub others: Vec<(String, String)>,
    /// How likely the list is one of turns, for comparisons.
    pub score: usize,
}

/// A turn in an element of the list of turns.
#[derive(Clone)]
pub struct Side {
    /// The place of the text, from the element.
    pub text: String,
    /// The place of the text, from the dialog.
    pub has: String,
    /// True if the place is that of sentences or tokens.
    pub is_joined: bool,
    /// True if some values there are objects.
    pub is_mixed: bool,
    pub speaker: SpeakerOf,
}

/// The speaker of a turn.
#[derive(Clone)]
pub enum SpeakerOf {
    Known(SpeakerGuess),
    /// The speakers alternate.
    Unknown,
    /// Always the same one, of two in an element.
    Role(Role),
}

/// A list in the same place of several dialogs.
pub struct List<'a> {
    pub at: Vec<Step>,
    /// The list of each dialog that has it, or several of one dialog.
    pub lists: Vec<Value<'a>>,
}

impl<'a> List<'a> {
    /// Returns the elements of all lists.
    pub fn elements(&self) -> Vec<Value<'a>> {
        let all = self.lists.iter().copied();
        all.flat_map(|list| list.elements().take(ELEMENTS)).take(ALL_ELEMENTS).collect()
    }

    /// Returns the name of the member that holds it.
    fn name(&self) -> &str {
        match self.at.last() {
            Some(Step::Member(name)) => name,
            _ => "",
        }
    }

    /// True for two members of one object whose lists are of the same length in every dialog.
    pub fn is_parallel(&self, other: &Self) -> bool {
        let is_beside = |(one, before): (&Step, &[Step])| {
            let (last, parent) = other.at.split_last()?;
            let are_members = matches!((one, last), (Step::Member(_), Step::Member(_)));
            Some(are_members && one != last && parent == before)
        };
        self.at.split_last().and_then(is_beside) == Some(true) && self.lengths() == other.lengths()
    }

    fn lengths(&self) -> Vec<usize> {
        let lists = self.lists.iter();
        lists.map(|list| list.elements().count()).collect()
    }

    /// True for a member of the elements of a dialog that is an array.
    fn is_in_elements(&self) -> bool {
        matches!(self.at.as_slice(), [Step::Elements, Step::Member(_)])
    }

    /// True if a name on the way to it is that of a user's or of a system's turns, such as `more_answers.first`.
    fn has_role(&self) -> bool {
        self.at.iter().any(|step| match step {
            Step::Member(name) => role_of(name).is_some(),
            _ => false,
        })
    }
}

/// How deep to look, in members.
const DEPTH: usize = 3;
/// The elements of each list, and of all lists at a place, to look at.
const ELEMENTS: usize = 200;
const ALL_ELEMENTS: usize = 10_000;
/// The most places that are compared.
const PLACES: usize = 500;

/// Steps as a place.
pub fn place(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Member(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                if name.is_empty() || name.contains(['.', '[', ']', '{', '}', '^', '@', '|', ' ']) {
                    text.extend(["\"", name, "\""]);
                } else {
                    text.push_str(name);
                }
            }
            Step::Position(at) => text.extend(["[", &at.to_string(), "]"]),
            Step::SamePosition => text.push_str("[@index]"),
            Step::Naming(naming) => {
                text.extend(["[", &naming.named.text, "=", &naming.id.text, "]"]);
            }
            Step::Elements => text.push_str("[*]"),
            Step::Members => text.push_str("{*}"),
        }
    }
    if text.is_empty() { ".".to_owned() } else { text }
}

/// Returns a place from an element of the list at `at`, as a place from the dialog.
pub fn of_element(at: &[Step], steps: &[Step]) -> String {
    let whole = at.iter().chain([&Step::Elements]).chain(steps);
    place(&whole.cloned().collect::<Vec<_>>())
}

/// Returns the parts that most of `dialogs` seem to have; None if nothing looks like a list of turns.
pub fn guess(dialogs: &[Value<'_>]) -> Option<Guess> {
    let mut found: BTreeMap<String, List<'_>> = BTreeMap::new();
    for dialog in dialogs {
        lists(*dialog, &mut Vec::new(), &mut |at, list| {
            let is_full = found.len() == PLACES;
            match found.entry(place(at)) {
                Entry::Occupied(known) => known.into_mut().lists.push(list),
                Entry::Vacant(_) if is_full => {}
                Entry::Vacant(new) => {
                    new.insert(List { at: at.to_vec(), lists: vec![list] });
                }
            }
        });
    }
    let all: Vec<_> = found.into_values().collect();
    let pairs = all.iter().filter_map(|list| two_lists(list, &all));
    let pairs: Vec<_> = pairs.collect();
    // One list of a pair is half of the dialog, however much text it holds.
    let is_half = |list: &&List<'_>| {
        let mut pairs = pairs.iter();
        list.has_role() && pairs.any(|(_, own)| list.lengths() == own.lengths())
    };
    let (_, whole): (Vec<_>, Vec<_>) = all.iter().partition(is_half);
    let singles = whole.into_iter().filter_map(|list| one_a_turn(list, &all));
    let mut singles: Vec<_> = singles.collect();
    // Lists in turns are about them, unless only these have speakers.
    let has_speakers = |found: &Guess| matches!(found.sides[0].speaker, SpeakerOf::Known(_));
    let around = singles.iter().find(|(_, list)| list.at.is_empty());
    if let Some(is_known) = around.map(|(found, _)| has_speakers(found)) {
        singles.retain(|(found, list)| !list.is_in_elements() || !is_known && has_speakers(found));
    }
    // Of equals, the first one.
    let likeliest = singles
        .into_iter()
        .chain(pairs)
        .reduce(|best, other| if other.0.score > best.0.score { other } else { best });
    let (mut guess, list) = likeliest?;
    let elements = list.elements();
    if let [side] = guess.sides.as_slice() {
        guess.spans = find_spans(&elements, side);
    }
    guess.find_others(&elements);
    Some(guess)
}

/// Calls `visit` with every array in `value`, down to some depth.
fn lists<'a>(value: Value<'a>, at: &mut Vec<Step>, visit: &mut dyn FnMut(&[Step], Value<'a>)) {
    if value.kind() == NodeKind::Array {
        visit(at, value);
        if at.is_empty() {
            // Turns in parts of a dialog.
            for (key, list) in value.elements().flat_map(Value::members) {
                if list.kind() == NodeKind::Array {
                    let name = key.as_str().unwrap_or_default().into_owned();
                    visit(&[Step::Elements, Step::Member(name)], list);
                }
            }
        }
        let is_list = |element: &Value<'_>| element.kind() == NodeKind::Array;
        let inner: Vec<_> = value.elements().filter(is_list).collect();
        let is_deep = at.iter().filter(|step| **step == Step::Elements).count() > 1;
        if !inner.is_empty() && !is_deep {
            at.push(Step::Elements);
            for list in inner {
                lists(list, at, visit);
            }
            at.pop();
        }
        return;
    }
    for (key, member) in value.members() {
        let is_near = at.len() + 1 < DEPTH && !at.contains(&Step::Elements);
        if member.kind() == NodeKind::Array || member.kind() == NodeKind::Object && is_near {
            let name = key.as_str().unwrap_or_default().into_owned();
            at.push(Step::Member(name));
            lists(member, at, visit);
            at.pop();
        }
    }
}

/// How likely texts are those of turns: by their length, and by what else there is.
fn score(length: usize, has_speaker: bool, is_named: bool, list: &List<'_>) -> usize {
    let names =
        ["dial", "turn", "utter", "log", "conv", "message", "chat", "transcript", "talk", "event"];
    let name = list.name().to_lowercase();
    let is_usual = names.iter().any(|usual| name.contains(usual));
    length * (2 + 2 * usize::from(has_speaker) + 2 * usize::from(is_named) + usize::from(is_usual))
}

/// Returns the turns in the elements of one list, maybe with their speakers in another one.
fn one_a_turn<'a, 'l>(list: &'l List<'a>, all: &[List<'a>]) -> Option<(Guess, &'l List<'a>)> {
    let elements = list.elements();
    if list.lists.iter().all(|list| list.elements().count() < 2) {
        return None;
    }
    let texts = texts_of(&elements);
    let best = best(texts.iter())?;
    let mut speaker = speaker_in(list, &best.steps);
    let mut beside_it = Vec::new();
    let is_sure = speaker.as_ref().is_some_and(|speaker| speaker.is_sure);
    if let Some(sides) = pair(&texts, &elements).filter(|_| !is_sure) {
        let length = sides.iter().map(|(_, text)| text.length).sum();
        let sides = sides.map(|(role, text)| Side {
            text: place(&text.steps),
            has: of_element(&list.at, &text.steps),
            is_joined: text.is_joined,
            is_mixed: false,
            speaker: SpeakerOf::Role(role),
        });
        return Some((
            Guess { sides: sides.to_vec(), ..Guess::new(list, score(length, true, true, list)) },
            list,
        ));
    }
    if speaker.is_none()
        && let Some((name, found)) =
            (all.iter().filter_map(|other| beside(list, other))).min_by_key(|(_, found)| found.rank)
    {
        speaker = Some(found);
        beside_it.push(name);
    }
    // A list of names or of facts for each turn looks like one of texts.
    let is_named = is_text(&best.steps);
    let score = score(best.length, speaker.is_some(), is_named, list);
    let is_object = |element: &Value<'_>| {
        get(*element, &best.steps).is_some_and(|value| value.kind() == NodeKind::Object)
    };
    let side = Side {
        text: place(&best.steps),
        has: of_element(&list.at, &best.steps),
        is_joined: best.is_joined,
        is_mixed: elements.iter().any(is_object),
        speaker: speaker.map_or(SpeakerOf::Unknown, SpeakerOf::Known),
    };
    let guess = Guess { sides: vec![side], beside: beside_it, ..Guess::new(list, score) };
    Some((guess, list))
}

/// Returns the texts of a user and of a system in the same elements, in their order there.
fn pair<'t>(texts: &'t [Text], elements: &[Value<'_>]) -> Option<[(Role, &'t Text); 2]> {
    let of = |role: Role| {
        let own = texts.iter();
        best(own.filter(move |text| role_of(&text.name) == Some(role)))
    };
    let system = of(Role::System)?;
    // `transcript` beside `system_transcript` is the user's.
    let rest = || {
        let other = texts.iter().filter(|text| role_of(&text.name).is_none());
        other
            .filter(|text| !text.name.is_empty() && system.name.ends_with(&text.name))
            .max_by_key(|text| text.weight)
    };
    let user = of(Role::User).or_else(rest)?;
    let both = [(Role::User, user), (Role::System, system)];
    let [first, second] = both;
    let order = elements.iter().find_map(|element| {
        let both = position(*element, &user.steps).zip(position(*element, &system.steps));
        both.map(|(user, system)| user <= system)
    });
    Some(if order == Some(false) { [second, first] } else { both })
}

/// Returns the turns of a user in one list, and those of a system beside it.
fn two_lists<'a, 'l>(list: &'l List<'a>, all: &[List<'a>]) -> Option<(Guess, &'l List<'a>)> {
    if role_of(list.name()) != Some(Role::User) || list.is_in_elements() {
        return None;
    }
    let is_other =
        |other: &&List<'a>| role_of(other.name()) == Some(Role::System) && list.is_parallel(other);
    let other = all.iter().find(is_other)?;
    let (own, others) = (texts_of(&list.elements()), texts_of(&other.elements()));
    let own = best(own.iter())?;
    let same = others.iter().find(|text| text.steps == own.steps);
    let system = same.or_else(|| best(others.iter()))?;
    let member = Step::Member(other.name().to_owned());
    let inside = [&[member, Step::SamePosition], system.steps.as_slice()].concat();
    let side = |role, text: String, at: &List<'_>, of: &Text| Side {
        text,
        has: of_element(&at.at, &of.steps),
        is_joined: of.is_joined,
        is_mixed: false,
        speaker: SpeakerOf::Role(role),
    };
    let length = own.length + system.length;
    let guess = Guess {
        sides: vec![
            side(Role::User, place(&own.steps), list, own),
            side(Role::System, format!("^.{}", place(&inside)), other, system),
        ],
        beside: vec![other.name().to_owned()],
        ..Guess::new(list, score(length, true, true, list))
    };
    Some((guess, list))
}

impl Guess {
    fn new(list: &List<'_>, score: usize) -> Self {
        Self {
            at: list.at.clone(),
            sides: Vec::new(),
            beside: Vec::new(),
            spans: Vec::new(),
            others: Vec::new(),
            score,
        }
    }

    fn find_others(&mut self, elements: &[Value<'_>]) {
        // The first names of places.
        let first = |place: &str| {
            let end = place.find(['.', '[', '{']).unwrap_or(place.len());
            place[..end].trim_matches('"').to_owned()
        };
        let mut used: Vec<_> = self.sides.iter().map(|side| first(&side.text)).collect();
        for side in &self.sides {
            if let SpeakerOf::Known(speaker) = &side.speaker {
                used.push(first(&speaker.place));
            }
        }
        used.extend(self.spans.iter().map(|span| first(&span.at)));
        for (key, value) in elements.iter().flat_map(|turn| turn.members()) {
            let name = key.as_str().unwrap_or_default().into_owned();
            let is_new =
                !used.contains(&name) && self.others.iter().all(|(known, _)| *known != name);
            if is_new && !matches!(value.raw(), "[]" | "{}" | "\"\"" | "null") {
                let line: String = value.raw().split_whitespace().collect::<Vec<_>>().join(" ");
                let short: String = line.chars().take(90).collect();
                self.others.push((name, short));
            }
        }
    }
}

/// Returns the place with the most text of those that a guess does not read, if it has more than the places
/// that the guess reads, and these do not have most of the text; with their share, in percent.
///
/// The values are dialogs or, if `are_lists`, objects whose members are lists of dialogs.
pub fn elsewhere(guess: &Guess, values: &[Value<'_>], are_lists: bool) -> Option<(String, usize)> {
    let mut lengths = BTreeMap::new();
    for value in values {
        count(*value, &mut Vec::new(), &mut lengths);
    }
    let in_any_position = |side: &Side| {
        let steps = side.has.parse::<Place>().ok()?.steps.into_iter();
        let list = are_lists.then_some(Step::Elements).into_iter();
        let all = list.chain(steps).map(|step| match step {
            Step::Position(_) => Step::Elements,
            other => other,
        });
        Some((place(&all.collect::<Vec<_>>()), side.is_joined))
    };
    let own: BTreeMap<_, _> = guess.sides.iter().filter_map(in_any_position).collect();
    let (mut read, mut all, mut most) = (0, 0, (0, None));
    for (place, length) in &lengths {
        let inside = &length.steps[usize::from(are_lists && !length.steps.is_empty())..];
        match own.get(&self::place(inside)) {
            Some(true) => (read, all) = (read + length.all, all + length.all),
            Some(false) => (read, all) = (read + length.said, all + length.said),
            None => {
                all += length.said;
                if length.said > most.0 {
                    most = (length.said, Some(place));
                }
            }
        }
    }
    // In other columns of a table there is less that is not read, as in notes about dialogs.
    let is_less = 2 * read < all && read < most.0 || are_lists && 3 * read < 2 * all;
    most.1.filter(|_| is_less).map(|place| (place.clone(), 100 * read / all))
}

/// The length of the texts of a place, and of those that are utterances.
struct Lengths {
    steps: Vec<Step>,
    all: usize,
    said: usize,
}

/// How deep to count texts, in steps.
const DEEPEST: usize = 12;

/// Adds the lengths of the texts in `value` to those of their places.
fn count(value: Value<'_>, at: &mut Vec<Step>, lengths: &mut BTreeMap<String, Lengths>) {
    if let Some(text) = value.as_str() {
        let known = lengths.entry(place(at)).or_insert_with(|| Lengths {
            steps: at.clone(),
            all: 0,
            said: 0,
        });
        known.all += text.len();
        known.said += if is_utterance(&text) { text.len() } else { 0 };
        return;
    }
    if at.len() == DEEPEST {
        return;
    }
    at.push(Step::Elements);
    for element in value.elements() {
        count(element, at, lengths);
    }
    at.pop();
    for (key, member) in value.members() {
        at.push(Step::Member(key.as_str().unwrap_or_default().into_owned()));
        count(member, at, lengths);
        at.pop();
    }
}

/// Why no turns were found.
pub fn no_turns(dialogs: &[Value<'_>]) -> String {
    if let Some(key) = dialogs.first().and_then(|dialog| one_text(*dialog)) {
        return format!(
            "`{key}` holds a dialog as one text; turnwise reads dialogs whose turns are separate values"
        );
    }
    // Of several values, each may be a turn.
    if dialogs.len() > 1 && !texts_of(dialogs).is_empty() {
        return "nothing in its elements looks like a list of turns, and nothing shows who speaks in them; if each element \
                is a turn, `dialogs = \".\"` with `at = \"[*]\"` in `[turn]` reads them as one dialog"
            .to_owned();
    }
    "nothing in it looks like a list of turns".to_owned()
}

/// Returns the member of `value` that holds a whole dialog as one text, or a list of such texts, if there is nothing
/// that looks like a list of turns.
pub fn one_text(value: Value<'_>) -> Option<String> {
    // Texts that are dialogs themselves are not turns.
    let are_dialogs = |list: Value<'_>| {
        let mut texts = list.elements().map(Value::as_str);
        let mut is_one = || texts.next().flatten().is_some_and(|text| is_dialog(&text));
        is_one() && is_one()
    };
    let lists = value.members().find(|(_, member)| are_dialogs(*member));
    if let Some((key, _)) = lists {
        return Some(key.as_str().unwrap_or_default().into_owned());
    }
    if guess(&[value]).is_some() {
        return None;
    }
    let is_dialog = |value: Value<'_>| {
        let text = value.as_str().or_else(|| value.elements().next()?.as_str());
        text.is_some_and(|text| is_dialog(&text))
    };
    let mut members = value.members();
    let found = members.find(|(_, member)| is_dialog(*member));
    found.map(|(key, _)| key.as_str().unwrap_or_default().into_owned())
}
