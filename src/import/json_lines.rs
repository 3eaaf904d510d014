//! Reads annotations that have a line for each turn or segment.

use serde::Deserialize;

use super::annotated::ImportError;

/// The most errors to report: the lines of a wrong file are all wrong.
pub const MOST: usize = 10;

/// Reads each line that is not empty; `each` takes its number and what it says, and returns None for a line to leave out.
///
/// # Errors
/// For each of the first lines that cannot be read.
pub fn json_lines<'t, T: Deserialize<'t>, R>(
    text: &'t str,
    each: impl Fn(usize, T) -> Result<Option<R>, ImportError>,
) -> Result<Vec<R>, Vec<ImportError>> {
    let (mut all, mut errors) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let read = serde_json::from_str(line);
        let read = read.map_err(|error| ImportError::new(number, error.to_string()));
        match read.and_then(|line| each(number, line)) {
            Ok(read) => all.extend(read),
            Err(error) => errors.push(error),
        }
        if errors.len() == MOST {
            break;
        }
    }
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}
