//! Cases in files: a command, what it is given and what must come out, told in Markdown.
//!
//! A file of `cli/` is a page: its title, a sentence that says why the page is there, and cases under `##`. Each case
//! runs in a folder of its own. A block with a name in its first line (```` ```json data.json ````) is a file, which is
//! written there; a block `console` shows commands and their output:
//!
//! ```console
//! $ turnwise check data.json < input.json
//! > a further line of the command
//! a line of the output
//! 2> a line of standard error
//! exit 1
//! ```
//!
//! The blocks above the first case are done before each. Commands are run by `sh`, with `$PROJECT` for the project's
//! folder and a home of their own. `…` is anything in a line, and any lines where it is alone.
//!
//! `cargo test --test cases` runs all, `cargo test --test cases votes` those of a page. `TURNWISE_BLESS=1` writes what
//! came out into the pages, and keeps each `…`; it refuses where an exit code changes.
#![allow(clippy::unwrap_used, clippy::panic)]

mod page;
mod rows;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use page::{Case, Expected, Page, Step};
use rows::{Row, align};

macro_rules! pages {
    ($($name:ident)*) => {
        const PAGES: &[&str] = &[$(stringify!($name)),*];
        $(#[test] fn $name() { run(stringify!($name)); })*
    };
}

pages! {
    answers apply apply_refusals beside calls check compare cut export export_answers failed find folders formats git help import judged lint logs marks merge merge_beside merge_clashes merge_pairing odd pipes progress report schemes score sessions show suggest votes
}

#[test]
fn every_page_is_run() {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<_> =
        files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, PAGES, "the pages of tests/cases/cli, and those that main.rs lists");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/cli")
}

/// Output and exit code of a command.
struct Found {
    code: i32,
    out: Vec<Row>,
    err: Vec<Row>,
}

impl Found {
    fn fits(&self, expected: &Expected) -> bool {
        let fit = |rows: &[Row]| rows.iter().all(|row| matches!(row, Row::Same(_)));
        self.code == expected.code && fit(&self.out) && fit(&self.err)
    }

    /// The difference to what was expected.
    fn difference(&self, expected: &Expected) -> String {
        let mut text = String::new();
        for (stream, rows) in [("", &self.out), ("2> ", &self.err)] {
            for row in rows {
                let (sign, line) = match row {
                    Row::Same(line) => (' ', line),
                    Row::Missing(line) => ('-', line),
                    Row::New(line) => ('+', line),
                };
                writeln!(text, "    {sign}{stream}{line}").unwrap();
            }
        }
        if self.code != expected.code {
            writeln!(text, "    -exit {}\n    +exit {}", expected.code, self.code).unwrap();
        }
        text
    }

    /// The lines of the page that say what came out.
    fn told(&self) -> Vec<String> {
        let kept = |row: &Row| match row {
            Row::Same(line) | Row::New(line) => Some(line.clone()),
            Row::Missing(_) => None,
        };
        let mut lines: Vec<_> = self.out.iter().filter_map(kept).collect();
        let err = self.err.iter().filter_map(kept);
        lines.extend(err.map(|line| format!("2> {line}").trim_end().to_owned()));
        lines.extend((self.code != 0).then(|| format!("exit {}", self.code)));
        lines
    }
}

/// Runs the cases of a page.
fn run(name: &str) {
    let path = folder().join(name).with_extension("md");
    let text = fs::read_to_string(&path).unwrap();
    let page = Page::read(&text).unwrap_or_else(|why| panic!("{name}.md:{why}"));
    let mut failed = String::new();
    // What to write for the lines with what a command prints, by the first of them.
    let mut told = BTreeMap::new();
    let mut codes_fit = true;
    for case in &page.cases {
        for (line, expected, found) in run_case(&page.before, case) {
            if !found.fits(expected) {
                let line = line + 1;
                let title = &case.title;
                let difference = found.difference(expected);
                writeln!(failed, "tests/cases/cli/{name}.md:{line}: {title}\n{difference}")
                    .unwrap();
                codes_fit &= found.code == expected.code;
                told.insert(expected.lines.start, (expected.lines.clone(), found.told()));
            }
        }
    }
    if std::env::var_os("TURNWISE_BLESS").is_some() && codes_fit {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        for (range, found) in told.into_values().rev() {
            lines.splice(range, found);
        }
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        return;
    }
    assert!(failed.is_empty(), "\n{failed}");
}

/// Runs what is before every case, and a case, in a new folder. Returns for each command its line, what was expected
/// and what came out.
fn run_case<'c>(before: &'c [Step], case: &'c Case) -> Vec<(usize, &'c Expected, Found)> {
    let scratch = tempfile::tempdir().unwrap();
    let [home, here] = ["home", "here"].map(|name| scratch.path().join(name));
    fs::create_dir(&home).unwrap();
    fs::create_dir(&here).unwrap();
    let mut ran = Vec::new();
    for step in before.iter().chain(&case.steps) {
        match step {
            Step::File { name, text } => {
                let path = here.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Step::Command { line, command, expected } => {
                let output = shell(command, &home, &here);
                let read = |bytes: &[u8]| lines(bytes, scratch.path());
                let found = Found {
                    code: output.status.code().unwrap_or(-1),
                    out: align(&expected.out, &read(&output.stdout)),
                    err: align(&expected.err, &read(&output.stderr)),
                };
                ran.push((*line, expected, found));
            }
        }
    }
    ran
}

/// Runs a command as somebody does in whose folder `here` nothing but the case is.
fn shell(command: &str, home: &Path, here: &Path) -> std::process::Output {
    let program = Path::new(env!("CARGO_BIN_EXE_turnwise")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(here).env_clear().env("PATH", path).env("HOME", home);
    shell.envs([("USER", "ann"), ("LANG", "C.UTF-8"), ("GIT_CONFIG_NOSYSTEM", "1")]);
    for role in ["AUTHOR", "COMMITTER"] {
        shell.env(format!("GIT_{role}_NAME"), "ann").env(format!("GIT_{role}_EMAIL"), "ann@here");
    }
    // The switches of `tests/bench/mutants`.
    let is_switch =
        |(name, _): &(OsString, OsString)| name.to_string_lossy().starts_with("TURNWISE_MUTANT");
    shell.envs(std::env::vars_os().filter(is_switch));
    shell.env("PROJECT", env!("CARGO_MANIFEST_DIR")).stdin(std::process::Stdio::null());
    shell.output().unwrap()
}

/// The lines of an output as a page can show them: control characters escaped, and the folder of the case as `…`.
fn lines(output: &[u8], scratch: &Path) -> Vec<String> {
    let text = String::from_utf8_lossy(output).replace(scratch.to_str().unwrap(), "…");
    if text.is_empty() {
        return Vec::new();
    }
    let shown = |line: &str| {
        let mut shown = String::new();
        for c in line.chars() {
            match c {
                '\t' => shown.push(c),
                c if c.is_control() => shown.extend(c.escape_default()),
                c => shown.push(c),
            }
        }
        shown
    };
    let mut lines: Vec<_> = text.split('\n').map(shown).collect();
    match lines.last() {
        Some(last) if last.is_empty() => drop(lines.pop()),
        _ => lines.push("\\ no newline at the end".to_owned()),
    }
    lines
}
