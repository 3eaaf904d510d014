//! Dialogs that are the members of one object, keyed by their ids.

use turnwise::corpus::{Arrangement, DialogRef, IdLookup};
use turnwise::dialog::Edit;

use crate::support::files::{open, saved};
use crate::support::{run_in, scratch};

/// Three dialogs in the form of Taskmaster-3 by their ids, and a member that is not a dialog.
const KEYED: &str = r#"{
  "version": [1, 0],
  "dlg-a": {"conversation_id": "dlg-a", "vertical": "", "utterances": [
    {"index": 0, "speaker": "user", "text": "Two for Nosferatu."}
  ]},
  "note": "made by hand",
  "dlg\u002db" : {
    "conversation_id": "dlg-b", "vertical": "", "utterances": []},
  "dlg-c": {"conversation_id": "dlg-c", "vertical": "", "utterances": [
    {"index": 0, "speaker": "user", "text": "Hi"}
  ]}
}
"#;

#[test]
fn members_of_an_object_are_dialogs() {
    let file = open(KEYED.as_bytes().to_vec());
    let index = file.index();
    assert_eq!(index.arrangement, Arrangement::Keyed);
    assert_eq!(index.pieces.len(), 3);
    let others = index.others.iter();
    let others = others.map(|piece| &KEYED[piece.start as usize..piece.end as usize]);
    let expected = ["\"version\"", "1", "0", "\"note\"", "\"made by hand\""];
    let mut others: Vec<_> = others.collect();
    others.sort_by_key(|text| expected.iter().position(|e| e == text));
    assert_eq!(others, expected);
    let ids = (0..3).map(|i| file.dialog(i).unwrap().unwrap().0.id);
    assert_eq!(ids.collect::<Vec<_>>(), ["dlg-a", "dlg-b", "dlg-c"]);
    for (id, position) in [("dlg-a", 0), ("dlg-b", 1), ("dlg-c", 2)] {
        let found = file.find(&DialogRef::Id(id.to_owned())).unwrap();
        assert_eq!(found, IdLookup::Found(position), "{id}");
    }
}

#[test]
fn an_edit_changes_one_value_and_no_key() {
    let mut file = open(KEYED.as_bytes().to_vec());
    let edit = Edit::SetText {
        turn: 0,
        text: "Hello".to_owned(),
        drop: false,
        shrink: false,
    };
    assert_eq!(file.edit(2, &edit), Ok(true));
    let expected = KEYED.replace("\"Hi\"", "\"Hello\"");
    assert_eq!(String::from_utf8(saved(&file)).unwrap(), expected);
    assert_eq!(file.undo(), Some(2));
    assert_eq!(saved(&file), KEYED.as_bytes());
}

#[test]
fn a_few_dialogs_among_other_members_are_not_a_corpus() {
    let text = r#"{"a": {}, "b": {"x": 1}, "dlg-c": {"conversation_id": "c", "vertical": "", "utterances": []}}"#;
    let file = open(text.as_bytes().to_vec());
    assert_eq!(file.index().arrangement, Arrangement::Single);
    assert!(file.format().is_none());
}

#[test]
fn commands_read_keyed_dialogs() {
    let folder = scratch();
    let broken = KEYED.replace("\"text\": \"Hi\"", "\"text\" \"Hi\"");
    std::fs::write(folder.path().join("good.json"), KEYED).unwrap();
    std::fs::write(folder.path().join("broken.json"), broken).unwrap();
    let ran = run_in(folder.path(), &["check", "good.json"], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    let ran = run_in(
        folder.path(),
        &["show", "good.json", "--dialog", "dlg-c"],
        "",
    );
    assert!(ran.code == 0 && ran.out.contains("Hi"), "{ran:?}");
    let ran = run_in(folder.path(), &["check", "broken.json"], "");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.out.contains("broken.json:10:44"), "{ran:?}");
}
