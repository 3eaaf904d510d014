//! New, changed and removed values, written the way their neighbours are.
//!
//! An [`Editor`] answers with [`Splice`]s against the tree's text and changes nothing itself. A
//! changed string keeps the spelling of every character that stays; a changed integer stays a
//! string if it was one; a new object takes key order and layout from a sibling.

use super::layout::{
    Gaps, Wanted, around_key, children, indent_of, is_on_one_line, last_indent, reindent,
};
use super::patch::Splice;
use super::respell::respell;
use super::string::Escapes;
use super::tree::{Kind, Tree, Value};

/// A value to be written.
#[derive(Clone, Debug, PartialEq)]
pub enum New {
    Null,
    Bool(bool),
    Integer(i64),
    /// A number or any other JSON text, written as it is.
    Raw(String),
    String(String),
    Array(Vec<New>),
    Object(Vec<(String, New)>),
}

impl New {
    fn kind(&self) -> Option<Kind> {
        match self {
            Self::Array(_) => Some(Kind::Array),
            Self::Object(_) => Some(Kind::Object),
            _ => None,
        }
    }

    fn holds_containers(&self) -> bool {
        match self {
            Self::Array(items) => items.iter().any(|v| v.kind().is_some()),
            Self::Object(members) => members.iter().any(|(_, v)| v.kind().is_some()),
            _ => false,
        }
    }
}

/// Where a new value will stand.
#[derive(Clone, Copy)]
struct Place<'p> {
    /// The indentation of its line.
    indent: &'p str,
    /// What it will stand in is on one line.
    on_one_line: bool,
    /// Byte of the text.
    at: usize,
}

impl<'p> Place<'p> {
    /// Between the brackets of `container`.
    fn inside(container: Value<'_>, indent: &'p str) -> Self {
        Self {
            indent,
            on_one_line: is_on_one_line(container),
            at: container.range().start as usize,
        }
    }

    /// Instead of `value`.
    fn of(value: Value<'p>) -> Self {
        Self {
            indent: indent_of(value),
            on_one_line: value.parent().is_some_and(is_on_one_line),
            at: value.range().start as usize,
        }
    }
}

/// Writes changes to one text in its own style.
pub struct Editor<'a> {
    tree: Tree<'a>,
    escapes: Escapes,
}

impl<'a> Editor<'a> {
    /// `file` says how the rest of the file escapes, for texts that do not show it themselves.
    pub fn new(tree: Tree<'a>, file: Escapes) -> Self {
        Self {
            tree,
            escapes: Escapes::seen_in(tree.text()).or(file),
        }
    }

