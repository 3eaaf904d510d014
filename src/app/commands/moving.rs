//! Commands that move through turns, segments and dialogs.

use crate::app::commands::conditions::has_segments;
use crate::app::commands::items;
use crate::app::core::command::command;
use crate::app::core::{App, Command, Unavailable};
use crate::app::feature::editing::segments;
use crate::app::input::name;
use crate::app::pane::{Focus, body};

fn a_dialog(app: &App) -> Result<(), Unavailable> {
    if app.panes.transcript.is_empty() {
        Err(Unavailable::Here("no dialog is open"))
    } else {
        Ok(())
    }
}

pub(super) static COMMANDS: &[&Command] = &[
    &TURN_NEXT,
    &TURN_PREVIOUS,
    &TURN_FIRST,
    &TURN_LAST,
    &SEGMENT_NEXT,
    &SEGMENT_PREVIOUS,
    &PAGE_DOWN,
    &PAGE_UP,
    &HALF_PAGE_DOWN,
    &HALF_PAGE_UP,
    &DIALOG_NEXT,
    &DIALOG_PREVIOUS,
    &LIST_DOWN,
    &LIST_UP,
    &LIST_FIRST,
    &LIST_LAST,
    &LIST_FOLD,
    &DETAILS_DOWN,
    &DETAILS_UP,
    &DETAILS_FIRST,
    &DETAILS_LAST,
];

pub static TURN_NEXT: Command = command(
    name::TURN_NEXT,
    "next turn; scrolls a turn longer than the screen first",
    |app, count| turn(app, count, true),
)
.if_can(a_dialog);

pub static TURN_PREVIOUS: Command = command(name::TURN_PREVIOUS, "previous turn", |app, count| {
    turn(app, count, false);
})
.if_can(a_dialog);

pub static TURN_FIRST: Command = command(
    "turn_first",
    "first turn; with a count N, turn N",
    |app, count| to_turn(app, count.unwrap_or(0)),
)
.if_can(a_dialog);

pub static TURN_LAST: Command = command(
    "turn_last",
    "last turn; with a count N, turn N",
    |app, count| {
        let last = app.panes.transcript.len() - 1;
        to_turn(app, count.unwrap_or(last));
    },
)
.if_can(a_dialog);

pub static SEGMENT_NEXT: Command = command(
    name::SEGMENT_NEXT,
    "next segment, across turns",
    |app, _| segment(app, true),
)
.if_can(has_segments);

pub static SEGMENT_PREVIOUS: Command = command("segment_previous", "previous segment", |app, _| {
    segment(app, false);
})
.if_can(has_segments);

pub static PAGE_DOWN: Command =
    command("page_down", "a page down", |app, count| page(app, count, 1));

pub static PAGE_UP: Command = command("page_up", "a page up", |app, count| page(app, count, -1));

pub static HALF_PAGE_DOWN: Command = command("half_page_down", "half a page down", |app, count| {
    half_page(app, count, 1);
});

pub static HALF_PAGE_UP: Command = command("half_page_up", "half a page up", |app, count| {
    half_page(app, count, -1);
});

pub static DIALOG_NEXT: Command =
    command("dialog_next", "next dialog of the list", |app, count| {
        dialog(app, count, 1);
    });

pub static DIALOG_PREVIOUS: Command = command(
    "dialog_previous",
    "previous dialog of the list",
    |app, count| dialog(app, count, -1),
);

pub static LIST_DOWN: Command = command("list_down", "one row down", |app, count| {
    dialog(app, count, 1);
})
.by_key_only();

pub static LIST_UP: Command =
    command("list_up", "one row up", |app, count| dialog(app, count, -1)).by_key_only();

pub static LIST_FIRST: Command = command(
    "list_first",
    "first dialog of the list; with a count N, its Nth dialog",
    |app, count| list_place(app, count.unwrap_or(1)),
);

pub static LIST_LAST: Command = command(
    "list_last",
    "last dialog of the list; with a count N, its Nth dialog",
    |app, count| list_place(app, count.unwrap_or(usize::MAX)),
);

pub static LIST_FOLD: Command = command(
    "list_fold",
    "hide the dialogs of this file or folder; again, those of the folder around it",
    |app, _| {
        if !app.panes.list.fold(&app.workspace.files) {
            app.say("no file or folder around this to fold");
        }
    },
)
.also_called(&["collapse", "tree"]);

pub static DETAILS_DOWN: Command =
    command("details_down", "next item, or scroll down", |app, count| {
        details(app, count, 1);
    })
    .by_key_only();

