//! A member has different JSON types in the dialogs of a file.
//!
//! Programs that load a file of chats as a table give every column one type: they stop at a `content`
//! that is a string in one line and a list in another, or at arguments that are now a string and now
//! an object. A value that is null or missing fits every type. Only files with one dialog a line are
//! checked, because these are loaded as tables.
//!
//! There is no fix, because only a person can tell which type the file should have.
//!
//! ```json bad
//! {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]}
//! {"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}, {"role": "assistant", "content": "hello"}]}
//! ```
//!
//! ```json good
//! {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]}
//! {"messages": [{"role": "user", "content": "ho"}, {"role": "assistant", "content": "hello"}]}
//! ```

use crate::json::{NodeKind, Value};
use crate::lint::engine::{Check, Diagnostic, Findings, Rule, Selection, Severity};
use crate::lint::facts::Location;

pub static RULE: Rule = Rule {
    name: "chat-mixed-types",
    severity: Severity::Warning,
    on: true,
    source: include_str!("chat_mixed_types.rs"),
    check: Check::Corpus,
};

/// The types of the members of many dialogs, by the way to each member.
#[derive(Debug, Default)]
pub struct MemberTypes {
    /// The first one is the dialog itself.
    places: Vec<Place>,
    /// Large members of the last dialog.
    last: Vec<LastText>,
}

/// The last text of a member of a dialog. Tools are usually the same in all dialogs of a file, and are read
/// once.
#[derive(Debug)]
struct LastText {
    place: u32,
    text: Box<str>,
    /// How often the text has changed.
    changes: usize,
}

/// A member, or the elements of an array.
#[derive(Debug)]
struct Place {
    /// Empty for elements.
    key: Box<str>,
    is_element: bool,
    parent: u32,
    children: Vec<u32>,
    /// The place of all elements; 0 if there is none yet.
    elements: u32,
    /// By [`KINDS`].
    seen: [Option<Seen>; KINDS.len()],
}

/// The dialogs in which a member has one type.
#[derive(Clone, Copy, Debug)]
struct Seen {
    count: u32,
    /// Position of the first dialog.
    dialog: usize,
    /// The byte offset of the value in the file.
    offset: u64,
}

/// The names of types in messages.
const KINDS: [&str; 5] = ["a string", "a number", "true or false", "an array", "an object"];

/// Places in [`KINDS`].
const ARRAY: usize = 3;
const OBJECT: usize = 4;

/// Objects with more members than this in all dialogs are maps with any keys, and not columns.
const MOST: usize = 48;

/// The deepest values that are compared.
const DEEPEST: usize = 16;

/// Members of a dialog with at least so many bytes are compared with those of the dialog before.
const LARGE: usize = 256;

/// After so many changes, a text is no longer compared with the next one.
const CHANGES: usize = 64;

impl MemberTypes {
    /// Adds the types in the dialog `root`, at position `dialog` and byte `start` of its file.
    pub fn add(&mut self, root: Value<'_>, dialog: usize, start: u64) {
        if self.places.is_empty() {
            self.places.push(Place::new("", 0));
        }
        let mut hint = 0;
        for (key, value) in root.members() {
            let Some(place) = self.member(0, key, &mut hint) else {
                return;
            };
            if value.raw().len() >= LARGE && self.is_known(place, value.raw()) {
                continue;
            }
            self.visit(place, value, (dialog, start), 0);
        }
    }

    /// True if a member of the dialog before has the same text.
    fn is_known(&mut self, place: u32, text: &str) -> bool {
        let Some(last) = self.last.iter_mut().find(|last| last.place == place) else {
            self.last.push(LastText { place, text: text.into(), changes: 0 });
            return false;
        };
        let is_known = *last.text == *text;
        // A member that changes all the time is not worth a copy.
        if !is_known && last.changes < CHANGES {
            last.changes += 1;
            last.text = text.into();
        }
        is_known
    }

    fn visit(&mut self, place: u32, value: Value<'_>, at: (usize, u64), depth: usize) {
        let kind = match value.kind() {
            NodeKind::String => 0,
            NodeKind::Number => 1,
            NodeKind::True | NodeKind::False => 2,
            NodeKind::Array => ARRAY,
            NodeKind::Object => OBJECT,
            _ => return,
        };
        let (dialog, start) = at;
        let seen = &mut self.places[place as usize].seen[kind];
        match seen {
            Some(seen) => seen.count += 1,
            None => {
                *seen =
                    Some(Seen { count: 1, dialog, offset: start + u64::from(value.range().start) });
            }
        }
        if depth > DEEPEST {
            return;
        }
        if kind == ARRAY {
            let child = self.elements(place);
            for element in value.elements() {
                self.visit(child, element, at, depth + 1);
            }
        } else if kind == OBJECT {
            let mut hint = 0;
            for (key, member) in value.members() {
                if let Some(child) = self.member(place, key, &mut hint) {
                    self.visit(child, member, at, depth + 1);
                }
            }
        }
    }

