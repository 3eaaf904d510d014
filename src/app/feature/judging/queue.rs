//! The queue of turns to judge: building it, going through it, and the progress.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::app::core::{App, Effect};
use crate::app::feature::judging::judge;
use crate::app::pane::{elided, truncated};
use crate::app::state::judging::note;
use crate::app::state::{SchemeFrom, Subject};
use crate::dialog::Role;
use crate::judging::{Scheme, unasked};
use crate::query::Query;
use crate::text::{counted, grouped};
use crate::workspace::{DialogId, QueueItem, QueueKind};

/// Columns of a dialog's id in a message, at most.
const ID: usize = 26;
/// Columns of a query in a message, at most.
const QUERY: usize = 30;

/// Returns why a queue is refused while others' votes are hidden; None if it is not. An adjudicator who is blind is so
/// by choice, as the queues of adjudicating lead to nothing but disagreements.
fn why_hidden(app: &App, wanted: &QueueKind) -> Option<String> {
    if app.judging.adjudicates || !wanted.tells_votes() {
        return None;
    }
    app.would_tell_votes(&format!("the queue \"{}\"", title(app, wanted)))
}

/// Returns to the queue of all turns if the current one would tell others' votes.
pub fn end_hidden_queue(app: &mut App) {
    if let Some(why) = why_hidden(app, &app.judging.wanted) {
        app.judging.wanted = QueueKind::All;
        queue_again(app);
        app.say_also(format!("the queue is now all system turns: {why}"));
    }
}

/// Starts building a queue that the user asked for.
pub fn queue(app: &mut App, wanted: QueueKind) {
    if let Some(why) = why_hidden(app, &wanted) {
        return app.complain(why);
    }
    app.judging.asked = Some(wanted.clone());
    find_to_judge(app, wanted);
}

/// Builds the current queue again, or the one that is being built, after files changed.
pub fn queue_again(app: &mut App) {
    if app.judging.queue.is_some() || app.judging.asked.is_some() {
        let asked = app.judging.asked.as_ref();
        let wanted = asked.unwrap_or(&app.judging.wanted).clone();
        find_to_judge(app, wanted);
    }
}

/// Returns what messages call a queue; one of a query by its name in the settings, if it has one.
fn title(app: &App, kind: &QueueKind) -> String {
    match kind {
        QueueKind::Found(text) => match text.parse() {
            Ok(query) => format!(
                "system turns found by {}",
                truncated(&app.settings.queries.title(&query), QUERY)
            ),
            Err(_) => kind.title(),
        },
        QueueKind::All if app.judging.asks().is_of_dialogs() => "all dialogs".to_owned(),
        QueueKind::All if app.asks_for_judgements() => "all items with questions".to_owned(),
        _ => kind.title(),
    }
}

fn find_to_judge(app: &mut App, wanted: QueueKind) {
    app.judging.number += 1;
    app.request(Effect::Queue { number: app.judging.number, wanted, judge: app.judge() });
}

/// Queues the system turns that the search finds. Judging begins if nothing was judged before.
pub fn queue_found(app: &mut App) {
    let Some(query) = app.search.query.as_ref().map(Query::to_string) else {
        return;
    };
    if !app.judges() {
        judge::toggle_judging(app);
        // The queue is asked for: it leads to its first turn.
        app.judging.queue = Some(Vec::new());
    }
    queue(app, QueueKind::Found(query.into()));
}

