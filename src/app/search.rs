//! Searching: the query, its hits, and going from one hit to the next.
//!
//! The background search reports the dialogs with hits in no particular order; the hits in a dialog
//! are located when it is opened.

use super::status::Subject;
use super::{App, Effect, command};
use crate::query::{Hit, KINDS, Pattern, Query};
use crate::text::{counted, grouped};
use crate::workspace::DialogId;

/// A search and its hits.
#[derive(Clone, Debug, Default)]
pub struct Search {
    pub query: Option<Query>,
    /// Number of the search; results with another number are outdated.
    number: u64,
    /// Dialogs with hits, and how many each has, in order.
    found: Vec<(DialogId, u32)>,
    /// Number of dialogs searched so far.
    pub searched: usize,
    pub done: bool,
    /// The direction of the hit that the user waits for: forward is true.
    waiting: Option<bool>,
}

impl Search {
    /// Returns the number of hits so far.
    pub fn count(&self) -> u64 {
        self.found.iter().map(|(_, count)| u64::from(*count)).sum()
    }

    /// Returns the number of dialogs with hits.
    pub fn dialogs(&self) -> usize {
        self.found.len()
    }

    /// Forgets that the user waits for a hit: a later one must not move them.
    pub(super) fn stop_waiting_for_hit(&mut self) {
        self.waiting = None;
    }

    /// Returns the number of hits before a dialog.
    fn before(&self, at: DialogId) -> u64 {
        let before = self.found.iter().take_while(|(other, _)| *other < at);
        before.map(|(_, count)| u64::from(*count)).sum()
    }
}

/// At most so many searches are remembered.
const REMEMBERED: usize = 100;

impl App {
    fn remember_search(&mut self, text: &str) {
        self.session.searched.retain(|other| other != text);
        self.session.searched.push(text.to_owned());
        let forgotten = self.session.searched.len().saturating_sub(REMEMBERED);
        self.session.searched.drain(..forgotten);
    }

    /// Starts the typed search at the current turn.
    pub(super) fn start_search(&mut self, text: &str) -> Vec<Effect> {
        if text.is_empty() {
            return self.end_search();
        }
        let Ok(query) = text.parse::<Query>();
        if let Some(kind) = query.lacking() {
            self.say(format!("type a name, or part of one, after {kind}"));
            return Vec::new();
        }
        self.remember_search(text);
        self.search = Search {
            number: self.search.number + 1,
            query: Some(query.clone()),
            ..Search::default()
        };
        self.panes.transcript.mark(Some(&query));
        let from = self.panes.transcript.at.unwrap_or_default();
        let mut effects = Vec::new();
        if query.is_problem() {
            // The summaries of the dialog list answer this search, also after edits.
            self.count_problems();
            effects.push(Effect::CancelSearch);
        } else {
            effects.push(Effect::Search {
                search: self.search.number,
                query,
                from,
            });
        }
        let first = self
            .panes
            .transcript
            .hits
            .iter()
            .position(|hit| hit.turn >= self.panes.transcript.turn);
        match first {
            Some(first) => self.show_hit(first),
            None => effects.extend(self.step_hit(true)),
        }
        effects
    }

    /// Ends the search and removes its marks.
    pub(super) fn end_search(&mut self) -> Vec<Effect> {
        let number = self.search.number + 1;
        self.search = Search {
            number,
            ..Search::default()
        };
        self.panes.transcript.mark(None);
        vec![Effect::CancelSearch]
    }

    /// Updates the dialogs with hits of a search for problems, as far as they are known. The effects
    /// go to a hit if the user waits for one.
    pub(super) fn count_problems(&mut self) -> Vec<Effect> {
        let Some(Query::Problem(rule)) = &self.search.query else {
            return Vec::new();
        };
        self.search.found = self.workspace.files.with_problems(rule);
        let (searched, _) = self.workspace.files.summarized_of(None);
        (self.search.searched, self.search.done) =
            (searched, self.workspace.files.are_summarized());
        match self.search.waiting {
            Some(forward) => self.step_hit(forward),
            None => Vec::new(),
        }
    }

    pub(super) fn on_hits(
        &mut self,
        search: u64,
        hits: Vec<(DialogId, u32)>,
        searched: usize,
        done: bool,
    ) -> Vec<Effect> {
        if search != self.search.number || self.search.query.is_none() {
            return Vec::new();
        }
        self.search.found.extend(hits);
        // This sort merges the runs that are already in order.
        self.search.found.sort();
        (self.search.searched, self.search.done) = (searched, done);
        match self.search.waiting {
            Some(forward) => self.step_hit(forward),
            None => {
                let reported = self.status.is_about(Subject::Hit);
                if let Some(number) = self.panes.transcript.hit.filter(|_| reported) {
                    self.say_hit(number);
                } else if done && self.search.found.is_empty() && self.status.is_empty() {
                    self.say_nothing_found();
                }
                Vec::new()
            }
        }
    }

