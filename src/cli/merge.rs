//! `turnwise merge`: the changes of two copies of a corpus file in one.

mod in_git;

pub use in_git::{DriverArguments, run_driver};

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::conflicts::{Conflicts, OpenConflicts};
use super::copies::{are_equal, named_files, no_base, open_base, open_mergeable};
use super::edited;
use super::errors::{Ended, OrStop as _, Stop, complain, file_error};
use super::options::InputOptions;
use super::output::{blocked_by_file, goals_exist, is_below, report_nothing_written, same_file};
use super::printer::Printer;
use super::style::{self, shown};
use crate::compare::{MergeError, MergedFile, Side, merge_files};
use crate::corpus::CorpusFile;
use crate::judging::FILE;
use crate::shell::{Expect, PROJECT, STDIN, Save, SaveError, SaveReport, conflicts_of};
use crate::text::{counted, grouped};

/// Merge the changes of two copies of a corpus into one
///
/// OURS is written with the changes from BASE to THEIRS: segments, votes, acts, states, calls and texts that only
/// THEIRS has changed. Spans move with changed texts. Where both have changed the same thing, OURS stays, and the
/// conflict is listed in OUT.conflicts.jsonl. The result is as valid as the copies: a broken line of THEIRS stays out.
///
/// Two copies need no BASE: then everything that only one of them has is in the result, such as the votes of each.
/// Any number of copies are merged with `--no-base`, one after the other into the first. Folders are merged file by file,
/// by name; a file that only one copy has is taken from there.
///
/// Exit code: 0 no conflicts, 1 there are conflicts, 2 a file could not be read or written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise merge base.json mine.json hers.json -o merged.json\n  turnwise merge main:log.json log.json other:log.json -o log.json\n  turnwise merge logs-mk/ logs-js/ -o logs/\n  turnwise merge --no-base logs-mk/ logs-js/ logs-li/ -o logs/\n  turnwise merged.json"
)]
pub struct Arguments {
    /// BASE is the file or folder that both copies come from. OURS keeps its formatting and wins
    /// conflicts; changes from THEIRS are added. Each path may be REV:PATH; BASE may be an empty
    /// file
    #[arg(value_names = ["BASE", "OURS", "THEIRS"], num_args = 1.., required_unless_present = "check")]
    copies: Vec<PathBuf>,
    /// All paths are copies; the first is OURS, and there is no BASE
    #[arg(long, conflicts_with = "check")]
    no_base: bool,
    /// The file or folder to write, which may be one of the copies; an existing file is replaced
    #[arg(short, long, value_name = "OUT", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// Replace files in an output folder that is not one of the copies
    #[arg(long)]
    overwrite: bool,
    /// Report the files that the merge commit REV merged wrongly; REV is HEAD by default
    #[arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = "HEAD", conflicts_with_all = ["copies", "output"])]
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
    /// Take the side of OURS in conflicts, and list no conflicts
    #[arg(long = "ours", conflicts_with_all = ["theirs_win", "union"])]
    ours_win: bool,
    /// Take the side of THEIRS in conflicts, and list no conflicts
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

/// A file to write, and what is merged in it.
struct Merge {
    base: Option<PathBuf>,
    /// At least one: the copies that there are.
    copies: Vec<PathBuf>,
    to: PathBuf,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    if let Some(revision) = &arguments.check {
        return in_git::check(revision, &arguments.input, out);
    }
    let Some(output) = &arguments.output else {
        return Ok(CommandOutcome::Unusable);
    };
    let merges = planned(arguments, output).or_stop()?;
    // What is written is a copy for the next step: one that is merged later would be lost.
    let is_lost = |merge: &&Merge| merge.copies.iter().skip(2).any(|at| same_file(at, &merge.to));
    if let Some(Merge { to, .. }) = merges.iter().find(is_lost) {
        file_error(to, &"OUT may be one of the first two copies, not a later one");
        report_nothing_written();
        return Ok(CommandOutcome::Unusable);
    }
    // Several files, or several copies of one, are written one after the other: first all of them are read.
    let is_one = merges.len() == 1 && merges[0].copies.len() < 3;
    if !is_one && !merges.iter().all(|merge| merge.is_readable(&arguments.input)) {
        report_nothing_written();
        return Ok(CommandOutcome::Unusable);
    }
    let is_folder = merges.iter().any(|merge| merge.to != *output);
    let is_copy = |merge: &Merge| {
        let mut copies = merge.copies.iter().chain(&merge.base);
        copies.any(|copy| same_file(copy, &merge.to))
    };
    let new = merges.iter().filter(|merge| !is_copy(merge)).map(|merge| merge.to.as_path());
    if is_folder && (blocked_by_file(output) || !arguments.overwrite && goals_exist(new)) {
        report_nothing_written();
        return Ok(CommandOutcome::Unusable);
    }
    let mut merged = Merged::default();
    for merge in &merges {
        let folder = merge.to.parent().filter(|_| is_folder);
        if let Some(Err(error)) = folder.map(std::fs::create_dir_all) {
            file_error(&merge.to, &error);
            merged.outcome = CommandOutcome::Unusable;
            break;
        }
        merged.add(&merge.run(arguments, out)?);
    }
    if is_folder {
        let place = out.style(style::PLACE);
        let files = counted(merged.files, "file");
        let alone = match merged.alone {
            0 => String::new(),
            alone => format!(" ({} that only one copy has)", grouped(alone)),
        };
        let said = merged.said();
        writeln!(out, "{place}{}{place:#}: {files} written{alone}, {said}", shown(output))?;
        note_left_out(&arguments.copies, output);
    }
    Ok(merged.outcome)
}

/// Names the questions and settings of the copies that the output has not, as they are not corpora.
fn note_left_out(copies: &[PathBuf], output: &Path) {
    for name in [FILE, PROJECT].into_iter().filter(|name| !output.join(name).exists()) {
        if let Some(path) = copies.iter().map(|copy| copy.join(name)).find(|path| path.exists()) {
            let output = shown(output);
            file_error(
                &path,
                &format_args!("it is not merged; copy it to {output} if it belongs there"),
            );
        }
    }
}

/// Returns the files to write.
///
/// # Errors
/// If it is not clear what to merge, or a file would be lost.
fn planned(arguments: &Arguments, output: &Path) -> Result<Vec<Merge>, String> {
    let paths = &arguments.copies;
    if paths.iter().any(|path| path == Path::new(STDIN)) {
        return Err("standard input is not a copy; give files or folders".to_owned());
    }
    let (base, copies) = match paths.as_slice() {
        [] | [_] => return Err("a merge needs two copies".to_owned()),
        copies if arguments.no_base || copies.len() == 2 => (None, copies),
        [base, copies @ ..] if copies.len() == 2 => (Some(base), copies),
        _ => {
            return Err(
                "there are more paths than BASE, OURS and THEIRS; use --no-base to merge copies without a base"
                    .to_owned(),
            );
        }
    };
    let mut outcome = CommandOutcome::Clean;
    let Some(named) = named_files(paths, &arguments.input, &mut outcome) else {
        if let Some(folder) = paths.iter().find(|path| path.is_dir()) {
            return Err(format!("{}: it is a folder, but another copy is not", shown(folder)));
        }
        let (base, copies) = (base.cloned(), copies.to_vec());
        return Ok(vec![Merge { base, copies, to: output.to_owned() }]);
    };
    if outcome == CommandOutcome::Unusable {
        return Err("nothing was written".to_owned());
    }
    let is_output = |path: &PathBuf| {
        let folder = paths.iter().find(|folder| path.starts_with(folder));
        is_below(path, folder.map(PathBuf::as_path), output)
    };
    let mut merges = Vec::new();
    for mut file in named {
        let in_copies = file.paths.split_off(paths.len() - copies.len());
        let copies: Vec<_> = in_copies.into_iter().flatten().filter(|at| !is_output(at)).collect();
        if !copies.is_empty() {
            let base = file.paths.pop().flatten();
            merges.push(Merge { base, copies, to: output.join(file.name) });
        }
    }
    if merges.is_empty() {
        return Err(format!("no corpora in {}", shown(&copies[0])));
    }
    Ok(merges)
}

impl Merge {
    /// True if all copies can be read; reports why not.
    fn is_readable(&self, input: &InputOptions) -> bool {
        let mut outcome = CommandOutcome::Clean;
        let base = self.base.as_deref();
        let has_base = base.is_none_or(|base| open_base(base, input, &mut outcome).is_some());
        let copies = self.copies.iter();
        let unread =
            copies.filter(|path| open_mergeable(path, input, false, &mut outcome).is_none());
        unread.count() == 0 && has_base && outcome != CommandOutcome::Unusable
    }

