//! The model's reasoning at the head of a text: `<think>…</think>`.

use turnwise::format::REASONING_FIELD;

use super::{clean, edited};

const THOUGHT: &str = r"<think>\nThe table has it.\n</think>\n\n";

/// A chat in the form of a family, in which `said` is what the assistant says.
fn chat(family: &str, said: &str) -> String {
    let user = "When is high tide?";
    match family {
        "sharegpt" => format!(
            r#"{{"conversations": [{{"from": "human", "value": "{user}"}}, {{"from": "gpt", "value": "{said}"}}]}}"#
        ),
        "requests" => format!(
            r#"{{"request": {{"messages": [{{"role": "user", "content": "{user}"}}]}}, "response": {{"choices": [{{"message": {{"role": "assistant", "content": "{said}"}}}}]}}}}"#
        ),
        _ => format!(
            r#"{{"messages": [{{"role": "user", "content": "{user}"}}, {{"role": "assistant", "content": "{said}"}}]}}"#
        ),
    }
}

#[test]
fn an_edit_of_a_text_keeps_the_reasoning_before_it() {
    for family in ["messages", "sharegpt", "requests"] {
        let text = chat(family, &format!("{THOUGHT}At 14:10."));
        for new in ["At 15:20.", "", "<think>What?</think>"] {
            let edit = format!(r#"{{"edit":"set_text","turn":1,"text":"{new}"}}"#);
            let after = edited(family, &text, &edit).unwrap().text;
            assert_eq!(after, text.replace("At 14:10.", new), "{family}");
        }
        let edit = r#"{"edit":"set_speaker","turn":1,"speaker":"user"}"#;
        assert!(edited(family, &text, edit).is_err(), "{family}");
        // What was said may become reasoning.
        let plain = chat(family, "Hm. At 14:10.");
        let edit = r#"{"edit":"set_text","turn":1,"text":"<think>Hm.</think>At 14:10."}"#;
        let after = edited(family, &plain, edit).unwrap();
        assert_eq!(after.text, plain.replace("Hm. At", "<think>Hm.</think>At"), "{family}");
        let mut fields = after.dialog.turns.iter().flat_map(|turn| &turn.fields);
        let thought = fields.find(|field| field.name == REASONING_FIELD).unwrap();
        assert_eq!(thought.content.as_str(), "Hm.", "{family}");
    }
}

#[test]
fn calls_behind_reasoning_are_edited_in_their_text() {
    for family in ["messages", "sharegpt"] {
        let call = |port: &str| {
            format!(
                r#"<tool_call>{{\"name\": \"tide\", \"arguments\": {{\"port\": \"{port}\"}}}}</tool_call>"#
            )
        };
        // The model thinks of another call before it makes one.
        let head = format!("<think>Shall I {}?</think>\\n", call("Faro"));
        let text = chat(family, &format!("{head}{}", call("Porto")));
        assert_eq!(clean(family, &text).turns[1].calls.len(), 1, "{family}");
        let edit = r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"port","value":"Lagos"}"#;
        let after = edited(family, &text, edit).unwrap().text;
        assert_eq!(after, text.replace("Porto", "Lagos"), "{family}");
    }
}
