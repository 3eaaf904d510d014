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
pub use storage::{
    AUTO, AccessLoss, Companions, Content, DEMO, DiskFile, ExcludedHere, Expect, FormatFinder,
    FoundLogs, FoundPath, Fs, Identity, Journal, JournalLine, JournalOp, JournalState, JournalText,
    JudgementFiles, JudgementsHere, KEYMAPS, KnownFiles, LARGEST_DATA, LARGEST_JUDGEMENTS,
    LARGEST_SETTINGS, NewFile, OpenError, OpenFiles, OpenedFile, Origin, OwnerChange, PROJECT,
    PastRuns, Readers, RealFs, STDIN, Save, SaveError, SaveReport, SettingsError, StreamedFile,
    UserFolders, WriteRequest, Writer, absolute_name, as_text, at_revision, beginning, companions,
    conflicts_of, data_set_of, demo, file_versions, files_at_revision, files_in, files_of,
    files_with_conflicts, find_corpora, find_files, find_files_of, find_logs, folder_of,
    follow_back, git, git_output, have_same_bytes, is_changed, is_description_found,
    is_on_another_file, is_saved_as, is_there, journal_of, leave_out_excluded, leave_out_own,
    matched_path, matched_paths, may_be_corpus, nearest, ontologies_beside, open, open_regular,
    open_side_file, open_source, open_with, place_in_demo, read_assignments, read_at_most,
    read_conflicts, read_format, read_journal, read_judgements, read_named_file, read_scheme,
    read_side_file, read_side_files, read_side_text, read_votes, restrict, scheme_beside,
    scheme_named, side_path, since_1970, temporary_prefix, write_conflicts, write_side_file,
};
pub use terminal::{FrameBackend, ThemeState, hold_columns, outlive_file_limits, page};
