//! The program is killed at random moments of editing, undoing and saving, again and again in the same
//! folder: what had been done is there, files are whole, and all of it can be undone.
//!
//! `TURNWISE_CRASHES` says how many runs there are; each has a seed of its own, which a failure names.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use turnwise::app::Bytes;
use turnwise::corpus::{CorpusFile, Part, Source as _};
use turnwise::dialog::Edit;

use super::harness::Terminal;
use super::repair::{DEMO, SAVE, text};
use super::setup::Setup;
use crate::support::files::indexed;
use crate::support::random::Random;

/// Runs where nobody wants more, and kills in each.
const RUNS: u64 = 8;
const KILLS: usize = 3;

/// What the user does.
#[derive(Clone, Debug)]
enum Act {
    /// Adds a word that is nowhere else to what a turn says.
    Say {
        dialog: usize,
        turn: usize,
        word: String,
    },
    Undo,
    Redo,
    Save,
}

/// What the program should know.
#[derive(Clone)]
struct Model {
    corpus: CorpusFile<Bytes>,
}

impl Model {
    fn new(bytes: Vec<u8>) -> Self {
        let index = indexed(&bytes);
        let corpus = CorpusFile::new(Bytes(Arc::new(bytes)), index);
        Self { corpus }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in self.corpus.parts() {
            match part {
                Part::Kept(range) => {
                    let mut kept = vec![0; (range.end - range.start) as usize];
                    self.corpus
                        .source()
                        .read_at(range.start, &mut kept)
                        .unwrap();
                    bytes.extend(kept);
                }
                Part::New { text, .. } => bytes.extend(text.as_bytes()),
            }
        }
        bytes
    }

    fn does(&mut self, act: &Act) {
        match act {
            Act::Say { dialog, turn, word } => {
                let before = self.corpus.dialog(*dialog).unwrap().unwrap().0;
                let (turn, text) = (*turn, format!("{} {word}", before.turns[*turn].text));
                let drop = false;
                let shrink = false;
                let edit = Edit::SetText {
                    turn,
                    text,
                    drop,
                    shrink,
                };
                self.corpus.edit(*dialog, &edit).unwrap();
            }
            Act::Undo => drop(self.corpus.undo()),
            Act::Redo => drop(self.corpus.redo()),
            Act::Save => {
                let bytes = self.bytes();
                let index = indexed(&bytes);
                self.corpus.rebase(Bytes(Arc::new(bytes)), index);
            }
        }
    }
}

fn keys_of(act: &Act) -> String {
    match act {
        Act::Say { dialog, turn, word } => {
            let dialog = "J".repeat(*dialog);
            format!("KKK{dialog}g{turn}ge {word}\r")
        }
        Act::Undo => "u".to_owned(),
        Act::Redo => "U".to_owned(),
        Act::Save => SAVE.to_owned(),
    }
}

/// Everything that is written down.
fn journal(terminal: &Terminal) -> String {
    let folder = terminal.folder().join(".state/turnwise/journals");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let journals = files.filter(|f| f.path().extension().is_some_and(|e| e == "jsonl"));
    journals
        .map(|file| fs::read_to_string(file.path()).unwrap_or_default())
        .collect()
}

/// Waits until something is written down, which nothing else brings about.
fn wait_for_line(terminal: &Terminal, what: &str, written: impl Fn(&str) -> bool) {
    let start = Instant::now();
    while !written(&journal(terminal)) {
        let waited = start.elapsed() < Duration::from_mins(1);
        assert!(waited, "{what} is not written down:\n{}", journal(terminal));
        std::thread::yield_now();
    }
}

fn chosen(random: &mut Random, word: &mut u64) -> Act {
    match random.below(10) {
        0..=4 => {
            *word += 1;
            Act::Say {
                dialog: random.below(3) as usize,
                turn: 1 + random.below(8) as usize,
                word: format!("zq{word}z"),
            }
        }
        5 | 6 => Act::Undo,
        7 => Act::Redo,
        _ => Act::Save,
    }
}