    pub fn tree(&self) -> Tree<'a> {
        self.tree
    }

    /// Makes the string or key `value` say `text`. Characters that stay keep their spelling.
    pub fn set_string(&self, value: Value<'_>, text: &str) -> Splice {
        let start = value.range().start as usize + 1;
        let escapes = Escapes::seen_in(value.quoted()).or(self.escapes);
        let (range, written) = respell(value.quoted(), text, escapes);
        Splice::new(start + range.start..start + range.end, written)
    }

    /// Makes `value` the integer `number`; a string of digits stays a string.
    pub fn set_integer(&self, value: Value<'_>, number: i64) -> Splice {
        let written = match value.kind() {
            Kind::String => format!("\"{number}\""),
            _ => number.to_string(),
        };
        Splice::new(value.range().bytes(), written)
    }

    /// Puts `new` in the place of `value`, laid out like it if both are containers.
    pub fn replace(&self, value: Value<'a>, new: &New) -> Splice {
        match (value.kind(), new) {
            (Kind::String, New::String(text)) => self.set_string(value, text),
            _ => self.replace_like(value, new, Some(value)),
        }
    }

    /// Puts `new` in the place of `value`, laid out like `like`.
    pub fn replace_like(&self, value: Value<'a>, new: &New, like: Option<Value<'a>>) -> Splice {
        let mut written = String::new();
        self.render(new, like, Place::of(value), &mut written);
        Splice::new(value.range().bytes(), written)
    }

    /// Inserts `new` values into `array` so that the first one becomes element `index`. Where the
    /// array is empty, `like` is an array elsewhere to be imitated.
    pub fn insert(
        &self,
        array: Value<'a>,
        index: usize,
        new: &[New],
        like: Option<Value<'a>>,
    ) -> Splice {
        let elements: Vec<_> = array.elements().collect();
        if elements.is_empty() {
            return self.fill(array, new, like);
        }
        let index = index.min(elements.len());
        let gaps = Gaps::of(array, index).unwrap_or_else(|| self.nothing_like(array));
        let sibling = elements[index.min(elements.len() - 1)];
        let indent = match sibling.kind() {
            // Beside a sibling, so at its depth, however that is reached.
            Kind::Array | Kind::Object => indent_of(sibling),
            _ => last_indent(&gaps.between).unwrap_or(&gaps.indent),
        };
        let mut written = String::new();
        for value in new {
            if index == elements.len() {
                written.push_str(&gaps.between);
            }
            self.render(
                value,
                Some(sibling),
                Place::inside(array, indent),
                &mut written,
            );
            if index < elements.len() {
                written.push_str(&gaps.between);
            }
        }
        let at = match elements.get(index) {
            Some(next) => next.range().start,
            None => sibling.range().end,
        };
        Splice::new(at as usize..at as usize, written)
    }

    /// The elements of an empty array, between its brackets.
    fn fill(&self, array: Value<'a>, new: &[New], like: Option<Value<'a>>) -> Splice {
        let range = array.range().bytes();
        let mut written = String::new();
        if !new.is_empty() {
            let like = like.filter(|v| v.elements().next().is_some());
            let new = New::Array(new.to_vec());
            self.render(&new, like, Place::of(array), &mut written);
        }
        let inner = written
            .strip_prefix('[')
            .and_then(|w| w.strip_suffix(']'))
            .unwrap_or(&written);
        Splice::new(range.start + 1..range.end - 1, inner)
    }

    /// Adds the member `key` to `object`, at the place it has in `like` if there is one.
    pub fn add_member(
        &self,
        object: Value<'a>,
        key: &str,
        new: &New,
        like: Option<Value<'a>>,
    ) -> Splice {
        let like = like.filter(|v| v.member(key).is_some());
        let members: Vec<_> = object.members().collect();
        let Some((last_key, _)) = members.last() else {
            let mut written = String::new();
            let whole = New::Object(vec![(key.to_owned(), new.clone())]);
            self.render(&whole, like, Place::of(object), &mut written);
            return Splice::new(object.range().bytes(), written);
        };
        // After all keys that stand before it in `like` and are here too.
        let before = like.map(|v| {
            let keys = v.members().map(|(k, _)| k).take_while(|k| !k.is_text(key));
            let here = keys.filter_map(|k| members.iter().position(|(m, _)| m.raw() == k.raw()));
            here.max().map_or(0, |position| position + 1)
        });
        let index = before.unwrap_or(members.len());
        let gaps = Gaps::of(object, index).unwrap_or_else(|| self.nothing_like(*last_key));
        let indent = last_indent(&gaps.between).unwrap_or(&gaps.indent);
        let mut written = String::new();
        if index == members.len() {
            written.push_str(&gaps.between);
        }
        self.string(key, &mut written);
        written.push_str(&gaps.colon);
        let value_like = like.and_then(|v| v.get(key));
        self.render(new, value_like, Place::inside(object, indent), &mut written);
        if index < members.len() {
            written.push_str(&gaps.between);
        }
        let at = match members.get(index) {
            Some((next, _)) => next.range().start as usize,
            None => object_end(&members),
        };
        Splice::new(at..at, written)
    }

    /// Removes elements `range` of an array, or members of an object, with one comma each.
    pub fn remove(&self, container: Value<'_>, range: std::ops::Range<usize>) -> Splice {
        let children = children(container);
        let whole = container.range().bytes();
        if range.is_empty() {
            return Splice::new(whole.start..whole.start, "");
        }
        if range.len() == children.len() {
            return Splice::new(whole.start + 1..whole.end - 1, "");
        }
        match children.get(range.end) {
            Some(next) => Splice::new(children[range.start].start..next.start, ""),
            None => Splice::new(
                children[range.start - 1].end..children[range.end - 1].end,
                "",
            ),
        }
    }

    /// Makes an array of strings hold `texts`, touching only those that differ.
    pub fn set_strings(&self, array: Value<'a>, texts: &[&str]) -> Vec<Splice> {
        self.set_list(array, texts, Some, |text| New::String(text.to_owned()))
    }

    /// Makes an array hold an element for each of `texts`, touching only those that differ. `said`
    /// is the string an element says its text with; `new` makes a whole element.
    pub fn set_list(
        &self,
        array: Value<'a>,
        texts: &[&str],
        said: impl Fn(Value<'a>) -> Option<Value<'a>>,
        new: impl Fn(&str) -> New,
    ) -> Vec<Splice> {
        let old: Vec<_> = array.elements().collect();
        let same = |element: &Value<'a>, text: &str| {
            said(*element).is_some_and(|v| v.kind() == Kind::String && v.is_text(text))
        };
        let head = old
            .iter()
            .zip(texts)
            .take_while(|(v, t)| same(v, t))
            .count();
        let most = old.len().min(texts.len()) - head;
        let tail = old.iter().rev().zip(texts.iter().rev());
        let tail = tail.take(most).take_while(|(v, t)| same(v, t)).count();
        let (old_end, new_end) = (old.len() - tail, texts.len() - tail);
        let both = old_end.min(new_end);
        let changed = (head..both).filter(|&i| !same(&old[i], texts[i]));
        let mut splices: Vec<_> = changed
            .map(|i| match said(old[i]) {
                Some(value) => self.replace(value, &New::String(texts[i].to_owned())),
                None => self.replace(old[i], &new(texts[i])),
            })
            .collect();
        if both < new_end {
            let more: Vec<_> = texts[both..new_end].iter().map(|text| new(text)).collect();
            splices.push(self.insert(array, both, &more, None));
        } else if both < old_end {
            splices.push(self.remove(array, both..old_end));
        }
        splices
    }

    /// The filled container nearest to `near` under the same key elsewhere in the text.
    pub fn namesake(&self, key: &str, near: Value<'_>) -> Option<Value<'a>> {
        let at = near.range().start;
        let objects = self.tree.values().filter(|v| v.kind() == Kind::Object);
        objects
            .filter_map(|object| object.get(key))
            .filter(|v| v.range().start != at && !children(*v).is_empty())
            .min_by_key(|v| v.range().start.abs_diff(at))
    }

    /// The object nearest to `near` that has the member `key`, by preference with something in it.
    pub fn holder(&self, key: &str, near: Value<'_>) -> Option<Value<'a>> {
        let at = near.range().start;
        let objects = self.tree.values().filter(|v| v.kind() == Kind::Object);
        let holders = objects.filter_map(|v| Some((v, children(v.get(key)?).is_empty())));
        let nearest = holders.min_by_key(|(v, empty)| (*empty, v.range().start.abs_diff(at)));
        nearest.map(|(holder, _)| holder)
    }

    fn nothing_like(&self, near: Value<'_>) -> Gaps {
        let wanted = Wanted {
            kind: Kind::Object,
            of_containers: false,
            on_one_line: false,
            at: near.range().start as usize,
        };
        Gaps::like(self.tree, wanted)
    }

    fn string(&self, text: &str, out: &mut String) {
        out.push('"');
        self.escapes.encode(text, out);
        out.push('"');
    }

    /// Writes `new` like the value `like`.
    fn render(&self, new: &New, like: Option<Value<'a>>, place: Place<'_>, out: &mut String) {
        match new {
            New::Null => out.push_str("null"),
            New::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            New::Integer(number) => out.push_str(&number.to_string()),
            New::Raw(text) => out.push_str(text),
            New::String(text) => self.string(text, out),
            New::Array(items) => {
                let like = like.filter(|v| v.kind() == Kind::Array);
                let first = like.and_then(|v| v.elements().next());
                let items: Vec<_> = items.iter().map(|item| (None, item, first)).collect();
                self.container(new, &items, like, place, out);
            }
            New::Object(members) => {
                let like = like.filter(|v| v.kind() == Kind::Object);
                let mut members: Vec<_> = members
                    .iter()
                    .map(|(key, value)| (Some(key.as_str()), value, like.and_then(|v| v.get(key))))
                    .collect();
                let there = |key: Option<&str>| {
                    like?
                        .members()
                        .position(|(k, _)| key.is_some_and(|key| k.is_text(key)))
                };
                members.sort_by_key(|(key, _, _)| there(*key).unwrap_or(usize::MAX));
                self.container(new, &members, like, place, out);
            }
        }
    }

    fn container(
        &self,
        new: &New,
        items: &[(Option<&str>, &New, Option<Value<'a>>)],
        like: Option<Value<'a>>,
        place: Place<'_>,
        out: &mut String,
    ) {
        let kind = new.kind().unwrap_or(Kind::Array);
        let (open, close) = if kind == Kind::Object {
            ('{', '}')
        } else {
            ('[', ']')
        };
        out.push(open);
        if !items.is_empty() {
            let wanted = Wanted {
                kind,
                of_containers: new.holds_containers(),
                on_one_line: place.on_one_line,
                at: place.at,
            };
            let gaps = like
                .and_then(|v| Gaps::of(v, 1))
                .unwrap_or_else(|| Gaps::like(self.tree, wanted));
            let here = |gap: &str| reindent(gap, &gaps.indent, place.indent);
            let lead = here(&gaps.lead);
            for (i, (key, value, value_like)) in items.iter().enumerate() {
                // A member that the example has stands as it does there.
                let there = key.and_then(|key| around_key(like?, key));
                let (before, colon) = there.unwrap_or((None, &gaps.colon));
                let gap = if i == 0 {
                    lead.clone()
                } else {
                    here(before.unwrap_or(&gaps.between))
                };
                out.push_str(&gap);
                if let Some(key) = key {
                    self.string(key, out);
                    out.push_str(&here(colon));
                }
                let indent = last_indent(&gap).or(last_indent(&lead));
                let inner = Place {
                    indent: indent.unwrap_or(place.indent),
                    on_one_line: place.on_one_line || like.is_some_and(is_on_one_line),
                    ..place
                };
                self.render(value, *value_like, inner, out);
            }
            out.push_str(&here(&gaps.tail));
        }
        out.push(close);
    }
}

fn object_end(members: &[(Value<'_>, Value<'_>)]) -> usize {
    members
        .last()
        .map_or(0, |(_, value)| value.range().end as usize)
}
