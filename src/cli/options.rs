//! Flags that several commands have: which corpora to read, which rules to run, which turns to find.

mod rules;

pub use rules::{RuleOptions, project_settings};

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::builder::{StringValueParser, TypedValueParser};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::CommandOutcome;
use super::errors::{Stop, complain, file_error};
use super::scan::{Companions, examine, report_issues};
use crate::app::settings::SavedQueries;
use crate::dialog::Dialog;
use crate::judging::{BREAKDOWN, Scheme};
use crate::lint::Diagnostic;
use crate::query::{Condition, Query, QueryError, Target, UNTRIED};
use crate::shell::{
    FoundPath, STDIN, UserFolders, files_of, find_files, find_files_of, leave_out_excluded,
    leave_out_own, open_regular, read_judgements, read_votes, scheme_beside, scheme_named,
};
use crate::text::{counted, width};

/// The flag that names the family of all dialogs.
#[derive(Clone, Default, clap::Args)]
pub struct FamilyOption {
    /// Read all dialogs as this one of `turnwise formats`
    #[arg(long, value_name = "NAME")]
    pub family: Option<String>,
}

/// The flag of commands that compare annotators.
#[derive(Default, clap::Args)]
pub struct AnnotatorsOption {
    /// Use only the answers of these annotators (ids of people or models, separated by commas)
    #[arg(long, value_name = "IDS", value_delimiter = ',', value_parser = annotator_id())]
    pub annotators: Vec<String>,
}

/// Reads an id of a list, which may have spaces around it.
pub fn annotator_id() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().map(|id| id.trim().to_owned())
}

/// The flag of commands that leave out excluded dialogs.
#[derive(Clone, Copy, Default, clap::Args)]
pub struct ExcludedOption {
    /// Read excluded dialogs too
    #[arg(long)]
    with_excluded: bool,
}

impl ExcludedOption {
    /// Returns the option that reads them, or not.
    pub fn new(with_excluded: bool) -> Self {
        Self { with_excluded }
    }

    /// True if excluded dialogs are read too.
    pub fn are_read(self) -> bool {
        self.with_excluded
    }
}

/// The flags of commands that read corpora, which may be standard input.
#[derive(Default, clap::Args)]
pub struct InputOptions {
    #[command(flatten)]
    pub family: FamilyOption,
    /// Name for standard input in messages and records; also use settings, formats and ontologies
    /// beside a file of this name
    #[arg(long, value_name = "NAME")]
    stdin_name: Option<PathBuf>,
}

impl InputOptions {
    /// Returns the options that only name a family.
    pub fn of_family(family: FamilyOption) -> Self {
        Self { family, stdin_name: None }
    }

    /// Returns the name of standard input.
    pub fn name(&self) -> &Path {
        self.stdin_name.as_deref().unwrap_or(Path::new(STDIN))
    }

    /// Returns the files of `paths`, as [`crate::shell::find_files`] does, with all their dialogs.
    pub fn find(&self, paths: &[PathBuf]) -> Vec<FoundPath> {
        find_files_of(paths, self.name(), self.family.family.as_deref())
    }

    /// Returns the files of `paths`, without the dialogs that are excluded in `turnwise.ignores.jsonl`.
    pub fn find_included(&self, paths: &[PathBuf], with: ExcludedOption) -> Vec<FoundPath> {
        let mut found = self.find(paths);
        if !with.are_read() {
            leave_out_excluded(&mut found);
        }
        found
    }

    /// As [`Self::find_included`], without what the program writes beside corpora.
    pub fn find_corpora(&self, paths: &[PathBuf], with: ExcludedOption) -> Vec<FoundPath> {
        let mut found = self.find_included(paths, with);
        leave_out_own(&mut found);
        found
    }

    /// Adds the judgements beside the files. Says how many lines are not judgements.
    pub fn with_judgements(mut found: Vec<FoundPath>) -> Vec<FoundPath> {
        for (path, lines) in read_judgements(&mut found) {
            let lines = counted(lines, "line");
            let why = format!(
                "left out {lines} that cannot be read as judgements; `turnwise check` lists them"
            );
            file_error(&path, &why);
        }
        found
    }

