//! Changing the texts of the whole dialog, such as its scenario: a list of them, then a prompt for the text.

use crate::app::core::{App, Digits, Picker, TextPrompt};
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

/// Picks a text of the dialog by its name, and asks for another.
pub fn ask_for_field(app: &mut App) {
    let find = |app: &App, text: &str| {
        let mut likeness = FuzzyMatcher::with_capitals(text);
        let mut texts = texts(app);
        texts.retain(|(name, _)| likeness.score(name).is_some());
        texts
    };
    let line = |app: &App, (name, text): &(String, String)| {
        let line = Line::of(Ink::Name, name);
        let room = app.panes.window_columns().saturating_sub(line.width() + 6);
        line.with(Ink::Dim, &format!("  {}", elided(text, room)))
    };
    let change = |app: &mut App, field: Option<(String, String)>, _: &str| {
        let Some((name, old)) = field else {
            return;
        };
        let title = name.clone();
        let set = move |app: &mut App, text: &str| {
            let (name, text) = (name, text.to_owned());
            let edit = Edit::SetField { name, text };
            app.edit(&edit, edit.title());
        };
        let prompt = TextPrompt::text("text ", set).long(title);
        app.ask(prompt, &old);
    };
    let picker = Picker::new("field ", "Texts of the dialog", find, line, change);
    let picker = picker.hint("type to search, or press a digit");
    app.ask(picker.digits(Digits::Pick), "");
}
