//! Something wrong in a file, and how it is printed: `file:line:column: message`.

use std::io::{self, Write as _};

use super::Report;
use crate::cli::paint;
use crate::cli::printer::Printer;
use crate::json::Position;
use crate::text::{visible, width};

/// Something wrong, and where.
#[derive(Debug)]
pub struct Located {
    /// None if the file as a whole cannot be read.
    pub position: Option<Position>,
    pub dialog: Option<usize>,
    pub turn: Option<usize>,
    /// A short, stable name of its kind.
    pub code: &'static str,
    pub message: String,
    /// The line it is on, before and from the place, for syntax errors.
    pub excerpt: Option<(String, String)>,
}

/// Says on standard error what is wrong with files.
pub fn tell_issues<G>(reports: &[Report<G>]) -> io::Result<()> {
    let mut stderr = Printer::stderr();
    for report in reports {
        for issue in &report.issues {
            print_issue(&report.file, issue, &mut stderr)?;
        }
    }
    stderr.flush()
}

/// Prints an issue of `file` on a line of its own; for one of syntax the place in its line as well.
pub fn print_issue(file: &str, issue: &Located, out: &mut Printer) -> io::Result<()> {
    let (place, dim) = (out.style(paint::PLACE), out.style(paint::DIM));
    let error = out.style(paint::ERROR);
    let position = issue
        .position
        .map(|position| format!(":{position}"))
        .unwrap_or_default();
    let dialog = issue
        .dialog
        .map(|dialog| format!("dialog {dialog}"))
        .unwrap_or_default();
    let turn = issue
        .turn
        .map(|turn| format!(", turn {turn}"))
        .unwrap_or_default();
    let whose = if dialog.is_empty() {
        String::new()
    } else {
        format!("{dialog}{turn}: ")
    };
    let message = visible(&issue.message);
    writeln!(
        out,
        "{place}{}{position}:{place:#} {whose}{message} {dim}[{}]{dim:#}",
        visible(file),
        issue.code
    )?;
    if let Some((before, after)) = &issue.excerpt {
        let (before, after) = (visible(before), visible(after));
        writeln!(out, "    {before}{after}")?;
        writeln!(out, "    {:1$}{error}^{error:#}", "", width(&before))?;
    }
    Ok(())
}
