//! Logs of the Dialogue Breakdown Detection Challenge: O/T/X votes on system turns.
//!
//! One dialog per file. The English logs of four systems and the Japanese ones differ in key order,
//! whitespace, and the spelling of an unset `ungrammatical-sentence`; user turns have empty `annotations`.

use crate::dialog::{
    Content, Dialog, Edit, EditError, EditKind, Extent, Field, Issue, Role, Short, Speaker, Turn,
    Vote,
};
use crate::format::engine::edit::{EditedDialog, append, not_editable, object_of, set_text};
use crate::format::engine::read::breakdown;
use crate::format::engine::read::{self, Frame, Reader, each, extent, know_fields, members};
use crate::format::engine::shape::{any_has, has_objects, is_empty};
use crate::format::engine::turns::{self, NewPlace};
use crate::format::families::dbdc_log::CALLS_DIGEST;
use crate::format::{Format, Sign};
use crate::json::{Editor, NewValue, NodeKind, Splice, Tree, Value};
use crate::text::{Units, counted};

pub struct Dbdc;

const TITLE: &str = "DBDC log";

const FRAME: Frame = Frame {
    id: "dialogue-id",
    turns: "turns",
    known: &[("group-id", false), ("speaker-id", false)],
};

/// The member with the time of a turn.
const TIME: &str = "time";
/// The member with the number of a turn.
const INDEX: &str = "turn-index";

impl Format for Dbdc {
    fn name(&self) -> &'static str {
        "dbdc"
    }

    fn title(&self) -> &'static str {
        TITLE
    }

    fn holds(&self) -> &'static str {
        "turns with breakdown votes O, T, X by many annotators, comments"
    }

    fn has_companions(&self) -> bool {
        true
    }

    fn id_key(&self) -> &'static str {
        FRAME.id
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../assets/schemas/dbdc.schema.json")
    }

    fn signs(&self, root: Value<'_>) -> Vec<Sign> {
        // Gold labels that were all removed again.
        let is_gold = root.get(crate::format::families::gold::MARK).is_some();
        let empty = is_empty(root, FRAME.turns) && !is_gold;
        let index = any_has(root, FRAME.turns, INDEX, |_| true);
        let utterance = any_has(root, FRAME.turns, "utterance", |v| v.kind() == NodeKind::String);
        vec![
            Sign::new("`turns`, an array of objects", has_objects(root, FRAME.turns)),
            Sign::new("`turn-index` in its turns", index || empty),
            Sign::new("`utterance`, a string, in its turns", utterance || empty),
        ]
    }

    fn has_turns(&self, root: Value<'_>) -> bool {
        !is_empty(root, FRAME.turns)
    }

    fn read_form(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        read::dialog(tree, Units::CodePoints, &FRAME, |reader, (_, value), turns| {
            turns.push(turn(reader, value));
        })
    }

    fn has(&self) -> &'static [EditKind] {
        &[EditKind::Text, EditKind::Speaker, EditKind::Turns, EditKind::Fields, EditKind::Votes]
    }

    fn write(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        let (before, after) = edited.turns();
        let object = object_of(editor, before.at, "the turn")?;
        let position = |annotator: &str, turn: &Turn| {
            turn.votes.iter().position(|vote| vote.annotator == annotator)
        };
        Ok(match edited.edit {
            Edit::SetText { text, .. } => vec![set_text(editor, object, "utterance", text)],
            Edit::SetSpeaker { speaker, .. } => {
                if after.speaker.role == Role::User && !before.votes.is_empty() {
                    let votes = counted(before.votes.len(), "vote");
                    let reason = format!("the turn has {votes}, and nobody judges a user's turn");
                    return Err(not_editable("the speaker", &reason));
                }
                vec![set_text(editor, object, "speaker", speaker)]
            }
            Edit::CastVote { annotator, .. } => {
                let old = position(annotator, before).map(|i| &before.votes[i]);
                match (old, position(annotator, after).map(|i| &after.votes[i])) {
                    (Some(old), Some(new)) => change_vote(editor, old, new)?,
                    (None, Some(new)) => {
                        vec![append(editor, object, "annotations", new_vote(new))?]
                    }
                    (_, None) => Vec::new(),
                }
            }
            Edit::WithdrawVote { annotator, .. } => {
                let array = object.get("annotations").zip(position(annotator, before));
                array
                    .and_then(|(array, i)| editor.remove_at(array, before.votes[i].at.start))
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        })
    }

    fn complete(&self, edit: &Edit, after: &mut Dialog) {
        turns::number_first(edit, after);
        let Edit::AddTurn { turn, .. } = edit else {
            return;
        };
        let is_time = |field: &Field| field.name == TIME;
        let others = after.turns.iter().enumerate();
        let mut others = others.filter(|(place, _)| place != turn).peekable();
        let are_timed =
            others.peek().is_some() && others.all(|(_, other)| other.fields.iter().any(is_time));
        if let Some(new) = after.turns.get_mut(*turn).filter(|_| are_timed) {
            // Nobody knows when it was said.
            new.fields.push(Field {
                name: TIME.into(),
                content: Content::Text(Short::default()),
                known: true,
                at: Extent::default(),
            });
        }
    }

    fn write_turns(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        if let Edit::RemoveTurn { .. } = edited.edit {
            return turns::remove_turn(editor, edited, Some(INDEX));
        }
        let place = NewPlace::under(editor, FRAME.turns, edited.edit)?;
        let members = turns::new_members(edited, &place, ["speaker", "utterance"]);
        turns::add_turn(editor, edited, &place, members, Some(INDEX))
    }
}

