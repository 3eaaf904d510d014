//! Random queries find what plain loops find, in own dialogs and real ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use turnwise::dialog::{Answer, Dialog, Field, Judgement, Place, Turn};
use turnwise::query::{Prefilter, Query, Target};

use crate::query::expected::*;
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
    Tag(String),
    Note(String),
    By(String),
    Judged,
    Both(Box<Wish>, Box<Wish>),
    Either(Box<Wish>, Box<Wish>),
    Then(Box<Wish>, Box<Wish>),
    InDialog(Box<Wish>),
    Not(Box<Wish>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Argument,
    Response,
    Slot,
    State,
    Field,
    Question,
}

impl Source {
    fn key(self) -> &'static str {
        match self {
            Self::Argument => "arg",
            Self::Response => "result",
            Self::Slot => "slot",
            Self::State => "state",
            Self::Field => "field",
            Self::Question => "question",
        }
    }

    /// The members of each call of a turn, or of all of it; none of a source that is the whole dialog's, too.
    fn of_turn(self, turn: &Turn) -> Vec<Vec<Member>> {
        match self {
            Self::Argument => arguments(turn),
            Self::Response => responses(turn),
            Self::Slot => vec![slots(turn)],
            Self::State => vec![states(turn)],
            Self::Field | Self::Question => Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
enum Test {
    Exists,
    Equal(String),
    Unequal(String),
    Number(&'static str, f64),
    /// A comparison with a variable, and the value that it has.
    Variable(&'static str, &'static str, Option<String>),
}

const KINDS: [&str; 6] =
    ["utterance", "argument", "answer", "reasoning", "instructions", "comment"];
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
                let test = match test {
                    Test::Exists => String::new(),
                    Test::Equal(value) => format!("={}", quoted(value)),
                    Test::Unequal(value) => format!("!={}", quoted(value)),
                    Test::Number(sign, number) => format!("{sign}{number}"),
                    Test::Variable(sign, name, _) => format!("{sign}${name}"),
                };
                format!("{}:{}{test}", source.key(), quoted(name))
            }
            Self::Label(name) => format!("label:{}", quoted(name)),
            Self::Api(name) => format!("api:{}", quoted(name)),
            Self::User => "speaker:user".to_owned(),
            Self::Words(sign, number) => format!("words{sign}{number}"),
            Self::Tag(name) => format!("tag:{}", quoted(name)),
            Self::Note(text) => format!("note:{}", quoted(text)),
            Self::By(name) => format!("by:{}", quoted(name)),
            Self::Judged => "judged".to_owned(),
            Self::Both(one, other) => format!("({} {})", one.typed(), other.typed()),
            Self::Either(one, other) => format!("({} or {})", one.typed(), other.typed()),
            Self::Then(one, other) => format!("({} then {})", one.typed(), other.typed()),
            Self::InDialog(one) => format!("dialog({})", one.typed()),
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
                let notes = judgements(dialog, turn).into_iter();
                let notes = notes.map(|judgement| ("comment", judgement.note.clone()));
                let mut all = texts(dialog, turn).into_iter().chain(notes);
                all.any(|(of, text)| {
                    let is_in = if exact { text.contains(part.as_str()) } else { has(&text, part) };
                    is_in && kind.is_none_or(|kind| kind == of)
                })
            }),
            Self::Member(Source::Field, name, test) => {
                let of_turns = dialog.turns.iter().map(|turn| fields(&own_fields(turn)));
                members_found(&fields(&dialog.fields), &of_turns.collect::<Vec<_>>(), name, test)
            }
            Self::Member(Source::Question, name, test) => {
                let of_turns = (0..dialog.turns.len()).map(|turn| answers(dialog, turn));
                members_found(&[], &of_turns.collect::<Vec<_>>(), name, test)
            }
            Self::Member(source, name, test) => each(&|number| {
                let turn = &dialog.turns[number];
                let is_compared = matches!(test, Test::Variable(..));
                let members = match source {
                    Source::Slot if is_compared => vec![slots_with_values(turn)],
                    source => source.of_turn(turn),
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
            Self::Tag(name) => each(&|turn| tags(dialog, turn).iter().any(|tag| has(tag, name))),
            Self::Note(text) => {
                each(&|turn| said(dialog, turn).iter().any(|said| has(&said.note, text)))
            }
            Self::By(name) => {
                each(&|turn| said(dialog, turn).iter().any(|said| has(&said.by, name)))
            }
            Self::Judged => each(&|turn| {
                let mut votes = dialog.turns[turn].votes.iter();
                votes.any(|vote| vote.breakdown.is_some()) || !judgements(dialog, turn).is_empty()
            }),
            // What is asked side by side, one person said.
            Self::Both(one, other) if one.is_of_somebody() && other.is_of_somebody() => {
                let all = (0..dialog.turns.len()).flat_map(|turn| said(dialog, turn));
                let people: BTreeSet<_> = all.map(|said| said.by).collect();
                let found = people.iter().map(|person| {
                    let (one, other) = (one.said(dialog, person), other.said(dialog, person));
                    each(&|turn| one[turn] && other[turn])
                });
                let found: Vec<_> = found.collect();
                each(&|turn| found.iter().any(|of_one| of_one[turn]))
            }
            Self::Both(one, other) => pairs(one, other).iter().map(|(a, b)| *a && *b).collect(),
            Self::Either(one, other) => pairs(one, other).iter().map(|(a, b)| *a || *b).collect(),
            Self::Then(one, other) => {
                let (known, other) = (one.known(dialog), other.finds(dialog));
                each(&|turn| other[turn] && known[..turn].contains(&true))
            }
            Self::InDialog(one) => {
                let is_there = one.finds(dialog).contains(&true);
                each(&|_| is_there)
            }
            Self::Not(one) => one.finds(dialog).iter().map(|found| !found).collect(),
        }
    }

    /// For each turn, whether it is known from there on that an earlier one is found: answers may be in later turns.
    fn known(&self, dialog: &Dialog) -> Vec<bool> {
        let found = self.finds(dialog);
        if !self.typed().contains("result:") {
            return found;
        }
        let mut turns = vec![false; found.len()];
        for turn in (0..found.len()).filter(|turn| found[*turn]) {
            turns[answered_at(dialog, turn)] = true;
        }
        turns
    }

    /// True if it asks what somebody said.
    fn is_of_somebody(&self) -> bool {
        match self {
            Self::By(_) | Self::Tag(_) | Self::Note(_) | Self::Member(Source::Question, ..) => true,
            Self::Either(one, other) => one.is_of_somebody() || other.is_of_somebody(),
            _ => false,
        }
    }

    /// For each turn, whether it should be found if only this person's judgements are meant.
    fn said(&self, dialog: &Dialog, person: &str) -> Vec<bool> {
        let mut own = dialog.clone();
        own.judgements.retain(|judgement| judgement.by == person);
        for turn in &mut own.turns {
            turn.votes.retain(|vote| vote.annotator == person);
        }
        match self {
            Self::By(_) | Self::Tag(_) | Self::Note(_) => self.finds(&own),
            Self::Either(one, other) => {
                let (one, other) = (one.said(dialog, person), other.said(dialog, person));
                one.iter().zip(other).map(|(a, b)| *a || b).collect()
            }
            Self::Member(Source::Question, name, test) => {
                // The name means the same for all people.
                let all = (0..dialog.turns.len()).flat_map(|turn| answers(dialog, turn));
                let closest = all.filter_map(|(path, _)| closeness(name, &path)).min();
                let is_meant = |path: &str| {
                    let close = closeness(name, path);
                    close.is_some() && close == closest
                };
                let turns = 0..dialog.turns.len();
                let is_found = |turn: usize| {
                    let mut answers = answers(&own, turn).into_iter();
                    answers.any(|(path, value)| is_meant(&path) && test.is_met(value.as_deref()))
                };
                turns.map(is_found).collect()
            }
            _ => self.finds(dialog),
        }
    }

    /// True if it is about members, arguments, answers or numbers.
    fn is_about_values(&self) -> bool {
        match self {
            Self::Text(_, kind) => kind.is_some(),
            Self::Member(..) | Self::Words(..) => true,
            Self::Label(_)
            | Self::Api(_)
            | Self::User
            | Self::Tag(_)
            | Self::Note(_)
            | Self::By(_)
            | Self::Judged => false,
            Self::Both(one, other) | Self::Either(one, other) | Self::Then(one, other) => {
                one.is_about_values() || other.is_about_values()
            }
            Self::InDialog(one) | Self::Not(one) => one.is_about_values(),
        }
    }

    /// The wish with this value of a variable.
    fn with(&self, wanted: &str, value: &str) -> Self {
        let part = |one: &Self| Box::new(one.with(wanted, value));
        match self {
            Self::Member(source, name, Test::Variable(sign, variable, _))
                if *variable == wanted =>
            {
                let test = Test::Variable(sign, variable, Some(value.to_owned()));
                Self::Member(*source, name.clone(), test)
            }
            Self::Both(one, other) => Self::Both(part(one), part(other)),
            Self::Either(one, other) => Self::Either(part(one), part(other)),
            Self::Then(one, other) => Self::Then(part(one), part(other)),
            Self::InDialog(one) => Self::InDialog(part(one)),
            Self::Not(one) => Self::Not(part(one)),
            other => other.clone(),
        }
    }

    /// All values that `=$variable` finds in a dialog.
    fn values_of(&self, wanted: &str, dialog: &Dialog, all: &mut Vec<String>) {
        match self {
            Self::Member(source, name, Test::Variable("=", variable, _)) if *variable == wanted => {
                let turns = dialog.turns.iter();
                let all_members: Vec<Vec<Member>> = match source {
                    Source::Field => {
                        let of_turns = turns.flat_map(|turn| fields(&own_fields(turn)));
                        vec![fields(&dialog.fields).into_iter().chain(of_turns).collect()]
                    }
                    Source::Question => {
                        let turns = 0..dialog.turns.len();
                        vec![turns.flat_map(|turn| answers(dialog, turn)).collect()]
                    }
                    Source::Slot => turns.map(slots_with_values).collect(),
                    source => turns.flat_map(|turn| source.of_turn(turn)).collect(),
                };
                for members in all_members {
                    let values = meant(&members, name).into_iter().flatten();
                    all.extend(values.map(str::to_owned));
                }
            }
            Self::Both(one, other) | Self::Either(one, other) | Self::Then(one, other) => {
                one.values_of(wanted, dialog, all);
                other.values_of(wanted, dialog, all);
            }
            Self::InDialog(one) | Self::Not(one) => one.values_of(wanted, dialog, all),
            _ => {}
        }
    }
}

