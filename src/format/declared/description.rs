//! The TOML of a description, and its errors.
//!
//! A description says where the parts of a dialog are. It holds places and names, nothing that is computed
//! or run, and it names no file: it can only point at values of the dialog.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::forms::{Is, OneOf, Parts, PlaceOr, Several};
use super::hooks::Hooks;
use super::place::{Place, Step};
use super::trail::{Found, Trail};
use crate::dialog::{EditKind, Short, Sides};
use crate::json::{NodeKind, Value};
use crate::text::Splitting;

/// A description as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    pub name: String,
    /// Other names that people give it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The name that its authors use.
    #[serde(default)]
    pub title: String,
    /// The contents of its dialogs, in one line.
    #[serde(default)]
    pub holds: String,
    /// Places that exist in every dialog.
    #[serde(default)]
    pub has: Vec<Place>,
    /// Places that exist in no dialog.
    #[serde(default)]
    pub lacks: Vec<Place>,
    /// Places that most dialogs have, by which a file is recognized.
    #[serde(default)]
    pub marks: Vec<Place>,
    /// Dialogs without turns are recognized, too.
    #[serde(default)]
    pub empty: bool,
    /// The parts of a dialog have the types that they have in the corpus, and are there.
    #[serde(default)]
    pub strict: bool,
    /// Values that the corpus has besides the parts of a dialog.
    #[serde(default)]
    pub known: Vec<Place>,
    /// The usual arrangement of the dialogs in a file. Files are read in any arrangement, except that with `.`, a
    /// file whose lines or elements are turns is one dialog.
    #[serde(default)]
    pub dialogs: Arrangement,
    pub id: Option<Place>,
    /// The members with the two sides of a pair: the one that has turns, and the one that has others in their place.
    pub sides: Option<[String; 2]>,
    /// Parts of the dialog that are reported as not read.
    #[serde(default)]
    pub unread: Vec<Place>,
    /// The id of a dialog in each of its lines, if a file has lines of several dialogs, one after the other.
    pub split: Option<Place>,
    /// Names of files that belong to the format, such as `*.traj`, besides those that end like JSON.
    #[serde(default)]
    pub files: Vec<String>,
    /// Other parts of the dialog whose types are known.
    pub turn: Several<TurnRule>,
    #[serde(default)]
    pub span: Several<SpanRule>,
    #[serde(default)]
    pub act: Several<ActRule>,
    #[serde(default)]
    pub call: Several<CallRule>,
    #[serde(default)]
    pub state: Several<StateRule>,
    #[serde(default)]
    pub vote: Several<VoteRule>,
    pub ontology: Option<OntologyRule>,
    /// A dialog, or a file with a few, to try the description.
    pub sample: Option<String>,
    #[serde(skip)]
    pub hooks: Hooks,
}

/// The arrangement of the dialogs in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Arrangement {
    #[serde(rename = "lines")]
    Lines,
    #[default]
    #[serde(rename = "[*]")]
    Array,
    #[serde(rename = "{*}")]
    Keyed,
    #[serde(rename = "*[*]")]
    Members,
    #[serde(rename = ".")]
    Single,
}

