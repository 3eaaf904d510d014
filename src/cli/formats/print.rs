//! `turnwise formats print`: prints a bundled description, as an example or a beginning.

use std::io::Write as _;

use super::complain;
use crate::cli::CommandOutcome;
use crate::cli::errors::Ended;
use crate::cli::printer::Printer;
use crate::format::descriptions;

/// Print the description of a format, as an example for your own
///
/// Exit code: 0 printed, 2 the format has no description.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise formats print codex > formats/mine.toml")]
pub struct Arguments {
    /// The name of the format, as `turnwise formats` lists it
    name: String,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let name = &arguments.name;
    let is_it = |(file, _): &(&str, &str)| file.strip_suffix(".toml") == Some(name);
    if let Some((_, description)) = descriptions().find(is_it) {
        write!(out, "{description}")?;
        return Ok(CommandOutcome::Clean);
    }
    let names = descriptions().filter_map(|(file, _)| file.strip_suffix(".toml"));
    let names: Vec<_> = names.collect();
    complain(format_args!("no description is called {name}; there are {}", names.join(", ")));
    Ok(CommandOutcome::Unusable)
}
