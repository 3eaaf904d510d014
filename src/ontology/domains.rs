//! Reads the `ontology.json` of `MultiWOZ`, of WOZ 2.0, and of corpora in `ConvLab`'s unified form.
//!
//! `MultiWOZ` lists the values of each slot under names such as `hotel-semi-area`, `hotel-area` or `hotel-book
//! stay`. WOZ 2.0 lists them under `informable`. `ConvLab` has `domains` with `slots`, and `intents`.

use super::Ontology;
use super::google::{elements, possible_values, text_of};
use crate::format::{OntologyForm, SlotKinds, state_slot};
use crate::json::{NodeKind, Value};

/// Returns the ontology in `root`, if it has one of these forms.
pub(super) fn read(root: Value<'_>) -> Option<Ontology> {
    match OntologyForm::of(root)? {
        OntologyForm::Unified => Some(unified(root)),
        OntologyForm::Informable => {
            let mut ontology = of(&["woz-2.0"]);
            for (slot, values) in root.get("informable")?.members() {
                let values = elements(Some(values)).filter_map(text_of);
                ontology.state.add(&name(slot), values);
            }
            Some(ontology)
        }
        OntologyForm::SlotLists => {
            let mut ontology = of(&["multiwoz", "multiwoz-disambiguation", "multiwoz-spoken"]);
            for (key, values) in root.members() {
                if let Some(slot) = state_slot(&name(key)) {
                    let values = elements(Some(values)).filter_map(text_of);
                    ontology.state.add(&slot, values);
                }
            }
            Some(ontology)
        }
        _ => None,
    }
}

fn name(key: Value<'_>) -> String {
    text_of(key).unwrap_or_default()
}

fn of(families: &[&str]) -> Ontology {
    Ontology { families: families.iter().map(|f| (*f).to_owned()).collect(), ..Ontology::default() }
}

/// The domain of acts that are about no other.
const GENERAL: &str = "general";

fn unified(root: Value<'_>) -> Ontology {
    let mut ontology = of(&["convlab"]);
    let mut slots = SlotKinds::default();
    let domains = || root.get("domains").into_iter().flat_map(Value::members);
    for (domain, of) in domains() {
        let domain = name(domain);
        for (slot, of) in of.get("slots").into_iter().flat_map(Value::members) {
            let slot = name(slot);
            let whole = format!("{domain}.{slot}");
            ontology.state.add(&whole, possible_values(of));
            let kind = of.get("is_categorical").map(Value::kind);
            if let Some(kind @ (NodeKind::True | NodeKind::False)) = kind {
                slots.insert(whole.clone(), kind == NodeKind::True);
            }
            ontology.labels.extend([whole, slot]);
        }
        ontology.tasks.insert(domain);
    }
    ontology.slots = slots.into();
    // The state may have slots that are in no act.
    for (domain, slots) in root.get("state").into_iter().flat_map(Value::members) {
        for (slot, _) in slots.members() {
            let whole = format!("{}.{}", name(domain), name(slot));
            ontology.state.add(&whole, []);
        }
    }
    for (intent, _) in root.get("intents").into_iter().flat_map(Value::members) {
        let intent = name(intent);
        let domains = domains().map(|(domain, _)| name(domain));
        let all = domains.chain([String::new(), GENERAL.to_owned()]);
        let acts = all.map(|domain| format!("{intent}.{domain}"));
        ontology.acts.extend(acts);
        ontology.acts.insert(intent);
    }
    ontology
}
