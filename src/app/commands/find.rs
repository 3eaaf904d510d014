//! Commands that search the corpus for text, labels, calls and problems, fix problems, or go to a
//! dialog.

use crate::app::commands::panes::tab;
use crate::app::core::App;
use crate::app::feature::finding::{dialog_picker, search};
use crate::app::feature::problems::problem;
use crate::app::feature::review::fixes;
use crate::app::pane::details::HITS;
use crate::app::pane::{Focus, Item};
use crate::app::state::{FixSource, Reach};
use crate::app::tabs;
use crate::query::Query;
use crate::text::Direction;

/// Lists ignored problems too, or hide them.
pub fn toggle_ignored(app: &mut App) {
    app.panes.details.with_ignored = !app.panes.details.with_ignored;
    app.panes.details.forget();
    let count = app.panes.transcript.ignored.len();
    app.say(if app.panes.details.with_ignored {
        format!("the Problems tab lists ignored problems too: {count} in this dialog")
    } else {
        "ignored problems are hidden".to_owned()
    });
    if app.panes.details.with_ignored {
        tab(app, "problems");
    }
}

/// Lists the fixes of the selected rule, or of the rule that reports the problem here.
pub fn fix_rule(app: &mut App) {
    let (rule, reach) = match app.panes.details.item() {
        Some(Item::Rule { rule, file: None }) => (Some(*rule), Reach::All),
        Some(Item::Rule { rule, .. }) => (Some(*rule), Reach::File),
        _ => (problem::problems_here(app).next().map(|d| d.rule.name), Reach::Dialog),
    };
    match rule {
        Some(rule) => fixes::open(app, FixSource::Rule(rule), reach),
        None => app.say("no problem selected"),
    }
}

/// Goes to a dialog by its id or number.
pub fn goto_dialog(app: &mut App, count: Option<usize>) {
    match count {
        Some(number) => {
            let file = app.panes.transcript.at.unwrap_or_default().file;
            let at = crate::workspace::DialogId {
                file,
                dialog: u32::try_from(number).unwrap_or(u32::MAX),
            };
            if app.workspace.files.has_dialog(at) {
                app.panes.focus_on(Focus::Transcript);
                return app.open_from_list(at);
            }
            app.complain(format!("this file has no dialog {number}"));
        }
        None => dialog_picker::ask_for_dialog(app),
    }
}

/// Lists the hits of the search with the text around them; going through the list shows each.
pub fn show_hits(app: &mut App) {
    tab(app, HITS);
    app.panes.focus_on(Focus::Details);
    let transcript = &app.panes.transcript;
    if let Some((at, number)) = transcript.at.zip(transcript.hit) {
        app.panes.details.choose_next(Item::Hit { at, number });
    }
}

pub fn again(app: &mut App, count: Option<usize>, direction: Direction) {
    for _ in 0..count.unwrap_or(1).min(1000) {
        if app.search.query.is_some() {
            // The rows of a long answer come before the next hit.
            match tabs::step_found(app, direction) {
                Some(row) => search::say_row(app, &row),
                None => step_hit(app, direction),
            }
        } else {
            problem::step_problem(app, direction);
        }
    }
}

/// Goes to the next hit, or to the next one in another turn if the details have shown all of this turn.
fn step_hit(app: &mut App, direction: Direction) {
    let passed = tabs::turn_passed(app);
    let hits = app.panes.transcript.hits.len();
    search::step_hit(app, direction);
    for _ in 1..hits {
        if passed != Some(app.place()) {
            break;
        }
        search::step_hit(app, direction);
    }
}

/// Goes to the next segment with the label of the current one.
pub fn same_label(app: &mut App) {
    let label = app.panes.transcript.current_segment().and_then(|s| s.labels.first());
    let Some(name) = label.map(|label| label.name.to_string()) else {
        return;
    };
    let query = match Query::of_label(&name) {
        Ok(query) => query.to_string(),
        Err(problem) => {
            app.complain(problem.to_string());
            return;
        }
    };
    let same = app.search.query.as_ref().map(Query::to_string) == Some(query.clone());
    if same {
        return search::step_hit(app, Direction::Forward);
    }
    search::start_search(app, &query);
    search::step_hit(app, Direction::Forward);
}
