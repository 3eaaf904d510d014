//! Subcommands: one file each, turning arguments into output and an exit code.
//!
//! Exit codes mean the same everywhere: 0 success, 1 there is something to look at (an issue, a record
//! that does not fit), 2 a file could not be read or written.
//!
//! Commands do not import each other; modules of their own hold what they share: `options` has flags,
//! `scan` reads corpora and reports unreadable files, `each_dialog` reads their dialogs in order, `records` reads
//! edits and finds their dialogs, `turn_lines` shows turns, `edited` shows changes or saves them, `copies` opens the copies
//! of a corpus that are compared, `errors` writes to standard error, and a `Printer` to both: it styles the
//! program's own text, and makes control characters of data visible on a terminal.

mod apply;
mod assign;
mod blame;
mod browse;
mod check;
mod compare;
mod completions;
mod config;
mod conflicts;
mod copies;
mod diff;
mod drawn;
mod each_dialog;
mod edited;
mod errors;
mod export;
mod find;
mod finding;
mod fix;
mod formats;
mod git;
mod help;
mod import;
mod keys;
mod lint;
mod man;
mod merge;
mod options;
mod output;
mod page;
mod printer;
mod records;
mod report;
mod rules;
mod scan;
mod schema;
mod schemes;
mod score;
mod show;
mod style;
mod suggest;
mod turn_lines;
mod votes;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::shell::outlive_file_limits;
use crate::text::visible;
use errors::{Ended, Stop, complain};
use printer::Printer;

/// Browse, repair and judge dialog corpora; every byte you do not edit stays
#[derive(Parser)]
#[command(
    name = "turnwise",
    version = concat!(env!("CARGO_PKG_VERSION"), env!("TURNWISE_REVISION")),
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    max_term_width = 100,
    override_usage = "turnwise [OPTIONS] PATH...   browse, repair and judge on the screen\n       \
        turnwise COMMAND             one of the commands below",
    after_help = "Try `turnwise demo`; `turnwise help` lists all commands and manual topics."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    browse: browse::BrowseArguments,
}

