//! The terminal: writes frames, reads keys and the mouse, and handles the system's signals.

mod backend;
pub(super) mod event;
pub(super) mod input;
mod pager;
pub(super) mod screen;
pub(super) mod signals;
pub(super) mod themed_screen;

pub use backend::{FrameBackend, hold_columns};
pub use pager::page;
pub use signals::outlive_file_limits;
pub use themed_screen::ThemeState;
