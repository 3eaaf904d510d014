//! Slips of the hand, planted one at a time in segments that are right: each is found, the first
//! repair is the span that was there before, and no other segment is blamed.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise::dialog::Edit;
use turnwise::lint::{Diagnostic, Selection, Severity};

use super::{found_in, notation};
use crate::support::files::{dialogs_of, own_files, say, spread};

/// A mistake in a segment.
#[derive(Clone, Copy, Debug)]
pub enum Slip {
    /// Its start, its end or both are off; the quoted text stays, or follows.
    Off {
        start: i64,
        end: i64,
        follows: bool,
    },
    /// The text was changed before it, and its numbers stayed.
    Stale,
    /// The text was cut short within it.
    Cut,
    /// The quote is written with other capitals.
    Case,
    /// The quote has an extra space.
    Blank,
    /// The quote lacks a letter.
    Typo,
    /// Its numbers count something else.
    Utf16,
    Bytes,
    /// Its numbers are swapped.
    Reversed,
    /// Its numbers are strings.
    Strings,
}

const fn off(start: i64, end: i64, follows: bool) -> Slip {
    Slip::Off { start, end, follows }
}

#[rustfmt::skip]
pub const SLIPS: &[Slip] = &[
    off(-1, 0, false), off(1, 0, false), off(0, -1, false), off(0, 1, false), off(-1, -1, false),
    off(1, 1, false), off(7, 7, false), off(-1, 0, true), off(1, 0, true), off(0, -1, true),
    off(0, 1, true), off(-1, -1, true), off(1, 1, true), Slip::Stale, Slip::Cut, Slip::Case,
    Slip::Blank, Slip::Typo, Slip::Utf16, Slip::Bytes, Slip::Reversed, Slip::Strings,
];

fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

/// The offsets of a segment.
pub fn span(segment: &Value) -> Option<(i64, i64)> {
    number(&segment["start_index"]).zip(number(&segment["end_index"]))
}

/// Writes offsets as the segment has them, as numbers or strings.
fn set_span(segment: &mut Value, start: i64, end: i64) {
    for (key, offset) in [("start_index", start), ("end_index", end)] {
        segment[key] =
            if segment[key].is_string() { json!(offset.to_string()) } else { json!(offset) };
    }
}

/// Makes `slip` happen to a segment of an utterance; the span that would repair it, or None if it
/// cannot happen there.
pub fn plant(slip: Slip, utterance: &mut Value, segment: usize) -> Option<(i64, i64)> {
    let text: Vec<char> = utterance["text"].as_str()?.chars().collect();
    let (start, end) = span(&utterance["segments"][segment])?;
    let quoted = |from: i64, to: i64| -> Option<String> {
        let range = usize::try_from(from).ok()?..usize::try_from(to).ok()?;
        Some(text.get(range)?.iter().collect())
    };
    let quote = quoted(start, end)?;
    let at = &mut utterance["segments"][segment];
    match slip {
        Slip::Off { start: by, end: and, follows } => {
            let (from, to) = (start + by, end + and);
            if follows {
                // The text does not show that a whole word was left out.
                let (lost, left) = (quoted(start, start + by.max(0)), quoted(from, to)?);
                let whole = lost.is_some_and(|l| !l.is_empty()) && left.starts_with(' ');
                let whole = whole || (and < 0 && left.ends_with(' '));
                (!whole && left.trim().chars().count() > 1).then_some(())?;
                at["text"] = json!(left);
            }
            (from >= 0).then(|| set_span(at, from, to))?;
        }
        Slip::Stale | Slip::Utf16 => {
            // In UTF-16 the thumb is two units.
            let (before, by) =
                if matches!(slip, Slip::Stale) { ("Okay, so ", 0) } else { ("👍 ", 3) };
            set_span(at, start + by, end + by);
            let shown = before.chars().count() as i64;
            let others = utterance["segments"].as_array_mut()?.iter_mut().enumerate();
            for (_, other) in others.filter(|(place, _)| *place != segment) {
                let (from, to) = span(other)?;
                set_span(other, from + shown, to + shown);
            }
            utterance["text"] = json!(format!("{before}{}", text.iter().collect::<String>()));
            return Some((start + shown, end + shown));
        }
        Slip::Cut => {
            // Half of it is left, up to the end of a word.
            let half = quoted(start, start + (end - start) / 2)?;
            let left = half.rsplit_once(' ')?.0.trim_end().chars().count() as i64;
            let last = utterance["segments"].as_array()?.iter().filter_map(span);
            if left == 0 || last.clone().any(|other| other.1 > start && other != (start, end)) {
                return None;
            }
            utterance["text"] = json!(quoted(0, start + left)?);
            return Some((start, start + left));
        }
        Slip::Case => {
            let other = quote.to_uppercase();
            at["text"] = json!(Some(other).filter(|o| *o != quote && o.len() == quote.len())?);
        }
        Slip::Blank => at["text"] = json!(format!("{quote} ")),
        Slip::Typo => {
            let letters: Vec<char> = quote.chars().collect();
            let middle = letters.len() / 2;
            // In a short text one letter is much.
            let inside = |at: usize| letters.get(at).is_some_and(|c| c.is_alphabetic());
            ((letters.len() > 5) && (middle - 1..=middle + 1).all(inside)).then_some(())?;
            let left = letters.iter().enumerate().filter(|(at, _)| *at != middle);
            at["text"] = json!(left.map(|(_, c)| c).collect::<String>());
        }
        Slip::Bytes => {
            let bytes = |to: i64| quoted(0, to).map(|text| text.len() as i64);
            let (from, to) = (bytes(start)?, bytes(end)?);
            (to != end).then(|| set_span(at, from, to))?;
        }
        Slip::Reversed => set_span(at, end, start),
        Slip::Strings => {
            at["start_index"].is_number().then_some(())?;
            at["start_index"] = json!(start.to_string());
            at["end_index"] = json!(end.to_string());
        }
    }
    Some((start, end))
}

