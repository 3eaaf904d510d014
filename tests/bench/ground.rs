//! How fast the ground is: finding pieces, reading dialogs, checking, saving, each beside another
//! way to do it in the same run.
//!
//! `cargo bench --bench ground` prints divan's tables and then the ratios that the manual quotes (`assets/speed.md`). The
//! corpus is a file named by `TURNWISE_BENCH` (an array of Taskmaster-3 dialogs), or else the demo
//! dialogs over and over.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::doc_markdown)]

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Instant;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use serde::Deserialize;
use serde_json::value::RawValue;
use turnwise::dialog::Edit;
use turnwise::format::named;
use turnwise::json::{FileLayout, Finder, Parser, Piece};
use turnwise::shell::{Content, RealFs, Save, open};

/// Bytes of the corpus that is made if none is named.
const SIZE: usize = 128 << 20;
/// Runs of which the best counts.
const RUNS: usize = 5;

/// A corpus on disk in two styles.
struct Corpus {
    pretty: PathBuf,
    minified: PathBuf,
}

fn corpus() -> &'static Corpus {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let folder = std::env::temp_dir().join("turnwise-bench");
        std::fs::create_dir_all(&folder).unwrap();
        let pretty =
            std::env::var_os("TURNWISE_BENCH").map_or_else(|| made(&folder), PathBuf::from);
        let minified = folder.join("minified.json");
        let dialogs: Vec<serde_json::Value> = serde_json::from_slice(&read(&pretty)).unwrap();
        std::fs::write(&minified, serde_json::to_vec(&dialogs).unwrap()).unwrap();
        Corpus { pretty, minified }
    })
}

/// The demo dialogs, repeated.
fn made(folder: &Path) -> PathBuf {
    let path = folder.join("pretty.json");
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo/taskmaster-3.json");
    let demo = std::fs::read_to_string(demo).unwrap();
    let dialogs = demo.trim().trim_start_matches('[').trim_end_matches(']').trim();
    let mut file = std::io::BufWriter::new(File::create(&path).unwrap());
    write!(file, "[\n    {dialogs}").unwrap();
    for _ in 0..SIZE / dialogs.len() {
        write!(file, ",\n    {dialogs}").unwrap();
    }
    write!(file, "\n]\n").unwrap();
    path
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Pretty,
    Minified,
}

fn path(style: Style) -> &'static Path {
    match style {
        Style::Pretty => &corpus().pretty,
        Style::Minified => &corpus().minified,
    }
}

/// Finds pieces as the program does: reading in chunks.
fn find_pieces(path: &Path) -> usize {
    let mut file = File::open(path).unwrap();
    let mut buffer = vec![0; 256 << 10];
    let mut finder = Finder::new();
    loop {
        match file.read(&mut buffer).unwrap() {
            0 => break,
            len => finder.feed(&buffer[..len]),
        }
    }
    pieces(finder).len()
}

fn pieces(finder: Finder) -> Vec<Piece> {
    match finder.finish().layout {
        FileLayout::Array(pieces) => pieces,
        other => panic!("the corpus should be an array, not {other:?}"),
    }
}

/// The other way: the whole file in memory, and serde_json's raw values.
fn find_raw_values(path: &Path) -> usize {
    let bytes = read(path);
    serde_json::from_slice::<Vec<&RawValue>>(&bytes).unwrap().len()
}

/// Every dialog into the model.
fn read_dialogs(bytes: &[u8], pieces: &[Piece]) -> u64 {
    let format = named("taskmaster-3").unwrap();
    let mut parser = Parser::new();
    let read = |piece: &Piece| {
        let tree = parser.parse(&bytes[piece.start as usize..piece.end as usize]).unwrap();
        format.read(tree).0.counts().segments
    };
    pieces.iter().map(read).sum()
}

