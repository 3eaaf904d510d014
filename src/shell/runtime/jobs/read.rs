//! Reads the dialogs of a snapshot.

use crate::dialog::Dialog;
use crate::json::Parser;
use crate::workspace::Snapshot;

/// Reads one dialog; returns None if it cannot be read.
pub fn read_dialog(snapshot: &Snapshot, position: usize, buffer: &mut Vec<u8>) -> Option<Dialog> {
    snapshot.read(position, buffer).ok()?;
    let mut parser = Parser::new();
    let tree = parser.parse_piece(buffer).ok()?;
    Some(snapshot.format.of(tree.root()).read(tree).0)
}
