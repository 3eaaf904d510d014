//! Round trips: what is exported and imported unedited proposes nothing, and edited exactly what the annotator
//! did, whatever the format, the query, the split and the corpus are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::{Value, json};
use turnwise::corpus::CorpusFile;
use turnwise::dialog::{Dialog, Edit, EditKind, Segment, Turn};
use turnwise::export::{Split, is_xml};
use turnwise::format::EditGroup;
use turnwise::import::{self, ImportTexts, dialogs, differences};
use turnwise::query::Query;
use turnwise::text::Units;

use super::exchanged::{
    Corpus, EXCHANGES, Exchange, Habits, Mark, MarkedTurn, marked, texts, written,
};
use crate::support::amount;
use crate::support::files::{indexed, neighbours, own_files, real_files, say};
use crate::support::random::Random;

#[rustfmt::skip]
const QUERIES: [&str; 12] = [
    "words>5", "words<4", "speaker:user", "not speaker:user", "label:*", "not label:*", "label:date", "a",
    "dialog(words>8)", "label:*name* or label:num", "speaker:user then speaker:system", "not e",
];

#[rustfmt::skip]
const WORDS: [&str; 16] = [
    "two", "for", "Dune", "at", "nine", "🍿", "👩‍👩‍👧", "e\u{301}te\u{301}", "ẞ", "\u{2028}", "\r\n", "a\tb", "\"x\"", "世界",
    "<&>", "\u{7}",
];

const LABELS: [&str; 10] =
    ["date", "num", "name.movie", "x y", " é", "<b>&\"", "世界", "date", "a\nb", "🍿"];

/// Labels that XML cannot hold.
const UNHELD: [&str; 3] = ["num\u{1}x", "\u{b}", "\u{fffe}"];

/// A dialog in the form of Taskmaster-3, with segments in every state.
fn taskmaster(dice: &mut Random, number: u64) -> Value {
    let mut utterances = Vec::new();
    for index in 0..dice.below(5) {
        let words: Vec<_> = (0..dice.below(9)).map(|_| dice.one_of(&WORDS)).collect();
        let text = words.join(" ");
        let length = text.chars().count();
        let mut segments: Vec<Value> = Vec::new();
        for _ in 0..dice.below(6) {
            if let Some(last) = segments.last().filter(|_| dice.below(5) == 0) {
                segments.push(last.clone());
                continue;
            }
            let start = dice.position(length);
            let end = match dice.below(12) {
                0 => start,
                1 => start + length + 1,
                _ => start + 1 + dice.position(length - start),
            };
            let labels = (0..dice.below(4)).map(|_| match dice.below(12) {
                0 => "",
                1 => dice.one_of(&UNHELD),
                _ => dice.one_of(&LABELS),
            });
            let labels: Vec<_> = labels.map(|label| json!({"name": label})).collect();
            let mut segment =
                json!({"start_index": start, "end_index": end, "text": "", "annotations": labels});
            if let Some(at) = segments.last().filter(|_| dice.below(4) == 0) {
                segment["start_index"] = at["start_index"].clone();
                segment["end_index"] = at["end_index"].clone();
            }
            segments.push(segment);
        }
        let speaker = dice.one_of(&["user", "assistant"]);
        utterances
            .push(json!({"index": index, "speaker": speaker, "text": text, "segments": segments}));
    }
    let id = if dice.below(4) == 0 { "d0".to_owned() } else { format!("d{number}") };
    json!({"conversation_id": id, "vertical": "Movie Tickets", "utterances": utterances})
}

/// A dialog in the form of sim-M, whose spans count tokens.
fn simulated(dice: &mut Random, number: u64) -> Value {
    let mut utterance = || {
        let tokens: Vec<_> = (0..=dice.below(6)).map(|_| dice.one_of(&WORDS)).collect();
        let text = tokens.join(" ");
        let slots = (0..dice.below(4)).map(|_| {
            let start = dice.position(tokens.len());
            let beyond = usize::from(dice.below(12) == 0) * 9;
            let end = start + 1 + dice.position(tokens.len() - start) + beyond;
            json!({"slot": dice.one_of(&LABELS), "start": start, "exclusive_end": end})
        });
        let slots: Vec<_> = slots.collect();
        json!({"text": text, "tokens": tokens, "slots": slots})
    };
    let turns = (0..3).map(|_| {
        json!({"system_acts": [], "system_utterance": utterance(), "user_acts": [], "user_intents": [],
            "user_utterance": utterance(), "dialogue_state": []})
    });
    let turns: Vec<_> = turns.collect();
    json!({"dialogue_id": format!("s{number}"), "turns": turns})
}

