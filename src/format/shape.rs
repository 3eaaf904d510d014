//! Telling the families apart by the shape of their dialogs.

use super::{FORMATS, Format};
use crate::json::{Kind, Value};

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
pub struct Unknown {
    /// What was found instead: "an object with `a`, `b`".
    pub found: String,
    /// The family of which most signs are there, and those that are not. None if none is.
    pub nearest: Option<(&'static str, Vec<&'static str>)>,
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no known kind of dialog: {}", self.found)?;
        match &self.nearest {
            Some((family, lacks)) => {
                write!(
                    f,
                    "; nearest is {family}, which also has {}",
                    lacks.join(", ")
                )
            }
            None => Ok(()),
        }
    }
}

/// The family of the dialog `root`.
///
/// # Errors
/// If it is of none: what was found, and what the nearest family has that it lacks.
pub fn detect(root: Value<'_>) -> Result<&'static dyn Format, Unknown> {
    let mut nearest: Option<(usize, &'static str, Vec<&'static str>)> = None;
    for format in FORMATS {
        let signs = format.signs(root);
        let (present, lacking): (Vec<_>, Vec<_>) = signs.into_iter().partition(|s| s.present);
        if lacking.is_empty() {
            return Ok(*format);
        }
        let nearer = nearest
            .as_ref()
            .map_or(!present.is_empty(), |(most, _, lacks)| {
                (present.len(), lacks.len()) > (*most, lacking.len())
            });
        if nearer {
            let lacks = lacking.iter().map(|sign| sign.what).collect();
            nearest = Some((present.len(), format.title(), lacks));
        }
    }
    let nearest = nearest.map(|(_, family, lacks)| (family, lacks));
    Err(Unknown {
        found: describe(root),
        nearest,
    })
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
        v.kind() == Kind::Array
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
    if root.kind() != Kind::Object {
        return format!("found {}", root.kind().name());
    }
    let mut keys: Vec<String> = root
        .members()
        .take(KEYS + 1)
        .map(|(key, _)| format!("`{}`", key.quoted()))
        .collect();
    if keys.is_empty() {
        return "found an empty object".to_owned();
    }
    if keys.len() > KEYS {
        "…".clone_into(&mut keys[KEYS]);
    }
    format!("found an object with {}", keys.join(", "))
}

/// The first element of the array that `root` has under `key`.
pub fn first_in<'a>(root: Value<'a>, key: &str) -> Option<Value<'a>> {
    root.get(key)?.elements().next()
}

/// True if `root` has an array of objects (or an empty one) under `key`.
pub fn has_objects(root: Value<'_>, key: &str) -> bool {
    root.get(key).is_some_and(|v| {
        v.kind() == Kind::Array && v.elements().next().is_none_or(|e| e.kind() == Kind::Object)
    })
}

/// True if any element of the array under `key` has the member `member`, of a kind that `is` likes.
pub fn any_has(root: Value<'_>, key: &str, member: &str, is: impl Fn(Kind) -> bool) -> bool {
    root.get(key).is_some_and(|v| {
        v.elements()
            .any(|e| e.get(member).is_some_and(|value| is(value.kind())))
    })
}
