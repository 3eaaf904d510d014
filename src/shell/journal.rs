//! What was done to a file and not saved yet, written down at once.
//!
//! Each corpus file has a journal in the user's state folder: a line that says of which bytes it
//! speaks, then a line for everything done, as `turnwise apply` reads edits. Each line begins with a
//! checksum, so that one cut short by a crash is known. Saving empties the journal.
//!
//! # Why a thread
//! A line is with the system as soon as it is written, and so survives the program's death; that it
//! survives a power failure takes longer, and nobody should wait for it between two keys.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use twox_hash::{XxHash3_64, XxHash3_128};

use super::background::Reports;
use crate::app::{Entry, Msg};

/// Writes journals, a file each in one folder.
pub struct Journals {
    to: Sender<Order>,
}

enum Order {
    Write {
        path: PathBuf,
        head: String,
        line: String,
    },
    Drop {
        path: PathBuf,
    },
    /// Everything before this is on the disk when it is answered.
    Flush(Sender<()>),
}

/// The journal of the corpus file at `path`, in the state folder `state`.
pub fn journal_of(state: &Path, path: &Path) -> PathBuf {
    let path = real_path(path);
    let hash = XxHash3_128::oneshot(path.as_os_str().as_encoded_bytes());
    state.join("journals").join(format!("{hash:032x}.jsonl"))
}

/// The path of a file, links followed, whether or not it is there yet.
pub fn real_path(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let real = |folder: &Path| Some((folder.to_owned(), folder.canonicalize().ok()?));
    match absolute.ancestors().find_map(real) {
        Some((folder, real)) => match absolute.strip_prefix(&folder) {
            Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
            _ => real,
        },
        None => absolute,
    }
}

/// Files that were begun in `folders` and never written, by the journals in the state folder `state`.
pub fn begun_in(state: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut begun = Vec::new();
    for entry in state
        .join("journals")
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
    {
        let Some((name, _)) = beginning(&entry.path()) else {
            continue;
        };
        let places = folders.iter().map(|folder| folder.join(&name));
        let is_it = |place: &PathBuf| journal_of(state, place) == entry.path() && !place.exists();
        begun.extend(places.filter(is_it));
    }
    begun.sort();
    begun
}

/// The name and the text of the file that a journal begins, if it begins one.
pub fn beginning(journal: &Path) -> Option<(String, String)> {
    let mut lines = BufReader::new(File::open(journal).ok()?).lines();
    let (_, second) = (lines.next()?, lines.next()?);
    match whole(&second.ok()?)?.parse() {
        Ok(Entry::New { name, text }) => Some((name, text)),
        _ => None,
    }
}

/// The first line of the journal of a file whose bytes have this hash.
fn head_of(hash: u128) -> String {
    format!("{{\"journal\":1,\"hash\":\"{hash:032x}\"}}")
}

fn checked(line: &str) -> String {
    format!("{:016x} {line}\n", XxHash3_64::oneshot(line.as_bytes()))
}

/// What a line says, if it is whole.
fn whole(line: &str) -> Option<&str> {
    let (sum, said) = line.split_once(' ')?;
    let good = u64::from_str_radix(sum, 16) == Ok(XxHash3_64::oneshot(said.as_bytes()));
    good.then_some(said)
}

/// What was written down of the bytes with this hash, up to the first line that is not whole.
pub fn unsaved(journal: &Path, hash: u128) -> Vec<Entry> {
    let Ok(text) = fs::read(journal) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map_while(whole);
    if lines.next() != Some(&head_of(hash)) {
        return Vec::new();
    }
    lines.map_while(|line| line.parse().ok()).collect()
}

/// The edits that were in force in a journal of other bytes than those with this hash, as records;
/// None if there are none.
pub fn of_other_bytes(journal: &Path, hash: u128) -> Option<Vec<String>> {
    let text = fs::read(journal).ok()?;
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map_while(whole);
    if lines.next()? == head_of(hash) {
        return None;
    }
    let mut records = Vec::new();
    for entry in lines.map_while(|line| line.parse::<Entry>().ok()) {
        match entry {
            Entry::Undo => {
                records.pop();
            }
            Entry::New { .. } => {}
            // A whole text fits no other bytes; its place is kept for what undoes it.
            Entry::Says { .. } => records.push(None),
            Entry::Edit { .. } => records.push(Some(entry.to_string())),
        }
    }
    let records: Vec<_> = records.into_iter().flatten().collect();
    (!records.is_empty()).then_some(records)
}