fn opened(name: String, bytes: Vec<u8>) -> Option<Corpus> {
    let index = indexed(&bytes);
    let file = CorpusFile::new(bytes, index);
    file.format()?;
    Some(Corpus { name, positions: (0..file.index().pieces.len()).collect(), file })
}

fn generated(dice: &mut Random) -> Corpus {
    let dialogs = 1 + dice.below(4);
    let is_simulated = dice.below(4) == 0;
    let form = if is_simulated { simulated } else { taskmaster };
    let dialogs = (0..dialogs).map(|number| form(dice, number));
    let dialogs: Value = dialogs.collect();
    opened("generated".into(), dialogs.to_string().into_bytes()).unwrap()
}

/// The files to draw from.
fn files() -> Vec<PathBuf> {
    let mut files = own_files();
    if let Some(real) = real_files("round trips") {
        files.extend(real);
        files.extend(neighbours("round trips").into_iter().flatten());
    }
    let is_small = |path: &PathBuf| path.metadata().is_ok_and(|data| data.len() < 1 << 20);
    files.retain(is_small);
    files
}

/// A corpus of which up to four dialogs in a row are exported.
fn drawn(files: &[PathBuf], dice: &mut Random) -> Corpus {
    if dice.below(2) == 0 {
        return generated(dice);
    }
    let path = &files[dice.position(files.len())];
    let corpus = opened(path.display().to_string(), std::fs::read(path).unwrap());
    let Some(mut corpus) = corpus else {
        return generated(dice);
    };
    let first = dice.position(corpus.positions.len());
    corpus.positions = corpus.positions.into_iter().skip(first).take(4).collect();
    let is_readable = |position: &usize| corpus.file.dialog(*position).is_ok();
    corpus.positions.retain(is_readable);
    corpus
}

/// A drawn export with its files.
struct Trip<'e> {
    exchange: &'e Exchange,
    corpus: Corpus,
    texts: Vec<ImportTexts>,
    about: String,
}

fn trip(seed: u64, files: &[PathBuf], dice: &mut Random) -> Trip<'static> {
    let corpus = drawn(files, dice);
    let exchange = &EXCHANGES[dice.position(EXCHANGES.len())];
    let query = (dice.below(3) > 0).then(|| dice.one_of(&QUERIES));
    let split = (dice.below(3) == 0).then_some("train=0.5,test=0.5");
    let about =
        format!("seed {seed}: {} of {}, {query:?}, {split:?}", exchange.export, corpus.name);
    let query: Option<Query> = query.map(|query| query.parse().unwrap());
    let split: Option<Split> = split.map(|split| split.parse().unwrap());
    let exported = corpus.export(exchange, query.as_ref(), split.as_ref(), seed);
    let is_csv = dice.below(2) == 0;
    let parts = split.as_ref().map_or(vec![""], Split::names);
    let texts = parts.into_iter().map(|part| texts(exchange, &exported, part, is_csv));
    Trip { exchange, texts: texts.collect(), corpus, about }
}

/// The edits that an import of a file proposes, by dialog.
fn proposed(trip: &Trip<'_>, texts: &ImportTexts) -> BTreeMap<usize, Vec<Edit>> {
    let format = import::named(trip.exchange.import).unwrap();
    let turns = (format.read)(texts, None).unwrap_or_else(|why| panic!("{}: {why:?}", trip.about));
    let mut edits: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
    for annotated in dialogs(turns, None).unwrap() {
        let position = annotated[0].place.position.unwrap();
        let dialog = trip.corpus.dialog(position);
        for turn in &annotated {
            let of_corpus = &dialog.turns[turn.place.turn];
            let found = differences(of_corpus, dialog.units, turn, format, &|_| true);
            let found = found.unwrap_or_else(|why| {
                let segments = &of_corpus.segments;
                panic!("{}: {why}: {turn:?} {segments:?}", trip.about)
            });
            edits.entry(position).or_default().extend(found);
        }
    }
    edits.retain(|_, edits| !edits.is_empty());
    edits
}

fn habits(dice: &mut Random) -> Habits {
    Habits {
        numbers: dice.below(2) == 0,
        shuffles: dice.below(2) == 0,
        other_form: dice.below(2) == 0,
    }
}

/// The places at which spans of a turn may begin and end, in code points.
struct Edges {
    starts: Vec<usize>,
    ends: Vec<usize>,
}

