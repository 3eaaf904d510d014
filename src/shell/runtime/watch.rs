//! Detects changes by other programs: looks at the file on the screen every few seconds, at all files when the app asks
//! for it, and now and then at files that are followed, and for files that appear in the folders that were opened.

use std::cell::Cell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use super::messages::MessageSender;
use crate::app::Msg;
use crate::shell::storage::disk::Identity;
use crate::shell::storage::identities::Identities;
use crate::shell::storage::{FoundPath, STDIN, find_corpora, find_logs};
use crate::workspace::AppearedFile;

/// The least time between two looks at the file on the screen.
pub const PAUSE: Duration = Duration::from_secs(2);

/// A watch on the file on the screen. Its own thread looks at the file, because a network disk may
/// answer late.
pub struct Watch {
    to: SyncSender<(usize, PathBuf)>,
    last: Cell<Instant>,
}

impl Watch {
    /// Starts the thread, which ends with this value.
    pub fn start(identities: Identities, reports: MessageSender) -> Self {
        // If a look takes long, those that would follow are skipped.
        let (to, from) = sync_channel::<(usize, PathBuf)>(1);
        thread::spawn(move || {
            for (file, path) in from {
                compare(file, &path, &identities, |difference| {
                    reports.send(difference.message());
                });
            }
        });
        let last = Cell::new(Instant::now());
        Self { to, last }
    }

    /// True if the last look was long ago.
    pub fn is_due(&self) -> bool {
        self.last.get().elapsed() >= PAUSE
    }

    /// Looks at the file with this number and path.
    pub fn look(&self, file: usize, path: PathBuf) {
        self.last.set(Instant::now());
        let _ = self.to.try_send((file, path));
    }
}

/// The least time between two searches for files that appear.
const LONG_PAUSE: Duration = Duration::from_secs(6);
/// How many times as long as a search the pause after it is, at least: ten thousand sessions are not to cost a percent of
/// a processor while nothing changes.
const PAUSES: u32 = 500;

/// The folders that were opened.
pub struct OpenedFolders {
    pub folders: Vec<PathBuf>,
    /// The folder for votes, as the settings name it.
    pub votes: PathBuf,
    pub family: Option<String>,
}

/// A watch on the folders that were opened.
pub struct FolderWatch {
    opened: Arc<OpenedFolders>,
    last: Cell<Instant>,
    is_looking: Arc<AtomicBool>,
    /// The milliseconds that the last search took.
    took: Arc<AtomicU32>,
}

impl FolderWatch {
    pub fn new(opened: OpenedFolders) -> Self {
        Self {
            opened: Arc::new(opened),
            last: Cell::new(Instant::now()),
            is_looking: Arc::default(),
            took: Arc::default(),
        }
    }

    pub fn family(&self) -> Option<&str> {
        self.opened.family.as_deref()
    }

    /// True if the last look was long ago.
    pub fn is_due(&self) -> bool {
        let took = Duration::from_millis(self.took.load(Ordering::Relaxed).into());
        self.last.get().elapsed() >= LONG_PAUSE.max(took * PAUSES)
    }

