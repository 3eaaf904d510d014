//! Prints problems for people: position, message, and the turn with a caret under the place.

use std::collections::BTreeMap;
use std::io;
use std::io::Write as _;
use std::ops::Range;

use serde::Serialize;

use super::{LintReport, LocatedProblem};
use crate::cli::printer::Printer;
use crate::cli::style;
use crate::lint::{Applicability, Severity};
use crate::page::{Cell, Column, Page, Table};
use crate::text::{counted, grouped, visible, width};

/// Widest excerpt, in columns.
const COLUMNS: usize = 96;
/// Columns of the excerpt before the problem.
const BEFORE: usize = 40;

pub fn print(files: &[LintReport], out: &mut Printer) -> io::Result<()> {
    for file in files {
        for problem in &file.problems {
            one(&file.file, problem, out)?;
        }
    }
    summary(files, out)
}

fn one(file: &str, problem: &LocatedProblem, out: &mut Printer) -> io::Result<()> {
    let (place, dim) = (out.style(style::PLACE), out.style(style::DIM));
    let found = &problem.found;
    let level = out.style(match found.severity {
        Severity::Error => style::ERROR,
        Severity::Warning => style::LABEL,
        Severity::Note => style::DIM,
    });
    let at = problem.position;
    let mut within = problem.dialog.map_or(String::new(), |d| format!("dialog {d}, "));
    if let Some(turn) = found.location.turn {
        within = format!("{within}turn {turn}, ");
    }
    writeln!(
        out,
        "{place}{}:{at}:{place:#} {level}{}{level:#}: {}{dim} [{}]{dim:#}",
        visible(file),
        found.severity,
        visible(&format!("{within}{}", found.message).replace(", :", ":")),
        found.rule.name,
    )?;
    if let Some((text, bytes)) = &problem.excerpt
        && !text.is_empty()
    {
        excerpt(text, bytes.clone(), out)?;
    }
    for fix in &found.fixes {
        let how = match fix.applicability {
            Applicability::Safe => "fix",
            Applicability::Unsafe => "unsafe fix",
            Applicability::Display => "manual fix",
        };
        writeln!(out, "  {dim}= {how}: {}{dim:#}", visible(&fix.title))?;
    }
    Ok(())
}

/// Prints one line of text around `bytes`, with a caret under each of their columns.
fn excerpt(text: &str, bytes: Range<usize>, out: &mut Printer) -> io::Result<()> {
    let (dim, error) = (out.style(style::DIM), out.style(style::ERROR));
    let (before, rest) = text.split_at(bytes.start.min(text.len()));
    let (meant, after) = rest.split_at((bytes.end - bytes.start).min(rest.len()));
    let before = tail(&visible(before), BEFORE);
    let meant = visible(meant);
    let room = COLUMNS.saturating_sub(width(&before) + width(&meant));
    let after = crate::app::pane::line::truncated(after, room);
    writeln!(out, "  {dim}|{dim:#} {before}{meant}{after}")?;
    if !meant.is_empty() {
        let (indent, caret) = (" ".repeat(width(&before)), "^".repeat(width(&meant)));
        writeln!(out, "  {dim}|{dim:#} {indent}{error}{caret}{error:#}")?;
    }
    Ok(())
}

/// Returns the end of `text`, at most `columns` wide.
fn tail(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    // Fast path: what is visible of ASCII is as wide as it is long.
    if text.is_ascii() {
        return format!("…{}", &text[text.len() + 1 - columns..]);
    }
    let mut from = text.len();
    while from > 0 && width(&text[from..]) < columns - 1 {
        from -= 1;
        while !text.is_char_boundary(from) {
            from -= 1;
        }
    }
    format!("…{}", &text[from..])
}

fn summary(files: &[LintReport], out: &mut Printer) -> io::Result<()> {
    let problems = || files.iter().flat_map(|file| &file.problems);
    if problems().next().is_none() {
        return Ok(());
    }
    let of = |severity: Severity| {
        let count = problems().filter(|p| p.found.severity == severity).count();
        counted(count, severity.name())
    };
    let counts = Severity::ALL.map(of).join(", ");
    let safe = problems().filter(|p| is_fixable(p, Applicability::Safe)).count();
    let all = problems().filter(|p| is_fixable(p, Applicability::Unsafe)).count();
    writeln!(
        out,
        "{counts}; `turnwise fix` fixes {}, or {} with --unsafe-fixes",
        grouped(safe),
        grouped(all)
    )
}

fn is_fixable(problem: &LocatedProblem, at_least: Applicability) -> bool {
    let first = problem.found.fixes.first();
    first.is_some_and(|fix| fix.applicability >= at_least)
}

/// The problems of a rule.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct RuleCount {
    rule: &'static str,
    count: u64,
    /// Those with a fix that `turnwise fix --unsafe-fixes` applies.
    with_fix: u64,
    /// By the applicability of their first fix.
    safe: u64,
    #[serde(rename = "unsafe")]
    is_unsafe: u64,
    display: u64,
}

impl RuleCount {
    fn add(&mut self, problem: &LocatedProblem) {
        self.count += 1;
        match problem.found.fixes.first().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => self.safe += 1,
            Some(Applicability::Unsafe) => self.is_unsafe += 1,
            Some(Applicability::Display) => self.display += 1,
            None => {}
        }
        self.with_fix = self.safe + self.is_unsafe;
    }
}

/// Counts the problems of each rule, most frequent first.
pub fn counts(files: &[LintReport]) -> Vec<RuleCount> {
    let mut counts: BTreeMap<&str, RuleCount> = BTreeMap::new();
    for problem in files.iter().flat_map(|file| &file.problems) {
        let rule = problem.found.rule.name;
        let count = counts.entry(rule).or_default();
        count.rule = rule;
        count.add(problem);
    }
    let mut counts: Vec<_> = counts.into_values().collect();
    counts.sort_by_key(|count| (std::cmp::Reverse(count.count), count.rule));
    counts
}

/// Returns the table of the rules.
pub fn statistics(counts: &[RuleCount]) -> Page {
    let row = |count: &RuleCount| {
        vec![
            (Column::name("rule"), Cell::text(count.rule)),
            (Column::new("count", "problems"), Cell::Count(count.count)),
            (Column::new("safe", "safe fix"), Cell::Count(count.safe)),
            (Column::new("unsafe", "unsafe fix"), Cell::Count(count.is_unsafe)),
            (Column::new("display", "manual fix"), Cell::Count(count.display)),
        ]
    };
    let mut page = Page::default();
    if !counts.is_empty() {
        page.rows(Table::of(counts.iter().map(row)));
    }
    page
}
