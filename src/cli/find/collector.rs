//! Collects the turns that a query finds in one file.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write as _};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use twox_hash::XxHash3_64;

use super::{Arguments, FindRequest};
use crate::cli::page::Format;
use crate::cli::printer::{Manner, Printed, Printer};
use crate::cli::scan::{Collector, ScannedDialog};
use crate::cli::style;
use crate::cli::turn_lines::PrintedDialog;
use crate::corpus::CorpusFile;
use crate::dialog::{BROKEN_LINE, Dialog, Field};
use crate::lint::{Diagnostic, DialogPlace};
use crate::query::{
    DialogSource, FoundHits, HiddenAnswers, Hit, HitExcerpt, HitRecord, MeantNames, Query, Target,
    TextPlace, ValueCounts,
};
use crate::shell::{FoundPath, matched_path};
use crate::text::visible;

/// A turn that was found or, for ids, a dialog.
pub struct Found {
    /// Its place in the random order of a sample.
    pub rank: u64,
    /// Position of the dialog in its file.
    pub dialog: usize,
    pub turn: usize,
    /// The printed heading of the dialog; empty if there is none.
    pub heading: Printed,
    /// The printed turn.
    pub text: Printed,
}

/// Finds turns while a file is read.
pub struct FindCollector<'r, 'o> {
    request: &'r FindRequest<'r>,
    output: &'r OrderedOutput<'o>,
    path: PathBuf,
    /// The path, as it is shown and searched.
    file: String,
    /// The path as lists of ignored problems name it.
    name: String,
    /// The turns that were found and are not printed yet.
    pub found: Vec<Found>,
    /// The members that the names in the query mean in these dialogs.
    pub meant: MeantNames,
    /// The values of the hits, if they are counted.
    pub counts: ValueCounts,
    /// The ids of dialogs that may have more hits, because variables may have too many values there.
    pub incomplete: Vec<String>,
    /// The number of lines of sessions that are not JSON and may match.
    pub broken_lines: usize,
    /// The number of dialogs with hits whose ids cannot be printed, because they have none.
    pub without_id: usize,
}

impl<'r, 'o> FindCollector<'r, 'o> {
    pub fn new(request: &'r FindRequest<'r>, output: &'r OrderedOutput<'o>, path: &Path) -> Self {
        Self {
            request,
            output,
            path: path.to_owned(),
            file: path.display().to_string(),
            name: matched_path(path),
            found: Vec::new(),
            meant: MeantNames::of(&request.query),
            counts: ValueCounts::default(),
            incomplete: Vec::new(),
            broken_lines: 0,
            without_id: 0,
        }
    }

    /// Returns the problems of a dialog, if the query asks for problems.
    fn problems(&self, read: &ScannedDialog<'_, '_>) -> Vec<Diagnostic> {
        let Some(rules) = &self.request.rules else {
            return Vec::new();
        };
        let place = DialogPlace { file: &self.name, position: read.position };
        rules.problems(read.parsed(), place)
    }

    /// Returns the seed of the ranks of a dialog's turns, which are their places in the random order of a sample. It
    /// depends on the dialog and its position, and not on the name by which its file was given.
    fn seed_of(&self, read: &ScannedDialog<'_, '_>) -> u64 {
        let Arguments { seed, sample, .. } = self.request.arguments;
        let text = sample.map_or("", |_| read.tree.root().raw());
        let dialog = XxHash3_64::oneshot_with_seed(*seed, text.as_bytes());
        rank(dialog, read.position)
    }

    /// Keeps the first ones of the random order, as many as the sample has.
    fn thin_out(&mut self) {
        if let Some(sample) = self.request.arguments.sample
            && self.found.len() > sample
        {
            self.found.sort_unstable_by_key(|found| found.rank);
            self.found.truncate(sample);
        }
    }
}

fn rank(seed: u64, number: usize) -> u64 {
    XxHash3_64::oneshot_with_seed(seed, &(number as u64).to_le_bytes())
}

impl Collector for FindCollector<'_, '_> {
    // `check` reports format issues.
    const FORM: bool = false;
    const PRINTS: bool = true;

    fn reads_excluded(&self) -> bool {
        self.request.query.asks_for_excluded()
    }

    fn skips(&self, bytes: &[u8]) -> bool {
        !self.request.prefilter.may_hit(bytes) || self.output.has_failed()
    }