    /// Looks at files that are `followed` and finds files that are not `known`, unless that is being done.
    pub fn look(
        &self,
        followed: Vec<(usize, PathBuf)>,
        known: HashSet<PathBuf>,
        identities: Identities,
        reports: MessageSender,
    ) {
        self.last.set(Instant::now());
        let has_nothing = self.opened.folders.is_empty() && followed.is_empty();
        if has_nothing || self.is_looking.swap(true, Ordering::Relaxed) {
            return;
        }
        let (opened, is_looking) = (Arc::clone(&self.opened), Arc::clone(&self.is_looking));
        let (took, start) = (Arc::clone(&self.took), Instant::now());
        thread::spawn(move || {
            for (file, path) in followed {
                compare(file, &path, &identities, |difference| {
                    reports.send(difference.message());
                });
            }
            let new = opened.new_files(&known);
            took.store(start.elapsed().as_millis() as u32, Ordering::Relaxed);
            is_looking.store(false, Ordering::Relaxed);
            if !new.is_empty() {
                reports.send(Msg::Appeared(new));
            }
        });
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

/// Looks at all open files: those opened at the start, and logs created since.
pub fn look_at_all(
    opened: Arc<[PathBuf]>,
    begun: Vec<PathBuf>,
    identities: Identities,
    reports: MessageSender,
) {
    thread::spawn(move || {
        for (file, path) in opened.iter().chain(&begun).enumerate() {
            compare(file, path, &identities, |difference| {
                reports.send(difference.message());
            });
        }
    });
}

/// A file that is not the one that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Difference {
    file: usize,
    read: Identity,
    /// The file at its path now; None if it was deleted.
    now: Option<Identity>,
}

impl Difference {
    fn message(self) -> Msg {
        let (file, saving) = (self.file, false);
        match self.now {
            Some(_) => Msg::Changed { file, saving },
            None => Msg::Missing { file },
        }
    }
}

/// Compares the file at a path with the one that was read, and calls `report` if they differ.
fn compare(file: usize, path: &Path, identities: &Identities, report: impl FnOnce(Difference)) {
    let lock = || identities.lock().unwrap_or_else(PoisonError::into_inner);
    let of_file = |known: &[Option<Identity>]| known.get(file).copied().flatten();
    let Some(read) = of_file(&lock()) else {
        return;
    };
    let now = match path.metadata() {
        Ok(metadata) => Some(Identity::of(&metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) => return,
    };
    if now == Some(read) {
        return;
    }
    // The program itself may have saved or reloaded the file meanwhile: then it has recorded the new file.
    // If not, it cannot do so until this lock is released, so this report arrives first, while the app
    // still knows that the file is being saved.
    let known = lock();
    if of_file(&known) == Some(read) {
        report(Difference { file, read, now });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::storage::identities::remember;

    #[test]
    fn changed_and_deleted_files_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        std::fs::write(&path, "[]").unwrap();
        let identities: Identities = Arc::default();
        let look = || {
            let mut found = None;
            compare(0, &path, &identities, |difference| {
                found = Some(difference.message());
            });
            found
        };
        assert!(look().is_none(), "not read yet");
        let read = || Some(Identity::of(&path.metadata().unwrap()));
        remember(&identities, 0, read());
        assert!(look().is_none());
        std::fs::write(&path, "[1]").unwrap();
        let changed = look();
        assert!(matches!(changed, Some(Msg::Changed { file: 0, saving }) if !saving));
        remember(&identities, 0, read());
        assert!(look().is_none(), "reloaded");
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(look(), Some(Msg::Missing { file: 0 })));
    }

    #[test]
    fn files_that_are_followed_are_looked_at_without_being_shown() {
        use crate::shell::terminal::event::RuntimeEvent;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        std::fs::write(&path, "").unwrap();
        let identities: Identities = Arc::default();
        remember(&identities, 3, path.metadata().ok().as_ref().map(Identity::of));
        std::fs::write(&path, "{}\n").unwrap();
        let (to, from) = std::sync::mpsc::channel();
        let watch = FolderWatch::new(OpenedFolders {
            folders: Vec::new(),
            votes: PathBuf::new(),
            family: None,
        });
        let known = HashSet::new();
        watch.look(vec![(3, path)], known, identities, MessageSender::new(to));
        let reported = from.recv().unwrap();
        assert!(matches!(reported, RuntimeEvent::Msg(Msg::Changed { file: 3, saving: false })));
    }

    #[test]
    fn a_save_waits_until_a_look_has_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        std::fs::write(&path, "[]").unwrap();
        let identities: Identities = Arc::default();
        let old = Identity::of(&path.metadata().unwrap());
        remember(&identities, 0, Some(old));
        std::fs::write(&path, "[1]").unwrap();
        let now = Identity::of(&path.metadata().unwrap());
        let mut reports = 0;
        compare(0, &path, &identities, |difference| {
            // A save records the new file only after this is sent.
            assert!(identities.try_lock().is_err());
            assert_eq!((difference.read, difference.now), (old, Some(now)));
            reports += 1;
        });
        assert_eq!(reports, 1);
    }
}
