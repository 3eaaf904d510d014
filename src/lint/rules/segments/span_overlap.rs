//! Two segments overlap.
//!
//! A character cannot belong to two values of the same kind: models that tag word by word cannot be
//! trained on it, and statistics count a value twice. Often two workers marked the same value with
//! different edges, or one label extends into the next value.
//!
//! A segment inside another one is reported if both have the same label, or if the outer one is for
//! a single value too. Descriptions and confirmations may contain text with labels of its own.
//!
//! A name is whole: if the turn has the words of the inner segment at another place that no segment covers,
//! in the singular or the plural, the inner segment was probably meant for them, and the first fix moves it
//! there. Otherwise the fixes keep the segment whose text another segment of the dialog covers, or an act of
//! the turn has for its label, or give the shared text to one of the two. Of two that only overlap, the fix that
//! deletes the one for whose label less speaks comes first: words around it, and other segments on its text. An
//! outer segment that only adds "for a" and the like, or "time of" for the label `time`, is deleted first. The fixes
//! are manual, because only a person can tell which segment is right. If two segments have the same labels and the longer one only adds
//! punctuation, deleting the longer one is unsafe. Where two workers labelled the dialog, as in Taskmaster-1,
//! the fixes first offer to merge the segments, so that the labels of both stay, unless one of them has the
//! labels of both workers already; those that delete the work of one come last.
//!
//! ```text bad
//! user: with «a window «over the wing»{flight1.seat} on both legs»{flight2.seat}
//! ```
//!
//! ```text bad
//! user: from «The Corner Bean»{location.from} «near «The Mill»{location.from}»{location.from}
//! ```
//!
//! ```text good
//! user: it is «a cosy place with «a pool»{hotel.amenity}»{hotel.other_detail} «downtown»{hotel.location}
//! ```

use std::cell::LazyCell;
use std::ops::{Deref, Range};

use crate::dialog::{Edit, Span};
use crate::lint::engine::{Applicability, Check, Diagnostic, Findings, Rule, Severity};
use crate::lint::facts::label_support::{LabelSupport, asks_for};
use crate::lint::facts::labels::{
    conflict, first_conflict, has_two_workers, is_free_text, is_name, repeated, slot,
};
use crate::lint::facts::overlap::by_two_annotators;
use crate::lint::facts::slots::act_values;
use crate::lint::facts::transcript::lower;
use crate::lint::facts::whitespace::{is_blank, trim};
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::{
    cuts_word, offer_removal, offer_span, quoted, unlabelled_places, without_punctuation,
};
use crate::text::is_joint;

pub static RULE: Rule = Rule {
    name: "span-overlap",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_overlap.rs"),
    check: Check::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let two_workers = LazyCell::new(|| has_two_workers(subject));
    for (first, second) in subject.meeting() {
        if first.bytes == second.bytes || by_two_annotators(first, second) {
            continue;
        }
        // span-edge-space reports whitespace at the edges.
        let (Some(a), Some(b)) = (bare(first), bare(second)) else {
            continue;
        };
        let contains = |outer: &Range<usize>, inner: &Range<usize>| {
            outer.start <= inner.start && inner.end <= outer.end
        };
        let longer = first.text().len() >= second.text().len();
        if contains(&a, &b) && (longer || a != b) {
            nested(subject, &two_workers, [(first, &a), (second, &b)], found);
        } else if contains(&b, &a) {
            nested(subject, &two_workers, [(second, &b), (first, &a)], found);
        } else if a.start < b.end && b.start < a.end {
            crossing(subject, [(first, &a), (second, &b)], found);
        }
    }
}

/// Returns the bytes that a segment covers, without whitespace at its edges.
fn bare(mention: &Mention<'_>) -> Option<Range<usize>> {
    let bytes = mention.bytes.clone()?;
    Some(trim(mention.said, bytes))
}

/// A segment and its bytes without whitespace at the edges.
type Placed<'p> = (&'p Mention<'p>, &'p Range<usize>);

