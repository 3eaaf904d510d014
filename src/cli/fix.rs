//! `turnwise fix`: applies the first fix of every problem if it is safe, or unsafe if asked to.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::apply::diff::{self, DiffForm};
use super::apply::reject_standard_input;
use super::corpus_scan::{broken_dialog, open_reported};
use super::errors::{file_error, file_issues};
use super::lint::{RuleOptions, RuleSelection};
use super::output::{SaveOptions, report_save_error, tell_doubt};
use super::printer::Printer;
use super::style::shown;
use super::{CommandOutcome, complain};
use crate::lint::{
    Applicability, Diagnostic, FixOptions, IgnoreFilter, Selection, SkippedFix, fix, ontology_of,
};
use crate::shell::{
    OpenedFile, RealFs, UserFolders, files_of, find_files, matched_path, save_alone,
};
use crate::text::{counted, grouped, visible};

/// Apply safe fixes for the problems that `lint` finds
///
/// Fixes that cannot be applied are listed with the reason.
///
/// Exit code: 0 success, 1 a fix was not applied, 2 a file could not be read or written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise fix corpus/ --diff\n  turnwise fix corpus/ --rule span-out-of-range\n  turnwise fix corpus/ --unsafe-fixes --diff"
)]
pub struct Arguments {
    /// Files or folders (recursive)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    choice: RuleOptions,
    /// Also apply unsafe fixes, which may be wrong
    #[arg(long)]
    unsafe_fixes: bool,
    /// Fix only the problems of these rules: names, or prefixes such as `span`
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    rule: Vec<String>,
    /// Print the changes without changing files [default form: auto]
    #[arg(
        long,
        value_name = "FORM",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "auto"
    )]
    diff: Option<DiffForm>,
    /// Report what would be fixed without changing files
    #[arg(long, conflicts_with = "diff")]
    dry_run: bool,
    #[command(flatten)]
    saving: SaveOptions,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    if reject_standard_input(&arguments.paths) {
        return Ok(CommandOutcome::Unusable);
    }
    let all = find_files(&arguments.paths);
    let chosen = match arguments.choice.read(&arguments.paths, &files_of(&all)) {
        Ok(chosen) => chosen,
        Err(error) => {
            complain(format_args!("{error}"));
            return Ok(CommandOutcome::Unusable);
        }
    };
    let mut rules = Selection::none();
    for name in &arguments.rule {
        if let Err(error) = rules.select(name) {
            complain(format_args!("{error}"));
            return Ok(CommandOutcome::Unusable);
        }
    }
    let wish = FixRequest {
        chosen,
        at_least: if arguments.unsafe_fixes {
            Applicability::Unsafe
        } else {
            Applicability::Safe
        },
        rules: (!arguments.rule.is_empty()).then_some(rules),
    };
    let mut outcome = CommandOutcome::Clean;
    for found in &all {
        let Some(mut opened) = open_reported(found, true, &mut outcome) else {
            continue;
        };
        let repaired = match repair(&mut opened, &wish) {
            Ok(repaired) => repaired,
            Err(why) => {
                file_error(&opened.path, &why);
                outcome = outcome.max(CommandOutcome::Issues);
                continue;
            }
        };
        outcome = outcome.max(repaired.outcome);
        if repaired.count > 0 {
            outcome = outcome.max(finish(arguments, &opened, &repaired, out)?);
        }
    }
    Ok(outcome)
}

/// The fixes to apply.
struct FixRequest {
    chosen: RuleSelection,
    at_least: Applicability,
    /// The rules to fix, if some were named.
    rules: Option<Selection>,
}

