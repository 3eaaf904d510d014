//! `turnwise schema`: prints the published JSON Schema of a format.

use std::io::{self, Write as _};

use super::printer::Printer;
use super::{CommandOutcome, complain};
use crate::format::{self, named};

/// Print the JSON Schema of one dialog in a format
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise schema taskmaster-3 > taskmaster-3.schema.json")]
pub struct Arguments {
    /// A format listed by `turnwise formats`
    family: String,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let Some(format) = named(&arguments.family) else {
        let names: Vec<_> = format::all().map(format::Format::name).collect();
        complain(format_args!(
            "unknown format {:?}; use one of: {}",
            arguments.family,
            names.join(", ")
        ));
        return Ok(CommandOutcome::Unusable);
    };
    out.as_json(|out| out.write_all(format.schema().as_bytes()))?;
    Ok(CommandOutcome::Clean)
}
