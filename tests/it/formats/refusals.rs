//! Edits that do not fit, and why.

use turnwise::dialog::Edit;

use super::edited;
use crate::support::files::{open, saved};

const TASKMASTER: &str = r#"{"conversation_id":"a","utterances":[
    {"index":0,"speaker":"USER","text":"Zoë 👍🏽 at 7","segments":[
        {"start_index":0,"end_index":3,"text":"Zoë","annotations":[{"name":"who"}]},
        {"start_index":10,"end_index":11,"text":"7","annotations":[{"name":"when"}]}]}]}"#;
const SIM: &str = r#"{"dialogue_id":"a","turns":[{"user_utterance":{"text":"at the salt road",
    "tokens":["at","the","salt","road"],"slots":[{"slot":"movie","start":1,"exclusive_end":4}]}}]}"#;
const LOG: &str = r#"{"dialogue-id":"a","turns":[{"turn-index":0,"speaker":"U","utterance":"hi"},
    {"turn-index":1,"speaker":"S","utterance":"no","annotations":[
        {"annotator-id":"a","breakdown":"O"},{"annotator-id":"b","breakdown":"X"},
        {"annotator-id":"b","breakdown":"T"},{"annotator-id":"","breakdown":"T"}]}]}"#;
const GENERATED: &str = r#"{"dialogue_id":"a","turns":[{"system_utterance":"hi"}]}"#;
const LABELS: &str = r#"{"dialogue-id":"a","turns":[{"turn-index":0,
    "labels":[{"breakdown":"O","prob-O":1,"prob-T":0,"prob-X":0}]}]}"#;

fn refused(family: &str, text: &str, edit: &str) -> String {
    match edited(family, text, edit) {
        Err(refused) => refused.to_string(),
        Ok(edited) => panic!("{edit} was made: {}", edited.text),
    }
}

#[test]
fn spans_that_do_not_fit_are_refused() {
    let why = |segment: usize, start: u32, end: u32| {
        let edit = format!(
            r#"{{"edit":"set_span","turn":0,"segment":{segment},"start":{start},"end":{end}}}"#
        );
        refused("taskmaster-1-2", TASKMASTER, &edit)
    };
    assert_eq!(why(0, 3, 3), "3..3 is empty or ends before it starts");
    assert_eq!(why(0, 5, 2), "5..2 is empty or ends before it starts");
    assert!(why(0, 9, 12).starts_with("9..12 extends past the turn, which has 11 "));
    assert!(why(0, 0, u32::MAX).starts_with("0..4294967295 extends past"));
    assert_eq!(why(2, 0, 1), "turn 0 has 2 segments; there is no segment 2");
    let edit = r#"{"edit":"add_segment","turn":1,"start":0,"end":1,"labels":[]}"#;
    let why = refused("taskmaster-1-2", TASKMASTER, edit);
    assert_eq!(why, "the dialog has 1 turn; there is no turn 1");
    let edit = r#"{"edit":"set_span","turn":0,"segment":0,"start":1,"end":5}"#;
    assert!(refused("sim", SIM, edit).ends_with("which has 4 tokens"));
    assert!(edited("sim", SIM, &edit.replace('5', "4").replace('1', "2")).is_ok());
}

