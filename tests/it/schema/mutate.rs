//! Dialogs broken in small ways, most of them as real tools break them.

use std::fmt::Write as _;
use std::path::PathBuf;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use turnwise::format::Family;

use crate::support::check::family;
use crate::support::files::{open_path, spread, without_key};
use crate::support::style::Style;
use crate::support::value::{Json, mended};

/// Values at the limits of what readers accept, as they are written.
const VALUES: &str = r#"null|true|false|{}|[]|[null]|[{}]|{"a":1}|["a", 1]|["a"]|[[]]
0|-0|-0.0|-1|3.0|3.5|1e2|1e-1|1|1.0|1.0000001|1e10|1e300|-1e300
4294967295|4294967295.0|4294967296|9007199254740993|18446744073709551616
""|"29"|"029"|"123456789"|"1234567890"|"٣"|"3\n"|"-1"|"+1"|" 1"|"1.0"
"O"|"T"|"X"|"o"|"O "|"\u004f"|"user""#;

/// One thing done to one place, both counted round.
#[derive(Clone, Debug)]
struct Mutation {
    place: usize,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Replace(usize),
    RemoveMember(usize),
    AddMember,
    /// The same key again, with another value, before or after.
    RepeatMember(usize, usize, bool),
    Empty,
    ReplaceElement(usize, usize),
    AddElement(usize),
    /// The key of a member with its first letter escaped, which changes nothing.
    EscapeKey(usize),
}

impl Arbitrary for Mutation {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> BoxedStrategy<Self> {
        let any = any::<usize>;
        let what = prop_oneof![
            4 => any().prop_map(What::Replace),
            2 => any().prop_map(What::RemoveMember),
            1 => Just(What::AddMember),
            1 => (any(), any(), proptest::bool::ANY)
                .prop_map(|(member, value, before)| What::RepeatMember(member, value, before)),
            1 => Just(What::Empty),
            1 => (any(), any()).prop_map(|(at, value)| What::ReplaceElement(at, value)),
            1 => any().prop_map(What::AddElement),
            1 => any().prop_map(What::EscapeKey),
        ];
        let mutation = |(place, what)| Self { place, what };
        (any(), what).prop_map(mutation).boxed()
    }
}

/// Marks a key to write with an escape.
const ESCAPED: char = '\u{e000}';

/// The most dialogs of a family that are broken.
const DIALOGS: usize = 30;

/// Short versions of some dialogs of the family in `files`.
pub fn short_dialogs(format: &'static Family, files: &[PathBuf]) -> Vec<Json> {
    let mut dialogs = Vec::new();
    for file in files.iter().filter_map(|path| open_path(path)) {
        if file.index().pieces.is_empty() || family(&file) != format.name() {
            continue;
        }
        for position in spread((0..file.index().pieces.len()).collect(), 4) {
            let text = mended(without_key(&file.text(position).unwrap()));
            dialogs.push(shortened(&Json::parse(&text).unwrap()));
        }
    }
    assert!(!dialogs.is_empty(), "no dialogs of {format:?}");
    spread(dialogs, DIALOGS)
}

/// Looks at the texts of `cases` dialogs, each broken in up to `most` places.
pub fn each_mutated(dialogs: &[Json], cases: u32, most: usize, look: impl Fn(&str)) {
    let mut runner =
        TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let choice = (0..dialogs.len(), proptest::collection::vec(any::<Mutation>(), 1..=most));
    let outcome = runner.run(&choice, |(dialog, mutations)| {
        look(&mutated(&dialogs[dialog], &mutations));
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// The text of `dialog` after `mutations`.
fn mutated(dialog: &Json, mutations: &[Mutation]) -> String {
    let mut json = dialog.clone();
    for mutation in mutations {
        let count = places(&json);
        let mut left = mutation.place % count;
        if let Some(place) = nth(&mut json, &mut left) {
            change(place, mutation.what);
        }
    }
    let text = Style { indent: None, ..Style::plain() }.render(&json);
    with_escapes(&text)
}

/// Writes the letter behind each mark as an escape.
fn with_escapes(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match (char, chars.clone().next()) {
            (ESCAPED, Some(letter)) if letter.is_ascii_alphabetic() => {
                chars.next();
                let _ = write!(out, "\\u{:04x}", letter as u32);
            }
            (ESCAPED, _) => {}
            _ => out.push(char),
        }
    }
    out
}

fn places(json: &Json) -> usize {
    let inner = json.elements().iter().chain(json.members().iter().map(|(_, value)| value));
    1 + inner.map(places).sum::<usize>()
}

fn nth<'a>(json: &'a mut Json, left: &mut usize) -> Option<&'a mut Json> {
    if *left == 0 {
        return Some(json);
    }
    *left -= 1;
    match json {
        Json::Array(elements) => elements.iter_mut().find_map(|value| nth(value, left)),
        Json::Object(members) => members.iter_mut().find_map(|(_, value)| nth(value, left)),
        _ => None,
    }
}

fn value(choice: usize) -> Json {
    let values: Vec<&str> = VALUES.split(['|', '\n']).collect();
    Json::parse(values[choice % values.len()]).expect("JSON")
}

/// Applies `what` to `place`; if it does not fit, replaces the place or does nothing.
fn change(place: &mut Json, what: What) {
    match (what, &mut *place) {
        (What::Replace(choice), _) => *place = value(choice),
        (What::Empty, Json::Array(elements)) => elements.clear(),
        (What::Empty, Json::Object(members)) => members.clear(),
        (What::ReplaceElement(at, choice), Json::Array(elements)) if !elements.is_empty() => {
            let at = at % elements.len();
            elements[at] = value(choice);
        }
        (What::AddElement(choice), Json::Array(elements)) => elements.push(value(choice)),
        (What::AddMember, Json::Object(members)) => {
            members.push(("unheard-of".to_owned(), value(members.len())));
        }
        (what, Json::Object(members)) if !members.is_empty() => change_member(members, what),
        (What::RemoveMember(choice) | What::RepeatMember(_, choice, _), _) => {
            *place = value(choice);
        }
        _ => {}
    }
}

fn change_member(members: &mut Vec<(String, Json)>, what: What) {
    let count = members.len();
    match what {
        What::RemoveMember(at) => {
            members.remove(at % count);
        }
        What::RepeatMember(at, choice, before) => {
            let again = (members[at % count].0.clone(), value(choice));
            members.insert(if before { 0 } else { count }, again);
        }
        What::EscapeKey(at) => members[at % count].0.insert(0, ESCAPED),
        What::ReplaceElement(at, choice) => members[at % count].1 = value(choice),
        _ => {}
    }
}

/// Elements kept of a list.
const KEPT: usize = 4;

/// `json` with no more than a few elements in each list.
fn shortened(json: &Json) -> Json {
    match json {
        Json::Array(elements) => {
            // Those that hold most, so that every kind of member stays.
            let mut kept: Vec<&Json> = elements.iter().collect();
            kept.sort_by_key(|element| std::cmp::Reverse(places(element).min(60)));
            kept.truncate(KEPT);
            Json::Array(kept.into_iter().map(shortened).collect())
        }
        Json::Object(members) => {
            let member = |(key, value): &(String, Json)| (key.clone(), shortened(value));
            Json::Object(members.iter().map(member).collect())
        }
        other => other.clone(),
    }
}
