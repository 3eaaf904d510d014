//! Drafts a description of a file whose format is not known.
//!
//! There is one guesser. Dialogs, their turns and the parts of turns are lists: the elements of a list are flattened to
//! columns (`columns`), and each column is compared with what a part of a dialog is usually called and holds (`leaves`).
//! Every list of the dialogs is a candidate for the turns, and so are the rows of a file: the one with the best texts
//! (`texts`) and speakers (`speakers`) has them (`turns`). Calls and their responses (`calls`), spans (`spans`) and lists of
//! parts (`parts`) are sought in the lists of the turns. How the file arranges its dialogs, and what cannot be described,
//! is decided in `dialogs`; each writes what it has found by `toml`.

mod calls;
mod columns;
mod dialogs;
mod leaves;
mod parts;
mod spans;
mod speakers;
mod texts;
mod toml;
mod turns;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use self::columns::{Table, is_dialog, is_utterance};
use self::dialogs::{Dialogs, Keyed, division, tree};
use self::speakers::Speakers;
use self::toml::Lines;
use self::turns::{Guess, Speaker, guess, guess_rows};
use super::place::Place;
use super::trail::Trail;
use crate::dialog::{Content, Dialog};
use crate::format::Family;
use crate::json::{NodeKind, Parser, Value};
use crate::text::counted;

/// A drafted description.
#[derive(Debug)]
pub struct Draft {
    pub toml: String,
    /// The turns and dialogs that it reads in the file: "82 turns in 5 dialogs".
    pub reads: String,
    /// Guesses that decide much, and what it leaves out.
    pub warnings: Vec<String>,
}

/// The most members to name that are left out.
const MOST_OTHERS: usize = 5;
/// Lines to look at.
const LINES: usize = 500;

/// A file that is drafted.
struct File<'f> {
    /// Its name, and what it ends in if files in folders are not found by that.
    name: &'f str,
    end: Option<&'f str>,
    root: Value<'f>,
}

/// Drafts a description of the file `text`, which is called `name`, with or without what files end in.
///
/// # Errors
/// If the file is not JSON, if nothing in it looks like a list of turns, or if its form cannot be described.
pub fn draft(text: &str, name: &str) -> Result<Draft, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (name, end) = match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() => (stem, Some(end)),
        _ => (name, None),
    };
    let end = end.filter(|end| !["json", "jsonl", "ndjson"].contains(end));
    let are_lines = Parser::new().parse_str(text).is_err();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(LINES);
    let joined = are_lines.then(|| format!("[{}]", lines.collect::<Vec<_>>().join(",")));
    let mut parser = Parser::new();
    let parsed = parser.parse_str(joined.as_deref().unwrap_or(text));
    let parsed = parsed.map_err(|error| error.to_string())?;
    let root = parsed.root();
    File { name, end, root }.draft(&Dialogs::of(root, are_lines)?)
}

