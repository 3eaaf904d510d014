//! The repairs of a dialog side by side, each as it would be made alone, for people to look at.

use super::fix::{found_in, takes, try_edits};
use super::{Diagnostic, Fixing};
use crate::dialog::{ApiCall, Dialog, Edit, Payload, Segment, Turn};
use crate::text::{Units, clipped};

/// A problem, and what repairing it by its first fix does.
#[derive(Clone, Debug)]
pub struct Repair {
    /// With that fix alone.
    pub problem: Diagnostic,
    /// What it changes, as it is and as it would be, in one line each.
    pub before: String,
    pub after: String,
    /// It is refused, or would bring a worse problem; `after` says why.
    pub unfit: bool,
}

/// The repairs of the problems for which `wanted` is true: of each the first fix, if it may be taken.
/// Two problems with one repair are listed once. Each is tried by reading the dialog again: where more
/// than `at_most` would be, the others are counted.
///
/// A dialog that cannot be read has none.
pub fn repairs(
    text: &str,
    with: &Fixing<'_>,
    wanted: impl Fn(&Diagnostic) -> bool,
    at_most: usize,
) -> (Vec<Repair>, usize) {
    let mut parser = crate::json::Parser::new();
    let (Some(found), Ok(tree)) = (found_in(text, with), parser.parse_str(text)) else {
        return (Vec::new(), 0);
    };
    let (dialog, _) = with.format.read(tree);
    let (mut repairs, mut more): (Vec<Repair>, usize) = (Vec::new(), 0);
    for problem in found.iter().filter(|d| wanted(d)) {
        let Some(edits) = takes(problem, with) else {
            continue;
        };
        if repairs.len() == at_most {
            more += 1;
            continue;
        }
        let known = |other: &Repair| other.problem.fixes[0].edits == edits;
        if repairs.iter().any(known) {
            continue;
        }
        let is_taken = |d: &Diagnostic| wanted(d) && takes(d, with).is_some();
        let tried = try_edits(text, edits, problem, &found, with, &is_taken);
        let (before, after, unfit) = match tried {
            Ok((changed, _)) => {
                let (before, after) = shown(&dialog, edits, text, &changed);
                (before, after, false)
            }
            Err(why) => (problem.message.clone(), format!("not applied: {why}"), true),
        };
        let mut problem = problem.clone();
        problem.fixes.truncate(1);
        repairs.push(Repair {
            problem,
            before,
            after,
            unfit,
        });
    }
    (repairs, more)
}

/// What `edits` change in a dialog; where that is not to be seen in it, in its JSON text.
fn shown(dialog: &Dialog, edits: &[Edit], text: &str, changed: &str) -> (String, String) {
    let turn = edits.first().map_or(0, Edit::turn);
    let after = edits
        .iter()
        .try_fold(dialog.clone(), |dialog, edit| edit.apply(&dialog));
    if let Ok(after) = after
        && let (Some(old), Some(new)) = (dialog.turns.get(turn), after.turns.get(turn))
    {
        let units = dialog.units;
        let (before, after) = (differing(old, new, units), differing(new, old, units));
        if before != after {
            return clipped(&before, &after);
        }
    }
    let mut lines = text.lines().zip(changed.lines());
    let (before, after) = lines.find(|(a, b)| a != b).unwrap_or_default();
    clipped(before.trim(), after.trim())
}

/// What a turn has and `other` has not; its text, if a segment in it is that.
fn differing(turn: &Turn, other: &Turn, units: Units) -> String {
    let mut parts = Vec::new();
    let own = turn.segments.iter().filter(|s| !other.segments.contains(s));
    let own: Vec<&Segment> = own.collect();
    if !own.is_empty() || turn.text != other.text || turn.segments != other.segments {
        let text = marked(turn, &own, units);
        // So that blanks at its edges are seen.
        parts.push(if turn.text == other.text {
            text
        } else {
            format!("\"{text}\"")
        });
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
    parts.extend(votes.map(|vote| format!("vote of {}", vote.annotator)));
    parts.join("  ")
}

fn without<'a, T: PartialEq>(all: &'a [T], other: &'a [T]) -> impl Iterator<Item = &'a T> {
    all.iter().filter(move |one| !other.contains(one))
}

/// The text of a turn with `«…»{label}` around what segments cover; those that cover none behind it.
fn marked(turn: &Turn, segments: &[&Segment], units: Units) -> String {
    let mut marks: Vec<(usize, bool, String)> = Vec::new();
    let mut behind = String::new();
    for segment in segments {
        let labels: Vec<_> = segment.labels.iter().map(|l| l.name.as_str()).collect();
        let labels = labels.join(" + ");
        let covers = segment
            .span
            .filter(|span| span.start <= span.end && span.end as usize <= turn.length(units));
        match covers {
            Some(span) => {
                let bytes = turn.bytes_of(span, units);
                marks.push((bytes.start, true, "«".to_owned()));
                marks.push((bytes.end, false, format!("»{{{labels}}}")));
            }
            None => {
                let quote = segment.quote.as_deref().unwrap_or_default();
                let span = segment.span.map_or(String::new(), |span| {
                    format!("{}..{} ", span.start, span.end)
                });
                behind = format!("{behind}  {span}\"{quote}\" {labels}");
            }
        }
    }
    marks.sort_by_key(|(at, opens, _)| (*at, *opens));
    let (mut line, mut from) = (String::new(), 0);
    for (at, _, mark) in marks {
        line.push_str(&turn.text[from..at]);
        line.push_str(&mark);
        from = at;
    }
    line.push_str(&turn.text[from..]);
    line + &behind
}

fn call(call: &ApiCall) -> String {
    let payload = |payload: &Option<Payload>| match payload {
        Some(Payload::Fields(fields)) => {
            let field = |f: &crate::dialog::Field| format!("{}={}", f.name, f.content.as_str());
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        Some(Payload::Embedded { text, .. }) => text.to_string(),
        None => String::new(),
    };
    let (arguments, response) = (payload(&call.arguments), payload(&call.response));
    format!("{}({arguments}) → {response}", call.name)
}
