//! Prints the turns found in many files in the order of the files, although they are searched side by side.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::collector::Found;
use super::{Arguments, OutputFormat};
use crate::cli::printer::Printer;
use crate::shell::FoundPath;

/// Prints what was found in the first file that is not done as it comes; keeps the rest.
pub struct OrderedOutput<'o> {
    /// The position of each file.
    files: HashMap<PathBuf, usize>,
    state: Mutex<State<'o>>,
}

struct State<'o> {
    out: &'o mut Printer,
    /// The file whose turns are printed as they come.
    next: usize,
    /// For each file, the turns found before it is that file's turn.
    kept: Vec<Vec<Found>>,
    done: BTreeSet<usize>,
    /// The file and the dialog of the last turn printed.
    last: Option<(usize, usize)>,
    /// The number of turns found.
    count: usize,
    failed: Option<io::Error>,
}

impl<'o> OrderedOutput<'o> {
    pub fn new(files: &[FoundPath], out: &'o mut Printer) -> Self {
        let numbers = files.iter().enumerate();
        let state = State {
            out,
            next: 0,
            kept: files.iter().map(|_| Vec::new()).collect(),
            done: BTreeSet::new(),
            last: None,
            count: 0,
            failed: None,
        };
        Self {
            files: numbers.map(|(number, file)| (file.path().to_owned(), number)).collect(),
            state: Mutex::new(state),
        }
    }

    /// True if the output cannot be written, so that there is nothing left to do.
    pub fn has_failed(&self) -> bool {
        self.with(|state| state.failed.is_some())
    }

    /// Adds the next turns of a file.
    pub fn add(&self, file: &Path, found: Vec<Found>) {
        let Some(&file) = self.files.get(file) else {
            return;
        };
        self.with(|state| {
            if file == state.next {
                state.print(file, found);
            } else {
                state.kept[file].extend(found);
            }
        });
    }

    /// Notes that a file has been searched.
    pub fn end(&self, file: &Path) {
        let Some(&file) = self.files.get(file) else {
            return;
        };
        self.with(|state| {
            state.done.insert(file);
            while state.done.remove(&state.next) {
                state.next += 1;
                if state.next < state.kept.len() {
                    let kept = std::mem::take(&mut state.kept[state.next]);
                    state.print(state.next, kept);
                }
            }
        });
    }

    /// Prints the rest, or the `sampled` turns of each file, drawn once more over all files. Returns the
    /// number of turns found.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(self, sampled: Vec<Vec<Found>>, arguments: &Arguments) -> io::Result<usize> {
        let state = self.state.into_inner();
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        for file in 0..state.kept.len() {
            let kept = std::mem::take(&mut state.kept[file]);
            state.print(file, kept);
        }
        if let Some(sample) = arguments.sample {
            let of_file = |(file, found): (usize, Vec<Found>)| {
                found.into_iter().map(move |found| (file, found))
            };
            let mut all: Vec<_> = sampled.into_iter().enumerate().flat_map(of_file).collect();
            all.sort_by_key(|(_, found)| found.rank);
            all.truncate(sample);
            all.sort_by_key(|(file, found)| (*file, found.dialog, found.turn));
            for (file, found) in all {
                state.print(file, vec![found]);
            }
        }
        if arguments.format == OutputFormat::Count && state.failed.is_none() {
            writeln!(state.out, "{}", state.count)?;
        }
        match state.failed {
            Some(error) => Err(error),
            None => Ok(state.count),
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut State<'o>) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State<'_> {
    fn print(&mut self, file: usize, found: Vec<Found>) {
        for found in found {
            self.count += 1;
            let place = (file, found.dialog);
            let is_new = self.last.replace(place) != Some(place);
            let heading = Some(&found.heading).filter(|_| is_new);
            let written = heading.map_or(Ok(()), |heading| self.out.print(heading));
            let written = written.and_then(|()| self.out.print(&found.text));
            if let Err(error) = written {
                self.failed.get_or_insert(error);
                return;
            }
        }
    }
}
