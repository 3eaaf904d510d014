//! The domain model: dialogs and everything in them.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::text::Units;

/// A text that is usually short, such as a label or a speaker: up to 24 bytes are kept in place.
/// Most of what a corpus consists of is that short, and allocating it took half of reading it.
pub type Short = compact_str::CompactString;

/// Where an element stands: a half-open range of bytes in the text its dialog was read from.
///
/// Two extents are always equal. Where an element stands is no part of what it says, and comparing
/// what two dialogs say is how a change is checked before it is written.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Extent {
    pub start: u32,
    pub end: u32,
}

impl PartialEq for Extent {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// One conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialog {
    /// The corpus's own id; empty if it has none.
    pub id: String,
    /// What the spans of its segments count.
    pub units: Units,
    pub turns: Vec<Turn>,
    /// Everything else the dialog has, in the order of its text.
    pub fields: Vec<Field>,
    pub at: Extent,
}

/// One utterance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    pub speaker: Speaker,
    /// The number the corpus gives it, which need not be its position.
    pub index: Option<u32>,
    pub text: String,
    /// The text as the corpus cut it; empty where it does not.
    pub tokens: Vec<Short>,
    pub segments: Vec<Segment>,
    pub calls: Vec<ApiCall>,
    pub acts: Vec<Act>,
    pub intents: Vec<Short>,
    /// The dialogue state after this turn; None where the corpus keeps none.
    pub state: Option<Vec<StateSlot>>,
    pub votes: Vec<Vote>,
    /// What it said when its votes were cast, where these stand apart from it and it says something else
    /// now.
    pub judged_as: Option<Box<str>>,
    /// What a breakdown detector said of it.
    pub detections: Vec<Detection>,
    /// Everything else the turn has, in the order of its text.
    pub fields: Vec<Field>,
    pub at: Extent,
    /// What it stands in together with another turn; empty where turns stand by themselves.
    pub exchange: Extent,
}

impl Turn {
    /// All that the corpus says of the turn, and perhaps of the other one of an exchange.
    pub fn whole(&self) -> Extent {
        if self.exchange.end > 0 {
            self.exchange
        } else {
            self.at
        }
    }
}

/// Who says a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Speaker {
    pub role: Role,
    /// As the corpus writes it: `USER`, `assistant`, `S`.
    pub name: Short,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    User,
    /// The machine, or the human who plays it: "assistant" in Taskmaster.
    System,
    #[default]
    Other,
}

impl Role {
    /// What speakers of it are called, whatever their corpora call them; empty if it is not known.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::System => "system",
            Self::Other => "",
        }
    }
}

impl Speaker {
    /// The speaker that a corpus calls `name`.
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
    /// None if the corpus gives no usable numbers. Need not lie within the text.
    pub span: Option<Span>,
    /// The text as the corpus quotes it beside the numbers; need not be what they say.
    pub quote: Option<Short>,
    pub labels: Vec<Label>,
    /// Who or what made it, where the corpus says.
    pub annotator: Option<Short>,
    pub fields: Vec<Field>,
    pub at: Extent,
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
    /// What its response calls it; None where the corpus does not say it there again.
    pub answered_as: Option<Short>,
    pub arguments: Option<Payload>,
    pub response: Option<Payload>,
    pub fields: Vec<Field>,
    pub at: Extent,
}

/// What goes into a call or comes out of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Payload {
    /// Names and values.
    Fields(Vec<Field>),
    /// A text that should itself be JSON, and may be broken.
    Embedded { text: Short, at: Extent },
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: Short,
    pub content: Content,
    /// The corpus's description knows this field.
    pub known: bool,
    pub at: Extent,
}

/// A value of no fixed kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Text(Short),
    /// Anything but a text, as its file writes it.
    Raw(Short),
}

impl Content {
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Raw(text) => text,
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

    /// As the logs write it.
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
    /// May be empty: the first release of the English logs names nobody.
    pub annotator: Short,
    /// None if the corpus has something else than O, T or X.
    pub breakdown: Option<Breakdown>,
    pub comment: Short,
    /// As the log writes it: usually empty in English logs, `O` in Japanese ones.
    pub ungrammatical: Short,
    pub fields: Vec<Field>,
    pub at: Extent,
}

impl Vote {
    /// True if it calls the turn ungrammatical.
    pub fn is_marked(&self) -> bool {
        !matches!(self.ungrammatical.as_str(), "" | "O")
    }
}

/// A detector's label for a turn, with the probabilities of O, T and X.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detection {
    pub breakdown: Option<Breakdown>,
    pub probabilities: [Option<f64>; 3],
    pub at: Extent,
}

/// How much of what a corpus holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub dialogs: u64,
    pub turns: u64,
    pub segments: u64,
    pub calls: u64,
    pub votes: u64,
    pub acts: u64,
}

impl Dialog {
    /// An empty dialog whose spans count `units`.
    pub fn new(units: Units) -> Self {
        Self {
            id: String::new(),
            units,
            turns: Vec::new(),
            fields: Vec::new(),
            at: Extent::default(),
        }
    }

    /// Takes over what a detector said of this dialog's turns. Its turns are found by the number
    /// the corpus gives them.
    pub fn attach_detections(&mut self, labels: &Self) {
        for label in &labels.turns {
            let turn = self
                .turns
                .iter_mut()
                .find(|t| t.index.is_some() && t.index == label.index);
            if let Some(turn) = turn {
                turn.detections.clone_from(&label.detections);
            }
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
    /// The number of units a span may cover.
    pub fn length(&self, units: Units) -> usize {
        match units {
            Units::CodePoints => crate::text::count(&self.text),
            Units::Tokens => self.tokens.len(),
        }
    }

    /// The bytes of the text that `span` covers, as far as it lies in the text. Of many spans,
    /// [`Turn::places`] finds them faster.
    pub fn bytes_of(&self, span: Span, units: Units) -> Range<usize> {
        match units {
            Units::CodePoints => {
                let range = span.range();
                let byte = |at| crate::text::byte_of(&self.text, at).unwrap_or(self.text.len());
                let start = byte(range.start);
                start..byte(range.end).max(start)
            }
            Units::Tokens => self.places(units).bytes_of(span),
        }
    }

    /// The text that `span` covers; None if it reaches beyond the turn or ends before it starts.
    pub fn covered(&self, span: Span, units: Units) -> Option<Short> {
        let Range { start, end } = span.range();
        match units {
            Units::CodePoints => crate::text::slice(&self.text, start, end).map(Short::from),
            Units::Tokens => self
                .tokens
                .get(start..end)
                .map(|tokens| tokens.join(" ").into()),
        }
    }
}
