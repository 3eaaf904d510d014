//! The Turn tab: what is annotated on the current turn: segments, acts, intents and the state.

use crate::app::core::{App, Tab};
use crate::app::pane::details::TURN;
use crate::app::pane::parts::Rows;
use crate::app::tabs::{acts, segments};
use crate::dialog::EditKind;

pub const TAB: Tab = Tab {
    name: TURN,
    title: "Turn",
    doc: "the current turn: its segments with their problems, dialogue acts and intents, and the state with its changes",
    has: |app| app.panes.transcript.has(EditKind::Segments) || has_acts(app),
    tells_no_side: false,
    rows: |app, columns| {
        let mut rows = Rows::default();
        if app.panes.transcript.has(EditKind::Segments) {
            rows = segments::rows(app, columns);
        }
        if has_acts(app) {
            rows.extend(acts::lines(app, columns));
        }
        rows
    },
};

fn has_acts(app: &App) -> bool {
    let shown = &app.panes.transcript;
    shown.has(EditKind::Acts) || shown.has(EditKind::State)
}
