//! Random edits of families that nobody has seen: bundled descriptions whose members are renamed, with dialogs
//! renamed and formatted in the same way. Each edit means the same as in the family that it was made from, is
//! written as the printer of the whole would write it, and can be taken back.

use std::collections::BTreeMap;

use turnwise::dialog::{Content, Dialog, Edit};
use turnwise::format::{self, Family, descriptions, named};
use turnwise::json::Escapes;

use super::any_edits::{edits, kind_of};
use super::{declared, edited, read_any, set_text};
use crate::support::amount;
use crate::support::files::{open, own, own_files, say};
use crate::support::random::Random;
use crate::support::style::Style;
use crate::support::value::Json;

/// Edits of one renamed dialog.
const EACH: usize = 12;

/// New names of members: with spaces, dots, letters beyond ASCII and emoji.
const NAMES: [&str; 6] = ["é", "a b", "x.y", "😀", "q-1", "_"];

/// The end of changed texts.
const ODD: &str = " \"so\" \\ 😀 caf\u{e9} e\u{301} \u{2028}.";

/// A bundled family with one of its dialogs.
struct Original {
    description: String,
    format: &'static Family,
    text: String,
}

fn originals() -> Vec<Original> {
    let mut all = Vec::new();
    for (_, description) in descriptions() {
        let bundled = declared(description);
        // Tests of their own are about the values that these have.
        if bundled.is_session() || !bundled.is_described() {
            continue;
        }
        let sample = bundled.description().sample.clone().unwrap();
        let mut files = vec![open(sample.into_bytes())];
        files.extend(own_files().iter().map(|path| open(std::fs::read(path).unwrap())));
        for file in files {
            let Some(format) = file.format().filter(|f| f.name() == bundled.name()) else {
                continue;
            };
            for position in 0..file.index().pieces.len() {
                let text = file.text(position).unwrap();
                all.push(Original { description: (*description).to_owned(), format, text });
            }
        }
    }
    // Descriptions of one's own of chats, whose calls have arguments in strings.
    for (description, corpus) in [
        (include_str!("../../formats/own-messages.toml"), "messages.jsonl"),
        (include_str!("../../formats/own-sharegpt.toml"), "sharegpt.json"),
    ] {
        let format = declared(description);
        let file = open(std::fs::read(own("assets/demo").join(corpus)).unwrap());
        for position in 0..file.index().pieces.len() {
            let text = file.text(position).unwrap();
            all.push(Original { description: description.to_owned(), format, text });
        }
    }
    // Texts that are lists of sentences.
    let sentences = include_str!("../../formats/own-sentences.toml");
    let format = declared(sentences);
    let text = format.description().sample.clone().unwrap().trim().to_owned();
    all.push(Original { description: sentences.to_owned(), format, text });
    all
}

/// The new names of the members that a description names.
struct Renaming {
    names: BTreeMap<String, String>,
    random: Random,
}

impl Renaming {
    fn name(&mut self, old: &str) -> String {
        // A part of the names of slots.
        if old == "book" {
            return old.to_owned();
        }
        let count = self.names.len();
        let random = &mut self.random;
        let new = || format!("{}{count}", random.one_of(&NAMES));
        self.names.entry(old.to_owned()).or_insert_with(new).clone()
    }

    /// A place with new names, all of them in quotation marks.
    fn place(&mut self, place: &str) -> String {
        let all = place.split(" | ").map(|place| self.only_place(place));
        all.collect::<Vec<_>>().join(" | ")
    }

    fn only_place(&mut self, place: &str) -> String {
        let (mut new, mut rest) = (String::new(), place);
        while let Some(first) = rest.chars().next() {
            let special = ['.', '[', '{', '^', '@', '"'];
            let length = match first {
                '[' => rest.find(']').unwrap() + 1,
                '{' => rest.find('}').unwrap() + 1,
                '@' => rest.len(),
                '.' | '^' => 1,
                '"' => rest[1..].find('"').unwrap() + 2,
                _ => rest.find(special).unwrap_or(rest.len()),
            };
            let part = &rest[..length];
            rest = &rest[length..];
            if matches!(first, '[' | '{' | '@' | '.' | '^') {
                new.push_str(part);
            } else {
                let name = self.name(part.trim_matches('"'));
                new.extend(["\"", &name, "\""]);
            }
        }
        new
    }

