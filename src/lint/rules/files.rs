//! Rules on files: their JSON, their schema, and what several dialogs share.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::ops::Range;

use foldhash::quality::FixedState;
use foldhash::{HashMap, HashMapExt as _, HashSet};
use twox_hash::XxHash3_64;

use crate::dialog::{Dialog, Extent, Issue, IssueKind, LineAgain};
use crate::json::Value;
use crate::lint::engine::{Applicability, Diagnostic, Findings, Selection, Severity, rules};
use crate::lint::facts::spans::{is_vote_label, mention_with_string_index};
use crate::lint::facts::{Location, Mention, Subject};
use crate::lint::repair::{cuts_word, offer_span};
use crate::text::{count, counted, quoted};

rules! {
    /// A dialog is not valid JSON.
    ///
    /// For example, a comma or bracket is missing, a string is not closed, or a number is malformed.
    /// turnwise cannot read such a dialog, and most programs reject the whole file. The other dialogs
    /// are still checked if each line of the file holds one dialog, and in most files that hold a list.
    ///
    /// `turnwise lint` then exits with code 2, as it does whenever something cannot be read, even if this
    /// rule is not selected. There is no fix. The message gives the line and column of the first character
    /// that does not fit; the mistake is often just before it.
    ///
    /// ```json bad
    /// [{"conversation_id": "d", "instruction_id": "i", "utterances": [
    ///    {"index": 0, "speaker": "USER", "text": "a table for four"}]},
    ///  {"conversation_id": "e", "instruction_id": "i", "utterances": [
    ///    {"index": 0 "speaker": "USER", "text": "two for Dune"}]}]
    /// ```
    ///
    /// ```json good
    /// [{"conversation_id": "d", "instruction_id": "i", "utterances": [
    ///    {"index": 0, "speaker": "USER", "text": "a table for four"}]},
    ///  {"conversation_id": "e", "instruction_id": "i", "utterances": [
    ///    {"index": 0, "speaker": "USER", "text": "two for Dune"}]}]
    /// ```
    "json-syntax": Error;

    /// A dialog does not match the schema of its format.
    ///
    /// A field is missing or has the wrong type, such as a number in place of a string or an object in
    /// place of a list. Programs that read the corpus fail there or silently skip the value.
    /// `turnwise schema` prints the schema.
    ///
    /// span-string-index reports offsets that are strings of digits, and vote-unknown-label reports
    /// votes with an unknown label.
    ///
    /// A field that is empty in each turn, as the ratings of a dialog that nobody has rated, is one problem.
    ///
    /// Usually there is no fix, because the right value is unknown. If the offsets of a segment are not
    /// numbers, the fix moves the segment to the text it quotes. This is safe if the quoted text occurs
    /// once, or if only one occurrence agrees with an offset that is a number; otherwise it is manual.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [
    ///   {"index": 0, "speaker": "USER", "text": 12}]}
    /// ```
    ///
    /// ```text good
    /// user: two for Dune
    /// ```
    "schema": Error => schema;

    /// An object contains the same key twice.
    ///
    /// Most readers keep the last value, some keep the first, and some reject the file, so what the
    /// corpus says depends on the reader.
    ///
    /// There is no fix, because only a person can tell which value is meant.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [
    ///   {"index": 0, "speaker": "USER", "text": "for two", "text": "for three"}]}
    /// ```
    ///
    /// ```text good
    /// user: for two
    /// ```
    "duplicate-key": Error => duplicate_key;

    /// Two dialogs have the same id.
    ///
    /// Annotations, splits and reports refer to dialogs by id. If two dialogs share an id, a join by id
    /// mixes them up, and a dialog may end up in both the training data and the test data. The usual
    /// cause is a file that was copied or appended to itself.
    ///
    /// Within a file, this is an error. If the other dialog is in another file, it is only a note, and only
    /// if both files are of the same family:
    ///
    /// * The texts are the same: samples, splits and later releases contain copies. A copy of a test dialog
    ///   in the training data is worth a look.
    /// * The texts differ, and the files are in one folder and in the same split, as a translation
    ///   (`human_val.json`) beside its original (`val.json`). In other folders, and in other splits (`train`,
    ///   `dev` and `test` in the names of files), corpora often start to count again, so nothing is reported.
    ///
    /// A corpus and its conversion to another family, or a dialog and the breakdown log with the votes on it,
    /// share ids on purpose. The ids of chats with tool calls often number the tasks of a test, so in other
    /// files they are compared only if the texts are the same.
    ///
    /// The lines of several sessions may take turns in a file of Claude Code; then each session is in several parts, and these
    /// share its id.
    ///
    /// There is no fix, because only a person can decide which dialog to remove or rename.
    ///
    /// ```json bad
    /// [{"conversation_id": "d", "instruction_id": "i", "utterances": [
    ///    {"index": 0, "speaker": "USER", "text": "two for Dune"}]},
    ///  {"conversation_id": "d", "instruction_id": "i", "utterances": [
    ///    {"index": 0, "speaker": "USER", "text": "a table for four"}]}]
    /// ```
    ///
    /// ```json good
    /// [{"conversation_id": "d", "instruction_id": "i", "utterances": [
    ///    {"index": 0, "speaker": "USER", "text": "two for Dune"}]},
    ///  {"conversation_id": "e", "instruction_id": "i", "utterances": [
    ///    {"index": 0, "speaker": "USER", "text": "a table for four"}]}]
    /// ```
    "duplicate-dialog-id": Error;

    /// A dialog begins with the first line of another one.
    ///
    /// Programs copy the lines of a session into a new file when it is resumed or forked. Each file is a dialog of its own
    /// with another id, so the turns that both have are counted, judged and exported twice. Lines are compared by their
    /// ids (`uuid` in Claude Code); the first dialog that has the line is named.
    ///
    /// There is no fix, because only a person can decide which dialog counts; `turnwise.ignores.jsonl` excludes others.
    ///
    /// ```json bad
    /// {"type": "user", "sessionId": "s", "uuid": "e1", "message": {"role": "user", "content": "when is high tide?"}}
    /// {"type": "user", "sessionId": "t", "uuid": "e1", "message": {"role": "user", "content": "when is high tide?"}}
    /// ```
    ///
    /// ```json good
    /// {"type": "user", "sessionId": "s", "uuid": "e1", "message": {"role": "user", "content": "when is high tide?"}}
    /// {"type": "user", "sessionId": "t", "uuid": "e2", "message": {"role": "user", "content": "when is high tide?"}}
    /// ```
    "shared-beginning": Note;

    /// A line of a session has the id of an earlier one.
    ///
    /// Programs write the history again, for example after it was shortened. A line that says the same as the earlier one
    /// is read once, and reported as a note, a run of such lines once. If it says something else, both are turns, and
    /// one of them has the wrong id or was changed.
    ///
    /// There is no fix, because lines of sessions name each other.
    ///
    /// ```json bad
    /// {"type": "user", "sessionId": "s", "uuid": "e1", "message": {"role": "user", "content": "when is high tide?"}}
    /// {"type": "user", "sessionId": "s", "uuid": "e1", "message": {"role": "user", "content": "when is low tide?"}}
    /// ```
    ///
    /// ```json good
    /// {"type": "user", "sessionId": "s", "uuid": "e1", "message": {"role": "user", "content": "when is high tide?"}}
    /// {"type": "assistant", "sessionId": "s", "uuid": "e2", "message": {"role": "assistant", "content": "at two"}}
    /// ```
    "line-repeated": Warning => line_repeated;
}

