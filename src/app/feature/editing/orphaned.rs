//! Re-applies edits that were saved and then undone, and that redo no longer reaches. The Edits tab lists
//! them; `workspace/undone_saves.rs` keeps them.

use crate::app::core::App;
use crate::app::pane::Item;
use crate::workspace::{Grouping, THIS_RUN, UndoStep};

/// Re-applies an orphaned step, where that is still possible.
pub fn reapply_orphaned(app: &mut App, number: usize) {
    let Some(step) = app.workspace.steps.orphaned.get(number).cloned() else {
        return;
    };
    if !app.may_edit(step.at) {
        return;
    }
    let on = app.workspace.context_of_undone(&step);
    app.go_to(
        app.workspace.files.judged_in(step.at),
        step.turn,
        step.segment,
    );
    match app
        .workspace
        .files
        .edit_on(step.at, &step.edit, on.as_ref())
    {
        Ok(true) => {
            app.say(format!("re-applied: {}", step.title));
            let (kind, when) = (Grouping::Alone, THIS_RUN);
            app.push_step(UndoStep { kind, when, ..step });
            let item = Item::Step(app.workspace.steps.done() - 1);
            app.panes.details.choose_next(item);
        }
        Ok(false) => app.say("no change"),
        Err(refused) => app.complain(refused.to_string()),
    }
}
