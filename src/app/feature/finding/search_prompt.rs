//! The prompt for a search: known names to pick after `label:`, `api:` and others, and earlier searches.

use std::collections::HashSet;

use crate::app::core::{App, Picker, names};
use crate::app::feature::finding::search;
use crate::app::input::{Command, Scope};
use crate::app::pane::{Ink, Line};
use crate::lint::RULES;
use crate::query::{MeantNames, NameKind, Query, TextKind, TypedCondition};

/// Asks for a search, with this text to begin with. The matches on the screen are marked as the user types.
pub fn ask_for_search(app: &mut App, text: &str) {
    let line = |_: &App, name: &String| Line::of(Ink::Plain, name);
    let search = |app: &mut App, _: Option<String>, text: &str| match text.parse::<Query>() {
        Err(error) if !text.is_empty() => {
            ask_for_search(app, text);
            app.complain(error.at_place(text));
        }
        _ => search::start_search(app, text),
    };
    let complete = |name: &String, text: &str| match TypedCondition::last_of(text) {
        Some(last) => last.replaced(text, name),
        None => text.to_owned(),
    };
    let mark = |app: &mut App, text: &str| {
        let query = text.parse::<Query>().ok();
        app.mark(query.filter(|query| search::why_hidden(app, query).is_none()).as_ref());
    };
    let picker = Picker::new("find ", "Query", names_to_find, line, search)
        .hint("text, or in:…  label:…  api:…  speaker:…  problem:")
        .title_of(|app, _| {
            let key = app.input.keymap.keys_of(Command::Down, &[Scope::Prompt]).next();
            format!("Known names   {} to select", key.unwrap_or(Command::Down.name()))
        })
        .completes(complete)
        .reads(reading)
        .recalls(app.session.searched.clone())
        .follow(mark)
        .or_else(App::mark_hits);
    app.ask(picker, text);
}

/// Says how a query is understood, or what is wrong with it; None for plain text.
fn reading(app: &App, text: &str) -> Option<Line> {
    let warning = |why: &str| Some(Line::of(Ink::Warning, &format!(" {why}")));
    match text.parse::<Query>() {
        Ok(query) if let Some(why) = search::why_hidden(app, &query) => warning(&why),
        Ok(query) if query.as_text().is_some() => None,
        Ok(query) => Some(Line::of(Ink::Dim, &format!(" {}", understood(app, &query)))),
        Err(_) if text.is_empty() => None,
        Err(error) => warning(&error.at_place(text)),
    }
}

/// Returns how a query is understood, and which members of the open dialog its names mean.
fn understood(app: &App, query: &Query) -> String {
    let mut meant = MeantNames::of(query);
    meant.see(&app.panes.transcript.dialog);
    let mut all = vec![query.explained()];
    all.extend(meant.notes());
    all.join(" · ")
}

/// Returns the known names that the condition being typed may mean.
fn names_to_find(app: &App, text: &str) -> Vec<String> {
    let Some(last) = TypedCondition::last_of(text) else {
        return Vec::new();
    };
    if let Some(judged) = names::matching_judged(app, last.key, &last.value) {
        return judged;
    }
    let kinds = match last.key {
        "in" => {
            let kinds = TextKind::ALL.into_iter().map(|(name, _)| name);
            let wanted = kinds.filter(|name| name.contains(&*last.value));
            return wanted.map(str::to_owned).collect();
        }
        "label" => &[NameKind::Label, NameKind::Slot, NameKind::Act][..],
        "api" => &[NameKind::Api][..],
        "arg" => &[NameKind::Argument][..],
        "result" => &[NameKind::Response][..],
        "act" => &[NameKind::Act][..],
        "slot" | "state" => &[NameKind::Slot][..],
        "intent" => &[NameKind::Intent][..],
        "problem" if !last.value.is_empty() => {
            let names = RULES.iter().map(|rule| rule.name);
            let wanted = names.filter(|name| name.contains(&*last.value));
            return wanted.map(str::to_owned).collect();
        }
        _ => return Vec::new(),
    };
    let like = |kind: &NameKind| names::matching_known(app, *kind, &last.value);
    let mut listed = HashSet::new();
    let names = kinds.iter().flat_map(like);
    names.filter(|name| listed.insert(name.clone())).collect()
}
