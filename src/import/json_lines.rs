//! Reads annotations that have a line for each turn.

use serde::Deserialize;

use super::annotated::{AnnotatedTurn, ImportError};

/// The most errors to report: the lines of a wrong file are all wrong.
pub const MOST: usize = 10;

/// Reads each line that is not empty; `turn` returns None for a line to leave out.
///
/// # Errors
/// For each of the first lines that cannot be read.
pub fn json_lines<'t, T: Deserialize<'t>>(
    text: &'t str,
    turn: impl Fn(usize, T) -> Result<Option<AnnotatedTurn>, ImportError>,
) -> Result<Vec<AnnotatedTurn>, Vec<ImportError>> {
    let (mut turns, mut errors) = (Vec::new(), Vec::new());
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let read = serde_json::from_str(line);
        let read = read.map_err(|error| ImportError::new(number, error.to_string()));
        match read.and_then(|line| turn(number, line)) {
            Ok(read) => turns.extend(read),
            Err(error) => errors.push(error),
        }
        if errors.len() == MOST {
            break;
        }
    }
    if errors.is_empty() { Ok(turns) } else { Err(errors) }
}
