//! Moves the edges of a segment to word boundaries and off surrounding punctuation, and the fixes that rules on segments
//! share: moving a segment and deleting it.

use std::ops::{Range, RangeInclusive};

use crate::dialog::{Content, Span};
use crate::lint::engine::{Applicability, Diagnostic};
use crate::lint::facts::alike::{Tolerance, alike, folded, is_blank, nearest, trim};
use crate::lint::facts::labels::{is_free_text, is_name};
use crate::lint::facts::{Mention, Subject};
use crate::text::{
    Direction, SpanEdge, cut, inside_word, is_apostrophe, is_dotted, is_joint, outside_word,
};

/// True if `range` (bytes of `text`) starts or ends inside a word.
pub fn cuts_word(text: &str, range: &Range<usize>) -> bool {
    inside_word(text, range.start, SpanEdge::Start) || inside_word(text, range.end, SpanEdge::End)
}

/// Ranges near `range` (bytes of the turn) that cut no word and have no whitespace or punctuation at
/// their edges, the most likely first: the nearest one, or one slightly further away whose text is also
/// labelled elsewhere in the dialog.
///
/// A cut word is usually included as a whole. It is excluded if the covered part is less than half of the
/// rest, or if the word joins values and does not end one.
pub fn tidied(
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    range: &Range<usize>,
) -> Vec<Range<usize>> {
    let text = mention.said;
    let mut near: Vec<Range<usize>> = Vec::new();
    let trimmed = trim(text, range.clone());
    for start in places(text, trimmed.start, SpanEdge::Start) {
        for end in places(text, trimmed.end, SpanEdge::End) {
            near.extend(tidy(subject, mention, start..end));
        }
    }
    let least = near.first().map_or(SLIP, |place| slip(place, range));
    let mut found = known_nearby(subject, mention, range, (least + HARDLY).min(SLIP));
    for place in near {
        if !found.contains(&place) {
            found.push(place);
        }
    }
    found
}

/// Returns the text of a segment after the first correction of [`tidied`], if its edges are off; None if the
/// segment is not valid or the correction finds nothing.
pub fn meant<'a>(subject: &Subject<'_>, mention: &Mention<'a>) -> Option<&'a str> {
    let bytes = mention.bytes.clone().filter(|_| mention.is_valid)?;
    let said = mention.said;
    let is_off = trim(said, bytes.clone()) != bytes
        || cuts_word(said, &bytes)
        || without_punctuation(subject, mention, bytes.clone()).is_some();
    if !is_off {
        return said.get(bytes);
    }
    let place = tidied(subject, mention, &bytes).into_iter().next()?;
    said.get(place)
}

/// Returns the intended places of an edge at `at`, the more likely one first.
fn places(text: &str, at: usize, edge: SpanEdge) -> Vec<usize> {
    let (outward, inward) = match edge {
        SpanEdge::Start => (Direction::Back, Direction::Forward),
        SpanEdge::End => (Direction::Forward, Direction::Back),
    };
    let outward = outside_word(text, at, edge, outward);
    let inward = outside_word(text, at, edge, inward);
    if outward == inward {
        return vec![at];
    }
    let word = &text[outward.min(inward)..outward.max(inward)];
    // Only at the end: "The Roxie" may well start with such a word.
    let joins = edge == SpanEdge::End && is_joint(word);
    // Part of a number, an abbreviation or a compound cannot be left out.
    let letters = word.chars().all(char::is_alphabetic);
    let compound = if edge == SpanEdge::End {
        text[..inward].ends_with('-')
    } else {
        text[inward..].starts_with('-')
    };
    let less = inward.abs_diff(at) * 2 < outward.abs_diff(at);
    if joins || (letters && less && !compound) {
        vec![inward, outward]
    } else {
        vec![outward, inward]
    }
}

fn tidy(subject: &Subject<'_>, mention: &Mention<'_>, range: Range<usize>) -> Option<Range<usize>> {
    if range.start >= range.end {
        return None;
    }
    let range = trim(mention.said, range);
    let range = without_punctuation(subject, mention, range.clone()).unwrap_or(range);
    let named = mention.said[range.clone()].contains(is_telling);
    (named && !cuts_word(mention.said, &range)).then_some(range)
}

/// Returns a letter, a digit, an arrow or an emoji.
fn is_telling(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..)
}

/// The largest total distance of both edges, in bytes, that counts as a slip of the hand.
const SLIP: usize = 6;
/// How much further away a value known from another segment may be, in bytes.
const HARDLY: usize = 2;

