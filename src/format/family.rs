//! A family of datasets: its description, and what no description can say.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::declared::{
    self, Description, Hooks, Place, QuotedDescription, Shape, Target, Trail, Unit, Ways,
};
use super::engine::edit::EditedDialog;
use super::engine::read::extent;
use super::engine::shape::Sign;
use super::engine::silent::silent_turns;
use super::families::chat::ChatForm;
use crate::dialog::{Dialog, Edit, EditError, EditKind, Issue, IssueKind, Short, Turn};
use crate::json::{BadText, Editor, NodeKind, Splice, Tree, Value};

/// One family of datasets. There are few, and each lasts for the rest of the program's run.
pub struct Family {
    description: Description,
    code: Code,
    /// Made when the first dialog is read: most families are only compared with dialogs of others.
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
    other_units: OnceLock<Vec<&'static Family>>,
    /// The same with the other side of dialogs that are pairs.
    swapped: OnceLock<Option<&'static Family>>,
    with_quotes: OnceLock<QuotedDescription>,
}

/// A dialog, and what is wrong with its form.
pub type ReadDialog = (Dialog, Vec<Issue>);

type WriteLabels = fn(&Editor<'_>, &EditedDialog<'_>) -> Vec<Splice>;

/// The functions and names of a family beside its description. A description of a user has none.
#[derive(Clone, Copy, Default)]
pub struct Code {
    /// Reads a dialog, where places do not tell all, or more slowly.
    pub read: Option<fn(&'static Family, Tree<'_>) -> ReadDialog>,
    /// Reads the other side of a dialog that is a pair.
    pub read_other_side: Option<fn(&'static Family, Tree<'_>) -> Option<ReadDialog>>,
    /// The JSON Schema of a dialog.
    pub schema: Option<&'static str>,
    /// The signs of a dialog, given its root.
    pub signs: Option<fn(&'static Family, Value<'_>) -> Vec<Sign>>,
    /// Its signs that others with the same signs do not have.
    pub own_signs: Option<fn(Value<'_>) -> Vec<Sign>>,
    /// True for the root of a dialog that has a turn.
    pub has_turns: Option<fn(Value<'_>) -> bool>,
    /// True for the element of a turn that has a member for its text.
    pub has_text: Option<fn(Value<'_>) -> bool>,
    /// Its names of roles and members, if its dialogs are chats.
    pub chat: Option<&'static ChatForm>,
    /// Completes a turn, given by its position, after a change of its text, its speaker or its calls.
    pub follow: Option<fn(&'static Family, &Turn, &mut Dialog, usize)>,
    /// Writes gold labels, the only thing that can be edited then: its files add to the dialogs of other files.
    pub write_labels: Option<WriteLabels>,
    pub hooks: Hooks,
}

impl Family {
    /// Returns the family of a description, from the file at `path` if it has one.
    ///
    /// # Errors
    /// If the text is not a description.
    pub fn read_from(text: &str, path: Option<PathBuf>) -> Result<Self, BadText> {
        let has_line = text.lines().take_while(|line| !line.starts_with("has")).count();
        Ok(Self::of(Description::read(text)?, path, 1 + has_line))
    }

    /// Returns the family of a description, from the line of a file at `path` if it has one.
    pub fn of(description: Description, path: Option<PathBuf>, has_line: usize) -> Self {
        let has = description.has.iter();
        let has = has.map(|place| format!("`{}`", place.first_text()));
        let lacks = description.lacks.iter().map(|place| format!("no `{place}`"));
        let title = match description.title.as_str() {
            "" => &description.name,
            title => title,
        };
        let holds = match description.holds.as_str() {
            "" => description.held(),
            holds => holds.to_owned(),
        };
        let id_key = description
            .id
            .as_ref()
            .filter(|id| id.steps.len() == 1 && id.target == Target::Value && id.up == 0);
        Self {
            kinds: description.kinds(),
            schema: OnceLock::new(),
            signs: has.collect(),
            absences: lacks.collect(),
            marks: description.marks.iter().map(|place| format!("`{place}`")).collect(),
            title: title.to_owned(),
            holds,
            id_key: id_key.map(|id| id.last_name().to_owned()).unwrap_or_default(),
            path,
            has_line,
            shape: OnceLock::new(),
            description,
            other_units: OnceLock::new(),
            swapped: OnceLock::new(),
            with_quotes: OnceLock::new(),
            code: Code::default(),
        }
    }

    /// It with what it has in Rust.
    #[must_use]
    pub fn with(mut self, code: Code) -> Self {
        self.description.hooks = code.hooks;
        if code.write_labels.is_some() {
            self.kinds = vec![EditKind::Gold];
        }
        Self { code, ..self }
    }

    /// It for the rest of the program's run.
    pub fn keep(self) -> &'static Self {
        Box::leak(Box::new(self))
    }

    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Short and stable, for flags and machine-readable output.
    pub fn name(&'static self) -> &'static str {
        &self.description.name
    }

    /// True for its name, and other names that people give it.
    pub fn is_called(&self, name: &str) -> bool {
        self.description.name == name || self.description.aliases.iter().any(|own| own == name)
    }

    /// Returns the name that its authors use.
    pub fn title(&'static self) -> &'static str {
        &self.title
    }

    /// Returns the contents of its dialogs, in one line.
    pub fn holds(&'static self) -> &'static str {
        &self.holds
    }

    /// Returns the member of a dialog that holds its id; empty if the id is elsewhere.
    pub fn id_key(&'static self) -> &'static str {
        &self.id_key
    }

    /// False if dialogs without an id are as good as others.
    pub fn needs_id(&self) -> bool {
        self.code.chat.is_none()
    }

    /// Returns the file with its description; None if it is bundled.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns that file with the line that says what a dialog has, for messages.
    pub fn place(&self) -> Option<String> {
        let path = self.path.as_ref()?.display();
        Some(format!("{path}:{}", self.has_line))
    }

    /// True if both are made from one description; the units of their spans may differ.
    pub fn is_same(&self, other: &Self) -> bool {
        self.description.name == other.description.name && self.path == other.path
    }

    /// True if other files may be next to a file of this family and belong to it.
    pub fn has_companions(&self) -> bool {
        self.description.has_votes()
    }

    /// True if a file of this family only adds to the dialogs of another file and is not read by itself.
    pub fn is_companion(&self) -> bool {
        self.code.write_labels.is_some()
    }

    /// True if the lines of a file, or the elements of its array, are turns of its dialogs.
    pub fn lines_are_turns(&self) -> bool {
        self.description.lines_are_turns()
    }

    /// True if its dialogs are sessions of an agent that calls tools. Such dialogs do not follow the rules on dialogs
    /// about tasks.
    pub fn is_session(&self) -> bool {
        self.code.chat.is_some() || self.description.is_session()
    }

    /// Returns the names of roles and members, if its dialogs are chats with roles and tool calls. Such dialogs
    /// follow the rules on chats.
    pub fn chat(&self) -> Option<&'static ChatForm> {
        self.code.chat
    }

    /// True if only a description says what its dialogs are: rules that need more than places do not know them.
    pub fn is_described(&self) -> bool {
        self.code.chat.is_none() && !self.description.strict
    }

    /// True if a dialog may be in several parts of its file.
    pub fn may_be_parted(&self) -> bool {
        self.description.split.is_some()
    }

    /// True if annotators vote on the turns of its dialogs.
    pub fn has_votes(&self) -> bool {
        self.kinds.contains(&EditKind::Votes)
    }

    /// Returns the kinds of elements that its dialogs have and that can be edited.
    pub fn has(&self) -> &[EditKind] {
        &self.kinds
    }

    /// True if a slot once in the dialogue state stays there.
    pub fn keeps_state(&self) -> bool {
        let mut rules = self.description.state.0.iter();
        rules.any(|rule| rule.cumulative)
    }

    /// True if no text of a turn can be changed.
    pub fn has_fixed_texts(&self) -> bool {
        self.description.turn.0.iter().all(|rule| rule.read_only.is_some())
    }

    /// True if the values of acts and states are words of the dialog, not normalised.
    pub fn has_literal_values(&self) -> bool {
        let mut rules = self.description.state.0.iter();
        rules.any(|rule| rule.literal)
    }

    /// True if speakers with this name are neither the user nor the system, and may be there.
    pub fn may_speak(&self, name: &str) -> bool {
        self.description.turn.0.iter().any(|rule| {
            let named = !rule.user.is_empty() || !rule.system.is_empty();
            !named && self.is_described() || rule.hidden.iter().any(|hidden| hidden == name)
        })
    }

    /// JSON Schema (draft 2020-12) of one dialog. A dialog validates if, and only if, [`Self::read`] finds
    /// no issue.
    pub fn schema(&'static self) -> &'static str {
        let made = || self.shape().document(&self.description.name);
        self.code.schema.unwrap_or_else(|| self.schema.get_or_init(made))
    }

    /// Returns the elements that every dialog of this family has besides its id. A dialog that lacks one of them is
    /// never edited, even if the rest of its file is of this family.
    pub fn signs(&'static self, root: Value<'_>) -> Vec<Sign> {
        if let Some(signs) = self.code.signs {
            return signs(self, root);
        }
        let trail = self.trail(root);
        let has = self.signs.iter().map(|what| Sign::new(what, true));
        let lacks = self.absences.iter().map(|what| Sign::absence(what, true));
        let signs = has.chain(lacks).zip(self.present(&trail));
        signs.map(|(sign, present)| Sign { present, ..sign }).collect()
    }

    /// True if a value has all signs, and all that distinguish the family: it asks for one after the other.
    pub fn fits(&'static self, root: Value<'_>) -> bool {
        let all = |signs: Vec<Sign>| signs.iter().all(|sign| sign.present);
        let trail = self.trail(root);
        let has_signs = match self.code.signs {
            Some(signs) => all(signs(self, root)),
            None => self.present(&trail).all(|present| present),
        };
        let mut marks = self.description.marks.iter();
        has_signs
            && match self.code.own_signs {
                Some(own_signs) => all(own_signs(root)),
                None => marks.all(|place| trail.find(place).is_some()),
            }
    }

    /// Returns whether each sign of the description is present.
    fn present<'t>(&'static self, trail: &'t Trail<'_>) -> impl Iterator<Item = bool> + 't {
        let exists = |place: &Place| trail.find(place).is_some();
        let turn = &self.description.turn.0[0].at.steps;
        let is_inside = |place: &Place| place.all().any(|one| one.steps.starts_with(turn));
        let has = self.description.has.iter();
        let has = has.map(move |place| exists(place) || is_inside(place) && self.is_empty(trail));
        has.chain(self.description.lacks.iter().map(move |place| !exists(place)))
    }

    /// Returns the signs that distinguish it from families with the same id key and signs. Single dialogs of a
    /// file may lack them.
    pub fn own_signs(&'static self, root: Value<'_>) -> Vec<Sign> {
        if let Some(own_signs) = self.code.own_signs {
            return own_signs(root);
        }
        let trail = self.trail(root);
        let marks = self.description.marks.iter().zip(&self.marks);
        marks.map(|(place, what)| Sign::new(what, trail.find(place).is_some())).collect()
    }

    /// True if a dialog with all its signs has a turn. An empty list may be that of another family.
    pub fn has_turns(&self, root: Value<'_>) -> bool {
        if let Some(has_turns) = self.code.has_turns {
            return has_turns(root);
        }
        let trail = self.trail(root);
        let opening = self.description.opening(&trail);
        self.description.turns().any(|at| trail.find(at).is_some()) || opening.is_some()
    }

    /// False if the element of a turn has none of the members that may hold its text.
    pub fn has_text(&self, turn: Value<'_>) -> bool {
        if let Some(has_text) = self.code.has_text {
            return has_text(turn);
        }
        let trail = Trail::new(turn, None);
        self.description.turn.0.iter().any(|rule| {
            let is_elsewhere = rule.text.at().all().any(|place| place.up > 0);
            let text = || rule.text_value(&trail);
            is_elsewhere || text().is_some_and(|text| text.kind() != NodeKind::Null)
        })
    }

    /// Returns the way to the value in which the places of the description begin.
    fn trail<'a>(&self, root: Value<'a>) -> Trail<'a> {
        Trail::new(self.description.root(root), root.tree().key())
    }

    /// True if the list of turns is there, and empty, where that may be.
    fn is_empty(&self, trail: &Trail<'_>) -> bool {
        let at = &self.description.turn.0[0].at;
        let list = || trail.find_of(at, at.steps.len().checked_sub(1)?);
        let is_empty =
            |list: Value<'_>| list.kind() == NodeKind::Array && list.elements().next().is_none();
        self.description.empty && list().is_some_and(is_empty)
    }

    /// Returns the declarations of APIs in a dialog: objects with a name and a JSON Schema of the arguments. Empty if
    /// the dialog has none, and for chats, whose declarations are at their [`ChatForm::tools_key`].
    pub fn api_declarations<'t>(&self, root: Value<'t>) -> Vec<Value<'t>> {
        let ontology = self.description.ontology.as_ref();
        let Some(apis) = ontology.and_then(|ontology| ontology.apis.as_ref()) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        self.trail(root).each(apis, &mut |trail| all.push(trail.here().value));
        all
    }

    /// Returns the dialog in `tree`, and its issues: the violations of the schema, turns of which nothing is read, and the
    /// first number that JSON does not have.
    pub fn read(&'static self, tree: Tree<'_>) -> ReadDialog {
        let (dialog, mut issues) = self.read_form(tree);
        issues.extend(silent_turns(self, tree, &dialog));
        issues.extend(tree.not_number().map(|value| Issue {
            at: extent(value),
            turn: dialog.turns.iter().position(|turn| turn.at.holds(extent(value))),
            problem: IssueKind::NotNumber(value.raw().to_owned()),
        }));
        (dialog, issues)
    }

    /// As [`Self::read`], with the violations of the schema alone.
    pub fn read_form(&'static self, tree: Tree<'_>) -> ReadDialog {
        match self.code.read {
            Some(read) => read(self, tree),
            None => declared::read(&self.description, self.shape(), tree),
        }
    }

    /// Returns the other side of the dialog in `tree`, with its schema violations, if the dialog is a pair.
    pub fn other_side(&'static self, tree: Tree<'_>) -> Option<ReadDialog> {
        if let Some(read) = self.code.read_other_side {
            return read(self, tree);
        }
        self.description.sides_of(tree.root())?;
        let made = || {
            let other = self.description.other_side()?;
            Some(Self::of(other, self.path.clone(), self.has_line).keep())
        };
        let other = (*self.swapped.get_or_init(made))?;
        Some(other.read_form(tree))
    }

    /// Applies an edit to a dialog of this family, which stays unchanged if the edit is refused. What the form of the
    /// family decides follows, such as the role of a new speaker and the calls in a text.
    ///
    /// # Errors
    /// If the edit does not fit the dialog.
    pub fn apply(&'static self, edit: &Edit, dialog: &mut Dialog) -> Result<(), EditError> {
        let before = match edit {
            Edit::AddTurn { .. } => None,
            _ => dialog.turns.get(edit.turn()).cloned(),
        };
        edit.apply_to(dialog)?;
        declared::complete(&self.description, edit, dialog);
        let before = before.unwrap_or_default();
        let turn = Some(edit.turn()).filter(|_| !matches!(edit, Edit::RemoveTurn { .. }));
        let turn = turn.filter(|turn| *turn < dialog.turns.len());
        match (self.code.follow, turn) {
            (None, _) => declared::follow(&self.description, &before, dialog, turn),
            (Some(follow), Some(turn)) => follow(self, &before, dialog, turn),
            (Some(_), None) => {}
        }
        Ok(())
    }

    /// Returns the splices that make the text of `editor`, which a dialog was read from before it was `edited`, one of the
    /// dialog after that. `ways` are those of all edits of a batch.
    ///
    /// # Errors
    /// If something that differs has no place in the text.
    pub fn write<'a>(
        &'static self,
        editor: &Editor<'a>,
        edited: &EditedDialog<'_>,
        ways: &Ways<'a>,
    ) -> Result<Vec<Splice>, EditError> {
        match self.code.write_labels {
            Some(write) => Ok(write(editor, edited)),
            None => declared::write(&self.description, editor, edited, ways),
        }
    }

    fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| Shape::of(&self.description))
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
        let id = Trail::new(line, None).find(self.description.split.as_ref()?)?.text();
        (!id.is_empty()).then_some(id)
    }

    /// Returns the description by which all of its quotes are read.
    pub fn with_quotes(&self) -> &QuotedDescription {
        let made = || QuotedDescription::of(self.description.clone());
        self.with_quotes.get_or_init(made)
    }

    /// Returns the format with each unit that its spans may count, except its own.
    pub fn other_units(&self) -> &[&'static Family] {
        self.other_units.get_or_init(|| {
            let mut all: Vec<&'static Family> = Vec::new();
            for unit in self.description.span.0.iter().flat_map(|rule| &rule.units.0) {
                let mut other = self.description.clone();
                let (mut changed, mut known) = (false, all.iter());
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

impl std::fmt::Debug for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.description.name)
    }
}

impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        self.description.name == other.description.name
    }
}

impl Eq for Family {}