/// The turns. Several of them mean that one element holds several turns, such as an exchange.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRule {
    pub at: Place,
    /// Places of turns that come after those.
    #[serde(default)]
    pub then: Several<Place>,
    /// A text of the dialog that the user says before all turns, if it is there.
    pub opening: Option<Place>,
    /// Only such elements are turns.
    #[serde(default)]
    pub is: Is,
    /// Values at the first place of `is` that other elements may have; those with another one are reported as not read.
    #[serde(default)]
    pub others: Vec<String>,
    /// The id of an element that a later one with the same id replaces.
    pub replaces: Option<Place>,
    /// The id of an element; a later one with the same id and the same contents is not another turn.
    pub line: Option<Place>,
    /// The id of the element that an element follows: what the last turn does not follow was taken back.
    pub after: Option<Place>,
    /// The id of the element with which everything before an element is taken back.
    pub back: Option<Place>,
    /// The id of the element with which the dialog ends. Elements may be in any order, and those that follow none begin a
    /// dialog.
    pub last: Option<Place>,
    /// The id of a message whose parts are in several elements, in whichever order these follow each other.
    pub message: Option<Place>,
    pub speaker: Option<Place>,
    /// The texts begin with the name of the speaker and this.
    pub prefix: Option<String>,
    /// Names of speakers who are users.
    #[serde(default)]
    pub user: Vec<String>,
    /// Names of speakers who are systems.
    #[serde(default)]
    pub system: Vec<String>,
    /// Names of speakers whose turns are shown and not judged.
    #[serde(default)]
    pub hidden: Vec<String>,
    /// Turns that nobody says, although they name a speaker: they are like those of hidden ones.
    #[serde(default)]
    pub unsaid: Several<Is>,
    /// The speakers take turns in this order.
    #[serde(default)]
    pub alternate: Vec<String>,
    pub text: PlaceOr<TextRule>,
    /// Texts that are not said, such as the thoughts of a model.
    pub reasoning: Option<PlaceOr<ReasoningRule>>,
    /// The parts of a turn, of which those that nothing else reads are reported.
    #[serde(default)]
    pub parts: Several<PlaceOr<PartsRule>>,
    pub tokens: Option<Place>,
    pub intents: Option<Place>,
    /// The number that the corpus gives the turn.
    pub number: Option<Place>,
    /// Which elements are in a side branch, such as what a subagent does.
    pub branch: Option<BranchRule>,
    /// Elements that tell what happened and nobody says. Turns among them are not judged.
    #[serde(default)]
    pub events: Several<EventRule>,
    /// Why the text cannot be edited, if it cannot.
    pub read_only: Option<String>,
    /// The texts that a new turn has besides its parts, if all others have them, with their names. In elements with
    /// several turns, none is added without it.
    pub new: Option<BTreeMap<String, String>>,
}

/// A text whose parts are the elements of a list, such as sentences or tokens.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextRule {
    pub at: Place,
    /// The text between two elements.
    pub separator: String,
}

/// Texts that are not said, in those elements of a list that are marked so. They do not belong to the text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasoningRule {
    #[serde(rename = "in")]
    pub inside: Place,
    pub is: Is,
    pub at: Place,
}

/// The parts of a turn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartsRule {
    pub at: Place,
    /// The kind of a part; by default its `type`.
    pub kind: Option<Place>,
    /// Kinds of parts that say nothing, such as the beginning of a step.
    #[serde(default)]
    pub others: Vec<String>,
}

/// The elements of a side branch, and how they belong together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchRule {
    pub is: Is,
    /// The id of the branch. Without it, the element that another one follows tells it.
    pub id: Option<Place>,
    /// The id of the branch in the turn with the answer of the call that started it.
    pub answer: Option<Place>,
}

/// An event.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventRule {
    pub is: Is,
    /// How it is shown.
    pub name: String,
    /// More about it.
    pub at: Option<Place>,
}

/// Labelled stretches of the turn's text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpanRule {
    pub at: Place,
    pub when: Option<Place>,
    pub of: Option<String>,
    pub start: Place,
    pub end: Place,
    /// Several units if files differ: the one that fits the most quotes of a file counts.
    #[serde(default, rename = "unit")]
    pub units: OneOf<Unit>,
    /// The unit that counts: the first one, until the quotes of a file are known.
    #[serde(skip)]
    pub unit: Unit,
    #[serde(default)]
    pub ends: Ends,
    /// Offsets are in strings.
    #[serde(default)]
    pub digits: bool,
    pub label: Parts,
    pub quote: Option<Place>,
    #[serde(default)]
    pub quoted: Quoted,
    pub annotator: Option<Place>,
    pub new: Option<toml::Value>,
}

/// The unit of offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    #[default]
    CodePoints,
    Utf16,
    Bytes,
    /// The elements of the turn's `tokens`.
    Tokens,
    /// Runs of characters between spaces.
    Words,
    /// Words, and each punctuation mark by itself.
    WordsAndPunctuation,
}

impl Unit {
    /// Returns its name in descriptions.
    pub fn name(self) -> &'static str {
        match self {
            Self::CodePoints => "code-points",
            Self::Utf16 => "utf16",
            Self::Bytes => "bytes",
            Self::Tokens => "tokens",
            Self::Words => "words",
            Self::WordsAndPunctuation => "words-and-punctuation",
        }
    }

    /// How it splits a text into tokens; None if it counts characters or bytes.
    pub fn splitting(self) -> Option<Splitting> {
        match self {
            Self::CodePoints | Self::Utf16 | Self::Bytes => None,
            Self::Tokens | Self::Words => Some(Splitting::Spaces),
            Self::WordsAndPunctuation => Some(Splitting::Punctuation),
        }
    }
}

