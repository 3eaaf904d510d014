//! The answers of chats, whose messages are read in their order.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::{CallPlace, CallsOfId, OpenCalls, ToldAnswer};
use crate::dialog::{ApiCall, Extent, Field, LOST_ANSWER, Payload, Short, Turn};
use crate::format::engine::read::{field, known_field};
use crate::format::families::chat::ChatRole;
use crate::format::families::homes::NAME;
use crate::format::families::message_parts::content_of;
use crate::format::families::message_parts::{LOST_FIELD, content_in, is_mark};
use crate::format::texts::tags::{self, Told};
use crate::json::Value;

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
    open: OpenCalls,
    /// The turn of the first of these calls.
    first: usize,
    /// The number of answers that were given in their order.
    taken: usize,
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
            needs_id: answer.needs_id || self.open.count() == 0,
            needs_name: self.without_calls > 0,
            ..answer
        });
    }

    /// True if an answer without an id may belong to a call.
    pub fn are_awaited(&self) -> bool {
        self.open.count() > 0
    }

    /// True if answers may belong to several calls.
    pub fn are_several(&self) -> bool {
        self.open.count() > 1
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
        let is_only = given.len().max(self.open.count()) == 1;
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
            if !own.unread.has(LOST_ANSWER) && tags::is_only_answers(&own.text) {
                turns[turn].text.clear();
                turns[turn].set_aside();
            }
        }
        let is_of_one = self.open.are_of(self.first);
        self.open.together += 1;
        if self.taken == 1
            && is_of_one
            && let Some(turn) = turns.get_mut(self.first)
        {
            tags::share_answer(&mut turn.calls);
        }
        self.taken = 0;
    }

    /// Puts those of the last calls behind the others that were tried again, so that these answers are given to what
    /// was tried last.
    pub fn expect<'i>(&mut self, told: impl Iterator<Item = ToldAnswer<'i>>, turns: &[Turn]) {
        if self.open.count() < 2 {
            return;
        }
        let mut answers: HashMap<&str, Vec<&str>> = HashMap::new();
        told.for_each(|answer| answers.entry(answer.id).or_default().push(answer.name));
        for (id, answers) in answers {
            let calls = self.open.last_with(id);
            let again = CallsOfId { calls, answers }.tried_again(turns);
            if !again.is_empty() {
                self.open.put_behind(id, &again);
            }
        }
    }

    /// Notes a call of the turn that comes after these.
    pub fn on_call(&mut self, turns: &mut [Turn], call: usize, id: Option<Cow<'a, str>>) {
        // Its own message is one of them.
        if std::mem::take(&mut self.without_calls) > 1 {
            self.end(turns);
        }
        let turn = turns.len();
        if self.open.count() == 0 {
            (self.first, self.taken) = (turn, 0);
        }
        let id = id.filter(|id| !id.is_empty()).map(|id| Short::from(&*id));
        self.open.add_together(id, (turn, call), false);
    }

    /// Finds the call with the id and the name of an answer.
    fn with_id_and_name(&mut self, answer: &Answer<'_>, turns: &[Turn]) -> Option<CallPlace> {
        let name = answer.name.as_ref()?;
        let is_named = |place| free(turns, place).is_some_and(|call| call.name == *name);
        let place = self.open.take_with_id(answer.id.as_deref()?, is_named);
        self.have_ids |= place.is_some() && !answer.needs_id;
        place
    }

    /// Finds the call with the id of an answer.
    fn with_id(&mut self, answer: &Answer<'_>, turns: &[Turn]) -> Option<CallPlace> {
        let place = self.take(answer.id.as_deref()?, turns);
        self.have_ids |= place.is_some() && !answer.needs_id;
        place
    }

    /// Finds the call that an answer names.
    fn named(&mut self, answer: &Answer<'_>, turns: &[Turn]) -> Option<CallPlace> {
        if answer.needs_id || self.open.count() == 0 {
            return None;
        }
        let told = match &answer.name {
            None if answer.tells => Told::by(answer.text(turns)),
            name => Told { name: name.clone(), ..Told::default() },
        };
        let have_ids = self.have_ids;
        let free = |place| Self::free(have_ids, answer, turns, place);
        let has_id = |place| free(place).is_some_and(|call| told.has_id_of(call));
        let has_name = |place| free(place).is_some_and(|call| told.has_name_of(call));
        self.take_together(turns, &[&has_id, &has_name])
    }

    /// Finds the call at the place of an answer.
    fn next(&mut self, answer: &Answer<'_>, turns: &[Turn]) -> Option<CallPlace> {
        if answer.needs_id || answer.needs_name {
            return None;
        }
        let have_ids = self.have_ids;
        let is_free = |place| Self::free(have_ids, answer, turns, place).is_some();
        self.take_together(turns, &[&is_free])
    }

    /// Returns the call at a place, if it has no answer and may be that of this one: not where both have other ids.
    fn free<'t>(
        have_ids: bool,
        answer: &Answer<'_>,
        turns: &'t [Turn],
        place: CallPlace,
    ) -> Option<&'t ApiCall> {
        // Messages may have ids of their own.
        let is_of_call = answer.tells || have_ids;
        let id = answer.id.as_deref();
        let id = id.filter(|id| is_of_call && !id.is_empty());
        let may_be = |call: &&ApiCall| {
            let own = Told::id_of(call);
            id.is_none_or(|id| own.is_none_or(|own| own == id))
        };
        free(turns, place).filter(may_be)
    }

    fn take_together(
        &mut self,
        turns: &[Turn],
        finds: &[&dyn Fn(CallPlace) -> bool],
    ) -> Option<CallPlace> {
        let place = self.open.take_together(|place| free(turns, place).is_some(), finds)?;
        self.taken += 1;
        Some(place)
    }

    /// Returns the turn and the call that an answer with an id belongs to; None if no call waits for it. An empty id is none.
    pub fn take(&mut self, id: &str, turns: &[Turn]) -> Option<CallPlace> {
        let place = if id.is_empty() {
            let answer = Answer { needs_name: self.without_calls > 0, ..Answer::default() };
            self.next(&answer, turns)
        } else {
            // A message without an id may have answered it already.
            self.open.take_next_with_id(id, |place| free(turns, place).is_some())
        };
        self.is_answered |= place.is_some();
        place
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
                let fields = members.map(|(key, value)| field(key, value, true));
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
            Said::Inside(message) => own.fields.push(known_field(LOST_FIELD, message)),
            Said::Payload(Payload::Fields(fields)) if is_new => {
                let named = fields.into_iter().filter(|field| !field.name.is_empty());
                own.fields.extend(named);
            }
            _ => {}
        }
    }
}

/// Returns the call at a place, if it has no answer.
fn free(turns: &[Turn], (turn, call): CallPlace) -> Option<&ApiCall> {
    let call = turns.get(turn)?.calls.get(call);
    call.filter(|call| call.response.is_none())
}
