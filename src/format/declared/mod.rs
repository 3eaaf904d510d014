//! Formats that are declared in TOML: a description says where the parts of a dialog are.
//!
//! [`Description`] is the text, [`Declared`] the format made from it. Reading follows its places
//! (`trail`) and walks once over its shape (`shape`), which finds values of the wrong type and fields
//! that the description does not know. Writing follows the same places: what a place points at can be
//! edited, and what is computed cannot.

mod checks;
mod description;
mod draft;
mod forms;
mod hooks;
mod lines;
mod offsets;
mod opened;
mod other_offsets;
mod place;
mod prefix;
mod read;
mod read_asides;
mod read_calls;
mod read_parts;
mod shape;
mod templates;
mod texts;
mod trail;
mod trial;
mod walk;
mod write;

pub use checks::place_of;
pub use description::{Arrangement, BadDescription, Description};
pub use draft::{Draft, draft, one_text};
pub use hooks::Hooks;
pub use opened::write as write_states;
pub use other_offsets::{OtherOffsets, fitting_unit, has_several_units};
pub use place::Place;
pub use read_asides::BEFORE_BRANCH;
pub use trial::{Trial, editable};
pub use write::Ways;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use self::description::{TurnRule, Unit};
use self::other_offsets::QuotedDescription;
use self::shape::Shape;
use self::trail::Trail;
use super::{Format, Sign};
use crate::dialog::{Content, Dialog, Edit, EditKind, Extent, Field, Issue, Short, Turn};
use crate::format::engine::turns;
use crate::format::texts::{reasoning, xml};
use crate::json::{NodeKind, Tree, Value};

/// A format made from a description.
pub struct Declared {
    description: Description,
    /// Made when the first dialog is read: most formats are only compared with dialogs of others.
    shape: OnceLock<Shape>,
    kinds: Vec<EditKind>,
    schema: OnceLock<String>,
    /// For each place that must exist, how messages call it.
    signs: Vec<String>,
    /// The same for those that must not.
    absences: Vec<String>,
    /// The same for those that most dialogs have.
    marks: Vec<String>,
    title: String,
    holds: String,
    id_key: String,
    /// The file with the description; None if it is bundled.
    path: Option<PathBuf>,
    /// The line of its `has`, from 1.
    has_line: usize,
    /// The same with the other units that its spans may count.
    other_units: OnceLock<Vec<&'static dyn Format>>,
    with_quotes: OnceLock<QuotedDescription>,
    aliases: Vec<&'static str>,
    /// The function that reads its dialogs instead of the places of the description, because it is faster.
    reader: Option<Reader>,
}

