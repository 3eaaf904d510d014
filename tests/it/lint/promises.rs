//! `fix` repairs as many problems as `lint` counts, or reports why it does not.

use std::path::{Path, PathBuf};

use super::spoiled::with_slips;
use crate::support::files::{dialogs_of, own, real_files};
use crate::support::{amount, run_in, scratch};

/// The numbers at the ends of lines such as "`turnwise fix` fixes 3, or 4 with --unsafe-fixes".
fn promised(out: &str) -> [usize; 2] {
    let Some((_, last)) = out.lines().last().and_then(|l| l.split_once("fix` fixes ")) else {
        return [0, 0];
    };
    let (safe, all) = last
        .strip_suffix(" with --unsafe-fixes")
        .and_then(|both| both.split_once(", or "))
        .unwrap();
    [safe, all].map(|number| number.replace(',', "").parse().unwrap())
}

/// The number of problems that `fix` reports as fixed, less those that came to light, and as skipped.
fn kept(ran: &crate::support::Ran) -> usize {
    let number = |text: &str| text.replace(',', "").parse::<usize>().unwrap();
    let repaired = |line: &str| {
        let (_, told) = line.rsplit_once(": ").unwrap();
        let (count, rest) = told.split_once(' ').unwrap();
        let light = rest
            .split_once(" fixed, ")
            .map_or(0, |(_, light)| number(light.split_once(' ').unwrap().0));
        number(count) - light
    };
    let skipped = ran.err.lines().filter(|line| line.contains("not applied:")).count();
    assert_eq!(ran.code, i32::from(skipped > 0), "{ran:?}");
    ran.out.lines().map(repaired).sum::<usize>() + skipped
}

fn command_keeps_it(folder: &Path) {
    let [safe, all] = promised(&run_in(folder, &["lint", "."], "").out);
    let dry = run_in(folder, &["fix", ".", "--dry-run", "--unsafe-fixes"], "");
    assert_eq!(kept(&dry), all, "{dry:?}");
    let ran = run_in(folder, &["fix", "."], "");
    assert_eq!(kept(&ran), safe, "{ran:?}");
    let again = run_in(folder, &["fix", "."], "");
    assert_eq!((again.out.as_str(), kept(&again)), ("", again.err.lines().count()));
}

#[test]
fn the_commands_agree_on_many_slips() {
    let folder = scratch();
    for name in ["taskmaster-3.json", "taskmaster-4.json", "taskmaster-1.json"] {
        let dialogs = dialogs_of(&std::fs::read(own("assets/demo").join(name)).unwrap());
        let mut all = Vec::new();
        for seed in 0..amount(8, 30) {
            all.extend(dialogs.iter().map(|dialog| with_slips(dialog, seed)));
        }
        let text = serde_json::to_string_pretty(&all).unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    command_keeps_it(folder.path());
}

#[test]
fn the_commands_agree_on_real_corpora() {
    let Some(files) = real_files("keeping promises") else {
        return;
    };
    let folder = scratch();
    let is_corpus = |path: &&PathBuf| {
        let path = path.to_string_lossy();
        path.contains("taskmaster") && !path.contains("ontology")
    };
    for (number, path) in files.iter().filter(is_corpus).enumerate() {
        let name = path.file_name().unwrap().to_string_lossy();
        std::fs::copy(path, folder.path().join(format!("{number}-{name}"))).unwrap();
    }
    command_keeps_it(folder.path());
}
