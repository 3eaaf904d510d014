//! Rules on breakdown votes, their logs, and the files next to logs.

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use crate::dialog::{Breakdown, Dialog, Edit, Role, Turn, Vote};
use crate::format::{Family, is_log_stem};
use crate::lint::engine::{Applicability, Diagnostic, Findings, Selection, Severity, rules};
use crate::lint::facts::{Location, Subject};
use crate::text::counted;

rules! {
    /// The label of a vote is not O, T or X.
    ///
    /// No script counts such a vote, so the turn has one vote fewer than it seems.
    ///
    /// The fix, which is unsafe, changes the label to the intended letter if the label is that letter
    /// in another spelling or one of the signs ○, △, ×.
    ///
    /// ```json bad
    /// {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
    ///   {"annotator-id": "a", "breakdown": "o", "comment": "", "ungrammatical-sentence": ""}]}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
    ///   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""}]}]}
    /// ```
    "vote-unknown-label": Error => vote_unknown_label;

    /// An annotator voted more than once on the same turn.
    ///
    /// One person counts twice, and agreement between annotators cannot be computed. If the votes
    /// differ, it is unclear which one is valid.
    ///
    /// There is no fix, because only a person can tell which vote is meant.
    ///
    /// ```json bad
    /// {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
    ///   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""},
    ///   {"annotator-id": "a", "breakdown": "T", "comment": "", "ungrammatical-sentence": ""}]}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
    ///   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""},
    ///   {"annotator-id": "b", "breakdown": "T", "comment": "", "ungrammatical-sentence": ""}]}]}
    /// ```
    "vote-repeated-annotator": Error => vote_repeated_annotator;

    /// Votes do not name their annotator.
    ///
    /// Without annotators, you cannot see anyone's bias, compute agreement or change a single vote. The
    /// rule reports such votes once per dialog. If most votes of the dialog have no annotator, the corpus
    /// was published that way, and it is only a note.
    ///
    /// There is no fix, because the annotators are unknown.
    ///
    /// ```json bad
    /// {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
    ///   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""},
    ///   {"annotator-id": "", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""}]}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
    ///   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""}]}]}
    /// ```
    "vote-anonymous": Warning => vote_anonymous;

    /// A user turn has votes.
    ///
    /// Only the system can break a dialog down, so only its turns are judged. Most often a speaker is
    /// wrong, or the votes shifted by one turn.
    ///
    /// The fix withdraws the votes. It is manual, because they may belong to the turn before.
    ///
    /// ```json bad
    /// {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "U", "utterance": "Hi.", "annotations": [
    ///   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""}]}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "U", "utterance": "Hi.", "annotations": []}]}
    /// ```
    "vote-on-user-turn": Error => vote_on_user_turn;

    /// A turn has more or fewer votes than the other turns of its dialog.
    ///
    /// The same number of people judges each turn of a log. Another number means that votes were lost
    /// or cast twice, and the shares of the turns cannot be compared. A log may begin with a greeting
    /// that nobody judged. An annotator who voted twice counts once; see vote-repeated-annotator.
    ///
    /// There is no fix: turnwise cannot restore lost votes.
    ///
    /// ```json bad
    /// {"dialogue-id": "d", "turns": [
    ///   {"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
    ///     {"annotator-id": "a", "breakdown": "O"}, {"annotator-id": "b", "breakdown": "O"}]},
    ///   {"turn-index": 1, "speaker": "U", "utterance": "Are you a bot?", "annotations": []},
    ///   {"turn-index": 2, "speaker": "S", "utterance": "Yes.", "annotations": [
    ///     {"annotator-id": "a", "breakdown": "O"}, {"annotator-id": "b", "breakdown": "O"}]},
    ///   {"turn-index": 3, "speaker": "S", "utterance": "No.", "annotations": [
    ///     {"annotator-id": "a", "breakdown": "X"}]}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue-id": "d", "turns": [
    ///   {"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": []},
    ///   {"turn-index": 1, "speaker": "U", "utterance": "Are you a bot?", "annotations": []},
    ///   {"turn-index": 2, "speaker": "S", "utterance": "Yes.", "annotations": [
    ///     {"annotator-id": "a", "breakdown": "O"}, {"annotator-id": "b", "breakdown": "O"}]},
    ///   {"turn-index": 3, "speaker": "S", "utterance": "No.", "annotations": [
    ///     {"annotator-id": "a", "breakdown": "X"}, {"annotator-id": "b", "breakdown": "O"}]}]}
    /// ```
    "vote-count-differs": Warning => vote_count_differs;

    /// The name of a breakdown log, or of a detector's output, does not match its dialog.
    ///
    /// Logs and detector outputs are named after their dialog, `<dialogue-id>.log.json` and
    /// `<dialogue-id>.labels.json`, and are found by that name. With a wrong name, scripts pair the
    /// wrong log with its context or its labels.
    ///
    /// There is no fix: either the file or its `dialogue-id` was renamed, and only a person can tell
    /// which one is right.
    ///
    /// If a dialog's id cannot be a file name, its log is named after the part that can, and a hash:
    /// `a_b-0f1e2d3c4b5a6978.log.json`. Files with several dialogs and files of other families may have
    /// any name.
    ///
    /// In a file named `talk_8.log.json`:
    ///
    /// ```json bad talk_8.log.json
    /// {"dialogue-id": "talk_7", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.",
    ///   "annotations": [{"annotator-id": "a", "breakdown": "O"}]}]}
    /// ```
    ///
    /// In a file named `talk_7.log.json`:
    ///
    /// ```json good talk_7.log.json
    /// {"dialogue-id": "talk_7", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.",
    ///   "annotations": [{"annotator-id": "a", "breakdown": "O"}]}]}
    /// ```
    "file-name-differs": Warning;

    /// A detector's output does not match the log next to it.
    ///
    /// The output is for another dialog, labels a turn that the log does not have or that is a user
    /// turn, or leaves out a turn that annotators judged. Every figure computed from the two files is
    /// then wrong.
    ///
    /// Most often the files of two runs were mixed up, or the log was cut after the detector had read
    /// it. The rule compares which turns are labelled, not how: a detector may be wrong.
    ///
    /// In this folder, `talk_7.labels.json` has a label for the user's turn and none for the turn that
    /// was judged:
    ///
    /// ```json bad talk_7.log.json
    /// {"dialogue-id": "talk_7", "turns": [
    ///   {"turn-index": 0, "speaker": "U", "utterance": "Hi.", "annotations": []},
    ///   {"turn-index": 1, "speaker": "S", "utterance": "Monday.",
    ///    "annotations": [{"annotator-id": "a", "breakdown": "X"}]}]}
    /// ```
    ///
    /// ```json bad talk_7.labels.json
    /// {"dialogue-id": "talk_7", "turns": [{"turn-index": 0, "labels": [
    ///   {"breakdown": "X", "prob-O": 0.1, "prob-T": 0.2, "prob-X": 0.7}]}]}
    /// ```
    ///
    /// Here the two files match:
    ///
    /// ```json good talk_7.log.json
    /// {"dialogue-id": "talk_7", "turns": [
    ///   {"turn-index": 0, "speaker": "U", "utterance": "Hi.", "annotations": []},
    ///   {"turn-index": 1, "speaker": "S", "utterance": "Monday.",
    ///    "annotations": [{"annotator-id": "a", "breakdown": "X"}]}]}
    /// ```
    ///
    /// ```json good talk_7.labels.json
    /// {"dialogue-id": "talk_7", "turns": [{"turn-index": 1, "labels": [
    ///   {"breakdown": "X", "prob-O": 0.1, "prob-T": 0.2, "prob-X": 0.7}]}]}
    /// ```
    "labels-file-mismatch": Warning;
}

