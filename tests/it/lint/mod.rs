//! Rules: their manual pages, the examples in them, and what their fixes do.

mod notation;
mod registry;

use turnwise::format::{self, detect};
use turnwise::json::{Escapes, Parser};
use turnwise::lint::{Applicability, Diagnostic, Fixed, Fixing, Selection, Subject, lint};
use turnwise::ontology::Ontology;

/// What the rules of `selection` find in a dialog of any family.
pub fn found_in(text: &str, selection: &Selection) -> Vec<Diagnostic> {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).unwrap();
    let format = detect(tree.root()).unwrap_or_else(|e| panic!("{e:?}: {text}"));
    let (dialog, issues) = format.read(tree);
    let ontology = Ontology::default();
    let subject = Subject::new(&dialog, &issues, format, &ontology, tree);
    lint(&subject, selection)
}

/// A dialog after all fixes of at least this applicability, and what was done.
pub fn fixed(text: &str, selection: &Selection, at_least: Applicability) -> (String, Fixed) {
    let mut parser = Parser::new();
    let format = detect(parser.parse_str(text).unwrap().root()).unwrap();
    let with = Fixing {
        format,
        ontology: &Ontology::default(),
        selection,
        at_least,
        escapes: Escapes::seen_in(text),
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
pub fn only(name: &str) -> Selection {
    let mut selection = Selection::none();
    selection.select(name).unwrap();
    selection
}
