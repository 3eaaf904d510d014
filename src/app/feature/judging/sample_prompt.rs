//! The prompt for a random sample of turns to judge.

use crate::app::core::{App, PromptInput, PromptKind};
use crate::app::feature::judging::queue;
use crate::workspace::QueueKind;

#[derive(Debug)]
pub struct SamplePrompt;

impl PromptKind for SamplePrompt {
    fn prefix(&self) -> &'static str {
        "sample size and seed "
    }

    fn hint(&self) -> &'static str {
        "50 1"
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let text = input.text();
        let mut numbers = text.split_whitespace().map(str::parse);
        let (count, seed) = (numbers.next(), numbers.next().unwrap_or(Ok(1)));
        let (Some(Ok(count)), Ok(seed), None) = (count, seed, numbers.next()) else {
            app.complain("enter two numbers: sample size and seed");
            return;
        };
        queue::queue(app, QueueKind::Sample { count, seed });
    }
}

/// Queues a random sample of `count` turns, or asks how many.
pub fn queue_sample(app: &mut App, count: Option<usize>) {
    match count {
        Some(count) => {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            queue::queue(app, QueueKind::Sample { count, seed: 1 });
        }
        None => app.ask(SamplePrompt, "50 1"),
    }
}
