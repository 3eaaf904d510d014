//! Segments whose quotes are elsewhere in their turn, where quotes need not be the text of their spans.

use super::slots::act_values;
use super::subject::Subject;
use super::transcript::lower;
use crate::dialog::{Label, Segment, Short, Span, Turn};

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
