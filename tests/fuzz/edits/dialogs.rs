//! The dialogs that are edited, and other ways to lay them out.

use turnwise::json::{NodeKind, Parser, Value};

/// At least one of each family, well-formed ones first.
pub const DIALOGS: &[&str] = &[
    include_str!("../dialogs/taskmaster-1.json"),
    include_str!("../dialogs/taskmaster-2.json"),
    include_str!("../dialogs/taskmaster-3.json"),
    include_str!("../dialogs/taskmaster-4.json"),
    include_str!("../dialogs/dbdc.json"),
    include_str!("../dialogs/dbdc-minified.json"),
    include_str!("../dialogs/dbdc-labels.json"),
    include_str!("../dialogs/sim.json"),
    include_str!("../dialogs/sim-gen.json"),
    include_str!("../dialogs/taskmaster-crlf.json"),
    include_str!("../dialogs/taskmaster-broken.json"),
];

/// A way to lay out JSON, each field read from two or three bits.
pub struct Style(pub u16);

impl Style {
    fn of(&self, shift: u32, choices: &[&'static str]) -> &'static str {
        choices[usize::from(self.0 >> shift) % choices.len()]
    }

    fn indent(&self) -> &'static str {
        self.of(0, &["  ", "    ", "\t", ""])
    }

    fn newline(&self) -> &'static str {
        self.of(2, &["\n", "\r\n", "\n\n", ""])
    }

    fn colon(&self) -> &'static str {
        self.of(4, &[": ", ":", " : ", ":\n"])
    }

    fn comma(&self) -> &'static str {
        self.of(6, &[",", ", ", " ,", " , "])
    }

    fn empty(&self) -> &'static str {
        self.of(8, &["", " ", "\n", "\t"])
    }

    /// True: the comma begins the line.
    fn leads(&self) -> bool {
        self.0 >> 10 & 1 == 1
    }

    /// True if the closing bracket follows the last value on its line.
    fn hugs(&self) -> bool {
        self.0 >> 11 & 1 == 1
    }

    /// Containers this deep are written on one line.
    fn flat_from(&self) -> usize {
        usize::from(self.0 >> 12 & 7) + 1
    }
}

/// `text` laid out in another style.
pub fn relaid(text: &str, style: &Style) -> String {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).expect("the dialogs are JSON");
    let mut out = String::new();
    print(tree.root(), 0, style, &mut out);
    out
}

fn print(value: Value<'_>, depth: usize, style: &Style, out: &mut String) {
    let children: Vec<_> = match value.kind() {
        NodeKind::Array => value.elements().map(|v| (None, v)).collect(),
        NodeKind::Object => value.members().map(|(k, v)| (Some(k), v)).collect(),
        _ => return out.push_str(value.raw()),
    };
    let (open, close) = value.raw().split_at(1);
    out.push_str(open);
    let flat = depth >= style.flat_from();
    let line = |depth: usize| match flat {
        true => String::new(),
        false => format!("{}{}", style.newline(), style.indent().repeat(depth)),
    };
    for (i, (key, value)) in children.iter().enumerate() {
        match i {
            0 => out.push_str(&line(depth + 1)),
            _ if style.leads() => out.push_str(&(line(depth) + style.comma())),
            _ => out.push_str(&(style.comma().to_owned() + &line(depth + 1))),
        }
        if let Some(key) = key {
            out.push_str(key.raw());
            out.push_str(style.colon());
        }
        print(*value, depth + 1, style, out);
    }
    if children.is_empty() {
        out.push_str(style.empty());
    } else if !style.hugs() {
        out.push_str(&line(depth));
    }
    out.push_str(&close[close.len() - 1..]);
}
