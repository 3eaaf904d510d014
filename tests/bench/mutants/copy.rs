//! A copy of the project in which each mutant is behind a switch, so that one build serves all.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::random::Random;
use crate::sites::{KINDS, ON, Site, sites};

/// The module of the copy that its sources ask whether a mutant is on: one is if the environment names it. A file that
/// the environment names gets the numbers of all mutants that were asked about.
const SWITCH: &str = r#"//! Switches of mutants.
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const UNKNOWN: u32 = u32::MAX;
const TRACED: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX - 2;
static STATE: AtomicU32 = AtomicU32::new(UNKNOWN);
static ASKED: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];

pub fn on(number: u32) -> bool {
    match STATE.load(Relaxed) {
        UNKNOWN => {
            let named = std::env::var("TURNWISE_MUTANT").ok().and_then(|n| n.parse().ok());
            let traced = std::env::var_os("TURNWISE_MUTANTS_ASKED").is_some();
            STATE.store(named.unwrap_or(if traced { TRACED } else { NONE }), Relaxed);
            on(number)
        }
        TRACED => {
            if !ASKED[number as usize].swap(true, Relaxed) {
                if let Some(path) = std::env::var_os("TURNWISE_MUTANTS_ASKED") {
                    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(path) {
                        drop(file.write_all(format!("{number}\n").as_bytes()));
                    }
                }
            }
            false
        }
        state => state == number,
    }
}
"#;

/// A site in a file of the sources, by its path from `src`.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub file: String,
    pub site: Site,
}

impl Mutant {
    pub fn folder(&self) -> &str {
        self.file.split('/').next().unwrap_or_default()
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The sources with their sites, by folder of `src`; without those that are only compiled for tests.
pub struct Sources {
    texts: BTreeMap<String, String>,
    /// Per folder: its lines, and its sites in the order in which they are drawn.
    drawn: BTreeMap<String, (usize, Vec<Mutant>)>,
}

impl Sources {
    pub fn read(project: &Path, seed: u64) -> Self {
        let mut paths = Vec::new();
        files(&project.join("src"), &mut paths);
        let mut texts = BTreeMap::new();
        let mut by_folder: BTreeMap<String, (usize, Vec<Vec<Mutant>>)> = BTreeMap::new();
        for path in paths {
            let name =
                path.strip_prefix(project.join("src")).unwrap_or(&path).display().to_string();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let Some((folder, rest)) = name.split_once('/') else {
                texts.insert(name, text);
                continue;
            };
            let (lines, kinds) = by_folder
                .entry(folder.to_owned())
                .or_insert_with(|| (0, vec![Vec::new(); KINDS.len()]));
            *lines += text.lines().count();
            if !rest.contains("tests.rs") && !rest.contains("tests/") {
                for site in sites(&text) {
                    let kind = KINDS.iter().position(|kind| *kind == site.kind).unwrap_or_default();
                    kinds[kind].push(Mutant { file: name.clone(), site });
                }
            }
            texts.insert(name, text);
        }
        let mut random = Random(seed);
        let mut drawn = BTreeMap::new();
        for (folder, (lines, mut kinds)) in by_folder {
            let mut order: Vec<Mutant> = Vec::new();
            let mut kind = random.position(KINDS.len());
            while kinds.iter().any(|of_kind| !of_kind.is_empty()) {
                let of_kind = &mut kinds[kind % KINDS.len()];
                if !of_kind.is_empty() {
                    order.push(of_kind.swap_remove(random.position(of_kind.len())));
                }
                kind += 1;
            }
            drawn.insert(folder, (lines, order));
        }
        Self { texts, drawn }
    }

    /// Chooses `count` mutants, by lines of their folders, without those in `refused` (file and change) and
    /// without two of which one is inside the other.
    pub fn choose(&self, count: usize, refused: &[(String, String)]) -> Vec<Mutant> {
        let lines: usize = self.drawn.values().map(|(lines, _)| lines).sum();
        let mut chosen: Vec<Mutant> = Vec::new();
        let mut before = 0;
        let mut placed = 0;
        for (of_folder, order) in self.drawn.values() {
            before += of_folder;
            let up_to = (count * before).div_ceil(lines.max(1)).min(count);
            let mut wanted = up_to - placed;
            placed = up_to;
            for mutant in order {
                let range = &mutant.site.range;
                let overlaps = |other: &Mutant| {
                    other.file == mutant.file
                        && other.site.range.start <= range.end
                        && range.start <= other.site.range.end
                };
                let is_refused = refused
                    .iter()
                    .any(|(file, place)| *file == mutant.file && *place == key(mutant));
                if wanted > 0 && !is_refused && !chosen.iter().any(overlaps) {
                    chosen.push(mutant.clone());
                    wanted -= 1;
                }
            }
        }
        chosen.sort_by(|a, b| (&a.file, a.site.range.start).cmp(&(&b.file, b.site.range.start)));
        chosen
    }

    /// Writes the sources with switches into `copy`; returns, for each mutant, the bytes it has there.
    fn write(&self, copy: &Path, mutants: &[Mutant]) -> Vec<std::ops::Range<usize>> {
        let mut places = vec![0..0; mutants.len()];
        for (name, text) in &self.texts {
            let mut out = String::new();
            let mut read = 0;
            for (number, mutant) in
                mutants.iter().enumerate().filter(|(_, mutant)| mutant.file == *name)
            {
                let Site { range, text: mutated, .. } = &mutant.site;
                out.push_str(&text[read..range.start]);
                let start = out.len();
                out.push_str(&mutated.replace(ON, &format!("crate::mutants::on({number})")));
                places[number] = start..out.len();
                read = range.end;
            }
            out.push_str(&text[read..]);
            if name == "lib.rs" {
                out.push_str("\npub mod mutants;\n");
            }
            write_if_new(&copy.join("src").join(name), &out);
        }
        write_if_new(&copy.join("src/mutants.rs"), SWITCH);
        places
    }
}

/// Returns the name of a site among those of its file.
fn key(mutant: &Mutant) -> String {
    format!("{} {}", mutant.site.range.start, mutant.site.change)
}

/// Keeps the time of a file that is right already, so that cargo builds nothing again.
fn write_if_new(path: &Path, text: &str) {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        path.parent().map(fs::create_dir_all);
        fs::write(path, text).expect("the copy can be written");
    }
}

/// Copies all files of the project that git knows, apart from the sources.
fn copy_project(project: &Path, copy: &Path) {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(project)
        .output()
        .expect("git lists the project's files");
    for name in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|name| !name.is_empty())
    {
        let (from, to) = (project.join(name), copy.join(name));
        if !name.starts_with("src/") && from.is_file() && fs::read(&from).ok() != fs::read(&to).ok()
        {
            to.parent().map(fs::create_dir_all);
            fs::copy(&from, &to).expect("a file of the project can be copied");
        }
    }
}

