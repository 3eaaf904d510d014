//! Rules: their manual pages, the examples in them, and their fixes.

mod broken;
mod chat_corpus;
mod chats;
mod cli;
mod demo;
mod edges;
mod false_alarms;
mod fixes;
mod ignores;
mod long;
mod losses;
mod machine;
mod neighbours;
mod notation;
mod odd;
mod ontology;
mod planted;
mod planted_chats;
mod planted_states;
mod promises;
mod real;
mod registry;
mod slips;
mod slots;
mod tongues;

use std::sync::OnceLock;

use turnwise::format::{self, detect};
use turnwise::json::{Escapes, Parser};
use turnwise::lint::{
    Applicability, Diagnostic, FixOptions, FixPreview, FixedDialog, Selection, Subject, lint,
    ontology_of,
};
use turnwise::ontology::Ontologies;

/// The ontologies that are built in.
pub fn ontologies() -> &'static Ontologies {
    static ONTOLOGIES: OnceLock<Ontologies> = OnceLock::new();
    ONTOLOGIES.get_or_init(|| Ontologies::built_in().unwrap())
}

/// The problems that the rules of `selection` report in a dialog of any family.
pub fn found_in(text: &str, selection: &Selection) -> Vec<Diagnostic> {
    found_with(ontologies(), text, selection)
}

/// As [`found_in`], by other ontologies than those that are built in.
pub fn found_with(all: &Ontologies, text: &str, selection: &Selection) -> Vec<Diagnostic> {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).unwrap();
    let format = detect(tree.root()).unwrap_or_else(|e| panic!("{e:?}: {text}"));
    let (dialog, issues) = format.read(tree);
    let ontology = ontology_of(all, format, &dialog);
    let subject = Subject::new(&dialog, &issues, format, ontology, tree);
    lint(&subject, selection)
}

/// A dialog after all fixes of at least this applicability, with the list of them.
pub fn fixed(text: &str, selection: &Selection, at_least: Applicability) -> (String, FixedDialog) {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).unwrap();
    let format = detect(tree.root()).unwrap();
    let (dialog, _) = format.read(tree);
    let with = FixOptions {
        format,
        ontology: ontology_of(ontologies(), format, &dialog),
        selection,
        at_least,
        escapes: Escapes::seen_in(text),
        ignored: None,
    };
    let fixed = turnwise::lint::fix(text, &with, |_| true);
    let after = fixed.edits.iter().fold(text.to_owned(), |text, edit| {
        format::edit(format, &text, with.escapes, edit)
            .unwrap()
            .text
    });
    (after, fixed)
}

/// Only the rule called `name`.
/// The previews of the safe fixes of a dialog.
pub fn previewed(text: &str) -> Vec<FixPreview> {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).unwrap();
    let format = detect(tree.root()).unwrap();
    let (dialog, _) = format.read(tree);
    let with = FixOptions {
        format,
        ontology: ontology_of(ontologies(), format, &dialog),
        selection: &Selection::default(),
        at_least: Applicability::Safe,
        escapes: Escapes::seen_in(text),
        ignored: None,
    };
    turnwise::lint::fix_previews(text, &with, |_| true, usize::MAX).0
}

pub fn only(name: &str) -> Selection {
    let mut selection = Selection::none();
    selection.select(name).unwrap();
    selection
}
