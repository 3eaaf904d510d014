//! JSON values as text that does not depend on how they are written: to compare them.

use super::{NodeKind, Parser, Tree, Value};

/// True if two texts are the same object or list, but for white space, escapes and the order of members, or equal.
/// Numbers are what they are written as.
pub fn is_same(one: &str, other: &str) -> bool {
    let is_list = |text: &str| text.trim_start().starts_with(['{', '[']);
    if one == other || !is_list(one) || !is_list(other) {
        return one == other;
    }
    let (mut own, mut others) = (Parser::new(), Parser::new());
    let trees = (own.parse_str(one), others.parse_str(other));
    let said = |tree: Tree<'_>| canonical(tree.root(), &|_, _| false);
    matches!(trees, (Ok(one), Ok(other)) if said(one) == said(other))
}

/// Returns a value as text that does not depend on how it is written. Instead of members that `hides` knows, by key and
/// value, it has a sign.
pub fn canonical(value: Value<'_>, hides: &dyn Fn(&str, Value<'_>) -> bool) -> String {
    let mut text = String::new();
    write(value, hides, &mut text);
    text
}

fn write(value: Value<'_>, hides: &dyn Fn(&str, Value<'_>) -> bool, text: &mut String) {
    match value.kind() {
        NodeKind::Object => {
            let members = value.members().map(|(key, member)| {
                let key = key.as_str().unwrap_or_default().into_owned();
                let member =
                    if hides(&key, member) { "#".to_owned() } else { canonical(member, hides) };
                (key, member)
            });
            let mut members: Vec<(String, String)> = members.collect();
            // Members with one key stay in their order.
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            text.push('{');
            for (key, member) in members {
                let key = format!("{key:?}:");
                text.extend([&key, &member, ","]);
            }
            text.push('}');
        }
        NodeKind::Array => {
            text.push('[');
            for element in value.elements() {
                write(element, hides, text);
                text.push(',');
            }
            text.push(']');
        }
        // Half of a surrogate pair is like any other one once it is decoded.
        NodeKind::String => match value.as_str().filter(|text| !text.contains('\u{fffd}')) {
            Some(string) => {
                let string = format!("{string:?}");
                text.push_str(&string);
            }
            None => text.push_str(value.raw()),
        },
        _ => text.push_str(value.raw()),
    }
}
