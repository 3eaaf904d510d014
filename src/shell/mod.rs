//! The outside world: the terminal, files on disk, work in the background, what the user has set.
//!
//! Layers below know bytes and messages; this one knows paths, permissions, threads, signals and what
//! can go wrong with them.

mod access;
mod background;
mod barred;
mod browse;
mod companions;
mod counting;
mod damaged;
mod decoder;
mod demo;
mod difference;
mod disk;
mod fs;
mod input;
mod journal;
mod kept;
mod lock;
mod logs;
mod ontologies;
mod open;
mod outlining;
mod pager;
mod past;
mod pen;
mod private;
mod queue;
mod reading;
mod real_path;
mod rendition;
mod reports;
mod same;
mod save;
mod screen;
mod side_file;
mod stage;
mod system;
mod tty;
mod user;
mod walk;
mod workers;
mod writing;

pub use access::{AccessLoss, OwnerChange};
pub use browse::browse;
pub use companions::{Companions, companions};
pub use demo::{DEMO, demo, is_changed};
pub use disk::{
    DiskFile, Identity, LARGEST_DATA, LARGEST_SETTINGS, as_text, is_there, open_regular,
    read_at_most, read_side_file, read_side_text,
};
pub use fs::{Fs, RealFs, temporary_prefix};
pub use journal::{
    Found as FoundInJournal, Log, Order, What, Writer, journal_of, read as read_journal,
};
pub use logs::find_logs;
pub use ontologies::ontologies_beside;
pub use open::{OpenError, Opened, open, open_source};
pub use pager::page;
pub use past::PastRuns;
pub use same::is_saved_as;
pub use save::{SaveError, Saved, save, save_alone, save_as, save_in_place, save_new, write_new};
pub use side_file::{matched_path, matched_paths, read_side_files};
pub use stage::Looks;
pub use system::outlive_file_limits;
pub use user::{KEYMAPS, Unusable, UserFolders};
pub use walk::{Found, files_of, find_files};
