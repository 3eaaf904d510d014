//! Dialogue acts and states: how often, which act follows which, how many slots.

use serde::{Deserialize, Serialize};

use super::{Occurrences, Ranked, names, occurring};
use crate::dialog::{Dialog, Short, Turn};
use crate::page::{Cell, Section, figures, heads};
use crate::report::bounded::Bounded;
use crate::report::histogram::Histogram;

/// Acts, and slots of states.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ActSums {
    acts: Bounded<Occurrences>,
    /// Pairs of acts of adjacent turns, `one → next`.
    pairs: Bounded<u64>,
    intents: Bounded<Occurrences>,
    /// Slots of states, each turn with a state once.
    slots: Bounded<Occurrences>,
    /// Slots of a state.
    sizes: Histogram,
}

/// The most acts of a turn of which pairs are counted.
const ACTS_OF_A_TURN: usize = 12;

impl ActSums {
    /// Adds a dialog.
    pub fn add(&mut self, dialog: &Dialog) {
        let mut before: Vec<&str> = Vec::new();
        for turn in &dialog.turns {
            let mut acts: Vec<_> = turn.acts.iter().map(|act| act.name.as_str()).collect();
            self.acts.add_turn(&mut acts);
            let mut intents: Vec<_> = turn.intents.iter().map(Short::as_str).collect();
            self.intents.add_turn(&mut intents);
            self.add_state(turn);
            acts.dedup();
            acts.truncate(ACTS_OF_A_TURN);
            for one in &before {
                for next in &acts {
                    if let Some(count) = self.pairs.of(&format!("{one} → {next}")) {
                        *count += 1;
                    }
                }
            }
            before = acts;
        }
    }

    fn add_state(&mut self, turn: &Turn) {
        let Some(state) = &turn.state else { return };
        self.sizes.add(state.len() as u64);
        let mut slots: Vec<_> = state.iter().map(|slot| slot.slot.as_str()).collect();
        self.slots.add_turn(&mut slots);
    }

    /// Adds the sums of another part.
    pub fn join(&mut self, other: Self) {
        self.acts.join(other.acts);
        self.pairs.join(other.pairs);
        self.intents.join(other.intents);
        self.slots.join(other.slots);
        self.sizes.join(&other.sizes);
    }

    pub fn settle(&mut self) {
        self.acts.settle();
        self.pairs.settle();
        self.intents.settle();
        self.slots.settle();
    }

    /// Returns acts and states; None without any.
    pub fn section(&self, paths: &str) -> Option<Section> {
        if self.acts.is_empty() && self.intents.is_empty() && self.sizes.count() == 0 {
            return None;
        }
        let mut named = vec![
            ("kinds of acts", names(&self.acts)),
            ("intents", names(&self.intents)),
            ("turns with a state", Cell::Count(self.sizes.count())),
            ("slots", names(&self.slots)),
            ("slots a state", Cell::mean(self.sizes.mean())),
        ];
        named.retain(|(_, value)| !matches!(value, Cell::Count(0) | Cell::Nothing));
        let mut parts = vec![figures(named)];
        parts.extend(occurring("Acts", "act", &self.acts));
        let pairs =
            Ranked { caption: "Acts that follow each other", heads: heads(["acts", "turns"]) };
        parts.extend(pairs.of(&self.pairs, |n| *n, |n| vec![Cell::Count(*n)]));
        parts.extend(occurring("Intents", "intent", &self.intents));
        parts.extend(occurring("Slots in states", "slot", &self.slots));
        let mut commands = vec![format!("turnwise find 'act:*' {paths} --count-by act")];
        if self.sizes.count() > 0 {
            commands.push(format!("turnwise lint {paths} --select state"));
        }
        Some(Section { name: "acts", title: "Acts and states", commands, parts })
    }
}
