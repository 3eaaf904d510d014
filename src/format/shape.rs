//! Telling the families apart by the shape of their dialogs.

use super::{FORMATS, Format};
use crate::json::{NodeKind, Value};

/// Something a dialog of a family has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign {
    /// For messages: "`utterances`, an array of objects".
    pub what: &'static str,
    pub present: bool,
}

impl Sign {
    pub fn new(what: &'static str, present: bool) -> Self {
        Self { what, present }
    }
}

/// A value that is a dialog of no family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFamily {
    /// "an object with `a`, `b`".
    pub found: String,
    pub hint: Option<FamilyHint>,
}

/// Which family was perhaps meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FamilyHint {
    /// It has most of what this family is recognised by, and lacks the rest.
    Near {
        family: &'static str,
        lacks: Vec<String>,
    },
    /// It has all that two families are recognised by that have nothing to do with each other.
    Both(&'static str, &'static str),
}

impl std::fmt::Display for UnknownFamily {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not a known kind of dialog: {}", self.found)?;
        match &self.hint {
            Some(FamilyHint::Near { family, lacks }) => {
                write!(f, "; close to {family}, but without {}", lacks.join(", "))
            }
            Some(FamilyHint::Both(one, other)) => write!(f, "; could be {one} as well as {other}"),
            None => Ok(()),
        }
    }
}

/// The family of the dialog `root`: the first of which everything is there that it is recognised by.
///
/// # Errors
/// If it is of none, or could be of two: what was found, and which family is near.
pub fn detect(root: Value<'_>) -> Result<&'static dyn Format, UnknownFamily> {
    let unknown = |hint| UnknownFamily {
        found: describe(root),
        hint,
    };
    let mut complete = FORMATS.iter().filter(|format| {
        let has = |sign: Sign| sign.present;
        root.get(format.id_key()).is_some()
            && format.signs(root).into_iter().all(has)
            && format.own_sign(root).is_none_or(has)
    });
    let Some(format) = complete.next() else {
        return Err(unknown(near(root)));
    };
    match complete.find(|other| other.id_key() != format.id_key()) {
        Some(other) => Err(unknown(Some(FamilyHint::Both(
            format.title(),
            other.title(),
        )))),
        None => Ok(*format),
    }
}

/// The family of which most is there, if that is more than is missing.
fn near(root: Value<'_>) -> Option<FamilyHint> {
    let mut nearest: Option<(usize, &'static str, Vec<String>)> = None;
    for format in FORMATS {
        let id = (
            format!("`{}`", format.id_key()),
            root.get(format.id_key()).is_some(),
        );
        let signs = format.signs(root).into_iter().chain(format.own_sign(root));
        let signs = signs.map(|sign| (sign.what.to_owned(), sign.present));
        let (present, lacking): (Vec<_>, Vec<_>) =
            std::iter::once(id).chain(signs).partition(|(_, is)| *is);
        let nearer = nearest
            .as_ref()
            .is_none_or(|(most, _, least)| (present.len(), least.len()) > (*most, lacking.len()));
        if nearer && present.len() > lacking.len() {
            let lacks = lacking.into_iter().map(|(what, _)| what).collect();
            nearest = Some((present.len(), format.title(), lacks));
        }
    }
    nearest.map(|(_, family, lacks)| FamilyHint::Near { family, lacks })
}

/// What a dialog in a file of `format` lacks of what all its dialogs have. Its id may be missing:
/// that is a problem of that dialog. Where its turns are not those of the family, nobody knows what
/// an edit would do to them.
pub fn lacks(format: &dyn Format, root: Value<'_>) -> Option<String> {
    let absent = format.signs(root).into_iter().filter(|sign| !sign.present);
    let absent: Vec<_> = absent.map(|sign| sign.what).collect();
    (!absent.is_empty()).then(|| absent.join(", "))
}

/// Which of Google's ontology files `root` is, if it is one: labels and calls that go with a corpus,
/// not dialogs.
pub fn ontology(root: Value<'_>) -> Option<&'static str> {
    let all = |test: fn(Value<'_>) -> bool| {
        let mut members = root.members().peekable();
        members.peek().is_some() && members.all(|(_, value)| test(value))
    };
    if all(|v| v.get("vertical").is_some() && v.get("required").is_some()) {
        return Some("Taskmaster ontology");
    }
    let lists_labels = |v: Value<'_>| {
        v.kind() == NodeKind::Array
            && v.elements()
                .all(|e| e.get("prefix").is_some() && e.get("annotations").is_some())
    };
    if all(lists_labels) {
        return Some("Taskmaster-2 ontology");
    }
    let calls = all(|v| v.get("apis").is_some() && v.get("args").is_some());
    calls.then_some("Taskmaster-3 API ontology")
}

/// Keys named in a description, at the most.
const KEYS: usize = 8;

fn describe(root: Value<'_>) -> String {
    if root.kind() != NodeKind::Object {
        return root.kind().name().to_owned();
    }
    let mut keys: Vec<String> = root
        .members()
        .take(KEYS + 1)
        .map(|(key, _)| format!("`{}`", key.quoted()))
        .collect();
    if keys.is_empty() {
        return "an empty object".to_owned();
    }
    if keys.len() > KEYS {
        "…".clone_into(&mut keys[KEYS]);
    }
    format!("an object with {}", keys.join(", "))
}

/// True if `root` has an array under `key` that holds an object, or nothing.
pub fn has_objects(root: Value<'_>, key: &str) -> bool {
    let has = |v: Value<'_>| v.elements().any(|e| e.kind() == NodeKind::Object);
    is_empty(root, key) || root.get(key).is_some_and(has)
}

/// True if `root` has an array without elements under `key`.
pub fn is_empty(root: Value<'_>, key: &str) -> bool {
    let empty = |v: Value<'_>| v.kind() == NodeKind::Array && v.elements().next().is_none();
    root.get(key).is_some_and(empty)
}

/// True if any element of the array under `key` has a member `member` that `is` likes.
pub fn any_has(root: Value<'_>, key: &str, member: &str, is: impl Fn(Value<'_>) -> bool) -> bool {
    let has = |e: Value<'_>| e.get(member).is_some_and(&is);
    root.get(key).is_some_and(|v| v.elements().any(has))
}