#[test]
fn labels_that_do_not_fit_are_refused() {
    let labels = |family: &str, text: &str, labels: &str| {
        let edit = format!(r#"{{"edit":"set_labels","turn":0,"segment":0,"labels":{labels}}}"#);
        refused(family, text, &edit)
    };
    assert_eq!(labels("taskmaster-1-2", TASKMASTER, r#"["a",""]"#), "a label cannot be empty");
    for wrong in ["[]", r#"["a","b"]"#] {
        assert!(labels("sim", SIM, wrong).starts_with("a segment has exactly one label in "));
    }
}

#[test]
fn texts_that_cut_segments_are_refused() {
    let edit = r#"{"edit":"set_text","turn":0,"text":"Zoe 👍🏽 at 8"}"#;
    let why = refused("taskmaster-1-2", TASKMASTER, edit);
    assert_eq!(
        why,
        "the new text cuts segment 0, 1; add \"shrink\": true to keep what is left of segment 0, \
         \"drop\": true to remove them"
    );
    let edit = r#"{"edit":"set_text","turn":0,"text":"at the sweet road"}"#;
    assert!(refused("sim", SIM, edit).starts_with("the new text cuts segment 0;"));
}

#[test]
fn votes_that_do_not_fit_are_refused() {
    let cast = |turn: usize, annotator: &str| {
        let edit = format!(
            r#"{{"edit":"cast_vote","turn":{turn},"annotator":"{annotator}","breakdown":"O"}}"#
        );
        refused("dbdc", LOG, &edit)
    };
    assert_eq!(cast(0, "me"), "turn 0 is a user's; only system turns are judged");
    assert_eq!(cast(1, ""), "an annotator needs an id");
    assert_eq!(cast(1, "b"), "\"b\" has 2 votes on turn 1; it is unclear which one is meant");
    let withdraw = |annotator: &str| {
        let edit = format!(r#"{{"edit":"withdraw_vote","turn":1,"annotator":"{annotator}"}}"#);
        refused("dbdc", LOG, &edit)
    };
    assert_eq!(withdraw("me"), "\"me\" has no vote on turn 1");
    assert_eq!(withdraw(""), "an annotator needs an id");
    assert!(withdraw("b").contains("has 2 votes"));
}

#[test]
fn edits_that_a_family_lacks_are_refused() {
    let add = r#"{"edit":"add_segment","turn":0,"start":0,"end":1,"labels":["x"]}"#;
    let vote = r#"{"edit":"cast_vote","turn":0,"annotator":"me","breakdown":"O"}"#;
    let has_no = |family: &str, text: &str, edit: &str, what: &str| {
        let why = refused(family, text, edit);
        assert!(why.ends_with(&format!(" has no {what}")), "{why}");
    };
    has_no("dbdc", LOG, add, "segments");
    has_no("dbdc", LOG, r#"{"edit":"remove_segment","turn":9,"segment":9}"#, "segments");
    has_no("sim-gen", GENERATED, add, "segments");
    has_no("sim-gen", GENERATED, vote, "votes");
    has_no("dbdc-labels", LABELS, vote, "votes");
    has_no("taskmaster-3", TASKMASTER, vote, "votes");
    has_no("sim", SIM, vote, "votes");
    let act = r#"{"edit":"add_act","turn":0,"name":"x"}"#;
    has_no("taskmaster-3", TASKMASTER, act, "dialogue acts");
    let state = r#"{"edit":"remove_state","turn":0,"slot":"x"}"#;
    has_no("dbdc", LOG, state, "dialogue state");
    let call = r#"{"edit":"set_api","turn":0,"call":0,"name":"x"}"#;
    has_no("sim", SIM, call, "API calls");
    let intents = r#"{"edit":"set_intents","turn":0,"intents":[]}"#;
    has_no("sim-gen", GENERATED, intents, "intents");
}

#[test]
fn speakers_that_do_not_fit_are_refused() {
    let set = |turn: usize, speaker: &str| {
        format!(r#"{{"edit":"set_speaker","turn":{turn},"speaker":"{speaker}"}}"#)
    };
    let why = refused("dbdc", LOG, &set(1, "U"));
    assert!(why.ends_with("the turn has 4 votes, and nobody judges a user's turn"), "{why}");
    assert!(edited("dbdc", LOG, &set(0, "S")).is_ok());
    let why = refused("taskmaster-1-2", TASKMASTER, &set(0, ""));
    assert_eq!(why, "the speaker cannot be edited: the new name is empty");
    // A speaker that no corpus knows is allowed.
    assert!(edited("taskmaster-1-2", TASKMASTER, &set(0, "narrator")).is_ok());
    let why = refused("sim", SIM, &set(0, "system"));
    assert!(why.ends_with("has no speakers that are written with their turns"), "{why}");
    let chat = r#"{"messages":[{"role":"assistant","content":"hm","tool_calls":[
        {"id":"a","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"a","content":"7"}]}"#;
    let why = refused("messages", chat, &set(1, "user"));
    assert!(why.ends_with("also change the response of call 0 of turn 0"), "{why}");
    let why = refused("messages", chat, &set(0, "tool"));
    assert!(why.ends_with("turn 0 would be the response of no call"), "{why}");
    let chat = r#"{"messages":[{"role":"user","content":"hm"}]}"#;
    let why = refused("messages", chat, &set(0, "someone"));
    assert!(why.contains("missing `role`"), "{why}");
}

#[test]
fn turns_that_do_not_fit_are_refused() {
    let remove = |turn: usize| format!(r#"{{"edit":"remove_turn","turn":{turn}}}"#);
    let why = refused("taskmaster-1-2", TASKMASTER, &remove(0));
    assert!(why.ends_with("it is the only one, and a dialog has at least one"), "{why}");
    let why = refused("dbdc", LOG, &remove(2));
    assert_eq!(why, "the dialog has 2 turns; there is no turn 2");
    let exchanges = r#"{"dialogue_id":"a","turns":[{"user_utterance":{"text":"hi","tokens":["hi"],"slots":[]}},
        {"system_acts":[],"system_utterance":{"text":"hm","tokens":["hm"],"slots":[]},
        "user_utterance":{"text":"ok","tokens":["ok"],"slots":[]}}]}"#;
    let stated = exchanges.replace(r#""system_acts""#, r#""dialogue_state":[],"system_acts""#);
    let why = refused("sim", &stated, &remove(2));
    assert!(why.ends_with("it would also change the state of turn 1"), "{why}");
    // Of an exchange, the user's turn is left; then it goes with the whole exchange.
    let after = edited("sim", exchanges, &remove(1)).unwrap().text;
    assert!(!after.contains("system"), "{after}");
    let after = edited("sim", &after, &remove(1)).unwrap().text;
    assert!(after.ends_with(r#""slots":[]}}]}"#) && !after.contains(r#""ok""#), "{after}");
    let chat = r#"{"messages":[{"role":"user","content":"hm"},{"role":"assistant","content":null,"tool_calls":[
        {"id":"a","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"a","content":"7"},{"role":"assistant","content":"ok"}]}"#;
    let why = refused("messages", chat, &remove(1));
    assert!(why.ends_with("it would also change the text of turn 2"), "{why}");
    let answered = edited("messages", chat, &remove(2)).unwrap();
    assert_eq!(answered.dialog.turns[1].calls[0].response, None);
    let after = edited("messages", &answered.text, &remove(1)).unwrap().text;
    assert_eq!(
        after,
        r#"{"messages":[{"role":"user","content":"hm"},{"role":"assistant","content":"ok"}]}"#
    );
    let multiwoz = r#"{"log":[{"text":"hi","metadata":{}},{"text":"hm","metadata":{"inn":{"semi":{"area":"east"},
        "book":{}}}},{"text":"ok","metadata":{}}],"goal":{}}"#;
    let why = refused("multiwoz", multiwoz, &remove(0));
    assert!(why.ends_with("also change the speaker of turn 1"), "{why}");
    let after = edited("multiwoz", multiwoz, &remove(2)).unwrap().text;
    let why = refused("multiwoz", &after, &remove(1));
    assert!(why.ends_with("also change the state of turn 0"), "{why}");
}

#[test]
fn new_turns_that_do_not_fit_are_refused() {
    let add = |turn: usize, speaker: &str| {
        format!(r#"{{"edit":"add_turn","turn":{turn},"speaker":"{speaker}","text":"é"}}"#)
    };
    let why = refused("taskmaster-1-2", TASKMASTER, &add(2, "USER"));
    assert_eq!(why, "the dialog has 1 turn; there is no turn 2");
    let why = refused("taskmaster-1-2", TASKMASTER, &add(1, ""));
    assert!(why.ends_with("its speaker has no name"), "{why}");
    let unnumbered = r#"{"conversation_id":"a","utterances":[{"speaker":"a","text":"x"}]}"#;
    let why = refused("taskmaster-1-2", unnumbered, &add(1, "b"));
    assert!(why.ends_with("no turn beside it has `index`"), "{why}");
    let exchanges = r#"{"dialogue_id":"a","turns":[{"user_utterance":{"text":"hi","tokens":["hi"],"slots":[]}},
        {"system_acts":[],"system_utterance":{"text":"hm","tokens":["hm"],"slots":[]},
        "user_utterance":{"text":"ok","tokens":["ok"],"slots":[]}}]}"#;
    let why = refused("sim", exchanges, &add(2, "user"));
    assert!(why.ends_with("it would come between the two turns of an exchange"), "{why}");
    let why = refused("sim", exchanges, &add(1, "system"));
    assert!(why.ends_with("system speaks before a turn of user, at most once"), "{why}");
    let why = refused("sim", exchanges, &add(0, "S"));
    assert!(why.ends_with(r#""S" is none of the speakers "system", "user""#), "{why}");
    let chat = r#"{"messages":[{"role":"assistant","content":null,"tool_calls":[
        {"id":"a","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"a","content":"7"}]}"#;
    let why = refused("messages", chat, &add(1, "user"));
    assert!(why.ends_with("it would come between a call and its response"), "{why}");
    let why = refused("messages", chat, &add(2, "tool"));
    assert!(why.ends_with("turn 2 would be the response of no call"), "{why}");
    let multiwoz = r#"{"log":[{"text":"hi","metadata":{}},{"text":"hm","metadata":{}}],"goal":{}}"#;
    let why = refused("multiwoz", multiwoz, &add(1, "user"));
    assert!(why.ends_with("also change the speaker of turn 1"), "{why}");
    let why = refused("multiwoz", multiwoz, &add(2, "system"));
    assert!(why.ends_with("the speaker of turn 2 differs"), "{why}");
    assert!(edited("multiwoz", multiwoz, &add(2, "user")).is_ok());
    let kvret = r#"{"dialogue":[{"turn":"driver","data":{"utterance":"hi"}},{"turn":"assistant",
        "data":{"utterance":"hm","slots":{"poi":"x"}}}],"scenario":{"uuid":"u"}}"#;
    let why = refused("kvret", kvret, &add(1, "driver"));
    assert!(why.ends_with("also change the state of turn 0"), "{why}");
}

#[test]
fn new_turns_have_the_members_of_the_others() {
    let turns = |family: &str, before: &str, edit: &str, after: &str| {
        assert_eq!(edited(family, before, edit).unwrap().text, after);
        let removed = edit.split_once(",\"speaker\"").unwrap().0;
        let removed = removed.replace("add_turn", "remove_turn") + "}";
        assert_eq!(edited(family, after, &removed).unwrap().text, before);
    };
    let add = |turn: usize, speaker: &str| {
        format!(r#"{{"edit":"add_turn","turn":{turn},"speaker":"{speaker}","text":"é"}}"#)
    };
    turns(
        "dbdc",
        r#"{"dialogue-id":"a","turns":[{"turn-index":0,"speaker":"S","time":"1","annotations":[],"utterance":"x"},
  {"turn-index":1,"speaker":"U","time":"2","annotations":[],"utterance":"y"}]}"#,
        &add(1, "U"),
        r#"{"dialogue-id":"a","turns":[{"turn-index":0,"speaker":"S","time":"1","annotations":[],"utterance":"x"},
  {"turn-index":1,"speaker":"U","time":"","annotations":[],"utterance":"é"},
  {"turn-index":2,"speaker":"U","time":"2","annotations":[],"utterance":"y"}]}"#,
    );
    turns(
        "sim",
        r#"{"dialogue_id":"a","turns":[{"dialogue_state":[{"slot":"a","value":"b"}],"user_acts":[],"user_utterance":{"slots":[],"text":"x","tokens":["x"]}}]}"#,
        &add(1, "user"),
        r#"{"dialogue_id":"a","turns":[{"dialogue_state":[{"slot":"a","value":"b"}],"user_acts":[],"user_utterance":{"slots":[],"text":"x","tokens":["x"]}},{"dialogue_state":[{"slot":"a","value":"b"}],"user_acts":[],"user_utterance":{"slots":[],"text":"é","tokens":["é"]}}]}"#,
    );
    turns(
        "sim",
        r#"{"dialogue_id":"a","turns":[{"user_acts":[],"user_utterance":{"slots":[],"text":"x","tokens":["x"]}}]}"#,
        &add(0, "system"),
        r#"{"dialogue_id":"a","turns":[{"user_acts":[],"user_utterance":{"slots":[],"text":"x","tokens":["x"]},"system_utterance":{"text":"é","tokens":["é"],"slots":[]},"system_acts":[]}]}"#,
    );
    turns(
        "messages",
        r#"{"prompt":[{"role":"user","content":[{"type":"text","text":"x"}]}],"completion":[{"role":"assistant","content":"y"}]}"#,
        &add(1, "user"),
        r#"{"prompt":[{"role":"user","content":[{"type":"text","text":"x"}]},{"role":"user","content":[{"type":"text","text":"é"}]}],"completion":[{"role":"assistant","content":"y"}]}"#,
    );
    turns(
        "sgd",
        r#"{"dialogue_id":"a","services":[],"turns":[{"turn_id":"0","speaker":"USER","utterance":"x","frames":[]}, {"turn_id":"1","speaker":"SYSTEM","utterance":"y","frames":[]}]}"#,
        &add(1, "SYSTEM"),
        r#"{"dialogue_id":"a","services":[],"turns":[{"turn_id":"0","speaker":"USER","utterance":"x","frames":[]}, {"turn_id":"1","speaker":"SYSTEM","utterance":"é","frames":[]}, {"turn_id":"2","speaker":"SYSTEM","utterance":"y","frames":[]}]}"#,
    );
    turns(
        "soda",
        r#"{"narrative":"n","dialogue":["x", "y"],"speakers":["a", "b"]}"#,
        &add(2, "a"),
        r#"{"narrative":"n","dialogue":["x", "y", "é"],"speakers":["a", "b", "a"]}"#,
    );
    turns(
        "kvret",
        r#"{"dialogue":[{"turn":"driver","data":{"end_dialogue":true,"utterance":"hi"}}, {"turn":"assistant","data":{"end_dialogue":true,"utterance":"hm"}}],"scenario":{"uuid":"u"}}"#,
        &add(2, "driver"),
        r#"{"dialogue":[{"turn":"driver","data":{"end_dialogue":true,"utterance":"hi"}}, {"turn":"assistant","data":{"end_dialogue":true,"utterance":"hm"}}, {"turn":"driver","data":{"utterance":"é"}}],"scenario":{"uuid":"u"}}"#,
    );
}

#[test]
fn numbers_of_later_turns_follow() {
    let remove = r#"{"edit":"remove_turn","turn":1}"#;
    let turns = |family: &str, before: &str, after: &str| {
        assert_eq!(edited(family, before, remove).unwrap().text, after);
    };
    turns(
        "dbdc",
        r#"{"dialogue-id":"a","turns":[{"turn-index":1,"speaker":"S","utterance":"hi","annotations":[]},
  {"turn-index":2,"speaker":"U","utterance":"hi","annotations":[]},
  {"turn-index":3,"speaker":"S","utterance":"ok","annotations":[]}]}"#,
        r#"{"dialogue-id":"a","turns":[{"turn-index":1,"speaker":"S","utterance":"hi","annotations":[]},
  {"turn-index":2,"speaker":"S","utterance":"ok","annotations":[]}]}"#,
    );
    // Calls of Taskmaster-3 have the number of their turn.
    turns(
        "taskmaster-3",
        r#"{"conversation_id":"a","vertical":"v","utterances":[{"index":0,"speaker":"a","text":"x"},{"index":1,"speaker":"b","text":"y"},{"index":2,"speaker":"a","text":"z","apis":[{"index":2,"name":"f","args":{}}]}]}"#,
        r#"{"conversation_id":"a","vertical":"v","utterances":[{"index":0,"speaker":"a","text":"x"},{"index":1,"speaker":"a","text":"z","apis":[{"index":1,"name":"f","args":{}}]}]}"#,
    );
    // A member that counts the turns, though the format does not know it.
    turns(
        "sgd",
        r#"{"dialogue_id":"a","services":[],"turns":[{"turn_id":"0","speaker":"USER","utterance":"x","frames":[]}, {"turn_id":"1","speaker":"SYSTEM","utterance":"y","frames":[]}, {"turn_id":"2","speaker":"USER","utterance":"z","frames":[]}]}"#,
        r#"{"dialogue_id":"a","services":[],"turns":[{"turn_id":"0","speaker":"USER","utterance":"x","frames":[]}, {"turn_id":"1","speaker":"USER","utterance":"z","frames":[]}]}"#,
    );
    turns(
        "convlab",
        r#"{"dialogue_id":"a","turns":[{"speaker":"user","utterance":"x","utt_idx":0},{"speaker":"system","utterance":"y","utt_idx":1},{"speaker":"user","utterance":"z","utt_idx":2}]}"#,
        r#"{"dialogue_id":"a","turns":[{"speaker":"user","utterance":"x","utt_idx":0},{"speaker":"user","utterance":"z","utt_idx":1}]}"#,
    );
    // The names of the speakers are in a list of their own.
    turns(
        "soda",
        r#"{"narrative":"n","dialogue":["x", "y", "z"],"speakers":["a", "b", "c"]}"#,
        r#"{"narrative":"n","dialogue":["x", "z"],"speakers":["a", "c"]}"#,
    );
}

