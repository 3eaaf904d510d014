//! Merges of git: `turnwise merge-driver` merges a file as git asks for it, `turnwise merge --check` finds merges that came
//! out wrong, such as those of clones without the driver.
//!
//! Git passes the names of three temporary files without extension, and takes the result from the second one. An exit
//! code of 1 means conflicts; above 128 the whole merge would fail. Files that are not corpora are merged as text, as
//! git itself does.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::cli::CommandOutcome;
use crate::cli::conflicts::{Conflicts, OpenConflicts};
use crate::cli::copies::{open_base, open_mergeable, open_named};
use crate::cli::edited::print_changes;
use crate::cli::errors::{Ended, OrStop as _, complain, file_error};
use crate::cli::options::InputOptions;
use crate::cli::output::report_save_error;
use crate::cli::printer::Printer;
use crate::cli::style::{self, shown};
use crate::compare::{
    ChangedDialog, FileConflict, Side, file_differences, judgement_differences, merge_files,
};
use crate::corpus::{Contents, CorpusFile, explain, hash_without_returns};
use crate::dialog::{Edit, EditKind};
use crate::shell::{Content, DiskFile, Expect, RealFs, Save, git, git_output, open_source};
use crate::text::{counted, visible};

/// A merge in git, by the names of its commits.
struct MadeMerge {
    merge: String,
    base: String,
    ours: String,
    theirs: String,
}

/// Compares the merge `revision` with one by what dialogs say, file by file. Where there are conflicts, people have
/// decided: changes of the same things are left out.
pub fn check(revision: &str, input: &InputOptions, out: &mut Printer) -> Ended {
    let Some(merge) = made(revision).or_stop()? else {
        complain(format_args!("{revision} is not a merge of two commits"));
        return Ok(CommandOutcome::Clean);
    };
    let mut outcome = CommandOutcome::Clean;
    for file in merged_files(&merge).or_stop()? {
        outcome = outcome.max(check_file(&merge, &file, input, out)?);
    }
    Ok(outcome)
}

fn check_file(merge: &MadeMerge, file: &str, input: &InputOptions, out: &mut Printer) -> Ended {
    let mut outcome = CommandOutcome::Clean;
    let named = |revision: &str| PathBuf::from(format!("{revision}:{file}"));
    let base = open_base(&named(&merge.base), input, &mut outcome);
    let mut open = |revision: &str| open_mergeable(&named(revision), input, false, &mut outcome);
    let (ours, theirs, made) = (open(&merge.ours), open(&merge.theirs), open(&merge.merge));
    let copies = (base, ours, theirs, made);
    let (Some(base), Some(mut ours), Some(mut theirs), Some(mut made)) = copies else {
        return Ok(outcome);
    };
    if ours.holds_judgements() && theirs.holds_judgements() {
        let whole = |file: &CorpusFile| file.text(0).map_err(io::Error::other);
        let found = merge_files(&base, &mut ours, &mut theirs, None).and_then(|merged| {
            let (right, made) = (whole(&ours)?, whole(&made)?);
            Ok(judgement_differences([&right, &made], &merged.conflicts))
        });
        let found = found.or_stop_at(file.as_ref())?;
        if found.is_empty() {
            return Ok(outcome);
        }
        tell_wrong(merge, file, out)?;
        for [right, made] in found {
            for (sign, line) in [("-", right), ("+", made)] {
                if let Some(line) = line {
                    writeln!(out, "{sign}{}", visible(&line))?;
                }
            }
        }
        tell_repeat(merge, file, out)?;
        return Ok(outcome.max(CommandOutcome::Issues));
    }
    let right = merge_files(&base, &mut ours, &mut theirs, None).and_then(|merged| {
        let mut right = written(&ours)?;
        right.read_like(&ours);
        let mut found = file_differences(&mut right, &mut made)?;
        let conflicts = merged.conflicts;
        let is_open = |id: &str| {
            let mut conflicts = conflicts.iter();
            conflicts.any(|of| of.conflict.turn.is_none() && of.dialog.id == id)
        };
        found.changed.retain(|changed| {
            let own = conflicts.iter().filter(|of| of.dialog == changed.dialog);
            let own: Vec<_> = own.collect();
            own.is_empty() || is_wrong(changed, &own)
        });
        found.removed.retain(|dialog| !is_open(&dialog.id));
        found.added.retain(|dialog| !is_open(&dialog.id));
        Ok((right, found))
    });
    let (right, found) = right.or_stop_at(file.as_ref())?;
    if found.is_empty() {
        return Ok(outcome);
    }
    tell_wrong(merge, file, out)?;
    if let Err(error) = print_changes(&right, out)? {
        file_error(file.as_ref(), &error);
    }
    for (what, dialogs) in [("lost", &found.removed), ("there", &found.added)] {
        for dialog in dialogs {
            writeln!(out, "{what}: dialog {}", visible(&dialog.id))?;
        }
    }
    tell_repeat(merge, file, out)?;
    Ok(outcome.max(CommandOutcome::Issues))
}

