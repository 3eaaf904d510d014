//! The prompt for the file to which the hits of the search are exported.

use crate::app::core::{App, Effect, PromptInput, PromptKind};

#[derive(Debug)]
struct ExportPrompt;

/// Asks for the name of the file.
pub fn ask_for_file(app: &mut App) {
    app.ask(ExportPrompt, "hits.jsonl");
}

impl PromptKind for ExportPrompt {
    fn prefix(&self) -> &'static str {
        "put hits into "
    }

    fn hint(&self) -> &'static str {
        "a new file: hits.jsonl"
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let path = input.text().trim().to_owned();
        if path.is_empty() {
            return app.complain("type the name of a new file");
        }
        let Some(query) = app.search.query.clone() else {
            return;
        };
        app.say(format!("exporting hits to {path} …"));
        app.request(Effect::ExportHits { query, path });
    }
}
