//! Places in a dialog, as descriptions write them: `frames[*].slots[*]`, `^.service`, `@key`.
//!
//! A place is a path of names, from some element down. `[*]` means every element of an array, `{*}` every
//! member of an object, `[2]` the third element, and `[@index]` the element at the position of the turn.
//! Each `^` at the start goes up to the object around. `@key` is the name of a member, `@index` the
//! position of an element, and `.` the element itself. Of several places with `|` between them, the first that
//! exists counts. There are no filters and no expressions, so a place can only point at values of the dialog.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// The most steps of a place, down or up.
const MOST_STEPS: usize = 64;

/// The most places with `|` between them.
const MOST_PLACES: usize = 16;

/// The largest position between `[` and `]`.
const LAST_POSITION: usize = 999;

/// One step of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the member with this name.
    Member(String),
    /// To the element at this position.
    Position(usize),
    /// To the element at the position of the turn.
    SamePosition,
    /// To every element.
    Elements,
    /// To every member.
    Members,
}

impl Step {
    /// True if it may lead to several values.
    pub fn is_several(&self) -> bool {
        matches!(self, Self::Elements | Self::Members)
    }
}

/// The part of a value that a place means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Value,
    /// The name of the member.
    Key,
    /// The position of the element.
    Index,
}

/// A path from an element to a value, or to several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// How many objects to go up first.
    pub up: usize,
    pub steps: Vec<Step>,
    pub target: Target,
    /// The place as it is written.
    pub text: String,
    /// Other places, if this one does not exist.
    pub or: Vec<Place>,
}

impl Place {
    /// Returns the element itself: `.`.
    pub fn here() -> Self {
        Self {
            up: 0,
            steps: Vec::new(),
            target: Target::Value,
            text: ".".to_owned(),
            or: Vec::new(),
        }
    }

    /// Returns the member with a name.
    pub fn member(name: &str) -> Self {
        Self { steps: vec![Step::Member(name.to_owned())], text: name.to_owned(), ..Self::here() }
    }

    /// Returns every element of the list here: `[*]`.
    pub fn elements() -> Self {
        Self { steps: vec![Step::Elements], text: "[*]".to_owned(), ..Self::here() }
    }

    /// Returns it in the member with a name.
    #[must_use]
    pub fn inside(mut self, name: &str) -> Self {
        self.steps.insert(0, Step::Member(name.to_owned()));
        self.text.insert_str(0, name);
        self
    }

    /// Gives another name to the member in which it begins, or a place that counts if it does not exist.
    pub fn rename_first(&mut self, from: &str, to: &str) {
        let others = self.or.iter_mut().map(|place| &mut place.steps);
        for steps in std::iter::once(&mut self.steps).chain(others) {
            if let Some(Step::Member(name)) = steps.first_mut()
                && name == from
            {
                to.clone_into(name);
            }
        }
    }

    /// True if it may lead to several values.
    pub fn is_several(&self) -> bool {
        self.steps.iter().any(Step::is_several)
    }

    /// Returns the text of the place that counts if it exists.
    pub fn first_text(&self) -> &str {
        let end = self.or.first().and_then(|_| self.text.find('|'));
        self.text[..end.unwrap_or(self.text.len())].trim_end()
    }

    /// Returns it and the places that count if it does not exist.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.or)
    }

    /// True if it leads to the elements of one list, or to a value in each of them.
    pub fn is_in_one_list(&self) -> bool {
        let mut several = self.steps.iter().filter(|step| step.is_several());
        several.next() == Some(&Step::Elements) && several.next().is_none()
    }

    /// True if it leads to the elements of one list.
    pub fn is_one_list(&self) -> bool {
        let ends = self.steps.split_last();
        ends.is_some_and(|(last, before)| {
            *last == Step::Elements && !before.iter().any(Step::is_several)
        })
    }

    /// True if it goes up and from there to several values, which each element around would share.
    pub fn is_shared(&self) -> bool {
        let is_choice = |step: &&Step| step.is_several() || **step == Step::SamePosition;
        let first = self.steps.iter().find(is_choice);
        self.up > 0 && matches!(first, Some(Step::Elements | Step::Members))
    }

    /// Returns the name of the last member on it; empty if there is none.
    pub fn last_name(&self) -> &str {
        last_name(&self.steps)
    }
}

