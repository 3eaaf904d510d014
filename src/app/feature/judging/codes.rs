//! Renaming, merging, splitting and defining codes. Only the annotator's own judgements change; each change of a
//! code is one step to undo.

use std::collections::VecDeque;

use crate::app::core::{Answer, App, JudgementChange, PromptInput, PromptKind, Question};
use crate::app::feature::judging::codes_tab::codes;
use crate::app::pane::{Ink, Item, Line, truncated};
use crate::dialog::{Edit, Judgement, folded_tag, spelled_tag};
use crate::text::counted;
use crate::workspace::{Code, DialogId, OwnJudgement};

/// Columns of a note or a quote in a question, at most.
const QUOTED: usize = 60;

/// Returns the query that finds the places with a code.
pub fn query_of(app: &App, name: &str) -> String {
    let tag = |spelling: &String| format!("tag:=\"{}\"", spelling.replace('"', ""));
    let tags: Vec<_> = code(app, name).iter().flat_map(|code| &code.spellings).map(tag).collect();
    tags.join(" or ")
}

/// Asks for another name of the selected code.
pub fn ask_for_name(app: &mut App, name: &str) {
    ask(app, name, CodeChange::Rename);
}

/// Asks for the name of a code that some places of the selected one get instead.
pub fn ask_for_part(app: &mut App) {
    if let Some(Item::Code(name)) = app.panes.details.item().cloned() {
        ask(app, &name, CodeChange::Split);
    }
}

/// Asks what the annotator means by the selected code.
pub fn ask_for_definition(app: &mut App, name: &str) {
    ask(app, name, CodeChange::Define);
}

fn ask(app: &mut App, name: &str, change: CodeChange) {
    let Some(code) = code(app, name) else {
        return;
    };
    if app.judging.annotator.is_empty() {
        return app.say("judge something first; only your own judgements can change");
    }
    if code.own == 0 && change != CodeChange::Define {
        return app.say(format!("{name} is others'; only your own judgements can change"));
    }
    let text = match change {
        CodeChange::Rename => code.name.clone(),
        CodeChange::Split => String::new(),
        CodeChange::Define => code.definition.clone(),
    };
    let prompt = CodePrompt {
        code,
        change,
        known: codes(app).into_iter().map(|code| code.name).collect(),
        offered: Vec::new(),
        picked: false,
    };
    app.ask(prompt, &text);
}

fn code(app: &App, name: &str) -> Option<Code> {
    codes(app).into_iter().find(|code| code.name == name)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodeChange {
    /// To a code that is in use: merges the two.
    Rename,
    Split,
    Define,
}

/// The prompt for the new name of a code, or for its definition.
#[derive(Debug)]
struct CodePrompt {
    code: Code,
    change: CodeChange,
    /// The codes in use, and those of them that what is typed may become.
    known: Vec<String>,
    offered: Vec<String>,
    /// The user has chosen one of them.
    picked: bool,
}

impl PromptKind for CodePrompt {
    fn prefix(&self) -> &'static str {
        match self.change {
            CodeChange::Rename => "rename to ",
            CodeChange::Split => "new code ",
            CodeChange::Define => "definition ",
        }
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        let name = &self.code.name;
        match self.change {
            CodeChange::Rename => Some(format!("{name}: a name in use merges the two")),
            CodeChange::Split => Some(format!("Split {name}: each place is asked about")),
            CodeChange::Define => None,
        }
    }

    fn without_choices(&self) -> Line {
        Line::of(Ink::Dim, " no code like this yet")
    }

    fn count(&self) -> usize {
        self.offered.len()
    }

    fn choice(&self, _: &App, number: usize, _: &PromptInput) -> Line {
        Line::of(Ink::Plain, &format!(" {}", self.offered[number]))
    }

    fn selected(&self, input: &PromptInput) -> Option<usize> {
        self.picked.then_some(input.chosen)
    }

    fn step(&mut self, _: &mut App, input: &mut PromptInput, by: isize) {
        let last = self.count().saturating_sub(1);
        if self.picked {
            input.chosen = input.chosen.saturating_add_signed(by).min(last);
        }
        self.picked = self.count() > 0;
    }

    fn changed(&mut self, _: &mut App, input: &mut PromptInput) {
        if self.change == CodeChange::Define {
            return;
        }
        let typed = folded_tag(&input.text());
        let is_offered =
            |name: &&String| **name != self.code.name && folded_tag(name).contains(&typed);
        self.offered = self.known.iter().filter(is_offered).cloned().collect();
        input.chosen = 0;
        self.picked = false;
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let typed = input.text();
        if self.change == CodeChange::Define {
            return define(app, &self.code, typed.trim());
        }
        let picked = self.selected(&input).and_then(|chosen| self.offered.get(chosen));
        let typed = typed.trim().trim_start_matches('#');
        let others: Vec<String> =
            self.known.iter().filter(|known| **known != self.code.name).cloned().collect();
        let to = picked.cloned().unwrap_or_else(|| spelled_tag(typed, &others));
        if to.is_empty() || self.code.spellings == [to.as_str()] {
            return app.say("no change");
        }
        let is_known = others.contains(&to);
        let uses = own_uses(app, &self.code);
        let splits = self.change == CodeChange::Split;
        let change = Renaming { from: self.code, to };
        if splits {
            SplitQuestion::begin(app, change, uses);
        } else if is_known {
            app.ask_now(MergeQuestion { change, uses });
        } else {
            change.make(app, uses, true);
        }
    }
}

