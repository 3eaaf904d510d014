//! Decides which annotations of a turn belong to which of its segments.
//!
//! Some formats have an annotation for each label: those at one place that belong to a segment with several labels are
//! put together first. Then annotations are paired like the segments of two copies: those that are as the corpus has
//! them, then by the numbers of segments, by places, by labels, and by overlap.

use std::collections::{BTreeMap, HashSet};

use crate::compare::{Paired, pairs as paired};

/// The place of an annotation: bytes of the text, half-open.
pub type Place = (usize, usize);

/// A segment of the corpus that the file may have.
pub struct Own<'a> {
    pub number: usize,
    pub at: Place,
    /// As [`label_set`] returns them.
    pub labels: Vec<&'a str>,
}

/// An annotation of the file.
#[derive(Clone)]
pub struct Other<'a> {
    pub at: Place,
    pub labels: Vec<&'a str>,
    /// The number of the segment that it was.
    pub segment: Option<usize>,
}

/// A segment with the place and the labels that the file gives it.
pub struct Pair<'a> {
    /// Position in the list of segments.
    pub own: usize,
    pub at: Place,
    pub labels: Vec<&'a str>,
}

/// The segments and annotations of a turn, paired.
pub struct Pairs<'a> {
    /// In the order of the segments.
    pub pairs: Vec<Pair<'a>>,
    /// Positions of the segments that are not in the file, in order.
    pub removed: Vec<usize>,
    /// Annotations without a segment.
    pub added: Vec<Other<'a>>,
}

/// Labels in one order, each once.
pub fn label_set<'a>(labels: &[&'a str]) -> Vec<&'a str> {
    let mut set = labels.to_vec();
    set.sort_unstable();
    set.dedup();
    set
}

/// Finds the annotations of each segment.
pub fn pairs<'a>(own: &[Own<'a>], others: Vec<Other<'a>>) -> Pairs<'a> {
    let others = joined(own, others);
    let of_own =
        |own: &Own<'a>| Other { at: own.at, labels: own.labels.clone(), segment: Some(own.number) };
    let segments: Vec<_> = own.iter().map(of_own).collect();
    let found = paired(&segments, &others);
    let pair = |(own, new): (usize, usize)| {
        let Other { at, labels, .. } = others[new].clone();
        Pair { own, at, labels }
    };
    let pairs: Vec<_> = found.both.into_iter().map(pair).collect();
    let labels =
        |pair: &Pair<'a>| pair.labels.iter().map(|label| (pair.at, *label)).collect::<Vec<_>>();
    let mut there: HashSet<(Place, &str)> = pairs.iter().flat_map(labels).collect();
    let mut added: Vec<_> = found.added.into_iter().map(|new| others[new].clone()).collect();
    // One that only repeats labels of its place adds nothing.
    added.retain(|other| {
        let new = other.labels.iter().map(|label| there.insert((other.at, label)));
        new.fold(false, |any, new| any | new)
    });
    Pairs { pairs, removed: found.removed, added }
}

/// The numbers may be those of an older corpus.
impl PartialEq for Other<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && label_set(&self.labels) == label_set(&other.labels)
    }
}

impl Paired for Other<'_> {
    fn likeness(&self, new: &Self) -> Option<u32> {
        const LABELS: u32 = u32::MAX / 2;
        let (one, other) = (self.at, new.at);
        let overlap = one.1.min(other.1).saturating_sub(one.0.max(other.0));
        let overlap = u32::try_from(overlap).unwrap_or(u32::MAX).min(LABELS - 1);
        if self.segment == new.segment {
            Some(u32::MAX)
        } else if one == other {
            Some(u32::MAX - 1)
        } else if label_set(&self.labels) == label_set(&new.labels) {
            // The nearest of those that do not overlap.
            let moved = one.0.abs_diff(other.0) + one.1.abs_diff(other.1);
            let near = LABELS - u32::try_from(moved).unwrap_or(u32::MAX).min(LABELS);
            Some(LABELS + if overlap > 0 { LABELS / 2 + overlap / 2 } else { near / 2 })
        } else {
            (overlap > 0).then_some(overlap)
        }
    }
}

/// Puts annotations without a number together that have one label each and the place of the others: those that have all
/// labels of a segment there, or as many, or all labels of one elsewhere.
fn joined<'a>(own: &[Own<'a>], others: Vec<Other<'a>>) -> Vec<Other<'a>> {
    let (single, mut all): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|other| other.segment.is_none() && other.labels.len() == 1);
    let mut by_place: BTreeMap<Place, Vec<&'a str>> = BTreeMap::new();
    for other in single {
        by_place.entry(other.at).or_default().extend(other.labels);
    }
    let mut is_open = vec![true; own.len()];
    for (at, labels) in &mut by_place {
        let here = own.iter().enumerate().filter(|(_, own)| own.at == *at);
        let here: Vec<_> = here.collect();
        let other = |labels: Vec<&'a str>| Other { at: *at, labels, segment: None };
        for (number, own) in &here {
            if let Some(taken) = take(labels, &own.labels) {
                all.push(other(taken));
                is_open[*number] = false;
            }
        }
        for (number, own) in here {
            if is_open[number] && own.labels.len() > 1 && !labels.is_empty() {
                let most = own.labels.len().min(labels.len());
                all.push(other(labels.drain(..most).collect()));
                is_open[number] = false;
            }
        }
    }
    for (at, mut labels) in by_place {
        let other = |labels: Vec<&'a str>| Other { at, labels, segment: None };
        for (number, own) in own.iter().enumerate().filter(|(_, own)| own.labels.len() > 1) {
            if is_open[number]
                && let Some(taken) = take(&mut labels, &own.labels)
            {
                all.push(other(taken));
                is_open[number] = false;
            }
        }
        all.extend(labels.into_iter().map(|label| other(vec![label])));
    }
    all
}

/// Takes each of several labels out of a list, if it has all of them.
fn take<'a>(from: &mut Vec<&'a str>, wanted: &[&'a str]) -> Option<Vec<&'a str>> {
    let has_all = wanted.iter().all(|label| from.contains(label));
    let taken = wanted.iter().filter(|_| has_all).map(|label| {
        let at = from.iter().position(|own| own == label)?;
        Some(from.remove(at))
    });
    taken.collect::<Option<Vec<_>>>().filter(|_| has_all)
}
