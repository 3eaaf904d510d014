//! Tests of `src/lint/rules/chats.rs`.

use turnwise::lint::*;

#[test]
fn profiles_name_rules_that_exist() {
    for profile in PROFILES {
        for (name, _) in profile.rules {
            let is_there = RULES.iter().any(|rule| rule.name == *name);
            assert!(is_there, "{}: {name}", profile.name);
        }
    }
}
