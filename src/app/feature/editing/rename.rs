//! Renaming the selected item: a label, an API, an argument, an act, an intent, a slot.

use crate::app::core::App;
use crate::app::feature::editing::label_picker::{LabelUse, ask_for_label};
use crate::app::feature::editing::name_picker;
use crate::app::feature::editing::name_picker::NameUse;
use crate::app::pane::Item;

/// The kind of name of an item.
pub enum RenameTarget {
    Label,
    Name(NameUse),
}

/// Asks for another name for the selected item.
pub fn rename_item(app: &mut App) {
    match (app.panes.details.item().cloned(), to_rename(app)) {
        (Some(item), Some(RenameTarget::Name(wanted))) => name_picker::pick(app, wanted, item),
        (_, Some(RenameTarget::Label)) => ask_for_label(app, LabelUse::Replace),
        _ => {}
    }
}

/// Returns the kind of name of the selected item, if it has one.
pub fn to_rename(app: &App) -> Option<RenameTarget> {
    Some(RenameTarget::Name(match app.panes.details.item()? {
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