    fn value(&mut self, key: &str, value: &mut toml::Value) {
        match value {
            toml::Value::Table(table) if key == "new" => {
                let members = std::mem::take(table).into_iter();
                *table = members.map(|(name, value)| (self.name(&name), value)).collect();
            }
            toml::Value::Table(table) => self.table(table),
            toml::Value::Array(all) if key != "new" => {
                for one in all {
                    self.value(key, one);
                }
            }
            toml::Value::String(text) => *text = self.place(text),
            _ => {}
        }
    }

    fn table(&mut self, table: &mut toml::Table) {
        let plain = "user system hidden alternate of unit ends quoted cumulative literal separator json \
                     scale level dialogs title holds";
        let plain: Vec<_> = plain.split_whitespace().collect();
        for (key, value) in table.iter_mut() {
            if !plain.contains(&key.as_str()) {
                self.value(key, value);
            }
        }
    }

    /// The description with new names.
    fn description(&mut self, text: &str) -> String {
        let mut table: toml::Table = text.parse().unwrap();
        table.remove("sample");
        table.remove("ontology");
        table.remove("name");
        self.table(&mut table);
        table.insert("name".to_owned(), "renamed".into());
        toml::to_string(&table).unwrap()
    }

    /// A dialog with new names.
    fn json(&self, json: &Json) -> Json {
        match json {
            Json::Array(all) => Json::Array(all.iter().map(|one| self.json(one)).collect()),
            Json::Object(members) => {
                let renamed = |(key, value): &(String, Json)| {
                    let key = self.names.get(key).unwrap_or(key);
                    (key.clone(), self.json(value))
                };
                Json::Object(members.iter().map(renamed).collect())
            }
            other => other.clone(),
        }
    }
}

fn style(random: &mut Random) -> Style {
    let indents = [None, Some(" "), Some("  "), Some("    "), Some("\t")];
    let indent = random.one_of(&indents).map(str::to_owned);
    Style {
        newline: random.one_of(&["\n", "\r\n"]),
        comma: if indent.is_none() { random.one_of(&[",", ", ", " , "]) } else { "," },
        colon: random.one_of(&[":", ": ", " : "]),
        ascii: random.below(2) == 0,
        base: String::new(),
        indent,
    }
}

/// The dialog without its key, with odd characters at the ends of texts where there is room for them.
fn with_odd_texts(original: &Original) -> String {
    let mut text = crate::support::files::without_key(&original.text).to_owned();
    let dialog = read_any(original.format, &text);
    for (turn, of) in dialog.turns.iter().enumerate() {
        if of.tokens.is_empty()
            && let Ok(after) =
                edited(original.format, &text, &set_text(turn, &format!("{}{ODD}", of.text)))
        {
            text = after.text;
        }
    }
    text
}

/// A dialog of a family that nobody has seen, beside the one that it was made from.
struct Renamed {
    format: &'static Family,
    text: String,
    style: Style,
    original: &'static Family,
    before: String,
    renaming: Renaming,
}

/// The dialog with new names; None if these names mean other things in it, too, or if there are several dialogs.
fn renamed(original: &Original, seed: u64) -> Option<Renamed> {
    let mut renaming = Renaming { names: BTreeMap::new(), random: Random(seed) };
    let description = renaming.description(&original.description);
    let before = with_odd_texts(original);
    let json = renaming.json(&Json::parse(&before).ok()?);
    let format = declared(&description);
    let style = style(&mut renaming.random);
    let text = style.render(&json);
    let same = elements(&read_any(format, &text)) == elements(&read_any(original.format, &before));
    same.then_some(Renamed { format, text, style, original: original.format, before, renaming })
}

