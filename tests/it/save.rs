//! Saving survives everything: each operation is made to fail, and the program to die at it.

use std::cell::Cell;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;
use turnwise::dialog::Edit;
use turnwise::format::Formats;
use turnwise::shell::{
    Content, Fs, OpenedFile, Readers, RealFs, Save, SaveError, SaveReport, open, temporary_prefix,
};

use crate::support::{CORPUS, DEADLINE, TempDir, scratch};

/// A file system that fails or dies at its N-th operation, or does not give files to everybody.
pub struct FaultFs {
    /// Operations left before the fault.
    left: Cell<usize>,
    /// The program dies at the fault: everything stays as it is, later operations fail too, nothing is
    /// cleaned up.
    dies: bool,
    pub struck: Cell<bool>,
    /// True for a user and a group that may get a file.
    may_get: fn(Option<u32>, Option<u32>) -> bool,
}

impl FaultFs {
    pub fn new(operations: usize, dies: bool) -> Self {
        let may_get = |_, _| true;
        Self { left: Cell::new(operations), dies, struck: Cell::new(false), may_get }
    }

    /// One without a fault.
    pub fn giving(may_get: fn(Option<u32>, Option<u32>) -> bool) -> Self {
        Self { may_get, ..Self::new(usize::MAX, false) }
    }

    fn step(&self) -> io::Result<()> {
        match (self.left.get(), self.struck.get()) {
            (_, true) if self.dies => Err(io::Error::other("dead")),
            (_, true) => Ok(()),
            (0, false) => {
                self.struck.set(true);
                Err(io::Error::other("fault"))
            }
            (left, false) => {
                self.left.set(left - 1);
                Ok(())
            }
        }
    }
}

impl Fs for FaultFs {
    fn make_folder(&self, path: &Path, readers: Readers) -> io::Result<()> {
        self.step().and_then(|()| RealFs.make_folder(path, readers))
    }

    fn create(&self, folder: &Path, prefix: &str, readers: Readers) -> io::Result<NamedTempFile> {
        self.step()?;
        let mut file = RealFs.create(folder, prefix, readers)?;
        // A dead program removes nothing.
        file.disable_cleanup(self.dies);
        Ok(file)
    }

    fn append(&self, path: &Path) -> io::Result<File> {
        self.step().and_then(|()| RealFs.append(path))
    }

    fn give(&self, file: &File, user: Option<u32>, group: Option<u32>) -> io::Result<()> {
        self.step()?;
        if !(self.may_get)(user, group) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        RealFs.give(file, user, group)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        if let Err(fault) = self.step() {
            // The disk was full, or the power gone, half way through.
            RealFs.write(file, &bytes[..bytes.len() / 2])?;
            return Err(fault);
        }
        RealFs.write(file, bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.step().and_then(|()| RealFs.sync(file))
    }

    fn replace(&self, file: NamedTempFile, path: &Path) -> io::Result<()> {
        self.step().and_then(|()| RealFs.replace(file, path))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step().and_then(|()| RealFs.sync_folder(folder))
    }
}

/// Saves a file with its edits where it was read.
pub fn save(fs: &dyn Fs, opened: &OpenedFile) -> Result<SaveReport, SaveError> {
    Save::of(opened).put(fs, Content::Corpus(&opened.file))
}

fn edited() -> (TempDir, OpenedFile) {
    let folder = scratch();
    let path = folder.path().join("data.json");
    fs::write(&path, CORPUS).unwrap();
    let mut opened = open(&path, &Formats::default(), true).unwrap();
    opened.file.edit(0, &Edit::SetSpan { turn: 0, segment: 0, start: 8, end: 17 }).unwrap();
    (folder, opened)
}

fn expected() -> String {
    CORPUS.replace("\"end_index\": 16", "\"end_index\": 17").replace("Nosferat\"", "Nosferatu\"")
}

fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

/// Runs a save with a fault at operation 0, 1, 2… until one passes; how many operations that takes.
fn at_every_operation(dies: bool, check: impl Fn(&Path, Result<(), SaveError>, bool)) -> usize {
    for operations in 0..100 {
        let (folder, opened) = edited();
        let faulty = FaultFs::new(operations, dies);
        let outcome = save(&faulty, &opened);
        let passed = !faulty.struck.get();
        check(folder.path(), outcome.map(drop), passed);
        if passed {
            return operations;
        }
    }
    panic!("a save does not take a hundred operations");
}

#[test]
fn a_failing_operation_leaves_the_old_file_or_the_new_one_whole() {
    let operations = at_every_operation(false, |folder, outcome, passed| {
        let text = fs::read_to_string(folder.join("data.json")).unwrap();
        match outcome {
            Ok(()) => assert_eq!(text, expected()),
            Err(_) => assert!(!passed && text == CORPUS),
        }
        assert_eq!(names(folder), ["data.json"], "what failed cleans up behind itself");
    });
    assert!(operations >= 7, "only {operations} operations: is everything still counted?");
}

#[test]
fn dying_anywhere_leaves_the_old_file_or_the_new_one_whole() {
    at_every_operation(true, |folder, _, _| {
        let text = fs::read_to_string(folder.join("data.json")).unwrap();
        assert!(text == CORPUS || text == expected(), "{text}");
        // The next save finds and removes the leftovers of the dead one.
        let mut opened = open(&folder.join("data.json"), &Formats::default(), true).unwrap();
        opened.file.edit(0, &Edit::RemoveSegment { turn: 0, segment: 0 }).unwrap();
        save(&RealFs, &opened).unwrap();
        assert_eq!(names(folder), ["data.json"]);
    });
}

#[test]
fn a_folder_that_cannot_be_synced_is_reported() {
    let operations = at_every_operation(false, |_, _, _| {});
    let (folder, opened) = edited();
    let saved = save(&FaultFs::new(operations - 1, false), &opened).unwrap();
    assert!(saved.doubt.is_some());
    assert_eq!(fs::read_to_string(folder.path().join("data.json")).unwrap(), expected());
}

#[test]
fn a_file_changed_by_somebody_else_is_not_overwritten() {
    type Change = fn(&Path);
    let changes: [Change; 5] = [
        |path| fs::write(path, CORPUS.replace("sold", "rold")).unwrap(),
        |path| fs::write(path, &CORPUS[..100]).unwrap(),
        |path| {
            // Replaced by a file of equal content: still not the one that was read.
            fs::write(path.with_extension("new"), CORPUS).unwrap();
            fs::rename(path.with_extension("new"), path).unwrap();
        },
        |path| fs::remove_file(path).unwrap(),
        |path| fs::remove_dir_all(path.parent().unwrap()).unwrap(),
    ];
    for (number, change) in changes.iter().enumerate() {
        let (folder, opened) = edited();
        let path = folder.path().join("data.json");
        change(&path);
        let before = fs::read(&path).ok();
        let outcome = save(&RealFs, &opened);
        assert!(outcome.is_err(), "change {number}");
        assert_eq!(fs::read(&path).ok(), before, "change {number}");
    }
}

/// The same size and the same time, and still other bytes: only the hash tells.
#[test]
fn a_change_that_metadata_do_not_show_is_noticed() {
    let (folder, opened) = edited();
    let path = folder.path().join("data.json");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, CORPUS.replace("sold", "rold")).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    assert!(matches!(save(&RealFs, &opened), Err(SaveError::ChangedOnDisk)));
    assert!(fs::read_to_string(&path).unwrap().contains("rold"));
    assert_eq!(names(folder.path()), ["data.json"]);
}

