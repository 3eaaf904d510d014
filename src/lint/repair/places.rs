//! Finds the places where a segment may belong whose span does not cover its quoted text.

use std::ops::Range;

use super::alike::{Ignore, alike, nearest, places_alike};
use super::{cuts_word, tidied, trim};
use crate::lint::misplaced::{Misplaced, covered};
use crate::lint::{Applicability, Mention, Subject};
use crate::text::{byte_of, count};

/// The largest number of exact matches to offer: a single letter occurs everywhere.
const MATCHES: usize = 4;

/// A place where a segment may belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Byte range in its turn.
    pub range: Range<usize>,
    pub applicability: Applicability,
}

/// The places where a misplaced segment may belong, the most likely first.
///
/// An annotator saw and marked the quoted text, so the search is for that: first exact matches, nearest
/// to the old span; then matches that ignore case, whitespace and punctuation; then matches with typos.
/// The old span wins only if it already covers the same words, written differently.
pub fn places(subject: &Subject<'_>, mention: &Mention<'_>, problem: Misplaced) -> Vec<Place> {
    let mut found = Found::default();
    let Some(search) = Search::new(subject, mention) else {
        return found.places;
    };
    if let Misplaced::OtherUnit(unit) = problem {
        found.extend(covered(mention, unit), Applicability::Safe);
    }
    if search.wanted.is_empty() {
        let here = tidied(subject, mention, &search.here);
        found.extend(here, Applicability::Unsafe);
        return found.places;
    }
    search.add_same_words_here(&mut found);
    if problem == Misplaced::OutOfRange {
        search.add_cut_off(&mut found);
    }
    search.add_exact(&mut found);
    if found.places.is_empty() {
        search.add_similar(&mut found);
    }
    // A person has to decide whether the span or the quoted text is right.
    let here = trim(mention.said, search.here.clone());
    if !cuts_word(mention.said, &here) {
        found.extend(Some(here), Applicability::Display);
    }
    found.places
}

/// Places in order, each once.
#[derive(Default)]
struct Found {
    places: Vec<Place>,
}

impl Found {
    fn extend(
        &mut self,
        ranges: impl IntoIterator<Item = Range<usize>>,
        applicability: Applicability,
    ) {
        for range in ranges {
            if !range.is_empty() && !self.places.iter().any(|place| place.range == range) {
                self.places.push(Place {
                    range,
                    applicability,
                });
            }
        }
    }
}

struct Search<'s, 'a> {
    subject: &'s Subject<'a>,
    mention: &'s Mention<'s>,
    /// The text to find, without whitespace at its edges.
    wanted: &'s str,
    /// The byte range of the span, cut at the end of the text; a reversed span is swapped.
    here: Range<usize>,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(subject: &'s Subject<'a>, mention: &'s Mention<'s>) -> Option<Self> {
        let span = mention.of.span?;
        let said = mention.said;
        let byte = |at: u32| byte_of(said, at as usize).unwrap_or(said.len());
        let quote = mention.of.quote.as_deref().unwrap_or_default();
        Some(Self {
            subject,
            mention,
            wanted: quote.trim_matches(super::is_blank),
            here: byte(span.start.min(span.end))..byte(span.end.max(span.start)),
        })
    }

    /// Adds the old span, swapped if it is reversed, if it covers the quoted words, written differently.
    fn add_same_words_here(&self, found: &mut Found) {
        let here = trim(self.mention.said, self.here.clone());
        let text = &self.mention.said[here.clone()];
        if !text.is_empty() && alike(text, self.wanted, Ignore::Case) {
            found.extend(Some(here), Applicability::Safe);
        }
    }

    /// Adds the rest of the text, if the quoted text begins with it: the text was cut short.
    fn add_cut_off(&self, found: &mut Found) {
        let rest = trim(self.mention.said, self.here.start..self.mention.said.len());
        let text = &self.mention.said[rest.clone()];
        if !text.is_empty() && self.wanted.starts_with(text) {
            found.extend(Some(rest), Applicability::Unsafe);
        }
    }

