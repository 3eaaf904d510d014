//! Calls, the answers to them, and a model's reasoning that are written in texts.
//!
//! Each way to write them has a module. The text stays as it is and is the truth: the calls are shown with it, and an edit of
//! a call is an edit of the text.

pub mod code;
pub mod json;
pub mod reasoning;
pub mod tags;
pub mod xml;

use self::reasoning::said_in;
use crate::dialog::{ApiCall, Extent, Turn, UnreadParts};
use crate::format::families::chat::{ChatForm, ChatRole};

/// The calls in a text.
#[derive(Debug, Default)]
pub struct Parts {
    pub calls: Vec<ApiCall>,
    /// The kinds of text that look like a call and are not read.
    pub unread: UnreadParts,
}

/// Returns the calls that a model of a chat writes among its words, as code or between tags.
fn in_chats(text: &str, at: Extent) -> Option<Parts> {
    code::read(text, at).or_else(|| tags::read(text, at))
}

/// Reads the calls in the text of an assistant's turn, which is at `at` in the file. Calls that the message also has
/// beside its text are noted as unread.
pub fn read_calls(turn: &mut Turn, role: ChatRole, at: Extent, has_others: bool) {
    if role != ChatRole::Assistant {
        return;
    }
    let Some(Parts { calls, unread }) = in_chats(&turn.text, at) else {
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
        let in_text = |turn: &Turn| -> Vec<ApiCall> {
            turn.calls.iter().filter(|call| call.in_text).cloned().collect()
        };
        let (was, wanted) = (in_text(before), in_text(after));
        let is_changed = was.len() == wanted.len() && was != wanted;
        // Calls as code are read and not written: what cannot be written is refused then.
        if is_changed
            && code::read(&before.text, before.at).is_none()
            && let Some(text) = tags::with_changed(&before.text, &was, &wanted)
        {
            after.text = text;
        }
    } else if after.calls.iter().all(|call| call.in_text) {
        let is_model = form.role(&after.speaker.name) == ChatRole::Assistant;
        let new = in_chats(&after.text, after.at).filter(|_| is_model);
        let new = new.map(|parts| parts.calls).unwrap_or_default();
        let old = std::mem::replace(&mut after.calls, new);
        for (new, old) in after.calls.iter_mut().zip(old) {
            new.response = old.response;
        }
    }
}

/// Returns a text of calls, perhaps behind reasoning, with them as they are in `new`; None if they cannot be written.
pub fn with_calls(text: &str, old: &[ApiCall], new: &[ApiCall]) -> Option<String> {
    let own = said_in(text);
    Some(text[..text.len() - own.len()].to_owned() + &json::with_calls(own, old, new)?)
}
