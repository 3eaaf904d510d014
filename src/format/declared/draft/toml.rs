//! Writes a guess as the TOML of a description, with a comment for each thing that nothing shows.

use super::calls::Condition;
use super::spans::Spans;
use super::speakers::Speakers;
use super::spelling::{list, one_or_list, place, quoted};
use super::turns::{Guess, Side, Speaker};
use crate::dialog::Role;

/// The most names in a comment.
const NAMED: usize = 8;
/// The longest example in a comment.
const EXAMPLE: usize = 90;

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
        let mut lines = Self { toml: String::new(), warnings: Vec::new() };
        lines.add(
            "# A draft: check each guess against the data, and see `turnwise help own-format`.",
        );
        lines.text("name", if name.is_empty() { "own" } else { &name });
        lines
    }

    pub fn add(&mut self, line: &str) {
        self.toml.push_str(line);
        self.toml.push('\n');
    }

    /// Adds a key with a text.
    pub fn text(&mut self, key: &str, text: &str) {
        self.add(&format!("{key} = {}", quoted(text)));
    }

    /// Adds a key with a text, if there is one.
    fn option(&mut self, key: &str, text: Option<&String>) {
        if let Some(text) = text {
            self.text(key, text);
        }
    }

    /// Adds a key with a list of texts, if it has any.
    fn list(&mut self, key: &str, all: &[String]) {
        if !all.is_empty() {
            self.add(&format!("{key} = [{}]", list(all)));
        }
    }

    /// Adds a comment, and tells the user the same.
    fn warn(&mut self, warning: String) {
        self.add(&format!("# A guess: {warning}."));
        self.warnings.push(warning);
    }

    /// Adds the tables of the turns and of what is in them.
    pub fn tables(&mut self, found: &Guess<'_>) {
        for side in &found.sides {
            self.turn(found, side);
        }
        found.spans().iter().for_each(|span| self.span(span));
        self.calls(found);
    }

    /// Adds a comment with the members that no table names, each with an example.
    pub fn fields<'f>(&mut self, fields: impl Iterator<Item = (&'f String, &'f String)>) {
        let fields = fields.map(|(name, example)| {
            let line = example.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("\n#   {name}: {}", line.chars().take(EXAMPLE).collect::<String>())
        });
        let fields: String = fields.collect();
        if !fields.is_empty() {
            self.add(&format!(
                "\n# Shown as fields, unless an [[act]], a [state] or a [call] uses them:{fields}\n\
                 # [[act]]\n# at = \"acts[*]\"\n# name = \"act\"\n# slot = \"slot\"\n# values = \"values[*]\"\n\
                 # [state]\n# at = \"state{{*}}\"\n# name = \"@key\""
            ));
        }
    }

    fn turn(&mut self, found: &Guess<'_>, side: &Side) {
        self.add(if found.sides.len() > 1 { "\n[[turn]]" } else { "\n[turn]" });
        self.text("at", &found.turns_at());
        if let Some(is) = &found.is {
            self.add(&format!("is = {}", condition(is)));
        }
        self.list("others", &found.others);
        match &side.speaker {
            Speaker::Known(speakers) => {
                self.text("speaker", &speakers.place);
                self.speakers(speakers);
            }
            Speaker::Before(speakers, prefix) => {
                self.text("prefix", prefix);
                self.speakers(speakers);
            }
            Speaker::Role(Role::User) => self.add("alternate = [\"user\"]"),
            Speaker::Role(_) => self.add("alternate = [\"system\"]"),
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
                let separator = format!("\"{}\"", separator.escape_debug());
                let text = [("at", quoted(&side.text)), ("separator", separator)];
                self.add(&format!("text = {}", table(&text)));
            }
            None => self.text("text", &side.text),
        }
        if let Some(reasoning) = &side.reasoning {
            self.add(&format!("reasoning = {reasoning}"));
        }
        match &side.parts {
            Some([at, kind]) if kind == "type" => self.text("parts", at),
            Some([at, kind]) => {
                let parts = [("at", quoted(at)), ("kind", quoted(kind))];
                self.add(&format!("parts = {}", table(&parts)));
            }
            None => {}
        }
    }

    fn speakers(&mut self, speakers: &Speakers) {
        let Speakers { names, user, system, hidden, .. } = speakers;
        if speakers.is_guess {
            let (user, system) = (list(user), list(system));
            self.warn(format!("the user is {user}, who speaks first, and the system is {system}"));
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
            self.list("hidden", hidden);
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
            let Spans { at, end, ends, .. } = span;
            self.warn(format!("`{end}` of `{at}` is {ends}, as no quote shows it"));
        }
        self.text("ends", span.ends);
        self.text("unit", "code-points");
        self.text("label", span.label.as_deref().unwrap_or("label"));
        self.option("quote", span.quote.as_ref());
    }

    fn calls(&mut self, found: &Guess<'_>) {
        let Some(calls) = found.acts.calls.as_ref().filter(|_| found.sides.len() == 1) else {
            return;
        };
        let objects = &found.tables[calls.table];
        self.add("\n[call]");
        self.text("at", &place(&objects.at));
        match &calls.is {
            Some(is) => self.add(&format!("is = {}", condition(is))),
            None if calls.own.len() < objects.objects.len() => self.text("when", &calls.arguments),
            None => {}
        }
        self.option("id", calls.id.as_ref());
        self.text("name", &calls.name);
        let mut arguments = quoted(&calls.arguments);
        if calls.are_texts {
            arguments = table(&[("at", arguments), ("json", quoted("string"))]);
        }
        self.add(&format!("arguments = {arguments}"));
        if let Some(responses) = &found.acts.responses {
            let by = quoted(&responses.by);
            let is = responses.is.as_ref();
            let mut response = vec![
                ("in", quoted(&place(&found.tables[responses.table].at))),
                is.map_or(("when", by.clone()), |is| ("is", condition(is))),
                (responses.key, by),
                ("at", quoted(&responses.at)),
            ];
            response.extend(responses.failed.iter().map(|at| ("error", quoted(at))));
            self.add(&format!("response = {}", table(&response)));
        } else if let Some(at) = &calls.response {
            self.text("response", at);
        } else if let Some(of) = found.answering() {
            let text = found.sides[0].text.split(" | ").next().unwrap_or_default();
            let response = [("of", quoted(of)), ("at", quoted(text))];
            self.add(&format!("response = {}", table(&response)));
        }
    }
}

/// Returns keys and values as a table in a line.
pub fn table(keys: &[(&str, String)]) -> String {
    let keys: Vec<_> = keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", keys.join(", "))
}

/// Returns a condition as a table in a line.
pub fn condition(is: &Condition) -> String {
    let is_odd = |c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c);
    let key = if is.place.contains(is_odd) { quoted(&is.place) } else { is.place.clone() };
    table(&[(&key, one_or_list(&is.names))])
}
