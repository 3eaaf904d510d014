//! Compares the annotations of a turn with its segments.
//!
//! A segment without a place in the text or without a label is in no export, and some formats cannot hold
//! every label: what an export leaves out stays as it is.

use std::collections::{HashMap, HashSet};

use super::annotated::{AnnotatedSpan, AnnotatedTurn};
use super::import_format::ImportFormat;
use super::pairing::{Other, Own, Pair, Place, label_set, pairs};
use crate::dialog::{Edit, Turn};
use crate::export::{LeftOut, SpanPlaces, spans};
use crate::lint::span_of;
use crate::text::{CodePoints, Units, clipped, quoted};

/// Returns the edits that make the segments of a turn like its annotations in a file of `format`; none if they are
/// alike. A segment that cannot get the labels of its annotation, as `may_make` says, is removed and added again.
///
/// # Errors
/// If another text was annotated, or a span is outside the text or cuts a token.
pub fn differences(
    turn: &Turn,
    units: Units,
    annotated: &AnnotatedTurn,
    format: &ImportFormat,
    may_make: &dyn Fn(&Edit) -> bool,
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
    let own = own(turn, units, format);
    let compared = ComparedTurn {
        turn,
        units,
        annotated,
        points: CodePoints::new(&turn.text),
        by_number: own.iter().enumerate().map(|(at, own)| (own.number, at)).collect(),
        own: &own,
        has_all: format.has_all,
    };
    let Others { others, blank, passed } = compared.others()?;
    let mut found = pairs(&own, others);
    found.removed.retain(|removed| {
        let own = &own[*removed];
        passed.is_empty() || !passed.contains(&(own.at, own.labels.clone()))
    });
    let mut unchanged = HashSet::new();
    let mut edits = Vec::new();
    for pair in found.pairs {
        let of_segment = compared.change(&pair)?;
        if of_segment.is_empty() {
            unchanged.insert(own[pair.own].number);
        }
        let labels = of_segment.iter().find(|edit| matches!(edit, Edit::SetLabels { .. }));
        if labels.is_none_or(may_make) {
            edits.extend(of_segment);
        } else {
            found.removed.push(pair.own);
            found.added.push(Other { at: pair.at, labels: pair.labels, segment: None });
        }
    }
    found.removed.sort_unstable();
    // Numbers of an older corpus may be those of other segments now, which are in the file too.
    if let Some((_, why)) = blank.into_iter().find(|(number, _)| !unchanged.contains(number)) {
        return Err(why);
    }
    for removed in found.removed.iter().rev() {
        edits.push(compared.removal(&own[*removed]));
    }
    for other in &found.added {
        let (start, end) = compared.span(other.at)?;
        edits.push(Edit::AddSegment {
            turn: annotated.place.turn,
            start,
            end,
            labels: other.labels.iter().map(|label| (*label).to_owned()).collect(),
        });
    }
    Ok(edits)
}

/// Returns the segments that a file of `format` has, in the order of the corpus.
fn own<'t>(turn: &'t Turn, units: Units, format: &ImportFormat) -> Vec<Own<'t>> {
    let mut spans = spans(turn, units, &mut LeftOut::default());
    spans.retain(|span| (format.holds)(span.label));
    spans.sort_by_key(|span| span.segment);
    let of_segment = spans.chunk_by(|one, other| one.segment == other.segment);
    let own = of_segment.map(|labels| Own {
        number: labels[0].segment,
        at: (labels[0].bytes.start, labels[0].bytes.end),
        labels: label_set(&labels.iter().map(|span| span.label).collect::<Vec<_>>()),
    });
    own.collect()
}

/// A turn and its annotations.
struct ComparedTurn<'a> {
    turn: &'a Turn,
    units: Units,
    annotated: &'a AnnotatedTurn,
    points: CodePoints<'a>,
    own: &'a [Own<'a>],
    /// As [`ImportFormat::has_all`].
    has_all: bool,
    /// Positions in `own`, by the numbers of the segments.
    by_number: HashMap<usize, usize>,
}

/// The annotations of a turn.
#[derive(Default)]
struct Others<'a> {
    others: Vec<Other<'a>>,
    /// Numbers of segments that seem to be there without a place or a label, and what is wrong with that if no other
    /// annotation belongs to them.
    blank: Vec<(usize, String)>,
    /// Places and labels of annotations that seem to be segments outside the text, so that a segment there is not
    /// removed.
    passed: HashSet<(Place, Vec<&'a str>)>,
}