/// Another process that is saving right now keeps its temporary file.
#[test]
fn a_temporary_file_in_use_is_not_swept() {
    let (folder, opened) = edited();
    let prefix = temporary_prefix(Path::new("data.json"));
    let in_use = RealFs.create(folder.path(), &prefix, Readers::User).unwrap();
    save(&RealFs, &opened).unwrap();
    assert!(in_use.path().exists());
}

/// A name may have 255 bytes; that of a temporary file has room beside it.
#[test]
fn files_with_the_longest_names_are_saved_and_cleaned_up_after() {
    for name in [
        format!("{}.json", "a".repeat(250)),
        format!("{}.json", "é".repeat(125)),
        format!("{}ab.json", "世".repeat(82)),
    ] {
        let folder = scratch();
        let path = folder.path().join(&name);
        fs::write(&path, CORPUS).unwrap();
        let edit = Edit::RemoveSegment { turn: 0, segment: 0 };
        let edited = || {
            let mut opened = open(&path, &Formats::default(), true).unwrap();
            opened.file.edit(0, &edit).unwrap();
            opened
        };
        // The next save removes the leftovers of a dead program; those of another file stay.
        let prefix = |name: &str| temporary_prefix(Path::new(name));
        let left = |name: &str| folder.path().join(format!("{}AbCdEf.tmp", prefix(name)));
        let other = left(&name.replacen(|_| true, "b", 1));
        for path in [&left(&name), &other] {
            fs::write(path, "[").unwrap();
        }
        save(&RealFs, &edited()).unwrap();
        assert_ne!(fs::read_to_string(&path).unwrap(), CORPUS);
        assert!(other.exists() && !left(&name).exists(), "{name}");
        assert_eq!(names(folder.path()).len(), 2);
    }
}

/// Opening a pipe for writing would wait until another program reads it.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_has_become_something_else_is_not_waited_for() {
    type Put = fn(&Path);
    let odd: [(&str, Put); 3] = [
        ("this is a pipe", crate::side_files::make_pipe),
        ("this is a folder", |path| fs::create_dir(path).unwrap()),
        ("this is a device", |path| {
            std::os::unix::fs::symlink("/dev/zero", path).unwrap();
        }),
    ];
    for (why, put) in odd {
        let (folder, opened) = edited();
        let path = folder.path().join("data.json");
        fs::remove_file(&path).unwrap();
        put(&path);
        let (to, from) = std::sync::mpsc::channel();
        std::thread::spawn(move || to.send(save(&RealFs, &opened).map(drop)));
        let outcome = from.recv_timeout(DEADLINE);
        let error = outcome.expect("an answer").unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}
