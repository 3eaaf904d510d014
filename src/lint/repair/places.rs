//! Where a segment may belong whose numbers do not cover what it quotes.

use std::ops::Range;

use super::alike::{Ignore, alike, folded, nearest, places_alike};
use super::{cuts_word, tidied, trim};
use crate::lint::misplaced::{Misplaced, covered};
use crate::lint::{Applicability, Mention, Subject};

/// Places that say what is quoted and are offered, at the most: a single letter is everywhere.
const MATCHES: usize = 4;

/// Bytes on either side of the old numbers in which what is quoted is looked for. No turn of a dialog is as
/// long, and where one is, what is farther away is hardly meant.
const REACH: usize = 1 << 14;

/// A place that a segment may be meant to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bytes of its turn.
    pub range: Range<usize>,
    pub applicability: Applicability,
}

/// The places where a misplaced segment may belong, the most likely first.
///
/// What was quoted is what somebody has seen and marked, so it is looked for: to the letter, nearest
/// to the old numbers; then without regard to case, blanks and punctuation; then with slips. Only
/// where the numbers cover the same words already, written in another way, they are believed.
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
    search.covers_it_already(&mut found);
    if problem == Misplaced::OutOfRange {
        search.is_cut_off(&mut found);
    }
    search.to_the_letter(&mut found);
    if found.places.is_empty() {
        search.nearly(&mut found);
    }
    // Somebody has to see whether the numbers or the quoted text are right.
    let here = trim(mention.said, search.here.clone());
    if !cuts_word(mention.said, &here) {
        found.extend(Some(here), Applicability::Display);
    }
    found.places
}

/// Places in their order, each once.
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
    /// What is looked for, without blanks at its edges.
    wanted: &'s str,
    /// What the numbers cover, as far as the text goes; the lower of them first.
    here: Range<usize>,
    /// Where it is looked for.
    around: Range<usize>,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(subject: &'s Subject<'a>, mention: &'s Mention<'s>) -> Option<Self> {
        let span = mention.of.span?;
        let said = mention.said;
        let byte = |at: u32| mention.points.byte_of(at as usize).unwrap_or(said.len());
        let quote = mention.of.quote.as_deref().unwrap_or_default();
        let here = byte(span.start.min(span.end))..byte(span.end.max(span.start));
        // Segments that are near each other share what is worked out for the text around them.
        let start = said.floor_char_boundary((here.start / REACH).saturating_sub(1) * REACH);
        let end = (here.end / REACH + 2) * REACH;
        Some(Self {
            subject,
            mention,
            wanted: quote.trim_matches(super::is_blank),
            here,
            around: start..said.ceil_char_boundary(end.min(said.len())),
        })
    }

    /// The numbers cover the quoted words, which are only written in another way; or they do so once
    /// they are swapped.
    fn covers_it_already(&self, found: &mut Found) {
        let here = trim(self.mention.said, self.here.clone());
        let text = &self.mention.said[here.clone()];
        if !text.is_empty() && alike(text, self.wanted, Ignore::Case) {
            found.extend(Some(here), Applicability::Safe);
        }
    }

    /// The text ends within what is quoted: it was cut short.
    fn is_cut_off(&self, found: &mut Found) {
        let rest = trim(self.mention.said, self.here.start..self.mention.said.len());
        let text = &self.mention.said[rest.clone()];
        if !text.is_empty() && self.wanted.starts_with(text) {
            found.extend(Some(rest), Applicability::Unsafe);
        }
    }

    fn to_the_letter(&self, found: &mut Found) {
        let said = self.mention.said;
        // There it would say once more what is said there already.
        let mut ranges = self.matches();
        ranges.retain(|range| !self.is_said(range));
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
        // What is quoted may be cut itself, and the numbers cover the whole of it.
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

    /// Every place around the numbers that says just what is wanted.
    fn matches(&self) -> Vec<Range<usize>> {
        let text = &self.mention.said[self.around.clone()];
        let finder = memchr::memmem::Finder::new(self.wanted);
        let (mut found, mut from) = (Vec::new(), 0);
        while let Some(at) = finder.find(&text.as_bytes()[from..]) {
            let start = self.around.start + from + at;
            found.push(start..start + self.wanted.len());
            // Matches may overlap.
            from += at + text[from + at..].chars().next().map_or(1, char::len_utf8);
        }
        found
    }

    /// Where what is quoted stands, written in another way, or with slips.
    fn nearly(&self, found: &mut Found) {
        let said = self.mention.said;
        let moved = |range: Range<usize>, by: usize| range.start + by..range.end + by;
        for ignore in [Ignore::Case, Ignore::Punctuation] {
            let text = self.subject.folded(self.mention.turn, &self.around, ignore);
            let ranges = places_alike(&text, self.wanted, ignore);
            let ranges = ranges
                .into_iter()
                .map(|range| moved(range, self.around.start));
            let mut ranges: Vec<_> = ranges.collect();
            ranges.sort_by_cached_key(|range| self.rank(range));
            ranges.truncate(MATCHES);
            found.extend(ranges, Applicability::Unsafe);
        }
        // Of equally good places the one that the numbers name.
        let here = trim(said, self.here.clone());
        let in_here = nearest(&folded(&said[here.clone()], Ignore::Case), self.wanted)
            .map(|(range, slips)| (moved(range, here.start), slips));
        let text = (self.subject).folded(self.mention.turn, &self.around, Ignore::Case);
        let around = nearest(&text, self.wanted)
            .map(|(range, slips)| (moved(range, self.around.start), slips));
        let mut slips: Vec<_> = in_here.into_iter().chain(around).collect();
        slips.sort_by_key(|(_, slips)| *slips);
        for (range, _) in slips {
            let tidied = tidied(self.subject, self.mention, &range);
            found.extend(tidied, Applicability::Unsafe);
        }
    }

    /// The segment that stands on a place already.
    fn holder(&self, range: &Range<usize>) -> Option<&Mention<'a>> {
        let mut standing = self.subject.standing_on(self.mention.turn, range);
        standing.find(|m| m.segment != self.mention.segment)
    }

    fn is_said(&self, range: &Range<usize>) -> bool {
        self.holder(range)
            .is_some_and(|m| m.of.labels == self.mention.of.labels)
    }

    /// What counts against a place: that it cuts a word or is another segment's, then how far both
    /// edges would have to move.
    fn rank(&self, range: &Range<usize>) -> (bool, u64) {
        let said = self.mention.said;
        let taken = self.holder(range).is_some();
        let (start, end) = self.mention.of.span.map_or((0, 0), |s| (s.start, s.end));
        let place = self.mention.span_of(range);
        let moved = u64::from(place.start.abs_diff(start)) + u64::from(place.end.abs_diff(end));
        (taken || cuts_word(said, range), moved)
    }
}
