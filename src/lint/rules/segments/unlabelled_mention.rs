//! A value that is labelled elsewhere in the dialog is not labelled here.
//!
//! If every mention of a value should be labelled, a model learns from this one that it is not a
//! value. Many corpora label a value only where it is decided, so this rule is off by default.
//!
//! The rule reports whole words that a segment of the same dialog covers, in any case, but not
//! numbers or words of fewer than four letters.
//!
//! The fix adds a segment with the same labels (unsafe).
//!
//! ```text bad
//! user: two for «Dune»{name.movie}
//! assistant: two for Dune, right?
//! ```
//!
//! ```text good
//! user: two for «Dune»{name.movie}
//! assistant: two for «Dune»{name.movie}, right?
//! ```

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use foldhash::{HashSet, HashSetExt as _};

use crate::dialog::{Edit, Span};
use crate::lint::engine::{Applicability, Check, Diagnostic, Findings, Rule, Severity};
use crate::lint::facts::labels::{conflict, is_free_text};
use crate::lint::facts::{Mention, ParsedDialog, Subject};
use crate::lint::repair::{cuts_word, quoted};
use crate::ontology::Ontology;
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "unlabelled-mention",
    severity: Severity::Note,
    on: false,
    source: include_str!("unlabelled_mention.rs"),
    check: Check::Dialog(check),
};

/// A text, and the labels that it should have wherever it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledText {
    pub text: String,
    pub labels: Vec<String>,
}

/// Returns a problem for each mention of a text in a dialog that no segment covers, as the rule would report it, with
/// the fix that labels it.
pub fn mentions_to_label(read: ParsedDialog<'_>, wanted: &LabelledText) -> Vec<Diagnostic> {
    let ontology = Ontology::default();
    let subject = Subject::new(read, &ontology);
    let mut found = Vec::new();
    let value = Value {
        text: &wanted.text,
        labels: wanted.labels.iter().map(String::as_str).collect(),
        turn: None,
    };
    report(&subject, &[value], &mut Findings::new(&RULE, RULE.severity, &mut found));
    found
}

/// A text that is labelled somewhere.
struct Value<'v> {
    text: &'v str,
    labels: Vec<&'v str>,
    /// The turn in which it is labelled; None if that is elsewhere.
    turn: Option<usize>,
}

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    // Among several with the same text, the first counts.
    let mut known = HashSet::new();
    let is_new = |m: &&Mention<'_>| is_value(m) && known.insert(m.text().to_ascii_lowercase());
    let values = subject.mentions().iter().filter(is_new);
    let values = values.map(|mention| Value {
        text: mention.text(),
        labels: mention.of.labels.iter().map(|label| &*label.name).collect(),
        turn: Some(mention.turn),
    });
    report(subject, &values.collect::<Vec<_>>(), found);
}

/// Reports the mentions of these values that no segment covers.
fn report(subject: &Subject<'_>, values: &[Value<'_>], found: &mut Findings<'_>) {
    if values.is_empty() {
        return;
    }
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(values.iter().map(|value| value.text));
    // Building fails only for texts far larger than a dialog.
    let Ok(automaton) = automaton else {
        return;
    };
    for (position, turn) in subject.turns() {
        let mentions = subject.mentions_of(position);
        // A segment with a wrong span may be meant for this very mention.
        if !mentions.iter().all(|mention| mention.is_valid) {
            continue;
        }
        let mut places = None;
        let mut taken: Vec<&Range<usize>> = Vec::new();
        for hit in automaton.find_iter(&turn.text) {
            let range = hit.range();
            let value = &values[hit.pattern().as_usize()];
            if taken.is_empty() {
                taken = apart(mentions);
            }
            if cuts_word(&turn.text, &range) || shares(&taken, &range) {
                continue;
            }
            let places = places.get_or_insert_with(|| turn.places(subject.dialog.units));
            if let Some(span) = places.span_of(&range) {
                add(subject, found, position, span, value, &turn.text[range]);
            }
        }
    }
}

fn add(
    subject: &Subject<'_>,
    found: &mut Findings<'_>,
    turn: usize,
    span: Span,
    value: &Value<'_>,
    said: &str,
) {
    let text = quoted(said);
    let label = value.labels.first().copied().unwrap_or_default();
    let message = match value.turn {
        Some(turn) => format!("{text} is labelled {label} in turn {turn}, but not here"),
        None => format!("{text} is not labelled here"),
    };
    let Span { start, end } = span;
    let title = format!("label {start}..{end} as {}", value.labels.join(" + "));
    let edit = Edit::AddSegment {
        turn,
        start,
        end,
        labels: value.labels.iter().map(ToString::to_string).collect(),
    };
    let diagnostic = found.add(subject.location_of(turn), message);
    diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
}

/// True for a [valid](Mention::is_valid) segment whose text means the same wherever it occurs.
fn is_value(mention: &Mention<'_>) -> bool {
    let labels = &mention.of.labels;
    let text = mention.text();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let whole = mention.bytes.as_ref().is_some_and(|bytes| !cuts_word(mention.said, bytes));
    let edges = text.starts_with(char::is_alphanumeric) && text.ends_with(char::is_alphanumeric);
    let named = labels.iter().all(|l| !l.name.trim().is_empty() && !is_free_text(&l.name));
    let several = labels
        .iter()
        .skip(1)
        .any(|l| l.name == labels[0].name || conflict(&l.name, &labels[0].name));
    mention.is_valid && letters > 3 && whole && edges && named && !labels.is_empty() && !several
}

/// Returns the byte ranges of segments, ordered by start, without those inside others.
fn apart<'m>(mentions: &'m [Mention<'_>]) -> Vec<&'m Range<usize>> {
    let mut all: Vec<_> = mentions.iter().filter_map(|m| m.bytes.as_ref()).collect();
    all.sort_by_key(|bytes| (bytes.start, std::cmp::Reverse(bytes.end)));
    let mut end = 0;
    all.retain(|bytes| {
        let reaches = bytes.end > end;
        end = end.max(bytes.end);
        reaches
    });
    all
}

/// True if `range` overlaps one of `stretches`, none of which contains another.
fn shares(stretches: &[&Range<usize>], range: &Range<usize>) -> bool {
    let behind = stretches.partition_point(|bytes| bytes.end <= range.start);
    stretches.get(behind).is_some_and(|bytes| bytes.start < range.end)
}
