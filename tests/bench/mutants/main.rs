//! Seeds mutants of turnwise's sources, and asks which of them the tests notice.
//!
//! ```sh
//! cargo run --release --manifest-path tests/bench/mutants/Cargo.toml -- /tmp/mutants 200 1 90
//! ```
//!
//! The arguments are a folder to work in, how many mutants, a seed, and how many minutes it may take. It copies
//! the project into the folder with each mutant behind a switch, builds the tests once, runs each test once to
//! learn which mutants it reaches, and then, for each mutant, runs the tests that reach it, the quickest first, until one
//! fails or takes far too long. The same arguments go on where an earlier run was ended. Tests with `real` or `many`
//! in their names do not take part. `CARGO_TARGET_DIR` is used as always: with that of the checkout, no
//! dependency is built again.
//!
//! **Before a cut**, run it on the commit before, and keep `results.tsv`. **After it**, run it in another folder with the same
//! count and seed: the sources differ, and so do the mutants, but in each folder of `src` at least the same share has to die,
//! within chance (in a folder of 20, three more or less say nothing). A survivor is a line that no
//! test needs: a test is missing, or the line is.
//!
//! `mutants.tsv` in the folder lists the mutants, `refused.json` those that do not compile, `tests.tsv` the tests with their times and what they reach, `results.tsv`
//! the mutants with their fate: `killed` by a test, `survived`, `unreached` by any test, or `unfinished` where the tests that
//! reach it take more than five minutes.

mod copy;
#[allow(dead_code)]
#[path = "../../it/support/random.rs"]
mod random;
mod sites;

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use copy::Mutant;

/// Tests and mutants that run at the same time.
const WORKERS: usize = 2;
/// How long the tests of one mutant may take, as measured without it.
const ENOUGH: Duration = Duration::from_mins(5);
/// How long a test may take alone.
const LONG: Duration = Duration::from_mins(2);

/// A test that passes without mutants.
#[derive(Debug)]
struct Test {
    binary: usize,
    name: String,
    took: Duration,
    reaches: Vec<usize>,
}

/// Runs tests of a binary; None if they take longer than `limit`.
fn passes(
    binary: &Path,
    names: &[&str],
    environment: (&str, &str),
    limit: Duration,
    copy: &Path,
) -> Option<bool> {
    // In a session of its own: a test that stops its process group would stop this program, too.
    let mut child = Command::new("setsid")
        .arg(binary)
        .args(names)
        .args(["--exact", "--test-threads=1", "--quiet"])
        .env_remove("TURNWISE_CORPORA")
        .env("PROPTEST_RNG_SEED", "20261122")
        .env("INSTA_UPDATE", "no")
        .env(environment.0, environment.1)
        .current_dir(copy)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the test binary runs");
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) if started.elapsed() < limit => std::thread::sleep(Duration::from_millis(5)),
            _ => {
                drop(child.kill());
                drop(child.wait());
                return None;
            }
        }
    }
}

/// Calls `work` for each number below `count` on several threads, until the time is over.
fn each(count: usize, end: Instant, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while Instant::now() < end {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    work(number);
                }
            });
        }
    });
}

/// A file of rows that are added one by one, and the rows that an earlier run has left there.
fn rows(path: &Path) -> (Vec<Vec<String>>, Mutex<File>) {
    let text = fs::read_to_string(path).unwrap_or_default();
    let rows = text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    let file =
        OpenOptions::new().append(true).create(true).open(path).expect("the folder can be written");
    (rows, Mutex::new(file))
}

fn add(file: &Mutex<File>, row: &[&str]) {
    if let Ok(mut file) = file.lock() {
        writeln!(file, "{}", row.join("\t")).expect("the folder can be written");
    }
}

/// Runs each test once, and returns those that pass, with what they reach.
fn trace(folder: &Path, copy: &Path, binaries: &[PathBuf], end: Instant) -> Vec<Test> {
    let mut names = Vec::new();
    for (binary, path) in binaries.iter().enumerate() {
        let listed = Command::new(path)
            .args(["--list", "--format=terse"])
            .current_dir(copy)
            .output()
            .expect("the tests are listed");
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        names.extend(
            listed
                .lines()
                .filter_map(|line| Some((binary, line.strip_suffix(": test")?.to_owned()))),
        );
    }
    // They try more of what others try, and take as long as all others together.
    names.retain(|(_, name)| !name.contains("real") && !name.contains("many"));
    let path = folder.join("tests.tsv");
    let (known, file) = rows(&path);
    names.retain(|(binary, name)| {
        !known.iter().any(|row| row[0] == binary.to_string() && row[1] == *name)
    });
    println!("{} tests are traced", names.len());
    each(names.len(), end, |number| {
        let (binary, name) = &names[number];
        let asked = folder.join(format!("asked-{number}"));
        drop(fs::remove_file(&asked));
        let started = Instant::now();
        let environment = ("TURNWISE_MUTANTS_ASKED", asked.to_str().unwrap_or_default());
        let passed = passes(&binaries[*binary], &[name], environment, LONG, copy) == Some(true);
        let took = started.elapsed().as_millis().to_string();
        let mut reached: Vec<usize> = fs::read_to_string(&asked)
            .unwrap_or_default()
            .lines()
            .filter_map(|n| n.parse().ok())
            .collect();
        drop(fs::remove_file(&asked));
        reached.sort_unstable();
        reached.dedup();
        let reached: Vec<_> = reached.iter().map(usize::to_string).collect();
        let state = if passed { "passes" } else { "fails" };
        add(&file, &[&binary.to_string(), name, &took, state, &reached.join(" ")]);
    });
    let (rows, _) = rows(&path);
    let failing: Vec<_> =
        rows.iter().filter(|row| row[3] != "passes").map(|row| row[1].as_str()).collect();
    println!(
        "{} tests do not pass in the copy, and take no part: {}",
        failing.len(),
        failing.join(" ")
    );
    let test = |row: &Vec<String>| {
        let reaches = row[4].split_whitespace().filter_map(|n| n.parse().ok()).collect();
        let took = Duration::from_millis(row[2].parse().ok()?);
        (row[3] == "passes").then_some(Test {
            binary: row[0].parse().ok()?,
            name: row[1].clone(),
            took,
            reaches,
        })
    };
    let mut tests: Vec<_> = rows.iter().filter_map(test).collect();
    tests.sort_by_key(|test| test.took);
    tests
}

