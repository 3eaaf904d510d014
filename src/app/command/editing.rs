//! Editing texts and items, undoing, saving, and answering questions.

use super::{Availability, Command, Unavailable, command};
use crate::app::turn_text::TurnText;
use crate::app::{Answer, App, Effect};
use crate::dialog::EditKind;

pub(super) static COMMANDS: &[&Command] = &[
    &EDIT_TEXT,
    &ITEM_CHANGE,
    &ITEM_ADD,
    &ITEM_RENAME,
    &ITEM_DELETE,
    &UNDO,
    &REDO,
    &RECOVER,
    &RELOAD,
    &SAVE,
    &SAVE_ALL,
    &ANSWER_YES,
    &ANSWER_NO,
    &ANSWER_LATER,
    &ANSWER_SAFE,
    &ANSWER_SHOW,
    &ANSWER_KEEP,
];

pub static EDIT_TEXT: Command = command("edit_text", "change the text of the turn", |app, _| {
    // Refuse now rather than after the user has typed a text that would then be lost.
    if !app.panes.transcript.at.is_some_and(|at| app.may_edit(at)) {
        return Vec::new();
    }
    let text = app.panes.transcript.current().map(|turn| turn.text.clone());
    app.ask(TurnText, &text.unwrap_or_default())
})
.edits(|app, _| app.file_here())
.if_can(a_text);

pub static ITEM_CHANGE: Command = command(
    "item_change",
    "open or change the selected item",
    |app, _| app.change_item(),
)
.by_key_only();

pub static ITEM_ADD: Command = command(
    "item_add",
    "add a value, an act, an intent or a slot",
    |app, _| app.add_item(),
)
.if_can(|app| {
    let nothing = Unavailable::Here("nothing can be added here");
    app.to_add().map(|_| ()).ok_or(nothing)
});

pub static ITEM_RENAME: Command = command("item_rename", "rename the selected item", |app, _| {
    app.rename_item()
})
.if_can(|app| {
    let nothing = Unavailable::Here("nothing with a name is selected");
    app.to_rename().map(|_| ()).ok_or(nothing)
});

pub static ITEM_DELETE: Command = command(
    "item_delete",
    "delete the selected item; revert the selected edit",
    |app, _| app.delete_item(),
)
.edits(|app, _| app.files_to_delete_in())
.if_can(a_deletable_item);

pub static UNDO: Command = command("undo", "undo the last edit", |app, count| {
    repeat(count, || app.undo())
})
.edits(|app, count| app.files_to_undo(count.unwrap_or(1)));

pub static REDO: Command = command("redo", "redo the last undone edit", |app, count| {
    repeat(count, || app.redo())
})
.edits(|app, count| app.files_to_redo(count.unwrap_or(1)));

pub static RECOVER: Command = command(
    "recover",
    "decide again about unsaved edits from the last session",
    |app, _| {
        app.ask_about_unsaved();
        Vec::new()
    },
);

pub static RELOAD: Command = command(
    "reload",
    "reload the file from disk and reapply unsaved edits",
    |app, _| app.reload(),
);

pub static SAVE: Command = command("save", "save this file", |app, _| app.save());

pub static SAVE_ALL: Command = command(
    "save_all",
    "save all files with unsaved edits (write all)",
    |app, _| app.save_all(),
);

pub static ANSWER_YES: Command =
    command("answer_yes", "yes", |app, _| app.answer(Answer::Yes)).by_key_only();

pub static ANSWER_NO: Command =
    command("answer_no", "no", |app, _| app.answer(Answer::No)).by_key_only();

pub static ANSWER_LATER: Command =
    command("answer_later", "cancel", |app, _| app.answer(Answer::Later))
        .availability(Availability::ClosesOverlay)
        .by_key_only();

pub static ANSWER_SAFE: Command = command(
    "answer_safe",
    "cancel; keep things as they are",
    |app, _| app.answer_safely(),
)
.by_key_only();

pub static ANSWER_SHOW: Command = command(
    "answer_show",
    "show what the question is about",
    |app, _| app.answer(Answer::Show),
)
.by_key_only();

pub static ANSWER_KEEP: Command =
    command("answer_keep", "export unsaved edits to a file", |app, _| {
        app.answer(Answer::Export)
    })
    .by_key_only();

fn a_turn(app: &App) -> Result<(), Unavailable> {
    let turn = app.panes.transcript.current().map(|_| ());
    turn.ok_or(Unavailable::Here("no dialog is open"))
}

fn a_text(app: &App) -> Result<(), Unavailable> {
    a_turn(app)?;
    if app.holds(EditKind::Text) {
        Ok(())
    } else {
        Err(Unavailable::Here("these dialogs cannot be edited"))
    }
}

fn a_deletable_item(app: &App) -> Result<(), Unavailable> {
    match app.panes.details.item() {
        None => Err(Unavailable::Here("nothing is selected in the details")),
        Some(item) if item.can_be_deleted() => Ok(()),
        Some(_) => Err(Unavailable::Here("this cannot be deleted")),
    }
}

fn repeat(count: Option<usize>, mut run: impl FnMut() -> Vec<Effect>) -> Vec<Effect> {
    (0..count.unwrap_or(1).min(10_000))
        .flat_map(|_| run())
        .collect()
}