    /// Goes to the next or previous hit, on through the corpus and around its end.
    pub(super) fn step_hit(&mut self, forward: bool) -> Vec<Effect> {
        self.search.waiting = None;
        let Some(query) = self.search.query.clone() else {
            return Vec::new();
        };
        if let Some(next) = self.hit_beside(forward) {
            self.show_hit(next);
            return Vec::new();
        }
        let here = self.panes.transcript.at.unwrap_or_default();
        let found = &self.search.found;
        let place = found.partition_point(|(at, _)| if forward { *at <= here } else { *at < here });
        let (next, around) = if forward {
            (found.get(place).or(found.first()), place >= found.len())
        } else {
            (found[..place].last().or(found.last()), place == 0)
        };
        // Go around the end only when the search is complete.
        match next.filter(|_| !around || self.search.done) {
            Some((at, _)) => {
                let at = *at;
                let effects = self.open_from_list(at);
                let last = self.panes.transcript.hits.len().saturating_sub(1);
                if !self.panes.transcript.hits.is_empty() {
                    self.show_hit(if forward { 0 } else { last });
                }
                if around {
                    let end = if forward { "end" } else { "beginning" };
                    self.say_also(format!("around the {end}"));
                }
                effects
            }
            None if self.search.done => {
                self.say_nothing_found();
                Vec::new()
            }
            None => {
                self.search.waiting = Some(forward);
                self.say(format!("searching {query} …"));
                Vec::new()
            }
        }
    }

    /// Returns the next or previous hit in this dialog.
    fn hit_beside(&self, forward: bool) -> Option<usize> {
        let t = &self.panes.transcript;
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
        let here = (t.turn, self.search_place());
        let place = |hit: &Hit| (hit.turn, (hit.segment, hit.bytes.start));
        if forward {
            t.hits.iter().position(|hit| place(hit) > here)
        } else {
            t.hits.iter().rposition(|hit| place(hit) < here)
        }
    }

    /// Returns the position in the current turn, to compare with hits.
    fn search_place(&self) -> (Option<usize>, usize) {
        match self.panes.transcript.hit {
            Some(hit) => self
                .panes
                .transcript
                .hits
                .get(hit)
                .filter(|h| h.turn == self.panes.transcript.turn)
                .map_or((None, 0), |h| (h.segment, h.bytes.start)),
            None => (self.panes.transcript.segment, 0),
        }
    }

    fn show_hit(&mut self, number: usize) {
        let Some(Hit { turn, segment, .. }) = self.panes.transcript.hits.get(number).cloned()
        else {
            return;
        };
        self.panes.transcript.go(turn);
        self.panes.transcript.choose(segment);
        self.panes.transcript.hit = Some(number);
        let parts = self.search.query.iter().flat_map(Query::parts);
        if parts.into_iter().any(|part| matches!(part, Query::Api(_))) {
            // A search for a call opens the tab that shows it.
            self.panes.details.show("api");
        }
        self.say_hit(number);
    }

    fn say_nothing_found(&mut self) {
        if let Some(query) = &self.search.query {
            let mut patterns = query.parts().iter().filter_map(Query::pattern);
            let is_exact = patterns.any(Pattern::is_exact);
            let hint = match query {
                Query::Text(text) if self.is_in_an_id(text.as_str()) => {
                    let key = self.input.keymap.shown(&command::GOTO_DIALOG);
                    self.complain(format!(
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
                    let [api, label] = [&command::FIND_API, &command::FIND_LABEL]
                        .map(|n| self.input.keymap.shown(n));
                    format!(" in utterances · {api} searches calls, {label} labels")
                }),
                _ => String::new(),
            };
            let unread = match self.workspace.files.unread() {
                0 => String::new(),
                n => format!(" · {} could not be read completely", counted(n, "file")),
            };
            self.complain(format!("no match: {query}{hint}{unread}"));
        }
    }

    /// True if a dialog's id contains this text.
    fn is_in_an_id(&self, text: &str) -> bool {
        let text = text.trim().to_lowercase();
        let mut outlines = self
            .workspace
            .files
            .summaries(None)
            .map(|(_, outline)| outline);
        outlines.any(|outline| outline.is_some_and(|o| o.id.to_lowercase().contains(&text)))
    }

    /// Reports the number of the current hit among all.
    fn say_hit(&mut self, number: usize) {
        let here = self
            .panes
            .transcript
            .at
            .map_or(0, |at| self.search.before(at))
            + number as u64
            + 1;
        let total = self.search.count().max(here);
        let query = self.search.query.as_ref();
        let query = query.map(ToString::to_string).unwrap_or_default();
        let so_far = if self.search.done { "" } else { " so far" };
        let query = query.trim_end_matches(':');
        let next = match total {
            1 => String::new(),
            _ => format!(" · {} next", self.input.keymap.shown(&command::FIND_NEXT)),
        };
        let (here, total) = (grouped(here), grouped(total));
        let report = format!("{query}: {here} of {total}{so_far}{next}");
        self.say_about(Subject::Hit, report);
    }
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
