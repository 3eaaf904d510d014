//! Files in the forms of public corpora and of agents' logs: what an untouched draft reads in them, or why there is none.

use std::fmt::Write as _;

use turnwise::corpus::{CorpusFile, index_with};
use turnwise::dialog::{Dialog, Payload, Role, Turn};
use turnwise::format::Family;
use turnwise::format::Formats;
use turnwise::format::declared::{Draft, draft};

use crate::support::{run_in, scratch};

/// A file, and what its draft reads.
pub struct Case {
    pub name: &'static str,
    pub file: &'static str,
    /// The id of each dialog, and its turns as role, speaker, text, spans and calls, with ` / ` between turns and ` // `
    /// between dialogs; or why there is no draft, after `refused: `.
    pub reads: &'static str,
}

pub const CASES: [Case; 55] = [
    Case {
        name: "an id that names the speaker",
        file: r#"[{"topic": "boats", "dialog": [{"id": "Apprentice", "text": "Do you know boats?"}, {"id": "Wizard", "text": "A few of them, yes."}]},
            {"topic": "bees", "dialog": [{"id": "Apprentice", "text": "Tell me about bees."}, {"id": "Wizard", "text": "They live in hives."}]}]"#,
        reads: "U Apprentice: Do you know boats? / S Wizard: A few of them, yes. // U Apprentice: Tell me about bees. / S Wizard: They live in hives.",
    },
    Case {
        name: "messages of types human, ai and tool",
        file: r#"[{"thread": "t-1", "messages": [{"type": "human", "content": "When does the ferry leave?"}, {"type": "ai", "content": "", "tool_calls": [{"name": "timetable", "args": {"line": "ferry"}, "id": "k1"}]}, {"type": "tool", "content": "at nine", "tool_call_id": "k1"}, {"type": "ai", "content": "It leaves at nine.", "tool_calls": []}]}]"#,
        reads: "U human: When does the ferry leave? / S ai:  {timetable → at nine} / C tool:  / S ai: It leaves at nine.",
    },
    Case {
        name: "messages with their contents one level down",
        file: r#"[{"session": "s-1", "messages": [{"type": "human", "data": {"content": "Is the bakery open?", "extra": {}}}, {"type": "ai", "data": {"content": "It is, until noon.", "extra": {}}}]},
            {"session": "s-2", "messages": [{"type": "human", "data": {"content": "Do they sell rye bread?", "extra": {}}}, {"type": "ai", "data": {"content": "Only on Fridays.", "extra": {}}}]}]"#,
        reads: "U human: Is the bakery open? / S ai: It is, until noon. // U human: Do they sell rye bread? / S ai: Only on Fridays.",
    },
    Case {
        name: "texts beside notes, in pairs of lists",
        file: r#"[[["Speaker 1: Open?","Speaker 2: It is."],[{"x":1}]],[["Speaker 1: Sunday?","Speaker 2: No."],[{"x":2}]]]"#,
        reads: "U Speaker 1: Open? / S Speaker 2: It is. // U Speaker 1: Sunday? / S Speaker 2: No.",
    },
    Case {
        name: "names with spaces before the texts",
        file: r#"[{"nr": 1, "lines": ["Speaker 1: Is the mill open?", "Speaker 2: It is open today."]}, {"nr": 2, "lines": ["Speaker 1: How far is it?", "Speaker 2: Ten minutes: a short walk.", "Speaker 1: Thank you."]}]"#,
        reads: "U Speaker 1: Is the mill open? / S Speaker 2: It is open today. // U Speaker 1: How far is it? / S Speaker 2: Ten minutes: a short walk. / U Speaker 1: Thank you.",
    },
    Case {
        name: "a tree of messages by parent and children",
        file: r#"[{"title": "Bees", "create_time": 1.5, "mapping": {"a": {"id": "a", "message": null, "parent": null, "children": ["b"]}, "b": {"id": "b", "message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["How do bees sleep?"]}}, "parent": "a", "children": ["c"]}, "c": {"id": "c", "message": {"author": {"role": "assistant"}, "content": {"content_type": "text", "parts": ["In their hives, at night."]}}, "parent": "b", "children": []}}}]"#,
        reads: "refused: `mapping` is a tree",
    },
    Case {
        name: "dialogs two levels deep",
        file: r#"{"about": "an export", "chats": {"list": [{"id": 1, "name": "Ann", "messages": [{"from": "Ann Lee", "text": "Are you at the harbour?"}, {"from": "Bo Ek", "text": "I am on my way."}]}, {"id": 2, "name": "Cy", "messages": [{"from": "Cy Oh", "text": "Is there a ferry today?"}, {"from": "Bo Ek", "text": "There is one at ten."}]}]}}"#,
        reads: "refused: `chats.list[*]`",
    },
    Case {
        name: "lines with a prompt and a completion",
        file: r#"{"prompt": "What do bees eat in winter?", "completion": "They eat the honey of the summer."}
{"prompt": "Do bees sleep at night?", "completion": "They do, in their hives."}"#,
        reads: "refused: `prompt` and `completion`",
    },
    Case {
        name: "calls and answers in the turns of a dialog",
        file: r#"[{"run": "r1", "steps": [{"role": "system", "text": "You know the harbour and its tides."}, {"role": "user", "text": "When is high tide in Porto?"}, {"role": "agent", "text": "I will look it up.", "calls": [{"id": "c1", "tool": "tide", "input": {"port": "Porto"}}]}, {"role": "tool", "call_id": "c1", "output": "14:10"}, {"role": "agent", "text": "It is at ten past two."}]},
            {"run": "r2", "steps": [{"role": "system", "text": "You know the harbour and its tides."}, {"role": "user", "text": "And the wind in Faro?"}, {"role": "agent", "text": "Let me see the wind.", "calls": [{"id": "c2", "tool": "wind", "input": {"port": "Faro"}}]}, {"role": "tool", "call_id": "c2", "output": "calm"}, {"role": "agent", "text": "There is no wind at all."}]}]"#,
        reads: "C system: You know the harbour and its tides. / U user: When is high tide in Porto? / S agent: I will look it up. {tide → 14:10} / C tool:  / S agent: It is at ten past two. // C system: You know the harbour and its tides. / U user: And the wind in Faro? / S agent: Let me see the wind. {wind → calm} / C tool:  / S agent: There is no wind at all.",
    },
    Case {
        name: "parts in the turns of a dialog",
        file: r#"[{"session": "h1", "msgs": [{"by": "user", "content": "When is high tide in Porto?"}, {"by": "model", "content": [{"type": "thinking", "thinking": "The table of tides has it."}, {"type": "text", "text": "I look it up in the table."}, {"type": "tool_use", "id": "t1", "name": "tide", "input": {"port": "Porto"}}]}, {"by": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "14:10"}]}, {"by": "model", "content": [{"type": "text", "text": "It is at ten past two."}]}]}]"#,
        reads: "U user: When is high tide in Porto? / S model: I look it up in the table. (The table of tides has it.) {tide → 14:10} / C user:  / S model: It is at ten past two.",
    },
    Case {
        name: "parts without a kind",
        file: r#"[{"chat": "g1", "contents": [{"role": "user", "parts": [{"text": "When is high tide in Porto?"}]}, {"role": "model", "parts": [{"text": "Let me look that up."}, {"functionCall": {"name": "tide", "args": {"port": "Porto"}}}]}, {"role": "user", "parts": [{"functionResponse": {"name": "tide", "response": {"at": "14:10"}}}]}, {"role": "model", "parts": [{"text": "It is at ten past two."}]}]}]"#,
        reads: "U user: When is high tide in Porto? / S model: Let me look that up. {tide → 14:10} / C user:  / S model: It is at ten past two.",
    },
    Case {
        name: "spans in lines that are turns",
        file: r#"{"dialog": "a", "speaker": "user", "text": "A room in Porto, please.", "marks": [{"start": 10, "end": 15, "label": "town", "value": "Porto"}]}
{"dialog": "a", "speaker": "agent", "text": "For how many nights?", "marks": []}
{"dialog": "b", "speaker": "user", "text": "Two seats on the ferry.", "marks": [{"start": 0, "end": 3, "label": "count", "value": "Two"}]}
{"dialog": "b", "speaker": "agent", "text": "At nine, or at ten?", "marks": [{"start": 3, "end": 7, "label": "time", "value": "nine"}]}"#,
        reads: "[a] U user: A room in Porto, please. <Porto town> / S agent: For how many nights? // [b] U user: Two seats on the ferry. <Two count> / S agent: At nine, or at ten? <nine time>",
    },
    Case {
        name: "messages of a channel",
        file: r#"[{"type": "message", "user": "U1", "text": "Is anybody at the harbour?", "ts": "1.1"}, {"type": "message", "user": "U2", "text": "I am, since six o'clock.", "ts": "1.2"}, {"type": "message", "user": "U3", "text": "So am I, with the boat.", "ts": "1.3"}, {"type": "message", "user": "U1", "text": "Then wait for me there.", "ts": "1.4"}, {"type": "message", "user": "U2", "text": "We will wait for you.", "ts": "1.5"}, {"type": "message", "user": "U3", "text": "But be quick about it.", "ts": "1.6"}]"#,
        reads: "? U1: Is anybody at the harbour? / ? U2: I am, since six o'clock. / ? U3: So am I, with the boat. / ? U1: Then wait for me there. / ? U2: We will wait for you. / ? U3: But be quick about it.",
    },
    Case {
        name: "segments of a recording",
        file: r#"{"file": "talk.wav", "language": "en", "segments": [{"start": 0.0, "end": 2.5, "speaker": "SPEAKER_00", "text": " Good evening to you."}, {"start": 2.5, "end": 4.0, "speaker": "SPEAKER_01", "text": " Thank you for coming."}, {"start": 4.0, "end": 7.0, "speaker": "SPEAKER_00", "text": " What is new at the mill?"}]}"#,
        reads: "[talk.wav] U SPEAKER_00:  Good evening to you. / S SPEAKER_01:  Thank you for coming. / U SPEAKER_00:  What is new at the mill?",
    },
    Case {
        name: "events of a bot among actions and slots",
        file: r#"[{"sender_id": "a", "events": [{"event": "action", "name": "listen"}, {"event": "user", "text": "I need a room for two.", "parse": {"intent": "room"}}, {"event": "slot", "name": "people", "value": 2}, {"event": "bot", "text": "For which day is it?"}, {"event": "action", "name": "listen"}]},
            {"sender_id": "b", "events": [{"event": "action", "name": "listen"}, {"event": "user", "text": "Is breakfast included?", "parse": {"intent": "meal"}}, {"event": "bot", "text": "It is, until ten."}, {"event": "slot", "name": "meal", "value": "breakfast"}]}]"#,
        reads: "[a] U user: I need a room for two. / S bot: For which day is it? // [b] U user: Is breakfast included? / S bot: It is, until ten.",
    },
    Case {
        name: "rows that come in and go out",
        file: r#"[{"conversationId": "c1", "direction": "incoming", "body": "My parcel has not arrived."}, {"conversationId": "c1", "direction": "outgoing", "body": "Which number does it have?"}, {"conversationId": "c1", "direction": "incoming", "body": "It is number four."}, {"conversationId": "c2", "direction": "incoming", "body": "Where is your office?"}, {"conversationId": "c2", "direction": "outgoing", "body": "Beside the old mill."}]"#,
        reads: "[c1] U incoming: My parcel has not arrived. / S outgoing: Which number does it have? / U incoming: It is number four. // [c2] U incoming: Where is your office? / S outgoing: Beside the old mill.",
    },
    Case {
        name: "tickets with nested authors",
        file: r#"[{"ticket": {"id": 41, "subject": "Lamp"}, "comments": [{"author": {"id": 7, "role": "end-user"}, "body": "The lamp is broken."}, {"author": {"id": 9, "role": "agent"}, "body": "We send a new one."}]},
            {"ticket": {"id": 42, "subject": "Door"}, "comments": [{"author": {"id": 8, "role": "end-user"}, "body": "The door does not shut."}, {"author": {"id": 9, "role": "agent"}, "body": "Somebody will come."}]}]"#,
        reads: "U end-user: The lamp is broken. / S agent: We send a new one. // U end-user: The door does not shut. / S agent: Somebody will come.",
    },
    Case {
        name: "a history of pairs",
        file: r#"[{"id": 5, "history": [["What do bees eat in winter?", "They eat the honey of the summer."], ["And what do wasps eat?", "They do not live that long."]]},
            {"id": 6, "history": [["Do bees sleep at night?", "They do, in their hives."], ["And do fish sleep?", "With their eyes open."]]}]"#,
        reads: "[5] U user: What do bees eat in winter? / S system: They eat the honey of the summer. / U user: And what do wasps eat? / S system: They do not live that long. // [6] U user: Do bees sleep at night? / S system: They do, in their hives. / U user: And do fish sleep? / S system: With their eyes open.",
    },
    Case {
        name: "texts beside numbers for each",
        file: r#"[{"dialog": ["How was the trip to town?", "It was long, and it rained.", "Did you take the bus?"], "act": [2, 1, 2], "emotion": [0, 3, 0]}, {"dialog": ["Shall we go fishing?", "Not before the tide."], "act": [3, 1], "emotion": [4, 0]}]"#,
        reads: "U user: How was the trip to town? / S system: It was long, and it rained. / U user: Did you take the bus? // U user: Shall we go fishing? / S system: Not before the tide.",
    },
    Case {
        name: "results in the calls",
        file: r#"[{"id": "w1", "turns": [{"role": "user", "content": "Is it windy in Faro today?"}, {"role": "assistant", "content": "It is calm there.", "actions": [{"name": "wind", "args": {"port": "Faro"}, "result": "calm"}]}]},
            {"id": "w2", "turns": [{"role": "user", "content": "And what about Porto?"}, {"role": "assistant", "content": "There is a storm.", "actions": [{"name": "wind", "args": {"port": "Porto"}, "result": "storm"}]}]}]"#,
        reads: "[w1] U user: Is it windy in Faro today? / S assistant: It is calm there. {wind → calm} // [w2] U user: And what about Porto? / S assistant: There is a storm. {wind → storm}",
    },
    Case {
        name: "one call in a message, answered by the next one",
        file: r#"[{"task": 1, "trace": [{"who": "user", "says": "Is it windy in Faro today?"}, {"who": "assistant", "says": null, "function_call": {"name": "wind", "arguments": "{\"port\": \"Faro\"}"}}, {"who": "function", "name": "wind", "says": "calm"}, {"who": "assistant", "says": "It is calm there."}]},
            {"task": 2, "trace": [{"who": "user", "says": "And what about Porto?"}, {"who": "assistant", "says": null, "function_call": {"name": "wind", "arguments": "{\"port\": \"Porto\"}"}}, {"who": "function", "name": "wind", "says": "storm"}, {"who": "assistant", "says": "There is a storm."}]}]"#,
        reads: "U user: Is it windy in Faro today? / S assistant:  {wind → calm} / C function:  / S assistant: It is calm there. // U user: And what about Porto? / S assistant:  {wind → storm} / C function:  / S assistant: There is a storm.",
    },
    Case {
        name: "columns of one dialog in an object",
        file: r#"[{"id": 1, "dialogue": {"speaker": ["user", "system", "user"], "utterance": ["Is the mill open?", "It is open today.", "Thank you very much."]}}, {"id": 2, "dialogue": {"speaker": ["user", "system"], "utterance": ["Is it far away?", "A short walk."]}}]"#,
        reads: "[1] U user: Is the mill open? / S system: It is open today. / U user: Thank you very much. // [2] U user: Is it far away? / S system: A short walk.",
    },
    Case {
        name: "pairs of a name and a text",
        file: r#"[[["Ann", "Is the mill open today?"], ["Bo", "It is open until five."], ["Ann", "Then let us go there."]], [["Ann", "Is it far from here?"], ["Bo", "It is a short walk."]]]"#,
        reads: "U Ann: Is the mill open today? / S Bo: It is open until five. / U Ann: Then let us go there. // U Ann: Is it far from here? / S Bo: It is a short walk.",
    },
    Case {
        name: "turns keyed by their numbers",
        file: r#"[{"dialogue_id": "k1", "turns": {"0": {"speaker": "user", "utterance": "Is the mill open today?"}, "1": {"speaker": "system", "utterance": "It is open until five."}}}, {"dialogue_id": "k2", "turns": {"0": {"speaker": "user", "utterance": "Is it far from here?"}, "1": {"speaker": "system", "utterance": "It is a short walk."}, "2": {"speaker": "user", "utterance": "Thank you very much."}}}]"#,
        reads: "[k1] U user: Is the mill open today? / S system: It is open until five. // [k2] U user: Is it far from here? / S system: It is a short walk. / U user: Thank you very much.",
    },
    Case {
        name: "rows without speakers",
        file: r#"[{"conversation_id": "c0", "turn": 1, "utterance": "I had a bad day at work."}, {"conversation_id": "c0", "turn": 2, "utterance": "What happened to you?"}, {"conversation_id": "c1", "turn": 1, "utterance": "My dog has won a prize."}, {"conversation_id": "c1", "turn": 2, "utterance": "That must feel good!"}, {"conversation_id": "c1", "turn": 3, "utterance": "It does, very much."}]"#,
        reads: "[c0] U user: I had a bad day at work. / S system: What happened to you? // [c1] U user: My dog has won a prize. / S system: That must feel good! / U user: It does, very much.",
    },
    Case {
        name: "reasoning beside the answer",
        file: r#"[{"id": "z1", "conversation": [{"role": "user", "value": "Do bees sleep at night?"}, {"role": "assistant", "reasoning": "Bees are insects, and insects rest in the dark, as far as is known.", "value": "They do."}]},
            {"id": "z2", "conversation": [{"role": "user", "value": "Do fish sleep at night?"}, {"role": "assistant", "reasoning": "Fish have no lids, and so they cannot shut their eyes at all.", "value": "With open eyes."}]}]"#,
        reads: "[z1] U user: Do bees sleep at night? / S assistant: They do. (Bees are insects, and insects rest in the dark, as far as is known.) // [z2] U user: Do fish sleep at night? / S assistant: With open eyes. (Fish have no lids, and so they cannot shut their eyes at all.)",
    },
    Case {
        name: "sessions in a dialog",
        file: r#"[{"pair": "p1", "sessions": [{"day": 1, "talk": [{"speaker": "Speaker 1", "text": "I have two dogs at home."}, {"speaker": "Speaker 2", "text": "And I have a cat."}]}, {"day": 2, "talk": [{"speaker": "Speaker 1", "text": "How is your cat today?"}, {"speaker": "Speaker 2", "text": "She sleeps all day."}]}]},
            {"pair": "p2", "sessions": [{"day": 1, "talk": [{"speaker": "Speaker 1", "text": "I work at the mill."}, {"speaker": "Speaker 2", "text": "I keep the lighthouse."}]}]}]"#,
        reads: "U Speaker 1: I have two dogs at home. / S Speaker 2: And I have a cat. / U Speaker 1: How is your cat today? / S Speaker 2: She sleeps all day. // U Speaker 1: I work at the mill. / S Speaker 2: I keep the lighthouse.",
    },
    Case {
        name: "an agent's log of kinds",
        file: r#"{"ts": 1, "kind": "session_start", "session": "q1", "cwd": "here"}
{"ts": 2, "kind": "user_message", "session": "q1", "text": "When is high tide in Porto?"}
{"ts": 3, "kind": "tool_call", "session": "q1", "call_id": "t1", "name": "tide", "arguments": {"port": "Porto"}}
{"ts": 4, "kind": "tool_output", "session": "q1", "call_id": "t1", "output": "14:10"}
{"ts": 5, "kind": "assistant_message", "session": "q1", "text": "It is at ten past two."}"#,
        reads: "[q1] U user_message: When is high tide in Porto? / S tool_call:  {tide → 14:10} / C tool_output:  / S assistant_message: It is at ten past two.",
    },
    Case {
        name: "rows of a list in an object, with ids of chats",
        file: r#"{"exported": "May", "rows": [{"chat_id": "c1", "sender": "visitor", "message": "Is the museum open?"}, {"chat_id": "c1", "sender": "operator", "message": "It is, until five."}, {"chat_id": "c2", "sender": "visitor", "message": "Do you sell maps?"}, {"chat_id": "c2", "sender": "operator", "message": "At the entrance."}]}"#,
        reads: "U visitor: Is the museum open? / S operator: It is, until five. / U visitor: Do you sell maps? / S operator: At the entrance.",
    },
    Case {
        name: "speakers that are flags",
        file: r#"[{"id": "f1", "msgs": [{"is_bot": false, "txt": "Is the museum open?"}, {"is_bot": true, "txt": "It is, until five."}]}, {"id": "f2", "msgs": [{"is_bot": false, "txt": "Do you sell maps?"}, {"is_bot": true, "txt": "At the entrance."}]}]"#,
        reads: "[f1] U false: Is the museum open? / S true: It is, until five. // [f2] U false: Do you sell maps? / S true: At the entrance.",
    },
    Case {
        name: "a first member that differs between all dialogs",
        file: r#"[{"run": "r7", "talk": [{"who": "guest", "said": "Is it open?"}, {"who": "clerk", "said": "It is."}]},
            {"run": "r8", "talk": [{"who": "guest", "said": "Is it far?"}, {"who": "clerk", "said": "Not at all."}]},
            {"run": "r9", "talk": [{"who": "guest", "said": "And the bus?"}, {"who": "clerk", "said": "At nine."}]},
            {"run": "r10", "talk": [{"who": "guest", "said": "Thank you."}, {"who": "clerk", "said": "You are welcome."}]}]"#,
        reads: "[r7] U guest: Is it open? / S clerk: It is. // [r8] U guest: Is it far? / S clerk: Not at all. // [r9] U guest: And the bus? / S clerk: At nine. // [r10] U guest: Thank you. / S clerk: You are welcome.",
    },
    Case {
        name: "two speakers in an element",
        file: r#"[{"dialogue_id": 4, "dial": [
            {"turn": 0, "usr": {"transcript": "Is the mill open today?", "transcript_complete": "Is the old mill open today?"}, "sys": {"sent": "It is open until five."}},
            {"turn": 1, "usr": {"transcript": "And is it far?", "transcript_complete": "And is the mill far?"}, "sys": {"sent": "It is a short walk."}}]}]"#,
        reads: "[4] U user: Is the mill open today? / S system: It is open until five. / U user: And is it far? / S system: It is a short walk.",
    },
    Case {
        name: "the system's text before the user's, one without a prefix",
        file: r#"[{"turns": [{"transcript": "I want a cheap room."}, {"system_transcript": "In which part of town?", "transcript": "In the north, please."}]}]"#,
        reads: "U user: I want a cheap room. / S system: In which part of town? / U user: In the north, please.",
    },
    Case {
        name: "texts in which values are replaced",
        file: r#"[{"log": [{"user": "find me a bath house", "sys": "[name] is at [street_name] .", "user_orig": "Find me a bath house!", "sys_orig": "Blue Bath is at Elm Lane."},
            {"user": "is it warm there ?", "sys": "[name] is heated .", "user_orig": "Is it warm there?", "sys_orig": "Blue Bath is heated."}]}]"#,
        reads: "U user: find me a bath house / S system: Blue Bath is at Elm Lane. / U user: is it warm there ? / S system: Blue Bath is heated.",
    },
    Case {
        name: "lists of lists",
        file: r#"{"c-1": {"ratings": {"a": 3}, "messages": [[{"text": "Do you like jam?", "sender": "p1"}], [{"text": "Only plum jam, really.", "sender": "p2"}, {"text": "And you, what about it?", "sender": "p2"}], [{"text": "Any of them for me.", "sender": "p1"}]]}}"#,
        reads: "[c-1] U p1: Do you like jam? / S p2: Only plum jam, really. / S p2: And you, what about it? / U p1: Any of them for me.",
    },
    Case {
        name: "dialogs that are arrays",
        file: r#"[[{"say": "Show all the boats.", "by": "user"}, {"say": "There are three of them.", "by": "system"}],
            [{"say": "Which one is the largest?", "by": "user"}, {"say": "The red one is, by far.", "by": "system"}]]"#,
        reads: "U user: Show all the boats. / S system: There are three of them. // U user: Which one is the largest? / S system: The red one is, by far.",
    },
    Case {
        name: "speakers in a list beside",
        file: r#"[{"id": "n-1", "utt": ["Good evening to all of you.", "Thank you for having me.", "What is new at the harbour?"], "speaker": ["ANN LEE, HOST", "BO EK", "ANN LEE, HOST"]}]"#,
        reads: "[n-1] U ANN LEE, HOST: Good evening to all of you. / S BO EK: Thank you for having me. / U ANN LEE, HOST: What is new at the harbour?",
    },
    Case {
        name: "much longer quotes beside short answers",
        file: r#"[{"id": "q", "questions": [{"input_text": "Who came?"}, {"input_text": "And then?"}],
            "answers": [{"span_text": "the miller came along the very old stone bridge, with a lantern in one hand and a bag of flour on his back", "input_text": "The miller."}, {"span_text": "and then he went home by the river, because the bridge was shut for the night and nobody was there to open it", "input_text": "He went home."}],
            "additional_answers": {"0": [{"span_text": "the miller came along the very old stone bridge, with a lantern in one hand and a bag of flour on his back", "input_text": "A miller."}, {"span_text": "and then he went home by the river, because the bridge was shut for the night and nobody was there to open it", "input_text": "He left again."}]}}]"#,
        reads: "[q] U user: Who came? / S system: The miller. / U user: And then? / S system: He went home.",
    },
    Case {
        name: "columns of dialogs, and of profiles as lists of letters",
        file: r#"{"dialog": [[{"by": "p1", "text": "Hello to you!"}, {"by": "p2", "text": "Who is there?"}], [{"by": "p1", "text": "Hello"}, {"by": "p2", "text": "Hey"}], [{"by": "p2", "text": "Hey"}]], "profile": [[["i", " ", "a", "m", " ", "a", " ", "k", "e", "e", "p", "e", "r", " ", "o", "f", " ", "b", "e", "e", "s"], ["i", " ", "d", "o", " ", "n", "o", "t", " ", "o", "w", "n", " ", "a", " ", "t", "e", "l", "e", "p", "h", "o", "n", "e"]]]}"#,
        reads: "U p1: Hello to you! / S p2: Who is there? // U p1: Hello / S p2: Hey // S p2: Hey",
    },
    Case {
        name: "a long note that all turns have, and one that all turns of a dialog have",
        file: r#"[[{"file_name": "a", "query": "Which boats are red?", "note": "boat : name , colour , length | harbour : name , depth , town | captain : name , boat"}, {"file_name": "a", "query": "And which are blue?", "note": "boat : name , colour , length | harbour : name , depth , town | captain : name , boat"}],
            [{"file_name": "b", "query": "Is the harbour deep?", "note": "boat : name , colour , length | harbour : name , depth , town | captain : name , boat"}, {"file_name": "b", "query": "And how far is it?", "note": "boat : name , colour , length | harbour : name , depth , town | captain : name , boat"}]]"#,
        reads: "U user: Which boats are red? / S system: And which are blue? // U user: Is the harbour deep? / S system: And how far is it?",
    },
    Case {
        name: "a system that repeats itself",
        file: r#"[{"talk": [{"by": "U", "says": "Hi?"}, {"by": "S", "says": "The keeper of the old mill."}, {"by": "U", "says": "Who?"}, {"by": "S", "says": "The keeper of the old mill."}, {"by": "U", "says": "Hey?"}, {"by": "S", "says": "The keeper of the old mill."}]}]"#,
        reads: "U U: Hi? / S S: The keeper of the old mill. / U U: Who? / S S: The keeper of the old mill. / U U: Hey? / S S: The keeper of the old mill.",
    },
    Case {
        name: "turns in the elements of an array, beside their summaries",
        file: r#"[[{"part": "The keeper of the mill asks for the price of flour in town.", "TURNS": [{"NAMES": ["SAM"], "UTTERANCES": ["How much is the flour?"]}, {"NAMES": ["LIZ"], "UTTERANCES": ["It is two crowns.", "Or three."]}]},
            {"part": "They agree.", "TURNS": [{"NAMES": ["SAM"], "UTTERANCES": ["I take it."]}, {"NAMES": ["LIZ"], "UTTERANCES": ["Thank you."]}]}]]"#,
        reads: "U SAM: How much is the flour? / S LIZ: It is two crowns. Or three. / U SAM: I take it. / S LIZ: Thank you.",
    },
    Case {
        name: "offers between texts",
        file: r#"[{"id": 1, "events": [{"agent": 0, "data": "Would you sell it for ten?"}, {"agent": 1, "data": "Make it twelve, please."}, {"agent": 0, "data": {"price": 12}}, {"agent": 1, "data": null}]}]"#,
        reads: "[1] U 0: Would you sell it for ten? / S 1: Make it twelve, please. / U 0:  / S 1: ",
    },
    Case {
        name: "sentences, beside longer summaries",
        file: r#"[{"summaries": ["The customer says that the phone is dead.", "The agent asks the customer to restart it."], "turns": [
            {"is_agent": false, "sentences": ["My phone is dead.", "What can I do now?"]}, {"is_agent": true, "sentences": ["Please restart it, and wait for a minute."]}]}]"#,
        reads: "U false: My phone is dead. What can I do now? / S true: Please restart it, and wait for a minute.",
    },
    Case {
        name: "tokens without a text",
        file: r#"[{"id": 1, "turns": [{"spk": "user", "tokens": ["Is", "it", "open", "?"], "tags": ["O", "O", "O", "O"]}, {"spk": "system", "tokens": ["Yes", ",", "all", "day", "."], "tags": ["O", "O", "O", "O", "O"]}]}]"#,
        reads: "[1] U user: Is it open ? / S system: Yes , all day .",
    },
    Case {
        name: "tokens that are objects",
        file: r#"[{"id": 1, "turns": [{"spk": "user", "words": [{"pos": "V", "form": "is", "text": "Is"}, {"pos": "P", "text": "it"}, {"pos": "A", "text": "open"}]}, {"spk": "system", "words": [{"pos": "U", "text": "Yes"}, {"pos": "P", "text": "it"}, {"pos": "V", "text": "is"}]}]}]"#,
        reads: "[1] U user: Is it open / S system: Yes it is",
    },
    Case {
        name: "two speakers of one kind",
        file: r#"{"t-1": {"content": [{"agent": "agent_1", "message": "Do fish ever sleep?"}, {"agent": "agent_2", "message": "Some of them do, I read."}]}}"#,
        reads: "[t-1] U agent_1: Do fish ever sleep? / S agent_2: Some of them do, I read.",
    },
    Case {
        name: "ids that dialogs share, and labels in lists",
        file: r#"[{"scenario_uuid": "S-1", "uuid": "C-1", "events": [{"agent": 0, "data": "How much is the bike?", "marks": [{"start": 16, "end": 20, "tags": [{"name": "thing"}]}]}, {"agent": 1, "data": "It is fifty, as new."}, {"agent": 0, "data": "Is it still there?"}, {"agent": 1, "data": "It still is, yes."}]},
            {"scenario_uuid": "S-2", "uuid": "C-2", "events": [{"agent": 0, "data": "I like the lamp.", "marks": [{"start": 11, "tags": []}]}, {"agent": 1, "data": "Then come and see it."}, {"agent": 0, "data": "When would that be?"}, {"agent": 1, "data": "Tonight, or on Friday."}]}]"#,
        reads: "[C-1] U 0: How much is the bike? <bike thing> / S 1: It is fifty, as new. / U 0: Is it still there? / S 1: It still is, yes. // [C-2] U 0: I like the lamp. / S 1: Then come and see it. / U 0: When would that be? / S 1: Tonight, or on Friday.",
    },
    Case {
        name: "one dialog whose turns have two texts and a state",
        file: r#"{"dialogue_id": "k9", "turns": [{"user_utterance": {"text": "A table for two , please ."}, "state": [{"slot": "people", "value": "two of us"}]}, {"system_utterance": {"text": "And on which day is that ?"}, "user_utterance": {"text": "On Friday , at eight ."}, "state": [{"slot": "people", "value": "two of us"}, {"slot": "day", "value": "on Friday"}]}, {"system_utterance": {"text": "Then I book it now ."}, "user_utterance": {"text": "That is very kind ."}, "state": [{"slot": "people", "value": "two of us"}, {"slot": "day", "value": "on Friday"}]}]}"#,
        reads: "[k9] U user: A table for two , please . / S system: And on which day is that ? / U user: On Friday , at eight . / S system: Then I book it now . / U user: That is very kind .",
    },
    Case {
        name: "rows with a question and its answer, of several dialogs",
        file: r#"[{"conversation_id": "c0", "user": "Is the mill open today?", "assistant": "It is open until five."}, {"conversation_id": "c0", "user": "And is it far from here?", "assistant": "A short walk."}, {"conversation_id": "c1", "user": "Do you sell any maps?", "assistant": "At the entrance."}, {"conversation_id": "c1", "user": "How much is one of them?", "assistant": "Two crowns, I think."}]"#,
        reads: "[c0] U user: Is the mill open today? / S system: It is open until five. / U user: And is it far from here? / S system: A short walk. // [c1] U user: Do you sell any maps? / S system: At the entrance. / U user: How much is one of them? / S system: Two crowns, I think.",
    },
    Case {
        name: "names of which one is known to be the user's, and another makes the calls",
        file: r#"{"kind": "begin", "run": "r1"}
{"kind": "human", "run": "r1", "body": {"parts": [{"sort": "words", "words": "When is high tide in 1?"}]}}
{"kind": "pilot", "run": "r1", "body": {"parts": [{"sort": "words", "words": "I will look it up."}, {"sort": "invoke", "key": "k1", "tool": "tide", "params": {"port": "1"}}]}}
{"kind": "outcome", "run": "r1", "body": {"parts": [{"sort": "outcome", "for": "k1", "data": "at 1 in the morning", "bad": false}]}}
{"kind": "pilot", "run": "r1", "body": {"parts": [{"sort": "words", "words": "It is at 1."}]}}
{"kind": "begin", "run": "r2"}
{"kind": "human", "run": "r2", "body": {"parts": [{"sort": "words", "words": "When is high tide in 2?"}]}}
{"kind": "pilot", "run": "r2", "body": {"parts": [{"sort": "words", "words": "I will look it up."}, {"sort": "invoke", "key": "k2", "tool": "tide", "params": {"port": "2"}}]}}
{"kind": "outcome", "run": "r2", "body": {"parts": [{"sort": "outcome", "for": "k2", "data": "at 2 in the morning", "bad": false}]}}
{"kind": "pilot", "run": "r2", "body": {"parts": [{"sort": "words", "words": "It is at 2."}]}}"#,
        reads: "[r1] U human: When is high tide in 1? / S pilot: I will look it up. {tide → at 1 in the morning} / C outcome:  / S pilot: It is at 1. // [r2] U human: When is high tide in 2? / S pilot: I will look it up. {tide → at 2 in the morning} / C outcome:  / S pilot: It is at 2.",
    },
    Case {
        name: "names of which nothing shows who is the user",
        file: r#"{"kind": "begin", "run": "r1"}
{"kind": "keeper", "run": "r1", "body": {"parts": [{"sort": "words", "words": "When is high tide in 1?"}]}}
{"kind": "pilot", "run": "r1", "body": {"parts": [{"sort": "words", "words": "I will look it up."}, {"sort": "invoke", "key": "k1", "tool": "tide", "params": {"port": "1"}}]}}
{"kind": "outcome", "run": "r1", "body": {"parts": [{"sort": "outcome", "for": "k1", "data": "at 1 in the morning", "bad": false}]}}
{"kind": "pilot", "run": "r1", "body": {"parts": [{"sort": "words", "words": "It is at 1."}]}}
{"kind": "begin", "run": "r2"}
{"kind": "keeper", "run": "r2", "body": {"parts": [{"sort": "words", "words": "When is high tide in 2?"}]}}
{"kind": "pilot", "run": "r2", "body": {"parts": [{"sort": "words", "words": "I will look it up."}, {"sort": "invoke", "key": "k2", "tool": "tide", "params": {"port": "2"}}]}}
{"kind": "outcome", "run": "r2", "body": {"parts": [{"sort": "outcome", "for": "k2", "data": "at 2 in the morning", "bad": false}]}}
{"kind": "pilot", "run": "r2", "body": {"parts": [{"sort": "words", "words": "It is at 2."}]}}"#,
        reads: "refused: looks like a list of turns",
    },
    Case {
        name: "a list of calls whose only member in all of them is an argument",
        file: r#"{"event": "user", "sess": "s-1", "body": "When is high tide in Porto?"}
{"event": "bot", "sess": "s-1", "body": "I look it up.", "acts": [{"ref": "t1", "fn": "tide", "with": {"port": "Porto"}}, {"ref": "t2", "fn": "wind", "with": {"port": "Faro"}}]}
{"event": "done", "sess": "s-1", "ref": "t2", "out": "calm"}
{"event": "done", "sess": "s-1", "ref": "t1", "out": "14:10"}
{"event": "bot", "sess": "s-1", "body": "At 14:10, and it is calm.", "acts": []}"#,
        reads: "[s-1] U user: When is high tide in Porto? / S bot: I look it up. {tide → 14:10} {wind → calm} / C done:  / C done:  / S bot: At 14:10, and it is calm.",
    },
    Case {
        name: "instructions before the user",
        file: r#"[{"id": "a", "msgs": [{"who": "system", "says": "You know the tides of all ports."}, {"who": "user", "says": "When is high tide?"}, {"who": "assistant", "says": "It is at ten."}]}, {"id": "b", "msgs": [{"who": "system", "says": "You know the tides of all ports."}, {"who": "user", "says": "When is high tide?"}, {"who": "assistant", "says": "It is at ten."}]}]"#,
        reads: "[a] C system: You know the tides of all ports. / U user: When is high tide? / S assistant: It is at ten. // [b] C system: You know the tides of all ports. / U user: When is high tide? / S assistant: It is at ten.",
    },
    Case {
        name: "one who goes on speaking gives no instructions",
        file: r#"[{"id": "a", "msgs": [{"who": "system", "says": "You know the tides of all ports."}, {"who": "user", "says": "When is high tide?"}, {"who": "system", "says": "It is at ten."}]}, {"id": "b", "msgs": [{"who": "system", "says": "You know the tides of all ports."}, {"who": "user", "says": "When is high tide?"}, {"who": "system", "says": "It is at ten."}]}]"#,
        reads: "[a] S system: You know the tides of all ports. / U user: When is high tide? / S system: It is at ten. // [b] S system: You know the tides of all ports. / U user: When is high tide? / S system: It is at ten.",
    },
];

