//! The prompt for the file to which the hits of the search are exported.

use crate::app::core::{App, Effect, PromptInput, PromptKind};

/// The file if no name is typed.
const USUAL: &str = "hits.jsonl";

#[derive(Debug)]
struct ExportPrompt;

/// Asks for the name of the file.
pub fn ask_for_file(app: &mut App) {
    app.ask(ExportPrompt, "");
}

impl PromptKind for ExportPrompt {
    fn prefix(&self) -> &'static str {
        "put hits into "
    }

    fn hint(&self) -> &'static str {
        "a new file; hits.jsonl if you type no name"
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let typed = input.text().trim().to_owned();
        let path = if typed.is_empty() {
            USUAL.to_owned()
        } else {
            typed
        };
        let Some(query) = app.search.query.clone() else {
            return;
        };
        app.say(format!("exporting hits to {path} …"));
        app.request(Effect::ExportHits { query, path });
    }
}
