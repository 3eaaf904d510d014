//! `turnwise compare`: prints how far copies of a corpus agree.

mod figures;
mod gather;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::conflicts::Conflicts;
use super::copies::{excluded_in, open_copy, same_files};
use super::errors::{Ended, OrStop as _, Stop, complain};
use super::options::{ExcludedOption, InputOptions};
use super::output::same_file;
use super::page::{self, Format};
use super::printer::Printer;
use super::scan::report_excluded;
use super::style::shown;
use super::{CommandOutcome, edited};
use crate::compare::file_choices;
use crate::shell::{Expect, Save, conflicts_of};
use crate::text::counted;
use crate::votes::Bootstrap;
use figures::{Chosen, sections};
use gather::Gathered;

/// Measure how far copies of a corpus agree: labels, texts, acts, states
///
/// Dialogs are matched by their ids. Those that a copy lacks, or whose texts differ, are counted and left out; only the
/// figures of texts include the latter. Of two copies, the first is the reference of precision and recall; three and
/// more are compared pair by pair, and all together.
///
/// Exit code: 0 success, 1 something was left out, 2 a file could not be read.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise compare mk.json js.json\n  turnwise compare mk/ js/ lead/ --format csv > agreement.csv\n  turnwise compare HEAD:corpus.json corpus.json --draws 0\n  turnwise compare mk.json js.json --gamma --samples 100\n  turnwise compare mk.json js.json --review -o agreed.json"
)]
pub struct Arguments {
    /// Two or more copies, all files or all folders; REV:PATH is a copy in git
    #[arg(num_args = 1.., required = true, value_name = "COPY")]
    copies: Vec<PathBuf>,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(Format::OF_PAGES))]
    format: Format,
    /// Also compute gamma, which aligns the spans of each pair of copies and corrects for chance
    #[arg(long)]
    gamma: bool,
    /// Number of random alignments for gamma
    #[arg(long, value_name = "N", requires = "gamma", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    samples: u32,
    /// Number of bootstrap draws for intervals
    #[arg(long, value_name = "N", default_value_t = 1000)]
    draws: u32,
    /// Seed of the draws and samples
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Review the differences between A and B one by one on the screen
    #[arg(long, requires = "output", conflicts_with_all = ["format", "gamma"])]
    review: bool,
    /// Write the review to this file: A itself, or a new file that starts as a copy of A
    #[arg(short, long, value_name = "OUT", requires = "review")]
    output: Option<PathBuf>,
    #[command(flatten)]
    excluded: ExcludedOption,
    #[command(flatten)]
    input: InputOptions,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    if let [one] = &arguments.copies[..] {
        let why = "name two or more copies to compare";
        return Err(Stop::at(one, why));
    }
    if let Some(output) = &arguments.output {
        return review(arguments, output, out);
    }
    let mut outcome = CommandOutcome::Clean;
    let mut found = Gathered::new(arguments.copies.len());
    for file in same_files(&arguments.copies, &arguments.input, &mut outcome) {
        let open = |path: &PathBuf| open_copy(path, &arguments.input, false, &mut outcome);
        let copies: Vec<_> = file.paths.iter().map(open).collect();
        let Some(copies) = copies.into_iter().collect::<Option<Vec<_>>>() else {
            continue;
        };
        let excluded =
            |path: &PathBuf| excluded_in(path, &arguments.input, arguments.excluded, &mut outcome);
        let excluded: Vec<_> = file.paths.iter().map(excluded).collect();
        found.add(&copies, &excluded).or_report(&file.paths[0], &mut outcome);
    }
    if found.files == 0 {
        return Ok(outcome);
    }
    report_excluded(found.excluded);
    if found.has_left_out() {
        outcome = outcome.max(CommandOutcome::Issues);
    }
    if found.matched == 0 {
        complain(format_args!("the copies have no dialog in common"));
    }
    let sections = sections(
        &found,
        Chosen {
            bootstrap: Bootstrap { draws: arguments.draws, seed: arguments.seed },
            samples: arguments.gamma.then_some(arguments.samples),
            // The table for people has no room for them.
            labels_drawn: arguments.format != Format::Text,
        },
    );
    let page = figures::page(arguments, &found, &sections);
    page::print(&page, "Agreement of copies", arguments.format, out)?;
    Ok(outcome)
}

/// Returns the name of a copy: a letter, or a number behind Z.
fn letter(copy: usize) -> String {
    match u8::try_from(copy) {
        Ok(copy @ 0..26) => char::from(b'A' + copy).to_string(),
        _ => (copy + 1).to_string(),
    }
}

/// Writes the first copy to `output`, with a list of what the second has otherwise, and opens both.
fn review(arguments: &Arguments, output: &Path, out: &mut Printer) -> Ended {
    let [one, other] = &arguments.copies[..] else {
        return Err(Stop::say("--review takes two copies"));
    };
    if let Some(folder) = [one, other].into_iter().find(|copy| copy.is_dir()) {
        return Err(Stop::at(folder, "--review takes two files, not folders"));
    }
    let is_first = same_file(one, output);
    if output.exists() && (!is_first || conflicts_of(output).exists()) {
        let what = if is_first { "it has open conflicts" } else { "the file exists" };
        let goes_on = format!("{what}; `turnwise {}` continues its review", shown(output));
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
