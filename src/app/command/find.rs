//! Finding: text, labels, calls and problems through the corpus, dialogs by name.

use super::panes::tab;
use super::{Command, command};
use crate::app::{App, Effect, Focus, Purpose, Reach, details};
use crate::query::Query;

pub(super) static COMMANDS: &[Command] = &[
    command(
        "search",
        "find text, labels, calls or problems in all dialogs",
        |app, _| app.ask(Purpose::Search, ""),
    ),
    command(
        "find_next",
        "next one found; next problem where nothing is looked for",
        |app, count| again(app, count, true),
    ),
    command(
        "find_previous",
        "one found before; problem before where nothing is looked for",
        |app, count| again(app, count, false),
    ),
    command("find_label", "find turns by a label", |app, _| {
        app.ask(Purpose::Search, "label:")
    }),
    command("find_api", "find calls of an API", |app, _| {
        app.ask(Purpose::Search, "api:")
    }),
    command("find_problem", "find problems in all dialogs", |app, _| {
        app.start_search("problem:")
    }),
    command(
        "problem_next",
        "next problem, on through the corpora",
        |app, _| app.step_problem(true),
    ),
    command("problem_previous", "problem before", |app, _| {
        app.step_problem(false)
    }),
    command("fix", "repair the problem here: choose how", |app, _| {
        app.offer_fixes()
    })
    .if_can(a_problem),
    command(
        "ignore",
        "ignore the problem here, with a reason beside the data; or no more",
        |app, _| app.ignore(),
    )
    .if_can(a_problem),
    command(
        "toggle_ignored",
        "list ignored problems too, or hide them",
        |app, _| {
            app.details.with_ignored = !app.details.with_ignored;
            app.details.forget();
            let count = app.transcript.ignored.len();
            app.say(if app.details.with_ignored {
                format!("ignored problems are listed under Problems: {count} in this dialog")
            } else {
                "ignored problems are hidden".to_owned()
            });
            if app.details.with_ignored {
                return tab(app, "problems");
            }
            Vec::new()
        },
    ),
    command(
        "fix_all_safe",
        "list the repairs that are certain, and make them at once",
        |app, _| app.review(None, Reach::Dialog),
    )
    .if_can(any_problems),
    command(
        "fix_all_of_rule",
        "list the repairs of all that the same rule finds, and make them at once",
        |app, _| app.review_rule(),
    ),
    command(
        "show_problems",
        "show problems in the details: of the dialog, and counted in the file and in all files",
        |app, _| tab(app, "problems"),
    )
    .if_can(any_problems),
    command(
        "find_same_label",
        "find the next segment with the label of the current one",
        |app, _| same_label(app),
    )
    .if_can(|app| {
        let segment = app.transcript.current_segment();
        segment
            .filter(|s| !s.labels.is_empty())
            .map(|_| ())
            .ok_or("choose a segment with a label first: ← and → do")
    }),
    command(
        "goto_dialog",
        "go to a dialog by its id or number",
        |app, count| match count {
            Some(number) => {
                let file = app.transcript.at.unwrap_or_default().file;
                let at = crate::app::At {
                    file,
                    dialog: u32::try_from(number).unwrap_or(u32::MAX),
                };
                if app.files.holds(at) {
                    return app.open_from_list(at);
                }
                app.complain(format!("this file has no dialog {number}"));
                Vec::new()
            }
            None => app.ask(Purpose::Goto, ""),
        },
    ),
    command(
        "goto_file",
        "go to the first dialog of a file, or see why it cannot be read",
        |app, _| app.ask(Purpose::File, ""),
    ),
    command(
        "filter",
        "list only dialogs whose id holds a text",
        |app, _| {
            app.focus_on(Focus::Dialogs);
            let text = app.list.filter.clone();
            app.ask(Purpose::Filter, &text)
        },
    ),
    command(
        "sort",
        "sort the list: file order, id, longest, most problems",
        |app, _| {
            app.list.sort = app.list.sort.next();
            app.list.rebuild(&app.files);
            if let Some(at) = app.transcript.at {
                app.list.choose(at);
            }
            app.say(format!("sorted by {}", app.list.sort.name()));
            Vec::new()
        },
    ),
];

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

fn any_problems(app: &App) -> Result<(), &'static str> {
    if (details::named("problems").has)(app) {
        Ok(())
    } else {
        Err("the rules find nothing in any dialog")
    }
}

fn a_problem(app: &App) -> Result<(), &'static str> {
    let ignored = matches!(app.details.item(), Some(details::Item::Ignored(_)));
    if app.problems_here().next().is_none() && !ignored {
        Err("there is no problem here")
    } else {
        Ok(())
    }
}
