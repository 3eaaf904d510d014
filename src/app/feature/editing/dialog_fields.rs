//! Changing the texts of the whole dialog, such as its scenario: a list of them, then a prompt for the text.

use crate::app::core::{App, Digits, PromptInput, PromptKind};
use crate::app::input::FuzzyMatcher;
use crate::app::pane::{Ink, Line, elided};
use crate::dialog::{Content, Edit};

/// Returns the names and the texts of the dialog that can be changed.
pub fn texts(app: &App) -> Vec<(String, String)> {
    let fields = &app.panes.transcript.dialog.fields;
    let texts = fields.iter().filter_map(|field| match &field.content {
        Content::Text(text) => Some((field.name.to_string(), text.to_string())),
        Content::Raw(_) => None,
    });
    let texts = texts.filter(|(name, _)| fields.iter().filter(|f| f.name == *name).count() == 1);
    texts.collect()
}

/// Picks a text of the dialog by its name.
#[derive(Debug, Default)]
pub struct FieldPicker {
    /// The names that match, best first, with their texts.
    matching: Vec<(String, String)>,
}

impl PromptKind for FieldPicker {
    fn prefix(&self) -> &'static str {
        "field "
    }

    fn hint(&self) -> &'static str {
        "type to search, or press a digit"
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        Some("Texts of the dialog".to_owned())
    }

    fn digits(&self) -> Digits {
        Digits::Pick
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    fn choice(&self, app: &App, number: usize, input: &PromptInput) -> Line {
        let (name, text) = &self.matching[number];
        let has_digit = input.is_empty() && number < 9;
        let digit = if has_digit { format!("{} ", number + 1) } else { "  ".to_owned() };
        let line = Line::of(Ink::Key, &digit).with(Ink::Name, name);
        let room = app.panes.window_columns().saturating_sub(line.width() + 4);
        line.with(Ink::Dim, &format!("  {}", elided(text, room)))
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        let text = input.text();
        let mut likeness = FuzzyMatcher::with_capitals(text.trim());
        self.matching = texts(app);
        self.matching.retain(|(name, _)| text.trim().is_empty() || likeness.score(name).is_some());
        input.chosen = 0;
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        if let Some((name, text)) = self.matching.get(input.chosen).cloned() {
            app.ask(FieldText { name }, &text);
        }
    }
}

/// The prompt for a text of the dialog.
#[derive(Debug)]
struct FieldText {
    name: String,
}

impl PromptKind for FieldText {
    fn prefix(&self) -> &'static str {
        "text "
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        Some(self.name.clone())
    }

    fn is_long(&self) -> bool {
        true
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let (name, text) = (self.name, input.text());
        let edit = Edit::SetField { name, text };
        app.edit(&edit, edit.title());
    }
}
