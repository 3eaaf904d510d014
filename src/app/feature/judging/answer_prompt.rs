//! The prompt for an answer that is typed: tags, or a text.

use std::sync::Arc;

use crate::app::core::{App, PromptInput, PromptKind};
use crate::app::feature::judging::{answering, leading};
use crate::app::input::TextField;
use crate::app::pane::{Ink, Line};
use crate::dialog::{Answer, Place, folded_tag, joined_tag, spelled_tag};
use crate::judging::{Asked, Kind, Scheme};

/// The question, and the tags to offer.
#[derive(Debug)]
pub struct AnswerPrompt {
    scheme: Arc<Scheme>,
    question: String,
    place: Place,
    /// The listed tags, then those used so far, the most used first.
    tags: Vec<String>,
    /// Those that the last word typed may become.
    offered: Vec<String>,
    /// The user has chosen one of them.
    picked: bool,
    /// It was asked after another answer, and leads on to the next open place.
    leads_on: bool,
}

/// Returns the tags in a text: between commas or semicolons, or from number sign to number sign.
fn tags_in(text: &str) -> Vec<&str> {
    let tags = text.split([',', ';']).flat_map(|part| {
        let starts = part.match_indices('#').map(|(at, _)| at);
        let starts = starts.filter(|at| part[..*at].ends_with(char::is_whitespace));
        let mut rest = part;
        let mut tags: Vec<&str> = Vec::new();
        for start in starts.collect::<Vec<_>>().into_iter().rev() {
            tags.push(&rest[start..]);
            rest = &rest[..start];
        }
        tags.push(rest);
        tags.into_iter().rev()
    });
    let tags = tags.map(|tag| tag.trim().trim_start_matches('#').trim_start());
    tags.filter(|tag| !tag.is_empty()).collect()
}

/// Returns the tag that is being typed.
fn last_tag(text: &str) -> &str {
    let is_closed = text.trim_end().ends_with([',', ';', '#']);
    let last = tags_in(text).pop().filter(|_| !is_closed);
    last.map_or("", |tag| {
        let start = text.rfind(tag).unwrap_or(text.len());
        &text[start..]
    })
}

impl AnswerPrompt {
    pub fn new(app: &App, scheme: Arc<Scheme>, asked: Asked<'_>, leads_on: bool) -> Self {
        let (question, place) = (asked.question.name.clone(), asked.place);
        let mut tags: Vec<String> = Vec::new();
        if let Kind::Tags { open } = asked.question.kind {
            tags.extend(asked.question.choices.iter().map(|choice| choice.answer.to_string()));
            let blind = app.panes.transcript.judge.blind;
            if open {
                let judgements = &app.workspace.files.logs.judgements;
                let used = judgements.codes(&app.judging.annotator, !blind);
                let used = used.into_iter().map(|code| spelled_tag(&code.name, &tags));
                let used: Vec<_> = used.filter(|tag| !tags.contains(tag)).collect();
                tags.extend(used);
            }
        }
        let offered = tags.clone();
        Self { scheme, question, place, tags, offered, picked: false, leads_on }
    }

    fn is_tags(&self) -> bool {
        let question = self.scheme.question(&self.question);
        question.is_some_and(|question| matches!(question.kind, Kind::Tags { .. }))
    }
}

