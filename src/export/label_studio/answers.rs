//! Judgements in Label Studio: answers about a dialog are those of its task, answers about a turn or a segment those
//! of a region, and the configuration has a control for each question.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::region::{JUDGED, PARAGRAPHS, Region, RegionPart, RegionValue, escaped, is_xml};
use crate::dialog::{Answer, Dialog, Judgement, Span};
use crate::export::LeftOut;

/// The longest answer, in code points, that is a choice; a longer one is a text.
const LONGEST_CHOICE: usize = 40;

/// The labels of regions that are judged.
const PARTS: [&str; 2] = ["turn", "segment"];

/// The kind of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// One value.
    One,
    /// Any number of tags.
    Several,
    Text,
    Number,
}

impl Kind {
    /// Returns the type of the regions that the control makes.
    fn of_regions(self) -> &'static str {
        match self {
            Self::One | Self::Several => "choices",
            Self::Text => "textarea",
            Self::Number => "number",
        }
    }
}

/// A control of the configuration.
#[derive(Debug)]
struct Control {
    kind: Kind,
    /// It is about regions, not about tasks.
    of_regions: bool,
    choices: BTreeSet<String>,
}

/// The controls of all judgements, by their names.
#[derive(Debug, Default)]
pub struct Controls(BTreeMap<String, Control>);

impl Controls {
    /// Writes the controls.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut controls = self.0.iter();
        if controls.any(|(_, control)| control.of_regions) {
            writeln!(out, "  <ParagraphLabels name=\"{JUDGED}\" toName=\"{PARAGRAPHS}\">")?;
            for part in PARTS {
                writeln!(out, "    <Label value=\"{part}\"/>")?;
            }
            writeln!(out, "  </ParagraphLabels>")?;
        }
        for (name, control) in &self.0 {
            let of_regions = if control.of_regions { " perRegion=\"true\"" } else { "" };
            let name = escaped(name);
            writeln!(out, "  <Header value=\"{name}\"/>")?;
            let about = format!("name=\"{name}\" toName=\"{PARAGRAPHS}\"{of_regions}");
            let choice = match control.kind {
                Kind::One => "single",
                Kind::Several => "multiple",
                Kind::Text => {
                    writeln!(out, "  <TextArea {about}/>")?;
                    continue;
                }
                Kind::Number => {
                    writeln!(out, "  <Number {about}/>")?;
                    continue;
                }
            };
            writeln!(out, "  <Choices {about} choice=\"{choice}\">")?;
            for value in &control.choices {
                writeln!(out, "    <Choice value=\"{}\"/>", escaped(value))?;
            }
            writeln!(out, "  </Choices>")?;
        }
        Ok(())
    }
}

/// The elements of an annotation that one judgement makes.
struct Said<'c, 'a> {
    controls: &'c mut Controls,
    /// The name of the question's control.
    name: String,
    id: String,
    /// The part of a paragraph that is judged; None for the whole dialog.
    part: Option<RegionPart<'a>>,
    regions: Vec<Region<'a>>,
}

impl<'a> Said<'_, 'a> {
    /// Adds what the judgement says in a control of this kind; `suffix` tells the controls of a question apart.
    fn add(&mut self, suffix: &str, kind: Kind, value: RegionValue<'a>) {
        let name = format!("{}{suffix}", self.name);
        let control = self.controls.0.entry(name.clone());
        let control = control.or_insert_with(|| Control {
            kind,
            of_regions: self.part.is_some(),
            choices: BTreeSet::new(),
        });
        control.choices.extend(value.choices.iter().cloned());
        // Its value may have a text of its own.
        let mut part = self.part.clone();
        if let Some(part) = part.as_mut().filter(|_| !value.texts.is_empty()) {
            part.text = None;
        }
        self.regions.push(Region {
            id: self.id.clone(),
            from_name: name,
            to_name: PARAGRAPHS,
            kind: kind.of_regions(),
            value: RegionValue { part, ..value },
        });
    }
}

/// Returns what the judgement with this `number` makes of an annotation, and adds the controls that it needs; None,
/// which is counted, if there is no place for it.
pub fn judged<'a>(
    dialog: &'a Dialog,
    number: usize,
    controls: &mut Controls,
    left_out: &mut LeftOut,
) -> Option<Vec<Region<'a>>> {
    let judgement = dialog.judgements.get(number)?;
    let Judgement { place, scheme, question, value, note, tags, .. } = judgement;
    if place.call.is_some() {
        left_out.one(["judgement of a call", "judgements of calls"]);
        return None;
    }
    let mut name = match (scheme.as_str(), question.as_str()) {
        (_, "") => "note".to_owned(),
        ("", question) => question.to_owned(),
        (scheme, question) => format!("{scheme}.{question}"),
    };
    let texts = [name.as_str(), note].into_iter();
    let texts = texts.chain(tags.iter().map(String::as_str));
    let value_text = value.as_ref().map(ToString::to_string);
    if !texts.chain(value_text.as_deref()).all(is_xml) {
        left_out.one(["judgement that XML cannot hold", "judgements that XML cannot hold"]);
        return None;
    }
    let part = match place.turn {
        Some(turn) => {
            // Controls of tasks and of regions have different names.
            name.push_str(".part");
            Some(part_of(dialog, turn, place.span)?)
        }
        None => None,
    };
    let mut said =
        Said { controls, name, id: format!("judged-{number}"), regions: Vec::new(), part };
    if let Some(part) = said.part.clone() {
        said.regions.push(Region {
            id: said.id.clone(),
            from_name: JUDGED.to_owned(),
            to_name: PARAGRAPHS,
            kind: "paragraphlabels",
            value: RegionValue {
                part: Some(part),
                paragraphlabels: vec![PARTS[usize::from(place.span.is_some())]],
                ..RegionValue::default()
            },
        });
    }
    let choices =
        |choices: &[String]| RegionValue { choices: choices.to_vec(), ..RegionValue::default() };
    let text = |text: &'a str| RegionValue { texts: vec![text], ..RegionValue::default() };
    match value {
        Some(Answer::Several(tags)) if tags.is_empty() => {}
        Some(Answer::Several(tags)) => said.add("", Kind::Several, choices(tags)),
        Some(Answer::Text(long)) if long.chars().count() > LONGEST_CHOICE => {
            said.add(".text", Kind::Text, text(long));
        }
        Some(answer) => said.add("", Kind::One, choices(&[answer.to_string()])),
        None => {}
    }
    if let Some(at) = judgement.at {
        let value = RegionValue { number: Some(at), ..RegionValue::default() };
        said.add(".turn", Kind::Number, value);
    }
    if !note.is_empty() {
        let suffix = if question.is_empty() { "" } else { ".note" };
        said.add(suffix, Kind::Text, text(note));
    }
    if !tags.is_empty() {
        said.add(".tags", Kind::Several, choices(tags));
    }
    Some(said.regions)
}

/// Returns a whole turn, or a span of it; None if the dialog has no such place.
fn part_of(dialog: &Dialog, turn: usize, span: Option<[u32; 2]>) -> Option<RegionPart<'_>> {
    let text = dialog.turns.get(turn)?.text.as_str();
    let bytes = match span {
        Some([start, end]) => dialog.turns[turn].bytes_of(Span { start, end }, dialog.units),
        None => 0..text.len(),
    };
    Some(RegionPart::of(turn, text, bytes))
}
