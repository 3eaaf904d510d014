//! Shared code of chat logs: the roles of messages, and the answers that belong to tool calls.
//!
//! Every message is a turn, so positions of turns are positions of messages. The answer of a call is in a
//! later message; its text is the response of the call, and the turn of that message has none. If no call
//! is waiting for the answer, the text stays in its own turn.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use crate::dialog::{
    ApiCall, Content, Dialog, EditError, Extent, Field, LOST_ANSWER, Payload, Role, Short, Sides,
    Speaker, Turn, UnreadParts,
};
use crate::format::declared::Place;
use crate::format::engine::edit::not_editable;
use crate::format::engine::read::{content, extent, field as member_field};
use crate::format::families::calls_in_text::{self, Told};
use crate::format::families::message_parts::{LOST_FIELD, content_in, is_mark, is_value, text_of};
use crate::format::families::reasoning_in_text;
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

/// A call without an answer.
struct Waiting<'a> {
    id: Cow<'a, str>,
    /// The number of the calls that were made together.
    together: usize,
    place: CallPlace,
}

/// The turn of a call, and its position in that.
pub type CallPlace = (usize, usize);

/// Calls with one id that were made together.
#[derive(Default)]
pub struct CallsOfId<'n> {
    pub calls: Vec<CallPlace>,
    /// The name of the call that each answer with the id gives; empty if it gives none.
    pub answers: Vec<&'n str>,
}

/// The id of an answer, and the name that it gives.
pub struct ToldAnswer<'n> {
    pub id: &'n str,
    /// Empty if it gives none.
    pub name: &'n str,
}

impl CallsOfId<'_> {
    /// Returns the calls after which another one was tried in a later turn, as far as there are fewer answers than calls:
    /// those answer what they name, or else what was tried last.
    pub fn tried_again(self, turns: &[Turn]) -> Vec<CallPlace> {
        if self.answers.is_empty() || self.answers.len() >= self.calls.len() {
            return Vec::new();
        }
        let name = |&(turn, call): &CallPlace| turns[turn].calls[call].name.as_str();
        let mut names: HashMap<&str, usize> = HashMap::new();
        for call in &self.calls {
            *names.entry(name(call)).or_default() += 1;
        }
        // Answers to calls that they name, and to others.
        let mut named: HashMap<&str, usize> = HashMap::new();
        let mut left = 0;
        for answer in &self.answers {
            match names.get_mut(answer).filter(|count| **count > 0) {
                Some(count) => {
                    *count -= 1;
                    *named.entry(answer).or_default() += 1;
                }
                None => left += 1,
            }
        }
        let mut last = None;
        let is_again = |call: &CallPlace| {
            let open = named.get_mut(name(call)).filter(|open| **open > 0);
            let is_answered = left > 0 || open.is_some();
            match open {
                Some(open) => *open -= 1,
                None if left > 0 => left -= 1,
                None => {}
            }
            if is_answered {
                last = last.or(Some(call.0));
            }
            !is_answered && last.is_some_and(|last| last > call.0)
        };
        self.calls.iter().copied().rev().filter(is_again).collect()
    }
}

/// Finds the call that an answer belongs to, while messages are read in their order.
///
/// Calls are made together if they are in one message, or in messages of the assistant that follow each other; their
/// answers are given to them when all are read. An answer with an id belongs to an unanswered call with that id of the last
/// that were made together: to the first with its name, or else to the first, and last to one that was tried again. Others
/// belong to calls that were made together: first each to the next unanswered call with its id or its name in its text, then
/// the rest in their order, unless the assistant has said something since. None goes to a call with another id. A list that is the only answer to
/// several calls of a message has one for each.
#[derive(Default)]
pub struct Answers<'a> {
    /// The answers to the last calls that were made together.
    given: Vec<Answer<'a>>,
    /// The last calls, searched one by one: usually there are one or two.
    recent: Vec<Waiting<'a>>,
    /// Older calls, by their id, with those that were made together.
    older: HashMap<Cow<'a, str>, Vec<(usize, VecDeque<CallPlace>)>>,
    /// The calls that are answered in their order.
    waiting: InOrder,
    /// The number of times that calls were made together.
    together: usize,
    /// The number of messages of the user and the assistant in a row that have no calls, up to the last one.
    without_calls: usize,
    /// The own ids of answers are those of calls, as one was.
    have_ids: bool,
    /// An answer came since that message.
    is_answered: bool,
}

