//! Reads the ontology files that Google published with Taskmaster-1, -2 and -3 and with SGD.
//!
//! Each corpus has its own format. The reader cleans up mistakes in some of the names: whitespace around
//! a name, a full stop after it, two names in one string.

use std::collections::BTreeSet;

use super::file::Task;
use super::{Api, Ontology, add_api};
use crate::json::{BadText, NodeKind, Value};

pub(super) fn read(text: &str, root: Value<'_>) -> Result<Ontology, BadText> {
    if root.kind() == NodeKind::Array {
        return services(text, root);
    }
    let mut ontology = Ontology::default();
    for (name, value) in root.members() {
        if !member(&mut ontology, &name.as_str().unwrap_or_default(), value) {
            let at = value.range().start as usize;
            return Err(BadText::at(
                text,
                at,
                "expected a task with labels or an API with arguments",
            ));
        }
    }
    ontology.families = families(&ontology);
    Ok(ontology)
}

fn families(ontology: &Ontology) -> Vec<String> {
    let families: &[&str] = if ontology.tasks.is_empty() {
        &["taskmaster-3", "taskmaster-4"]
    } else {
        &["taskmaster-1-2"]
    };
    families.iter().map(|f| (*f).to_owned()).collect()
}

/// Adds one member of the file to the ontology; false if it has none of the known forms.
fn member(ontology: &mut Ontology, name: &str, value: Value<'_>) -> bool {
    if value.kind() == NodeKind::Array {
        return value.elements().all(|group| prefixed(ontology, group));
    }
    if let Some(arguments) = value.get("args") {
        let responses = value.get("response").and_then(|r| r.get("keys"));
        let api = Api {
            required: set(arguments.get("all_of")),
            optional: set(arguments.get("any_of")),
            responses: set(responses),
        };
        ontology.apis.insert(name.to_owned(), api);
        return true;
    }
    if value.get("required").is_none() && value.get("optional").is_none() {
        return false;
    }
    let labels = names(value.get("required")).chain(names(value.get("optional")));
    match value.get("id").and_then(Value::as_str) {
        Some(id) => {
            // The label for the task as a whole.
            let vertical = value.get("vertical").and_then(Value::as_str);
            let whole = vertical.map(std::borrow::Cow::into_owned);
            ontology.add_task(Task {
                prefixes: vec![id.into_owned()],
                labels: labels.chain(whole).collect(),
                suffixes: vec!["accept".to_owned(), "reject".to_owned()],
            });
        }
        None => ontology.labels.extend(labels),
    }
    true
}

fn prefixed(ontology: &mut Ontology, group: Value<'_>) -> bool {
    let Some(prefix) = group.get("prefix").and_then(Value::as_str) else {
        return false;
    };
    ontology.add_task(Task {
        prefixes: vec![prefix.into_owned()],
        labels: names(group.get("annotations")).collect(),
        suffixes: Vec::new(),
    });
    true
}

fn set(array: Option<Value<'_>>) -> BTreeSet<String> {
    names(array).collect()
}

fn names(array: Option<Value<'_>>) -> impl Iterator<Item = String> {
    let elements = array.into_iter().flat_map(Value::elements);
    elements.flat_map(|element| {
        let text = element.as_str().unwrap_or_default();
        let names = text.split_whitespace().map(|n| n.trim_end_matches('.'));
        let names: Vec<_> = names.map(str::to_owned).collect();
        names
    })
}

/// Slots of acts that no service has.
const OF_ACTS: [&str; 2] = ["intent", "count"];

/// Returns the `schema.json` of the Schema-Guided Dialogue corpus: services with slots and intents. A segment or a
/// slot of the state is called `service.slot`, an act only names the slot. The intents of a service are the
/// APIs that are called.
fn services(text: &str, root: Value<'_>) -> Result<Ontology, BadText> {
    let mut ontology = Ontology { families: vec!["sgd".to_owned()], ..Ontology::default() };
    ontology.labels.extend(OF_ACTS.map(str::to_owned));
    // The intent before the user has any.
    ontology.intents.insert("NONE".to_owned());
    for service in root.elements() {
        let Some(name) = service.get("service_name").and_then(text_of) else {
            let at = service.range().start as usize;
            return Err(BadText::at(text, at, "expected a service with `service_name`"));
        };
        for of in elements(service.get("slots")) {
            if let Some(slot) = of.get("name").and_then(text_of) {
                let of_service = format!("{name}.{slot}");
                ontology.state.add(&of_service, possible_values(of));
                ontology.labels.insert(of_service);
                ontology.labels.insert(slot);
            }
        }
        for intent in elements(service.get("intents")) {
            let Some(called) = intent.get("name").and_then(text_of) else {
                continue;
            };
            ontology.intents.insert(called.clone());
            let required = names_in(intent.get("required_slots"));
            let optional = names_in(intent.get("optional_slots"));
            let responses = names_in(intent.get("result_slots"));
            let api = Api {
                required: required.into_iter().collect(),
                optional: optional.into_iter().collect(),
                responses: responses.into_iter().collect(),
            };
            add_api(&mut ontology.apis, called, api);
        }
    }
    Ok(ontology)
}

/// Returns the values that a slot may have; none if it is not categorical.
pub(super) fn possible_values(slot: Value<'_>) -> impl Iterator<Item = String> {
    let closed = slot.get("is_categorical");
    let is_closed = closed.is_some_and(|closed| closed.kind() == NodeKind::True);
    let values = slot.get("possible_values").filter(|_| is_closed);
    elements(values).filter_map(text_of)
}

pub(super) fn text_of(value: Value<'_>) -> Option<String> {
    value.as_str().map(std::borrow::Cow::into_owned)
}

pub(super) fn elements(list: Option<Value<'_>>) -> impl Iterator<Item = Value<'_>> {
    list.into_iter().flat_map(Value::elements)
}

/// Returns the names in a list, or the keys of an object.
fn names_in(value: Option<Value<'_>>) -> Vec<String> {
    match value {
        Some(value) if value.kind() == NodeKind::Object => {
            value.members().filter_map(|(key, _)| text_of(key)).collect()
        }
        value => elements(value).filter_map(text_of).collect(),
    }
}
