//! Searching: the query, its hits, and going from one hit to the next.
//!
//! The background search reports the dialogs with hits in no particular order; the hits in a dialog
//! are located when it is opened.

use std::collections::HashSet;

use crate::app::core::navigate::entry_beside;
use crate::app::core::{App, Effect, SearchHits, wrapped_around};
use crate::app::input::Command;
use crate::app::pane::details::{ANSWERS, API, HITS, INFO};
use crate::app::pane::{Focus, Item, truncated};
use crate::app::state::{Search, Subject};
use crate::query::{CONDITIONS, Condition, Hit, Query, TextPlace};
use crate::text::{Direction, counted, grouped};
use crate::workspace::DialogId;

/// The most searches to remember.
const REMEMBERED: usize = 100;

fn remember_search(app: &mut App, text: &str) {
    app.session.searched.retain(|other| other != text);
    app.session.searched.push(text.to_owned());
    let forgotten = app.session.searched.len().saturating_sub(REMEMBERED);
    app.session.searched.drain(..forgotten);
}

/// Starts the typed search at the current turn, and goes to the transcript.
pub fn start_search(app: &mut App, text: &str) {
    if text.is_empty() {
        return end_search(app);
    }
    let query = match text.parse::<Query>() {
        Ok(query) => query,
        Err(error) => {
            app.complain(error.at_place(text));
            return;
        }
    };
    if let Some(why) = why_hidden(app, &query) {
        app.complain(why);
        return;
    }
    remember_search(app, text);
    // As the keys that go on from here, so that one step back leads to before the search.
    app.session.ran = Some(Command::FindNext);
    app.search =
        Search { number: app.search.number + 1, query: Some(query.clone()), ..Search::default() };
    app.mark(Some(&query));
    let from = app.panes.transcript.at.unwrap_or_default();
    if query.as_problem().is_some() {
        // The summaries of the dialog list answer this search, also after edits.
        count_problems(app);
        app.request(Effect::CancelSearch);
    } else {
        app.request(Effect::Search { search: app.search.number, query, from, only: None });
    }
    app.panes.focus_on(Focus::Transcript);
    let first =
        app.panes.transcript.hits.iter().position(|hit| hit.turn >= app.panes.transcript.turn);
    match first {
        Some(first) => show_hit(app, first, Direction::Forward),
        None => step_hit(app, Direction::Forward),
    }
}

/// Returns why a query cannot be asked while others' votes, the sides of pairs or later turns are hidden; None if it can.
/// Each hit would tell something about them.
pub fn why_hidden(app: &App, query: &Query) -> Option<String> {
    let named = |condition| Query::Is(condition).to_string();
    let votes = query.on_others_judgements().map(named);
    let votes = votes.and_then(|condition| app.would_tell_votes(&condition));
    votes.or_else(|| {
        let of_turns = named(query.on_turns()?);
        app.would_tell_sides(&of_turns).or_else(|| app.would_tell_later(&of_turns))
    })
}

/// Ends a search that would be refused now.
pub fn end_hidden_search(app: &mut App) {
    let query = app.search.query.clone();
    if let Some(why) = query.and_then(|query| why_hidden(app, &query)) {
        end_search(app);
        app.say_also(format!("the search has ended: {why}"));
    }
}

/// Searches, and lists only the dialogs with hits.
pub fn list_found(app: &mut App, text: &str) {
    let (before, focus) = (app.search.number, app.panes.focus);
    start_search(app, text);
    app.panes.focus_on(focus);
    if app.search.number > before {
        app.panes.list.found = Some(HashSet::new());
        update_list(app);
    }
}

/// Lists only the dialogs with hits, or all again.
pub fn toggle_listed(app: &mut App) {
    app.panes.list.found = match app.panes.list.found {
        Some(_) => None,
        None => Some(HashSet::new()),
    };
    update_list(app);
}

/// Lists the dialogs with the hits that are known now.
fn update_list(app: &mut App) {
    if let Some(found) = &mut app.panes.list.found {
        *found = app.search.found.iter().map(|(at, _)| *at).collect();
    }
    app.list_again();
}

