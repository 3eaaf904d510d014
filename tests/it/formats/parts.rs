//! Parts of chat messages: calls and answers in Anthropic's form, the model's reasoning, and calls in texts.

use turnwise::dialog::{Dialog, Payload, Role, UnreadParts};

use super::edited;

fn read(family: &str, text: &str) -> Dialog {
    let (dialog, issues) = super::read(family, text);
    assert!(issues.is_empty(), "{issues:?}");
    dialog
}

/// Each call as `turn name(arguments) → response`.
fn calls(dialog: &Dialog) -> Vec<String> {
    let shown = |payload: &Option<Payload>| match payload {
        None => "-".to_owned(),
        Some(Payload::Fields(fields)) => {
            let fields = fields.iter();
            let all = fields.map(|field| format!("{}={}", field.name, field.content.as_str()));
            all.collect::<Vec<_>>().join(",")
        }
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => text.to_string(),
    };
    let turns = dialog.turns.iter().enumerate();
    let all = turns.flat_map(|(number, turn)| turn.calls.iter().map(move |call| (number, call)));
    all.map(|(turn, call)| {
        let (arguments, response) = (shown(&call.arguments), shown(&call.response));
        format!("{turn} {}({arguments}) → {response}", call.name)
    })
    .collect()
}

fn unread(dialog: &Dialog) -> String {
    let mut all = UnreadParts::default();
    all.add_dialog(dialog);
    all.names()
}

/// Two calls in a message, which the next message answers in the other order.
const BLOCKS: &str = r#"{"messages": [
  {"role": "user", "content": "tide and wind in Porto?"},
  {"role": "assistant", "content": [{"type": "thinking", "thinking": "Two tools.", "signature": "x"},
    {"type": "text", "text": "I look."},
    {"type": "tool_use", "id": "a", "name": "get_tide", "input": {"port": "Porto"}},
    {"type": "tool_use", "id": "b", "name": "get_wind", "input": {}}]},
  {"role": "user", "content": [
    {"type": "tool_result", "tool_use_id": "b", "content": "calm"},
    {"type": "tool_result", "tool_use_id": "a", "is_error": true,
     "content": [{"type": "text", "text": "no such port"}, {"type": "image", "source": {}}]}]},
  {"role": "user", "content": [{"type": "text", "text": "and?"},
    {"type": "tool_result", "tool_use_id": "lost", "content": "1"}]},
  {"role": "assistant", "content": "Calm."}]}"#;

#[test]
fn calls_and_answers_may_be_parts_of_messages() {
    let dialog = read("messages", BLOCKS);
    assert_eq!(calls(&dialog), ["1 get_tide(port=Porto) → no such port", "1 get_wind() → calm"]);
    let texts: Vec<_> = dialog.turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(texts, ["tide and wind in Porto?", "I look.", "", "and?", "Calm."]);
    // A message of answers alone is not the user's.
    let roles: Vec<_> = dialog.turns.iter().map(|turn| turn.speaker.role).collect();
    let [user, system] = [Role::User, Role::System];
    assert_eq!(roles, [user, system, Role::Context, user, system]);
    assert_eq!(unread(&dialog), "answer without a call, image");
    let fields = |turn: usize| -> Vec<(&str, &str)> {
        let fields = dialog.turns[turn].fields.iter();
        fields.map(|field| (field.name.as_str(), field.content.as_str())).collect()
    };
    assert_eq!(fields(1), [("reasoning", "Two tools.")]);
    assert_eq!(fields(3)[0].0, "content");
    let call = &dialog.turns[1].calls[0];
    assert!(call.fields.iter().any(|field| field.name == "is_error"));
}

