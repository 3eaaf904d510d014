//! Shared code of chat logs: the roles of messages, their members, and the two sides of a pair.
//!
//! Every message is a turn, so positions of turns are positions of messages. The answer of a call is in a
//! later message; its text is the response of the call, and the turn of that message has none. If no call
//! is waiting for the answer, the text stays in its own turn.

use crate::dialog::{
    Content, Dialog, EditError, Extent, Field, Payload, Role, Short, Sides, Speaker, Turn,
    UnreadParts,
};
use crate::format::declared::Place;
use crate::format::engine::edit::not_editable;
use crate::format::engine::read::{content, extent};
use crate::format::families::message_parts::{content_in, is_value, text_of};
use crate::format::families::taskmaster::all_fields;
use crate::json::{NodeKind, Value};

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatRole {
    /// Instructions to the model: `system`, `developer`.
    Instructions,
    User,
    /// The model, also where it calls a tool.
    Assistant,
    /// The answer of a tool.
    Tool,
    Unknown,
}

/// The names and habits of a chat format, for the rules on chats.
#[derive(Debug)]
pub struct ChatForm {
    /// The names of roles, in lower case.
    pub roles: &'static [(&'static str, ChatRole)],
    /// The member with the role of a message.
    pub role_key: &'static str,
    /// The member with the declared tools of a dialog.
    pub tools_key: &'static str,
    /// The role of messages that hold nothing but calls, if there is one.
    pub call_role: Option<&'static str>,
    /// True for a dialog that ends before an answer on purpose.
    pub is_prompt: fn(Value<'_>) -> bool,
}

impl ChatForm {
    /// Returns the role that a message names.
    pub fn role(&self, name: &str) -> ChatRole {
        let is = |(known, _): &&(&str, ChatRole)| *known == name;
        let found = self.roles.iter().find(is);
        found.map_or(ChatRole::Unknown, |(_, role)| *role)
    }

    /// Returns the speaker of a message with this role.
    pub fn speaker(&self, name: Short) -> (Speaker, ChatRole) {
        let chat_role = self.role(&name);
        let role = match chat_role {
            ChatRole::User => Role::User,
            ChatRole::Assistant => Role::System,
            ChatRole::Instructions | ChatRole::Tool => Role::Context,
            ChatRole::Unknown => Role::Other,
        };
        (Speaker { role, name }, chat_role)
    }

    /// Returns the role of a turn: that of a tool also for a user's message of answers to calls alone.
    pub fn role_of(&self, turn: &Turn) -> ChatRole {
        match self.role(&turn.speaker.name) {
            ChatRole::User if turn.speaker.role == Role::Context => ChatRole::Tool,
            role => role,
        }
    }
}

/// The member of a message with what it says, in nearly all chats.
pub const CONTENT: &str = "content";

/// The members with what a message says, and with the arguments of a call: the first that says something counts.
pub const CONTENTS: Homes = Homes(&[CONTENT, "parts", "text", "message"]);
pub const ARGUMENTS: Homes = Homes(&["arguments", "args", "parameters", "input"]);

/// The names that different programs give the same member. The first is the usual one; others count only if a reader
/// finds nothing wrong with their values.
pub struct Homes(&'static [&'static str]);

impl Homes {
    /// Returns the usual member.
    pub fn first(&self) -> &'static str {
        self.0[0]
    }

    /// Returns the member that counts.
    pub fn of<'a>(
        &self,
        holder: Value<'a>,
        fits: impl Fn(Value<'_>) -> bool,
    ) -> Option<(&'static str, Value<'a>)> {
        let has = |name: &&'static str| Some((*name, holder.get(name)?));
        let own = self.0.first().and_then(has);
        let others = self.0[1..].iter().filter_map(has).filter(|(_, other)| fits(*other));
        own.filter(|(_, own)| says_something(*own))
            .or_else(|| others.clone().find(|(_, other)| says_something(*other)))
            .or(own)
            .or_else(|| others.clone().next())
    }

    /// Counts those among the `fields` that are not read, although they say something.
    pub fn unread(&self, fields: &[Field], unread: &mut UnreadParts) {
        let is_home = |field: &&Field| !field.known && self.0.contains(&field.name.as_str());
        let says = |field: &&Field| !NOTHING.contains(&field.content.as_str());
        for field in fields.iter().filter(is_home).filter(says) {
            unread.add(field.name.clone(), 1);
        }
    }
}

/// The members with the two sides of preference data, in order: the better one is that of the turns.
pub const PREFERRED: [&str; 2] = ["chosen", "rejected"];

/// A member of a dialog with messages.
pub type MessageList<'a> = (&'static str, Value<'a>);

/// Returns the messages of a list, or of a member that is one message.
pub fn messages_in(list: Value<'_>) -> impl Iterator<Item = Value<'_>> + Clone {
    let only = Some(list).filter(|only| only.kind() == NodeKind::Object);
    only.into_iter().chain(list.elements())
}

/// Returns the place of the messages in a member of a dialog.
pub fn place(key: &str, list: Value<'_>) -> Place {
    match list.kind() {
        NodeKind::Array => Place::elements().inside(key),
        _ => Place::member(key),
    }
}

/// Returns the two sides, each a message or a list of some, that go on where the messages in `list` end; None if there
/// are none, or if they begin from the start again.
pub fn continuations<'a>(
    root: Value<'a>,
    list: Value<'a>,
    role_key: &str,
) -> Option<[MessageList<'a>; 2]> {
    let is_message = |it: Value<'_>| it.get(role_key).is_some_and(|role| role.as_str().is_some());
    let first = messages_in(list).next().map(Value::raw);
    let side = |name: &'static str| {
        let side = root.get(name)?;
        let is_other = |began: Value<'_>| Some(began.raw()) != first;
        let goes_on = messages_in(side).next().is_some_and(is_other);
        (goes_on && messages_in(side).all(is_message)).then_some((name, side))
    };
    let [better, worse] = PREFERRED.map(side);
    Some([better?, worse?])
}

