//! Rules on segments next to others, which need the right labels.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::{Deref, Range};

use aho_corasick::{AhoCorasick, MatchKind};
use foldhash::{HashSet, HashSetExt as _};

use crate::dialog::{Edit, Span};
use crate::json::{NodeKind, Value};
use crate::lint::engine::{Applicability, Diagnostic, Findings, SelectedRule, rules};
use crate::lint::facts::alike::{is_blank, trim};
use crate::lint::facts::labels::{LabelSupport, asks_for};
use crate::lint::facts::labels::{
    conflict, first_conflict, has_two_workers, is_free_text, is_name, repeated, slot,
};
use crate::lint::facts::slots::act_values;
use crate::lint::facts::subject::by_two_annotators;
use crate::lint::facts::transcript::lower;
use crate::lint::facts::{Mention, ParsedDialog, Subject};
use crate::lint::repair::{
    cuts_word, offer_removal, offer_span, quoted, unlabelled_places, without_punctuation,
};
use crate::ontology::Ontology;
use crate::text::{Units, is_joint};

rules! {
    /// Two segments overlap.
    ///
    /// A character cannot belong to two values of the same kind: models that tag word by word cannot be
    /// trained on it, and statistics count a value twice. Often two workers marked the same value with
    /// different edges, or one label extends into the next value.
    ///
    /// A segment inside another one is reported if both have the same label, or if the outer one is for
    /// a single value too. Descriptions and confirmations may contain text with labels of its own.
    ///
    /// A name is whole: if the turn has the words of the inner segment at another place that no segment covers,
    /// in the singular or the plural, the inner segment was probably meant for them, and the first fix moves it
    /// there. Otherwise the fixes keep the segment whose text another segment of the dialog covers, or an act of
    /// the turn has for its label, or give the shared text to one of the two. Of two that only overlap, the fix that
    /// deletes the one for whose label less speaks comes first: words around it, and other segments on its text. An
    /// outer segment that only adds "for a" and the like, or "time of" for the label `time`, is deleted first. The fixes
    /// are manual, because only a person can tell which segment is right. If two segments have the same labels and the longer one only adds
    /// punctuation, deleting the longer one is unsafe. Where two workers labelled the dialog, as in Taskmaster-1,
    /// the fixes first offer to merge the segments, so that the labels of both stay, unless one of them has the
    /// labels of both workers already; those that delete the work of one come last.
    ///
    /// ```text bad
    /// user: with «a window «over the wing»{flight1.seat} on both legs»{flight2.seat}
    /// ```
    ///
    /// ```text bad
    /// user: from «The Corner Bean»{location.from} «near «The Mill»{location.from}»{location.from}
    /// ```
    ///
    /// ```text good
    /// user: it is «a cosy place with «a pool»{hotel.amenity}»{hotel.other_detail} «downtown»{hotel.location}
    /// ```
    "span-overlap": Warning => span_overlap;

    /// Two segments of a turn cover the same text with the same label.
    ///
    /// The value is counted twice. Usually two workers marked it, or an annotator added a segment again
    /// instead of changing it. If the corpus says that the segments are by two different annotators,
    /// they show agreement and are not reported.
    ///
    /// If the turn has the same words at another place that no segment covers, the second segment was
    /// meant for them, and the fix moves it there (safe; unsafe if there are more such places than
    /// segments to move). Otherwise the fix deletes the second segment, or the one with fewer labels:
    /// safe if the other segment has everything that the deleted one has, an act at the same place
    /// included, and unsafe if something would be lost.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
    ///   "text": "two for Dune", "segments": [
    ///     {"start_index": 8, "end_index": 12, "text": "Dune", "annotations": [{"name": "movie"}]},
    ///     {"start_index": 8, "end_index": 12, "text": "Dune", "annotations": [{"name": "movie"}]}]}]}
    /// ```
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
    ///   "text": "one at two, one at six", "segments": [
    ///     {"start_index": 0, "end_index": 3, "text": "one", "annotations": [{"name": "seats"}]},
    ///     {"start_index": 0, "end_index": 3, "text": "one", "annotations": [{"name": "seats"}]}]}]}
    /// ```
    ///
    /// ```text good
    /// user: two for «Dune»{movie}
    /// ```
    ///
    /// ```text good
    /// user: «one»{seats} at two, «one»{seats} at six
    /// ```
    "span-duplicate": Warning => span_duplicate;

    /// A value that is labelled elsewhere in the dialog is not labelled here.
    ///
    /// If every mention of a value should be labelled, a model learns from this one that it is not a
    /// value. Many corpora label a value only where it is decided, so this rule is off by default.
    ///
    /// The rule reports whole words that a segment of the same dialog covers, in any case, but not
    /// numbers or words of fewer than four letters.
    ///
    /// The fix adds a segment with the same labels (unsafe).
    ///
    /// ```text bad
    /// user: two for «Dune»{name.movie}
    /// assistant: two for Dune, right?
    /// ```
    ///
    /// ```text good
    /// user: two for «Dune»{name.movie}
    /// assistant: two for «Dune»{name.movie}, right?
    /// ```
    "unlabelled-mention": Note (off) => unlabelled_mention;
}

