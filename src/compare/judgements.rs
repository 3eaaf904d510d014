//! Merges copies of a file of judgements, answer by answer: what people said about the same thing, as nobody can see in
//! its lines alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::{Map, Value, json};

use super::canonical::is_same_json;
use super::dialogs::NamedDialog;
use super::file_conflict::{Conflict, FileConflict, MergedFile, undecidable};
use super::list::Side;
use super::three::Three;
use super::tree::merged_json;
use crate::corpus::JudgementLines;
use crate::dialog::{Answer, Edit, Judgement, JudgementKey};
use crate::json::Parser;

/// A judgement in a file of them.
struct Line<'t> {
    judgement: Judgement,
    text: &'t str,
    /// With its end.
    range: Range<usize>,
}

impl Line<'_> {
    /// Returns the members that turnwise does not know.
    fn unknown(&self) -> Map<String, Value> {
        let mut members: Map<String, Value> = serde_json::from_str(self.text).unwrap_or_default();
        let known = serde_json::to_value(&self.judgement).unwrap_or_default();
        members.retain(|name, value| {
            let is_empty = value.is_null() || *value == json!("") || *value == json!([]);
            !is_empty && known.get(name).is_none() && !TIMES.contains(&name.as_str())
        });
        members
    }
}

/// The judgements of a file.
struct Lines<'t> {
    /// The last line of each key, which counts.
    by_key: BTreeMap<JudgementKey, Line<'t>>,
    /// The keys in the order of the lines, with their first bytes.
    keys: Vec<(JudgementKey, usize)>,
    /// The lines that are not judgements.
    others: Vec<&'t str>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let read = JudgementLines::read(text.as_bytes());
        let range = |start: usize| {
            let end = text[start..].find('\n');
            start..end.map_or(text.len(), |end| start + end + 1)
        };
        let (mut by_key, mut keys) = (BTreeMap::new(), Vec::new());
        for (judgement, start) in read.judgements.into_iter().zip(read.starts) {
            let key = judgement.key();
            let range = range(start);
            keys.push((key.clone(), start));
            let text = text[range.clone()].trim_end();
            let line = Line { judgement, text, range };
            by_key.insert(key, line);
        }
        let others = read.broken.iter().map(|line| text[range(line.at)].trim_end());
        let others = others.collect();
        Self { by_key, keys, others }
    }

    /// Returns the first byte of the line before which one of this key belongs; None if that is the end.
    fn place_of(&self, key: &JudgementKey) -> Option<usize> {
        let place = self.keys.partition_point(|(other, _)| other < key);
        self.keys.get(place).map(|(_, start)| *start)
    }
}

/// A judgement of one copy, if it has it.
type Copy<'l, 't> = Option<&'l Line<'t>>;

/// True if both say the same, whenever that was, also in members that turnwise does not know.
fn is_same(one: Copy<'_, '_>, other: Copy<'_, '_>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            one.text == other.text
                || one.judgement.repeats(&other.judgement)
                    && is_same_json(&timeless(one.text), &timeless(other.text))
        }
        (None, None) => true,
        _ => false,
    }
}

/// The members that do not matter where two answers are compared.
const TIMES: [&str; 2] = ["when", "seconds"];

/// Returns a judgement without its times.
fn timeless(line: &str) -> String {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(line) else {
        return line.to_owned();
    };
    let is_time = |key: &str| TIMES.contains(&key);
    let members = tree.root().members();
    let others = members.filter(|(key, _)| !key.as_str().is_some_and(|key| is_time(&key)));
    let others: Vec<_> =
        others.map(|(key, value)| format!("{}: {}", key.raw(), value.raw())).collect();
    format!("{{{}}}", others.join(", "))
}

