//! Queries find what plain loops find, in all demo dialogs and real corpora: what the random queries of
//! `laws/queries.rs` do not draw.

use std::fs;
use std::path::PathBuf;

use turnwise::dialog::{Dialog, Payload};
use turnwise::query::{DialogSource, Prefilter, Query, Target};

use super::expected::*;
use crate::support::files::{neighbours, open, own_files, real_files};

const QUERIES: &[(&str, Expected)] = &[
    ("result:status!=success next speaker:assistant", |d, t| {
        let is_answered = |asked: &usize| answered_at(d, *asked) + 1 == t;
        by_assistant(&d.turns[t]) && (0..t).filter(is_answered).any(|asked| fails(d, asked))
    }),
    ("speaker:user label:date=$d then speaker:user label:date!=$d then api:*", |d, t| {
        let dates = |turn: usize| {
            let by_user = by_user(&d.turns[turn]);
            if by_user { texts_labelled(d, turn, "date") } else { Vec::new() }
        };
        let changed = |turn: usize| {
            let mut before = (0..turn).flat_map(dates);
            before.any(|before| dates(turn).iter().any(|date| *date != before))
        };
        !d.turns[t].calls.is_empty() && (0..t).any(changed)
    }),
    (r"not (speaker:user in:utterance /\b(yes|yep|sure|okay)\b/) before api:book*", |d, t| {
        calls(&d.turns[t], "book") && !after(d, t, t, agrees)
    }),
    (r"in:utterance /\b\d{1,2}:\d\d\b/ not label:time", |d, t| {
        has_time(&utterance(d, t)) && !labelled(&d.turns[t], "time")
    }),
    ("speaker:user in:utterance movie next speaker:assistant", |d, t| {
        let asks = |d: &Dialog, t: usize| by_user(&d.turns[t]) && has(&d.turns[t].text, "movie");
        by_assistant(&d.turns[t]) && after(d, t, 1, asks)
    }),
    ("act:request then within 2 act:inform", |d, t| {
        let asks = |d: &Dialog, t: usize| acts(&d.turns[t], "request");
        acts(&d.turns[t], "inform") && after(d, t, 2, asks)
    }),
    ("state:date then within 2 speaker:user not state:date", |d, t| {
        let had = |d: &Dialog, t: usize| state(&d.turns[t], "date");
        by_user(&d.turns[t]) && !state(&d.turns[t], "date") && after(d, t, 2, had)
    }),
    ("majority:X then within 2 majority:X", |d, t| {
        let broken = |d: &Dialog, t: usize| majority(&d.turns[t]) == Some(2);
        broken(d, t) && after(d, t, 2, broken)
    }),
    ("not speaker:user before speaker:user", |d, t| {
        by_user(&d.turns[t]) && d.turns[..t].iter().all(|turn| !by_user(turn))
    }),
    ("the or a", |d, t| says(d, t, "the or a")),
    ("Yes", |d, t| texts(d, t).iter().any(|(_, text)| text.contains("Yes"))),
    ("/^(yes|no)/", |d, t| {
        let mut texts = texts(d, t).into_iter().map(|(_, text)| text.to_lowercase());
        texts.any(|text| text.starts_with("yes") || text.starts_with("no"))
    }),
    ("result:error", |d, t| {
        let plain = |payload: &Payload| match payload {
            Payload::Text { text, .. } | Payload::Embedded { text, .. } => {
                let value = serde_json::from_str::<serde_json::Value>(text);
                !value.is_ok_and(|v| v.is_object() || v.is_array()) && has(text, "error")
            }
            Payload::Fields(_) => false,
        };
        let turn = &d.turns[t];
        let mut answers = turn.calls.iter().filter_map(|call| call.response.as_ref());
        let named = responses(turn).iter().flatten().any(|(name, _)| has(name, "error"));
        answers.any(plain) || named
    }),
    ("label:name.*", |d, t| {
        let turn = &d.turns[t];
        let begins = |name: &str| name.to_lowercase().starts_with("name.");
        let mut labels = turn.segments.iter().flat_map(|segment| &segment.labels);
        labels.any(|label| begins(&label.name))
            || turn.segments.is_empty() && turn.acts.iter().any(|act| begins(&act.name))
    }),
    ("slot:num*=2", |d, t| {
        slots(&d.turns[t]).iter().any(|(name, value)| {
            let value = value.as_deref().unwrap_or_default();
            name.to_lowercase().starts_with("num") && value.parse() == Ok(2.0)
        })
    }),
    ("state:date=*day", |d, t| {
        any_value(&[states(&d.turns[t])], "date", |value| value.to_lowercase().ends_with("day"))
    }),
    ("intent:find*", |d, t| {
        let mut intents = d.turns[t].intents.iter();
        intents.any(|intent| intent.to_lowercase().starts_with("find"))
    }),
    ("service:hotel*", |d, t| {
        let turn = &d.turns[t];
        let labels = turn.segments.iter().flat_map(|segment| &segment.labels);
        let labels = labels.map(|label| label.name.to_string());
        let state = turn.state.iter().flatten().map(|slot| slot.slot.to_string());
        labels.chain(state).any(|name| {
            let end = name.find(['.', '-']);
            end.is_some_and(|end| name[..end].to_lowercase().starts_with("hotel"))
        })
    }),
    ("annotator:430758", |d, t| d.turns[t].votes.iter().any(|vote| has(&vote.annotator, "430758"))),
    ("majority:O words<4", |d, t| majority(&d.turns[t]) == Some(0) && words(&d.turns[t]) < 4),
    ("majority:T", |d, t| majority(&d.turns[t]) == Some(1)),
    ("tie", |d, t| is_tie(&d.turns[t])),
    ("mine", |d, t| d.turns[t].votes.iter().any(|vote| vote.annotator == ME)),
    ("votes<30 judged", |d, t| {
        let count: usize = votes(&d.turns[t]).iter().sum();
        count < 30 && count > 0
    }),
    ("votes.o=0 votes.x>0", |d, t| votes(&d.turns[t])[0] == 0 && votes(&d.turns[t])[2] > 0),
    ("entropy=0", |d, t| entropy(&d.turns[t]) == Some(0.0)),
    ("turn=3", |d, t| d.turns[t].index.map_or(t, |index| index as usize) == 3),
    ("turns>20", |d, t| t == 0 && d.turns.len() > 20),
    ("turns<=10 speaker:user", |d, t| by_user(&d.turns[t]) && d.turns.len() <= 10),
    ("id:*01*", |d, t| t == 0 && d.id.contains("01")),
    ("speaker:user next speaker:user", |d, t| {
        by_user(&d.turns[t]) && t > 0 && by_user(&d.turns[t - 1])
    }),
    ("edited", |_, _| false),
    ("excluded", |_, _| false),
];

