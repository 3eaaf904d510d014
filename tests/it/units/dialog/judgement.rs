//! Tests of `src/dialog/judgement.rs`.

use turnwise::dialog::*;
use turnwise::text::Units;

fn dialog(texts: &[&str]) -> Dialog {
    let mut dialog = Dialog::new(Units::CodePoints);
    "d".clone_into(&mut dialog.id);
    let turn = |text: &&str| Turn { text: (*text).to_owned(), ..Turn::default() };
    dialog.turns = texts.iter().map(turn).collect();
    dialog
}

#[test]
fn a_judgement_notices_that_what_it_judged_has_changed() {
    let before = dialog(&["hi", "Grüße aus Köln"]);
    let span = Place { span: Some([10, 14]), ..Place::turn(1) };
    let [whole, turn, span] =
        [Place::DIALOG, Place::turn(1), span].map(|place| Judgement::of(&before, place));
    assert_eq!((turn.quote.as_str(), span.quote.as_str()), ("Grüße aus Köln", "Köln"));
    let after = dialog(&["hello", "Grüße aus Köln"]);
    let fit = [&whole, &turn, &span].map(|judgement| judgement.fits(&after));
    assert_eq!(fit, [false, true, true]);
    assert!(!turn.fits(&dialog(&["hi"])));
    // One that quotes nothing, of a model, fits whatever the text is.
    let bare = Judgement { quote: String::new(), digest: String::new(), ..turn };
    assert!(bare.fits(&before));
    // As long as there is what it is about.
    assert!(!bare.fits(&dialog(&["hi"])));
    let pointing = Judgement { at: Some(2), ..Judgement::default() };
    assert!(!pointing.fits(&before));
}

#[test]
fn files_are_named_by_the_ends_of_their_paths() {
    let of = |file: &str, path: &str| {
        let file = file.to_owned();
        let judgement = Judgement { file, ..Judgement::default() };
        judgement.is_of_file(path)
    };
    assert!(of("", "/x/a.json") && of("a.json", "/x/a.json") && of("x/a.json", "/x/a.json"));
    assert!(of("x/a.json", r"C:\x\a.json"));
    assert!(!of("a.json", "/x/aa.json") && !of("y/x/a.json", "x/a.json"));
}

#[test]
fn long_texts_are_quoted_by_their_beginning() {
    let long = "é".repeat(100);
    let judgement = Judgement::of(&dialog(&[&long]), Place::turn(0));
    assert_eq!(judgement.quote.chars().count(), 81);
    assert!(!judgement.fits(&dialog(&[&format!("{long}!")])));
}

#[test]
fn lines_leave_out_what_is_empty() {
    let mut judgement = Judgement::of(&dialog(&["hi"]), Place::turn(0));
    judgement.by = "mk".to_owned();
    judgement.value = Some(Answer::Number(4.into()));
    let line = serde_json::to_string(&judgement).unwrap();
    assert!(
        line.starts_with(r#"{"dialog":"d","turn":0,"value":4,"by":"mk","quote":"hi","digest":""#),
        "{line}"
    );
    assert_eq!(serde_json::from_str::<Judgement>(&line).unwrap(), judgement);
}
