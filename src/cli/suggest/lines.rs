//! Reads the output of a command about a dialog: judgements and edit records, a JSON object a line.

use serde_json::{Map, Value};

use super::Job;
use crate::corpus::{DialogRef, Suggestion};
use crate::dialog::Judgement;
use crate::json::output;
use crate::judging::{Question, Scheme, Subject};

/// The one who answers, and what is asked.
pub struct Asked<'s> {
    /// None if the scheme is not known; then any question is answered.
    pub scheme: Option<&'s Scheme>,
    /// None if any question of the scheme may be answered.
    pub question: Option<&'s Question>,
    pub by: String,
    pub run: String,
}

/// The lines about a dialog, as they are kept.
#[derive(Debug, Default)]
pub struct Said {
    pub judgements: Vec<Judgement>,
    pub edits: Vec<String>,
}

impl Said {
    /// True if the command has said nothing.
    pub fn is_silent(&self) -> bool {
        self.judgements.is_empty() && self.edits.is_empty()
    }
}

impl Asked<'_> {
    /// True for a judgement of the run that answers what is asked.
    pub fn is_of_run(&self, said: &Judgement) -> bool {
        let is_answer = |question: &Question| said.question == question.name;
        let is_of = |scheme: &Scheme| said.is_note() || said.scheme == scheme.name;
        said.run.as_ref() == Some(&self.run)
            && self.scheme.is_none_or(is_of)
            && self.question.is_none_or(is_answer)
    }

    /// Reads what a command has printed about a dialog, at `when`.
    ///
    /// # Errors
    /// The first line that cannot be kept, and why; then none is.
    pub fn read(&self, job: &Job, printed: &str, when: &str) -> Result<Said, String> {
        let mut said = Said::default();
        let lines = printed.lines().enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let read = self.line(job, line, when, &mut said);
            read.map_err(|why| format!("line {} of the output: {why}", number + 1))?;
        }
        Ok(said)
    }

    fn line(&self, job: &Job, line: &str, when: &str, said: &mut Said) -> Result<(), String> {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let Value::Object(mut members) = value else {
            return Err("a JSON object was expected".to_owned());
        };
        if let Some(other) = members.get("dialog")
            && !job.is_dialog(other)
        {
            return Err(format!("it is about another dialog, {other}"));
        }
        if members.contains_key("edit") {
            said.edits.push(self.edit(job, members)?);
            return Ok(());
        }
        members.insert("dialog".to_owned(), job.id.as_str().into());
        members.insert("file".to_owned(), job.file.as_str().into());
        members.insert("by".to_owned(), self.by.as_str().into());
        let of = serde_json::from_value::<Judgement>(Value::Object(members));
        let of = of.map_err(|error| format!("not a judgement: {error}"))?;
        let judgement = self.judgement(job, of, when)?;
        let key = judgement.key();
        let earlier = said.judgements.iter().find(|earlier| earlier.key() == key);
        match earlier {
            None => said.judgements.push(judgement),
            Some(earlier) if *earlier == judgement => {}
            Some(_) if judgement.is_note() => {
                return Err("it has two notes about the same place".to_owned());
            }
            Some(_) => return Err(format!("it answers {} twice", judgement.question)),
        }
        Ok(())
    }

    /// Returns a judgement with what it quotes, after checking it.
    fn judgement(&self, job: &Job, of: Judgement, when: &str) -> Result<Judgement, String> {
        let quoted = Judgement::of(&job.dialog, of.place);
        let mut judgement = Judgement {
            run: Some(self.run.clone()),
            when: when.to_owned(),
            seconds: None,
            quote: quoted.quote,
            digest: quoted.digest,
            ..of
        };
        if judgement.is_empty() {
            return Err("it has no `value`, `note` or `tags`".to_owned());
        }
        if judgement.value.is_some() {
            let default = |named: &mut String, name: &str| {
                if named.is_empty() {
                    name.clone_into(named);
                }
            };
            default(&mut judgement.scheme, self.scheme.map_or("", |of| &of.name));
            default(&mut judgement.question, self.question.map_or("", |of| &of.name));
        }
        self.check(job, &judgement)?;
        if judgement.digest.is_empty() || !judgement.fits(&job.dialog) {
            return Err("the dialog has no such place".to_owned());
        }
        Ok(judgement)
    }

    /// # Errors
    /// If a judgement does not answer what is asked.
    fn check(&self, job: &Job, judgement: &Judgement) -> Result<(), String> {
        let Some(value) = judgement.value.as_ref() else {
            return Ok(());
        };
        let name = &judgement.question;
        if name.is_empty() || judgement.scheme.is_empty() {
            return Err("it does not say which question it answers".to_owned());
        }
        let Some(scheme) = self.scheme else {
            return Ok(());
        };
        let question = scheme.question(name);
        let is_asked = |question: &&Question| self.question.is_none_or(|asked| asked == *question);
        let question = question.filter(|_| judgement.scheme == scheme.name);
        let Some(question) = question.filter(is_asked) else {
            return Err(format!("{name:?} is not asked"));
        };
        question.takes(value).map_err(|expected| format!("{name} takes {expected}"))?;
        let place = judgement.place;
        let is_there = match question.of {
            Subject::Dialog | Subject::Pair => place.turn.is_none(),
            Subject::Turn => place.turn.is_some() && place.span.is_none() && place.call.is_none(),
            Subject::Segment => place.span.is_some(),
            Subject::Call => place.call.is_some(),
        };
        if is_there && question.places(&job.dialog, &self.by).contains(&place) {
            Ok(())
        } else if is_there {
            Err(format!("{name} is not asked about this {}", question.of.name()))
        } else {
            let of = question.of.name();
            Err(match question.of {
                Subject::Dialog | Subject::Pair => {
                    format!("{name} is about the whole {of}; name no turn, or the turn in `at`")
                }
                _ => format!("{name} is about a {of}; name its place"),
            })
        }
    }

    /// Returns the line of an edit record.
    fn edit(&self, job: &Job, mut members: Map<String, Value>) -> Result<String, String> {
        members.insert("dialog".to_owned(), job.reference());
        members.remove("dialog_id");
        members.insert("file".to_owned(), job.file.as_str().into());
        members.insert("by".to_owned(), self.by.as_str().into());
        let line = output::to_string(&members).map_err(|error| error.to_string())?;
        let read = line.parse::<Suggestion>();
        read.map_err(|error| error.to_string())?;
        Ok(line)
    }
}

impl Job {
    /// True if `named` is its dialog.
    fn is_dialog(&self, named: &Value) -> bool {
        match serde_json::from_value::<DialogRef>(named.clone()) {
            Ok(DialogRef::Id(id)) => id == self.id,
            Ok(DialogRef::Number(number)) => number == self.position,
            Err(_) => false,
        }
    }

    /// Returns its dialog as records name it.
    pub fn reference(&self) -> Value {
        match self.dialog.id.as_str() {
            "" => self.position.into(),
            id => id.into(),
        }
    }
}
