//! Reads a dialog by the places of its description.

use std::collections::{HashMap, HashSet};

use super::description::{ActRule, Description, Quoted, SpanRule, StateRule, TurnRule, VoteRule};
use super::lines::{Again, Lines, in_order};
use super::offsets;
use super::place::{Place, Step};
use super::read_asides::Asides;
use super::read_calls::CallReader;
use super::read_parts::TurnParts;
use super::shape::{Shape, offset};
use super::texts::text_place;
use super::trail::{Found, Trail, each, joined};
use crate::dialog::{
    Act, ActSlot, BROKEN_LINE, Breakdown, Content, Dialog, Extent, Field, Issue, Label, LineAgain,
    Role, Segment, Short, Span, Speaker, StateSlot, Turn, UnreadParts, Vote, content_of_list,
};
use crate::format::engine::read::{Reader, extent, known_field};
use crate::format::texts::reasoning::REASONING_FIELD;
use crate::format::texts::{reasoning, xml};
use crate::json::{NodeKind, Tree, Value};
use crate::text::Units;

/// Returns the dialog in `tree`, and its values that are not of the type of their place.
pub fn read(
    description: &'static Description,
    shape: &'static Shape,
    tree: Tree<'_>,
) -> (Dialog, Vec<Issue>) {
    let root = description.root(tree.root());
    let mut dialog = Dialog::new(units(description));
    dialog.at = extent(root);
    dialog.sides = description.sides_of(root);
    let mut trail = Trail::new(root, tree.key());
    dialog.id = match (&description.id, tree.key()) {
        (Some(id), _) => trail.text(id).into(),
        // The key of a dialog is its id, unless the description names another one.
        (None, Some(key)) => key.as_str().unwrap_or_default().into_owned(),
        (None, None) => String::new(),
    };
    let mut read = DialogReader {
        description,
        dialog,
        elements: Vec::new(),
        calls: CallReader::new(description),
        inside: Vec::new(),
        parts: TurnParts::default(),
        asides: Asides::default(),
        lines: Lines::default(),
        kept: Vec::new(),
        broken: Vec::new(),
        repeated: HashSet::new(),
    };
    if shape.has_parallel_lists {
        let mut count = 0;
        description.each_turn(&mut trail, &mut |_| count += 1);
        trail.turns = Some(count);
    }
    if let Some(opening) = description.opening(&trail) {
        read.opening(opening);
    }
    let rule = &description.turn.0[0];
    if let Some(id) = &rule.replaces {
        read.elements_written_again(id, &mut trail);
    } else if let Some(last) = &rule.last {
        for mut element in in_order(rule, description, &mut trail) {
            read.element(&mut element);
        }
        read.lines.end_with(last, &trail);
    } else {
        description.each_turn(&mut trail, &mut |trail| read.element(trail));
    }
    for place in &description.unread {
        trail.each(place, &mut |trail| {
            read.unread(place, extent(trail.here().value));
        });
    }
    let DialogReader {
        mut dialog,
        mut elements,
        calls,
        inside,
        mut parts,
        asides,
        lines,
        mut kept,
        broken,
        ..
    } = read;
    // Turns need not be in the order of the text.
    parts.sort();
    elements.sort_unstable_by_key(|element| element.start);
    dialog.lines.first = lines.first(&description.turn.0[0]);
    let taken_back = lines.taken_back(&dialog.turns, || calls.answers());
    calls.link(&mut dialog.turns, &mut parts, &asides.of_turns());
    kept.append(&mut parts.marks);
    let answering = parts.keep_unread(tree, &mut dialog.turns, &mut kept);
    if description.is_session() {
        for turn in &mut dialog.turns {
            reasoning::take(turn, turn.at);
        }
        xml::read(&mut dialog.turns);
        keep_unknown_turns(tree, &mut dialog.turns, &mut kept);
    }
    asides.finish(&mut dialog, &answering, taken_back);
    kept.sort_unstable();
    dialog.turns.iter_mut().for_each(shrink);
    let mut reader = Reader::default();
    shape.walk(root, &mut dialog, (&elements, &kept), &mut reader);
    for line in broken {
        if let Some(line) = tree.value_at(line) {
            reader.report(line, "line", "JSON in UTF-8");
        }
    }
    if let Some((value, place)) = lines.lost {
        reader.report(value, place.last_name(), "the id of an earlier line");
    }
    for InsideCharacter { turn, place, at } in inside {
        reader.turn = Some(turn);
        if let Some(value) = tree.value_at(at) {
            reader.report(value, place.last_name(), "an offset that does not cut a character");
        }
    }
    (dialog, reader.finish())
}

