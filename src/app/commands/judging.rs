//! Commands for judging: votes, comments, queues, and hiding others' votes.

use crate::app::core::App;
use crate::app::feature::finding::search;
use crate::app::feature::judging::annotator_prompt::AnnotatorPrompt;
use crate::app::feature::judging::sample_prompt::SamplePrompt;
use crate::app::feature::judging::{judge, queue};
use crate::query::Query;
use crate::workspace::QueueKind;

/// Hides others' votes until you have judged a turn, or show them.
pub fn blind(app: &mut App) {
    judge::toggle_blind(app);
    search::end_hidden_search(app);
}
/// Sets your annotator id.
pub fn annotator(app: &mut App) {
    let id = app.judging.annotator.clone();
    app.ask(AnnotatorPrompt, &id);
}
/// Judges a random sample of turns.
pub fn queue_sample(app: &mut App, count: Option<usize>) {
    match count {
        Some(count) => queue::queue(
            app,
            QueueKind::Sample {
                count: u32::try_from(count).unwrap_or(u32::MAX),
                seed: 1,
            },
        ),
        None => app.ask(SamplePrompt, "50 1"),
    }
}
/// Queues the system turns that the search finds. Judging begins if nothing was judged before.
pub fn queue_found(app: &mut App) {
    let Some(query) = app.search.query.as_ref().map(Query::to_string) else {
        return;
    };
    if !app.judges() {
        judge::toggle_judging(app);
        // The queue is asked for: it leads to its first turn.
        app.judging.queue = Some(Vec::new());
    }
    queue::queue(app, QueueKind::Found(query.into()));
}
