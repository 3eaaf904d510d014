//! Renaming, merging and defining codes. Only the annotator's own judgements change; each change of a
//! code is one step to undo.

use crate::app::core::{App, JudgementChange, Picker, TextPrompt};
use crate::app::feature::judging::codes_tab::codes;
use crate::app::pane::{Ink, Item, Line};
use crate::dialog::{Edit, Judgement, folded_tag, spelled_tag};
use crate::text::counted;
use crate::workspace::{Code, DialogId, OwnJudgement};

/// Returns the query that finds the places with a code.
pub fn query_of(app: &App, name: &str) -> String {
    let tag = |spelling: &String| format!("tag:=\"{}\"", spelling.replace('"', ""));
    let tags: Vec<_> = code(app, name).iter().flat_map(|code| &code.spellings).map(tag).collect();
    tags.join(" or ")
}

/// Asks for another name of the selected code.
pub fn ask_for_name(app: &mut App, name: &str) {
    let Some(code) = code(app, name) else {
        return;
    };
    let is_others = || {
        let why = format!("{name} is not yours; you can change only your own judgements");
        (code.own == 0).then_some(why)
    };
    if let Some(why) = why_not(app).or_else(is_others) {
        return app.say(why);
    }
    let own = code.name.clone();
    let find = move |app: &App, typed: &str| {
        let typed = folded_tag(typed);
        let names = codes(app).into_iter().map(|code| code.name);
        names.filter(|name| *name != own && folded_tag(name).contains(&typed)).collect()
    };
    let line = |_: &App, name: &String| Line::of(Ink::Plain, &format!(" {name}"));
    let title = format!("{name}: an existing name merges the codes");
    let take = |app: &mut App, picked: Option<String>, typed: &str| {
        rename(app, code, picked, typed);
    };
    let picker = Picker::new("rename to ", title, find, line, take);
    app.ask(picker.or_typed(), name);
}

/// Asks what the annotator means by the selected code.
pub fn ask_for_definition(app: &mut App, name: &str) {
    let Some(code) = code(app, name) else {
        return;
    };
    if let Some(why) = why_not(app) {
        return app.say(why);
    }
    let known = code.definition.clone();
    let take = move |app: &mut App, typed: &str| define(app, &code, typed.trim());
    app.ask(TextPrompt::text("definition ", take), &known);
}

fn code(app: &App, name: &str) -> Option<Code> {
    codes(app).into_iter().find(|code| code.name == name)
}

/// Returns why none of the annotator's judgements can change, if none can.
fn why_not(app: &App) -> Option<String> {
    let is_unknown = app.judging.annotator.is_empty();
    is_unknown.then(|| "judge something first; you can change only your own judgements".to_owned())
}

/// Gives a code the name that was picked or typed; if another has it, that merges the two.
fn rename(app: &mut App, from: Code, picked: Option<String>, typed: &str) {
    let others = codes(app).into_iter().map(|code| code.name);
    let others: Vec<_> = others.filter(|name| *name != from.name).collect();
    let to = picked.unwrap_or_else(|| spelled_tag(typed.trim_start_matches('#'), &others));
    if to.is_empty() || from.spellings == [to.as_str()] {
        return app.say("no change");
    }
    let uses = own_uses(app, &from);
    Renaming { from, to }.make(app, uses);
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

    /// Changes these judgements and the definition as one step.
    fn make(&self, app: &mut App, uses: Vec<OwnJudgement>) {
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
        changes.extend(self.of_definitions(app));
        changes.sort_by_key(|change| change.at);
        let title = format!("code {} → {to}", from.name);
        let kept = app.judge_together(&changes, &title);
        app.panes.details.choose_next(Item::Code(to.clone()));
        let changed = counted(count.saturating_sub(kept), "judgement");
        app.say(format!("{title}: {changed}"));
        if kept > 0 {
            app.say_also(format!("unchanged: {kept} edited in the meantime"));
        }
        if from.others > 0 {
            let others = counted(from.others, "judgement");
            app.say_also(format!("unchanged: {others} of others"));
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