/// Reads a dialog and what is wrong with its form.
pub type Reader = fn(Tree<'_>) -> (Dialog, Vec<Issue>);

impl Declared {
    /// Returns the format of a description, from the file at `path` if it has one.
    ///
    /// # Errors
    /// If the text is not a description.
    pub fn read(text: &str, path: Option<PathBuf>) -> Result<Self, BadDescription> {
        let has_line = text.lines().take_while(|line| !line.starts_with("has")).count();
        Ok(Self::of(Description::read(text)?, path, 1 + has_line))
    }

    fn of(description: Description, path: Option<PathBuf>, has_line: usize) -> Self {
        let has = description.has.iter();
        let has = has.map(|place| format!("`{}`", place.first_text()));
        let lacks = description.lacks.iter().map(|place| format!("no `{place}`"));
        let title = match description.title.as_str() {
            "" => &description.name,
            title => title,
        };
        let holds = match description.holds.as_str() {
            "" => held(&description),
            holds => holds.to_owned(),
        };
        let id_key = description.id.as_ref().filter(|id| {
            // In a string, it is spelled otherwise.
            let is_plain = description.json.is_empty();
            let is_member = is_plain && id.steps.len() == 1 && id.target == place::Target::Value;
            is_member && id.up == 0
        });
        Self {
            kinds: kinds(&description),
            schema: OnceLock::new(),
            signs: has.collect(),
            absences: lacks.collect(),
            marks: description.marks.iter().map(|place| format!("`{place}`")).collect(),
            title: title.to_owned(),
            holds,
            id_key: id_key.map(|id| id.last_name().to_owned()).unwrap_or_default(),
            aliases: Vec::new(),
            path,
            has_line,
            shape: OnceLock::new(),
            description,
            other_units: OnceLock::new(),
            with_quotes: OnceLock::new(),
            reader: None,
        }
    }

    /// It with a reader of its own, which finds what reading by its places would find.
    #[must_use]
    pub fn read_by(self, reader: Option<Reader>) -> Self {
        Self { reader, ..self }
    }

    /// It for the rest of the program's run, as formats are. A program reads few descriptions, each once.
    pub fn keep(self) -> &'static dyn Format {
        let names = self.description.aliases.iter().cloned();
        let aliases = names.map(|name| &*name.leak()).collect();
        Box::leak(Box::new(DeclaredFormat(Box::leak(Box::new(Self { aliases, ..self })))))
    }

    fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| Shape::of(&self.description))
    }

    pub fn description(&self) -> &Description {
        &self.description
    }

    /// True if the ontology beside the data decides in which list a new act belongs.
    pub fn asks_ontology(&self) -> bool {
        let mut acts = self.description.act.0.iter();
        acts.any(|rule| rule.categorical.is_some())
    }

    /// True if dialogs say which APIs may be called.
    pub fn declares_apis(&self) -> bool {
        self.description.ontology.as_ref().is_some_and(|ontology| ontology.apis.is_some())
    }

    /// True if a part of a label is outside its segment, so that segments share it.
    pub fn shares_labels(&self) -> bool {
        let mut parts = self.description.span.0.iter().flat_map(|rule| &rule.label.0);
        parts.any(|part| part.up > 0)
    }

    /// Returns its file with the line that says what a dialog has, for messages; None if it is bundled.
    pub fn place(&self) -> Option<String> {
        let path = self.path.as_ref()?.display();
        Some(format!("{path}:{}", self.has_line))
    }

    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the canonical form of the first value of the act whose element is `act`, if the corpus has one.
    pub fn canonical_value(&self, act: Value<'_>) -> Option<Short> {
        let trail = Trail::new(act, None);
        let mut rules = self.description.act.0.iter();
        rules.find_map(|rule| Some(trail.find(rule.canonical.as_ref()?)?.text()))
    }

    /// True if the description gives a file this name.
    pub fn has_file(&self, name: &str) -> bool {
        let mut files = self.description.files.iter();
        files.any(|file| match file.strip_prefix('*') {
            Some(end) => name.len() > end.len() && name.ends_with(end),
            None => file == name,
        })
    }

    /// Returns the place of the id of a dialog in its lines, if a file has lines of several.
    pub fn split(&self) -> Option<&Place> {
        self.description.split.as_ref()
    }

    /// True if some of these lines are of kinds that the description knows.
    pub fn knows_lines(&self, lines: Value<'_>) -> bool {
        let rule = &self.description.turn.0[0];
        let is_known = |line: Value<'_>| {
            let trail = Trail::new(line, None);
            let is_other =
                |(place, _): &(Place, _)| rule.others.contains(&trail.text(place).into());
            rule.is.holds(&trail) || rule.is.0.first().is_some_and(is_other)
        };
        lines.elements().any(is_known)
    }

    /// Returns the id of the dialog that a line belongs to; None if the line has none.
    pub fn dialog_of_line(&self, line: Value<'_>) -> Option<Short> {
        let id = Trail::new(line, None).find(self.split()?)?.text();
        (!id.is_empty()).then_some(id)
    }

    /// True if rules that hold for corpora of known types hold for its dialogs, too.
    pub fn is_strict(&self) -> bool {
        self.description.strict
    }

    /// True if both are made from one description; the units of their spans may differ.
    pub fn is_same(&self, other: &Self) -> bool {
        self.description.name == other.description.name && self.path == other.path
    }

    /// Returns the description by which all of its quotes are read.
    fn with_quotes(&self) -> &QuotedDescription {
        let made = || QuotedDescription::of(self.description.clone());
        self.with_quotes.get_or_init(made)
    }

    /// Returns the format with each unit that its spans may count, except its own.
    fn other_units(&self) -> &[&'static dyn Format] {
        self.other_units.get_or_init(|| {
            let mut all: Vec<&'static dyn Format> = Vec::new();
            for unit in self.description.span.0.iter().flat_map(|rule| &rule.units.0) {
                let mut other = self.description.clone();
                let (mut changed, mut known) = (false, all.iter().filter_map(|f| f.declared()));
                for rule in &mut other.span.0 {
                    changed |= rule.unit != *unit && rule.units.0.contains(unit);
                    if rule.units.0.contains(unit) {
                        rule.unit = *unit;
                    }
                }
                let units = |description: &Description| -> Vec<Unit> {
                    description.span.0.iter().map(|rule| rule.unit).collect()
                };
                if changed && known.all(|k| units(&k.description) != units(&other)) {
                    all.push(Self::of(other, self.path.clone(), self.has_line).keep());
                }
            }
            all
        })
    }
}

