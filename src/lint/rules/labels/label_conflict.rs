//! Two labels of the same text cannot both be right.
//!
//! Two workers labelled the text and disagree: one says that the time was accepted, the other that
//! it was rejected; or one labels a duration and the other a time. A model is trained on both.
//!
//! Labels conflict if they belong to the same task and the rest differs. A seat may belong to two
//! flights (`flight1_detail.seating_class`, `flight2_detail.seating_class`), and a description may
//! contain anything. Two segments on the same text with conflicting labels are reported too, unless one
//! phrase answers both: the acts of the turn say of both labels that the user does not care, or a list in
//! the dialog, such as the results of a search, has an item with this value under both names.
//!
//! Each fix keeps one of the labels. Keeping the label that most workers chose is unsafe; the
//! others are manual, because only the dialog shows which label is right. Labels that are not in
//! the ontology come last; then those come first that words around the text belong to ("arriving" to `Arrive`),
//! and that other segments of the dialog with this text have. If the turn has the words of two segments again where
//! no segment covers them, the first fixes move one of the two there.
//!
//! ```text bad
//! user: «noon»{repair.time.accept + repair.time.reject} it is
//! ```
//!
//! ```text good
//! user: both in «economy»{flight1_detail.seating_class + flight2_detail.seating_class}
//! ```

use std::cell::LazyCell;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt as _};

use crate::dialog::{Edit, Span};
use crate::json::{NodeKind, Value};
use crate::lint::engine::{Applicability, Check, Diagnostic, Findings, Rule, Severity};
use crate::lint::facts::label_support::LabelSupport;
use crate::lint::facts::labels::{conflict, first_conflict, in_conflict};
use crate::lint::facts::slots::{act_values, is_open};
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::{quoted, unlabelled_places};

pub static RULE: Rule = Rule {
    name: "label-conflict",
    severity: Severity::Warning,
    on: true,
    source: include_str!("label_conflict.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for mention in subject.mentions().iter().filter(|m| m.of.labels.len() > 1) {
        if let Some((a, b)) = conflict_in(mention) {
            let text = quoted(mention.text());
            let diagnostic =
                found.add(mention.location(), format!("{text} is labelled both {a} and {b}"));
            offer_each(diagnostic, subject, mention);
        }
    }
    let items = LazyCell::new(|| Items::of(subject.tree.root()));
    for (first, second) in subject.meeting() {
        let turn = &subject.dialog.turns[second.turn];
        let is_left_open = |label: &str| act_values(turn, label).any(is_open);
        let answers_both = |(a, b): &(&str, &str)| {
            is_left_open(a) && is_left_open(b) || items.have_both(a, b, second.text())
        };
        let clash = || conflict_of(first, second).filter(|both| !answers_both(both));
        if let Some((a, b)) = (first.bytes == second.bytes).then(clash).flatten() {
            let text = quoted(second.text());
            let message =
                format!("{text} is labelled {b} here and {a} in segment {}", first.segment);
            let diagnostic = found.add(second.location(), message);
            let mut both = [(first, a), (second, b)];
            offer_moves(diagnostic, subject, both);
            let support = |(mention, label)| supports(subject, mention, label);
            if support(both[0]) > support(both[1]) {
                both.reverse();
            }
            for (spare, label) in both {
                let edit = Edit::RemoveSegment { turn: spare.turn, segment: spare.segment };
                let title = format!("delete the segment {text} with label {label}");
                diagnostic.fix(title, Applicability::Display, vec![edit]);
            }
        }
    }
}

/// Returns the evidence for a label of a segment where it is.
fn supports(subject: &Subject<'_>, mention: &Mention<'_>, label: &str) -> LabelSupport {
    let here = mention.bytes.as_ref();
    here.map_or_else(LabelSupport::default, |here| LabelSupport::of(subject, mention, label, here))
}

