//! Keeps the files of conflicts as they are decided: what is saved is no longer listed.

use std::sync::Arc;

use crate::app::core::{App, Effect};
use crate::app::feature::review::seen;
use crate::app::state::{ConflictList, Decision, Proposed, ProposedChange};
use crate::compare::{CONFLICTS, written_hash};
use crate::corpus::hash_without_returns;
use crate::text::counted;
use crate::workspace::OpenFile;

/// Writes the lists without what is decided. A conflict that was decided by an edit stays until that is saved.
pub fn keep(app: &mut App) {
    for number in 0..app.suggestions.lists.len() {
        let list = &app.suggestions.lists[number];
        let (file, on_disk) = (list.file as usize, list.on_disk.clone());
        let text = text_of(app, list);
        // While a file is saved, its list stays.
        if text == on_disk || app.workspace.files.is_saving(file) {
            continue;
        }
        app.suggestions.lists[number].on_disk.clone_from(&text);
        app.request(Effect::WriteConflicts { file, on_disk, text });
    }
}

/// Returns the list of a file that is about to be saved, as it is on the disk; None if it has none.
pub fn conflicts_while_saving(app: &App, file: usize) -> Option<String> {
    let mut lists = app.suggestions.lists.iter();
    lists.find(|list| list.file as usize == file).map(|list| list.on_disk.clone())
}

/// Handles that the list of a file is marked as one of the state that is being saved, too.
pub fn on_listed(app: &mut App, file: usize, text: String) {
    let mut lists = app.suggestions.lists.iter_mut();
    if let Some(list) = lists.find(|list| list.file as usize == file) {
        list.on_disk = text;
    }
}

/// Carries the open conflicts of a file over to its edited text, which has just been saved; the edits of others still
/// fit to the text before. One that was to be decided by hand is decided now, if its turn was edited since.
pub fn carry_over(app: &mut App, file: usize) {
    let mut all = app.suggestions.all.clone();
    let of_file = |one: &Proposed| one.at().is_some_and(|at| at.file as usize == file);
    let left = &app.suggestions.left;
    for (number, one) in all.iter_mut().enumerate().filter(|(_, one)| of_file(one)) {
        if one.decision == Decision::ByHand {
            let since = left.iter().rfind(|(left, _)| *left == number);
            let since = since.map_or(0, |(_, applied)| *applied);
            let place = one.at().map(|at| (at, one.turn()));
            let mut steps = app.workspace.steps.applied().iter().skip(since);
            let is_edited = steps.any(|step| Some((step.at, step.made.edit().turn())) == place);
            one.decision = if is_edited { Decision::Left } else { Decision::Open };
        }
        let Some(at) = one.at().filter(|at| app.workspace.files.is_edited(*at)) else {
            continue;
        };
        if one.decision == Decision::Open {
            let dialog = app.workspace.files.dialog(at).ok().flatten();
            let now = dialog.and_then(|(dialog, _)| seen::carried(app, one, &dialog));
            if let Some(now) = now {
                one.change = ProposedChange::Conflict(Box::new(now));
                one.basis = None;
            }
        } else if one.basis.is_none() && one.as_conflict().is_some() {
            one.basis = app.workspace.files.saved_dialog(at).map(Arc::new);
        }
    }
    app.suggestions.all = all;
}

/// Writes the conflicts of a file that was saved as those of its new state.
pub fn renew(app: &mut App, file: usize) {
    let hash = hash_of(app, file).map(written_hash).unwrap_or_default();
    let Some(list) = app.suggestions.lists.iter_mut().find(|list| list.file as usize == file)
    else {
        return;
    };
    for one in &mut app.suggestions.all {
        let is_listed = one.files.as_deref() == Some(&[list.file]);
        if let ProposedChange::Conflict(conflict) = &mut one.change
            && is_listed
            && let Some(line) = list.lines.get_mut(one.line - 1)
        {
            conflict.hash.clone_from(&hash);
            conflict.other_hash.clear();
            if let Ok(text) = serde_json::to_string(conflict) {
                *line = text;
            }
        }
    }
}

fn hash_of(app: &App, file: usize) -> Option<u128> {
    app.workspace.files.get(file)?.corpus()?.index().hash
}

/// Takes the lists off that are of another state of their file, as after `git merge --abort`, and says so. A list is also
/// of the state that was being saved when the program ended. All files are read.
pub fn drop_stale(app: &mut App) {
    let mut stale = Vec::new();
    for list in app.suggestions.lists.clone() {
        let file = list.file as usize;
        let lines = app.suggestions.all.iter().filter(|one| is_of(one, &list));
        let mut lines = lines.filter_map(Proposed::as_conflict);
        let is_here = |hash: &str| !hash.is_empty() && has_hash(app, file, hash);
        if !lines
            .any(|line| line.hash.is_empty() || is_here(&line.hash) || is_here(&line.other_hash))
        {
            stale.push(list);
        }
    }
    let is_any = !stale.is_empty();
    for list in stale {
        let suggestions = &mut app.suggestions;
        suggestions.all.retain(|one| !is_of(one, &list));
        suggestions.lists.retain(|other| *other != list);
        let name = app.workspace.files.name(list.file as usize).to_owned();
        let conflicts = counted(list.lines.len(), "conflict");
        app.complain(format!(
            "{name} has changed since the merge, so {conflicts} cannot be shown; repeat the merge, or delete {name}{CONFLICTS}"
        ));
    }
    let suggestions = &mut app.suggestions;
    if is_any {
        (suggestions.chosen, suggestions.left) = (0, Vec::new());
        suggestions.reviewing &= !suggestions.all.is_empty();
    }
}

/// True for a conflict of a list.
fn is_of(one: &Proposed, list: &ConflictList) -> bool {
    one.as_conflict().is_some() && one.files.as_deref() == Some(&[list.file])
}

/// True if a file has this hash, or has it without the carriage returns that Git may have added.
fn has_hash(app: &App, file: usize, wanted: &str) -> bool {
    let Some(hash) = hash_of(app, file) else {
        return true;
    };
    let corpus = app.workspace.files.get(file).and_then(OpenFile::corpus);
    written_hash(hash) == wanted
        || corpus.is_some_and(|corpus| {
            let hash = hash_without_returns(corpus.source());
            hash.is_ok_and(|hash| written_hash(hash) == wanted)
        })
}

/// True if a conflict is still listed, once its file is saved, or until then.
fn stays(one: &Proposed, is_saved: bool) -> bool {
    match one.decision {
        // One that was decided, saved and undone since is decided on the disk.
        Decision::Open | Decision::ByHand => is_saved || one.basis.is_none(),
        Decision::Left => false,
        // Of one that was saved, the dialog before is kept.
        Decision::Taken | Decision::Both => !is_saved && one.basis.is_none(),
    }
}

/// Returns the lines of a list that stay.
fn text_of(app: &App, list: &ConflictList) -> String {
    let is_saved = !app.workspace.files.is_modified(list.file as usize);
    let all = app.suggestions.all.iter().filter(|one| is_of(one, list));
    let stay = all.filter(|one| stays(one, is_saved));
    let lines = stay.filter_map(|one| list.lines.get(one.line - 1));
    lines.flat_map(|line| [line, "\n"]).collect()
}
