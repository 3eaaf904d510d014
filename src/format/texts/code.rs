//! Calls that are written as code, as in `ToolACE`: `[get_tide(port="Porto", days=[1, 2]), get_wind()]`.
//!
//! Prose may be in brackets, too: `[Table 1 (n = 5)]`. So names consist of letters, digits, `_`, `.` and `-`; that of a
//! call may be several words, as some are in `ToolACE`, if each begins with a letter and its bracket follows at once.

use super::Parts;
use crate::dialog::{ApiCall, Content, Extent, Field, Payload};

/// The deepest nesting of lists and dictionaries in an argument.
const DEEPEST: usize = 32;

/// The marks that end a name.
const MARKS: [char; 11] = ['(', ')', '[', ']', '{', '}', '"', '\'', ',', '=', '\n'];

/// Returns the calls of a text that is a list of calls, or begins like one; None for any other text.
pub fn read(text: &str, at: Extent) -> Option<Parts> {
    if !text.starts_with('[') {
        return None;
    }
    let mut parts = Parts::default();
    let calls = code_calls(text, at).into_iter();
    parts.calls = calls.map(|call| ApiCall { in_text: true, ..call }).collect();
    let is_broken = parts.calls.is_empty() && are_broken_calls(text);
    parts.unread.add("calls as code".into(), u64::from(is_broken));
    (is_broken || !parts.calls.is_empty()).then_some(parts)
}

/// Returns the calls of a text that is a list of calls and nothing else; empty for any other text. All are at `at`.
pub fn code_calls(text: &str, at: Extent) -> Vec<ApiCall> {
    let mut code = Cursor { rest: text.trim() };
    code.list(at).unwrap_or_default()
}

/// Returns the JSON of a text that is a dictionary in Python's spelling, such as `{'days': None}`; None for any other text.
pub fn dictionary(text: &str) -> Option<String> {
    let rest = text.trim();
    let mut code = Cursor { rest: rest.starts_with('{').then_some(rest)? };
    let json = code.value(0)?.json();
    code.rest.is_empty().then_some(json)
}

/// True if a text begins like a list of calls and is none, for example because it was cut.
fn are_broken_calls(text: &str) -> bool {
    let mut code = Cursor { rest: text.trim() };
    let mut begins = || {
        code.take('[')?;
        code.called(|_| true)?;
        if code.rest.starts_with([')', '"', '\'']) {
            return Some(());
        }
        code.argument_name()?;
        code.take('=')
    };
    begins().is_some() && code_calls(text, Extent::default()).is_empty()
}

fn is_identifier(name: &str) -> bool {
    let fits = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-');
    !name.is_empty() && name.chars().all(fits)
}

/// Code that is not read yet.
struct Cursor<'c> {
    rest: &'c str,
}

impl<'c> Cursor<'c> {
    /// Takes a mark and the spaces around it.
    fn take(&mut self, mark: char) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(mark)?.trim_start();
        Some(())
    }

    /// Takes the text before the first of these marks.
    fn name(&mut self, ends: &[char]) -> Option<&'c str> {
        let (name, rest) = self.rest.split_at(self.rest.find(ends)?);
        self.rest = rest;
        let name = name.trim();
        (!name.is_empty()).then_some(name)
    }

    /// Takes the name of a call, of which each word is an identifier and fits, and the bracket that follows.
    fn called(&mut self, fits: impl Fn(&str) -> bool) -> Option<&'c str> {
        let before = self.rest;
        let name = self.name(&MARKS)?;
        let is_apart = before[..before.len() - self.rest.len()].ends_with(char::is_whitespace);
        let mut words = name.split(' ');
        let is_one = is_identifier(name) || words.all(|word| is_identifier(word) && fits(word));
        self.take('(').filter(|()| is_one && !is_apart)?;
        Some(name)
    }

    fn argument_name(&mut self) -> Option<&'c str> {
        self.name(&MARKS).filter(|name| is_identifier(name))
    }

    fn list(&mut self, at: Extent) -> Option<Vec<ApiCall>> {
        self.take('[')?;
        let mut calls = vec![self.call(at)?];
        while self.take(',').is_some() {
            calls.push(self.call(at)?);
        }
        self.take(']')?;
        self.rest.is_empty().then_some(calls)
    }

    fn call(&mut self, at: Extent) -> Option<ApiCall> {
        let name = self.called(|word| word.starts_with(char::is_alphabetic))?;
        let mut arguments = Vec::new();
        while self.take(')').is_none() {
            if !arguments.is_empty() {
                self.take(',')?;
            }
            let name = self.argument_name()?;
            self.take('=')?;
            arguments.push(Field::known(name, self.value(0)?, at));
        }
        Some(ApiCall {
            name: name.into(),
            arguments: Some(Payload::Fields(arguments)),
            at,
            ..ApiCall::default()
        })
    }

    /// Takes a literal: a text as it is, anything else as JSON.
    fn value(&mut self, depth: usize) -> Option<Content> {
        if depth > DEEPEST {
            return None;
        }
        let raw = |raw: String| Some(Content::Raw(raw.into()));
        match self.rest.chars().next()? {
            quote @ ('"' | '\'') => self.text(quote).map(|text| Content::Text(text.into())),
            '[' => {
                self.take('[')?;
                let mut elements = Vec::new();
                while self.take(']').is_none() {
                    if !elements.is_empty() {
                        self.take(',')?;
                    }
                    elements.push(self.value(depth + 1)?.json());
                }
                raw(format!("[{}]", elements.join(", ")))
            }
            '{' => {
                self.take('{')?;
                let mut members = Vec::new();
                while self.take('}').is_none() {
                    if !members.is_empty() {
                        self.take(',')?;
                    }
                    let key = self.value(depth + 1)?.json();
                    self.take(':')?;
                    members.push(format!("{key}: {}", self.value(depth + 1)?.json()));
                }
                raw(format!("{{{}}}", members.join(", ")))
            }
            _ => {
                let word = self.name(&[',', ')', ']', '}', ':'])?;
                match word {
                    "True" | "true" => raw("true".to_owned()),
                    "False" | "false" => raw("false".to_owned()),
                    "None" | "null" => raw("null".to_owned()),
                    number => {
                        number.parse::<f64>().ok().filter(|it| it.is_finite())?;
                        raw(number.to_owned())
                    }
                }
            }
        }
    }

    /// Takes a text in quotes.
    fn text(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.rest[1..].char_indices();
        loop {
            match chars.next()? {
                (at, end) if end == quote => {
                    self.rest = self.rest[1 + at + 1..].trim_start();
                    return Some(text);
                }
                (_, '\\') => match chars.next()?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    same @ ('\\' | '"' | '\'') => text.push(same),
                    other => text.extend(['\\', other]),
                },
                (_, other) => text.push(other),
            }
        }
    }
}
