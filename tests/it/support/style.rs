//! The output of a plain printer for a text, and the number of lines in which two texts differ.
//!
//! Most corpora were written by a printer with a handful of settings. Where those settings reproduce
//! a dialog to the byte, an edited dialog must equal the output of the same printer.

use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

use super::value::Json;

#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// The indentation of a level; None for a text of one line.
    pub indent: Option<String>,
    /// Of the line on which the outermost value closes.
    pub base: String,
    pub newline: &'static str,
    pub comma: &'static str,
    pub colon: &'static str,
    /// Characters beyond ASCII are escaped.
    pub ascii: bool,
}

impl Style {
    /// Every leaf on its own line.
    pub fn plain() -> Self {
        Self {
            indent: Some(" ".to_owned()),
            base: String::new(),
            newline: "\n",
            comma: ",",
            colon: ":",
            ascii: false,
        }
    }

    /// The style that reproduces `text`, if there is one. `file` is the text that contains it.
    pub fn of(text: &str, file: &str) -> Option<Self> {
        let json = Json::parse(text).ok()?;
        let style = Self::guess(text, file);
        (style.render(&json) == text).then_some(style)
    }

    fn guess(text: &str, file: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let leading = |line: &str| line[..line.len() - line.trim_start().len()].to_owned();
        let base = if lines.len() > 1 { leading(lines[lines.len() - 1]) } else { String::new() };
        let indent = (lines.len() > 1)
            .then(|| leading(lines[1]).strip_prefix(&base).unwrap_or_default().to_owned());
        let blank_after_comma =
            text.contains(", \n") || indent.is_none() && text.contains("\", \"");
        Self {
            base,
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            comma: if blank_after_comma { ", " } else { "," },
            colon: if text.contains("\": ") { ": " } else { ":" },
            ascii: escapes(text).or_else(|| escapes(file)).unwrap_or(false),
            indent,
        }
    }

    pub fn render(&self, json: &Json) -> String {
        let mut out = String::new();
        self.write(json, 0, &mut out);
        out
    }

    fn write(&self, json: &Json, depth: usize, out: &mut String) {
        match json {
            Json::Bare(raw) => out.push_str(raw),
            Json::String(text) => self.write_string(text, out),
            Json::Array(elements) => {
                let write = |i: usize, out: &mut String| self.write(&elements[i], depth + 1, out);
                self.write_all("[]", elements.len(), depth, out, write);
            }
            Json::Object(members) => {
                let write = |i: usize, out: &mut String| {
                    self.write_string(&members[i].0, out);
                    out.push_str(self.colon);
                    self.write(&members[i].1, depth + 1, out);
                };
                self.write_all("{}", members.len(), depth, out, write);
            }
        }
    }

    fn write_all(
        &self,
        brackets: &str,
        count: usize,
        depth: usize,
        out: &mut String,
        write: impl Fn(usize, &mut String),
    ) {
        out.push_str(&brackets[..1]);
        for i in 0..count {
            if i > 0 {
                out.push_str(self.comma);
            }
            self.break_line(depth + 1, out);
            write(i, out);
        }
        if count > 0 {
            self.break_line(depth, out);
        }
        out.push_str(&brackets[1..]);
    }

    fn break_line(&self, depth: usize, out: &mut String) {
        if let Some(indent) = &self.indent {
            out.push_str(self.newline);
            out.push_str(&self.base);
            out.push_str(&indent.repeat(depth));
        }
    }

    fn write_string(&self, text: &str, out: &mut String) {
        let quoted = serde_json::to_string(text).expect("a string");
        for char in quoted.chars() {
            if char.is_ascii() || !self.ascii {
                out.push(char);
                continue;
            }
            for unit in char.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
}

/// Whether characters beyond ASCII are escaped; None if there are none.
fn escapes(text: &str) -> Option<bool> {
    let mut escapes = text.split("\\u").skip(1);
    let beyond =
        |rest: &str| rest.get(..4).and_then(|d| u32::from_str_radix(d, 16).ok()) >= Some(0x80);
    if escapes.any(beyond) {
        return Some(true);
    }
    (!text.is_ascii()).then_some(false)
}

/// Lines that are only in `before`, and lines that are only in `after`.
pub fn changed_lines(before: &str, after: &str) -> (usize, usize) {
    let mut old: Vec<&str> = before.split_inclusive('\n').collect();
    let mut new: Vec<&str> = after.split_inclusive('\n').collect();
    // Equal lines at both ends need not be compared with everything.
    while old.last().is_some() && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let diff = TextDiff::from_slices(&old[head..], &new[head..]);
    let count = |tag| diff.iter_all_changes().filter(|c| c.tag() == tag).count();
    (count(ChangeTag::Delete), count(ChangeTag::Insert))
}
