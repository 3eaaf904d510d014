//! Rules on the turns of a dialog: speakers, texts, repetitions.

use std::cell::LazyCell;

use foldhash::{HashSet, HashSetExt as _};

use crate::dialog::{Dialog, Edit, Issue, Role, Turn};
use crate::format::{CALLS_DIGEST, ChatRole, REASONING_FIELD, answered_call};
use crate::lint::engine::{Applicability, Findings, rules};
use crate::lint::facts::Subject;
use crate::lint::facts::alike::{is_blank, trim};
use crate::text::quoted;

rules! {
    /// Turn indices are not consecutive.
    ///
    /// A missing, repeated or out-of-order index means that turns were lost, duplicated or reordered,
    /// or that turns were edited without updating their indices. References by index, such as those of
    /// API calls and breakdown labels, then point to the wrong turn.
    ///
    /// Indices may start at any number, and each gap is reported once. The turns of simulated dialogues
    /// have no indices and are not checked. A detector may leave turns unlabelled, so in its output
    /// only repeated indices are reported.
    ///
    /// There is no fix, because only a person can tell whether the turn or its index is wrong.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [
    ///   {"index": 0, "speaker": "USER", "text": "two for Dune"},
    ///   {"index": 2, "speaker": "ASSISTANT", "text": "at which theater?"}]}
    /// ```
    ///
    /// ```text good
    /// user: two for Dune
    /// assistant: at which theater?
    /// ```
    "turn-index-order": Warning => turn_index_order;

    /// A dialog has no turns.
    ///
    /// There is nothing to learn from an empty dialog, but every statistic counts it. Most often its
    /// turns were lost when the corpus was filtered or converted.
    ///
    /// There is no fix: rules do not delete dialogs.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": []}
    /// ```
    ///
    /// ```text good
    /// user: two for Dune
    /// ```
    "empty-dialog": Warning => empty_dialog;

    /// All turns of a dialog have the same speaker.
    ///
    /// A dialog needs two speakers. If one is missing, either their turns were lost, or a conversion
    /// assigned all turns to one speaker. Dialogs with a single turn are not reported.
    ///
    /// In chats, questions may be without answers, and an answer without its request: that is not reported either.
    ///
    /// There is no fix, because only a person can tell who said what.
    ///
    /// ```text bad
    /// user: two for Dune
    /// user: at which theater?
    /// ```
    ///
    /// ```text good
    /// user: two for Dune
    /// assistant: at which theater?
    /// ```
    "one-speaker-dialog": Warning => one_speaker_dialog;

    /// The speaker of a turn is neither the user nor the system.
    ///
    /// Programs that read the corpus distinguish the two sides by the speaker's name, and drop or
    /// misread turns with any other name. Most often the name is misspelled. The known names, in any
    /// case, are `user` and `u`, `assistant`, `system` and `s`.
    ///
    /// There is no fix, because only a person can tell who spoke.
    ///
    /// ```text bad
    /// user: two for Dune
    /// asistant: at which theater?
    /// ```
    ///
    /// ```text good
    /// user: two for Dune
    /// assistant: at which theater?
    /// ```
    "unknown-speaker": Warning => unknown_speaker;

    /// An utterance is empty or contains only whitespace.
    ///
    /// Either the text was lost, or the system gave no answer. When the texts of a dialog are joined,
    /// the turn disappears.
    ///
    /// There is no fix, because the missing text is unknown.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [
    ///   {"index": 0, "speaker": "USER", "text": "two for Dune"},
    ///   {"index": 1, "speaker": "ASSISTANT", "text": " "}]}
    /// ```
    ///
    /// ```text good
    /// user: two for Dune
    /// assistant: at which theater?
    /// ```
    "empty-utterance": Warning => empty_utterance;

    /// A turn is only a placeholder for a deleted turn.
    ///
    /// Some releases replace a turn that had to be removed with text such as `(deleted)`. Nobody said
    /// that, but a model trained on it will.
    ///
    /// There is no fix, because only a person can decide whether to remove the turn, the exchange or
    /// the dialog.
    ///
    /// ```text bad
    /// user: two for Dune
    /// assistant: (deleted)
    /// ```
    ///
    /// ```text good
    /// user: two for Dune
    /// assistant: your old booking was deleted
    /// ```
    "deleted-turn": Warning => deleted_turn;

    /// Two consecutive turns of one speaker have the same text.
    ///
    /// A turn that was duplicated when the corpus was collected or converted breaks the alternation of
    /// speakers, and counts twice in training and in every statistic.
    ///
    /// The comparison ignores whitespace at the edges of a turn. People do say "hello?" twice, so a
    /// text of one or two words is reported only if the speakers alternate in the rest of the dialog.
    ///
    /// There is no fix, because only a person can tell which of the two turns has the right labels.
    ///
    /// ```text bad
    /// user: two tickets for Dune please
    /// user: two tickets for Dune please
    /// assistant: at which theater?
    /// ```
    ///
    /// ```text good
    /// user: two tickets for Dune please
    /// assistant: two tickets for Dune please
    /// user: yes
    /// user: at seven
    /// assistant: hello?
    /// assistant: hello?
    /// ```
    "repeated-turn": Warning => repeated_turn;

    /// An exchange of a simulated dialogue occurs twice in a row.
    ///
    /// The system repeats its last turn, the user answers in the same words, and the acts and the state
    /// are the same: an element of `turns` was duplicated when the corpus was collected or converted.
    /// It counts twice in training and in every statistic.
    ///
    /// If the system asks a question again, but the answer, its acts or the state differ, the exchange
    /// is not reported.
    ///
    /// There is no fix, because turnwise has no edit that removes a turn.
    ///
    /// ```json bad
    /// {"dialogue_id": "d", "turns": [
    ///   {"user_acts": [{"type": "GREETING"}], "user_intents": [], "dialogue_state": [],
    ///    "user_utterance": {"text": "hi", "tokens": ["hi"], "slots": []}},
    ///   {"system_acts": [{"type": "OTHER"}],
    ///    "system_utterance": {"text": "what movie ?", "tokens": ["what", "movie", "?"], "slots": []},
    ///    "user_acts": [{"type": "OTHER"}], "dialogue_state": [],
    ///    "user_utterance": {"text": "any", "tokens": ["any"], "slots": []}},
    ///   {"system_acts": [{"type": "OTHER"}],
    ///    "system_utterance": {"text": "what movie ?", "tokens": ["what", "movie", "?"], "slots": []},
    ///    "user_acts": [{"type": "OTHER"}], "dialogue_state": [],
    ///    "user_utterance": {"text": "any", "tokens": ["any"], "slots": []}}]}
    /// ```
    ///
    /// ```json good
    /// {"dialogue_id": "d", "turns": [
    ///   {"user_acts": [{"type": "GREETING"}], "user_intents": [], "dialogue_state": [],
    ///    "user_utterance": {"text": "hi", "tokens": ["hi"], "slots": []}},
    ///   {"system_acts": [{"type": "OTHER"}],
    ///    "system_utterance": {"text": "what movie ?", "tokens": ["what", "movie", "?"], "slots": []},
    ///    "user_acts": [{"type": "CANT_UNDERSTAND"}], "dialogue_state": [],
    ///    "user_utterance": {"text": "what ?", "tokens": ["what", "?"], "slots": []}},
    ///   {"system_acts": [{"type": "OTHER"}],
    ///    "system_utterance": {"text": "what movie ?", "tokens": ["what", "movie", "?"], "slots": []},
    ///    "user_acts": [{"type": "OTHER"}], "dialogue_state": [],
    ///    "user_utterance": {"text": "any", "tokens": ["any"], "slots": []}}]}
    /// ```
    "repeated-exchange": Warning => repeated_exchange;

    /// An utterance starts or ends with whitespace.
    ///
    /// Nobody hears the whitespace, but it makes otherwise equal utterances differ, and models learn
    /// that some turns start with a space. Many corpora contain such whitespace and keep it. The rule does not
    /// check instructions, such as the system prompt of a chat.
    ///
    /// The fix removes the whitespace (safe). Segments move with their words, and a segment that covers
    /// such whitespace is shortened.
    ///
    /// ```json bad
    /// {"conversation_id": "d", "instruction_id": "i", "utterances": [
    ///   {"index": 0, "speaker": "USER", "text": " two for Dune", "segments": [{"start_index": 9,
    ///    "end_index": 13, "text": "Dune", "annotations": [{"name": "movie"}]}]}]}
    /// ```
    ///
    /// ```text good
    /// user: two for «Dune»{movie}
    /// ```
    "edge-whitespace": Note => edge_whitespace;
}

