//! Splits a text into the tokens that corpora count.

use super::words::{is_apostrophe, is_currency, is_dotted};

/// How a corpus splits a text into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Splitting {
    /// At white space.
    Spaces,
    /// At white space, and between words and punctuation marks, as taggers of English do: `Yes , it does
    /// n't cost £ 5.10 .` has ten tokens, however it is spaced.
    Punctuation,
}

impl Splitting {
    /// Returns the tokens of `text`, in their order. They hold every character of it but white space.
    pub fn tokens(self, text: &str) -> Vec<&str> {
        let runs = text.split_whitespace();
        match self {
            Self::Spaces => runs.collect(),
            Self::Punctuation => {
                let mut tokens = Vec::new();
                runs.for_each(|run| split(run, &mut tokens));
                tokens
            }
        }
    }
}

/// The ends of words that are tokens of their own, in lower case, after an apostrophe.
const ENDINGS: [&str; 6] = ["s", "m", "d", "re", "ll", "ve"];

/// Splits a run of characters without white space.
fn split<'t>(run: &'t str, tokens: &mut Vec<&'t str>) {
    let mut rest = run;
    while let Some(cut) = next_cut(rest) {
        let (head, tail) = rest.split_at(cut);
        push_word(head, tokens);
        rest = tail;
    }
    push_word(rest, tokens);
}

/// Returns the end of the first token of `run`, if that is a mark or a word before one; None if it is one word.
fn next_cut(run: &str) -> Option<usize> {
    let first = run.chars().next()?;
    if is_mark(first) {
        // Dots and hyphens in a row are one token.
        let same = |c: char| c == first && (c == '.' || c == '-');
        let length = run.find(|c| !same(c)).unwrap_or(run.len());
        let length = length.max(first.len_utf8());
        let next = run[length..].chars().next();
        let is_start_of_word = is_apostrophe(first) && next.is_some_and(char::is_alphanumeric);
        if !is_start_of_word {
            return next.map(|_| length);
        }
    }
    let inner = run.char_indices().skip(1);
    let found = inner.map(|(at, _)| at).find(|at| ends_word(run, *at));
    found.or_else(|| {
        let bare = run.trim_end_matches(is_mark);
        (bare.len() < run.len() && !bare.is_empty() && !is_abbreviation(run)).then_some(bare.len())
    })
}

/// True if the mark at byte `at` of `run` is not part of the word before it, whatever follows.
fn ends_word(run: &str, at: usize) -> bool {
    let mut rest = run[at..].chars();
    let (mark, next) = (rest.next(), rest.next());
    match mark {
        Some(',' | ':') => !next.is_some_and(|c| c.is_ascii_digit()),
        Some('?' | '!' | ';' | '(' | ')' | '[' | ']' | '{' | '}' | '"') => true,
        _ => false,
    }
}

/// True for a word whose last dot belongs to it, such as `a.m.`
fn is_abbreviation(run: &str) -> bool {
    run.ends_with('.') && is_dotted(&run.chars().collect::<Vec<_>>())
}

fn is_mark(char: char) -> bool {
    let is_typographic = || matches!(char, '¡' | '«' | '»' | '¿' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}');
    char.is_ascii_punctuation() || is_currency(char) || is_typographic()
}

/// Adds a word, and apart from it an ending such as `'s` or `n't`.
fn push_word<'t>(word: &'t str, tokens: &mut Vec<&'t str>) {
    let cut = ending(word).filter(|cut| *cut > 0);
    let (word, end) = word.split_at(cut.unwrap_or(word.len()));
    tokens.extend([word, end].iter().filter(|token| !token.is_empty()));
}

/// Returns the start of the ending of a word.
fn ending(word: &str) -> Option<usize> {
    let (at, mark) = word.char_indices().rfind(|(_, c)| is_apostrophe(*c))?;
    let after = &word[at + mark.len_utf8()..];
    let is = |known: &&str| after.eq_ignore_ascii_case(known);
    if ENDINGS.iter().any(is) {
        return Some(at);
    }
    let n = at.checked_sub(1).filter(|n| word.is_char_boundary(*n))?;
    (after.eq_ignore_ascii_case("t") && word[n..at].eq_ignore_ascii_case("n")).then_some(n)
}