#[test]
fn an_edit_of_a_part_changes_its_bytes_alone() {
    let same = |record: &str, from: &str, to: &str| {
        let after = edited("messages", BLOCKS, record).unwrap_or_else(|e| panic!("{record}: {e}"));
        assert_eq!(after.text, BLOCKS.replacen(from, to, 1), "{record}");
    };
    same(
        r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"port","value":"Faro"}"#,
        r#""port": "Porto""#,
        r#""port": "Faro""#,
    );
    same(r#"{"edit":"set_api","turn":1,"call":0,"name":"tides"}"#, r#""get_tide""#, r#""tides""#);
    same(
        r#"{"edit":"rename_value","turn":1,"call":0,"part":"arguments","name":"port","to":"in"}"#,
        r#""port":"#,
        r#""in":"#,
    );
    same(
        r#"{"edit":"set_json","turn":1,"call":1,"part":"response","text":"windy"}"#,
        r#""calm""#,
        r#""windy""#,
    );
    same(
        r#"{"edit":"set_json","turn":1,"call":0,"part":"response","text":"14:10"}"#,
        "no such port",
        "14:10",
    );
    same(r#"{"edit":"set_text","turn":1,"text":"I see."}"#, "I look.", "I see.");
    let refused = |record: &str, why: &str| {
        let error = edited("messages", BLOCKS, record).unwrap_err().to_string();
        assert!(error.contains(why), "{record}: {error}");
    };
    refused(r#"{"edit":"set_text","turn":2,"text":"x"}"#, "it is the response of a call in turn 1");
    refused(
        r#"{"edit":"add_call","turn":1,"name":"f","arguments":[]}"#,
        "the calls of turn 1 cannot be edited so",
    );
    refused(r#"{"edit":"remove_call","turn":1,"call":0}"#, "would also change");
    // Without its answers, a call is a part like others.
    let record = r#"{"edit":"remove_turn","turn":2}"#;
    let without = edited("messages", BLOCKS, record).unwrap();
    assert!(calls(&without.dialog).iter().all(|call| call.ends_with("→ -")));
    let record = r#"{"edit":"remove_call","turn":1,"call":0}"#;
    let fewer = edited("messages", &without.text, record).unwrap();
    assert_eq!(calls(&fewer.dialog), ["1 get_wind() → -"]);
}

#[test]
fn other_programs_name_the_members_of_parts_and_calls_otherwise() {
    // LLaMA-Factory.
    let text = r#"{"messages": [{"role": "user", "content": [{"type": "text", "value": "hi"}]},
        {"role": "assistant", "content": [{"type": "text", "value": "yes?"}], "loss_weight": 1.0}]}"#;
    assert_eq!(read("messages", text).turns[1].text, "yes?");
    let record = r#"{"edit":"set_text","turn":1,"text":"no?"}"#;
    let after = edited("messages", text, record).unwrap();
    assert_eq!(after.text, text.replace("yes?", "no?"));
    // Inspect.
    let text = r#"{"id": 3, "epoch": 2, "messages": [{"role": "user", "content": "list"},
        {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "ls"}, {"type": "text", "text": "so"}],
         "tool_calls": [{"id": "c", "function": "bash", "arguments": {"cmd": "ls"}}]},
        {"role": "tool", "tool_call_id": "c", "function": "bash", "content": "a.txt"}]}"#;
    let dialog = read("messages", text);
    assert_eq!(dialog.id, "3-2");
    assert_eq!(calls(&dialog), ["1 bash(cmd=ls) → a.txt"]);
    assert_eq!(unread(&dialog), "");
    let record = r#"{"edit":"set_api","turn":1,"call":0,"name":"python"}"#;
    let after = edited("messages", text, record).unwrap();
    assert_eq!(after.text, text.replacen("\"bash\"", "\"python\"", 1));
}

/// A chat of `ShareGPT` in the form of Hermes: two calls in a text, and their answers in one message.
const HERMES: &str = r#"{"conversations": [{"from": "human", "value": "tides?"},
  {"from": "gpt", "value": "I look.\n<tool_call>\n{\"name\": \"tide\", \"arguments\": {\"port\": \"Porto\"}}\n</tool_call>\n<tool_call>{\"arguments\": {}, \"name\": \"wind\"}</tool_call>"},
  {"from": "tool", "value": "<tool_response>\n{\"high\": \"14:10\"}\n</tool_response>\n<tool_response>\ncalm\n</tool_response>\n"},
  {"from": "gpt", "value": "At 14:10."}]}"#;

