//! Recognizes the family of a dialog by its shape.

use crate::format::declared::{Arrangement, one_text};
use crate::format::registry::formats::{bundled_of_dialogs, bundled_of_turns};
use crate::format::{FORMATS, Family, Formats};
use crate::json::{NodeKind, Value};
use crate::text::cut;

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
    Near { family: &'static str, lacks: Vec<String> },
    /// It has all signs of two unrelated families.
    Both(&'static str, &'static str),
    /// This member holds a whole dialog as one text.
    OneText(String),
    /// Two descriptions fit it equally well.
    BothDeclared([String; 2]),
    /// It has all signs of this family, but no turn.
    Empty(&'static str),
}

/// How the description of an object begins that has members.
const WITH: &str = "an object with ";

/// How the description of an array begins that may hold turns.
const ARRAY_OF: &str = "an array of ";

/// The commands for formats of the user's own.
const ADVICE: &str =
    " (`turnwise formats new` drafts a description of it, `turnwise formats check` tries one)";

fn joined(all: &[&String]) -> String {
    all.iter().map(|what| what.as_str()).collect::<Vec<_>>().join(", ")
}

impl std::fmt::Display for UnknownFamily {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not a known kind of dialog: {}", self.found)?;
        match &self.hint {
            Some(FamilyHint::Near { family, lacks }) => {
                write!(f, "; close to {family}, but ")?;
                let (with, without): (Vec<_>, Vec<_>) =
                    lacks.iter().partition(|what| what.starts_with("no "));
                if !without.is_empty() {
                    write!(f, "without {}", joined(&without))?;
                }
                if !without.is_empty() && !with.is_empty() {
                    f.write_str(" and ")?;
                }
                if !with.is_empty() {
                    write!(f, "with {}", joined(&with).replace("no `", "`"))?;
                }
                Ok(())
            }
            Some(FamilyHint::Both(one, other)) => write!(f, "; could be {one} or {other}"),
            Some(FamilyHint::BothDeclared([one, other])) => write!(
                f,
                "; {one} and {other} both fit; to choose one format, add to its `has` a place that the other lacks"
            ),
            Some(FamilyHint::Empty(family)) => {
                write!(f, "; it looks like {family}, but has no turns")
            }
            Some(FamilyHint::OneText(key)) => {
                write!(f, "; `{key}` holds a dialog as one text, which turnwise does not read")
            }
            None => Ok(()),
        }?;
        match &self.hint {
            Some(FamilyHint::OneText(_) | FamilyHint::BothDeclared(_)) => Ok(()),
            _ if self.found.starts_with(WITH) || self.found.starts_with(ARRAY_OF) => {
                f.write_str(ADVICE)
            }
            _ => Ok(()),
        }
    }
}

