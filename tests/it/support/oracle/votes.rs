//! The part of the oracle that is about breakdown votes.

use turnwise::dialog::{Breakdown, Edit, Mark};

use super::super::value::Json;
use super::{append, ordered, set, sibling};

pub fn is_by(vote: &Json, annotator: &str) -> bool {
    vote.get("annotator-id").and_then(Json::as_str) == Some(annotator)
}

pub fn cast(turn: &mut Json, dialog: &Json, annotator: &str, edit: &Edit) {
    let Edit::CastVote { breakdown, comment, ungrammatical, .. } = edit else {
        return;
    };
    let neutral = neutral(dialog);
    let mark = ungrammatical.as_ref().map(|mark| match mark {
        Mark::Flag(true) => "X".to_owned(),
        Mark::Flag(false) => neutral.clone(),
        Mark::Text(text) => text.clone(),
    });
    let own = turn.get_mut("annotations").and_then(Json::elements_mut);
    let own = own.and_then(|votes| votes.iter_mut().find(|vote| is_by(vote, annotator)));
    if let Some(vote) = own {
        set(vote, "breakdown", Json::text(breakdown.letter()));
        if let Some(comment) = comment {
            set(vote, "comment", Json::text(comment));
        }
        if let Some(mark) = mark {
            set(vote, "ungrammatical-sentence", Json::String(mark));
        }
        return;
    }
    let like = sibling(turn, dialog, "annotations");
    let new = new_vote(like, annotator, *breakdown, comment.as_ref(), mark.unwrap_or(neutral));
    append(turn, dialog, "annotations", new);
}

fn new_vote(
    like: Option<&Json>,
    annotator: &str,
    breakdown: Breakdown,
    comment: Option<&String>,
    mark: String,
) -> Json {
    let members = vec![
        ("annotator-id", Json::text(annotator)),
        ("breakdown", Json::text(breakdown.letter())),
        ("comment", Json::text(comment.map_or("", String::as_str))),
        ("ungrammatical-sentence", Json::String(mark)),
    ];
    ordered(like, members)
}

/// The label of the first vote that does not mark a sentence as ungrammatical.
fn neutral(dialog: &Json) -> String {
    let turns = dialog.get("turns").map_or(&[][..], Json::elements);
    let votes = turns.iter().filter_map(|turn| turn.get("annotations"));
    let mut marks = votes.flat_map(Json::elements).map(|vote| {
        let mark = vote.get("ungrammatical-sentence").and_then(Json::as_str);
        mark.unwrap_or_default()
    });
    marks.find(|mark| matches!(*mark, "" | "O")).unwrap_or_default().to_owned()
}
