//! A sample of edits for a dialog: every kind its family has, at the places that differ.

use turnwise::dialog::{
    ApiCall, Breakdown, CallPart, Content, Dialog, Edit, Extent, Mark, Role, Short, Span, Turn,
};
use turnwise::format::call_id;
use turnwise::text::Units;

use super::plan_values;

/// A character that no corpus has, so that where a text differs is never in doubt.
pub const NEW: char = '§';

pub fn edits(family: &str, dialog: &Dialog) -> Vec<Edit> {
    let mut edits = fields(dialog);
    for turn in turns_to_try(dialog) {
        edits.extend(texts(dialog, turn, NEW));
        edits.extend(speakers(family, dialog, turn));
        edits.extend(removed_turn(family, dialog, turn));
        edits.extend(added_turns(family, dialog, turn));
        edits.extend(plan_values::whole_calls(family, dialog, turn));
        match family {
            "dbdc" => edits.extend(votes(dialog, turn)),
            "messages" | "sharegpt" => {
                // Answers are texts; one that is null is refused.
                let is_of_null = |edit: &Edit| {
                    let Edit::SetValue { call, part, .. } = edit else {
                        return false;
                    };
                    let response = dialog.turns[turn].calls[*call].response.as_ref();
                    *part == CallPart::Response && response.is_some_and(|it| it.value().is_some())
                };
                let all = plan_values::calls(dialog, turn).into_iter();
                edits.extend(all.filter(|edit| !is_of_null(edit)));
            }
            "sim-gen" => edits.extend(plan_values::exchange(family, dialog, turn)),
            "sim" => {
                edits.extend(tokens(dialog, turn));
                edits.extend(segments(family, dialog, turn));
                edits.extend(plan_values::exchange(family, dialog, turn));
            }
            _ => {
                edits.extend(segments(family, dialog, turn));
                edits.extend(plan_values::calls(dialog, turn));
            }
        }
    }
    edits
}

/// The first and the last text of the dialog itself, longer and empty.
fn fields(dialog: &Dialog) -> Vec<Edit> {
    let texts = dialog.fields.iter().filter_map(|field| match &field.content {
        Content::Text(text) => Some((&field.name, text)),
        Content::Raw(_) => None,
    });
    let once =
        |(name, _): &(&Short, _)| dialog.fields.iter().filter(|f| f.name == **name).count() == 1;
    let texts: Vec<_> = texts.filter(once).collect();
    let mut ends: Vec<_> = texts.first().into_iter().chain(texts.last()).collect();
    ends.dedup();
    let set = |(name, text): &(&Short, &Short)| {
        [format!("{NEW} é\" {text}"), String::new()]
            .map(|text| Edit::SetField { name: name.to_string(), text })
    };
    ends.into_iter().flat_map(set).collect()
}

/// The turn with most in it, one with a single thing, one with none; and the first.
fn turns_to_try(dialog: &Dialog) -> Vec<usize> {
    let held = |turn: &Turn| turn.segments.len() + turn.votes.len();
    let position = |count: usize| dialog.turns.iter().position(|t| held(t) == count);
    let most = dialog.turns.iter().map(held).max().unwrap_or(0);
    let empty_system = |t: &Turn| held(t) == 0 && t.speaker.role != Role::User;
    let mut turns: Vec<usize> = [
        Some(0).filter(|_| !dialog.turns.is_empty()),
        position(most),
        position(1),
        position(0),
        dialog.turns.iter().position(empty_system),
        dialog.turns.iter().position(|t| t.calls.len() > 1),
        dialog.turns.iter().position(|t| !t.calls.is_empty()),
        dialog.turns.iter().position(|t| t.acts.len() > 1),
    ]
    .into_iter()
    .flatten()
    .collect();
    turns.sort_unstable();
    turns.dedup();
    turns
}

