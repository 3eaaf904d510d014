//! Handles the results of locking and saving files, and runs the action that was waiting for them.

use crate::app::core::{App, Effect, WaitingAction};
use crate::app::feature::recovery::{newer_journal, recover, restore_edits};
use crate::app::feature::saving::external_changes;
use crate::app::update::{arrivals, press};
use crate::workspace::{Doubt, LockOutcome};

/// Handles the result of trying to lock a file.
pub fn on_locked(app: &mut App, file: usize, outcome: LockOutcome) {
    let is_undecided = matches!(outcome, LockOutcome::Past(..));
    if stops_action(app, file, outcome) {
        let is_read_again =
            |effect: &Effect| matches!(effect, Effect::Reload { file: of } if *of == file);
        if app.workspace.files.is_judgements(file) && app.effects.iter().any(is_read_again) {
            // Answers of others do not change what is asked here.
            app.input.waiting.reading = Some(file);
            return;
        }
        app.input.waiting = WaitingAction::default();
        if is_undecided {
            // The question may stay unanswered for hours.
            app.workspace.files.unlock(file);
            app.request(Effect::Unlock { file });
            return;
        }
    }
    app.input.waiting.locks = app.input.waiting.locks.saturating_sub(1);
    if app.input.waiting.locks > 0 || app.input.waiting.reading.is_some() {
        return;
    }
    if let Some(action) = app.input.waiting.action.take() {
        app.run_action(action);
    }
}

/// Notes that a file was read again, or could not be: the action that waits for that goes on.
pub fn on_read_again(app: &mut App, file: usize) {
    if app.input.waiting.reading == Some(file) {
        app.input.waiting.reading = None;
        app.input.waiting.saving = vec![file];
    }
}

/// Runs the action that waits until its files are saved, once they are, and then the keys pressed since.
pub fn go_on_after_save(app: &mut App) {
    let waiting = &mut app.input.waiting;
    if !waiting.holds_keys()
        || waiting.reading.is_some()
        || waiting.saving.iter().any(|file| app.workspace.files.is_saving(*file))
    {
        return;
    }
    if waiting.saving.is_empty() && waiting.action.is_some() {
        // It waits for locks now.
        return;
    }
    let WaitingAction { action, saving, mut keys, .. } = std::mem::take(waiting);
    if let Some(action) = action {
        app.lock_for(saving, action);
    }
    while app.input.waiting.action.is_none()
        && let Some(key) = keys.pop_front()
    {
        press(app, key);
    }
    app.input.waiting.keys.extend(keys);
}

/// Takes over the result of trying to lock a file. Returns true if the action must not go on,
/// because the user has to see a message or answer a question first.
fn stops_action(app: &mut App, file: usize, outcome: LockOutcome) -> bool {
    match app.workspace.files.set_lock(file, outcome) {
        LockOutcome::Ours | LockOutcome::Taken(_) | LockOutcome::Unusable(_) => false,
        LockOutcome::Changed { decided } => {
            if decided && app.workspace.files.offered(file).is_some() {
                app.workspace.files.decided(file);
                restore_edits::offer_again(app, file);
            }
            external_changes::on_file_changed(app, file, false);
            true
        }
        LockOutcome::Past(past, unsaved, doubt) => {
            let asked = app.workspace.files.offered(file).is_some();
            app.workspace.files.set_history(file, past, unsaved);
            app.workspace.files.set_doubt(file, doubt.clone());
            recover::take_past(app, file);
            arrivals::take_arrived_pasts(app);
            if let Some(Doubt::Damaged(damage)) = doubt {
                app.complain(damage);
                // Show it again after the question.
                app.status.news = true;
            }
            let offers = app.workspace.files.offered(file).is_some();
            if asked || offers {
                restore_edits::offer_again(app, file);
            }
            asked || offers
        }
        LockOutcome::Damaged(damage) => {
            // The report of an edit would hide this message.
            app.complain(format!("{damage}; nothing was edited"));
            app.workspace.files.set_doubt(file, Some(Doubt::Damaged(damage)));
            true
        }
        LockOutcome::Lost(why) => {
            app.complain(why);
            true
        }
        LockOutcome::Regained(message) => {
            app.complain(format!("nothing was edited: {message}"));
            true
        }
        LockOutcome::Newer => {
            app.workspace.files.set_newer(file, true);
            newer_journal::ask_about_newer(app, file);
            true
        }
    }
}
