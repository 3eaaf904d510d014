//! Problems: going through them, fixing and ignoring them.

pub mod fix_picker;
pub mod ignoring;
pub mod problem;
pub mod tab;
