//! Editing texts and items, undoing, saving, and answering questions.

use crate::app::core::App;
use crate::app::feature::editing::turn_text::{self, TurnText};

/// Changes the text of the turn.
pub fn edit_text(app: &mut App) {
    // Refuse now rather than after the user has typed a text that would then be lost.
    if !app.panes.transcript.at.is_some_and(|at| app.may_edit(at)) {
        return;
    }
    if turn_text::go_to_answer(app) {
        return;
    }
    let text = app.panes.transcript.current().map(|turn| turn.text.clone());
    app.ask(TurnText::default(), &text.unwrap_or_default());
}

/// Repeats an action as often as the count says.
pub fn repeat(count: Option<usize>, mut run: impl FnMut()) {
    for _ in 0..count.unwrap_or(1).min(10_000) {
        run();
    }
}