/// The slots of the acts of a turn; one without a value has None.
fn slots_with_values(turn: &Turn) -> Vec<Member> {
    let asked = |name: &str| {
        let mut slots = turn.acts.iter().flat_map(|act| &act.slots);
        slots.any(|slot| slot.slot == name && slot.value.is_none())
    };
    let slots = slots(turn).into_iter();
    slots
        .map(|(name, value)| {
            let value = value.filter(|value| !value.is_empty() || !asked(&name));
            (name, value)
        })
        .collect()
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
            (_, None) | (Self::Variable(_, _, None), _) => false,
            (Self::Equal(wanted), Some(value)) => is(wanted, value),
            (Self::Unequal(wanted), Some(value)) => !is(wanted, value),
            (Self::Number(sign, number), Some(value)) => {
                number_of(value).is_some_and(|value| compares(sign, value, *number))
            }
            (Self::Variable(sign, _, Some(wanted)), Some(value)) => match *sign {
                "=" => is(&wanted.to_lowercase(), value),
                "!=" => !is(&wanted.to_lowercase(), value),
                sign => {
                    let numbers = number_of(value).zip(number_of(wanted));
                    numbers.is_some_and(|(value, wanted)| compares(sign, value, wanted))
                }
            },
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

/// The turns that have a member, or whose dialog has it: that with the closest name in the whole dialog.
fn members_found(whole: &[Member], each: &[Vec<Member>], name: &str, test: &Test) -> Vec<bool> {
    let all = each.iter().flatten().chain(whole);
    let closest = all.filter_map(|(path, _)| closeness(name, path)).min();
    let is_found = |members: &[Member]| {
        members.iter().any(|(path, value)| {
            closeness(name, path).is_some()
                && closeness(name, path) == closest
                && test.is_met(value.as_deref())
        })
    };
    each.iter().map(|own| is_found(own) || is_found(whole)).collect()
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
        let number = self.turn();
        let turn = &self.dialog.turns[number];
        let (source, members) = match self.random.below(7) {
            6 => (Source::Question, answers(self.dialog, number)),
            0 => (Source::Argument, arguments(turn).concat()),
            1 => (Source::Response, responses(turn).concat()),
            2 => (Source::Slot, slots(turn)),
            3 => (Source::State, states(turn)),
            4 => (Source::Field, fields(&own_fields(turn))),
            _ => (Source::Field, fields(&self.dialog.fields)),
        };
        if members.is_empty() {
            return None;
        }
        let (path, value) = members[self.random.position(members.len())].clone();
        let name = match self.random.below(3) {
            0 => path,
            1 => path.rsplit(['.', '-']).next().unwrap_or_default().to_owned(),
            _ => path.split(['.', '-', '_']).next().unwrap_or_default().to_owned(),
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
        let number = self.turn();
        let turn = &self.dialog.turns[number];
        let said = said(self.dialog, number);
        match self.random.below(8) {
            4 => tags(self.dialog, number).first().map(|tag| Wish::Tag(tag.to_lowercase())),
            5 => {
                let note = &said.iter().find(|said| !said.note.is_empty())?.note;
                Some(Wish::Note(note.split(' ').next()?.to_lowercase()))
            }
            6 => said.first().map(|said| Wish::By(said.by.to_lowercase())),
            7 => Some(Wish::Judged),
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

    /// A member compared with a variable; None if none is found soon.
    fn compared(&mut self, sign: &'static str, variable: &'static str) -> Option<Wish> {
        let member = (0..20).find_map(|_| self.member())?;
        let Wish::Member(source, name, _) = member else {
            return None;
        };
        Some(Wish::Member(source, name, Test::Variable(sign, variable, None)))
    }

    /// A comparison with a variable of the same member or of another one.
    fn compared_like(&mut self, other: &Wish, variable: &'static str) -> Option<Wish> {
        let sign = self.random.one_of(&["=", "!=", "!=", "<", ">="]);
        match other {
            Wish::Member(source, name, _) if self.random.below(3) > 0 => {
                let test = Test::Variable(sign, variable, None);
                Some(Wish::Member(*source, name.clone(), test))
            }
            _ => self.compared(sign, variable),
        }
    }

    /// A query with one or two variables, and their names.
    fn with_variables(&mut self) -> Option<(Wish, &'static [&'static str])> {
        let both = |one, other| Wish::Both(Box::new(one), Box::new(other));
        let either = |one, other| Wish::Either(Box::new(one), Box::new(other));
        let then = |one, other| Wish::Then(Box::new(one), Box::new(other));
        let one = self.compared("=", "m")?;
        let like = self.compared_like(&one, "m")?;
        let wish = match self.random.below(9) {
            0 | 1 => then(one, like),
            2 => both(one, like),
            3 => both(one, Wish::Not(Box::new(like))),
            4 => both(Wish::InDialog(Box::new(one)), like),
            5 => either(then(one, like), self.wish(1)),
            6 => then(either(one, self.compared("=", "m")?), like),
            // The condition that gives the value may come later.
            7 => then(like, one),
            _ => {
                let two = self.compared("=", "other_1")?;
                let second = self.compared_like(&two, "other_1")?;
                let wish = then(both(one, two), both(like, second));
                return Some((wish, &["m", "other_1"]));
            }
        };
        Some((wish, &["m"]))
    }
}

/// The value as variables compare it.
fn key(value: &str) -> String {
    let number = number_of(value).map(|number| format!("{:?}", number + 0.0));
    number.unwrap_or_else(|| value.to_lowercase())
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
            if let Ok(Some((mut dialog, _))) = file.dialog(position)
                && !dialog.turns.is_empty()
            {
                judge(&mut dialog, &mut Random(all.len() as u64 + 1));
                all.push((dialog, file.text(position).unwrap().clone()));
            }
        }
    }
    all
}

