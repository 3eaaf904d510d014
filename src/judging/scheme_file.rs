//! Reading a scheme: a list of questions in TOML.
//!
//! ```toml
//! name = "success"
//!
//! [[question]]
//! name = "verdict"
//! text = "Did the user get what they wanted?"
//! of = "dialog"
//! kind = "choice"
//! values = [
//!     { name = "pass", key = "o" },
//!     { name = "fail", key = "x", help = "at the first turn that went wrong", turn = true },
//! ]
//! ```

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use super::question::{Choice, Kind, Level, OF_PAIRS, Question, Subject};
use super::scheme::Scheme;
use crate::dialog::Answer;
use crate::json::BadText;
use crate::query::{Condition, Query};

/// The name of a scheme in a project file: that of one in [`FILE`], unless it names itself.
const IN_PROJECT: &str = "judging";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SchemeTable {
    #[serde(default)]
    name: Option<Spanned<String>>,
    #[serde(default)]
    text: String,
    question: Vec<Spanned<QuestionTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table, which begins with [[question]]")]
struct QuestionTable {
    name: Spanned<String>,
    #[serde(default)]
    text: String,
    of: Subject,
    #[serde(rename = "for")]
    only: Option<Spanned<String>>,
    kind: Spanned<KindName>,
    #[serde(default)]
    values: Vec<Spanned<ValueTable>>,
    level: Option<Spanned<Level>>,
    open: Option<Spanned<bool>>,
    swap: Option<Spanned<bool>>,
    seed: Option<Spanned<u32>>,
    #[serde(default)]
    required: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KindName {
    Choice,
    Scale,
    YesNo,
    Tags,
    Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with a name, such as { name = \"pass\" }")]
struct ValueTable {
    name: ValueName,
    key: Option<Spanned<String>>,
    #[serde(default)]
    help: String,
    #[serde(default)]
    turn: bool,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a name is a text or a whole number")]
enum ValueName {
    Whole(i64),
    Text(String),
}

/// The questions in a project file, which has other things, too.
#[derive(Deserialize)]
struct ProjectTable {
    #[serde(default)]
    question: Vec<Spanned<QuestionTable>>,
}

/// Returns what a key does while somebody judges, if it is needed then. A scheme is tested with it beyond what is needed to
/// ask its questions.
pub type SchemeTest<'t> = dyn Fn(char) -> Option<&'static str> + 't;

/// Why a scheme is refused, and its bytes in the text.
struct Refused {
    at: usize,
    why: String,
}

impl Refused {
    fn in_text(self, text: &str) -> BadText {
        BadText::at(text, self.at, self.why)
    }
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, BadText> {
    toml::from_str(text).map_err(|error| BadText::in_toml(text, &error))
}

/// Checks that the keys of a question's values are free.
fn check_keys(table: &QuestionTable, test: &SchemeTest<'_>) -> Result<(), Refused> {
    let keys = table.values.iter().filter_map(|value| value.get_ref().key.as_ref());
    for text in keys {
        let key = key(text)?;
        if let Some(does) = test(key) {
            let why = format!("the key `{key}` already has a use while you judge: {does}");
            return Err(refused(text, why));
        }
    }
    Ok(())
}

/// Returns the names of the questions that a query asks.
fn asked_names<'s>(query: &Query, scheme: &'s Scheme) -> Vec<&'s str> {
    let asked = query.every().into_iter().filter_map(Condition::question);
    let named = asked.flat_map(|asked| {
        let these = scheme.questions.iter().map(|of| of.name.as_str());
        these.filter(|name| asked.matches(name))
    });
    named.collect()
}

/// Checks that whether a question is asked does not depend on its own answer.
fn depends_on_others(query: &Spanned<String>, name: &str, scheme: &Scheme) -> Result<(), Refused> {
    let mut waiting = vec![name];
    let mut next = 0;
    while let Some(question) = waiting.get(next).and_then(|name| scheme.question(name)) {
        next += 1;
        for asked in question.only.iter().flat_map(|only| asked_names(only, scheme)) {
            if asked == name {
                let on = if question.name == name {
                    "its own answer".to_owned()
                } else {
                    format!("{:?}, which depends on it", question.name)
                };
                let why = format!("`for`: whether {name:?} is asked depends on {on}");
                return Err(refused(query, why));
            }
            if !waiting.contains(&asked) {
                waiting.push(asked);
            }
        }
    }
    Ok(())
}

/// Checks that a query names questions of the scheme, or of bundled ones.
fn asks_known(query: &Spanned<String>, scheme: &Scheme) -> Result<(), Refused> {
    let Ok(parsed) = query.get_ref().parse::<Query>() else {
        return Ok(());
    };
    let bundled = Scheme::with_bundled(None).into_iter();
    let bundled: Vec<_> = bundled.flat_map(|scheme| scheme.questions).collect();
    let known = || scheme.questions.iter().chain(&bundled);
    let mut asked = parsed.every().into_iter().filter_map(Condition::question);
    match asked.find(|asked| !known().any(|question| asked.matches(&question.name))) {
        Some(unknown) => {
            let name = unknown.literal();
            let names: Vec<_> = scheme.questions.iter().map(|of| of.name.as_str()).collect();
            let names = names.join(", ");
            let why = format!("`for`: unknown question {name:?}; the questions are {names}");
            Err(refused(query, why))
        }
        None => Ok(()),
    }
}

fn refused<T>(place: &Spanned<T>, why: impl Into<String>) -> Refused {
    Refused { at: place.span().start, why: why.into() }
}

impl Scheme {
    /// Reads a scheme. `name` is its name if the text has none.
    ///
    /// # Errors
    /// The first line that is wrong, and why.
    pub fn read(text: &str, name: &str) -> Result<Self, BadText> {
        Self::tested(text, name, None)
    }

    /// As [`Scheme::read`], with a test.
    ///
    /// # Errors
    /// Also if a value has a key that is taken, or `for` names a question that nobody asks.
    pub fn tested(text: &str, name: &str, test: Option<&SchemeTest<'_>>) -> Result<Self, BadText> {
        let table = parsed(text)?;
        Self::of(table, name, test).map_err(|refused| refused.in_text(text))
    }

    /// As [`Scheme::tested`], of the questions in a project file; None if it has none.
    ///
    /// # Errors
    /// As [`Scheme::tested`].
    pub fn in_project(text: &str, test: Option<&SchemeTest<'_>>) -> Result<Option<Self>, BadText> {
        let ProjectTable { question } = parsed(text)?;
        if question.is_empty() {
            return Ok(None);
        }
        let table = SchemeTable { name: None, text: String::new(), question };
        let scheme = Self::of(table, IN_PROJECT, test);
        scheme.map(Some).map_err(|refused| refused.in_text(text))
    }

    fn of(table: SchemeTable, name: &str, test: Option<&SchemeTest<'_>>) -> Result<Self, Refused> {
        let name = match table.name {
            Some(given) if given.get_ref().trim().is_empty() => {
                return Err(refused(&given, "the name is empty"));
            }
            Some(given) => given.into_inner(),
            None => name.to_owned(),
        };
        let mut scheme = Self { text: table.text, ..Self::empty(&name) };
        let mut queries = Vec::new();
        for table in table.question {
            let name = table.get_ref().name.get_ref();
            let only = table.get_ref().only.clone();
            queries.extend(only.map(|query| (name.clone(), query)));
            if let Some(test) = test {
                check_keys(table.get_ref(), test)?;
            }
            let at = table.span();
            let swap = table.get_ref().swap.as_ref();
            let swaps = swap.is_some_and(|swap| *swap.get_ref());
            let name = table.get_ref().name.clone();
            if scheme.questions.iter().any(|known| known.name == *name.get_ref()) {
                return Err(refused(
                    &name,
                    format!("two questions have the name {:?}", name.get_ref()),
                ));
            }
            let question = question(table)?;
            if let Some((key, other)) = key_of_another(&question, &scheme.questions) {
                let (name, other) = (&question.name, &other.name);
                return Err(Refused {
                    at: at.start,
                    why: format!(
                        "{name:?} and {other:?} are asked together and both have the key `{key}`"
                    ),
                });
            }
            let again = swaps.then(|| Question {
                name: format!("{}-swapped", question.name),
                again: true,
                ..question.clone()
            });
            scheme.questions.push(question);
            scheme.questions.extend(again);
        }
        if test.is_some() {
            for (name, query) in &queries {
                asks_known(query, &scheme)?;
                depends_on_others(query, name, &scheme)?;
            }
        }
        Ok(scheme)
    }
}

/// Returns a key of a question that one of the `others` has, too, which is asked in the same place, and that one. Yes and no
/// may have the same keys in all of them: a key answers the first that is open.
fn key_of_another<'q>(question: &Question, others: &'q [Question]) -> Option<(char, &'q Question)> {
    let keys = question.choices.iter();
    let mut keys = keys.filter_map(|choice| choice.key.as_ref()?.chars().next());
    let beside = others.iter().filter(|other| {
        let is_beside = other.of == question.of || question.of.is_whole() || other.of.is_whole();
        is_beside && (question.kind != Kind::YesNo || other.kind != Kind::YesNo)
    });
    keys.find_map(|key| Some((key, beside.clone().find(|other| other.choice(key).is_some())?)))
}

/// Checks that a question is about a pair if it says something about the order of its sides, and then a choice
/// without values of its own.
fn check_pair(table: &QuestionTable) -> Result<(), Refused> {
    let of_pair = table.of == Subject::Pair;
    let about_order = table.swap.as_ref().map(|swap| refused(swap, ""));
    let about_order = about_order.or(table.seed.as_ref().map(|seed| refused(seed, "")));
    if let Some(Refused { at, .. }) = about_order.filter(|_| !of_pair) {
        let why = "only a question about a pair has `swap` or `seed`".to_owned();
        return Err(Refused { at, why });
    }
    if of_pair && *table.kind.get_ref() != KindName::Choice {
        return Err(refused(&table.kind, "a question about a pair must be a choice"));
    }
    if let Some(value) = table.values.first().filter(|_| of_pair) {
        return Err(refused(
            value,
            "a question about pairs cannot have values of its own: they are the two sides, tie and both-bad",
        ));
    }
    Ok(())
}

fn query(text: &Spanned<String>) -> Result<Query, Refused> {
    let query = text.get_ref().parse::<Query>();
    query.map_err(|error| refused(text, format!("`for`: {error}")))
}

fn question(table: Spanned<QuestionTable>) -> Result<Question, Refused> {
    let table = table.into_inner();
    if table.name.get_ref().trim().is_empty() {
        return Err(refused(&table.name, "the name is empty"));
    }
    let only = table.only.as_ref().map(query).transpose()?;
    let of = table.of;
    let kind_name = *table.kind.get_ref();
    if let Some(level) = &table.level
        && kind_name != KindName::Scale
    {
        return Err(refused(level, "only a scale has a `level`"));
    }
    let level = table.level.as_ref().map_or(Level::Ordinal, |level| *level.get_ref());
    if let Some(open) = &table.open
        && kind_name != KindName::Tags
    {
        return Err(refused(open, "only tags can have `open`"));
    }
    check_pair(&table)?;
    let of_pair = of == Subject::Pair;
    let kind = match kind_name {
        KindName::Choice => Kind::Choice,
        KindName::Scale => Kind::Scale(level),
        KindName::YesNo => Kind::YesNo,
        KindName::Tags => Kind::Tags { open: table.open.is_none_or(Spanned::into_inner) },
        KindName::Text => Kind::Text,
    };
    let needed = match kind {
        Kind::Choice | Kind::Scale(_) if table.values.len() < 2 && !of_pair => {
            Some("at least two `values`")
        }
        Kind::Tags { open: false } if table.values.is_empty() => {
            Some("`values`, because its tags are not open")
        }
        _ => None,
    };
    if let Some(needed) = needed {
        return Err(refused(&table.kind, format!("{:?} needs {needed}", table.name.get_ref())));
    }
    if kind == Kind::Text
        && let Some(value) = table.values.first()
    {
        return Err(refused(value, "a `text` takes no values"));
    }
    let mut choices: Vec<Choice> = Vec::new();
    for value in table.values {
        let choice = choice(&kind, &value, of)?;
        if let Some(key) = &choice.key
            && choices.iter().any(|known| known.key.as_ref() == Some(key))
        {
            return Err(refused(&value, format!("two values have the key `{key}`")));
        }
        let is_number = |choice: &Choice| matches!(choice.answer, Answer::Number(_));
        if choices.first().is_some_and(|first| is_number(first) != is_number(&choice)) {
            return Err(refused(
                &value,
                "the values of a scale must be either all numbers or all names",
            ));
        }
        if choices.iter().any(|known| known.answer == choice.answer) {
            return Err(refused(
                &value,
                format!("two values have the name {:?}", choice.answer.to_string()),
            ));
        }
        choices.push(choice);
    }
    if of_pair {
        choices = OF_PAIRS
            .map(|(name, key)| Choice {
                key: Some(key.to_string()),
                ..Answer::Text(name.to_owned()).into()
            })
            .into();
    }
    if kind == Kind::YesNo && choices.is_empty() {
        let answer =
            |flag, key| Choice { key: Some(String::from(key)), ..Answer::Flag(flag).into() };
        choices = vec![answer(true, 'y'), answer(false, 'n')];
    }
    Ok(Question {
        name: table.name.into_inner(),
        text: table.text,
        of,
        only,
        kind,
        choices,
        required: table.required,
        again: false,
        seed: table.seed.map_or(0, Spanned::into_inner),
    })
}

/// Returns the key of an answer.
fn key(text: &Spanned<String>) -> Result<char, Refused> {
    let mut chars = text.get_ref().chars();
    match (chars.next(), chars.next()) {
        (Some(key), None) if !key.is_control() && key != ' ' => Ok(key),
        _ => {
            let given = text.get_ref();
            let which = "one letter, digit or sign, without Ctrl or Alt";
            Err(refused(
                text,
                format!("{given:?} cannot be the key of an answer; a key is {which}"),
            ))
        }
    }
}

fn choice(kind: &Kind, value: &Spanned<ValueTable>, of: Subject) -> Result<Choice, Refused> {
    let table = value.get_ref();
    let answer = match (kind, &table.name) {
        (Kind::Scale(_), ValueName::Whole(number)) => Answer::Number((*number).into()),
        (Kind::Scale(Level::Interval), ValueName::Text(_)) => {
            return Err(refused(value, "the values of an interval scale must be whole numbers"));
        }
        (Kind::YesNo, ValueName::Text(text)) if text == "yes" => Answer::Flag(true),
        (Kind::YesNo, ValueName::Text(text)) if text == "no" => Answer::Flag(false),
        (Kind::YesNo, _) => return Err(refused(value, "the values must be \"yes\" and \"no\"")),
        (_, ValueName::Whole(number)) => Answer::Text(number.to_string()),
        (_, ValueName::Text(text)) => Answer::Text(text.clone()),
    };
    let key = table.key.as_ref().map(key).transpose()?.map(String::from);
    if table.turn && of != Subject::Dialog {
        return Err(refused(value, "only an answer about the whole dialog can point to a turn"));
    }
    Ok(Choice { answer, key, help: table.help.clone(), marks_turn: table.turn })
}
