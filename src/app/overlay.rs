//! Overlays above the panes: the help, a question, a prompt, a list of fixes.

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
    /// A bulk fix to review.
    Review(Box<BulkFix>),
}

/// A question to the user.
#[derive(Clone, Debug)]
pub enum Question {
    /// There are unsaved edits: save and quit, quit without saving, or stay? If saving has failed,
    /// they can be exported.
    Leave,
    /// An earlier run left unsaved edits of these files: restore, discard or export them?
    Recover {
        files: BTreeSet<usize>,
        count: usize,
        /// The edits, if the user has asked to see them.
        shown: Option<QuestionDetails>,
    },
    /// Really discard the unsaved edits of these files for good?
    ThrowAway {
        files: BTreeSet<usize>,
        count: usize,
    },
    /// A newer version of the program wrote the journals of these files, which makes the files
    /// read-only: move the journals away and edit the files?
    NewerJournal { files: BTreeSet<usize> },
    /// The edits have added errors: save the files anyway?
    NewErrors {
        files: Vec<usize>,
        /// Number of new errors.
        count: usize,
        /// The first of them: dialog, turn and segment.
        first: (DialogId, usize, Option<usize>),
        shown: QuestionDetails,
    },
    /// Another program has changed a file: reload it?
    Changed { file: usize },
    /// A file to be saved was deleted from disk: create it again, or export the edits?
    FileDeleted { file: usize },
    /// Saving a file would lose its owner, or whatever else is `lost`: save it anyway?
    OwnerChange { file: usize, lost: String },
    /// Change another annotator's vote?
    Adjudicate { edit: Edit, title: String },
    /// A new text of a turn cuts segments: shrink them to their rest and remove the others, or
    /// continue typing?
    Cut {
        text: String,
        lost: LostSegments,
        shown: QuestionDetails,
    },
}

/// Lines shown with a question, and the first visible one.
#[derive(Clone, Debug, Default)]
pub struct QuestionDetails {
    pub lines: Vec<Line>,
    pub top: usize,
}

impl Question {
    /// Returns true if `other` asks the same.
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

    /// Returns the lines shown with it.
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

    /// Returns the answer that changes nothing. Enter gives it, as it may be pressed out of habit.
    pub fn safe_answer(&self) -> Option<bool> {
        match self {
            // Keep what was typed.
            Self::Cut { .. } => Some(false),
            _ => None,
        }
    }

    /// Returns the question, and the keys of its answers with what each does.
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
            answers.push(answer(&command::ANSWER_KEEP, "keep them in a file"));
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
                    ["save and leave", "leave without saving", "stay"],
                )
            }
            Self::NewErrors { count, .. } => {
                let errors = counted(count, "error");
                (
                    format!("{errors} in what is to be saved that the file does not have"),
                    ["save all the same", "go there", "do not save"],
                )
            }
            Self::Changed { file } => {
                let name = app.files.name(*file);
                let take = if app.files.is_modified(*file) {
                    "read it, and make your edits again"
                } else {
                    "read it"
                };
                let asked = format!("{name} was changed by another program");
                (asked, [take, "go on without reading it", "ask again"])
            }
            Self::FileDeleted { file } => {
                let name = app.files.get(*file).map_or("", |file| file.name.as_str());
                let asked = format!("{name} is not on the disk any more, and was not saved");
                let keep = "keep the edits in a file";
                (asked, ["write it anew", keep, "leave it so"])
            }
            Self::OwnerChange { file, lost } => {
                let name = app.files.name(*file);
                let asked = format!("{name} was not saved: its {lost} cannot be kept");
                (
                    asked,
                    [
                        "save it, and become its owner",
                        "do not save",
                        "do not save",
                    ],
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
                    _ => "shrink and remove them so",
                };
                (
                    format!("the new text cuts {count} segment{s}"),
                    [cut, "go on typing", "leave the text as it was"],
                )
            }
            Self::Adjudicate { title, .. } => (
                title.clone(),
                ["change it", "leave it as it is", "leave it as it is"],
            ),
            Self::ThrowAway { count, .. } => (
                format!("throw away {} for good?", counted(count, "edit")),
                ["throw away", "go back", "go back"],
            ),
            Self::Recover { files, count, .. } => {
                let name = match files.first() {
                    Some(file) if files.len() == 1 => app.files.name(*file),
                    _ => &counted(files.len(), "file"),
                };
                let edits = counted(count, "unsaved edit");
                let mut asked = format!("{name}: the last run ended with {edits}");
                let damaged = |file: &&usize| app.files.damage(**file).is_some();
                match (files.iter().filter(damaged).count(), files.len()) {
                    (0, _) => {}
                    (_, 1) => asked += "; its journal is damaged",
                    (1, _) => asked += "; a journal is damaged",
                    _ => asked += "; journals are damaged",
                }
                (asked, ["restore them", "throw them away", "later"])
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
    let asked = format!("{which} by a newer version of turnwise, and may hold unsaved edits");
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

    /// Scrolls the help, or the lines shown with a question.
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

    /// Returns the most rows for the lines shown with a question.
    pub fn question_rows(&self) -> usize {
        usize::from(self.size.rows).saturating_sub(8).max(1)
    }

    /// Returns the columns of the lines in a window.
    pub(super) fn window_columns(&self) -> usize {
        usize::from(self.size.columns.min(WIDEST)).saturating_sub(1)
    }

    /// Shows the edits that a question is about.
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