/// An answer that a message gives.
#[derive(Default)]
pub struct Answer<'a> {
    /// The turn of the message.
    pub turn: usize,
    /// The place of the value with its text.
    pub at: Extent,
    pub said: Said<'a>,
    /// The id of its call.
    pub id: Option<Cow<'a, str>>,
    /// It belongs to a call with this id and to no other one.
    pub needs_id: bool,
    /// It follows a text, and so belongs to no call by its place alone.
    pub needs_name: bool,
    /// The name of the API, from a member of the message.
    pub name: Option<Short>,
    /// Its text may tell its id and its name.
    pub tells: bool,
}

/// The part of a message that is an answer.
#[derive(Default)]
pub enum Said<'a> {
    /// All of its text.
    #[default]
    Text,
    /// These bytes of its text.
    Block(Range<usize>),
    /// Something else than text.
    Payload(Payload),
    /// A message inside it.
    Inside(Value<'a>),
}

/// The last calls that were made together.
#[derive(Default)]
struct InOrder {
    /// The turn of the first call.
    turn: usize,
    /// The calls of which some may have an answer.
    open: VecDeque<CallPlace>,
    /// The number of answers that were given in this order.
    taken: usize,
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

/// The number of calls that were tried again, in place of that of those that were made together.
pub const TRIED_AGAIN: usize = usize::MAX;

/// The most calls that are searched one by one.
const RECENT: usize = 16;

/// The most calls among which an answer without an id is found by its name.
const NAMED: usize = 256;

impl<'a> Answers<'a> {
    /// Notes that a message of `role` follows.
    pub fn on_message(&mut self, role: ChatRole, turns: &mut [Turn]) {
        let is_over = match role {
            ChatRole::User => true,
            ChatRole::Assistant => self.is_answered,
            _ => return,
        };
        if is_over {
            self.end(turns);
        }
        self.without_calls += 1;
        self.is_answered = false;
    }

    /// Notes an answer, which [`Self::end`] gives to its call.
    pub fn on_answer(&mut self, answer: Answer<'a>) {
        self.is_answered = true;
        self.given.push(Answer {
            needs_id: answer.needs_id || self.waiting.open.is_empty(),
            needs_name: self.without_calls > 0,
            ..answer
        });
    }

    /// True if an answer without an id may belong to a call.
    pub fn are_awaited(&self) -> bool {
        !self.waiting.open.is_empty()
    }

    /// True if answers may belong to several calls.
    pub fn are_several(&self) -> bool {
        self.waiting.open.len() > 1
    }

    /// Gives answers to the last calls, to which no others follow.
    pub fn end(&mut self, turns: &mut [Turn]) {
        let mut given = std::mem::take(&mut self.given);
        let blocks = given.iter().filter(|answer| matches!(answer.said, Said::Block(_)));
        let blocks: Vec<_> = blocks.map(|answer| answer.turn).collect();
        for answer in &mut given {
            answer.find_id(turns);
        }
        // The only answer to the only call belongs to it, whatever its name.
        let is_only = given.len().max(self.waiting.open.len()) == 1;
        let is_only = is_only && !given.iter().any(|answer| answer.needs_name);
        let told = given.iter().filter_map(|answer| {
            let name = answer.name.as_deref().unwrap_or_default();
            let id = answer.id.as_deref()?;
            Some(ToldAnswer { id, name })
        });
        self.expect(told, turns);
        let named = if is_only { Self::next } else { Self::named };
        for find in [Self::with_id_and_name, Self::with_id, named, Self::next] {
            given.retain(|answer| {
                let place = find(self, answer, turns);
                place.inspect(|place| answer.join(*place, turns)).is_none()
            });
        }
        for answer in given {
            answer.stay(turns);
        }
        // A text is not said if all of it are answers.
        for turn in blocks {
            let own = &turns[turn];
            if !own.unread.has(LOST_ANSWER) && calls_in_text::is_only_answers(&own.text) {
                turns[turn].text.clear();
                turns[turn].set_aside();
            }
        }
        self.together += 1;
        let InOrder { turn, open, taken } = std::mem::take(&mut self.waiting);
        let is_of_one = open.iter().all(|(other, _)| *other == turn);
        if taken == 1
            && is_of_one
            && let Some(turn) = turns.get_mut(turn)
        {
            calls_in_text::share_answer(&mut turn.calls);
        }
    }