fn schema(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut unfilled = Unfilled::of(subject);
    for issue in subject.issues {
        if mention_with_string_index(subject, issue).is_some() || is_vote_label(subject, issue) {
            continue;
        }
        let field = empty_field(issue).filter(|field| unfilled.fields.contains_key(field));
        if let Some(field) = field {
            let turns = subject.dialog.turns.len();
            if unfilled.is_first(field) {
                let message = format!("`{field}` is empty in all {turns} turns");
                found.add(subject.location(), message);
            }
            continue;
        }
        let mut location = subject.location_in(issue.at);
        location.turn = location.turn.or(issue.turn);
        let diagnostic = found.add(location, issue.problem.to_string());
        if let (IssueKind::Wrong { field, .. }, Some(turn), Some(segment)) =
            (&issue.problem, location.turn, location.segment)
            && matches!(*field, "start_index" | "end_index")
            && let Some(mention) = subject.mentions_of(turn).get(segment)
        {
            offer_places(diagnostic, subject, mention);
        }
    }
}

/// The fields that are empty in each turn, as the ratings of a dialog that nobody has rated: one problem.
struct Unfilled {
    /// Each with true if it has been reported.
    fields: HashMap<&'static str, bool>,
}

impl Unfilled {
    fn of(subject: &Subject<'_>) -> Self {
        let mut turns: HashMap<&'static str, HashSet<usize>> = HashMap::new();
        for issue in subject.issues {
            if let (Some(field), Some(turn)) = (empty_field(issue), issue.turn) {
                turns.entry(field).or_default().insert(turn);
            }
        }
        let all = subject.dialog.turns.len();
        turns.retain(|_, turns| all > 1 && turns.len() == all);
        let fields = turns.into_keys().map(|field| (field, false)).collect();
        Self { fields }
    }