/// Ranges that have the text of another segment of the dialog, and edges that are together at most `most`
/// bytes away from those of `range`; the nearest range first.
fn known_nearby(
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    range: &Range<usize>,
    most: usize,
) -> Vec<Range<usize>> {
    let said = mention.said;
    let mut found = Vec::new();
    for start in near(range.start, most) {
        let left = most - start.abs_diff(range.start);
        for end in near(range.end, left).filter(|end| start < *end) {
            let place = start..end;
            let Some(value) = said.get(place.clone()).filter(|_| place != *range) else {
                continue;
            };
            let known = subject.other_with_text(mention, value);
            if known.is_some() && tidy(subject, mention, place.clone()).as_ref() == Some(&place) {
                found.push((slip(&place, range), known, place));
            }
        }
    }
    // At equal distance, prefer a text that the dialog has labelled elsewhere.
    found.sort_by_key(|(slip, known, place)| (*slip, *known, place.start));
    found.into_iter().map(|(_, _, place)| place).collect()
}

/// Returns the places that are not further from `at` than `most`.
fn near(at: usize, most: usize) -> RangeInclusive<usize> {
    at.saturating_sub(most)..=at + most
}

fn slip(a: &Range<usize>, b: &Range<usize>) -> usize {
    a.start.abs_diff(b.start) + a.end.abs_diff(b.end)
}

/// `range` (bytes of the turn) without the surrounding punctuation and the whitespace next to it; None if
/// there is no such punctuation, or nothing else.
pub fn without_punctuation(
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    range: Range<usize>,
) -> Option<Range<usize>> {
    let said = mention.said;
    let at_edge = |char: Option<char>| char.is_some_and(|c| !c.is_alphanumeric());
    let inner = &said[range.clone()];
    // Fast path: nearly all segments return here.
    if !at_edge(inner.chars().next()) && !at_edge(inner.chars().next_back()) {
        return None;
    }
    let mut left = range.clone();
    loop {
        let edges = Edges { subject, mention, range: left.clone() };
        let next = match (edges.end(), edges.start()) {
            (Some(end), _) => left.start..end,
            (None, Some(start)) => start..left.end,
            (None, None) => break,
        };
        left = trim(said, next);
        if left.is_empty() {
            return None;
        }
    }
    let named = said[left.clone()].chars().any(char::is_alphanumeric);
    (left != range && named).then_some(left)
}

/// Characters that never end a value.
const NEVER_LAST: &str = ",;:([{‘¿¡，；：、،؛（「『【《";
/// Characters that never start a value.
const NEVER_FIRST: &str = ",;:!?)]}，；：、。！？،؛؟।）」』】》";
/// The full stops of different scripts.
const STOPS: [char; 5] = ['.', '。', '．', '।', '۔'];

/// Decides about the edges of one range of a turn.
struct Edges<'e, 'a> {
    subject: &'e Subject<'a>,
    mention: &'e Mention<'e>,
    range: Range<usize>,
}

impl Edges<'_, '_> {
    fn inner(&self) -> &str {
        &self.mention.said[self.range.clone()]
    }

    fn before(&self) -> Option<char> {
        self.mention.said[..self.range.start].chars().next_back()
    }

    fn after(&self) -> Option<char> {
        self.mention.said[self.range.end..].chars().next()
    }

    fn labelled(&self, is: fn(&str) -> bool) -> bool {
        self.mention.of.labels.iter().any(|label| is(&label.name))
    }

    /// Returns the corrected end of the range, if its end is wrong.
    fn end(&self) -> Option<usize> {
        let inner = self.inner();
        let last = inner.chars().next_back()?;
        if last.is_alphanumeric() || inside_word(self.mention.said, self.range.end, SpanEdge::End) {
            return None;
        }
        let stem = &inner[..inner.len() - last.len_utf8()];
        let is_extra = match last {
            c if NEVER_LAST.contains(c) => true,
            c if STOPS.contains(&c) => return self.full_stop(),
            '!' | '?' | '…' | '！' | '？' | '؟' => {
                !self.is_of_name(stem) && !self.is_sentence()
            }
            c if is_quotation(c) || ")]}）」』】》".contains(c) => self.is_single(last),
            '"' => self.is_single(last) && !stem.ends_with(|c: char| c.is_ascii_digit()),
            '-' | '–' | '—' | '/' | '&' => {
                stem.ends_with(is_blank) || self.after().is_some_and(char::is_alphanumeric)
            }
            c if is_apostrophe(c) => self.closing_apostrophe(),
            _ => false,
        };
        is_extra.then_some(self.range.start + stem.len())
    }

