//! Judgements: what annotators said about dialogs, a file for each annotator in a folder next to the corpus.
//!
//! Like a vote log, such a file is an open file with a journal of its own; the dialog list leaves it out, and its
//! judgements appear in their dialogs. The first judgement of an annotator creates it in memory, the first save
//! on the disk.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Files;
use super::vote_logs::lower;
use crate::corpus::{
    Index, JUDGEMENTS_FOLDER, JudgementLines, attach_judgements, changed_dialogs, has_strayed,
};
use crate::dialog::{Dialog, Edit, Judgement, Place};
use crate::format::judgements_name;
use crate::query::DialogSummary;
use crate::text::grouped;
use crate::votes::vote_log::{base, id_of, log_id, stem};
use crate::workspace::{DialogId, VoteLog};

/// The judgements of all annotators on the dialogs of the open files.
#[derive(Clone, Debug, Default)]
pub struct OpenJudgements {
    /// The folder of judgements for each corpus file.
    pub folders: Vec<Arc<Path>>,
    /// Dialogs of one id in two files are judged as pairs.
    pub pairs: bool,
    /// The annotators whose answers are shown and counted; all if it is empty.
    pub only: Arc<[String]>,
    /// The files of judgements by their numbers.
    files: BTreeMap<u32, Arc<FileOfJudgements>>,
}

/// The judgements of an annotator.
#[derive(Clone, Debug)]
struct FileOfJudgements {
    folder: PathBuf,
    /// By the ids of their dialogs, in the order of the lines.
    by_dialog: HashMap<String, Vec<Judgement>>,
    /// The number of those that have a tag or define one, which every screen asks for.
    tagged: usize,
    /// The names of the corpora beside them, if some are of pairs.
    corpora: Vec<String>,
}

/// Returns the path of the file `name` beside the folder of its judgements.
fn path_beside(folder: &Path, name: &str) -> String {
    folder.with_file_name(name).to_string_lossy().into_owned()
}

fn tagged(judgements: &[Judgement]) -> usize {
    let is_tagged = |judgement: &&Judgement| judgement.all_tags().next().is_some();
    judgements.iter().filter(is_tagged).count()
}

impl OpenJudgements {
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.files.values().all(|file| file.by_dialog.is_empty())
    }

    /// Returns all judgements.
    pub fn iter(&self) -> impl Iterator<Item = &Judgement> {
        let files = self.files.values();
        files.flat_map(|file| file.by_dialog.values()).flatten()
    }

    /// True if any judgement has a tag or defines one.
    pub fn has_tags(&self) -> bool {
        self.files.values().any(|file| file.tagged > 0)
    }

    /// Returns the judgements in a file of them.
    pub(super) fn in_file(&self, file: usize) -> impl Iterator<Item = &Judgement> {
        let file = self.files.get(&(file as u32)).into_iter();
        file.flat_map(|file| file.by_dialog.values()).flatten()
    }

    /// True if somebody with this id has judged something.
    pub fn has_any_by(&self, annotator: &str) -> bool {
        let mut all = self.files.values().flat_map(|file| file.by_dialog.values()).flatten();
        all.any(|judgement| judgement.by == annotator)
    }

    /// Adds the judgements of the dialog at `at`, in the file `name`, and of its parts. Those of a pair may lie beside its
    /// other dialog.
    pub fn add<'f>(&'f self, at: DialogId, name: &str, dialog: &mut Dialog) {
        let Some(folder) = self.folders.get(at.file as usize).filter(|_| !self.files.is_empty())
        else {
            return;
        };
        let id = log_id(dialog, stem(name), at.dialog as usize);
        let files = || self.files.values().map(AsRef::as_ref);
        let mut found = Vec::new();
        let is_here = |file: &FileOfJudgements| file.folder == **folder;
        let of_dialog =
            |file: &'f FileOfJudgements| file.by_dialog.get(id.as_ref()).into_iter().flatten();
        for file in files().filter(|file| self.pairs && !is_here(file)) {
            found.extend(of_dialog(file).filter(|said| has_strayed(said, &file.corpora)));
        }
        found.extend(files().filter(|file| is_here(file)).flat_map(of_dialog));
        attach_judgements(dialog, &path_beside(folder, name), found.into_iter().enumerate());
    }
}

