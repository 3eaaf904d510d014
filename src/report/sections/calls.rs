//! Calls of APIs: how often, with which arguments, answered or not. The section about failed calls takes its numbers by
//! API from here.

use serde::{Deserialize, Serialize};

use super::{ROWS, Ranked, names, sampled};
use crate::dialog::{ApiCall, Dialog, Payload};
use crate::page::{Cell, Section, figures, heads};
use crate::report::bounded::{Bounded, Joined};

/// Calls by API.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CallSums {
    apis: Bounded<ApiSums>,
    /// Arguments by `API(argument)`.
    arguments: Bounded<ArgumentSums>,
    calls: u64,
    turns: u64,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ApiSums {
    calls: u64,
    answered: u64,
    failed: u64,
    /// Calls whose arguments are a text that is not JSON.
    broken: u64,
}

impl Joined for ApiSums {
    fn join(&mut self, other: Self) {
        self.calls += other.calls;
        self.answered += other.answered;
        self.failed += other.failed;
        self.broken += other.broken;
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ArgumentSums {
    times: u64,
    empty: u64,
}

impl Joined for ArgumentSums {
    fn join(&mut self, other: Self) {
        self.times += other.times;
        self.empty += other.empty;
    }
}

impl CallSums {
    /// Adds a dialog.
    pub fn add(&mut self, dialog: &Dialog) {
        for turn in dialog.turns.iter().filter(|turn| !turn.calls.is_empty()) {
            self.turns += 1;
            for call in &turn.calls {
                self.add_call(call);
            }
        }
    }

    fn add_call(&mut self, call: &ApiCall) {
        self.calls += 1;
        let fields = match &call.arguments {
            Some(Payload::Fields(fields)) => fields.as_slice(),
            _ => &[],
        };
        if let Some(api) = self.apis.of(&call.name) {
            api.calls += 1;
            api.answered += u64::from(call.response.is_some());
            api.failed += u64::from(call.has_failed());
            api.broken += u64::from(matches!(call.arguments, Some(Payload::Text { .. })));
        }
        for field in fields {
            let name = format!("{}({})", call.name, field.name);
            if let Some(argument) = self.arguments.of(&name) {
                argument.times += 1;
                argument.empty += u64::from(field.content.as_str().is_empty());
            }
        }
    }

    /// Adds the sums of another part.
    pub fn join(&mut self, other: Self) {
        self.apis.join(other.apis);
        self.arguments.join(other.arguments);
        self.calls += other.calls;
        self.turns += other.turns;
    }

    pub fn settle(&mut self) {
        self.apis.settle();
        self.arguments.settle();
    }

    /// Returns the number of calls.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Returns the number of failed calls of each API that has some, and of all of its calls, the most first.
    pub fn failed(&self) -> impl Iterator<Item = (&str, [u64; 2])> {
        let failed = self.apis.greatest(ROWS, |api| api.failed).into_iter();
        failed.map(|(name, api)| (name, [api.failed, api.calls]))
    }

    /// Returns the calls; None without any.
    pub fn section(&self, paths: &str) -> Option<Section> {
        if self.calls == 0 {
            return None;
        }
        let named = [
            ("calls", Cell::Count(self.calls)),
            ("turns with calls", Cell::Count(self.turns)),
            ("APIs", names(&self.apis)),
        ];
        let mut parts = vec![figures(named)];
        let apis = Ranked {
            caption: "APIs",
            heads: heads(["API", "calls", "answered", "arguments not JSON"]),
        };
        let cells = |api: &ApiSums| {
            let numbers = [api.calls, api.answered, api.broken];
            numbers.map(Cell::Count).into()
        };
        parts.extend(apis.of(&self.apis, |api| api.calls, cells));
        parts.extend(sampled(&self.apis, "APIs"));
        let arguments =
            Ranked { caption: "Arguments", heads: heads(["argument", "calls with it", "empty"]) };
        let cells =
            |argument: &ArgumentSums| [argument.times, argument.empty].map(Cell::Count).into();
        parts.extend(arguments.of(&self.arguments, |argument| argument.times, cells));
        Some(Section {
            name: "calls",
            title: "Calls",
            commands: vec![
                format!("turnwise find 'api:*' {paths} --count-by api"),
                format!("turnwise lint {paths} --select api,chat"),
            ],
            parts,
        })
    }
}
