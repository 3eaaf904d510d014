//! Counts the values of all hits of a search, or exports the hits.

use std::ops::ControlFlow;

use super::files::JobDialog;
use super::search::SearchScope;
use super::{MadeText, Sink};
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

/// Returns all hits as JSON Lines, those of `turnwise find`.
pub fn export_hits(scope: &SearchScope) -> MadeText {
    let (mut text, mut count) = (Vec::new(), 0);
    let add = &mut |at: DialogId, read: Option<JobDialog<'_>>| {
        let hits = read.iter().flat_map(|read| {
            scope.query().hits(&read.target()).hits.into_iter().map(move |hit| (read, hit))
        });
        for (read, hit) in hits {
            let position = at.dialog as usize;
            let record =
                HitRecord::of(scope.query(), &read.file.name, &read.dialog, position, &hit);
            // Writing to memory does not fail.
            if serde_json::to_writer(&mut text, &record).is_ok() {
                text.push(b'\n');
                count += 1;
            }
        }
        ControlFlow::Continue(())
    };
    let _ = scope.each_dialog(add);
    let done = format!("{} exported to", counted(count, "hit"));
    MadeText { text, done, failed: "the hits cannot be exported" }
}
