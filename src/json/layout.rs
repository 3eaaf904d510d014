//! The layout of containers in a text: the whitespace and commas between their children.
//!
//! Nothing is configured, and no layout is guessed for a whole file. A new value takes its layout from a
//! neighbouring container or, if there is none, from the nearest one of its kind. This keeps two-space,
//! four-space, hand-indented and one-line texts, `": "` and `":"`, and even a space after each comma at
//! the end of a line.

use super::lookup::TextLookup;
use super::tree::{NodeKind, Value};

/// The text around the children of one container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gaps {
    /// From the opening bracket to the first child.
    pub lead: String,
    /// From one child to the next, with the comma.
    pub between: String,
    /// From the last child to the closing bracket.
    pub tail: String,
    /// From a key to its value, with the colon.
    pub colon: String,
    /// The indentation that `lead`, `between` and `tail` are relative to.
    pub indent: String,
}

/// A new container for which there is no example.
#[derive(Clone, Copy)]
pub(super) struct NewContainer {
    pub kind: NodeKind,
    /// True if it will hold containers, not only scalars.
    pub of_containers: bool,
    /// True if its parent is on one line.
    pub on_one_line: bool,
    /// Its byte offset in the text.
    pub at: usize,
}

/// Returns the byte ranges of the children of a container, in order. A member starts with its key.
pub(super) fn children(container: Value<'_>) -> Vec<std::ops::Range<usize>> {
    let (start, end) =
        (|v: Value<'_>| v.range().start as usize, |v: Value<'_>| v.range().end as usize);
    match container.kind() {
        NodeKind::Object => {
            container.members().map(|(key, value)| start(key)..end(value)).collect()
        }
        _ => container.elements().map(|value| start(value)..end(value)).collect(),
    }
}

/// Returns the indentation of `line`.
fn indent(line: &str) -> &str {
    let rest = line.trim_start_matches([' ', '\t']);
    &line[..line.len() - rest.len()]
}

/// Returns the indentation of the last line of `gap`, if it has several lines. A comma may follow it.
pub(super) fn last_indent(gap: &str) -> Option<&str> {
    gap.rsplit_once('\n').map(|(_, line)| indent(line))
}

/// Changes the indentation of the last line of `gap` from `from` to `to`, keeping any deeper part. A line
/// with another indentation stays as it is.
pub(super) fn reindent(gap: &str, from: &str, to: &str) -> String {
    let (lines, last) = gap.split_at(gap.rfind('\n').map_or(0, |newline| newline + 1));
    match last.strip_prefix(from) {
        Some(deeper) if !lines.is_empty() => format!("{lines}{to}{deeper}"),
        _ => gap.to_owned(),
    }
}

/// Returns the indentation of the line on which a container closes, or, if it is on one line, opens.
pub(super) fn indent_of<'a>(lookup: &TextLookup<'a>, container: Value<'_>) -> &'a str {
    let text = lookup.tree.text();
    let range = container.range().bytes();
    let inner =
        text[range.start + 1..range.end.max(range.start + 2) - 1].trim_end_matches([' ', '\t']);
    if inner.ends_with('\n') {
        return &text[range.start + 1 + inner.len()..range.end - 1];
    }
    indent(&text[lookup.line_start(range.start)..range.start])
}

impl Gaps {
    /// Returns the gaps of `container` around its child `near`. None if it is empty.
    pub fn of(lookup: &TextLookup<'_>, container: Value<'_>, near: usize) -> Option<Self> {
        let text = lookup.tree.text();
        let range = container.range().bytes();
        let children = lookup.children(container);
        let (first, last) = (children.first()?, children.last()?);
        let lines = container.is_lines();
        let lead = if lines { "" } else { &text[range.start + 1..first.start] };
        let between = match near.min(children.len() - 1) {
            0 if children.len() == 1 => between_from(lookup, container, lead),
            0 => text[children[0].end..children[1].start].to_owned(),
            i => text[children[i - 1].end..children[i].start].to_owned(),
        };
        Some(Self {
            lead: lead.to_owned(),
            between,
            tail: if lines { "" } else { &text[last.end..range.end - 1] }.to_owned(),
            colon: colon_of(container).unwrap_or_else(|| nearest_colon(lookup, container)),
            indent: if lines { "" } else { indent_of(lookup, container) }.to_owned(),
        })
    }

    /// Returns the gaps of the container that is most similar to `wanted`.
    pub fn like(lookup: &TextLookup<'_>, wanted: NewContainer) -> Self {
        let best = lookup.most_alike(wanted);
        best.and_then(|v| Self::of(lookup, v, 0)).unwrap_or_else(|| Self {
            lead: String::new(),
            between: ", ".to_owned(),
            tail: String::new(),
            colon: ": ".to_owned(),
            indent: String::new(),
        })
    }
}

/// True if an object or array contains another one.
pub(super) fn holds_containers(v: Value<'_>) -> bool {
    match v.kind() {
        NodeKind::Object => v.members().any(|(_, value)| value.is_container()),
        _ => v.elements().any(Value::is_container),
    }
}

/// Returns the text between the member `key` of `object` and the member before it, if any, and the text between
/// the key and its value.
pub(super) fn around_key<'a>(object: Value<'a>, key: &str) -> Option<(Option<&'a str>, &'a str)> {
    let text = object.tree().text();
    let bytes = |from: u32, to: u32| &text[from as usize..to as usize];
    let mut end = None;
    for (k, value) in object.members() {
        if k.is_text(key) {
            let before = end.map(|end| bytes(end, k.range().start));
            return Some((before, bytes(k.range().end, value.range().start)));
        }
        end = Some(value.range().end);
    }
    None
}

/// Returns the text that `container`, which has one child and this `lead`, would have between two children. It is
/// taken from the nearest container of the same kind that is also on one line or on several.
fn between_from(lookup: &TextLookup<'_>, container: Value<'_>, lead: &str) -> String {
    let many_lines = lead.contains('\n');
    let near = lookup.comma(container.kind(), many_lines, container.range().start);
    let comma = near.unwrap_or_else(|| {
        let spaced = !many_lines && nearest_colon(lookup, lookup.tree.root()).ends_with(' ');
        if spaced { ", " } else { "," }
    });
    let lead = if many_lines { lead } else { "" };
    format!("{comma}{lead}")
}

/// Returns the end of the first child and the start of the second.
pub(super) fn children_pair(container: Value<'_>) -> Option<(usize, usize)> {
    match container.kind() {
        NodeKind::Object => {
            let mut members = container.members();
            let (_, first) = members.next()?;
            let (second, _) = members.next()?;
            Some((first.range().end as usize, second.range().start as usize))
        }
        NodeKind::Array => {
            let mut elements = container.elements();
            let first = elements.next()?;
            Some((first.range().end as usize, elements.next()?.range().start as usize))
        }
        _ => None,
    }
}

/// Returns the text between the first key of an object and its value.
fn colon_of(object: Value<'_>) -> Option<String> {
    let (key, value) = object.members().next()?;
    let text = object.tree().text();
    Some(text[key.range().end as usize..value.range().start as usize].to_owned())
}

fn nearest_colon(lookup: &TextLookup<'_>, near: Value<'_>) -> String {
    let object = lookup.with_colon(near.range().start);
    object.and_then(colon_of).unwrap_or_else(|| ": ".to_owned())
}
