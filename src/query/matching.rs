//! Finds the turns of a dialog that a query matches.

use super::expression::{Condition, Query};
use super::value::NamedValue;
use crate::dialog::{Content, Dialog, Field, Payload, Turn};
use crate::json::{Elements, Members, NodeKind, Parser, Value};
use crate::lint::Diagnostic;
use crate::votes::Tally;

/// A dialog to search, and what its file knows about it.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    pub dialog: &'a Dialog,
    /// The problems of the dialog, ordered by turn; empty if the query does not need them.
    pub problems: &'a [Diagnostic],
    pub source: DialogSource<'a>,
}

/// The origin of a dialog, and who reads it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DialogSource<'a> {
    /// The name of the file, as it is shown.
    pub file: &'a str,
    /// The name of its format.
    pub family: &'a str,
    /// The dialog has unsaved edits.
    pub edited: bool,
    /// The id of the user as an annotator; empty if unknown.
    pub annotator: &'a str,
}

impl<'a> Target<'a> {
    /// A dialog of which nothing else is known.
    pub fn new(dialog: &'a Dialog, problems: &'a [Diagnostic]) -> Self {
        Self {
            dialog,
            problems,
            source: DialogSource::default(),
        }
    }

    /// The problems of a turn. A problem of the whole dialog counts as one of its first turn.
    pub(super) fn problems_of(&self, turn: usize) -> &'a [Diagnostic] {
        let place = |d: &Diagnostic| d.spot.turn.unwrap_or_default();
        let start = self.problems.partition_point(|d| place(d) < turn);
        let end = self.problems.partition_point(|d| place(d) <= turn);
        &self.problems[start..end]
    }
}

impl Query {
    /// For each turn of the dialog, whether it matches.
    pub fn matches(&self, target: &Target<'_>) -> Vec<bool> {
        let len = target.dialog.turns.len();
        let merged = |parts: &[Self], merge: fn(bool, bool) -> bool| {
            let mut all = parts.iter().map(|part| part.matches(target));
            let first = all.next().unwrap_or_default();
            all.fold(first, |sum, part| {
                let pairs = sum.into_iter().zip(part);
                pairs.map(|(one, other)| merge(one, other)).collect()
            })
        };
        match self {
            Self::Is(condition) => (0..len)
                .map(|turn| condition.is_met(target, turn))
                .collect(),
            Self::All(parts) => merged(parts, |one, other| one && other),
            Self::Any(parts) => merged(parts, |one, other| one || other),
            Self::Not(part) => part.matches(target).into_iter().map(|m| !m).collect(),
            Self::InDialog(part) => vec![part.matches(target).contains(&true); len],
            Self::Then {
                first,
                later,
                within,
            } => {
                let (first, mut found) = (first.matches(target), later.matches(target));
                let mut last = None;
                for (turn, is_first) in first.into_iter().enumerate() {
                    let near = |last: usize| within.is_none_or(|most| turn - last <= most as usize);
                    found[turn] &= last.is_some_and(near);
                    if is_first {
                        last = Some(turn);
                    }
                }
                found
            }
            Self::NotBefore { absent, turn } => {
                let (absent, mut found) = (absent.matches(target), turn.matches(target));
                let first = absent.iter().position(|is_there| *is_there);
                if let Some(first) = first {
                    found[first + 1..].fill(false);
                }
                found
            }
        }
    }
}

impl Condition {
    /// True if the turn at this position meets the condition.
    pub(super) fn is_met(&self, target: &Target<'_>, position: usize) -> bool {
        let Target { dialog, source, .. } = target;
        let turn = &dialog.turns[position];
        let tally = || Tally::of(&turn.votes);
        match self {
            Self::Text(pattern) => pattern.is_in(&turn.text),
            Self::Regex(regex) => regex.regex.is_match(&turn.text),
            Self::Label(name) => has_label(turn, name),
            Self::Api(name) => turn.calls.iter().any(|call| name.matches(&call.name)),
            Self::Speaker(name) => {
                name.matches(&turn.speaker.name) || name.matches(turn.speaker.role.name())
            }
            Self::Problem(rule) => target
                .problems_of(position)
                .iter()
                .any(|problem| is_wanted(problem, rule)),
            Self::Argument(wanted) => turn
                .calls
                .iter()
                .any(|call| is_in_payload(wanted, call.arguments.as_ref())),
            Self::Response(wanted) => turn
                .calls
                .iter()
                .any(|call| is_in_payload(wanted, call.response.as_ref())),
            Self::Act(name) => turn.acts.iter().any(|act| name.matches(&act.name)),
            Self::Slot(wanted) => {
                let mut slots = turn.acts.iter().flat_map(|act| &act.slots);
                slots.any(|slot| match &slot.value {
                    Some(value) => is_member(&slot.slot, value, wanted),
                    None => wanted.matches(&slot.slot, ""),
                })
            }
            Self::State(wanted) => {
                let mut slots = turn.state.iter().flatten();
                slots.any(|slot| is_member(&slot.slot, &slot.value, wanted))
            }
            Self::Intent(name) => turn.intents.iter().any(|intent| name.matches(intent)),
            Self::Service(name) => services(turn).any(|service| name.matches(service)),
            Self::Field(wanted) => {
                any_field(&turn.fields, wanted) || any_field(&dialog.fields, wanted)
            }
            Self::Annotator(name) => turn.votes.iter().any(|vote| name.matches(&vote.annotator)),
            Self::Majority(label) => tally().majority() == Some(*label),
            Self::Gold(label) => {
                let gold = turn.gold.as_ref().and_then(|gold| gold.breakdown);
                gold == Some(*label)
            }
            Self::Tie => tally().tie().is_some(),
            Self::Judged => tally().total() > 0,
            Self::Mine => {
                let is_own =
                    |annotator: &str| !annotator.is_empty() && annotator == source.annotator;
                turn.votes.iter().any(|vote| is_own(&vote.annotator))
            }
            Self::Votes(label, number) => {
                let tally = tally();
                match label {
                    None => number.matches(f64::from(tally.total())),
                    // A turn that nobody has judged has no votes to compare.
                    Some(label) => {
                        tally.total() > 0 && number.matches(f64::from(tally.count(*label)))
                    }
                }
            }
            Self::Entropy(number) => tally().entropy().is_some_and(|bits| number.matches(bits)),
            Self::Turn(number) => {
                let index = turn.index.map_or(position as f64, f64::from);
                number.matches(index)
            }
            Self::Words(number) => number.matches(turn.text.split_whitespace().count() as f64),
            Self::Turns(number) => number.matches(dialog.turns.len() as f64),
            Self::Id(name) => name.matches(&dialog.id),
            Self::File(name) => name.matches(source.file),
            Self::Family(name) => name.matches(source.family),
            Self::Edited => source.edited,
        }
    }
}

