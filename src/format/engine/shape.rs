//! The shape of dialogs: the signs of families, and what a dialog lacks of them.

use crate::format::Family;
use crate::json::{NodeKind, Value};

/// An element by which a family is recognized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign {
    /// For messages: "`utterances`, an array of objects".
    pub what: &'static str,
    pub present: bool,
    /// True for a sign that something is not there. Most values have it, so it does not bring a value closer to a family.
    pub is_absence: bool,
}

impl Sign {
    pub fn new(what: &'static str, present: bool) -> Self {
        Self { what, present, is_absence: false }
    }

    /// The sign that something is not there.
    pub fn absence(what: &'static str, present: bool) -> Self {
        Self { is_absence: true, ..Self::new(what, present) }
    }
}

/// Returns the signs of the family `format` that a dialog in one of its files lacks. A missing id does not count:
/// it is only a problem of that dialog. If its turns do not have the form of the family, the effect of
/// an edit would be unknown.
pub fn lacks(format: &'static Family, root: Value<'_>) -> Option<String> {
    let absent = format.signs(root).into_iter().filter(|sign| !sign.present);
    let absent: Vec<_> = absent.map(|sign| sign.what).collect();
    (!absent.is_empty()).then(|| absent.join(", "))
}

/// True if `root` has an array under `key` that is empty or contains an object.
pub fn has_objects(root: Value<'_>, key: &str) -> bool {
    let has = |v: Value<'_>| v.elements().any(|e| e.kind() == NodeKind::Object);
    is_empty(root, key) || root.get(key).is_some_and(has)
}

/// True if `root` has an empty array under `key`.
pub fn is_empty(root: Value<'_>, key: &str) -> bool {
    let empty = |v: Value<'_>| v.kind() == NodeKind::Array && v.elements().next().is_none();
    root.get(key).is_some_and(empty)
}

/// True if any element of the array under `key` has a member `member` for which `is` is true.
pub fn any_has(root: Value<'_>, key: &str, member: &str, is: impl Fn(Value<'_>) -> bool) -> bool {
    let has = |e: Value<'_>| e.get(member).is_some_and(&is);
    root.get(key).is_some_and(|v| v.elements().any(has))
}