impl Journals {
    /// Starts the thread that writes. What it cannot write it says once.
    pub fn start(reports: Reports) -> Self {
        let (to, from) = channel();
        thread::spawn(move || run(&from, &reports));
        Self { to }
    }

    /// Writes down what was done to the file of `journal`, which was read with `hash`.
    pub fn write(&self, journal: PathBuf, hash: u128, entry: &Entry) {
        let (head, line) = (head_of(hash), entry.to_string());
        let path = journal;
        let _ = self.to.send(Order::Write { path, head, line });
    }

    pub fn discard(&self, journal: PathBuf) {
        let _ = self.to.send(Order::Drop { path: journal });
    }

    /// Waits until everything is written.
    pub fn flush(&self) {
        let (done, wait) = channel();
        if self.to.send(Order::Flush(done)).is_ok() {
            let _ = wait.recv();
        }
    }
}

fn run(from: &Receiver<Order>, reports: &Reports) {
    let mut told = false;
    // The first lines of journals that this run has written, of which nothing need be read again.
    let mut begun: HashMap<PathBuf, String> = HashMap::new();
    while let Ok(first) = from.recv() {
        let mut dirty: Vec<File> = Vec::new();
        let mut waiting = Vec::new();
        for order in std::iter::once(first).chain(from.try_iter()) {
            let done = match order {
                Order::Write { path, head, line } => {
                    let goes_on = begun.get(&path) == Some(&head);
                    let written = append(&path, &head, &line, goes_on);
                    if written.is_ok() {
                        begun.insert(path, head);
                    } else {
                        begun.remove(&path);
                    }
                    written.map(|file| dirty.push(file))
                }
                Order::Drop { path } => {
                    begun.remove(&path);
                    match fs::remove_file(&path) {
                        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                        _ => Ok(()),
                    }
                }
                Order::Flush(done) => {
                    waiting.push(done);
                    Ok(())
                }
            };
            if let Err(error) = done
                && !told
            {
                told = true;
                let text = format!(
                    "edits cannot be written down ({error}): they are in memory only until you save"
                );
                reports.send(Msg::Complaint(text));
            }
        }
        for file in dirty {
            // The line is with the system already; a disk that fails now fails when saving, too.
            let _ = file.sync_data();
        }
        for done in waiting {
            let _ = done.send(());
        }
    }
}

/// Appends a line. `goes_on`: the journal is known to begin with `head` and to end with a whole line.
fn append(path: &Path, head: &str, line: &str, goes_on: bool) -> io::Result<File> {
    if goes_on && let Ok(mut file) = OpenOptions::new().append(true).open(path) {
        file.write_all(checked(line).as_bytes())?;
        return Ok(file);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let old = fs::read_to_string(path).unwrap_or_default();
    let goes_on = old.lines().next().and_then(whole) == Some(head);
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let mut text = String::new();
    if !goes_on {
        // What is there speaks of other bytes: of the file before it was changed elsewhere.
        file.set_len(0)?;
        text = checked(head);
    } else if !old.ends_with('\n') {
        // A line cut short; what follows stands on its own.
        file.set_len(old.rfind('\n').map_or(0, |end| end + 1) as u64)?;
    }
    text.push_str(&checked(line));
    file.write_all(text.as_bytes())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::Edit;

    #[test]
    fn what_is_written_is_read_up_to_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j/x.jsonl");
        let edit = Edit::RemoveSegment {
            turn: 1,
            segment: 2,
        };
        let text = "{\"a\": \"é\"}".to_owned();
        let says = Entry::Says { dialog: 1, text };
        let entries = [Entry::Edit { dialog: 3, edit }, Entry::Undo, says];
        for entry in &entries {
            append(&path, &head_of(7), &entry.to_string(), false).unwrap();
        }
        assert_eq!(unsaved(&path, 7), entries);
        assert_eq!(unsaved(&path, 8), []);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 4]).unwrap();
        assert_eq!(unsaved(&path, 7), entries[..2]);
        append(&path, &head_of(7), &Entry::Undo.to_string(), false).unwrap();
        let after = [entries[0].clone(), Entry::Undo, Entry::Undo];
        assert_eq!(unsaved(&path, 7), after);
        append(&path, &head_of(9), &Entry::Undo.to_string(), false).unwrap();
        assert_eq!(unsaved(&path, 9), [Entry::Undo]);
    }
}
