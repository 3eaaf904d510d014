//! Decides which annotations of a turn belong to which of its segments.
//!
//! Annotations that are as the corpus has them come first; then the numbers of segments count, then places,
//! then labels and overlap. Segments are looked up, not searched for, because a turn may have very many.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};

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
    let mut pairing = Pairing {
        own,
        others: others.into_iter().map(Some).collect(),
        pairs: own.iter().map(|_| None).collect(),
    };
    pairing.take_same();
    pairing.take_numbered();
    pairing.relabel();
    pairing.shift_with_labels();
    pairing.shift_overlapping();
    pairing.finish()
}

struct Pairing<'o, 'a> {
    own: &'o [Own<'a>],
    /// None once it is known to which segment it belongs.
    others: Vec<Option<Other<'a>>>,
    /// One value per segment.
    pairs: Vec<Option<Pair<'a>>>,
}

/// One or several annotations at one place that a segment may take.
struct Item {
    at: Place,
    others: Vec<usize>,
}

/// How well a segment and an annotation fit, the best first: their overlap, the distance of their edges,
/// the number of the segment.
type Rank = (Reverse<usize>, usize, usize);

fn rank(own: &Own<'_>, at: Place) -> Rank {
    let overlap = own.at.1.min(at.1).saturating_sub(own.at.0.max(at.0));
    let moved = own.at.0.abs_diff(at.0) + own.at.1.abs_diff(at.1);
    (Reverse(overlap), moved, own.number)
}

