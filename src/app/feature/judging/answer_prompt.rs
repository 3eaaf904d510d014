//! The prompt for an answer that is typed: tags, or a text.

use std::sync::Arc;

use crate::app::core::{App, Picker, TextPrompt};
use crate::app::feature::judging::codes_tab::{counted_tag, offered};
use crate::app::feature::judging::{answering, leading};
use crate::app::pane::{Ink, Line};
use crate::dialog::{Answer, Place, folded_tag, joined_tag, spelled_tag};
use crate::judging::{Asked, Kind, Question, Scheme};

/// A question whose answer is typed.
#[derive(Clone, Debug)]
struct TypedQuestion {
    scheme: Arc<Scheme>,
    question: String,
    place: Place,
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

/// A tag to offer, and how often it was given.
#[derive(Clone)]
struct OfferedTag {
    name: String,
    uses: usize,
}

/// Returns the tags to offer: those that are listed, then those used so far, the most used first.
fn tags_of(app: &App, question: &Question) -> Vec<OfferedTag> {
    let listed = question.choices.iter().map(|choice| choice.answer.to_string());
    let mut tags: Vec<_> = listed.map(|name| OfferedTag { name, uses: 0 }).collect();
    for code in offered(app) {
        let folded = folded_tag(&code.name);
        match tags.iter_mut().find(|tag| folded_tag(&tag.name) == folded) {
            Some(tag) => tag.uses += code.uses(),
            None if matches!(question.kind, Kind::Tags { open: true }) => {
                let uses = code.uses();
                tags.push(OfferedTag { name: code.name, uses });
            }
            None => {}
        }
    }
    tags
}

impl TypedQuestion {
    /// Opens the prompt for the answer.
    fn ask(self, app: &mut App, text: &str) {
        let scheme = Arc::clone(&self.scheme);
        let Some(question) = scheme.question(&self.question) else {
            return;
        };
        let title = if question.text.is_empty() { &question.name } else { &question.text };
        let (other, is_tags) = (self.clone(), matches!(question.kind, Kind::Tags { .. }));
        let cancel = move |app: &mut App| other.leave_open(app);
        if !is_tags {
            let take = move |app: &mut App, text: &str| {
                let value = Answer::Text(text.trim().to_owned());
                self.accept(app, value, text);
            };
            let prompt = TextPrompt::text("answer ", take).long(title.as_str());
            return app.ask(prompt.or_else(cancel), text);
        }
        let tags = tags_of(app, question);
        let none =
            if tags.is_empty() { " no tags have been used yet" } else { " no tag like this yet" };
        let known: Vec<_> = tags.iter().map(|tag| tag.name.clone()).collect();
        let find = move |_: &App, text: &str| {
            let word = folded_tag(last_tag(text));
            let fits = |tag: &&OfferedTag| folded_tag(&tag.name).starts_with(&word);
            tags.iter().filter(fits).cloned().collect()
        };
        let line = |_: &App, tag: &OfferedTag| counted_tag(&tag.name, tag.uses);
        let take = move |app: &mut App, _: Option<OfferedTag>, text: &str| {
            self.accept_tags(app, &known, text);
        };
        // A tag takes the place of the one that is typed.
        let complete = |tag: &OfferedTag, text: &str| {
            format!("{}{}", &text[..text.len() - last_tag(text).len()], tag.name)
        };
        let picker = Picker::new("tags ", title.as_str(), find, line, take);
        let picker = picker.completes(complete).or_says(Line::of(Ink::Dim, none));
        let picker = picker.hint("separate tags with commas").or_else(cancel);
        app.ask(picker, text);
    }

    /// Returns the question as it is asked here, if it still is.
    fn asked<'s>(&self, app: &App, scheme: &'s Arc<Scheme>) -> Option<Asked<'s>> {
        let mut asked = answering::asked_here(app, scheme).into_iter();
        asked.find(|asked| asked.question.name == self.question && asked.place == self.place)
    }

    fn accept_tags(self, app: &mut App, known: &[String], text: &str) {
        let (mut tags, mut joined) = (Vec::new(), false);
        for tag in tags_in(text) {
            let spelled = spelled_tag(tag, known);
            joined |= spelled != tag && spelled == joined_tag(tag);
            if !tags.contains(&spelled) {
                tags.push(spelled);
            }
        }
        if self.accept(app, Answer::Several(tags), text) && joined {
            app.say_also("spaces in tags became hyphens");
        }
    }

    /// Gives the answer that was typed as `text`; false if it is refused.
    fn accept(self, app: &mut App, value: Answer, text: &str) -> bool {
        let scheme = Arc::clone(&self.scheme);
        let Some(asked) = self.asked(app, &scheme) else {
            return false;
        };
        if let Err(expected) = asked.question.takes(&value) {
            app.complain(format!("{} takes {expected}", self.question));
            self.ask(app, text);
            return false;
        }
        let is_nothing = match &value {
            Answer::Several(tags) => tags.is_empty(),
            Answer::Text(text) => text.is_empty(),
            _ => false,
        };
        let given = asked.answer(&app.panes.transcript.dialog, app.judging.by()).is_some();
        let is_done = is_nothing && !given
            || answering::answer(app, asked, (!is_nothing).then_some(value), None);
        if is_done && self.leads_on {
            go_on(app, &scheme, asked);
        }
        is_done
    }

    /// Goes on without an answer. Not to answer is an answer, too, unless the question is required.
    fn leave_open(&self, app: &mut App) {
        let scheme = Arc::clone(&self.scheme);
        if let Some(asked) = self.asked(app, &scheme)
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
    let annotator = app.judging.by();
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
    let answer = asked.answer(&app.panes.transcript.dialog, app.judging.by());
    let text = answer.map_or_else(String::new, |answer| answer.to_string());
    asked.question.name.clone_into(&mut app.judging.last_typed);
    let (question, place) = (asked.question.name.clone(), asked.place);
    TypedQuestion { scheme: Arc::clone(scheme), question, place, leads_on }.ask(app, &text);
}
