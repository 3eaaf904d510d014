//! Segments whose quotes are elsewhere in their turn, where quotes need not be the text of their spans.

use super::subject::Subject;
use crate::dialog::{Short, Span};

/// The most tokens of a segment that is looked at, and how many tokens before and behind its start are searched:
/// turns of dialogs are shorter.
const REACH: usize = 512;

/// The segments of a turn that are elsewhere than their quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuotesElsewhere {
    /// The number of segments with a quote.
    pub quotes: usize,
    /// The segments that cover something else although the turn has the tokens of their quote, each with the
    /// place of these, if there is only one.
    pub elsewhere: Vec<(usize, Option<Span>)>,
}

impl QuotesElsewhere {
    /// Those of turn `number`; None unless most of its quotes are elsewhere.
    pub fn of(subject: &Subject<'_>, number: usize) -> Option<Self> {
        let declared = subject.format.declared()?;
        let turn = subject.dialog.turns.get(number)?;
        if !subject.dialog.units.is_tokens() || turn.segments.is_empty() {
            return None;
        }
        let tokens: Vec<_> = turn.tokens.iter().map(folded).collect();
        let mut found = Self::default();
        for (position, segment) in turn.segments.iter().enumerate() {
            let element = subject.tree.value_at(segment.at.start);
            let quote = element.and_then(|element| declared.normalised_quote(element));
            let Some(quote) = quote.filter(|quote| !quote.trim().is_empty()) else {
                continue;
            };
            found.quotes += 1;
            let is_usual = |span: &Span| (1..=REACH).contains(&span.range().len());
            let Some(span) = segment.span.filter(is_usual) else {
                continue;
            };
            let covered = tokens.get(span.range()).map(|tokens| tokens.join(" "));
            let wanted = subject.dialog.units.tokens(&quote);
            let wanted: Vec<_> = wanted.into_iter().map(folded).collect();
            // "hotel" over "hotels" is where it belongs.
            if covered.is_some_and(|covered| covered.contains(&wanted.join(" "))) {
                continue;
            }
            let start = span.range().start.min(tokens.len());
            let near = start.saturating_sub(REACH)..tokens.len().min(start + REACH);
            let mut places = near.filter(|at| tokens[*at..].starts_with(&wanted));
            if let Some(first) = places.next() {
                let span = Span {
                    start: first as u32,
                    end: (first + wanted.len()) as u32,
                };
                found
                    .elsewhere
                    .push((position, places.next().is_none().then_some(span)));
            }
        }
        (2 * found.elsewhere.len() > found.quotes).then_some(found)
    }
}

fn folded(token: impl AsRef<str>) -> Short {
    token.as_ref().to_lowercase().into()
}