    fn add_exact(&self, found: &mut Found) {
        let said = self.mention.said;
        let starts = said.char_indices().map(|(at, _)| at);
        let matches = starts.filter(|at| said[*at..].starts_with(self.wanted));
        let ranges = matches.map(|at| at..at + self.wanted.len());
        // Leave out places where the segment would be a duplicate.
        let mut ranges: Vec<_> = ranges.filter(|range| !self.is_duplicate(range)).collect();
        ranges.sort_by_cached_key(|range| self.rank(range));
        ranges.truncate(MATCHES);
        let (first, second) = (ranges.first(), ranges.get(1));
        let sure = first
            .map(|range| self.rank(range))
            .is_some_and(|(doubtful, near)| {
                let clear = |other| {
                    let (worse, far) = self.rank(other);
                    worse || far > near * 3 + 3
                };
                !doubtful && second.is_none_or(clear)
            });
        let mut ranges = ranges.into_iter();
        let first = if sure {
            Applicability::Safe
        } else {
            Applicability::Unsafe
        };
        let next = ranges.next();
        // The quoted text itself may cut a word that the span covers as a whole.
        let cut = next.clone().filter(|range| cuts_word(said, range));
        let whole = cut.map(|range| tidied(self.subject, self.mention, &range));
        let whole = whole.unwrap_or_default();
        let here = trim(said, self.here.clone());
        if whole.contains(&here) {
            found.extend(Some(here), Applicability::Unsafe);
        }
        found.extend(next, first);
        found.extend(ranges, Applicability::Unsafe);
        found.extend(whole, Applicability::Unsafe);
    }

    /// Adds the places of the quoted text, written differently or with typos.
    fn add_similar(&self, found: &mut Found) {
        let said = self.mention.said;
        for ignore in [Ignore::Case, Ignore::Punctuation] {
            let mut ranges = places_alike(said, self.wanted, ignore);
            ranges.sort_by_cached_key(|range| self.rank(range));
            ranges.truncate(MATCHES);
            found.extend(ranges, Applicability::Unsafe);
        }
        // Among equally good places, the one within the span comes first.
        let here = trim(said, self.here.clone());
        let in_here = nearest(&said[here.clone()], self.wanted)
            .map(|(range, slips)| (here.start + range.start..here.start + range.end, slips));
        let mut slips: Vec<_> = in_here
            .into_iter()
            .chain(nearest(said, self.wanted))
            .collect();
        slips.sort_by_key(|(_, slips)| *slips);
        for (range, _) in slips {
            let tidied = tidied(self.subject, self.mention, &range);
            found.extend(tidied, Applicability::Unsafe);
        }
    }

    /// The other segment that already covers exactly `range`.
    fn holder(&self, range: &Range<usize>) -> Option<&Mention<'a>> {
        let turn = self.subject.mentions_of(self.mention.turn);
        let other = |m: &&Mention<'_>| m.segment != self.mention.segment && m.sound;
        let mut others = turn.iter().filter(other);
        others.find(|m| m.bytes.as_ref() == Some(range))
    }

    fn is_duplicate(&self, range: &Range<usize>) -> bool {
        self.holder(range)
            .is_some_and(|m| m.of.labels == self.mention.of.labels)
    }

    /// The rank of a place, lower is better: whether it cuts a word or belongs to another segment, then
    /// how far both edges would move, in code points.
    fn rank(&self, range: &Range<usize>) -> (bool, usize) {
        let said = self.mention.said;
        let taken = self.holder(range).is_some();
        let (start, end) = self.mention.of.span.map_or((0, 0), |s| (s.start, s.end));
        let at = count(&said[..range.start]);
        let length = count(&said[range.clone()]);
        let moved = at.abs_diff(start as usize) + (at + length).abs_diff(end as usize);
        (taken || cuts_word(said, range), moved)
    }
}