fn edges(turn: &Turn, units: Units) -> Edges {
    let points = |byte: usize| turn.text[..byte].chars().count();
    match units {
        Units::CodePoints => {
            let length = points(turn.text.len());
            Edges { starts: (0..length).collect(), ends: (1..=length).collect() }
        }
        Units::Tokens(_) => {
            let tokens = (0..turn.tokens.len() as u32).map(|token| {
                turn.bytes_of(turnwise::dialog::Span { start: token, end: token + 1 }, units)
            });
            let tokens: Vec<_> = tokens.filter(|bytes| !bytes.is_empty()).collect();
            Edges {
                starts: tokens.iter().map(|bytes| points(bytes.start)).collect(),
                ends: tokens.iter().map(|bytes| points(bytes.end)).collect(),
            }
        }
    }
}

impl Edges {
    fn span(&self, dice: &mut Random) -> Option<(usize, usize)> {
        let first = dice.position(self.starts.len());
        let start = *self.starts.get(first)?;
        let ends: Vec<_> = self.ends[first..].iter().filter(|end| **end > start).collect();
        Some((start, **ends.get(dice.position(ends.len()))?))
    }
}

/// Changes the marks of a turn as an annotator does.
fn annotate(turn: &mut MarkedTurn, edges: &Edges, takes_several: bool, dice: &mut Random) {
    let place = dice.position(turn.marks.len());
    // Labels of the turn are likely, so that marks become equal.
    let known: Vec<String> = turn.marks.iter().flat_map(|mark| mark.labels.clone()).collect();
    let label = match dice.below(2) {
        0 if !known.is_empty() => known[dice.position(known.len())].clone(),
        _ => dice.one_of(&LABELS).to_owned(),
    };
    let span = match turn.marks.get(dice.position(turn.marks.len())) {
        Some(mark) if dice.below(3) == 0 => Some((mark.start, mark.end)),
        _ => edges.span(dice),
    };
    let Some((start, end)) = span else {
        return;
    };
    let Some(mark) = turn.marks.get_mut(place).filter(|_| dice.below(4) > 0) else {
        let mut labels = vec![label];
        if takes_several && dice.below(3) == 0 && labels[0] != "num" {
            labels.push("num".to_owned());
        }
        turn.marks.push(Mark { start, end, labels, segment: None });
        return;
    };
    match dice.below(3) {
        0 => (mark.start, mark.end) = (start, end),
        1 => {
            let place = dice.position(mark.labels.len());
            mark.labels[place] = label;
            mark.labels.sort();
            mark.labels.dedup();
        }
        _ => {
            turn.marks.remove(place);
        }
    }
}

/// A span and a label.
type Visible = BTreeSet<(usize, usize, String)>;

/// Labels and whole segments of a turn that a file does not have.
#[derive(Debug, PartialEq)]
struct Kept {
    labels: Vec<String>,
    segments: Vec<Segment>,
}

fn seen(turn: &Turn, units: Units, exchange: &Exchange) -> (Visible, Kept) {
    let mut visible = Visible::new();
    let mut kept = Kept { labels: Vec::new(), segments: Vec::new() };
    let is_held = |label: &str| exchange.import != "label-studio" || is_xml(label);
    for segment in &turn.segments {
        let names = segment.labels.iter().map(|label| label.name.to_string());
        let names: Vec<_> = names.filter(|name| !name.is_empty()).collect();
        let span = segment.span.filter(|span| {
            span.end as usize <= turn.length(units) && !turn.bytes_of(*span, units).is_empty()
        });
        let Some(span) = span.filter(|_| !names.is_empty()) else {
            kept.segments.push(segment.clone());
            continue;
        };
        let bytes = turn.bytes_of(span, units);
        let points = |byte: usize| turn.text[..byte].chars().count();
        let (start, end) = (points(bytes.start), points(bytes.end));
        for name in names {
            if is_held(&name) {
                visible.insert((start, end, name));
            } else {
                kept.labels.push(name);
            }
        }
    }
    kept.labels.sort();
    (visible, kept)
}

/// Everything but segments, and acts that some corpora keep in the same element.
fn without_segments(dialog: &Dialog) -> Dialog {
    let mut dialog = dialog.clone();
    for turn in &mut dialog.turns {
        turn.segments.clear();
        turn.acts.clear();
    }
    dialog
}

