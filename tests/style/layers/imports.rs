//! Finds out which module imports which, from the text of the sources.
//!
//! An import is a path that starts with `crate`, `super`, `self` or a child module, in a `use` or
//! elsewhere. It counts for the module that defines the name: re-exports are followed.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// A module as a path below the crate: `lint::facts::call`; the crate itself is empty.
pub type Module = String;

/// One module names another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    pub from: Module,
    /// The module that defines the name.
    pub to: Module,
    /// The file and the line, counted from 1.
    pub place: String,
    /// The text of the line.
    pub line: String,
}

impl fmt::Display for Import {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.line.trim())
    }
}

/// The module of a file of `src`, as `lint/facts/call.rs`.
pub fn module_of(path: &str) -> Module {
    let path = path.strip_suffix(".rs").unwrap();
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" {
        return Module::new();
    }
    path.replace('/', "::")
}

/// All imports of some files: their paths in `src`, and their texts.
pub fn imports(files: &[(String, String)]) -> Vec<Import> {
    let modules: BTreeSet<Module> = files.iter().map(|(path, _)| module_of(path)).collect();
    let mut uses = Vec::new();
    for (path, text) in files {
        uses.extend(uses_of(path, text, &modules));
    }
    let mut names: HashMap<(&str, &str), &[String]> = HashMap::new();
    for Use { from, path, name, .. } in &uses {
        if let Some(name) = name {
            names.insert((from, name), path);
        }
    }
    let mut imports = Vec::new();
    for found in &uses {
        let to = defined_in(&found.path, &modules, &names, 0);
        if to != found.from {
            imports.push(Import {
                from: found.from.clone(),
                to,
                place: found.place.clone(),
                line: found.line.clone(),
            });
        }
    }
    imports.sort();
    imports.dedup();
    imports
}

/// A path that a module names.
struct Use {
    from: Module,
    /// From the crate on: `lint`, `facts`, `call`, `Call`.
    path: Vec<String>,
    /// The name it gets in `from`, in a `use`.
    name: Option<String>,
    place: String,
    line: String,
}

/// The module that defines the last name of a path.
fn defined_in(
    path: &[String],
    modules: &BTreeSet<Module>,
    names: &HashMap<(&str, &str), &[String]>,
    depth: usize,
) -> Module {
    let is_module = |length: &usize| modules.contains(&path[..*length].join("::"));
    let length = (0..=path.len()).rev().find(is_module).unwrap_or(0);
    let module = path[..length].join("::");
    let other = path.get(length).and_then(|name| names.get(&(&module, name)));
    match other {
        // Names may go in circles only if the sources do not compile.
        Some(other) if depth < 9 => defined_in(other, modules, names, depth + 1),
        _ => module,
    }
}

/// The paths that a file names, without comments.
fn uses_of(file: &str, text: &str, modules: &BTreeSet<Module>) -> Vec<Use> {
    let module = module_of(file);
    let tests = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    let code = without_comments(text);
    let mut uses = Vec::new();
    let mut at = 0;
    while let Some((start, end)) = next_path(&code, at) {
        let inside = if start > tests { [&module, "::tests"].concat() } else { module.clone() };
        let statement = code[..start].rsplit([';', '}']).next().unwrap_or_default();
        let is_use = statement.trim_end().ends_with("use");
        let mut leaves = Vec::new();
        at = leaves_of(&code, start, &mut Vec::new(), &mut leaves).max(end);
        for (position, path, name) in leaves {
            let Some(path) = absolute(&inside, &path, modules) else {
                continue;
            };
            let number = code[..position].matches('\n').count();
            uses.push(Use {
                from: module.clone(),
                path,
                name: Some(name).filter(|_| is_use && start < tests),
                place: format!("src/{file}:{}", number + 1),
                line: text.lines().nth(number).unwrap_or_default().to_owned(),
            });
        }
    }
    uses
}

/// A text of the same length with spaces for comments.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let start = if line.trim_start().starts_with("//") { Some(0) } else { line.find(" // ") };
        let (kept, comment) = line.split_at(start.unwrap_or(line.len()));
        code.push_str(kept);
        code.extend(comment.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
    }
    code
}

fn is_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// The range of the next name from `at` on that is followed by `::` and follows none.
fn next_path(code: &str, mut at: usize) -> Option<(usize, usize)> {
    loop {
        let end = at + code[at..].find("::")?;
        let name = code[at..end]
            .rfind(|c| !is_name(c))
            .map_or(at, |i| at + i + code[at + i..].chars().next().map_or(1, char::len_utf8));
        let before = code[..name].chars().next_back();
        if name < end && !matches!(before, Some(':' | '.' | '$')) {
            return Some((name, end));
        }
        at = end + 2;
    }
}

/// Reads a path or, after `::`, a list of paths in braces. Returns where it ends.
fn leaves_of(
    code: &str,
    start: usize,
    before: &mut Vec<String>,
    leaves: &mut Vec<(usize, Vec<String>, String)>,
) -> usize {
    let length = before.len();
    let mut at = start;
    loop {
        let name: String = code[at..].chars().take_while(|c| is_name(*c)).collect();
        at += name.len();
        if name.is_empty() {
            // A glob, or generic arguments: what is before them counts.
            break;
        }
        before.push(name);
        if !code[at..].starts_with("::") {
            break;
        }
        at += 2;
        if code[at..].starts_with('{') {
            at += 1;
            loop {
                at += code[at..].len() - code[at..].trim_start().len();
                if code[at..].starts_with('}') || code[at..].is_empty() {
                    before.truncate(length);
                    return at + 1;
                }
                let next = leaves_of(code, at, before, leaves);
                at = next + code[next..].find([',', '}']).unwrap_or(0);
                if code[at..].starts_with(',') {
                    at += 1;
                }
            }
        }
    }
    let mut path = before.clone();
    path.retain(|name| name != "self" || path_starts_with_self(before));
    let last = path.last().cloned().unwrap_or_default();
    let name = code[at..]
        .strip_prefix(" as ")
        .map_or(last, |rest| rest.chars().take_while(|c| is_name(*c)).collect());
    leaves.push((start, path, name));
    before.truncate(length);
    at
}

fn path_starts_with_self(path: &[String]) -> bool {
    path.first().is_some_and(|name| name == "self")
}

/// A path from the crate on; None if it leads to another crate, or to an item of the module itself.
fn absolute(module: &str, path: &[String], modules: &BTreeSet<Module>) -> Option<Vec<String>> {
    let mut base: Vec<String> = module.split("::").map(str::to_owned).collect();
    base.retain(|name| !name.is_empty());
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => {
            base.clear();
            rest = &path[1..];
        }
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        child => {
            let child = [&base[..], &[child.to_owned()]].concat().join("::");
            if !modules.contains(&child) {
                return None;
            }
        }
    }
    base.extend(rest.iter().cloned());
    Some(base)
}