    /// Returns the place of the elements of `parent`.
    fn elements(&mut self, parent: u32) -> u32 {
        let known = self.places[parent as usize].elements;
        if known > 0 {
            return known;
        }
        let place = self.places.len() as u32;
        self.places.push(Place { is_element: true, ..Place::new("", parent) });
        self.places[parent as usize].elements = place;
        place
    }

    /// Returns the place of the member `key` of `parent`. Members usually come in one order: `hint` is the position
    /// of the next one.
    fn member(&mut self, parent: u32, key: Value<'_>, hint: &mut usize) -> Option<u32> {
        let children = &self.places[parent as usize].children;
        let is_it = |child: &u32| key.is_text(&self.places[*child as usize].key);
        let next = children.get(*hint).filter(|child| is_it(child));
        let place = match next {
            Some(_) => Some(*hint),
            None => children.iter().position(is_it),
        };
        match place {
            Some(place) => {
                *hint = place + 1;
                Some(children[place])
            }
            None => self.child(parent, &key.as_str().unwrap_or_default()),
        }
    }

    /// Returns the place of `key` in `parent`; None if that has too many keys.
    fn child(&mut self, parent: u32, key: &str) -> Option<u32> {
        let children = &self.places[parent as usize].children;
        let known = children.iter().copied();
        let found = known.clone().find(|child| *self.places[*child as usize].key == *key);
        if found.is_some() || children.len() > MOST {
            return found;
        }
        let child = self.places.len() as u32;
        self.places.push(Place::new(key, parent));
        self.places[parent as usize].children.push(child);
        Some(child)
    }

    /// Adds the types of dialogs that follow those of `self`.
    pub fn join(&mut self, later: Self) {
        if self.places.is_empty() {
            *self = later;
            return;
        }
        // A parent comes before its children.
        let mut own: Vec<Option<u32>> = Vec::with_capacity(later.places.len());
        for (number, place) in later.places.into_iter().enumerate() {
            let here = match number {
                0 => Some(0),
                _ => own[place.parent as usize].and_then(|parent| {
                    if place.is_element {
                        Some(self.elements(parent))
                    } else {
                        self.child(parent, &place.key)
                    }
                }),
            };
            own.push(here);
            let Some(here) = here else {
                continue;
            };
            let seen = &mut self.places[here as usize].seen;
            for (seen, more) in seen.iter_mut().zip(place.seen) {
                *seen = match (*seen, more) {
                    (Some(first), Some(more)) => {
                        Some(Seen { count: first.count + more.count, ..first })
                    }
                    (first, more) => first.or(more),
                };
            }
        }
    }

    /// Returns the problems, each with the position of its dialog and its byte offset in the file.
    pub fn problems(&self, selection: &Selection) -> Vec<(usize, u64, Diagnostic)> {
        let Some(severity) = selection.level(&RULE) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        let open = |place: &Place| place.children.len() <= MOST;
        for (number, place) in self.places.iter().enumerate().skip(1) {
            let is_column = open(&self.places[place.parent as usize]);
            let seen = || place.seen.iter().zip(KINDS).filter_map(|(s, kind)| Some(((*s)?, kind)));
            let usual = seen().max_by_key(|(seen, _)| (seen.count, std::cmp::Reverse(seen.dialog)));
            let Some((usual, kind)) = usual.filter(|_| is_column) else {
                continue;
            };
            for (other, odd) in seen().filter(|(_, other)| *other != kind) {
                let name = self.name(number);
                let message =
                    format!("`{name}` is {odd} here, but {kind} in dialog {}", usual.dialog);
                let mut found = Vec::new();
                Findings::new(&RULE, severity, &mut found).add(Location::default(), message);
                all.extend(found.pop().map(|found| (other.dialog, other.offset, found)));
            }
        }
        all
    }

    /// Returns the way to a place: `messages[].content`.
    fn name(&self, number: usize) -> String {
        let place = &self.places[number];
        let before = match place.parent {
            0 => return place.key.to_string(),
            parent => self.name(parent as usize),
        };
        if place.is_element { format!("{before}[]") } else { format!("{before}.{}", place.key) }
    }
}

impl Place {
    fn new(key: &str, parent: u32) -> Self {
        Self {
            key: key.into(),
            is_element: false,
            parent,
            children: Vec::new(),
            elements: 0,
            seen: [None; KINDS.len()],
        }
    }
}
