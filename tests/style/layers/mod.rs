//! The house: imports go down only, and the lower layers name neither the screen nor the disk.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

mod imports;

use crate::{files, project};
use imports::{Import, imports, module_of};

/// Folders of `src` by layer; those of one layer may not import each other.
const LAYERS: &[&[&str]] = &[
    &["text", "json"],
    &["dialog"],
    &["format"],
    &["corpus"],
    // Rules look names up in an ontology, and what is searched for may be a problem.
    &["ontology", "compare"],
    &["lint"],
    &["votes"],
    // Votes decide which answers are good.
    &["query", "export", "page"],
    // Annotations are compared with what an export writes.
    &["import"],
    // A scheme says with queries which turns its questions are about.
    &["judging"],
    &["report"],
    &["workspace"],
    &["app"],
    &["view"],
    &["shell"],
    &["cli"],
];

/// The same for the folders and files inside a module; all of them must be listed.
const INSIDE: &[(&str, &[&[&str]])] = &[
    ("lint", &[&["facts"], &["engine"], &["repair"], &["rules"]]),
    (
        "lint::rules",
        &[
            &["names"],
            &["files", "turns", "spans", "labels", "overlaps", "calls", "chats", "states", "votes"],
        ],
    ),
    (
        "app",
        &[
            &["input", "settings"],
            &["pane"],
            &["manual"],
            &["state"],
            &["core"],
            &["feature"],
            &["tabs"],
            &["help"],
            &["hints"],
            &["commands"],
            &["session"],
            &["update"],
        ],
    ),
    // Features do not know each other.
    (
        "app::feature",
        &[&[
            "editing", "figures", "finding", "judging", "problems", "recovery", "saving", "review",
        ]],
    ),
    ("shell", &[&["storage"], &["terminal"], &["runtime"]]),
];

/// The highest layer that does no I/O, draws nothing and asks no clock has this folder.
const LAST_PURE: &str = "app";

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

/// True for an import of the plain data that says where a pane is: all that the app may use of the library
/// that draws.
fn is_geometry(line: &str) -> bool {
    let names = line.trim().strip_prefix("use ratatui::layout::");
    names.is_some_and(|names| {
        let mut names = names.split(|c: char| !c.is_alphanumeric());
        names.all(|name| matches!(name, "" | "Position" | "Rect" | "Size"))
    })
}

/// The sources in a folder of the project.
fn sources(folder: &str) -> Vec<PathBuf> {
    files(&project(folder), &["rs"])
}

/// Every line of code with its place; comments are left out.
fn code(folder: &str) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    for path in sources(&format!("src/{folder}")) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            if !line.trim_start().starts_with("//") {
                lines.push((format!("{}:{}", path.display(), number + 1), line.to_owned()));
            }
        }
    }
    lines
}

/// The files of `src`, each with its path there and its text.
fn texts() -> Vec<(String, String)> {
    let src = project("src");
    let file = |path: PathBuf| {
        let name = path.strip_prefix(&src).unwrap().to_str().unwrap();
        (name.to_owned(), fs::read_to_string(&path).unwrap())
    };
    let mut files: Vec<_> = sources("src").into_iter().map(file).collect();
    // The program is a crate of its own.
    files.retain(|(name, _)| name != "main.rs");
    files
}

/// The child of `parent` that contains `module`; "" for `parent` itself, None outside it.
fn child_of<'m>(parent: &str, module: &'m str) -> Option<&'m str> {
    let rest = if parent.is_empty() || module == parent {
        &module[parent.len()..]
    } else {
        module.strip_prefix(parent)?.strip_prefix("::")?
    };
    rest.split("::").next()
}

/// All modules whose children have layers, the crate first.
fn layered() -> impl Iterator<Item = (&'static str, &'static [&'static [&'static str]])> {
    std::iter::once(("", LAYERS)).chain(INSIDE.iter().copied())
}

/// Every import that goes up or sideways among the children of `parent`.
fn upward(imports: &[Import], parent: &str, layers: &[&[&str]]) -> Vec<String> {
    let mut found = Vec::new();
    let layer = |child: &str| layers.iter().position(|layer| layer.contains(&child));
    for import in imports {
        let (from, to) = (child_of(parent, &import.from), child_of(parent, &import.to));
        // The parent itself may import all its children.
        let (Some(from), Some(to)) = (from.filter(|from| !from.is_empty()), to) else {
            continue;
        };
        if from != to && layer(to).is_none_or(|to| layer(from) <= Some(to)) {
            let to = if to.is_empty() { "what contains it" } else { to };
            found.push(format!("{from} imports {to}: {import}"));
        }
    }
    found
}

