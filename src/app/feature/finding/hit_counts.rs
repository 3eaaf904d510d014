//! Counting which values the hits of the search have: the prompt for the field, and the list of its values.

use std::cmp::Reverse;

use crate::app::core::{App, Effect, HitCounts, Picker, names};
use crate::app::feature::finding::search;
use crate::app::input::FuzzyMatcher;
use crate::app::pane::{Ink, Line};
use crate::query::{CountKey, NameKind, Query, shown_value};
use crate::text::{counted, grouped, visible, width};

/// Asks for the field by which the hits are counted.
pub fn ask_for_field(app: &mut App) {
    ask(app, "");
}

fn ask(app: &mut App, typed: &str) {
    let find = |app: &App, typed: &str| {
        let mut fields = fields(app, typed);
        // What is typed in full is first; a name that is not known comes last.
        fields.sort_by_key(|field| field != typed);
        if typed.parse::<CountKey>().is_ok() && fields.first().is_none_or(|first| first != typed) {
            fields.push(typed.to_owned());
        }
        fields
    };
    let line = |_: &App, field: &String| Line::of(Ink::Plain, field);
    let count = |app: &mut App, chosen: Option<String>, typed: &str| {
        let field = chosen.as_deref().unwrap_or(typed);
        match field.parse::<CountKey>() {
            Ok(key) => count_hits(app, key),
            Err(_) if chosen.is_some() => ask(app, field),
            Err(why) => ask_again(app, typed, why),
        }
    };
    let picker = Picker::new("count hits by ", "Fields", find, line, count);
    let picker = picker.hint("label, api, speaker …, or arg:NAME state:NAME field:NAME");
    app.ask(picker, typed);
}

/// Asks for the field again, with what was typed and why it is refused.
fn ask_again(app: &mut App, typed: &str, why: String) {
    ask(app, typed);
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
            "result" | "response" => NameKind::Response,
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

/// Lists the values, unless the user types something else.
pub fn on_hits_counted(app: &mut App, counts: HitCounts) {
    let field = counts.key.as_str();
    if app.windows.open.is_some() {
        return app.say(format!("counted the hits by {field}; count again to see the values"));
    }
    if counts.rows.iter().all(|(value, _)| value.is_none()) {
        let why = format!("none of the hits has {field}");
        return ask_again(app, field, why);
    }
    list_values(app, counts);
}

/// Lists the values with their hits. The one that is chosen narrows the search.
fn list_values(app: &mut App, counts: HitCounts) {
    let HitCounts { key, rows, hits, .. } = counts;
    let different = rows.iter().filter(|(value, _)| value.is_some()).count();
    let (values, hits) = (counted(different, "value"), counted(hits, "hit"));
    let title = format!("{hits} by {}: {values}", key.as_str());
    let most = rows.iter().map(|(_, hits)| *hits).max().unwrap_or_default();
    let columns = width(&grouped(most));
    let find = move |_: &App, text: &str| {
        let fits = |value: &Option<String>| {
            let value = value.as_deref().unwrap_or("(no value)");
            value.to_lowercase().contains(&text.to_lowercase())
        };
        let rows = rows.iter().filter(|(value, _)| fits(value));
        rows.map(|(value, hits)| (columns, value.clone(), *hits)).collect()
    };
    let narrow = move |app: &mut App, row: Option<Row>, typed: &str| match row {
        Some((_, value, _)) => narrow(app, &key, value.as_deref()),
        None => app.say(format!("no value contains {typed}")),
    };
    let picker = Picker::new("narrow the search to ", title, find, value_line, narrow);
    app.ask(picker.hint("part of a value"), "");
}

/// The columns of the numbers, a value, and its hits.
type Row = (usize, Option<String>, usize);

fn value_line(_: &App, (columns, value, hits): &Row) -> Line {
    let line = Line::of(Ink::Dim, &format!("{:>columns$}  ", grouped(*hits)));
    match value.as_deref() {
        None => line.with(Ink::Dim, "(no value)"),
        Some(value) => line.with(Ink::Plain, &visible(&shown_value(value))),
    }
}

/// Narrows the search to the hits with a value, or to those without any.
fn narrow(app: &mut App, key: &CountKey, value: Option<&str>) {
    let condition = match key.condition(value) {
        Ok(condition) => condition,
        Err(problem) => return app.complain(problem.to_string()),
    };
    let condition = match value {
        Some(_) => condition,
        None => Query::Not(Box::new(condition)),
    };
    let mut parts = match app.search.query.clone() {
        Some(Query::All(parts)) => parts,
        Some(other) => vec![other],
        None => return,
    };
    parts.push(condition);
    search::start_search(app, &Query::All(parts).to_string());
}
