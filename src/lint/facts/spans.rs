//! Segments whose spans or quotes are wrong: each has exactly one kind of fault, so that only one rule reports it.

use std::cmp::Ordering;

use crate::dialog::{Issue, IssueKind, Label, Segment, Short, Span, Turn};
use crate::lint::facts::slots::act_values;
use crate::lint::facts::subject::{Mention, Subject};
use crate::lint::facts::transcript::lower;

/// The fault in the span of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanFault {
    /// It ends before it starts.
    Reversed,
    /// It is empty or covers only whitespace.
    Empty,
    /// Its offsets are right if they count this unit.
    OtherUnit(OffsetUnit),
    /// It extends past the end of the text.
    OutOfRange,
    /// It covers other text than it quotes.
    Mismatch,
}

/// The unit that offsets count instead of code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetUnit {
    /// UTF-16 code units, as in Java and JavaScript: an emoji counts as two.
    Utf16,
    /// Bytes of UTF-8: a letter with an accent counts as two.
    Bytes,
    /// Code points, but the end is the last one covered.
    InclusiveEnd,
}

impl OffsetUnit {
    const ALL: [Self; 3] = [Self::Utf16, Self::Bytes, Self::InclusiveEnd];

    /// For messages: "counted in UTF-16 units".
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf16 => "UTF-16 units",
            Self::Bytes => "bytes",
            Self::InclusiveEnd => "code points with an inclusive end",
        }
    }
}

/// Returns the fault of a segment's span; None if there is no fault or no span.
///
/// Spans that count tokens quote no text; for them, only reversed and empty spans are faults here.
pub fn misplaced(subject: &Subject<'_>, mention: &Mention<'_>) -> Option<SpanFault> {
    if mention.is_valid {
        return None;
    }
    let span = mention.of.span?;
    if subject.dialog.units.is_tokens() {
        return match span.start.cmp(&span.end) {
            Ordering::Greater => Some(SpanFault::Reversed),
            Ordering::Equal => Some(SpanFault::Empty),
            Ordering::Less => None,
        };
    }
    Some(if span.start > span.end {
        SpanFault::Reversed
    } else if let Some(unit) = other_unit(subject, mention) {
        SpanFault::OtherUnit(unit)
    } else if span.start == span.end {
        SpanFault::Empty
    } else if mention.bytes.is_none() {
        SpanFault::OutOfRange
    } else if mention.of.exact_quote().is_none() || quotes_only_spaces(mention) {
        SpanFault::Empty
    } else {
        SpanFault::Mismatch
    })
}

/// True if a segment covers exactly the text it quotes. If it is not valid, that text is only whitespace.
fn quotes_only_spaces(mention: &Mention<'_>) -> bool {
    mention.of.exact_quote() == Some(mention.text())
}

/// Returns the unit in which a segment covers exactly what it quotes.
fn other_unit(subject: &Subject<'_>, mention: &Mention<'_>) -> Option<OffsetUnit> {
    let fits = |unit: &OffsetUnit| covered(mention, *unit).is_some();
    let unit = OffsetUnit::ALL.into_iter().find(fits)?;
    // A single end may be off by one for other reasons.
    (unit != OffsetUnit::InclusiveEnd || all_ends_are_inclusive(subject)).then_some(unit)
}

/// Returns the byte range that a segment covers in its turn if its offsets count `unit`; None unless that is
/// the text it quotes.
pub fn covered(mention: &Mention<'_>, unit: OffsetUnit) -> Option<std::ops::Range<usize>> {
    let span = mention.of.span?.range();
    let quote = mention.of.exact_quote();
    // Whitespace occurs everywhere and proves nothing.
    let quote = quote.filter(|quote| !quote.trim().is_empty())?;
    let said = mention.said;
    let bytes = match unit {
        OffsetUnit::Bytes => span,
        OffsetUnit::Utf16 => {
            let byte = |units| mention.points.byte_of_utf16(units);
            byte(span.start)?..byte(span.end)?
        }
        OffsetUnit::InclusiveEnd => mention.points.range(span.start, span.end + 1)?,
    };
    (said.get(bytes.clone()) == Some(quote)).then_some(bytes)
}

/// The number of segments that show how a dialog counts.
const SEEN: usize = 64;

