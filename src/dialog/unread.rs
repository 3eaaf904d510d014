//! The parts of dialogs that their format does not read.

use std::collections::BTreeMap;
use std::fmt;

use super::model::{Dialog, Short};
use crate::text::{counted, visible};

/// The kind of a response that belongs to no call.
pub const LOST_ANSWER: &str = "result without a call";

/// The kind of a line of a session that is not JSON.
pub const BROKEN_LINE: &str = "broken line";

/// The most characters of the name of a kind.
const LONGEST: usize = 40;

/// How many parts of each kind, such as `image`, are not read.
///
/// Two always compare as equal, as places do: an edit cannot mean what is not read.
#[derive(Clone, Debug, Default)]
pub struct UnreadParts(Option<Box<Kinds>>);

/// In a box, because few turns have such parts.
#[derive(Clone, Debug, Default)]
struct Kinds(BTreeMap<Short, u64>);

impl PartialEq for UnreadParts {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl UnreadParts {
    /// Adds `count` parts of a kind, which is `part` if it is empty, and cut if it is too long for a name.
    pub fn add(&mut self, kind: Short, count: u64) {
        if count == 0 {
            return;
        }
        let kind = match kind.char_indices().nth(LONGEST) {
            _ if kind.trim().is_empty() => "part".into(),
            Some((end, _)) => Short::from(&kind[..end]) + "…",
            None => kind,
        };
        let kinds = self.0.get_or_insert_default();
        *kinds.0.entry(kind).or_default() += count;
    }

    /// Adds those of a dialog and all its turns.
    pub fn add_dialog(&mut self, dialog: &Dialog) {
        self.join(&dialog.unread);
        for turn in &dialog.turns {
            self.join(&turn.unread);
        }
    }

    /// Adds others.
    pub fn join(&mut self, others: &Self) {
        for (kind, count) in others.kinds() {
            self.add(kind.clone(), count);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// True if a part of this kind is not read.
    pub fn has(&self, kind: &str) -> bool {
        self.kinds().any(|(known, _)| known == kind)
    }

    /// Returns the number of parts of this kind.
    pub fn count(&self, kind: &str) -> u64 {
        let mut kinds = self.kinds();
        kinds.find(|(known, _)| known.as_str() == kind).map_or(0, |(_, count)| count)
    }

    /// Returns the kinds in the order of their names, each with the number of its parts.
    pub fn kinds(&self) -> impl Iterator<Item = (&Short, u64)> {
        let kinds = self.0.iter().flat_map(|kinds| &kinds.0);
        kinds.map(|(kind, count)| (kind, *count))
    }

    /// Returns the kinds, as they are shown: `image, tool_use`.
    pub fn names(&self) -> String {
        let names: Vec<_> = self.kinds().map(|(kind, _)| kind.as_str()).collect();
        visible(&names.join(", ")).into_owned()
    }
}

/// `3 parts are not read: image, tool_use`.
impl fmt::Display for UnreadParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.kinds().map(|(_, count)| count).sum::<u64>();
        let are = if count == 1 { "is" } else { "are" };
        let parts = counted(count, "part");
        write!(f, "{parts} {are} not read: {}", self.names())
    }
}
