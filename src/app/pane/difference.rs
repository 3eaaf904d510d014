//! The lines in which two texts differ.

use std::ops::Range;

use similar::{ChangeTag, TextDiff};

use crate::app::pane::{Ink, Line, truncated, wrapped};
use crate::text::{clipped, width};

/// Unchanged lines shown before and after a change.
const AROUND: usize = 1;
/// Rows that one long line may take, approximately.
const ROWS: usize = 4;

/// Lists the lines in which two texts differ, with a line of context on each side.
pub fn difference(old: &str, new: &str, columns: usize) -> Vec<Line> {
    let (old, new) = around_change(old, new);
    let diff = TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(AROUND) {
        let changes = group
            .iter()
            .flat_map(|op| diff.iter_changes(op).map(move |change| (op, change)));
        for (op, change) in changes {
            let (sign, ink) = match change.tag() {
                ChangeTag::Delete => ("- ", Ink::Removed),
                ChangeTag::Insert => ("+ ", Ink::Added),
                ChangeTag::Equal => ("  ", Ink::Dim),
            };
            // The line of the other text that this one replaces.
            let (olds, news) = (op.old_range(), op.new_range());
            let in_place = |at: usize, own: Range<usize>, other: Range<usize>| {
                Some(other.start + at - own.start).filter(|at| *at < other.end)
            };
            let other = match (change.old_index(), change.new_index()) {
                (Some(at), None) => in_place(at, olds, news).and_then(|at| diff.new_slice(at)),
                (None, Some(at)) => in_place(at, news, olds).and_then(|at| diff.old_slice(at)),
                _ => None,
            };
            let text = change.value().trim();
            let other = other.map_or("", |line| line.trim());
            let room = columns.saturating_sub(4);
            let head = Line::of(ink, &format!(" {sign}"));
            lines.extend(wrapped(head, ink, &excerpt(text, other, room), columns));
        }
        lines.push(Line::of(Ink::Dim, "   ⋯"));
    }
    lines.pop();
    lines
}

/// Returns two texts, each in a line of so many columns, with the words of which the other has not the same marked. If
/// they are longer, they begin shortly before the first of these.
pub fn differing_words([one, other]: [&str; 2], columns: usize) -> [Line; 2] {
    let texts = if [one, other].iter().any(|text| width(text) > columns) {
        clipped(one, other)
    } else {
        (one.to_owned(), other.to_owned())
    };
    let texts = <[String; 2]>::from(texts).map(|text| truncated(&text, columns));
    let diff = TextDiff::from_words(&texts[0], &texts[1]);
    let mut lines = [Line::new(), Line::new()];
    for change in diff.iter_all_changes() {
        let text = change.value();
        match change.tag() {
            ChangeTag::Delete => lines[0].push(Ink::Removed, text),
            ChangeTag::Insert => lines[1].push(Ink::Added, text),
            ChangeTag::Equal => lines
                .iter_mut()
                .for_each(|line| line.push(Ink::Plain, text)),
        }
    }
    lines
}

/// Cuts the common first and last lines off two texts, except for those shown as context: a dialog may
/// have a million lines, and an edit changes two.
fn around_change<'t>(old: &'t str, new: &'t str) -> (&'t str, &'t str) {
    let lines = |text: &'t str| text.split_inclusive('\n');
    let same = |(old, new): &(&str, &str)| old == new;
    let alike = lines(old).zip(lines(new)).take_while(same).count();
    let bytes = |text, count| lines(text).take(count).map(str::len).sum::<usize>();
    let before = bytes(old, alike.saturating_sub(AROUND));
    let (old, new) = (&old[before..], &new[before..]);
    // Lines of the common beginning must not count towards the common end.
    let begin = bytes(old, alike.min(AROUND));
    let ends = || lines(&old[begin..]).rev();
    let alike = ends().zip(lines(&new[begin..]).rev()).take_while(same);
    let behind = alike.count().saturating_sub(AROUND);
    let behind: usize = ends().take(behind).map(str::len).sum();
    (&old[..old.len() - behind], &new[..new.len() - behind])
}

/// Returns a line; if it is long, from where it begins to differ from `other`, because a file may be a
/// single line.
fn excerpt(line: &str, other: &str, room: usize) -> String {
    if width(line) <= ROWS * room.max(1) {
        return line.to_owned();
    }
    truncated(&clipped(line, other).0, ROWS * room)
}
