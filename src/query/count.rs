//! Counts which values hits have: of an argument, a label, a member.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;

use super::error::QueryProblem;
use super::expression::{Condition, Query};
use super::hits::Hit;
use super::matching::{Place, Target, services};
use super::member_values::{Closest, MemberValue, answered, field_values};
use super::value::{NamePattern, NamedValue, ValueTest};
use crate::dialog::{ApiCall, Breakdown, Judgement, Segment, Turn};
use crate::text::nearest;
use crate::votes::Tally;

/// The kind of value by which hits are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct CountKey {
    text: String,
    kind: CountKind,
}

#[derive(Clone, Debug, PartialEq)]
enum CountKind {
    Label,
    Api,
    Speaker,
    Act,
    Intent,
    Service,
    Annotator,
    Majority,
    Gold,
    Tag,
    By,
    Id,
    File,
    Family,
    Argument(NamePattern),
    Response(NamePattern),
    Slot(NamePattern),
    State(NamePattern),
    Field(NamePattern),
    Question(NamePattern),
}

/// The keys that no name follows.
const PLAIN: [(&str, CountKind); 14] = [
    ("label", CountKind::Label),
    ("api", CountKind::Api),
    ("speaker", CountKind::Speaker),
    ("act", CountKind::Act),
    ("intent", CountKind::Intent),
    ("service", CountKind::Service),
    ("annotator", CountKind::Annotator),
    ("majority", CountKind::Majority),
    ("gold", CountKind::Gold),
    ("tag", CountKind::Tag),
    ("by", CountKind::By),
    ("id", CountKind::Id),
    ("file", CountKind::File),
    ("family", CountKind::Family),
];

/// The keys that a name follows.
const NAMED: [&str; 6] = ["arg", "response", "slot", "state", "field", "question"];

impl FromStr for CountKey {
    type Err = String;

    /// Reads `label` or `arg:name.movie`.
    fn from_str(text: &str) -> Result<Self, String> {
        let plain = PLAIN.iter().find(|(name, _)| *name == text);
        let kind = match plain {
            Some((_, kind)) => Some(kind.clone()),
            None => text.parse().ok().and_then(CountKind::of_query),
        };
        Ok(Self { text: text.to_owned(), kind: kind.ok_or_else(|| why_no_key(text))? })
    }
}

/// Returns why a text is not a key: what is wrong with it, and what to type.
fn why_no_key(text: &str) -> String {
    let (key, name) = text.split_once(':').unwrap_or((text, ""));
    if NAMED.contains(&key) {
        return match name.find(['=', '<', '>', '!']) {
            Some(at) if at > 0 => {
                format!(
                    "values are counted by a name alone, as in {key}:NAME; leave out the comparison"
                )
            }
            _ => format!("type a name behind {key}:, as in {key}:NAME"),
        };
    }
    if PLAIN.iter().any(|(plain, _)| *plain == key) {
        return format!("{key} takes no name; {key} alone counts them all");
    }
    let plain = PLAIN.map(|(name, _)| name);
    let meant = nearest(key, NAMED.into_iter().chain(plain));
    let meant = meant.map_or_else(String::new, |near| format!("did you mean {near:?}? "));
    let named = NAMED.map(|key| format!("{key}:")).join(", ");
    let plain = plain.join(", ");
    format!("unknown field {key:?}; {meant}(expected {named} with a name, or one of {plain})")
}

impl CountKind {
    /// Returns the kind for a query that is one condition with a name and no value.
    fn of_query(query: Query) -> Option<Self> {
        let Query::Is(condition) = query else {
            return None;
        };
        let (make, wanted): (fn(NamePattern) -> Self, NamedValue) = match condition {
            Condition::Argument(wanted) => (Self::Argument, wanted),
            Condition::Response(wanted) => (Self::Response, wanted),
            Condition::Slot(wanted) => (Self::Slot, wanted),
            Condition::State(wanted) => (Self::State, wanted),
            Condition::Field(wanted) => (Self::Field, wanted),
            Condition::Question(wanted) => (Self::Question, wanted),
            _ => return None,
        };
        let is_name = wanted.value.is_none() && !wanted.name.is_empty();
        is_name.then(|| make(wanted.name))
    }
}

