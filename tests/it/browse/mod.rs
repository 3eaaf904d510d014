//! The interactive program without a terminal: keys in, screen out.

mod beside;
mod blame;
mod calls;
mod calm;
mod changed;
mod columns;
mod commands;
pub mod conflicts;
mod every_key;
pub mod fixtures;
mod gold;
mod growing;
mod help;
mod hints;
mod jobs;
mod judging;
mod jumps;
mod labels;
pub mod leaving;
mod lists;
mod mouse;
mod one_hand;
mod picture;
mod pinned;
mod problems;
mod queries;
mod reading;
mod repair;
mod screens;
mod searching;
mod side_branches;
mod source;
pub mod suggestions;
mod typing;
mod unsaved;
mod values;
mod whole_turns;
mod withheld;
mod word_keys;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use ratatui::{Frame, Terminal};
use turnwise::app::input::Keymap;
use turnwise::app::settings::Settings;
use turnwise::app::{
    App, CopiedBy, Effect, FiguresOf, IgnoresChange, Mouse, MouseAction, Msg, SaveOutcome, session,
};
use turnwise::corpus::{Bytes, Index, index_all};
use turnwise::lint::{Ignores, Linter};
use turnwise::ontology::Ontologies;
use turnwise::query::Query;
use turnwise::shell::KEYMAPS;
use turnwise::shell::jobs::{
    AnswerScope, FixScope, MadeText, QueueScope, SearchScope, count_hits, every_dialog,
    export_hits, find_fixes, queue, report, search as search_dialogs, summarize,
};
use turnwise::view::theme::THEMES;
use turnwise::view::{Colours, Theme, draw};
use turnwise::workspace::{DialogId, EditLocks, Files, FoundLog, LintContext, LockOutcome};

use crate::support::files::saved;
use crate::support::project;

static RULES: LazyLock<LintContext> = LazyLock::new(|| LintContext {
    linter: Linter { ontologies: Ontologies::built_in().unwrap(), ..Linter::default() },
    ..LintContext::default()
});

/// Locks files with an outcome that is the same for all.
struct Locks(LockOutcome);

impl EditLocks for Locks {
    fn hold(&self, _: &Files, _: usize) -> LockOutcome {
        self.0.clone()
    }

    fn release(&self, _: usize) {}

    fn read_again(&self, _: &Files, _: usize) -> Result<(Bytes, Index), String> {
        Err("nothing is on a disk".to_owned())
    }
}

/// The program, with the world played by the test.
pub struct Driver {
    pub app: App,
    theme: Theme,
    /// The effects it asked for that the test does not carry out itself.
    pub wanted: Vec<Effect>,
    /// The file of ignored problems next to the corpora.
    pub beside: String,
    /// True if saves take until the test ends them.
    pub is_disk_slow: bool,
    /// The hits that were exported last.
    pub exported: String,
}

impl Driver {
    /// The program on a screen of `columns` and `rows`, with files opened and read.
    pub fn open(files: &[(&str, String)], columns: u16, rows: u16) -> Self {
        let mut driver = Self::unopened(files, columns, rows);
        driver.read_all(files);
        driver
    }

    /// The program before any of the files is read.
    pub fn unopened(files: &[(&str, String)], columns: u16, rows: u16) -> Self {
        Self::with_settings(files, Settings::default(), columns, rows)
    }

    /// The program with a file of settings, and files opened and read.
    pub fn configured(settings: &str, files: &[(&str, String)], columns: u16, rows: u16) -> Self {
        let (settings, wrong) = Settings::read(settings);
        assert!(wrong.is_empty(), "{wrong:?}");
        let mut driver = Self::with_settings(files, settings, columns, rows);
        driver.read_all(files);
        driver
    }

    /// The program with settings, before any of the files is read.
    pub fn with_settings(
        files: &[(&str, String)],
        settings: Settings,
        columns: u16,
        rows: u16,
    ) -> Self {
        let names = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        let keymap = Keymap::read(KEYMAPS[0].1).unwrap();
        let mut driver = Self {
            app: App::new(names, keymap, settings),
            theme: Theme::read(THEMES[0].1, Colours::True).unwrap(),
            wanted: Vec::new(),
            beside: String::new(),
            is_disk_slow: false,
            exported: String::new(),
        };
        driver.lock_with(LockOutcome::Ours);
        driver.tell(Msg::Resize(Size::new(columns, rows)));
        let paths = files.iter().map(|(name, _)| format!("/corpora/{name}"));
        let paths = paths.collect();
        driver.tell(Msg::Rules(Box::new(LintContext { paths, ..RULES.clone() })));
        driver
    }