fn segments(family: &str, dialog: &Dialog, turn: usize) -> Vec<Edit> {
    let at = &dialog.turns[turn];
    let one_label = family == "sim";
    let mut edits = Vec::new();
    for (segment, found) in at.segments.iter().enumerate() {
        edits.extend(found.span.iter().flat_map(|span| spans(dialog, turn, segment, *span)));
        let label = |n: usize| (0..n).map(|i| format!("new.label_{i}")).collect();
        let counts = if one_label { 1..2 } else { 0..3 };
        edits.extend(counts.map(|n| Edit::SetLabels { turn, segment, labels: label(n) }));
    }
    let quoted = at.segments.iter().position(|segment| segment.quote.is_some());
    let quotes = [None, Some("another “quote”".to_owned())];
    edits.extend(quoted.into_iter().flat_map(|segment| {
        let quotes = quotes.clone().into_iter();
        quotes.map(move |text| Edit::SetQuote { turn, segment, text })
    }));
    let count = at.segments.len();
    let mut removed = vec![0, count / 2, count.saturating_sub(1)];
    removed.dedup();
    removed.retain(|segment| *segment < count);
    edits.extend(removed.into_iter().map(|segment| Edit::RemoveSegment { turn, segment }));
    let length = at.length(dialog.units) as u32;
    if length > 0 {
        edits.push(added(turn, 0, length, 1));
        edits.push(added(turn, length - 1, length, if one_label { 1 } else { 2 }));
    }
    edits
}

fn added(turn: usize, start: u32, end: u32, labels: usize) -> Edit {
    Edit::AddSegment {
        turn,
        start,
        end,
        labels: (0..labels).map(|i| format!("added.café_{i}")).collect(),
    }
}

/// Both edges moved by one, in and out.
fn spans(dialog: &Dialog, turn: usize, segment: usize, span: Span) -> Vec<Edit> {
    let length = dialog.turns[turn].length(dialog.units) as u32;
    let Span { start, end } = span;
    let moved = [
        (start, end.saturating_add(1)),
        (start, end.saturating_sub(1)),
        (start.saturating_add(1), end),
        (start.wrapping_sub(1), end),
        (start.wrapping_sub(1), end.saturating_add(1)),
    ];
    let fits = |(start, end): &(u32, u32)| start < end && *end <= length;
    let set = |(start, end)| Edit::SetSpan { turn, segment, start, end };
    moved.into_iter().filter(fits).map(set).collect()
}

/// The speakers of other turns, and one that no corpus has.
fn speakers(family: &str, dialog: &Dialog, turn: usize) -> Vec<Edit> {
    let at = &dialog.turns[turn];
    // Who speaks is the place of a turn, or the turn belongs to a call.
    let is_fixed = family.starts_with("sim") || is_answer(dialog, at) || !at.calls.is_empty();
    // An answer without an id belongs to the calls of the last message.
    let is_chat = ["messages", "sharegpt"].contains(&family);
    if is_fixed || is_chat && dialog.turns.iter().any(|turn| !turn.calls.is_empty()) {
        return Vec::new();
    }
    let of_tool = ["tool", "function", "observation", "function_call"];
    let others = dialog.turns.iter().map(|turn| turn.speaker.name.as_str());
    let mut names: Vec<&str> = others.filter(|name| !of_tool.contains(name)).collect();
    names.push("a \"né\" speaker");
    names.sort_unstable();
    names.dedup();
    // Nobody votes on what a user says.
    let judged = |name: &&str| at.votes.is_empty() || !name.eq_ignore_ascii_case("u");
    let names = names.into_iter().filter(|name| !name.is_empty());
    let names = names.filter(judged).take(4);
    let set = |name: &str| Edit::SetSpeaker { turn, speaker: name.to_owned() };
    names.map(set).collect()
}

