//! Edits of two people to the same few turns: nothing of either side is lost, and the sides of the conflicts add up.

use turnwise::compare::{ConflictLine, FileConflict, MergedFile, Side};
use turnwise::dialog::{Dialog, Edit};

use super::merges::{differing, merged_for, says_same, tries};
use crate::support::check::read;
use crate::support::edited_file::EditedFile as File;
use crate::support::files::{open, saved, say};
use crate::support::random::Random;

const BASE: &str = r#"[{"conversation_id":"a","utterances":[
{"index":0,"speaker":"USER","text":"A table for two in the harbour, please.","segments":[{"start_index":12,"end_index":15,"text":"two","annotations":[{"name":"guests"}]},{"start_index":23,"end_index":30,"text":"harbour","annotations":[{"name":"place"}]}]},
{"index":1,"speaker":"ASSISTANT","text":"The Anchor has one at seven or at half past nine.","segments":[{"start_index":4,"end_index":10,"text":"Anchor","annotations":[{"name":"name"}]},{"start_index":22,"end_index":27,"text":"seven","annotations":[{"name":"time"}]},{"start_index":34,"end_index":48,"text":"half past nine","annotations":[{"name":"time"}]}]},
{"index":2,"speaker":"USER","text":"Half past nine is late.","segments":[{"start_index":0,"end_index":14,"text":"Half past nine","annotations":[{"name":"time"}]}]},
{"index":3,"speaker":"USER","text":"Seven it is, then.","segments":[{"start_index":0,"end_index":5,"text":"Seven","annotations":[{"name":"time"}]}]},
{"index":4,"speaker":"ASSISTANT","text":"Booked."},
{"index":5,"speaker":"USER","text":"Thank you, that was quick."},
{"index":6,"speaker":"ASSISTANT","text":"My pleasure, enjoy your evening."}
]}]
"#;

fn base() -> File {
    open(BASE.as_bytes().to_vec())
}

/// A copy of the base with some random edits.
fn copy(random: &mut Random, side: &str, edit: Planned) -> (File, Vec<Edit>) {
    let mut file = base();
    let mut made = Vec::new();
    for number in 0..=random.position(4) {
        let word = format!("{side}{number}");
        let Some(edit) = edit(random, &read(&file, 0), &word) else {
            continue;
        };
        if file.edit(0, &edit) == Ok(true) {
            made.push(edit);
        }
    }
    (open(saved(&file)), made)
}

/// Returns a random edit of a dialog; new text is the given word.
type Planned = fn(&mut Random, &Dialog, &str) -> Option<Edit>;

/// An edit of the text or the segments of one of two turns.
fn within_turns(random: &mut Random, dialog: &Dialog, word: &str) -> Option<Edit> {
    let turn = random.position(2.min(dialog.turns.len()));
    let at = &dialog.turns[turn];
    let segment = random.position(at.segments.len());
    let labels = vec![word.to_owned()];
    Some(match random.position(7) {
        0 if !at.segments.is_empty() => Edit::SetLabels { turn, segment, labels },
        1 if !at.segments.is_empty() => Edit::RemoveSegment { turn, segment },
        2 if !at.segments.is_empty() => {
            let span = at.segments[segment].span?;
            Edit::SetSpan { turn, segment, start: span.start, end: span.end + 1 }
        }
        3 => {
            let start = random.position(at.text.chars().count()) as u32;
            Edit::AddSegment { turn, start, end: start + 1 + random.position(9) as u32, labels }
        }
        _ => Edit::SetText {
            turn,
            text: changed(random, &at.text, word),
            drop: true,
            shrink: random.position(2) == 0,
        },
    })
}

/// A text with a word more, another, or one less.
fn changed(random: &mut Random, text: &str, word: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    let at = random.position(words.len());
    match random.position(3) {
        0 => words.insert(at, word),
        1 => words[at] = word,
        _ if words.len() > 1 => drop(words.remove(at)),
        _ => words.push(word),
    }
    words.join(" ")
}

fn merged(ours: &File, theirs: &File, decided: Option<Side>) -> (File, MergedFile) {
    merged_for(&base(), ours, theirs, decided)
}

/// Decides all conflicts of a merged file for their side, one after the other, as on the screen.
fn decided(merged: &File, conflicts: &[FileConflict]) -> File {
    let mut file = open(saved(merged));
    let before = read(&file, 0);
    let mut made = Vec::new();
    for conflict in conflicts {
        let line = ConflictLine::from(conflict.clone());
        let now = line.carried_by(&before, &made, &read(&file, 0));
        for edit in now.edits {
            file.edit(0, &edit).unwrap();
            made.push(edit);
        }
    }
    file
}

#[test]
fn conflicts_decided_one_by_one_for_a_side_are_a_merge_for_that_side_of_many_copies() {
    let (mut all, mut undecidable) = (0, 0);
    for seed in 0..tries() as u64 {
        let random = &mut Random(seed);
        let (ours, mine) = copy(random, "ours", of_anything);
        let (theirs, others) = copy(random, "theirs", of_anything);
        let (file, found) = merged(&ours, &theirs, None);
        let told = || format!("{seed}: {mine:#?}\nand {others:#?}\n{:#?}", found.conflicts);
        assert!(says_same(&merged(&ours, &theirs, Some(Side::Ours)).0, &file), "{}", told());
        all += found.conflicts.len();
        let open = found.conflicts.iter().filter(|of| of.theirs.is_empty()).count();
        undecidable += open;
        if open > 0 {
            continue;
        }
        let by_option = merged(&ours, &theirs, Some(Side::Theirs)).0;
        let by_keys = decided(&file, &found.conflicts);
        assert!(
            says_same(&by_keys, &by_option),
            "{}\n{:#?}",
            told(),
            differing(&by_keys, &by_option)
        );
    }
    say(&format!("{all} conflicts, {undecidable} that no edits decide"));
    assert!(undecidable * 100 <= all * 20, "{undecidable} of {all}");
}

