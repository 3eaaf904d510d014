//! Handling messages, and the rules that hold after each one.

pub mod arrivals;
mod locked;
pub mod mouse;

use crate::app::core::{App, Effect, Msg, Pending, Prompt, QuestionWindow, names};
use crate::app::feature::figures;
use crate::app::feature::finding::{bookmarks, dialog_order, hit_counts, search};
use crate::app::feature::judging::{answer_keys, judge, question_menu, queue};
use crate::app::feature::problems::{ignoring, problem};
use crate::app::feature::recovery::{recover, restore_edits};
use crate::app::feature::review::window::ReviewWindow;
use crate::app::feature::review::{conflict_list, decide, fixes, other_side};
use crate::app::feature::saving::{autosave, external_changes, file_question, quit, save_file};
use crate::app::input::{Availability, Code, Command, Key, KeyLookup, Move, Scope};
use crate::app::pane::{Focus, ListRow, body};
use crate::app::state::{Status, Subject, TurnPlace};
use crate::app::{CopiedBy, tabs};
use crate::workspace::{JournalOp, Outdated};

/// The largest count, short enough to read.
const LARGEST_COUNT: usize = 999_999_999;

impl App {
    /// Handles a message and returns its effects.
    pub fn update(&mut self, msg: Msg) -> Vec<Effect> {
        // None of these changes anything visible.
        if matches!(msg, Msg::Now(_) | Msg::Utc(_) | Msg::Pause) {
            handle(self, msg);
            return std::mem::take(&mut self.effects);
        }
        // The answer about a copy lets the action of a key go on.
        let by_hand = matches!(msg, Msg::Key(_) | Msg::Mouse(_) | Msg::Copied { .. });
        let is_mouse = matches!(msg, Msg::Mouse(_));
        let before = self.turn_place();
        self.session.ran = None;
        let (said_before, was_covered) = (self.status.clone(), self.windows.open.is_some());
        handle(self, msg);
        if let Some(filter) = self.panes.list.dropped.take() {
            self.say_also(format!("filter cleared: {filter}"));
        }
        let is_new = said_before != self.status;
        self.status.news |= !by_hand && is_new;
        if by_hand && !is_same_turn(before, self.turn_place()) {
            // A user who has moved stays there: later results do not move them.
            self.session.wanted = None;
        }
        note_jump(self, before, is_mouse);
        self.session.placed |= by_hand;
        count_as_saved(self);
        // What was seen before a question is not shown again after it.
        let is_seen = !was_covered && self.windows.open.is_none() && !is_new;
        self.status.news &= !is_seen || self.windows.questions.is_empty();
        settle(self);
        std::mem::take(&mut self.effects)
    }

    /// Locks a file, unless that is done or nobody else can edit it. Returns false if the user has to see a message or to
    /// answer a question first. A method, because edits lock files, and what is found then is taken over by features.
    pub fn lock(&mut self, file: usize) -> bool {
        locked::lock(self, file)
    }
}

fn is_same_turn(one: Option<TurnPlace>, other: Option<TurnPlace>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.is_same_turn(&other),
        (one, other) => one == other,
    }
}

/// Remembers the place that the user has left, unless one step leads back to it.
fn note_jump(app: &mut App, before: Option<TurnPlace>, is_mouse: bool) {
    let now = app.turn_place();
    let (Some(left), Some(here)) = (before, now) else {
        return;
    };
    let moves = match app.session.ran {
        Some(command) => command.row().moves,
        None if is_mouse && left.at == here.at => Move::Step,
        None => Move::Jump,
    };
    let moved = !left.is_same_turn(&here);
    if moved && moves != Move::Step {
        // Before the first key, the program itself goes to the place of the last session.
        if app.session.placed {
            app.session.jumps.leave(left, moves == Move::Pass);
        }
    } else if app.session.ran.is_some() && moves != Move::Pass {
        app.session.jumps.stay();
    }
}

/// Marks files as saved whose text equals the disk again after undo or redo.
fn count_as_saved(app: &mut App) {
    let mut files: Vec<_> = app
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Journal { file, what: JournalOp::Did(_) | JournalOp::Rewrite(_) } => {
                Some(*file)
            }
            _ => None,
        })
        .collect();
    files.dedup();
    files.retain(|file| app.workspace.mark_unchanged_as_saved(*file));
    let saved = |file| Effect::Journal { file, what: JournalOp::Saved };
    app.effects.extend(files.into_iter().map(saved));
}

