//! Fields of a segment beyond its span, its quote and its label names: those a corpus has got from
//! other tools, and the annotator who made the segment. They belong to that segment and are never
//! copied to another.

use super::App;
use crate::dialog::Extent;
use crate::json::Parser;

/// Name of the field with the annotator of a segment.
pub(super) const ANNOTATOR: &str = "annotator_id";

impl App {
    /// Returns the names of such fields of a segment of the current turn and of its labels.
    pub(super) fn extra_fields(&self, segment: usize) -> Vec<String> {
        let t = &self.transcript;
        let segment = t.current().and_then(|turn| turn.segments.get(segment));
        let text = t.at.and_then(|at| self.files.text(at).ok());
        let Some((segment, text)) = segment.zip(text) else {
            return Vec::new();
        };
        let own = segment.fields.iter().filter(|field| !field.known);
        let mut names: Vec<_> = own.map(|field| field.name.to_string()).collect();
        names.extend(segment.annotator.as_ref().map(|_| ANNOTATOR.to_owned()));
        for label in &segment.labels {
            let Extent { start, end } = label.at;
            let json = text.get(start as usize..end as usize).unwrap_or_default();
            let mut parser = Parser::new();
            let Ok(tree) = parser.parse_str(json) else {
                continue;
            };
            let members = tree.root().members().filter_map(|(key, _)| key.as_str());
            names.extend(members.filter(|name| name != "name").map(Into::into));
        }
        names.sort();
        names.dedup();
        names
    }

    /// Appends to the status line that a segment did not get these `fields` of another one.
    pub(super) fn report_lost_fields(&mut self, fields: &[String], what: &str) {
        if !fields.is_empty() {
            let status = std::mem::take(&mut self.status.text);
            let before = if status.is_empty() {
                status
            } else {
                status + "; "
            };
            self.complain(format!("{before}{what}: {}", fields.join(", ")));
        }
    }
}
