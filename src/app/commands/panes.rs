//! Commands for the panes: focus, tabs of the details, and how turns are marked.

use crate::app::commands::conditions::has_segments;
use crate::app::core::command::command;
use crate::app::core::{App, Command, Unavailable};
use crate::app::feature::judging::charts;
use crate::app::input::name;
use crate::app::pane::transcript::{Folding, Folds, MarkDisplay};
use crate::app::pane::{Focus, Item, Layout};
use crate::app::tabs;
use crate::app::tabs::{TABS, Tab};
use crate::dialog::EditKind;

pub(super) static COMMANDS: &[&Command] = &[
    &FOCUS_NEXT,
    &FOCUS_PREVIOUS,
    &FOCUS_DIALOGS,
    &FOCUS_TRANSCRIPT,
    &LIST_OPEN,
    &FOCUS_DETAILS,
    &TAB_NEXT,
    &TAB_PREVIOUS,
    &SHOW_SEGMENTS,
    &SHOW_API,
    &SHOW_VOTES,
    &SHOW_CHARTS,
    &SHOW_ACTS,
    &SHOW_INFO,
    &SHOW_SOURCE,
    &SHOW_EDITS,
    &TOGGLE_DETAILS,
    &FILL_SCREEN,
    &TOGGLE_MARKS,
    &TOGGLE_CALLS,
    &TOGGLE_CALL,
];

pub static FOCUS_NEXT: Command = command("focus_next", "focus the next pane", |app, _| {
    step_focus(app, true);
});

pub static FOCUS_PREVIOUS: Command =
    command("focus_previous", "focus the previous pane", |app, _| {
        step_focus(app, false);
    });

pub static FOCUS_DIALOGS: Command = command("focus_dialogs", "focus the dialog list", |app, _| {
    focus(app, Focus::Dialogs);
});

pub static FOCUS_TRANSCRIPT: Command =
    command("focus_transcript", "focus the transcript", |app, _| {
        focus(app, Focus::Transcript);
    });

pub static LIST_OPEN: Command = command(
    "list_open",
    "read the selected dialog; on a folded file or folder, show its dialogs",
    |app, _| {
        if app.panes.list.unfold(&app.workspace.files) {
            return app.open_chosen();
        }
        focus(app, Focus::Transcript);
    },
)
.also_called(&["expand", "unfold"]);

pub static FOCUS_DETAILS: Command = command(name::FOCUS_DETAILS, "focus the details", |app, _| {
    focus(app, Focus::Details);
});

pub static TAB_NEXT: Command = command("tab_next", "next tab of the details", |app, _| {
    step_tab(app, 1);
});

pub static TAB_PREVIOUS: Command =
    command("tab_previous", "previous tab of the details", |app, _| {
        step_tab(app, -1);
    });

pub static SHOW_SEGMENTS: Command = command(
    "show_segments",
    "show the turn's segments in the details",
    |app, _| tab(app, "segments"),
);

pub static SHOW_API: Command = command(
    "show_api",
    "show the dialog's API calls in the details",
    |app, _| tab(app, "api"),
);

pub static SHOW_VOTES: Command = command(
    "show_votes",
    "show the turn's votes in the details",
    |app, _| tab(app, "votes"),
);

pub static SHOW_CHARTS: Command = command(
    name::SHOW_CHARTS,
    "show charts of all votes, by system and by position of the turn",
    |app, _| charts::show_charts(app),
)
.also_called(&["statistics", "graph", "bars"]);

pub static SHOW_ACTS: Command = command(
    "show_acts",
    "show the turn's acts and the state in the details",
    |app, _| tab(app, "acts"),
);

pub static SHOW_INFO: Command = command(
    "show_info",
    "show scenario, instructions, context and other fields",
    |app, _| tab(app, "info"),
);

pub static SHOW_SOURCE: Command = command(
    "show_source",
    "show the JSON text of the current turn or segment",
    |app, _| tab(app, "source"),
)
.also_called(&["json", "raw"]);

pub static SHOW_EDITS: Command =
    command("show_edits", "review edits, and revert them", |app, _| {
        tab(app, "edits");
    })
    .also_called(&["history", "changes", "diff"]);

pub static TOGGLE_DETAILS: Command =
    command("toggle_details", "show or hide the details", |app, _| {
        let shown = |app: &App| {
            app.layout()
                .is_some_and(|layout| !layout.details.is_empty())
        };
        app.panes.fills_screen = false;
        app.panes.with_details = !shown(app);
        if !app.panes.with_details && app.panes.focus == Focus::Details {
            app.panes.focus = Focus::Transcript;
        }
        // With room for one pane beside the transcript, that is either the details or the list.
        app.panes.side = if app.panes.with_details {
            Focus::Details
        } else {
            Focus::Dialogs
        };
        leave_hidden(app);
        if app.panes.with_details && !shown(app) {
            let next = app.input.keymap.shown(FOCUS_NEXT.name);
            app.say(format!(
                "no room for the details beside the transcript; {next} shows them"
            ));
        }
    })
    .also_called(&["sidebar", "hide"]);

