//! Profiles of trainers: how severe the problems of chats are for the programs that read them.
//!
//! Trainers disagree about chats. A service rejects what another one repairs, and loaders of tables fail
//! on values that a chat template never looks at.

use crate::lint::engine::{Selection, Severity};

/// The severities of some rules for one trainer.
pub struct Profile {
    pub name: &'static str,
    /// Rules with their severities; None turns a rule off.
    rules: &'static [(&'static str, Option<Severity>)],
}

/// Every profile.
pub static PROFILES: &[Profile] = &[
    // The service validates files: the last message is the assistant's and not empty. Roles need not
    // alternate, and there is no table to load.
    Profile {
        name: "openai",
        rules: &[
            ("chat-ends-without-assistant", Some(Severity::Error)),
            ("chat-empty-assistant", Some(Severity::Error)),
            ("chat-system-not-first", Some(Severity::Note)),
            ("chat-roles-not-alternating", None),
            ("chat-mixed-types", None),
        ],
    },
    // Files become Arrow tables, and chat templates stop at what they do not expect.
    Profile {
        name: "trl",
        rules: &[
            ("chat-ends-without-assistant", Some(Severity::Warning)),
            ("chat-system-not-first", Some(Severity::Error)),
            ("chat-roles-not-alternating", Some(Severity::Error)),
            ("chat-mixed-types", Some(Severity::Error)),
        ],
    },
    // The same tables, but messages of the same side may be joined, and turns before the end count.
    Profile {
        name: "axolotl",
        rules: &[
            ("chat-ends-without-assistant", None),
            ("chat-system-not-first", Some(Severity::Warning)),
            ("chat-roles-not-alternating", Some(Severity::Note)),
            ("chat-mixed-types", Some(Severity::Error)),
        ],
    },
];

/// Returns the profile called `name`.
pub fn profile(name: &str) -> Option<&'static Profile> {
    PROFILES.iter().find(|profile| profile.name == name)
}

impl Profile {
    /// Sets the severities of the rules of `selection`.
    pub fn apply(&self, selection: &mut Selection) {
        for (name, severity) in self.rules {
            selection.set_default(name, *severity);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::RULES;
    use super::*;

    #[test]
    fn profiles_name_rules_that_exist() {
        for profile in PROFILES {
            for (name, _) in profile.rules {
                let is_there = RULES.iter().any(|rule| rule.name == *name);
                assert!(is_there, "{}: {name}", profile.name);
            }
        }
    }
}
