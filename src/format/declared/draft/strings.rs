//! Drafts a description of a file whose dialogs, or whose turns, are JSON in strings.

use super::super::place::Step;
use super::Draft;
use super::spelling::{place, quoted};
use crate::json::{NodeKind, OpenedText, Parser, Value};

/// Dialogs to look at.
const DIALOGS: usize = 20;

/// Drafts a description of `text`, JSON, by opening the strings that hold lists or objects, and then as `draft` does; None
/// if it has none.
///
/// # Errors
/// Those of `draft`.
pub fn draft(
    text: &str,
    draft: impl FnOnce(&str) -> Result<Draft, String>,
) -> Option<Result<Draft, String>> {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).ok()?;
    let root = tree.root();
    let dialogs: Vec<_> = match root.kind() {
        NodeKind::Array => root.elements().collect(),
        // Each member, or all of it, is a dialog.
        _ if root.members().any(|(_, value)| !members_in_strings(value).is_empty()) => {
            root.members().map(|(_, value)| value).collect()
        }
        _ => vec![root],
    };
    let tried = &dialogs[..dialogs.len().min(DIALOGS)];
    let is_whole = !tried.is_empty() && tried.iter().all(|dialog| holds_json(*dialog));
    let keys: Vec<String> = match tried.first() {
        Some(first) if !is_whole => members_in_strings(*first),
        _ => Vec::new(),
    };
    let (places, strings): (Vec<_>, Vec<_>) = if is_whole {
        (vec![".".to_owned()], dialogs)
    } else {
        let is_one = |key: &Value<'_>| keys.iter().any(|own| key.is_text(own));
        let members = dialogs.into_iter().flat_map(Value::members);
        let strings = members.filter(|(key, _)| is_one(key)).map(|(_, value)| value);
        let places = keys.iter().map(|key| place(&[Step::Member(key.clone())]));
        (places.collect(), strings.collect())
    };
    let opened = OpenedText::of(&tree, strings)?;
    Some(draft(opened.text()).map(|found| {
        let places: Vec<_> = places.iter().map(|place| quoted(place)).collect();
        let mut toml = found.toml;
        // Behind the line with the name, which is the second one.
        if let Some((at, _)) = toml.match_indices('\n').nth(1) {
            toml.insert_str(at, &format!("\njson = [{}]", places.join(", ")));
        }
        Draft { toml, ..found }
    }))
}

/// Returns the keys of an object whose values are strings that hold lists or objects.
fn members_in_strings(dialog: Value<'_>) -> Vec<String> {
    let members = dialog.members().filter(|(_, value)| holds_json(*value));
    members.filter_map(|(key, _)| Some(key.as_str()?.into_owned())).collect()
}

/// True for a string that is JSON of a list or an object that is not empty.
fn holds_json(value: Value<'_>) -> bool {
    let Some(text) = value.as_str().filter(|text| text.trim_start().starts_with(['[', '{'])) else {
        return false;
    };
    let mut parser = Parser::new();
    parser.parse_str(&text).is_ok_and(|tree| {
        let root = tree.root();
        root.elements().next().is_some() || root.members().next().is_some()
    })
}
