//! Judging: casting the votes of one annotator, the queue of turns to judge, and blind mode.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use super::annotator_prompt::AnnotatorPrompt;
use super::line::elided;
use super::transcript::JudgeView;
use super::{App, Effect, Focus, command};
use crate::dialog::{Breakdown, Dialog, Edit, Mark, Role, Turn, Vote};
use crate::text::counted;
use crate::votes::judgeable::is_judgeable;
use crate::workspace::{DialogId, QueueItem, QueueKind, first_to_judge};

/// Whether others' votes are hidden on turns that the annotator has not judged yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blind {
    #[default]
    No,
    Yes,
    /// Set on the command line; cannot be turned off in the session.
    Always,
}

/// The state of judging.
#[derive(Clone, Debug, Default)]
pub struct Judging {
    /// The annotator's id; empty until it is asked for.
    pub annotator: String,
    /// Dialogs whose formats hold no votes are judged too, in vote logs next to the corpora.
    pub on: bool,
    /// Adjudicator mode: other annotators' votes can be changed.
    pub adjudicates: bool,
    pub blind: Blind,
    pub wanted: QueueKind,
    /// The queue that the user asked for and that is still being built.
    asked: Option<QueueKind>,
    /// The turns to judge, in order; None until they are known.
    pub queue: Option<Vec<QueueItem>>,
    /// The number of the last queue asked for, by which late results of earlier ones are recognized.
    number: u64,
    /// The vote to cast once the annotator's id is known.
    pub(super) waiting: Option<Breakdown>,
    /// When the last vote of this session was cast, the number of votes, and the time they took.
    last: Option<Duration>,
    cast: u32,
    spent: Duration,
    /// The turn judged last, and the turn that judging advanced to from there.
    pub(super) led: Option<[(DialogId, usize); 2]>,
}

/// Columns of a dialog's id in a message, at most.
const ID: usize = 26;

/// The longest time that counts for a single vote; the rest is a pause.
const PAUSE: Duration = Duration::from_mins(1);

impl Judging {
    /// Returns the state before any vote of `annotator`, which is empty if unknown.
    pub fn new(annotator: String) -> Self {
        Self {
            annotator,
            ..Self::default()
        }
    }

    /// Returns the number of judged turns in the queue, and of all its turns.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let queue = self.queue.as_ref().filter(|queue| !queue.is_empty())?;
        let judged = queue.iter().filter(|item| item.judged).count();
        Some((judged, queue.len()))
    }

    /// Marks the queue's turns of a dialog as judged or not.
    fn note(&mut self, at: DialogId, dialog: &Dialog, judge: &JudgeView) {
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
    fn count(&mut self, now: Duration) {
        let before = self.last.replace(now).unwrap_or(now);
        self.spent += now.saturating_sub(before).min(PAUSE);
        self.cast += 1;
    }
}

/// Marks these turns of a dialog as judged or not.
fn note<'i>(items: impl Iterator<Item = &'i mut QueueItem>, dialog: &Dialog, judge: &JudgeView) {
    for item in items {
        let turn = dialog.turns.get(item.turn as usize);
        item.judged = turn.is_some_and(|turn| judge.own(turn).is_some());
    }
}

impl App {
    /// True if the turns of the dialog on the screen can be judged.
    pub fn judges(&self) -> bool {
        let family = self.family();
        family.is_some_and(|f| f.has_votes() || self.judging.on && !f.is_companion())
    }

    /// Turns judging on or off for dialogs whose formats hold no votes.
    pub(super) fn toggle_judging(&mut self) -> Vec<Effect> {
        self.judging.on = !self.judging.on;
        self.sync_judge();
        self.panes.details.forget();
        if !self.judging.on {
            self.say("judging is off; votes are still shown");
            return Vec::new();
        }
        let file = self.panes.transcript.at.unwrap_or_default().file as usize;
        let folder = self.workspace.files.logs.folders.get(file);
        let folder = folder.map_or_else(String::new, |folder| folder.display().to_string());
        let vote = self.vote_keys("and");
        self.say(format!(
            "judge system turns with {vote}; votes are saved in {folder}"
        ));
        self.judging.queue = None;
        self.queue(self.judging.wanted)
    }