/// Keeps the turns of unknown speakers of which nothing was read as fields, and counts them.
fn keep_unknown_turns(tree: Tree<'_>, turns: &mut [Turn], kept: &mut Vec<u32>) {
    let is_unknown = |turn: &&mut Turn| {
        let is_empty = turn.text.is_empty() && turn.calls.is_empty() && turn.unread.is_empty();
        turn.speaker.role == Role::Other && is_empty
    };
    for turn in turns.iter_mut().filter(is_unknown) {
        let Some(element) = tree.value_at(turn.at.start) else {
            continue;
        };
        kept.push(turn.at.start);
        turn.unread.add(turn.speaker.name.clone(), 1);
        turn.fields = vec![Field::known(turn.speaker.name.clone(), Content::of(element), turn.at)];
    }
}

/// Returns the unit of the spans in the model: tokens for words and tokens, code points for all others.
pub fn units(description: &Description) -> Units {
    let mut splittings = description.span.0.iter().map(|rule| rule.unit.splitting());
    let splitting = splittings.find_map(|splitting| splitting);
    splitting.map_or(Units::CodePoints, Units::Tokens)
}

/// Gives back the spare room of a turn's lists, of which a corpus has many.
fn shrink(turn: &mut Turn) {
    turn.tokens.shrink_to_fit();
    turn.segments.shrink_to_fit();
    turn.calls.shrink_to_fit();
    turn.acts.shrink_to_fit();
    turn.acts.iter_mut().for_each(|act| act.slots.shrink_to_fit());
    turn.intents.shrink_to_fit();
    turn.votes.shrink_to_fit();
    if let Some(state) = &mut turn.state {
        state.shrink_to_fit();
    }
}

/// The kind of lines that are written again.
const LINE_AGAIN: &str = "repeated line";

/// Reads one dialog.
struct DialogReader<'a> {
    description: &'static Description,
    dialog: Dialog,
    elements: Vec<Element>,
    calls: CallReader,
    /// Offsets that lead into the middle of a character.
    inside: Vec<InsideCharacter>,
    parts: TurnParts,
    asides: Asides,
    lines: Lines<'a>,
    /// The starts of objects that are fields as they are.
    kept: Vec<u32>,
    /// The starts of lines that are not JSON.
    broken: Vec<u32>,
    /// The starts of elements that a later one replaces.
    repeated: HashSet<u32>,
}

/// An element that may hold turns.
pub struct Element {
    /// Its first byte.
    pub start: u32,
    /// Its last turn; None if it has none.
    pub turn: Option<usize>,
}

/// An offset that leads into the middle of a character, so that its segment has no span.
struct InsideCharacter {
    turn: usize,
    place: &'static Place,
    /// The byte at which the offset is written.
    at: u32,
}

impl<'a> DialogReader<'a> {
    /// Reads the text that the user says before all turns.
    fn opening(&mut self, value: Value<'_>) {
        self.kept.push(extent(value).start);
        let name = self.description.turn.0[0].user.first();
        let name = name.map(|name| name.as_str().into()).unwrap_or_default();
        self.dialog.turns.push(Turn {
            at: extent(value),
            text: value.as_str().unwrap_or_default().into_owned(),
            speaker: named_speaker(&self.description.turn.0[0], name),
            ..Turn::default()
        });
    }

    /// Counts a part of the dialog that is not read, unless a turn is in it.
    fn unread(&mut self, place: &Place, at: Extent) {
        let is_inside = |element: &Element| at.start <= element.start && element.start < at.end;
        let is_read = self.elements.iter().any(is_inside);
        let count = u64::from(!is_read);
        self.dialog.unread.add(place.last_name().into(), count);
    }

