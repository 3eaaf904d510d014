//! The prompt that picks a name: of an API, an argument, an act, an intent or a slot.

use crate::app::core::{App, Digits, Picker, names};
use crate::app::feature::editing::items;
use crate::app::feature::editing::value_prompt::NewValue;
use crate::app::input::{Command, FuzzyMatcher};
use crate::app::pane::Item;
use crate::dialog::{CallPart, Edit, Payload};
use crate::format::embedded;
use crate::query::NameKind;

/// The use of a picked name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameOp {
    Rename,
    /// Adds something with this name to the item, or next to it.
    Add,
    /// As [`NameOp::Add`], an argument of a new call; others follow.
    AddNext,
}

/// Returns the kind of the name.
fn kind_of(op: NameOp, item: &Item) -> NameKind {
    let ops = items::ops(item);
    let kind = ops.and_then(|ops| if op == NameOp::Rename { ops.name } else { ops.adds });
    kind.unwrap_or(NameKind::Argument)
}

fn prefix(op: NameOp, kind: NameKind) -> &'static str {
    match (op, kind) {
        (NameOp::AddNext, _) => "next argument ",
        (NameOp::Rename, NameKind::Api) => "API ",
        (NameOp::Rename, NameKind::Act) => "act ",
        (NameOp::Rename, NameKind::Slot) => "slot ",
        (NameOp::Rename, NameKind::Intent) => "intent ",
        (NameOp::Rename, _) => "name ",
        (NameOp::Add, NameKind::Api) => "API of the new call ",
        (NameOp::Add, NameKind::Act) => "new act ",
        (NameOp::Add, NameKind::Slot) => "new slot ",
        (NameOp::Add, NameKind::Intent) => "new intent ",
        (NameOp::Add, _) => "name of the new value ",
    }
}

fn title(app: &App, op: NameOp, kind: NameKind, item: &Item) -> String {
    if op == NameOp::AddNext {
        let cancel = app.key(Command::Cancel);
        return format!("Arguments: {cancel} when done");
    }
    let title = match kind {
        NameKind::Label => "Labels",
        NameKind::Api => "APIs",
        NameKind::Argument | NameKind::Response => "Names",
        NameKind::Act => "Acts",
        NameKind::Intent => "Intents",
        NameKind::Slot => "Slots",
        NameKind::Speaker => "Speakers",
    };
    match item.turn().filter(|_| op == NameOp::Add && kind == NameKind::Api) {
        Some(turn) => format!("{title} for the new call in turn {turn}"),
        None => title.to_owned(),
    }
}

/// Asks for a name for `item`, or for a new one in it or next to it.
pub fn pick(app: &mut App, op: NameOp, item: Item) {
    let kind = kind_of(op, &item);
    let title = title(app, op, kind, &item);
    let of = item.clone();
    let find = move |app: &App, text: &str| {
        let names = matching(app, op, &of, text).into_iter();
        names.map(|name| (kind, name)).collect()
    };
    let line = |app: &App, (kind, name): &(NameKind, String)| names::name_choice(app, *kind, name);
    let take = move |app: &mut App, chosen: Option<(NameKind, String)>, _: &str| {
        if let Some((_, name)) = chosen {
            use_name(app, name, op, item);
        }
    };
    let picker = Picker::new(prefix(op, kind), title, find, line, take);
    let picker = picker.hint("type to search, or press a digit");
    app.ask(picker.digits(Digits::Pick), "");
}

/// Returns the names that `text` matches, best first.
fn matching(app: &App, op: NameOp, item: &Item, text: &str) -> Vec<String> {
    let kind = kind_of(op, item);
    let beside = beside(app, op, item);
    let mut names = names::matching_names(app, kind, text);
    if op == NameOp::AddNext {
        let mut likeness = FuzzyMatcher::with_capitals(text);
        let mut first = arguments_of_api(app, item);
        first.retain(|name| text.is_empty() || likeness.score(name).is_some());
        names.retain(|name| !first.contains(name));
        names.splice(0..0, first);
        // A known name that is typed in full comes before others that are like it, a new one after them.
        let is_known = !names::is_new(app, kind, text);
        names.sort_by_key(|name| (name == text) != is_known);
    }
    names.retain(|name| !beside.contains(name) || name == text);
    names
}