impl CountKey {
    /// Returns the key as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns what can be typed as a key: those that no name follows, and the beginnings of the others.
    pub fn known() -> impl Iterator<Item = (&'static str, bool)> {
        let plain = PLAIN.into_iter().map(|(name, _)| (name, false));
        plain.chain(NAMED.into_iter().map(|name| (name, true)))
    }

    /// True if votes, gold labels or other judgements are counted, which may be others'.
    pub fn is_about_judgements(&self) -> bool {
        matches!(
            self.kind,
            CountKind::Annotator
                | CountKind::Majority
                | CountKind::Gold
                | CountKind::Tag
                | CountKind::By
                | CountKind::Question(_)
        )
    }

    /// Returns the condition that finds the turns with a value, or with any if it is None.
    ///
    /// # Errors
    /// If the value is too long.
    pub fn condition(&self, value: Option<&str>) -> Result<Query, QueryProblem> {
        let name = || match value {
            Some(value) => NamePattern::whole(value),
            None => NamePattern::new("?*"),
        };
        let letter = value.and_then(Breakdown::from_letter);
        let letter = |condition: fn(Breakdown) -> Condition| {
            let any = || [Breakdown::O, Breakdown::T, Breakdown::X].map(condition);
            letter.map_or_else(
                || Query::Any(any().map(Query::Is).to_vec()),
                |letter| Query::Is(condition(letter)),
            )
        };
        let pair = |name: &NamePattern| {
            let value = value.map(|value| NamePattern::whole(value).map(ValueTest::Is));
            Ok(NamedValue { name: name.clone(), value: value.transpose()? })
        };
        Ok(Query::Is(match &self.kind {
            CountKind::Majority => return Ok(letter(Condition::Majority)),
            CountKind::Gold => return Ok(letter(Condition::Gold)),
            CountKind::Label => Condition::Label(NamedValue::any(name()?)),
            CountKind::Api => Condition::Api(name()?),
            CountKind::Speaker => Condition::Speaker(name()?),
            CountKind::Act => Condition::Act(name()?),
            CountKind::Intent => Condition::Intent(name()?),
            CountKind::Service => Condition::Service(name()?),
            CountKind::Annotator => Condition::Annotator(name()?),
            CountKind::Tag => Condition::Tag(name()?),
            CountKind::By => Condition::By(name()?),
            CountKind::Id => Condition::Id(name()?),
            CountKind::File => Condition::File(name()?),
            CountKind::Family => Condition::Family(name()?),
            CountKind::Argument(name) => Condition::Argument(pair(name)?),
            CountKind::Response(name) => Condition::Response(pair(name)?),
            CountKind::Slot(name) => Condition::Slot(pair(name)?),
            CountKind::State(name) => Condition::State(pair(name)?),
            CountKind::Field(name) => Condition::Field(pair(name)?),
            CountKind::Question(name) => Condition::Question(pair(name)?),
        }))
    }
}

/// How many hits have which value.
#[derive(Debug, Default)]
pub struct ValueCounts {
    counts: HashMap<String, usize>,
    /// The number of hits without any value.
    pub without: usize,
    /// The number of hits.
    pub hits: usize,
}

/// Returns a value as tables show it: in quotes if it is empty, or has spaces at an end, which cannot be seen.
pub fn shown_value(value: &str) -> Cow<'_, str> {
    if value.is_empty() || value.trim() != value {
        Cow::Owned(format!("\"{value}\""))
    } else {
        Cow::Borrowed(value)
    }
}

impl ValueCounts {
    /// Counts the hits in a dialog. A hit counts once for each of its values.
    pub fn add(&mut self, key: &CountKey, target: &Target<'_>, hits: &[Hit]) {
        let of_turns = match &key.kind {
            CountKind::Field(name) => {
                field_values(name, target.dialog).into_iter().map(texts).collect()
            }
            CountKind::Question(name) => target
                .answers(name, Place::default())
                .iter()
                .map(|answers| texts(answered(answers)))
                .collect(),
            _ => Vec::new(),
        };
        for hit in hits {
            self.hits += 1;
            let values = key.kind.values(target, hit, &of_turns);
            if values.is_empty() {
                self.without += 1;
            }
            for value in values {
                *self.counts.entry(value).or_default() += 1;
            }
        }
    }

