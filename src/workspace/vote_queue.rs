//! The queue: the turns to judge, and their order.

use std::sync::Arc;

use super::DialogId;
use crate::dialog::{Dialog, GOLD};
use crate::judging::{Assignments, Kept, Scheme, listed};
use crate::query::{HiddenAnswers, Query};
use crate::votes::judgeable::{is_disputed, is_undecided, lot};
use crate::votes::{CategoryCounts, Counted as _};

/// A kind of queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueKind {
    /// Every system turn.
    #[default]
    All,
    /// Turns where several labels share the most votes.
    Ties,
    /// Turns where no label has more than half of the votes.
    Undecided,
    /// Every system turn with votes, the lowest agreement first.
    Entropy,
    /// Turns with votes that have no gold label yet.
    Gold,
    /// Turns where a detector disagrees with the majority.
    Detector,
    /// A random sample of `count` system turns, drawn with `seed`.
    Sample { count: u32, seed: u32 },
    /// System turns that a query finds.
    Found(Box<str>),
}

impl QueueKind {
    /// Returns what the queue contains in a word or two.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::All => "turns",
            Self::Ties => "ties",
            Self::Undecided => "undecided turns",
            Self::Entropy => "turns by entropy",
            Self::Gold => "turns without gold",
            Self::Detector => "detector turns",
            Self::Sample { .. } => "sampled turns",
            Self::Found(_) => "found turns",
        }
    }

    /// True if the choice of its turns, or their order, tells something about others' votes.
    pub fn tells_votes(&self) -> bool {
        match self {
            Self::All | Self::Sample { .. } => false,
            Self::Ties | Self::Undecided | Self::Entropy | Self::Gold | Self::Detector => true,
            Self::Found(query) => {
                let query = query.parse::<Query>();
                query.is_ok_and(|query| query.on_others_judgements().is_some())
            }
        }
    }

    pub fn title(&self) -> String {
        match self {
            Self::All => "all system turns".to_owned(),
            Self::Ties => "ties".to_owned(),
            Self::Undecided => "turns without an absolute majority".to_owned(),
            Self::Entropy => "all system turns, lowest agreement first".to_owned(),
            Self::Gold => "turns without a gold label".to_owned(),
            Self::Detector => "turns where a detector disagrees".to_owned(),
            Self::Sample { count, seed } => format!("{count} system turns drawn with seed {seed}"),
            Self::Found(query) => format!("system turns found by {query}"),
        }
    }
}

/// The person for whom a queue is built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueueJudge {
    /// The annotator's id; empty if unknown.
    pub annotator: String,
    /// The answers that are hidden on turns that the annotator has not judged.
    /// The annotators whose answers count; all if it is empty.
    pub only: Arc<[String]>,
    pub hidden: HiddenAnswers,
    /// The questions that are asked.
    pub scheme: Arc<Scheme>,
    pub assignments: Arc<Assignments>,
}

impl QueueJudge {
    fn is_adjudicator(&self) -> bool {
        self.scheme.kept == Kept::Gold || self.annotator == GOLD
    }

    /// True if the annotator judges a dialog of a file; an adjudicator judges all.
    pub fn is_assigned(&self, file: &str, dialog: &str) -> bool {
        let annotator = listed(&self.annotator);
        self.is_adjudicator() || self.assignments.has(&annotator, file, dialog)
    }
}

/// A turn to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueItem {
    pub at: DialogId,
    pub turn: u32,
    /// True if the annotator has judged it, or the adjudicator has decided it.
    pub judged: bool,
}

/// Returns the turns of a dialog to judge, each with its rank. Ranks count only others' answers, so that the queue
/// stays the same as the annotator goes on.
pub fn to_judge(
    dialog: &Dialog,
    at: DialogId,
    wanted: &QueueKind,
    judge: &QueueJudge,
) -> Vec<(u64, QueueItem)> {
    let stops = judge.scheme.stops(dialog, &judge.annotator).into_iter();
    let chosen = stops.filter_map(|stop| {
        let rank = rank(dialog, stop.turn, wanted, judge)?;
        let item = QueueItem { at, turn: stop.turn as u32, judged: stop.is_answered };
        Some((rank, item))
    });
    chosen.collect()
}

/// Returns the place of a turn in the order of a queue; None if it is not in the queue.
fn rank(dialog: &Dialog, turn: usize, wanted: &QueueKind, judge: &QueueJudge) -> Option<u64> {
    let of = &dialog.turns[turn];
    // What others have said to any of its questions may bring a turn into the queue.
    let others = || judge.scheme.others(dialog, turn, &judge.annotator).into_iter();
    let if_any = |is_wanted: &dyn Fn(&CategoryCounts) -> bool| {
        others().any(|said| is_wanted(&said)).then_some(0)
    };
    match wanted {
        QueueKind::All | QueueKind::Found(_) => Some(0),
        QueueKind::Sample { seed, .. } => Some(lot(*seed, &dialog.id, turn)),
        QueueKind::Ties => if_any(&|said| said.most().len() > 1),
        QueueKind::Undecided => if_any(&|said| is_undecided(said)),
        QueueKind::Entropy => {
            let first = |said: CategoryCounts| Some(u64::MAX - (said.entropy()? * 1e9) as u64);
            others().filter_map(first).min()
        }
        // Turns stay in the queue after they are decided in it, so that the progress is seen.
        QueueKind::Gold if judge.is_adjudicator() || of.gold.is_none() => {
            if_any(&|said| said.total() > 0)
        }
        QueueKind::Gold => None,
        QueueKind::Detector => {
            let own = if judge.is_adjudicator() { "" } else { &judge.annotator };
            is_disputed(of, own).then_some(0)
        }
    }
}

/// Sorts the turns of all dialogs into the order of the queue.
pub fn in_order(mut found: Vec<(u64, QueueItem)>, wanted: &QueueKind) -> Vec<QueueItem> {
    // Equal ranks keep the order of the corpora.
    found.sort_by_key(|(rank, item)| (*rank, item.at, item.turn));
    if let QueueKind::Sample { count, .. } = wanted {
        found.truncate(*count as usize);
        found.sort_by_key(|(_, item)| (item.at, item.turn));
    }
    found.into_iter().map(|(_, item)| item).collect()
}