    /// Returns the vote keys, with `and` before the last one.
    pub(super) fn vote_keys(&self, and: &str) -> String {
        let [o, t, x] = [&command::VOTE_O, &command::VOTE_T, &command::VOTE_X]
            .map(|name| self.input.keymap.shown(name));
        format!("{o}, {t} {and} {x}")
    }

    /// Returns the annotator's vote on a turn.
    pub fn own_vote<'t>(&self, turn: &'t Turn) -> Option<&'t Vote> {
        self.panes.transcript.judge.own(turn)
    }

    /// Passes the annotator and blind mode to the transcript, and lays it out again if they changed.
    pub(super) fn sync_judge(&mut self) {
        let judge = JudgeView {
            annotator: self.judging.annotator.clone(),
            blind: match self.judging.blind {
                Blind::No => false,
                Blind::Yes => self.judges(),
                Blind::Always => true,
            },
        };
        if self.panes.transcript.judge != judge {
            self.panes.transcript.judge = judge;
            self.forget_charts();
            self.panes.transcript.forget();
            self.panes.details.forget();
        }
    }

    /// Moves to the first turn to judge, if the dialog can be judged; the user turns before it stay visible
    /// above.
    pub(super) fn go_to_first_judged(&mut self) {
        if self.judges() {
            let first = first_to_judge(&self.panes.transcript.dialog, &self.judging.annotator);
            self.panes.transcript.go(first.unwrap_or_default());
        }
    }

    /// Starts building a queue that the user asked for.
    pub(super) fn queue(&mut self, wanted: QueueKind) -> Vec<Effect> {
        self.judging.asked = Some(wanted);
        self.find_to_judge(wanted)
    }

    /// Builds the current queue again after files changed.
    pub(super) fn queue_again(&mut self) -> Vec<Effect> {
        match self.judging.queue {
            Some(_) => self.find_to_judge(self.judging.asked.unwrap_or(self.judging.wanted)),
            None => Vec::new(),
        }
    }

    fn find_to_judge(&mut self, wanted: QueueKind) -> Vec<Effect> {
        self.judging.number += 1;
        vec![Effect::Queue {
            number: self.judging.number,
            wanted,
            annotator: self.judging.annotator.clone(),
        }]
    }

    /// Takes over a queue that is built.
    pub(super) fn set_queue(
        &mut self,
        number: u64,
        items: Vec<QueueItem>,
        outgrown: usize,
    ) -> Vec<Effect> {
        if number != self.judging.number {
            return Vec::new();
        }
        let first = self.judging.queue.is_none();
        let asked = self.judging.asked.take();
        let title = asked.unwrap_or(self.judging.wanted).title();
        if items.is_empty() && !first {
            // Keep the current queue.
            self.say(format!("no turns to judge in the queue: {title}"));
            return Vec::new();
        }
        self.judging.wanted = asked.unwrap_or(self.judging.wanted);
        self.judging.queue = Some(items);
        self.count_unsaved_votes();
        if first {
            // The first queue is built without being asked for: stay where the user is.
            self.report_progress();
            if outgrown > 0 {
                let dialogs = counted(outgrown as u64, "dialog");
                self.complain(format!(
                    "{dialogs} changed since being judged; the votes stay in their logs and are not shown"
                ));
            }
        }
        if first || asked.is_none() {
            return Vec::new();
        }
        let mut effects = self.next_to_judge(true);
        effects.push(Effect::Remember);
        let count = self.judging.queue.as_ref().map_or(0, Vec::len);
        self.say(format!("queue \"{title}\": {count} to judge"));
        effects
    }

    /// Casts a vote on the current turn, and advances to the next turn the annotator has not judged.
    pub(super) fn vote(&mut self, breakdown: Breakdown) -> Vec<Effect> {
        if self.panes.focus == Focus::Details {
            return self.adjudicate_chosen(breakdown);
        }
        let place = self.place();
        if let Some(why) = self.not_judged(place.1) {
            let skip = self.input.keymap.shown(&command::VOTE_SKIP);
            self.say(format!("{why}: {skip} goes to the next"));
            return Vec::new();
        }
        if self.judging.annotator.is_empty() {
            self.judging.waiting = Some(breakdown);
            return self.ask(AnnotatorPrompt, "");
        }
        let was = self.vote_here().filter(|was| *was != breakdown);
        let was = was.map_or_else(String::new, |was| format!("{} → ", was.letter()));
        let (made, mut effects) = self.cast(breakdown, None, None);
        if made {
            self.judging.count(self.session.now);
            effects.extend(self.advance());
            let voted = format!(
                "{was}{} on {}",
                breakdown.letter(),
                self.describe_queue(place)
            );
            if !self.status.bad {
                self.say_first(voted);
            }
        }
        effects
    }

    /// Moves to the next turn to judge, if the current one is judged.
    pub(super) fn leave_judged(&mut self) -> Vec<Effect> {
        if self.judges() && self.vote_here().is_some() {
            return self.next_to_judge(false);
        }
        Vec::new()
    }

    /// Moves to the next turn to judge, and remembers the current one.
    pub(super) fn advance(&mut self) -> Vec<Effect> {
        let from = self.place();
        let effects = self.next_to_judge(false);
        self.judging.led = Some([from, self.place()]);
        effects
    }

    /// Returns the current dialog and turn.
    pub(super) fn place(&self) -> (DialogId, usize) {
        (
            self.panes.transcript.at.unwrap_or_default(),
            self.panes.transcript.turn,
        )
    }

    /// Describes a turn by its number, and by its dialog if that is not on the screen.
    pub(super) fn describe_queue(&self, (at, turn): (DialogId, usize)) -> String {
        if self.place().0 == at {
            return format!("turn {turn}");
        }
        let id = match self.workspace.files.dialog(at) {
            Ok(Some((dialog, _))) => dialog.id,
            _ => String::new(),
        };
        if id.is_empty() {
            return format!("turn {turn} of dialog {}", at.dialog);
        }
        format!("turn {turn} of {}", elided(&id, ID))
    }

    /// Returns why a turn cannot be judged; None if it can.
    pub(super) fn not_judged(&self, turn: usize) -> Option<String> {
        let of = self.panes.transcript.dialog.turns.get(turn)?;
        let why = match of.speaker.role {
            _ if is_judgeable(of) => return None,
            Role::User => "is a user's",
            Role::System => "is empty",
            Role::Context | Role::Other => "is not the system's",
        };
        Some(format!("turn {turn} {why}; only system turns are judged"))
    }

    pub(super) fn cast(
        &mut self,
        breakdown: Breakdown,
        comment: Option<String>,
        ungrammatical: Option<Mark>,
    ) -> (bool, Vec<Effect>) {
        let edit = Edit::CastVote {
            turn: self.panes.transcript.turn,
            annotator: self.judging.annotator.clone(),
            breakdown,
            comment,
            ungrammatical,
        };
        let title = match self.vote_here() {
            Some(was) if was != breakdown => {
                let (was, is) = (was.letter(), breakdown.letter());
                format!("vote {was} → {is} on turn {}", self.panes.transcript.turn)
            }
            _ => edit.title(),
        };
        self.edit(&edit, title)
    }

    /// Returns the annotator's vote on the current turn.
    fn vote_here(&self) -> Option<Breakdown> {
        self.own_vote(self.panes.transcript.current()?)?.breakdown
    }

    fn place_in_queue(&self) -> (DialogId, u32) {
        let at = self.panes.transcript.at.unwrap_or_default();
        (at, self.panes.transcript.turn as u32)
    }

    /// Iterates over the queue from the current turn's successor, wrapping around, or from its start if
    /// `first`.
    pub(super) fn in_queue_order(&self, first: bool) -> impl Iterator<Item = QueueItem> {
        let here = self.place_in_queue();
        let queue = self.judging.queue.as_deref().unwrap_or_default();
        let place = |item: &QueueItem| (item.at, item.turn);
        let start = match queue.iter().position(|item| place(item) == here) {
            _ if first => 0,
            Some(found) => found + 1,
            // The current turn is not in the queue: start at the next one that is.
            None => queue
                .iter()
                .position(|item| place(item) > here)
                .unwrap_or(0),
        };
        let (before, behind) = queue.split_at(start);
        behind.iter().chain(before).copied()
    }

    /// Moves to the next turn of the queue that the annotator has not judged, wrapping around; to the first
    /// one of the queue if `first`.
    pub(super) fn next_to_judge(&mut self, first: bool) -> Vec<Effect> {
        if self.judging.queue.is_none() {
            return self.next_in_dialog();
        }
        let here = self.place_in_queue();
        let wanted = |item: &QueueItem| !item.judged && (first || (item.at, item.turn) != here);
        let next = self.in_queue_order(first).find(wanted);
        match next {
            Some(QueueItem { at, turn, .. }) => {
                let effects = self.open_from_list(at);
                self.panes.transcript.go(turn as usize);
                effects
            }
            None => {
                let title = self.judging.wanted.title();
                self.say(format!("queue done: {title}"));
                Vec::new()
            }
        }
    }

    /// Moves to the next turn to judge in this dialog, for use while the queue is not known.
    fn next_in_dialog(&mut self) -> Vec<Effect> {
        let turns = self.panes.transcript.dialog.turns.iter().enumerate();
        let open = |(_, turn): &(usize, &Turn)| is_judgeable(turn) && self.own_vote(turn).is_none();
        let next = turns.skip(self.panes.transcript.turn + 1).find(open);
        if let Some(turn) = next.map(|(turn, _)| turn) {
            self.panes.transcript.go(turn);
        }
        Vec::new()
    }

    /// Links the dialog on the screen to a vote log that was just found, if that is its log.
    pub(super) fn on_vote_log_found(&mut self) {
        if let Some(at) = self.panes.transcript.at
            && self.workspace.files.log_of(at).is_some()
        {
            self.workspace.files.link(at);
            self.reread();
        }
    }

    /// Links vote logs with reapplied edits to their dialogs, now that more dialog ids are known.
    pub(super) fn find_judged(&mut self) {
        let files = self
            .workspace
            .steps
            .all
            .iter()
            .map(|step| step.at.file as usize);
        let files: BTreeSet<usize> = files.collect();
        if self.workspace.files.find_judged(files.into_iter()) {
            self.count_unsaved_votes();
        }
    }

    /// Updates the queue after votes in the dialog on the screen may have changed.
    pub(super) fn count_votes(&mut self) {
        if let Some(at) = self.panes.transcript.at {
            let (judge, dialog) = (&self.panes.transcript.judge, &self.panes.transcript.dialog);
            self.judging.note(at, dialog, judge);
        }
    }

    /// Adds unsaved votes to the queue, which is built from the files on the disk.
    pub(super) fn count_unsaved_votes(&mut self) {
        let steps = self.workspace.steps.all.iter();
        let edited: HashSet<DialogId> = steps
            .map(|step| self.workspace.files.judged_in(step.at))
            .collect();
        let mut items: HashMap<DialogId, Vec<&mut QueueItem>> = HashMap::new();
        for item in self.judging.queue.iter_mut().flatten() {
            if edited.contains(&item.at) {
                items.entry(item.at).or_default().push(item);
            }
        }
        for (at, items) in items {
            if let Ok(Some((dialog, _))) = self.workspace.files.dialog(at) {
                note(items.into_iter(), &dialog, &self.panes.transcript.judge);
            }
        }
    }

    pub(super) fn toggle_blind(&mut self) -> Vec<Effect> {
        self.judging.blind = match self.judging.blind {
            Blind::No => {
                self.say("blind mode on: others' votes are hidden until you have judged a turn");
                Blind::Yes
            }
            Blind::Yes => {
                self.say("blind mode off: others' votes are shown");
                Blind::No
            }
            Blind::Always => {
                self.say("blind mode was set at the start and cannot be turned off");
                Blind::Always
            }
        };
        self.sync_judge();
        Vec::new()
    }
}
