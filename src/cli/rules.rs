//! `turnwise rules`: lists the lint rules, or prints the page of one.

use std::io::Write as _;

use super::printer::Printer;
use super::{CommandOutcome, style};
use crate::cli::errors::{Ended, OrStop as _};
use crate::lint::{RULES, named};

/// List the rules of `lint`, or print the manual page of one
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  turnwise rules\n  turnwise rules span-cuts-word")]
pub struct Arguments {
    /// The name of a rule
    name: Option<String>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    match &arguments.name {
        None => {
            let (place, dim) = (out.style(style::PLACE), out.style(style::DIM));
            let longest = RULES.iter().map(|rule| rule.name.len()).max();
            let columns = longest.unwrap_or_default();
            for rule in RULES.iter() {
                let level = if rule.on { rule.severity.name() } else { "off" };
                writeln!(
                    out,
                    "{place}{:columns$}{place:#}  {dim}{level:8}{dim:#} {}",
                    rule.name,
                    rule.summary()
                )?;
            }
            Ok(CommandOutcome::Clean)
        }
        Some(name) => {
            let unknown = || format!("unknown rule {name}; see `turnwise rules`");
            let rule = named(name).ok_or_else(unknown).or_stop()?;
            let level = if rule.on { rule.severity.name() } else { "off by default" };
            writeln!(out, "# {} ({level})\n\n{}", rule.name, rule.page().trim_end())?;
            Ok(CommandOutcome::Clean)
        }
    }
}
