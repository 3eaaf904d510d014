//! The outside world: files on disk, read, found and safely written.
//!
//! Layers below know bytes; this one knows paths, permissions and what can go wrong with them.

mod companions;
mod disk;
mod fs;
mod open;
mod save;
mod walk;

pub use companions::{Companions, companions};
pub use disk::{DiskFile, Identity};
pub use fs::{Fs, RealFs};
pub use open::{OpenError, Opened, open, open_source};
pub use save::{SaveError, Saved, save, save_as};
pub use walk::{Found, find_files};