fn vote_unknown_label(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (number, turn) in subject.turns() {
        for vote in turn.votes.iter().filter(|vote| vote.breakdown.is_none()) {
            unknown(subject, number, vote, found);
        }
    }
}

#[cold]
fn unknown(subject: &Subject<'_>, turn: usize, vote: &Vote, found: &mut Findings<'_>) {
    let value = subject.tree.value_at(vote.at.start);
    // schema reports a vote without any label.
    let Some(label) = value.and_then(|vote| vote.get("breakdown")) else {
        return;
    };
    let location = subject.location_at(turn, vote.at);
    let message = format!("vote label {} is not O, T or X", label.raw());
    let diagnostic = found.add(location, message);
    if let Some(meant) = label.as_str().and_then(|label| meant(&label)) {
        let edit = Edit::CastVote {
            turn,
            annotator: vote.annotator.to_string(),
            breakdown: meant,
            comment: None,
            ungrammatical: None,
        };
        let title = format!("change to {}", meant.letter());
        diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
    }
}

fn meant(label: &str) -> Option<Breakdown> {
    Some(match label.trim() {
        "o" | "O" | "Ｏ" | "○" | "〇" => Breakdown::O,
        "t" | "T" | "Ｔ" | "△" => Breakdown::T,
        "x" | "X" | "Ｘ" | "×" => Breakdown::X,
        _ => return None,
    })
}

fn vote_repeated_annotator(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (number, turn) in subject.turns() {
        for (vote, before) in repeated(&turn.votes) {
            let letter = |vote: &Vote| vote.breakdown.map_or("?", Breakdown::letter);
            let message = format!(
                "annotator {} voted twice on this turn ({}, then {})",
                vote.annotator,
                letter(before),
                letter(vote)
            );
            found.add(subject.location_at(number, vote.at), message);
        }
    }
}

/// Votes whose annotator has already voted, each with the first vote of that annotator.
fn repeated(votes: &[Vote]) -> Vec<(&Vote, &Vote)> {
    let mut seen: HashMap<&str, &Vote> = HashMap::with_capacity(votes.len());
    let named = votes.iter().filter(|vote| !vote.annotator.is_empty());
    let pairs = named.map(|vote| (vote, *seen.entry(&vote.annotator).or_insert(vote)));
    pairs.filter(|(vote, first)| !std::ptr::eq(*vote, *first)).collect()
}