/// Turns added before a turn and behind it, where nothing is in their way.
fn added_turns(family: &str, dialog: &Dialog, turn: usize) -> Vec<Edit> {
    let calls_before = |place: usize| dialog.turns[..place].iter().flat_map(|turn| &turn.calls);
    let is_free = |place: usize| {
        let next = dialog.turns.get(place);
        let is_behind = |at: Extent| next.is_some_and(|next| at.start >= next.at.start);
        let mut places = calls_before(place).filter_map(ApiCall::response_place);
        let last = place.checked_sub(1).map(|last| &dialog.turns[last]);
        let exchange = last.map(|last| last.exchange.start);
        let is_inside =
            next.is_some_and(|next| next.exchange.end > 0 && exchange == Some(next.exchange.start));
        !places.any(is_behind) && !is_inside
    };
    let speakers = |place: usize| -> Vec<String> {
        if family.starts_with("sim") {
            let next = dialog.turns.get(place);
            let has_system = next.is_some_and(|next| next.speaker.role == Role::User);
            let system = has_system.then_some("system");
            return ["user"].into_iter().chain(system).map(str::to_owned).collect();
        }
        let of_tool = ["tool", "function", "observation", "function_call"];
        let names = dialog.turns.iter().map(|turn| turn.speaker.name.to_string());
        let mut names: Vec<_> = names.filter(|name| !of_tool.contains(&name.as_str())).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !name.is_empty());
        names.truncate(2);
        names
    };
    let add = |turn: usize| {
        let new =
            |speaker: String| Edit::AddTurn { turn, speaker, text: format!("{NEW} so \"né\"") };
        speakers(turn).into_iter().map(new).collect::<Vec<_>>()
    };
    // Turns without numbers give a new one none.
    let has_number = |place: usize| {
        let beside = [place.checked_sub(1), Some(place)];
        let mut beside = beside.into_iter().flatten();
        family.starts_with("sim")
            || ["messages", "sharegpt"].contains(&family)
            || beside.any(|at| dialog.turns.get(at).is_some_and(|turn| turn.index.is_some()))
    };
    let places = [turn, turn + 1].into_iter();
    let places = places.filter(|place| is_free(*place) && has_number(*place));
    places.flat_map(add).collect()
}

/// A turn removed, where nothing refers to it.
fn removed_turn(family: &str, dialog: &Dialog, turn: usize) -> Option<Edit> {
    let at = &dialog.turns[turn];
    let is_answered = |call: &ApiCall| {
        let place = call.response_place();
        place.is_some_and(|place| !(at.at.start..at.at.end).contains(&place.start))
    };
    let has_system = || {
        let before = turn.checked_sub(1).map(|before| &dialog.turns[before]);
        before.is_some_and(|before| before.exchange.start == at.exchange.start)
    };
    let is_free = match family {
        "sim" | "sim-gen" => at.speaker.role != Role::User || !has_system(),
        // An answer without an id belongs to the call whose turn it is.
        "messages" | "sharegpt" => {
            let calls = || dialog.turns.iter().flat_map(|turn| &turn.calls);
            let in_order = is_answer(dialog, at) && calls().any(|call| call_id(call).is_none());
            !in_order && !at.calls.iter().any(is_answered)
        }
        _ => true,
    };
    (is_free && dialog.turns.len() > 1).then_some(Edit::RemoveTurn { turn })
}

/// The tokens with the first one gone, with the last one another, and none.
fn tokens(dialog: &Dialog, turn: usize) -> Vec<Edit> {
    let all: Vec<String> = dialog.turns[turn].tokens.iter().map(ToString::to_string).collect();
    let mut other = all.clone();
    if let Some(last) = other.last_mut() {
        *last = format!("{NEW}\"é");
    }
    let fewer = all.iter().skip(1).cloned().collect();
    let lists = [fewer, other, Vec::new()].into_iter();
    lists.map(|tokens| Edit::SetTokens { turn, tokens }).collect()
}