/// Returns the annotator's own judgements that have a code, in the order of their files.
fn own_uses(app: &App, code: &Code) -> Vec<OwnJudgement> {
    let own = app.workspace.files.own_judgements(&app.judging.annotator).into_iter();
    let has_code =
        |own: &OwnJudgement| own.judgement.all_tags().any(|tag| code.spellings.contains(tag));
    own.filter(has_code).collect()
}

/// Returns the annotator's own definitions of codes.
fn own_definitions(app: &App) -> impl Iterator<Item = OwnJudgement> {
    let own = app.workspace.files.own_judgements(&app.judging.annotator).into_iter();
    own.filter(|own| own.judgement.is_definition())
}

/// A code that becomes another.
#[derive(Debug)]
struct Renaming {
    from: Code,
    to: String,
}

impl Renaming {
    /// Returns a judgement with the other code.
    fn of(&self, judgement: &Judgement) -> Judgement {
        judgement.with_tag(&self.from.spellings, &self.to)
    }

    /// Changes these judgements as one step, and the definition too if `all` uses of the code change.
    fn make(&self, app: &mut App, uses: Vec<OwnJudgement>, all: bool) {
        let Self { from, to } = self;
        if let Some(expected) = self.refused(app, &uses) {
            return app.complain(expected);
        }
        let count = uses.len();
        let changes = uses.into_iter().map(|OwnJudgement { at, judgement }| JudgementChange {
            at,
            after: self.of(&judgement),
            before: Some(judgement),
        });
        let mut changes: Vec<_> = changes.collect();
        if all {
            changes.extend(self.of_definitions(app));
            changes.sort_by_key(|change| change.at);
        }
        let title = format!("code {} → {to}", from.name);
        let kept = app.judge_together(&changes, &title);
        app.panes.details.choose_next(Item::Code(to.clone()));
        let changed = counted(count.saturating_sub(kept), "judgement");
        app.say(format!("{title}: {changed}"));
        if kept > 0 {
            app.say_also(format!("{kept} kept, as they have changed"));
        }
        if from.others > 0 && all {
            let others = counted(from.others, "judgement");
            app.say_also(format!("{others} of others kept"));
        }
    }

    /// Returns the changes of definitions: the new code keeps its own, or takes that of the old one.
    fn of_definitions(&self, app: &App) -> Vec<JudgementChange> {
        let mut changes = Vec::new();
        let is_defined = |file: DialogId| {
            own_definitions(app).any(|own| own.at == file && own.judgement.question == self.to)
        };
        let old = own_definitions(app)
            .filter(|own| self.from.spellings.contains(&own.judgement.question));
        for OwnJudgement { at, judgement } in old.filter(|own| own.judgement.question != self.to) {
            if !is_defined(at) {
                changes.push(JudgementChange {
                    at,
                    before: None,
                    after: Judgement { question: self.to.clone(), ..judgement.clone() },
                });
            }
            changes.push(JudgementChange {
                at,
                after: Judgement { note: String::new(), ..judgement.clone() },
                before: Some(judgement),
            });
        }
        changes
    }

