//! Commands of the list of suggestions. It shares keys for going through a list with the list of fixes, and
//! keys for edges with the transcript.

use crate::app::core::command::command;
use crate::app::core::{App, Availability, Command, Unavailable};
use crate::app::feature::suggestions::review;
use crate::app::input::name;

pub(super) static COMMANDS: &[&Command] = &[
    &SUGGESTIONS,
    &SUGGESTION_TAKE,
    &SUGGESTION_LEAVE,
    &SUGGESTIONS_CLOSE,
];

pub static SUGGESTIONS: Command = command(
    name::SUGGESTIONS,
    "review the suggested edits that the program was started with",
    |app, _| review::open(app),
)
.if_can(has_suggestions)
.also_called(&["review", "import"]);

pub static SUGGESTION_TAKE: Command =
    command("suggestion_take", "make this suggested edit", |app, _| {
        review::take(app);
    })
    .edits(|app, _| review::files_to_edit(app))
    .by_key_only();

pub static SUGGESTION_LEAVE: Command =
    command("suggestion_leave", "leave this suggestion", |app, _| {
        review::leave(app);
    })
    .by_key_only();

pub static SUGGESTIONS_CLOSE: Command = command(
    name::SUGGESTIONS_CLOSE,
    "end the review; what was taken stays",
    |app, _| review::close(app),
)
.availability(Availability::ClosesOverlay)
.by_key_only();

fn has_suggestions(app: &App) -> Result<(), Unavailable> {
    if app.suggestions.all.is_empty() {
        Err(Unavailable::Here(
            "the program was started without --suggestions",
        ))
    } else {
        Ok(())
    }
}