#[expect(clippy::too_many_lines, reason = "one arm for each message")]
fn handle(app: &mut App, msg: Msg) {
    match msg {
        Msg::Now(now) => {
            app.session.now = now;
        }
        Msg::Utc(seconds) => app.session.utc = Some(seconds),
        Msg::Pause => autosave::save_votes(app),
        Msg::Key(key) => press(app, key),
        Msg::Paste(text) => paste(app, &text),
        Msg::Mouse(mouse) => mouse::mouse(app, mouse),
        Msg::Resize(size) => {
            app.panes.size = size;
            mouse::release_mouse(app);
        }
        Msg::Opened { file, bytes, index, complete } => {
            app.workspace.files.opened(file, bytes, *index, complete);
            problem::choose_columns(app, file);
            arrivals::found_dialogs(app, file, complete);
        }
        Msg::More { file, pieces, read } => {
            app.workspace.files.found_more(file, pieces, read);
            arrivals::found_dialogs(app, file, false);
        }
        Msg::Complete { file, index } => {
            app.workspace.files.complete(file, *index);
            arrivals::found_dialogs(app, file, true);
        }
        Msg::Failed { file, reason } => {
            app.workspace.files.failed(file, reason);
            arrivals::found_dialogs(app, file, false);
        }
        Msg::Summarized { file, from, summaries, names } => {
            if app.workspace.names.merge(names) {
                app.order_labels();
            }
            app.workspace.files.set_summaries(file, from, summaries);
            app.session.arrived.summaries = true;
        }
        Msg::Companions { at, context, labels, trouble } => {
            for transcript in app.panes.transcripts_mut() {
                if transcript.at == Some(at) {
                    transcript.context.clone_from(&context);
                    transcript.companion_error.clone_from(&trouble);
                    if let Some(labels) = &labels {
                        transcript.attach_detections(labels);
                    }
                    transcript.forget();
                }
            }
            if app.panes.transcript.at == Some(at) {
                app.panes.details.forget();
            }
        }
        Msg::Hits(hits) => search::on_hits(app, hits),
        Msg::Copied { what, by } => {
            app.say(match by {
                CopiedBy::Tmux => format!("copied the {what} to tmux"),
                CopiedBy::Terminal => format!("asked the terminal to copy the {what}"),
            });
        }
        Msg::Located { at, line } => {
            app.panes.details.line = Some((at, line));
            app.panes.details.forget();
        }
        Msg::Journaled(written) => quit::on_journaled(app, written),
        Msg::Questions { path, scheme } => question_menu::on_questions(app, &path, *scheme),
        Msg::Complaint(text) => {
            app.complain(text);
        }
        Msg::Unusable(why) => app.cannot_use(why),
        Msg::Batch(all) => all.into_iter().for_each(|msg| handle(app, msg)),
        Msg::ListedForBoth { file, text } => conflict_list::on_listed(app, file, text),
        Msg::Saved { file, bytes, index, outcome } => {
            let new = app.workspace.files.is_new(file);
            conflict_list::carry_over(app, file);
            app.workspace.mark_saved(file, bytes, *index);
            conflict_list::renew(app, file);
            conflict_list::keep(app);
            save_file::on_saved(app, file, new, outcome);
            quit::quit_once_saved(app);
        }
        Msg::Appeared(files) => arrivals::add_files(app, files),
        Msg::Missing { file } => {
            external_changes::on_file_missing(app, file);
        }
        Msg::Deleted { file } => {
            file_question::on_file_deleted(app, file);
        }
        Msg::AccessLoss { file, lost } => {
            file_question::would_change_owner(app, file, lost);
        }
        Msg::SaveFailed { file, reason } => {
            save_file::on_save_failed(app, file, &reason);
            conflict_list::keep(app);
        }
        Msg::Changed { file, saving } => {
            external_changes::on_file_changed(app, file, saving);
        }
        Msg::Reloaded { file, bytes, index } => {
            external_changes::on_file_reloaded(app, file, bytes, *index);
        }
        Msg::Fixes(fixes) => fixes::add_fixes(app, fixes),
        Msg::Rules(rules) => problem::set_rules(app, *rules),
        Msg::Ignores { at, line, change, ignores } => {
            ignoring::set_ignores(app, at, &line, change, *ignores);
        }
        Msg::Queued { number, items, outgrown } => queue::set_queue(app, number, items, outgrown),
        Msg::Written(message) => app.say(message),
        Msg::HitsCounted(counts) => hit_counts::on_hits_counted(app, *counts),
        Msg::Figures { number, text, first } => figures::on_figures(app, number, text, first),
        Msg::Focused => app.check_files(),
        Msg::History { file, past, unsaved } => {
            app.workspace.files.set_history(file, past, unsaved);
        }
        Msg::Doubt { file, doubt } => app.workspace.files.set_doubt(file, Some(doubt)),
        Msg::Exported { files, all, message } => recover::on_exported(app, &files, all, message),
    }
}

