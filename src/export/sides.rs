//! The two sides of a pair as messages: those before the sides differ, and those of each side.

use super::chat_messages::{ASSISTANT, Message, messages};
use super::export_format::ExportedDialog;
use super::left_out::LeftOut;
use crate::dialog::Short;
use crate::json::Parser;

/// A pair as messages.
pub struct Sides {
    pub prompt: Vec<Message>,
    sides: [Side; 2],
}

struct Side {
    name: Short,
    answer: Vec<Message>,
}

impl Sides {
    /// Returns the sides of a dialog; None, which is counted, if they do not answer the same prompt.
    pub fn of(dialog: &ExportedDialog<'_>, left_out: &mut LeftOut) -> Option<Self> {
        let mut parser = Parser::new();
        let tree = parser.parse_piece_str(dialog.json).ok()?;
        let inside = dialog.format.other_side(tree).map(|(other, _)| other);
        let Some(other) = dialog.other_side.or(inside.as_ref()) else {
            left_out.one([
                "pair whose other side is not in these files",
                "pairs whose other sides are not in these files",
            ]);
            return None;
        };
        let names = dialog.dialog.sides.as_ref()?.names.clone();
        let own = messages(dialog.dialog, dialog.format, left_out);
        let other = messages(other, dialog.format, left_out);
        let flat = |turns: Vec<Vec<Message>>| turns.into_iter().flatten().collect();
        let [own, other]: [Vec<Message>; 2] = [own, other].map(flat);
        let shared = own.iter().zip(&other).take_while(|(own, other)| own == other);
        let shared = shared.count();
        let answers = |messages: &[Message]| {
            let first = messages.get(shared);
            first.is_some_and(|message| message.role == ASSISTANT)
        };
        if shared == 0 || !answers(&own) || !answers(&other) {
            left_out.one([
                "pair whose answers have different prompts",
                "pairs whose answers have different prompts",
            ]);
            return None;
        }
        let [own_name, other_name] = names;
        Some(Self {
            prompt: own[..shared].to_vec(),
            sides: [(own_name, own), (other_name, other)]
                .map(|(name, messages)| Side { name, answer: messages[shared..].to_vec() }),
        })
    }

    /// Returns the messages of both sides.
    pub fn both(&self) -> [&[Message]; 2] {
        [&self.sides[0].answer, &self.sides[1].answer]
    }

    /// Returns the messages of the side called `better`, and those of the other one; None, which is counted, if there is
    /// no such side.
    pub fn ordered(&self, better: &str, left_out: &mut LeftOut) -> Option<[&[Message]; 2]> {
        let [own, other] = self.both();
        match self.sides.iter().position(|side| side.name == better) {
            Some(0) => Some([own, other]),
            Some(_) => Some([other, own]),
            None => {
                left_out.one(["answer with an unknown side", "answers with unknown sides"]);
                None
            }
        }
    }
}
