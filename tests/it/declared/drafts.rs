//! Drafts of descriptions for files of many shapes: the turns that they read, in order, with their speakers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use turnwise::dialog::Turn;
use turnwise::format::Family;
use turnwise::format::declared::draft;
use turnwise::json::Parser;

use super::declared;
use crate::support::files::{neighbours, open, own, own_files, real_files, say};
use crate::support::{Ran, run_in, scratch};

/// A file, and what its draft reads.
struct Shape {
    name: &'static str,
    file: &'static str,
    /// The speaker or role and the text of each turn, with ` / ` between turns.
    turns: &'static str,
    /// Lines of the draft.
    lines: &'static [&'static str],
}

const SHAPES: [Shape; 27] = [
    Shape {
        name: "a first member that differs between all dialogs",
        file: r#"[{"run": "r7", "talk": [{"who": "guest", "said": "Is it open?"}, {"who": "clerk", "said": "It is."}]},
            {"run": "r8", "talk": [{"who": "guest", "said": "Is it far?"}, {"who": "clerk", "said": "Not at all."}]},
            {"run": "r9", "talk": [{"who": "guest", "said": "And the bus?"}, {"who": "clerk", "said": "At nine."}]},
            {"run": "r10", "talk": [{"who": "guest", "said": "Thank you."}, {"who": "clerk", "said": "You are welcome."}]}]"#,
        turns: "guest: Is it open? / clerk: It is. / guest: Is it far? / clerk: Not at all. / guest: And the bus? / clerk: At nine. / guest: Thank you. / clerk: You are welcome.",
        lines: &["id = \"run\""],
    },
    Shape {
        name: "two speakers in an element",
        file: r#"[{"dialogue_id": 4, "dial": [
            {"turn": 0, "usr": {"transcript": "Is the mill open today?", "transcript_complete": "Is the old mill open today?"}, "sys": {"sent": "It is open until five."}},
            {"turn": 1, "usr": {"transcript": "And is it far?", "transcript_complete": "And is the mill far?"}, "sys": {"sent": "It is a short walk."}}]}]"#,
        turns: "user: Is the mill open today? / system: It is open until five. / user: And is it far? / system: It is a short walk.",
        lines: &[
            "[[turn]]",
            "alternate = [\"user\"]",
            "alternate = [\"system\"]",
            "id = \"dialogue_id\"",
        ],
    },
    Shape {
        name: "the system's text before the user's, one without a prefix",
        file: r#"[{"turns": [{"transcript": "I want a cheap room."}, {"system_transcript": "In which part of town?", "transcript": "In the north, please."}]}]"#,
        turns: "user: I want a cheap room. / system: In which part of town? / user: In the north, please.",
        lines: &["text = \"system_transcript\""],
    },
    Shape {
        name: "texts in which values are replaced",
        file: r#"[{"log": [{"user": "find me a bath house", "sys": "[name] is at [street_name] .", "user_orig": "Find me a bath house!", "sys_orig": "Blue Bath is at Elm Lane."},
            {"user": "is it warm there ?", "sys": "[name] is heated .", "user_orig": "Is it warm there?", "sys_orig": "Blue Bath is heated."}]}]"#,
        turns: "user: find me a bath house / system: Blue Bath is at Elm Lane. / user: is it warm there ? / system: Blue Bath is heated.",
        lines: &["text = \"sys_orig\""],
    },
    Shape {
        name: "lists of lists",
        file: r#"{"c-1": {"ratings": {"a": 3}, "messages": [[{"text": "Do you like jam?", "sender": "p1"}], [{"text": "Only plum jam, really.", "sender": "p2"}, {"text": "And you, what about it?", "sender": "p2"}], [{"text": "Any of them for me.", "sender": "p1"}]]}}"#,
        turns: "p1: Do you like jam? / p2: Only plum jam, really. / p2: And you, what about it? / p1: Any of them for me.",
        lines: &["at = \"messages[*][*]\"", "user = [\"p1\"]", "system = [\"p2\"]"],
    },
    Shape {
        name: "dialogs that are arrays",
        file: r#"[[{"say": "Show all the boats.", "by": "user"}, {"say": "There are three of them.", "by": "system"}],
            [{"say": "Which one is the largest?", "by": "user"}, {"say": "The red one is, by far.", "by": "system"}]]"#,
        turns: "user: Show all the boats. / system: There are three of them. / user: Which one is the largest? / system: The red one is, by far.",
        lines: &["at = \"[*]\"", "dialogs = \"[*]\""],
    },
    Shape {
        name: "columns of dialogs that are arrays",
        file: r#"{"profile": [["I like boats."]], "dialog": [[{"id": 0, "sender": "one", "text": "Hello, how are you?"}, {"id": 1, "sender": "two", "text": "I am mending a boat."}]]}"#,
        turns: "one: Hello, how are you? / two: I am mending a boat.",
        lines: &["at = \"[*]\"", "dialogs = \"*[*]\""],
    },
    Shape {
        name: "questions and answers in two lists",
        file: r#"[{"id": "q", "story": "Ada found a key.", "questions": [{"input_text": "What did Ada find?"}, {"input_text": "Where did she find it?"}],
            "answers": [{"span_text": "Ada found a key under the very old stone bridge", "input_text": "She found a key."}, {"span_text": "under the very old stone bridge by the river", "input_text": "Under the bridge."}]}]"#,
        turns: "user: What did Ada find? / system: She found a key. / user: Where did she find it? / system: Under the bridge.",
        lines: &["text = \"^.answers[@index].input_text\""],
    },
    Shape {
        name: "speakers in a list beside",
        file: r#"[{"id": "n-1", "utt": ["Good evening to all of you.", "Thank you for having me.", "What is new at the harbour?"], "speaker": ["ANN LEE, HOST", "BO EK", "ANN LEE, HOST"]}]"#,
        turns: "ANN LEE, HOST: Good evening to all of you. / BO EK: Thank you for having me. / ANN LEE, HOST: What is new at the harbour?",
        lines: &["speaker = \"^.speaker[@index]\""],
    },
    Shape {
        name: "much longer quotes beside short answers",
        file: r#"[{"id": "q", "questions": [{"input_text": "Who came?"}, {"input_text": "And then?"}],
            "answers": [{"span_text": "the miller came along the very old stone bridge, with a lantern in one hand and a bag of flour on his back", "input_text": "The miller."}, {"span_text": "and then he went home by the river, because the bridge was shut for the night and nobody was there to open it", "input_text": "He went home."}],
            "additional_answers": {"0": [{"span_text": "the miller came along the very old stone bridge, with a lantern in one hand and a bag of flour on his back", "input_text": "A miller."}, {"span_text": "and then he went home by the river, because the bridge was shut for the night and nobody was there to open it", "input_text": "He left again."}]}}]"#,
        turns: "user: Who came? / system: The miller. / user: And then? / system: He went home.",
        lines: &["text = \"^.answers[@index].input_text\""],
    },
    Shape {
        name: "long names in a list beside",
        file: r#"[{"id": "n-1", "utt": ["Good evening to all of you.", "Thank you for having me.", "What is new?"], "speaker": ["ANN LEE, HOST", "Dr. BO EK (Keeper of the Harbour, Institute of Tides)", "ANN LEE, HOST"]}, {"id": "n-2", "utt": ["And now the weather at sea.", "It rains all day."], "speaker": ["ANN LEE, HOST", "CY OH (Keeper of the Lighthouse, Institute of Weather)"]}]"#,
        turns: "ANN LEE, HOST: Good evening to all of you. / Dr. BO EK (Keeper of the Harbour, Institute of Tides): Thank you for having me. / ANN LEE, HOST: What is new? / ANN LEE, HOST: And now the weather at sea. / CY OH (Keeper of the Lighthouse, Institute of Weather): It rains all day.",
        lines: &["speaker = \"^.speaker[@index]\""],
    },
    Shape {
        name: "long names in turns",
        file: r#"[{"turns": [{"by": "The keeper of the harbour, in Porto since May", "text": "Is the tide high?"}, {"by": "The captain of the ferry, on the way to Faro", "text": "It is, by far."}, {"by": "The keeper of the harbour, in Porto since May", "text": "Then come in."}, {"by": "The captain of the ferry, on the way to Faro", "text": "We are coming."}]}]"#,
        turns: "The keeper of the harbour, in Porto since May: Is the tide high? / The captain of the ferry, on the way to Faro: It is, by far. / The keeper of the harbour, in Porto since May: Then come in. / The captain of the ferry, on the way to Faro: We are coming.",
        lines: &["speaker = \"by\""],
    },
    Shape {
        name: "an array of the turns of one dialog",
        file: r#"[{"id": "m.1", "speaker": "B", "from": 1.5, "text": "Are we all set?", "attributes": {"role": "PM"}}, {"id": "m.2", "speaker": "C", "from": 2.5, "text": "I have the minutes.", "attributes": {"role": "ME"}}, {"id": "m.3", "speaker": "D", "from": 4, "text": "So do I.", "attributes": {"role": "UI"}}, {"id": "m.4", "speaker": "B", "from": 5, "text": "Then let us begin.", "attributes": {"role": "PM"}}, {"id": "m.5", "speaker": "B", "from": 7, "text": "Who is first?", "attributes": {"role": "PM"}}, {"id": "m.6", "speaker": "D", "from": 8, "text": "I can be the first.", "attributes": {"role": "UI"}}]"#,
        turns: "B: Are we all set? / C: I have the minutes. / D: So do I. / B: Then let us begin. / B: Who is first? / D: I can be the first.",
        lines: &[
            "dialogs = \".\"",
            "at = \"[*]\"",
            "speaker = \"speaker\"",
            "# Nothing shows who is a user and who a system: \"B\", \"C\", \"D\"",
        ],
    },
    Shape {
        name: "lines of several dialogs with more speakers than two",
        file: r#"{"chat": "a", "who": "Ann Lee", "said": "Let us begin, please."}
{"chat": "a", "who": "Bo Ek", "said": "I have the minutes."}
{"chat": "a", "who": "Ann Lee", "said": "Then read them out."}
{"chat": "b", "who": "Cy Oh", "said": "Is the ferry late?"}
{"chat": "b", "who": "Di Um", "said": "It is late by an hour."}
{"chat": "b", "who": "Cy Oh", "said": "I will wait for it."}"#,
        turns: "Ann Lee: Let us begin, please. / Bo Ek: I have the minutes. / Ann Lee: Then read them out. / Cy Oh: Is the ferry late? / Di Um: It is late by an hour. / Cy Oh: I will wait for it.",
        lines: &["dialogs = \".\"", "split = \"chat\"", "id = \"[*].chat\""],
    },
    Shape {
        name: "columns of dialogs, and of profiles as lists of letters",
        file: r#"{"dialog": [[{"by": "p1", "text": "Hello to you!"}, {"by": "p2", "text": "Who is there?"}], [{"by": "p1", "text": "Hello"}, {"by": "p2", "text": "Hey"}], [{"by": "p2", "text": "Hey"}]], "profile": [[["i", " ", "a", "m", " ", "a", " ", "k", "e", "e", "p", "e", "r", " ", "o", "f", " ", "b", "e", "e", "s"], ["i", " ", "d", "o", " ", "n", "o", "t", " ", "o", "w", "n", " ", "a", " ", "t", "e", "l", "e", "p", "h", "o", "n", "e"]]]}"#,
        turns: "p1: Hello to you! / p2: Who is there? / p1: Hello / p2: Hey / p2: Hey",
        lines: &["dialogs = \"*[*]\"", "at = \"[*]\"", "speaker = \"by\""],
    },
    Shape {
        name: "a long note that all turns have, and one that all turns of a dialog have",
        file: r#"[[{"file_name": "a", "query": "Which boats are red?", "note": "boat : name , colour , length | harbour : name , depth , town | captain : name , boat"}, {"file_name": "a", "query": "And which are blue?", "note": "boat : name , colour , length | harbour : name , depth , town | captain : name , boat"}],
            [{"file_name": "b", "query": "Is the harbour deep?", "note": "boat : name , colour , length | harbour : name , depth , town | captain : name , boat"}, {"file_name": "b", "query": "And how far is it?", "note": "boat : name , colour , length | harbour : name , depth , town | captain : name , boat"}]]"#,
        turns: "user: Which boats are red? / system: And which are blue? / user: Is the harbour deep? / system: And how far is it?",
        lines: &["text = \"query\""],
    },
    Shape {
        name: "a system that repeats itself",
        file: r#"[{"talk": [{"by": "U", "says": "Hi?"}, {"by": "S", "says": "The keeper of the old mill."}, {"by": "U", "says": "Who?"}, {"by": "S", "says": "The keeper of the old mill."}, {"by": "U", "says": "Hey?"}, {"by": "S", "says": "The keeper of the old mill."}]}]"#,
        turns: "U: Hi? / S: The keeper of the old mill. / U: Who? / S: The keeper of the old mill. / U: Hey? / S: The keeper of the old mill.",
        lines: &["text = \"says\""],
    },
    Shape {
        name: "turns in the elements of an array, beside their summaries",
        file: r#"[[{"part": "The keeper of the mill asks for the price of flour in town.", "TURNS": [{"NAMES": ["SAM"], "UTTERANCES": ["How much is the flour?"]}, {"NAMES": ["LIZ"], "UTTERANCES": ["It is two crowns.", "Or three."]}]},
            {"part": "They agree.", "TURNS": [{"NAMES": ["SAM"], "UTTERANCES": ["I take it."]}, {"NAMES": ["LIZ"], "UTTERANCES": ["Thank you."]}]}]]"#,
        turns: "SAM: How much is the flour? / LIZ: It is two crowns. Or three. / SAM: I take it. / LIZ: Thank you.",
        lines: &["at = \"[*].TURNS[*]\"", "speaker = \"NAMES[0]\""],
    },
    Shape {
        name: "offers between texts",
        file: r#"[{"id": 1, "events": [{"agent": 0, "data": "Would you sell it for ten?"}, {"agent": 1, "data": "Make it twelve, please."}, {"agent": 0, "data": {"price": 12}}, {"agent": 1, "data": null}]}]"#,
        turns: "0: Would you sell it for ten? / 1: Make it twelve, please. / 0:  / 1: ",
        lines: &["text = \"data | data.text\""],
    },
    Shape {
        name: "facts for each turn beside",
        file: r#"[{"said": ["Good evening to all of you.", "Thank you for having me."], "topics": ["to greet people", "to thank people"]}]"#,
        turns: "user: Good evening to all of you. / system: Thank you for having me.",
        lines: &["alternate = [\"user\", \"system\"]"],
    },
    Shape {
        name: "sentences, beside longer summaries",
        file: r#"[{"summaries": ["The customer says that the phone is dead.", "The agent asks the customer to restart it."], "turns": [
            {"is_agent": false, "sentences": ["My phone is dead.", "What can I do now?"]}, {"is_agent": true, "sentences": ["Please restart it, and wait for a minute."]}]}]"#,
        turns: "false: My phone is dead. What can I do now? / true: Please restart it, and wait for a minute.",
        lines: &[
            "text = { at = \"sentences[*]\", separator = \" \" }",
            "user = [\"false\"]",
            "system = [\"true\"]",
        ],
    },
    Shape {
        name: "names and sentences in lists",
        file: r#"[{"TURNS": [{"NAMES": ["SAM"], "UTTERANCES": ["You reach the gate.", "It is shut."]}, {"NAMES": ["LIZ"], "UTTERANCES": ["I knock."]}, {"NAMES": ["SAM"], "UTTERANCES": ["Nobody opens it."]}]}]"#,
        turns: "SAM: You reach the gate. It is shut. / LIZ: I knock. / SAM: Nobody opens it.",
        lines: &["speaker = \"NAMES[0]\""],
    },
    Shape {
        name: "tokens without a text",
        file: r#"[{"id": 1, "turns": [{"spk": "user", "tokens": ["Is", "it", "open", "?"], "tags": ["O", "O", "O", "O"]}, {"spk": "system", "tokens": ["Yes", ",", "all", "day", "."], "tags": ["O", "O", "O", "O", "O"]}]}]"#,
        turns: "user: Is it open ? / system: Yes , all day .",
        lines: &["text = { at = \"tokens[*]\", separator = \" \" }"],
    },
    Shape {
        name: "tokens that are objects",
        file: r#"[{"id": 1, "turns": [{"spk": "user", "words": [{"pos": "V", "form": "is", "text": "Is"}, {"pos": "P", "text": "it"}, {"pos": "A", "text": "open"}]}, {"spk": "system", "words": [{"pos": "U", "text": "Yes"}, {"pos": "P", "text": "it"}, {"pos": "V", "text": "is"}]}]}]"#,
        turns: "user: Is it open / system: Yes it is",
        lines: &["text = { at = \"words[*].text\", separator = \" \" }"],
    },
    Shape {
        name: "many speakers",
        file: r#"[{"talk": [{"speaker": "Ann", "content": "Let us begin, please."}, {"speaker": "Bo", "content": "I have the minutes."}, {"speaker": "Cy", "content": "I have two questions."}, {"speaker": "Ann", "content": "Go ahead with them."}, {"speaker": "Bo", "content": "They are short, I hope."}, {"speaker": "Cy", "content": "They are very short."}]}]"#,
        turns: "Ann: Let us begin, please. / Bo: I have the minutes. / Cy: I have two questions. / Ann: Go ahead with them. / Bo: They are short, I hope. / Cy: They are very short.",
        lines: &[
            "speaker = \"speaker\"",
            "# Nothing shows who is a user and who a system: \"Ann\", \"Bo\", \"Cy\"",
        ],
    },
    Shape {
        name: "two speakers of one kind",
        file: r#"{"t-1": {"content": [{"agent": "agent_1", "message": "Do fish ever sleep?"}, {"agent": "agent_2", "message": "Some of them do, I read."}]}}"#,
        turns: "agent_1: Do fish ever sleep? / agent_2: Some of them do, I read.",
        lines: &["user = [\"agent_1\"]", "system = [\"agent_2\"]"],
    },
    Shape {
        name: "ids that dialogs share, and labels in lists",
        file: r#"[{"scenario_uuid": "S-1", "uuid": "C-1", "events": [{"agent": 0, "data": "How much is the bike?", "marks": [{"start": 16, "end": 20, "tags": [{"name": "thing"}]}]}, {"agent": 1, "data": "It is fifty, as new."}, {"agent": 0, "data": "Is it still there?"}, {"agent": 1, "data": "It still is, yes."}]},
            {"scenario_uuid": "S-2", "uuid": "C-2", "events": [{"agent": 0, "data": "I like the lamp.", "marks": [{"start": 11, "tags": []}]}, {"agent": 1, "data": "Then come and see it."}, {"agent": 0, "data": "When would that be?"}, {"agent": 1, "data": "Tonight, or on Friday."}]}]"#,
        turns: "0: How much is the bike? / 1: It is fifty, as new. / 0: Is it still there? / 1: It still is, yes. / 0: I like the lamp. / 1: Then come and see it. / 0: When would that be? / 1: Tonight, or on Friday.",
        lines: &["id = \"uuid\"", "label = \"tags[*].name\"", "when = \"end\""],
    },
];

