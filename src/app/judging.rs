//! Judging: votes of one annotator, what to judge next, and judging without seeing others' votes.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use super::line::elided;
use super::msg::DialogId;
use super::queue::{QueueItem, QueueKind, first_to_judge};
use super::transcript::JudgeView;
use super::{App, Effect, Focus, PromptKind, command};
use crate::dialog::{Breakdown, Dialog, Edit, Mark, Turn, Vote};
use crate::text::counted;
use crate::votes::ids::may_judge;
use crate::votes::queue::is_judgeable;

/// Whether others' votes are hidden on turns that the annotator has not judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blind {
    #[default]
    No,
    Yes,
    /// Chosen when the program was started, and not to be lifted.
    Always,
}

/// What is known of the judging.
#[derive(Clone, Debug, Default)]
pub struct Judging {
    /// Who judges; empty if that is still to be asked.
    pub annotator: String,
    /// Dialogs of families that hold no votes are judged too, in logs beside them.
    pub on: bool,
    /// Others' votes can be changed.
    pub adjudicates: bool,
    pub blind: Blind,
    pub wanted: QueueKind,
    /// What was asked for by the reader, and is not known yet.
    asked: Option<QueueKind>,
    /// The turns to be judged, in the order in which they come; None until they are known.
    pub queue: Option<Vec<QueueItem>>,
    /// Counts queues, so that one that comes late is known.
    number: u64,
    /// What to cast once it is known who judges.
    waiting: Option<Breakdown>,
    /// When the last vote of this session was cast, how many were, and how long they took.
    last: Option<Duration>,
    cast: u32,
    spent: Duration,
    /// The turn judged last, and the one that the reader was led to then.
    pub(super) led: Option<[(DialogId, usize); 2]>,
}

/// Columns of a dialog's id where a message has more to say.
const ID: usize = 26;

/// Who thinks longer about a vote than this has paused.
const PAUSE: Duration = Duration::from_mins(1);

impl Judging {
    /// Nothing judged yet by `annotator`, who may be unknown.
    pub fn new(annotator: String) -> Self {
        Self {
            annotator,
            ..Self::default()
        }
    }

    /// Turns of the queue, and how many of them are judged.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let queue = self.queue.as_ref().filter(|queue| !queue.is_empty())?;
        let judged = queue.iter().filter(|item| item.judged).count();
        Some((judged, queue.len()))
    }

    /// Takes in which turns of a dialog that are to be judged the judge has.
    fn note(&mut self, at: DialogId, dialog: &Dialog, judge: &JudgeView) {
        let items = self.queue.iter_mut().flatten();
        note(items.filter(|item| item.at == at), dialog, judge);
    }

    /// Minutes spent on the votes of this session, without pauses, and about how many more it will take.
    pub fn minutes(&self) -> Option<(u64, u64)> {
        // How long the first one took is not known.
        let timed = self.cast.checked_sub(1).filter(|timed| *timed > 0)?;
        let (judged, all) = self.progress()?;
        let each = self.spent.as_secs_f64() / f64::from(timed);
        let left = each * (all - judged) as f64 / 60.0;
        Some((self.spent.as_secs() / 60, left.ceil() as u64))
    }

    /// A vote was cast at `now`.
    fn count(&mut self, now: Duration) {
        let before = self.last.replace(now).unwrap_or(now);
        self.spent += now.saturating_sub(before).min(PAUSE);
        self.cast += 1;
    }
}

/// Takes in which of these turns of a dialog the judge has judged.
fn note<'i>(items: impl Iterator<Item = &'i mut QueueItem>, dialog: &Dialog, judge: &JudgeView) {
    for item in items {
        let turn = dialog.turns.get(item.turn as usize);
        item.judged = turn.is_some_and(|turn| judge.own(turn).is_some());
    }
}

impl App {
    /// True if the dialog on the screen is one whose turns can be judged.
    pub fn judges(&self) -> bool {
        let family = self.family();
        family.is_some_and(|f| f.has_votes() || self.judging.on && !f.is_companion())
    }

