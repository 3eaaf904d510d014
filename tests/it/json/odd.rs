//! JSON values printed unusually: any whitespace, any spelling of strings and numbers.

use proptest::prelude::*;

/// A value by its meaning; numbers as they are spelled.
#[derive(Clone, Debug)]
pub enum Json {
    Literal(&'static str),
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Choices for everything that JSON leaves open; repeated from the start when they run out.
#[derive(Clone, Debug)]
pub struct Choices {
    bytes: Vec<u8>,
    at: usize,
}

/// A printed value and the bytes of every key and value in it, in their order.
#[derive(Debug, Default)]
pub struct Printed {
    pub text: String,
    pub ranges: Vec<(usize, usize)>,
}

/// Any value with at most `depth` levels. Keys of one object differ.
pub fn json(depth: u32) -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        prop::sample::select(&["null", "true", "false"]).prop_map(Json::Literal),
        number().prop_map(Json::Number),
        text().prop_map(Json::String),
    ];
    leaf.prop_recursive(depth, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::Array),
            prop::collection::vec((text(), inner), 0..5).prop_map(|mut members| {
                let mut seen = std::collections::BTreeSet::new();
                members.retain(|(key, _)| seen.insert(key.clone()));
                Json::Object(members)
            }),
        ]
    })
}

/// Numbers that a double holds, in all spellings.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?(0|[1-9][0-9]{0,9})",
        r"-?(0|[1-9][0-9]{0,5})\.[0-9]{1,5}",
        r"-?(0|[1-9])(\.[0-9]{1,3})?[eE][+-]?0?[0-9]",
    ]
}

/// Texts with the characters that have more than one spelling.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab]{0,3}",
        r#"[a-c"\\/\n\t\x00é’👍🏽 ]{0,6}"#,
        any::<String>().prop_map(|text| text.chars().take(8).collect()),
    ]
}

pub fn choices() -> impl Strategy<Value = Choices> {
    prop::collection::vec(any::<u8>(), 1..40).prop_map(|bytes| Choices { bytes, at: 0 })
}

impl Choices {
    pub fn next(&mut self, count: usize) -> usize {
        self.at = (self.at + 1) % self.bytes.len();
        usize::from(self.bytes[self.at]) % count
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.next(from.len())]
    }
}

/// Prints `json` oddly, with a byte order mark or without.
pub fn print(json: &Json, choices: &mut Choices) -> Printed {
    let mut printed = Printed::default();
    printed.text.push_str(choices.pick(&["", "", "\u{feff}"]));
    printed.blank(choices);
    printed.value(json, choices);
    printed.blank(choices);
    printed
}

impl Printed {
    fn blank(&mut self, choices: &mut Choices) {
        let spaces = ["", "", "", " ", "  ", "\t", "\n", "\n  ", "\r\n", " \n\n\t", "\r"];
        self.text.push_str(choices.pick(&spaces));
    }

    fn value(&mut self, json: &Json, choices: &mut Choices) {
        let place = self.ranges.len();
        let start = self.text.len();
        self.ranges.push((start, start));
        match json {
            Json::Literal(text) => self.text.push_str(text),
            Json::Number(text) => self.text.push_str(text),
            Json::String(text) => self.string(text, choices),
            Json::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| (None, item)).collect();
                self.container(('[', ']'), &items, choices);
            }
            Json::Object(members) => {
                let members: Vec<_> = members.iter().map(|(key, v)| (Some(key), v)).collect();
                self.container(('{', '}'), &members, choices);
            }
        }
        self.ranges[place].1 = self.text.len();
    }

    fn container(
        &mut self,
        (open, close): (char, char),
        children: &[(Option<&String>, &Json)],
        choices: &mut Choices,
    ) {
        self.text.push(open);
        self.blank(choices);
        for (i, (key, value)) in children.iter().enumerate() {
            if i > 0 {
                self.text.push(',');
                self.blank(choices);
            }
            if let Some(key) = key {
                let start = self.text.len();
                self.string(key, choices);
                self.ranges.push((start, self.text.len()));
                self.blank(choices);
                self.text.push(':');
                self.blank(choices);
            }
            self.value(value, choices);
            self.blank(choices);
        }
        self.text.push(close);
    }

    fn string(&mut self, text: &str, choices: &mut Choices) {
        self.text.push('"');
        for char in text.chars() {
            let short = match char {
                '"' => r#"\""#,
                '\\' => r"\\",
                '/' => r"\/",
                '\u{8}' => r"\b",
                '\u{c}' => r"\f",
                '\n' => r"\n",
                '\r' => r"\r",
                '\t' => r"\t",
                _ => "",
            };
            let raw = char >= ' ' && !matches!(char, '"' | '\\');
            match choices.next(5) {
                0 | 1 if raw => self.text.push(char),
                2 if !short.is_empty() => self.text.push_str(short),
                upper => self.hex(char, upper == 3),
            }
        }
        self.text.push('"');
    }

    fn hex(&mut self, char: char, upper: bool) {
        for unit in char.encode_utf16(&mut [0; 2]) {
            let digits = format!("{unit:04x}");
            self.text.push_str("\\u");
            self.text.push_str(&if upper { digits.to_uppercase() } else { digits });
        }
    }
}
