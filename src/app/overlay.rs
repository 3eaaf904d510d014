//! Overlays: the help, a question, a prompt, a list of fixes.

use std::collections::BTreeSet;

use super::command::{self, Command};
use super::layout::WIDEST;
use super::line::Line;
use super::{App, BulkFix, DialogId, Effect, Help, Mouse, MouseAction, Prompt};
use crate::dialog::{Edit, LostSegments};
use crate::text::counted;

/// The overlay above the panes.
#[derive(Clone, Debug)]
pub enum Overlay {
    Help(Box<Help>),
    Prompt(Box<Prompt>),
    Question(Question),
    /// A list of fixes to apply at once.
    Review(Box<BulkFix>),
}

/// A question to the user.
#[derive(Clone, Debug)]
pub enum Question {
    /// There are unsaved edits: save and quit, quit without saving, or stay? After a failed save
    /// the edits can be exported too.
    Leave,
    /// The last run left `count` unsaved edits of these files: restore, export or discard them?
    Recover {
        files: BTreeSet<usize>,
        count: usize,
        /// The list of these edits, once shown.
        shown: Option<QuestionDetails>,
    },
    /// Discard the unsaved edits of the last run in these files for good?
    ThrowAway {
        files: BTreeSet<usize>,
        count: usize,
    },
    /// A newer version of turnwise wrote the journals of these files, so the files are read-only:
    /// put the journals aside and edit?
    NewerJournal { files: BTreeSet<usize> },
    /// The edits of files bring new errors: save all the same?
    NewErrors {
        files: Vec<usize>,
        /// Number of new errors.
        count: usize,
        /// The place of the first one: dialog, turn and segment.
        first: (DialogId, usize, Option<usize>),
        shown: QuestionDetails,
    },
    /// Another program has changed a file: reload it?
    Changed { file: usize },
    /// A file to be saved was deleted from the disk: create it again, or export the edits?
    FileDeleted { file: usize },
    /// Saving a file would lose its owner, or something else in `lost`: save all the same?
    OwnerChange { file: usize, lost: String },
    /// Change another annotator's vote?
    Adjudicate { edit: Edit, title: String },
    /// The new text of a turn cuts segments: shrink or remove them, or go on typing?
    Cut {
        text: String,
        lost: LostSegments,
        shown: QuestionDetails,
    },
}

/// Lines shown with a question, and the number of the first visible one.
#[derive(Clone, Debug, Default)]
pub struct QuestionDetails {
    pub lines: Vec<Line>,
    pub top: usize,
}

