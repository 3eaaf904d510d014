//! Writes a guess as the TOML of a description, with a comment for each thing that nothing shows.

use super::super::place::Place;
use super::super::trail::Trail;
use super::dialogs::Keyed;
use super::spans::Spans;
use super::speakers::Speakers;
use super::spelling::{list, place, quoted};
use super::turns::{Guess, Side, Speaker};
use crate::dialog::Role;

/// The most names in a comment.
const NAMED: usize = 8;

/// The lines of a draft, and what to tell the user.
pub struct Lines {
    pub toml: String,
    pub warnings: Vec<String>,
}

impl Lines {
    /// Begins a draft; `name` is that of the file.
    pub fn new(name: &str) -> Self {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let name: String = name.chars().map(|c| if is_word(c) { c } else { '-' }).collect();
        let name = name.trim_start_matches(['-', '_']).to_lowercase();
        let name = if name.is_empty() { "own" } else { &name };
        let toml = format!(
            "# A draft: check each guess against the data, and see `turnwise help own-format`.\nname = {}\n",
            quoted(name)
        );
        Self { toml, warnings: Vec::new() }
    }

    pub fn add(&mut self, line: &str) {
        self.toml.push_str(line);
        self.toml.push('\n');
    }

    /// Adds a key with a text.
    pub fn text(&mut self, key: &str, text: &str) {
        self.add(&format!("{key} = {}", quoted(text)));
    }

    /// Adds a comment, and tells the user the same.
    fn warn(&mut self, warning: String) {
        self.add(&format!("# A guess: {warning}."));
        self.warnings.push(warning);
    }

