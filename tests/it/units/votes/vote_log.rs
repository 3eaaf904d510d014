//! Tests of `src/votes/vote_log.rs`.

use turnwise::dialog::{Content, Dialog, Turn};
use turnwise::dialog::{Extent, Field, Vote};
use turnwise::format::CALLS_DIGEST;
use turnwise::text::Units;
use turnwise::votes::vote_log::*;

fn dialog(id: &str, texts: &[&str]) -> Dialog {
    let mut dialog = Dialog::new(Units::CodePoints);
    id.clone_into(&mut dialog.id);
    let turn = |text: &&str| Turn { text: (*text).to_owned(), ..Turn::default() };
    dialog.turns = texts.iter().map(turn).collect();
    dialog
}

#[test]
fn logs_are_distinguished_by_their_utterances() {
    let judged = dialog("d", &["hi", "hello", "bye", "so long"]);
    let logs = || {
        let logs = [
            dialog("d", &["hi", "no", "no", "no"]),
            dialog("d", &["hi", "hello", "bye"]),
            dialog("d", &["hi", "hello", "see you", "so long"]),
            dialog("d", &["hi", "hello", "no", "no"]),
        ];
        logs.into_iter().enumerate()
    };
    let (number, _) = belonging(&judged, "a.json", logs()).expect("one belongs to it");
    assert_eq!(number, 2);
    assert!(belonging(&dialog("d", &["a", "b"]), "a.json", logs()).is_none());
    // It has grown since it was judged, in the file that the log names.
    let mut log = dialog("d", &["hi", "hello"]);
    assert_eq!(shared(&judged, "a.json", &log), None);
    log.fields.push(Field {
        name: "group-id".into(),
        content: Content::Text("a.json".into()),
        known: true,
        at: Extent::default(),
    });
    assert_eq!(shared(&judged, "a.json", &log), Some(2));
    // It was renamed, too.
    assert_eq!(shared(&judged, "b.json", &log), Some(2));
    // A call that was open when its turn was judged has got its answer.
    let mut answered = judged.clone();
    answered.turns[0].calls.push(turnwise::dialog::ApiCall::default());
    answered.turns[1].calls.push(turnwise::dialog::ApiCall::default());
    let mut open = log.clone();
    for turn in &mut open.turns {
        turn.fields.push(Field {
            name: CALLS_DIGEST.into(),
            content: Content::Text("0".into()),
            known: true,
            at: Extent::default(),
        });
    }
    assert_eq!(shared(&answered, "a.json", &open), Some(0));
    assert_eq!(shared(&answered, "b.json", &open), None);
    log.turns[1].text = "no".to_owned();
    assert_eq!(shared(&judged, "a.json", &log), None);
    // A turn of those that were there may have changed, too.
    let mut longer = dialog("d", &["hi", "hello", "see you"]);
    longer.fields = log.fields.clone();
    assert_eq!(shared(&judged, "a.json", &longer), Some(2));
    assert_eq!(shared(&judged, "b.json", &longer), None);
    // It was cut.
    longer.turns[2].text = "bye".to_owned();
    assert_eq!(shared(&dialog("d", &["hi", "hello"]), "a.json", &longer), Some(2));
    assert_eq!(shared(&dialog("d", &["hi", "no"]), "a.json", &longer), None);
    assert_eq!(log_id(&judged, "a", 3), "d");
    assert_eq!(log_id(&dialog("", &[]), "a", 3), "a-3");
}

#[test]
fn votes_are_on_their_turns() {
    let mut judged = dialog("d", &["hi", "hello"]);
    let mut log = judged.clone();
    log.turns[1].votes = vec![Vote::default()];
    attach(&mut judged, log);
    assert_eq!((judged.turns[0].votes.len(), judged.turns[1].votes.len()), (0, 1));
}
