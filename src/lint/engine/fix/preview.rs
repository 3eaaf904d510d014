//! Previews the fixes of a dialog, each as if it were applied alone.

use std::collections::{HashMap, HashSet};

use super::rendition::{around, covered, differing, line_of, marked, whole};
use super::{Candidate, FixOptions, Fixer, SkippedFix, choose, wanted};
use crate::dialog::{
    Dialog, Edit, EditError, EditKind, Extent, Label, Places, Segment, Span, Turn,
};
use crate::format::{EditBatch, EditGroup};
use crate::json::{Parser, Splice};
use crate::lint::engine::Diagnostic;
use crate::lint::facts::ParsedDialog;
use crate::text::clipped;

/// A problem, and the effect of its first fix.
#[derive(Clone, Debug)]
pub struct FixPreview {
    /// The problem, with only that fix.
    pub problem: Diagnostic,
    /// The changed text, one line each for before and after.
    pub before: String,
    pub after: String,
    /// True if the fix is refused or would cause a worse problem; `after` has the reason.
    pub unfit: bool,
}

/// Previews the first fix, if it may be applied, of each problem for which `is_wanted` is true. If two
/// problems have the same fix, lists it once. Lists at most `at_most` and counts the others.
///
/// Returns none for a dialog that cannot be read.
pub fn fix_previews(
    text: &str,
    with: &FixOptions<'_>,
    is_wanted: impl Fn(&Diagnostic) -> bool,
    at_most: usize,
) -> (Vec<FixPreview>, usize) {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_piece_str(text) else {
        return (Vec::new(), 0);
    };
    let (dialog, issues) = with.format.read(tree);
    let read = with.parsed(tree, &dialog, &issues);
    let is_wanted = |problem: &Diagnostic| is_wanted(problem) && with.takes(problem).is_some();
    let mut fixer = Fixer { with, is_wanted: &is_wanted, runs: 0, skipped: Vec::new() };
    let found = fixer.found_in(read);
    let (mut known, mut listed, mut more) = (HashSet::new(), Vec::new(), 0);
    for problem in wanted(&found) {
        let Some(edits) = with.takes(problem) else {
            continue;
        };
        if !known.insert(format!("{edits:?}")) {
            continue;
        }
        if listed.len() < at_most {
            listed.push(Candidate { problem, edits });
        } else {
            more += 1;
        }
    }
    // Fixes of different parts are tried together, each as if it were applied alone.
    let (mut judged, mut left) = (HashMap::new(), listed.clone());
    while !left.is_empty() {
        let chosen = choose(&dialog, left.iter().copied());
        if let Some(applied) = fixer.apply(read, &found, &chosen) {
            judged.extend(applied.made.iter().map(|made| (made.problem.key(), Ok(()))));
        }
        for SkippedFix { problem, why } in fixer.skipped.drain(..) {
            let own = chosen.iter().find(|own| own.problem.key() == problem.key());
            judged.extend(own.map(|own| (own.problem.key(), Err(why))));
        }
        left.retain(|candidate| !judged.contains_key(&candidate.problem.key()));
    }
    let mut after = dialog.clone();
    let mut places = HashMap::new();
    let shown = |Candidate { problem, edits }| {
        let (before, after, unfit) = match judged.remove(&problem.key()) {
            Some(Err(why)) => (problem.message.clone(), why.to_string(), true),
            _ => {
                let turn = edits.first().map_or(0, Edit::turn);
                let places = dialog.turns.get(turn).map(|t| {
                    let places = places.entry(turn);
                    &*places.or_insert_with(|| t.places(dialog.units))
                });
                let shown = differences(&dialog, &mut after, places, edits);
                let (before, after) =
                    shown.unwrap_or_else(|| line_of(text, &written(with, &read, edits)));
                (before, after, false)
            }
        };
        let mut problem = problem.clone();
        problem.fixes.truncate(1);
        FixPreview { problem, before, after, unfit }
    };
    (listed.into_iter().map(shown).collect(), more)
}