fn turn(reader: &mut Reader, value: Value<'_>) -> Turn {
    let mut turn = Turn { at: extent(value), ..Turn::default() };
    if !reader.is_object_in(value, "turns") {
        return turn;
    }
    let keys = [INDEX, "speaker", "utterance", "annotations"];
    let [index, speaker, utterance, annotations] = members(value, keys, &mut turn.fields);
    let index = reader.required(index, value, "the turn", "turn-index");
    turn.index = reader.index(index, "turn-index");
    let speaker = reader.required(speaker, value, "the turn", "speaker");
    turn.speaker = Speaker::named(reader.text(speaker, "speaker"));
    let utterance = reader.required(utterance, value, "the turn", "utterance");
    turn.text = reader.text(utterance, "utterance");
    let known = [(TIME, false), ("annotation-id", false), (CALLS_DIGEST, false)];
    know_fields(reader, value, &mut turn.fields, &known);
    if let Some(annotations) = annotations {
        let elements = reader.elements(annotations, "annotations");
        turn.votes = each(elements, |value| vote(reader, value));
    }
    turn
}

fn vote(reader: &mut Reader, value: Value<'_>) -> Vote {
    let mut vote = Vote { at: extent(value), ..Vote::default() };
    if !reader.is_object_in(value, "annotations") {
        return vote;
    }
    let keys = ["annotator-id", "breakdown", "comment", "ungrammatical-sentence"];
    let [annotator, label, comment, ungrammatical] = members(value, keys, &mut vote.fields);
    let annotator = reader.required(annotator, value, "the vote", "annotator-id");
    vote.annotator = reader.text(annotator, "annotator-id");
    let label = reader.required(label, value, "the vote", "breakdown");
    vote.breakdown = breakdown(reader, label);
    vote.comment = reader.text(comment, "comment");
    vote.ungrammatical = reader.text(ungrammatical, "ungrammatical-sentence");
    vote
}

fn change_vote(editor: &Editor<'_>, old: &Vote, new: &Vote) -> Result<Vec<Splice>, EditError> {
    let object = object_of(editor, old.at, "the vote")?;
    let mut splices = Vec::new();
    if let Some(breakdown) = new.breakdown {
        splices.push(set_text(editor, object, "breakdown", breakdown.letter()));
    }
    if old.comment != new.comment {
        splices.push(set_text(editor, object, "comment", &new.comment));
    }
    if old.ungrammatical != new.ungrammatical {
        splices.push(set_text(editor, object, "ungrammatical-sentence", &new.ungrammatical));
    }
    Ok(splices)
}

fn new_vote(vote: &Vote) -> NewValue {
    let member = |key: &str, text: &str| (key.to_owned(), NewValue::String(text.to_owned()));
    NewValue::Object(vec![
        member("annotator-id", &vote.annotator),
        member("breakdown", vote.breakdown.map_or("", crate::dialog::Breakdown::letter)),
        member("comment", &vote.comment),
        member("ungrammatical-sentence", &vote.ungrammatical),
    ])
}