/// An annotator in a demo log.
const ME: &str = "43075871";

fn fails(dialog: &Dialog, turn: usize) -> bool {
    any_value(&responses(&dialog.turns[turn]), "status", |value| value.to_lowercase() != "success")
}

fn agrees(dialog: &Dialog, turn: usize) -> bool {
    let text = dialog.turns[turn].text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    by_user(&dialog.turns[turn]) && words.any(|word| ["yes", "yep", "sure", "okay"].contains(&word))
}

/// The files to search, and whether real corpora are among them.
fn files(test: &str) -> (Vec<PathBuf>, bool) {
    let (real, others) = (real_files(test), neighbours(test));
    let has_real = real.is_some() && others.is_some();
    let real = real.into_iter().chain(others).flatten();
    (own_files().into_iter().chain(real).collect(), has_real)
}

#[test]
fn queries_find_what_plain_loops_find_in_real_corpora() {
    let queries: Vec<Query> = QUERIES.iter().map(|(text, _)| text.parse().unwrap()).collect();
    let filters: Vec<_> = queries.iter().map(Prefilter::new).collect();
    let mut found = vec![0; QUERIES.len()];
    let (files, has_real) = files("queries");
    for path in files {
        let file = open(fs::read(&path).unwrap());
        if file.format().is_none() {
            continue;
        }
        for position in 0..file.index().pieces.len() {
            let Ok(Some((dialog, _))) = file.dialog(position) else {
                continue;
            };
            let text = file.text(position).unwrap();
            let source = DialogSource { annotator: ME, ..DialogSource::default() };
            let target = Target { dialog: &dialog, problems: &[], source };
            for (number, (query, filter)) in queries.iter().zip(&filters).enumerate() {
                let (name, expected) = QUERIES[number];
                let mut turns: Vec<_> =
                    query.hits(&target).hits.iter().map(|hit| hit.turn).collect();
                turns.dedup();
                let expected = (0..dialog.turns.len()).filter(|turn| expected(&dialog, *turn));
                let expected: Vec<_> = expected.collect();
                let place = || format!("{name}: {} dialog {position}", path.display());
                assert_eq!(turns, expected, "{}", place());
                found[number] += turns.len();
                assert!(turns.is_empty() || filter.may_hit(text.as_bytes()), "{}", place());
            }
        }
    }
    if !has_real {
        // The dialogs of the repository alone are too few and too short for some of the queries.
        return;
    }
    let empty = QUERIES.iter().zip(&found).filter(|(_, found)| **found == 0);
    let empty: Vec<_> = empty.map(|((text, _), _)| *text).collect();
    let allowed = ["edited", "excluded", "the or a"];
    assert!(empty.iter().all(|text| allowed.contains(text)), "nothing is found for {empty:?}");
}

/// The queries in the manual's table of questions.
fn of_manual() -> Vec<String> {
    let text = include_str!("../../../assets/manual/searching.md");
    let (_, table) = text.split_once("## Twenty questions").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ") && line.contains("| `"));
    let query = |row: &str| {
        let (_, query) = row.split_once("| `").unwrap();
        query.trim_end_matches(" |").trim_end_matches('`').replace("\\|", "|")
    };
    rows.map(query).collect()
}

#[test]
fn the_questions_of_the_manual_are_queries() {
    let manual = of_manual();
    assert_eq!(manual.len(), 20);
    for query in &manual {
        assert!(query.parse::<Query>().is_ok(), "{query}");
    }
    let problems: Vec<_> = manual.iter().filter(|query| query.contains("problem:")).collect();
    assert_eq!(problems, super::find::ABOUT_PROBLEMS);
}