/// A declared format that lasts for the rest of the run.
struct DeclaredFormat(&'static Declared);

impl DeclaredFormat {
    /// Returns the way to the value in which the places of the description begin.
    fn trail<'a>(&self, root: Value<'a>) -> Trail<'a> {
        Trail::new(self.0.description.root(root), root.tree().key())
    }

    /// True if the list of turns is there, and empty, where that may be.
    fn is_empty(&self, trail: &Trail<'_>) -> bool {
        let at = &self.0.description.turn.0[0].at;
        let list = || trail.find_of(at, at.steps.len().checked_sub(1)?);
        let is_empty =
            |list: Value<'_>| list.kind() == NodeKind::Array && list.elements().next().is_none();
        self.0.description.empty && list().is_some_and(is_empty)
    }
}

impl Format for DeclaredFormat {
    fn name(&self) -> &'static str {
        &self.0.description.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        &self.0.aliases
    }

    fn title(&self) -> &'static str {
        &self.0.title
    }

    fn holds(&self) -> &'static str {
        &self.0.holds
    }

    fn id_key(&self) -> &'static str {
        &self.0.id_key
    }

    fn schema(&self) -> &'static str {
        self.0.schema.get_or_init(|| schema(&self.0.description, self.0.shape()))
    }

    fn has_companions(&self) -> bool {
        self.0.description.has_votes()
    }

    fn lines_are_turns(&self) -> bool {
        self.0.description.lines_are_turns()
    }

    fn is_session(&self) -> bool {
        self.0.description.is_session()
    }

    fn signs(&self, root: Value<'_>) -> Vec<Sign> {
        let description = &self.0.description;
        opened::look(description, root, |root| {
            let trail = self.trail(root);
            let exists = |place: &Place| trail.find(place).is_some();
            let (turn, is_empty) = (&description.turn.0[0].at.steps, self.is_empty(&trail));
            let is_inside = |place: &Place| place.all().any(|one| one.steps.starts_with(turn));
            let has = description.has.iter();
            let has = has.map(|place| exists(place) || is_empty && is_inside(place));
            let has = self.0.signs.iter().zip(has).map(|(what, is)| Sign::new(what, is));
            let lacks = self.0.absences.iter().zip(&description.lacks);
            let lacks = lacks.map(|(what, place)| Sign::absence(what, !exists(place)));
            has.chain(lacks).collect()
        })
    }

    fn has_turns(&self, root: Value<'_>) -> bool {
        let description = &self.0.description;
        opened::look(description, root, |root| {
            let trail = self.trail(root);
            let opening = description.opening(&trail);
            description.turns().any(|at| trail.find(at).is_some()) || opening.is_some()
        })
    }

    fn own_signs(&self, root: Value<'_>) -> Vec<Sign> {
        let trail = self.trail(root);
        let marks = self.0.description.marks.iter().zip(&self.0.marks);
        marks.map(|(place, what)| Sign::new(what, trail.find(place).is_some())).collect()
    }

    fn keeps_state(&self) -> bool {
        let mut rules = self.0.description.state.0.iter();
        rules.any(|rule| rule.cumulative)
    }

    fn has_literal_values(&self) -> bool {
        let mut rules = self.0.description.state.0.iter();
        rules.any(|rule| rule.literal)
    }

    fn may_speak(&self, name: &str) -> bool {
        self.0.description.turn.0.iter().any(|rule| {
            let named = !rule.user.is_empty() || !rule.system.is_empty();
            !named && !self.0.description.strict || rule.hidden.iter().any(|hidden| hidden == name)
        })
    }

    fn declared(&self) -> Option<&'static Declared> {
        Some(self.0)
    }

    fn description(&self) -> Option<&'static Description> {
        Some(&self.0.description)
    }

    fn api_declarations<'t>(&self, root: Value<'t>) -> Vec<Value<'t>> {
        let ontology = self.0.description.ontology.as_ref();
        let Some(apis) = ontology.and_then(|ontology| ontology.apis.as_ref()) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        let mut trail = self.trail(root);
        trail.each(apis, &mut |trail| all.push(trail.here().value));
        all
    }

    fn has_text(&self, turn: Value<'_>) -> bool {
        let trail = Trail::new(turn, None);
        self.0.description.turn.0.iter().any(|rule| {
            let is_elsewhere = rule.text.at().all().any(|place| place.up > 0);
            let text = || rule.text_value(&trail);
            is_elsewhere || text().is_some_and(|text| text.kind() != NodeKind::Null)
        })
    }

    fn read_form(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        match self.0.reader {
            Some(read) => read(tree),
            None => opened::read(&self.0.description, self.0.shape(), tree),
        }
    }

    fn has(&self) -> &'static [EditKind] {
        &self.0.kinds
    }

    fn complete(&self, edit: &Edit, after: &mut Dialog) {
        self.number(edit, after);
        self.fill(edit, after);
        if let Edit::AddTurn { turn, .. } = edit
            && self.0.description.turn.0.len() > 1
        {
            self.keep_state(after, *turn);
        }
    }

    fn follow(&self, before: &Turn, after: &mut Dialog, turn: Option<usize>) {
        let Some(own) = turn.and_then(|turn| after.turns.get_mut(turn)) else {
            if self.is_session() {
                xml::read(&mut after.turns);
            }
            return;
        };
        let is_new = *before == Turn::default();
        let is_renamed = before.speaker != own.speaker;
        let has_words = is_renamed || before.text != own.text;
        let has_calls = own.calls.len() > before.calls.len();
        let mut rules = self.0.description.turn.0.iter();
        let has_speaker =
            |rule: &&TurnRule| rule.speaker.is_some() || rule.prefix.is_some() || is_new;
        if let Some(rule) = rules.find(has_speaker).filter(|_| is_renamed) {
            own.speaker = read::named_speaker(rule, own.speaker.name.clone());
        }
        let rule = self.0.description.turn.0.first();
        if is_new && rule.is_some_and(|rule| rule.tokens.is_some()) {
            let tokens = own.text.split_whitespace();
            own.tokens = tokens.map(Short::from).collect();
        }
        if self.is_session() && has_words {
            reasoning::follow(own);
            xml::read(&mut after.turns);
        } else if let Some(turn) = turn.filter(|_| has_calls) {
            write::complete(&self.0.description.call.0, after, turn);
        }
    }
}