    /// Merges the copies one after the other into the first; what is written is the copy for the next.
    fn run(&self, arguments: &Arguments, out: &mut Printer) -> Result<Merged, Stop> {
        let [ours, others @ ..] = self.copies.as_slice() else {
            return Ok(Merged::default());
        };
        let mut merged = Merged::default();
        let is_there = same_file(ours, &self.to);
        if let Some(base) = self.base.as_deref().filter(|_| others.is_empty()) {
            let is_same = are_equal([base, ours]);
            let other = if is_same { "" } else { ", and the other copy has changed it" };
            let why = format!("one copy has removed this file{other}");
            if is_same && !is_there {
                file_error(&self.to, &format_args!("left out: {why}"));
                return Ok(merged);
            }
            file_error(&self.to, &format_args!("kept: {why}"));
            merged.outcome = CommandOutcome::Issues;
        }
        if others.is_empty() && !is_there {
            merged.add(&self.copy_alone(ours, arguments));
            return Ok(merged);
        }
        let mut ours = ours.as_path();
        for theirs in others {
            let step = Step { base: self.base.as_deref(), ours, theirs, to: &self.to };
            merged.add(&step.run(arguments, out)?);
            if merged.outcome == CommandOutcome::Unusable {
                break;
            }
            ours = &self.to;
        }
        merged.files = usize::from(merged.outcome != CommandOutcome::Unusable);
        Ok(merged)
    }

