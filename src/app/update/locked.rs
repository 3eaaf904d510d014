//! Locks a file before it is edited, and takes over what is found then.

use crate::app::core::App;
use crate::app::feature::recovery::{recover, restore_edits};
use crate::app::feature::saving::external_changes;
use crate::app::update::arrivals;
use crate::workspace::{Doubt, LockOutcome};

/// Locks a file; see [`App::lock`].
pub fn lock(app: &mut App, file: usize) -> bool {
    let Some(locks) = app.workspace.files.locks.clone() else {
        return true;
    };
    let outcome = locks.hold(&app.workspace.files, file);
    let files = &app.workspace.files;
    if matches!(outcome, LockOutcome::Changed { .. })
        && files.is_judgements(file)
        && files.is_followed(file)
    {
        // Answers of others do not change what is asked here.
        match locks.read_again(files, file) {
            Ok((bytes, index)) => {
                app.workspace.files.set_lock(file, LockOutcome::Ours);
                external_changes::on_file_reloaded(app, file, bytes, index);
                return true;
            }
            Err(why) => {
                // The next edit tries again.
                locks.release(file);
                app.complain(why);
                return false;
            }
        }
    }
    let is_undecided = matches!(outcome, LockOutcome::Past(..));
    let goes_on = goes_on(app, file, outcome);
    if is_undecided && !goes_on {
        // The question may stay unanswered for hours.
        app.workspace.files.unlock(file);
        locks.release(file);
    }
    goes_on
}

/// Takes over the result of trying to lock a file. Returns false if nothing must be edited, because the user has to see a
/// message or to answer a question first.
fn goes_on(app: &mut App, file: usize, outcome: LockOutcome) -> bool {
    match app.workspace.files.set_lock(file, outcome) {
        LockOutcome::Ours | LockOutcome::Taken(_) | LockOutcome::Unusable(_) => true,
        LockOutcome::Changed { decided } => {
            if decided && app.workspace.files.offered(file).is_some() {
                app.workspace.files.decided(file);
                restore_edits::offer_again(app, file);
            }
            external_changes::on_file_changed(app, file, false);
            false
        }
        LockOutcome::Past(past, unsaved, doubt) => {
            let asked = app.workspace.files.offered(file).is_some();
            app.workspace.files.set_history(file, past, unsaved);
            app.workspace.files.set_doubt(file, doubt.clone());
            recover::take_past(app, file);
            arrivals::take_arrived_pasts(app);
            let mut is_whole = true;
            if let Some(Doubt::Damaged(damage)) = doubt {
                // The report of an edit would hide it. It is shown again after the question.
                app.complain(damage);
                (app.status.news, is_whole) = (true, false);
            }
            let offers = app.workspace.files.offered(file).is_some();
            if asked || offers {
                restore_edits::offer_again(app, file);
            }
            !asked && !offers && is_whole
        }
        LockOutcome::Lost(why) => {
            app.complain(why);
            false
        }
    }
}
