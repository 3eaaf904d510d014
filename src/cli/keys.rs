//! `turnwise keys`: prints the active keymap as a table.

use std::io;
use std::io::Write as _;

use super::printer::Printer;
use super::{CommandOutcome, complain, style};
use crate::app::input::{Command, Scope};
use crate::shell::UserFolders;
use crate::text::{visible, width};

/// Print the active keymap as a table: keys, command, description
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  turnwise keys\n  turnwise keys --keymap annotator")]
pub struct Arguments {
    /// Keymap: default, annotator, or your own
    #[arg(long, value_name = "NAME")]
    keymap: Option<String>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let user = UserFolders::find();
    let name = arguments.keymap.clone().unwrap_or_else(|| user.settings().0.keymap);
    let keymap = match user.keymap(&name) {
        Ok(keymap) => keymap,
        Err(error) => {
            complain(format_args!("{error}"));
            return Ok(CommandOutcome::Unusable);
        }
    };
    for (i, scope) in Scope::ALL.into_iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        let title = out.style(style::PLACE);
        writeln!(out, "{title}{}{title:#}", scope.title())?;
        for command in Command::ALL.iter().copied() {
            let keys = keymap.keys_of(command, &[scope]).join("  ");
            let keys = visible(&keys);
            if !keys.is_empty() {
                let pad = " ".repeat(26_usize.saturating_sub(width(&keys)).max(2));
                writeln!(out, "  {keys}{pad}{:<18}  {}", command.name(), command.doc())?;
            }
        }
    }
    Ok(CommandOutcome::Clean)
}
