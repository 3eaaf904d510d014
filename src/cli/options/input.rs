//! Flags of commands that read corpora and work in pipelines: the family of dialogs, the name of standard input,
//! and the exit code for problems.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::cli::CommandOutcome;
use crate::cli::errors::{Stop, file_error};
use crate::shell::{
    FoundPath, STDIN, find_files_of, leave_out_excluded, leave_out_own, open_regular,
    read_judgements, read_votes,
};
use crate::text::counted;

/// The flag that names the family of all dialogs.
#[derive(Clone, Default, clap::Args)]
pub struct FamilyOption {
    /// Read every dialog as one of this family, whatever it looks like; turnwise formats lists the names
    #[arg(long, value_name = "NAME")]
    pub family: Option<String>,
}

/// The flag of commands that compare annotators.
#[derive(Default, clap::Args)]
pub struct AnnotatorsOption {
    /// Take the answers of these annotators alone, models too: their ids, with commas between them
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub annotators: Vec<String>,
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
    /// Name of standard input in messages and records; settings, formats and ontologies beside a file of
    /// this name apply
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
            let why =
                format!("{lines} left out that are not judgements; `turnwise check` lists them");
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

/// Flags that make sums of the parts of a corpus, and add them.
#[derive(clap::Args)]
pub struct PartOptions {
    /// Print sums as JSON instead of figures; --from adds them
    #[arg(long, conflicts_with_all = ["format", "annotators"])]
    pub partial: bool,
    /// Add the sums that --partial printed, instead of reading corpora: files with one part on each line,
    /// or - for standard input
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
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
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
}

/// A part of any command.
#[derive(Deserialize)]
struct AnyPart {
    partial: PartOf,
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
    /// If it is not one; the message names the line.
    pub fn part<P: DeserializeOwned>(&self, of: PartOf) -> Result<P, String> {
        serde_json::from_str(&self.text).map_err(|error| {
            let why = match serde_json::from_str(&self.text) {
                Ok(AnyPart { partial }) if partial != of => {
                    format!(", but of `{}`", partial.command())
                }
                Ok(_) => format!(", or one of another version: {error}"),
                Err(_) => format!(": {error}"),
            };
            self.message(&format_args!("not a part of `{}`{why}", of.command()))
        })
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
            let why = "standard input goes to standard output; name no other files with it";
            Err(Stop::at(stdin.path(), why))
        }
        None => Ok(()),
    }
}
