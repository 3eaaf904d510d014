//! `turnwise merge`: the changes of two copies of a corpus file in one.

mod check;
mod driver;

pub use driver::{DriverArguments, run_driver};

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::conflicts::{Conflicts, OpenConflicts};
use super::copies::{open_base, open_mergeable};
use super::errors::{complain, file_error};
use super::options::InputOptions;
use super::output::{report_save_error, tell_doubt};
use super::printer::Printer;
use super::style::{self, shown};
use crate::compare::{MergeError, MergedFile, Side, merge_files};
use crate::shell::{RealFs, UserFolders, conflicts_of, save_like};
use crate::text::counted;

/// Merge the changes of two copies of a corpus file into one file
///
/// OURS is written with the changes from BASE to THEIRS: segments, votes, acts, states, calls and texts that only
/// THEIRS has changed. Spans move with changed texts. Where both have changed the same thing, OURS stays, and the
/// conflict is listed in OUT.conflicts.jsonl. The result is as valid as the copies: a broken line of THEIRS stays out.
///
/// Exit code: 0 no conflicts, 1 there are conflicts, 2 a file could not be read or written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise merge base.json mine.json hers.json -o merged.json\n  turnwise merge main:log.json log.json other:log.json -o log.json\n  turnwise merged.json"
)]
pub struct Arguments {
    /// The file from which both copies come, or REV:PATH; an empty file if there is none
    #[arg(required_unless_present = "check")]
    base: Option<PathBuf>,
    /// The copy whose form and whose side of conflicts is kept, or REV:PATH
    #[arg(required_unless_present = "check")]
    ours: Option<PathBuf>,
    /// The copy whose changes are taken, or REV:PATH
    #[arg(required_unless_present = "check")]
    theirs: Option<PathBuf>,
    /// The file to write, which may be one of the copies
    #[arg(short, long, value_name = "OUT", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// Report files that the merge commit REV has merged wrongly; needs no settings of git
    #[arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = "HEAD", conflicts_with_all = ["base", "output"])]
    check: Option<String>,
    #[command(flatten)]
    decided: DecidedOption,
    /// Decide the conflicts on the screen
    #[arg(long, conflicts_with_all = ["ours_win", "theirs_win", "union"])]
    review: bool,
    #[command(flatten)]
    input: InputOptions,
}

/// The flags that decide conflicts.
#[derive(clap::Args)]
struct DecidedOption {
    /// Take the side of OURS in conflicts, and list none
    #[arg(long = "ours", conflicts_with_all = ["theirs_win", "union"])]
    ours_win: bool,
    /// Take the side of THEIRS in conflicts, and list none
    #[arg(long = "theirs", conflicts_with = "union")]
    theirs_win: bool,
    /// Keep what both sides have added; in other conflicts take the side of OURS
    #[arg(long)]
    union: bool,
}

impl DecidedOption {
    /// Returns the side of all conflicts; None if they are listed.
    fn side(&self) -> Option<Side> {
        match (self.ours_win, self.theirs_win, self.union) {
            (true, ..) => Some(Side::Ours),
            (_, true, _) => Some(Side::Theirs),
            (.., true) => Some(Side::Both),
            _ => None,
        }
    }
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    if let Some(revision) = &arguments.check {
        return check::check(revision, &arguments.input, out);
    }
    let paths = (&arguments.base, &arguments.ours, &arguments.theirs, &arguments.output);
    let (Some(base), Some(ours_path), Some(theirs_path), Some(path)) = paths else {
        return Ok(CommandOutcome::Unusable);
    };
    if is_same_file(path, theirs_path) && conflicts_of(path).exists() {
        let why = "it has open conflicts, which a merge into it would lose unless it is OURS";
        file_error(path, &why);
        return Ok(CommandOutcome::Unusable);
    }
    let mut outcome = CommandOutcome::Clean;
    let base = open_base(base, &arguments.input, &mut outcome);
    let mut open = |path, hash| open_mergeable(path, &arguments.input, hash, &mut outcome);
    let (ours, theirs) = (open(ours_path, true), open(theirs_path, false));
    let (Some(base), Some(mut ours), Some(mut theirs)) = (base, ours, theirs) else {
        return Ok(CommandOutcome::Unusable);
    };
    if outcome == CommandOutcome::Unusable {
        return Ok(outcome);
    }
    // Those of another file go with it.
    let is_ours = is_same_file(path, ours_path);
    let open = match OpenConflicts::beside(path, &ours) {
        Ok(open) => is_ours.then_some(open),
        Err(why) => {
            complain(format_args!("{why}"));
            return Ok(CommandOutcome::Unusable);
        }
    };
    let merged = match merge_files(&base, &mut ours, &mut theirs, arguments.decided.side()) {
        Ok(merged) => merged,
        Err(error) => {
            let path = match &error {
                MergeError::Unrelated(Side::Theirs) => theirs_path,
                _ => ours_path,
            };
            file_error(path, &error);
            return Ok(CommandOutcome::Unusable);
        }
    };
    let summary = summary(&merged);
    let conflicts =
        Conflicts::of(merged, path, ours_path).and_open(open.unwrap_or_default(), &ours);
    let list_first = |hash| conflicts.write_first(hash);
    let state = UserFolders::find().state;
    let saved = match save_like(&RealFs, &ours, ours_path, path, state.as_deref(), &list_first) {
        Ok(saved) => saved,
        Err(error) => {
            report_save_error(path, &error);
            return Ok(CommandOutcome::Unusable);
        }
    };
    tell_doubt(path, "written", &saved);
    let place = out.style(style::PLACE);
    writeln!(out, "{place}{}{place:#}: {summary}", shown(path))?;
    let conflicts = conflicts.of_hash(saved.hash);
    let earlier = conflicts.lines.len() - conflicts.count_of(saved.hash);
    if earlier > 0 {
        complain(format_args!(
            "{}: {} of an earlier merge still listed; the file has changed since then",
            shown(path),
            counted(earlier, "conflict")
        ));
    }
    report(arguments, &conflicts, out)
}

/// Returns what a merge has done, in short.
fn summary(merged: &MergedFile) -> String {
    format!(
        "{} changed, {} added, {} removed, {}{}",
        counted(merged.changed, "dialog"),
        merged.added,
        merged.removed,
        counted(merged.conflicts.len(), "conflict"),
        if merged.beside { "; members beside the dialogs changed" } else { "" },
    )
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(Path::canonicalize);
    one.is_ok_and(|one| other.is_ok_and(|other| one == other))
}

/// Lists the conflicts.
fn report(
    arguments: &Arguments,
    conflicts: &Conflicts,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    if !conflicts.write() {
        return Ok(CommandOutcome::Unusable);
    }
    if conflicts.lines.is_empty() {
        return Ok(CommandOutcome::Clean);
    }
    for line in conflicts.told() {
        writeln!(out, "  {line}")?;
    }
    if arguments.review {
        out.flush()?;
        return conflicts.review(&arguments.input.family, out);
    }
    writeln!(out, "decide them with: {}", conflicts.command())?;
    Ok(CommandOutcome::Issues)
}
