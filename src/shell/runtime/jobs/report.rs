//! Writes a report of all dialogs as they are on the screen, with unsaved edits.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::MadeText;
use super::files::JobDialog;
use super::search::SearchScope;
use crate::ontology::Ontology;
use crate::page::html;
use crate::query::Query;
use crate::report::{FileFacts, ReportSums, SeenDialog, argument};
use crate::text::counted;
use crate::workspace::DialogId;

/// Returns a query that finds every dialog, and whose answer needs the problems in each; None never.
pub fn every_dialog() -> Option<Query> {
    "problem:* or not problem:*".parse().ok()
}

/// Returns a report as HTML; the scope is that of [`every_dialog`].
pub fn report(scope: &SearchScope) -> MadeText {
    let mut sums = ReportSums::default();
    let mut families = BTreeMap::<String, String>::new();
    let (schemes, unknown) = (scope.schemes(), Ontology::default());
    let mut dialogs: u64 = 0;
    let add = &mut |at: DialogId, read: Option<JobDialog<'_>>| {
        if let Some(read) = read {
            let (file, format, dialog) = (&read.file.name, read.format, &read.dialog);
            dialogs += 1;
            if !families.contains_key(file) {
                families.insert(file.clone(), format.name().to_owned());
            }
            let rules = read.file.snapshot.rules.as_deref();
            sums.add(&SeenDialog {
                file,
                dialog,
                position: at.dialog as usize,
                start: 0,
                is_companion: format.is_companion(),
                problems: &read.problems,
                ontology: rules.map_or(&unknown, |rules| rules.linter.ontology(format, dialog)),
                schemes: &schemes,
            });
        }
        ControlFlow::Continue(())
    };
    let _ = scope.each_dialog(add);
    for (file, family) in &families {
        sums.add_file(&FileFacts { file, family, bytes: 0, hash: None, issues: 0, excluded: 0 });
    }
    sums.settle();
    let paths: Vec<_> = families.keys().map(|file| argument(file)).collect();
    let paths = paths.join(" ");
    MadeText {
        text: html(&sums.report(&paths, &paths)).into_bytes(),
        done: format!("report of {} written to", counted(dialogs, "dialog")),
        failed: "the report cannot be written",
    }
}
