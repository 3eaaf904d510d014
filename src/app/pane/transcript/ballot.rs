//! The votes on a turn in one line, and the label of a detector.

use crate::app::pane::{Ink, Line, truncated};
use crate::dialog::{Breakdown, Detection, Turn, Vote};
use crate::votes::{LenientLabel, Tally};

/// Columns of a full vote bar, at most.
const BAR: usize = 60;

/// Columns in which all that may be beside the shortest bar has room.
const WHOLE: usize = 50;

/// Appends one bar for all votes: shares of O, T and X, their counts, and the majority.
pub fn vote_line(turn: &Turn, own: Option<&Vote>, mut line: Line, room: usize) -> Line {
    let tally = Tally::of(&turn.votes);
    if own.is_some() && turn.votes.len() == 1 && turn.gold.is_none() {
        // The annotator's own vote is all there is.
        return own_vote_with_mark(own, line);
    }
    // Counts and majority take up to 40 columns after the bar, the user's own vote 7 more, its mark 6, a
    // gold label 8.
    let gold = turn.gold.as_ref().and_then(|gold| gold.breakdown);
    let taken = if gold.is_some() { 8 } else { 0 };
    let taken = taken
        + match own {
            Some(own) if own.is_marked() => 53,
            Some(_) => 47,
            None => 40,
        };
    let columns = bar_columns(&tally, room.saturating_sub(taken).clamp(6, BAR));
    for (breakdown, columns) in Breakdown::ALL.into_iter().zip(bar(&tally, columns)) {
        line.push(Ink::Vote(breakdown), &glyph(breakdown).repeat(columns));
    }
    for breakdown in Breakdown::ALL {
        line.push(
            Ink::Vote(breakdown),
            &format!("  {} {}", breakdown.letter(), tally.count(breakdown)),
        );
    }
    // Before the majority, which may be cut off.
    if own.is_some() {
        line = own_vote_with_mark(own, line.with(Ink::Plain, "  "));
    }
    if let Some(majority) = tally.majority() {
        let text = match tally.tie() {
            Some(tied) => {
                let letters: Vec<_> = tied.iter().map(|b| b.letter()).collect();
                format!("  tie {}", letters.join("/"))
            }
            None => format!("  majority {}", majority.letter()),
        };
        line.push(Ink::Dim, &text);
        // With T and X as one label, the majority may be another.
        let is_o = majority == Breakdown::O;
        if let Some(lenient) = tally.lenient(0.0)
            && is_o != (lenient == LenientLabel::O)
        {
            let together = if room < WHOLE { "" } else { " together" };
            line.push(Ink::Dim, &format!(", {}{together}", lenient.name()));
        }
    }
    if let Some(gold) = gold {
        line.push(Ink::Strong, "  gold ");
        line.push(Ink::Vote(gold), gold.letter());
    }
    line
}

/// Appends the annotator's own vote, where others' are hidden.
pub fn own_vote(own: Option<&Vote>, line: Line) -> Line {
    match own {
        Some(_) => own_vote_with_mark(own, line).with(Ink::Dim, "  others' "),
        None => line,
    }
}

/// Appends the annotator's own vote, if it has a label, and its mark.
fn own_vote_with_mark(own: Option<&Vote>, mut line: Line) -> Line {
    if let Some(own) = own
        && let Some(breakdown) = own.breakdown
    {
        line.push(Ink::Strong, "you ");
        line.push(Ink::Vote(breakdown), breakdown.letter());
        if own.is_marked() {
            line.push(Ink::Warning, " ungr.");
        }
    }
    line
}

/// Returns the text that a turn had when it was judged, in one row of `columns`; None if it is the same.
pub fn judged_label(turn: &Turn, columns: usize) -> Option<String> {
    let judged = turn.judged_as.as_deref()?;
    Some(truncated(&format!("▲ text when judged: {judged}"), columns))
}

/// Appends a detector's label and probabilities.
pub fn detector_line(detection: &Detection, mut line: Line) -> Line {
    if let Some(label) = detection.breakdown {
        line.push(Ink::Vote(label), label.letter());
    }
    for (breakdown, probability) in Breakdown::ALL.into_iter().zip(detection.probabilities) {
        let shown = probability.map_or_else(|| "?".to_owned(), |p| format!("{p:.2}"));
        line.push(Ink::Dim, &format!("  {} {shown}", breakdown.letter()));
    }
    line
}

/// The character of a bar in a chart, where it is not among words.
pub const BODY: &str = "■";

/// Returns the character that fills a label's part of a bar; the three are about equally heavy, and differ without
/// colours too.
pub fn glyph(breakdown: Breakdown) -> &'static str {
    match breakdown {
        Breakdown::O => "─",
        Breakdown::T => "═",
        Breakdown::X => "┅",
    }
}

/// Returns the columns for all votes of `tally`, at most `room`: one or two for each vote, if they fit, so
/// that equal votes have equal bars; few votes have a short bar.
pub fn bar_columns(tally: &Tally, room: usize) -> usize {
    let votes = tally.total() as usize;
    match room.checked_div(votes) {
        None => 0,
        Some(0) => room,
        Some(1) => votes,
        Some(_) => 2 * votes,
    }
}

/// Divides `columns` among O, T and X in proportion to their votes, with at least one for each that has
/// any.
fn bar(tally: &Tally, columns: usize) -> [usize; 3] {
    let total = tally.total() as usize;
    if total == 0 {
        return [0; 3];
    }
    let counts = tally.counts.map(|count| count as usize);
    let mut bar = counts.map(|count| (count * columns / total).max(usize::from(count > 0)));
    // Rounding may leave a difference: correct the label whose bar is furthest from its share.
    while bar.iter().sum::<usize>() != columns {
        let missing = |i: usize| (counts[i] * columns) as isize - (bar[i] * total) as isize;
        if bar.iter().sum::<usize>() < columns {
            let most = (0..3).max_by_key(|&i| (missing(i), i)).unwrap_or_default();
            bar[most] += 1;
        } else {
            let least = (0..3).filter(|&i| bar[i] > 1).min_by_key(|&i| missing(i));
            bar[least.unwrap_or_default()] -= 1;
        }
    }
    bar
}
