//! Searching: the query, its hits, and going from one hit to the next.
//!
//! The background search reports the dialogs with hits in no particular order; the hits in a dialog
//! are located when it is opened.

use crate::app::core::{App, Effect};
use crate::app::input::name;
use crate::app::pane::Focus;
use crate::app::pane::details::API;
use crate::app::state::{Search, Subject};
use crate::query::{Hit, KINDS, Pattern, Query};
use crate::text::{counted, grouped};
use crate::workspace::DialogId;

/// The most searches to remember.
const REMEMBERED: usize = 100;

fn remember_search(app: &mut App, text: &str) {
    app.session.searched.retain(|other| other != text);
    app.session.searched.push(text.to_owned());
    let forgotten = app.session.searched.len().saturating_sub(REMEMBERED);
    app.session.searched.drain(..forgotten);
}

/// Starts the typed search at the current turn.
pub fn start_search(app: &mut App, text: &str) -> Vec<Effect> {
    if text.is_empty() {
        return end_search(app);
    }
    let Ok(query) = text.parse::<Query>();
    if let Some(kind) = query.lacking() {
        app.say(format!("type a name, or part of one, after {kind}"));
        return Vec::new();
    }
    remember_search(app, text);
    app.search = Search {
        number: app.search.number + 1,
        query: Some(query.clone()),
        ..Search::default()
    };
    app.panes.transcript.mark(Some(&query));
    let from = app.panes.transcript.at.unwrap_or_default();
    let mut effects = Vec::new();
    if query.is_problem() {
        // The summaries of the dialog list answer this search, also after edits.
        count_problems(app);
        effects.push(Effect::CancelSearch);
    } else {
        effects.push(Effect::Search {
            search: app.search.number,
            query,
            from,
        });
    }
    let first = app
        .panes
        .transcript
        .hits
        .iter()
        .position(|hit| hit.turn >= app.panes.transcript.turn);
    match first {
        Some(first) => show_hit(app, first),
        None => effects.extend(step_hit(app, true)),
    }
    effects
}

/// Ends the search and removes its marks.
pub fn end_search(app: &mut App) -> Vec<Effect> {
    let number = app.search.number + 1;
    app.search = Search {
        number,
        ..Search::default()
    };
    app.panes.transcript.mark(None);
    vec![Effect::CancelSearch]
}

/// Updates the dialogs with hits of a search for problems, as far as they are known. The effects
/// go to a hit if the user waits for one.
pub fn count_problems(app: &mut App) -> Vec<Effect> {
    let Some(Query::Problem(rule)) = &app.search.query else {
        return Vec::new();
    };
    app.search.found = app.workspace.files.with_problems(rule);
    let (searched, _) = app.workspace.files.summarized_of(None);
    (app.search.searched, app.search.done) = (searched, app.workspace.files.are_summarized());
    match app.search.waiting {
        Some(forward) => step_hit(app, forward),
        None => Vec::new(),
    }
}

pub fn on_hits(
    app: &mut App,
    search: u64,
    hits: Vec<(DialogId, u32)>,
    searched: usize,
    done: bool,
) -> Vec<Effect> {
    if search != app.search.number || app.search.query.is_none() {
        return Vec::new();
    }
    app.search.found.extend(hits);
    // This sort merges the runs that are already in order.
    app.search.found.sort();
    (app.search.searched, app.search.done) = (searched, done);
    match app.search.waiting {
        Some(forward) => step_hit(app, forward),
        None => {
            let reported = app.status.is_about(Subject::Hit);
            if let Some(number) = app.panes.transcript.hit.filter(|_| reported) {
                say_hit(app, number);
            } else if done && app.search.found.is_empty() && app.status.is_empty() {
                say_nothing_found(app);
            }
            Vec::new()
        }
    }
}

/// Goes to the next or previous hit in the corpus, wrapping around at its end.
pub fn step_hit(app: &mut App, forward: bool) -> Vec<Effect> {
    app.search.waiting = None;
    let Some(query) = app.search.query.clone() else {
        return Vec::new();
    };
    if let Some(next) = hit_beside(app, forward) {
        show_hit(app, next);
        return Vec::new();
    }
    let here = app.panes.transcript.at.unwrap_or_default();
    let found = &app.search.found;
    let place = found.partition_point(|(at, _)| if forward { *at <= here } else { *at < here });
    let (next, around) = if forward {
        (found.get(place).or(found.first()), place >= found.len())
    } else {
        (found[..place].last().or(found.last()), place == 0)
    };
    // Go around the end only when the search is complete.
    match next.filter(|_| !around || app.search.done) {
        Some((at, _)) => {
            let at = *at;
            let effects = app.open_from_list(at);
            let last = app.panes.transcript.hits.len().saturating_sub(1);
            if !app.panes.transcript.hits.is_empty() {
                show_hit(app, if forward { 0 } else { last });
            }
            if around {
                let end = if forward { "end" } else { "beginning" };
                app.say_also(format!("around the {end}"));
            }
            effects
        }
        None if app.search.done => {
            say_nothing_found(app);
            Vec::new()
        }
        None => {
            app.search.waiting = Some(forward);
            app.say(format!("searching {query} …"));
            Vec::new()
        }
    }
}