/// Takes over a queue that is built.
pub fn set_queue(app: &mut App, number: u64, items: Vec<QueueItem>, outgrown: usize) {
    if number != app.judging.number {
        return;
    }
    let first = app.judging.queue.is_none();
    let asked = app.judging.asked.take();
    let title = title(app, asked.as_ref().unwrap_or(&app.judging.wanted));
    if items.is_empty() && !first {
        if app.judging.adjudicates && asked == Some(QueueKind::Undecided) {
            return queue(app, QueueKind::Gold);
        }
        // Keep the current queue.
        match asked {
            Some(QueueKind::Found(query)) => app.say(format!(
                "no system turns found · `{query} next speaker:system` finds the system turns after the hits"
            )),
            // The user may have just read what is asked now.
            Some(_) => app.say_also(format!("nothing to judge in the queue: {title}")),
            None => {}
        }
        return;
    }
    let was_asked = asked.is_some();
    if let Some(asked) = asked {
        app.judging.wanted = asked;
    }
    app.judging.queue = Some(items);
    count_unsaved_votes(app);
    if first {
        // An earlier run may have ended in the second round.
        let items = app.judging.queue.as_deref().unwrap_or_default();
        let is_done = !items.is_empty() && items.iter().all(|item| item.judged);
        if is_done && app.judges() && ask_again(app) {
            return;
        }
        if app.judging.adjudicates && !app.session.placed {
            next_to_judge(app, true);
        }
        // The first queue is built without being asked for: stay where the user is. A new annotator starts
        // at the first turn that is open to them.
        if !app.session.placed && has_judged_here(app) {
            next_to_judge(app, true);
        }
        report_progress(app);
        if outgrown > 0 {
            let dialogs = counted(outgrown as u64, "dialog");
            app.complain(format!(
                "{dialogs} changed after judging; the votes stay in the logs but are not shown"
            ));
        }
        say_unasked(app);
        return;
    }
    if !was_asked {
        return;
    }
    next_to_judge(app, true);
    app.request(Effect::Remember);
    let items = app.judging.queue.as_deref().unwrap_or_default();
    let (count, open) = (items.len(), items.iter().filter(|item| !item.judged).count());
    let left = if open == count { count.to_string() } else { format!("{open} of {count}") };
    app.say(if app.judging.adjudicates {
        let decides = if app.asks_for_judgements() {
            "the answer keys set gold answers".to_owned()
        } else {
            format!("{} sets the gold label", judge::vote_keys(app, "or"))
        };
        format!("adjudicator mode: {decides} · {count} {}", app.judging.noun())
    } else if app.judging.asks().again {
        format!("each pair once more, with the sides swapped: {left} to judge")
    } else {
        format!("queue \"{title}\": {left} to judge")
    });
}

/// Says which answers the scheme of the corpus does not ask: it may have had another name when they were given.
fn say_unasked(app: &mut App) {
    if app.judging.scheme_from != SchemeFrom::Corpus {
        return;
    }
    let schemes = Scheme::with_bundled(Some(app.judging.scheme.as_ref().clone()));
    for (why, count) in unasked(&schemes, app.workspace.files.logs.judgements.iter()) {
        app.say_also(format!("skipped {}: {why}", counted(count, "answer")));
    }
}

/// Moves to the next turn to judge, if the current one is judged.
pub fn leave_judged(app: &mut App) {
    if app.judges() && has_judged_here(app) {
        next_to_judge(app, false);
    }
}

/// Describes a turn by its number, and by its dialog if that is not on the screen.
pub fn describe_turn(app: &App, at: DialogId, turn: usize) -> String {
    if app.place().0 == at {
        return format!("turn {turn}");
    }
    let id = match app.workspace.files.dialog(at) {
        Ok(Some((dialog, _))) => dialog.id,
        _ => String::new(),
    };
    if id.is_empty() {
        return format!("turn {turn} of dialog {}", at.dialog);
    }
    format!("turn {turn} of {}", elided(&id, ID))
}

/// Returns why a turn cannot be judged; None if it can.
pub fn not_judged(app: &App, turn: usize) -> Option<String> {
    let of = app.panes.transcript.dialog.turns.get(turn)?;
    let why = match of.speaker.role {
        _ if of.is_judgeable() => return None,
        Role::User => "is a user turn",
        Role::System => "is empty",
        Role::Context | Role::Other => "is not the system's",
    };
    Some(format!("turn {turn} {why}; only system turns are judged"))
}

fn has_judged_here(app: &App) -> bool {
    let shown = &app.panes.transcript;
    shown.judge.has_judged(&shown.dialog, shown.turn)
}

fn place_in_queue(app: &App) -> (DialogId, u32) {
    let at = app.panes.transcript.at.unwrap_or_default();
    (at, app.panes.transcript.turn as u32)
}

/// Iterates over the queue from the current turn's successor, wrapping around, or from its start if
/// `first`.
fn in_queue_order(app: &App, first: bool) -> impl Iterator<Item = QueueItem> {
    let here = place_in_queue(app);
    let queue = app.judging.queue.as_deref().unwrap_or_default();
    let place = |item: &QueueItem| (item.at, item.turn);
    let start = match queue.iter().position(|item| place(item) == here) {
        _ if first => 0,
        Some(found) => found + 1,
        // The current turn is not in the queue: start at the next one that is.
        None => queue.iter().position(|item| place(item) > here).unwrap_or(0),
    };
    let (before, behind) = queue.split_at(start);
    behind.iter().chain(before).copied()
}

