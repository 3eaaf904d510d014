//! The domain model: dialogs and everything in them.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::aside::{Branches, Events, LineIds};
use super::edit::CallPart;
use super::judgement::{Judgement, PairedWith};
use super::unread::UnreadParts;
use crate::json::{self, NewValue, Value};
use crate::text::{Splitting, Units};

/// A text that is usually short, such as a label or a speaker: up to 24 bytes are stored inline. Most
/// texts of a corpus are that short, and allocating them took half of the time of reading it.
pub type Short = compact_str::CompactString;

/// The place of an element: a half-open byte range in the text its dialog was read from.
///
/// Two extents always compare as equal. The place of an element is not part of its content, and a change is
/// checked before it is written by comparing the contents of two dialogs.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Extent {
    pub start: u32,
    pub end: u32,
}

impl Extent {
    /// True unless the element is new, so that the text does not have it.
    pub fn is_placed(self) -> bool {
        self.end > 0
    }

    /// True if another extent is inside it.
    pub fn holds(self, inner: Self) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }
}

impl PartialEq for Extent {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// One conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dialog {
    /// The id in the corpus; empty if there is none.
    pub id: String,
    /// The unit of its segments' spans.
    pub units: Units,
    pub turns: Vec<Turn>,
    /// All other fields of the dialog, in the order of the text.
    pub fields: Vec<Field>,
    /// Judgements of it and its parts, from files beside the corpus.
    pub judgements: Vec<Judgement>,
    /// The two sides of a pair, if it is one.
    pub sides: Option<Sides>,
    /// Those whose text has changed since, which do not count.
    pub outdated: Vec<Judgement>,
    /// The kinds of its parts that are not read and in no turn, such as lines. The parts themselves are fields.
    pub unread: UnreadParts,
    /// The parts that agents did elsewhere in the meantime.
    pub branches: Branches,
    /// The events that no speaker mentions.
    pub events: Events,
    pub lines: LineIds,
    pub at: Extent,
}

/// The two sides of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Sides {
    /// The names: of that which the dialog's turns are, and of the other.
    pub names: [Short; 2],
    /// The dialog of another file that is the other side; None if that is in the dialog itself, where a format reads it
    /// with [`other_side`](crate::format::Family::other_side).
    pub with: Option<PairedWith>,
}

/// One utterance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    pub speaker: Speaker,
    /// Its number in the corpus, which may differ from its position.
    pub index: Option<u32>,
    pub text: String,
    /// The tokens in the corpus; empty if there are none.
    pub tokens: Vec<Short>,
    pub segments: Vec<Segment>,
    pub calls: Vec<ApiCall>,
    pub acts: Vec<Act>,
    pub intents: Vec<Short>,
    /// The dialogue state after this turn; None if the corpus has none.
    pub state: Option<Vec<StateSlot>>,
    pub votes: Vec<Vote>,
    /// The text for which its votes were cast, if the votes are in another file and the text has changed
    /// since.
    pub judged_as: Option<Box<Short>>,
    /// The adjudicator's label of the turn, if the file of gold labels has one.
    pub gold: Option<Box<Detection>>,
    /// A breakdown detector's labels of the turn.
    pub detections: Vec<Detection>,
    /// All other fields of the turn, in the order of the text.
    pub fields: Vec<Field>,
    /// The kinds of its parts that are not read, such as images. The parts themselves are fields.
    pub unread: UnreadParts,
    pub at: Extent,
    /// The JSON element of this turn and its answer, in formats that keep both in one element; else empty.
    pub exchange: Extent,
}

impl Turn {
    /// Returns its number in the corpus or, without one, its `position`.
    pub fn number(&self, position: usize) -> u32 {
        self.index.unwrap_or_else(|| u32::try_from(position).unwrap_or(u32::MAX))
    }

    /// Returns its fields and those of its segments and calls that its format does not know.
    pub fn all_fields(&self) -> impl Iterator<Item = &Field> {
        let of_segments = self.segments.iter().flat_map(|segment| &segment.fields);
        let of_calls = self.calls.iter().flat_map(ApiCall::unknown);
        self.fields.iter().chain(of_segments).chain(of_calls)
    }

