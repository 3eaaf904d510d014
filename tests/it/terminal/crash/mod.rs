//! The program is killed at random moments, again and again in the same folder: every acknowledged edit
//! is saved or offered again, files are the old ones or the new ones as a whole, and all edits
//! can be undone.
//!
//! A [`Work`] is what the user does meanwhile. `TURNWISE_CRASHES` is the number of runs of each;
//! each has a seed of its own, which a failure names.

mod editing;
mod judging;
mod model;
mod repairing;

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::harness::Terminal;
use crate::support::random::Random;
use crate::support::{DEADLINE, amount};
use model::{Act, Model, Step};

const SAVE_ALL: &str = "W";

/// The user's work until the program is killed.
trait Work {
    /// How often it is killed in one run.
    const KILLS: usize = 3;

    /// The program in a new folder, and the files that may be changed.
    fn start(&self) -> (Terminal, Model);

    /// Text on the screen once all is read.
    fn ready(&self) -> &str;

    /// The next act.
    fn next(&mut self, random: &mut Random, model: &Model) -> Act;

    /// The act during which the program is killed: more at once than anybody waits for.
    fn last(&mut self, random: &mut Random, model: &Model) -> Act {
        self.next(random, model)
    }
}

/// The journals, each as it is.
fn journals(terminal: &Terminal) -> Vec<String> {
    let folder = terminal.folder().join(".state/turnwise/journals");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let journals = files.filter(|f| f.path().extension().is_some_and(|e| e == "jsonl"));
    journals.map(|file| fs::read_to_string(file.path()).unwrap_or_default()).collect()
}

/// True if the journal's last entry that ends a step is that of `step`.
fn is_last_said(journal: &str, step: &Step) -> bool {
    // An edit that makes a file as it is on the disk is followed by a note that it is saved.
    // A new vote log's beginning without an edit, after which the program was killed, needs no saving.
    let ignored = match step {
        Step::Save => "{\"begins\"",
        _ => "{\"saved\"",
    };
    let noted = |line: &&str| line.contains(ignored);
    let mut lines = journal.lines().rev().skip_while(noted);
    let last = lines.next().unwrap_or_default();
    match step {
        Step::Edits(edits) => {
            let edit = serde_json::to_string(&edits.last().unwrap().2).unwrap();
            last.contains(edit.trim_matches(['{', '}']))
        }
        Step::Undo => last.ends_with("{\"undo\":true}"),
        Step::Redo => last.ends_with("{\"redo\":true}"),
        Step::Save => last.contains("{\"saved\""),
    }
}

/// Waits until the last of the steps that change anything is written down, which nothing else brings
/// about.
fn wait_until_written(terminal: &Terminal, before: &[String], step: &Step) {
    let start = Instant::now();
    loop {
        let now = journals(terminal);
        let mut new = now.iter().filter(|journal| !before.contains(journal));
        let written = match step {
            Step::Save => now.iter().all(|journal| {
                // An earlier run was killed right after it had saved this file.
                let is_old = before.contains(journal);
                let last = journal.lines().last().unwrap_or_default();
                is_last_said(journal, step) || is_old && last.contains("{\"saves\"")
            }),
            _ => new.any(|journal| is_last_said(journal, step)),
        };
        if written {
            return;
        }
        let waited = start.elapsed() < DEADLINE;
        let (told, screen) = (now.join("\n"), terminal.picture());
        assert!(waited, "{step:?} is not written down:\n{told}\n{screen}");
        std::thread::yield_now();
    }
}

/// Does something and waits until it was seen and written down.
fn do_and_see(terminal: &mut Terminal, model: &mut Model, act: &Act) {
    lead(terminal, act);
    let before = journals(terminal);
    terminal.keys(&act.keys).settled();
    for step in &act.steps {
        let changes = model.is_changed_by(step);
        *model = model.after(std::slice::from_ref(step));
        if changes {
            if matches!(step, Step::Save) {
                terminal.shows_not("unsaved");
            }
            wait_until_written(terminal, &before, step);
        }
    }
}

