//! `turnwise fix`: takes the first fix of every problem, as far as it may be taken unseen.

use std::io::{self, Write};
use std::path::PathBuf;

use super::apply::diff;
use super::lint::Choice;
use super::output::tell_doubt;
use super::{Outcome, complain, paint};
use crate::corpus::CorpusFile;
use crate::lint::{Applicability, Diagnostic, Fixing, LetBe, Selection, Unmade, fix, ontology_of};
use crate::shell::{
    DiskFile, Found, RealFs, UserFolders, files_of, find_files, matched_path, open, save_alone,
};
use crate::text::{counted, grouped, visible};

/// Repair what `lint` finds, where a fix is known to be right
///
/// What cannot be repaired by such a fix is told, and why.
///
/// Exit code: 0 all is well, 1 something could not be repaired, 2 something could not be read or written.
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
    /// Repair what these rules find only: names, or beginnings such as `span`
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
    let mut rules = Selection::none();
    for name in &arguments.rule {
        if let Err(error) = rules.select(name) {
            complain(format_args!("{error}"));
            return Ok(Outcome::Unusable);
        }
    }
    let mut outcome = Outcome::Clean;
    let UserFolders { state, .. } = UserFolders::find();
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
        let wanted =
            |found: &Diagnostic| arguments.rule.is_empty() || rules.level(found.rule).is_some();
        let at_least = if arguments.unsafe_fixes {
            Applicability::Unsafe
        } else {
            Applicability::Safe
        };
        let name = matched_path(&opened.path);
        let repaired = match repair(&mut opened.file, &name, &chosen, at_least, wanted) {
            Ok(repaired) => repaired,
            Err(why) => {
                complain(format_args!("{}: {why}", paint::shown(&opened.path)));
                outcome = outcome.max(Outcome::Issues);
                continue;
            }
        };
        let name = paint::shown(&opened.path);
        for unmade in &repaired.unmade {
            complain(format_args!("{name}: {unmade}"));
            outcome = outcome.max(Outcome::Issues);
        }
        if repaired.count == 0 {
            continue;
        }
        if arguments.diff {
            if let Err(error) = diff::print(&opened.path, &opened.file, out)? {
                complain(format_args!("{name}: {error}"));
                outcome = Outcome::Unusable;
            }
        } else if arguments.dry_run {
            writeln!(out, "{name}: {}", repaired.told("would be repaired"))?;
        } else {
            match save_alone(&RealFs, &opened, state.as_deref()) {
                Ok(saved) => {
                    writeln!(out, "{name}: {}", repaired.told("repaired"))?;
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

/// What became of the problems of a file.
#[derive(Default)]
struct Repaired {
    count: usize,
    /// How many of them only another repair brought to light.
    uncovered: usize,
    /// A line for each repair that was not made.
    unmade: Vec<String>,
}

impl Repaired {
    fn told(&self, done: &str) -> String {
        let told = format!("{} {done}", counted(self.count, "problem"));
        match self.uncovered {
            0 => told,
            some => format!(
                "{told}, {} of which other repairs brought to light",
                grouped(some)
            ),
        }
    }

    fn note(&mut self, dialog: usize, unmade: &Unmade) {
        let Unmade { problem, why } = unmade;
        let turn = problem.spot.turn;
        let turn = turn.map_or(String::new(), |turn| format!(", turn {turn}"));
        let fix = problem.fixes.first().map_or("", |fix| fix.title.as_str());
        let rule = problem.rule.name;
        let line = format!("dialog {dialog}{turn}: not made: {fix} [{rule}], because {why}");
        self.unmade.push(visible(&line).into_owned());
    }
}

/// Repairs all dialogs of a file in memory.
fn repair(
    file: &mut CorpusFile<DiskFile>,
    name: &str,
    chosen: &super::lint::Chosen,
    at_least: Applicability,
    wanted: impl Fn(&Diagnostic) -> bool,
) -> Result<Repaired, String> {
    let mut repaired = Repaired::default();
    let Some(format) = file.format() else {
        return Ok(repaired);
    };
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
        if let Some(text) = fixed.text {
            let put = file.replace(position, text);
            put.map_err(|error| format!("dialog {position}: {error}"))?;
        }
        repaired.count += fixed.repaired;
        repaired.uncovered += fixed.uncovered;
        for unmade in &fixed.unmade {
            repaired.note(position, unmade);
        }
    }
    Ok(repaired)
}