/// The meaning of the second offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    #[default]
    Exclusive,
    Inclusive,
    Length,
}

impl Ends {
    /// Returns its name in descriptions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exclusive => "exclusive",
            Self::Inclusive => "inclusive",
            Self::Length => "length",
        }
    }
}

/// How a quote relates to the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quoted {
    /// It is the text.
    #[default]
    Exact,
    /// It is another way to write it, so it does not follow the text.
    Normalised,
}

/// Dialogue acts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActRule {
    pub at: Place,
    pub when: Option<Place>,
    pub of: Option<String>,
    pub name: Parts,
    /// The elements with the slots of one act; without it, an act has one slot.
    pub slots: Option<Place>,
    pub slot: Option<Place>,
    pub values: Option<Place>,
    /// A second list, with a canonical form of each value.
    pub canonical: Option<Place>,
    /// Whether its slots are those whose values are a closed list, by the ontology beside the data.
    pub categorical: Option<bool>,
    pub new: Option<toml::Value>,
}

/// Calls of APIs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallRule {
    pub at: Place,
    pub when: Option<Place>,
    #[serde(default)]
    pub is: Is,
    /// Values at the first place of `is` that turns without a call may have; others are reported as not read.
    #[serde(default)]
    pub others: Vec<String>,
    pub of: Option<String>,
    pub id: Option<Place>,
    /// The number of its turn.
    pub number: Option<Place>,
    pub name: Parts,
    pub arguments: Option<PlaceOr<PayloadRule>>,
    pub response: Option<PlaceOr<ResponseRule>>,
    /// Values that only calls that failed have.
    #[serde(default)]
    pub failed: Is,
    pub outcome: Option<OutcomeRule>,
}

/// An element that is not a turn and says whether a call failed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeRule {
    pub is: Is,
    /// The call's id.
    pub id: Place,
    pub error: Several<Place>,
}

/// Arguments or a response.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PayloadRule {
    pub at: Place,
    pub json: Option<JsonForm>,
}

/// How JSON is written into a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JsonForm {
    /// It is always JSON.
    String,
    /// It may also be any text.
    StringOrText,
}

/// A response: in place, or in a later turn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseRule {
    /// The speaker of the turn with the response.
    pub of: Option<String>,
    /// The elements of that turn, or of the call's own, which are responses.
    #[serde(rename = "in")]
    pub inside: Option<Place>,
    pub when: Option<Place>,
    #[serde(default)]
    pub is: Is,
    /// The call's id in the turn with the response, or in the element.
    pub id: Option<Place>,
    /// The call's name there, which counts if there is no id.
    pub name: Option<Place>,
    pub at: Place,
    /// Places that say whether the call failed.
    #[serde(default)]
    pub error: Several<Place>,
    /// Values that only responses of calls that failed have.
    #[serde(default)]
    pub failed: Is,
    pub json: Option<JsonForm>,
}

/// The dialogue state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateRule {
    pub at: Place,
    pub when: Option<Place>,
    /// The turn that it follows, if it is not the one that holds it: `turn-before`.
    pub of: Option<String>,
    pub name: Parts,
    pub values: Option<Place>,
    /// A slot once in the state stays there, so that a missing one is a problem.
    #[serde(default)]
    pub cumulative: bool,
    /// Values are words of the dialog, so that others are a problem.
    #[serde(default)]
    pub literal: bool,
    pub new: Option<toml::Value>,
}

/// Judgements: votes O, T and X, or values of a scale.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoteRule {
    pub at: Place,
    /// The letter of a vote. Without it, they are values of a scale.
    pub answer: Option<Place>,
    #[serde(default)]
    pub level: Level,
    /// The values of the scale; a number is written as one.
    #[serde(default)]
    pub scale: Vec<Degree>,
    /// Of descriptions that earlier versions read, without any effect: a scale has the order of its values.
    #[serde(default, rename = "ordered")]
    _ordered: bool,
    pub annotator: Option<Place>,
    pub comment: Option<Place>,
    /// The mark of an ungrammatical turn.
    pub ungrammatical: Option<Place>,
}

