//! The other version of a dialog, beside the one that is open, while a conflict about it is reviewed.

use crate::app::core::App;
use crate::app::feature::review::seen;
use crate::app::pane::{Pinned, PinnedContent};
use crate::app::state::Proposed;
use crate::compare::Side;
use crate::dialog::{Dialog, Edit};
use crate::lint::LintResult;

/// Shows the dialog as it is with the edits of the other side, of both or of the base, as long as a conflict is
/// reviewed. A dialog that the user has pinned is back afterwards.
pub fn show(app: &mut App) {
    let shown = app.panes.pinned.as_ref();
    let shown = shown.and_then(|pinned| match pinned.content {
        PinnedContent::OfConflict { number, side } => Some((number, side, pinned.stale)),
        PinnedContent::Dialog | PinnedContent::OtherSide(_) => None,
    });
    let wanted = app.review().conflict().and_then(|_| {
        let one = app.suggestions.current()?;
        (one.at()? == app.panes.transcript.at?).then_some(())?;
        Some((app.suggestions.chosen, app.suggestions.shown(), false))
    });
    if wanted == shown {
        return;
    }
    let other = wanted.and_then(|(number, side, _)| {
        let dialog = with_edits(app, app.suggestions.all.get(number)?, side)?;
        let mut other = app.panes.transcript.clone();
        (other.hits, other.hit) = (Vec::new(), None);
        other.reread(dialog, LintResult::default());
        Some((other, number, side))
    });
    if shown.is_none() && other.is_none() {
        return;
    }
    if shown.is_none() {
        app.panes.aside = app.panes.pinned.take();
    }
    app.panes.pinned = match other {
        Some((other, number, side)) => {
            let mut pinned = Pinned::new(other, false);
            pinned.content = PinnedContent::OfConflict { number, side };
            Some(pinned)
        }
        None => app.panes.aside.take(),
    };
    app.session.changed.dialog = true;
}

/// Returns the open dialog with the edits that decide a conflict for a side; None if there are none.
fn with_edits(app: &App, one: &Proposed, side: Side) -> Option<Dialog> {
    let mut dialog = app.panes.transcript.dialog.clone();
    if one.decision.is_made() {
        // The edits of one that is taken are made already.
        return None;
    }
    let carried = seen::carried(app, one, &dialog)?;
    let edits = match (&one.seen, side) {
        (Some(Ok(seen)), Side::Theirs) if !one.hidden => seen.edits.clone(),
        _ if one.hidden => return None,
        _ => seen::edits_of(one, &carried, side).ok()?,
    };
    if edits.iter().any(|edit| matches!(edit, Edit::Put { .. })) {
        // Only the text tells what they change.
        let read = app.workspace.files.dialog_with(one.at()?, &edits)?;
        return (read != dialog).then_some(read);
    }
    let is_made = edits.iter().all(|edit| edit.apply_to(&mut dialog).is_ok());
    // A judgement is not in the dialog.
    (is_made && dialog != app.panes.transcript.dialog).then_some(dialog)
}
