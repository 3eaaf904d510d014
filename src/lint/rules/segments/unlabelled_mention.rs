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

use crate::dialog::Edit;
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::labels::{conflict, is_free_text};
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::{cuts_word, quoted};
use crate::text::{CodePoints, Units};

pub static RULE: Rule = Rule {
    name: "unlabelled-mention",
    severity: Severity::Note,
    on: false,
    source: include_str!("unlabelled_mention.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    // Among several with the same text, the first counts.
    let mut known = HashSet::new();
    let is_new = |m: &&Mention<'_>| is_value(m) && known.insert(m.text().to_ascii_lowercase());
    let values: Vec<&Mention<'_>> = subject.mentions().iter().filter(is_new).collect();
    if values.is_empty() {
        return;
    }
    let texts = values.iter().map(|mention| mention.text());
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(texts);
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
        let mut points = None;
        let mut taken: Vec<&Range<usize>> = Vec::new();
        for hit in automaton.find_iter(&turn.text) {
            let range = hit.range();
            let value = values[hit.pattern().as_usize()];
            if taken.is_empty() {
                taken = apart(mentions);
            }
            if cuts_word(&turn.text, &range) || shares(&taken, &range) {
                continue;
            }
            let points = points.get_or_insert_with(|| CodePoints::new(&turn.text));
            add(subject, found, (position, points), value, &range);
        }
    }
}

fn add(
    subject: &Subject<'_>,
    found: &mut Findings<'_>,
    (turn, points): (usize, &CodePoints<'_>),
    value: &Mention<'_>,
    range: &Range<usize>,
) {
    let said = &subject.dialog.turns[turn].text;
    let text = quoted(&said[range.clone()]);
    let message = format!(
        "{text} is labelled {} in turn {}, but not here",
        value.label(),
        value.turn
    );
    let [start, end] = [range.start, range.end].map(|at| points.before(at) as u32);
    let labels: Vec<String> = value.of.labels.iter().map(|l| l.name.to_string()).collect();
    let title = format!("label {start}..{end} as {}", labels.join(" + "));
    let edit = Edit::AddSegment {
        turn,
        start,
        end,
        labels,
    };
    let diagnostic = found.add(subject.location_of(turn), message);
    diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
}

/// True for a [valid](Mention::is_valid) segment whose text means the same wherever it occurs.
fn is_value(mention: &Mention<'_>) -> bool {
    let labels = &mention.of.labels;
    let text = mention.text();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let whole = mention
        .bytes
        .as_ref()
        .is_some_and(|bytes| !cuts_word(mention.said, bytes));
    let edges = text.starts_with(char::is_alphanumeric) && text.ends_with(char::is_alphanumeric);
    let named = labels
        .iter()
        .all(|l| !l.name.trim().is_empty() && !is_free_text(&l.name));
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
    stretches
        .get(behind)
        .is_some_and(|bytes| bytes.start < range.end)
}
