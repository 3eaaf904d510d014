//! Answers in sessions of agents, wherever they are, and the problems of calls without one.

use turnwise::dialog::{Edit, Role};
use turnwise::format::named;

use super::edited;
use super::sessions::{calls, only, sample, unread};
use crate::support::{run_in, scratch};

#[test]
fn reasoning_that_only_a_mark_tells_apart_is_not_said() {
    let dialog = only(&sample("gemini-api"));
    let turn = &dialog.turns[1];
    assert_eq!(turn.text, "I look it up.");
    let [thought] = turn.fields.as_slice() else {
        panic!("{:?}", turn.fields);
    };
    assert_eq!(
        (thought.name.as_str(), thought.content.as_str()),
        ("reasoning", "The table has it.")
    );
    let edit = r#"{"edit":"set_text","turn":1,"text":"I see."}"#;
    let edit: Edit = serde_json::from_str(edit).unwrap();
    let text = sample("gemini-api");
    let after = edited(named("gemini-api").unwrap(), &text, &edit).unwrap();
    assert_eq!(after.text, text.replacen("I look it up.", "I see.", 1));
}

/// A trajectory of ATIF with one step of the agent.
fn step(members: &str) -> String {
    format!(
        r#"{{"schema_version": "ATIF-v1.7", "steps": [{{"step_id": 1, "source": "user", "message": "tides?"}},
        {{"step_id": 2, "source": "agent", "message": "I look.", {members}}}]}}"#
    )
}