#[test]
fn calls_in_a_text_are_calls_and_stay_text() {
    let dialog = read("sharegpt", HERMES);
    let found = ["1 tide(port=Porto) → {\"high\": \"14:10\"}", "1 wind() → calm"];
    assert_eq!(calls(&dialog), found);
    assert!(dialog.turns[1].text.contains("<tool_call>"));
    assert_eq!((dialog.turns[2].text.as_str(), unread(&dialog).as_str()), ("", ""));
    // The same in messages, also with answers of the user.
    let renamed = HERMES
        .replace("conversations", "messages")
        .replace("from", "role")
        .replace("value", "content")
        .replace("\"human\"", "\"user\"")
        .replace("\"gpt\"", "\"assistant\"");
    let by_user = renamed.replace("\"tool\"", "\"user\"");
    for text in [renamed, by_user] {
        assert_eq!(calls(&read("messages", &text)), found);
    }
}

#[test]
fn an_edit_of_a_call_in_a_text_is_an_edit_of_the_text() {
    let messages = HERMES
        .replace("conversations", "messages")
        .replace("from", "role")
        .replace("value", "content")
        .replace("\"human\"", "\"user\"")
        .replace("\"gpt\"", "\"assistant\"");
    for (family, text) in [("sharegpt", HERMES), ("messages", &messages)] {
        let same = |record: &str, from: &str, to: &str| {
            let after = edited(family, text, record).unwrap_or_else(|e| panic!("{record}: {e}"));
            assert_eq!(after.text, text.replacen(from, to, 1), "{record}");
        };
        same(
            r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"port","value":"Faro"}"#,
            "Porto",
            "Faro",
        );
        same(
            r#"{"edit":"set_api","turn":1,"call":1,"name":"winds"}"#,
            r#"\"wind\""#,
            r#"\"winds\""#,
        );
        same(
            r#"{"edit":"set_json","turn":1,"call":1,"part":"response","text":"windy"}"#,
            "calm",
            "windy",
        );
        // The text says what the calls are.
        let new = r#"{"edit":"set_text","turn":1,"text":"I look.\n<tool_call>{\"name\": \"tide\", \"arguments\": {\"port\": \"Faro\"}}</tool_call>\n<tool_call>{\"name\": \"wind\"}</tool_call>"}"#;
        let after = edited(family, text, new).unwrap();
        assert!(calls(&after.dialog)[0].starts_with("1 tide(port=Faro) → {"));
        let refused = edited(family, text, r#"{"edit":"remove_call","turn":1,"call":0}"#);
        assert!(refused.unwrap_err().to_string().contains("in the text"));
    }
}