fn new(folder: &Path, file: &str) -> Ran {
    fs::write(folder.join("c.json"), file).unwrap();
    run_in(folder, &["formats", "new", "c.json"], "")
}

#[test]
fn drafts_read_turns_of_many_shapes() {
    for shape in SHAPES {
        let Shape { name, file, .. } = shape;
        let folder = scratch();
        let path = folder.path();
        fs::create_dir(path.join("formats")).unwrap();
        let draft = new(path, file);
        assert_eq!(draft.code, 0, "{name}: {draft:?}");
        for line in shape.lines {
            let mut lines = draft.out.lines();
            assert!(lines.any(|own| own == *line), "{name}: {line}\n{}", draft.out);
        }
        fs::write(path.join("formats/own.toml"), &draft.out).unwrap();
        let ran = run_in(path, &["formats", "check", "formats/own.toml", "c.json"], "");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{name}: {ran:?}\n{}", draft.out);
        let ran = run_in(path, &["export", "tables", "-o", "tables", "c.json"], "");
        assert_eq!(ran.code, 0, "{name}: {ran:?}");
        let rows = fs::read_to_string(path.join("tables/turns.jsonl")).unwrap();
        let turns: Vec<String> = rows
            .lines()
            .map(|row| {
                let row: Value = serde_json::from_str(row).unwrap();
                let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
                format!("{}: {}", text("speaker"), text("text"))
            })
            .collect();
        assert_eq!(turns.join(" / "), shape.turns, "{name}\n{}", draft.out);
    }
}

