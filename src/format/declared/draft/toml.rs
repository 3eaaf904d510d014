//! Writes the TOML of a description, with a comment for each thing that nothing shows. It knows nothing of what is guessed.

use super::super::place::Step;

/// The longest example in a comment.
const EXAMPLE: usize = 90;

/// Lines of a draft, and what to tell the user.
#[derive(Default)]
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
        let mut lines = Self::default();
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

    /// Adds a key with a value as TOML has it.
    pub fn key(&mut self, key: &str, value: &str) {
        self.add(&format!("{key} = {value}"));
    }

    /// Adds a key with a text.
    pub fn text(&mut self, key: &str, text: &str) {
        self.key(key, &quoted(text));
    }

    /// Adds a key with a list of texts, if it has any.
    pub fn list(&mut self, key: &str, all: &[String]) {
        if !all.is_empty() {
            self.key(key, &format!("[{}]", list(all)));
        }
    }

    /// Adds a comment, and tells the user the same.
    pub fn warn(&mut self, warning: String) {
        self.add(&format!("# A guess: {warning}."));
        self.warnings.push(warning);
    }

    pub fn append(&mut self, other: &Self) {
        self.toml.push_str(&other.toml);
        self.warnings.extend_from_slice(&other.warnings);
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
}

/// Returns keys and values as a table in a line.
pub fn table(keys: &[(&str, String)]) -> String {
    let keys: Vec<_> = keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", keys.join(", "))
}

/// Returns a text as TOML has it.
pub fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Returns names as the elements of an array.
pub fn list(names: &[String]) -> String {
    names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}

/// Returns steps as a place.
pub fn place(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Member(name) => {
                let dot = if text.is_empty() { "" } else { "." };
                let is_odd = |c| matches!(c, '.' | '[' | ']' | '{' | '}' | '^' | '@' | '|' | ' ');
                let quote = if name.is_empty() || name.contains(is_odd) { "\"" } else { "" };
                text.extend([dot, quote, name, quote]);
            }
            Step::Position(at) => text.extend(["[", &at.to_string(), "]"]),
            Step::SamePosition => text.push_str("[@index]"),
            Step::Elements => text.push_str("[*]"),
            Step::Members => text.push_str("{*}"),
        }
    }
    if text.is_empty() { ".".to_owned() } else { text }
}

/// Returns a place from a value at another place.
pub fn below(base: &str, place: &str) -> String {
    match (base, place) {
        (".", place) => place.to_owned(),
        (base, ".") => base.to_owned(),
        (base, place) if place.starts_with(['[', '{']) => format!("{base}{place}"),
        (base, place) => format!("{base}.{place}"),
    }
}
