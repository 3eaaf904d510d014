//! Drafts a description of a file whose format is not known, by looking for lists of texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::Declared;
use super::guess::{Guess, Turns, guess, is_system, is_user, path_text};
use crate::json::{NodeKind, Parser, Value};
use crate::text::counted;

/// A drafted description.
#[derive(Debug)]
pub struct Draft {
    pub toml: String,
    /// The turns and dialogs that it reads in the file: "82 turns in 5 dialogs".
    pub reads: String,
}

/// Dialogs to look at.
const DIALOGS: usize = 20;
/// The largest dialog to take as a sample, in bytes.
const SAMPLE: usize = 4 << 10;

/// Drafts a description of the file `text`, which is called `name`.
///
/// # Errors
/// If the file is not JSON, or nothing in it looks like a list of turns.
pub fn draft(text: &str, name: &str) -> Result<Draft, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parser = Parser::new();
    if let Ok(tree) = parser.parse_str(text) {
        let (arrangement, dialogs) = dialogs(tree.root());
        return of_dialogs(&dialogs, arrangement, name);
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<_> = lines.take(DIALOGS).collect();
    let joined = format!("[{}]", lines.join(","));
    let mut parser = Parser::new();
    let tree = parser
        .parse_str(&joined)
        .map_err(|error| error.to_string())?;
    let dialogs: Vec<_> = tree.root().elements().map(|value| (None, value)).collect();
    of_dialogs(&dialogs, "lines", name)
}

/// A value that may be a dialog, with its key.
type Keyed<'a> = (Option<Value<'a>>, Value<'a>);

/// The values of a file that may be dialogs, and how they are arranged.
fn dialogs(root: Value<'_>) -> (&'static str, Vec<Keyed<'_>>) {
    let has_turns = |value: Value<'_>| guess(&[value]).is_some();
    if root.kind() == NodeKind::Array {
        let all = root.elements().take(DIALOGS);
        return ("[*]", all.map(|value| (None, value)).collect());
    }
    let objects = root
        .members()
        .filter(|(_, value)| value.kind() == NodeKind::Object);
    let keyed: Vec<_> = objects
        .take(DIALOGS)
        .map(|(key, value)| (Some(key), value))
        .collect();
    let with_turns = keyed.iter().filter(|(_, value)| has_turns(*value)).count();
    if with_turns > 0 && with_turns * 2 > keyed.len() {
        return ("{*}", keyed);
    }
    for (_, list) in root.members() {
        let all: Vec<_> = list
            .elements()
            .take(DIALOGS)
            .map(|value| (None, value))
            .collect();
        if all.first().is_some_and(|(_, value)| has_turns(*value)) {
            return ("*[*]", all);
        }
    }
    (".", vec![(None, root)])
}

