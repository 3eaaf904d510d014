//! Editing the item selected in the details pane: names, values, acts, intents, slots.

use crate::app::core::App;
use crate::app::feature::editing::name_picker::NameOp;
use crate::app::feature::editing::{later_states, name_picker};
use crate::app::pane::Item;
use crate::app::pane::details::API;
use crate::dialog::{
    Act, ActSlot, CallPart, Content, Edit, EditKind, EditValue, Field, Payload, SlotValue,
    StateSlot, Turn,
};
use crate::format::Family;
use crate::query::NameKind;

/// The operations that an item of a turn takes.
pub struct ItemOps {
    /// The kind of edit that changes it.
    about: EditKind,
    /// The kind of its own name; only what has a name can be removed.
    pub name: Option<NameKind>,
    /// The kind of the name of what can be added in it or next to it.
    pub adds: Option<NameKind>,
}

/// Returns what can be done with an item of a turn; None for another item.
pub fn ops(item: &Item) -> Option<ItemOps> {
    let of = |part: &CallPart| match part {
        CallPart::Arguments => NameKind::Argument,
        CallPart::Response => NameKind::Response,
    };
    let (about, name, adds) = match item {
        Item::Segment { .. } => (EditKind::Segments, Some(NameKind::Label), None),
        Item::Api { .. } => (EditKind::Calls, Some(NameKind::Api), Some(NameKind::Api)),
        Item::Values { part, .. } => (EditKind::Calls, None, Some(of(part))),
        Item::Value { part, .. } => (EditKind::Calls, Some(of(part)), Some(of(part))),
        Item::Json { .. } => (EditKind::Calls, None, None),
        Item::Acts { .. } => (EditKind::Acts, None, Some(NameKind::Act)),
        Item::Act { .. } => (EditKind::Acts, Some(NameKind::Act), Some(NameKind::Slot)),
        Item::ActSlot { .. } => (EditKind::Acts, Some(NameKind::Slot), Some(NameKind::Slot)),
        Item::Intents { .. } => (EditKind::Intents, None, Some(NameKind::Intent)),
        Item::Intent { .. } => (EditKind::Intents, Some(NameKind::Intent), Some(NameKind::Intent)),
        Item::States { .. } => (EditKind::State, None, Some(NameKind::Slot)),
        Item::State { .. } => (EditKind::State, Some(NameKind::Slot), Some(NameKind::Slot)),
        _ => return None,
    };
    Some(ItemOps { about, name, adds })
}

/// True if an item has a name that can be changed.
pub fn has_name(item: &Item) -> bool {
    ops(item).is_some_and(|ops| ops.name.is_some())
}

/// True if an item can be deleted. Deleting a step reverts it; deleting an ignored problem stops ignoring it.
pub fn can_be_deleted(item: &Item) -> bool {
    has_name(item) || matches!(item, Item::Step(_) | Item::Ignored(_))
}

/// Asks for the name of an item to add to the selected one, or next to it.
pub fn add_item(app: &mut App) {
    let Some(item) = to_add(app) else {
        return;
    };
    if let Err(why) = may_change(app, &item) {
        return app.say(why);
    }
    app.panes.transcript.go(item.turn().unwrap_or_default());
    name_picker::pick(app, NameOp::Add, item);
}

/// Asks for the API of a call to add to the current turn.
pub fn ask_for_call(app: &mut App) {
    let turn = app.panes.transcript.turn;
    app.panes.details.show(API);
    name_picker::pick(app, NameOp::Add, Item::Api { turn, call: 0 });
}

/// Returns the selected item if something can be added to it or next to it; among calls, also without any.
pub fn to_add(app: &App) -> Option<Item> {
    let Some(item) = app.panes.details.item() else {
        let is_for_calls = app.panes.details.shown == API && takes_calls(app);
        let turn = app.panes.transcript.turn;
        return is_for_calls.then_some(Item::Api { turn, call: 0 });
    };
    let adds = ops(item)?.adds?;
    (adds != NameKind::Api || takes_calls(app)).then(|| item.clone())
}

/// True if a turn of these dialogs can take a call, which in some chats is a message of its own.
pub fn takes_calls(app: &App) -> bool {
    let chat = app.family().and_then(Family::chat);
    app.holds(EditKind::Calls) && chat.is_none_or(|form| form.call_role.is_none())
}

/// Says where something can be added, for an item that takes nothing more.
pub fn why_nothing_to_add(app: &App) -> &'static str {
    match app.panes.details.item() {
        Some(Item::Api { .. } | Item::Json { .. } | Item::Inner { .. }) => {
            "nothing can be added to this line; to add an argument, first select another argument"
        }
        Some(Item::Segment { .. }) => {
            "nothing can be added here; to add a segment, select words in the transcript"
        }
        _ => "nothing can be added here; add arguments, acts, intents and slots in their tabs",
    }
}

