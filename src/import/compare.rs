//! Compares the annotations of a turn with its segments.
//!
//! A segment without a place in the text or without a label is in no export, so it stays as it is.

use std::cmp::Reverse;

use super::annotated::{AnnotatedSpan, AnnotatedTurn};
use crate::dialog::{Edit, Segment, Span, Turn};
use crate::export::{LeftOut, spans};
use crate::lint::span_of;
use crate::text::{CodePoints, Units, clipped, quoted};

/// A segment of the corpus. Offsets are bytes of the text.
struct Own<'t> {
    number: usize,
    start: usize,
    end: usize,
    labels: Vec<&'t str>,
    /// True once its annotation is known.
    done: bool,
}

/// An annotation that belongs to no segment yet. Offsets are bytes of the text.
struct Other<'a> {
    start: usize,
    end: usize,
    labels: Vec<&'a str>,
    segment: Option<usize>,
}

/// Returns the edits that make the segments of a turn like its annotations; none if they are alike.
///
/// # Errors
/// If another text was annotated, or a span is outside the text or cuts a token.
pub fn differences(
    turn: &Turn,
    units: Units,
    annotated: &AnnotatedTurn,
) -> Result<Vec<Edit>, String> {
    if let Some(text) = &annotated.text
        && *text != turn.text
    {
        let (theirs, ours) = clipped(text, &turn.text);
        return Err(format!(
            "the annotated text is {}, but the corpus has {}",
            quoted(&theirs),
            quoted(&ours)
        ));
    }
    let mut own = own(turn, units);
    let mut others = others(turn, annotated, &own)?;
    let mut edits = Edits {
        turn,
        units,
        number: annotated.place.turn,
        all: Vec::new(),
    };
    take_same(&mut own, &mut others);
    take_numbered(&mut own, &mut others, &mut edits)?;
    relabel(&mut own, &mut others, &mut edits)?;
    shift(&mut own, &mut others, &mut edits, true)?;
    shift(&mut own, &mut others, &mut edits, false)?;
    let left = own.iter().rev().filter(|own| !own.done);
    edits.all.extend(left.map(|own| Edit::RemoveSegment {
        turn: edits.number,
        segment: own.number,
    }));
    for other in others {
        edits.add(&other)?;
    }
    Ok(edits.all)
}

/// The segments that an export has, in the order of the corpus.
fn own(turn: &Turn, units: Units) -> Vec<Own<'_>> {
    let mut all: Vec<Own<'_>> = Vec::new();
    let mut spans = spans(turn, units, &mut LeftOut::default());
    spans.sort_by_key(|span| span.segment);
    for span in spans {
        match all.last_mut() {
            Some(last) if last.number == span.segment => last.labels.push(span.label),
            _ => all.push(Own {
                number: span.segment,
                start: span.bytes.start,
                end: span.bytes.end,
                labels: vec![span.label],
                done: false,
            }),
        }
    }
    all
}

/// The annotations with their places in bytes. Those with the number of one segment and the same place are
/// joined.
fn others<'a>(
    turn: &Turn,
    annotated: &'a AnnotatedTurn,
    own: &[Own<'_>],
) -> Result<Vec<Other<'a>>, String> {
    let points = CodePoints::new(&turn.text);
    let mut all: Vec<Other<'a>> = Vec::new();
    for span in &annotated.spans {
        let number = span.segment;
        let is_own = |number| own.iter().any(|own| own.number == number);
        if span.labels.is_empty() {
            // Nothing that the corpus has is removed because a cell is empty.
            match number.filter(|number| is_own(*number)) {
                Some(number) => return Err(format!("segment {number} has no place or no label")),
                None => continue,
            }
        }
        if span.labels.iter().any(String::is_empty) {
            return Err(format!(
                "the label of {}..{} is empty",
                span.start, span.end
            ));
        }
        let left_out = number.filter(|number| !is_own(*number));
        let left_out = left_out.and_then(|number| turn.segments.get(number));
        let is_unmoved = left_out.is_some_and(|segment| is_written(segment, span));
        let place = bytes(&points, span).filter(|(start, end)| start < end && !is_unmoved);
        let Some((start, end)) = place else {
            if left_out.is_some() {
                continue;
            }
            return Err(format!(
                "{}..{} is outside the text, or empty",
                span.start, span.end
            ));
        };
        let labels = span.labels.iter().map(String::as_str);
        let same = all.iter_mut().find(|other| other.segment == number);
        match same.filter(|_| number.is_some()) {
            Some(other) if (other.start, other.end) == (start, end) => other.labels.extend(labels),
            same => {
                let is_known = number.is_some_and(is_own) && same.is_none();
                all.push(Other {
                    start,
                    end,
                    labels: labels.collect(),
                    segment: number.filter(|_| is_known),
                });
            }
        }
        if annotated.text.is_none() {
            check_words(turn, span, (start, end), own)?;
        }
    }
    Ok(all)
}