/// A dialog without its id, which may be its key, and without unknown fields.
fn elements(dialog: &Dialog) -> Dialog {
    let mut dialog = dialog.clone();
    dialog.id.clear();
    dialog.fields.clear();
    for turn in &mut dialog.turns {
        turn.fields.clear();
        turn.segments.iter_mut().for_each(|s| s.fields.clear());
        turn.calls.iter_mut().for_each(|call| call.fields.clear());
        // Objects are as the file formats them.
        for slot in turn.state.iter_mut().flatten() {
            if let Content::Raw(raw) = &mut slot.value {
                let value: serde_json::Value = serde_json::from_str(raw).unwrap();
                *raw = value.to_string().into();
            }
        }
    }
    dialog
}

/// Edits of a turn, and its segments moved.
fn edits_of(format: &'static Family, dialog: &Dialog, random: &mut Random) -> Vec<Edit> {
    let number = random.position(dialog.turns.len());
    let turn = &dialog.turns[number];
    let mut all = edits(format, dialog, number, random);
    let length = turn.length(dialog.units) as u64;
    for segment in 0..turn.segments.len() {
        let (one, other) = (random.below(length + 1), random.below(length + 1));
        if one != other {
            let (start, end) = (one.min(other) as u32, one.max(other) as u32);
            all.push(Edit::SetSpan { turn: number, segment, start, end });
        }
    }
    all
}

#[derive(Default)]
struct Tried {
    made: BTreeMap<String, usize>,
    refused: usize,
    edits: usize,
}

fn try_edit(renamed: &Renamed, edit: &Edit, tried: &mut Tried) {
    let after =
        |of: &'static Family, text: &str| format::edit(of, text, Escapes::seen_in(text), edit);
    let there = after(renamed.format, &renamed.text);
    let here = after(renamed.original, &renamed.before);
    let told = || format!("{} {edit:?}\n{}", renamed.original.name(), renamed.text);
    let (there, here) = match (there, here) {
        (Ok(there), Ok(here)) => (there, here),
        (Err(_), Err(_)) => return tried.refused += 1,
        (there, here) => panic!("{:?} {:?} {}", there.err(), here.err(), told()),
    };
    tried.edits += 1;
    let kind = format!("{} {}", renamed.original.name(), kind_of(edit));
    *tried.made.entry(kind).or_default() += 1;
    let meant = renamed.renaming.json(&Json::parse(&here.text).unwrap());
    let found = Json::parse(&there.text).unwrap();
    assert_eq!(found, meant, "{}", told());
    let printed = renamed.style.render(&meant);
    assert_eq!(there.text, printed, "not as its printer would: {}", told());
    let back = there.patch.invert(&renamed.text).apply(&there.text);
    assert_eq!(back, renamed.text, "{}", told());
}

#[test]
fn many_edits_of_renamed_families_mean_the_same_and_change_nothing_else() {
    let wanted = amount(250, 4000);
    let (mut tried, mut families) = (Tried::default(), 0);
    let originals = originals();
    let mut families_of: Vec<_> = originals.iter().map(|o| o.format.name()).collect();
    families_of.dedup();
    let mut random = Random(33);
    let mut unfit = BTreeMap::new();
    for seed in 0.. {
        if tried.edits >= wanted {
            break;
        }
        // One family after the other, however many dialogs it has.
        let family = families_of[seed as usize % families_of.len()];
        let own: Vec<_> = originals.iter().filter(|o| o.format.name() == family).collect();
        let original = own[random.position(own.len())];
        let Some(mut renamed) = renamed(original, seed) else {
            *unfit.entry(original.format.name()).or_insert(0) += 1;
            continue;
        };
        families += 1;
        let dialog = read_any(renamed.format, &renamed.text);
        renamed.renaming.random = Random(seed);
        let times = if renamed.format.has().len() > 1 { EACH } else { 2 };
        for _ in 0..times {
            let all = edits_of(renamed.format, &dialog, &mut random);
            if !all.is_empty() {
                try_edit(&renamed, &all[random.position(all.len())], &mut tried);
            }
        }
    }
    say(&format!(
        "{} edits of {families} renamed families, {} refused; not renamed: {unfit:?}; {:?}",
        tried.edits, tried.refused, tried.made
    ));
    let kinds = named("sgd").unwrap().has().len();
    assert!(tried.made.len() > kinds, "{:?}", tried.made);
}
