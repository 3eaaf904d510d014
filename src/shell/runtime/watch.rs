//! Detects changes by other programs: looks at the file on the screen every few seconds, at all files when the app asks
//! for it, and now and then at files that are followed, and for files that appear in the folders that were opened.

use std::cell::Cell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::messages::MessageSender;
use crate::app::Msg;
use crate::shell::storage::known_files::KnownFiles;
use crate::shell::storage::{FoundPath, STDIN, find_corpora, find_logs};
use crate::workspace::AppearedFile;

/// The least time between two looks at the file on the screen.
pub const PAUSE: Duration = Duration::from_secs(2);
/// The least time between two searches for files that appear.
const LONG_PAUSE: Duration = Duration::from_secs(6);
/// How many times as long as a search the pause after it is, at least: ten thousand sessions are not to cost a percent of
/// a processor while nothing changes.
const PAUSES: u32 = 500;

/// A watch on the open files, and on the folders that were opened.
pub struct Watch {
    known: KnownFiles,
    opened: Arc<OpenedFolders>,
    reports: MessageSender,
    at_file: Looks,
    around: Looks,
}

/// The folders that were opened.
pub struct OpenedFolders {
    pub folders: Vec<PathBuf>,
    /// The folder for votes, as the settings name it.
    pub votes: PathBuf,
    pub family: Option<String>,
}

/// Looks at the disk, one at a time, each in a thread of its own, because a network disk may answer late.
struct Looks {
    last: Cell<Instant>,
    is_looking: Arc<AtomicBool>,
    /// The milliseconds that the last one took.
    took: Arc<AtomicU32>,
}

impl Looks {
    fn new() -> Self {
        Self { last: Cell::new(Instant::now()), is_looking: Arc::default(), took: Arc::default() }
    }

    /// Looks, unless the last look is not over.
    fn start(&self, look: impl FnOnce() + Send + 'static) {
        self.last.set(Instant::now());
        if self.is_looking.swap(true, Ordering::Relaxed) {
            return;
        }
        let (is_looking, took) = (Arc::clone(&self.is_looking), Arc::clone(&self.took));
        thread::spawn(move || {
            let start = Instant::now();
            look();
            took.store(start.elapsed().as_millis() as u32, Ordering::Relaxed);
            is_looking.store(false, Ordering::Relaxed);
        });
    }
}

impl Watch {
    pub fn new(known: KnownFiles, opened: OpenedFolders, reports: MessageSender) -> Self {
        let opened = Arc::new(opened);
        Self { known, opened, reports, at_file: Looks::new(), around: Looks::new() }
    }

    /// Returns the family of all dialogs, if the user has named it.
    pub fn family(&self) -> Option<String> {
        self.opened.family.clone()
    }

    /// True if the last look at the file on the screen was long ago.
    pub fn is_due(&self) -> bool {
        self.at_file.last.get().elapsed() >= PAUSE
    }

    /// True if the last search for files that appear was long ago.
    pub fn is_search_due(&self) -> bool {
        let took = Duration::from_millis(self.around.took.load(Ordering::Relaxed).into());
        self.around.last.get().elapsed() >= LONG_PAUSE.max(took * PAUSES)
    }

    /// Looks at the file with this number and path, which is on the screen.
    pub fn look_at(&self, file: usize, path: PathBuf) {
        self.at_file.start(self.comparison(vec![(file, path)]));
    }

    /// Looks at all open files.
    pub fn look_at_all(&self, files: Vec<(usize, PathBuf)>) {
        thread::spawn(self.comparison(files));
    }

    /// Looks at files that are `followed` and finds files that are not `there`.
    pub fn look_around(&self, followed: Vec<(usize, PathBuf)>, there: HashSet<PathBuf>) {
        let (opened, reports) = (Arc::clone(&self.opened), self.reports.clone());
        let compare = self.comparison(followed);
        self.around.start(move || {
            compare();
            let new = opened.new_files(&there);
            if !new.is_empty() {
                reports.send(Msg::Appeared(new));
            }
        });
    }

    /// Returns the work of comparing files with those that were read.
    fn comparison(&self, files: Vec<(usize, PathBuf)>) -> impl FnOnce() + Send + use<> {
        let (known, reports) = (self.known.clone(), self.reports.clone());
        move || {
            for (file, path) in files {
                known.compare(file, &path, |is_there| {
                    let changed = Msg::Changed { file, saving: false };
                    reports.send(if is_there { changed } else { Msg::Missing { file } });
                });
            }
        }
    }
}

impl OpenedFolders {
    /// Returns the files that are not `known` and not logs; those in which nothing is written yet can wait.
    fn new_files(&self, known: &HashSet<PathBuf>) -> Vec<AppearedFile> {
        let found = find_corpora(&self.folders, Path::new(STDIN), self.family.as_deref());
        let found = found.into_iter().filter(FoundPath::is_file).map(|found| {
            let below = found.below().and_then(|folder| found.path.strip_prefix(folder).ok());
            (below.unwrap_or(&found.path).display().to_string(), found.path)
        });
        let files: Vec<(String, PathBuf)> = found.collect();
        if files.iter().all(|(_, path)| known.contains(path)) {
            return Vec::new();
        }
        let beside = find_logs(&files, &self.votes, None);
        let is_log = |file: usize| beside.logs.iter().any(|log| log.file == file);
        let is_begun = |path: &Path| path.metadata().is_ok_and(|file| file.len() > 0);
        let new = files.into_iter().enumerate();
        let new = new
            .filter(|(file, (_, path))| !known.contains(path) && !is_log(*file) && is_begun(path));
        let new = new.map(|(file, (name, path))| AppearedFile {
            name,
            path,
            votes: beside.folders[file].clone(),
            gold: beside.gold[file].clone(),
            judgements: beside.judgements[file].clone(),
        });
        new.collect()
    }
}
