//! Reads calls, their arguments and responses, also those that are in later turns.

use std::collections::{HashMap, VecDeque};

use super::description::{CallRule, Description, JsonForm, ResponseRule};
use super::trail::{Found, Trail, each, joined};
use crate::dialog::{ApiCall, Content, Field, Payload, Short, Turn};
use crate::format::engine::read::{content, extent, field as member_field};
use crate::json::{NodeKind, Value};

/// Reads the calls of a dialog, element by element.
pub struct CallReader {
    description: &'static Description,
    /// Ids of calls, and of turns that answer them.
    links: Vec<Link>,
}

/// An id that ties a call to a later turn.
enum Link {
    Call {
        rule: usize,
        turn: usize,
        call: usize,
        id: Short,
    },
    Answer {
        rule: usize,
        turn: usize,
        answer: Answer,
    },
}

/// A response in a later turn.
struct Answer {
    /// The id of its call; empty if answers have none.
    id: Short,
    payload: Payload,
    /// It is the text of its turn.
    is_text: bool,
}

impl CallReader {
    pub fn new(description: &'static Description) -> Self {
        Self {
            description,
            links: Vec::new(),
        }
    }

    /// Reads the calls at the rule with this number in the element of a turn, and what it answers to earlier calls.
    pub fn read(&mut self, number: usize, turns: &mut [Turn], turn: usize, trail: &mut Trail<'_>) {
        let rule = &self.description.call.0[number];
        let later = rule.response.as_ref().and_then(|r| r.later());
        let (links, own) = (&mut self.links, &mut turns[turn]);
        each(trail, &rule.at, rule.when.as_ref(), &mut |trail| {
            if let Some(id) = rule.id.as_ref().filter(|_| later.is_some()) {
                links.push(Link::Call {
                    rule: number,
                    turn,
                    call: own.calls.len(),
                    id: trail.text(id),
                });
            }
            own.calls.push(call(rule, trail));
        });
        let answer = later.and_then(|later| self.answer(later, own, trail));
        self.links.extend(answer.map(|answer| Link::Answer {
            rule: number,
            turn,
            answer,
        }));
    }

    /// Returns what an element answers to an earlier call.
    fn answer(&self, later: &ResponseRule, turn: &Turn, trail: &Trail<'_>) -> Option<Answer> {
        let of = later.of.as_deref();
        let value = trail.find(&later.at).and_then(Found::value);
        let value = value.filter(|_| of.is_none_or(|of| of == turn.speaker.name))?;
        let id = later.id.as_ref().map(|id| trail.text(id));
        if id.as_ref().is_some_and(Short::is_empty) {
            return None;
        }
        let is_text = self.is_text(value, turn, trail);
        let payload = match (later.json, value.as_str()) {
            (None, Some(text)) if is_text => Payload::Text {
                text: text.into(),
                at: extent(value),
            },
            (json, _) => payload(value, later.at.last_name(), json),
        };
        Some(Answer {
            id: id.unwrap_or_default(),
            payload,
            is_text,
        })
    }

    /// True if `value` is the text of a turn in which nothing counts its words or characters.
    fn is_text(&self, value: Value<'_>, turn: &Turn, trail: &Trail<'_>) -> bool {
        let start = match self.description.turn.0.as_slice() {
            [only] if only.tokens.is_none() => {
                let text = trail.find(only.text.at()).and_then(Found::value);
                text.map(|text| extent(text).start)
            }
            [_] => None,
            // Each of several turns in an element is its text.
            _ => Some(turn.at.start),
        };
        turn.segments.is_empty() && start == Some(extent(value).start)
    }

    /// Gives each answer to the latest call before it that has its id and no answer yet. Answers without
    /// ids are those of the calls before them, in order. A text that is an answer is not said in its turn.
    pub fn link(self, turns: &mut [Turn]) {
        let mut open = OpenCalls::default();
        for link in self.links {
            match link {
                Link::Call {
                    rule,
                    turn,
                    call,
                    id,
                } => open.add(rule, id, (turn, call)),
                Link::Answer { rule, turn, answer } => {
                    let Some((asked, call)) = open.take(rule, &answer.id) else {
                        continue;
                    };
                    turns[asked].calls[call].response = Some(answer.payload);
                    if answer.is_text {
                        turns[turn].text.clear();
                        turns[turn].tokens.clear();
                    }
                }
            }
        }
    }
}

