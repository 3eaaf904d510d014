//! The prompt that picks a name: of an API, an argument, an act, an intent or a slot.

use crate::app::core::{App, Digits, Picker, names};
use crate::app::feature::editing::items;
use crate::app::feature::editing::value_prompt::NewValue;
use crate::app::input::{Command, FuzzyMatcher};
use crate::app::pane::Item;
use crate::dialog::{CallPart, Edit, Payload, Short};
use crate::format::embedded;
use crate::query::NameKind;

/// The use of a picked name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUse {
    /// A call's API.
    Api,
    /// The API of a new call.
    NewCall,
    /// An argument of a new call; others follow.
    NewArgument,
    /// A new argument, or part of a response.
    NewValue,
    RenameValue,
    NewAct,
    RenameAct,
    /// A new slot of an act.
    NewActSlot,
    RenameActSlot,
    NewIntent,
    Intent,
    /// A new slot of the dialogue state.
    NewState,
    RenameState,
}

impl NameUse {
    /// Returns the kind of the name of `item`, or of a new one next to it.
    pub fn kind(self, item: &Item) -> NameKind {
        let part = CallPart::Response;
        match self {
            Self::Api | Self::NewCall => NameKind::Api,
            Self::NewValue | Self::RenameValue if item.call_part() == Some(part) => {
                NameKind::Response
            }
            Self::NewArgument | Self::NewValue | Self::RenameValue => NameKind::Argument,
            Self::NewAct | Self::RenameAct => NameKind::Act,
            Self::NewIntent | Self::Intent => NameKind::Intent,
            Self::NewActSlot | Self::RenameActSlot | Self::NewState | Self::RenameState => {
                NameKind::Slot
            }
        }
    }
}

impl NameUse {
    fn prefix(self) -> &'static str {
        match self {
            Self::Api => "API ",
            Self::NewCall => "API of the new call ",
            Self::NewArgument => "next argument ",
            Self::NewValue => "name of the new value ",
            Self::RenameValue => "name ",
            Self::NewAct => "new act ",
            Self::RenameAct => "act ",
            Self::NewActSlot | Self::NewState => "new slot ",
            Self::RenameActSlot | Self::RenameState => "slot ",
            Self::NewIntent => "new intent ",
            Self::Intent => "intent ",
        }
    }

    fn title(self, app: &App, item: &Item) -> String {
        if self == Self::NewArgument {
            let cancel = app.key(Command::Cancel);
            return format!("Arguments: {cancel} when all are there");
        }
        let title = match self.kind(item) {
            NameKind::Label => "Labels",
            NameKind::Api => "APIs",
            NameKind::Argument | NameKind::Response => "Names",
            NameKind::Act => "Acts",
            NameKind::Intent => "Intents",
            NameKind::Slot => "Slots",
            NameKind::Speaker => "Speakers",
        };
        match item.turn().filter(|_| self == Self::NewCall) {
            Some(turn) => format!("{title}: the call is added to turn {turn}"),
            None => title.to_owned(),
        }
    }
}

/// Asks for a name for `item`, or for a new one next to it.
pub fn pick(app: &mut App, wanted: NameUse, item: Item) {
    let title = wanted.title(app, &item);
    let of = item.clone();
    let find = move |app: &App, text: &str| {
        let names = matching(app, wanted, &of, text).into_iter();
        names.map(|name| (wanted.kind(&of), name)).collect()
    };
    let line = |app: &App, (kind, name): &(NameKind, String)| names::name_choice(app, *kind, name);
    let take = move |app: &mut App, chosen: Option<(NameKind, String)>, _: &str| {
        if let Some((_, name)) = chosen {
            use_name(app, name, wanted, item);
        }
    };
    let picker = Picker::new(wanted.prefix(), title, find, line, take);
    let picker = picker.hint("type to search, or press a digit");
    app.ask(picker.digits(Digits::Pick), "");
}

/// Returns the names that `text` matches, best first.
fn matching(app: &App, wanted: NameUse, item: &Item, text: &str) -> Vec<String> {
    let kind = wanted.kind(item);
    let beside = beside(app, wanted, item);
    let mut names = names::matching_names(app, kind, text);
    if wanted == NameUse::NewArgument {
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
fn use_name(app: &mut App, name: String, wanted: NameUse, item: Item) {
    let turn = item.turn().unwrap_or_default();
    let is_new = names::is_new(app, wanted.kind(&item), &name);
    let named = name.clone();
    let edit = match (wanted, item) {
        (NameUse::Api, Item::Api { call, .. }) => Edit::SetApi { turn, call, name },
        (NameUse::RenameValue, Item::Value { call, part, name: old, .. }) => {
            Edit::RenameValue { turn, call, part, name: old, to: name }
        }
        (NameUse::NewCall, _) => return add_call(app, turn, name),
        (NameUse::NewAct, _) => Edit::AddAct { turn, name, slots: Vec::new() },
        (NameUse::RenameAct, Item::Act { act, .. }) => {
            let Some(slots) = items::slots(app, turn, act) else {
                app.say("the act contains an object, which cannot be edited here");
                return;
            };
            Edit::SetAct { turn, act, name, slots }
        }
        (NameUse::RenameActSlot, Item::ActSlot { act, slot, .. }) => {
            return items::change_slots(app, turn, act, |slots| slots[slot].slot = name);
        }
        (NameUse::RenameState, Item::State { slot, .. }) => {
            let to = name;
            Edit::RenameState { turn, slot, to }
        }
        (NameUse::NewIntent, _) if items::intents(app, turn).contains(&name) => {
            app.complain(format!("the turn already has the intent {name}"));
            return;
        }
        (NameUse::NewIntent, _) => {
            let mut intents = items::intents(app, turn);
            intents.push(name);
            Edit::SetIntents { turn, intents }
        }
        (NameUse::Intent, Item::Intent { intent, .. }) => {
            let mut intents = items::intents(app, turn);
            intents[intent] = name;
            Edit::SetIntents { turn, intents }
        }
        (wanted, item) => {
            if beside(app, wanted, &item).contains(&name) {
                let key = app.key(Command::ItemChange);
                app.complain(format!("{name} already exists; {key} changes it"));
                return;
            }
            // Next, ask for the value.
            let new = NewValue { item, new: Some(name), has_next: wanted == NameUse::NewArgument };
            return new.ask(app, "");
        }
    };
    items::make_edit(app, &edit);
    if is_new && app.status.is_empty() {
        let undo = app.key(Command::Undo);
        app.say(format!("{named} is in no other place of these files · {undo} to undo"));
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
        pick(app, NameUse::NewArgument, Item::Values { turn, call, part });
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
fn beside(app: &App, wanted: NameUse, item: &Item) -> Vec<String> {
    let own = |name: &Short| name.to_string();
    match (wanted, item) {
        (
            NameUse::NewValue | NameUse::NewArgument,
            Item::Value { turn, call, part, .. } | Item::Values { turn, call, part },
        ) => match items::payload(app, *turn, *call, *part) {
            Some(payload) => names_in(payload),
            None => Vec::new(),
        },
        (NameUse::NewState, Item::State { turn, .. } | Item::States { turn }) => {
            let turn = app.panes.transcript.dialog.turns.get(*turn);
            let state = turn.and_then(|turn| turn.state.as_ref());
            state.into_iter().flatten().map(|s| own(&s.slot)).collect()
        }
        _ => Vec::new(),
    }
}
