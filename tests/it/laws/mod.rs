//! What holds for every file, whatever its format.

mod invisible;
