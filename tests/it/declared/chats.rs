//! Chats by a description of one's own: the response of a call is the text of a later turn.

use turnwise::dialog::{CallPart, Edit, EditValue};
use turnwise::format::Family;

use super::{declared, edited, read};

/// A call of turn 1 with its response in turn 2.
const ANSWERED: &str = r#"{"steps": [{"who": "u", "say": "hi"},
    {"who": "a", "say": "", "calls": [{"fn": "f", "cid": "c1", "args": "{}"}]},
    {"who": "t", "for": "c1", "say": "{\"ok\": true}", "note": "{\"at\": 1}"}]}"#;

/// A description by which responses are in later turns.
fn answered(response: &str) -> &'static Family {
    declared(&format!(
        "name = \"own\"\nhas = [\"steps[*].who\"]\n[turn]\nat = \"steps[*]\"\nspeaker = \"who\"\n\
         user = [\"u\"]\nsystem = [\"a\"]\nhidden = [\"t\"]\ntext = \"say\"\n\
         [[span]]\nat = \"marks[*]\"\nstart = \"from\"\nend = \"to\"\nlabel = \"l\"\n\
         [call]\nat = \"calls[*]\"\nname = \"fn\"\nid = \"cid\"\n\
         arguments = {{ at = \"args\", json = \"string\" }}\nresponse = {{ {response} }}\n"
    ))
}

fn set_response(text: &str) -> Edit {
    Edit::SetJson { turn: 1, call: 0, part: CallPart::Response, text: text.to_owned() }
}

/// Another text for turn 2.
fn said_there() -> Edit {
    Edit::SetText { turn: 2, text: "x".to_owned(), drop: true, shrink: false }
}

/// The response of a call is the text of a later turn, however it is tied to its call and whatever it holds.
#[test]
fn a_response_in_a_later_turn_is_edited_in_its_call() {
    let (turn, call, part, name) = (1, 0, CallPart::Response, "ok".to_owned());
    let value = EditValue::Flag(false);
    let to = "fine".to_owned();
    #[rustfmt::skip]
    let edits = [
        (Edit::SetValue { turn, call, part, name: name.clone(), value }, r#"{\"ok\": false}"#),
        (Edit::RenameValue { turn, call, part, name: name.clone(), to }, r#"{\"fine\": true}"#),
        (Edit::RemoveValue { turn, call, part, name }, "{}"),
        (set_response("[1]"), "[1]"),
    ];
    for ties in [r#"of = "t", id = "for""#, r#"id = "for""#, r#"of = "t""#] {
        for json in ["", r#", json = "string""#, r#", json = "string-or-text""#] {
            let format = answered(&format!(r#"{ties}, at = "say"{json}"#));
            assert_eq!(read(format, ANSWERED).turns[2].text, "", "{ties}{json}");
            for (edit, response) in &edits {
                let after = edited(format, ANSWERED, edit).unwrap().text;
                let expected = ANSWERED.replace(r#"{\"ok\": true}"#, response);
                assert_eq!(after, expected, "{ties}{json}: {edit:?}");
            }
            let refused = edited(format, ANSWERED, &said_there()).unwrap_err();
            let reason = "also change the result of call 0 of turn 1";
            assert!(refused.to_string().contains(reason), "{ties}{json}: {refused}");
        }
    }
}

#[test]
fn a_text_is_edited_in_its_turn_unless_it_is_a_response() {
    // No call asked for it.
    let format = answered(r#"of = "t", id = "for", at = "say", json = "string""#);
    let unasked = ANSWERED.replace("\"cid\": \"c1\"", "\"cid\": \"c2\"");
    edited(format, &unasked, &said_there()).unwrap();
    // Segments count its characters.
    let marks = "\"marks\": [{\"from\": 2, \"to\": 4, \"l\": \"m\"}], \"note\":";
    let marked = ANSWERED.replace("\"note\":", marks);
    for (edit, reason) in [
        (said_there(), "also change the result of call 0 of turn 1"),
        (set_response("[1]"), "also change the text of turn 2"),
    ] {
        let refused = edited(format, &marked, &edit).unwrap_err().to_string();
        assert!(refused.contains(reason), "{refused}");
    }
    // The response is beside it.
    let format = answered(r#"of = "t", id = "for", at = "note", json = "string""#);
    edited(format, ANSWERED, &said_there()).unwrap();
    edited(format, ANSWERED, &set_response("[1]")).unwrap();
}
