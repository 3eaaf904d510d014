//! Nothing tells what is withheld: two corpora that differ in that alone look the same, whatever one presses.
//!
//! Others' answers are withheld from the blind, the sides of a pair from those who compare them, and later turns
//! from those who judge as one talks.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use turnwise::app::input::Command;
use turnwise::app::settings::Reveal;
use turnwise::app::{Blind, Effect};
use turnwise::judging::Scheme;
use turnwise::query::CONDITIONS;

use super::every_key::{happens, tell};
use super::fixtures::{dialog, segment, turn};
use super::{Driver, demo};
use crate::pairs::{ONCE, judging_files};
use crate::support::amount;

/// The program on a corpus, and on one that differs in what is withheld.
struct Twins {
    drivers: Vec<Driver>,
    /// Names that differ on purpose, each with the name to read in its place.
    names: [Vec<(String, &'static str)>; 2],
}

impl Twins {
    fn new(open: impl Fn(bool) -> Driver) -> Self {
        Self { drivers: vec![open(false), open(true)], names: Default::default() }
    }

    fn each(&mut self, mut does: impl FnMut(&mut Driver)) {
        self.drivers.iter_mut().for_each(&mut does);
    }

    /// Returns the text on the screen, what was copied and what was written to a file.
    fn told(&self, number: usize) -> [String; 3] {
        let driver = &self.drivers[number];
        let copied = driver.wanted.iter().map(|effect| match effect {
            Effect::Copy { text, .. } => text.as_str(),
            _ => "",
        });
        let mut told = [driver.screen(), copied.collect(), driver.exported.clone()];
        for (name, same) in &self.names[number] {
            for text in &mut told {
                *text = text.replace(name, same);
            }
        }
        told
    }

    /// Returns both screens if they tell which corpus is which.
    fn differ(&self) -> Option<String> {
        let (one, other) = (self.told(0), self.told(1));
        let [one_cells, other_cells] = [0, 1].map(|number| self.drivers[number].cells());
        let inks = one_cells.content.iter().zip(&other_cells.content);
        let mut inks = inks.filter(|(one, other)| (one.fg, one.bg) != (other.fg, other.bg));
        let differ = one != other || self.names[0].is_empty() && inks.next().is_some();
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        differ.then(|| {
            let (mut out, pairs) = (one[0].clone(), one.iter().zip(&other));
            for (one, other) in pairs {
                let (one, other) = (lines(one), lines(other));
                for (one, other) in one.iter().zip(&other).filter(|(one, other)| one != other) {
                    out.extend(["- ", one.as_str(), "\n+ ", other.as_str(), "\n"]);
                }
            }
            out
        })
    }
}

const TEXTS: [&str; 2] = ["alpha", "bravo"];

fn blind(driver: &mut Driver) {
    driver.app.settings.reveal = Reveal::Never;
    driver.app.judging.blind = Blind::Always;
    driver.press("esc");
}

/// A log whose other annotators' votes and comments differ.
fn votes(second: bool) -> Driver {
    let votes = [["O", "X", "O"], ["T", "O", "T"]][usize::from(second)];
    let text = TEXTS[usize::from(second)];
    let said = |index: usize| {
        let vote = |(by, vote): (&str, &str)| {
            let is_ungrammatical = by == if second { "aa" } else { "bb" };
            json!({"annotator-id": by, "breakdown": vote, "comment": text,
                "ungrammatical-sentence": if is_ungrammatical { "x" } else { "" }})
        };
        let all = ["aa", "bb", "cc"].into_iter().zip(votes).map(vote);
        let all: Vec<_> = all.filter(|_| index.is_multiple_of(2)).collect();
        let speaker = if index.is_multiple_of(2) { "S" } else { "U" };
        json!({"turn-index": index, "speaker": speaker,
            "utterance": format!("no. {index}"), "annotations": all})
    };
    let log = |id: &str| {
        json!({"dialogue-id": id, "turns": (0..5).map(said).collect::<Vec<_>>()}).to_string()
    };
    let mut driver = Driver::open(&[("d.log.json", log("d")), ("e.log.json", log("e"))], 110, 30);
    driver.judge_as("mk");
    blind(&mut driver);
    driver
}

/// Dialogs that somebody else has answered questions about.
fn answers(second: bool) -> Driver {
    let value = ["pass", "fail"][usize::from(second)];
    let said = |question: &str, value: Value, turn: Option<usize>| {
        json!({"file": "taskmaster-3.json", "dialog": "dlg-demo-tm3-01", "turn": turn,
            "scheme": "quality", "question": question, "value": value, "by": "zed",
            "tags": [TEXTS[usize::from(second)]], "note": TEXTS[usize::from(second)]})
    };
    let scheme = Scheme::bundled("error-analysis").unwrap();
    let lines = [
        said("verdict", value.into(), None),
        said("quality", (2 + usize::from(second)).into(), Some(3)),
        said("note", Value::Null, Some(1)),
    ];
    let lines = lines.map(|mut line| {
        line.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        line["scheme"] = scheme.name.as_str().into();
        format!("{line}\n")
    });
    let log = "judgements/zed.jsonl";
    let files = [demo("taskmaster-3.json"), (log, lines.concat())];
    let mut driver = Driver::unopened(&files, 110, 30);
    driver.judge_as("mk").app.judging.scheme = Arc::new(scheme);
    driver.app.workspace.files.logs.judgements.folders = vec![Path::new("judgements").into()];
    driver.expect_log(1, log, false);
    driver.read_all(&files);
    driver.press("esc V");
    blind(&mut driver);
    driver
}

/// A dialog whose turns after the first two differ. Their labels do not: digits choose among all labels of the corpora.
fn later(second: bool) -> Driver {
    let text = TEXTS[usize::from(second)];
    let said = |number: usize| {
        let text = if number > 1 { format!("say {text}") } else { "say hello".to_owned() };
        let speaker = ["user", "assistant"][number % 2];
        turn(speaker, &text, vec![segment(4, &text[4..], "name.one")])
    };
    let corpus = Value::from(vec![dialog("d", (0..6).map(said).collect())]).to_string();
    let mut driver = Driver::open(&[("c.json", corpus)], 110, 30);
    driver.judge_as("mk");
    driver.press("esc V");
    driver.app.judging.hides_later = true;
    driver.press("esc");
    driver
}

/// Two answers of a pair, which the second corpus holds the other way round. The ids are such that they have the same
/// places on the screen.
fn sides() -> Twins {
    let said = |role: &str, text: &str| json!({"role": role, "content": text});
    let pair = |id: &str, second: bool| {
        let mut sides = ["The old one.", "No bridge."];
        if second {
            sides.reverse();
        }
        let [chosen, rejected] = sides.map(|text| [said("assistant", text)]);
        let prompt = [said("user", "Name a bridge.")];
        let pair = json!({"id": id, "prompt": prompt, "chosen": chosen, "rejected": rejected});
        judging_files(&[("pairs.jsonl", pair.to_string())], ONCE, 110, 30)
    };
    let first = pair("id-0", false);
    let place = |driver: &Driver| driver.place_of("The old one.");
    let ids = (1..10).map(|number| format!("id-{number}"));
    let mut same = ids.map(|id| (pair(&id, true), id));
    let (other, id) = same.find(|(other, _)| place(other) == place(&first)).unwrap();
    let names = ["id-0", &id].map(|id| vec![(id.to_owned(), "id")]);
    Twins { drivers: vec![first, other], names }
}

/// False once one no longer compares as mk, who has the sides at their places, or has written all to a file.
fn compares(twins: &Twins) -> bool {
    let drivers = &mut twins.drivers.iter();
    drivers.all(|driver| {
        let app = &driver.app;
        app.asks_about_pairs() && app.judging.by() == "mk" && driver.exported.is_empty()
    })
}

/// Presses keys one by one; returns what tells, unless it is no longer withheld.
fn told_by(mut twins: Twins, keys: &[&str], withheld: impl Fn(&Twins) -> bool) -> Option<String> {
    keys.iter().enumerate().find_map(|(number, key)| {
        twins.each(|driver| {
            driver.press(key);
        });
        if !withheld(&twins) {
            return None;
        }
        Some(format!("{}\n{}", keys[..=number].join(" "), twins.differ()?))
    })
}

/// Runs each command, and goes on in what it opens; returns what tells.
fn told_by_commands(twins: impl Fn() -> Twins, withheld: impl Fn(&Twins) -> bool) -> Vec<String> {
    assert_eq!(twins().differ(), None);
    let goes_on = amount("enter", "enter j enter tab / a enter A esc esc");
    let goes_on: Vec<_> = goes_on.split(' ').collect();
    let some = Command::ALL.iter().step_by(amount(4, 1));
    let told = some.filter_map(|command| {
        let mut twins = twins();
        twins.each(|driver| {
            driver.run(command.name());
        });
        Some(format!("{} {}", command.name(), told_by(twins, &goes_on, &withheld)?))
    });
    told.collect()
}

/// Searches for each kind of condition, and lists the dialogs that meet it; returns what tells.
fn told_by_queries(twins: impl Fn() -> Twins, withheld: impl Fn(&Twins) -> bool) -> Vec<String> {
    let some = CONDITIONS.iter().step_by(amount(4, 1));
    let all = some.flat_map(|condition| [("/", condition), ("F", condition)]);
    let told = all.filter_map(|(asks, condition)| {
        let mut twins = twins();
        twins.each(|driver| {
            driver.press(asks).type_text(condition.example);
        });
        let told =
            told_by(twins, amount(&["enter"], &["enter", "j", "enter", "C", "enter"]), &withheld);
        Some(format!("{asks} {} {}", condition.example, told?))
    });
    told.collect()
}

/// No command and no query tells which corpus is which, as long as it is withheld.
fn nothing_tells(twins: impl Fn() -> Twins, withheld: impl Fn(&Twins) -> bool) {
    let mut told = told_by_commands(&twins, &withheld);
    told.extend(told_by_queries(twins, withheld));
    let beginnings: Vec<_> = told.iter().filter_map(|told| told.lines().next()).collect();
    assert!(told.is_empty(), "{}\n{} tell: {beginnings:#?}", told[0], told.len());
}

#[test]
fn not_one_of_many_commands_and_queries_tells_others_votes() {
    nothing_tells(|| Twins::new(votes), |_| true);
}

#[test]
fn not_one_of_many_commands_and_queries_tells_others_answers() {
    nothing_tells(|| Twins::new(answers), |_| true);
}

#[test]
fn not_one_of_many_commands_and_queries_tells_the_sides() {
    nothing_tells(sides, compares);
}

/// False once one has gone on, shows later turns on purpose, or writes them to a file.
fn is_before_later(twins: &Twins) -> bool {
    twins.drivers.iter().all(|driver| {
        let app = &driver.app;
        app.turn_and_last().0 < 2
            && app.panes.transcript.judge.hides_later
            && driver.exported.is_empty()
    })
}

#[test]
fn not_one_of_many_commands_and_queries_tells_later_turns() {
    nothing_tells(|| Twins::new(later), is_before_later);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(amount(12, 200)))]

    #[test]
    fn nothing_tells_in_many_keys(
        of_votes in any::<bool>(),
        all in prop::collection::vec(happens(), 1..60),
    ) {
        let mut twins = Twins::new(if of_votes { votes } else { answers });
        for happens in &all {
            twins.each(|driver| tell(driver, happens));
            prop_assert_eq!(twins.differ(), None);
        }
    }
}
