//! `turnwise git`: sets up git so that it compares and merges corpora by what they say.

mod attributes;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Subcommand;

use self::attributes::Attributes;
use super::CommandOutcome;
use super::copies::open_named;
use super::errors::{complain, file_error};
use super::options::{FamilyOption, InputOptions};
use super::printer::Printer;
use super::show;
use super::style::shown;
use crate::corpus::Contents;
use crate::shell::{LARGEST_DATA, git_output, read_named_file};

/// Set up git so that it compares and merges corpora by what they say
///
/// `install` writes attributes and settings, and prints each line that it writes; `uninstall` takes them away.
/// `status` exits with 1 where the attributes name a driver that this clone lacks: git would merge as text then,
/// without a word.
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
    /// For all repositories of this user, instead of this one
    #[arg(long)]
    global: bool,
}

#[derive(clap::Args)]
struct InstallArguments {
    #[command(flatten)]
    place: PlaceArguments,
    /// Leave files alone that git LFS keeps
    #[arg(long)]
    lfs_safe: bool,
    /// The files, as patterns of .gitattributes
    #[arg(value_name = "PATTERN", default_values_t = [String::from("*.json"), String::from("*.jsonl")])]
    patterns: Vec<String>,
}

/// The settings of the drivers, which every clone needs.
const SETTINGS: [(&str, &str); 7] = [
    ("diff.turnwise.textconv", "turnwise git textconv"),
    ("merge.turnwise.name", "merge of dialogs"),
    (
        "merge.turnwise.driver",
        "turnwise merge-driver %O %A %B %L %P %S %X %Y",
    ),
    // Several common ancestors are merged first: as text, they might be no JSON.
    ("merge.turnwise.recursive", "turnwise"),
    (
        "mergetool.turnwise.cmd",
        "turnwise merge \"$BASE\" \"$LOCAL\" \"$REMOTE\" -o \"$MERGED\" --review",
    ),
    ("mergetool.turnwise.trustExitCode", "false"),
    ("mergetool.turnwise.hideResolved", "false"),
];

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let global = match &arguments.action {
        GitAction::Install(install) => install.place.global,
        GitAction::Uninstall(place) | GitAction::Status(place) => place.global,
        GitAction::Textconv { path } => return textconv(path, out),
    };
    let place = match Place::here(global) {
        Ok(place) => place,
        Err(why) => {
            complain(format_args!("{why}"));
            return Ok(CommandOutcome::Unusable);
        }
    };
    let done = match &arguments.action {
        GitAction::Install(install) => place.install(install, out),
        GitAction::Uninstall(_) => place.uninstall(out),
        GitAction::Status(_) | GitAction::Textconv { .. } => place.status(out),
    };
    done.or_else(|why| {
        complain(format_args!("{why}"));
        Ok(CommandOutcome::Unusable)
    })
}

/// Prints a file for a diff.
fn textconv(path: &Path, out: &mut Printer) -> io::Result<CommandOutcome> {
    let opened = open_named(path, path, &InputOptions::default(), false);
    let is_corpus = |contents: &Contents| matches!(contents, Contents::Dialogs(_));
    if opened.is_ok_and(|file| is_corpus(&file.index().contents)) {
        let whole = show::Arguments::all_of(path.to_owned(), FamilyOption::default());
        show::run(&whole, out)?;
        return Ok(CommandOutcome::Clean);
    }
    match read_named_file(path, LARGEST_DATA) {
        Ok(bytes) => out.write_all(&bytes)?,
        Err(error) => {
            file_error(path, &error);
            return Ok(CommandOutcome::Unusable);
        }
    }
    Ok(CommandOutcome::Clean)
}

/// The repository here, or the settings of the user.
struct Place {
    global: bool,
    attributes: PathBuf,
}

impl Place {
    /// # Errors
    /// If git is not there, or this is not a repository.
    fn here(global: bool) -> Result<Self, String> {
        let attributes = if global {
            let set = git_output(&["config", "--global", "--type=path", "core.attributesFile"]);
            let set = set.ok().filter(|path| !path.is_empty()).map(PathBuf::from);
            match set.or_else(usual_attributes) {
                Some(path) => path,
                None => return Err("the folder of your settings is not known".to_owned()),
            }
        } else {
            let top = git_output(&["rev-parse", "--show-toplevel"])?;
            Path::new(&top).join(".gitattributes")
        };
        Ok(Self { global, attributes })
    }

    fn scope(&self) -> &'static str {
        if self.global { "--global" } else { "--local" }
    }

    fn install(&self, install: &InstallArguments, out: &mut Printer) -> io::Result<CommandOutcome> {
        for (name, value) in SETTINGS {
            git_output(&["config", self.scope(), name, value]).map_err(io::Error::other)?;
            writeln!(out, "git config {} {name} '{value}'", self.scope())?;
        }
        let mut attributes = Attributes::read(&self.attributes)?;
        let lines = attributes.add(&install.patterns, install.lfs_safe);
        attributes.write(&self.attributes)?;
        for line in lines {
            writeln!(out, "{}: {line}", shown(&self.attributes))?;
        }
        Ok(CommandOutcome::Clean)
    }

    fn uninstall(&self, out: &mut Printer) -> io::Result<CommandOutcome> {
        for section in ["diff.turnwise", "merge.turnwise", "mergetool.turnwise"] {
            if git_output(&["config", self.scope(), "--remove-section", section]).is_ok() {
                writeln!(
                    out,
                    "git config {} --remove-section {section}",
                    self.scope()
                )?;
            }
        }
        let mut attributes = Attributes::read(&self.attributes)?;
        for line in attributes.remove() {
            writeln!(out, "{}: removed {line}", shown(&self.attributes))?;
        }
        attributes.write(&self.attributes)?;
        Ok(CommandOutcome::Clean)
    }

    fn status(&self, out: &mut Printer) -> io::Result<CommandOutcome> {
        let attributes = Attributes::read(&self.attributes)?;
        let named = attributes.lines_of_turnwise().count() > 0;
        for line in attributes.lines_of_turnwise() {
            writeln!(out, "{}: {line}", shown(&self.attributes))?;
        }
        if !named {
            let path = shown(&self.attributes);
            writeln!(
                out,
                "{path} does not name turnwise; `turnwise git install` adds it"
            )?;
        }
        let mut outcome = CommandOutcome::Clean;
        for (name, _) in SETTINGS.iter().filter(|(name, _)| is_driver(name)) {
            // Settings of the user apply to every clone.
            match git_output(&["config", name]) {
                Ok(value) => writeln!(out, "{name} = {value}")?,
                Err(_) if named => {
                    outcome = CommandOutcome::Issues;
                    writeln!(
                        out,
                        "{name} is missing in this clone: git goes on without it; \
                         `turnwise git install` adds it"
                    )?;
                }
                Err(_) => {}
            }
        }
        Ok(outcome)
    }
}

/// True for the settings without which an attribute has no effect.
fn is_driver(name: &str) -> bool {
    name.ends_with(".textconv") || name.ends_with(".driver")
}

/// Returns the file of attributes that git reads for a user who has named none.
fn usual_attributes() -> Option<PathBuf> {
    let home = directories::BaseDirs::new()?;
    let config = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let config = config.unwrap_or_else(|| home.home_dir().join(".config"));
    Some(config.join("git/attributes"))
}
