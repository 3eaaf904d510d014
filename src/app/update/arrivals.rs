//! Files and dialog summaries that background jobs deliver: noted one by one as they arrive, then taken
//! over once for the whole batch, as that takes time in proportion to the number of files.

use crate::app::core::{App, Effect};
use crate::app::feature::finding::search;
use crate::app::feature::judging::queue;
use crate::app::feature::problems::problem;
use crate::app::feature::recovery::recover;
use crate::app::pane::details::PROBLEMS;
use crate::app::pane::{ListRow, SortOrder};
use crate::app::session;
use crate::app::state::Arrivals;
use crate::format::Family;
use crate::query::Column;
use crate::workspace::{AppearedFile, DialogId, OpenFile};

/// Notes that more dialogs of a file are known; `complete` if the file is read to its end.
pub fn found_dialogs(app: &mut App, file: usize, complete: bool) {
    app.session.arrived.dialogs = true;
    let is_log = app.workspace.files.get(file).is_some_and(OpenFile::is_log);
    if is_log {
        queue::on_vote_log_found(app);
    }
    if complete && app.workspace.files.is_judgements(file) {
        recover::take_past(app, file);
        if let Some(why) = app.workspace.files.broken_judgement(file) {
            app.complain(why);
        }
    } else if complete && app.workspace.files.is_listed(file) {
        recover::take_past(app, file);
        if app.workspace.files.rules.is_some() && !is_log {
            app.request(Effect::Summarize { file });
        }
        search::search_file(app, file);
        let is_new = app.workspace.files.later_path(file).is_some();
        app.session.changed.files |= is_new && !is_log;
        if let Some(why) = app.workspace.files.broken(file) {
            app.complain(why);
        }
    } else if complete {
        recover::report_kept(app, file);
    }
}

/// Adds files that have appeared in a folder that was opened, and has them read.
pub fn add_files(app: &mut App, files: Vec<AppearedFile>) {
    let mut names = Vec::new();
    for new in files {
        let name = new.name.clone();
        if let Some(file) = app.workspace.files.add(new) {
            names.push(name);
            app.request(Effect::Load { file });
        }
    }
    match names.as_slice() {
        [] => {}
        [only] => app.say(format!("new file: {only}")),
        several => app.say(format!("{} new files", several.len())),
    }
    app.session.arrived.dialogs = true;
}

/// Takes over everything that arrived.
pub fn take_arrived(app: &mut App) {
    take_arrived_pasts(app);
    let Arrivals { dialogs, summaries, .. } = std::mem::take(&mut app.session.arrived);
    if !dialogs && !summaries {
        return;
    }
    let in_file_order = !app.panes.list.is_narrowed() && app.panes.list.sort == SortOrder::File;
    if dialogs || summaries && !in_file_order {
        app.panes.list.rebuild(&app.workspace.files);
    }
    if dialogs {
        found_files(app);
    }
    // Vote logs with reapplied edits may now find their dialogs.
    queue::find_judged(app);
    if summaries {
        problem::compare_ids(app);
        if app.panes.details.shown == PROBLEMS {
            app.panes.details.forget();
        }
        if !in_file_order && let Some(at) = app.panes.transcript.at {
            app.panes.list.choose(at);
        }
        search::count_problems(app);
        report_unknown_columns(app);
    }
}

/// Reports columns of the list that are members of no dialog, once all dialogs are known.
fn report_unknown_columns(app: &mut App) {
    let files = &app.workspace.files;
    let columns = app.settings.list.columns.iter().enumerate();
    let members = columns.filter(|(_, column)| matches!(column, Column::Member(_)));
    let mut members = members.peekable();
    if app.session.checked_columns || members.peek().is_none() || !files.are_summarized() {
        return;
    }
    app.session.checked_columns = true;
    let is_unknown = |number: usize| {
        let mut all = files.summaries(None);
        all.all(|(at, _)| files.column(at, number, None).is_empty())
    };
    let unknown = members.filter(|(number, _)| is_unknown(*number));
    let unknown = unknown.map(|(_, column)| format!("`{}`", column.name()));
    let unknown: Vec<_> = unknown.collect();
    if !unknown.is_empty() {
        let file = if app.settings.list.of_project { "turnwise.toml" } else { "settings.toml" };
        let unknown = unknown.join(", ");
        app.complain(format!(
            "{file}: no dialog has a field for this column of the list: {unknown}"
        ));
    }
}

/// Merges the steps of earlier runs into the undo stack.
pub fn take_arrived_pasts(app: &mut App) {
    let pasts = std::mem::take(&mut app.session.arrived.pasts);
    if !pasts.is_empty() {
        app.workspace.steps.take_past(pasts);
    }
}

/// Opens the first dialog and builds the queue, once enough of the files is known.
fn found_files(app: &mut App) {
    session::go_to_session_place(app);
    if app.panes.transcript.at.is_none()
        && let Some(first) = first_to_read(app)
    {
        app.open(first);
        session::go_to_session_place(app);
    }
    if app.workspace.files.progress().is_none() && app.judging.queue.is_none() && app.judges() {
        let wanted = app.judging.wanted.clone();
        queue::queue(app, wanted);
    }
}

/// Returns the dialog to show first: the first one that is not a detector's output, or, once all files
/// are read and there is no such dialog, the first of all.
fn first_to_read(app: &App) -> Option<DialogId> {
    let dialogs = || {
        app.panes.list.rows.iter().filter_map(|row| match row {
            ListRow::Dialog(at) => Some(*at),
            ListRow::Folder(_) | ListRow::File(_) => None,
        })
    };
    let by_itself =
        |at: &DialogId| !app.workspace.files.format(*at).is_some_and(Family::is_companion);
    let rest = || app.workspace.files.progress().is_none().then(|| dialogs().next()).flatten();
    dialogs().find(by_itself).or_else(rest)
}
