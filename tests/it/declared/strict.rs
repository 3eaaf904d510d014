//! Formats whose parts have the types of their places, and votes in dialogs of any form.

use turnwise::dialog::{Breakdown, Edit};

use super::{declared, edited, read};

/// Turns with numbers, calls that repeat them, spans and votes.
const FORMAT: &str = r#"name = "errands"
has = ["talk[*].says"]
strict = true
known = ["place", "talk[*].heard"]
id = "id"
[turn]
at = "talk[*]"
number = "n"
speaker = "who"
text = "says"
new = { heard = "" }
[span]
at = "parts[*]"
start = "from"
end = "to"
label = "kinds[*].kind"
new = {}
[call]
at = "calls[*]"
number = "of"
name = "tool"
arguments = "with"
[vote]
at = "votes[*]"
answer = "is"
annotator = "by"
"#;

const DIALOG: &str = r#"{"id": "a", "place": "Ghent", "talk": [
  {"n": 0, "who": "user", "says": "Post it", "heard": "09:00", "parts": [{"from": 0, "to": 4, "kinds": [{"kind": "verb"}]}]},
  {"n": 1, "who": "system", "says": "Done", "heard": "09:01", "calls": [{"of": 1, "tool": "post", "with": {"what": "it"}}],
   "votes": [{"by": "w1", "is": "O"}]}]}"#;

#[test]
fn values_of_another_type_and_missing_parts_are_issues() {
    let format = declared(FORMAT);
    let issues = |from: &str, to: &str| {
        assert!(DIALOG.contains(from), "{from}");
        super::issues(format, &DIALOG.replacen(from, to, 1))
    };
    assert_eq!(issues("Ghent", "Ghent"), [""; 0]);
    assert_eq!(issues(r#""id": "a""#, r#""id": 7"#), ["`id` should be a string, found 7"]);
    assert_eq!(issues(r#""n": 0, "#, ""), ["the turn lacks `n`"]);
    assert_eq!(issues(r#""from": 0"#, r#""from": "0""#).len(), 1);
    assert_eq!(issues(r#"{"kind": "verb"}"#, "{}"), ["the value lacks `kind`"]);
    assert_eq!(issues(r#""with": {"what": "it"}"#, r#""with": null"#).len(), 1);
    assert_eq!(
        issues(r#""is": "O""#, r#""is": "o""#),
        ["`is` should be \"O\", \"T\" or \"X\", found \"o\""]
    );
    // Of a member that is repeated, the last one counts.
    assert_eq!(issues(r#""n": 0"#, r#""n": "0", "n": 0"#), [""; 0]);
}

#[test]
fn known_values_are_shown_as_such() {
    let dialog = read(declared(FORMAT), DIALOG);
    let fields = dialog.fields.iter().chain(&dialog.turns[0].fields);
    let fields: Vec<_> = fields.map(|field| (field.name.as_str(), field.known)).collect();
    assert_eq!(fields, [("place", true), ("heard", true)]);
}

#[test]
fn votes_are_cast_and_changed() {
    let format = declared(FORMAT);
    assert!(format.has_votes());
    let cast = |annotator: &str| Edit::CastVote {
        turn: 1,
        annotator: annotator.to_owned(),
        breakdown: Breakdown::X,
        comment: None,
        ungrammatical: None,
    };
    let changed = edited(format, DIALOG, &cast("w1")).unwrap();
    assert_eq!(changed.text, DIALOG.replace(r#""is": "O""#, r#""is": "X""#));
    let more = edited(format, DIALOG, &cast("w2")).unwrap();
    assert!(more.text.contains(r#"{"by": "w1", "is": "O"}, {"by": "w2", "is": "X"}"#));
    assert_eq!(more.dialog.turns[1].votes[1].breakdown, Some(Breakdown::X));
    let back = Edit::WithdrawVote { turn: 1, annotator: "w2".to_owned() };
    assert_eq!(edited(format, &more.text, &back).unwrap().text, DIALOG);
}

#[test]
fn numbers_of_turns_and_their_calls_follow_and_new_turns_have_the_texts_of_all() {
    let format = declared(FORMAT);
    let new = Edit::AddTurn { turn: 1, speaker: "user".to_owned(), text: "Now".to_owned() };
    let added = edited(format, DIALOG, &new).unwrap();
    assert!(added.text.contains(r#"{"n": 1, "who": "user", "says": "Now", "heard": ""}"#));
    assert!(added.text.contains(r#"{"of": 2, "tool": "post""#), "{}", added.text);
    let gone = edited(format, &added.text, &Edit::RemoveTurn { turn: 1 }).unwrap();
    assert_eq!(gone.text, DIALOG);
}