/// A value of a scale, as texts have it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a text or a number")]
pub enum Degree {
    Text(String),
    Number(f64),
}

/// The thing that is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    #[default]
    Turn,
    Dialog,
}

/// The names that dialogs may use.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OntologyRule {
    /// The file with the names beside the data.
    pub file: Option<String>,
    /// The declarations of APIs in the dialog.
    pub apis: Option<Place>,
}

impl PlaceOr<PayloadRule> {
    pub fn at(&self) -> &Place {
        match self {
            Self::Place(at) | Self::Table(PayloadRule { at, .. }) => at,
        }
    }

    pub fn json(&self) -> Option<JsonForm> {
        match self {
            Self::Place(_) => None,
            Self::Table(rule) => rule.json,
        }
    }
}

impl PlaceOr<ResponseRule> {
    pub fn at(&self) -> &Place {
        match self {
            Self::Place(at) | Self::Table(ResponseRule { at, .. }) => at,
        }
    }

    pub fn json(&self) -> Option<JsonForm> {
        match self {
            Self::Place(_) => None,
            Self::Table(rule) => rule.json,
        }
    }

    /// Returns the places that say whether the call failed.
    pub fn error(&self) -> &[Place] {
        match self {
            Self::Place(_) => &[],
            Self::Table(rule) => &rule.error.0,
        }
    }

    /// Returns the rule, if the response is in a later turn, or in a list of responses.
    pub fn later(&self) -> Option<&ResponseRule> {
        match self {
            Self::Table(rule)
                if rule.of.is_some() || rule.id.is_some() || rule.inside.is_some() =>
            {
                Some(rule)
            }
            _ => None,
        }
    }
}

impl PlaceOr<PartsRule> {
    pub fn at(&self) -> &Place {
        match self {
            Self::Place(at) | Self::Table(PartsRule { at, .. }) => at,
        }
    }

    /// Returns the kind of a part.
    pub fn kind(&self, trail: &Trail<'_>) -> Short {
        match self {
            Self::Table(PartsRule { kind: Some(kind), .. }) => trail.text(kind),
            _ => kind_of(trail.here().value),
        }
    }

    /// True for a kind of parts that say nothing.
    pub fn is_other(&self, kind: &Short) -> bool {
        matches!(self, Self::Table(rule) if rule.others.iter().any(|other| *other == *kind))
    }
}

/// Returns the `type` of a part; "part" if it has none.
pub fn kind_of(part: Value<'_>) -> Short {
    let kind = part.get("type").and_then(Value::as_str);
    kind.as_deref().unwrap_or("part").into()
}

impl Description {
    /// True if a file, or some of its lines, is a dialog, and its lines or elements are turns.
    pub fn lines_are_turns(&self) -> bool {
        self.dialogs == Arrangement::Single && self.has_array_dialogs()
    }

