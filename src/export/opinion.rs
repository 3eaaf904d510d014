//! Opinions about the assistant's answers in a dialog, from which `kto` and `dpo` make training data.

/// An opinion that was taken from votes, or from the answers to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// About the assistant's answer in a turn.
    Turn { turn: usize, is_good: bool },
    /// About each of the assistant's answers in the dialog.
    Dialog { is_good: bool },
    /// The side of a pair with this name is the better one.
    Better(String),
    /// Both sides of a pair are bad.
    BothBad,
}
