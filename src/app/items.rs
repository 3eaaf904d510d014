//! Editing the item selected in the details pane: names, values, acts, intents, slots.

use super::details::Item;
use super::name_picker::NameUse;
use super::value_prompt::ValuePrompt;
use super::{App, Effect, Focus, command};
use crate::dialog::{Act, CallPart, Content, Edit, EditKind, EditValue, Field, Payload, SlotValue};
use crate::format::Format;

impl App {
    /// Selects the item `by` places further, if there are items; otherwise scrolls.
    pub(super) fn step_item(&mut self, by: isize) -> Vec<Effect> {
        match self.choose_item(by) {
            Some(item) => {
                if let Some(turn) = item.turn() {
                    self.panes.transcript.go(turn);
                }
                match item {
                    Item::Segment { segment, .. } => self.panes.transcript.choose(Some(segment)),
                    Item::Problem(number) => self.go_to_problem(number),
                    Item::Ignored(number) => {
                        let spot = self
                            .panes
                            .transcript
                            .ignored
                            .get(number)
                            .map(|(d, _)| d.spot);
                        if let Some(spot) = spot {
                            self.panes.transcript.go(spot.turn.unwrap_or_default());
                            self.panes.transcript.choose(spot.segment);
                        }
                    }
                    _ => {}
                }
            }
            None => self.panes.details.scroll(by),
        }
        Vec::new()
    }

    /// Starts changing the selected item; focuses the transcript if none is selected.
    pub(super) fn change_item(&mut self) -> Vec<Effect> {
        let Some(item) = self.panes.details.item().cloned() else {
            self.panes.focus_on(Focus::Transcript);
            return Vec::new();
        };
        match item {
            Item::Step(step) => {
                let step = self.workspace.steps.all.get(step).cloned();
                return self.go_to_step(step.as_ref());
            }
            Item::Orphaned(step) => {
                let step = self.workspace.steps.orphaned.get(step).cloned();
                return self.go_to_step(step.as_ref());
            }
            Item::Problem(number) => {
                self.panes.focus_on(Focus::Transcript);
                self.go_to_problem(number);
                return Vec::new();
            }
            Item::Ignored(_) => {
                self.panes.focus_on(Focus::Transcript);
                return Vec::new();
            }
            Item::Rule { file, rule } => return self.go_to_rule(file, rule),
            _ => {}
        }
        if let Err(why) = self.may_change(&item) {
            self.say(why);
            return Vec::new();
        }
        let name = |app: &mut Self, wanted| app.pick(wanted, item.clone());
        match &item {
            Item::Segment { .. } => {
                self.panes.focus_on(Focus::Transcript);
                self.enter_span()
            }
            Item::Api { .. } => name(self, NameUse::Api),
            Item::Act { .. } => name(self, NameUse::RenameAct),
            Item::Intent { .. } => name(self, NameUse::Intent),
            Item::Values { .. }
            | Item::Acts { .. }
            | Item::Intents { .. }
            | Item::States { .. } => self.add_item(),
            Item::Step(_)
            | Item::Orphaned(_)
            | Item::Problem(_)
            | Item::Ignored(_)
            | Item::Rule { .. } => Vec::new(),
            Item::Vote { .. } => {
                let delete = self.input.keymap.shown(&command::ITEM_DELETE);
                let vote = self.vote_keys("or");
                self.say(format!("{vote} changes this vote, {delete} removes it"));
                Vec::new()
            }
            Item::Value { .. } | Item::Json { .. } | Item::ActSlot { .. } | Item::State { .. } => {
                let old = self.said_of(&item).unwrap_or_default();
                self.ask(ValuePrompt { item, new: None }, &old)
            }
        }
    }

    /// Asks for the name of an item to add to the selected one, or next to it.
    pub(super) fn add_item(&mut self) -> Vec<Effect> {
        let Some((item, (turn, wanted))) = self.panes.details.item().cloned().zip(self.to_add())
        else {
            self.say("nothing can be added here");
            return Vec::new();
        };
        if let Err(why) = self.may_change(&item) {
            self.say(why);
            return Vec::new();
        }
        self.panes.transcript.go(turn);
        self.pick(wanted, item)
    }

