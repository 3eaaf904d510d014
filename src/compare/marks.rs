//! The places in two copies of a dialog that differ, to be marked where both are read beside each other.

use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;

use super::carry::carried;
use super::pairs::{Pairs, pairs};
use super::turns::aligned;
use crate::dialog::{Dialog, Segment, Span, Turn};
use crate::text::{TextChanges, Units, byte_of};

/// The differences in a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnMarks {
    /// Bytes of its text: words that the other copy has not, what only one of two spans covers, and the text under
    /// other labels. In order, and apart.
    pub text: Vec<Range<usize>>,
    /// The positions of segments that the other copy has not, ascending.
    pub segments: Vec<usize>,
    /// The positions of calls that the other copy has not, ascending.
    pub calls: Vec<usize>,
}

/// Returns what differs in the turns of two copies, by turn. Nothing if they are different dialogs: of another id, and
/// with fewer than half of their turns alike.
pub fn turn_marks(one: &Dialog, other: &Dialog) -> [BTreeMap<usize, TurnMarks>; 2] {
    let turns = aligned(&one.turns, &other.turns);
    let alike = |(a, b): &&(usize, usize)| one.turns[*a].text == other.turns[*b].text;
    let alike = turns.both.iter().filter(alike).count();
    let fewest = one.turns.len().min(other.turns.len());
    let has_id = !one.id.is_empty() && one.id == other.id;
    let mut marks = [BTreeMap::new(), BTreeMap::new()];
    if !has_id && 2 * alike < fewest.max(1) {
        return marks;
    }
    for (a, b) in turns.both {
        let pair = [&one.turns[a], &other.turns[b]];
        let is_same_text = pair[0].text == pair[1].text && pair[0].segments == pair[1].segments;
        if is_same_text && pair[0].calls == pair[1].calls {
            continue;
        }
        let mut found = marks_of(pair, one.units);
        found[0].calls = calls_alone(pair[0], pair[1]);
        found[1].calls = calls_alone(pair[1], pair[0]);
        for ((marks, turn), found) in marks.iter_mut().zip([a, b]).zip(found) {
            if found != TurnMarks::default() {
                marks.insert(turn, found);
            }
        }
    }
    let alone = [(one, turns.removed), (other, turns.added)];
    for (marks, (dialog, alone)) in marks.iter_mut().zip(alone) {
        for turn in alone {
            let of = &dialog.turns[turn];
            let whole = TurnMarks {
                text: iter::once(0..of.text.len()).collect(),
                segments: (0..of.segments.len()).collect(),
                calls: (0..of.calls.len()).collect(),
            };
            marks.insert(turn, whole);
        }
    }
    marks
}

/// Returns the positions of the calls of a turn that the other one has not.
fn calls_alone(of: &Turn, other: &Turn) -> Vec<usize> {
    let calls = of.calls.iter().enumerate();
    let alone = calls.filter(|(_, call)| !other.calls.contains(call));
    alone.map(|(position, _)| position).collect()
}

fn marks_of(turns: [&Turn; 2], units: Units) -> [TurnMarks; 2] {
    let [one, other] = turns;
    let mut text = changed_words(one, other);
    let moved = carried(one, &other.text, units);
    let origin: Vec<_> = moved.iter().map(|of| of.origin).collect();
    let moved: Vec<_> = moved.into_iter().map(|of| of.segment).collect();
    let Pairs { both, removed, added } = pairs(&moved, &other.segments);
    let cut = (0..one.segments.len()).filter(|at| !origin.contains(at));
    let mut segments = [removed.iter().map(|at| origin[*at]).collect(), added];
    segments[0].extend(cut);
    let mut whole = segments.clone();
    for (a, b) in both {
        let (was, is) = (&moved[a], &other.segments[b]);
        let is_same_span = was.span == is.span;
        if is_same_span && was.labels == is.labels {
            continue;
        }
        segments[0].push(origin[a]);
        segments[1].push(b);
        if is_same_span || was.labels != is.labels {
            whole[0].push(origin[a]);
            whole[1].push(b);
        } else if one.text == other.text {
            for (marks, turn) in text.iter_mut().zip(turns) {
                marks.extend(apart(turn, was, is, units));
            }
        } else {
            text[0].extend(bytes(one, one.segments[origin[a]].span, units));
            text[1].extend(bytes(other, is.span, units));
        }
    }
    for ((marks, turn), whole) in text.iter_mut().zip(turns).zip(whole) {
        let spans = whole.iter().map(|at| turn.segments[*at].span);
        marks.extend(spans.filter_map(|span| bytes(turn, span, units)));
    }
    let mut found = text.into_iter().zip(segments).map(|(text, mut segments)| {
        segments.sort_unstable();
        TurnMarks { text: joined(text), segments, calls: Vec::new() }
    });
    [(); 2].map(|()| found.next().unwrap_or_default())
}

/// Returns the bytes of each text that the other one has not.
fn changed_words(one: &Turn, other: &Turn) -> [Vec<Range<usize>>; 2] {
    let Some(changes) = TextChanges::of_text(&one.text, &other.text) else {
        return Default::default();
    };
    let in_bytes =
        |text: &str, at: Range<usize>| Some(byte_of(text, at.start)?..byte_of(text, at.end)?);
    let (old, new): (Vec<_>, Vec<_>) = changes.ranges().unzip();
    let old = old.into_iter().filter_map(|at| in_bytes(&one.text, at));
    let new = new.into_iter().filter_map(|at| in_bytes(&other.text, at));
    [old.collect(), new.collect()]
}

fn bytes(turn: &Turn, span: Option<Span>, units: Units) -> Option<Range<usize>> {
    Some(turn.places(units).bytes_of(span?))
}

/// Returns the bytes that only one of two segments of a text covers.
fn apart(turn: &Turn, one: &Segment, other: &Segment, units: Units) -> Vec<Range<usize>> {
    let spans = [one.span, other.span].map(|span| bytes(turn, span, units));
    let [Some(one), Some(other)] = spans else {
        return Vec::new();
    };
    let between = |a: usize, b: usize| a.min(b)..a.max(b);
    if one.end <= other.start || other.end <= one.start {
        return vec![one, other];
    }
    vec![between(one.start, other.start), between(one.end, other.end)]
}

/// Sorts ranges, and joins those that touch.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}