    /// Returns the corrected start of the range, if its start is wrong.
    fn start(&self) -> Option<usize> {
        let inner = self.inner();
        let first = inner.chars().next()?;
        if first.is_alphanumeric()
            || inside_word(self.mention.said, self.range.start, SpanEdge::Start)
        {
            return None;
        }
        let rest = &inner[first.len_utf8()..];
        let next = rest.chars().next()?;
        let attached = self.before().is_some_and(char::is_alphanumeric);
        let is_extra = match first {
            c if NEVER_FIRST.contains(c) => true,
            '.' | '…' => attached || !next.is_alphanumeric(),
            c if is_quotation(c) || "([{（「『【《\"".contains(c) => self.is_single(first),
            '\'' | '‘' => self.after().is_some_and(is_apostrophe),
            '-' | '–' | '—' | '/' | '&' | '*' | '•' => is_blank(next),
            _ => false,
        };
        is_extra.then_some(self.range.end - rest.len())
    }

    /// Returns the corrected end of the range, if its last full stop belongs to the sentence.
    fn full_stop(&self) -> Option<usize> {
        let inner = self.inner();
        let stem = inner.trim_end_matches(STOPS);
        let dots = inner[stem.len()..].chars().count();
        let end = self.range.start + stem.len();
        let abbreviated = self.is_abbreviation(stem);
        if dots == 1 && abbreviated || self.is_sentence() {
            return None;
        }
        if dots > 1 && abbreviated {
            // Keep the dot of the abbreviation, drop that of the sentence.
            return Some(end + 1);
        }
        (dots == 1 || !self.is_of_name(stem)).then_some(end)
    }

    fn is_abbreviation(&self, stem: &str) -> bool {
        let word = stem.rsplit(is_blank).next().unwrap_or_default();
        let word = word.trim_start_matches(|c: char| !c.is_alphabetic());
        let chars: Vec<char> = word.chars().chain(['.']).collect();
        let known = ABBREVIATIONS.iter().any(|a| word.eq_ignore_ascii_case(a));
        // `7 p.m.`, also without a space before it or with one inside.
        let halves = ["a.m", "p.m", "a. m", "p. m"];
        let half = halves.iter().any(|half| ends_with(stem, half));
        // At the end of a turn, `Samuel L.` or `row H.` more likely ends a sentence.
        let goes_on = || !trim_start(&self.mention.said[self.range.end..]).is_empty();
        let initial =
            chars.len() == 2 && word.len() < stem.len() && goes_on() && self.labelled(is_name);
        known || half || initial || (chars.len() > 3 && is_dotted(&chars))
    }

    /// True if the mark after `stem` may be part of a title. It is not if the dialog also has the title
    /// without the mark.
    fn is_of_name(&self, stem: &str) -> bool {
        let stem = stem.trim_end_matches(['!', '?', '…', '.']);
        let word = stem.rsplit(is_blank).next().unwrap_or_default();
        // In scripts without capitals, any word may be a title.
        let titled = word.starts_with(|c: char| c.is_alphanumeric() && !c.is_lowercase());
        titled && self.labelled(is_name) && !self.subject.has_text(stem)
    }

    /// True for several sentences, or for a whole one under a label for free text, which keep their final
    /// punctuation.
    fn is_sentence(&self) -> bool {
        let inner = self.inner();
        let words = inner.split_whitespace().count();
        // In scripts without spaces, eight characters are about four words.
        let long = words > 3 || (inner.starts_with(is_wide) && inner.chars().count() > 8);
        let before = trim_end(&self.mention.said[..self.range.start]);
        let ends = ['.', '!', '?', ':', '"', '”', '。', '！', '？', '।', '۔', '؟'];
        let begins = before.is_empty() || before.ends_with(ends);
        let several = ["? ", "! "].iter().any(|end| inner.contains(end))
            || inner.match_indices(". ").any(|(at, _)| !self.is_abbreviation(&inner[..at]));
        let stem = inner.trim_end_matches(STOPS);
        let several = several || stem.contains(['。', '।', '۔']);
        several || (long && begins && self.labelled(is_free_text))
    }