impl PromptKind for AnswerPrompt {
    fn prefix(&self) -> &'static str {
        if self.is_tags() { "tags " } else { "answer " }
    }

    fn hint(&self) -> &'static str {
        if self.is_tags() { "with commas between them" } else { "" }
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        let question = self.scheme.question(&self.question)?;
        Some(if question.text.is_empty() { question.name.clone() } else { question.text.clone() })
    }

    fn is_about_turn(&self) -> bool {
        true
    }

    fn is_long(&self) -> bool {
        !self.is_tags()
    }

    fn count(&self) -> usize {
        self.offered.len()
    }

    fn without_choices(&self) -> Line {
        let why = if self.tags.is_empty() {
            " no tags have been used yet"
        } else {
            " no tag like this yet"
        };
        Line::of(Ink::Dim, why)
    }

    fn choice(&self, _: &App, number: usize, _: &PromptInput) -> Line {
        Line::of(Ink::Plain, &format!(" {}", self.offered[number]))
    }

    fn selected(&self, input: &PromptInput) -> Option<usize> {
        self.picked.then_some(input.chosen)
    }

    /// Puts the next tag on offer in place of the one that is typed.
    fn step(&mut self, _: &mut App, input: &mut PromptInput, by: isize) {
        let last = self.count().saturating_sub(1);
        if self.picked {
            input.chosen = input.chosen.saturating_add_signed(by).min(last);
        }
        let Some(tag) = self.offered.get(input.chosen) else {
            return;
        };
        self.picked = true;
        let mut text = input.text();
        text.truncate(text.len() - last_tag(&text).len());
        text.push_str(tag);
        input.field = TextField::new(&text);
    }

    fn changed(&mut self, _: &mut App, input: &mut PromptInput) {
        let text = input.text();
        let word = folded_tag(last_tag(&text));
        let fits = |tag: &&String| folded_tag(tag).starts_with(&word);
        self.offered = self.tags.iter().filter(fits).cloned().collect();
        input.chosen = 0;
        self.picked = false;
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let scheme = Arc::clone(&self.scheme);
        let asked = answering::asked_here(app, &scheme).into_iter();
        let mut asked =
            asked.filter(|asked| asked.question.name == self.question && asked.place == self.place);
        let Some(asked) = asked.next() else {
            return;
        };
        let text = input.text();
        let mut joined = false;
        let value = if self.is_tags() {
            let mut tags: Vec<String> = Vec::new();
            for tag in tags_in(&text) {
                let spelled = spelled_tag(tag, &self.tags);
                joined |= spelled != tag && spelled == joined_tag(tag);
                if !tags.contains(&spelled) {
                    tags.push(spelled);
                }
            }
            Answer::Several(tags)
        } else {
            Answer::Text(text.trim().to_owned())
        };
        if let Err(expected) = asked.question.takes(&value) {
            app.complain(format!("{} takes {expected}", self.question));
            return app.ask(*self, &text);
        }
        let is_nothing = match &value {
            Answer::Several(tags) => tags.is_empty(),
            Answer::Text(text) => text.is_empty(),
            _ => false,
        };
        let given = asked.answer(&app.panes.transcript.dialog, &app.judging.annotator).is_some();
        let is_done = is_nothing && !given
            || answering::answer(app, asked, (!is_nothing).then_some(value), None);
        if is_done && self.leads_on {
            go_on(app, &scheme, asked);
        }
        if is_done && joined {
            app.say_also("spaces in tags became hyphens");
        }
    }

    fn cancel(self: Box<Self>, app: &mut App) {
        // Not to answer is an answer, too, unless the question is required.
        let scheme = Arc::clone(&self.scheme);
        let asked = answering::asked_here(app, &scheme).into_iter();
        let mut asked =
            asked.filter(|asked| asked.question.name == self.question && asked.place == self.place);
        if let Some(asked) = asked.next()
            && !asked.question.required
            && self.leads_on
        {
            go_on(app, &scheme, asked);
        }
    }
}

/// After an answer: waits for the other answers about the same place, asks those that have to be typed, or goes on to
/// the next open turn.
pub fn go_on(app: &mut App, scheme: &Arc<Scheme>, after: Asked<'_>) {
    let asked = answering::asked_here(app, scheme);
    let dialog = &app.panes.transcript.dialog;
    let annotator = app.judging.annotator.as_str();
    let is_open = |asked: &&Asked<'_>| {
        asked.place == after.place && asked.answer(dialog, annotator).is_none()
    };
    let mut by_key = asked.iter().filter(|asked| !asked.question.kind.is_typed());
    if by_key.any(|asked| is_open(&asked)) {
        return;
    }
    let typed = asked.iter().filter(|asked| asked.question.kind.is_typed());
    // Those before a typed one were asked, and left open.
    let mut typed = typed.filter(|asked| {
        !after.question.kind.is_typed()
            || scheme.position(&asked.question.name) > scheme.position(&after.question.name)
    });
    if let Some(asked) = typed.find(is_open) {
        return ask(app, scheme, *asked, true);
    }
    // What was said about the whole dialog leaves the questions about the turn open.
    let shown = &app.panes.transcript;
    let has_turns = asked.iter().any(|asked| asked.place.turn.is_some());
    if after.place == Place::DIALOG && !has_turns
        || shown.judge.has_judged(&shown.dialog, shown.turn)
    {
        leading::advance(app);
    }
}

/// Opens the prompt for a question whose answer is typed.
pub fn ask(app: &mut App, scheme: &Arc<Scheme>, asked: Asked<'_>, leads_on: bool) {
    let answer = asked.answer(&app.panes.transcript.dialog, &app.judging.annotator);
    let text = answer.map_or_else(String::new, |answer| answer.to_string());
    asked.question.name.clone_into(&mut app.judging.last_typed);
    let prompt = AnswerPrompt::new(app, Arc::clone(scheme), asked, leads_on);
    app.ask(prompt, &text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_commas_or_number_signs_between_them() {
        assert_eq!(
            tags_in("#invented date, wrong-tool; slow #c# #rude"),
            ["invented date", "wrong-tool", "slow", "c#", "rude"]
        );
        assert_eq!(tags_in(" ,"), Vec::<String>::new());
        assert_eq!(last_tag("a, #inv"), "inv");
        assert_eq!(last_tag("wrong to"), "wrong to");
        assert_eq!(last_tag("a, "), "");
    }
}