/// Returns true if an annotation has the offsets of a segment as the corpus writes them, which are tokens
/// in some corpora: a table has them for a segment outside its text.
fn is_written(segment: &Segment, span: &AnnotatedSpan) -> bool {
    let same =
        |written: Span| (written.start as usize, written.end as usize) == (span.start, span.end);
    segment.span.is_some_and(same)
}

fn bytes(points: &CodePoints<'_>, span: &AnnotatedSpan) -> Option<(usize, usize)> {
    let byte = |at| {
        if span.utf16 {
            points.byte_of_utf16(at)
        } else {
            points.byte_of(at)
        }
    };
    Some((byte(span.start)?, byte(span.end)?))
}

/// Refuses a span that is where a segment is but covered other words: the text was another one.
fn check_words(
    turn: &Turn,
    span: &AnnotatedSpan,
    (start, end): (usize, usize),
    own: &[Own<'_>],
) -> Result<(), String> {
    let is_unmoved = own.iter().any(|own| (own.start, own.end) == (start, end));
    match &span.text {
        Some(words) if is_unmoved && *words != turn.text[start..end] => Err(format!(
            "{}..{} covered {}, but the corpus has {} there",
            span.start,
            span.end,
            quoted(words),
            quoted(&turn.text[start..end])
        )),
        _ => Ok(()),
    }
}

fn alike(one: &[&str], other: &[&str]) -> bool {
    one.iter().all(|label| other.contains(label)) && other.iter().all(|label| one.contains(label))
}

/// Takes the annotations that are as the corpus has them: with the number of their segment, or one or
/// several at its place that have its labels. Their numbers may be those of an older corpus, so the place counts
/// for more.
fn take_same(own: &mut [Own<'_>], others: &mut Vec<Other<'_>>) {
    for with_number in [true, false] {
        for own in own.iter_mut().filter(|own| !own.done) {
            let at = (own.start, own.end);
            let is_same = |other: &Other<'_>| {
                (other.start, other.end) == at
                    && alike(&own.labels, &other.labels)
                    && (!with_number || other.segment == Some(own.number))
            };
            if let Some(found) = others.iter().position(is_same) {
                others.remove(found);
                own.done = true;
            } else if !with_number && let Some(parts) = parts(others, at, &own.labels) {
                remove(others, parts);
                own.done = true;
            }
        }
    }
}

/// The annotations at a place, without numbers, that have one of `labels` each, and all of them together.
fn parts(others: &[Other<'_>], at: (usize, usize), labels: &[&str]) -> Option<Vec<usize>> {
    let part = |label: &&str| {
        others.iter().position(|other| {
            (other.start, other.end) == at && other.segment.is_none() && other.labels == [*label]
        })
    };
    labels.iter().map(part).collect()
}

fn remove(others: &mut Vec<Other<'_>>, mut parts: Vec<usize>) {
    parts.sort_unstable();
    for part in parts.into_iter().rev() {
        others.remove(part);
    }
}

/// Takes the annotations that have the number of a segment.
fn take_numbered(
    own: &mut [Own<'_>],
    others: &mut Vec<Other<'_>>,
    edits: &mut Edits<'_>,
) -> Result<(), String> {
    for own in own.iter_mut().filter(|own| !own.done) {
        let found = others.iter().position(|o| o.segment == Some(own.number));
        if let Some(found) = found {
            let other = others.remove(found);
            edits.change(own, (other.start, other.end), &other.labels)?;
        }
    }
    Ok(())
}

/// Takes annotations at the place of a segment, with other labels.
fn relabel(
    own: &mut [Own<'_>],
    others: &mut Vec<Other<'_>>,
    edits: &mut Edits<'_>,
) -> Result<(), String> {
    for number in 0..own.len() {
        let at = (own[number].start, own[number].end);
        let rivals = own
            .iter()
            .filter(|own| !own.done && (own.start, own.end) == at);
        let is_alone = rivals.count() == 1;
        if own[number].done {
            continue;
        }
        let here = |other: &&mut Other<'_>| (other.start, other.end) == at;
        let mut labels: Vec<&str> = Vec::new();
        let mut taken = Vec::new();
        for (index, other) in others.iter_mut().enumerate().filter(|(_, o)| here(o)) {
            if taken.is_empty() || is_alone {
                labels.extend(&other.labels);
                taken.push(index);
            }
        }
        if !taken.is_empty() {
            remove(others, taken);
            edits.change(&mut own[number], at, &labels)?;
        }
    }
    Ok(())
}

/// How well a segment and an annotation fit, the best first: their overlap, the distance of their edges,
/// the number of the segment.
type Rank = (Reverse<usize>, usize, usize);

/// A segment, and the place and numbers of its annotations.
struct Pair {
    own: usize,
    at: (usize, usize),
    taken: Vec<usize>,
}

/// Pairs segments with annotations elsewhere, those that overlap most first: with the same labels, or with
/// others if they overlap.
fn shift(
    own: &mut [Own<'_>],
    others: &mut Vec<Other<'_>>,
    edits: &mut Edits<'_>,
    same_labels: bool,
) -> Result<(), String> {
    loop {
        let mut best: Option<(Rank, Pair)> = None;
        for (number, own) in own.iter().enumerate().filter(|(_, own)| !own.done) {
            for other in others.iter() {
                let at = (other.start, other.end);
                let overlap = own.end.min(at.1).saturating_sub(own.start.max(at.0));
                let taken = if !same_labels {
                    let found = others.iter().position(|o| std::ptr::eq(o, other));
                    found.filter(|_| overlap > 0).map(|found| vec![found])
                } else if alike(&own.labels, &other.labels) {
                    others
                        .iter()
                        .position(|o| std::ptr::eq(o, other))
                        .map(|i| vec![i])
                } else {
                    parts(others, at, &own.labels)
                };
                let moved = own.start.abs_diff(at.0) + own.end.abs_diff(at.1);
                let rank = (Reverse(overlap), moved, number);
                if let Some(taken) = taken
                    && best.as_ref().is_none_or(|(least, ..)| rank < *least)
                {
                    let pair = Pair {
                        own: number,
                        at,
                        taken,
                    };
                    best = Some((rank, pair));
                }
            }
        }
        let Some((
            _,
            Pair {
                own: number,
                at,
                taken,
            },
        )) = best
        else {
            return Ok(());
        };
        let labels = taken.iter().flat_map(|taken| others[*taken].labels.clone());
        let labels: Vec<&str> = labels.collect();
        remove(others, taken);
        edits.change(&mut own[number], at, &labels)?;
    }
}

/// The edits of a turn so far.
struct Edits<'t> {
    turn: &'t Turn,
    units: Units,
    number: usize,
    all: Vec<Edit>,
}

impl Edits<'_> {
    /// Gives a segment another place and other labels, if they are others.
    fn change(
        &mut self,
        own: &mut Own<'_>,
        (start, end): (usize, usize),
        labels: &[&str],
    ) -> Result<(), String> {
        own.done = true;
        let (turn, segment) = (self.number, own.number);
        if (own.start, own.end) != (start, end) {
            let (start, end) = self.span(start, end)?;
            self.all.push(Edit::SetSpan {
                turn,
                segment,
                start,
                end,
            });
        }
        if !alike(&own.labels, labels) {
            let kept = own.labels.iter().filter(|label| labels.contains(label));
            let mut names: Vec<&str> = kept.copied().collect();
            for label in labels {
                if !names.contains(label) {
                    names.push(label);
                }
            }
            let labels = names.into_iter().map(str::to_owned).collect();
            self.all.push(Edit::SetLabels {
                turn,
                segment,
                labels,
            });
        }
        Ok(())
    }

    fn add(&mut self, other: &Other<'_>) -> Result<(), String> {
        let (start, end) = self.span(other.start, other.end)?;
        self.all.push(Edit::AddSegment {
            turn: self.number,
            start,
            end,
            labels: other
                .labels
                .iter()
                .map(|label| (*label).to_owned())
                .collect(),
        });
        Ok(())
    }

    fn span(&self, start: usize, end: usize) -> Result<(u32, u32), String> {
        match span_of(self.turn, self.units, &(start..end)) {
            Some(span) => Ok((span.start, span.end)),
            None => Err(format!(
                "{} begins or ends inside a token",
                quoted(&self.turn.text[start..end])
            )),
        }
    }
}
