//! `turnwise help`: shows manual topics and the options of commands.

use super::printer::Printer;
use super::turn_lines::print_line;
use super::{CommandOutcome, complain, program, style};
use crate::app::help::filled;
use crate::app::input::Keymap;
use crate::app::manual::{CHAPTERS, page, plain, topic};
use crate::cli::errors::{Ended, Stop};
use crate::shell;
use crate::shell::{KEYMAPS, UserFolders};
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::{env, io};

use clap::builder::StyledStr;

/// Show a topic of the manual, or the options of a command
///
/// Without a name, lists the topics and the commands. On a terminal the text is shown in $PAGER, or
/// in less. Exit code: 0 success, 2 there is no such topic or command.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise help\n  turnwise help judging\n  turnwise help lint | grep span"
)]
pub struct Arguments {
    /// A topic or a command
    #[arg(value_name = "TOPIC")]
    names: Vec<String>,
}

/// Widest line, in columns.
const WIDEST: usize = 100;
/// The most letters that may differ between a name and a suggestion.
const NEAR: usize = 2;

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let command = &program();
    let names = arguments.names.as_slice();
    let [first, ..] = names else {
        out.print_own(&listed(command))?;
        return Ok(CommandOutcome::Clean);
    };
    let asked = command_help(command, names);
    let topic = topic(first).filter(|_| names.len() == 1);
    match (asked, topic) {
        (None, None) => {
            return Err(Stop::say(format_args!("{}", unknown(&names.join(" "), command))));
        }
        (Some(help), None) => out.print_own(&help.ansi().to_string())?,
        (help, Some(topic)) => {
            let help = help.map_or_else(String::new, |help| format!("{}\n", help.ansi()));
            show(&help, topic, out)?;
        }
    }
    Ok(CommandOutcome::Clean)
}

/// Returns the commands that are not for programs alone.
fn shown(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    command.get_subcommands().filter(|below| !below.is_hide_set())
}

/// Returns the names of topics and commands.
pub fn names(command: &clap::Command) -> Vec<String> {
    let commands = shown(command).map(clap::Command::get_name);
    let topics = CHAPTERS.iter().map(|chapter| chapter.name);
    let mut names: Vec<_> = topics.chain(commands).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// Returns the `--help` output of the subcommand that `names` lead to; None if there is no such
/// subcommand.
fn command_help<'c>(command: &'c clap::Command, names: &[String]) -> Option<StyledStr> {
    let below = |of: &'c clap::Command, name: &String| of.find_subcommand(name);
    names.iter().try_fold(command, below)?;
    let words = ["turnwise"].into_iter().chain(names.iter().map(String::as_str));
    let asked = command.clone().try_get_matches_from(words.chain(["--help"]));
    asked.err().map(|help| help.render())
}

/// Shows the help of a command, if there is one, and a topic: styled and in the pager on a terminal,
/// else as Markdown.
fn show(help: &str, topic: &str, out: &mut Printer) -> io::Result<()> {
    let text = filled(topic, &keymap()?);
    let terminal = io::stdout();
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    if !terminal.is_terminal() || is_dumb {
        out.print_own(help)?;
        return write!(out, "{}", plain(&text));
    }
    let shown = Printer::printed(out.manner(), |out| {
        out.print_own(help)?;
        if out.is_plain() {
            return write!(out, "{}", plain(&text));
        }
        let columns = terminal_size::terminal_size_of(&terminal);
        let columns = columns.map_or(WIDEST, |(columns, _)| usize::from(columns.0).min(WIDEST));
        let lines = page(&text, columns, usize::MAX).lines;
        lines.iter().try_for_each(|line| print_line(line, out))
    })?;
    if shell::page(shown.as_bytes())? {
        return Ok(());
    }
    out.print(&shown)
}

/// Returns the user's keymap, or the default one if that cannot be used.
fn keymap() -> io::Result<Keymap> {
    let user = UserFolders::find();
    let name = user.settings().0.keymap;
    user.keymap(&name).or_else(|unusable| {
        complain(format_args!("{unusable}"));
        Keymap::read(KEYMAPS[0].1).map_err(io::Error::other)
    })
}

/// Returns the list of topics and commands.
fn listed(command: &clap::Command) -> String {
    let mut text = String::from(
        "turnwise help TOPIC      show a topic of the manual\n\
         turnwise help COMMAND    show the options of a command\n",
    );
    let topics = CHAPTERS.iter().map(|c| (c.name, c.about.to_owned()));
    let commands = shown(command).map(|of| {
        let about = of.get_about().map(ToString::to_string);
        (of.get_name(), about.unwrap_or_default())
    });
    for (title, rows) in [("Topics", topics.collect::<Vec<_>>()), ("Commands", commands.collect())]
    {
        let (place, end) = (style::PLACE, format!("{:#}", style::PLACE));
        let _ = writeln!(text, "\n{place}{title}:{end}");
        for (name, about) in rows {
            let _ = writeln!(text, "  {place}{name:<11}{end}  {about}");
        }
    }
    text
}

/// Returns the message for a name that is neither a topic nor a command.
fn unknown(name: &str, command: &clap::Command) -> String {
    let names = names(command);
    let near = names
        .iter()
        .map(|known| (strsim::osa_distance(known, name), known))
        .filter(|(distance, _)| *distance <= NEAR)
        .min();
    let near = near.map_or_else(String::new, |(_, near)| format!("; did you mean {near}?"));
    let topics: Vec<_> = CHAPTERS.iter().map(|chapter| chapter.name).collect();
    let commands = shown(command).map(clap::Command::get_name);
    format!(
        "there is no topic or command {name:?}{near}\ntopics: {}\ncommands: {}",
        topics.join(", "),
        commands.collect::<Vec<_>>().join(", ")
    )
}
