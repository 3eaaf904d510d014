//! The question whether to restore the edits that the last run left unsaved, or to discard them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::app::core::{Answer, App, Effect, Question, at};
use crate::app::feature::recovery::recover;
use crate::app::input::Command;
use crate::app::pane::difference::difference;
use crate::app::pane::{Ink, Line, wrapped};
use crate::corpus::CorpusFile;
use crate::text::counted;
use crate::workspace::{DialogId, Doubt, JournalEntry, JournalOp, MadeEdit};

/// The last run left unsaved edits of these files: restore, export or discard them?
///
/// No file is locked while the question is open. An answer that restores, exports or discards the edits
/// locks the files first; if another process has edited one meanwhile, turnwise asks again or withdraws
/// the question.
#[derive(Debug)]
pub struct RestoreEdits {
    /// The number of unsaved edits of each file.
    files: BTreeMap<usize, usize>,
    /// The list of these edits, once shown.
    lines: Option<Vec<Line>>,
    /// The user wants to discard them: for good?
    discards: bool,
}

impl Question for RestoreEdits {
    fn text(&self, app: &App) -> String {
        if self.discards {
            return format!("discard {} for good?", counted(self.count(), "edit"));
        }
        let files = &self.files;
        let name = match files.keys().next() {
            Some(file) if files.len() == 1 => app.workspace.files.name(*file),
            _ => &counted(files.len(), "file"),
        };
        let edits = counted(self.count(), "unsaved edit");
        let all = &app.workspace.files;
        let doubts = files.keys().filter_map(|file| Some((*file, all.doubt(*file)?)));
        let doubts: Vec<_> = doubts.collect();
        let doubt = match (doubts.as_slice(), files.len()) {
            ([], _) => "",
            ([(_, Doubt::Damaged(_))], 1) => "; its journal is damaged",
            ([(file, Doubt::Changed)], 1) if all.is_new(*file) => "; the file was removed since",
            ([(_, Doubt::Changed)], 1) => "; the file has changed since",
            _ => "; some may no longer fit",
        };
        let others = self.others(app);
        let others = if others.is_empty() {
            String::new()
        } else {
            format!(", with answers by {}", others.join(", "))
        };
        format!("{name}: the last run left {edits}{others}{doubt}")
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        if self.discards {
            let back = [Answer::No, Answer::Later].map(|answer| (answer, "go back"));
            return [(Answer::Yes, "discard")].into_iter().chain(back).collect();
        }
        let mut answers = vec![
            (Answer::Yes, "restore them"),
            (Answer::No, "discard them"),
            (Answer::Export, "export them to a file"),
            (Answer::Show, "show them"),
            (Answer::Later, if self.lines.is_none() { "later" } else { "go back" }),
        ];
        answers.retain(|(answer, _)| *answer != Answer::Show || self.lines.is_none());
        answers
    }

    fn answer(mut self: Box<Self>, app: &mut App, answer: Answer) {
        match answer {
            Answer::Yes if self.discards => discard_offered(app, &self.numbers()),
            Answer::No | Answer::Later if self.discards => {
                self.discards = false;
                app.ask_now(*self);
            }
            Answer::Yes => recover::recover(app, &self.numbers()),
            Answer::No => {
                self.discards = true;
                app.ask_now(*self);
            }
            Answer::Export => recover::export_offered(app, &self.numbers()),
            Answer::Show => {
                self.show(app);
                app.ask_now(*self);
            }
            Answer::Later if self.lines.take().is_some() => app.ask_now(*self),
            Answer::Later => {
                let edits = counted(self.count(), "unsaved edit");
                let recover = app.key(Command::Recover);
                app.say(format!("{edits} still undecided · {recover} asks again"));
            }
        }
    }

    fn lines(&self) -> &[Line] {
        self.lines.as_deref().unwrap_or_default()
    }
}

impl RestoreEdits {
    fn numbers(&self) -> BTreeSet<usize> {
        self.files.keys().copied().collect()
    }

    fn count(&self) -> usize {
        self.files.values().sum()
    }

    /// Returns the other annotators whose answers are among the edits.
    fn others<'a>(&self, app: &'a App) -> Vec<&'a str> {
        let offered = self.files.keys().filter_map(|file| app.workspace.files.offered(*file));
        let by = |entry: &'a JournalEntry| match entry {
            JournalEntry::Edit(made) => app.by_another(made.edit()),
            _ => None,
        };
        let by: BTreeSet<_> =
            offered.flat_map(|(_, entries)| entries.iter().filter_map(by)).collect();
        by.into_iter().collect()
    }

    /// Lists the edits below the question.
    fn show(&mut self, app: &App) {
        let columns = app.panes.window_columns();
        let files = self.files.keys();
        let lines = files.flat_map(|file| offered_lines(app, *file, columns));
        self.lines = Some(lines.collect());
    }
}

/// Asks about the unsaved edits from the last run once all files are read: until then the question
/// may still grow to cover more files.
pub fn offer_once_read(app: &mut App) {
    if !app.workspace.files.unasked || app.workspace.files.progress().is_some() {
        return;
    }
    app.workspace.files.unasked = false;
    for file in app.workspace.files.with_undecided() {
        offer_unsaved(app, file);
    }
}

