//! A dialog as rules see it, with the facts that most of them need, computed once.

use std::cell::OnceCell;
use std::rc::Rc;

use super::call::Call;
use super::call_faults::{CallFault, declares_tools, faults, faults_by_declarations};
use super::chat::{Chat, ChatCall, calls};
use super::lookup::DialogLookup;
use super::mention::{Location, Mention};
use super::overlap::overlapping;
use super::slot_lookup::SlotLookup;
use super::transcript::LowercaseTranscript;
use crate::dialog::{Dialog, Extent, Issue, Short, Span, Turn};
use crate::format::Family;
use crate::json::Tree;
use crate::ontology::{Ontologies, Ontology};
use crate::text::CodePoints;

/// A dialog with its schema violations and the text it was read from.
#[derive(Clone, Copy)]
pub struct ParsedDialog<'a> {
    pub dialog: &'a Dialog,
    pub issues: &'a [Issue],
    pub format: &'static Family,
    pub tree: Tree<'a>,
}

/// A dialog with everything that rules need.
pub struct Subject<'a> {
    pub dialog: &'a Dialog,
    /// Its schema violations.
    pub issues: &'a [Issue],
    pub format: &'static Family,
    /// The ontology of its family and, if known, its domain.
    pub ontology: &'a Ontology,
    /// Its parsed text.
    pub tree: Tree<'a>,
    mentions: Vec<Mention<'a>>,
    // Computed when the first rule asks.
    calls: OnceCell<Vec<Call<'a>>>,
    chat: OnceCell<Chat<'a>>,
    tool_calls: OnceCell<Vec<ChatCall<'a>>>,
    call_faults: OnceCell<Vec<CallFault>>,
    said: OnceCell<LowercaseTranscript>,
    meeting: OnceCell<Vec<(usize, usize)>>,
    pub(super) lookup: DialogLookup<'a>,
    pub(super) slots: SlotLookup<'a>,
}

impl<'a> Subject<'a> {
    pub fn new(read: ParsedDialog<'a>, ontology: &'a Ontology) -> Self {
        let ParsedDialog { dialog, issues, format, tree } = read;
        let count = dialog.turns.iter().map(|turn| turn.segments.len()).sum();
        let mut mentions = Vec::with_capacity(count);
        for (number, turn) in dialog.turns.iter().enumerate() {
            if turn.segments.is_empty() {
                continue;
            }
            let points = Rc::new(CodePoints::new(&turn.text));
            let tokens = (dialog.units.is_tokens()).then(|| Rc::new(turn.places(dialog.units)));
            for (segment, of) in turn.segments.iter().enumerate() {
                let covers = |span: Span| match &tokens {
                    _ if span.start >= span.end => None,
                    None => points.range(span.start as usize, span.end as usize),
                    Some(spans) => {
                        (span.end as usize <= turn.tokens.len()).then(|| spans.bytes_of(span))
                    }
                };
                let bytes = of.span.and_then(covers);
                let text = bytes.clone().and_then(|bytes| turn.text.get(bytes));
                let quoted = || of.exact_quote().is_none_or(|quote| Some(quote) == text);
                mentions.push(Mention {
                    turn: number,
                    segment,
                    of,
                    said: &turn.text,
                    points: Rc::clone(&points),
                    tokens: tokens.clone(),
                    bytes,
                    is_valid: text.is_some_and(|text| !is_blank(text)) && quoted(),
                });
            }
        }
        Self {
            dialog,
            issues,
            format,
            ontology,
            tree,
            mentions,
            calls: OnceCell::new(),
            chat: OnceCell::new(),
            tool_calls: OnceCell::new(),
            call_faults: OnceCell::new(),
            said: OnceCell::new(),
            meeting: OnceCell::new(),
            lookup: DialogLookup::default(),
            slots: SlotLookup::default(),
        }
    }