#[test]
fn a_draft_says_where_most_of_the_text_is() {
    let folder = scratch();
    let notes = r#"{"notes": "A note about the keeper of the garden, who says nothing at all in this dialog, and about her hat.", "talk": [{"who": "user", "says": "Is it open?"}, {"who": "system", "says": "Yes, it is open."}]}"#;
    let ran = new(folder.path(), &format!("[{notes}]"));
    let why = "c.json: that is 21 % of the text of the dialogs; most of the rest is at `notes`";
    assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
    let short = notes
        .replace(" of the garden, who says nothing at all in this dialog, and about her hat.", ".");
    let ran = new(folder.path(), &format!("[{short}]"));
    assert!(ran.code == 0 && !ran.err.contains("of the text"), "{ran:?}");
    // Columns of a table, and lists of dialogs.
    let table = r#"{"reasons": [["because of that", "it is so"], ["because of this", "it was so"]], "said": ["Why would you ever think that about a man?", "Well, that is what I have always heard of him."]}"#;
    let ran = new(folder.path(), table);
    let why = "most of the rest is at `said`";
    assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
    // Lists in a table, most of whose text is in them, beside columns of other texts.
    let table = r#"{"said": ["Why would you think that?", "That is what I have heard."], "rules": [["Never think that of a man.", "Or hear it of him."], ["Do not say all of it.", "And never twice."]]}"#;
    let ran = new(folder.path(), table);
    let why = "that is 61 % of the text of the dialogs; most of the rest is at `said`";
    assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
}