#[test]
fn imports_go_down_only() {
    let imports = imports(&texts());
    let found = layered().flat_map(|(parent, layers)| upward(&imports, parent, layers));
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Methods hide who calls whom, so features have functions. Running a command is a method, because features
/// run commands and commands call features.
#[test]
fn only_the_core_of_the_app_has_methods_of_the_app() {
    let mut found = Vec::new();
    for (place, line) in code("app") {
        let is_allowed = ["app/core/", "app/update/mod.rs", "app/commands/mod.rs"]
            .iter()
            .any(|allowed| place.contains(allowed));
        if line.starts_with("impl App") && !is_allowed {
            found.push(format!("{place}: {line}"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn lower_layers_touch_nothing_outside() {
    let last = LAYERS.iter().position(|layer| layer.contains(&LAST_PURE));
    for folder in LAYERS[..=last.unwrap()].iter().copied().flatten() {
        for (place, line) in code(folder) {
            if *folder == "app" && is_geometry(&line) {
                continue;
            }
            for name in IMPURE {
                assert!(!line.contains(name), "{place}: {folder} names {name}: {line}");
            }
        }
    }
}

#[test]
fn every_folder_has_a_layer_and_every_module_says_what_it_is_for() {
    let files = texts();
    let modules: BTreeSet<String> = files.iter().map(|(path, _)| module_of(path)).collect();
    for (parent, layers) in layered() {
        let children = modules.iter().filter_map(|module| child_of(parent, module));
        for child in children.filter(|child| !child.is_empty()) {
            let has_layer = layers.iter().any(|layer| layer.contains(&child));
            assert!(has_layer, "{child} in src/{parent} is in no layer");
        }
        for child in layers.iter().copied().flatten() {
            let mut all = modules.iter();
            let exists = all.any(|module| child_of(parent, module) == Some(child));
            assert!(exists, "src/{parent} has no {child}");
        }
    }
    for path in sources("src") {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//! "), "{} does not say what it is for", path.display());
    }
}

/// The modules that may open files, and their reasons. Everywhere else a name that a user gave could be that of a pipe or a
/// device.
const OPENERS: &[(&str, &str)] = &[
    ("src/shell/storage/disk.rs", "the functions that all others use"),
    ("src/shell/storage/fs.rs", "folders, to bring them to the disk"),
    ("src/shell/storage/demo.rs", "a new folder of its own"),
    ("src/shell/storage/journal/", "journals, which are read in a way of their own"),
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
        for path in sources(folder) {
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

fn planted(files: &[(&str, &str)]) -> Vec<Import> {
    let files: Vec<_> =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    imports(&files)
}

#[test]
fn upward_imports_are_found_with_their_line() {
    let files = [
        ("lib.rs", "mod house;\n"),
        ("house/mod.rs", "mod cellar;\nmod roof;\npub use roof::Tile;\n"),
        (
            "house/cellar.rs",
            "use crate::house::{\n    Tile,\n};\n// use super::roof::Comment;\npub struct Wine;\n",
        ),
        (
            "house/roof/mod.rs",
            "mod beam;\nuse super::cellar::Wine;\npub struct Tile(beam::Beam);\n",
        ),
        ("house/roof/beam.rs", "pub struct Beam;\n"),
    ];
    let imports = planted(&files);
    let found = upward(&imports, "house", &[&["cellar"], &["roof"]]);
    let up = "cellar imports roof: src/house/cellar.rs:2: Tile,";
    assert_eq!(found, [up]);
    let found = upward(&imports, "house", &[&["cellar", "roof"]]);
    let sideways = "roof imports cellar: src/house/roof/mod.rs:2: use super::cellar::Wine;";
    assert_eq!(found, [up, sideways]);
}

/// The map in `src/lib.rs` names only files and folders that exist.
#[test]
fn the_map_names_existing_files() {
    let source = project("src");
    let text = fs::read_to_string(source.join("lib.rs")).unwrap();
    let (_, map) = text.split_once("# Where things are").unwrap();
    let (map, rest) = map.split_once("# The path").unwrap();
    let quoted = |text: &str| -> Vec<String> {
        let all = text.split('`').skip(1).step_by(2);
        all.map(str::to_owned).collect()
    };
    let named = quoted(map);
    assert!(named.len() > 20, "{named:?}");
    for name in named {
        assert!(source.join(&name).exists(), "{name}");
    }
    // The paths through the code, and the table of additions.
    let (rest, _) = rest.split_once("#![").unwrap();
    let mut named = quoted(rest);
    // A new file is called `x`.
    named.retain(|name| name.contains('/') && !name.contains(['<', '*']) && !name.contains("/x."));
    assert!(named.len() > 20, "{named:?}");
    for name in named {
        let exists = source.join(&name).exists() || project(&name).exists();
        assert!(exists, "{name}");
    }
}

/// The table in `lib.rs` has each folder with the number of its layer.
#[test]
fn the_map_numbers_the_layers() {
    let text = fs::read_to_string(project("src/lib.rs")).unwrap();
    let (_, table) = text.split_once("# Layers").unwrap();
    let (table, _) = table.split_once("# Where").unwrap();
    for (number, layer) in LAYERS.iter().enumerate() {
        let is_its = |line: &&str| line.starts_with(&format!("//! | {number} |"));
        let rows: String = table.lines().filter(is_its).collect();
        for folder in *layer {
            let is_named =
                ["[`", "[`mod@"].iter().any(|start| rows.contains(&format!("{start}{folder}`]")));
            assert!(is_named, "{folder} is not in layer {number} of lib.rs");
        }
    }
}

/// The tables in `mod.rs` say what each folder of a layer is for.
#[test]
fn the_map_of_a_layer_names_all_its_folders() {
    for (parent, layers) in INSIDE.iter().filter(|(parent, _)| !parent.contains("::")) {
        let text = fs::read_to_string(project(&format!("src/{parent}/mod.rs"))).unwrap();
        let rows = text.lines().filter_map(|line| line.strip_prefix("//! | "));
        let folders: String = rows.filter_map(|row| row.split('|').next()).collect();
        for child in layers.iter().copied().flatten() {
            assert!(folders.contains(&format!("`{child}`")), "{parent}: {child}");
        }
    }
}
