//! `turnwise completions`: completion scripts for shells.

use std::io::Write as _;

use clap_complete::Shell;

use super::printer::Printer;
use super::{CommandOutcome, described};
use crate::cli::errors::Ended;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  turnwise completions bash > ~/.local/share/bash-completion/completions/turnwise"
)]
pub struct Arguments {
    shell: Shell,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut described(), "turnwise", &mut script);
    out.write_all(&script)?;
    Ok(CommandOutcome::Clean)
}
