//! Recognizes the family of a dialog by its shape.

use super::declared::{Declared, one_text};
use super::formats::bundled;
use super::{FORMATS, Format, Formats};
use crate::json::{NodeKind, Value};

/// An element by which a family is recognized.
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

/// A value that is not a dialog of any family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFamily {
    /// "an object with `a`, `b`".
    pub found: String,
    pub hint: Option<FamilyHint>,
}

/// The family that a value of an unknown kind may belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FamilyHint {
    /// It has most signs of this family and lacks the others.
    Near {
        family: &'static str,
        lacks: Vec<String>,
    },
    /// It has all signs of two unrelated families.
    Both(&'static str, &'static str),
    /// This member holds a whole dialog as one text.
    OneText(String),
    /// Two descriptions fit it equally well.
    BothDeclared([String; 2]),
}

/// How the description of an object begins that has members.
const WITH: &str = "an object with ";

/// The commands for formats of the user's own.
const ADVICE: &str =
    " (`turnwise formats new` drafts a description of it, `turnwise formats check` tries one)";

impl std::fmt::Display for UnknownFamily {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not a known kind of dialog: {}", self.found)?;
        match &self.hint {
            Some(FamilyHint::Near { family, lacks }) => {
                write!(f, "; close to {family}, but without {}", lacks.join(", "))
            }
            Some(FamilyHint::Both(one, other)) => write!(f, "; could be {one} as well as {other}"),
            Some(FamilyHint::BothDeclared([one, other])) => write!(
                f,
                "; {one} and {other} fit it equally well; add a place that only one of them has to its `has`"
            ),
            Some(FamilyHint::OneText(key)) => {
                write!(
                    f,
                    "; `{key}` holds a dialog as one text, which turnwise does not read"
                )
            }
            None => Ok(()),
        }?;
        match &self.hint {
            Some(FamilyHint::OneText(_) | FamilyHint::BothDeclared(_)) => Ok(()),
            _ if self.found.starts_with(WITH) => f.write_str(ADVICE),
            _ => Ok(()),
        }
    }
}

/// The family of the dialog `root`, of those that the program has by itself; see [`Formats::detect`].
///
/// # Errors
/// Like [`Formats::detect`].
pub fn detect(root: Value<'_>) -> Result<&'static dyn Format, UnknownFamily> {
    Formats::default().detect(root)
}

impl Formats {
    /// The family of the dialog `root`: the first built-in family whose signs are all there, else the
    /// user's description with the most signs, else the bundled one.
    ///
    /// # Errors
    /// If there is none, or there could be two: a description of the value, and the nearest family.
    pub fn detect(&self, root: Value<'_>) -> Result<&'static dyn Format, UnknownFamily> {
        let unknown = |hint| UnknownFamily {
            found: describe(root),
            hint,
        };
        let mut complete = FORMATS.iter().filter(|format| {
            let has = |sign: Sign| sign.present;
            (!format.needs_id() || root.get(format.id_key()).is_some())
                && format.signs(root).into_iter().all(has)
                && format.own_sign(root).is_none_or(has)
        });
        if let Some(format) = complete.next() {
            return match complete.find(|other| other.id_key() != format.id_key()) {
                Some(other) => Err(unknown(Some(FamilyHint::Both(
                    format.title(),
                    other.title(),
                )))),
                None => Ok(*format),
            };
        }
        for declared in [self.own(), bundled()] {
            match best(declared, root) {
                Ok(None) => {}
                Ok(Some(format)) => return Ok(format),
                Err(both) => return Err(unknown(Some(both))),
            }
        }
        let one_text = one_text(root).map(FamilyHint::OneText);
        Err(unknown(one_text.or_else(|| near(self, root))))
    }
}

/// The declared format with the most signs, of those whose signs are all there.
fn best(
    declared: &[&'static dyn Format],
    root: Value<'_>,
) -> Result<Option<&'static dyn Format>, FamilyHint> {
    let mut best: Option<(usize, &'static dyn Format)> = None;
    let mut equal = None;
    for format in declared {
        let signs = format.signs(root);
        if !signs.iter().all(|sign| sign.present) {
            continue;
        }
        match best {
            Some((most, _)) if signs.len() < most => {}
            Some((most, other)) if signs.len() == most => equal = Some([other, *format]),
            _ => (best, equal) = (Some((signs.len(), *format)), None),
        }
    }
    match equal {
        Some(both) => Err(FamilyHint::BothDeclared(both.map(place_of))),
        None => Ok(best.map(|(_, format)| format)),
    }
}

/// How a message names a declared format: by the place of its `has`, if it is in a file.
fn place_of(format: &'static dyn Format) -> String {
    let place = format.declared().and_then(Declared::place);
    place.unwrap_or_else(|| format.name().to_owned())
}

/// The family with the most signs present, if more are present than missing.
fn near(formats: &Formats, root: Value<'_>) -> Option<FamilyHint> {
    let mut nearest: Option<(usize, &'static str, Vec<String>)> = None;
    for format in FORMATS.iter().chain(formats.own()).chain(bundled()) {
        let id = format.declared().is_none().then(|| {
            let is_there = !format.needs_id() || root.get(format.id_key()).is_some();
            (format!("`{}`", format.id_key()), is_there)
        });
        let signs = format.signs(root).into_iter().chain(format.own_sign(root));
        let signs = signs.map(|sign| (sign.what.to_owned(), sign.present));
        let (present, lacking): (Vec<_>, Vec<_>) =
            id.into_iter().chain(signs).partition(|(_, is)| *is);
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

/// The signs of the family `format` that a dialog in one of its files lacks. A missing id does not count:
/// it is only a problem of that dialog. If its turns do not have the form of the family, the effect of
/// an edit would be unknown.
pub fn lacks(format: &dyn Format, root: Value<'_>) -> Option<String> {
    let absent = format.signs(root).into_iter().filter(|sign| !sign.present);
    let absent: Vec<_> = absent.map(|sign| sign.what).collect();
    (!absent.is_empty()).then(|| absent.join(", "))
}

/// The most keys in a description.
const KEYS: usize = 8;

/// The number of characters of a key that a message shows.
const LONGEST_KEY: usize = 60;

fn describe(root: Value<'_>) -> String {
    if root.kind() != NodeKind::Object {
        return root.kind().name().to_owned();
    }
    let mut keys: Vec<String> = root
        .members()
        .take(KEYS + 1)
        .map(|(key, _)| format!("`{}`", cut(key.quoted())))
        .collect();
    if keys.is_empty() {
        return "an empty object".to_owned();
    }
    if keys.len() > KEYS {
        "…".clone_into(&mut keys[KEYS]);
    }
    format!("{WITH}{}", keys.join(", "))
}

/// A key, with an ellipsis in place of what is too long for a message.
fn cut(key: &str) -> String {
    match key.char_indices().nth(LONGEST_KEY) {
        Some((at, _)) => format!("{}…", &key[..at]),
        None => key.to_owned(),
    }
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
