//! Finds the conflicts that edits from an earlier run have decided: after a crash, these are restored without the review
//! that has made them.

use std::collections::HashSet;

use crate::app::core::App;
use crate::app::state::{Decision, Suggested, SuggestedEdit};
use crate::compare::Side;
use crate::dialog::{Dialog, Edit};
use crate::workspace::DialogId;

/// Marks the open conflicts as decided whose edits are among the unsaved steps.
pub fn mark(app: &mut App) {
    // An edit decides one conflict, even if another one has the same.
    let mut used = HashSet::new();
    for number in 0..app.suggestions.all.len() {
        let one = &app.suggestions.all[number];
        if one.decision != Decision::Open || one.as_conflict().is_none() {
            continue;
        }
        let Some(at) = one.at().filter(|at| app.workspace.files.is_edited(*at)) else {
            continue;
        };
        let Some((decision, edits)) = decided(app, one, at, &mut used) else {
            continue;
        };
        let one = &mut app.suggestions.all[number];
        one.decision = decision;
        one.seen = Some(Ok(SuggestedEdit {
            turn: edits.first().map_or(0, Edit::turn),
            edits,
            title: one.as_conflict().map_or_else(String::new, |conflict| conflict.conflict.clone()),
            before: String::new(),
            after: String::new(),
            hidden: false,
        }));
    }
}

/// Returns how the unsaved steps of a dialog have decided a conflict about it, with the edits that did; None if they have
/// not, or not with other edits than those that are `used`, which are counted in their dialog.
fn decided(
    app: &App,
    one: &Suggested,
    at: DialogId,
    used: &mut HashSet<(DialogId, usize)>,
) -> Option<(Decision, Vec<Edit>)> {
    let conflict = one.as_conflict()?;
    let saved = app.workspace.files.saved_dialog(at)?;
    let steps = app.workspace.steps.unsaved_at(at);
    let steps: Vec<&Edit> = steps.map(|step| step.made.edit()).collect();
    let (mut line, mut now) = (conflict.clone(), saved);
    for (first, step) in steps.iter().enumerate() {
        for (side, decision) in [(Side::Theirs, Decision::Taken), (Side::Both, Decision::Both)] {
            let edits = line.edits_of(side);
            let made = steps[first..].iter().take(edits.len());
            let made: Vec<Edit> = made.map(|edit| (*edit).clone()).collect();
            let mut places = (first..first + edits.len()).map(|step| (at, step));
            let is_free = !places.clone().any(|place| used.contains(&place));
            if !edits.is_empty() && is_free && is_made(edits, &made, &now) {
                used.extend(&mut places);
                return Some((decision, made));
            }
        }
        let mut next = now.clone();
        if !matches!(step, Edit::Put { .. }) {
            step.apply_to(&mut next).ok()?;
        }
        (line, now) = (line.carried(&now, &next), next);
    }
    None
}

/// True if edits of a dialog are those of a conflict, or others with the same effect.
fn is_made(edits: &[Edit], made: &[Edit], before: &Dialog) -> bool {
    let after = |edits: &[Edit]| {
        let mut dialog = before.clone();
        let all = edits.iter().all(|edit| edit.apply_to(&mut dialog).is_ok());
        all.then_some(dialog)
    };
    edits == made
        || edits.len() == made.len() && after(made).is_some_and(|made| after(edits) == Some(made))
}