    /// Returns the turn, and the kind of name that can be added where the selected item is.
    pub(super) fn to_add(&self) -> Option<(usize, NameUse)> {
        Some(match self.panes.details.item()? {
            Item::Values { turn, .. } | Item::Value { turn, .. } => (*turn, NameUse::NewValue),
            Item::Acts { turn } => (*turn, NameUse::NewAct),
            Item::Act { turn, .. } | Item::ActSlot { turn, .. } => (*turn, NameUse::NewActSlot),
            Item::Intents { turn } | Item::Intent { turn, .. } => (*turn, NameUse::NewIntent),
            Item::States { turn } | Item::State { turn, .. } => (*turn, NameUse::NewState),
            Item::Segment { .. }
            | Item::Api { .. }
            | Item::Json { .. }
            | Item::Vote { .. }
            | Item::Step(_)
            | Item::Orphaned(_)
            | Item::Problem(_)
            | Item::Ignored(_)
            | Item::Rule { .. } => return None,
        })
    }

    /// Removes the selected item.
    pub(super) fn delete_item(&mut self) -> Vec<Effect> {
        let Some(item) = self.panes.details.item().cloned() else {
            self.say("nothing selected to delete");
            return Vec::new();
        };
        let edit = match item {
            Item::Segment { .. } => return self.delete_segment(),
            Item::Step(step) => return self.revert_step(step),
            Item::Orphaned(step) => return self.reapply_orphaned(step),
            Item::Vote { turn, vote } => return self.adjudicate(turn, vote, None),
            Item::Ignored(_) => return self.ignore(),
            Item::Value {
                turn,
                call,
                part,
                name,
                ..
            } => Edit::RemoveValue {
                turn,
                call,
                part,
                name,
            },
            Item::Act { turn, act } => Edit::RemoveAct { turn, act },
            Item::ActSlot { turn, act, slot } => {
                return self.change_slots(turn, act, |slots| {
                    slots.remove(slot);
                });
            }
            Item::Intent { turn, intent } => {
                let mut intents = self.intents(turn);
                intents.remove(intent);
                Edit::SetIntents { turn, intents }
            }
            Item::State { turn, slot, .. } => Edit::RemoveState {
                turn,
                slot,
                value: None,
            },
            _ => {
                self.say("this cannot be deleted");
                return Vec::new();
            }
        };
        let effects = self.make_edit(&edit);
        if self.status.is_empty() {
            let undo = self.input.keymap.shown(&command::UNDO);
            self.say(format!("deleted · {undo} to undo"));
        }
        effects
    }

    /// Returns the files that deleting the selected item edits.
    pub(super) fn files_to_delete_in(&mut self) -> Vec<usize> {
        match self.panes.details.item() {
            Some(Item::Step(step)) if *step < self.workspace.steps.all.len() => {
                self.files_of_steps(self.workspace.steps.together(*step))
            }
            Some(Item::Orphaned(step)) => {
                let step = self.workspace.steps.orphaned.get(*step);
                step.iter().map(|step| step.at.file as usize).collect()
            }
            // A question comes first.
            Some(Item::Vote { .. } | Item::Problem(_) | Item::Ignored(_)) | None => Vec::new(),
            Some(_) => self.file_here(),
        }
    }

    pub(super) fn make_edit(&mut self, edit: &Edit) -> Vec<Effect> {
        self.panes.transcript.go(edit.turn());
        self.edit(edit, edit.title()).1
    }

    /// Checks whether the format of the dialog has such items and can edit them.
    fn may_change(&self, item: &Item) -> Result<(), String> {
        let about = match item {
            Item::Segment { .. } => EditKind::Segments,
            Item::Api { .. } | Item::Values { .. } | Item::Value { .. } | Item::Json { .. } => {
                EditKind::Calls
            }
            Item::Acts { .. } | Item::Act { .. } | Item::ActSlot { .. } => EditKind::Acts,
            Item::Intents { .. } | Item::Intent { .. } => EditKind::Intents,
            Item::States { .. } | Item::State { .. } => EditKind::State,
            Item::Vote { .. }
            | Item::Step(_)
            | Item::Orphaned(_)
            | Item::Problem(_)
            | Item::Ignored(_)
            | Item::Rule { .. } => return Ok(()),
        };
        match self.family() {
            Some(format) if format.has().contains(&about) => Ok(()),
            Some(format) => Err(format!("{} has no {}", format.title(), about.name())),
            None => Err("no dialog is open".to_owned()),
        }
    }

