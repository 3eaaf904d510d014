//! Finds possible places for a segment: where its quoted text is, if its span does not cover that, and other
//! places of its words.

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memmem;

use crate::dialog::{Span, Turn};
use crate::lint::engine::{Applicability, Diagnostic};
use crate::lint::facts::alike::{Tolerance, alike, folded, is_blank, nearest, places_alike, trim};
use crate::lint::facts::slots::{distance, free_places, is_open, values_of};
use crate::lint::facts::spans::{SpanFault, covered};
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::edges::{cuts_word, offer_removal, offer_span, quoted, set_span, tidied};

/// The largest number of exact matches to offer: a single letter occurs everywhere.
const MATCHES: usize = 4;

/// The largest number of matches to look at before the given span, and after its start.
const NEAREST: usize = 64;

/// The number of bytes to search on either side of the given span. Turns of dialogs are shorter; in a
/// longer one, a place further away is unlikely to be right.
const REACH: usize = 1 << 14;

/// Returns the places of `words`, in any case, in the turn of a segment that no segment covers and that cut no word
/// and no token. Nearer ones come first. None in a turn that is too long to search.
pub fn unlabelled_places(
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    words: &str,
) -> Vec<Range<usize>> {
    let said = mention.said;
    let (Some(here), true) = (&mention.bytes, said.len() <= REACH) else {
        return Vec::new();
    };
    let text = folded(said, Tolerance::Case);
    let others = subject.mentions_of(mention.turn);
    let meet = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    let is_free = |place: &Range<usize>| {
        let mut labelled = others.iter().filter_map(|other| other.bytes.as_ref());
        !labelled.any(|other| meet(other, place))
            && !cuts_word(said, place)
            && mention.span_of(place).is_some()
    };
    let mut places = places_alike(&text, words, Tolerance::Case);
    places.sort_by_key(|place| (place.start.abs_diff(here.start), place.start));
    places.truncate(NEAREST);
    places.retain(is_free);
    let mut apart: Vec<Range<usize>> = Vec::new();
    for place in places {
        if !apart.iter().any(|other| meet(other, &place)) {
            apart.push(place);
        }
    }
    apart
}

/// Offers every place where a misplaced segment may belong and, last, to delete it.
pub fn offer_places(
    diagnostic: &mut Diagnostic,
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    problem: SpanFault,
) {
    if subject.dialog.units.is_tokens() {
        let span = mention.of.span;
        let swapped = span
            .filter(|span| span.start > span.end)
            .map(|span| Span { start: span.end, end: span.start });
        offer_slot_places(diagnostic, subject, mention, swapped);
        return;
    }
    let places = places(subject, mention, problem);
    let removal = if places.is_empty() { Applicability::Unsafe } else { Applicability::Display };
    let is_unsure = mention.of.is_normalised || may_be_described_wrongly(subject);
    let most = if is_unsure { Applicability::Unsafe } else { Applicability::Safe };
    for place in places {
        let applicability = place.applicability.min(most);
        offer_span(diagnostic, mention, place.range, applicability);
    }
    offer_removal(diagnostic, mention, removal);
}

/// True if most quotes of a dialog are not the text of their spans, and a user wrote the description that says where
/// these are: then the description is more likely to be wrong than the data.
fn may_be_described_wrongly(subject: &Subject<'_>) -> bool {
    if subject.format.path().is_none() {
        return false;
    }
    let mentions = subject.mentions().iter();
    let quoted = || {
        let all = mentions.clone();
        all.filter(|mention| mention.of.exact_quote().is_some())
    };
    2 * quoted().filter(|mention| mention.is_valid).count() < quoted().count()
}

/// A place where a segment may belong.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CandidateSpan {
    /// Byte range in its turn.
    pub range: Range<usize>,
    pub applicability: Applicability,
}