/// True if no segment of the dialog is valid, but several would be with an inclusive end. Only the first
/// [`SEEN`] segments count.
fn all_ends_are_inclusive(subject: &Subject<'_>) -> bool {
    let mut inclusive = 0;
    for mention in subject.mentions().iter().take(SEEN) {
        if mention.is_valid {
            return false;
        }
        inclusive += usize::from(covered(mention, OffsetUnit::InclusiveEnd).is_some());
    }
    inclusive > 1
}

/// The most tokens of a segment that is looked at, and how many tokens before and behind its start are searched:
/// turns of dialogs are shorter.
const REACH: usize = 512;

/// The most places of a quote that are looked at.
const PLACES: usize = 16;

/// The segments of a turn that are elsewhere than their quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuotesElsewhere {
    /// The number of segments with a quote.
    pub quotes: usize,
    /// The segments that cover something else although the turn has the tokens of their quote.
    pub elsewhere: Vec<QuoteElsewhere>,
    /// The segments whose quote is not the value that an act has for their label, each with its quote.
    pub unsupported: Vec<(usize, Short)>,
}

/// A segment that is elsewhere than its quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteElsewhere {
    /// Its position in the turn.
    pub segment: usize,
    pub quote: Short,
    /// The places of the tokens of its quote, the nearest first.
    pub places: Vec<Span>,
}

/// A segment with a quote that need not be its text.
struct Quoted {
    segment: usize,
    span: Option<Span>,
    quote: Short,
    /// The tokens of the quote, in lower case; none if the quote is empty.
    wanted: Vec<Short>,
}

impl QuotesElsewhere {
    /// Returns those of turn `number`; None if there are none.
    pub fn of(subject: &Subject<'_>, number: usize) -> Option<Self> {
        let turn = subject.dialog.turns.get(number)?;
        if !subject.dialog.units.is_tokens() || turn.segments.is_empty() {
            return None;
        }
        let segments = turn.segments.iter().enumerate();
        let quoted = segments.filter_map(|(position, segment)| {
            let quote = Short::from(segment.normalised_quote()?);
            let wanted = subject.dialog.units.tokens(&quote);
            Some(Quoted {
                segment: position,
                span: segment.span,
                wanted: wanted.into_iter().map(lower).collect(),
                quote,
            })
        });
        let quoted: Vec<Quoted> = quoted.collect();
        if quoted.is_empty() {
            return None;
        }
        let tokens: Vec<_> = turn.tokens.iter().map(|token| lower(token)).collect();
        let label = |one: &Quoted| turn.segments[one.segment].labels.first();
        let is_quote_wrong = |one: &Quoted| {
            let is_value = |label: &Label| one.is_value_of_act(&tokens, turn, &label.name);
            one.segment < REACH && label(one).is_some_and(is_value)
        };
        let others = quoted.iter().filter(|one| !is_quote_wrong(one));
        let elsewhere: Vec<_> = others.filter_map(|one| one.elsewhere(&tokens, &quoted)).collect();
        let is_unsupported = |one: &&Quoted| {
            let has_others = |label: &Label| has_other_values(turn, &label.name, &one.quote);
            !elsewhere.iter().any(|other| other.segment == one.segment)
                && !one.is_here(&tokens)
                && (is_quote_wrong(one) || label(one).is_some_and(has_others))
        };
        let unsupported = quoted.iter().take(REACH).filter(is_unsupported);
        let unsupported: Vec<_> = unsupported.map(|one| (one.segment, one.quote.clone())).collect();
        (!elsewhere.is_empty() || !unsupported.is_empty()).then_some(Self {
            quotes: quoted.len(),
            elsewhere,
            unsupported,
        })
    }

    /// True if most of several quotes are elsewhere: the offsets of the turn as a whole are wrong.
    pub fn are_most(&self) -> bool {
        self.quotes > 1 && 2 * self.elsewhere.len() > self.quotes
    }
}

/// True if acts of the turn have values for a label, which is the name and the slot of an act, but not this one.
fn has_other_values(turn: &Turn, label: &str, value: &str) -> bool {
    let mut values = act_values(turn, label);
    let value = lower(value);
    let is_other = |other: &str| lower(other) != value;
    values.next().is_some_and(is_other) && values.all(is_other)
}

