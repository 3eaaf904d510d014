//! Shared code of the rules on names that the ontology does not have.

use crate::dialog::{CallPart, Edit, Field};
use crate::lint::engine::{Applicability, Diagnostic, Findings, Severity};
use crate::lint::facts::{Call, Location, Subject};
use crate::ontology::{MatchReason, NearName, Ontology, near};

/// True if there are names of APIs to check calls against, and the dialog does not declare tools of its
/// own.
pub fn is_checked(subject: &Subject<'_>) -> bool {
    !subject.ontology.apis.is_empty() && !subject.declares_tools()
}

/// Returns the message for an unknown name: `unknown label "x" (not in the Taskmaster-3 ontology)`.
pub fn message(kind: &str, name: &str, ontology: &Ontology) -> String {
    format!("unknown {kind} \"{name}\" (not in the {} ontology)", ontology.title)
}

/// Reports a name that the ontology does not have, with a fix for each of the names in `near`, which
/// may be the intended ones.
pub fn unknown<'f, E: IntoIterator<Item = Edit>>(
    ontology: &Ontology,
    location: Location,
    message: String,
    near: &[NearName<'_>],
    found: &'f mut Findings<'_>,
    edit: impl FnMut(&str) -> E,
) -> &'f mut Diagnostic {
    let most = if ontology.complete || !near.is_empty() {
        Severity::Error
    } else {
        // The ontology does not know all names of its corpus.
        Severity::Note
    };
    let diagnostic = found.add_at_most(most, location, message);
    offer(near, diagnostic, edit);
    diagnostic
}

/// Offers to change an unknown name to each of those that may be meant. `edits` makes the edits that change it.
pub fn offer<E: IntoIterator<Item = Edit>>(
    near: &[NearName<'_>],
    diagnostic: &mut Diagnostic,
    mut edits: impl FnMut(&str) -> E,
) {
    for NearName { name, likeness } in near {
        let applicability = match (near.len(), likeness) {
            (1, MatchReason::Alias | MatchReason::Spelling) => Applicability::Safe,
            (1, MatchReason::Close) => Applicability::Unsafe,
            _ => Applicability::Display,
        };
        let edits = edits(name).into_iter().collect();
        diagnostic.fix(format!("change to {name}"), applicability, edits);
    }
}

/// Reports an argument or a field of a response that an API does not have. `known` are those it has.
#[cold]
pub fn unknown_value<'k>(
    subject: &Subject<'_>,
    call: &Call<'_>,
    part: CallPart,
    field: &Field,
    known: impl Iterator<Item = &'k String>,
    found: &mut Findings<'_>,
) {
    let near = near_values(subject.ontology, field, known);
    let verb = match part {
        CallPart::Arguments => "accept",
        CallPart::Response => "return",
    };
    let message = format!("{} does not {verb} \"{}\"", call.of.name, field.name);
    let location = subject.location_at(call.turn, field.at);
    unknown(subject.ontology, location, message, &near, found, |right| {
        call.rename(part, &field.name, right)
    });
}

/// Returns the names of an API that an unknown argument or field of a response may be meant to be.
pub fn near_values<'n, 'k: 'n, 'o: 'n>(
    ontology: &'o Ontology,
    field: &Field,
    known: impl Iterator<Item = &'k String>,
) -> Vec<NearName<'n>> {
    match ontology.aliases.get(field.name.as_str()) {
        Some(right) => vec![NearName::alias(right)],
        None => near(&field.name, known.map(String::as_str)),
    }
}