fn span_overlap(subject: &Subject<'_>, found: &mut Findings<'_>) {
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
    let title = format!("merge into {}, with the labels of both", quoted(kept.text()));
    diagnostic.fix(title, applicability, vec![kept.set_labels(labels), other.removal()]);
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
    let Some(span) = mention.span_of(&range) else {
        return;
    };
    let (part, whole) = (quoted(&mention.said[range]), quoted(mention.text()));
    let title = format!("shorten {whole} to {part}");
    diagnostic.fix(title, Applicability::Display, vec![mention.set_span(span)]);
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

fn span_duplicate(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (turn, _) in subject.turns() {
        let mut valid: Vec<_> = subject.mentions_of(turn).iter().filter(|m| m.is_valid).collect();
        let start = |m: &&Mention<'_>| m.bytes.as_ref().map(|bytes| (bytes.start, bytes.end));
        valid.sort_by_key(start);
        for same in valid.chunk_by(|a, b| a.bytes == b.bytes) {
            if same.len() > 1 {
                look_at(subject, same, found);
            }
        }
    }
}

/// Reports the segments on the same bytes that another one makes superfluous: of three equal ones, the
/// last two, each once.
fn look_at(subject: &Subject<'_>, same: &[&Mention<'_>], found: &mut Findings<'_>) {
    let with_labels = same.iter().map(|mention| {
        let labels = mention.of.labels.iter().map(|label| label.name.trim());
        (*mention, labels.collect::<BTreeSet<&str>>())
    });
    let all: Vec<_> = with_labels.collect();
    let spare = all.iter().enumerate().filter_map(|(place, (spare, own))| {
        let has_all = |(other, labels): &&(&Mention<'_>, BTreeSet<&str>)| {
            own.is_subset(labels) && !by_two_annotators(spare, other)
        };
        let before = all[..place].iter().find(has_all);
        let more = || all.iter().filter(has_all).find(|(_, labels)| labels.len() > own.len());
        let (kept, _) = before.or_else(more)?;
        Some((*spare, *kept))
    });
    let spare: Vec<(&Mention<'_>, &Mention<'_>)> = spare.collect();
    let free = match spare.first() {
        Some((first, _)) => unlabelled_places(subject, first, first.text()),
        None => return,
    };
    let applicability =
        if free.len() > spare.len() { Applicability::Unsafe } else { Applicability::Safe };
    let mut free = free.into_iter();
    for (spare, kept) in spare {
        let text = quoted(spare.text());
        let message = format!("{text} is also labelled in segment {}", kept.segment);
        let diagnostic = found.add(spare.location(), message);
        match free.next() {
            Some(place) => {
                offer_span(diagnostic, spare, place, applicability);
                offer_removal(diagnostic, spare, Applicability::Display);
            }
            None if has_all(subject, kept, spare) => {
                offer_removal(diagnostic, spare, Applicability::Safe);
            }
            None => offer_removal(diagnostic, spare, Applicability::Unsafe),
        }
    }
}

/// True if the element of the segment `kept` has all that the element of `spare` has, so that nothing is lost
/// with it. Both may be acts, too.
fn has_all(subject: &Subject<'_>, kept: &Mention<'_>, spare: &Mention<'_>) -> bool {
    let element = |mention: &Mention<'_>| subject.tree.value_at(mention.of.at.start);
    match (element(kept), element(spare)) {
        (Some(kept), Some(spare)) => is_in(spare, kept),
        _ => false,
    }
}

/// True if each part of `part` is a part of `whole`.
fn is_in(part: Value<'_>, whole: Value<'_>) -> bool {
    match part.kind() {
        NodeKind::Object => part.members().all(|(key, value)| {
            let same = key.as_str().and_then(|key| whole.get(&key));
            same.is_some_and(|same| is_in(value, same))
        }),
        NodeKind::Array => {
            part.elements().all(|value| whole.elements().any(|same| is_in(value, same)))
        }
        NodeKind::String => {
            let text = part.as_str();
            text.is_some() && whole.as_str() == text
        }
        _ => part.raw() == whole.raw(),
    }
}

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
    let value = Known {
        text: &wanted.text,
        labels: wanted.labels.iter().map(String::as_str).collect(),
        turn: None,
    };
    if let Some(rule) = RULES.iter().find(|rule| rule.name == "unlabelled-mention") {
        let selected = SelectedRule { rule, severity: rule.severity };
        report(&subject, &[value], &mut Findings::new(selected, &mut found));
    }
    found
}

/// A text that is labelled somewhere.
struct Known<'v> {
    text: &'v str,
    labels: Vec<&'v str>,
    /// The turn in which it is labelled; None if that is elsewhere.
    turn: Option<usize>,
}

fn unlabelled_mention(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    // Among several with the same text, the first counts.
    let mut known = HashSet::new();
    let is_new = |m: &&Mention<'_>| is_value(m) && known.insert(m.text().to_ascii_lowercase());
    let values = subject.mentions().iter().filter(is_new);
    let values = values.map(|mention| Known {
        text: mention.text(),
        labels: mention.of.labels.iter().map(|label| &*label.name).collect(),
        turn: Some(mention.turn),
    });
    report(subject, &values.collect::<Vec<_>>(), found);
}

/// Reports the mentions of these values that no segment covers.
fn report(subject: &Subject<'_>, values: &[Known<'_>], found: &mut Findings<'_>) {
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
        for hit in automaton.find_iter(&turn.text) {
            let range = hit.range();
            let value = &values[hit.pattern().as_usize()];
            let is_labelled = || {
                let mut taken = mentions.iter().filter_map(|mention| mention.bytes.as_ref());
                taken.any(|bytes| bytes.start < range.end && range.start < bytes.end)
            };
            if cuts_word(&turn.text, &range) || is_labelled() {
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
    value: &Known<'_>,
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
