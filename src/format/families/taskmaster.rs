//! Shared code of the four Taskmaster corpora: utterances with segments that quote them.
//!
//! A segment is `start_index`, `end_index` (code points, half-open), the quoted `text`, and
//! `annotations` whose `name`s are its labels; the labels of two workers follow each other.

use crate::dialog::{Dialog, Field, Issue, Label, Segment, Span, Speaker, Turn};
use crate::format::engine::read::{self, Frame, Reader, each, extent, field, members};
use crate::json::{NodeKind, Tree, Value};
use crate::text::Units;

/// The member with a dialog's id.
pub const ID: &str = "conversation_id";
/// The member with its turns.
pub const TURNS: &str = "utterances";
/// The member with the number of a turn.
pub const INDEX: &str = "index";

/// The differences between these corpora.
pub struct Variant {
    /// True if offsets may be strings of digits.
    pub string_offsets: bool,
    /// Members of a dialog that are known fields.
    pub known: &'static [&'static str],
    /// The member of an utterance with the calls of this corpus.
    pub calls: Option<&'static str>,
    pub read_calls: fn(&mut Reader, Value<'_>, &mut Turn),
}

pub fn read(variant: &Variant, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
    let frame = Frame { id: ID, turns: TURNS, known: variant.known };
    read::dialog(tree, Units::CodePoints, &frame, |reader, (_, value), turns| {
        // Filled in place, because a turn is large to move.
        utterance(reader, variant, value, turns.push_mut(Turn::default()));
    })
}

fn utterance(reader: &mut Reader, variant: &Variant, value: Value<'_>, turn: &mut Turn) {
    turn.at = extent(value);
    if !reader.is_object_in(value, "utterances") {
        return;
    }
    // No corpus has a member with this name, so it never matches.
    let calls_key = variant.calls.unwrap_or("\0");
    let keys = [INDEX, "speaker", "text", "segments", calls_key];
    let [index, speaker, text, segments, calls] = members(value, keys, &mut turn.fields);
    let index = reader.required(index, value, "the utterance", "index");
    turn.index = reader.index(index, "index");
    let speaker = reader.required(speaker, value, "the utterance", "speaker");
    turn.speaker = Speaker::named(reader.text(speaker, "speaker"));
    let text = reader.required(text, value, "the utterance", "text");
    turn.text = reader.text(text, "text");
    if let Some(segments) = segments {
        let elements = reader.elements(segments, "segments");
        turn.segments = each(elements, |value| segment(reader, variant, value));
    }
    if let Some(calls) = calls {
        (variant.read_calls)(reader, calls, turn);
    }
}

fn segment(reader: &mut Reader, variant: &Variant, value: Value<'_>) -> Segment {
    let mut segment = Segment { at: extent(value), ..Segment::default() };
    if !reader.is_object_in(value, "segments") {
        return segment;
    }
    let keys = ["start_index", "end_index", "text", "annotations", "annotator_id"];
    let [start, end, text, annotations, annotator] = members(value, keys, &mut segment.fields);
    let in_text = |offset: Option<Value<'_>>| offset.is_some_and(|o| o.kind() == NodeKind::String);
    segment.has_misspelled_span = !variant.string_offsets && (in_text(start) || in_text(end));
    let start = reader.required(start, value, "the segment", "start_index");
    let start = offset(reader, variant, start, "start_index");
    let end = reader.required(end, value, "the segment", "end_index");
    let end = offset(reader, variant, end, "end_index");
    segment.span = start.zip(end).map(|(start, end)| Span { start, end });
    if let Some(text) = reader.required(text, value, "the segment", "text") {
        segment.quote = Some(reader.text(Some(text), "text"));
    }
    segment.annotator = annotator.map(|id| reader.text(Some(id), "annotator_id"));
    if let Some(annotations) = reader.required(annotations, value, "the segment", "annotations") {
        let elements = reader.elements(annotations, "annotations");
        segment.labels = each(elements, |value| label(reader, value));
        // Only those with a name are labels.
        segment.labels.retain(|label| label.at.is_placed());
    }
    segment
}

fn label(reader: &mut Reader, value: Value<'_>) -> Label {
    if reader.is_object_in(value, "annotations")
        && let Some(name) = reader.required(value.get("name"), value, "the annotation", "name")
    {
        return Label { name: reader.text(Some(name), "name"), at: extent(value) };
    }
    Label::default()
}

/// Reads an offset. A string of digits is accepted in every corpus, but is an issue in most.
fn offset(
    reader: &mut Reader,
    variant: &Variant,
    value: Option<Value<'_>>,
    name: &'static str,
) -> Option<u32> {
    let value = value?;
    let text = value.as_str();
    let digits = text
        .as_deref()
        .filter(|t| (1..=9).contains(&t.len()) && t.bytes().all(|b| b.is_ascii_digit()));
    match digits {
        Some(digits) => {
            if !variant.string_offsets {
                reader.report(value, name, "a non-negative integer");
            }
            digits.parse().ok()
        }
        None => reader.index(Some(value), name),
    }
}

/// Returns the arguments or the response of a call: a field for every member.
pub fn all_fields(object: Value<'_>) -> Vec<Field> {
    each(object.members(), |(key, value)| field(key, value, true))
}
