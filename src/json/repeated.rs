//! Members that are in an object twice, of which every reader takes the last one.

use std::borrow::Cow;
use std::collections::HashSet;

use super::tree::Tree;

/// Returns the names of members in a text that a later one with the same name replaces, in the order of their objects.
pub fn repeated_members<'t>(tree: &'t Tree<'t>) -> Vec<String> {
    let mut repeated = Vec::new();
    let mut known: HashSet<Cow<'_, str>> = HashSet::new();
    for object in tree.objects() {
        known.clear();
        for (key, _) in object.members() {
            if let Some(key) = key.as_str()
                && let Some(key) = known.replace(key)
            {
                repeated.push(key.into_owned());
            }
        }
    }
    repeated
}
