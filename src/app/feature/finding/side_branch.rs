//! Goes to the side branch of a turn: unfolds it, or opens the dialog that it is.

use crate::app::core::App;
use crate::app::pane::transcript::branches::BranchAction;

/// True if the current turn is in a side branch, or has a call that started one.
pub fn is_here(app: &App) -> bool {
    let t = &app.panes.transcript;
    t.caret.is_none() && t.branch_action().is_some()
}

/// Shows or folds the side branch that the current turn is in, or goes to the one that its call started.
pub fn open(app: &mut App) {
    match app.panes.transcript.branch_action() {
        None => {}
        Some(BranchAction::Fold(first)) => app.panes.transcript.toggle_branch(first),
        Some(BranchAction::GoTo(first)) => {
            let t = &mut app.panes.transcript;
            t.unfold_branch(first);
            app.go_to_turn(first);
        }
        Some(BranchAction::Open(id)) => {
            let here = app.panes.transcript.at.unwrap_or_default().file;
            match app.workspace.files.nearest_with(&id, here) {
                Some(at) => app.open_from_list(at),
                None => app.complain(format!(
                    "no open file has the dialog {id} of this side branch; open the folder that contains it"
                )),
            }
        }
    }
}
