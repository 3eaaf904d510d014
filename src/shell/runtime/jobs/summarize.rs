//! Summarizes every dialog of a file for the list.

use super::Sink;
use crate::app::Msg;
use crate::json::Parser;
use crate::query::{DialogSummary, Names};
use crate::workspace::{DialogId, Snapshot, analyse_tree};

/// Summarizes every dialog of the file with the number `file`. Reports [`Msg::Summarized`].
pub fn summarize(file: usize, snapshot: &Snapshot, sink: &mut dyn Sink) {
    let (mut from, mut summaries) = (0, Vec::new());
    let mut names = Names::default();
    let mut buffer = Vec::new();
    let count = snapshot.dialogs();
    for position in 0..count {
        summaries.push(summary(snapshot, position, &mut buffer, &mut names));
        if position + 1 == count || sink.is_due() {
            let sent = sink.send(Msg::Summarized {
                file,
                from,
                summaries: std::mem::take(&mut summaries),
                names: std::mem::take(&mut names),
            });
            if !sent {
                return;
            }
            from = position + 1;
        }
    }
}

fn summary(
    snapshot: &Snapshot,
    position: usize,
    buffer: &mut Vec<u8>,
    names: &mut Names,
) -> DialogSummary {
    let read = snapshot.read(position, buffer);
    let at = DialogId::new(snapshot.file as usize, position);
    let mut parser = Parser::new();
    match read.ok().and_then(|()| parser.parse_piece(buffer).ok()) {
        Some(tree) => {
            let analysis = analyse_tree(at, tree, &snapshot.format, snapshot.rules.as_deref());
            names.add(&analysis.dialog, at.file, at.dialog);
            analysis.summary
        }
        None => DialogSummary::unreadable(),
    }
}