    /// The next run on these files, in which `annotator` judges and the session of this one is restored.
    pub fn next_run(&self, files: &[(&str, String)], annotator: &str) -> Self {
        let Size { width, height } = self.app.panes.size;
        let mut next = Self::unopened(files, width, height);
        next.judge_as(annotator);
        session::restore(&mut next.app, session::session(&self.app));
        next.read_all(files);
        next
    }

    /// A file of the demo.
    pub fn demo(name: &str, columns: u16, rows: u16) -> Self {
        Self::open(&[demo(name)], columns, rows)
    }

    pub fn read(&mut self, file: usize, bytes: Vec<u8>) {
        let index = Box::new(indexed(&bytes));
        let bytes = Bytes::from(bytes);
        self.tell(Msg::Opened { file, bytes, index, complete: true });
    }

    /// Reads the files one after the other.
    pub fn read_all(&mut self, files: &[(&str, String)]) {
        for (file, (_, text)) in files.iter().enumerate() {
            self.read(file, text.clone().into_bytes());
        }
    }

    /// Sends a message and carries out the effects.
    pub fn tell(&mut self, msg: Msg) {
        // The test may have changed the state.
        let mut effects = self.app.update(Msg::Batch(Vec::new()));
        effects.extend(self.app.update(msg));
        for effect in effects {
            match effect {
                Effect::Summarize { file } => {
                    if let Some(snapshot) = self.app.workspace.files.snapshot(file) {
                        self.report(|sink| summarize(file, &snapshot, sink));
                    }
                }
                Effect::Queue { number, wanted, judge } => {
                    let path = self.paths();
                    let (files, judging) = (&self.app.workspace.files, self.app.judging.on);
                    let scope = QueueScope::new(files, path, judging, number, wanted, judge);
                    self.tell(queue(&scope, |_, _| None));
                }
                Effect::Figures { number, of: of @ (FiguresOf::Groups | FiguresOf::Team) } => {
                    let path = self.paths();
                    let view = self.app.panes.transcript.judge.clone();
                    let files = &self.app.workspace.files;
                    let scope = AnswerScope::new(files, path, self.app.judge(), view);
                    let goes_on = &mut |_| true;
                    let text = match of {
                        FiguresOf::Team => scope.team(goes_on),
                        _ => scope.groups(goes_on),
                    };
                    self.tell(Msg::Figures { number, text, first: 0 });
                }
                Effect::Ignore { at, line, change } => {
                    // The file beside the corpus, as the shell changes it.
                    let text = match change {
                        IgnoresChange::Add => line.added_to(&self.beside),
                        IgnoresChange::Remove => line.removed_from(&self.beside).unwrap(),
                    };
                    self.beside = text;
                    let ignores = Box::new(Ignores::read(&self.beside).unwrap());
                    self.tell(Msg::Ignores { at, line, change, ignores });
                }
                Effect::FindFixes { number, dialogs, source } => {
                    let scope = FixScope::new(&self.app.workspace.files, dialogs, source, number);
                    self.report(|sink| find_fixes(scope, sink));
                }
                Effect::CancelFixes => {}
                Effect::Save { file, .. } if !self.is_disk_slow => self.save(file),
                Effect::Search { search, query, from, only } => {
                    let scope = self.scope(query, from, search).only(only);
                    self.report(|sink| search_dialogs(&scope, sink));
                }
                Effect::CountHits { search, query, key } => {
                    let scope = self.scope(query, DialogId::default(), search);
                    let scope = scope.with_judgements(&self.app.workspace.files);
                    self.report(|sink| count_hits(&scope, key, sink));
                }
                Effect::ExportHits { query, path } => {
                    let scope = self.scope(query, DialogId::default(), 0);
                    self.export(&path, &export_hits(&scope));
                }
                Effect::WriteReport { path } => {
                    let scope = self.scope(every_dialog().unwrap(), DialogId::default(), 0);
                    let scope = scope.with_judgements(&self.app.workspace.files);
                    self.export(&path, &report(&scope));
                }
                Effect::Copy { text, what } => {
                    self.wanted.push(Effect::Copy { text, what: what.clone() });
                    let by = CopiedBy::Terminal;
                    self.tell(Msg::Copied { what, by });
                }
                Effect::Locate { at } => self.tell(Msg::Located { at, line: 7 }),
                other => self.wanted.push(other),
            }
        }
    }

