//! Calls that failed: by tool, by the reasons that people have given, with examples.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::example::{ExamplePlace, KeptExample};
use super::{CallSums, ROWS};
use crate::dialog::{Answer, ApiCall};
use crate::format::embedded::{shown_field, shown_payload};
use crate::page::{Bar, Cell, Part, Plot, Section, figures, short};
use crate::report::bounded::{Bounded, Sample, hash_of};
use crate::report::sums::SeenDialog;
use crate::text::{counted, cut};

/// Failed calls by answer, with examples.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FailureSums {
    failed: u64,
    dialogs: u64,
    /// Failed calls by `question: answer` or `tag: name` of people.
    reasons: Bounded<u64>,
    examples: Sample<KeptExample>,
}

/// The most examples.
const EXAMPLES: usize = 20;

/// The most characters of the arguments of an example, and of what its result says.
const ARGUMENTS: usize = 160;
const WHY: usize = 200;

impl FailureSums {
    /// Adds a dialog.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        let dialog = seen.dialog;
        let mut failed = dialog.failed_calls().peekable();
        self.dialogs += u64::from(failed.peek().is_some());
        for (turn, position) in failed {
            let call = &dialog.turns[turn].calls[position];
            self.failed += 1;
            let reasons = reasons(seen, turn, position);
            for reason in &reasons {
                if let Some(count) = self.reasons.of(reason) {
                    *count += 1;
                }
            }
            let hash = hash_of(&format!("{}:{turn}:{position}", dialog.id));
            self.examples.offer(hash, EXAMPLES, || example(seen, turn, call, reasons));
        }
    }

    /// Adds the sums of another part.
    pub fn join(&mut self, other: Self) {
        self.failed += other.failed;
        self.dialogs += other.dialogs;
        self.reasons.join(other.reasons);
        self.examples.join(other.examples, EXAMPLES);
    }

    pub fn settle(&mut self) {
        self.reasons.settle();
    }

    /// Returns the byte offsets in `file` of calls whose lines are not known yet, to be changed.
    pub fn example_lines(&mut self, file: &str) -> impl Iterator<Item = (u64, &mut Option<u64>)> {
        self.examples.unknown_lines(file)
    }

    /// Returns the failed calls; None without any. The reasons are left out if only the answers of some count.
    pub fn section(&self, calls: &CallSums, paths: &str, with_reasons: bool) -> Option<Section> {
        if self.failed == 0 {
            return None;
        }
        let mut parts = vec![figures([
            ("failed calls", Cell::Share { count: self.failed, of: calls.calls() }),
            ("dialogs with failed calls", Cell::Count(self.dialogs)),
        ])];
        let tool = |(name, [failed, all]): (&str, [u64; 2])| {
            Bar::new(format!("{}, of {}", short(name), counted(all, "call")), failed)
        };
        let tools = Plot::bars("Failed calls by tool", "failed calls", calls.failed().map(tool));
        parts.push(Part::Plot(tools));
        let reasons = self.reasons.greatest(ROWS, |count| *count);
        if with_reasons && !reasons.is_empty() {
            let reason = |(name, count): &(&str, &u64)| Bar::new(*name, **count);
            parts.push(Part::Plot(Plot::bars(
                "Failed calls by answer; a call with several answers counts for each",
                "failed calls",
                reasons.iter().map(reason),
            )));
        }
        parts.push(Part::Text(
            "A call counts as failed if a mark beside its result says so or, without a mark, the result does; see turnwise help sessions.".to_owned(),
        ));
        let examples = self.examples.iter().map(|call| call.shown(with_reasons));
        parts.push(Part::Examples(examples.collect()));
        Some(Section {
            name: "failures",
            title: "Failed calls",
            commands: vec![
                format!("turnwise find failed: {paths}"),
                format!("turnwise find failed: {paths} --count-by api"),
            ],
            parts,
        })
    }
}

/// Returns the answers of people to a call, each once. A question may have other values now than when it was answered.
fn reasons(seen: &SeenDialog<'_>, turn: usize, position: usize) -> BTreeSet<String> {
    let answers = seen.dialog.judgements.iter().filter(|said| {
        let place = &said.place;
        said.is_of_person() && place.turn == Some(turn) && place.call == Some(position)
    });
    let mut reasons = BTreeSet::new();
    for said in answers {
        let scheme = seen.schemes.iter().find(|scheme| scheme.name == said.scheme);
        let question = scheme.and_then(|scheme| scheme.question(&said.question));
        let takes = |value: &&Answer| question.is_none_or(|asked| asked.takes(value).is_ok());
        let of = |answer: &str| format!("{}: {answer}", said.question);
        match said.value.as_ref().filter(takes) {
            Some(Answer::Several(all)) => reasons.extend(all.iter().map(|one| of(one))),
            Some(value) => _ = reasons.insert(of(&short(&value.to_string()))),
            None => {}
        }
        reasons.extend(said.tags.iter().map(|tag| format!("tag: {tag}")));
    }
    reasons
}

fn example(
    seen: &SeenDialog<'_>,
    turn: usize,
    call: &ApiCall,
    reasons: BTreeSet<String>,
) -> KeptExample {
    let arguments = call.arguments.as_ref().map(|arguments| shown_payload(arguments).line);
    let result = call.response.as_ref().map(|result| shown_payload(result).line);
    let result = result.filter(|text| !text.trim().is_empty());
    let why = result.or_else(|| call.failures().next().map(shown_field)).unwrap_or_default();
    KeptExample {
        of: short(&call.name),
        place: ExamplePlace::of(seen, seen.dialog.turns[turn].at, Some(turn)),
        remarks: std::iter::once(cut(why.trim(), WHY)).chain(reasons).collect(),
        excerpt: [String::new(), String::new(), cut(&arguments.unwrap_or_default(), ARGUMENTS)],
    }
}
