//! Checks of `new`, the form of new elements: it may only name parts that there are, and must have each part at the
//! place from which it is read.

use super::checks::Wrong;
use super::description::{ActRule, Description, SpanRule, StateRule};
use super::forms::{Parts, Template};
use super::place::{Place, Step, Target};

/// A part of a new element.
struct Part<'r> {
    /// Its name in templates, without `$`.
    name: String,
    /// The place that it is read from; None if it is optional or not in the element.
    place: Option<&'r Place>,
}

/// Checks all templates of a description.
pub fn check(description: &Description) -> Result<(), Wrong> {
    for rule in &description.span.0 {
        fits("span", rule.new.as_ref(), &rule.at, of_span(rule))?;
    }
    for rule in &description.act.0 {
        fits("act", rule.new.as_ref(), &rule.at, of_act(rule))?;
    }
    for rule in &description.state.0 {
        fits("state", rule.new.as_ref(), &rule.at, of_state(rule))?;
    }
    Ok(())
}

fn of_span(rule: &SpanRule) -> Vec<Part<'_>> {
    let mut parts = vec![needed("start", &rule.start), needed("end", &rule.end)];
    // Some corpora quote only a part of their segments.
    parts.extend(rule.quote.iter().map(|_| optional("quote")));
    parts.extend(joined("label", &rule.label));
    parts
}

fn of_act(rule: &ActRule) -> Vec<Part<'_>> {
    let mut parts = joined("name", &rule.name);
    // Without a slot or a value, an act can still be added.
    parts.extend(rule.slot.iter().map(|_| optional("slot")));
    parts.extend(
        rule.values
            .iter()
            .map(|values| optional(if values.is_several() { "values" } else { "value" })),
    );
    parts
}

fn of_state(rule: &StateRule) -> Vec<Part<'_>> {
    let mut parts = joined("name", &rule.name);
    parts.push(match &rule.values {
        Some(values) => needed("value", values),
        None => optional("value"),
    });
    parts
}

fn needed<'r>(name: &str, place: &'r Place) -> Part<'r> {
    let is_own = place.up == 0 && place.target == Target::Value && !place.is_several();
    Part { name: name.to_owned(), place: is_own.then_some(place) }
}

fn optional(name: &str) -> Part<'static> {
    Part { name: name.to_owned(), place: None }
}

/// Returns the parts of a name: `$label`, or `$label.0` and `$label.1` if it is joined.
fn joined<'r>(name: &str, parts: &'r Parts) -> Vec<Part<'r>> {
    if let [only] = parts.0.as_slice() {
        return vec![needed(name, only)];
    }
    let parts = parts.0.iter().enumerate();
    parts.map(|(number, place)| needed(&format!("{name}.{number}"), place)).collect()
}

fn fits(
    table: &'static str,
    new: Option<&Template>,
    at: &Place,
    mut parts: Vec<Part<'_>>,
) -> Result<(), Wrong> {
    // An empty one says that the parts are all.
    let Some(new) = new.filter(|new| !matches!(new, Template::Object(all) if all.is_empty()))
    else {
        return Ok(());
    };
    if let Some(Step::Naming(_)) = at.steps.last() {
        parts.push(optional("turn"));
    }
    let wrong = |about: &str, reason: String| Err(Wrong::new(table, about, &reason));
    if let Some(other) = unknown(new, &parts) {
        let names: Vec<_> = parts.iter().map(|part| format!("${}", part.name)).collect();
        return wrong(
            &format!("${other}"),
            format!("`new` has no part ${other}; its parts are {}", names.join(", ")),
        );
    }
    for Part { name, place } in &parts {
        let Some(place) = place else { continue };
        let here = inside(new, &place.steps);
        if !matches!(here, Some(Template::Text(text)) if text.strip_prefix('$') == Some(name)) {
            let reason = format!("`new` must have ${name} at `{place}`, where it is read");
            return wrong("new", reason);
        }
    }
    Ok(())
}

/// Returns a name after `$` that is not the name of a part.
fn unknown<'t>(template: &'t Template, parts: &[Part<'_>]) -> Option<&'t str> {
    match template {
        Template::Text(text) => {
            let name = text.strip_prefix('$')?;
            let is_known = parts.iter().any(|part| part.name == name);
            (!is_known).then_some(name)
        }
        Template::Raw(_) => None,
        Template::Array(all) => all.iter().find_map(|one| unknown(one, parts)),
        Template::Object(members) => members.iter().find_map(|(_, one)| unknown(one, parts)),
    }
}

/// Returns the template of the value that `steps` lead to.
fn inside<'t>(template: &'t Template, steps: &[Step]) -> Option<&'t Template> {
    let Some((step, rest)) = steps.split_first() else {
        return Some(template);
    };
    let next = match (step, template) {
        (Step::Member(name), Template::Object(members)) => {
            let member = members.iter().find(|(key, _)| key == name);
            member.map(|(_, template)| template)
        }
        (Step::Position(at), Template::Array(all)) => all.get(*at),
        _ => None,
    };
    inside(next?, rest)
}