impl<'a> Pairing<'_, 'a> {
    /// Returns the segments that have no annotation yet.
    fn open(&self) -> Vec<usize> {
        let all = 0..self.own.len();
        all.filter(|own| self.pairs[*own].is_none()).collect()
    }

    /// Returns the annotations that belong to no segment yet, with their positions.
    fn left(&self) -> impl Iterator<Item = (usize, &Other<'a>)> {
        let all = self.others.iter().enumerate();
        all.filter_map(|(position, other)| Some((position, other.as_ref()?)))
    }

    /// Gives annotations of one place to a segment.
    fn settle(&mut self, own: usize, others: &[usize]) {
        let mut taken = others.iter().filter_map(|other| self.others[*other].take());
        let Some(first) = taken.next() else {
            return;
        };
        let mut labels = first.labels;
        labels.extend(taken.flat_map(|other| other.labels));
        let at = first.at;
        self.pairs[own] = Some(Pair { own, at, labels });
    }

    /// Returns the first annotation of a queue that belongs to no segment yet.
    fn first(&self, queue: Option<&mut VecDeque<usize>>) -> Option<usize> {
        let queue = queue?;
        while self.others[*queue.front()?].is_none() {
            queue.pop_front();
        }
        queue.front().copied()
    }

    /// Returns the annotations that have the number of a segment, by that number.
    fn numbered(&self) -> HashMap<usize, usize> {
        let number = |(position, other): (usize, &Other<'_>)| Some((other.segment?, position));
        self.left().filter_map(number).collect()
    }

    /// Returns the annotations without a number and with one label, by place and label.
    fn single(&self) -> HashMap<(Place, &'a str), VecDeque<usize>> {
        let mut single: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (position, other) in self.left() {
            if let (None, [label]) = (other.segment, other.labels.as_slice()) {
                single.entry((other.at, *label)).or_default().push_back(position);
            }
        }
        single
    }

    /// Returns an annotation for each of several labels at a place.
    fn parts(
        &self,
        single: &mut HashMap<(Place, &'a str), VecDeque<usize>>,
        at: Place,
        labels: &[&'a str],
    ) -> Option<Vec<usize>> {
        let part = |label: &&'a str| self.first(single.get_mut(&(at, *label)));
        labels.iter().map(part).collect()
    }

    /// Takes the annotations that are as the corpus has them: with the number of their segment, or one or
    /// several at its place that have its labels. Their numbers may be those of an older corpus, so the
    /// place counts for more.
    fn take_same(&mut self) {
        let numbered = self.numbered();
        for (position, own) in self.own.iter().enumerate() {
            let found = numbered.get(&own.number).copied();
            let is_same = found.and_then(|found| self.others[found].as_ref());
            let is_same = is_same
                .is_some_and(|other| other.at == own.at && label_set(&other.labels) == own.labels);
            if is_same {
                self.settle(position, found.as_slice());
            }
        }
        let mut exact: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (position, other) in self.left() {
            let key = (other.at, label_set(&other.labels));
            exact.entry(key).or_default().push_back(position);
        }
        let mut single = self.single();
        for position in self.open() {
            let own = &self.own[position];
            let found = self.first(exact.get_mut(&(own.at, own.labels.clone())));
            let found = found.map(|found| vec![found]);
            let found = found.or_else(|| self.parts(&mut single, own.at, &own.labels));
            self.settle(position, &found.unwrap_or_default());
        }
    }

    /// Takes the annotations that have the number of a segment.
    fn take_numbered(&mut self) {
        let numbered = self.numbered();
        for position in self.open() {
            let found = numbered.get(&self.own[position].number).copied();
            self.settle(position, found.as_slice());
        }
    }

    /// Takes annotations at the place of a segment, until it has as many labels as before.
    fn relabel(&mut self) {
        let mut here: HashMap<Place, VecDeque<usize>> = HashMap::new();
        for (position, other) in self.left() {
            here.entry(other.at).or_default().push_back(position);
        }
        for position in self.open() {
            let own = &self.own[position];
            let mut labels = 0;
            let mut taken = Vec::new();
            let mut queue = here.get_mut(&own.at);
            while labels < own.labels.len()
                && let Some(next) = queue.as_mut().and_then(|queue| queue.pop_front())
            {
                labels += self.others[next].as_ref().map_or(0, |other| other.labels.len());
                taken.push(next);
            }
            self.settle(position, &taken);
        }
    }

    /// Pairs segments with annotations elsewhere that have the same labels.
    fn shift_with_labels(&mut self) {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut known = HashMap::new();
        for position in self.open() {
            let group = *known.entry(&self.own[position].labels).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(position);
        }
        let mut exact: HashMap<_, Vec<Item>> = HashMap::new();
        for (position, other) in self.left() {
            exact
                .entry(label_set(&other.labels))
                .or_default()
                .push(Item { at: other.at, others: vec![position] });
        }
        let mut single = self.single();
        let mut places: HashMap<&str, Vec<Place>> = HashMap::new();
        for (at, label) in single.keys() {
            places.entry(label).or_default().push(*at);
        }
        for group in groups {
            let labels = &self.own[group[0]].labels;
            let mut items = exact.remove(labels).unwrap_or_default();
            if let [first, _, ..] = labels.as_slice() {
                items.extend(places.get(first).into_iter().flatten().filter_map(|at| {
                    let others = self.parts(&mut single, *at, labels)?;
                    Some(Item { at: *at, others })
                }));
            }
            items.retain(|item| item.others.iter().all(|other| self.others[*other].is_some()));
            self.shift(&group, items, false);
        }
    }

    /// Pairs segments with annotations that they overlap.
    fn shift_overlapping(&mut self) {
        let item =
            |(position, other): (usize, &Other<'_>)| Item { at: other.at, others: vec![position] };
        let items = self.left().map(item).collect();
        self.shift(&self.open(), items, true);
    }

    /// Pairs `own` with `items`, those that overlap most first; if `must_overlap` is false, those that
    /// do not overlap with the nearest that is left.
    fn shift(&mut self, own: &[usize], mut items: Vec<Item>, must_overlap: bool) {
        items.sort_by_key(|item| item.at);
        // The end of the longest of the items up to each.
        let mut reach: Vec<usize> = Vec::with_capacity(items.len());
        for item in &items {
            reach.push(reach.last().map_or(item.at.1, |last| item.at.1.max(*last)));
        }
        let mut left: BTreeSet<usize> = (0..items.len()).collect();
        let best = |position: usize, left: &BTreeSet<usize>| {
            let own = &self.own[position];
            let until = items.partition_point(|item| item.at.0 < own.at.1);
            let mut near: Vec<usize> = Vec::new();
            for item in left.range(..until).rev() {
                near.push(*item);
                if reach[*item] <= own.at.0 {
                    break;
                }
            }
            near.extend(left.range(until..).next());
            let ranked = near.into_iter().map(|item| (rank(own, items[item].at), position, item));
            let best = ranked.min();
            best.filter(|((overlap, ..), ..)| !must_overlap || overlap.0 > 0)
        };
        let mut queue = BinaryHeap::new();
        queue.extend(own.iter().filter_map(|own| best(*own, &left).map(Reverse)));
        let mut settled = Vec::new();
        while let Some(Reverse((_, position, item))) = queue.pop() {
            if left.remove(&item) {
                settled.push((position, item));
            } else {
                queue.extend(best(position, &left).map(Reverse));
            }
        }
        for (position, item) in settled {
            self.settle(position, &items[item].others);
        }
    }

    /// Removes the segments and adds the annotations that are left; an annotation that only repeats labels of its
    /// place adds nothing.
    fn finish(self) -> Pairs<'a> {
        let removed = self.open();
        let pairs: Vec<Pair<'a>> = self.pairs.into_iter().flatten().collect();
        let labels =
            |pair: &Pair<'a>| pair.labels.iter().map(|label| (pair.at, *label)).collect::<Vec<_>>();
        let mut there: HashSet<(Place, &str)> = pairs.iter().flat_map(labels).collect();
        let mut added: Vec<Other<'a>> = self.others.into_iter().flatten().collect();
        added.retain(|other| {
            let new = other.labels.iter().map(|label| there.insert((other.at, label)));
            new.fold(false, |any, new| any | new)
        });
        Pairs { pairs, removed, added }
    }
}