/// Returns the line that has the changes of both sides; None if they cannot both be: there is one answer, and one value of
/// each member.
fn joined_lines(was: Copy<'_, '_>, mine: &Line<'_>, other: &Line<'_>) -> Option<String> {
    let is_ours = was.is_some_and(|was| was.judgement.repeats(&mine.judgement));
    // The one that has changed the answer has its times.
    let (kept, taken) = if is_ours { (other, mine) } else { (mine, other) };
    let base = was.map_or_else(|| "{}".to_owned(), |was| timeless(was.text));
    let text = merged_json(&base, kept.text, &timeless(taken.text))?;
    let judgement: Judgement = serde_json::from_str(&text).ok()?;
    let mut sides = [kept, taken].into_iter();
    let is_of_side = sides.any(|side| judgement.repeats(&side.judgement));
    is_of_side.then_some(text)
}

/// Returns what ours is to have of a judgement, None for nothing, or the conflict that it is without `decided`.
fn merged_line(
    copies: [Copy<'_, '_>; 3],
    decided: Option<Side>,
) -> Result<Option<String>, Box<FileConflict>> {
    let text = |line: Copy<'_, '_>| line.map(|line| line.text.to_owned());
    let [was, mine, other] = copies;
    if is_same(was, other) || is_same(mine, other) {
        // Another time of the same answer.
        let is_untouched = text(was) == text(mine) && mine.is_some() && other.is_some();
        return Ok(text(if is_untouched { other } else { mine }));
    }
    if is_same(was, mine) {
        return Ok(text(other));
    }
    let joined = mine.zip(other);
    if let Some(joined) = joined.and_then(|(mine, other)| joined_lines(was, mine, other)) {
        return Ok(Some(joined));
    }
    match decided {
        None => Err(Box::new(conflict(was, mine, other))),
        Some(Side::Theirs) => Ok(text(other)),
        Some(_) => Ok(text(mine)),
    }
}