    /// Like [`Self::with_judgements`], with the votes beside the files, too. Their logs, which have the texts of the
    /// dialogs again, are left out unless they were named.
    pub fn with_judgements_and_votes(mut found: Vec<FoundPath>) -> Vec<FoundPath> {
        read_votes(&mut found);
        Self::with_judgements(found)
    }

    /// Returns `paths` with the name of standard input in place of `-`.
    pub fn named(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let named = |path: &PathBuf| match path.to_str() {
            Some(STDIN) => self.name().to_owned(),
            _ => path.clone(),
        };
        paths.iter().map(named).collect()
    }
}

/// The flag of commands that exit with 1 if they find something.
#[derive(Clone, Copy, clap::Args)]
pub struct ExitOptions {
    /// Exit with 0 instead of 1; errors still exit with 2
    #[arg(long)]
    exit_zero: bool,
}

impl ExitOptions {
    /// Returns the outcome that the exit code reports.
    pub fn outcome(self, outcome: CommandOutcome) -> CommandOutcome {
        match outcome {
            CommandOutcome::Issues if self.exit_zero => CommandOutcome::Clean,
            other => other,
        }
    }
}

/// Parses the share of votes in a flag.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

/// Flags that make sums of the parts of a corpus, and add them.
#[derive(clap::Args)]
pub struct PartOptions {
    /// Print sums as JSON instead of figures; use --from to add the sums up
    #[arg(long, conflicts_with_all = ["format", "annotators"])]
    pub partial: bool,
    /// Instead of reading corpora, add up sums that --partial printed: files with one part per
    /// line, or - for standard input
    #[arg(long, value_name = "PART", num_args = 1.., conflicts_with = "paths")]
    pub from: Vec<PathBuf>,
}

/// Opens a file of parts.
fn open_part(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path == Path::new(STDIN) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = open_regular(path, File::options().read(true))?;
    Ok(Box::new(BufReader::new(file)))
}

/// A line of a file of parts.
pub struct PartLine<'p> {
    path: &'p Path,
    /// From 1.
    line: usize,
    text: String,
}

/// The commands whose parts can be added, as their parts name them.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartOf {
    Answers,
    Report,
}

impl PartOf {
    fn command(self) -> &'static str {
        match self {
            Self::Answers => "votes --partial",
            Self::Report => "report --partial",
        }
    }

    /// Returns the version of the parts that this program makes; those of different versions do not add. Parts that
    /// have none are of version 0.
    pub fn version(self) -> u32 {
        match self {
            Self::Answers => 0,
            Self::Report => 6,
        }
    }
}

/// The members of a part that tell whether it can be read.
#[derive(Deserialize)]
struct AnyPart {
    partial: PartOf,
    #[serde(default)]
    version: u32,
}

impl<'p> PartLine<'p> {
    /// Reads the lines of files of parts one by one, without blank ones. An item is the message that a file cannot be
    /// read, which names it.
    pub fn read(paths: &'p [impl AsRef<Path>]) -> impl Iterator<Item = Result<Self, String>> {
        paths.iter().flat_map(|path| Self::of_file(path.as_ref()))
    }