    /// Puts those of the last calls behind the others that were tried again, so that these answers are given to what
    /// was tried last.
    pub fn expect<'i>(&mut self, told: impl Iterator<Item = ToldAnswer<'i>>, turns: &[Turn]) {
        if self.waiting.open.len() < 2 {
            return;
        }
        let mut answers: HashMap<&str, Vec<&str>> = HashMap::new();
        told.for_each(|answer| answers.entry(answer.id).or_default().push(answer.name));
        let together = self.together;
        for (id, answers) in answers {
            let last = self.older.get(id).and_then(|all| all.last());
            let older = last.filter(|(last, _)| *last == together);
            let older = older.into_iter().flat_map(|(_, calls)| calls);
            let is_last = |call: &&Waiting<'_>| call.together == together && call.id == id;
            let recent = self.recent.iter().filter(is_last).map(|call| &call.place);
            let calls = older.chain(recent).copied().collect();
            let again = CallsOfId { calls, answers }.tried_again(turns);
            let Some(call) = self.recent.iter().find(|call| call.id == id) else {
                continue;
            };
            if !again.is_empty() {
                let id = call.id.clone();
                let places: HashSet<_> = again.iter().copied().collect();
                let is_other = |place: &CallPlace| !places.contains(place);
                self.recent.retain(|call| is_other(&call.place));
                let all = self.older.entry(id).or_default();
                let mut last = all.pop_if(|(last, _)| *last == together);
                all.push((TRIED_AGAIN, VecDeque::from(again)));
                if let Some((_, calls)) = &mut last {
                    calls.retain(is_other);
                }
                all.extend(last.filter(|(_, calls)| !calls.is_empty()));
            }
        }
    }

    /// Notes a call of the turn that comes after these.
    pub fn on_call(&mut self, turns: &mut [Turn], call: usize, id: Option<Cow<'a, str>>) {
        let id = id.filter(|id| !id.is_empty());
        // Its own message is one of them.
        if std::mem::take(&mut self.without_calls) > 1 {
            self.end(turns);
        }
        let turn = turns.len();
        if self.waiting.open.is_empty() {
            (self.waiting.turn, self.waiting.taken) = (turn, 0);
        }
        let place = (turn, call);
        self.waiting.open.push_back(place);
        let Some(id) = id else {
            return;
        };
        if self.recent.len() == RECENT {
            for Waiting { id, together, place } in self.recent.drain(..) {
                let all = self.older.entry(id).or_default();
                match all.last_mut() {
                    Some((last, calls)) if *last == together => calls.push_back(place),
                    _ => all.push((together, VecDeque::from([place]))),
                }
            }
        }
        let together = self.together;
        self.recent.push(Waiting { id, together, place });
    }

    /// Finds the call with the id and the name of an answer.
    fn with_id_and_name(&mut self, answer: &Answer<'_>, turns: &[Turn]) -> Option<CallPlace> {
        let place = self.take_named(answer.id.as_deref()?, answer.name.as_ref()?, turns);
        self.have_ids |= place.is_some() && !answer.needs_id;
        place
    }