pub static FILL_SCREEN: Command = command(
    name::FILL_SCREEN,
    "show the focused pane on the whole screen, or all panes again",
    |app, _| {
        app.panes.fills_screen = !app.panes.fills_screen;
        if app.panes.fills_screen {
            let again = app.input.keymap.shown(name::FILL_SCREEN);
            app.say(format!("{again} shows all panes again"));
        }
    },
)
.also_called(&["zoom", "maximize", "full screen"]);

pub static TOGGLE_MARKS: Command = command(
    "toggle_marks",
    "mark segments under every turn, or the current one only",
    |app, _| {
        let all = app.panes.transcript.marks == MarkDisplay::Current;
        app.panes.transcript.marks = if all {
            MarkDisplay::All
        } else {
            MarkDisplay::Current
        };
        app.panes.transcript.forget();
        app.say(if all {
            "segments are marked under every turn"
        } else {
            "segments are marked under the current turn"
        });
    },
)
.if_can(has_segments);

pub static TOGGLE_CALLS: Command = command(
    "toggle_calls",
    "unfold long prompts and responses, or fold calls to a line",
    |app, _| {
        let (folding, message) = match app.panes.transcript.folds.all {
            Folding::Long => (Folding::Nothing, "1 of 4: everything is shown whole"),
            Folding::Nothing => (Folding::Responses, "2 of 4: responses are one line each"),
            Folding::Responses => (
                Folding::Calls,
                "3 of 4: calls and their responses are one line each",
            ),
            Folding::Calls => (
                Folding::Long,
                "4 of 4: only long prompts and responses are folded",
            ),
        };
        app.panes.transcript.folds = Folds::alike(folding);
        app.panes.transcript.forget();
        app.say(message);
    },
)
.if_can(calls);

pub static TOGGLE_CALL: Command = command(
    "toggle_call",
    "fold the selected call to a line, or unfold it; without one, as in the transcript",
    |app, _| match app.panes.details.item().and_then(Item::call) {
        Some((turn, call)) => {
            let folds = app.panes.transcript.folds.toggle((turn, call));
            app.panes.transcript.forget();
            app.panes.details.choose_next(Item::Api { turn, call });
            app.say(if folds {
                "the call is folded"
            } else {
                "the call is shown whole"
            });
        }
        None => (TOGGLE_CALLS.run)(app, None),
    },
)
.if_can(calls);

fn calls(app: &App) -> Result<(), Unavailable> {
    if app.holds(EditKind::Calls) {
        Ok(())
    } else {
        Err(Unavailable::Here("these dialogs have no API calls"))
    }
}

fn focus(app: &mut App, focus: Focus) {
    app.panes.focus_on(focus);
}

fn step_focus(app: &mut App, forward: bool) {
    let shown = |pane: &Focus| *pane != Focus::Details || app.panes.with_details;
    let order: Vec<Focus> = Focus::ALL.into_iter().filter(shown).collect();
    let here = order.iter().position(|pane| *pane == app.panes.focus);
    let by = if forward { 1 } else { order.len() - 1 };
    focus(app, order[(here.unwrap_or_default() + by) % order.len()]);
}

/// Shows the details, and focuses them where there is room for one pane only.
fn show_details(app: &mut App) {
    app.panes.with_details = true;
    app.panes.side = Focus::Details;
    if app.layout().is_some_and(|layout| layout.details.is_empty()) {
        app.panes.focus_on(Focus::Details);
    }
    leave_hidden(app);
}

/// Moves the focus to the transcript if its pane is hidden, so that no key works unseen.
fn leave_hidden(app: &mut App) {
    let hidden = |layout: Layout| layout.pane(app.panes.focus).is_empty();
    if app.layout().is_some_and(hidden) {
        app.panes.focus = Focus::Transcript;
    }
}

fn step_tab(app: &mut App, by: isize) {
    show_details(app);
    tabs::step_tab(app, by);
}

/// Shows the tab called `name` in the details.
pub fn tab(app: &mut App, name: &str) {
    show_details(app);
    if let Some(tab) = TABS.iter().find(|tab| tab.name == name) {
        let Tab { has, title, .. } = tab;
        if !has(app) {
            app.say(format!("nothing to show under {title}"));
        }
        app.panes.details.show(tab.name);
    }
}
