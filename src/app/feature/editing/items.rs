//! Editing the item selected in the details pane: names, values, acts, intents, slots.

use crate::app::core::App;
use crate::app::feature::editing::name_picker::NameUse;
use crate::app::feature::editing::{later_states, name_picker};
use crate::app::pane::Item;
use crate::app::pane::details::API;
use crate::dialog::{
    Act, CallPart, Content, Edit, EditKind, EditValue, Field, Payload, SlotValue, StateSlot, Turn,
};
use crate::format::Family;

/// Asks for the name of an item to add to the selected one, or next to it.
pub fn add_item(app: &mut App) {
    let Some((turn, wanted)) = to_add(app) else {
        app.say(why_nothing_to_add(app));
        return;
    };
    let item = app.panes.details.item().cloned();
    let item = item.unwrap_or(Item::Api { turn, call: 0 });
    if let Err(why) = may_change(app, &item) {
        app.say(why);
        return;
    }
    app.panes.transcript.go(turn);
    name_picker::pick(app, wanted, item);
}

/// Asks for the API of a call to add to the current turn.
pub fn ask_for_call(app: &mut App) {
    let turn = app.panes.transcript.turn;
    app.panes.details.show(API);
    name_picker::pick(app, NameUse::NewCall, Item::Api { turn, call: 0 });
}

/// Returns the turn, and the kind of name that can be added where the selected item is.
pub fn to_add(app: &App) -> Option<(usize, NameUse)> {
    let Some(item) = app.panes.details.item() else {
        let is_for_calls = app.panes.details.shown == API && takes_calls(app);
        return is_for_calls.then_some((app.panes.transcript.turn, NameUse::NewCall));
    };
    Some(match item {
        Item::Api { turn, .. } if takes_calls(app) => (*turn, NameUse::NewCall),
        Item::Values { turn, .. } | Item::Value { turn, .. } => (*turn, NameUse::NewValue),
        Item::Acts { turn } => (*turn, NameUse::NewAct),
        Item::Act { turn, .. } | Item::ActSlot { turn, .. } => (*turn, NameUse::NewActSlot),
        Item::Intents { turn } | Item::Intent { turn, .. } => (*turn, NameUse::NewIntent),
        Item::States { turn } | Item::State { turn, .. } => (*turn, NameUse::NewState),
        Item::Segment { .. }
        | Item::Api { .. }
        | Item::Json { .. }
        | Item::Inner { .. }
        | Item::Step(_)
        | Item::Orphaned(_)
        | Item::Problem(_)
        | Item::Ignored(_)
        | Item::Hit { .. }
        | Item::Rule { .. }
        | Item::Code(_) => return None,
    })
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
            "nothing can be added to this line; arguments can, with one of them selected"
        }
        Some(Item::Segment { .. }) => {
            "nothing can be added here; segments can, in the transcript with words selected"
        }
        _ => "nothing can be added here; arguments, acts, intents and slots can, in their tabs",
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
    let about = match item {
        Item::Segment { .. } => EditKind::Segments,
        Item::Api { .. } | Item::Values { .. } | Item::Value { .. } | Item::Json { .. } => {
            EditKind::Calls
        }
        Item::Acts { .. } | Item::Act { .. } | Item::ActSlot { .. } => EditKind::Acts,
        Item::Intents { .. } | Item::Intent { .. } => EditKind::Intents,
        Item::States { .. } | Item::State { .. } => EditKind::State,
        Item::Inner { .. }
        | Item::Step(_)
        | Item::Orphaned(_)
        | Item::Problem(_)
        | Item::Ignored(_)
        | Item::Hit { .. }
        | Item::Rule { .. }
        | Item::Code(_) => return Ok(()),
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
    let call = app.panes.transcript.dialog.turns.get(turn)?.calls.get(call)?;
    match part {
        CallPart::Arguments => call.arguments.as_ref(),
        CallPart::Response => call.response.as_ref(),
    }
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
    let several = |slot: &crate::dialog::ActSlot| matches!(&slot.value, Some(Content::Raw(raw)) if raw.starts_with(['[', '{']));
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
