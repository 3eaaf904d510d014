//! Under which ids one may judge.

use crate::text::visible;

/// Stands for everybody, where it is asked whose votes are meant.
pub const CROWD: &str = "crowd";

/// Says why nobody can judge under an id, blanks around which are no part of it.
///
/// # Errors
/// If nobody can.
pub fn may_judge(id: &str) -> Result<(), &'static str> {
    match id.trim() {
        "" => Err("nobody can judge without an id"),
        CROWD => Err("`crowd` stands for everybody's votes; take another id"),
        // It would look like another id, or like nothing.
        id if visible(id) != id => Err("an id cannot have characters that nobody can see"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_can_be_seen_and_are_not_everybodys() {
        for id in ["mk", " mk ", "Jörg S.", "判定者", "none"] {
            assert_eq!(may_judge(id), Ok(()), "{id:?}");
        }
        for id in [
            "",
            "  ",
            "crowd",
            "mk\u{200b}",
            "\u{202e}",
            "a\nb",
            "\u{1b}[31m",
        ] {
            assert!(may_judge(id).is_err(), "{id:?}");
        }
    }
}
