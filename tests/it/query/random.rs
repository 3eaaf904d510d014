//! Random queries find what plain loops find, in own dialogs and real ones.

use std::fs;
use std::path::PathBuf;

use turnwise::dialog::Dialog;
use turnwise::query::{Prefilter, Query, Target};

use super::expected::*;
use crate::support::amount;
use crate::support::files::{neighbours, open, own_files, real_files, spread};
use crate::support::random::Random;

/// A dialog, and its text in the file.
type Read = (Dialog, String);

/// A query, as the loops below understand it.
#[derive(Clone, Debug)]
enum Wish {
    /// A text, and the kind of texts that have it.
    Text(String, Option<&'static str>),
    Member(Source, String, Test),
    Label(String),
    Api(String),
    User,
    Words(&'static str, usize),
    Both(Box<Wish>, Box<Wish>),
    Either(Box<Wish>, Box<Wish>),
    Not(Box<Wish>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Argument,
    Response,
    Slot,
    State,
    Field,
}

#[derive(Clone, Debug)]
enum Test {
    Exists,
    Equal(String),
    Unequal(String),
    Number(&'static str, f64),
}

const KINDS: [&str; 5] = ["utterance", "argument", "answer", "instructions", "comment"];
const SIGNS: [&str; 4] = ["<", "<=", ">", ">="];

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

impl Wish {
    /// As users type it.
    fn typed(&self) -> String {
        match self {
            Self::Text(text, None) => quoted(text),
            Self::Text(text, Some(kind)) => format!("(in:{kind} {})", quoted(text)),
            Self::Member(source, name, test) => {
                let key = match source {
                    Source::Argument => "arg",
                    Source::Response => "response",
                    Source::Slot => "slot",
                    Source::State => "state",
                    Source::Field => "field",
                };
                let test = match test {
                    Test::Exists => String::new(),
                    Test::Equal(value) => format!("={}", quoted(value)),
                    Test::Unequal(value) => format!("!={}", quoted(value)),
                    Test::Number(sign, number) => format!("{sign}{number}"),
                };
                format!("{key}:{}{test}", quoted(name))
            }
            Self::Label(name) => format!("label:{}", quoted(name)),
            Self::Api(name) => format!("api:{}", quoted(name)),
            Self::User => "speaker:user".to_owned(),
            Self::Words(sign, number) => format!("words{sign}{number}"),
            Self::Both(one, other) => format!("({} {})", one.typed(), other.typed()),
            Self::Either(one, other) => format!("({} or {})", one.typed(), other.typed()),
            Self::Not(one) => format!("not {}", one.typed()),
        }
    }

    /// For each turn, whether it should be found.
    fn finds(&self, dialog: &Dialog) -> Vec<bool> {
        let each = |is_found: &dyn Fn(usize) -> bool| {
            (0..dialog.turns.len()).map(is_found).collect::<Vec<_>>()
        };
        let pairs = |one: &Self, other: &Self| {
            let (one, other) = (one.finds(dialog), other.finds(dialog));
            one.into_iter().zip(other).collect::<Vec<_>>()
        };
        match self {
            Self::Text(part, kind) => each(&|turn| {
                let exact = part.chars().any(char::is_uppercase);
                texts(dialog, turn).iter().any(|(of, text)| {
                    let is_in = if exact {
                        text.contains(part.as_str())
                    } else {
                        has(text, part)
                    };
                    is_in && kind.is_none_or(|kind| kind == *of)
                })
            }),
            Self::Member(Source::Field, name, test) => fields_found(dialog, name, test),
            Self::Member(source, name, test) => each(&|number| {
                let turn = &dialog.turns[number];
                let members = match source {
                    Source::Argument => arguments(turn),
                    Source::Response => responses(turn),
                    Source::Slot => vec![slots(turn)],
                    Source::State | Source::Field => vec![states(turn)],
                };
                let plain = *source == Source::Response && has_plain_answer(dialog, number, name);
                let mut values = members.iter().flat_map(|members| meant(members, name));
                values.any(|value| test.is_met(value)) || plain && matches!(test, Test::Exists)
            }),
            Self::Label(name) => each(&|turn| labelled(&dialog.turns[turn], name)),
            Self::Api(name) => each(&|turn| {
                let mut calls = dialog.turns[turn].calls.iter();
                calls.any(|call| has(&call.name, name))
            }),
            Self::User => each(&|turn| by_user(&dialog.turns[turn])),
            Self::Words(sign, number) => {
                each(&|turn| compares(sign, words(&dialog.turns[turn]) as f64, *number as f64))
            }
            Self::Both(one, other) => pairs(one, other).iter().map(|(a, b)| *a && *b).collect(),
            Self::Either(one, other) => pairs(one, other).iter().map(|(a, b)| *a || *b).collect(),
            Self::Not(one) => one.finds(dialog).iter().map(|found| !found).collect(),
        }
    }

    /// True if it is about members, arguments, answers or numbers.
    fn is_about_values(&self) -> bool {
        match self {
            Self::Text(_, kind) => kind.is_some(),
            Self::Member(..) | Self::Words(..) => true,
            Self::Label(_) | Self::Api(_) | Self::User => false,
            Self::Both(one, other) | Self::Either(one, other) => {
                one.is_about_values() || other.is_about_values()
            }
            Self::Not(one) => one.is_about_values(),
        }
    }
}

fn compares(sign: &str, value: f64, number: f64) -> bool {
    match sign {
        "<" => value < number,
        "<=" => value <= number,
        ">" => value > number,
        _ => value >= number,
    }
}

/// The number that a value is or looks like.
fn number_of(value: &str) -> Option<f64> {
    let number: serde_json::Number = serde_json::from_str(value.trim()).ok()?;
    number.as_f64()
}

impl Test {
    /// Whether a value meets it; None is the value of an object or a list.
    fn is_met(&self, value: Option<&str>) -> bool {
        let is = |wanted: &str, value: &str| {
            let same = if wanted.chars().any(char::is_uppercase) {
                wanted == value
            } else {
                wanted == value.to_lowercase()
            };
            // Zero has no sign.
            let number = |value| number_of(value).map(|number| number + 0.0);
            let numbers = number(wanted).zip(number(value));
            same || numbers.is_some_and(|(wanted, value)| wanted.total_cmp(&value).is_eq())
        };
        match (self, value) {
            (Self::Exists, _) => true,
            (_, None) => false,
            (Self::Equal(wanted), Some(value)) => is(wanted, value),
            (Self::Unequal(wanted), Some(value)) => !is(wanted, value),
            (Self::Number(sign, number), Some(value)) => {
                number_of(value).is_some_and(|value| compares(sign, value, *number))
            }
        }
    }
}

/// True if an answer that is neither an object nor a list contains a text.
fn has_plain_answer(dialog: &Dialog, turn: usize, part: &str) -> bool {
    let calls = dialog.turns[turn].calls.iter();
    let mut answers = calls.filter_map(|call| call.response.as_ref()?.text());
    answers.any(|text| {
        let value = serde_json::from_str::<serde_json::Value>(text);
        !value.is_ok_and(|value| value.is_object() || value.is_array()) && has(text, part)
    })
}

/// The turns that have a field, or whose dialog has it: that with the closest name in the whole dialog.
fn fields_found(dialog: &Dialog, name: &str, test: &Test) -> Vec<bool> {
    let whole = fields(&dialog.fields);
    let each: Vec<_> = dialog
        .turns
        .iter()
        .map(|turn| fields(&turn.fields))
        .collect();
    let all = each.iter().flatten().chain(&whole);
    let closest = all.filter_map(|(path, _)| closeness(name, path)).min();
    let is_found = |members: &[Member]| {
        members.iter().any(|(path, value)| {
            closeness(name, path).is_some()
                && closeness(name, path) == closest
                && test.is_met(value.as_deref())
        })
    };
    each.iter()
        .map(|own| is_found(own) || is_found(&whole))
        .collect()
}

/// Makes queries that ask for something in a dialog.
struct Maker<'r> {
    random: &'r mut Random,
    dialog: &'r Dialog,
}

impl Maker<'_> {
    fn turn(&mut self) -> usize {
        self.random.position(self.dialog.turns.len())
    }

    /// A part of a text that somebody reads; None if there is none that all compare alike.
    fn text(&mut self) -> Option<Wish> {
        let turn = self.turn();
        let all = texts(self.dialog, turn);
        let (kind, text) = all[self.random.position(all.len())].clone();
        let chars: Vec<char> = text.chars().collect();
        let start = self.random.position(chars.len());
        let length = 2 + self.random.position(12);
        let part: String = chars.iter().skip(start).take(length).collect();
        let part = match self.random.below(4) {
            0 => part,
            _ => part.to_lowercase(),
        };
        let kind = match self.random.below(4) {
            0 => None,
            1 => Some(self.random.one_of(&KINDS)),
            _ => Some(kind),
        };
        (!part.trim().is_empty() && is_alike(&part)).then_some(Wish::Text(part, kind))
    }

    fn member(&mut self) -> Option<Wish> {
        let turn = self.turn();
        let turn = &self.dialog.turns[turn];
        let (source, members) = match self.random.below(6) {
            0 => (Source::Argument, arguments(turn).concat()),
            1 => (Source::Response, responses(turn).concat()),
            2 => (Source::Slot, slots(turn)),
            3 => (Source::State, states(turn)),
            4 => (Source::Field, fields(&turn.fields)),
            _ => (Source::Field, fields(&self.dialog.fields)),
        };
        if members.is_empty() {
            return None;
        }
        let (path, value) = members[self.random.position(members.len())].clone();
        let name = match self.random.below(3) {
            0 => path,
            1 => path
                .rsplit(['.', '-'])
                .next()
                .unwrap_or_default()
                .to_owned(),
            _ => path
                .split(['.', '-', '_'])
                .next()
                .unwrap_or_default()
                .to_owned(),
        };
        let name = name.to_lowercase();
        let value = value.filter(|value| {
            value.len() < 60 && !value.is_empty() && is_alike(value) && !value.contains(['*', '?'])
        });
        let test = match (value, self.random.below(5)) {
            (None, _) | (_, 0) => Test::Exists,
            (Some(value), kind) => match number_of(&value) {
                Some(number) if value.len() < 16 => match kind {
                    1 => Test::Equal(value),
                    // The same number in another spelling.
                    2 => Test::Equal(format!("{number:e}")),
                    3 => Test::Unequal(format!("{number:.2}")),
                    _ => Test::Number(self.random.one_of(&SIGNS), number),
                },
                Some(_) => Test::Exists,
                None if kind < 4 => Test::Equal(value.to_lowercase()),
                None => Test::Unequal(value.to_lowercase()),
            },
        };
        let is_name = !name.trim().is_empty() && !name.contains(['*', '?']) && is_alike(&name);
        is_name.then_some(Wish::Member(source, name, test))
    }

    fn other(&mut self) -> Option<Wish> {
        let turn = self.turn();
        let turn = &self.dialog.turns[turn];
        match self.random.below(4) {
            0 => {
                let label = turn.segments.first()?.labels.first()?;
                Some(Wish::Label(label.name.to_lowercase().to_string()))
                    .filter(|_| is_alike(&label.name))
            }
            1 => {
                let call = turn.calls.first()?;
                Some(Wish::Api(call.name.to_lowercase().to_string()))
                    .filter(|_| !call.name.is_empty())
            }
            2 => Some(Wish::User),
            _ => Some(Wish::Words(self.random.one_of(&SIGNS), words(turn))),
        }
    }

    fn wish(&mut self, deep: usize) -> Wish {
        loop {
            let part = |maker: &mut Self| Box::new(maker.wish(deep - 1));
            let wish = match self.random.below(if deep > 0 { 10 } else { 7 }) {
                0 | 1 => self.text(),
                2..=5 => self.member(),
                6 => self.other(),
                7 => Some(Wish::Both(part(self), part(self))),
                8 => Some(Wish::Either(part(self), part(self))),
                _ => Some(Wish::Not(part(self))),
            };
            if let Some(wish) = wish {
                return wish;
            }
        }
    }
}

/// True if all ways to ignore case agree about a text.
fn is_alike(text: &str) -> bool {
    let has_case = |c: &char| c.is_uppercase() || c.is_lowercase();
    text.chars().filter(has_case).all(|c| c.is_ascii())
}

/// Some dialogs with turns of each file.
fn dialogs(files: Vec<PathBuf>, of_each: usize) -> Vec<Read> {
    let mut all = Vec::new();
    for path in files {
        let file = open(fs::read(&path).unwrap());
        if file.format().is_none() {
            continue;
        }
        let positions = (0..file.index().pieces.len()).collect();
        for position in spread(positions, of_each) {
            if let Ok(Some((dialog, _))) = file.dialog(position)
                && !dialog.turns.is_empty()
            {
                all.push((dialog, file.text(position).unwrap().clone()));
            }
        }
    }
    all
}

#[test]
fn many_random_queries_find_what_plain_loops_find_in_real_corpora() {
    let (few, real) = (6, 4);
    let mut all = dialogs(own_files(), few);
    let corpora = real_files("random queries").into_iter();
    let corpora = corpora
        .chain(neighbours("random queries"))
        .flatten()
        .collect();
    all.extend(dialogs(spread(corpora, amount(40, 200)), real));
    let mut random = Random(35);
    let (mut about_values, mut found) = (0, 0);
    let count = amount(100, 500);
    for number in 0..count {
        let (dialog, _) = &all[random.position(all.len())];
        let random = &mut random;
        let wish = Maker { random, dialog }.wish(2);
        let typed = wish.typed();
        let query: Query = typed.parse().unwrap_or_else(|e| panic!("{typed}: {e}"));
        let filter = Prefilter::new(&query);
        about_values += usize::from(wish.is_about_values());

        for (dialog, text) in &all {
            let target = Target::new(dialog, &[]);
            let expected = wish.finds(dialog);
            let place = || format!("{number}: {typed} in {}", dialog.id);
            assert_eq!(query.matches(&target), expected, "{}", place());
            let hits = query.hits(&target);
            assert!(hits.iter().all(|hit| expected[hit.turn]), "{}", place());
            assert_eq!(hits.is_empty(), !expected.contains(&true), "{}", place());
            let may_hit = || filter.may_hit(text.as_bytes());
            assert!(hits.is_empty() || may_hit(), "{}", place());
            found += hits.len();
        }
    }
    assert!(about_values * 5 >= count * 2, "{about_values}");
    assert!(found > count, "{found}");
}
