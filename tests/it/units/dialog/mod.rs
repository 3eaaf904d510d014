//! Tests of `src/dialog`.

mod apply;
mod apply_text;
mod edit_context;
mod judgement;
mod places;
mod tag;
mod text_preview;
mod value;
