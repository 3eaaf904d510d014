//! Commands that search the corpus for text, labels, calls and problems, fix problems, or go to a
//! dialog.

use crate::app::commands::conditions::has_segments;
use crate::app::commands::panes::tab;
use crate::app::core::command::command;
use crate::app::core::{App, Command, Unavailable};
use crate::app::feature::finding::dialog_picker::DialogPicker;
use crate::app::feature::finding::file_picker::FilePicker;
use crate::app::feature::finding::search_prompt::SearchPrompt;
use crate::app::feature::finding::{dialog_filter, search};
use crate::app::feature::problems::{bulk_fix, fix_picker, ignoring, problem};
use crate::app::input::name;
use crate::app::pane::details::HITS;
use crate::app::pane::{Focus, Item};
use crate::app::state::BulkFixScope;
use crate::app::tabs;
use crate::dialog::EditKind;
use crate::query::Query;

pub(super) static COMMANDS: &[&Command] = &[
    &SEARCH,
    &FIND_NEXT,
    &FIND_PREVIOUS,
    &FIND_LABEL,
    &FIND_API,
    &FIND_PROBLEM,
    &PROBLEM_NEXT,
    &PROBLEM_PREVIOUS,
    &FIX,
    &IGNORE,
    &TOGGLE_IGNORED,
    &FIX_ALL_SAFE,
    &FIX_ALL_OF_RULE,
    &SHOW_PROBLEMS,
    &FIND_SAME_LABEL,
    &GOTO_DIALOG,
    &GOTO_FILE,
    &FILTER,
    &LIST_FOUND,
    &SHOW_HITS,
    &SORT,
];

pub static SEARCH: Command = command(
    "search",
    "search text, labels, calls or problems in all dialogs",
    |app, _| app.ask(SearchPrompt::default(), ""),
)
.also_called(&["find", "grep"]);

pub static FIND_NEXT: Command = command(
    name::FIND_NEXT,
    "next match (next problem when there is no search)",
    |app, count| again(app, count, true),
);

pub static FIND_PREVIOUS: Command = command(
    "find_previous",
    "previous match (previous problem when there is no search)",
    |app, count| again(app, count, false),
);

pub static FIND_LABEL: Command = command(name::FIND_LABEL, "search for a label", |app, _| {
    app.ask(SearchPrompt::default(), "label:");
})
.if_can(labels);

pub static FIND_API: Command = command(name::FIND_API, "search for calls of an API", |app, _| {
    app.ask(SearchPrompt::default(), "api:");
})
.if_can(calls);

pub static FIND_PROBLEM: Command = command(
    "find_problem",
    "search for problems in all dialogs",
    |app, _| search::start_search(app, "problem:"),
);

pub static PROBLEM_NEXT: Command = command(
    "problem_next",
    "next problem, across all files",
    |app, _| problem::step_problem(app, true),
);

pub static PROBLEM_PREVIOUS: Command = command("problem_previous", "previous problem", |app, _| {
    problem::step_problem(app, false);
});

pub static FIX: Command = command(name::FIX, "choose a fix for the problem here", |app, _| {
    fix_picker::offer_fixes(app);
})
.if_can(a_problem)
.also_called(&["repair", "correct", "suggestion"]);

pub static IGNORE: Command = command(
    name::IGNORE,
    "ignore this problem (the reason is kept in a side file), or stop ignoring it",
    |app, _| ignoring::ignore(app),
)
.if_can(a_problem)
.also_called(&["suppress", "dismiss"]);

pub static TOGGLE_IGNORED: Command = command(
    name::TOGGLE_IGNORED,
    "list ignored problems too, or hide them",
    |app, _| {
        app.panes.details.with_ignored = !app.panes.details.with_ignored;
        app.panes.details.forget();
        let count = app.panes.transcript.ignored.len();
        app.say(if app.panes.details.with_ignored {
            format!("ignored problems are listed under Problems: {count} in this dialog")
        } else {
            "ignored problems are hidden".to_owned()
        });
        if app.panes.details.with_ignored {
            tab(app, "problems");
        }
    },
);

pub static FIX_ALL_SAFE: Command = command(
    "fix_all_safe",
    "review all safe fixes and apply them",
    |app, _| bulk_fix::bulk_fix(app, None, BulkFixScope::Dialog),
)
.if_can(any_problems)
.also_called(&["repair", "bulk", "autofix"]);

pub static FIX_ALL_OF_RULE: Command = command(
    "fix_all_of_rule",
    "review fixes for this rule and apply them",
    |app, _| bulk_fix::bulk_fix_rule(app),
)
.if_can(a_rule)
.also_called(&["repair", "bulk"]);

pub static SHOW_PROBLEMS: Command = command(
    name::SHOW_PROBLEMS,
    "show the dialog's problems, and problem counts for the file and for all files",
    |app, _| tab(app, "problems"),
)
.if_can(any_problems)
.also_called(&["lint", "errors", "warnings"]);