fn turn_index_order(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if matches!(subject.format.name(), "sim" | "sim-gen") {
        return;
    }
    if subject.format.is_companion() {
        return labelled_twice(subject, found);
    }
    // The index that should come next, and an alternative: after an unexpected index, counting may go
    // on from it or from where it was before.
    let mut expected: Option<(u64, u64)> = None;
    for (position, turn) in subject.turns() {
        // Subagents count their own turns.
        if subject.dialog.branches.of_turn(position).is_some() {
            continue;
        }
        let Some(index) = turn.index.map(u64::from) else {
            expected = expected.map(|(next, _)| (next + 1, next + 1));
            continue;
        };
        match expected {
            Some((next, other)) if index != next && index != other => {
                let message = format!("turn index is {index}, expected {next}");
                found.add(subject.location_of(position), message);
                expected = Some((next + 1, index + 1));
            }
            _ => expected = Some((index + 1, index + 1)),
        }
    }
}

/// A detector may leave turns out, but labels none twice.
fn labelled_twice(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for (position, turn) in subject.turns() {
        if let Some(index) = turn.index.filter(|index| !seen.insert(*index)) {
            let message = format!("turn {index} is labelled twice");
            found.add(subject.location_of(position), message);
        }
    }
}

fn empty_dialog(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // If the list of turns is missing or is not a list, schema reports it.
    if subject.dialog.turns.is_empty() && subject.issues.is_empty() {
        found.add(subject.location(), "the dialog has no turns");
    }
}