    fn dialog(&mut self, mut read: ScannedDialog<'_, '_>) {
        if read.format.is_companion() {
            return;
        }
        if let Some(gold) = &self.request.gold {
            gold.attach(&mut read.dialog);
        }
        self.meant.see(&read.dialog);
        if read.dialog.unread.has(BROKEN_LINE) {
            let fields = read.dialog.fields.iter();
            let lines = fields.filter(|field| field.name == BROKEN_LINE);
            let prefilter = &self.request.prefilter;
            let may_match = |line: &&Field| prefilter.may_hit(line.content.as_str().as_bytes());
            self.broken_lines += lines.filter(may_match).count();
        }
        let problems = self.problems(&read);
        let target = Target {
            dialog: &read.dialog,
            problems: &problems,
            source: DialogSource {
                file: &self.file,
                family: read.format.name(),
                edited: false,
                excluded: read.excluded,
                annotator: &self.request.arguments.annotator,
                hidden: HiddenAnswers::None,
            },
        };
        let FoundHits { hits, is_complete } = self.request.query.hits(&target);
        if !is_complete {
            self.incomplete.push(read.dialog.id.clone());
        }
        if hits.is_empty() {
            return;
        }
        if let Some(key) = &self.request.arguments.count_by {
            self.counts.add(key, &target, &hits);
            return;
        }
        let seed = self.seed_of(&read);
        let FindRequest { columns, manner, arguments, query, .. } = self.request;
        let mut shown = (arguments.format == Format::Text)
            .then(|| PrintedDialog::new(mem::take(&mut read.dialog), Vec::new(), *columns, true));
        for hits in hits.chunk_by(|one, other| one.turn == other.turn) {
            let turn = hits[0].turn;
            let (heading, text) = match (&mut shown, arguments.format) {
                (Some(shown), _) => (
                    printed_heading(&self.file, shown.dialog(), read.position, *manner),
                    printed_turn(query, shown, hits, *manner),
                ),
                (None, Format::Jsonl) => {
                    (Printed::default(), printed_records(query, &self.file, &read, hits, *manner))
                }
                (None, Format::Ids) => (Printed::default(), printed_id(&read.dialog, *manner)),
                _ => (Printed::default(), Printed::default()),
            };
            self.found.push(Found {
                rank: rank(seed, turn),
                dialog: read.position,
                turn,
                heading,
                text,
            });
            if arguments.format == Format::Ids {
                self.without_id += usize::from(read.dialog.id.is_empty());
                return;
            }
        }
    }

    fn end_of_part(&mut self, _: &mut crate::cli::scan::LineCounter<'_>) {
        self.thin_out();
    }

    fn join(&mut self, later: Self) {
        self.meant.join(later.meant);
        self.counts.join(later.counts);
        self.incomplete.extend(later.incomplete);
        self.broken_lines += later.broken_lines;
        self.without_id += later.without_id;
        if self.request.arguments.sample.is_some() {
            self.found.extend(later.found);
            self.thin_out();
        } else {
            self.output.add(&self.path, later.found);
        }
    }

    fn end_of_file(&mut self, _: &CorpusFile) -> std::io::Result<()> {
        self.output.end(&self.path);
        Ok(())
    }
}

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
        if arguments.format == Format::Count && state.failed.is_none() {
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

/// Returns the records of the hits in one turn, a line each.
fn printed_records(
    query: &Query,
    file: &str,
    read: &ScannedDialog<'_, '_>,
    hits: &[Hit],
    manner: Manner,
) -> Printed {
    let record = |hit: &Hit, out: &mut Printer| {
        let record = HitRecord::of(query, file, &read.dialog, read.position, hit);
        let mut line = serde_json::to_vec(&record)?;
        line.push(b'\n');
        out.write_all(&line)
    };
    printed_as(manner, |out| out.as_json(|out| hits.iter().try_for_each(|hit| record(hit, out))))
}

/// Returns the line with the id of a dialog; empty if it has none.
fn printed_id(dialog: &Dialog, manner: Manner) -> Printed {
    if dialog.id.is_empty() {
        return Printed::default();
    }
    printed_as(manner, |out| writeln!(out, "{}", visible(&dialog.id)))
}

/// Returns the heading above the turns of a dialog.
fn printed_heading(file: &str, dialog: &Dialog, position: usize, manner: Manner) -> Printed {
    printed_as(manner, |out| {
        let (bold, dim) = (out.style(style::PLACE), out.style(style::DIM));
        let (id, file) = (visible(&dialog.id), visible(file));
        writeln!(out, "{bold}{id}{bold:#}  {dim}dialog {position} · {file}{dim:#}")
    })
}

/// Returns a turn as `show` prints it, with carets under its hits, and the text around those in other texts.
fn printed_turn(
    query: &Query,
    printed: &mut PrintedDialog,
    hits: &[Hit],
    manner: Manner,
) -> Printed {
    let number = hits[0].turn;
    printed.mark(query, hits);
    printed_as(manner, |out| {
        printed.turn(number, out)?;
        let mut values: Vec<_> = hits.iter().map(Hit::values_shown).collect();
        values.dedup();
        for values in values.iter().filter(|values| !values.is_empty()) {
            printed.excerpt("with", values, 0..0, out)?;
        }
        let elsewhere = hits.iter().filter(|hit| hit.place != TextPlace::Turn);
        if query.sought().is_empty() {
            return Ok(());
        }
        let dialog = printed.dialog();
        for hit in elsewhere {
            let excerpt = HitExcerpt::of(query, dialog, hit);
            let head = format!("in {}", hit.place.kind(&dialog.turns[number]).name());
            printed.excerpt(&head, &excerpt.text, excerpt.hit, out)?;
        }
        Ok(())
    })
}

fn printed_as(manner: Manner, print: impl FnOnce(&mut Printer) -> std::io::Result<()>) -> Printed {
    // Printing to memory does not fail.
    Printer::printed(manner, print).unwrap_or_default()
}
