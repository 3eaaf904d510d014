//! Two segments of a turn cover the same text with the same label.
//!
//! The value is counted twice. Usually two workers marked it, or an annotator added a segment again
//! instead of changing it. If the corpus says that the segments are by two different annotators,
//! they show agreement and are not reported.
//!
//! The fix deletes the second segment, or the one with fewer labels (safe).
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [
//!     {"start_index": 8, "end_index": 12, "text": "Dune", "annotations": [{"name": "movie"}]},
//!     {"start_index": 8, "end_index": 12, "text": "Dune", "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```text good
//! user: two for «Dune»{movie}
//! ```

use std::collections::{BTreeSet, HashMap};

use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::{offer_removal, quoted};

pub static RULE: Rule = Rule {
    name: "span-duplicate",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_duplicate.rs"),
    check: Check::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (turn, _) in subject.turns() {
        let mut sound: Vec<_> = subject
            .mentions_of(turn)
            .iter()
            .filter(|m| m.sound)
            .collect();
        let start = |m: &&Mention<'_>| m.bytes.as_ref().map(|bytes| (bytes.start, bytes.end));
        sound.sort_by_key(start);
        for same in sound.chunk_by(|a, b| a.bytes == b.bytes) {
            if same.len() > 1 {
                look_at(same, found);
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
fn look_at(same: &[&Mention<'_>], found: &mut Findings<'_>) {
    let mut kinds: Vec<Alike<'_>> = Vec::new();
    let mut known: HashMap<(BTreeSet<&str>, Option<&str>), usize> = HashMap::new();
    let mut kind_of = Vec::with_capacity(same.len());
    for (first, mention) in same.iter().enumerate() {
        let labels: BTreeSet<_> = mention.of.labels.iter().map(|l| l.name.trim()).collect();
        let annotator = mention.of.annotator.as_deref();
        let kind = *known
            .entry((labels.clone(), annotator))
            .or_insert(kinds.len());
        if kind == kinds.len() {
            kinds.push(Alike {
                labels,
                annotator,
                first,
            });
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
    for (place, spare) in same.iter().enumerate() {
        let (as_many, more) = kept[kind_of[place]];
        let Some(kept) = as_many.filter(|first| *first < place).or(more) else {
            continue;
        };
        let text = quoted(spare.text());
        let message = format!("{text} is also labelled in segment {}", same[kept].segment);
        let diagnostic = found.add(spare.spot(), message);
        offer_removal(diagnostic, spare, Applicability::Safe);
    }
}
