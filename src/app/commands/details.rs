//! Going through, changing and deleting the items listed in the details.

use crate::app::commands::panes;
use crate::app::core::App;
use crate::app::feature::editing::items::{change_slots, intents, make_edit, may_change, said_of};
use crate::app::feature::editing::label_picker::{LabelUse, ask_for_label};
use crate::app::feature::editing::name_picker::NameOp;
use crate::app::feature::editing::value_prompt::NewValue;
use crate::app::feature::editing::{items, name_picker, revert, segments};
use crate::app::feature::finding::search;
use crate::app::feature::judging::codes;
use crate::app::feature::problems::{ignoring, problem};
use crate::app::input::Command;
use crate::app::pane::details::HITS;
use crate::app::pane::{Focus, Item};
use crate::app::tabs;
use crate::dialog::Edit;

/// Selects the last or the first item. Where that belongs to another turn, only scrolls there: the transcript
/// stays at its turn.
pub fn go_to_end(app: &mut App, last: bool) {
    let turn = app.panes.transcript.turn;
    let item = tabs::item_at_end(app, last);
    let of_turn = item.and_then(|item| item.turn());
    if of_turn.is_some_and(|of| of != turn) {
        app.panes.details.scroll_to_end(last);
    } else {
        step_item(app, if last { isize::MAX / 4 } else { isize::MIN / 4 });
    }
}

/// Selects the item `by` places further, if there are items; otherwise scrolls.
pub fn step_item(app: &mut App, by: isize) {
    match tabs::choose_item(app, by) {
        Some(item) => go_to_item(app, &item),
        None => app.panes.details.scroll(by),
    }
}

/// Scrolls by rows. The selected item stays if it is still in sight; otherwise one that is gets selected.
pub fn page(app: &mut App, by: isize) {
    match tabs::choose_on_page(app, by) {
        Some(item) => go_to_item(app, &item),
        None => app.panes.details.scroll(by),
    }
}

/// Shows in the transcript what the selected item is about.
fn go_to_item(app: &mut App, item: &Item) {
    if let Some(turn) = item.turn() {
        app.panes.transcript.go(turn);
    }
    match item {
        Item::Segment { segment, .. } => app.panes.transcript.choose(Some(*segment)),
        Item::Problem(number) => problem::go_to_problem(app, *number),
        Item::Hit { at, number } => search::go_to_hit(app, *at, *number),
        Item::Ignored(number) => {
            let ignored = app.panes.transcript.ignored.get(*number);
            if let Some(location) = ignored.map(|(d, _)| d.location) {
                app.panes.transcript.go(location.turn.unwrap_or_default());
                app.panes.transcript.choose(location.segment);
            }
        }
        _ => {}
    }
}

/// Searches, and lists the hits.
fn list_hits(app: &mut App, query: &str) {
    search::start_search(app, query);
    if app.search.query.is_some() {
        app.panes.details.left = app.panes.details.item().cloned();
        app.panes.details.show(HITS);
        app.panes.focus_on(Focus::Details);
    }
}

/// Starts changing the selected item; focuses the transcript if none is selected.
pub fn change_item(app: &mut App) {
    let Some(item) = app.panes.details.item().cloned() else {
        app.panes.focus_on(Focus::Transcript);
        return;
    };
    if app.panes.transcript.folds.has_part(&item) {
        return panes::toggle_part(app, item);
    }
    if let Err(why) = may_change(app, &item) {
        app.say(why);
        return;
    }
    match &item {
        Item::Segment { .. } => {
            app.panes.focus_on(Focus::Transcript);
            segments::enter_span(app);
        }
        Item::Api { .. } | Item::Act { .. } | Item::Intent { .. } => {
            name_picker::pick(app, NameOp::Rename, item);
        }
        Item::Values { .. } | Item::Acts { .. } | Item::Intents { .. } | Item::States { .. } => {
            items::add_item(app);
        }
        Item::Code(name) => list_hits(app, &codes::query_of(app, name)),
        Item::Step(step) => {
            let step = app.workspace.steps.all().get(*step).cloned();
            revert::go_to_step(app, step.as_ref());
        }
        Item::Problem(_) | Item::Hit { .. } | Item::Ignored(_) => {
            app.panes.focus_on(Focus::Transcript);
            go_to_item(app, &item);
        }
        Item::Inner { .. } => panes::toggle_part(app, item),
        Item::Rule { file, rule } => search::go_to_rule(app, *file, rule),
        Item::Value { .. } | Item::Json { .. } | Item::ActSlot { .. } | Item::State { .. } => {
            let old = said_of(app, &item).unwrap_or_default();
            let value = NewValue { item, new: None, has_next: false };
            value.ask(app, &old);
        }
    }
}

/// Asks for an item to add to the selected one, or for the definition of a code.
pub fn add_item(app: &mut App) {
    match app.panes.details.item().cloned() {
        Some(Item::Code(name)) => codes::ask_for_definition(app, &name),
        _ => items::add_item(app),
    }
}

/// Asks for another name of the selected item.
pub fn rename_item(app: &mut App) {
    match app.panes.details.item().cloned() {
        Some(Item::Code(name)) => codes::ask_for_name(app, &name),
        Some(Item::Segment { .. }) => ask_for_label(app, LabelUse::Replace),
        Some(item) => name_picker::pick(app, NameOp::Rename, item),
        None => {}
    }
}

/// Removes the selected item.
pub fn delete_item(app: &mut App) {
    let Some(item) = app.panes.details.item().cloned() else {
        return;
    };
    let edit = match item {
        Item::Segment { .. } => return segments::delete_segment(app),
        Item::Step(step) => return revert::revert_step(app, step),
        Item::Ignored(_) => return ignoring::ignore(app),
        Item::Value { turn, call, part, name, .. } => Edit::RemoveValue { turn, call, part, name },
        Item::Api { turn, call } => Edit::RemoveCall { turn, call },
        Item::Act { turn, act } => Edit::RemoveAct { turn, act },
        Item::ActSlot { turn, act, slot } => {
            return change_slots(app, turn, act, |slots| {
                slots.remove(slot);
            });
        }
        Item::Intent { turn, intent } => {
            let mut intents = intents(app, turn);
            intents.remove(intent);
            Edit::SetIntents { turn, intents }
        }
        Item::State { turn, slot, .. } => Edit::RemoveState { turn, slot, value: None },
        _ => return,
    };
    make_edit(app, &edit);
    if app.status.is_empty() {
        let undo = app.key(Command::Undo);
        app.say(format!("deleted · {undo} to undo"));
    }
}
