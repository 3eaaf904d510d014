//! Elements of annotators that a fix would lose, and segments that are there twice.

use std::collections::BTreeSet;

use turnwise::dialog::{CallPart, Dialog, Edit, Field, Payload, Segment, Turn};
use turnwise::lint::Applicability;

use super::fixes::read;
use super::{fixed, found_in, only};

/// The letters and digits of a JSON text, which repairs of its punctuation keep.
fn letters(text: &str) -> String {
    let text = text.trim().trim_start_matches("```json");
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn text_of(turn: &Turn, call: usize, part: CallPart) -> String {
    let call = &turn.calls[call];
    let payload = match part {
        CallPart::Arguments => &call.arguments,
        CallPart::Response => &call.response,
    };
    let text = payload.as_ref().and_then(Payload::text);
    text.map(ToString::to_string).unwrap_or_default()
}

/// Describes an element that an edit loses: it has no equal in the dialog after it.
pub fn lost(edit: &Edit, before: &Dialog, after: &Dialog) -> Option<String> {
    let (old, new) = (&before.turns[edit.turn()], &after.turns[edit.turn()]);
    // Acts may be read from the elements of segments.
    let same_acts = old.acts.iter().find(|act| !new.acts.contains(act));
    let acts_change = matches!(
        edit,
        Edit::SetAct { .. } | Edit::SetSpan { .. } | Edit::SetLabels { .. } | Edit::SetQuote { .. }
    );
    if let Some(act) = same_acts.filter(|_| !acts_change) {
        return Some(format!("{act:?}"));
    }
    match edit {
        Edit::RemoveSegment { segment, .. } => {
            let gone = &old.segments[*segment];
            let names = |s: &Segment| -> BTreeSet<String> {
                s.labels.iter().map(|l| l.name.trim().to_owned()).collect()
            };
            let has_all = |other: &Segment| {
                let fields = gone.fields.iter().all(|field| {
                    let same =
                        |own: &&Field| own.name == field.name && own.content == field.content;
                    other.fields.iter().any(|own| same(&own))
                });
                let by = gone.annotator.is_none() || gone.annotator == other.annotator;
                other.span == gone.span && names(gone).is_subset(&names(other)) && fields && by
            };
            (!new.segments.iter().any(has_all)).then(|| format!("{gone:?}"))
        }
        Edit::SetLabels { segment, .. } => {
            let labels = |turn: &Turn| {
                let labels = turn.segments[*segment].labels.iter();
                labels.map(|label| label.name.to_string()).collect::<Vec<_>>()
            };
            let (was, is) = (labels(old), labels(new));
            let gone = was.iter().find(|label| !is.contains(label));
            gone.filter(|_| is.len() < was.len()).cloned()
        }
        Edit::SetText { .. } | Edit::SetTokens { .. } => {
            (old.segments.len() > new.segments.len()).then(|| "a segment".to_owned())
        }
        Edit::RemoveValue { name, .. } => Some(name.clone()),
        Edit::SetJson { call, part, .. } => {
            let (was, is) =
                (letters(&text_of(old, *call, *part)), letters(&text_of(new, *call, *part)));
            // Arguments encoded twice have escapes, such as \n.
            let kept = was == is || was.replace('n', "") == is.replace('n', "");
            (!kept && !was.is_empty() && is.len() < was.len()).then_some(was)
        }
        Edit::SetAct { act, .. } => {
            let slots = |turn: &Turn| turn.acts[*act].slots.len();
            (slots(old) > slots(new)).then(|| format!("{:?}", old.acts[*act]))
        }
        Edit::RemoveState { slot, .. } => {
            let (old, new) = (old.state.iter().flatten(), new.state.as_deref().unwrap_or_default());
            let mut gone = old.filter(|s| !new.contains(s));
            gone.any(|s| s.slot == *slot).then(|| slot.clone())
        }
        Edit::SetIntents { .. } => {
            (old.intents.len() > new.intents.len()).then(|| format!("{:?}", old.intents))
        }
        Edit::WithdrawVote { annotator, .. } => Some(annotator.clone()),
        Edit::RemoveGold { .. } => Some("a gold label".to_owned()),
        _ => None,
    }
}

/// `MultiWOZ` labels one of two equal numbers twice, once for each.
fn choices(text: &str, spans: &str) -> String {
    format!(
        r#"{{"goal": {{}}, "log": [{{"text": "{text}", "metadata": {{}}, "dialog_act": {{"Hotel-Inform": [["Choice", "2"], ["Choice", "2"]]}}, "span_info": [{spans}]}}]}}"#
    )
}

const TWICE: &str =
    r#"["Hotel-Inform", "Choice", "2", 0, 0], ["Hotel-Inform", "Choice", "2", 0, 0]"#;

#[test]
fn a_second_segment_moves_to_the_second_mention_of_its_words() {
    let rule = only("span-duplicate");
    let fix = |text: &str| fixed(text, &rule, Applicability::Safe).0;
    let twice = choices("2 are guesthouses and 2 are hotels .", TWICE);
    assert_eq!(fix(&twice), twice.replace("0, 0]]", "4, 4]]"));
    let found = found_in(&twice, &rule);
    assert_eq!(found[0].fixes[0].title, "move to 4..5, \"2\"");
    // Of three places for one segment, nobody knows which one is meant.
    let three = choices("2 are guesthouses , 2 are hotels and 2 are inns .", TWICE);
    assert_eq!(fix(&three), three);
    assert_eq!(found_in(&three, &rule)[0].fixes[0].applicability, Applicability::Unsafe);
    // Three segments have three places.
    let spans = format!(r#"{TWICE}, ["Hotel-Inform", "Choice", "2", 0, 0]"#);
    let all = choices("2 are guesthouses , 2 are hotels and 2 are inns .", &spans);
    let spread = all.replacen("2\", 0, 0]", "2\", 4, 4]", 2).replacen("4, 4]", "0, 0]", 1);
    assert_eq!(fix(&all), spread.replace("0, 0]]", "8, 8]]"));
    // Another segment has the other mention.
    let spans = format!(r#"{TWICE}, ["Hotel-Inform", "Stars", "2", 4, 4]"#);
    let taken = choices("2 are guesthouses and 2 are hotels .", &spans);
    assert_eq!(read(&fix(&taken)).turns[0].segments.len(), 2);
    // Parts of words do not count.
    let part = choices("2 are guesthouses and 22 are hotels .", TWICE);
    assert_eq!(read(&fix(&part)).turns[0].segments.len(), 1);
    // Its words may be written with another case, and the quote follows.
    let words = r#"{"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER", "text": "One at two, one at six", "segments": [
        {"start_index": 0, "end_index": 3, "text": "One", "annotations": [{"name": "seats"}]},
        {"start_index": 0, "end_index": 3, "text": "One", "annotations": [{"name": "seats"}]}]}]}"#;
    let segments = read(&fix(words)).turns[0].segments.clone();
    let quotes: Vec<_> = segments.iter().map(|s| s.quote.as_deref()).collect();
    assert_eq!(quotes, [Some("One"), Some("one")]);
}

#[test]
fn a_segment_with_more_than_its_double_is_not_deleted_safely() {
    let rule = only("span-duplicate");
    let with = |second: &str| {
        format!(
            r#"{{"dialogue_id": "d", "dataset": "x", "turns": [{{"speaker": "user", "utterance": "cheap in Ghent", "utt_idx": 0, "dialogue_acts": {{"categorical": [], "binary": [], "non-categorical": [
            {{"intent": "inform", "domain": "garden", "slot": "city", "value": "Ghent", "start": 9, "end": 14}},
            {second}]}}}}]}}"#
        )
    };
    let same = r#"{"intent": "inform", "domain": "garden", "slot": "city", "value": "Ghent", "start": 9, "end": 14}"#;
    let applicability = |text: &str| {
        let found = found_in(text, &rule);
        assert_eq!(found.len(), 1, "{text}");
        found[0].fixes[0].applicability
    };
    assert_eq!(applicability(&with(same)), Applicability::Safe);
    let other_act = same.replace("inform", "recommend");
    assert_eq!(applicability(&with(&other_act)), Applicability::Unsafe);
    let note = same.replace("14}", "14, \"note\": \"sure?\"}");
    assert_eq!(applicability(&with(&note)), Applicability::Unsafe);
}
