//! Commands of the program itself: help, palette, copying, quitting, and the keys of prompts.

use crate::app::commands::palette::CommandPalette;
use crate::app::core::command::command;
use crate::app::core::{App, Availability, Command, Effect, Overlay};
use crate::app::feature::editing::copying;
use crate::app::feature::finding::search;
use crate::app::feature::help;
use crate::app::feature::judging::charts;
use crate::app::feature::saving::quit;
use crate::app::input::name;
use crate::app::pane::Focus;

pub(super) static COMMANDS: &[&Command] = &[
    &HELP,
    &PALETTE,
    &BACK,
    &COPY_TEXT,
    &COPY_ID,
    &COPY_JSON,
    &REDRAW,
    &THEME_NEXT,
    &SUSPEND,
    &QUIT,
    &HELP_DOWN,
    &HELP_UP,
    &HELP_PAGE_DOWN,
    &HELP_PAGE_UP,
    &HELP_FIRST,
    &HELP_LAST,
    &HELP_LINK_NEXT,
    &HELP_LINK_PREVIOUS,
    &HELP_OPEN,
    &HELP_BACK,
    &HELP_CLOSE,
    &ACCEPT,
    &CANCEL,
    &CHOICE_NEXT,
    &CHOICE_PREVIOUS,
    &CHOICE_PAGE_DOWN,
    &CHOICE_PAGE_UP,
];

pub static HELP: Command = command(
    "help",
    "help: what you can do here, every key, the manual",
    |app, _| {
        help::open_help(app);
    },
)
.also_called(&["manual", "keys", "shortcuts"]);

pub static PALETTE: Command = command(name::PALETTE, "run any command by its name", |app, _| {
    app.ask(CommandPalette::default(), "");
})
.by_key_only();

pub static BACK: Command = command(
    name::BACK,
    "back: close, end the search, return to the transcript",
    |app, _| back(app),
);

pub static COPY_TEXT: Command = command(
    "copy_text",
    "copy the text of what is selected, or of the turn",
    |app, _| copying::copy_text(app),
)
.also_called(&["clipboard", "yank"]);

pub static COPY_ID: Command = command("copy_id", "copy the dialog's id", |app, _| {
    copying::copy_id(app);
})
.also_called(&["clipboard", "yank"]);

pub static COPY_JSON: Command = command(
    "copy_json",
    "copy the JSON of what is selected, or of the turn",
    |app, _| copying::copy_json(app),
)
.also_called(&["export", "clipboard", "yank"]);

pub static REDRAW: Command = command("redraw", "redraw the screen", |app, _| {
    app.request(Effect::Redraw);
})
.availability(Availability::Always)
.also_called(&["refresh", "repaint"]);

pub static THEME_NEXT: Command = command("theme_next", "next theme (this session)", |app, _| {
    app.request(Effect::NextTheme);
})
.also_called(&["colour", "color", "dark", "light"]);

pub static SUSPEND: Command = command("suspend", "suspend (resume with `fg`)", |app, _| {
    app.request(Effect::Suspend);
})
.availability(Availability::Always);

pub static QUIT: Command = command(
    name::QUIT,
    "quit; asks if there are unsaved edits",
    |app, _| quit::quit(app),
)
.availability(Availability::TinyScreen)
.also_called(&["exit", "close", "leave"]);

pub static HELP_DOWN: Command =
    command("help_down", "one line down", |app, _| line(app, true)).by_key_only();

pub static HELP_UP: Command =
    command("help_up", "one line up", |app, _| line(app, false)).by_key_only();

pub static HELP_PAGE_DOWN: Command = command("help_page_down", "a page down", |app, _| {
    scroll(app, page(app));
})
.by_key_only();

pub static HELP_PAGE_UP: Command = command("help_page_up", "a page up", |app, _| {
    scroll(app, -page(app));
})
.by_key_only();