#[test]
fn answers_beside_calls_may_lack_their_ids() {
    let calls_of = r#""tool_calls": [{"tool_call_id": "a", "function_name": "tide", "arguments": {}},
        {"tool_call_id": "b", "function_name": "wind", "arguments": {}}]"#;
    let results =
        |results: &str| step(&format!(r#"{calls_of}, "observation": {{"results": [{results}]}}"#));
    let in_order = only(&results(r#"{"content": "14:10"}, {"content": "calm"}"#));
    assert_eq!(calls(&in_order), ["1 tide → 14:10", "1 wind → calm"]);
    let mixed = only(&results(
        r#"{"content": "calm"}, {"source_call_id": "a", "content": "14:10"}, {"content": "lost"}"#,
    ));
    assert_eq!(calls(&mixed), ["1 tide → 14:10", "1 wind → calm"]);
    let null = only(&results(
        r#"{"source_call_id": null, "content": "14:10"}, {"source_call_id": "b", "content": "calm"}"#,
    ));
    assert_eq!(calls(&null), ["1 tide → 14:10", "1 wind → calm"]);
    assert_eq!(unread(&null), "");
    // Without calls, it is what happened.
    let alone = step(r#""observation": {"results": [{"content": "a prompt"}, {"ref": "x"}]}"#);
    let alone = only(&alone);
    let fields = alone.turns[1].fields.iter();
    let fields: Vec<_> = fields.map(|field| field.content.as_str()).collect();
    assert_eq!((fields, unread(&alone).as_str()), (vec!["a prompt", "x"], ""));
}

#[test]
fn answers_without_ids_belong_to_calls_by_their_names_or_places() {
    let call = |name: &str, id: &str| {
        format!(
            r#"{{"type": "function"{id}, "function": {{"name": "{name}", "arguments": "{{}}"}}}}"#
        )
    };
    let asked = |calls: &[String]| {
        format!(r#"{{"role": "assistant", "content": "", "tool_calls": [{}]}}"#, calls.join(","))
    };
    let answer =
        |members: &str, text: &str| format!(r#"{{"role": "tool"{members}, "content": "{text}"}}"#);
    let in_both = |rows: &[String]| {
        let first = r#"{"role": "user", "content": "?"}"#;
        let list = format!("[{first}, {}]", rows.join(","));
        let request = format!(
            r#"{{"request": {{"messages": {list}}}, "response": {{"choices": [{{"message": {{"role": "assistant", "content": "ok"}}}}]}}}}"#
        );
        let [one, other] = [list, request].map(|text| {
            let dialog = only(&text);
            (calls(&dialog), unread(&dialog))
        });
        assert_eq!(one, other);
        one
    };
    let two = asked(&[call("a", ""), call("b", "")]);
    let [q, b, a] = ["q", "b", "a"]
        .map(|name| answer(&format!(r#", "name": "{name}""#), &format!("of {name}")));
    let (read, lost) = in_both(&[two.clone(), q, b, a]);
    assert_eq!(read, ["1 a → of a", "1 b → of b"]);
    assert_eq!(lost, "answer without a call");
    let rows = [asked(&[call("a", "")]), asked(&[call("b", "")])];
    let rows = [rows.as_slice(), &[answer("", "1"), answer("", "2")]].concat();
    assert_eq!(in_both(&rows).0, ["1 a → 1", "2 b → 2"]);
    let partly = asked(&[call("a", r#", "id": "x""#), call("b", "")]);
    let rows = [partly, answer("", "?"), answer(r#", "tool_call_id": "x""#, "of a")];
    assert_eq!(in_both(&rows).0, ["1 a → of a", "1 b → ?"]);
    // Somebody has said something since.
    let said = r#"{"role": "user", "content": "well?"}"#.to_owned();
    let (read, lost) = in_both(&[two, said, answer("", "1")]);
    assert_eq!(read, ["1 a → -", "1 b → -"]);
    assert_eq!(lost, "answer without a call");
}

#[test]
fn an_answer_before_its_call_is_its_answer() {
    let text = sample("claude-code");
    let mut lines: Vec<_> = text.lines().collect();
    lines.swap(3, 4);
    let text = lines.join("\n");
    let dialog = only(&text);
    assert_eq!(calls(&dialog), ["3 get_tide → no such port"]);
    assert_eq!(unread(&dialog), "");
    let refused = |record: &str, why: &str| {
        let edit: Edit = serde_json::from_str(record).unwrap();
        let error = edited(named("claude-code").unwrap(), &text, &edit).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    };
    refused(r#"{"edit":"set_text","turn":2,"text":"x"}"#, "it is the response of a call in turn 3");
    let edit = r#"{"edit":"set_json","turn":3,"call":0,"part":"response","text":"15:20"}"#;
    let edit: Edit = serde_json::from_str(edit).unwrap();
    let after = edited(named("claude-code").unwrap(), &text, &edit).unwrap();
    assert_eq!(after.text, text.replacen("no such port", "15:20", 1));
}

#[test]
fn lint_finds_calls_of_sessions_that_are_broken_or_never_answered() {
    let item = |payload: &str| {
        format!(
            r#"{{"timestamp":"2025-01-01T09:00:00Z","type":"response_item","payload":{payload}}}"#
        )
    };
    let call = |id: &str, arguments: &str| {
        let arguments = serde_json::Value::from(arguments);
        item(&format!(
            r#"{{"type":"function_call","name":"tide","arguments":{arguments},"call_id":"{id}"}}"#
        ))
    };
    let said = |text: &str| {
        item(&format!(
            r#"{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"{text}"}}]}}"#
        ))
    };
    let lines = [
        said("I look."),
        call("a", "{\"port\": \"Porto\""),
        item(r#"{"type":"function_call_output","call_id":"a","output":"14:10"}"#),
        call("b", "{}"),
        item(r#"{"type":"web_search_call","id":"w","action":{"query":"tides"}}"#),
        said("At 14:10."),
    ];
    let folder = scratch();
    let told = |lines: &[String]| {
        std::fs::write(folder.path().join("s.jsonl"), lines.join("\n")).unwrap();
        let select = "chat-arguments-broken,chat-call-unanswered,api-json-broken";
        run_in(folder.path(), &["lint", "s.jsonl", "--select", select], "").out
    };
    let out = told(&lines);
    let count = |rule: &str| out.matches(rule).count();
    assert_eq!(
        (count("[chat-arguments-broken]"), count("[chat-call-unanswered]")),
        (1, 1),
        "{out}"
    );
    // Also if no call of the session is answered.
    let out = told(&[call("b", "{}"), said("At 14:10.")]);
    assert!(out.contains("tide has no answer"), "{out}");
}

#[test]
fn a_request_to_the_responses_api_may_be_alone() {
    let text = r#"{"model": "m", "instructions": "Be kind.", "input": [{"role": "user", "content": "tides?"},
        {"type": "function_call", "call_id": "a", "name": "tide", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "14:10"}]}"#;
    let dialog = only(text);
    assert_eq!(calls(&dialog), ["1 tide → 14:10"]);
    assert_eq!(unread(&dialog), "");
}

#[test]
fn calls_with_one_id_are_answered_in_their_order() {
    let item = |payload: String| {
        format!(
            r#"{{"timestamp":"2025-01-01T09:00:00Z","type":"response_item","payload":{payload}}}"#
        )
    };
    let call = |name: &str| {
        item(format!(
            r#"{{"type":"function_call","name":"{name}","arguments":"{{}}","call_id":"c"}}"#
        ))
    };
    let answer = |text: &str| {
        item(format!(r#"{{"type":"function_call_output","call_id":"c","output":"{text}"}}"#))
    };
    let said = item(r#"{"type":"message","role":"user","content":[{"text":"Go on."}]}"#.to_owned());
    let lines = [call("lost"), said, call("one"), call("two"), answer("1"), answer("2")];
    let dialog = only(&lines.join("\n"));
    assert_eq!(calls(&dialog), ["0 lost → -", "2 one → 1", "3 two → 2"]);
}

/// Names tell apart calls that have the same id, also an empty one.
#[test]
fn calls_with_one_id_are_answered_by_their_names() {
    for id in ["x", ""] {
        let call = |name: &str| {
            format!(
                r#"{{"id": "{id}", "type": "function", "function": {{"name": "{name}", "arguments": "{{}}"}}}}"#
            )
        };
        let answer = |name: &str| {
            format!(
                r#"{{"role": "tool", "tool_call_id": "{id}", "name": "{name}", "content": "of {name}"}}"#
            )
        };
        let rows = [
            r#"{"role": "user", "content": "?"}"#.to_owned(),
            format!(
                r#"{{"role": "assistant", "content": "", "tool_calls": [{}, {}]}}"#,
                call("a"),
                call("b")
            ),
            answer("b"),
            answer("a"),
        ];
        let list = rows.join(", ");
        for text in [format!("[{list}]"), format!(r#"{{"messages": [{list}]}}"#)] {
            let dialog = only(&text);
            assert_eq!(calls(&dialog), ["1 a → of a", "1 b → of b"], "{text}");
        }
    }
}

/// Trajectories of SWE-agent before 1.0 do not say which messages of the user are observations.
#[test]
fn observations_may_be_plain_messages_of_the_user() {
    let acts = |command: &str| {
        format!(
            r#"{{"role": "assistant", "content": "{command}", "thought": "t", "action": "{command}", "agent": "main"}}"#
        )
    };
    let said = |text: &str| format!(r#"{{"role": "user", "content": "{text}", "agent": "main"}}"#);
    let rows = [
        r#"{"role": "system", "content": "h", "agent": "main"}"#.to_owned(),
        said("the issue"),
        acts("ls x"),
        said("of x"),
        acts("ls y"),
        said("of y"),
    ];
    let dialog = only(&format!(r#"{{"history": [{}]}}"#, rows.join(", ")));
    assert_eq!(calls(&dialog), ["2 action → of x", "4 action → of y"]);
    let texts: Vec<_> = dialog.turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(texts, ["h", "the issue", "ls x", "", "ls y", ""]);
    assert_eq!(unread(&dialog), "");
}

#[test]
fn calls_of_one_name_in_messages_in_a_row_are_answered_in_their_order() {
    let call = |text: &str| {
        format!(
            r#"{{"role": "model", "parts": [{text}{{"functionCall": {{"name": "tide", "args": {{}}}}}}]}}"#
        )
    };
    let answers = |texts: &[&str]| {
        let parts = texts.iter().map(|text| {
            format!(r#"{{"functionResponse": {{"name": "tide", "response": {{"at": "{text}"}}}}}}"#)
        });
        let parts: Vec<_> = parts.collect();
        format!(r#"{{"role": "user", "parts": [{}]}}"#, parts.join(", "))
    };
    let read = |contents: &[String]| {
        calls(&only(&format!(r#"{{"contents": [{}]}}"#, contents.join(", "))))
    };
    let user = r#"{"role": "user", "parts": [{"text": "go"}]}"#;
    for text in ["", r#"{"text": "Also this."}, "#] {
        let all = [user.to_owned(), call(""), call(text), answers(&["1", "2"])];
        assert_eq!(read(&all), ["1 tide → 1", "2 tide → 2"]);
    }
    let again = [call(""), answers(&["1"]), call(""), answers(&["2"])];
    assert_eq!(read(&again), ["0 tide → 1", "2 tide → 2"]);
    let lost = [call(""), user.to_owned(), call(""), answers(&["1"])];
    assert_eq!(read(&lost), ["0 tide → -", "2 tide → 1"]);
}

#[test]
fn the_input_of_a_request_may_be_one_text() {
    for rest in [
        r#""instructions": "Be kind.""#,
        r#""output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "At 14:10."}]}]"#,
    ] {
        let text = format!(r#"{{"model": "m", "input": "tides?", {rest}}}"#);
        let dialog = only(&text);
        let first = &dialog.turns[0];
        assert_eq!((first.speaker.role, first.text.as_str()), (Role::User, "tides?"));
        assert!(dialog.fields.iter().all(|field| field.name != "input"));
        assert_eq!(dialog.turns.len(), 1 + usize::from(rest.contains("14:10")));
        let edit = r#"{"edit":"set_text","turn":0,"text":"wind?"}"#;
        let edit: Edit = serde_json::from_str(edit).unwrap();
        let after = edited(named("responses").unwrap(), &text, &edit).unwrap();
        assert_eq!(after.text, text.replacen("tides?", "wind?", 1));
    }
}

#[test]
fn what_no_rule_reads_is_named() {
    let inner = step(r#""tool_calls": []"#);
    let text = step(&format!(
        r#""subagent": 1}}], "subagent_trajectories": [{{"subagent_trajectories": [{inner}]}}], "end": [{{"x": 1"#
    ));
    assert_eq!(unread(&only(&text)), "subagent_trajectories");
    let text = r#"{"history": [{"role": "user", "content": "go"}, {"role": "assistant", "content": "I look."},
        {"role": "tool", "content": "1", "tool_call_ids": ["lost"]}]}"#;
    let dialog = only(text);
    assert_eq!(unread(&dialog), "answer without a call");
    assert_eq!(dialog.turns[2].text, "1");
    let text = r#"{"sessionId": "s", "projectHash": "h", "messages": [{"type": "user", "content": "look"},
        {"type": "gemini", "content": "I look.", "toolCalls": [{"id": "q", "name": "read", "args": {"p": "a"}, "result": [
          {"functionResponse": {"name": "read", "response": {"output": "ok"}, "parts": [{"inlineData": {"mimeType": "image/gif", "data": "A"}}]}},
          {"inlineData": {"mimeType": "image/png", "data": "A"}}]}]}]}"#;
    let dialog = only(text);
    assert_eq!(unread(&dialog), "image/gif, image/png");
    assert_eq!(calls(&dialog), ["1 read → ok"]);
}

#[test]
fn actions_that_end_or_think_are_calls() {
    let text = r#"[{"id": 0, "source": "user", "action": "message", "args": {"content": "tides?"}},
        {"id": 1, "source": "agent", "action": "think", "args": {"thought": "The table."}},
        {"id": 2, "source": "agent", "observation": "think", "cause": 1, "content": "noted", "extras": {}},
        {"id": 3, "source": "agent", "action": "finish", "args": {"final_thought": "At 14:10."}}]"#;
    assert_eq!(calls(&only(text)), ["1 think → noted", "3 finish → -"]);
}

#[test]
fn a_stream_of_claude_code_is_a_session() {
    let text = r#"{"type": "system", "subtype": "init", "session_id": "s-1"}
{"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": "go"}]}, "session_id": "s-1"}
{"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "ls", "input": {}}]}, "session_id": "s-1"}
{"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "a.txt"}]}, "session_id": "s-1"}
{"type": "result", "subtype": "success", "session_id": "s-1"}"#;
    let dialog = only(text);
    assert_eq!((dialog.id.as_str(), unread(&dialog).as_str()), ("s-1", ""));
    assert_eq!(calls(&dialog), ["1 ls → a.txt"]);
}

#[test]
fn contents_without_roles_are_the_users() {
    let text = r#"{"contents": [{"parts": [{"text": "tides?"}]}, {"role": "model", "parts": [{"function_call": {"name": "tide", "args": {}}}]},
        {"role": "user", "parts": [{"function_response": {"name": "tide", "response": {"at": "14:10"}}}]}]}"#;
    let dialog = only(text);
    assert_eq!(dialog.turns[0].speaker.role, Role::User);
    assert_eq!(
        (calls(&dialog), unread(&dialog)),
        (vec!["1 tide → 14:10".to_owned()], String::new())
    );
}

#[test]
fn an_image_in_an_answer_is_counted_once() {
    let text = r#"{"type": "session", "harness": "pi", "id": "p"}
{"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": "look"}]}}
{"type": "message", "message": {"role": "assistant", "content": [{"type": "toolCall", "id": "t1", "name": "read", "arguments": {"p": "x.png"}}]}}
{"type": "message", "message": {"role": "toolResult", "toolCallId": "t1", "content": [{"type": "text", "text": "Read it"}, {"type": "image", "data": "AA", "mimeType": "image/png"}]}}"#;
    let dialog = only(text);
    assert_eq!(calls(&dialog), ["1 read → Read it"]);
    let images: Vec<_> = dialog.turns[2].unread.kinds().collect();
    assert_eq!(images.len(), 1);
    assert_eq!((images[0].0.as_str(), images[0].1), ("image", 1));
    assert_eq!(dialog.turns[2].fields.iter().filter(|f| f.name == "image").count(), 1);
}

#[test]
fn a_response_in_its_call_has_a_mark_beside_it() {
    let text = sample("gemini-cli").replacen("success", "error", 1);
    let call = &only(&text).turns[1].calls[0];
    let marks: Vec<_> = call.fields.iter().filter(|field| field.known).collect();
    assert_eq!(marks.len(), 1);
    assert_eq!((marks[0].name.as_str(), marks[0].content.as_str()), ("status", "error"));
    let folder = scratch();
    std::fs::write(folder.path().join("a.json"), &text).unwrap();
    for (query, found) in [("response:status=error", 0), ("response:status=success", 1)] {
        let ran = run_in(folder.path(), &["find", query, "a.json"], "");
        assert_eq!(ran.code, found, "{query}: {ran:?}");
    }
}

/// The turns that a query finds in a file.
fn found(name: &str, text: &str, query: &str) -> Vec<u64> {
    let folder = scratch();
    std::fs::write(folder.path().join(name), text).unwrap();
    let ran = run_in(folder.path(), &["find", query, name, "--format", "jsonl"], "");
    let lines = ran.out.lines();
    let turn = |line: &str| -> serde_json::Value { serde_json::from_str(line).unwrap() };
    lines.filter_map(|line| turn(line)["turn"].as_u64()).collect()
}

#[test]
fn what_comes_after_an_answer_comes_after_its_turn() {
    let line = |kind: &str, content: &str| {
        format!(
            r#"{{"type": "{kind}", "sessionId": "s", "message": {{"role": "{kind}", "content": [{content}]}}}}"#
        )
    };
    let call = |id: &str| {
        format!(r#"{{"type": "tool_use", "id": "{id}", "name": "read", "input": {{}}}}"#)
    };
    let answer = |id: &str, failed: bool| {
        format!(
            r#"{{"type": "tool_result", "tool_use_id": "{id}", "content": "x", "is_error": {failed}}}"#
        )
    };
    let text = [
        line("user", r#"{"type": "text", "text": "Read both."}"#),
        line("assistant", &call("a")),
        line("assistant", &call("b")),
        line("user", &answer("a", true)),
        line("user", &answer("b", false)),
        line("assistant", r#"{"type": "text", "text": "Both are fine."}"#),
    ]
    .join("\n");
    let found = |query: &str| found("s.jsonl", &text, query);
    assert_eq!(found("response:is_error=true"), [1]);
    assert_eq!(found("response:is_error=true then speaker:system"), [5]);
    assert_eq!(found("api:read then speaker:system"), [2, 5]);
    assert_eq!(found("response:is_error=false next speaker:system"), [5]);
}

#[test]
fn reasoning_and_lost_answers_are_searched() {
    let thought = r#"{"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "<think>The key is sekret.</think>No."}]}"#;
    for (query, turns) in [
        ("sekret", &[1][..]),
        ("in:reasoning sekret", &[1]),
        ("in:utterance sekret", &[]),
        ("in:reasoning key speaker:system", &[1]),
    ] {
        assert_eq!(found("a.json", thought, query), turns, "{query}");
    }
    let atif = sample("atif").replacen("\"source_call_id\": \"t1\", ", "", 1);
    let terminal = atif.replacen("\"tool_calls\": [{\"tool_call_id\": \"t1\", \"function_name\": \"get_tide\", \"arguments\": {\"port\": \"Porto\"}}],", "", 1);
    assert_ne!(terminal, atif);
    for query in ["14:10", "in:answer 14:10"] {
        assert_eq!(found("a.json", &terminal, query), [1], "{query}");
    }
    let orphan = r#"[{"role": "user", "content": "?"}, {"role": "assistant", "content": "Hm."},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "sekret"}]}]"#;
    assert_eq!(found("a.json", orphan, "sekret"), [2]);
}

/// Events of the SDK of `OpenHands`: a call that could not be made, one that was refused, and what nobody says.
#[test]
fn events_of_the_openhands_sdk_are_calls_and_answers() {
    let call = |id: &str, action: &str| {
        format!(
            r#"{{"kind": "ActionEvent", "id": "a{id}", "source": "agent", "thought": [], "action": {action}, "tool_name": "tide", "tool_call_id": "{id}",
            "tool_call": {{"id": "{id}", "name": "tide", "arguments": "{{\"port\": \"{id}\"}}"}}}}"#
        )
    };
    let events = [
        r#"{"kind": "SystemPromptEvent", "id": "s", "source": "agent", "system_prompt": {"type": "text", "text": "You know the tides."}, "tools": []}"#.to_owned(),
        r#"{"kind": "MessageEvent", "id": "m", "source": "user", "llm_message": {"role": "user", "content": [{"type": "text", "text": "How high is it?"}, {"type": "image", "image_urls": ["x"]}]}}"#.to_owned(),
        call("t1", "null"),
        r#"{"kind": "AgentErrorEvent", "id": "e", "source": "agent", "tool_name": "tide", "tool_call_id": "t1", "error": "no such port"}"#.to_owned(),
        call("t2", r#"{"kind": "TideAction"}"#),
        r#"{"kind": "UserRejectObservation", "id": "r", "source": "environment", "tool_name": "tide", "tool_call_id": "t2", "action_id": "at2", "rejection_reason": "not now"}"#.to_owned(),
        r#"{"kind": "Condensation", "id": "c", "source": "environment", "forgotten_event_ids": [], "summary": "They spoke."}"#.to_owned(),
        r#"{"kind": "NewEvent", "id": "n", "source": "environment"}"#.to_owned(),
    ];
    let dialog = only(&format!("[{}]", events.join(",\n")));
    assert_eq!(calls(&dialog), ["2 tide → no such port", "4 tide → not now"]);
    assert_eq!(unread(&dialog), "NewEvent, image");
    let said = |role: Role| {
        let turns = dialog.turns.iter().filter(|turn| turn.speaker.role == role);
        turns.map(|turn| turn.text.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(said(Role::User), ["How high is it?"]);
    assert_eq!(said(Role::System), ["", ""]);
}

/// Why Inspect could not read the arguments of a call, which is beside them, and why a call failed, which is beside its answer.
#[test]
fn errors_of_inspect_are_found_beside_answers() {
    let folder = scratch();
    let text = r#"{"id": 1, "epoch": 1, "messages": [{"role": "user", "content": "list"},
        {"role": "assistant", "content": "so", "tool_calls": [{"id": "c", "function": "bash", "arguments": {}, "parse_error": "no JSON"},
          {"id": "d", "function": "bash", "arguments": {}, "parse_error": null}]},
        {"role": "tool", "tool_call_id": "c", "function": "bash", "content": "", "error": {"type": "parsing", "message": "no JSON"}},
        {"role": "tool", "tool_call_id": "d", "function": "bash", "content": "ok", "error": null},
        {"role": "assistant", "content": "again", "tool_calls": [{"id": "e", "function": "bash", "arguments": {}, "parse_error": null}]}]}"#;
    std::fs::write(folder.path().join("log.json"), format!("[{text}]")).unwrap();
    for (query, code) in [
        ("response:parse_error=\"no JSON\"", 0),
        ("response:error.type=parsing", 0),
        ("turn:4 response:parse_error", 1),
    ] {
        let ran = run_in(folder.path(), &["find", query, "log.json"], "");
        assert_eq!(ran.code, code, "{query}: {ran:?}");
    }
}

/// The lines that `show` prints below the calls of a file.
fn shown(text: &str) -> Vec<String> {
    let folder = scratch();
    std::fs::write(folder.path().join("a.json"), text).unwrap();
    let ran = run_in(folder.path(), &["show", "a.json"], "");
    let lines = ran.out.lines().map(str::trim);
    let lines = lines.filter(|line| ["→", "!"].iter().any(|sign| line.starts_with(sign)));
    lines.map(str::to_owned).collect()
}

#[test]
fn the_failure_of_a_call_is_shown_and_searched() {
    let failed = r#"[{"messages": [{"role": "user", "content": "list"},
        {"role": "assistant", "tool_calls": [{"id": "c", "function": "bash", "arguments": {}}, {"id": "d", "function": "bash", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "c", "content": "", "error": {"type": "timeout", "message": "sekret"}},
        {"role": "tool", "tool_call_id": "d", "content": "ok", "error": false}]}]"#;
    let error = r#"! error={"type": "timeout", "message": "sekret"}"#;
    assert_eq!(shown(failed), ["→", error, "→ ok"]);
    for query in ["sekret", "in:answer sekret", "response:error.type=timeout"] {
        assert_eq!(found("a.json", failed, query), [1], "{query}");
    }
    let part = |mark: &str| {
        format!(
            r#"[{{"role": "user", "content": "?"}}, {{"role": "assistant", "content": [{{"type": "tool_use", "id": "t", "name": "f", "input": {{}}}}]}},
            {{"role": "user", "content": [{{"type": "tool_result", "tool_use_id": "t", "content": "no", "is_error": {mark}}}]}}]"#
        )
    };
    assert_eq!(shown(&part("true")), ["→ no", "! is_error=true"]);
    assert_eq!(shown(&part("false")), ["→ no"]);
    let run = |extras: &str| {
        format!(
            r#"[{{"id": 0, "source": "user", "action": "message", "args": {{"content": "?"}}}},
            {{"id": 1, "source": "agent", "action": "run", "args": {{"command": "ls"}}}},
            {{"id": 2, "source": "agent", "observation": "run", "cause": 1, "content": "no", "extras": {extras}}}]"#
        )
    };
    let code = run(r#"{"metadata": {"exit_code": 2}}"#);
    assert_eq!(shown(&code), ["→ no", "! exit_code=2"]);
    let query = "response:exit_code=2";
    assert_eq!(found("a.json", &code, query), [1]);
    assert_eq!(shown(&run(r#"{"metadata": {"exit_code": 0}}"#)), ["→ no"]);
    assert_eq!(shown(&run(r#"{"exit_code": 1}"#)), ["→ no", "! exit_code=1"]);
    let event = |kind: &str, member: &str| {
        format!(
            r#"[{{"kind": "MessageEvent", "id": "m", "source": "user", "llm_message": {{"role": "user", "content": [{{"type": "text", "text": "?"}}]}}}},
            {{"kind": "ActionEvent", "id": "a", "source": "agent", "thought": [], "tool_name": "f", "tool_call_id": "t", "tool_call": {{"id": "t", "name": "f", "arguments": "{{}}"}}}},
            {{"kind": "{kind}", "id": "e", "source": "agent", "tool_name": "f", "tool_call_id": "t", "{member}": "no"}}]"#
        )
    };
    for (kind, member) in
        [("AgentErrorEvent", "error"), ("UserRejectObservation", "rejection_reason")]
    {
        let lines = ["→ no".to_owned(), format!("! {member}=no")];
        assert_eq!(shown(&event(kind, member)), lines);
    }
}

/// Two calls with one id in two messages of the model, the second one tried again, and one answer: in each form.
#[test]
fn a_call_that_was_tried_again_is_the_one_that_is_answered() {
    let line = |role: &str, part: &str| {
        format!(
            r#"{{"type": "{role}", "sessionId": "s", "message": {{"role": "{role}", "content": [{part}]}}}}"#
        )
    };
    let used = r#"{"type": "tool_use", "id": "c", "name": "f", "input": {}}"#;
    let result = r#"{"type": "tool_result", "tool_use_id": "c", "content": "1"}"#;
    let said = |role: &str, part: &str| format!(r#"{{"role": "{role}", "content": [{part}]}}"#);
    let asked = r#"{"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}"#;
    let answer = r#"{"role": "tool", "tool_call_id": "c", "content": "1"}"#;
    let act = |members: &str| {
        format!(
            r#"{{"step_id": 2, "source": "agent", "message": "", "tool_calls": [{{"tool_call_id": "c", "function_name": "f", "arguments": {{}}}}]{members}}}"#
        )
    };
    let seen = r#", "observation": {"results": [{"source_call_id": "c", "content": "1"}]}"#;
    let first = r#"{"role": "user", "content": "?"}"#;
    let steps = |rows: &[String]| {
        format!(
            r#"{{"schema_version": "ATIF-v1.7", "steps": [{{"step_id": 1, "source": "user", "message": "?"}}, {}]}}"#,
            rows.join(", ")
        )
    };
    let [use_line, result_line] = [line("assistant", used), line("user", result)];
    let [use_part, result_part] = [said("assistant", used), said("user", result)];
    let forms = [
        format!(
            "{}\n{use_line}\n{use_line}\n{result_line}",
            line("user", r#"{"type": "text", "text": "?"}"#)
        ),
        format!("[{first}, {use_part}, {use_part}, {result_part}]"),
        format!(r#"{{"messages": [{first}, {use_part}, {use_part}, {result_part}]}}"#),
        format!("[{first}, {asked}, {asked}, {answer}]"),
        format!(r#"{{"messages": [{first}, {asked}, {asked}, {answer}]}}"#),
        steps(&[act(""), act(seen)]),
    ];
    for text in forms {
        let dialog = only(&text);
        assert_eq!(calls(&dialog), ["1 f → -", "2 f → 1"], "{text}");
        assert_eq!(unread(&dialog), "", "{text}");
    }
    // Each has its own answer, also where that is in the step of the call.
    let both = only(&steps(&[act(""), act(seen), act("")]));
    assert_eq!(calls(&both), ["1 f → -", "2 f → 1", "3 f → -"]);
    let both = only(&format!("[{first}, {asked}, {asked}, {answer}, {answer}]"));
    assert_eq!(calls(&both), ["1 f → 1", "2 f → 1"]);
    let later = format!("[{first}, {use_part}, {use_part}, {result_part}, {result_part}]");
    for text in [later.clone(), format!(r#"{{"messages": {later}}}"#)] {
        assert_eq!(calls(&only(&text)), ["1 f → 1", "2 f → 1"], "{text}");
    }
}

/// Ids that are empty are none: the answers are given to the calls just before them, unless somebody has said something since.
#[test]
fn empty_ids_are_none_in_every_form() {
    let line = |role: &str, part: &str| {
        format!(
            r#"{{"type": "{role}", "sessionId": "s", "message": {{"role": "{role}", "content": [{part}]}}}}"#
        )
    };
    let used = |name: &str| {
        format!(r#"{{"type": "tool_use", "id": "", "name": "{name}", "input": {{}}}}"#)
    };
    let result = |text: &str| {
        format!(r#"{{"type": "tool_result", "tool_use_id": "", "content": "{text}"}}"#)
    };
    let text = r#"{"type": "text", "text": "?"}"#;
    let message = |role: &str, part: &str| format!(r#"{{"role": "{role}", "content": [{part}]}}"#);
    let asked = |name: &str| {
        format!(
            r#"{{"role": "assistant", "content": null, "tool_calls": [{{"id": "", "type": "function", "function": {{"name": "{name}", "arguments": "{{}}"}}}}]}}"#
        )
    };
    let answer =
        |text: &str| format!(r#"{{"role": "tool", "tool_call_id": "", "content": "{text}"}}"#);
    let [f, g, one, two] = [used("f"), used("g"), result("1"), result("2")];
    let listed = |rows: &[String]| {
        [format!("[{}]", rows.join(", ")), format!(r#"{{"messages": [{}]}}"#, rows.join(", "))]
    };
    let in_parts = |said: bool| {
        let mut rows = vec![
            ("user", text),
            ("assistant", &f),
            ("assistant", &g),
            ("user", &one),
            ("user", &two),
        ];
        if said {
            rows.insert(3, ("user", text));
        }
        let lines: Vec<_> = rows.iter().map(|(role, part)| line(role, part)).collect();
        let messages: Vec<_> = rows.iter().map(|(role, part)| message(role, part)).collect();
        [vec![lines.join("\n")], listed(&messages).to_vec()].concat()
    };
    let in_messages = |said: bool| {
        let mut rows =
            vec![message("user", text), asked("f"), asked("g"), answer("1"), answer("2")];
        if said {
            rows.insert(3, message("user", text));
        }
        listed(&rows).to_vec()
    };
    for text in [in_parts(false), in_messages(false)].concat() {
        let dialog = only(&text);
        assert_eq!(calls(&dialog), ["1 f → 1", "2 g → 2"], "{text}");
        assert_eq!(unread(&dialog), "", "{text}");
    }
    for text in [in_parts(true), in_messages(true)].concat() {
        assert_eq!(calls(&only(&text)), ["1 f → -", "2 g → -"], "{text}");
    }
}

/// An observation of `OpenHands` has the id of its call in the model's answer, or else the number of the event that caused it.
#[test]
fn observations_with_the_id_of_no_call_are_answers_without_one() {
    let run = |observation: &str| {
        let text = format!(
            r#"[{{"id": 0, "source": "user", "action": "message", "args": {{"content": "?"}}}},
            {{"id": 1, "source": "agent", "action": "run", "args": {{"command": "ls"}}, "tool_call_metadata": {{"tool_call_id": "c1"}}}},
            {{"id": 2, "source": "agent", "action": "run", "args": {{"command": "ls -l"}}, "tool_call_metadata": {{"tool_call_id": "c2"}}}},
            {{"id": 3, "source": "agent", "observation": "run", "content": "ok", "extras": {{}}{observation}}}]"#
        );
        let dialog = only(&text);
        (calls(&dialog).join(", "), unread(&dialog), dialog.turns[3].text.clone())
    };
    let lost =
        ("1 run → -, 2 run → -".to_owned(), "answer without a call".to_owned(), "ok".to_owned());
    let id = |id: &str| format!(r#", "tool_call_metadata": {{"tool_call_id": {id}}}"#);
    assert_eq!(run(&id("\"c9\"")), lost);
    assert_eq!(run(&format!("{}, \"cause\": 77", id("\"c9\""))), lost);
    let second = "1 run → -, 2 run → ok";
    for observation in
        [id("\"c2\""), format!("{}, \"cause\": 2", id("null")), r#", "cause": 2"#.to_owned()]
    {
        let (calls, unread, _) = run(&observation);
        assert_eq!((calls.as_str(), unread.as_str()), (second, ""), "{observation}");
    }
    // What is observed without a call is not an answer.
    let (_, unread, text) = run(r#", "cause": 0"#);
    assert_eq!((unread.as_str(), text.as_str()), ("", "ok"));
}

#[test]
fn members_beside_the_texts_of_answers_are_fields() {
    let text = r#"{"timestamp": "T1", "type": "session_meta", "payload": {"id": "c"}}
{"timestamp": "T2", "type": "response_item", "payload": {"type": "function_call", "name": "tide", "arguments": "{}", "call_id": "A"}}
{"timestamp": "T3", "type": "response_item", "payload": {"type": "function_call_output", "call_id": "A", "output": [{"type": "input_text", "text": "14:10", "notes": "spring"}, {"type": "input_image", "image_url": "x"}]}}"#;
    let dialog = only(text);
    let fields = |turn: usize| {
        let fields = dialog.turns[turn].fields.iter();
        let fields = fields.map(|field| format!("{} {}", field.name, field.content.as_str()));
        fields.collect::<Vec<_>>()
    };
    assert_eq!(calls(&dialog), ["0 tide → 14:10"]);
    assert_eq!(unread(&dialog), "input_image");
    assert_eq!(
        fields(1),
        [
            r#"input_image {"type": "input_image", "image_url": "x"}"#,
            "timestamp T3",
            "payload.output[0].notes spring"
        ]
    );
    let text = r#"{"contents": [{"role": "user", "parts": [{"text": "tides?"}]},
        {"role": "model", "parts": [{"text": "At 14:10.", "thoughtSignature": "c2ln"}]}]}"#;
    let dialog = only(text);
    let fields = &dialog.turns[1].fields;
    assert_eq!(fields.len(), 1, "{fields:?}");
    assert_eq!(fields[0].name, "parts[0].thoughtSignature");
}
