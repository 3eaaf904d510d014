//! Rules on the labels of segments.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use super::names;
use crate::dialog::{Act, Label};
use crate::json::{NodeKind, Value};
use crate::lint::engine::{Applicability, Diagnostic, Findings, rules};
use crate::lint::facts::alike::is_blank;
use crate::lint::facts::labels::LabelSupport;
use crate::lint::facts::labels::{
    conflict, first_conflict, has_two_workers, in_conflict, repeated,
};
use crate::lint::facts::slots::{act_values, is_open};
use crate::lint::facts::{Location, Mention, Subject};
use crate::lint::repair::{quoted, unlabelled_places};
use crate::ontology::near;
use crate::text;

rules! {
    /// A label has whitespace at its edges or next to a dot.
    ///
    /// `"hotel_search. num.beds"` looks like `"hotel_search.num.beds"`, but it is a different label: it
    /// is counted separately, and a lookup by the right name does not find it.
    ///
    /// The fix removes the whitespace (safe). Spaces between words are kept, because some corpora use
    /// them in labels.
    ///
    /// ```text bad
    /// user: with «two beds»{hotel_search. num.beds}
    /// ```
    ///
    /// ```text good
    /// user: with «two beds»{hotel_search.num.beds}
    /// ```
    "label-whitespace": Warning => label_whitespace;

    /// A label is not in the ontology of its corpus.
    ///
    /// Statistics and models get one label too many, and one value too few for the right label. Most
    /// often the label has a typo, lacks its task prefix, or comes from another corpus (`rating.movies`
    /// for `rating.movie`).
    ///
    /// turnwise chooses the ontology by the family, vertical and labels of the dialog. Labels of a
    /// corpus without an ontology, such as `MultiWOZ`, are compared with the acts of their turn, if most labels of the
    /// dialog are the name and the slot of one: a label is reported if no act of the turn has it, but one has nearly
    /// the same. Where labels are not those of acts, and there is no ontology, nothing is reported. If the ontology was collected from only part of its
    /// corpus, a label that resembles no known one is reported as a note. label-whitespace reports
    /// whitespace at the edges of a label or next to a dot.
    ///
    /// The fix is the intended label: safe if only capitalization or separators differ or the typo is a
    /// known one, unsafe if letters differ, manual if several are equally close.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
    ///   {"index": 0, "speaker": "assistant", "text": "It is PG.", "segments": [
    ///     {"start_index": 6, "end_index": 8, "text": "PG", "annotations": [{"name": "rating.movies"}]}]}]}
    /// ```
    ///
    /// ```text bad
    /// user: from «Oslo»{flight_search.origin} on «May 6th»{flight2_details.date}
    /// ```
    ///
    /// ```text good
    /// user: from «Oslo»{flight_search.origin} on «May 6th»{flight2_detail.date}
    /// ```
    ///
    /// ```text good
    /// user: with «basil»{garden.herb}
    /// ```
    "label-unknown": Warning => label_unknown;

    /// A segment has the same label twice.
    ///
    /// The repetition adds no information, but it is counted again.
    ///
    /// In Taskmaster-1, two workers labelled every dialog, and a repeated label means that both agree.
    /// So the rule skips dialogs in which a label says whether its value was accepted or rejected, as
    /// only the labels of those workers do, and dialogs in which many segments have a repeated label.
    ///
    /// The fix keeps each label once (safe).
    ///
    /// ```text bad
    /// user: a «large»{pizza.size + pizza.size} one
    /// ```
    ///
    /// ```text good
    /// user: a «large»{pizza.size} one
    /// ```
    "label-repeated": Warning => label_repeated;

    /// Two labels of the same text cannot both be right.
    ///
    /// Two workers labelled the text and disagree: one says that the time was accepted, the other that
    /// it was rejected; or one labels a duration and the other a time. A model is trained on both.
    ///
    /// Labels conflict if they belong to the same task and the rest differs. A seat may belong to two
    /// flights (`flight1_detail.seating_class`, `flight2_detail.seating_class`), and a description may
    /// contain anything. Two segments on the same text with conflicting labels are reported too, unless one
    /// phrase answers both: the acts of the turn say of both labels that the user does not care, or a list in
    /// the dialog, such as the results of a search, has an item with this value under both names.
    ///
    /// Each fix keeps one of the labels. Keeping the label that most workers chose is unsafe; the
    /// others are manual, because only the dialog shows which label is right. Labels that are not in
    /// the ontology come last; then those come first that words around the text belong to ("arriving" to `Arrive`),
    /// and that other segments of the dialog with this text have. If the turn has the words of two segments again where
    /// no segment covers them, the first fixes move one of the two there.
    ///
    /// ```text bad
    /// user: «noon»{repair.time.accept + repair.time.reject} it is
    /// ```
    ///
    /// ```text good
    /// user: both in «economy»{flight1_detail.seating_class + flight2_detail.seating_class}
    /// ```
    "label-conflict": Warning => label_conflict;
}

