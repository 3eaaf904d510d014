//! The prompt for a random sample of turns to judge.

use crate::app::core::{App, TextPrompt};
use crate::app::feature::judging::queue;
use crate::workspace::QueueKind;

/// Queues a random sample of `count` turns, or asks how many.
pub fn queue_sample(app: &mut App, count: Option<usize>) {
    if let Some(count) = count {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        return queue::queue(app, QueueKind::Sample { count, seed: 1 });
    }
    let take = |app: &mut App, text: &str| {
        let mut numbers = text.split_whitespace().map(str::parse);
        let (count, seed) = (numbers.next(), numbers.next().unwrap_or(Ok(1)));
        let (Some(Ok(count)), Ok(seed), None) = (count, seed, numbers.next()) else {
            return app.complain("enter a sample size and, if you like, a seed");
        };
        queue::queue(app, QueueKind::Sample { count, seed });
    };
    app.ask(TextPrompt::text("sample size and seed ", take).hint("50 1"), "50 1");
}
