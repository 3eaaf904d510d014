//! Commands that search the corpus for text, labels, calls and problems, fix problems, or go to a
//! dialog.

use super::panes::tab;
use super::{Command, Unavailable, command, segments};
use crate::app::dialog_picker::DialogPicker;
use crate::app::file_picker::FilePicker;
use crate::app::search_prompt::SearchPrompt;
use crate::app::{App, BulkFixScope, Effect, details};
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
    &SORT,
];

pub static SEARCH: Command = command(
    "search",
    "search text, labels, calls or problems in all dialogs",
    |app, _| app.ask(SearchPrompt::default(), ""),
);

pub static FIND_NEXT: Command = command(
    "find_next",
    "next match (next problem when there is no search)",
    |app, count| again(app, count, true),
);

pub static FIND_PREVIOUS: Command = command(
    "find_previous",
    "previous match (previous problem when there is no search)",
    |app, count| again(app, count, false),
);

pub static FIND_LABEL: Command = command("find_label", "search for a label", |app, _| {
    app.ask(SearchPrompt::default(), "label:")
})
.if_can(labels);

pub static FIND_API: Command = command("find_api", "search for calls of an API", |app, _| {
    app.ask(SearchPrompt::default(), "api:")
})
.if_can(calls);

pub static FIND_PROBLEM: Command = command(
    "find_problem",
    "search for problems in all dialogs",
    |app, _| app.start_search("problem:"),
);

pub static PROBLEM_NEXT: Command = command(
    "problem_next",
    "next problem, across all files",
    |app, _| app.step_problem(true),
);

pub static PROBLEM_PREVIOUS: Command = command("problem_previous", "previous problem", |app, _| {
    app.step_problem(false)
});

pub static FIX: Command = command("fix", "choose a fix for the problem here", |app, _| {
    app.offer_fixes()
})
.if_can(a_problem);

pub static IGNORE: Command = command(
    "ignore",
    "ignore this problem (the reason is kept in a side file), or stop ignoring it",
    |app, _| app.ignore(),
)
.if_can(a_problem);

pub static TOGGLE_IGNORED: Command = command(
    "toggle_ignored",
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
            return tab(app, "problems");
        }
        Vec::new()
    },
);

pub static FIX_ALL_SAFE: Command = command(
    "fix_all_safe",
    "review all safe fixes and apply them",
    |app, _| app.bulk_fix(None, BulkFixScope::Dialog),
)
.if_can(any_problems);

pub static FIX_ALL_OF_RULE: Command = command(
    "fix_all_of_rule",
    "review fixes for this rule and apply them",
    |app, _| app.bulk_fix_rule(),
)
.if_can(a_rule);

pub static SHOW_PROBLEMS: Command = command(
    "show_problems",
    "show the dialog's problems, and problem counts for the file and for all files",
    |app, _| tab(app, "problems"),
)
.if_can(any_problems);

pub static FIND_SAME_LABEL: Command = command(
    "find_same_label",
    "next segment with the same label",
    |app, _| same_label(app),
)
.if_can(|app| {
    segments(app)?;
    let segment = app.panes.transcript.current_segment();
    let labelled = segment.filter(|s| !s.labels.is_empty()).map(|_| ());
    let (why, first) = (
        "select a segment with a label first",
        Some(&super::SEGMENT_NEXT),
    );
    labelled.ok_or(Unavailable::Yet { why, first })
});

pub static GOTO_DIALOG: Command = command(
    "goto_dialog",
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
            Vec::new()
        }
        None => app.ask(DialogPicker::default(), ""),
    },
);

pub static GOTO_FILE: Command = command(
    "goto_file",
    "go to the first dialog of a file, or see why it cannot be read",
    |app, _| app.ask(FilePicker::default(), ""),
);

pub static FILTER: Command = command(
    "filter",
    "show only dialogs whose id contains …",
    |app, _| app.ask_for_filter(),
);

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
        Vec::new()
    },
);

fn again(app: &mut App, count: Option<usize>, forward: bool) -> Vec<Effect> {
    let mut effects = Vec::new();
    for _ in 0..count.unwrap_or(1).min(1000) {
        effects.extend(if app.search.query.is_some() {
            app.step_hit(forward)
        } else {
            app.step_problem(forward)
        });
    }
    effects
}

fn same_label(app: &mut App) -> Vec<Effect> {
    let label = app
        .panes
        .transcript
        .current_segment()
        .and_then(|s| s.labels.first());
    let Some(name) = label.map(|label| label.name.to_string()) else {
        return Vec::new();
    };
    let query = Query::of_label(&name).to_string();
    let same = app.search.query.as_ref().map(Query::to_string) == Some(query.clone());
    if same {
        return app.step_hit(true);
    }
    let mut effects = app.start_search(&query);
    effects.extend(app.step_hit(true));
    effects
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
    if (details::named("problems").has)(app) {
        Ok(())
    } else {
        Err(Unavailable::Here("no problems found"))
    }
}

/// Succeeds if there is a problem here or a rule is selected in the details.
fn a_rule(app: &App) -> Result<(), Unavailable> {
    match app.panes.details.item() {
        Some(details::Item::Rule { .. }) => Ok(()),
        _ => a_problem(app),
    }
}

fn a_problem(app: &App) -> Result<(), Unavailable> {
    let ignored = matches!(app.panes.details.item(), Some(details::Item::Ignored(_)));
    if app.problems_here().next().is_none() && !ignored {
        any_problems(app)?;
        let (why, first) = ("there is no problem here", Some(&super::PROBLEM_NEXT));
        Err(Unavailable::Yet { why, first })
    } else {
        Ok(())
    }
}