    /// Reads the elements of the array of turns. Of those with the same `id`, the last one is the turn, in the place of the
    /// first, and the others are fields.
    fn elements_written_again(&mut self, id: &Place, trail: &mut Trail<'a>) {
        let mut elements: Vec<Trail<'a>> = Vec::new();
        let mut written: HashMap<Short, Vec<usize>> = HashMap::new();
        self.description.each_turn(trail, &mut |trail| {
            let id = trail.text(id);
            if !id.is_empty() {
                written.entry(id).or_default().push(elements.len());
            }
            elements.push(trail.clone());
        });
        let mut order: Vec<usize> = (0..elements.len()).collect();
        for again in written.values().filter(|again| again.len() > 1) {
            let start = |at: &usize| extent(elements[*at].here().value).start;
            let (last, earlier) = (again[again.len() - 1], &again[..again.len() - 1]);
            self.repeated.extend(earlier.iter().map(start));
            // In the place of each, the one before it; in that of the first, the last.
            for places in again.windows(2) {
                order[places[1]] = places[0];
            }
            order[again[0]] = last;
        }
        for at in order {
            self.element(&mut elements[at]);
        }
    }

    /// Reads an element of the array of turns.
    fn element(&mut self, trail: &mut Trail<'a>) {
        trail.turn = self.elements.len();
        let at = extent(trail.here().value);
        let start = at.start;
        let only = &self.description.turn.0[0];
        let may_be_turn = !self.repeated.contains(&start) && only.is.holds(trail);
        let again = self.lines.again(self.description, trail).filter(|_| may_be_turn);
        if let Some(Again { first, is_same }) = again {
            let turn = (!is_same).then_some(self.dialog.turns.len());
            self.dialog.lines.again.push(LineAgain { at, first, turn });
            if is_same {
                self.repeated.insert(start);
                self.elements.push(Element { start, turn: None });
                self.dialog.unread.add(LINE_AGAIN.into(), 1);
                return self.other_element(only, trail.here().value, trail);
            }
        }
        if !may_be_turn {
            self.elements.push(Element { start, turn: None });
            self.asides.read(only, trail, &mut self.dialog, false);
            if !self.repeated.contains(&start) {
                self.lines.add(only, trail, None, (None, false));
            }
            self.calls.read_outcome(trail);
            return self.other_element(only, trail.here().value, trail);
        }
        let first = self.dialog.turns.len();
        let several = self.description.turn.0.len() > 1;
        for rule in &self.description.turn.0 {
            if let Some(mut turn) = self.turn(rule, trail, several) {
                if several {
                    turn.exchange = extent(trail.here().value);
                }
                self.dialog.turns.push(turn);
            }
        }
        let last = self.dialog.turns.len().checked_sub(1).filter(|last| *last >= first);
        self.elements.push(Element { start, turn: last });
        let own = self.asides.read(only, trail, &mut self.dialog, last.is_some());
        self.lines.add(only, trail, last, own);
        for rule in &self.description.state.0 {
            if rule.of.as_deref() == Some("turn-before") {
                if let Some(before) = first.checked_sub(1) {
                    state(rule, trail, &mut self.dialog.turns[before]);
                }
            } else if let Some(turn) = self.turn_of(first, rule.of.as_deref()) {
                state(rule, trail, &mut self.dialog.turns[turn]);
            }
        }
        for rule in &self.description.span.0 {
            if let Some(turn) = self.turn_of(first, rule.of.as_deref()) {
                let (number, turn) = (turn, &mut self.dialog.turns[turn]);
                let (inside, is_strict) = (&mut self.inside, self.description.strict);
                each(trail, &rule.at, rule.when.as_ref(), &mut |trail| {
                    let mut offsets = span(rule, trail, turn).unwrap_or_else(|place| {
                        let offset = trail.find(place).and_then(Found::value);
                        inside.extend(offset.map(|offset| InsideCharacter {
                            turn: number,
                            place,
                            at: extent(offset).start,
                        }));
                        Offsets::default()
                    });
                    offsets.are_in_text &= is_strict;
                    let segment = segment(rule, offsets, trail);
                    turn.segments.push(segment);
                });
            }
        }
        for rule in &self.description.act.0 {
            if let Some(turn) = self.turn_of(first, rule.of.as_deref()) {
                let acts = &mut self.dialog.turns[turn].acts;
                each(trail, &rule.at, rule.when.as_ref(), &mut |trail| {
                    if has_name(rule, trail) {
                        acts.push(act(rule, trail));
                    }
                });
            }
        }
        for rule in self.description.vote.0.iter().filter(|rule| rule.answer.is_some()) {
            if let Some(turn) = self.turn_of(first, None) {
                let votes = &mut self.dialog.turns[turn].votes;
                trail.each(&rule.at, &mut |trail| votes.push(vote(rule, trail)));
            }
        }
        for (number, rule) in self.description.call.0.iter().enumerate() {
            if let Some(turn) = self.turn_of(first, rule.of.as_deref()) {
                self.calls.read(number, &mut self.dialog.turns, turn, trail);
            }
        }
        if !only.text.at().or.is_empty()
            && let Some(turn) = self.turn_of(first, None)
        {
            keep_other_texts(only, &mut self.dialog.turns[turn], trail);
        }
    }

