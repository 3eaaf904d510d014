//! Reads an ontology in any of its forms.

use super::{Ontology, domains, file, google};
use crate::json::{BadText, Parser};

impl Ontology {
    /// Reads an ontology in the TOML format of turnwise, or in the JSON that is published with a corpus.
    ///
    /// # Errors
    /// The reason why it is neither, with the position.
    pub fn read(text: &str) -> Result<Self, BadText> {
        match text.trim_start().as_bytes().first() {
            Some(b'{') => published(text),
            // A TOML file may begin with a table.
            Some(b'[') if !is_table(text) => published(text),
            _ => file::read(text),
        }
    }
}

/// Reads the JSON of an ontology.
fn published(text: &str) -> Result<Ontology, BadText> {
    let mut parser = Parser::new();
    let tree =
        parser.parse_str(text).map_err(|error| BadText::at(text, error.at, error.to_string()))?;
    match domains::read(tree.root()) {
        Some(ontology) => Ok(ontology),
        None => google::read(text, tree.root()),
    }
}

/// True if a text begins with the head of a table in TOML, not with an array in JSON.
fn is_table(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default().trim_end();
    let name = line.trim_start_matches('[').trim_end_matches(']');
    line.ends_with(']') && !name.is_empty() && !name.contains(['{', '"', ','])
}
