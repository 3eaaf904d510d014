//! Commands of the bulk fix list, where fixes are reviewed before they are applied; those that go through it
//! work in the list of suggestions too.

use crate::app::core::command::command;
use crate::app::core::{App, Availability, Command, Overlay};
use crate::app::feature::problems::bulk_fix;
use crate::app::feature::suggestions::review;
use crate::app::input::name;

pub(super) static COMMANDS: &[&Command] = &[
    &REVIEW_DOWN,
    &REVIEW_UP,
    &REVIEW_PAGE_DOWN,
    &REVIEW_PAGE_UP,
    &REVIEW_FIRST,
    &REVIEW_LAST,
    &REVIEW_TICK,
    &REVIEW_TICK_ALL,
    &REVIEW_REACH,
    &REVIEW_ACCEPT,
    &REVIEW_CANCEL,
];

pub static REVIEW_DOWN: Command = command("review_down", "next fix or suggestion", |app, _| {
    step(app, 1);
})
.by_key_only();

pub static REVIEW_UP: Command = command("review_up", "previous fix or suggestion", |app, _| {
    step(app, -1);
})
.by_key_only();

pub static REVIEW_PAGE_DOWN: Command = command(
    "review_page_down",
    "a page of fixes or suggestions down",
    |app, _| step(app, page(app)),
)
.by_key_only();

pub static REVIEW_PAGE_UP: Command = command(
    "review_page_up",
    "a page of fixes or suggestions up",
    |app, _| step(app, -page(app)),
)
.by_key_only();

pub static REVIEW_FIRST: Command = command("review_first", "first fix or suggestion", |app, _| {
    step(app, isize::MIN);
})
.by_key_only();

pub static REVIEW_LAST: Command = command("review_last", "last fix or suggestion", |app, _| {
    step(app, isize::MAX);
})
.by_key_only();

pub static REVIEW_TICK: Command = command("review_tick", "select or skip this fix", |app, _| {
    bulk_fix::tick_bulk_fix(app, false);
})
.by_key_only();

pub static REVIEW_TICK_ALL: Command =
    command("review_tick_all", "select all, or none", |app, _| {
        bulk_fix::tick_bulk_fix(app, true);
    })
    .by_key_only();

pub static REVIEW_REACH: Command = command(
    "review_reach",
    "scope: this dialog, this file, all files",
    |app, _| bulk_fix::widen_bulk_fix(app),
)
.by_key_only();

pub static REVIEW_ACCEPT: Command =
    command("review_accept", "apply the selected fixes", |app, _| {
        bulk_fix::accept_bulk_fix(app);
    })
    .edits(|app, _| bulk_fix::files_to_fix(app))
    .by_key_only();

pub static REVIEW_CANCEL: Command = command(name::REVIEW_CANCEL, "cancel", |app, _| {
    bulk_fix::cancel_bulk_fix(app);
})
.availability(Availability::ClosesOverlay)
.by_key_only();

fn step(app: &mut App, by: isize) {
    if matches!(app.overlay.open, Some(Overlay::Suggestions)) {
        return review::step(app, by);
    }
    bulk_fix::step_bulk_fix(app, by);
}

fn page(app: &App) -> isize {
    if matches!(app.overlay.open, Some(Overlay::Suggestions)) {
        return app.panes.suggestion_rows() as isize;
    }
    app.panes.review_rows() as isize
}
