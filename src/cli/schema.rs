//! `turnwise schema`: prints the published JSON Schema of a format.

use std::io::{self, Write as _};

use super::printer::Printer;
use super::{CommandOutcome, complain};
use crate::format::{self, named};

/// The schema of a line of a file of judgements, and its name.
const JUDGEMENT: (&str, &str) = (
    "judgement",
    include_str!("../../assets/schemas/judgement.schema.json"),
);

/// Print the JSON Schema of one dialog in a format, or of a judgement
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise schema taskmaster-3 > taskmaster-3.schema.json")]
pub struct Arguments {
    /// A format listed by `turnwise formats`, or `judgement`
    family: String,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    if arguments.family == JUDGEMENT.0 {
        out.as_json(|out| out.write_all(JUDGEMENT.1.as_bytes()))?;
        return Ok(CommandOutcome::Clean);
    }
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