/// Counts the sides of a dialog that are not read.
pub fn note_unread_sides(root: Value<'_>, dialog: &mut Dialog) {
    if dialog.sides.is_none() {
        let sides = PREFERRED.iter().filter(|name| root.get(name).is_some_and(says_something));
        sides.for_each(|name| dialog.unread.add((*name).into(), 1));
    }
}

/// Returns the sides of a dialog that holds both.
pub fn in_dialog(names: [&'static str; 2]) -> Sides {
    Sides { names: names.map(Into::into), with: None }
}

/// Values that say nothing.
const NOTHING: [&str; 4] = ["null", "", "[]", "{}"];

fn says_something(value: Value<'_>) -> bool {
    !NOTHING.contains(&value.raw()) && !value.is_text("")
}

/// The member of an answer with the name of the API.
pub const NAME: &str = "name";

/// Returns a known field of a turn or a call.
pub fn field_of(name: &str, value: Value<'_>) -> Field {
    Field { name: name.into(), content: content(value), known: true, at: extent(value) }
}

/// Returns the content of a message at `at` that is not text, such as null, or a list that is a value itself; None if it
/// is a text, or has a part that is.
pub fn content_of(message: Value<'_>, at: Extent) -> Option<Payload> {
    let said = content_in(message);
    match said.map(|said| (said.kind(), said)) {
        Some((NodeKind::String, _)) => None,
        Some((NodeKind::Array, said)) if said.elements().any(|part| text_of(part).is_some()) => {
            None
        }
        Some((NodeKind::Array, said)) if is_value(said) => {
            Some(Payload::of_value(content(said), extent(said)))
        }
        None | Some((NodeKind::Array, _)) => {
            Some(Payload::of_value(Content::Raw("null".into()), at))
        }
        Some((NodeKind::Object, said)) => Some(Payload::Fields(all_fields(said))),
        Some((_, said)) => Some(Payload::of_value(content(said), at)),
    }
}

/// Returns the place of the answer of a call.
pub fn answer_place(payload: Option<&Payload>) -> Option<Extent> {
    match payload {
        Some(Payload::Text { at, .. } | Payload::Embedded { at, .. }) if at.end > 0 => Some(*at),
        _ => None,
    }
}

/// Returns the position of the turn whose message has the answer at `at`; None if it is the turn `asked` itself.
pub fn answering(turns: &[Turn], asked: usize, at: Extent) -> Option<usize> {
    let holds = |turn: &Turn| turn.at.start <= at.start && at.end <= turn.at.end;
    let place = turns.iter().position(holds)?;
    (place != asked).then_some(place)
}

/// Returns the call that a turn without a text of its own answers: its turn, and its position in that.
pub fn answered_call(turns: &[Turn], turn: usize) -> Option<(usize, usize)> {
    let own = turns.get(turn).filter(|own| own.text.is_empty())?;
    call_answered_at(turns, turn, own.at)
}

/// Returns the call of another turn whose response is at `at`, in the turn `own`: its turn, and its position in that.
pub fn call_answered_at(turns: &[Turn], own: usize, at: Extent) -> Option<(usize, usize)> {
    let is_here = |place: Extent| at.start <= place.start && place.end <= at.end;
    let mut others = turns.iter().enumerate().filter(|(turn, _)| *turn != own);
    others.find_map(|(asked, of)| {
        let mut calls = of.calls.iter();
        let call = calls.position(|call| call.response_place().is_some_and(is_here))?;
        Some((asked, call))
    })
}

/// Refuses a new text for a turn that is the response of a call.
pub fn text_is_response(asked: usize) -> EditError {
    not_editable(
        "the text",
        &format!("it is the response of a call in turn {asked}; edit it there"),
    )
}

/// Refuses a new text for a message that answers a call, because its text is the response of that call.
///
/// # Errors
/// If the turn answers a call.
pub fn refuse_answer(turns: &[Turn], turn: usize) -> Result<(), EditError> {
    match answered_call(turns, turn) {
        Some((asked, _)) => Err(text_is_response(asked)),
        None => Ok(()),
    }
}

/// Refuses another speaker for a turn that is a response or makes calls.
///
/// # Errors
/// If it is one of these.
pub fn may_speak(turns: &[Turn], old: &Turn, new: &Turn) -> Result<(), EditError> {
    let refused = |reason: &str| Err(not_editable("the speaker", &reason));
    let own = turns.iter().position(|turn| turn.at.start == old.at.start);
    if let Some((asked, _)) = call_answered_at(turns, own.unwrap_or_default(), old.at) {
        return refused(&format!("the turn is the response of a call in turn {asked}"));
    }
    if new.speaker.role != Role::System && new.calls.iter().any(|call| !call.in_text) {
        return refused("the turn has calls, and only the model calls tools");
    }
    Ok(())
}
