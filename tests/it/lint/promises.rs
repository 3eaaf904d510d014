//! `fix` applies every fix that `lint` counts, or reports why it does not: tried on the demo, real corpora,
//! and dialogs with planted faults.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use turnwise::lint::{Applicability, Diagnostic, Selection, SkipReason, SkippedFix};

use super::fixes::{dialogs_in, spoiled};
use super::{fixed, found_in};
use crate::support::files::{dialogs_of, own, own_files, real_files, say, spread};
use crate::support::{amount, run_in, scratch};

/// Repairs that are not made, counted by their rule and reason.
type Counts = BTreeMap<String, usize>;

/// Every problem with a fix that may be taken is repaired, or there is a reason.
fn is_kept(text: &str, skipped: &mut Counts) {
    for at_least in [Applicability::Safe, Applicability::Unsafe, Applicability::Display] {
        let selection = Selection::default();
        let found = found_in(text, &selection);
        let may = |d: &&Diagnostic| {
            let first = d.fixes.first();
            first.is_some_and(|fix| fix.applicability >= at_least)
        };
        let promised = found.iter().filter(may).count();
        let (after, fixed) = fixed(text, &selection, at_least);
        assert_eq!(
            promised + fixed.uncovered,
            fixed.repaired + fixed.skipped.len(),
            "{fixed:?}\n{text}"
        );
        let left = found_in(&after, &selection);
        assert_eq!(left.len(), fixed.left.len());
        let still = |u: &&SkippedFix| !matches!(u.why, SkipReason::Lost);
        assert_eq!(
            left.iter().filter(may).count(),
            fixed.skipped.iter().filter(still).count(),
            "{:?}\n{after}",
            fixed.skipped
        );
        for told in fixed.skipped {
            let name = format!("{} {:?}", told.problem.rule.name, told.why);
            let short: String = name.chars().take(70).collect();
            *skipped.entry(short).or_default() += 1;
        }
    }
}

fn is_taskmaster(path: &Path) -> bool {
    let path = path.to_string_lossy();
    path.contains("taskmaster") && !path.contains("ontology")
}

fn is_log(path: &Path) -> bool {
    path.to_string_lossy().contains("dbdc")
}

/// A value of a dialog with a slip in it.
fn slipped(value: &Value, seed: usize) -> Option<Value> {
    Some(match value {
        Value::String(text) if text.is_empty() => return None,
        Value::String(text) => {
            let middle = text.char_indices().nth(text.chars().count() / 2)?.0;
            let (before, behind) = text.split_at(middle);
            json!(match seed % 6 {
                0 => format!("{text} "),
                1 => text.to_uppercase(),
                2 => format!("{before}{}", behind.chars().skip(1).collect::<String>()),
                3 => format!("{before} {behind}"),
                4 => text.replace('.', ". "),
                _ => format!("{text}s"),
            })
        }
        Value::Number(number) => json!(number.as_u64()? + 1 + seed as u64 % 3),
        Value::Array(list) if !list.is_empty() => {
            let mut list = list.clone();
            let place = seed % list.len();
            if seed.is_multiple_of(2) {
                list.insert(place, list[place].clone());
            } else {
                list.remove(place);
            }
            json!(list)
        }
        _ => return None,
    })
}

/// Pointers to every value of a dialog.
fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
    let mut each = |key: &str, value: &Value| {
        let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        all.push(at.clone());
        pointers(value, &at, all);
    };
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, value)| each(&i.to_string(), value));
        }
        Value::Object(object) => object.iter().for_each(|(key, value)| each(key, value)),
        _ => {}
    }
}

/// The dialog with several slips anywhere in it, which meet where `seed` wants it.
fn with_slips(dialog: &Value, seed: usize) -> Value {
    let mut changed = dialog.clone();
    let mut all = Vec::new();
    pointers(dialog, "", &mut all);
    let mut next = seed * 7919 + 13;
    for _ in 0..4 {
        let place = &all[next % all.len()];
        next = next.wrapping_mul(31).wrapping_add(17) % 100_003;
        // A list that was made shorter may have lost it.
        if let Some(value) = changed.pointer_mut(place)
            && let Some(wrong) = slipped(value, next)
        {
            *value = wrong;
        }
    }
    changed
}

fn is_read(text: &str) -> bool {
    let mut parser = turnwise::json::Parser::new();
    turnwise::format::detect(parser.parse_str(text).unwrap().root()).is_ok()
}

/// Plants slips in dialogs, several times in each.
fn try_slips(dialogs: &[Value], times: usize, skipped: &mut Counts) -> usize {
    let mut tried = 0;
    for (number, dialog) in dialogs.iter().enumerate() {
        for seed in 0..times {
            let text = with_slips(dialog, number * times + seed).to_string();
            if is_read(&text) {
                is_kept(&text, skipped);
                tried += 1;
            }
        }
    }
    tried
}

#[test]
fn promises_are_kept_in_the_demo_and_with_many_slips_in_it() {
    let (mut skipped, mut tried) = (Counts::new(), 0);
    for path in own_files() {
        for text in dialogs_in(&path) {
            is_kept(&text, &mut skipped);
        }
        if path.to_string_lossy().contains("demo") {
            let dialogs = dialogs_of(&std::fs::read(&path).unwrap());
            tried += try_slips(&dialogs, amount(4, 14), &mut skipped);
            if is_taskmaster(&path) {
                for (seed, dialog) in dialogs.iter().enumerate() {
                    is_kept(&spoiled(dialog, seed).to_string(), &mut skipped);
                }
            }
        }
    }
    assert!(tried > amount(60, 200), "{tried}");
    say(&format!("not made in the demo with slips: {skipped:#?}"));
}

#[test]
fn promises_are_kept_in_real_corpora_and_with_slips_in_them() {
    let Some(files) = real_files("keeping promises") else {
        return;
    };
    let (mut skipped, mut slipped) = (Counts::new(), Counts::new());
    for path in &files {
        for text in spread(dialogs_in(path), 40) {
            is_kept(&text, &mut skipped);
        }
    }
    assert!(skipped.is_empty(), "{skipped:#?}");
    // Most files are logs with one dialog.
    let (logs, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|p| is_log(p));
    for path in spread(logs, 20).iter().chain(&others) {
        let dialogs = dialogs_of(&std::fs::read(path).unwrap());
        try_slips(&spread(dialogs, 5), 5, &mut slipped);
    }
    say(&format!("not made in real corpora with slips: {slipped:#?}"));
}

/// The numbers at the ends of lines such as "`turnwise fix` fixes 3, with --unsafe-fixes 4".
fn promised(out: &str) -> [usize; 2] {
    let Some((_, last)) = out.lines().last().and_then(|l| l.split_once("fix` fixes ")) else {
        return [0, 0];
    };
    let (safe, all) = last.split_once(", with --unsafe-fixes ").unwrap();
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
    for (number, path) in files.iter().filter(|p| is_taskmaster(p)).enumerate() {
        let name = path.file_name().unwrap().to_string_lossy();
        std::fs::copy(path, folder.path().join(format!("{number}-{name}"))).unwrap();
    }
    command_keeps_it(folder.path());
}
