//! The items that can be selected in the details, and then changed.

use crate::dialog::{ApiCall, CallPart, Extent, Payload, Turn};
use crate::lint::Diagnostic;
use crate::workspace::DialogId;

/// An item that lines of the details show. Positions are those in the dialog.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    Segment {
        turn: usize,
        segment: usize,
    },
    Api {
        turn: usize,
        call: usize,
    },
    /// All arguments of a call, or its whole response.
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
        /// The number of values with the same name before it.
        nth: usize,
    },
    /// Arguments or a response that are JSON in a string.
    Json {
        turn: usize,
        call: usize,
        part: CallPart,
    },
    /// An object or a list within a value or within JSON in a string.
    Inner {
        of: Box<Self>,
        /// The positions of the members that lead to it, from the outermost; at least one.
        path: Vec<usize>,
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
        /// The number of values with the same name before it.
        nth: usize,
    },
    /// An undo step, by its position.
    Step(usize),
    /// A problem, by its position in the dialog.
    Problem(usize),
    /// An ignored problem, by its position among the ignored problems of the dialog.
    Ignored(usize),
    /// A hit of the search, by its dialog and its position there.
    Hit {
        at: DialogId,
        number: usize,
    },
    /// All problems that a rule reports, in one file or in all.
    Rule {
        file: Option<u32>,
        rule: &'static str,
    },
    /// A code, by its name.
    Code(String),
}

impl Item {
    /// Returns the turn of the call that it is or belongs to, and the position of the call in that turn.
    pub fn call(&self) -> Option<(usize, usize)> {
        match self {
            Self::Api { turn, call }
            | Self::Values { turn, call, .. }
            | Self::Value { turn, call, .. }
            | Self::Json { turn, call, .. } => Some((*turn, *call)),
            Self::Inner { of, .. } => of.call(),
            _ => None,
        }
    }

    /// Returns which part of its call it is or belongs to.
    pub fn call_part(&self) -> Option<CallPart> {
        match self {
            Self::Values { part, .. } | Self::Value { part, .. } | Self::Json { part, .. } => {
                Some(*part)
            }
            Self::Inner { of, .. } => of.call_part(),
            _ => None,
        }
    }

    /// Returns the object or list in it that `path` leads to, or itself if that is empty.
    #[must_use]
    pub fn inner(&self, path: &[usize]) -> Self {
        match path {
            [] => self.clone(),
            _ => Self::Inner { of: Box::new(self.clone()), path: path.to_vec() },
        }
    }

    /// True if `other` is this item, or an object or a list in it.
    pub fn contains(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Inner { of, path }, Self::Inner { of: same, path: inner }) => {
                of == same && inner.starts_with(path)
            }
            (_, Self::Inner { of, .. }) => self == &**of,
            _ => self == other,
        }
    }

    /// Returns the call, or the value or JSON in it, that a problem is about.
    pub fn of_call(of: &Turn, problem: &Diagnostic) -> Option<Self> {
        let (turn, location) = (problem.location.turn?, problem.location.at);
        let is_in = |at: Extent| at.start <= location.start && location.end <= at.end;
        let item = |(call, of): (usize, &ApiCall)| {
            let parts = [(CallPart::Arguments, &of.arguments), (CallPart::Response, &of.response)];
            let part = parts.into_iter().find_map(|(part, payload)| match payload.as_ref()? {
                Payload::Fields(fields) => {
                    let position = fields.iter().position(|field| is_in(field.at))?;
                    let name = &fields[position].name;
                    let before = fields[..position].iter().filter(|field| field.name == *name);
                    Some(Self::Value {
                        turn,
                        call,
                        part,
                        name: name.to_string(),
                        nth: before.count(),
                    })
                }
                Payload::Embedded { at, .. } | Payload::Text { at, .. } => {
                    is_in(*at).then_some(Self::Json { turn, call, part })
                }
            });
            part.or_else(|| is_in(of.at).then_some(Self::Api { turn, call }))
        };
        of.calls.iter().enumerate().find_map(item)
    }

    /// Returns the turn it belongs to, if any.
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
            | Self::State { turn, .. } => *turn,
            Self::Inner { of, .. } => return of.turn(),
            Self::Step(_)
            | Self::Problem(_)
            | Self::Ignored(_)
            | Self::Hit { .. }
            | Self::Rule { .. }
            | Self::Code(_) => return None,
        })
    }
}
