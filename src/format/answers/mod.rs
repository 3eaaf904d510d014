//! Which call an answer belongs to: by its id, by its name, or by its order, as each form tells.
//!
//! [`OpenCalls`] are the calls without answers, for all families. The messages of a chat are read in their order by
//! [`Answers`]; other forms may have an answer before its call.

mod in_order;
mod open_calls;

pub use in_order::{Answer, Answers, Said};
pub use open_calls::{OpenCalls, Wanted};

use std::collections::HashMap;

use crate::dialog::Turn;

/// The turn of a call, and its position in that.
pub type CallPlace = (usize, usize);

/// Calls with one id that were made together.
#[derive(Default)]
pub struct CallsOfId<'n> {
    pub calls: Vec<CallPlace>,
    /// The name of the call that each answer with the id gives; empty if it gives none.
    pub answers: Vec<&'n str>,
}

/// The id of an answer, and the name that it gives.
pub struct ToldAnswer<'n> {
    pub id: &'n str,
    /// Empty if it gives none.
    pub name: &'n str,
}

impl CallsOfId<'_> {
    /// Returns the calls after which another one was tried in a later turn, as far as there are fewer answers than calls:
    /// those answer what they name, or else what was tried last.
    pub fn tried_again(self, turns: &[Turn]) -> Vec<CallPlace> {
        if self.answers.is_empty() || self.answers.len() >= self.calls.len() {
            return Vec::new();
        }
        let name = |&(turn, call): &CallPlace| turns[turn].calls[call].name.as_str();
        let mut names: HashMap<&str, usize> = HashMap::new();
        for call in &self.calls {
            *names.entry(name(call)).or_default() += 1;
        }
        // Answers to calls that they name, and to others.
        let mut named: HashMap<&str, usize> = HashMap::new();
        let mut left = 0;
        for answer in &self.answers {
            match names.get_mut(answer).filter(|count| **count > 0) {
                Some(count) => {
                    *count -= 1;
                    *named.entry(answer).or_default() += 1;
                }
                None => left += 1,
            }
        }
        let mut last = None;
        let is_again = |call: &CallPlace| {
            let open = named.get_mut(name(call)).filter(|open| **open > 0);
            let is_answered = left > 0 || open.is_some();
            match open {
                Some(open) => *open -= 1,
                None if left > 0 => left -= 1,
                None => {}
            }
            if is_answered {
                last = last.or(Some(call.0));
            }
            !is_answered && last.is_some_and(|last| last > call.0)
        };
        self.calls.iter().copied().rev().filter(is_again).collect()
    }
}
