//! `turnwise fix`: applies the first fix of every problem if it is safe, or unsafe if asked to.

mod repair;

use std::io::Write as _;
use std::path::PathBuf;

use super::CommandOutcome;
use super::conflicts::OpenConflicts;
use super::edited::{self, PreviewOptions};
use super::errors::{Ended, OrStop as _, Stop, file_error, file_issues};
use super::options::{
    ExcludedOption, ExitOptions, InputOptions, QueryOptions, RuleOptions, pass_on,
    refuse_stdin_with_others,
};
use super::output::SaveOptions;
use super::printer::Printer;
use super::scan::{open_reported, read_standard_input, unreadable};
use crate::lint::{Applicability, Linter, Selection};
use crate::query::Query;
use crate::shell::{FoundPath, OpenedFile, Save, files_of, leave_out_own, open_source};
use repair::{FixReport, repair};

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
    let mut all = arguments.stdin.find(&arguments.paths);
    leave_out_own(&mut all);
    refuse_stdin_with_others(&all)?;
    let request = FixRequest::new(arguments, &all)?;
    if request.query.as_ref().is_some_and(Query::needs_judgements) {
        all = InputOptions::with_judgements(all);
    }
    let outcome = match &all[..] {
        [found] if found.is_stdin() => filter(arguments, found, &request, out)?,
        _ => files(arguments, &all, &request, out)?,
    };
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

/// Fixes files in place.
fn files(
    arguments: &Arguments,
    all: &[FoundPath],
    request: &FixRequest,
    out: &mut Printer,
) -> Ended {
    let mut outcome = CommandOutcome::Clean;
    for found in all {
        let Some(mut opened) = open_reported(found, true, &mut outcome) else {
            continue;
        };
        let Some(open) = OpenConflicts::before_edits(&opened.path, &opened.file) else {
            outcome = CommandOutcome::Unusable;
            continue;
        };
        let repaired = match repair(found, &mut opened.file, request) {
            Ok(repaired) => repaired,
            Err(why) => {
                file_error(&opened.path, &why);
                outcome = outcome.max(CommandOutcome::Issues);
                continue;
            }
        };
        outcome = outcome.max(repaired.outcome);
        if repaired.count > 0 {
            let OpenedFile { path, file, .. } = &opened;
            let would = repaired.summary("would be fixed");
            let end = match arguments.preview.print(path, file, &would, out)? {
                Some(end) => end,
                None => {
                    let change = arguments.saving.owner_change();
                    let save = Save { change, ..Save::of(&opened) };
                    let done = repaired.summary("fixed");
                    edited::save(&save, file, Some(open), &done, out)?
                }
            };
            outcome = outcome.max(end);
        }
    }
    Ok(outcome)
}

/// Fixes standard input, and writes it to standard output unless a preview was asked for. The rest of input
/// that cannot be read passes unchanged.
fn filter(
    arguments: &Arguments,
    found: &FoundPath,
    request: &FixRequest,
    out: &mut Printer,
) -> Ended {
    let (name, formats) = (found.path(), &found.formats);
    let unread = |error| Stop::at(name, format_args!("cannot be read: {error}"));
    let bytes = read_standard_input().map_err(unread)?;
    let is_preview = arguments.preview.is_asked();
    if bytes.trim_ascii().is_empty() {
        if !is_preview {
            out.write_all(&bytes)?;
        }
        return Ok(CommandOutcome::Clean);
    }
    let mut file = open_source(bytes, formats, false).or_stop_at(name)?;
    let mut outcome = file_issues(name, &unreadable(&file));
    let repaired = repair(found, &mut file, request).unwrap_or_else(|why| {
        file_error(name, &why);
        FixReport::refused()
    });
    outcome = outcome.max(repaired.outcome);
    if is_preview {
        if repaired.count > 0 {
            let would = repaired.summary("would be fixed");
            let end = arguments.preview.print(name, &file, &would, out)?;
            outcome = outcome.max(end.unwrap_or_default());
        }
        return Ok(outcome);
    }
    pass_on(&file, out)?;
    if repaired.count > 0 {
        file_error(name, &repaired.summary("fixed"));
    }
    Ok(outcome)
}