    /// Adds the places by which dialogs are recognized: that of the texts, and others that all of them have.
    pub fn has(&mut self, found: &Guess<'_>, dialogs: &[Keyed<'_>]) {
        let texts = found.sides.iter().map(|side| found.in_dialog(&side.text));
        let speakers = found.sides.iter().filter_map(|side| match &side.speaker {
            Speaker::Known(speakers) => Some(found.in_dialog(&speakers.place)),
            _ => None,
        });
        let is_everywhere = |text: &String| {
            let place: Result<Place, _> = text.parse();
            place.is_ok_and(|place| {
                let mut all = dialogs.iter();
                all.all(|dialog| Trail::new(dialog.value, dialog.key).find(&place).is_some())
            })
        };
        let all = texts.chain(speakers).enumerate();
        let all = all.filter(|(number, place)| *number == 0 || is_everywhere(place));
        let all: Vec<_> = all.map(|(_, place)| place).collect();
        self.add("# Places that only these dialogs have; a dialog needs all of them.");
        self.add(&format!("has = [{}]", list(&all)));
    }

    /// Adds the tables of the turns and of what is in them.
    pub fn tables(&mut self, found: &Guess<'_>) {
        let begin = self.toml.len();
        let spans = found.spans();
        for side in &found.sides {
            self.turn(found, side);
        }
        for span in &spans {
            self.span(span);
        }
        self.calls(found);
        let others = found.others(&self.toml[begin..]);
        if !others.is_empty() {
            self.add("\n# Shown as fields, unless an [[act]], a [state] or a [call] uses them:");
            for (name, example) in others {
                self.add(&format!("#   {name}: {example}"));
            }
            self.add("# [[act]]\n# at = \"acts[*]\"\n# name = \"act\"\n# slot = \"slot\"\n# values = \"values[*]\"");
            self.add("# [state]\n# at = \"state{*}\"\n# name = \"@key\"");
        }
    }

    fn turn(&mut self, found: &Guess<'_>, side: &Side) {
        self.add(if found.sides.len() > 1 { "\n[[turn]]" } else { "\n[turn]" });
        self.text("at", &found.turns_at());
        if let Some(is) = &found.is {
            self.add(&format!("is = {}", is.toml()));
        }
        if !found.others.is_empty() {
            self.add(&format!("others = [{}]", list(&found.others)));
        }
        match &side.speaker {
            Speaker::Known(speakers) => {
                self.text("speaker", &speakers.place);
                self.speakers(speakers);
            }
            Speaker::Before(speakers, prefix) => {
                self.text("prefix", prefix);
                self.speakers(speakers);
            }
            Speaker::Role(role) => {
                let name = if *role == Role::User { "user" } else { "system" };
                self.add(&format!("alternate = [{}]", quoted(name)));
            }
            Speaker::Unknown => {
                self.warn(
                    "nothing looks like a speaker, so that `user` and `system` alternate"
                        .to_owned(),
                );
                self.add("alternate = [\"user\", \"system\"]");
            }
        }
        if side.text.contains(" | ") {
            self.add("# Some of these are not texts, but objects or lists.");
        }
        match side.separator {
            Some(separator) => {
                let at = quoted(&side.text);
                self.add(&format!("text = {{ at = {at}, separator = \"{separator}\" }}"));
            }
            None => self.text("text", &side.text),
        }
        if let Some(reasoning) = &side.reasoning {
            self.add(&format!("reasoning = {reasoning}"));
        }
        match &side.parts {
            Some([at, kind]) if kind == "type" => self.text("parts", at),
            Some([at, kind]) => {
                self.add(&format!("parts = {{ at = {}, kind = {} }}", quoted(at), quoted(kind)));
            }
            None => {}
        }
    }

    fn speakers(&mut self, speakers: &Speakers) {
        let Speakers { names, user, system, hidden, .. } = speakers;
        if speakers.is_guess {
            self.warn(format!(
                "the user is {}, who speaks first, and the system is {}",
                list(user),
                list(system)
            ));
        }
        if user.is_empty() && system.is_empty() {
            let more = names.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let names = list(&names[..names.len().min(NAMED)]);
            self.add(&format!("# Nothing shows who is a user and who a system: {names}{more}"));
            self.add("# user = [\"…\"]\n# system = [\"…\"]");
            self.warnings.push(format!(
                "nothing shows which speakers are users and which are systems: {names}{more}"
            ));
        } else {
            self.add(&format!("user = [{}]\nsystem = [{}]", list(user), list(system)));
            if !hidden.is_empty() {
                self.add(&format!("hidden = [{}]", list(hidden)));
            }
        }
    }

    fn span(&mut self, span: &Spans) {
        self.add("\n[[span]]");
        self.text("at", &span.at);
        self.text("start", &span.start);
        self.text("end", &span.end);
        if span.is_partial {
            self.text("when", &span.end);
        }
        if !span.is_known {
            self.warn(format!(
                "`{}` of `{}` is {}, as no quote shows it",
                span.end, span.at, span.ends
            ));
        }
        self.text("ends", span.ends);
        self.text("unit", "code-points");
        self.text("label", span.label.as_deref().unwrap_or("label"));
        if let Some(quote) = &span.quote {
            self.text("quote", quote);
        }
    }

    fn calls(&mut self, found: &Guess<'_>) {
        let Some(calls) = found.acts.calls.as_ref().filter(|_| found.sides.len() == 1) else {
            return;
        };
        let table = &found.tables[calls.table];
        self.add("\n[call]");
        self.text("at", &place(&table.at));
        match &calls.is {
            Some(is) => self.add(&format!("is = {}", is.toml())),
            None if calls.own.len() < table.objects.len() => self.text("when", &calls.arguments),
            None => {}
        }
        if let Some(id) = &calls.id {
            self.text("id", id);
        }
        self.text("name", &calls.name);
        let arguments = quoted(&calls.arguments);
        if calls.are_texts {
            self.add(&format!("arguments = {{ at = {arguments}, json = \"string\" }}"));
        } else {
            self.add(&format!("arguments = {arguments}"));
        }
        if let Some(responses) = &found.acts.responses {
            let (key, by) = (responses.key, quoted(&responses.by));
            let is = match &responses.is {
                Some(is) => format!("is = {}", is.toml()),
                None => format!("when = {by}"),
            };
            let failed = responses.failed.as_ref().map(|at| format!(", error = {}", quoted(at)));
            self.add(&format!(
                "response = {{ in = {}, {is}, {key} = {by}, at = {}{} }}",
                quoted(&place(&found.tables[responses.table].at)),
                quoted(&responses.at),
                failed.unwrap_or_default()
            ));
        } else if let Some(at) = &calls.response {
            self.text("response", at);
        } else if let Some(of) = found.answering() {
            let text = found.sides[0].text.split(" | ").next().unwrap_or_default();
            self.add(&format!("response = {{ of = {}, at = {} }}", quoted(of), quoted(text)));
        }
    }
}
