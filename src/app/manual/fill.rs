//! Puts keys and tables into a chapter.
//!
//! A key is a code span followed by a comment that names its command: `` `f`<!--fix--> ``. The comment may
//! also name the scope of the key and, if the command has several keys, the number of the key:
//! `<!--span.relabel-->`, `<!--turn_next 2-->`. In a row of a table, one comment at the end names the commands
//! of the row's first code spans: `` | `J` `K` | next and previous dialog <!-- dialog_next, dialog_previous --> | ``.
//! A generated table follows `<!-- table: rules -->`. Readers never see the comments.

use std::fmt::Write as _;

use crate::app::input::{Command, Keymap, Scope};

const TABLE: &str = "<!-- table: ";

/// Fills `text` with the keys of `keymap` and the tables that `table` knows by their kinds, in place of rows that
/// `text` has there already.
pub fn filled(text: &str, keymap: &Keymap, table: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        out.push_str(&with_keys(line, keymap));
        let kind = line.strip_prefix(TABLE).and_then(|rest| rest.split_once(" -->"));
        if let Some(rows) = kind.and_then(|(kind, _)| table(kind)) {
            out.push_str(&rows);
            while lines.next_if(|line| line.starts_with('|')).is_some() {}
        }
    }
    out
}

/// Returns `text` without its comments, for a pipe.
pub fn plain(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    let shown = lines.filter(|line| !line.starts_with("<!--"));
    shown.map(without_comments).collect()
}

fn without_comments(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, comment)) = rest.split_once("<!--") {
        out.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
        if before.ends_with(' ') && rest.starts_with(' ') {
            out.pop();
        }
    }
    out + rest
}

/// Puts keys into the code spans of `line` that are followed by a comment naming a command.
fn with_keys(line: &str, keymap: &Keymap) -> String {
    let names = line.strip_prefix('|').and_then(|row| row.split_once("<!-- "));
    if let Some((names, _)) = names.and_then(|(_, names)| names.split_once(" -->")) {
        return row_with_keys(line, names.split(", "), keymap);
    }
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, comment)) = rest.split_once("`<!--") {
        let Some((name, after)) = comment.split_once("-->") else {
            break;
        };
        let text = before.rsplit_once('`').map_or("", |(text, _)| text);
        out.push_str(text);
        out.push_str(&code(&key(name, keymap), false));
        let _ = write!(out, "<!--{name}-->");
        rest = after;
    }
    out + rest
}

/// Puts the keys of the commands called `names` into the first code spans of the row `line`.
fn row_with_keys<'n>(line: &str, names: impl Iterator<Item = &'n str>, keymap: &Keymap) -> String {
    let mut out = String::new();
    let mut rest = line;
    for name in names {
        let Some((before, (_, after))) =
            rest.split_once('`').and_then(|(before, code)| Some((before, code.split_once('`')?)))
        else {
            break;
        };
        out.push_str(before);
        out.push_str(&code(&key(name, keymap), true));
        rest = after;
    }
    out + rest
}

/// Returns the key for a comment such as `fix`, `span.relabel` or `turn_next 2`.
fn key(name: &str, keymap: &Keymap) -> String {
    let (name, nth) = match name.split_once(' ') {
        Some((name, nth)) => (name, nth.parse().unwrap_or(1)),
        None => (name, 1_usize),
    };
    let (scope, name) = match name.split_once('.') {
        Some((scope, name)) => (Scope::named(scope), name),
        None => (None, name),
    };
    let scopes = match &scope {
        Some(scope) => std::slice::from_ref(scope),
        None => &Scope::ALL[..],
    };
    let command = Command::named(name).into_iter();
    let keys: Vec<_> = command.flat_map(|command| keymap.keys_of(command, scopes)).collect();
    let key = keys.get(nth.saturating_sub(1)).or(keys.first());
    key.map_or_else(|| format!(":{name}"), ToString::to_string)
}

/// Makes `text` a code span; `in_table` escapes it for a row of a table.
pub fn code(text: &str, in_table: bool) -> String {
    let text = if in_table { text.replace('|', "\\|") } else { text.to_owned() };
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
