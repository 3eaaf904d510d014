//! What in the details can be chosen, and then changed.

use crate::dialog::CallPart;

/// Something that a line of the details stands for. Positions are those of the dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Segment {
        turn: usize,
        segment: usize,
    },
    Api {
        turn: usize,
        call: usize,
    },
    /// The arguments of a call, or its response, as a whole.
    Values {
        turn: usize,
        call: usize,
        part: CallPart,
    },
    Value {
        turn: usize,
        call: usize,
        part: CallPart,
        name: String,
        /// So many of that name stand before it.
        twin: usize,
    },
    /// Arguments or a response that are JSON in a string.
    Json {
        turn: usize,
        call: usize,
        part: CallPart,
    },
    /// All acts of a turn.
    Acts {
        turn: usize,
    },
    Act {
        turn: usize,
        act: usize,
    },
    ActSlot {
        turn: usize,
        act: usize,
        slot: usize,
    },
    /// All intents of a turn.
    Intents {
        turn: usize,
    },
    Intent {
        turn: usize,
        intent: usize,
    },
    /// All of the dialogue state.
    States {
        turn: usize,
    },
    State {
        turn: usize,
        slot: String,
        /// So many of that name stand before it.
        twin: usize,
    },
    /// A vote, by its position among those of its turn.
    Vote {
        turn: usize,
        vote: usize,
    },
    /// Something that was done, by its position among the steps.
    Step(usize),
    /// Something that was done, saved and undone, by its position among those that were passed over.
    PassedOver(usize),
    /// A problem, by its position among those of the dialog.
    Problem(usize),
    /// A problem that is let be, by its position among those of the dialog.
    Ignored(usize),
    /// What a rule finds, in one file or in all.
    Rule {
        file: Option<u32>,
        rule: &'static str,
    },
}

impl Item {
    /// The turn it belongs to, if it belongs to one.
    pub fn turn(&self) -> Option<usize> {
        Some(match self {
            Self::Segment { turn, .. }
            | Self::Api { turn, .. }
            | Self::Values { turn, .. }
            | Self::Value { turn, .. }
            | Self::Json { turn, .. }
            | Self::Acts { turn }
            | Self::Act { turn, .. }
            | Self::ActSlot { turn, .. }
            | Self::Intents { turn }
            | Self::Intent { turn, .. }
            | Self::States { turn }
            | Self::State { turn, .. }
            | Self::Vote { turn, .. } => *turn,
            Self::Step(_)
            | Self::PassedOver(_)
            | Self::Problem(_)
            | Self::Ignored(_)
            | Self::Rule { .. } => return None,
        })
    }

    /// True if it can be deleted: what was done is taken back, what is let be is a problem again.
    pub fn can_be_deleted(&self) -> bool {
        match self {
            Self::Segment { .. }
            | Self::Value { .. }
            | Self::Act { .. }
            | Self::ActSlot { .. }
            | Self::Intent { .. }
            | Self::State { .. }
            | Self::Vote { .. }
            | Self::Step(_)
            | Self::PassedOver(_)
            | Self::Ignored(_) => true,
            Self::Api { .. }
            | Self::Values { .. }
            | Self::Json { .. }
            | Self::Acts { .. }
            | Self::Intents { .. }
            | Self::States { .. }
            | Self::Problem(_)
            | Self::Rule { .. } => false,
        }
    }
}
