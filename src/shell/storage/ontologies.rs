//! Finds the ontology files that are published with corpora.
//!
//! They are called `ontology.json` or `schema.json`, or are in a folder `ontology`, next to the data or next to the
//! data's folder. Like corpora, they are recognized by content. The description of a declared format may name
//! another file there, which may be in turnwise's own form.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::beside::{files_in, has_extension};
use super::disk::{is_there, read_side_text};
use super::formats::FormatFinder;
use super::paths::RealPaths;
use crate::format::OntologyForm;
use crate::json::{BadText, Parser};
use crate::ontology::Ontology;

/// Largest file that is read, in bytes.
const LARGEST: u64 = 4 << 20;

/// Returns the ontologies next to `files`, each once.
///
/// # Errors
/// If a file that should be one cannot be read, or is not JSON. JSON of another form is ignored.
pub fn ontologies_beside(files: &[PathBuf]) -> Result<Vec<Ontology>, String> {
    let mut real = RealPaths::default();
    let folders: BTreeSet<PathBuf> =
        files.iter().filter_map(|file| Some(real.of(file).parent()?.to_owned())).collect();
    let mut around = folders.clone();
    around.extend(folders.iter().filter_map(|f| f.parent().map(Path::to_owned)));
    let mut found = BTreeSet::new();
    for folder in around {
        found.insert(folder.join("ontology.json"));
        found.insert(folder.join("schema.json"));
        found.extend(files_in(&folder.join("ontology"), |path| has_extension(path, "json")));
    }
    let mut all = Vec::new();
    for path in found.iter().filter(|path| is_there(path)) {
        all.extend(read(path, is_published).map_err(|wrong| wrong.in_file(path))?);
    }
    all.extend(named(&folders)?);
    Ok(all)
}

/// Reads the ontologies that descriptions of formats name, next to the data or next to the data's folder,
/// whichever is nearer. Each is for the format that names it.
fn named(folders: &BTreeSet<PathBuf>) -> Result<Vec<Ontology>, String> {
    let mut finder = FormatFinder::default();
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for folder in folders {
        let formats = finder.of(&folder.join("corpus"));
        for format in formats.own() {
            let ontology = format.description().ontology.as_ref();
            let Some(file) = ontology.and_then(|ontology| ontology.file.as_ref()) else {
                continue;
            };
            let mut places = folder.ancestors().take(2).map(|folder| folder.join(file));
            let Some(path) = places.find(|path| is_there(path)) else {
                continue;
            };
            if seen.insert((path.clone(), format.name()))
                && let Some(mut ontology) =
                    read(&path, |_| Ok(true)).map_err(|wrong| wrong.in_file(&path))?
            {
                ontology.families = vec![format.name().to_owned()];
                ontology.is_for_all = true;
                all.push(ontology);
            }
        }
    }
    Ok(all)
}

/// Reads an ontology; returns None if the text of the file is not `wanted`.
fn read(
    path: &Path,
    wanted: impl Fn(&str) -> Result<bool, BadText>,
) -> Result<Option<Ontology>, BadText> {
    let text = read_side_text(path, LARGEST).map_err(|error| BadText::whole(&error))?;
    if !wanted(&text)? {
        return Ok(None);
    }
    let mut ontology = Ontology::read(&text)?;
    ontology.set_title(path);
    Ok(Some(ontology))
}

/// True for JSON in one of the forms in which ontologies are published.
///
/// # Errors
/// If it is not JSON.
fn is_published(text: &str) -> Result<bool, BadText> {
    let mut parser = Parser::new();
    let tree =
        parser.parse_str(text).map_err(|error| BadText::at(text, error.at, error.to_string()))?;
    Ok(!matches!(OntologyForm::of(tree.root()), None | Some(OntologyForm::DataSets)))
}