    fn of_file(path: &'p Path) -> Box<dyn Iterator<Item = Result<Self, String>> + 'p> {
        let place = move |error: io::Error| format!("{}: {error}", path.display());
        let lines = match open_part(path) {
            Ok(file) => file.lines(),
            Err(error) => return Box::new(std::iter::once(Err(place(error)))),
        };
        let lines = lines.zip(1..).map(move |(text, line)| {
            let text = text.map_err(place)?;
            Ok(Self { path, line, text })
        });
        let is_blank = |line: &Result<Self, String>| {
            line.as_ref().is_ok_and(|line| line.text.trim().is_empty())
        };
        Box::new(lines.filter(move |line| !is_blank(line)))
    }

    /// Returns the part, which a command has printed.
    ///
    /// # Errors
    /// If it is not one, or one of another version; the message names the line.
    pub fn part<P: DeserializeOwned>(&self, of: PartOf) -> Result<P, String> {
        let command = of.command();
        let other = |why: String| self.message(&format_args!("not the output of `{command}`{why}"));
        let AnyPart { partial, version } =
            serde_json::from_str(&self.text).map_err(|error| other(format!(": {error}")))?;
        if partial != of {
            return Err(other(format!(", but of `{}`", partial.command())));
        }
        if version != of.version() {
            let own = of.version();
            return Err(self.message(&format_args!(
                "this part has version {version} and cannot be added to parts of version {own}; print the part again with this version of turnwise"
            )));
        }
        serde_json::from_str(&self.text)
            .map_err(|error| other(format!(", or the output of another version: {error}")))
    }

    /// Returns a message about the line that names it.
    pub fn message(&self, why: &dyn std::fmt::Display) -> String {
        format!("{}:{}: {why}", self.path.display(), self.line)
    }
}

/// Refuses standard input among other files, because a filter has one output.
///
/// # Errors
/// If it is there.
pub fn refuse_stdin_with_others(found: &[FoundPath]) -> Result<(), Stop> {
    match found.iter().find(|found| found.is_stdin()).filter(|_| found.len() > 1) {
        Some(stdin) => {
            let why = "the result for standard input goes to standard output; name no other files";
            Err(Stop::at(stdin.path(), why))
        }
        None => Ok(()),
    }
}

/// Flags that choose dialogs and turns by a query.
#[derive(clap::Args)]
pub struct QueryOptions {
    /// Only problems in turns that this query finds, and problems of a dialog as a whole if it has
    /// such a turn
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    query: Option<String>,
}

impl QueryOptions {
    /// Reads the query about the files in `paths`, if there is one.
    ///
    /// # Errors
    /// If it is malformed; the message shows where.
    pub fn read(&self, paths: &[PathBuf]) -> Result<Option<Query>, Stop> {
        let query = self.query.as_deref();
        query.map(|query| parsed(query, paths)).transpose()
    }
}

/// The turns of a dialog that a query finds.
pub struct FoundTurns(Vec<bool>);

impl FoundTurns {
    /// Runs `query` on a dialog, whose problems are in the order of their turns.
    /// It is reported if there may be more.
    pub fn of(query: &Query, target: &Target<'_>) -> Self {
        let matches = query.matches(target);
        if !matches.is_complete {
            complain(format_args!("{}: {UNTRIED}", target.dialog.id));
        }
        Self(matches.turns)
    }

    /// Returns for each turn whether it was found.
    pub fn each(self) -> Vec<bool> {
        self.0
    }

    /// True if no turn was found.
    pub fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }

    /// True for a problem in a turn that was found, or of a whole dialog in which one was found.
    pub fn has(&self, problem: &Diagnostic) -> bool {
        match problem.location.turn {
            Some(turn) => self.0.get(turn) == Some(&true),
            None => !self.is_empty(),
        }
    }
}

/// Reads a query about the files in `paths`, or the saved query that has this name, which is reported.
///
/// # Errors
/// If it is malformed; the message shows where.
pub fn parsed(query: &str, paths: &[PathBuf]) -> Result<Query, Stop> {
    let saved = match saved_queries(paths) {
        Err(error) if may_be_name(query) => return Err(Stop::Say(error)),
        saved => saved.unwrap_or_default(),
    };
    let saved = saved.of_name(query);
    if let Some(saved) = saved {
        complain(format_args!(
            "{query} is the name of a saved query, {saved}; put the name in quotes to search for it as text"
        ));
    }
    let query = saved.unwrap_or(query);
    query.parse().map_err(|error| Stop::Say(pointed(query, &error)))
}

/// True for words without conditions and quotation marks, which may be the name of a saved query.
fn may_be_name(query: &str) -> bool {
    let is_text = |condition: &&Condition| matches!(condition, Condition::Text(_));
    let all_are = |query: Query| query.conditions().iter().all(is_text);
    !query.contains('"') && query.parse().is_ok_and(all_are)
}

