//! Bytes as edits that an annotator might try on a dialog, sensible and senseless.

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use turnwise::dialog::{Breakdown, Dialog, Edit, Mark};

/// Typed characters: all that JSON spells in more than one way.
const TYPED: &[&str] = &[
    "",
    "a",
    " ",
    "two words",
    "it’s",
    "é",
    "👍🏽",
    "\u{fffd}",
    "\"",
    "\\",
    "/",
    "\n",
    "\t",
    "\u{0}",
    "\u{7f}",
    "\u{2028}",
    "は",
    ",",
    "]}",
    "null",
];

/// The next edit that `bytes` mean for a dialog that says `dialog`.
pub fn edit(bytes: &mut Unstructured<'_>, dialog: &Dialog) -> Result<Edit> {
    // Now and then a turn or segment that is not there.
    let turn = bytes.int_in_range(0..=dialog.turns.len())?;
    let said = dialog.turns.get(turn);
    let segments = said.map_or(0, |turn| turn.segments.len());
    let votes = said.map_or(&[][..], |turn| &turn.votes);
    let text = said.map_or("", |turn| &turn.text);
    Ok(match bytes.int_in_range(0..=7)? {
        0 => Edit::SetSpan {
            turn,
            segment: bytes.int_in_range(0..=segments)?,
            start: offset(bytes)?,
            end: offset(bytes)?,
        },
        1 => Edit::AddSegment {
            turn,
            start: offset(bytes)?,
            end: offset(bytes)?,
            labels: labels(bytes)?,
        },
        2 => Edit::RemoveSegment { turn, segment: bytes.int_in_range(0..=segments)? },
        6 => Edit::SetQuote {
            turn,
            segment: bytes.int_in_range(0..=segments)?,
            text: maybe(bytes, |bytes| typed(bytes))?,
        },
        3 => Edit::SetLabels {
            turn,
            segment: bytes.int_in_range(0..=segments)?,
            labels: labels(bytes)?,
        },
        4 => Edit::SetText {
            turn,
            text: retyped(bytes, text)?,
            drop: bytes.arbitrary()?,
            shrink: bytes.arbitrary()?,
        },
        5 => Edit::CastVote {
            turn,
            annotator: annotator(bytes, votes)?,
            breakdown: *bytes.choose(&Breakdown::ALL)?,
            comment: maybe(bytes, |bytes| typed(bytes))?,
            ungrammatical: maybe(bytes, |bytes| {
                Ok(match bytes.arbitrary()? {
                    true => Mark::Flag(bytes.arbitrary()?),
                    false => Mark::Text(typed(bytes)?),
                })
            })?,
        },
        _ => Edit::WithdrawVote { turn, annotator: annotator(bytes, votes)? },
    })
}

fn typed(bytes: &mut Unstructured<'_>) -> Result<String> {
    Ok((*bytes.choose(TYPED)?).to_owned())
}

fn maybe<'a, T>(
    bytes: &mut Unstructured<'a>,
    make: impl Fn(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Option<T>> {
    match bytes.arbitrary()? {
        true => make(bytes).map(Some),
        false => Ok(None),
    }
}

fn offset(bytes: &mut Unstructured<'_>) -> Result<u32> {
    bytes.int_in_range(0..=24)
}

fn labels(bytes: &mut Unstructured<'_>) -> Result<Vec<String>> {
    let count = bytes.int_in_range(0..=3)?;
    (0..count).map(|_| typed(bytes)).collect()
}

fn annotator(bytes: &mut Unstructured<'_>, votes: &[turnwise::dialog::Vote]) -> Result<String> {
    match votes.get(bytes.int_in_range(0..=votes.len())?) {
        Some(vote) => Ok(vote.annotator.to_string()),
        None => typed(bytes),
    }
}

/// `text` with a part of it typed again.
fn retyped(bytes: &mut Unstructured<'_>, text: &str) -> Result<String> {
    let chars: Vec<char> = text.chars().collect();
    let from = bytes.int_in_range(0..=chars.len())?;
    let to = bytes.int_in_range(from..=chars.len())?;
    let head: String = chars[..from].iter().collect();
    let tail: String = chars[to..].iter().collect();
    Ok(head + &typed(bytes)? + &tail)
}