impl Files {
    /// True if a file holds judgements of other files' dialogs.
    pub fn is_judgements(&self, file: usize) -> bool {
        let log = self.get(file).and_then(|open| open.log.as_ref());
        log.is_some_and(VoteLog::is_judgements)
    }

    /// Returns the index of a file as that of its kind: whatever the lines of a file of judgements hold, it is one.
    pub(super) fn index_of_kind(&self, file: usize, mut index: Index) -> Index {
        if self.is_judgements(file) {
            index.become_judgements();
        }
        index
    }

    /// Returns the text of a file of judgements; None for any other file.
    pub(super) fn text_of_judgements(&self, file: usize) -> Option<String> {
        String::from_utf8(self.bytes_of_judgements(file)?).ok()
    }

    /// As [`Files::text_of_judgements`]; some lines may not be UTF-8.
    fn bytes_of_judgements(&self, file: usize) -> Option<Vec<u8>> {
        let corpus = self.get(file)?.corpus();
        let corpus = corpus.filter(|_| self.is_judgements(file))?;
        let edited = corpus.edited_texts().get(&0);
        edited.map_or_else(|| corpus.bytes(0).ok(), |text| Some(text.clone().into_bytes()))
    }

    /// Returns a message about the first line of a file of judgements that is none.
    pub fn broken_judgement(&self, file: usize) -> Option<String> {
        let text = self.bytes_of_judgements(file)?;
        let broken = JudgementLines::read(&text).broken;
        let first = broken.first()?;
        let line = memchr::memchr_iter(b'\n', &text[..first.at]).count() + 1;
        let (name, why) = (&self.get(file)?.name, &first.why);
        Some(format!("{name}, line {}, is not a judgement: {why}", grouped(line)))
    }

    /// Reads those judgements of a file again that differ from its text `before`.
    pub(super) fn update_judgements(&mut self, file: usize, before: &str) {
        let text = self.text_of_judgements(file).unwrap_or_default();
        let Some(of_file) = self.logs.judgements.files.get_mut(&(file as u32)) else {
            return self.read_judgements(file);
        };
        let of_file = Arc::make_mut(of_file);
        for id in changed_dialogs(before, &text) {
            let judgements = JudgementLines::of_dialog(&text, &id);
            if of_file.corpora.is_empty() && judgements.iter().any(|said| said.with.is_some()) {
                return self.read_judgements(file);
            }
            of_file.tagged += tagged(&judgements);
            let before = of_file.by_dialog.insert(id, judgements);
            of_file.tagged -= before.as_deref().map_or(0, tagged);
        }
    }

    /// Reads the judgements of a file, after it was read.
    pub(super) fn read_judgements(&mut self, file: usize) {
        if !self.is_judgements(file) {
            return;
        }
        let at = DialogId::first_of(file);
        let text = self.bytes_of_judgements(file).unwrap_or_default();
        let folder = self.place(file).and_then(Path::parent);
        let mut of_file = FileOfJudgements {
            folder: folder.map(PathBuf::from).unwrap_or_default(),
            by_dialog: HashMap::new(),
            tagged: 0,
            corpora: Vec::new(),
        };
        let judgements = JudgementLines::read(&text).judgements;
        if judgements.iter().any(|said| said.with.is_some()) {
            let folders = self.logs.judgements.folders.iter().enumerate();
            let beside = folders.filter(|(_, own)| ***own == *of_file.folder);
            let path = |(file, own): (usize, &Arc<Path>)| path_beside(own, self.name(file));
            of_file.corpora = beside.map(path).collect();
        }
        for judgement in judgements {
            of_file.tagged += tagged(std::slice::from_ref(&judgement));
            let of_dialog = of_file.by_dialog.entry(judgement.dialog.clone());
            of_dialog.or_default().push(judgement);
        }
        self.logs.judgements.files.insert(at.file, Arc::new(of_file));
    }