pub fn make_edit(app: &mut App, edit: &Edit) {
    let later = later_states::in_later_turns(app, edit);
    app.panes.transcript.go(edit.turn());
    let before = app.workspace.steps.applied().len();
    if app.edit(edit, edit.title()) && app.workspace.steps.applied().len() > before {
        later_states::offer(app, later);
    }
}

/// Checks whether the format of the dialog has such items and can edit them.
pub fn may_change(app: &App, item: &Item) -> Result<(), String> {
    let Some(ItemOps { about, .. }) = ops(item) else {
        return Ok(());
    };
    match app.family() {
        Some(format) if format.has().contains(&about) => Ok(()),
        Some(format) => Err(format!("{} has no {}", format.title(), about.name())),
        None => Err("no dialog is open".to_owned()),
    }
}

/// Returns the current text of an item.
pub fn said_of(app: &App, item: &Item) -> Option<String> {
    if let Item::Json { turn, call, part } = item {
        let payload = payload(app, *turn, *call, *part)?;
        return payload.text().map(ToString::to_string);
    }
    Some(content_of(app, item)?.as_str().to_owned())
}

pub fn content_of(app: &App, item: &Item) -> Option<Content> {
    let turn = app.panes.transcript.dialog.turns.get(item.turn()?)?;
    match item {
        Item::Value { .. } => Some(field(app, item)?.content.clone()),
        Item::ActSlot { act, slot, .. } => turn.acts.get(*act)?.slots.get(*slot)?.value.clone(),
        Item::State { .. } => Some(state_slot(turn, item)?.value.clone()),
        _ => None,
    }
}

/// Returns the argument or the part of a response that an item is; None if it is in JSON in a string.
pub fn field<'a>(app: &'a App, item: &Item) -> Option<&'a Field> {
    let Item::Value { turn, call, part, name, nth } = item else {
        return None;
    };
    match payload(app, *turn, *call, *part)? {
        Payload::Fields(fields) => fields.iter().filter(|field| field.name == *name).nth(*nth),
        Payload::Embedded { .. } | Payload::Text { .. } => None,
    }
}

/// Returns the slot of the state of a turn that an item is.
pub fn state_slot<'t>(turn: &'t Turn, item: &Item) -> Option<&'t StateSlot> {
    let Item::State { slot, nth, .. } = item else {
        return None;
    };
    let mut same = turn.state.iter().flatten().filter(|s| s.slot == *slot);
    same.nth(*nth)
}

pub fn payload(app: &App, turn: usize, call: usize, part: CallPart) -> Option<&Payload> {
    app.panes.transcript.dialog.turns.get(turn)?.calls.get(call)?.payload(part)
}

pub fn intents(app: &App, turn: usize) -> Vec<String> {
    let turn = app.panes.transcript.dialog.turns.get(turn);
    let intents = turn.into_iter().flat_map(|turn| &turn.intents);
    intents.map(ToString::to_string).collect()
}

fn act_at(app: &App, turn: usize, act: usize) -> Option<&Act> {
    app.panes.transcript.dialog.turns.get(turn)?.acts.get(act)
}

/// Returns the slots of an act, in the form an edit takes.
pub fn slots(app: &App, turn: usize, act: usize) -> Option<Vec<SlotValue>> {
    let slots = &act_at(app, turn, act)?.slots;
    let slot = |slot: &crate::dialog::ActSlot| {
        let value = slot.value.as_ref();
        // A value that no edit can hold has none.
        let value = value.map(|value| EditValue::of(value).ok_or(()));
        let slot = slot.slot.to_string();
        Some(SlotValue { slot, value: value.transpose().ok()? })
    };
    slots.iter().map(slot).collect()
}

/// Changes the slots of an act.
pub fn change_slots(
    app: &mut App,
    turn: usize,
    act: usize,
    change: impl FnOnce(&mut Vec<SlotValue>),
) {
    let several = |slot: &ActSlot| slot.value.as_ref().is_some_and(Content::is_container);
    if act_at(app, turn, act).is_some_and(|act| act.slots.iter().any(several)) {
        app.say("the act contains a list or an object, which cannot be edited here");
        return;
    }
    let Some((mut slots, name)) =
        slots(app, turn, act).zip(act_at(app, turn, act).map(|act| act.name.to_string()))
    else {
        return;
    };
    change(&mut slots);
    make_edit(app, &Edit::SetAct { turn, act, name, slots });
}