/// Guesses are on standard error, and not only in the draft.
#[test]
fn a_draft_says_what_it_guesses() {
    let folder = scratch();
    for (file, why) in [
        (
            r#"[{"talk": ["Is it open today?", "It is open until five."]}]"#,
            "nothing looks like a speaker, so that `user` and `system` alternate",
        ),
        (
            r#"[{"talk": [{"name": "Mara", "line": "The lamp is dark."}, {"name": "Otto", "line": "I see to it."}]}]"#,
            "the user is \"Mara\", who speaks first, and the system is \"Otto\"",
        ),
        (
            r#"[{"talk": [{"by": "user", "says": "A room in Porto.", "marks": [{"start": 10, "end": 15, "label": "town"}]}, {"by": "bot", "says": "For two nights?"}]}]"#,
            "`end` of `marks[*]` is exclusive, as no quote shows it",
        ),
    ] {
        let ran = new(folder.path(), file);
        assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
        assert!(ran.out.contains(why), "{ran:?}");
    }
}

/// The better of two columns is the speaker, and the other one may hold ids of dialogs.
#[test]
fn a_draft_finds_the_speakers_in_a_column() {
    let folder = scratch();
    let columns = r#"{"conv_id": ["c0", "c0", "c1", "c1"], "speaker_idx": [0, 1, 0, 1], "utterance": ["I had a bad day at work.", "What happened to you?", "My dog won a prize.", "That must feel good!"]}"#;
    let ran = new(folder.path(), columns);
    assert!(ran.code == 0 && ran.err.contains("reads 4 turns in 1 dialog"), "{ran:?}");
    let line = "speaker = \"^.speaker_idx[@index]\"";
    assert!(ran.out.contains(line), "{ran:?}");
}