#[test]
fn calls_are_added_as_their_neighbours_are_written() {
    let add = |turn: usize, more: &str| {
        format!(
            r#"{{"edit":"add_call","turn":{turn},"name":"find","arguments":[{{"name":"day","value":"é"}}]{more}}}"#
        )
    };
    let chat = |calls: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"hm"}},{{"role":"assistant","content":null{calls}}}]}}"#
        )
    };
    // Without others, as chat APIs write them.
    let alone = edited("messages", &chat(""), &add(1, "")).unwrap().text;
    let new = r#","tool_calls":[{"id":"call_1","type":"function","function":{"name":"find","arguments":"{\"day\": \"é\"}"}}]"#;
    assert_eq!(alone, chat(new));
    let own =
        r#"{"type":"function","id":"call_1","function":{"arguments":"{\"a\":1}","name":"f"}}"#;
    let beside = edited("messages", &chat(&format!(r#","tool_calls":[{own}]"#)), &add(1, ""));
    let new = r#"{"type":"function","id":"call_2","function":{"arguments":"{\"day\":\"é\"}","name":"find"}}"#;
    assert_eq!(beside.unwrap().text, chat(&format!(r#","tool_calls":[{own},{new}]"#)));
    let why = refused("messages", &chat(""), &add(0, ""));
    assert!(why.ends_with("it has no place in the file"), "{why}");
    let why = refused("messages", &chat(""), &add(1, r#","response":[]"#));
    assert!(why.ends_with("it has no place in the file"), "{why}");
    let answered = r#"{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":
        {"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"7"}]}"#;
    let why = refused("messages", answered, r#"{"edit":"remove_call","turn":0,"call":0}"#);
    assert!(why.ends_with("it would also change the text of turn 1"), "{why}");
    let sharegpt = r#"{"conversations":[{"from":"human","value":"hm"}]}"#;
    let why = refused("sharegpt", sharegpt, &add(0, ""));
    assert!(why.ends_with("it has no place in the file"), "{why}");
}

#[test]
fn a_call_of_a_service_goes_with_its_results() {
    let dialog = |call: &str| {
        format!(
            r#"{{"dialogue_id": "a", "turns": [{{"speaker": "SYSTEM", "utterance": "hm", "frames": [{{"service": "s"{call}}}]}}]}}"#
        )
    };
    let add = r#"{"edit":"add_call","turn":0,"name":"Find","arguments":[{"name":"city","value":"Ghent"}],
        "response":[{"name":"park","value":"Citadel"}]}"#;
    let call = r#", "service_call": {"method": "Find", "parameters": {"city": "Ghent"}}, "service_results": [{"park": "Citadel"}]"#;
    let there = edited("sgd", &dialog(""), add).unwrap().text;
    assert_eq!(there, dialog(call));
    let remove = r#"{"edit":"remove_call","turn":0,"call":0}"#;
    assert_eq!(edited("sgd", &there, remove).unwrap().text, dialog(""));
    let why = refused("sgd", &there, add);
    assert!(why.ends_with("the turn already has one, and there is room for one"), "{why}");
}

#[test]
fn fields_that_do_not_fit_are_refused() {
    let chat = r#"{"id":"a","tools":[],"note":"x","messages":[{"role":"user","content":"hm"}]}"#;
    let set = |name: &str| format!(r#"{{"edit":"set_field","name":"{name}","text":"né"}}"#);
    let why = refused("messages", chat, &set("tools"));
    assert!(why.ends_with("\"tools\" is not a text"), "{why}");
    for name in ["scenario", "id", "messages"] {
        let why = refused("messages", chat, &set(name));
        assert!(why.ends_with(&format!("the dialog has no {name:?}")), "{why}");
    }
    let changed = edited("messages", chat, &set("note")).unwrap().text;
    assert_eq!(changed, chat.replace(r#""x""#, r#""né""#));
}

/// A file is read again as what its dialogs look like.
/// An act of a name that its turn has not is in a list of its own, which goes with it.
#[test]
fn acts_in_lists_by_name_have_all_their_values() {
    let text = r#"{"log":[{"text":"hi","metadata":{},"dialog_act":{"Inn-Request":[["Area","?"]]}}],"goal":{}}"#;
    let add = |slots: &str| {
        format!(r#"{{"edit":"add_act","turn":0,"name":"Inn-Inform","slots":[{slots}]}}"#)
    };
    let why = refused("multiwoz", text, &add(""));
    assert!(why.contains("act"), "{why}");
    let added = edited("multiwoz", text, &add(r#"{"slot":"Area","value":"east"}"#)).unwrap().text;
    assert!(added.contains(r#""Inn-Inform":[["Area","east"]]"#), "{added}");
    let removed = edited("multiwoz", &added, r#"{"edit":"remove_act","turn":0,"act":1}"#).unwrap();
    assert_eq!(removed.text, text);
}

#[test]
fn a_speaker_with_which_a_dialog_is_one_of_another_family_is_refused() {
    let text = r#"{"1": {"messages": [
        {"role": "usr", "content": "想找公园。", "dialog_act": [["Request", "景点", "名称", ""]], "user_state": []},
        {"role": "sys", "content": "苔园。", "dialog_act": [["Inform", "景点", "名称", "苔园"]], "sys_state": {}}]}}"#;
    let mut file = open(text.into());
    let speaker = |name: &str| Edit::SetSpeaker { turn: 0, speaker: name.to_owned() };
    let refused = file.edit(0, &speaker("user")).unwrap_err();
    let why =
        "the edit would break the dialog's form: it would no longer be recognized as CrossWOZ";
    assert_eq!(refused.to_string(), why);
    assert_eq!(file.edit(0, &speaker("sys")), Ok(true));
    assert_eq!(open(saved(&file)).format().unwrap().name(), "crosswoz");
}
