//! Edit records: reading them, and finding the dialogs and the files of answers that they name.

mod place;

pub use place::{Placed, TargetFile, WantedDialog, names, place};

use std::io;
use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::errors::{file_error, line_error};
use crate::corpus::{Bytes, CorpusFile, DialogRef, IdLookup, Proposal, Suggestion, index_all};
use crate::dialog::{Edit, EditKind};
use crate::format::{Family, Formats, LABELS_END, LOG_END, gold_text, judgements_name, log_text};
use crate::shell::{OpenedFile, STDIN, as_text, open, read_at_most, read_named_file};
use crate::text::counted;
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{base, id_of, log_id, may_be_on, stem};
use crate::workspace::{OwnFile, VOTES_FOLDER};

/// The most bytes of all records together.
const LARGEST_EDITS: u64 = 1 << 30;

/// A record and its line number, counted from 1.
pub struct RecordLine {
    pub number: usize,
    pub record: Suggestion,
}

impl RecordLine {
    /// Returns what the record asks for.
    pub fn wanted(&self) -> WantedDialog {
        let Suggestion { file, dialog, dialog_id, edit, .. } = &self.record;
        let mut wanted = WantedDialog {
            line: self.number,
            file: file.clone(),
            dialog: dialog.clone(),
            id: dialog_id.clone(),
            only_there: true,
            position: None,
            about: Some(EditKind::Segments),
            answers: None,
        };
        if let Proposal::Edit(edit) = edit {
            wanted.about = Some(edit.about());
            wanted.answers = AnswerFile::of(file.as_deref(), edit);
            if let Edit::Judge { judgement } = edit {
                let file = &judgement.file;
                wanted.file = (!file.is_empty()).then(|| file.clone());
                wanted.dialog = DialogRef::Id(judgement.dialog.clone());
                wanted.id = None;
            }
        }
        wanted
    }
}

