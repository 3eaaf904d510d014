//! `turnwise compare --review`: the differences of a copy, decided one by one into a third file.

use std::io::Write as _;
use std::path::Path;

use super::Arguments;
use crate::cli::CommandOutcome;
use crate::cli::conflicts::Conflicts;
use crate::cli::copies::open_copy;
use crate::cli::edited;
use crate::cli::errors::{Ended, OrStop as _, Stop};
use crate::cli::output::same_file;
use crate::cli::printer::Printer;
use crate::cli::style::shown;
use crate::compare::file_choices;
use crate::shell::{Expect, Save, conflicts_of};
use crate::text::counted;

/// Writes the first copy to `output`, with a list of what the second has otherwise, and opens both.
pub fn review(arguments: &Arguments, output: &Path, out: &mut Printer) -> Ended {
    let [one, other] = &arguments.copies[..] else {
        return Err(Stop::say("--review takes two copies"));
    };
    if let Some(folder) = [one, other].into_iter().find(|copy| copy.is_dir()) {
        return Err(Stop::at(folder, "--review takes two files, not folders"));
    }
    let is_first = same_file(one, output);
    if output.exists() && (!is_first || conflicts_of(output).exists()) {
        let what = if is_first { "it has open conflicts" } else { "the file exists" };
        let goes_on = format!("{what}; `turnwise {}` goes on with it", shown(output));
        return Err(Stop::at(output, goes_on));
    }
    let mut outcome = CommandOutcome::Clean;
    let mut open = |path, hash| open_copy(path, &arguments.input, hash, &mut outcome);
    let (Some(mut ours), Some(mut theirs)) = (open(one, true), open(other, false)) else {
        return Ok(CommandOutcome::Unusable);
    };
    if outcome == CommandOutcome::Unusable {
        return Ok(outcome);
    }
    let found = file_choices(&mut ours, &mut theirs).or_stop_at(one)?;
    let mut hash = ours.index().hash;
    if !is_first {
        let save = Save { like: Some(one), ..Save::at(output, Expect::now(output)) };
        let Some(saved) = edited::put(&save, &ours) else {
            return Ok(CommandOutcome::Unusable);
        };
        hash = saved.hash;
    }
    let (alone, lacking) = (found.removed, found.added);
    let conflicts = Conflicts::of(found, output, one).of_hash(hash).between([one, other]);
    if !conflicts.write() {
        return Ok(CommandOutcome::Unusable);
    }
    writeln!(
        out,
        "{}: {}, {} only in {}, {} only in {}",
        shown(output),
        counted(conflicts.lines.len(), "difference"),
        counted(alone, "dialog"),
        shown(one),
        counted(lacking, "dialog"),
        shown(other),
    )?;
    if alone + lacking > 0 {
        outcome = outcome.max(CommandOutcome::Issues);
    }
    if conflicts.lines.is_empty() {
        return Ok(outcome);
    }
    out.flush()?;
    Ok(outcome.max(conflicts.review(&arguments.input.family, out)?))
}
