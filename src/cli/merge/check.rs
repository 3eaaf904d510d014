//! `turnwise merge --check`: finds merges in git that came out wrong, such as those of clones without the driver.

use std::io::{self, Write as _};
use std::path::PathBuf;

use crate::cli::CommandOutcome;
use crate::cli::copies::{open_base, open_mergeable};
use crate::cli::edit_diff::print_changes;
use crate::cli::errors::{Ended, OrStop as _, complain, file_error};
use crate::cli::options::InputOptions;
use crate::cli::printer::Printer;
use crate::cli::style::{self, shown};
use crate::compare::{
    ChangedDialog, FileConflict, file_differences, judgement_differences, merge_files,
};
use crate::corpus::CorpusFile;
use crate::dialog::{Edit, EditKind};
use crate::shell::{git_output, open_source};
use crate::text::visible;

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
        "{place}{}{place:#}: merged wrongly in {}; -: right, +: as it is",
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
        "repeat it with: turnwise merge {base}:{shown} {ours}:{shown} {theirs}:{shown} -o {shown}"
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
                    let mut sides = [&of.base, &of.ours, &of.theirs].into_iter().flatten();
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
                "the parents of {revision} are not in this shallow clone; `git fetch --unshallow` brings them"
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