/// Reads a file of records or annotations, or standard input, without a byte order mark.
///
/// # Errors
/// If it cannot be read, is too large or is not UTF-8.
pub fn read_edits(path: &Path) -> io::Result<String> {
    let mut text = as_text(if path == Path::new(STDIN) {
        read_at_most(io::stdin().lock(), LARGEST_EDITS)?
    } else {
        read_named_file(path, LARGEST_EDITS)?
    })?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

/// Reads and parses a file of records. Reports why that fails.
///
/// # Errors
/// The outcome if it cannot be read, or if a line is not a record.
pub fn read_records(path: &Path) -> Result<Vec<RecordLine>, CommandOutcome> {
    let text = read_edits(path).map_err(|error| {
        file_error(path, &format_args!("cannot be read: {error}"));
        CommandOutcome::Unusable
    })?;
    parse(path, &text).ok_or(CommandOutcome::Issues)
}

/// The most lines that are reported because they are not records.
const MOST_ERRORS: usize = 20;

/// Parses all records. Returns None if a line is not a record: its target is unknown, so nothing is
/// applied to any file.
fn parse(edits: &Path, text: &str) -> Option<Vec<RecordLine>> {
    let mut records = Vec::new();
    let mut errors = 0;
    let lines = text.lines().enumerate();
    for (i, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        match line.parse() {
            Ok(record) => records.push(RecordLine { number: i + 1, record }),
            Err(error) => {
                errors += 1;
                if errors <= MOST_ERRORS {
                    line_error(edits, i + 1, &error);
                }
            }
        }
    }
    if errors > MOST_ERRORS {
        let more = counted(errors - MOST_ERRORS, "more line");
        let why = match errors - MOST_ERRORS {
            1 => format!("{more} is not a record"),
            _ => format!("{more} are not records"),
        };
        file_error(edits, &why);
    }
    (errors == 0).then_some(records)
}

/// The file of answers that a record is for.
pub struct AnswerFile {
    kind: OwnFile,
    name: String,
}

impl AnswerFile {
    /// Returns the file of answers for a record of `edit`, which names `file`; None if none is named.
    fn of(file: Option<&str>, edit: &Edit) -> Option<Self> {
        if let Edit::Judge { judgement } = edit {
            return Some(Self { kind: OwnFile::Judgements, name: judgements_name(&judgement.by) });
        }
        let kind = match edit.about() {
            EditKind::Votes => OwnFile::Votes,
            EditKind::Gold => OwnFile::Gold,
            _ => return None,
        };
        let name = base(file?).to_owned();
        let [_, end] = kind.folder_and_end();
        name.ends_with(end).then_some(Self { kind, name })
    }

    /// True if the answers are in this file itself.
    fn is_in(&self, path: &Path, file: &CorpusFile) -> bool {
        let has = |kind| file.format().is_some_and(|format| format.has().contains(&kind));
        match self.kind {
            OwnFile::Judgements => {
                file.holds_judgements() && path.file_name().is_some_and(|name| *name == *self.name)
            }
            OwnFile::Votes => file.format().is_some_and(Family::has_votes),
            OwnFile::Gold => has(EditKind::Gold),
        }
    }

    /// Returns the id of the dialog that the answers are about, as far as the name of their file tells it.
    fn id(&self) -> Option<&str> {
        let ends = [LOG_END, LABELS_END];
        ends.iter().find_map(|end| self.name.strip_suffix(end)).filter(|id| !id.is_empty())
    }

    /// Finds the dialog of the answers, which may be called by its place in a file without ids.
    fn dialog_in(path: &Path, file: &CorpusFile, dialog: &DialogRef) -> IdLookup {
        let DialogRef::Id(id) = dialog else {
            return IdLookup::Missing;
        };
        let path = path.to_string_lossy();
        let position = id.rsplit_once('-').and_then(|(_, position)| position.parse().ok());
        let is_there = |position: &usize| {
            *position < file.index().pieces.len() && *id == id_of("", stem(&path), *position)
        };
        position.filter(is_there).map_or(IdLookup::Missing, IdLookup::Found)
    }

    /// Returns its path beside a corpus file.
    fn beside(&self, corpus: &OpenedFile) -> PathBuf {
        let folder = corpus.path.parent().unwrap_or(Path::new(""));
        let has_votes = corpus.file.format().is_some_and(Family::has_votes);
        let [own, _] = self.kind.folder_and_end();
        let folder = match self.kind {
            OwnFile::Gold if !has_votes => folder.join(VOTES_FOLDER).join(own),
            _ => folder.join(own),
        };
        folder.join(&self.name)
    }

    /// Opens the file at `path`, which is [`AnswerFile::beside`] a corpus file; begins it if it is not there.
    ///
    /// # Errors
    /// If it, or the dialog, cannot be read, or it holds something else.
    fn take(&self, path: PathBuf, corpus: &OpenedFile, at: usize) -> Result<OpenedFile, String> {
        let name = path.display();
        if path.symlink_metadata().is_ok() {
            let opened = open(&path, &Formats::default(), true);
            let opened = opened.map_err(|error| format!("{name} {error}"))?;
            if !self.is_in(&path, &opened.file) {
                return Err(format!(
                    "{name} holds something other than answers; move it away first"
                ));
            }
            let file = corpus.path.to_string_lossy();
            let log = opened.file.dialog_at(0).filter(|_| self.kind == OwnFile::Votes);
            return match log {
                Some(log)
                    if !may_be_on(&file, &log, |other| {
                        corpus.path.with_file_name(other).is_file()
                    }) =>
                {
                    Err(format!("{name} has votes on a dialog of another file, {}", group_of(&log)))
                }
                _ => Ok(opened),
            };
        }
        let text = match self.kind {
            OwnFile::Judgements => String::new(),
            OwnFile::Votes | OwnFile::Gold => {
                let read = corpus.file.dialog(at).map_err(|error| error.to_string())?;
                let (dialog, _) = read.ok_or("the dialog does not exist")?;
                let file = corpus.path.to_string_lossy();
                let id = log_id(&dialog, stem(&file), at);
                match self.kind {
                    OwnFile::Gold => gold_text(&id),
                    _ => log_text(&dialog, &id, base(&file)),
                }
            }
        };
        let text = Bytes::from(text.into_bytes());
        let mut index = index_all(&*text, true).map_err(|error| error.to_string())?;
        if self.kind == OwnFile::Judgements {
            index.become_judgements();
        }
        let file = CorpusFile::new(text, index);
        Ok(OpenedFile { path, identity: None, file })
    }
}
