//! The dialogs about which the command of a run has said nothing: lines of the run without a value, a note or tags, so
//! that they are not asked about again.

use std::collections::HashMap;

use serde_json::Value;

use super::Job;
use super::lines::Asked;
use crate::dialog::{Judgement, Place};
use crate::json::output;
use crate::shell::{FoundPath, since_1970};
use crate::text::moment;

/// The empty judgements of a run, by the ids of their dialogs.
pub struct SilentDialogs<'a> {
    of_dialog: HashMap<String, Vec<Judgement>>,
    asked: &'a Asked<'a>,
}

impl<'a> SilentDialogs<'a> {
    /// Finds them beside the files.
    pub fn of(found: &[FoundPath], asked: &'a Asked<'a>) -> Self {
        let judged = found.iter().find_map(|found| found.judgements.all.clone());
        let mut of_dialog: HashMap<String, Vec<Judgement>> = HashMap::new();
        let all = judged.iter().flat_map(|judged| judged.store.iter());
        for (judgement, ..) in all.filter(|(judgement, ..)| judgement.is_empty()) {
            let same = of_dialog.entry(judgement.dialog.clone());
            same.or_default().push(judgement.clone());
        }
        Self { of_dialog, asked }
    }

    /// True if the run has read this text of a dialog, and said nothing.
    pub fn has(&self, job: &Job) -> bool {
        let path = job.path.to_string_lossy();
        let is_it = |silent: &Judgement| {
            self.asked.is_of_run(silent) && silent.is_of_file(&path) && silent.fits(&job.dialog)
        };
        let same = self.of_dialog.get(&job.id);
        same.is_some_and(|same| same.iter().any(is_it))
    }
}

/// Returns the line about a dialog about which the command has said nothing.
///
/// # Errors
/// If it cannot be written.
pub fn line(job: &Job, asked: &Asked<'_>) -> serde_json::Result<String> {
    let silent = Judgement {
        file: job.file.clone(),
        dialog: job.id.clone(),
        scheme: asked.scheme.map_or_else(String::new, |scheme| scheme.name.clone()),
        question: asked.question.map_or_else(String::new, |question| question.name.clone()),
        by: asked.by.clone(),
        run: Some(asked.run.clone()),
        when: moment(since_1970().as_secs()),
        ..Judgement::of(&job.dialog, Place::DIALOG)
    };
    let mut line = serde_json::to_value(&silent)?;
    // A judgement has one of the members that say something.
    if let Value::Object(members) = &mut line {
        members.insert("tags".to_owned(), Value::Array(Vec::new()));
    }
    output::to_string(&line)
}
