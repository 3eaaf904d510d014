//! Sessions of the program on a small corpus, with real journals, and the true state at each moment:
//! the text of each turn, read from the corpus as it would be saved, and so independent of
//! journals.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use ratatui::layout::Size;
use turnwise::app::input::Keymap;
use turnwise::app::settings::Settings;
use turnwise::app::{App, Effect, Msg, RestoreEdits, SaveOutcome};
use turnwise::corpus::{Bytes, Index, index_all};
use turnwise::shell::{KEYMAPS, KnownFiles, PastRuns, RealFs, WriteRequest, Writer, journal_of};
use turnwise::workspace::{Doubt, JournalEntry, JournalOp};

use crate::support::files;
use crate::support::random::Random;

static KEYMAP: LazyLock<Keymap> = LazyLock::new(|| Keymap::read(KEYMAPS[0].1).unwrap());

/// Dialogs, and turns of each.
const DIALOGS: usize = 2;
pub const TURNS: usize = 4;

const NAME: &str = "corpus.json";

/// The texts of all turns.
pub type Texts = Vec<String>;

fn corpus() -> Vec<u8> {
    let turn = |dialog: usize, turn: usize| {
        let speaker = ["user", "assistant"][turn % 2];
        format!(
            r#"{{"index":{turn},"speaker":"{speaker}","text":"tea {dialog}.{turn}","segments":
[{{"start_index":0,"end_index":2,"text":"te","annotations":[{{"name":"drink"}}]}}]}}"#
        )
    };
    let dialog = |number: usize| {
        let turns: Vec<_> = (0..TURNS).map(|t| turn(number, t)).collect();
        format!(
            r#"{{"conversation_id":"d{number}","vertical":"v","instructions":"","scenario":"","utterances":[{}]}}"#,
            turns.join(",")
        )
    };
    let dialogs: Vec<_> = (0..DIALOGS).map(dialog).collect();
    format!("[{}]\n", dialogs.join(",\n")).into_bytes()
}

fn index(bytes: &Vec<u8>) -> Index {
    index_all(bytes, true).unwrap()
}

/// A home with a corpus and its journal, as it was left.
pub struct Session {
    pub home: PathBuf,
    pub journal: Vec<u8>,
    /// The texts at each moment, the last ones at the end.
    pub moments: Vec<Texts>,
    /// The corpus on the disk, with its known texts.
    disk: Vec<u8>,
    index: Index,
}

/// One run of the program.
struct Run {
    app: App,
    writer: Writer<'static>,
}

/// The report about earlier runs at the program's start.
#[derive(Debug, Default)]
pub struct Report {
    /// True if it reported any damage.
    pub wrong: bool,
    pub damaged: bool,
    pub newer: bool,
    pub text: String,
}

impl Session {
    /// A session in an empty folder in which nothing was done yet.
    pub fn new(home: &Path) -> Self {
        let disk = corpus();
        fs::write(home.join(NAME), &disk).unwrap();
        Self {
            home: home.to_owned(),
            journal: Vec::new(),
            moments: vec![texts(&disk)],
            index: index(&disk),
            disk,
        }
    }

    /// A session in which this and that was done.
    pub fn random(home: &Path, random: &mut Random) -> Self {
        let mut session = Self::new(home);
        let (mut run, _) = session.start();
        for word in 0..4 + random.below(20) {
            if !session.does_something(&mut run, word, random) {
                (run, _) = session.start();
                session.answer(&mut run, if random.below(4) == 0 { "n y" } else { "y" });
                session.moments.push(texts(&bytes(&run.app)));
            }
        }
        session.journal = fs::read(session.place()).unwrap_or_default();
        session
    }

    /// A session in which a word was added to each of these turns.
    pub fn of_words(home: &Path, turns: &[(usize, usize)]) -> Self {
        let mut session = Self::new(home);
        let (mut run, _) = session.start();
        for (number, turn) in turns.iter().enumerate() {
            session.add_word(&mut run, *turn, number as u64);
        }
        session.journal = fs::read(session.place()).unwrap();
        session
    }

    /// The path of the journal.
    pub fn place(&self) -> PathBuf {
        journal_of(&self.state(), &self.home.join(NAME))
    }

    fn state(&self) -> PathBuf {
        self.home.join("state")
    }

    /// Does something. False if the program has ended then.
    fn does_something(&mut self, run: &mut Run, word: u64, random: &mut Random) -> bool {
        let turn = (random.position(DIALOGS), random.position(TURNS));
        match random.below(16) {
            0..=6 => self.add_word(run, turn, word),
            7 => self.press(run, &format!("{} l ]", going_to(turn))),
            8 | 9 => self.press(run, "u"),
            10 => self.press(run, "U"),
            11 | 12 => self.press(run, "C-s"),
            // It is killed while it saves: the file is the new one or the old one.
            13 => return self.is_killed_saving(run, random.below(2) == 0),
            14 => {
                self.press(run, "q n");
                return false;
            }
            _ => return false,
        }
        true
    }

    fn add_word(&mut self, run: &mut Run, turn: (usize, usize), word: u64) {
        self.press(run, &format!("{} e", going_to(turn)));
        self.tell(run, Msg::Paste(format!(" zq{word}z")));
        self.press(run, "enter");
    }

