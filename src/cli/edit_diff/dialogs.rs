//! Prints what edits change in dialogs, turn by turn, for files whose lines are too long for a diff of
//! lines.

use std::io;
use std::io::Write as _;
use std::path::Path;

use crate::app::pane::truncated;
use crate::cli::printer::Printer;
use crate::cli::style;
use crate::cli::style::shown;
use crate::corpus::CorpusFile;
use crate::json::Parser;
use crate::lint::rendered_changes;
use crate::text::visible;

/// The most columns of a text before or after a change.
const COLUMNS: usize = 200;

/// Prints the changes. The inner result is that of reading the file.
pub fn print(
    path: &Path,
    file: &CorpusFile,
    out: &mut Printer,
) -> io::Result<Result<(), io::Error>> {
    let place = out.style(style::PLACE);
    writeln!(out, "{place}{}{place:#}", shown(path))?;
    print_changes(file, out)
}

/// Prints the changes, without the name of the file. The inner result is that of reading it.
pub fn print_changes(file: &CorpusFile, out: &mut Printer) -> io::Result<Result<(), io::Error>> {
    let Some(format) = file.file_format() else {
        return Ok(Ok(()));
    };
    let hunk = out.style(style::HUNK);
    let (removed, added) = (out.style(style::REMOVED), out.style(style::ADDED));
    for (position, new) in file.edited_texts() {
        let old = match file.bytes(*position) {
            Ok(old) => old,
            Err(error) => return Ok(Err(error)),
        };
        // Dialogs that are not UTF-8 cannot be edited.
        let old = String::from_utf8_lossy(&old);
        let (mut parser, mut other) = (Parser::new(), Parser::new());
        let (Ok(was), Ok(is)) = (parser.parse_piece_str(&old), other.parse_piece_str(new)) else {
            continue;
        };
        let format = format.of(was.root());
        let ((was, _), (is, _)) = (format.read(was), format.read(is));
        for change in rendered_changes(&was, &old, &is, new) {
            let turn = change.turn.map_or(String::new(), |t| format!(", turn {t}"));
            let id = visible(&was.id);
            writeln!(out, "{hunk}@@ dialog {position}{turn} @@{hunk:#} {id}")?;
            for (sign, style, text) in [('-', removed, &change.before), ('+', added, &change.after)]
            {
                let text = if text.is_empty() { "nothing" } else { text };
                let text = visible(text);
                writeln!(out, "{style}{sign} {}{style:#}", truncated(&text, COLUMNS))?;
            }
        }
    }
    Ok(Ok(()))
}