impl Quoted {
    /// Returns the tokens that the segment covers; None if it is empty, too long, or reaches beyond the turn.
    fn covered<'t>(&self, tokens: &'t [Short]) -> Option<&'t [Short]> {
        let span = self.span?.range();
        tokens.get(span).filter(|covered| (1..=REACH).contains(&covered.len()))
    }

    fn is_here(&self, tokens: &[Short]) -> bool {
        self.covered(tokens) == Some(&self.wanted)
    }

    /// True if the segment does not cover its quote, but what an act has for its label and no segment quotes: then
    /// only the quote is wrong.
    fn is_value_of_act(&self, tokens: &[Short], turn: &Turn, label: &str) -> bool {
        let Some(covered) = self.covered(tokens).filter(|_| !self.is_here(tokens)) else {
            return false;
        };
        let text = covered.join(" ");
        let is_text = |value: &str| lower(value) == text;
        let of_label =
            |segment: &&Segment| segment.labels.first().is_some_and(|own| own.name == label);
        let near = turn.segments.iter().take(REACH);
        let mut quotes = near.filter(of_label).filter_map(|own| own.quote.as_ref());
        act_values(turn, label).any(is_text) && !quotes.any(|quote| is_text(quote))
    }

    /// Returns the segment if its quote is elsewhere among the tokens of the turn, or the segment covers more
    /// than its quote. Places that another segment with this quote covers do not count.
    fn elsewhere(&self, tokens: &[Short], all: &[Self]) -> Option<QuoteElsewhere> {
        let is_usual =
            |span: &Span| (1..=REACH).contains(&span.range().len()) && !self.wanted.is_empty();
        let span = self.span.filter(is_usual)?;
        let is_here =
            |at: usize| tokens.get(at..).is_some_and(|rest| rest.starts_with(&self.wanted));
        let covered = tokens.get(span.range());
        if let Some(covered) = covered {
            if covered == self.wanted {
                return None;
            }
            let last = (span.range().end + 1).saturating_sub(self.wanted.len());
            let has_all = (span.range().start..last).any(is_here);
            // "hotel" over "hotels" is where it belongs.
            if !has_all && covered.join(" ").contains(&self.wanted.join(" ")) {
                return None;
            }
        }
        let start = span.range().start.min(tokens.len());
        let near = start.saturating_sub(REACH)..tokens.len().min(start + REACH);
        let place = |at: usize| Span { start: at as u32, end: (at + self.wanted.len()) as u32 };
        let places = near.filter(|at| is_here(*at)).map(place).take(PLACES);
        let taken = |place: &Span| {
            let mut same = all.iter().take(REACH).filter(|other| other.wanted == self.wanted);
            same.any(|other| other.span == Some(*place))
        };
        let mut places: Vec<_> = places.filter(|place| !taken(place)).collect();
        let distance =
            |place: &Span| place.start.abs_diff(span.start) + place.end.abs_diff(span.end);
        places.sort_by_key(distance);
        (!places.is_empty()).then(|| QuoteElsewhere {
            segment: self.segment,
            quote: self.quote.clone(),
            places,
        })
    }
}

/// Returns the segment that an issue is about, if the issue is that an offset is a string.
pub fn mention_with_string_index<'s, 'a>(
    subject: &'s Subject<'a>,
    issue: &Issue,
) -> Option<&'s Mention<'a>> {
    let IssueKind::Wrong { field, found, .. } = &issue.problem else {
        return None;
    };
    if !matches!(*field, "start_index" | "end_index") || !found.starts_with('"') {
        return None;
    }
    let location = subject.location_in(issue.at);
    let mention = subject.mentions_of(location.turn?).get(location.segment?)?;
    mention.of.span.is_some().then_some(mention)
}

/// True if an issue is about the label of a vote.
pub fn is_vote_label(subject: &Subject<'_>, issue: &Issue) -> bool {
    let label = matches!(issue.problem, IssueKind::Wrong { field: "breakdown", .. });
    let turns = &subject.dialog.turns;
    let of_vote = |turn: usize| turns.get(turn).is_some_and(|t| !t.votes.is_empty());
    label && issue.turn.is_some_and(of_vote)
}