    /// Starts the program: it reports what earlier runs left, and asks about it.
    fn start(&self) -> (Run, Report) {
        let path = self.home.join(NAME);
        let mut app = App::new(vec![NAME.to_owned()], KEYMAP.clone(), Settings::default());
        let mut told = Report::default();
        let index = Box::new(self.index.clone());
        let mut past = PastRuns::new(Some(self.state()), KnownFiles::default());
        for msg in past.of_file(0, NAME, &path, index.hash.unwrap()) {
            told.damaged |= matches!(&msg, Msg::Doubt { doubt: Doubt::Damaged(_), .. });
            app.update(msg);
        }
        told.text = past.final_message().unwrap_or_default();
        told.newer = told.text.contains("newer version");
        told.wrong = told.damaged || told.newer || !told.text.is_empty();
        let bytes = Bytes::from(self.disk.clone());
        let (file, complete) = (0, true);
        app.update(Msg::Opened { file, bytes, index, complete });
        // From now on the screen is drawn, but small: drawing takes longest.
        let (columns, rows) = (60, 12);
        app.update(Msg::Resize(Size::new(columns, rows)));
        let writer = Writer::new(&RealFs);
        (Run { app, writer }, told)
    }

    /// Presses keys, and carries out the effects.
    fn press(&mut self, run: &mut Run, keys: &str) {
        for key in keys.split_whitespace() {
            self.tell(run, Msg::Key(key.parse().unwrap()));
        }
    }

    /// Answers the question about edits of earlier runs, if there is one.
    fn answer(&mut self, run: &mut Run, keys: &str) {
        if run.app.windows.question::<RestoreEdits>().is_some() {
            self.press(run, keys);
        }
    }

    fn tell(&mut self, run: &mut Run, msg: Msg) {
        for effect in run.app.update(msg) {
            match effect {
                Effect::Journal { what, .. } => {
                    self.write(run, what.clone());
                    if what != JournalOp::Did(JournalEntry::QuitUnsaved) {
                        continue;
                    }
                    // The program ends without its unsaved edits.
                    self.moments.push(texts(&self.disk));
                    return;
                }
                Effect::Save { .. } => self.save(run),
                _ => {}
            }
        }
        self.moments.push(texts(&bytes(&run.app)));
    }

    fn save(&mut self, run: &mut Run) {
        let saved = bytes(&run.app);
        let index = Box::new(index(&saved));
        self.write(run, JournalOp::Saves(index.hash.unwrap()));
        self.put(saved.clone(), &index);
        self.tell(
            run,
            Msg::Saved {
                file: 0,
                bytes: Bytes::from(saved),
                index,
                outcome: SaveOutcome::default(),
            },
        );
    }

    fn is_killed_saving(&mut self, run: &mut Run, late: bool) -> bool {
        if run.app.workspace.files.is_modified(0) {
            let saved = bytes(&run.app);
            let index = index(&saved);
            self.write(run, JournalOp::Saves(index.hash.unwrap()));
            if late {
                self.put(saved, &index);
            }
        }
        false
    }

    fn put(&mut self, disk: Vec<u8>, index: &Index) {
        fs::write(self.home.join(NAME), &disk).unwrap();
        (self.disk, self.index) = (disk, index.clone());
    }

    fn write(&self, run: &mut Run, what: JournalOp) {
        let corpus = run.app.workspace.files.get(0).unwrap().corpus().unwrap();
        let order =
            WriteRequest { journal: self.place(), hash: corpus.index().hash.unwrap(), what };
        run.writer.carry_out(order, 1).unwrap();
    }

    /// Starts the program once more with this journal, and restores all that it offers: its report before
    /// that, and the texts afterwards.
    pub fn recovered(&mut self, journal: &[u8]) -> (Report, Texts) {
        let _ = fs::remove_dir_all(self.state());
        fs::create_dir_all(self.place().parent().unwrap()).unwrap();
        fs::write(self.place(), journal).unwrap();
        self.recovered_again()
    }

    /// As [`Session::recovered`], with the journal that is there.
    pub fn recovered_again(&mut self) -> (Report, Texts) {
        let (mut run, told) = self.start();
        self.answer(&mut run, "y");
        (told, texts(&bytes(&run.app)))
    }

    /// The file kept next to the journal whose name ends with `end`.
    pub fn kept(&self, end: &str) -> Option<Vec<u8>> {
        fs::read(format!("{}.{end}", self.place().display())).ok()
    }

    /// All texts that a turn ever had, by turn.
    pub fn ever(&self) -> Vec<BTreeSet<&str>> {
        let of_turn = |turn: usize| self.moments.iter().map(move |texts| texts[turn].as_str());
        (0..DIALOGS * TURNS).map(|t| of_turn(t).collect()).collect()
    }

    /// True if these texts were those of all turns at one moment.
    pub fn was(&self, texts: &Texts) -> bool {
        self.moments.contains(texts)
    }
}

/// The keys that lead to a turn.
fn going_to((dialog, turn): (usize, usize)) -> String {
    format!("esc esc K K {}home {}", "J ".repeat(dialog), "j ".repeat(turn))
}

/// The corpus as it would be saved.
fn bytes(app: &App) -> Vec<u8> {
    files::saved(app.workspace.files.get(0).unwrap().corpus().unwrap())
}

fn texts(corpus: &[u8]) -> Texts {
    let dialogs = files::dialogs_of(corpus);
    let turns = dialogs.iter().flat_map(|dialog| dialog["utterances"].as_array().unwrap());
    turns.map(|turn| turn["text"].as_str().unwrap().to_owned()).collect()
}