fn of_anything(random: &mut Random, dialog: &Dialog, word: &str) -> Option<Edit> {
    match random.position(5) {
        0 => Some(of_turns(random, dialog, word)),
        _ => within_turns(random, dialog, word),
    }
}

/// An edit that adds, removes or rewrites a turn, or gives it to another speaker.
fn of_turns(random: &mut Random, dialog: &Dialog, word: &str) -> Edit {
    let turn = random.position(dialog.turns.len());
    let at = &dialog.turns[turn];
    let text = match random.position(2) {
        0 => changed(random, &at.text, word),
        _ => format!("{word}!"),
    };
    let speaker = random.one_of(&["USER", "ASSISTANT"]).to_owned();
    match random.position(6) {
        0 | 1 => Edit::SetText { turn, text, drop: true, shrink: true },
        2 => Edit::SetSpeaker { turn, speaker },
        3 => Edit::AddTurn {
            turn: random.position(dialog.turns.len() + 1),
            speaker,
            text: format!("Oh, {word} too."),
        },
        _ => Edit::RemoveTurn { turn },
    }
}

/// Returns how often a dialog has a turn with this text.
fn count(dialog: &Dialog, text: &str) -> usize {
    dialog.turns.iter().filter(|turn| turn.text == text).count()
}

fn speaker<'d>(dialog: &'d Dialog, text: &str) -> Option<&'d str> {
    let turn = dialog.turns.iter().find(|turn| turn.text == text)?;
    Some(turn.speaker.name.as_str())
}

/// Returns which turns of two copies are missing in the merged dialog, or there twice, although no conflict names them.
fn wrong_turns([base, ours, theirs]: [&Dialog; 3], merged: &Dialog, named: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let all = [base, ours, theirs].into_iter().flat_map(|dialog| &dialog.turns);
    for text in all.map(|turn| turn.text.as_str()) {
        let [was, own, new] = [base, ours, theirs].map(|dialog| count(dialog, text));
        let expected = if own == was { new } else { own };
        let is_named = named.contains(&turnwise::text::quoted(text));
        let is = count(merged, text);
        if is > 1 || is != expected && !is_named {
            wrong.push(format!("{is} times instead of {expected}: {text}"));
        }
        let speakers = [base, ours, theirs].map(|dialog| speaker(dialog, text));
        if let [Some(was), Some(own), Some(new)] = speakers
            && speaker(merged, text) != Some(if own == was { new } else { own })
            && !is_named
        {
            wrong.push(format!("of another speaker: {text}"));
        }
    }
    wrong
}

#[test]
fn turns_that_one_side_changes_are_neither_lost_nor_doubled_in_many_merges() {
    for seed in 0..tries() as u64 {
        let random = &mut Random(seed);
        let edit: Planned = |random, dialog, word| Some(of_turns(random, dialog, word));
        let (ours, mine) = copy(random, "ours", edit);
        let (theirs, others) = copy(random, "theirs", edit);
        let base = read(&base(), 0);
        for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
            let (file, found) = merged(ours, theirs, None);
            let said = found.conflicts.iter().flat_map(|of| {
                let of = &of.conflict;
                of.said.as_ref().into_array().into_iter().flatten()
            });
            let named: String = said.map(String::as_str).collect();
            let wrong =
                wrong_turns([&base, &read(ours, 0), &read(theirs, 0)], &read(&file, 0), &named);
            assert!(
                wrong.is_empty(),
                "{seed}: {wrong:#?}\n{mine:#?}\nand {others:#?}\n{:#?}",
                found.conflicts
            );
        }
    }
}

/// A turn that one side removes and the other rewrites, or moves down, is one turn.
#[test]
fn a_turn_of_which_little_is_left_is_the_same_turn() {
    let text =
        |turn, text: &str| Edit::SetText { turn, text: text.to_owned(), drop: true, shrink: true };
    let edited = |edits: &[Edit]| {
        let mut file = base();
        for edit in edits {
            assert_eq!(file.edit(0, edit), Ok(true));
        }
        open(saved(&file))
    };
    let removed = edited(&[Edit::RemoveTurn { turn: 5 }]);
    let rewritten = edited(&[Edit::RemoveTurn { turn: 6 }, text(5, "Great")]);
    for (ours, theirs) in [(&removed, &rewritten), (&rewritten, &removed)] {
        let parts: Vec<_> = merged(ours, theirs, None).1.conflicts;
        let parts: Vec<_> = parts.iter().map(|of| of.conflict.part).collect();
        assert_eq!(parts, ["turn"]);
    }
    let speaker = "ASSISTANT".to_owned();
    let given = edited(&[Edit::SetSpeaker { turn: 5, speaker }]);
    let speaker = "USER".to_owned();
    let added = Edit::AddTurn { turn: 5, speaker, text: "Wait.".to_owned() };
    let moved = edited(&[added, text(6, "Quick!")]);
    let (file, found) = merged(&given, &moved, None);
    assert_eq!(found.conflicts, []);
    let turns = &read(&file, 0).turns;
    let said = turns[5..].iter().map(|turn| (turn.speaker.name.as_str(), turn.text.as_str()));
    let expected = [
        ("USER", "Wait."),
        ("ASSISTANT", "Quick!"),
        ("ASSISTANT", "My pleasure, enjoy your evening."),
    ];
    assert!(said.eq(expected));
}