impl DeclaredFormat {
    /// Gives a new turn the texts that the format has for new ones, where all others have some.
    fn fill(&self, edit: &Edit, after: &mut Dialog) {
        let Edit::AddTurn { turn, .. } = edit else {
            return;
        };
        for (name, text) in
            self.0.description.turn.0.iter().filter_map(|rule| rule.new.as_ref()).flatten()
        {
            let has = |turn: &Turn| turn.fields.iter().any(|field| field.name == *name);
            let others = after.turns.iter().enumerate().filter(|(place, _)| place != turn);
            let all_have = others.clone().count() > 0 && others.map(|(_, other)| other).all(has);
            if let Some(new) = after.turns.get_mut(*turn).filter(|_| all_have) {
                new.fields.push(Field {
                    name: name.as_str().into(),
                    content: Content::Text(text.as_str().into()),
                    known: true,
                    at: Extent::default(),
                });
            }
        }
    }

    /// Gives the last turn of a new element the state before it, which its element repeats.
    fn keep_state(&self, after: &mut Dialog, turn: usize) {
        let last = self.0.description.turn.0.last();
        let (earlier, rest) = after.turns.split_at_mut(turn);
        let Some((new, later)) = rest.split_first_mut() else { return };
        if last.is_none_or(|rule| !rule.alternate.iter().any(|name| new.speaker.name == *name)) {
            return;
        }
        let before = earlier.iter().rev().find_map(|turn| turn.state.clone());
        let others = || later.iter().any(|turn| turn.state.is_some());
        new.state = before.or_else(|| others().then(Vec::new));
        for slot in new.state.iter_mut().flatten() {
            slot.at = Extent::default();
        }
    }

