//! `turnwise git`: sets up git so that it compares and merges corpora by what they say.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::copies::open_named;
use super::errors::{Ended, OrStop as _, complain};
use super::options::{FamilyOption, InputOptions};
use super::printer::Printer;
use super::style::shown;
use super::{CommandOutcome, show};
use crate::corpus::{Contents, CorpusFile};
use crate::dialog::Breakdown;
use crate::shell::{
    LARGEST_DATA, LARGEST_SETTINGS, git_output, read_named_file, read_side_text, write_text,
};
use crate::text::visible;

/// Set up git to compare and merge corpora dialog by dialog
///
/// `install` writes attributes and settings, and prints each line that it writes; `uninstall` takes them away.
/// `status` exits with 1 if the attributes name a driver that this clone lacks, because git would then silently merge
/// as text, or if turnwise is not in PATH.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise git install\n  turnwise git install 'logs/*.json'\n  turnwise git status"
)]
pub struct Arguments {
    #[command(subcommand)]
    action: GitAction,
}

#[derive(Subcommand)]
enum GitAction {
    /// Set it up in this repository
    Install(InstallArguments),
    /// Take away all that `install` has written
    Uninstall(PlaceArguments),
    /// Report what is set up, and what is missing
    Status(PlaceArguments),
    /// Print a file for git's diffs: dialogs as `show` prints them, other files as they are
    #[command(hide = true)]
    Textconv {
        /// The file
        path: PathBuf,
    },
}

#[derive(clap::Args)]
struct PlaceArguments {
    /// For all repositories of this user, not only for this repository
    #[arg(long)]
    global: bool,
}

#[derive(clap::Args)]
struct InstallArguments {
    #[command(flatten)]
    place: PlaceArguments,
    /// Skip files that git LFS stores
    #[arg(long)]
    lfs_safe: bool,
    /// The files, as patterns for `.gitattributes`
    #[arg(value_name = "PATTERN", default_values_t = [String::from("*.json"), String::from("*.jsonl")])]
    patterns: Vec<String>,
}

/// The settings of the drivers, which every clone needs. Git puts names of files behind each `--`, whatever they begin with.
const SETTINGS: [(&str, &str); 7] = [
    ("diff.turnwise.textconv", "turnwise git textconv --"),
    ("merge.turnwise.name", "merge of dialogs"),
    ("merge.turnwise.driver", "turnwise merge-driver -- %O %A %B %L %P %S %X %Y"),
    // Several common ancestors are merged first: as text, they might be no JSON.
    ("merge.turnwise.recursive", "turnwise"),
    (
        "mergetool.turnwise.cmd",
        "turnwise merge --review --output=\"$MERGED\" -- \"$BASE\" \"$LOCAL\" \"$REMOTE\"",
    ),
    ("mergetool.turnwise.trustExitCode", "false"),
    ("mergetool.turnwise.hideResolved", "false"),
];

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let global = match &arguments.action {
        GitAction::Install(install) => install.place.global,
        GitAction::Uninstall(place) | GitAction::Status(place) => place.global,
        GitAction::Textconv { path } => return textconv(path, out),
    };
    let place = Place::here(global).or_stop()?;
    match &arguments.action {
        GitAction::Install(install) => place.install(install, out),
        GitAction::Uninstall(_) => place.uninstall(out),
        GitAction::Status(_) | GitAction::Textconv { .. } => place.status(out),
    }
}

/// Prints a file for a diff.
fn textconv(path: &Path, out: &mut Printer) -> Ended {
    let opened = open_named(path, path, &InputOptions::default(), false);
    let is_corpus = |file: &CorpusFile| matches!(file.index().contents, Contents::Dialogs(_));
    if let Some(file) = opened.ok().filter(is_corpus) {
        let whole = show::Arguments::all_of(path.to_owned(), FamilyOption::default());
        show::run(&whole, out)?;
        print_votes(&file, out)?;
        return Ok(CommandOutcome::Clean);
    }
    out.write_all(&read_named_file(path, LARGEST_DATA).or_stop_at(path)?)?;
    Ok(CommandOutcome::Clean)
}