/// Returns the queries that the settings and the project file save.
///
/// # Errors
/// If the project file cannot be used; the message names it and the reason.
pub fn saved_queries(paths: &[PathBuf]) -> Result<SavedQueries, String> {
    let mut queries = UserFolders::find().settings().0.queries;
    queries.extend(project_settings(paths)?.queries);
    Ok(queries)
}

/// Returns the error of a query, with carets under its place.
fn pointed(query: &str, error: &QueryError) -> String {
    let before = width(&query[..error.at.start]);
    let carets = "^".repeat(width(&query[error.at.clone()]).max(1));
    format!("{error}\n    {query}\n    {:before$}{carets}", "")
}

/// Returns the scheme beside the corpus, if there is one, and the bundled ones.
///
/// # Errors
/// If the one beside the corpus cannot be used.
pub fn schemes_of(found: &[FoundPath]) -> Result<Vec<Scheme>, String> {
    Ok(Scheme::with_bundled(beside(found)?))
}

/// Returns the scheme beside the first file.
fn beside(found: &[FoundPath]) -> Result<Option<Scheme>, String> {
    files_of(found).first().map_or(Ok(None), |file| scheme_beside(file, None))
}

/// Returns the scheme that is given, or the one beside the corpus that has the question, or the only bundled one that
/// has it; without a question, the one beside the corpus, or else that of votes on breakdowns.
///
/// # Errors
/// If there is none, or it cannot be used.
pub fn scheme_of(
    name: Option<&str>,
    given: Option<&str>,
    found: &[FoundPath],
) -> Result<Scheme, String> {
    if let Some(given) = given {
        return scheme_named(given, None);
    }
    if let Some(scheme) = beside(found)?
        && name.is_none_or(|name| scheme.question(name).is_some())
    {
        return Ok(scheme);
    }
    let mut bundled = Scheme::with_bundled(None);
    bundled.retain(|scheme| match name {
        Some(name) => scheme.question(name).is_some(),
        None => scheme.name == BREAKDOWN,
    });
    let name = name.unwrap_or_default();
    match bundled.len() {
        1 => Ok(bundled.remove(0)),
        0 => Err(format!(
            "no scheme here has the question {name:?}; see `turnwise schemes`, or name a scheme with --scheme"
        )),
        _ => {
            let names: Vec<_> = bundled.into_iter().map(|scheme| scheme.name).collect();
            Err(format!(
                "several schemes have the question {name:?}; choose one with --scheme: {}",
                names.join(", ")
            ))
        }
    }
}

/// The gold labels of dialogs, by their ids.
pub struct GoldLabels(HashMap<String, Dialog>);

impl GoldLabels {
    /// Reads the labels in a folder, or in a file.
    ///
    /// # Errors
    /// If there are no labels, a file cannot be read, or two files label the same dialog.
    pub fn read(folder: &Path) -> Result<Self, Stop> {
        let mut reports = examine(&find_files(&[folder.to_owned()]), |_| Companions::default());
        reports.retain(|report| !report.gathered.0.is_empty() || report.may_hold_votes());
        if report_issues(&reports) == CommandOutcome::Unusable {
            return Err(CommandOutcome::Unusable.into());
        }
        let mut of_dialogs = HashMap::new();
        for report in reports {
            for dialog in report.gathered.0 {
                if let Some(labels) = of_dialogs.insert(dialog.id.clone(), dialog) {
                    let why = format_args!("another file also has gold labels for {:?}", labels.id);
                    return Err(Stop::at(&report.path, why));
                }
            }
        }
        if of_dialogs.is_empty() {
            return Err(Stop::at(folder, "no gold labels here"));
        }
        Ok(Self(of_dialogs))
    }

    /// Sets the gold labels of the turns of a dialog, in place of its own.
    pub fn attach(&self, dialog: &mut Dialog) {
        match self.0.get(&dialog.id) {
            Some(labels) => dialog.attach_gold(labels),
            None => dialog.turns.iter_mut().for_each(|turn| turn.gold = None),
        }
    }
}