    /// Returns why a question of the scheme does not take the new code, if one does not.
    fn refused(&self, app: &App, uses: &[OwnJudgement]) -> Option<String> {
        let scheme = &app.judging.scheme;
        uses.iter().find_map(|of| {
            let value =
                self.of(&of.judgement).value.filter(|_| of.judgement.scheme == scheme.name)?;
            let expected = scheme.question(&of.judgement.question)?.takes(&value).err()?;
            Some(format!("{} takes {expected}", of.judgement.question))
        })
    }
}

/// Merge a code with another?
#[derive(Debug)]
struct MergeQuestion {
    change: Renaming,
    uses: Vec<OwnJudgement>,
}

impl Question for MergeQuestion {
    fn text(&self, _: &App) -> String {
        let Renaming { from, to } = &self.change;
        format!("Merge {} ({}) with {to}?", from.name, counted(self.uses.len(), "judgement"))
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        vec![(Answer::Yes, "merge them"), (Answer::No, "keep both"), (Answer::Later, "keep both")]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        if answer == Answer::Yes {
            self.change.make(app, self.uses, true);
        }
    }
}

/// Which places of a code get another? Asks about one place after the other, and shows it.
#[derive(Debug)]
struct SplitQuestion {
    change: Renaming,
    all: usize,
    left: VecDeque<OwnJudgement>,
    taken: Vec<OwnJudgement>,
}

impl SplitQuestion {
    fn begin(app: &mut App, change: Renaming, mut uses: Vec<OwnJudgement>) {
        uses.sort_by_cached_key(|own| (dialog_of(app, own), own.judgement.found_at()));
        let question = Self { change, all: uses.len(), left: uses.into(), taken: Vec::new() };
        question.ask(app);
    }

    /// Shows the next place and asks about it; changes those that were taken if it was the last.
    fn ask(self, app: &mut App) {
        let Some(next) = self.left.front() else {
            return self.end(app);
        };
        let at = dialog_of(app, next);
        if at != next.at {
            app.open_from_list(at);
            app.panes.transcript.go(next.judgement.found_at());
        }
        app.ask_now(self);
    }

    fn end(self, app: &mut App) {
        if self.taken.is_empty() {
            return app.say("no change");
        }
        let all = self.taken.len() == self.all;
        self.change.make(app, self.taken, all);
    }
}

/// Returns the dialog that a judgement is about.
fn dialog_of(app: &App, own: &OwnJudgement) -> DialogId {
    let edit = Edit::Judge { judgement: Box::new(own.judgement.clone()) };
    app.workspace.files.dialog_of(own.at, &edit)
}

impl Question for SplitQuestion {
    fn text(&self, _: &App) -> String {
        let Renaming { from, to } = &self.change;
        let Some(OwnJudgement { judgement, .. }) = self.left.front() else {
            return String::new();
        };
        let said = if judgement.note.is_empty() { &judgement.quote } else { &judgement.note };
        let number = self.all - self.left.len() + 1;
        let (id, of) = (&judgement.dialog, self.all);
        format!(
            "{number} of {of} · {id}: {} · {to} instead of {}?",
            truncated(said, QUOTED),
            from.name
        )
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        vec![(Answer::Yes, "change it"), (Answer::No, "keep it"), (Answer::Later, "keep the rest")]
    }

    fn answer(mut self: Box<Self>, app: &mut App, answer: Answer) {
        let Some(place) = self.left.pop_front() else {
            return;
        };
        match answer {
            Answer::Yes => self.taken.push(place),
            Answer::No => {}
            _ => return self.end(app),
        }
        self.ask(app);
    }
}

/// Keeps what the annotator means by a code, as a judgement of no dialog; an empty text removes it.
fn define(app: &mut App, code: &Code, text: &str) {
    let new = Judgement::defining(&code.name, text, &app.judging.annotator);
    let known = own_definitions(app).find(|own| code.spellings.contains(&own.judgement.question));
    let change = match known {
        Some(OwnJudgement { at, judgement }) => JudgementChange {
            at,
            after: Judgement { question: judgement.question.clone(), ..new },
            before: Some(judgement),
        },
        None => {
            let edit = Edit::Judge { judgement: Box::new(new.clone()) };
            let shown = app.panes.transcript.at;
            let Some(at) = shown.and_then(|shown| app.prepare_edit(shown, &edit)) else {
                return;
            };
            JudgementChange { at, before: None, after: new }
        }
    };
    let title = format!("definition of {}", code.name);
    if app.judge_together(&[change], &title) == 0 {
        app.say(title);
    }
}
