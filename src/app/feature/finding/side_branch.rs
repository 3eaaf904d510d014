//! Goes to the side branch of a turn: unfolds it, or opens the dialog that it is.

use crate::app::core::App;
use crate::format::BEFORE_BRANCH;

/// True if the current turn is in a side branch, or has a call that started one.
pub fn is_here(app: &App) -> bool {
    let t = &app.panes.transcript;
    let branches = &t.dialog.branches;
    let branch = branches.from_turn(t.turn).or_else(|| branches.of_turn(t.turn));
    t.caret.is_none() && branch.is_some()
}

/// Shows or folds the side branch that the current turn is in, or goes to the one that its call started.
pub fn open(app: &mut App) {
    let t = &mut app.panes.transcript;
    let branches = &t.dialog.branches;
    let Some(started) = branches.from_turn(t.turn) else {
        if let Some(first) = branches.of_turn(t.turn).and_then(|here| here.turns.first().copied()) {
            t.toggle_branch(first);
        }
        return;
    };
    if let Some(first) = started.turns.first().copied() {
        t.unfold_branch(first);
        return app.go_to_turn(first);
    }
    let id = format!("{}{BEFORE_BRANCH}{}", t.dialog.id, started.id);
    let here = t.at.unwrap_or_default().file;
    match app.workspace.files.nearest_with(&id, here) {
        Some(at) => app.open_from_list(at),
        None => app.complain(format!(
            "no open file has the dialog {id} of this side branch; open the folder that contains it"
        )),
    }
}