fn crossing(
    subject: &Subject<'_>,
    [(first, one), (second, other)]: [Placed<'_>; 2],
    found: &mut Findings<'_>,
) {
    let (a, b) = (quoted(first.text()), quoted(second.text()));
    // If only the first one has an edge inside a word, it is probably the wrong one.
    let diagnostic = if !is_whole((first, one)) && is_whole((second, other)) {
        found.add(first.location(), format!("{a} overlaps {b}"))
    } else {
        found.add(second.location(), format!("{b} overlaps {a}"))
    };
    for mention in [second, first] {
        offer_moves(diagnostic, subject, mention);
    }
    // The one of which less else in the dialog speaks comes first.
    let support = |mention: &Mention<'_>| {
        let label = mention.label();
        let of = |bytes| LabelSupport::of(subject, mention, label, bytes);
        (is_known(subject, mention), mention.bytes.as_ref().map(of))
    };
    let mut both = [second, first];
    if support(second) > support(first) {
        both.reverse();
    }
    if is_known(subject, both[0]) != is_known(subject, both[1]) {
        offer_removal(diagnostic, both[0], Applicability::Display);
    }
    offer_part(diagnostic, first, one.start..other.start, Side::Before);
    offer_part(diagnostic, second, one.end..other.end, Side::Behind);
    for mention in both {
        offer_removal(diagnostic, mention, Applicability::Display);
    }
}

/// True if a segment starts and ends at word boundaries.
fn is_whole((mention, range): Placed<'_>) -> bool {
    let text = mention.text();
    let word = char::is_alphanumeric;
    text.starts_with(word) && text.ends_with(word) && !cuts_word(mention.said, range)
}

fn nested(
    subject: &Subject<'_>,
    two_workers: &dyn Deref<Target = bool>,
    [(outer, whole), (inner, part)]: [Placed<'_>; 2],
    found: &mut Findings<'_>,
) {
    let labels = |m: &Mention<'_>, is: &dyn Fn(&str) -> bool| {
        m.of.labels.iter().any(|label| is(&label.name))
    };
    let same = labels(outer, &|a| labels(inner, &|b| slot(a) == slot(b)));
    if !same && labels(outer, &is_free_text) {
        return;
    }
    let message = format!("{} contains {}", quoted(outer.text()), quoted(inner.text()));
    let diagnostic = found.add(outer.location(), message);
    let rest = [(whole.start..part.start, Side::Before), (part.end..whole.end, Side::Behind)];
    let mut added = rest.iter().cloned();
    let is_bare = added.all(|(rest, side)| without_joints(outer.said, rest, side).is_empty());
    let is_only_inner_known = is_known(subject, inner) && !is_known(subject, outer);
    if same {
        let bare = without_punctuation(subject, outer, whole.clone());
        let bare = bare.unwrap_or_else(|| whole.clone());
        let labels = |m: &Mention<'_>| m.of.labels.iter().map(|l| l.name.clone()).collect();
        let (a, b): (Vec<_>, Vec<_>) = (labels(outer), labels(inner));
        let applicability =
            if bare == *part && a == b { Applicability::Unsafe } else { Applicability::Display };
        let is_by_both = |m: &Mention<'_>| repeated(&m.of.labels).is_some();
        if **two_workers && !is_by_both(outer) && !is_by_both(inner) {
            offer_merge(diagnostic, inner, outer, applicability);
            offer_merge(diagnostic, outer, inner, Applicability::Display);
        }
        if is_only_inner_known || is_bare {
            offer_removal(diagnostic, outer, applicability);
        }
        offer_moves(diagnostic, subject, inner);
        if is_known(subject, outer) {
            offer_removal(diagnostic, inner, Applicability::Display);
        }
        offer_removal(diagnostic, outer, applicability);
    } else {
        let clash = labels(outer, &|a| labels(inner, &|b| conflict(a, b)));
        if is_bare && !clash {
            offer_part(diagnostic, outer, part.clone(), Side::Before);
        }
        offer_moves(diagnostic, subject, inner);
        let asks = labels(outer, &|label| asks_for(outer.text(), label));
        let is_inner_right = is_only_inner_known && !labels(outer, &is_name);
        let (last, first) = if is_inner_right || asks || is_bare && clash {
            (inner, outer)
        } else {
            (outer, inner)
        };
        offer_removal(diagnostic, first, Applicability::Display);
        let mut parts = rest;
        parts.sort_by_key(|(range, _)| std::cmp::Reverse(range.len()));
        for (range, side) in parts {
            offer_part(diagnostic, outer, range, side);
        }
        offer_removal(diagnostic, last, Applicability::Display);
    }
    offer_removal(diagnostic, inner, Applicability::Display);
}

