//! Plain loops that decide which turns a query should find, independently of the queries' own code.

use turnwise::dialog::{
    Answer, ApiCall, Breakdown, Content, Dialog, Extent, Judgement, Payload, Role, Turn, Vote,
    tags_in_note,
};

/// True if the turn at a position should be found.
pub type Expected = fn(&Dialog, usize) -> bool;

pub fn has(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(part)
}

pub fn by_user(turn: &Turn) -> bool {
    turn.speaker.role == Role::User || has(&turn.speaker.name, "user")
}

pub fn by_assistant(turn: &Turn) -> bool {
    has(&turn.speaker.name, "assistant")
}

pub fn labelled(turn: &Turn, part: &str) -> bool {
    for segment in &turn.segments {
        for label in &segment.labels {
            if has(&label.name, part) {
                return true;
            }
        }
    }
    turn.segments.is_empty() && acts(turn, part)
}

/// The texts of the segments with a label, in lower case.
pub fn texts_labelled(dialog: &Dialog, turn: usize, part: &str) -> Vec<String> {
    let turn = &dialog.turns[turn];
    let mut texts = Vec::new();
    for segment in &turn.segments {
        if segment.labels.iter().any(|label| has(&label.name, part)) {
            let covered = segment.span.and_then(|span| turn.covered(span, dialog.units));
            let text = segment.quote.clone().or(covered).unwrap_or_default();
            texts.push(text.to_lowercase().to_string());
        }
    }
    texts
}

pub fn acts(turn: &Turn, part: &str) -> bool {
    turn.acts.iter().any(|act| has(&act.name, part))
}

pub fn calls(turn: &Turn, beginning: &str) -> bool {
    let mut calls = turn.calls.iter();
    calls.any(|call| call.name.to_lowercase().starts_with(beginning))
}

pub fn state(turn: &Turn, part: &str) -> bool {
    let mut slots = turn.state.iter().flatten();
    slots.any(|slot| has(&slot.slot, part))
}

/// The turn that has the last answer to the calls of a turn.
pub fn answered_at(dialog: &Dialog, turn: usize) -> usize {
    let places = dialog.turns[turn].calls.iter().filter_map(ApiCall::response_place);
    let holds = |at: Extent| {
        let mut turns = dialog.turns.iter();
        turns.position(|turn| turn.at.start <= at.start && at.end <= turn.at.end)
    };
    places.filter_map(holds).max().unwrap_or(turn).max(turn)
}

/// The texts of a turn that people read, with the names of their kinds.
pub fn texts(dialog: &Dialog, number: usize) -> Vec<(&'static str, String)> {
    let turn = &dialog.turns[number];
    let tools = ["tool", "function", "observation", "function_response"];
    let kind = match turn.speaker.role {
        Role::Context if tools.contains(&turn.speaker.name.as_str()) => "answer",
        Role::Context => "instructions",
        _ => "utterance",
    };
    let mut all = vec![(kind, turn.text.clone())];
    for call in &turn.calls {
        for (kind, payload) in [("argument", &call.arguments), ("answer", &call.response)] {
            match payload {
                None => {}
                Some(Payload::Fields(fields)) => {
                    for field in fields {
                        all.extend(of_content(&field.content).into_iter().map(|t| (kind, t)));
                    }
                }
                Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
                    all.extend(of_json(text).into_iter().map(|text| (kind, text)));
                }
            }
        }
        let beside = call.failures().chain(call.unknown());
        let beside = beside.flat_map(|field| of_content(&field.content));
        all.extend(beside.map(|text| ("answer", text)));
    }
    let thoughts = turn.fields.iter().filter(|f| f.name == "reasoning");
    let thoughts = thoughts.flat_map(|field| of_content(&field.content));
    all.extend(thoughts.map(|text| ("reasoning", text)));
    let comments = turn.votes.iter().map(|vote| vote.comment.to_string());
    all.extend(comments.map(|text| ("comment", text)));
    if number == 0 {
        let fields = dialog.fields.iter();
        let fields = fields.flat_map(|field| of_content(&field.content));
        all.extend(fields.map(|text| ("instructions", text)));
    }
    all
}

/// The utterance of a turn: empty for instructions and the answers of tools.
pub fn utterance(dialog: &Dialog, turn: usize) -> String {
    let own = texts(dialog, turn).into_iter().next();
    own.filter(|(kind, _)| *kind == "utterance").map_or(String::new(), |(_, text)| text)
}

fn of_content(content: &Content) -> Vec<String> {
    match content {
        Content::Text(text) => vec![text.to_string()],
        Content::Raw(raw) => of_json(raw),
    }
}

/// A JSON text as it is, and every value in it.
fn of_json(text: &str) -> Vec<String> {
    fn values(value: &serde_json::Value, all: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) => all.push(text.clone()),
            serde_json::Value::Array(list) => list.iter().for_each(|value| values(value, all)),
            serde_json::Value::Object(members) => {
                members.values().for_each(|value| values(value, all));
            }
            other => all.push(other.to_string()),
        }
    }
    let mut all = vec![text.to_owned()];
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(value) if value.is_object() || value.is_array() => values(&value, &mut all),
        _ => {}
    }
    all
}