    /// True if the field has not been reported yet; from then on it has.
    fn is_first(&mut self, field: &'static str) -> bool {
        self.fields.insert(field, true) == Some(false)
    }
}

/// Returns the field of a turn that an issue finds empty.
fn empty_field(issue: &Issue) -> Option<&'static str> {
    match issue.problem {
        IssueKind::Wrong { field, ref found, .. } if found == "\"\"" => Some(field),
        _ => None,
    }
}

/// The largest number of places of a quoted text to offer.
const PLACES: usize = 4;

/// The longest turn, in bytes, in which the quoted text is searched for.
const LONGEST: usize = 1 << 15;

/// Offers to move a segment without a valid span to its quoted text.
fn offer_places(diagnostic: &mut Diagnostic, subject: &Subject<'_>, mention: &Mention<'_>) {
    let quote = mention.of.exact_quote().unwrap_or_default();
    // An unlimited number of places would not show which one is meant.
    if mention.of.span.is_some() || quote.trim().is_empty() || mention.said.len() > LONGEST {
        return;
    }
    let length = count(quote) as u64;
    let offset = |key: &str| {
        let segment = subject.tree.value_at(mention.of.at.start)?;
        segment.get(key)?.as_integer()
    };
    let (start, end) = (offset("start_index"), offset("end_index"));
    let said = mention.said;
    let places = said.match_indices(quote).map(|(at, _)| at..at + quote.len());
    let mut places: Vec<_> = places.filter(|place| !cuts_word(said, place)).collect();
    let fits = |place: &Range<usize>| {
        let from = count(&said[..place.start]) as u64;
        let is = |number: Option<i64>, at: u64| number == i64::try_from(at).ok();
        is(start, from) || is(end, from + length)
    };
    let fitting = places.iter().filter(|place| fits(place)).count();
    let sure = places.len() == 1 || fitting == 1;
    places.sort_by_key(|place| !fits(place));
    for (rank, place) in places.into_iter().take(PLACES).enumerate() {
        let applicability =
            if sure && rank == 0 { Applicability::Safe } else { Applicability::Display };
        offer_span(diagnostic, mention, place, applicability);
    }
}

fn duplicate_key(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for object in subject.tree.objects() {
        if !may_repeat(object) {
            continue;
        }
        for (key, first) in repeated_keys(object) {
            let at = key.range();
            let at = Extent { start: at.start, end: at.end };
            let name = key.as_str().unwrap_or_default();
            let message = if first {
                format!("duplicate key {}; most readers keep only its last value", quoted(&name))
            } else {
                format!("another duplicate of key {}", quoted(&name))
            };
            found.add(subject.location_in(at), message);
        }
    }
}

/// Objects with more members than this are always compared in full. Only API responses have so many.
const FEW: usize = 16;

/// False if an object certainly has no duplicate key. Fast, because it compares only signatures.
fn may_repeat(object: Value<'_>) -> bool {
    let mut seen = [0_u64; FEW];
    for (place, (key, _)) in object.members().enumerate() {
        // A key with escapes may be equal to a key without.
        if place == FEW || key.escaped_str().is_some() {
            return true;
        }
        let signature = signature(key.quoted().as_bytes());
        if seen[..place].contains(&signature) {
            return true;
        }
        seen[place] = signature;
    }
    false
}

/// Returns the length of a key combined with its last eight bytes, or with all bytes of a shorter key.
fn signature(key: &[u8]) -> u64 {
    let tail = match (key.last_chunk::<8>(), key.first_chunk::<4>()) {
        (Some(tail), _) => u64::from_le_bytes(*tail),
        (None, Some(head)) => {
            let tail = key.last_chunk::<4>().unwrap_or(head);
            u64::from(u32::from_le_bytes(*head)) << 32 | u64::from(u32::from_le_bytes(*tail))
        }
        (None, None) => key.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)),
    };
    tail ^ (key.len() as u64).rotate_right(8)
}

