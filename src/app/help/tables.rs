//! The tables of the manual, made from the program's own when a chapter is shown.

use std::fmt::Write as _;

use crate::app::help::marks::MARKS;
use crate::app::input::{Command, Keymap, Scope};
use crate::app::manual;
use crate::app::manual::fill::code;
use crate::app::manual::{CHAPTERS, Chapter};
use crate::app::settings::{SETTINGS, Settings};
use crate::app::tabs::TABS;
use crate::dialog::EditKind;
use crate::format;
use crate::lint::RULES;
use crate::query::CONDITIONS;

/// Fills a chapter with the keys of `keymap` and the current tables.
pub fn filled(text: &str, keymap: &Keymap) -> String {
    manual::filled(text, keymap, |kind| table(kind, keymap))
}

/// Returns the table that chapters call `kind`.
fn table(kind: &str, keymap: &Keymap) -> Option<String> {
    if let Some(scope) = kind.strip_prefix("keys ") {
        return Some(keys(Scope::named(scope)?, keymap));
    }
    Some(match kind {
        "chapters" => chapters(),
        "palette" => palette(keymap),
        "rules" => rules(),
        "families" => families(),
        "settings" => settings(),
        "conditions" => rows(
            ["condition", "finds turns by"],
            CONDITIONS.iter().map(|key| [code(key.example, true), cell(key.doc)]),
        ),
        "tabs" => {
            rows(["tab", "shows"], TABS.iter().map(|tab| [tab.title.to_owned(), cell(tab.doc)]))
        }
        "marks" => rows(
            ["mark", "means"],
            MARKS.iter().map(|mark| [code(mark.sign, true), cell(mark.means)]),
        ),
        _ => return None,
    })
}

/// Lists the keys of one scope with their commands.
fn keys(scope: Scope, keymap: &Keymap) -> String {
    let bound = Command::ALL.iter().copied().filter_map(|command| {
        let keys: Vec<_> = keymap.keys_of(command, &[scope]).map(|key| code(key, true)).collect();
        (!keys.is_empty())
            .then(|| [keys.join(" "), code(command.name(), true), cell(command.doc())])
    });
    rows(["keys", "command", "what it does"], bound)
}

/// Lists the commands that only the palette runs.
fn palette(keymap: &Keymap) -> String {
    let unbound = Command::ALL.iter().filter(|command| {
        command.row().in_palette && keymap.keys_of(**command, &Scope::ALL).next().is_none()
    });
    rows(
        ["command", "what it does"],
        unbound.map(|command| [code(&format!(":{}", command.name()), true), cell(command.doc())]),
    )
}

/// Lists the chapters with links, two in a row, for the README.
fn chapters() -> String {
    let entry = |chapter: Option<&Chapter>| match chapter {
        Some(Chapter { name, about, .. }) => {
            [format!("[{name}](assets/manual/{name}.md)"), cell(about)]
        }
        None => [String::new(), String::new()],
    };
    let row = |two: &[Chapter]| {
        let [name, about] = entry(two.first());
        let [other, about_other] = entry(two.get(1));
        [name, about, other, about_other]
    };
    rows(["topic", "", "topic", ""], CHAPTERS.chunks(2).map(row))
}

fn rules() -> String {
    let row = |rule: &&crate::lint::Rule| {
        let level = if rule.on { rule.severity.name() } else { "off" };
        [code(rule.name, true), level.to_owned(), cell(rule.summary())]
    };
    rows(["rule", "severity", "finds"], RULES.iter().map(row))
}

fn families() -> String {
    let row = |format: &'static format::Family| {
        let edited = edited(format);
        [code(format.name(), true), cell(format.title()), cell(format.holds()), edited]
    };
    rows(["family", "corpora", "what its dialogs hold", "you can edit"], format::all().map(row))
}

/// Lists the parts of a format's dialogs that can be edited, without those that all formats have.
fn edited(format: &format::Family) -> String {
    let name = |kind: &EditKind| match kind {
        EditKind::Text if format.has_fixed_texts() => None,
        EditKind::Text => Some("texts"),
        EditKind::Segments
        | EditKind::Acts
        | EditKind::Intents
        | EditKind::State
        | EditKind::Votes
        | EditKind::Gold => Some(kind.name()),
        EditKind::Calls => Some("calls"),
        _ => None,
    };
    let parts: Vec<_> = format.has().iter().filter_map(name).collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

fn settings() -> String {
    let default = Settings::default();
    let row = |setting: &crate::app::settings::Setting| {
        let value = setting.shown(&default);
        [code(setting.name, true), code(&value, true), cell(setting.doc)]
    };
    rows(["setting", "default", "what it is"], SETTINGS.iter().map(row))
}

/// Escapes a text for a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn rows<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut table = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(N));
    for row in rows {
        let _ = writeln!(table, "| {} |", row.join(" | "));
    }
    table
}