/// The JSON messages of a run of cargo in the copy.
fn cargo(copy: &Path, arguments: &[&str]) -> (bool, Vec<Value>) {
    let ran = Command::new("cargo")
        .args(arguments)
        .args(["--locked", "--quiet", "--message-format=json"])
        .current_dir(copy)
        .stderr(std::process::Stdio::inherit())
        .output()
        .expect("cargo runs");
    let messages = String::from_utf8_lossy(&ran.stdout);
    let messages: Vec<Value> =
        messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    for error in messages.iter().filter(|m| m["message"]["level"] == "error") {
        print!("{}", error["message"]["rendered"].as_str().unwrap_or_default());
    }
    (ran.status.success(), messages)
}

/// Makes the copy, with as many mutants as compile, and returns them with the test binaries.
pub fn build(project: &Path, copy: &Path, count: usize, seed: u64) -> (Vec<Mutant>, Vec<PathBuf>) {
    copy_project(project, copy);
    let sources = Sources::read(project, seed);
    // What did not compile in an earlier run does not compile now.
    let list = copy.join("refused.json");
    let kept = fs::read_to_string(&list)
        .ok()
        .and_then(|text| serde_json::from_str::<Vec<Vec<String>>>(&text).ok());
    let mut refused: Vec<(String, String)> = kept
        .into_iter()
        .flatten()
        .filter_map(|pair| Some((pair.first()?.clone(), pair.get(1)?.clone())))
        .collect();
    let mutants = loop {
        let mutants = sources.choose(count, &refused);
        let places = sources.write(copy, &mutants);
        let (passed, messages) = cargo(copy, &["build", "--lib"]);
        if passed {
            break mutants;
        }
        let known = refused.len();
        for span in messages
            .iter()
            .filter(|m| m["message"]["level"] == "error")
            .flat_map(|m| spans(&m["message"]))
        {
            let Some(file) = span["file_name"].as_str().and_then(|name| name.strip_prefix("src/"))
            else {
                continue;
            };
            let at = span["byte_start"].as_u64().unwrap_or_default() as usize;
            for (mutant, place) in mutants.iter().zip(&places) {
                let pair = (mutant.file.clone(), key(mutant));
                if mutant.file == file
                    && (place.start..=place.end).contains(&at)
                    && !refused.contains(&pair)
                {
                    refused.push(pair);
                }
            }
        }
        let pairs: Vec<[&String; 2]> = refused.iter().map(|(file, place)| [file, place]).collect();
        write_if_new(&list, &serde_json::to_string(&pairs).unwrap_or_default());
        println!(
            "{} of {} mutants do not compile; others take their places",
            refused.len() - known,
            mutants.len()
        );
        assert!(refused.len() > known, "the copy does not compile, and not because of a mutant");
    };
    let (passed, messages) = cargo(copy, &["test", "--no-run", "--test", "it", "--test", "cases"]);
    assert!(passed, "the tests of the copy do not compile");
    let binaries = messages
        .iter()
        .filter(|m| m["profile"]["test"] == true)
        .filter_map(|m| m["executable"].as_str());
    (mutants, binaries.map(PathBuf::from).collect())
}

/// The places that an error names, its notes included.
fn spans(message: &Value) -> Vec<&Value> {
    let own = message["spans"].as_array().into_iter().flatten();
    let notes = message["children"].as_array().into_iter().flatten().flat_map(spans);
    own.chain(notes).collect()
}