fn lead(terminal: &mut Terminal, act: &Act) {
    if let Some((keys, shown)) = &act.lead {
        terminal.keys(keys).shows(shown);
    }
}

fn run<W: Work>(work: &mut W, seed: u64) {
    let mut random = Random(seed);
    let (mut terminal, mut model) = work.start();
    terminal.shows(work.ready());
    for kill in 0..W::KILLS {
        for _ in 0..random.below(8) {
            let act = work.next(&mut random, &model);
            do_and_see(&mut terminal, &mut model, &act);
        }
        let last = loop {
            let last = work.last(&mut random, &model);
            if Model::can_be_distinguished(&model.through(&last.steps)) {
                break last;
            }
        };
        let told = format!("seed {seed}, kill {kill}, at {last:?}");
        lead(&mut terminal, &last);
        terminal.keys(&last.keys);
        let (start, wait) = (Instant::now(), random.below(40_000));
        while start.elapsed() < Duration::from_micros(wait) {
            std::hint::spin_loop();
        }
        terminal.signal(Signal::KILL).ends();
        // The edit during which it was killed may be there, in part, or not.
        let after = model.through(&last.steps);
        let there = model.found_in(terminal.folder());
        for (file, there) in there.iter().enumerate() {
            let mut saved = after.iter().map(Model::on_disk);
            let whole = saved.any(|saved| saved[file] == *there);
            assert!(whole, "{told}: file {file} is neither an old nor a new one");
        }
        terminal = terminal.again();
        terminal.shows(work.ready());
        model = recovered(&mut terminal, &after, &told);
    }
    let edits = model.edits();
    terminal.keys(&"u".repeat(edits)).settled();
    terminal.keys("u").shows("nothing to undo");
    let model = model.after(&vec![Step::Undo; edits]);
    terminal.keys(SAVE_ALL).settled();
    terminal.shows_not("unsaved");
    let there = model.found_in(terminal.folder());
    assert!(there == model.now(), "seed {seed}: {edits} edits undone");
}

/// Restores the unsaved edits from the last run, and saves them: returns which of the states `after` that is.
fn recovered(terminal: &mut Terminal, after: &[Model], told: &str) -> Model {
    // A key that is bound nowhere: its message is the last row of the screen.
    terminal.keys("\x1b[20~").shows("F9 is not bound here");
    if terminal.picture().contains("the last run left") {
        terminal.keys("y");
    }
    terminal.settled();
    terminal.keys(SAVE_ALL).settled();
    terminal.shows_not("unsaved");
    let there = after[0].found_in(terminal.folder());
    let found = after.iter().rfind(|model| model.now() == there);
    let Some(found) = found else {
        let text = |files: Vec<Option<Vec<u8>>>| {
            let files = files.into_iter().map(Option::unwrap_or_default);
            let texts = files.map(|bytes| String::from_utf8(bytes).unwrap());
            texts.collect::<Vec<_>>().join("\n")
        };
        let journals = journals(terminal).join("\n");
        assert_eq!(
            text(there),
            text(after[0].now()),
            "{told}: what was done is not there\n{journals}"
        );
        unreachable!("{told}");
    };
    found.after(&[Step::Save])
}

fn runs<W: Work>(mut work: impl FnMut() -> W) {
    let wanted = std::env::var("TURNWISE_CRASHES").ok();
    let wanted = wanted.and_then(|runs| runs.parse().ok());
    let runs = wanted.unwrap_or(amount(1, 4));
    for seed in 0..runs {
        run(&mut work(), seed);
    }
}

#[test]
fn killed_many_times_while_editing_nothing_is_lost() {
    runs(editing::Editing::default);
}

#[test]
fn killed_many_times_while_judging_beside_a_corpus_nothing_is_lost() {
    runs(|| judging::Beside);
}

#[test]
fn killed_many_times_while_many_problems_are_repaired_nothing_is_lost() {
    runs(repairing::Repairing::default);
}
