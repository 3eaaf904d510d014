//! Extra fields of a segment: all except its span, its quote and the names of its labels, such as its
//! annotator. They belong to that one segment: segments created from it do not get them.

use crate::app::core::App;
use crate::dialog::Extent;
use crate::json::Parser;

/// The name of the field for the annotator of a segment.
pub const ANNOTATOR: &str = "annotator_id";

/// Returns the names of the extra fields of a segment of the current turn and of its labels.
pub fn extra_fields(app: &App, segment: usize) -> Vec<String> {
    let t = &app.panes.transcript;
    let segment = t.current().and_then(|turn| turn.segments.get(segment));
    let text = t.at.and_then(|at| app.workspace.files.text(at).ok());
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

/// Adds to the message that the `fields` of a segment were lost; `what` introduces their list.
pub fn report_lost_fields(app: &mut App, fields: &[String], what: &str) {
    if !fields.is_empty() {
        let mut before = app.status.text();
        if !before.is_empty() {
            before += "; ";
        }
        app.complain(format!("{before}{what}: {}", fields.join(", ")));
    }
}
