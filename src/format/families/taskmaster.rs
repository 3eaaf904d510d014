//! Shared code of the four Taskmaster corpora: utterances with segments that quote them.
//!
//! A segment is `start_index`, `end_index` (code points, half-open), the quoted `text`, and
//! `annotations` whose `name`s are its labels; the labels of two workers follow each other.

use crate::dialog::{Dialog, Edit, EditError, Field, Issue, Label, Segment, Span, Speaker, Turn};
use crate::format::engine::edit::{
    EditedDialog, append_all, follow_segments, insert, object_of, set_index, set_text,
};
use crate::format::engine::read::{self, Frame, Reader, each, extent, field, members};
use crate::format::engine::shape::{Sign, any_has, has_objects, is_empty};
use crate::format::engine::turns::{self, NewPlace};
use crate::json::{Editor, NewValue, NodeKind, Splice, Tree, Value};
use crate::text::Units;

/// The member with a dialog's id.
pub const ID: &str = "conversation_id";
/// The member with its turns.
pub const TURNS: &str = "utterances";
/// The member with the number of a turn.
pub const INDEX: &str = "index";

/// The differences between these corpora.
pub struct Variant {
    pub title: &'static str,
    /// True if offsets may be strings of digits. New offsets are then strings too, unless their neighbours
    /// are numbers.
    pub string_offsets: bool,
    /// Members of a dialog that are known fields.
    pub known: &'static [&'static str],
    /// The member of an utterance with the calls of this corpus.
    pub calls: Option<&'static str>,
    pub read_calls: fn(&mut Reader, Value<'_>, &mut Turn),
    pub write_calls: fn(&Editor<'_>, &EditedDialog<'_>) -> Result<Vec<Splice>, EditError>,
}