pub static DETAILS_UP: Command =
    command("details_up", "previous item, or scroll up", |app, count| {
        details(app, count, -1);
    })
    .by_key_only();

pub static DETAILS_FIRST: Command = command("details_first", "first item, or the top", |app, _| {
    details(app, Some(usize::MAX / 4), -1);
})
.by_key_only();

pub static DETAILS_LAST: Command = command("details_last", "last item, or the end", |app, _| {
    details(app, Some(usize::MAX / 4), 1);
})
.by_key_only();

fn turn(app: &mut App, count: Option<usize>, down: bool) {
    if count.is_none() && app.panes.transcript.scroll_within(down) {
        return;
    }
    let (here, by) = (app.panes.transcript.turn, count.unwrap_or(1));
    let last = app.panes.transcript.len() - 1;
    match (down, here) {
        (true, here) if here == last => app.say("this is the last turn"),
        (false, 0) => app.say("this is the first turn"),
        (true, _) => app.panes.transcript.go(here.saturating_add(by)),
        (false, _) => app.panes.transcript.go(here.saturating_sub(by)),
    }
}

/// Goes to dialog `place` of the list, counted from 1, or to the last one if there are fewer.
fn list_place(app: &mut App, place: usize) {
    app.panes.list.go_to_place(place);
    app.open_chosen();
}

/// Goes to turn `turn`, or to the last one if there are fewer.
fn to_turn(app: &mut App, turn: usize) {
    let last = app.panes.transcript.len() - 1;
    if turn > last {
        app.say(format!("there is no turn {turn}; the last is {last}"));
    }
    app.panes.transcript.go(turn);
}

fn segment(app: &mut App, forward: bool) {
    let turn = app.panes.transcript.turn;
    if !app.panes.transcript.step_segment(forward) {
        app.say(if forward {
            "no segment after this one"
        } else {
            "no segment before this one"
        });
    }
    if app.panes.transcript.caret.is_some() && app.panes.transcript.turn != turn {
        segments::enter_span(app);
    }
}

/// Returns the rows to scroll for a page: two less than the pane has, so that two stay visible.
fn page_rows(app: &App) -> usize {
    let pane = app
        .layout()
        .map(|layout| body(layout.pane(app.panes.focus)));
    usize::from(pane.unwrap_or_default().height)
        .saturating_sub(2)
        .max(1)
}

fn page(app: &mut App, count: Option<usize>, sign: isize) {
    let rows = page_rows(app);
    scroll(app, rows.saturating_mul(count.unwrap_or(1)), sign);
}

fn half_page(app: &mut App, count: Option<usize>, sign: isize) {
    let rows = page_rows(app).div_ceil(2);
    scroll(app, rows.saturating_mul(count.unwrap_or(1)), sign);
}

fn scroll(app: &mut App, rows: usize, sign: isize) {
    let by = sign * isize::try_from(rows).unwrap_or(isize::MAX / 2);
    if app.panes.focus == Focus::Dialogs {
        app.panes.list.step(by);
        return app.open_chosen();
    }
    app.panes.scroll(app.panes.focus, by);
}

fn dialog(app: &mut App, count: Option<usize>, sign: isize) {
    let before = app.panes.list.cursor;
    // One by one, because file names between dialogs do not count.
    for _ in 0..count.unwrap_or(1) {
        let here = app.panes.list.cursor;
        app.panes.list.step(sign);
        // Outside the list, folded files and folders are passed over.
        while app.panes.focus != Focus::Dialogs && app.panes.list.chosen().is_none() {
            let folded = app.panes.list.cursor;
            app.panes.list.step(sign);
            if app.panes.list.cursor == folded {
                app.panes.list.cursor = here;
                break;
            }
        }
        if app.panes.list.cursor == here {
            break;
        }
    }
    if app.panes.list.cursor == before {
        let end = if sign > 0 { "last" } else { "first" };
        app.say(if !app.panes.list.rows.is_empty() {
            format!("this is the {end} dialog of the list")
        } else if !app.panes.list.filter.is_empty() {
            format!("no dialog id contains {}", app.panes.list.filter)
        } else if app.panes.list.found.is_some() {
            "no dialog has a hit".to_owned()
        } else {
            "there are no dialogs".to_owned()
        });
    }
    app.open_chosen();
}

fn details(app: &mut App, count: Option<usize>, sign: isize) {
    items::step_item(
        app,
        sign * isize::try_from(count.unwrap_or(1)).unwrap_or(isize::MAX / 2),
    );
}