/// True if a text that people read contains this part.
pub fn says(dialog: &Dialog, turn: usize, part: &str) -> bool {
    texts(dialog, turn).iter().any(|(_, text)| has(text, part))
}

/// A member: its path and its value, None for an object or a list.
pub type Member = (String, Option<String>);

/// The members in arguments or responses, nested ones with their paths.
pub fn members(payload: Option<&Payload>) -> Vec<Member> {
    let mut all = Vec::new();
    match payload {
        None => {}
        Some(Payload::Fields(fields)) => {
            for field in fields {
                all.extend(members_of(&field.name, &field.content));
            }
        }
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
            match serde_json::from_str::<serde_json::Value>(text) {
                Ok(value) if value.is_object() || value.is_array() => leaves("", &value, &mut all),
                _ => {}
            }
        }
    }
    all
}

/// A value with this name, and what is in it.
pub fn members_of(name: &str, content: &Content) -> Vec<Member> {
    let mut all = Vec::new();
    match content {
        Content::Text(text) => all.push((name.to_owned(), Some(text.to_string()))),
        Content::Raw(raw) => match serde_json::from_str::<serde_json::Value>(raw) {
            Ok(value) if value.is_object() || value.is_array() => leaves(name, &value, &mut all),
            _ => all.push((name.to_owned(), Some(raw.to_string()))),
        },
    }
    all
}

fn leaves(path: &str, value: &serde_json::Value, all: &mut Vec<Member>) {
    let mut push = |text| {
        if !path.is_empty() {
            all.push((path.to_owned(), text));
        }
    };
    match value {
        serde_json::Value::Object(object) => {
            push(None);
            for (name, value) in object {
                let inside = [path, name.as_str()].join(if path.is_empty() { "" } else { "." });
                leaves(&inside, value, all);
            }
        }
        serde_json::Value::Array(list) => {
            push(None);
            for value in list {
                leaves(path, value, all);
            }
        }
        serde_json::Value::String(text) => push(Some(text.clone())),
        other => push(Some(other.to_string())),
    }
}

/// How a name, in lower case, names a member: 0 exactly, 1 by the end of its path, 2 by a part of it.
pub fn closeness(name: &str, path: &str) -> Option<usize> {
    let path = path.to_lowercase();
    if path == name {
        return Some(0);
    }
    let mut ends = path.char_indices().filter(|(_, c)| ".-".contains(*c));
    if ends.any(|(at, _)| path[at + 1..] == *name) {
        return Some(1);
    }
    path.contains(name).then_some(2)
}

/// The values of the members that a name means: the closest ones.
pub fn meant<'m>(members: &'m [Member], name: &str) -> Vec<Option<&'m str>> {
    let closest = members.iter().filter_map(|(path, _)| closeness(name, path));
    let closest = closest.min();
    let is_meant = |path: &str| closest.is_some() && closeness(name, path) == closest;
    let meant = members.iter().filter(|(path, _)| is_meant(path));
    meant.map(|(_, value)| value.as_deref()).collect()
}

/// The judgements about a turn, and those of the whole dialog that point to it; to the first turn, if to none.
pub fn judgements(dialog: &Dialog, turn: usize) -> Vec<&Judgement> {
    let judgements = dialog.judgements.iter();
    let is_here = |judgement: &&Judgement| match (judgement.place.turn, judgement.at) {
        (Some(of), _) | (None, Some(of)) => of == turn,
        (None, None) => turn == 0,
    };
    judgements.filter(is_here).collect()
}

/// Returns what was said about a turn: its judgements, and its votes as answers to the question of breakdowns.
pub fn said(dialog: &Dialog, turn: usize) -> Vec<Judgement> {
    let of_vote = |vote: &Vote| Judgement {
        by: vote.annotator.to_string(),
        question: "breakdown".into(),
        value: vote.breakdown.map(|label| Answer::Text(label.letter().to_owned())),
        note: vote.comment.to_string(),
        tags: tags_in_note(&vote.comment).map(str::to_owned).collect(),
        ..Judgement::default()
    };
    let judgements = judgements(dialog, turn).into_iter().cloned();
    judgements.chain(dialog.turns[turn].votes.iter().map(of_vote)).collect()
}

/// The answers about a turn, by the names of their questions.
pub fn answers(dialog: &Dialog, turn: usize) -> Vec<Member> {
    let mut answers = Vec::new();
    for judgement in said(dialog, turn) {
        let mut add = |value: Option<String>| answers.push((judgement.question.clone(), value));
        match &judgement.value {
            None => {}
            Some(Answer::Flag(flag)) => add(Some(if *flag { "yes" } else { "no" }.to_owned())),
            Some(Answer::Number(number)) => add(Some(number.to_string())),
            Some(Answer::Text(text)) => add(Some(text.clone())),
            Some(Answer::Several(tags)) => {
                add(None);
                for tag in tags {
                    add(Some(tag.clone()));
                }
            }
        }
    }
    answers
}

