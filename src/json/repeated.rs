//! Members that are in an object twice, of which every reader takes the last one.

use std::borrow::Cow;
use std::collections::HashSet;

use super::tree::{NodeKind, Value};

/// Returns the names of members in `root` that a later one with the same name replaces.
pub fn repeated_members(root: Value<'_>) -> Vec<String> {
    let mut repeated = Vec::new();
    let mut open = vec![root];
    let mut known: HashSet<Cow<'_, str>> = HashSet::new();
    while let Some(value) = open.pop() {
        open.extend(value.elements().filter(|value| is_open(*value)));
        known.clear();
        for (key, value) in value.members() {
            if is_open(value) {
                open.push(value);
            }
            if let Some(key) = key.as_str()
                && let Some(key) = known.replace(key)
            {
                repeated.push(key.into_owned());
            }
        }
    }
    repeated
}

fn is_open(value: Value<'_>) -> bool {
    matches!(value.kind(), NodeKind::Object | NodeKind::Array)
}
