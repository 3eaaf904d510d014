//! `turnwise formats new`: drafts a description of an unknown file.

use std::io::{self, Write as _};
use std::path::PathBuf;

use super::{complain, file_error};
use crate::cli::CommandOutcome;
use crate::cli::printer::Printer;
use crate::cli::style::shown;
use crate::format::declared::{Draft, draft};
use crate::shell::read_side_text;

/// Draft a description of an unknown file: places that look like turns, texts, speakers and spans
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise formats new data.json > formats/mine.toml")]
pub struct Arguments {
    /// A file of the corpus, of at most 64 MiB
    corpus: PathBuf,
}

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let path = &arguments.corpus;
    let text = match read_side_text(path, LARGEST) {
        Ok(text) => text,
        Err(error) => {
            file_error(path, &error);
            return Ok(CommandOutcome::Unusable);
        }
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    match draft(&text, &name) {
        Ok(Draft {
            toml,
            reads,
            warning,
        }) => {
            out.write_all(toml.as_bytes())?;
            complain(format_args!(
                "{}: the draft reads {reads}; check its guesses",
                shown(path)
            ));
            if let Some(warning) = warning {
                complain(format_args!("{}: {warning}", shown(path)));
            }
            Ok(CommandOutcome::Clean)
        }
        Err(why) => {
            file_error(path, &why);
            Ok(CommandOutcome::Unusable)
        }
    }
}