impl<'a> ComparedTurn<'a> {
    /// Returns the annotations with their places in bytes. Those with the number of one segment and the same
    /// place are joined.
    fn others(&self) -> Result<Others<'a>, String> {
        let places = SpanPlaces::new(self.turn, self.units);
        let is_own = |number: &usize| self.by_number.contains_key(number);
        let is_outside = |number: &usize| {
            let place = places.of(*number);
            self.has_all && place.is_none_or(|place| place.bytes.is_empty())
        };
        // Segments outside the text, as the file has them.
        let left_out: HashMap<usize, (usize, usize)> = (0..self.turn.segments.len())
            .filter(is_outside)
            .filter_map(|number| Some((number, places.written(number)?)))
            .collect();
        let row = |(number, written): (&usize, &(usize, usize))| {
            let labels: Vec<&str> = self.labels(*number).collect();
            (*written, label_set(&labels))
        };
        let rows: HashSet<_> = left_out.iter().map(row).collect();
        let own_places: HashSet<Place> = self.own.iter().map(|own| own.at).collect();
        let mut found = Others::default();
        let mut known: HashMap<usize, usize> = HashMap::new();
        for span in &self.annotated.spans {
            let written = (span.start, span.end);
            let number = span.segment.filter(is_own);
            if span.labels.is_empty() {
                // Nothing that the corpus has is removed because a cell is empty.
                let why = |number| (number, format!("segment {number} lacks a place or a label"));
                found.blank.extend(number.map(why));
                continue;
            }
            if span.labels.iter().any(String::is_empty) {
                return Err(format!("the label of {}..{} is empty", span.start, span.end));
            }
            let outside = || format!("{}..{} is outside the text, or empty", span.start, span.end);
            let left_out = span.segment.and_then(|number| left_out.get(&number));
            let labels: Vec<&str> = span.labels.iter().map(String::as_str).collect();
            let own = number.and_then(|number| Some(&self.own[*self.by_number.get(&number)?]));
            let is_unmoved = own.is_some_and(|own| self.bytes(span) == Some(own.at));
            // It may have the number of an older corpus.
            let is_row = span.segment.is_some() && rows.contains(&(written, label_set(&labels)));
            if left_out == Some(&written) || is_row && !is_unmoved {
                found.blank.extend(number.map(|number| (number, outside())));
                let place = self.bytes(span).map(|at| (at, label_set(&labels)));
                found.passed.extend(place);
                continue;
            }
            let Some(at) = self.bytes(span).filter(|(start, end)| start < end) else {
                if left_out.is_some() {
                    continue;
                }
                return Err(outside());
            };
            if self.annotated.text.is_none() && own_places.contains(&at) {
                self.check_words(span, at)?;
            }
            let first = number.and_then(|number| known.get(&number).copied());
            match first {
                Some(first) if found.others[first].at == at => {
                    found.others[first].labels.extend(labels);
                }
                _ => {
                    let segment = number.filter(|_| first.is_none());
                    known.extend(segment.map(|number| (number, found.others.len())));
                    found.others.push(Other { at, labels, segment });
                }
            }
        }
        Ok(found)
    }

    fn bytes(&self, span: &AnnotatedSpan) -> Option<Place> {
        let byte = |at| {
            if span.utf16 { self.points.byte_of_utf16(at) } else { self.points.byte_of(at) }
        };
        Some((byte(span.start)?, byte(span.end)?))
    }

    /// Refuses a span that is where a segment is but covered other words: the text was another one.
    fn check_words(&self, span: &AnnotatedSpan, (start, end): Place) -> Result<(), String> {
        let here = &self.turn.text[start..end];
        match &span.text {
            Some(words) if words != here => Err(format!(
                "{}..{} covered {}, but the corpus has {} there",
                span.start,
                span.end,
                quoted(words),
                quoted(here)
            )),
            _ => Ok(()),
        }
    }

    /// Gives a segment another place and other labels, if they are others.
    fn change(&self, pair: &Pair<'_>) -> Result<Vec<Edit>, String> {
        let own = &self.own[pair.own];
        let (turn, segment) = (self.annotated.place.turn, own.number);
        let mut edits = Vec::new();
        if own.at != pair.at {
            let (start, end) = self.span(pair.at)?;
            edits.push(Edit::SetSpan { turn, segment, start, end });
        }
        let wanted = label_set(&pair.labels);
        if own.labels != wanted {
            let is_kept = |label: &&str| {
                wanted.binary_search(label).is_ok() || own.labels.binary_search(label).is_err()
            };
            let mut labels: Vec<&str> = self.labels(own.number).filter(is_kept).collect();
            let mut known: HashSet<&str> = labels.iter().copied().collect();
            labels.extend(pair.labels.iter().filter(|label| known.insert(label)));
            edits.push(Edit::SetLabels {
                turn,
                segment,
                labels: labels.into_iter().map(str::to_owned).collect(),
            });
        }
        Ok(edits)
    }

    /// Removes a segment, or the labels that a file could have had.
    fn removal(&self, own: &Own<'_>) -> Edit {
        let (turn, segment) = (self.annotated.place.turn, own.number);
        let kept = self.labels(segment).filter(|label| own.labels.binary_search(label).is_err());
        let labels: Vec<String> = kept.map(str::to_owned).collect();
        if labels.is_empty() {
            Edit::RemoveSegment { turn, segment }
        } else {
            Edit::SetLabels { turn, segment, labels }
        }
    }

    /// Returns the labels of a segment that are not empty.
    fn labels(&self, segment: usize) -> impl Iterator<Item = &'a str> {
        let labels = self.turn.segments.get(segment).map(|segment| &segment.labels);
        let names = labels.into_iter().flatten().map(|label| label.name.as_str());
        names.filter(|name| !name.is_empty())
    }

    fn span(&self, (start, end): Place) -> Result<(u32, u32), String> {
        let span = match self.units {
            Units::CodePoints => {
                let point = |byte| self.points.before(byte) as u32;
                Some((point(start), point(end)))
            }
            Units::Tokens(_) => {
                let span = span_of(self.turn, self.units, &(start..end));
                span.map(|span| (span.start, span.end))
            }
        };
        span.ok_or_else(|| {
            format!("{} begins or ends inside a token", quoted(&self.turn.text[start..end]))
        })
    }
}