/// Adds judgements of some turns of a dialog, and of all of it.
fn judge(dialog: &mut Dialog, random: &mut Random) {
    let turns = dialog.turns.len();
    for _ in 0..random.below(6) {
        let turn = Some(random.position(turns)).filter(|_| random.below(3) > 0);
        let at = Some(random.position(turns)).filter(|_| turn.is_none() && random.below(2) > 0);
        let tag = |random: &mut Random| random.one_of(&["Wrong-Date", "late", "wrong"]).to_owned();
        let mut judgement = Judgement {
            place: turn.map_or(Place::DIALOG, Place::turn),
            at,
            by: random.one_of(&["mk", "js"]).to_owned(),
            question: random.one_of(&["verdict", "second-verdict", "quality"]).to_owned(),
            ..Judgement::default()
        };
        match random.below(6) {
            0 => judgement.value = Some(Answer::Flag(random.below(2) > 0)),
            1 | 2 => judgement.value = Some(Answer::Number(random.below(3).into())),
            3 => {
                let text = random.one_of(&["Fail", "pass", "2.0"]);
                judgement.value = Some(Answer::Text(text.to_owned()));
            }
            4 => {
                let tags = (0..random.below(3)).map(|_| tag(random)).collect();
                judgement.value = Some(Answer::Several(tags));
            }
            _ => {
                judgement.question.clear();
                let note = random.one_of(&["No such date", "no", "odd"]);
                note.clone_into(&mut judgement.note);
                judgement.tags = (0..random.below(2)).map(|_| tag(random)).collect();
            }
        }
        dialog.judgements.push(judgement);
    }
}