    /// Takes the first call with this id and name among those with the id that were made together last.
    fn take_named(&mut self, id: &str, name: &Short, turns: &[Turn]) -> Option<CallPlace> {
        let is_named = |place: CallPlace| free(turns, place).is_some_and(|it| it.name == *name);
        let last = self.recent.iter().rfind(|call| call.id == id);
        let together = last.map(|call| call.together);
        if let Some(all) = self.older.get_mut(id)
            && let Some((older, calls)) = all.last_mut()
            && together.is_none_or(|together| together == *older)
            && let Some(at) = calls.iter().take(NAMED).position(|place| is_named(*place))
        {
            let place = calls.remove(at);
            if calls.is_empty() {
                all.pop();
            }
            return place;
        }
        let is_it = |call: &Waiting<'_>| {
            Some(call.together) == together && call.id == id && is_named(call.place)
        };
        let place = self.recent.iter().position(is_it)?;
        Some(self.recent.remove(place).place)
    }

    /// Finds the call with the id of an answer.
    fn with_id(&mut self, answer: &Answer<'_>, turns: &[Turn]) -> Option<CallPlace> {
        let place = self.take(answer.id.as_deref()?, turns);
        self.have_ids |= place.is_some() && !answer.needs_id;
        place
    }

    /// Finds the call that an answer names.
    fn named(&mut self, answer: &Answer<'_>, turns: &[Turn]) -> Option<CallPlace> {
        self.skip_answered(turns);
        let open = &self.waiting.open;
        if answer.needs_id || open.is_empty() {
            return None;
        }
        let told = match &answer.name {
            None if answer.tells => Told::by(answer.text(turns)),
            name => Told { name: name.clone(), ..Told::default() },
        };
        let position = |is_it: &dyn Fn(&ApiCall) -> bool| {
            let is_it = |place: &CallPlace| self.free(answer, turns, *place).is_some_and(is_it);
            open.iter().take(NAMED).position(is_it)
        };
        let with_id = position(&|call| told.has_id_of(call));
        let at = with_id.or_else(|| position(&|call| told.has_name_of(call)))?;
        self.take_open(at)
    }

    /// Finds the call at the place of an answer.
    fn next(&mut self, answer: &Answer<'_>, turns: &[Turn]) -> Option<CallPlace> {
        self.skip_answered(turns);
        if answer.needs_id || answer.needs_name {
            return None;
        }
        let is_free = |place: &CallPlace| self.free(answer, turns, *place).is_some();
        let at = self.waiting.open.iter().take(NAMED).position(is_free)?;
        self.take_open(at)
    }

    /// Returns the call at a place, if it has no answer and may be that of this one: not where both have other ids.
    fn free<'t>(
        &self,
        answer: &Answer<'_>,
        turns: &'t [Turn],
        place: CallPlace,
    ) -> Option<&'t ApiCall> {
        // Messages may have ids of their own.
        let is_of_call = answer.tells || self.have_ids;
        let id = answer.id.as_deref();
        let id = id.filter(|id| is_of_call && !id.is_empty());
        let may_be = |call: &&ApiCall| {
            let own = Told::id_of(call);
            id.is_none_or(|id| own.is_none_or(|own| own == id))
        };
        free(turns, place).filter(may_be)
    }

    fn skip_answered(&mut self, turns: &[Turn]) {
        let open = &mut self.waiting.open;
        while open.front().is_some_and(|place| free(turns, *place).is_none()) {
            open.pop_front();
        }
    }

    fn take_open(&mut self, at: usize) -> Option<CallPlace> {
        let place = self.waiting.open.remove(at)?;
        self.waiting.taken += 1;
        Some(place)
    }

    /// Returns the turn and the call that an answer with an id belongs to; None if no call waits for it. An empty id is none.
    pub fn take(&mut self, id: &str, turns: &[Turn]) -> Option<CallPlace> {
        if id.is_empty() {
            let answer = Answer { needs_name: self.without_calls > 0, ..Answer::default() };
            let place = self.next(&answer, turns);
            self.is_answered |= place.is_some();
            return place;
        }
        loop {
            let (turn, call) = self.next_with(id)?;
            // A message without an id may have answered it already.
            if turns.get(turn)?.calls.get(call)?.response.is_none() {
                self.is_answered = true;
                return Some((turn, call));
            }
        }
    }

    /// Takes the first call with this id of the last that were made together.
    fn next_with(&mut self, id: &str) -> Option<CallPlace> {
        let last = self.recent.iter().rfind(|call| call.id == id);
        let together = last.map(|call| call.together);
        // Calls that were made together may be in both.
        if together.is_none_or(|together| self.recent[0].together == together)
            && let Some(all) = self.older.get_mut(id)
            && let Some((older, calls)) = all.last_mut()
            && together.is_none_or(|together| together == *older)
        {
            let place = calls.pop_front()?;
            if calls.is_empty() {
                all.pop();
            }
            return Some(place);
        }
        let is_first = |call: &Waiting<'_>| Some(call.together) == together && call.id == id;
        let place = self.recent.iter().position(is_first)?;
        Some(self.recent.remove(place).place)
    }
}

