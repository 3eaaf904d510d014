//! The lines of a turn below its text: calls, acts, state, votes and problems.

use std::collections::HashMap;

use crate::app::pane::transcript::Transcript;
use crate::app::pane::transcript::ballot::{detector_line, judged_label, own_vote, vote_line};
use crate::app::pane::transcript::cache::BelowText;
use crate::app::pane::transcript::fold::{Folding, with_note};
use crate::app::pane::transcript::judgements::judgements_of_turn;
use crate::app::pane::transcript::turn_text::{fill_margin, margin_and_room};
use crate::app::pane::{
    Ink, Item, Line, mark_found, problem_ink, problem_sign, truncated, wrapped,
};
use crate::dialog::{ApiCall, Content, Payload, StateSlot};
use crate::format::embedded::ShownPayload;
use crate::format::{embedded, media_lines, other_unread};
use crate::lint::Severity;
use crate::query::{Sought, TextKind, TextPlace};
use crate::text::{FOLDED, fold_note, visible};

/// Returns the lines of turn `number` below its text; `open` adds those that only the current turn shows.
pub fn below(transcript: &Transcript, number: usize, columns: usize, open: bool) -> BelowText {
    let mut hit_line = None;
    let hit = transcript.hit.and_then(|hit| transcript.hits.get(hit));
    let hit = hit.filter(|hit| hit.turn == number);
    let turn = &transcript.dialog.turns[number];
    let (margin, room) = margin_and_room(transcript, columns);
    let mut lines = Vec::new();
    let indent = |ink: Ink, sign: &str| {
        let mut line = Line::new();
        fill_margin(&mut line, transcript, number, margin);
        line.with(ink, sign)
    };
    if let Some(reasoning) = turn.reasoning().filter(|_| turn.text.is_empty()) {
        let head = indent(Ink::Dim, "reasoning  ");
        let columns = columns.saturating_sub(1);
        let mut said = wrapped(head, Ink::Dim, reasoning, columns);
        let kept = match transcript.folds.all {
            Folding::Nothing => said.len(),
            Folding::Long => FOLDED,
            Folding::Responses | Folding::Calls | Folding::Prompts => 1,
        };
        shorten(&mut said, kept, reasoning.len(), columns);
        lines.extend(said);
    }
    let wrong = wrong_calls(transcript, number);
    for (position, call) in turn.calls.iter().enumerate() {
        let folding = transcript.folds.of(number, position);
        let mut signs = Line::new();
        if let Some(severity) = wrong.get(&position) {
            signs.push(problem_ink(*severity), "▲ ");
        }
        if transcript.marks_of(number).is_some_and(|marks| marks.calls.contains(&position)) {
            signs.push(Ink::Strong, "≠ ");
        }
        let found = FoundInCall {
            sought: [TextKind::Argument, TextKind::Result].map(|kind| {
                let sought = transcript.sought.iter();
                sought.filter(|sought| sought.looks_into(kind)).cloned().collect()
            }),
            current: hit.map(|hit| hit.place).filter(|place| place.call() == Some(position)),
        };
        let (of_call, hit) = call_lines(call, folding, signs, &found, columns, &indent);
        hit_line = hit.map(|line| lines.len() + line).or(hit_line);
        lines.extend(of_call);
        if let Some(branch) = transcript.branch_of_call(number, position) {
            let head = indent(Ink::Dim, "  ┆ ");
            lines.extend(wrapped(head, Ink::Dim, &branch, columns.saturating_sub(1)));
        }
    }
    lines.extend(beside_the_text(transcript, number, columns, &indent));
    if !turn.acts.is_empty() {
        lines.extend(wrapped(
            indent(Ink::Dim, "acts  "),
            Ink::Call,
            &embedded::shown_acts(&turn.acts),
            columns.saturating_sub(1),
        ));
    }
    if let Some(state) = &turn.state {
        let before = state_before(transcript, number);
        if let Some(changes) = changes(state, before) {
            lines.extend(wrapped(
                indent(Ink::Dim, "state "),
                Ink::Changed,
                &changes,
                columns.saturating_sub(1),
            ));
        }
    }
    let judge = &transcript.judge;
    if judge.hides(&transcript.dialog, turn) {
        // The header says once that votes are hidden.
        if let Some(own) = judge.own(turn) {
            lines.push(own_vote(Some(own), indent(Ink::Dim, "")));
        }
    } else {
        if !turn.votes.is_empty() {
            let own = transcript.judge.own(turn);
            lines.push(vote_line(turn, own, indent(Ink::Plain, ""), room));
        }
        if let Some(note) = judged_label(turn, room) {
            lines.push(indent(Ink::Warning, &note));
        }
        for detection in &turn.detections {
            lines.push(detector_line(detection, indent(Ink::Dim, "detector ")));
        }
    }
    lines.extend(judgements_of_turn(
        transcript,
        number,
        &indent(Ink::Dim, ""),
        columns.saturating_sub(1),
    ));
    let problems = transcript.problems_of(Some(number)).iter();
    for problem in problems.filter(|d| open && d.location.segment.is_none()) {
        let ink = problem_ink(problem.severity);
        let head = indent(ink, &format!("{} ", problem_sign(problem.severity)));
        lines.extend(wrapped(head, ink, &problem.message, columns.saturating_sub(1)));
    }
    BelowText { lines, hit: hit_line }
}

