//! Rules: their manual pages, the examples in them, and their fixes.

mod broken;
mod chats;
mod edges;
mod false_alarms;
mod fixes;
mod ignores;
mod long;
mod losses;
mod machine;
mod neighbours;
mod notation;
mod ontology;
mod planted;
mod promises;
mod real;
mod registry;
mod slips;
pub mod spoiled;
mod tongues;

use std::cell::RefCell;

use turnwise::format::{self, Family, Formats, detect};
use turnwise::json::{Escapes, Parser, Tree};
use turnwise::lint::{
    Applicability, Diagnostic, DialogPlace, FixOptions, FixPreview, FixedDialog, Linter,
    ParsedDialog, Selection,
};
use turnwise::ontology::Ontologies;

/// A place without ignored problems.
const NOWHERE: DialogPlace<'static> = DialogPlace { file: "", position: 0 };

/// Runs something with a linter of these rules and the ontologies that are built in, which take a while to
/// copy.
pub fn with_linter<R>(selection: &Selection, run: impl FnOnce(&Linter) -> R) -> R {
    thread_local! {
        static LINTER: RefCell<Linter> = RefCell::new(Linter {
            ontologies: Ontologies::built_in().unwrap(),
            ..Linter::default()
        });
    }
    LINTER.with_borrow_mut(|linter| {
        linter.selection = selection.clone();
        run(linter)
    })
}

/// The problems that the rules of `selection` report in a dialog of any family.
pub fn found_in(text: &str, selection: &Selection) -> Vec<Diagnostic> {
    with_linter(selection, |linter| found_with(linter, text))
}

/// The format of a dialog, whose lines may be turns.
fn format_of(tree: Tree<'_>) -> &'static Family {
    let of_lines = || Formats::default().bundled_of_turns(tree.list());
    detect(tree.root()).ok().or_else(of_lines).unwrap()
}

/// As [`found_in`], by other ontologies than those that are built in.
pub fn found_with(linter: &Linter, text: &str) -> Vec<Diagnostic> {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).unwrap();
    let format = format_of(tree);
    let (dialog, issues) = format.read(tree);
    linter.find(ParsedDialog { dialog: &dialog, issues: &issues, format, tree })
}

/// Runs something with the options for all fixes of at least this applicability.
fn with_options<R>(
    text: &str,
    selection: &Selection,
    at_least: Applicability,
    run: impl FnOnce(&FixOptions<'_>) -> R,
) -> R {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).unwrap();
    let format = format_of(tree);
    with_linter(selection, |linter| {
        run(&FixOptions {
            linter,
            format,
            place: NOWHERE,
            at_least,
            escapes: Escapes::seen_in(text),
        })
    })
}

/// A dialog after all fixes of at least this applicability, with the list of them.
pub fn fixed(text: &str, selection: &Selection, at_least: Applicability) -> (String, FixedDialog) {
    with_options(text, selection, at_least, |with| {
        let fixed = turnwise::lint::fix(text, with, |_| true);
        let after = fixed.edits.iter().fold(text.to_owned(), |text, edit| {
            format::edit(with.format, &text, with.escapes, edit).unwrap().text
        });
        (after, fixed)
    })
}

/// The previews of the safe fixes of a dialog.
pub fn previewed(text: &str) -> Vec<FixPreview> {
    let rules = Selection::default();
    with_options(text, &rules, Applicability::Safe, |with| {
        turnwise::lint::fix_previews(text, with, |_| true, usize::MAX).0
    })
}

/// Only the rule called `name`.
pub fn only(name: &str) -> Selection {
    let mut selection = Selection::none();
    selection.select(name).unwrap();
    selection
}