    /// Keeps an element that is not a turn as a field of the dialog.
    fn other_element(&mut self, rule: &TurnRule, value: Value<'_>, trail: &Trail<'_>) {
        let kind = rule.is.0.first().map(|(place, _)| trail.text(place));
        let kind = kind.unwrap_or_default();
        let is_other = rule.others.iter().any(|other| *other == kind);
        let known = is_other || self.repeated.contains(&extent(value).start);
        let name = match value.kind() {
            NodeKind::Broken => BROKEN_LINE.into(),
            _ if kind.is_empty() => "other".into(),
            _ => kind,
        };
        if !known {
            self.dialog.unread.add(name.clone(), 1);
        }
        let at = extent(value);
        self.kept.push(at.start);
        if value.kind() == NodeKind::Broken {
            self.broken.push(at.start);
        }
        self.dialog.fields.push(Field { name, content: Content::of(value), known, at });
    }

    /// Returns the turn of the current element, which begins at turn `first`, that belongs to `of`.
    fn turn_of(&self, first: usize, of: Option<&str>) -> Option<usize> {
        let own = self.dialog.turns.get(first..)?;
        let role = match of {
            None => return (!own.is_empty()).then(|| self.dialog.turns.len() - 1),
            Some("user") => Role::User,
            Some(_) => Role::System,
        };
        let at = own.iter().position(|turn| turn.speaker.role == role)?;
        Some(first + at)
    }

    fn turn(&mut self, rule: &TurnRule, trail: &mut Trail<'_>, several: bool) -> Option<Turn> {
        let value = rule.text_value(trail);
        let text = value.and_then(|value| rule.text_in(value, trail));
        let is_there = if self.description.strict {
            side(rule, trail).is_some()
        } else {
            text.as_ref().is_some_and(|text| !text.is_empty())
        };
        if several && !is_there {
            return None;
        }
        let at = if several { side(rule, trail).or(value)? } else { trail.here().value };
        let has_text = text.is_some();
        let text = text.unwrap_or_default();
        let parted = rule.parted(&text);
        let name = match parted {
            Some((name, _)) => name.into(),
            None => speaker_name(rule, trail),
        };
        let mut turn = Turn {
            at: extent(at),
            text: match parted {
                Some((_, said)) => said.to_owned(),
                None => text.into_owned(),
            },
            speaker: speaker(rule, name, trail),
            ..Turn::default()
        };
        if !has_text && matches!(turn.speaker.role, Role::User | Role::System) {
            turn.unread = unread_text(rule, trail);
        }
        for thought in rule.reasoning(trail) {
            self.parts.read.push(extent(thought).start);
            turn.fields.push(known_field(REASONING_FIELD, thought));
        }
        if !rule.parts.0.is_empty() {
            self.parts.add(rule, trail, self.dialog.turns.len());
        }
        if let Some(number) = &rule.number {
            turn.index = trail.find(number).and_then(|number| match number {
                Found::Index(index) => u32::try_from(index).ok(),
                other => offset(other.value()?),
            });
        }
        if let Some(intents) = &rule.intents {
            trail.each(intents, &mut |trail| {
                turn.intents.push(Found::Value(trail.here().value).text());
            });
        }
        if let Some(tokens) = &rule.tokens {
            trail.each(tokens, &mut |trail| {
                turn.tokens.push(Found::Value(trail.here().value).text());
            });
        } else if let Units::Tokens(splitting) = self.dialog.units {
            let tokens = splitting.tokens(&turn.text).into_iter();
            turn.tokens = tokens.map(Short::from).collect();
        }
        Some(turn)
    }
}

