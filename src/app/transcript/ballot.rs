//! Votes on a turn in one line, and what a detector says of it.

use crate::app::line::{Ink, Line, truncated};
use crate::dialog::{Breakdown, Detection, Turn, Vote};
use crate::votes::{LenientLabel, Tally};

/// Columns of a full vote bar, at the most.
const BAR: usize = 24;

/// Votes as one bar: shares of O, T and X, their numbers, and the majority.
pub(super) fn vote_line(votes: &[Vote], own: Option<&Vote>, mut line: Line, room: usize) -> Line {
    let tally = Tally::of(votes);
    // Numbers and majority take up to 40 columns behind the bar, one's own vote 7 more, its mark 6.
    let taken = match own {
        Some(own) if own.is_marked() => 53,
        Some(_) => 47,
        None => 40,
    };
    let columns = room.saturating_sub(taken).clamp(6, BAR);
    for (breakdown, columns) in Breakdown::ALL.into_iter().zip(bar(&tally, columns)) {
        line.push(Ink::Vote(breakdown), &glyph(breakdown).repeat(columns));
    }
    for breakdown in Breakdown::ALL {
        line.push(
            Ink::Vote(breakdown),
            &format!("  {} {}", breakdown.letter(), tally.count(breakdown)),
        );
    }
    if let Some(majority) = tally.majority() {
        let lenient = tally.lenient_majority().map_or("", LenientLabel::name);
        let tie = if tally.tie().is_some() {
            "tie → "
        } else {
            ""
        };
        line.push(
            Ink::Dim,
            &format!("  {tie}{} ({lenient})", majority.letter()),
        );
    }
    if let Some(own) = own
        && let Some(breakdown) = own.breakdown
    {
        line.push(Ink::Strong, "  you ");
        line.push(Ink::Vote(breakdown), breakdown.letter());
        if own.is_marked() {
            line.push(Ink::Warning, " ungr.");
        }
    }
    line
}

/// What a turn said when it was judged, in one row of `columns`; None if it says that still.
pub fn judged_label(turn: &Turn, columns: usize) -> Option<String> {
    let said = turn.judged_as.as_deref()?;
    Some(truncated(
        &format!("▲ judged when it said: {said}"),
        columns,
    ))
}

/// What a detector says, in one line.
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

/// A cell of a label's bar, to be told apart without colours too.
pub fn glyph(breakdown: Breakdown) -> &'static str {
    match breakdown {
        Breakdown::O => "░",
        Breakdown::T => "▒",
        Breakdown::X => "█",
    }
}

/// Columns for O, T and X that add up to `columns`: in proportion, but at least one for each that has
/// votes.
fn bar(tally: &Tally, columns: usize) -> [usize; 3] {
    let total = tally.total() as usize;
    if total == 0 {
        return [0; 3];
    }
    let counts = tally.counts.map(|count| count as usize);
    let mut bar = counts.map(|count| (count * columns / total).max(usize::from(count > 0)));
    // What rounding left over, or took too much, falls on those whose shares it is nearest to.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_add_up() {
        for counts in [[8, 11, 11], [30, 0, 0], [0, 0, 1], [1, 1, 1], [7, 13, 10]] {
            assert_eq!(
                bar(&Tally { counts }, 24).iter().sum::<usize>(),
                24,
                "{counts:?}"
            );
        }
        assert_eq!(bar(&Tally::default(), 24), [0, 0, 0]);
        let six = |counts| bar(&Tally { counts }, 6);
        assert_eq!(six([20, 10, 0]), [4, 2, 0]);
        assert_eq!(six([21, 9, 0]), [4, 2, 0]);
        assert_eq!(six([9, 5, 16]), [2, 1, 3]);
        assert_eq!(six([1, 1, 28]), [1, 1, 4]);
    }
}
