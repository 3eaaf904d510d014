//! `turnwise completions`: completion scripts for shells.

use std::io::{self, Write as _};

use clap_complete::Shell;

use super::CommandOutcome;
use super::printer::Printer;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  turnwise completions bash > ~/.local/share/bash-completion/completions/turnwise"
)]
pub struct Arguments {
    shell: Shell,
}

pub fn run(
    arguments: &Arguments,
    command: &mut clap::Command,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, command, "turnwise", &mut script);
    out.write_all(&script)?;
    Ok(CommandOutcome::Clean)
}
