//! Tests of `src/judging/answers.rs`.

use turnwise::dialog::{Answer, Dialog, Judgement, Place};
use turnwise::judging::*;
use turnwise::text::Units;
use turnwise::votes::Distances;

fn dialog(judgements: Vec<Judgement>) -> Dialog {
    let mut dialog = Dialog::new(Units::CodePoints);
    dialog.judgements = judgements;
    dialog
}

fn said(by: &str, question: &str, value: Answer) -> Judgement {
    Judgement {
        by: by.to_owned(),
        scheme: "s".to_owned(),
        question: question.to_owned(),
        value: Some(value),
        ..Judgement::default()
    }
}

/// The question of the scheme with this name.
fn question(name: &str) -> Question {
    Scheme::read(SCHEME, "s").unwrap().question(name).unwrap().clone()
}

fn answers(question: &Question, judgements: Vec<Judgement>) -> DialogAnswers {
    question.answers("s", &dialog(judgements))
}

fn table(question: &Question, answers: &DialogAnswers) -> AnswerTable {
    let mut set = AnswerSet::default();
    let about = AnsweredAbout { file: "a.json", id: "d", system: "", group: "" };
    set.add(&about, answers);
    AnswerTable::new(question, &set)
}

fn tags(tags: &[&str]) -> Vec<String> {
    tags.iter().map(ToString::to_string).collect()
}

fn several(all: &[&str]) -> Answer {
    Answer::Several(tags(all))
}

const SCHEME: &str = r#"
    [[question]]
    name = "grade"
    of = "dialog"
    kind = "scale"
    level = "interval"
    values = [{ name = 9 }, { name = 1 }, { name = 5 }]

    [[question]]
    name = "code"
    of = "dialog"
    kind = "tags"
"#;

#[test]
fn numbers_are_categories_in_their_order() {
    let grade = question("grade");
    let numbers = [("b", 9), ("a", 1), ("c", 2)];
    let mut all: Vec<_> =
        numbers.map(|(by, number)| said(by, "grade", Answer::Number(number.into()))).into();
    all.push(said("a", "code", several(&[])));
    let answers = answers(&grade, all);
    assert_eq!((answers.given.len(), answers.invalid.len()), (2, 1));
    let table = table(&grade, &answers);
    let numbers: Vec<_> = table.categories.iter().filter_map(number_of).collect();
    assert_eq!(numbers, [1.0, 5.0, 9.0]);
    assert_eq!(table.annotators, ["a", "b"]);
    let categories = table.ratings.items[0].ratings.iter();
    let categories: Vec<_> = categories.map(|rating| rating.category).collect();
    assert_eq!(categories, [0, 2]);
    let distances = grade.distances(&table.categories);
    assert_eq!(distances[2].1, Distances::Interval(vec![1.0, 5.0, 9.0]));
}

#[test]
fn tags_of_notes_are_codes() {
    let code = question("code");
    let note = |by: &str, turn: usize, all: &[&str]| Judgement {
        by: by.to_owned(),
        place: Place::turn(turn),
        tags: tags(all),
        ..Judgement::default()
    };
    let all = vec![
        said("a", "code", several(&["x"])),
        note("a", 1, &["y", "x"]),
        note("b", 1, &["z"]),
        note("b", 2, &["z", "x"]),
        note("c", 2, &[]),
    ];
    let given = answers(&code, all).given;
    let said: Vec<_> = given.iter().map(|one| (one.by.as_str(), one.answer.to_string())).collect();
    assert_eq!(said, [("a", "x, y".to_owned()), ("b", "z, x".to_owned())]);
    assert!(given.iter().all(|given| given.place == Place::DIALOG));
    // A question with listed tags takes no others.
    let closed = Question { kind: Kind::Tags { open: false }, ..code };
    assert!(answers(&closed, vec![note("b", 1, &["z"])]).given.is_empty());
}

#[test]
fn sets_of_tags_are_categories_whatever_their_order_and_spelling() {
    let code = question("code");
    let table = |sets: &[&[&str]]| {
        let all = sets.iter().zip(["a", "b", "c", "d"]);
        let all = all.map(|(set, by)| said(by, "code", several(set))).collect();
        table(&code, &answers(&code, all))
    };
    let ordered = table(&[&["y", "x"], &["x", "y", "x"], &["x"]]);
    assert_eq!(ordered.categories, [several(&["x"]), several(&["x", "y"])]);
    let tallies = ordered.ratings.tallies();
    let [(_, nominal), (_, jaccard), _] = &code.distances(&ordered.categories)[..] else {
        panic!("three distances");
    };
    // One of the two categories has two of three judgements; of three pairs, two disagree, by half.
    assert_eq!(tallies.alpha(nominal), Ok(0.0));
    assert_eq!(tallies.alpha(jaccard), Ok(0.0));
    let spelled = table(&[
        &["Größe", "slow"],
        &["SLOW", "GRO\u{308}SSE", "gro\u{308}ße"],
        &["slow", "größe"],
        &["Größe"],
    ]);
    let all: [&[&str]; 3] = [&["GRO\u{308}SSE", "Größe", "slow"], &["Größe"], &["Größe", "slow"]];
    assert_eq!(spelled.categories, all.map(several));
}