#[derive(Deserialize)]
struct OwnedDialog {
    #[expect(dead_code, reason = "read to be compared in cost, not in content")]
    conversation_id: String,
    #[serde(default)]
    #[expect(dead_code, reason = "as above")]
    instructions: String,
    utterances: Vec<OwnedUtterance>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read to be compared in cost, not in content")]
struct OwnedUtterance {
    index: u32,
    speaker: String,
    text: String,
    #[serde(default)]
    segments: Vec<OwnedSegment>,
    #[serde(default)]
    apis: Vec<OwnedCall>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read to be compared in cost, not in content")]
struct OwnedSegment {
    start_index: u32,
    end_index: u32,
    text: String,
    annotations: Vec<OwnedAnnotation>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read to be compared in cost, not in content")]
struct OwnedAnnotation {
    name: String,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read to be compared in cost, not in content")]
struct OwnedCall {
    name: String,
    args: std::collections::BTreeMap<String, String>,
    response: std::collections::BTreeMap<String, String>,
}

/// The other way: serde_json into owned structs, the whole file as one list of dialogs.
fn read_structs(bytes: &[u8]) -> usize {
    let dialogs: Vec<OwnedDialog> = serde_json::from_slice(bytes).unwrap();
    dialogs.iter().map(segments).sum()
}

/// The same, but each dialog is read alone and dropped: serde_json at its best, given our pieces.
fn read_structs_in_pieces(bytes: &[u8], pieces: &[Piece]) -> usize {
    let read = |piece: &Piece| {
        let text = &bytes[piece.start as usize..piece.end as usize];
        segments(&serde_json::from_slice(text).unwrap())
    };
    pieces.iter().map(read).sum()
}

fn segments(dialog: &OwnedDialog) -> usize {
    dialog.utterances.iter().map(|utterance| utterance.segments.len()).sum()
}

fn loaded(style: Style) -> (Vec<u8>, Vec<Piece>) {
    let bytes = read(path(style));
    let mut finder = Finder::new();
    finder.feed(&bytes);
    (bytes, pieces(finder))
}

#[divan::bench(args = [Style::Pretty, Style::Minified], sample_count = 5)]
fn pieces_by_finder(bencher: Bencher<'_, '_>, style: Style) {
    let len = path(style).metadata().unwrap().len();
    bencher.counter(BytesCount::new(len)).bench(|| find_pieces(path(style)));
}

#[divan::bench(args = [Style::Pretty, Style::Minified], sample_count = 5)]
fn dialogs_to_model(bencher: Bencher<'_, '_>, style: Style) {
    let (bytes, pieces) = loaded(style);
    let counter = BytesCount::of_slice(&bytes);
    bencher.counter(counter).bench(|| read_dialogs(black_box(&bytes), &pieces));
}

/// Best seconds of a few runs of each, in turns: other load on the machine can only add to a time,
/// and adds to both.
fn race(mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (f64, f64) {
    let mut best = (f64::MAX, f64::MAX);
    for _ in 0..RUNS {
        best.0 = best.0.min(seconds(&mut ours));
        best.1 = best.1.min(seconds(&mut theirs));
    }
    best
}

fn seconds(run: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

fn ratio(what: &str, bytes: u64, other: &str, (ours, theirs): (f64, f64)) {
    let speed = |seconds: f64| bytes as f64 / 1e9 / seconds;
    println!(
        "{what:34} {ours:7.3} s  {:5.2} GB/s   {other:28} {theirs:7.3} s  {:5.2} GB/s   {:5.1} times as fast",
        speed(ours),
        speed(theirs),
        theirs / ours
    );
}

fn compare_reading(style: Style) {
    let path = path(style);
    let bytes = path.metadata().unwrap().len();
    let what = format!("{style:?}").to_lowercase();
    let times = race(|| _ = black_box(find_pieces(path)), || _ = black_box(find_raw_values(path)));
    ratio(&format!("finding pieces, {what}"), bytes, "serde_json raw values", times);
    let (text, pieces) = loaded(style);
    let what = format!("dialogs into the model, {what}");
    let ours = || _ = black_box(read_dialogs(&text, &pieces));
    let times = race(ours, || _ = black_box(read_structs(&text)));
    ratio(&what, bytes, "serde_json owned structs", times);
    let times = race(ours, || {
        _ = black_box(read_structs_in_pieces(&text, &pieces));
    });
    ratio(&what, bytes, "the same, piece by piece", times);
}

/// The index check alone, as a few lines of Python do it.
const PYTHON: &str = "
import json, sys
for dialog in json.load(open(sys.argv[1])):
    for turn in dialog['utterances']:
        for s in turn.get('segments', []):
            turn['text'][s['start_index']:s['end_index']] == s['text']
";

fn compare_check() {
    let path = path(Style::Pretty);
    let bytes = path.metadata().unwrap().len();
    let program = env!("CARGO_BIN_EXE_turnwise");
    let run = |command: &mut Command| {
        let output = command.output();
        output.is_ok_and(|output| output.status.code().is_some_and(|code| code < 2))
    };
    let mut python = Command::new("python3");
    python.args(["-c", PYTHON]).arg(path);
    if !run(&mut python) {
        println!("check: no python3 here to compare with");
        return;
    }
    let times = race(
        || assert!(run(Command::new(program).arg("check").arg(path))),
        || assert!(run(&mut python)),
    );
    ratio("check, all cores", bytes, "Python json, indices only", times);
}

fn compare_save() {
    let folder = tempfile::tempdir_in(corpus().minified.parent().unwrap()).unwrap();
    let path = folder.path().join("corpus.json");
    std::fs::copy(&corpus().pretty, &path).unwrap();
    let bytes = path.metadata().unwrap().len();
    let mut opened = open(&path, &turnwise::format::Formats::default(), true).unwrap();
    opened
        .file
        .edit(0, &Edit::SetText { turn: 1, text: "Hi.".to_owned(), drop: true, shrink: false })
        .unwrap();
    let copy = folder.path().join("copy.json");
    let times = race(
        || {
            // Each save makes a new file; the next one starts from that.
            Save::of(&opened).put(&RealFs, Content::Corpus(&opened.file)).unwrap();
            opened = open(&path, &turnwise::format::Formats::default(), true).unwrap();
            let text = "Hey.".to_owned();
            opened
                .file
                .edit(0, &Edit::SetText { turn: 1, text, drop: true, shrink: false })
                .unwrap();
        },
        || {
            std::fs::copy(&corpus().pretty, &copy).unwrap();
            File::open(&copy).unwrap().sync_all().unwrap();
        },
    );
    ratio("saving one edit and opening again", bytes, "copy and fsync", times);
}

fn main() {
    divan::main();
    println!();
    compare_reading(Style::Pretty);
    compare_reading(Style::Minified);
    compare_check();
    compare_save();
}
