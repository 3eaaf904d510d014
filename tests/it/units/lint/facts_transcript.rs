//! Tests of `src/lint/facts/transcript.rs`.

use turnwise::dialog::Dialog;
use turnwise::dialog::Turn;
use turnwise::lint::facts::transcript::*;
use turnwise::text::Units;

#[test]
fn turns_are_found_again() {
    let mut dialog = Dialog::new(Units::CodePoints);
    dialog.turns = ["Café ÉTOILE", "It’s OK", ""]
        .map(|text| Turn { text: text.to_owned(), ..Turn::default() })
        .into();
    let said = LowercaseTranscript::new(&dialog);
    assert_eq!(said.in_turn(0), "café étoile");
    assert_eq!(said.in_turn(1), "it's ok");
    assert_eq!(said.in_turn(2), "");
    assert_eq!(said.until(1), "café étoile\nit's ok");
}
