//! Calls, the answers to them, and a model's reasoning that are written in texts.
//!
//! Each way to write it is a [`Coded`], which reads it from a text and puts it into one. The text stays as it is and is
//! the truth: the calls are shown with it, and an edit of a call is an edit of the text.

pub mod code;
pub mod json;
pub mod reasoning;
pub mod tags;
pub mod xml;

use self::code::Code;
use self::json::Json;
use self::reasoning::said_in;
use self::tags::Tags;
use crate::dialog::{ApiCall, Content, Extent, Field, Short, Turn, UnreadParts};
use crate::format::families::chat::{ChatForm, ChatRole};

/// A way to write calls or reasoning into a text.
pub trait Coded: Sync {
    /// Returns what a text at `at` in the file holds in this way; None if that is nothing.
    fn read(&self, text: &str, at: Extent) -> Option<Parts>;

    /// Returns the text, which holds what is `before`, with what is `after`; None if that cannot be written in this way.
    fn put(&self, _text: &str, _before: &Parts, _after: &Parts) -> Option<String> {
        None
    }
}

/// The parts of a text.
#[derive(Debug, Default)]
pub struct Parts {
    pub thought: Option<Short>,
    /// The words behind the reasoning.
    pub said: String,
    pub calls: Vec<ApiCall>,
    /// The kinds of text that look like a call and are not read.
    pub unread: UnreadParts,
}

impl Parts {
    /// Returns the calls in the text of a turn.
    fn of(turn: &Turn) -> Self {
        let calls = turn.calls.iter().filter(|call| call.in_text);
        Self { calls: calls.cloned().collect(), ..Self::default() }
    }
}

/// The ways in which the models of chats write calls among their words. The first that a text has counts.
const IN_CHATS: [&dyn Coded; 2] = [&Code, &Tags];

fn in_chats(text: &str, at: Extent) -> Option<(&'static dyn Coded, Parts)> {
    IN_CHATS.into_iter().find_map(|coded| Some((coded, coded.read(text, at)?)))
}

/// Reads the calls in the text of an assistant's turn, which is at `at` in the file. Calls that the message also has
/// beside its text are noted as unread.
pub fn read_calls(turn: &mut Turn, role: ChatRole, at: Extent, has_others: bool) {
    if role != ChatRole::Assistant {
        return;
    }
    let Some((_, Parts { calls, unread, .. })) = in_chats(&turn.text, at) else {
        return;
    };
    turn.unread.join(&unread);
    if has_others {
        turn.unread.add(tags::CALL[0].into(), calls.len() as u64);
    } else {
        turn.calls = calls;
    }
}

/// Gives an edited or new turn of a chat the role of its speaker, and the reasoning and the calls in its text; or the text
/// if its calls have changed.
pub fn follow(form: &ChatForm, before: &Turn, after: &mut Turn) {
    if before.speaker != after.speaker {
        after.speaker = form.speaker(after.speaker.name.clone()).0;
    }
    if before.speaker != after.speaker || before.text != after.text {
        reasoning::follow(after);
    }
    if before.text == after.text && before.speaker == after.speaker {
        let (was, wanted) = (Parts::of(before), Parts::of(after));
        let is_changed = was.calls.len() == wanted.calls.len() && was.calls != wanted.calls;
        let coded = in_chats(&before.text, before.at).filter(|_| is_changed);
        // What cannot be written is refused then.
        after.text = coded
            .and_then(|(coded, _)| coded.put(&before.text, &was, &wanted))
            .unwrap_or_else(|| std::mem::take(&mut after.text));
    } else if after.calls.iter().all(|call| call.in_text) {
        let is_model = form.role(&after.speaker.name) == ChatRole::Assistant;
        let new = in_chats(&after.text, after.at).filter(|_| is_model);
        let new = new.map(|(_, parts)| parts.calls).unwrap_or_default();
        let old = std::mem::replace(&mut after.calls, new);
        for (new, old) in after.calls.iter_mut().zip(old) {
            new.response = old.response;
        }
    }
}

/// Returns a text of calls, perhaps behind reasoning, with them as they are in `new`; None if they cannot be written.
pub fn with_calls(text: &str, old: Vec<ApiCall>, new: Vec<ApiCall>) -> Option<String> {
    let own = said_in(text);
    let [before, after] = [old, new].map(|calls| Parts { calls, ..Parts::default() });
    Some(text[..text.len() - own.len()].to_owned() + &Json.put(own, &before, &after)?)
}

/// Returns an argument that is a value of its own.
fn argument(name: &str, content: Content, at: Extent) -> Field {
    Field { name: name.into(), content, known: true, at }
}
