//! The problems that `show --problems` marks: those that `lint` finds within a dialog.

use crate::corpus::CorpusFile;
use crate::json::Parser;
use crate::lint::{Diagnostic, DialogPlace, Linter, ParsedDialog};

/// Returns the problems of the dialog at `position` that are not ignored. `name` is the path of its file
/// as ignores files match it.
pub fn find(file: &CorpusFile, name: &str, position: usize, linter: &Linter) -> Vec<Diagnostic> {
    let (Some(format), Ok(text)) = (file.file_format(), file.text(position)) else {
        return Vec::new();
    };
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_piece_str(&text) else {
        return Vec::new();
    };
    let format = format.of(tree.root());
    let (dialog, issues) = format.read(tree);
    let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
    linter.problems(read, DialogPlace { file: name, position })
}
