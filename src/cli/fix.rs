//! `turnwise fix`: takes the first fix of every problem, as far as it may be taken unseen.

use std::io::{self, Write};
use std::path::PathBuf;

use super::apply::diff;
use super::lint::Choice;
use super::output::tell_doubt;
use super::{Outcome, complain, paint};
use crate::corpus::CorpusFile;
use crate::lint::{Applicability, Diagnostic, Fixing, LetBe, fix, ontology_of};
use crate::shell::{DiskFile, Found, RealFs, files_of, find_files, matched_path, open, save};
use crate::text::counted;

/// Repair what `lint` finds, where a fix is known to be right
///
/// Exit code: 0 all is well, 1 a dialog could not be repaired, 2 something could not be read or written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise fix corpus/ --diff\n  turnwise fix corpus/ --rule span-out-of-range\n  turnwise fix corpus/ --unsafe-fixes --diff"
)]
pub struct Arguments {
    /// Files or folders (with everything in them)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    choice: Choice,
    /// Take fixes too that are only probably right
    #[arg(long)]
    unsafe_fixes: bool,
    /// Repair what these rules find only
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    rule: Vec<String>,
    /// Show what would change, and change nothing
    #[arg(long)]
    diff: bool,
    /// Say what would be repaired, and change nothing
    #[arg(long, conflicts_with = "diff")]
    dry_run: bool,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Outcome> {
    let all = find_files(&arguments.paths);
    let chosen = match arguments.choice.read(&arguments.paths, &files_of(&all)) {
        Ok(chosen) => chosen,
        Err(error) => {
            complain(format_args!("{error}"));
            return Ok(Outcome::Unusable);
        }
    };
    if let Some(unknown) = arguments
        .rule
        .iter()
        .find(|name| crate::lint::named(name).is_none())
    {
        complain(format_args!("there is no rule {unknown}"));
        return Ok(Outcome::Unusable);
    }
    let mut outcome = Outcome::Clean;
    for found in all {
        let opened = match found {
            Found::Problem { path, error } => {
                complain(format_args!("{}: {error}", paint::shown(&path)));
                outcome = Outcome::Unusable;
                continue;
            }
            Found::File { path, .. } => open(&path, true).map_err(|error| (path, error)),
        };
        let mut opened = match opened {
            Ok(opened) => opened,
            Err((path, error)) => {
                complain(format_args!("{}: {error}", paint::shown(&path)));
                outcome = Outcome::Unusable;
                continue;
            }
        };
        let wanted = |found: &Diagnostic| {
            arguments.rule.is_empty() || arguments.rule.iter().any(|name| name == found.rule.name)
        };
        let at_least = if arguments.unsafe_fixes {
            Applicability::Unsafe
        } else {
            Applicability::Safe
        };
        let name = matched_path(&opened.path);
        let count = match repair(&mut opened.file, &name, &chosen, at_least, wanted) {
            Ok(0) => continue,
            Ok(count) => count,
            Err(why) => {
                complain(format_args!("{}: {why}", paint::shown(&opened.path)));
                outcome = outcome.max(Outcome::Issues);
                continue;
            }
        };
        let name = paint::shown(&opened.path);
        let problems = counted(count, "problem");
        if arguments.diff {
            if let Err(error) = diff::print(&opened.path, &opened.file, out)? {
                complain(format_args!("{name}: {error}"));
                outcome = Outcome::Unusable;
            }
        } else if arguments.dry_run {
            writeln!(out, "{name}: {problems} would be repaired")?;
        } else {
            match save(&RealFs, &opened) {
                Ok(saved) => {
                    writeln!(out, "{name}: {problems} repaired")?;
                    tell_doubt(&opened.path, "saved", &saved);
                }
                Err(error) => {
                    complain(format_args!("{name}: {error}"));
                    outcome = Outcome::Unusable;
                }
            }
        }
    }
    Ok(outcome)
}

/// Repairs all dialogs of a file in memory; how many problems that were.
fn repair(
    file: &mut CorpusFile<DiskFile>,
    name: &str,
    chosen: &super::lint::Chosen,
    at_least: Applicability,
    wanted: impl Fn(&Diagnostic) -> bool,
) -> Result<usize, String> {
    let Some(format) = file.format() else {
        return Ok(0);
    };
    let mut count = 0;
    for position in 0..file.index().pieces.len() {
        let (Ok(text), Ok(Some((dialog, _)))) = (file.text(position), file.dialog(position)) else {
            continue;
        };
        let with = Fixing {
            format,
            ontology: ontology_of(&chosen.ontologies, format, &dialog),
            selection: &chosen.selection,
            at_least,
            escapes: file.escapes(),
            let_be: Some(LetBe {
                ignores: &chosen.ignores,
                file: name,
                position,
            }),
        };
        let fixed = fix(&text, &with, &wanted);
        count += fixed.done.len();
        for edit in &fixed.edits {
            let made = file.edit(position, edit);
            made.map_err(|refused| format!("dialog {position}: {refused}"))?;
        }
    }
    Ok(count)
}
