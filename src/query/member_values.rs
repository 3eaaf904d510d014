//! The values of the members that names in queries mean, in calls, turns and whole dialogs.

use std::collections::{BTreeSet, HashSet};

use super::expression::Condition;
use super::judged::values;
use super::matching::{Place, Target, text_of};
use super::members::{Member, each_of, each_of_answer, each_of_fields, each_of_payload};
use super::value::{Closeness, FoundValue, NamePattern};
use crate::dialog::{Answer, ApiCall, Dialog, Field, Turn};

/// A value of a member.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MemberValue {
    pub text: String,
    /// The value is an object.
    pub is_open: bool,
}

/// The values of the members whose names are closest to a name. Of a list, those are its elements.
pub(super) struct Closest<'n> {
    name: &'n NamePattern,
    closest: Option<Closeness>,
    values: BTreeSet<MemberValue>,
}

impl<'n> Closest<'n> {
    fn new(name: &'n NamePattern) -> Self {
        Self { name, closest: None, values: BTreeSet::new() }
    }

    /// Takes note of the path of a member. Returns whether it is among the closest so far.
    fn see_path(&mut self, path: &str) -> bool {
        let named = Some(path).filter(|path| !path.is_empty());
        let Some(close) = named.and_then(|path| self.name.closeness(path)) else {
            return false;
        };
        if self.closest.is_none_or(|closest| close < closest) {
            self.closest = Some(close);
            self.values.clear();
        }
        self.closest == Some(close)
    }

    fn see(&mut self, member: &Member<'_>) {
        if self.see_path(member.path) && !member.is_list() {
            self.values
                .insert(MemberValue { text: member.value.to_owned(), is_open: member.is_open });
        }
    }

    /// Returns the values in the arguments of a call.
    pub fn of_arguments(name: &'n NamePattern, call: &ApiCall) -> BTreeSet<MemberValue> {
        let mut closest = Self::new(name);
        each_of_payload(call.arguments.as_ref(), &mut |member| closest.see(&member));
        closest.values
    }

    /// Returns the values in the answer to a call.
    pub fn of_answer(name: &'n NamePattern, call: &ApiCall) -> BTreeSet<MemberValue> {
        let mut closest = Self::new(name);
        each_of_answer(call, &mut |member| closest.see(&member));
        closest.values
    }

    /// Returns the values of a slot of the acts of a turn.
    pub fn of_slots(name: &'n NamePattern, turn: &Turn) -> BTreeSet<MemberValue> {
        let mut closest = Self::new(name);
        for slot in turn.acts.iter().flat_map(|act| &act.slots) {
            match &slot.value {
                Some(value) => each_of(&slot.slot, value, &mut |member| closest.see(&member)),
                None => {
                    closest.see_path(&slot.slot);
                }
            }
        }
        closest.values
    }

    /// Returns the values of a slot of the state of a turn.
    pub fn of_state(name: &'n NamePattern, turn: &Turn) -> BTreeSet<MemberValue> {
        let mut closest = Self::new(name);
        for slot in turn.state.iter().flatten() {
            each_of(&slot.slot, &slot.value, &mut |member| closest.see(&member));
        }
        closest.values
    }
}

/// For each turn, the values of a member of it or of its dialog. The name means the same in all turns.
pub(super) fn field_values(name: &NamePattern, dialog: &Dialog) -> Vec<BTreeSet<MemberValue>> {
    let look = |fields: &mut dyn Iterator<Item = &Field>| {
        let mut closest = Closest::new(name);
        each_of_fields(fields, &mut |member| closest.see(&member));
        closest
    };
    let whole = look(&mut dialog.fields.iter());
    let each: Vec<_> = dialog.turns.iter().map(|turn| look(&mut turn.all_fields())).collect();
    let all = each.iter().chain([&whole]);
    let closest = all.filter_map(|look| look.closest).min();
    let meant = |look: &Closest<'_>| {
        let values = Some(&look.values).filter(|_| look.closest == closest);
        values.cloned().unwrap_or_default()
    };
    let whole = meant(&whole);
    each.iter().map(|own| &meant(own) | &whole).collect()
}

impl Condition {
    /// For each turn, the values that the condition compares with a variable, without repetitions.
    pub(super) fn compared_values(
        &self,
        target: &Target<'_>,
        place: Place<'_>,
    ) -> Vec<Vec<FoundValue>> {
        let dialog = target.dialog;
        let each = |values: &dyn Fn(&Turn) -> Vec<BTreeSet<MemberValue>>| {
            let turns = dialog.turns.iter();
            turns.map(|turn| distinct(&values(turn))).collect()
        };
        match self {
            Self::Argument(pair) => each(&|turn| {
                let calls = turn.calls.iter();
                calls.map(|call| Closest::of_arguments(&pair.name, call)).collect()
            }),
            Self::Response(pair) => each(&|turn| {
                let calls = turn.calls.iter();
                calls.map(|call| Closest::of_answer(&pair.name, call)).collect()
            }),
            Self::Slot(pair) => each(&|turn| vec![Closest::of_slots(&pair.name, turn)]),
            Self::State(pair) => each(&|turn| vec![Closest::of_state(&pair.name, turn)]),
            Self::Question(pair) => {
                let answers = target.answers(&pair.name, place).into_iter();
                answers.map(|all| distinct(&[answered(&all)])).collect()
            }
            Self::Field(pair) => field_values(&pair.name, dialog)
                .into_iter()
                .map(|values| distinct(&[values]))
                .collect(),
            Self::Label(pair) => each(&|turn| {
                let segments = turn.segments.iter();
                let named = segments.filter(|segment| {
                    let mut labels = segment.labels.iter();
                    labels.any(|label| pair.name.matches(&label.name))
                });
                let texts = named.map(|segment| MemberValue {
                    text: text_of(turn, dialog.units, segment).to_string(),
                    is_open: false,
                });
                vec![texts.collect()]
            }),
            _ => vec![Vec::new(); dialog.turns.len()],
        }
    }
}

/// Returns the values of answers.
pub(super) fn answered(answers: &[&Answer]) -> BTreeSet<MemberValue> {
    let values = answers.iter().flat_map(|answer| values(answer));
    let value = |text| MemberValue { text, is_open: false };
    values.map(value).collect()
}

/// Returns values as variables compare them, without objects and repetitions.
fn distinct(values: &[BTreeSet<MemberValue>]) -> Vec<FoundValue> {
    let mut known = HashSet::new();
    let values = values.iter().flatten().filter(|value| !value.is_open);
    values
        .map(|value| FoundValue::of(&value.text))
        .filter(|value| known.insert(value.key().clone()))
        .collect()
}
