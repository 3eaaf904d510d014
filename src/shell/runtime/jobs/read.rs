//! Reads the dialogs of a snapshot.

use crate::dialog::Dialog;
use crate::json::Parser;
use crate::lint::Diagnostic;
use crate::lint::ParsedDialog;
use crate::query::Query;
use crate::workspace::{DialogId, Snapshot};

/// Reads one dialog; returns None if it cannot be read.
pub fn read_dialog(snapshot: &Snapshot, position: usize, buffer: &mut Vec<u8>) -> Option<Dialog> {
    snapshot.read(position, buffer).ok()?;
    let mut parser = Parser::new();
    let tree = parser.parse_piece(buffer).ok()?;
    Some(snapshot.format.of(tree.root()).read(tree).0)
}

/// True if the dialog at `at` is excluded.
pub fn is_excluded(snapshot: &Snapshot, at: DialogId, dialog: &Dialog) -> bool {
    let rules = snapshot.rules.as_ref();
    rules.is_some_and(|rules| rules.excluding(at, &dialog.id).is_some())
}

/// The part of what a query may ask about a dialog that is not in it.
pub struct Asked {
    /// Its problems, if the query asks for problems.
    pub problems: Vec<Diagnostic>,
    /// The name of its format.
    pub family: &'static str,
    /// It is excluded.
    pub excluded: bool,
}

/// Reads a dialog for a query into `buffer`; returns None if it cannot be read, or is excluded and the query
/// does not ask for that.
pub fn read_for(
    query: Option<&Query>,
    snapshot: &Snapshot,
    at: DialogId,
    buffer: &mut Vec<u8>,
) -> Option<(Dialog, Asked)> {
    snapshot.read(at.dialog as usize, buffer).ok()?;
    parse_for(query, snapshot, at, buffer)
}

/// Parses a dialog for a query; returns None if it cannot be read, or is excluded and the query
/// does not ask for that.
pub fn parse_for(
    query: Option<&Query>,
    snapshot: &Snapshot,
    at: DialogId,
    bytes: &[u8],
) -> Option<(Dialog, Asked)> {
    let mut parser = Parser::new();
    let tree = parser.parse_piece(bytes).ok()?;
    let format = snapshot.format.of(tree.root());
    let (dialog, issues) = format.read(tree);
    let excluded = is_excluded(snapshot, at, &dialog);
    if excluded && !query.is_some_and(Query::asks_for_excluded) {
        return None;
    }
    let problems = match &snapshot.rules {
        Some(rules) if query.is_some_and(Query::needs_problems) => {
            let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
            rules.find(at, read).problems
        }
        _ => Vec::new(),
    };
    let family = format.name();
    let asked = Asked { problems, family, excluded };
    Some((dialog, asked))
}
