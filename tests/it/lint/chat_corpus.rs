//! Chats of a greenhouse, made from a seed: with calls of tools and their answers, and with a fault in
//! some of them.

use serde_json::{Value, json};

use crate::support::random::Random;

/// A fault that is planted: the rule that must find it, and the message it is in.
pub struct Fault {
    pub rule: &'static str,
    pub turn: usize,
}

/// The rules whose faults can be planted in `messages`.
pub const RULES: [&str; 14] = [
    "chat-arguments-broken",
    "chat-arguments-twice",
    "chat-call-unanswered",
    "chat-answer-orphan",
    "chat-call-id-repeated",
    "chat-tool-undeclared",
    "chat-argument-unknown",
    "chat-argument-missing",
    "chat-argument-type",
    "chat-role-unknown",
    "chat-system-not-first",
    "chat-roles-not-alternating",
    "chat-ends-without-assistant",
    "chat-empty-assistant",
];

/// Those of them that need the ids of calls, which `sharegpt` does not have.
pub const BY_ID: [&str; 2] = ["chat-answer-orphan", "chat-call-id-repeated"];

const PLACES: [&str; 6] = ["Łąka", "north bay", "Großes Haus", "温室", "bed \"B\"", "peg's shed"];
const CROPS: [&str; 4] = ["chard", "crème lettuce", "okra", "leek: early"];

fn tools() -> Value {
    let tool = |name: &str, properties: Value, required: Value| {
        let parameters = json!({"type": "object", "properties": properties, "required": required});
        json!({"type": "function", "function": {"name": name, "parameters": parameters}})
    };
    let crop = json!({"type": "string", "enum": CROPS});
    json!([
        tool(
            "sow_rows",
            json!({"bed": {"type": "string"}, "rows": {"type": "integer"}, "crop": crop}),
            json!(["bed", "rows"])
        ),
        tool(
            "read_sensor",
            json!({"bed": {"type": "string"}, "kind": {"type": "string", "enum": ["heat", "damp"]}}),
            json!(["bed"])
        ),
        tool(
            "plan_watering",
            json!({"bed": {"type": "string"}, "litres": {"type": "number"},
                "days": {"type": "array", "items": {"type": "string"}}, "at_night": {"type": "boolean"}}),
            json!(["bed", "litres", "at_night"])
        ),
    ])
}

/// The four messages about a wish of a gardener.
fn task(random: &mut Random, id: &str) -> [Value; 4] {
    let bed = random.one_of(&PLACES);
    let (name, arguments, ask, done) = match random.below(3) {
        0 => {
            let (rows, crop) = (random.below(9) + 1, random.one_of(&CROPS));
            let arguments = json!({"bed": bed, "rows": rows, "crop": crop});
            let ask = format!("{rows} rows of {crop} in {bed}, please");
            ("sow_rows", arguments, ask, "Sown.".to_owned())
        }
        1 => {
            let kind = random.one_of(&["heat", "damp"]);
            let arguments = json!({"bed": bed, "kind": kind});
            let ask = format!("how is the {kind} in {bed}?");
            ("read_sensor", arguments, ask, format!("{} today.", random.below(40)))
        }
        _ => {
            let (half, night) = (random.below(20), random.below(2) == 0);
            let litres = half as f64 / 2.0 + 0.5;
            let days = ["Monday", "Friday"];
            let arguments = json!({"bed": bed, "litres": litres, "at_night": night, "days": days});
            let ask = format!("{litres} litres for {bed} twice a week");
            ("plan_watering", arguments, ask, "It is in the plan 🌱".to_owned())
        }
    };
    let function = json!({"name": name, "arguments": arguments.to_string()});
    let call = json!({"id": id, "type": "function", "function": function});
    [
        json!({"role": "user", "content": ask}),
        json!({"role": "assistant", "content": null, "tool_calls": [call]}),
        json!({"role": "tool", "tool_call_id": id, "content": json!({"ok": true}).to_string()}),
        json!({"role": "assistant", "content": done}),
    ]
}

/// A chat without faults.
pub fn chat(random: &mut Random) -> Value {
    let mut messages = Vec::new();
    if random.below(5) > 0 {
        messages
            .push(json!({"role": "system", "content": "You keep a greenhouse.\nUse the tools."}));
    }
    for number in 0..=random.below(4) {
        messages.extend(task(random, &format!("call-{number}")));
        if random.below(3) == 0 {
            messages.push(json!({"role": "user", "content": random.one_of(&["Lovely.", "Hm."])}));
            messages.push(json!({"role": "assistant", "content": "Anything else?"}));
        }
    }
    json!({"messages": messages, "tools": tools()})
}

/// The positions of the messages with calls.
fn calls(chat: &Value) -> Vec<usize> {
    let messages = chat["messages"].as_array().unwrap().iter().enumerate();
    let has_call = |message: &Value| message.get("tool_calls").is_some();
    messages.filter(|(_, m)| has_call(m)).map(|(at, _)| at).collect()
}

/// The arguments of the call in the message at `turn`, as JSON.
pub fn arguments(chat: &mut Value, turn: usize) -> &mut Value {
    &mut chat["messages"][turn]["tool_calls"][0]["function"]["arguments"]
}

