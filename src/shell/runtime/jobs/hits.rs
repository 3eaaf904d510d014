//! Counts the values of all hits of a search, or exports the hits.

use std::ops::ControlFlow;

use super::Sink;
use super::files::JobDialog;
use super::search::SearchScope;
use crate::app::{HitCounts, Msg};
use crate::query::{CountKey, HitRecord, ValueCounts};
use crate::text::counted;
use crate::workspace::DialogId;

/// Counts how many hits have which value. Reports [`Msg::HitsCounted`].
pub fn count_hits(scope: &SearchScope, key: CountKey, sink: &mut dyn Sink) {
    let mut counts = ValueCounts::default();
    let searched = scope.each_dialog(&mut |_, read| {
        if let Some(read) = read {
            let target = read.target();
            counts.add(&key, &target, &scope.query().hits(&target).hits);
        }
        if sink.is_cancelled() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    if searched.is_break() {
        return;
    }
    let values = counts.sorted().into_iter();
    let values = values.map(|(value, hits)| (Some(value.to_owned()), hits));
    let without = (counts.without > 0).then_some((None, counts.without));
    let rows = values.chain(without).collect();
    sink.send(Msg::HitsCounted(Box::new(HitCounts { key, rows, hits: counts.hits })));
}

/// Exports all hits as JSON Lines, those of `turnwise find`, to the file called `name`, which `write` makes.
pub fn export_hits(
    scope: &SearchScope,
    name: &str,
    write: &dyn Fn(&[u8]) -> Result<(), String>,
) -> Msg {
    let mut lines = Vec::new();
    let mut count = 0;
    let add = &mut |at: DialogId, read: Option<JobDialog<'_>>| {
        let hits = read.iter().flat_map(|read| {
            scope.query().hits(&read.target()).hits.into_iter().map(move |hit| (read, hit))
        });
        for (read, hit) in hits {
            let position = at.dialog as usize;
            let record =
                HitRecord::of(scope.query(), &read.file.name, &read.dialog, position, &hit);
            // Writing to memory does not fail.
            if serde_json::to_writer(&mut lines, &record).is_ok() {
                lines.push(b'\n');
                count += 1;
            }
        }
        ControlFlow::Continue(())
    };
    let searched = scope.each_dialog(add);
    let written = match searched {
        ControlFlow::Continue(()) => write(&lines),
        ControlFlow::Break(()) => Err("the search has ended".to_owned()),
    };
    match written {
        Ok(()) => Msg::Written(format!("{} exported to {name}", counted(count, "hit"))),
        Err(error) => Msg::Complaint(format!("the hits cannot be exported: {error}")),
    }
}
