//! How the time of a key grows with what is open, the first screen's with the number of files, and a
//! command's with its input: measured at one size and at four times that, where a ratio far above four is
//! worse than n log n. Of a command also the most memory that it held, in times the size of its corpus:
//! one long dialog should take at most 12.
//!
//! `cargo bench --bench growth [CASE]`; `TURNWISE_BENCH_SIZE` is the larger size, 100,000 if unset.

#![allow(clippy::expect_used, clippy::print_stdout)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use turnwise::app::input::Keymap;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use turnwise::app::settings::Settings;
use turnwise::app::{App, Effect, FoundFixes, Msg, fixes_in};
use turnwise::corpus::{Bytes, index_all};
use turnwise::shell::KEYMAPS;
use turnwise::view::theme::THEMES;
use turnwise::view::{Colours, Theme, draw};
use turnwise::workspace::LintContext;

const SIZE: Size = Size::new(160, 50);

/// A corpus of some size, keys that lead to what is measured, and the keys that are.
struct Case {
    name: &'static str,
    corpus: fn(usize) -> String,
    before: &'static str,
    keys: &'static [&'static str],
}

const MOVES: &[&str] = &["down", "up", "right", "left", "pgdn", "pgup", "G", "g"];

const CASES: &[Case] = &[
    Case {
        name: "segments of a turn",
        corpus: |n| one_turn(n, |_, _, words| words, "red"),
        before: "down",
        keys: MOVES,
    },
    Case {
        name: "segments within a long one",
        corpus: |n| {
            let nested = |text: &str, _, mut words: Vec<_>| {
                words.push((0, text.len()));
                words
            };
            one_turn(n, nested, "red")
        },
        before: "down",
        keys: MOVES,
    },
    Case {
        name: "segments that all overlap",
        corpus: |n| {
            one_turn(n, |_, words, _| (0..words).map(|i| (i % 8, 40 + i % 11)).collect(), "red")
        },
        before: "down",
        keys: &["right", "left", "up", "down"],
    },
    Case {
        name: "segments of a turn beyond ASCII",
        corpus: |n| one_turn(n, |_, _, words| words, "réd"),
        before: "down",
        keys: MOVES,
    },
    Case {
        name: "carets in a turn of segments",
        corpus: |n| one_turn(n, |_, _, words| words, "red"),
        before: "down right right right enter",
        keys: &["right", "left", "w", "b", "S-right", "W", "end", "home"],
    },
    Case {
        name: "an edge of a segment of many",
        corpus: |n| one_turn(n, |_, _, words| words, "red"),
        before: "down right right",
        keys: &["]", "["],
    },
    Case {
        name: "details of segments",
        corpus: |n| one_turn(n, |_, _, words| words, "red"),
        before: "down right f7",
        keys: &["down", "up", "pgdn", "pgup", "end", "home"],
    },
    Case {
        name: "problems of a turn",
        corpus: |n| one_turn(n, |_, _, words| words, "wrong"),
        before: "down right",
        keys: &["n", "p", "P", "right", "left", "f7", "down", "up", "end", "home", "esc"],
    },
    Case {
        name: "hits of a text in a turn",
        corpus: |n| one_turn(n, |_, _, _| Vec::new(), "red"),
        before: "/ r e d enter",
        keys: &["n", "p", "/", "b", "backspace", "esc"],
    },
    Case {
        name: "hits of a label in a turn",
        corpus: |n| one_turn(n, |_, _, words| words, "red"),
        before: "/ l a b e l : c o l enter",
        keys: &["n", "p", "down", "up"],
    },
    Case { name: "turns of a dialog", corpus: |n| turns(n, "red"), before: "", keys: MOVES },
    Case {
        name: "problems in turns",
        corpus: |n| turns(n, "wrong"),
        before: "P",
        keys: &["n", "p", "down", "up", "pgdn", "pgup", "! n", "n", "esc"],
    },
    Case {
        name: "bulk fix in turns",
        corpus: |n| turns(n, "red "),
        before: "",
        keys: &["X enter", "u", "U", "u"],
    },
    Case {
        name: "bulk fix in a turn",
        corpus: spaces,
        before: "",
        keys: &["X enter", "u", "U", "u"],
    },
    Case {
        name: "hits in turns",
        corpus: |n| turns(n, "red"),
        before: "/ r e d enter",
        keys: &["n", "p", "down", "/", "g", "backspace", "esc"],
    },
    Case {
        name: "calls of a dialog",
        corpus: calls,
        before: "",
        keys: &["down", "up", "pgdn", "f7", "down", "up", "end", "home"],
    },
    Case { name: "votes on a turn", corpus: votes, before: "", keys: &["down", "up"] },
    Case {
        name: "dialogs of a file",
        corpus: dialogs,
        before: "",
        keys: &["J", "K", "f6", "down", "pgdn", "end", "home", "f", "1", "esc"],
    },
];

