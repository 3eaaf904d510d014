//! The model's reasoning at the head of a text, as models of `DeepSeek` and Qwen write it: `<think>…</think>`.
//!
//! It is a field of its turn, and the text of the turn is what follows. In the file, both are one value.

use crate::dialog::{Content, Extent, Field, Role, Turn, UnreadParts};

/// The name of the field with the model's reasoning, wherever that is in the file.
pub const REASONING_FIELD: &str = "reasoning";

/// The tags around it.
const TAGS: [[&str; 2]; 2] = [["<think>", "</think>"], ["<thinking>", "</thinking>"]];

/// The beginnings of calls in texts.
const INVOKE: &str = "<invoke name=";
const CALLS: [&str; 4] = [INVOKE, "<tool_call>", "<function=", "<function_calls>"];

impl Turn {
    /// Returns the model's reasoning before what it says, if the file has it.
    pub fn reasoning(&self) -> Option<&str> {
        let field = self.fields.iter().find(|field| field.name == REASONING_FIELD);
        field.map(|field| field.content.as_str()).filter(|text| !text.is_empty())
    }
}

/// A text that begins with reasoning.
struct Parted<'t> {
    /// All that comes before the spoken words.
    head: &'t str,
    thought: &'t str,
    said: &'t str,
}

fn parted(text: &str) -> Option<Parted<'_>> {
    let own = text.trim_start();
    if !own.starts_with('<') {
        return None;
    }
    TAGS.iter().find_map(|[open, close]| {
        let (thought, rest) = own.strip_prefix(open)?.split_once(close)?;
        let said = rest.trim_start();
        Some(Parted { head: &text[..text.len() - said.len()], thought: thought.trim(), said })
    })
}

/// Returns what follows the reasoning at the head of a text, or all of it.
pub fn said_in(text: &str) -> &str {
    parted(text).map_or(text, |parted| parted.said)
}

/// Makes the reasoning at the head of what a model says, which is at `at` in the file, a field of its turn.
pub fn take(turn: &mut Turn, at: Extent) {
    if turn.speaker.role != Role::System {
        return;
    }
    let parted = parted(&turn.text);
    let unread = control_text(turn, parted.as_ref());
    turn.unread.join(&unread);
    let Some(Parted { thought, said, .. }) = parted else {
        return;
    };
    turn.fields.push(Field::known(REASONING_FIELD, Content::Text(thought.into()), at));
    turn.text = said.to_owned();
}

/// Counts the marks of a model in what a turn says, or in its reasoning, that neither begin nor end anything that is read.
fn control_text(turn: &Turn, parted: Option<&Parted<'_>>) -> UnreadParts {
    let mut unread = UnreadParts::default();
    let (thought, said) = parted.map_or(("", turn.text.as_str()), |it| (it.thought, it.said));
    if memchr::memchr(b'<', said.as_bytes()).is_some() {
        let is_open = |[open, _]: &[&str; 2]| said.trim_start().starts_with(open);
        let ends = |line: &str| TAGS.iter().any(|[_, close]| line.trim_end().ends_with(close));
        let is_reasoning = TAGS.iter().any(is_open) || said.lines().any(ends);
        let is_call = said.lines().any(|line| line.trim_start().starts_with(INVOKE));
        unread.add("reasoning in the text".into(), u64::from(is_reasoning));
        unread.add("call as XML".into(), u64::from(is_call));
    }
    let is_call = |line: &str| CALLS.iter().any(|tag| line.trim_start().starts_with(tag));
    let own = turn.fields.iter().filter(|field| field.name == REASONING_FIELD);
    let own = own.map(|field| field.content.as_str()).chain([thought]);
    let calls = own.filter(|text| memchr::memchr(b'<', text.as_bytes()).is_some());
    let calls = calls.filter(|text| text.lines().any(is_call)).count();
    unread.add("call in the reasoning".into(), calls as u64);
    unread
}

/// Does so in a turn whose text or speaker has changed.
pub fn follow(turn: &mut Turn) {
    if !turn.fields.iter().any(|field| field.name == REASONING_FIELD) {
        take(turn, turn.at);
    }
}

/// Returns the text of a file, `whole`, in which a turn is changed from `old` to `new`. Reasoning that is there stays; it may
/// come before the words of a turn that had none.
pub fn with_thought(whole: &str, old: &Turn, new: &Turn) -> String {
    let said = &new.text;
    match (new_thought(old, new), parted(whole)) {
        (Some(thought), Some(own)) if own.thought == thought && own.said == said => {
            whole.to_owned()
        }
        (Some(thought), _) => format!("<think>{thought}</think>{said}"),
        (None, Some(own)) if own.said == old.text => format!("{}{said}", own.head),
        (None, _) => said.clone(),
    }
}

/// Returns the reasoning at the head of the text of a turn that had none.
pub fn new_thought<'t>(old: &Turn, new: &'t Turn) -> Option<&'t str> {
    let is_at_head =
        |field: &&Field| field.name == REASONING_FIELD && field.at.start == new.at.start;
    let had = old.fields.iter().any(|field| field.name == REASONING_FIELD);
    let thought = new.fields.iter().find(is_at_head).filter(|_| !had)?;
    Some(thought.content.as_str())
}
