//! A dialog as rules see it, with the facts that most of them need, computed once: its segments with their texts, and lookups
//! in them, built when the first rule needs them, so that no rule goes through all segments for each segment.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use foldhash::{HashMap, HashMapExt as _};

use crate::dialog::{Dialog, Edit, Extent, Issue, Places, Segment, Short, Span, Turn};
use crate::format::Family;
use crate::json::Tree;
use crate::lint::facts::call::Call;
use crate::lint::facts::chat::{
    CallFault, CallFaultKind, Chat, declares_tools, faults, faults_by_declarations,
};
use crate::lint::facts::transcript::LowercaseTranscript;
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
    chat: OnceCell<Chat>,
    call_faults: OnceCell<Vec<CallFault>>,
    said: OnceCell<LowercaseTranscript>,
    meeting: OnceCell<Vec<(usize, usize)>>,
    /// The segments that cover a text.
    by_text: OnceCell<HashMap<&'a str, Pair>>,
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
            call_faults: OnceCell::new(),
            said: OnceCell::new(),
            meeting: OnceCell::new(),
            by_text: OnceCell::new(),
        }
    }

    /// Returns the turns of a chat, and the answers to its calls; None if it is not a chat.
    pub fn chat(&self) -> Option<&Chat> {
        let form = self.format.chat()?;
        Some(self.chat.get_or_init(|| Chat::new(form, self.dialog, self.calls())))
    }

    /// Returns the faults in the calls of a chat or session, or of another dialog that declares its tools.
    pub fn call_faults(&self) -> impl Iterator<Item = (&Call<'a>, &CallFaultKind)> {
        let faults = self.call_faults.get_or_init(|| {
            let (root, calls) = (self.tree.root(), self.calls());
            match self.format.chat() {
                _ if calls.is_empty() || !self.is_chat() && !self.declares_tools() => Vec::new(),
                Some(form) => faults(root, form, self.dialog, calls),
                None => {
                    let declarations = self.format.api_declarations(root);
                    faults_by_declarations(&declarations, calls, self.is_chat())
                }
            }
        });
        faults.iter().map(|CallFault { call, what }| (&self.calls()[*call], what))
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

/// The place of a problem in a dialog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Position of the turn; None if the problem concerns the whole dialog.
    pub turn: Option<usize>,
    /// Position of the segment in the turn, if the problem concerns one.
    pub segment: Option<usize>,
    /// Byte range in the text of the dialog. Extents always compare as equal, see [`Extent`].
    pub at: Extent,
}

/// A segment with the text it covers.
#[derive(Clone, Debug)]
pub struct Mention<'a> {
    pub turn: usize,
    pub segment: usize,
    pub of: &'a Segment,
    /// The text of the turn.
    pub said: &'a str,
    /// Converts between code points and bytes of the turn.
    pub points: Rc<CodePoints<'a>>,
    /// The tokens of the turn, if spans count tokens.
    pub tokens: Option<Rc<Places>>,
    /// The byte range that it covers in the turn; None if it is empty or lies outside the text.
    pub bytes: Option<Range<usize>>,
    /// True if it covers more than whitespace, and exactly the text it quotes, if any.
    pub is_valid: bool,
}

impl<'a> Mention<'a> {
    /// Returns the text that it covers; empty if `bytes` is None.
    pub fn text(&self) -> &'a str {
        self.bytes.clone().and_then(|bytes| self.said.get(bytes)).unwrap_or_default()
    }

    pub fn location(&self) -> Location {
        Location { turn: Some(self.turn), segment: Some(self.segment), at: self.of.at }
    }

    /// Returns a range of bytes of the turn's text in the units of the dialog; None if it cuts a token.
    pub fn span_of(&self, range: &Range<usize>) -> Option<Span> {
        match &self.tokens {
            Some(tokens) => tokens.span_of(range),
            None => {
                let unit = |at: usize| self.points.before(at) as u32;
                Some(Span { start: unit(range.start), end: unit(range.end) })
            }
        }
    }

    /// Returns the edit that sets its span.
    pub fn set_span(&self, Span { start, end }: Span) -> Edit {
        Edit::SetSpan { turn: self.turn, segment: self.segment, start, end }
    }

    /// Returns the edit that sets its labels.
    pub fn set_labels(&self, labels: Vec<String>) -> Edit {
        Edit::SetLabels { turn: self.turn, segment: self.segment, labels }
    }

    /// Returns the edit that deletes the segment.
    pub fn removal(&self) -> Edit {
        Edit::RemoveSegment { turn: self.turn, segment: self.segment }
    }

    /// Returns the first label; empty if there is none.
    pub fn label(&self) -> &'a str {
        self.of.labels.first().map_or("", |label| &label.name)
    }
}

/// Positions of the first two mentions; the same position twice if there is only one.
type Pair = (usize, usize);