    /// Returns the places of its segments, acts, slots of the state, and calls.
    pub fn element_places(&self) -> impl Iterator<Item = Extent> {
        let segments = self.segments.iter().map(|segment| segment.at);
        let acts = self.acts.iter().map(|act| act.at);
        let state = self.state.iter().flatten().map(|slot| slot.at);
        let calls = self.calls.iter().map(|call| call.at);
        segments.chain(acts).chain(state).chain(calls)
    }

    /// True if annotators can judge it: neither a user turn nor context. A message of a chat, which has no
    /// number, needs a text or a call.
    pub fn is_judgeable(&self) -> bool {
        let is_empty = || self.text.is_empty() && self.calls.is_empty() && self.votes.is_empty();
        match self.speaker.role {
            Role::User | Role::Context => false,
            Role::System => self.index.is_some() || !is_empty(),
            Role::Other => true,
        }
    }

    /// True if both are turns of one exchange.
    pub fn is_in_exchange_of(&self, other: &Self) -> bool {
        self.exchange.end > 0
            && self.exchange.start == other.exchange.start
            && other.exchange.end > 0
    }

    /// Returns the whole element of the turn, or of the exchange that contains it.
    pub fn whole(&self) -> Extent {
        if self.exchange.end > 0 { self.exchange } else { self.at }
    }
}

/// The speaker of a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Speaker {
    pub role: Role,
    /// The name as the corpus writes it: `USER`, `assistant`, `S`.
    pub name: Short,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    User,
    /// The machine, or the human who plays it: "assistant" in Taskmaster.
    System,
    /// Neither side: instructions to the system, and the answers of tools. Nobody judges it.
    Context,
    #[default]
    Other,
}

impl Role {
    /// Returns the name of the role in turnwise, whatever the corpus calls it; empty if the role is unknown.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::System => "system",
            Self::Context | Self::Other => "",
        }
    }
}

impl Speaker {
    /// Returns the speaker with this name in a corpus.
    pub fn named(name: Short) -> Self {
        let is = |names: &[&str]| names.iter().any(|n| name.eq_ignore_ascii_case(n));
        let role = if is(&["user", "u"]) {
            Role::User
        } else if is(&["assistant", "system", "s"]) {
            Role::System
        } else {
            Role::Other
        };
        Self { role, name }
    }
}

/// A span in the dialog's units, half-open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A labelled stretch of a turn's text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Segment {
    /// None if the corpus has no usable offsets. May lie outside the text.
    pub span: Option<Span>,
    /// The offsets are digits in strings, where the corpus has numbers.
    pub has_misspelled_span: bool,
    /// The text that the corpus quotes next to the offsets; may differ from the text there.
    pub quote: Option<Short>,
    /// True in a corpus whose quotes need not be the text, such as "cheap" for "cheaper".
    pub is_normalised: bool,
    pub labels: Vec<Label>,
    /// The person or program that made it, if the corpus says so.
    pub annotator: Option<Short>,
    pub fields: Vec<Field>,
    pub at: Extent,
}

impl Segment {
    /// Returns the names of its labels.
    pub fn label_names(&self) -> Vec<String> {
        self.labels.iter().map(|label| label.name.to_string()).collect()
    }

    /// Returns the quote, if it should be the text.
    pub fn exact_quote(&self) -> Option<&str> {
        self.quote.as_deref().filter(|_| !self.is_normalised)
    }

    /// Returns the quote, if it need not be the text.
    pub fn normalised_quote(&self) -> Option<&str> {
        self.quote.as_deref().filter(|_| self.is_normalised)
    }

