//! The outside world: the terminal, files on disk, background work and the user's settings.
//!
//! Lower layers know bytes and messages; this one knows paths, permissions, threads and signals, and
//! handles their failures.

mod access;
mod ansi;
mod background;
mod browse;
mod build_queue;
mod companions;
mod count_votes;
mod damaged;
mod decoder;
mod demo;
mod discover;
mod disk;
mod edit_lock;
mod frame_diff;
mod fs;
mod ignores_file;
mod input;
mod journal;
mod leftover_edits;
mod loading;
mod messages;
mod ontologies;
mod open;
mod pager;
mod past;
mod private;
mod read_only;
mod real_path;
mod same;
mod save;
mod save_job;
mod screen;
mod sgr;
mod signals;
mod summarizing;
mod themed_screen;
mod tty;
mod user;
mod vote_logs;
mod workers;

pub use access::{AccessLoss, OwnerChange};
pub use browse::browse;
pub use companions::{Companions, companions};
pub use demo::{DEMO, demo, is_changed};
pub use discover::{FoundPath, files_of, find_files};
pub use disk::{
    DiskFile, Identity, LARGEST_DATA, LARGEST_SETTINGS, as_text, is_there, open_regular,
    read_at_most, read_named_file, read_side_file, read_side_text,
};
pub use fs::{Fs, RealFs, temporary_prefix};
pub use ignores_file::{matched_path, matched_paths, read_side_files};
pub use journal::{
    Journal, JournalOp, JournalState, WriteRequest, Writer, journal_of, read as read_journal,
};
pub use ontologies::ontologies_beside;
pub use open::{OpenError, OpenedFile, open, open_source};
pub use pager::page;
pub use past::PastRuns;
pub use same::is_saved_as;
pub use save::{
    SaveError, SaveReport, save, save_alone, save_as, save_in_place, save_new, write_new,
};
pub use signals::outlive_file_limits;
pub use themed_screen::ThemeState;
pub use user::{KEYMAPS, SettingsError, UserFolders};
pub use vote_logs::find_logs;
