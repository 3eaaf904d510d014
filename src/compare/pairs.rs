//! Pairs the elements of two lists: which element of the new list an element of the old one has become.

/// Something that is paired with what it has become in another copy.
pub trait Paired: PartialEq {
    /// Returns how likely `new` is what this has become, the higher the likelier; None if it is something else.
    fn likeness(&self, new: &Self) -> Option<u32>;
}

/// The elements of two lists, as positions. Each position is in one of them once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Positions in the old and the new list, in the order of the old list.
    pub both: Vec<(usize, usize)>,
    /// In the old list alone, ascending.
    pub removed: Vec<usize>,
    /// In the new list alone, ascending.
    pub added: Vec<usize>,
}

impl Pairs {
    /// Parts those elements that are others after all.
    pub fn part(&mut self, are_others: impl Fn(usize, usize) -> bool) {
        let (apart, both): (Vec<_>, _) =
            std::mem::take(&mut self.both).into_iter().partition(|of| are_others(of.0, of.1));
        self.both = both;
        let (old, new): (Vec<_>, Vec<_>) = apart.into_iter().unzip();
        for (list, parted) in [(&mut self.removed, old), (&mut self.added, new)] {
            list.extend(parted);
            list.sort_unstable();
        }
    }

    /// Pairs the elements of two lists of these lengths in the order of both, so that as much as possible is alike. 0 is
    /// the likeness of elements that are not paired. The time that it takes grows with the product of the lengths.
    pub fn likely_in_order(
        rows: usize,
        columns: usize,
        likeness: impl Fn(usize, usize) -> u32,
    ) -> Self {
        // best[row][column]: the most that the elements from there on can be alike.
        let width = columns + 1;
        let mut best = vec![0_u32; (rows + 1) * width];
        let mut own = vec![0_u32; rows * columns];
        for row in (0..rows).rev() {
            for column in (0..columns).rev() {
                let alike = likeness(row, column);
                own[row * columns + column] = alike;
                let both = match alike {
                    0 => 0,
                    alike => alike + best[(row + 1) * width + column + 1],
                };
                let one = best[(row + 1) * width + column].max(best[row * width + column + 1]);
                best[row * width + column] = both.max(one);
            }
        }
        let mut pairs = Self::default();
        let (mut row, mut column) = (0, 0);
        while row < rows || column < columns {
            let is_both = row < rows && column < columns && {
                let alike = own[row * columns + column];
                let after = best[(row + 1) * width + column + 1];
                alike > 0 && best[row * width + column] == alike + after
            };
            if is_both {
                pairs.both.push((row, column));
                (row, column) = (row + 1, column + 1);
            } else if column == columns
                || row < rows && best[(row + 1) * width + column] >= best[row * width + column + 1]
            {
                pairs.removed.push(row);
                row += 1;
            } else {
                pairs.added.push(column);
                column += 1;
            }
        }
        pairs
    }

    /// Returns the position in the new list of what is at `old` in the old one.
    pub fn new_of(&self, old: usize) -> Option<usize> {
        let pair = self.both.iter().find(|(one, _)| *one == old);
        pair.map(|(_, new)| *new)
    }

    /// Returns the position in the old list of what is at `new` in the new one.
    pub fn old_of(&self, new: usize) -> Option<usize> {
        let pair = self.both.iter().find(|(_, other)| *other == new);
        pair.map(|(old, _)| *old)
    }

    /// Returns the position in the new list of what is in place of what was at `old`, if pairs do not cross.
    pub fn instead_of(&self, old: usize) -> Option<usize> {
        let before = self.both.iter().rev().find(|(one, _)| *one < old);
        let (one, other) = before.map_or((0, 0), |(one, other)| (one + 1, other + 1));
        let new = other + old.checked_sub(one)?;
        let is_between = self.both.iter().all(|(one, other)| (*one < old) == (*other < new));
        (is_between && self.added.contains(&new)).then_some(new)
    }
}

impl Pairs {
    /// Notes in `both` that a new element is at these places now, before those that were there.
    pub fn add(&mut self, old: usize, new: usize) {
        for (one, other) in &mut self.both {
            *one += usize::from(*one >= old);
            *other += usize::from(*other >= new);
        }
        self.both.push((old, new));
        self.both.sort_unstable();
    }

    /// Notes in `both` that the element at these places is gone.
    pub fn remove(&mut self, old: usize, new: usize) {
        self.both.retain(|pair| *pair != (old, new));
        for (one, other) in &mut self.both {
            *one -= usize::from(*one > old);
            *other -= usize::from(*other > new);
        }
    }
}

/// Pairs equal elements first, at their places or else in their order, as often as both lists have them; then the likeliest, of equally
/// likely ones those at the nearest positions.
pub fn pairs<E: Paired>(old: &[E], new: &[E]) -> Pairs {
    let mut pairs = Pairs::default();
    let mut is_free = vec![true; new.len()];
    // Those that stay where they are come first: an edit of one of two equal elements is about this one.
    let mut moved = Vec::new();
    for at in 0..old.len() {
        if new.get(at) == Some(&old[at]) {
            is_free[at] = false;
            pairs.both.push((at, at));
        } else {
            moved.push(at);
        }
    }
    let mut rest = Vec::new();
    for position in moved {
        let same = |at: &usize| is_free[*at] && new[*at] == old[position];
        match (0..new.len()).find(same) {
            Some(at) => {
                is_free[at] = false;
                pairs.both.push((position, at));
            }
            None => rest.push(position),
        }
    }
    let mut likely = Vec::new();
    for &one in &rest {
        for other in (0..new.len()).filter(|at| is_free[*at]) {
            if let Some(likeness) = old[one].likeness(&new[other]) {
                likely.push((std::cmp::Reverse(likeness), one.abs_diff(other), one, other));
            }
        }
    }
    likely.sort_unstable();
    let mut is_paired = vec![false; old.len()];
    for (.., one, other) in likely {
        if !is_paired[one] && is_free[other] {
            (is_paired[one], is_free[other]) = (true, false);
            pairs.both.push((one, other));
        }
    }
    rest.retain(|position| !is_paired[*position]);
    pairs.both.sort_unstable();
    pairs.removed = rest;
    pairs.added = (0..new.len()).filter(|at| is_free[*at]).collect();
    pairs
}
