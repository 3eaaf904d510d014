//! Tests of `src/judging/opinions.rs`.

use turnwise::dialog::{Answer, Dialog, Judgement};
use turnwise::dialog::{Place, Turn};
use turnwise::export::{LeftOut, Opinion};
use turnwise::judging::*;
use turnwise::text::Units;
use turnwise::votes::VoteSource;

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
    let of = opinions.unwrap().of(&dialog, &mut left_out);
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
    none(&all[3..], "1 answer of a model alone");
    none(&[verdict("a", "defer", None)], "1 answer that is neither good nor bad");
    none(&[verdict("a", "fail", None)], "1 answer that points to no turn");
    none(&[verdict("a", "great", None)], "1 answer that the question does not take");
}