/// Ends the search and removes its marks.
pub fn end_search(app: &mut App) {
    let number = app.search.number + 1;
    app.search = Search { number, ..Search::default() };
    app.mark(None);
    if app.panes.list.found.take().is_some() {
        update_list(app);
    }
    app.request(Effect::CancelSearch);
}

/// Updates the dialogs with hits of a search for problems, as far as they are known, and
/// goes to a hit if the user waits for one.
pub fn count_problems(app: &mut App) {
    let Some(rule) = app.search.query.as_ref().and_then(Query::as_problem) else {
        return;
    };
    app.search.found = app.workspace.files.with_problems(rule);
    let (searched, _) = app.workspace.files.summarized_of(None);
    (app.search.searched, app.search.done) = (searched, app.workspace.files.are_summarized());
    if app.panes.list.found.is_some() {
        update_list(app);
    }
    if let Some(direction) = app.search.waiting {
        step_hit(app, direction);
    }
}

/// Searches a file that was read, perhaps again, after the search had begun; at once if the search is done.
pub fn search_file(app: &mut App, file: usize) {
    let query = app.search.query.as_ref();
    // The summaries of the dialog list answer a search for problems.
    if query.is_none_or(|query| query.as_problem().is_some()) {
        return;
    }
    app.search.unsearched.insert(file);
    if app.search.done {
        search_unsearched(app);
    }
}

/// Searches the files that were read after the search had begun. Their dialogs may be others now.
fn search_unsearched(app: &mut App) {
    let Some(query) = app.search.query.clone() else {
        return;
    };
    let only = std::mem::take(&mut app.search.unsearched);
    let is_other = |at: &DialogId| !only.contains(&(at.file as usize));
    app.search.found.retain(|(at, _)| is_other(at));
    app.search.excerpts.retain(|at, _| is_other(at));
    app.search.number += 1;
    app.search.done = false;
    app.request(Effect::Search {
        search: app.search.number,
        query,
        from: app.panes.transcript.at.unwrap_or_default(),
        only: Some(only),
    });
}

/// Takes over hits that the background job found.
pub fn on_hits(app: &mut App, new: SearchHits) {
    if new.search != app.search.number || app.search.query.is_none() {
        return;
    }
    app.search.found.extend(new.hits);
    app.search.excerpts.extend(new.excerpts);
    // This sort merges the runs that are already in order.
    app.search.found.sort();
    (app.search.searched, app.search.done) = (new.searched, new.done);
    app.search.incomplete = app.search.incomplete.max(new.incomplete);
    if app.search.done && !app.search.unsearched.is_empty() {
        search_unsearched(app);
    }
    app.panes.details.forget();
    if app.panes.list.found.is_some() {
        update_list(app);
    }
    match app.search.waiting {
        Some(direction) => step_hit(app, direction),
        None => {
            let reported = app.status.is_about(Subject::Hit);
            if let Some(number) = app.panes.transcript.hit.filter(|_| reported) {
                say_hit(app, number, "");
            } else if new.done && app.search.found.is_empty() && app.status.is_empty() {
                say_nothing_found(app);
            }
        }
    }
}

/// Goes to the next or previous hit in the corpus, wrapping around at its end.
pub fn step_hit(app: &mut App, direction: Direction) {
    app.search.waiting = None;
    let Some(query) = app.search.query.clone() else {
        return;
    };
    if let Some(next) = hit_beside(app, direction) {
        show_hit(app, next, direction);
        return;
    }
    let here = app.panes.transcript.at.unwrap_or_default();
    let (next, around) = entry_beside(&app.search.found, here, direction);
    // Go around the end only when the search is complete.
    match next.filter(|_| !around || app.search.done) {
        Some((at, _)) => {
            let at = *at;
            app.open_from_list(at);
            let last = app.panes.transcript.hits.len().saturating_sub(1);
            if !app.panes.transcript.hits.is_empty() {
                let next = if direction.is_forward() { 0 } else { last };
                show_hit(app, next, direction);
            }
            if around {
                app.say_also(wrapped_around(direction));
            }
        }
        None if app.search.done => {
            say_nothing_found(app);
        }
        None => {
            app.search.waiting = Some(direction);
            app.say(format!("searching {query} …"));
        }
    }
}

