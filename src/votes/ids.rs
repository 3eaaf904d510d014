//! Checks annotator ids.

/// The name that means all annotators where an annotator id is expected.
pub const CROWD: &str = "crowd";

/// Checks whether an annotator may use `id`. Ignores surrounding whitespace.
///
/// # Errors
/// The reason why not.
pub fn may_judge(id: &str) -> Result<(), &'static str> {
    match id.trim() {
        "" => Err("you need an annotator id to judge"),
        CROWD => Err("`crowd` means the votes of all annotators; choose another id"),
        _ => Ok(()),
    }
}
