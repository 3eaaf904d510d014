//! Handling messages, and the rules that hold after each one.

use super::command::{self, Availability, Command, CommandFn};
use super::key::{Code, Key};
use super::keymap::{KeyLookup, Scope};
use super::layout::body;
use super::list::ListRow;
use super::locking::{Action, WaitingAction};
use super::save::SaveOutcome;
use super::{App, Effect, Focus, Msg, Overlay, Status, details};

/// The largest count, short enough to read.
const LARGEST_COUNT: usize = 999_999_999;

impl App {
    /// Handles a message and returns its effects.
    pub fn update(&mut self, msg: Msg) -> Vec<Effect> {
        if let Msg::Now(now) = msg {
            // It comes before each key and changes nothing visible.
            self.session.now = now;
            return Vec::new();
        }
        // The answer about a lock lets the action of a key go on.
        let by_hand = matches!(msg, Msg::Key(_) | Msg::Mouse(_) | Msg::Locked { .. });
        let before = (self.panes.transcript.at, self.panes.transcript.turn);
        let before_msg = (!by_hand).then(|| self.status.clone());
        let mut effects = self.handle(msg);
        if let Some(filter) = self.panes.list.dropped.take() {
            self.say_also(format!("filter cleared: {filter}"));
        }
        self.status.news |= before_msg.is_some_and(|before_msg| before_msg != self.status);
        if by_hand && before != (self.panes.transcript.at, self.panes.transcript.turn) {
            // A user who has moved stays there: later results do not move them.
            self.session.wanted = None;
        }
        effects.extend(self.count_as_saved(&effects));
        effects.extend(self.settle());
        effects
    }