/// Returns the turns that a draft reads in a file, in the form of the cases.
pub fn outcome(text: &str, drafted: Result<Draft, String>) -> String {
    let toml = match drafted {
        Ok(drafted) => drafted.toml,
        Err(why) => return format!("refused: {why}"),
    };
    let format = match Family::read_from(&toml, None) {
        Ok(declared) => declared.keep(),
        Err(error) => return format!("not a description: {error}"),
    };
    let bytes = text.as_bytes().to_vec();
    let index = index_with(&bytes, &Formats::with(vec![format]), false).expect("bytes in memory");
    let file = CorpusFile::new(bytes, index);
    let dialogs = (0..file.index().pieces.len()).map(|position| {
        let Ok(Some((dialog, issues))) = file.dialog(position) else {
            return "not read".to_owned();
        };
        format!("{}{}", reads(&dialog), if issues.is_empty() { "" } else { " !" })
    });
    dialogs.collect::<Vec<_>>().join(" // ")
}

fn reads(dialog: &Dialog) -> String {
    let id = if dialog.id.is_empty() { String::new() } else { format!("[{}] ", dialog.id) };
    id + &dialog.turns.iter().map(one).collect::<Vec<_>>().join(" / ")
}

fn one(turn: &Turn) -> String {
    let role = match turn.speaker.role {
        Role::User => "U",
        Role::System => "S",
        Role::Context => "C",
        Role::Other => "?",
    };
    let mut text = format!("{role} {}: {}", turn.speaker.name, turn.text);
    for segment in &turn.segments {
        let span = segment.span.map(|span| (span.start as usize, span.end as usize));
        let covered = span.and_then(|(start, end)| turn.text.get(start..end));
        let labels: Vec<_> = segment.labels.iter().map(|label| label.name.as_str()).collect();
        let _ = write!(text, " <{} {}>", covered.unwrap_or("?"), labels.join(","));
    }
    for field in turn.fields.iter().filter(|field| field.known) {
        let _ = write!(text, " ({})", field.content.as_str());
    }
    for call in &turn.calls {
        let response = match &call.response {
            None => "-".to_owned(),
            Some(Payload::Fields(fields)) => fields[0].content.as_str().to_owned(),
            Some(other) => other.text().map(ToString::to_string).unwrap_or_default(),
        };
        let _ = write!(text, " {{{} → {response}}}", call.name);
    }
    text
}