    /// Gives the first turn of a dialog a number, and calls that of their turns.
    fn number(&self, edit: &Edit, after: &mut Dialog) {
        let mut turns = self.0.description.turn.0.iter();
        if turns.any(|rule| rule.number.is_some()) {
            turns::number_first(edit, after);
        }
        for place in self.0.description.call.0.iter().filter_map(|rule| rule.number.as_ref()) {
            turns::number_calls(edit, after, place.last_name());
            let mut calls = after.turns.iter().flat_map(|turn| &turn.calls);
            let is_number = |field: &Field| field.name == place.last_name();
            let are_numbered = calls.any(|call| call.fields.iter().any(is_number));
            if let Edit::AddCall { turn, .. } = edit
                && let Some(turn) = after.turns.get_mut(*turn).filter(|_| are_numbered)
                && let Some((number, call)) = turn.index.zip(turn.calls.last_mut())
            {
                call.fields.push(Field {
                    name: place.last_name().into(),
                    content: Content::Raw(number.to_string().into()),
                    known: true,
                    at: Extent::default(),
                });
            }
        }
    }
}

fn kinds(description: &Description) -> Vec<EditKind> {
    let turns = &description.turn.0;
    let kinds = [
        (EditKind::Text, true),
        (
            EditKind::Speaker,
            turns.iter().any(|turn| turn.speaker.is_some() || turn.prefix.is_some()),
        ),
        (EditKind::Tokens, turns.iter().any(|turn| turn.tokens.is_some())),
        (EditKind::Segments, !description.span.0.is_empty()),
        (EditKind::Calls, !description.call.0.is_empty()),
        (EditKind::Acts, !description.act.0.is_empty()),
        (EditKind::Votes, description.has_votes()),
        (EditKind::Intents, turns.iter().any(|turn| turn.intents.is_some())),
        (EditKind::State, !description.state.0.is_empty()),
        // An element with several turns may have a form of its own.
        (EditKind::Turns, turns.len() == 1 || turns.iter().all(|turn| turn.new.is_some())),
        (EditKind::Fields, true),
    ];
    let has = kinds.into_iter().filter(|(_, has)| *has);
    has.map(|(kind, _)| kind).collect()
}

/// Returns a list of the parts that the dialogs of a description have.
fn held(description: &Description) -> String {
    let unit = |unit: Unit| match unit {
        Unit::CodePoints => "code points",
        Unit::Utf16 => "UTF-16 units",
        Unit::Bytes => "bytes",
        Unit::Tokens => "tokens",
        Unit::Words => "words",
        Unit::WordsAndPunctuation => "words and punctuation marks",
    };
    let spans = description.span.0.first();
    let parts = [
        spans.map(|span| format!("segments ({})", unit(span.unit))),
        (!description.act.0.is_empty()).then(|| "dialogue acts".to_owned()),
        (!description.call.0.is_empty()).then(|| "API calls".to_owned()),
        (!description.state.0.is_empty()).then(|| "dialogue state".to_owned()),
    ];
    let parts = std::iter::once("utterances".to_owned()).chain(parts.into_iter().flatten());
    parts.collect::<Vec<_>>().join(", ")
}

fn schema(description: &Description, shape: &Shape) -> String {
    let mut schema = shape.schema();
    if let Some(members) = schema.as_object_mut() {
        let draft = "https://json-schema.org/draft/2020-12/schema";
        members.insert("$schema".to_owned(), draft.into());
        let id = format!("urn:turnwise:schema:{}", description.name);
        members.insert("$id".to_owned(), id.into());
        members.insert("title".to_owned(), description.name.as_str().into());
    }
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
