//! Shared code of chat logs: the roles of messages, and the two sides of a pair.
//!
//! Every message is a turn, so positions of turns are positions of messages. The answer of a call is in a
//! later message; its text is the response of the call, and the turn of that message has none. If no call
//! is waiting for the answer, the text stays in its own turn.

use crate::dialog::{Dialog, Extent, Role, Short, Sides, Speaker, Turn};
use crate::format::declared::Place;
use crate::format::families::homes::says_something;
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

/// Returns the position of the turn whose message has the answer at `at`; None if it is the turn `asked` itself.
pub fn answering(turns: &[Turn], asked: usize, at: Extent) -> Option<usize> {
    let holds = |turn: &Turn| turn.at.start <= at.start && at.end <= turn.at.end;
    let place = turns.iter().position(holds)?;
    (place != asked).then_some(place)
}

/// Returns the call that a turn without a text of its own answers: its turn, and its position in that.
pub fn answered_call(turns: &[Turn], turn: usize) -> Option<(usize, usize)> {
    let own = turns.get(turn).filter(|own| own.text.is_empty())?;
    let is_here = |place: Extent| own.at.start <= place.start && place.end <= own.at.end;
    let mut others = turns.iter().enumerate().filter(|(other, _)| *other != turn);
    others.find_map(|(asked, of)| {
        let mut calls = of.calls.iter();
        let call = calls.position(|call| call.response_place().is_some_and(is_here))?;
        Some((asked, call))
    })
}