/// Returns the places where a misplaced segment may belong, the most likely first.
///
/// An annotator saw and marked the quoted text, so the search is for that: first exact matches, nearest
/// to the old span; then matches that ignore case, whitespace and punctuation; then matches with typos.
/// The old span wins only if it already covers the same words, written differently.
fn places(subject: &Subject<'_>, mention: &Mention<'_>, problem: SpanFault) -> Vec<CandidateSpan> {
    let mut found = CandidateSpans::default();
    let Some(search) = SpanSearch::new(subject, mention) else {
        return found.places;
    };
    if let SpanFault::OtherUnit(unit) = problem {
        found.extend(covered(mention, unit), Applicability::Safe);
    }
    if search.wanted.is_empty() {
        let here = tidied(subject, mention, &search.here);
        found.extend(here, Applicability::Unsafe);
        return found.places;
    }
    search.add_same_words_here(&mut found);
    if problem == SpanFault::OutOfRange {
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
struct CandidateSpans {
    places: Vec<CandidateSpan>,
}

impl CandidateSpans {
    fn extend(
        &mut self,
        ranges: impl IntoIterator<Item = Range<usize>>,
        applicability: Applicability,
    ) {
        for range in ranges {
            if !range.is_empty() && !self.places.iter().any(|place| place.range == range) {
                self.places.push(CandidateSpan { range, applicability });
            }
        }
    }
}

struct SpanSearch<'s, 'a> {
    subject: &'s Subject<'a>,
    mention: &'s Mention<'s>,
    /// The text to find, without whitespace at its edges.
    wanted: &'s str,
    /// The byte range of the span, cut at the end of the text; a reversed span is swapped.
    here: Range<usize>,
    /// The range to search.
    around: Range<usize>,
}

impl<'s, 'a> SpanSearch<'s, 'a> {
    fn new(subject: &'s Subject<'a>, mention: &'s Mention<'s>) -> Option<Self> {
        let span = mention.of.span?;
        let said = mention.said;
        let byte = |at: u32| mention.points.byte_of(at as usize).unwrap_or(said.len());
        let quote = mention.of.quote.as_deref().unwrap_or_default();
        let here = byte(span.start.min(span.end))..byte(span.end.max(span.start));
        let start = said.floor_char_boundary((here.start / REACH).saturating_sub(1) * REACH);
        let end = (here.end / REACH + 2) * REACH;
        Some(Self {
            subject,
            mention,
            wanted: quote.trim_matches(is_blank),
            here,
            around: start..said.ceil_char_boundary(end.min(said.len())),
        })
    }

    /// Adds the old span, swapped if it is reversed, if it covers the quoted words, written differently.
    fn add_same_words_here(&self, found: &mut CandidateSpans) {
        let here = trim(self.mention.said, self.here.clone());
        let text = &self.mention.said[here.clone()];
        if !text.is_empty() && alike(text, self.wanted, Tolerance::Case) {
            found.extend(Some(here), Applicability::Safe);
        }
    }

    /// Adds the rest of the text, if the quoted text begins with it: the text was cut short.
    fn add_cut_off(&self, found: &mut CandidateSpans) {
        let rest = trim(self.mention.said, self.here.start..self.mention.said.len());
        let text = &self.mention.said[rest.clone()];
        if !text.is_empty() && self.wanted.starts_with(text) {
            found.extend(Some(rest), Applicability::Unsafe);
        }
    }

    fn add_exact(&self, found: &mut CandidateSpans) {
        let said = self.mention.said;
        // Leave out places where the segment would be a duplicate.
        let mut ranges = self.matches();
        ranges.retain(|range| !self.is_duplicate(range));
        ranges.sort_by_cached_key(|range| self.rank(range));
        ranges.truncate(MATCHES);
        let (first, second) = (ranges.first(), ranges.get(1));
        let sure = first.map(|range| self.rank(range)).is_some_and(|(doubtful, near)| {
            let clear = |other| {
                let (worse, far) = self.rank(other);
                worse || far > near * 3 + 3
            };
            !doubtful && second.is_none_or(clear)
        });
        let mut ranges = ranges.into_iter();
        let first = if sure { Applicability::Safe } else { Applicability::Unsafe };
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

    /// Returns the places near the given span where the text is exactly the wanted one. Matches may overlap.
    fn matches(&self) -> Vec<Range<usize>> {
        let (text, wanted) = (self.mention.said.as_bytes(), self.wanted.as_bytes());
        let place = |start: usize| start..start + wanted.len();
        let finder = memmem::Finder::new(wanted);
        let mut from = self.here.start;
        let after = std::iter::from_fn(|| {
            let start = from + finder.find(text.get(from..self.around.end)?)?;
            from = start + 1;
            Some(place(start))
        });
        let finder = memmem::FinderRev::new(wanted);
        let mut end = (self.here.start + wanted.len() - 1).min(self.around.end);
        let before = std::iter::from_fn(|| {
            let start = self.around.start + finder.rfind(text.get(self.around.start..end)?)?;
            end = place(start).end - 1;
            Some(place(start))
        });
        before.take(NEAREST).chain(after.take(NEAREST)).collect()
    }

    /// Adds the places of the quoted text, written differently or with typos.
    fn add_similar(&self, found: &mut CandidateSpans) {
        let said = self.mention.said;
        let moved = |range: Range<usize>, by: usize| range.start + by..range.end + by;
        for ignore in [Tolerance::Case, Tolerance::Punctuation] {
            let text = folded(&said[self.around.clone()], ignore);
            let ranges = places_alike(&text, self.wanted, ignore);
            let ranges = ranges.into_iter().map(|range| moved(range, self.around.start));
            let mut ranges: Vec<_> = ranges.collect();
            let middle = ranges.partition_point(|range| range.start < self.here.start);
            ranges.truncate(middle + NEAREST);
            ranges.drain(..middle.saturating_sub(NEAREST));
            ranges.sort_by_cached_key(|range| self.rank(range));
            ranges.truncate(MATCHES);
            found.extend(ranges, Applicability::Unsafe);
        }
        // Among equally good places, the one within the span comes first.
        let here = trim(said, self.here.clone());
        let in_here = nearest(&folded(&said[here.clone()], Tolerance::Case), self.wanted)
            .map(|(range, slips)| (moved(range, here.start), slips));
        let text = folded(&said[self.around.clone()], Tolerance::Case);
        let around = nearest(&text, self.wanted)
            .map(|(range, slips)| (moved(range, self.around.start), slips));
        let mut slips: Vec<_> = in_here.into_iter().chain(around).collect();
        slips.sort_by_key(|(_, slips)| *slips);
        for (range, _) in slips {
            let tidied = tidied(self.subject, self.mention, &range);
            found.extend(tidied, Applicability::Unsafe);
        }
    }

    /// Returns the other segment that already covers exactly `range`.
    fn holder(&self, range: &Range<usize>) -> Option<&Mention<'a>> {
        let mut own = self.subject.mentions_of(self.mention.turn).iter();
        own.find(|other| {
            let is_here = other.is_valid && other.bytes.as_ref() == Some(range);
            is_here && other.segment != self.mention.segment
        })
    }

    fn is_duplicate(&self, range: &Range<usize>) -> bool {
        self.holder(range).is_some_and(|m| m.of.labels == self.mention.of.labels)
    }

    /// Returns the rank of a place, lower is better: whether it cuts a word or belongs to another segment, then
    /// how far both edges would move, in code points.
    fn rank(&self, range: &Range<usize>) -> (bool, u64) {
        let said = self.mention.said;
        let taken = self.holder(range).is_some();
        let (start, end) = self.mention.of.span.map_or((0, 0), |s| (s.start, s.end));
        let moved = self.mention.span_of(range).map_or(u64::MAX, |place| {
            u64::from(place.start.abs_diff(start)) + u64::from(place.end.abs_diff(end))
        });
        (taken || cuts_word(said, range), moved)
    }
}

/// Offers every place where the turn mentions the quote of the slot, if the corpus has quotes, else a value that its
/// acts or its state have for the slot, the nearest first; if there is none, a value that any act or state of the
/// dialog has for the slot. Then offers `span`, if it lies in the utterance, and last, as a manual fix, to delete the slot.
pub fn offer_slot_places(
    diagnostic: &mut Diagnostic,
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    span: Option<Span>,
) {
    let turn = &subject.dialog.turns[mention.turn];
    let Some(old) = mention.of.span else {
        return;
    };
    let quote = mention.of.quote.as_deref().filter(|quote| !is_open(quote));
    let quoted = quote.map(|quote| free_places(subject, mention.turn, mention.label(), quote));
    let mut places: Vec<Span> = quoted.into_iter().flatten().collect();
    if places.is_empty() {
        places = places_of(subject, mention, std::iter::once(turn));
    }
    if places.is_empty() {
        places = places_of(subject, mention, subject.dialog.turns.iter());
    }
    places.sort_by_key(|place| (distance(old, *place), *place));
    places.dedup();
    let far = |at: usize| places.get(at).map(|place| distance(old, *place));
    let sure = far(0) != far(1);
    for place in &places {
        // The same offsets, swapped, and acts or states confirm the text they cover.
        let swapped = Some(*place) == span && old.start > old.end;
        let applicability = match (sure, swapped) {
            (true, true) => Applicability::Safe,
            (true, false) => Applicability::Unsafe,
            (false, _) => Applicability::Display,
        };
        offer_slot_span(diagnostic, mention, turn, *place, applicability);
    }
    let length = turn.tokens.len() as u32;
    let inside = span.filter(|span| span.start < span.end && span.end <= length);
    if let Some(span) = inside {
        let applicability =
            if places.is_empty() { Applicability::Unsafe } else { Applicability::Display };
        offer_slot_span(diagnostic, mention, turn, span, applicability);
    }
    offer_removal(diagnostic, mention, Applicability::Display);
}

/// Returns the places where the turn mentions a value that one of `turns` has for the slot.
fn places_of<'s>(
    subject: &'s Subject<'_>,
    mention: &Mention<'_>,
    turns: impl Iterator<Item = &'s Turn>,
) -> Vec<Span> {
    let slot = mention.label();
    let values: BTreeSet<&str> = turns.flat_map(|turn| values_of(turn, slot)).collect();
    let values = values.into_iter().filter(|value| !is_open(value));
    values.flat_map(|value| free_places(subject, mention.turn, slot, value)).collect()
}

fn offer_slot_span(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    turn: &Turn,
    span: Span,
    applicability: Applicability,
) {
    let text = quoted(&turn.tokens[span.range()].join(" "));
    set_span(diagnostic, mention, span, &text, applicability);
}