/// Makes the enum of subcommands, the function that runs one, and the groups in which help lists them, of a row for
/// each: its arguments, what runs it, and the topic of the manual that describes it.
macro_rules! commands {
    ($($group:literal { $($(#[$attribute:meta])* $name:ident($arguments:ty) => $run:path, $topic:literal;)* })*) => {
        #[derive(Subcommand)]
        enum Command {
            $($($(#[$attribute])* $name($arguments),)*)*
        }

        impl Command {
            /// The title of each group, with its commands and their topics.
            const GROUPS: &[(&str, &[(&str, &str)])] =
                &[$(($group, &[$((stringify!($name), $topic)),*])),*];

            fn run(&self, out: &mut Printer) -> Ended {
                match self {
                    $($(Self::$name(arguments) => $run(arguments, out),)*)*
                }
            }
        }
    };
}

commands! {
    "Commands" {
        Check(check::Arguments) => check::run, "formats";
        Fix(fix::Arguments) => fix::run, "lint";
        Find(find::Arguments) => find::run, "searching";
        Show(show::Arguments) => show::run, "scripting";
        Votes(votes::Arguments) => votes::run, "votes";
        Report(report::Arguments) => report::run, "report";
        Export(export::Arguments) => export::run, "exporting";
        Import(import::Arguments) => import::run, "exporting";
        Apply(apply::Arguments) => apply::run, "scripting";
        Merge(merge::Arguments) => merge::run, "comparing";
    }
    "Problems" {
        Lint(lint::Arguments) => lint::run, "lint";
        Rules(rules::Arguments) => rules::run, "lint";
    }
    "Judging" {
        Schemes(schemes::Arguments) => schemes::run, "judging";
        Assign(assign::Arguments) => assign::run, "teams";
        Progress(votes::progress::Arguments) => votes::progress::run, "teams";
        Suggest(suggest::Arguments) => suggest::run, "error-analysis";
        Score(score::Arguments) => score::run, "votes";
    }
    "Copies" {
        Diff(diff::Arguments) => diff::run, "comparing";
        Compare(compare::Arguments) => compare::run, "comparing";
        Blame(blame::Arguments) => blame::run, "comparing";
        Git(git::Arguments) => git::run, "comparing";
        #[command(hide = true)]
        MergeDriver(merge::DriverArguments) => merge::run_driver, "comparing";
    }
    "Formats" {
        Formats(formats::Arguments) => formats::run, "own-format";
        Schema(schema::Arguments) => schema::run, "formats";
    }
    "Set-up" {
        Demo(browse::DemoArguments) => browse::run_demo, "browsing";
        Keys(keys::Arguments) => keys::run, "settings";
        Config(config::Arguments) => config::run, "settings";
        Completions(completions::Arguments) => completions::run, "settings";
        Man(man::Arguments) => man::run, "settings";
        #[command(alias = "manual")]
        Help(help::Arguments) => help::run, "browsing";
    }
}

/// The result of a subcommand.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
enum CommandOutcome {
    #[default]
    Clean,
    /// There is something to look at.
    Issues,
    /// A file could not be read or written.
    Unusable,
}

impl From<CommandOutcome> for ExitCode {
    fn from(outcome: CommandOutcome) -> Self {
        match outcome {
            CommandOutcome::Clean => Self::SUCCESS,
            CommandOutcome::Issues => Self::from(1),
            CommandOutcome::Unusable => Self::from(2),
        }
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    outlive_file_limits();
    // Only help needs the groups and topics, which take time to add.
    let parsed = Arguments::try_parse().or_else(|_| {
        let found = program().try_get_matches()?;
        Arguments::from_arg_matches(&found)
    });
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) if error.kind() == ErrorKind::UnknownArgument && mistyped().is_some() => {
            return finish(Err(Stop::say(mistyped().unwrap_or_default())), &mut Printer::stdout());
        }
        Err(error) if error.use_stderr() => {
            return finish(report_arguments(&error), &mut Printer::stdout());
        }
        // Help and the version, which a full disk may refuse.
        Err(help) => {
            let printed = help.print().map(|()| CommandOutcome::Clean);
            return finish(printed.map_err(Stop::from), &mut Printer::stdout());
        }
    };
    let mut out = Printer::stdout();
    let ended = match &arguments.command {
        Some(command) => command.run(&mut out),
        None => browse::run(&arguments.browse, &mut out),
    };
    finish(ended, &mut out)
}

/// Returns the command line.
fn program() -> clap::Command {
    let command = help::with_topics(Arguments::command());
    let template = help::template(&command);
    command.help_template(template)
}

/// Returns the command line with the names that `help` accepts, which depend on the other commands.
fn described() -> clap::Command {
    let command = program();
    let names = help::names(&command);
    command.mut_subcommand("help", |help| {
        help.mut_arg("names", |arg| arg.value_parser(PossibleValuesParser::new(names)))
    })
}

/// Reports arguments that cannot be understood. A name of a file may be among them.
fn report_arguments(error: &clap::Error) -> Ended {
    let is_harmless = |argument: OsString| {
        let argument = argument.to_string_lossy();
        visible(&argument) == argument
    };
    let mut stderr = Printer::stderr();
    let message = error.render();
    if env::args_os().all(is_harmless) {
        stderr.print_own(&message.ansi().to_string())?;
    } else {
        for line in message.to_string().lines() {
            writeln!(stderr, "{}", visible(line))?;
        }
    }
    stderr.flush()?;
    Ok(CommandOutcome::Unusable)
}

fn is_subcommand(name: &str) -> bool {
    program().find_subcommand(name).is_some()
}

/// Returns a message about the first argument if that is neither a file nor a command, but nearly one.
fn mistyped() -> Option<String> {
    let first = env::args().nth(1).filter(|first| !Path::new(first).exists())?;
    let program = program();
    let commands = program.get_subcommands().map(clap::Command::get_name);
    let near = help::nearest(&first, commands).filter(|near| *near != first)?;
    Some(format!("there is no file or command {first:?}; did you mean `turnwise {near}`?"))
}

/// Reports why a command has ended early, and returns its exit code.
fn finish(ended: Ended, out: &mut Printer) -> ExitCode {
    let printed = ended.and_then(|outcome| Ok(out.flush().map(|()| outcome)?));
    match printed {
        Ok(outcome) => outcome.into(),
        // A closed pipe means that the reader does not want the rest.
        Err(Stop::Printing(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(stop) => {
            // What was found before is printed, too, as far as it can be.
            let _ = out.flush();
            match stop {
                Stop::Told(outcome) => return outcome.into(),
                Stop::Say(why) => complain(format_args!("{why}")),
                Stop::Printing(error) => complain(format_args!("{error}")),
            }
            CommandOutcome::Unusable.into()
        }
    }
}
