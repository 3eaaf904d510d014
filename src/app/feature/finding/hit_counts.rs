//! Counting which values the hits of the search have: the prompt for the field, and the list of its values.

use std::cmp::Reverse;

use crate::app::core::{App, Effect, HitCounts, PromptInput, PromptKind, names};
use crate::app::feature::finding::search;
use crate::app::input::FuzzyMatcher;
use crate::app::pane::{Ink, Line};
use crate::query::{CountKey, NameKind, Query, shown_value};
use crate::text::{counted, grouped, visible, width};

/// The prompt for the field by which hits are counted.
#[derive(Debug, Default)]
struct FieldPrompt {
    /// The fields that fit what is typed.
    fields: Vec<String>,
}

/// Asks for the field by which the hits are counted.
pub fn ask_for_field(app: &mut App) {
    app.ask(FieldPrompt::default(), "");
}

impl PromptKind for FieldPrompt {
    fn prefix(&self) -> &'static str {
        "count hits by "
    }

    fn hint(&self) -> &'static str {
        "label, api, speaker …, or arg: state: field: with a name"
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        Some("Fields".to_owned())
    }

    fn count(&self) -> usize {
        self.fields.len()
    }

    fn choice(&self, _: &App, number: usize, _: &PromptInput) -> Line {
        Line::of(Ink::Plain, &self.fields[number])
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        let text = input.text();
        let typed = text.trim();
        self.fields = fields(app, typed);
        // What is typed in full is first; a name that is not known comes last.
        self.fields.sort_by_key(|field| field != typed);
        if typed.parse::<CountKey>().is_ok()
            && self.fields.first().is_none_or(|first| first != typed)
        {
            self.fields.push(typed.to_owned());
        }
        input.chosen = 0;
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let text = input.text();
        let typed = text.trim();
        let chosen = self.fields.get(input.chosen).map(String::as_str);
        let field = chosen.unwrap_or(typed);
        match field.parse::<CountKey>() {
            Ok(key) => count_hits(app, key),
            Err(_) if chosen == Some(field) => app.ask(FieldPrompt::default(), field),
            Err(why) => ask_again(app, typed, why),
        }
    }
}

/// Asks for the field again, with what was typed and why it is refused.
fn ask_again(app: &mut App, typed: &str, why: String) {
    app.ask(FieldPrompt::default(), typed);
    app.complain(why);
}

/// Returns the fields that fit what is typed; those with names once their beginning is typed.
fn fields(app: &App, typed: &str) -> Vec<String> {
    if let Some((key, name)) = typed.split_once(':') {
        if key == "question"
            && let Some(judged) = names::matching_judged(app, key, name)
        {
            return judged.iter().map(|name| format!("{key}:{name}")).collect();
        }
        let kind = match key {
            "arg" => NameKind::Argument,
            "response" => NameKind::Response,
            "slot" | "state" => NameKind::Slot,
            _ => return Vec::new(),
        };
        let known = names::matching_known(app, kind, name).into_iter();
        return known.map(|name| format!("{key}:{name}")).collect();
    }
    let mut likeness = FuzzyMatcher::new(typed);
    let known = CountKey::known().map(
        |(key, is_named)| {
            if is_named { format!("{key}:") } else { key.to_owned() }
        },
    );
    let mut scored: Vec<_> = known
        .enumerate()
        .filter_map(|(number, key)| Some((Reverse(likeness.score(&key)?), number, key)))
        .collect();
    if !typed.is_empty() {
        scored.sort();
    }
    scored.into_iter().map(|(.., key)| key).collect()
}

/// Counts the hits of the search in the background.
fn count_hits(app: &mut App, key: CountKey) {
    let Some(query) = app.search.query.clone() else {
        return;
    };
    let votes = key.is_about_judgements().then_some(key.as_str());
    let votes = votes.and_then(|key| app.would_tell_votes(key));
    if let Some(why) = votes.or_else(|| app.would_tell_sides(key.as_str())) {
        return app.complain(why);
    }
    app.say(format!("counting hits by {} …", key.as_str()));
    app.request(Effect::CountHits { search: app.search.number, query, key });
}

/// Lists the values, unless the search has changed or the user types something else.
pub fn on_hits_counted(app: &mut App, counts: HitCounts) {
    let field = counts.key.as_str();
    if counts.search != app.search.number {
        return;
    }
    if app.windows.open.is_some() {
        return app.say(format!("the hits are counted by {field}; ask again to see them"));
    }
    if counts.rows.iter().all(|(value, _)| value.is_none()) {
        let why = format!("none of the hits has {field}");
        return ask_again(app, field, why);
    }
    let list = CountedValues { counts, matching: Vec::new() };
    app.ask(list, "");
}

/// The list of values with their hits. Enter narrows the search to one.
#[derive(Debug)]
struct CountedValues {
    counts: HitCounts,
    /// Positions of the rows that fit what is typed.
    matching: Vec<usize>,
}

impl PromptKind for CountedValues {
    fn prefix(&self) -> &'static str {
        "narrow the search to "
    }

    fn hint(&self) -> &'static str {
        "part of a value"
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        let HitCounts { key, rows, hits, .. } = &self.counts;
        let different = rows.iter().filter(|(value, _)| value.is_some()).count();
        let (values, hits) = (counted(different, "value"), counted(*hits, "hit"));
        Some(format!("{hits} by {}: {values}", key.as_str()))
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    fn choice(&self, _: &App, number: usize, _: &PromptInput) -> Line {
        let rows = &self.counts.rows;
        let (value, hits) = &rows[self.matching[number]];
        let most = rows.iter().map(|(_, hits)| *hits).max();
        let columns = width(&grouped(most.unwrap_or_default()));
        let line = Line::of(Ink::Dim, &format!("{:>columns$}  ", grouped(*hits)));
        match value.as_deref() {
            None => line.with(Ink::Dim, "(no value)"),
            Some(value) => line.with(Ink::Plain, &visible(&shown_value(value))),
        }
    }

    fn changed(&mut self, _: &mut App, input: &mut PromptInput) {
        let text = input.text().to_lowercase();
        let fits = |value: &Option<String>| {
            let value = value.as_deref().unwrap_or("(no value)");
            value.to_lowercase().contains(text.trim())
        };
        let rows = self.counts.rows.iter().enumerate();
        let fitting = rows.filter(|(_, (value, _))| fits(value));
        self.matching = fitting.map(|(number, _)| number).collect();
        input.chosen = 0;
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let Some(row) = self.matching.get(input.chosen) else {
            return app.say(format!("no value contains {}", input.text()));
        };
        let Some(query) = app.search.query.clone() else {
            return;
        };
        let value = self.counts.rows[*row].0.as_deref();
        let condition = match self.counts.key.condition(value) {
            Ok(condition) => condition,
            Err(problem) => return app.complain(problem.to_string()),
        };
        let condition = match value {
            Some(_) => condition,
            None => Query::Not(Box::new(condition)),
        };
        let mut parts = match query {
            Query::All(parts) => parts,
            other => vec![other],
        };
        parts.push(condition);
        search::start_search(app, &Query::All(parts).to_string());
    }
}
