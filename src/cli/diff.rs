//! `turnwise diff`: prints what differs between two copies of a corpus, as readable text or as edit records.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::PathBuf;

use super::CommandOutcome;
use super::copies::{SameFile, are_equal, excluded_in, open_copy, same_files};
use super::edited::print_changes;
use super::errors::{Ended, OrStop as _, file_error};
use super::options::{ExcludedOption, InputOptions};
use super::page::Format;
use super::printer::Printer;
use super::scan::report_excluded;
use super::style::{self, shown};
use crate::compare::{FileDifferences, NamedDialog, file_differences};
use crate::corpus::{CorpusFile, DialogRef, Origin, Record};
use crate::dialog::Edit;
use crate::page::{Cell, Column, Form, Page, Table};
use crate::shell::ExcludedHere;
use crate::text::{counted, visible};

/// Print the differences between two copies of a corpus, dialog by dialog
///
/// Dialogs are matched by their ids, turns by what they say. Spaces and the order of
/// members make no difference. Beside the names of files and folders, REV:PATH names one as git has it.
///
/// Exit code: 0 the copies say the same, 1 they differ, 2 a file could not be read.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise diff old.json new.json\n  turnwise diff HEAD:logs/log.json logs/log.json\n  turnwise diff mine/ theirs/ --stat\n  turnwise diff old.json new.json --format jsonl | turnwise apply - old.json"
)]
pub struct Arguments {
    /// The old file or folder, or REV:PATH
    old: PathBuf,
    /// The new file or folder, or REV:PATH
    new: PathBuf,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(FORMATS))]
    format: Format,
    /// Print only the number of differences, by kind, label and annotator
    #[arg(long, conflicts_with = "format")]
    stat: bool,
    /// Count excluded dialogs too
    #[arg(long, requires = "stat")]
    with_excluded: bool,
    #[command(flatten)]
    input: InputOptions,
}

/// The forms of the output.
const FORMATS: &[(Format, &str)] = &[
    (Format::Text, "Each changed turn as text, before and after"),
    (Format::Jsonl, "The edit records that change the old copy into the new copy"),
];

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let mut outcome = CommandOutcome::Clean;
    let mut statistics = Statistics::default();
    let mut left_out = 0;
    let copies = [arguments.old.clone(), arguments.new.clone()];
    for pair in same_files(&copies, &arguments.input, &mut outcome) {
        let [old_path, new_path] = &pair.paths[..] else {
            continue;
        };
        if are_equal([old_path, new_path]) {
            continue;
        }
        let old = open_copy(old_path, &arguments.input, false, &mut outcome);
        let new = open_copy(new_path, &arguments.input, false, &mut outcome);
        let (Some(mut old), Some(mut new)) = (old, new) else {
            continue;
        };
        let found = file_differences(&mut old, &mut new).or_report(old_path, &mut outcome);
        let Some(mut found) = found else {
            continue;
        };
        if arguments.stat {
            let with = ExcludedOption::new(arguments.with_excluded);
            let excluded = [old_path, new_path]
                .map(|path| excluded_in(path, &arguments.input, with, &mut outcome));
            left_out += leave_out(&mut found, &excluded);
        }
        if found.is_empty() {
            continue;
        }
        outcome = outcome.max(CommandOutcome::Issues);
        if arguments.stat {
            statistics.add(&found);
        } else if arguments.format == Format::Jsonl {
            print_records(&pair, &found, out)?;
        } else {
            print_text(&pair, &old, &found, out)?;
        }
    }
    if arguments.stat {
        report_excluded(left_out);
        statistics.print(out)?;
    }
    Ok(outcome)
}

/// Leaves out what differs in dialogs that are excluded in one of the copies. Returns the number of these dialogs.
fn leave_out(found: &mut FileDifferences, [old, new]: &[ExcludedHere; 2]) -> usize {
    let count = |found: &FileDifferences| {
        found.changed.len() + found.removed.len() + found.added.len() + found.unread.len()
    };
    let before = count(found);
    let is_out = |here: &ExcludedHere, dialog: &NamedDialog| here.has(dialog.position, &dialog.id);
    found.changed.retain(|changed| {
        let id = &changed.dialog.id;
        !is_out(old, &changed.dialog) && !new.has(changed.new, id)
    });
    found.removed.retain(|dialog| !is_out(old, dialog));
    found.unread.retain(|dialog| !is_out(old, dialog));
    found.added.retain(|dialog| !is_out(new, dialog));
    before - count(found)
}

