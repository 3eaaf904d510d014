//! README and the manual: their keys and tables are the program's own, their links lead somewhere, and every
//! command they name exists.
//!
//! `TURNWISE_TABLE=1 cargo test --test it manual` writes the keys, and the table of README, into the files.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use turnwise::app::help::filled;
use turnwise::app::input::{self, Keymap, Scope};
use turnwise::app::manual::{CHAPTERS, filled as with_keys, plain};
use turnwise::dialog::Edit;
use turnwise::shell::KEYMAPS;
use turnwise::view::theme::THEMES;

use crate::support::files::skipped;
use crate::support::{project, run, run_in, scratch};

fn keymap() -> Keymap {
    Keymap::read(KEYMAPS[0].1).unwrap()
}

fn chapter(name: &str) -> String {
    fs::read_to_string(project("assets/manual").join(format!("{name}.md"))).unwrap()
}

/// README and the chapters, with their paths.
fn texts() -> Vec<(PathBuf, String)> {
    let chapters = CHAPTERS.iter();
    let chapters = chapters.map(|c| project("assets/manual").join(format!("{}.md", c.name)));
    let paths = [project("README.md")].into_iter().chain(chapters);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    paths.map(read).collect()
}

fn events(text: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// The code spans of a text.
fn spans(text: &str) -> BTreeSet<String> {
    let codes = events(text).filter_map(|event| match event {
        Event::Code(code) => Some(code.into_string()),
        _ => None,
    });
    codes.collect()
}

/// The commands of `turnwise help`, with their descriptions.
fn subcommands() -> Vec<(String, String)> {
    let listed = run(&["help"]).out;
    let (_, commands) = listed.split_once("\nCommands:\n").unwrap();
    let row = |line: &str| {
        let (name, about) = line.strip_prefix("  ")?.split_once(' ')?;
        Some((name.to_owned(), about.trim().to_owned()))
    };
    commands.lines().filter_map(row).collect()
}

#[test]
fn keys_and_tables_of_the_manual_are_the_programs_own() {
    let mut outdated = Vec::new();
    for (path, text) in texts() {
        // The tables of chapters are not in their files.
        let new = if path.ends_with("README.md") {
            filled(&text, &keymap())
        } else {
            assert!(
                !text.contains(" -->\n|"),
                "{}: a table is filled in when shown",
                path.display()
            );
            with_keys(&text, &keymap(), |_| None)
        };
        if std::env::var_os("TURNWISE_TABLE").is_some() {
            fs::write(&path, new).unwrap();
        } else if text != new {
            let mut pairs = text.lines().zip(new.lines()).enumerate();
            let differ = pairs.find(|(_, (old, new))| old != new);
            let line = differ.map_or(0, |(line, _)| line + 1);
            let (old, new) = differ.map(|(_, pair)| pair).unwrap_or_default();
            let path = path.display();
            outdated.push(format!("{path}:{line}:\n  is         {old}\n  should be  {new}\n"));
        }
    }
    assert!(
        outdated.is_empty(),
        "TURNWISE_TABLE=1 cargo test --test it manual mends\n{}",
        outdated.concat()
    );
}

/// The commands that the comments of a line name, without the places and numbers of their keys.
fn commands_of(line: &str) -> Vec<&str> {
    let comments = line.split("<!--").skip(1);
    let comments = comments.filter_map(|comment| comment.split_once("-->"));
    let comments = comments.map(|(names, _)| names.trim());
    let names = comments.filter(|names| !names.starts_with("table: "));
    let names = names.flat_map(|names| names.split(", "));
    let bare = names.filter_map(|name| name.split(' ').next()?.rsplit('.').next());
    bare.collect()
}

/// A key that is written by hand would be wrong with another keymap.
#[test]
fn keys_come_from_the_keymap() {
    let keymap = keymap();
    let keys: BTreeSet<_> = input::Command::ALL
        .iter()
        .copied()
        .flat_map(|command| keymap.keys_of(command, &Scope::ALL))
        .collect();
    // Labels of votes; how keys are written; standard input and output.
    let others = ["T", "O", "X", "PgDn", "-"];
    for (path, text) in texts() {
        let mut in_table = false;
        for line in text.lines() {
            in_table &= line.starts_with('|');
            in_table |= line.starts_with("<!-- table: ");
            let mut rest = line;
            // In a row they are named together.
            let mut named = commands_of(line).len();
            if !line.starts_with('|') {
                named = 0;
            }
            while let Some((_, after)) = rest.split_once('`') {
                let (code, after) = after.split_once('`').unwrap_or((after, ""));
                let by_hand = keys.contains(code) && !others.contains(&code) && named == 0;
                named = named.saturating_sub(1);
                assert!(
                    in_table || !by_hand || after.starts_with("<!--"),
                    "{}: the command of `{code}` belongs behind it: `{code}`<!--command-->\n{line}",
                    path.display()
                );
                rest = after;
            }
        }
    }
}

#[test]
fn every_command_that_is_named_exists() {
    let subcommands: BTreeSet<_> = subcommands().into_iter().map(|(name, _)| name).collect();
    // Other names with an underscore: members of JSON, edit records, Python.
    let mut known = Edit::kinds().collect::<Vec<_>>().join(" ");
    for entry in fs::read_dir(project("assets/schemas")).unwrap() {
        known.push_str(&fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    known.push_str(
        " other_families not_read tool_use is_error tool_result tool_calls is_categorical exit_code",
    );
    for (path, text) in texts() {
        let path = path.display();
        for name in text.lines().flat_map(commands_of) {
            assert!(input::Command::named(name).is_some(), "{path}: {name}");
        }
        for code in spans(&text) {
            if let Some(name) = code.strip_prefix(':').filter(|name| !name.is_empty()) {
                let found = input::Command::named(name);
                assert!(found.is_some_and(|c| c.row().in_palette), "{path}: {code}");
            }
            let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
            if code.contains('_') && code.chars().all(is_name) {
                let is_known = known.contains(&code) || input::Command::named(&code).is_some();
                assert!(is_known, "{path}: `{code}` is neither a command nor a field");
            }
        }
        for called in calls(&text) {
            let word = called.split_whitespace().nth(1).unwrap_or_default();
            let is_name = !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
            let exists = !is_name || subcommands.contains(word);
            assert!(exists, "{path}: {called}");
        }
    }
}

/// The lines of code that call the program.
fn calls(text: &str) -> Vec<String> {
    let (mut found, mut in_code) = (Vec::new(), false);
    for event in events(text) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Code(code) => found.push(code.into_string()),
            Event::Text(code) if in_code => found.extend(code.lines().map(str::to_owned)),
            _ => {}
        }
    }
    let called = |line: String| line.trim_start_matches(['$', ' ']).to_owned();
    let calls = found.into_iter().map(called);
    calls.filter(|line| line.starts_with("turnwise ")).collect()
}

/// The anchors of a text, as hosting sites make them of its headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut found, mut heading) = (BTreeSet::new(), None);
    for event in events(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::Text(part) | Event::Code(part), Some(text)) => text.push_str(&part),
            (Event::End(TagEnd::Heading(_)), Some(text)) => {
                let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
                let name: String = text.to_lowercase().chars().filter(kept).collect();
                found.insert(name.replace(' ', "-"));
                heading = None;
            }
            _ => {}
        }
    }
    found
}