/// Asks about the unsaved edits from the last run; one question covers all files that are known to
/// have some.
pub fn offer_unsaved(app: &mut App, file: usize) {
    let Some((past, entries)) = app.workspace.files.offered(file) else {
        return;
    };
    let more = past.after(entries).changes_since(past);
    let shown = app.asked().any(|asked| {
        let asked = asked.as_type::<RestoreEdits>();
        asked.is_some_and(|asked| asked.lines.is_some())
    });
    let columns = app.panes.window_columns();
    let lines = shown.then(|| offered_lines(app, file, columns));
    let Some(asked) = app.asked_mut::<RestoreEdits>() else {
        app.windows.questions.push_back(Box::new(RestoreEdits {
            files: BTreeMap::from([(file, more)]),
            lines: None,
            discards: false,
        }));
        return;
    };
    asked.discards = false;
    if asked.files.insert(file, more).is_none() {
        if let Some(shown) = &mut asked.lines {
            shown.extend(lines.into_iter().flatten());
        }
    } else {
        // These edits may differ from those shown.
        asked.lines = None;
    }
}

/// Asks again about the unsaved edits of a file that another process has edited since they were
/// offered; if that process has already restored or discarded them, reports that.
pub fn offer_again(app: &mut App, file: usize) {
    if app.workspace.files.offered(file).is_some() {
        return offer_unsaved(app, file);
    }
    if let Some(asked) = app.asked_mut::<RestoreEdits>()
        && asked.files.remove(&file).is_some()
    {
        (asked.lines, asked.discards) = (None, false);
    }
    app.windows.withdraw(|asked: &RestoreEdits| asked.files.is_empty());
    let name = app.workspace.files.name(file);
    app.say(format!("{name}: another process has already restored or discarded the unsaved edits"));
    // Show it again after the question about other files.
    app.status.news = true;
}

/// Asks again about all unsaved edits from the last run.
pub fn ask_about_unsaved(app: &mut App) {
    if !app.workspace.files.any_undecided() {
        app.say("the last run left no edits to decide about");
    }
    for file in app.workspace.files.with_undecided() {
        offer_unsaved(app, file);
    }
}

/// Discards the unsaved edits from the last run.
fn discard_offered(app: &mut App, files: &BTreeSet<usize>) {
    let mut any = false;
    for file in files.iter().copied() {
        if recover::what_to_decide(app, file).is_some() {
            app.workspace.files.decided(file);
            app.request(Effect::Journal { file, what: JournalOp::Rewrite(Vec::new()) });
            any = true;
        }
    }
    if any {
        app.say("discarded the edits from the last run");
    }
}

/// Returns the lines of a file's unsaved edits, each with its changes to the text.
pub fn offered_lines(app: &App, file: usize, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let Some((past, entries)) = app.workspace.files.offered(file) else {
        return lines;
    };
    let Some(mut corpus) = app.workspace.files.get(file).and_then(|f| f.corpus().cloned()) else {
        return lines;
    };
    let doubt = app.workspace.files.doubt(file);
    let name = app.workspace.files.name(file);
    let message = doubt.map(|doubt| match doubt {
        Doubt::Damaged(message) => message.clone(),
        Doubt::Changed => format!("{name} has changed meanwhile"),
    });
    if let Some(message) = message {
        lines.extend(wrapped(Line::of(Ink::Plain, " "), Ink::Warning, &message, columns));
    }
    // The answer takes reading the dialog, of which there may be many edits.
    let mut hidden = HashMap::new();
    let mut hides_text =
        |at| *hidden.entry(at).or_insert_with(|| app.hides_text(DialogId::new(file, at)));
    let mut is_hidden = |dialog: Option<usize>, made: &MadeEdit| {
        app.hides_edit(made.edit()) || dialog.is_some_and(&mut hides_text)
    };
    let after = past.after(entries);
    let shared = past.shared(&after);
    for made in past.applied()[shared..].iter().rev() {
        offered_line(app, "undone ", file, made, columns, &mut lines);
        let dialog = Some(made.change.dialog);
        let differs =
            changed_by(&mut corpus, dialog, columns, |corpus| corpus.undo([&made.change]) == 1);
        lines.extend(if is_hidden(dialog, made) { Vec::new() } else { differs });
    }
    let again = &after.applied()[shared..];
    for (made, place) in
        again.iter().zip(app.workspace.files.places_of(file, again, doubt.is_some()))
    {
        offered_line(app, "", file, made, columns, &mut lines);
        let dialog = place.map(|at| at.dialog as usize);
        let differs = changed_by(&mut corpus, dialog, columns, |corpus| {
            let on = made.change.on.as_ref().filter(|_| doubt.is_some());
            corpus.edit_on(dialog.unwrap_or_default(), made.edit(), on).is_ok()
        });
        lines.extend(if is_hidden(dialog, made) { Vec::new() } else { differs });
    }
    lines
}

fn offered_line(
    app: &App,
    sign: &str,
    file: usize,
    made: &MadeEdit,
    columns: usize,
    lines: &mut Vec<Line>,
) {
    let at = app.workspace.files.dialog_of(at(file, made), made.edit());
    let summary = app.workspace.files.summary(at);
    let id = summary.map_or_else(String::new, |o| format!("  {}", o.id));
    let head = Line::of(Ink::Changed, " ● ").with(Ink::Dim, sign);
    let text = format!("{}{id}", app.titled(&made.title, made.edit()));
    lines.extend(wrapped(head, Ink::Plain, &text, columns));
}

/// Returns the difference that `run` makes in the text of a dialog.
fn changed_by(
    corpus: &mut CorpusFile,
    dialog: Option<usize>,
    columns: usize,
    run: impl Fn(&mut CorpusFile) -> bool,
) -> Vec<Line> {
    let no_longer_fits = || vec![Line::of(Ink::Warning, "   no longer fits")];
    let Some(dialog) = dialog.filter(|dialog| *dialog < corpus.index().pieces.len()) else {
        return no_longer_fits();
    };
    let before = corpus.text(dialog).unwrap_or_default();
    if !run(corpus) {
        return no_longer_fits();
    }
    difference(&before, &corpus.text(dialog).unwrap_or_default(), columns)
}
