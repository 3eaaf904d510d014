//! Edits that do not fit, and why.

use turnwise::dialog::{Edit, Span};

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
/// Two turns of an exchange behind one of the user.
const EXCHANGES: &str = r#"{"dialogue_id":"a","turns":[{"user_utterance":{"text":"hi","tokens":["hi"],"slots":[]}},
    {"system_acts":[],"system_utterance":{"text":"hm","tokens":["hm"],"slots":[]},
    "user_utterance":{"text":"ok","tokens":["ok"],"slots":[]}}]}"#;
/// A call and its answer.
const CHAT: &str = r#"{"messages":[{"role":"assistant","content":null,"tool_calls":[
    {"id":"a","function":{"name":"f","arguments":"{}"}}]},
    {"role":"tool","tool_call_id":"a","content":"7"}]}"#;
const USER: &str = r#"{"messages":[{"role":"user","content":"hm"}]}"#;
const MULTIWOZ: &str = r#"{"log":[{"text":"hi","metadata":{}},{"text":"hm","metadata":{"inn":{"semi":{"area":"east"},
    "book":{}}}},{"text":"ok","metadata":{}}],"goal":{}}"#;
const LABELS: &str = r#"{"dialogue-id":"a","turns":[{"turn-index":0,
    "labels":[{"breakdown":"O","prob-O":1,"prob-T":0,"prob-X":0}]}]}"#;

fn refused(family: &str, text: &str, edit: &str) -> String {
    match edited(family, text, edit) {
        Err(refused) => refused.to_string(),
        Ok(edited) => panic!("{edit} was made: {}", edited.text),
    }
}

