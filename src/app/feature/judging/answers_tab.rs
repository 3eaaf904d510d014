//! The Answers tab: the votes on the current turn, the answers to the questions of a scheme, notes, and the codes of all.

use crate::app::core::{App, Tab};
use crate::app::feature::judging::{codes_tab, judgements_tab, votes_tab};
use crate::app::pane::Line;
use crate::app::pane::details::ANSWERS;
use crate::app::pane::parts::Rows;
use crate::dialog::EditKind;

pub const TAB: Tab = Tab {
    name: ANSWERS,
    title: "Answers",
    doc: "votes on the current turn, answers to the questions of a scheme, notes, and the codes used",
    has: |app| has_votes(app) || judgements_tab::has(app) || codes_tab::has(app),
    tells_no_side: true,
    rows: |app, columns| {
        let mut rows = Rows::default();
        if has_votes(app) {
            votes_tab::add(&mut rows, app, columns);
        }
        if judgements_tab::has(app) {
            add(&mut rows, judgements_tab::lines(app, columns));
        }
        if codes_tab::has(app) {
            add(&mut rows, codes_tab::lines(app, columns));
        }
        rows
    },
};

/// Adds lines, with an empty one between them and those above.
fn add(rows: &mut Rows<'_>, lines: Vec<Line>) {
    if rows.count() > 0 && !lines.is_empty() {
        rows.text(vec![Line::new()]);
    }
    rows.extend(lines);
}

/// True if the dialog has votes that do not tell which side of a pair it is.
fn has_votes(app: &App) -> bool {
    let judges = app.judges() && !app.asks_for_judgements();
    (judges || app.panes.transcript.has(EditKind::Votes)) && !app.hides_sides()
}