/// `new` put before the last span, behind all, into the first span that has an inside, and on both
/// sides of the first.
pub fn texts(dialog: &Dialog, turn: usize, new: char) -> Vec<Edit> {
    let at = &dialog.turns[turn];
    // The texts of answers and calls are edited as such.
    if is_answer(dialog, at) || at.speaker.name == "function_call" {
        return Vec::new();
    }
    let length = at.length(dialog.units);
    let spans: Vec<Span> = at.segments.iter().filter_map(|s| s.span).collect();
    let inside = |span: &&Span| span.start < span.end.saturating_sub(1);
    let places = [
        (spans.iter().map(|span| vec![span.start]).max(), false),
        (Some(vec![length as u32]), false),
        (spans.iter().find(inside).map(|span| vec![span.start + 1]), true),
        (spans.first().map(|span| vec![span.start, span.end]), false),
    ];
    let edits = places.into_iter().filter_map(|(places, drop)| {
        let places = places?.into_iter().map(|place| length.min(place as usize));
        let text = with(at, dialog.units, places.collect(), new)?;
        let cuts = |edit: &Edit| !drop && edit.apply(dialog).is_err();
        let shrink = false;
        let edit = Edit::SetText { turn, text, drop, shrink };
        Some(if cuts(&edit) { dropping(edit) } else { edit })
    });
    edits.collect()
}

/// True if what a turn says is the response of another turn's call, also one without a text.
fn is_answer(dialog: &Dialog, turn: &Turn) -> bool {
    let others = dialog.turns.iter().filter(|other| !std::ptr::eq(*other, turn));
    let calls = others.flat_map(|other| &other.calls);
    let mut answers = calls.filter_map(ApiCall::response_place);
    answers.any(|at| turn.at.start <= at.start && at.end <= turn.at.end)
}

/// The same edit with permission to drop the segments that it cuts.
fn dropping(edit: Edit) -> Edit {
    match edit {
        Edit::SetText { turn, text, .. } => Edit::SetText { turn, text, drop: true, shrink: false },
        other => other,
    }
}

/// The text of `turn` with `new` before each of the units `places`.
fn with(turn: &Turn, units: Units, mut places: Vec<usize>, new: char) -> Option<String> {
    places.sort_unstable_by(|a, b| b.cmp(a));
    if units == Units::CodePoints {
        let mut chars: Vec<char> = turn.text.chars().collect();
        for place in places {
            chars.splice(place..place, [new, 'é', '"']);
        }
        return Some(chars.into_iter().collect());
    }
    let mut tokens: Vec<String> = turn.tokens.iter().map(ToString::to_string).collect();
    let plain = tokens.join(" ") == turn.text;
    for place in places {
        tokens.insert(place, format!("{new}é\""));
    }
    plain.then(|| tokens.join(" "))
}

fn votes(dialog: &Dialog, turn: usize) -> Vec<Edit> {
    let at = &dialog.turns[turn];
    if at.speaker.role == Role::User {
        return Vec::new();
    }
    let cast = |annotator: &str, breakdown, comment: Option<&str>, ungrammatical| Edit::CastVote {
        turn,
        annotator: annotator.to_owned(),
        breakdown,
        comment: comment.map(str::to_owned),
        ungrammatical,
    };
    let mut edits = vec![
        cast("new-one", Breakdown::T, None, None),
        cast("new-one", Breakdown::X, Some("naïve \"no\""), Some(Mark::Flag(true))),
        cast("new-one", Breakdown::O, Some(""), Some(Mark::Flag(false))),
    ];
    let named = |annotator: &&str| {
        let own = at.votes.iter().filter(|v| v.annotator == **annotator);
        !annotator.is_empty() && own.count() == 1
    };
    let annotators: Vec<&str> = at.votes.iter().map(|v| v.annotator.as_str()).collect();
    let ends = [annotators.first(), annotators.get(annotators.len() / 2), annotators.last()];
    for annotator in ends.into_iter().flatten().filter(|a| named(a)) {
        let mark = Mark::Text("?".to_owned());
        edits.push(cast(annotator, Breakdown::X, None, None));
        edits.push(cast(annotator, Breakdown::T, Some("hm"), Some(mark)));
        edits.push(Edit::WithdrawVote { turn, annotator: (*annotator).to_owned() });
    }
    edits
}
