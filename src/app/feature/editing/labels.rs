//! The labels used last, kept up to date as edits are made, undone and redone.

use std::ops::Range;

use crate::app::core::App;
use crate::dialog::Edit;
use crate::workspace::UndoStep;

/// Number of recently used labels to remember.
const RECENT: usize = 9;

/// Remembers a label as the one used last.
pub fn remember_label(app: &mut App, label: &str) {
    app.session.recent.retain(|recent| recent != label);
    app.session.recent.insert(0, label.to_owned());
    app.session.recent.truncate(RECENT);
}

/// Forgets labels that only these undone steps used.
pub fn forget_labels(app: &mut App, undone: Range<usize>) {
    let uses = |steps: &[UndoStep], label: &String| {
        let mut labels = steps.iter().flat_map(|step| labels_of(step.made.edit()));
        labels.any(|used| used == label)
    };
    let (undone, applied) = (&app.workspace.steps.all()[undone], app.workspace.steps.applied());
    app.session.recent.retain(|recent| !uses(undone, recent) || uses(applied, recent));
}

/// Remembers the labels of these redone steps again.
pub fn remember_labels(app: &mut App, made: Range<usize>) {
    let made = app.workspace.steps.all()[made].iter();
    let labels: Vec<_> = made.flat_map(|s| labels_of(s.made.edit())).cloned().collect();
    for label in labels {
        remember_label(app, &label);
    }
}

/// Returns the labels that an edit sets.
fn labels_of(edit: &Edit) -> &[String] {
    match edit {
        Edit::AddSegment { labels, .. } | Edit::SetLabels { labels, .. } => labels,
        _ => &[],
    }
}