#[test]
fn every_link_leads_somewhere() {
    let mut texts = texts();
    let changelog = project("CHANGELOG.md");
    texts.push((changelog.clone(), fs::read_to_string(changelog).unwrap()));
    let mut links = 0;
    for (path, text) in texts {
        for event in events(&text) {
            let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event
            else {
                continue;
            };
            if dest_url.starts_with("https://") {
                continue;
            }
            links += 1;
            let (file, anchor) = dest_url.split_once('#').unwrap_or((&dest_url, ""));
            let to = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let from = path.display();
            assert!(to.exists(), "{from} links to {dest_url}");
            if !anchor.is_empty() {
                let anchors = anchors(&fs::read_to_string(&to).unwrap());
                assert!(anchors.contains(anchor), "{from} links to {dest_url}");
            }
        }
    }
    assert!(links > 20, "{links}");
}

#[test]
fn the_manual_names_all_there_is() {
    let files = fs::read_dir(project("assets/manual")).unwrap();
    let files: BTreeSet<_> =
        files.map(|e| e.unwrap().path().file_stem().unwrap().to_owned()).collect();
    let chapters: BTreeSet<_> = CHAPTERS.iter().map(|c| c.name.into()).collect();
    assert_eq!(files, chapters);
    for chapter in CHAPTERS {
        let heading = chapter.text.lines().next().unwrap();
        assert!(heading.starts_with("# "), "{}: {heading}", chapter.name);
    }
    let column = |text: &str, head: &str| -> BTreeSet<String> {
        let (_, table) = text.split_once(head).unwrap();
        let rows = table.lines().skip(2).take_while(|row| row.starts_with('|'));
        let first = |row: &str| row.split('`').nth(1).unwrap().to_owned();
        rows.map(first).collect()
    };
    let edits = column(&chapter("scripting"), "| `edit` | also has |");
    assert_eq!(edits, Edit::kinds().map(str::to_owned).collect());
    let exporting = chapter("exporting");
    let exports = turnwise::export::FORMATS.iter().map(|format| format.name);
    for name in exports.chain(turnwise::import::FORMATS.iter().map(|format| format.name)) {
        assert!(exporting.contains(&format!("`{name}`")), "exporting.md does not name {name}");
    }
    let settings = chapter("settings");
    for scope in Scope::ALL {
        let (title, table) = (format!("`{}`", scope.name()), format!("keys {} -->", scope.name()));
        assert!(settings.contains(&title) && settings.contains(&table), "{scope:?}");
    }
    let listed = run(&["help"]).out;
    assert!(CHAPTERS.iter().all(|chapter| listed.contains(chapter.about)), "{listed}");
    assert_eq!(run(&["help", "judging"]).out, plain(&chapter("judging")));
    let help = run(&["--help"]).out;
    for (theme, _) in THEMES.iter().filter(|(name, _)| !name.ends_with("safe-light")) {
        assert!(settings.contains(&format!("`{theme}`")), "{theme}");
        assert!(help.contains(&format!(" {theme},")), "{theme}");
    }
    let readme = fs::read_to_string(project("README.md")).unwrap();
    assert!(readme.lines().count() <= 130, "{}", readme.lines().count());
    // A page a topic, some sixteen of them: nobody reads more.
    let words: usize = CHAPTERS.iter().map(|c| c.text.split_whitespace().count()).sum();
    assert!(CHAPTERS.len() <= 16 && words <= 18_000, "{} chapters, {words} words", CHAPTERS.len());
}