/// Offers to move one of two segments to a place of the same words that no segment covers: first the one for which
/// more speaks there than here.
fn offer_moves(
    diagnostic: &mut Diagnostic,
    subject: &Subject<'_>,
    [one, other]: [(&Mention<'_>, &str); 2],
) {
    let (mention, text) = (one.0, one.0.text());
    for place in unlabelled_places(subject, mention, text).into_iter().take(1) {
        let there = |label| LabelSupport::of(subject, mention, label, &place);
        let stays = |(mention, label)| supports(subject, mention, label);
        let mut moves = [(one, other), (other, one)];
        moves.sort_by_key(|(goes, stay)| Reverse(there(goes.1).and(stays(*stay))));
        for ((goes, label), _) in moves {
            let Some(Span { start, end }) = goes.span_of(&place) else {
                continue;
            };
            let edit = Edit::SetSpan { turn: goes.turn, segment: goes.segment, start, end };
            let title = format!("move {} with label {label} to {start}..{end}", quoted(text));
            diagnostic.fix(title, Applicability::Display, vec![edit]);
        }
    }
}

fn names<'m>(mention: &'m Mention<'_>) -> impl Iterator<Item = &'m str> + Clone {
    mention.of.labels.iter().map(|label| label.name.as_str())
}

/// Two labels of a segment that conflict.
fn conflict_in<'m>(mention: &'m Mention<'_>) -> Option<(&'m str, &'m str)> {
    let labels: Vec<_> = names(mention).collect();
    first_conflict(&labels)
}

/// Returns a label of each segment such that the two conflict; None if the segments share a label.
fn conflict_of<'m>(first: &'m Mention<'_>, second: &'m Mention<'_>) -> Option<(&'m str, &'m str)> {
    if names(first).any(|a| names(second).any(|b| a == b)) {
        return None;
    }
    let mut pairs = names(first).flat_map(|a| names(second).map(move |b| (a, b)));
    pairs.find(|(a, b)| conflict(a, b))
}

/// The values that items of lists in a dialog have under several names.
struct Items {
    /// By the value in lower case: the names of each item.
    by_value: HashMap<String, Vec<BTreeSet<String>>>,
}

/// The most items with one value that are looked at.
const SAME_VALUE: usize = 64;

impl Items {
    fn of(root: Value<'_>) -> Self {
        let mut by_value: HashMap<String, Vec<BTreeSet<String>>> = HashMap::new();
        let mut lists = vec![root];
        while let Some(value) = lists.pop() {
            match value.kind() {
                NodeKind::Object => lists.extend(value.members().map(|(_, value)| value)),
                NodeKind::Array => lists.extend(value.elements()),
                _ => continue,
            }
            let items = value.elements().filter(|_| value.kind() == NodeKind::Array);
            for item in items.filter(|item| item.kind() == NodeKind::Object) {
                let mut names: HashMap<String, BTreeSet<String>> = HashMap::new();
                for (name, value) in item.members() {
                    if let (Some(name), Some(text)) = (name.as_str(), value.as_str()) {
                        let names = names.entry(text.to_lowercase()).or_default();
                        names.insert(name.into_owned());
                    }
                }
                for (text, names) in names.into_iter().filter(|(_, names)| names.len() > 1) {
                    by_value.entry(text).or_default().push(names);
                }
            }
        }
        Self { by_value }
    }

    /// True if an item has the value `text` under the last parts of both labels.
    fn have_both(&self, a: &str, b: &str, text: &str) -> bool {
        let name = |label: &str| label.rsplit('.').next().unwrap_or_default().trim().to_owned();
        let (a, b) = (name(a), name(b));
        let items = self.by_value.get(&text.to_lowercase());
        let mut items = items.into_iter().flatten().take(SAME_VALUE);
        items.any(|names| names.contains(&a) && names.contains(&b))
    }
}

/// The most labels that are offered to be kept.
const CHOICES: usize = 16;

/// Offers to keep one of the conflicting labels, together with those that conflict with none. The most
/// frequent label comes first; labels that the ontology does not have come last.
fn offer_each(diagnostic: &mut Diagnostic, subject: &Subject<'_>, mention: &Mention<'_>) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut different: Vec<&str> = Vec::new();
    for name in names(mention) {
        let count = counts.entry(name).or_default();
        if *count == 0 {
            different.push(name);
        }
        *count += 1;
    }
    let times = |name: &str| counts.get(name).copied().unwrap_or_default();
    let mut choices = in_conflict(&different);
    let known = |name: &str| subject.ontology.knows_label(name);
    let support = |name: &str| supports(subject, mention, name);
    choices.sort_by_cached_key(|name| Reverse((known(name), times(name), support(name))));
    let most = choices.first().map_or(0, |name| times(name));
    let agreed = choices.iter().skip(1).all(|name| times(name) < most);
    for (rank, choice) in choices.iter().enumerate().take(CHOICES) {
        let kept: Vec<String> =
            names(mention).filter(|name| !conflict(name, choice)).map(str::to_owned).collect();
        if kept.iter().any(String::is_empty) {
            continue;
        }
        let applicability =
            if rank == 0 && agreed { Applicability::Unsafe } else { Applicability::Display };
        let edit = Edit::SetLabels { turn: mention.turn, segment: mention.segment, labels: kept };
        diagnostic.fix(format!("keep {choice}"), applicability, vec![edit]);
    }
}
