//! `turnwise schema`: prints the published JSON Schema of a format.

use std::io::Write as _;

use super::CommandOutcome;
use super::printer::Printer;
use crate::cli::errors::{Ended, Stop};
use crate::format::{self, named};

/// The names and schemas of what turnwise writes: a line of a file of judgements, a report.
const WRITTEN: [(&str, &str); 2] = [
    ("judgement", include_str!("../../assets/schemas/judgement.schema.json")),
    ("report", include_str!("../../assets/schemas/report.schema.json")),
];

/// Print the JSON Schema of one dialog in a format, of a judgement, or of a report
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise schema taskmaster-3 > taskmaster-3.schema.json")]
pub struct Arguments {
    /// A format listed by `turnwise formats`, `judgement` or `report`
    family: String,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let mut written = WRITTEN.iter();
    if let Some((_, schema)) = written.find(|(name, _)| arguments.family == *name) {
        out.as_json(|out| out.write_all(schema.as_bytes()))?;
        return Ok(CommandOutcome::Clean);
    }
    let Some(format) = named(&arguments.family) else {
        let names: Vec<_> = format::all().map(format::Family::name).collect();
        return Err(Stop::say(format_args!(
            "unknown format {:?}; use one of: {}",
            arguments.family,
            names.join(", ")
        )));
    };
    out.as_json(|out| out.write_all(format.schema().as_bytes()))?;
    Ok(CommandOutcome::Clean)
}