/// Returns the family of the dialog `root`, of those that the program has by itself; see [`Formats::detect`].
///
/// # Errors
/// Like [`Formats::detect`].
pub fn detect(root: Value<'_>) -> Result<&'static Family, UnknownFamily> {
    Formats::default().detect(root)
}

impl Formats {
    /// Returns the family of the dialog `root`: the only one, if one is named; else the user's description with
    /// the most signs, the first built-in family whose signs are all there, the names of a data set, and the
    /// bundled description with the most signs. A dialog without turns is of a family only by that family's id.
    ///
    /// # Errors
    /// If there is none, or there could be two: a description of the value, and the nearest family.
    pub fn detect(&self, root: Value<'_>) -> Result<&'static Family, UnknownFamily> {
        self.find(root).map_err(|hint| self.unknown(root, hint))
    }

    /// Says what a value is that [`Formats::find`] has not found the family of, with the hint that it has, if any; finding
    /// another one takes much longer.
    pub fn unknown(&self, root: Value<'_>, hint: Option<FamilyHint>) -> UnknownFamily {
        let other = || match self.only() {
            Some(only) => near_of([only], root, 0),
            None => one_text(root).map(FamilyHint::OneText).or_else(|| near(self, root)),
        };
        UnknownFamily { found: describe(root), hint: hint.or_else(other) }
    }

    /// Returns the user's description of a whole file that fits `root` best; None if there is none, or if two fit equally well.
    pub fn own_of_files(&self, root: Value<'_>) -> Option<&'static Family> {
        let own = self.own().iter().copied();
        let own: Vec<_> = own.filter(|format| is_of_files(format)).collect();
        best(&own, root, &mut None).ok().flatten()
    }

    /// True if the user has such a description, and names no family for the file.
    pub fn has_own_of_files(&self) -> bool {
        self.only().is_none() && self.own().iter().copied().any(is_of_files)
    }

    /// As [`Formats::detect`], several times faster for a value of no family.
    ///
    /// # Errors
    /// If there is none, without a hint, or why there is none or could be two.
    pub fn find(&self, root: Value<'_>) -> Result<&'static Family, Option<FamilyHint>> {
        if let Some(only) = self.only() {
            let has_signs = only.signs(root).iter().all(|sign| sign.present);
            let is_it = has_signs && !only.lines_are_turns();
            return is_it.then_some(only).ok_or(None);
        }
        let own = self.own().iter().copied();
        let own = own.filter(|format| !format.lines_are_turns());
        let (described, data_sets): (Vec<_>, Vec<_>) =
            own.partition(|format| format.chat().is_none());
        // Those that have all signs but no turn.
        let (mut empty, mut empty_with_id) = (None, None);
        if let Some(format) = best(&described, root, &mut empty).map_err(Some)? {
            return Ok(format);
        }
        let mut complete = FORMATS.iter().filter(|format| {
            (!format.needs_id() || root.get(format.id_key()).is_some()) && format.fits(root)
        });
        while let Some(format) = complete.next() {
            if !format.has_turns(root) {
                empty.get_or_insert(*format);
                if format.needs_id() {
                    empty_with_id.get_or_insert(*format);
                }
                continue;
            }
            let is_other = |other: &&&'static Family| {
                other.id_key() != format.id_key() && other.has_turns(root)
            };
            return match complete.find(is_other) {
                Some(other) => Err(Some(FamilyHint::Both(format.title(), other.title()))),
                None => Ok(*format),
            };
        }
        for declared in [&data_sets, bundled_of_dialogs()] {
            match best(declared, root, &mut empty) {
                Ok(None) => {}
                Ok(Some(format)) => return Ok(format),
                Err(both) => return Err(Some(both)),
            }
        }
        if let Some(format) = empty_with_id {
            // Turns in another list are those of another format.
            if !has_list_of_objects(root) {
                return Ok(format);
            }
        }
        Err(empty.map(|format| FamilyHint::Empty(format.title())))
    }
}

impl Formats {
    /// True if the user has a description of files whose lines are turns.
    pub fn may_be_of_turns(&self) -> bool {
        let mut all = self.own().iter().copied().chain(self.only());
        all.any(Family::lines_are_turns)
    }

    /// Returns the description of the user, or the family that the user has named, for a file whose lines, in `root`,
    /// are turns; None if there is none, or if two fit equally well.
    pub fn own_of_turns(&self, root: Value<'_>) -> Option<&'static Family> {
        let all: Vec<_> = match self.only() {
            Some(only) => vec![only],
            None => self.own().to_vec(),
        };
        of_turns(all, root)
    }

    /// Like [`Self::own_of_turns`], for the descriptions of the program, which are not for lines of other kinds alone.
    pub fn bundled_of_turns(&self, root: Value<'_>) -> Option<&'static Family> {
        match self.only() {
            Some(_) => None,
            None => of_turns(bundled_of_turns().to_vec(), root)
                .filter(|format| format.knows_lines(root)),
        }
    }
}

/// True for a description of the user of files that are one object each.
fn is_of_files(format: &'static Family) -> bool {
    let is_whole = format.description().dialogs == Arrangement::Single;
    is_whole && !format.lines_are_turns()
}

fn of_turns(mut all: Vec<&'static Family>, root: Value<'_>) -> Option<&'static Family> {
    all.retain(|format| format.lines_are_turns());
    best(&all, root, &mut None).ok().flatten()
}

/// True if a member of `root` is an array that contains an object.
fn has_list_of_objects(root: Value<'_>) -> bool {
    root.members().any(|(_, member)| {
        let mut elements = member.elements();
        elements.any(|element| element.kind() == NodeKind::Object)
    })
}

/// Returns the declared format with the most signs, of those whose signs are all there; `empty` becomes the
/// first one that finds no turn.
fn best(
    declared: &[&'static Family],
    root: Value<'_>,
    empty: &mut Option<&'static Family>,
) -> Result<Option<&'static Family>, FamilyHint> {
    let mut best: Option<(usize, &'static Family)> = None;
    let mut equal = None;
    for format in declared {
        if !format.fits(root) {
            continue;
        }
        if !format.has_turns(root) {
            empty.get_or_insert(*format);
            continue;
        }
        let signs = format.signs(root).len() + format.own_signs(root).len();
        match best {
            Some((most, _)) if signs < most => {}
            Some((most, other)) if signs == most => equal = Some([other, *format]),
            _ => (best, equal) = (Some((signs, *format)), None),
        }
    }
    match equal {
        Some(both) => Err(FamilyHint::BothDeclared(both.map(place_of))),
        None => Ok(best.map(|(_, format)| format)),
    }
}

/// How a message names a declared format: by the place of its `has`, if it is in a file.
fn place_of(format: &'static Family) -> String {
    format.place().unwrap_or_else(|| format.name().to_owned())
}

/// Returns the family with the most signs present, if more are present than missing.
fn near(formats: &Formats, root: Value<'_>) -> Option<FamilyHint> {
    let all = FORMATS.iter().chain(formats.own()).chain(bundled_of_dialogs());
    let of_values = all.copied().filter(|format| !format.lines_are_turns());
    near_of(of_values, root, 1)
}

/// Returns the family of `formats` with the most signs present, if at least `more` more are present than missing.
fn near_of(
    formats: impl IntoIterator<Item = &'static Family>,
    root: Value<'_>,
    more: usize,
) -> Option<FamilyHint> {
    let mut nearest: Option<(usize, &'static str, Vec<String>)> = None;
    for format in formats {
        let is_by_id = FORMATS.contains(&format);
        let id = is_by_id.then(|| {
            let is_there = !format.needs_id() || root.get(format.id_key()).is_some();
            (format!("`{}`", format.id_key()), is_there)
        });
        let signs = format.signs(root).into_iter().chain(format.own_signs(root));
        let signs = signs.filter(|sign| !sign.is_absence || !sign.present);
        let signs = signs.map(|sign| (sign.what.to_owned(), sign.present));
        let (present, lacking): (Vec<_>, Vec<_>) =
            id.into_iter().chain(signs).partition(|(_, is)| *is);
        let nearer = nearest
            .as_ref()
            .is_none_or(|(most, _, least)| (present.len(), least.len()) > (*most, lacking.len()));
        let is_near = more == 0 || present.len() >= lacking.len() + more;
        if nearer && is_near && !lacking.is_empty() {
            let lacks = lacking.into_iter().map(|(what, _)| what).collect();
            nearest = Some((present.len(), format.title(), lacks));
        }
    }
    nearest.map(|(_, family, lacks)| FamilyHint::Near { family, lacks })
}

/// The most keys in a description.
const KEYS: usize = 8;

/// The number of characters of a key that a message shows.
const LONGEST_KEY: usize = 60;

/// Says what a value is.
pub fn describe(root: Value<'_>) -> String {
    if root.kind() != NodeKind::Object {
        let elements = match root.elements().next().map(Value::kind) {
            Some(NodeKind::Object) => "objects",
            Some(NodeKind::Array) => "arrays",
            Some(NodeKind::String) => "texts",
            _ => return root.kind().name().to_owned(),
        };
        return format!("{ARRAY_OF}{elements}");
    }
    let mut keys: Vec<String> = root
        .members()
        .take(KEYS + 1)
        .map(|(key, _)| format!("`{}`", cut(key.quoted(), LONGEST_KEY)))
        .collect();
    if keys.is_empty() {
        return "an empty object".to_owned();
    }
    if keys.len() > KEYS {
        "…".clone_into(&mut keys[KEYS]);
    }
    format!("{WITH}{}", keys.join(", "))
}
