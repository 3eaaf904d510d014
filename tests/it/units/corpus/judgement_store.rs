//! Tests of `src/corpus/judgement_store.rs`.

use turnwise::corpus::*;
use turnwise::dialog::Turn;
use turnwise::dialog::{Dialog, Judgement};
use turnwise::text::Units;

#[test]
fn the_last_answer_counts_if_it_fits_the_file_and_the_text() {
    let mut store = JudgementStore::default();
    let read = |text: &str| JudgementLines::read(text.as_bytes());
    store.add(
        0,
        0,
        read(concat!(
            r#"{"dialog":"d","turn":0,"question":"q","value":1,"by":"mk"}"#,
            "\nbroken\n",
            r#"{"dialog":"d","turn":0,"question":"q","value":2,"by":"mk"}"#,
            "\n",
            r#"{"dialog":"d","turn":0,"question":"r","value":3,"by":"mk","quote":"bye"}"#,
        )),
    );
    store.add(
        1,
        0,
        read(concat!(
            r#"{"file":"b.json","dialog":"d","turn":0,"question":"q","value":4,"by":"js"}"#,
            "\n",
            r#"{"file":"a.json","dialog":"d","note":"n","by":"js"}"#,
            "\n",
            r#"{"dialog":"e","note":"n","by":"js"}"#,
        )),
    );
    let mut dialog = Dialog::new(Units::CodePoints);
    dialog.turns = vec![Turn { text: "hi".to_owned(), ..Turn::default() }];
    let met = store.attach(&mut dialog, 0, "/x/a.json", "d");
    let met: Vec<_> = met.iter().map(|met| (met.number, met.fits)).collect();
    assert_eq!(met, [(0, true), (1, true), (2, false), (4, true)]);
    let says: Vec<_> = dialog.judgements.iter().map(Judgement::says).collect();
    assert_eq!(says, ["2", "note"]);
    let outdated: Vec<_> = dialog.outdated.iter().map(Judgement::says).collect();
    assert_eq!(outdated, ["3"]);
    let places: Vec<_> = store.iter().map(|(_, file, at)| (file, at)).collect();
    assert_eq!(places.len(), 6);
    assert_eq!(places[1], (0, 66));
    assert!(store.attach(&mut dialog, 0, "a.json", "f").is_empty());
}
