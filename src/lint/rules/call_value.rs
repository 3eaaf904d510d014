//! What rules on arguments and on responses share.

use std::collections::BTreeSet;

use crate::dialog::Field;
use crate::lint::{Call, Findings, Severity, Spot, Subject};
use crate::ontology::near;

/// Notes a name that an API does not have, beside those it has.
#[cold]
pub fn unknown<'k>(
    subject: &Subject<'_>,
    call: &Call<'_>,
    (field, known): (&Field, impl Iterator<Item = &'k str>),
    mut message: String,
    found: &mut Findings<'_>,
) {
    let ontology = subject.ontology;
    let alias = ontology.aliases.get(field.name.as_str());
    let mut known = known.peekable();
    let near: Vec<_> = match alias {
        Some(right) => vec![right.as_str()],
        None if known.peek().is_none() => Vec::new(),
        None => near(&field.name, known).iter().map(|n| n.name).collect(),
    };
    if let [right] = near[..] {
        message.push_str("; probably ");
        message.push_str(right);
    }
    let most = if ontology.complete || !near.is_empty() {
        Severity::Error
    } else {
        Severity::Info
    };
    let spot = subject.spot_at(call.turn, field.at);
    found.add_at_most(most, spot, message);
}

/// Notes a name that is none of a list of the ontology.
#[cold]
pub fn unlisted(
    subject: &Subject<'_>,
    spot: Spot,
    (name, known): (&str, &BTreeSet<String>),
    mut message: String,
    found: &mut Findings<'_>,
) {
    let near = near(name, known.iter().map(String::as_str));
    if let [right] = near[..] {
        message.push_str("; probably ");
        message.push_str(right.name);
    }
    let most = if subject.ontology.complete || !near.is_empty() {
        Severity::Error
    } else {
        Severity::Info
    };
    found.add_at_most(most, spot, message);
}