impl File<'_> {
    fn draft(&self, dialogs: &Dialogs<'_>) -> Result<Draft, String> {
        let rows = guess_rows(self.root).filter(|_| self.root.kind() == NodeKind::Array);
        let values = dialogs.first();
        if let Some(place) = values.iter().find_map(|value| tree(*value, &mut Vec::new())) {
            return Err(format!(
                "`{place}` is a tree of messages, but a description needs lists of turns"
            ));
        }
        let found = guess(&values);
        let divided = rows.as_ref().and_then(division).is_some_and(|division| division.is_several);
        // What shows who speaks, of dialogs before rows; then dialogs whose speakers alternate.
        let whole = Dialogs::whole(self.root);
        let mut all = Vec::new();
        let is_text = values.first().is_some_and(|value| one_text(*value).is_some());
        if let Some(found) = found.as_ref().filter(|found| !is_text || found.certainty() > 0) {
            all.push((1 + 2 * found.certainty(), found, dialogs));
        }
        if let Some(rows) = &rows {
            let is_exchange = rows.sides.len() > 1;
            if is_exchange && !divided && all.iter().all(|(certainty, ..)| *certainty < 3) {
                return Err(exchanges(rows));
            }
            let do_speak = rows.certainty() > usize::from(!divided);
            if do_speak {
                all.push((2 * rows.certainty(), rows, &whole));
            } else if divided && found.is_none() || have_names(rows) {
                all.push((0, rows, &whole));
            }
        }
        all.sort_by_key(|(certainty, ..)| Reverse(*certainty));
        let mut tries = all.iter().map(|(_, found, dialogs)| self.of_dialogs(found, dialogs));
        let first = tries.next().unwrap_or_else(|| Err(no_turns(&values)));
        first.or_else(|why| tries.find_map(Result::ok).ok_or(why))
    }

    /// Drafts a description of `dialogs` whose turns are those of a guess.
    fn of_dialogs(&self, found: &Guess<'_>, dialogs: &Dialogs<'_>) -> Result<Draft, String> {
        if let Some(why) = dialogs.too_deep(found) {
            return Err(why);
        }
        let mut lines = Lines::new(self.name);
        let has = places_of_all(found, &dialogs.all[..dialogs.all.len().min(dialogs::DIALOGS)]);
        lines.add("# Places that only these dialogs have; a dialog needs all of them.");
        lines.list("has", &has);
        lines.text("dialogs", dialogs.arrangement);
        let are_rows = dialogs.arrangement == "." && self.root.kind() == NodeKind::Array;
        let division = are_rows.then(|| division(found)).flatten();
        let id = match &division {
            Some(division) => Some(format!("[*].{}", division.place)),
            None if dialogs.arrangement == "{*}" => Some("@key".to_owned()),
            None => dialogs.id().filter(|_| !are_rows),
        };
        match id {
            Some(id) => lines.text("id", &id),
            None => lines.add("# id = \"…\"  # nothing looks like an id"),
        }
        if let Some(division) = division.as_ref().filter(|division| division.is_several) {
            lines.text("split", &division.place);
        }
        if let Some(end) = self.end.filter(|_| are_rows) {
            lines.list("files", &[format!("*.{end}")]);
        }
        found.write(&mut lines);
        let odd = |_| "no draft fits: a description cannot name the keys of this file".to_owned();
        let format = Family::read_from(&lines.toml, None).map_err(odd)?.keep();
        let mut read = Reading::default();
        for dialog in &dialogs.all {
            let key = dialog.key.map_or_else(String::new, |key| format!("{}:", key.raw()));
            let text = key + dialog.value.raw();
            let mut parser = Parser::new();
            if let Ok(tree) = parser.parse_piece_str(&text) {
                read.add(&format.read(tree).0);
            }
        }
        // Without speakers, the dialogs are rather turns themselves.
        let is_unspoken = matches!(found.sides[0].speaker, Speaker::Unknown);
        if read.turns == 0 || is_unspoken && read.turns <= read.dialogs {
            return Err(no_turns(&dialogs.first()));
        }
        lines.fields(read.fields.iter().map(|(name, field)| (name, &field.example)));
        if let Some(division) = &division {
            read.dialogs = division.dialogs(self.root);
            lines.warnings.extend((!division.is_named).then(|| guessed_split(&division.place)));
        }
        let among = counted(read.dialogs, "dialog");
        let reads = format!("{} in {among}", counted(read.turns, "turn"));
        // In a table of columns, other columns are not dialogs.
        let first = dialogs.all[0].value.range();
        let is_column = |list: Value<'_>| list.elements().any(|value| value.range() == first);
        let are_columns = dialogs.arrangement == "*[*]";
        let columns = self.root.members().filter(|_| are_columns);
        for (key, column) in columns.filter(|(_, column)| !is_column(*column)) {
            read.note(&key.as_str().unwrap_or_default(), column.raw());
        }
        lines.warnings.extend(read.others(are_columns));
        Ok(Draft { toml: lines.toml, reads, warnings: lines.warnings })
    }
}

fn guessed_split(place: &str) -> String {
    format!(
        "consecutive rows have the same `{place}`, so turnwise takes all rows with one value as one dialog; without `split`, all rows are one dialog"
    )
}

/// True if names or their place show that they are those of speakers.
fn have_names(rows: &Guess<'_>) -> bool {
    let is_it = |own: &Speakers| own.is_likely() || own.names.len() < rows.table().objects.len();
    rows.speakers().is_some_and(is_it)
}

/// Why rows that are exchanges are not drafted.
fn exchanges(rows: &Guess<'_>) -> String {
    let texts: Vec<_> = rows.sides.iter().map(|side| format!("`{}`", side.text)).collect();
    format!(
        "each element holds one question and its answer, in {}; turnwise reads only dialogs with a list of turns",
        texts.join(" and ")
    )
}

/// Returns the places by which dialogs are recognized: that of the texts, and others that all of them have.
fn places_of_all(found: &Guess<'_>, dialogs: &[Keyed<'_>]) -> Vec<String> {
    let texts = found.sides.iter().map(|side| found.in_dialog(&side.text));
    let speakers = found.sides.iter().filter_map(|side| match &side.speaker {
        Speaker::Named(speakers) if speakers.prefix.is_none() => {
            Some(found.in_dialog(&speakers.place))
        }
        _ => None,
    });
    let is_everywhere = |text: &String| {
        let place: Result<Place, _> = text.parse();
        let has = |place: &Place, dialog: &Keyed<'_>| {
            Trail::new(dialog.value, dialog.key).find(place).is_some()
        };
        place.is_ok_and(|place| dialogs.iter().all(|dialog| has(&place, dialog)))
    };
    let all = texts.chain(speakers).enumerate();
    let all = all.filter(|(number, place)| *number == 0 || is_everywhere(place));
    all.map(|(_, place)| place).collect()
}