/// The fields of a turn, its segments and its calls.
fn own_fields(turn: &Turn) -> Vec<Field> {
    turn.all_fields().cloned().collect()
}

/// Dialogs of this project's and, if there are any, of real corpora.
fn all_dialogs(what: &str) -> Vec<Read> {
    let (few, real) = (6, 4);
    let mut all = dialogs(own_files(), few);
    let corpora = real_files(what).into_iter();
    let corpora = corpora.chain(neighbours(what)).flatten().collect();
    all.extend(dialogs(spread(corpora, amount(40, 200)), real));
    all
}

#[test]
fn many_random_queries_find_what_plain_loops_find_in_real_corpora() {
    let all = all_dialogs("random queries");
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
            assert_eq!(query.matches(&target).turns, expected, "{}", place());
            let hits = query.hits(&target).hits;
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

/// Tries all values of the variables, and whether the values that hits show are among those that find them.
#[test]
fn many_random_queries_with_variables_find_what_some_values_find_in_real_corpora() {
    let all = all_dialogs("random queries with variables");
    let mut random = Random(37);
    let (mut checked, mut found, mut several) = (0, 0, 0);
    for number in 0..amount(150, 500) {
        let own = random.position(all.len());
        let random = &mut random;
        let dialog = &all[own].0;
        let Some((wish, variables)) = Maker { random, dialog }.with_variables() else {
            continue;
        };
        let typed = wish.typed();
        let query: Query = typed.parse().unwrap_or_else(|e| panic!("{typed}: {e}"));
        assert_eq!(query.to_string().parse::<Query>(), Ok(query.clone()), "{typed}");
        let filter = Prefilter::new(&query);
        let others = (0..6).map(|_| random.position(all.len()));
        for (dialog, text) in [own].into_iter().chain(others).map(|place| &all[place]) {
            let candidates: Vec<Vec<String>> = variables
                .iter()
                .map(|variable| {
                    let mut values = Vec::new();
                    wish.values_of(variable, dialog, &mut values);
                    values.sort_by_key(|value| key(value));
                    values.dedup_by_key(|value| key(value));
                    values
                })
                .collect();
            let choices = candidates.iter().map(|values| values.len().max(1));
            // The loops read the dialog once for each choice.
            if choices.product::<usize>() * text.len() > 200_000 {
                continue;
            }
            // Each choice of values, and the turns that match with them.
            let mut choices = vec![(wish.clone(), Vec::new())];
            for (variable, values) in variables.iter().zip(&candidates) {
                if values.is_empty() {
                    continue;
                }
                choices = choices
                    .iter()
                    .flat_map(|(wish, chosen): &(Wish, Vec<String>)| {
                        values.iter().map(move |value| {
                            let chosen = chosen.iter().cloned();
                            let more = chosen.chain([format!("{variable}={}", key(value))]);
                            (wish.with(variable, value), more.collect())
                        })
                    })
                    .collect();
            }
            let mut expected = vec![Vec::new(); dialog.turns.len()];
            for (wish, chosen) in choices {
                for (turn, _) in wish.finds(dialog).iter().enumerate().filter(|(_, is)| **is) {
                    expected[turn].push(chosen.clone());
                }
            }
            let place = || format!("{number}: {typed} in {}", dialog.id);
            let target = Target::new(dialog, &[]);
            let matches = query.matches(&target);
            assert!(matches.is_complete, "{}", place());
            let turns: Vec<_> = expected.iter().map(|choices| !choices.is_empty()).collect();
            assert_eq!(matches.turns, turns, "{}", place());
            let hits = query.hits(&target).hits;
            assert_eq!(hits.is_empty(), !turns.contains(&true), "{}", place());
            assert!(hits.is_empty() || filter.may_hit(text.as_bytes()), "{}", place());
            for same in hits.chunk_by(|one, other| one.turn == other.turn) {
                let wanted: BTreeSet<_> = expected[same[0].turn].iter().flatten().collect();
                let shown = same.iter().flat_map(|hit| &hit.values);
                let shown = shown.flat_map(|variable| {
                    let values = variable.values.iter();
                    values.map(|value| format!("{}={}", variable.name, key(value)))
                });
                let shown: BTreeSet<_> = shown.collect();
                let shown: BTreeSet<_> = shown.iter().collect();
                assert!(shown.is_subset(&wanted), "{}", place());
                assert_eq!(shown.is_empty(), wanted.is_empty(), "{}", place());
                // Only the alternatives with a place are shown.
                assert!(shown == wanted || typed.contains(" or "), "{}", place());
                several += usize::from(wanted.len() > variables.len());
            }
            checked += 1;
            found += hits.len();
        }
    }
    assert!(checked > 300 && found > 300 && several > 20, "{checked} {found} {several}");
}
