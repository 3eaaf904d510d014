//! Files on the disk: corpora, journals, locks, and the user's settings.
//!
//! It needs no terminal; the command line uses it too.

pub(super) mod access;
mod assignments;
mod beside;
pub(super) mod clock;
pub(super) mod companions;
mod compressed;
pub(super) mod conflicts;
mod demo;
mod discover;
pub(super) mod disk;
pub(super) mod edit_lock;
pub(super) mod formats;
pub(super) mod fs;
pub(super) mod ignores_file;
pub(super) mod journal;
mod judgement_files;
pub(super) mod known_files;
pub(super) mod leftover_edits;
mod notices;
mod ontologies;
mod open;
pub(super) mod open_files;
pub(super) mod past;
mod paths;
pub(super) mod private;
pub(super) mod read_again;
mod revision;
mod same;
pub(super) mod save;
mod schemes;
pub(super) mod side_file;
mod streamed_file;
pub(super) mod user;
mod versions;
mod vote_logs;
mod zstandard;

pub use access::{AccessLoss, OwnerChange, restrict};
pub use assignments::read_assignments;
pub use beside::{files_in, nearest};
pub use clock::since_1970;
pub use companions::{Companions, companions};
pub use conflicts::{conflicts_of, files_with_conflicts, read_conflicts, write_conflicts};
pub use demo::{DEMO, demo, is_changed, place_in_demo};
pub use discover::{
    ExcludedHere, FoundPath, Origin, STDIN, files_of, find_corpora, find_files, find_files_of,
    has_corpora, leave_out_excluded, leave_out_own, may_be_corpus, read_judgements, read_votes,
};
pub use disk::{
    DiskFile, Identity, LARGEST_DATA, LARGEST_SETTINGS, as_text, is_there, open_regular,
    read_at_most, read_named_file, read_side_file, read_side_text,
};
pub use formats::{FormatFinder, PROJECT, data_set_of, is_description_found, read_format};
pub use fs::{Fs, Readers, RealFs, temporary_prefix};
pub use ignores_file::{matched_path, matched_paths, read_side_files};
pub use journal::{
    Journal, JournalLine, JournalState, JournalText, WriteRequest, Writer, beginning, journal_of,
    read as read_journal,
};
pub use judgement_files::{JudgementFiles, JudgementsHere, LARGEST_JUDGEMENTS, absolute_name};
pub use known_files::KnownFiles;
pub use ontologies::ontologies_beside;
pub use open::{OpenError, OpenedFile, open, open_source, open_with};
pub use open_files::OpenFiles;
pub use past::PastRuns;
pub use paths::{folder_of, side_path};
pub use revision::{at_revision, files_at_revision, git, git_output};
pub use same::{have_same_bytes, is_saved_as};
pub use save::{Content, Expect, Save, SaveError, SaveReport, write_text};
pub use schemes::{add_questions, read_scheme, scheme_beside, scheme_named};
pub use side_file::open_side_file;
pub use streamed_file::StreamedFile;
pub use user::{AUTO, KEYMAPS, SettingsError, UserFolders};
pub use versions::{file_versions, follow_back};
pub use vote_logs::{FoundLogs, find_logs, is_on_another_file};