#[test]
fn drafts_read_the_forms_of_corpora_and_logs_or_refuse_them() {
    let mut wrong = Vec::new();
    for Case { name, file, reads } in CASES {
        let read = outcome(file, draft(file, "own.json"));
        let is_right = match reads.strip_prefix("refused: ") {
            Some(why) => read.starts_with("refused: ") && read.contains(why),
            None => read == reads,
        };
        if !is_right {
            wrong.push(format!("{name}:\n  {read}\n  {reads}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Drafts describe nothing that their files do not have.
#[test]
fn drafts_of_these_forms_pass_their_own_checks() {
    for Case { name, file, .. } in CASES.iter().filter(|case| !case.reads.starts_with("refused")) {
        let folder = scratch();
        std::fs::create_dir(folder.path().join("formats")).unwrap();
        std::fs::write(folder.path().join("c.json"), file).unwrap();
        for arguments in [
            ["formats", "new", "-o", "formats/c.toml", "c.json"].as_slice(),
            &["formats", "check", "formats/c.toml", "c.json"],
        ] {
            let ran = run_in(folder.path(), arguments, "");
            let is_quiet = ran.err.is_empty() || arguments[1] == "new";
            assert!(ran.code == 0 && is_quiet, "{name}: {ran:?}");
        }
    }
}
