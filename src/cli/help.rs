//! `turnwise help`: shows manual topics and the options of commands.

use super::printer::Printer;
use super::turn_lines::print_line;
use super::{Command, CommandOutcome, complain, program, style};
use crate::app::help::filled;
use crate::app::input::Keymap;
use crate::app::manual::{CHAPTERS, page, plain, topic};
use crate::cli::errors::{Ended, Stop};
use crate::shell;
use crate::shell::{KEYMAPS, UserFolders};
use std::fmt::{Display, Write as _};
use std::io::{IsTerminal as _, Write as _};
use std::{env, io};

use clap::builder::StyledStr;

/// Show a topic of the manual, or the options of a command
///
/// Without a name, lists the topics and the commands. If a command has the name of a topic, its options follow the text.
/// On a terminal the text is shown in $PAGER, or in less. Exit code: 0 success, 2 there is no such topic or command.
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
            let help = help.map_or_else(String::new, |help| {
                let (place, end) = (style::PLACE, format!("{:#}", style::PLACE));
                format!("\n{place}turnwise {first}{end}\n\n{}", help.ansi())
            });
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

/// Shows a topic and the help of the command of that name, if there is one: styled and in the pager on a terminal,
/// else as Markdown.
fn show(help: &str, topic: &str, out: &mut Printer) -> io::Result<()> {
    let text = filled(topic, &keymap()?);
    let terminal = io::stdout();
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    if !terminal.is_terminal() || is_dumb {
        write!(out, "{}", plain(&text))?;
        return out.print_own(help);
    }
    let shown = Printer::printed(out.manner(), |out| {
        if out.is_plain() {
            write!(out, "{}", plain(&text))?;
            return out.print_own(help);
        }
        let columns = terminal_size::terminal_size_of(&terminal);
        let columns = columns.map_or(WIDEST, |(columns, _)| usize::from(columns.0).min(WIDEST));
        let lines = page(&text, columns, usize::MAX).lines;
        lines.iter().try_for_each(|line| print_line(line, out))?;
        out.print_own(help)
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

/// Returns the groups of commands, each with its title.
fn groups(command: &clap::Command) -> impl Iterator<Item = (&'static str, Vec<&clap::Command>)> {
    Command::GROUPS.iter().map(move |(title, names)| {
        let is_in = |of: &&clap::Command| {
            names.iter().any(|(name, _)| name.eq_ignore_ascii_case(of.get_name()))
        };
        (*title, shown(command).filter(is_in).collect())
    })
}

/// A list of rows under titles.
struct List {
    text: String,
    /// The width of the names.
    columns: usize,
}

impl List {
    fn title(&mut self, title: &str) {
        let (place, end) = (style::PLACE, format!("{:#}", style::PLACE));
        let _ = writeln!(self.text, "\n{place}{title}:{end}");
    }

    fn row(&mut self, name: &str, about: impl Display) {
        let (place, end, columns) = (style::PLACE, format!("{:#}", style::PLACE), self.columns);
        let _ = writeln!(self.text, "  {place}{name:<columns$}{end}  {about}");
    }

    /// Adds a row for each command.
    fn commands(&mut self, commands: &[&clap::Command]) {
        for command in commands {
            let about = command.get_about().map(ToString::to_string);
            self.row(command.get_name(), about.unwrap_or_default());
        }
    }
}

/// Adds to the help of each command the topic of the manual that describes it.
pub fn with_topics(mut command: clap::Command) -> clap::Command {
    for (name, topic) in Command::GROUPS.iter().flat_map(|(_, commands)| *commands) {
        let more = |help: &StyledStr| format!("{help}\n\nSee also `turnwise help {topic}`.");
        let name = name.to_lowercase();
        if command.find_subcommand(&name).is_some() {
            command = command.mut_subcommand(&name, |mut below| {
                if let Some(help) = below.get_after_help().map(more) {
                    below = below.after_help(help);
                }
                match below.get_after_long_help().map(more) {
                    Some(help) => below.after_long_help(help),
                    None => below,
                }
            });
        }
    }
    command
}

/// Returns the template of `turnwise --help`: the first group of commands, each with its purpose; the others by name.
pub fn template(command: &clap::Command) -> String {
    let text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    let mut list = List { text, columns: 8 };
    let mut all = groups(command);
    for (title, commands) in all.by_ref().take(1) {
        list.title(title);
        list.commands(&commands);
    }
    list.title("More");
    for (title, commands) in all {
        let names: Vec<_> = commands.iter().map(|command| command.get_name()).collect();
        list.row(title, names.join(", "));
    }
    list.title("Options");
    list.text + "{options}{after-help}"
}

/// Returns the list of topics and commands.
fn listed(command: &clap::Command) -> String {
    let text = String::from(
        "turnwise help TOPIC      show a topic of the manual\n\
         turnwise help COMMAND    show the options of a command\n",
    );
    let mut list = List { text, columns: 14 };
    list.title("Topics");
    for chapter in CHAPTERS {
        list.row(chapter.name, chapter.about);
    }
    for (title, commands) in groups(command) {
        list.title(title);
        list.commands(&commands);
    }
    list.text
}

/// Returns the name that `name` nearly is.
pub fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let near = names.map(|known| (strsim::osa_distance(known, name), known));
    let near = near.filter(|(distance, known)| *distance <= NEAR && *distance * 2 < known.len());
    near.min().map(|(_, known)| known)
}

/// Returns the message for a name that is neither a topic nor a command.
fn unknown(name: &str, command: &clap::Command) -> String {
    let names = names(command);
    let near = nearest(name, names.iter().map(String::as_str));
    let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    let topics: Vec<_> = CHAPTERS.iter().map(|chapter| chapter.name).collect();
    let commands = shown(command).map(clap::Command::get_name);
    format!(
        "there is no topic or command {name:?}{near}\ntopics: {}\ncommands: {}",
        topics.join(", "),
        commands.collect::<Vec<_>>().join(", ")
    )
}
