//! The prompt for the value of an argument or a slot.

use crate::app::core::{App, TextPrompt};
use crate::app::feature::editing::name_picker::NameOp;
use crate::app::feature::editing::{items, name_picker};
use crate::app::pane::Item;
use crate::dialog::{Content, Edit, EditValue, SlotValue};

#[derive(Debug)]
pub struct NewValue {
    /// The item with the value, or the one next to which a new item is added.
    pub item: Item,
    /// The name of the item to add.
    pub new: Option<String>,
    /// True if the name of another item is asked for next.
    pub has_next: bool,
}

impl NewValue {
    /// Asks for it.
    pub fn ask(self, app: &mut App, old: &str) {
        let title = match (&self.new, &self.item) {
            (Some(name), _) | (None, Item::Value { name, .. } | Item::State { slot: name, .. }) => {
                name.clone()
            }
            (None, Item::Json { part, .. }) => format!("{}, as JSON", part.name()),
            _ => "Value".to_owned(),
        };
        let take = |app: &mut App, text: &str| use_value(app, text, self);
        let prompt = TextPrompt::text("value ", take).long(title);
        app.ask(prompt, old);
    }
}

/// Applies a value that was typed.
fn use_value(app: &mut App, text: &str, target: NewValue) {
    let old = items::content_of(app, &target.item);
    let old = old.as_ref().filter(|_| target.new.is_none());
    let is_list = |old: &Content| matches!(old, Content::Raw(raw) if raw.starts_with('['));
    let is_state = matches!(target.item, Item::State { .. });
    let list = (is_state && old.is_some_and(is_list)).then(|| EditValue::list(text));
    let value = list.flatten().unwrap_or_else(|| EditValue::like(old, text));
    let next = target.has_next.then(|| target.item.clone());
    let becomes_text = matches!((old, &value), (Some(Content::Raw(_)), EditValue::Text(_)));
    let steps = app.workspace.steps.applied().len();
    put_value(app, text, value, target);
    if becomes_text && app.workspace.steps.applied().len() > steps {
        app.say(format!(
            "stored {text} as a string: it is not a number, `true`, `false` or `null`"
        ));
    }
    if let Some(item) = next.filter(|_| app.workspace.steps.applied().len() > steps) {
        name_picker::pick(app, NameOp::AddNext, item);
    }
}

fn put_value(app: &mut App, text: &str, value: EditValue, target: NewValue) {
    let NewValue { item, new, has_next } = target;
    let turn = item.turn().unwrap_or_default();
    let edit = match (item, new) {
        (Item::Value { call, part, .. } | Item::Values { call, part, .. }, Some(name))
        | (Item::Value { call, part, name, .. }, None) => {
            Edit::SetValue { turn, call, part, name, value }
        }
        (Item::Json { call, part, .. }, _) => {
            Edit::SetJson { turn, call, part, text: text.to_owned() }
        }
        (Item::Act { act, .. } | Item::ActSlot { act, .. }, Some(slot)) => {
            let value = (!text.is_empty()).then_some(value);
            return items::change_slots(app, turn, act, |slots| {
                slots.push(SlotValue { slot, value });
            });
        }
        (Item::ActSlot { act, slot, .. }, None) => {
            let value = (!text.is_empty()).then_some(value);
            return items::change_slots(app, turn, act, |slots| slots[slot].value = value);
        }
        (Item::States { .. } | Item::State { .. }, Some(slot))
        | (Item::State { slot, .. }, None) => Edit::SetState { turn, slot, value },
        _ => return,
    };
    if has_next {
        // The arguments of a new call are undone with it.
        app.panes.transcript.go(turn);
        app.edit_joined(&edit, edit.title());
    } else {
        items::make_edit(app, &edit);
    }
}