/// Returns the next or previous hit in this dialog.
fn hit_beside(app: &App, direction: Direction) -> Option<usize> {
    let t = &app.panes.transcript;
    let at = |hit: &Hit| (hit.turn, hit.segment) == (t.turn, t.segment);
    if let Some(number) = t.hit.filter(|number| t.hits.get(*number).is_some_and(at)) {
        // One place may have several hits: calls of a turn, problems of it.
        let beside = if direction.is_forward() { Some(number + 1) } else { number.checked_sub(1) };
        return beside.filter(|beside| *beside < t.hits.len());
    }
    let here = (t.turn, search_place(app));
    let place = |hit: &Hit| (hit.turn, (hit.segment, hit.bytes.start));
    if direction.is_forward() {
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

/// Opens the dialog of a hit at the hit.
pub fn go_to_hit(app: &mut App, at: DialogId, number: usize) {
    if app.panes.transcript.at != Some(at) {
        app.open_from_list(at);
    }
    show_hit(app, number, Direction::Forward);
}

/// Reports the current hit again; `row` tells its row in the details.
pub fn say_row(app: &mut App, row: &str) {
    if let Some(number) = app.panes.transcript.hit {
        say_hit(app, number, row);
    }
}

/// Goes to hit `number` of this dialog, in the details to its first row, or to its last one on the way back.
fn show_hit(app: &mut App, number: usize, direction: Direction) {
    let is_back = app.panes.focus == Focus::Details && !direction.is_forward();
    app.panes.details.found_row = if is_back { usize::MAX } else { 0 };
    let Some(Hit { turn, segment, place, .. }) = app.panes.transcript.hits.get(number).cloned()
    else {
        return;
    };
    app.panes.transcript.go(turn);
    // The key that enters a turn selects the hit, also where the turn was entered before.
    app.panes.transcript.set_caret(None);
    app.panes.transcript.choose(segment);
    app.panes.transcript.go_to_hit(number);
    app.panes.details.forget();
    if app.panes.details.shown == HITS {
        if let Some(at) = app.panes.transcript.at {
            app.panes.details.choose_next(Item::Hit { at, number });
        }
        say_hit(app, number, "");
        return;
    }
    let mut conditions = app.search.query.iter().flat_map(Query::conditions);
    if conditions.any(|condition| condition.has_key("api")) {
        // A search for a call opens the tab that shows it.
        app.panes.details.show(API);
    }
    // Commands of the tab are for the call that was found; an item of that call stays selected.
    let chosen = app.panes.details.item().and_then(Item::call);
    if let Some(call) = place.call().filter(|call| chosen != Some((turn, *call))) {
        app.panes.details.choose_next(Item::Api { turn, call });
    }
    // Only these tabs show the text.
    match place {
        TextPlace::Comment(_) | TextPlace::Note(_) => app.panes.details.show(ANSWERS),
        TextPlace::TurnField(_) | TextPlace::Field(_) => app.panes.details.show(INFO),
        TextPlace::Turn | TextPlace::Arguments(_) | TextPlace::Result(_) => {}
    }
    say_hit(app, number, "");
}

fn say_nothing_found(app: &mut App) {
    if let Some(query) = &app.search.query {
        let conditions = query.conditions();
        let is_exact = conditions.iter().any(|condition| condition.is_exact());
        let text = query.as_text();
        let unknown = unknown_name(app, query);
        let hint = match text {
            Some(text) if is_in_an_id(app, text.as_str()) => {
                let key = app.key(Command::GotoDialog);
                app.complain(format!("no hits: {query} · {key} goes to a dialog by its id"));
                return;
            }
            Some(text) if text.as_str().starts_with('“') => {
                " · quotation marks are searched for too; try without them".to_owned()
            }
            None if let Some(unknown) = &unknown => {
                format!(" · no dialog has {unknown}")
            }
            _ if is_exact => {
                " · capitals make the search case-sensitive; type lower case to ignore case"
                    .to_owned()
            }
            Some(text) => unknown_condition(text.as_str()).unwrap_or_else(|| {
                let [api, label] =
                    [Command::FindApi, Command::FindLabel].map(|command| app.key(command));
                format!(" in any text · {api} searches names of APIs, {label} searches labels")
            }),
            None => String::new(),
        };
        let unread = match app.workspace.files.unread() {
            0 => String::new(),
            n => format!(" · {} could not be read completely", counted(n, "file")),
        };
        let untried = app.search.untried();
        app.complain(format!("no hits: {query}{hint}{untried}{unread}"));
    }
}

/// Returns the condition of a query whose name no dialog has.
fn unknown_name(app: &App, query: &Query) -> Option<String> {
    if !app.workspace.files.are_summarized() {
        return None;
    }
    let is_unknown = |condition: &&Condition| {
        condition.named().is_some_and(|(kinds, name)| {
            let mut known = kinds.iter().flat_map(|kind| app.workspace.names.of(*kind));
            !known.any(|known| name.matches(known))
        })
    };
    let unknown = query.wanted().into_iter().find(is_unknown)?;
    Some(Query::Is(unknown.clone()).to_string())
}

/// True if a dialog's id contains this text.
fn is_in_an_id(app: &App, text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let mut summaries = app.workspace.files.summaries(None).map(|(_, summary)| summary);
    summaries.any(|summary| summary.is_some_and(|s| s.id.to_lowercase().contains(&text)))
}

/// Reports the number of the current hit among all; `row` tells its row in the details.
fn say_hit(app: &mut App, number: usize, row: &str) {
    let here = app.panes.transcript.at.map_or(0, |at| app.search.before(at)) + number as u64 + 1;
    let total = app.search.count().max(here);
    let query = app.search.query.as_ref();
    let room = usize::from(app.panes.size.width) / 2;
    let query = query.map(|query| truncated(&app.settings.queries.title(query), room));
    let query = query.unwrap_or_default();
    let so_far = if app.search.done { "" } else { " so far" };
    let next = match total {
        1 => String::new(),
        _ => format!(" · {} next", app.key(Command::FindNext)),
    };
    let values = app.panes.transcript.hits.get(number).map(Hit::values_shown);
    let values = values.filter(|values| !values.is_empty());
    let values =
        values.map_or_else(String::new, |values| format!(" · {}", truncated(&values, room)));
    let untried = app.search.untried();
    let (here, total) = (grouped(here), grouped(total));
    let report = format!("{query}: {here} of {total}{so_far}{row}{values}{untried}{next}");
    app.say_about(Subject::Hit, report);
}

/// Returns the hint for a text that looks like a condition and is not one.
fn unknown_condition(text: &str) -> Option<String> {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_one = |kind: &str| !kind.is_empty() && kind.chars().all(|c| c.is_ascii_lowercase());
    let (kind, value) = word.split_once(':')?;
    let keys = CONDITIONS.iter().filter(|key| key.has_colon());
    let keys: Vec<_> = keys.map(|key| format!("{}:", key.name)).collect();
    let hint = || format!(" · unknown condition `{kind}:`; use {}", keys.join(" "));
    (is_one(kind) && !value.is_empty()).then(hint)
}

/// Opens the first dialog, from this one on, that has a problem of `rule`.
pub fn go_to_rule(app: &mut App, file: Option<u32>, rule: &'static str) {
    let here = app.panes.transcript.at.unwrap_or_default();
    let found = app.workspace.files.with_problems(rule);
    let wanted = |at: &DialogId| file.is_none_or(|file| file == at.file);
    let of_file = found.iter().map(|(at, _)| *at).filter(wanted);
    let next = of_file.clone().find(|at| *at >= here);
    let next = next.or_else(|| of_file.clone().next());
    app.panes.focus_on(Focus::Transcript);
    if let Some(at) = next {
        app.open_from_list(at);
    }
    start_search(app, &format!("problem:{rule}"));
}