    /// Judges dialogs of families that hold no votes, or no more.
    pub(super) fn toggle_judging(&mut self) -> Vec<Effect> {
        self.judging.on = !self.judging.on;
        self.sync_judge();
        self.details.forget();
        if !self.judging.on {
            self.say("votes are shown and not cast any more");
            return Vec::new();
        }
        let file = self.transcript.at.unwrap_or_default().file as usize;
        let folder = self.files.logs.folders.get(file);
        let folder = folder.map_or_else(String::new, |folder| folder.display().to_string());
        let vote = self.vote_keys("and");
        self.say(format!("{vote} judge system turns; votes go to {folder}"));
        self.judging.queue = None;
        self.queue(self.judging.wanted)
    }

    /// The keys that vote, with `and` before the last one.
    pub(super) fn vote_keys(&self, and: &str) -> String {
        let [o, t, x] = [&command::VOTE_O, &command::VOTE_T, &command::VOTE_X]
            .map(|name| self.keymap.shown(name));
        format!("{o}, {t} {and} {x}")
    }

    /// The vote of the annotator on a turn.
    pub fn own_vote<'t>(&self, turn: &'t Turn) -> Option<&'t Vote> {
        self.transcript.judge.own(turn)
    }

    /// Lets the transcript know who judges; laid out anew if that is another than before.
    pub(super) fn sync_judge(&mut self) {
        let judge = JudgeView {
            annotator: self.judging.annotator.clone(),
            blind: match self.judging.blind {
                Blind::No => false,
                Blind::Yes => self.judges(),
                Blind::Always => true,
            },
        };
        if self.transcript.judge != judge {
            self.transcript.judge = judge;
            self.forget_charts();
            self.transcript.forget();
            self.details.forget();
        }
    }

    /// Where a dialog is judged, it is begun at its first turn that can be: what users say before it
    /// stands above.
    pub(super) fn go_to_first_judged(&mut self) {
        if self.judges() {
            let first = first_to_judge(&self.transcript.dialog, &self.judging.annotator);
            self.transcript.go(first.unwrap_or_default());
        }
    }

    /// Asks for the turns to be judged.
    pub(super) fn queue(&mut self, wanted: QueueKind) -> Vec<Effect> {
        self.judging.asked = Some(wanted);
        self.find_to_judge(wanted)
    }

    /// Asks once more for what is being judged, as files are not what they were.
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

    /// The turns to be judged were found.
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
            // One goes on with what one judges.
            self.say(format!("there are none: {title}"));
            return Vec::new();
        }
        self.judging.wanted = asked.unwrap_or(self.judging.wanted);
        self.judging.queue = Some(items);
        self.count_unsaved_votes();
        if first {
            // It was made without being asked for.
            self.report_progress();
            if outgrown > 0 {
                let dialogs = counted(outgrown as u64, "dialog");
                self.complain(format!(
                    "{dialogs} changed since being judged: those votes are in their logs, and not shown"
                ));
            }
        }
        if first || asked.is_none() {
            return Vec::new();
        }
        let mut effects = self.next_to_judge(true);
        effects.push(Effect::Remember);
        let count = self.judging.queue.as_ref().map_or(0, Vec::len);
        self.say(format!("{count} to judge: {title}"));
        effects
    }

    /// Casts a vote on the current turn, and goes to the next one that the annotator has not judged.
    pub(super) fn vote(&mut self, breakdown: Breakdown) -> Vec<Effect> {
        if self.focus == Focus::Details {
            return self.adjudicate_chosen(breakdown);
        }
        let place = self.place();
        if let Some(why) = self.not_judged(place.1) {
            let skip = self.keymap.shown(&command::VOTE_SKIP);
            self.say(format!("{why}: {skip} goes to the next"));
            return Vec::new();
        }
        if self.judging.annotator.is_empty() {
            self.judging.waiting = Some(breakdown);
            return self.ask(PromptKind::Annotator, "");
        }
        let was = self.vote_here().filter(|was| *was != breakdown);
        let was = was.map_or_else(String::new, |was| format!("{} → ", was.letter()));
        let (made, mut effects) = self.cast(breakdown, None, None);
        if made {
            self.judging.count(self.now);
            effects.extend(self.advance());
            let voted = format!(
                "{was}{} on {}",
                breakdown.letter(),
                self.describe_queue(place)
            );
            match &self.status.text {
                _ if self.status.bad => {}
                nothing if nothing.is_empty() => self.say(voted),
                more => self.say(format!("{voted} · {more}")),
            }
        }
        effects
    }

    /// Goes on to the next turn to be judged, if the current one is.
    pub(super) fn leave_judged(&mut self) -> Vec<Effect> {
        if self.judges() && self.vote_here().is_some() {
            return self.next_to_judge(false);
        }
        Vec::new()
    }

    /// Goes on to the next turn to be judged, and remembers from where.
    pub(super) fn advance(&mut self) -> Vec<Effect> {
        let from = self.place();
        let effects = self.next_to_judge(false);
        self.judging.led = Some([from, self.place()]);
        effects
    }

    /// The dialog and the turn that the reader is at.
    pub(super) fn place(&self) -> (DialogId, usize) {
        (self.transcript.at.unwrap_or_default(), self.transcript.turn)
    }

    /// A turn by its number, and by its dialog if that is not the one on the screen.
    pub(super) fn describe_queue(&self, (at, turn): (DialogId, usize)) -> String {
        if self.place().0 == at {
            return format!("turn {turn}");
        }
        let id = match self.files.dialog(at) {
            Ok(Some((dialog, _))) => dialog.id,
            _ => String::new(),
        };
        if id.is_empty() {
            return format!("turn {turn} of dialog {}", at.dialog);
        }
        format!("turn {turn} of {}", elided(&id, ID))
    }

    /// Why a turn is not one to be judged.
    pub(super) fn not_judged(&self, turn: usize) -> Option<String> {
        let judgeable = is_judgeable(self.transcript.dialog.turns.get(turn)?);
        (!judgeable).then(|| format!("turn {turn} is a user's; only system turns are judged"))
    }

    pub(super) fn cast(
        &mut self,
        breakdown: Breakdown,
        comment: Option<String>,
        ungrammatical: Option<Mark>,
    ) -> (bool, Vec<Effect>) {
        let edit = Edit::CastVote {
            turn: self.transcript.turn,
            annotator: self.judging.annotator.clone(),
            breakdown,
            comment,
            ungrammatical,
        };
        let title = match self.vote_here() {
            Some(was) if was != breakdown => {
                let (was, is) = (was.letter(), breakdown.letter());
                format!("vote {was} → {is} on turn {}", self.transcript.turn)
            }
            _ => edit.title(),
        };
        self.edit(&edit, title)
    }

    /// What the annotator has voted on the current turn.
    fn vote_here(&self) -> Option<Breakdown> {
        self.own_vote(self.transcript.current()?)?.breakdown
    }

    fn place_in_queue(&self) -> (DialogId, u32) {
        let at = self.transcript.at.unwrap_or_default();
        (at, self.transcript.turn as u32)
    }

    /// The queue from behind the place of the reader on and around, or from its `first` turn on.
    pub(super) fn in_queue_order(&self, first: bool) -> impl Iterator<Item = QueueItem> {
        let here = self.place_in_queue();
        let queue = self.judging.queue.as_deref().unwrap_or_default();
        let place = |item: &QueueItem| (item.at, item.turn);
        let start = match queue.iter().position(|item| place(item) == here) {
            _ if first => 0,
            Some(found) => found + 1,
            // Outside the queue: from the next turn of it.
            None => queue
                .iter()
                .position(|item| place(item) > here)
                .unwrap_or(0),
        };
        let (before, behind) = queue.split_at(start);
        behind.iter().chain(before).copied()
    }

    /// Goes to the next turn that the annotator has not judged: in the order of the queue, from where
    /// the reader is and around. `first`: to the first one of the queue.
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
                self.transcript.go(turn as usize);
                effects
            }
            None => {
                let title = self.judging.wanted.title();
                self.say(format!("you have judged all of them: {title}"));
                Vec::new()
            }
        }
    }

    /// While it is not known yet what is to be judged, the next turn of this dialog.
    fn next_in_dialog(&mut self) -> Vec<Effect> {
        let turns = self.transcript.dialog.turns.iter().enumerate();
        let open = |(_, turn): &(usize, &Turn)| is_judgeable(turn) && self.own_vote(turn).is_none();
        let next = turns.skip(self.transcript.turn + 1).find(open);
        if let Some(turn) = next.map(|(turn, _)| turn) {
            self.transcript.go(turn);
        }
        Vec::new()
    }

    /// It is known who judges.
    pub(super) fn set_annotator(&mut self, id: &str) -> Vec<Effect> {
        let id = id.trim();
        if let Err(why) = may_judge(id) {
            self.judging.waiting = None;
            self.say(why);
            return Vec::new();
        }
        id.clone_into(&mut self.judging.annotator);
        self.sync_judge();
        if let Some(rules) = &mut self.files.rules {
            id.clone_into(&mut Arc::make_mut(rules).judge);
        }
        let mut effects = vec![Effect::RememberAnnotator(id.to_owned())];
        self.judging.queue = None;
        let wanted = self.judging.wanted;
        effects.extend(self.queue(wanted));
        match self.judging.waiting.take() {
            Some(breakdown) => effects.extend(self.vote(breakdown)),
            None => self.say(format!("you judge as {id}")),
        }
        effects
    }

    /// A log was found: its votes may be those on the dialog on the screen.
    pub(super) fn on_vote_log_found(&mut self) {
        if let Some(at) = self.transcript.at
            && self.files.log_of(at).is_some()
        {
            self.files.link(at);
            self.reread();
        }
    }

    /// More ids of dialogs are known: logs of which votes were made again find theirs.
    pub(super) fn find_judged(&mut self) {
        let files = self.steps.all.iter().map(|step| step.at.file as usize);
        let files: BTreeSet<usize> = files.collect();
        if self.files.find_judged(files.into_iter()) {
            self.count_unsaved_votes();
        }
    }

    /// The dialog on the screen may have other votes than before.
    pub(super) fn count_votes(&mut self) {
        if let Some(at) = self.transcript.at {
            let (judge, dialog) = (&self.transcript.judge, &self.transcript.dialog);
            self.judging.note(at, dialog, judge);
        }
    }

    /// The queue was made from what is on the disk: what was judged since then counts too.
    pub(super) fn count_unsaved_votes(&mut self) {
        let steps = self.steps.all.iter();
        let edited: HashSet<DialogId> = steps.map(|step| self.files.judged_in(step.at)).collect();
        let mut items: HashMap<DialogId, Vec<&mut QueueItem>> = HashMap::new();
        for item in self.judging.queue.iter_mut().flatten() {
            if edited.contains(&item.at) {
                items.entry(item.at).or_default().push(item);
            }
        }
        for (at, items) in items {
            if let Ok(Some((dialog, _))) = self.files.dialog(at) {
                note(items.into_iter(), &dialog, &self.transcript.judge);
            }
        }
    }

    pub(super) fn toggle_blind(&mut self) -> Vec<Effect> {
        self.judging.blind = match self.judging.blind {
            Blind::No => {
                self.say("others' votes are hidden until you have judged a turn");
                Blind::Yes
            }
            Blind::Yes => {
                self.say("others' votes are shown");
                Blind::No
            }
            Blind::Always => {
                self.say("this session is blind: what you have not judged stays hidden");
                Blind::Always
            }
        };
        self.sync_judge();
        Vec::new()
    }
}