    /// Changes the quote after its span has moved from the text `was` to the text `now`. One that need not be the
    /// text follows if it was the old text, as it is or in lower case.
    pub(super) fn requote(&mut self, was: Option<&Short>, now: &Short) {
        let Some(quote) = &mut self.quote else {
            return;
        };
        if !self.is_normalised || Some(&*quote) == was {
            quote.clone_from(now);
        } else if was.is_some_and(|was| **quote == was.to_lowercase()) {
            *quote = now.to_lowercase();
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    pub name: Short,
    pub at: Extent,
}

/// A call of an API during a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApiCall {
    pub name: Short,
    /// The name in its response; None if the corpus does not repeat it there.
    pub answered_as: Option<Short>,
    pub arguments: Option<Payload>,
    pub response: Option<Payload>,
    /// True if it is written in the text of its turn.
    pub in_text: bool,
    /// True if it has an id by which its format finds the response, so that one without a response was never answered.
    pub is_awaited: bool,
    pub fields: Vec<Field>,
    pub at: Extent,
}

impl ApiCall {
    pub fn payload(&self, part: CallPart) -> Option<&Payload> {
        match part {
            CallPart::Arguments => self.arguments.as_ref(),
            CallPart::Response => self.response.as_ref(),
        }
    }

    pub fn payload_mut(&mut self, part: CallPart) -> &mut Option<Payload> {
        match part {
            CallPart::Arguments => &mut self.arguments,
            CallPart::Response => &mut self.response,
        }
    }

    /// Returns the place of its response, or of the first value of that.
    pub fn response_place(&self) -> Option<Extent> {
        let at = match self.response.as_ref()? {
            Payload::Fields(fields) => fields.first()?.at,
            Payload::Embedded { at, .. } | Payload::Text { at, .. } => *at,
        };
        (at.end > 0).then_some(at)
    }

    /// Returns the fields beside it and its response that tell more of these, such as `is_error`.
    pub fn marks(&self) -> impl Iterator<Item = &Field> {
        let is_mark = |field: &&Field| field.known && !Self::OWN.contains(&field.name.as_str());
        self.fields.iter().filter(is_mark)
    }

    /// Returns its fields that its format does not know.
    pub fn unknown(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.known)
    }

    /// The names of fields that belong to the call itself.
    const OWN: [&str; 3] = ["id", "type", "index"];

    /// True if the value at this place is one of its arguments.
    pub fn has_argument_at(&self, at: Extent) -> bool {
        match &self.arguments {
            Some(Payload::Fields(fields)) => fields.iter().any(|field| field.at.start == at.start),
            _ => false,
        }
    }
}

/// The arguments or the response of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Payload {
    /// Named values.
    Fields(Vec<Field>),
    /// A text that should be JSON, and may be broken.
    Embedded { text: Short, at: Extent },
    /// Any text, often JSON: the answer of a tool in a chat.
    Text { text: Short, at: Extent },
}

impl Payload {
    /// Returns a payload that is one value without a name, such as null where nothing came back.
    pub fn of_value(value: Content, at: Extent) -> Self {
        Self::Fields(vec![Field::known("", value, at)])
    }

    /// Returns the value of a payload that is one without a name.
    pub fn value(&self) -> Option<&Content> {
        match self {
            Self::Fields(fields) => match fields.as_slice() {
                [only] if only.name.is_empty() => Some(&only.content),
                _ => None,
            },
            Self::Embedded { .. } | Self::Text { .. } => None,
        }
    }

    /// Returns the whole text of a payload that is one.
    pub fn text(&self) -> Option<&Short> {
        match self {
            Self::Fields(_) => None,
            Self::Embedded { text, .. } | Self::Text { text, .. } => Some(text),
        }
    }
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: Short,
    pub content: Content,
    /// True if the description of the corpus has this field.
    pub known: bool,
    pub at: Extent,
}

impl Field {
    /// Returns a field that the description has.
    pub fn known(name: impl Into<Short>, content: Content, at: Extent) -> Self {
        Self { name: name.into(), content, known: true, at }
    }

    /// True if its name, the path of something that the description does not have, leads through lists: once something
    /// before it is gone, it has another one.
    pub fn has_position(&self) -> bool {
        !self.known && self.name.contains('[')
    }
}

/// A value of any kind.
#[derive(Clone, Debug)]
pub enum Content {
    Text(Short),
    /// Anything but a string, as the file writes it.
    Raw(Short),
}

/// Values are the same however the file writes them.
impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::Raw(one), Self::Raw(other)) => json::is_same(one, other),
            _ => false,
        }
    }
}