fn tell_wrong(merge: &MadeMerge, file: &str, out: &mut Printer) -> io::Result<()> {
    let place = out.style(style::PLACE);
    writeln!(
        out,
        "{place}{}{place:#}: merged wrongly in {} (- is correct, + is actual)",
        visible(file),
        merge.merge
    )
}

/// Says how to make the merge again.
fn tell_repeat(merge: &MadeMerge, file: &str, out: &mut Printer) -> io::Result<()> {
    let shown = shown(file.as_ref());
    let MadeMerge { base, ours, theirs, .. } = merge;
    writeln!(
        out,
        "repeat the merge with: turnwise merge {base}:{shown} {ours}:{shown} {theirs}:{shown} -o {shown}"
    )
}

/// True if a dialog differs from a right merge in something else than what is in conflict.
fn is_wrong(changed: &ChangedDialog, conflicts: &[&FileConflict]) -> bool {
    let voter = |edit: &Edit| match edit {
        Edit::CastVote { annotator, .. } | Edit::WithdrawVote { annotator, .. } => {
            Some(format!("{annotator}: "))
        }
        _ => None,
    };
    let is_decided = |edit: &Edit| {
        conflicts.iter().map(|of| &of.conflict).any(|of| {
            let is_of_kind = match of.part {
                "segment" => edit.about() == EditKind::Segments,
                "act" => edit.about() == EditKind::Acts,
                "call" => edit.about() == EditKind::Calls,
                "state" => edit.about() == EditKind::State,
                "vote" => voter(edit).is_some_and(|by| {
                    let mut sides = of.said.as_ref().into_array().into_iter().flatten();
                    sides.any(|said| said.starts_with(&by))
                }),
                // Words carry everything else in their turn along.
                _ => true,
            };
            of.turn.is_none_or(|turn| edit.turn() == turn && is_of_kind)
        })
    };
    !changed.differences.edits.iter().all(is_decided)
}

/// Returns a file as it would be saved.
fn written(file: &CorpusFile) -> io::Result<CorpusFile> {
    let mut bytes = Vec::new();
    file.write_to(&mut bytes)?;
    let formats = file.index().formats.clone();
    open_source(bytes, &formats, false).map_err(io::Error::other)
}

/// Returns the merge at a revision; None if that has not two parents.
fn made(revision: &str) -> Result<Option<MadeMerge>, String> {
    let commits = git_output(&["rev-list", "--parents", "-n", "1", "--end-of-options", revision])?;
    let commits: Vec<&str> = commits.split_whitespace().collect();
    let [merge, ours, theirs] = commits.as_slice() else {
        // A shallow clone leaves parents out that the commit itself names.
        let commit = git_output(&["cat-file", "-p", &format!("{revision}^{{commit}}")])?;
        let parents = commit.lines().take_while(|line| !line.is_empty());
        let parents = parents.filter(|line| line.starts_with("parent "));
        if parents.count() > 1 && commits.len() < 3 {
            return Err(format!(
                "the parents of {revision} are not in this shallow clone; `git fetch --unshallow` fetches them"
            ));
        }
        return Ok(None);
    };
    let short = |commit: &str| git_output(&["rev-parse", "--short", commit]);
    Ok(Some(MadeMerge {
        base: short(&git_output(&["merge-base", ours, theirs])?)?,
        merge: short(merge)?,
        ours: short(ours)?,
        theirs: short(theirs)?,
    }))
}

/// Returns the files that both sides of a merge have changed or added.
fn merged_files(merge: &MadeMerge) -> Result<Vec<String>, String> {
    let changed = |side: &str| {
        let range =
            ["diff", "--name-only", "--relative", "--diff-filter=AM", "-z", &merge.base, side];
        git_output(&range)
    };
    let (ours, theirs) = (changed(&merge.ours)?, changed(&merge.theirs)?);
    let ours: Vec<&str> = ours.split('\0').collect();
    let both = theirs.split('\0').filter(|name| !name.is_empty() && ours.contains(name));
    let is_corpus =
        |name: &&str| [".json", ".jsonl", ".ndjson"].iter().any(|end| name.ends_with(end));
    Ok(both.filter(is_corpus).map(str::to_owned).collect())
}

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
pub fn run_driver(arguments: &DriverArguments, _: &mut Printer) -> Ended {
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
            complain(format_args!("decide conflicts with: {}", conflicts.command()));
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
    let kept = kept.map_or(String::new(), |name| format!(", {name}'s side is kept"));
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