fn label_whitespace(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for mention in subject.mentions() {
        let labels = &mention.of.labels;
        let Some(label) = labels.iter().find(|label| has_stray_blank(&label.name)) else {
            continue;
        };
        let message = format!("label {} contains stray whitespace", text::quoted(&label.name));
        let diagnostic = found.add(mention.location(), message);
        let tidy: Vec<String> = labels.iter().map(|label| tidied(&label.name)).collect();
        if tidy.iter().all(|name| !name.is_empty()) {
            let title = format!("change to {}", tidy.join(" + "));
            let edit = mention.set_labels(tidy);
            diagnostic.fix(title, Applicability::Safe, vec![edit]);
        }
    }
}

fn has_stray_blank(label: &str) -> bool {
    label.bytes().any(|byte| byte <= b' ' || byte >= 0x80) && tidied(label) != label
}

fn tidied(label: &str) -> String {
    let parts: Vec<&str> = label.split('.').map(|part| part.trim_matches(is_blank)).collect();
    parts.join(".")
}

fn label_unknown(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.ontology.labels.is_empty() {
        by_acts(subject, found);
        return;
    }
    for mention in subject.mentions() {
        for (place, label) in mention.of.labels.iter().enumerate() {
            if !subject.ontology.knows_label(&label.name) {
                unknown(subject, mention, place, label, found);
            }
        }
    }
}

/// The most acts of a turn, or slots of an act, that labels are compared with; with more, something else is wrong.
const ACTS: usize = 64;

/// Compares labels with the acts of their turn: in `MultiWOZ`, a label is the name and the slot of one.
fn by_acts(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.format.is_described() {
        return;
    }
    let acts = |turn: usize| subject.dialog.turns[turn].acts.iter().take(ACTS);
    let is_of_act = |label: &str, act: &Act| {
        let slot = label.strip_prefix(act.name.as_str());
        let slot = slot.and_then(|rest| rest.strip_prefix('.'));
        slot.is_some_and(|slot| act.slots.iter().take(ACTS).any(|said| said.slot == slot))
    };
    let mut strange = Vec::new();
    for mention in subject.mentions() {
        // label-whitespace reports spaces.
        let label = mention.label().trim();
        if !acts(mention.turn).any(|act| is_of_act(label, act)) {
            strange.push(mention);
        }
    }
    if 2 * strange.len() >= subject.mentions().len() {
        return;
    }
    for mention in strange {
        let Some(label) = mention.of.labels.first() else {
            continue;
        };
        let names = acts(mention.turn).flat_map(|act| {
            let slots = act.slots.iter().take(ACTS);
            slots.map(|said| format!("{}.{}", act.name, said.slot))
        });
        let names: BTreeSet<String> = names.collect();
        let near = near(&label.name, names.iter().map(String::as_str));
        if near.is_empty() {
            continue;
        }
        let location = Location { at: label.at, ..mention.location() };
        let message = format!("unknown label \"{}\" (no act of the turn has it)", label.name);
        names::unknown(subject.ontology, location, message, &near, found, |right| {
            Some(mention.set_labels(relabelled(subject, mention, 0, right)))
        });
    }
}

/// The most labels of a segment that are corrected one by one; with more, something else is wrong.
const READABLE: usize = 64;

