//! A chat as its rules see it: roles of turns, calls with their ids and the turns that answer them.

use crate::dialog::{ApiCall, Dialog, LOST_ANSWER};
use crate::format::{ChatForm, ChatRole, call_id};

/// The turns and calls of a chat.
#[derive(Debug)]
pub struct Chat<'a> {
    pub form: &'static ChatForm,
    /// The role of every turn.
    pub roles: Vec<ChatRole>,
    /// Every call, in the order of the turns.
    pub calls: Vec<ChatCall<'a>>,
    /// For every turn, the position in `calls` of the first call that it answers.
    pub answers: Vec<Option<usize>>,
    /// For every turn, whether it holds an answer to no call.
    lost: Vec<bool>,
}

/// A call of a tool.
#[derive(Debug)]
pub struct ChatCall<'a> {
    pub turn: usize,
    /// Position in the turn.
    pub call: usize,
    pub of: &'a ApiCall,
    pub id: Option<&'a str>,
    /// The turn with its answer.
    pub answer: Option<usize>,
}

/// Returns every call of a dialog, in the order of the turns, without the turns that answer them.
pub(super) fn calls(dialog: &Dialog) -> Vec<ChatCall<'_>> {
    let mut all = Vec::new();
    for (turn, of) in dialog.turns.iter().enumerate() {
        all.extend(of.calls.iter().enumerate().map(|(call, of)| ChatCall {
            turn,
            call,
            of,
            id: call_id(of),
            answer: None,
        }));
    }
    all
}

impl<'a> Chat<'a> {
    pub(super) fn new(form: &'static ChatForm, dialog: &'a Dialog) -> Self {
        let turns = || dialog.turns.iter().enumerate();
        let roles = turns().map(|(_, turn)| form.role_of(turn));
        let mut chat = Self {
            form,
            roles: roles.collect(),
            calls: calls(dialog),
            answers: vec![None; dialog.turns.len()],
            lost: dialog.turns.iter().map(|turn| turn.unread.has(LOST_ANSWER)).collect(),
        };
        let mut places = Vec::new();
        for (number, call) in chat.calls.iter().enumerate() {
            let answer = call.of.response_place();
            places.extend(answer.map(|at| (at.start, number)));
        }
        places.sort_unstable();
        for (turn, of) in turns() {
            let place = places.partition_point(|(start, _)| *start < of.at.start);
            let here = places[place..].iter();
            for (_, call) in here.take_while(|(start, _)| *start < of.at.end) {
                chat.answers[turn].get_or_insert(*call);
                chat.calls[*call].answer = Some(turn);
            }
        }
        chat
    }

    /// True if a turn is the answer of a tool, but of no call.
    pub fn is_orphan(&self, turn: usize) -> bool {
        self.roles[turn] == ChatRole::Tool && self.lost[turn]
    }

    /// Returns the first user or assistant turn after `turn`; the number of turns if there is none.
    pub fn next_side(&self, turn: usize) -> usize {
        let after = self.roles.iter().enumerate().skip(turn + 1);
        let mut sides =
            after.filter(|(_, role)| matches!(role, ChatRole::User | ChatRole::Assistant));
        sides.next().map_or(self.roles.len(), |(next, _)| next)
    }
}
