//! Files of answers that records are for: judgements, votes and gold labels beside a corpus, which may not be there yet.

use std::path::{Path, PathBuf};

use crate::corpus::{Bytes, CorpusFile, DialogRef, IdLookup, JUDGEMENTS_FOLDER, index_all};
use crate::dialog::{Edit, EditKind};
use crate::format::{
    Family, Formats, GOLD_FOLDER, LABELS_END, LOG_END, gold_text, judgements_name, log_text,
};
use crate::judging::Kept;
use crate::shell::{OpenedFile, open};
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{base, id_of, log_id, may_be_on, stem};
use crate::workspace::VOTES_FOLDER;

/// The file of answers that a record is for.
pub struct AnswerFile {
    kept: Kept,
    name: String,
}

impl AnswerFile {
    /// Returns the file of answers for a record of `edit`, which names `file`; None if none is named.
    pub fn of(file: Option<&str>, edit: &Edit) -> Option<Self> {
        if let Edit::Judge { judgement } = edit {
            return Some(Self { kept: Kept::Judgements, name: judgements_name(&judgement.by) });
        }
        let (kept, end) = match edit.about() {
            EditKind::Votes => (Kept::Votes, LOG_END),
            EditKind::Gold => (Kept::Gold, LABELS_END),
            _ => return None,
        };
        let name = base(file?).to_owned();
        name.ends_with(end).then_some(Self { kept, name })
    }

    /// True if the answers are in this file itself.
    pub fn is_in(&self, path: &Path, file: &CorpusFile) -> bool {
        let has = |kind| file.format().is_some_and(|format| format.has().contains(&kind));
        match self.kept {
            Kept::Judgements => {
                file.holds_judgements() && path.file_name().is_some_and(|name| *name == *self.name)
            }
            Kept::Votes => file.format().is_some_and(Family::has_votes),
            Kept::Gold => has(EditKind::Gold),
        }
    }

    /// Returns the id of the dialog that the answers are about, as far as the name of their file tells it.
    pub fn id(&self) -> Option<&str> {
        let ends = [LOG_END, LABELS_END];
        ends.iter().find_map(|end| self.name.strip_suffix(end)).filter(|id| !id.is_empty())
    }

    /// Finds the dialog of the answers, which may be called by its place in a file without ids.
    pub fn dialog_in(path: &Path, file: &CorpusFile, dialog: &DialogRef) -> IdLookup {
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
    pub fn beside(&self, corpus: &OpenedFile) -> PathBuf {
        let folder = corpus.path.parent().unwrap_or(Path::new(""));
        let has_votes = corpus.file.format().is_some_and(Family::has_votes);
        let folder = match self.kept {
            Kept::Judgements => folder.join(JUDGEMENTS_FOLDER),
            Kept::Votes => folder.join(VOTES_FOLDER),
            Kept::Gold if has_votes => folder.join(GOLD_FOLDER),
            Kept::Gold => folder.join(VOTES_FOLDER).join(GOLD_FOLDER),
        };
        folder.join(&self.name)
    }

    /// Opens the file at `path`, which is [`AnswerFile::beside`] a corpus file; begins it if it is not there.
    ///
    /// # Errors
    /// If it, or the dialog, cannot be read, or it holds something else.
    pub fn take(
        &self,
        path: PathBuf,
        corpus: &OpenedFile,
        at: usize,
    ) -> Result<OpenedFile, String> {
        let name = path.display();
        if path.symlink_metadata().is_ok() {
            let opened = open(&path, &Formats::default(), true);
            let opened = opened.map_err(|error| format!("{name} {error}"))?;
            if !self.is_in(&path, &opened.file) {
                return Err(format!(
                    "{name} holds something else than answers; move it away first"
                ));
            }
            let file = corpus.path.to_string_lossy();
            let log = opened.file.dialog(0).ok().flatten().filter(|_| self.kept == Kept::Votes);
            return match log {
                Some((log, _))
                    if !may_be_on(&file, &log, |other| {
                        corpus.path.with_file_name(other).is_file()
                    }) =>
                {
                    Err(format!("{name} has the votes on a dialog of {}", group_of(&log)))
                }
                _ => Ok(opened),
            };
        }
        let text = match self.kept {
            Kept::Judgements => String::new(),
            Kept::Votes | Kept::Gold => {
                let read = corpus.file.dialog(at).map_err(|error| error.to_string())?;
                let (dialog, _) = read.ok_or("the dialog does not exist")?;
                let file = corpus.path.to_string_lossy();
                let id = log_id(&dialog, stem(&file), at);
                match self.kept {
                    Kept::Gold => gold_text(&id),
                    _ => log_text(&dialog, &id, base(&file)),
                }
            }
        };
        let text = Bytes::from(text.into_bytes());
        let mut index = index_all(&*text, true).map_err(|error| error.to_string())?;
        if self.kept == Kept::Judgements {
            index.become_judgements();
        }
        let file = CorpusFile::new(text, index);
        Ok(OpenedFile { path, identity: None, file })
    }
}