fn one_speaker_dialog(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // Questions may be without answers, and an answer without its request.
    let is_known = |turn: &Turn| matches!(turn.speaker.role, Role::User | Role::System);
    let has_tools = subject.format.declares_apis();
    if (subject.is_chat() || has_tools) && subject.dialog.turns.iter().all(is_known) {
        return;
    }
    // A detector's output does not say who spoke.
    let [first, second @ ..] = &subject.dialog.turns[..] else {
        return;
    };
    let alone = |other: &Turn| other.speaker == first.speaker;
    if subject.format.is_companion() || second.is_empty() || !second.iter().all(alone) {
        return;
    }
    let speaker = &first.speaker.name;
    if !speaker.is_empty() {
        let count = subject.dialog.turns.len();
        found.add(subject.location(), format!("all {count} turns are by {}", quoted(speaker)));
    }
}

fn unknown_speaker(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // chat-role-unknown checks the roles of chats.
    if subject.format.is_companion() || subject.is_chat() {
        return;
    }
    for (position, turn) in subject.turns() {
        if turn.speaker.role != Role::Other || subject.format.may_speak(&turn.speaker.name) {
            continue;
        }
        let name = &turn.speaker.name;
        // If the name is missing or is not a string, schema reports it.
        if name.is_empty() && subject.issues.iter().any(|issue| issue.turn == Some(position)) {
            continue;
        }
        let message = format!("speaker {} is neither the user nor the system", quoted(name));
        found.add(subject.location_of(position), message);
    }
}

fn empty_utterance(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.format.is_companion() || is_log_of_calls(subject.dialog) {
        return;
    }
    for (position, turn) in subject.turns() {
        if !turn.text.chars().all(is_blank) {
            continue;
        }
        // If the text is missing or is not a string, schema reports it; if segments point into it, a
        // rule for segments does.
        let is_here = |issue: &Issue| issue.turn == Some(position);
        if subject.issues.iter().any(is_here) || !turn.segments.is_empty() {
            continue;
        }
        if subject.format.is_described() && need_not_speak(subject, position)
            || is_message_without_text(subject, turn)
        {
            continue;
        }
        let message = if turn.text.is_empty() {
            "the utterance is empty"
        } else {
            "the utterance contains only whitespace"
        };
        found.add(subject.location_of(position), message);
    }
}

/// True for the log of votes on a dialog with calls. Of these and their results it only has a digest.
fn is_log_of_calls(dialog: &Dialog) -> bool {
    let mut fields = dialog.turns.iter().flat_map(|turn| &turn.fields);
    fields.any(|field| field.name == CALLS_DIGEST)
}

/// True if a turn of a declared format need not say anything: it calls an API, its speaker is hidden, it has parts
/// other than texts, or it is the response of a call.
fn need_not_speak(subject: &Subject<'_>, position: usize) -> bool {
    let turn = &subject.dialog.turns[position];
    !turn.calls.is_empty()
        || turn.speaker.role == Role::Context
        || !turn.unread.is_empty()
        || turn.fields.iter().any(|field| field.name == REASONING_FIELD)
        || answered_call(&subject.dialog.turns, position).is_some()
}

/// True if a message of a chat may have no text: an assistant's, which chat-empty-assistant checks, the
/// answer of a tool, or one with an image.
fn is_message_without_text(subject: &Subject<'_>, turn: &Turn) -> bool {
    let Some(chat) = subject.format.chat() else {
        return false;
    };
    matches!(chat.role_of(turn), ChatRole::Assistant | ChatRole::Tool)
        || turn.fields.iter().any(|field| field.name == "content")
}

