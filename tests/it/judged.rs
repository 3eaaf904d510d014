//! Queries of a blind judge; `tests/cases/cli/judged.md` shows those of everybody else.

use turnwise::corpus::{JudgementLines, JudgementStore};
use turnwise::query::{DialogSource, HiddenAnswers, Query, Target};

use crate::support::files::open;

const CORPUS: &str = r#"[{"conversation_id": "d", "utterances": [
  {"index": 0, "speaker": "USER", "text": "A table for two on Friday"},
  {"index": 1, "speaker": "ASSISTANT", "text": "I booked Saturday"},
  {"index": 2, "speaker": "USER", "text": "Hm"}]}]
"#;

const MK: &str = r#"{"dialog":"d","scheme":"success","question":"verdict","value":"fail","at":1,"by":"mk"}
{"dialog":"d","turn":1,"scheme":"quality","question":"quality","value":2,"by":"mk"}
{"dialog":"d","turn":1,"note":"another Day","tags":["wrong-date"],"by":"mk","quote":"I booked Saturday"}
"#;

const JS: &str = r#"{"dialog":"d","scheme":"success","question":"verdict","value":"pass","by":"js"}
{"dialog":"d","turn":2,"span":[0,2],"scheme":"e","question":"code","value":["vague","Short"],"by":"js","quote":"Hm"}
"#;

#[test]
fn a_blind_judge_finds_own_judgements_alone() {
    let file = open(CORPUS.into());
    let (mut dialog, _) = file.dialog(0).unwrap().unwrap();
    let mut store = JudgementStore::default();
    store.add(0, 0, JudgementLines::read(MK.as_bytes()));
    store.add(1, 0, JudgementLines::read(JS.as_bytes()));
    store.attach(&mut dialog, 0, "/c/a.json", "d");
    let found = |query: &str, annotator: &str| {
        let target = Target {
            source: DialogSource {
                annotator,
                hidden: HiddenAnswers::Others,
                ..DialogSource::default()
            },
            ..Target::new(&dialog, &[])
        };
        let matches = query.parse::<Query>().unwrap().matches(&target).turns;
        let found = matches.iter().enumerate().filter(|(_, found)| **found);
        found.map(|(turn, _)| turn).collect::<Vec<_>>()
    };
    for query in ["verdict:*", "tag:*", "note:*", "by:*", "judged", "question:quality"] {
        assert!(found(query, "").is_empty(), "{query}");
    }
    assert_eq!(found("verdict:*", "mk"), [1]);
    assert_eq!(found("judged", "js"), [0, 2]);
    assert!(found("question:verdict=$v then question:verdict!=$v", "mk").is_empty());
}
