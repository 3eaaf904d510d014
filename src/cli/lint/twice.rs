//! What only several dialogs show: ids that occur twice.

use std::collections::HashMap;

use super::choose::Chosen;
use super::examine::{Linted, Named, Problem, of_file};
use crate::dialog::Short;
use crate::lint::{Severity, named};

/// Finds the ids that several dialogs have, in one file or in several.
pub fn compare(files: &mut [Linted], choice: &Chosen) {
    let Some(rule) = named("duplicate-dialog-id").filter(|r| choice.selection.level(r).is_some())
    else {
        return;
    };
    let mut seen: HashMap<Short, (usize, &Named)> = HashMap::new();
    let mut twice = Vec::new();
    for (place, file) in files.iter().enumerate() {
        for again in &file.ids {
            let Some((first, before)) = seen.get(&again.id).copied() else {
                seen.insert(again.id.clone(), (place, again));
                continue;
            };
            let (number, id) = (before.dialog, &again.id);
            let elsewhere = first != place;
            // Samples, splits and new releases hold copies, and should.
            let copy = elsewhere && before.said == again.said;
            let message = match (elsewhere, copy) {
                (false, _) => format!("dialog {number} has the id \"{id}\" too"),
                (true, false) => {
                    let file = &files[first].file;
                    format!("dialog {number} of {file} has the id \"{id}\" too")
                }
                (true, true) => {
                    let file = &files[first].file;
                    format!("\"{id}\" is dialog {number} of {file} too, and says the same")
                }
            };
            let found = of_file(rule, choice, message).map(|mut found| {
                if copy {
                    found.severity = found.severity.min(Severity::Info);
                }
                found
            });
            twice.extend(found.map(|found| {
                let problem = Problem {
                    dialog: Some(again.dialog),
                    found,
                    offset: again.offset,
                    position: again.position,
                    excerpt: None,
                };
                (place, problem)
            }));
        }
    }
    let mut touched: Vec<usize> = twice.iter().map(|(place, _)| *place).collect();
    for (place, problem) in twice {
        files[place].problems.push(problem);
    }
    touched.dedup();
    for place in touched {
        files[place].problems.sort_by_key(|problem| problem.offset);
    }
}
