//! Reads a dialog once for its content, its problems and its summary.

use super::{DialogId, LintContext};
use crate::corpus::ReadError;
use crate::dialog::{Dialog, Issue};
use crate::format::FileFormat;
use crate::json::{Parser, Tree};
use crate::lint::{LintResult, ParsedDialog};
use crate::query::DialogSummary;
use crate::votes::VotesBy;

/// Reads a dialog from `text` and finds its problems.
pub(crate) fn analyse_in(
    at: DialogId,
    text: &str,
    format: &FileFormat,
    rules: Option<&LintContext>,
) -> Result<DialogAnalysis, ReadError> {
    let mut parser = Parser::new();
    Ok(analyse_tree(at, parser.parse_piece_str(text)?, format, rules))
}

/// Reads the other side of a dialog from `text` and finds its problems; None if the dialog is not a pair.
pub(crate) fn analyse_other_side(
    at: DialogId,
    text: &str,
    format: &FileFormat,
    rules: Option<&LintContext>,
) -> Option<(Dialog, LintResult)> {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).ok()?;
    let format = format.of(tree.root());
    let (dialog, issues) = format.other_side(tree)?;
    let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
    let found = rules.map(|rules| rules.find(at, read)).unwrap_or_default();
    Some((dialog, found))
}

/// Reads the dialog that `tree` holds and finds its problems.
pub(crate) fn analyse_tree(
    at: DialogId,
    tree: Tree<'_>,
    format: &FileFormat,
    rules: Option<&LintContext>,
) -> DialogAnalysis {
    let (usual, format) = (format.usual, format.of(tree.root()));
    let (dialog, issues) = format.read(tree);
    let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
    let found = rules.map(|rules| rules.find(at, read)).unwrap_or_default();
    let summary = DialogSummary::of(&dialog, &found.problems, found.ignored.len());
    let columns = rules.map_or(&[][..], |rules| &rules.columns);
    let columns = columns.iter().map(|column| column.value(&dialog));
    let columns = columns.collect();
    let is_usual = format.name() == usual.name();
    DialogAnalysis {
        summary: DialogSummary {
            columns,
            votes: VotesBy::of(&dialog),
            other_family: (!is_usual).then_some(format),
            excluded: found.excluded.is_some(),
            ..summary
        },
        dialog,
        issues,
        found,
    }
}

/// A dialog with its problems and its summary.
#[derive(Clone, Debug)]
pub struct DialogAnalysis {
    /// The dialog with its votes, including those from a log beside the corpus.
    pub dialog: Dialog,
    pub(crate) issues: Vec<Issue>,
    pub found: LintResult,
    /// Empty once the list has taken it.
    pub(crate) summary: DialogSummary,
}
