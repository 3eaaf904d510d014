//! Reads calls, their arguments and responses, also those that are in later turns.

use std::collections::{HashMap, HashSet};

use super::description::{CallRule, Description, JsonForm, PayloadRule, ResponseRule, kind_of};
use super::forms::{Is, PlaceOr};
use super::place::Place;
use super::read_asides::TurnBranch;
use super::read_parts::{Answering, TurnParts};
use super::texts::{list_of_parts, parts_of_text, text_place};
use super::trail::{Found, Trail, each, joined, text_of};
use crate::dialog::{
    ApiCall, Content, Extent, Field, LOST_ANSWER, Payload, Role, Short, Turn, UnreadParts,
};
use crate::format::answers::{CallPlace, CallsOfId, OpenCalls, Wanted};
use crate::format::engine::read::{extent, field, known_field};
use crate::format::families::message_parts::LOST_FIELD;
use crate::json::{NodeKind, Value};

/// Reads the calls of a dialog, element by element.
pub struct CallReader {
    description: &'static Description,
    /// Ids of calls, and of turns that answer them.
    links: Vec<Link>,
    /// The starts of values that are marks of calls.
    marks: Vec<u32>,
}

/// An id that ties a call to a later turn.
enum Link {
    Call {
        rule: usize,
        turn: usize,
        call: usize,
        /// Its id at each place that has one.
        ids: Vec<Short>,
    },
    Answer {
        rule: usize,
        turn: usize,
        answer: Answer,
    },
    /// Says whether a call failed.
    Outcome {
        id: Short,
        marks: Vec<Field>,
    },
}

/// A response in a later turn, or in a list of responses.
#[derive(Clone)]
struct Answer {
    /// The id of its call; empty if answers have none.
    id: Short,
    /// The name of its call; empty if it gives none.
    name: Short,
    payload: Payload,
    /// It is the text of its turn.
    is_text: bool,
    /// Whether the call failed, if the response says so.
    marks: Vec<Field>,
    /// The starts of its ids.
    ids_at: Vec<u32>,
    /// Its element of a list of responses.
    element: Option<Extent>,
    /// Elements of its text that are not texts.
    unread: Vec<Field>,
    /// It should have an id and has none.
    is_lost: bool,
    /// Its id is at a place where calls have theirs.
    is_tied: bool,
}

impl CallReader {
    pub fn new(description: &'static Description) -> Self {
        Self { description, links: Vec::new(), marks: Vec::new() }
    }

    /// Reads an element that is not a turn, and may say whether a call failed.
    pub fn read_outcome(&mut self, trail: &Trail<'_>) {
        for rule in self.description.call.0.iter().filter_map(|rule| rule.outcome.as_ref()) {
            if rule.is.holds(trail) {
                let id = told(&rule.id, trail);
                let marks = marks(&Is::default(), &rule.error.0, trail);
                self.links.push(Link::Outcome { id, marks });
            }
        }
    }