#[test]
fn calls_may_be_written_as_code() {
    let text = |code: &str| {
        let code = serde_json::Value::from(code);
        format!(
            r#"{{"conversations": [{{"from": "user", "value": "go"}}, {{"from": "assistant", "value": {code}}},
            {{"from": "tool", "value": "[1, 2]"}}]}}"#
        )
    };
    let dialog = read(
        "sharegpt",
        &text(r#"[Get Tide(port="Por\"to", days=[1, 'b', {"c": None}], dry=True), wind()]"#),
    );
    assert_eq!(
        calls(&dialog),
        [r#"1 Get Tide(port=Por"to,days=[1, "b", {"c": null}],dry=true) → 1"#, "1 wind() → 2"]
    );
    for other in [
        "[1]",
        "[see (1)]",
        "[f(a=1) and more]",
        "[f(a=b)]",
        "[f(a=1)",
        "[f(a=1)] so",
        "[f(=1)]",
        "[]",
        "[f(a=\"1)]",
        "[f(a=é)]",
        "[Table 1 (n = 5)]",
        "[Table 1(n = 5)]",
        "[see https://x.y/z(a=1)]",
        "[Smith et al. (year=2020)]",
        "[Note (see p=1)]",
        "[Note(see p=1)]",
    ] {
        assert_eq!(calls(&read("sharegpt", &text(other))), Vec::<String>::new(), "{other}");
    }
    // What begins like calls and is none is not passed over in silence.
    for (broken, kinds) in [
        ("[f(a=1)", "calls as code"),
        ("I look.\n<function=wind>\n<parameter=port>Porto</parameter>\n</function>", "call as XML"),
        ("[Get Tide(port=\"Po", "calls as code"),
        ("[see (1)]", ""),
        ("[Top 10 Songs(year=2020)]", "calls as code"),
        ("[see https://x.y/z(a=1)]", ""),
        ("[Note(see p=1)]", ""),
    ] {
        let dialog = read("sharegpt", &text(broken));
        assert_eq!(dialog.turns[1].unread.names(), kinds, "{broken}");
    }
    let deep = format!("[f(a={}1{})]", "[".repeat(99), "]".repeat(99));
    assert_eq!(calls(&read("sharegpt", &text(&deep))), Vec::<String>::new());
    let code = text(r#"[f(a="x")]"#);
    let record =
        r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"a","value":"y"}"#;
    let refused = edited("sharegpt", &code, record).unwrap_err().to_string();
    assert!(refused.contains("written in the text"), "{refused}");
}

#[test]
fn tags_in_backticks_are_words_of_a_sentence() {
    let read_calls = |said: &str| {
        let said = serde_json::Value::from(said);
        let text = format!(
            r#"{{"messages": [{{"role": "user", "content": "go"}}, {{"role": "assistant", "content": {said}}}]}}"#
        );
        let dialog = read("messages", &text);
        (calls(&dialog), dialog.turns[1].unread.names())
    };
    let call = r#"<tool_call>{"name": "tide"}</tool_call>"#;
    let none = (Vec::new(), String::new());
    assert_eq!(read_calls(&format!("Write `{call}` in it.")), none);
    assert_eq!(read_calls("Use `<tool_call>` and `</tool_call>`."), none);
    let one = (vec!["1 tide(-) → -".to_owned()], String::new());
    for said in [
        format!("As `<tool_call>` it is:\n{call}"),
        format!("I run `tide`: {call} `now`"),
        format!("```\n{call}\n```"),
        format!("```{call}```"),
    ] {
        assert_eq!(read_calls(&said), one, "{said}");
    }
}

#[test]
fn an_answer_without_a_call_is_counted_and_keeps_its_text() {
    let lost = [
        (
            "messages",
            r#"{"messages": [{"role": "user", "content": "go"}, {"role": "tool", "tool_call_id": "a", "content": "1"}]}"#,
        ),
        (
            "messages",
            r#"{"messages": [{"role": "user", "content": "go"}, {"role": "tool", "content": "<tool_response>1</tool_response>"}]}"#,
        ),
        (
            "sharegpt",
            r#"{"conversations": [{"from": "human", "value": "go"}, {"from": "observation", "value": "1"}]}"#,
        ),
    ];
    for (family, text) in lost {
        let dialog = read(family, text);
        assert!(dialog.turns[1].text.contains('1'));
        assert_eq!(dialog.turns[1].unread.to_string(), "1 part is not read: answer without a call");
    }
}

#[test]
fn an_answer_says_why_its_call_failed() {
    let text = r#"{"messages": [{"role": "user", "content": "list"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": "bash", "arguments": {}},
          {"id": "d", "function": "bash", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "c", "content": "", "error": {"type": "timeout", "message": "too slow"}},
        {"role": "tool", "tool_call_id": "d", "content": "ok", "error": null}]}"#;
    let dialog = read("messages", text);
    let errors = |call: usize| {
        let fields = dialog.turns[1].calls[call].fields.iter();
        fields.filter(|field| field.name == "error").count()
    };
    assert_eq!((errors(0), errors(1)), (1, 0));
    let removed = edited("messages", text, r#"{"edit":"remove_turn","turn":2}"#).unwrap();
    assert_eq!(calls(&removed.dialog), ["1 bash() → -", "1 bash() → ok"]);
}

#[test]
fn a_call_may_be_answered_in_its_own_message() {
    let text = r#"{"messages": [{"role": "user", "content": "tides?"},
        {"role": "assistant", "content": [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "tides"}},
          {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"type": "web_search_result", "url": "x"}]},
          {"type": "text", "text": "At 14:10."}]}]}"#;
    let dialog = read("messages", text);
    assert_eq!(calls(&dialog), ["1 web_search(query=tides) → =null"]);
    assert_eq!(unread(&dialog), "web_search_result");
}

