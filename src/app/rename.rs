//! Renaming the selected item: a label, an API, an argument, an act, an intent, a slot.

use super::details::Item;
use super::label_picker::{LabelPicker, LabelUse};
use super::name_picker::NameUse;
use super::{App, Effect};

/// The kind of name of an item.
pub(super) enum RenameTarget {
    Label,
    Name(NameUse),
}

impl App {
    /// Asks for another name for the selected item.
    pub(super) fn rename_item(&mut self) -> Vec<Effect> {
        match (self.panes.details.item().cloned(), self.to_rename()) {
            (Some(item), Some(RenameTarget::Name(wanted))) => self.pick(wanted, item),
            (_, Some(RenameTarget::Label)) => self.ask(LabelPicker::new(LabelUse::Replace), ""),
            _ => Vec::new(),
        }
    }

    /// Returns the kind of name of the selected item, if it has one.
    pub(super) fn to_rename(&self) -> Option<RenameTarget> {
        Some(RenameTarget::Name(match self.panes.details.item()? {
            Item::Segment { .. } => return Some(RenameTarget::Label),
            Item::Api { .. } => NameUse::Api,
            Item::Value { .. } => NameUse::RenameValue,
            Item::Act { .. } => NameUse::RenameAct,
            Item::ActSlot { .. } => NameUse::RenameActSlot,
            Item::Intent { .. } => NameUse::Intent,
            Item::State { .. } => NameUse::RenameState,
            _ => return None,
        }))
    }
}