impl Content {
    pub fn of(value: Value<'_>) -> Self {
        match value.as_str() {
            Some(text) => Self::Text(text.into()),
            None => Self::Raw(value.raw().into()),
        }
    }

    /// Returns it as JSON.
    pub fn json(&self) -> String {
        match self {
            Self::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::Raw(raw) => raw.to_string(),
        }
    }

    /// True for a list or an object, which a single value must not replace.
    pub fn is_container(&self) -> bool {
        matches!(self, Self::Raw(raw) if raw.starts_with(['[', '{']))
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Raw(text) => text,
        }
    }
}

impl From<&Content> for NewValue {
    fn from(content: &Content) -> Self {
        match content {
            Content::Text(text) => Self::String(text.to_string()),
            Content::Raw(raw) => Self::Raw(raw.to_string()),
        }
    }
}

/// A dialogue act, such as `REQUEST` of the slot `date`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Act {
    pub name: Short,
    pub slots: Vec<ActSlot>,
    pub at: Extent,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ActSlot {
    pub slot: Short,
    pub value: Option<Content>,
}

/// One slot of the dialogue state and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSlot {
    pub slot: Short,
    pub value: Content,
    pub at: Extent,
}

/// Whether a system turn breaks the dialog down. Ordered from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Breakdown {
    /// Not a breakdown.
    O,
    /// Possibly a breakdown.
    T,
    /// A breakdown.
    X,
}

impl Breakdown {
    pub const ALL: [Self; 3] = [Self::O, Self::T, Self::X];

    /// Returns the letter that logs use.
    pub fn letter(self) -> &'static str {
        match self {
            Self::O => "O",
            Self::T => "T",
            Self::X => "X",
        }
    }

    pub fn from_letter(letter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|b| b.letter() == letter)
    }
}

/// One annotator's judgement of a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vote {
    /// May be empty: the first release of the English logs names no annotators.
    pub annotator: Short,
    /// None if the corpus has a value other than O, T or X.
    pub breakdown: Option<Breakdown>,
    pub comment: Short,
    /// The mark in the log: usually empty in English logs, `O` in Japanese ones.
    pub ungrammatical: Short,
    pub fields: Vec<Field>,
    pub at: Extent,
}

impl Vote {
    /// True if it marks the turn as ungrammatical.
    pub fn is_marked(&self) -> bool {
        !matches!(self.ungrammatical.as_str(), "" | "O")
    }
}

/// A detector's label for a turn, with the probabilities of O, T and X.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detection {
    pub breakdown: Option<Breakdown>,
    pub probabilities: [Option<f64>; 3],
    /// The reason for a gold label; detectors give none.
    pub comment: Short,
    pub at: Extent,
}

/// Counts of a corpus's contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub dialogs: u64,
    pub turns: u64,
    pub segments: u64,
    pub calls: u64,
    pub votes: u64,
    pub acts: u64,
}

impl Dialog {
    /// Returns an empty dialog whose spans count `units`.
    pub fn new(units: Units) -> Self {
        Self { units, ..Self::default() }
    }

    /// Returns its judgements, those whose text has changed last.
    pub fn all_judgements(&self) -> impl DoubleEndedIterator<Item = &Judgement> {
        self.judgements.iter().chain(&self.outdated)
    }

    /// Drops the votes and judgements of all but these annotators, if any are named.
    pub fn keep_answers_of(&mut self, annotators: &[String]) {
        if annotators.is_empty() {
            return;
        }
        let is_kept = |by: &str| annotators.iter().any(|id| id == by);
        for turn in &mut self.turns {
            turn.votes.retain(|vote| is_kept(&vote.annotator));
        }
        self.judgements.retain(|said| is_kept(&said.by));
        self.outdated.retain(|said| is_kept(&said.by));
    }

    /// Adds a detector's labels to the turns of this dialog, which are matched by their numbers in the
    /// corpus.
    pub fn attach_detections(&mut self, labels: &Self) {
        for label in &labels.turns {
            let turn = self.turns.iter_mut().find(|t| t.index.is_some() && t.index == label.index);
            if let Some(turn) = turn {
                turn.detections.clone_from(&label.detections);
            }
        }
    }