    /// Returns the value in which the places of the description begin, for a dialog with this root.
    pub fn root<'a>(&self, root: Value<'a>) -> Value<'a> {
        if self.lines_are_turns() { root.tree().list() } else { root }
    }

    /// True if annotators vote on its turns.
    pub fn has_votes(&self) -> bool {
        self.vote.0.iter().any(|rule| rule.answer.is_some())
    }

    /// Returns the places of turns, in their order.
    pub fn turns(&self) -> impl Iterator<Item = &Place> {
        let rule = &self.turn.0[0];
        std::iter::once(&rule.at).chain(&rule.then.0)
    }

    /// Returns the description of the other side of a dialog; None if dialogs have no sides.
    pub fn other_side(&self) -> Option<Self> {
        let [own, other] = self.sides.as_ref()?;
        let mut swapped = self.clone();
        for rule in &mut swapped.turn.0 {
            for place in [&mut rule.at, rule.text.at_mut()].into_iter().chain(&mut rule.then.0) {
                place.rename_first(own, other);
            }
        }
        for place in &mut swapped.known {
            place.rename_first(other, own);
        }
        swapped.sides = Some([other.clone(), own.clone()]);
        Some(swapped)
    }

    /// Returns the names of the sides that a dialog has; None if it does not have both.
    pub fn sides_of(&self, root: Value<'_>) -> Option<Sides> {
        let sides = self.sides.as_ref()?;
        let is_there = |name: &String| root.get(name).is_some_and(|it| it.kind() != NodeKind::Null);
        let names = || sides.each_ref().map(|name| name.as_str().into());
        sides.iter().all(is_there).then(|| Sides { names: names(), with: None })
    }

    /// Renames the members with the turns and with the speaker and the text of each, of which all are plain members.
    pub fn rename(&mut self, [turns, speaker, text]: [&str; 3]) {
        let at = Place::elements().inside(turns);
        for rule in &mut self.turn.0 {
            rule.at = at.clone();
            rule.speaker = Some(Place::member(speaker));
            rule.text = PlaceOr::Place(Place::member(text));
        }
    }

    /// Calls `visit` at every element that may hold turns, of the dialog where a way begins.
    pub fn each_turn<'a>(&self, dialog: &mut Trail<'a>, visit: &mut dyn FnMut(&mut Trail<'a>)) {
        match self.hooks.turns {
            None => self.turns().for_each(|at| dialog.each(at, visit)),
            Some(turns) => {
                for at in turns(self, dialog.here().value) {
                    dialog.each(&at, visit);
                }
            }
        }
    }

    /// Returns the text that the user says before all turns, of the dialog where a way begins.
    pub fn opening<'a>(&self, dialog: &Trail<'a>) -> Option<Value<'a>> {
        let place = self.turn.0[0].opening.as_ref()?;
        let value = dialog.find(place).and_then(Found::value)?;
        (value.kind() == NodeKind::String).then_some(value)
    }

    /// True for sessions of agents: they have reasoning, or responses that are parts of turns.
    pub fn is_session(&self) -> bool {
        let is_part = |rule: &CallRule| {
            let later = rule.response.as_ref().and_then(|response| response.later());
            later.is_some_and(|later| later.inside.is_some())
        };
        self.turn.0.iter().any(|rule| rule.reasoning.is_some()) || self.call.0.iter().any(is_part)
    }

    /// True if a dialog is an array: the first step to its turns leads to an element.
    pub fn has_array_dialogs(&self) -> bool {
        let first = self.turn.0[0].at.steps.first();
        matches!(first, Some(Step::Elements | Step::Position(_)))
    }

    /// Returns the kinds of elements that its dialogs have.
    pub fn kinds(&self) -> Vec<EditKind> {
        let turns = &self.turn.0;
        let kinds = [
            (EditKind::Text, true),
            (
                EditKind::Speaker,
                turns.iter().any(|turn| turn.speaker.is_some() || turn.prefix.is_some()),
            ),
            (EditKind::Tokens, turns.iter().any(|turn| turn.tokens.is_some())),
            (EditKind::Segments, !self.span.0.is_empty()),
            (EditKind::Calls, !self.call.0.is_empty()),
            (EditKind::Acts, !self.act.0.is_empty()),
            (EditKind::Votes, self.has_votes()),
            (EditKind::Intents, turns.iter().any(|turn| turn.intents.is_some())),
            (EditKind::State, !self.state.0.is_empty()),
            // An element with several turns may have a form of its own.
            (EditKind::Turns, turns.len() == 1 || turns.iter().all(|turn| turn.new.is_some())),
            (EditKind::Fields, true),
        ];
        let has = kinds.into_iter().filter(|(_, has)| *has);
        has.map(|(kind, _)| kind).collect()
    }

    /// Returns a list of the parts that its dialogs have.
    pub fn held(&self) -> String {
        let unit = |unit: Unit| match unit {
            Unit::CodePoints => "code points",
            Unit::Utf16 => "UTF-16 units",
            Unit::Bytes => "bytes",
            Unit::Tokens => "tokens",
            Unit::Words => "words",
            Unit::WordsAndPunctuation => "words and punctuation marks",
        };
        let spans = self.span.0.first();
        let parts = [
            spans.map(|span| format!("segments ({})", unit(span.unit))),
            (!self.act.0.is_empty()).then(|| "dialogue acts".to_owned()),
            (!self.call.0.is_empty()).then(|| "API calls".to_owned()),
            (!self.state.0.is_empty()).then(|| "dialogue state".to_owned()),
        ];
        let parts = std::iter::once("utterances".to_owned()).chain(parts.into_iter().flatten());
        parts.collect::<Vec<_>>().join(", ")
    }
}