/// Updates what depends on the changes of the message, and scrolls so that the selection is visible; runs
/// after every message that may change the screen.
fn settle(app: &mut App) {
    arrivals::take_arrived(app);
    judge::sync_judge(app);
    take_changes(app);
    if app.panes.transcript.caret.is_some() {
        names::keep_digits(app);
    }
    lay_out(app);
    app.session.on_screen.see(app.place(), app.session.now);
}

/// Updates what depends on the changes of the message.
fn take_changes(app: &mut App) {
    let changed = std::mem::take(&mut app.session.changed);
    if let Some(at) = app.panes.transcript.at
        && app.workspace.files.outdated(at.file as usize) == Outdated::Unreported
    {
        external_changes::on_file_changed(app, at.file as usize, false);
    }
    if changed.restored {
        queue::count_unsaved_votes(app);
        if let Some(now) = queue::progress_text(app) {
            // The question covered the progress; its message must show the new count.
            app.windows.covered.update(Subject::Progress, &now);
        }
        // Otherwise the next key would change a restored vote.
        let status = app.status.clone();
        queue::leave_judged(app);
        app.status = status;
    }
    if changed.files {
        app.panes.outdate_pinned();
    }
    if let Some(file) = changed.reread {
        search::search_file(app, file);
    }
    app.reread_pinned();
    app.show_sides();
    if app.hides_sides() {
        search::end_hidden_search(app);
        dialog_order::end_hidden_order(app);
    }
    if changed.files {
        queue::queue_again(app);
        // Another program may have moved their dialogs.
        app.suggestions.placed = false;
    }
    decide::place_and_show(app);
    other_side::show(app);
    if changed.dialog || app.session.changed.dialog {
        app.mark_differences();
    }
    if changed.dialog {
        bookmarks::mark_bookmarks(app);
        queue::count_votes(app);
        search::count_problems(app);
    }
    if let Some(file) = changed.refused {
        external_changes::on_edit_refused(app, file);
    }
    if let Some(file) = changed.undecided {
        restore_edits::offer_unsaved(app, file);
    }
}

fn lay_out(app: &mut App) {
    restore_edits::offer_once_read(app);
    if app.windows.open.is_none() || app.windows.is::<ReviewWindow>() {
        match app.windows.questions.pop_front() {
            Some(next) => app.windows.open(QuestionWindow::from(next)),
            None if app.review().reviewing => app.windows.open(ReviewWindow),
            None => app.windows.close(),
        }
    }
    decide::lay_out(app);
    uncover_status(app);
    if let Some(mut window) = app.windows.open.take() {
        window.lay_out(app);
        app.windows.open = Some(window);
    }
    app.panes.with_question = app.asks_for_judgements();
    let covered = covered(app);
    app.panes.below = covered.try_into().unwrap_or_default();
    let Some(layout) = app.panes.layout() else {
        return;
    };
    let area = body(layout.transcript);
    let below = layout.footer.y.saturating_sub(layout.transcript.bottom());
    app.panes.transcript.cover(covered.saturating_sub(below.into()));
    app.panes.transcript.lay_out(area.width.into(), area.height.into());
    if let Some(pinned) = &mut app.panes.pinned {
        let area = body(layout.pinned);
        pinned.follow(&app.panes.transcript);
        pinned.transcript.lay_out(area.width.into(), area.height.into());
    }
    let rows = usize::from(body(layout.dialogs).height);
    let walked = app.panes.focus == Focus::Dialogs;
    app.panes.list.keep_visible(rows, walked);
    for row in app.panes.list.top..(app.panes.list.top + rows).min(app.panes.list.rows.len()) {
        if let ListRow::Dialog(at) = app.panes.list.rows[row] {
            app.workspace.files.read_summary(at);
        }
    }
    if !layout.details.is_empty() {
        tabs::lay_out(app, body(layout.details));
    }
}

/// Returns the number of the last rows of the screen, without the last one, from which the current turn scrolls away.
fn covered(app: &App) -> usize {
    // The turn is one of a side of a pair, and a window below it would tell which.
    let window = app.windows.open.as_ref().filter(|_| !app.hides_sides());
    window.map_or(0, |window| window.frame_below_turn(app, app.panes.window()).height.into())
}

