//! What rules on names that an ontology does not have share.

use crate::dialog::{Edit, Field, Part};
use crate::lint::{Applicability, Call, Diagnostic, Findings, Severity, Spot, Subject};
use crate::ontology::{Likeness, Near, Ontology, near};

/// Notes a name that the ontology does not have and that may be meant to be one of `near`. `edit` says
/// it right.
pub fn unknown<'f>(
    ontology: &Ontology,
    (spot, message): (Spot, String),
    near: &[Near<'_>],
    found: &'f mut Findings<'_>,
    mut edit: impl FnMut(&str) -> Option<Edit>,
) -> &'f mut Diagnostic {
    let most = if ontology.complete || !near.is_empty() {
        Severity::Error
    } else {
        // Not all of its names are known.
        Severity::Info
    };
    let diagnostic = found.add_at_most(most, spot, message);
    for this in near {
        if let Some(edit) = edit(this.name) {
            diagnostic.fix(this.name, applicability(near, this), vec![edit]);
        }
    }
    diagnostic
}

/// How sure it is that one of several near names is meant.
pub fn applicability(all: &[Near<'_>], this: &Near<'_>) -> Applicability {
    match (all.len(), this.likeness) {
        (1, Likeness::Alias | Likeness::Spelling) => Applicability::Safe,
        (1, Likeness::Close) => Applicability::Unsafe,
        _ => Applicability::Display,
    }
}

/// Notes an argument or a part of a response that an API does not have, beside those it has.
#[cold]
pub fn unknown_value<'k>(
    subject: &Subject<'_>,
    call: &Call<'_>,
    part: Part,
    (field, known): (&Field, impl Iterator<Item = &'k String>),
    found: &mut Findings<'_>,
) {
    let near = near_values(subject.ontology, field, known);
    let verb = match part {
        Part::Arguments => "takes",
        Part::Response => "answers with",
    };
    let message = format!("{} {verb} no \"{}\"", call.of.name, field.name);
    let spot = subject.spot_at(call.turn, field.at);
    unknown(subject.ontology, (spot, message), &near, found, |right| {
        call.rename(part, &field.name, right)
    });
}

/// The names, of those an API has, that an argument or a part of a response may be meant to have.
pub fn near_values<'n, 'k: 'n, 'o: 'n>(
    ontology: &'o Ontology,
    field: &Field,
    known: impl Iterator<Item = &'k String>,
) -> Vec<Near<'n>> {
    match ontology.aliases.get(field.name.as_str()) {
        Some(right) => vec![Near::alias(right)],
        None => near(&field.name, known.map(String::as_str)),
    }
}
