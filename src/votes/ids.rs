//! Checks annotator ids.

use crate::dialog::GOLD;
use crate::text::visible;

/// The beginning of the ids of models.
pub const MODEL: &str = "model:";

/// The name that means all annotators where an annotator id is expected.
pub const CROWD: &str = "crowd";

/// The most characters of an annotator id that a user chooses.
const LONGEST: usize = 64;

/// Checks whether an annotator may use `id`. Ignores surrounding whitespace.
///
/// # Errors
/// The reason why not.
pub fn may_judge(id: &str) -> Result<(), &'static str> {
    match id.trim() {
        "" => Err("you need an annotator id to judge"),
        CROWD => Err("`crowd` means the votes of all annotators; choose another id"),
        GOLD => Err("`gold` means the answers of an adjudicator; choose another id"),
        id if id.starts_with(MODEL) => {
            Err("ids that begin with `model:` are for models; choose another id")
        }
        // It would be the tag of a note.
        id if id.contains('#') => Err("an annotator id cannot contain `#`, which begins a tag"),
        // It would look like another id, or like nothing.
        id if visible(id) != id => Err("an annotator id cannot contain invisible characters"),
        id if id.chars().count() > LONGEST => Err("an annotator id has at most 64 characters"),
        _ => Ok(()),
    }
}