/// Returns the repeated keys of an object, each with whether it is the first repetition.
fn repeated_keys<'a>(object: Value<'a>) -> Vec<(Value<'a>, bool)> {
    let mut times = HashMap::new();
    let again = |(key, _): (Value<'a>, Value<'a>)| {
        let times = times.entry(key.as_str().unwrap_or_default()).or_insert(0);
        *times += 1;
        (*times > 1).then_some((key, *times == 2))
    };
    object.members().filter_map(again).collect()
}

/// Finds dialogs with the id of an earlier one, and those that begin with its line; the caller reads the dialogs. Returns
/// the position of each in `all` with the problem. `name` returns the name of a file.
pub fn duplicates<'k>(
    all: impl Iterator<Item = KnownDialog<'k>> + Clone,
    name: impl Fn(usize) -> String,
    selection: &Selection,
) -> Vec<(usize, Diagnostic)> {
    let mut found = repeated_ids(all.clone(), &name, selection);
    found.extend(shared_beginnings(all, &name, selection));
    found
}

/// The facts about a dialog that these rules need.
#[derive(Clone, Copy, Debug)]
pub struct KnownDialog<'k> {
    /// A number that identifies its file.
    pub file: usize,
    /// Its position in the file.
    pub dialog: usize,
    /// Not empty.
    pub id: &'k str,
    /// See [`text_hash`].
    pub text_hash: u64,
    /// The name of its family.
    pub family: &'static str,
    /// True if ids of its family name dialogs of one file, such as the tasks that several agents were given.
    pub local: bool,
    /// True if a dialog of its family may be in several parts of its file.
    pub parted: bool,
    /// The id of the line of its first turn; empty if it has none.
    pub first_line: &'k str,
}

/// Finds dialogs with the id of an earlier one; iterates `all` twice.
fn repeated_ids<'k>(
    all: impl Iterator<Item = KnownDialog<'k>> + Clone,
    name: impl Fn(usize) -> String,
    selection: &Selection,
) -> Vec<(usize, Diagnostic)> {
    let Some(rule) = selection.selected("duplicate-dialog-id") else {
        return Vec::new();
    };
    // Hardly any of millions of ids occur twice, so only those that do are kept.
    let twice = repeated_hashes(all.clone().map(|known| id_hash(&known)));
    let mut parts = Parts::default();
    let mut seen: HashMap<(&str, Among), KnownDialog<'k>> = HashMap::new();
    let mut found = Vec::new();
    let twice = all.enumerate().filter(|(_, known)| twice.contains(&id_hash(known)));
    for (place, again) in twice {
        let (id, family) = (again.id, again.family);
        let in_file = Among::File(again.file);
        let copies = Among::Copies(family, again.text_hash);
        let part = || Among::Part(family, parts.of(again.file, &name));
        let in_part = (!again.local).then(part);
        let all = [Some(in_file), Some(copies), in_part];
        let first = all.iter().flatten().find_map(|among| {
            let first = seen.get(&(id, *among))?;
            let is_copy = matches!(among, Among::Copies(..));
            let is_part = again.parted && first.file == again.file && !is_copy;
            (!is_part).then_some((*among, first.dialog, first.file))
        });
        for among in all.into_iter().flatten() {
            seen.entry((id, among)).or_insert(again);
        }
        let Some((among, number, file)) = first else {
            continue;
        };
        let (message, most) = match among {
            Among::File(_) => {
                (format!("dialog {number} also has the id \"{id}\""), Severity::Error)
            }
            Among::Copies(..) => {
                let file = name(file);
                let message =
                    format!("dialog {number} of {file} has the same id \"{id}\" and the same text");
                (message, Severity::Note)
            }
            Among::Part(..) => {
                let file = name(file);
                let message = format!("dialog {number} of {file} also has the id \"{id}\"");
                (message, Severity::Note)
            }
        };
        let problem = rule.at_most(most).problem(Location::default(), message);
        found.push((place, problem));
    }
    found
}