/// Prints who has given which vote: the bars of `show` do not tell it.
fn print_votes(file: &CorpusFile, out: &mut Printer) -> io::Result<()> {
    for position in 0..file.index().pieces.len() {
        let Some(dialog) = file.dialog_at(position) else {
            continue;
        };
        for (number, turn) in dialog.turns.iter().enumerate() {
            for vote in &turn.votes {
                let letter = vote.breakdown.map_or("?", Breakdown::letter);
                let line = format!("{letter}  {} {}", vote.annotator, vote.comment);
                let line = format!("dialog {position} {}, turn {number}: {line}", dialog.id);
                writeln!(out, "{}", visible(line.trim_end()))?;
            }
        }
    }
    Ok(())
}

/// The repository here, or the settings of the user.
struct Place {
    global: bool,
    attributes: PathBuf,
    /// The file that says what git ignores: that of the clone, which is not committed.
    ignored: PathBuf,
}

impl Place {
    /// # Errors
    /// If git is not there, or this is not a repository.
    fn here(global: bool) -> Result<Self, String> {
        let [attributes, ignored] = if global {
            [
                of_user("core.attributesFile", "git/attributes")?,
                of_user("core.excludesFile", "git/ignore")?,
            ]
        } else {
            let top = git_output(&["rev-parse", "--show-toplevel"])?;
            let ignored = git_output(&["rev-parse", "--git-path", "info/exclude"])?;
            [Path::new(&top).join(".gitattributes"), ignored.into()]
        };
        Ok(Self { global, attributes, ignored })
    }

    fn scope(&self) -> &'static str {
        if self.global { "--global" } else { "--local" }
    }

    fn install(&self, install: &InstallArguments, out: &mut Printer) -> Ended {
        for (name, value) in SETTINGS {
            git_output(&["config", self.scope(), name, value]).map_err(io::Error::other)?;
            writeln!(out, "git config {} {name} '{value}'", self.scope())?;
        }
        let patterns = install.patterns.iter();
        let named = patterns.map(|pattern| format!("{pattern} {NAMED}"));
        // Before those of git LFS.
        add(&self.attributes, named, install.lfs_safe, out)?;
        add(&self.ignored, [IGNORED.to_owned()], false, out)?;
        if !is_on_path() {
            complain(format_args!("{NOT_ON_PATH}"));
        }
        Ok(CommandOutcome::Clean)
    }

    fn uninstall(&self, out: &mut Printer) -> Ended {
        for section in ["diff.turnwise", "merge.turnwise", "mergetool.turnwise"] {
            if git_output(&["config", self.scope(), "--remove-section", section]).is_ok() {
                writeln!(out, "git config {} --remove-section {section}", self.scope())?;
            }
        }
        for path in [&self.attributes, &self.ignored] {
            let mut lines = Lines::read(path)?;
            for line in lines.remove() {
                writeln!(out, "{}: removed {line}", shown(path))?;
            }
            lines.write(path)?;
        }
        Ok(CommandOutcome::Clean)
    }

    fn status(&self, out: &mut Printer) -> Ended {
        let mut named = true;
        for (path, misses) in
            [(&self.ignored, "ignore lists of conflicts"), (&self.attributes, "name turnwise")]
        {
            let lines = Lines::read(path)?;
            named = lines.with_turnwise().count() > 0;
            for line in lines.with_turnwise() {
                writeln!(out, "{}: {line}", shown(path))?;
            }
            if !named {
                let path = shown(path);
                writeln!(
                    out,
                    "{path} does not {misses}; `turnwise git install` adds the missing line"
                )?;
            }
        }
        let mut outcome = CommandOutcome::Clean;
        let mut is_run_by_name = false;
        for (name, wanted) in SETTINGS.iter().filter(|(name, _)| is_driver(name)) {
            // Settings of the user apply to every clone.
            match git_output(&["config", name]) {
                Ok(value) => {
                    writeln!(out, "{name} = {value}")?;
                    if value.starts_with("turnwise ") {
                        is_run_by_name = true;
                        if value != *wanted {
                            outcome = CommandOutcome::Issues;
                            writeln!(
                                out,
                                "{name} is not up to date; `turnwise git install` updates it"
                            )?;
                        }
                    }
                }
                Err(_) if named => {
                    outcome = CommandOutcome::Issues;
                    writeln!(
                        out,
                        "{name} is missing in this clone, so git does not use turnwise; `turnwise git install` adds it"
                    )?;
                }
                Err(_) => {}
            }
        }
        if is_run_by_name && !is_on_path() {
            outcome = CommandOutcome::Issues;
            writeln!(out, "{NOT_ON_PATH}")?;
        }
        Ok(outcome)
    }
}