#[test]
fn a_part_may_be_a_call_as_json_in_its_text() {
    let text = r#"{"messages": [{"role": "user", "content": [{"type": "text", "value": "tide and wind?"}]},
        {"role": "assistant", "content": [{"type": "tool_call", "value": "{\"name\": \"tide\", \"arguments\": {\"port\": \"Porto\"}}"},
          {"type": "tool_call", "value": "{\"name\": \"wind\", \"arguments\": {}}"}, {"type": "tool_call", "value": "broken"}]},
        {"role": "tool", "content": [{"type": "text", "value": "14:10"}]}, {"role": "tool", "content": [{"type": "text", "value": "calm"}]}]}"#;
    let dialog = read("messages", text);
    assert_eq!(calls(&dialog), ["1 tide(port=Porto) → 14:10", "1 wind() → calm"]);
    assert_eq!(unread(&dialog), "tool_call");
    let same = |record: &str, from: &str, to: &str| {
        let after = edited("messages", text, record).unwrap_or_else(|e| panic!("{record}: {e}"));
        assert_eq!(after.text, text.replacen(from, to, 1), "{record}");
    };
    let value =
        r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"port","value":"Faro"}"#;
    same(value, "Porto", "Faro");
    let name = r#"{"edit":"set_api","turn":1,"call":1,"name":"winds"}"#;
    same(name, r#"\"wind\""#, r#"\"winds\""#);
    let removed = edited("messages", text, r#"{"edit":"remove_call","turn":1,"call":0}"#);
    assert!(removed.is_err());
}

#[test]
fn a_call_of_inspect_may_have_its_answer_beside_it() {
    let text = r#"{"messages": [{"role": "user", "content": "tides?"}, {"role": "assistant", "content": [
        {"type": "tool_use", "id": "s", "tool_type": "web_search", "name": "search", "arguments": "{\"q\": \"tides\"}", "result": "14:10", "error": null},
        {"type": "tool_use", "id": "m", "tool_type": "mcp_call", "name": "lookup", "arguments": "{}", "result": "", "error": "no server"},
        {"type": "text", "text": "At 14:10."}]}]}"#;
    let dialog = read("messages", text);
    assert_eq!(calls(&dialog), [r#"1 search({"q": "tides"}) → 14:10"#, "1 lookup({}) → "]);
    let error = |call: usize| {
        let mut fields = dialog.turns[1].calls[call].fields.iter();
        let error = fields.find(|field| field.name == "error");
        error.map(|error| error.content.as_str().to_owned())
    };
    assert_eq!((error(0), error(1)), (None, Some("no server".to_owned())));
    let record =
        r#"{"edit":"set_value","turn":1,"call":0,"part":"arguments","name":"q","value":"wind"}"#;
    let after = edited("messages", text, record).unwrap();
    assert_eq!(after.text, text.replacen(r#"\"tides\""#, r#"\"wind\""#, 1));
}

#[test]
fn one_message_may_answer_several_calls() {
    let answered = |asks: &str, answers: &str| {
        let said = |who: &str, text: &str| {
            let text = serde_json::Value::from(text);
            format!(r#"{{"from":"{who}","value":{text}}}"#)
        };
        let all =
            [said("human", "go"), said("gpt", asks), said("tool", answers), said("gpt", "done")];
        format!(r#"{{"conversations": [{}]}}"#, all.join(", "))
    };
    let asks = r#"[tide(port="Porto"), wind(port="Porto")]"#;
    let named = r#"[{"name": "wind", "results": 3}, {"name": "tide", "results": "14:10"}]"#;
    let text = answered(asks, named);
    let found = [
        r#"1 tide(port=Porto) → {"name": "tide", "results": "14:10"}"#,
        r#"1 wind(port=Porto) → {"name": "wind", "results": 3}"#,
    ];
    let dialog = read("sharegpt", &text);
    assert_eq!(calls(&dialog), found);
    assert_eq!(dialog.turns[2].text, "");
    let record = r#"{"edit":"set_json","turn":1,"call":1,"part":"response","text":"{\"name\": \"wind\", \"results\": 4}"}"#;
    let after = edited("sharegpt", &text, record).unwrap();
    assert_eq!(after.text, text.replacen(": 3}", ": 4}", 1));
    // Without names, each has the one at its place.
    let asks =
        "<tool_call>{\"name\": \"tide\"}</tool_call><tool_call>{\"name\": \"wind\"}</tool_call>";
    let text = answered(asks, "<tool_response>\n[{\"r\": 1}, {\"r\": 2}]\n</tool_response>");
    let in_order = ["1 tide(-) → {\"r\": 1}", "1 wind(-) → {\"r\": 2}"];
    assert_eq!(calls(&read("sharegpt", &text)), in_order);
    let record = r#"{"edit":"set_json","turn":1,"call":1,"part":"response","text":"{\"r\": 3}"}"#;
    let after = edited("sharegpt", &text, record).unwrap();
    assert_eq!(after.text, text.replacen("2}", "3}", 1));
    // A list that is the answer to one of them.
    let text = answered(asks, "[1, 2, 3]");
    assert_eq!(calls(&read("sharegpt", &text)), ["1 tide(-) → [1, 2, 3]", "1 wind(-) → -"]);
    let text =
        text.replacen(r#"{"from":"gpt","value":"done"}"#, r#"{"from":"tool","value":"3"}"#, 1);
    let text = text.replacen("[1, 2, 3]", "[1, 2]", 1);
    assert_eq!(calls(&read("sharegpt", &text)), ["1 tide(-) → [1, 2]", "1 wind(-) → 3"]);
}

#[test]
fn a_custom_tool_takes_a_text() {
    let text = r#"{"messages": [{"role": "assistant", "content": null, "tool_calls": [
        {"id": "a", "type": "custom", "custom": {"name": "py", "input": "print(1)"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "1"}]}"#;
    assert_eq!(calls(&read("messages", text)), ["0 py(input=print(1)) → 1"]);
    let record = r#"{"edit":"set_api","turn":0,"call":0,"name":"python"}"#;
    let after = edited("messages", text, record).unwrap();
    assert_eq!(after.text, text.replacen("py", "python", 1));
    let record =
        r#"{"edit":"set_value","turn":0,"call":0,"part":"arguments","name":"input","value":"2"}"#;
    let after = edited("messages", text, record).unwrap();
    assert_eq!(after.text, text.replacen("print(1)", "2", 1));
}

#[test]
fn answers_without_ids_belong_to_the_calls_that_they_name() {
    let call = |name: &str| {
        format!(r#"<tool_call>{{\"name\": \"{name}\", \"arguments\": {{}}}}</tool_call>"#)
    };
    let answer = |name: &str| {
        format!(r#"<tool_response>\n{{\"name\": \"{name}\", \"content\": 1}}\n</tool_response>"#)
    };
    let hermes = |answers: &[String]| {
        format!(
            r#"{{"conversations": [{{"from": "human", "value": "?"}}, {{"from": "gpt", "value": "{}{}"}}, {{"from": "tool", "value": "{}"}}]}}"#,
            call("tide"),
            call("wind"),
            answers.join("")
        )
    };
    let named = |dialog: &Dialog| -> Vec<String> {
        let calls = calls(dialog).into_iter();
        calls.map(|call| call.replace([' ', '\n'], "")).collect()
    };
    let wind = r#"1wind()→{"name":"wind","content":1}"#;
    let one = hermes(&[answer("wind")]);
    assert_eq!(named(&read("sharegpt", &one)), ["1tide()→-", wind]);
    let both = hermes(&[answer("wind"), answer("tide")]);
    let dialog = read("sharegpt", &both);
    assert_eq!(named(&dialog)[1], wind);
    // An edit changes the answer to its own call.
    let edit = r#"{"edit":"set_json","turn":1,"call":0,"part":"response","text":"14:10"}"#;
    let after = edited("sharegpt", &both, edit).unwrap();
    assert_eq!(after.text, both.replace(r#"{\"name\": \"tide\", \"content\": 1}"#, "14:10"));
    // A name that no call has says nothing.
    let other = hermes(&[answer("moon")]);
    assert!(named(&read("sharegpt", &other))[0].starts_with("1tide()→{"));
    let chat = r#"{"messages": [{"role": "assistant", "tool_calls": [
        {"id": "x", "function": {"name": "tide", "arguments": "{}"}}, {"id": "y", "function": {"name": "wind", "arguments": "{}"}}]},
        {"role": "tool", "name": "wind", "content": "calm"}, {"role": "tool", "name": "tide", "content": "14:10"}]}"#;
    let expected = ["0 tide({}) → 14:10", "0 wind({}) → calm"];
    assert_eq!(calls(&read("messages", chat)), expected);
}

#[test]
fn a_value_inside_an_argument_is_edited_alone() {
    let arguments =
        r#"{"edits": [{"old": "a"}, {"new": "pw=secret"}], "opt": {"k": 1, "a.b": [2]}, "n": 1}"#;
    let in_string = arguments.replace('"', "\\\"");
    let openai = format!(
        r#"{{"messages": [{{"role": "assistant", "tool_calls": [{{"id": "x", "function": {{"name": "f", "arguments": "{in_string}"}}}}]}}]}}"#
    );
    let object = format!(
        r#"{{"messages": [{{"role": "assistant", "content": [{{"type": "tool_use", "id": "x", "name": "f", "input": {arguments}}}]}}]}}"#
    );
    let gemini = format!(
        r#"{{"contents": [{{"role": "model", "parts": [{{"functionCall": {{"name": "f", "args": {arguments}}}}}]}}]}}"#
    );
    for (family, text) in [("messages", &openai), ("messages", &object), ("gemini-api", &gemini)] {
        let set = |name: &str, value: &str| {
            let edit = format!(
                r#"{{"edit":"set_value","turn":0,"call":0,"part":"arguments","name":"{name}","value":{value}}}"#
            );
            edited(family, text, &edit)
        };
        let after = set("edits[1].new", "\"pw=***\"").unwrap().text;
        assert_eq!(after, text.replace("pw=secret", "pw=***"), "{family}");
        let after = set("opt.k", "7").unwrap().text;
        let at = text.find(": 1, ").unwrap();
        assert_eq!(after, format!("{}: 7, {}", &text[..at], &text[at + 5..]), "{family}");
        for name in ["opt", "edits[1]", "edits[2].new", "opt.x", "opt.a.b"] {
            let error = set(name, "1").unwrap_err().to_string();
            assert!(error.contains("a list or an object"), "{name}: {error}");
        }
        // A new argument may have any other name.
        assert!(set("n.x", "1").is_ok(), "{family}");
    }
}

#[test]
fn calls_between_tags_may_be_dictionaries_of_python() {
    let call = "<tool_call>\\n{'arguments': {'port': 'Porto', 'all': True}, 'name': 'tide'}\\n</tool_call>";
    let json =
        r#"<tool_call>{\"name\": \"wind\", \"arguments\": {\"port\": \"Faro\"}}</tool_call>"#;
    let answer = |name: &str| {
        format!("<tool_response>{{'name': '{name}', 'content': None}}</tool_response>")
    };
    let text = format!(
        r#"{{"conversations": [{{"from": "gpt", "value": "{call}{json}"}}, {{"from": "tool", "value": "{}{}"}}]}}"#,
        answer("wind"),
        answer("tide")
    );
    let dialog = read("sharegpt", &text);
    assert_eq!(
        calls(&dialog),
        [
            "0 tide(port=Porto,all=true) → {'name': 'tide', 'content': None}",
            "0 wind(port=Faro) → {'name': 'wind', 'content': None}",
        ]
    );
    assert_eq!(unread(&dialog), "");
    let set = |call: usize| {
        let edit = format!(
            r#"{{"edit":"set_value","turn":0,"call":{call},"part":"arguments","name":"port","value":"Lagos"}}"#
        );
        edited("sharegpt", &text, &edit)
    };
    assert_eq!(set(1).unwrap().text, text.replace("Faro", "Lagos"));
    assert!(set(0).unwrap_err().to_string().contains("in the text"));
}