/// Returns `ours` with the judgements that `theirs` has changed since `base`. Where both have, ours stays unless
/// `decided` says otherwise; without that, the conflict is listed.
pub fn merge_judgements(
    [base, ours, theirs]: [&str; 3],
    decided: Option<Side>,
) -> (String, MergedFile) {
    let [base, own, new] = [base, ours, theirs].map(Lines::of);
    let mut merged = MergedFile::default();
    let mut dialogs = BTreeSet::new();
    // What is put at a byte of ours, and how much of ours it replaces.
    let mut changes: BTreeMap<usize, (String, Range<usize>)> = BTreeMap::new();
    let mut end = String::new();
    // A broken line of theirs stays out, as the file would be less valid with it; what seems removed may be in it.
    let is_known = |line: &&str| own.others.contains(line) || base.others.contains(line);
    let broken: Vec<&str> = new.others.iter().copied().filter(|line| !is_known(line)).collect();
    let keys: BTreeSet<&JudgementKey> = base.by_key.keys().chain(new.by_key.keys()).collect();
    for key in keys {
        let copies @ [_, mine, other] = [&base, &own, &new].map(|lines| lines.by_key.get(key));
        if other.is_none() && !broken.is_empty() {
            continue;
        }
        let line = match merged_line(copies, decided) {
            Ok(line) => line,
            Err(conflict) => {
                merged.conflicts.push(*conflict);
                continue;
            }
        };
        if line.as_deref() == mine.map(|mine| mine.text) {
            continue;
        }
        dialogs.insert(key.dialog.as_str());
        match (mine, line) {
            (Some(mine), line) => {
                let line_end = &ours[mine.range.start + mine.text.len()..mine.range.end];
                let text = line.map(|line| line + line_end);
                let change = changes.entry(mine.range.start).or_default();
                change.0.push_str(&text.unwrap_or_default());
                change.1 = mine.range.clone();
            }
            (None, Some(line)) => {
                let text = match own.place_of(key) {
                    Some(at) => &mut changes.entry(at).or_insert((String::new(), at..at)).0,
                    None => &mut end,
                };
                text.push_str(&line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    merged.changed = dialogs.len();
    let listed = broken.into_iter().filter(|_| decided != Some(Side::Ours));
    merged.conflicts.extend(listed.map(|line| {
        let theirs = Some(crate::text::quoted(line));
        let conflict = Conflict::new("line", Three::new(None, None, theirs));
        undecidable(NamedDialog::default(), false, conflict)
    }));
    let mut text = String::with_capacity(ours.len() + end.len());
    let mut at = 0;
    for (start, (new, replaced)) in changes {
        text.push_str(&ours[at..start]);
        text.push_str(&new);
        at = replaced.end;
    }
    text.push_str(&ours[at..]);
    if !end.is_empty() && !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    (text + &end, merged)
}

fn conflict(was: Copy<'_, '_>, own: Copy<'_, '_>, new: Copy<'_, '_>) -> FileConflict {
    let unknown = |line: Copy<'_, '_>| line.map(Line::unknown).unwrap_or_default();
    let all: Vec<_> = [was, own, new].into_iter().flatten().map(Line::unknown).collect();
    let said = |line: Copy<'_, '_>| {
        line.map(|line| {
            let differ = |(name, value): &(String, Value)| {
                all.iter().any(|members| members.get(name) != Some(value))
            };
            let more = line.unknown().into_iter().filter(differ);
            let more = more.map(|(name, value)| format!("; {name}: {value}"));
            said(&line.judgement) + &more.collect::<String>()
        })
    };
    // A judgement that says nothing is withdrawn. No edit sets members that turnwise does not know.
    let edits = |line: Copy<'_, '_>| {
        if line.is_some() && unknown(line) != unknown(own) {
            return Vec::new();
        }
        let one = [line, own, was].into_iter().flatten().next();
        let judgement = one.map(|one| one.judgement.clone()).unwrap_or_default();
        let judgement = match line {
            Some(_) => judgement,
            None => Judgement { value: None, note: String::new(), tags: Vec::new(), ..judgement },
        };
        let judgement = Box::new(judgement);
        vec![Edit::Judge { judgement }]
    };
    let of = [own, new].into_iter().flatten().next();
    let of = of.map(|line| &line.judgement);
    FileConflict {
        dialog: NamedDialog { position: 0, id: of.map(|of| of.dialog.clone()).unwrap_or_default() },
        is_ours: false,
        conflict: Conflict {
            turn: of.and_then(|of| of.place.turn),
            ..Conflict::new("judgement", Three::new(said(was), said(own), said(new)))
        },
        theirs: edits(new),
        both: Vec::new(),
        base: match was {
            Some(_) => edits(was),
            None => Vec::new(),
        },
    }
}

/// Returns a judgement in short: `mk: success: yes, "a note"`.
fn said(judgement: &Judgement) -> String {
    let mut said = vec![judgement.by.clone()];
    said.extend(Some(judgement.question.clone()).filter(|question| !question.is_empty()));
    let value = judgement.value.as_ref().map(Answer::to_string);
    let tags = judgement.tags.iter().map(|tag| format!("#{tag}"));
    let note = Some(&judgement.note).filter(|note| !note.is_empty());
    let note = note.map(|note| crate::text::quoted(note));
    let all: Vec<String> = value.into_iter().chain(tags).chain(note).collect();
    said.push(all.join(" "));
    said.join(": ")
}

/// Returns what `made` says otherwise than `right`, in short; answers in `conflicts` may be as they are.
pub fn judgement_differences(
    [right, made]: [&str; 2],
    conflicts: &[FileConflict],
) -> Vec<[Option<String>; 2]> {
    let [right, made] = [right, made].map(Lines::of);
    let decided = conflicts.iter().flat_map(|of| &of.theirs);
    let decided: BTreeSet<JudgementKey> = decided
        .filter_map(|edit| match edit {
            Edit::Judge { judgement } => Some(judgement.key()),
            _ => None,
        })
        .collect();
    let keys: BTreeSet<&JudgementKey> = right.by_key.keys().chain(made.by_key.keys()).collect();
    let open = keys.into_iter().filter(|key| !decided.contains(key));
    let both = open.map(|key| [right.by_key.get(key), made.by_key.get(key)]);
    let differing = both.filter(|[one, other]| !is_same(*one, *other));
    let place = |line: &Line<'_>| {
        let turn = line.judgement.place.turn;
        let turn = turn.map_or(String::new(), |turn| format!(", turn {turn}"));
        let said = said(&line.judgement);
        format!("dialog {}{turn}, {said}", line.judgement.dialog)
    };
    differing.map(|both| both.map(|line| line.map(place))).collect()
}
