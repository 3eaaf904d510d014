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

fn table(question: &Question, answers: &DialogAnswers) -> AnswerTable {
    let mut set = AnswerSet::default();
    let about = AnsweredAbout { file: "a.json", id: "d", system: "", group: "" };
    set.add(&about, answers);
    AnswerTable::new(question, &set)
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
    let scheme = Scheme::read(SCHEME, "s").unwrap();
    let grade = scheme.question("grade").unwrap();
    let answers = grade.answers(
        "s",
        &dialog(vec![
            said("b", "grade", Answer::Number(9.into())),
            said("a", "grade", Answer::Number(1.into())),
            said("c", "grade", Answer::Number(2.into())),
            said("a", "code", Answer::Several(vec![])),
        ]),
    );
    assert_eq!((answers.given.len(), answers.invalid), (2, 1));
    let table = table(grade, &answers);
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
    let scheme = Scheme::read(SCHEME, "s").unwrap();
    let code = scheme.question("code").unwrap();
    let tags = |tags: &[&str]| tags.iter().map(ToString::to_string).collect::<Vec<_>>();
    let note = |by: &str, turn: usize, all: &[&str]| Judgement {
        by: by.to_owned(),
        place: Place::turn(turn),
        tags: tags(all),
        ..Judgement::default()
    };
    let answers = code.answers(
        "s",
        &dialog(vec![
            said("a", "code", Answer::Several(tags(&["x"]))),
            note("a", 1, &["y", "x"]),
            note("b", 1, &["z"]),
            note("b", 2, &["z", "x"]),
            note("c", 2, &[]),
        ]),
    );
    let given = answers.given.iter();
    let given: Vec<_> = given.map(|given| (given.by.as_str(), given.answer.to_string())).collect();
    assert_eq!(given, [("a", "x, y".to_owned()), ("b", "z, x".to_owned())]);
    assert!(answers.given.iter().all(|given| given.place == Place::DIALOG));
    // A question with listed tags takes no others.
    let closed = Question { kind: Kind::Tags { open: false }, ..code.clone() };
    assert!(closed.answers("s", &dialog(vec![note("b", 1, &["z"])])).given.is_empty());
}

#[test]
fn sets_of_tags_are_categories_whatever_their_order() {
    let scheme = Scheme::read(SCHEME, "s").unwrap();
    let code = scheme.question("code").unwrap();
    let tags = |tags: &[&str]| Answer::Several(tags.iter().map(ToString::to_string).collect());
    let answers = code.answers(
        "s",
        &dialog(vec![
            said("a", "code", tags(&["y", "x"])),
            said("b", "code", tags(&["x", "y", "x"])),
            said("c", "code", tags(&["x"])),
        ]),
    );
    let table = table(code, &answers);
    assert_eq!(table.categories, [tags(&["x"]), tags(&["x", "y"])]);
    let tallies = table.ratings.tallies();
    let [(_, nominal), (_, jaccard), _] = &code.distances(&table.categories)[..] else {
        panic!("three distances");
    };
    // One of the two categories has two of three judgements; of three pairs, two disagree, by half.
    assert_eq!(tallies.alpha(nominal), Ok(0.0));
    assert_eq!(tallies.alpha(jaccard), Ok(0.0));
}

#[test]
fn spellings_of_a_tag_are_one_category() {
    let scheme = Scheme::read(SCHEME, "s").unwrap();
    let code = scheme.question("code").unwrap();
    let tags = |tags: &[&str]| Answer::Several(tags.iter().map(ToString::to_string).collect());
    let answers = code.answers(
        "s",
        &dialog(vec![
            said("a", "code", tags(&["Größe", "slow"])),
            said("b", "code", tags(&["SLOW", "GRO\u{308}SSE", "gro\u{308}ße"])),
            said("c", "code", tags(&["slow", "größe"])),
            said("d", "code", tags(&["Größe"])),
        ]),
    );
    let table = table(code, &answers);
    let expected =
        [tags(&["GRO\u{308}SSE", "Größe", "slow"]), tags(&["Größe"]), tags(&["Größe", "slow"])];
    assert_eq!(table.categories, expected);
}
