//! Tests of `src/judging/question.rs`.

use turnwise::dialog::{Answer, Dialog, Place};
use turnwise::dialog::{Judgement, Turn};
use turnwise::judging::*;
use turnwise::text::Units;

#[test]
fn codes_are_asked_for_where_the_annotator_found_a_failure() {
    let scheme = Scheme::bundled("error-analysis").unwrap();
    let code = scheme.question("code").unwrap();
    let mut dialog = Dialog::new(Units::CodePoints);
    dialog.turns = vec![Turn::default(), Turn::default()];
    let verdict = |by: &str, value: &str| Judgement {
        scheme: scheme.name.clone(),
        question: "verdict".to_owned(),
        value: Some(Answer::Text(value.to_owned())),
        at: Some(1),
        by: by.to_owned(),
        ..Judgement::default()
    };
    dialog.judgements = vec![verdict("mk", "fail"), verdict("js", "pass")];
    assert_eq!(code.places(&dialog, "mk"), [Place::DIALOG]);
    assert!(code.places(&dialog, "js").is_empty());
    assert!(code.places(&dialog, "").is_empty());
    let question = scheme.question("verdict").unwrap();
    assert_eq!(question.places(&dialog, "js"), [Place::DIALOG]);
}