impl Question {
    /// True if `other` asks the same question.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Changed { file }, Self::Changed { file: other })
            | (Self::FileDeleted { file }, Self::FileDeleted { file: other })
            | (Self::OwnerChange { file, .. }, Self::OwnerChange { file: other, .. }) => {
                file == other
            }
            _ => false,
        }
    }

    /// Returns the lines shown with the question.
    pub fn shown(&self) -> Option<&QuestionDetails> {
        match self {
            Self::Recover { shown, .. } => shown.as_ref(),
            Self::NewErrors { shown, .. } | Self::Cut { shown, .. } => Some(shown),
            _ => None,
        }
    }

    fn shown_mut(&mut self) -> Option<&mut QuestionDetails> {
        match self {
            Self::Recover { shown, .. } => shown.as_mut(),
            Self::NewErrors { shown, .. } | Self::Cut { shown, .. } => Some(shown),
            _ => None,
        }
    }

    /// Returns the answer that changes nothing and that Enter therefore gives: users press Enter out
    /// of habit.
    pub fn safe_answer(&self) -> Option<bool> {
        match self {
            // Keeps the typed text.
            Self::Cut { .. } => Some(false),
            _ => None,
        }
    }

    /// Returns the text of the question, and its keys with what each answers here.
    pub fn text(&self, app: &App) -> (String, Vec<(String, &'static str)>) {
        let (asked, [yes, no, later]) = self.asked(app);
        let harmless = match self.safe_answer() {
            Some(true) => &command::ANSWER_YES,
            Some(false) => &command::ANSWER_NO,
            None => &command::ANSWER_LATER,
        };
        let answer = |command: &Command, said| {
            let mut key = app.keymap.shown(command);
            if command == harmless {
                key = format!("{key} {}", app.keymap.shown(&command::ANSWER_SAFE));
            }
            (key, said)
        };
        let mut answers = vec![answer(&command::ANSWER_YES, yes)];
        if let Self::FileDeleted { .. } = self {
            answers.push(answer(&command::ANSWER_KEEP, no));
        } else {
            answers.push(answer(&command::ANSWER_NO, no));
        }
        let can_keep = match self {
            Self::Leave => app.has_save_failures(),
            _ => matches!(self, Self::Recover { .. }),
        };
        if can_keep {
            answers.push(answer(&command::ANSWER_KEEP, "export them to a file"));
        }
        if let Self::Recover { shown: None, .. } = self {
            answers.push(answer(&command::ANSWER_SHOW, "show them"));
        }
        answers.push(answer(&command::ANSWER_LATER, later));
        (asked, answers)
    }

    fn asked(&self, app: &App) -> (String, [&'static str; 3]) {
        match self {
            Self::Leave => {
                let count = app.files.unsaved();
                let are = if count == 1 { "is" } else { "are" };
                (
                    format!("{} {are} not saved", counted(count, "edit")),
                    ["save and quit", "quit without saving", "stay"],
                )
            }
            Self::NewErrors { count, .. } => {
                let errors = counted(count, "error");
                (
                    format!("saving would add {errors}"),
                    ["save all the same", "go there", "do not save"],
                )
            }
            Self::Changed { file } => {
                let name = app.files.name(*file);
                let take = if app.files.is_modified(*file) {
                    "reload it and reapply your edits"
                } else {
                    "reload it"
                };
                let asked = format!("{name} was changed by another program");
                (asked, [take, "do not reload it", "ask later"])
            }
            Self::FileDeleted { file } => {
                let name = app.files.get(*file).map_or("", |file| file.name.as_str());
                let asked = format!("{name} was deleted from the disk and is not saved");
                let keep = "export the edits to a file";
                (asked, ["create it again", keep, "leave it deleted"])
            }
            Self::OwnerChange { file, lost } => {
                let name = app.files.name(*file);
                let asked = format!("{name} was not saved: its {lost} cannot be kept");
                (
                    asked,
                    ["save it and become its owner", "do not save", "do not save"],
                )
            }
            Self::Cut { lost, .. } => {
                let count = lost.all().len();
                let s = if count == 1 { "" } else { "s" };
                let cut = match (lost.left.len(), count) {
                    (0, 1) => "remove it",
                    (0, _) => "remove them",
                    (1, 1) => "shrink it",
                    (left, all) if left == all => "shrink them",
                    _ => "shrink or remove them",
                };
                (
                    format!("the new text cuts {count} segment{s}"),
                    [cut, "go on typing", "keep the old text"],
                )
            }
            Self::Adjudicate { title, .. } => (title.clone(), ["change it", "keep it", "keep it"]),
            Self::ThrowAway { count, .. } => (
                format!("discard {} for good?", counted(count, "edit")),
                ["discard", "go back", "go back"],
            ),
            Self::Recover { files, count, .. } => {
                let name = match files.first() {
                    Some(file) if files.len() == 1 => app.files.name(*file),
                    _ => &counted(files.len(), "file"),
                };
                let edits = counted(count, "unsaved edit");
                let mut asked = format!("{name}: the last run left {edits}");
                let damaged = |file: &&usize| app.files.damage(**file).is_some();
                match (files.iter().filter(damaged).count(), files.len()) {
                    (0, _) => {}
                    (_, 1) => asked += "; its journal is damaged",
                    (1, _) => asked += "; a journal is damaged",
                    _ => asked += "; journals are damaged",
                }
                (asked, ["restore them", "discard them", "later"])
            }
            Self::NewerJournal { files } => asked_about_newer(app, files),
        }
    }
}

/// Returns the question about files whose journals a newer version of turnwise wrote.
fn asked_about_newer(app: &App, files: &BTreeSet<usize>) -> (String, [&'static str; 3]) {
    let (which, put, leave) = match files.first() {
        Some(file) if files.len() == 1 => (
            format!(
                "{} is read-only here: its journal is",
                app.files.name(*file)
            ),
            "put the journal aside and edit",
            "leave it read-only",
        ),
        _ => (
            format!(
                "{} files are read-only here: their journals are",
                files.len()
            ),
            "put the journals aside and edit",
            "leave them read-only",
        ),
    };
    let asked = format!("{which} from a newer version of turnwise and may hold unsaved edits");
    (asked, [put, leave, leave])
}

impl App {
    pub(super) fn overlay_mouse(&mut self, mouse: Mouse) -> Vec<Effect> {
        let by = match mouse.action {
            MouseAction::WheelUp => -3,
            MouseAction::WheelDown => 3,
            MouseAction::Press => {
                return match self.overlay {
                    Some(Overlay::Prompt(_)) => self.click_prompt(mouse),
                    Some(Overlay::Help(_)) => self.click_help(mouse),
                    Some(Overlay::Question(_) | Overlay::Review(_)) | None => Vec::new(),
                };
            }
            _ => return Vec::new(),
        };
        match &self.overlay {
            Some(Overlay::Help(_) | Overlay::Question(_)) => self.scroll_window(by),
            Some(Overlay::Review(_)) => self.step_bulk_fix(by.signum()),
            _ => self.prompt_step(by.signum()),
        }
        Vec::new()
    }

    /// Returns the number of fixes that fit on the screen.
    pub fn review_rows(&self) -> usize {
        (usize::from(self.size.rows).saturating_sub(4) / 3).max(1)
    }

    /// Scrolls the help, or the lines of a question.
    pub(super) fn scroll_window(&mut self, by: isize) {
        let page = self.question_rows();
        match &mut self.overlay {
            Some(Overlay::Question(question)) => {
                if let Some(QuestionDetails { lines, top }) = question.shown_mut() {
                    let last = lines.len().saturating_sub(page);
                    *top = top.saturating_add_signed(by).min(last);
                }
            }
            _ => self.scroll_help(by),
        }
    }

    /// Returns the largest number of rows for the lines of a question.
    pub fn question_rows(&self) -> usize {
        usize::from(self.size.rows).saturating_sub(8).max(1)
    }

    /// Returns the columns of a line in a window.
    pub(super) fn window_columns(&self) -> usize {
        usize::from(self.size.columns.min(WIDEST)).saturating_sub(1)
    }

    /// Shows the edits that the question is about.
    pub(super) fn show_asked(&mut self) {
        let columns = self.window_columns();
        let lines = match &self.overlay {
            Some(Overlay::Question(Question::Recover { files, .. })) => {
                let lines = files.iter().map(|file| self.offered_lines(*file, columns));
                lines.flatten().collect()
            }
            _ => return,
        };
        if let Some(Overlay::Question(Question::Recover { shown, .. })) = &mut self.overlay {
            *shown = Some(QuestionDetails { lines, top: 0 });
        }
    }
}