    /// Marks files as saved whose text equals the disk again after undo or redo.
    fn count_as_saved(&mut self, effects: &[Effect]) -> Vec<Effect> {
        let mut files: Vec<_> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Journal { file, .. } | Effect::RewriteJournal { file, .. } => Some(*file),
                _ => None,
            })
            .collect();
        files.dedup();
        files.retain(|file| self.workspace.files.mark_unchanged_as_saved(*file));
        let saved = |file| Effect::JournalSaved { file };
        files.into_iter().map(saved).collect()
    }

    fn handle(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Key(key) => self.key(key),
            Msg::Paste(text) => self.paste(&text),
            Msg::Mouse(mouse) => self.mouse(mouse),
            Msg::Resize(size) => {
                self.panes.size = size;
                self.release_mouse();
                self.lay_out_help();
                Vec::new()
            }
            Msg::Opened {
                file,
                bytes,
                index,
                complete,
            } => {
                self.workspace.files.opened(file, bytes, *index, complete);
                self.found_dialogs(file, complete)
            }
            Msg::More { file, pieces, read } => {
                self.workspace.files.found_more(file, pieces, read);
                self.found_dialogs(file, false)
            }
            Msg::Complete { file, index } => {
                self.workspace.files.complete(file, *index);
                self.found_dialogs(file, true)
            }
            Msg::Failed { file, reason } => {
                self.workspace.files.failed(file, reason);
                self.found_dialogs(file, false)
            }
            Msg::Summarized {
                file,
                from,
                outlines,
                names,
            } => {
                self.workspace.names.merge(names);
                self.workspace.files.set_summaries(file, from, outlines);
                self.session.arrived.outlines = true;
                Vec::new()
            }
            Msg::Prefetched(ahead) => {
                self.workspace.files.on_prefetched(ahead);
                Vec::new()
            }
            Msg::Companions {
                at,
                context,
                labels,
                trouble,
            } => {
                if self.panes.transcript.at == Some(at) {
                    (self.panes.transcript.context, self.panes.transcript.beside) =
                        (context, trouble);
                    if let Some(labels) = labels {
                        self.panes.transcript.attach_detections(&labels);
                    }
                    self.panes.transcript.forget();
                    self.panes.details.forget();
                }
                Vec::new()
            }
            Msg::Hits {
                search,
                hits,
                searched,
                done,
            } => self.on_hits(search, hits, searched, done),
            Msg::Located { at, line } => {
                self.panes.details.line = Some((at, line));
                self.panes.details.forget();
                Vec::new()
            }
            Msg::Complaint(text) => {
                self.complain(text);
                Vec::new()
            }
            Msg::Batch(all) => all.into_iter().flat_map(|msg| self.handle(msg)).collect(),
            other => self.take_of_disk(other),
        }
    }

    /// Handles a message about files on the disk.
    fn take_of_disk(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Saved {
                file,
                bytes,
                index,
                lines,
                doubt,
                linked,
            } => {
                let new = self.workspace.files.is_new(file);
                self.workspace.files.saved(file, bytes, *index);
                let outcome = SaveOutcome {
                    new,
                    lines,
                    doubt,
                    linked,
                };
                self.on_saved(file, outcome)
            }
            Msg::Missing { file } => {
                self.on_file_missing(file);
                Vec::new()
            }
            Msg::Deleted { file } => {
                self.on_file_deleted(file);
                Vec::new()
            }
            Msg::AccessLoss { file, lost } => {
                self.would_change_owner(file, lost);
                Vec::new()
            }
            Msg::SaveFailed { file, reason } => self.on_save_failed(file, &reason),
            Msg::Changed { file, saving } => {
                self.on_file_changed(file, saving);
                Vec::new()
            }
            Msg::Reloaded { file, bytes, index } => self.on_file_reloaded(file, bytes, *index),
            Msg::Fixes {
                number,
                found,
                more,
                looked,
            } => {
                self.add_fixes(number, (found, more), looked);
                Vec::new()
            }
            Msg::Locked { file, outcome } => self.on_locked(file, *outcome),
            Msg::Rules(rules) => self.set_rules(*rules),
            Msg::Ignores { at, ignores } => self.set_ignores(at, *ignores),
            Msg::Queued {
                number,
                items,
                outgrown,
            } => self.set_queue(number, items, outgrown),
            Msg::VotesCounted { number, charts } => {
                self.on_votes_counted(number, *charts);
                Vec::new()
            }
            Msg::Focused => vec![self.check_files()],
            other => self.take_of_journals(other),
        }
    }

    /// Scrolls so that the selection is visible; holds after every message.
    fn settle(&mut self) -> Vec<Effect> {
        let mut effects = self.take_arrived();
        effects.extend(self.lay_out());
        effects
    }

    fn lay_out(&mut self) -> Vec<Effect> {
        self.sync_judge();
        self.offer_once_read();
        if self.overlay.open.is_none() {
            let next = self.overlay.questions.pop_front();
            self.overlay.open = next.map(Overlay::Question);
        }
        self.uncover_status();
        let Some(layout) = self.layout() else {
            return Vec::new();
        };
        let area = body(layout.transcript);
        self.panes
            .transcript
            .lay_out(area.width.into(), area.height.into());
        let rows = usize::from(body(layout.dialogs).height);
        let walked = self.panes.focus == Focus::Dialogs;
        self.panes.list.keep_visible(rows, walked);
        for row in self.panes.list.top..(self.panes.list.top + rows).min(self.panes.list.rows.len())
        {
            if let ListRow::Dialog(at) = self.panes.list.rows[row] {
                self.workspace.files.read_summary(at);
            }
        }
        if layout.details.is_empty() {
            return Vec::new();
        }
        details::lay_out(self, body(layout.details))
    }

    /// A question that needs more than one row covers the status line. Messages that do not answer a key
    /// are therefore shown again after the question is answered, beside what the answer reports.
    fn uncover_status(&mut self) {
        let (status, covered) = (&self.status, &self.overlay.covered);
        let asked = matches!(self.overlay.open, Some(Overlay::Question(_)));
        if asked && status.news && !covered.holds(status) {
            // A later message does not replace an error.
            self.overlay.covered = if covered.bad {
                status.beside(covered)
            } else {
                status.clone()
            };
        } else if self.overlay.open.is_none() && !status.holds(covered) {
            self.status = status.beside(covered);
        }
    }

    fn key(&mut self, key: Key) -> Vec<Effect> {
        self.status = Status::default();
        if self.overlay.open.is_none() {
            self.overlay.covered = Status::default();
        }
        self.search.stop_waiting_for_hit();
        self.input.waiting = WaitingAction::default();
        self.release_mouse();
        if self.layout().is_none() {
            return self.key_unseen(key);
        }
        if let Some(Overlay::Prompt(_)) = self.overlay.open {
            return self.prompt_key(key);
        }
        if self.input.pending.keys.is_empty() && self.takes_digit(key) {
            let digit = key.digit().unwrap_or_default();
            let count = self.input.pending.count.unwrap_or_default();
            let more = count.saturating_mul(10).saturating_add(digit);
            self.input.pending.count = Some(more.min(LARGEST_COUNT));
            return Vec::new();
        }
        self.input.pending.keys.push(key);
        match self
            .input
            .keymap
            .find(self.scopes(), &self.input.pending.keys)
        {
            KeyLookup::Command(command) => {
                let count = std::mem::take(&mut self.input.pending).count;
                let counted = command.with_count.filter(|_| count.is_some());
                let meant = counted.unwrap_or(command);
                self.run(meant, count)
            }
            KeyLookup::More => Vec::new(),
            KeyLookup::Nothing => {
                let pending = std::mem::take(&mut self.input.pending);
                // Commands for the terminal work whatever is open.
                if let KeyLookup::Command(command) =
                    self.input.keymap.find(&[Scope::Everywhere], &pending.keys)
                    && command.availability == Availability::Always
                {
                    return self.run(command, None);
                }
                let keys: Vec<_> = pending
                    .keys
                    .iter()
                    .map(|key| key.shown(self.input.keymap.names))
                    .collect();
                let mut message = format!("{} is not bound here", keys.join(" "));
                // An overlay shows its own keys, and the key for the help does something else there.
                if self.overlay.open.is_none() {
                    message = format!(
                        "{message} · {} for help",
                        self.input.keymap.shown(&command::HELP)
                    );
                }
                self.say(message);
                Vec::new()
            }
        }
    }

    /// Handles a key while the screen is too small: commands that change something wait for a larger
    /// one.
    fn key_unseen(&mut self, key: Key) -> Vec<Effect> {
        self.input.pending = super::Pending::default();
        let typed = matches!(key.code, Code::Char(_)) && !key.ctrl && !key.alt;
        if typed && matches!(self.overlay.open, Some(Overlay::Prompt(_))) {
            return Vec::new();
        }
        if key == Key::plain(Code::Esc)
            && let KeyLookup::Command(command) = self.input.keymap.find(self.scopes(), &[key])
            && command.availability == Availability::ClosesOverlay
        {
            return self.run(command, None);
        }
        match self.input.keymap.find(self.scopes_under(), &[key]) {
            KeyLookup::Command(command) if command.availability >= Availability::TinyScreen => {
                self.run(command, None)
            }
            _ => Vec::new(),
        }
    }

    /// True if a key is part of a count: a digit without a command of its own here.
    fn takes_digit(&self, key: Key) -> bool {
        // Turns are numbered from 0.
        key.digit().is_some()
            && matches!(
                self.input.keymap.find(self.scopes(), &[key]),
                KeyLookup::Nothing
            )
    }

    /// Runs a command, if it is available now.
    pub fn run(&mut self, command: &'static Command, count: Option<usize>) -> Vec<Effect> {
        match (command.can)(self) {
            Ok(()) => {
                let files = (command.edits)(self, count);
                self.lock_for(files, Action::Command(command, count))
            }
            Err(why) => {
                self.say(why.text(self));
                Vec::new()
            }
        }
    }

    /// Runs a command that need not wait.
    pub(super) fn run_now(
        &mut self,
        command: &'static Command,
        count: Option<usize>,
    ) -> Vec<Effect> {
        (command.run as CommandFn)(self, count)
    }

    fn paste(&mut self, text: &str) -> Vec<Effect> {
        if self.layout().is_none() {
            return Vec::new();
        }
        if let Some(Overlay::Prompt(_)) = self.overlay.open {
            return self.prompt_paste(text);
        }
        self.say("nothing to paste text into here");
        Vec::new()
    }
}