const NOT_ON_PATH: &str = "turnwise is not in PATH, so git cannot run it and leaves files unmerged";

/// True if the shell that git starts finds `turnwise`.
fn is_on_path() -> bool {
    let program = format!("turnwise{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(&program).is_file())
}

/// True for the settings without which an attribute has no effect.
fn is_driver(name: &str) -> bool {
    name.ends_with(".textconv") || name.ends_with(".driver")
}

/// Adds lines to a file, and prints those that were not there.
fn add(
    path: &Path,
    new: impl IntoIterator<Item = String>,
    first: bool,
    out: &mut Printer,
) -> io::Result<()> {
    let mut lines = Lines::read(path)?;
    let new = lines.add(new, first);
    lines.write(path)?;
    for line in new {
        writeln!(out, "{}: {line}", shown(path))?;
    }
    Ok(())
}

/// Returns the file that a setting of the user names, or else that of this name which git reads then.
fn of_user(setting: &str, usual: &str) -> Result<PathBuf, String> {
    let set = git_output(&["config", "--global", "--type=path", setting]);
    if let Some(path) = set.ok().filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    let config = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let home = || Some(directories::BaseDirs::new()?.home_dir().join(".config"));
    let config = config.or_else(home);
    let config = config.ok_or("no folder for your settings was found")?;
    Ok(config.join(usual))
}

/// The attributes that name the drivers.
const NAMED: &str = "diff=turnwise merge=turnwise";

/// The lists of conflicts, which are not meant to be committed.
const IGNORED: &str = "*.conflicts.jsonl";

/// A file of lines.
struct Lines {
    before: String,
    lines: Vec<String>,
    ends: bool,
}

impl Lines {
    /// Reads the file; it is empty if there is none.
    fn read(path: &Path) -> io::Result<Self> {
        let text = match read_side_text(path, LARGEST_SETTINGS) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            other => other?,
        };
        Ok(Self {
            lines: text.lines().map(str::to_owned).collect(),
            ends: text.is_empty() || text.ends_with('\n'),
            before: text,
        })
    }

    /// Returns the lines that turnwise has written.
    fn of_turnwise(&self) -> impl Iterator<Item = &String> {
        self.lines.iter().filter(|line| is_of_turnwise(line))
    }

    /// Returns the lines that concern turnwise, also those that somebody has written by hand.
    fn with_turnwise(&self) -> impl Iterator<Item = &String> {
        let names = |line: &str| {
            let mut words = line.split_whitespace().skip(1);
            words.any(|word| NAMED.split(' ').any(|named| named == word))
        };
        let lines = self.lines.iter();
        lines.filter(move |line| is_of_turnwise(line) || !line.starts_with('#') && names(line))
    }

    /// Adds the lines that are not there; returns these. With `first` they come before the others, so that later lines
    /// win.
    fn add(&mut self, lines: impl IntoIterator<Item = String>, first: bool) -> Vec<String> {
        let lines = lines.into_iter();
        let new: Vec<String> = lines.filter(|line| !self.lines.contains(line)).collect();
        let at = if first { 0 } else { self.lines.len() };
        self.lines.splice(at..at, new.clone());
        self.ends |= !new.is_empty();
        new
    }

    /// Removes the lines that turnwise has written, and returns them.
    fn remove(&mut self) -> Vec<String> {
        let removed = self.of_turnwise().cloned().collect();
        self.lines.retain(|line| !is_of_turnwise(line));
        removed
    }

    /// Writes the file if it has changed; a file without a line is removed.
    fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = self.lines.join("\n");
        if self.ends && !text.is_empty() {
            text.push('\n');
        }
        if text == self.before {
            return Ok(());
        }
        if text.is_empty() {
            return std::fs::remove_file(path);
        }
        let written = write_text(path, text.as_bytes(), &[], true);
        written.map(|_| ()).map_err(io::Error::other)
    }
}

fn is_of_turnwise(line: &str) -> bool {
    line.ends_with(NAMED) || line == IGNORED
}
