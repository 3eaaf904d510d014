//! Answers, assignments, opinions and files of schemes.

use std::collections::HashSet;

use turnwise::dialog::{Answer, Dialog, Judgement, Place, Turn};
use turnwise::export::{LeftOut, Opinion};
use turnwise::judging::*;
use turnwise::text::Units;
use turnwise::votes::{Distances, VoteSource};

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

#[test]
fn dialogs_are_divided_with_a_shared_part() {
    let ids: Vec<String> = (0..100).map(|number| format!("d{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let division = Division { per: 20, overlap: 0.25, seed: 7 };
    let all = division.divide(&ids, 3).unwrap();
    let sets: Vec<HashSet<usize>> =
        all.iter().map(|of_one| of_one.iter().copied().collect()).collect();
    assert!(sets.iter().all(|set| set.len() == 20));
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        assert_eq!(sets[one].intersection(&sets[other]).count(), 5);
    }
    assert_eq!(division.needed(3), 50);
    assert_eq!(division.divide(&ids, 3).unwrap(), all);
    assert_ne!(Division { seed: 8, ..division }.divide(&ids, 3).unwrap(), all);
    assert!(division.divide(&ids[..49], 3).is_none());
    assert!(division.divide(&ids[..50], 3).is_some());
    let alike = Division { overlap: 1.0, ..division };
    assert_eq!(alike.divide(&ids[..20], 9).unwrap().len(), 9);
}

fn source(whose: VoteSource) -> OpinionSource {
    OpinionSource { whose, threshold: 0.0 }
}

fn verdict(by: &str, value: &str, at: Option<usize>) -> Judgement {
    Judgement {
        scheme: "success".to_owned(),
        question: "verdict".to_owned(),
        value: Some(Answer::Text(value.to_owned())),
        at,
        by: by.to_owned(),
        place: Place::DIALOG,
        run: by.starts_with("model:").then(|| "r".to_owned()),
        ..Judgement::default()
    }
}

fn opinions(judgements: &[Judgement], whose: VoteSource) -> (Vec<Opinion>, String) {
    let scheme = Scheme::bundled("success").unwrap();
    let opinions =
        Opinions::new(&scheme, &scheme.questions[0], source(whose), ValueNames::default());
    let mut dialog = Dialog::new(Units::CodePoints);
    dialog.turns = vec![Turn::default(); 6];
    dialog.judgements = judgements.to_vec();
    let mut left_out = LeftOut::default();
    let of = opinions.unwrap().of(&dialog, &[true; 6], &mut left_out);
    (of, left_out.listed())
}

#[test]
fn the_majority_of_people_decides_and_most_of_them_where() {
    let fail = |turn| vec![Opinion::Turn { turn, is_good: false }];
    let all = [
        verdict("a", "fail", Some(4)),
        verdict("b", "fail", Some(2)),
        verdict("c", "pass", None),
        verdict("model:m", "pass", None),
    ];
    let crowd = || VoteSource::Crowd;
    assert_eq!(opinions(&all, crowd()).0, fail(2));
    let more = [&all[..], &[verdict("d", "fail", Some(4))]].concat();
    assert_eq!(opinions(&more, crowd()).0, fail(4));
    let of = |id: &str| opinions(&all, VoteSource::Annotator(id.to_owned())).0;
    assert_eq!(of("c"), [Opinion::Dialog { is_good: true }]);
    assert_eq!((of("m"), of("model:m")), (of("c"), of("c")));
    assert!(of("nobody").is_empty());
    let none = |judgements: &[Judgement], why: &str| {
        assert_eq!(opinions(judgements, crowd()), (Vec::new(), why.to_owned()));
    };
    none(&all[1..3], "1 question without a majority");
    none(&all[3..], "1 question that only models answered");
    none(&[verdict("a", "defer", None)], "1 answer that is neither good nor bad");
    none(&[verdict("a", "fail", None)], "1 answer that points to no turn");
    none(&[verdict("a", "great", None)], "1 answer that the question does not take");
}

#[test]
fn bad_schemes_are_refused_with_the_line() {
    let question = |rest: &str| format!("[[question]]\nname = \"q\"\nof = \"turn\"\n{rest}");
    let two = "values = [\n  { name = \"a\", key = \"k\" },\n  { name = \"b\", key = \"k\" },\n]\n";
    let cases = [
        (question(&format!("kind = \"choice\"\n{two}")), "7:3: two values have the key `k`"),
        (question("kind = \"choice\"\n"), "4:8: \"q\" needs at least two `values`"),
        (question("kind = \"text\"\nfor = \"turns>\"\n"), "5:7: `for`: "),
        (question("kind = \"text\"\nlevel = \"ordinal\"\n"), "5:9: only a scale has a `level`"),
        (question("kind = \"text\"\ncolour = 1\n"), "5:1: unknown field `colour`"),
        (
            question("kind = \"yes\"\n"),
            "4:8: unknown variant `yes`, expected one of `choice`, `scale`, `yes-no`, `tags`, `text`",
        ),
        (question("kind = \"text\"\n").repeat(2), "6:8: two questions have the name \"q\""),
    ];
    for (text, expected) in cases {
        let why = Scheme::read(&text, "s").unwrap_err().to_string();
        assert!(why.starts_with(expected), "{why}");
    }
}