    /// Returns what a search for a query looks at, from a dialog on.
    fn scope(&self, query: Query, from: DialogId, search: u64) -> SearchScope {
        SearchScope::new(&self.app.workspace.files, query, self.app.judge(), from, search)
    }

    /// The paths of the files, by the names they are shown with.
    fn paths(&self) -> impl Fn(usize) -> Option<PathBuf> + use<> {
        let files = self.app.workspace.files.all().iter();
        let paths: Vec<_> = files.map(|file| PathBuf::from(&file.name)).collect();
        move |file| paths.get(file).cloned()
    }

    /// From now on, locking a file has this outcome.
    pub fn lock_with(&mut self, outcome: LockOutcome) {
        self.app.workspace.files.locks = Some(Arc::new(Locks(outcome)));
    }

    /// Says that a file which is not read yet is a log found beside a corpus; `named` if it was opened like that.
    pub fn expect_log(&mut self, file: usize, place: &str, named: bool) {
        let found = FoundLog { file, place: place.into(), new: false, named };
        self.app.workspace.files.expect_log(found);
    }

    /// Saves a file as the shell does, without a disk.
    pub fn save(&mut self, file: usize) {
        let corpus = self.app.workspace.files.get(file).unwrap().corpus().unwrap();
        let outcome =
            SaveOutcome { lines: corpus.changed_lines().unwrap(), ..SaveOutcome::default() };
        let saved = self.bytes(file);
        let index = Box::new(indexed(&saved));
        let bytes = Bytes::from(saved);
        self.tell(Msg::Saved { file, bytes, index, outcome });
    }

    /// A file as it would be saved.
    pub fn bytes(&self, file: usize) -> Vec<u8> {
        saved(self.app.workspace.files.get(file).unwrap().corpus().unwrap())
    }

    /// Keeps the text that a job has made for a file.
    fn export(&mut self, path: &str, made: &MadeText) {
        let mut exported = Vec::new();
        let told = made.put(path, |text| {
            // The shell replaces no file.
            if path.starts_with("there.") {
                return Err(format!("{path} exists"));
            }
            exported.extend_from_slice(text);
            Ok(())
        });
        self.exported = String::from_utf8(exported).unwrap();
        self.tell(told);
    }

    /// Runs a background job, and sends its reports to the program.
    fn report(&mut self, job: impl FnOnce(&mut Vec<Msg>)) {
        let mut reports = Vec::new();
        job(&mut reports);
        for report in reports {
            self.tell(report);
        }
    }

    /// Another program has changed a file, which is read again.
    pub fn reload(&mut self, file: usize, text: impl Into<Vec<u8>>) {
        let bytes = text.into();
        let index = Box::new(indexed(&bytes));
        self.tell(Msg::Reloaded { file, bytes: Bytes::from(bytes), index });
    }

    /// Runs a command by its name.
    pub fn run(&mut self, command: &str) -> &mut Self {
        self.press(":").type_text(command).press("enter")
    }

    /// Searches for a query.
    pub fn find(&mut self, query: &str) -> &mut Self {
        self.press("/").type_text(query).press("enter")
    }

    /// From now on, this annotator judges.
    pub fn judge_as(&mut self, annotator: &str) -> &mut Self {
        annotator.clone_into(&mut self.app.judging.annotator);
        self
    }

    /// From now on, `mk` judges, and votes go to logs in the folder `votes`.
    pub fn judge_beside(&mut self) -> &mut Self {
        let files = &mut self.app.workspace.files;
        files.logs.folders = vec![Path::new("votes").into(); files.len()];
        self.judge_as("mk")
    }

    /// The turn on the screen.
    pub fn turn(&self) -> usize {
        self.app.panes.transcript.turn
    }

