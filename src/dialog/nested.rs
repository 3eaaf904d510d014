//! Values inside an argument or a part of a response, by the names that queries give them: `opt.key`, `edits[0].text`.

use super::error::EditError;
use crate::json::{NodeKind, Value};

/// The place of a value inside a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nested<'n> {
    /// The name of the member.
    pub member: &'n str,
    /// The way from there.
    path: &'n str,
}

impl<'n> Nested<'n> {
    /// Returns the place that a name means where no member has all of it: inside the member with the longest part of
    /// it of which `is_container` holds.
    pub fn of(name: &'n str, is_container: impl Fn(&str) -> bool) -> Option<Self> {
        let ends = name.rmatch_indices(['.', '[']).map(|(end, _)| end);
        let mut places = ends.map(|end| name.split_at(end));
        let (member, path) = places.find(|(member, _)| is_container(member))?;
        Some(Self { member, path })
    }

    /// Returns the value at the place, of the member's value.
    ///
    /// # Errors
    /// If there is none, or if it is a list or an object, which a single value must not replace.
    pub fn value<'a>(&self, member: Value<'a>) -> Result<Value<'a>, EditError> {
        let several = |name: &str| EditError::SeveralIn { name: name.to_owned() };
        let found = inside(member, self.path).ok_or_else(|| several(self.member))?;
        match found.kind() {
            NodeKind::Array | NodeKind::Object => Err(several(&[self.member, self.path].concat())),
            _ => Ok(found),
        }
    }
}

fn inside<'a>(value: Value<'a>, path: &str) -> Option<Value<'a>> {
    if path.is_empty() {
        return Some(value);
    }
    if let Some(path) = path.strip_prefix('[') {
        let (position, rest) = path.split_once(']')?;
        return inside(value.elements().nth(position.parse().ok()?)?, rest);
    }
    let path = path.strip_prefix('.')?;
    let end = path.find(['.', '[']).unwrap_or(path.len());
    inside(value.get(&path[..end])?, &path[end..])
}