    /// Writes a file that only one copy has.
    fn copy_alone(&self, path: &Path, arguments: &Arguments) -> Merged {
        let mut outcome = CommandOutcome::Clean;
        let file = open_mergeable(path, &arguments.input, true, &mut outcome);
        let saved = file.map(|file| save_to(&file, path, &self.to, &|_| Ok(())));
        match saved {
            Some(Some(_)) => Merged { files: 1, alone: 1, ..Merged::default() },
            _ => Merged::unusable(),
        }
    }
}

/// Saves a merged file that is like another; None, with a report, if that fails.
fn save_to(
    file: &CorpusFile,
    like: &Path,
    to: &Path,
    ready: &dyn Fn(u128) -> Result<(), SaveError>,
) -> Option<SaveReport> {
    edited::put(&Save { like: Some(like), ready, ..Save::at(to, Expect::now(to)) }, file)
}

/// Sums of what merges have done, and their outcome.
#[derive(Default)]
struct Merged {
    outcome: CommandOutcome,
    files: usize,
    /// Files among these that only one copy has.
    alone: usize,
    changed: usize,
    added: usize,
    removed: usize,
    conflicts: usize,
    is_beside: bool,
}

impl Merged {
    fn unusable() -> Self {
        Self { outcome: CommandOutcome::Unusable, ..Self::default() }
    }

    fn of(found: &MergedFile) -> Self {
        Self {
            changed: found.changed,
            added: found.added,
            removed: found.removed,
            conflicts: found.conflicts.len(),
            is_beside: found.beside,
            ..Self::default()
        }
    }

