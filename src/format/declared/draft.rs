//! Drafts a description of a file whose format is not known, by looking for lists of texts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::draft_calls::{carriers, find_calls};
use super::draft_members::{Members, distinct, word};
use super::draft_rows::DialogId;
use super::guess::{Guess, Side, SpeakerOf, elsewhere, guess, no_turns, one_text, place};
use super::guess_speakers::{SpeakerGuess, in_texts};
use super::place::{Place, Step};
use super::trail::Trail;
use super::{Declared, draft_rows, draft_strings};
use crate::dialog::{Content, Dialog, Role, Turn};
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

/// Dialogs to look at.
const DIALOGS: usize = 20;
/// The most members to name that are left out.
const MOST_OTHERS: usize = 5;
/// Lines to look at for ids.
const LINES: usize = 500;
/// A warning counts the turns that say nothing if one of so many does.
const SILENT: usize = 4;
/// The largest dialog to take as a sample, in bytes.
const SAMPLE: usize = 4 << 10;

/// Drafts a description of the file `text`, which is called `name`, with or without what files end in.
///
/// # Errors
/// If the file is not JSON, or nothing in it looks like a list of turns.
pub fn draft(text: &str, name: &str) -> Result<Draft, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (name, end) = match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() => (stem, Some(end)),
        _ => (name, None),
    };
    let end = end.filter(|end| !["json", "jsonl", "ndjson"].contains(end));
    let mut parser = Parser::new();
    if parser.parse_str(text).is_ok() {
        let draft = |text: &str| of_value(text, name, end);
        return draft(text).or_else(|why| draft_strings::draft(text, draft).unwrap_or(Err(why)));
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<_> = lines.take(LINES).collect();
    let joined = format!("[{}]", lines.join(","));
    let draft = |text: &str| of_lines(text, name, end);
    draft(&joined).or_else(|why| draft_strings::draft(&joined, draft).unwrap_or(Err(why)))
}

/// Drafts a description of a file that is one value.
fn of_value(text: &str, name: &str, end: Option<&str>) -> Result<Draft, String> {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).map_err(|error| error.to_string())?;
    let elements: Vec<_> = tree.root().elements().take(LINES).collect();
    if let Some(draft) = of_rows(&elements, name, end) {
        return Ok(draft);
    }
    let (arrangement, dialogs) = dialogs(tree.root())?;
    of_dialogs(&dialogs, arrangement, tree.root(), name)
        .or_else(|why| of_one_dialog(tree.root(), name).ok_or(why))
}

/// Drafts a description of a file with a value on each line; `joined` is the list of these.
fn of_lines(joined: &str, name: &str, end: Option<&str>) -> Result<Draft, String> {
    let mut parser = Parser::new();
    let tree = parser.parse_str(joined).map_err(|error| error.to_string())?;
    let rows: Vec<_> = tree.root().elements().collect();
    if let Some(draft) = of_rows(&rows, name, end) {
        return Ok(draft);
    }
    let dialogs: Vec<_> = rows.into_iter().map(|value| (None, value)).collect();
    of_dialogs(&dialogs, "lines", tree.root(), name)
        .or_else(|why| of_one_dialog(tree.root(), name).ok_or(why))
}

/// Drafts a description of a file whose elements are the turns of one dialog; None if nothing names their speakers.
fn of_one_dialog(rows: Value<'_>, name: &str) -> Option<Draft> {
    let found =
        guess(&[rows]).filter(|found| rows.kind() == NodeKind::Array && found.at.is_empty())?;
    let count = rows.elements().count();
    let has_names = match &found.sides[0].speaker {
        SpeakerOf::Known(speaker) => speaker.is_likely() || speaker.names.len() < count,
        _ => false,
    };
    let are_dialogs = rows.elements().next().and_then(one_text).is_some();
    let dialog = [(None, rows)];
    (has_names && !are_dialogs).then(|| of_dialogs(&dialog, ".", rows, name).ok())?
}

