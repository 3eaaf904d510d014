//! The work of several annotators on the open files, as far as it is counted.

use crate::judging::{AnswerTable, Member, TeamWork};

/// The last count.
#[derive(Clone, Debug, Default)]
pub struct Team {
    /// The number of this count, by which late results of an earlier one are recognized. 0: not started.
    pub number: u64,
    /// None while it is counted.
    pub count: Option<TeamCount>,
    /// The annotator whose answers are known to be right.
    pub gold: Option<String>,
    /// Each annotator, beside `gold`.
    pub members: Vec<Member>,
}

/// The result of a count.
#[derive(Clone, Debug, Default)]
pub struct TeamCount {
    /// The question whose answers are compared.
    pub question: String,
    pub work: TeamWork,
    pub table: AnswerTable,
}
