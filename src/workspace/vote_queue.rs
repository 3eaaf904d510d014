//! The queue: the turns to judge, and their order.

use std::sync::Arc;

use super::DialogId;
use crate::dialog::{Dialog, Turn, Vote};
use crate::format::{JUDGEMENTS_END, judgements_name};
use crate::judging::{Assignments, Scheme};
use crate::query::{HiddenAnswers, Query};
use crate::votes::Counted;
use crate::votes::judgeable::{is_disputed, is_judgeable, is_undecided, lot, of_others};

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
    /// True if gold labels count instead of the annotator's votes.
    pub adjudicates: bool,
    /// The answers that are hidden on turns that the annotator has not judged.
    pub hidden: HiddenAnswers,
    /// The questions that are asked; None for votes on breakdowns.
    pub scheme: Option<Arc<Scheme>>,
    pub assignments: Arc<Assignments>,
}

impl QueueJudge {
    /// True if the annotator judges a dialog of a file; an adjudicator judges all.
    pub fn is_assigned(&self, file: &str, dialog: &str) -> bool {
        // Files are named so that any id is a file name.
        let name = judgements_name(&self.annotator);
        let name = name.strip_suffix(JUDGEMENTS_END).unwrap_or(&name);
        self.adjudicates || self.assignments.has(name, file, dialog)
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

/// Returns the turns of a dialog at which a scheme has questions.
fn to_answer(
    dialog: &Dialog,
    at: DialogId,
    wanted: &QueueKind,
    scheme: &Scheme,
    annotator: &str,
) -> Vec<(u64, QueueItem)> {
    let stops = scheme.stops(dialog, annotator).into_iter();
    let item = |turn: usize| QueueItem {
        at,
        turn: turn as u32,
        judged: scheme.is_answered(dialog, turn, annotator),
    };
    let rank = |turn: usize| match wanted {
        QueueKind::Sample { seed, .. } => lot(*seed, &dialog.id, turn),
        _ => 0,
    };
    stops.map(|turn| (rank(turn), item(turn))).collect()
}

/// Returns the turns of a dialog to judge, each with its rank. Ranks count only other annotators'
/// votes, so that the queue stays the same as the annotator goes on.
pub fn to_judge(
    dialog: &Dialog,
    at: DialogId,
    wanted: &QueueKind,
    judge: &QueueJudge,
) -> Vec<(u64, QueueItem)> {
    if let Some(scheme) = &judge.scheme {
        return to_answer(dialog, at, wanted, scheme, &judge.annotator);
    }
    // An adjudicator decides on all votes, their own too.
    let annotator = if judge.adjudicates {
        ""
    } else {
        judge.annotator.as_str()
    };
    let turns = dialog.turns.iter().enumerate();
    let skipped = usize::from(is_left_out(dialog, annotator));
    let judgeable = turns.skip(skipped).filter(|(_, turn)| is_judgeable(turn));
    let chosen = judgeable.filter_map(|(number, turn)| {
        let others = of_others(turn, annotator);
        let wanted_here = match wanted {
            QueueKind::All | QueueKind::Sample { .. } | QueueKind::Found(_) => true,
            QueueKind::Ties => others.tie().is_some(),
            QueueKind::Undecided => is_undecided(&others),
            QueueKind::Entropy => others.total() > 0,
            // Turns stay in the queue after they are decided in it, so that the progress is seen.
            QueueKind::Gold => others.total() > 0 && (judge.adjudicates || turn.gold.is_none()),
            QueueKind::Detector => is_disputed(turn, &others),
        };
        let rank = match wanted {
            QueueKind::Entropy => {
                let entropy = others.entropy().unwrap_or_default();
                u64::MAX - (entropy * 1e9) as u64
            }
            QueueKind::Sample { seed, .. } => lot(*seed, &dialog.id, number),
            _ => 0,
        };
        let own = |vote: &Vote| !annotator.is_empty() && vote.annotator == annotator;
        let item = QueueItem {
            at,
            turn: number as u32,
            judged: if judge.adjudicates {
                turn.gold.is_some()
            } else {
                turn.votes.iter().any(own)
            },
        };
        wanted_here.then_some((rank, item))
    });
    chosen.collect()
}

/// Returns the first turn of a dialog to judge.
pub fn first_to_judge(dialog: &Dialog, annotator: &str) -> Option<usize> {
    let left_out = usize::from(is_left_out(dialog, annotator));
    let mut turns = dialog.turns.iter().enumerate().skip(left_out);
    turns
        .find(|(_, turn)| is_judgeable(turn))
        .map(|(turn, _)| turn)
}

/// True if the dialog begins with a system turn that others have left out although they judged all
/// other system turns: the challenge does not judge openings.
fn is_left_out(dialog: &Dialog, annotator: &str) -> bool {
    let Some((first, others)) = dialog.turns.split_first() else {
        return false;
    };
    let judged = |turn: &&Turn| of_others(turn, annotator).total() > 0;
    let mut judgeable = others.iter().filter(|turn| is_judgeable(turn)).peekable();
    of_others(first, annotator).total() == 0
        && judgeable.peek().is_some()
        && judgeable.all(|turn| judged(&turn))
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