    /// Reads the calls at the rule with this number in the element of a turn, and what it answers to earlier calls.
    pub fn read(&mut self, number: usize, turns: &mut [Turn], turn: usize, trail: &mut Trail<'_>) {
        let rules = &self.description.call.0;
        let rule = &rules[number];
        let later = rule.response.as_ref().and_then(|r| r.later());
        let own = &mut turns[turn];
        let texts = if rule.is.0.is_empty() && later.is_none_or(|later| later.inside.is_none()) {
            Vec::new()
        } else {
            self.texts(own, trail)
        };
        let (links, own_marks) = (&mut self.links, &mut self.marks);
        each(trail, &rule.at, rule.when.as_ref(), &mut |trail| {
            if !rule.is.holds(trail) {
                if keeps_arguments(rules, number, trail) {
                    keep_arguments(rule, &texts, own, trail);
                }
                return own.unread.join(&unknown(rules, rule, trail));
            }
            // The walk along the shape reports it.
            if trail.here().value.kind() == NodeKind::Null {
                return;
            }
            // The first rule that fits counts.
            let is_earlier = |other: &CallRule| other.at == rule.at && other.fits(trail);
            if rules[..number].iter().any(is_earlier) {
                if keeps_arguments(rules, number, trail) {
                    keep_arguments(rule, &texts, own, trail);
                }
                return;
            }
            let places = rule.id.iter().flat_map(Place::all);
            let ids = places.map(|place| told_only(place, trail));
            let ids: Vec<_> = ids.filter(|id| !id.is_empty()).collect();
            let is_awaited = !ids.is_empty();
            let is_in_order = later.is_some_and(|later| later.id.is_none());
            if rule.id.is_some() || is_in_order {
                links.push(Link::Call { rule: number, turn, call: own.calls.len(), ids });
            }
            let call = call(rule, trail);
            own_marks.extend(call.fields.iter().map(|mark| mark.at.start));
            own_marks.extend(starts(rule.id.as_ref(), trail));
            let mut call = ApiCall { is_awaited, ..call };
            call.fields.extend(rule.number.as_ref().and_then(|place| {
                Some(known_field(place.last_name(), trail.find(place)?.value()?))
            }));
            own.calls.push(call);
        });
        let Some(later) = later else {
            return;
        };
        let mut answers = Vec::new();
        match &later.inside {
            None => answers.extend(self.answer(later, own, trail)),
            Some(inside) => trail.each(inside, &mut |trail| {
                let is_one = later.when.as_ref().is_none_or(|when| trail.find(when).is_some());
                if is_one && later.is.holds(trail) {
                    let is_tied = rule.has_id_where(later, trail);
                    let answer = answer_in_list(later, own, &texts, trail);
                    let answer = answer.map(|answer| Answer { is_tied, ..answer });
                    answers
                        .extend(answer.into_iter().flat_map(|answer| answer.of_each(later, trail)));
                }
            }),
        }
        self.links.extend(answers.into_iter().map(|answer| Link::Answer {
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
        let id = later.id.as_ref().map(|id| told(id, trail));
        if id.as_ref().is_some_and(Short::is_empty) {
            return None;
        }
        let name = later.name.as_ref().map(|name| told(name, trail));
        let is_text = self.texts(turn, trail).contains(&extent(value).start);
        let payload = match (later.json, value.as_str()) {
            (None, Some(text)) if is_text => Payload::Text { text: text.into(), at: extent(value) },
            (json, _) => payload(value, later.at.last_name(), json),
        };
        Some(Answer {
            id: id.unwrap_or_default(),
            name: name.unwrap_or_default(),
            payload,
            is_text,
            marks: marks(&later.failed, &later.error.0, trail),
            ids_at: starts(later.id.as_ref(), trail),
            element: None,
            unread: Vec::new(),
            is_lost: false,
            is_tied: false,
        })
    }

    /// Returns the starts of values that are the text of a turn in which nothing counts its words or characters: of its
    /// only part, and of the list of its parts.
    fn texts(&self, turn: &Turn, trail: &Trail<'_>) -> Vec<u32> {
        let start = |value: Value<'_>| extent(value).start;
        match self.description.turn.0.as_slice() {
            _ if !turn.segments.is_empty() => Vec::new(),
            [only] if only.tokens.is_none() => {
                let at = text_place(only.text.at(), trail);
                let parts = if at.is_several() { only.spoken(at, trail) } else { Vec::new() };
                let part = parts.first().filter(|_| parts.len() == 1);
                let text = only.text_value(trail).into_iter().map(start);
                text.chain(part.map(|part| start(*part))).collect()
            }
            [_] => Vec::new(),
            // Each of several turns in an element is its text.
            _ => vec![turn.at.start],
        }
    }

    /// Returns the calls that were tried again, with the same id, before they were answered.
    fn tried_again(&self, turns: &[Turn]) -> HashSet<CallPlace> {
        let mut open = OpenCalls::default();
        let mut all: HashMap<&str, (usize, CallsOfId<'_>)> = HashMap::new();
        let mut again = HashSet::new();
        for link in &self.links {
            match link {
                Link::Call { turn, call, ids, .. } => {
                    open.go_to(*turn, turns);
                    let Some(id) = ids.first() else { continue };
                    let (together, calls) = all.entry(id).or_default();
                    if *together != open.together {
                        again.extend(std::mem::take(calls).tried_again(turns));
                        *together = open.together;
                    }
                    calls.calls.push((*turn, *call));
                }
                Link::Answer { answer, .. } => {
                    open.together += 1;
                    if let Some((_, calls)) = all.get_mut(answer.id.as_str()) {
                        calls.answers.push(&answer.name);
                    }
                }
                Link::Outcome { .. } => {}
            }
        }
        let rest = all.into_values();
        again.extend(rest.flat_map(|(_, calls)| calls.tried_again(turns)));
        again
    }

    /// Returns the turns with answers, each with the turn of the last call before it that has its id.
    pub fn answers(&self) -> Vec<(usize, usize)> {
        let mut asked: HashMap<&Short, usize> = HashMap::new();
        let mut all = Vec::new();
        for link in &self.links {
            match link {
                Link::Call { turn, ids, .. } => asked.extend(ids.iter().map(|id| (id, *turn))),
                Link::Answer { turn, answer, .. } => {
                    all.extend(asked.get(&answer.id).map(|asked| (*turn, *asked)));
                }
                Link::Outcome { .. } => {}
            }
        }
        all
    }

    /// Tells apart the ids of calls and answers in side branches: each agent counts its calls for itself.
    fn tell_branches_apart(&mut self, branches: &HashMap<usize, TurnBranch>) {
        if branches.is_empty() {
            return;
        }
        let mut known: HashSet<Short> = HashSet::new();
        for link in &mut self.links {
            if let Link::Call { turn, ids, .. } = link
                && let Some(branch) = branches.get(turn)
            {
                *ids = ids.iter().flat_map(|id| branch.ids_of_call(id)).collect();
                known.extend(ids.iter().cloned());
            }
        }
        for link in &mut self.links {
            if let Link::Answer { turn, answer, .. } = link
                && let Some(branch) = branches.get(turn)
                && !answer.id.is_empty()
            {
                let mut ids = branch.ids_of_call(&answer.id);
                let own = ids.iter().position(|id| known.contains(id));
                answer.id = ids.swap_remove(own.unwrap_or_default());
            }
        }
    }

    /// Gives each answer to the latest call before it that has its id and no answer yet; of several that were made
    /// together, to one in its own turn, or else to the first, and last to one that was tried again. If there is none, lines
    /// may be out of order: then it is that of a later call. In a format without ids, answers are those of the calls before
    /// them, in order. An answer that lacks its id is that of the next call of its own turn or, in a turn that the agent does
    /// not say, of a call of those that were made together just before: of the next one with its name, or else of the next
    /// one that is left. A text that is an answer is not said in its turn. An answer
    /// without a call stays in its turn.
    pub fn link(
        mut self,
        turns: &mut [Turn],
        parts: &mut TurnParts,
        branches: &HashMap<usize, TurnBranch>,
    ) {
        self.tell_branches_apart(branches);
        let again = self.tried_again(turns);
        parts.marks.append(&mut self.marks);
        let has_outcomes = self.links.iter().any(|link| matches!(link, Link::Outcome { .. }));
        let mut by_id: HashMap<Short, CallPlace> = HashMap::new();
        let mut open = OpenCalls::default();
        let mut late = Vec::new();
        for link in self.links {
            match link {
                Link::Call { rule, turn, call, ids } => {
                    open.go_to(turn, turns);
                    let is_again = again.contains(&(turn, call));
                    if has_outcomes {
                        by_id.extend(ids.iter().map(|id| (id.clone(), (turn, call))));
                    }
                    open.add(rule, ids, (turn, call), is_again);
                }
                Link::Answer { rule, turn, answer } => {
                    let before = open.made_before(turn, turns);
                    open.together += 1;
                    open.answering.insert(turn);
                    let known = Some(&answer).filter(|answer| !answer.is_lost);
                    let wanted = known.map(|answer| answer.wanted(rule, turn, None));
                    match wanted.and_then(|wanted| open.take(wanted, turns)) {
                        Some(asked) => answer.join(asked, turn, turns, parts),
                        None => late.push(Late { rule, turn, before, answer }),
                    }
                }
                Link::Outcome { id, marks } => {
                    if let Some((turn, call)) = by_id.get(&id) {
                        turns[*turn].calls[*call].fields.extend(marks);
                    }
                }
            }
        }
        for find in [OpenCalls::in_any_order, OpenCalls::named, OpenCalls::next] {
            let rest = late.into_iter().filter_map(|late| {
                let wanted = late.answer.wanted(late.rule, late.turn, late.before);
                let Some(asked) = find(&mut open, wanted, turns) else {
                    return Some(late);
                };
                late.answer.join(asked, late.turn, turns, parts);
                None
            });
            late = rest.collect();
        }
        for Late { rule, turn, answer, .. } in late {
            answer.stay(&self.description.call.0[rule], &mut turns[turn], parts);
        }
    }
}

/// An answer that has no call with its id before it.
struct Late {
    rule: usize,
    turn: usize,
    /// The calls just before it that were made together, if it may be an answer to one of them.
    before: Option<usize>,
    answer: Answer,
}

impl Answer {
    /// Returns what it tells of its call.
    fn wanted(&self, rule: usize, turn: usize, before: Option<usize>) -> Wanted<'_> {
        let (id, name) = (&*self.id, &*self.name);
        Wanted { rule, turn, id, name, is_lost: self.is_lost, before }
    }

    /// Returns it for each call of which it has the id.
    fn of_each(self, later: &ResponseRule, trail: &mut Trail<'_>) -> Vec<Self> {
        let mut ids = Vec::new();
        if let Some(place) = later.id.as_ref().filter(|place| place.is_several()) {
            trail.each(place, &mut |trail| ids.push(text_of(trail.here().value)));
        }
        let is_other = |id: &Short| !matches!(id.as_str(), "" | "null") && *id != self.id;
        let others: Vec<_> = ids.into_iter().filter(is_other).collect();
        let others = others.into_iter().map(|id| Self { id, ..self.clone() });
        let mut all: Vec<_> = others.collect();
        all.insert(0, self);
        all
    }

    /// Becomes the response of a call, given by its turn and its position in that; `turn` holds the answer.
    fn join(self, asked: CallPlace, turn: usize, turns: &mut [Turn], parts: &mut TurnParts) {
        let call = &mut turns[asked.0].calls[asked.1];
        call.response = Some(self.payload);
        parts.marks.extend(self.marks.iter().map(|mark| mark.at.start));
        parts.marks.extend(self.ids_at);
        call.fields.extend(self.marks);
        let own = &mut turns[turn];
        // A part of its turn is kept with all others.
        for unread in self.unread {
            if parts.has(unread.at) {
                continue;
            }
            own.unread.add(unread.name.clone(), 1);
            parts.kept.push(unread.at.start);
            own.fields.push(unread);
        }
        if self.is_text {
            own.text.clear();
            own.tokens.clear();
        }
        if let Some(element) = self.element {
            parts.read.push(element.start);
            parts.answering.push(Answering { turn, asked, element });
        }
    }

    /// Stays in its turn, because no call waits for it.
    fn stay(self, rule: &CallRule, turn: &mut Turn, parts: &mut TurnParts) {
        let later = rule.response.as_ref().and_then(|r| r.later());
        let Some(element) = self.element else {
            return;
        };
        if parts.has(element) {
            // It is kept with all other parts that are not read.
            return parts.lost.push(element.start);
        }
        let Some(later) = later.filter(|later| later.inside.is_some()) else {
            return;
        };
        if self.is_text {
            // It keeps its text. Some formats have the same form for what happens without a call.
            let is_answer = !later.is.0.is_empty()
                || later.when.is_some() && later.when == later.id
                || self.is_tied;
            let is_lost = is_answer && (later.id.is_some() || turn.speaker.role != Role::User);
            return turn.unread.add(LOST_ANSWER.into(), u64::from(is_lost));
        }
        // An answer beside what an agent or the system says tells what happened without a call.
        let is_inside = turn.at.start < element.start;
        let is_own = self.is_lost && is_inside && turn.speaker.role != Role::User;
        let fields = match self.payload {
            Payload::Fields(fields) => fields,
            Payload::Embedded { text, at } | Payload::Text { text, at } => {
                vec![Field::known(LOST_FIELD, Content::Text(text), at)]
            }
        };
        turn.unread.add(LOST_ANSWER.into(), u64::from(!is_own));
        let is_there = |field: &Field| !field.name.is_empty() && !field.content.as_str().is_empty();
        turn.fields.extend(fields.into_iter().filter(is_there));
    }
}

/// Returns the id or the name at a place; empty if it is null, as if it were not there.
fn told(at: &Place, trail: &Trail<'_>) -> Short {
    let all = at.all().map(|place| told_only(place, trail));
    { all }.find(|told| !told.is_empty()).unwrap_or_default()
}

/// Like [`told`], without the places that count if this one does not exist.
fn told_only(at: &Place, trail: &Trail<'_>) -> Short {
    let found = trail.find_only(at);
    let is_null = |found: &Found<'_>| found.value().is_some_and(|it| it.kind() == NodeKind::Null);
    let found = found.filter(|found| !is_null(found));
    found.map(Found::text).unwrap_or_default()
}

/// Returns the starts of all values at a place.
fn starts(at: Option<&Place>, trail: &Trail<'_>) -> Vec<u32> {
    let places = at.into_iter().flat_map(Place::all);
    let values = places.filter_map(|place| trail.find_only(place)?.value());
    values.map(|value| extent(value).start).collect()
}

/// Returns the response that an element of a list is. The text of its turn starts at one of the bytes `texts`.
fn answer_in_list(
    later: &ResponseRule,
    turn: &Turn,
    texts: &[u32],
    trail: &Trail<'_>,
) -> Option<Answer> {
    let of = later.of.as_deref();
    let [id, name] = [&later.id, &later.name].map(|at| at.as_ref().map(|at| told(at, trail)));
    if of.is_some_and(|of| of != turn.speaker.name) {
        return None;
    }
    let element = trail.here().value;
    let at = answer_place(&later.at, trail);
    let (mut is_text, mut unread) = (false, Vec::new());
    let payload = if at.is_several() {
        let parts = parts_of_text(at, trail);
        let list = list_of_parts(at, trail);
        let has_text = |other: &Value<'_>| {
            let other = extent(*other);
            let inside = |part: &Value<'_>| {
                let part = extent(*part);
                other.start <= part.start && part.end <= other.end
            };
            parts.iter().any(inside)
        };
        let others = list.into_iter().flat_map(Value::elements);
        let others = others.filter(|other| !has_text(other));
        unread.extend(others.map(|other| known_field(kind_of(other), other)));
        let said: Vec<_> = parts.iter().filter_map(|part| part.as_str()).collect();
        // A text of several parts has no place of its own.
        let place = match parts.as_slice() {
            [only] => *only,
            _ => list.unwrap_or(element),
        };
        is_text = texts.contains(&extent(place).start);
        if said.is_empty() {
            nothing(extent(place))
        } else {
            Payload::Text { text: said.join("\n").into(), at: extent(place) }
        }
    } else {
        let value = trail.find_only(at).or_else(|| trail.find(&later.at));
        match value.and_then(Found::value) {
            None => nothing(extent(element)),
            Some(value) if value.kind() == NodeKind::Null => nothing(extent(value)),
            Some(value) => match (later.json, value.as_str()) {
                (None, Some(text)) => {
                    is_text = texts.contains(&extent(value).start);
                    Payload::Text { text: text.into(), at: extent(value) }
                }
                (json, _) => payload(value, at.last_name(), json),
            },
        }
    };
    Some(Answer {
        is_lost: id.as_ref().is_some_and(Short::is_empty),
        id: id.unwrap_or_default(),
        name: name.unwrap_or_default(),
        payload,
        is_text,
        marks: marks(&later.failed, &later.error.0, trail),
        ids_at: starts(later.id.as_ref(), trail),
        element: Some(extent(element)),
        unread,
        is_tied: false,
    })
}

/// Returns the response of a call to which nothing came back.
fn nothing(at: Extent) -> Payload {
    Payload::of_value(Content::Raw("null".into()), at)
}

/// Returns the place that has a response, of several: one with a text, or else one that leads into the list that is
/// there.
fn answer_place<'p>(at: &'p Place, trail: &Trail<'_>) -> &'p Place {
    let found = text_place(at, trail);
    let list = trail.find_only(found).and_then(Found::value);
    let list = list.filter(|list| list.kind() == NodeKind::Array && !found.is_several());
    let into = |place: &&Place| {
        let own = list_of_parts(place, trail).map(|own| extent(own).start);
        own.is_some() && own == list.map(|list| extent(list).start)
    };
    at.or.iter().find(into).unwrap_or(found)
}

impl CallRule {
    /// True if an element is a call by what the rule says of its values.
    fn fits(&self, trail: &Trail<'_>) -> bool {
        !self.is.0.is_empty() && self.is.holds(trail)
    }

