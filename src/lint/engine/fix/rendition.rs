//! Renders each change of a dialog as two lines: before and after.

use std::ops::Range;

use crate::dialog::{ApiCall, Breakdown, Dialog, Field, Payload, Places, Segment, Turn, Vote};
use crate::json::{Patch, Splice};
use crate::text::{Units, clipped, diff};

/// A change of a turn, or of the dialog outside of its turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedChange {
    /// The position of the turn; None for a change outside of all turns.
    pub turn: Option<usize>,
    pub before: String,
    pub after: String,
}

/// Renders the changes between two versions of a dialog, given with their JSON texts: one for each turn
/// that differs, or, if the model shows none, the first place in the text.
pub fn rendered_changes(
    old: &Dialog,
    old_text: &str,
    new: &Dialog,
    new_text: &str,
) -> Vec<RenderedChange> {
    let mut changes = Vec::new();
    for (was, is) in old.fields.iter().zip(&new.fields) {
        if was.name == is.name && was.content != is.content {
            let shown = |field: &Field| format!("{}: {}", field.name, field.content.as_str());
            let (before, after) = clipped(&shown(was), &shown(is));
            let turn = None;
            changes.push(RenderedChange { turn, before, after });
        }
    }
    for [at, now] in pairs(&old.turns, &new.turns) {
        let turns = (at.map(|at| &old.turns[at]), now.map(|now| &new.turns[now]));
        let (Some(was), Some(is)) = turns else {
            changes.push(RenderedChange {
                turn: at.or(now),
                before: turns.0.map_or_else(String::new, whole),
                after: turns.1.map_or_else(String::new, whole),
            });
            continue;
        };
        if was == is {
            continue;
        }
        let both = (differing(was, is, old.units), differing(is, was, new.units));
        let (before, after) = if both.0 == both.1 {
            // The number of a turn follows its place.
            if at != now {
                continue;
            }
            let text = |text: &'_ str, turn: &Turn| {
                let at = turn.whole();
                let text = text.get(at.start as usize..at.end as usize);
                text.unwrap_or_default().to_owned()
            };
            in_json(&text(old_text, was), &text(new_text, is))
        } else {
            clipped(&both.0, &both.1)
        };
        changes.push(RenderedChange { turn: now, before, after });
    }
    if changes.is_empty() && old_text != new_text {
        let (before, after) = in_json(old_text, new_text);
        let turn = None;
        changes.push(RenderedChange { turn, before, after });
    }
    changes
}

/// Returns the positions of each turn before and after; None where it is not there.
fn pairs(old: &[Turn], new: &[Turn]) -> Vec<[Option<usize>; 2]> {
    if old.len() == new.len() {
        return (0..old.len()).map(|turn| [Some(turn); 2]).collect();
    }
    let said = |turn: &Turn| (turn.speaker.name.clone(), turn.text.clone());
    let said = |turns: &[Turn]| turns.iter().map(said).collect::<Vec<_>>();
    let mut pairs = Vec::new();
    for op in diff(&said(old), &said(new)) {
        let (before, after) = (op.old_range(), op.new_range());
        let length = before.len().max(after.len());
        let of = |range: &Range<usize>, number| range.clone().nth(number);
        pairs.extend((0..length).map(|number| [of(&before, number), of(&after, number)]));
    }
    pairs
}

/// Returns a whole turn.
pub(super) fn whole(turn: &Turn) -> String {
    format!("{}: \"{}\"", turn.speaker.name, turn.text)
}

/// Returns the first line that differs in two JSON texts.
fn in_json(old: &str, new: &str) -> (String, String) {
    line_of(old, &[Splice::between(old, new)])
}

/// The number of bytes to show on either side of a change.
const AROUND: usize = 200;

/// Returns the first line of a text that splices change, before and after.
pub(super) fn line_of(text: &str, splices: &[Splice]) -> (String, String) {
    let Some(Splice { range, .. }) = splices.first() else {
        return Default::default();
    };
    let window = around(text, range);
    let line = &text[window.clone()];
    let start = line[..range.start - window.start].rfind('\n').map_or(0, |i| i + 1);
    let from = range.end.saturating_sub(window.start);
    let end = line[from..].find('\n').map_or(line.len(), |i| from + i);
    let whole = window.start + start..window.start + end;
    let inside =
        splices.iter().filter(|s| whole.start <= s.range.start && s.range.end <= whole.end);
    let moved = |s: &Splice| {
        Splice::new(s.range.start - whole.start..s.range.end - whole.start, s.text.as_str())
    };
    let before = &text[whole.clone()];
    let after = Patch::new(inside.map(moved).collect()).map(|patch| patch.apply(before));
    clipped(before.trim(), after.unwrap_or_default().trim())
}

