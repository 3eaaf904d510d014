//! Schemes of questions, and the schema of judgements.

use std::collections::BTreeSet;

use turnwise::judging::{BREAKDOWN, BUNDLED, Scheme};
use turnwise::query::{CONDITIONS, Query};

use crate::support::run;

#[test]
fn questions_of_bundled_schemes_have_short_forms_in_queries() {
    let parse = |text: String| text.parse::<Query>().unwrap();
    let mut names = BTreeSet::new();
    for (name, _) in BUNDLED.into_iter().filter(|(name, _)| *name != BREAKDOWN) {
        for question in Scheme::bundled(name).unwrap().questions {
            let question = question.name;
            let short = parse(format!("{question}:3 or {question}<3"));
            let long = format!("question:={question}=3 or question:={question}<3");
            assert_eq!(short, parse(long), "{question}");
            names.insert(question);
        }
    }
    let short = CONDITIONS.iter().filter(|key| key.doc.starts_with("short for"));
    let short: BTreeSet<_> = short.map(|key| key.name.to_owned()).collect();
    assert_eq!(short, names);
}

#[test]
fn the_schema_of_judgements_takes_what_is_written() {
    let schema: serde_json::Value =
        serde_json::from_str(&run(&["schema", "judgement"]).out).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    let takes = |text: &str| schema.is_valid(&serde_json::from_str(text).unwrap());
    assert!(takes(
        r#"{"dialog":"d","turn":0,"scheme":"quality","question":"quality","value":4,"by":"mk","when":"2026-03-01T00:00:00Z","seconds":4}"#
    ));
    // What a run keeps of a dialog about which its command said nothing.
    assert!(takes(
        r#"{"by":"model:r","dialog":"d0","digest":"d156407264db8be6","file":"a.jsonl","question":"verdict","quote":"hi","run":"r","scheme":"success","tags":[],"when":"2026-11-29T18:05:16Z"}"#
    ));
    assert!(!takes(r#"{"dialog":"d","turn":-1,"note":"","by":"mk"}"#));
}