/// Lines of several speakers in each element: the draft has their turns, and names what it leaves out.
#[test]
fn a_draft_says_how_many_dialogs_it_reads() {
    let folder = scratch();
    let episodes = r#"[[{"recap": ["Ann opens the door."], "transcript": ["ANN : Who is there ?", "BO : Only me , and the cat ."], "filename": "a-1"},
        {"recap": ["Ann shuts the door."], "transcript": ["BO : Where is the cat ?", "ANN : In the kitchen ."], "filename": "a-2"}]]"#;
    let ran = new(folder.path(), episodes);
    assert!(ran.code == 0 && ran.err.contains("reads 4 turns in 1 dialog"), "{ran:?}");
    let why = "these members are fields and nothing else: `recap`;";
    assert!(ran.err.contains(why), "{ran:?}");
}

#[test]
fn a_draft_names_the_members_that_it_leaves_out() {
    let folder = scratch();
    let round =
        |q: &str, a: &str| format!(r#"{{"q": {{"text": "{q}"}}, "a": {{"text": "{a}"}}, "n": 1}}"#);
    let dialog = format!(
        r#"{{"rounds": [{}, {}], "acts": [{{"text": "look"}}]}}"#,
        round("How long is the ferry?", "Two hours."),
        round("And back?", "The same.")
    );
    let ran = new(folder.path(), &format!("[{dialog}, {dialog}]"));
    let why = "these members are fields and nothing else: `a`, `acts`;";
    assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
}

#[test]
fn deep_and_wide_files_are_drafted() {
    let folder = scratch();
    let turns = r#""talk": [{"who": "user", "says": "Is it open?"}, {"who": "system", "says": "Yes, it is open."}]"#;
    let deep = 200_000;
    let nested = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    let objects = format!("{}1{}", r#"{"a":"#.repeat(deep), "}".repeat(deep));
    let wide: Vec<_> =
        (0..5_000).map(|n| format!(r#""m{n}": ["one of them", "and another"]"#)).collect();
    for more in [format!(r#""deep": {nested}"#), format!(r#""deep": {objects}"#), wide.join(", ")] {
        let ran = new(folder.path(), &format!("[{{{turns}, {more}}}]"));
        let is_drafted = ran.code == 0 && ran.out.contains("at = \"talk[*]\"");
        assert!(is_drafted, "{:.300} {:.300}", ran.err, ran.out);
    }
}

#[test]
fn files_whose_dialogs_cannot_be_read_say_why() {
    let folder = scratch();
    let turns = r#"[{"who": "user", "says": "Is it open?"}, {"who": "system", "says": "Yes, it is open."}]"#;
    let keyed = format!(r#"{{"a": {turns}, "b": {turns}}}"#);
    for (file, why) in [
        (keyed.as_str(), "its members look like dialogs that are arrays of turns"),
        (
            r#"[{"talk": "Ann: Is it open?\nBo: It is."}, {"talk": "Cy: Rain again.\nDi: Boots, then."}]"#,
            "`talk` holds a dialog as one text",
        ),
        (
            r#"[{"fname": "a", "talk": "Ann: Is it open?\nBo: It is.", "summary": "Ann asks Bo whether it is open."}, {"fname": "b", "talk": "Cy: Rain again.\nDi: Boots, then.", "summary": "Cy and Di talk of the rain."}]"#,
            "`talk` holds a dialog as one text",
        ),
        (
            r#"{"talk": ["Ann: Is it open?\nBo: It is.", "Cy: Rain again.\nDi: Boots, then."], "summary": ["Ann asks Bo.", "Cy and Di talk of rain."]}"#,
            "`talk` holds a dialog as one text",
        ),
        (
            r#"[{"history": "Does anybody know when it is?"}, {"history": "It is at eight, I think."}]"#,
            "if each element is a turn, `dialogs = \".\"` with `at = \"[*]\"` in `[turn]` reads them as one dialog",
        ),
        (r#"[{"a": 1}, {"a": 2}]"#, "nothing in it looks like a list of turns"),
    ] {
        let ran = new(folder.path(), file);
        assert!(ran.code == 2 && ran.err.contains(why), "{file}: {ran:?}");
    }
}

/// The texts that a family and a draft read in a file.
struct Read {
    family: &'static str,
    by_family: Vec<String>,
    by_draft: Vec<String>,
}

/// Dialogs of a file that are compared.
const COMPARED: usize = 30;

/// None for files without dialogs, or without texts.
fn read_both(path: &Path) -> Option<Read> {
    let file = open(fs::read(path).unwrap());
    let format = file.format().filter(|format| format.name() != "dbdc-labels")?;
    let text = fs::read_to_string(path).unwrap();
    let drafted = draft(&text, "own").unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let own = declared(&drafted.toml);
    let texts = |format: &'static Family| -> Vec<String> {
        let pieces = 0..file.index().pieces.len().min(COMPARED);
        let turns = pieces.flat_map(|position| {
            let text = file.text(position).unwrap();
            let mut parser = Parser::new();
            let read = format.read(parser.parse_piece_str(&text).unwrap());
            read.0.turns
        });
        // Answers and calls of chats are not the texts of their turns.
        let is_utterance = |turn: &Turn| {
            let name = turn.speaker.name.as_str();
            !turn.text.is_empty() && !["tool", "observation", "function_call"].contains(&name)
        };
        let uttered = turns.filter(is_utterance);
        uttered.map(|turn| turn.text).collect()
    };
    Some(Read { family: format.name(), by_family: texts(format), by_draft: texts(own) })
}

#[test]
fn drafts_read_the_demo_as_its_families_do() {
    let mut families = BTreeSet::new();
    for path in own_files() {
        if !path.starts_with(own("assets/demo")) {
            continue;
        }
        let Some(read) = read_both(&path) else {
            continue;
        };
        assert_eq!(read.by_draft, read.by_family, "{}", path.display());
        families.insert(read.family);
    }
    assert!(families.len() >= 11, "{families:?}");
}

#[test]
fn drafts_read_real_files_as_their_families_do() {
    let (Some(mut files), Some(chats)) = (neighbours("drafting"), real_files("drafting")) else {
        return;
    };
    files.extend(chats);
    let mut tried: BTreeMap<_, usize> = BTreeMap::new();
    let (mut right, mut wrong) = (BTreeSet::new(), Vec::new());
    for path in files {
        let file = open(fs::read(&path).unwrap());
        let Some(format) = file.format() else {
            continue;
        };
        let of_folder =
            tried.entry((format.name(), path.parent().map(Path::to_owned))).or_default();
        *of_folder += 1;
        let Some(read) = read_both(&path).filter(|_| *of_folder <= 2) else {
            continue;
        };
        if read.by_draft == read.by_family {
            right.insert(read.family);
        } else {
            wrong.push((path, read.by_family.len(), read.by_draft.len()));
        }
    }
    say(&format!("drafts of {} families are right: {right:?}", right.len()));
    assert!(right.len() >= 15 && wrong.is_empty(), "{wrong:?}");
}

/// A draft is recognized, or there is none.
#[test]
fn files_with_odd_keys_have_a_draft_that_fits_or_none() {
    let folder = scratch();
    for key in ["", "a\"b", "a'b", "a|b", "a.b", "x y", "@index", "{*}", "[0]", "^", "\\", "\n"] {
        let turn = |at: usize| {
            let speaker = if at.is_multiple_of(2) { "user" } else { "system" };
            serde_json::json!({"text": format!("word {at}"), "speaker": speaker})
        };
        let turns: Vec<_> = (0..4).map(turn).collect();
        for member in ["turns", "text", "speaker"] {
            let text = serde_json::json!([{"id": "d", "turns": turns}]).to_string();
            let quoted = |key: &str| format!("{}:", Value::from(key));
            let text = text.replace(&quoted(member), &quoted(key));
            fs::write(folder.path().join("data.json"), text).unwrap();
            let _ = fs::remove_file(folder.path().join("own.toml"));
            let ran = run_in(folder.path(), &["formats", "new", "data.json", "-o", "own.toml"], "");
            if ran.code == 2 {
                assert!(ran.err.starts_with("turnwise: data.json: "), "{key:?}: {ran:?}");
                continue;
            }
            let ran = run_in(folder.path(), &["formats", "check", "own.toml", "data.json"], "");
            assert!(
                ran.code < 2 && ran.out.contains("data.json: "),
                "{key:?} for {member}: {ran:?}"
            );
        }
    }
}