/// Moves to the next turn of the queue that the annotator has not judged, wrapping around; to the first
/// one of the queue if `first`.
pub fn next_to_judge(app: &mut App, first: bool) {
    count_votes(app);
    if app.judging.queue.is_none() {
        return next_in_dialog(app);
    }
    let here = place_in_queue(app);
    let wanted = |item: &QueueItem| !item.judged && (first || (item.at, item.turn) != here);
    loop {
        let next = in_queue_order(app, first).find(wanted);
        let Some(QueueItem { at, turn, .. }) = next else {
            break;
        };
        app.open_from_list(at);
        // A dialog that is judged as a whole opens where reading it begins.
        if !app.judging.asks().is_of_dialogs() {
            app.panes.transcript.go(turn as usize);
        }
        // Only now may its log be known, as that of a file which had another name.
        count_votes(app);
        let is_it = |item: &QueueItem| (item.at, item.turn) == (at, turn);
        let mut items = app.judging.queue.iter().flatten();
        if !items.any(|item| is_it(item) && item.judged) {
            return;
        }
    }
    if !ask_again(app) {
        let title = title(app, &app.judging.wanted);
        app.say(format!("queue done: {title}"));
    }
}

/// Begins the second round of questions about pairs, with the sides swapped; false if there is none.
fn ask_again(app: &mut App) -> bool {
    let Some(again) = app.judging.asks().second_round() else {
        return false;
    };
    app.judging.scheme = Arc::new(again);
    judge::sync_judge(app);
    queue(app, app.judging.wanted.clone());
    true
}

/// Moves to the next turn to judge in this dialog, for use while the queue is not known.
fn next_in_dialog(app: &mut App) {
    let shown = &mut app.panes.transcript;
    let stops = shown.judge.scheme.stops(&shown.dialog, &shown.judge.annotator);
    let mut open = stops.iter().filter(|stop| !stop.is_answered);
    if let Some(stop) = open.find(|stop| stop.turn > shown.turn) {
        shown.go(stop.turn);
    }
}

/// Links the dialog on the screen to a vote log or gold labels that were just found, if they are its own.
pub fn on_vote_log_found(app: &mut App) {
    if let Some(at) = app.panes.transcript.at
        && app.workspace.files.has_log(at)
    {
        if app.workspace.files.link(at) {
            app.list_again();
        }
        app.reread();
    }
}

/// Links vote logs with reapplied edits, and those of files that had another name, to their dialogs, now that more dialog ids
/// are known.
pub fn find_judged(app: &mut App) {
    let files = app.workspace.steps.all().iter().map(|step| step.at.file as usize);
    let renamed = app.workspace.files.unlinked_logs();
    let files: BTreeSet<usize> = files.chain(renamed).collect();
    if app.workspace.files.find_judged(files.into_iter()) {
        count_unsaved_votes(app);
        // A log is neither listed nor judged, and its votes are on the screen.
        app.list_again();
        queue_again(app);
        on_vote_log_found(app);
    }
}

/// Updates the queue after votes in the dialog on the screen may have changed.
pub fn count_votes(app: &mut App) {
    if let Some(at) = app.panes.transcript.at {
        let (judge, dialog) = (&app.panes.transcript.judge, &app.panes.transcript.dialog);
        app.judging.note(at, dialog, judge);
    }
}

/// Adds unsaved votes to the queue, which is built from the files on the disk.
pub fn count_unsaved_votes(app: &mut App) {
    let steps = app.workspace.steps.all().iter();
    let edited: HashSet<DialogId> =
        steps.map(|step| app.workspace.files.dialog_of(step.at, step.made.edit())).collect();
    let mut items: HashMap<DialogId, Vec<&mut QueueItem>> = HashMap::new();
    for item in app.judging.queue.iter_mut().flatten() {
        if edited.contains(&item.at) {
            items.entry(item.at).or_default().push(item);
        }
    }
    for (at, items) in items {
        if let Ok(Some((dialog, _))) = app.workspace.files.dialog(at) {
            note(items.into_iter(), &dialog, &app.panes.transcript.judge);
        }
    }
}

/// Reports the progress, unless the status line shows something else.
pub fn report_progress(app: &mut App) {
    if app.status.is_empty()
        && let Some(progress) = progress_text(app)
    {
        app.say_about(Subject::Progress, progress);
    }
}

/// Reports the annotator id and how many turns it has judged.
pub fn progress_text(app: &App) -> Option<String> {
    let annotator = if app.judging.adjudicates {
        "adjudicator".to_owned()
    } else {
        format!("annotator {}", app.judging.annotator)
    };
    let known = app.judging.adjudicates || !app.judging.annotator.is_empty();
    let judges = app.judges() && known;
    let (judged, all) = app.judging.progress().filter(|_| judges)?;
    let queue = match &app.judging.wanted {
        QueueKind::All => String::new(),
        other => format!(" · {}", title(app, other)),
    };
    let (judged, all) = (grouped(judged), grouped(all));
    Some(format!("{annotator} · {judged} of {all} judged{queue}"))
}
