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
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{CommandFactory, Parser, Subcommand};

use crate::shell::outlive_file_limits;
use crate::text::visible;
use errors::{Ended, Stop, complain};
use printer::Printer;

/// Browse, repair and judge dialog corpora, changing only the bytes you meant to change.
#[derive(Parser)]
#[command(
    name = "turnwise",
    version = concat!(env!("CARGO_PKG_VERSION"), env!("TURNWISE_REVISION")),
    arg_required_else_help = true,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_help = "Examples:\n  turnwise corpus/\n  turnwise demo\n  turnwise check corpus/\n\n`turnwise help` lists the topics of the manual."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    browse: browse::BrowseArguments,
}

/// Makes the enum of subcommands, and the function that runs one, of a row for each: its arguments, and what runs it.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($arguments:ty) => $run:path,)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$attribute])* $name($arguments),)*
        }

        impl Command {
            fn run(&self, out: &mut Printer) -> Ended {
                match self {
                    $(Self::$name(arguments) => $run(arguments, out),)*
                }
            }
        }
    };
}

commands! {
    Demo(browse::DemoArguments) => browse::run_demo,
    Check(check::Arguments) => check::run,
    Lint(lint::Arguments) => lint::run,
    Fix(fix::Arguments) => fix::run,
    Rules(rules::Arguments) => rules::run,
    Find(find::Arguments) => find::run,
    Show(show::Arguments) => show::run,
    Votes(votes::Arguments) => votes::run,
    Progress(votes::progress::Arguments) => votes::progress::run,
    Report(report::Arguments) => report::run,
    Score(score::Arguments) => score::run,
    Apply(apply::Arguments) => apply::run,
    Diff(diff::Arguments) => diff::run,
    Compare(compare::Arguments) => compare::run,
    Merge(merge::Arguments) => merge::run,
    #[command(hide = true)]
    MergeDriver(merge::DriverArguments) => merge::run_driver,
    Git(git::Arguments) => git::run,
    Blame(blame::Arguments) => blame::run,
    Export(export::Arguments) => export::run,
    Import(import::Arguments) => import::run,
    Schema(schema::Arguments) => schema::run,
    Formats(formats::Arguments) => formats::run,
    Schemes(schemes::Arguments) => schemes::run,
    Assign(assign::Arguments) => assign::run,
    Suggest(suggest::Arguments) => suggest::run,
    Keys(keys::Arguments) => keys::run,
    Config(config::Arguments) => config::run,
    Completions(completions::Arguments) => completions::run,
    Man(man::Arguments) => man::run,
    #[command(alias = "manual")]
    Help(help::Arguments) => help::run,
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
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
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
    Arguments::command()
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