    /// True if there are hits, and none has a value.
    pub fn lack_values(&self) -> bool {
        self.hits > 0 && self.counts.is_empty()
    }

    /// Adds the counts of other dialogs.
    pub fn join(&mut self, other: Self) {
        self.hits += other.hits;
        self.without += other.without;
        for (value, count) in other.counts {
            *self.counts.entry(value).or_default() += count;
        }
    }

    /// Returns the values and the numbers of their hits: the most frequent first, and then by value.
    pub fn sorted(&self) -> Vec<(&str, usize)> {
        let counts = self.counts.iter();
        let mut sorted: Vec<_> = counts.map(|(value, count)| (value.as_str(), *count)).collect();
        sorted.sort_unstable_by_key(|(value, count)| (Reverse(*count), *value));
        sorted
    }
}

impl CountKind {
    /// Returns the values of a hit: of its call or segment if it is in one, or else of its turn.
    /// `of_turns` are the values of each turn, if they are looked up once for a dialog.
    fn values(
        &self,
        target: &Target<'_>,
        hit: &Hit,
        of_turns: &[BTreeSet<String>],
    ) -> BTreeSet<String> {
        let turn = &target.dialog.turns[hit.turn];
        let one = |text: &str| owned(Some(text).filter(|text| !text.is_empty()));
        match self {
            Self::Label => labels(turn, hit),
            Self::Api => owned(calls(turn, hit).map(|call| call.name.as_str())),
            Self::Speaker => one(&turn.speaker.name),
            Self::Act => owned(turn.acts.iter().map(|act| act.name.as_str())),
            Self::Intent => owned(turn.intents.iter().map(AsRef::as_ref)),
            Self::Service => owned(services(turn)),
            Self::Annotator => owned(turn.votes.iter().map(|vote| vote.annotator.as_ref())),
            Self::Majority => owned(Tally::of(&turn.votes).majority().map(Breakdown::letter)),
            Self::Gold => {
                let gold = turn.gold.as_ref().and_then(|gold| gold.breakdown);
                owned(gold.map(Breakdown::letter))
            }
            Self::Id => one(&target.dialog.id),
            Self::File => one(target.source.file),
            Self::Family => one(target.source.family),
            Self::Argument(name) => {
                calls(turn, hit).flat_map(|call| texts(Closest::of_arguments(name, call))).collect()
            }
            Self::Response(name) => {
                calls(turn, hit).flat_map(|call| texts(Closest::of_answer(name, call))).collect()
            }
            Self::Slot(name) => texts(Closest::of_slots(name, turn)),
            Self::State(name) => texts(Closest::of_state(name, turn)),
            Self::Tag => owned(
                target.judgements_of(hit.turn).flat_map(Judgement::all_tags).map(String::as_str),
            ),
            Self::By => {
                owned(target.judgements_of(hit.turn).map(|judgement| judgement.by.as_str()))
            }
            Self::Field(_) | Self::Question(_) => {
                of_turns.get(hit.turn).cloned().unwrap_or_default()
            }
        }
    }
}

fn texts(values: BTreeSet<MemberValue>) -> BTreeSet<String> {
    values.into_iter().map(|value| value.text).collect()
}

fn owned<'v>(values: impl IntoIterator<Item = &'v str>) -> BTreeSet<String> {
    values.into_iter().map(str::to_owned).collect()
}

/// Returns the call of a hit, or all calls of its turn.
fn calls<'t>(turn: &'t Turn, hit: &Hit) -> impl Iterator<Item = &'t ApiCall> {
    let wanted = hit.call;
    let calls = turn.calls.iter().enumerate();
    calls
        .filter(move |(number, _)| wanted.is_none_or(|wanted| wanted == *number))
        .map(|(_, call)| call)
}

/// Returns the labels of the segment of a hit or of all segments; of a turn without segments, its acts.
fn labels(turn: &Turn, hit: &Hit) -> BTreeSet<String> {
    let names = |segment: &Segment| owned(segment.labels.iter().map(|label| label.name.as_str()));
    match hit.segment.and_then(|number| turn.segments.get(number)) {
        Some(segment) => names(segment),
        None if turn.segments.is_empty() => owned(turn.acts.iter().map(|act| act.name.as_str())),
        None => turn.segments.iter().flat_map(names).collect(),
    }
}