/// Returns the change that an edit makes in a dialog: its turn before and after, one line each. Both are empty if the
/// change does not show there.
///
/// # Errors
/// If the edit does not fit the dialog.
pub fn edit_preview(dialog: &Dialog, edit: &Edit) -> Result<(String, String), EditError> {
    let mut after = dialog.clone();
    edit.apply_to(&mut after)?;
    if edit.about() == EditKind::Turns {
        let turn = |dialog: &Dialog| dialog.turns.get(edit.turn()).map_or_else(String::new, whole);
        return Ok(match edit {
            Edit::AddTurn { .. } => (String::new(), turn(&after)),
            _ => (turn(dialog), String::new()),
        });
    }
    after.clone_from(dialog);
    let turn = dialog.turns.get(edit.turn());
    let places = turn.map(|turn| turn.places(dialog.units));
    let shown = differences(dialog, &mut after, places.as_ref(), std::slice::from_ref(edit));
    Ok(shown.unwrap_or_default())
}

/// Returns the splices that write `edits` into the text of a dialog; none if they are refused.
fn written(with: &FixOptions<'_>, read: &ParsedDialog<'_>, edits: &[Edit]) -> Vec<Splice> {
    let batch = EditBatch::new(with.format, &read.tree, read.dialog.clone(), with.escapes.into());
    let patch = batch.and_then(|mut batch| {
        batch.take(EditGroup { edits, on: None })?;
        batch.patch()
    });
    patch.map_or_else(|_| Vec::new(), |patch| patch.splices().to_vec())
}

/// Returns the differences that `edits` make in a dialog; None if they do not show there. `after` is the model of the
/// dialog before and after the edits, and `places` are those of the first edit's turn.
fn differences(
    dialog: &Dialog,
    after: &mut Dialog,
    places: Option<&Places>,
    edits: &[Edit],
) -> Option<(String, String)> {
    let units = dialog.units;
    let first = edits.first();
    let turn = first.and_then(|edit| dialog.turns.get(edit.turn()));
    if let (Some(turn), Some(places), [edit]) = (turn, places, edits)
        && let Some((old, new)) = segments_of(edit, turn)
    {
        // All of the text for each segment of a long turn would take quadratic time and memory.
        let covered = old.iter().chain(&new).filter_map(|s| covered(s, places));
        let covered = covered.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
        let end = turn.text.len();
        let window = around(&turn.text, &covered.unwrap_or(end..end));
        let within = |of: Option<Segment>| marked(turn, places, of.as_slice(), window.clone());
        let (before, after) = (within(old), within(new));
        if before != after {
            return Some(clipped(&before, &after));
        }
    } else if let (Some(old), Some(first)) = (turn, first)
        && edits.iter().all(|edit| edit.apply_to(after).is_ok())
    {
        let new = &after.turns[first.turn()];
        let (before, after) = (differing(old, new, units), differing(new, old, units));
        if before != after {
            return Some(clipped(&before, &after));
        }
    }
    for turn in edits.iter().map(Edit::turn) {
        if let (Some(changed), Some(was)) = (after.turns.get_mut(turn), dialog.turns.get(turn)) {
            changed.clone_from(was);
        }
    }
    None
}

/// Returns the segment that an edit changes in a turn, before and after; None if it changes something else.
fn segments_of(edit: &Edit, turn: &Turn) -> Option<(Option<Segment>, Option<Segment>)> {
    let named = |labels: &[String]| {
        let label = |name: &String| Label { name: name.as_str().into(), at: Extent::default() };
        labels.iter().map(label).collect()
    };
    let span = |start: u32, end: u32| Some(Span { start, end });
    let old = |segment: usize| turn.segments.get(segment).cloned();
    Some(match edit {
        Edit::SetSpan { segment, start, end, .. } => {
            let new = old(*segment).map(|old| Segment { span: span(*start, *end), ..old });
            (old(*segment), new)
        }
        Edit::SetLabels { segment, labels, .. } => {
            let new = old(*segment).map(|old| Segment { labels: named(labels), ..old });
            (old(*segment), new)
        }
        Edit::RemoveSegment { segment, .. } => (old(*segment), None),
        Edit::AddSegment { start, end, labels, .. } => {
            let new =
                Segment { span: span(*start, *end), labels: named(labels), ..Segment::default() };
            (None, Some(new))
        }
        _ => return None,
    })
}