/// Plants a fault for `rule` in the chat; None if it has no place for one.
pub fn plant(random: &mut Random, chat: &mut Value, rule: &'static str) -> Option<Fault> {
    let calls = calls(chat);
    let turn = random.one_of(&calls);
    let turn = match rule {
        "chat-call-id-repeated" => repeat_id(chat, *calls.first()?, *calls.get(1)?),
        _ if rule.starts_with("chat-argument") || rule == "chat-tool-undeclared" => {
            in_call(random, chat, turn, rule)?;
            turn
        }
        _ => in_messages(random, chat["messages"].as_array_mut()?, turn, rule),
    };
    Some(Fault { rule, turn })
}

/// Gives two calls and their answers the same id.
fn repeat_id(chat: &mut Value, first: usize, second: usize) -> usize {
    let id = chat["messages"][first]["tool_calls"][0]["id"].clone();
    chat["messages"][second]["tool_calls"][0]["id"] = id.clone();
    chat["messages"][second + 1]["tool_call_id"] = id;
    second
}

fn in_call(random: &mut Random, chat: &mut Value, turn: usize, rule: &str) -> Option<()> {
    let text = arguments(chat, turn).as_str()?.to_owned();
    let mut values: Value = serde_json::from_str(&text).ok()?;
    let new = match rule {
        "chat-arguments-broken" => broken(random, &text),
        "chat-arguments-twice" => json!(text).to_string(),
        "chat-tool-undeclared" => {
            let name = &mut chat["messages"][turn]["tool_calls"][0]["function"]["name"];
            *name = json!(format!("{}{}", name.as_str()?, random.one_of(&["s", "_2", "_tool"])));
            return Some(());
        }
        "chat-argument-unknown" => {
            values["remark"] = json!("soon");
            values.to_string()
        }
        "chat-argument-missing" => {
            values.as_object_mut()?.remove("bed");
            values.to_string()
        }
        _ => {
            let names = ["rows", "litres"].into_iter();
            let name = names.into_iter().find(|name| values.get(*name).is_some())?;
            values[name] = json!(values[name].to_string());
            values.to_string()
        }
    };
    *arguments(chat, turn) = json!(new);
    Some(())
}

/// JSON with a mistake that people and models make.
fn broken(random: &mut Random, text: &str) -> String {
    let end = text.len() - 1;
    match random.below(6) {
        0 => text[..end].to_owned(),
        1 => text.replacen("\":", "\"", 1),
        2 => format!("{},}}", &text[..end]),
        3 => python(text),
        // The quotation mark before a name, or the one behind it.
        4 => text.replacen("{\"", "{", 1),
        _ => text.replacen("\":", ":", 1),
    }
}

/// The values as Python prints them.
fn python(text: &str) -> String {
    let Ok(Value::Object(members)) = serde_json::from_str(text) else {
        unreachable!("arguments are an object");
    };
    let member = |(name, value): (String, Value)| {
        let value = match &value {
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            Value::String(text) if text.contains('\'') => format!("\"{text}\""),
            Value::String(text) => format!("'{text}'"),
            other => other.to_string().replace('"', "'"),
        };
        format!("'{name}': {value}")
    };
    let members: Vec<_> = members.into_iter().map(member).collect();
    format!("{{{}}}", members.join(", "))
}

fn in_messages(random: &mut Random, all: &mut Vec<Value>, call: usize, rule: &str) -> usize {
    let last = all.len() - 1;
    let said = |role: &str, text: &str| json!({"role": role, "content": text});
    let first_user = usize::from(all[0]["role"] == "system");
    match rule {
        "chat-call-unanswered" => {
            all.remove(call + 1);
            call
        }
        "chat-answer-orphan" => {
            all[call + 1]["tool_call_id"] = json!("call-nobody");
            call + 1
        }
        "chat-role-unknown" => {
            all[last]["role"] = json!(random.one_of(&["assitant", "bot", "narrator"]));
            last
        }
        "chat-system-not-first" => {
            let at = first_user + 4;
            all.insert(at, said("system", "Answer briefly."));
            at
        }
        "chat-roles-not-alternating" => {
            all.insert(first_user + 1, said("user", "are you there?"));
            first_user + 1
        }
        "chat-ends-without-assistant" => {
            all.pop();
            last - 1
        }
        "chat-empty-assistant" => {
            all[last]["content"] = json!(random.one_of(&["", " "]));
            last
        }
        other => unreachable!("no fault for {other}"),
    }
}

/// The chat in the form of `sharegpt`, which keeps the positions of messages.
pub fn sharegpt(chat: &Value) -> Value {
    let message = |message: &Value| match message.get("tool_calls") {
        Some(calls) => json!({"from": "function_call", "value": calls[0]["function"].to_string()}),
        None => {
            let from = match message["role"].as_str().unwrap() {
                "user" => "human",
                "assistant" => "gpt",
                "tool" => "observation",
                other => other,
            };
            json!({"from": from, "value": message["content"]})
        }
    };
    let messages = chat["messages"].as_array().unwrap().iter();
    let tools = chat["tools"].as_array().unwrap().iter();
    let tools: Vec<_> = tools.map(|tool| &tool["function"]).collect();
    json!({"conversations": messages.map(message).collect::<Vec<_>>(), "tools": json!(tools).to_string()})
}