    /// True if an answer has its id at a place where calls have theirs.
    fn has_id_where(&self, later: &ResponseRule, trail: &Trail<'_>) -> bool {
        let places = later.id.iter().flat_map(Place::all);
        let at = { places }.find(|place| !told_only(place, trail).is_empty());
        let mut own = self.id.iter().flat_map(Place::all);
        let is_own = |at: &Place| own.any(|own| (own.up, &own.steps) == (at.up, &at.steps));
        at.is_some_and(is_own)
    }
}

/// Returns the kind of an element that is not a call, if nothing says that there are such.
fn unknown(rules: &[CallRule], rule: &CallRule, trail: &Trail<'_>) -> UnreadParts {
    let mut unread = UnreadParts::default();
    if let (false, Some((kind, _))) = (rule.others.is_empty(), rule.is.0.first()) {
        let kind = trail.text(kind);
        let is_known = rule.others.iter().any(|other| *other == kind);
        let is_call = || rules.iter().any(|other| other.at == rule.at && other.fits(trail));
        let is_unknown = !kind.is_empty() && !is_known && !is_call();
        unread.add(kind, u64::from(is_unknown));
    }
    unread
}

/// True if an element that is a turn has arguments of this rule that no call of it has, and no rule before this one has
/// the same.
fn keeps_arguments(rules: &[CallRule], number: usize, trail: &Trail<'_>) -> bool {
    let place = |rule: &CallRule| rule.arguments.as_ref().map(|own| own.at().text.clone());
    let is_whole = |rule: &&CallRule| rule.at.steps.is_empty();
    let own = place(&rules[number]);
    let called_by = rules.iter().filter(is_whole).find(|rule| rule.is.holds(trail));
    is_whole(&&rules[number])
        && called_by.is_none_or(|rule| place(rule) != own)
        && !rules[..number].iter().filter(is_whole).any(|rule| place(rule) == own)
}

/// Keeps what would be the name and the arguments of a call, if an element were one, as fields of its turn; the
/// text of the turn starts at one of the bytes `texts`.
fn keep_arguments(rule: &CallRule, texts: &[u32], turn: &mut Turn, trail: &Trail<'_>) {
    let Some(place) = rule.arguments.as_ref().map(PlaceOr::<PayloadRule>::at) else {
        return;
    };
    let Some(value) = trail.find(place).and_then(Found::value) else {
        return;
    };
    let is_text = |value: Value<'_>| texts.contains(&extent(value).start);
    for name in &rule.name.0 {
        let value = trail.find(name).and_then(Found::value);
        let kept = value.map(|value| known_field(name.last_name(), value));
        turn.fields.extend(kept);
    }
    let name = place.last_name();
    if value.kind() == NodeKind::Object {
        let others = value.members().filter(|(_, value)| !is_text(*value));
        turn.fields.extend(others.map(|(key, value)| {
            known_field(format!("{name}.{}", key.as_str().unwrap_or_default()), value)
        }));
    } else if !is_text(value) {
        turn.fields.push(known_field(name, value));
    }
}

/// Returns what says whether a call failed: the value that only failures have, and the marks at the places `error`.
fn marks(failed: &Is, error: &[Place], trail: &Trail<'_>) -> Vec<Field> {
    let failed = failed.0.first().filter(|_| failed.holds(trail));
    let places = failed.map(|(place, _)| place).into_iter().chain(error);
    let mark = |place: &Place| {
        let at = |place| Some((place, trail.find_only(place)?.value()?));
        let (place, value): (&Place, _) = place.all().find_map(at)?;
        Some(known_field(place.last_name(), value))
    };
    places.filter_map(mark).collect()
}

fn call(rule: &CallRule, trail: &mut Trail<'_>) -> ApiCall {
    let arguments = rule.arguments.as_ref().and_then(|arguments| {
        let value = trail.find(arguments.at())?.value()?;
        Some(payload(value, arguments.at().last_name(), arguments.json()))
    });
    let response = rule.response.as_ref().filter(|response| response.later().is_none());
    let response = response.and_then(|response| {
        let (at, json) = (response.at(), response.json());
        if !at.is_several() {
            let value = trail.find(at)?.value()?;
            return Some(payload(value, at.last_name(), json));
        }
        let list = at.steps.len() - 1;
        let mut results: Option<Vec<Field>> = None;
        let mut number = 0;
        trail.each_of(at, list, &mut |trail| {
            let results = results.get_or_insert_default();
            trail.walk(&at.steps[list..], &mut |trail| {
                number += 1;
                results.extend(result(trail.here().value, at.last_name(), number));
            });
        });
        results.map(Payload::Fields)
    });
    let in_place = rule.response.as_ref().filter(|r| r.later().is_none());
    let error = in_place.map_or(&[][..], |response| response.error());
    ApiCall {
        name: joined(&rule.name, trail),
        answered_as: None,
        arguments,
        response,
        in_text: false,
        is_awaited: false,
        fields: marks(&rule.failed, error, trail),
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
    let whole = (!is_object).then(|| known_field(name, value));
    let members = value.members().map(|(key, value)| field(key, value, true));
    whole.into_iter().chain(members).map(numbered)
}

fn payload(value: Value<'_>, name: &str, json: Option<JsonForm>) -> Payload {
    let embedded = |text: Short| Payload::Embedded { text, at: extent(value) };
    match (value.kind(), json, value.as_str()) {
        (NodeKind::Object, ..) => {
            let members = value.members();
            let fields = members.map(|(key, value)| field(key, value, true));
            Payload::Fields(fields.collect())
        }
        (_, Some(JsonForm::String), Some(text)) => embedded(text.into()),
        (_, Some(JsonForm::StringOrText), Some(text))
            if text.trim_start().starts_with(['{', '[']) =>
        {
            embedded(text.into())
        }
        (_, Some(JsonForm::StringOrText), Some(text)) => {
            Payload::Text { text: text.into(), at: extent(value) }
        }
        _ => Payload::Fields(vec![known_field(name, value)]),
    }
}
