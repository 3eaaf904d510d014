//! Re-applies edits that were saved and then undone, and that redo no longer reaches. The Edits tab lists
//! them.

use crate::app::core::App;
use crate::app::pane::Item;
use crate::corpus::Change;
use crate::workspace::{Grouping, MadeEdit, UndoStep};

/// Returns the orphaned step of this number.
pub fn orphaned(app: &App, number: usize) -> Option<UndoStep> {
    let orphaned = app.workspace.unsaved_steps().orphaned;
    orphaned.get(number).copied().cloned()
}

/// Re-applies an orphaned step, where that is still possible.
pub fn reapply_orphaned(app: &mut App, number: usize) {
    let Some(step) = orphaned(app, number) else {
        return;
    };
    if let Some(why) = app.is_of_others(&step) {
        app.complain(why);
        return;
    }
    let title = app.title_of(&step).into_owned();
    let UndoStep { at, made } = step;
    if !app.may_edit(at) {
        return;
    }
    let judged = app.workspace.files.dialog_of(at, made.edit());
    app.go_to(judged, made.turn, made.segment);
    let Change { edit, on, .. } = &made.change;
    match app.workspace.files.edit_on(at, edit, on.as_ref()) {
        Ok(Some(change)) => {
            app.say(format!("re-applied: {title}"));
            let made = MadeEdit { grouping: Grouping::Alone, when: 0, ..made.with(change) };
            app.follow_turns(at, made.edit(), true);
            app.push(at, made);
            app.reread();
            let item = Item::Step(app.workspace.steps.applied().len() - 1);
            app.panes.details.choose_next(item);
        }
        Ok(None) => app.say("no change"),
        Err(refused) => app.complain(refused.to_string()),
    }
}