    /// Adds the judgements of a dialog and its parts.
    pub(crate) fn add_judgements(&self, at: DialogId, dialog: &mut Dialog) {
        if self.get(at.file as usize).is_some_and(|open| !open.is_log()) {
            self.logs.judgements.add(at, self.name(at.file as usize), dialog);
        }
    }

    /// Returns the dialog that an edit of the dialog at `at` is about, as far as it is known: of a log or a file of
    /// judgements, the dialog judged.
    pub fn dialog_of(&self, at: DialogId, edit: &Edit) -> DialogId {
        let Edit::Judge { judgement } = edit else {
            return self.judged_in(at);
        };
        let folder = self.place(at.file as usize).and_then(Path::parent);
        let is_it = |(found, summary): &(DialogId, Option<&DialogSummary>)| {
            let file = found.file as usize;
            let name = self.name(file);
            let own = self.logs.judgements.folders.get(file);
            (own.map(AsRef::as_ref) == folder || judgement.with.is_some())
                && judgement.is_of_file(name)
                && summary.is_some_and(|summary| {
                    let id = id_of(&summary.id, stem(name), found.dialog as usize);
                    id == judgement.dialog
                })
        };
        let found = self.summaries(None).find(is_it);
        found.map_or(at, |(found, _)| found)
    }

    /// True if a file of judgements may hold some of dialogs of the file `of`.
    pub fn holds_judgements_of(&self, file: usize, of: usize) -> bool {
        let folder = self.place(file).and_then(Path::parent);
        let own = self.logs.judgements.folders.get(of);
        self.is_judgements(file) && own.map(AsRef::as_ref) == folder
    }

    /// Returns an empty judgement by `annotator` of a part of the dialog at `at`.
    pub fn new_judgement(
        &self,
        at: DialogId,
        dialog: &Dialog,
        place: Place,
        annotator: &str,
    ) -> Judgement {
        let name = self.name(at.file as usize);
        Judgement {
            file: base(name).to_owned(),
            dialog: log_id(dialog, stem(name), at.dialog as usize).into_owned(),
            by: annotator.to_owned(),
            ..Judgement::of(dialog, place)
        }
    }

    /// Returns the file for the judgements of `annotator` on the dialog at `at`; creates it in memory if there is
    /// none.
    ///
    /// # Errors
    /// If the folder for it is not known, or its name is taken.
    pub(crate) fn judgements_to_edit(
        &mut self,
        at: DialogId,
        annotator: &str,
    ) -> Result<DialogId, String> {
        let folder = self.logs.judgements.folders.get(at.file as usize);
        let folder = folder.ok_or("no folder is known for judgements of this corpus")?.clone();
        let name = judgements_name(annotator);
        let place = folder.join(&name);
        let wanted = lower(&place);
        let open_at = |wanted: &String| {
            let mut files = (0..self.len()).filter(|file| self.is_judgements(*file));
            files.find(|file| self.place(*file).is_some_and(|place| lower(place) == *wanted))
        };
        // Those of pairs may have been begun beside the other side.
        let other =
            self.side_of(at).and_then(|at| self.logs.judgements.folders.get(at.file as usize));
        let other = || open_at(&lower(&other?.join(&name)));
        if let Some(known) = open_at(&wanted).or_else(other) {
            return Ok(DialogId::first_of(known));
        }
        let log = VoteLog::begun_at(place);
        let file = self.begin(format!("{JUDGEMENTS_FOLDER}/{name}"), log, Vec::new())?;
        self.read_judgements(file.file as usize);
        Ok(file)
    }
}