    /// True if the partner of a bracket or quotation mark is not inside the range.
    fn is_single(&self, mark: char) -> bool {
        let count = |of: char| self.inner().chars().filter(|c| *c == of).count();
        let pairs = ["()", "[]", "{}", "（）", "「」", "『』", "【】", "《》"];
        if let Some(pair) = pairs.iter().find(|pair| pair.contains(mark)) {
            let mut counts = pair.chars().map(count);
            return counts.next() != counts.next();
        }
        // Languages differ in which of these opens and which closes a quotation.
        let alike = ["“”„", "«»"].into_iter().find(|all| all.contains(mark));
        let together = alike.map_or_else(|| count(mark), |all| all.chars().map(count).sum());
        together % 2 == 1
    }

    /// True for the apostrophe of `Kitchen's`, and for one that closes a quotation opened before the
    /// range.
    fn closing_apostrophe(&self) -> bool {
        let opens = |c: char| matches!(c, '\'' | '‘');
        let inner = self.inner();
        let opened = inner.starts_with(opens) || inner.contains(" '") || inner.contains('‘');
        self.after().is_some_and(char::is_alphabetic)
            || (!opened && self.before().is_some_and(opens))
    }
}

/// True if `text` ends with `end`, ignoring ASCII case.
fn ends_with(text: &str, end: &str) -> bool {
    let start = text.len().checked_sub(end.len());
    let tail = start.and_then(|start| text.get(start..));
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

/// True for a mark that opens a quotation in one language and closes it in another.
fn is_quotation(char: char) -> bool {
    matches!(char, '“' | '”' | '„' | '«' | '»')
}

/// True for a letter of a script without spaces between words.
fn is_wide(char: char) -> bool {
    matches!(char, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_blank)
}

/// Words that are usually written with a full stop.
const ABBREVIATIONS: &[&str] = &[
    // Times and days.
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "mon",
    "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun", "hr", "hrs", "min", "mins",
    // Places.
    "st", "ave", "av", "blvd", "rd", "dr", "ln", "hwy", "pkwy", "pl", "sq", "ct", "mt", "ft", "apt",
    "calif", "mass", "conn", "penn", "tex", "fla", "mich", "minn", "ariz", "colo", "wis", "tenn",
    // People, firms, works.
    "mr", "mrs", "ms", "prof", "rev", "jr", "sr", "esq", "inc", "ltd", "co", "corp", "llc", "bros",
    "dept", "vs", "feat", "vol", "etc", "approx", "ext", "est", // Measures.
    "oz", "lb", "lbs", "mi", "km", "kg", "pt", "qt", "tbsp", "tsp",
];

/// The largest number of characters that a message quotes.
const SHOWN: usize = 60;

/// `text` in quotation marks, shortened if it is long.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", cut(text, SHOWN))
}

/// Returns a value as messages show it: a text in quotation marks, anything else as the file writes it.
pub fn shown(value: &Content) -> String {
    match value {
        Content::Text(text) => format!("\"{text}\""),
        Content::Raw(raw) => raw.to_string(),
    }
}

/// Offers to move the segment to `range` (bytes of its turn), together with its quoted text, unless the range
/// cuts a token, or has other words than a quote that need not be the text.
pub fn offer_span(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    range: Range<usize>,
    applicability: Applicability,
) {
    let text = &mention.said[range.clone()];
    // Stale offsets are not at the edges of the words that were meant.
    let is_stale = |quote: &str| {
        let is_near = || nearest(&folded(text, Tolerance::Case), quote).is_some();
        !alike(text, quote, Tolerance::Case) && !is_near()
    };
    if mention.tokens.is_none() && mention.of.normalised_quote().is_some_and(is_stale) {
        return;
    }
    if let Some(span) = mention.span_of(&range) {
        set_span(diagnostic, mention, span, &quoted(text), applicability);
    }
}

/// Offers to move a segment to a span, in the units of its dialog, which covers `text`.
pub fn set_span(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    span: Span,
    text: &str,
    applicability: Applicability,
) {
    let Span { start, end } = span;
    let title = match mention.of.span {
        Some(old) if old == span => format!("change the quoted text to {text}"),
        Some(old) if old.start == start => format!("end at {end}, {text}"),
        Some(old) if old.end == end => format!("start at {start}, {text}"),
        _ => format!("move to {span}, {text}"),
    };
    let edit = mention.set_span(span);
    diagnostic.fix(title, applicability, vec![edit]);
}

/// Offers to delete the segment.
pub fn offer_removal(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    applicability: Applicability,
) {
    let edit = mention.removal();
    let text = mention.text();
    let title = if text.is_empty() {
        "delete the segment".to_owned()
    } else {
        format!("delete the segment {}", quoted(text))
    };
    diagnostic.fix(title, applicability, vec![edit]);
}