/// The samples of output for the demo are what is printed now.
#[test]
fn samples_in_the_manual_are_what_is_printed() {
    let folder = scratch();
    let to = |name: &str| folder.path().join(name);
    fs::copy(project("assets/demo/taskmaster-3.json"), to("corpus.json")).unwrap();
    fs::create_dir(to("logs")).unwrap();
    for entry in fs::read_dir(project("assets/demo/dbdc")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to("logs").join(path.file_name().unwrap())).unwrap();
    }
    // One of the demo's votes is odd on purpose, which is reported.
    let odd = "by an annotator who had already voted on that turn";
    for (name, typed, arguments, code, warning) in [
        ("votes", "votes logs/", &["votes", "logs/"][..], 1, odd),
        (
            "searching",
            "find 'speaker:user tonight' corpus.json",
            &["find", "speaker:user tonight", "corpus.json"],
            0,
            "",
        ),
    ] {
        let text = chapter(name);
        let (_, shown) = text.split_once(&format!("```\n$ turnwise {typed}\n")).unwrap();
        let (shown, _) = shown.split_once("```").unwrap();
        let ran = run_in(folder.path(), arguments, "");
        assert!(ran.code == code && ran.err.contains(warning), "{ran:?}");
        assert!(ran.err.is_empty() == warning.is_empty(), "{ran:?}");
        // Of a search, the first hit is enough.
        let is_shown = ran.out == shown || name == "searching" && ran.out.starts_with(shown);
        assert!(is_shown, "{typed}: {}", ran.out);
    }
}

/// The example of `apply` in README is what it prints.
#[test]
fn the_difference_in_readme_is_the_one_that_is_printed() {
    let readme = fs::read_to_string(project("README.md")).unwrap();
    let (_, sample) = readme.split_once("$ echo '").unwrap();
    let (record, rest) = sample.split_once("' |").unwrap();
    let (command, rest) = rest.trim_start().split_once('\n').unwrap();
    let (printed, _) = rest.split_once("\n```").unwrap();
    let arguments: Vec<_> = command.split(' ').skip(1).collect();
    let ran = run_in(&project("."), &arguments, record);
    assert!(ran.code == 0 && ran.out.starts_with(printed), "{}{}", ran.out, ran.err);
}

#[test]
fn help_fits_on_a_screen_and_leads_from_each_command_to_a_chapter() {
    let short = run(&["--help"]).out;
    assert!(short.lines().count() < 40, "{short}");
    assert!(short.lines().all(|line| line.chars().count() <= 80), "{short}");
    for (name, about) in subcommands() {
        assert!(short.contains(&format!(" {name}")), "{name}: {short}");
        assert!(!about.is_empty(), "{name}");
        let help = run(&[&name, "--help"]).out;
        let (_, topic) = help.trim_end().rsplit_once("`turnwise help ").unwrap();
        let topic = topic.strip_suffix("`.").unwrap();
        assert!(CHAPTERS.iter().any(|chapter| chapter.name == topic), "{name}: {topic}");
    }
}

#[test]
fn the_rule_in_the_manual_judges_the_demo() {
    let manual = chapter("error-analysis");
    let (_, rest) = manual.split_once("```python\n").unwrap();
    let (rule, _) = rest.split_once("```").unwrap();
    assert!(rule.lines().count() <= 20);
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped("the rule of the manual", "there is no python3");
    }
    let folder = scratch();
    fs::write(folder.path().join("judge.py"), rule).unwrap();
    fs::copy(project("assets/demo/taskmaster-3.json"), folder.path().join("demo.json")).unwrap();
    let command =
        manual.lines().find(|line| line.starts_with("turnwise suggest corpus/ --with")).unwrap();
    let command = command.replace("turnwise", env!("CARGO_BIN_EXE_turnwise"));
    let ran = Command::new("sh")
        .args(["-c", &command.replace("corpus/", "demo.json")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(out, "judgements/rule-1.jsonl: 3 judgements\nrun rule-1: 3 judged\n", "{err}");
    let find = ["find", "verdict:fail by:model:rule-1", "demo.json", "--format", "count"];
    let found = run_in(folder.path(), &find, "");
    assert_eq!(found.code, 0, "{}", found.err);
}