/// Returns the signs of all their dialogs besides the id.
pub fn signs(root: Value<'_>) -> Vec<Sign> {
    let has = |member: &str| is_empty(root, TURNS) || any_has(root, TURNS, member, |_| true);
    vec![
        Sign::new("`utterances`, an array of objects", has_objects(root, TURNS)),
        Sign::new("`text` and `speaker` in its utterances", has("text") && has("speaker")),
    ]
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
                reader.report(value, name, "an integer from 0 on");
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

pub fn write(
    variant: &Variant,
    editor: &Editor<'_>,
    edited: &EditedDialog<'_>,
) -> Result<Vec<Splice>, EditError> {
    let (before, after) = edited.turns();
    let turn = object_of(editor, before.at, "the utterance")?;
    let array = turn.get("segments");
    Ok(match edited.edit {
        Edit::SetSpan { segment, .. } => write_span(
            variant,
            editor,
            turn,
            &before.segments[*segment],
            &after.segments[*segment],
            true,
        )?,
        Edit::SetQuote { segment, .. } => write_span(
            variant,
            editor,
            turn,
            &before.segments[*segment],
            &after.segments[*segment],
            false,
        )?,
        Edit::AddSegment { .. } => {
            let (place, new) = edited.new_segment().unwrap_or((0, &after.segments[0]));
            let new = vec![new_segment(variant, editor, turn, new)];
            vec![insert(editor, turn, "segments", place, new)?]
        }
        Edit::RemoveSegment { segment, .. } => array
            .and_then(|array| editor.remove_at(array, before.segments[*segment].at.start))
            .into_iter()
            .collect(),
        Edit::SetLabels { segment, labels, .. } => {
            let object = object_of(editor, before.segments[*segment].at, "the segment")?;
            let names: Vec<_> = labels.iter().map(String::as_str).collect();
            match object.get("annotations").filter(|v| v.elements().next().is_some()) {
                Some(array) => editor.set_list(array, &names, |v| v.get("name"), annotation),
                None => {
                    let new = names.iter().map(|name| annotation(name)).collect();
                    vec![append_all(editor, object, "annotations", new)?]
                }
            }
        }
        Edit::SetText { text, shrink, .. } => {
            let mut splices = vec![set_text(editor, turn, "text", text)];
            let span = |before: &Segment, after: &Segment| {
                write_span(variant, editor, turn, before, after, false)
            };
            let moved = before.moved_by(text, *shrink, edited.before.units);
            splices.extend(follow_segments(editor, array, before, after, &moved, span)?);
            splices
        }
        Edit::SetSpeaker { speaker, .. } => vec![set_text(editor, turn, "speaker", speaker)],
        _ => (variant.write_calls)(editor, edited)?,
    })
}

/// Writes a new turn, or removes one.
///
/// # Errors
/// If the turns have no numbers.
pub fn write_turns(
    editor: &Editor<'_>,
    edited: &EditedDialog<'_>,
) -> Result<Vec<Splice>, EditError> {
    if let Edit::RemoveTurn { .. } = edited.edit {
        return turns::remove_turn(editor, edited, Some(INDEX));
    }
    let place = NewPlace::under(editor, TURNS, edited.edit)?;
    let members = turns::new_members(edited, &place, ["speaker", "text"]);
    turns::add_turn(editor, edited, &place, members, Some(INDEX))
}

fn write_span<'a>(
    variant: &Variant,
    editor: &Editor<'a>,
    turn: Value<'a>,
    before: &Segment,
    after: &Segment,
    moved: bool,
) -> Result<Vec<Splice>, EditError> {
    let object = object_of(editor, before.at, "the segment")?;
    let mut splices = Vec::new();
    // A string of digits in a corpus with number offsets is an issue that a new span resolves.
    let mended = |key: &str| {
        let offset = object.get(key).filter(|v| v.kind() == NodeKind::String);
        offset.filter(|_| moved && !variant.string_offsets)
    };
    if let Some(span) = after.span {
        let new = [("start_index", span.start), ("end_index", span.end)];
        for (value, offset) in new.map(|(key, offset)| (mended(key), offset)) {
            if let Some(value) = value {
                let offset = NewValue::Integer(i64::from(offset));
                splices.push(editor.replace(value, &offset));
            }
        }
        if before.span.is_none_or(|old| old.start != span.start) && mended("start_index").is_none()
        {
            splices.push(set_index(editor, object, "start_index", span.start));
        }
        if before.span.is_none_or(|old| old.end != span.end) && mended("end_index").is_none() {
            splices.push(set_index(editor, object, "end_index", span.end));
        }
    }
    if before.quote != after.quote
        && let Some(value) = object.get("text")
    {
        splices.push(editor.replace(value, &quote(editor, turn, after)));
    }
    Ok(splices)
}

/// Returns the quoted text of a segment. Half of a surrogate pair reads as U+FFFD, so the text is copied.
fn quote<'a>(editor: &Editor<'a>, turn: Value<'a>, segment: &Segment) -> NewValue {
    let quote = segment.quote.as_deref().unwrap_or_default();
    match (turn.get("text"), segment.span) {
        (Some(old), Some(span)) if quote.contains(char::REPLACEMENT_CHARACTER) => {
            editor.quote(old, span.range())
        }
        _ => NewValue::String(quote.to_owned()),
    }
}

fn annotation(name: &str) -> NewValue {
    NewValue::Object(vec![("name".to_owned(), NewValue::String(name.to_owned()))])
}

fn new_segment<'a>(
    variant: &Variant,
    editor: &Editor<'a>,
    turn: Value<'a>,
    segment: &Segment,
) -> NewValue {
    let seen = editor.holder("start_index", turn).and_then(|v| v.get("start_index"));
    // Like the neighbours, unless they are wrong.
    let as_string = variant.string_offsets && seen.is_none_or(|v| v.kind() == NodeKind::String);
    let offset = |offset: u32| {
        if as_string {
            NewValue::String(offset.to_string())
        } else {
            NewValue::Integer(i64::from(offset))
        }
    };
    let span = segment.span.unwrap_or(Span { start: 0, end: 0 });
    let labels = segment.labels.iter().map(|label| annotation(&label.name)).collect();
    NewValue::Object(vec![
        ("start_index".to_owned(), offset(span.start)),
        ("end_index".to_owned(), offset(span.end)),
        ("text".to_owned(), quote(editor, turn, segment)),
        ("annotations".to_owned(), NewValue::Array(labels)),
    ])
}