/// Prints a diff, reports what would be fixed, or saves the file.
fn finish(
    arguments: &Arguments,
    opened: &OpenedFile,
    repaired: &FixReport,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    let path = &opened.path;
    let name = shown(path);
    if let Some(form) = arguments.diff {
        if let Err(error) = diff::print(path, &opened.file, form, out)? {
            file_error(path, &error);
            return Ok(CommandOutcome::Unusable);
        }
    } else if arguments.dry_run {
        writeln!(out, "{name}: {}", repaired.summary("would be fixed"))?;
    } else {
        let state = UserFolders::find().state;
        let change = arguments.saving.owner_change();
        match save_alone(&RealFs, opened, state.as_deref(), change) {
            Ok(saved) => {
                writeln!(out, "{name}: {}", repaired.summary("fixed"))?;
                tell_doubt(path, "saved", &saved);
            }
            Err(error) => {
                report_save_error(path, &error);
                return Ok(CommandOutcome::Unusable);
            }
        }
    }
    Ok(CommandOutcome::Clean)
}

/// The results of fixing a file.
#[derive(Default)]
struct FixReport {
    count: usize,
    /// Number of fixed problems that only another fix revealed.
    uncovered: usize,
    /// An outcome other than clean has been reported.
    outcome: CommandOutcome,
}

impl FixReport {
    fn summary(&self, done: &str) -> String {
        let message = format!("{} {done}", counted(self.count, "problem"));
        match self.uncovered {
            0 => message,
            some => format!(
                "{message}, {} of them revealed by other fixes",
                grouped(some)
            ),
        }
    }

    /// Reports a skipped fix.
    fn report_skipped(&mut self, path: &Path, dialog: usize, skipped: &SkippedFix) {
        let SkippedFix { problem, why } = skipped;
        let turn = problem.spot.turn;
        let turn = turn.map_or(String::new(), |turn| format!(", turn {turn}"));
        let fix = problem.fixes.first().map_or("", |fix| fix.title.as_str());
        let rule = problem.rule.name;
        let line = format!("dialog {dialog}{turn}: not applied: {fix} [{rule}]: {why}");
        file_error(path, &visible(&line));
        self.outcome = self.outcome.max(CommandOutcome::Issues);
    }
}

/// Fixes all dialogs of a file in memory. Does not change a file that is broken as a whole.
fn repair(opened: &mut OpenedFile, wish: &FixRequest) -> Result<FixReport, String> {
    let mut repaired = FixReport::default();
    let name = matched_path(&opened.path);
    let (path, file) = (&opened.path, &mut opened.file);
    let Some(format) = file.file_format().filter(|_| file.index().error.is_none()) else {
        return Ok(repaired);
    };
    for position in 0..file.index().pieces.len() {
        let text = file.text(position);
        let read = text.and_then(|text| {
            // The dialog is dropped here: `fix` reads the text itself.
            let dialog = file.dialog(position)?;
            let format = format.of_text(&text);
            let ontology =
                dialog.map(|(dialog, _)| ontology_of(&wish.chosen.ontologies, format, &dialog));
            Ok((ontology, format, text))
        });
        let (ontology, format, text) = match read {
            Ok((Some(ontology), format, text)) => (ontology, format, text),
            Ok((None, ..)) => continue,
            Err(error) => {
                let issue = broken_dialog(file, position, &error);
                let outcome = file_issues(path, &[issue]);
                repaired.outcome = repaired.outcome.max(outcome);
                continue;
            }
        };
        let with = FixOptions {
            format,
            ontology,
            selection: &wish.chosen.selection,
            at_least: wish.at_least,
            escapes: file.escapes(),
            ignored: Some(IgnoreFilter {
                ignores: &wish.chosen.ignores,
                file: &name,
                position,
            }),
        };
        let is_wanted = |found: &Diagnostic| {
            let rules = wish.rules.as_ref();
            rules.is_none_or(|rules| rules.level(found.rule).is_some())
        };
        let fixed = fix(&text, &with, is_wanted);
        if let Some(text) = fixed.text {
            let put = file.replace(position, text);
            put.map_err(|error| format!("dialog {position}: {error}"))?;
        }
        repaired.count += fixed.repaired;
        repaired.uncovered += fixed.uncovered;
        for skipped in &fixed.skipped {
            repaired.report_skipped(path, position, skipped);
        }
    }
    Ok(repaired)
}
