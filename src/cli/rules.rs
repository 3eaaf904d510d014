//! `turnwise rules`: lists the lint rules, or prints the page of one.

use std::io::{self, Write as _};

use super::printer::Printer;
use super::{CommandOutcome, complain, style};
use crate::lint::{RULES, named};

/// List the rules of `lint`, or print the manual page of one
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  turnwise rules\n  turnwise rules span-cuts-word")]
pub struct Arguments {
    /// The name of a rule
    name: Option<String>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    match &arguments.name {
        None => {
            let (place, dim) = (out.style(style::PLACE), out.style(style::DIM));
            let longest = RULES.iter().map(|rule| rule.name.len()).max();
            let columns = longest.unwrap_or_default();
            for rule in RULES {
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
        Some(name) => match named(name) {
            Some(rule) => {
                let level = if rule.on { rule.severity.name() } else { "off by default" };
                writeln!(out, "# {} ({level})\n\n{}", rule.name, rule.page().trim_end())?;
                Ok(CommandOutcome::Clean)
            }
            None => {
                complain(format_args!("unknown rule {name}; see `turnwise rules`"));
                Ok(CommandOutcome::Unusable)
            }
        },
    }
}