/// True for a problem that `problem:rule` finds; without a rule, notes do not count.
pub(super) fn is_wanted(problem: &Diagnostic, rule: &str) -> bool {
    (problem.is_worth_changing() || !rule.is_empty()) && problem.rule.name.contains(rule)
}

/// True if a segment has a label with this name, or an act if the turn has no segments.
fn has_label(turn: &Turn, name: &super::value::NamePattern) -> bool {
    if turn.segments.is_empty() {
        return turn.acts.iter().any(|act| name.matches(&act.name));
    }
    let mut labels = turn.segments.iter().flat_map(|segment| &segment.labels);
    labels.any(|label| name.matches(&label.name))
}

/// The services of a turn's labels and state, as in `Hotels_1.area` and `hotel-area`.
fn services(turn: &Turn) -> impl Iterator<Item = &str> {
    let labels = turn.segments.iter().flat_map(|segment| &segment.labels);
    let slots = turn.state.iter().flatten().map(|slot| slot.slot.as_str());
    let names = labels.map(|label| label.name.as_str()).chain(slots);
    names.filter_map(|name| Some(name.split_once(['.', '-'])?.0))
}

/// True if the arguments or the response of a call have a member that is wanted.
pub(super) fn is_in_payload(wanted: &NamedValue, payload: Option<&Payload>) -> bool {
    match payload {
        None => false,
        Some(Payload::Fields(fields)) => any_field(fields, wanted),
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
            any_member("", text, wanted)
        }
    }
}

fn any_field(fields: &[Field], wanted: &NamedValue) -> bool {
    let mut fields = fields.iter();
    fields.any(|field| is_member(&field.name, &field.content, wanted))
}

/// True if a value with this name, an element of it or a member inside it is wanted.
fn is_member(name: &str, content: &Content, wanted: &NamedValue) -> bool {
    let is_nested = |raw: &str| raw.starts_with(['{', '[']);
    wanted.matches(name, content.as_str())
        || matches!(content, Content::Raw(raw) if is_nested(raw) && any_member(name, raw, wanted))
}

/// An object or array of which some members or elements are still to be visited.
struct OpenValue<'t> {
    members: Members<'t>,
    elements: Elements<'t>,
    /// The length of its path, in bytes.
    path: usize,
}

impl<'t> OpenValue<'t> {
    fn new(value: Value<'t>, path: usize) -> Self {
        Self {
            members: value.members(),
            elements: value.elements(),
            path,
        }
    }
}

/// True if a member inside the JSON `text`, whose path is `path`, is wanted. Dots separate the names of a path;
/// elements of lists have the path of their list. A text that is not JSON has no members.
fn any_member(path: &str, text: &str, wanted: &NamedValue) -> bool {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(text) else {
        return false;
    };
    let mut path = path.to_owned();
    // Values may be nested more deeply than functions can call each other.
    let mut open = vec![OpenValue::new(tree.root(), path.len())];
    while let Some(inside) = open.last_mut() {
        path.truncate(inside.path);
        let value = if let Some((name, value)) = inside.members.next() {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&name.as_str().unwrap_or_default());
            value
        } else if let Some(element) = inside.elements.next() {
            element
        } else {
            open.pop();
            continue;
        };
        match value.kind() {
            NodeKind::Object | NodeKind::Array => open.push(OpenValue::new(value, path.len())),
            _ if path.is_empty() => {}
            _ => {
                let text = value.as_str().unwrap_or_else(|| value.raw().into());
                if wanted.matches(&path, &text) {
                    return true;
                }
            }
        }
    }
    false
}