fn set_span(segment: usize, start: u32, end: u32) -> String {
    format!(r#"{{"edit":"set_span","turn":0,"segment":{segment},"start":{start},"end":{end}}}"#)
}

fn set_labels(labels: &str) -> String {
    format!(r#"{{"edit":"set_labels","turn":0,"segment":0,"labels":{labels}}}"#)
}

fn set_speaker(turn: usize, speaker: &str) -> String {
    format!(r#"{{"edit":"set_speaker","turn":{turn},"speaker":"{speaker}"}}"#)
}

fn cast(turn: usize, annotator: &str) -> String {
    format!(r#"{{"edit":"cast_vote","turn":{turn},"annotator":"{annotator}","breakdown":"O"}}"#)
}

fn withdraw(annotator: &str) -> String {
    format!(r#"{{"edit":"withdraw_vote","turn":1,"annotator":"{annotator}"}}"#)
}

fn remove_turn(turn: usize) -> String {
    format!(r#"{{"edit":"remove_turn","turn":{turn}}}"#)
}

fn add_turn(turn: usize, speaker: &str) -> String {
    format!(r#"{{"edit":"add_turn","turn":{turn},"speaker":"{speaker}","text":"é"}}"#)
}

#[test]
fn edits_that_do_not_fit_are_refused_with_the_reason() {
    let (one, log) = ("taskmaster-1-2", "dbdc");
    let stated = EXCHANGES.replace(r#""system_acts""#, r#""dialogue_state":[],"system_acts""#);
    let short = edited("multiwoz", MULTIWOZ, &remove_turn(2)).unwrap().text;
    let unnumbered = r#"{"conversation_id":"a","utterances":[{"speaker":"a","text":"x"}]}"#;
    let plain = r#"{"log":[{"text":"hi","metadata":{}},{"text":"hm","metadata":{}}],"goal":{}}"#;
    let kvret = r#"{"dialogue":[{"turn":"driver","data":{"utterance":"hi"}},{"turn":"assistant",
        "data":{"utterance":"hm","slots":{"poi":"x"}}}],"scenario":{"uuid":"u"}}"#;
    let repeated = r#"{"log":[{"turn id":1,"user utterance":"Hi.","system response":"Hello.",
        "dialog history":""}],"prompt":[]}"#;
    let set_text = r#"{"edit":"set_text","turn":1,"text":"Ho."}"#;
    for (family, text, edit, why) in [
        (one, TASKMASTER, set_span(0, 3, 3), "3..3 is empty or ends before it starts"),
        (one, TASKMASTER, set_span(0, 5, 2), "5..2 is empty or ends before it starts"),
        (one, TASKMASTER, set_span(0, 9, 12), "9..12 extends past the turn, which has 11 "),
        (one, TASKMASTER, set_span(0, 0, u32::MAX), "0..4294967295 extends past"),
        (one, TASKMASTER, set_span(2, 0, 1), "turn 0 has 2 segments; there is no segment 2"),
        ("sim", SIM, set_span(0, 1, 5), "which has 4 tokens"),
        (one, TASKMASTER, set_labels(r#"["a",""]"#), "a label cannot be empty"),
        ("sim", SIM, set_labels("[]"), "a segment has exactly one label in "),
        ("sim", SIM, set_labels(r#"["a","b"]"#), "a segment has exactly one label in "),
        (log, LOG, cast(0, "me"), "turn 0 is a user turn; only system turns are judged"),
        (log, LOG, cast(1, ""), "an annotator needs an id"),
        (log, LOG, cast(1, "b"), "\"b\" has 2 votes on turn 1; it is unclear which one is meant"),
        (log, LOG, withdraw("me"), "\"me\" has no vote on turn 1"),
        (log, LOG, withdraw(""), "an annotator needs an id"),
        (log, LOG, withdraw("b"), "has 2 votes"),
        (log, LOG, set_speaker(1, "U"), "the turn has 4 votes, but only system turns are judged"),
        (
            one,
            TASKMASTER,
            set_speaker(0, ""),
            "the speaker cannot be edited: the new name is empty",
        ),
        ("sim", SIM, set_speaker(0, "system"), "no speakers stored with their turns"),
        ("messages", CHAT, set_speaker(1, "user"), "also change the result of call 0 of turn 0"),
        ("messages", CHAT, set_speaker(0, "tool"), "turn 0 would be a result without a call"),
        ("messages", USER, set_speaker(0, "someone"), "missing `role`"),
        (one, TASKMASTER, remove_turn(0), "it is the only one, and a dialog needs a turn"),
        (log, LOG, remove_turn(2), "the dialog has 2 turns; there is no turn 2"),
        ("sim", &stated, remove_turn(2), "it would also change the state of turn 1"),
        ("messages", CHAT, remove_turn(0), "it would also change the text of turn 1"),
        ("multiwoz", MULTIWOZ, remove_turn(0), "also change the speaker of turn 1"),
        ("multiwoz", &short, remove_turn(1), "also change the state of turn 0"),
        (one, TASKMASTER, add_turn(2, "USER"), "the dialog has 1 turn; there is no turn 2"),
        (one, TASKMASTER, add_turn(1, ""), "the new turn needs a speaker"),
        (one, unnumbered, add_turn(1, "b"), "no neighbouring turn has `index`"),
        ("sim", EXCHANGES, add_turn(2, "user"), "come between the two turns of an exchange"),
        (
            "sim",
            EXCHANGES,
            add_turn(1, "system"),
            "before each turn of user, system may speak only once",
        ),
        ("sim", EXCHANGES, add_turn(0, "S"), "not one of the speakers \"system\", \"user\""),
        ("messages", CHAT, add_turn(1, "user"), "it would come between a call and its result"),
        ("messages", CHAT, add_turn(2, "tool"), "turn 2 would be a result without a call"),
        ("multiwoz", plain, add_turn(1, "user"), "also change the speaker of turn 1"),
        ("multiwoz", plain, add_turn(2, "system"), "the speaker of turn 2 differs"),
        ("kvret", kvret, add_turn(1, "driver"), "also change the state of turn 0"),
        ("dialogstudio", repeated, set_text.into(), "every later turn repeats it in its history"),
    ] {
        let found = refused(family, text, &edit);
        assert!(found.contains(why), "{family} {edit}: {found}");
    }
    for (family, text, edit) in [
        ("sim", SIM, set_span(0, 2, 4)),
        (log, LOG, set_speaker(0, "S")),
        // A speaker that no corpus knows is allowed.
        (one, TASKMASTER, set_speaker(0, "narrator")),
        ("multiwoz", plain, add_turn(2, "user")),
    ] {
        assert!(edited(family, text, &edit).is_ok(), "{family} {edit}");
    }
}

#[test]
fn edits_that_a_family_lacks_are_refused() {
    let add = r#"{"edit":"add_segment","turn":0,"start":0,"end":1,"labels":["x"]}"#;
    let vote = &cast(0, "me");
    for (family, text, edit, what) in [
        ("dbdc", LOG, add, "segments"),
        ("dbdc", LOG, r#"{"edit":"remove_segment","turn":9,"segment":9}"#, "segments"),
        ("sim-gen", GENERATED, add, "segments"),
        ("sim-gen", GENERATED, vote, "votes"),
        ("dbdc-labels", LABELS, vote, "votes"),
        ("taskmaster-3", TASKMASTER, r#"{"edit":"add_act","turn":0,"name":"x"}"#, "dialogue acts"),
        ("dbdc", LOG, r#"{"edit":"remove_state","turn":0,"slot":"x"}"#, "dialogue state"),
        ("sim", SIM, r#"{"edit":"set_api","turn":0,"call":0,"name":"x"}"#, "API calls"),
        ("sim-gen", GENERATED, r#"{"edit":"set_intents","turn":0,"intents":[]}"#, "intents"),
    ] {
        let why = refused(family, text, edit);
        assert!(why.ends_with(&format!(" has no {what}")), "{why}");
    }
}

#[test]
fn a_text_that_cuts_a_segment_of_tokens_is_refused() {
    let edit = r#"{"edit":"set_text","turn":0,"text":"at the sweet road"}"#;
    assert!(refused("sim", SIM, edit).starts_with("the new text cuts segment 0;"));
}

/// Of an exchange, the user's turn is left; then it goes with the whole exchange. A call goes after its answer.
#[test]
fn turns_that_hang_together_are_removed_one_by_one() {
    let without = |family: &str, text: &str, turn: usize| {
        edited(family, text, &remove_turn(turn)).unwrap().text
    };
    let after = without("sim", EXCHANGES, 1);
    assert!(!after.contains("system"), "{after}");
    let after = without("sim", &after, 1);
    assert!(after.ends_with(r#""slots":[]}}]}"#) && !after.contains(r#""ok""#), "{after}");
    let chat = CHAT.replace("\"7\"}", "\"7\"},{\"role\":\"assistant\",\"content\":\"ok\"}");
    let answered = edited("messages", &chat, &remove_turn(1)).unwrap();
    assert_eq!(answered.dialog.turns[0].calls[0].response, None);
    let after = without("messages", &answered.text, 0);
    assert_eq!(after, r#"{"messages":[{"role":"assistant","content":"ok"}]}"#);
}

/// The texts before and after an edit, of which `«old|new»` shows the differences.
fn before_and_after(marked: &str) -> (String, String) {
    let (mut before, mut after) = (String::new(), String::new());
    for (number, part) in marked.split(['«', '»']).enumerate() {
        let both = if number % 2 == 0 { Some((part, part)) } else { part.split_once('|') };
        let (old, new) = both.unwrap();
        before.push_str(old);
        after.push_str(new);
    }
    (before, after)
}

/// Removing them again gives the same bytes: the numbers of later turns follow in both directions.
#[test]
fn new_turns_have_the_members_of_the_others() {
    #[rustfmt::skip]
    let added = [
        ("dbdc", 1, "U", r#"{"dialogue-id":"a","turns":[{"turn-index":0,"speaker":"S","time":"1","annotations":[],"utterance":"x"},
  «|{"turn-index":1,"speaker":"U","time":"","annotations":[],"utterance":"é"},
  »{"turn-index":«1|2»,"speaker":"U","time":"2","annotations":[],"utterance":"y"}]}"#),
        ("sim", 1, "user", r#"{"dialogue_id":"a","turns":[{"dialogue_state":[{"slot":"a","value":"b"}],"user_acts":[],"user_utterance":{"slots":[],"text":"x","tokens":["x"]}}«|,{"dialogue_state":[{"slot":"a","value":"b"}],"user_acts":[],"user_utterance":{"slots":[],"text":"é","tokens":["é"]}}»]}"#),
        ("sim", 0, "system", r#"{"dialogue_id":"a","turns":[{"user_acts":[],"user_utterance":{"slots":[],"text":"x","tokens":["x"]}«|,"system_utterance":{"text":"é","tokens":["é"],"slots":[]},"system_acts":[]»}]}"#),
        ("messages", 1, "user", r#"{"prompt":[{"role":"user","content":[{"type":"text","text":"x"}]}«|,{"role":"user","content":[{"type":"text","text":"é"}]}»],"completion":[{"role":"assistant","content":"y"}]}"#),
        // A member that counts the turns, though the format does not know it.
        ("sgd", 1, "SYSTEM", r#"{"dialogue_id":"a","services":[],"turns":[{"turn_id":"0","speaker":"USER","utterance":"x","frames":[]}, «|{"turn_id":"1","speaker":"SYSTEM","utterance":"é","frames":[]}, »{"turn_id":"«1|2»","speaker":"SYSTEM","utterance":"y","frames":[]}]}"#),
        // The names of the speakers are in a list of their own.
        ("soda", 2, "a", r#"{"narrative":"n","dialogue":["x", "y"«|, "é"»],"speakers":["a", "b"«|, "a"»]}"#),
        ("kvret", 2, "driver", r#"{"dialogue":[{"turn":"driver","data":{"end_dialogue":true,"utterance":"hi"}}, {"turn":"assistant","data":{"end_dialogue":true,"utterance":"hm"}}«|, {"turn":"driver","data":{"utterance":"é"}}»],"scenario":{"uuid":"u"}}"#),
    ];
    for (family, turn, speaker, marked) in added {
        let (before, after) = before_and_after(marked);
        assert_eq!(edited(family, &before, &add_turn(turn, speaker)).unwrap().text, after);
        assert_eq!(edited(family, &after, &remove_turn(turn)).unwrap().text, before);
    }
}

#[test]
fn numbers_of_later_turns_follow() {
    #[rustfmt::skip]
    let removed = [
        ("dbdc", r#"{"dialogue-id":"a","turns":[{"turn-index":1,"speaker":"S","utterance":"hi","annotations":[]},
  «{"turn-index":2,"speaker":"U","utterance":"hi","annotations":[]},
  |»{"turn-index":«3|2»,"speaker":"S","utterance":"ok","annotations":[]}]}"#),
        // Calls of Taskmaster-3 have the number of their turn.
        ("taskmaster-3", r#"{"conversation_id":"a","vertical":"v","utterances":[{"index":0,"speaker":"a","text":"x"},«{"index":1,"speaker":"b","text":"y"},|»{"index":«2|1»,"speaker":"a","text":"z","apis":[{"index":«2|1»,"name":"f","args":{}}]}]}"#),
        ("convlab", r#"{"dialogue_id":"a","turns":[{"speaker":"user","utterance":"x","utt_idx":0},«{"speaker":"system","utterance":"y","utt_idx":1},|»{"speaker":"user","utterance":"z","utt_idx":«2|1»}]}"#),
    ];
    for (family, marked) in removed {
        let (before, after) = before_and_after(marked);
        assert_eq!(edited(family, &before, &remove_turn(1)).unwrap().text, after);
    }
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
    let sharegpt = r#"{"conversations":[{"from":"human","value":"hm"}]}"#;
    for (family, text, edit) in [
        ("messages", &chat(""), add(0, "")),
        ("messages", &chat(""), add(1, r#","response":[]"#)),
        ("sharegpt", &sharegpt.to_owned(), add(0, "")),
    ] {
        let why = refused(family, text, &edit);
        assert!(why.ends_with("it has no place in the file"), "{why}");
    }
    let why = refused("messages", CHAT, r#"{"edit":"remove_call","turn":0,"call":0}"#);
    assert!(why.ends_with("it would also change the text of turn 1"), "{why}");
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
    assert!(why.ends_with("the only place for it in the turn is already taken"), "{why}");
}

#[test]
fn fields_that_do_not_fit_are_refused() {
    let chat = r#"{"id":"a","tools":[],"note":"x","messages":[{"role":"user","content":"hm"}]}"#;
    let set = |name: &str| format!(r#"{{"edit":"set_field","name":"{name}","text":"né"}}"#);
    let why = refused("messages", chat, &set("tools"));
    assert!(why.ends_with("\"tools\" is not a string"), "{why}");
    for name in ["scenario", "id", "messages"] {
        let why = refused("messages", chat, &set(name));
        assert!(why.ends_with(&format!("the dialog has no {name:?}")), "{why}");
    }
    let changed = edited("messages", chat, &set("note")).unwrap().text;
    assert_eq!(changed, chat.replace(r#""x""#, r#""né""#));
}

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

/// A file is read again as what its dialogs look like.
#[test]
fn a_speaker_with_which_a_dialog_is_one_of_another_family_is_refused() {
    let text = r#"{"1": {"messages": [
        {"role": "usr", "content": "想找公园。", "dialog_act": [["Request", "景点", "名称", ""]], "user_state": []},
        {"role": "sys", "content": "苔园。", "dialog_act": [["Inform", "景点", "名称", "苔园"]], "sys_state": {}}]}}"#;
    let mut file = open(text.into());
    let speaker = |name: &str| Edit::SetSpeaker { turn: 0, speaker: name.to_owned() };
    let refused = file.edit(0, &speaker("user")).unwrap_err();
    let why =
        "the edit would make the dialog invalid: it would no longer be recognized as CrossWOZ";
    assert_eq!(refused.to_string(), why);
    assert_eq!(file.edit(0, &speaker("sys")), Ok(true));
    assert_eq!(open(saved(&file)).format().unwrap().name(), "crosswoz");
}

#[test]
fn spans_far_beyond_the_text_do_not_wrap_round() {
    let text = r#"{"conversation_id":"a","utterances":[{"index":0,"speaker":"u","text":"ab","segments":[
        {"start_index":7,"end_index":4294967294,"text":"","annotations":[]}]}]}"#;
    let edit = r#"{"edit":"set_text","turn":0,"text":"abcde"}"#;
    let changed = edited("taskmaster-1-2", text, edit).expect("made").dialog;
    let (start, end) = (10, u32::MAX);
    assert_eq!(changed.turns[0].segments[0].span, Some(Span { start, end }));
}