fn deleted_turn(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (position, turn) in subject.turns() {
        let text = turn.text.trim();
        if is_placeholder(text) {
            let message = format!("{} is a placeholder for a deleted turn", quoted(text));
            found.add(subject.location_of(position), message);
        }
    }
}

fn is_placeholder(text: &str) -> bool {
    let bracketed = |open, close| text.strip_prefix(open)?.strip_suffix(close);
    let pairs = [('(', ')'), ('[', ']'), ('<', '>'), ('{', '}'), ('*', '*')];
    // A longer text cannot be one.
    if text.len() > 20 {
        return false;
    }
    let word = pairs.iter().find_map(|&(open, close)| bracketed(open, close));
    let words = ["deleted", "removed", "redacted", "deleted turn"];
    word.is_some_and(|word| words.iter().any(|w| word.trim().eq_ignore_ascii_case(w)))
}

fn repeated_turn(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let turns = &subject.dialog.turns;
    let takes_turns = LazyCell::new(|| takes_turns(subject.dialog));
    for (position, pair) in (1..).zip(turns.windows(2)) {
        if is_repeated(&pair[0], &pair[1])
            && (pair[1].text.split_whitespace().nth(2).is_some() || *takes_turns)
        {
            let message = format!("this turn repeats turn {}", position - 1);
            found.add(subject.location_of(position), message);
        }
    }
}

fn is_repeated(first: &Turn, second: &Turn) -> bool {
    let (one, other) = (first.text.trim_matches(is_blank), second.text.trim_matches(is_blank));
    first.speaker == second.speaker && one == other && !other.is_empty()
}

/// True if the speakers alternate, apart from repeated turns.
fn takes_turns(dialog: &Dialog) -> bool {
    let fits =
        |pair: &[Turn]| pair[0].speaker != pair[1].speaker || is_repeated(&pair[0], &pair[1]);
    dialog.turns.len() > 3 && dialog.turns.windows(2).all(fits)
}

fn repeated_exchange(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut before: &[Turn] = &[];
    let mut position = 0;
    // The turns of an exchange share an index.
    for exchange in subject.dialog.turns.chunk_by(|a, b| a.index == b.index) {
        if is_same_exchange(before, exchange) {
            let message = format!(
                "turns {position} and {} repeat turns {} and {}",
                position + 1,
                position - 2,
                position - 1
            );
            found.add(subject.location_of(position), message);
        }
        position += exchange.len();
        before = exchange;
    }
}

/// True if both exchanges are a question with its answer, and are the same. If an exchange is
/// only a user turn, repeated-turn checks it.
fn is_same_exchange(first: &[Turn], second: &[Turn]) -> bool {
    let [_, answer] = second else {
        return false;
    };
    let same = |(one, other): (&Turn, &Turn)| {
        one.speaker == other.speaker
            && one.text == other.text
            && one.acts == other.acts
            && one.state == other.state
    };
    answer.state.is_some()
        && first.len() == second.len()
        && second.iter().any(|turn| !turn.text.trim().is_empty())
        && first.iter().zip(second).all(same)
}

fn edge_whitespace(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (position, turn) in subject.turns() {
        // Nobody utters instructions, such as the system prompt of a chat.
        if turn.speaker.role == Role::Context || !has_blank_edge(&turn.text) {
            continue;
        }
        let kept = trim(&turn.text, 0..turn.text.len());
        // empty-utterance reports a turn of only whitespace. If the span of a segment is wrong, the text
        // may have been cut short, and it is unclear where the segment should move.
        if kept.is_empty() || !subject.mentions_of(position).iter().all(|m| m.is_valid) {
            continue;
        }
        let message = match (kept.start > 0, kept.end < turn.text.len()) {
            (true, true) => "the utterance starts and ends with whitespace",
            (true, false) => "the utterance starts with whitespace",
            (false, _) => "the utterance ends with whitespace",
        };
        let diagnostic = found.add(subject.location_of(position), message);
        let title = "remove the whitespace at the edges";
        let edit = Edit::SetText {
            turn: position,
            text: turn.text[kept].to_owned(),
            drop: false,
            shrink: true,
        };
        diagnostic.fix(title, Applicability::Safe, vec![edit]);
    }
}

fn has_blank_edge(text: &str) -> bool {
    // Fast path: most utterances start and end with a visible ASCII character.
    let visible = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let bytes = text.as_bytes();
    !(visible(bytes.first()) && visible(bytes.last()))
        && (text.starts_with(is_blank) || text.ends_with(is_blank))
}
