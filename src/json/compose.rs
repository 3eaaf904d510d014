//! Combines patches that are applied one after the other into one.

use super::patch::{Patch, Splice};

impl Patch {
    /// Combines `patches`, each of which applies to the text that the one before it leaves.
    pub fn composed(mut patches: Vec<Self>) -> Self {
        // In pairs: combined one by one, the growing patch would be copied once for each.
        while patches.len() > 1 {
            let mut pairs = patches.into_iter();
            let mut composed = Vec::with_capacity(pairs.len().div_ceil(2));
            while let Some(first) = pairs.next() {
                composed.push(match pairs.next() {
                    Some(second) => first.then(&second),
                    None => first,
                });
            }
            patches = composed;
        }
        patches.pop().unwrap_or_default()
    }

    /// Combines this patch with `next`, which applies to the text that this one leaves.
    fn then(&self, next: &Self) -> Self {
        let (mut first, mut second) = (Steps::of(self), Steps::of(next));
        let mut made = Builder::default();
        loop {
            match (first.next, second.next) {
                (Step::End, Step::End) => return made.patch,
                (Step::Remove(bytes), _) => {
                    made.remove(bytes);
                    first.advance(bytes);
                }
                (_, Step::Add(text)) => {
                    made.add(text);
                    second.advance(text.len());
                }
                (one, other) => {
                    let bytes = one.len().min(other.len());
                    match (one, other) {
                        // Added, and removed again.
                        (Step::Add(_), Step::Remove(_)) => {}
                        (Step::Add(text), _) => made.add(&text[..bytes]),
                        (_, Step::Remove(_)) => made.remove(bytes),
                        _ => made.keep(bytes),
                    }
                    first.advance(bytes);
                    second.advance(bytes);
                }
            }
        }
    }
}

/// The next step of a patch on its way through the text.
#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Keep(usize),
    Remove(usize),
    Add(&'p str),
    /// Keeps the rest.
    End,
}

impl Step<'_> {
    /// In bytes.
    fn len(self) -> usize {
        match self {
            Self::Keep(bytes) | Self::Remove(bytes) => bytes,
            Self::Add(text) => text.len(),
            Self::End => usize::MAX,
        }
    }
}

/// The steps of a patch. A splice removes the old text before it adds the new one.
struct Steps<'p> {
    splices: std::slice::Iter<'p, Splice>,
    /// Bytes of the old text that the steps so far cover.
    done: usize,
    next: Step<'p>,
    /// The steps after `next`, in reverse order.
    waiting: Vec<Step<'p>>,
}

impl<'p> Steps<'p> {
    fn of(patch: &'p Patch) -> Self {
        let mut steps =
            Self { splices: patch.splices().iter(), done: 0, next: Step::End, waiting: Vec::new() };
        steps.load();
        steps
    }

    fn load(&mut self) {
        while self.waiting.is_empty() {
            let Some(splice) = self.splices.next() else {
                self.next = Step::End;
                return;
            };
            let steps = [
                Step::Add(&splice.text),
                Step::Remove(splice.range.len()),
                Step::Keep(splice.range.start - self.done),
            ];
            self.done = splice.range.end;
            self.waiting.extend(steps.into_iter().filter(|step| step.len() > 0));
        }
        self.next = self.waiting.pop().unwrap_or(Step::End);
    }

    /// Finishes this number of bytes of the next step.
    fn advance(&mut self, bytes: usize) {
        self.next = match self.next {
            Step::Keep(all) if bytes < all => Step::Keep(all - bytes),
            Step::Remove(all) if bytes < all => Step::Remove(all - bytes),
            Step::Add(text) if bytes < text.len() => Step::Add(&text[bytes..]),
            Step::End => Step::End,
            _ => return self.load(),
        };
    }
}

/// Collects steps into a patch.
#[derive(Default)]
struct Builder {
    patch: Patch,
    /// Bytes of the old text that were kept or removed so far.
    at: usize,
}

impl Builder {
    fn keep(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    fn remove(&mut self, bytes: usize) {
        self.last().range.end += bytes;
        self.at += bytes;
    }

    fn add(&mut self, text: &str) {
        self.last().text.push_str(text);
    }

    /// Returns the splice that ends at the current byte.
    fn last(&mut self) -> &mut Splice {
        let at = self.at;
        self.patch.splice_ending(at)
    }
}