/// Drafts a description of a file whose lines or elements are turns; None if they look like dialogs, or like nothing.
fn of_rows(rows: &[Value<'_>], name: &str, end: Option<&str>) -> Option<Draft> {
    let tried = &rows[..rows.len().min(DIALOGS)];
    let is_sure = |side: &Side| match &side.speaker {
        SpeakerOf::Known(speaker) => speaker.is_sure,
        SpeakerOf::Role(_) => true,
        SpeakerOf::Unknown => false,
    };
    if guess(tried).is_some_and(|found| found.sides.iter().any(is_sure)) {
        return None;
    }
    let mut toml = beginning(name);
    let found = draft_rows::of_rows(rows, end)?;
    toml.push_str(&found.toml);
    let format = Declared::read(&toml, None).ok()?.keep();
    let all: Vec<_> = rows.iter().map(|row| row.raw()).collect();
    let text = format!("[{}]", all.join(","));
    let mut parser = Parser::new();
    let dialog = format.read(parser.parse_piece_str(&text).ok()?).0;
    let turns = counted(dialog.turns.len(), "turn");
    let among = match found.dialogs {
        1 => counted(rows.len(), "line"),
        several => counted(several, "dialog"),
    };
    let guessed = found.guessed.map(|place| guessed_split(&place));
    let mut others = OtherMembers::default();
    others.add(&dialog);
    (!dialog.turns.is_empty()).then(|| Draft {
        toml,
        reads: format!("{turns} in {among}"),
        warnings: guessed.into_iter().chain(others.warning()).collect(),
    })
}

fn guessed_split(place: &str) -> String {
    format!(
        "each value of `{place}` is a dialog of its own, because it repeats in rows one after the other; without \
         `split`, all rows are one dialog"
    )
}

/// Returns the first lines of a draft.
fn beginning(name: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let name: String = (name.chars()).map(|c| if is_word(c) { c } else { '-' }).collect();
    let name = if name.is_empty() { "own" } else { &name };
    format!(
        "# A draft: check each guess against the data, and see `turnwise help own-format`.\nname = {}\n",
        quoted(&name.to_lowercase())
    )
}

/// Values that may be dialogs, and how they are arranged.
type Arranged<'a> = (&'static str, Vec<Keyed<'a>>);

/// A value that may be a dialog, with its key.
type Keyed<'a> = (Option<Value<'a>>, Value<'a>);

/// Returns the first of the values that may be dialogs.
fn first<'a>(all: &[Keyed<'a>]) -> Vec<Value<'a>> {
    all.iter().take(DIALOGS).map(|(_, value)| *value).collect()
}

fn has_speaker(found: &Guess) -> bool {
    matches!(found.sides[0].speaker, SpeakerOf::Known(_))
}

fn without_key(list: Value<'_>) -> Vec<Keyed<'_>> {
    list.elements().map(|value| (None, value)).collect()
}

/// Returns the values of a file that may be dialogs, and how they are arranged.
///
/// # Errors
/// If the dialogs are arranged in a way that is not read.
fn dialogs(root: Value<'_>) -> Result<Arranged<'_>, String> {
    let has_turns = |value: Value<'_>| guess(&[value]).is_some();
    if root.kind() == NodeKind::Array {
        return Ok(("[*]", without_key(root)));
    }
    let keyed = |kind: NodeKind| -> Vec<Keyed<'_>> {
        let members = root.members().filter(|(_, value)| value.kind() == kind);
        members.map(|(key, value)| (Some(key), value)).collect()
    };
    let objects = keyed(NodeKind::Object);
    let tried = first(&objects);
    let with_turns = tried.iter().filter(|value| has_turns(**value)).count();
    if with_turns > 0 && with_turns * 2 > tried.len() {
        return Ok(("{*}", objects));
    }
    // The list whose elements look most like dialogs.
    let lists = root.members().map(|(_, list)| without_key(list));
    let scored = lists.filter_map(|list| {
        let tried = first(&list);
        let with_turns = tried.iter().filter(|value| has_turns(**value)).count();
        // Some dialogs may be short.
        let found = guess(&tried)?;
        let is_known = found.at.is_empty() && has_speaker(&found);
        let is_most = with_turns > 0 && (is_known || with_turns * 2 > tried.len());
        is_most.then_some((found.score, list))
    });
    if let Some((_, list)) = scored.max_by_key(|(score, _)| *score) {
        return Ok(("*[*]", list));
    }
    // Each member may be a dialog that is an array.
    let arrays = keyed(NodeKind::Array);
    let is_dialog = |(_, value): &Keyed<'_>| {
        let found = guess(&[*value]);
        found.is_some_and(|found| has_speaker(&found))
    };
    if arrays.len() > 1 && arrays.len() == root.members().count() && arrays.iter().all(is_dialog) {
        let reason = "its members look like dialogs that are arrays of turns; turnwise reads such dialogs in an array, \
                      such as `[[…], […]]`";
        return Err(reason.to_owned());
    }
    Ok((".", vec![(None, root)]))
}