/// Does something and waits until it was seen and written down.
fn do_and_see(terminal: &mut Terminal, model: &mut Model, act: &Act) {
    let (could_undo, could_redo) = (
        model.corpus.history().current().is_some(),
        model.corpus.history().next().is_some(),
    );
    let modified = model.corpus.is_modified();
    let before = journal(terminal);
    terminal.keys(&keys_of(act));
    match act {
        Act::Save if modified => drop(terminal.shows("saved taskmaster-1.json")),
        _ => {}
    }
    terminal.settled();
    let line = |sign: &str| {
        // The journal may have been put anew as a whole, with fewer lines.
        let sign = format!("{{\"{sign}\":true}}");
        wait_for_line(terminal, &format!("{act:?}"), |now| {
            now.trim_end().ends_with(&sign) && (now != before || before.is_empty())
        });
    };
    match act {
        Act::Say { word, .. } => {
            wait_for_line(terminal, word, |now| now.contains(word.as_str()));
        }
        Act::Undo if could_undo => line("undo"),
        Act::Redo if could_redo => line("redo"),
        Act::Save if modified => wait_for_line(terminal, "the save", |now| {
            now.lines()
                .last()
                .is_some_and(|line| line.contains("{\"saved\""))
        }),
        _ => {}
    }
    model.does(act);
}

fn run(seed: u64) {
    let mut random = Random(seed);
    let mut terminal = Setup::demo(DEMO).size(120, 40).start();
    terminal.shows("dialog 0 of 0–2");
    let original = text(&terminal).into_bytes();
    let mut model = Model::new(original.clone());
    let mut word = 0;
    for kill in 0..KILLS {
        for _ in 0..random.below(8) {
            let act = chosen(&mut random, &mut word);
            do_and_see(&mut terminal, &mut model, &act);
        }
        // What was done when it is killed may be there or not.
        let last = chosen(&mut random, &mut word);
        let mut after = model.clone();
        after.does(&last);
        terminal.keys(&keys_of(&last));
        let (start, wait) = (Instant::now(), random.below(40_000));
        while start.elapsed() < Duration::from_micros(wait) {
            std::hint::spin_loop();
        }
        terminal.signal(Signal::KILL).ends();
        let told = format!("seed {seed}, kill {kill}, at {last:?}");
        let there = text(&terminal).into_bytes();
        let mut saved = model.clone();
        while saved.corpus.is_modified() {
            saved = on_disk(&saved);
        }
        let whole = there == saved.bytes() || matches!(last, Act::Save) && there == after.bytes();
        assert!(whole, "{told}: the file is neither the old nor the new one");

        terminal = terminal.again();
        terminal.shows(" of 3 ");
        // A key that means nothing anywhere: what it says is the last row of its picture.
        terminal.keys("\x1b[20~").shows("F9 does nothing here");
        if terminal.picture().contains("the last run ended with") {
            terminal.keys("y");
        }
        terminal.settled();
        terminal.keys(SAVE).wait_for(|screen| {
            let text = screen.contents();
            text.contains("saved taskmaster-1.json") || text.contains("no unsaved changes")
        });
        let there = text(&terminal).into_bytes();
        if there == after.bytes() {
            model = after;
        }
        assert_eq!(
            String::from_utf8_lossy(&there),
            String::from_utf8_lossy(&model.bytes()),
            "{told}: what was done is not there\n{}",
            journal(&terminal)
        );
        if model.corpus.is_modified() {
            model.does(&Act::Save);
        }
    }
    let mut steps = 0;
    while model.corpus.undo().is_some() {
        terminal.keys("u");
        steps += 1;
    }
    terminal.settled();
    terminal.keys("u").shows("there is nothing to undo");
    if model.bytes() != text(&terminal).into_bytes() {
        terminal.keys(SAVE).shows("saved taskmaster-1.json");
    }
    assert!(
        text(&terminal).into_bytes() == original,
        "seed {seed}: {steps} steps undone"
    );
}

/// The file as it was saved last.
fn on_disk(model: &Model) -> Model {
    let source = model.corpus.source();
    let mut bytes = vec![0; source.len() as usize];
    source.read_at(0, &mut bytes).unwrap();
    Model::new(bytes)
}

#[test]
fn killed_at_any_moment_nothing_is_lost() {
    let wanted = std::env::var("TURNWISE_CRASHES").ok();
    let runs = wanted.and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    for seed in 0..runs {
        run(seed);
    }
}
