//! Two segments of a turn cover the same text with the same label.
//!
//! The value is counted twice. Usually two workers marked it, or an annotator added a segment again
//! instead of changing it. If the corpus says that the segments are by two different annotators,
//! they show agreement and are not reported.
//!
//! If the turn has the same words at another place that no segment covers, the second segment was
//! meant for them, and the fix moves it there (safe; unsafe if there are more such places than
//! segments to move). Otherwise the fix deletes the second segment, or the one with fewer labels:
//! safe if the other segment has everything that the deleted one has, an act at the same place
//! included, and unsafe if something would be lost.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [
//!     {"start_index": 8, "end_index": 12, "text": "Dune", "annotations": [{"name": "movie"}]},
//!     {"start_index": 8, "end_index": 12, "text": "Dune", "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "one at two, one at six", "segments": [
//!     {"start_index": 0, "end_index": 3, "text": "one", "annotations": [{"name": "seats"}]},
//!     {"start_index": 0, "end_index": 3, "text": "one", "annotations": [{"name": "seats"}]}]}]}
//! ```
//!
//! ```text good
//! user: two for «Dune»{movie}
//! ```
//!
//! ```text good
//! user: «one»{seats} at two, «one»{seats} at six
//! ```

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt as _};

use crate::json::{NodeKind, Value};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::{offer_removal, offer_span, quoted, unlabelled_places};

pub static RULE: Rule = Rule {
    name: "span-duplicate",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_duplicate.rs"),
    check: Check::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (turn, _) in subject.turns() {
        let mut valid: Vec<_> = subject.mentions_of(turn).iter().filter(|m| m.is_valid).collect();
        let start = |m: &&Mention<'_>| m.bytes.as_ref().map(|bytes| (bytes.start, bytes.end));
        valid.sort_by_key(start);
        for same in valid.chunk_by(|a, b| a.bytes == b.bytes) {
            if same.len() > 1 {
                look_at(subject, same, found);
            }
        }
    }
}

/// Segments that cover the same bytes and have the same labels and the same annotator.
struct Alike<'s> {
    labels: BTreeSet<&'s str>,
    annotator: Option<&'s str>,
    /// Position of the first of them.
    first: usize,
}

/// Reports the segments on the same bytes that another one makes superfluous: of three equal ones, the
/// last two, each once.
fn look_at(subject: &Subject<'_>, same: &[&Mention<'_>], found: &mut Findings<'_>) {
    let mut kinds: Vec<Alike<'_>> = Vec::new();
    let mut known: HashMap<(BTreeSet<&str>, Option<&str>), usize> = HashMap::new();
    let mut kind_of = Vec::with_capacity(same.len());
    for (first, mention) in same.iter().enumerate() {
        let labels: BTreeSet<_> = mention.of.labels.iter().map(|l| l.name.trim()).collect();
        let annotator = mention.of.annotator.as_deref();
        let kind = *known.entry((labels.clone(), annotator)).or_insert(kinds.len());
        if kind == kinds.len() {
            kinds.push(Alike { labels, annotator, first });
        }
        kind_of.push(kind);
    }
    let mut with_label: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, kind) in kinds.iter().enumerate() {
        for label in &kind.labels {
            with_label.entry(label).or_default().push(place);
        }
    }
    let all: Vec<usize> = (0..kinds.len()).collect();
    // For each kind, the first segment that has all its labels, and the first that has more.
    let kept = kinds.iter().map(|kind| {
        let holders = kind.labels.iter().filter_map(|label| with_label.get(label));
        let rarest = holders.min_by_key(|holders| holders.len()).unwrap_or(&all);
        let others = rarest.iter().map(|&other| &kinds[other]);
        let more = others.filter(|other| {
            let two_annotators =
                matches!((kind.annotator, other.annotator), (Some(a), Some(b)) if a != b);
            !two_annotators && kind.labels.is_subset(&other.labels)
        });
        let (mut as_many, mut more_than) = (None::<usize>, None::<usize>);
        for other in more {
            let earlier = |known: Option<usize>| known.map_or(other.first, |k| k.min(other.first));
            as_many = Some(earlier(as_many));
            if other.labels.len() > kind.labels.len() {
                more_than = Some(earlier(more_than));
            }
        }
        (as_many, more_than)
    });
    let kept: Vec<_> = kept.collect();
    let spare: Vec<(&Mention<'_>, &Mention<'_>)> = same
        .iter()
        .enumerate()
        .filter_map(|(place, spare)| {
            let (as_many, more) = kept[kind_of[place]];
            let kept = as_many.filter(|first| *first < place).or(more)?;
            Some((*spare, same[kept]))
        })
        .collect();
    let free = match spare.first() {
        Some((first, _)) => unlabelled_places(subject, first, first.text()),
        None => return,
    };
    let applicability =
        if free.len() > spare.len() { Applicability::Unsafe } else { Applicability::Safe };
    let mut free = free.into_iter();
    for (spare, kept) in spare {
        let text = quoted(spare.text());
        let message = format!("{text} is also labelled in segment {}", kept.segment);
        let diagnostic = found.add(spare.location(), message);
        match free.next() {
            Some(place) => {
                offer_span(diagnostic, spare, place, applicability);
                offer_removal(diagnostic, spare, Applicability::Display);
            }
            None if has_all(subject, kept, spare) => {
                offer_removal(diagnostic, spare, Applicability::Safe);
            }
            None => offer_removal(diagnostic, spare, Applicability::Unsafe),
        }
    }
}

/// True if the element of the segment `kept` has all that the element of `spare` has, so that nothing is lost
/// with it. Both may be acts, too.
fn has_all(subject: &Subject<'_>, kept: &Mention<'_>, spare: &Mention<'_>) -> bool {
    let element = |mention: &Mention<'_>| subject.tree.value_at(mention.of.at.start);
    match (element(kept), element(spare)) {
        (Some(kept), Some(spare)) => is_in(spare, kept),
        _ => false,
    }
}

/// True if each part of `part` is a part of `whole`.
fn is_in(part: Value<'_>, whole: Value<'_>) -> bool {
    match part.kind() {
        NodeKind::Object => part.members().all(|(key, value)| {
            let same = key.as_str().and_then(|key| whole.get(&key));
            same.is_some_and(|same| is_in(value, same))
        }),
        NodeKind::Array => {
            part.elements().all(|value| whole.elements().any(|same| is_in(value, same)))
        }
        NodeKind::String => {
            let text = part.as_str();
            text.is_some() && whole.as_str() == text
        }
        _ => part.raw() == whole.raw(),
    }
}
