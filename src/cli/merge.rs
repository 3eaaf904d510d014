//! `turnwise merge`: the changes of two copies of a corpus file in one.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::copies::open_copy;
use super::errors::file_error;
use super::options::InputOptions;
use super::output::{report_save_error, tell_doubt};
use super::printer::Printer;
use super::style::{self, shown};
use crate::compare::{ConflictLine, MergedFile, Side, merge_files};
use crate::shell::{RealFs, save_like, write_new};
use crate::text::{counted, visible};

/// Merge the changes of two copies of a corpus file into one file
///
/// OURS is written with the changes from BASE to THEIRS: segments, votes, acts, states, calls and texts that only
/// THEIRS has changed. Spans move with changed texts. Where both have changed the same thing, OURS stays, and the
/// conflict is listed in OUT.conflicts.jsonl. The result is always valid JSON.
///
/// Exit code: 0 no conflicts, 1 there are conflicts, 2 a file could not be read or written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise merge base.json mine.json hers.json -o merged.json\n  turnwise merge main:log.json log.json other:log.json -o log.json\n  turnwise merged.json --suggestions merged.json.conflicts.jsonl"
)]
pub struct Arguments {
    /// The file from which both copies come, or REV:PATH
    base: PathBuf,
    /// The copy whose form and whose side of conflicts is kept, or REV:PATH
    ours: PathBuf,
    /// The copy whose changes are taken, or REV:PATH
    theirs: PathBuf,
    /// The file to write, which may be one of the copies
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Take the side of OURS in conflicts, and list none
    #[arg(long = "ours", conflicts_with_all = ["theirs_win", "union"])]
    ours_win: bool,
    /// Take the side of THEIRS in conflicts, where edits can say it
    #[arg(long = "theirs", conflicts_with = "union")]
    theirs_win: bool,
    /// Keep what both sides have added; in other conflicts take the side of OURS
    #[arg(long)]
    union: bool,
    #[command(flatten)]
    input: InputOptions,
}

impl Arguments {
    /// Returns the side of all conflicts; None if they are listed.
    fn decided(&self) -> Option<Side> {
        match (self.ours_win, self.theirs_win, self.union) {
            (true, ..) => Some(Side::Ours),
            (_, true, _) => Some(Side::Theirs),
            (.., true) => Some(Side::Both),
            _ => None,
        }
    }
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let mut outcome = CommandOutcome::Clean;
    let mut open = |path, hash| open_copy(path, &arguments.input, hash, &mut outcome);
    let base = open(&arguments.base, false);
    let ours = open(&arguments.ours, true);
    let theirs = open(&arguments.theirs, false);
    let (Some(base), Some(mut ours), Some(theirs)) = (base, ours, theirs) else {
        return Ok(CommandOutcome::Unusable);
    };
    if outcome == CommandOutcome::Unusable {
        return Ok(outcome);
    }
    let merged = match merge_files(&base, &mut ours, &theirs, arguments.decided()) {
        Ok(merged) => merged,
        Err(error) => {
            file_error(&arguments.ours, &error);
            return Ok(CommandOutcome::Unusable);
        }
    };
    let path = &arguments.output;
    match save_like(&RealFs, &ours, &arguments.ours, path) {
        Ok(report) => tell_doubt(path, "written", &report),
        Err(error) => {
            report_save_error(path, &error);
            return Ok(CommandOutcome::Unusable);
        }
    }
    report(arguments, merged, out)
}

/// Lists the conflicts, and says what was merged.
fn report(
    arguments: &Arguments,
    merged: MergedFile,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    let path = &arguments.output;
    let conflicts = merged.conflicts.into_iter().map(ConflictLine::from);
    let conflicts: Vec<_> = conflicts.collect();
    let place = out.style(style::PLACE);
    writeln!(
        out,
        "{place}{}{place:#}: {} changed, {} added, {} removed, {}",
        shown(path),
        counted(merged.changed, "dialog"),
        merged.added,
        merged.removed,
        counted(conflicts.len(), "conflict"),
    )?;
    let list = list_of(path);
    if conflicts.is_empty() {
        return match std::fs::remove_file(&list) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                file_error(&list, &error);
                Ok(CommandOutcome::Unusable)
            }
            _ => Ok(CommandOutcome::Clean),
        };
    }
    let mut lines = String::new();
    for conflict in &conflicts {
        let number = conflict
            .dialog
            .map_or(String::new(), |dialog| format!(" {dialog}"));
        let turn = conflict
            .turn
            .map_or(String::new(), |turn| format!(", turn {turn}"));
        let id = visible(&conflict.dialog_id);
        let (kind, said) = (&conflict.conflict, conflict.said());
        writeln!(
            out,
            "  dialog{number} {id}{turn}, {kind}: {}",
            visible(&said)
        )?;
        lines += &serde_json::to_string(conflict)?;
        lines.push('\n');
    }
    if let Err(error) = write_new(&RealFs, &list, lines.as_bytes(), true) {
        report_save_error(&list, &error);
        return Ok(CommandOutcome::Unusable);
    }
    let (path, list) = (shown(path), shown(&list));
    writeln!(
        out,
        "decide them with: turnwise {path} --suggestions {list}"
    )?;
    Ok(CommandOutcome::Issues)
}

/// Returns the file that lists the conflicts of a merged file.
fn list_of(path: &Path) -> PathBuf {
    let mut name: OsString = path.into();
    name.push(".conflicts.jsonl");
    name.into()
}
