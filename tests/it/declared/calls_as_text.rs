//! Calls that an agent writes into its text, and actions that nobody knows.

use turnwise::dialog::{Edit, Payload, Role};
use turnwise::format::named;

use super::edited;
use super::sessions::{calls, only, unread};

/// A history of Cline, whose model has no calls of tools.
const CLINE: &str = r#"[
 {"role": "user", "content": [{"type": "text", "text": "<task>\nWhen is high tide?\n</task>"},
   {"type": "text", "text": "<environment_details>linux</environment_details>"}]},
 {"role": "assistant", "content": [{"type": "text", "text": "<thinking>The table has it.</thinking>\n\nI look. A <path> may be <b>long</b>.\n<read_file>\n<path>tides.md</path>\n</read_file>"}]},
 {"role": "user", "content": [{"type": "text", "text": "[read_file for 'tides.md'] Result:"},
   {"type": "text", "text": "14:10\n"}, {"type": "text", "text": "<environment_details>linux</environment_details>"}]},
 {"role": "assistant", "content": "<write_to_file><path>a.html</path><content>\n<p>14:10</p>\n</content></write_to_file> and <list_files><path>.</path></list_files>"},
 {"role": "user", "content": "[write_to_file for 'a.html'] Result:\nSaved.\n\n[list_files for '.'] Result:\na.html"},
 {"role": "assistant", "content": "Call read_file with <read_file> like this: <read_file>\n<path>tides.md"},
 {"role": "assistant", "content": "<attempt_completion>\n<result>At 14:10.</result>\n</attempt_completion>"}]"#;

#[test]
fn calls_that_are_elements_of_a_text_are_calls() {
    let dialog = only(CLINE);
    assert_eq!(
        calls(&dialog),
        [
            "1 read_file → 14:10",
            "3 write_to_file → Saved.",
            "3 list_files → a.html",
            "6 attempt_completion → -",
        ]
    );
    let Some(Payload::Fields(written)) = &dialog.turns[3].calls[0].arguments else {
        panic!("no arguments");
    };
    assert_eq!(written[1].content.as_str(), "<p>14:10</p>");
    // The texts are as they are; one call breaks off.
    assert!(dialog.turns[1].text.ends_with("</read_file>"));
    assert!(
        dialog.turns[2].text.starts_with("[read_file")
            && dialog.turns[2].speaker.role == Role::Context
    );
    assert_eq!(unread(&dialog), "call as XML");
    // Another chat may tell of them.
    let other = CLINE.replace("task>", "b>").replace("environment_details", "i");
    let dialog = only(&other);
    assert_eq!((calls(&dialog).len(), unread(&dialog).as_str()), (0, ""));
}

/// As in "I use this tool now".
#[test]
fn a_tool_that_is_mentioned_hides_no_call() {
    let dialog = only(&CLINE.replace("I look. A <path>", "I use <read_file> now. A <path>"));
    assert_eq!(calls(&dialog)[0], "1 read_file → 14:10");
    assert_eq!(unread(&dialog), "call as XML");
}

#[test]
fn a_call_that_is_an_element_of_a_text_is_edited_as_text() {
    let format = named("message-list").unwrap();
    let changed = |record: &str| {
        let edit: Edit = serde_json::from_str(record).unwrap();
        edited(format, CLINE, &edit)
    };
    let text = r#"{"edit":"set_text","turn":6,"text":"<attempt_completion><result>Soon.</result></attempt_completion>"}"#;
    let after = changed(text).unwrap();
    assert_eq!(
        after.text,
        CLINE.replace(
            r"<attempt_completion>\n<result>At 14:10.</result>\n</attempt_completion>",
            "<attempt_completion><result>Soon.</result></attempt_completion>"
        )
    );
    let answer = r#"{"edit":"set_text","turn":4,"text":"[write_to_file for 'a.html'] Result:\nNo.\n[list_files for '.'] Result:\n-"}"#;
    let after = changed(answer).unwrap();
    assert_eq!(calls(&after.dialog)[1], "3 write_to_file → No.");
    for record in [
        r#"{"edit":"set_api","turn":1,"call":0,"name":"open"}"#,
        r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"path","value":"b"}"#,
        r#"{"edit":"set_json","turn":1,"call":0,"part":"response","text":"b"}"#,
        r#"{"edit":"remove_call","turn":1,"call":0}"#,
    ] {
        let error = changed(record).unwrap_err().to_string();
        assert!(error.contains("written in the text"), "{error}");
    }
}

#[test]
fn a_command_in_a_text_is_a_call() {
    let text = r#"{"history": [
      {"role": "system", "content": "Fix it."}, {"role": "user", "content": "Empty.", "message_type": "observation"},
      {"role": "assistant", "content": "DISCUSSION\nI look.\n```\nls\n```", "action": "ls\n", "message_type": "action"},
      {"role": "user", "content": "tides.py", "message_type": "observation"},
      {"role": "assistant", "content": "Done.", "action": "", "message_type": "action"},
      {"role": "user", "content": "Thanks.", "message_type": "observation"},
      {"role": "assistant", "content": "Once more.", "action": "x", "tool_calls": [
        {"id": "t", "type": "function", "function": {"name": "bash", "arguments": "{}"}}]}]}"#;
    let dialog = only(text);
    assert_eq!(calls(&dialog), ["2 action → tides.py", "6 bash → -"]);
    assert_eq!(unread(&dialog), "");
    let texts: Vec<_> = dialog.turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!((texts[1], texts[3], texts[5]), ("Empty.", "", "Thanks."));
}

#[test]
fn actions_of_unknown_kinds_are_named() {
    let metadata = r#""tool_call_metadata": {"tool_call_id": "c1", "function_name": "dive"}"#;
    let text = format!(
        r#"[{{"id": 0, "source": "user", "action": "message", "args": {{"content": "Tide?"}}}},
         {{"id": 1, "source": "agent", "action": "dive", "args": {{"depth": 2}}, {metadata}}},
         {{"id": 2, "source": "agent", "observation": "dive", "cause": 1, "content": "wet", "extras": {{}}, {metadata}}},
         {{"id": 3, "source": "agent", "action": "surface", "args": {{"speed": 1}}}},
         {{"id": 4, "source": "agent", "action": "run", "args": {{"command": "ls"}}, {metadata}}},
         {{"id": 5, "source": "agent", "action": "recall", "args": {{}}}}]"#
    );
    let dialog = only(&text);
    assert_eq!(calls(&dialog), ["1 dive → wet", "4 run → -"]);
    assert_eq!(unread(&dialog), "surface");
    let roles: Vec<_> = dialog.turns.iter().map(|turn| turn.speaker.role).collect();
    assert_eq!(roles[2], Role::Context);
    assert_eq!(roles[5], Role::Context);
    let fields = &dialog.turns[3].fields;
    assert!(fields.iter().any(|field| field.name == "args.speed"), "{fields:?}");
}