/// Returns the last name on a way; empty if there is none.
pub fn last_name(way: &[Step]) -> &str {
    let name = way.iter().rev().find_map(|step| match step {
        Step::Member(name) => Some(name.as_str()),
        _ => None,
    });
    name.unwrap_or_default()
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut is_name = false;
        let parts = text.split(|c: char| {
            is_name ^= c == '"';
            c == '|' && !is_name
        });
        let parts: Vec<_> = parts.collect();
        if parts.len() > MOST_PLACES {
            return Err(format!("{} lists more than 16 alternative places", shortened(text)));
        }
        let mut places = parts.iter().map(|part| Self::one(part.trim_matches(' ')));
        let first = places.next().unwrap_or_else(|| Self::one(text))?;
        let or = places.collect::<Result<_, _>>()?;
        let text = text.to_owned();
        Ok(Self { text, or, ..first })
    }
}

impl Place {
    /// Reads a place without others.
    fn one(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| format!("{} is not a place: {what}", shortened(text));
        let up = text.bytes().take_while(|byte| *byte == b'^').count();
        let mut place = Self {
            up,
            steps: Vec::new(),
            target: Target::Value,
            text: text.to_owned(),
            or: Vec::new(),
        };
        let mut rest = &text[up..];
        if rest == "." && up == 0 {
            return Ok(place);
        }
        if text.is_empty() {
            return Err(wrong("it is empty; use `.` for the element itself"));
        }
        let mut is_first = up == 0;
        while !rest.is_empty() {
            if place.steps.len().max(up) > MOST_STEPS {
                return Err(wrong("it has more than 64 steps"));
            }
            let named = match rest.strip_prefix('.') {
                Some(_) if is_first => return Err(wrong("it begins with a dot")),
                Some(named) => Some(named),
                None => is_first.then_some(rest),
            };
            is_first = false;
            if let Some(inside) = rest.strip_prefix('[') {
                let (inside, after) =
                    inside.split_once(']').ok_or_else(|| wrong("`[` is not closed"))?;
                place.steps.push(match inside {
                    "*" => Step::Elements,
                    "@index" => Step::SamePosition,
                    number => Step::Position(position(number).ok_or_else(|| {
                        wrong(
                            "between `[` and `]` there must be `*`, `@index` or a number up to 999",
                        )
                    })?),
                });
                rest = after;
            } else if let Some(after) = rest.strip_prefix('{') {
                rest = after
                    .strip_prefix("*}")
                    .ok_or_else(|| wrong("after `{` there may only be `*}`"))?;
                place.steps.push(Step::Members);
            } else if let Some(target) = rest.strip_prefix('@') {
                place.target = match target {
                    "key" => Target::Key,
                    "index" => Target::Index,
                    _ => return Err(wrong("after `@` there may only be `key` or `index`")),
                };
                rest = "";
            } else {
                let named = named.ok_or_else(|| wrong("a dot is missing"))?;
                let (name, after) = name(named).ok_or_else(|| wrong("a name is missing"))?;
                place.steps.push(Step::Member(name.to_owned()));
                rest = after;
            }
        }
        Ok(place)
    }
}

/// Returns a text in quotes, for a message.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("\"{}…\"", text[..end].escape_debug()),
        None => format!("{text:?}"),
    }
}

fn position(digits: &str) -> Option<usize> {
    let position = digits.parse().ok()?;
    (position <= LAST_POSITION).then_some(position)
}

/// Returns the name at the start of `text`, and what follows it. A name in quotes may have any characters.
fn name(text: &str) -> Option<(&str, &str)> {
    let (name, after) = match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => {
            let end = text.find(['.', '[', ']', '{', '}', '^', '@', '"', '|']);
            text.split_at(end.unwrap_or(text.len()))
        }
    };
    (!name.is_empty()).then_some((name, after))
}

/// Returns the steps from the dialog to a place relative to the element that `base` leads to.
pub fn absolute(base: &[Step], place: &Place) -> Vec<Step> {
    let mut steps = base.to_vec();
    let name = matches!(place.steps.first(), Some(Step::Member(_)));
    for round in 0..place.up {
        // Up to an object, or to an array that is one of several.
        let only_objects = name && round + 1 == place.up;
        while let Some(last) = steps.pop() {
            let is_object = matches!(last, Step::Member(_) | Step::Members);
            let is_several = steps.last().is_some_and(Step::is_several);
            if is_object || is_several && !only_objects {
                break;
            }
        }
    }
    steps.extend(place.steps.iter().cloned());
    steps
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
