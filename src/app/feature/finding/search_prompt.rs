//! The prompt for a search: known names to pick after `label:`, `api:` and others, and earlier searches.

use std::collections::HashSet;

use crate::app::core::{App, PromptInput, PromptKind, names};
use crate::app::feature::finding::search;
use crate::app::input::{Command, Scope, TextField};
use crate::app::pane::{Ink, Line};
use crate::lint::RULES;
use crate::query::{MeantNames, NameKind, Query, TextKind, TypedCondition};

#[derive(Debug, Default)]
pub struct SearchPrompt {
    /// The known names that the typed condition may mean.
    names: Vec<String>,
    /// How the query is understood, or its error; None for plain text.
    reading: Option<Line>,
    /// How many searches back the text in the prompt is; 0 for the text that the user types.
    back: usize,
    /// The typed text, while an earlier search replaces it.
    typed: String,
}

impl PromptKind for SearchPrompt {
    fn prefix(&self) -> &'static str {
        "find "
    }

    fn hint(&self) -> &'static str {
        "text, or in:…  label:…  api:…  speaker:…  problem:"
    }

    fn title(&self, app: &App, _: &PromptInput) -> Option<String> {
        if self.names.is_empty() {
            return self.reading.as_ref().map(|_| "Query".to_owned());
        }
        let key = app.key_in(Command::Down, Scope::Prompt);
        Some(format!("Known names   {key} to select"))
    }

    fn without_choices(&self) -> Line {
        self.reading.clone().unwrap_or_default()
    }

    fn accepts_click(&self) -> bool {
        false
    }

    fn count(&self) -> usize {
        self.names.len()
    }

    fn choice(&self, _: &App, number: usize, _: &PromptInput) -> Line {
        Line::of(Ink::Plain, &self.names[number])
    }

    /// Returns the position of the name that is typed.
    fn selected(&self, input: &PromptInput) -> Option<usize> {
        let text = input.text();
        let typed = TypedCondition::last_of(&text)?.value;
        self.names.iter().position(|name| *name == typed)
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        let text = input.text();
        self.names = names_to_find(app, &text);
        // The matches on the screen are marked as the user types.
        let query = text.parse::<Query>();
        let hidden = query.as_ref().ok();
        if let Some(why) = hidden.and_then(|query| search::why_hidden(app, query)) {
            self.reading = Some(Line::of(Ink::Warning, &format!(" {why}")));
            app.mark(None);
            return;
        }
        self.reading = match &query {
            Ok(query) if query.as_text().is_some() => None,
            Ok(query) => Some(Line::of(Ink::Dim, &format!(" {}", understood(app, query)))),
            Err(_) if text.is_empty() => None,
            Err(error) => Some(Line::of(Ink::Warning, &format!(" {}", error.at_place(&text)))),
        };
        app.mark(query.ok().as_ref());
    }

    /// Puts the next known name into the prompt, or else an earlier search.
    fn step(&mut self, app: &mut App, input: &mut PromptInput, by: isize) {
        if !self.pick_name(app, input, by) {
            self.recall(app, input, by);
        }
    }

    fn has_pages(&self) -> bool {
        false
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let text = input.text();
        match text.parse::<Query>() {
            Err(error) if !text.is_empty() => {
                app.ask(Self::default(), &text);
                app.complain(error.at_place(&text));
            }
            _ => search::start_search(app, &text),
        }
    }

    fn cancel(self: Box<Self>, app: &mut App) {
        app.mark_hits();
    }
}

impl SearchPrompt {
    /// Puts an earlier search into the prompt, an older or a newer one; after the newest, the typed
    /// text.
    fn recall(&mut self, app: &mut App, input: &mut PromptInput, by: isize) {
        if self.back == 0 {
            self.typed = input.text();
        }
        self.back = self.back.saturating_add_signed(-by).min(app.session.searched.len());
        let older = app.session.searched.len().checked_sub(self.back);
        let text = older.and_then(|place| app.session.searched.get(place));
        input.field = TextField::new(text.unwrap_or(&self.typed));
        self.changed(app, input);
    }

    /// Puts the next or previous known name after its `label:` or `api:`; false if there is none.
    fn pick_name(&self, app: &mut App, input: &mut PromptInput, by: isize) -> bool {
        let place = match self.selected(input) {
            _ if self.back > 0 => None,
            // The first name is one step away.
            None => usize::try_from(by - 1).ok(),
            Some(place) => place.checked_add_signed(by),
        };
        let text = input.text();
        let name = place.and_then(|place| self.names.get(place));
        let (Some(name), Some(last)) = (name, TypedCondition::last_of(&text)) else {
            return false;
        };
        let text = last.replaced(&text, name);
        let query = text.parse::<Query>().ok();
        input.field = TextField::new(&text);
        app.mark(query.as_ref());
        true
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
        "response" => &[NameKind::Response][..],
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