pub static HELP_FIRST: Command = command("help_first", "the beginning", |app, _| {
    scroll(app, isize::MIN / 2);
})
.by_key_only();

pub static HELP_LAST: Command =
    command("help_last", "the end", |app, _| scroll(app, isize::MAX / 2)).by_key_only();

pub static HELP_LINK_NEXT: Command = command(
    "help_link_next",
    "select the next chapter of the manual",
    |app, _| {
        help::step_help_link(app, 1);
    },
)
.by_key_only();

pub static HELP_LINK_PREVIOUS: Command = command(
    "help_link_previous",
    "select the previous chapter",
    |app, _| {
        help::step_help_link(app, -1);
    },
)
.by_key_only();

pub static HELP_OPEN: Command = command(
    "help_open",
    "open the selected chapter; without one, close the help",
    |app, _| help::open_chapter(app),
)
.by_key_only();

pub static HELP_BACK: Command = command(
    "help_back",
    "back from a chapter; close the help",
    |app, _| help::close_chapter(app),
)
.availability(Availability::ClosesOverlay)
.by_key_only();

pub static HELP_CLOSE: Command = command(name::HELP_CLOSE, "close the help", |app, _| {
    app.overlay.open = None;
})
.availability(Availability::ClosesOverlay)
.by_key_only();

pub static ACCEPT: Command = command(
    name::ACCEPT,
    "accept what is typed or selected",
    |app, _| app.prompt_accept(),
)
.by_key_only();

pub static CANCEL: Command = command(name::CANCEL, "cancel", |app, _| app.prompt_cancel())
    .availability(Availability::ClosesOverlay)
    .by_key_only();

pub static CHOICE_NEXT: Command =
    command(name::CHOICE_NEXT, "next choice", |app, _| choose(app, 1)).by_key_only();

pub static CHOICE_PREVIOUS: Command = command("choice_previous", "previous choice", |app, _| {
    choose(app, -1);
})
.by_key_only();

pub static CHOICE_PAGE_DOWN: Command =
    command("choice_page_down", "a page of choices down", |app, _| {
        app.prompt_page(1);
    })
    .by_key_only();

pub static CHOICE_PAGE_UP: Command = command("choice_page_up", "a page of choices up", |app, _| {
    app.prompt_page(-1);
})
.by_key_only();

fn back(app: &mut App) {
    if charts::cancel_charts(app) {
        return;
    }
    if app.search.query.is_some() {
        return search::end_search(app);
    }
    if app.panes.fills_screen {
        app.panes.fills_screen = false;
        return;
    }
    if app.panes.list.is_narrowed() && app.panes.focus == Focus::Dialogs {
        app.panes.list.widen();
        app.panes.list.rebuild(&app.workspace.files);
    } else if app.panes.transcript.segment.is_some() && app.panes.focus == Focus::Transcript {
        app.panes.transcript.choose(None);
    } else if app.panes.focus == Focus::Transcript {
        let quit = app.input.keymap.shown(name::QUIT);
        app.say(format!("{quit} quits"));
    }
    app.panes.focus_on(Focus::Transcript);
}

fn page(app: &App) -> isize {
    (app.panes.size.height as isize - 4).max(1)
}

/// Moves one line down or up in the help, or in the details of a question.
fn line(app: &mut App, down: bool) {
    if let Some(Overlay::Help(_)) = app.overlay.open {
        help::step_help(app, down);
    } else {
        scroll_window(app, if down { 1 } else { -1 });
    }
}

fn scroll(app: &mut App, by: isize) {
    scroll_window(app, by);
}

fn choose(app: &mut App, by: isize) {
    app.prompt_step(by);
}

/// Scrolls the help, or the lines of a question.
pub fn scroll_window(app: &mut App, by: isize) {
    match &app.overlay.open {
        Some(Overlay::Question(_)) => app.scroll_question(by),
        _ => help::scroll_help(app, by),
    }
}
