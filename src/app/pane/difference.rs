//! The lines in which two texts differ.

use similar::{DiffTag, DiffableStr, group_diff_ops};

use crate::app::pane::{Ink, Line, truncated, wrapped};
use crate::text::{clipped, diff, width};

/// Unchanged lines shown before and after a change.
const AROUND: usize = 1;
/// Rows that one long line may take, approximately.
const ROWS: usize = 4;

/// Lists the lines in which two texts differ, with a line of context on each side.
pub fn difference(old: &str, new: &str, columns: usize) -> Vec<Line> {
    let (old, new) = around_change(old, new);
    let old: Vec<_> = old.split_inclusive('\n').collect();
    let new: Vec<_> = new.split_inclusive('\n').collect();
    let mut lines = Vec::new();
    let rows = |ink, sign, line: &str, other: Option<&&str>| {
        let other = other.map_or("", |line| line.trim());
        let room = columns.saturating_sub(4);
        let head = Line::of(ink, &format!(" {sign} "));
        let excerpt = excerpt(line.trim(), other, room);
        wrapped(head, ink, &excerpt, columns)
    };
    for group in group_diff_ops(diff(&old, &new), AROUND) {
        for change in group {
            let (tag, old, new) =
                (change.tag(), &old[change.old_range()], &new[change.new_range()]);
            if tag == DiffTag::Equal {
                let same = old.iter().flat_map(|line| rows(Ink::Dim, " ", line, None));
                lines.extend(same);
                continue;
            }
            // Each with the line of the other text in its place.
            for (at, line) in old.iter().enumerate() {
                lines.extend(rows(Ink::Removed, "-", line, new.get(at)));
            }
            for (at, line) in new.iter().enumerate() {
                lines.extend(rows(Ink::Added, "+", line, old.get(at)));
            }
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
    let [one, other] = [texts[0].tokenize_words(), texts[1].tokenize_words()];
    let mut lines = [Line::new(), Line::new()];
    for change in diff(&one, &other) {
        let is_same = change.tag() == DiffTag::Equal;
        let inks = [Ink::Removed, Ink::Added].map(|ink| if is_same { Ink::Plain } else { ink });
        lines[0].push(inks[0], &one[change.old_range()].concat());
        lines[1].push(inks[1], &other[change.new_range()].concat());
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
