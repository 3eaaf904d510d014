//! Finds the ontology files that Google publishes with its corpora.
//!
//! They are called `ontology.json`, or are in a folder `ontology`, next to the data or next to the
//! data's folder. Like corpora, they are recognized by content.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::disk::read_side_text;
use super::real_path::RealPaths;
use crate::format::ontology;
use crate::json::Parser;
use crate::ontology::Ontology;

/// Largest file that is read, in bytes.
const LARGEST: u64 = 4 << 20;

/// Returns the ontologies next to `files`, each once.
pub fn ontologies_beside(files: &[PathBuf]) -> Vec<Ontology> {
    let mut real = RealPaths::default();
    let folders: BTreeSet<PathBuf> = files
        .iter()
        .filter_map(|file| Some(real.of(file).parent()?.to_owned()))
        .collect();
    let mut around = folders.clone();
    around.extend(
        folders
            .iter()
            .filter_map(|f| f.parent().map(Path::to_owned)),
    );
    let mut found = BTreeSet::new();
    for folder in around {
        found.insert(folder.join("ontology.json"));
        let inside = fs::read_dir(folder.join("ontology")).into_iter().flatten();
        let json = inside.flatten().map(|entry| entry.path());
        found.extend(json.filter(|path| path.extension().is_some_and(|e| e == "json")));
    }
    found.iter().filter_map(|path| read(path)).collect()
}

/// Reads an ontology; returns None if the file is something else.
fn read(path: &Path) -> Option<Ontology> {
    let text = read_side_text(path, LARGEST).ok()?;
    let mut parser = Parser::new();
    ontology(parser.parse_str(&text).ok()?.root())?;
    let mut ontology = Ontology::read(&text).ok()?;
    ontology.set_title(path);
    Some(ontology)
}
