//! Dialogs that are the members of one object, keyed by their ids.

use turnwise::corpus::{Arrangement, DialogRef, IdLookup};
use turnwise::format::Family;

use crate::support::files::{open, own_files, without_key};
use crate::support::{amount, run_in, scratch};

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

/// The same dialogs as an array and as the members of one object, keyed by their positions.
fn both_arrangements(pieces: &[String]) -> [String; 2] {
    let keyed = pieces.iter().enumerate();
    let keyed: Vec<_> =
        keyed.map(|(position, piece)| format!("\"dlg-{position}\": {piece}")).collect();
    [format!("[{}]", pieces.join(",")), format!("{{{}}}", keyed.join(","))]
}

#[test]
fn many_commands_say_the_same_of_keyed_dialogs_as_of_an_array() {
    let commands: [&[&str]; 6] = [
        &["show", "c.json", "--problems"],
        &["lint", "c.json", "--format", "records"],
        &["fix", "c.json", "--unsafe-fixes", "--diff=dialog"],
        &["apply", "-", "c.json", "--diff=dialog"],
        &["find", "turn:0", "c.json", "--format", "ids"],
        &["check", "c.json"],
    ];
    let edit = r#"{"edit":"set_text","dialog":0,"turn":0,"text":"Hello again.","drop":true}"#;
    let (mut files, mut changes) = (0, 0);
    for path in own_files() {
        let file = open(std::fs::read(&path).unwrap());
        let pieces = 0..file.index().pieces.len();
        let pieces: Vec<_> = pieces
            .filter_map(|position| file.text(position).ok())
            .map(|piece| without_key(&piece).to_owned())
            .collect();
        if file.format().is_none_or(Family::has_votes) || pieces.len() < 2 {
            continue;
        }
        let [array, keyed] = both_arrangements(&pieces);
        // Formats that take ids from keys have none in an array.
        if open(array.clone().into_bytes()).format().is_none() {
            continue;
        }
        let folders = [scratch(), scratch()];
        std::fs::write(folders[0].path().join("c.json"), array).unwrap();
        std::fs::write(folders[1].path().join("c.json"), keyed).unwrap();
        // Each file with every second command.
        let (first, step) = amount((files % 2, 2), (0, 1));
        for command in commands.into_iter().skip(first).step_by(step) {
            let [of_array, of_keyed] = [0, 1].map(|i| run_in(folders[i].path(), command, edit));
            let name = path.display();
            // Where the id is the key, only the keyed file has ids.
            let plain = |text: &str| text.replace("dlg-0", "").replace("dlg-1", "");
            assert_eq!(of_array.code, of_keyed.code, "{name} {command:?}");
            assert_eq!(
                plain(&of_array.out).lines().count(),
                plain(&of_keyed.out).lines().count(),
                "{name} {command:?}: {}\n{}",
                of_array.out,
                of_keyed.out
            );
            changes += usize::from(command[0] == "apply" && of_keyed.out.contains("Hello again."));
        }
        files += 1;
    }
    assert!(files > 5 && changes >= amount(files / 2, files), "{files} {changes}");
}
