//! The commands that save, and the check before a save, which lists new errors and asks whether to save
//! them.
//!
//! Edits that break the form of a dialog are refused earlier. This check counts errors of rules: a
//! dialog is worse if a rule finds more errors in it than in its saved text.

use crate::app::core::{Answer, App, Question};
use crate::app::feature::saving::save_file;
use crate::app::pane::{Focus, Ink, Line, wrapped};
use crate::app::state::TurnPlace;
use crate::lint::{Diagnostic, Severity};
use crate::text::counted;
use crate::workspace::{DialogId, OpenFile};

/// The edits of files introduce new errors: save anyway?
#[derive(Debug)]
struct NewErrors {
    files: Vec<usize>,
    /// Number of new errors.
    count: usize,
    /// The place of the first one.
    first: TurnPlace,
    lines: Vec<Line>,
}

impl Question for NewErrors {
    fn text(&self, _: &App) -> String {
        format!("saving would add {}", counted(self.count, "error"))
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        vec![(Answer::Yes, "save anyway"), (Answer::No, "go there"), (Answer::Later, "do not save")]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        if answer == Answer::Yes {
            return save_anyway(app, &self.files);
        }
        app.session.leaving = false;
        if answer == Answer::No {
            app.panes.focus_on(Focus::Transcript);
            let TurnPlace { at, turn, segment } = self.first;
            return app.go_to(at, turn, segment);
        }
        app.say("nothing was saved");
    }

    fn lines(&self) -> &[Line] {
        &self.lines
    }
}

/// Saves the file of the open dialog, and the vote logs of its file.
pub fn save(app: &mut App) {
    let Some(at) = app.panes.transcript.at else {
        return;
    };
    let mut files = files_of(app, at);
    if files.len() > 1 && !app.workspace.files.is_modified(at.file as usize) {
        files.remove(0);
    }
    save_files(app, files);
}

/// Returns the file of a dialog, and the logs of that file's dialogs that have unsaved votes.
pub fn files_of(app: &App, at: DialogId) -> Vec<usize> {
    let file = at.file as usize;
    [vec![file], unsaved_logs(app, file)].concat()
}

pub fn save_all(app: &mut App) {
    let modified: Vec<_> = app.workspace.files.modified().collect();
    if modified.is_empty() {
        app.say("nothing to save");
    }
    save_files(app, modified);
}

/// Returns the logs and judgements of a file's dialogs that are unsaved.
fn unsaved_logs(app: &App, of: usize) -> Vec<usize> {
    let logs = app.workspace.files.modified().filter(|file| {
        let open = app.workspace.files.get(*file);
        let files = &app.workspace.files;
        let judged = files.judged_in(DialogId::first_of(*file)).file as usize;
        open.is_some_and(OpenFile::is_log) && (judged == of || files.holds_judgements_of(*file, of))
    });
    logs.collect()
}

/// Saves files; asks first if their edits bring new errors.
pub fn save_files(app: &mut App, files: Vec<usize>) {
    let added: Vec<_> = files.iter().flat_map(|f| new_errors(app, *f)).collect();
    let Some((at, location)) = added.first().map(|(at, d)| (*at, d.location)) else {
        return save_anyway(app, &files);
    };
    let columns = app.panes.window_columns();
    let line = |(at, problem): &(DialogId, Diagnostic)| {
        let id = app.workspace.files.summary(*at).map(|o| format!("{}  ", o.id));
        let turn = problem.location.turn.map(|turn| format!("turn {turn}: "));
        let head = Line::of(Ink::Error, " ✗ ");
        let head = head.with(Ink::Dim, &id.unwrap_or_default());
        let message = turn.unwrap_or_default() + &problem.message;
        wrapped(head, Ink::Plain, &message, columns)
    };
    let lines = added.iter().flat_map(line).collect();
    app.ask_now(NewErrors {
        files,
        count: added.len(),
        first: TurnPlace { at, turn: location.turn.unwrap_or_default(), segment: location.segment },
        lines,
    });
}

/// Saves files without the check.
pub fn save_anyway(app: &mut App, files: &[usize]) {
    for file in files {
        save_file::save_file(app, *file, false);
    }
}

/// Returns the errors in the edited dialogs of a file that the saved text does not have.
pub fn new_errors(app: &App, file: usize) -> Vec<(DialogId, Diagnostic)> {
    let mut added_errors = Vec::new();
    let Some(corpus) = app.workspace.files.get(file).and_then(OpenFile::corpus) else {
        return added_errors;
    };
    for dialog in corpus.edited() {
        let (Ok(old), Ok(new)) = (corpus.bytes(dialog), corpus.text(dialog)) else {
            continue;
        };
        let at = DialogId::new(file, dialog);
        let old = errors(app, at, &String::from_utf8_lossy(&old));
        let new = errors(app, at, &new);
        let of_rule = |all: &[Diagnostic], one: &Diagnostic| {
            all.iter().filter(|d| std::ptr::eq(d.rule, one.rule)).count()
        };
        let more = |d: &&Diagnostic| of_rule(&new, d) > of_rule(&old, d);
        let added = new.iter().filter(more).filter(|d| !old.iter().any(|o| o.is_same(d)));
        let at = app.workspace.files.judged_in(at);
        added_errors.extend(added.map(|d| (at, d.clone())));
    }
    added_errors
}

/// Returns the errors of a dialog with this text; none while the rules are not loaded.
fn errors(app: &App, at: DialogId, text: &str) -> Vec<Diagnostic> {
    let mut found = app.workspace.files.problems_of(at, text).problems;
    found.retain(|d| d.severity == Severity::Error);
    found
}
