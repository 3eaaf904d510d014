//! Where spans go when the text under them changes.

use std::ops::Range;

/// The part of a text that differs from its new version, in the units of the items compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What was there, in the old text.
    pub old: Range<usize>,
    /// What is there now, in the new text.
    pub new: Range<usize>,
}

/// What becomes of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shifted {
    /// Its items are all still there, here.
    To(Range<usize>),
    /// The change removed or replaced some of its items, or put new ones among them.
    Cut,
}

impl Change {
    /// The smallest change from `old` to `new`: what lies between their common beginning and their
    /// common end. None if they are equal.
    pub fn between<T: PartialEq>(old: &[T], new: &[T]) -> Option<Self> {
        if old == new {
            return None;
        }
        let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - head;
        let tails = old.iter().rev().zip(new.iter().rev());
        let tail = tails.take(most).take_while(|(a, b)| a == b).count();
        Some(Self {
            old: head..old.len() - tail,
            new: head..new.len() - tail,
        })
    }

    /// Where `span` of the old text is in the new one. A change that touches it only at an edge
    /// leaves it whole. A span that ends before it starts is bad data, and goes with what lies between
    /// its ends.
    pub fn shift(&self, span: &Range<usize>) -> Shifted {
        if span.start.max(span.end) <= self.old.start {
            Shifted::To(span.clone())
        } else if span.start.min(span.end) >= self.old.end {
            let move_by = |at: usize| at - self.old.end + self.new.end;
            Shifted::To(move_by(span.start)..move_by(span.end))
        } else {
            Shifted::Cut
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(old: &str, new: &str) -> Change {
        let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
        Change::between(&old, &new).expect("texts differ")
    }

    #[test]
    fn spans_follow_their_text() {
        let change = change("at seven pm", "at 7 pm");
        assert_eq!(
            change,
            Change {
                old: 3..8,
                new: 3..4
            }
        );
        assert_eq!(change.shift(&(0..2)), Shifted::To(0..2));
        assert_eq!(change.shift(&(0..3)), Shifted::To(0..3));
        assert_eq!(change.shift(&(9..11)), Shifted::To(5..7));
        assert_eq!(change.shift(&(3..8)), Shifted::Cut);
        assert_eq!(change.shift(&(0..11)), Shifted::Cut);
    }

    #[test]
    fn an_insertion_at_an_edge_cuts_nothing() {
        let change = change("ab", "aXb");
        assert_eq!(change.shift(&(0..1)), Shifted::To(0..1));
        assert_eq!(change.shift(&(1..2)), Shifted::To(2..3));
        assert_eq!(change.shift(&(0..2)), Shifted::Cut);
    }

    #[test]
    fn spans_that_end_before_they_start_move_too() {
        let backwards = |start, end| Range { start, end };
        let change = change("at seven pm", "at 7 pm");
        assert_eq!(change.shift(&backwards(2, 1)), Shifted::To(backwards(2, 1)));
        assert_eq!(
            change.shift(&backwards(11, 9)),
            Shifted::To(backwards(7, 5))
        );
        assert_eq!(change.shift(&backwards(9, 1)), Shifted::Cut);
    }

    #[test]
    fn repeated_text_is_not_counted_twice() {
        assert_eq!(
            change("aa", "aaa"),
            Change {
                old: 2..2,
                new: 2..3
            }
        );
        assert_eq!(
            change("abab", "ab"),
            Change {
                old: 2..4,
                new: 2..2
            }
        );
    }
}
