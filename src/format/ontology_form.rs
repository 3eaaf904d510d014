//! Recognizes the ontology files that are published with corpora, by their shape.

use crate::json::{NodeKind, Value};

/// The form of an ontology file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OntologyForm {
    /// `schema.json` of SGD and `MultiWOZ` 2.2: services with slots and intents.
    Services,
    /// LLaMA-Factory's `dataset_info.json`.
    DataSets,
    /// Taskmaster-1.
    Verticals,
    /// Taskmaster-2.
    Prefixes,
    /// Taskmaster-3.
    Apis,
    /// `ontology.json` of `ConvLab`'s unified form.
    Unified,
    /// `ontology.json` of WOZ 2.0.
    Informable,
    /// `ontology.json` of `MultiWOZ`: the values of each slot.
    SlotLists,
}

impl OntologyForm {
    /// Returns its form, if `root` is an ontology file or an element of one.
    pub fn of(root: Value<'_>) -> Option<Self> {
        // The file is an array of services; its index has one of them at a time.
        if is_service(root) || root.elements().next().is_some_and(is_service) {
            return Some(Self::Services);
        }
        let is_unified = root.get("intents").is_some()
            && root.get("domains").is_some_and(|domains| all_members(domains, is_domain));
        let is_informable = || {
            let slots = root.get("informable");
            root.get("requestable").is_some_and(is_texts)
                && slots.is_some_and(|slots| all_members(slots, is_texts))
        };
        let is_slot_list = |key: Value<'_>, values| {
            key.as_str().is_some_and(|key| state_slot(&key).is_some()) && is_texts(values)
        };
        let is_slot_lists = || {
            let mut members = root.members().peekable();
            members.peek().is_some() && members.all(|(key, values)| is_slot_list(key, values))
        };
        Some(match root.kind() {
            NodeKind::Object if is_unified => Self::Unified,
            NodeKind::Object if is_informable() => Self::Informable,
            NodeKind::Object if is_slot_lists() => Self::SlotLists,
            NodeKind::Object if all_members(root, names_a_file) => Self::DataSets,
            NodeKind::Object if all_members(root, is_vertical) => Self::Verticals,
            NodeKind::Object if all_members(root, lists_labels) => Self::Prefixes,
            NodeKind::Object if all_members(root, is_api) => Self::Apis,
            _ => return None,
        })
    }

    /// How messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Services => "Schema-Guided Dialogue schema",
            Self::DataSets => "LLaMA-Factory list of datasets",
            Self::Verticals => "Taskmaster ontology",
            Self::Prefixes => "Taskmaster-2 ontology",
            Self::Apis => "Taskmaster-3 API ontology",
            Self::Unified => "ConvLab-3 ontology",
            Self::Informable => "WOZ 2.0 ontology",
            Self::SlotLists => "MultiWOZ ontology",
        }
    }
}

/// Returns the slot of the state that `MultiWOZ`'s ontology calls `key`: `hotel.book.stay` for `hotel-book stay`,
/// `hotel.area` for `hotel-semi-area` and `hotel-area`.
pub fn state_slot(key: &str) -> Option<String> {
    let (domain, slot) = key.split_once('-')?;
    if domain.is_empty() || slot.is_empty() {
        return None;
    }
    let slot = slot.strip_prefix("semi-").unwrap_or(slot);
    let book = slot.strip_prefix("book");
    Some(match book.and_then(|rest| rest.strip_prefix(['-', ' '])) {
        Some(slot) => format!("{domain}.book.{slot}"),
        None => format!("{domain}.{slot}"),
    })
}

fn is_service(value: Value<'_>) -> bool {
    let has = |key: &str| value.get(key).is_some();
    has("service_name") && has("slots") && has("intents")
}

fn is_domain(value: Value<'_>) -> bool {
    let slots = value.get("slots");
    slots.is_some_and(|slots| slots.kind() == NodeKind::Object)
}

fn names_a_file(value: Value<'_>) -> bool {
    let sources = ["file_name", "hf_hub_url", "ms_hub_url", "script_url"];
    sources.iter().any(|key| value.get(key).is_some())
}

fn is_vertical(value: Value<'_>) -> bool {
    value.get("vertical").is_some() && value.get("required").is_some()
}

fn lists_labels(value: Value<'_>) -> bool {
    let is_group = |e: Value<'_>| e.get("prefix").is_some() && e.get("annotations").is_some();
    // An empty list is more likely one of turns.
    let mut groups = value.elements().peekable();
    groups.peek().is_some() && groups.all(is_group)
}

fn is_api(value: Value<'_>) -> bool {
    value.get("apis").is_some() && value.get("args").is_some()
}

fn is_texts(list: Value<'_>) -> bool {
    let is_text = |value: Value<'_>| value.kind() == NodeKind::String;
    list.kind() == NodeKind::Array && list.elements().all(is_text)
}

/// True if `object` has members, and `test` is true of all.
fn all_members(object: Value<'_>, test: fn(Value<'_>) -> bool) -> bool {
    let mut members = object.members().peekable();
    members.peek().is_some() && members.all(|(_, value)| test(value))
}
