//! Finds the scheme of a question.

use crate::judging::{BREAKDOWN, BUNDLED, Scheme};
use crate::shell::{FoundPath, files_of, scheme_beside, scheme_named};

/// Returns the scheme beside the corpus, if there is one, and the bundled ones.
///
/// # Errors
/// If the one beside the corpus cannot be used.
pub fn schemes_of(found: &[FoundPath]) -> Result<Vec<Scheme>, String> {
    let mut schemes: Vec<Scheme> = beside(found)?.into_iter().collect();
    for (name, _) in BUNDLED {
        if schemes.iter().all(|scheme| scheme.name != name) {
            schemes.extend(Scheme::bundled(name));
        }
    }
    Ok(schemes)
}

/// Returns the scheme beside the first file.
fn beside(found: &[FoundPath]) -> Result<Option<Scheme>, String> {
    files_of(found).first().map_or(Ok(None), |file| scheme_beside(file))
}

/// Returns the scheme that is given, or the one beside the corpus that has the question, or the only bundled one that
/// has it; without a question, the one beside the corpus, or else that of votes on breakdowns.
///
/// # Errors
/// If there is none, or it cannot be used.
pub fn scheme_of(
    name: Option<&str>,
    given: Option<&str>,
    found: &[FoundPath],
) -> Result<Scheme, String> {
    if let Some(given) = given {
        return scheme_named(given);
    }
    if let Some(scheme) = beside(found)?
        && name.is_none_or(|name| scheme.question(name).is_some())
    {
        return Ok(scheme);
    }
    let bundled = BUNDLED.iter().filter_map(|(of, _)| Scheme::bundled(of));
    let mut bundled: Vec<_> = bundled
        .filter(|scheme| match name {
            Some(name) => scheme.question(name).is_some(),
            None => scheme.name == BREAKDOWN,
        })
        .collect();
    let name = name.unwrap_or_default();
    match bundled.len() {
        1 => Ok(bundled.remove(0)),
        0 => Err(format!(
            "no scheme here asks {name:?}; see `turnwise schemes`, or name one with --scheme"
        )),
        _ => {
            let names: Vec<_> = bundled.into_iter().map(|scheme| scheme.name).collect();
            Err(format!(
                "several schemes ask {name:?}; name one with --scheme: {}",
                names.join(", ")
            ))
        }
    }
}
