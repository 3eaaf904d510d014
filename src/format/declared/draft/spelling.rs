//! How places and names are written in a description.

use super::super::place::Step;

/// Returns steps as a place.
pub fn place(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Member(name) => {
                let dot = if text.is_empty() { "" } else { "." };
                let is_odd = |c| matches!(c, '.' | '[' | ']' | '{' | '}' | '^' | '@' | '|' | ' ');
                let quote = if name.is_empty() || name.contains(is_odd) { "\"" } else { "" };
                text.extend([dot, quote, name, quote]);
            }
            Step::Position(at) => text.extend(["[", &at.to_string(), "]"]),
            Step::SamePosition => text.push_str("[@index]"),
            Step::Elements => text.push_str("[*]"),
            Step::Members => text.push_str("{*}"),
        }
    }
    if text.is_empty() { ".".to_owned() } else { text }
}

/// Returns a place from a value at another place.
pub fn below(base: &str, place: &str) -> String {
    match (base, place) {
        (".", place) => place.to_owned(),
        (base, ".") => base.to_owned(),
        (base, place) if place.starts_with(['[', '{']) => format!("{base}{place}"),
        (base, place) => format!("{base}.{place}"),
    }
}

/// Returns a text as TOML has it.
pub fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Returns names as the elements of an array.
pub fn list(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
    names.join(", ")
}

/// Returns a name, or an array of several.
pub fn one_or_list(names: &[String]) -> String {
    match names {
        [one] => quoted(one),
        all => format!("[{}]", list(all)),
    }
}