/// A command on a corpus of some size, with edit records on standard input.
struct Job {
    name: &'static str,
    corpus: fn(usize) -> String,
    arguments: &'static [&'static str],
    records: fn(usize) -> String,
}

const JOBS: &[Job] = &[
    Job {
        name: "fix in turns",
        corpus: |n| turns(n, "red "),
        arguments: &["fix", "--dry-run"],
        records: |_| String::new(),
    },
    Job {
        name: "fix in a turn",
        corpus: spaces,
        arguments: &["fix", "--dry-run"],
        records: |_| String::new(),
    },
    Job {
        name: "fix of clean turns",
        corpus: |n| turns(n, "red"),
        arguments: &["fix", "--dry-run"],
        records: |_| String::new(),
    },
    Job {
        name: "lint turns",
        corpus: |n| turns(n, "red"),
        arguments: &["lint"],
        records: |_| String::new(),
    },
    Job {
        name: "show turns",
        corpus: |n| turns(n, "red"),
        arguments: &["show"],
        records: |_| String::new(),
    },
    Job {
        name: "apply texts of a turn",
        corpus: |_| turns(1, "red"),
        arguments: &["apply", "-", "--dry-run"],
        records: |n| {
            records(n, |i| format!(r#""edit":"set_text","text":"say red more than {i} times""#))
        },
    },
    Job {
        name: "apply segments of a turn",
        corpus: |n| one_turn(n, |_, _, _| vec![(0, 4)], "red"),
        arguments: &["apply", "-", "--dry-run"],
        records: |n| {
            records(n, |i| {
                let (start, end) = (5 * i, 5 * i + 3);
                format!(
                    r#""edit":"add_segment","start":{start},"end":{end},"labels":["name.color"]"#
                )
            })
        },
    },
    // Each label depends on the span before it, so the turn is read again for each: quadratic, and
    // measured at a hundredth of the size.
    Job {
        name: "apply spans, each with its label, to a turn (n/100)",
        corpus: |n| one_turn(n / 100, |_, _, words| words, "red"),
        arguments: &["apply", "-", "--dry-run"],
        records: |n| {
            records(n / 100, |i| {
                let (segment, start, end) = (i / 2, 5 * (i / 2), 5 * (i / 2) + 3);
                if i % 2 == 0 {
                    format!(r#""edit":"set_span","segment":{segment},"start":{start},"end":{end}"#)
                } else {
                    format!(r#""edit":"set_labels","segment":{segment},"labels":["name.other"]"#)
                }
            })
        },
    },
    Job {
        name: "apply votes on a turn",
        corpus: |_| votes(1),
        arguments: &["apply", "-", "--dry-run"],
        records: |n| {
            records(n, |i| format!(r#""edit":"cast_vote","annotator":"b{i}","breakdown":"T""#))
        },
    },
];

/// Edit records for turn 1 of the first dialog, or for turn 0 if it is to have a new text.
fn records(n: usize, edit: impl Fn(usize) -> String) -> String {
    let record = |i: usize| {
        let edit = edit(i);
        let turn = usize::from(!edit.contains("set_text"));
        format!("{{\"dialog\":0,\"turn\":{turn},{edit}}}\n")
    };
    (0..n).map(record).collect()
}

/// The time of a command, and the most memory that it held, in times the size of its corpus.
fn run(job: &Job, size: usize) -> (Duration, f64) {
    let folder = tempfile::tempdir().expect("a folder");
    let (corpus, records) = (folder.path().join("a.json"), folder.path().join("edits"));
    let text = (job.corpus)(size);
    std::fs::write(&corpus, &text).expect("written");
    std::fs::write(&records, (job.records)(size)).expect("written");
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(job.arguments)
        .arg(corpus)
        .stdin(std::fs::File::open(records).expect("readable"))
        .stdout(Stdio::null())
        .spawn()
        .expect("it runs");
    let mut peak = 0;
    let status = loop {
        peak = peak_of(&child).unwrap_or(peak);
        if let Some(status) = child.try_wait().expect("it is a child") {
            break status;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert!(status.code().is_some_and(|code| code < 2), "{status}");
    (start.elapsed(), peak as f64 / text.len() as f64)
}

/// The most memory that a process has held so far, in bytes; None after its end, or if the system does
/// not say.
fn peak_of(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kibibytes << 10)
}

/// The time to the first screen of many files, and until all are read.
fn open_files(count: usize) -> [Duration; 2] {
    let mut screen = Screen::new();
    let names = (0..count).map(|i| format!("part-{}/{i}.json", i % 100));
    let text = turns(3, "wrong");
    let start = Instant::now();
    let mut app = empty_app(names.collect());
    screen.draw(&app);
    let first = start.elapsed();
    let opened = (0..count).map(|file| opened(file, text.clone()));
    app.update(Msg::Batch(opened.collect()));
    screen.draw(&app);
    [first, start.elapsed()]
}

/// A dialog in which turn 1 has `n` words, with segments over some of its bytes.
fn one_turn(
    n: usize,
    spans: impl Fn(&str, usize, Vec<(usize, usize)>) -> Vec<(usize, usize)>,
    word: &str,
) -> String {
    let words: Vec<_> = (0..n).map(|i| format!("{}{}", "red", i % 10)).collect();
    let text = words.join(" ");
    let each = (0..n).map(|i| (5 * i, 5 * i + 4)).collect();
    let mut segments = String::new();
    for (start, end) in spans(&text, n, each) {
        let quote = if word == "wrong" { word } else { &text[start..end] };
        let comma = if segments.is_empty() { "" } else { ",\n" };
        let _ = write!(
            segments,
            r#"{comma}{{"start_index":{start},"end_index":{end},"text":"{quote}","annotations":[{{"name":"name.color"}}]}}"#
        );
    }
    let turn = |index: usize, text: &str, segments: &str| {
        format!(r#"{{"speaker":"user","index":{index},"text":"{text}","segments":[{segments}]}}"#)
    };
    let turns = [turn(0, "hello there", ""), turn(1, &text, &segments), turn(2, "bye now", "")];
    let text = corpus(&[("dlg-1", turns.join(",\n")), ("dlg-2", turn(0, "other", ""))]);
    if word.is_ascii() { text } else { text.replace("red", word) }
}

/// One turn with `n` segments, each of which covers the space after its word.
fn spaces(n: usize) -> String {
    let space = |text: &str, _, words: Vec<(usize, usize)>| {
        let ends = words.into_iter().map(|(start, end)| (start, end + 1));
        ends.filter(|(_, end)| *end <= text.len()).collect()
    };
    one_turn(n, space, "red")
}

fn turns(n: usize, quote: &str) -> String {
    let turn = |index: usize| {
        format!(
            r#"{{"speaker":"user","index":{index},"text":"say red once more {index}","segments":[{{"start_index":4,"end_index":7,"text":"{quote}","annotations":[{{"name":"name.color"}}]}}]}}"#
        )
    };
    let turns: Vec<_> = (0..n).map(turn).collect();
    corpus(&[("dlg-1", turns.join(",\n"))])
}

fn calls(n: usize) -> String {
    let turn = |index: usize| {
        format!(
            r#"{{"speaker":"user","index":{index},"text":"see what is on {index}","segments":[],"apis":[{{"name":"find_movies","index":{index},"args":{{"name.movie":"it","date.showing":"today"}},"response":{{"movie":"it"}}}}]}}"#
        )
    };
    let turns: Vec<_> = (0..n).map(turn).collect();
    corpus(&[("dlg-1", turns.join(",\n"))])
}

fn dialogs(n: usize) -> String {
    let turn = r#"{"speaker":"user","index":0,"text":"hello","segments":[]}"#;
    let ids: Vec<_> = (0..n).map(|i| format!("dlg-{i}")).collect();
    let all: Vec<_> = ids.iter().map(|id| (id.as_str(), turn.to_owned())).collect();
    corpus(&all)
}

fn corpus(dialogs: &[(&str, String)]) -> String {
    let dialog = |(id, turns): &(&str, String)| {
        format!(r#"{{"conversation_id":"{id}","instruction_id":"b","utterances":[{turns}]}}"#)
    };
    let dialogs: Vec<_> = dialogs.iter().map(dialog).collect();
    format!("[{}]", dialogs.join(",\n"))
}

/// A breakdown log with `n` votes on one turn.
fn votes(n: usize) -> String {
    let vote = |i: usize| {
        let breakdown = ["O", "T", "X"][i % 3];
        format!(
            r#"{{"annotator-id":"a{i}","breakdown":"{breakdown}","comment":"","ungrammatical-sentence":""}}"#
        )
    };
    let votes: Vec<_> = (0..n).map(vote).collect();
    let turn = |index: usize, speaker: &str, votes: &str| {
        format!(
            r#"{{"turn-index":{index},"speaker":"{speaker}","time":"","annotation-id":"x{index}","utterance":"hello","annotations":[{votes}]}}"#
        )
    };
    let turns = [turn(0, "U", ""), turn(1, "S", &votes.join(",\n")), turn(2, "U", "")];
    let turns = turns.join(",\n");
    format!(r#"{{"dialogue-id":"d","group-id":"","speaker-id":"s","turns":[{turns}]}}"#)
}

fn empty_app(names: Vec<String>) -> App {
    let keymap = Keymap::read(KEYMAPS[0].1).expect("it is tested");
    let mut app = App::new(names, keymap, Settings::default());
    app.update(Msg::Resize(SIZE));
    app
}

fn opened(file: usize, text: String) -> Msg {
    let bytes = text.into_bytes();
    let index = index_all(&bytes, false).expect("in memory");
    Msg::Opened { file, bytes: Bytes::from(bytes), index: Box::new(index), complete: true }
}

fn app_on(text: String) -> App {
    let mut app = empty_app(vec!["corpus.json".to_owned()]);
    app.update(opened(0, text));
    app.update(Msg::Rules(Box::new(LintContext {
        paths: vec!["corpus.json".to_owned()],
        ..LintContext::default()
    })));
    app
}

struct Screen {
    theme: Theme,
    terminal: Terminal<TestBackend>,
}

impl Screen {
    fn draw(&mut self, app: &App) {
        let drawn = self.terminal.draw(|frame| draw(app, &self.theme, frame));
        black_box(drawn.expect("it is in memory"));
    }

    fn new() -> Self {
        Self {
            theme: Theme::read(THEMES[0].1, Colours::True).expect("it is tested"),
            terminal: Terminal::new(TestBackend::new(SIZE.width, SIZE.height))
                .expect("it is in memory"),
        }
    }
}

/// The time from keys to the cells of the screen.
fn press(app: &mut App, screen: &mut Screen, keys: &str) -> Duration {
    let keys: Vec<_> = keys.split_whitespace().map(|key| key.parse().expect("a key")).collect();
    let start = Instant::now();
    for key in keys {
        for effect in black_box(app.update(Msg::Key(key))) {
            find_fixes(app, effect);
        }
    }
    screen.draw(app);
    start.elapsed()
}

/// Finds what the list of fixes shows, as the shell does.
fn find_fixes(app: &mut App, effect: Effect) {
    let Effect::FindFixes { number, dialogs, source } = effect else {
        return;
    };
    let rules = app.workspace.files.rules.clone().expect("they are read");
    let (mut found, mut more, checked) = (Vec::new(), 0, dialogs.len());
    for at in dialogs {
        let format = app.workspace.files.format(at).expect("it has dialogs");
        let text = app.workspace.files.text(at).expect("in memory");
        let (fixes, left) = fixes_in(&rules, at, format, &text, &source);
        found.extend(fixes);
        more += left;
    }
    app.update(Msg::Fixes(FoundFixes { number, found, more, checked }));
}

/// The times of a case's keys: how long opening takes, and of each key the median of some presses.
fn measure(case: &Case, size: usize) -> Vec<Duration> {
    let mut screen = Screen::new();
    let text = (case.corpus)(size);
    let start = Instant::now();
    let mut app = app_on(text);
    press(&mut app, &mut screen, case.before);
    let mut times = vec![start.elapsed()];
    let mut of_keys = vec![Vec::new(); case.keys.len()];
    for _ in 0..5 {
        for (keys, times) in case.keys.iter().zip(&mut of_keys) {
            times.push(press(&mut app, &mut screen, keys));
        }
    }
    times.extend(of_keys.into_iter().map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    }));
    times
}

fn main() {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let size = std::env::var("TURNWISE_BENCH_SIZE").ok();
    let size = size.and_then(|size| size.parse().ok()).unwrap_or(100_000);
    println!(
        "milliseconds at {} and at {size}, and their ratio; peaks in times the corpus",
        size / 4
    );
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| name.contains(wanted));
    for case in CASES.iter().filter(|case| is_wanted(case.name)) {
        println!("{}", case.name);
        let (small, large) = (measure(case, size / 4), measure(case, size));
        let names = std::iter::once("open").chain(case.keys.iter().copied());
        for ((name, small), large) in names.zip(small).zip(large) {
            report(name, small, large);
        }
    }
    if is_wanted("files of a folder") {
        println!("files of a folder");
        let (small, large) = (open_files(size / 4), open_files(size));
        report("first", small[0], large[0]);
        report("all read", small[1], large[1]);
    }
    for job in JOBS.iter().filter(|job| is_wanted(job.name)) {
        println!("{}", job.name);
        let [(small, held), (large, most)] = [size / 4, size].map(|size| run(job, size));
        report("command", small, large);
        println!("  {:>10} {held:9.1} {most:9.1}", "peak");
    }
}

fn report(name: &str, small: Duration, large: Duration) {
    let [small, large] = [small, large].map(|time| time.as_secs_f64() * 1e3);
    println!("  {name:>10} {small:9.3} {large:9.3} {:6.1}", large / small);
}