fn vote_anonymous(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let votes =
        || subject.turns().flat_map(|(number, turn)| turn.votes.iter().map(move |v| (number, v)));
    let mut nameless = votes().filter(|(_, vote)| vote.annotator.trim().is_empty());
    let Some((turn, first)) = nameless.next() else {
        return;
    };
    let (nameless, all) = (nameless.count() + 1, votes().count());
    let most = if nameless * 2 > all { Severity::Note } else { Severity::Error };
    let message = format!("no annotator id on {nameless} of {all} votes");
    found.add_at_most(most, subject.location_at(turn, first.at), message);
}

fn vote_on_user_turn(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (number, turn) in subject.turns() {
        if turn.speaker.role != Role::User || turn.votes.is_empty() {
            continue;
        }
        let count = turn.votes.len();
        let votes = counted(count as u64, "vote");
        let message = format!("{votes} on a user turn");
        let diagnostic = found.add(subject.location_of(number), message);
        let withdraw = |vote: &crate::dialog::Vote| Edit::WithdrawVote {
            turn: number,
            annotator: vote.annotator.to_string(),
        };
        let edits = turn.votes.iter().map(withdraw).collect();
        diagnostic.fix("withdraw the votes", Applicability::Display, edits);
    }
}

fn vote_count_differs(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let judged = || {
        let judged = subject.turns().filter(|(number, turn)| {
            turn.speaker.role == Role::System && (*number > 0 || !turn.votes.is_empty())
        });
        judged.map(|(number, turn)| (number, turn, turn.votes.len()))
    };
    let Some((_, _, first)) = judged().next() else {
        return;
    };
    if judged().all(|(_, _, count)| count == first) {
        return;
    }
    let mut times: HashMap<usize, usize> = HashMap::new();
    for (_, _, count) in judged() {
        *times.entry(count).or_default() += 1;
    }
    let alike = |count: usize| times[&count];
    let Some((_, _, usual)) = judged().max_by_key(|(_, _, count)| alike(*count)) else {
        return;
    };
    // If no number is that of most turns, no turn is the odd one.
    if alike(usual) * 2 <= judged().count() || usual == 0 {
        return;
    }
    for (number, turn, count) in judged().filter(|(_, _, count)| *count != usual) {
        if voters(turn) != usual {
            let votes = counted(count as u64, "vote");
            let message = format!("{votes}, but most turns of the dialog have {usual}");
            found.add(subject.location_of(number), message);
        }
    }
}

/// Returns the number of people who voted; each vote without a name counts as another person.
fn voters(turn: &Turn) -> usize {
    let mut known = HashSet::new();
    let named = turn.votes.iter().map(|vote| vote.annotator.as_str());
    let new = named.filter(|name| name.is_empty() || known.insert(*name));
    new.count()
}

/// Checks the name (without folders) of a file whose only dialog is `dialog`, if the rule is selected.
pub fn file_name(
    name: &str,
    format: &'static Family,
    dialog: &Dialog,
    selection: &Selection,
) -> Option<Diagnostic> {
    let rule = selection.selected("file-name-differs")?;
    if !format.has_companions() && !format.is_companion() || dialog.id.is_empty() {
        return None;
    }
    let ends = [".log.json", ".labels.json", ".json"];
    let stem = ends.iter().find_map(|end| name.strip_suffix(end))?;
    if is_log_stem(stem, &dialog.id) {
        return None;
    }
    let location = Location { at: dialog.at, ..Location::default() };
    let message = format!("the file is named {name}, but contains dialog {}", dialog.id);
    Some(rule.problem(location, message))
}

/// Checks a log against the labels next to it, if the rule is selected. The locations are in `labels`.
pub fn labels_file(log: &Dialog, labels: &Dialog, selection: &Selection) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    let Some(rule) = selection.selected("labels-file-mismatch") else {
        return all;
    };
    let mut found = Findings::new(rule, &mut all);
    let whole = Location { at: labels.at, ..Location::default() };
    if log.id != labels.id {
        let message = format!(
            "the labels are for dialog {}, but the log next to them is for {}",
            labels.id, log.id
        );
        found.add(whole, message);
        return all;
    }
    for (number, turn) in labels.turns.iter().enumerate() {
        let location = Location { turn: Some(number), segment: None, at: turn.at };
        let Some(index) = turn.index else {
            continue;
        };
        match with_index(log, index) {
            None => {
                found.add(location, format!("the log has no turn {index}"));
            }
            Some(said) if said.speaker.role == Role::User => {
                found.add(location, format!("turn {index} is a user turn"));
            }
            Some(_) => {}
        }
    }
    for turn in log.turns.iter().filter(|turn| !turn.votes.is_empty()) {
        let index = turn.index.filter(|_| turn.speaker.role != Role::User);
        if let Some(index) = index.filter(|index| with_index(labels, *index).is_none()) {
            found.add(whole, format!("turn {index} was judged, but has no label"));
        }
    }
    all
}

fn with_index(dialog: &Dialog, index: u32) -> Option<&Turn> {
    dialog.turns.iter().find(|turn| turn.index == Some(index))
}