/// Makes the edits of an import; false if the family does not take one of them, such as a label for which
/// it has no place.
fn make(trip: &mut Trip<'_>, proposed: BTreeMap<usize, Vec<Edit>>) -> bool {
    let format = trip.corpus.file.format().unwrap();
    let takes_any = format.name().starts_with("taskmaster") || format.name().starts_with("sim-");
    for (position, edits) in proposed {
        let groups: Vec<_> = edits
            .iter()
            .map(|edit| EditGroup { edits: std::slice::from_ref(edit), on: None })
            .collect();
        let made = trip.corpus.file.edit_all(position, &groups);
        for (edit, result) in edits.iter().zip(made.results) {
            if result.is_err() && !takes_any {
                return false;
            }
            assert!(result.is_ok(), "{}: {edit:?}: {result:?}", trip.about);
        }
    }
    true
}

/// Compares the dialogs after an import with the marks in its file, and everything else with the dialogs before.
fn assert_as_marked(trip: &Trip<'_>, before: &BTreeMap<usize, Dialog>, turns: &[MarkedTurn]) {
    let wanted = turns.iter().map(|turn| ((turn.dialog, turn.turn), turn));
    let wanted: BTreeMap<_, _> = wanted.collect();
    for (position, before) in before {
        let about = format!("{}, dialog {position}", trip.about);
        let after = trip.corpus.dialog(*position);
        assert_eq!(without_segments(before), without_segments(&after), "{about}");
        for (number, (before, now)) in before.turns.iter().zip(&after.turns).enumerate() {
            let about = format!("{about}, turn {number}");
            let Some(turn) = wanted.get(&(*position, number)) else {
                assert_eq!(before.segments, now.segments, "{about}");
                continue;
            };
            let marks = turn.marks.iter().flat_map(|mark| {
                let label = |label: &String| (mark.start, mark.end, label.clone());
                mark.labels.iter().map(label)
            });
            let (visible, kept) = seen(now, after.units, trip.exchange);
            assert_eq!(visible, marks.collect(), "{about}: {:?}", before.segments);
            let (_, kept_before) = seen(before, after.units, trip.exchange);
            assert_eq!(kept, kept_before, "{about}");
        }
    }
}

/// Checks that nothing is proposed for unedited files, also where another program has written them again.
fn propose_nothing(trip: &Trip<'_>, dice: &mut Random) {
    for texts in &trip.texts {
        let edits = proposed(trip, texts);
        assert!(edits.is_empty(), "{}: {edits:?}", trip.about);
        if !texts.is_csv {
            let mut turns = marked(trip.exchange, texts);
            let again = written(trip.exchange, &mut turns, &habits(dice), texts, dice);
            let edits = proposed(trip, &again);
            assert!(edits.is_empty(), "{}, written again: {edits:?}", trip.about);
        }
    }
}

#[test]
fn many_exports_of_real_corpora_come_back_as_the_annotator_left_them() {
    let files = files();
    let wanted = amount(150, 1000);
    let (mut edited, mut changed, mut refused) = (0, 0, 0);
    for seed in 0.. {
        if edited >= wanted && seed >= 2 * wanted {
            break;
        }
        let mut dice = Random(seed);
        let mut trip = trip(seed, &files, &mut dice);
        propose_nothing(&trip, &mut dice);
        let format = trip.corpus.file.format().unwrap();
        if edited >= wanted || !format.has().contains(&EditKind::Segments) {
            continue;
        }
        let takes_several =
            format.name().starts_with("taskmaster") && trip.exchange.import == "label-studio";
        for texts in trip.texts.clone().into_iter().filter(|texts| !texts.is_csv) {
            let positions = trip.corpus.positions.iter();
            let before: BTreeMap<usize, Dialog> =
                positions.map(|position| (*position, trip.corpus.dialog(*position))).collect();
            let mut turns = marked(trip.exchange, &texts);
            for turn in &mut turns {
                let dialog = &before[&turn.dialog];
                let edges = edges(&dialog.turns[turn.turn], dialog.units);
                for _ in 0..dice.below(3) * dice.below(3) {
                    annotate(turn, &edges, takes_several, &mut dice);
                }
            }
            let mut habits = habits(&mut dice);
            // The rows of a segment are together.
            habits.shuffles &= trip.exchange.import != "tables";
            let texts = written(trip.exchange, &mut turns, &habits, &texts, &mut dice);
            let proposed_edits = proposed(&trip, &texts);
            let count: usize = proposed_edits.values().map(Vec::len).sum();
            if !make(&mut trip, proposed_edits) {
                refused += 1;
                break;
            }
            edited += u64::from(count > 0);
            changed += count;
            assert_as_marked(&trip, &before, &turns);
            let again = proposed(&trip, &texts);
            assert!(again.is_empty(), "{}, imported twice: {again:?}", trip.about);
        }
    }
    say(&format!("{edited} edited files with {changed} edits, {refused} refused"));
}
