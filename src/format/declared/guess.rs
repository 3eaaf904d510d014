//! Guesses where a dialog of an unknown format has its turns, texts, speakers and spans.

use std::collections::{BTreeMap, HashSet};

use crate::json::{NodeKind, Value};

/// The parts that dialogs seem to have.
pub struct Guess<'a> {
    /// The members on the way to the array of turns.
    pub at: Vec<String>,
    pub turns: Turns,
    /// The names of speakers, the most frequent first.
    pub speakers: Vec<String>,
    pub spans: Vec<SpanGuess>,
    /// Other members of turns, each with an example.
    pub others: Vec<(String, String)>,
    elements: Vec<Value<'a>>,
}

/// The form of turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turns {
    Objects {
        text: Vec<String>,
        speaker: Option<Vec<String>>,
    },
    Strings,
    /// Arrays with a text and a speaker at these positions.
    Pairs {
        text: usize,
        speaker: usize,
    },
}

/// Members of a turn that look like spans.
pub struct SpanGuess {
    pub at: Vec<String>,
    pub start: String,
    pub end: String,
    pub ends: &'static str,
    /// True if a quote shows what the end means.
    pub is_known: bool,
    pub label: Option<String>,
    pub quote: Option<String>,
}

/// How deep to look, in members.
const DEPTH: usize = 3;

/// A path as a place.
pub fn path_text(path: &[String]) -> String {
    let name = |name: &String| {
        let is_odd = name.contains(['.', '[', ']', '{', '}', '^', '@']);
        if is_odd {
            format!("\"{name}\"")
        } else {
            name.clone()
        }
    };
    path.iter().map(name).collect::<Vec<_>>().join(".")
}

/// The parts that most of `dialogs` seem to have; None if nothing looks like a list of turns.
pub fn guess<'a>(dialogs: &[Value<'a>]) -> Option<Guess<'a>> {
    let mut best: Option<(usize, Vec<String>, Turns)> = None;
    for dialog in dialogs.iter().take(3) {
        lists(*dialog, &mut Vec::new(), &mut |path, list| {
            if let Some((score, turns)) = turns_of(list)
                && best.as_ref().is_none_or(|(most, ..)| score > *most)
            {
                best = Some((score, path.to_vec(), turns));
            }
        });
    }
    let (_, at, mut turns) = best?;
    let lists = dialogs.iter().filter_map(|dialog| get(*dialog, &at));
    let elements: Vec<_> = lists.flat_map(Value::elements).collect();
    let mut speakers = Vec::new();
    match &mut turns {
        Turns::Objects { text, speaker } => {
            if let Some((path, names)) = speaker_of(&elements, text) {
                (*speaker, speakers) = (Some(path), names);
            }
        }
        Turns::Pairs { speaker, .. } => {
            let names = elements
                .iter()
                .filter_map(|e| e.elements().nth(*speaker)?.as_str());
            speakers = by_count(names.map(std::borrow::Cow::into_owned));
        }
        Turns::Strings => {}
    }
    let mut guess = Guess {
        at,
        turns,
        speakers,
        spans: Vec::new(),
        others: Vec::new(),
        elements,
    };
    guess.find_spans();
    guess.find_others();
    Some(guess)
}

/// Why no turns were found.
pub fn no_turns(dialogs: &[Value<'_>]) -> String {
    match dialogs.first().and_then(|dialog| one_text(*dialog)) {
        Some(key) => format!(
            "`{key}` holds a dialog as one text; turnwise reads dialogs whose turns are separate values"
        ),
        None => "nothing in it looks like a list of turns".to_owned(),
    }
}

/// The member of `value` that holds a whole dialog as one text, or a list of such texts, if there is nothing
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

/// True for a text of several turns, each on a line with its speaker.
fn is_dialog(text: &str) -> bool {
    let is_turn = |line: &&str| {
        let speaker = line.split_once(": ").map(|(speaker, _)| speaker.trim());
        speaker.is_some_and(|s| (1..=24).contains(&s.len()) && s.split(' ').count() <= 3)
    };
    text.lines().filter(is_turn).count() >= 2
}

fn get<'a>(value: Value<'a>, path: &[String]) -> Option<Value<'a>> {
    path.iter().try_fold(value, |value, name| value.get(name))
}

/// Calls `visit` with every array in `value`, down to some depth.
fn lists<'a>(
    value: Value<'a>,
    path: &mut Vec<String>,
    visit: &mut dyn FnMut(&[String], Value<'a>),
) {
    for (key, member) in value.members() {
        path.push(key.as_str().unwrap_or_default().into_owned());
        match member.kind() {
            NodeKind::Array => visit(path, member),
            NodeKind::Object if path.len() < DEPTH => lists(member, path, visit),
            _ => {}
        }
        path.pop();
    }
}

