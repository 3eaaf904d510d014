//! The state that the program should have: files with their edits, saved and not.

use std::fs;
use std::path::Path;

use turnwise::corpus::{Bytes, CorpusFile};
use turnwise::dialog::Edit;

use crate::support::edited_file::EditedFile;
use crate::support::files::{indexed, open, original, saved};

/// Something that happens to the files.
#[derive(Clone, Debug)]
pub enum Step {
    /// Edits that are undone together, each with its file and its dialog.
    Edits(Vec<(usize, usize, Edit)>),
    Undo,
    Redo,
    /// Everything is saved.
    Save,
}

/// An act of the user.
#[derive(Clone, Debug, Default)]
pub struct Act {
    /// Keys that lead to the place of the act, and text on the screen there.
    pub lead: Option<(String, String)>,
    pub keys: String,
    /// Its effects.
    pub steps: Vec<Step>,
}

impl Act {
    pub fn new(keys: &str, step: Step) -> Self {
        Self { lead: None, keys: keys.to_owned(), steps: vec![step] }
    }

    pub fn edit(keys: &str, file: usize, dialog: usize, edit: Edit) -> Self {
        Self::new(keys, Step::Edits(vec![(file, dialog, edit)]))
    }
}

/// A file that may be changed.
#[derive(Clone)]
struct Known {
    /// From the folder of the test.
    path: String,
    corpus: EditedFile,
    is_there: bool,
}

#[derive(Clone, Default)]
pub struct Model {
    files: Vec<Known>,
    /// The files of the edits that are undone together, in the order in which they were made.
    applied: Vec<Vec<usize>>,
    undone: Vec<Vec<usize>>,
}

impl Model {
    /// With one more file; `is_there` if it is on the disk.
    pub fn with(mut self, path: &str, bytes: Vec<u8>, is_there: bool) -> Self {
        self.files.push(Known { path: path.to_owned(), corpus: open(bytes), is_there });
        self
    }

    /// With the file `path` of a folder.
    pub fn with_file(self, folder: &Path, path: &str) -> Self {
        self.with(path, fs::read(folder.join(path)).unwrap(), true)
    }

    pub fn corpus(&self, file: usize) -> &CorpusFile {
        &self.files[file].corpus
    }

    pub fn is_modified(&self) -> bool {
        self.files.iter().any(|file| file.corpus.is_modified())
    }

    /// How many edits are applied.
    pub fn edits(&self) -> usize {
        self.applied.iter().map(Vec::len).sum()
    }

    /// All states through which the steps lead, the one before them first.
    pub fn through(&self, steps: &[Step]) -> Vec<Self> {
        let mut states = vec![self.clone()];
        for step in steps {
            let mut now = states.last().unwrap().clone();
            match step {
                Step::Edits(edits) => {
                    let mut made = Vec::new();
                    for (file, dialog, edit) in edits {
                        if now.files[*file].corpus.edit(*dialog, edit).unwrap() {
                            made.push(*file);
                            now.undone.clear();
                            states.push(now.partly(&made));
                        }
                    }
                    now.applied.extend((!made.is_empty()).then_some(made));
                }
                Step::Undo => {
                    let files = now.applied.pop().unwrap_or_default();
                    for (left, file) in files.iter().enumerate().rev() {
                        now.files[*file].corpus.undo();
                        states.extend((left > 0).then(|| now.partly(&files[..left])));
                    }
                    now.undone.extend((!files.is_empty()).then_some(files));
                }
                Step::Redo => {
                    let files = now.undone.pop().unwrap_or_default();
                    for (made, file) in files.iter().enumerate() {
                        now.files[*file].corpus.redo();
                        states.push(now.partly(&files[..=made]));
                    }
                    now.applied.extend((!files.is_empty()).then_some(files));
                }
                Step::Save => {
                    for file in 0..now.files.len() {
                        now.files[file].save();
                        states.push(now.clone());
                    }
                }
            }
            states.push(now);
        }
        states
    }

    /// This state in the middle of a step: of its edits, those of `files` are applied.
    fn partly(&self, files: &[usize]) -> Self {
        let mut state = self.clone();
        state.applied.extend((!files.is_empty()).then(|| files.to_vec()));
        state
    }

    /// True if states that look the same are undone in the same way, so that it does not matter which of
    /// them it is.
    pub fn can_be_distinguished(states: &[Self]) -> bool {
        let mut seen: Vec<(Vec<_>, &Self)> = Vec::new();
        for state in states {
            let now = state.now();
            let same = seen.iter().filter(|(other, _)| *other == now);
            let histories = |state: &Self| (state.applied.clone(), state.undone.clone());
            if same.map(|(_, other)| histories(other)).any(|other| other != histories(state)) {
                return false;
            }
            seen.push((now, state));
        }
        true
    }

    /// The state after the steps.
    pub fn after(&self, steps: &[Step]) -> Self {
        self.through(steps).pop().unwrap()
    }

    /// True if the steps change anything.
    pub fn is_changed_by(&self, step: &Step) -> bool {
        match step {
            Step::Edits(_) => self.after(std::slice::from_ref(step)).edits() > self.edits(),
            Step::Undo => !self.applied.is_empty(),
            Step::Redo => !self.undone.is_empty(),
            Step::Save => self.is_modified(),
        }
    }

    /// Each file as it was saved last; None for one that never was.
    pub fn on_disk(&self) -> Vec<Option<Vec<u8>>> {
        let files = self.files.iter();
        let saved = files.map(|file| file.is_there.then(|| original(&file.corpus)));
        saved.collect()
    }

    /// Each file as it would be saved now.
    pub fn now(&self) -> Vec<Option<Vec<u8>>> {
        let mut saved = self.clone();
        saved.files.iter_mut().for_each(Known::save);
        saved.on_disk()
    }

    /// Each file as it is in a folder.
    pub fn found_in(&self, folder: &Path) -> Vec<Option<Vec<u8>>> {
        let files = self.files.iter();
        files.map(|file| fs::read(folder.join(&file.path)).ok()).collect()
    }
}

impl Known {
    fn save(&mut self) {
        if !self.corpus.is_modified() {
            return;
        }
        let bytes = saved(&self.corpus);
        let index = indexed(&bytes);
        self.corpus.rebase(Bytes::from(bytes), index);
        self.is_there = true;
    }
}