/// The contents of a draft's dialogs: turns, and members that are fields and nothing else.
#[derive(Default)]
struct Reading {
    dialogs: usize,
    turns: usize,
    /// The bytes of the utterances.
    said: usize,
    fields: BTreeMap<String, OtherField>,
}

/// The fields of one name.
#[derive(Default)]
struct OtherField {
    example: String,
    /// The bytes of the utterances in them.
    said: usize,
    /// The bytes of lists and objects with texts, and of texts of several words.
    bytes: usize,
}

impl Reading {
    fn add(&mut self, dialog: &Dialog) {
        self.dialogs += 1;
        self.turns += dialog.turns.len();
        self.said += dialog.turns.iter().map(|turn| said(&turn.text)).sum::<usize>();
        let fields = dialog.turns.iter().flat_map(|turn| &turn.fields);
        for field in fields.chain(&dialog.fields).filter(|field| !field.known) {
            // Of `[0].topics`, too.
            let mut names = field.name.split(['.', '[', ']']);
            let is_name = |name: &&str| !name.is_empty() && name.parse::<usize>().is_err();
            let name = names.find(is_name).unwrap_or(&field.name);
            match &field.content {
                Content::Text(text) => self.note(name, &format!("\"{text}\"")),
                Content::Raw(raw) => self.note(name, raw),
            }
        }
    }

    /// Notes a field with a value.
    fn note(&mut self, name: &str, raw: &str) {
        let field = self.fields.entry(name.to_owned()).or_default();
        let is_tree = raw.starts_with(['{', '[']) && raw.contains('"');
        if is_tree || raw.starts_with('"') && raw.contains(' ') {
            field.bytes += raw.len();
        }
        field.said += raw.split('"').skip(1).step_by(2).map(said).sum::<usize>();
        if matches!(field.example.as_str(), "" | "[]" | "{}" | "\"\"" | "null") {
            raw.clone_into(&mut field.example);
        }
    }

    /// Returns a warning that names the largest of the fields that other turns and calls may be in, and where most text is.
    fn others(&self, are_columns: bool) -> Vec<String> {
        let mut all: Vec<_> = self.fields.iter().filter(|(_, field)| field.bytes > 0).collect();
        all.sort_by_key(|(_, field)| Reverse(field.bytes));
        let names = all.iter().take(MOST_OTHERS).map(|(name, _)| format!("`{name}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        let others = (!names.is_empty()).then(|| {
            format!(
                "turnwise shows these fields as they are, but they may hold more turns or calls: {names}"
            )
        });
        let most = self.fields.iter().max_by_key(|(_, field)| field.said);
        let said = self.said + self.fields.values().map(|field| field.said).sum::<usize>();
        // In other columns of a table there is less that is not read, as in notes about dialogs.
        let is_less = |(_, most): &(_, &OtherField)| {
            2 * self.said < said && self.said < most.said || are_columns && 3 * self.said < 2 * said
        };
        let most = most.filter(is_less);
        let most = most.map(|(name, _)| {
            let percent = 100 * self.said / said.max(1);
            format!(
                "these turns have {percent} % of the text of the dialogs; most of the rest is at `{name}`"
            )
        });
        most.into_iter().chain(others).collect()
    }
}

/// Returns the bytes of a text that is an utterance, or 0.
fn said(text: &str) -> usize {
    if is_utterance(text) { text.len() } else { 0 }
}

/// Why no turns were found.
fn no_turns(dialogs: &[Value<'_>]) -> String {
    if let Some(key) = dialogs.first().and_then(|dialog| one_text(*dialog)) {
        return format!(
            "`{key}` holds a dialog as one text; turnwise reads only dialogs whose turns are separate values"
        );
    }
    // Of several values, each may be a turn.
    let table = Table::of_dialogs(dialogs);
    if dialogs.len() > 1 && !texts::texts_of(&table.columns, dialogs.len(), &|_| true).is_empty() {
        return "no element seems to hold a list of turns, and nothing shows who speaks; if each element is a turn, write `dialogs = \".\"` and, in `[turn]`, `at = \"[*]\"` to read all elements as one dialog"
            .to_owned();
    }
    "nothing in the file looks like a list of turns".to_owned()
}

/// Returns the member of `value` that holds a whole dialog as one text, or a list of such texts, if there is nothing
/// that looks like a list of turns.
pub fn one_text(value: Value<'_>) -> Option<String> {
    let is_one = |text: Value<'_>| text.as_str().is_some_and(|text| is_dialog(&text));
    // Several texts that are dialogs themselves are not turns.
    let are_dialogs =
        |list: Value<'_>| list.elements().nth(1).is_some() && list.elements().take(2).all(is_one);
    let may_be = |member: Value<'_>| is_one(member) || member.elements().next().is_some_and(is_one);
    let several = value.members().find(|(_, member)| are_dialogs(*member));
    let one = || value.members().find(|(_, member)| may_be(*member));
    let (key, _) = several.or_else(|| one().filter(|_| guess(&[value]).is_none()))?;
    Some(key.as_str()?.into_owned())
}