/// Returns the member with what one of several speakers says, and perhaps more of it.
fn side<'a>(rule: &TurnRule, trail: &Trail<'a>) -> Option<Value<'a>> {
    trail.find_of(rule.text.at(), rule.text.at().steps.len().min(1))
}

/// Counts what is an object where a text should be.
fn unread_text(rule: &TurnRule, trail: &Trail<'_>) -> UnreadParts {
    let mut unread = UnreadParts::default();
    let is_object = |place: &&Place| {
        let value = trail.find_only(place).and_then(Found::value);
        value.is_some_and(|value| value.kind() == NodeKind::Object)
    };
    let places = rule.text.at().all().filter(|place| !place.is_several());
    for place in places.filter(is_object) {
        unread.add(place.last_name().into(), 1);
    }
    unread
}

/// Keeps texts at places that do not count, because another one has the text, as fields of the turn. Arguments of
/// calls are shown anyway.
fn keep_other_texts(rule: &TurnRule, turn: &mut Turn, trail: &Trail<'_>) {
    let own = text_place(rule.text.at(), trail);
    let others = rule.text.at().all().filter(|place| **place != *own);
    for place in others {
        for value in rule.spoken(place, trail) {
            let at = extent(value);
            let is_argument = turn.calls.iter().any(|call| call.has_argument_at(at));
            let is_shown = value.is_text("") || value.is_text(&turn.text) || is_argument;
            if !is_shown {
                turn.fields.push(known_field(place.last_name(), value));
            }
        }
    }
}

fn speaker_name(rule: &TurnRule, trail: &Trail<'_>) -> Short {
    match &rule.speaker {
        Some(place) => trail.text(place),
        None => match rule.alternate.as_slice() {
            [] => Short::default(),
            names => names[trail.turn % names.len()].as_str().into(),
        },
    }
}

fn speaker(rule: &TurnRule, name: Short, trail: &Trail<'_>) -> Speaker {
    let mut speaker = named_speaker(rule, name);
    if rule.unsaid.0.iter().any(|is| is.holds(trail)) {
        speaker.role = Role::Context;
    }
    speaker
}

/// Returns the speaker with this name, in the role that the rule gives it.
pub fn named_speaker(rule: &TurnRule, name: Short) -> Speaker {
    let is = |names: &[String]| names.iter().any(|own| *own == name);
    let role = match () {
        () if is(&rule.user) => Role::User,
        () if is(&rule.system) => Role::System,
        () if is(&rule.hidden) => Role::Context,
        () if rule.user.is_empty() && rule.system.is_empty() => return Speaker::named(name),
        () => Role::Other,
    };
    Speaker { role, name }
}

/// The place of a segment.
#[derive(Clone, Copy, Default)]
struct Offsets {
    span: Option<Span>,
    /// One of the numbers is in a string.
    are_in_text: bool,
}

/// Returns the span of a segment, if its offsets are numbers.
///
/// # Errors
/// If an offset is inside a character: its place.
fn span(
    rule: &'static SpanRule,
    trail: &Trail<'_>,
    turn: &Turn,
) -> Result<Offsets, &'static Place> {
    let value = |place| trail.find(place).and_then(Found::value);
    let Some((start, end)) = value(&rule.start).zip(value(&rule.end)) else {
        return Ok(Offsets::default());
    };
    let are_in_text = [start, end].iter().any(|offset| offset.kind() == NodeKind::String);
    let span = offset(start).zip(offset(end));
    let span = span.map(|(start, end)| offsets::read(rule, start, end, turn)).transpose()?;
    Ok(Offsets { span, are_in_text })
}