/// Returns what becomes of a mutant, and the test that says so.
fn fate(
    number: usize,
    tests: &[Test],
    binaries: &[PathBuf],
    copy: &Path,
) -> (&'static str, String) {
    let mut left: Vec<&Test> = tests.iter().filter(|test| test.reaches.contains(&number)).collect();
    if left.is_empty() {
        return ("unreached", String::new());
    }
    let of = left.len();
    let mut spent = Duration::ZERO;
    let mut size = 1;
    let active = number.to_string();
    while let Some(first) = left.first() {
        if spent > ENOUGH {
            return ("unfinished", format!("{} of {of} tests", of - left.len()));
        }
        // The quickest of one binary; more at once the longer none fails.
        let binary = first.binary;
        let batch: Vec<&Test> =
            left.iter().copied().filter(|test| test.binary == binary).take(size).collect();
        left.retain(|test| !batch.iter().any(|run| std::ptr::eq(*run, *test)));
        let took: Duration = batch.iter().map(|test| test.took).sum();
        let names: Vec<_> = batch.iter().map(|test| test.name.as_str()).collect();
        let limit = took * 10 + Duration::from_secs(20);
        match passes(&binaries[binary], &names, ("TURNWISE_MUTANT", &active), limit, copy) {
            Some(true) => spent += took,
            Some(false) => return ("killed", by(&names)),
            None => return ("killed", format!("{} (too slow)", by(&names))),
        }
        size = (size * 2).min(64);
    }
    ("survived", format!("{of} tests"))
}

fn by(names: &[&str]) -> String {
    if names.len() == 1 {
        names[0].to_owned()
    } else {
        format!("{} or one of {} more", names[0], names.len() - 1)
    }
}

fn report(mutants: &[Mutant], results: &[Vec<String>]) {
    let mut folders: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let row = results.iter().find(|row| row[0] == number.to_string());
        let fate = row.map_or("not tried", |row| row[1].as_str());
        let column = ["killed", "survived", "unreached", "unfinished"]
            .iter()
            .position(|name| *name == fate)
            .unwrap_or(4);
        folders.entry(mutant.folder()).or_default()[column] += 1;
        if (1..4).contains(&column) {
            let detail = row.map_or("", |row| row[2].as_str());
            println!(
                "src/{}:{} {:?} {fate} {detail}\n    {}",
                mutant.file, mutant.site.line, mutant.site.kind, mutant.site.change
            );
        }
    }
    println!("\nfolder      killed  survived  unreached  unfinished  not tried");
    let mut sums = [0; 5];
    for (folder, counts) in &folders {
        let [killed, survived, unreached, unfinished, untried] = counts;
        println!(
            "{folder:<10} {killed:>7} {survived:>9} {unreached:>10} {unfinished:>11} {untried:>10}"
        );
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    let [killed, survived, unreached, unfinished, untried] = sums;
    println!(
        "{:<10} {killed:>7} {survived:>9} {unreached:>10} {unfinished:>11} {untried:>10}",
        "all"
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| arguments.get(at).map_or(Some(usual), |n| n.parse().ok());
    let (Some(folder), Some(count), Some(seed), Some(minutes)) =
        (arguments.first(), number(1, 200), number(2, 1), number(3, 90))
    else {
        eprintln!("usage: mutants FOLDER [COUNT [SEED [MINUTES]]]");
        std::process::exit(2);
    };
    let end = Instant::now() + Duration::from_secs(minutes * 60);
    let project = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../..")
        .canonicalize()
        .expect("the project is there");
    let folder = PathBuf::from(folder);
    let copy = folder.join("copy");
    fs::create_dir_all(&copy).expect("the folder can be made");
    let copy = copy.canonicalize().expect("the folder is there");
    let (mutants, binaries) = copy::build(&project, &copy, count as usize, seed);
    println!("{} mutants", mutants.len());
    let place = |mutant: &Mutant| format!("src/{}:{}", mutant.file, mutant.site.line);
    let list = mutants.iter().map(|mutant| format!("{}\t{}\n", place(mutant), mutant.site.change));
    let (list, path) = (list.collect::<String>(), folder.join("mutants.tsv"));
    assert!(
        !path.exists() || fs::read_to_string(&path).ok().as_ref() == Some(&list),
        "{} has mutants of other sources; name another folder",
        path.display()
    );
    fs::write(path, list).expect("the folder can be written");
    let tests = trace(&folder, &copy, &binaries, end);
    let path = folder.join("results.tsv");
    let (known, file) = rows(&path);
    let open: Vec<usize> =
        (0..mutants.len()).filter(|n| !known.iter().any(|row| row[0] == n.to_string())).collect();
    each(open.len(), end, |at| {
        let mutant = &mutants[open[at]];
        let (fate, detail) = fate(open[at], &tests, &binaries, &copy);
        add(&file, &[&open[at].to_string(), fate, &detail, &place(mutant), &mutant.site.change]);
    });
    report(&mutants, &rows(&path).0);
}