pub static FIND_SAME_LABEL: Command = command(
    "find_same_label",
    "next segment with the same label",
    |app, _| same_label(app),
)
.if_can(|app| {
    has_segments(app)?;
    let segment = app.panes.transcript.current_segment();
    let labelled = segment.filter(|s| !s.labels.is_empty()).map(|_| ());
    let (why, first) = (
        "select a segment with a label first",
        Some(&crate::app::commands::moving::SEGMENT_NEXT),
    );
    labelled.ok_or(Unavailable::Yet { why, first })
});

pub static GOTO_DIALOG: Command = command(
    name::GOTO_DIALOG,
    "go to a dialog by its id or number",
    |app, count| match count {
        Some(number) => {
            let file = app.panes.transcript.at.unwrap_or_default().file;
            let at = crate::workspace::DialogId {
                file,
                dialog: u32::try_from(number).unwrap_or(u32::MAX),
            };
            if app.workspace.files.has_dialog(at) {
                return app.open_from_list(at);
            }
            app.complain(format!("this file has no dialog {number}"));
        }
        None => app.ask(DialogPicker::default(), ""),
    },
)
.also_called(&["jump", "open"]);

pub static GOTO_FILE: Command = command(
    "goto_file",
    "go to the first dialog of a file, or see why it cannot be read",
    |app, _| app.ask(FilePicker::default(), ""),
)
.also_called(&["jump", "open"]);

pub static FILTER: Command = command(
    name::FILTER,
    "show only dialogs whose id contains …, or that a query finds",
    |app, _| dialog_filter::ask_for_filter(app),
)
.also_called(&["narrow", "limit"]);

pub static LIST_FOUND: Command = command(
    "list_found",
    "list only the dialogs with hits of the search, or all again",
    |app, _| search::toggle_listed(app),
)
.if_can(a_search)
.also_called(&["filter", "narrow", "hits"]);

pub static SHOW_HITS: Command = command(
    name::SHOW_HITS,
    "list the hits of the search with the text around them; going through the list shows each",
    |app, _| {
        tab(app, HITS);
        app.panes.focus_on(Focus::Details);
        let transcript = &app.panes.transcript;
        if let Some((at, number)) = transcript.at.zip(transcript.hit) {
            app.panes.details.choose_next(Item::Hit { at, number });
        }
    },
)
.if_can(|app| {
    a_search(app)?;
    let found = app.search.found.first().map(|_| ());
    found.ok_or(Unavailable::Yet {
        why: "the search has no hits",
        first: None,
    })
})
.also_called(&["results", "matches", "concordance"]);

/// Whether there is a search.
fn a_search(app: &App) -> Result<(), Unavailable> {
    match app.search.query {
        Some(_) => Ok(()),
        None => Err(Unavailable::Yet {
            why: "search first",
            first: Some(&SEARCH),
        }),
    }
}

pub static SORT: Command = command(
    "sort",
    "sort the list: file order, id, longest, most problems",
    |app, _| {
        app.panes.list.sort = app.panes.list.sort.next();
        app.panes.list.rebuild(&app.workspace.files);
        if let Some(at) = app.panes.transcript.at {
            app.panes.list.choose(at);
        }
        app.say(format!("sorted by {}", app.panes.list.sort.name()));
    },
);

fn again(app: &mut App, count: Option<usize>, forward: bool) {
    for _ in 0..count.unwrap_or(1).min(1000) {
        if app.search.query.is_some() {
            search::step_hit(app, forward);
        } else {
            problem::step_problem(app, forward);
        }
    }
}

fn same_label(app: &mut App) {
    let label = app
        .panes
        .transcript
        .current_segment()
        .and_then(|s| s.labels.first());
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
        return search::step_hit(app, true);
    }
    search::start_search(app, &query);
    search::step_hit(app, true);
}

fn labels(app: &App) -> Result<(), Unavailable> {
    if app.any_holds(&[EditKind::Segments, EditKind::Acts]) {
        Ok(())
    } else {
        Err(Unavailable::Here("no open file has labels"))
    }
}

fn calls(app: &App) -> Result<(), Unavailable> {
    if app.any_holds(&[EditKind::Calls]) {
        Ok(())
    } else {
        Err(Unavailable::Here("no open file has API calls"))
    }
}

fn any_problems(app: &App) -> Result<(), Unavailable> {
    if (tabs::named("problems").has)(app) {
        Ok(())
    } else {
        Err(Unavailable::Here("no problems found"))
    }
}

/// Succeeds if there is a problem here or a rule is selected in the details.
fn a_rule(app: &App) -> Result<(), Unavailable> {
    match app.panes.details.item() {
        Some(Item::Rule { .. }) => Ok(()),
        _ => a_problem(app),
    }
}

fn a_problem(app: &App) -> Result<(), Unavailable> {
    let ignored = matches!(app.panes.details.item(), Some(Item::Ignored(_)));
    if problem::problems_here(app).next().is_none() && !ignored {
        any_problems(app)?;
        // During a search, the key for the next match goes to no problem.
        let searching = app.search.query.is_some();
        let first = Some(if searching { &PROBLEM_NEXT } else { &FIND_NEXT });
        let why = "there is no problem here";
        Err(Unavailable::Yet { why, first })
    } else {
        Ok(())
    }
}
