//! Finds the dialogs of suggestions among the open files.

use std::collections::{HashMap, HashSet};

use crate::app::core::App;
use crate::app::feature::review::conflict_list;
use crate::app::state::{ProposalPlace, Proposed};
use crate::corpus::DialogRef;
use crate::text::{counted, grouped};
use crate::votes::vote_log::{id_of, stem};
use crate::workspace::{DialogId, OpenFile};

/// Finds the dialog of each suggestion once all dialogs are known. Returns true if that has just been done.
pub fn place(app: &mut App) -> bool {
    if app.suggestions.placed || !app.workspace.files.are_summarized() {
        return false;
    }
    conflict_list::drop_stale(app);
    let mut all = std::mem::take(&mut app.suggestions.all);
    let mut wanted = HashSet::new();
    for one in &all {
        wanted.extend(one.dialog_id().map(str::to_owned));
        if let DialogRef::Id(id) = one.dialog() {
            wanted.insert(id);
        }
    }
    let mut by_id: HashMap<&str, Vec<DialogId>> = HashMap::new();
    for (at, summary) in app.workspace.files.summaries(None) {
        let id = summary.and_then(|summary| {
            let stem = stem(app.workspace.files.name(at.file as usize));
            wanted.get(&*id_of(&summary.id, stem, at.dialog as usize))
        });
        if let Some(id) = id {
            by_id.entry(id.as_str()).or_default().push(at);
        }
    }
    let places: Vec<_> = all.iter().map(|one| place_of(app, one, &by_id)).collect();
    for (one, place) in all.iter_mut().zip(places) {
        one.place = place;
    }
    app.suggestions.all = all;
    app.suggestions.forget(|_| true);
    app.suggestions.placed = true;
    true
}

fn place_of(app: &App, one: &Proposed, by_id: &HashMap<&str, Vec<DialogId>>) -> ProposalPlace {
    let files = &app.workspace.files;
    // What is answered in a file beside a corpus is about a dialog of that.
    let is_beside = |all: &&Vec<u32>| {
        let mut all = all.iter().map(|file| *file as usize);
        all.all(|file| files.is_judgements(file) || files.get(file).is_some_and(OpenFile::is_log))
    };
    let beside = one.as_conflict().and(one.files.as_ref()).filter(is_beside);
    let is_meant = |at: &DialogId| match &one.files {
        Some(_) if beside.is_some() => files.is_listed(at.file as usize),
        Some(all) => all.contains(&at.file),
        None => true,
    };
    let has_id = |at: &DialogId, id: &str| {
        let summary = files.summary(*at);
        summary.is_some_and(|summary| *summary.id == *id)
    };
    let of_id = |id: &str| {
        let found = by_id.get(id).into_iter().flatten().copied();
        // A dialog without an id is judged under one that its file has not.
        let found = found.filter(|at| is_meant(at) && (beside.is_some() || has_id(at, id)));
        found.collect::<Vec<_>>()
    };
    let dialog = one.dialog();
    let mut found: Vec<DialogId> = match (&dialog, one.dialog_id()) {
        (_, Some(id)) if beside.is_some() => of_id(id),
        (DialogRef::Id(id), _) => of_id(id),
        (DialogRef::Number(number), id) => {
            let corpora = (0..files.len()).filter(|file| files.is_listed(*file));
            let here = corpora.map(|file| DialogId::new(file, *number));
            let here = here.filter(|at| is_meant(at) && files.has_dialog(*at));
            let here = here.filter(|at| id.is_none_or(|id| has_id(at, id)));
            let here: Vec<_> = here.collect();
            // The dialog may have another number than where the record was made.
            match id {
                Some(id) if here.is_empty() => of_id(id),
                _ => here,
            }
        }
    };
    if let Some(about) = one.about()
        && found.len() > 1
    {
        // A detector's output has the same id as its log, but takes no votes.
        found.retain(|at| files.format(*at).is_some_and(|f| f.has().contains(&about)));
    }
    let file = one.as_record().and_then(|record| record.file.as_ref());
    match (found.as_slice(), file) {
        ([at], _) => ProposalPlace::At(*at),
        ([], Some(file)) if one.files.as_ref().is_some_and(Vec::is_empty) => {
            ProposalPlace::Nowhere(format!("no open file has a path that ends in {file:?}"))
        }
        ([], _) if matches!(&dialog, DialogRef::Id(id) if id.is_empty()) => {
            ProposalPlace::Nowhere("this is outside all dialogs of the file".to_owned())
        }
        ([], _) => ProposalPlace::Nowhere(format!("{dialog} was not found")),
        (several, _) => ProposalPlace::Nowhere(format!(
            "{} was found {} times; add its \"file\", or use its number",
            dialog,
            grouped(several.len())
        )),
    }
}

/// Returns how far the dialogs are known, for the title of the window; None once they all are.
pub fn progress(app: &App) -> Option<String> {
    if app.suggestions.placed {
        return None;
    }
    let (known, all) = app.workspace.files.summarized_of(None);
    Some(format!("{} of {} read", grouped(known), counted(all, "dialog")))
}
