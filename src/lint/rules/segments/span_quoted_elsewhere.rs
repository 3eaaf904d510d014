//! A segment covers other words than it quotes, although the turn has these words.
//!
//! A program that reads the offsets takes another value than one that reads the quote. Somebody moved the
//! segment without its quote, or its offsets are off by a word. If this is so of most segments of a turn, the
//! offsets probably count something else than the rest of the corpus does, or they were made for another
//! version of the text; then the problem is reported once for the turn, and its segments are not reported as
//! out of range.
//!
//! A quote alone is wrong, or missing, if acts of the turn have other values for the label, such as the text of
//! the segment.
//!
//! The rule is for corpora whose quotes need not be the text, such as those of `multiwoz`: "cheap" for "cheaper"
//! is all right there. In other corpora, span-text-mismatch reports every segment that differs from its quote.
//!
//! The fix moves the segment to the words that it quotes: the nearest ones, if they are in the turn more than
//! once. For a whole turn, it moves all segments, if each of their quotes is in the turn only once. It is
//! unsafe, or manual if two places are equally near. A quote that is wrong alone becomes the value that an act has
//! for the label, or the text of the segment; this is unsafe, too.
//!
//! ```json bad
//! {"goal": {}, "log": [{"text": "two of us on friday please", "metadata": {}, "dialog_act": {},
//!   "span_info": [["Hotel-Inform", "Day", "friday", 3, 3], ["Hotel-Inform", "People", "two", 7, 7]]}]}
//! ```
//!
//! ```json bad
//! {"goal": {}, "log": [{"text": "two of us on friday , in two rooms", "metadata": {}, "dialog_act": {},
//!   "span_info": [["Hotel-Inform", "Day", "friday", 4, 5], ["Hotel-Inform", "People", "two", 0, 0]]}]}
//! ```
//!
//! ```json good
//! {"goal": {}, "log": [{"text": "two of us on friday please", "metadata": {}, "dialog_act": {},
//!   "span_info": [["Hotel-Inform", "Day", "friday", 4, 4], ["Hotel-Inform", "People", "2", 0, 0]]}]}
//! ```

use crate::dialog::{Edit, Span};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::elsewhere::{QuoteElsewhere, QuotesElsewhere};
use crate::lint::facts::slots::act_values;
use crate::lint::facts::transcript::lower;
use crate::lint::facts::{Location, Subject};
use crate::lint::repair::quoted;
use crate::text::counted;

pub static RULE: Rule = Rule {
    name: "span-quoted-elsewhere",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_quoted_elsewhere.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.dialog.units.is_tokens() {
        return;
    }
    for (turn, _) in subject.turns() {
        let Some(quotes) = QuotesElsewhere::of(subject, turn) else {
            continue;
        };
        if quotes.are_most() {
            whole_turn(subject, turn, &quotes, found);
        } else {
            let of = subject.mentions_of(turn);
            // slot-out-of-range reports those outside the text.
            let is_inside = |one: &&QuoteElsewhere| {
                of.get(one.segment).is_some_and(|mention| mention.bytes.is_some())
            };
            for (position, quote) in &quotes.unsupported {
                unsupported(subject, turn, *position, quote, found);
            }
            for one in quotes.elsewhere.iter().filter(is_inside) {
                segment(subject, turn, one, found);
            }
        }
    }
}

fn whole_turn(
    subject: &Subject<'_>,
    turn: usize,
    QuotesElsewhere { quotes, elsewhere, .. }: &QuotesElsewhere,
    found: &mut Findings<'_>,
) {
    let message = format!(
        "{} of {} cover other words than they quote, and the turn has these words elsewhere",
        elsewhere.len(),
        counted(*quotes, "segment"),
    );
    let diagnostic = found.add(subject.location_of(turn), message);
    let edits = elsewhere.iter().map(|one| match one.places[..] {
        [place] => Some(moved(turn, one.segment, place)),
        _ => None,
    });
    if let Some(edits) = edits.collect() {
        let them = counted(elsewhere.len(), "segment");
        let title = format!("move {them} to the quoted words");
        diagnostic.fix(title, Applicability::Unsafe, edits);
    }
}

/// Reports a quote that no act has.
fn unsupported(
    subject: &Subject<'_>,
    turn: usize,
    position: usize,
    quote: &str,
    found: &mut Findings<'_>,
) {
    let Some(mention) = subject.mentions_of(turn).get(position) else {
        return;
    };
    let (text, label) = (mention.text(), mention.label());
    let of = &subject.dialog.turns[turn];
    let same = of.segments.iter().filter(|other| other.labels == mention.of.labels);
    let is_free = |value: &&str| {
        let mut quotes = same.clone().filter_map(|other| other.quote.as_ref());
        !quotes.any(|other| lower(other) == lower(value))
    };
    let mut values: Vec<&str> = act_values(of, label).filter(is_free).collect();
    values.dedup();
    let said = values.iter().find(|value| lower(value) == lower(text));
    let value = said.or(match values.as_slice() {
        [value] => Some(value),
        _ => None,
    });
    let is_but = match value {
        Some(value) => format!("but an act has {} for {label}", quoted(value)),
        None => format!("which no act has for {label}"),
    };
    let message = format!("{} is quoted as {}, {is_but}", quoted(text), quoted(quote));
    let diagnostic = found.add(mention.location(), message);
    let meant = value.copied().unwrap_or(text);
    for text in [meant, text] {
        if text.is_empty() || diagnostic.fixes.len() == 1 && text == meant {
            continue;
        }
        let edit = Edit::SetQuote { turn, segment: position, text: Some(text.to_owned()) };
        let title = format!("change the quoted text to {}", quoted(text));
        diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
    }
}

fn segment(subject: &Subject<'_>, turn: usize, one: &QuoteElsewhere, found: &mut Findings<'_>) {
    let Some(of) = subject.dialog.turns[turn].segments.get(one.segment) else {
        return;
    };
    let location = Location { segment: Some(one.segment), ..subject.location_at(turn, of.at) };
    let (quote, text) = (quoted(&one.quote), subject.mentions_of(turn).get(one.segment));
    let text = quoted(text.map_or("", |mention| mention.text()));
    let message = match one.places[..] {
        [_] => format!("{text} is quoted as {quote}, which the turn has elsewhere"),
        _ => format!("{text} is quoted as {quote}, which the turn has at other places"),
    };
    let diagnostic = found.add(location, message);
    let distance = |place: &Span| {
        let span = of.span.unwrap_or(*place);
        place.start.abs_diff(span.start) + place.end.abs_diff(span.end)
    };
    for place in one.places.iter().take(2) {
        let mut nearer = one.places.iter().filter(|other| distance(other) <= distance(place));
        let applicability = match nearer.nth(1) {
            None => Applicability::Unsafe,
            Some(_) => Applicability::Display,
        };
        let title = format!("move to {place}, {quote}");
        diagnostic.fix(title, applicability, vec![moved(turn, one.segment, *place)]);
    }
}

fn moved(turn: usize, segment: usize, place: Span) -> Edit {
    Edit::SetSpan { turn, segment, start: place.start, end: place.end }
}
