//! The list of repairs that are made at once.

use super::{Command, Works, command};
use crate::app::{App, Effect};

pub(super) static COMMANDS: &[Command] = &[
    command("review_down", "next repair", |app, _| step(app, 1)).by_key_only(),
    command("review_up", "repair before", |app, _| step(app, -1)).by_key_only(),
    command("review_page_down", "a page of repairs down", |app, _| {
        step(app, page(app))
    })
    .by_key_only(),
    command("review_page_up", "a page of repairs up", |app, _| {
        step(app, -page(app))
    })
    .by_key_only(),
    command("review_first", "first repair", |app, _| {
        step(app, isize::MIN)
    })
    .by_key_only(),
    command("review_last", "last repair", |app, _| step(app, isize::MAX)).by_key_only(),
    command(
        "review_tick",
        "make this repair, or leave it out",
        |app, _| {
            app.tick_review(false);
            Vec::new()
        },
    )
    .by_key_only(),
    command(
        "review_tick_all",
        "make every repair, or leave all out",
        |app, _| {
            app.tick_review(true);
            Vec::new()
        },
    )
    .by_key_only(),
    command(
        "review_reach",
        "repair this dialog, this file, all files",
        |app, _| app.widen_review(),
    )
    .by_key_only(),
    command("review_accept", "make the ticked repairs", |app, _| {
        app.accept_review()
    })
    .by_key_only(),
    command("review_cancel", "repair nothing", |app, _| {
        app.cancel_review()
    })
    .works(Works::Closing)
    .by_key_only(),
];

fn step(app: &mut App, by: isize) -> Vec<Effect> {
    app.step_review(by);
    Vec::new()
}

fn page(app: &App) -> isize {
    app.review_rows() as isize
}