/// `range` of `text` with its surroundings.
pub(super) fn around(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(range.start.saturating_sub(AROUND));
    start..text.ceil_char_boundary((range.end + AROUND).min(text.len()))
}

/// Returns the parts of a turn that `other` lacks; if that includes a segment, the marked text.
pub(super) fn differing(turn: &Turn, other: &Turn, units: Units) -> String {
    let mut parts = Vec::new();
    let own = own_segments(&turn.segments, &other.segments);
    if !own.is_empty() || turn.text != other.text || turn.segments != other.segments {
        let text = marked(turn, &turn.places(units), &own, 0..turn.text.len());
        // Show spaces at the edges.
        parts.push(if turn.text == other.text { text } else { format!("\"{text}\"") });
    }
    parts.extend(without(&turn.calls, &other.calls).map(call));
    let acts = without(&turn.acts, &other.acts);
    parts.extend(acts.map(|act| format!("act {}", act.name)));
    parts.extend(without(&turn.intents, &other.intents).map(|name| format!("intent {name}")));
    let state = |turn: &Turn| turn.state.clone().unwrap_or_default();
    let slots = without(&state(turn), &state(other))
        .map(|slot| format!("{}={}", slot.slot, slot.value.as_str()))
        .collect::<Vec<_>>();
    parts.extend(slots);
    let votes = without(&turn.votes, &other.votes);
    parts.extend(votes.map(vote));
    parts.join("  ")
}

/// The most segments of a turn to compare in all pairs.
const COMPARED: usize = 200;

/// Returns the segments that `other` lacks.
fn own_segments(all: &[Segment], other: &[Segment]) -> Vec<Segment> {
    if all.len() <= COMPARED {
        return without(all, other).cloned().collect();
    }
    let pairs = all.iter().enumerate();
    let own = pairs.filter(|(place, segment)| other.get(*place) != Some(segment));
    own.map(|(_, segment)| segment.clone()).collect()
}

fn without<'a, T: PartialEq>(all: &'a [T], other: &'a [T]) -> impl Iterator<Item = &'a T> {
    all.iter().filter(move |one| !other.contains(one))
}

/// Returns the bytes of the text that a segment covers; None if it has no valid span.
pub(super) fn covered(segment: &Segment, places: &Places) -> Option<Range<usize>> {
    let span = segment.span?;
    let is_valid = span.start <= span.end && span.end as usize <= places.count();
    is_valid.then(|| places.bytes_of(span))
}

/// Returns the bytes `window` of a turn's text, with `«…»{label}` around the text of each segment. All segments
/// with a valid span are within the window; the others follow the text.
pub(super) fn marked(
    turn: &Turn,
    places: &Places,
    segments: &[Segment],
    window: Range<usize>,
) -> String {
    let mut marks: Vec<(usize, bool, String)> = Vec::new();
    let mut behind = String::new();
    for segment in segments {
        let labels: Vec<_> = segment.labels.iter().map(|l| l.name.as_str()).collect();
        let labels = labels.join(" + ");
        match covered(segment, places) {
            Some(bytes) => {
                marks.push((bytes.start, true, "«".to_owned()));
                marks.push((bytes.end, false, format!("»{{{labels}}}")));
            }
            None => {
                let quote = segment.quote.as_deref().unwrap_or_default();
                let span = segment
                    .span
                    .map_or(String::new(), |span| format!("{}..{} ", span.start, span.end));
                behind = format!("{behind}  {span}\"{quote}\" {labels}");
            }
        }
    }
    marks.sort_by_key(|(at, opens, _)| (*at, *opens));
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let (mut line, mut from) = (cut(window.start > 0).to_owned(), window.start);
    for (at, _, mark) in marks {
        line.push_str(&turn.text[from..at]);
        line.push_str(&mark);
        from = at;
    }
    line.push_str(&turn.text[from..window.end]);
    line.push_str(cut(window.end < turn.text.len()));
    line + &behind
}

fn vote(vote: &Vote) -> String {
    let letter = vote.breakdown.map_or("?", Breakdown::letter);
    let mut shown = format!("vote {letter} of {}", vote.annotator);
    for (name, text) in [("", &vote.comment), ("ungrammatical ", &vote.ungrammatical)] {
        if !text.is_empty() {
            shown = format!("{shown} {name}\"{text}\"");
        }
    }
    shown
}

fn call(call: &ApiCall) -> String {
    let payload = |payload: &Option<Payload>| match payload {
        Some(Payload::Fields(fields)) => {
            let field = |f: &crate::dialog::Field| format!("{}={}", f.name, f.content.as_str());
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => text.to_string(),
        None => String::new(),
    };
    let (arguments, response) = (payload(&call.arguments), payload(&call.response));
    format!("{}({arguments}) → {response}", call.name)
}