/// Calls without answers, found by their ids or by their order in a time that does not grow with them.
#[derive(Default)]
struct OpenCalls {
    /// The turn and position of each call; None if it was answered.
    calls: Vec<Option<(usize, usize)>>,
    by_id: HashMap<(usize, Short), Vec<usize>>,
    in_order: HashMap<usize, VecDeque<usize>>,
}

impl OpenCalls {
    fn add(&mut self, rule: usize, id: Short, place: (usize, usize)) {
        let number = self.calls.len();
        self.calls.push(Some(place));
        self.by_id.entry((rule, id)).or_default().push(number);
        self.in_order.entry(rule).or_default().push_back(number);
    }

    /// Takes the last call with this id or, if it is empty, the first call.
    fn take(&mut self, rule: usize, id: &Short) -> Option<(usize, usize)> {
        loop {
            let number = if id.is_empty() {
                self.in_order.get_mut(&rule)?.pop_front()?
            } else {
                self.by_id.get_mut(&(rule, id.clone()))?.pop()?
            };
            if let Some(place) = self.calls[number].take() {
                return Some(place);
            }
        }
    }
}

fn call(rule: &CallRule, trail: &mut Trail<'_>) -> ApiCall {
    let arguments = rule.arguments.as_ref().and_then(|arguments| {
        let value = trail.find(arguments.at())?.value()?;
        Some(payload(value, arguments.at().last_name(), arguments.json()))
    });
    let response = rule
        .response
        .as_ref()
        .filter(|response| response.later().is_none());
    let response = response.and_then(|response| {
        let (at, json) = (response.at(), response.json());
        if !at.is_several() {
            let value = trail.find(at)?.value()?;
            return Some(payload(value, at.last_name(), json));
        }
        let list = at.steps.len() - 1;
        let mut results: Option<Vec<Field>> = None;
        trail.each_of(at, list, &mut |trail| {
            let results = results.get_or_insert_default();
            let mut number = 0;
            trail.walk(&at.steps[list..], &mut |trail| {
                number += 1;
                results.extend(result(trail.here().value, at.last_name(), number));
            });
        });
        results.map(Payload::Fields)
    });
    ApiCall {
        name: joined(&rule.name, trail),
        answered_as: None,
        arguments,
        response,
        in_text: false,
        fields: Vec::new(),
        at: extent(trail.here().value),
    }
}

/// Returns the fields of one of several results. From the second on, their names are numbered.
fn result<'a>(
    value: Value<'a>,
    name: &'a str,
    number: usize,
) -> impl Iterator<Item = Field> + use<'a> {
    let numbered = move |mut field: Field| {
        if number > 1 {
            field.name.push_str(&format!("_{number}"));
        }
        field
    };
    let is_object = value.kind() == NodeKind::Object;
    let whole = (!is_object).then(|| field(name, content(value), value));
    let members = value
        .members()
        .map(|(key, value)| member_field(key, value, true));
    whole.into_iter().chain(members).map(numbered)
}

fn payload(value: Value<'_>, name: &str, json: Option<JsonForm>) -> Payload {
    let embedded = |text: Short| Payload::Embedded {
        text,
        at: extent(value),
    };
    match (value.kind(), json, value.as_str()) {
        (NodeKind::Object, ..) => {
            let members = value.members();
            let fields = members.map(|(key, value)| member_field(key, value, true));
            Payload::Fields(fields.collect())
        }
        (_, Some(JsonForm::String), Some(text)) => embedded(text.into()),
        (_, Some(JsonForm::StringOrText), Some(text))
            if text.trim_start().starts_with(['{', '[']) =>
        {
            embedded(text.into())
        }
        (_, Some(JsonForm::StringOrText), Some(text)) => Payload::Text {
            text: text.into(),
            at: extent(value),
        },
        _ => Payload::Fields(vec![field(name, content(value), value)]),
    }
}

/// Returns a field without a name in the text.
fn field(name: &str, content: Content, value: Value<'_>) -> Field {
    Field {
        name: name.into(),
        content,
        known: true,
        at: extent(value),
    }
}