/// Returns the next or previous hit in this dialog.
fn hit_beside(app: &App, forward: bool) -> Option<usize> {
    let t = &app.panes.transcript;
    let at = |hit: &Hit| (hit.turn, hit.segment) == (t.turn, t.segment);
    if let Some(number) = t.hit.filter(|number| t.hits.get(*number).is_some_and(at)) {
        // One place may have several hits: calls of a turn, problems of it.
        let beside = if forward {
            Some(number + 1)
        } else {
            number.checked_sub(1)
        };
        return beside.filter(|beside| *beside < t.hits.len());
    }
    let here = (t.turn, search_place(app));
    let place = |hit: &Hit| (hit.turn, (hit.segment, hit.bytes.start));
    if forward {
        t.hits.iter().position(|hit| place(hit) > here)
    } else {
        t.hits.iter().rposition(|hit| place(hit) < here)
    }
}

/// Returns the position in the current turn, to compare with hits.
fn search_place(app: &App) -> (Option<usize>, usize) {
    match app.panes.transcript.hit {
        Some(hit) => app
            .panes
            .transcript
            .hits
            .get(hit)
            .filter(|h| h.turn == app.panes.transcript.turn)
            .map_or((None, 0), |h| (h.segment, h.bytes.start)),
        None => (app.panes.transcript.segment, 0),
    }
}

fn show_hit(app: &mut App, number: usize) {
    let Some(Hit { turn, segment, .. }) = app.panes.transcript.hits.get(number).cloned() else {
        return;
    };
    app.panes.transcript.go(turn);
    app.panes.transcript.choose(segment);
    app.panes.transcript.hit = Some(number);
    let parts = app.search.query.iter().flat_map(Query::parts);
    if parts.into_iter().any(|part| matches!(part, Query::Api(_))) {
        // A search for a call opens the tab that shows it.
        app.panes.details.show(API);
    }
    say_hit(app, number);
}

fn say_nothing_found(app: &mut App) {
    if let Some(query) = &app.search.query {
        let mut patterns = query.parts().iter().filter_map(Query::pattern);
        let is_exact = patterns.any(Pattern::is_exact);
        let hint = match query {
            Query::Text(text) if is_in_an_id(app, text.as_str()) => {
                let key = app.input.keymap.shown(name::GOTO_DIALOG);
                app.complain(format!(
                    "{key} goes to a dialog by its id; no match: {query}"
                ));
                return;
            }
            Query::Text(text) if text.as_str().starts_with(['"', '“']) => {
                " · quotation marks are searched for too; try without them".to_owned()
            }
            _ if is_exact => {
                " · case-sensitive because of the capitals; lower case ignores case".to_owned()
            }
            Query::Text(text) => unknown_condition(text.as_str()).unwrap_or_else(|| {
                let [api, label] =
                    [name::FIND_API, name::FIND_LABEL].map(|n| app.input.keymap.shown(n));
                format!(" in utterances · {api} searches calls, {label} labels")
            }),
            _ => String::new(),
        };
        let unread = match app.workspace.files.unread() {
            0 => String::new(),
            n => format!(" · {} could not be read completely", counted(n, "file")),
        };
        app.complain(format!("no match: {query}{hint}{unread}"));
    }
}

/// True if a dialog's id contains this text.
fn is_in_an_id(app: &App, text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let mut outlines = app
        .workspace
        .files
        .summaries(None)
        .map(|(_, outline)| outline);
    outlines.any(|outline| outline.is_some_and(|o| o.id.to_lowercase().contains(&text)))
}

/// Reports the number of the current hit among all.
fn say_hit(app: &mut App, number: usize) {
    let here = app
        .panes
        .transcript
        .at
        .map_or(0, |at| app.search.before(at))
        + number as u64
        + 1;
    let total = app.search.count().max(here);
    let query = app.search.query.as_ref();
    let query = query.map(ToString::to_string).unwrap_or_default();
    let so_far = if app.search.done { "" } else { " so far" };
    let query = query.trim_end_matches(':');
    let next = match total {
        1 => String::new(),
        _ => format!(" · {} next", app.input.keymap.shown(name::FIND_NEXT)),
    };
    let (here, total) = (grouped(here), grouped(total));
    let report = format!("{query}: {here} of {total}{so_far}{next}");
    app.say_about(Subject::Hit, report);
}

/// Returns the hint for a text that looks like a condition and is not one.
fn unknown_condition(text: &str) -> Option<String> {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_one = |kind: &str| !kind.is_empty() && kind.chars().all(|c| c.is_ascii_lowercase());
    let (kind, value) = word.split_once(':')?;
    let kinds = KINDS.map(|(kind, _)| kind).join(" ");
    let hint = || format!(" · unknown condition `{kind}:`; use {kinds}");
    (is_one(kind) && !value.is_empty()).then(hint)
}

/// Opens the first dialog, from this one on, that has a problem of `rule`.
pub fn go_to_rule(app: &mut App, file: Option<u32>, rule: &'static str) -> Vec<Effect> {
    let here = app.panes.transcript.at.unwrap_or_default();
    let found = app.workspace.files.with_problems(rule);
    let wanted = |at: &DialogId| file.is_none_or(|file| file == at.file);
    let of_file = found.iter().map(|(at, _)| *at).filter(wanted);
    let next = of_file.clone().find(|at| *at >= here);
    let next = next.or_else(|| of_file.clone().next());
    app.panes.focus_on(Focus::Transcript);
    let mut effects = match next {
        Some(at) => app.open_from_list(at),
        None => Vec::new(),
    };
    effects.extend(start_search(app, &format!("problem:{rule}")));
    effects
}
