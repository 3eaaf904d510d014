//! `turnwise votes merge`: merges copies of logs that several people have judged.
//!
//! Everything is planned first. If a copy does not belong to a log, or a conflict is unresolved, nothing
//! is written.

mod copies;
mod plan;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rayon::prelude::*;

use crate::cli::errors::file_error;
use crate::cli::output::{
    blocked_by_file, goals_clash, goals_exist, name_of, report_nothing_written, report_save_error,
    tell_doubt,
};
use crate::cli::printer::Printer;
use crate::cli::style::{self, shown};
use crate::cli::{CommandOutcome, complain};
use crate::format::Formats;
use crate::shell::{RealFs, STDIN, UserFolders, open, save_as};
use crate::text::{counted, visible};
use crate::votes;
use copies::{Base, Copies};
use plan::{Plan, VoteClash, make_all, plan};

/// Merge the votes of several copies of the same logs
///
/// Writes the logs of the first copy with the votes of the others added, and changes nothing else in them.
/// Exit code: 0 success, 1 copies do not belong together or votes conflict, 2 a file could not be read
/// or written. Conflicts and unreadable input are found before anything is written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise votes merge logs-mk/ logs-js/ -o logs/\n  turnwise votes merge first.log.json second.log.json -o merged/ --prefer last"
)]
pub struct Arguments {
    /// The copies, each a log or a folder of logs; dialogs are matched by id
    #[arg(required = true, num_args = 2.., value_name = "COPY")]
    copies: Vec<PathBuf>,
    /// The output folder
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Which copy wins if an annotator voted differently in two of them
    #[arg(long, value_enum)]
    prefer: Option<Prefer>,
    /// Replace existing files
    #[arg(long)]
    overwrite: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Prefer {
    /// The copy named first
    First,
    /// The copy named last
    Last,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    if let Some(path) = arguments.copies.iter().find(|path| *path == Path::new(STDIN)) {
        file_error(path, &"standard input is not a copy; give files or folders");
        return Ok(nothing_written(CommandOutcome::Unusable));
    }
    let Some(copies) = Copies::read(&arguments.copies, &arguments.output) else {
        return Ok(nothing_written(CommandOutcome::Unusable));
    };
    let bases = match copies.bases() {
        Ok(bases) => bases,
        Err(problems) => {
            for (path, why) in problems {
                file_error(path, &why);
            }
            return Ok(nothing_written(CommandOutcome::Issues));
        }
    };
    if has_obstacle(&bases, &copies, arguments) {
        return Ok(nothing_written(CommandOutcome::Unusable));
    }
    let prefer = match arguments.prefer {
        Some(Prefer::Last) => votes::Prefer::Last,
        _ => votes::Prefer::First,
    };
    let plans: Vec<_> = bases.par_iter().map(|base| plan(base, prefer)).collect();
    let outcome = weigh(&plans, arguments.prefer, out)?;
    if outcome != CommandOutcome::Clean {
        return Ok(nothing_written(outcome));
    }
    let each = bases.par_iter().zip(&plans);
    let written = each.try_for_each(|(base, plan)| write(base, plan, arguments));
    if written.is_err() {
        complain(format_args!("some files were not written"));
        return Ok(CommandOutcome::Unusable);
    }
    summary(&plans, &arguments.output, out)?;
    Ok(CommandOutcome::Clean)
}

fn nothing_written(outcome: CommandOutcome) -> CommandOutcome {
    report_nothing_written();
    outcome
}

/// Reports obstacles to the plans, and conflicting votes; clean if nothing is left to decide.
fn weigh(plans: &[Plan], prefer: Option<Prefer>, out: &mut Printer) -> io::Result<CommandOutcome> {
    let mut outcome = CommandOutcome::Clean;
    for plan in plans {
        for (path, why) in &plan.refused {
            file_error(path, why);
            outcome = outcome.max(CommandOutcome::Issues);
        }
        if plan.unreadable {
            outcome = CommandOutcome::Unusable;
        }
    }
    let clashes = plans.iter().flat_map(|plan| &plan.clashes);
    let count = tell_clashes(clashes, prefer, out)?;
    if count > 0 && prefer.is_none() {
        complain(format_args!(
            "an annotator voted differently in two copies ({count}); use --prefer first or --prefer last to choose"
        ));
        outcome = outcome.max(CommandOutcome::Issues);
    }
    Ok(outcome)
}

/// Reports obstacles to writing the files; returns true if there are any.
fn has_obstacle(bases: &[Base], copies: &Copies, arguments: &Arguments) -> bool {
    let goals = bases.iter().map(|base| goal(base, &arguments.output));
    let goals: Vec<_> = goals.collect();
    let read: Vec<_> = copies.paths().collect();
    blocked_by_file(&arguments.output)
        || goals_clash(&goals, &read)
        || !arguments.overwrite && goals_exist(goals.iter().map(PathBuf::as_path))
}

fn goal(base: &Base, output: &Path) -> PathBuf {
    output.join(name_of(base.path, base.below))
}

/// Reports each conflict and how it is resolved; returns their number.
fn tell_clashes<'p>(
    clashes: impl Iterator<Item = &'p VoteClash>,
    prefer: Option<Prefer>,
    out: &mut Printer,
) -> io::Result<u64> {
    let bold = out.style(style::PLACE);
    let mut count = 0;
    for VoteClash { place, first, last } in clashes {
        let kept = match prefer {
            None => "",
            Some(Prefer::First) => "; keeping the first",
            Some(Prefer::Last) => "; keeping the last",
        };
        writeln!(
            out,
            "{bold}{}:{bold:#} {}, {}{kept}",
            visible(place),
            visible(first),
            visible(last)
        )?;
        count += 1;
    }
    Ok(count)
}

/// Writes a log with the planned votes.
///
/// # Errors
/// If it cannot be written, which is reported.
fn write(base: &Base, plan: &Plan, arguments: &Arguments) -> Result<(), ()> {
    let say = |path: &Path, why: &dyn std::fmt::Display| file_error(path, why);
    let mut opened =
        open(base.path, &Formats::default(), true).map_err(|error| say(base.path, &error))?;
    if opened.identity != plan.identity {
        say(base.path, &"another program has changed the file since it was read");
        return Err(());
    }
    for of_dialog in plan.edits.chunk_by(|one, other| one.0 == other.0) {
        let edits: Vec<_> = of_dialog.iter().map(|(_, edit)| edit.clone()).collect();
        let made = make_all(&mut opened.file, of_dialog[0].0, &edits);
        made.map_err(|refused| say(base.path, &refused))?;
    }
    let goal = goal(base, &arguments.output);
    if let Some(folder) = goal.parent() {
        std::fs::create_dir_all(folder).map_err(|error| say(folder, &error))?;
    }
    let state = UserFolders::find().state;
    let saved = save_as(&RealFs, &opened, &goal, state.as_deref(), arguments.overwrite);
    let saved = saved.map_err(|error| report_save_error(&goal, &error))?;
    tell_doubt(&goal, "written", &saved);
    Ok(())
}

fn summary(plans: &[Plan], output: &Path, out: &mut Printer) -> io::Result<()> {
    let sum = |of: fn(&Plan) -> u64| plans.iter().map(of).sum::<u64>();
    let files = counted(plans.len(), "file");
    let (added, changed) = (sum(|plan| plan.added), sum(Plan::changed));
    write!(out, "{}: {files} written, {} added", shown(output), counted(added, "vote"))?;
    if changed > 0 {
        write!(out, ", {changed} changed")?;
    }
    writeln!(out)
}
