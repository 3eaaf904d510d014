//! `turnwise merge-driver`: merges a file as git asks for it.
//!
//! Git passes the names of three temporary files without extension, and takes the result from the second one. An exit
//! code of 1 means conflicts; above 128 the whole merge would fail. Files that are not corpora are merged as text, as
//! git itself does.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::CommandOutcome;
use crate::cli::conflicts::{Conflicts, OpenConflicts};
use crate::cli::copies::open_named;
use crate::cli::errors::{Ended, complain, file_error};
use crate::cli::options::InputOptions;
use crate::cli::output::report_save_error;
use crate::cli::style::shown;
use crate::compare::{Side, merge_files};
use crate::corpus::{Contents, CorpusFile, explain, hash_without_returns};
use crate::shell::{Content, DiskFile, Expect, RealFs, Save, git, git_output};
use crate::text::counted;

/// Merge a file as git's merge driver: %O %A %B %L %P %S %X %Y
///
/// `turnwise git install` sets it up.
#[derive(clap::Args)]
pub struct DriverArguments {
    /// The common ancestor, empty if there is none
    base: PathBuf,
    /// The current version, which becomes the result
    ours: PathBuf,
    /// The other version
    theirs: PathBuf,
    /// The size of conflict markers, for files that are merged as text
    #[arg(default_value_t = 7)]
    marker_size: usize,
    /// The path of the file
    path: Option<PathBuf>,
    /// The names of the ancestor, of the current version and of the other
    names: Vec<OsString>,
}

/// The variable that decides conflicts: `ours`, `theirs` or `union`.
const DECIDED: &str = "TURNWISE_MERGE";

/// Our side's name if git merges several common ancestors into one. Nobody is to decide conflicts of those.
const OF_ANCESTORS: &str = "Temporary merge branch 1";

/// Merges as git asks.
///
/// # Errors
/// If standard output cannot be written.
pub fn run_driver(arguments: &DriverArguments) -> Ended {
    let name = arguments.path.as_deref().unwrap_or(&arguments.ours);
    let open = |path: &Path, hash| open_named(path, name, &InputOptions::default(), hash);
    let copies =
        (open(&arguments.base, false), open(&arguments.ours, true), open(&arguments.theirs, false));
    let (Ok(base), Ok(mut ours), Ok(mut theirs)) = copies else {
        return as_text(arguments);
    };
    if let Some(why) = unmergeable(&base, &ours, &theirs) {
        if [&base, &ours, &theirs].into_iter().any(is_corpus) {
            file_error(name, &format_args!("merged as text, because {why}"));
        }
        return as_text(arguments);
    }
    let decided = match env::var(DECIDED).as_deref() {
        Ok("ours") => Some(Side::Ours),
        Ok("theirs") => Some(Side::Theirs),
        Ok("union") => Some(Side::Both),
        _ => None,
    };
    let is_kept = is_for_work_tree(name, &ours);
    let open = match OpenConflicts::of_copy(name, &ours) {
        Ok(open) => open,
        Err(why) if is_kept => {
            complain(format_args!("{why}"));
            return as_text(arguments);
        }
        Err(_) => OpenConflicts::default(),
    };
    let merged = match merge_files(&base, &mut ours, &mut theirs, decided) {
        Ok(merged) => merged,
        Err(error) => {
            file_error(name, &error);
            return as_text(arguments);
        }
    };
    let save = Save::at(&arguments.ours, Expect::now(&arguments.ours));
    let saved = match save.put(&RealFs, Content::Corpus(&ours)) {
        Ok(saved) => saved,
        Err(error) => {
            report_save_error(name, &error);
            return Ok(CommandOutcome::Issues);
        }
    };
    // Those that are still open from an earlier merge stay listed, but do not make this one fail: they may be of one that
    // was taken back.
    let is_clean = merged.conflicts.is_empty();
    let conflicts = Conflicts::of(merged, name, name).and_open(open, &ours).of_hash(saved.hash);
    let ours = match arguments.names.as_slice() {
        [_, ours, _] => Some(ours.to_string_lossy()),
        _ => None,
    };
    let outcome = if is_clean { CommandOutcome::Clean } else { CommandOutcome::Issues };
    if ours.as_deref() == Some(OF_ANCESTORS) {
        return Ok(outcome);
    }
    if is_kept && !conflicts.write() {
        return Ok(CommandOutcome::Issues);
    }
    if !conflicts.lines.is_empty() {
        report(&conflicts, name, ours.as_deref());
        if is_kept {
            complain(format_args!("decide them with: {}", conflicts.command()));
        }
    }
    Ok(outcome)
}