/// The tags of the judgements about a turn.
pub fn tags(dialog: &Dialog, turn: usize) -> Vec<String> {
    let mut tags = Vec::new();
    for judgement in said(dialog, turn) {
        tags.extend(judgement.tags.clone());
        if let Some(Answer::Several(answer)) = &judgement.value {
            tags.extend(answer.clone());
        }
    }
    tags
}

/// The arguments of each call of a turn.
pub fn arguments(turn: &Turn) -> Vec<Vec<Member>> {
    let payloads = turn.calls.iter().map(|call| call.arguments.as_ref());
    payloads.map(members).collect()
}

/// The members of each answer in a turn.
pub fn responses(turn: &Turn) -> Vec<Vec<Member>> {
    let answer = |call: &ApiCall| {
        let mut all = members(call.response.as_ref());
        // What tells whether the call failed is beside the answer.
        let is_mark = |field: &&turnwise::dialog::Field| field.name == "is_error" && field.known;
        let marks = call.fields.iter().filter(is_mark).cloned();
        all.extend(fields(&marks.collect::<Vec<_>>()));
        all
    };
    turn.calls.iter().map(answer).collect()
}

/// The slots of the acts of a turn.
pub fn slots(turn: &Turn) -> Vec<Member> {
    let slots = turn.acts.iter().flat_map(|act| &act.slots);
    let of = |slot: &turnwise::dialog::ActSlot| match &slot.value {
        Some(value) => members_of(&slot.slot, value),
        None => vec![(slot.slot.to_string(), Some(String::new()))],
    };
    slots.flat_map(of).collect()
}

/// The slots of the state of a turn.
pub fn states(turn: &Turn) -> Vec<Member> {
    let slots = turn.state.iter().flatten();
    slots.flat_map(|slot| members_of(&slot.slot, &slot.value)).collect()
}

/// The fields of a turn or a dialog.
pub fn fields(fields: &[turnwise::dialog::Field]) -> Vec<Member> {
    let fields = fields.iter();
    fields.flat_map(|field| members_of(&field.name, &field.content)).collect()
}

/// True if some value of the members that a name means meets a test.
pub fn any_value(all: &[Vec<Member>], name: &str, test: impl Fn(&str) -> bool) -> bool {
    let values = all.iter().flat_map(|members| meant(members, name));
    values.flatten().any(test)
}

/// The votes for O, T and X.
pub fn votes(turn: &Turn) -> [usize; 3] {
    let of = |wanted| {
        let votes = turn.votes.iter();
        votes.filter(|vote| vote.breakdown == Some(wanted)).count()
    };
    [of(Breakdown::O), of(Breakdown::T), of(Breakdown::X)]
}

/// The label with the most votes; of labels with equally many, the better one.
pub fn majority(turn: &Turn) -> Option<usize> {
    let votes = votes(turn);
    let most = votes.into_iter().max().filter(|most| *most > 0)?;
    votes.iter().position(|count| *count == most)
}

pub fn is_tie(turn: &Turn) -> bool {
    let votes = votes(turn);
    let most = votes.into_iter().max().unwrap();
    most > 0 && votes.iter().filter(|count| **count == most).count() > 1
}

/// The entropy of the votes, in bits.
pub fn entropy(turn: &Turn) -> Option<f64> {
    let votes = votes(turn);
    let total: usize = votes.iter().sum();
    if total == 0 {
        return None;
    }
    let shares = votes.map(|count| count as f64 / total as f64);
    let shares = shares.into_iter().filter(|share| *share > 0.0);
    Some(shares.map(|share| -share * share.log2()).sum())
}

pub fn words(turn: &Turn) -> usize {
    turn.text.split_whitespace().count()
}

/// True if an earlier turn, at most `most` turns before, meets a condition.
pub fn after(
    dialog: &Dialog,
    turn: usize,
    most: usize,
    is_met: impl Fn(&Dialog, usize) -> bool,
) -> bool {
    (turn.saturating_sub(most)..turn).any(|earlier| is_met(dialog, earlier))
}

/// A time of day such as 9:10, found without regular expressions.
pub fn has_time(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let is_word = |at: usize| chars.get(at).is_some_and(|c| c.is_alphanumeric() || *c == '_');
    let is_digit = |at: usize| chars.get(at).is_some_and(|c| c.is_numeric());
    (0..chars.len()).any(|start| {
        (start == 0 || !is_word(start - 1))
            && [1, 2].into_iter().any(|digits| {
                let colon = start + digits;
                (start..colon).all(is_digit)
                    && chars.get(colon) == Some(&':')
                    && is_digit(colon + 1)
                    && is_digit(colon + 2)
                    && !is_word(colon + 3)
            })
    })
}
