//! Problems: the results of the rules for the open dialog, and applying a fix.

use std::sync::Arc;

use crate::app::core::navigate::entry_beside;
use crate::app::core::{App, Effect, wrapped_around};
use crate::app::input::Command;
use crate::app::pane::Item;
use crate::app::pane::details::{API, TURN};
use crate::app::pane::transcript::block::payload;
use crate::lint::Diagnostic;
use crate::query::{Column, DialogSummary};
use crate::text::{Direction, counted};
use crate::workspace::{LintContext, OpenFile};

/// Takes the loaded rules and checks all dialogs with them.
pub fn set_rules(app: &mut App, rules: LintContext) {
    let judge = app.judging.annotator.clone();
    let columns = app.panes.list.columns.clone();
    app.workspace.files.rules = Some(Arc::new(LintContext { judge, columns, ..rules }));
    app.workspace.files.forget_summaries();
    if let Some(at) = app.panes.transcript.at {
        let found = app.workspace.files.recheck(at);
        app.panes.transcript.take_found(found);
        app.panes.details.forget();
    }
    app.panes.outdate_pinned();
    summarize_all(app);
}

/// Gives the list the columns of sessions, if the user has chosen none and the first file is a session.
pub fn choose_columns(app: &mut App, file: usize) {
    let open = app.workspace.files.get(file);
    let is_chosen = !app.settings.list.columns.is_empty() || !app.panes.list.columns.is_empty();
    let is_first = app.panes.transcript.at.is_none();
    if !is_first || !open.is_some_and(OpenFile::is_session) {
        return;
    }
    app.panes.of_sessions = true;
    if is_chosen {
        return;
    }
    app.panes.list.columns = Column::OF_SESSIONS.to_vec();
    if let Some(rules) = app.workspace.files.rules.clone() {
        set_rules(app, LintContext::clone(&rules));
    }
}

/// Compares the ids of dialogs, once all are known.
pub fn compare_ids(app: &mut App) {
    if let Some(duplicates) = app.workspace.files.find_duplicates()
        && app.panes.transcript.at.is_some_and(|at| duplicates.contains(&at))
    {
        app.reread();
    }
}

/// Asks for the summaries of every file that the list shows.
pub fn summarize_all(app: &mut App) {
    let read = app.workspace.files.shown();
    let read = read.filter(|file| app.workspace.files.is_listed(*file));
    app.effects.extend(read.map(|file| Effect::Summarize { file }));
}

/// Goes to the next or previous problem: in this dialog, then in the other dialogs in the order
/// of their files.
pub fn step_problem(app: &mut App, direction: Direction) {
    let t = &app.panes.transcript;
    // Problems of a turn as a whole come after those of its segments, so that fixing a segment
    // does not skip them.
    let place = |d: &Diagnostic| {
        let segment = d.location.segment.unwrap_or(usize::MAX);
        (d.location.turn.unwrap_or_default(), segment)
    };
    let here = (t.turn, t.segment.unwrap_or_default());
    let worth = |number: &usize| t.problems[*number].is_worth_changing();
    let of_turn = t.numbers_of(Some(t.turn));
    let next = match (t.problem, direction.is_forward()) {
        (Some(last), true) => (last + 1..t.problems.len()).find(worth),
        (Some(last), false) => (0..last).rev().find(worth),
        (None, true) => {
            // Problems of the dialog as a whole count as part of its first turn.
            let first = if t.turn == 0 { 0 } else { of_turn.start };
            (first..t.problems.len())
                .filter(worth)
                .find(|number| place(&t.problems[*number]) >= here)
        }
        (None, false) => {
            (0..of_turn.end).rev().filter(worth).find(|number| place(&t.problems[*number]) < here)
        }
    };
    let turn_of = |number: usize| t.problems[number].location.turn.unwrap_or_default();
    let failed = failed_beside(app, direction).filter(|(turn, _)| {
        let is_nearer =
            |problem| if direction.is_forward() { *turn < problem } else { *turn > problem };
        next.map(turn_of).is_none_or(is_nearer)
    });
    match (failed, next) {
        (Some((turn, call)), _) => go_to_failed(app, turn, call),
        (None, Some(number)) => go_to_problem(app, number),
        (None, None) => step_problem_dialog(app, direction),
    }
}

/// Returns the nearest call before or after the current turn that failed, in a session.
fn failed_beside(app: &App, direction: Direction) -> Option<(usize, usize)> {
    let t = &app.panes.transcript;
    let failed = failed_here(app);
    if direction.is_forward() {
        failed.iter().find(|(turn, _)| *turn > t.turn).copied()
    } else {
        failed.iter().rfind(|(turn, _)| *turn < t.turn).copied()
    }
}

/// Returns the calls that failed in the open session; none of another dialog, where they are part of its story.
pub fn failed_here(app: &App) -> &[(usize, usize)] {
    let t = &app.panes.transcript;
    let file = t.at.and_then(|at| app.workspace.files.get(at.file as usize));
    if file.is_some_and(OpenFile::is_session) { t.visible_failed() } else { &[] }
}

