//! `turnwise man`: writes man pages.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap_mangen::Man;

use super::printer::Printer;
use super::style::shown;
use super::{CommandOutcome, program};
use crate::cli::errors::{Ended, OrStop as _};
use crate::text::counted;

/// Write man pages, one per command
///
/// Replaces existing pages. Without a folder, prints the page of turnwise itself. Exit code: 0 success,
/// 2 a page could not be written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise man ~/.local/share/man/man1\n  turnwise man | man -l -"
)]
pub struct Arguments {
    /// The output folder
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let Some(folder) = &arguments.folder else {
        let mut page = Vec::new();
        Man::new(program()).render(&mut page)?;
        out.write_all(&page)?;
        return Ok(CommandOutcome::Clean);
    };
    // The pages of each command's own `help` would repeat `--help`.
    let mut command = program().disable_help_subcommand(true);
    command.build();
    let written = fs::create_dir_all(folder).and_then(|()| write_all(&command, folder));
    let pages = counted(written.or_stop_at(folder)?, "man page");
    writeln!(out, "{}: {pages} written", shown(folder))?;
    Ok(CommandOutcome::Clean)
}

/// Writes the pages of `command` and all its subcommands; returns their number.
fn write_all(command: &clap::Command, folder: &Path) -> io::Result<usize> {
    let mut count = 1;
    for below in command
        .get_subcommands()
        .filter(|c| !c.is_hide_set())
        .filter(|c| c.get_name() != "help" || c.get_arguments().next().is_some())
    {
        count += write_all(below, folder)?;
    }
    Man::new(command.clone()).generate_to(folder)?;
    Ok(count)
}
