//! Tests of `src/view`.

mod colours;
mod theme;
mod theme_contrast;