impl<'a> Subject<'a> {
    /// Returns the position of the first other [valid](Mention::is_valid) segment that covers exactly `text`.
    pub fn other_with_text(&self, mention: &Mention<'_>, text: &str) -> Option<usize> {
        let by_text = self.by_text.get_or_init(|| {
            let mut by_text: HashMap<&str, Pair> = HashMap::new();
            for (place, mention) in self.valid() {
                let pair = by_text.entry(mention.text()).or_insert((place, place));
                if pair.0 == pair.1 {
                    pair.1 = place;
                }
            }
            by_text
        });
        let (first, second) = *by_text.get(text)?;
        let is_itself = |place: &usize| {
            let other = &self.mentions()[*place];
            (other.turn, other.segment) == (mention.turn, mention.segment)
        };
        [first, second].into_iter().find(|place| !is_itself(place))
    }

    /// True if a [valid](Mention::is_valid) segment covers `text`, ignoring case.
    pub fn has_text(&self, text: &str) -> bool {
        self.valid().any(|(_, mention)| mention.text().eq_ignore_ascii_case(text))
    }

    /// Returns the segments of the turns up to `until` whose first label is `label`, in the order of the text.
    pub fn labelled(
        &self,
        label: &str,
        until: usize,
    ) -> impl DoubleEndedIterator<Item = &Mention<'a>> + Clone {
        let behind = self.mentions.partition_point(|mention| mention.turn <= until);
        self.mentions[..behind].iter().filter(move |mention| mention.label() == label)
    }

    /// True if a segment of the dialog repeats its first label.
    pub fn repeats_labels(&self) -> bool {
        let repeats = |m: &Mention<'_>| match &m.of.labels[..] {
            [first, others @ ..] => others.iter().any(|label| label.name == first.name),
            [] => false,
        };
        self.mentions().iter().any(repeats)
    }

    /// Returns the turn whose text contains `at`.
    pub fn turn_at(&self, at: Extent) -> Option<usize> {
        let before = self.turns().filter(|(_, turn)| turn.at.end > 0 && turn.at.start <= at.start);
        let (number, turn) = before.max_by_key(|(_, turn)| turn.at.start)?;
        (at.end <= turn.at.end).then_some(number)
    }

    /// Returns the position of a call among all calls of the dialog.
    pub fn place_of(&self, call: &Call<'_>) -> usize {
        let place = (call.turn, call.call);
        self.calls().partition_point(|c| (c.turn, c.call) < place)
    }

    fn valid(&self) -> impl Iterator<Item = (usize, &Mention<'a>)> {
        self.mentions().iter().enumerate().filter(|(_, m)| m.is_valid)
    }
}

/// The most overlaps to check for one segment; real turns have a few.
const PARTNERS: usize = 16;

/// Pairs of valid segments, as positions in `mentions`, that share text, ordered by turn and start; if
/// two start at the same place, the longer one comes first; of equal ones, the first in the corpus. The
/// true places of other segments are unknown.
pub(super) fn overlapping(mentions: &[Mention<'_>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut first = 0;
    for turn in mentions.chunk_by(|a, b| a.turn == b.turn) {
        if !are_apart(turn) {
            pairs_of(turn, first, &mut pairs);
        }
        first += turn.len();
    }
    pairs
}

/// True if each segment starts after the end of the previous one, the usual case.
fn are_apart(turn: &[Mention<'_>]) -> bool {
    let mut end = 0;
    let mut begins_behind = |mention: &Mention<'_>| {
        let bytes = mention.bytes.as_ref().filter(|_| mention.is_valid);
        bytes.is_some_and(|bytes| bytes.start >= std::mem::replace(&mut end, bytes.end))
    };
    turn.iter().all(&mut begins_behind)
}

/// The pairs of one turn; `first` is the position of its first segment.
fn pairs_of(turn: &[Mention<'_>], first: usize, pairs: &mut Vec<(usize, usize)>) {
    let valid = (first..).zip(turn).filter(|(_, mention)| mention.is_valid);
    let mut sorted: Vec<_> =
        valid.filter_map(|(position, mention)| Some((mention.bytes.as_ref()?, position))).collect();
    sorted.sort_by_key(|(bytes, _)| (bytes.start, std::cmp::Reverse(bytes.end)));
    for (place, (bytes, first)) in sorted.iter().enumerate() {
        let behind = sorted[place + 1..].iter().take(PARTNERS);
        let shared = behind.take_while(|(other, _)| other.start < bytes.end);
        pairs.extend(shared.map(|(_, second)| (*first, *second)));
    }
}

/// True if two different, named annotators made the two segments.
pub fn by_two_annotators(a: &Mention<'_>, b: &Mention<'_>) -> bool {
    matches!((&a.of.annotator, &b.of.annotator), (Some(a), Some(b)) if a != b)
}