fn segment(rule: &SpanRule, offsets: Offsets, trail: &mut Trail<'_>) -> Segment {
    let text = |place: &Option<Place>| Some(trail.find(place.as_ref()?)?.text());
    let (quote, annotator) = (text(&rule.quote), text(&rule.annotator));
    let label = |name: Short, at: Extent| Label { name, at };
    let labels = match rule.label.0.as_slice() {
        [list] if list.is_several() => {
            let mut labels = Vec::new();
            let elements = 1 + list.steps.iter().rposition(Step::is_several).unwrap_or_default();
            trail.each_of(list, elements, &mut |trail| {
                let at = extent(trail.here().value);
                trail.walk(&list.steps[elements..], &mut |trail| {
                    labels.push(label(Found::Value(trail.here().value).text(), at));
                });
            });
            labels
        }
        parts => {
            let own = parts.last().and_then(|part| trail.find(part)?.value());
            let at = own.map(extent).unwrap_or_default();
            vec![label(joined(&rule.label, trail), at)]
        }
    };
    Segment {
        span: offsets.span,
        has_misspelled_span: offsets.are_in_text && !rule.digits,
        quote,
        is_normalised: rule.quoted == Quoted::Normalised,
        labels,
        annotator,
        fields: Vec::new(),
        at: extent(trail.here().value),
    }
}

fn vote(rule: &VoteRule, trail: &mut Trail<'_>) -> Vote {
    let text = |place: &Option<Place>| {
        let text = place.as_ref().and_then(|place| trail.find(place)).and_then(Found::value);
        text.and_then(Value::as_str).as_deref().unwrap_or_default().into()
    };
    Vote {
        annotator: text(&rule.annotator),
        breakdown: Breakdown::from_letter(&text(&rule.answer)),
        comment: text(&rule.comment),
        ungrammatical: text(&rule.ungrammatical),
        fields: Vec::new(),
        at: extent(trail.here().value),
    }
}

/// True unless a part of the name is a list or an object, which another table describes.
fn has_name(rule: &ActRule, trail: &Trail<'_>) -> bool {
    let is_nested = |part: &Place| {
        let value = trail.find(part).and_then(Found::value);
        value.is_some_and(Value::is_container)
    };
    !rule.name.0.iter().any(is_nested)
}

fn act(rule: &ActRule, trail: &mut Trail<'_>) -> Act {
    let mut slots = Vec::new();
    match &rule.slots {
        Some(all) => trail.each(all, &mut |trail| act_slots(rule, trail, &mut slots)),
        None => act_slots(rule, trail, &mut slots),
    }
    Act { name: joined(&rule.name, trail), slots, at: extent(trail.here().value) }
}

fn act_slots(rule: &ActRule, trail: &mut Trail<'_>, slots: &mut Vec<ActSlot>) {
    let slot = rule.slot.as_ref().map(|slot| trail.text(slot)).unwrap_or_default();
    let before = slots.len();
    if let Some(values) = &rule.values {
        trail.each(values, &mut |trail| {
            let value = Some(Content::of(trail.here().value));
            let slot = slot.clone();
            slots.push(ActSlot { slot, value });
        });
    }
    if slots.len() == before && !slot.is_empty() {
        slots.push(ActSlot { slot, value: None });
    }
}

fn state(rule: &StateRule, trail: &mut Trail<'_>, turn: &mut Turn) {
    let all = &rule.at.steps;
    let list = match all.last() {
        Some(Step::Elements | Step::Members) => all.len() - 1,
        _ => all.len(),
    };
    trail.each_of(&rule.at, list, &mut |trail| {
        let slots = turn.state.get_or_insert_default();
        trail.walk(&all[list..], &mut |trail| {
            if rule.when.as_ref().is_none_or(|when| trail.find(when).is_some()) {
                slots.push(StateSlot {
                    slot: joined(&rule.name, trail),
                    value: state_value(rule, trail),
                    at: extent(trail.here().value),
                });
            }
        });
    });
}

/// Returns the value of a slot: that of the list of values if it has one.
fn state_value(rule: &StateRule, trail: &Trail<'_>) -> Content {
    let here = trail.here().value;
    let Some(values) = &rule.values else {
        return Content::of(here);
    };
    if values.steps != [Step::Elements] || values.up > 0 {
        return trail.find(values).map_or(Content::Text(Short::default()), Found::content);
    }
    if here.kind() == NodeKind::Array {
        content_of_list(here.elements().map(Content::of))
    } else {
        Content::of(here)
    }
}