fn of_dialogs(dialogs: &[Keyed<'_>], arrangement: &str, name: &str) -> Result<Draft, String> {
    let values: Vec<_> = dialogs.iter().map(|(_, value)| *value).collect();
    let Some(found) = guess(&values) else {
        return Err(super::guess::no_turns(&values));
    };
    let mut toml = String::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let name: String = name
        .chars()
        .map(|c| if is_word(c) { c } else { '-' })
        .collect();
    let name = if name.is_empty() { "own" } else { &name };
    let line = |toml: &mut String, text: &str| {
        toml.push_str(text);
        toml.push('\n');
    };
    line(
        &mut toml,
        "# A draft: check each guess against the data, and see `turnwise help own-format`.",
    );
    line(
        &mut toml,
        &format!("name = {}", quoted(&name.to_lowercase())),
    );
    line(
        &mut toml,
        "# Places that only these dialogs have; a dialog needs all of them.",
    );
    line(&mut toml, &format!("has = [{}]", has(&found).join(", ")));
    line(&mut toml, &format!("dialogs = {}", quoted(arrangement)));
    match (id(&values), arrangement) {
        (_, "{*}") => line(&mut toml, "id = \"@key\""),
        (Some(id), _) => line(&mut toml, &format!("id = {}", quoted(&path_text(&id)))),
        (None, _) => line(&mut toml, "# id = \"…\"  # nothing looks like an id"),
    }
    // A `sample` after a table would belong to it.
    if let Some(sample) = sample(&found, dialogs[0]) {
        line(
            &mut toml,
            "\n# The first dialog, shortened. Replace it with one of your own before you publish this file.",
        );
        line(&mut toml, &format!("sample = '''\n{sample}\n'''"));
    }
    turn(&mut toml, &found);
    spans(&mut toml, &found);
    others(&mut toml, &found);
    let declared =
        Declared::read(&toml, None).map_err(|error| format!("no draft fits: {error}"))?;
    let (mut count, mut turns) = (0, 0);
    let format = declared.keep();
    for (key, value) in dialogs {
        let text = match key {
            Some(key) => format!("{}:{}", key.raw(), value.raw()),
            None => value.raw().to_owned(),
        };
        let mut parser = Parser::new();
        if let Ok(tree) = parser.parse_piece_str(&text) {
            turns += format.read(tree).0.turns.len();
            count += 1;
        }
    }
    let (dialogs, turns) = (counted(count, "dialog"), counted(turns, "turn"));
    Ok(Draft {
        toml,
        reads: format!("{turns} in {dialogs}"),
    })
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn has(found: &Guess<'_>) -> Vec<String> {
    let at = path_text(&found.at);
    let text = match &found.turns {
        Turns::Objects { text, .. } => format!("{at}[*].{}", path_text(text)),
        Turns::Strings => format!("{at}[*]"),
        Turns::Pairs { text, .. } => format!("{at}[*][{text}]"),
    };
    let mut has = vec![quoted(&text)];
    if let Turns::Objects {
        speaker: Some(speaker),
        ..
    } = &found.turns
    {
        has.push(quoted(&format!("{at}[*].{}", path_text(speaker))));
    }
    has
}

fn turn(toml: &mut String, found: &Guess<'_>) {
    let _ = write!(
        toml,
        "\n[turn]\nat = {}\n",
        quoted(&format!("{}[*]", path_text(&found.at)))
    );
    let (speaker, text) = match &found.turns {
        Turns::Objects { text, speaker } => {
            (speaker.as_ref().map(|s| path_text(s)), path_text(text))
        }
        Turns::Strings => (None, ".".to_owned()),
        Turns::Pairs { text, speaker } => (Some(format!("[{speaker}]")), format!("[{text}]")),
    };
    match speaker {
        Some(speaker) => {
            let _ = writeln!(toml, "speaker = {}", quoted(&speaker));
            let names = &found.speakers;
            let (mut user, mut system) = (Vec::new(), Vec::new());
            for name in names {
                if is_user(name) {
                    user.push(quoted(name));
                } else if is_system(name) {
                    system.push(quoted(name));
                }
            }
            // Of two speakers, one is the other's partner.
            if let [first, second] = names.as_slice()
                && user.is_empty() != system.is_empty()
            {
                let other = |known: &[String]| {
                    let other = if known.contains(&quoted(first)) {
                        second
                    } else {
                        first
                    };
                    vec![quoted(other)]
                };
                if user.is_empty() {
                    user = other(&system);
                } else {
                    system = other(&user);
                }
            }
            if user.is_empty() && system.is_empty() && names.len() == 2 {
                (user, system) = (vec![quoted(&names[0])], vec![quoted(&names[1])]);
                toml.push_str("# Who is who is a guess.\n");
            }
            let _ = writeln!(
                toml,
                "user = [{}]\nsystem = [{}]",
                user.join(", "),
                system.join(", ")
            );
        }
        None => toml.push_str(
            "alternate = [\"user\", \"system\"]  # a guess: nothing looks like a speaker\n",
        ),
    }
    let _ = writeln!(toml, "text = {}", quoted(&text));
}

fn spans(toml: &mut String, found: &Guess<'_>) {
    for span in &found.spans {
        let _ = write!(
            toml,
            "\n[[span]]\nat = {}\nstart = {}\nend = {}\n",
            quoted(&format!("{}[*]", path_text(&span.at))),
            quoted(&span.start),
            quoted(&span.end)
        );
        let why = if span.is_known {
            ""
        } else {
            "  # a guess: no quote shows it"
        };
        let _ = writeln!(toml, "ends = {}{why}", quoted(span.ends));
        let _ = writeln!(toml, "unit = \"code-points\"");
        let label = span.label.as_deref().unwrap_or("label");
        let _ = writeln!(toml, "label = {}", quoted(label));
        if let Some(quote) = &span.quote {
            let _ = writeln!(toml, "quote = {}", quoted(quote));
        }
    }
}

/// Lists other members of turns, which are shown as fields unless the description uses them.
fn others(toml: &mut String, found: &Guess<'_>) {
    if found.others.is_empty() {
        return;
    }
    toml.push_str("\n# Shown as fields, unless an [[act]], a [state] or a [call] uses them:\n");
    for (name, example) in &found.others {
        let _ = writeln!(toml, "#   {name}: {example}");
    }
    toml.push_str("# [[act]]\n# at = \"acts[*]\"\n# name = \"act\"\n# slot = \"slot\"\n# values = \"values[*]\"\n");
    toml.push_str("# [state]\n# at = \"state{*}\"\n# name = \"@key\"\n");
}

/// The member of dialogs that looks like an id: a text or a number that differs between all of them.
fn id(dialogs: &[Value<'_>]) -> Option<Vec<String>> {
    let mut by_name: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for dialog in dialogs {
        for (key, value) in dialog.members() {
            let is_scalar = match value.as_str() {
                Some(text) => text.len() < 80 && !text.contains(' '),
                None => value.as_integer().is_some(),
            };
            if is_scalar {
                let name = key.as_str().unwrap_or_default().into_owned();
                by_name
                    .entry(name)
                    .or_default()
                    .insert(value.raw().to_owned());
            }
        }
    }
    let all = by_name
        .into_iter()
        .filter(|(_, values)| values.len() == dialogs.len());
    let rank = |name: &String| {
        let lower = name.to_lowercase();
        let rank = ["dialog", "conv", "id", "uuid", "file"]
            .iter()
            .position(|n| lower.contains(n));
        rank.filter(|_| lower.contains("id") || lower.contains("file"))
    };
    let best = all.filter_map(|(name, _)| Some((rank(&name)?, name))).min();
    best.map(|(_, name)| vec![name])
}

/// The first dialog, with a few of its turns and without what is large.
fn sample(found: &Guess<'_>, (key, dialog): Keyed<'_>) -> Option<String> {
    let mut text = String::new();
    if let Some(key) = key {
        let _ = write!(text, "{{{}: ", key.raw());
    }
    cut(&mut text, dialog, &found.at, SAMPLE);
    if key.is_some() {
        text.push('}');
    }
    (!text.contains("'''")).then_some(text)
}

/// Writes `value` without members that are large, and with the first turns only.
fn cut(text: &mut String, value: Value<'_>, at: &[String], room: usize) {
    let Some((first, rest)) = at.split_first() else {
        let mut turns: Vec<&str> = Vec::new();
        let mut length = 0;
        for turn in value.elements() {
            length += turn.raw().len();
            if turns.len() >= 2 && (length > room / 2 || turns.len() >= 6) {
                break;
            }
            turns.push(turn.raw());
        }
        let _ = write!(text, "[{}]", turns.join(",\n  "));
        return;
    };
    text.push('{');
    let mut is_first = true;
    for (key, member) in value.members() {
        let is_way = key.is_text(first);
        if !is_way && member.raw().len() > room / 16 {
            continue;
        }
        if !is_first {
            text.push_str(",\n ");
        }
        is_first = false;
        let _ = write!(text, "{}: ", key.raw());
        if is_way {
            cut(text, member, rest, room);
        } else {
            text.push_str(member.raw());
        }
    }
    text.push('}');
}
