//! The house: imports go down only, and the lower layers name neither the screen nor the disk.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of `src` by layer; those of one layer may not import each other.
const LAYERS: &[&[&str]] = &[
    &["text", "json"],
    &["dialog"],
    &["format"],
    &["corpus"],
    // Rules look up names in an ontology, and a search may be for problems.
    &["ontology"],
    &["lint"],
    &["votes", "query", "export"],
    &["app"],
    &["view"],
    &["shell"],
    &["cli"],
];

/// The highest layer that does no I/O, draws nothing and asks no clock.
const PURE: usize = 7;

/// Names that a pure layer may not use.
const IMPURE: &[&str] = &[
    "ratatui",
    "crossterm",
    "std::fs",
    "std::env",
    "std::process",
    "std::thread",
    "SystemTime",
    "Instant",
    "rand::",
    "fastrand",
];

fn layer_of(folder: &str) -> Option<usize> {
    LAYERS.iter().position(|folders| folders.contains(&folder))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// Every line of code with its place; comments are left out.
fn code(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(folder);
    if !root.exists() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for path in sources(&root) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            if !line.trim_start().starts_with("//") {
                lines.push((
                    format!("{}:{}", path.display(), number + 1),
                    line.to_owned(),
                ));
            }
        }
    }
    lines
}

#[test]
fn imports_go_down_only() {
    for (layer, folders) in LAYERS.iter().enumerate() {
        for folder in *folders {
            for (place, line) in code(folder) {
                for (at, _) in line.match_indices("crate::") {
                    let rest = &line[at + "crate::".len()..];
                    let name: String = rest
                        .chars()
                        .take_while(|c| c.is_alphanumeric() || *c == '_')
                        .collect();
                    let Some(other) = layer_of(&name) else {
                        continue;
                    };
                    let allowed = other < layer || name == *folder;
                    assert!(
                        allowed,
                        "{place}: layer {layer} ({folder}) imports {name}: {line}"
                    );
                }
            }
        }
    }
}

#[test]
fn lower_layers_touch_nothing_outside() {
    for folder in LAYERS[..=PURE].iter().copied().flatten() {
        for (place, line) in code(folder) {
            for name in IMPURE {
                assert!(
                    !line.contains(name),
                    "{place}: {folder} names {name}: {line}"
                );
            }
        }
    }
}

#[test]
fn every_folder_has_a_layer_and_every_module_says_what_it_is_for() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(&src).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            let name = entry.file_name().into_string().unwrap();
            assert!(layer_of(&name).is_some(), "src/{name} is in no layer");
        }
    }
    for path in sources(&src) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with("//! "),
            "{} does not say what it is for",
            path.display()
        );
        let lines = text.lines().count();
        assert!(lines <= 500, "{} has {lines} lines", path.display());
    }
}

/// Modules that may open files, and why. Everywhere else a name given by the user could be that of a pipe or a
/// device.
const OPENERS: &[(&str, &str)] = &[
    ("src/shell/disk.rs", "the functions that all others use"),
    ("src/shell/fs.rs", "folders, to bring them to the disk"),
    ("src/shell/tty.rs", "the terminal"),
    ("src/shell/demo.rs", "a new folder of its own"),
    (
        "src/shell/journal/",
        "journals, which are read in a way of their own",
    ),
];

#[test]
fn files_are_opened_and_read_in_one_place() {
    let calls = [
        "fs::read(",
        "fs::read_to_string(",
        "fs::write(",
        "File::open(",
        "File::create(",
        ".open(",
    ];
    for folder in ["src/shell", "src/cli"] {
        for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
            let place = path.display().to_string();
            if OPENERS.iter().any(|(file, _)| place.contains(file)) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod").next().unwrap();
            for line in code.lines() {
                let line = line.replace("DiskFile::open(", "");
                let opens = calls.iter().any(|call| line.contains(call));
                assert!(!opens, "{place} opens a file by itself: {line}");
            }
        }
    }
}

/// The map in `src/lib.rs` names only files and folders that exist.
#[test]
fn the_map_names_existing_files() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = fs::read_to_string(source.join("lib.rs")).unwrap();
    let (_, map) = text.split_once("# Where things are").unwrap();
    let (map, _) = map.split_once("# The path").unwrap();
    let named: Vec<_> = map.split('`').skip(1).step_by(2).collect();
    assert!(named.len() > 20, "{named:?}");
    for name in named {
        assert!(source.join(name).exists(), "{name}");
    }
}