/// True for slips that only show in the quote: where the quote follows the numbers, a script without
/// spaces between words does not show that a piece of a word is missing.
pub fn shows_in_the_quote(slip: Slip) -> bool {
    !matches!(slip, Slip::Off { follows: true, .. })
}

/// The reports of planted slips.
#[derive(Default)]
pub struct Tally {
    planted: usize,
    found: usize,
    repaired: usize,
}

/// The reports of slips, by their kind.
pub type Tallies = BTreeMap<String, Tally>;

/// Rules on segments and structure; what a call means changes with the text.
fn selection() -> Selection {
    let mut selection = Selection::none();
    for group in ["span", "label-whitespace", "label-repeated", "label-conflict"] {
        selection.select(group).unwrap();
    }
    selection.ignore("unlabelled-mention").unwrap();
    selection
}

fn is_of(diagnostic: &Diagnostic, turn: usize, segment: usize) -> bool {
    diagnostic.location.turn == Some(turn) && diagnostic.location.segment == Some(segment)
}

/// Plants every slip in one segment of a dialog.
fn try_segment(
    dialog: &Value,
    (turn, segment): (usize, usize),
    (before, slips): (&[Diagnostic], &[Slip]),
    tallies: &mut Tallies,
) {
    for slip in slips {
        let mut changed = dialog.clone();
        let utterance = &mut changed["utterances"][turn];
        let Some((start, end)) = plant(*slip, utterance, segment) else {
            continue;
        };
        let mut found = found_in(&changed.to_string(), &selection());
        let blamed =
            found.iter().find(|d| !is_of(d, turn, segment) && !before.iter().any(|b| b.is_same(d)));
        assert!(blamed.is_none(), "{slip:?} {blamed:?}\n{changed}");
        found.retain(|d| is_of(d, turn, segment));
        found.sort_by_key(|d| std::cmp::Reverse(d.severity));
        let tally = tallies.entry(format!("{slip:?}")).or_default();
        tally.planted += 1;
        tally.found += usize::from(!found.is_empty());
        let wanted = Edit::SetSpan { turn, segment, start: start as u32, end: end as u32 };
        let first = found.first().and_then(|d| d.fixes.first());
        tally.repaired += usize::from(first.is_some_and(|fix| fix.edits == [wanted]));
    }
}

/// The most segments of a dialog in which to plant slips.
const SEGMENTS: usize = 6;

/// Plants each of `slips` in some segments of a dialog, one at a time.
pub fn try_dialog(dialog: &Value, slips: &[Slip], tallies: &mut Tallies) {
    let text = dialog.to_string();
    let before = found_in(&text, &selection());
    let mut places = Vec::new();
    for (turn, utterance) in dialog["utterances"].as_array().into_iter().flatten().enumerate() {
        let count = utterance["segments"].as_array().map_or(0, Vec::len);
        places.extend((0..count).map(|segment| (turn, segment)));
    }
    places.retain(|(turn, _)| !before.iter().any(|d| d.location.turn == Some(*turn)));
    for place in spread(places, SEGMENTS) {
        try_segment(dialog, place, (&before, slips), tallies);
    }
}

/// Nearly all of each kind were found, and the first fix restores the original.
pub fn check(tallies: &Tallies) {
    for (slip, tally) in tallies {
        let Tally { planted, found, repaired } = tally;
        // The mark behind a title may be the title's.
        assert!(found * 100 >= planted * 95, "{slip}: {found} of {planted} found");
        assert!(repaired * 100 >= planted * 95, "{slip}: {repaired} of {planted} repaired");
    }
    let total = |of: fn(&Tally) -> usize| tallies.values().map(of).sum::<usize>();
    let (planted, found) = (total(|t| t.planted), total(|t| t.found));
    let repaired = total(|t| t.repaired);
    say(&format!("{planted} slips: {found} found, {repaired} repaired by the first fix"));
}

#[test]
fn slips_in_the_demo_are_found_and_repaired() {
    let mut tallies = BTreeMap::new();
    for path in own_files().iter().filter(|p| p.to_string_lossy().contains("demo/taskmaster")) {
        for dialog in dialogs_of(&std::fs::read(path).unwrap()) {
            try_dialog(&dialog, SLIPS, &mut tallies);
        }
    }
    assert_eq!(tallies.len(), SLIPS.len());
    check(&tallies);
}

#[test]
fn one_slip_is_reported_once_or_twice() {
    // A segment that is off at both ends cuts words and includes spaces; that its numbers do not match its
    // quote is not reported as well.
    let said = "user: a table at T«hursday Kitchen »{name.restaurant}tonight";
    let found = found_in(&notation::dialog(said), &Selection::default());
    let told: Vec<_> = found.iter().map(|d| (d.rule.name, d.severity)).collect();
    let expected = ["span-cuts-word", "span-edge-space"].map(|rule| (rule, Severity::Warning));
    assert_eq!(told[..2], expected);
    assert_eq!(found[0].fixes[0].title, "move to 11..27, \"Thursday Kitchen\"");
    assert_eq!(found[0].fixes[0], found[1].fixes[0]);
}
