//! The session: the place and the settings of the screen that turnwise restores at the next start.

use crate::app::core::App;
use crate::app::feature::finding::dialog_order;
use crate::app::feature::judging::queue;
use crate::app::input::Command;
use crate::app::pane::SortOrder;
use crate::app::pane::transcript::Folds;
use crate::app::state::{Blind, Session, SessionPlace};
use crate::app::tabs;
use crate::workspace::QueueKind;

/// Returns the session as it is now.
pub fn session(app: &App) -> Session {
    let at = app.panes.transcript.at.unwrap_or_default();
    let name = app.workspace.files.get(at.file as usize).map(|file| file.name.clone());
    // Until the last place is restored, keep it.
    let (file, dialog, turn) = match &app.session.wanted {
        Some(Session { place, .. }) => (place.file.clone(), place.dialog, place.turn),
        None => (name.unwrap_or_default(), at.dialog, app.panes.transcript.turn),
    };
    Session {
        place: SessionPlace {
            file,
            dialog,
            turn,
            judging: own_queue(app).cloned(),
            votes: app.judging.on,
            blind: app.judging.blind == Blind::Yes,
            hides_later: Some(app.judging.hides_later),
        },
        filter: app.panes.list.filter.clone(),
        sort: app.panes.list.sort,
        backwards: app.panes.list.backwards,
        side: Some(app.panes.side),
        with_details: app.panes.with_details,
        details: app.panes.details.shown.to_owned(),
        marks: app.panes.transcript.marks,
        folding: app.panes.transcript.folds.all,
        annotator: app.judging.annotator.clone(),
        bookmarks: app.session.bookmarks.clone(),
    }
}

/// True if another annotator left the session, whose judging is not continued.
fn is_of_another(app: &App, session: &Session) -> bool {
    !session.annotator.is_empty() && session.annotator != app.judging.annotator
}

/// Returns the queue of the annotator, to whom adjudicating is an excursion; None if there was only an adjudicator.
fn own_queue(app: &App) -> Option<&QueueKind> {
    let wanted = Some(&app.judging.wanted).filter(|_| !app.judging.adjudicates);
    app.judging.before.as_ref().or(wanted)
}

/// Reports that another annotator left the session.
fn report_other_annotator(app: &mut App, session: &Session) {
    // An adjudicator decides what all have said, under no id.
    let is_judging = !app.judging.adjudicates && (session.place.votes || app.judges());
    if !is_judging || !is_of_another(app, session) {
        return;
    }
    let now = match app.judging.annotator.as_str() {
        "" => format!(":{} sets your id", Command::Annotator.name()),
        id => format!("you judge as {id}"),
    };
    app.say_also(format!("{} judged here last; {now}", session.annotator));
}

/// Restores a session; goes to the place in it as soon as that dialog is read. Another annotator begins at the first turn
/// to judge.
pub fn restore(app: &mut App, mut session: Session) {
    app.session.bookmarks = std::mem::take(&mut session.bookmarks);
    let is_anothers = is_of_another(app, &session);
    if is_anothers && !app.judging.annotator.is_empty() {
        session.place = SessionPlace::default();
    }
    (app.panes.list.filter, app.panes.list.sort) = (session.filter.clone(), session.sort);
    app.panes.list.backwards = session.backwards;
    if let SortOrder::Column(number) = session.sort {
        // Their columns may be others now.
        app.panes.list.sort = app.panes.list.by_column(number);
    }
    app.panes.side = session.side.unwrap_or(app.panes.side);
    app.panes.with_details = session.with_details;
    tabs::show(&mut app.panes.details, &session.details);
    app.panes.transcript.marks = session.marks;
    app.panes.transcript.folds = Folds::alike(session.folding);
    if !app.judging.annotator.is_empty() || !is_anothers {
        if session.place.blind && app.judging.blind == Blind::No {
            app.judging.blind = Blind::Yes;
        }
        let later = session.place.hides_later;
        app.judging.hides_later = later.unwrap_or(app.judging.hides_later);
        app.judging.on |= session.place.votes;
        if let Some(judging) = &session.place.judging {
            app.judging.wanted = judging.clone();
        }
    }
    dialog_order::end_hidden_order(app);
    queue::end_hidden_queue(app);
    if !session.filter.is_empty() {
        let key = app.input.keymap.keys_of(Command::Filter, app.scopes_under()).next();
        let key = key.map_or_else(|| format!(":{}", Command::Filter.name()), str::to_owned);
        let cancel = app.key(Command::Cancel);
        app.say(format!(
            "still showing only dialogs whose id contains {}; {key} {cancel} shows all",
            session.filter
        ));
    }
    app.session.wanted = Some(session);
}

/// Goes to the place of the last session, once its dialog is read.
pub fn go_to_session_place(app: &mut App) {
    let Some(session) = app.session.wanted.clone() else {
        return;
    };
    let SessionPlace { file, dialog, turn, .. } = &session.place;
    match app.workspace.files.find_named(file, "", *dialog) {
        Some(at) => {
            // An adjudicator begins at the first turn that is undecided.
            (app.session.wanted, app.session.placed) = (None, !app.judging.adjudicates);
            app.go_to(at, *turn, None);
            report_other_annotator(app, &session);
        }
        None => {
            let is_open = app.panes.transcript.at.is_some();
            if is_open && app.workspace.files.progress().is_none() {
                // The dialog does not exist, or this annotator has not been here.
                app.session.wanted = None;
                report_other_annotator(app, &session);
            }
        }
    }
}
