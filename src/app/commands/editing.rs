//! Editing texts and items, undoing, saving, and answering questions.

use crate::app::core::command::command;
use crate::app::core::{Answer, App, Availability, Command, Unavailable};
use crate::app::feature::editing::turn_text::{self, TurnText};
use crate::app::feature::editing::{items, rename, undo};
use crate::app::feature::recovery::restore_edits;
use crate::app::feature::saving::{external_changes, save};
use crate::app::input::name;
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
        return;
    }
    if turn_text::go_to_answer(app) {
        return;
    }
    let text = app.panes.transcript.current().map(|turn| turn.text.clone());
    app.ask(TurnText::default(), &text.unwrap_or_default());
})
.edits(|app, _| app.file_here())
.if_can(a_text)
.also_called(&["correct", "typo", "utterance", "rewrite"]);

pub static ITEM_CHANGE: Command = command(
    name::ITEM_CHANGE,
    "open or change the selected item",
    |app, _| super::items::change_item(app),
)
.by_key_only()
.also_called(&["edit"]);

pub static ITEM_ADD: Command = command(
    "item_add",
    "add a value, an act, an intent or a slot",
    |app, _| items::add_item(app),
)
.if_can(|app| {
    let nothing = Unavailable::Here(items::why_nothing_to_add(app));
    items::to_add(app).map(|_| ()).ok_or(nothing)
})
.also_called(&["new", "insert"]);

pub static ITEM_RENAME: Command = command("item_rename", "rename the selected item", |app, _| {
    rename::rename_item(app);
})
.if_can(|app| {
    let nothing = Unavailable::Here("nothing with a name is selected");
    rename::to_rename(app).map(|_| ()).ok_or(nothing)
});

pub static ITEM_DELETE: Command = command(
    name::ITEM_DELETE,
    "delete the selected item; revert the selected edit",
    |app, _| super::items::delete_item(app),
)
.edits(|app, _| super::items::files_to_delete_in(app))
.if_can(a_deletable_item)
.also_called(&["remove", "revert"]);

pub static UNDO: Command = command(name::UNDO, "undo the last edit", |app, count| {
    repeat(count, || undo::undo(app));
})
.edits(|app, count| undo::files_to_undo(app, count.unwrap_or(1)))
.if_can(|app| undo::can_undo(app).then_some(()).ok_or(NOTHING_TO_UNDO))
.also_called(&["take", "back"]);

pub static REDO: Command = command("redo", "redo the last undone edit", |app, count| {
    repeat(count, || undo::redo(app));
})
.edits(|app, count| undo::files_to_redo(app, count.unwrap_or(1)))
.if_can(|app| undo::can_redo(app).then_some(()).ok_or(NOTHING_TO_REDO))
.also_called(&["repeat", "again"]);

pub static RECOVER: Command = command(
    name::RECOVER,
    "decide again about unsaved edits from the last session",
    |app, _| {
        restore_edits::ask_about_unsaved(app);
    },
)
.also_called(&["restore", "journal", "crash"]);

pub static RELOAD: Command = command(
    name::RELOAD,
    "reload the file from disk and reapply unsaved edits",
    |app, _| external_changes::reload(app),
)
.also_called(&["refresh", "reread"]);

pub static SAVE: Command =
    command(name::SAVE, "save this file", |app, _| save::save(app)).also_called(&["write"]);

pub static SAVE_ALL: Command = command(
    name::SAVE_ALL,
    "save all files with unsaved edits (write all)",
    |app, _| save::save_all(app),
)
.also_called(&["write"]);

pub static ANSWER_YES: Command =
    command(name::ANSWER_YES, "yes", |app, _| app.answer(Answer::Yes)).by_key_only();

pub static ANSWER_NO: Command =
    command(name::ANSWER_NO, "no", |app, _| app.answer(Answer::No)).by_key_only();

pub static ANSWER_LATER: Command = command(name::ANSWER_LATER, "cancel", |app, _| {
    app.answer(Answer::Later);
})
.availability(Availability::ClosesOverlay)
.by_key_only();

pub static ANSWER_SAFE: Command = command(
    name::ANSWER_SAFE,
    "cancel; keep things as they are",
    |app, _| app.answer_safely(),
)
.by_key_only();

pub static ANSWER_SHOW: Command = command(
    name::ANSWER_SHOW,
    "show what the question is about",
    |app, _| app.answer(Answer::Show),
)
.by_key_only();

pub static ANSWER_KEEP: Command = command(
    name::ANSWER_KEEP,
    "export unsaved edits to a file",
    |app, _| app.answer(Answer::Export),
)
.by_key_only();

const NOTHING_TO_UNDO: Unavailable = Unavailable::Yet {
    why: "nothing to undo",
    first: None,
};
const NOTHING_TO_REDO: Unavailable = Unavailable::Yet {
    why: "nothing to redo",
    first: None,
};

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

fn repeat(count: Option<usize>, mut run: impl FnMut()) {
    for _ in 0..count.unwrap_or(1).min(10_000) {
        run();
    }
}
