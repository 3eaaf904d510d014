//! The prompt for the file to which the hits of the search, or a report, are written.

use crate::app::core::{App, Effect, TextPrompt};

/// Asks for the name of the file of the hits.
pub fn ask_for_hits(app: &mut App) {
    let export = |app: &mut App, typed: &str| {
        if let Some(query) = app.search.query.clone() {
            let path = or_usual(typed, "hits.jsonl");
            app.say(format!("exporting hits to {path} …"));
            app.request(Effect::ExportHits { query, path });
        }
    };
    let prompt = TextPrompt::text("write hits to ", export);
    app.ask(prompt.hint("a new file; hits.jsonl if you type no name"), "");
}

/// Asks for the name of the file of a report, unless it would tell others' votes.
pub fn ask_for_report(app: &mut App) {
    if let Some(why) = app.would_tell_votes("a report") {
        return app.complain(why);
    }
    let write = |app: &mut App, typed: &str| {
        let path = or_usual(typed, "report.html");
        app.say(format!("reading all dialogs for {path} …"));
        app.request(Effect::WriteReport { path });
    };
    let prompt = TextPrompt::text("write a report to ", write);
    app.ask(prompt.hint("a new file; report.html if you type no name"), "");
}

fn or_usual(typed: &str, usual: &str) -> String {
    match typed.trim() {
        "" => usual.to_owned(),
        typed => typed.to_owned(),
    }
}