    /// Returns the current text of an item.
    pub(super) fn said_of(&self, item: &Item) -> Option<String> {
        if let Item::Json { turn, call, part } = item {
            let payload = self.payload(*turn, *call, *part)?;
            return payload.text().map(ToString::to_string);
        }
        Some(self.content_of(item)?.as_str().to_owned())
    }

    pub(super) fn content_of(&self, item: &Item) -> Option<Content> {
        let turn = self.panes.transcript.dialog.turns.get(item.turn()?)?;
        match item {
            Item::Value {
                turn,
                call,
                part,
                name,
                nth,
            } => match self.payload(*turn, *call, *part)? {
                Payload::Fields(fields) => {
                    let is = |f: &&Field| f.name == *name;
                    Some(fields.iter().filter(is).nth(*nth)?.content.clone())
                }
                Payload::Embedded { .. } | Payload::Text { .. } => None,
            },
            Item::ActSlot { act, slot, .. } => turn.acts.get(*act)?.slots.get(*slot)?.value.clone(),
            Item::State { slot, nth, .. } => {
                let state = turn.state.as_ref()?;
                let mut same = state.iter().filter(|s| s.slot == *slot);
                Some(same.nth(*nth)?.value.clone())
            }
            _ => None,
        }
    }

    pub(super) fn payload(&self, turn: usize, call: usize, part: CallPart) -> Option<&Payload> {
        let call = self
            .panes
            .transcript
            .dialog
            .turns
            .get(turn)?
            .calls
            .get(call)?;
        match part {
            CallPart::Arguments => call.arguments.as_ref(),
            CallPart::Response => call.response.as_ref(),
        }
    }

    /// Returns the format of the dialog on the screen.
    pub(super) fn family(&self) -> Option<&'static dyn Format> {
        self.workspace.files.format(self.panes.transcript.at?)
    }

    pub(super) fn intents(&self, turn: usize) -> Vec<String> {
        let turn = self.panes.transcript.dialog.turns.get(turn);
        let intents = turn.into_iter().flat_map(|turn| &turn.intents);
        intents.map(ToString::to_string).collect()
    }

    fn act(&self, turn: usize, act: usize) -> Option<&Act> {
        self.panes.transcript.dialog.turns.get(turn)?.acts.get(act)
    }

    /// Returns the slots of an act, in the form an edit takes.
    pub(super) fn slots(&self, turn: usize, act: usize) -> Option<Vec<SlotValue>> {
        let slots = &self.act(turn, act)?.slots;
        let value = |content: &Content| match content {
            Content::Text(text) => EditValue::Text(text.to_string()),
            Content::Raw(raw) => EditValue::like(Some(content), raw),
        };
        let slot = |slot: &crate::dialog::ActSlot| SlotValue {
            slot: slot.slot.to_string(),
            value: slot.value.as_ref().map(value),
        };
        Some(slots.iter().map(slot).collect())
    }

    /// Changes the slots of an act.
    pub(super) fn change_slots(
        &mut self,
        turn: usize,
        act: usize,
        change: impl FnOnce(&mut Vec<SlotValue>),
    ) -> Vec<Effect> {
        let Some((mut slots, name)) = self
            .slots(turn, act)
            .zip(self.act(turn, act).map(|act| act.name.to_string()))
        else {
            return Vec::new();
        };
        let several = |slot: &crate::dialog::ActSlot| matches!(&slot.value, Some(Content::Raw(raw)) if raw.starts_with(['[', '{']));
        if self
            .act(turn, act)
            .is_some_and(|act| act.slots.iter().any(several))
        {
            self.say("the act contains a list or an object, which cannot be edited here");
            return Vec::new();
        }
        change(&mut slots);
        self.make_edit(&Edit::SetAct {
            turn,
            act,
            name,
            slots,
        })
    }
}
