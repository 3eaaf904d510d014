//! Finding: text, labels, calls and problems through the corpus, dialogs by name.

use super::{Command, command};
use crate::app::{App, Effect, Focus, Purpose};
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
        "fix_all_safe",
        "repair everything in this dialog whose repair is certain",
        |app, _| app.fix_all(None),
    )
    .if_can(problems),
    command(
        "fix_all_of_rule",
        "repair everything in this dialog that the same rule finds",
        |app, _| {
            let rule = app.problems_here().first().map(|d| d.rule.name);
            app.fix_all(rule)
        },
    )
    .if_can(a_problem),
    command(
        "show_problems",
        "show the dialog's problems in the details",
        |app, _| {
            app.with_details = true;
            app.side = Focus::Details;
            app.details.show("problems");
            Vec::new()
        },
    )
    .if_can(problems),
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
    let query = format!("label:{name}");
    let same = app.search.query.as_ref().map(Query::to_string) == Some(query.clone());
    if same {
        return app.step_hit(true);
    }
    let mut effects = app.start_search(&query);
    effects.extend(app.step_hit(true));
    effects
}

fn problems(app: &App) -> Result<(), &'static str> {
    if app.transcript.problems.is_empty() {
        Err("the rules find nothing in this dialog")
    } else {
        Ok(())
    }
}

fn a_problem(app: &App) -> Result<(), &'static str> {
    if app.problems_here().is_empty() {
        Err("there is no problem here")
    } else {
        Ok(())
    }
}