    /// Returns the turns and calls of a chat; None if it is not a chat.
    pub fn chat(&self) -> Option<&Chat<'a>> {
        let form = self.format.chat()?;
        Some(self.chat.get_or_init(|| Chat::new(form, self.dialog)))
    }

    /// Returns the calls of a dialog that declares its tools, and of any chat or session; empty for others.
    pub fn tool_calls(&self) -> &[ChatCall<'a>] {
        if let Some(chat) = self.chat() {
            return &chat.calls;
        }
        self.tool_calls.get_or_init(|| {
            if self.is_chat() || self.declares_tools() { calls(self.dialog) } else { Vec::new() }
        })
    }

    /// Returns the faults in the [`Self::tool_calls`] and their arguments.
    pub fn call_faults(&self) -> &[CallFault] {
        self.call_faults.get_or_init(|| match self.chat() {
            Some(chat) => faults(self.tree.root(), chat, self.dialog),
            None if self.tool_calls().is_empty() => Vec::new(),
            None => {
                let declarations = self.format.api_declarations(self.tree.root());
                faults_by_declarations(&declarations, self.tool_calls(), self.is_chat())
            }
        })
    }

    /// True if the dialog declares its tools, so that no other ontology is asked.
    pub fn declares_tools(&self) -> bool {
        match self.format.chat() {
            Some(form) => declares_tools(self.tree.root(), form, self.dialog),
            None => !self.format.api_declarations(self.tree.root()).is_empty(),
        }
    }

    /// True if it is a chat with roles and tool calls, which has rules of its own, or a session of an agent.
    pub fn is_chat(&self) -> bool {
        self.format.is_session()
    }

    /// Returns every API call, in the order of the text.
    pub fn calls(&self) -> &[Call<'a>] {
        self.calls.get_or_init(|| {
            let all = self.turns().flat_map(|(turn, of)| {
                let calls = of.calls.iter().enumerate();
                calls.map(move |(call, of)| (turn, call, of))
            });
            all.map(|(turn, call, of)| Call::new(turn, call, of, self.ontology.api(&of.name)))
                .collect()
        })
    }

    /// Returns the texts of the turns, in lower case.
    pub fn said(&self) -> &LowercaseTranscript {
        self.said.get_or_init(|| LowercaseTranscript::new(self.dialog))
    }

    /// Returns every segment, in the order of the text.
    pub fn mentions(&self) -> &[Mention<'a>] {
        &self.mentions
    }

    /// Returns the segments of `turn`.
    pub fn mentions_of(&self, turn: usize) -> &[Mention<'a>] {
        let start = self.mentions.partition_point(|m| m.turn < turn);
        let end = self.mentions.partition_point(|m| m.turn <= turn);
        &self.mentions[start..end]
    }

    /// Pairs of valid segments that share text, ordered by start; if both start at the same place, the
    /// longer one comes first.
    pub fn meeting(&self) -> impl Iterator<Item = (&Mention<'a>, &Mention<'a>)> {
        let pairs = self.meeting.get_or_init(|| overlapping(&self.mentions));
        pairs.iter().map(|&(first, second)| (&self.mentions[first], &self.mentions[second]))
    }

    /// Returns every turn with its position.
    pub fn turns(&self) -> impl Iterator<Item = (usize, &'a Turn)> + use<'a> {
        self.dialog.turns.iter().enumerate()
    }

    /// Returns the place of the whole dialog.
    pub fn location(&self) -> Location {
        Location { at: self.dialog.at, ..Location::default() }
    }

    /// Returns the place of a whole turn.
    pub fn location_of(&self, turn: usize) -> Location {
        self.location_at(turn, self.dialog.turns[turn].at)
    }

    /// Returns the place `at` in the text, with the turn and the segment that contain it.
    pub fn location_in(&self, at: Extent) -> Location {
        let turn = self.turn_at(at);
        let mentions = turn.map_or(&[][..], |turn| self.mentions_of(turn));
        // Segments are in the order of the text.
        let behind = mentions.partition_point(|m| m.of.at.start <= at.start);
        let segment = mentions[..behind].last().filter(|m| at.end <= m.of.at.end);
        let segment = segment.map(|m| m.segment);
        Location { turn, segment, at }
    }

    /// Returns the place `at` in the text, in `turn`.
    pub fn location_at(&self, turn: usize, at: Extent) -> Location {
        Location { turn: Some(turn), segment: None, at }
    }
}

/// Returns the ontology for a dialog, by its family, vertical and names.
pub fn ontology_of<'o>(
    all: &'o Ontologies,
    format: &'static Family,
    dialog: &Dialog,
) -> &'o Ontology {
    let vertical = dialog.fields.iter().find(|f| f.name == "vertical");
    let names = dialog.turns.iter().flat_map(|turn| {
        let labels = turn.segments.iter().flat_map(|s| &s.labels);
        let calls = turn.calls.iter().map(|call| &call.name);
        let slots = turn.state.iter().flatten().map(|state| &state.slot);
        labels.map(|label| &label.name).chain(calls).chain(slots)
    });
    all.of(format.name(), vertical.map(|field| field.content.as_str()), &names.map(Short::as_str))
}

/// True if `text` contains only whitespace.
fn is_blank(text: &str) -> bool {
    // Fast path: nearly always the first character decides.
    !text.bytes().next().is_some_and(|byte| byte.is_ascii_graphic()) && text.trim().is_empty()
}
