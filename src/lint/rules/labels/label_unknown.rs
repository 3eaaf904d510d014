//! A label is not in the ontology of its corpus.
//!
//! Statistics and models get one label too many, and one value too few for the right label. Most
//! often the label has a typo, lacks its task prefix, or comes from another corpus (`rating.movies`
//! for `rating.movie`).
//!
//! turnwise chooses the ontology by the family, vertical and labels of the dialog. Labels of a
//! corpus without an ontology, such as `MultiWOZ`, are compared with the acts of their turn, if most labels of the
//! dialog are the name and the slot of one: a label is reported if no act of the turn has it, but one has nearly
//! the same. Where labels are not those of acts, and there is no ontology, nothing is reported. If the ontology was collected from only part of its
//! corpus, a label that resembles no known one is reported as a note. label-whitespace reports
//! whitespace at the edges of a label or next to a dot.
//!
//! The fix is the intended label: safe if only capitalization or separators differ or the typo is a
//! known one, unsafe if letters differ, manual if several are equally close.
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "assistant", "text": "It is PG.", "segments": [
//!     {"start_index": 6, "end_index": 8, "text": "PG", "annotations": [{"name": "rating.movies"}]}]}]}
//! ```
//!
//! ```text bad
//! user: from «Oslo»{flight_search.origin} on «May 6th»{flight2_details.date}
//! ```
//!
//! ```text good
//! user: from «Oslo»{flight_search.origin} on «May 6th»{flight2_detail.date}
//! ```
//!
//! ```text good
//! user: with «basil»{garden.herb}
//! ```

use std::collections::BTreeSet;

use foldhash::{HashSet, HashSetExt as _};

use crate::dialog::{Act, Edit, Label};
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::{Location, Mention, Subject};
use crate::lint::rules::names;
use crate::ontology::near;

pub static RULE: Rule = Rule {
    name: "label-unknown",
    severity: Severity::Warning,
    on: true,
    source: include_str!("label_unknown.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
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
            Some(Edit::SetLabels {
                turn: mention.turn,
                segment: mention.segment,
                labels: relabelled(subject, mention, 0, right),
            })
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
        is_readable.then(|| Edit::SetLabels {
            turn: mention.turn,
            segment: mention.segment,
            labels: relabelled(subject, mention, place, right),
        })
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