/// Returns the lines about events at a turn, the side branch that begins with it, and its parts that are not shown.
fn beside_the_text(
    transcript: &Transcript,
    number: usize,
    columns: usize,
    indent: &impl Fn(Ink, &str) -> Line,
) -> Vec<Line> {
    let turn = &transcript.dialog.turns[number];
    let mut lines = Vec::new();
    let told = transcript.dialog.events.at(number);
    let told = told.map(|event| visible(event).into_owned());
    let head = transcript.head_of_branch(number).into_iter();
    for line in told.chain(head).chain(media_lines(turn)) {
        let sign = indent(Ink::Dim, "");
        lines.extend(wrapped(sign, Ink::Warning, &line, columns.saturating_sub(1)));
    }
    let unread = other_unread(turn);
    if !unread.is_empty() {
        lines.extend(wrapped(
            indent(Ink::Dim, "not read "),
            Ink::Plain,
            &visible(&unread),
            columns.saturating_sub(1),
        ));
    }
    lines
}

/// The texts that a search finds in a call.
struct FoundInCall {
    /// The texts to find in the arguments, and those to find in the answer.
    sought: [Vec<Sought>; 2],
    /// The place of the current match, if that is in this call.
    current: Option<TextPlace>,
}

/// Returns the calls of a turn that have problems other than notes, with the worst severity of each.
fn wrong_calls(transcript: &Transcript, number: usize) -> HashMap<usize, Severity> {
    let turn = &transcript.dialog.turns[number];
    let mut wrong = HashMap::new();
    let problems = transcript.problems_of(Some(number)).iter();
    for problem in problems.filter(|problem| problem.severity > Severity::Note) {
        if let Some((_, call)) = Item::of_call(turn, problem).and_then(|item| item.call()) {
            let worst = wrong.entry(call).or_insert(problem.severity);
            *worst = problem.severity.max(*worst);
        }
    }
    wrong
}

/// The sign of a call that failed, before its name.
pub const FAILED: &str = "✗ ";

