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
    command("find_next", "next one found", |app, count| {
        again(app, count, true)
    })
    .if_can(searched),
    command("find_previous", "previous one found", |app, count| {
        again(app, count, false)
    })
    .if_can(searched),
    command("find_label", "find turns by a label", |app, _| {
        app.ask(Purpose::Search, "label:")
    }),
    command("find_api", "find calls of an API", |app, _| {
        app.ask(Purpose::Search, "api:")
    }),
    command("find_problem", "find turns with a problem", |app, _| {
        app.start_search("problem:")
    }),
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

fn searched(app: &App) -> Result<(), &'static str> {
    if app.search.query.is_some() {
        Ok(())
    } else {
        Err("nothing has been searched yet: / does")
    }
}

fn again(app: &mut App, count: Option<usize>, forward: bool) -> Vec<Effect> {
    let mut effects = Vec::new();
    for _ in 0..count.unwrap_or(1).min(1000) {
        effects.extend(app.step_hit(forward));
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
