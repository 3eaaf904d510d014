//! Collects the turns that a query finds in one file.

use std::mem;
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_64;

use super::ordered::OrderedOutput;
use super::{Arguments, FindRequest, OutputFormat, print};
use crate::cli::printer::Printed;
use crate::cli::scan::{Collector, ScannedDialog};
use crate::cli::turn_lines::PrintedDialog;
use crate::corpus::CorpusFile;
use crate::dialog::{BROKEN_LINE, Field};
use crate::lint::{Diagnostic, DialogPlace};
use crate::query::{DialogSource, FoundHits, HiddenAnswers, MeantNames, Target, ValueCounts};
use crate::shell::matched_path;

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
            gold.attach_to(&mut read.dialog);
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
        let mut shown = (arguments.format == OutputFormat::Text)
            .then(|| PrintedDialog::new(mem::take(&mut read.dialog), Vec::new(), *columns, true));
        for hits in hits.chunk_by(|one, other| one.turn == other.turn) {
            let turn = hits[0].turn;
            let (heading, text) = match (&mut shown, arguments.format) {
                (Some(shown), _) => (
                    print::heading(&self.file, shown.dialog(), read.position, *manner),
                    print::turn(query, shown, hits, *manner),
                ),
                (None, OutputFormat::Jsonl) => {
                    (Printed::default(), print::records(query, &self.file, &read, hits, *manner))
                }
                (None, OutputFormat::Ids) => (Printed::default(), print::id(&read.dialog, *manner)),
                _ => (Printed::default(), Printed::default()),
            };
            self.found.push(Found {
                rank: rank(seed, turn),
                dialog: read.position,
                turn,
                heading,
                text,
            });
            if arguments.format == OutputFormat::Ids {
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