/// True if another segment of the dialog covers the words of a segment, or an act of the turn has them as a
/// value of its label.
fn is_known(subject: &Subject<'_>, mention: &Mention<'_>) -> bool {
    let (text, turn) = (mention.text(), &subject.dialog.turns[mention.turn]);
    // In SGD, labels have the service before the slot, and acts do not.
    let label = mention.label();
    let slot = label.rsplit('.').next().unwrap_or_default();
    let mut values = act_values(turn, label).chain(act_values(turn, slot));
    subject.other_with_text(mention, text).is_some() || values.any(|v| lower(v) == lower(text))
}

/// Offers to move a segment to the places of its words that no segment covers, in the singular or the plural.
fn offer_moves(diagnostic: &mut Diagnostic, subject: &Subject<'_>, mention: &Mention<'_>) {
    let text = mention.text();
    let plural = format!("{text}s");
    let forms = [Some(text), Some(plural.as_str()), text.strip_suffix(['s', 'S'])];
    for words in forms.into_iter().flatten() {
        for place in unlabelled_places(subject, mention, words) {
            offer_span(diagnostic, mention, place, Applicability::Display);
        }
    }
}

/// Offers to delete one segment and to give its labels to the other, which keeps its own, unless their
/// labels conflict.
fn offer_merge(
    diagnostic: &mut Diagnostic,
    kept: &Mention<'_>,
    other: &Mention<'_>,
    applicability: Applicability,
) {
    let labels = kept.of.labels.iter().chain(&other.of.labels);
    let labels: Vec<&str> = labels.map(|label| label.name.as_str()).collect();
    if first_conflict(&labels).is_some() {
        return;
    }
    let labels = labels.into_iter().map(str::to_owned).collect();
    let (turn, segment) = (kept.turn, kept.segment);
    let labelled = Edit::SetLabels { turn, segment, labels };
    let segment = other.segment;
    let removed = Edit::RemoveSegment { turn, segment };
    let title = format!("merge into {}, with the labels of both", quoted(kept.text()));
    diagnostic.fix(title, applicability, vec![labelled, removed]);
}

/// The part of a segment that remains: before or after the shared text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
}

/// Offers to shorten the segment to `range`, without the words that joined it to the rest, unless that cuts a
/// token.
fn offer_part(diagnostic: &mut Diagnostic, mention: &Mention<'_>, range: Range<usize>, side: Side) {
    let range = without_joints(mention.said, range, side);
    if range.is_empty() || cuts_word(mention.said, &range) {
        return;
    }
    let Some(Span { start, end }) = mention.span_of(&range) else {
        return;
    };
    let (part, whole) = (quoted(&mention.said[range]), quoted(mention.text()));
    let edit = Edit::SetSpan { turn: mention.turn, segment: mention.segment, start, end };
    let title = format!("shorten {whole} to {part}");
    diagnostic.fix(title, Applicability::Display, vec![edit]);
}

fn without_joints(text: &str, mut range: Range<usize>, side: Side) -> Range<usize> {
    let joins =
        |word: &str| !word.contains(char::is_alphanumeric) || is_joint(&word.to_lowercase());
    let marks = [',', ';', ':', '.'];
    loop {
        range = trim(text, range);
        let inner = &text[range.clone()];
        let word = match side {
            Side::Before => inner.rsplit(is_blank).next().unwrap_or_default(),
            Side::Behind => inner.split(is_blank).next().unwrap_or_default(),
        };
        if inner.is_empty() || !joins(word) {
            let bare = match side {
                Side::Before => inner.trim_end_matches(marks),
                Side::Behind => inner.trim_start_matches(marks),
            };
            return match side {
                Side::Before => range.start..range.start + bare.len(),
                Side::Behind => range.end - bare.len()..range.end,
            };
        }
        match side {
            Side::Before => range.end -= word.len(),
            Side::Behind => range.start += word.len(),
        }
    }
}
