//! `turnwise formats`: lists the supported dataset formats.

use std::io::{self, Write as _};

use super::printer::Printer;
use super::{CommandOutcome, style};
use crate::format;

/// List the supported dataset formats
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise formats")]
pub struct Arguments {}

pub fn run(_: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let name = format::all()
        .map(|format| format.name().len())
        .max()
        .unwrap_or(0);
    let title = format::all()
        .map(|format| format.title().len())
        .max()
        .unwrap_or(0);
    let (bold, dim) = (out.style(style::PLACE), out.style(style::DIM));
    for format in format::all() {
        writeln!(
            out,
            "{bold}{:name$}{bold:#}  {:title$}  {dim}{}{dim:#}",
            format.name(),
            format.title(),
            format.holds()
        )?;
    }
    Ok(CommandOutcome::Clean)
}
