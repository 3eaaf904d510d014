//! The prompt that picks a name: of an API, an argument, an act, an intent or a slot.

use super::details::Item;
use super::line::Line;
use super::prompt::{Digits, PromptInput, PromptKind};
use super::value_prompt::ValuePrompt;
use super::{App, Effect, command};
use crate::dialog::{Edit, Payload, Short};
use crate::format::embedded;
use crate::query::NameKind;

/// The use of a picked name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUse {
    /// A call's API.
    Api,
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
    /// Returns the kind of the name.
    pub fn kind(self) -> NameKind {
        match self {
            Self::Api => NameKind::Api,
            Self::NewValue | Self::RenameValue => NameKind::Argument,
            Self::NewAct | Self::RenameAct => NameKind::Act,
            Self::NewIntent | Self::Intent => NameKind::Intent,
            Self::NewActSlot | Self::RenameActSlot | Self::NewState | Self::RenameState => {
                NameKind::Slot
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct NamePicker {
    wanted: NameUse,
    /// The item that gets the name, or next to which one is added.
    item: Item,
    /// The names that match, best first.
    matching: Vec<String>,
}

impl PromptKind for NamePicker {
    fn prefix(&self) -> &'static str {
        match self.wanted {
            NameUse::Api => "API ",
            NameUse::NewValue => "name of the new value ",
            NameUse::RenameValue => "name ",
            NameUse::NewAct => "new act ",
            NameUse::RenameAct => "act ",
            NameUse::NewActSlot | NameUse::NewState => "new slot ",
            NameUse::RenameActSlot | NameUse::RenameState => "slot ",
            NameUse::NewIntent => "new intent ",
            NameUse::Intent => "intent ",
        }
    }

    fn hint(&self) -> &'static str {
        "type to search, or press a digit"
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        let title = match self.wanted.kind() {
            NameKind::Label => "Labels",
            NameKind::Api => "APIs",
            NameKind::Argument => "Names",
            NameKind::Act => "Acts",
            NameKind::Intent => "Intents",
            NameKind::Slot => "Slots",
        };
        Some(title.to_owned())
    }

    fn digits(&self) -> Digits {
        Digits::Pick
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    fn choice(&self, app: &App, number: usize, input: &PromptInput) -> Line {
        let name = &self.matching[number];
        app.name_choice(self.wanted.kind(), (number, name), input)
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) -> Vec<Effect> {
        let text = input.text();
        let beside = app.beside(self.wanted, &self.item);
        let mut names = app.matching_names(self.wanted.kind(), &text);
        names.retain(|name| !beside.contains(name) || name == text.trim());
        (self.matching, input.chosen) = (names, 0);
        Vec::new()
    }

    fn edits(&self, app: &mut App, _: &PromptInput) -> Vec<usize> {
        app.file_here()
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) -> Vec<Effect> {
        match self.matching.get(input.chosen) {
            Some(name) => app.use_name(name.clone(), self.wanted, self.item),
            None => Vec::new(),
        }
    }
}

impl App {
    /// Asks for a name for `item`, or for a new one next to it.
    pub(super) fn pick(&mut self, wanted: NameUse, item: Item) -> Vec<Effect> {
        let matching = Vec::new();
        let picker = NamePicker {
            wanted,
            item,
            matching,
        };
        self.ask(picker, "")
    }

    /// Applies a name that was picked for `item`.
    fn use_name(&mut self, name: String, wanted: NameUse, item: Item) -> Vec<Effect> {
        let turn = item.turn().unwrap_or_default();
        let edit = match (wanted, item) {
            (NameUse::Api, Item::Api { call, .. }) => Edit::SetApi { turn, call, name },
            (
                NameUse::RenameValue,
                Item::Value {
                    call,
                    part,
                    name: old,
                    ..
                },
            ) => Edit::RenameValue {
                turn,
                call,
                part,
                name: old,
                to: name,
            },
            (NameUse::NewAct, _) => Edit::AddAct {
                turn,
                name,
                slots: Vec::new(),
            },
            (NameUse::RenameAct, Item::Act { act, .. }) => {
                let Some(slots) = self.slots(turn, act) else {
                    return Vec::new();
                };
                Edit::SetAct {
                    turn,
                    act,
                    name,
                    slots,
                }
            }
            (NameUse::RenameActSlot, Item::ActSlot { act, slot, .. }) => {
                return self.change_slots(turn, act, |slots| slots[slot].slot = name);
            }
            (NameUse::RenameState, Item::State { slot, .. }) => {
                let to = name;
                Edit::RenameState { turn, slot, to }
            }
            (NameUse::NewIntent, _) if self.intents(turn).contains(&name) => {
                self.complain(format!("the turn already has the intent {name}"));
                return Vec::new();
            }
            (NameUse::NewIntent, _) => {
                let mut intents = self.intents(turn);
                intents.push(name);
                Edit::SetIntents { turn, intents }
            }
            (NameUse::Intent, Item::Intent { intent, .. }) => {
                let mut intents = self.intents(turn);
                intents[intent] = name;
                Edit::SetIntents { turn, intents }
            }
            (wanted, item) => {
                if self.beside(wanted, &item).contains(&name) {
                    let key = self.input.keymap.shown(&command::ITEM_CHANGE);
                    self.complain(format!("{name} already exists; {key} changes it"));
                    return Vec::new();
                }
                // Next, ask for the value.
                let new = Some(name);
                return self.ask(ValuePrompt { item, new }, "");
            }
        };
        self.make_edit(&edit)
    }

    /// Returns the names that a new argument or slot must not repeat; empty where names may repeat.
    fn beside(&self, wanted: NameUse, item: &Item) -> Vec<String> {
        let own = |name: &Short| name.to_string();
        match (wanted, item) {
            (
                NameUse::NewValue,
                Item::Value {
                    turn, call, part, ..
                }
                | Item::Values { turn, call, part },
            ) => match self.payload(*turn, *call, *part) {
                Some(Payload::Fields(fields)) => fields.iter().map(|f| own(&f.name)).collect(),
                Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
                    let pairs = embedded::arguments(text).unwrap_or_default();
                    pairs.into_iter().map(|(name, _)| name).collect()
                }
                None => Vec::new(),
            },
            (NameUse::NewState, Item::State { turn, .. } | Item::States { turn }) => {
                let turn = self.panes.transcript.dialog.turns.get(*turn);
                let state = turn.and_then(|turn| turn.state.as_ref());
                state.into_iter().flatten().map(|s| own(&s.slot)).collect()
            }
            _ => Vec::new(),
        }
    }
}
