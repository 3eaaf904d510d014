//! Under which ids one may judge.

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
        _ => Ok(()),
    }
}
