//! The members of messages and calls, which different programs give different names.

use crate::dialog::{Field, UnreadParts};
use crate::json::Value;

/// The member of an answer with the name of the API.
pub const NAME: &str = "name";

/// The member of a message with what it says, in nearly all chats.
pub const CONTENT: &str = "content";

/// The members with what a message says, and with the arguments of a call: the first that says something counts.
pub const CONTENTS: Homes = Homes(&[CONTENT, "parts", "text", "message"]);
pub const ARGUMENTS: Homes = Homes(&["arguments", "args", "parameters", "input"]);

/// The names that different programs give the same member. The first is the usual one; others count only if a reader
/// finds nothing wrong with their values.
pub struct Homes(&'static [&'static str]);

impl Homes {
    /// Returns the usual member.
    pub fn first(&self) -> &'static str {
        self.0[0]
    }

    /// Returns the member that counts.
    pub fn of<'a>(
        &self,
        holder: Value<'a>,
        fits: impl Fn(Value<'_>) -> bool,
    ) -> Option<(&'static str, Value<'a>)> {
        let has = |name: &&'static str| Some((*name, holder.get(name)?));
        let own = self.0.first().and_then(has);
        let others = self.0[1..].iter().filter_map(has).filter(|(_, other)| fits(*other));
        own.filter(|(_, own)| says_something(*own))
            .or_else(|| others.clone().find(|(_, other)| says_something(*other)))
            .or(own)
            .or_else(|| others.clone().next())
    }

    /// Counts those among the `fields` that are not read, although they say something.
    pub fn unread(&self, fields: &[Field], unread: &mut UnreadParts) {
        let is_home = |field: &&Field| !field.known && self.0.contains(&field.name.as_str());
        let says = |field: &&Field| !NOTHING.contains(&field.content.as_str());
        for field in fields.iter().filter(is_home).filter(says) {
            unread.add(field.name.clone(), 1);
        }
    }
}

/// Values that say nothing.
const NOTHING: [&str; 4] = ["null", "", "[]", "{}"];

pub fn says_something(value: Value<'_>) -> bool {
    !NOTHING.contains(&value.raw()) && !value.is_text("")
}
