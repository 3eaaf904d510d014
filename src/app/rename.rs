//! Renaming the item selected in the details: a label, an API, an argument, an act, an intent, a
//! slot.

use super::details::Item;
use super::prompt::NameUse;
use super::{App, Effect, LabelUse, PromptKind};

/// An item that has a name.
pub(super) enum RenameTarget {
    Label,
    Name(NameUse),
}

impl App {
    /// Renames the selected item.
    pub(super) fn rename_item(&mut self) -> Vec<Effect> {
        match (self.details.item().cloned(), self.to_rename()) {
            (Some(item), Some(RenameTarget::Name(wanted))) => self.pick(wanted, item),
            (_, Some(RenameTarget::Label)) => self.ask(PromptKind::Label(LabelUse::Replace), ""),
            _ => Vec::new(),
        }
    }

    /// Returns the selected item if it can be renamed.
    pub(super) fn to_rename(&self) -> Option<RenameTarget> {
        Some(RenameTarget::Name(match self.details.item()? {
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
