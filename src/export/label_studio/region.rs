//! The form of annotations in Label Studio, and of texts in its configuration.

use serde::Serialize;

/// An element of an annotation: a labelled part of a paragraph, or an answer about it or about the task.
#[derive(Clone, Serialize)]
pub struct Region<'a> {
    pub id: String,
    pub from_name: String,
    pub to_name: &'static str,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub value: RegionValue<'a>,
}

#[derive(Clone, Default, Serialize)]
pub struct RegionValue<'a> {
    #[serde(flatten)]
    pub part: Option<RegionPart<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paragraphlabels: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Free text, one element for each paragraph.
    #[serde(rename = "text", skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
}

/// The part of a paragraph that a region is.
#[derive(Clone, Serialize)]
pub struct RegionPart<'a> {
    /// The paragraph, as text.
    start: String,
    end: String,
    #[serde(rename = "startOffset")]
    start_offset: usize,
    #[serde(rename = "endOffset")]
    end_offset: usize,
    /// The text that it covers; None where the value has another text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
}

impl<'a> RegionPart<'a> {
    /// Returns the part of the paragraph `turn` with these bytes, of which `before` UTF-16 code units come first.
    pub fn new(turn: usize, before: usize, covered: &'a str) -> Self {
        Self {
            start: turn.to_string(),
            end: turn.to_string(),
            start_offset: before,
            end_offset: before + units(covered),
            text: Some(covered),
        }
    }

    /// Returns a part of the paragraph `turn`, given by its text and a range of bytes.
    pub fn of(turn: usize, text: &'a str, bytes: std::ops::Range<usize>) -> Self {
        Self::new(turn, units(&text[..bytes.start]), &text[bytes])
    }
}

/// The object that all controls are about.
pub const PARAGRAPHS: &str = "dialogue";

/// The control whose regions are judged turns and segments, not segments of the corpus.
pub const JUDGED: &str = "judged";

/// Returns the number of UTF-16 code units of a text.
pub fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// True for a text that XML can hold, as the labels of a configuration must be.
pub fn is_xml(text: &str) -> bool {
    text.chars().all(|char| {
        matches!(char, '\t' | '\n' | '\r' | ' '..) && !matches!(char, '\u{fffe}' | '\u{ffff}')
    })
}

/// Returns a text as the value of an XML attribute.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            char => escaped.push(char),
        }
    }
    escaped
}