fn print_text(
    pair: &SameFile,
    old: &CorpusFile,
    found: &FileDifferences,
    out: &mut Printer,
) -> io::Result<()> {
    let (removed, added) = (out.style(style::REMOVED), out.style(style::ADDED));
    let hunk = out.style(style::HUNK);
    let (old_path, new_path) = (&pair.paths[0], &pair.paths[1]);
    writeln!(out, "{removed}--- {}{removed:#}", shown(old_path))?;
    writeln!(out, "{added}+++ {}{added:#}", shown(new_path))?;
    if let Err(error) = print_changes(old, out)? {
        file_error(old_path, &error);
    }
    for changed in &found.changed {
        for unsaid in &changed.differences.unsaid {
            let turn = unsaid.turn.map_or(String::new(), |turn| format!(", turn {turn}"));
            let NamedDialog { position, id } = &changed.dialog;
            writeln!(out, "{hunk}@@ dialog {position}{turn} @@{hunk:#} {}", visible(id))?;
            writeln!(out, "! {} differs in a way that no edit can express", visible(&unsaid.part))?;
        }
    }
    for part in &found.beside {
        writeln!(out, "! {} differs in a way that no edit can express", visible(part))?;
    }
    let lists = [
        (removed, "- only in the old copy", &found.removed),
        (added, "+ only in the new copy", &found.added),
        (hunk, "! cannot be read in one copy", &found.unread),
    ];
    for (style, what, dialogs) in lists {
        for NamedDialog { position, id } in dialogs {
            writeln!(out, "{style}{what}: dialog {position}{style:#} {}", visible(id))?;
        }
    }
    Ok(())
}

/// Prints the edits; reports what no edit can say.
fn print_records(pair: &SameFile, found: &FileDifferences, out: &mut Printer) -> io::Result<()> {
    let file = pair.name.as_ref().map(|name| name.to_string_lossy().into_owned());
    let mut unsaid = found.removed.len() + found.added.len() + found.unread.len();
    unsaid += found.beside.len();
    for changed in &found.changed {
        let NamedDialog { position, id } = &changed.dialog;
        unsaid += changed.differences.unsaid.len();
        for edit in &changed.differences.edits {
            let record = Record {
                file: file.clone(),
                dialog: DialogRef::Number(*position),
                dialog_id: Some(id.clone()).filter(|id| !id.is_empty()),
                edit: edit.clone(),
                on: None,
                origin: Origin::default(),
            };
            writeln!(out, "{}", serde_json::to_string(&record)?)?;
        }
    }
    if unsaid > 0 {
        let differences = counted(unsaid, "difference");
        let why = format!("{differences} that no edit can express; `turnwise diff` lists them");
        file_error(&pair.paths[1], &why);
    }
    Ok(())
}

/// Counts of differences.
#[derive(Default)]
struct Statistics {
    kinds: BTreeMap<String, usize>,
    labels: BTreeMap<String, usize>,
    annotators: BTreeMap<String, usize>,
}

impl Statistics {
    fn add(&mut self, found: &FileDifferences) {
        let mut kind = |name: &str, count| {
            if count > 0 {
                *self.kinds.entry(name.to_owned()).or_insert(0) += count;
            }
        };
        kind("dialogs added", found.added.len());
        kind("dialogs removed", found.removed.len());
        kind("dialogs not readable", found.unread.len());
        kind("dialogs changed", found.changed.len());
        kind("other differences", found.beside.len());
        for changed in &found.changed {
            kind("other differences", changed.differences.unsaid.len());
            for edit in &changed.differences.edits {
                kind(&kind_of(edit), 1);
                match edit {
                    Edit::AddSegment { labels, .. } | Edit::SetLabels { labels, .. } => {
                        for label in labels {
                            *self.labels.entry(label.clone()).or_insert(0) += 1;
                        }
                    }
                    Edit::CastVote { annotator, .. } | Edit::WithdrawVote { annotator, .. } => {
                        *self.annotators.entry(annotator.clone()).or_insert(0) += 1;
                    }
                    _ => {}
                }
            }
        }
    }

    fn print(self, out: &mut Printer) -> io::Result<()> {
        let of_name =
            |(name, count): (String, usize)| vec![Cell::Text(name), Cell::Count(count as u64)];
        let mut page = Page::default();
        let tables =
            [("difference", self.kinds), ("label set", self.labels), ("votes of", self.annotators)];
        for (head, counts) in tables {
            if counts.is_empty() {
                continue;
            }
            let columns = vec![
                Column::for_people(head, Form::Name),
                Column::for_people("count", Form::Number),
            ];
            let rows = counts.into_iter().map(of_name).collect();
            page.show(Table { columns, rows, total: None });
        }
        page.write_text(out)
    }
}

/// Returns the name of the kind of an edit, as records have it.
fn kind_of(edit: &Edit) -> String {
    let record = serde_json::to_value(edit).unwrap_or_default();
    record["edit"].as_str().unwrap_or("edit").to_owned()
}
