//! Images, documents and recordings in turns, which are named and not shown.

use memchr::memmem;

use crate::dialog::{Content, Field, Turn};

/// Kinds of parts that are media, and how they are called; `input_audio` is `audio`.
const KINDS: [(&str, &str); 6] = [
    ("image", "image"),
    ("image_url", "image"),
    ("audio", "audio"),
    ("video", "video"),
    ("document", "document"),
    ("file", "file"),
];

/// The kind of a part that does not name one.
const UNNAMED: &str = "part";

/// Members with a media type.
const TYPES: [&str; 4] = ["media_type", "mime_type", "mimeType", "mediaType"];

/// Returns a line for each image, document or recording in a turn, such as `image, not shown (image/png)`.
pub fn media_lines(turn: &Turn) -> Vec<String> {
    let lines = media(turn).map(|Medium { called, of, .. }| match of {
        Some(of) => format!("{called}, not shown ({of})"),
        None => format!("{called}, not shown"),
    });
    lines.collect()
}

/// Returns the kinds of parts of a turn that are not read, without those that [`media_lines`] names.
pub fn other_unread(turn: &Turn) -> String {
    let mut all: Vec<_> = turn.unread.kinds().collect();
    for medium in media(turn) {
        for (kind, count) in &mut all {
            *count -= u64::from(*kind == medium.kind && *count > 0);
        }
    }
    let others = all.iter().filter(|(_, count)| *count > 0);
    let others: Vec<_> = others.map(|(kind, _)| kind.as_str()).collect();
    others.join(", ")
}

/// An image, a document or a recording.
struct Medium<'t> {
    /// Its kind among parts that are not read.
    kind: &'t str,
    called: &'static str,
    /// Its media type, if it names one.
    of: Option<&'t str>,
}

/// Returns the media of a turn, which are fields of it.
fn media(turn: &Turn) -> impl Iterator<Item = Medium<'_>> {
    let raw = |field: &'_ Field| match &field.content {
        Content::Raw(_) => !turn.unread.is_empty(),
        Content::Text(_) => false,
    };
    let fields = turn.fields.iter().filter(move |field| raw(field));
    fields.filter_map(|field| {
        let raw = field.content.as_str();
        let own = std::iter::once(field.name.as_str());
        let mut kinds = own.chain(members(raw, "type"));
        let kind = kinds.find(|kind| turn.unread.has(kind))?;
        // A kind may be the media type itself.
        let of = Some(kind).filter(|kind| kind.contains('/'));
        let of = of.or_else(|| media_type(raw));
        let called = match of.and_then(|of| of.split_once('/')) {
            Some((kind_of, _)) if kind == UNNAMED || kind.contains('/') => {
                called(kind_of).or(Some("document"))
            }
            _ => called(kind),
        };
        called.map(|called| Medium { kind, called, of })
    })
}

/// Returns how parts of a kind are called, if they are media.
fn called(kind: &str) -> Option<&'static str> {
    let kind = kind.strip_prefix("input_").unwrap_or(kind);
    let known = KINDS.iter().find(|(name, _)| *name == kind);
    known.map(|(_, called)| *called)
}

/// Returns the media type that a part names, in a member or at the beginning of its data.
fn media_type(raw: &str) -> Option<&str> {
    let data = || {
        let at = memmem::find(raw.as_bytes(), b"\"data:")? + "\"data:".len();
        raw.get(at..)?.split([';', ',', '"']).next()
    };
    let named = TYPES.iter().find_map(|name| members(raw, name).next());
    let found = named.or_else(data).or_else(|| members(raw, "format").next());
    found.filter(|of| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/+-._".contains(c);
        (1..=60).contains(&of.len()) && of.chars().all(is_plain)
    })
}

/// Returns the texts of all members with a name, wherever they are: data may be long, so nothing is parsed.
fn members<'r>(raw: &'r str, name: &str) -> impl Iterator<Item = &'r str> {
    let name = format!("\"{name}\"");
    let found: Vec<_> = memmem::find_iter(raw.as_bytes(), &name).collect();
    found.into_iter().filter_map(move |at| {
        let value = raw.get(at + name.len()..)?.trim_start().strip_prefix(':')?;
        value.trim_start().strip_prefix('"')?.split('"').next()
    })
}