    fn add(&mut self, other: &Self) {
        self.outcome = self.outcome.max(other.outcome);
        self.files += other.files;
        self.alone += other.alone;
        self.changed += other.changed;
        self.added += other.added;
        self.removed += other.removed;
        self.conflicts += other.conflicts;
        self.is_beside |= other.is_beside;
    }

    fn has_done(&self) -> bool {
        self.changed + self.added + self.removed + self.conflicts > 0 || self.is_beside
    }

    /// In short.
    fn said(&self) -> String {
        format!(
            "{} changed, {} added, {} removed, {}{}",
            counted(self.changed, "dialog"),
            self.added,
            self.removed,
            counted(self.conflicts, "conflict"),
            if self.is_beside { "; data beside the dialogs changed, too" } else { "" },
        )
    }
}

/// The merge of two copies of a file.
struct Step<'a> {
    base: Option<&'a Path>,
    ours: &'a Path,
    theirs: &'a Path,
    to: &'a Path,
}

impl Step<'_> {
    fn run(&self, arguments: &Arguments, out: &mut Printer) -> Result<Merged, Stop> {
        let Self { base, ours: ours_path, theirs: theirs_path, to } = *self;
        if same_file(to, theirs_path) && conflicts_of(to).exists() {
            let why = "this merge would lose the open conflicts of this file; to keep them, give this file as OURS";
            file_error(to, &why);
            return Ok(Merged::unusable());
        }
        let mut outcome = CommandOutcome::Clean;
        let base = match base {
            Some(base) => open_base(base, &arguments.input, &mut outcome),
            None => no_base(ours_path, &arguments.input),
        };
        let mut open = |path, hash| open_mergeable(path, &arguments.input, hash, &mut outcome);
        let (ours, theirs) = (open(ours_path, true), open(theirs_path, false));
        let (Some(base), Some(mut ours), Some(mut theirs)) = (base, ours, theirs) else {
            return Ok(Merged::unusable());
        };
        if outcome == CommandOutcome::Unusable {
            return Ok(Merged::unusable());
        }
        // Those of another file go with it.
        let is_ours = same_file(to, ours_path);
        let open = match OpenConflicts::beside(to, &ours) {
            Ok(open) => is_ours.then_some(open),
            Err(why) => {
                complain(format_args!("{why}"));
                return Ok(Merged::unusable());
            }
        };
        let found = match merge_files(&base, &mut ours, &mut theirs, arguments.decided.side()) {
            Ok(found) => found,
            Err(error) => {
                let is_theirs = matches!(error, MergeError::Unrelated(Side::Theirs));
                file_error(if is_theirs { theirs_path } else { ours_path }, &error);
                return Ok(Merged::unusable());
            }
        };
        let merged = Merged::of(&found);
        let conflicts =
            Conflicts::of(found, to, ours_path).and_open(open.unwrap_or_default(), &ours);
        let list_first = |hash| conflicts.write_first(hash);
        let Some(saved) = save_to(&ours, ours_path, to, &list_first) else {
            return Ok(Merged::unusable());
        };
        if merged.has_done() || arguments.output.as_deref() == Some(to) {
            let place = out.style(style::PLACE);
            writeln!(out, "{place}{}{place:#}: {}", shown(to), merged.said())?;
        }
        let conflicts = conflicts.of_hash(saved.hash);
        let earlier = conflicts.lines.len() - conflicts.count_of(saved.hash);
        if earlier > 0 {
            complain(format_args!(
                "{}: the list still has {} of an earlier merge, although the file has changed since then",
                shown(to),
                counted(earlier, "conflict")
            ));
        }
        Ok(Merged { outcome: report(arguments, &conflicts, out)?, ..merged })
    }
}

/// Lists the conflicts.
fn report(arguments: &Arguments, conflicts: &Conflicts, out: &mut Printer) -> Ended {
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
    writeln!(out, "decide conflicts with: {}", conflicts.command())?;
    Ok(CommandOutcome::Issues)
}