    /// Attaches the gold labels of this dialog to the turns with the same index, or, without one, in the
    /// same position.
    pub fn attach_gold(&mut self, labels: &Self) {
        let mut gold: HashMap<u32, &Detection> = HashMap::new();
        for label in &labels.turns {
            if let (Some(index), Some(first)) = (label.index, label.detections.first()) {
                gold.entry(index).or_insert(first);
            }
        }
        for (position, turn) in self.turns.iter_mut().enumerate() {
            let label = gold.get(&turn.number(position));
            turn.gold = label.map(|label| Box::new((*label).clone()));
        }
    }

    pub fn counts(&self) -> Counts {
        let sum = |of: fn(&Turn) -> usize| self.turns.iter().map(of).sum::<usize>() as u64;
        Counts {
            dialogs: 1,
            turns: self.turns.len() as u64,
            segments: sum(|t| t.segments.len()),
            calls: sum(|t| t.calls.len()),
            votes: sum(|t| t.votes.len()),
            acts: sum(|t| t.acts.len()),
        }
    }
}

impl Counts {
    /// Returns each count with its name.
    pub fn named(&self) -> [(&'static str, u64); 6] {
        [
            ("dialogs", self.dialogs),
            ("turns", self.turns),
            ("segments", self.segments),
            ("calls", self.calls),
            ("votes", self.votes),
            ("acts", self.acts),
        ]
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.dialogs += other.dialogs;
        self.turns += other.turns;
        self.segments += other.segments;
        self.calls += other.calls;
        self.votes += other.votes;
        self.acts += other.acts;
    }
}

impl Turn {
    /// Returns the number of units a span may cover.
    pub fn length(&self, units: Units) -> usize {
        match units {
            Units::CodePoints => crate::text::count(&self.text),
            Units::Tokens(_) => self.tokens.len(),
        }
    }

    /// Returns the bytes of the text that `span` covers, cut at the end of the text. For many spans,
    /// [`Turn::places`] is faster.
    pub fn bytes_of(&self, span: Span, units: Units) -> Range<usize> {
        match units {
            Units::CodePoints => {
                let range = span.range();
                let byte = |at| crate::text::byte_of(&self.text, at).unwrap_or(self.text.len());
                let start = byte(range.start);
                start..byte(range.end).max(start)
            }
            Units::Tokens(_) => self.places(units).bytes_of(span),
        }
    }

    /// Returns the position of a new segment: that of its text if the segments are in the order of theirs, or else behind
    /// them all.
    pub fn place_of_segment(&self, span: Span) -> usize {
        let start = |segment: &Segment| segment.span.map(|span| span.start);
        let has_spans = self.segments.iter().all(|segment| segment.span.is_some());
        if has_spans && self.segments.is_sorted_by_key(start) {
            self.segments.partition_point(|segment| start(segment) <= Some(span.start))
        } else {
            self.segments.len()
        }
    }

    /// Returns the shortest segment that covers `here`, a span or a caret. A caret at the end of a segment is behind it.
    pub fn shortest_around(&self, here: Span) -> Option<usize> {
        let covers =
            |span: &Span| span.start <= here.start && here.end <= span.end && here.start < span.end;
        let spans = self.segments.iter().enumerate();
        let around = spans.filter_map(|(i, segment)| Some((i, segment.span.filter(covers)?)));
        around.min_by_key(|(_, span)| span.end - span.start).map(|(i, _)| i)
    }

    /// Returns the text that `span` covers; None if it extends past the turn or ends before it starts.
    pub fn covered(&self, span: Span, units: Units) -> Option<Short> {
        let Range { start, end } = span.range();
        match units {
            Units::CodePoints => crate::text::slice(&self.text, start, end).map(Short::from),
            Units::Tokens(Splitting::Punctuation) => {
                // There are no spaces before most marks.
                self.tokens.get(start..end)?;
                Some(self.text[self.bytes_of(span, units)].into())
            }
            Units::Tokens(Splitting::Spaces) => {
                self.tokens.get(start..end).map(|tokens| tokens.join(" ").into())
            }
        }
    }
}
