//! `turnwise fix`: applies the first fix of every problem if it is safe, or unsafe if asked to.

use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::conflicts::OpenConflicts;
use super::each_dialog::{self, Wanted};
use super::edited::{self, PreviewOptions};
use super::errors::{Ended, OrStop as _, Stop, file_error};
use super::options::{
    ExcludedOption, ExitOptions, FoundTurns, InputOptions, QueryOptions, RuleOptions,
    refuse_stdin_with_others,
};
use super::output::SaveOptions;
use super::printer::Printer;
use super::scan::open_reported;
use crate::corpus::CorpusFile;
use crate::lint::{
    self, Applicability, Diagnostic, DialogPlace, FixOptions, Linter, Selection, SkippedFix,
};
use crate::query::Query;
use crate::shell::{FoundPath, OpenedFile, Save, files_of, leave_out_own, matched_path};
use crate::text::{counted, grouped, visible};

/// Apply safe fixes for the problems that `lint` finds
///
/// Fixes that cannot be applied are listed with the reason. With - for standard input, the fixed text goes
/// to standard output and the report to standard error.
///
/// Exit code: 0 success, 1 a fix was not applied, 2 a file could not be read or written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise fix corpus/ --diff\n  turnwise fix corpus/ --rule span-out-of-range\n  turnwise fix corpus/ --unsafe-fixes --diff\n  zcat data.jsonl.gz | turnwise fix - | gzip > fixed.jsonl.gz"
)]
pub struct Arguments {
    /// Files, folders (recursive), or - alone for standard input
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
    #[command(flatten)]
    preview: PreviewOptions,
    #[command(flatten)]
    query: QueryOptions,
    #[command(flatten)]
    saving: SaveOptions,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
    #[command(flatten)]
    exit: ExitOptions,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let mut all = arguments.stdin.find_included(&arguments.paths, arguments.excluded);
    leave_out_own(&mut all);
    refuse_stdin_with_others(&all)?;
    let request = FixRequest::new(arguments, &all)?;
    if request.query.as_ref().is_some_and(Query::needs_judgements) {
        all = InputOptions::with_judgements(all);
    }
    let mut outcome = CommandOutcome::Clean;
    for found in &all {
        let Some(mut opened) = open_reported(found, true, &mut outcome) else {
            continue;
        };
        let Some(open) = OpenConflicts::before_edits(&opened) else {
            outcome = CommandOutcome::Unusable;
            continue;
        };
        let repaired = repair(found, &mut opened.file, &request)?;
        outcome = outcome.max(repaired.outcome);
        let is_fixed = repaired.count > 0;
        let (would, done) = (repaired.summary("would be fixed"), repaired.summary("fixed"));
        let end = if found.is_stdin() {
            // The rest of input that cannot be read passes unchanged.
            let said = is_fixed.then_some([would, done]);
            arguments.preview.pass_on(&opened, said, out)?
        } else if is_fixed {
            let OpenedFile { path, file, .. } = &opened;
            match arguments.preview.print(path, file, &would, out)? {
                Some(end) => end,
                None => {
                    let change = arguments.saving.owner_change();
                    let save = Save { change, ..Save::of(&opened) };
                    edited::save(&save, file, Some(open), &done, out)?
                }
            }
        } else {
            CommandOutcome::Clean
        };
        outcome = outcome.max(end);
    }
    Ok(arguments.exit.outcome(outcome))
}

/// The fixes to apply.
struct FixRequest {
    chosen: Linter,
    at_least: Applicability,
    /// The rules to fix, if some were named.
    rules: Option<Selection>,
    /// The query that finds the turns to fix, if there is one.
    query: Option<Query>,
}

impl FixRequest {
    /// Prepares the fixes for the files in `all`.
    ///
    /// # Errors
    /// If a rule or the query cannot be used.
    fn new(arguments: &Arguments, all: &[FoundPath]) -> Result<Self, Stop> {
        let named = arguments.stdin.named(&arguments.paths);
        let query = arguments.query.read(&named)?;
        let chosen = arguments.choice.read(&named, &files_of(all), arguments.excluded);
        let chosen = chosen.or_stop()?;
        let mut rules = Selection::none();
        for name in &arguments.rule {
            rules.select(name).or_stop()?;
        }
        Ok(Self {
            chosen,
            at_least: if arguments.unsafe_fixes {
                Applicability::Unsafe
            } else {
                Applicability::Safe
            },
            rules: (!arguments.rule.is_empty()).then_some(rules),
            query,
        })
    }
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
    /// Says how many problems were fixed; `done` is the word for it.
    fn summary(&self, done: &str) -> String {
        let message = format!("{} {done}", counted(self.count, "problem"));
        match self.uncovered {
            0 => message,
            some => format!("{message}, {} of them revealed by other fixes", grouped(some)),
        }
    }

    /// Reports a skipped fix.
    fn report_skipped(&mut self, path: &Path, dialog: usize, skipped: &SkippedFix) {
        let SkippedFix { problem, why } = skipped;
        let turn = problem.location.turn;
        let turn = turn.map_or(String::new(), |turn| format!(", turn {turn}"));
        let fix = problem.fixes.first().map_or("", |fix| fix.title.as_str());
        let rule = problem.rule.name;
        let line = format!("dialog {dialog}{turn}: not applied: {fix} [{rule}]: {why}");
        file_error(path, &visible(&line));
        self.outcome = self.outcome.max(CommandOutcome::Issues);
    }
}

/// Fixes all dialogs of a file in memory. Does not change a file that is broken as a whole.
fn repair(
    found: &FoundPath,
    file: &mut CorpusFile,
    request: &FixRequest,
) -> Result<FixReport, Stop> {
    let mut repaired = FixReport::default();
    if file.index().error.is_some() {
        return Ok(repaired);
    }
    let path = found.path();
    let matched = matched_path(path);
    let query = request.query.as_ref();
    let wanted = Wanted {
        rules: query.filter(|query| query.needs_problems()).map(|_| &request.chosen),
        companions: true,
        ..Wanted::default()
    };
    let mut texts = Vec::new();
    let outcome = each_dialog::of_file(file, found, None, wanted, &mut |read| {
        let turns = query.map(|query| FoundTurns::of(query, &read.target()));
        if turns.as_ref().is_some_and(FoundTurns::is_empty) {
            return Ok(());
        }
        let with = FixOptions {
            linter: &request.chosen,
            format: read.format,
            place: DialogPlace { file: &matched, position: read.position },
            at_least: request.at_least,
            escapes: file.escapes(),
        };
        let is_wanted = |problem: &Diagnostic| {
            let rules = request.rules.as_ref();
            rules.is_none_or(|rules| rules.level(problem.rule).is_some())
                && turns.as_ref().is_none_or(|turns| turns.has(problem))
        };
        let fixed = lint::fix(read.json, &with, is_wanted);
        texts.extend(fixed.text.map(|text| (read.position, text)));
        repaired.count += fixed.repaired;
        repaired.uncovered += fixed.uncovered;
        for skipped in &fixed.skipped {
            repaired.report_skipped(path, read.position, skipped);
        }
        Ok(())
    })?;
    repaired.outcome = repaired.outcome.max(outcome);
    for (position, text) in texts {
        if let Err(error) = file.replace(position, text) {
            file_error(path, &format_args!("dialog {position}: {error}"));
            return Ok(FixReport { outcome: CommandOutcome::Issues, ..FixReport::default() });
        }
    }
    Ok(repaired)
}
