//! The outside world: the terminal, files on disk, background work and the user's settings.
//!
//! Lower layers know bytes and messages; this one knows paths, permissions, threads and signals, and
//! handles their failures.
//!
//! | folder | purpose | may import |
//! |---|---|---|
//! | `storage` | files on the disk: reading, saving, journals, locks, settings; needs no terminal | |
//! | `terminal` | frames to the terminal, keys and signals from it | `storage` |
//! | `runtime` | the main loop and its background work | both |

mod runtime;
mod storage;
mod terminal;

pub use runtime::{BrowsedFiles, browse, jobs};
pub use storage::*;
pub use terminal::{FrameBackend, ThemeState, hold_columns, outlive_file_limits, page};