/// True if the merged file is to be the one of this name in the work tree. Git also merges to look back, as for
/// `log --remerge-diff`, and ahead, as for `merge-tree`: it does not lock its index for that. In the end it leaves a file
/// alone that has changes of its own. One that is not there gets its name from this merge.
fn is_for_work_tree(name: &Path, ours: &CorpusFile) -> bool {
    let index = git_output(&["rev-parse", "--git-path", "index"]);
    let is_locked = index.is_ok_and(|index| Path::new(&format!("{index}.lock")).exists());
    is_locked
        && match DiskFile::open(name) {
            Ok(there) => {
                // Git may have added carriage returns there.
                let hashes = (hash_without_returns(&there), hash_without_returns(ours.source()));
                matches!(hashes, (Ok(there), Ok(ours)) if there == ours)
            }
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
}

/// Tells the conflicts, and whose side the file has in them, if git says.
fn report(conflicts: &Conflicts, name: &Path, kept: Option<&str>) {
    let kept = kept.map_or(String::new(), |name| format!(", {name} is kept there"));
    let count = counted(conflicts.lines.len(), "conflict");
    complain(format_args!("{}: {count}{kept}", shown(name)));
    for line in conflicts.told() {
        complain(format_args!("  {line}"));
    }
}

/// Returns the reason why copies are not merged dialog by dialog; None if they are. The base may have no dialogs.
fn unmergeable(base: &CorpusFile, ours: &CorpusFile, theirs: &CorpusFile) -> Option<String> {
    let is_there = |file: &CorpusFile| is_corpus(file) || explain::is_empty(file);
    let unread = if !is_there(base) {
        ("the base", base)
    } else if !is_corpus(ours) {
        ("ours", ours)
    } else if !is_corpus(theirs) {
        ("theirs", theirs)
    } else if ours.holds_judgements() != theirs.holds_judgements() {
        return Some("only one of the copies holds judgements".to_owned());
    } else {
        return None;
    };
    let (copy, file) = unread;
    let why = explain::no_dialogs(file);
    let why = why.unwrap_or_else(|| "it cannot be read".to_owned());
    Some(format!("{copy}: {why}"))
}

fn is_corpus(file: &CorpusFile) -> bool {
    let index = file.index();
    let has_dialogs = matches!(index.contents, Contents::Dialogs(_)) && index.error.is_none();
    has_dialogs || file.holds_judgements()
}

/// Merges files that are not corpora, as git does.
fn as_text(arguments: &DriverArguments) -> Ended {
    let mut git = git(Path::new("."));
    git.args(["merge-file", "--marker-size"]);
    git.arg(arguments.marker_size.to_string());
    // Git passes the names of the ancestor, of ours and of theirs; merge-file takes those of ours first.
    if let [base, ours, theirs] = arguments.names.as_slice() {
        for name in [ours, base, theirs] {
            git.arg("-L").arg(name);
        }
    }
    git.arg("--");
    git.args([&arguments.ours, &arguments.base, &arguments.theirs]);
    match git.status()?.code() {
        Some(0) => Ok(CommandOutcome::Clean),
        _ => Ok(CommandOutcome::Issues),
    }
}