/// A question that needs more than one row covers the status line. Messages that do not answer a key
/// are therefore shown again after the question is answered, beside what the answer reports.
fn uncover_status(app: &mut App) {
    let (status, covered) = (&app.status, &app.windows.covered);
    let asked = app.windows.is::<QuestionWindow>();
    if asked && status.news && !covered.holds(status) {
        // A later message does not replace an error.
        app.windows.covered = if covered.bad { status.beside(covered) } else { status.clone() };
    } else if app.windows.open.is_none() && !status.holds(covered) {
        app.status = status.beside(covered);
    }
}

fn press(app: &mut App, key: Key) {
    app.status = Status::default();
    if app.windows.open.is_none() {
        app.windows.covered = Status::default();
    }
    // A later hit must not move the user.
    app.search.waiting = None;
    mouse::release_mouse(app);
    if app.panes.layout().is_none() {
        return key_unseen(app, key);
    }
    if app.windows.is::<Prompt>() {
        return app.prompt_key(key);
    }
    if app.windows.open.is_none()
        && app.input.pending == Pending::default()
        && answer_keys::answer_key(app, key)
    {
        return;
    }
    if let Some(digit @ 1..) = key.digit()
        && app.input.pending == Pending::default()
        && app.panes.transcript.selection().is_some()
        && takes_digit(app, key)
        && app.scopes().first() == Some(&Scope::Span)
    {
        return app.run(Command::AddSegment, Some(digit));
    }
    if app.input.pending.keys.is_empty() && takes_digit(app, key) {
        let digit = key.digit().unwrap_or_default();
        let count = app.input.pending.count.unwrap_or_default();
        let more = count.saturating_mul(10).saturating_add(digit);
        app.input.pending.count = Some(more.min(LARGEST_COUNT));
        return;
    }
    app.input.pending.keys.push(key);
    match app.input.keymap.find(app.scopes(), &app.input.pending.keys) {
        KeyLookup::Command(command) if app.is_answerable(command) => {
            let count = std::mem::take(&mut app.input.pending).count;
            let counted = command.row().with_count.filter(|_| count.is_some());
            let meant = counted.unwrap_or(command);
            app.run(meant, count);
        }
        KeyLookup::More => {}
        // Also an answer that the question does not list.
        KeyLookup::Command(_) | KeyLookup::Nothing => {
            let pending = std::mem::take(&mut app.input.pending);
            // Commands for the terminal work whatever is open.
            if let KeyLookup::Command(command) =
                app.input.keymap.find(&[Scope::Everywhere], &pending.keys)
                && command.row().availability == Availability::Always
            {
                return app.run(command, None);
            }
            let keys: Vec<_> =
                pending.keys.iter().map(|key| key.shown(app.input.keymap.names)).collect();
            let mut message = format!("{} is not bound here", keys.join(" "));
            // A window shows its own keys, and the key for the help does something else there.
            if app.windows.open.is_none() {
                if judges_if_on(app, &pending.keys) {
                    message = format!("{message} · {} to turn judging on", app.key(Command::Judge));
                }
                message = format!("{message} · {} for help", app.key(Command::Help));
            }
            app.say(message);
        }
    }
}

/// True if keys that do nothing here are those of judging, which can be turned on.
fn judges_if_on(app: &App, keys: &[Key]) -> bool {
    let judges =
        |keys| matches!(app.input.keymap.find(&[Scope::Judging], keys), KeyLookup::Command(_));
    app.panes.focus == Focus::Transcript
        && !app.judging.on
        && app.can(Command::Judge).is_ok()
        && judges(keys)
}

/// Handles a key while the screen is too small: commands that change something wait for a larger
/// one.
fn key_unseen(app: &mut App, key: Key) {
    app.input.pending = Pending::default();
    if key.types() && app.windows.is::<Prompt>() {
        return;
    }
    if key == Key::plain(Code::Esc)
        && let KeyLookup::Command(command) = app.input.keymap.find(app.scopes(), &[key])
        && command.row().availability == Availability::ClosesWindow
    {
        return app.run(command, None);
    }
    match app.input.keymap.find(app.scopes_under(), &[key]) {
        KeyLookup::Command(command) if command.row().availability >= Availability::TinyScreen => {
            app.run(command, None);
        }
        _ => {}
    }
}

/// True if a key is part of a count: a digit without a command of its own here.
fn takes_digit(app: &App, key: Key) -> bool {
    // Turns are numbered from 0. No answer to a question takes a number.
    let is_asked = app.windows.is::<QuestionWindow>();
    key.digit().is_some()
        && !is_asked
        && matches!(app.input.keymap.find(app.scopes(), &[key]), KeyLookup::Nothing)
}

fn paste(app: &mut App, text: &str) {
    if app.panes.layout().is_none() {
        return;
    }
    if app.windows.is::<Prompt>() {
        return app.prompt_paste(text);
    }
    app.say("nothing here to paste text into");
}