/// True for an utterance, not a name.
fn is_utterance(text: &str) -> bool {
    text.chars().count() >= 8 && (text.contains(' ') || !text.is_ascii())
}

/// True for the path of a member whose name is usual for what was said.
fn is_text(path: &[String]) -> bool {
    let names = [
        "utt",
        "text",
        "transcript",
        "message",
        "content",
        "value",
        "turn",
        "sentence",
        "said",
    ];
    let last = path
        .last()
        .map(|name| name.to_lowercase())
        .unwrap_or_default();
    names.iter().any(|name| last.contains(name))
}

/// The form of turns in an array, with the number of characters that are utterances in it.
fn turns_of(list: Value<'_>) -> Option<(usize, Turns)> {
    let elements: Vec<_> = list.elements().take(50).collect();
    if elements.len() < 2 {
        return None;
    }
    let count = elements.len();
    let mut texts: BTreeMap<Vec<String>, (usize, usize)> = BTreeMap::new();
    let (mut strings, mut pairs) = ((0, 0), (0, 0));
    let mut different = HashSet::new();
    for element in &elements {
        match element.kind() {
            NodeKind::String => {
                let text = element.as_str().unwrap_or_default();
                if is_dialog(&text) {
                    return None;
                }
                strings = (
                    strings.0 + text.len(),
                    strings.1 + usize::from(is_utterance(&text)),
                );
                different.insert(text);
            }
            NodeKind::Array => {
                let mut parts = element.elements();
                let said = parts.nth(1).and_then(Value::as_str).unwrap_or_default();
                pairs = (
                    pairs.0 + said.len(),
                    pairs.1 + usize::from(is_utterance(&said)),
                );
            }
            _ => said_in(*element, &mut Vec::new(), &mut texts),
        }
    }
    // Many turns are short, such as "yes", and in a member that is called so, most may be.
    let is_most = |said: usize| said * 3 > count;
    let is_enough =
        |path: &[String], said: usize| is_most(said) || is_text(path) && said * 8 > count;
    let objects = texts
        .into_iter()
        .filter(|(path, (_, said))| is_enough(path, *said));
    let best =
        objects.max_by_key(|(path, (length, _))| length * (1 + 3 * usize::from(is_text(path))));
    if let Some((text, (length, _))) = best {
        let speaker = None;
        return Some((length, Turns::Objects { text, speaker }));
    }
    // A text that is repeated for every turn is not what was said.
    if is_most(strings.1) && different.len() * 2 > count {
        return Some((strings.0, Turns::Strings));
    }
    let speaker = Turns::Pairs {
        text: 1,
        speaker: 0,
    };
    is_most(pairs.1).then_some((pairs.0, speaker))
}

/// Adds the lengths of the strings in an object, and the number of those that are utterances.
fn said_in(
    object: Value<'_>,
    path: &mut Vec<String>,
    texts: &mut BTreeMap<Vec<String>, (usize, usize)>,
) {
    for (key, value) in object.members() {
        path.push(key.as_str().unwrap_or_default().into_owned());
        if let Some(text) = value.as_str() {
            let known = texts.entry(path.clone()).or_default();
            *known = (
                known.0 + text.len(),
                known.1 + usize::from(is_utterance(&text)),
            );
        } else if value.kind() == NodeKind::Object && path.len() < 2 {
            said_in(value, path, texts);
        }
        path.pop();
    }
}

fn by_count(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut names: Vec<_> = counts.into_iter().collect();
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    names.into_iter().map(|(name, _)| name).collect()
}

