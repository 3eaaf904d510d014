//! The state of judging: the annotator, the queue, the time taken, blind mode.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;

use crate::app::pane::transcript::JudgeView;
use crate::dialog::{Dialog, GOLD, Place};
use crate::judging::{Assignments, Kept, Scheme};
use crate::workspace::{DialogId, QueueItem, QueueKind};

/// Whether others' votes are hidden on turns that the annotator has not judged yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blind {
    #[default]
    No,
    Yes,
    /// Set on the command line; cannot be turned off in the session.
    Always,
}

/// The origin of the questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchemeFrom {
    /// From the scheme beside the corpus, or the bundled one for votes if there is none.
    #[default]
    Corpus,
    /// From a scheme that was named at the start; the corpus may have others.
    Name,
    /// The scheme beside the corpus cannot be used, so that nothing is judged.
    Nowhere,
}

/// The guideline of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guideline {
    /// The name of its file.
    pub name: String,
    pub text: String,
}

impl Guideline {
    /// True unless it is plain text.
    pub fn is_markdown(&self) -> bool {
        let end = self.name.rsplit_once('.').map_or("", |(_, end)| end);
        ["md", "markdown"].iter().any(|known| end.eq_ignore_ascii_case(known))
    }
}

/// The state of judging.
#[derive(Clone, Debug, Default)]
pub struct Judging {
    /// The annotator's id; empty until it is asked for.
    pub annotator: String,
    /// The name that is proposed as the id; empty if there is none.
    pub login: String,
    /// The annotators whose answers are shown and counted, beside one's own; all if it is empty.
    pub only: Vec<String>,
    /// The question whose answer was typed last.
    pub last_typed: String,
    /// Dialogs whose formats hold no votes are judged too, in vote logs next to the corpora.
    pub on: bool,
    /// Adjudicator mode: the keys decide what others have answered, and others' answers of earlier runs can be undone.
    pub adjudicates: bool,
    pub blind: Blind,
    /// The turns that follow the current one are hidden, as they are from a detector.
    pub hides_later: bool,
    pub guideline: Option<Guideline>,
    /// The questions that are asked of annotators.
    pub scheme: Arc<Scheme>,
    /// Those that are asked of adjudicators, once they are.
    decided: OnceCell<Arc<Scheme>>,
    pub scheme_from: SchemeFrom,
    /// The dialogs that each annotator is assigned.
    pub assignments: Arc<Assignments>,
    pub wanted: QueueKind,
    /// While adjudicating: the queue that comes back when that ends.
    pub before: Option<QueueKind>,
    /// The queue that the user asked for and that is still being built.
    pub asked: Option<QueueKind>,
    /// The turns to judge, in order; None until they are known.
    pub queue: Option<Vec<QueueItem>>,
    /// The number of the last queue asked for, by which late results of earlier ones are recognized.
    pub number: u64,
    /// The time of the last vote of this session, the number of its votes, and the time they took.
    pub last: Option<Duration>,
    pub cast: u32,
    pub spent: Duration,
    /// The turn judged last, and the turn that judging advanced to from there, if it did.
    pub led: Option<[(DialogId, usize); 2]>,
    /// The answer given last.
    pub given: Option<GivenLast>,
}

/// The question that was answered last, and the part of the dialog that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenLast {
    pub dialog: DialogId,
    pub question: String,
    pub place: Place,
}

/// The longest time that counts for a single vote; the rest is a pause.
const PAUSE: Duration = Duration::from_mins(1);

impl Judging {
    /// Returns the state before any vote of `annotator`, which is empty if unknown.
    pub fn new(annotator: String) -> Self {
        Self { annotator, ..Self::default() }
    }

    /// Returns the number of judged turns in the queue, and of all its turns.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let queue = self.queue.as_ref().filter(|queue| !queue.is_empty())?;
        let judged = queue.iter().filter(|item| item.judged).count();
        Some((judged, queue.len()))
    }

    /// Returns the name under which answers are given now: the annotator's id or, where an adjudicator decides what others
    /// have answered, that of all adjudicators.
    pub fn by(&self) -> &str {
        if self.adjudicates && self.scheme.kept == Kept::Judgements {
            GOLD
        } else {
            &self.annotator
        }
    }

    /// Returns the questions that are asked now: an adjudicator decides votes on breakdowns by gold labels.
    pub fn asks(&self) -> Arc<Scheme> {
        if !self.adjudicates || self.scheme.kept == Kept::Judgements {
            return Arc::clone(&self.scheme);
        }
        let decided =
            self.decided.get_or_init(|| Arc::new(Scheme { kept: Kept::Gold, ..Scheme::default() }));
        Arc::clone(decided)
    }

    /// Returns what the queue holds in a word or two.
    pub fn noun(&self) -> &'static str {
        if self.asks().is_of_dialogs() { "dialogs" } else { self.wanted.noun() }
    }

    /// Marks the queue's turns of a dialog as judged or not.
    pub fn note(&mut self, at: DialogId, dialog: &Dialog, judge: &JudgeView) {
        let items = self.queue.iter_mut().flatten();
        note(items.filter(|item| item.at == at), dialog, judge);
    }

    /// Returns the minutes spent on the votes of this session, without pauses, and an estimate of the
    /// minutes left.
    pub fn minutes(&self) -> Option<(u64, u64)> {
        // The time the first vote took is not known.
        let timed = self.cast.checked_sub(1).filter(|timed| *timed > 0)?;
        let (judged, all) = self.progress()?;
        let each = self.spent.as_secs_f64() / f64::from(timed);
        let left = each * (all - judged) as f64 / 60.0;
        Some((self.spent.as_secs() / 60, left.ceil() as u64))
    }

    /// Counts a vote that was cast at `now`.
    pub fn count(&mut self, now: Duration) {
        let before = self.last.replace(now).unwrap_or(now);
        self.spent += now.saturating_sub(before).min(PAUSE);
        self.cast += 1;
    }
}

/// Marks these turns of a dialog as judged or not.
pub fn note<'i>(
    items: impl Iterator<Item = &'i mut QueueItem>,
    dialog: &Dialog,
    judge: &JudgeView,
) {
    let mut items = items.peekable();
    if items.peek().is_none() {
        return;
    }
    let stops = judge.scheme.stops(dialog, &judge.annotator);
    for item in items {
        // They are in the order of their turns.
        let stop = stops.binary_search_by_key(&(item.turn as usize), |stop| stop.turn);
        item.judged = stop.is_ok_and(|stop| stops[stop].is_answered);
    }
}