/// Dialogs among which ids are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Among {
    /// Those of a file.
    File(usize),
    /// Those of a family that have the same text, by its hash.
    Copies(&'static str, u64),
    /// Those of a family that are in one part of a corpus.
    Part(&'static str, usize),
}

/// The parts of corpora: files in one folder that belong to the same split.
#[derive(Default)]
struct Parts {
    of_files: HashMap<usize, usize>,
    known: HashMap<(String, Option<&'static str>), usize>,
}

impl Parts {
    /// Returns the part that a file belongs to.
    fn of(&mut self, file: usize, name: impl Fn(usize) -> String) -> usize {
        let known = &mut self.known;
        *self.of_files.entry(file).or_insert_with(|| {
            let path = name(file);
            let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", &path));
            let (count, key) = (known.len(), (folder.to_owned(), split_of(name)));
            *known.entry(key).or_insert(count)
        })
    }
}

/// The splits of corpora, each with the words by which names of files say it.
const SPLITS: [(&str, &[&str]); 3] = [
    ("train", &["train", "training"]),
    ("dev", &["dev", "devel", "val", "valid", "validation"]),
    ("test", &["test", "testing"]),
];

/// Returns the split that the name of a file says.
fn split_of(name: &str) -> Option<&'static str> {
    let mut words = name.split(|c: char| !c.is_ascii_alphabetic());
    words.find_map(|word| {
        let is = |known: &&str| word.eq_ignore_ascii_case(known);
        let split = SPLITS.iter().find(|(_, words)| words.iter().any(is));
        split.map(|(split, _)| *split)
    })
}

/// Returns a hash of the id and the family: duplicates have equal hashes.
fn id_hash(known: &KnownDialog<'_>) -> u64 {
    let family = XxHash3_64::oneshot(known.family.as_bytes());
    XxHash3_64::oneshot_with_seed(family, known.id.as_bytes())
}

/// Returns the hashes that occur more than once.
fn repeated_hashes(hashes: impl Iterator<Item = u64>) -> HashSet<u64> {
    let mut hashes: Vec<u64> = hashes.collect();
    hashes.sort_unstable();
    let pairs = hashes.windows(2).filter(|pair| pair[0] == pair[1]);
    pairs.map(|pair| pair[0]).collect()
}

/// Returns a hash of the texts of a dialog, turn by turn.
pub fn text_hash(dialog: &Dialog) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    for turn in &dialog.turns {
        turn.text.hash(&mut hasher);
    }
    hasher.finish()
}

/// Finds dialogs that begin with the line of an earlier one.
fn shared_beginnings<'k>(
    all: impl Iterator<Item = KnownDialog<'k>>,
    name: impl Fn(usize) -> String,
    selection: &Selection,
) -> Vec<(usize, Diagnostic)> {
    let Some(rule) = selection.selected("shared-beginning") else {
        return Vec::new();
    };
    let mut seen: HashMap<(&str, &str), KnownDialog<'k>> = HashMap::new();
    let mut found = Vec::new();
    for (place, again) in all.enumerate().filter(|(_, known)| !known.first_line.is_empty()) {
        let first = *seen.entry((again.family, again.first_line)).or_insert(again);
        // The other rule names those that have the same id.
        if first.id == again.id {
            continue;
        }
        let KnownDialog { dialog, id, .. } = first;
        let file = name(first.file);
        let message = format!("begins with the lines of dialog {dialog} of {file}, \"{id}\"");
        found.push((place, rule.problem(Location::default(), message)));
    }
    found
}

fn line_repeated(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let goes_on = |one: &LineAgain, next: &LineAgain| {
        one.turn.is_none() && next.turn.is_none() && next.first == one.first + 1
    };
    for run in subject.dialog.lines.again.chunk_by(goes_on) {
        let LineAgain { at, first, turn } = run[0];
        let location = Location { turn, at, ..Location::default() };
        match (turn, run.len()) {
            (Some(_), _) => {
                let message =
                    format!("has the same id as the line of turn {first}, but different content");
                found.add(location, message);
            }
            (None, 1) => {
                let message =
                    format!("repeats the line of turn {first}; turnwise reads it only once");
                found.add_at_most(Severity::Note, location, message);
            }
            (None, count) => {
                let lines = counted(count, "line");
                let message = format!(
                    "{lines} from here on repeat those from turn {first} on; turnwise reads them only once"
                );
                found.add_at_most(Severity::Note, location, message);
            }
        }
    }
}