/// The member with the speaker of each turn, and the speakers' names.
fn speaker_of(elements: &[Value<'_>], text: &[String]) -> Option<(Vec<String>, Vec<String>)> {
    let first = elements.first()?;
    let names = [
        "speaker", "role", "from", "agent", "sender", "author", "who", "turn", "user", "side", "id",
    ];
    let mut best: Option<(usize, Vec<String>, Vec<String>)> = None;
    for (key, _) in first.members() {
        let path = vec![key.as_str().unwrap_or_default().into_owned()];
        if path == text {
            continue;
        }
        let values = elements.iter().filter_map(|e| get(*e, &path));
        let values: Vec<_> = values
            .filter(|v| v.as_str().is_some_and(|t| t.len() < 30) || v.as_integer().is_some())
            .map(|v| {
                v.as_str()
                    .map_or(v.raw().to_owned(), std::borrow::Cow::into_owned)
            })
            .collect();
        let (count, distinct) = (values.len(), by_count(values.into_iter()));
        if count * 10 < elements.len() * 9 || !(2..=8).contains(&distinct.len()) {
            continue;
        }
        let lower = path[0].to_lowercase();
        let Some(rank) = names.iter().position(|name| lower.contains(name)) else {
            continue;
        };
        if best.as_ref().is_none_or(|(most, ..)| rank < *most) {
            best = Some((rank, path, distinct));
        }
    }
    best.map(|(_, path, distinct)| (path, distinct))
}

fn has_part(name: &str, parts: &[&str]) -> bool {
    let name = name.to_lowercase();
    parts.iter().any(|part| name.contains(part))
}

/// True for the name of a user.
pub fn is_user(name: &str) -> bool {
    has_part(
        name,
        &[
            "user",
            "usr",
            "customer",
            "human",
            "apprentice",
            "client",
            "driver",
            "caller",
        ],
    ) && !has_part(name, &["guide"])
        || name.eq_ignore_ascii_case("u")
}

/// True for the name of a system.
pub fn is_system(name: &str) -> bool {
    has_part(
        name,
        &[
            "sys",
            "assistant",
            "agent",
            "wizard",
            "bot",
            "gpt",
            "operator",
        ],
    ) || name.eq_ignore_ascii_case("s")
}

impl Guess<'_> {
    fn text_of(&self, turn: Value<'_>) -> String {
        let text = match &self.turns {
            Turns::Objects { text, .. } => get(turn, text),
            Turns::Strings => Some(turn),
            Turns::Pairs { text, .. } => turn.elements().nth(*text),
        };
        text.and_then(Value::as_str)
            .unwrap_or_default()
            .into_owned()
    }

    fn find_spans(&mut self) {
        let mut found: BTreeMap<Vec<String>, SpanGuess> = BTreeMap::new();
        for turn in self.elements.iter().take(200) {
            let text = self.text_of(*turn);
            lists(*turn, &mut Vec::new(), &mut |path, list| {
                for element in list.elements() {
                    let Some(span) = span_of(path, element, &text) else {
                        continue;
                    };
                    match found.get(path) {
                        Some(known) if known.is_known || !span.is_known => {}
                        _ => {
                            found.insert(path.to_vec(), span);
                        }
                    }
                }
            });
        }
        self.spans = found.into_values().collect();
    }

    fn find_others(&mut self) {
        let used: Vec<String> = match &self.turns {
            Turns::Objects { text, speaker } => {
                let speaker = speaker.iter().map(|path| path[0].clone());
                speaker.chain([text[0].clone()]).collect()
            }
            _ => Vec::new(),
        };
        let spans: Vec<_> = self.spans.iter().map(|span| span.at[0].clone()).collect();
        for (key, value) in self
            .elements
            .iter()
            .take(200)
            .flat_map(|turn| turn.members())
        {
            let name = key.as_str().unwrap_or_default().into_owned();
            let is_new = !used.contains(&name)
                && !spans.contains(&name)
                && self.others.iter().all(|(known, _)| *known != name);
            if is_new && !matches!(value.raw(), "[]" | "{}" | "\"\"" | "null") {
                let line: String = value.raw().split_whitespace().collect::<Vec<_>>().join(" ");
                let short: String = line.chars().take(90).collect();
                self.others.push((name, short));
            }
        }
    }
}

/// An object that looks like a span of `text`.
fn span_of(at: &[String], object: Value<'_>, text: &str) -> Option<SpanGuess> {
    let integer = |names: &[&str]| {
        let mut members = object.members();
        members.find_map(|(key, value)| {
            let name = key.as_str()?.into_owned();
            (value.as_integer().is_some() && has_part(&name, names))
                .then_some((name, value.as_integer()?))
        })
    };
    let (start, from) = integer(&["start", "begin", "from"])?;
    let (end, to) = integer(&["end", "stop", "length", "to"]).filter(|(end, _)| *end != start)?;
    let characters: Vec<char> = text.chars().collect();
    let slice = |from: i64, to: i64| -> Option<String> {
        let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
        Some(characters.get(from..to)?.iter().collect())
    };
    let mut guess = SpanGuess {
        at: at.to_vec(),
        ends: if has_part(&end, &["length"]) {
            "length"
        } else {
            "exclusive"
        },
        start,
        end,
        is_known: false,
        label: None,
        quote: None,
    };
    for (key, value) in object.members() {
        let (Some(name), Some(value)) = (key.as_str(), value.as_str()) else {
            continue;
        };
        let ways = [
            ("exclusive", slice(from, to)),
            ("inclusive", slice(from, to + 1)),
            ("length", slice(from, from + to)),
        ];
        let fits = ways
            .into_iter()
            .find(|(_, slice)| slice.as_deref() == Some(&*value));
        if let Some((ends, _)) = fits.filter(|_| !value.is_empty()) {
            (guess.ends, guess.is_known, guess.quote) = (ends, true, Some(name.into_owned()));
        } else if guess.label.is_none()
            || has_part(&name, &["label", "slot", "type", "tag", "entity", "name"])
        {
            guess.label = Some(name.into_owned());
        }
    }
    Some(guess)
}
