//! Counts what differs between two copies.

use std::collections::BTreeMap;
use std::io;

use crate::cli::printer::Printer;
use crate::compare::FileDifferences;
use crate::dialog::Edit;
use crate::page::{Cell, Column, Form, Page, Table};

/// Counts of differences.
#[derive(Default)]
pub struct Statistics {
    kinds: BTreeMap<String, usize>,
    labels: BTreeMap<String, usize>,
    annotators: BTreeMap<String, usize>,
}

impl Statistics {
    pub fn add(&mut self, found: &FileDifferences) {
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

    pub fn print(self, out: &mut Printer) -> io::Result<()> {
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
