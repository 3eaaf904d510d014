//! Ids in sessions: those by which answers belong to calls are read, and all others are fields.

use turnwise::dialog::Dialog;

use super::sessions::{calls, only, sample, unread};

/// The fields of a turn whose names end in `id`, as `name=value`.
fn ids(dialog: &Dialog, turn: usize) -> Vec<String> {
    let fields = dialog.turns[turn].fields.iter();
    let ids = fields.filter(|field| field.name.ends_with("id"));
    ids.map(|field| format!("{}={}", field.name, field.content.as_str())).collect()
}

#[test]
fn an_id_that_pairs_nothing_is_a_field() {
    let atif = sample("atif");
    assert_eq!(ids(&only(&atif), 1), [""; 0]);
    let orphan = atif.replacen("\"source_call_id\": \"t1\"", "\"source_call_id\": \"t9\"", 1);
    let dialog = only(&orphan);
    assert_eq!(calls(&dialog), ["1 get_tide → -"]);
    assert_eq!(ids(&dialog, 1), ["observation.results[0].source_call_id=t9"]);
    assert_eq!(unread(&dialog), "answer without a call");
    // The id of an item that is neither a call nor an answer.
    let dialog = only(&sample("response-items"));
    assert_eq!(ids(&dialog, 1), ["id=rs_1"]);
    assert_eq!(ids(&dialog, 2), [""; 0]);
}

#[test]
fn ids_of_lines_that_are_not_that_of_the_dialog_are_fields() {
    let lines = [
        r#"{"type": "session", "id": "h-1"}"#,
        r#"{"type": "message", "id": "m1", "parentId": null, "message": {"role": "user", "content": "tides?"}}"#,
        r#"{"type": "message", "id": "h-1", "parentId": "m1", "message": {"role": "assistant", "content": "At 14:10."}}"#,
    ];
    let dialog = only(&lines.join("\n"));
    assert_eq!(dialog.id, "h-1");
    assert_eq!(ids(&dialog, 0), ["id=m1"]);
    assert_eq!(ids(&dialog, 1), [""; 0]);
}