/// Applies a name that was picked for `item`.
fn use_name(app: &mut App, name: String, op: NameOp, item: Item) {
    let turn = item.turn().unwrap_or_default();
    let is_new = names::is_new(app, kind_of(op, &item), &name);
    let named = name.clone();
    let edit = match (op, item) {
        (NameOp::Rename, Item::Api { call, .. }) => Edit::SetApi { turn, call, name },
        (NameOp::Rename, Item::Value { call, part, name: old, .. }) => {
            Edit::RenameValue { turn, call, part, name: old, to: name }
        }
        (NameOp::Rename, Item::Act { act, .. }) => {
            let Some(slots) = items::slots(app, turn, act) else {
                app.say("the act contains an object, which cannot be edited here");
                return;
            };
            Edit::SetAct { turn, act, name, slots }
        }
        (NameOp::Rename, Item::ActSlot { act, slot, .. }) => {
            return items::change_slots(app, turn, act, |slots| slots[slot].slot = name);
        }
        (NameOp::Rename, Item::State { slot, .. }) => Edit::RenameState { turn, slot, to: name },
        (NameOp::Rename, Item::Intent { intent, .. }) => {
            let mut intents = items::intents(app, turn);
            intents[intent] = name;
            Edit::SetIntents { turn, intents }
        }
        (NameOp::Add, Item::Api { .. }) => return add_call(app, turn, name),
        (NameOp::Add, Item::Acts { .. }) => Edit::AddAct { turn, name, slots: Vec::new() },
        (NameOp::Add, Item::Intents { .. } | Item::Intent { .. }) => {
            let mut intents = items::intents(app, turn);
            if intents.contains(&name) {
                return app.complain(format!("the turn already has the intent {name}"));
            }
            intents.push(name);
            Edit::SetIntents { turn, intents }
        }
        (op, item) => {
            if beside(app, op, &item).contains(&name) {
                let key = app.key(Command::ItemChange);
                app.complain(format!("{name} already exists; {key} changes it"));
                return;
            }
            // Next, ask for the value.
            let new = NewValue { item, new: Some(name), has_next: op == NameOp::AddNext };
            return new.ask(app, "");
        }
    };
    items::make_edit(app, &edit);
    if is_new && app.status.is_empty() {
        let undo = app.key(Command::Undo);
        app.say(format!("{named} occurs nowhere else in these files · {undo} to undo"));
    }
}

/// Adds a call of an API without arguments, then asks for them one by one.
fn add_call(app: &mut App, turn: usize, name: String) {
    let edit = Edit::AddCall { turn, name, arguments: Vec::new(), response: None };
    app.panes.transcript.go(turn);
    let made = app.edit(&edit, edit.title());
    let calls = app.panes.transcript.current().map(|turn| turn.calls.len());
    if let Some(call) = calls.and_then(|calls| calls.checked_sub(1)).filter(|_| made) {
        app.panes.details.choose_next(Item::Api { turn, call });
        let part = CallPart::Arguments;
        pick(app, NameOp::AddNext, Item::Values { turn, call, part });
    }
}

/// Returns the names of the arguments that other calls of the same API have in the dialog, in their order.
fn arguments_of_api(app: &App, item: &Item) -> Vec<String> {
    let turns = &app.panes.transcript.dialog.turns;
    let place = item.call();
    let own = place.and_then(|(turn, call)| turns.get(turn)?.calls.get(call));
    let calls = turns.iter().flat_map(|turn| &turn.calls);
    let same = calls.filter(|call| own.is_some_and(|own| own.name == call.name));
    let mut names = Vec::new();
    for payload in same.filter_map(|call| call.arguments.as_ref()) {
        for name in names_in(payload) {
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Returns the names of the values of a payload, also of JSON in a string.
fn names_in(payload: &Payload) -> Vec<String> {
    match payload {
        Payload::Fields(fields) => fields.iter().map(|field| field.name.to_string()).collect(),
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => {
            let pairs = embedded::arguments(text).unwrap_or_default();
            pairs.into_iter().map(|(name, _)| name).collect()
        }
    }
}

/// Returns the names that a new argument or slot must not repeat; empty where names may repeat.
fn beside(app: &App, op: NameOp, item: &Item) -> Vec<String> {
    match item {
        _ if op == NameOp::Rename => Vec::new(),
        Item::Value { turn, call, part, .. } | Item::Values { turn, call, part } => {
            items::payload(app, *turn, *call, *part).map(names_in).unwrap_or_default()
        }
        Item::State { turn, .. } | Item::States { turn } => {
            let turn = app.panes.transcript.dialog.turns.get(*turn);
            let state = turn.and_then(|turn| turn.state.as_ref());
            state.into_iter().flatten().map(|slot| slot.slot.to_string()).collect()
        }
        _ => Vec::new(),
    }
}