impl Answer<'_> {
    fn text<'t>(&self, turns: &'t [Turn]) -> &'t str {
        let text = &turns[self.turn].text;
        match &self.said {
            Said::Block(block) => &text[block.clone()],
            _ => text,
        }
    }

    /// Reads the id of its call from its text.
    fn find_id(&mut self, turns: &[Turn]) {
        if self.tells && self.id.is_none() {
            let told = Told::call_id(self.text(turns));
            self.id = told.map(|id| Cow::Owned(id.to_string()));
        }
    }

    /// Becomes the response of a call.
    fn join(&self, (asked, call): CallPlace, turns: &mut [Turn]) {
        let own = &mut turns[self.turn];
        let text = |text: Short| Payload::Text { text, at: self.at };
        let (response, mut marks) = match &self.said {
            Said::Text => (text(std::mem::take(&mut own.text).into()), Vec::new()),
            Said::Block(block) => (text(own.text[block.clone()].into()), Vec::new()),
            Said::Payload(payload) => (payload.clone(), Vec::new()),
            Said::Inside(message) => {
                let payload = content_of(*message, self.at);
                let members = message.members();
                let fields = members.map(|(key, value)| member_field(key, value, true));
                let marks = fields.filter(is_mark).collect();
                let payload = payload.unwrap_or_else(|| {
                    let said = content_in(*message).and_then(Value::as_str);
                    text(said.unwrap_or_default().into())
                });
                (payload, marks)
            }
        };
        if let Said::Text | Said::Payload(_) = self.said {
            let is_name = |field: &mut Field| self.name.is_some() && field.name == NAME;
            own.fields.extract_if(.., is_name).for_each(drop);
            marks.extend(own.fields.extract_if(.., |field| is_mark(field)));
        }
        marks.retain(|mark| mark.content.as_str() != "null");
        for mark in &mut marks {
            mark.known = true;
        }
        let call = &mut turns[asked].calls[call];
        call.response = Some(response);
        call.answered_as.clone_from(&self.name);
        call.fields.extend(marks);
    }

    /// Stays in its turn, because no call waits for it.
    fn stay(self, turns: &mut [Turn]) {
        let own = &mut turns[self.turn];
        let is_part = matches!(self.said, Said::Block(_) | Said::Inside(_));
        let is_new = is_part || !own.unread.has(LOST_ANSWER);
        own.unread.add(LOST_ANSWER.into(), u64::from(is_new));
        match self.said {
            Said::Inside(message) => own.fields.push(field_of(LOST_FIELD, message)),
            Said::Payload(Payload::Fields(fields)) if is_new => {
                let named = fields.into_iter().filter(|field| !field.name.is_empty());
                own.fields.extend(named);
            }
            _ => {}
        }
    }
}

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

/// Returns the call at a place, if it has no answer.
fn free(turns: &[Turn], (turn, call): CallPlace) -> Option<&ApiCall> {
    let call = turns.get(turn)?.calls.get(call);
    call.filter(|call| call.response.is_none())
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

/// Gives the speaker of an edited or new turn the role that the form has for its name, and the reasoning and the calls in
/// its text to the turn.
pub fn follow(form: &ChatForm, before: &Turn, after: &mut Turn) {
    if before.speaker != after.speaker {
        after.speaker = form.speaker(after.speaker.name.clone()).0;
    }
    if before.speaker != after.speaker || before.text != after.text {
        reasoning_in_text::follow(after);
    }
    calls_in_text::follow(form, before, after);
}