/// Returns the lines of a call, and the first one of the current match. What hides the match is unfolded.
fn call_lines(
    call: &ApiCall,
    folding: Folding,
    signs: Line,
    found: &FoundInCall,
    columns: usize,
    indent: &impl Fn(Ink, &str) -> Line,
) -> (Vec<Line>, Option<usize>) {
    let name = visible(&call.name).into_owned();
    let arguments = call.arguments.as_ref().map(payload).unwrap_or_default();
    let asked = format!("{name}({arguments})");
    let columns = columns.saturating_sub(1);
    let has_failed = call.has_failed();
    let mut head = indent(Ink::Call, "↳ ");
    let ink = if has_failed { Ink::Error } else { Ink::Call };
    head.runs.extend(signs.runs);
    if has_failed {
        head.push(ink, FAILED);
    }
    let [in_arguments, in_answer] = &found.sought;
    let is_in_answer = matches!(found.current, Some(TextPlace::Result(_)));
    let is_in_arguments = matches!(found.current, Some(TextPlace::Arguments(_)));
    let mut lines = wrapped(head.clone(), ink, &asked, columns);
    let first = mark_found(&mut lines, in_arguments).first().copied();
    let kept = match folding {
        Folding::Nothing => lines.len(),
        Folding::Calls | Folding::Prompts => 1,
        Folding::Long | Folding::Responses => FOLDED,
    };
    let mut hit = first.filter(|_| is_in_arguments);
    if hit.is_none_or(|line| line < kept) {
        if kept == 1 {
            let mut line = head;
            let room = columns.saturating_sub(line.width());
            line.push(ink, &truncated(&asked, room));
            lines = vec![line];
            mark_found(&mut lines, in_arguments);
        } else {
            shorten(&mut lines, kept, asked.len(), columns);
        }
    }
    let response = call.response.as_ref().map(|response| ("  → ", payload(response)));
    let failures = call.failures().map(|mark| ("  ! ", embedded::shown_field(mark)));
    // A folded call that failed still says why.
    let mut folded = usize::from(has_failed);
    for (sign, response) in response.into_iter().chain(failures) {
        let head = indent(Ink::Dim, sign);
        let ink = if has_failed { Ink::Error } else { Ink::Plain };
        let mut answer = wrapped(head, ink, &response, columns);
        let found = mark_found(&mut answer, in_answer);
        let first = found.first().copied().filter(|_| is_in_answer);
        let kept = match folding {
            Folding::Nothing => answer.len(),
            Folding::Calls | Folding::Prompts => std::mem::take(&mut folded),
            Folding::Responses => 1,
            Folding::Long => FOLDED,
        };
        if first.is_none_or(|line| line < kept) {
            if matches!(folding, Folding::Calls | Folding::Prompts) {
                let head = indent(Ink::Dim, sign);
                let first = response.trim_start().lines().next().unwrap_or_default();
                let room = columns.saturating_sub(head.width());
                let line = head.with(ink, &truncated(first, room));
                answer = Vec::from_iter((kept > 0).then_some(line));
            } else {
                shorten(&mut answer, kept, response.len(), columns);
            }
        }
        hit = hit.or(first.map(|line| lines.len() + line));
        lines.extend(answer);
    }
    (lines, hit)
}

/// Keeps the first `kept` rows of a text of so many bytes, and appends how much more there is.
pub fn shorten(lines: &mut Vec<Line>, kept: usize, bytes: usize, columns: usize) {
    if let Some(note) = fold_note(lines.len(), kept, bytes) {
        lines.truncate(kept);
        if let Some(last) = lines.last_mut() {
            *last = with_note(last, &note, columns);
        }
    }
}

/// Returns arguments or a response in one line.
pub fn payload(payload: &Payload) -> String {
    let ShownPayload { line, broken } = embedded::shown_payload(payload);
    let broken = broken.map_or(String::new(), |why| format!("  ▲ broken JSON: {why}"));
    line + &broken
}

/// Returns the dialogue state before turn `number`.
pub fn state_before(transcript: &Transcript, number: usize) -> &[StateSlot] {
    let mut before = transcript.dialog.turns[..number].iter().rev();
    before.find_map(|turn| turn.state.as_deref()).unwrap_or_default()
}

/// Maps slots by name; of several with one name, the first.
pub fn by_name(slots: &[StateSlot]) -> HashMap<&str, &StateSlot> {
    let slots = slots.iter().rev();
    slots.map(|slot| (slot.slot.as_str(), slot)).collect()
}

/// Lists the changes from `before` to `state`: `+` added, `~` changed, `-` removed; None if there are none. A
/// slot without a value is like one that is missing: some corpora list all slots from the first turn on.
fn changes(state: &[StateSlot], before: &[StateSlot]) -> Option<String> {
    let filled = |slot: &&StateSlot| {
        let value = embedded::shown(&slot.value);
        !value.is_empty() && slot.value != Content::Raw("null".into())
    };
    let (now, then) = (by_name(state), by_name(before));
    let then = |name: &str| then.get(name).filter(|slot| filled(slot));
    let changed = state.iter().filter(filled).filter_map(|slot| {
        let sign = match then(&slot.slot) {
            None => '+',
            Some(old) if old.value != slot.value => '~',
            Some(_) => return None,
        };
        let value = embedded::shown(&slot.value);
        Some(format!("{sign}{}={value}", slot.slot))
    });
    let gone = before.iter().filter(filled).filter(|old| {
        let left = now.get(old.slot.as_str()).filter(|slot| filled(slot));
        left.is_none()
    });
    let all: Vec<_> = changed.chain(gone.map(|old| format!("-{}", old.slot))).collect();
    (!all.is_empty()).then(|| all.join(", "))
}
