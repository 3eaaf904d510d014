//! Turns of which nothing is read but the speaker, so that what they say must be where their format does not look.

use crate::dialog::{ApiCall, Content, Dialog, Field, Issue, IssueKind, Payload, Turn};
use crate::format::Family;
use crate::format::texts::reasoning::REASONING_FIELD;
use crate::json::{NodeKind, Tree, Value};

/// Returns an issue for each turn that has a speaker and members that are not read, but no member for its text, no call
/// and no response.
pub fn silent_turns(format: &'static Family, tree: Tree<'_>, dialog: &Dialog) -> Vec<Issue> {
    let turns = dialog.turns.iter().enumerate();
    let is_event = |number: usize| dialog.events.at(number).next().is_some();
    let turns = turns.filter(|(number, turn)| is_silent(format, tree, turn) && !is_event(*number));
    let silent: Vec<_> = turns.collect();
    if silent.is_empty() {
        return Vec::new();
    }
    let is_nothing = |answer: &Payload| answer.value().is_some_and(|it| it.as_str() == "null");
    let calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
    let answered = calls.filter(|call| !call.response.as_ref().is_some_and(is_nothing));
    let mut answers: Vec<_> = answered.filter_map(ApiCall::response_place).collect();
    answers.sort_unstable_by_key(|at| at.start);
    let is_answer = |turn: &Turn| {
        let first = answers.partition_point(|at| at.start < turn.at.start);
        answers.get(first).is_some_and(|at| turn.at.holds(*at))
    };
    let silent = silent.into_iter().filter(|(_, turn)| !is_answer(turn));
    let issue = |(number, turn): (usize, &Turn)| Issue {
        at: turn.at,
        turn: Some(number),
        problem: IssueKind::NothingRead {
            speaker: turn.speaker.name.clone(),
            members: unread_members(turn),
        },
    };
    silent.map(issue).collect()
}

/// True for such a turn, which may still be a response.
pub fn is_silent(format: &'static Family, tree: Tree<'_>, turn: &Turn) -> bool {
    let is_thought = |field: &Field| field.known && field.name == REASONING_FIELD;
    let has_more = !turn.segments.is_empty()
        || !turn.acts.is_empty()
        || turn.state.is_some()
        || turn.fields.iter().any(is_thought);
    let is_empty = turn.text.is_empty() && turn.calls.is_empty() && turn.unread.is_empty();
    let lacks_text =
        |element: Value<'_>| element.kind() == NodeKind::Object && !format.has_text(element);
    is_empty
        && !has_more
        && !turn.speaker.name.is_empty()
        && turn.fields.iter().any(is_unread)
        && tree.value_at(turn.whole().start).is_some_and(lacks_text)
}

/// Returns the names of the members of a turn that are not read, for messages.
pub fn unread_members(turn: &Turn) -> String {
    let unread = turn.fields.iter().filter(|field| is_unread(field));
    unread.map(|field| format!("`{}`", field.name)).collect::<Vec<_>>().join(", ")
}

/// True for a field that may say something: it holds a string.
fn is_unread(field: &Field) -> bool {
    let holds_text = match &field.content {
        Content::Text(text) => !text.is_empty(),
        Content::Raw(json) => json.contains('"'),
    };
    holds_text && !field.known && !field.name.contains("reasoning")
}