#[cold]
fn unknown(
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    place: usize,
    label: &Label,
    found: &mut Findings<'_>,
) {
    let ontology = subject.ontology;
    let parts: Vec<&str> = label.name.split('.').map(str::trim).collect();
    let tidy = parts.join(".");
    if tidy.is_empty() || tidy != label.name && ontology.knows_label(&tidy) {
        return;
    }
    let location = Location { at: label.at, ..mention.location() };
    let message = names::message("label", &label.name, ontology);
    let near = ontology.labels_near(&label.name);
    names::unknown(ontology, location, message, &near, found, |right| {
        let is_readable = mention.of.labels.len() <= READABLE;
        is_readable.then(|| mention.set_labels(relabelled(subject, mention, place, right)))
    });
}

/// Returns the labels of a segment with the one at `place` corrected. Duplicates are removed, except in a
/// dialog that several workers labelled, where a repeated label means that they agree.
fn relabelled(
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    place: usize,
    right: &str,
) -> Vec<String> {
    let may_repeat = subject.repeats_labels();
    let (mut labels, mut known) = (Vec::new(), HashSet::new());
    for (i, label) in mention.of.labels.iter().enumerate() {
        let name = if i == place { right } else { &label.name };
        if known.insert(name) || may_repeat {
            labels.push(name.to_owned());
        }
    }
    labels
}

fn label_repeated(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let repeats = |m: &&Mention<'_>| repeated(&m.of.labels).is_some();
    let mut repeating = subject.mentions().iter().filter(repeats).peekable();
    if repeating.peek().is_none() || has_two_workers(subject) {
        return;
    }
    for mention in repeating {
        let labels = &mention.of.labels;
        let Some(twice) = repeated(labels) else {
            continue;
        };
        let message = format!("label {twice} is repeated");
        let diagnostic = found.add(mention.location(), message);
        let mut known = HashSet::new();
        let new = labels.iter().filter(|label| known.insert(&label.name));
        let kept: Vec<String> = new.map(|label| label.name.to_string()).collect();
        if kept.iter().all(|name| !name.is_empty()) {
            let title = format!("keep each label once: {}", kept.join(" + "));
            let edit = mention.set_labels(kept);
            diagnostic.fix(title, Applicability::Safe, vec![edit]);
        }
    }
}

fn label_conflict(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for mention in subject.mentions().iter().filter(|m| m.of.labels.len() > 1) {
        if let Some((a, b)) = conflict_in(mention) {
            let text = quoted(mention.text());
            let diagnostic =
                found.add(mention.location(), format!("{text} is labelled both {a} and {b}"));
            offer_each(diagnostic, subject, mention);
        }
    }
    for (first, second) in subject.meeting() {
        let turn = &subject.dialog.turns[second.turn];
        let is_left_open = |label: &str| act_values(turn, label).any(is_open);
        let answers_both = |(a, b): &(&str, &str)| {
            is_left_open(a) && is_left_open(b) || has_item_with_both(subject, a, b, second.text())
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
                let edit = spare.removal();
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
            let Some(span) = goes.span_of(&place) else {
                continue;
            };
            let title = format!("move {} with label {label} to {span}", quoted(text));
            diagnostic.fix(title, Applicability::Display, vec![goes.set_span(span)]);
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

/// True if an item of a list in the dialog has the value `text` under the last parts of both labels.
fn has_item_with_both(subject: &Subject<'_>, a: &str, b: &str, text: &str) -> bool {
    let name = |label: &str| label.rsplit('.').next().unwrap_or_default().trim().to_owned();
    let (a, b, text) = (name(a), name(b), text.to_lowercase());
    let has = |item: Value<'_>, name: &str| {
        let mut members = item.members().filter(|(key, _)| key.is_text(name));
        members.any(|(_, value)| value.as_str().is_some_and(|value| value.to_lowercase() == text))
    };
    let lists = subject.tree.values().filter(|value| value.kind() == NodeKind::Array);
    a != b && lists.flat_map(Value::elements).any(|item| has(item, &a) && has(item, &b))
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
        let edit = mention.set_labels(kept);
        diagnostic.fix(format!("keep {choice}"), applicability, vec![edit]);
    }
}
