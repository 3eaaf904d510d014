//! `turnwise keys`: prints the active keymap as a table.

use std::io::Write as _;

use super::printer::Printer;
use super::{CommandOutcome, style};
use crate::app::input::{Command, Scope};
use crate::cli::errors::{Ended, OrStop as _};
use crate::shell::UserFolders;
use crate::text::{visible, width};

/// Print a table of all keys, with their commands and descriptions
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  turnwise keys\n  turnwise keys --keymap annotator")]
pub struct Arguments {
    /// Keymap: default, annotator, or your own
    #[arg(long, value_name = "NAME")]
    keymap: Option<String>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let user = UserFolders::find();
    let name = arguments.keymap.clone().unwrap_or_else(|| user.settings().0.keymap);
    let keymap = user.keymap(&name).or_stop()?;
    for (i, scope) in Scope::ALL.into_iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        let title = out.style(style::PLACE);
        writeln!(out, "{title}{}{title:#}", scope.title())?;
        for command in Command::ALL.iter().copied() {
            let keys: Vec<_> = keymap.keys_of(command, &[scope]).collect();
            let keys = keys.join("  ");
            let keys = visible(&keys);
            if !keys.is_empty() {
                let pad = " ".repeat(26_usize.saturating_sub(width(&keys)).max(2));
                writeln!(out, "  {keys}{pad}{:<18}  {}", command.name(), command.doc())?;
            }
        }
    }
    Ok(CommandOutcome::Clean)
}