    /// The dialog and the turn on the screen.
    pub fn place(&self) -> (usize, usize) {
        (self.app.panes.transcript.at.expect("a dialog").dialog as usize, self.turn())
    }

    /// Presses keys, written as in keymaps, separated by spaces.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        for key in keys.split_whitespace() {
            self.tell(Msg::Key(key.parse().expect(key)));
        }
        self
    }

    /// Types a text, key by key.
    pub fn type_text(&mut self, text: &str) -> &mut Self {
        for char in text.chars() {
            let key = if char == ' ' { "space".to_owned() } else { char.to_string() };
            self.press(&key);
        }
        self
    }

    pub fn click(&mut self, column: u16, row: u16) -> &mut Self {
        for action in [MouseAction::Press, MouseAction::Release] {
            self.tell(Msg::Mouse(Mouse { action, column, row }));
        }
        self
    }

    pub fn wheel(&mut self, action: MouseAction, column: u16, row: u16) -> &mut Self {
        self.tell(Msg::Mouse(Mouse { action, column, row }));
        self
    }

    /// The cell in which `text` begins on the screen.
    pub fn place_of(&self, text: &str) -> (u16, u16) {
        let screen = self.screen();
        let found = screen.lines().enumerate().find_map(|(row, line)| {
            let byte = line.find(text)?;
            Some((turnwise::text::width(&line[..byte]) as u16, row as u16))
        });
        found.unwrap_or_else(|| panic!("{text} is not on the screen\n{screen}"))
    }

    /// Presses the button in one cell, and lets it go in another.
    pub fn drag(&mut self, from: (u16, u16), to: (u16, u16)) -> &mut Self {
        let drag =
            [(MouseAction::Press, from), (MouseAction::Drag, to), (MouseAction::Release, to)];
        for (action, (column, row)) in drag {
            self.tell(Msg::Mouse(Mouse { action, column, row }));
        }
        self
    }

    pub fn cells(&self) -> Buffer {
        self.drawn().backend().buffer().clone()
    }

    /// The column and the row of the terminal's cursor.
    pub fn cursor(&self) -> (u16, u16) {
        let position = self.drawn().get_cursor_position().unwrap();
        (position.x, position.y)
    }

    fn drawn(&self) -> Terminal<TestBackend> {
        let Size { width, height } = self.app.panes.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let draw = |frame: &mut Frame<'_>| draw(&self.app, &self.theme, frame);
        terminal.draw(draw).unwrap();
        terminal
    }

    /// The text on the screen, without the spaces at the ends of its rows.
    pub fn screen(&self) -> String {
        let buffer = self.cells();
        let mut text = String::new();
        for y in 0..buffer.area.height {
            let mut row = String::new();
            let mut x = 0;
            while x < buffer.area.width {
                let symbol = buffer[(x, y)].symbol();
                row.push_str(symbol);
                x += turnwise::text::width(symbol).max(1) as u16;
            }
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text
    }

    /// Panics with the screen unless it shows `text`.
    pub fn shows(&mut self, text: &str) -> &mut Self {
        let screen = self.screen();
        assert!(screen.contains(text), "{text:?} is not on\n{screen}");
        self
    }

    /// Some line ends with this text, apart from the sides of windows.
    pub fn shows_end(&mut self, text: &str) -> &mut Self {
        let screen = self.screen();
        let mut lines = screen.lines().map(|line| line.trim_end_matches([' ', '│']));
        assert!(lines.any(|line| line.ends_with(text)), "{text:?} ends no line of\n{screen}");
        self
    }

    pub fn shows_not(&mut self, text: &str) -> &mut Self {
        let screen = self.screen();
        assert!(!screen.contains(text), "{text:?} is on\n{screen}");
        self
    }
}

fn indexed(bytes: &Vec<u8>) -> Index {
    index_all(bytes, true).unwrap()
}

pub fn at(file: usize, dialog: usize) -> DialogId {
    DialogId { file: file as u32, dialog: dialog as u32 }
}

/// A file of the demo: its name and its text.
pub fn demo(name: &str) -> (&str, String) {
    (name, fs::read_to_string(project("assets/demo").join(name)).unwrap())
}
