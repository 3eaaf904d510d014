//! The prompt for the file to which the hits of the search, or a report, are written.

use crate::app::core::{App, Effect, PromptInput, PromptKind};

/// The contents of the file.
#[derive(Clone, Copy, Debug)]
enum Written {
    Hits,
    Report,
}

#[derive(Debug)]
struct FilePrompt(Written);

/// Asks for the name of the file of the hits.
pub fn ask_for_hits(app: &mut App) {
    app.ask(FilePrompt(Written::Hits), "");
}

/// Asks for the name of the file of a report, unless it would tell others' votes.
pub fn ask_for_report(app: &mut App) {
    match app.would_tell_votes("a report") {
        Some(why) => app.complain(why),
        None => app.ask(FilePrompt(Written::Report), ""),
    }
}

impl FilePrompt {
    /// Returns the file if no name is typed.
    fn usual(&self) -> &'static str {
        match self.0 {
            Written::Hits => "hits.jsonl",
            Written::Report => "report.html",
        }
    }
}

impl PromptKind for FilePrompt {
    fn prefix(&self) -> &'static str {
        match self.0 {
            Written::Hits => "put hits into ",
            Written::Report => "write a report into ",
        }
    }

    fn hint(&self) -> &'static str {
        match self.0 {
            Written::Hits => "a new file; hits.jsonl if you type no name",
            Written::Report => "a new file; report.html if you type no name",
        }
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let path = match input.text().trim() {
            "" => self.usual().to_owned(),
            typed => typed.to_owned(),
        };
        match self.0 {
            Written::Hits => {
                let Some(query) = app.search.query.clone() else {
                    return;
                };
                app.say(format!("exporting hits to {path} …"));
                app.request(Effect::ExportHits { query, path });
            }
            Written::Report => {
                app.say(format!("reading all dialogs for {path} …"));
                app.request(Effect::WriteReport { path });
            }
        }
    }
}