/// Goes to a call that failed, and reports what it answered.
fn go_to_failed(app: &mut App, turn: usize, call: usize) {
    app.panes.transcript.go(turn);
    app.panes.details.choose_next(Item::Api { turn, call });
    let of = &app.panes.transcript.dialog.turns[turn].calls[call];
    let answer = of.response.as_ref().map(payload).unwrap_or_default();
    let answer = answer.lines().next().unwrap_or_default();
    app.say(format!("{} failed: {answer}", of.name));
}

/// Goes to the first or last problem of the nearest other dialog that has any.
fn step_problem_dialog(app: &mut App, direction: Direction) {
    let here = app.panes.transcript.at.unwrap_or_default();
    let found = app.workspace.files.with_problems_or_failed();
    let (next, around) = entry_beside(&found, here, direction);
    let all = app.workspace.files.are_summarized();
    let Some((at, _)) = next.copied().filter(|_| !around || all) else {
        let any = |summary: Option<&DialogSummary>| {
            summary.is_some_and(|summary| !summary.by_rule.is_empty())
        };
        let has_notes = || app.workspace.files.summaries(None).any(|(_, summary)| any(summary));
        let message = match all {
            false => "no problems so far; dialogs are still being checked".to_owned(),
            true if has_notes() => format!(
                "no errors or warnings in any dialog; {} lists the notes",
                app.key(Command::ShowProblems)
            ),
            true => match app.workspace.files.unread() {
                0 => "no problems in any dialog".to_owned(),
                files => format!(
                    "no problems found, but {} could not be read completely",
                    counted(files, "file")
                ),
            },
        };
        app.say(message);
        return;
    };
    app.open_from_list(at);
    if let Some(error) = app.panes.transcript.error.clone() {
        app.complain(format!("this dialog cannot be read: {error}"));
    }
    let t = &app.panes.transcript;
    let number = if direction.is_forward() {
        t.problems.iter().position(Diagnostic::is_worth_changing)
    } else {
        t.problems.iter().rposition(Diagnostic::is_worth_changing)
    };
    let failed = if direction.is_forward() {
        failed_here(app).first().copied()
    } else {
        failed_here(app).last().copied()
    };
    match (number, failed) {
        (Some(number), _) => go_to_problem(app, number),
        (None, Some((turn, call))) => go_to_failed(app, turn, call),
        (None, None) => {}
    }
    if around {
        app.say_first(wrapped_around(direction));
    }
}

/// Goes to problem `number` of the dialog and reports it.
pub fn go_to_problem(app: &mut App, number: usize) {
    let Some(problem) = app.panes.transcript.problems.get(number).cloned() else {
        return;
    };
    app.panes.transcript.go(problem.location.turn.unwrap_or_default());
    app.panes.transcript.choose(problem.location.segment);
    app.panes.transcript.problem = Some(number);
    app.panes.details.choose_problem(number);
    show_place(app, &problem);
    let what = match problem.fixes.first() {
        Some(_) if app.is_read_only() => way_on(app),
        Some(fix) => format!("{} {}", app.key(Command::Fix), fix.title),
        None => way_on(app),
    };
    app.say(format!("{} · {what}", problem.message));
}

/// Returns the keys for a problem that has no fix.
pub fn way_on(app: &App) -> String {
    let [next, ignore] = [Command::FindNext, Command::Ignore].map(|command| app.key(command));
    format!("{next} next · {ignore} ignore")
}

/// Shows the call of a problem in the details, or the segment. A tab for something else stays.
fn show_place(app: &mut App, problem: &Diagnostic) {
    let dialog = &app.panes.transcript.dialog;
    let turn = problem.location.turn.and_then(|turn| dialog.turns.get(turn));
    let call = turn.and_then(|turn| Item::of_call(turn, problem));
    let details = &mut app.panes.details;
    match call {
        Some(item) if details.shown == TURN => {
            details.show(API);
            details.choose_next(item);
        }
        Some(item) if details.shown == API => details.choose_next(item),
        None if details.shown == API && problem.location.segment.is_some() => {
            details.show(TURN);
        }
        _ => {}
    }
}

/// Returns the problem visited last or selected in the details, and then those of the current
/// segment; without any there, those of the current turn or of the dialog as a whole.
pub fn problems_here(app: &App) -> impl Iterator<Item = &Diagnostic> {
    let t = &app.panes.transcript;
    let chosen = match app.panes.details.item() {
        Some(Item::Problem(number)) => Some(*number),
        _ => t.problem,
    };
    let chosen = chosen.filter(|number| *number < t.problems.len());
    let of_turn = chosen.is_none_or(|number| t.problems[number].location.turn.is_some());
    let segment = t.segment.into_iter();
    let at_segment = segment.flat_map(|segment| t.problems_of_segment(t.turn, segment));
    let mut at_segment = at_segment.map(|(number, _)| number).peekable();
    let in_turn = t.numbers_of(Some(t.turn));
    let others = if at_segment.peek().is_some() {
        0..0
    } else if of_turn && !in_turn.is_empty() {
        in_turn
    } else {
        t.numbers_of(None)
    };
    let others = at_segment.chain(others);
    let others = others.filter(move |number| Some(*number) != chosen);
    let all = chosen.into_iter().chain(others);
    all.map(|number| &t.problems[number])
}