fn of_dialogs(
    dialogs: &[Keyed<'_>],
    arrangement: &str,
    root: Value<'_>,
    name: &str,
) -> Result<Draft, String> {
    let values = first(dialogs);
    let found = guess(&values);
    let has_texts = || values.first().is_some_and(|value| one_text(*value).is_some());
    let found = found.filter(|found| has_speaker(found) || !has_texts());
    let found = found.ok_or_else(|| no_turns(&values))?;
    let mut toml = beginning(name);
    let line = |toml: &mut String, text: &str| {
        toml.push_str(text);
        toml.push('\n');
    };
    line(&mut toml, "# Places that only these dialogs have; a dialog needs all of them.");
    let has = has(&found, &dialogs[..dialogs.len().min(DIALOGS)]);
    line(&mut toml, &format!("has = [{}]", has.join(", ")));
    line(&mut toml, &format!("dialogs = {}", quoted(arrangement)));
    let all: Vec<_> = dialogs.iter().map(|(_, value)| *value).collect();
    let are_rows = arrangement == "." && root.kind() == NodeKind::Array;
    let division = are_rows.then(|| division(root, &found)).flatten();
    match (id(&all), arrangement) {
        (_, "{*}") => line(&mut toml, "id = \"@key\""),
        _ if are_rows => draft_rows::write_id(&mut toml, division.as_ref()),
        (Some(id), _) => line(&mut toml, &format!("id = {}", quoted(&id))),
        (None, _) => line(&mut toml, "# id = \"…\"  # nothing looks like an id"),
    }
    // A `sample` after a table would belong to it.
    let first_with_turns = (found.sides[0].has.parse::<Place>().ok()).and_then(|place| {
        let mut all = dialogs.iter().take(DIALOGS);
        all.find(|(key, value)| Trail::new(*value, *key).find(&place).is_some())
    });
    let first_with_turns = *first_with_turns.unwrap_or(&dialogs[0]);
    if let Some(sample) = sample(&found, first_with_turns, are_rows) {
        line(
            &mut toml,
            "\n# The first dialog, shortened. Replace it with one of your own before you publish this file.",
        );
        line(&mut toml, &format!("sample = '''\n{sample}\n'''"));
    }
    for side in &found.sides {
        turn(&mut toml, &found, side, &values);
    }
    spans(&mut toml, &found);
    others(&mut toml, &found);
    let mut warnings = left_out(&mut toml, &found, &values);
    let declared =
        Declared::read(&toml, None).map_err(|error| format!("no draft fits: {error}"))?;
    let (mut count, mut turns, mut others) = (0, 0, OtherMembers::default());
    let format = declared.keep();
    for (key, value) in dialogs {
        let text = match key {
            Some(key) => format!("{}:{}", key.raw(), value.raw()),
            None => value.raw().to_owned(),
        };
        let mut parser = Parser::new();
        if let Ok(tree) = parser.parse_piece_str(&text) {
            let dialog = format.read(tree).0;
            turns += dialog.turns.len();
            others.add(&dialog);
            count += 1;
        }
    }
    if let Some(why) = lines_of_speakers(&found, &values).filter(|_| turns * 2 <= count * 3) {
        return Err(why);
    }
    if let Some(division) = &division {
        count = division.dialogs;
        warnings.extend((!division.is_named).then(|| guessed_split(&division.place)));
    }
    let (dialogs, turns) = (counted(count, "dialog"), counted(turns, "turn"));
    // In a table of columns, most text may be in another one.
    let are_lists = arrangement == "*[*]";
    let whole = if are_lists { vec![root] } else { values };
    if let Some((place, percent)) = elsewhere(&found, &whole, are_lists) {
        warnings.push(format!(
            "that is {percent} % of the text of the dialogs; most of the rest is at `{place}`"
        ));
    }
    warnings.extend(undivided(&found, root).filter(|_| arrangement == "."));
    warnings.extend(others.silent());
    warnings.extend(others.warning());
    Ok(Draft { toml, reads: format!("{turns} in {dialogs}"), warnings })
}

/// Returns a warning if a column beside the list of turns has the ids of several dialogs.
fn undivided(found: &Guess, root: Value<'_>) -> Option<String> {
    let [Step::Member(turns)] = found.at.as_slice() else {
        return None;
    };
    let count = root.get(turns)?.elements().count();
    root.members().find_map(|(key, column)| {
        let name = key.as_str().unwrap_or_default();
        let ids: Option<Vec<_>> = column.elements().map(word).collect();
        let ids = ids.filter(|ids| ids.len() == count && draft_rows::is_of_dialogs(&name))?;
        let several = distinct(ids).len();
        (1 < several && several < count).then(|| {
            format!("`{name}` has {several} values, and all turns are one dialog; `split` divides rows, not columns")
        })
    })
}

/// Members and turns of which a draft reads nothing.
#[derive(Default)]
struct OtherMembers {
    /// Those that are fields, each with its bytes: objects, lists and texts of several words.
    bytes: BTreeMap<String, usize>,
    turns: usize,
    /// The turns without text and calls.
    silent: usize,
}

impl OtherMembers {
    fn add(&mut self, dialog: &Dialog) {
        let says_nothing = |turn: &&Turn| turn.text.is_empty() && turn.calls.is_empty();
        self.turns += dialog.turns.len();
        // The texts of answers are those of calls.
        let mut calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
        if calls.all(|call| call.response.is_none()) {
            self.silent += dialog.turns.iter().filter(says_nothing).count();
        }
        let fields = dialog.turns.iter().flat_map(|turn| &turn.fields);
        for field in fields.chain(&dialog.fields).filter(|field| !field.known) {
            let holds_more = match &field.content {
                Content::Text(text) => text.contains(' '),
                Content::Raw(raw) => raw.starts_with(['{', '[']) && raw.contains('"'),
            };
            if holds_more {
                // Of `[0].topics`, too.
                let mut names = field.name.split(['.', '[', ']']);
                let is_name = |name: &&str| !name.is_empty() && name.parse::<usize>().is_err();
                let name = names.find(is_name).unwrap_or(&field.name);
                *self.bytes.entry(name.to_owned()).or_default() += field.content.as_str().len();
            }
        }
    }

    /// Returns a warning if many turns say nothing.
    fn silent(&self) -> Option<String> {
        let are_many = self.silent > 0 && self.silent * SILENT >= self.turns;
        are_many.then(|| format!("{} of the turns have neither text nor calls", self.silent))
    }

    /// Returns a warning that names the largest of them.
    fn warning(self) -> Option<String> {
        let mut all: Vec<_> = self.bytes.into_iter().collect();
        all.sort_by_key(|(_, bytes)| Reverse(*bytes));
        let names = all.iter().take(MOST_OTHERS).map(|(name, _)| format!("`{name}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        (!names.is_empty()).then(|| {
            format!("these members are fields and nothing else: {names}; other turns or calls may be in them")
        })
    }
}

/// Returns the member whose values divide the rows of an array into dialogs.
fn division(rows: Value<'_>, found: &Guess) -> Option<DialogId> {
    let SpeakerOf::Known(speaker) = &found.sides[0].speaker else {
        return None;
    };
    let rows: Vec<_> = rows.elements().collect();
    draft_rows::division(&Members::of(&rows), &speaker.place)
}

/// Returns why `dialogs` look like turns, if nothing in them is a speaker but one of their own members may be.
fn lines_of_speakers(found: &Guess, dialogs: &[Value<'_>]) -> Option<String> {
    let is_unknown = matches!(found.sides[0].speaker, SpeakerOf::Unknown);
    let members = Members::of(dialogs);
    let few = members.kinds().find(|(place, names)| {
        let is_name = draft_rows::SPEAKERS.contains(&place.as_str())
            || ["kind", "type", "event"].contains(&place.as_str());
        is_name && (2..=NAMED).contains(&names.len()) && members.all[*place].len() == members.count
    });
    let (place, names) = few.filter(|_| is_unknown)?;
    Some(format!(
        "its elements look like turns whose speakers are at `{place}` ({}), and nothing shows which of them is the user",
        names.join(", ")
    ))
}

pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Returns the places by which a dialog is recognized: that of the texts, and others that all of `dialogs` have.
fn has(found: &Guess, dialogs: &[Keyed<'_>]) -> Vec<String> {
    let texts = found.sides.iter().map(|side| &side.has);
    let speakers = found.sides.iter().filter_map(|side| match &side.speaker {
        SpeakerOf::Known(speaker) => Some(&speaker.has),
        _ => None,
    });
    let mut places: Vec<&String> = texts.chain(speakers).collect();
    let is_everywhere = |text: &str| {
        let place: Result<Place, _> = text.parse();
        place.is_ok_and(|place| {
            let mut all = dialogs.iter();
            all.all(|(key, value)| Trail::new(*value, *key).find(&place).is_some())
        })
    };
    let mut is_first = true;
    places.retain(|place| std::mem::take(&mut is_first) || is_everywhere(place));
    places.into_iter().map(|place| quoted(place)).collect()
}

/// Returns the list of turns, from the dialog.
fn turns_at(found: &Guess) -> String {
    place(&[found.at.as_slice(), &[Step::Elements]].concat())
}

fn turn(toml: &mut String, found: &Guess, side: &Side, dialogs: &[Value<'_>]) {
    let table = if found.sides.len() > 1 { "[[turn]]" } else { "[turn]" };
    let _ = write!(toml, "\n{table}\nat = {}\n", quoted(&turns_at(found)));
    match &side.speaker {
        SpeakerOf::Known(speaker) => {
            let _ = writeln!(toml, "speaker = {}", quoted(&speaker.place));
            speakers(toml, speaker);
        }
        SpeakerOf::Role(role) => {
            let name = if *role == Role::User { "user" } else { "system" };
            let _ = writeln!(toml, "alternate = [{}]", quoted(name));
        }
        SpeakerOf::Unknown => match before_texts(found, side, dialogs) {
            Some(speaker) => {
                toml.push_str("prefix = \": \"\n");
                speakers(toml, &speaker);
            }
            None => toml.push_str(
                "alternate = [\"user\", \"system\"]  # a guess: nothing looks like a speaker\n",
            ),
        },
    }
    let text = quoted(&side.text);
    let _ = if side.is_joined {
        writeln!(toml, "text = {{ at = {text}, separator = \" \" }}")
    } else if side.is_mixed {
        let inside = match side.text.as_str() {
            "." => quoted(". | text"),
            at => quoted(&format!("{at} | {at}.text")),
        };
        writeln!(toml, "# Some of these are objects, not texts.\ntext = {inside}")
    } else {
        writeln!(toml, "text = {text}")
    };
}

/// Returns the speakers whose names texts begin with.
fn before_texts(found: &Guess, side: &Side, dialogs: &[Value<'_>]) -> Option<SpeakerGuess> {
    let place = side.has.parse::<Place>().ok()?;
    if found.sides.len() > 1 || side.is_joined || side.is_mixed || !found.spans.is_empty() {
        return None;
    }
    let names = |dialog: &Value<'_>| {
        let mut names = Vec::new();
        Trail::new(*dialog, None).each(&place, &mut |trail| {
            let text = trail.here().value.as_str().unwrap_or_default();
            let name = text.split_once(": ").map(|(name, _)| name.to_owned());
            names.push(name.filter(|name| !name.is_empty() && !name.contains(char::is_whitespace)));
        });
        names
    };
    in_texts(&dialogs.iter().map(names).collect::<Vec<_>>())
}

fn speakers(toml: &mut String, speaker: &SpeakerGuess) {
    let list = |names: &[String]| {
        let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
        names.join(", ")
    };
    if speaker.is_guess {
        toml.push_str("# Who is who is a guess.\n");
    }
    let (user, system) = (list(&speaker.user), list(&speaker.system));
    if speaker.user.is_empty() && speaker.system.is_empty() {
        let names = list(&speaker.names[..speaker.names.len().min(NAMED)]);
        let more = speaker.names.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(
            toml,
            "# Nothing shows who is a user and who a system: {names}{more}\n# user = [\"…\"]\n# system = [\"…\"]"
        );
    } else {
        let _ = writeln!(toml, "user = [{user}]\nsystem = [{system}]");
        if !speaker.hidden.is_empty() {
            let _ = writeln!(toml, "hidden = [{}]", list(&speaker.hidden));
        }
    }
}

/// The most names in a comment.
const NAMED: usize = 8;

fn spans(toml: &mut String, found: &Guess) {
    for span in &found.spans {
        let _ = write!(
            toml,
            "\n[[span]]\nat = {}\nstart = {}\nend = {}\n",
            quoted(&format!("{}[*]", span.at)),
            quoted(&span.start),
            quoted(&span.end)
        );
        if span.is_partial {
            let _ = writeln!(toml, "when = {}", quoted(&span.end));
        }
        let why = if span.is_known { "" } else { "  # a guess: no quote shows it" };
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
fn others(toml: &mut String, found: &Guess) {
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

/// Says, in comments and for the user, what looks like speakers or calls and is not read.
fn left_out(toml: &mut String, found: &Guess, dialogs: &[Value<'_>]) -> Vec<String> {
    let mut warnings = Vec::new();
    let turns = turns_at(found);
    if let [Step::Elements, Step::Member(_)] = found.at.as_slice() {
        warnings.push(format!(
            "the turns at `{turns}` in all elements of an array are one dialog, also if each element is a dialog of its own"
        ));
    }
    let mut beside = carriers(dialogs, &Members::of(dialogs));
    beside.retain(|carrier| carrier.at != "." && !turns.starts_with(&carrier.at));
    if let Some(calls) = find_calls(&beside) {
        let _ = writeln!(
            toml,
            "\n# `{}` looks like calls, and is not read. A call is read from the turn that makes it, or from a list beside the\n# turns: `at = \"^.calls[@index]\"` has one for each, and `at = \"^.calls[turn=id]\"` names their ids.",
            beside[calls.carrier].at
        );
        warnings.push(format!(
            "`{}` looks like calls, and is not read; a comment in the draft says what can be done",
            beside[calls.carrier].at
        ));
    }
    warnings
}

/// Returns the member of dialogs that looks like an id: a text or a number that differs between all of them.
fn id(dialogs: &[Value<'_>]) -> Option<String> {
    let names = dialogs.iter().flat_map(|dialog| dialog.members());
    let names = names.filter_map(|(key, _)| key.as_str());
    let names: BTreeSet<_> = names.take(MEMBERS).collect();
    let is_id = |name: &str| {
        let values = dialogs.iter().map_while(|dialog| {
            let value = dialog.get(name)?;
            let is_scalar = match value.as_str() {
                Some(text) => text.len() < 80 && !text.contains(' '),
                None => value.as_integer().is_some(),
            };
            is_scalar.then(|| value.raw())
        });
        values.collect::<BTreeSet<_>>().len() == dialogs.len()
    };
    // Names of dialogs come before names of other things that a dialog may be about.
    let rank = |name: &str| {
        let lower: String = name.to_lowercase().replace(['_', '-', ' '], "");
        let exact = ["id", "uuid", "guid", "uid"].contains(&lower.as_str());
        let is_dialog = ["dialog", "conv", "chat"].iter().any(|part| lower.contains(part));
        let is_id = lower.contains("id") || lower.contains("file") || lower.contains("idx");
        match (is_dialog, exact) {
            _ if !is_id => None,
            (true, _) => Some(0),
            (_, true) => Some(1),
            _ => Some(2),
        }
    };
    let all = names.iter().filter_map(|name| Some((rank(name)?, name)));
    let best = all.filter(|(_, name)| is_id(name)).min();
    let best = best.map(|(_, name)| name.clone());
    // Whatever its name is, as long as there are enough dialogs to differ.
    let first = || dialogs.first()?.members().next()?.0.as_str();
    let first = || first().filter(|name| dialogs.len() >= LEAST_DIALOGS && is_id(name));
    let name = best.or_else(first)?;
    Some(place(&[Step::Member(name.into_owned())]))
}

/// The least number of dialogs whose first member is taken for an id if it differs between all of them.
const LEAST_DIALOGS: usize = 4;

/// The most members of dialogs that may be ids.
const MEMBERS: usize = 10_000;

/// Returns the first dialog, with a few of its turns and without what is large.
fn sample(found: &Guess, (key, dialog): Keyed<'_>, are_rows: bool) -> Option<String> {
    let mut text = String::new();
    // An array of dialogs that are arrays; an object or several of them need no array around.
    let is_array = key.is_none() && dialog.kind() == NodeKind::Array && !are_rows;
    match key {
        Some(key) => {
            let _ = write!(text, "{{{}: ", key.raw());
        }
        None if is_array => text.push('['),
        None => {}
    }
    cut(&mut text, dialog, &found.at, &found.beside, SAMPLE);
    match key {
        Some(_) => text.push('}'),
        None if is_array => text.push(']'),
        None => {}
    }
    (!text.contains("'''")).then_some(text)
}

/// Writes `value` without members that are large, and with the first turns only; lists beside the turns have as many
/// elements.
fn cut(text: &mut String, value: Value<'_>, at: &[Step], beside: &[String], room: usize) {
    let Some((first, rest)) = at.split_first() else {
        return write_first(text, value, few(value, room));
    };
    let Step::Member(first) = first else {
        let is_in_objects = matches!(rest.first(), Some(Step::Member(_)));
        let is_object = |value: &Value<'_>| value.kind() == NodeKind::Object;
        text.push('[');
        for (number, list) in value
            .elements()
            .filter(|v| v.kind() == NodeKind::Array || is_object(v) && is_in_objects)
            .take(2)
            .enumerate()
        {
            text.push_str(if number > 0 { ",\n " } else { "" });
            cut(text, list, rest, beside, room / 2);
        }
        text.push(']');
        return;
    };
    text.push('{');
    let turns = value.get(first).filter(|_| rest.is_empty());
    let turns = turns.map_or(0, |turns| few(turns, room));
    let mut is_first = true;
    for (key, member) in value.members() {
        let is_way = key.is_text(first);
        let is_beside = rest.is_empty() && beside.iter().any(|name| key.is_text(name));
        if !is_way && !is_beside && member.raw().len() > room / 16 {
            continue;
        }
        if !is_first {
            text.push_str(",\n ");
        }
        is_first = false;
        let _ = write!(text, "{}: ", key.raw());
        match (is_way, is_beside) {
            (true, _) => cut(text, member, rest, beside, room),
            (_, true) => write_first(text, member, turns),
            _ => text.push_str(member.raw()),
        }
    }
    text.push('}');
}

/// Returns the number of the first elements of a list that have room in a sample.
fn few(list: Value<'_>, room: usize) -> usize {
    let mut length = 0;
    let all = list.elements().take(6).enumerate();
    let fitting = all.take_while(|(number, turn)| {
        length += turn.raw().len();
        *number < 2 || length <= room / 2
    });
    fitting.count()
}

fn write_first(text: &mut String, list: Value<'_>, count: usize) {
    let elements: Vec<_> = list.elements().take(count).map(Value::raw).collect();
    let _ = write!(text, "[{}]", elements.join(",\n  "));
}
